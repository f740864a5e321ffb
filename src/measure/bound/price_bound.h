/* price_bound.h -- a bound by prices of records (lattice/prices.h), where every box is a cell
 * of a lattice.
 *
 * That is so when all columns are categorical. The cheapest box around each record, which
 * bound.h finds, takes no notice of who else needs the records in it; prices do: a record that
 * is far from all others must pay for k of them. A record that is suppressed loses as much as
 * in the box of all, so no price is above that.
 */
#ifndef SHOAL_I_PRICE_BOUND_H
#define SHOAL_I_PRICE_BOUND_H

#include "../../lattice/scales.h"

/* *bound becomes what all records lose at least, in units of the lanes, if every class has k
 * records; 0 where nothing can be proved this way, or where it would take too long. start: what
 * each point loses at least. target: what some release loses. Parallel, the same on any number
 * of threads. */
shoal_status shoal_i_price_bound(shoal_ctx *ctx, double *bound, const shoal_i_distinct *points,
                                 uint64_t k, const int32_t *start, double target);

#endif /* SHOAL_I_PRICE_BOUND_H */
