#include "received.h"

#include "columns.h"
#include "sensitive_table.h"

#include <stdio.h>
#include <string.h>

void shoal_i_received_clear(shoal_i_received *received)
{
    shoal_table_free(received->table);
    free(received->columns);
    free(received->table_path);
    *received = (shoal_i_received){0};
}

/* Note the column of a name with an ending, if the file has it. */
static bool list_column(shoal_i_received *received, const char *name, const char *ending)
{
    char whole[SHOAL_MESSAGE_MAX];

    snprintf(whole, sizeof whole, "%s%s", name, ending);

    ptrdiff_t column = shoal_table_find(received->table, whole);

    if (column >= 0) {
        received->columns[received->column_count++] = (size_t)column;
    }
    return column >= 0;
}

/* The quasi-identifier: NAME, else the pair NAME_min and NAME_max; reading made sure that one
 * of them is there. */
shoal_status shoal_i_received_list(shoal_ctx *ctx, shoal_i_received *received,
                                   const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, received->columns, 2 * spec->column_count);
    for (size_t i = 0; i < spec->column_count; i++) {
        const shoal_i_spec_column *column = &spec->columns[i];

        if (column->has_role && column->role == SHOAL_ROLE_QUASI &&
            !list_column(received, column->name, "")) {
            list_column(received, column->name, "_min");
            list_column(received, column->name, "_max");
        }
    }
done:
    return st;
}

/* Read the release, without the sensitive table that it may be linked to. */
static shoal_status read_release(shoal_ctx *ctx, shoal_i_received *received,
                                 shoal_i_reading *reading, char delimiter)
{
    shoal_status st = SHOAL_OK;
    shoal_csv_options options = shoal_i_release_options(reading, delimiter);

    SHOAL_TRY(shoal_i_given_read(ctx, &received->table, &reading->given, &options));
    SHOAL_TRY(shoal_i_received_list(ctx, received, reading->spec));
    if (reading->has_bucket) {
        received->shape = SHOAL_I_SHAPE_BUCKETS;
        received->bucket_column = (size_t)shoal_table_find(received->table, reading->bucket);
    }
done:
    return st;
}

static shoal_status fail_unlinked(shoal_ctx *ctx, const shoal_i_received *received,
                                  const shoal_table *values)
{
    shoal_i_fail(ctx, SHOAL_ENOTFOUND,
                 "The release has no column \"%.200s\", by which its sensitive table is linked "
                 "to it.",
                 shoal_table_name(values, 0));
    return shoal_i_fail_in(ctx, shoal_table_source(received->table), 1, 0);
}

/* values may be NULL; with is_linked the release must have the column of its buckets. */
static shoal_status read_with(shoal_ctx *ctx, shoal_i_received *out, shoal_i_reading *reading,
                              const shoal_table *values, bool is_linked, char delimiter)
{
    shoal_status st = SHOAL_OK;
    shoal_i_received received = {0};

    reading->bucket = values ? shoal_table_name(values, 0) : NULL;
    SHOAL_TRY(read_release(ctx, &received, reading, delimiter));
    if (received.shape == SHOAL_I_SHAPE_BUCKETS) {
        SHOAL_TRY(shoal_i_sensitive_table_join(ctx, received.table, received.bucket_column,
                                               values, reading));
    } else if (values && is_linked) {
        SHOAL_TRY(fail_unlinked(ctx, &received, values));
    }
    *out = received;
    received = (shoal_i_received){0};
done:
    reading->bucket = NULL; /* it was the table's */
    shoal_i_received_clear(&received);
    return st;
}

/* table may give nothing. */
static shoal_status read_both(shoal_ctx *ctx, shoal_i_received *out, shoal_i_reading *reading,
                              const shoal_i_given *table, bool is_needed, char delimiter)
{
    shoal_status st = SHOAL_OK;
    shoal_table *values = NULL;

    if (shoal_i_is_given(table)) {
        SHOAL_TRY(shoal_i_sensitive_table_read(ctx, &values, table, delimiter, is_needed));
    }
    SHOAL_TRY(read_with(ctx, out, reading, values, is_needed, delimiter));
    if (out->shape == SHOAL_I_SHAPE_BUCKETS && table->path) {
        out->table_path = shoal_i_strdup(ctx, table->path);
        st = out->table_path ? SHOAL_OK : SHOAL_ENOMEM;
    }
done:
    shoal_table_free(values);
    if (st != SHOAL_OK) {
        shoal_i_received_clear(out);
    }
    return st;
}

shoal_status shoal_i_received_read_by(shoal_ctx *ctx, shoal_i_received *out,
                                      shoal_i_reading *reading, const shoal_table *sensitive,
                                      char delimiter)
{
    shoal_status st = SHOAL_OK;
    const shoal_spec *spec = reading->spec;
    char *table_path = NULL;

    if (reading->given.table) {
        shoal_i_given given = shoal_i_given_table(sensitive);

        return read_both(ctx, out, reading, &given, true, delimiter);
    }
    SHOAL_TRY(shoal_i_sensitive_table_path(ctx, &table_path, spec, reading->given.path));
    SHOAL_TRY(read_both(ctx, out, reading, &(shoal_i_given){.path = table_path},
                        spec->sensitive_table != NULL, delimiter));
done:
    free(table_path);
    return st;
}

shoal_status shoal_i_received_read(shoal_ctx *ctx, shoal_i_received *out,
                                   const shoal_spec *spec, const shoal_i_given_release *release,
                                   char delimiter, bool with_sensitive)
{
    return shoal_i_received_read_by(ctx, out,
                                    &(shoal_i_reading){.spec = spec,
                                                       .given = release->rows,
                                                       .with_sensitive = with_sensitive},
                                    release->sensitive, delimiter);
}

shoal_status shoal_i_received_read_known(shoal_ctx *ctx, shoal_i_received *out,
                                         const shoal_spec *spec, const char *path,
                                         const char *table_path, char delimiter,
                                         bool with_sensitive)
{
    return read_both(ctx, out,
                     &(shoal_i_reading){.spec = spec,
                                        .given = shoal_i_given_file(path),
                                        .with_sensitive = with_sensitive},
                     &(shoal_i_given){.path = table_path}, table_path != NULL, delimiter);
}

shoal_status shoal_i_received_parse(shoal_ctx *ctx, shoal_i_release **out,
                                    const shoal_i_received *received,
                                    const shoal_i_quasi *quasi)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = received->table;
    shoal_i_release *release = NULL;

    *out = NULL;
    SHOAL_TRY(shoal_i_release_parse(ctx, &release, quasi, table));
    if (received->shape == SHOAL_I_SHAPE_BUCKETS) {
        release->shape = SHOAL_I_SHAPE_BUCKETS;
        release->bucket_count = shoal_table_value_count(table, received->bucket_column);
        SHOAL_ALLOC(ctx, release->bucket_of, release->row_count);
        shoal_table_codes(table, received->bucket_column, 0, release->row_count,
                          release->bucket_of);
    }
    *out = release;
    release = NULL;
done:
    shoal_i_release_free(release);
    return st;
}
