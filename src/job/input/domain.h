/* domain.h -- the values of quasi columns as far as a release and the spec tell them, for when
 * the original is not at hand.
 *
 *     a hierarchy from a file     its leaves
 *     numbers and dates           the ends of the released ranges
 *     texts without hierarchy     those that are shown somewhere
 *
 * They stand in for the records of an original: a table of them is made, one value per row, and
 * from that the quasi-identifier by which the release is parsed. Measures of length (axis.h) do
 * not depend on which numbers are values, so what is asked of numbers is answered as it would
 * be with the original.
 */
#ifndef SHOAL_I_DOMAIN_H
#define SHOAL_I_DOMAIN_H

#include "prepare.h"
#include "received.h"

/* Fill table, roles, hierarchies and quasi. SHOAL_EUNSUPPORTED: a column whose values neither
 * the release nor the spec tells: masks, labels of dates, a column of nothing but `*`. */
shoal_status shoal_i_domain_build(shoal_ctx *ctx, shoal_i_prepared *prepared,
                                  const shoal_spec *spec, const shoal_i_received *received);

#endif /* SHOAL_I_DOMAIN_H */
