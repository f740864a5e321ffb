/* column_names.h -- what the name of a column says about it.
 *
 * Upper and lower case of ASCII letters are the same. A name holds a word that stands by itself
 * between other characters (patient_age), or is of five letters or more (birthdate).
 */
#ifndef SHOAL_I_COLUMN_NAMES_H
#define SHOAL_I_COLUMN_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a column is named as those are that tell who a record is about. One that is called by
 * such a word and nothing else names people, however often they come back; school_name does so
 * only when its values hardly repeat. Not where all records have the same value. */
bool shoal_i_names_identifier(const char *name, size_t distinct, size_t records);

/* Whether it is named like the number of a person. */
bool shoal_i_names_person(const char *name);

/* Whether it looks like the number of persons who have several records: it is named so, and its
 * values come back, but not so often that it could be one of wards or shops. */
bool shoal_i_seems_person(const char *name, size_t distinct, size_t missing, size_t records);

/* Whether it is named like something an attacker wants to learn, or may know, or like a code
 * whose digits mean less from left to right (a ZIP code). */
bool shoal_i_names_sensitive(const char *name);
bool shoal_i_names_quasi(const char *name);
bool shoal_i_names_code(const char *name);

#endif /* SHOAL_I_COLUMN_NAMES_H */
