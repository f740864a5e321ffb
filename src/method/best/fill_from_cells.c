/* The first solution from cells of a lattice of levels, cheapest first.
 *
 * Nodes are taken in the order of the penalty of their cells, and every cell that meets the
 * requirement with the points left becomes a group: cheap cells may be large, and only the
 * points that no cheap cell holds go on to dearer ones. It is what full-domain recoding would
 * give if each record could choose its own level among those that hold for it.
 *
 * Most nodes have no such cell. Whether one may have is found by counting into slots by key;
 * points in slots that are full enough are then looked at closely. That is done for many nodes
 * at once, in parallel, with the points that are left before the first of them; then they are
 * opened in turn. Loads only shrink: whoever is not in a full slot at first is not in one
 * later, and whoever was taken in between is passed over. So it does not matter how many nodes
 * are looked at together. Nodes that take most of the points are looked at one at a time, each
 * by all threads (node_cells.h).
 */

#include "fill_from_cells.h"

#include "node_cells.h"
#include "unassigned_points.h"

#include "../../base/clock.h"
#include "../../base/fail.h"
#include "../../base/pool.h"
#include "../../base/sort.h"

#include <string.h>

/* Nodes looked at together at most. */
#define BATCH 128

/* A batch that took at least one of so many points that were left is followed by a smaller one,
 * since what was counted before is of less and less use; one of so many, by a larger one. */
#define OFTEN 3
#define SELDOM 12

/* What is found in a batch may not take more memory than so many times the points that are
 * left; of so many points, one node may have a quarter of them and all nodes one half. Others
 * are looked at again in turn, each by all threads. */
#define TIMES_BATCH 4
#define LARGE 65536
#define PARTS_NODE 4
#define PARTS_BATCH 2

/* Points of a node whose slots are full enough, by key. */
typedef struct candidates {
    size_t count;
    shoal_i_sort_item *items;
    bool are_left_out; /* there are too many of them to be kept */
} candidates;

/* What a thread needs to look at a node. */
typedef struct sight {
    uint64_t *keys; /* of the points left */
    shoal_i_slot *slots;
    size_t capacity; /* of items and of spare */
    shoal_i_sort_item *items;
    shoal_i_sort_item *spare;
} sight;

typedef struct filling {
    shoal_i_solution *solution;
    const shoal_i_point_neighbours *points;
    shoal_i_lattice *lattice;
    size_t first_node; /* of the batch */
    size_t end_node;
    candidates found[BATCH]; /* per node of the batch */
    size_t kept;             /* in all of them */
    shoal_i_unassigned unassigned;
    shoal_i_node_cells cells; /* of one that all threads look at */
    uint8_t *is_taken;        /* per point left before the batch */
    size_t sight_count;
    sight *sights;     /* per thread */
    uint32_t *members; /* of the cell that is being opened */
    int32_t *climb;
    shoal_i_tally tally;
} filling;

/* --- Looking at a node. ------------------------------------------------------------------- */

/* Points and slots only become fewer, so what there is goes on to be enough. */
static shoal_status sight_open_keys(shoal_ctx *ctx, sight *v, const shoal_i_unassigned *left)
{
    shoal_status st = SHOAL_OK;

    if (!v->keys) {
        SHOAL_ALLOC(ctx, v->keys, left->count);
    }
done:
    return st;
}

static shoal_status sight_open(shoal_ctx *ctx, sight *v, const shoal_i_unassigned *left)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(sight_open_keys(ctx, v, left));
    if (!v->slots) {
        SHOAL_ALLOC(ctx, v->slots, left->slot_count);
    }
done:
    return st;
}

static void sight_clear(sight *v)
{
    free(v->keys);
    free(v->slots);
    free(v->items);
    free(v->spare);
}

static shoal_status sight_reserve(shoal_ctx *ctx, sight *v, size_t count)
{
    shoal_status st = SHOAL_OK;

    if (count > v->capacity) {
        free(v->items);
        free(v->spare);
        v->items = NULL;
        v->spare = NULL;
        v->capacity = 0;
        SHOAL_ALLOC(ctx, v->items, count);
        SHOAL_ALLOC(ctx, v->spare, count);
        v->capacity = count;
    }
done:
    return st;
}

