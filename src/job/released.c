#include "released.h"

#include "columns.h"

#include <string.h>

void shoal_i_released_clear(shoal_i_released *released)
{
    shoal_table_free(released->table);
    free(released->columns);
    *released = (shoal_i_released){0};
}

/* All columns that were read, but for that of the records' own k, which is no text. */
static shoal_status list_columns(shoal_ctx *ctx, shoal_i_released *released)
{
    shoal_status st = SHOAL_OK;
    const shoal_table *table = released->table;
    size_t count = shoal_table_column_count(table);

    SHOAL_ALLOC(ctx, released->columns, count);
    for (size_t i = 0; i < count; i++) {
        if (!shoal_table_is_skipped(table, i) &&
            shoal_table_type(table, i) == SHOAL_TYPE_STRING) {
            released->columns[released->column_count++] = i;
        }
    }
done:
    return st;
}

shoal_status shoal_i_released_read(shoal_ctx *ctx, shoal_i_released *out,
                                   const shoal_spec *spec, const char *path, char delimiter)
{
    shoal_status st = SHOAL_OK;
    shoal_i_released released = {0};
    shoal_i_reading reading = {.spec = spec, .path = path};
    shoal_csv_options options = shoal_i_column_options(&reading, shoal_i_configure_release);

    options.delimiter = delimiter;
    SHOAL_TRY(shoal_csv_read(ctx, &released.table, path, &options));
    SHOAL_TRY(list_columns(ctx, &released));
    *out = released;
    released = (shoal_i_released){0};
done:
    shoal_i_released_clear(&released);
    return st;
}
