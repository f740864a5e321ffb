/* merging.h -- merging groups of points, from single points on, until each meets the
 * requirement.
 *
 * The definition, which the tests keep as a plain scan:
 *
 *     each point is a group, numbered as the point is
 *     while some group does not meet the requirement:
 *         for each number g in turn whose group stands and does not meet it:
 *             h := the other standing group that is cheapest to merge with (nearest.h);
 *                  of equals the lowest
 *             the union takes the lower of both numbers
 *
 * Partners are sought for many groups side by side, as things stand, and the merges are then
 * made in turn. When its turn comes, a group is as it was, unless it was merged into a lower
 * number. What was found for it is right if that partner is as it was, too, and no union made
 * since is cheaper; otherwise the search is repeated. So the result is that of the definition
 * on any number of threads.
 */
#ifndef SHOAL_I_MERGING_H
#define SHOAL_I_MERGING_H

#include "../../base/fail.h"
#include "../../box/distinct.h"
#include "../problem/method.h"

/* group_of[point] is set to the number of the point's group. All points together must meet the
 * requirement. The meter is told of one unit per point. */
shoal_status shoal_i_merge_points(shoal_ctx *ctx, uint32_t *group_of,
                                  const shoal_i_problem *problem,
                                  const shoal_i_distinct *distinct, shoal_i_meter *meter);

#endif /* SHOAL_I_MERGING_H */
