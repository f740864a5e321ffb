#include "released.h"

#include "columns.h"

#include <stdio.h>
#include <string.h>

void shoal_i_released_clear(shoal_i_released *released)
{
    shoal_table_free(released->table);
    free(released->columns);
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
static shoal_status list_columns(shoal_ctx *ctx, shoal_i_released *released,
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

shoal_status shoal_i_released_read_by(shoal_ctx *ctx, shoal_i_released *out,
                                      shoal_i_reading *reading, char delimiter)
{
    shoal_status st = SHOAL_OK;
    shoal_i_released released = {0};
    shoal_csv_options options = shoal_i_column_options(reading, shoal_i_configure_release);

    options.delimiter = delimiter;
    SHOAL_TRY(shoal_csv_read(ctx, &released.table, reading->path, &options));
    SHOAL_TRY(list_columns(ctx, &released, reading->spec));
    *out = released;
    released = (shoal_i_released){0};
done:
    shoal_i_released_clear(&released);
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
