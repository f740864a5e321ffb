/* run_check.h -- whether a run of an order meets a requirement that looks at more than sizes.
 *
 * The run that was asked for last stays counted, and only what tells it from the next is
 * counted in or out, at either end:
 *
 *     asked before        |=====================|
 *     asked now         |==================|
 *                        +2                -3        five records, not all of them
 *
 * So questions about runs that are nearly the same cost little, however long the runs are.
 */
#ifndef SHOAL_I_RUN_CHECK_H
#define SHOAL_I_RUN_CHECK_H

#include "../problem/method.h"

typedef struct shoal_i_run_check {
    const shoal_i_problem *problem;
    const uint32_t *order; /* records by place */
    size_t first;          /* the run that is counted */
    size_t end;
    shoal_i_tally tally;
} shoal_i_run_check;

/* What is given is borrowed. To be cleared also after a failure. */
shoal_status shoal_i_run_check_init(shoal_ctx *ctx, shoal_i_run_check *check,
                                    const shoal_i_problem *problem, const uint32_t *order);
void shoal_i_run_check_clear(shoal_i_run_check *check);

/* Whether the run from `first` to before `end` holds; it is not empty. */
bool shoal_i_run_holds(shoal_i_run_check *check, size_t first, size_t end);

#endif /* SHOAL_I_RUN_CHECK_H */
