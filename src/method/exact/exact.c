/* The optimal partition, where it can be found.
 *
 * No other partition of the records into groups that meet the requirement has a smaller NCP.
 * The general problem is NP-hard (Meyerson and Williams, PODS 2004,
 * doi:10.1145/1055558.1055591), so there are two cases that are served:
 *
 *   few records    any columns, any requirement: dynamic programming over subsets
 *                  (exact_subsets.h)
 *   one column     numeric, the others constant or of weight 0, and only sizes required:
 *                  dynamic programming over the sorted order (exact_line.h), at any number of
 *                  records
 *
 * Everything else is refused before any work is done. Costs are sums of the definition's losses
 * in double precision; partitions that differ by less than their rounding are taken for equal.
 *
 * Groups with equal boxes become one class, which costs nothing. It still holds: every
 * requirement but those about a population and most of those about persons, which are refused,
 * survives the merging of classes that hold.
 */

#include "exact.h"

#include "exact_line.h"
#include "exact_subsets.h"
#include "../grouping/recursion.h"

#include "../../base/sort.h"

#include <math.h>
#include <string.h>

/* Steps of the search on a line: a minute or two. */
#define LINE_WORK_MAX 1e11

/* Steps on a line that take as long as looking at a pair of sets. */
#define PAIR_STEPS 4

/* Whether records differ in a column that costs. */
static bool is_column_active(const shoal_i_problem *problem, size_t c)
{
    uint32_t first = shoal_i_quasi_code(problem->quasi, c, 0);

    for (size_t row = 1; problem->quasi->columns[c].weight > 0 && row < problem->row_count;
         row++) {
        if (shoal_i_quasi_code(problem->quasi, c, row) != first) {
            return true;
        }
    }
    return false;
}

/* How many columns are active; *column is the last of them. */
static size_t count_active(const shoal_i_problem *problem, size_t *column)
{
    size_t count = 0;

    for (size_t c = 0; c < problem->quasi->count; c++) {
        if (is_column_active(problem, c)) {
            *column = c;
            count++;
        }
    }
    return count;
}

/* --- One column. -------------------------------------------------------------------------- */

/* Why the search on a line cannot serve; NULL when it can. */
static const char *refuse_line(const shoal_i_problem *problem, size_t active, size_t column)
{
    size_t k = (size_t)shoal_i_requirement_smallest_class(problem->requirements);
    const shoal_i_quasi_column *it = &problem->quasi->columns[column];

    if (active > 1) {
        return "records differ in more than one quasi column";
    }
    if (it->hierarchy) {
        return "the one quasi column in which records differ is categorical";
    }
    if (it->cells) {
        return "the ranges of the quasi column end on a grid";
    }
    if (it->has_missing) {
        return "the quasi column has missing values";
    }
    if (problem->source->active_count > 0) {
        return "more than the size of a class is required";
    }
    if (2 * k <= problem->row_count &&
        (k > SHOAL_I_EXACT_LINE_K_MAX ||
         shoal_i_exact_line_work(problem->row_count, k) > LINE_WORK_MAX)) {
        return "records times the cube of k are too many steps";
    }
    return NULL;
}

static shoal_status solve_line(shoal_ctx *ctx, uint32_t *group_of, size_t *group_count,
                               const shoal_i_problem *problem, size_t column)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi_column *it = &problem->quasi->columns[column];
    size_t count = problem->row_count;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;
    double *x = NULL;
    uint32_t *sorted = NULL;

    SHOAL_ALLOC(ctx, items, count);
    SHOAL_ALLOC(ctx, scratch, count);
    SHOAL_ALLOC(ctx, x, count);
    SHOAL_ALLOC(ctx, sorted, count);
    for (size_t row = 0; row < count; row++) {
        items[row] = (shoal_i_sort_item){.key = shoal_i_quasi_code(problem->quasi, column, row),
                                         .item = (uint32_t)row};
    }
    shoal_i_sort_items(items, scratch, count);
    for (size_t i = 0; i < count; i++) {
        x[i] = (it->values[items[i].key] - it->values[0]) / it->range;
    }
    SHOAL_TRY(
        shoal_i_exact_line(ctx, sorted, group_count, x, count,
                           (size_t)shoal_i_requirement_smallest_class(problem->requirements)));
    for (size_t i = 0; i < count; i++) {
        group_of[items[i].item] = sorted[i];
    }
