/* buckets_write.c -- the sensitive table of a release by buckets, as CSV. */
#include "buckets.h"

#include "../base/sort.h"
#include "../base/text.h"
#include "../table/csv/csv_text.h"
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

/* One sensitive column, and how often its values occur in the bucket at hand. */
typedef struct counted {
    size_t column;
    shoal_i_codes codes;
    uint32_t *counts;  /* by code */
    uint32_t *present; /* codes with a count above 0 */
    size_t present_count;
} counted;

typedef struct sensitive_writer {
    const shoal_i_release *release;
    const shoal_table *table;
    shoal_i_output *output;
    char delimiter;
    counted *columns;
    size_t column_count;
    uint32_t *rows; /* bucket after bucket */
    shoal_i_buffer text;
} sensitive_writer;

static shoal_status open_columns(shoal_ctx *ctx, sensitive_writer *w, const shoal_role *roles)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, w->columns, shoal_table_column_count(w->table));
    for (size_t i = 0; i < shoal_table_column_count(w->table); i++) {
        if (roles[i] != SHOAL_ROLE_SENSITIVE || shoal_table_is_skipped(w->table, i)) {
            continue;
        }
        counted *column = &w->columns[w->column_count++];
        size_t values = shoal_table_value_count(w->table, i) + 1;

        column->column = i;
        column->codes = shoal_i_table_codes(w->table, i);
        SHOAL_ALLOC(ctx, column->counts, values);
        SHOAL_ALLOC(ctx, column->present, values);
    }
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

/* The lines of one column of a bucket; its counts are 0 again afterwards. */
static void put_values(sensitive_writer *w, counted *column, size_t bucket)
{
    for (size_t i = 0; i < column->present_count; i++) {
        uint32_t code = column->present[i];
        size_t length = 0;
        const char *value = shoal_table_text(w->table, column->column, code, &length);
        const char *name = shoal_table_name(w->table, column->column);

        shoal_i_buffer_printf(&w->text, "%zu%c", bucket + 1, w->delimiter);
        shoal_i_csv_put_field(&w->text, name, strlen(name), w->delimiter);
        shoal_i_buffer_char(&w->text, w->delimiter);
        shoal_i_csv_put_field(&w->text, value, length, w->delimiter);
        shoal_i_buffer_printf(&w->text, "%c%" PRIu32 "\n", w->delimiter, column->counts[code]);
        column->counts[code] = 0;
    }
}

static shoal_status flush(shoal_ctx *ctx, sensitive_writer *w)
{
    shoal_status st = shoal_i_buffer_status(&w->text);

    if (st == SHOAL_OK) {
        st = shoal_i_output_write(ctx, w->output, w->text.data, w->text.size);
        w->text.size = 0;
    }
    return st;
}

static shoal_status put_buckets(shoal_ctx *ctx, sensitive_writer *w)
{
    shoal_status st = SHOAL_OK;
    size_t start = 0;

    for (size_t bucket = 0; bucket < w->release->bucket_count; bucket++) {
        size_t end = start;

        while (end < w->release->row_count && w->release->bucket_of[w->rows[end]] == bucket) {
            end++;
        }
        for (size_t i = 0; i < w->column_count; i++) {
            count_values(&w->columns[i], w->rows + start, end - start);
            put_values(w, &w->columns[i], bucket);
        }
        start = end;
        if (w->text.size > BLOCK_BYTES) {
            SHOAL_TRY(flush(ctx, w));
        }
        if (bucket % BUCKETS_PER_CHECK == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
    SHOAL_TRY(flush(ctx, w));
done:
    return st;
}

static shoal_status put_header(shoal_ctx *ctx, sensitive_writer *w)
{
    shoal_status st = SHOAL_OK;
    char *name = NULL;

    SHOAL_TRY(shoal_i_bucket_name(ctx, &name, w->table));
    for (size_t i = 0; i < SHOAL_I_SENSITIVE_COLUMNS; i++) {
        shoal_i_csv_put_name(&w->text, i == 0 ? name : shoal_i_sensitive_columns[i],
                             w->delimiter);
        shoal_i_buffer_char(&w->text, i + 1 < SHOAL_I_SENSITIVE_COLUMNS ? w->delimiter : '\n');
    }
done:
    free(name);
    return st;
}

shoal_status shoal_i_buckets_write_sensitive(shoal_ctx *ctx, const shoal_i_release *release,
                                             const shoal_i_layout *layout,
                                             shoal_i_output *output)
{
    shoal_status st = SHOAL_OK;
    sensitive_writer w = {.release = release,
                          .table = release->quasi->table,
                          .output = output,
                          .delimiter = layout->delimiter ? layout->delimiter : ','};

    shoal_i_buffer_init(&w.text, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_TRY(shoal_i_csv_check_delimiter(ctx, w.delimiter));
    SHOAL_TRY(open_columns(ctx, &w, layout->roles));
    SHOAL_ALLOC(ctx, w.rows, release->row_count);
    for (size_t row = 0; row < release->row_count; row++) {
        w.rows[row] = (uint32_t)row;
    }
    SHOAL_TRY(shoal_i_buckets_group(ctx, w.rows, release));
    SHOAL_TRY(put_header(ctx, &w));
    SHOAL_TRY(put_buckets(ctx, &w));
done:
    for (size_t i = 0; i < w.column_count; i++) {
        free(w.columns[i].counts);
        free(w.columns[i].present);
    }
    free(w.columns);
    free(w.rows);
    shoal_i_buffer_clear(&w.text);
    return st;
}
