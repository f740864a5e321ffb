/* anneal_cells.h -- which cells to open, by annealing.
 *
 * Cells are opened and closed at random (cells/cell_chain.h), also if that costs a little more,
 * less and less so: a chain over the whole table, of some seconds, decides about every cell
 * thousands of times. Several chains do so with random numbers of their own, one on each
 * thread. The first begins with the cells of a solution: what was found by prices is right on
 * the whole, and much of that stays, however warm it becomes. The others begin with nothing,
 * which is now better and now worse.
 *
 * From what is cheapest of all, place by place (cells/cell_merge.h), it goes on region by
 * region (cells/cell_regions.h), which ends lower than chains that are as long, not least
 * because points are divided there: of many equal records only some are kept where they are
 * needed to make up k.
 *
 * Where a time is given, all of this is tried again with other random numbers as long as there
 * is some left, and the better is kept place by place: half a dozen tries together end lower
 * than one of six times as many steps.
 *
 * All do the same whatever the number of threads.
 */
#ifndef SHOAL_I_ANNEAL_CELLS_H
#define SHOAL_I_ANNEAL_CELLS_H

#include "../cells/open_cells.h"
#include "solution.h"

/* Put the points of a solution without groups into groups: the open cells at the end. from: a
 * solution of the same points, whole and complete. divides: after the chains it goes on region
 * by region, and the solution is divided in the end (solution.h), unless more cells are open
 * than there can be groups; else points are whole, and some may be left over. Sizes must be
 * all that the requirement looks at. Parallel, the same on any number of threads unless the
 * deadline ends it. */
shoal_status shoal_i_solution_anneal_cells(shoal_ctx *ctx, shoal_i_solution *solution,
                                           const shoal_i_priced_cells *cells,
                                           const shoal_i_solution *from, bool divides,
                                           uint64_t seed, shoal_i_search_limit limit,
                                           shoal_i_meter *meter);

#endif /* SHOAL_I_ANNEAL_CELLS_H */
