/* quasi.h -- the quasi-identifier of a table, coded so that every generalization is an
 * interval.
 *
 * Each quasi column numbers its values 0..value_count-1: numeric values in ascending order,
 * categorical ones in depth-first order of their hierarchy. These numbers are called codes of
 * the quasi column; for a categorical column they are the leaf numbers of its hierarchy, and
 * `code_of_entry` leads from the table's dictionary to them. A generalized value is an interval
 * [lo, hi] of codes; a record or a group is a box, one interval per column.
 *
 * A missing value that is kept is a value of its own. In a categorical column it is a leaf. In
 * a numeric column it is the last code; an interval that reaches it and does not start there
 * loses everything (loss 1) and is released as "*".
 *
 * A numeric column may have a grid (grid.h). Then a range is published with the multiples of
 * its step on both sides, covers all values between them, and loses what is published:
 *
 *     grid 5       values 19 20 21 25 26      codes 0 1 2 3 4
 *     [2, 2]       21             published [20..25], which covers 20 and 25: close is [1, 3]
 *     [1, 1]       20             published 20: close is [1, 1]
 *
 * A closed interval and the ends it is published with tell each other, so equal texts are equal
 * intervals, as without a grid.
 *
 * Immutable once built; refers to the table and the hierarchies, which must live as long.
 */
#ifndef SHOAL_I_QUASI_H
#define SHOAL_I_QUASI_H

#include <shoal/hierarchy.h>

#include "../table/table_codes.h"
#include "grid.h"

typedef struct shoal_i_interval {
    uint32_t lo;
    uint32_t hi;
} shoal_i_interval;

typedef struct shoal_i_quasi_column {
    size_t column;                    /* of the table */
    const char *name;                 /* borrowed from the table */
    double weight;                    /* at least 0 */
    const shoal_hierarchy *hierarchy; /* NULL: numeric, an interval of values */
    uint32_t value_count;             /* codes; a kept missing value included */
    bool has_missing;                 /* numeric: the last code is the missing value */
    double *values;    /* numeric: value of each code but missing, ascending; owned */
    double range;      /* numeric: largest minus smallest value */
    shoal_i_grid grid; /* numeric: of the ends of ranges; not set: they are values */
    double *lower;     /* numeric: what a range is published to start with, by its first
                          code, missing left out; without a grid `values` */
    double *upper;     /* the same of ends */
    double span;       /* numeric: the range, or from lower to upper end if that is more */
    shoal_i_interval *cells; /* with a grid: the codes that a range of one code covers; owned */
    shoal_i_codes entries;   /* the dictionary code of each record */
    uint32_t *code_of_entry; /* dictionary code -> code, value_count entries; owned */
} shoal_i_quasi_column;

typedef struct shoal_i_quasi {
    const shoal_table *table;
    size_t count;
    shoal_i_quasi_column *columns;
    double weight_sum;
} shoal_i_quasi;

/* One column as asked for: hierarchy NULL means numeric, for integer, real and date columns
 * only. */
typedef struct shoal_i_quasi_request {
    size_t column;
    double weight;
    const shoal_hierarchy *hierarchy;
    shoal_i_grid grid; /* set: numeric only, and of a unit that fits its values */
} shoal_i_quasi_request;

/* SHOAL_EINVAL: no column, weight negative or not finite, all weights 0, a string column
 * without hierarchy. SHOAL_ELIMIT: numbers whose range is no finite number, or whose grid is
 * too fine for them (grid.h). */
shoal_status shoal_i_quasi_build(shoal_ctx *ctx, shoal_i_quasi **out, const shoal_table *table,
                                 const shoal_i_quasi_request *requests, size_t count);
void shoal_i_quasi_free(shoal_i_quasi *quasi);

/* The code of a record in quasi column c. */
static inline uint32_t shoal_i_quasi_code(const shoal_i_quasi *quasi, size_t c, size_t row)
{
    const shoal_i_quasi_column *column = &quasi->columns[c];

    return column->code_of_entry[shoal_i_codes_get(column->entries, row)];
}

/* The smallest releasable interval that covers [lo, hi]: for a categorical column the extent of
 * the closest common ancestor, for a numeric one [lo, hi] itself, with a grid all values
 * between its ends, or everything when it joins missing and values. */
shoal_i_interval shoal_i_quasi_close(const shoal_i_quasi_column *column, uint32_t lo,
                                     uint32_t hi);

/* Normalized certainty penalty of an interval, in [0, 1], unweighted, by the definition (SPEC
 * 2): of numbers the length of what is published, at most 1, by the range of the values. */
double shoal_i_quasi_loss(const shoal_i_quasi_column *column, uint32_t lo, uint32_t hi);

/* What of the loss comes from joining different values: all of it, but with a grid the distance
 * between the middles of the cells of both, so that values of one cell are as good as equal.
 * For methods that ask where it is worth while to cut. */
double shoal_i_quasi_spread(const shoal_i_quasi_column *column, uint32_t lo, uint32_t hi);

/* Of a numeric code that is not missing: where between the smallest and the largest it lies, in
 * [0, 1]; with a grid, the middle of its cell. 0 when the column is constant. */
double shoal_i_quasi_place(const shoal_i_quasi_column *column, uint32_t code);

/* Whether an interval is published as one exact value. */
static inline bool shoal_i_quasi_is_exact(const shoal_i_quasi_column *column,
                                          shoal_i_interval interval)
{
    bool is_missing = column->has_missing && interval.lo == column->value_count - 1;

    return interval.lo == interval.hi &&
           (!column->cells || is_missing ||
            column->lower[interval.lo] == column->upper[interval.hi]);
}

/* The first code that is published as this one is where each stands alone. */
static inline uint32_t shoal_i_quasi_alike(const shoal_i_quasi_column *column, uint32_t code)
{
    shoal_i_interval alone = {code, code};

    if (!column->cells || shoal_i_quasi_is_exact(column, alone)) {
        return code;
    }
    uint32_t first = column->cells[code].lo;

    return first + (column->values[first] == column->lower[code] ? 1 : 0);
}

/* The interval that holds all codes: suppression. */
shoal_i_interval shoal_i_quasi_all(const shoal_i_quasi_column *column);

#endif /* SHOAL_I_QUASI_H */
