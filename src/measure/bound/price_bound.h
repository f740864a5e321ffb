/* price_bound.h -- a bound by prices of records (lattice/prices.h).
 *
 * The cheapest box around each record, which bound.h finds, takes no notice of who else needs
 * the records in it; prices do: a record that is far from all others must pay for k of them.
 *
 * Every class of every release lies in a cell of some coverings that loses no more than its
 * box (coverings.h), nor does it lose less than what bound.h found for any of its records. Two
 * classes may lie in one cell; their union is then a set of the cell, too, so that what was
 * said of cells that are opened once (prices.h) still holds. A hunt (cell_hunt.h) tells what
 * prices prove in two ways, of which the better counts:
 *
 *     sum of prices - what all cells are worth,
 *     sum of prices, each lowered until no cell is worth anything.
 *
 * A record that is suppressed loses as much as in the box of all, so no price is above that.
 */
#ifndef SHOAL_I_PRICE_BOUND_H
#define SHOAL_I_PRICE_BOUND_H

#include "../../lattice/cell_hunt.h"

/* *bound becomes what all records lose at least, in units of the lanes, if classes need what
 * they need; 0 where nothing can be proved this way, or where it would take too long. floors:
 * what each point loses at least. target: what some release loses. Parallel, the same on any
 * number of threads. */
shoal_status shoal_i_price_bound(shoal_ctx *ctx, double *bound, const shoal_i_distinct *points,
                                 const shoal_i_hunt_needs *needs, const int32_t *floors,
                                 double target);

#endif /* SHOAL_I_PRICE_BOUND_H */
