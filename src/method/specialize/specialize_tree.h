/* specialize_tree.h -- columns as trees to go down.
 *
 * The hierarchy of a categorical column; for numbers without a hierarchy halves of halves of
 * their sorted values, or all values directly below the root.
 */
#ifndef SHOAL_I_SPECIALIZE_TREE_H
#define SHOAL_I_SPECIALIZE_TREE_H

#include "../problem/method.h"

/* A quasi column as a tree. Nodes have ids that are unique within a depth. */
typedef struct shoal_i_branching {
    const shoal_hierarchy *hierarchy; /* categorical; NULL: numeric */
    size_t value_count;
    int height;
    size_t id_count; /* ids are below */
    /* of the node above a code at depth d >= 1: [(d - 1) * value_count + code] */
    uint32_t *ids;
} shoal_i_branching;

shoal_status shoal_i_branching_init(shoal_ctx *ctx, shoal_i_branching *out,
                                    const shoal_i_quasi_column *column, bool in_halves);
void shoal_i_branching_clear(shoal_i_branching *branching);

/* The ids of all codes at a depth from 1 on. */
const uint32_t *shoal_i_branching_ids(const shoal_i_branching *branching, int depth);

/* The depth of the closest common ancestor of two codes. */
int shoal_i_branching_common_depth(const shoal_i_branching *branching, uint32_t lo,
                                   uint32_t hi);

/* Whether there is nothing below a code's node at a depth. */
bool shoal_i_branching_is_bottom(const shoal_i_branching *branching, uint32_t code, int depth);

#endif /* SHOAL_I_SPECIALIZE_TREE_H */
