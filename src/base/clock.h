/* clock.h -- seconds of a steady clock, for reports, and for searches that a user gave a time;
 * never for results else. */
#ifndef SHOAL_I_CLOCK_H
#define SHOAL_I_CLOCK_H

#include <stdbool.h>

double shoal_i_clock_seconds(void);

/* Whether a deadline has come; 0: there is none. */
static inline bool shoal_i_clock_is_over(double deadline)
{
    return deadline > 0 && shoal_i_clock_seconds() >= deadline;
}

#endif
