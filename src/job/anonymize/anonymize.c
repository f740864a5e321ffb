/* The way of the data: read, prepare, anonymize, write beside the target, read back, verify,
 * publish. */
#include <shoal/job.h>

#include "../../release/buckets.h"
#include "making.h"
#include "../fragments/memory_run.h"
#include "../input/method_check.h"
#include "refine_run.h"

static void clear_making(shoal_i_making *making)
{
    free(making->row_order);
    shoal_i_details_clear(&making->details);
    shoal_i_tradeoff_clear(&making->tradeoff);
    shoal_i_shown_clear(&making->shown);
    shoal_i_loss_clear(&making->loss);
    shoal_i_release_free(making->release);
    shoal_i_people_free(making->people);
    shoal_i_prepared_clear(&making->population);
    shoal_i_prepared_clear(&making->prepared);
    shoal_i_output_free(making->output); /* unpublished: removed */
    shoal_i_output_free(making->table_output);
    free(making->table_target);
    shoal_i_run_end(&making->run);
}

/* Who of a population falls into a class can only be told from what covers it. */
static shoal_status check_population(shoal_ctx *ctx, const shoal_spec *spec)
{
    if (shoal_i_spec_reads_population(spec) &&
        (spec->numeric == SHOAL_I_NUMERIC_MEAN || spec->numeric == SHOAL_I_NUMERIC_MEDIAN)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "Requirements about a population are about ranges of numbers, not "
                            "about their mean or median; choose another form of the output.");
    }
    return shoal_i_population_check(ctx, spec);
}

static shoal_status check_figures(shoal_ctx *ctx, const shoal_spec *spec)
{
    if ((spec->figures & SHOAL_I_FIGURES_SENSITIVE) &&
        !shoal_i_spec_has_role(spec, SHOAL_ROLE_SENSITIVE)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "Privacy loss and utility loss are about sensitive values; give a "
                            "column the role sensitive.");
    }
    return SHOAL_OK;
}

/* Refining goes by the records alone, and needs all of them. */
static shoal_status check_refine(shoal_ctx *ctx, const shoal_spec *spec)
{
    if (shoal_i_spec_reads_population(spec)) {
        return shoal_i_fail(
            ctx, SHOAL_EUNSUPPORTED,
            "A release cannot be refined under a requirement about a population.");
    }
    if (spec->memory > 0) {
        return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                            "A release cannot be refined within a limit of memory.");
    }
    return SHOAL_OK;
}

/* Everything that can be refused before any work is done. */
static shoal_status open_output(shoal_ctx *ctx, shoal_i_making *making)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_prepare_check(ctx, making->spec, true));
    SHOAL_TRY(making->refined ? check_refine(ctx, making->spec)
                              : shoal_i_method_check(ctx, making->spec));
    SHOAL_TRY(shoal_i_memory_check(ctx, making->spec));
    SHOAL_TRY(check_population(ctx, making->spec));
    SHOAL_TRY(check_figures(ctx, making->spec));
    SHOAL_TRY(shoal_i_open_targets(ctx, making));
done:
    return st;
}

static shoal_status run_method(shoal_ctx *ctx, shoal_i_making *making)
{
    shoal_status st = SHOAL_OK;
    shoal_i_chosen chosen = shoal_i_spec_method(making->spec);
    shoal_i_tally_source source = {0};
    shoal_i_problem problem = {
        .quasi = making->prepared.quasi,
        .row_count = shoal_table_row_count(making->prepared.table),
        .requirements = &making->prepared.demands.set,
        .source = &source,
        .people = making->people,
        .seed = ctx->seed,
        .seconds = making->spec->seconds,
        .suppress = making->spec->suppress,
    };

    SHOAL_TRY(shoal_i_tally_source_init(ctx, &source, problem.requirements,
                                        making->prepared.demands.sensitive,
                                        making->prepared.demands.sensitive_count,
                                        making->prepared.record_k, problem.row_count));
    if (making->refined) {
        SHOAL_TRY(shoal_i_refine_release(ctx, making, &problem));
        goto done;
    }
    st = shoal_i_method_run(ctx, &making->release, chosen.method, &problem, &chosen.settings);
    if (st == SHOAL_EUNSATISFIABLE) {
        shoal_i_fail_in(ctx, shoal_table_source(making->prepared.table), 0, 0);
    }
done:
    shoal_i_tally_source_clear(&source);
    return st;
}

