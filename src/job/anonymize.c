/* The way of the data: read, prepare, anonymize, write beside the target, read back, verify,
 * publish. */
#include <shoal/job.h>

#include "../base/file.h"
#include "released.h"
#include "report.h"

#include <inttypes.h>

typedef struct job {
    shoal_i_run run;
    const shoal_spec *spec;
    const char *input;
    const char *target;
    shoal_i_output *output;
    shoal_i_prepared prepared;
    shoal_i_release *release;
    shoal_i_loss loss;
    uint32_t *row_order; /* record of the table that each written line came from */
    shoal_i_verdict verdict;
    bool checked_cover;
} job;

static void clear_job(job *j)
{
    free(j->row_order);
    shoal_i_loss_clear(&j->loss);
    shoal_i_release_free(j->release);
    shoal_i_prepared_clear(&j->prepared);
    shoal_i_output_free(j->output); /* unpublished: removed */
    shoal_i_run_end(&j->run);
}

/* The release must not replace a file that the run reads. */
static shoal_status check_target(shoal_ctx *ctx, const job *j)
{
    const char *what = shoal_i_is_same_file(j->input, j->target) ? "the input itself" : NULL;

    for (size_t i = 0; i < j->spec->column_count && !what; i++) {
        const shoal_i_plan *plan = &j->spec->columns[i].plan;

        if (plan->kind == SHOAL_I_PLAN_FILE && shoal_i_is_same_file(plan->path, j->target)) {
            what = "the file of a hierarchy";
        }
    }
    if (!what) {
        return SHOAL_OK;
    }
    shoal_i_fail(ctx, SHOAL_EINVAL, "The output is %s; choose another name for the release.",
                 what);
    return shoal_i_fail_in(ctx, j->target, 0, 0);
}

/* Methods know nothing of a population. */
static shoal_status refuse_population(shoal_ctx *ctx, const shoal_spec *spec)
{
    shoal_status st = SHOAL_OK;
    shoal_i_mistakes mistakes = {.ctx = ctx};

    for (size_t i = 0; i < spec->wish_count; i++) {
        const shoal_i_wish *wish = &spec->wishes[i];

        if (wish->kind->needs_population) {
            shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                         "%s can be verified, but no method can make a release by it yet; take "
                         "it out, and verify the release against the population.",
                         wish->kind->key);
            SHOAL_TRY(shoal_i_mistakes_take(
                &mistakes, shoal_i_fail_of_wish(ctx, wish, SHOAL_EUNSUPPORTED)));
        }
    }
    SHOAL_TRY(shoal_i_mistakes_status(&mistakes));
done:
    return st;
}

/* Everything that can be refused before any work is done. */
static shoal_status open_output(shoal_ctx *ctx, job *j)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_prepare_check(ctx, j->spec, true));
    SHOAL_TRY(refuse_population(ctx, j->spec));
    SHOAL_TRY(check_target(ctx, j));
    SHOAL_TRY(shoal_i_output_open(ctx, &j->output, j->target));
done:
    return st;
}

static shoal_status run_method(shoal_ctx *ctx, job *j)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_method *method = j->spec->method;
    shoal_i_method_settings settings = j->spec->method_settings;
    shoal_i_tally_source source = {0};
    shoal_i_problem problem = {
        .quasi = j->prepared.quasi,
        .row_count = shoal_table_row_count(j->prepared.table),
        .requirements = &j->prepared.demands.set,
        .source = &source,
        .seed = ctx->seed,
        .suppress = j->spec->suppress,
    };

    SHOAL_TRY(shoal_i_tally_source_init(
        ctx, &source, problem.requirements, j->prepared.demands.sensitive,
        j->prepared.demands.sensitive_count, j->prepared.record_k, problem.row_count));
    if (!method) {
        SHOAL_TRY(shoal_i_method_parse(ctx, &method, &settings, shoal_i_methods[0]->name));
    }
    st = shoal_i_method_run(ctx, &j->release, method, &problem, &settings);
    if (st == SHOAL_EUNSATISFIABLE) {
        shoal_i_fail_in(ctx, shoal_table_source(j->prepared.table), 0, 0);
    }