static bool is_full(const shoal_i_unassigned *left, const sight *v, size_t i)
{
    return v->slots[shoal_i_unassigned_slot(left, v->keys[i])] >= left->full;
}

static size_t count_full(const shoal_i_unassigned *left, const sight *v)
{
    size_t count = 0;

    for (size_t i = 0; i < left->count; i++) {
        count += is_full(left, v, i);
    }
    return count;
}

/* Sort the points left whose slots are full enough, so many, by key. */
static shoal_status sort_full(shoal_ctx *ctx, sight *v, const shoal_i_unassigned *left,
                              size_t count)
{
    shoal_status st = SHOAL_OK;
    size_t at = 0;

    SHOAL_TRY(sight_reserve(ctx, v, count + 1)); /* what is not full is written, too */
    for (size_t i = 0; i < left->count; i++) {
        v->items[at] = (shoal_i_sort_item){.key = v->keys[i], .item = (uint32_t)i};
        at += is_full(left, v, i);
    }
    shoal_i_sort_items(v->items, v->spare, count);
done:
    return st;
}

/* Whether so many candidates more fit into what a batch may keep. */
static bool fit(filling *w, size_t count)
{
    size_t left = w->unassigned.count;
    size_t most = left > LARGE ? left / PARTS_BATCH : TIMES_BATCH * left;

    return (left <= LARGE || count <= left / PARTS_NODE) &&
           __atomic_add_fetch(&w->kept, count, __ATOMIC_RELAXED) <= most;
}

/* Who is left out depends on which thread came first, what is opened does not. */
static shoal_status look_at_node(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    filling *w = payload;
    const shoal_i_unassigned *left = &w->unassigned;
    const uint8_t *node = shoal_i_lattice_node(w->lattice, w->first_node + index);
    candidates *found = &w->found[index];
    sight *v = &w->sights[ctx->worker];

    SHOAL_TRY(sight_open(ctx, v, left));
    if (shoal_i_unassigned_keys(left, v->keys, v->slots, node)) {
        size_t count = count_full(left, v);

        found->are_left_out = !fit(w, count);
        if (!found->are_left_out) {
            SHOAL_TRY(sort_full(ctx, v, left, count));
            SHOAL_ALLOC(ctx, found->items, count);
            memcpy(found->items, v->items, count * sizeof *found->items);
            found->count = count;
        }
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    return st;
}

/* --- Opening its cells. ------------------------------------------------------------------- */

/* Whether the first so many members make a group. */
static bool is_group(filling *w, size_t count)
{
    uint64_t load = 0;

    for (size_t i = 0; i < count; i++) {
        load += w->points->weights[w->members[i]];
    }
    if (load < w->unassigned.smallest || w->points->problem->source->active_count == 0) {
        return load >= w->unassigned.smallest;
    }
    shoal_i_tally_empty(&w->tally);
    for (size_t i = 0; i < count; i++) {
        shoal_i_point_tally(w->points, w->members[i], &w->tally);
    }
    return shoal_i_requirement_holds(w->points->problem->requirements, &w->tally.stats);
}

/* Make a group of those of a cell that are left, if they meet the requirement; returns how many
 * points it has. */
static size_t open_cell(filling *w, const shoal_i_sort_item *items, size_t count)
{
    size_t left = 0;

    for (size_t i = 0; i < count; i++) {
        w->members[left] = w->unassigned.points[items[i].item];
        left += !w->is_taken[items[i].item];
    }
    if (left == 0 || !is_group(w, left)) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        w->is_taken[items[i].item] = 1;
    }
    shoal_i_solution_group(w->solution, w->members, left, w->climb);
    return left;
}

/* Open the cells of a node that make groups; returns how many points they have. */
static size_t open_cells(filling *w, const shoal_i_sort_item *items, size_t count)
{
    size_t taken = 0;
    size_t first = 0;

    for (size_t i = 1; i <= count; i++) {
        if (i == count || items[i].key != items[first].key) {
            taken += open_cell(w, items + first, i - first);
            first = i;
        }
    }
    return taken;
}

