/* Cells that are opened and closed, against counting everything anew; and annealing of them,
 * against the optimum. */

#include "price_case.h"

#include "base/fail.h"
#include "method/best/anneal_cells.h"
#include "method/grouping/recursion.h"

#include <math.h>

/* All cells of a case that have enough records. */
static void list_cells(shoal_ctx *ctx, price_case *f, shoal_i_priced_cells *cells)
{
    shoal_i_near_cells near = {.least = INT64_MIN, .most = 4096};
    shoal_i_best_cell *best_cells = calloc(f->points->count, sizeof *best_cells);
    int64_t surplus = 0;
    shoal_i_worth_question question = {.kind = SHOAL_I_WORTH_ALL,
                                       .prices = f->prices,
                                       .points = f->all,
                                       .count = f->points->count,
                                       .near = &near};

    assert_non_null(best_cells);
    *cells = (shoal_i_priced_cells){.lattice = f->lattice};
    assert_int_equal(
        shoal_i_cell_worth_find(ctx, f->cell_worth, question, best_cells, &surplus), SHOAL_OK);
    assert_int_equal(shoal_i_priced_cells_add_near(ctx, cells, &near, SIZE_MAX), SHOAL_OK);
    free(near.cells);
    free(best_cells);
}

static shoal_i_cell_pool make_pool(shoal_ctx *ctx, const price_case *f,
                                   const shoal_i_priced_cells *cells)
{
    shoal_i_cell_pool pool = {.point_count = f->distinct->count,
                              .weights = f->distinct->weights,
                              .smallest = f->k,
                              .cell_count = cells->count,
                              .closable = cells->count,
                              .cells = cells->cells};

    assert_int_equal(shoal_i_cell_pool_index(ctx, &pool), SHOAL_OK);
    return pool;
}

/* --- Books. ------------------------------------------------------------------------------- */

static bool is_in(const shoal_i_cell_pool *pool, uint32_t cell, uint32_t point)
{
    for (uint32_t i = 0; i < pool->cells[cell].count; i++) {
        if (pool->cells[cell].points[i] == point) {
            return true;
        }
    }
    return false;
}

/* The loss of the cheapest open cell around a point besides its own. */
static int32_t slow_second(const shoal_i_open_cells *c, uint32_t point)
{
    int32_t least = c->losses[c->pool->cell_count];

    for (uint32_t cell = 0; cell < c->pool->cell_count; cell++) {
        if (c->is_open[cell] && cell != c->cell_of[point] && c->losses[cell] < least &&
            is_in(c->pool, cell, point)) {
            least = c->losses[cell];
        }
    }
    return least;
}

static void check_books(const shoal_i_open_cells *c)
{
    const shoal_i_cell_pool *pool = c->pool;
    uint64_t *loads = calloc(pool->cell_count + 1, sizeof *loads);
    int64_t *closing = calloc(pool->cell_count + 1, sizeof *closing);
    size_t held = 0;
    int64_t cost = 0;

    assert_true(loads && closing);
    for (uint32_t i = 0; i < pool->point_count; i++) {
        uint32_t cell = c->cell_of[i];
        int32_t second = slow_second(c, i);

        assert_true(c->is_open[cell]);
        assert_true(cell == pool->cell_count || is_in(pool, cell, i));
        assert_int_equal(c->losses[c->second[i]], second);
        assert_int_equal(c->held_place[i] > 0, second < c->losses[cell]);
        assert_true(c->held_place[i] == 0 || c->held[c->held_place[i] - 1] == i);
        held += second < c->losses[cell];
        loads[cell] += pool->weights[i];
        cost += (int64_t)pool->weights[i] * c->losses[cell];
        closing[cell] += (int64_t)pool->weights[i] * (second - c->losses[cell]);
    }
    assert_int_equal(c->cost, cost);
    assert_int_equal(c->held_count, held);
    for (uint32_t cell = 0; cell <= pool->cell_count; cell++) {
        assert_int_equal(c->loads[cell], loads[cell]);
        assert_int_equal(c->closing[cell], closing[cell]);
        assert_true(cell < pool->closable || c->is_open[cell]);
        assert_true(!c->is_open[cell] || cell >= pool->closable ||
                    loads[cell] >= pool->smallest);
        assert_true(!c->is_open[cell] || c->open[c->place[cell]] == cell);
    }
    free(loads);
    free(closing);
}

