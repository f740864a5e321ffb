/* coverings.h -- ways to put the values of a column into parts, so that whatever can be
 * published of it lies in a part that loses no more.
 *
 * A box that is published is an interval per column. Of a categorical column that is the
 * node of a hierarchy, so its levels are the coverings, and parts are nodes. Of numbers there
 * are far too many intervals; here windows stand in for them. Lengths are put into classes, and
 * an interval of a class lies in one of some overlapping windows, which loses as much as the
 * shortest interval of the class:
 *
 *     values        17  18  19  20  21  22  23  24  25          lengths 3 and 4, loss 3
 *     first window  [-----------------------)                   every interval of these lengths
 *     next          .       [-----------------------)           that starts at 17 or 18
 *     next          .               [------------...            is in the first, and so on
 *
 * Windows that do not overlap make one covering, so each covering parts the values, and a
 * choice of one covering per column parts the points into cells:
 *
 *     every class of every release lies in a cell that loses no more than its box.
 *
 * That is all that a bound needs to know (cell_hunt.h). A window holds more than the intervals
 * it stands for and loses less, so finer windows prove more and take longer.
 */
#ifndef SHOAL_I_COVERINGS_H
#define SHOAL_I_COVERINGS_H

#include "../box/distinct.h"

/* Some values in parts. */
typedef struct shoal_i_covering {
    uint32_t part_count;
    uint32_t *part_of; /* by value; SHOAL_I_NO_PART: in none */
    /* by part: no interval that it stands for loses less; SHOAL_I_NO_LOSS: it stands for none,
     * since a finer covering has a part with the same values */
    int32_t *losses;
    int32_t least; /* of these */
} shoal_i_covering;

#define SHOAL_I_NO_PART UINT32_MAX
#define SHOAL_I_NO_LOSS INT32_MAX

typedef struct shoal_i_covered_column {
    size_t value_count;
    uint32_t *values; /* of each point: the number of its value */
    /* Of numbers, by value: an interval from one to another is no shorter than
     * lows[other] - highs[one]; else NULL. */
    int32_t *lows;
    int32_t *highs;
    size_t count;
    size_t capacity;
    shoal_i_covering *coverings; /* finest first */
} shoal_i_covered_column;

typedef struct shoal_i_coverings {
    const shoal_i_distinct *points;
    size_t column_count;
    shoal_i_covered_column *columns;
    bool are_complete; /* whether whatever can be published lies in a part */
    bool have_windows; /* whether some column is of numbers */
} shoal_i_coverings;

/* How fine windows are. */
typedef struct shoal_i_fineness {
    double growth;  /* the longest length of a class in parts of the shortest */
    double overlap; /* a window is longer than its intervals by one part in so many */
} shoal_i_fineness;

shoal_status shoal_i_coverings_build(shoal_ctx *ctx, shoal_i_coverings **out,
                                     const shoal_i_distinct *points, shoal_i_fineness fineness);
void shoal_i_coverings_free(shoal_i_coverings *coverings);

#endif /* SHOAL_I_COVERINGS_H */
