#include "other_reading.h"

#include "../base/text.h"
#include "table_build.h"
#include "value_format.h"
#include "value_type.h"

#include <stdio.h>
#include <string.h>

#define NUMBER_LONGEST ((size_t)64) /* bytes of a number that people write */
#define YEAR_LEAST -43830           /* 1850-01-01 as a day: what is before is hardly a date */
#define YEAR_MOST 47481             /* 2099-12-31 */
#define VALUES_MIN 4                /* of which one may not fit */

/* Those that mean nothing else come first. */
static const char *const missing_words[] = {
    "NA",   "N/A",       "n/a",     "na",          "NaN",         "nan",      "null",
    "NULL", "-",         "--",      ".",           "k.A.",        "k. A.",    "#N/A",
    "None", "none",      "unknown", "Unknown",     "missing",     "ND",       "n.d.",
    "s/d",  "unbekannt", "inconnu", "desconocido", "sconosciuto", "onbekend",
};
#define MISSING_WORDS (sizeof missing_words / sizeof *missing_words)
#define CERTAIN_WORDS 14

_Static_assert(MISSING_WORDS <= SHOAL_I_MISSING_WORDS_MAX, "a list has room for all words");

static const char *const date_formats[] = {
    "DD.MM.YYYY",          "D.M.YYYY",
    "MM/DD/YYYY",          "M/D/YYYY",
    "DD/MM/YYYY",          "D/M/YYYY",
    "DD-MM-YYYY",          "YYYY/MM/DD",
    "YYYY.MM.DD",          "YYYYMMDD",
    "YYYY-MM-DDThh:mm:ss", "YYYY-MM-DD hh:mm:ss",
    "YYYY-MM-DD hh:mm",    "DD.MM.YYYY hh:mm:ss",
    "DD.MM.YYYY hh:mm",    "MM/DD/YYYY hh:mm:ss",
    "MM/DD/YYYY hh:mm",    "DD/MM/YYYY hh:mm:ss",
    "DD/MM/YYYY hh:mm",    "YYYY-MM-DDThh:mm:ssZ",
};
#define DATE_FORMATS (sizeof date_formats / sizeof *date_formats)

/* How numbers are read unless something else is said. */
static const shoal_i_value_format usual_numbers = {'.', 0, NULL};

typedef struct number_reading {
    shoal_i_value_format format;
    const char *what;
    const char *setting;
} number_reading;

static const number_reading number_readings[] = {
    {{',', 0, NULL}, "numbers with a decimal comma", "`input.decimal: ,`"},
    {{',', '.', NULL},
     "numbers with a decimal comma and points between thousands",
     "`input.decimal: ,` and `input.thousands: .`"},
    {{',', ' ', NULL},
     "numbers with a decimal comma and spaces between thousands",
     "`input.decimal: ,` and `input.thousands: space`"},
    {{'.', ',', NULL}, "numbers with commas between thousands", "`input.thousands: ,`"},
    {{'.', ' ', NULL}, "numbers with spaces between thousands", "`input.thousands: space`"},
    {{'.', '\'', NULL}, "numbers with apostrophes between thousands", "`input.thousands: '`"},
};
#define NUMBER_READINGS (sizeof number_readings / sizeof *number_readings)

