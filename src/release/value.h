/* value.h -- the text of one generalized value, both ways.
 *
 * Written:
 *
 *     number    24    [24..30]    * when the missing value is among them
 *     date      2020-01-01    [2020-01-01..2020-02-03]
 *     category  nurse    the label of a node, or {a|b} of the values below it
 *
 * Read, besides what is written, with spaces allowed around every part:
 *
 *     20..30   20-30   20 - 30   20–30   20~30   [20..30]   [20-30]   [20, 30]   [20; 30]
 *     (20, 30]   [20, 30)   ]20, 30]   [20, 30[      an open end: the bound is not included
 *     >=20   >20   <=30   <30   ≥20   ≤30   [20, inf)   (-inf, 30]
 *     {20|25}   {a|b}   {a, b}                       values, or labels of nodes
 *
 * In a set a backslash takes the meaning from the character behind it, and the element \N is
 * the missing value. A text in braces is read as a set before it is read as a label, and `*`
 * always means everything; the writer checks what it wrote by reading it, and takes to a set
 * where the plain text is understood otherwise. So every interval has a text that reads back
 * the same.
 */
#ifndef SHOAL_I_VALUE_H
#define SHOAL_I_VALUE_H

#include "../base/buffer.h"
#include "../box/quasi.h"
#include "release.h"

/* Drop spaces and tabs at both ends. */
static inline void shoal_i_value_trim(const char **text, size_t *length)
{
    while (*length > 0 && (**text == ' ' || **text == '\t')) {
        ++*text;
        --*length;
    }
    while (*length > 0 && ((*text)[*length - 1] == ' ' || (*text)[*length - 1] == '\t')) {
        --*length;
    }
}

/* --- Ranges of numbers. */

/* All numbers from lo to hi; an open end is not included. Dates are day numbers. */
typedef struct shoal_i_range {
    double lo;
    double hi;
    bool is_lo_open;
    bool is_hi_open;
} shoal_i_range;

/* One number or date, spaces around it allowed. */
bool shoal_i_range_read_number(double *out, shoal_type type, const char *text, size_t length);

/* A number or one of the ranges above. lo may exceed hi. */
bool shoal_i_range_read(shoal_i_range *out, shoal_type type, const char *text, size_t length);

/* --- Values of a quasi column. */

/* The missing value where its token would be taken for something else. */
#define SHOAL_I_VALUE_MISSING "{\\N}"

typedef enum shoal_i_value_result {
    SHOAL_I_VALUE_UNKNOWN, /* the text means nothing here */
    SHOAL_I_VALUE_NONE,    /* it means a range that holds no value of the original */
    SHOAL_I_VALUE_OFF,     /* it means a range that does not end on the grid of the column */
    SHOAL_I_VALUE_FOUND
} shoal_i_value_result;

/* The closed interval that a text of quasi column c means. *out is set when *result is FOUND.
 * SHOAL_ENOMEM. */
shoal_status shoal_i_value_read(shoal_ctx *ctx, shoal_i_value_result *result,
                                shoal_i_interval *out, const shoal_i_quasi *quasi, size_t c,
                                const char *text, size_t length);

/* What the text of an interval of quasi column c, categories by their labels, means in that
 * column of another table; lo > hi: nothing. SHOAL_ENOMEM. */
shoal_status shoal_i_value_read_in(shoal_ctx *ctx, shoal_i_interval *out,
                                   const shoal_i_quasi *quasi, size_t c,
                                   shoal_i_interval interval, const shoal_i_quasi *other);

/* The interval of a pair of cells NAME_min and NAME_max. */
shoal_i_value_result shoal_i_value_read_bounds(shoal_i_interval *out,
                                               const shoal_i_quasi *quasi, size_t c,
                                               const char *min, size_t min_length,
                                               const char *max, size_t max_length);

/* Append the text of a closed interval of quasi column c. Failures stay in the buffer. */
void shoal_i_value_write(shoal_i_buffer *out, const shoal_i_quasi *quasi, size_t c,
                         shoal_i_interval interval, shoal_i_categorical_form form);

/* Append an end of a range, or of a pair of cells NAME_min and NAME_max, of a quasi column of
 * numbers or dates. */
void shoal_i_value_write_end(shoal_i_buffer *out, const shoal_i_quasi *quasi, size_t c,
                             double end);

/* The number that stands for "missing" in the dictionary of quasi column c. */
uint32_t shoal_i_value_missing_entry(const shoal_i_quasi *quasi, size_t c);

/* Whether quasi column c has a missing value among its codes. */
bool shoal_i_value_has_missing(const shoal_i_quasi *quasi, size_t c);

#endif /* SHOAL_I_VALUE_H */
