#include "priced_cells.h"

#include "../base/fail.h"
#include "../base/pool.h"
#include "../base/sort.h"

#include <string.h>

/* Cells one task finds the points of. */
#define CHUNK 16

void shoal_i_priced_cells_clear(shoal_i_priced_cells *cells)
{
    for (size_t i = 0; i < cells->count; i++) {
        free(cells->cells[i].points);
    }
    free(cells->cells);
    cells->cells = NULL;
    cells->count = 0;
    cells->capacity = 0;
}

static bool is_before(const shoal_i_priced_cell *a, const shoal_i_priced_cell *b)
{
    return a->node != b->node ? a->node < b->node : a->key < b->key;
}

/* Whether a cell is among the first `count`, which are in order. */
static bool is_known(const shoal_i_priced_cells *cells, size_t count,
                     const shoal_i_priced_cell *cell)
{
    size_t first = 0;
    size_t end = count;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (is_before(&cells->cells[middle], cell)) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first < count && !is_before(cell, &cells->cells[first]);
}

static shoal_status make_room(shoal_ctx *ctx, shoal_i_priced_cells *cells, size_t count)
{
    if (cells->count + count > cells->capacity) {
        size_t capacity = 2 * cells->capacity + count;
        shoal_i_priced_cell *grown =
            shoal_i_realloc(ctx, cells->cells, capacity, sizeof *grown);

        if (!grown) {
            return SHOAL_ENOMEM;
        }
        cells->cells = grown;
        cells->capacity = capacity;
    }
    return SHOAL_OK;
}

/* Append the cells of best_cells that are not known, each once and without its points; samples
 * gets the place of somebody who best_cell for each. */
static shoal_status append_cells(shoal_ctx *ctx, shoal_i_priced_cells *cells, uint32_t *samples,
                                 const shoal_i_best_cell *best_cells, size_t count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;
    size_t known = cells->count;
    size_t best_count = 0;

    SHOAL_ALLOC(ctx, items, count);
    SHOAL_ALLOC(ctx, scratch, count);
    for (size_t i = 0; i < count; i++) {
        if (best_cells[i].node != SHOAL_I_NO_NODE) {
            items[best_count++] =
                (shoal_i_sort_item){.key = best_cells[i].key, .item = (uint32_t)i};
        }
    }
    shoal_i_sort_items(items, scratch, best_count);
    for (size_t i = 0; i < best_count; i++) {
        items[i].key = best_cells[items[i].item].node;
    }
    shoal_i_sort_items(items, scratch, best_count);
    SHOAL_TRY(make_room(ctx, cells, best_count));
    for (size_t i = 0; i < best_count; i++) {
        const shoal_i_best_cell *best_cell = &best_cells[items[i].item];
        shoal_i_priced_cell cell = {.node = best_cell->node, .key = best_cell->key};
        const shoal_i_priced_cell *last =
            cells->count > known ? &cells->cells[cells->count - 1] : NULL;

        if ((!last || is_before(last, &cell)) && !is_known(cells, known, &cell)) {
            samples[cells->count - known] = items[i].item;
            cells->cells[cells->count++] = cell;
        }
    }
done:
    free(items);
    free(scratch);
    return st;
}

/* --- Who is in them. ---------------------------------------------------------------------- */

typedef struct census {
    shoal_i_priced_cells *cells;
    const shoal_i_cell_hunt *hunt; /* or */
    size_t known;                  /* cells before the new ones */
    const uint32_t *samples;
    const shoal_i_near_cell *near; /* of which the samples are numbers; NULL: of the points */
    const uint32_t *points;
    size_t count;
} census;

/* Fill `found` with the points that are one with the sample at the node of a cell, column after
 * column. */
