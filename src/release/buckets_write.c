/* buckets_write.c -- the sensitive table of a release by buckets, as CSV. */
#include "buckets.h"

#include "../base/sort.h"
#include "../base/text.h"
#include "../table/csv/csv_text.h"
#include "formula.h"
#include "../table/table_codes.h"

#include <inttypes.h>
#include <stdio.h>

#define BLOCK_BYTES ((size_t)1 << 20)
#define BUCKETS_PER_CHECK 4096
#define NAME_MAX_DIGITS 24

const char *const shoal_i_sensitive_columns[SHOAL_I_SENSITIVE_COLUMNS] = {"bucket", "column",
                                                                          "value", "count"};

shoal_status shoal_i_bucket_name(shoal_ctx *ctx, char **out, const shoal_table *table)
{
    char name[NAME_MAX_DIGITS + 16];

    snprintf(name, sizeof name, "%s", shoal_i_sensitive_columns[0]);
    for (size_t i = 2; shoal_table_find(table, name) >= 0; i++) {
        snprintf(name, sizeof name, "%s_%zu", shoal_i_sensitive_columns[0], i);
    }
    *out = shoal_i_strdup(ctx, name);
    return *out ? SHOAL_OK : SHOAL_ENOMEM;
}

/* --- Lines. ----------------------------------------------------------------------------- */

/* How often the values of a column occur in the bucket at hand. */
typedef struct counted {
    shoal_i_codes codes;
    uint32_t *counts;  /* by code */
    uint32_t *present; /* codes with a count above 0 */
    size_t present_count;
} counted;

static shoal_status open_column(shoal_ctx *ctx, counted *column, const shoal_table *table,
                                size_t i)
{
    shoal_status st = SHOAL_OK;
    size_t values = shoal_table_value_count(table, i) + 1;

    column->codes = shoal_i_table_codes(table, i);
    SHOAL_ALLOC(ctx, column->counts, values);
    SHOAL_ALLOC(ctx, column->present, values);
done:
    return st;
}

static void count_values(counted *column, const uint32_t *rows, size_t count)
{
    column->present_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t code = shoal_i_codes_get(column->codes, rows[i]);

        if (column->counts[code]++ == 0) {
            column->present[column->present_count++] = code;
        }
    }
    qsort(column->present, column->present_count, sizeof *column->present, shoal_i_compare_u32);
}

/* The lines of one column of a bucket, which are as many as it has values at most; its counts
 * are 0 again afterwards. */
static void add_lines(shoal_i_value_line *lines, size_t *count, counted *column, size_t i,
                      size_t bucket)
{
    for (size_t v = 0; v < column->present_count; v++) {
        uint32_t code = column->present[v];

        lines[(*count)++] = (shoal_i_value_line){.bucket = (uint32_t)bucket,
                                                 .column = (uint32_t)i,
                                                 .code = code,
                                                 .count = column->counts[code]};
        column->counts[code] = 0;
    }
}

