#include "node_cells.h"

#include "../../base/fail.h"
#include "../../base/pool.h"

#include <string.h>

#define CHUNK ((size_t)16384)
#define STRETCH 512 /* points whose keys are computed together */
#define SLOTS 8192  /* of a bucket; near the processor */

static size_t find_end(const shoal_i_node_cells *n, size_t chunk)
{
    return (chunk + 1) * CHUNK < n->left->count ? (chunk + 1) * CHUNK : n->left->count;
}

static size_t find_bucket(uint64_t key)
{
    return (size_t)(key >> 56);
}

/* --- Dealing out. ------------------------------------------------------------------------- */

static shoal_status make_keys(shoal_ctx *ctx, void *payload, size_t chunk)
{
    shoal_i_node_cells *n = payload;
    const shoal_i_unassigned *left = n->left;
    uint32_t *places = n->places + chunk * SHOAL_I_KEY_BUCKETS;
    size_t end = find_end(n, chunk);

    for (size_t first = chunk * CHUNK; first < end; first += STRETCH) {
        size_t count = end - first < STRETCH ? end - first : STRETCH;

        shoal_i_scales_keys(left->scales, n->node, n->keys + first, left->values + first,
                            left->stride, count);
        for (size_t i = first; i < first + count; i++) {
            places[find_bucket(n->keys[i])] += !n->is_taken[i];
        }
    }
    return shoal_i_check_cancelled(ctx);
}

static shoal_status deal_out(shoal_ctx *ctx, void *payload, size_t chunk)
{
    shoal_i_node_cells *n = payload;
    uint32_t *places = n->places + chunk * SHOAL_I_KEY_BUCKETS;

    for (size_t i = chunk * CHUNK; i < find_end(n, chunk); i++) {
        uint32_t *place = &places[find_bucket(n->keys[i])];

        if (!n->is_taken[i]) {
            n->items[(*place)++] = (shoal_i_sort_item){.key = n->keys[i], .item = (uint32_t)i};
        }
    }
    return shoal_i_check_cancelled(ctx);
}

/* --- Cells of a bucket. ------------------------------------------------------------------- */

static size_t find_slot(uint64_t key)
{
    return (size_t)(key >> 32) & (SLOTS - 1);
}

/* Move the items whose slots are full enough to the front; how many there are. */
static size_t keep_full(const shoal_i_unassigned *left, shoal_i_sort_item *items, size_t count)
{
    shoal_i_slot slots[SLOTS] = {0};
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        shoal_i_slot *slot = &slots[find_slot(items[i].key)];
        uint64_t load = (uint64_t)*slot + left->weights[items[i].item];

        *slot = (shoal_i_slot)(load < left->full ? load : left->full);
    }
    for (size_t i = 0; i < count; i++) {
        bool is_full = slots[find_slot(items[i].key)] >= left->full;

        items[kept] = items[i];
        kept += is_full;
    }
    return kept;
}

/* The end of the run of equal keys that starts at `first`, and its records. */
static size_t find_run(const shoal_i_unassigned *left, const shoal_i_sort_item *items,
                       size_t first, size_t count, uint64_t *load)
{
    size_t end = first;

    *load = 0;
    for (; end < count && items[end].key == items[first].key; end++) {
        *load += left->weights[items[end].item];
    }
    return end;
}

