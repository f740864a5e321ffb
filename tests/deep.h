/* deep.h -- how long a test program goes on: short of patience in `make test`, not in
 * `make test-deep`.
 *
 * Variables of the environment, set by the tools and of use by hand:
 *
 *     SHOAL_TEST_DEEP=1          every case of what is otherwise a sample
 *     SHOAL_TEST_ONLY=PATTERN    of a program on cmocka only tests of such names, as "*alloc*"
 *     SHOAL_TEST_SKIP=PATTERN    all but those
 */
#ifndef SHOAL_TESTS_DEEP_H
#define SHOAL_TESTS_DEEP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static inline bool is_deep(void)
{
    return getenv("SHOAL_TEST_DEEP") != NULL;
}

/* How many rounds of a loop over random cases. */
static inline uint64_t rounds(uint64_t shallow, uint64_t deep)
{
    return is_deep() ? deep : shallow;
}

/* Before main, so that no main needs to know. */
__attribute__((constructor)) static void choose_tests(void)
{
    const char *only = getenv("SHOAL_TEST_ONLY");

    if (only) {
        cmocka_set_test_filter(only);
    }
    const char *skip = getenv("SHOAL_TEST_SKIP");

    if (skip) {
        cmocka_set_skip_filter(skip);
    }
}

#endif /* SHOAL_TESTS_DEEP_H */
