#include "long_search.h"

#include "anneal_cells.h"
#include "start_by_prices.h"
#include "../problem/effort.h"
#include "fill_from_cells.h"
#include "cell_index.h"

#include "../../base/clock.h"
#include "../../base/fail.h"
#include "../../base/random.h"

/* Rounds in which prices are found: if it cannot be that many at least, they are not worth
 * it. */
#define ROUNDS_MOST 8
#define ROUNDS_LEAST 5

/* The part of the work, or of the time, that they may take. */
#define PRICES_SHARE 0.4

/* Looking at one point at one node, in rows that could be compared in the time, and in seconds
 * on one thread. */
#define WORK_OF_LOOK 1
#define SECONDS_OF_LOOK 2e-8

/* What a point is asked to pay at first, in parts of what it pays in the solution at hand. */
#define START_SHARE 0.9

/* Cells that annealing chooses from, for each class of the solution at hand, and at most;
 * points that these may have together; what it may do, in what normal effort does; and the part
 * of the time that is left. */
#define NEAR_CELLS_PER_CLASS 8
#define NEAR_CELLS_LEAST 4000
#define NEAR_CELLS_MOST 32000
#define NEAR_MEMBERS ((size_t)1 << 24)
#define ANNEAL_TIMES 300
#define ANNEALED_SHARE 0.8

/* The smallest class from which on points are divided when cells are annealed; with smaller
 * ones the search from whole points ends lower. */
#define DIVIDED_LEAST 8

/* By how much prices are lowered for starts by prices. */
static const double shares[] = {0.85, 1, 0.75};

typedef struct long_search {
    shoal_i_solution **solution;
    const shoal_i_point_neighbours *points;
    uint64_t key;
    shoal_i_search_limit limit; /* what is left */
    uint64_t look;              /* the work of normal effort */
    uint64_t look_units;
    bool is_annealed; /* the solution at hand comes from annealed cells */
    shoal_i_meter *meter;
} long_search;

static bool is_over(const long_search *s)
{
    return s->limit.work == 0 || shoal_i_clock_is_over(s->limit.deadline);
}

/* Take as much of the limit as normal effort would, less if that is all. */
static shoal_i_search_limit take_look(long_search *s)
{
    shoal_i_search_limit part = s->limit;

    part.work = s->look < s->limit.work ? s->look : s->limit.work;
    part.units = s->look_units < s->limit.units ? s->look_units : s->limit.units;
    s->limit.work -= part.work;
    s->limit.units -= part.units;
    return part;
}

/* Keep the cheaper of another solution and the one at hand. The dearer is released, and *other
 * NULL. */
static void keep_cheaper(long_search *s, shoal_i_solution **other)
{
    if (shoal_i_solution_cost(*other) < shoal_i_solution_cost(*s->solution)) {
        shoal_i_solution *worse = *s->solution;

        *s->solution = *other;
        *other = worse;
    }
    shoal_i_solution_free(*other);
    *other = NULL;
}

/* Complete and improve another start, and keep the cheaper. */
static shoal_status try_start(shoal_ctx *ctx, long_search *s, shoal_i_solution **other,
                              shoal_i_search_limit limit)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_solution_build(ctx, *other));
    SHOAL_TRY(shoal_i_solution_improve(ctx, *other, s->key, limit, s->meter));
    keep_cheaper(s, other);
done:
    return st;
}

/* Spend what is left of the limit on the best of the starts. What was annealed is not heated
 * again; where points are divided, annealing itself has done what there was to do. */
static shoal_status search_on(shoal_ctx *ctx, long_search *s)
{
    shoal_status st = SHOAL_OK;
    uint64_t key = shoal_i_random_key(s->key, 1);
    shoal_i_solution *other = NULL;

    if ((*s->solution)->divided) {
        SHOAL_TRY(shoal_i_meter_add(ctx, s->meter, s->limit.units));
    } else if (s->is_annealed) {
        SHOAL_TRY(shoal_i_solution_improve(ctx, *s->solution, key, s->limit, s->meter));
    } else {
        SHOAL_TRY(shoal_i_solution_copy(ctx, &other, *s->solution));
        SHOAL_TRY(shoal_i_solution_improve_heated(ctx, other, key, s->limit, s->meter));
        keep_cheaper(s, &other);
    }
done:
    shoal_i_solution_free(other);
    return st;
}

/* --- By prices. --------------------------------------------------------------------------- */

/* A search that goes on from one start ends in what is good near that start. Prices see the
 * whole: they tell which cells any good solution would open, wherever the search happens to be.
 * They cost a share of the limit, so they are found only where enough rounds fit into it;
 * starts by them are then tried with prices lowered by different shares, because prices that
 * prove most open too many dear cells. */

