/* point_neighbours.h -- the distinct points of a problem or a part of it, and who is near whom.
 *
 * Each point may have a list of near points, nearest first,
 * found among its neighbours in several orders (neighbours.h) instead of among all.
 */
#ifndef SHOAL_I_POINT_NEIGHBOURS_H
#define SHOAL_I_POINT_NEIGHBOURS_H

#include "../../lattice/scales.h"
#include "../../box/distinct.h"
#include "../problem/method.h"

typedef struct shoal_i_point_neighbours {
    const shoal_i_problem *problem;
    const shoal_i_lanes *lanes;
    const shoal_i_distinct *distinct;
    size_t count;
    const int32_t *rows;     /* of the points */
    const uint32_t *weights; /* records of each */
    size_t reach;            /* near points listed for each, at most */
    uint32_t *near;          /* count * reach */
    uint32_t *near_counts;
} shoal_i_point_neighbours;

/* A points whose points know of no near ones yet. distinct is borrowed. */
shoal_status shoal_i_point_neighbours_build(shoal_ctx *ctx, shoal_i_point_neighbours **out,
                                            const shoal_i_problem *problem,
                                            const shoal_i_distinct *distinct);

/* List up to `reach` near points for each point. Parallel. */
shoal_status shoal_i_point_neighbours_list(shoal_ctx *ctx, shoal_i_point_neighbours *points,
                                           size_t reach);

void shoal_i_point_neighbours_free(shoal_i_point_neighbours *points);

static inline const int32_t *shoal_i_point_row(const shoal_i_point_neighbours *points,
                                               uint32_t i)
{
    return points->rows + (size_t)i * points->lanes->count;
}

/* The near points of point i, near_counts[i] of them. */
static inline const uint32_t *shoal_i_point_near(const shoal_i_point_neighbours *points,
                                                 uint32_t i)
{
    return points->near ? points->near + (size_t)i * points->reach : NULL;
}

/* Count the records of point i into a tally. */
static inline void shoal_i_point_tally(const shoal_i_point_neighbours *points, uint32_t i,
                                       shoal_i_tally *tally)
{
    const shoal_i_distinct *d = points->distinct;

    shoal_i_tally_add_list(tally, d->records + d->first[i], points->weights[i]);
}

#endif /* SHOAL_I_POINT_NEIGHBOURS_H */
