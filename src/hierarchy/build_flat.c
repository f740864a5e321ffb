#include "sketch.h"

#include "../base/entry.h"

shoal_status shoal_hierarchy_build_flat(shoal_ctx *ctx, shoal_hierarchy **out,
                                        const shoal_table *table, size_t column)
{
    SHOAL_ENTER_FOR(ctx, out, table);
    SHOAL_NEED_COLUMN(ctx, table, column);
    shoal_status st = SHOAL_OK;
    shoal_i_sketch sketch = {0};

    SHOAL_TRY(shoal_i_sketch_start(ctx, &sketch, table, column));
    SHOAL_TRY(
        shoal_i_sketch_build(ctx, out, &sketch)); /* what has no leaf goes below the root */
done:
    shoal_i_sketch_clear(&sketch);
    return st;
}
