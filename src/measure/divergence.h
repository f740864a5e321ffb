/* divergence.h -- Jensen-Shannon divergence of two distributions:
 *
 *     JS(q, p) = 1/2 KL(q || m) + 1/2 KL(p || m),   m = (q + p) / 2,   natural logarithm.
 *
 * 0 for equal distributions, ln 2 for such that share no value.
 */
#ifndef SHOAL_I_DIVERGENCE_H
#define SHOAL_I_DIVERGENCE_H

#include <math.h>
#include <stddef.h>

#define SHOAL_I_LN2 0.69314718055994530942

/* Twice what one value of shares q and p adds; exactly 0 when they are equal. */
static inline double shoal_i_divergence_part(double q, double p)
{
    double middle = (q + p) / 2;
    double sum = (q > 0 ? q * log(q / middle) : 0) + (p > 0 ? p * log(p / middle) : 0);

    return sum > 0 ? sum : 0;
}

/* Of counts that need not add up to 1: each is divided by its total, both above 0. */
static inline double shoal_i_divergence(const double *q, double q_total, const double *p,
                                        double p_total, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        if (q[i] > 0 || p[i] > 0) {
            sum += shoal_i_divergence_part(q[i] / q_total, p[i] / p_total);
        }
    }
    return sum / 2 < SHOAL_I_LN2 ? sum / 2 : SHOAL_I_LN2;
}

#endif /* SHOAL_I_DIVERGENCE_H */