/* What a change that is taken back leaves as it was. */
typedef struct snapshot {
    int64_t cost;
    size_t open_count;
    uint32_t cell_of[CASE_ROWS_MAX];
} snapshot;

static snapshot take_snapshot(const shoal_i_open_cells *c)
{
    snapshot s = {.cost = c->cost, .open_count = c->open_count};

    memcpy(s.cell_of, c->cell_of, c->pool->point_count * sizeof *s.cell_of);
    return s;
}

static void open_and_check(shoal_i_open_cells *c, shoal_i_random *random, uint32_t cell)
{
    snapshot before = take_snapshot(c);
    int64_t rise = shoal_i_open_cells_judge(c, cell);

    if (rise == INT64_MAX) {
        return;
    }
    if (!shoal_i_open_cells_open(c, cell) || shoal_i_random_below(random, 3) == 0) {
        shoal_i_open_cells_undo(c);
        assert_int_equal(c->cost, before.cost);
        assert_int_equal(c->open_count, before.open_count);
        assert_memory_equal(c->cell_of, before.cell_of,
                            c->pool->point_count * sizeof *c->cell_of);
    } else {
        shoal_i_open_cells_keep(c);
        assert_true(c->is_open[cell]);
    }
    check_books(c);
}

static void close_and_check(shoal_i_open_cells *c, uint32_t cell)
{
    int64_t expected = c->cost + c->closing[cell];

    shoal_i_open_cells_close(c, cell);
    shoal_i_open_cells_keep(c);
    assert_int_equal(c->cost, expected);
    check_books(c);
}

/* The most that settling a point can save: it goes to the cheapest open cell around it, and any
 * other point takes its place that can be spared. */
static int64_t slow_saving(const shoal_i_open_cells *c, uint32_t point)
{
    const shoal_i_cell_pool *pool = c->pool;
    uint32_t from = c->cell_of[point];
    uint64_t weight = pool->weights[point];
    int64_t gain = (int64_t)weight * (c->losses[from] - slow_second(c, point));
    int64_t most = 0;

    if (gain <= 0) {
        return 0;
    }
    if (from >= pool->closable || c->loads[from] >= pool->smallest + weight) {
        return gain;
    }
    for (uint32_t i = 0; i < pool->point_count; i++) {
        uint32_t source = c->cell_of[i];
        uint64_t other = pool->weights[i];
        bool is_spared = source >= pool->closable || c->loads[source] >= pool->smallest + other;
        int64_t saving = gain - (int64_t)other * (c->losses[from] - c->losses[source]);

        if (source != from && is_spared && is_in(pool, from, i) && saving > most &&
            c->loads[from] + other >= pool->smallest + weight) {
            most = saving;
        }
    }
    return most;
}

static void settle_and_check(shoal_i_open_cells *c, shoal_i_random *random)
{
    uint32_t point = (uint32_t)shoal_i_random_below(random, c->pool->point_count);
    int64_t expected = c->cost - slow_saving(c, point);

    shoal_i_open_cells_settle(c, point);
    assert_int_equal(c->cost, expected);
    check_books(c);
}