static shoal_i_layout find_layout(const shoal_i_making *making)
{
    return (shoal_i_layout){
        .numeric = making->spec->numeric,
        .categorical = making->spec->categorical,
        .keep_order = making->spec->keep_order,
        .delimiter = making->spec->output_delimiter,
        .roles = making->prepared.roles,
    };
}

static shoal_status write_release(shoal_ctx *ctx, shoal_i_making *making)
{
    shoal_i_layout layout = find_layout(making);

    return shoal_i_release_write(ctx, &making->row_order, making->release, &layout,
                                 making->output);
}

static shoal_status write_buckets(shoal_ctx *ctx, shoal_i_making *making)
{
    shoal_status st = SHOAL_OK;
    shoal_i_layout layout = find_layout(making);

    SHOAL_TRY(shoal_i_buckets_number(ctx, making->release, layout.roles));
    SHOAL_TRY(write_release(ctx, making));
    SHOAL_TRY(
        shoal_i_buckets_write_sensitive(ctx, making->release, &layout, making->table_output));
done:
    return st;
}

/* What a run does by the shape of its release. */
typedef struct shape_steps {
    shoal_status (*write)(shoal_ctx *ctx, shoal_i_making *making);
    shoal_status (*verify)(shoal_ctx *ctx, shoal_i_making *making);
} shape_steps;

static const shape_steps steps_of[] = {
    [SHOAL_I_SHAPE_CLASSES] = {write_release, shoal_i_verify_classes},
    [SHOAL_I_SHAPE_RECORDS] = {write_release, shoal_i_verify_boxes},
    [SHOAL_I_SHAPE_BUCKETS] = {write_buckets, shoal_i_verify_buckets},
};

/* Write it beside its target, and hold what is about to be published against what was asked for. */
static shoal_status write_and_verify(shoal_ctx *ctx, shoal_i_making *making)
{
    shoal_status st = SHOAL_OK;
    const shape_steps *steps = &steps_of[making->release->shape];

    SHOAL_TRY(steps->write(ctx, making));
    SHOAL_TRY(shoal_i_run_stage(&making->run, "write"));
    shoal_i_run_show_as(&making->run, "verify");
    SHOAL_TRY(steps->verify(ctx, making));
    SHOAL_TRY(shoal_i_run_stage(&making->run, "verify"));
done:
    shoal_i_run_show_as(&making->run, NULL);
    return st;
}

/* The figures that were asked for beside the loss, and what a full report adds. */
static shoal_status measure_more(shoal_ctx *ctx, shoal_i_making *making)
{
    shoal_status st = SHOAL_OK;
    const shoal_spec *spec = making->spec;
    shoal_i_risk_parts parts = {.spec = spec,
                                .prepared = &making->prepared,
                                .release = making->release,
                                .shown = &making->shown};

    if (spec->figures & SHOAL_I_FIGURES_SENSITIVE || spec->is_full_report) {
        SHOAL_TRY(
            shoal_i_shown_build(ctx, &making->shown, &making->prepared, making->release, NULL));
    }
    if (spec->figures & SHOAL_I_FIGURES_SENSITIVE) {
        SHOAL_TRY(shoal_i_tradeoff_measure(ctx, &making->tradeoff, spec, &making->shown,
                                           spec->figures));
    }
    if (spec->figures & SHOAL_I_FIGURE_BOUND) {
        SHOAL_TRY(shoal_i_gap_measure(ctx, &making->gap, &making->prepared,
                                      &making->prepared.demands.set, making->release,
                                      making->loss.ncp));
    }
    SHOAL_TRY(shoal_i_run_stage(&making->run, "measure"));
    if (spec->is_full_report) {
        shoal_i_run_files files = {
            .input = making->input,
            .release = shoal_i_output_temporary(making->output),
            .table =
                making->table_output ? shoal_i_output_temporary(making->table_output) : NULL,
            .frontier = spec->frontier_plot,
        };

        SHOAL_TRY(shoal_i_details_build(ctx, &making->details, &parts, &files));
        SHOAL_TRY(shoal_i_run_stage(&making->run, "report"));
    }
done:
    return st;
}

