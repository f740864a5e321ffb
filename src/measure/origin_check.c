#include "origin_check.h"

#include "../base/fail.h"
#include "../base/sort.h"
#include "compatible.h"

static bool is_in_order(const shoal_i_release *parsed)
{
    const shoal_i_quasi *quasi = parsed->quasi;

    for (size_t row = 0; row < parsed->row_count; row++) {
        const shoal_i_interval *box =
            parsed->boxes + (size_t)parsed->box_of[row] * quasi->count;

        for (size_t c = 0; c < quasi->count; c++) {
            uint32_t code = shoal_i_quasi_code(quasi, c, row);

            if (code < box[c].lo || code > box[c].hi) {
                return false;
            }
        }
    }
    return true;
}

/* The first row of the boxes with rows that found no record. */
static size_t find_row(const shoal_i_release *parsed, const uint32_t *wants)
{
    size_t row = 0;

    while (wants[parsed->box_of[row]] == 0) {
        row++;
    }
    return row;
}

/* --- One column. */

typedef struct line {
    uint32_t *left;  /* records of each code that no row has taken */
    uint32_t *next;  /* from each code on, a code at or before the first with records left */
    uint32_t *wants; /* of each box: rows without a record */
    shoal_i_sort_item *items;
} line;

/* The first code from here on with records left; value_count: none. */
static uint32_t find_next(line *l, uint32_t code)
{
    uint32_t found = code;

    while (l->next[found] != found) {
        found = l->next[found];
    }
    while (l->next[code] != found) {
        uint32_t after = l->next[code];

        l->next[code] = found;
        code = after;
    }
    return found;
}

/* Give the rows of a box the lowest records left in it; how many find none. */
static uint32_t take_records(line *l, shoal_i_interval interval, uint32_t rows)
{
    for (uint32_t code = find_next(l, interval.lo); rows > 0 && code <= interval.hi;
         code = find_next(l, code)) {
        uint32_t taken = l->left[code] < rows ? l->left[code] : rows;

        l->left[code] -= taken;
        rows -= taken;
        if (l->left[code] == 0) {
            l->next[code] = code + 1;
        }
    }
    return rows;
}

static size_t match_line(line *l, const shoal_i_release *parsed, size_t c)
{
    size_t width = parsed->quasi->count;
    uint32_t values = parsed->quasi->columns[c].value_count;
    size_t lost = 0;

    for (size_t row = 0; row < shoal_table_row_count(parsed->quasi->table); row++) {
        l->left[shoal_i_quasi_code(parsed->quasi, c, row)]++;
    }
    for (uint32_t code = 0; code <= values; code++) {
        l->next[code] = code < values && l->left[code] == 0 ? code + 1 : code;
    }
    for (uint32_t b = 0; b < parsed->box_count; b++) {
        l->items[b] = (shoal_i_sort_item){.key = parsed->boxes[b * width + c].hi, .item = b};
    }
    shoal_i_sort_items(l->items, l->items + parsed->box_count, parsed->box_count);
    for (size_t i = 0; i < parsed->box_count; i++) {
        uint32_t b = l->items[i].item;

        l->wants[b] = take_records(l, parsed->boxes[b * width + c], parsed->box_sizes[b]);
        lost += l->wants[b];
    }
    return lost;
}

static shoal_status check_column(shoal_ctx *ctx, shoal_i_origin_verdict *out,
                                 const shoal_i_release *parsed, size_t c)
{
    shoal_status st = SHOAL_OK;
    size_t values = parsed->quasi->columns[c].value_count;
    line l = {0};

    SHOAL_ALLOC(ctx, l.left, values + 1);
    SHOAL_ALLOC(ctx, l.next, values + 1);
    SHOAL_ALLOC(ctx, l.wants, parsed->box_count);
    SHOAL_ALLOC(ctx, l.items, 2 * parsed->box_count);
    *out = (shoal_i_origin_verdict){.lost = match_line(&l, parsed, c), .column = c};
    if (out->lost > 0) {
        out->row = find_row(parsed, l.wants);
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    free(l.left);
    free(l.next);
    free(l.wants);
    free(l.items);
    return st;
}

/* --- All columns. */

static shoal_status check_whole(shoal_ctx *ctx, shoal_i_origin_verdict *out,
                                const shoal_i_release *parsed)
{
    shoal_status st = SHOAL_OK;
    shoal_i_compatible *graph = NULL;

    *out = (shoal_i_origin_verdict){.column = SHOAL_I_ORIGIN_ALL};
    SHOAL_TRY(shoal_i_compatible_build(ctx, &graph, parsed));
    SHOAL_TRY(shoal_i_compatible_match(ctx, graph, &out->lost, NULL));
    if (out->lost > 0) {
        for (size_t slot = 0; slot < graph->record_count; slot++) {
            if (graph->box_in[slot] != SHOAL_I_NO_ITEM) {
                graph->sizes[graph->box_in[slot]]--;
            }
        }
        out->row = find_row(parsed, graph->sizes);
    }
done:
    shoal_i_compatible_free(graph);
    return st;
}

shoal_status shoal_i_origin_check(shoal_ctx *ctx, shoal_i_origin_verdict *out,
                                  const shoal_i_release *parsed, size_t whole)
{
    shoal_status st = SHOAL_OK;

    *out = (shoal_i_origin_verdict){.column = SHOAL_I_ORIGIN_ALL};
    if (is_in_order(parsed)) {
        return SHOAL_OK;
    }
    for (size_t c = 0; c < parsed->quasi->count && out->lost == 0; c++) {
        SHOAL_TRY(check_column(ctx, out, parsed, c));
    }
    if (out->lost == 0 && shoal_table_row_count(parsed->quasi->table) <= whole) {
        SHOAL_TRY(check_whole(ctx, out, parsed));
    }
done:
    return st;
}
