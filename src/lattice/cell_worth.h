/* cell_worth.h -- what cells of a lattice are worth at given prices.
 *
 * A price is what a record would pay for being in a class. A cell whose records lose `loss`
 * each when they are published as one class is worth, at best,
 *
 *     sum of (price - loss) over a set of at least k of its records,
 *
 * and the best set has all that pay more than the loss, and, if these are not k, those next in
 * price. So going through the points from the highest price to the lowest, once per node, finds
 * the worth of all its cells.
 */
#ifndef SHOAL_I_CELL_WORTH_H
#define SHOAL_I_CELL_WORTH_H

#include "nodes.h"

/* The cell, among those that a point is in and is asked about, that is worth most. */
typedef struct shoal_i_best_cell {
    int64_t worth;
    uint64_t key;
    uint32_t node; /* SHOAL_I_NO_NODE: none */
} shoal_i_best_cell;

#define SHOAL_I_NO_NODE UINT32_MAX

typedef struct shoal_i_cell_worth shoal_i_cell_worth;

/* lattice and points are borrowed. k: records of the smallest class. */
shoal_status shoal_i_cell_worth_new(shoal_ctx *ctx, shoal_i_cell_worth **out,
                                    const shoal_i_lattice *lattice,
                                    const shoal_i_distinct *points, uint64_t k);
void shoal_i_cell_worth_free(shoal_i_cell_worth *cell_worth);

/* Which cells are looked for. */
typedef enum shoal_i_worth_kind {
    /* those worth more than nothing, for the points that pay more than they lose there */
    SHOAL_I_WORTH_GAINS,
    SHOAL_I_WORTH_ALL, /* whichever have k records, for all points */
} shoal_i_worth_kind;

/* A cell that is worth nearly something. */
typedef struct shoal_i_near_cell {
    int64_t worth;
    uint64_t key;
    uint32_t node;
    uint32_t point; /* one of those in it */
    uint32_t count; /* of these */
} shoal_i_near_cell;

/* Cells worth `least` or more, which may be negative: at most so many, those worth most first;
 * of equals, those of the first nodes. */
typedef struct shoal_i_near_cells {
    int64_t least;
    size_t most;
    size_t count;
    shoal_i_near_cell *cells; /* the caller's, to be freed */
} shoal_i_near_cells;

/* What is asked: about the cells that some of the points make up, at prices of all points. */
typedef struct shoal_i_worth_question {
    shoal_i_worth_kind kind;
    const int32_t *prices;  /* by point */
    const uint32_t *points; /* so many of them */
    size_t count;
    shoal_i_near_cells *near; /* to be listed, too, where all cells are asked for; or NULL */
} shoal_i_worth_question;

/* Appraise the cells of all nodes that the points of a question make up. *surplus becomes the
 * worth of all cells that are worth more than nothing; best_cells[i] belongs to points[i] of
 * the question. Parallel, the same on any number of threads. */
shoal_status shoal_i_cell_worth_find(shoal_ctx *ctx, shoal_i_cell_worth *cell_worth,
                                     shoal_i_worth_question question,
                                     shoal_i_best_cell *best_cells, int64_t *surplus);

/* What it was made with. Borrowed. */
const shoal_i_lattice *shoal_i_cell_worth_lattice(const shoal_i_cell_worth *cell_worth);
const shoal_i_distinct *shoal_i_cell_worth_points(const shoal_i_cell_worth *cell_worth);
uint64_t shoal_i_cell_worth_smallest(const shoal_i_cell_worth *cell_worth);

#endif /* SHOAL_I_CELL_WORTH_H */
