#include "anneal_cells.h"

#include "../cells/cell_chain.h"
#include "../cells/cell_merge.h"
#include "../cells/cell_regions.h"

#include "../../base/clock.h"
#include "../../base/fail.h"
#include "../../base/pool.h"

#include <string.h>

#define CHAINS 2

/* Trials of a chain in one round. */
#define ROUND_TRIALS 8192

/* The part of what annealing may do that is the chains', the rest being the regions'; and how
 * often each chain, and regions, may look at all points of all cells: more is in vain. */
#define CHAINS_PART 3
#define CHAIN_LOOKS_MOST 2000
#define REGION_LOOKS_MOST 20000

typedef struct annealing {
    shoal_i_cell_pool pool;
    const uint32_t *first; /* per point, and one more: where its records start */
    bool divides;
    uint64_t seed; /* of this try */
    uint64_t round;
    int64_t warmest;
    int64_t temper; /* T */
    shoal_i_cell_chain chains[CHAINS];
} annealing;

/* --- The beginning. ----------------------------------------------------------------------- */

/* Raise the hits of the cells around each point of a group by so many. */
static void hit_cells(uint32_t *hits, const shoal_i_cell_pool *pool,
                      const shoal_i_solution *from, const shoal_i_group *group, uint32_t by)
{
    for (uint32_t i = group->head; i != SHOAL_I_NO_POINT; i = from->next[i]) {
        for (uint32_t j = pool->first[i]; j < pool->first[i + 1]; j++) {
            hits[pool->cells_of[j]] += by;
        }
    }
}

/* The cheapest cell around all points of a group; the shelter: there is none. */
static uint32_t find_cell(uint32_t *hits, const shoal_i_cell_pool *pool,
                          const shoal_i_solution *from, const shoal_i_group *group)
{
    uint32_t found = (uint32_t)pool->cell_count;
    uint32_t first = pool->first[group->head];
    uint32_t end = pool->first[group->head + 1];

    hit_cells(hits, pool, from, group, 1);
    for (uint32_t i = first; i < end && found == pool->cell_count; i++) {
        found = hits[pool->cells_of[i]] == group->count ? pool->cells_of[i] : found;
    }
    hit_cells(hits, pool, from, group, UINT32_MAX); /* down again */
    return found;
}

/* Let the first chain begin with the cells of a solution, the others with nothing. */
static shoal_status start_chains(shoal_ctx *ctx, annealing *a, const shoal_i_solution *from)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_cell_pool *pool = &a->pool;
    uint32_t *hits = NULL;
    uint32_t *cell_of = NULL;

    SHOAL_ALLOC(ctx, hits, pool->cell_count);
    SHOAL_ALLOC(ctx, cell_of, pool->point_count);
    for (size_t g = 0; g < from->group_most; g++) {
        const shoal_i_group *group = &from->groups[g];

        if (group->head != SHOAL_I_NO_POINT) {
            uint32_t cell = find_cell(hits, pool, from, group);

            for (uint32_t i = group->head; i != SHOAL_I_NO_POINT; i = from->next[i]) {
                cell_of[i] = cell;
            }
        }
    }
    for (size_t i = 0; i < CHAINS; i++) {
        SHOAL_TRY(shoal_i_cell_chain_init(ctx, &a->chains[i], pool));
    }
    shoal_i_open_cells_place(&a->chains[0].cells, cell_of);
done:
    free(hits);
    free(cell_of);
    return st;
}

/* --- Chains. ------------------------------------------------------------------------------ */

/* What each record of a point is in. */
static void spread_points(const annealing *a, const uint32_t *cell_of, uint32_t *records)
{
    for (size_t i = 0; i < a->pool.point_count; i++) {
        for (uint32_t j = a->first[i]; j < a->first[i + 1]; j++) {
            records[j] = cell_of[i];
        }
    }
}

static shoal_status run_chain(shoal_ctx *ctx, void *payload, size_t index)
{
    annealing *a = payload;
    shoal_i_cell_chain *c = &a->chains[index];

    c->random = shoal_i_random_start(shoal_i_random_key(a->seed, a->round * CHAINS + index));
    shoal_i_cell_chain_run(c, a->temper, ROUND_TRIALS);
    return shoal_i_check_cancelled(ctx);
}

static uint64_t count_work(const annealing *a)
{
    uint64_t work = 0;

    for (size_t i = 0; i < CHAINS; i++) {
        work += a->chains[i].cells.work;
    }
    return work;
}

