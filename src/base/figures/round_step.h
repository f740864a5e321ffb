/* round_step.h -- round numbers for axes and bins: steps of 1, 2 or 5 times a power of ten.
 *
 *     length 155.9, at most 4 steps      50        0  50  100  150  200
 *     length 0.31, at most 5             0.1       0  0.1  0.2  0.3  0.4
 *
 * Multiples are told by a whole number, never by adding steps up: 3 steps of 0.1 are the number
 * that is written 0.3, and their text is that.
 */
#ifndef SHOAL_I_ROUND_STEP_H
#define SHOAL_I_ROUND_STEP_H

#include "../buffer.h"

/* digit * 10^power; the digit is 1, 2 or 5. */
typedef struct shoal_i_step {
    int digit;
    int power;
} shoal_i_step;

/* The smallest step of which at most `most` are as long as length, which is finite and above 0.
 * most > 0. */
shoal_i_step shoal_i_step_choose(double length, size_t most);

/* The number that is so many steps. */
double shoal_i_step_times(shoal_i_step step, int64_t times);

/* How many whole steps lie below or at a value; false where they are too many to be told apart
 * (above 2^50). */
bool shoal_i_step_below(int64_t *out, shoal_i_step step, double value);

/* The text of so many steps, with commas between thousands: "1,500", "0.35", "2e+15". */
void shoal_i_step_put(shoal_i_buffer *out, shoal_i_step step, int64_t times);

#endif /* SHOAL_I_ROUND_STEP_H */