static shoal_status find_cells(shoal_ctx *ctx, void *payload, size_t bucket)
{
    shoal_status st = SHOAL_OK;
    shoal_i_node_cells *n = payload;
    shoal_i_sort_item *items = n->items + n->starts[bucket];
    size_t count = keep_full(n->left, items, n->starts[bucket + 1] - n->starts[bucket]);
    shoal_i_sort_item *spare = NULL;
    uint64_t load = 0;

    SHOAL_ALLOC(ctx, spare, count);
    shoal_i_sort_items(items, spare, count);
    for (size_t first = 0, end = 0; first < count; first = end) {
        end = find_run(n->left, items, first, count, &load);
        if (load >= n->left->smallest) {
            memmove(items + n->kept[bucket], items + first, (end - first) * sizeof *items);
            n->kept[bucket] += end - first;
            n->cells[bucket]++;
        }
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    free(spare);
    return st;
}

/* Room for the points left: what is there, unless that is too little, or far too much. */
static shoal_status reserve(shoal_ctx *ctx, shoal_i_node_cells *n)
{
    shoal_status st = SHOAL_OK;
    size_t count = n->left->count;

    n->chunk_count = (count + CHUNK - 1) / CHUNK;
    if (count > n->capacity || count < n->capacity / 2) {
        free(n->items);
        free(n->places);
        n->items = NULL;
        n->places = NULL;
        n->capacity = 0;
        n->items = shoal_i_alloc_raw(ctx, count, sizeof *n->items);
        if (!n->items) {
            return SHOAL_ENOMEM;
        }
        SHOAL_ALLOC(ctx, n->places, n->chunk_count * SHOAL_I_KEY_BUCKETS);
        n->capacity = count;
    }
    memset(n->places, 0, n->chunk_count * SHOAL_I_KEY_BUCKETS * sizeof *n->places);
    memset(n->kept, 0, sizeof n->kept);
    memset(n->cells, 0, sizeof n->cells);
done:
    return st;
}

shoal_status shoal_i_node_cells_find(shoal_ctx *ctx, shoal_i_node_cells *out,
                                     const shoal_i_unassigned *left, const uint8_t *is_taken,
                                     const uint8_t *node, uint64_t *keys)
{
    shoal_status st = SHOAL_OK;

    out->left = left;
    out->keys = keys;
    out->is_taken = is_taken;
    out->node = node;
    SHOAL_TRY(reserve(ctx, out));
    SHOAL_TRY(shoal_i_parallel_for(ctx, out->chunk_count, make_keys, out));
    shoal_i_sort_place(out->places, out->starts, out->chunk_count, SHOAL_I_KEY_BUCKETS);
    SHOAL_TRY(shoal_i_parallel_for(ctx, out->chunk_count, deal_out, out));
    SHOAL_TRY(shoal_i_parallel_for(ctx, SHOAL_I_KEY_BUCKETS, find_cells, out));
done:
    return st;
}

/* --- Groups. ------------------------------------------------------------------------------ */

typedef struct opening {
    const shoal_i_node_cells *cells;
    shoal_i_solution *solution;
    uint8_t *is_taken;
    size_t firsts[SHOAL_I_KEY_BUCKETS + 1]; /* of each bucket: cells before it */
} opening;

static shoal_status open_bucket(shoal_ctx *ctx, void *payload, size_t bucket)
{
    shoal_status st = SHOAL_OK;
    opening *o = payload;
    const shoal_i_node_cells *n = o->cells;
    const shoal_i_solution *solution = o->solution;
    const shoal_i_sort_item *items = n->items + n->starts[bucket];
    const uint32_t *numbers = solution->numbers + solution->number_count - o->firsts[bucket];
    uint32_t *members = NULL;
    int32_t *climb = NULL;
    uint64_t load = 0;

    SHOAL_ALLOC(ctx, members, n->kept[bucket]);
    SHOAL_ALLOC(ctx, climb, solution->points->lanes->count);
    for (size_t first = 0, end = 0; first < n->kept[bucket]; first = end) {
        end = find_run(n->left, items, first, n->kept[bucket], &load);
        for (size_t i = first; i < end; i++) {
            members[i] = n->left->points[items[i].item];
            o->is_taken[items[i].item] = 1;
        }
        shoal_i_solution_group_as(o->solution, *--numbers, members + first, end - first, climb);
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    free(members);
    free(climb);
    return st;
}

shoal_status shoal_i_node_cells_open(shoal_ctx *ctx, const shoal_i_node_cells *cells,
                                     shoal_i_solution *solution, uint8_t *is_taken,
                                     size_t *taken)
{
    shoal_status st = SHOAL_OK;
    opening o = {.cells = cells, .solution = solution, .is_taken = is_taken};

    for (size_t bucket = 0; bucket < SHOAL_I_KEY_BUCKETS; bucket++) {
        o.firsts[bucket + 1] = o.firsts[bucket] + cells->cells[bucket];
        *taken += cells->kept[bucket];
    }
    SHOAL_TRY(shoal_i_parallel_for(ctx, SHOAL_I_KEY_BUCKETS, open_bucket, &o));
    solution->number_count -= o.firsts[SHOAL_I_KEY_BUCKETS];
done:
    return st;
}

void shoal_i_node_cells_clear(shoal_i_node_cells *cells)
{
    free(cells->items);
    free(cells->places);
    *cells = (shoal_i_node_cells){0};
}