static bool is_missing_word(const char *text, size_t length)
{
    for (size_t i = 0; i < MISSING_WORDS; i++) {
        if (strlen(missing_words[i]) == length && memcmp(missing_words[i], text, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether a text is a number by its format, or else a date. */
static bool fits(const shoal_i_value_format *format, const char *text, size_t length)
{
    char out[NUMBER_LONGEST];
    int32_t days = 0;

    if (format->date) {
        return shoal_i_date_by_format(out, format->date, text, length) &&
               shoal_i_text_to_date(&days, out, 10) && days >= YEAR_LEAST && days <= YEAR_MOST;
    }
    size_t size =
        length < NUMBER_LONGEST ? shoal_i_number_by_format(out, format, text, length) : 0;

    return size > 0 && shoal_i_value_is(SHOAL_TYPE_REAL, out, size);
}

/* A number by no format that begins with 0 is a code, and so are its neighbours. */
static bool is_code(const shoal_i_value_format *format, const char *text, size_t length)
{
    return !format->date && shoal_i_value_is_code(text, length);
}

/* How many values do not fit; more than `most`: too many, or nothing does. */
static size_t count_strays(const shoal_table *table, size_t column,
                           const shoal_i_value_format *format, size_t most)
{
    size_t values = shoal_table_value_count(table, column);
    size_t fitting = 0;
    size_t strays = 0;

    for (size_t code = 0; code < values && strays <= most; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(table, column, (uint32_t)code, &length);

        if (is_missing_word(text, length)) {
            continue;
        }
        if (fits(format, text, length)) {
            fitting++;
        } else if (is_code(format, text, length)) {
            return most + 1;
        } else {
            strays++;
        }
    }
    return fitting > 0 ? strays : most + 1;
}

static bool all_fit(const shoal_table *table, size_t column, const shoal_i_value_format *format)
{
    return count_strays(table, column, format, 0) == 0;
}

static bool has_missing_words(const shoal_table *table, size_t column)
{
    char list[SHOAL_I_OTHER_MAX];

    return shoal_i_missing_words_find(list, table, column);
}

/* 1.5.2024 fits D.M.YYYY where DD.MM.YYYY would not; 01.05.2024 fits both and is no doubt. */
static bool is_looser(const char *a, const char *b)
{
    size_t i = 0;
    size_t k = 0;

    while (a[i] && b[k] && a[i] == b[k]) {
        i++;
        k++;
        while (i > 0 && a[i] == a[i - 1]) {
            i++;
        }
        while (k > 0 && b[k] == b[k - 1]) {
            k++;
        }
    }
    return a[i] == '\0' && b[k] == '\0';
}

/* The format of dates that the fewest values do not fit, `most` at most. */
static bool find_dates(shoal_i_other_reading *out, const shoal_table *table, size_t column,
                       size_t most)
{
    bool is_text = shoal_table_type(table, column) == SHOAL_TYPE_STRING;
    const char *first = NULL;

    for (size_t i = 0; i < DATE_FORMATS; i++) {
        shoal_i_value_format format = {.date = date_formats[i]};

        if ((!is_text && strcmp(date_formats[i], "YYYYMMDD") != 0) ||
            (first && is_looser(first, date_formats[i]) && out->stray_count == 0)) {
            continue;
        }
        size_t strays = count_strays(table, column, &format, most);

        if (strays > most || (first && strays > out->stray_count)) {
            continue;
        }
        if (!first || strays < out->stray_count) {
            first = date_formats[i];
            out->second = NULL;
            out->stray_count = strays;
        } else if (!out->second && !is_looser(first, date_formats[i])) {
            out->second = date_formats[i];
        }
    }
    if (first) {
        snprintf(out->what, sizeof out->what, "dates written %s", first);
        snprintf(out->setting, sizeof out->setting, "`input.date_format: %s`", first);
        out->format.date = first;
    }
    return first != NULL;
}

/* The first reading of numbers that enough values fit. */
static bool find_numbers(shoal_i_other_reading *out, const shoal_table *table, size_t column,
                         size_t most)
{
    for (size_t i = 0; i < NUMBER_READINGS; i++) {
        size_t strays = count_strays(table, column, &number_readings[i].format, most);

        if (strays <= most) {
            snprintf(out->what, sizeof out->what, "%s", number_readings[i].what);
            snprintf(out->setting, sizeof out->setting, "%s", number_readings[i].setting);
            out->format = number_readings[i].format;
            out->stray_count = strays;
            return true;
        }
    }
    return false;
}

bool shoal_i_other_reading_find(shoal_i_other_reading *out, const shoal_table *table,
                                size_t column)
{
    shoal_type type = shoal_table_type(table, column);
    bool is_text = type == SHOAL_TYPE_STRING;

    *out = (shoal_i_other_reading){0};
    if (!is_text && type != SHOAL_TYPE_INTEGER) {
        return false;
    }
    out->has_tokens = is_text && has_missing_words(table, column);
    if (find_dates(out, table, column, 0)) {
        return true;
    }
    if (is_text && all_fit(table, column, &usual_numbers)) {
        /* Words for missing ones alone made it text: that is for stray.h to say. */
        snprintf(out->what, sizeof out->what, "numbers with a decimal point");
        snprintf(out->setting, sizeof out->setting, "`input.decimal: .`");
        return !out->has_tokens;
    }
    return is_text && find_numbers(out, table, column, 0);
}

/* The line of the first record whose value does not fit. */
static int64_t find_stray_line(const shoal_table *table, size_t column,
                               const shoal_i_value_format *format)
{
    size_t values = shoal_table_value_count(table, column);

    if (!table->columns[column].codes) { /* they are on disk */
        return 0;
    }
    for (size_t row = 0; row < shoal_table_row_count(table); row++) {
        uint32_t code = shoal_table_code(table, column, row);
        size_t length = 0;
        const char *text = shoal_table_text(table, column, code, &length);

        if (code < values && !is_missing_word(text, length) && !fits(format, text, length)) {
            return shoal_table_line(table, row);
        }
    }
    return 0;
}

bool shoal_i_near_reading_find(shoal_i_other_reading *out, const shoal_table *table,
                               size_t column)
{
    size_t values = shoal_table_value_count(table, column);
    size_t most = values / 10 > 1 ? values / 10 : 1;

    *out = (shoal_i_other_reading){0};
    if (shoal_table_type(table, column) != SHOAL_TYPE_STRING || values < VALUES_MIN) {
        return false;
    }
    out->has_tokens = has_missing_words(table, column);
    if (!find_dates(out, table, column, most) && !find_numbers(out, table, column, most)) {
        return false;
    }
    out->stray_line = find_stray_line(table, column, &out->format);
    return out->stray_count > 0;
}

/* A number of one digit or two; its digits. */
static size_t read_short(unsigned *out, const char *text, size_t length)
{
    size_t at = 0;

    *out = 0;
    while (at < length && at < 2 && shoal_i_text_is_digit(text[at])) {
        *out = 10 * *out + (unsigned)(text[at++] - '0');
    }
    return at;
}

/* Day, month and two digits of a year, or month first, between points, slashes or dashes. */
static bool has_short_year(const char *text, size_t length)
{
    unsigned parts[3] = {0};
    size_t at = 0;
    size_t digits = 0;

    for (size_t i = 0; i < 3; i++) {
        if (i > 0 && (at >= length || !strchr("./-", text[at]) || text[at] == '\0' ||
                      (i == 2 && text[at] != text[at - digits - 1]))) {
            return false;
        }
        at += i > 0;
        digits = read_short(&parts[i], text + at, length - at);
        at += digits;
        if (digits == 0) {
            return false;
        }
    }
    unsigned less = parts[0] < parts[1] ? parts[0] : parts[1];
    unsigned more = parts[0] < parts[1] ? parts[1] : parts[0];

    return at == length && digits == 2 && less >= 1 && less <= 12 && more <= 31;
}

bool shoal_i_has_short_years(const shoal_table *table, size_t column)
{
    size_t values = shoal_table_value_count(table, column);
    size_t count = 0;

    if (shoal_table_type(table, column) != SHOAL_TYPE_STRING || values < VALUES_MIN) {
        return false;
    }
    for (size_t code = 0; code < values; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(table, column, (uint32_t)code, &length);

        count += has_short_year(text, length);
    }
    return count >= values - values / 10;
}

size_t shoal_i_missing_words_list(const char **out, const shoal_table *table, size_t column)
{
    size_t count = 0;

    for (size_t i = 0;
         shoal_table_type(table, column) == SHOAL_TYPE_STRING && i < MISSING_WORDS; i++) {
        int64_t code =
            shoal_table_find_code(table, column, missing_words[i], strlen(missing_words[i]));

        if (code >= 0 && (size_t)code < shoal_table_value_count(table, column)) {
            out[count++] = missing_words[i];
        }
    }
    return count;
}

bool shoal_i_missing_words_find(char out[SHOAL_I_OTHER_MAX], const shoal_table *table,
                                size_t column)
{
    const char *found[SHOAL_I_MISSING_WORDS_MAX];
    size_t count = shoal_i_missing_words_list(found, table, column);

    shoal_i_text_list(out, SHOAL_I_OTHER_MAX, found, count);
    return count > 0;
}

bool shoal_i_missing_word_is_certain(const char *word)
{
    for (size_t i = 0; i < CERTAIN_WORDS; i++) {
        if (strcmp(missing_words[i], word) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether all values but such words are of a type, and there are both. */
static bool all_are(const shoal_table *table, size_t column, shoal_type type)
{
    size_t values = shoal_table_value_count(table, column);
    size_t words = 0;

    for (size_t code = 0; code < values; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(table, column, (uint32_t)code, &length);
        bool is_word = is_missing_word(text, length);

        if (!is_word && !shoal_i_value_is(type, text, length)) {
            return false;
        }
        words += is_word;
    }
    return words > 0 && words < values;
}

shoal_type shoal_i_type_without_words(const shoal_table *table, size_t column)
{
    static const shoal_type types[] = {SHOAL_TYPE_INTEGER, SHOAL_TYPE_REAL, SHOAL_TYPE_DATE};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (shoal_table_type(table, column) == SHOAL_TYPE_STRING &&
            all_are(table, column, types[i])) {
            return types[i];
        }
    }
    return SHOAL_TYPE_STRING;
}
