/* anneal_cells.h -- which cells to open, by annealing.
 *
 * Cells are opened and closed at random (open_cells.h), also if that costs a little more, less
 * and less so. A trial opens a cell that some point would gain in, closes a cell, closes one
 * and opens up to three around its points, or lets a point that was kept back go where it is
 * cheaper. Most trials are refused after one pass over the points of a cell, which takes about
 * a microsecond, so that a search of some seconds decides about every cell thousands of times.
 *
 * The swap is what matters most: closing a cell alone costs far more than what solutions differ
 * by, so that a chain that is warm enough for it cannot tell good solutions from bad ones.
 *
 * Several chains do the same with other random numbers, one on each thread; the cheapest state
 * of all is what counts. So the result does not depend on the number of threads.
 */
#ifndef SHOAL_I_ANNEAL_CELLS_H
#define SHOAL_I_ANNEAL_CELLS_H

#include "open_cells.h"
#include "solution.h"

/* Put the points of a solution without groups into groups: the open cells at the end. Points in
 * no open cell are left over. Sizes must be all that the requirement looks at. target: what
 * some solution costs, which tells how warm to begin. Parallel, the same on any number of
 * threads unless the deadline ends it. */
shoal_status shoal_i_solution_anneal_cells(shoal_ctx *ctx, shoal_i_solution *solution,
                                           const shoal_i_priced_cells *cells, int64_t target,
                                           uint64_t seed, shoal_i_search_limit limit,
                                           shoal_i_meter *meter);

#endif /* SHOAL_I_ANNEAL_CELLS_H */
