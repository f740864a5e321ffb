/* box_tree.h -- boxes in a tree of boxes, to look up those that meet a box.
 *
 * A point is a box too. So one tree finds the points in a box, and another the boxes around a
 * point. A search may be limited to a set of items, from which they are taken one by one, so
 * that a walk over a graph that is too large to be stored visits each of them once.
 *
 * A node has 32 children, a leaf 32 items. Their boxes lie side by side, column after column,
 * so that all are compared at once, and which of them meet is a word of 32 bits. Ends have 16
 * bits; codes of columns with more are shortened, and items that seem to meet are held against
 * their boxes then:
 *
 *     column 0: 32 lower ends, 32 upper ends    column 1: ...        of node 0, then of node 1
 *
 * Leaves come first, then the nodes above them, level by level; node i of a level stands above
 * nodes 32i to 32i + 31 of the level below. A set of items is a word for each node, too: a bit
 * for each child that has items in the set. A tree never changes once built; any number of
 * threads may search it.
 */
#ifndef SHOAL_I_BOX_TREE_H
#define SHOAL_I_BOX_TREE_H

#include "quasi.h"

#define SHOAL_I_NO_ITEM UINT32_MAX

#define SHOAL_I_BOX_TREE_FAN 32
#define SHOAL_I_BOX_TREE_LEVELS 7 /* 32 to the power of 7 is more than there can be items */

typedef struct shoal_i_box_tree {
    size_t count;
    size_t width;            /* intervals of a box */
    uint32_t *item_at;       /* place -> item */
    uint32_t *place_of;      /* item -> place */
    shoal_i_interval *boxes; /* of the items, place after place */
    size_t level_count;
    size_t level_first[SHOAL_I_BOX_TREE_LEVELS]; /* the first node of each level */
    size_t node_count;
    int16_t *ends;     /* node after node: of its children */
    uint8_t *shifts;   /* per column: bits that codes are shortened by */
    bool is_shortened; /* in some column */
} shoal_i_box_tree;

/* `boxes` holds count boxes of `width` intervals; copied. O(count log count). */
shoal_status shoal_i_box_tree_build(shoal_ctx *ctx, shoal_i_box_tree **out, size_t width,
                                    const shoal_i_interval *boxes, size_t count);
void shoal_i_box_tree_free(shoal_i_box_tree *tree);

static inline const shoal_i_interval *shoal_i_box_tree_box(const shoal_i_box_tree *tree,
                                                           size_t item)
{
    return tree->boxes + tree->place_of[item] * tree->width;
}

/* Sets of items: arrays of node_count words. All zero is the empty one; `fill` puts all items
 * in, `put` one, `take` takes one out. */
void shoal_i_box_tree_fill(const shoal_i_box_tree *tree, uint32_t *set);
void shoal_i_box_tree_put(const shoal_i_box_tree *tree, uint32_t *set, size_t item);
void shoal_i_box_tree_take(const shoal_i_box_tree *tree, uint32_t *set, size_t item);

/* Called for each item found; true ends the search. It may take this item out of the set. */
typedef bool (*shoal_i_box_tree_fn)(void *payload, size_t item);

typedef struct shoal_i_box_tree_search {
    const shoal_i_interval *box; /* that items must meet */
    const uint32_t *among;       /* the set of items that count; NULL: all */
    size_t from;                 /* item near which to begin; SHOAL_I_NO_ITEM: anywhere */
    shoal_i_box_tree_fn found;
    void *payload;
} shoal_i_box_tree_search;

/* Search from an item outwards, so that what lies near is found first. Whether `found` ended
 * it. */
bool shoal_i_box_tree_find(const shoal_i_box_tree *tree, const shoal_i_box_tree_search *search);

#endif /* SHOAL_I_BOX_TREE_H */
