/* share_groups.h -- sharing out the records of a group to smaller ones by sensitive value.
 *
 * The last step of CLUST's l-diversity (its figure 5): sort the records of a group by sensitive
 * value and hand them round-robin to g groups. Equal values then spread as evenly as they
 * can:
 *
 *     flu flu flu gastritis gastritis ulcer
 *     into 3:   flu gastritis | flu gastritis | flu ulcer
 *
 * g is the largest number for which every group meets the requirement. A part's box lies inside
 * that of the group, so sharing out never raises the loss.
 *
 * The paper's theorem 3 says that g = floor(|G| / l) will do where no value has a share above
 * 1/l. For a whole l and nothing else asked it is right: a value occurs at most floor(|G| / l)
 * = g times, so at most once in each group, and each group has at least l records. It fails for
 * an l that is not whole, and when k asks for larger groups than l does;
 * tests/unit/test_cluster.c has the smallest cases. So every g is checked.
 */
#ifndef SHOAL_I_SHARE_GROUPS_H
#define SHOAL_I_SHARE_GROUPS_H

#include "split.h"

/* Share out every group of the grouping, which all hold, as far as the requirement allows;
 * `records` and `is_start` are rewritten, `rows` is not kept in step. Parallel. The meter is
 * told of every record once. */
shoal_status shoal_i_share_groups(shoal_ctx *ctx, shoal_i_grouping *grouping,
                                  const shoal_i_problem *problem, shoal_i_meter *meter);

#endif /* SHOAL_I_SHARE_GROUPS_H */
