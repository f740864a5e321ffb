/* The way of the data: read, prepare, anonymize, hand out, verify, publish.
 *
 *     input ──► prepared ──► release ──► written ──► verification ──► measured ──► report
 *
 * Each stage gets what those before it hand over, and nothing else. A release goes to files,
 * which are written beside their targets and get their names at the very end, or is handed out
 * as columns in memory; the verifier reads back what is handed out: the bytes of the files, the
 * columns as other programs get them. */
#include <shoal/job.h>

#include "../../base/pool.h"
#include "../../base/relay.h"
#include "../../release/looks.h"
#include "../../release/buckets.h"
#include "../fragments/memory_run.h"
#include "../input/method_check.h"
#include "coarsest.h"
#include "../input/problem_build.h"
#include "../input/warn_release.h"
#include "../measure/attacked.h"
#include "../measure/measured.h"
#include "../release/release_object.h"
#include "../verify/verify_columns.h"
#include "refine_run.h"
#include "targets.h"
#include "together.h"

/* What a run is asked to do. */
typedef struct order {
    const shoal_spec *spec;
    shoal_i_given input;
    const char *target;            /* NULL: it stays in memory */
    shoal_i_given_release refined; /* the release to start from; may give nothing */
} order;

static bool is_refining(const order *o)
{
    return shoal_i_is_given(&o->refined.rows);
}

/* --- What can be refused before any work is done. ---------------------------------------- */

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
    if (shoal_i_spec_has_coarsest(spec)) {
        return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                            "A release cannot be refined under a coarsest level.");
    }
    if (spec->memory > 0) {
        return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                            "A release cannot be refined within a limit of memory.");
    }
    if (spec->defended != 0) {
        return shoal_i_fail_of_setting(
            ctx, spec, "privacy.attacks",
            shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                         "A release cannot be refined and withstand minimality: the search "
                         "goes by sensitive values."));
    }
    return SHOAL_OK;
}

/* Attacks are on a release that is in memory, made by the method of the spec. */
static shoal_status check_attacks(shoal_ctx *ctx, const order *o)
{
    if (o->spec->attacks != 0 && (o->spec->memory > 0 || o->spec->fragment_records > 0)) {
        return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                            "Attacks cannot be simulated within a limit of memory.");
    }
    return shoal_i_attacks_check(ctx, o->spec, 1, !is_refining(o));
}

static shoal_status check_order(shoal_ctx *ctx, const order *o)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_prepare_check(ctx, o->spec, true));
    SHOAL_TRY(is_refining(o) ? check_refine(ctx, o->spec) : shoal_i_method_check(ctx, o->spec));
    SHOAL_TRY(shoal_i_coarsest_check(ctx, o->spec));
    SHOAL_TRY(shoal_i_memory_check(ctx, o->spec));
    SHOAL_TRY(check_population(ctx, o->spec));
    SHOAL_TRY(check_figures(ctx, o->spec));
    SHOAL_TRY(check_attacks(ctx, o));
done:
    return st;
}

/* --- Stages. ---------------------------------------------------------------------------- */

/* What a run has read, and what the method made of it. */
typedef struct made {
    shoal_i_prepared prepared;
    shoal_i_population population;
    shoal_i_previous previous;
    shoal_i_release *release;
    shoal_i_measured measured;
} made;

static void clear_made(made *m)
{
    shoal_i_measured_clear(&m->measured);
    shoal_i_release_free(m->release);
    shoal_i_previous_clear(&m->previous);
    shoal_i_population_clear(&m->population);
    shoal_i_prepared_clear(&m->prepared);
    *m = (made){0};
}

