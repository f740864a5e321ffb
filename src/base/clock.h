/* clock.h -- seconds of a steady clock, for reports, and for searches that a user gave a time;
 * never for results else. */
#ifndef SHOAL_I_CLOCK_H
#define SHOAL_I_CLOCK_H

double shoal_i_clock_seconds(void);

#endif
