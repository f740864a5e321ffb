/* nearest.h -- standing groups, and the one that is cheapest to merge a group with, found
 * without comparing it with all.
 *
 * Merging the groups A and C raises the total penalty by
 *
 *     cost(A, C) = |A| (u - pA) + |C| (u - pC)         u: penalty of the box around both
 *
 * The groups are put in an order that keeps near ones together and cut into nodes of 16; 16
 * nodes make a node of the next level, and so on. A node knows of its groups in each numeric
 * lane the largest lower end and the smallest upper end, and in each lane of a tree the values
 * that some group has alone, or their range where the lane has many. These give with any group
 * A a penalty that no union of A with a group of the node undercuts; with the smallest size and
 * the largest penalty of its groups that is a bound of the cost. The search begins with the
 * node in which A stands, then goes down where the bound is least and leaves out what cannot be
 * cheaper than the best so far, nor as cheap with a lower number. The answer is exact: the
 * least cost, of equals the lowest number.
 *
 * What is below a node stands in one block, lane after lane (scan.h), so that sixteen groups or
 * nodes are compared at once and are read from one place in memory.
 *
 * Groups may be merged while the index stands. A box that grows has a lower lower end and a
 * higher upper end and no new values alone, so bounds stay bounds; only penalties have to be
 * noted.
 *
 * It is not box_tree.h: a node here holds no box around its groups but the reverse, what all of
 * them cover at least, with sizes and penalties that merges change while the index stands.
 */
#ifndef SHOAL_I_NEAREST_H
#define SHOAL_I_NEAREST_H

#include "../../box/distinct.h"

#define SHOAL_I_NO_GROUP UINT32_MAX

/* Groups of distinct points. The number of a group is that of its first point. */
typedef struct shoal_i_bunches {
    const shoal_i_distinct *distinct;
    int32_t *boxes;     /* two rows per number */
    uint32_t *sizes;    /* records; 0: merged into another, or no first point */
    int32_t *penalties; /* of the boxes */
} shoal_i_bunches;

/* Each point as a group. */
shoal_status shoal_i_bunches_init(shoal_ctx *ctx, shoal_i_bunches *bunches,
                                  const shoal_i_distinct *distinct);
void shoal_i_bunches_clear(shoal_i_bunches *bunches);

typedef struct shoal_i_partner {
    uint32_t group;  /* SHOAL_I_NO_GROUP: there is no other */
    int32_t penalty; /* of the union */
    int64_t cost;
} shoal_i_partner;

/* Scratch of one thread. */
typedef struct shoal_i_nearest_scratch shoal_i_nearest_scratch;
shoal_status shoal_i_nearest_scratch_new(shoal_ctx *ctx, shoal_i_nearest_scratch **out,
                                         const shoal_i_lanes *lanes);
void shoal_i_nearest_scratch_free(shoal_i_nearest_scratch *scratch);

/* Compare group g with the groups of a list, leaving out itself and those merged into others,
 * and keep the better of *best and what is found. */
void shoal_i_nearest_among(const shoal_i_bunches *bunches, shoal_i_nearest_scratch *scratch,
                           uint32_t g, const uint32_t *groups, size_t count,
                           shoal_i_partner *best);

typedef struct shoal_i_nearest shoal_i_nearest;

/* Index the standing groups. */
shoal_status shoal_i_nearest_build(shoal_ctx *ctx, shoal_i_nearest **out,
                                   const shoal_i_bunches *bunches);
void shoal_i_nearest_free(shoal_i_nearest *nearest);

/* The standing group that is cheapest to merge g with. */
shoal_i_partner shoal_i_nearest_find(const shoal_i_nearest *nearest,
                                     shoal_i_nearest_scratch *scratch, uint32_t g);

/* Merge two groups whose union has the given penalty; returns the number of what comes of them,
 * the lower of both. */
uint32_t shoal_i_nearest_merge(shoal_i_nearest *nearest, shoal_i_bunches *bunches, uint32_t a,
                               uint32_t b, int32_t penalty);

#endif /* SHOAL_I_NEAREST_H */
