/* context.h -- the context that the cases of a test program share, as their state. */
#ifndef SHOAL_TESTS_CONTEXT_H
#define SHOAL_TESTS_CONTEXT_H

#include "base/context.h"

/* One thread, so that every allocation that is made to fail is the same one each time. */
static inline int open_context(void **state)
{
    static shoal_ctx ctx;

    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    *state = &ctx;
    return 0;
}

static inline int close_context(void **state)
{
    shoal_i_ctx_clear(*state);
    return 0;
}

#endif /* SHOAL_TESTS_CONTEXT_H */
