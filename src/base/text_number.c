#include "text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool shoal_i_text_to_int64(int64_t *out, const char *text, size_t length)
{
    bool is_negative = length > 0 && text[0] == '-';
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    uint64_t limit = (uint64_t)INT64_MAX + (is_negative ? 1 : 0);
    uint64_t number = 0;

    if (at == length) {
        return false;
    }
    for (; at < length; at++) {
        if (!shoal_i_text_is_digit(text[at])) {
            return false;
        }
        uint64_t digit = (uint64_t)(text[at] - '0');

        if (number > (limit - digit) / 10) {
            return false;
        }
        number = number * 10 + digit;
    }
    /* Negated as unsigned, since -INT64_MIN does not exist. */
    *out = (int64_t)(is_negative ? 0 - number : number);
    return true;
}

size_t shoal_i_text_from_int64(char out[SHOAL_I_NUMBER_MAX], int64_t number)
{
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    char digits[SHOAL_I_NUMBER_MAX];
    size_t at = sizeof digits;

    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0) {
        digits[--at] = '-';
    }
    size_t length = sizeof digits - at;

    memcpy(out, digits + at, length);
    out[length] = '\0';
    return length;
}

/* --- Reals. ------------------------------------------------------------------------------- */

/* 767 digits tell any two neighbouring doubles apart from the point half way between them;
 * of further digits it only matters whether one of them is not 0. */
#define DIGITS_MAX 768

/* A decimal number taken apart: 0.d1d2d3... times 10 to the power of `point`. */
typedef struct decimal {
    bool is_negative;
    size_t count;
    int64_t point;
    char
        digits[DIGITS_MAX + 1]; /* no leading zeros; the last stands for all that did not fit */
} decimal;

static void add_digit(decimal *d, char digit)
{
    if (d->count < DIGITS_MAX) {
        d->digits[d->count++] = digit;
    } else if (digit != '0') {
        d->digits[DIGITS_MAX] = '1';
    }
}

/* Digits of one side of the point; how many. */
static size_t scan_digits(decimal *d, const char *text, size_t length, bool is_fraction)
{
    size_t at = 0;

    for (; at < length && shoal_i_text_is_digit(text[at]); at++) {
        bool is_leading_zero = d->count == 0 && text[at] == '0';

        if (!is_leading_zero) {
            add_digit(d, text[at]);
        }
        if (is_leading_zero == is_fraction) {
            d->point += is_fraction ? -1 : 1;
        }
    }
    return at;
}

/* e, sign, digits, up to the end of the text. A value far outside the range of doubles
 * saturates. */
static bool scan_exponent(int64_t *out, const char *text, size_t length)
{
    const int64_t most = INT64_MAX / 4;
    bool is_negative = length > 1 && text[1] == '-';
    size_t at = length > 1 && (text[1] == '-' || text[1] == '+') ? 2 : 1;
    int64_t exponent = 0;

    if (at >= length) {
        return false;
    }
    for (; at < length; at++) {
        if (!shoal_i_text_is_digit(text[at])) {
            return false;
        }
        exponent = exponent < most / 10 ? exponent * 10 + (text[at] - '0') : most;
    }
    *out = is_negative ? -exponent : exponent;
    return true;
}

static bool scan_decimal(decimal *d, const char *text, size_t length)
{
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    size_t digit_count;
    int64_t exponent = 0;

    d->is_negative = length > 0 && text[0] == '-';
    d->count = 0;
    d->point = 0;
    d->digits[DIGITS_MAX] = '0';
    digit_count = scan_digits(d, text + at, length - at, false);
    at += digit_count;
    if (at < length && text[at] == '.') {
        size_t fraction = scan_digits(d, text + at + 1, length - at - 1, true);

        digit_count += fraction;
        at += fraction + 1;
    }
    if (digit_count == 0) {
        return false;
    }
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        if (!scan_exponent(&exponent, text + at, length - at)) {
            return false;
        }
        at = length;
    }
    d->point += exponent;
    return at == length;
}

/* Numbers of up to 15 digits and a small power of ten: both are exact as doubles, so one
 * operation rounds once, hence correctly (Clinger, "How to read floating point numbers
 * accurately", PLDI 1990, doi:10.1145/93542.93557). */
