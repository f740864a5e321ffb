/* Checking a release that anybody made. */
#include <shoal/job.h>

#include "../input/columns.h"
#include "../input/population_run.h"
#include "../input/released.h"
#include "../../report/report.h"

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
                                const shoal_i_released *released)
{
    if (released->shape != SHOAL_I_SHAPE_BUCKETS || !shoal_i_spec_reads_population(spec)) {
        return SHOAL_OK;
    }
    shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                 "In a release by buckets records are published as they are, so that no "
                 "requirement about a population applies; leave it out.");
    return shoal_i_fail_in(ctx, shoal_table_source(released->table), 0, 0);
}

shoal_status shoal_verify(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                          const char *release)
{
    shoal_status st = SHOAL_OK;
    shoal_i_run run;
    shoal_i_released released = {0};
    shoal_i_demands demands = {0};
    shoal_i_verdict verdict = {0};
    uint32_t *record_k = NULL;
    shoal_i_prepared population = {0};
    uint64_t *people = NULL;
    shoal_i_details details = {0};

    *out = NULL;
    shoal_i_run_begin(&run, ctx, spec);
    SHOAL_TRY(shoal_i_prepare_check(ctx, spec, true));
    SHOAL_TRY(shoal_i_population_check(ctx, spec));
    SHOAL_TRY(shoal_i_released_read(ctx, &released, spec, release, spec->input_delimiter,
                                    shoal_i_spec_reads_sensitive(spec)));
    SHOAL_TRY(shoal_i_run_stage(&run, "read"));
    SHOAL_TRY(check_shape(ctx, spec, &released));
    if (spec->k_column) {
        SHOAL_TRY(read_record_k(ctx, &record_k, spec, released.table));
    }
    SHOAL_TRY(shoal_i_demands_build(ctx, &demands, spec, released.table));
    if (shoal_i_spec_reads_population(spec)) {
        SHOAL_TRY(shoal_i_population_read(ctx, &population, spec));
        SHOAL_TRY(shoal_i_population_count(ctx, &people, &population, &released));
    }
    bool is_by_bucket = released.shape == SHOAL_I_SHAPE_BUCKETS;

    SHOAL_TRY(shoal_i_verify(ctx, &verdict, released.table,
                             is_by_bucket ? &released.bucket_column : released.columns,
                             is_by_bucket ? 1 : released.column_count, &demands.set,
                             &(shoal_i_row_facts){record_k, people}));
    SHOAL_TRY(shoal_i_run_stage(&run, "verify"));

    if (spec->is_full_report) {
        SHOAL_TRY(shoal_i_details_hash(
            ctx, &details,
            &(shoal_i_run_files){.release = release, .table = released.table_path}));
        SHOAL_TRY(shoal_i_run_stage(&run, "report"));
    }
    shoal_i_findings findings = {.command = "verify",
                                 .spec = spec,
                                 .run = &run,
                                 .release = release,
                                 .verdict = &verdict,
                                 .details = spec->is_full_report ? &details : NULL,
                                 .shape = released.shape,
                                 .sensitive_table = released.table_path};

    SHOAL_TRY(shoal_i_report_build(ctx, out, &findings));
done:
    free(record_k);
    free(people);
    shoal_i_prepared_clear(&population);
    shoal_i_demands_clear(&demands);
    shoal_i_released_clear(&released);
    shoal_i_run_end(&run);
    return st;
}
