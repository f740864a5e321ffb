#include "release_table.h"

#include "../base/buffer.h"
#include "../base/pool.h"
#include "../table/table_make.h"
#include "buckets.h"
#include "fields.h"

#include <string.h>

void shoal_i_release_tables_clear(shoal_i_release_tables *tables)
{
    shoal_table_free(tables->rows);
    shoal_table_free(tables->sensitive);
    free(tables->record_of);
    *tables = (shoal_i_release_tables){0};
}

/* --- Rows. ------------------------------------------------------------------------------ */

typedef struct builder {
    const shoal_i_release *release;
    const shoal_i_layout *layout;
    shoal_i_fields fields;
    shoal_i_line_order order;
    uint32_t *sources; /* of each line: the record of the given table whose values it carries */
    shoal_table *table;
} builder;

static void clear_builder(builder *b)
{
    shoal_i_fields_clear(&b->fields);
    shoal_i_line_order_clear(&b->order);
    free(b->sources);
    shoal_table_free(b->table);
}

static shoal_status find_sources(shoal_ctx *ctx, builder *b, const shoal_i_as_given *given)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, b->sources, b->release->row_count);
    for (size_t line = 0; line < b->release->row_count; line++) {
        uint32_t row = shoal_i_release_source(b->release, b->order.lines[line]);

        b->sources[line] = given->record_of ? given->record_of[row] : row;
    }
done:
    return st;
}

/* Texts made once, and for each line which of them it has. number_of: of each box or bucket. */
static shoal_status put_texts(shoal_ctx *ctx, const builder *b, size_t i,
                              const shoal_i_cells *cells, const uint32_t *group_of,
                              const uint32_t *number_of, shoal_type type)
{
    shoal_status st = SHOAL_OK;
    uint32_t *text_of = NULL;
    shoal_i_texts texts = {
        .bytes = cells->bytes, .starts = cells->starts, .count = cells->count};

    SHOAL_ALLOC(ctx, text_of, b->release->row_count);
    for (size_t line = 0; line < b->release->row_count; line++) {
        uint32_t group = group_of[b->order.lines[line]];

        text_of[line] = number_of ? number_of[group] : group;
    }
    SHOAL_TRY(shoal_i_table_put_texts(ctx, b->table, i, b->fields.items[i].name, type, &texts,
                                      text_of));
done:
    free(text_of);
    return st;
}

/* A generalized value is text; ends of ranges, means and medians are numbers where all of them
 * are. */
static shoal_status put_quasi(shoal_ctx *ctx, const builder *b, size_t i)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_field *field = &b->fields.items[i];
    shoal_i_cells_format plain = {.categorical = b->layout->categorical, .is_plain = true};
    shoal_i_cells cells = {0};

    SHOAL_TRY(shoal_i_cells_from_boxes(ctx, &cells, b->release, field->c, field->part, &plain,
                                       (shoal_i_box_rows){b->order.rows, b->order.starts}));
    SHOAL_TRY(
        put_texts(ctx, b, i, &cells, b->release->box_of, cells.of_box,
                  field->part == SHOAL_I_CELLS_VALUE ? SHOAL_TYPE_STRING : SHOAL_TYPE_AUTO));
done:
    shoal_i_cells_clear(&cells);
    return st;
}

static shoal_status put_buckets(shoal_ctx *ctx, const builder *b, size_t i)
{
    shoal_status st = SHOAL_OK;
    shoal_i_cells_format plain = {.is_plain = true};
    shoal_i_cells cells = {0};

    SHOAL_TRY(shoal_i_cells_from_numbers(ctx, &cells, b->release->bucket_count, &plain));
    SHOAL_TRY(put_texts(ctx, b, i, &cells, b->release->bucket_of, NULL, SHOAL_TYPE_INTEGER));
done:
    shoal_i_cells_clear(&cells);
    return st;
}

