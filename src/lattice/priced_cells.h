/* priced_cells.h -- some cells of a lattice with the points in them. */
#ifndef SHOAL_I_PRICED_CELLS_H
#define SHOAL_I_PRICED_CELLS_H

#include "cell_hunt.h"
#include "cell_worth.h"

typedef struct shoal_i_priced_cell {
    uint32_t node;
    uint64_t key;
    int32_t loss; /* of a record in it */
    uint32_t count;
    uint32_t *points;
} shoal_i_priced_cell;

typedef struct shoal_i_priced_cells {
    const shoal_i_lattice *lattice;
    size_t count;
    size_t capacity;
    shoal_i_priced_cell *cells;
} shoal_i_priced_cells;

void shoal_i_priced_cells_clear(shoal_i_priced_cells *cells);

/* Add the cells that the points best_cell for and that are not there yet. best_cells[i] is that
 * of points[i]; only these points become members. Parallel. */
shoal_status shoal_i_priced_cells_add(shoal_ctx *ctx, shoal_i_priced_cells *cells,
                                      const shoal_i_best_cell *best_cells,
                                      const uint32_t *points, size_t count);

/* Add cells that are worth nearly something and not there yet, the first of them as long as
 * all have no more than so many points together. All points are members. Parallel. */
shoal_status shoal_i_priced_cells_add_near(shoal_ctx *ctx, shoal_i_priced_cells *cells,
                                           const shoal_i_near_cells *near, size_t members);

/* Add the best cells of all points after a hunt, with the points that matter: those that pay
 * most. */
shoal_status shoal_i_priced_cells_add_hunted(shoal_ctx *ctx, shoal_i_priced_cells *cells,
                                             const shoal_i_cell_hunt *hunt);

/* Put the points of each cell into the order of their prices, highest first. */
shoal_status shoal_i_priced_cells_order(shoal_ctx *ctx, shoal_i_priced_cells *cells,
                                        const int32_t *prices);

#endif /* SHOAL_I_PRICED_CELLS_H */
