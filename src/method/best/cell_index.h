/* cell_index.h -- cells and prices at hand while some points are put together in another way.
 *
 * A cell_index knows, for each point, the cells it is in. A greedy takes some points and opens
 * cells among them, those worth most first, with prices that differ from one greedy to the
 * next.
 */
#ifndef SHOAL_I_CELL_INDEX_H
#define SHOAL_I_CELL_INDEX_H

#include "../../base/random.h"
#include "../../lattice/prices.h"
#include "point_neighbours.h"

typedef struct shoal_i_cell_index {
    const shoal_i_point_neighbours *points;
    const shoal_i_prices *prices;
    uint64_t smallest; /* class that can meet the requirement */
    uint32_t *first;   /* per point, and one more: where its cells start */
    uint32_t *cells;
} shoal_i_cell_index;

/* prices are borrowed. */
shoal_status shoal_i_cell_index_build(shoal_ctx *ctx, shoal_i_cell_index *cell_index,
                                      const shoal_i_point_neighbours *points,
                                      const shoal_i_prices *prices);
void shoal_i_cell_index_clear(shoal_i_cell_index *cell_index);

/* Points that may be bargained for at once, cells that may compete, and members of these in
 * all. */
#define SHOAL_I_GREEDY_POINTS 512
#define SHOAL_I_GREEDY_CELLS 128
#define SHOAL_I_GREEDY_MEMBERS 8192

/* A cell that competes. */
typedef struct shoal_i_rival_cell {
    int64_t worth; /* when it was looked at last: never more since */
    int32_t loss;
    int32_t favour; /* in 64ths: what its worth is multiplied by */
    uint32_t first; /* its members, highest price first */
    uint32_t count;
} shoal_i_rival_cell;

typedef struct shoal_i_cell_greedy {
    const shoal_i_cell_index *cell_index;
    shoal_i_random *random;
    int32_t share; /* in 64ths: what prices are multiplied by */
    int64_t least; /* worth of a cell that is opened */
    size_t point_count;
    uint32_t *points; /* highest price first */
    uint32_t *load;   /* per cell: records of the points; 0 between bargains */
    uint32_t *place;  /* per cell: its place among the rivals and 1 more; 0 between bargains */
    size_t touched_count;
    uint32_t *touched;
    size_t cell_count;
    shoal_i_rival_cell cells[SHOAL_I_GREEDY_CELLS];
    uint32_t *members;
    uint8_t *is_taken; /* per point; 0 between bargains */
    size_t wanted_count;
    uint32_t *wanted;
} shoal_i_cell_greedy;

shoal_status shoal_i_cell_greedy_init(shoal_ctx *ctx, shoal_i_cell_greedy *greedy,
                                      const shoal_i_cell_index *cell_index);
void shoal_i_cell_greedy_clear(shoal_i_cell_greedy *greedy);

/* Begin with so many points, at most SHOAL_I_GREEDY_POINTS. */
void shoal_i_cell_greedy_begin(shoal_i_cell_greedy *greedy, shoal_i_random *random,
                               const uint32_t *points, size_t count);

/* Open the next cell: its points become `wanted`. False when there is none. */
bool shoal_i_cell_greedy_next(shoal_i_cell_greedy *greedy);

void shoal_i_cell_greedy_end(shoal_i_cell_greedy *greedy);

#endif /* SHOAL_I_CELL_INDEX_H */
