/* fuzz_spec.c -- any bytes as a spec: read, or refused with every mistake reported. */
#include "fuzz.h"

static void count_mistake(void *payload, shoal_log_level level, const char *message,
                          const shoal_error *where)
{
    size_t *count = payload;

    MUST(message[0] != '\0');
    if (level == SHOAL_LOG_ERROR) {
        MUST(where == NULL || where->line >= 0);
        (*count)++;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_ctx *ctx = fuzz_ctx(1);
    shoal_spec *spec = NULL;
    size_t mistakes = 0;

    ctx->log = count_mistake;
    ctx->log_payload = &mistakes;
    MUST(shoal_spec_new(ctx, &spec) == SHOAL_OK);
    shoal_status st = shoal_spec_read_memory(ctx, spec, (const char *)data, size, "fuzz");

    if (st != SHOAL_OK) {
        check_failure(ctx, st);
        MUST(mistakes > 0);
    } else {
        MUST(mistakes == 0);
    }
    shoal_spec_free(spec);
    return 0;
}