static void test_books(void **state)
{
    shoal_ctx ctx;
    size_t opened = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < rounds(30, 400); seed++) {
        price_case f = {0};
        shoal_i_priced_cells cells = {0};
        shoal_i_cell_pool pool = {0};
        shoal_i_open_cells open = {0};
        shoal_i_random random = shoal_i_random_start(seed);

        set_up_prices(&ctx, &f, seed, 30 + seed % 30, &shoal_i_k_anonymity, seed % 3 > 0);
        list_cells(&ctx, &f, &cells);
        pool = make_pool(&ctx, &f, &cells);
        /* Some cells are always open in every second case. */
        pool.closable = seed % 2 == 0 ? pool.cell_count : pool.cell_count * 2 / 3;
        assert_int_equal(shoal_i_open_cells_init(&ctx, &open, &pool), SHOAL_OK);
        check_books(&open);
        for (int step = 0; step < 150 && pool.closable > 0; step++) {
            uint32_t cell = (uint32_t)shoal_i_random_below(&random, pool.closable);

            if (step % 3 == 0) {
                settle_and_check(&open, &random);
            } else if (!open.is_open[cell]) {
                open_and_check(&open, &random, cell);
            } else if (shoal_i_random_below(&random, 2)) {
                close_and_check(&open, cell);
            }
        }
        opened += open.open_count - 1 - (pool.cell_count - pool.closable);
        shoal_i_open_cells_clear(&open);
        shoal_i_cell_pool_clear(&pool);
        shoal_i_priced_cells_clear(&cells);
        tear_down_prices(&f);
    }
    assert_true(opened > 0);
    shoal_i_ctx_clear(&ctx);
}

/* From the shelter a cell takes all of its points; what was judged is what comes of it. */
static void test_judged_from_the_shelter(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 20; seed++) {
        price_case f = {0};
        shoal_i_priced_cells cells = {0};
        shoal_i_cell_pool pool = {0};
        shoal_i_open_cells open = {0};

        set_up_prices(&ctx, &f, seed, 40, &shoal_i_k_anonymity, true);
        list_cells(&ctx, &f, &cells);
        pool = make_pool(&ctx, &f, &cells);
        assert_int_equal(shoal_i_open_cells_init(&ctx, &open, &pool), SHOAL_OK);
        for (uint32_t cell = 0; cell < pool.cell_count; cell++) {
            int64_t before = open.cost;
            int64_t rise = shoal_i_open_cells_judge(&open, cell);

            assert_true(shoal_i_open_cells_open(&open, cell));
            assert_int_equal(open.cost - before, rise);
            shoal_i_open_cells_undo(&open);
            assert_int_equal(open.cost, before);
        }
        shoal_i_open_cells_clear(&open);
        shoal_i_cell_pool_clear(&pool);
        shoal_i_priced_cells_clear(&cells);
        tear_down_prices(&f);
    }
    shoal_i_ctx_clear(&ctx);
}

/* Point 4 alone gains in cell 1, which needs two records more: cell 0 lends them if it keeps
 * enough; if not, it is closed, and who cannot join is in no cell. */
static void test_lent_or_absorbed(void **state)
{
    static uint32_t around_all[] = {0, 1, 2, 3, 5};
    static uint32_t around_some[] = {0, 1, 4};
    static const uint32_t weights[] = {1, 1, 1, 1, 1, 1};
    static const uint32_t cell_of[] = {0, 0, 0, 0, 2, 0};
    const int32_t unit = SHOAL_I_PENALTY_ONE / 16;
    const int64_t gain = SHOAL_I_SHELTER_LOSS - 3 * unit;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint32_t load = 4; load <= 5; load++) {
        shoal_i_priced_cell cells[] = {
            {.loss = unit, .count = load, .points = around_all},
            {.loss = 3 * unit, .count = 3, .points = around_some},
        };
        shoal_i_cell_pool pool = {.point_count = load + 1,
                                  .weights = weights,
                                  .smallest = 3,
                                  .cell_count = 2,
                                  .closable = 2,
                                  .cells = cells};
        shoal_i_open_cells open = {0};
        int64_t lent = 2 * (3 * unit - unit);
        int64_t closing = 2 * (int64_t)(SHOAL_I_SHELTER_LOSS - unit);

        assert_int_equal(shoal_i_cell_pool_index(&ctx, &pool), SHOAL_OK);
        assert_int_equal(shoal_i_open_cells_init(&ctx, &open, &pool), SHOAL_OK);
        shoal_i_open_cells_place(&open, cell_of);
        check_books(&open);
        int64_t before = open.cost;

        assert_int_equal(shoal_i_open_cells_judge(&open, 1),
                         lent - gain + (load == 4 ? closing : 0));
        assert_true(shoal_i_open_cells_open(&open, 1));
        assert_int_equal(open.cost - before, lent - gain + (load == 4 ? closing : 0));
        assert_int_equal(open.is_open[0], load == 5);
        check_books(&open);
        shoal_i_open_cells_clear(&open);
        shoal_i_cell_pool_clear(&pool);
    }
    shoal_i_ctx_clear(&ctx);
}