static size_t find_members(const census *w, const shoal_i_priced_cell *cell, uint32_t sample,
                           uint32_t *found)
{
    const shoal_i_scales *scales = w->cells->lattice->scales;
    const uint8_t *node = shoal_i_lattice_node(w->cells->lattice, cell->node);
    size_t count = w->count;

    memcpy(found, w->points, count * sizeof *found);
    for (size_t c = 0; c < scales->column_count; c++) {
        const shoal_i_scale_column *column = &scales->columns[c];
        const uint64_t *keys = column->keys + node[c] * column->value_count;
        const uint32_t *values = scales->values + c * scales->point_count;
        uint64_t key = keys[values[sample]];
        size_t kept = 0;

        for (size_t i = 0; i < count && node[c] + 1u < column->level_count; i++) {
            found[kept] = found[i];
            kept += keys[values[found[i]]] == key;
        }
        count = node[c] + 1u < column->level_count ? kept : count;
    }
    return count;
}

static int32_t find_loss(const shoal_i_lattice *lattice, const uint8_t *node, uint32_t point)
{
    const shoal_i_scales *scales = lattice->scales;
    int32_t loss = 0;

    for (size_t c = 0; c < scales->column_count; c++) {
        const shoal_i_scale_column *column = &scales->columns[c];

        loss += column->losses[node[c] * column->value_count +
                               scales->values[c * scales->point_count + point]];
    }
    return loss;
}

static shoal_status fill_some(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    census *w = payload;
    size_t first = w->known + index * CHUNK;
    uint32_t *found = NULL;

    SHOAL_ALLOC(ctx, found, w->count);
    for (size_t i = first; i < first + CHUNK && i < w->cells->count; i++) {
        shoal_i_priced_cell *cell = &w->cells->cells[i];
        uint32_t number = w->samples[i - w->known];
        uint32_t sample = w->near ? w->near[number].point : w->points[number];

        cell->count = (uint32_t)find_members(w, cell, sample, found);
        cell->loss = find_loss(w->cells->lattice,
                               shoal_i_lattice_node(w->cells->lattice, cell->node), sample);
        SHOAL_ALLOC(ctx, cell->points, cell->count);
        memcpy(cell->points, found, cell->count * sizeof *found);
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    free(found);
    return st;
}

/* Merge the new cells, in order, into the known ones, in order. */
static shoal_status merge_new(shoal_ctx *ctx, shoal_i_priced_cells *cells, size_t known)
{
    shoal_status st = SHOAL_OK;
    size_t added = cells->count - known;
    shoal_i_priced_cell *fresh = NULL;

    SHOAL_ALLOC(ctx, fresh, added);
    memcpy(fresh, cells->cells + known, added * sizeof *fresh);
    for (size_t to = cells->count; added > 0;) {
        if (known > 0 && is_before(&fresh[added - 1], &cells->cells[known - 1])) {
            cells->cells[--to] = cells->cells[--known];
        } else {
            cells->cells[--to] = fresh[--added];
        }
    }
done:
    free(fresh);
    return st;
}

/* Add the cells of w->samples, whose room is for all that best_cells has. */
static shoal_status add_best(shoal_ctx *ctx, census *w, uint32_t *samples,
                             const shoal_i_best_cell *best_cells, size_t count)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(append_cells(ctx, w->cells, samples, best_cells, count));
    if (w->cells->count == w->known) {
        goto done;
    }
    w->samples = samples;
    SHOAL_TRY(shoal_i_parallel_for(ctx, (w->cells->count - w->known + CHUNK - 1) / CHUNK,
                                   fill_some, w));
    SHOAL_TRY(merge_new(ctx, w->cells, w->known));
done:
    return st;
}

shoal_status shoal_i_priced_cells_add(shoal_ctx *ctx, shoal_i_priced_cells *cells,
                                      const shoal_i_best_cell *best_cells,
                                      const uint32_t *points, size_t count)
{
    shoal_status st = SHOAL_OK;
    census w = {.cells = cells, .known = cells->count, .points = points, .count = count};
    uint32_t *samples = NULL;

    SHOAL_ALLOC(ctx, samples, count);
    SHOAL_TRY(add_best(ctx, &w, samples, best_cells, count));
done:
    free(samples);
    return st;
}

