/* The check of a release by classes: the records that look alike are counted, and every record
 * must lie in the box that was published for it. */
#include "verify_release.h"

#include "../../base/pool.h"

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

/* What is checked, and what the checks share. */
typedef struct checks {
    shoal_i_verification *out;
    const shoal_i_received *received;
    const shoal_i_expected *expected;
    shoal_i_row_classes classes;
    shoal_i_release *parsed; /* NULL: records are not held against their boxes */
    shoal_i_placed cover;
} checks;

/* Both are the work of one thread each. */
static shoal_status run_check(shoal_ctx *ctx, void *payload, size_t index)
{
    checks *k = payload;

    return index == 0
               ? shoal_i_verify_requirements(ctx, k->out, k->received, k->expected, &k->classes)
               : shoal_i_placed_find(ctx, &k->cover, k->parsed, k->expected->record_of);
}

static shoal_status run_checks(shoal_ctx *ctx, checks *k)
{
    shoal_status st = SHOAL_OK;

    if (is_covering(k->expected)) {
        SHOAL_TRY(shoal_i_release_parse_classes(ctx, &k->parsed, k->expected->original->quasi,
                                                k->received->table, &k->classes));
    }
    SHOAL_TRY(shoal_i_parallel_for(ctx, k->parsed ? 2 : 1, run_check, k));
    if (k->parsed) {
        SHOAL_TRY(shoal_i_placed_check(ctx, &k->cover));
        k->out->checked_cover = true;
    }
done:
    shoal_i_placed_clear(&k->cover);
    shoal_i_release_free(k->parsed);
    return st;
}

shoal_status shoal_i_verify_classes(shoal_ctx *ctx, shoal_i_verification *out,
                                    const shoal_i_received *received,
                                    const shoal_i_expected *expected)
{
    shoal_status st = SHOAL_OK;
    checks k = {
        .out = out,
        .received = received,
        .expected = expected,
        .classes = {.columns = received->columns, .column_count = received->column_count}};
    uint32_t *class_of = NULL;

    SHOAL_TRY(shoal_i_group_rows(ctx, &class_of, &k.classes.count, received->table,
                                 received->columns, received->column_count));
    k.classes.of = class_of;
    SHOAL_TRY(run_checks(ctx, &k));
done:
    free(class_of);
    return st;
}
