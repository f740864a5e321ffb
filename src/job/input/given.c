#include "given.h"

#include "../../table/table_configure.h"

#include <string.h>

const char *shoal_i_given_name(const shoal_i_given *given)
{
    if (given->table) {
        return shoal_table_source(given->table);
    }
    return strcmp(given->path, "-") == 0 ? "standard input" : given->path;
}

shoal_status shoal_i_given_read(shoal_ctx *ctx, shoal_table **out, const shoal_i_given *given,
                                const shoal_csv_options *options)
{
    return given->table ? shoal_i_table_configure(ctx, out, given->table, options)
                        : shoal_csv_read(ctx, out, given->path, options);
}
