/* refine_run.h -- a release that exists, anybody's, as the start of a better one. */
#ifndef SHOAL_I_REFINE_RUN_H
#define SHOAL_I_REFINE_RUN_H

#include "making.h"

/* Read making->refined, hold it against the requirements, find which records may stand behind
 * its rows, and refine its classes into making->release.
 *   SHOAL_EINVAL   it does not meet the requirements
 *   SHOAL_EFORMAT  it does not belong to the original */
shoal_status shoal_i_refine_release(shoal_ctx *ctx, shoal_i_making *making,
                                    const shoal_i_problem *problem);

#endif /* SHOAL_I_REFINE_RUN_H */
