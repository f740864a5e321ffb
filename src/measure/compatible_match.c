/* A perfect matching of rows and records: first each row takes a free record, small boxes first,
 * then rows that found none look for one by alternating paths. In a phase no record is tried twice;
 * phases go on until all rows are matched or none of them found anything. */
#include "compatible.h"

#include "../base/fail.h"
#include "../base/sort.h"

#include <math.h>

typedef struct matching {
    shoal_i_compatible *graph;
    uint32_t *open; /* rows without a record */
    size_t open_count;
    uint32_t *path_rows;  /* of the path under way */
    uint32_t *path_items; /* the item by which each of them was left */
    size_t found;         /* item that the search has come to */
} matching;

static bool take_first(void *payload, size_t item)
{
    ((matching *)payload)->found = item;
    return true;
}

static bool find_item(matching *m, size_t row)
{
    shoal_i_compatible_search search = {
        .box = shoal_i_compatible_box(m->graph, row), .found = take_first, .payload = m};

    return shoal_i_compatible_find(m->graph, &search, SHOAL_I_NO_ITEM);
}

/* Take over what the caller knows, as far as it is true. */
static shoal_status take_known(shoal_ctx *ctx, matching *m, const uint32_t *row_order)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_compatible *graph = m->graph;
    uint32_t *item_of = NULL;

    SHOAL_ALLOC(ctx, item_of, graph->count);
    for (size_t item = 0; item < graph->count; item++) {
        item_of[graph->record_of[item]] = (uint32_t)item;
    }
    for (uint32_t row = 0; row < graph->count; row++) {
        const shoal_i_interval *box = shoal_i_compatible_box(graph, row);
        size_t item = row_order[row] < graph->count ? item_of[row_order[row]] : SHOAL_I_NO_ITEM;
        bool is_true = item != SHOAL_I_NO_ITEM && graph->row_of[item] == SHOAL_I_NO_ITEM;

        for (size_t c = 0; is_true && c < graph->width; c++) {
            uint32_t code = graph->codes[item * graph->width + c];

            is_true = box[c].lo <= code && code <= box[c].hi;
        }
        if (is_true) {
            graph->row_of[item] = row;
        } else {
            m->open[m->open_count++] = row;
        }
    }
done:
    free(item_of);
    return st;
}

/* All rows, those with small boxes first: they have the least choice. */
static shoal_status list_by_size(shoal_ctx *ctx, matching *m)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_compatible *graph = m->graph;
    shoal_i_sort_item *items = NULL;

    SHOAL_ALLOC(ctx, items, 2 * graph->count);
    for (uint32_t row = 0; row < graph->count; row++) {
        const shoal_i_interval *box = shoal_i_compatible_box(graph, row);
        double bits = 0;

        for (size_t c = 0; c < graph->width; c++) {
            bits += log2((double)(box[c].hi - box[c].lo) + 1);
        }
        items[row] = (shoal_i_sort_item){.key = (uint64_t)(bits * 1024), .item = row};
    }
    shoal_i_sort_items(items, items + graph->count, graph->count);
    for (size_t i = 0; i < graph->count; i++) {
        m->open[m->open_count++] = items[i].item;
    }
done:
    free(items);
    return st;
}

/* Give each open row a record that nobody has, where there is one. */
static shoal_status match_greedily(shoal_ctx *ctx, matching *m)
{
    shoal_status st = SHOAL_OK;
    size_t count = m->open_count;

    shoal_i_compatible_reset(m->graph);
    for (size_t item = 0; item < m->graph->count; item++) {
        if (m->graph->row_of[item] != SHOAL_I_NO_ITEM) {
            shoal_i_compatible_remove(m->graph, item);
        }
    }
    m->open_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t row = m->open[i];

        if (find_item(m, row)) {
            m->graph->row_of[m->found] = row;
            shoal_i_compatible_remove(m->graph, m->found);
        } else {
            m->open[m->open_count++] = row;
        }
        if (i % 1024 == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
done:
    return st;
}

/* Depth first from an open row: over a record not tried yet to the row that has it, until
 * one that nobody has; then each row of the path takes the record by which it was left. */
static bool augment(matching *m, uint32_t start)
{
    size_t depth = 0;

    m->path_rows[0] = start;
    for (;;) {
        if (!find_item(m, m->path_rows[depth])) {
            if (depth == 0) {
                return false;
            }
            depth--;
            continue;
        }
        shoal_i_compatible_remove(m->graph, m->found);
        m->path_items[depth] = (uint32_t)m->found;
        if (m->graph->row_of[m->found] == SHOAL_I_NO_ITEM) {
            break;
        }
        m->path_rows[depth + 1] = m->graph->row_of[m->found];
        depth++;
    }
    for (size_t i = 0; i <= depth; i++) {
        m->graph->row_of[m->path_items[i]] = m->path_rows[i];
    }
    return true;
}

static shoal_status run_phases(shoal_ctx *ctx, matching *m)
{
    shoal_status st = SHOAL_OK;
    size_t before = m->open_count + 1;

    while (m->open_count > 0 && m->open_count < before) {
        size_t count = m->open_count;

        before = count;
        m->open_count = 0;
        shoal_i_compatible_reset(m->graph);
        for (size_t i = 0; i < count; i++) {
            if (!augment(m, m->open[i])) {
                m->open[m->open_count++] = m->open[i];
            }
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
done:
    return st;
}

shoal_status shoal_i_compatible_match(shoal_ctx *ctx, shoal_i_compatible *graph, size_t *left,
                                      const uint32_t *row_order)
{
    shoal_status st = SHOAL_OK;
    matching m = {.graph = graph};

    *left = graph->count;
    SHOAL_ALLOC(ctx, m.open, graph->count);
    SHOAL_ALLOC(ctx, m.path_rows, graph->count + 1);
    SHOAL_ALLOC(ctx, m.path_items, graph->count + 1);
    if (row_order) {
        SHOAL_TRY(take_known(ctx, &m, row_order));
    } else {
        SHOAL_TRY(list_by_size(ctx, &m));
    }
    SHOAL_TRY(match_greedily(ctx, &m));
    SHOAL_TRY(run_phases(ctx, &m));
    *left = m.open_count;
done:
    free(m.open);
    free(m.path_rows);
    free(m.path_items);
    return st;
}
