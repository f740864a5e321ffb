/* hilbert.h -- runs along a Hilbert curve unless they are dear and hopeless. */
#ifndef SHOAL_I_HILBERT_H
#define SHOAL_I_HILBERT_H

#include "../problem/method.h"

/* What the method `hilbert` publishes; NULL if more than so many records beyond the smallest
 * class would be counted for it (runs.h) and it would lose more than `cost` (NCP), as far as a
 * tenth of the curve tells; or, if runs are too long for that, more than some seconds allow.
 * Parallel. */
shoal_status shoal_i_hilbert_within(shoal_ctx *ctx, shoal_i_release **out,
                                    const shoal_i_problem *problem, double counted,
                                    double cost);

#endif /* SHOAL_I_HILBERT_H */
