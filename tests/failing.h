/* failing.h -- run a call again and again, each time with a later allocation failing. */
#ifndef SHOAL_TESTS_FAILING_H
#define SHOAL_TESTS_FAILING_H

#include "base/context.h"
#include "deep.h"

typedef shoal_status (*failing_fn)(shoal_ctx *ctx, void *payload);

/* So many allocations fail one by one in any case; beyond, each step may be as long as this
 * part of what lies behind it, so that thousands of allocations take a hundred runs, not
 * thousands. The deep tier fails each single one but in the longest searches, which make the
 * same allocations again and again. */
#define FAILING_ONE_BY_ONE 40
#define FAILING_STEP_PART 6
#define FAILING_ONE_BY_ONE_DEEP 3000
#define FAILING_STEP_PART_DEEP 200

/* The allocation to fail after the n-th. Steps are the same in every run. */
static inline int64_t next_to_fail(int64_t n)
{
    if (n < (is_deep() ? FAILING_ONE_BY_ONE_DEEP : FAILING_ONE_BY_ONE)) {
        return n + 1;
    }
    uint64_t mixed = (uint64_t)n * UINT64_C(0x9E3779B97F4A7C15);
    int64_t part = is_deep() ? FAILING_STEP_PART_DEEP : FAILING_STEP_PART;

    return n + 1 + (int64_t)((mixed >> 32) % (uint64_t)(n / part));
}

/* `call` must release what it made, and return the status of what it tested. It is run with the
 * first allocation failing, then the second, ... until it succeeds; leaks are for the sanitizer
 * to see. */
static inline void assert_survives_failing_allocations(shoal_ctx *ctx, failing_fn call,
                                                       void *payload)
{
    shoal_status st = SHOAL_ENOMEM;

    for (int64_t n = 0; st != SHOAL_OK; n = next_to_fail(n)) {
        ctx->alloc_budget = n;
        st = call(ctx, payload);
        if (st != SHOAL_OK) {
            assert_int_equal(st, SHOAL_ENOMEM);
        }
        assert_true(n < 1000000);
    }
    ctx->alloc_budget = -1;
}

/* The same with one allocation failing and all later ones succeeding: one that fails without
 * being noticed is not hidden by those behind it. */
static inline void assert_notices_failing_allocations(shoal_ctx *ctx, failing_fn call,
                                                      void *payload)
{
    bool has_failed = true;

    ctx->alloc_fails_once = true;
    for (int64_t n = 0; has_failed; n = next_to_fail(n)) {
        ctx->alloc_budget = n;
        shoal_status st = call(ctx, payload);

        has_failed = ctx->alloc_budget < 0;
        assert_int_equal(st, has_failed ? SHOAL_ENOMEM : SHOAL_OK);
        assert_true(n < 1000000);
    }
    ctx->alloc_budget = -1;
    ctx->alloc_fails_once = false;
}

#endif /* SHOAL_TESTS_FAILING_H */
