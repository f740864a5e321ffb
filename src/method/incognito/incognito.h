/* incognito.h -- full-domain recoding as far as it is quick. */
#ifndef SHOAL_I_INCOGNITO_H
#define SHOAL_I_INCOGNITO_H

#include "../problem/method.h"

/* What the method `incognito` publishes for the least GCP; NULL where it would refuse the
 * problem, or take more steps than so many (incognito_search.h). The lattice of a problem tells
 * little about that: how much of it is looked at depends on the records. Parallel. */
shoal_status shoal_i_incognito_within(shoal_ctx *ctx, shoal_i_release **out,
                                      const shoal_i_problem *problem, double steps);

#endif /* SHOAL_I_INCOGNITO_H */
