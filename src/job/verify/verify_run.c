/* Checking a release that anybody made. */
#include <shoal/job.h>

#include "../input/columns.h"
#include "../input/population_run.h"
#include "../input/received.h"
#include "../../report/report.h"
#include "../input/run.h"
#include "../input/similar_notice.h"
#include "../measure/details_run.h"
#include "../release/release_object.h"
#include "verify_grid.h"
#include "verify_header.h"
#include "verify_persons.h"

#include <stdlib.h>

/* The records' own k, from the release itself. */
static shoal_status read_record_k(shoal_ctx *ctx, uint32_t **out, const shoal_spec *spec,
                                  const shoal_table *table)
{
    ptrdiff_t column = shoal_table_find(table, spec->k_column);

    if (column < 0 || shoal_table_type(table, (size_t)column) != SHOAL_TYPE_INTEGER) {
        shoal_i_fail(
            ctx, SHOAL_ENOTFOUND,
            "The release has no column \"%.200s\" with the k of each record; without it their "
            "own k cannot be checked.",
            spec->k_column);
        return shoal_i_fail_in(ctx, shoal_table_source(table), 1, 0);
    }
    return shoal_i_column_record_k(ctx, out, table, spec->k_column);
}

/* Records that are published as they are do not hide in a population. */
static shoal_status check_shape(shoal_ctx *ctx, const shoal_spec *spec,
                                const shoal_i_received *received)
{
    if (received->shape != SHOAL_I_SHAPE_BUCKETS || !shoal_i_spec_reads_population(spec)) {
        return SHOAL_OK;
    }
    shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                 "In a release by buckets records are published as they are, so that no "
                 "requirement about a population applies; leave it out.");
    return shoal_i_fail_in(ctx, shoal_table_source(received->table), 0, 0);
}

/* The digests of the files, where a full report is asked for. */
static shoal_status find_digests(shoal_ctx *ctx, shoal_i_details *out, shoal_i_run *run,
                                 const shoal_i_run_files *files)
{
    shoal_status st = SHOAL_OK;

    if (run->spec->is_full_report) {
        SHOAL_TRY(shoal_i_details_hash(ctx, out, files));
        SHOAL_TRY(shoal_i_run_stage(run, "report"));
    }
done:
    return st;
}

static shoal_i_findings begin_findings(const shoal_i_run *run, const shoal_i_verdict *verdict,
                                       const shoal_i_details *details,
                                       const shoal_i_given_release *release)
{
    return (shoal_i_findings){
        .command = "verify",
        .spec = run->spec,
        .stages = &run->stages,
        .seed = run->ctx.seed,
        .threads = shoal_ctx_thread_count(&run->ctx),
        .release = release->rows.path,
        .verdict = verdict,
        .is_held_back = shoal_i_run_is_held_back(run),
        .details = run->spec->is_full_report ? details : NULL,
    };
}

