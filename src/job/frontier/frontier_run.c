/* The run of a frontier: read and code the table once, try every point, judge them. */
#include <shoal/job.h>

#include "../../base/clock.h"
#include "../../base/pool.h"
#include "frontier.h"
#include "../input/population_run.h"
#include "../input/similar_notice.h"
#include "../../report/report.h"

#include <inttypes.h>
#include <string.h>

typedef struct sweep_run {
    shoal_i_frontier *frontier;
    shoal_i_kept *kept;
    shoal_i_meter meter;
} sweep_run;

static shoal_status try_point(shoal_ctx *ctx, void *payload, size_t i)
{
    shoal_status st = SHOAL_OK;
    sweep_run *run = payload;
    shoal_i_point *point = &run->frontier->points[i];

    if (!point->is_kept) {
        SHOAL_TRY(shoal_i_frontier_try(ctx, run->frontier, point));
        SHOAL_TRY(shoal_i_kept_add(ctx, run->kept, point));
    }
    SHOAL_TRY(shoal_i_meter_add(ctx, &run->meter, 1));
done:
    return st;
}

/* SHOAL_EUNSATISFIABLE when no point could be made. */
static shoal_status check_any(shoal_ctx *ctx, const shoal_i_frontier *f)
{
    for (size_t i = 0; i < f->count; i++) {
        if (f->points[i].state == SHOAL_I_POINT_DONE ||
            f->points[i].state == SHOAL_I_POINT_OPEN) {
            return SHOAL_OK;
        }
    }
    return shoal_i_fail(
        ctx, SHOAL_EUNSATISFIABLE,
        "None of the %zu points of the sweep can be made; the first, %s by %s: %s", f->count,
        f->points[0].requirement, f->points[0].method->text, f->points[0].reason);
}

/* A point as the report has it. */
static shoal_i_point_result find_result(const shoal_i_frontier *f, size_t i)
{
    const shoal_i_point *point = &f->points[i];
    bool is_done = point->state == SHOAL_I_POINT_DONE;
    shoal_i_point_result result = {
        .facts = {.requirement = point->requirement,
                  .method = point->method->text,
                  .state = shoal_i_point_words[point->state],
                  .reason = is_done ? "" : point->reason,
                  .shape = is_done ? shoal_i_shape_name(point->shape) : "",
                  .classes = is_done ? point->classes : 0,
                  .smallest_class = is_done ? point->smallest_class : 0,
                  .seconds = point->seconds,
                  .is_dominated = point->is_dominated,
                  .is_recommended = (ptrdiff_t)i == f->recommended},
        .value = point->request->value,
        .spec = point->spec,
    };

    memcpy(result.figures, point->figures, sizeof result.figures);
    return result;
}

static shoal_status add_points(shoal_ctx *ctx, shoal_report *report, const shoal_i_frontier *f)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_report_add_points(ctx, report, f->count));
    for (size_t i = 0; i < f->count; i++) {
        shoal_i_point_result result = find_result(f, i);

        SHOAL_TRY(shoal_i_report_set_point(ctx, report, i, &result));
    }
done:
    return st;
}

