#include "table_make.h"

#include "column_build.h"
#include "table_hold.h"
#include "table_origin.h"

#include <assert.h>
#include <string.h>

shoal_status shoal_i_table_start(shoal_ctx *ctx, shoal_table **out, size_t row_count,
                                 size_t column_count, const shoal_table *lender)
{
    shoal_status st = shoal_i_table_new(ctx, out, "", column_count);

    if (st == SHOAL_OK) {
        (*out)->row_count = row_count;
        (*out)->whole = lender;
        if (lender) {
            shoal_i_table_hold(lender);
        }
    }
    return st;
}

/* Store the codes of all rows: of[row], looked up once more in code_of. */
static shoal_status put_codes(shoal_ctx *ctx, shoal_i_column *column, size_t row_count,
                              const uint32_t *of, const uint32_t *code_of)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_column_alloc_codes(ctx, column, row_count));
    shoal_i_codes_map(column->codes, column->width,
                      (shoal_i_codes){.data = of, .width = sizeof *of}, NULL, code_of,
                      row_count);
    shoal_i_column_count_missing(column, row_count);
done:
    return st;
}

shoal_status shoal_i_table_put_texts(shoal_ctx *ctx, shoal_table *table, size_t column,
                                     const char *name, shoal_type type,
                                     const shoal_i_texts *texts, const uint32_t *text_of)
{
    shoal_status st = SHOAL_OK;
    shoal_i_column *to = &table->columns[column];
    shoal_i_dictionary dictionary = {0};
    shoal_i_column_rules rules = {.type = type};
    uint32_t *index_of = NULL; /* text -> arrival in the dictionary, then its code */
    uint32_t *code_of = NULL;
    bool *is_used = NULL;
    bool has_bad = false;

    SHOAL_TRY(shoal_i_table_set_name(ctx, table, column, name, strlen(name)));
    SHOAL_ALLOC(ctx, index_of, texts->count);
    SHOAL_ALLOC(ctx, is_used, texts->count);
    /* A dictionary is handed out whole, so a text that no row has must not be in it. */
    for (size_t row = 0; row < table->row_count; row++) {
        is_used[text_of[row]] = true;
    }
    for (size_t i = 0; i < texts->count; i++) {
        if (!is_used[i]) {
            continue;
        }
        SHOAL_TRY(shoal_i_dictionary_add(ctx, &dictionary, &index_of[i],
                                         texts->bytes + texts->starts[i],
                                         texts->starts[i + 1] - texts->starts[i]));
    }
    SHOAL_TRY(shoal_i_column_build(ctx, to, &code_of, &has_bad, &dictionary, &rules));
    assert(!has_bad); /* only texts that are of the type are given with one */
    for (size_t i = 0; i < texts->count; i++) {
        index_of[i] = is_used[i] ? code_of[index_of[i]] : 0;
    }
    SHOAL_TRY(put_codes(ctx, to, table->row_count, text_of, index_of));
done:
    shoal_i_dictionary_clear(&dictionary);
    free(index_of);
    free(code_of);
    free(is_used);
    return st;
}

/* Which values of a lent column the rows have; true when they have all of them. */
static bool mark_used(bool *is_used, const shoal_i_column *lent, shoal_i_codes codes,
                      const uint32_t *rows, size_t row_count)
{
    bool are_all = true;

    for (size_t row = 0; row < row_count; row++) {
        is_used[shoal_i_codes_get(codes, rows[row])] = true;
    }
    for (size_t code = 0; code < lent->value_count; code++) {
        are_all = are_all && is_used[code];
    }
    return are_all;
}

shoal_status shoal_i_table_put_column(shoal_ctx *ctx, shoal_table *table, size_t column,
                                      size_t from, const uint32_t *rows)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_column *lent = &table->whole->columns[from];
    shoal_i_codes codes = shoal_i_table_codes(table->whole, from);
    shoal_i_column *to = &table->columns[column];
    bool *is_used = NULL;
    uint32_t *code_of = NULL;

    SHOAL_ALLOC(ctx, is_used, (size_t)lent->value_count + 1);
    if (mark_used(is_used, lent, codes, rows, table->row_count)) {
        *to = *lent;
        to->is_part = true;
        to->owns_name = false;
        to->codes = NULL;
    } else { /* what only left out records have is not handed out */
        SHOAL_TRY(shoal_i_table_set_name(ctx, table, column, lent->name, strlen(lent->name)));
        to->type = lent->type;
        SHOAL_TRY(shoal_i_column_set_origin(ctx, to, lent->origin));
        SHOAL_TRY(shoal_i_column_restrict(ctx, to, &code_of, lent, is_used));
    }
    SHOAL_TRY(shoal_i_column_alloc_codes(ctx, to, table->row_count));
    shoal_i_codes_map(to->codes, to->width, codes, rows, code_of, table->row_count);
    shoal_i_column_count_missing(to, table->row_count);
done:
    free(is_used);
    free(code_of);
    return st;
}