/* --- Which cells are listed. -------------------------------------------------------------- */

static shoal_i_near_cells ask_near(shoal_ctx *ctx, price_case *f, int64_t least, size_t most)
{
    shoal_i_near_cells near = {.least = least, .most = most};
    shoal_i_best_cell *best_cells = calloc(f->points->count, sizeof *best_cells);
    int64_t surplus = 0;
    shoal_i_worth_question question = {.kind = SHOAL_I_WORTH_ALL,
                                       .prices = f->prices,
                                       .points = f->all,
                                       .count = f->points->count,
                                       .near = &near};

    assert_non_null(best_cells);
    assert_int_equal(
        shoal_i_cell_worth_find(ctx, f->cell_worth, question, best_cells, &surplus), SHOAL_OK);
    free(best_cells);
    return near;
}

/* All cells with k records are listed, and with a limit the first of these. */
static void test_near_cells(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 20; seed++) {
        price_case f = {0};
        size_t expected = 0;

        set_up_prices(&ctx, &f, seed, 20 + seed, &shoal_i_k_anonymity, true);
        shoal_i_near_cells all = ask_near(&ctx, &f, INT64_MIN, 65536);

        for (size_t n = 0; n < f.lattice->count; n++) {
            const uint8_t *node = shoal_i_lattice_node(f.lattice, n);

            for (uint32_t i = 0; i < f.points->count; i++) {
                uint64_t load = 0;
                bool is_first = true;

                for (uint32_t j = 0; j < f.points->count; j++) {
                    bool together = are_together(&f, node, i, j);

                    load += together ? f.points->weights[j] : 0;
                    is_first &= !together || j >= i;
                }
                expected += is_first && load >= f.k;
            }
        }
        assert_int_equal(all.count, expected);
        for (size_t most = 1; most < all.count; most = 2 * most + 1) {
            shoal_i_near_cells some = ask_near(&ctx, &f, INT64_MIN, most);

            assert_int_equal(some.count, most);
            for (size_t i = 0; i < most; i++) {
                assert_int_equal(some.cells[i].worth, all.cells[i].worth);
                assert_int_equal(some.cells[i].node, all.cells[i].node);
                assert_true(some.cells[i].key == all.cells[i].key);
            }
            free(some.cells);
        }
        for (size_t i = 1; i < all.count; i++) {
            assert_true(all.cells[i - 1].worth >= all.cells[i].worth);
        }
        shoal_i_near_cells least = ask_near(&ctx, &f, 0, 65536);

        for (size_t i = 0; i < all.count; i++) {
            assert_int_equal(i < least.count, all.cells[i].worth >= 0);
        }
        free(least.cells);
        free(all.cells);
        tear_down_prices(&f);
    }
    shoal_i_ctx_clear(&ctx);
}

/* --- Annealing. --------------------------------------------------------------------------- */