static shoal_status read_input(shoal_ctx *ctx, made *m, shoal_i_run *run, const order *o)
{
    shoal_status st = SHOAL_OK;
    shoal_i_prepared *prepared = &m->prepared;

    SHOAL_TRY(shoal_i_prepare_by(
        ctx, prepared,
        &(shoal_i_reading){.spec = o->spec, .given = o->input, .seeks_person = true}));
    SHOAL_TRY(shoal_i_run_stage(run, "read"));
    SHOAL_TRY(shoal_i_prepare_warn(ctx, prepared, o->spec));
    SHOAL_TRY(shoal_i_prepare_quasi(ctx, prepared, o->spec));
    SHOAL_TRY(shoal_i_bound_requirements_build(ctx, &prepared->requirements, o->spec,
                                               prepared->table,
                                               shoal_i_prepared_persons(prepared)));
    if (shoal_i_spec_reads_population(o->spec)) {
        SHOAL_TRY(shoal_i_population_open(ctx, &m->population, o->spec, prepared));
    }
    if (o->spec->previous_count > 0) {
        SHOAL_TRY(shoal_i_previous_open(ctx, &m->previous, o->spec, prepared));
    }
    SHOAL_TRY(shoal_i_run_stage(run, "prepare"));
done:
    return st;
}

static shoal_i_layout find_layout(const shoal_spec *spec, const shoal_role *roles)
{
    return (shoal_i_layout){
        .numeric = spec->numeric,
        .categorical = spec->categorical,
        .keep_order = spec->keep_order,
        .is_guarded = spec->is_guarded,
        .delimiter = spec->output_delimiter,
        .roles = roles,
    };
}

static shoal_status make_release(shoal_ctx *ctx, shoal_i_release **out, const order *o,
                                 const shoal_i_prepared *prepared, const shoal_i_people *people,
                                 const shoal_i_previous *previous)
{
    shoal_status st = SHOAL_OK;
    shoal_i_chosen chosen = shoal_i_spec_method(o->spec);
    shoal_i_posed posed = {0};

    SHOAL_TRY(shoal_i_pose(ctx, &posed, o->spec, prepared->quasi, &prepared->requirements,
                           prepared->record_k, people));
    if (is_refining(o)) {
        SHOAL_TRY(
            shoal_i_refine_release(ctx, out, o->spec, prepared, &o->refined, &posed.problem));
        goto done;
    }
    st = shoal_i_spec_has_coarsest(o->spec)
             ? shoal_i_coarsest_release(ctx, out, o->spec, prepared)
         : previous->count > 0
             ? shoal_i_together(ctx, out, &chosen, &posed.problem, previous)
             : shoal_i_method_run(ctx, out, chosen.method, &posed.problem, &chosen.settings);
    if (st == SHOAL_EUNSATISFIABLE) {
        shoal_i_fail_in(ctx, shoal_table_source(prepared->table), 0, 0);
    }
    if (st == SHOAL_OK && (*out)->shape == SHOAL_I_SHAPE_BUCKETS) {
        SHOAL_TRY(shoal_i_buckets_number(ctx, *out, prepared->roles));
    }
done:
    if (st == SHOAL_OK) {
        shoal_i_layout layout = find_layout(o->spec, prepared->roles);

        st = shoal_i_release_find_looks(ctx, *out, &layout);
    }
    shoal_i_posed_clear(&posed);
    return st;
}

/* Write it beside its target. *record_of: the record that each written row stands for. */
static shoal_status write_release(shoal_ctx *ctx, uint32_t **record_of,
                                  const shoal_i_targets *targets,
                                  const shoal_i_release *release, const shoal_spec *spec,
                                  const shoal_role *roles)
{
    shoal_status st = SHOAL_OK;
    shoal_i_layout layout = find_layout(spec, roles);

    SHOAL_TRY(shoal_i_release_write(ctx, record_of, release, &layout, targets->output));
    if (release->shape == SHOAL_I_SHAPE_BUCKETS) {
        SHOAL_TRY(
            shoal_i_buckets_write_sensitive(ctx, release, &layout, targets->table_output));
    }
done:
    return st;
}

static shoal_i_promise find_promise(const shoal_spec *spec, const made *m)
{
    return (shoal_i_promise){.spec = spec,
                             .original = &m->prepared,
                             .requirements = &m->prepared.requirements,
                             .population = &m->population,
                             .previous = &m->previous};
}

