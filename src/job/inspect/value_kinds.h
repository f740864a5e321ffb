/* value_kinds.h -- what the values of a column are, whatever it is called: addresses of mail
 * and of machines, phone numbers, official numbers, codes, free text.
 *
 * A column is of a kind when nine in ten of its distinct values are; of a column with very many
 * only some thousands are looked at, spread evenly over their order, so that the answer depends
 * on nothing but the values.
 */
#ifndef SHOAL_I_VALUE_KINDS_H
#define SHOAL_I_VALUE_KINDS_H

#include <shoal/table.h>

typedef enum shoal_i_value_role {
    SHOAL_I_VALUES_PLAIN,    /* nothing that could be told from them */
    SHOAL_I_VALUES_CONTACT,  /* they lead to a person, or to a machine */
    SHOAL_I_VALUES_OFFICIAL, /* numbers of people with check digits */
    SHOAL_I_VALUES_POSTAL,
    SHOAL_I_VALUES_DIAGNOSIS, /* codes of ICD-10 */
    SHOAL_I_VALUES_AMOUNT,    /* bands of amounts: <=50K */
    SHOAL_I_VALUES_TEXT       /* sentences */
} shoal_i_value_role;

typedef struct shoal_i_value_kind {
    shoal_i_value_role role;
    const char *what; /* "e-mail addresses": a constant; NULL: plain */
} shoal_i_value_kind;

/* Look at the values of a column of text or of whole numbers. */
shoal_i_value_kind shoal_i_value_kind_find(const shoal_table *table, size_t column);

/* The system of codes (hierarchy/codes.h) that a column could be of: one that knows nine in ten
 * of its values, or all. Many things may be: 12 is an occupation and much else, so the name has
 * to agree. */
typedef struct shoal_i_known_codes {
    unsigned systems;  /* a bit for each of the table */
    unsigned complete; /* those that know all values */
} shoal_i_known_codes;

shoal_i_known_codes shoal_i_known_codes_find(const shoal_table *table, size_t column);

/* Whether one text is an e-mail address, a phone number, an address of a machine (IPv4, IPv6,
 * MAC), a page of the web, a UUID, a code of ICD-10, a postal code that has letters. */
bool shoal_i_is_email(const char *text, size_t length);
bool shoal_i_is_phone(const char *text, size_t length);
bool shoal_i_is_machine(const char *text, size_t length);
bool shoal_i_is_web_page(const char *text, size_t length);
bool shoal_i_is_uuid(const char *text, size_t length);
bool shoal_i_is_icd10(const char *text, size_t length);
bool shoal_i_is_lettered_postcode(const char *text, size_t length);
bool shoal_i_is_amount_band(const char *text, size_t length);

#endif /* SHOAL_I_VALUE_KINDS_H */
