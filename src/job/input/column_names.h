/* column_names.h -- what the name of a column says about it, in six languages.
 *
 * A name is cut into words where signs, digits or capitals begin one (Date_of_Birth,
 * patientAge, icd10), put into small letters and freed of accents. The words are looked up in
 * lists of English, German, French, Spanish, Italian and Dutch (name_words.c). A name may mean
 * several things; the list that stands first says more (the age at diagnosis is an age).
 *
 *     "Geburtsdatum"         geburtsdatum               a birth, a date
 *     "N° sécurité sociale"  n, securite, sociale       an official number, a number
 *     "school_name"          school, name               an education, a name
 */
#ifndef SHOAL_I_COLUMN_NAMES_H
#define SHOAL_I_COLUMN_NAMES_H

#include <shoal/table.h>

typedef enum shoal_i_meaning {
    SHOAL_I_MEANS_NOTHING,
    SHOAL_I_MEANS_SURVEY_WEIGHT,
    SHOAL_I_MEANS_CONTACT,  /* e-mail, phone, login */
    SHOAL_I_MEANS_OFFICIAL, /* numbers that an office or a bank gave to one person */
    SHOAL_I_MEANS_NAME,
    SHOAL_I_MEANS_ADDRESS,
    SHOAL_I_MEANS_REMARK,
    SHOAL_I_MEANS_AGE,
    SHOAL_I_MEANS_SEX,
    SHOAL_I_MEANS_MARITAL,
    SHOAL_I_MEANS_MONEY,
    SHOAL_I_MEANS_DIAGNOSIS, /* or death */
    SHOAL_I_MEANS_POSTAL,
    SHOAL_I_MEANS_COUNTRY,
    SHOAL_I_MEANS_BODY, /* height, weight */
    SHOAL_I_MEANS_OPINION,
    SHOAL_I_MEANS_PLACE,
    SHOAL_I_MEANS_POSITION, /* coordinates */
    SHOAL_I_MEANS_BIRTH,
    SHOAL_I_MEANS_ORIGIN,
    SHOAL_I_MEANS_FAMILY,
    SHOAL_I_MEANS_HOUSING,
    SHOAL_I_MEANS_RESULT,
    SHOAL_I_MEANS_INSTITUTION, /* hospital, employer, insurer */
    SHOAL_I_MEANS_EDUCATION,
    SHOAL_I_MEANS_LANGUAGE,
    SHOAL_I_MEANS_HEALTH,
    SHOAL_I_MEANS_OCCUPATION,
    SHOAL_I_MEANS_OFFENCE,
    SHOAL_I_MEANS_DATE,
    SHOAL_I_MEANS_CALLED, /* "name", of whatever it is */
    SHOAL_I_MEANS_ID,     /* "id", of a person, a record or anything else */
    SHOAL_I_MEANS_NUMBER, /* "number", which may also be how many */
    SHOAL_I_MEANS_TECHNICAL,
    SHOAL_I_MEANS_PERSON, /* people: patient, customer */
    SHOAL_I_MEANINGS
} shoal_i_meaning;

/* Sets of meanings have a bit for each. */
typedef uint64_t shoal_i_meanings;

static inline bool shoal_i_means(shoal_i_meanings set, shoal_i_meaning meaning)
{
    return (set >> meaning & 1) != 0;
}

/* All that a name means. */
shoal_i_meanings shoal_i_name_meanings(const char *name);

/* The first of a set, which says most; NOTHING: the set is empty. */
shoal_i_meaning shoal_i_first_meaning(shoal_i_meanings set);

/* The role of a column with this meaning, where nothing else is known. */
shoal_role shoal_i_meaning_role(shoal_i_meaning meaning);

/* "an age": a constant. */
const char *shoal_i_meaning_words(shoal_i_meaning meaning);

/* Whether a column is named as those are that tell who a record is about: by a word for that,
 * however often its values come back; by "name" or "id" beside other words (school_name) only
 * when they hardly do. Not where all records have the same value. */
bool shoal_i_names_identifier(const char *name, size_t distinct, size_t records);

/* Whether it is named like the number of a person: an official number, an "id", or people and
 * nothing else; patient_age is an age. */
bool shoal_i_names_person(const char *name);

/* Whether it looks like the number of persons who have several records: it is named so, and its
 * values come back, but not so often that it could be one of wards or shops. */
bool shoal_i_seems_person(const char *name, size_t distinct, size_t missing, size_t records);

/* Whether it is named like something an attacker wants to learn; like something of a person
 * that many know, which a ward or an employer, whose clients are many, is not. */
bool shoal_i_names_sensitive(const char *name);
bool shoal_i_names_quasi(const char *name);

/* The lists (name_words.c): words separated by blanks, without accents. A star stands for any
 * letters, "a+b" for both words, in any order, "=a" for a name of this word alone. */
extern const char *const shoal_i_name_words[SHOAL_I_MEANINGS];

#endif /* SHOAL_I_COLUMN_NAMES_H */
