/* What a column seems to be, from its name and from how its values repeat.
 *
 * Guesses err on the side of caution: what could point at a person is taken for a
 * quasi-identifier. They are a start for whoever knows the data, never a decision. */
#include "inspect.h"

#include <string.h>

/* Words in the names of columns, NULL-terminated. A word of five letters or more also counts
 * inside another (firstname, birthdate); a shorter one must stand by itself (age is not in
 * language). */
static const char *const identifier_words[] = {
    "name", "firstname", "lastname", "surname", "id",     "uid",       "uuid",     "guid",
    "ssn",  "email",     "mail",     "phone",   "mobile", "telephone", "passport", "account",
    "iban", "address",   "street",   "mrn",     "nhs",    "license",   "licence",  "ip",
    "url",  "login",     "username", "fax",     NULL};
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

/* A column that is called by such a word and nothing else names people, however often they come
 * back; school_name does so only when its values hardly repeat. The name is in lower case. */
static bool is_called_identifier(const char *name, size_t distinct, size_t records)
{
    return is_any(name, identifier_words) ||
           (holds_any(name, identifier_words) && distinct > records / 2);
}

bool shoal_i_inspect_is_called_identifier(const char *name, size_t distinct, size_t records)
{
    char lower[NAME_MAX_LENGTH];

    lower_name(lower, name);
    return distinct > 1 && is_called_identifier(lower, distinct, records);
}

/* Nine in ten records have a value of their own. */
static bool is_nearly_unique(const shoal_i_column_facts *facts, size_t records)
{
    return records > 1 && facts->once >= records - records / 10;
}

static void set(shoal_i_column_facts *facts, shoal_role role, const char *note)
{
    facts->role = role;
    facts->note = note;
}

static void guess_role(shoal_i_column_facts *facts, const char *name, size_t records)
{
    if (facts->distinct <= 1 && records > 1) {
        set(facts, SHOAL_ROLE_INSENSITIVE,
            facts->distinct == 0 ? "no values at all" : "the same value everywhere");
    } else if (is_called_identifier(name, facts->distinct, records)) {
        set(facts, SHOAL_ROLE_IDENTIFIER, "named like an identifier");
    } else if (holds_any(name, sensitive_words)) {
        set(facts, SHOAL_ROLE_SENSITIVE, "named like a sensitive value");
    } else if (holds_any(name, quasi_words)) {
        set(facts, SHOAL_ROLE_QUASI, "");
    } else if (facts->type == SHOAL_TYPE_STRING && is_nearly_unique(facts, records)) {
        set(facts, SHOAL_ROLE_IDENTIFIER, "nearly every record has a value of its own");
    } else {
        set(facts, SHOAL_ROLE_QUASI, "could others know it? if not, it is insensitive");
    }
}

void shoal_i_inspect_guess(shoal_i_column_facts *facts, size_t records)
{
    char name[NAME_MAX_LENGTH];

    facts->note = "";
    lower_name(name, facts->name);
    if (!facts->is_given) {
        guess_role(facts, name, records);
    }
    if (facts->role != SHOAL_ROLE_QUASI) {
        return;
    }
    bool is_code = holds_any(name, code_words) && facts->text_length > 1 &&
                   facts->text_length < SHOAL_LEVELS_MAX;

    if (is_code && (facts->type == SHOAL_TYPE_STRING || facts->type == SHOAL_TYPE_INTEGER)) {
        facts->mask_length = facts->text_length;
        facts->note = "a code; masked from the right";
    } else if (facts->type == SHOAL_TYPE_STRING && facts->distinct > 20) {
        facts->note = "many values; a hierarchy would keep more of them";
    }
}
