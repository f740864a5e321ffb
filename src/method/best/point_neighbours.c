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

/* Points whose candidates are collected before the first of them are compared: their rows,
 * which lie anywhere, have time to arrive. */
#define TOGETHER 8

/* Scratch of one thread. */
typedef struct scratch {
    uint32_t *candidates; /* `most` of each of TOGETHER points */
    size_t most;
    size_t counts[TOGETHER];
    size_t slot_count; /* a power of two */
    uint32_t *slots;   /* 1 + a candidate that was met; 0: none */
    int32_t *rows;     /* of the candidates of one point, together */
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
    free(d->slots);
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
    d->most = most;
    for (d->slot_count = 4; d->slot_count < 4 * most;) {
        d->slot_count *= 2;
    }
    SHOAL_ALLOC(ctx, d->candidates, TOGETHER * most);
    SHOAL_ALLOC(ctx, d->slots, d->slot_count);
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

/* The slot of a candidate, or the empty one where it belongs. */
static uint32_t *find_slot(const scratch *d, uint32_t candidate)
{
    size_t at = (size_t)(candidate * UINT64_C(0x9E3779B97F4A7C15) >> 32);

    while (d->slots[at & (d->slot_count - 1)] != 0 &&
           d->slots[at & (d->slot_count - 1)] != candidate + 1) {
        at++;
    }
    return &d->slots[at & (d->slot_count - 1)];
}

/* The candidates of point i, each once; their rows are called for. */
static size_t collect_candidates(const listing *l, scratch *d, uint32_t i, uint32_t *candidates)
{
    size_t listed = shoal_i_neighbours_list(l->neighbours, candidates, i, l->window);
    size_t count = 0;

    memset(d->slots, 0, d->slot_count * sizeof *d->slots);
    for (size_t j = 0; j < listed; j++) {
        uint32_t other = candidates[j];
        uint32_t *slot = find_slot(d, other);

        candidates[count] = other;
        count += *slot == 0;
        *slot = other + 1;
        __builtin_prefetch(shoal_i_point_row(l->points, other));
    }
    return count;
}

/* The nearest of the candidates of point i become its list. */
static void list_near(const listing *l, scratch *d, uint32_t i, const uint32_t *candidates,
                      size_t count)
{
    shoal_i_point_neighbours *points = l->points;
    const shoal_i_lanes *lanes = points->lanes;
    const int32_t *row = shoal_i_point_row(points, i);
    shoal_i_probe probe = {.climb = d->climb};
    size_t kept = count < points->reach ? count : points->reach;

    for (size_t j = 0; j < count; j++) {
        copy_row(d->rows + j * lanes->count, shoal_i_point_row(points, candidates[j]),
                 lanes->count);
    }
    shoal_i_probe_set(&probe, lanes, row, row, row);
    lanes->kernels->penalties(d->penalties, lanes, &probe, d->rows, count);
    for (size_t j = 0; j < count; j++) {
        d->items[j] =
            (shoal_i_sort_item){.key = (uint64_t)d->penalties[j], .item = candidates[j]};
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
    for (size_t first = index * CHUNK; first < end; first += TOGETHER) {
        size_t count = end - first < TOGETHER ? end - first : TOGETHER;

        for (size_t i = first + TOGETHER; i < first + 2 * TOGETHER && i < end; i++) {
            shoal_i_neighbours_call(l->neighbours, (uint32_t)i);
        }
        for (size_t i = 0; i < count; i++) {
            d->counts[i] =
                collect_candidates(l, d, (uint32_t)(first + i), d->candidates + i * d->most);
        }
        for (size_t i = 0; i < count; i++) {
            list_near(l, d, (uint32_t)(first + i), d->candidates + i * d->most, d->counts[i]);
        }
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
