#include "column_names.h"

#include <string.h>

/* Words in the names of columns, NULL-terminated. A word of five letters or more also counts
 * inside another (firstname, birthdate); a shorter one must stand by itself (age is not in
 * language). */
static const char *const identifier_words[] = {
    "name", "firstname", "lastname", "surname", "id",     "uid",       "uuid",     "guid",
    "ssn",  "email",     "mail",     "phone",   "mobile", "telephone", "passport", "account",
    "iban", "address",   "street",   "mrn",     "nhs",    "license",   "licence",  "ip",
    "url",  "login",     "username", "fax",     NULL};
static const char *const person_words[] = {
    "id",      "pid",      "patient",   "person", "customer", "client", "member", "employee",
    "subject", "resident", "insurance", "mrn",    "nhs",      "ssn",    NULL};
static const char *const sensitive_words[] = {
    "diagnosis",   "disease",    "illness", "income",  "salary",       "wage",      "wages",
    "icd",         "hiv",        "drug",    "drugs",   "medication",   "treatment", "therapy",
    "symptom",     "result",     "credit",  "debt",    "loan",         "balance",   "crime",
    "offence",     "offense",    "cause",   "outcome", "prescription", "cost",      "costs",
    "cholesterol", "disability", NULL};
static const char *const quasi_words[] = {
    "age",        "sex",        "gender",     "zip",       "zipcode",     "postcode",
    "postal",     "birth",      "birthday",   "dob",       "race",        "ethnicity",
    "marital",    "marst",      "married",    "education", "educ",        "school",
    "occupation", "job",        "profession", "country",   "nationality", "citizen",
    "city",       "town",       "region",     "state",     "county",      "district",
    "workclass",  "employment", "language",   "household", "children",    "height",
    "weight",     "date",       NULL};
static const char *const code_words[] = {"zip",    "zipcode", "postcode", "postal", "plz",
                                         "county", "fips",    "icd",      NULL};

#define WORD_INSIDE_MIN 5
#define NAME_MAX_LENGTH 256
#define RECORDS_PER_PERSON_MAX 20 /* on average */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* The name in lower case, ASCII letters only; cut when it is very long. */
static void lower_name(char out[NAME_MAX_LENGTH], const char *name)
{
    size_t i = 0;

    for (; name[i] && i + 1 < NAME_MAX_LENGTH; i++) {
        char c = name[i];

        out[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    out[i] = '\0';
}

static bool holds_word(const char *name, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = strstr(name, word); at; at = strstr(at + 1, word)) {
        bool starts = at == name || !is_letter(at[-1]);
        bool ends = !is_letter(at[length]);

        if ((starts && ends) || length >= WORD_INSIDE_MIN) {
            return true;
        }
    }
    return false;
}

static bool holds_any(const char *name, const char *const *words)
{
    for (size_t i = 0; words[i]; i++) {
        if (holds_word(name, words[i])) {
            return true;
        }
    }
    return false;
}

static bool is_any(const char *name, const char *const *words)
{
    for (size_t i = 0; words[i]; i++) {
        if (strcmp(name, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool shoal_i_names_identifier(const char *name, size_t distinct, size_t records)
{
    char lower[NAME_MAX_LENGTH];

    lower_name(lower, name);
    return distinct > 1 && (is_any(lower, identifier_words) ||
                            (holds_any(lower, identifier_words) && distinct > records / 2));
}

static bool holds_any_of(const char *name, const char *const *words)
{
    char lower[NAME_MAX_LENGTH];

    lower_name(lower, name);
    return holds_any(lower, words);
}

bool shoal_i_names_person(const char *name)
{
    return holds_any_of(name, person_words);
}

bool shoal_i_seems_person(const char *name, size_t distinct, size_t missing, size_t records)
{
    return distinct > 1 && distinct + missing < records &&
           distinct >= records / RECORDS_PER_PERSON_MAX && shoal_i_names_person(name);
}

bool shoal_i_names_sensitive(const char *name)
{
    return holds_any_of(name, sensitive_words);
}

bool shoal_i_names_quasi(const char *name)
{
    return holds_any_of(name, quasi_words);
}

bool shoal_i_names_code(const char *name)
{
    return holds_any_of(name, code_words);
}