/* In how many rounds prices can be found within their share of what is left; 0: too few. */
static shoal_i_prices_limit limit_prices(const shoal_ctx *ctx, const long_search *s,
                                         const shoal_i_lattice *lattice)
{
    double looks = (double)s->points->count * (double)lattice->count;
    double rounds = PRICES_SHARE * (double)s->limit.work / (WORK_OF_LOOK * looks);
    shoal_i_prices_limit limit = {0};

    if (s->limit.deadline > 0) {
        double now = shoal_i_clock_seconds();
        double seconds = PRICES_SHARE * (s->limit.deadline - now);

        rounds = seconds * (double)shoal_ctx_thread_count(ctx) / (SECONDS_OF_LOOK * looks);
        limit.deadline = now + seconds;
    }
    if (rounds >= ROUNDS_LEAST) {
        limit.rounds = rounds < ROUNDS_MOST ? (unsigned)rounds : ROUNDS_MOST;
    }
    return limit;
}

static shoal_status find_prices(shoal_ctx *ctx, long_search *s, shoal_i_prices **out,
                                shoal_i_cell_worth *cell_worth, shoal_i_prices_limit limit)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_solution *solution = *s->solution;
    const shoal_i_lattice *lattice = shoal_i_cell_worth_lattice(cell_worth);
    uint64_t work = (uint64_t)(limit.rounds * WORK_OF_LOOK * lattice->count * s->points->count);
    int32_t *start = NULL;

    SHOAL_ALLOC(ctx, start, s->points->count);
    for (size_t i = 0; i < s->points->count; i++) {
        start[i] = (int32_t)(START_SHARE * solution->groups[solution->group_of[i]].penalty);
    }
    shoal_i_price_source source = shoal_i_price_source_of(cell_worth);

    SHOAL_TRY(
        shoal_i_prices_find(ctx, out, &source, start, shoal_i_solution_cost(solution), limit));
    s->limit.work -= work < s->limit.work ? work : s->limit.work;
done:
    free(start);
    return st;
}

/* Try starts by prices. */
static shoal_status try_price_starts(shoal_ctx *ctx, long_search *s,
                                     shoal_i_cell_worth *cell_worth, shoal_i_prices *prices,
                                     const shoal_i_cell_index *cell_index)
{
    shoal_status st = SHOAL_OK;
    shoal_i_solution *other = NULL;

    for (size_t i = 0; i < sizeof shares / sizeof *shares && !is_over(s); i++) {
        SHOAL_TRY(shoal_i_solution_new(ctx, &other, s->points));
        SHOAL_TRY(shoal_i_solution_start_by_prices(ctx, other, cell_worth, prices, shares[i]));
        other->cell_index = cell_index;
        SHOAL_TRY(try_start(ctx, s, &other, take_look(s)));
    }
done:
    shoal_i_solution_free(other);
    return st;
}

/* --- By annealing. ------------------------------------------------------------------------ */

/* Cells that are worth nearly something at the prices are those that a good solution opens, and
 * annealing tells which of them (anneal_cells.h). Each point's best cell is among them, lest
 * points are in none. If annealing was in vain, as it is with very small classes, the search
 * goes on from the cheapest of the other starts, for half as long again. */

static shoal_status find_near_cells(shoal_ctx *ctx, const long_search *s,
                                    shoal_i_priced_cells *cells, shoal_i_cell_worth *cell_worth,
                                    const shoal_i_prices *prices)
{
    shoal_status st = SHOAL_OK;
    size_t count = s->points->count;
    size_t classes = (*s->solution)->group_most - (*s->solution)->number_count;
    size_t most = NEAR_CELLS_PER_CLASS * classes;

    most = most > NEAR_CELLS_LEAST ? most : NEAR_CELLS_LEAST;
    most = most < NEAR_CELLS_MOST ? most : NEAR_CELLS_MOST;
    shoal_i_near_cells near = {.least = INT64_MIN, .most = most};
    shoal_i_best_cell *best_cells = NULL;
    uint32_t *all = NULL;
    int64_t surplus = 0;

    SHOAL_ALLOC(ctx, best_cells, count);
    SHOAL_ALLOC(ctx, all, count);
    for (uint32_t i = 0; i < count; i++) {
        all[i] = i;
    }
    shoal_i_worth_question question = {.kind = SHOAL_I_WORTH_ALL,
                                       .prices = prices->prices,
                                       .points = all,
                                       .count = count,
                                       .near = &near};

    cells->lattice = shoal_i_cell_worth_lattice(cell_worth);
    SHOAL_TRY(shoal_i_cell_worth_find(ctx, cell_worth, question, best_cells, &surplus));
    SHOAL_TRY(shoal_i_priced_cells_add(ctx, cells, best_cells, all, count));
    SHOAL_TRY(shoal_i_priced_cells_add_near(ctx, cells, &near, NEAR_MEMBERS));
done:
    free(near.cells);
    free(best_cells);
    free(all);
    return st;
}

/* Whether every box is a cell, and its size all that a class needs. */
static bool can_anneal(const long_search *s, const shoal_i_lattice *lattice)
{
    bool are_cells = s->points->problem->source->active_count == 0;

    for (size_t c = 0; c < lattice->scales->column_count; c++) {
        are_cells &= lattice->scales->columns[c].is_complete;
    }
    return are_cells;
}

