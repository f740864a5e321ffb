#include "figure.h"

/* Whole numbers up to here are doubles. */
#define EXACT_MAX (UINT64_C(1) << 53)

/* What six decimals leave out. */
#define DECIMALS 1e6

double shoal_i_ratio(uint64_t a, uint64_t b)
{
    if (b == 0) {
        return a == 0 ? 0 : INFINITY;
    }
    if (a > EXACT_MAX || b > EXACT_MAX) {
        uint64_t x = a;
        uint64_t y = b;

        while (y != 0) { /* Euclid */
            uint64_t rest = x % y;

            x = y;
            y = rest;
        }
        a /= x;
        b /= x;
    }
    return (double)a / (double)b;
}

void shoal_i_bound_up(char out[SHOAL_I_NUMBER_MAX], double number)
{
    double nearest = round(number * DECIMALS) / DECIMALS;

    shoal_i_text_from_double(out,
                             nearest >= number ? nearest : ceil(number * DECIMALS) / DECIMALS);
}

void shoal_i_bound_down(char out[SHOAL_I_NUMBER_MAX], double number)
{
    double nearest = round(number * DECIMALS) / DECIMALS;

    shoal_i_text_from_double(out,
                             nearest <= number ? nearest : floor(number * DECIMALS) / DECIMALS);
}
