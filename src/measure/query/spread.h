/* spread.h -- a release made ready for questions: which boxes does a predicate touch, how much
 * of each, and which sensitive values go with them.
 *
 * Boxes share intervals: a release of thousands of classes has a few dozen different intervals
 * per column. So a predicate on a column is held against the different intervals only, and
 * lists lead from each of these to its boxes:
 *
 *     column 0    interval   [17..24]  [17..30]  [25..36]  ...     sorted by lo, then hi
 *                 boxes       0 1 2     3 4       5 6 7 8           lists[starts[i]..]
 *
 * Intervals that a segment touches are found without looking at all of them: they are sorted by
 * where they start, and of every block the farthest end is known.
 *
 * Sensitive values belong to groups: the class, the set of rows with one box, or the bucket. A
 * box has parts, so many rows in such a group; but for buckets a box is its own group.
 *
 * Never changes once built; any number of threads may read it.
 */
#ifndef SHOAL_I_SPREAD_H
#define SHOAL_I_SPREAD_H

#include "axis.h"
#include "published.h"

#define SHOAL_I_SPREAD_BLOCK 32

typedef struct shoal_i_spread_column {
    shoal_i_axis axis;
    size_t interval_count;
    shoal_i_interval *intervals;
    shoal_i_segment *places; /* of the intervals on the axis */
    double *block_ends;      /* farthest end of each block of intervals */
    uint32_t *interval_of;   /* box -> its interval */
    uint32_t *starts;        /* interval_count + 1 entries, into lists */
    uint32_t *lists;         /* boxes, by interval */
} shoal_i_spread_column;

/* How many rows of a box are in a group. */
typedef struct shoal_i_spread_part {
    uint32_t group;
    uint32_t count;
} shoal_i_spread_part;

/* The values of one sensitive column in each group, those that occur. */
typedef struct shoal_i_spread_values {
    uint32_t *starts; /* group_count + 1 entries */
    uint32_t *codes;  /* ascending within a group */
    uint32_t *counts;
} shoal_i_spread_values;

typedef struct shoal_i_spread {
    const shoal_i_published *published;
    size_t column_count;
    shoal_i_spread_column *columns;
    size_t group_count;
    uint32_t *group_sizes;
    bool has_parts;                /* buckets; otherwise group b is box b */
    uint32_t *part_starts;         /* has_parts: box_count + 1 entries */
    shoal_i_spread_part *parts;    /* has_parts */
    shoal_i_spread_values *values; /* of each sensitive column */
} shoal_i_spread;

/* The published release is borrowed. Parallel over columns; O(rows + boxes * columns). */
shoal_status shoal_i_spread_build(shoal_ctx *ctx, shoal_i_spread **out,
                                  const shoal_i_published *published);
void shoal_i_spread_free(shoal_i_spread *spread);

/* A box and the share of its records that a predicate selects. */
typedef struct shoal_i_touch {
    uint32_t box;
    double share;
} shoal_i_touch;

/* The intervals of a column that segments touch, each with its share above 0, into out (room
 * for interval_count entries; `box` holds the number of the interval). Segments are disjoint
 * and ascend. Returns how many. */
size_t shoal_i_spread_find(const shoal_i_spread_column *column, const shoal_i_segment *segments,
                           size_t count, shoal_i_touch *out);

/* Add to sums[code] the expected number of records with each value of sensitive column j in the
 * touched boxes; returns their total. weights: group_count zeros, which are left as zeros; may
 * be NULL unless has_parts. */
double shoal_i_spread_add(const shoal_i_spread *spread, size_t j, const shoal_i_touch *touched,
                          size_t count, double *weights, double *sums);

#endif /* SHOAL_I_SPREAD_H */
