#include "keep_cheaper.h"

#include "../../base/clock.h"
#include "../../base/pool.h"
#include "../../base/relay.h"
#include "carve.h"
#include "peel.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bool shoal_i_alternatives_apply(const shoal_i_problem *problem)
{
    /* Persons alone are no values to draw by: no two records of a class should share one. */
    size_t persons = problem->source->persons != NULL;

    return problem->source->active_count > persons &&
           !shoal_i_requirement_needs_population(problem->requirements);
}

shoal_status shoal_i_alternatives_init(shoal_ctx *ctx, shoal_i_alternatives *alternatives,
                                       const shoal_i_problem *problem,
                                       const shoal_i_lanes *lanes)
{
    shoal_status st = SHOAL_OK;

    *alternatives = (shoal_i_alternatives){.problem = problem};
    SHOAL_TRY(shoal_i_strata_build(ctx, &alternatives->strata, problem->source));
    SHOAL_TRY(shoal_i_lanes_rows(ctx, &alternatives->rows, lanes));
done:
    return st;
}

void shoal_i_alternatives_clear(shoal_i_alternatives *alternatives)
{
    shoal_i_strata_free(alternatives->strata);
    free(alternatives->rows);
    *alternatives = (shoal_i_alternatives){0};
}

void shoal_i_alternatives_align(const shoal_i_alternatives *alternatives,
                                shoal_i_grouping *grouping, shoal_i_span span)
{
    size_t lanes = grouping->lanes->count;

    for (size_t i = span.first; i < shoal_i_span_end(span); i++) {
        memcpy(grouping->rows + i * lanes, alternatives->rows + grouping->records[i] * lanes,
               lanes * sizeof *grouping->rows);
    }
}

/* What one group costs: its records times the weighted penalty of its box. */
static double group_cost(const shoal_i_quasi *quasi, const uint32_t *records, size_t count)
{
    double penalty = 0;

    for (size_t c = 0; c < quasi->count; c++) {
        uint32_t lo = UINT32_MAX;
        uint32_t hi = 0;

        for (size_t i = 0; i < count; i++) {
            uint32_t code = shoal_i_quasi_code(quasi, c, records[i]);

            lo = code < lo ? code : lo;
            hi = code > hi ? code : hi;
        }
        penalty += quasi->columns[c].weight * shoal_i_quasi_loss(&quasi->columns[c], lo, hi);
    }
    return penalty * (double)count;
}

double shoal_i_alternatives_cost(const shoal_i_alternatives *alternatives,
                                 const shoal_i_grouping *grouping, shoal_i_span span)
{
    double cost = 0;

    for (size_t start = span.first; start < shoal_i_span_end(span);) {
        size_t end = start + 1;

        while (end < shoal_i_span_end(span) && !grouping->is_start[end]) {
            end++;
        }
        cost +=
            group_cost(alternatives->problem->quasi, grouping->records + start, end - start);
        start = end;
    }
    return cost;
}

static size_t count_groups(const shoal_i_grouping *grouping, shoal_i_span span)
{
    size_t groups = 0;

    for (size_t i = span.first; i < shoal_i_span_end(span); i++) {
        groups += i == span.first || grouping->is_start[i];
    }
    return groups;
}

/* Groups are tight from so many times the smallest possible size on. */
#define TIGHT 4

bool shoal_i_alternatives_are_tight(const shoal_i_alternatives *alternatives,
                                    const shoal_i_grouping *grouping, shoal_i_span span)
{
    uint64_t smallest = shoal_i_requirement_smallest_class(alternatives->problem->requirements);

    return (double)span.count >=
           TIGHT * (double)smallest * (double)count_groups(grouping, span);
}

/* --- Copies. ------------------------------------------------------------------------------ */

static shoal_i_span all_of(const shoal_i_grouping *grouping)
{
    return (shoal_i_span){.first = 0, .count = grouping->count};
}

static void drop_copy(shoal_i_grouping *copy)
{
    free(copy->rows);
    free(copy->records);
    free(copy->is_start);
    *copy = (shoal_i_grouping){0};
}