static shoal_i_ready_known find_known(const made *m)
{
    return (shoal_i_ready_known){.readied = &m->prepared.readied,
                                 .original = m->prepared.table,
                                 .hierarchies = m->prepared.hierarchies};
}

/* The files. To the user reading back and verifying is one stage. */
static shoal_status verify_written(shoal_ctx *ctx, shoal_i_verification *out,
                                   const shoal_i_targets *targets, const shoal_spec *spec,
                                   const made *m, const uint32_t *record_of)
{
    shoal_status st = SHOAL_OK;
    shoal_i_relay relay;
    shoal_i_promise promise = find_promise(spec, m);
    shoal_i_received received = {0};
    shoal_i_ready_known known = find_known(m);

    shoal_i_relay_begin(&relay, ctx, "verify");
    SHOAL_TRY(shoal_i_targets_end(&relay.own, targets));
    SHOAL_TRY(shoal_i_received_read_known(
        &relay.own, &received, spec, shoal_i_output_temporary(targets->output),
        targets->table_output ? shoal_i_output_temporary(targets->table_output) : NULL,
        spec->output_delimiter, shoal_i_spec_reads_sensitive(spec)));
    SHOAL_TRY(shoal_i_ready_verify_file(&relay.own, shoal_i_output_temporary(targets->output),
                                        spec, &known));
    if (targets->table_output) {
        SHOAL_TRY(shoal_i_ready_verify_file(
            &relay.own, shoal_i_output_temporary(targets->table_output), spec, &known));
    }
    SHOAL_TRY(
        shoal_i_verify_received(&relay.own, out, &received, &promise, m->release, record_of));
done:
    shoal_i_received_clear(&received);
    return shoal_i_ctx_join(ctx, &relay.own, st);
}

/* Write the release beside its target, and verify what was written. */
static shoal_status hand_to_files(shoal_ctx *ctx, shoal_i_verification *out, shoal_i_run *run,
                                  const shoal_i_targets *targets, const made *m)
{
    shoal_status st = SHOAL_OK;
    uint32_t *record_of = NULL;

    SHOAL_TRY(
        write_release(ctx, &record_of, targets, m->release, run->spec, m->prepared.roles));
    SHOAL_TRY(shoal_i_run_stage(run, "write"));
    SHOAL_TRY(verify_written(ctx, out, targets, run->spec, m, record_of));
    SHOAL_TRY(shoal_i_run_stage(run, "verify"));
done:
    free(record_of);
    return st;
}

/* Make the columns of the release, and verify them. */
static shoal_status hand_to_memory(shoal_ctx *ctx, shoal_i_verification *out,
                                   shoal_i_release_tables *tables, shoal_i_run *run,
                                   const made *m)
{
    shoal_status st = SHOAL_OK;
    shoal_i_relay relay;
    shoal_i_layout layout = find_layout(run->spec, m->prepared.roles);
    shoal_i_ready_known known = find_known(m);
    shoal_i_as_given given = {.table = m->prepared.given,
                              .record_of = m->prepared.given_record};

    /* What was given is finer than what may be released, or has other names. */
    if (m->prepared.readied.count > 0 || shoal_i_spec_renames(run->spec)) {
        given = (shoal_i_as_given){.table = m->prepared.table};
    }
    SHOAL_TRY(shoal_i_release_tables_build(ctx, tables, m->release, &layout, &given));
    SHOAL_TRY(shoal_i_ready_verify(ctx, tables->rows, run->spec, &known));
    SHOAL_TRY(shoal_i_run_stage(run, "write"));
    shoal_i_promise promise = find_promise(run->spec, m);

    shoal_i_relay_begin(&relay, ctx, "verify");
    SHOAL_TRY(shoal_i_ctx_join(
        ctx, &relay.own,
        shoal_i_verify_columns(&relay.own, out, tables, &promise, m->release)));
    SHOAL_TRY(shoal_i_run_stage(run, "verify"));
done:
    return st;
}

