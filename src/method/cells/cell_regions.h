/* cell_regions.h -- open cells, region by region: some that are near each other are chosen
 * anew, the others stay.
 *
 * A chain over the whole table (cell_chain.h) ends a per cent or so above what can be
 * reached, and longer ones hardly lower: whatever is mended in one place is spoilt in another
 * as long as it is warm. So regions of some open cells are annealed by themselves, each from as
 * warm as the whole was, and what comes of it is kept if it is cheaper (region_part.h). A
 * region is what a closed cell would have to take its records from, and open cells near these.
 *
 * Regions are small problems that fit into the nearest cache, and after some looks at every
 * cell most of them are at their optimum.
 *
 * Some regions that share no open cell are annealed at a time, one on each thread. How many
 * depends on the table alone, so the result does not depend on the number of threads.
 */
#ifndef SHOAL_I_CELL_REGIONS_H
#define SHOAL_I_CELL_REGIONS_H

#include "../problem/effort.h"
#include "open_cells.h"

/* Make a state cheaper. Here the records of a point may be in different cells: those of point i
 * are first[i] to first[i + 1] - 1, and cell_of[record] is a cell of the pool around its point,
 * with enough records, or the shelter. warmest: T at first. Ends at the limit, or when every
 * cell was looked at some times in vain. Parallel, the same on any number of threads unless the
 * deadline ends it. */
shoal_status shoal_i_cell_regions_improve(shoal_ctx *ctx, const shoal_i_cell_pool *pool,
                                          const uint32_t *first, uint32_t *cell_of,
                                          int64_t warmest, uint64_t seed,
                                          shoal_i_search_limit limit, shoal_i_meter *meter);

#endif /* SHOAL_I_CELL_REGIONS_H */
