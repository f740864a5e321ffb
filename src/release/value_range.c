#include "value.h"

#include "../base/text.h"

#include <math.h>

#define DATE_LENGTH 10

/* What is left of a text. */
typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

static void skip_spaces(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t')) {
        c->at++;
    }
}

/* Take a token if it comes next. */
static bool take(cursor *c, const char *token)
{
    size_t length = strlen(token);

    if ((size_t)(c->end - c->at) < length || memcmp(c->at, token, length) != 0) {
        return false;
    }
    c->at += length;
    return true;
}

static bool has_digit_at(const cursor *c, const char *at)
{
    return at < c->end && shoal_i_text_is_digit(*at);
}

static const char *skip_digits(const cursor *c, const char *at)
{
    while (has_digit_at(c, at)) {
        at++;
    }
    return at;
}

/* Where the number at the cursor ends. A point belongs to it only before a digit or at the end,
 * so that the number of "5..7" is 5; the e of an exponent only before a digit. */
static const char *find_number_end(const cursor *c)
{
    const char *at = c->at;

    if (at < c->end && (*at == '-' || *at == '+')) {
        at++;
    }
    at = skip_digits(c, at);
    if (at < c->end && *at == '.' && (at + 1 == c->end || has_digit_at(c, at + 1))) {
        at = skip_digits(c, at + 1);
    }
    if (at > c->at && at < c->end && (*at == 'e' || *at == 'E')) {
        const char *exponent = at + 1;

        if (exponent < c->end && (*exponent == '-' || *exponent == '+')) {
            exponent++;
        }
        at = has_digit_at(c, exponent) ? skip_digits(c, exponent) : at;
    }
    return at;
}

static bool read_plain(double *out, shoal_type type, const char *text, size_t length)
{
    int32_t days = 0;

    if (type != SHOAL_TYPE_DATE) {
        return shoal_i_text_to_double(out, text, length);
    }
    if (!shoal_i_text_to_date(&days, text, length)) {
        return false;
    }
    *out = days;
    return true;
}

static bool take_number(double *out, cursor *c, shoal_type type)
{
    const char *end = find_number_end(c);

    if (type == SHOAL_TYPE_DATE) {
        end = c->end - c->at < DATE_LENGTH ? c->end : c->at + DATE_LENGTH;
    }
    if (!read_plain(out, type, c->at, (size_t)(end - c->at))) {
        return false;
    }
    c->at = end;
    return true;
}

/* A number or an infinity with a sign of its own. */
static bool take_bound(double *out, cursor *c, shoal_type type)
{
    cursor start = *c;
    bool is_negative = take(c, "-");

    if (!is_negative) {
        take(c, "+");
    }
    if (take(c, "inf") || take(c, "Inf") || take(c, "\xE2\x88\x9E")) {
        *out = is_negative ? -INFINITY : INFINITY;
        return true;
    }
    *c = start;
    return take_number(out, c, type);
}

static bool take_separator(cursor *c, bool is_bracketed)
{
    static const char *const separators[] = {
        "..", "-", "~", "\xE2\x80\x93" /* en dash */, "\xE2\x80\x94" /* em dash */, ",", ";"};
    /* The last two are too ambiguous outside brackets: a decimal comma, a list. */
    size_t count = sizeof separators / sizeof *separators - (is_bracketed ? 0 : 2);

    skip_spaces(c);
    for (size_t i = 0; i < count; i++) {
        if (take(c, separators[i])) {
            skip_spaces(c);
            return true;
        }
    }
    return false;
}

/* bound separator bound, the rest of the text. */
static bool read_pair(shoal_i_range *range, cursor *c, shoal_type type, bool is_bracketed)
{
    skip_spaces(c);
    if (!take_bound(&range->lo, c, type) || !take_separator(c, is_bracketed) ||
        !take_bound(&range->hi, c, type)) {
        return false;
    }
    skip_spaces(c);
    return c->at == c->end;
}

/* [a, b] and its open forms; the text is known to start with a bracket. */
static bool read_bracketed(shoal_i_range *range, cursor *c, shoal_type type)
{
    char first = *c->at;
    char last = c->end[-1];

    if (c->end - c->at < 2 || (last != ']' && last != ')' && last != '[')) {
        return false;
    }
    range->is_lo_open = first != '[';
    range->is_hi_open = last != ']';
    c->at++;
    c->end--;
    return read_pair(range, c, type, true);
}

/* >=20 and the like; the text is known not to be anything else. */
static bool read_comparison(shoal_i_range *range, cursor *c, shoal_type type)
{
    double bound = 0;
    bool is_least = take(c, ">=") || take(c, "\xE2\x89\xA5");
    bool is_most = !is_least && (take(c, "<=") || take(c, "\xE2\x89\xA4"));
    bool is_above = !is_least && !is_most && take(c, ">");
    bool is_below = !is_least && !is_most && !is_above && take(c, "<");

    if (!is_least && !is_most && !is_above && !is_below) {
        return false;
    }
    skip_spaces(c);
    if (!take_number(&bound, c, type) || c->at != c->end) {
        return false;
    }
    *range = (shoal_i_range){
        .lo = is_least || is_above ? bound : -INFINITY,
        .hi = is_most || is_below ? bound : INFINITY,
        .is_lo_open = is_above,
        .is_hi_open = is_below,
    };
    return true;
}

static cursor start_cursor(const char *text, size_t length)
{
    shoal_i_value_trim(&text, &length);
    return (cursor){text, text + length};
}

bool shoal_i_range_read_number(double *out, shoal_type type, const char *text, size_t length)
{
    cursor c = start_cursor(text, length);

    return read_plain(out, type, c.at, (size_t)(c.end - c.at));
}

bool shoal_i_range_read(shoal_i_range *out, shoal_type type, const char *text, size_t length)
{
    cursor c = start_cursor(text, length);

    *out = (shoal_i_range){0};
    if (c.at == c.end) {
        return false;
    }
    if (shoal_i_range_read_number(&out->lo, type, text, length)) {
        out->hi = out->lo;
        return true;
    }
    if (*c.at == '[' || *c.at == '(' || *c.at == ']') {
        return read_bracketed(out, &c, type);
    }
    return read_comparison(out, &c, type) || read_pair(out, &c, type, false);
}
