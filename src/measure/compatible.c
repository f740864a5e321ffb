#include "compatible.h"

#include "../base/fail.h"
#include "../base/sort.h"

#include <string.h>

#define LEAF_ITEMS 16
#define STACK_MAX 128 /* two nodes wait per level at most */

void shoal_i_compatible_free(shoal_i_compatible *graph)
{
    if (graph) {
        free(graph->record_of);
        free(graph->codes);
        free(graph->row_of);
        free(graph->is_removed);
        free(graph->nodes);
        free(graph->points);
        free(graph->unions);
        free(graph);
    }
}

/* --- Building. */

static bool is_leaf(const shoal_i_compatible *graph, size_t node)
{
    return node >= graph->leaf_first;
}

static void bound_points(shoal_i_compatible *graph, size_t node, const uint32_t *codes)
{
    shoal_i_interval *bounds = graph->points + node * graph->width;
    const shoal_i_compatible_node *n = &graph->nodes[node];

    for (size_t c = 0; c < graph->width; c++) {
        bounds[c] = (shoal_i_interval){UINT32_MAX, 0};
    }
    for (size_t i = 0; i < n->count; i++) {
        const uint32_t *point = codes + graph->record_of[n->first + i] * graph->width;

        for (size_t c = 0; c < graph->width; c++) {
            bounds[c].lo = point[c] < bounds[c].lo ? point[c] : bounds[c].lo;
            bounds[c].hi = point[c] > bounds[c].hi ? point[c] : bounds[c].hi;
        }
    }
}

/* The column in which the records of a node spread over most of the column's values. */
static size_t find_widest(const shoal_i_compatible *graph, size_t node)
{
    const shoal_i_interval *bounds = graph->points + node * graph->width;
    size_t widest = 0;
    double most = -1;

    for (size_t c = 0; c < graph->width; c++) {
        double spread = bounds[c].hi < bounds[c].lo
                            ? 0
                            : (double)(bounds[c].hi - bounds[c].lo) /
                                  graph->parsed->quasi->columns[c].value_count;

        if (spread > most) {
            most = spread;
            widest = c;
        }
    }
    return widest;
}

/* Sort the records of a node along a column and give each child half of them. */
static void split_node(shoal_i_compatible *graph, size_t node, const uint32_t *codes,
                       shoal_i_sort_item *items)
{
    const shoal_i_compatible_node *n = &graph->nodes[node];
    size_t column = find_widest(graph, node);
    uint32_t half = n->count / 2;

    for (size_t i = 0; i < n->count; i++) {
        uint32_t record = graph->record_of[n->first + i];

        items[i] =
            (shoal_i_sort_item){.key = codes[record * graph->width + column], .item = record};
    }
    shoal_i_sort_items(items, items + n->count, n->count);
    for (size_t i = 0; i < n->count; i++) {
        graph->record_of[n->first + i] = items[i].item;
    }
    graph->nodes[2 * node + 1] = (shoal_i_compatible_node){.first = n->first, .count = half};
    graph->nodes[2 * node + 2] =
        (shoal_i_compatible_node){.first = n->first + half, .count = n->count - half};
}

static void load_codes(uint32_t *codes, const shoal_i_compatible *graph)
{
    const shoal_i_quasi *quasi = graph->parsed->quasi;

    for (size_t i = 0; i < graph->count; i++) {
        for (size_t c = 0; c < graph->width; c++) {
            codes[i * graph->width + c] = shoal_i_quasi_code(quasi, c, i);
        }
    }
}

static shoal_status grow_tree(shoal_ctx *ctx, shoal_i_compatible *graph)
{
    shoal_status st = SHOAL_OK;
    uint32_t *codes = NULL;
    shoal_i_sort_item *items = NULL;

    SHOAL_ALLOC(ctx, codes, graph->count * graph->width);
    SHOAL_ALLOC(ctx, items, 2 * graph->count);
    load_codes(codes, graph);
    for (size_t i = 0; i < graph->count; i++) {
        graph->record_of[i] = (uint32_t)i;
    }
    graph->nodes[0].count = (uint32_t)graph->count;
    for (size_t node = 0; node < graph->node_count; node++) {
        bound_points(graph, node, codes);
        if (!is_leaf(graph, node)) {
            split_node(graph, node, codes, items);
        }
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
    for (size_t i = 0; i < graph->count; i++) {
        memcpy(graph->codes + i * graph->width, codes + graph->record_of[i] * graph->width,
               graph->width * sizeof *codes);
    }
done:
    free(codes);
    free(items);
    return st;
}

shoal_status shoal_i_compatible_build(shoal_ctx *ctx, shoal_i_compatible **out,
                                      const shoal_i_release *parsed)
{
    shoal_status st = SHOAL_OK;
    shoal_i_compatible *graph = NULL;
    size_t leaves = 1;
    size_t cells = 0;

    *out = NULL;
    SHOAL_ALLOC(ctx, graph, 1);
    graph->parsed = parsed;
    graph->count = parsed->row_count;
    graph->width = parsed->quasi->count;
    while (leaves * LEAF_ITEMS < graph->count) {
        leaves *= 2;
    }
    graph->leaf_first = leaves - 1;
    graph->node_count = 2 * leaves - 1;
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, graph->count, graph->width));
    SHOAL_ALLOC(ctx, graph->record_of, graph->count);
    SHOAL_ALLOC(ctx, graph->codes, cells);
    SHOAL_ALLOC(ctx, graph->row_of, graph->count);
    SHOAL_ALLOC(ctx, graph->is_removed, graph->count);
    SHOAL_ALLOC(ctx, graph->nodes, graph->node_count);
    SHOAL_ALLOC(ctx, graph->points, graph->node_count * graph->width);
    SHOAL_ALLOC(ctx, graph->unions, graph->node_count * graph->width);
    SHOAL_TRY(grow_tree(ctx, graph));
    for (size_t i = 0; i < graph->count; i++) {
        graph->row_of[i] = SHOAL_I_NO_ITEM;
    }
    *out = graph;
    graph = NULL;
