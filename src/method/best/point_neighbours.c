#include "point_neighbours.h"

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

/* Scratch of one thread. */
typedef struct scratch {
    uint32_t *candidates;
    uint32_t *seen; /* per point: 1 + the last point that met it */
    int32_t *rows;  /* of the candidates, together */
    int32_t *penalties;
    int32_t *climb;
    shoal_i_sort_item *items;
    shoal_i_sort_item *spare;
} scratch;

typedef struct listing {
    shoal_i_point_neighbours *points;
    const shoal_i_neighbours *neighbours;
    size_t window;
    scratch *scratches; /* per thread, filled when it has something to do */
} listing;

static void scratch_clear(scratch *d)
{
    free(d->candidates);
    free(d->seen);
    free(d->rows);
    free(d->penalties);
    free(d->climb);
    free(d->items);
    free(d->spare);
}

static shoal_status scratch_init(shoal_ctx *ctx, scratch *d, const listing *l)
{
    shoal_status st = SHOAL_OK;
    size_t most = shoal_i_neighbours_most(l->neighbours, l->window);

    if (d->spare) {
        return SHOAL_OK;
    }
    scratch_clear(d); /* of what another try left when memory was short */
    *d = (scratch){0};
    SHOAL_ALLOC(ctx, d->candidates, most);
    SHOAL_ALLOC(ctx, d->seen, l->points->count);
    SHOAL_ALLOC(ctx, d->rows, most * l->points->lanes->count);
    SHOAL_ALLOC(ctx, d->penalties, most);
    SHOAL_ALLOC(ctx, d->climb, l->points->lanes->count);
    SHOAL_ALLOC(ctx, d->items, most);
    SHOAL_ALLOC(ctx, d->spare, most);
done:
    return st;
}

/* Rows are short, and a multiple of SHOAL_I_LANES_STEP long: no call for each. */
static void copy_row(int32_t *to, const int32_t *from, size_t lanes)
{
    for (size_t i = 0; i < lanes; i += SHOAL_I_LANES_STEP) {
        memcpy(to + i, from + i, SHOAL_I_LANES_STEP * sizeof *to);
    }
}

/* The candidates of point i, each once, with their rows side by side. */
static size_t collect_candidates(const listing *l, scratch *d, uint32_t i)
{
    const shoal_i_point_neighbours *points = l->points;
    size_t listed = shoal_i_neighbours_list(l->neighbours, d->candidates, i, l->window);
    size_t count = 0;

    d->seen[i] = i + 1;
    for (size_t j = 0; j < listed; j++) {
        uint32_t other = d->candidates[j];

        if (d->seen[other] != i + 1) {
            d->seen[other] = i + 1;
            d->candidates[count++] = other;
            __builtin_prefetch(shoal_i_point_row(points, other));
        }
    }
    for (size_t j = 0; j < count; j++) {
        copy_row(d->rows + j * points->lanes->count,
                 shoal_i_point_row(points, d->candidates[j]), points->lanes->count);
    }
    return count;
}

static void list_near(const listing *l, scratch *d, uint32_t i)
{
    shoal_i_point_neighbours *points = l->points;
    const int32_t *row = shoal_i_point_row(points, i);
    shoal_i_probe probe = {.climb = d->climb};
    size_t count = collect_candidates(l, d, i);
    size_t kept = count < points->reach ? count : points->reach;

    shoal_i_probe_set(&probe, points->lanes, row, row, row);
    points->lanes->kernels->penalties(d->penalties, points->lanes, &probe, d->rows, count);
    for (size_t j = 0; j < count; j++) {
        d->items[j] =
            (shoal_i_sort_item){.key = (uint64_t)d->penalties[j], .item = d->candidates[j]};
    }
    shoal_i_sort_first(d->items, d->spare, count, kept);
    for (size_t j = 0; j < kept; j++) {
        points->near[i * points->reach + j] = d->items[j].item;
    }
    points->near_counts[i] = (uint32_t)kept;
}

static shoal_status list_chunk(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    listing *l = payload;
    size_t end =
        (index + 1) * CHUNK < l->points->count ? (index + 1) * CHUNK : l->points->count;
    scratch *d = &l->scratches[ctx->worker];

    SHOAL_TRY(scratch_init(ctx, d, l));
    for (size_t i = index * CHUNK; i < end; i++) {
        list_near(l, d, (uint32_t)i);
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    return st;
}

static shoal_status list_all(shoal_ctx *ctx, shoal_i_point_neighbours *points)
{
    shoal_status st = SHOAL_OK;
    shoal_i_neighbours *neighbours = NULL;
    listing l = {.points = points};
    size_t threads = (size_t)shoal_ctx_thread_count(ctx);

    SHOAL_TRY(shoal_i_neighbours_build(ctx, &neighbours, points->lanes, points->rows, 1,
                                       points->count));
    l.neighbours = neighbours;
    l.window = points->reach * CANDIDATES_PER_NEAR / shoal_i_neighbours_most(neighbours, 1) + 1;
    SHOAL_ALLOC(ctx, l.scratches, threads);
    SHOAL_TRY(shoal_i_parallel_for(ctx, (points->count + CHUNK - 1) / CHUNK, list_chunk, &l));
done:
    for (size_t i = 0; l.scratches && i < threads; i++) {
        scratch_clear(&l.scratches[i]);
    }
    free(l.scratches);
    shoal_i_neighbours_free(neighbours);
    return st;
}

shoal_status shoal_i_point_neighbours_build(shoal_ctx *ctx, shoal_i_point_neighbours **out,
                                            const shoal_i_problem *problem,
                                            const shoal_i_distinct *distinct)
{
    shoal_status st = SHOAL_OK;
    shoal_i_point_neighbours *points = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, points, 1);
    *points = (shoal_i_point_neighbours){
        .problem = problem,
        .lanes = distinct->lanes,
        .distinct = distinct,
        .count = distinct->count,
        .rows = distinct->rows,
        .weights = distinct->weights,
    };
    SHOAL_ALLOC(ctx, points->near_counts, points->count);
    *out = points;
    points = NULL;
done:
    shoal_i_point_neighbours_free(points);
    return st;
}

shoal_status shoal_i_point_neighbours_list(shoal_ctx *ctx, shoal_i_point_neighbours *points,
                                           size_t reach)
{
    shoal_status st = SHOAL_OK;
    size_t cells = 0;

    free(points->near);
    points->near = NULL;
    points->reach = reach < points->count ? reach : points->count;
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, points->count, points->reach));
    SHOAL_ALLOC(ctx, points->near, cells);
    SHOAL_TRY(list_all(ctx, points));
done:
    return st;
}

void shoal_i_point_neighbours_free(shoal_i_point_neighbours *points)
{
    if (points) {
        free(points->near);
        free(points->near_counts);
        free(points);
    }
}
