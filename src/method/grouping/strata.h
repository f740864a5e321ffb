/* strata.h -- records that requirements cannot tell apart.
 *
 * Two records of one stratum agree in every column that some requirement reads, so a class
 * stays the same in the eyes of the requirements when one takes the place of the other:
 *
 *     record   diagnosis   income   stratum
 *        0     flu         low         0
 *        1     HIV         low         2
 *        2     flu         high        1
 *        3     flu         low         0
 *
 * Strata are numbered in the order of the codes, column after column. Where that would be too
 * many, neighbours in that order share a stratum; their records are then alike, not
 * interchangeable.
 */
#ifndef SHOAL_I_STRATA_H
#define SHOAL_I_STRATA_H

#include "../../requirement/tally.h"

/* How many there are at most. */
#define SHOAL_I_STRATA_MAX 64

typedef struct shoal_i_strata {
    size_t count;   /* each has records */
    uint32_t *of;   /* of each record */
    bool are_exact; /* records of one stratum are interchangeable */
} shoal_i_strata;

/* Of all records of a source that has any and reads at least one column. O(rows * columns). */
shoal_status shoal_i_strata_build(shoal_ctx *ctx, shoal_i_strata **out,
                                  const shoal_i_tally_source *source);
void shoal_i_strata_free(shoal_i_strata *strata);

#endif /* SHOAL_I_STRATA_H */
