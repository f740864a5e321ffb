/* scan.h -- the kernels: one group against many records or groups.
 *
 * Each kernel exists twice: plain C, which is the definition and the oracle of the tests, and
 * AVX2. Both return the same integers. `lanes->kernels` is the set to use.
 */
#ifndef SHOAL_I_SCAN_H
#define SHOAL_I_SCAN_H

#include "points.h"

/* Groups of a block. */
#define SHOAL_I_BLOCK_GROUPS 16

/* One group that is compared with blocks of groups, or of nodes that stand for many groups.
 * Blocks stand lane after lane, sixteen numbers each:
 *
 *     lane                  of groups                     of nodes
 *     numeric               lower ends, upper ends        largest of these, smallest of these
 *     categorical, narrow   value, or SHOAL_I_MIXED       a bit for each value that a group
 *                           where a group has several     has alone (modulo 32)
 *     categorical, wide     the same                      the least and the largest value that
 *                                                         a group has alone
 *
 * Lanes in which the probe itself has several values cost their climb whatever the others are:
 * `fixed`. */
typedef struct shoal_i_block_probe {
    size_t numeric_count;
    size_t narrow_count;
    size_t tree_count;     /* narrow ones, then wide ones */
    const int32_t *ends;   /* of the numeric lanes: lower and upper end in turn */
    const uint32_t *trees; /* of the categorical ones that count: where in the block they
                              start */
    const int32_t *values; /* of these: the probe's */
    const int32_t *climbs; /* of these */
    int32_t fixed;
} shoal_i_block_probe;

#define SHOAL_I_MIXED (-1)

static inline int32_t shoal_i_mark_bit(int32_t value)
{
    return (int32_t)(1U << ((uint32_t)value & 31));
}

typedef struct shoal_i_kernels {
    const char *name;

    /* Penalty of the union of the probe with each of count rows. */
    void (*penalties)(int32_t *out, const shoal_i_lanes *lanes, const shoal_i_probe *probe,
                      const int32_t *rows, size_t count);

    /* Penalty of a group without one of its rows and with another. ends: rows of the lowest
     * value of each lane and the next one, of the highest and the next one; times: how many of
     * the group's rows have each. climb is that of the row that joins. */
    int32_t (*replaced)(const shoal_i_lanes *lanes, const int32_t *ends, const uint32_t *times,
                        const int32_t *leaves, const int32_t *joins, const int32_t *climb);

    /* The row whose union with the probe has the largest penalty, the first of equals; *largest
     * is that penalty. count is at least 1. */
    size_t (*farthest)(int32_t *largest, const shoal_i_lanes *lanes, const shoal_i_probe *probe,
                       const int32_t *rows, size_t count);

    /* sides[i] = 1 when row i is nearer to b than to a, 0 when nearer to a; rows equally far
     * from both alternate, first a. Returns how many are 1. */
    size_t (*sides)(uint8_t *sides, const shoal_i_lanes *lanes, const shoal_i_probe *a,
                    const shoal_i_probe *b, const int32_t *rows, size_t count);

    /* Penalty of the union of the probe with each of the groups named: group g has its lo row
     * at boxes + 2 * g * lanes->count and its hi row behind it. */
    void (*unions)(int32_t *out, const shoal_i_lanes *lanes, const shoal_i_probe *probe,
                   const int32_t *boxes, const uint32_t *groups, size_t count);

    /* Penalty of the union of the probe with each group of a block. Bit i is set where that is
     * at most `cap`. */
    uint32_t (*block_unions)(int32_t *out, const shoal_i_block_probe *probe,
                             const int32_t *block, int32_t cap);

    /* The same of nodes: no union with a group of node i costs less than out[i]. */
    uint32_t (*block_bounds)(int32_t *out, const shoal_i_block_probe *probe,
                             const int32_t *block, int32_t cap);

    /* Penalty of the smallest box around rows 0..i, for each i below count, by the definition
     * to the last unit: a box that joins a missing number with others loses the column and no
     * more. climb is that of row 0. */
    void (*grow)(int32_t *out, const shoal_i_lanes *lanes, const int32_t *climb,
                 const int32_t *rows, size_t count);

    /* The smallest boxes around the rows of either side: boxes gets the lo and hi rows of side
     * 0, then those of side 1. Of a side without rows lo is INT32_MAX and hi 0 in every
     * lane. */
    void (*enclose)(int32_t *boxes, const shoal_i_lanes *lanes, const uint8_t *sides,
                    const int32_t *rows, size_t count);

    /* Enlarge the group (lo, hi) by another. */
    void (*join)(const shoal_i_lanes *lanes, int32_t *lo, int32_t *hi, const int32_t *other_lo,
                 const int32_t *other_hi);
} shoal_i_kernels;

extern const shoal_i_kernels shoal_i_kernels_plain;

/* The fastest set that this processor runs. */
const shoal_i_kernels *shoal_i_kernels_best(void);

/* Penalty of a single group: of its lo and hi rows, the climbs from one member. */
int32_t shoal_i_penalty(const shoal_i_lanes *lanes, const shoal_i_probe *probe);

static inline void shoal_i_box_join(const shoal_i_lanes *lanes, int32_t *lo, int32_t *hi,
                                    const int32_t *other_lo, const int32_t *other_hi)
{
    lanes->kernels->join(lanes, lo, hi, other_lo, other_hi);
}

#endif /* SHOAL_I_SCAN_H */
