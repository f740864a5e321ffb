/* fake_clock.h -- a clock that goes on by a second each time somebody looks at it, so that a
 * search that was given a time ends after so many looks, the same in every run and on every
 * machine.
 *
 * The library's clock is a function in a file of its own; where a program has one of that name,
 * the linker does not take the library's. Include this in one file of a program. */
#ifndef SHOAL_TESTS_FAKE_CLOCK_H
#define SHOAL_TESTS_FAKE_CLOCK_H

#include "base/clock.h"

#include <stdint.h>

static uint64_t fake_clock_looks; /* atomic */

double shoal_i_clock_seconds(void)
{
    return (double)__atomic_fetch_add(&fake_clock_looks, 1, __ATOMIC_RELAXED);
}

#endif /* SHOAL_TESTS_FAKE_CLOCK_H */
