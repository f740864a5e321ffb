/* nodes.h -- nodes of the lattice of levels, cheapest first. */
#ifndef SHOAL_I_NODES_H
#define SHOAL_I_NODES_H

#include "scales.h"

typedef struct shoal_i_lattice {
    shoal_i_scales *scales;
    size_t count;
    size_t capacity;
    uint8_t *nodes; /* one level per column, node after node, in the order of their penalty; the
                       last holds all points in one cell */
} shoal_i_lattice;

static inline const uint8_t *shoal_i_lattice_node(const shoal_i_lattice *lattice, size_t i)
{
    return lattice->nodes + i * lattice->scales->column_count;
}

/* All nodes when there are at most `most`, with fewer levels for numbers if need be; else none,
 * with all levels. */
shoal_status shoal_i_lattice_list(shoal_ctx *ctx, shoal_i_lattice **out,
                                  const shoal_i_distinct *points, size_t most);
void shoal_i_lattice_free(shoal_i_lattice *lattice);

/* Add a node, whose column `raised` is a level higher unless it is SIZE_MAX, at the end. */
shoal_status shoal_i_lattice_add(shoal_ctx *ctx, shoal_i_lattice *lattice, const uint8_t *node,
                                 size_t raised);

/* Put the nodes in the order of their penalty. */
shoal_status shoal_i_lattice_order(shoal_ctx *ctx, shoal_i_lattice *lattice);

#endif /* SHOAL_I_NODES_H */
