#include "given.h"

#include "../../base/fail.h"
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
    if (!given->table) {
        return shoal_csv_read(ctx, out, given->path, options);
    }
    *out = NULL;
    if (shoal_table_row_count(given->table) == 0) {
        return shoal_i_fail(ctx, SHOAL_EFORMAT, "The table has no records.");
    }
    return shoal_i_table_configure(ctx, out, given->table, options);
}