static shoal_status run_rounds(shoal_ctx *ctx, annealing *a, shoal_i_search_limit limit,
                               shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    double start = shoal_i_clock_seconds();
    uint64_t shown = 0;

    for (double progress = 0; progress < 1; a->round++) {
        a->temper = shoal_i_cell_cooled(a->warmest, progress);
        SHOAL_TRY(shoal_i_parallel_for(ctx, CHAINS, run_chain, a));
        progress = shoal_i_search_progress(&limit, count_work(a), start);
        uint64_t now = (uint64_t)(progress * (double)limit.units);

        SHOAL_TRY(shoal_i_meter_add(ctx, meter, now - shown));
        shown = now;
    }
done:
    return st;
}

/* So many looks at all points of all cells, but no more than the limit. */
static uint64_t limit_looks(const annealing *a, uint64_t limit, uint64_t looks)
{
    uint64_t most = looks * ((uint64_t)a->pool.first[a->pool.point_count] + 1);

    return limit < most ? limit : most;
}

/* Take the chains' part of the limit. */
static shoal_i_search_limit take_part(const annealing *a, shoal_i_search_limit *limit)
{
    shoal_i_search_limit part = {.units = limit->units / CHAINS_PART};

    part.work = limit_looks(a, limit->work / CHAINS_PART, CHAINS * CHAIN_LOOKS_MOST);
    if (limit->deadline > 0) {
        double now = shoal_i_clock_seconds();

        part.deadline = now + (limit->deadline - now) / CHAINS_PART;
    }
    limit->work = limit_looks(a, limit->work - part.work, REGION_LOOKS_MOST);
    limit->units -= part.units;
    return part;
}

/* --- One try. ----------------------------------------------------------------------------- */

/* What is cheapest of all chains, place by place: per record. */
static shoal_status merge_chains(shoal_ctx *ctx, const annealing *a, uint32_t *cell_of)
{
    shoal_status st = SHOAL_OK;
    uint32_t *other = NULL;
    size_t cheapest = 0;

    SHOAL_ALLOC(ctx, other, a->first[a->pool.point_count]);
    for (size_t i = 1; i < CHAINS; i++) {
        cheapest = a->chains[i].least < a->chains[cheapest].least ? i : cheapest;
    }
    spread_points(a, a->chains[cheapest].best, cell_of);
    for (size_t i = 0; i < CHAINS; i++) {
        if (i != cheapest) {
            spread_points(a, a->chains[i].best, other);
            SHOAL_TRY(shoal_i_cell_merge(ctx, &a->pool, a->first, cell_of, other));
        }
    }
done:
    free(other);
    return st;
}

/* Chains, and what regions make of them: which cell each record is in. whole: NULL, or which it
 * was in after the chains. */
static shoal_status try_once(shoal_ctx *ctx, annealing *a, const shoal_i_solution *from,
                             shoal_i_search_limit limit, shoal_i_meter *meter,
                             uint32_t *cell_of, uint32_t *whole)
{
    shoal_status st = SHOAL_OK;

    a->round = 0;
    SHOAL_TRY(start_chains(ctx, a, from));
    SHOAL_TRY(run_rounds(ctx, a, take_part(a, &limit), meter));
    SHOAL_TRY(merge_chains(ctx, a, cell_of));
    if (whole) {
        memcpy(whole, cell_of, a->first[a->pool.point_count] * sizeof *whole);
    }
    if (a->divides) {
        SHOAL_TRY(shoal_i_cell_regions_improve(ctx, &a->pool, a->first, cell_of, a->warmest,
                                               shoal_i_random_key(a->seed, 1), limit, meter));
    } else {
        SHOAL_TRY(shoal_i_meter_add(ctx, meter, limit.units));
    }
done:
    for (size_t i = 0; i < CHAINS; i++) {
        shoal_i_cell_chain_clear(&a->chains[i]);
    }
    return st;
}

/* As long as there is time, try again with other random numbers, and keep the better place by
 * place: a try that is done does not become cheaper by going on, but regions of what two have
 * in common do. */
static shoal_status try_again(shoal_ctx *ctx, annealing *a, const shoal_i_solution *from,
                              shoal_i_search_limit limit, shoal_i_meter *meter,
                              uint32_t *cell_of)
{
    shoal_status st = SHOAL_OK;
    uint64_t seed = shoal_i_random_key(a->seed, 2);
    uint32_t *other = NULL;

    SHOAL_ALLOC(ctx, other, a->first[a->pool.point_count]);
    for (uint64_t i = 0; !shoal_i_clock_is_over(limit.deadline); i++) {
        shoal_i_search_limit part = limit;

        part.units /= 4;
        limit.units -= 2 * part.units;
        a->seed = shoal_i_random_key(seed, i);
        SHOAL_TRY(try_once(ctx, a, from, part, meter, other, NULL));
        SHOAL_TRY(shoal_i_cell_merge(ctx, &a->pool, a->first, cell_of, other));
        part.work = limit_looks(a, limit.work, REGION_LOOKS_MOST);
        SHOAL_TRY(shoal_i_cell_regions_improve(ctx, &a->pool, a->first, cell_of, a->warmest,
                                               shoal_i_random_key(a->seed, 2), part, meter));
    }
    SHOAL_TRY(shoal_i_meter_add(ctx, meter, limit.units));
done:
    free(other);
    return st;
}

