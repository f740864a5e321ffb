/* suppress.h -- leaving a few records out of their classes where that loses less in all.
 *
 * A suppressed record is released as "*" in every quasi column: it loses everything, 1 on each
 * column. That pays when its class is large enough to do without it and shrinks so much that
 * the others gain more. Records are suppressed one by one, the largest gain first, within the
 * limit. Together they are a class like any other and must meet the requirement; if they
 * cannot, none is suppressed.
 */
#ifndef SHOAL_I_SUPPRESS_H
#define SHOAL_I_SUPPRESS_H

#include "../problem/method.h"

/* Replace *release by one with at most `limit` records suppressed and less loss; left as it is
 * when there is none. */
shoal_status shoal_i_suppress(shoal_ctx *ctx, shoal_i_release **release,
                              const shoal_i_problem *problem, size_t limit);

#endif /* SHOAL_I_SUPPRESS_H */
