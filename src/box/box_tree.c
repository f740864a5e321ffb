#include "box_tree.h"

#include "../base/fail.h"
#include "../base/sort.h"

#include <string.h>

#define LEAF_ITEMS 8
#define STACK_MAX 128 /* two nodes wait per level at most */

void shoal_i_box_tree_free(shoal_i_box_tree *tree)
{
    if (tree) {
        free(tree->item_at);
        free(tree->place_of);
        free(tree->boxes);
        free(tree->is_out);
        free(tree->nodes);
        free(tree->bounds);
        free(tree);
    }
}

/* --- Building. */

static bool is_leaf(const shoal_i_box_tree *tree, size_t node)
{
    return node >= tree->leaf_first;
}

static void bound_node(shoal_i_box_tree *tree, size_t node, const shoal_i_interval *boxes)
{
    shoal_i_interval *bounds = tree->bounds + node * tree->width;
    const shoal_i_box_tree_node *n = &tree->nodes[node];

    for (size_t c = 0; c < tree->width; c++) {
        bounds[c] = (shoal_i_interval){UINT32_MAX, 0};
    }
    for (size_t i = 0; i < n->count; i++) {
        const shoal_i_interval *box = boxes + tree->item_at[n->first + i] * tree->width;

        for (size_t c = 0; c < tree->width; c++) {
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
static size_t find_widest(const shoal_i_box_tree *tree, const shoal_i_quasi *quasi, size_t node,
                          const shoal_i_interval *boxes)
{
    const shoal_i_box_tree_node *n = &tree->nodes[node];
    size_t widest = 0;
    double most = -1;

    for (size_t c = 0; c < tree->width; c++) {
        uint64_t least = UINT64_MAX;
        uint64_t largest = 0;

        for (size_t i = 0; i < n->count; i++) {
            uint64_t middle = find_middle(boxes[tree->item_at[n->first + i] * tree->width + c]);

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
static void split_node(shoal_i_box_tree *tree, const shoal_i_quasi *quasi, size_t node,
                       const shoal_i_interval *boxes, shoal_i_sort_item *items)
{
    const shoal_i_box_tree_node *n = &tree->nodes[node];
    size_t column = find_widest(tree, quasi, node, boxes);
    uint32_t half = n->count / 2;

    for (size_t i = 0; i < n->count; i++) {
        uint32_t item = tree->item_at[n->first + i];

        items[i] = (shoal_i_sort_item){.key = find_middle(boxes[item * tree->width + column]),
                                       .item = item};
    }
    shoal_i_sort_items(items, items + n->count, n->count);
    for (size_t i = 0; i < n->count; i++) {
        tree->item_at[n->first + i] = items[i].item;
    }
    tree->nodes[2 * node + 1] = (shoal_i_box_tree_node){.first = n->first, .count = half};
    tree->nodes[2 * node + 2] =
        (shoal_i_box_tree_node){.first = n->first + half, .count = n->count - half};
}

static shoal_status grow(shoal_ctx *ctx, shoal_i_box_tree *tree, const shoal_i_quasi *quasi,
                         const shoal_i_interval *boxes)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sort_item *items = NULL;

    SHOAL_ALLOC(ctx, items, 2 * tree->count);
    for (size_t i = 0; i < tree->count; i++) {
        tree->item_at[i] = (uint32_t)i;
    }
    tree->nodes[0].count = (uint32_t)tree->count;
    for (size_t node = 0; node < tree->node_count; node++) {
        bound_node(tree, node, boxes);
        if (!is_leaf(tree, node)) {
            split_node(tree, quasi, node, boxes, items);
        }
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
    for (size_t place = 0; place < tree->count; place++) {
        tree->place_of[tree->item_at[place]] = (uint32_t)place;
        memcpy(tree->boxes + place * tree->width, boxes + tree->item_at[place] * tree->width,
               tree->width * sizeof *boxes);
    }
done:
    free(items);
    return st;
}

shoal_status shoal_i_box_tree_build(shoal_ctx *ctx, shoal_i_box_tree **out,
                                    const shoal_i_quasi *quasi, const shoal_i_interval *boxes,
                                    size_t count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_box_tree *tree = NULL;
    size_t leaves = 1;
    size_t cells = 0;

    *out = NULL;
    while (leaves * LEAF_ITEMS < count) {
        leaves *= 2;
    }
    SHOAL_ALLOC(ctx, tree, 1);
    tree->count = count;
    tree->width = quasi->count;
    tree->leaf_first = leaves - 1;
    tree->node_count = 2 * leaves - 1;
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, count, tree->width));
    SHOAL_ALLOC(ctx, tree->item_at, count);
    SHOAL_ALLOC(ctx, tree->place_of, count);
    SHOAL_ALLOC(ctx, tree->boxes, cells);
    SHOAL_ALLOC(ctx, tree->is_out, count);
    SHOAL_ALLOC(ctx, tree->nodes, tree->node_count);
    SHOAL_ALLOC(ctx, tree->bounds, tree->node_count * tree->width);
    SHOAL_TRY(grow(ctx, tree, quasi, boxes));
    shoal_i_box_tree_reset(tree);
    *out = tree;
    tree = NULL;
done:
    shoal_i_box_tree_free(tree);
    return st;
}

/* --- Looking up. */

void shoal_i_box_tree_reset(shoal_i_box_tree *tree)
{
    memset(tree->is_out, 0, tree->count);
    for (size_t node = 0; node < tree->node_count; node++) {
        tree->nodes[node].left = tree->nodes[node].count;
    }
}

static size_t find_leaf(const shoal_i_box_tree *tree, size_t item)
{
    size_t place = tree->place_of[item];
    size_t node = 0;

    while (!is_leaf(tree, node)) {
        node = 2 * node + (place < tree->nodes[2 * node + 2].first ? 1 : 2);
    }
    return node;
}

void shoal_i_box_tree_take(shoal_i_box_tree *tree, size_t item)
{
    tree->is_out[tree->place_of[item]] = 1;
    for (size_t node = find_leaf(tree, item); node > 0; node = (node - 1) / 2) {
        tree->nodes[node].left--;
    }
    tree->nodes[0].left--;
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

static bool search_leaf(const shoal_i_box_tree *tree, const shoal_i_box_tree_search *search,
                        const shoal_i_box_tree_node *leaf)
{
    for (size_t place = leaf->first; place < (size_t)leaf->first + leaf->count; place++) {
        if ((search->with_all || !tree->is_out[place]) &&
            meets(tree->boxes + place * tree->width, search->box, tree->width) &&
            search->found(search->payload, tree->item_at[place])) {
            return true;
        }
    }
    return false;
}

static bool search_below(const shoal_i_box_tree *tree, const shoal_i_box_tree_search *search,
                         size_t top)
{
    size_t stack[STACK_MAX];
    size_t waiting = 0;

    stack[waiting++] = top;
    while (waiting > 0) {
        size_t node = stack[--waiting];
        const shoal_i_box_tree_node *n = &tree->nodes[node];

        if ((search->with_all ? n->count : n->left) == 0 ||
            !meets(tree->bounds + node * tree->width, search->box, tree->width)) {
            continue;
        }
        if (!is_leaf(tree, node)) {
            stack[waiting++] = 2 * node + 2;
            stack[waiting++] = 2 * node + 1;
        } else if (search_leaf(tree, search, n)) {
            return true;
        }
    }
    return false;
}

bool shoal_i_box_tree_find(const shoal_i_box_tree *tree, const shoal_i_box_tree_search *search)
{
    size_t node = search->from == SHOAL_I_NO_ITEM ? 0 : find_leaf(tree, search->from);

    if (search_below(tree, search, node)) {
        return true;
    }
    for (; node > 0; node = (node - 1) / 2) {
        if (search_below(tree, search, node % 2 == 1 ? node + 1 : node - 1)) {
            return true;
        }
    }
    return false;
}