/* rows: bucket after bucket. */
static shoal_status list_lines(shoal_ctx *ctx, shoal_i_value_line *lines, size_t *count,
                               const shoal_i_release *release, counted *columns,
                               const uint32_t *rows)
{
    shoal_status st = SHOAL_OK;
    size_t column_count = shoal_table_column_count(release->quasi->table);
    size_t start = 0;

    for (size_t bucket = 0; bucket < release->bucket_count; bucket++) {
        size_t end = start;

        while (end < release->row_count && release->bucket_of[rows[end]] == bucket) {
            end++;
        }
        for (size_t i = 0; i < column_count; i++) {
            if (columns[i].counts) {
                count_values(&columns[i], rows + start, end - start);
                add_lines(lines, count, &columns[i], i, bucket);
            }
        }
        start = end;
        if (bucket % BUCKETS_PER_CHECK == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
done:
    return st;
}

shoal_status shoal_i_buckets_list_values(shoal_ctx *ctx, shoal_i_value_line **lines,
                                         size_t *count, const shoal_i_release *release,
                                         const shoal_role *roles)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = release->quasi->table;
    size_t column_count = shoal_table_column_count(table);
    counted *columns = NULL;
    uint32_t *rows = NULL;
    size_t sensitive = 0;
    size_t most = 0;

    *lines = NULL;
    *count = 0;
    SHOAL_ALLOC(ctx, columns, column_count);
    SHOAL_ALLOC(ctx, rows, release->row_count);
    for (size_t i = 0; i < column_count; i++) {
        if (roles[i] == SHOAL_ROLE_SENSITIVE && !shoal_table_is_skipped(table, i)) {
            SHOAL_TRY(open_column(ctx, &columns[i], table, i));
            sensitive++;
        }
    }
    SHOAL_TRY(shoal_i_size_mul(ctx, &most, release->row_count, sensitive));
    SHOAL_ALLOC(ctx, *lines, most);
    for (size_t row = 0; row < release->row_count; row++) {
        rows[row] = (uint32_t)row;
    }
    SHOAL_TRY(shoal_i_buckets_group(ctx, rows, release));
    SHOAL_TRY(list_lines(ctx, *lines, count, release, columns, rows));
done:
    for (size_t i = 0; columns && i < column_count; i++) {
        free(columns[i].counts);
        free(columns[i].present);
    }
    free(columns);
    free(rows);
    if (st != SHOAL_OK) {
        free(*lines);
        *lines = NULL;
    }
    return st;
}

/* --- Text. ------------------------------------------------------------------------------ */

static shoal_status put_header(shoal_ctx *ctx, shoal_i_buffer *text, const shoal_table *table,
                               char delimiter)
{
    shoal_status st = SHOAL_OK;
    char *name = NULL;

    SHOAL_TRY(shoal_i_bucket_name(ctx, &name, table));
    for (size_t i = 0; i < SHOAL_I_SENSITIVE_COLUMNS; i++) {
        shoal_i_csv_put_name(text, i == 0 ? name : shoal_i_sensitive_columns[i], delimiter);
        shoal_i_buffer_char(text, i + 1 < SHOAL_I_SENSITIVE_COLUMNS ? delimiter : '\n');
    }
done:
    free(name);
    return st;
}

static void put_line(shoal_i_buffer *text, const shoal_table *table,
                     const shoal_i_value_line *line, char delimiter, shoal_i_buffer *guarded)
{
    const char *name = shoal_table_name(table, line->column);
    size_t length = 0;
    const char *value = shoal_table_text(table, line->column, line->code, &length);

    shoal_i_buffer_printf(text, "%" PRIu32 "%c", line->bucket + 1, delimiter);
    shoal_i_csv_put_field(text, name, strlen(name), delimiter);
    shoal_i_buffer_char(text, delimiter);
    if (guarded && shoal_i_is_formula(value, length)) {
        guarded->size = 0;
        shoal_i_buffer_char(guarded, SHOAL_I_FORMULA_GUARD);
        shoal_i_buffer_put(guarded, value, length);
        value = guarded->size > 0 ? guarded->data : "";
        length = guarded->size;
    }
    shoal_i_csv_put_field(text, value, length, delimiter);
    shoal_i_buffer_printf(text, "%c%" PRIu32 "\n", delimiter, line->count);
}

static shoal_status flush(shoal_ctx *ctx, shoal_i_buffer *text, shoal_i_output *output)
{
    shoal_status st = shoal_i_buffer_status(text);

    if (st == SHOAL_OK) {
        st = shoal_i_output_write(ctx, output, text->data, text->size);
        text->size = 0;
    }
    return st;
}

shoal_status shoal_i_buckets_write_sensitive(shoal_ctx *ctx, const shoal_i_release *release,
                                             const shoal_i_layout *layout,
                                             shoal_i_output *output)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = release->quasi->table;
    char delimiter = layout->delimiter ? layout->delimiter : ',';
    shoal_i_value_line *lines = NULL;
    size_t count = 0;
    shoal_i_buffer text;
    shoal_i_buffer guarded;

    shoal_i_buffer_init(&text, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_init(&guarded, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_TRY(shoal_i_csv_check_delimiter(ctx, delimiter));
    SHOAL_TRY(shoal_i_buckets_list_values(ctx, &lines, &count, release, layout->roles));
    SHOAL_TRY(put_header(ctx, &text, table, delimiter));
    for (size_t i = 0; i < count; i++) {
        put_line(&text, table, &lines[i], delimiter, layout->is_guarded ? &guarded : NULL);
        if (text.size > BLOCK_BYTES) {
            SHOAL_TRY(flush(ctx, &text, output));
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
    SHOAL_TRY(shoal_i_buffer_status(&guarded));
    SHOAL_TRY(flush(ctx, &text, output));
done:
    shoal_i_buffer_clear(&guarded);
    free(lines);
    shoal_i_buffer_clear(&text);
    return st;
}