/* By the texts of the release alone. */
static shoal_status run_verify(shoal_ctx *caller, shoal_report **out, const shoal_spec *spec,
                               const shoal_i_given_release *release)
{
    shoal_status st = SHOAL_OK;
    shoal_i_run run;
    shoal_ctx *ctx = shoal_i_run_begin(&run, caller, spec);
    shoal_i_received received = {0};
    shoal_i_bound_requirements requirements = {0};
    shoal_i_verdict verdict = {0};
    uint32_t *record_k = NULL;
    shoal_i_prepared population = {0};
    uint64_t *people = NULL;
    shoal_i_details details = {0};
    shoal_i_withheld withheld = {0};

    *out = NULL;
    SHOAL_TRY(shoal_i_prepare_check(ctx, spec, true));
    SHOAL_TRY(shoal_i_population_check(ctx, spec));
    SHOAL_TRY(shoal_i_received_read(ctx, &received, spec, release, spec->input_delimiter,
                                    shoal_i_spec_reads_sensitive(spec)));
    SHOAL_TRY(shoal_i_run_stage(&run, "read"));
    SHOAL_TRY(shoal_i_verify_header(ctx, &withheld, spec, &received));
    SHOAL_TRY(check_shape(ctx, spec, &received));
    SHOAL_TRY(
        shoal_i_notice_similar(ctx, received.table, spec, shoal_i_spec_reads_sensitive(spec)));
    SHOAL_TRY(shoal_i_verify_grids(ctx, spec, received.table));
    if (spec->k_column) {
        SHOAL_TRY(read_record_k(ctx, &record_k, spec, received.table));
    }
    SHOAL_TRY(shoal_i_bound_requirements_build(ctx, &requirements, spec, received.table, NULL));
    if (shoal_i_spec_reads_population(spec)) {
        SHOAL_TRY(shoal_i_population_read(ctx, &population, spec));
        SHOAL_TRY(shoal_i_population_count(ctx, &people, &population, &received,
                                           shoal_i_spec_person(spec) != NULL, NULL));
    }
    bool is_by_bucket = received.shape == SHOAL_I_SHAPE_BUCKETS;

    SHOAL_TRY(shoal_i_verify(ctx, &verdict, received.table,
                             is_by_bucket ? &received.bucket_column : received.columns,
                             is_by_bucket ? 1 : received.column_count, &requirements.set,
                             &(shoal_i_row_facts){.k = record_k, .population = people}));
    SHOAL_TRY(shoal_i_run_stage(&run, "verify"));
    SHOAL_TRY(find_digests(
        ctx, &details, &run,
        &(shoal_i_run_files){.release = release->rows.path, .table = received.table_path}));
    shoal_i_findings findings = begin_findings(&run, &verdict, &details, release);

    findings.withheld = withheld.names;
    findings.withheld_count = withheld.count;
    findings.shape = received.shape;
    findings.sensitive_table = received.table_path;
    SHOAL_TRY(shoal_i_report_build(ctx, out, &findings));
done:
    free(record_k);
    free(people);
    shoal_i_prepared_clear(&population);
    shoal_i_bound_requirements_clear(&requirements);
    shoal_i_received_clear(&received);
    free((void *)withheld.names);
    return shoal_i_run_end(&run, st);
}

/* By the persons of the original. In a release by buckets values are no longer anybody's. */
static shoal_status check_persons(shoal_ctx *ctx, shoal_i_verdict *out, const shoal_spec *spec,
                                  const shoal_i_prepared *original,
                                  const shoal_i_received *received,
                                  const shoal_i_given_release *release)
{
    shoal_status st = SHOAL_OK;
    shoal_i_prepared population = {0};
    bool has_population = shoal_i_spec_reads_population(spec);

    if (received->shape == SHOAL_I_SHAPE_BUCKETS) {
        shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                     "In a release by buckets rows do not tell whose values they are, so that "
                     "persons cannot be counted beside an original; without it rows are.");
        return shoal_i_fail_in(ctx, shoal_table_source(received->table), 0, 0);
    }
    SHOAL_TRY(shoal_i_verify_grids(ctx, spec, received->table));
    if (has_population) {
        SHOAL_TRY(shoal_i_population_read(ctx, &population, spec));
    }
    SHOAL_TRY(shoal_i_verify_persons(
        ctx, out, spec, original, received, has_population ? &population : NULL,
        shoal_i_spec_has_role(spec, SHOAL_ROLE_SENSITIVE), shoal_i_given_name(&release->rows)));
done:
    shoal_i_prepared_clear(&population);
    return st;
}

/* A box per record. */
static shoal_status check_records(shoal_ctx *ctx, shoal_i_verdict *out,
                                  const shoal_i_prepared *original,
                                  const shoal_i_received *received)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *parsed = NULL;

    SHOAL_TRY(shoal_i_release_parse(ctx, &parsed, original->quasi, received->table));
    SHOAL_TRY(shoal_i_verify_records(ctx, out, parsed, NULL, &original->requirements.set,
                                     original->record_k));
done:
    shoal_i_release_free(parsed);
    return st;
}

