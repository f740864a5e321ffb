/* exchange.h -- making classes cheaper by letting records change places.
 *
 * Every class meets the requirement before and after each step. Three kinds of steps:
 *
 *   replace   the members of a class that stretch its box go, and for each comes a record of
 *             the same stratum (strata.h) from the class that takes it in: no distribution
 *             changes, so this works however strict the requirement is
 *   move      a record goes to another class, if both hold
 *   divide    a class falls into two that hold (carve.h)
 *
 * Steps are tried in batches: all of a batch look at the same classes, in parallel, and those
 * that gain are then made one after the other, unless one before has touched the same classes.
 * The result does not depend on the number of threads.
 */
#ifndef SHOAL_I_EXCHANGE_H
#define SHOAL_I_EXCHANGE_H

#include "../problem/effort.h"
#include "split.h"
#include "strata.h"

/* What an exchange is about. */
typedef struct shoal_i_exchange_case {
    const shoal_i_problem *problem; /* its requirement must be monotone */
    const shoal_i_strata *strata;
    uint64_t seed;
} shoal_i_exchange_case;

/* Improve the groups of a span, each of which meets the requirement, until the limit. `rows` is
 * kept in step. Never makes it worse; with the same seed, more work begins with what less work
 * does. */
shoal_status shoal_i_exchange(shoal_ctx *ctx, shoal_i_grouping *grouping, shoal_i_span span,
                              const shoal_i_exchange_case *exchange, shoal_i_search_limit limit,
                              shoal_i_meter *meter);

#endif /* SHOAL_I_EXCHANGE_H */
