/* box_tree.h -- boxes in a tree of boxes, to look up those that meet a box.
 *
 * A point is a box too. So one tree finds the points in a box, and another the boxes around a
 * point. Items can be taken out, so that a walk over a graph that is too large to be stored
 * visits each of them once.
 */
#ifndef SHOAL_I_BOX_TREE_H
#define SHOAL_I_BOX_TREE_H

#include "quasi.h"

#define SHOAL_I_NO_ITEM UINT32_MAX

typedef struct shoal_i_box_tree_node {
    uint32_t first; /* place of its first item */
    uint32_t count;
    uint32_t left; /* items that are not taken out */
} shoal_i_box_tree_node;

/* Nodes are numbered as in a heap: those below node i are 2i + 1 and 2i + 2. */
typedef struct shoal_i_box_tree {
    size_t count;
    size_t width;            /* intervals of a box */
    uint32_t *item_at;       /* place -> item */
    uint32_t *place_of;      /* item -> place */
    shoal_i_interval *boxes; /* of the items, place after place */
    uint8_t *is_out;         /* per place */
    size_t leaf_first;       /* number of the first leaf */
    size_t node_count;
    shoal_i_box_tree_node *nodes;
    shoal_i_interval *bounds; /* node after node: the box around its items */
} shoal_i_box_tree;

/* `boxes` holds count boxes of as many intervals as the quasi-identifier has columns;
 * copied. */
shoal_status shoal_i_box_tree_build(shoal_ctx *ctx, shoal_i_box_tree **out,
                                    const shoal_i_quasi *quasi, const shoal_i_interval *boxes,
                                    size_t count);
void shoal_i_box_tree_free(shoal_i_box_tree *tree);

static inline const shoal_i_interval *shoal_i_box_tree_box(const shoal_i_box_tree *tree,
                                                           size_t item)
{
    return tree->boxes + tree->place_of[item] * tree->width;
}

/* Put all items back; take one out that is in. */
void shoal_i_box_tree_reset(shoal_i_box_tree *tree);
void shoal_i_box_tree_take(shoal_i_box_tree *tree, size_t item);

/* Called for each item found; true ends the search. */
typedef bool (*shoal_i_box_tree_fn)(void *payload, size_t item);

typedef struct shoal_i_box_tree_search {
    const shoal_i_interval *box; /* that items must meet */
    bool with_all;               /* those taken out too */
    size_t from;                 /* item near which to begin; SHOAL_I_NO_ITEM: anywhere */
    shoal_i_box_tree_fn found;
    void *payload;
} shoal_i_box_tree_search;

/* Search from an item outwards, so that what lies near is found first. Whether `found` ended
 * it.
 */
bool shoal_i_box_tree_find(const shoal_i_box_tree *tree, const shoal_i_box_tree_search *search);

#endif /* SHOAL_I_BOX_TREE_H */