/* A copy of a span and its groups, to come back to. */
static shoal_status copy_span(shoal_ctx *ctx, shoal_i_grouping *out,
                              const shoal_i_grouping *grouping, shoal_i_span span)
{
    shoal_status st = SHOAL_OK;
    size_t lanes = grouping->lanes->count;

    *out = (shoal_i_grouping){.lanes = grouping->lanes, .count = span.count};
    out->rows = shoal_i_alloc_aligned(ctx, span.count, lanes * sizeof *out->rows);
    if (!out->rows) {
        return SHOAL_ENOMEM;
    }
    SHOAL_ALLOC(ctx, out->records, span.count);
    SHOAL_ALLOC(ctx, out->is_start, span.count);
    memcpy(out->rows, grouping->rows + span.first * lanes,
           span.count * lanes * sizeof *out->rows);
    memcpy(out->records, grouping->records + span.first, span.count * sizeof *out->records);
    memcpy(out->is_start, grouping->is_start + span.first, span.count);
done:
    return st;
}

static void paste_copy(shoal_i_grouping *grouping, size_t first, const shoal_i_grouping *copy)
{
    size_t lanes = grouping->lanes->count;

    memcpy(grouping->rows + first * lanes, copy->rows,
           copy->count * lanes * sizeof *copy->rows);
    memcpy(grouping->records + first, copy->records, copy->count * sizeof *copy->records);
    memcpy(grouping->is_start + first, copy->is_start, copy->count);
}

shoal_status shoal_i_keep_cheaper(shoal_ctx *ctx, const shoal_i_alternatives *alternatives,
                                  shoal_i_grouping *grouping, shoal_i_span span,
                                  shoal_i_attempt_fn attempt, void *payload)
{
    shoal_status st = SHOAL_OK;
    double cost = shoal_i_alternatives_cost(alternatives, grouping, span);
    shoal_i_grouping before = {0};

    shoal_i_alternatives_align(alternatives, grouping, span);
    SHOAL_TRY(copy_span(ctx, &before, grouping, span));
    SHOAL_TRY(attempt(ctx, payload, span));
    if (cost < shoal_i_alternatives_cost(alternatives, grouping, span)) {
        paste_copy(grouping, span.first, &before);
    } else {
        shoal_i_alternatives_align(alternatives, grouping, span);
    }
done:
    drop_copy(&before);
    return st;
}

/* --- Several ways in parallel. ------------------------------------------------------------ */

/* One way to group a copy of a span, a group that meets the requirement. */
typedef shoal_status (*way_fn)(shoal_ctx *ctx, const shoal_i_alternatives *alternatives,
                               shoal_i_grouping *copy, uint64_t seed, double number);

/* Copies of a span at a time. */
#define COPIES 4

/* Where groups are searched on, those that are more and so smaller gain more: the search takes
 * a twentieth off classes of which there are 92, an eighth off others of which there are 141.
 * It hardly gains where there are but a few. */
#define GROUPS_MANY 64

/* One copy of a span for each of some numbers, and what its groups cost in the end. */
typedef struct several {
    const shoal_i_alternatives *alternatives;
    way_fn way;
    bool weighs_groups; /* whether of groups that cost the same more are better */
    uint64_t seed;
    double deadline;
    const double *numbers;
    shoal_i_grouping copies[COPIES];
    double costs[COPIES];
} several;

static shoal_status group_copy(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    several *s = payload;
    shoal_i_grouping *copy = &s->copies[index];

    SHOAL_TRY(s->way(ctx, s->alternatives, copy, s->seed, s->numbers[index]));
    s->costs[index] = shoal_i_alternatives_cost(s->alternatives, copy, all_of(copy));
    if (s->weighs_groups) {
        s->costs[index] /= sqrt(1 + (double)count_groups(copy, all_of(copy)) / GROUPS_MANY);
    }
done:
    return st;
}

