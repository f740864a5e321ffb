#include "bush.h"

#include "../base/fail.h"
#include "../base/sort.h"

#include <string.h>

#define LEAF_ITEMS 8
#define STACK_MAX 128 /* two nodes wait per level at most */

void shoal_i_bush_free(shoal_i_bush *bush)
{
    if (bush) {
        free(bush->item_at);
        free(bush->place_of);
        free(bush->boxes);
        free(bush->is_out);
        free(bush->nodes);
        free(bush->bounds);
        free(bush);
    }
}

/* --- Building. */

static bool is_leaf(const shoal_i_bush *bush, size_t node)
{
    return node >= bush->leaf_first;
}

static void bound_node(shoal_i_bush *bush, size_t node, const shoal_i_interval *boxes)
{
    shoal_i_interval *bounds = bush->bounds + node * bush->width;
    const shoal_i_bush_node *n = &bush->nodes[node];

    for (size_t c = 0; c < bush->width; c++) {
        bounds[c] = (shoal_i_interval){UINT32_MAX, 0};
    }
    for (size_t i = 0; i < n->count; i++) {
        const shoal_i_interval *box = boxes + bush->item_at[n->first + i] * bush->width;

        for (size_t c = 0; c < bush->width; c++) {
            bounds[c].lo = box[c].lo < bounds[c].lo ? box[c].lo : bounds[c].lo;
            bounds[c].hi = box[c].hi > bounds[c].hi ? box[c].hi : bounds[c].hi;
        }
    }
}

/* Twice the middle of an interval. */
static uint64_t find_middle(shoal_i_interval interval)
{
    return (uint64_t)interval.lo + interval.hi;
}

/* The column in which the middles of a node's items spread over most of the column's values. */
static size_t find_widest(const shoal_i_bush *bush, const shoal_i_quasi *quasi, size_t node,
                          const shoal_i_interval *boxes)
{
    const shoal_i_bush_node *n = &bush->nodes[node];
    size_t widest = 0;
    double most = -1;

    for (size_t c = 0; c < bush->width; c++) {
        uint64_t least = UINT64_MAX;
        uint64_t largest = 0;

        for (size_t i = 0; i < n->count; i++) {
            uint64_t middle = find_middle(boxes[bush->item_at[n->first + i] * bush->width + c]);

            least = middle < least ? middle : least;
            largest = middle > largest ? middle : largest;
        }
        double spread =
            n->count > 0 ? (double)(largest - least) / quasi->columns[c].value_count : 0;

        if (spread > most) {
            most = spread;
            widest = c;
        }
    }
    return widest;
}

/* Sort the items of a node along a column and give each child half of them. */
static void split_node(shoal_i_bush *bush, const shoal_i_quasi *quasi, size_t node,
                       const shoal_i_interval *boxes, shoal_i_sort_item *items)
{
    const shoal_i_bush_node *n = &bush->nodes[node];
    size_t column = find_widest(bush, quasi, node, boxes);
    uint32_t half = n->count / 2;

    for (size_t i = 0; i < n->count; i++) {
        uint32_t item = bush->item_at[n->first + i];

        items[i] = (shoal_i_sort_item){.key = find_middle(boxes[item * bush->width + column]),
                                       .item = item};
    }
    shoal_i_sort_items(items, items + n->count, n->count);
    for (size_t i = 0; i < n->count; i++) {
        bush->item_at[n->first + i] = items[i].item;
    }
    bush->nodes[2 * node + 1] = (shoal_i_bush_node){.first = n->first, .count = half};
    bush->nodes[2 * node + 2] =
        (shoal_i_bush_node){.first = n->first + half, .count = n->count - half};
}

static shoal_status grow(shoal_ctx *ctx, shoal_i_bush *bush, const shoal_i_quasi *quasi,
                         const shoal_i_interval *boxes)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sort_item *items = NULL;

    SHOAL_ALLOC(ctx, items, 2 * bush->count);
    for (size_t i = 0; i < bush->count; i++) {
        bush->item_at[i] = (uint32_t)i;
    }
    bush->nodes[0].count = (uint32_t)bush->count;
    for (size_t node = 0; node < bush->node_count; node++) {
        bound_node(bush, node, boxes);
        if (!is_leaf(bush, node)) {
            split_node(bush, quasi, node, boxes, items);
        }
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
    for (size_t place = 0; place < bush->count; place++) {
        bush->place_of[bush->item_at[place]] = (uint32_t)place;
        memcpy(bush->boxes + place * bush->width, boxes + bush->item_at[place] * bush->width,
               bush->width * sizeof *boxes);
    }
done:
    free(items);
    return st;
}

