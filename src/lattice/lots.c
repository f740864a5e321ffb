#include "lots.h"

#include "../base/fail.h"
#include "../base/pool.h"
#include "../base/sort.h"

#include <string.h>

/* Cells one task finds the points of. */
#define CHUNK 16

void shoal_i_lots_clear(shoal_i_lots *lots)
{
    for (size_t i = 0; i < lots->count; i++) {
        free(lots->lots[i].points);
    }
    free(lots->lots);
    lots->lots = NULL;
    lots->count = 0;
    lots->capacity = 0;
}

static bool is_before(const shoal_i_lot *a, const shoal_i_lot *b)
{
    return a->node != b->node ? a->node < b->node : a->key < b->key;
}

/* Whether a cell is among the first `count`, which are in order. */
static bool is_known(const shoal_i_lots *lots, size_t count, const shoal_i_lot *cell)
{
    size_t first = 0;
    size_t end = count;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (is_before(&lots->lots[middle], cell)) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first < count && !is_before(cell, &lots->lots[first]);
}

static shoal_status make_room(shoal_ctx *ctx, shoal_i_lots *lots, size_t count)
{
    if (lots->count + count > lots->capacity) {
        size_t capacity = 2 * lots->capacity + count;
        shoal_i_lot *grown = shoal_i_realloc(ctx, lots->lots, capacity, sizeof *grown);

        if (!grown) {
            return SHOAL_ENOMEM;
        }
        lots->lots = grown;
        lots->capacity = capacity;
    }
    return SHOAL_OK;
}

/* Append the cells of bids that are not known, each once and without its points; bidders gets the place of
 * somebody who bid for each. */
static shoal_status append_bids(shoal_ctx *ctx, shoal_i_lots *lots, uint32_t *bidders,
                                const shoal_i_bid *bids, size_t count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;
    size_t known = lots->count;
    size_t bid_count = 0;

    SHOAL_ALLOC(ctx, items, count);
    SHOAL_ALLOC(ctx, scratch, count);
    for (size_t i = 0; i < count; i++) {
        if (bids[i].node != SHOAL_I_NO_NODE) {
            items[bid_count++] = (shoal_i_sort_item){.key = bids[i].key, .item = (uint32_t)i};
        }
    }
    shoal_i_sort_items(items, scratch, bid_count);
    for (size_t i = 0; i < bid_count; i++) {
        items[i].key = bids[items[i].item].node;
    }
    shoal_i_sort_items(items, scratch, bid_count);
    SHOAL_TRY(make_room(ctx, lots, bid_count));
    for (size_t i = 0; i < bid_count; i++) {
        const shoal_i_bid *bid = &bids[items[i].item];
        shoal_i_lot cell = {.node = bid->node, .key = bid->key};
        const shoal_i_lot *last = lots->count > known ? &lots->lots[lots->count - 1] : NULL;

        if ((!last || is_before(last, &cell)) && !is_known(lots, known, &cell)) {
            bidders[lots->count - known] = items[i].item;
            lots->lots[lots->count++] = cell;
        }
    }
done:
    free(items);
    free(scratch);
    return st;
}

/* --- Who is in them. -------------------------------------------------------------------------------- */

typedef struct census {
    shoal_i_lots *lots;
    size_t known; /* cells before the new ones */
    const uint32_t *bidders;
    const uint32_t *points;
    size_t count;
} census;

/* Fill `found` with the points that are one with the bidder at the node of a cell, column after column. */
static size_t find_members(const census *w, const shoal_i_lot *cell, uint32_t bidder,
                           uint32_t *found)
{
    const shoal_i_scales *scales = w->lots->lattice->scales;
    const uint8_t *node = shoal_i_lattice_node(w->lots->lattice, cell->node);
    size_t count = w->count;

    memcpy(found, w->points, count * sizeof *found);
    for (size_t c = 0; c < scales->column_count; c++) {
        const shoal_i_scale_column *column = &scales->columns[c];
        const uint64_t *keys = column->keys + node[c] * column->value_count;
        const uint32_t *values = scales->values + c * scales->point_count;
        uint64_t key = keys[values[bidder]];
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
    for (size_t i = first; i < first + CHUNK && i < w->lots->count; i++) {
        shoal_i_lot *cell = &w->lots->lots[i];
        uint32_t bidder = w->points[w->bidders[i - w->known]];

        cell->count = (uint32_t)find_members(w, cell, bidder, found);
        cell->loss = find_loss(w->lots->lattice,
                               shoal_i_lattice_node(w->lots->lattice, cell->node), bidder);
        SHOAL_ALLOC(ctx, cell->points, cell->count);
        memcpy(cell->points, found, cell->count * sizeof *found);
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    free(found);
    return st;
}

/* Merge the new lots, in order, into the known ones, in order. */
static shoal_status merge_new(shoal_ctx *ctx, shoal_i_lots *lots, size_t known)
{
    shoal_status st = SHOAL_OK;
    size_t added = lots->count - known;
    shoal_i_lot *fresh = NULL;

    SHOAL_ALLOC(ctx, fresh, added);
    memcpy(fresh, lots->lots + known, added * sizeof *fresh);
    for (size_t to = lots->count; added > 0;) {
        if (known > 0 && is_before(&fresh[added - 1], &lots->lots[known - 1])) {
            lots->lots[--to] = lots->lots[--known];
        } else {
            lots->lots[--to] = fresh[--added];
        }
    }
done:
    free(fresh);
    return st;
}

shoal_status shoal_i_lots_add(shoal_ctx *ctx, shoal_i_lots *lots, const shoal_i_bid *bids,
                              const uint32_t *points, size_t count)
{
    shoal_status st = SHOAL_OK;
    census w = {.lots = lots, .known = lots->count, .points = points, .count = count};
    uint32_t *bidders = NULL;

    SHOAL_ALLOC(ctx, bidders, count);
    SHOAL_TRY(append_bids(ctx, lots, bidders, bids, count));
    if (lots->count == w.known) {
        goto done;
    }
    w.bidders = bidders;
    SHOAL_TRY(
        shoal_i_parallel_for(ctx, (lots->count - w.known + CHUNK - 1) / CHUNK, fill_some, &w));
    SHOAL_TRY(merge_new(ctx, lots, w.known));
done:
    free(bidders);
    return st;
}

shoal_status shoal_i_lots_order(shoal_ctx *ctx, shoal_i_lots *lots, const int32_t *prices)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;
    size_t most = 0;

    for (size_t i = 0; i < lots->count; i++) {
        most = lots->lots[i].count > most ? lots->lots[i].count : most;
    }
    SHOAL_ALLOC(ctx, items, most);
    SHOAL_ALLOC(ctx, scratch, most);
    for (size_t i = 0; i < lots->count; i++) {
        shoal_i_lot *lot = &lots->lots[i];

        for (uint32_t j = 0; j < lot->count; j++) {
            items[j] = (shoal_i_sort_item){
                .key = (uint64_t)(INT32_MAX - prices[lot->points[j]]), .item = lot->points[j]};
        }
        shoal_i_sort_items(items, scratch, lot->count);
        for (uint32_t j = 0; j < lot->count; j++) {
            lot->points[j] = items[j].item;
        }
    }
done:
    free(items);
    free(scratch);
    return st;
}
