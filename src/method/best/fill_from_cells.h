/* fill_from_cells.h -- the first solution from cells of a lattice of levels. */
#ifndef SHOAL_I_FILL_FROM_CELLS_H
#define SHOAL_I_FILL_FROM_CELLS_H

#include "../../lattice/nodes.h"
#include "solution.h"

/* The lattice of levels is looked at as a whole up to so many nodes, else along so many
 * walks. */
#define SHOAL_I_LATTICE_MOST 16384
#define SHOAL_I_LATTICE_WALKS 3

/* All nodes when there are at most `most`, with fewer levels for numbers if need be; else
 * those on so many ways through the lattice along which records find groups early. Parallel. */
shoal_status shoal_i_lattice_build(shoal_ctx *ctx, shoal_i_lattice **out,
                                   const shoal_i_point_neighbours *points, size_t most,
                                   size_t walks);

/* Put points of a solution without groups into groups: cells of the lattice, cheapest first,
 * until a deadline of shoal_i_clock_seconds (0: none). Points may be left over. The lattice is
 * used up: the values of its scales are gone. Parallel, the same on any number of threads
 * unless the deadline ends it. */
shoal_status shoal_i_solution_fill_from_cells(shoal_ctx *ctx, shoal_i_solution *solution,
                                              shoal_i_lattice *lattice, double deadline);

#endif /* SHOAL_I_FILL_FROM_CELLS_H */
