#include <shoal/table.h>

#include "../base/entry.h"
#include "../base/pool.h"
#include "column_build.h"
#include "table_origin.h"

#include <string.h>

typedef struct filter {
    const shoal_table *from;
    shoal_table *to;
    const bool *keep;
} filter;

static void mark_used(bool *is_used, const filter *f, size_t column)
{
    shoal_i_codes codes = shoal_i_table_codes(f->from, column);

    for (size_t row = 0; row < f->from->row_count; row++) {
        if (f->keep[row]) {
            is_used[shoal_i_codes_get(codes, row)] = true;
        }
    }
}

static void copy_codes(const filter *f, size_t column, const uint32_t *code_of)
{
    shoal_i_codes codes = shoal_i_table_codes(f->from, column);
    const shoal_i_column *to = &f->to->columns[column];
    size_t next = 0;

    for (size_t row = 0; row < f->from->row_count; row++) {
        if (f->keep[row]) {
            shoal_i_codes_narrow(to->codes, to->width, next++,
                                 &code_of[shoal_i_codes_get(codes, row)], 1);
        }
    }
}

static shoal_status filter_column(shoal_ctx *ctx, void *payload, size_t index)
{
    const filter *f = payload;
    const shoal_i_column *from = &f->from->columns[index];
    shoal_i_column *to = &f->to->columns[index];
    shoal_status st = SHOAL_OK;
    bool *is_used = NULL;
    uint32_t *code_of = NULL;

    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    SHOAL_TRY(shoal_i_table_set_name(ctx, f->to, index, from->name, strlen(from->name)));
    to->type = from->type;
    to->skipped = from->skipped;
    SHOAL_TRY(shoal_i_column_set_origin(ctx, to, from->origin));
    if (from->skipped) {
        goto done;
    }
    SHOAL_ALLOC(ctx, is_used, (size_t)from->value_count + 1);
    mark_used(is_used, f, index);
    SHOAL_TRY(shoal_i_column_restrict(ctx, to, &code_of, from, is_used));
    SHOAL_TRY(shoal_i_column_alloc_codes(ctx, to, f->to->row_count));
    copy_codes(f, index, code_of);
    shoal_i_column_count_missing(to, f->to->row_count);
done:
    free(is_used);
    free(code_of);
    return st;
}

/* Where, among the rows that are kept, the distance between row and line changes. Called twice:
 * out NULL only counts. */
static size_t list_shifts(shoal_i_line_shift *out, const filter *f)
{
    size_t count = 0;
    size_t next = 0;
    int64_t lines = 0;

    for (size_t row = 0; row < f->from->row_count; row++) {
        if (!f->keep[row]) {
            continue;
        }
        int64_t shift = shoal_table_line(f->from, row) - (int64_t)next;

        if (count == 0 || shift != lines) {
            if (out) {
                out[count] = (shoal_i_line_shift){.row = next, .lines = shift};
            }
            count++;
            lines = shift;
        }
        next++;
    }
    return count;
}

static shoal_status filter_lines(shoal_ctx *ctx, const filter *f)
{
    shoal_status st = SHOAL_OK;

    if (f->from->shift_count == 0) {
        return SHOAL_OK;
    }
    f->to->shift_count = list_shifts(NULL, f);
    SHOAL_ALLOC(ctx, f->to->shifts, f->to->shift_count);
    list_shifts(f->to->shifts, f);
done:
    return st;
}

shoal_status shoal_table_filter(shoal_ctx *ctx, shoal_table **out, const shoal_table *table,
                                const bool *keep)
{
    SHOAL_ENTER_FOR(ctx, out, table, keep);
    shoal_status st = SHOAL_OK;
    shoal_table *result = NULL;

    SHOAL_TRY(shoal_i_table_new(ctx, &result, table->source, table->column_count));
    for (size_t row = 0; row < table->row_count; row++) {
        result->row_count += keep[row];
    }
    filter f = {.from = table, .to = result, .keep = keep};

    SHOAL_TRY(shoal_i_parallel_for(ctx, table->column_count, filter_column, &f));
    SHOAL_TRY(filter_lines(ctx, &f));
    SHOAL_TRY(shoal_i_table_index_names(ctx, result));
    *out = result;
    result = NULL;
done:
    shoal_table_free(result);
    return st;
}
