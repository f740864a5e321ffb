/* cell_chain.h -- one chain of trials over sets of open cells, for annealing.
 *
 * A trial opens a cell that some point would gain in, closes a cell, closes one and opens up to
 * three around its points, or lets a point that was kept back go where it is cheaper; it is
 * undone when the cost rises by more than a random threshold of mean T. Most trials are refused
 * after one pass over the points of a cell, which takes about a microsecond.
 *
 * The swap is what matters most: closing a cell alone costs far more than what solutions differ
 * by, so that a chain that is warm enough for it cannot tell good solutions from bad ones.
 */
#ifndef SHOAL_I_CELL_CHAIN_H
#define SHOAL_I_CELL_CHAIN_H

#include "../../base/random.h"
#include "open_cells.h"

typedef struct shoal_i_cell_chain {
    shoal_i_open_cells cells; /* as they are now */
    shoal_i_random random;
    int64_t least;  /* the least cost seen when the state was kept */
    uint32_t *best; /* per point: the cell it is in there */
} shoal_i_cell_chain;

/* All points in the shelter, nothing kept. The pool is borrowed. */
shoal_status shoal_i_cell_chain_init(shoal_ctx *ctx, shoal_i_cell_chain *chain,
                                     const shoal_i_cell_pool *pool);
void shoal_i_cell_chain_clear(shoal_i_cell_chain *chain);

/* T at the beginning of an annealing, where records lose so much on average; and after so much
 * of it, from 0 to 1. */
int64_t shoal_i_cell_warmth(double loss, uint64_t smallest);
int64_t shoal_i_cell_cooled(int64_t warmest, double progress);

/* Keep the state if it is the cheapest so far. */
void shoal_i_cell_chain_keep(shoal_i_cell_chain *chain);

/* Make so many trials, and keep the state now and then and at the end. */
void shoal_i_cell_chain_run(shoal_i_cell_chain *chain, int64_t temper, size_t trials);

#endif /* SHOAL_I_CELL_CHAIN_H */