/* --- The run. --------------------------------------------------------------------------- */

static shoal_status build_report(shoal_ctx *ctx, shoal_report **out,
                                 const shoal_i_making *making)
{
    shoal_i_findings findings = {
        .command = making->refined ? "refine" : "anonymize",
        .spec = making->spec,
        .run = &making->run,
        .input = making->input,
        .release = making->target,
        .prepared = &making->prepared,
        .loss = &making->loss,
        .tradeoff = &making->tradeoff,
        .gap = &making->gap,
        .verdict = &making->verdict,
        .checked_cover = making->checked_cover,
        .shape = making->release ? making->release->shape : SHOAL_I_SHAPE_CLASSES,
        .is_link_seeded = making->release && making->release->is_link_seeded,
        .sensitive_table = making->table_target,
        .details = making->spec->is_full_report ? &making->details : NULL,
    };

    return shoal_i_report_build(ctx, out, &findings);
}

/* All but publishing; after it nothing is left that could go wrong for lack of memory. */
static shoal_status make_release(shoal_ctx *ctx, shoal_i_making *making)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(open_output(ctx, making));
    if (making->spec->memory > 0 || making->most_records > 0) {
        return shoal_i_memory_make(ctx, making, making->most_records);
    }
    SHOAL_TRY(shoal_i_prepare_read(ctx, &making->prepared, making->spec, making->input));
    SHOAL_TRY(shoal_i_run_stage(&making->run, "read"));
    shoal_i_prepare_warn(ctx, &making->prepared, making->spec);
    SHOAL_TRY(shoal_i_prepare_quasi(ctx, &making->prepared, making->spec));
    SHOAL_TRY(shoal_i_demands_build(ctx, &making->prepared.demands, making->spec,
                                    making->prepared.table));
    if (shoal_i_spec_reads_population(making->spec)) {
        SHOAL_TRY(shoal_i_population_read(ctx, &making->population, making->spec));
        SHOAL_TRY(shoal_i_population_people(ctx, &making->people, &making->prepared,
                                            &making->population));
    }
    SHOAL_TRY(shoal_i_run_stage(&making->run, "prepare"));
    SHOAL_TRY(run_method(ctx, making));
    SHOAL_TRY(shoal_i_run_stage(&making->run, "anonymize"));
    SHOAL_TRY(write_and_verify(ctx, making));
    SHOAL_TRY(shoal_i_loss_measure(ctx, &making->loss, making->release, making->spec->k));
    SHOAL_TRY(measure_more(ctx, making));
done:
    return st;
}

static shoal_status run(shoal_ctx *ctx, shoal_report **out, shoal_i_making making)
{
    shoal_status st = SHOAL_OK;
    shoal_report *report = NULL;
    shoal_report *timed = NULL;

    *out = NULL;
    shoal_i_run_begin(&making.run, ctx, making.spec);
    SHOAL_TRY(make_release(ctx, &making));
    SHOAL_TRY(build_report(ctx, &report, &making));
    SHOAL_TRY(shoal_i_publish_targets(ctx, &making));

    /* The report once more, with the seconds that publishing took. The file is in its place:
     * should memory run out now, the first one will do. */
    (void)shoal_i_run_stage(&making.run, "publish");
    if (build_report(ctx, &timed, &making) == SHOAL_OK) {
        shoal_report_free(report);
        report = timed;
    }
    *out = report;
    report = NULL;
done:
    shoal_report_free(report);
    clear_making(&making);
    return st;
}

shoal_status shoal_anonymize(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                             const char *input, const char *output)
{
    return run(ctx, out, (shoal_i_making){.spec = spec, .input = input, .target = output});
}

shoal_status shoal_i_anonymize_fragmented(shoal_ctx *ctx, shoal_report **out,
                                          const shoal_spec *spec, const char *input,
                                          const char *output, size_t most_records)
{
    return run(
        ctx, out,
        (shoal_i_making){
            .spec = spec, .input = input, .target = output, .most_records = most_records});
}

shoal_status shoal_refine(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                          const char *original, const char *release, const char *output)
{
    return run(ctx, out,
               (shoal_i_making){
                   .spec = spec, .input = original, .refined = release, .target = output});
}
