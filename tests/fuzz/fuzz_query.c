/* fuzz_query.c -- any bytes as a query: cut into its parts, or refused at a place within it. */
#include "fuzz.h"

#include "measure/query/query_text.h"

#include <string.h>

static void check_words(const shoal_i_query *query, size_t size)
{
    MUST(query->condition_count <= SHOAL_I_CONDITIONS_MAX);
    for (size_t i = 0; i < query->condition_count; i++) {
        const shoal_i_condition *condition = &query->conditions[i];

        MUST(condition->value_count >= 1 && condition->column.at < size);
        for (size_t v = 0; v < condition->value_count; v++) {
            MUST(strlen(condition->values[v].text) == condition->values[v].length);
            MUST(condition->values[v].at < size);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_ctx *ctx = fuzz_ctx(1);
    char *text = malloc(size + 1);
    shoal_i_query query;

    MUST(text);
    memcpy(text, data, size);
    text[size] = '\0';
    shoal_status st = shoal_i_query_parse(ctx, &query, text);

    if (st == SHOAL_OK) {
        check_words(&query, size);
        shoal_i_query_clear(&query);
    } else {
        check_failure(ctx, st);
        MUST(st == SHOAL_EINVAL || st == SHOAL_ELIMIT);
        MUST(st == SHOAL_ELIMIT || (size_t)ctx->error.column <= strlen(text) + 1);
    }
    free(text);
    return 0;
}
