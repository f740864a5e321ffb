#include "refine.h"

#include "../finish/gather.h"
#include "../../base/clock.h"
#include "../problem/effort.h"
#include "../grouping/recursion.h"
#include "solution.h"
#include "../grouping/split.h"

/* --- The whole. --------------------------------------------------------------------------- */

static shoal_status search(shoal_ctx *ctx, shoal_i_point_neighbours *points,
                           shoal_i_solution *solution, shoal_i_search_limit limit,
                           shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_problem *problem = points->problem;

    if (limit.work > 0) {
        SHOAL_TRY(shoal_i_point_neighbours_list(
            ctx, points, shoal_i_effort_reach(problem, points->count, problem->row_count)));
        SHOAL_TRY(shoal_i_solution_improve(ctx, solution, problem->seed, limit, meter));
    }
done:
    return st;
}

/* Take the groups as they are when they lose less than what is there, or nothing is. */
static shoal_status keep_better(shoal_ctx *ctx, shoal_i_release **kept,
                                const shoal_i_solution *solution, shoal_i_grouping *grouping)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *release = NULL;

    SHOAL_TRY(shoal_i_solution_lay_out(ctx, solution, grouping, 0));
    SHOAL_TRY(shoal_i_groups_release(ctx, &release, solution->points->problem->quasi,
                                     grouping->records, grouping->is_start));
    if (!shoal_i_problem_is_monotone(solution->points->problem)) {
        SHOAL_TRY(shoal_i_gather(ctx, &release, solution->points->problem));
    }
    if (!*kept || shoal_i_release_ncp(release) < shoal_i_release_ncp(*kept)) {
        shoal_i_release_free(*kept);
        *kept = release;
        release = NULL;
    }
done:
    shoal_i_release_free(release);
    return st;
}

shoal_status shoal_i_refine_within(shoal_ctx *ctx, shoal_i_release **out,
                                   const shoal_i_problem *problem, const uint32_t *group_of,
                                   shoal_i_search_limit limit, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    shoal_i_grouping *grouping = NULL;
    shoal_i_distinct *distinct = NULL;
    shoal_i_point_neighbours *points = NULL;
    shoal_i_solution *solution = NULL;
    shoal_i_release *kept = NULL;

    *out = NULL;
    SHOAL_TRY(shoal_i_grouping_new(ctx, &grouping, problem));
    const shoal_i_distinct_rows rows = {
        .rows = grouping->rows, .count = grouping->count, .parts = group_of};

    SHOAL_TRY(shoal_i_distinct_build(ctx, &distinct, grouping->lanes, &rows));
    SHOAL_TRY(shoal_i_point_neighbours_build(ctx, &points, problem, distinct));
    SHOAL_TRY(shoal_i_solution_new(ctx, &solution, points));
    SHOAL_TRY(shoal_i_solution_load(ctx, solution, group_of));
    SHOAL_TRY(keep_better(ctx, &kept, solution, grouping));
    SHOAL_TRY(search(ctx, points, solution, limit, meter));
    SHOAL_TRY(keep_better(ctx, &kept, solution, grouping));
    *out = kept;
    kept = NULL;
done:
    shoal_i_release_free(kept);
    shoal_i_solution_free(solution);
    shoal_i_point_neighbours_free(points);
    shoal_i_distinct_free(distinct);
    shoal_i_grouping_free(grouping);
    return st;
}

shoal_status shoal_i_refine(shoal_ctx *ctx, shoal_i_release **out,
                            const shoal_i_problem *problem, const uint32_t *group_of,
                            double effort)
{
    shoal_i_meter meter = {.stage = "anonymize",
                           .total = SHOAL_I_SEARCH_UNITS * problem->row_count + 1};
    shoal_i_search_limit limit = {
        .work = shoal_i_effort_work(effort, problem) * problem->row_count,
        .deadline = problem->seconds > 0 ? shoal_i_clock_seconds() + problem->seconds : 0,
        .units = SHOAL_I_SEARCH_UNITS * problem->row_count,
    };

    return shoal_i_refine_within(ctx, out, problem, group_of, limit, &meter);
}
