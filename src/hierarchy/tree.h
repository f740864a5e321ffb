/* tree.h -- how a hierarchy is laid out in memory.
 *
 * Nodes lie in depth-first order in one array, labels in one block of bytes. What a look-up
 * must answer at once is tabulated when the tree is built:
 *
 *     children    the children of every node, node after node
 *     leaf_nodes  leaf -> node
 *     levels      (depth, leaf) -> ancestor, for the depths between root and deepest leaf
 *     closest     a run of leaves -> closest common ancestor
 *     index       label -> node
 */
#ifndef SHOAL_I_TREE_H
#define SHOAL_I_TREE_H

#include <shoal/hierarchy.h>

#include "../base/fail.h"
#include "closest.h"
#include "label_index.h"

/* Nodes are counted in 32 bits; the limit also keeps one tree below about 16 GB. */
#define SHOAL_I_NODES_MAX ((size_t)1 << 28)

typedef struct shoal_i_node {
    const char *label; /* NUL-terminated, in the block of labels */
    uint32_t label_length;
    uint32_t parent;
    uint32_t first; /* leaf */
    uint32_t last;
    uint32_t children; /* where its children start; the next node's start is their end */
    uint8_t depth;
    uint8_t height;
} shoal_i_node;

struct shoal_hierarchy {
    size_t node_count;
    size_t leaf_count;
    shoal_i_node *nodes; /* one more than node_count, so that every node has a next */
    char *labels;
    uint32_t *children;
    uint32_t *leaf_nodes;
    uint32_t *leaf_of_code;
    uint32_t *code_of_leaf;
    uint32_t *levels; /* row d - 1 holds the ancestors at depth d, for 1 <= d < height */
    shoal_i_closest closest;
    shoal_i_label_index index;
    double *weights; /* of every node; NULL: none was given */
};

static inline bool shoal_i_node_is_leaf(const shoal_hierarchy *h, uint32_t node)
{
    return h->nodes[node].height == 0;
}

/* Give groups weights while the hierarchy is not yet anybody else's. As
 * shoal_hierarchy_build_weighted; after a failure it is good for nothing but free. */
shoal_status shoal_i_hierarchy_set_weights(shoal_ctx *ctx, shoal_hierarchy *h,
                                           const shoal_group_weight *weights, size_t count);

/* Copy the labels, which still point at the caller's, into one block. */
shoal_status shoal_i_tree_copy_labels(shoal_ctx *ctx, shoal_hierarchy *h);

/* Fill the index. SHOAL_EINVAL: a group without a label, or labels of more than one node. */
shoal_status shoal_i_tree_index_labels(shoal_ctx *ctx, shoal_hierarchy *h);

#endif /* SHOAL_I_TREE_H */
