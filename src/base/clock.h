/* clock.h -- seconds of a steady clock, for reports; never for results. */
#ifndef SHOAL_I_CLOCK_H
#define SHOAL_I_CLOCK_H

double shoal_i_clock_seconds(void);

#endif