/* Against the original: by persons where it has a column of them, else a box per record. */
static shoal_status run_verify_records(shoal_ctx *caller, shoal_report **out,
                                       const shoal_spec *spec, const shoal_i_given *original,
                                       const shoal_i_given_release *release)
{
    shoal_status st = SHOAL_OK;
    shoal_i_run run;
    shoal_ctx *ctx = shoal_i_run_begin(&run, caller, spec);
    shoal_i_prepared prepared = {0};
    shoal_i_received received = {0};
    bool by_persons = shoal_i_spec_person(spec) != NULL;
    bool with_values = by_persons && shoal_i_spec_has_role(spec, SHOAL_ROLE_SENSITIVE);
    shoal_i_verdict verdict = {0};
    shoal_i_details details = {0};
    shoal_i_withheld withheld = {0};

    *out = NULL;
    SHOAL_TRY(shoal_i_prepare_check(ctx, spec, true));
    SHOAL_TRY(by_persons ? shoal_i_population_check(ctx, spec) : SHOAL_OK);
    SHOAL_TRY(shoal_i_prepare_by(
        ctx, &prepared,
        &(shoal_i_reading){.spec = spec, .given = *original, .with_sensitive = with_values}));
    SHOAL_TRY(shoal_i_received_read(ctx, &received, spec, release, 0, with_values));
    SHOAL_TRY(shoal_i_run_stage(&run, "read"));
    SHOAL_TRY(shoal_i_verify_header(ctx, &withheld, spec, &received));
    SHOAL_TRY(
        shoal_i_notice_similar(ctx, prepared.table, spec, shoal_i_spec_reads_sensitive(spec)));
    SHOAL_TRY(shoal_i_prepare_quasi(ctx, &prepared, spec));
    SHOAL_TRY(shoal_i_bound_requirements_build(ctx, &prepared.requirements, spec,
                                               prepared.table,
                                               shoal_i_prepared_persons(&prepared)));
    SHOAL_TRY(shoal_i_run_stage(&run, "prepare"));
    SHOAL_TRY(by_persons ? check_persons(ctx, &verdict, spec, &prepared, &received, release)
                         : check_records(ctx, &verdict, &prepared, &received));
    SHOAL_TRY(shoal_i_run_stage(&run, "verify"));
    SHOAL_TRY(find_digests(
        ctx, &details, &run,
        &(shoal_i_run_files){.input = original->path, .release = release->rows.path}));
    shoal_i_findings findings = begin_findings(&run, &verdict, &details, release);

    findings.withheld = withheld.names;
    findings.withheld_count = withheld.count;
    findings.input = original->path;
    findings.original = shoal_i_prepared_original(&prepared);
    findings.shape = by_persons ? SHOAL_I_SHAPE_CLASSES : SHOAL_I_SHAPE_RECORDS;
    SHOAL_TRY(shoal_i_report_build(ctx, out, &findings));
done:
    shoal_i_received_clear(&received);
    shoal_i_prepared_clear(&prepared);
    free((void *)withheld.names);
    return shoal_i_run_end(&run, st);
}

shoal_status shoal_verify(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                          const char *release)
{
    SHOAL_ENTER_FOR(ctx, out, spec, release);

    return run_verify(ctx, out, spec,
                      &(shoal_i_given_release){.rows = shoal_i_given_file(release)});
}

shoal_status shoal_verify_release(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                  const shoal_release *release)
{
    SHOAL_ENTER_FOR(ctx, out, spec, release);
    shoal_i_given_release given = shoal_i_release_object_given(release);

    return run_verify(ctx, out, spec, &given);
}

shoal_status shoal_verify_release_records(shoal_ctx *ctx, shoal_report **out,
                                          const shoal_spec *spec, const shoal_table *original,
                                          const shoal_release *release)
{
    SHOAL_ENTER_FOR(ctx, out, spec, original, release);
    shoal_i_given table = shoal_i_given_table(original);
    shoal_i_given_release given = shoal_i_release_object_given(release);

    return run_verify_records(ctx, out, spec, &table, &given);
}

shoal_status shoal_verify_records(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                  const char *original, const char *release)
{
    SHOAL_ENTER_FOR(ctx, out, spec, original, release);
    shoal_i_given given = shoal_i_given_file(original);

    return run_verify_records(ctx, out, spec, &given,
                              &(shoal_i_given_release){.rows = shoal_i_given_file(release)});
}
