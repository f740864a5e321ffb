#include "release_table.h"

#include "../base/sort.h"
#include "../table/column_build.h"
#include "row_order.h"
#include "value.h"

#include <string.h>

/* What a released column shows of a quasi column. */
typedef enum shown_part { SHOWS_VALUE, SHOWS_MIN, SHOWS_MAX } shown_part;

typedef struct builder {
    const shoal_i_release *release;
    const shoal_i_layout *layout;
    shoal_table *table; /* its column_count grows */
    size_t *quasi_of; /* quasi column of each column of the original, plus one; 0: it is none */
    size_t *plain;    /* columns that are released as they are */
    size_t plain_count;
    uint32_t *row_order;
} builder;

/* --- Rows. ------------------------------------------------------------------------------ */

static bool is_left_out(const builder *b, size_t column)
{
    return b->layout->roles[column] == SHOAL_ROLE_IDENTIFIER ||
           shoal_table_is_skipped(b->release->quasi->table, column);
}

static shoal_status list_columns(shoal_ctx *ctx, builder *b)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = b->release->quasi;
    size_t columns = shoal_table_column_count(quasi->table);

    SHOAL_ALLOC(ctx, b->quasi_of, columns);
    SHOAL_ALLOC(ctx, b->plain, columns);
    for (size_t c = 0; c < quasi->count; c++) {
        b->quasi_of[quasi->columns[c].column] = c + 1;
    }
    for (size_t column = 0; column < columns; column++) {
        if (is_left_out(b, column) || b->quasi_of[column] > 0) {
            continue;
        }
        if (b->layout->roles[column] == SHOAL_ROLE_QUASI) {
            SHOAL_TRY(shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, (int64_t)column,
                                      "Column '%s' has the role of a quasi-identifier, but was "
                                      "not generalized.",
                                      shoal_table_name(quasi->table, column)));
        }
        b->plain[b->plain_count++] = column;
    }
done:
    return st;
}

static shoal_status order_rows(shoal_ctx *ctx, builder *b)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_release *release = b->release;
    uint32_t *starts = NULL;

    SHOAL_ALLOC(ctx, b->row_order, release->row_count);
    SHOAL_ALLOC(ctx, starts, release->box_count + 1);
    for (size_t row = 0; row < release->row_count; row++) {
        b->row_order[row] = (uint32_t)row;
    }
    if (!b->layout->keep_order) {
        shoal_i_row_order_group(b->row_order, starts, release);
        SHOAL_TRY(shoal_i_row_order_sort(ctx, b->row_order, starts, release, b->plain,
                                         b->plain_count));
    }
done:
    free(starts);
    return st;
}

/* --- Columns. --------------------------------------------------------------------------- */

static shoal_i_interval find_shown(const builder *b, size_t c, size_t box, shown_part part)
{
    const shoal_i_quasi_column *column = &b->release->quasi->columns[c];
    shoal_i_interval shown = b->release->boxes[box * b->release->quasi->count + c];

    /* Where missing and values come together nothing but "*" can be shown. */
    if (column->has_missing && shown.hi == column->value_count - 1 && shown.lo < shown.hi) {
        return shown;
    }
    if (part == SHOWS_MIN) {
        shown.hi = shown.lo;
    } else if (part == SHOWS_MAX) {
        shown.lo = shown.hi;
    }
    return shown;
}

/* The text that each box shows, by index of a dictionary. */
static shoal_status write_texts(shoal_ctx *ctx, shoal_i_dictionary *texts, uint32_t *text_of,
                                const builder *b, size_t c, shown_part part)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer text;
    shoal_i_interval before = {UINT32_MAX, 0};

    shoal_i_buffer_init(&text, ctx, SHOAL_I_BUFFER_MAX);
    for (size_t box = 0; box < b->release->box_count; box++) {
        shoal_i_interval shown = find_shown(b, c, box, part);

        if (shown.lo == before.lo && shown.hi == before.hi) {
            text_of[box] = text_of[box - 1];
            continue;
        }
        before = shown;
        text.size = 0;
        shoal_i_value_write(&text, b->release->quasi, c, shown, b->layout->categorical);
        SHOAL_TRY(shoal_i_buffer_status(&text));
        SHOAL_TRY(shoal_i_dictionary_add(ctx, texts, &text_of[box],
                                         text.size > 0 ? text.data : "", text.size));
    }
done:
    shoal_i_buffer_clear(&text);
    return st;
}

static shoal_status add_name(shoal_ctx *ctx, builder *b, size_t column, const char *ending)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer name;
    char *text = NULL;

    shoal_i_buffer_init(&name, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_text(&name, shoal_table_name(b->release->quasi->table, column));
    shoal_i_buffer_text(&name, ending);
    SHOAL_TRY(shoal_i_buffer_take(&text, &name));
    SHOAL_TRY(
        shoal_i_table_set_name(ctx, b->table, b->table->column_count, text, strlen(text)));
    b->table->column_count++;
done:
    free(text);
    shoal_i_buffer_clear(&name);
    return st;
}