/* What columns that are released as they are add to the quasi-identifier. */
static shoal_status find_as_is(shoal_ctx *ctx, shoal_i_details *out,
                               const shoal_i_release *release, const shoal_i_prepared *prepared)
{
    shoal_status st = SHOAL_OK;
    size_t *columns = NULL;
    size_t count = 0;

    SHOAL_ALLOC(ctx, columns, prepared->column_count);
    for (size_t i = 0; i < prepared->column_count; i++) {
        if (prepared->roles[i] == SHOAL_ROLE_INSENSITIVE) {
            columns[count++] = i;
        }
    }
    SHOAL_TRY(shoal_i_as_is_find(ctx, &out->as_is, release, columns, count));
    out->has_as_is = true;
done:
    free(columns);
    return st;
}

static shoal_status measure(shoal_ctx *ctx, made *m, shoal_i_run *run,
                            const shoal_i_run_files *files)
{
    shoal_status st = SHOAL_OK;
    const shoal_spec *spec = run->spec;
    const shoal_i_release *release = m->release;
    const shoal_i_prepared *prepared = &m->prepared;
    shoal_i_measured *out = &m->measured;

    if ((spec->figures & SHOAL_I_FIGURES_SENSITIVE) || spec->is_full_report ||
        spec->attacks != 0) {
        SHOAL_TRY(shoal_i_shown_build(ctx, &out->shown, spec, prepared, release, NULL));
    }
    SHOAL_TRY(shoal_i_measured_figures(ctx, out, spec, spec->figures, prepared, release,
                                       &prepared->requirements.set,
                                       m->population.prepared.quasi));
    SHOAL_TRY(shoal_i_run_stage(run, "measure"));
    if (spec->attacks != 0) {
        SHOAL_TRY(shoal_i_attacks_find(ctx, &out->attacks, spec, spec->attacks, prepared,
                                       release, NULL, &out->shown, ""));
        SHOAL_TRY(shoal_i_run_stage(run, "attack"));
    }
    if (spec->is_full_report) {
        SHOAL_TRY(shoal_i_measured_details(ctx, out, spec, prepared, release, files,
                                           shoal_i_prepared_persons(prepared)));
        SHOAL_TRY(find_as_is(ctx, &out->details, release, prepared));
        shoal_i_layout layout = find_layout(spec, prepared->roles);

        SHOAL_TRY(shoal_i_sample_rows_take(ctx, &out->details.sample, release, &layout));
        SHOAL_TRY(shoal_i_run_stage(run, "report"));
    }
done:
    return st;
}

/* --- The run. --------------------------------------------------------------------------- */

/* What a run starts its report with. */
static shoal_i_findings begin_findings(const order *o, const shoal_i_run *run)
{
    return (shoal_i_findings){
        .command = is_refining(o) ? "refine" : "anonymize",
        .spec = o->spec,
        .stages = &run->stages,
        .seed = run->ctx.seed,
        .threads = shoal_ctx_thread_count(&run->ctx),
        .input = o->input.path,
        .release = o->target,
    };
}

/* The end of a run: what is published, and what is needed no more. */
typedef struct ending {
    shoal_i_targets *targets;
    made *made; /* NULL: nothing is to be cleared */
} ending;

/* Memory is given back while the file gets its name: both keep the system busy for as long. */
static shoal_status end_part(shoal_ctx *ctx, void *payload, size_t part)
{
    const ending *e = payload;

    if (part == 0) {
        return shoal_i_targets_publish(ctx, e->targets);
    }
    clear_made(e->made);
    return SHOAL_OK;
}

/* Build the report and only then publish: after it nothing is left that could go wrong for lack
 * of memory. Where warnings forbid it the report is all there is. */
