/* marginal.h -- how values are spread within released ones, learnt from the release itself.
 *
 * Uniformity takes every value inside a released one as equally likely. But a release shows
 * more: where one class says `*`, others say "Private" or "Self-employed", and how often. So
 * every released value of a column is spread over the values inside it, evenly at first; the
 * sums are masses, and everything is spread once more in proportion to these. (Repeated
 * without end that is the self-consistent distribution: Turnbull, "The empirical distribution
 * function with arbitrarily grouped, censored and truncated data", J. Royal Statistical Society
 * B 38, 1976.) Within a box columns stay independent: of all joint distributions with these
 * marginals that is the one of maximum entropy.
 */
#ifndef SHOAL_I_MARGINAL_H
#define SHOAL_I_MARGINAL_H

#include "spread.h"

/* Give every axis of the spread the masses found. Parallel over columns. */
shoal_status shoal_i_marginal_fit(shoal_ctx *ctx, shoal_i_spread *spread);

#endif /* SHOAL_I_MARGINAL_H */
