/* incognito_levels.h -- full-domain generalization: the levels of each column.
 *
 * Level 0 of a column is its values. Level L of a categorical column is the ancestors at depth
 * height - L (a value that is not that deep stays itself), up to the root; a numeric column
 * without a hierarchy has the values and, as level 1, everything.
 *
 *     code   level 0   level 1   level 2        the first code of a node stands for it, so that
 *       0       0         0         0           a value of any level is generalized further by
 *       1       1         0         0           one look-up, and needs as many bits as a code
 *       2       2         2         0
 *
 * A node of the lattice of generalizations takes some of the columns, each at a level. It is
 * written as one digit per column: 0 for a column that is left out, else level + 1.
 *
 * A class of records is known by its key: the first codes on all columns, packed into as few
 * 64-bit words as will hold them; columns left out are 0.
 */
#ifndef SHOAL_I_INCOGNITO_LEVELS_H
#define SHOAL_I_INCOGNITO_LEVELS_H

#include "../../box/quasi.h"

typedef struct shoal_i_level_column {
    size_t level_count; /* at least 1 */
    size_t value_count;
    shoal_i_interval *intervals; /* of code c at level L: [L * value_count + c] */
    uint64_t *costs;             /* of one record there */
    uint64_t *totals;            /* per level: cost of all records */
    uint64_t full_cost;          /* of a suppressed record */
    size_t word;                 /* where it is in a key */
    unsigned shift;
    uint64_t mask; /* before the shift */
} shoal_i_level_column;

typedef struct shoal_i_levels {
    const shoal_i_quasi *quasi;
    size_t count; /* of columns */
    size_t word_count;
    shoal_i_level_column *columns;
} shoal_i_levels;

/* What a release costs. Both are exact integers, so that sums do not depend on their order and
 * equal costs are equal: heights of released values (WONG's distortion), or normalized
 * certainty penalties in units of 2^-32 of a suppressed record. */
typedef enum shoal_i_objective {
    SHOAL_I_OBJECTIVE_DISTORTION,
    SHOAL_I_OBJECTIVE_GCP
} shoal_i_objective;

/* Levels of a column, its values and what stands for all of them among them. */
size_t shoal_i_levels_count(const shoal_i_quasi_column *column);

shoal_status shoal_i_levels_build(shoal_ctx *ctx, shoal_i_levels *out,
                                  const shoal_i_quasi *quasi, size_t row_count,
                                  shoal_i_objective objective);
void shoal_i_levels_clear(shoal_i_levels *levels);

/* The interval that a digit other than 0 makes of a code. */
static inline shoal_i_interval shoal_i_level_interval(const shoal_i_level_column *column,
                                                      uint8_t digit, uint32_t code)
{
    return column->intervals[(digit - 1u) * column->value_count + code];
}

/* The code, at whatever level it is, of a column in a key. */
static inline uint32_t shoal_i_level_code(const shoal_i_level_column *column,
                                          const uint64_t *key)
{
    return (uint32_t)(key[column->word] >> column->shift & column->mask);
}

/* What a record of a class costs less at a node than suppressed. All columns are taken. */
uint64_t shoal_i_levels_gain(const shoal_i_levels *levels, const uint8_t *node,
                             const uint64_t *key);

/* What all records cost at a node. */
uint64_t shoal_i_levels_total(const shoal_i_levels *levels, const uint8_t *node);

#endif /* SHOAL_I_INCOGNITO_LEVELS_H */
