/* Measuring a release that anybody made against its original. */
#include <shoal/job.h>

#include "released.h"
#include "report.h"

/* The release as boxes of the original's codes, with the records it leaves out counted. */
static shoal_status parse_release(shoal_ctx *ctx, shoal_i_release **out,
                                  const shoal_i_prepared *prepared,
                                  const shoal_i_released *released)
{
    size_t original = shoal_table_row_count(prepared->table);
    size_t written = shoal_table_row_count(released->table);

    if (written > original) {
        shoal_i_fail(
            ctx, SHOAL_EFORMAT,
            "The release has %zu records, its original %zu; a release has no more than its "
            "original.",
            written, original);
        return shoal_i_fail_in(ctx, shoal_table_source(released->table), 0, 0);
    }
    shoal_status st = shoal_i_release_parse(ctx, out, prepared->quasi, released->table);

    if (st == SHOAL_OK) {
        (*out)->omitted = original - written;
    }
    return st;
}

/* The bound is about classes of at least k records, so k must be known. */
static shoal_status check_gap(shoal_ctx *ctx, const shoal_spec *spec)
{
    if ((spec->figures & SHOAL_I_FIGURE_BOUND) && spec->k == 0) {
        return shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "The bound is about releases whose classes have at least k records; "
            "say which k (privacy.k, -k).");
    }
    return SHOAL_OK;
}

static shoal_status measure_gap(shoal_ctx *ctx, shoal_i_gap *gap, const shoal_spec *spec,
                                const shoal_i_prepared *prepared, const shoal_i_release *parsed,
                                double ncp)
{
    shoal_status st = SHOAL_OK;
    shoal_i_requirement_set set = {0};

    if (spec->figures & SHOAL_I_FIGURE_BOUND) {
        SHOAL_TRY(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, (double)spec->k));
        SHOAL_TRY(shoal_i_gap_measure(ctx, gap, prepared, &set, parsed, ncp));
    }
done:
    shoal_i_requirement_set_clear(&set);
    return st;
}

shoal_status shoal_measure(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                           const char *original, const char *release)
{
    shoal_status st = SHOAL_OK;
    shoal_i_run run;
    shoal_i_prepared prepared = {0};
    shoal_i_released released = {0};
    shoal_i_release *parsed = NULL;
    shoal_i_loss loss = {0};
    shoal_i_shown shown = {0};
    shoal_i_tradeoff tradeoff = {0};
    shoal_i_gap gap = {0};
    bool has_sensitive = shoal_i_spec_has_role(spec, SHOAL_ROLE_SENSITIVE);

    *out = NULL;
    shoal_i_run_begin(&run, ctx, spec);
    SHOAL_TRY(shoal_i_prepare_check(ctx, spec, false));
    SHOAL_TRY(check_gap(ctx, spec));
    SHOAL_TRY(shoal_i_prepare_original(ctx, &prepared, spec, original));
    SHOAL_TRY(shoal_i_released_read(ctx, &released, spec, release, 0, has_sensitive));
    SHOAL_TRY(shoal_i_run_stage(&run, "read"));
    SHOAL_TRY(shoal_i_prepare_quasi(ctx, &prepared, spec));
    SHOAL_TRY(shoal_i_run_stage(&run, "prepare"));
    SHOAL_TRY(parse_release(ctx, &parsed, &prepared, &released));
    SHOAL_TRY(shoal_i_run_stage(&run, "parse"));
    SHOAL_TRY(shoal_i_loss_measure(ctx, &loss, parsed, spec->k));
    SHOAL_TRY(shoal_i_shown_build(ctx, &shown, &prepared, parsed, &released));
    SHOAL_TRY(
        shoal_i_tradeoff_measure(ctx, &tradeoff, spec, &shown,
                                 spec->figures ? spec->figures : SHOAL_I_FIGURES_SENSITIVE));
    SHOAL_TRY(measure_gap(ctx, &gap, spec, &prepared, parsed, loss.ncp));
    SHOAL_TRY(shoal_i_run_stage(&run, "measure"));

    shoal_i_findings findings = {.command = "measure",
                                 .spec = spec,
                                 .run = &run,
                                 .input = original,
                                 .release = release,
                                 .prepared = &prepared,
                                 .loss = &loss,
                                 .tradeoff = &tradeoff,
                                 .gap = &gap};

    SHOAL_TRY(shoal_i_report_build(ctx, out, &findings));
done:
    shoal_i_tradeoff_clear(&tradeoff);
    shoal_i_shown_clear(&shown);
    shoal_i_loss_clear(&loss);
    shoal_i_release_free(parsed);
    shoal_i_released_clear(&released);
    shoal_i_prepared_clear(&prepared);
    shoal_i_run_end(&run);
    return st;
}
