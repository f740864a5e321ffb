/* refine.h -- making a grouping that exists better.
 *
 * The search of `best` (solution.h) started from somebody else's groups. Every group must meet
 * the requirement, and every group of the result does; the total penalty is never higher.
 * Records that agree but are in different groups stay apart as points, so that the search
 * starts exactly from what was given.
 */
#ifndef SHOAL_I_REFINE_H
#define SHOAL_I_REFINE_H

#include "solution.h"

/* group_of[record]: any numbers; effort as in effort.h. SHOAL_EINVAL: a group that does not
 * meet the requirement. */
shoal_status shoal_i_refine(shoal_ctx *ctx, shoal_i_release **out,
                            const shoal_i_problem *problem, const uint32_t *group_of,
                            double effort);

/* The same with a limit and a meter of the caller's; no work: the groups as they are. */
shoal_status shoal_i_refine_within(shoal_ctx *ctx, shoal_i_release **out,
                                   const shoal_i_problem *problem, const uint32_t *group_of,
                                   shoal_i_search_limit limit, shoal_i_meter *meter);

#endif /* SHOAL_I_REFINE_H */