static shoal_status put_field(shoal_ctx *ctx, void *payload, size_t i)
{
    const builder *b = payload;
    const shoal_i_field *field = &b->fields.items[i];

    if (field->column == SHOAL_I_FIELD_BUCKET) {
        return put_buckets(ctx, b, i);
    }
    if (field->c != SHOAL_I_FIELD_NOT_QUASI) {
        return put_quasi(ctx, b, i);
    }
    return shoal_i_table_put_column(ctx, b->table, i, field->column, b->sources);
}

static shoal_status build_rows(shoal_ctx *ctx, shoal_i_release_tables *out,
                               const shoal_i_release *release, const shoal_i_layout *layout,
                               const shoal_i_as_given *given)
{
    shoal_status st = SHOAL_OK;
    builder b = {.release = release, .layout = layout};

    SHOAL_TRY(shoal_i_fields_plan(ctx, &b.fields, release, layout));
    SHOAL_TRY(shoal_i_line_order_find(ctx, &b.order, release, layout, &b.fields));
    SHOAL_TRY(find_sources(ctx, &b, given));
    SHOAL_TRY(
        shoal_i_table_start(ctx, &b.table, release->row_count, b.fields.count, given->table));
    SHOAL_TRY(shoal_i_parallel_for(ctx, b.fields.count, put_field, &b));
    out->rows = b.table;
    b.table = NULL;
    out->record_of = b.order.lines;
    b.order.rows = b.order.rows == b.order.lines ? NULL : b.order.rows;
    b.order.lines = NULL;
done:
    clear_builder(&b);
    return st;
}

/* --- The sensitive table. --------------------------------------------------------------- */

/* Texts back to back. */
typedef struct collected {
    shoal_i_buffer bytes;
    size_t *starts;
    size_t count;
} collected;

static void collect(collected *to, const char *text, size_t length)
{
    shoal_i_buffer_put(&to->bytes, text, length);
    to->starts[++to->count] = to->bytes.size;
}

/* The names of the columns; the texts of their values, those of a column behind those of the
 * one before it, from first[column] on. */
static shoal_status collect_texts(shoal_ctx *ctx, collected *names, collected *values,
                                  uint32_t *first, const shoal_table *table)
{
    shoal_status st = SHOAL_OK;
    size_t columns = shoal_table_column_count(table);
    size_t total = 0;

    for (size_t c = 0; c < columns; c++) {
        total += shoal_table_value_count(table, c) + 1;
    }
    SHOAL_ALLOC(ctx, names->starts, columns + 1);
    SHOAL_ALLOC(ctx, values->starts, total + 1);
    for (size_t c = 0; c < columns; c++) {
        const char *name = shoal_table_name(table, c);
        size_t count =
            shoal_table_is_skipped(table, c)
                ? 0
                : shoal_table_value_count(table, c) + (shoal_table_missing_count(table, c) > 0);

        collect(names, name, strlen(name));
        first[c] = (uint32_t)values->count;
        for (uint32_t code = 0; code < count; code++) {
            size_t length = 0;
            const char *text = shoal_table_text(table, c, code, &length);

            collect(values, text, length);
        }
    }
    SHOAL_TRY(shoal_i_buffer_status(&names->bytes));
    SHOAL_TRY(shoal_i_buffer_status(&values->bytes));
done:
    return st;
}

/* Numbers from 1 to the largest, and of each line which it has. */
static shoal_status put_number_column(shoal_ctx *ctx, shoal_table *table, size_t column,
                                      const char *name, const uint32_t *numbers)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(table);
    shoal_i_cells_format plain = {.is_plain = true};
    shoal_i_cells cells = {0};
    uint32_t largest = 0;

    for (size_t i = 0; i < rows; i++) {
        largest = numbers[i] > largest ? numbers[i] : largest;
    }
    SHOAL_TRY(shoal_i_cells_from_numbers(ctx, &cells, (size_t)largest + 1, &plain));
    SHOAL_TRY(shoal_i_table_put_texts(ctx, table, column, name, SHOAL_TYPE_INTEGER,
                                      &(shoal_i_texts){cells.bytes, cells.starts, cells.count},
                                      numbers));