static shoal_i_solution *anneal(shoal_ctx *ctx, price_case *f, uint64_t seed, uint64_t work)
{
    shoal_i_priced_cells cells = {0};
    shoal_i_solution *from = NULL;
    shoal_i_solution *solution = NULL;
    shoal_i_meter meter = {.stage = "anonymize", .total = 1};
    shoal_i_search_limit limit = {.work = work, .units = 1};

    list_cells(ctx, f, &cells);
    assert_int_equal(shoal_i_solution_new(ctx, &from, f->points), SHOAL_OK);
    assert_int_equal(shoal_i_solution_build(ctx, from), SHOAL_OK);
    assert_int_equal(shoal_i_solution_new(ctx, &solution, f->points), SHOAL_OK);
    assert_int_equal(
        shoal_i_solution_anneal_cells(ctx, solution, &cells, from, true, seed, limit, &meter),
        SHOAL_OK);
    assert_non_null(solution->divided);
    shoal_i_solution_free(from);
    shoal_i_priced_cells_clear(&cells);
    return solution;
}

/* Lay a divided solution out: every record is in one group, groups have enough records, and
 * what the records of each lose is what it is said to cost. */
static void check_laid_out(shoal_ctx *ctx, const price_case *f,
                           const shoal_i_solution *solution)
{
    size_t rows = f->m.problem.row_count;
    shoal_i_grouping *grouping = NULL;
    shoal_i_release *release = NULL;
    uint8_t seen[CASE_ROWS_MAX] = {0};
    size_t load = 0;

    assert_int_equal(shoal_i_grouping_new(ctx, &grouping, &f->m.problem), SHOAL_OK);
    assert_int_equal(shoal_i_solution_lay_out(ctx, solution, grouping, 0), SHOAL_OK);
    for (size_t i = 0; i < rows; i++) {
        assert_int_equal(seen[grouping->records[i]]++, 0);
        load = grouping->is_start[i] ? 1 : load + 1;
        if (i + 1 == rows || grouping->is_start[i + 1]) {
            assert_true(load >= f->k);
        }
    }
    assert_int_equal(grouping->is_start[0], 1);
    assert_int_equal(shoal_i_groups_release(ctx, &release, f->m.problem.quasi,
                                            grouping->records, grouping->is_start),
                     SHOAL_OK);
    assert_true(fabs(slow_release_ncp(release) / f->m.quasi->weight_sum -
                     (double)shoal_i_solution_cost(solution) / SHOAL_I_PENALTY_ONE) < 1e-5);
    shoal_i_release_free(release);
    shoal_i_grouping_free(grouping);
}

/* On tables of which the optimum can be computed, annealing mostly finds it, and comes near it
 * else. */
static void test_finds_the_optimum(void **state)
{
    shoal_ctx ctx;
    double costs = 0;
    double optima = 0;
    int found = 0;
    int cases = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < rounds(20, 200); seed++) {
        price_case f = {0};
        shoal_i_release *best = NULL;

        set_up_prices(&ctx, &f, seed, 6 + seed % 6, &shoal_i_k_anonymity, true);
        if (method_case_run(&ctx, &best, &f.m, "exact") == SHOAL_OK) {
            shoal_i_solution *solution = anneal(&ctx, &f, seed, 20000000);
            double optimum = slow_release_ncp(best) / f.m.quasi->weight_sum;
            double cost = (double)shoal_i_solution_cost(solution) / SHOAL_I_PENALTY_ONE;

            check_laid_out(&ctx, &f, solution);
            assert_true(cost >= optimum - 1e-6);
            costs += cost;
            optima += optimum;
            found += cost <= optimum + 1e-6;
            cases++;
            shoal_i_solution_free(solution);
        }
        shoal_i_release_free(best);
        tear_down_prices(&f);
    }
    assert_true(cases > 4);
    assert_true(4 * found >= 3 * cases);
    assert_true(costs <= 1.03 * optima);
    shoal_i_ctx_clear(&ctx);
}

/* On tables too large for the optimum annealing alone comes near what all of `best` finds at
 * normal effort, or below it. */