shoal_status shoal_i_bush_build(shoal_ctx *ctx, shoal_i_bush **out, const shoal_i_quasi *quasi,
                                const shoal_i_interval *boxes, size_t count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_bush *bush = NULL;
    size_t leaves = 1;
    size_t cells = 0;

    *out = NULL;
    while (leaves * LEAF_ITEMS < count) {
        leaves *= 2;
    }
    SHOAL_ALLOC(ctx, bush, 1);
    bush->count = count;
    bush->width = quasi->count;
    bush->leaf_first = leaves - 1;
    bush->node_count = 2 * leaves - 1;
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, count, bush->width));
    SHOAL_ALLOC(ctx, bush->item_at, count);
    SHOAL_ALLOC(ctx, bush->place_of, count);
    SHOAL_ALLOC(ctx, bush->boxes, cells);
    SHOAL_ALLOC(ctx, bush->is_out, count);
    SHOAL_ALLOC(ctx, bush->nodes, bush->node_count);
    SHOAL_ALLOC(ctx, bush->bounds, bush->node_count * bush->width);
    SHOAL_TRY(grow(ctx, bush, quasi, boxes));
    shoal_i_bush_reset(bush);
    *out = bush;
    bush = NULL;
done:
    shoal_i_bush_free(bush);
    return st;
}

/* --- Looking up. */

void shoal_i_bush_reset(shoal_i_bush *bush)
{
    memset(bush->is_out, 0, bush->count);
    for (size_t node = 0; node < bush->node_count; node++) {
        bush->nodes[node].left = bush->nodes[node].count;
    }
}

static size_t find_leaf(const shoal_i_bush *bush, size_t item)
{
    size_t place = bush->place_of[item];
    size_t node = 0;

    while (!is_leaf(bush, node)) {
        node = 2 * node + (place < bush->nodes[2 * node + 2].first ? 1 : 2);
    }
    return node;
}

void shoal_i_bush_take(shoal_i_bush *bush, size_t item)
{
    bush->is_out[bush->place_of[item]] = 1;
    for (size_t node = find_leaf(bush, item); node > 0; node = (node - 1) / 2) {
        bush->nodes[node].left--;
    }
    bush->nodes[0].left--;
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

static bool search_leaf(const shoal_i_bush *bush, const shoal_i_bush_search *search,
                        const shoal_i_bush_node *leaf)
{
    for (size_t place = leaf->first; place < (size_t)leaf->first + leaf->count; place++) {
        if ((search->with_all || !bush->is_out[place]) &&
            meets(bush->boxes + place * bush->width, search->box, bush->width) &&
            search->found(search->payload, bush->item_at[place])) {
            return true;
        }
    }
    return false;
}

static bool search_below(const shoal_i_bush *bush, const shoal_i_bush_search *search,
                         size_t top)
{
    size_t stack[STACK_MAX];
    size_t waiting = 0;

    stack[waiting++] = top;
    while (waiting > 0) {
        size_t node = stack[--waiting];
        const shoal_i_bush_node *n = &bush->nodes[node];

        if ((search->with_all ? n->count : n->left) == 0 ||
            !meets(bush->bounds + node * bush->width, search->box, bush->width)) {
            continue;
        }
        if (!is_leaf(bush, node)) {
            stack[waiting++] = 2 * node + 2;
            stack[waiting++] = 2 * node + 1;
        } else if (search_leaf(bush, search, n)) {
            return true;
        }
    }
    return false;
}

bool shoal_i_bush_find(const shoal_i_bush *bush, const shoal_i_bush_search *search)
{
    size_t node = search->from == SHOAL_I_NO_ITEM ? 0 : find_leaf(bush, search->from);

    if (search_below(bush, search, node)) {
        return true;
    }
    for (; node > 0; node = (node - 1) / 2) {
        if (search_below(bush, search, node % 2 == 1 ? node + 1 : node - 1)) {
            return true;
        }
    }
    return false;
}
