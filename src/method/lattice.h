/* lattice.h -- nodes of the lattice of levels, cheapest first. */
#ifndef SHOAL_I_LATTICE_H
#define SHOAL_I_LATTICE_H

#include "scales.h"
#include "solution.h"

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

/* All nodes when there are at most `most`, with fewer levels for numbers if need be; else
 * those on so many ways through the lattice along which records find groups early. Parallel. */
shoal_status shoal_i_lattice_build(shoal_ctx *ctx, shoal_i_lattice **out,
                                   const shoal_i_site *site, size_t most, size_t walks);
void shoal_i_lattice_free(shoal_i_lattice *lattice);

/* Put points of a solution without groups into groups: cells of the lattice, cheapest first. Points
 * may be left over. Parallel, the same on any number of threads. */
shoal_status shoal_i_solution_weave(shoal_ctx *ctx, shoal_i_solution *solution,
                                    const shoal_i_lattice *lattice);

#endif /* SHOAL_I_LATTICE_H */