static void test_comes_near_the_search(void **state)
{
    const uint64_t seeds[] = {5, 6, 7, 16, 24, 25};
    shoal_ctx ctx;
    double costs = 0;
    double others = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        price_case f = {0};
        shoal_i_release *best = NULL;

        set_up_prices(&ctx, &f, seeds[i], CASE_ROWS_MAX, &shoal_i_k_anonymity, true);
        assert_int_equal(method_case_run(&ctx, &best, &f.m, "best"), SHOAL_OK);
        shoal_i_solution *solution = anneal(&ctx, &f, seeds[i], 15000000);

        check_laid_out(&ctx, &f, solution);
        costs += (double)shoal_i_solution_cost(solution) / SHOAL_I_PENALTY_ONE;
        others += slow_release_ncp(best) / f.m.quasi->weight_sum;
        shoal_i_solution_free(solution);
        shoal_i_release_free(best);
        tear_down_prices(&f);
    }
    assert_true(costs <= 1.035 * others);
    shoal_i_ctx_clear(&ctx);
}

/* Where points stay whole, every point that is in a group is in one, with enough records. */
static void test_whole_points(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 8; seed++) {
        price_case f = {0};
        shoal_i_priced_cells cells = {0};
        shoal_i_solution *solutions[2] = {NULL};
        shoal_i_meter meter = {.stage = "anonymize", .total = 1};
        shoal_i_search_limit limit = {.work = 100000, .units = 1};

        set_up_prices(&ctx, &f, seed, 60, &shoal_i_k_anonymity, true);
        list_cells(&ctx, &f, &cells);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(shoal_i_solution_new(&ctx, &solutions[i], f.points), SHOAL_OK);
        }
        assert_int_equal(shoal_i_solution_build(&ctx, solutions[0]), SHOAL_OK);
        assert_int_equal(shoal_i_solution_anneal_cells(&ctx, solutions[1], &cells, solutions[0],
                                                       false, seed, limit, &meter),
                         SHOAL_OK);
        assert_null(solutions[1]->divided);
        assert_int_equal(meter.done, 1);
        for (uint32_t i = 0; i < f.points->count; i++) {
            uint32_t group = solutions[1]->group_of[i];

            assert_true(group == SHOAL_I_NO_POINT || solutions[1]->groups[group].load >= f.k);
        }
        assert_int_equal(shoal_i_solution_build(&ctx, solutions[1]), SHOAL_OK);
        assert_true(shoal_i_solution_cost(solutions[1]) <= shoal_i_solution_cost(solutions[0]));
        shoal_i_solution_free(solutions[0]);
        shoal_i_solution_free(solutions[1]);
        shoal_i_priced_cells_clear(&cells);
        tear_down_prices(&f);
    }
    shoal_i_ctx_clear(&ctx);
}

/* Records in no part join the group that suffers least; found again by trying all. */
static void test_left_over_records_join(void **state)
{
    shoal_ctx ctx;
    int cases = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 12; seed++) {
        price_case f = {0};
        shoal_i_solution *solution = NULL;
        uint32_t parts[60];

        set_up_prices(&ctx, &f, seed, 60, &shoal_i_k_anonymity, true);
        for (uint32_t i = 0; i < 60; i++) {
            parts[i] = i < 3 * f.k ? i / (uint32_t)f.k : i % 2;
        }
        parts[59] = 3;
        assert_int_equal(shoal_i_solution_new(&ctx, &solution, f.points), SHOAL_OK);
        if (solution->group_most < 3) {
            shoal_i_solution_free(solution);
            tear_down_prices(&f);
            continue;
        }
        cases++;
        assert_int_equal(shoal_i_solution_divide(&ctx, solution, parts, 3), SHOAL_OK);
        int64_t cost = shoal_i_solution_cost(solution);

        check_laid_out(&ctx, &f, solution);
        shoal_i_solution_free(solution);
        for (parts[59] = 0; parts[59] < 3; parts[59]++) {
            assert_int_equal(shoal_i_solution_new(&ctx, &solution, f.points), SHOAL_OK);
            assert_int_equal(shoal_i_solution_divide(&ctx, solution, parts, 3), SHOAL_OK);
            assert_true(cost <= shoal_i_solution_cost(solution));
            shoal_i_solution_free(solution);
        }
        tear_down_prices(&f);
    }
    assert_true(cases > 4);
    shoal_i_ctx_clear(&ctx);
}

