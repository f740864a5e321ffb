/* text.h -- small helpers over text: numbers in and out, the same in every locale; names that
 * look alike.
 */
#ifndef SHOAL_I_TEXT_H
#define SHOAL_I_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHOAL_I_NUMBER_MAX 32 /* longest text of a number, NUL included */

static inline bool shoal_i_text_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Decimal integer, optional sign, nothing else. False when it is not one or exceeds int64. */
bool shoal_i_text_to_int64(int64_t *out, const char *text, size_t length);

/* Decimal real: sign, digits, point, exponent. False on anything else; NaN, infinity,
 * hexadecimal and overflow included. Independent of the locale, correctly rounded; -0 becomes
 * 0. */
bool shoal_i_text_to_double(double *out, const char *text, size_t length);

/* Days since 1970-01-01 of a date YYYY-MM-DD (proleptic Gregorian, years 0001..9999). */
bool shoal_i_text_to_date(int32_t *days, const char *text, size_t length);

/* The inverses, NUL-terminated; return the length. The text of a double has the fewest digits
 * of 15, 16 and 17 that read back the same; whole numbers up to 2^53 carry no point. Finite
 * numbers only. */
size_t shoal_i_text_from_int64(char out[SHOAL_I_NUMBER_MAX], int64_t number);
size_t shoal_i_text_from_double(char out[SHOAL_I_NUMBER_MAX], double number);
/* Of 6 to 9 digits, as a float needs: 0.1, where its double has 0.10000000149011612. */
size_t shoal_i_text_from_float(char out[SHOAL_I_NUMBER_MAX], float number);
size_t shoal_i_text_from_date(char out[SHOAL_I_NUMBER_MAX], int32_t days);

/* Year, month 1..12, day 1..31 of a day number; and back, of a date that there is. */
void shoal_i_date_parts(int32_t days, int *year, int *month, int *day);
int32_t shoal_i_date_days(int year, int month, int day);

/* 0001-01-01 and 9999-12-31. */
#define SHOAL_I_DATE_FIRST (-719162)
#define SHOAL_I_DATE_LAST 2932896

/* Whether all of it is valid UTF-8; if not, *at is the offset of the first bad byte. Fast on
 * ASCII. */
bool shoal_i_text_is_utf8(size_t *at, const char *text, size_t length);

/* The candidate nearest to name by edit distance, for "did you mean"; NULL when none is near.
 */
const char *shoal_i_text_nearest(const char *name, const char *const *candidates, size_t count);

/* "a, b and c", cut off where capacity ends. */
void shoal_i_text_list(char *out, size_t capacity, const char *const *names, size_t count);

#endif /* SHOAL_I_TEXT_H */
