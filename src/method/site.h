/* site.h -- a set of distinct points that is solved on its own, and who is near whom in it.
 *
 * Points of a site are numbered 0..count-1. Each has a list of near points, nearest first,
 * found among its neighbours in several orders (neighbours.h) instead of among all.
 */
#ifndef SHOAL_I_SITE_H
#define SHOAL_I_SITE_H

#include "distinct.h"
#include "method.h"

typedef struct shoal_i_site {
    const shoal_i_problem *problem;
    const shoal_i_lanes *lanes;
    const shoal_i_distinct *distinct;
    size_t count;
    uint32_t *points;  /* the distinct point of each */
    int32_t *rows;     /* copied together */
    uint32_t *weights; /* records of each */
    size_t reach;      /* near points listed for each, at most */
    uint32_t *near;    /* count * reach */
    uint32_t *near_counts;
} shoal_i_site;

/* points: numbers of distinct points, copied. Parallel. */
shoal_status shoal_i_site_build(shoal_ctx *ctx, shoal_i_site **out,
                                const shoal_i_problem *problem,
                                const shoal_i_distinct *distinct, const uint32_t *points,
                                size_t count, size_t reach);
void shoal_i_site_free(shoal_i_site *site);

static inline const int32_t *shoal_i_site_row(const shoal_i_site *site, uint32_t i)
{
    return site->rows + (size_t)i * site->lanes->count;
}

/* Count the records of point i into a tally. */
static inline void shoal_i_site_tally(const shoal_i_site *site, uint32_t i,
                                      shoal_i_tally *tally)
{
    const shoal_i_distinct *d = site->distinct;
    uint32_t point = site->points[i];

    shoal_i_tally_add_list(tally, d->records + d->first[point], site->weights[i]);
}

#endif /* SHOAL_I_SITE_H */