static shoal_status publish(shoal_ctx *ctx, shoal_report **out, shoal_i_run *run,
                            shoal_i_targets *targets, shoal_i_findings *findings, made *m)
{
    shoal_status st = SHOAL_OK;
    shoal_report *report = NULL;
    ending e = {.targets = targets, .made = m};

    SHOAL_TRY(shoal_i_targets_sync(ctx, targets));
    SHOAL_TRY(shoal_i_run_stage(run, "publish"));
    findings->is_held_back = shoal_i_run_is_held_back(run);
    SHOAL_TRY(shoal_i_report_build(ctx, &report, findings));
    if (!findings->is_held_back) {
        SHOAL_TRY(shoal_i_parallel_for(ctx, m ? 2 : 1, end_part, &e));
    }
    *out = report;
    report = NULL;
    SHOAL_TRY(shoal_i_run_judge(run));
done:
    shoal_report_free(report);
    return st;
}

static shoal_status read_and_make(shoal_ctx *ctx, made *m, shoal_i_run *run, const order *o)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(read_input(ctx, m, run, o));
    SHOAL_TRY(
        make_release(ctx, &m->release, o, &m->prepared, m->population.people, &m->previous));
    SHOAL_TRY(shoal_i_warn_release(ctx, o->spec, &m->prepared, m->release));
    SHOAL_TRY(shoal_i_run_stage(run, "anonymize"));
done:
    return st;
}

static void add_findings(shoal_i_findings *findings, const made *m,
                         const shoal_i_verification *verification)
{
    shoal_i_findings_measured(findings, &m->measured);
    findings->original = shoal_i_prepared_original(&m->prepared);
    findings->verdict = &verification->verdict;
    findings->checked_cover = verification->checked_cover;
    findings->previous_count = m->previous.count;
    findings->in_previous = verification->in_previous;
    findings->shape = m->release->shape;
    findings->is_test_seeded = m->release->is_test_seeded;
}

/* From the whole table to files. */
static shoal_status run_to_files(shoal_ctx *ctx, shoal_report **out, shoal_i_run *run,
                                 shoal_i_targets *targets, const order *o)
{
    shoal_status st = SHOAL_OK;
    shoal_i_findings findings = begin_findings(o, run);
    made m = {0};
    shoal_i_verification verification = {0};
    shoal_i_run_files files = {
        .input = o->input.path,
        .release = shoal_i_output_temporary(targets->output),
        .table = targets->table_output ? shoal_i_output_temporary(targets->table_output) : NULL,
        .frontier = o->spec->frontier_plot,
    };

    SHOAL_TRY(read_and_make(ctx, &m, run, o));
    SHOAL_TRY(hand_to_files(ctx, &verification, run, targets, &m));
    SHOAL_TRY(measure(ctx, &m, run, &files));
    add_findings(&findings, &m, &verification);
    findings.sensitive_table = targets->table_path;
    SHOAL_TRY(publish(ctx, out, run, targets, &findings, &m));
done:
    clear_made(&m);
    return st;
}

/* From a table to a release in memory. report may be NULL. */
static shoal_status run_to_memory(shoal_ctx *ctx, shoal_release **out, shoal_report **report,
                                  shoal_i_run *run, const order *o)
{
    shoal_status st = SHOAL_OK;
    shoal_i_findings findings = begin_findings(o, run);
    made m = {0};
    shoal_i_release_tables tables = {0};
    shoal_i_verification verification = {0};
    shoal_release *release = NULL;

    SHOAL_TRY(read_and_make(ctx, &m, run, o));
    SHOAL_TRY(hand_to_memory(ctx, &verification, &tables, run, &m));
    SHOAL_TRY(measure(ctx, &m, run, &(shoal_i_run_files){.frontier = o->spec->frontier_plot}));
    SHOAL_TRY(shoal_i_release_object_build(ctx, &release, m.release, &tables, &m.prepared));
    findings.is_held_back = shoal_i_run_is_held_back(run);
    if (report) {
        add_findings(&findings, &m, &verification);
        SHOAL_TRY(shoal_i_report_build(ctx, report, &findings));
    }
    SHOAL_TRY(shoal_i_run_judge(run));
    *out = release;
    release = NULL;
done:
    shoal_release_free(release);
    shoal_i_release_tables_clear(&tables);
    clear_made(&m);
    return st;
}

