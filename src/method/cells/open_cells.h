/* open_cells.h -- which cells are open, who is in which, and what it costs to change that.
 *
 * Where every box that can be published is a cell of the lattice, putting records into classes
 * is choosing the cells that are open: everybody then goes to the cheapest open cell around
 * him, as long as each has k records. So a search can go through sets of open cells, of which
 * there are far fewer than ways to put records together:
 *
 *     open a cell    whoever pays more takes it; a cell that would keep fewer than k of its
 *                    records closes or keeps some back, whichever costs less; if the new one
 *                    has fewer than k, it absorbs a cheaper cell, or cells with more than k
 *                    lend it some, whichever costs less
 *     close a cell   its points go to the next cheapest open cell around each
 *
 * All records of a cell pay the same. So what opening would cost is found by counting, for each
 * cell that points would come from, how many they are: one pass over the points of the new
 * cell. For that each point knows the cheapest open cell besides its own, and each cell what
 * closing it would cost.
 *
 * Points that no open cell holds are in the shelter, dearer than any cell, which may have any
 * number of records. The last cells of a pool may be as open as that: cells of a larger table
 * that have enough records already, of points that are not looked at. Points are not divided.
 */
#ifndef SHOAL_I_OPEN_CELLS_H
#define SHOAL_I_OPEN_CELLS_H

#include "../../lattice/priced_cells.h"

/* The cells that may be opened, for any number of open_cells to look at. The cell number
 * cell_count is the shelter. */
typedef struct shoal_i_cell_pool {
    size_t point_count;
    const uint32_t *weights; /* records of each point */
    uint64_t smallest;       /* class */
    size_t cell_count;
    size_t closable; /* cells from this one on are always open, with any number of records */
    const shoal_i_priced_cell *cells;
    uint32_t *first;    /* per point, and one more: where its cells start */
    uint32_t *cells_of; /* cheapest first */
} shoal_i_cell_pool;

/* What a record pays that no open cell holds: it joins some class in the end, all of which then
 * pays more. */
#define SHOAL_I_SHELTER_LOSS (3 * SHOAL_I_PENALTY_ONE)

/* What a record of a cell loses, or one in the shelter. */
static inline int32_t shoal_i_cell_pool_loss(const shoal_i_cell_pool *pool, uint32_t cell)
{
    return cell < pool->cell_count ? pool->cells[cell].loss : SHOAL_I_SHELTER_LOSS;
}

/* Find the cells of each point, of a pool that has all but these: points and cells are
 * borrowed. */
shoal_status shoal_i_cell_pool_index(shoal_ctx *ctx, shoal_i_cell_pool *pool);
void shoal_i_cell_pool_clear(shoal_i_cell_pool *pool);

/* A step that can be taken back. */
typedef struct shoal_i_cell_step {
    uint32_t point; /* that moved; SHOAL_I_NO_STEP_POINT: the cell was opened or closed */
    uint32_t cell;  /* it came from */
} shoal_i_cell_step;

#define SHOAL_I_NO_STEP_POINT UINT32_MAX
#define SHOAL_I_NO_CELL UINT32_MAX

typedef struct shoal_i_open_cells {
    const shoal_i_cell_pool *pool;
    int64_t cost;      /* of all records */
    int32_t *losses;   /* of all cells, the shelter's too */
    uint32_t *cell_of; /* per point */
    uint32_t
        *second;     /* per point: the cheapest open cell besides, maybe cheaper than its own */
    uint64_t *loads; /* per cell: records */
    int64_t *closing; /* per cell: by how much the cost would rise if it were closed */
    uint8_t *is_open;
    size_t open_count; /* the shelter among them */
    uint32_t *open;
    uint32_t *place; /* per cell: where in `open` it is */
    size_t held_count;
    uint32_t *held;       /* points that would pay less in another open cell */
    uint32_t *held_place; /* per point: where among these, from 1; or 0 */
    size_t step_count;
    size_t step_most;
    shoal_i_cell_step *steps; /* since the last keep */
    uint64_t work;            /* points looked at */
    /* Of the cell that is looked at: cells that its points are in, and for each how many of
     * their records, and the part of its `closing` that is theirs. */
    size_t donor_count;
    uint32_t *donors;
    uint64_t *given;
    int64_t *given_closing;
    uint32_t *lenders; /* points */
    uint32_t absorbed; /* cell that opening the one judged last would close; or NO_CELL */
} shoal_i_open_cells;

/* All points in the shelter, and all cells closed that can be. The pool is borrowed. */
shoal_status shoal_i_open_cells_init(shoal_ctx *ctx, shoal_i_open_cells *cells,
                                     const shoal_i_cell_pool *pool);
void shoal_i_open_cells_clear(shoal_i_open_cells *cells);

/* Put each point of the shelter into a cell around it: cell_of, per point. */
void shoal_i_open_cells_place(shoal_i_open_cells *cells, const uint32_t *cell_of);

/* How many cells around a point are cheaper than the one it is in. */
uint32_t shoal_i_open_cells_count_cheaper(const shoal_i_open_cells *cells, uint32_t point);

/* By how much the cost would rise, about, if a closed cell were opened; INT64_MAX: it cannot
 * be. Cells that close at the same time may be counted on. */
int64_t shoal_i_open_cells_judge(shoal_i_open_cells *cells, uint32_t cell);

/* Open a closed cell, in the way found when it was judged last; false: it cannot be, and what
 * was done on the way is to be undone. */
bool shoal_i_open_cells_open(shoal_i_open_cells *cells, uint32_t cell);

/* Close an open cell that can be: the cost rises by `closing`. */
void shoal_i_open_cells_close(shoal_i_open_cells *cells, uint32_t cell);

/* Let a point go to a cheaper open cell, if the one it is in can do without it, or with another
 * in its place for which that costs less. Keeps it. */
void shoal_i_open_cells_settle(shoal_i_open_cells *cells, uint32_t point);

/* Take back all since the last keep; or keep it. */
void shoal_i_open_cells_undo(shoal_i_open_cells *cells);
void shoal_i_open_cells_keep(shoal_i_open_cells *cells);

#endif /* SHOAL_I_OPEN_CELLS_H */