done:
    shoal_i_cells_clear(&cells);
    return st;
}

/* The lines as columns: bucket, column, value, count, the numbers less one. */
static void split_lines(uint32_t *const columns[SHOAL_I_SENSITIVE_COLUMNS],
                        const shoal_i_value_line *lines, size_t count, const uint32_t *first)
{
    for (size_t i = 0; i < count; i++) {
        columns[0][i] = lines[i].bucket;
        columns[1][i] = lines[i].column;
        columns[2][i] = first[lines[i].column] + lines[i].code;
        columns[3][i] = lines[i].count - 1;
    }
}

static shoal_status put_lines(shoal_ctx *ctx, shoal_table *to, const shoal_table *table,
                              const shoal_i_value_line *lines, size_t count)
{
    shoal_status st = SHOAL_OK;
    collected names = {0};
    collected values = {0};
    uint32_t *first = NULL;
    uint32_t *columns[SHOAL_I_SENSITIVE_COLUMNS] = {NULL};
    char *bucket = NULL;

    shoal_i_buffer_init(&names.bytes, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_init(&values.bytes, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_ALLOC(ctx, first, shoal_table_column_count(table));
    for (size_t i = 0; i < SHOAL_I_SENSITIVE_COLUMNS; i++) {
        SHOAL_ALLOC(ctx, columns[i], count);
    }
    SHOAL_TRY(shoal_i_bucket_name(ctx, &bucket, table));
    SHOAL_TRY(collect_texts(ctx, &names, &values, first, table));
    split_lines(columns, lines, count, first);
    SHOAL_TRY(put_number_column(ctx, to, 0, bucket, columns[0]));
    SHOAL_TRY(shoal_i_table_put_texts(
        ctx, to, 1, shoal_i_sensitive_columns[1], SHOAL_TYPE_STRING,
        &(shoal_i_texts){names.bytes.data, names.starts, names.count}, columns[1]));
    SHOAL_TRY(shoal_i_table_put_texts(
        ctx, to, 2, shoal_i_sensitive_columns[2], SHOAL_TYPE_STRING,
        &(shoal_i_texts){values.bytes.data, values.starts, values.count}, columns[2]));
    SHOAL_TRY(put_number_column(ctx, to, 3, shoal_i_sensitive_columns[3], columns[3]));
done:
    for (size_t i = 0; i < SHOAL_I_SENSITIVE_COLUMNS; i++) {
        free(columns[i]);
    }
    free(bucket);
    free(first);
    free(names.starts);
    free(values.starts);
    shoal_i_buffer_clear(&names.bytes);
    shoal_i_buffer_clear(&values.bytes);
    return st;
}

static shoal_status build_sensitive(shoal_ctx *ctx, shoal_i_release_tables *out,
                                    const shoal_i_release *release, const shoal_role *roles)
{
    shoal_status st = SHOAL_OK;
    shoal_i_value_line *lines = NULL;
    size_t count = 0;

    SHOAL_TRY(shoal_i_buckets_list_values(ctx, &lines, &count, release, roles));
    SHOAL_TRY(
        shoal_i_table_start(ctx, &out->sensitive, count, SHOAL_I_SENSITIVE_COLUMNS, NULL));
    SHOAL_TRY(put_lines(ctx, out->sensitive, release->quasi->table, lines, count));
done:
    free(lines);
    return st;
}

shoal_status shoal_i_release_tables_build(shoal_ctx *ctx, shoal_i_release_tables *out,
                                          const shoal_i_release *release,
                                          const shoal_i_layout *layout,
                                          const shoal_i_as_given *given)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(build_rows(ctx, out, release, layout, given));
    if (release->shape == SHOAL_I_SHAPE_BUCKETS) {
        SHOAL_TRY(build_sensitive(ctx, out, release, layout->roles));
    }
done:
    return st;
}
