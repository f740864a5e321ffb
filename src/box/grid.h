/* grid.h -- where ranges may end: a step, and the multiples of it on both sides of a value.
 *
 * The smallest range that covers a class ends at values of its records. With a grid its ends
 * are rounded outward to multiples of a step, and no longer tell them:
 *
 *     grid 5       19 .. 26        [15..30]
 *                 -7              [-10..-5]
 *                  20              20          a multiple is a range of its own
 *     1 month      1980-03-17      [1980-03-01..1980-04-01]
 *
 * A step of numbers is a decimal fraction, and so are its multiples: 3 steps of 0.1 are the
 * number that is written 0.3, whatever 3 * 0.1 is in binary. Of dates:
 *
 *     a number, days   days counted from 1970-01-01
 *     weeks            Mondays, counted from 1970-01-05
 *     months, years    first days of months, counted from year 0: 3 months are quarters, and
 *                      10 years begin in 1980, 1990, ...
 *
 * Where the next multiple would be no date any more, the first or last one stands for it.
 */
#ifndef SHOAL_I_GRID_H
#define SHOAL_I_GRID_H

#include <shoal/ctx.h>

#include "../base/buffer.h"

typedef enum shoal_i_grid_unit {
    SHOAL_I_GRID_UNSET, /* nothing was said */
    SHOAL_I_GRID_OFF,   /* "none": ends are values, whatever is said for all columns */
    SHOAL_I_GRID_NUMBER,
    SHOAL_I_GRID_DAYS,
    SHOAL_I_GRID_WEEKS,
    SHOAL_I_GRID_MONTHS,
    SHOAL_I_GRID_YEARS
} shoal_i_grid_unit;

/* The step is count / 10^decimals units. */
typedef struct shoal_i_grid {
    shoal_i_grid_unit unit;
    int decimals; /* 0 for all but numbers */
    int64_t count;
} shoal_i_grid;

/* What a text must be; for messages and help. */
#define SHOAL_I_GRID_RANGE                                                                     \
    "a number above 0 with at most 15 digits, such as 5 or 0.1, or of dates a number of "      \
    "days, "                                                                                   \
    "weeks, months or years, such as 1 month, or none"

/* Read a step: "5", "0.1", "2 weeks", "1 month", "none". False: it is none of these. */
bool shoal_i_grid_read(shoal_i_grid *out, const char *text);

/* Append the text of a step, which reads back the same. */
void shoal_i_grid_put(shoal_i_buffer *out, const shoal_i_grid *grid);

static inline bool shoal_i_grid_is_set(const shoal_i_grid *grid)
{
    return grid->unit > SHOAL_I_GRID_OFF;
}

static inline bool shoal_i_grid_is_same(const shoal_i_grid *a, const shoal_i_grid *b)
{
    return a->unit == b->unit && a->count == b->count && a->decimals == b->decimals;
}

/* Whether the step can be one of dates, or of other numbers. */
bool shoal_i_grid_fits(const shoal_i_grid *grid, bool is_date);

/* The multiples below and above a value; both are the value where it is one itself. Dates are
 * day numbers. The grid is set and fits. False: out there multiples are no exact numbers any
 * more, which are those up to 2^53 of the last digit of the step. */
bool shoal_i_grid_cell(const shoal_i_grid *grid, bool is_date, double value, double *lower,
                       double *upper);

/* Whether a range may end there. */
bool shoal_i_grid_is_end(const shoal_i_grid *grid, bool is_date, double value);

#endif /* SHOAL_I_GRID_H */
