/* column_sets.h -- all sets of a few columns, numbered.
 *
 * Sets of m columns stand behind those of fewer, in the order of the combinatorial number
 * system: the number of {a > b > c} is that of the first set of three, plus (a over 3) + (b
 * over 2) + (c over 1). So the number of a set, and of those with one column less, follows from
 * its columns.
 */
#ifndef SHOAL_I_COLUMN_SETS_H
#define SHOAL_I_COLUMN_SETS_H

#include "risk.h"

typedef struct shoal_i_column_sets {
    size_t together; /* columns of the largest sets */
    size_t count;
    size_t first[SHOAL_I_TOGETHER_MAX + 2]; /* number of the first set of so many columns */
} shoal_i_column_sets;

/* n over k for k up to SHOAL_I_TOGETHER_MAX; UINT64_MAX when it is larger than that. */
static inline uint64_t shoal_i_choose(uint64_t n, size_t k)
{
    uint64_t result = 1;

    for (size_t i = 0; i < k; i++) {
        uint64_t factor = n >= i ? n - i : 0;

        if (factor > 0 && result > UINT64_MAX / factor) {
            return UINT64_MAX;
        }
        result = result * factor / (i + 1);
    }
    return result;
}

/* The number of a set, given as its columns in descending order without the one at `without`
 * (count or more: with all). */
static inline size_t shoal_i_column_set(const shoal_i_column_sets *sets,
                                        const uint32_t *columns, size_t count, size_t without)
{
    size_t left = count - (without < count);
    size_t number = sets->first[left];

    for (size_t i = 0; i < count; i++) {
        if (i != without) {
            number += (size_t)shoal_i_choose(columns[i], left--);
        }
    }
    return number;
}

#endif /* SHOAL_I_COLUMN_SETS_H */