done:
    shoal_i_compatible_free(graph);
    return st;
}

static void bound_rows(shoal_i_compatible *graph, size_t node)
{
    const shoal_i_compatible_node *n = &graph->nodes[node];
    shoal_i_interval *bounds = graph->unions + node * graph->width;

    for (size_t c = 0; c < graph->width; c++) {
        bounds[c] = (shoal_i_interval){UINT32_MAX, 0};
    }
    for (size_t i = 0; i < n->count; i++) {
        const shoal_i_interval *box =
            shoal_i_compatible_box(graph, graph->row_of[n->first + i]);

        for (size_t c = 0; c < graph->width; c++) {
            bounds[c].lo = box[c].lo < bounds[c].lo ? box[c].lo : bounds[c].lo;
            bounds[c].hi = box[c].hi > bounds[c].hi ? box[c].hi : bounds[c].hi;
        }
    }
}

void shoal_i_compatible_attach(shoal_i_compatible *graph)
{
    for (size_t node = 0; node < graph->node_count; node++) {
        bound_rows(graph, node);
    }
}

/* --- Looking up. */

void shoal_i_compatible_reset(shoal_i_compatible *graph)
{
    memset(graph->is_removed, 0, graph->count);
    for (size_t node = 0; node < graph->node_count; node++) {
        graph->nodes[node].left = graph->nodes[node].count;
    }
}

/* The leaf of an item: down by the sizes of the nodes. */
static size_t find_leaf(const shoal_i_compatible *graph, size_t item)
{
    size_t node = 0;

    while (!is_leaf(graph, node)) {
        node = 2 * node + (item < graph->nodes[2 * node + 2].first ? 1 : 2);
    }
    return node;
}

void shoal_i_compatible_remove(shoal_i_compatible *graph, size_t item)
{
    size_t node = find_leaf(graph, item);

    graph->is_removed[item] = 1;
    for (; node > 0; node = (node - 1) / 2) {
        graph->nodes[node].left--;
    }
    graph->nodes[0].left--;
}

static bool holds(const shoal_i_interval *box, const uint32_t *point, size_t width)
{
    for (size_t c = 0; c < width; c++) {
        if (point[c] < box[c].lo || point[c] > box[c].hi) {
            return false;
        }
    }
    return true;
}

static bool meets(const shoal_i_interval *a, const shoal_i_interval *b, size_t width)
{
    for (size_t c = 0; c < width; c++) {
        if (a[c].hi < b[c].lo || b[c].hi < a[c].lo) {
            return false;
        }
    }
    return true;
}

/* Whether a node may hold what is sought. */
static bool is_worth(const shoal_i_compatible *graph, const shoal_i_compatible_search *search,
                     size_t node)
{
    if (graph->nodes[node].count == 0 ||
        (!search->with_removed && graph->nodes[node].left == 0)) {
        return false;
    }
    return search->box
               ? meets(graph->points + node * graph->width, search->box, graph->width)
               : holds(graph->unions + node * graph->width, search->point, graph->width);
}

static bool search_leaf(const shoal_i_compatible *graph,
                        const shoal_i_compatible_search *search, size_t leaf)
{
    const shoal_i_compatible_node *n = &graph->nodes[leaf];

    for (size_t item = n->first; item < (size_t)n->first + n->count; item++) {
        if (graph->is_removed[item] && !search->with_removed) {
            continue;
        }
        bool is_found =
            search->box ? holds(search->box, graph->codes + item * graph->width, graph->width)
                        : holds(shoal_i_compatible_box(graph, graph->row_of[item]),
                                search->point, graph->width);

        if (is_found && search->found(search->payload, item)) {
            return true;
        }
    }
    return false;
}

static bool search_below(const shoal_i_compatible *graph,
                         const shoal_i_compatible_search *search, size_t top)
{
    size_t stack[STACK_MAX];
    size_t waiting = 0;

    stack[waiting++] = top;
    while (waiting > 0) {
        size_t node = stack[--waiting];

        if (!is_worth(graph, search, node)) {
            continue;
        }
        if (!is_leaf(graph, node)) {
            stack[waiting++] = 2 * node + 2;
            stack[waiting++] = 2 * node + 1;
        } else if (search_leaf(graph, search, node)) {
            return true;
        }
    }
    return false;
}

bool shoal_i_compatible_find(const shoal_i_compatible *graph,
                             const shoal_i_compatible_search *search, size_t from)
{
    size_t node = from == SHOAL_I_NO_ITEM ? 0 : find_leaf(graph, from);

    if (search_below(graph, search, node)) {
        return true;
    }
    for (; node > 0; node = (node - 1) / 2) {
        size_t sibling = node % 2 == 1 ? node + 1 : node - 1;

        if (search_below(graph, search, sibling)) {
            return true;
        }
    }
    return false;
}
