/* cell_merge.h -- the better of two states of the same cells, place by place.
 *
 * Two states that come from different random numbers are often the same here and there, and
 * where they differ now one and now the other is cheaper. Cells hang together in which points
 * are that change places between the two; what hangs together can be taken from either state,
 * whatever is done elsewhere, since no cell gains or loses records of two such places:
 *
 *     one     [a a][b b b] . [c c]    [d d d]
 *     other   [a a b b][b] . [c c]    [d][d d]      two places, the cheaper of each is taken
 */
#ifndef SHOAL_I_CELL_MERGE_H
#define SHOAL_I_CELL_MERGE_H

#include "open_cells.h"

/* Take over from another state what is cheaper there. The records of point i are first[i] to
 * first[i + 1] - 1; cell_of and other, per record, are cells of the pool or its shelter. Which
 * records of a point are in which cell does not matter; where all of a point are in one cell in
 * both states, they stay together. */
shoal_status shoal_i_cell_merge(shoal_ctx *ctx, const shoal_i_cell_pool *pool,
                                const uint32_t *first, uint32_t *cell_of,
                                const uint32_t *other);

#endif /* SHOAL_I_CELL_MERGE_H */
