#include "table_part.h"

#include "table_build.h"
#include "table_hold.h"

#include <string.h>

shoal_status shoal_i_table_part(shoal_ctx *ctx, shoal_table **out, const shoal_table *whole,
                                size_t row_count)
{
    shoal_status st = SHOAL_OK;
    shoal_table *part = NULL;

    *out = NULL;
    SHOAL_TRY(shoal_i_table_new(ctx, &part, whole->source, whole->column_count));
    part->row_count = row_count;
    part->whole = whole;
    shoal_i_table_hold(whole);
    for (size_t c = 0; c < whole->column_count; c++) {
        shoal_i_column *column = &part->columns[c];

        *column = whole->columns[c];
        column->is_part = true;
        column->codes = NULL;
        if (!column->skipped) {
            SHOAL_TRY(shoal_i_column_alloc_codes(ctx, column, row_count));
            memset(column->codes, 0, row_count * column->width);
        }
    }
    *out = part;
    part = NULL;
done:
    shoal_table_free(part);
    return st;
}

void shoal_i_table_part_set(shoal_table *part, size_t column, size_t row, uint32_t code)
{
    shoal_i_column *to = &part->columns[column];

    shoal_i_codes_narrow(to->codes, to->width, row, &code, 1);
}
