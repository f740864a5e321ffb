/* long_runs.h -- the cheapest partition of an order into runs, where runs are long.
 *
 * The same partition as in runs.h: from each start that end among k to 2k - 1 places that costs
 * least, the smallest of those that cost the same. But few ends are looked at. The penalty of a
 * run only rises with its length, so what all ends of a stretch cost is bounded from below by
 * the penalty at the first of them (rests.h):
 *
 *     start ......................... | k ............................. 2k - 1 |
 *                                     |..|....|    256    |    256    |....|...|
 *                                      ^    ^       ^           ^
 *          looked at one by one: the bound is lower than what was found so far
 *                   passed over: it is not;   settled at once: the penalty stays the same
 *
 * What is passed over adds its box to that of the run (run_boxes.h). The end that the start
 * before it has, one place further, tells in advance about how little can be reached, so most
 * stretches are passed over.
 *
 * Where the requirement looks at more than sizes, the ends are those whose runs hold, from the
 * shortest of these, s, up to 2s - 1, and that of the greedy run. Bounds are the same, and only
 * an end that would be cheaper than what was found is asked whether its run holds
 * (run_check.h). From one start to the next these are nearly the same runs.
 *
 * Starts that are less than k apart do not depend on each other and are solved in parallel.
 */
#ifndef SHOAL_I_LONG_RUNS_H
#define SHOAL_I_LONG_RUNS_H

#include "../problem/method.h"
#include "run_boxes.h"

/* The lengths that are looked at. */
typedef struct shoal_i_run_lengths {
    size_t shortest;        /* a run can have */
    size_t longest;         /* that is looked at, but for greedy runs */
    const uint32_t *greedy; /* per place: length of the greedy run from there, which holds; 0:
                               none starts; NULL: only sizes matter */
} shoal_i_run_lengths;

/* Fill length, one per place: how many records the run from there has; 0 where no partition
 * starts. Parallel. The meter is told of every place once. Time is about O(n log n) where only
 * sizes matter, memory O(n). */
shoal_status shoal_i_long_runs_find(shoal_ctx *ctx, uint32_t *length,
                                    const shoal_i_problem *problem, const shoal_i_lanes *lanes,
                                    const int32_t *rows, const uint32_t *order,
                                    const shoal_i_run_lengths *lengths, shoal_i_meter *meter);

#endif /* SHOAL_I_LONG_RUNS_H */
