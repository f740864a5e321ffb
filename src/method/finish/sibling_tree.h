/* sibling_tree.h -- classes joined up to a few large parts, by their sizes and boxes alone.
 *
 *                 24                  a node is all records below it; they stand one after the
 *             12      12              other in `order`, those of its first child first
 *           6    6  6    6
 *
 * Only nodes of one size are joined: two by two, and three where their number is odd, so that
 * the children of every node are equally large (blind.h says what for). Small ones are joined
 * where that costs least. Those of at least `mixed` records are joined as a fixed shuffling has
 * it: so large they are not meant to become classes, and what is put together from anywhere is
 * more like the whole table. A node that is the only one of its size is a root. Roots of fewer
 * than twice as many records, which nothing has mixed, are put together into one that is a
 * leaf.
 */
#ifndef SHOAL_I_SIBLING_TREE_H
#define SHOAL_I_SIBLING_TREE_H

#include "../problem/method.h"
#include "../problem/span.h"

#define SHOAL_I_SIBLINGS_MAX 3

typedef struct shoal_i_sibling_node {
    size_t child_count; /* 0: a leaf */
    uint32_t children[SHOAL_I_SIBLINGS_MAX];
    shoal_i_span span; /* of its records in `order` */
} shoal_i_sibling_node;

typedef struct shoal_i_sibling_tree {
    size_t node_count; /* children before their parents */
    shoal_i_sibling_node *nodes;
    size_t root_count;
    uint32_t *roots;
    uint32_t *order; /* a permutation of the records */
} shoal_i_sibling_tree;

/* From the classes of a release; those of at least twice `size` records are first cut into
 * pieces of `size` records or few more. Everything follows from boxes, sizes, the order of the
 * records and the seed. O(n log n) and, within runs of some thousand classes, the square of
 * their number. {0} may be cleared, and is to be after a failure. */
shoal_status shoal_i_sibling_tree_build(shoal_ctx *ctx, shoal_i_sibling_tree *out,
                                        const shoal_i_release *classes, size_t size,
                                        size_t mixed, uint64_t seed);
void shoal_i_sibling_tree_clear(shoal_i_sibling_tree *tree);

#endif /* SHOAL_I_SIBLING_TREE_H */