static shoal_status build_report(shoal_ctx *ctx, shoal_report **out, const shoal_i_frontier *f,
                                 const shoal_i_stages *stages, const char *input)
{
    shoal_status st = SHOAL_OK;
    shoal_report *report = NULL;
    shoal_i_buffer text;

    shoal_i_buffer_init(&text, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_TRY(shoal_i_report_new(ctx, &report));
    report->holds = f->recommended >= 0 || !f->has_limits;
    SHOAL_TRY(add_points(ctx, report, f));
    shoal_i_report_add_figure(report, "points", (double)f->count);
    shoal_i_report_add_figure(report, "seconds", shoal_i_stages_total(stages));
    shoal_i_frontier_put_text(&text, f);
    SHOAL_TRY(shoal_i_buffer_take(&report->text, &text));
    shoal_i_frontier_put_json(&text, f, stages, input);
    SHOAL_TRY(shoal_i_buffer_take(&report->json, &text));
    shoal_i_frontier_put_csv(&text, f);
    SHOAL_TRY(shoal_i_buffer_take(&report->csv, &text));
    shoal_i_frontier_put_svg(&text, f);
    SHOAL_TRY(shoal_i_buffer_take(&report->svg, &text));
    shoal_i_frontier_put_html(&text, f, input);
    SHOAL_TRY(shoal_i_buffer_take(&report->html, &text));
    *out = report;
    report = NULL;
done:
    shoal_i_buffer_clear(&text);
    shoal_report_free(report);
    return st;
}

/* Try all points, those that were kept aside; what is done is kept should the rest fail. */
static shoal_status sweep(shoal_ctx *ctx, shoal_i_frontier *f, const char *path, bool resume)
{
    shoal_status st = SHOAL_OK;
    sweep_run run = {.frontier = f, .meter = {.stage = "frontier", .total = f->count}};
    bool is_over = false;

    SHOAL_TRY(shoal_i_kept_open(ctx, &run.kept, f, path, resume));
    SHOAL_TRY(shoal_i_parallel_for(ctx, f->count, try_point, &run));
    is_over = true;
    for (size_t i = 0; i < f->count; i++) {
        is_over = is_over && f->points[i].state != SHOAL_I_POINT_OPEN;
    }
done:
    shoal_i_kept_close(run.kept, is_over);
    return st;
}

static shoal_status run_frontier(shoal_ctx *caller, shoal_report **out, const shoal_spec *spec,
                                 const shoal_i_given *input, const char *keep, bool resume)
{
    shoal_status st = SHOAL_OK;
    shoal_i_run run;
    shoal_ctx *ctx = shoal_i_run_begin(&run, caller, spec);
    shoal_i_prepared prepared = {0};
    shoal_i_population population = {0};
    shoal_i_frontier frontier = {
        .spec = spec, .prepared = &prepared, .population = &population};

    *out = NULL;
    SHOAL_TRY(shoal_i_prepare_check(ctx, spec, false));
    if (shoal_i_spec_has_coarsest(spec)) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                               "A frontier is supported for quasi columns without a coarsest "
                               "level."));
    }
    SHOAL_TRY(shoal_i_prepare_by(
        ctx, &prepared,
        &(shoal_i_reading){
            .spec = spec, .given = *input, .with_sensitive = true, .seeks_person = true}));
    SHOAL_TRY(shoal_i_run_stage(&run, "read"));
    SHOAL_TRY(shoal_i_notice_similar(ctx, prepared.table, spec, true));
    SHOAL_TRY(shoal_i_prepare_quasi(ctx, &prepared, spec));
    if (shoal_i_spec_has_population(spec)) {
        SHOAL_TRY(shoal_i_population_open(ctx, &population, spec, &prepared));
    }
    SHOAL_TRY(shoal_i_frontier_list(ctx, &frontier));
    SHOAL_TRY(shoal_i_frontier_ready_queries(ctx, &frontier));
    SHOAL_TRY(shoal_i_run_stage(&run, "prepare"));
    frontier.deadline =
        frontier.sweep.seconds > 0 ? run.stages.started + frontier.sweep.seconds : 0;
    SHOAL_TRY(sweep(ctx, &frontier, keep, resume));
    SHOAL_TRY(check_any(ctx, &frontier));
    shoal_i_frontier_choose(&frontier);
    SHOAL_TRY(shoal_i_frontier_write_specs(ctx, &frontier));
    SHOAL_TRY(shoal_i_run_stage(&run, "sweep"));
    SHOAL_TRY(build_report(ctx, out, &frontier, &run.stages, input->path));
done:
    shoal_i_frontier_clear(&frontier);
    shoal_i_population_clear(&population);
    shoal_i_prepared_clear(&prepared);
    return shoal_i_run_end(&run, st);
}

shoal_status shoal_frontier(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                            const char *input, const char *keep, bool resume)
{
    SHOAL_ENTER_FOR(ctx, out, spec, input);
    shoal_i_given given = shoal_i_given_file(input);

    return run_frontier(ctx, out, spec, &given, keep, resume);
}

shoal_status shoal_frontier_table(shoal_ctx *ctx, shoal_report **out, const shoal_spec *spec,
                                  const shoal_table *table)
{
    SHOAL_ENTER_FOR(ctx, out, spec, table);
    shoal_i_given given = shoal_i_given_table(table);

    return run_frontier(ctx, out, spec, &given, NULL, false);
}
