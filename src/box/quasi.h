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
 * Immutable once built; refers to the table and the hierarchies, which must live as long.
 */
#ifndef SHOAL_I_QUASI_H
#define SHOAL_I_QUASI_H

#include <shoal/hierarchy.h>

#include "../table/table_codes.h"

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
    double *values;          /* numeric: value of each code but missing, ascending; owned */
    double range;            /* numeric: largest minus smallest value */
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
} shoal_i_quasi_request;

/* SHOAL_EINVAL: no column, weight negative or not finite, all weights 0, a string column
 * without hierarchy. SHOAL_ELIMIT: numbers whose range is no finite number. */
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
 * the closest common ancestor, for a numeric one [lo, hi] itself, or everything when it joins
 * missing and values. */
shoal_i_interval shoal_i_quasi_close(const shoal_i_quasi_column *column, uint32_t lo,
                                     uint32_t hi);

/* Normalized certainty penalty of an interval, in [0, 1], unweighted, by the definition (SPEC
 * 2). */
double shoal_i_quasi_loss(const shoal_i_quasi_column *column, uint32_t lo, uint32_t hi);

/* The interval that holds all codes: suppression. */
shoal_i_interval shoal_i_quasi_all(const shoal_i_quasi_column *column);

#endif /* SHOAL_I_QUASI_H */