done:
    shoal_i_tally_source_clear(&source);
    return st;
}

static shoal_status write_release(shoal_ctx *ctx, job *j)
{
    shoal_i_layout layout = {
        .numeric = j->spec->numeric,
        .categorical = j->spec->categorical,
        .keep_order = j->spec->keep_order,
        .delimiter = j->spec->output_delimiter,
        .roles = j->prepared.roles,
    };

    return shoal_i_release_write(ctx, &j->row_order, j->release, &layout, j->output);
}

/* --- Verification. ---------------------------------------------------------------------- */

/* Means and medians stand for a class without covering its records. */
static bool is_covering(const job *j)
{
    const shoal_i_quasi *quasi = j->prepared.quasi;

    for (size_t c = 0; c < quasi->count; c++) {
        if (!quasi->columns[c].hierarchy && (j->spec->numeric == SHOAL_I_NUMERIC_MEAN ||
                                             j->spec->numeric == SHOAL_I_NUMERIC_MEDIAN)) {
            return false;
        }
    }
    return true;
}

static shoal_status check_cover(shoal_ctx *ctx, job *j, const shoal_i_released *released)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *parsed = NULL;

    SHOAL_TRY(shoal_i_release_parse(ctx, &parsed, j->prepared.quasi, released->table));
    SHOAL_TRY(shoal_i_verify_cover(ctx, parsed, j->row_order));
    j->checked_cover = true;
done:
    shoal_i_release_free(parsed);
    return st;
}

/* The k of the record behind each written line. */
static shoal_status order_record_k(shoal_ctx *ctx, uint32_t **out, const job *j)
{
    shoal_status st = SHOAL_OK;
    size_t count = j->release->row_count;
    uint32_t *ordered = NULL;

    if (j->prepared.record_k) {
        SHOAL_ALLOC(ctx, ordered, count);
        for (size_t i = 0; i < count; i++) {
            ordered[i] = j->prepared.record_k[j->row_order[i]];
        }
    }
    *out = ordered;
done:
    return st;
}

/* Name the first requirement that does not hold. */
static shoal_status reject(shoal_ctx *ctx, const shoal_i_verdict *verdict)
{
    const shoal_i_verdict_item *item = verdict->items;

    while (item->holds) {
        item++;
    }
    return shoal_i_fail(ctx, SHOAL_EREJECTED,
                        "The verifier found %" PRIu64
                        " classes that do not meet %s; nothing was written. This is a defect "
                        "of the method, please report it.",
                        item->failing_classes, item->requirement.kind->title);
}

/* Check the file that was read back by its own sensitive values. The verdict then speaks of the
 * requirements as the original has them, which outlive the file. */
static shoal_status verify_requirements(shoal_ctx *ctx, job *j,
                                        const shoal_i_released *released)
{
    shoal_status st = SHOAL_OK;
    shoal_i_demands demands = {0};
    uint32_t *record_k = NULL;

    SHOAL_TRY(order_record_k(ctx, &record_k, j));
    SHOAL_TRY(shoal_i_demands_build(ctx, &demands, j->spec, released->table));
    SHOAL_TRY(shoal_i_verify(ctx, &j->verdict, released->table, released->columns,
                             released->column_count, &demands.set,
                             &(shoal_i_row_facts){.k = record_k}));
    for (size_t i = 0; i < j->verdict.count; i++) {
        j->verdict.items[i].requirement = j->prepared.demands.set.items[i];
    }
    if (!j->verdict.holds) {
        SHOAL_TRY(reject(ctx, &j->verdict));
    }
done:
    free(record_k);
    shoal_i_demands_clear(&demands);
    return st;
}

