/* long_search.h -- searching from several starts. */
#ifndef SHOAL_I_LONG_SEARCH_H
#define SHOAL_I_LONG_SEARCH_H

#include "solution.h"

/* Improve a solution as long as normal effort would, do the same from other starts, and spend
 * what is left of the limit on the best, which *solution becomes. Other starts are groups grown
 * from near points and, where the lattice of levels is small enough for what may be spent,
 * cells opened by prices (start_by_prices.h); the search then goes on with these at hand
 * (cell_index.h). Where every box is a cell and sizes are all that counts, as much again is
 * spent on cells opened by annealing (anneal_cells.h). Never makes it worse. */
shoal_status shoal_i_search_long(shoal_ctx *ctx, shoal_i_solution **solution, uint64_t key,
                                 shoal_i_search_limit limit, shoal_i_meter *meter);

#endif /* SHOAL_I_LONG_SEARCH_H */
