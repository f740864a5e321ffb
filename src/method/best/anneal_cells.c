#include "anneal_cells.h"

#include "thresholds.h"

#include "../../base/clock.h"
#include "../../base/fail.h"
#include "../../base/pool.h"
#include "../../base/random.h"

#include <math.h>
#include <string.h>

#define CHAINS 2

/* Trials of a chain in one round, and after how many the state is kept if it is the cheapest
 * so far. */
#define ROUND_TRIALS 8192
#define KEEP_TRIALS 512

/* T at the beginning, in what the smallest class loses on average; it falls by this part STEPS
 * times, and is 0 for the last of them. */
#define WARMTH 0.2
#define STEPS 64
#define FALL 38
#define COLD_FROM 62

/* Of 16 trials, those that close a cell, swap one for others, and settle a point; the rest
 * open. */
#define CLOSING 1
#define SWAPPING 1
#define SETTLING 4

/* How many cells are opened at most where one is closed, and how many are drawn for each. */
#define SWAP_OPENED 3
#define SWAP_DRAWS 16

/* What a trial stands for beside the points it looks at. */
#define TRIAL_WORK 16

/* How often each chain may look at all points of all cells: more is in vain. */
#define LOOKS_MOST 6000

typedef struct chain {
    shoal_i_open_cells cells;
    shoal_i_random random;
    int64_t least;  /* the least cost so far */
    uint32_t *best; /* per point: the cell it is in there */
} chain;

typedef struct annealing {
    shoal_i_cell_pool pool;
    uint64_t seed;
    uint64_t round;
    int64_t temper; /* T */
    chain chains[CHAINS];
} annealing;

/* --- One trial. --------------------------------------------------------------------------- */

static uint32_t draw(chain *c, size_t bound)
{
    return (uint32_t)shoal_i_random_below(&c->random, bound);
}

/* A cell around a point that is cheaper than the one it is in; SHOAL_I_NO_CELL: there is
 * none. */
static uint32_t draw_cheaper(chain *c, uint32_t point)
{
    const shoal_i_cell_pool *pool = c->cells.pool;
    uint32_t cheaper = shoal_i_open_cells_count_cheaper(&c->cells, point);

    return cheaper > 0 ? pool->cells_of[pool->first[point] + draw(c, cheaper)]
                       : SHOAL_I_NO_CELL;
}

/* Open a cell in which some point would gain, if that costs no more than the limit. */
static void try_opening(chain *c, int64_t limit)
{
    uint32_t cell = draw_cheaper(c, draw(c, c->cells.pool->point_count));

    if (cell == SHOAL_I_NO_CELL || c->cells.is_open[cell] ||
        shoal_i_open_cells_judge(&c->cells, cell) > limit) {
        return;
    }
    int64_t before = c->cells.cost;

    if (shoal_i_open_cells_open(&c->cells, cell) && c->cells.cost - before <= limit) {
        shoal_i_open_cells_keep(&c->cells);
    } else {
        shoal_i_open_cells_undo(&c->cells);
    }
}

static void try_closing(chain *c, int64_t limit)
{
    uint32_t cell = c->cells.open[draw(c, c->cells.open_count)];

    if (cell != c->cells.pool->cell_count && c->cells.closing[cell] <= limit) {
        shoal_i_open_cells_close(&c->cells, cell);
        shoal_i_open_cells_keep(&c->cells);
    }
}

/* The cell that it would cost least to open, of some that are drawn around points of another;
 * SHOAL_I_NO_CELL: none gains anything. */
static uint32_t draw_best(chain *c, const shoal_i_priced_cell *near)
{
    uint32_t best = SHOAL_I_NO_CELL;
    int64_t least = 0;

    for (int i = 0; i < SWAP_DRAWS; i++) {
        uint32_t cell = draw_cheaper(c, near->points[draw(c, near->count)]);

        if (cell == SHOAL_I_NO_CELL || c->cells.is_open[cell]) {
            continue;
        }
        int64_t rise = shoal_i_open_cells_judge(&c->cells, cell);

        if (rise < least) {
            least = rise;
            best = cell;
        }
    }
    return best;
}

/* Close a cell and open others around its points, if all of that costs no more than the
 * limit. */
static void try_swapping(chain *c, int64_t limit)
{
    shoal_i_open_cells *cells = &c->cells;
    uint32_t closed = cells->open[draw(c, cells->open_count)];
    int64_t before = cells->cost;
    bool is_done = true;

    if (closed == cells->pool->cell_count) {
        return;
    }
    shoal_i_open_cells_close(cells, closed);
    for (int i = 0; i < SWAP_OPENED && is_done; i++) {
        uint32_t best = draw_best(c, &cells->pool->cells[closed]);

        if (best == SHOAL_I_NO_CELL) {
            break;
        }
        /* Opening goes the way that was found last. */
        (void)shoal_i_open_cells_judge(cells, best);
        is_done = shoal_i_open_cells_open(cells, best);
    }
    if (is_done && cells->cost - before <= limit) {
        shoal_i_open_cells_keep(cells);
    } else {
        shoal_i_open_cells_undo(cells);
    }
}

/* Let a point that is kept back go to a cheaper cell. */
static void try_settling(chain *c)
{
    if (c->cells.held_count > 0) {
        shoal_i_open_cells_settle(&c->cells, c->cells.held[draw(c, c->cells.held_count)]);
    }
}

