/* The first solution from cells of a lattice of levels, cheapest first.
 *
 * Nodes are taken in the order of the penalty of their cells, and every cell that meets the
 * requirement with the points left becomes a group: cheap cells may be large, and only the
 * points that no cheap cell holds go on to dearer ones. It is what full-domain recoding would
 * give if each record could choose its own level among those that hold for it.
 *
 * Most nodes have no such cell. Whether one may have is found by counting into slots by key,
 * for many nodes at once and in parallel; slots that are full enough are then looked at
 * closely. Loads only shrink, so a node without a full slot stays without.
 */

#include "fill_from_cells.h"
#include "unassigned_points.h"

#include "../../base/fail.h"
#include "../../base/pool.h"
#include "../../base/sort.h"

#include <string.h>

/* Nodes looked at together at most, and by one task. */
#define BATCH 128
#define NODES_PER_TASK 8

/* A batch of which at least one node in so many has opened is followed by a smaller one, since
 * what was counted before they did is of less and less use; one in so many, by a larger one. */
#define OFTEN 4
#define SELDOM 16

typedef struct filling {
    shoal_i_solution *solution;
    const shoal_i_point_neighbours *points;
    const shoal_i_lattice *lattice;
    size_t first_node; /* of the batch */
    size_t end_node;
    bool is_promising[BATCH];
    shoal_i_unassigned unassigned;
    uint8_t *is_gone; /* per point */
    uint64_t *keys;   /* of the points left, at the node that is being opened */
    shoal_i_slot *slots;
    shoal_i_sort_item *items;
    shoal_i_sort_item *scratch;
    uint32_t *members; /* of the cell that is being opened */
    int32_t *climb;
    shoal_i_tally tally;
} filling;

static shoal_status look_at_nodes(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    filling *w = payload;
    shoal_i_slot *slots = NULL;
    size_t first = w->first_node + index * NODES_PER_TASK;

    SHOAL_ALLOC(ctx, slots, w->unassigned.slot_count);
    for (size_t i = first; i < first + NODES_PER_TASK && i < w->end_node; i++) {
        w->is_promising[i - w->first_node] = shoal_i_unassigned_count(
            &w->unassigned, slots, shoal_i_lattice_node(w->lattice, i));
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    free(slots);
    return st;
}

/* Whether the points left at items[first..end) make a group. */
static bool is_group(filling *w, size_t first, size_t end)
{
    uint64_t load = 0;

    for (size_t i = first; i < end; i++) {
        load += w->unassigned.weights[w->items[i].item];
    }
    if (load < w->unassigned.smallest || w->points->problem->source->active_count == 0) {
        return load >= w->unassigned.smallest;
    }
    shoal_i_tally_empty(&w->tally);
    for (size_t i = first; i < end; i++) {
        shoal_i_point_tally(w->points, w->unassigned.points[w->items[i].item], &w->tally);
    }
    return shoal_i_requirement_holds(w->points->problem->requirements, &w->tally.stats);
}

/* Make a group of the points left at items[first..end), and mark them as taken. */
static void open_cell(filling *w, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        w->members[i - first] = w->unassigned.points[w->items[i].item];
        w->is_gone[w->members[i - first]] = 1;
    }
    shoal_i_solution_group(w->solution, w->members, end - first, w->climb);
}

/* Fill items with the points left whose slots at a node are full enough, sorted by key. */
static size_t collect_full(filling *w, const uint8_t *node)
{
    const shoal_i_unassigned *left = &w->unassigned;
    size_t count = 0;

    if (!shoal_i_unassigned_keys(left, w->keys, w->slots, node)) {
        return 0;
    }
    for (size_t i = 0; i < left->count; i++) {
        w->items[count] = (shoal_i_sort_item){.key = w->keys[i], .item = (uint32_t)i};
        count += w->slots[shoal_i_unassigned_slot(left, w->keys[i])] >= left->full;
    }
    shoal_i_sort_items(w->items, w->scratch, count);
    return count;
}

/* Open the cells of a node that make groups; *opened counts the nodes that had any. */
static shoal_status open_cells(shoal_ctx *ctx, filling *w, const uint8_t *node, size_t *opened)
{
    shoal_status st = SHOAL_OK;
    size_t count = collect_full(w, node);
    size_t first = 0;
    bool is_open = false;

    for (size_t i = 1; i <= count; i++) {
        if (i == count || w->items[i].key != w->items[first].key) {
            if (is_group(w, first, i)) {
                open_cell(w, first, i);
                is_open = true;
            }
            first = i;
        }
    }
    if (is_open) {
        ++*opened;
        SHOAL_TRY(shoal_i_unassigned_sweep(ctx, &w->unassigned, w->is_gone));
    }
done:
    return st;
}

static shoal_status filling_init(shoal_ctx *ctx, filling *w)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_point_neighbours *points = w->points;

    SHOAL_TRY(shoal_i_unassigned_init(ctx, &w->unassigned, points, w->lattice->scales));
    SHOAL_TRY(shoal_i_tally_init(ctx, &w->tally, points->problem->source));
    SHOAL_ALLOC(ctx, w->is_gone, points->count);
    SHOAL_ALLOC(ctx, w->keys, points->count);
    SHOAL_ALLOC(ctx, w->slots, w->unassigned.slot_count);
    SHOAL_ALLOC(ctx, w->items, points->count);
    SHOAL_ALLOC(ctx, w->scratch, points->count);
    SHOAL_ALLOC(ctx, w->members, points->count);
    SHOAL_ALLOC(ctx, w->climb, points->lanes->count);
done:
    return st;
}

static void filling_clear(filling *w)
{
    shoal_i_unassigned_clear(&w->unassigned);
    shoal_i_tally_clear(&w->tally);
    free(w->is_gone);
    free(w->keys);
    free(w->slots);
    free(w->items);
    free(w->scratch);
    free(w->members);
    free(w->climb);
}

/* Look at the nodes of a batch and open those that may have cells; returns how many had. A
 * batch of one is opened at once. */
static shoal_status open_batch(shoal_ctx *ctx, filling *w, size_t *opened)
{
    shoal_status st = SHOAL_OK;
    size_t count = w->end_node - w->first_node;

    *opened = 0;
    w->is_promising[0] = true;
    if (count > 1) {
        SHOAL_TRY(shoal_i_parallel_for(ctx, (count + NODES_PER_TASK - 1) / NODES_PER_TASK,
                                       look_at_nodes, w));
    }
    for (size_t i = w->first_node; i < w->end_node; i++) {
        if (w->is_promising[i - w->first_node]) {
            SHOAL_TRY(open_cells(ctx, w, shoal_i_lattice_node(w->lattice, i), opened));
        }
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
done:
    return st;
}

shoal_status shoal_i_solution_fill_from_cells(shoal_ctx *ctx, shoal_i_solution *solution,
                                              const shoal_i_lattice *lattice)
{
    shoal_status st = SHOAL_OK;
    filling w = {.solution = solution, .points = solution->points, .lattice = lattice};
    size_t most = 1;

    SHOAL_TRY(filling_init(ctx, &w));
    while (w.end_node < lattice->count && w.unassigned.count > 0) {
        size_t left = lattice->count - w.end_node;
        size_t opened = 0;

        w.first_node = w.end_node;
        w.end_node += left < most ? left : most;
        SHOAL_TRY(open_batch(ctx, &w, &opened));
        if (most > 1 && opened * OFTEN >= most) {
            most /= 2;
        } else if (most < BATCH && opened * SELDOM < most) {
            most *= 2;
        }
    }
done:
    filling_clear(&w);
    return st;
}