static shoal_status add_texts(shoal_ctx *ctx, builder *b, size_t column, shown_part part)
{
    static const char *const endings[] = {"", "_min", "_max"};
    shoal_status st = SHOAL_OK;
    shoal_i_column *to = &b->table->columns[b->table->column_count];
    shoal_i_dictionary texts = {0};
    shoal_i_column_rules rules = {.type = SHOAL_TYPE_STRING};
    uint32_t *text_of = NULL;
    uint32_t *code_of = NULL;
    bool has_bad = false;

    SHOAL_ALLOC(ctx, text_of, b->release->box_count);
    SHOAL_TRY(add_name(ctx, b, column, endings[part]));
    SHOAL_TRY(write_texts(ctx, &texts, text_of, b, b->quasi_of[column] - 1, part));
    SHOAL_TRY(shoal_i_column_build(ctx, to, &code_of, &has_bad, &texts, &rules));
    SHOAL_TRY(shoal_i_column_alloc_codes(ctx, to, b->table->row_count));
    for (size_t row = 0; row < b->table->row_count; row++) {
        uint32_t code = code_of[text_of[b->release->box_of[b->row_order[row]]]];

        shoal_i_codes_narrow(to->codes, to->width, row, &code, 1);
    }
done:
    free(text_of);
    free(code_of);
    shoal_i_dictionary_clear(&texts);
    return st;
}

static shoal_status add_plain(shoal_ctx *ctx, builder *b, size_t column)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *original = b->release->quasi->table;
    shoal_i_codes codes = shoal_i_table_codes(original, column);
    shoal_i_column *to = &b->table->columns[b->table->column_count];
    bool *is_used = NULL;
    uint32_t *code_of = NULL;

    SHOAL_ALLOC(ctx, is_used, shoal_table_value_count(original, column) + 1);
    for (size_t row = 0; row < b->table->row_count; row++) {
        is_used[shoal_i_codes_get(codes, row)] = true;
    }
    SHOAL_TRY(add_name(ctx, b, column, ""));
    SHOAL_TRY(shoal_i_column_restrict(ctx, to, &code_of, &original->columns[column], is_used));
    SHOAL_TRY(shoal_i_column_alloc_codes(ctx, to, b->table->row_count));
    for (size_t row = 0; row < b->table->row_count; row++) {
        uint32_t code = code_of[shoal_i_codes_get(codes, b->row_order[row])];

        shoal_i_codes_narrow(to->codes, to->width, row, &code, 1);
    }
    shoal_i_column_count_missing(to, b->table->row_count);
done:
    free(is_used);
    free(code_of);
    return st;
}

static shoal_status add_column(shoal_ctx *ctx, builder *b, size_t column)
{
    shoal_status st = SHOAL_OK;

    if (b->quasi_of[column] == 0) {
        return add_plain(ctx, b, column);
    }
    if (b->release->quasi->columns[b->quasi_of[column] - 1].hierarchy ||
        b->layout->numeric == SHOAL_I_NUMERIC_RANGE) {
        return add_texts(ctx, b, column, SHOWS_VALUE);
    }
    SHOAL_TRY(add_texts(ctx, b, column, SHOWS_MIN));
    SHOAL_TRY(add_texts(ctx, b, column, SHOWS_MAX));
done:
    return st;
}

shoal_status shoal_i_release_table(shoal_ctx *ctx, shoal_table **out, uint32_t **row_order,
                                   const shoal_i_release *release, const shoal_i_layout *layout)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *original = release->quasi->table;
    size_t columns = shoal_table_column_count(original);
    builder b = {.release = release, .layout = layout};

    *out = NULL;
    *row_order = NULL;
    if (release->shape != SHOAL_I_SHAPE_CLASSES || layout->numeric == SHOAL_I_NUMERIC_MEAN ||
        layout->numeric == SHOAL_I_NUMERIC_MEDIAN) {
        return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                            "A table is made of a release by classes, with numbers as range or "
                            "minmax.");
    }
    SHOAL_TRY(list_columns(ctx, &b));
    SHOAL_TRY(order_rows(ctx, &b));
    SHOAL_TRY(shoal_i_table_new(ctx, &b.table, shoal_table_source(original), 2 * columns));
    b.table->row_count = release->row_count;
    b.table->column_count = 0;
    for (size_t column = 0; column < columns; column++) {
        if (!is_left_out(&b, column)) {
            SHOAL_TRY(add_column(ctx, &b, column));
        }
    }
    SHOAL_TRY(shoal_i_table_check_names(ctx, b.table, SHOAL_EINVAL));
    *out = b.table;
    *row_order = b.row_order;
    b.table = NULL;
    b.row_order = NULL;
done:
    free(b.quasi_of);
    free(b.plain);
    free(b.row_order);
    shoal_table_free(b.table);
    return st;
}
