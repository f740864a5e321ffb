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

#include "hilbert.h"

#include "../grouping/recursion.h"
#include "hilbert_order.h"
#include "runs.h"

#include <string.h>

/* A table along the curve. */
typedef struct along {
    const shoal_i_problem *problem;
    shoal_i_lanes *lanes;
    int32_t *rows;
    uint32_t *order;
    uint8_t *is_start; /* of runs, by place */
    shoal_i_meter meter;
} along;

static void along_clear(along *a)
{
    free(a->rows);
    free(a->order);
    free(a->is_start);
    shoal_i_lanes_free(a->lanes);
}

static shoal_status along_init(shoal_ctx *ctx, along *a, const shoal_i_problem *problem)
{
    shoal_status st = SHOAL_OK;
    size_t count = problem->row_count;

    *a = (along){.problem = problem, .meter = {.stage = "anonymize", .total = 3 * count}};
    SHOAL_ALLOC(ctx, a->order, count);
    SHOAL_ALLOC(ctx, a->is_start, count);
    SHOAL_TRY(shoal_i_hilbert_order(ctx, a->order, problem->quasi));
    SHOAL_TRY(shoal_i_meter_add(ctx, &a->meter, count));
    SHOAL_TRY(shoal_i_lanes_build(ctx, &a->lanes, problem->quasi));
    SHOAL_TRY(shoal_i_lanes_rows(ctx, &a->rows, a->lanes));
done:
    return st;
}

/* Replace the runs of a stretch by the best ones. */
static shoal_status find_best(shoal_ctx *ctx, along *a, shoal_i_span span)
{
    shoal_i_problem part = *a->problem;
    uint8_t *is_start = a->is_start + span.first;

    part.row_count = span.count;
    memset(is_start, 0, span.count);
    return shoal_i_runs_find(ctx, is_start, &part, a->lanes, a->rows, a->order + span.first,
                             &a->meter);
}

static shoal_status release_best(shoal_ctx *ctx, shoal_i_release **out, along *a)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(find_best(ctx, a, shoal_i_span_between(0, a->problem->row_count)));
    SHOAL_TRY(shoal_i_groups_release(ctx, out, a->problem->quasi, a->order, a->is_start));
done:
    return st;
}

/* --- Whether it is worth while. -----------------------------------------------------------
 *
 * Greedy runs take one look at each record, and the best ones may cost a fraction of them, as
 * where many records are the same. A tenth of the curve tells how much: there the best runs are
 * found, in a few stretches of whole greedy runs. */

#define STRETCHES 8
#define STRETCH_PART 10      /* of an eighth of the curve */
#define COUNTED_UNTOLD 1.6e9 /* where runs are too long for stretches: a few seconds */

/* The first start of a run from a place on; the end of the curve is one. */
static size_t next_start(const along *a, size_t place)
{
    size_t count = a->problem->row_count;

    while (place < count && !a->is_start[place]) {
        place++;
    }
    return place < count ? place : count;
}

/* *improved: the records of the stretches. Those that greedy runs make much longer than meant
 * are left out. */
static shoal_status improve_stretches(shoal_ctx *ctx, along *a, size_t *improved)
{
    shoal_status st = SHOAL_OK;
    size_t distance = a->problem->row_count / STRETCHES;
    size_t length = distance / STRETCH_PART;
    size_t end = 0;

    *improved = 0;
    for (size_t i = 0; i < STRETCHES; i++) {
        size_t first = next_start(a, end > i * distance ? end : i * distance);

        end = next_start(a, first + length);
        if (end > first && end - first <= 2 * length) {
            SHOAL_TRY(find_best(ctx, a, shoal_i_span_between(first, end)));
            *improved += end - first;
        }
    }
done:
    return st;
}

static shoal_status measure(shoal_ctx *ctx, double *out, const along *a)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *release = NULL;

    SHOAL_TRY(shoal_i_groups_release(ctx, &release, a->problem->quasi, a->order, a->is_start));
    *out = shoal_i_release_ncp(release);
done:
    shoal_i_release_free(release);
    return st;
}

/* What the best runs cost, about, where the greedy ones are marked, and what records tell it:
 * if there are none, it is what the greedy ones cost. */
static shoal_status estimate(shoal_ctx *ctx, double *out, size_t *improved, along *a)
{
    shoal_status st = SHOAL_OK;
    double greedy = 0;
    double mixed = 0;

    SHOAL_TRY(measure(ctx, &greedy, a));
    SHOAL_TRY(improve_stretches(ctx, a, improved));
    SHOAL_TRY(measure(ctx, &mixed, a));
    *out = greedy;
    if (*improved > 0) {
        *out -= (greedy - mixed) * (double)a->problem->row_count / (double)*improved;
    }
done:
    return st;
}

static shoal_status find_hopeless(shoal_ctx *ctx, bool *out, along *a, double counted,
                                  double cost)
{
    shoal_status st = SHOAL_OK;
    double needed = 0;
    double expected = 0;
    size_t improved = 0;

    *out = false;
    if (a->problem->source->active_count == 0) {
        return SHOAL_OK;
    }
    SHOAL_TRY(shoal_i_runs_greedy(ctx, a->is_start, &needed, a->problem, a->order));
    if (needed > counted) {
        SHOAL_TRY(estimate(ctx, &expected, &improved, a));
        *out = expected > cost || (improved == 0 && needed > COUNTED_UNTOLD);
    }
done:
    return st;
}

shoal_status shoal_i_hilbert_within(shoal_ctx *ctx, shoal_i_release **out,
                                    const shoal_i_problem *problem, double counted, double cost)
{
    shoal_status st = SHOAL_OK;
    along a = {0};
    bool is_hopeless = false;

    *out = NULL;
    SHOAL_TRY(along_init(ctx, &a, problem));
    SHOAL_TRY(find_hopeless(ctx, &is_hopeless, &a, counted, cost));
    if (!is_hopeless) {
        SHOAL_TRY(release_best(ctx, out, &a));
    }
done:
    along_clear(&a);
    return st;
}

static shoal_status run_hilbert(shoal_ctx *ctx, shoal_i_release **out,
                                const shoal_i_problem *problem,
                                const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    along a = {0};

    (void)settings;
    *out = NULL;
    SHOAL_TRY(along_init(ctx, &a, problem));
    SHOAL_TRY(shoal_i_meter_add(ctx, &a.meter, problem->row_count)); /* nothing is estimated */
    SHOAL_TRY(release_best(ctx, out, &a));
done:
    along_clear(&a);
    return st;
}

static const shoal_i_method_option options[] = {{.name = NULL}};

const shoal_i_method shoal_i_hilbert = {
    .name = "hilbert",
    .summary = "the best runs along a Hilbert curve; fast, low loss with few columns",
    .citation = "Ghinita, Karras, Kalnis and Mamoulis, VLDB 2007",
    .cost = "about O(n log n)",
    .shape = SHOAL_I_SHAPE_CLASSES,
    .options = options,
    .run = run_hilbert,
};
