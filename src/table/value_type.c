#include "value_type.h"

#include "../base/text.h"

#include <stdio.h>
#include <strings.h>

#define SHOWN_MAX 60 /* bytes of a value in a message */
#define EXPECTED_MAX 120

static size_t skip_sign(const char *text, size_t length)
{
    return length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
}

bool shoal_i_value_is_code(const char *text, size_t length)
{
    size_t at = skip_sign(text, length);

    return length - at >= 2 && text[at] == '0' && shoal_i_text_is_digit(text[at + 1]);
}

/* Nothing but digits behind an optional sign. */
static bool is_whole(const char *text, size_t length)
{
    size_t at = skip_sign(text, length);

    if (at == length) {
        return false;
    }
    while (at < length && shoal_i_text_is_digit(text[at])) {
        at++;
    }
    return at == length;
}

static bool is_exact(int64_t number)
{
    return number >= -SHOAL_I_INTEGER_MAX && number <= SHOAL_I_INTEGER_MAX;
}

static bool is_plain_integer(const char *text, size_t length)
{
    int64_t number;

    return shoal_i_text_to_int64(&number, text, length) && is_exact(number) && text[0] != '+' &&
           !shoal_i_value_is_code(text, length) && (number != 0 || text[0] != '-');
}

static bool is_plain_real(const char *text, size_t length)
{
    double number;
    int64_t whole;

    if (!shoal_i_text_to_double(&number, text, length) || shoal_i_value_is_code(text, length)) {
        return false;
    }
    return !is_whole(text, length) ||
           (shoal_i_text_to_int64(&whole, text, length) && is_exact(whole));
}

static bool is_date(const char *text, size_t length)
{
    int32_t days;

    return shoal_i_text_to_date(&days, text, length);
}

bool shoal_i_value_is(shoal_type type, const char *text, size_t length)
{
    switch (type) {
    case SHOAL_TYPE_INTEGER:
        return is_plain_integer(text, length);
    case SHOAL_TYPE_REAL:
        return is_plain_real(text, length);
    case SHOAL_TYPE_DATE:
        return is_date(text, length);
    default:
        return true;
    }
}

static bool all_are(const shoal_i_dictionary *d, const bool *is_missing,
                    bool (*is)(const char *text, size_t length))
{
    for (uint32_t index = 1; index <= d->count; index++) {
        size_t length;
        const char *text = shoal_i_dictionary_text(d, index, &length);

        if (!is_missing[index] && !is(text, length)) {
            return false;
        }
    }
    return true;
}

static bool has_values(const shoal_i_dictionary *d, const bool *is_missing)
{
    for (uint32_t index = 1; index <= d->count; index++) {
        if (!is_missing[index]) {
            return true;
        }
    }
    return false;
}

shoal_type shoal_i_value_type(const shoal_i_dictionary *dictionary, const bool *is_missing)
{
    if (!has_values(dictionary, is_missing)) {
        return SHOAL_TYPE_STRING;
    }
    if (all_are(dictionary, is_missing, is_plain_integer)) {
        return SHOAL_TYPE_INTEGER;
    }
    if (all_are(dictionary, is_missing, is_plain_real)) {
        return SHOAL_TYPE_REAL;
    }
    return all_are(dictionary, is_missing, is_date) ? SHOAL_TYPE_DATE : SHOAL_TYPE_STRING;
}

bool shoal_i_value_number(double *out, shoal_type type, const char *text, size_t length)
{
    int64_t whole;
    int32_t days;

    switch (type) {
    case SHOAL_TYPE_INTEGER:
        if (!shoal_i_text_to_int64(&whole, text, length) || !is_exact(whole)) {
            return false;
        }
        *out = (double)whole;
        return true;
    case SHOAL_TYPE_REAL:
        return shoal_i_text_to_double(out, text, length);
    case SHOAL_TYPE_DATE:
        if (!shoal_i_text_to_date(&days, text, length)) {
            return false;
        }
        *out = days;
        return true;
    default:
        return false;
    }
}

/* Whether the text is one of the words for infinity or NaN, in any case and with any sign. */
static bool is_word(const char *text, size_t length, const char *word)
{
    size_t at = skip_sign(text, length);

    return length - at == strlen(word) && strncasecmp(text + at, word, length - at) == 0;
}

const char *shoal_i_value_describe(shoal_type type, const char *text, size_t length)
{
    double number;

    if (is_word(text, length, "nan")) {
        return "the value is NaN, which is not a number; leave it out or list it as a missing "
               "token";
    }
    if (is_word(text, length, "inf") || is_word(text, length, "infinity")) {
        return "the value is infinite; only finite numbers can be ordered and averaged";
    }
    if (type == SHOAL_TYPE_INTEGER && is_whole(text, length)) {
        return "the number is beyond 2^53 and could not be kept exactly; read the column as "
               "string";
    }
    if (type == SHOAL_TYPE_INTEGER && shoal_i_text_to_double(&number, text, length)) {
        return "the value is a number with a fraction or an exponent; read the column as real";
    }
    if (type == SHOAL_TYPE_REAL && is_whole(text, length)) {
        return "the number is beyond 2^53 and could not be kept exactly";
    }
    return length == 0 ? "the value is empty" : "the value is something else";
}

/* What was expected, with how it is written. */
static void name_expected(char out[EXPECTED_MAX], shoal_type type,
                          const shoal_i_value_format *format)
{
    const char *what = type == SHOAL_TYPE_INTEGER ? "a whole number" : "a decimal number";
    char sign[2] = {format->thousands, '\0'};

    if (type == SHOAL_TYPE_DATE) {
        snprintf(out, EXPECTED_MAX, "a date written %s",
                 format->date ? format->date : "YYYY-MM-DD");
    } else {
        snprintf(out, EXPECTED_MAX, "%s%s%s%s%s", what,
                 format->decimal == ',' ? " with a decimal comma" : "",
                 format->thousands ? " and groups of thousands by " : "",
                 format->thousands == ' ' ? "spaces" : sign,
                 format->decimal == ',' && !format->thousands ? " and no other sign" : "");
    }
}

/* What came instead. What is a number or a date in the usual form only is told to be so. */
static const char *name_found(shoal_type type, const shoal_i_value_format *format,
                              const char *text, size_t length)
{
    double number;

    if (type == SHOAL_TYPE_DATE && format->date && length > 0) {
        return is_date(text, length) ? "the value is written YYYY-MM-DD"
                                     : "the value is written otherwise or is no day there is";
    }
    if (type != SHOAL_TYPE_DATE && !shoal_i_value_format_is_usual(format) &&
        shoal_i_text_to_double(&number, text, length)) {
        return "the value is a number with a decimal point";
    }
    return shoal_i_value_describe(type, text, length);
}

shoal_status shoal_i_value_fail(shoal_ctx *ctx, shoal_type type,
                                const shoal_i_value_format *format, const char *column,
                                int64_t record, int64_t field, const char *text, size_t length)
{
    char expected[EXPECTED_MAX];
    const char *found = name_found(type, format, text, length);

    name_expected(expected, type, format);

    if (ctx->show_values) {
        int shown = (int)(length < SHOWN_MAX ? length : SHOWN_MAX);

        return shoal_i_fail_at(ctx, SHOAL_EFORMAT, record, field,
                               "Column \"%s\" expects %s, but %s: \"%.*s\".", column, expected,
                               found, shown, text);
    }
    return shoal_i_fail_at(ctx, SHOAL_EFORMAT, record, field,
                           "Column \"%s\" expects %s, but %s.", column, expected, found);
}
