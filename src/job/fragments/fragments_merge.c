/* Sorted fragments become one sorted file. */
#include "fragments.h"

#include "rows_sort.h"

shoal_status shoal_i_fragments_merge(shoal_ctx *ctx, shoal_i_fragments *fragments)
{
    shoal_status st = SHOAL_OK;
    shoal_i_row_key whole = {.size = fragments->released_format.size};

    SHOAL_TRY(shoal_i_rows_open(ctx, &fragments->merged, &fragments->released_format,
                                fragments->folder));
    SHOAL_TRY(shoal_i_rows_merge(ctx, &fragments->merged, &fragments->solved, fragments->starts,
                                 fragments->count, whole));
    shoal_i_rows_clear(&fragments->files[0]);
    shoal_i_rows_clear(&fragments->files[1]);
    shoal_i_rows_clear(&fragments->solved);
done:
    return st;
}
