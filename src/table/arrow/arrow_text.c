#include "arrow_text.h"

#include "../../base/text.h"

#include <stdio.h>
#include <string.h>

#define SECONDS_PER_DAY 86400
#define DAY_FIRST (-719162) /* 0001-01-01 */
#define DAY_LAST 2932896    /* 9999-12-31 */

/* --- Decimals: numbers of 256 bits, by halves of words so that products fit in 64 bits. --- */

#define HALVES (2 * SHOAL_I_ARROW_WORDS)

shoal_i_decimal shoal_i_decimal_load(const void *data, unsigned width)
{
    shoal_i_decimal d = {{0}};
    int32_t half;

    if (width == 4) {
        memcpy(&half, data, sizeof half);
        d.words[0] = (uint64_t)(int64_t)half;
        width = 8;
    } else {
        memcpy(d.words, data, width);
    }
    uint64_t sign = d.words[width / 8 - 1] >> 63 ? UINT64_MAX : 0;

    for (unsigned w = width / 8; w < SHOAL_I_ARROW_WORDS; w++) {
        d.words[w] = sign;
    }
    return d;
}

void shoal_i_decimal_store(void *data, unsigned width, const shoal_i_decimal *decimal)
{
    uint32_t half = (uint32_t)decimal->words[0];

    if (width == 4) {
        memcpy(data, &half, sizeof half);
    } else {
        memcpy(data, decimal->words, width);
    }
}

static bool is_negative(const shoal_i_decimal *d)
{
    return d->words[SHOAL_I_ARROW_WORDS - 1] >> 63;
}

static shoal_i_decimal negate(const shoal_i_decimal *d)
{
    shoal_i_decimal out;
    uint64_t carry = 1;

    for (unsigned w = 0; w < SHOAL_I_ARROW_WORDS; w++) {
        out.words[w] = ~d->words[w] + carry;
        carry = carry && out.words[w] == 0;
    }
    return out;
}

static uint32_t get_half(const shoal_i_decimal *d, unsigned i)
{
    return (uint32_t)(d->words[i / 2] >> (i % 2 * 32));
}

static void set_half(shoal_i_decimal *d, unsigned i, uint32_t half)
{
    d->words[i / 2] &= (uint64_t)UINT32_MAX << ((i + 1) % 2 * 32);
    d->words[i / 2] |= (uint64_t)half << (i % 2 * 32);
}

/* Divide by ten; the remainder. */
static unsigned divide_by_ten(shoal_i_decimal *d)
{
    uint64_t rest = 0;

    for (unsigned i = HALVES; i-- > 0;) {
        rest = rest << 32 | get_half(d, i);
        set_half(d, i, (uint32_t)(rest / 10));
        rest %= 10;
    }
    return (unsigned)rest;
}

/* d = 10 d + digit; false when that needs more than 256 bits. */
static bool append_digit(shoal_i_decimal *d, unsigned digit)
{
    uint64_t carry = digit;

    for (unsigned i = 0; i < HALVES; i++) {
        carry += (uint64_t)get_half(d, i) * 10;
        set_half(d, i, (uint32_t)carry);
        carry >>= 32;
    }
    return carry == 0;
}

static bool is_zero(const shoal_i_decimal *d)
{
    return (d->words[0] | d->words[1] | d->words[2] | d->words[3]) == 0;
}

/* Digits of |d|, the last one first; how many, none for 0. */
static size_t list_digits(char out[SHOAL_I_ARROW_TEXT_MAX], const shoal_i_decimal *d)
{
    shoal_i_decimal rest = is_negative(d) ? negate(d) : *d;
    size_t count = 0;

    while (!is_zero(&rest)) {
        out[count++] = (char)('0' + divide_by_ten(&rest));
    }
    return count;
}

size_t shoal_i_decimal_text(char out[SHOAL_I_ARROW_TEXT_MAX], int *significant,
                            const shoal_i_decimal *decimal, int scale)
{
    char digits[SHOAL_I_ARROW_TEXT_MAX];
    size_t count = list_digits(digits, decimal);
    size_t behind = scale > 0 ? (size_t)scale : 0;
    size_t zeros = 0;
    size_t length = 0;

    while (zeros < count && digits[zeros] == '0') {
        zeros++;
    }
    *significant = (int)(count - zeros);
    while (count <= behind) {
        digits[count++] = '0';
    }
    if (is_negative(decimal)) {
        out[length++] = '-';
    }
    for (size_t i = count; i-- > 0;) {
        out[length++] = digits[i];
        if (i == behind && behind > 0) {
            out[length++] = '.';
        }
    }
    for (int i = scale; i < 0 && *significant > 0; i++) {
        out[length++] = '0';
    }
    out[length] = '\0';
    return length;
}

/* Whether a number of 256 bits keeps its value in fewer bytes. */
static bool fits(const shoal_i_decimal *d, unsigned width)
{
    unsigned char bytes[SHOAL_I_ARROW_WIDTH_MAX];

    shoal_i_decimal_store(bytes, width, d);
    shoal_i_decimal back = shoal_i_decimal_load(bytes, width);

    return memcmp(&back, d, sizeof back) == 0;
}

/* Append the digits of a text and, if the scale asks for more, zeros; `shift` is how many
 * digits behind the point are still to come. */
static bool read_digits(shoal_i_decimal *d, const char *text, size_t length, int scale)
{
    bool is_behind = false;
    int shift = scale;
    size_t count = 0;

    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.' && !is_behind) {
            is_behind = true;
        } else if (!shoal_i_text_is_digit(text[i])) {
            return false;
        } else if (!is_behind || shift > 0) {
            shift -= is_behind;
            count++;
            if (!append_digit(d, (unsigned)(text[i] - '0'))) {
                return false;
            }
        } else if (text[i] != '0') {
            return false;
        }
    }
    for (; shift > 0; shift--) {
        if (!append_digit(d, 0)) {
            return false;
        }
    }
    for (; shift < 0; shift++) {
        if (divide_by_ten(d) != 0) {
            return false;
        }
    }
    return count > 0 && !is_negative(d);
}

