/* The check of a release by classes: the records that look alike are counted, and every record
 * must lie in the box that was published for it. */
#include "verify_release.h"

/* Means and medians stand for a class without covering its records. */
static bool is_covering(const shoal_i_expected *expected)
{
    const shoal_i_quasi *quasi = expected->original->quasi;
    shoal_i_numeric_form numeric = expected->spec->numeric;

    for (size_t c = 0; c < quasi->count; c++) {
        if (!quasi->columns[c].hierarchy &&
            (numeric == SHOAL_I_NUMERIC_MEAN || numeric == SHOAL_I_NUMERIC_MEDIAN)) {
            return false;
        }
    }
    return true;
}

static shoal_status check_cover(shoal_ctx *ctx, const shoal_i_received *received,
                                const shoal_i_expected *expected,
                                const shoal_i_row_classes *classes)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *parsed = NULL;

    SHOAL_TRY(shoal_i_release_parse_classes(ctx, &parsed, expected->original->quasi,
                                            received->table, classes));
    SHOAL_TRY(shoal_i_verify_cover(ctx, parsed, expected->record_of));
done:
    shoal_i_release_free(parsed);
    return st;
}

shoal_status shoal_i_verify_classes(shoal_ctx *ctx, shoal_i_verification *out,
                                    const shoal_i_received *received,
                                    const shoal_i_expected *expected)
{
    shoal_status st = SHOAL_OK;
    shoal_i_row_classes classes = {.columns = received->columns,
                                   .column_count = received->column_count};
    uint32_t *class_of = NULL;

    SHOAL_TRY(shoal_i_group_rows(ctx, &class_of, &classes.count, received->table,
                                 received->columns, received->column_count));
    classes.of = class_of;
    SHOAL_TRY(shoal_i_verify_requirements(ctx, out, received, expected, &classes));
    if (is_covering(expected)) {
        SHOAL_TRY(check_cover(ctx, received, expected, &classes));
        out->checked_cover = true;
    }
done:
    free(class_of);
    return st;
}