static bool convert_small(double *out, const decimal *d)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int64_t power = d->point - (int64_t)d->count;
    uint64_t number = 0;

    if (FLT_EVAL_METHOD != 0 || d->count > 15 || power < -22 || power > 22) {
        return false;
    }
    for (size_t i = 0; i < d->count; i++) {
        number = number * 10 + (uint64_t)(d->digits[i] - '0');
    }
    *out = power < 0 ? (double)number / powers[-power] : (double)number * powers[power];
    return true;
}

/* By strtod, which rounds correctly. The number is handed over as "digits e exponent", without
 * a point: the point is the only thing about a number that depends on the locale. */
static bool convert_any(double *out, const decimal *d)
{
    char text[DIGITS_MAX + SHOAL_I_NUMBER_MAX];
    size_t count = d->count;
    int64_t power = d->point - (int64_t)count;

    memcpy(text, d->digits, count);
    if (count == DIGITS_MAX) {
        text[count++] = d->digits[DIGITS_MAX];
        power--;
    }
    /* Beyond this the result is 0 or infinite whatever the digits are. */
    power = power < -9999 ? -9999 : power > 9999 ? 9999 : power;
    snprintf(text + count, sizeof text - count, "e%d", (int)power);
    *out = strtod(text, NULL);
    return isfinite(*out);
}

bool shoal_i_text_to_double(double *out, const char *text, size_t length)
{
    decimal d;
    double number = 0;

    if (!scan_decimal(&d, text, length)) {
        return false;
    }
    /* Zero has no digits left, and no sign: -0 and 0 are one value. */
    if (d.count > 0 && !convert_small(&number, &d) && !convert_any(&number, &d)) {
        return false;
    }
    *out = d.is_negative && number > 0 ? -number : number;
    return true;
}

/* Copy what printf wrote, with a plain point: the locale may have another, even of several
 * bytes. */
static size_t copy_with_point(char out[SHOAL_I_NUMBER_MAX], const char *text)
{
    size_t length = 0;
    bool is_inside = false;

    for (; *text && length < SHOAL_I_NUMBER_MAX - 1; text++) {
        bool is_point = !shoal_i_text_is_digit(*text) && !strchr("+-e", *text);

        if (!is_point) {
            out[length++] = *text;
        } else if (!is_inside) {
            out[length++] = '.';
        }
        is_inside = is_point;
    }
    out[length] = '\0';
    return length;
}

size_t shoal_i_text_from_double(char out[SHOAL_I_NUMBER_MAX], double number)
{
    char text[2 * SHOAL_I_NUMBER_MAX];
    size_t length = 0;
    double back = 0;

    if (fabs(number) <= 0x1p53 && floor(number) == number) {
        return shoal_i_text_from_int64(out, (int64_t)number);
    }
    /* Below DBL_MIN numbers hold fewer than 15 digits; elsewhere %g drops the zeros behind. */
    int precision = fabs(number) < DBL_MIN ? 1 : DBL_DIG;

    for (; precision <= DBL_DECIMAL_DIG; precision++) {
        snprintf(text, sizeof text, "%.*g", precision, number);
        length = copy_with_point(out, text);
        if (shoal_i_text_to_double(&back, out, length) && back == number) {
            break;
        }
    }
    return length;
}

size_t shoal_i_text_from_float(char out[SHOAL_I_NUMBER_MAX], float number)
{
    char text[2 * SHOAL_I_NUMBER_MAX];
    size_t length = 0;
    double back = 0;

    if (fabsf(number) <= 0x1p53f && floorf(number) == number) {
        return shoal_i_text_from_int64(out, (int64_t)number);
    }
    int precision = fabsf(number) < FLT_MIN ? 1 : FLT_DIG;

    for (; precision <= FLT_DECIMAL_DIG; precision++) {
        snprintf(text, sizeof text, "%.*g", precision, (double)number);
        length = copy_with_point(out, text);
        if (shoal_i_text_to_double(&back, out, length) && (float)back == number) {
            break;
        }
    }
    return length;
}