bool shoal_i_decimal_parse(shoal_i_decimal *out, const char *text, size_t length, int scale,
                           unsigned width)
{
    bool has_sign = length > 0 && text[0] == '-';

    *out = (shoal_i_decimal){{0}};
    if (!read_digits(out, text + has_sign, length - has_sign, scale)) {
        return false;
    }
    if (has_sign) {
        *out = negate(out);
    }
    return fits(out, width);
}

/* --- Instants. --- */

int64_t shoal_i_instant_days(int64_t *rest, int64_t instant, const shoal_i_arrow_type *type)
{
    int64_t days = instant / type->per_day;

    *rest = instant % type->per_day;
    if (*rest < 0) {
        *rest += type->per_day;
        days--;
    }
    return days;
}

bool shoal_i_instant_has_text(int64_t instant, const shoal_i_arrow_type *type)
{
    int64_t rest;
    int64_t days = shoal_i_instant_days(&rest, instant, type);

    return days >= DAY_FIRST && days <= DAY_LAST;
}

static int64_t per_second(const shoal_i_arrow_type *type)
{
    return type->per_day / SECONDS_PER_DAY;
}

int shoal_i_instant_digits(int64_t instant, const shoal_i_arrow_type *type)
{
    int64_t fraction = instant % per_second(type);
    int digits = fraction ? type->digits : 0;

    for (; digits > 0 && fraction % 1000 == 0; fraction /= 1000) {
        digits -= 3;
    }
    return digits;
}

size_t shoal_i_instant_text(char out[SHOAL_I_ARROW_TEXT_MAX], int64_t instant,
                            const shoal_i_arrow_type *type, int digits)
{
    int64_t rest;
    int64_t days = shoal_i_instant_days(&rest, instant, type);
    int64_t fraction = rest % per_second(type);
    int seconds = (int)(rest / per_second(type));
    size_t length = shoal_i_text_from_date(out, (int32_t)days);

    for (int i = digits; i < type->digits; i++) {
        fraction /= 10;
    }
    length += (size_t)snprintf(out + length, SHOAL_I_ARROW_TEXT_MAX - length, "T%02d:%02d:%02d",
                               seconds / 3600, seconds / 60 % 60, seconds % 60);
    if (digits > 0) {
        length += (size_t)snprintf(out + length, SHOAL_I_ARROW_TEXT_MAX - length, ".%0*lld",
                                   digits, (long long)fraction);
    }
    if (type->has_zone) {
        out[length++] = 'Z';
    }
    out[length] = '\0';
    return length;
}

static bool read_two(int64_t *out, const char *text, int most)
{
    if (!shoal_i_text_is_digit(text[0]) || !shoal_i_text_is_digit(text[1])) {
        return false;
    }
    *out = (text[0] - '0') * 10 + (text[1] - '0');
    return *out <= most;
}

/* ".123456" in units of the type. */
static bool read_fraction(int64_t *out, const char *text, size_t length, int digits)
{
    *out = 0;
    if (length == 0) {
        return true;
    }
    if (text[0] != '.' || length == 1) {
        return false;
    }
    for (size_t i = 1; i < length || i <= (size_t)digits; i++) {
        char digit = i < length ? text[i] : '0';

        if (!shoal_i_text_is_digit(digit) || (i > (size_t)digits && digit != '0')) {
            return false;
        }
        *out = i <= (size_t)digits ? *out * 10 + (digit - '0') : *out;
    }
    return true;
}

bool shoal_i_instant_parse(int64_t *out, const char *text, size_t length,
                           const shoal_i_arrow_type *type)
{
    int32_t days;
    int64_t hours = 0;
    int64_t minutes = 0;
    int64_t seconds = 0;
    int64_t fraction = 0;

    if (length < 10 || !shoal_i_text_to_date(&days, text, 10)) {
        return false;
    }
    if (length > 10) {
        length -= type->has_zone;
        if (length < 19 || text[10] != 'T' || text[13] != ':' || text[16] != ':' ||
            !read_two(&hours, text + 11, 23) || !read_two(&minutes, text + 14, 59) ||
            !read_two(&seconds, text + 17, 59) || (type->has_zone && text[length] != 'Z') ||
            !read_fraction(&fraction, text + 19, length - 19, type->digits)) {
            return false;
        }
    }
    int64_t second = (int64_t)days * SECONDS_PER_DAY + (hours * 60 + minutes) * 60 + seconds;
    int64_t scaled = 0;

    /* Towards 0, so that the smallest instant does not overflow on the way to it. */
    if (second < 0 && fraction > 0) {
        second++;
        fraction -= per_second(type);
    }
    return !__builtin_mul_overflow(second, per_second(type), &scaled) &&
           !__builtin_add_overflow(scaled, fraction, out);
}

/* --- Whole numbers without a sign. --- */

bool shoal_i_unsigned_parse(uint64_t *out, const char *text, size_t length)
{
    *out = 0;
    for (size_t i = 0; i < length; i++) {
        if (!shoal_i_text_is_digit(text[i]) || __builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, (uint64_t)(text[i] - '0'), out)) {
            return false;
        }
    }
    return length > 0;
}

size_t shoal_i_unsigned_text(char out[SHOAL_I_ARROW_TEXT_MAX], uint64_t number)
{
    return (size_t)snprintf(out, SHOAL_I_ARROW_TEXT_MAX, "%llu", (unsigned long long)number);
}