done:
    free(items);
    free(scratch);
    free(x);
    free(sorted);
    return st;
}

/* --- Whether it can be found. ------------------------------------------------------------- */

double shoal_i_exact_work(const shoal_i_problem *problem)
{
    size_t column = 0;
    size_t active = count_active(problem, &column);

    if (active == 0) {
        return 0;
    }
    if (!refuse_line(problem, active, column)) {
        return shoal_i_exact_line_work(
            problem->row_count,
            (size_t)shoal_i_requirement_smallest_class(problem->requirements));
    }
    if (problem->row_count <= SHOAL_I_EXACT_RECORDS_MAX) {
        shoal_i_exact_kinds kinds = shoal_i_exact_find_kinds(problem);

        return shoal_i_exact_is_feasible(&kinds) ? PAIR_STEPS * shoal_i_exact_pairs(&kinds)
                                                 : INFINITY;
    }
    return INFINITY;
}

/* --- The method. -------------------------------------------------------------------------- */

/* The partition, by whichever way can serve. */
static shoal_status solve(shoal_ctx *ctx, uint32_t *group_of, size_t *group_count,
                          const shoal_i_problem *problem)
{
    size_t column = 0;
    size_t active = count_active(problem, &column);
    const char *reason = NULL;

    if (active == 0) {
        memset(group_of, 0, problem->row_count * sizeof *group_of);
        *group_count = 1;
        return SHOAL_OK;
    }
    reason = refuse_line(problem, active, column);
    if (!reason) {
        return solve_line(ctx, group_of, group_count, problem, column);
    }
    if (problem->row_count <= SHOAL_I_EXACT_RECORDS_MAX) {
        shoal_i_exact_kinds kinds = shoal_i_exact_find_kinds(problem);

        if (shoal_i_exact_is_feasible(&kinds)) {
            return shoal_i_exact_subsets(ctx, group_of, group_count, &kinds);
        }
    }
    return shoal_i_fail(ctx, SHOAL_EUNSUPPORTED,
                        "The method 'exact' finds the optimum of about 20 records, or of one "
                        "numeric column with no requirement but k; there are %zu records, and "
                        "%s. Use 'best', which comes near the optimum at any size.",
                        problem->row_count, reason);
}

/* Records group after group, in their order within each. */
static shoal_status make_release(shoal_ctx *ctx, shoal_i_release **out,
                                 const shoal_i_problem *problem, const uint32_t *group_of,
                                 size_t group_count)
{
    shoal_status st = SHOAL_OK;
    uint32_t *starts = NULL;
    uint32_t *order = NULL;

    SHOAL_ALLOC(ctx, starts, group_count + 1);
    SHOAL_ALLOC(ctx, order, problem->row_count);
    shoal_i_sort_by_number(order, starts, group_of, problem->row_count, group_count);
    SHOAL_TRY(
        shoal_i_release_from_groups(ctx, out, problem->quasi, order, starts, group_count));
done:
    free(starts);
    free(order);
    return st;
}

static shoal_status run_exact(shoal_ctx *ctx, shoal_i_release **out,
                              const shoal_i_problem *problem,
                              const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    uint32_t *group_of = NULL;
    size_t group_count = 0;

    (void)settings;
    *out = NULL;
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    SHOAL_ALLOC(ctx, group_of, problem->row_count);
    SHOAL_TRY(solve(ctx, group_of, &group_count, problem));
    SHOAL_TRY(make_release(ctx, out, problem, group_of, group_count));
done:
    free(group_of);
    return st;
}

static const char *refuse(const shoal_i_requirement_kind *kind, bool in_persons)
{
    return in_persons && !kind->is_monotone_in_persons && !kind->needs_population
               ? "classes with equal boxes are one, and where a person may be in several of "
                 "them, that one may not hold"
               : shoal_i_refuse_population(kind, in_persons);
}

static const shoal_i_method_option options[] = {{.name = NULL}};

const shoal_i_method shoal_i_exact = {
    .name = "exact",
    .summary = "the optimum; for about 20 records, or one numeric column of any length",
    .citation = "Shoal; the problem is hard: Meyerson and Williams, PODS 2004, "
                "doi:10.1145/1055558.1055591",
    .cost = "O(3^n); one numeric column and k: O(n k^3)",
    .options = options,
    .refuse = refuse,
    .run = run_exact,
};
