/* candidate_pool.h -- points side by side, from which groups are grown.
 *
 * A pool holds copies of the rows of some points of a points, so that one kernel call compares
 * a growing group with all that are still free. Points that were taken move behind the free
 * ones:
 *
 *     | free ......... | taken ..... |
 *     0               free          count
 */
#ifndef SHOAL_I_CANDIDATE_POOL_H
#define SHOAL_I_CANDIDATE_POOL_H

#include "../problem/people_box.h"
#include "point_neighbours.h"

typedef struct shoal_i_candidate_pool {
    const shoal_i_point_neighbours *points;
    size_t capacity;
    size_t count;
    size_t free;
    uint32_t *members; /* numbers of the points */
    int32_t *rows;
    int32_t *penalties;
    int32_t *climb;
    int32_t *box; /* two rows: of the group that was grown last */
    shoal_i_tally tally;
    shoal_i_people_box people; /* who fall into that group */
    bool is_size_enough;       /* to tell whether a group meets the requirement */
    uint64_t smallest;         /* class that can */
    uint64_t work;             /* rows compared so far */
} shoal_i_candidate_pool;

/* A group grown from a pool: the points behind pool->free up to `end`, in pool->box. */
typedef struct shoal_i_growth {
    bool holds;
    size_t end;
    uint64_t load; /* records */
    int32_t penalty;
} shoal_i_growth;

shoal_status shoal_i_candidate_pool_init(shoal_ctx *ctx, shoal_i_candidate_pool *pool,
                                         const shoal_i_point_neighbours *points,
                                         size_t capacity);
void shoal_i_candidate_pool_clear(shoal_i_candidate_pool *pool);

/* Forget what is known of a class; count a point in, beside the tally; whether a class of what
 * was counted meets the requirement. */
void shoal_i_candidate_pool_forget(shoal_i_candidate_pool *pool);
void shoal_i_candidate_pool_count(shoal_i_candidate_pool *pool, uint32_t point);
bool shoal_i_candidate_pool_holds(shoal_i_candidate_pool *pool);

/* Forget all points; add one, free. */
void shoal_i_candidate_pool_empty(shoal_i_candidate_pool *pool);
void shoal_i_candidate_pool_add(shoal_i_candidate_pool *pool, uint32_t point);

/* Grow a group from the free point at `place`: take whoever raises its penalty least until the
 * requirement holds, then all that lie inside anyway. Not holding at the end means that the
 * pool was too small. */
shoal_i_growth shoal_i_candidate_pool_grow(shoal_i_candidate_pool *pool, size_t place);

/* Make a group of some of the free points. */
shoal_i_growth shoal_i_candidate_pool_group(shoal_i_candidate_pool *pool,
                                            const uint32_t *points, size_t count);

/* The free place whose point is farthest from that at `place`. */
size_t shoal_i_candidate_pool_farthest(shoal_i_candidate_pool *pool, size_t place);

#endif /* SHOAL_I_CANDIDATE_POOL_H */
