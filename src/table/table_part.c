#include "table_part.h"

#include "../base/pool.h"
#include "table_build.h"
#include "table_hold.h"

#include <string.h>

/* A part whose columns have no codes yet. */
static shoal_status new_part(shoal_ctx *ctx, shoal_table **out, const shoal_table *whole,
                             size_t row_count)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_table_new(ctx, out, whole->source, whole->column_count));
    (*out)->row_count = row_count;
    (*out)->whole = whole;
    shoal_i_table_hold(whole);
    for (size_t c = 0; c < whole->column_count; c++) {
        shoal_i_column *column = &(*out)->columns[c];

        *column = whole->columns[c];
        column->is_part = true;
        column->owns_name = false;
        column->codes = NULL;
    }
    SHOAL_TRY(shoal_i_table_index_names(ctx, *out));
done:
    return st;
}

shoal_status shoal_i_table_part(shoal_ctx *ctx, shoal_table **out, const shoal_table *whole,
                                size_t row_count)
{
    shoal_status st = SHOAL_OK;
    shoal_table *part = NULL;

    *out = NULL;
    SHOAL_TRY(new_part(ctx, &part, whole, row_count));
    for (size_t c = 0; c < whole->column_count; c++) {
        shoal_i_column *column = &part->columns[c];

        if (!column->skipped) {
            SHOAL_TRY(shoal_i_column_alloc_codes(ctx, column, row_count));
            memset(column->codes, 0, row_count * column->width);
        }
    }
    *out = part;
    part = NULL;
done:
    shoal_table_free(part);
    return st;
}

void shoal_i_table_part_set(shoal_table *part, size_t column, size_t row, uint32_t code)
{
    shoal_i_column *to = &part->columns[column];

    shoal_i_codes_narrow(to->codes, to->width, row, &code, 1);
}

/* --- Another order. --------------------------------------------------------------------- */

typedef struct reordering {
    shoal_table *to;
    const shoal_table *from;
    const uint32_t *order;
} reordering;

/* Codes of one width: a loop of its own each, which reads nothing but codes and their order. */
#define DEFINE_REORDER(name, type)                                                             \
    static void name(void *to, const void *from, const uint32_t *order, size_t count)          \
    {                                                                                          \
        type *restrict codes = to;                                                             \
        const type *given = from;                                                              \
                                                                                               \
        for (size_t row = 0; row < count; row++) {                                             \
            codes[row] = given[order[row]];                                                    \
        }                                                                                      \
    }

DEFINE_REORDER(reorder_bytes, uint8_t)
DEFINE_REORDER(reorder_halves, uint16_t)
DEFINE_REORDER(reorder_words, uint32_t)

static shoal_status reorder_column(shoal_ctx *ctx, void *payload, size_t index)
{
    const reordering *r = payload;
    shoal_i_column *to = &r->to->columns[index];
    const void *from = r->from->columns[index].codes;
    shoal_status st = SHOAL_OK;

    if (to->skipped) {
        return SHOAL_OK;
    }
    SHOAL_TRY(shoal_i_column_alloc_codes(ctx, to, r->to->row_count));
    if (to->width == 1) {
        reorder_bytes(to->codes, from, r->order, r->to->row_count);
    } else if (to->width == 2) {
        reorder_halves(to->codes, from, r->order, r->to->row_count);
    } else {
        reorder_words(to->codes, from, r->order, r->to->row_count);
    }
done:
    return st;
}

shoal_status shoal_i_table_reorder(shoal_ctx *ctx, shoal_table **out, const shoal_table *whole,
                                   const uint32_t *order, const bool *is_wanted)
{
    shoal_status st = SHOAL_OK;
    shoal_table *part = NULL;
    reordering r = {.from = whole, .order = order};

    *out = NULL;
    SHOAL_TRY(new_part(ctx, &part, whole, whole->row_count));
    for (size_t c = 0; c < whole->column_count; c++) {
        part->columns[c].skipped = part->columns[c].skipped || !is_wanted[c];
    }
    r.to = part;
    SHOAL_TRY(shoal_i_parallel_for(ctx, whole->column_count, reorder_column, &r));
    *out = part;
    part = NULL;
done:
    shoal_table_free(part);
    return st;
}

void shoal_i_table_forget(shoal_table *table, size_t column)
{
    shoal_i_column *c = &table->columns[column];

    free(c->codes);
    if (!c->is_part) {
        free(c->texts);
        free(c->starts);
        free(c->numbers);
    }
    c->codes = NULL;
    c->texts = NULL;
    c->starts = NULL;
    c->numbers = NULL;
    c->value_count = 0;
    c->missing_count = 0;
    c->skipped = true;
}
