/* The check of a release by classes, from the bytes about to be published: the records that look
 * alike are counted, and every record must lie in the box that was published for it. */
#include "making.h"

/* Means and medians stand for a class without covering its records. */
static bool is_covering(const shoal_i_making *making)
{
    const shoal_i_quasi *quasi = making->prepared.quasi;
    shoal_i_numeric_form numeric = making->spec->numeric;

    for (size_t c = 0; c < quasi->count; c++) {
        if (!quasi->columns[c].hierarchy &&
            (numeric == SHOAL_I_NUMERIC_MEAN || numeric == SHOAL_I_NUMERIC_MEDIAN)) {
            return false;
        }
    }
    return true;
}

static shoal_status check_cover(shoal_ctx *ctx, shoal_i_making *making,
                                const shoal_i_released *released)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *parsed = NULL;

    SHOAL_TRY(shoal_i_release_parse(ctx, &parsed, making->prepared.quasi, released->table));
    SHOAL_TRY(shoal_i_verify_cover(ctx, parsed, making->row_order));
    making->checked_cover = true;
done:
    shoal_i_release_free(parsed);
    return st;
}

shoal_status shoal_i_verify_classes(shoal_ctx *ctx, shoal_i_making *making)
{
    shoal_status st = SHOAL_OK;
    shoal_i_released released = {0};

    SHOAL_TRY(shoal_i_read_back(ctx, &released, making));
    SHOAL_TRY(shoal_i_verify_requirements(ctx, making, &released, released.columns,
                                          released.column_count));
    if (is_covering(making)) {
        SHOAL_TRY(check_cover(ctx, making, &released));
    }
done:
    shoal_i_released_clear(&released);
    return st;
}
