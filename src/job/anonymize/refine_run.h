/* refine_run.h -- a release that exists, anybody's, as the start of a better one. */
#ifndef SHOAL_I_REFINE_RUN_H
#define SHOAL_I_REFINE_RUN_H

#include "../input/prepare.h"
#include "../input/received.h"

/* Read a release, hold it against the requirements of the spec, find which records of the
 * original may stand behind its rows, and refine its classes. The problem is that of the
 * original.
 *   SHOAL_EINVAL   it does not meet the requirements
 *   SHOAL_EFORMAT  it does not belong to the original */
shoal_status shoal_i_refine_release(shoal_ctx *ctx, shoal_i_release **out,
                                    const shoal_spec *spec, const shoal_i_prepared *original,
                                    const shoal_i_given_release *release,
                                    const shoal_i_problem *problem);

#endif /* SHOAL_I_REFINE_RUN_H */