/* Group the copies as long as there is time: those that were not done cost any price. */
static shoal_status group_copies(shoal_ctx *ctx, several *s, size_t count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_relay relay;

    shoal_i_relay_begin(&relay, ctx, NULL);
    shoal_i_relay_limit(&relay, s->deadline);
    for (size_t i = 0; i < count; i++) {
        s->costs[i] = INFINITY;
    }
    st = shoal_i_parallel_for(&relay.own, count, group_copy, s);
    return shoal_i_relay_join(&relay, ctx, st);
}

/* Group copies of a span, at most COPIES, in parallel; *cost is what the groups of the span
 * cost, and the cheapest copy stands there if it costs less. */
static shoal_status try_several(shoal_ctx *ctx, several *s, shoal_i_grouping *grouping,
                                shoal_i_span span, size_t count, double *cost)
{
    shoal_status st = SHOAL_OK;

    if (shoal_i_clock_is_over(s->deadline)) {
        return SHOAL_OK;
    }
    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(copy_span(ctx, &s->copies[i], grouping, span));
    }
    SHOAL_TRY(group_copies(ctx, s, count));
    for (size_t i = 0; i < count; i++) {
        if (s->costs[i] < *cost) {
            *cost = s->costs[i];
            paste_copy(grouping, span.first, &s->copies[i]);
        }
    }
done:
    for (size_t i = 0; i < count; i++) {
        drop_copy(&s->copies[i]);
    }
    return st;
}

/* --- Carving and peeling. ----------------------------------------------------------------- */

/* Carve a span of a grouping into classes of about `factor` smallest ones. */
static shoal_status carve_span(shoal_ctx *ctx, const shoal_i_alternatives *alternatives,
                               shoal_i_grouping *grouping, shoal_i_span span, uint64_t seed,
                               double factor)
{
    shoal_status st = SHOAL_OK;
    shoal_i_carver carver = {0};

    SHOAL_TRY(shoal_i_carver_init(ctx, &carver, alternatives->problem, grouping->lanes,
                                  alternatives->strata, span.count));
    SHOAL_TRY(shoal_i_carve(ctx, &carver, grouping, span, seed, factor));
done:
    shoal_i_carver_clear(&carver);
    return st;
}

static shoal_status carve_copy(shoal_ctx *ctx, const shoal_i_alternatives *alternatives,
                               shoal_i_grouping *copy, uint64_t seed, double factor)
{
    return carve_span(ctx, alternatives, copy, all_of(copy), seed, factor);
}

shoal_status shoal_i_alternatives_carve(shoal_ctx *ctx,
                                        const shoal_i_alternatives *alternatives,
                                        shoal_i_grouping *grouping, shoal_i_span span,
                                        uint64_t seed, shoal_i_carve_sizes sizes)
{
    several s = {.alternatives = alternatives,
                 .way = carve_copy,
                 .seed = seed,
                 .deadline = sizes.deadline,
                 .numbers = sizes.factors};
    double cost = shoal_i_alternatives_cost(alternatives, grouping, span);

    assert(sizes.count <= COPIES);
    shoal_i_alternatives_align(alternatives, grouping, span);
    return try_several(ctx, &s, grouping, span, sizes.count, &cost);
}

/* By how much gains of peeling vary, at most. */
#define PEEL_NOISE 1.0

/* The first variation is without noise. */
static shoal_status peel_copy(shoal_ctx *ctx, const shoal_i_alternatives *alternatives,
                              shoal_i_grouping *copy, uint64_t seed, double number)
{
    shoal_status st = SHOAL_OK;
    shoal_i_peeler peeler = {0};

    SHOAL_TRY(shoal_i_peeler_init(ctx, &peeler, alternatives->problem, copy->lanes,
                                  alternatives->strata, copy->count));
    SHOAL_TRY(shoal_i_peel(ctx, &peeler, copy, all_of(copy),
                           shoal_i_random_key(seed, (uint64_t)number),
                           number == 0 ? 0 : PEEL_NOISE));
done:
    shoal_i_peeler_clear(&peeler);
    return st;
}

