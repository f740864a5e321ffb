#include "table_join.h"

#include "table_build.h"

#include <assert.h>
#include <string.h>

shoal_status shoal_i_table_join(shoal_ctx *ctx, shoal_table *table, shoal_table *more)
{
    assert(table->row_count == more->row_count);
    for (size_t i = 0; i < more->column_count; i++) {
        if (shoal_table_find(table, more->columns[i].name) >= 0) {
            return shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, (int64_t)i,
                                   "Two tables to be joined both have a column \"%.200s\".",
                                   more->columns[i].name);
        }
    }
    size_t count = table->column_count + more->column_count;
    shoal_i_column *columns = shoal_i_realloc(ctx, table->columns, count, sizeof *columns);

    if (!columns) {
        return SHOAL_ENOMEM;
    }
    memcpy(columns + table->column_count, more->columns, more->column_count * sizeof *columns);
    table->columns = columns;
    table->column_count = count;
    more->column_count = 0;
    return shoal_i_table_index_names(ctx, table);
}
