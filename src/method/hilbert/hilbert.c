/* Runs along a Hilbert curve.
 *
 * G. Ghinita, P. Karras, P. Kalnis, N. Mamoulis, "Fast data anonymization with low information
 * loss", VLDB 2007.
 *
 * Put the records in one order that keeps near ones near (hilbert_order.h), and cut it into
 * runs in the best possible way (runs.h).
 *
 * Where this differs from the paper, or settles what it leaves open:
 *   - On every axis of the curve two neighbouring values are as far apart as joining them
 *     costs; categories stand in the order of their hierarchy.
 *   - The cost of a run is its true penalty, hierarchies included.
 *   - Diversity and all other requirements are met by runs too, chosen by the same dynamic
 *     programming among those that hold.
 */

#include "hilbert_order.h"
#include "../grouping/recursion.h"
#include "runs.h"

static shoal_status run_hilbert(shoal_ctx *ctx, shoal_i_release **out,
                                const shoal_i_problem *problem,
                                const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    size_t count = problem->row_count;
    shoal_i_meter meter = {.stage = "anonymize", .total = 2 * count};
    shoal_i_lanes *lanes = NULL;
    int32_t *rows = NULL;
    uint32_t *order = NULL;
    uint8_t *is_start = NULL;

    (void)settings;
    *out = NULL;
    SHOAL_ALLOC(ctx, order, count);
    SHOAL_ALLOC(ctx, is_start, count);
    SHOAL_TRY(shoal_i_hilbert_order(ctx, order, problem->quasi));
    SHOAL_TRY(shoal_i_meter_add(ctx, &meter, count));
    SHOAL_TRY(shoal_i_lanes_build(ctx, &lanes, problem->quasi));
    SHOAL_TRY(shoal_i_lanes_rows(ctx, &rows, lanes));
    SHOAL_TRY(shoal_i_runs_find(ctx, is_start, problem, lanes, rows, order, &meter));
    SHOAL_TRY(shoal_i_groups_release(ctx, out, problem->quasi, order, is_start));
done:
    free(rows);
    free(order);
    free(is_start);
    shoal_i_lanes_free(lanes);
    return st;
}

static const shoal_i_method_option options[] = {{.name = NULL}};

const shoal_i_method shoal_i_hilbert = {
    .name = "hilbert",
    .summary = "the best runs along a Hilbert curve; fast, low loss with few columns",
    .citation = "Ghinita, Karras, Kalnis and Mamoulis, VLDB 2007",
    .cost = "O(n (k + log n))",
    .shape = SHOAL_I_SHAPE_CLASSES,
    .options = options,
    .run = run_hilbert,
};
