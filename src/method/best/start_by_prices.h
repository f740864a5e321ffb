/* start_by_prices.h -- the first solution from cells of a lattice, those first that are worth
 * most at given prices. */
#ifndef SHOAL_I_START_BY_PRICES_H
#define SHOAL_I_START_BY_PRICES_H

#include "../../lattice/prices.h"
#include "solution.h"

/* Put points of a solution without groups into groups. Cells are those that the prices were
 * found with, then, for who is left, any of the lattice, again and again. share: by how much
 * prices are lowered, which favours cells that cost little. Points may be left over. Parallel,
 * the same on any number of threads. */
shoal_status shoal_i_solution_start_by_prices(shoal_ctx *ctx, shoal_i_solution *solution,
                                              shoal_i_cell_worth *cell_worth,
                                              shoal_i_prices *prices, double share);

#endif /* SHOAL_I_START_BY_PRICES_H */