/* Fragment by fragment. */
static shoal_status run_in_fragments(shoal_ctx *ctx, shoal_report **out, shoal_i_run *run,
                                     shoal_i_targets *targets, const order *o)
{
    shoal_status st = SHOAL_OK;
    shoal_i_findings findings = begin_findings(o, run);
    shoal_i_memory_made m = {0};

    SHOAL_TRY(shoal_i_memory_make(ctx, &m, run, o->input.path, targets->output));
    findings.original = shoal_i_prepared_original(&m.prepared);
    findings.loss = &m.loss;
    findings.verdict = &m.verdict;
    findings.checked_cover = true;
    SHOAL_TRY(publish(ctx, out, run, targets, &findings, NULL));
done:
    shoal_i_memory_made_clear(&m);
    return st;
}

static shoal_status run_order(shoal_ctx *caller, shoal_report **out, const order *o)
{
    shoal_status st = SHOAL_OK;
    shoal_i_run run;
    shoal_ctx *ctx = shoal_i_run_begin(&run, caller, o->spec);
    shoal_i_targets targets = {0};

    *out = NULL;
    SHOAL_TRY(check_order(ctx, o));
    SHOAL_TRY(shoal_i_targets_open(ctx, &targets, o->spec, o->target, o->input.path,
                                   o->refined.rows.path));
    if (o->spec->memory > 0 || o->spec->fragment_records > 0) {
        SHOAL_TRY(run_in_fragments(ctx, out, &run, &targets, o));
    } else {
        SHOAL_TRY(run_to_files(ctx, out, &run, &targets, o));
    }
done:
    shoal_i_targets_clear(&targets);
    return shoal_i_run_end(&run, st);
}

shoal_status shoal_anonymize(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                             const char *input, const char *output)
{
    SHOAL_ENTER_FOR(ctx, out, spec, input, output);

    return run_order(
        ctx, out, &(order){.spec = spec, .input = shoal_i_given_file(input), .target = output});
}

shoal_status shoal_refine(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                          const char *original, const char *release, const char *output)
{
    SHOAL_ENTER_FOR(ctx, out, spec, original, release, output);

    return run_order(ctx, out,
                     &(order){.spec = spec,
                              .input = shoal_i_given_file(original),
                              .target = output,
                              .refined = {.rows = shoal_i_given_file(release)}});
}

/* --- In memory. ------------------------------------------------------------------------- */

static shoal_status run_order_in_memory(shoal_ctx *caller, shoal_release **out,
                                        shoal_report **report, const order *o)
{
    shoal_status st = SHOAL_OK;
    shoal_i_run run;
    shoal_ctx *ctx = shoal_i_run_begin(&run, caller, o->spec);

    if (o->spec->memory > 0) {
        st = shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                          "A limit of memory is for files; this table is in memory already.");
        SHOAL_TRY(shoal_i_fail_of_setting(ctx, o->spec, "memory", st));
    }
    SHOAL_TRY(check_order(ctx, o));
    SHOAL_TRY(run_to_memory(ctx, out, report, &run, o));
done:
    return shoal_i_run_end(&run, st);
}

shoal_status shoal_anonymize_table(shoal_ctx *ctx, shoal_release **out, shoal_report **report,
                                   const shoal_spec *spec, const shoal_table *table)
{
    SHOAL_ENTER_FOR(ctx, out, spec, table);

    if (report) {
        *report = NULL;
    }
    return run_order_in_memory(ctx, out, report,
                               &(order){.spec = spec, .input = shoal_i_given_table(table)});
}

shoal_status shoal_refine_release(shoal_ctx *ctx, shoal_release **out, shoal_report **report,
                                  const shoal_spec *spec, const shoal_table *original,
                                  const shoal_release *release)
{
    SHOAL_ENTER_FOR(ctx, out, spec, original, release);

    if (report) {
        *report = NULL;
    }
    return run_order_in_memory(ctx, out, report,
                               &(order){.spec = spec,
                                        .input = shoal_i_given_table(original),
                                        .refined = shoal_i_release_object_given(release)});
}
