/* bound.h -- a number that no release can lose less than.
 *
 * Whatever the release, the class of a record is published as one box, which holds the record
 * and all others of the class, and these are at least k. So the record loses at least what the
 * cheapest box around it that holds k records of the table loses, and the sum over all records
 * is a lower bound on NCP(T): it is reached only when all these boxes can be had at once.
 *
 * The cheapest box is sought among the nearest records (near_box.h). With one near record fewer
 * than k this would be the (k-1)-nearest-neighbour bound, so it is never worse than that.
 *
 * Prices of records (price_bound.h) begin with these losses and are raised as far as no box
 * could serve its records for less.
 *
 * k is the smallest class that the requirements allow, or that of a record's own value or wish
 * if that is larger; and the box holds what no class can do without: values, persons, shares
 * (class_needs.h). Suppressing a record costs as much as
 * the box of all, so the bound also holds where records may be suppressed.
 *
 * Where people of a population must fall into every class (k-map, presence), the record loses
 * at least what the cheapest box around it does that holds so many of them (population_rows.h),
 * too. These are records of the population: where persons are counted they are no fewer.
 *
 * Arithmetic is on the integers of points.h, counted down by what rounding and spreading can
 * have added (reach.h).
 */
#ifndef SHOAL_I_BOUND_H
#define SHOAL_I_BOUND_H

#include "../../box/quasi.h"
#include "../../requirement/tally.h"

/* What is known beside the table and the requirements; starts as {0}. */
typedef struct shoal_i_bound_known {
    double ncp;                         /* NCP(T) of some release, which tells how far to go */
    const shoal_i_tally_source *source; /* of the records, with what the requirements read;
                                           NULL: not known, sizes are all that counts */
    const uint32_t *record_k;           /* the k of each record's own, or NULL */
    const shoal_i_quasi *population; /* of which the table is a sample, coded column by column
                                        like it; NULL: not known */
} shoal_i_bound_known;

/* A lower bound on NCP(T) of any release of the table. Parallel, the same on any number of
 * threads. In large tables less is looked at per record, which lowers the bound. */
shoal_status shoal_i_bound(shoal_ctx *ctx, double *ncp, const shoal_i_quasi *quasi,
                           const shoal_i_requirement_set *set,
                           const shoal_i_bound_known *known);

#endif /* SHOAL_I_BOUND_H */
