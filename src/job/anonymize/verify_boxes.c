/* The check of a release with a box per record: from the bytes about to be published, or of a file
 * that anybody made, against the original. */
#include "making.h"

#include <inttypes.h>

/* The record whose values each written line carries must lie in its box, as the one whose box it
 * is: both are perfect matchings of rows and records. */
static shoal_status check_links(shoal_ctx *ctx, const shoal_i_making *making,
                                const shoal_i_release *parsed)
{
    shoal_status st = SHOAL_OK;
    uint32_t *sources = NULL;

    SHOAL_TRY(shoal_i_verify_cover(ctx, parsed, making->row_order));
    SHOAL_ALLOC(ctx, sources, parsed->row_count);
    for (size_t line = 0; line < parsed->row_count; line++) {
        sources[line] = shoal_i_release_source(making->release, making->row_order[line]);
    }
    SHOAL_TRY(shoal_i_verify_cover(ctx, parsed, sources));
done:
    free(sources);
    return st;
}

static shoal_status reject(shoal_ctx *ctx, const shoal_i_verdict *verdict)
{
    if (verdict->unmatched > 0) {
        return shoal_i_fail(ctx, SHOAL_EREJECTED,
                            "The verifier found %" PRIu64
                            " rows without a record of their own; nothing was written. This is "
                            "a defect of the method, please report it.",
                            verdict->unmatched);
    }
    return shoal_i_fail(ctx, SHOAL_EREJECTED,
                        "The verifier found records or rows with only %" PRIu64
                        " candidates; nothing was written. This is a defect of the method, "
                        "please report it.",
                        verdict->smallest_class);
}

shoal_status shoal_i_verify_boxes(shoal_ctx *ctx, shoal_i_making *making)
{
    shoal_status st = SHOAL_OK;
    shoal_i_released released = {0};
    shoal_i_release *parsed = NULL;

    SHOAL_TRY(shoal_i_read_back(ctx, &released, making));
    SHOAL_TRY(shoal_i_release_parse(ctx, &parsed, making->prepared.quasi, released.table));
    SHOAL_TRY(check_links(ctx, making, parsed));
    making->checked_cover = true;
    SHOAL_TRY(shoal_i_verify_records(ctx, &making->verdict, parsed, making->row_order,
                                     &making->prepared.demands.set, making->prepared.record_k));
    if (!making->verdict.holds) {
        SHOAL_TRY(reject(ctx, &making->verdict));
    }
done:
    shoal_i_release_free(parsed);
    shoal_i_released_clear(&released);
    return st;
}

/* --- Anybody's release. ----------------------------------------------------------------- */

shoal_status shoal_verify_records(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                  const char *original, const char *release)
{
    shoal_status st = SHOAL_OK;
    shoal_i_run run;
    shoal_i_prepared prepared = {0};
    shoal_i_released released = {0};
    shoal_i_release *parsed = NULL;
    shoal_i_verdict verdict = {0};
    shoal_i_details details = {0};

    *out = NULL;
    shoal_i_run_begin(&run, ctx, spec);
    SHOAL_TRY(shoal_i_prepare_check(ctx, spec, true));
    SHOAL_TRY(shoal_i_prepare_read(ctx, &prepared, spec, original));
    SHOAL_TRY(shoal_i_released_read(ctx, &released, spec, release, 0, false));
    SHOAL_TRY(shoal_i_run_stage(&run, "read"));
    SHOAL_TRY(shoal_i_prepare_quasi(ctx, &prepared, spec));
    SHOAL_TRY(shoal_i_demands_build(ctx, &prepared.demands, spec, prepared.table));
    SHOAL_TRY(shoal_i_run_stage(&run, "prepare"));
    SHOAL_TRY(shoal_i_release_parse(ctx, &parsed, prepared.quasi, released.table));
    SHOAL_TRY(shoal_i_verify_records(ctx, &verdict, parsed, NULL, &prepared.demands.set,
                                     prepared.record_k));
    SHOAL_TRY(shoal_i_run_stage(&run, "verify"));
    if (spec->is_full_report) {
        SHOAL_TRY(shoal_i_details_hash(
            ctx, &details, &(shoal_i_run_files){.input = original, .release = release}));
        SHOAL_TRY(shoal_i_run_stage(&run, "report"));
    }
    shoal_i_findings findings = {.command = "verify",
                                 .spec = spec,
                                 .run = &run,
                                 .input = original,
                                 .release = release,
                                 .shape = SHOAL_I_SHAPE_RECORDS,
                                 .prepared = &prepared,
                                 .verdict = &verdict,
                                 .details = spec->is_full_report ? &details : NULL};

    SHOAL_TRY(shoal_i_report_build(ctx, out, &findings));
done:
    shoal_i_release_free(parsed);
    shoal_i_released_clear(&released);
    shoal_i_prepared_clear(&prepared);
    shoal_i_run_end(&run);
    return st;
}
