#include "table_recode.h"

#include "../base/pool.h"
#include "column_build.h"
#include "table_hold.h"

#include <string.h>

typedef struct recode {
    const shoal_table *from;
    shoal_table *to;
    const shoal_i_recoding *recodings;
    uint32_t **maps;
} recode;

/* Borrow the values, copy the codes. */
static shoal_status keep_column(shoal_ctx *ctx, shoal_i_column *to, const shoal_i_column *from,
                                size_t row_count)
{
    shoal_status st = SHOAL_OK;
    char *name = to->name;

    *to = *from;
    to->codes = NULL;
    to->is_part = true;
    to->owns_name = false;
    free(name);
    if (!from->skipped && from->codes) {
        SHOAL_TRY(shoal_i_column_alloc_codes(ctx, to, row_count));
        memcpy(to->codes, from->codes, row_count * from->width);
    }
done:
    return st;
}

static shoal_status change_column(shoal_ctx *ctx, const recode *r, size_t index)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_column *from = &r->from->columns[index];
    shoal_i_column *to = &r->to->columns[index];
    const shoal_i_recoding *recoding = &r->recodings[index];
    shoal_i_dictionary dictionary = {0};
    const char *token = from->texts + from->starts[from->value_count];
    shoal_i_column_rules rules = {.type = recoding->type,
                                  .missing_tokens = &token,
                                  .missing_token_count = from->missing_count > 0};
    uint32_t *index_of = NULL;
    uint32_t *code_of = NULL;
    bool has_bad = false;

    SHOAL_ALLOC(ctx, index_of, (size_t)from->value_count + 1);
    for (uint32_t code = 0; code < from->value_count; code++) {
        SHOAL_TRY(shoal_i_dictionary_add(ctx, &dictionary, &index_of[code],
                                         recoding->texts[code], strlen(recoding->texts[code])));
    }
    SHOAL_TRY(shoal_i_column_build(ctx, to, &code_of, &has_bad, &dictionary, &rules));
    if (has_bad) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EINVAL,
                               "A value of the column \"%.200s\" became none of its type.",
                               from->name));
    }
    for (size_t code = 0; code <= from->value_count; code++) {
        index_of[code] = code_of[index_of[code]];
    }
    if (from->codes) {
        SHOAL_TRY(shoal_i_column_alloc_codes(ctx, to, r->from->row_count));
        shoal_i_codes_map(to->codes, to->width, shoal_i_table_codes(r->from, index), NULL,
                          index_of, r->from->row_count);
        shoal_i_column_count_missing(to, r->from->row_count);
    }
    r->maps[index] = index_of;
    index_of = NULL;
done:
    shoal_i_dictionary_clear(&dictionary);
    free(index_of);
    free(code_of);
    return st;
}

static shoal_status recode_column(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    const recode *r = payload;
    const shoal_i_column *from = &r->from->columns[index];

    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    SHOAL_TRY(shoal_i_table_set_name(ctx, r->to, index, from->name, strlen(from->name)));
    SHOAL_TRY(r->recodings[index].texts
                  ? change_column(ctx, r, index)
                  : keep_column(ctx, &r->to->columns[index], from, r->from->row_count));
done:
    return st;
}

void shoal_i_table_recoded_missing(shoal_table *table, size_t column, size_t count)
{
    table->columns[column].missing_count = count;
}

shoal_status shoal_i_table_recode(shoal_ctx *ctx, shoal_table **out, uint32_t **maps,
                                  const shoal_table *table, const shoal_i_recoding *recodings)
{
    shoal_status st = SHOAL_OK;
    shoal_table *result = NULL;

    *out = NULL;
    SHOAL_TRY(shoal_i_table_new(ctx, &result, table->source, table->column_count));
    result->row_count = table->row_count;
    result->whole = table;
    shoal_i_table_hold(table);
    if (table->shift_count > 0) {
        SHOAL_ALLOC(ctx, result->shifts, table->shift_count);
        memcpy(result->shifts, table->shifts, table->shift_count * sizeof *result->shifts);
        result->shift_count = table->shift_count;
    }
    recode r = {table, result, recodings, maps};

    SHOAL_TRY(shoal_i_parallel_for(ctx, table->column_count, recode_column, &r));
    *out = result;
    result = NULL;
done:
    shoal_table_free(result);
    return st;
}
