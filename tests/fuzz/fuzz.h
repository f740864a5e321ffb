/* fuzz.h -- what the fuzz targets share. */
#ifndef SHOAL_TESTS_FUZZ_H
#define SHOAL_TESTS_FUZZ_H

#include <shoal/shoal.h>

#include "base/context.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A broken promise ends the program, so that the fuzzer keeps the input. */
#define MUST(condition)                                                                        \
    do {                                                                                       \
        if (!(condition)) {                                                                    \
            abort();                                                                           \
        }                                                                                      \
    } while (0)

/* The context of all inputs, made on first use: starting threads for each would be slow. A
 * target runs for as long as its process, so nobody clears it. */
static inline shoal_ctx *fuzz_ctx(int threads)
{
    static shoal_ctx contexts[8];
    shoal_ctx *ctx = &contexts[threads];

    if (ctx->threads == 0) {
        shoal_i_ctx_init(ctx);
        ctx->threads = threads;
    }
    return ctx;
}

/* A failure must say something, and say it in one piece. */
static inline void check_failure(const shoal_ctx *ctx, shoal_status st)
{
    MUST(st == ctx->error.status);
    MUST(ctx->error.message[0] != '\0');
    MUST(ctx->error.line >= 0 && ctx->error.column >= 0);
}

#endif /* SHOAL_TESTS_FUZZ_H */