/* Hold what is about to be published, read back from its bytes, against what was asked for. */
static shoal_status verify_output(shoal_ctx *ctx, job *j)
{
    shoal_status st = SHOAL_OK;
    shoal_i_released released = {0};

    shoal_i_run_show_as(&j->run, "verify");
    SHOAL_TRY(shoal_i_released_read(
        ctx, &released, j->spec, shoal_i_output_temporary(j->output), j->spec->output_delimiter,
        shoal_i_spec_reads_sensitive(j->spec)));
    if (shoal_table_row_count(released.table) != j->release->row_count) {
        st = shoal_i_fail(ctx, SHOAL_EREJECTED,
                          "The release reads back with %zu records instead of %zu; nothing was "
                          "written.",
                          shoal_table_row_count(released.table), j->release->row_count);
        goto done;
    }
    SHOAL_TRY(verify_requirements(ctx, j, &released));
    if (is_covering(j)) {
        SHOAL_TRY(check_cover(ctx, j, &released));
    }
done:
    shoal_i_run_show_as(&j->run, NULL);
    shoal_i_released_clear(&released);
    return st;
}

/* --- The run. --------------------------------------------------------------------------- */

static shoal_status build_report(shoal_ctx *ctx, shoal_report **out, const job *j)
{
    shoal_i_findings findings = {
        .command = "anonymize",
        .spec = j->spec,
        .run = &j->run,
        .input = j->input,
        .release = j->target,
        .prepared = &j->prepared,
        .loss = &j->loss,
        .verdict = &j->verdict,
        .checked_cover = j->checked_cover,
    };

    return shoal_i_report_build(ctx, out, &findings);
}

/* All but publishing; after it nothing is left that could go wrong for lack of memory. */
static shoal_status make_release(shoal_ctx *ctx, job *j)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(open_output(ctx, j));
    SHOAL_TRY(shoal_i_prepare_read(ctx, &j->prepared, j->spec, j->input));
    SHOAL_TRY(shoal_i_run_stage(&j->run, "read"));
    shoal_i_prepare_warn(ctx, &j->prepared, j->spec);
    SHOAL_TRY(shoal_i_prepare_quasi(ctx, &j->prepared, j->spec));
    SHOAL_TRY(shoal_i_demands_build(ctx, &j->prepared.demands, j->spec, j->prepared.table));
    SHOAL_TRY(shoal_i_run_stage(&j->run, "prepare"));
    SHOAL_TRY(run_method(ctx, j));
    SHOAL_TRY(shoal_i_run_stage(&j->run, "anonymize"));
    SHOAL_TRY(write_release(ctx, j));
    SHOAL_TRY(shoal_i_run_stage(&j->run, "write"));
    SHOAL_TRY(verify_output(ctx, j));
    SHOAL_TRY(shoal_i_run_stage(&j->run, "verify"));
    SHOAL_TRY(shoal_i_loss_measure(ctx, &j->loss, j->release, j->spec->k));
    SHOAL_TRY(shoal_i_run_stage(&j->run, "measure"));
done:
    return st;
}

shoal_status shoal_anonymize(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                             const char *input, const char *output)
{
    shoal_status st = SHOAL_OK;
    job j = {.spec = spec, .input = input, .target = output};
    shoal_report *report = NULL;
    shoal_report *timed = NULL;

    *out = NULL;
    shoal_i_run_begin(&j.run, ctx, spec);
    SHOAL_TRY(make_release(ctx, &j));
    SHOAL_TRY(build_report(ctx, &report, &j));
    SHOAL_TRY(shoal_i_output_publish(ctx, j.output));

    /* The report once more, with the seconds that publishing took. The file is in its place:
     * should memory run out now, the first one will do. */
    (void)shoal_i_run_stage(&j.run, "publish");
    if (build_report(ctx, &timed, &j) == SHOAL_OK) {
        shoal_report_free(report);
        report = timed;
    }
    *out = report;
    report = NULL;
done:
    shoal_report_free(report);
    clear_job(&j);
    return st;
}
