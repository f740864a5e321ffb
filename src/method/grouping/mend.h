/* mend.h -- making every group meet the requirement by merging and borrowing.
 *
 * Methods that split first and look at the requirement later (topdown) leave groups that are
 * too small. Mending takes them one by one and does what raises the total penalty least (XU,
 * section 4.2): move the records that are missing over from a group that can spare them, or
 * merge the group with its nearest neighbour; until every group holds.
 *
 * XU looks for the nearest among all groups, which is quadratic. Here it is looked for among
 * the neighbours (neighbours.h); docs/research.md tells what that costs in penalty.
 */
#ifndef SHOAL_I_MEND_H
#define SHOAL_I_MEND_H

#include "split.h"

/* Mend the groups of a span among themselves. Together its places
 * must hold the requirement, which must be monotone. `records` and `is_start` are rewritten
 * there; `rows` is not kept in step. */
shoal_status shoal_i_mend(shoal_ctx *ctx, shoal_i_grouping *grouping, shoal_i_span span,
                          const shoal_i_problem *problem);

#endif /* SHOAL_I_MEND_H */