static void try_once(const annealing *a, chain *c)
{
    uint32_t kind = draw(c, 16);
    int64_t limit = shoal_i_threshold(a->temper, draw(c, 64));

    if (kind < CLOSING) {
        try_closing(c, limit);
    } else if (kind < CLOSING + SWAPPING) {
        try_swapping(c, limit);
    } else if (kind < CLOSING + SWAPPING + SETTLING) {
        try_settling(c);
    } else {
        try_opening(c, limit);
    }
    c->cells.work += TRIAL_WORK;
}

/* --- Rounds. ------------------------------------------------------------------------------ */

static shoal_status run_chain(shoal_ctx *ctx, void *payload, size_t index)
{
    annealing *a = payload;
    chain *c = &a->chains[index];

    c->random = shoal_i_random_start(shoal_i_random_key(a->seed, a->round * CHAINS + index));
    for (size_t i = 0; i < ROUND_TRIALS; i++) {
        try_once(a, c);
        if (i % KEEP_TRIALS == 0 && c->cells.cost < c->least) {
            c->least = c->cells.cost;
            memcpy(c->best, c->cells.cell_of, a->pool.point_count * sizeof *c->best);
        }
    }
    return shoal_i_check_cancelled(ctx);
}

/* How much of the limit is used up, from 0 to 1. */
static double find_progress(const annealing *a, const shoal_i_search_limit *limit, double start)
{
    uint64_t work = 0;

    for (size_t i = 0; i < CHAINS; i++) {
        work += a->chains[i].cells.work;
    }
    double progress = (double)work / (double)limit->work;

    if (limit->deadline > 0) {
        double length = limit->deadline - start;

        progress = fmax(progress, length > 0 ? (shoal_i_clock_seconds() - start) / length : 1);
    }
    return fmin(progress, 1);
}

static shoal_status run_rounds(shoal_ctx *ctx, annealing *a, int64_t warmest,
                               shoal_i_search_limit limit, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    double start = shoal_i_clock_seconds();
    uint64_t shown = 0;
    unsigned fallen = 0;

    a->temper = warmest;
    for (double progress = 0; progress < 1; a->round++) {
        for (; fallen < (unsigned)(progress * STEPS); fallen++) {
            a->temper -= a->temper / FALL;
        }
        if (fallen >= COLD_FROM) {
            a->temper = 0;
        }
        SHOAL_TRY(shoal_i_parallel_for(ctx, CHAINS, run_chain, a));
        progress = find_progress(a, &limit, start);
        uint64_t now = (uint64_t)(progress * (double)limit.units);

        SHOAL_TRY(shoal_i_meter_add(ctx, meter, now - shown));
        shown = now;
    }
done:
    return st;
}

/* --- The result. -------------------------------------------------------------------------- */

static const chain *find_cheapest(annealing *a)
{
    const chain *cheapest = &a->chains[0];

    for (size_t i = 1; i < CHAINS; i++) {
        if (a->chains[i].least < cheapest->least) {
            cheapest = &a->chains[i];
        }
    }
    return cheapest;
}

/* Make groups of the points that are in a cell together. */
static shoal_status make_groups(shoal_ctx *ctx, shoal_i_solution *solution,
                                const shoal_i_cell_pool *pool, const uint32_t *cell_of)
{
    shoal_status st = SHOAL_OK;
    uint32_t *members = NULL;
    int32_t *climb = NULL;

    SHOAL_ALLOC(ctx, members, pool->point_count);
    SHOAL_ALLOC(ctx, climb, solution->points->lanes->count);
    for (uint32_t number = 0; number < pool->cell_count; number++) {
        const shoal_i_priced_cell *cell = &pool->cells[number];
        size_t count = 0;

        for (uint32_t i = 0; i < cell->count; i++) {
            members[count] = cell->points[i];
            count += cell_of[cell->points[i]] == number;
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

shoal_status shoal_i_solution_anneal_cells(shoal_ctx *ctx, shoal_i_solution *solution,
                                           const shoal_i_priced_cells *cells, int64_t target,
                                           uint64_t seed, shoal_i_search_limit limit,
                                           shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_distinct *points = solution->points->distinct;
    uint64_t smallest =
        shoal_i_requirement_smallest_class(solution->points->problem->requirements);
    double mean = (double)target / (double)points->first[points->count];
    annealing a = {.seed = seed};

    SHOAL_TRY(shoal_i_cell_pool_build(ctx, &a.pool, points, cells, smallest));
    for (size_t i = 0; i < CHAINS; i++) {
        SHOAL_TRY(shoal_i_open_cells_init(ctx, &a.chains[i].cells, &a.pool));
        SHOAL_ALLOC(ctx, a.chains[i].best, points->count);
        a.chains[i].least = INT64_MAX;
    }
    uint64_t most = CHAINS * LOOKS_MOST * ((uint64_t)a.pool.first[points->count] + 1);

    limit.work = limit.work < most ? limit.work : most;
    SHOAL_TRY(run_rounds(ctx, &a, (int64_t)(WARMTH * mean * (double)smallest), limit, meter));
    SHOAL_TRY(make_groups(ctx, solution, &a.pool, find_cheapest(&a)->best));
done:
    for (size_t i = 0; i < CHAINS; i++) {
        shoal_i_open_cells_clear(&a.chains[i].cells);
        free(a.chains[i].best);
    }
    shoal_i_cell_pool_clear(&a.pool);
    return st;
}
