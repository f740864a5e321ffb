/* bound.h -- a number that no release can lose less than.
 *
 * Whatever the release, the class of a record is published as one box, which holds the record
 * and all others of the class, and these are at least k. So the record loses at least what the
 * cheapest box around it that holds k records of the table loses, and the sum over all records
 * is a lower bound on NCP(T): it is reached only when all these boxes can be had at once.
 *
 * The cheapest box is sought among the nearest records (nearby.h, cheapest_box.h). A record
 * that is not among them pays at least what the farthest of them does, and so does any box that
 * holds it; the least of this and of the best box among the near ones is below the truth or is
 * it. With one near record fewer than k this would be the (k-1)-nearest-neighbour bound, so it
 * is never worse than that.
 *
 * Prices of records (price_bound.h) begin with these losses and are raised as far as no box
 * could serve its records for less.
 *
 * k is the smallest class that the requirements allow, or that of a record's own value or wish
 * if that is larger; and the box holds what no class can do without: values, persons, shares
 * (class_needs.h). Suppressing a record costs as much as
 * the box of all, so the bound also holds where records may be suppressed.
 *
 * Arithmetic is on the integers of points.h; each column is counted down by what rounding and
 * spreading can have added. Kept missing values, which points.h puts far off, are moved next to
 * the largest value, which only lowers what they cost.
 */
#ifndef SHOAL_I_BOUND_H
#define SHOAL_I_BOUND_H

#include "../../box/quasi.h"
#include "../../requirement/tally.h"

/* A lower bound on NCP(T) of any release of the table. source: of the records, with what the
 * requirements read; NULL: not known, sizes are all that counts. record_k: the k of each
 * record's own, or NULL. known: NCP(T) of some release, which tells how far to go. Parallel,
 * the same on any number of threads. In large tables less is looked at per record, which lowers
 * the bound. */
shoal_status shoal_i_bound(shoal_ctx *ctx, double *ncp, const shoal_i_quasi *quasi,
                           const shoal_i_requirement_set *set,
                           const shoal_i_tally_source *source, const uint32_t *record_k,
                           double known);

#endif /* SHOAL_I_BOUND_H */
