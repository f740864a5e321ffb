#include "released.h"

#include "columns.h"
#include "sensitive_table.h"

#include <stdio.h>
#include <string.h>

void shoal_i_released_clear(shoal_i_released *released)
{
    shoal_table_free(released->table);
    free(released->columns);
    free(released->table_path);
    *released = (shoal_i_released){0};
}

/* Note the column of a name with an ending, if the file has it. */
static bool list_column(shoal_i_released *released, const char *name, const char *ending)
{
    char whole[SHOAL_MESSAGE_MAX];

    snprintf(whole, sizeof whole, "%s%s", name, ending);

    ptrdiff_t column = shoal_table_find(released->table, whole);

    if (column >= 0) {
        released->columns[released->column_count++] = (size_t)column;
    }
    return column >= 0;
}

/* The quasi-identifier: NAME, else the pair NAME_min and NAME_max; reading made sure that one
 * of them is there. */
shoal_status shoal_i_released_list(shoal_ctx *ctx, shoal_i_released *released,
                                   const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, released->columns, 2 * spec->column_count);
    for (size_t i = 0; i < spec->column_count; i++) {
        const shoal_i_spec_column *column = &spec->columns[i];

        if (column->has_role && column->role == SHOAL_ROLE_QUASI &&
            !list_column(released, column->name, "")) {
            list_column(released, column->name, "_min");
            list_column(released, column->name, "_max");
        }
    }
done:
    return st;
}

/* Read the release, without the sensitive table that it may be linked to. */
static shoal_status read_release(shoal_ctx *ctx, shoal_i_released *released,
                                 shoal_i_reading *reading, char delimiter)
{
    shoal_status st = SHOAL_OK;
    shoal_csv_options options = shoal_i_column_options(reading, shoal_i_configure_release);

    options.delimiter = delimiter;
    SHOAL_TRY(shoal_csv_read(ctx, &released->table, reading->path, &options));
    SHOAL_TRY(shoal_i_released_list(ctx, released, reading->spec));
    if (reading->has_bucket) {
        released->shape = SHOAL_I_SHAPE_BUCKETS;
        released->bucket_column = (size_t)shoal_table_find(released->table, reading->bucket);
    }
done:
    return st;
}

static shoal_status fail_unlinked(shoal_ctx *ctx, const shoal_i_released *released,
                                  const shoal_table *values)
{
    shoal_i_fail(ctx, SHOAL_ENOTFOUND,
                 "The release has no column \"%.200s\", by which its sensitive table is linked "
                 "to it.",
                 shoal_table_name(values, 0));
    return shoal_i_fail_in(ctx, shoal_table_source(released->table), 1, 0);
}

/* table_path may be NULL. */
static shoal_status read_both(shoal_ctx *ctx, shoal_i_released *out, shoal_i_reading *reading,
                              const char *table_path, bool is_table_needed, char delimiter)
{
    shoal_status st = SHOAL_OK;
    shoal_i_released released = {0};
    shoal_table *values = NULL;

    if (table_path) {
        SHOAL_TRY(
            shoal_i_sensitive_table_read(ctx, &values, table_path, delimiter, is_table_needed));
        reading->bucket = values ? shoal_table_name(values, 0) : NULL;
    }
    SHOAL_TRY(read_release(ctx, &released, reading, delimiter));
    if (released.shape == SHOAL_I_SHAPE_BUCKETS) {
        released.table_path = shoal_i_strdup(ctx, table_path);
        if (!released.table_path) {
            st = SHOAL_ENOMEM;
            goto done;
        }
        SHOAL_TRY(shoal_i_sensitive_table_join(ctx, released.table, released.bucket_column,
                                               values, reading));
    } else if (values && is_table_needed) {
        SHOAL_TRY(fail_unlinked(ctx, &released, values));
    }
    *out = released;
    released = (shoal_i_released){0};
done:
    reading->bucket = NULL; /* it was the table's */
    shoal_table_free(values);
    shoal_i_released_clear(&released);
    return st;
}

shoal_status shoal_i_released_read_by(shoal_ctx *ctx, shoal_i_released *out,
                                      shoal_i_reading *reading, char delimiter)
{
    shoal_status st = SHOAL_OK;
    const shoal_spec *spec = reading->spec;
    char *table_path = NULL;

    SHOAL_TRY(shoal_i_sensitive_table_path(ctx, &table_path, spec, reading->path));
    SHOAL_TRY(
        read_both(ctx, out, reading, table_path, spec->sensitive_table != NULL, delimiter));
done:
    free(table_path);
    return st;
}

shoal_status shoal_i_released_read(shoal_ctx *ctx, shoal_i_released *out,
                                   const shoal_spec *spec, const char *path, char delimiter,
                                   bool with_sensitive)
{
    return shoal_i_released_read_by(
        ctx, out,
        &(shoal_i_reading){.spec = spec, .path = path, .with_sensitive = with_sensitive},
        delimiter);
}

shoal_status shoal_i_released_read_known(shoal_ctx *ctx, shoal_i_released *out,
                                         const shoal_spec *spec, const char *path,
                                         const char *table_path, char delimiter,
                                         bool with_sensitive)
{
    return read_both(
        ctx, out,
        &(shoal_i_reading){.spec = spec, .path = path, .with_sensitive = with_sensitive},
        table_path, table_path != NULL, delimiter);
}

shoal_status shoal_i_released_parse(shoal_ctx *ctx, shoal_i_release **out,
                                    const shoal_i_released *released,
                                    const shoal_i_quasi *quasi)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = released->table;
    shoal_i_release *release = NULL;

    *out = NULL;
    SHOAL_TRY(shoal_i_release_parse(ctx, &release, quasi, table));
    if (released->shape == SHOAL_I_SHAPE_BUCKETS) {
        release->shape = SHOAL_I_SHAPE_BUCKETS;
        release->bucket_count = shoal_table_value_count(table, released->bucket_column);
        SHOAL_ALLOC(ctx, release->bucket_of, release->row_count);
        shoal_table_codes(table, released->bucket_column, 0, release->row_count,
                          release->bucket_of);
    }
    *out = release;
    release = NULL;
done:
    shoal_i_release_free(release);
    return st;
}