/* Take what annealing may cost: work of its own, and its part of the time. */
static shoal_i_search_limit take_annealing(long_search *s)
{
    shoal_i_search_limit part = {.work = ANNEAL_TIMES * s->look,
                                 .units = (uint64_t)(ANNEALED_SHARE * (double)s->limit.units)};

    s->limit.units -= part.units;
    if (s->limit.deadline > 0) {
        double now = shoal_i_clock_seconds();

        part.work = UINT64_MAX;
        part.deadline = now + ANNEALED_SHARE * (s->limit.deadline - now);
    }
    return part;
}

/* Try a start by annealing. */
static shoal_status try_annealing(shoal_ctx *ctx, long_search *s,
                                  shoal_i_cell_worth *cell_worth, const shoal_i_prices *prices,
                                  const shoal_i_cell_index *cell_index)
{
    shoal_status st = SHOAL_OK;
    uint64_t smallest = shoal_i_requirement_smallest_class(s->points->problem->requirements);
    int64_t before = shoal_i_solution_cost(*s->solution);
    shoal_i_priced_cells cells = {0};
    shoal_i_solution *other = NULL;

    SHOAL_TRY(find_near_cells(ctx, s, &cells, cell_worth, prices));
    SHOAL_TRY(shoal_i_solution_new(ctx, &other, s->points));
    SHOAL_TRY(shoal_i_solution_anneal_cells(
        ctx, other, &cells, *s->solution, smallest >= DIVIDED_LEAST,
        shoal_i_random_key(s->key, 2), take_annealing(s), s->meter));
    if (other->divided) {
        keep_cheaper(s, &other);
    } else {
        other->cell_index = cell_index;
        SHOAL_TRY(try_start(ctx, s, &other, take_look(s)));
    }
    s->is_annealed = shoal_i_solution_cost(*s->solution) < before;
    if (!s->is_annealed) {
        s->limit.work += s->limit.work / 2;
    }
done:
    shoal_i_solution_free(other);
    shoal_i_priced_cells_clear(&cells);
    return st;
}

/* Find prices, try starts by them, and spend what is left of the limit with the cells at
 * hand. */
static shoal_status search_by_prices(shoal_ctx *ctx, long_search *s)
{
    shoal_status st = SHOAL_OK;
    uint64_t smallest = shoal_i_requirement_smallest_class(s->points->problem->requirements);
    shoal_i_lattice *lattice = NULL;
    shoal_i_cell_worth *cell_worth = NULL;
    shoal_i_prices *prices = NULL;
    shoal_i_cell_index cell_index = {0};

    SHOAL_TRY(shoal_i_lattice_build(ctx, &lattice, s->points, SHOAL_I_LATTICE_MOST,
                                    SHOAL_I_LATTICE_WALKS));
    shoal_i_prices_limit limit = limit_prices(ctx, s, lattice);

    if (limit.rounds > 0) {
        SHOAL_TRY(
            shoal_i_cell_worth_new(ctx, &cell_worth, lattice, s->points->distinct, smallest));
        SHOAL_TRY(find_prices(ctx, s, &prices, cell_worth, limit));
        SHOAL_TRY(shoal_i_cell_index_build(ctx, &cell_index, s->points, prices));
        SHOAL_TRY(try_price_starts(ctx, s, cell_worth, prices, &cell_index));
        if (can_anneal(s, lattice) && !is_over(s)) {
            SHOAL_TRY(try_annealing(ctx, s, cell_worth, prices, &cell_index));
        }
    }
    if (!is_over(s)) {
        SHOAL_TRY(search_on(ctx, s));
    }
done:
    (*s->solution)->cell_index = NULL;
    shoal_i_cell_index_clear(&cell_index);
    shoal_i_prices_free(prices);
    shoal_i_cell_worth_free(cell_worth);
    shoal_i_lattice_free(lattice);
    return st;
}

shoal_status shoal_i_search_long(shoal_ctx *ctx, shoal_i_solution **solution, uint64_t key,
                                 shoal_i_search_limit limit, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_point_neighbours *points = (*solution)->points;
    long_search s = {
        .solution = solution,
        .points = points,
        .key = key,
        .limit = limit,
        .look =
            shoal_i_effort_first_look(points->problem) * points->distinct->first[points->count],
        .look_units = limit.units / SHOAL_I_SEARCH_UNITS,
        .meter = meter,
    };
    shoal_i_solution *other = NULL;

    SHOAL_TRY(shoal_i_solution_improve(ctx, *solution, key, take_look(&s), meter));
    if (!is_over(&s)) {
        SHOAL_TRY(shoal_i_solution_new(ctx, &other, points));
        SHOAL_TRY(try_start(ctx, &s, &other, take_look(&s)));
    }
    if (!is_over(&s)) {
        SHOAL_TRY(search_by_prices(ctx, &s));
    }
done:
    shoal_i_solution_free(other);
    return st;
}
