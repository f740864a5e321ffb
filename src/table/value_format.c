#include "value_format.h"

#include "../base/text.h"
#include "value_type.h"

#include <stdio.h>
#include <string.h>

/* What stands for a value that is not written by the format: of no type, and no token. */
#define NOT_WRITTEN_SO "\x01"

/* --- Formats of dates. ------------------------------------------------------------------- */

typedef enum part { YEAR, MONTH, DAY, HOUR, MINUTE, SECOND, PARTS } part;

static const char letters[PARTS] = {'Y', 'M', 'D', 'h', 'm', 's'};

/* The part that a run of one letter stands for; PARTS: none. */
static part find_part(char letter)
{
    part p = YEAR;

    while (p < PARTS && letters[p] != letter) {
        p++;
    }
    return p;
}

static size_t count_run(const char *format)
{
    size_t count = 1;

    while (format[count] == format[0]) {
        count++;
    }
    return count;
}

static bool is_alphanumeric(char c)
{
    return shoal_i_text_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* What is wrong with a run of letters. */
static const char *find_run_mistake(part p, size_t run, bool is_again)
{
    if (is_again) {
        return "has a part twice";
    }
    if (p == YEAR && run == 2) {
        return "has years of two digits, which do not tell the century; such dates must be "
               "written with four first";
    }
    if (p == YEAR ? run != 4 : run > 2 || (run == 1 && p > HOUR)) {
        return "is made of YYYY, MM or M, DD or D, and for a time hh, mm and ss";
    }
    return NULL;
}

const char *shoal_i_date_format_mistake(const char *format)
{
    bool is_there[PARTS + 1] = {false};

    if (strlen(format) > SHOAL_I_DATE_FORMAT_MAX) {
        return "is too long";
    }
    for (size_t i = 0; format[i];) {
        part p = find_part(format[i]);
        size_t run = p < PARTS ? count_run(format + i) : 1;
        const char *mistake = p < PARTS ? find_run_mistake(p, run, is_there[p]) : NULL;

        if (mistake) {
            return mistake;
        }
        if (p == PARTS && is_alphanumeric(format[i]) && format[i] != 'T' && format[i] != 'Z') {
            return "is made of YYYY, MM or M, DD or D, and for a time hh, mm and ss";
        }
        is_there[p] = true;
        i += run;
    }
    return is_there[YEAR] && is_there[MONTH] && is_there[DAY]
               ? NULL
               : "needs year, month and day, such as DD.MM.YYYY";
}

/* Digits of a part, at least `least` and at most `most`; how many there were, 0: too few. */
static size_t take_digits(int *out, const char *text, size_t length, size_t least, size_t most)
{
    size_t count = 0;

    *out = 0;
    while (count < most && count < length && shoal_i_text_is_digit(text[count])) {
        *out = *out * 10 + (text[count] - '0');
        count++;
    }
    return count >= least ? count : 0;
}

bool shoal_i_date_by_format(char out[SHOAL_I_NUMBER_MAX], const char *format, const char *text,
                            size_t length)
{
    int values[PARTS] = {0};
    size_t at = 0;
    int32_t days;

    for (size_t i = 0; format[i];) {
        part p = find_part(format[i]);
        size_t run = p < PARTS ? count_run(format + i) : 1;
        size_t taken = 0;

        if (p < PARTS) {
            taken = take_digits(&values[p], text + at, length - at, run, run == 1 ? 2 : run);
        } else {
            taken = at < length && text[at] == format[i];
        }
        if (taken == 0) {
            return false;
        }
        at += taken;
        i += run;
    }
    if (at != length || values[HOUR] > 23 || values[MINUTE] > 59 || values[SECOND] > 60) {
        return false;
    }
    int size = snprintf(out, SHOAL_I_NUMBER_MAX, "%04d-%02d-%02d", values[YEAR], values[MONTH],
                        values[DAY]);

    return size == 10 && shoal_i_text_to_date(&days, out, 10);
}

/* --- Numbers. ---------------------------------------------------------------------------- */

/* Bytes of the thousands separator at text; 0: none is there. */
static size_t match_thousands(char thousands, const char *text, size_t length)
{
    static const char *const spaces[] = {" ", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89"};
    static const char *const quotes[] = {"'", "\xE2\x80\x99"};
    const char *const *signs = thousands == ' ' ? spaces : quotes;
    size_t count = thousands == ' ' ? sizeof spaces / sizeof *spaces : 2;

    if (thousands == '.' || thousands == ',') {
        return length > 0 && text[0] == thousands;
    }
    for (size_t i = 0; thousands && i < count; i++) {
        size_t size = strlen(signs[i]);

        if (length >= size && memcmp(text, signs[i], size) == 0) {
            return size;
        }
    }
    return 0;
}

static size_t count_digits(const char *text, size_t length)
{
    size_t count = 0;

    while (count < length && shoal_i_text_is_digit(text[count])) {
        count++;
    }
    return count;
}

/* The whole part, with its groups or without; bytes of text, 0: it is wrong. */
static size_t copy_whole(char *out, size_t *size, char thousands, const char *text,
                         size_t length)
{
    size_t at = count_digits(text, length);
    size_t first = at;

    memcpy(out + *size, text, at);
    *size += at;
    for (size_t sign; (sign = match_thousands(thousands, text + at, length - at)) > 0;) {
        size_t digits = count_digits(text + at + sign, length - at - sign);

        if (digits != 3 || first == 0 || first > 3) {
            return 0;
        }
        memcpy(out + *size, text + at + sign, digits);
        *size += digits;
        at += sign + digits;
    }
    return at;
}

size_t shoal_i_number_by_format(char *out, const shoal_i_value_format *format, const char *text,
                                size_t length)
{
    char decimal = format->decimal ? format->decimal : '.';
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    size_t size = at;
    double number;

    memcpy(out, text, at);
    size_t whole = copy_whole(out, &size, format->thousands, text + at, length - at);

    if (whole == 0) {
        return 0;
    }
    at += whole;
    if (at < length && text[at] == decimal) {
        out[size++] = '.';
        at++;
    }
    for (; at < length; at++) {
        if (text[at] == '.' || text[at] == ',') {
            return 0;
        }
        out[size++] = text[at];
    }
    return shoal_i_text_to_double(&number, out, size) ? size : 0;
}

/* --- All values of a column. ------------------------------------------------------------- */

typedef struct translation {
    const shoal_i_dictionary *dictionary;
    const shoal_i_value_format *format;
    const char *const *tokens;
    size_t token_count;
    char *scratch; /* as long as the longest text, and as a date */
} translation;

static bool is_token(const translation *t, const char *text, size_t length)
{
    for (size_t i = 0; i < t->token_count; i++) {
        if (strlen(t->tokens[i]) == length && memcmp(t->tokens[i], text, length) == 0) {
            return true;
        }
    }
    return false;
}

/* The usual form of a text in scratch; its length, 0: it is not written so. */
static size_t translate(const translation *t, bool is_date, const char *text, size_t length)
{
    if (!is_date) {
        return shoal_i_number_by_format(t->scratch, t->format, text, length);
    }
    return t->format->date && shoal_i_date_by_format(t->scratch, t->format->date, text, length)
               ? 10
               : 0;
}

static bool all_are(const translation *t, bool is_date)
{
    size_t values = 0;

    for (uint32_t index = 1; index <= t->dictionary->count; index++) {
        size_t length;
        const char *text = shoal_i_dictionary_text(t->dictionary, index, &length);

        if (is_token(t, text, length)) {
            continue;
        }
        size_t size = translate(t, is_date, text, length);

        if (size == 0 || (!is_date && !shoal_i_value_is(SHOAL_TYPE_REAL, t->scratch, size))) {
            return false;
        }
        values++;
    }
    return values > 0;
}

static shoal_status translate_all(shoal_ctx *ctx, const translation *t, shoal_i_dictionary *out,
                                  uint32_t *index_of, bool is_date)
{
    shoal_status st = SHOAL_OK;

    for (uint32_t index = 1; index <= t->dictionary->count; index++) {
        size_t length;
        const char *text = shoal_i_dictionary_text(t->dictionary, index, &length);

        if (!is_token(t, text, length)) {
            size_t size = translate(t, is_date, text, length);

            text = size > 0 ? t->scratch : NOT_WRITTEN_SO;
            length = size > 0 ? size : strlen(NOT_WRITTEN_SO);
        }
        SHOAL_TRY(shoal_i_dictionary_add(ctx, out, &index_of[index], text, length));
    }
done:
    return st;
}

static size_t find_longest(const shoal_i_dictionary *dictionary)
{
    size_t longest = 0;

    for (uint32_t index = 1; index <= dictionary->count; index++) {
        size_t length;

        shoal_i_dictionary_text(dictionary, index, &length);
        longest = length > longest ? length : longest;
    }
    return longest;
}

shoal_status shoal_i_value_format_apply(shoal_ctx *ctx, shoal_i_dictionary *out,
                                        uint32_t **index_of,
                                        const shoal_i_dictionary *dictionary,
                                        const shoal_i_value_format *format, shoal_type type,
                                        const char *const *tokens, size_t token_count)
{
    shoal_status st = SHOAL_OK;
    translation t = {dictionary, format, tokens, token_count, NULL};
    uint32_t *map = NULL;
    bool is_date = type == SHOAL_TYPE_DATE;

    *index_of = NULL;
    SHOAL_ALLOC(ctx, t.scratch, find_longest(dictionary) + SHOAL_I_NUMBER_MAX);
    if (type == SHOAL_TYPE_AUTO) {
        is_date = format->date && all_are(&t, true);
    }
    /* Dates may be written the usual way where only numbers are not. */
    bool is_wanted = type == SHOAL_TYPE_AUTO   ? is_date || all_are(&t, false)
                     : type == SHOAL_TYPE_DATE ? format->date != NULL
                                               : type != SHOAL_TYPE_STRING;

    if (is_wanted) {
        SHOAL_ALLOC(ctx, map, (size_t)dictionary->count + 1);
        SHOAL_TRY(translate_all(ctx, &t, out, map, is_date));
        *index_of = map;
        map = NULL;
    }
done:
    free(t.scratch);
    free(map);
    return st;
}