shoal_status shoal_i_alternatives_peel(shoal_ctx *ctx, const shoal_i_alternatives *alternatives,
                                       shoal_i_grouping *grouping, shoal_i_span span,
                                       uint64_t seed, const shoal_i_peel_variations *variations)
{
    shoal_status st = SHOAL_OK;
    double numbers[COPIES] = {0};
    several s = {.alternatives = alternatives,
                 .way = peel_copy,
                 .weighs_groups = variations->count > 1,
                 .seed = seed,
                 .deadline = variations->deadline,
                 .numbers = numbers};
    double cost = INFINITY;

    shoal_i_alternatives_align(alternatives, grouping, span);
    SHOAL_TRY(try_several(ctx, &s, grouping, span, 1, &cost));
    bool is_near = shoal_i_alternatives_cost(alternatives, grouping, span) <= variations->near;

    for (size_t number = 1; is_near && number < variations->count;) {
        size_t count = 0;

        for (; count < COPIES && number < variations->count; count++) {
            numbers[count] = (double)number++;
        }
        SHOAL_TRY(try_several(ctx, &s, grouping, span, count, &cost));
    }
done:
    return st;
}

typedef struct dividing {
    const shoal_i_alternatives *alternatives;
    shoal_i_grouping *grouping;
    const size_t *starts;
    double factor;
} dividing;

static shoal_status carve_group(shoal_ctx *ctx, void *payload, size_t index)
{
    const dividing *d = payload;
    const shoal_i_problem *problem = d->alternatives->problem;
    shoal_i_span group = shoal_i_span_between(d->starts[index], d->starts[index + 1]);

    if (group.count < 2 * shoal_i_requirement_smallest_class(problem->requirements)) {
        return SHOAL_OK;
    }
    return carve_span(ctx, d->alternatives, d->grouping, group,
                      shoal_i_random_key(problem->seed, group.first), d->factor);
}

shoal_status shoal_i_alternatives_carve_groups(shoal_ctx *ctx,
                                               const shoal_i_alternatives *alternatives,
                                               shoal_i_grouping *grouping, double factor)
{
    shoal_status st = SHOAL_OK;
    dividing d = {.alternatives = alternatives, .grouping = grouping, .factor = factor};
    size_t *starts = NULL;
    size_t count = 0;

    shoal_i_alternatives_align(alternatives, grouping, all_of(grouping));
    SHOAL_TRY(shoal_i_grouping_starts(ctx, &starts, &count, grouping));
    d.starts = starts;
    SHOAL_TRY(shoal_i_parallel_for(ctx, count, carve_group, &d));
done:
    free(starts);
    return st;
}

/* --- Other methods. ----------------------------------------------------------------------- */

shoal_status shoal_i_alternatives_load(shoal_ctx *ctx, const shoal_i_alternatives *alternatives,
                                       shoal_i_grouping *grouping,
                                       const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    uint32_t *next = NULL;

    SHOAL_ALLOC(ctx, next, release->box_count + 1);
    memset(grouping->is_start, 0, grouping->count);
    for (size_t b = 0; b < release->box_count; b++) {
        next[b + 1] = next[b] + release->box_sizes[b];
        grouping->is_start[next[b]] = 1;
    }
    for (size_t row = 0; row < release->row_count; row++) {
        grouping->records[next[release->box_of[row]]++] = (uint32_t)row;
    }
    shoal_i_alternatives_align(alternatives, grouping, all_of(grouping));
done:
    free(next);
    return st;
}

shoal_status shoal_i_alternatives_take(shoal_ctx *ctx, const shoal_i_alternatives *alternatives,
                                       shoal_i_grouping *grouping,
                                       const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    double cost = shoal_i_alternatives_cost(alternatives, grouping, all_of(grouping));
    shoal_i_grouping before = {0};

    SHOAL_TRY(copy_span(ctx, &before, grouping, all_of(grouping)));
    SHOAL_TRY(shoal_i_alternatives_load(ctx, alternatives, grouping, release));
    if (shoal_i_alternatives_cost(alternatives, grouping, all_of(grouping)) >= cost) {
        paste_copy(grouping, 0, &before);
    }
done:
    drop_copy(&before);
    return st;
}