shoal_status shoal_i_priced_cells_add_near(shoal_ctx *ctx, shoal_i_priced_cells *cells,
                                           const shoal_i_near_cells *near, size_t members)
{
    shoal_status st = SHOAL_OK;
    size_t points = cells->lattice->scales->point_count;
    census w = {.cells = cells, .known = cells->count, .near = near->cells, .count = points};
    shoal_i_best_cell *best_cells = NULL;
    uint32_t *samples = NULL;
    uint32_t *all = NULL;
    size_t count = 0;

    SHOAL_ALLOC(ctx, all, points);
    for (uint32_t i = 0; i < points; i++) {
        all[i] = i;
    }
    w.points = all;
    SHOAL_ALLOC(ctx, best_cells, near->count);
    SHOAL_ALLOC(ctx, samples, near->count);
    for (; count < near->count && near->cells[count].count <= members; count++) {
        best_cells[count] = (shoal_i_best_cell){.worth = near->cells[count].worth,
                                                .key = near->cells[count].key,
                                                .node = near->cells[count].node};
        members -= near->cells[count].count;
    }
    SHOAL_TRY(add_best(ctx, &w, samples, best_cells, count));
done:
    free(best_cells);
    free(samples);
    free(all);
    return st;
}

/* --- From a hunt. ------------------------------------------------------------------------- */

static shoal_status fetch_some(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    census *w = payload;
    size_t first = w->known + index * CHUNK;

    for (size_t i = first; i < first + CHUNK && i < w->cells->count; i++) {
        shoal_i_priced_cell *cell = &w->cells->cells[i];
        shoal_i_hunted_cell found = {0};

        SHOAL_TRY(shoal_i_cell_hunt_fetch(ctx, w->hunt, w->samples[i - w->known], &found));
        cell->loss = found.loss;
        cell->count = found.count;
        cell->points = found.points;
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    return st;
}

shoal_status shoal_i_priced_cells_add_hunted(shoal_ctx *ctx, shoal_i_priced_cells *cells,
                                             const shoal_i_cell_hunt *hunt)
{
    shoal_status st = SHOAL_OK;
    size_t count = shoal_i_cell_hunt_coverings(hunt)->points->count;
    census w = {.cells = cells, .known = cells->count, .hunt = hunt};
    shoal_i_best_cell *best_cells = NULL;
    uint32_t *samples = NULL;

    SHOAL_ALLOC(ctx, samples, count);
    SHOAL_ALLOC(ctx, best_cells, count);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t key = shoal_i_cell_hunt_best(hunt, i);

        best_cells[i] = (shoal_i_best_cell){.key = key, .node = key ? 0 : SHOAL_I_NO_NODE};
    }
    SHOAL_TRY(append_cells(ctx, cells, samples, best_cells, count));
    if (cells->count == w.known) {
        goto done;
    }
    w.samples = samples;
    SHOAL_TRY(shoal_i_parallel_for(ctx, (cells->count - w.known + CHUNK - 1) / CHUNK,
                                   fetch_some, &w));
    SHOAL_TRY(merge_new(ctx, cells, w.known));
done:
    free(samples);
    free(best_cells);
    return st;
}

shoal_status shoal_i_priced_cells_order(shoal_ctx *ctx, shoal_i_priced_cells *cells,
                                        const int32_t *prices)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;
    size_t most = 0;

    for (size_t i = 0; i < cells->count; i++) {
        most = cells->cells[i].count > most ? cells->cells[i].count : most;
    }
    SHOAL_ALLOC(ctx, items, most);
    SHOAL_ALLOC(ctx, scratch, most);
    for (size_t i = 0; i < cells->count; i++) {
        shoal_i_priced_cell *cell = &cells->cells[i];

        for (uint32_t j = 0; j < cell->count; j++) {
            items[j] =
                (shoal_i_sort_item){.key = (uint64_t)(INT32_MAX - prices[cell->points[j]]),
                                    .item = cell->points[j]};
        }
        shoal_i_sort_items(items, scratch, cell->count);
        for (uint32_t j = 0; j < cell->count; j++) {
            cell->points[j] = items[j].item;
        }
    }
done:
    free(items);
    free(scratch);
    return st;
}
