/* runs.h -- the cheapest partition of an order into runs that meet the requirement.
 *
 * The records stand in an order; a group is a run of them. Where only the size of a group
 * matters, k <= size, an optimal partition has runs of k to 2k - 1 records, since a longer run
 * can be cut in two at no cost, and dynamic programming from the back finds it:
 *
 *     best[j] = min over lengths l of  l * penalty(j .. j + l - 1) + best[j + l]
 *
 * Short runs are all looked at; of long ones only those that a bound does not rule out
 * (long_runs.h), with the same result.
 *
 * For other requirements the lengths from j are those that hold, from the shortest one, s, up
 * to 2s - 1; and, so that there always is a partition, the runs of the plain greedy one: end a
 * run as soon as it holds, let what is left at the end join the runs before it.
 *
 * Penalties are those of lanes (points.h), in which a missing number costs what it costs.
 */
#ifndef SHOAL_I_RUNS_H
#define SHOAL_I_RUNS_H

#include "../../box/points.h"
#include "../problem/method.h"

/* Mark where the greedy runs start: is_start has an entry per place, all 0 before. order[place]
 * is a record; together the records must meet the requirement. *counted: how many records
 * beyond the smallest class it takes about to find the best runs where the requirement looks at
 * more than sizes, since from each start runs are counted until one holds. O(n) time and
 * memory. */
shoal_status shoal_i_runs_greedy(shoal_ctx *ctx, uint8_t *is_start, double *counted,
                                 const shoal_i_problem *problem, const uint32_t *order);

/* Mark where runs start: is_start has an entry per place, all 0 before. order[place] is a
 * record; rows[record] its row. Together the records must meet the requirement. About
 * O(n log n) time where sizes are enough, otherwise a bounded number of records is counted from
 * each start; O(n) memory; parallel. The meter is told of every place once. */
shoal_status shoal_i_runs_find(shoal_ctx *ctx, uint8_t *is_start,
                               const shoal_i_problem *problem, const shoal_i_lanes *lanes,
                               const int32_t *rows, const uint32_t *order,
                               shoal_i_meter *meter);

#endif /* SHOAL_I_RUNS_H */
