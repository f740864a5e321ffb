#include "keep_cheaper.h"

#include "../../base/pool.h"
#include "carve.h"

#include <string.h>

bool shoal_i_alternatives_apply(const shoal_i_problem *problem)
{
    return problem->source->active_count > 0 &&
           shoal_i_requirement_is_monotone(problem->requirements) &&
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
                                shoal_i_grouping *grouping, size_t first, size_t count)
{
    size_t lanes = grouping->lanes->count;

    for (size_t i = first; i < first + count; i++) {
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
                                 const shoal_i_grouping *grouping, size_t first, size_t count)
{
    double cost = 0;

    for (size_t start = first; start < first + count;) {
        size_t end = start + 1;

        while (end < first + count && !grouping->is_start[end]) {
            end++;
        }
        cost +=
            group_cost(alternatives->problem->quasi, grouping->records + start, end - start);
        start = end;
    }
    return cost;
}

/* Groups are tight from so many times the smallest possible size on. */
#define TIGHT 4

bool shoal_i_alternatives_is_tight(const shoal_i_alternatives *alternatives,
                                   const shoal_i_grouping *grouping, size_t first, size_t count)
{
    uint64_t smallest = shoal_i_requirement_smallest_class(alternatives->problem->requirements);
    size_t groups = 0;

    for (size_t i = first; i < first + count; i++) {
        groups += i == first || grouping->is_start[i];
    }
    return (double)count >= TIGHT * (double)smallest * (double)groups;
}

/* --- Copies. ---------------------------------------------------------------------------------- */

void shoal_i_alternatives_drop(shoal_i_grouping *copy)
{
    free(copy->rows);
    free(copy->records);
    free(copy->is_start);
    *copy = (shoal_i_grouping){0};
}

shoal_status shoal_i_alternatives_keep(shoal_ctx *ctx, shoal_i_grouping *out,
                                       const shoal_i_grouping *grouping, size_t first,
                                       size_t count)
{
    shoal_status st = SHOAL_OK;
    size_t lanes = grouping->lanes->count;

    *out = (shoal_i_grouping){.lanes = grouping->lanes, .count = count};
    out->rows = shoal_i_alloc_aligned(ctx, count, lanes * sizeof *out->rows);
    if (!out->rows) {
        return SHOAL_ENOMEM;
    }
    SHOAL_ALLOC(ctx, out->records, count);
    SHOAL_ALLOC(ctx, out->is_start, count);
    memcpy(out->rows, grouping->rows + first * lanes, count * lanes * sizeof *out->rows);
    memcpy(out->records, grouping->records + first, count * sizeof *out->records);
    memcpy(out->is_start, grouping->is_start + first, count);
done:
    return st;
}

static void paste_places(shoal_i_grouping *grouping, size_t first, const shoal_i_grouping *copy)
{
    size_t lanes = grouping->lanes->count;

    memcpy(grouping->rows + first * lanes, copy->rows,
           copy->count * lanes * sizeof *copy->rows);
    memcpy(grouping->records + first, copy->records, copy->count * sizeof *copy->records);
    memcpy(grouping->is_start + first, copy->is_start, copy->count);
}

void shoal_i_alternatives_settle(const shoal_i_alternatives *alternatives,
                                 shoal_i_grouping *grouping, size_t first,
                                 const shoal_i_grouping *kept, double cost)
{
    if (cost < shoal_i_alternatives_cost(alternatives, grouping, first, kept->count)) {
        paste_places(grouping, first, kept);
    } else {
        shoal_i_alternatives_align(alternatives, grouping, first, kept->count);
    }
}

/* --- Carving. --------------------------------------------------------------------------------- */

#define FACTORS_MAX 4

typedef struct contest {
    const shoal_i_alternatives *alternatives;
    const double *factors;
    uint64_t seed;
    shoal_i_grouping copies[FACTORS_MAX];
    double costs[FACTORS_MAX];
} contest;

static shoal_status carve_copy(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    contest *c = payload;
    shoal_i_grouping *copy = &c->copies[index];
    shoal_i_carver carver = {0};

    SHOAL_TRY(shoal_i_carver_init(ctx, &carver, c->alternatives->problem, copy->lanes,
                                  c->alternatives->strata, copy->count));
    SHOAL_TRY(shoal_i_carve(ctx, &carver, copy, 0, copy->count, c->seed, c->factors[index]));
    c->costs[index] = shoal_i_alternatives_cost(c->alternatives, copy, 0, copy->count);
done:
    shoal_i_carver_clear(&carver);
    return st;
}

shoal_status shoal_i_alternatives_carve(shoal_ctx *ctx,
                                        const shoal_i_alternatives *alternatives,
                                        shoal_i_grouping *grouping, size_t first, size_t count,
                                        uint64_t seed, const double *factors,
                                        size_t factor_count, double *cost)
{
    shoal_status st = SHOAL_OK;
    contest c = {.alternatives = alternatives, .factors = factors, .seed = seed};

    shoal_i_alternatives_align(alternatives, grouping, first, count);
    for (size_t i = 0; i < factor_count; i++) {
        SHOAL_TRY(shoal_i_alternatives_keep(ctx, &c.copies[i], grouping, first, count));
    }
    SHOAL_TRY(shoal_i_parallel_for(ctx, factor_count, carve_copy, &c));
    for (size_t i = 0; i < factor_count; i++) {
        if (c.costs[i] < *cost) {
            *cost = c.costs[i];
            paste_places(grouping, first, &c.copies[i]);
        }
    }
done:
    for (size_t i = 0; i < FACTORS_MAX; i++) {
        shoal_i_alternatives_drop(&c.copies[i]);
    }
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
    shoal_status st = SHOAL_OK;
    const dividing *d = payload;
    const shoal_i_problem *problem = d->alternatives->problem;
    size_t first = d->starts[index];
    size_t count = d->starts[index + 1] - first;
    shoal_i_carver carver = {0};

    if (count < 2 * shoal_i_requirement_smallest_class(problem->requirements)) {
        return SHOAL_OK;
    }
    SHOAL_TRY(shoal_i_carver_init(ctx, &carver, problem, d->grouping->lanes,
                                  d->alternatives->strata, count));
    SHOAL_TRY(shoal_i_carve(ctx, &carver, d->grouping, first, count,
                            shoal_i_random_key(problem->seed, first), d->factor));
done:
    shoal_i_carver_clear(&carver);
    return st;
}

shoal_status shoal_i_alternatives_carve_groups(shoal_ctx *ctx,
                                               const shoal_i_alternatives *alternatives,
                                               shoal_i_grouping *grouping, double factor)
{
    shoal_status st = SHOAL_OK;
    size_t *starts = NULL;
    size_t count = 0;
    dividing d = {.alternatives = alternatives, .grouping = grouping, .factor = factor};

    shoal_i_alternatives_align(alternatives, grouping, 0, grouping->count);
    SHOAL_ALLOC(ctx, starts, grouping->count + 1);
    for (size_t i = 0; i < grouping->count; i++) {
        if (i == 0 || grouping->is_start[i]) {
            starts[count++] = i;
        }
    }
    starts[count] = grouping->count;
    d.starts = starts;
    SHOAL_TRY(shoal_i_parallel_for(ctx, count, carve_group, &d));
done:
    free(starts);
    return st;
}

/* --- Other methods. ------------------------------------------------------------------------------ */

/* The classes of a release as groups of a grouping. */
static shoal_status load_release(shoal_ctx *ctx, shoal_i_grouping *out,
                                 const shoal_i_alternatives *alternatives,
                                 const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    uint32_t *next = NULL;

    SHOAL_ALLOC(ctx, next, release->box_count + 1);
    memset(out->is_start, 0, out->count);
    for (size_t b = 0; b < release->box_count; b++) {
        next[b + 1] = next[b] + release->box_sizes[b];
        out->is_start[next[b]] = 1;
    }
    for (size_t row = 0; row < release->row_count; row++) {
        out->records[next[release->box_of[row]]++] = (uint32_t)row;
    }
    shoal_i_alternatives_align(alternatives, out, 0, out->count);
done:
    free(next);
    return st;
}

shoal_status shoal_i_alternatives_release(shoal_ctx *ctx,
                                          const shoal_i_alternatives *alternatives,
                                          shoal_i_grouping *grouping,
                                          const shoal_i_release *release, double *cost)
{
    shoal_status st = SHOAL_OK;
    shoal_i_grouping copy = {0};

    SHOAL_TRY(shoal_i_alternatives_keep(ctx, &copy, grouping, 0, grouping->count));
    SHOAL_TRY(load_release(ctx, &copy, alternatives, release));
    double rival = shoal_i_alternatives_cost(alternatives, &copy, 0, copy.count);

    if (rival < *cost) {
        *cost = rival;
        paste_places(grouping, 0, &copy);
    }
done:
    shoal_i_alternatives_drop(&copy);
    return st;
}