/* Find the cells of a node by all threads, and open them. */
static shoal_status open_by_all(shoal_ctx *ctx, filling *w, size_t index, size_t *taken)
{
    shoal_status st = SHOAL_OK;
    const uint8_t *node = shoal_i_lattice_node(w->lattice, w->first_node + index);
    shoal_i_node_cells *cells = &w->cells;
    sight *v = &w->sights[ctx->worker];

    SHOAL_TRY(sight_open_keys(ctx, v, &w->unassigned));
    SHOAL_TRY(shoal_i_node_cells_find(ctx, cells, &w->unassigned, w->is_taken, node, v->keys));
    if (w->points->problem->source->active_count == 0) {
        SHOAL_TRY(shoal_i_node_cells_open(ctx, cells, w->solution, w->is_taken, taken));
        goto done;
    }
    for (size_t bucket = 0; bucket < SHOAL_I_KEY_BUCKETS; bucket++) {
        *taken += open_cells(w, cells->items + cells->starts[bucket], cells->kept[bucket]);
    }
done:
    return st;
}

/* Open a node of the batch, whose candidates may have to be found again. */
static shoal_status open_node(shoal_ctx *ctx, filling *w, size_t index, size_t *taken)
{
    shoal_status st = SHOAL_OK;
    candidates *found = &w->found[index];

    if (found->are_left_out) {
        SHOAL_TRY(open_by_all(ctx, w, index, taken));
    } else {
        *taken += open_cells(w, found->items, found->count);
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    free(found->items);
    *found = (candidates){0};
    return st;
}

static shoal_status filling_init(shoal_ctx *ctx, filling *w)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_point_neighbours *points = w->points;

    SHOAL_TRY(shoal_i_unassigned_init(ctx, &w->unassigned, points, w->lattice->scales));
    SHOAL_TRY(shoal_i_tally_init(ctx, &w->tally, points->problem->source));
    w->sight_count = (size_t)shoal_ctx_thread_count(ctx);
    SHOAL_ALLOC(ctx, w->sights, w->sight_count);
    SHOAL_ALLOC(ctx, w->is_taken, points->count);
    SHOAL_ALLOC(ctx, w->members, points->count);
    SHOAL_ALLOC(ctx, w->climb, points->lanes->count);
done:
    return st;
}

static void filling_clear(filling *w)
{
    shoal_i_unassigned_clear(&w->unassigned);
    shoal_i_node_cells_clear(&w->cells);
    shoal_i_tally_clear(&w->tally);
    for (size_t i = 0; i < BATCH; i++) {
        free(w->found[i].items);
    }
    for (size_t i = 0; w->sights && i < w->sight_count; i++) {
        sight_clear(&w->sights[i]);
    }
    free(w->sights);
    free(w->is_taken);
    free(w->members);
    free(w->climb);
}

/* Look at the nodes of a batch and open those that have cells; *taken: points of these. */
static shoal_status open_batch(shoal_ctx *ctx, filling *w, size_t *taken)
{
    shoal_status st = SHOAL_OK;
    size_t count = w->end_node - w->first_node;

    *taken = 0;
    w->kept = 0;
    memset(w->is_taken, 0, w->unassigned.count);
    if (count == 1) {
        w->found[0].are_left_out = true; /* one thread alone need not look at it first */
    } else {
        SHOAL_TRY(shoal_i_parallel_for(ctx, count, look_at_node, w));
    }
    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(open_node(ctx, w, i, taken));
    }
    if (*taken > 0) {
        SHOAL_TRY(shoal_i_unassigned_sweep(ctx, &w->unassigned, w->is_taken));
    }
done:
    return st;
}

shoal_status shoal_i_solution_fill_from_cells(shoal_ctx *ctx, shoal_i_solution *solution,
                                              shoal_i_lattice *lattice, double deadline)
{
    shoal_status st = SHOAL_OK;
    filling w = {.solution = solution, .points = solution->points, .lattice = lattice};
    size_t most = 1;

    SHOAL_TRY(filling_init(ctx, &w));
    while (w.end_node < lattice->count && w.unassigned.count > 0 &&
           !shoal_i_clock_is_over(deadline)) {
        size_t nodes = lattice->count - w.end_node;
        size_t left = w.unassigned.count;
        size_t taken = 0;

        w.first_node = w.end_node;
        w.end_node += nodes < most ? nodes : most;
        SHOAL_TRY(open_batch(ctx, &w, &taken));
        if (most > 1 && taken * OFTEN >= left) {
            most /= 2;
        } else if (most < BATCH && taken * SELDOM < left) {
            most *= 2;
        }
    }
done:
    filling_clear(&w);
    return st;
}
