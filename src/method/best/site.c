#include "site.h"

#include "../../base/fail.h"
#include "../../base/pool.h"
#include "../../base/sort.h"
#include "../../box/scan.h"
#include "../grouping/neighbours.h"

#include <string.h>

/* Points whose lists one task fills. */
#define CHUNK 512

/* How many candidates are compared for each near point that is wanted. */
#define CANDIDATES_PER_NEAR 3

typedef struct listing {
    shoal_i_site *site;
    const shoal_i_neighbours *neighbours;
    size_t window;
} listing;

/* Scratch of one task. */
typedef struct desk {
    uint32_t *candidates;
    uint32_t *seen; /* per point: 1 + the last point that met it */
    int32_t *rows;  /* of the candidates, together */
    int32_t *penalties;
    int32_t *climb;
    shoal_i_sort_item *items;
    shoal_i_sort_item *scratch;
} desk;

static void desk_clear(desk *d)
{
    free(d->candidates);
    free(d->seen);
    free(d->rows);
    free(d->penalties);
    free(d->climb);
    free(d->items);
    free(d->scratch);
}

static shoal_status desk_init(shoal_ctx *ctx, desk *d, const listing *l)
{
    shoal_status st = SHOAL_OK;
    size_t most = shoal_i_neighbours_most(l->neighbours, l->window);

    *d = (desk){0};
    SHOAL_ALLOC(ctx, d->candidates, most);
    SHOAL_ALLOC(ctx, d->seen, l->site->count);
    SHOAL_ALLOC(ctx, d->rows, most * l->site->lanes->count);
    SHOAL_ALLOC(ctx, d->penalties, most);
    SHOAL_ALLOC(ctx, d->climb, l->site->lanes->count);
    SHOAL_ALLOC(ctx, d->items, most);
    SHOAL_ALLOC(ctx, d->scratch, most);
done:
    return st;
}

/* The candidates of point i, each once, with their rows side by side. */
static size_t collect_candidates(const listing *l, desk *d, uint32_t i)
{
    const shoal_i_site *site = l->site;
    size_t listed = shoal_i_neighbours_list(l->neighbours, d->candidates, i, l->window);
    size_t count = 0;

    d->seen[i] = i + 1;
    for (size_t j = 0; j < listed; j++) {
        uint32_t other = d->candidates[j];

        if (d->seen[other] != i + 1) {
            d->seen[other] = i + 1;
            memcpy(d->rows + count * site->lanes->count, shoal_i_site_row(site, other),
                   site->lanes->count * sizeof *d->rows);
            d->candidates[count++] = other;
        }
    }
    return count;
}

static void list_near(const listing *l, desk *d, uint32_t i)
{
    shoal_i_site *site = l->site;
    const int32_t *row = shoal_i_site_row(site, i);
    shoal_i_probe probe = {.climb = d->climb};
    size_t count = collect_candidates(l, d, i);
    size_t kept = count < site->reach ? count : site->reach;

    shoal_i_probe_set(&probe, site->lanes, row, row, row);
    site->lanes->kernels->penalties(d->penalties, site->lanes, &probe, d->rows, count);
    for (size_t j = 0; j < count; j++) {
        d->items[j] =
            (shoal_i_sort_item){.key = (uint64_t)d->penalties[j], .item = d->candidates[j]};
    }
    shoal_i_sort_first(d->items, d->scratch, count, kept);
    for (size_t j = 0; j < kept; j++) {
        site->near[i * site->reach + j] = d->items[j].item;
    }
    site->near_counts[i] = (uint32_t)kept;
}

static shoal_status list_chunk(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    listing *l = payload;
    size_t end = (index + 1) * CHUNK < l->site->count ? (index + 1) * CHUNK : l->site->count;
    desk d;

    SHOAL_TRY(desk_init(ctx, &d, l));
    for (size_t i = index * CHUNK; i < end; i++) {
        list_near(l, &d, (uint32_t)i);
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    desk_clear(&d);
    return st;
}

static shoal_status list_all(shoal_ctx *ctx, shoal_i_site *site)
{
    shoal_status st = SHOAL_OK;
    shoal_i_neighbours *neighbours = NULL;
    size_t orders = 0;

    SHOAL_TRY(
        shoal_i_neighbours_build(ctx, &neighbours, site->lanes, site->rows, 1, site->count));
    orders = shoal_i_neighbours_most(neighbours, 1);
    listing l = {.site = site,
                 .neighbours = neighbours,
                 .window = site->reach * CANDIDATES_PER_NEAR / orders + 1};

    SHOAL_TRY(shoal_i_parallel_for(ctx, (site->count + CHUNK - 1) / CHUNK, list_chunk, &l));
done:
    shoal_i_neighbours_free(neighbours);
    return st;
}

shoal_status shoal_i_site_build(shoal_ctx *ctx, shoal_i_site **out,
                                const shoal_i_problem *problem,
                                const shoal_i_distinct *distinct)
{
    shoal_status st = SHOAL_OK;
    shoal_i_site *site = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, site, 1);
    *site = (shoal_i_site){
        .problem = problem,
        .lanes = distinct->lanes,
        .distinct = distinct,
        .count = distinct->count,
        .rows = distinct->rows,
    };
    SHOAL_ALLOC(ctx, site->weights, site->count);
    SHOAL_ALLOC(ctx, site->near_counts, site->count);
    for (uint32_t i = 0; i < site->count; i++) {
        site->weights[i] = shoal_i_distinct_weight(distinct, i);
    }
    *out = site;
    site = NULL;
done:
    shoal_i_site_free(site);
    return st;
}

shoal_status shoal_i_site_list(shoal_ctx *ctx, shoal_i_site *site, size_t reach)
{
    shoal_status st = SHOAL_OK;
    size_t cells = 0;

    free(site->near);
    site->near = NULL;
    site->reach = reach < site->count ? reach : site->count;
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, site->count, site->reach));
    SHOAL_ALLOC(ctx, site->near, cells);
    SHOAL_TRY(list_all(ctx, site));
done:
    return st;
}

void shoal_i_site_free(shoal_i_site *site)
{
    if (site) {
        free(site->weights);
        free(site->near);
        free(site->near_counts);
        free(site);
    }
}
