/* cell_hunt.h -- the cells that are worth something at given prices, found without looking at
 * the others.
 *
 * What a cell is worth is what it is in cell_worth.h: the most that at least k of its records
 * pay beyond what they lose there. Here cells come from coverings (coverings.h), one covering
 * chosen per column, and columns are taken one after the other:
 *
 *     all points   column 1, covering 1   part a   column 2, covering 1   part x ...
 *                                         part b   column 2, covering 2   ...
 *                  column 1, covering 2   ...
 *
 * A group on the way holds all points of the cells below it, and has lost no more than they
 * will; so if it is not worth anything neither are they, nor if it has fewer than k records.
 * Most of the lattice is never seen. Nor are points taken further down that pay so little that
 * no class of the group could have them and be worth something. (Bottom-up computation of
 * iceberg cubes, Beyer and Ramakrishnan 1999, doi:10.1145/304182.304214, prunes by the number
 * of records in this way.) Parts are told apart by what they are, not by keys, so what is found
 * is a proof.
 *
 * Some records need larger classes than others, and some cells hold too little of what
 * classes need whatever their size: shoal_i_hunt_needs.
 */
#ifndef SHOAL_I_CELL_HUNT_H
#define SHOAL_I_CELL_HUNT_H

#include "coverings.h"

/* What the classes of a release need. */
typedef struct shoal_i_hunt_needs {
    uint64_t smallest; /* records of any class */
    const uint64_t
        *least; /* by point: records of the class of one of its records; NULL: that */
    /* Whether some class may lie within the points order[ranks[0]], order[ranks[1]], ...; if
     * so, then within any that hold these. Called by several threads, each with its number.
     * NULL: the number of records tells. */
    bool (*can_hold)(const void *payload, size_t worker, const uint32_t *order,
                     const uint32_t *ranks, size_t count);
    const void *payload;
} shoal_i_hunt_needs;

/* What is paid. */
typedef struct shoal_i_hunt_prices {
    const int32_t *prices; /* by point */
    const int32_t *floors; /* by point: no class of its records loses less */
    /* Numbers of cells, ascending, that are not to be the best of any point: they are known. */
    const uint64_t *known;
    size_t known_count;
} shoal_i_hunt_prices;

/* A cell that is worth something. */
typedef struct shoal_i_hunted_cell {
    int32_t loss;
    uint32_t count;
    uint32_t *points; /* in the order of their prices, highest first */
} shoal_i_hunted_cell;

typedef struct shoal_i_cell_hunt shoal_i_cell_hunt;

/* The coverings are borrowed, and what the needs point to. */
shoal_status shoal_i_cell_hunt_new(shoal_ctx *ctx, shoal_i_cell_hunt **out,
                                   const shoal_i_coverings *coverings,
                                   const shoal_i_hunt_needs *needs);
void shoal_i_cell_hunt_free(shoal_i_cell_hunt *hunt);

/* Look at all cells. Tells whether that was possible within so many visits (points that were
 * looked at in groups), about; if not, what else is told holds for those that were looked
 * at. The same on any number of threads. */
shoal_status shoal_i_cell_hunt_run(shoal_ctx *ctx, shoal_i_cell_hunt *hunt,
                                   shoal_i_hunt_prices prices, double visits,
                                   bool *is_complete);

/* After a run, points go by their ranks: the points in the order of their prices, highest
 * first. */
const uint32_t *shoal_i_cell_hunt_order(const shoal_i_cell_hunt *hunt);

/* After a run: what all cells are worth together, but for those of which all that matters lies
 * in a finer one, which is counted; and by rank, by how much a price is to be
 * lowered so that no cell is worth anything. */
int64_t shoal_i_cell_hunt_surplus(const shoal_i_cell_hunt *hunt);
const int32_t *shoal_i_cell_hunt_excess(const shoal_i_cell_hunt *hunt);

/* After a run: the cell not known that is worth most to the point of a rank, as a number that
 * is the same for all points whose best it is; 0: none. */
uint64_t shoal_i_cell_hunt_best(const shoal_i_cell_hunt *hunt, uint32_t rank);

/* The points of the best cell of the point of a rank, as far as they matter: those that pay
 * most. *cell is the caller's, its points to be freed. */
shoal_status shoal_i_cell_hunt_fetch(shoal_ctx *ctx, const shoal_i_cell_hunt *hunt,
                                     uint32_t rank, shoal_i_hunted_cell *cell);

/* What it was made with. Borrowed. */
const shoal_i_coverings *shoal_i_cell_hunt_coverings(const shoal_i_cell_hunt *hunt);

#endif /* SHOAL_I_CELL_HUNT_H */
