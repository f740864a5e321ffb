#include "value_kinds.h"

#include "../../base/text.h"
#include "../../hierarchy/codes.h"
#include "check_digits.h"

#include <string.h>

#define LOOKED_AT 4096 /* distinct values, at most */
#define LEAST 5        /* values without which a check digit may be chance */
#define COMPACT_MAX 40

static bool is_digit(char c)
{
    return shoal_i_text_is_digit(c);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* --- Ways to reach somebody. ------------------------------------------------------------ */

bool shoal_i_is_email(const char *text, size_t length)
{
    const char *at = memchr(text, '@', length);
    size_t left = at ? (size_t)(at - text) : 0;
    size_t letters = 0; /* behind the last point */
    bool has_point = false;

    if (left == 0 || memchr(text, ' ', length)) {
        return false;
    }
    for (size_t i = left + 1; i < length; i++) {
        char c = text[i];

        if (c == '.') {
            if (letters == 0) {
                return false;
            }
            has_point = true;
            letters = 0;
        } else if (is_letter(c) || is_digit(c) || c == '-' || (c & 0x80)) {
            letters++;
        } else {
            return false;
        }
    }
    return has_point && letters >= 2;
}

bool shoal_i_is_web_page(const char *text, size_t length)
{
    return (length > 8 &&
            (memcmp(text, "http://", 7) == 0 || memcmp(text, "https:/", 7) == 0)) ||
           (length > 6 && memcmp(text, "www.", 4) == 0);
}

/* 9 to 15 digits, or from 7 on behind + or 00, with blanks, dashes, points, slashes and
 * brackets; some sign that tells it from a number. */
bool shoal_i_is_phone(const char *text, size_t length)
{
    size_t digits = 0;
    size_t signs = 0;
    size_t run = 0; /* digits without a sign between them */
    size_t longest = 0;

    for (size_t i = 0; i < length; i++) {
        char c = text[i];

        if (is_digit(c)) {
            digits++;
            run++;
            longest = run > longest ? run : longest;
        } else if (strchr(" -./()", c) || (c == '+' && i == 0)) {
            signs += i > 0;
            run = 0;
        } else {
            return false;
        }
    }
    bool is_abroad = text[0] == '+' || (length > 1 && text[0] == '0' && text[1] == '0');
    bool is_far = text[0] == '0' || text[0] == '(';

    return digits <= 15 && (is_abroad ? digits >= 7 : digits >= 9) &&
           (is_abroad || is_far || (signs >= 2 && digits == 10 && longest == 4));
}

/* Groups of hexadecimal digits between colons or dashes; how many, 0: something else. */
static size_t count_groups(const char *text, size_t length, size_t least, size_t most)
{
    size_t groups = 1;
    size_t run = 0;

    for (size_t i = 0; i < length; i++) {
        if (text[i] == ':' || (text[i] == '-' && least == 2)) {
            if (run < least) {
                return 0;
            }
            groups++;
            run = 0;
        } else if (!is_hex(text[i]) || ++run > most) {
            return 0;
        }
    }
    return run < least ? 0 : groups;
}

static bool is_ipv4(const char *text, size_t length)
{
    unsigned parts = 0;
    unsigned value = 0;
    size_t run = 0;

    for (size_t i = 0; i <= length; i++) {
        if (i == length || text[i] == '.') {
            if (run == 0 || run > 3 || value > 255) {
                return false;
            }
            parts++;
            value = 0;
            run = 0;
        } else if (is_digit(text[i])) {
            value = value * 10 + (unsigned)(text[i] - '0');
            run++;
        } else {
            return false;
        }
        if (run > 3) {
            return false;
        }
    }
    return parts == 4;
}

bool shoal_i_is_machine(const char *text, size_t length)
{
    return is_ipv4(text, length) || count_groups(text, length, 2, 2) == 6 ||
           (length > 6 && memchr(text, ':', length) && count_groups(text, length, 0, 4) >= 4);
}

bool shoal_i_is_uuid(const char *text, size_t length)
{
    for (size_t i = 0; length == 36 && i < length; i++) {
        bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;

        if (is_dash ? text[i] != '-' : !is_hex(text[i])) {
            return false;
        }
    }
    return length == 36;
}

/* --- Codes. ----------------------------------------------------------------------------- */

/* A letter, a digit, a digit or letter; then nothing or a point and up to four of either, or
 * the same without the point. */
bool shoal_i_is_icd10(const char *text, size_t length)
{
    if (length < 3 || length > 8 || !is_letter(text[0]) || !is_digit(text[1]) ||
        !(is_digit(text[2]) || is_letter(text[2]))) {
        return false;
    }
    for (size_t i = 3; i < length; i++) {
        bool may_be_point = i == 3 && length > 4;

        if (!is_digit(text[i]) && !is_letter(text[i]) && !(may_be_point && text[i] == '.') &&
            !(i == 4 && text[i] == '-')) {
            return false;
        }
    }
    return length == 3 || text[3] == '.';
}

/* Whether a text has a form: A is a letter, 9 a digit, a blank one or none. */
static bool has_form(const char *form, const char *text, size_t length)
{
    size_t at = 0;

    for (; *form; form++) {
        if (*form == ' ') {
            at += at < length && text[at] == ' ';
        } else if (at < length && (*form == 'A' ? is_letter(text[at]) : is_digit(text[at]))) {
            at++;
        } else {
            return false;
        }
    }
    return at == length;
}

bool shoal_i_is_lettered_postcode(const char *text, size_t length)
{
    static const char *const forms[] = {
        "9999 AA",                                                               /* Dutch */
        "A9A 9A9",                                                               /* Canadian */
        "A9 9AA",  "A99 9AA", "AA9 9AA", "AA99 9AA", "A9A 9AA", "AA9A 9AA", NULL /* British */
    };

    for (size_t i = 0; forms[i]; i++) {
        if (has_form(forms[i], text, length)) {
            return true;
        }
    }
    return false;
}

/* <=50K, >100000, 20k-30k, 1000-1999 EUR: a sign of comparison, or a thousand's mark. */
bool shoal_i_is_amount_band(const char *text, size_t length)
{
    bool has_sign = false;
    bool has_digit = false;
    bool has_thousand = false;

    for (size_t i = 0; i < length; i++) {
        char c = text[i];

        has_sign = has_sign || c == '<' || c == '>' || (c == '-' && i > 0);
        has_digit = has_digit || is_digit(c);
        has_thousand = has_thousand ||
                       ((c == 'K' || c == 'k') && i > 0 && is_digit(text[i - 1])) || c == '$';
    }
    return has_sign && has_digit && has_thousand;
}

/* --- A column. -------------------------------------------------------------------------- */

typedef bool (*test_fn)(const char *text, size_t length);

typedef struct kind_test {
    shoal_i_value_role role;
    bool is_compact; /* signs between digits are left out first */
    bool needs_many; /* by chance one in ten would pass */
    bool takes_numbers;
    test_fn is_one;
    const char *what;
} kind_test;

/* Those with more to check stand first. */
static const kind_test tests[] = {
    {SHOAL_I_VALUES_CONTACT, false, false, false, shoal_i_is_email, "e-mail addresses"},
    {SHOAL_I_VALUES_CONTACT, false, false, false, shoal_i_is_web_page, "pages of the web"},
    {SHOAL_I_VALUES_CONTACT, false, false, false, shoal_i_is_uuid, "UUIDs"},
    {SHOAL_I_VALUES_CONTACT, false, false, false, shoal_i_is_machine, "addresses of machines"},
    {SHOAL_I_VALUES_OFFICIAL, true, false, false, shoal_i_is_iban, "IBANs"},
    {SHOAL_I_VALUES_OFFICIAL, true, false, false, shoal_i_is_it_fiscal,
     "Italian codici fiscali"},
    {SHOAL_I_VALUES_OFFICIAL, true, false, true, shoal_i_is_ch_ahv, "Swiss AHV numbers"},
    {SHOAL_I_VALUES_OFFICIAL, true, false, true, shoal_i_is_fr_nir,
     "French social security numbers"},
    {SHOAL_I_VALUES_OFFICIAL, true, false, true, shoal_i_is_be_national,
     "Belgian national numbers"},
    {SHOAL_I_VALUES_OFFICIAL, true, true, false, shoal_i_is_es_dni, "Spanish DNI numbers"},
    {SHOAL_I_VALUES_OFFICIAL, true, true, false, shoal_i_is_ie_pps, "Irish PPS numbers"},
    {SHOAL_I_VALUES_OFFICIAL, true, true, false, shoal_i_is_de_kvnr,
     "German health insurance numbers"},
    {SHOAL_I_VALUES_OFFICIAL, true, true, true, shoal_i_is_de_tax, "German tax numbers"},
    {SHOAL_I_VALUES_OFFICIAL, true, true, true, shoal_i_is_pl_pesel, "Polish PESEL numbers"},
    {SHOAL_I_VALUES_OFFICIAL, true, true, true, shoal_i_is_at_svnr,
     "Austrian social insurance numbers"},
    {SHOAL_I_VALUES_OFFICIAL, true, true, true, shoal_i_is_gb_nhs, "NHS numbers"},
    {SHOAL_I_VALUES_OFFICIAL, true, true, true, shoal_i_is_nl_bsn, "Dutch BSN numbers"},
    {SHOAL_I_VALUES_OFFICIAL, true, true, true, shoal_i_is_ca_sin,
     "Canadian social insurance numbers"},
    {SHOAL_I_VALUES_OFFICIAL, true, true, true, shoal_i_is_payment_card,
     "numbers of payment cards"},
    {SHOAL_I_VALUES_POSTAL, false, false, false, shoal_i_is_lettered_postcode, "postal codes"},
    {SHOAL_I_VALUES_AMOUNT, false, false, false, shoal_i_is_amount_band, "bands of amounts"},
    {SHOAL_I_VALUES_CONTACT, false, true, false, shoal_i_is_phone, "phone numbers"},
};
#define TESTS (sizeof tests / sizeof *tests)

/* The text in capitals without the signs that people put between digits; 0: it has others. */
static size_t make_compact(char out[COMPACT_MAX + 1], const char *text, size_t length)
{
    size_t size = 0;

    for (size_t i = 0; i < length; i++) {
        char c = text[i];

        if (is_digit(c) || is_letter(c)) {
            if (size == COMPACT_MAX) {
                return 0;
            }
            out[size++] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
        } else if (!strchr(" .-/", c)) {
            return 0;
        }
    }
    out[size] = '\0';
    return size;
}

typedef struct counts {
    size_t values;
    size_t passed[TESTS];
    size_t icd10;        /* codes of ICD-10, */
    size_t icd10_points; /* and of these with a point */
    size_t ssn;          /* 3, 2 and 4 digits with dashes */
    size_t words;
    size_t characters;
} counts;

/* American numbers have no check digit: only the dashes make them. */
static bool is_dashed_ssn(const char *text, size_t length)
{
    char compact[COMPACT_MAX + 1];

    return length == 11 && text[3] == '-' && text[6] == '-' &&
           shoal_i_is_us_ssn(compact, make_compact(compact, text, length));
}

static size_t count_words(const char *text, size_t length)
{
    size_t words = 0;

    for (size_t i = 0; i < length; i++) {
        bool is_inside = is_letter(text[i]) || (text[i] & 0x80);
        bool was_inside = i > 0 && (is_letter(text[i - 1]) || (text[i - 1] & 0x80));

        words += is_inside && !was_inside;
    }
    return words;
}

static void count_value(counts *c, const char *text, size_t length, bool is_number)
{
    char compact[COMPACT_MAX + 1];
    size_t size = make_compact(compact, text, length);

    c->values++;
    for (size_t i = 0; i < TESTS; i++) {
        if (is_number && !tests[i].takes_numbers) {
            continue;
        }
        c->passed[i] += tests[i].is_compact ? size > 0 && tests[i].is_one(compact, size)
                                            : tests[i].is_one(text, length);
    }
    if (!is_number) {
        bool is_icd10 = shoal_i_is_icd10(text, length);

        c->icd10 += is_icd10;
        c->icd10_points += is_icd10 && length > 3;
        c->ssn += is_dashed_ssn(text, length);
        c->words += count_words(text, length);
        c->characters += length;
    }
}

static bool are_most(size_t part, size_t whole)
{
    return whole > 1 && part >= whole - whole / 10;
}

/* Sentences: several words each, and mostly different ones. */
static bool are_sentences(const counts *c, size_t distinct, size_t present)
{
    return c->values >= LEAST && distinct > present / 2 &&
           (c->words >= 5 * c->values || c->characters >= 60 * c->values);
}

static shoal_i_value_kind find_kind(const counts *c, size_t distinct, size_t present)
{
    if (are_most(c->ssn, c->values)) {
        return (shoal_i_value_kind){SHOAL_I_VALUES_OFFICIAL, "US social security numbers"};
    }
    for (size_t i = 0; i < TESTS; i++) {
        if (are_most(c->passed[i], c->values) && (!tests[i].needs_many || c->values >= LEAST)) {
            return (shoal_i_value_kind){tests[i].role, tests[i].what};
        }
    }
    if (are_most(c->icd10, c->values) && 4 * c->icd10_points >= c->values) {
        return (shoal_i_value_kind){SHOAL_I_VALUES_DIAGNOSIS, "codes of ICD-10"};
    }
    if (are_sentences(c, distinct, present)) {
        return (shoal_i_value_kind){SHOAL_I_VALUES_TEXT, "free text"};
    }
    return (shoal_i_value_kind){SHOAL_I_VALUES_PLAIN, NULL};
}

shoal_i_value_kind shoal_i_value_kind_find(const shoal_table *table, size_t column)
{
    shoal_type type = shoal_table_type(table, column);
    size_t values = shoal_table_value_count(table, column);
    size_t looked_at = values < LOOKED_AT ? values : LOOKED_AT;
    counts c = {0};

    if (type != SHOAL_TYPE_STRING && type != SHOAL_TYPE_INTEGER) {
        return (shoal_i_value_kind){SHOAL_I_VALUES_PLAIN, NULL};
    }
    for (size_t i = 0; i < looked_at; i++) {
        size_t length = 0;
        uint32_t code = (uint32_t)(i * values / looked_at);
        const char *text = shoal_table_text(table, column, code, &length);

        if (length > 0) {
            count_value(&c, text, length, type == SHOAL_TYPE_INTEGER);
        }
    }
    return find_kind(&c, values,
                     shoal_table_row_count(table) - shoal_table_missing_count(table, column));
}

shoal_i_known_codes shoal_i_known_codes_find(const shoal_table *table, size_t column)
{
    shoal_i_known_codes known = {0};
    shoal_type type = shoal_table_type(table, column);
    size_t values = shoal_table_value_count(table, column);

    if (type != SHOAL_TYPE_STRING && type != SHOAL_TYPE_INTEGER) {
        return known;
    }
    for (unsigned s = 0; shoal_i_code_systems[s].name; s++) {
        size_t others = 0;

        for (size_t code = 0; code < values && others <= values / 10; code++) {
            shoal_i_code_groups groups = {0};
            size_t length = 0;
            const char *text = shoal_table_text(table, column, (uint32_t)code, &length);

            others += !shoal_i_code_systems[s].find(&groups, text, length);
        }
        if (values > 1 && others <= values / 10) {
            known.systems |= 1U << s;
            known.complete |= others == 0 ? 1U << s : 0;
        }
    }
    return known;
}