/* Groups of enough records, the same on any number of threads. */
static void test_threads(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        uint32_t first[CASE_ROWS_MAX];

        for (int threads = 1; threads <= 4; threads += 3) {
            shoal_ctx ctx;
            price_case f = {0};

            shoal_i_ctx_init(&ctx);
            ctx.threads = threads;
            set_up_prices(&ctx, &f, seed, 100, &shoal_i_k_anonymity, true);
            shoal_i_solution *solution = anneal(&ctx, &f, seed, 2000000);

            for (uint32_t g = 0; g < solution->group_most; g++) {
                assert_true(solution->groups[g].head == SHOAL_I_NO_POINT ||
                            solution->groups[g].load >= f.k);
            }
            if (threads == 1) {
                memcpy(first, solution->divided, 100 * sizeof *first);
            }
            assert_memory_equal(first, solution->divided, 100 * sizeof *first);
            shoal_i_solution_free(solution);
            tear_down_prices(&f);
            shoal_i_ctx_clear(&ctx);
        }
    }
}

/* --- Without memory. ---------------------------------------------------------------------- */

static shoal_status list_and_anneal(shoal_ctx *ctx, void *payload)
{
    shoal_status st = SHOAL_OK;
    price_case *f = payload;
    shoal_i_priced_cells cells = {.lattice = f->lattice};
    shoal_i_near_cells near = {.least = INT64_MIN, .most = 64};
    shoal_i_best_cell *best_cells = NULL;
    shoal_i_solution *from = NULL;
    shoal_i_solution *solution = NULL;
    shoal_i_grouping *grouping = NULL;
    shoal_i_meter meter = {.stage = "anonymize", .total = 1};
    shoal_i_search_limit limit = {.work = 1, .units = 1};
    int64_t surplus = 0;
    shoal_i_worth_question question = {.kind = SHOAL_I_WORTH_ALL,
                                       .prices = f->prices,
                                       .points = f->all,
                                       .count = f->points->count,
                                       .near = &near};

    SHOAL_ALLOC(ctx, best_cells, f->points->count);
    SHOAL_TRY(shoal_i_cell_worth_find(ctx, f->cell_worth, question, best_cells, &surplus));
    SHOAL_TRY(shoal_i_priced_cells_add(ctx, &cells, best_cells, f->all, f->points->count));
    SHOAL_TRY(shoal_i_priced_cells_add_near(ctx, &cells, &near, SIZE_MAX));
    SHOAL_TRY(shoal_i_solution_new(ctx, &solution, f->points));
    SHOAL_TRY(shoal_i_solution_new(ctx, &from, f->points));
    SHOAL_TRY(shoal_i_solution_build(ctx, from));
    SHOAL_TRY(
        shoal_i_solution_anneal_cells(ctx, solution, &cells, from, true, 1, limit, &meter));
    SHOAL_TRY(shoal_i_grouping_new(ctx, &grouping, &f->m.problem));
    SHOAL_TRY(shoal_i_solution_lay_out(ctx, solution, grouping, 0));
done:
    shoal_i_grouping_free(grouping);
    shoal_i_solution_free(from);
    shoal_i_solution_free(solution);
    shoal_i_priced_cells_clear(&cells);
    free(near.cells);
    free(best_cells);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_ctx ctx;
    price_case f = {0};

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    set_up_prices(&ctx, &f, 7, 24, &shoal_i_k_anonymity, true);
    assert_survives_failing_allocations(&ctx, list_and_anneal, &f);
    tear_down_prices(&f);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_books),
        cmocka_unit_test(test_lent_or_absorbed),
        cmocka_unit_test(test_judged_from_the_shelter),
        cmocka_unit_test(test_near_cells),
        cmocka_unit_test(test_finds_the_optimum),
        cmocka_unit_test(test_comes_near_the_search),
        cmocka_unit_test(test_whole_points),
        cmocka_unit_test(test_left_over_records_join),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