/* --- The result. -------------------------------------------------------------------------- */

/* Make groups of the points that are in a cell together; all records of each are. */
static shoal_status make_groups(shoal_ctx *ctx, shoal_i_solution *solution, const annealing *a,
                                const uint32_t *cell_of)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_cell_pool *pool = &a->pool;
    uint32_t *members = NULL;
    int32_t *climb = NULL;

    SHOAL_ALLOC(ctx, members, pool->point_count);
    SHOAL_ALLOC(ctx, climb, solution->points->lanes->count);
    for (uint32_t number = 0; number < pool->cell_count; number++) {
        const shoal_i_priced_cell *cell = &pool->cells[number];
        size_t count = 0;

        for (uint32_t i = 0; i < cell->count; i++) {
            members[count] = cell->points[i];
            count += cell_of[a->first[cell->points[i]]] == number;
        }
        if (count > 0) {
            shoal_i_solution_group(solution, members, count, climb);
        }
    }
done:
    free(members);
    free(climb);
    return st;
}

/* How many cells have records. */
static shoal_status count_open(shoal_ctx *ctx, size_t *out, const annealing *a,
                               const uint32_t *cell_of)
{
    shoal_status st = SHOAL_OK;
    uint8_t *is_open = NULL;

    *out = 0;
    SHOAL_ALLOC(ctx, is_open, a->pool.cell_count + 1);
    is_open[a->pool.cell_count] = 1; /* the shelter is none */
    for (size_t i = 0; i < a->first[a->pool.point_count]; i++) {
        *out += !is_open[cell_of[i]];
        is_open[cell_of[i]] = 1;
    }
done:
    free(is_open);
    return st;
}

/* Make groups of the cells that records are in; of whole points where there would be too
 * many. */
static shoal_status write_result(shoal_ctx *ctx, shoal_i_solution *solution, const annealing *a,
                                 const uint32_t *cell_of, const uint32_t *whole)
{
    shoal_status st = SHOAL_OK;
    size_t count = 0;

    SHOAL_TRY(count_open(ctx, &count, a, cell_of));
    if (a->divides && count > 0 && count <= solution->group_most) {
        SHOAL_TRY(shoal_i_solution_divide(ctx, solution, cell_of, a->pool.cell_count));
    } else {
        SHOAL_TRY(make_groups(ctx, solution, a, whole));
    }
done:
    return st;
}

shoal_status shoal_i_solution_anneal_cells(shoal_ctx *ctx, shoal_i_solution *solution,
                                           const shoal_i_priced_cells *cells,
                                           const shoal_i_solution *from, bool divides,
                                           uint64_t seed, shoal_i_search_limit limit,
                                           shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_distinct *points = solution->points->distinct;
    uint64_t smallest =
        shoal_i_requirement_smallest_class(solution->points->problem->requirements);
    double mean = (double)shoal_i_solution_cost(from) / (double)points->first[points->count];
    annealing a = {.pool = {.point_count = points->count,
                            .weights = points->weights,
                            .smallest = smallest,
                            .cell_count = cells->count,
                            .closable = cells->count,
                            .cells = cells->cells},
                   .first = points->first,
                   .divides = divides,
                   .seed = seed,
                   .warmest = shoal_i_cell_warmth(mean, smallest)};
    shoal_i_search_limit later = limit;
    bool goes_on = divides && limit.deadline > 0;
    uint32_t *cell_of = NULL; /* per record */
    uint32_t *whole = NULL;

    later.units = goes_on ? limit.units / 2 : 0;
    limit.units -= later.units;
    SHOAL_ALLOC(ctx, cell_of, points->first[points->count]);
    SHOAL_ALLOC(ctx, whole, points->first[points->count]);
    SHOAL_TRY(shoal_i_cell_pool_index(ctx, &a.pool));
    SHOAL_TRY(try_once(ctx, &a, from, limit, meter, cell_of, whole));
    if (goes_on) {
        SHOAL_TRY(try_again(ctx, &a, from, later, meter, cell_of));
    }
    SHOAL_TRY(write_result(ctx, solution, &a, cell_of, whole));
done:
    shoal_i_cell_pool_clear(&a.pool);
    free(cell_of);
    free(whole);
    return st;
}
