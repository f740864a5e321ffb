/* failing.h -- run a call again and again, each time with one allocation later failing. */
#ifndef SHOAL_TESTS_FAILING_H
#define SHOAL_TESTS_FAILING_H

#include "base/context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef shoal_status (*failing_fn)(shoal_ctx *ctx, void *payload);

/* `call` must release what it made, and return the status of what it tested. It is run with the
 * first allocation failing, then the second, ... until it succeeds; leaks are for the sanitizer
 * to see. */
static inline void assert_survives_failing_allocations(shoal_ctx *ctx, failing_fn call,
                                                       void *payload)
{
    shoal_status st = SHOAL_ENOMEM;

    for (int64_t n = 0; st != SHOAL_OK; n++) {
        ctx->alloc_budget = n;
        st = call(ctx, payload);
        if (st != SHOAL_OK) {
            assert_int_equal(st, SHOAL_ENOMEM);
        }
        assert_true(n < 1000000);
    }
    ctx->alloc_budget = -1;
}

#endif /* SHOAL_TESTS_FAILING_H */
