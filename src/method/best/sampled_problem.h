/* sampled_problem.h -- every so many-th record of a problem, as a problem of its own.
 *
 * What a method loses on one record in thirty, under the same requirement, tells whether it is
 * a rival on all of them, for a thirtieth of the time. Dictionaries, hierarchies and penalties
 * are those of the whole.
 */
#ifndef SHOAL_I_SAMPLED_PROBLEM_H
#define SHOAL_I_SAMPLED_PROBLEM_H

#include "../problem/method.h"

/* Not to be moved. {0} may be cleared. */
typedef struct shoal_i_sampled {
    shoal_i_problem problem;
    shoal_table *table;
    shoal_i_quasi quasi;
    shoal_i_tally_source source;
} shoal_i_sampled;

/* The first record of each of `count` equal stretches; of a problem whose requirements look at
 * sizes alone. */
shoal_status shoal_i_sampled_init(shoal_ctx *ctx, shoal_i_sampled *out,
                                  const shoal_i_problem *problem, size_t count);
void shoal_i_sampled_clear(shoal_i_sampled *sampled);

#endif /* SHOAL_I_SAMPLED_PROBLEM_H */
