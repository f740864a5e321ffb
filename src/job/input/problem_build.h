/* problem_build.h -- the problem that a method is given, put together from what a run has read:
 * the one place where that is done. */
#ifndef SHOAL_I_PROBLEM_BUILD_H
#define SHOAL_I_PROBLEM_BUILD_H

#include "bound_requirements.h"

/* A problem, and what it points to. Not to be moved. */
typedef struct shoal_i_posed {
    shoal_i_problem problem;
    shoal_i_tally_source source;
} shoal_i_posed;

/* Pose the problem of a quasi-identifier's table: seed of the context, time and suppression of
 * the spec. record_k: the records' own k, or NULL; people: of the population, where a
 * requirement is about it, or NULL. All is borrowed. Clear it after a failure, too. */
shoal_status shoal_i_pose(shoal_ctx *ctx, shoal_i_posed *out, const shoal_spec *spec,
                          const shoal_i_quasi *quasi,
                          const shoal_i_bound_requirements *requirements,
                          const uint32_t *record_k, const shoal_i_people *people);
void shoal_i_posed_clear(shoal_i_posed *posed);

#endif /* SHOAL_I_PROBLEM_BUILD_H */
