/* figure.h -- numbers that decide: quotients and sums on which a bound must not flip.
 *
 * Two rules, so that 3 of 10 records meet alpha = 0.3 and thirds meet l = 3, whatever a double
 * makes of 0.3 and 1/3:
 *
 *   shares   are quotients of whole numbers, rounded once. Rounding keeps order, and a bound
 *            read from text is rounded the same way, so a share that equals the bound on paper
 *            equals it here. No tolerance is needed.
 *   others   (entropies, transport distances) are sums with errors near 1e-15. A figure within
 *            SHOAL_I_TOLERANCE of the bound is taken to be the bound.
 *
 * Methods and the verifier meet the values of a class in different orders. So nothing here
 * depends on the order: shoal_i_sum adds in fixed point.
 */
#ifndef SHOAL_I_FIGURE_H
#define SHOAL_I_FIGURE_H

#include "../base/text.h"

#include <math.h>

#define SHOAL_I_TOLERANCE 1e-12

/* a / b, correctly rounded while the reduced a and b are below 2^53; 0 / 0 is 0. */
double shoal_i_ratio(uint64_t a, uint64_t b);

/* The figure, or the bound when they differ by rounding only. */
static inline double shoal_i_snap(double figure, double bound)
{
    return fabs(figure - bound) <= SHOAL_I_TOLERANCE * fmax(1, fabs(bound)) ? bound : figure;
}

/* A sum of terms of at least 0, the same in every order. */
typedef struct shoal_i_sum {
    uint64_t whole;
    uint64_t fraction; /* in units of 1 / scale */
    double scale;
} shoal_i_sum;

/* For at most `terms` terms; each then loses less than 2 * terms / 2^63. */
static inline shoal_i_sum shoal_i_sum_start(size_t terms)
{
    int bits = 0;

    while (bits < 40 && terms >> bits > 0) {
        bits++;
    }
    return (shoal_i_sum){.scale = (double)(UINT64_C(1) << (63 - bits))};
}

static inline void shoal_i_sum_add(shoal_i_sum *sum, double term)
{
    uint64_t whole = (uint64_t)term;

    sum->whole += whole;
    sum->fraction += (uint64_t)((term - (double)whole) * sum->scale);
}

static inline double shoal_i_sum_value(const shoal_i_sum *sum)
{
    return (double)sum->whole + (double)sum->fraction / sum->scale;
}

/* The number as text of at most six decimals, rounded up or down, so that a user who types it
 * asks for no less than the number. */
void shoal_i_bound_up(char out[SHOAL_I_NUMBER_MAX], double number);
void shoal_i_bound_down(char out[SHOAL_I_NUMBER_MAX], double number);

#endif /* SHOAL_I_FIGURE_H */
