/* Prices of records and what cells are worth at them, against computing it cell by cell. */

#include "price_case.h"

#include "base/fail.h"
#include "method/best/start_by_prices.h"
#include "method/best/cell_index.h"

/* --- By definition. ----------------------------------------------------------------------- */

/* What a record loses at least in the cell of a point, column by column: the penalty of the
 * values there. */
static int64_t slow_loss(const price_case *f, const uint8_t *node, uint32_t point)
{
    const shoal_i_scales *scales = f->lattice->scales;
    int64_t loss = 0;

    for (size_t c = 0; c < scales->column_count; c++) {
        const shoal_i_scale_column *column = &scales->columns[c];

        loss += column->losses[node[c] * column->value_count +
                               scales->values[c * scales->point_count + point]];
    }
    return loss;
}

static int compare_descending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;

    return x < y ? 1 : x > y ? -1 : 0;
}

/* What the cell of a point is worth: the best of all numbers of records, dearest first.
 * INT64_MIN: too few. */
static int64_t slow_worth(const price_case *f, const uint8_t *node, uint32_t point)
{
    int64_t gains[CASE_ROWS_MAX];
    size_t count = 0;
    int64_t loss = slow_loss(f, node, point);
    int64_t best = INT64_MIN;
    int64_t sum = 0;

    for (uint32_t i = 0; i < f->points->count; i++) {
        for (uint32_t w = 0; are_together(f, node, point, i) && w < f->points->weights[i];
             w++) {
            gains[count++] = f->prices[i] - loss;
        }
    }
    qsort(gains, count, sizeof *gains, compare_descending);
    for (size_t i = 0; i < count; i++) {
        sum += gains[i];
        if (i + 1 >= f->k && sum > best) {
            best = sum;
        }
    }
    return best;
}

static void check_bids(shoal_ctx *ctx, price_case *f, shoal_i_worth_kind what)
{
    shoal_i_best_cell *best_cells = calloc(f->points->count, sizeof *best_cells);
    int64_t surplus = 0;
    int64_t expected = 0;

    assert_non_null(best_cells);
    shoal_i_worth_question question = {
        .kind = what, .prices = f->prices, .points = f->all, .count = f->points->count};

    assert_int_equal(
        shoal_i_cell_worth_find(ctx, f->cell_worth, question, best_cells, &surplus), SHOAL_OK);
    for (uint32_t i = 0; i < f->points->count; i++) {
        int64_t most = INT64_MIN;

        for (size_t n = 0; n < f->lattice->count; n++) {
            const uint8_t *node = shoal_i_lattice_node(f->lattice, n);
            int64_t worth = slow_worth(f, node, i);
            bool is_first = true;

            for (uint32_t j = 0; j < i; j++) {
                is_first &= !are_together(f, node, i, j);
            }
            expected += is_first && worth > 0 ? worth : 0;
            if ((what == SHOAL_I_WORTH_ALL ||
                 (worth > 0 && f->prices[i] > slow_loss(f, node, i))) &&
                worth > most) {
                most = worth;
            }
        }
        assert_int_equal(best_cells[i].node == SHOAL_I_NO_NODE, most == INT64_MIN);
        if (most > INT64_MIN) {
            assert_int_equal(best_cells[i].worth, most);
            assert_int_equal(
                slow_worth(f, shoal_i_lattice_node(f->lattice, best_cells[i].node), i), most);
        }
    }
    assert_int_equal(surplus, expected);
    free(best_cells);
}

static void test_worth_of_cells(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 24; seed++) {
        price_case f = {0};

        set_up_prices(&ctx, &f, seed, 14 + seed % 9, &shoal_i_k_anonymity, seed % 3 == 0);
        check_bids(&ctx, &f, SHOAL_I_WORTH_GAINS);
        check_bids(&ctx, &f, SHOAL_I_WORTH_ALL);
        tear_down_prices(&f);
    }
    shoal_i_ctx_clear(&ctx);
}

/* The loss of a part is the penalty of the box of its values, by the definition of the
 * penalty. */
static void test_losses(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 40; seed++) {
        price_case f = {0};

        set_up_prices(&ctx, &f, seed, 60, &shoal_i_k_anonymity, seed % 2);
        for (size_t c = 0; c < f.m.quasi->count; c++) {
            const shoal_i_scale_column *column = &f.lattice->scales->columns[c];
            const uint32_t *values = f.lattice->scales->values + c * f.points->count;

            for (size_t level = 0; level < column->level_count && column->value_count > 1;
                 level++) {
                for (uint32_t i = 0; i < f.points->count; i++) {
                    uint64_t key = column->keys[level * column->value_count + values[i]];
                    uint32_t lo = UINT32_MAX;
                    uint32_t hi = 0;

                    for (uint32_t j = 0; j < f.points->count; j++) {
                        uint32_t code = shoal_i_quasi_code(
                            f.m.quasi, c, f.distinct->records[f.distinct->first[j]]);

                        if (column->keys[level * column->value_count + values[j]] == key) {
                            lo = code < lo ? code : lo;
                            hi = code > hi ? code : hi;
                        }
                    }
                    double penalty = shoal_i_quasi_loss(&f.m.quasi->columns[c], lo, hi) *
                                     f.m.quasi->columns[c].weight / f.m.quasi->weight_sum;
                    double loss = column->losses[level * column->value_count + values[i]] /
                                  (double)SHOAL_I_PENALTY_ONE;

                    /* A part of a level may be wider than its values: never narrower. */
                    assert_true(loss >= penalty - 1e-6);
                    assert_true(level > 0 || loss == 0);
                }
            }
        }
        tear_down_prices(&f);
    }
    shoal_i_ctx_clear(&ctx);
}

/* --- What prices prove. ------------------------------------------------------------------- */

static void test_prices_prove_a_bound(void **state)
{
    shoal_ctx ctx;
    int proved = 0;
    int close = 0;
    uint64_t cases = rounds(64, 160);

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < cases; seed++) {
        price_case f = {0};
        shoal_i_release *best = NULL;
        shoal_i_prices *prices = NULL;

        set_up_prices(&ctx, &f, seed, 6 + seed % 5, &shoal_i_k_anonymity, true);
        for (size_t c = 0; c < f.m.quasi->count; c++) {
            assert_true(f.lattice->scales->columns[c].is_complete);
        }
        if (method_case_run(&ctx, &best, &f.m, "exact") == SHOAL_OK &&
            slow_release_ncp(best) > 0) {
            double optimum = slow_release_ncp(best) / f.m.quasi->weight_sum;
            int64_t target = (int64_t)(optimum * 1.1 * SHOAL_I_PENALTY_ONE) + 1;

            shoal_i_price_source source = shoal_i_price_source_of(f.cell_worth);

            assert_int_equal(shoal_i_prices_find(&ctx, &prices, &source, f.prices, target,
                                                 (shoal_i_prices_limit){.rounds = 20}),
                             SHOAL_OK);
            double bound = (double)prices->bound / SHOAL_I_PENALTY_ONE;

            assert_true(bound <= optimum + 1e-6);
            proved++;
            close += bound > 0.9 * optimum;
            for (size_t i = 0; i < f.points->count; i++) {
                assert_in_range(prices->prices[i], 0, SHOAL_I_PRICE_MOST);
            }
        }
        shoal_i_prices_free(prices);
        shoal_i_release_free(best);
        tear_down_prices(&f);
    }
    assert_true((uint64_t)proved >= cases / 2);
    assert_true(close * 2 > proved); /* not far below everywhere */
    shoal_i_ctx_clear(&ctx);
}

/* --- Auctions. ---------------------------------------------------------------------------- */

/* Every group of an price_start meets the requirement, every point is in one at most. */
static void test_auctions_open_groups_that_hold(void **state)
{
    shoal_ctx ctx;
    size_t placed = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 3 * CASE_KINDS; seed++) {
        price_case f = {0};
        shoal_i_prices *prices = NULL;
        shoal_i_solution *solution = NULL;
        uint32_t records[CASE_ROWS_MAX];

        set_up_prices(&ctx, &f, seed, 90, case_kinds[seed % CASE_KINDS], seed % 2);
        shoal_i_price_source source = shoal_i_price_source_of(f.cell_worth);

        assert_int_equal(shoal_i_prices_find(&ctx, &prices, &source, f.prices,
                                             20 * (int64_t)SHOAL_I_PENALTY_ONE,
                                             (shoal_i_prices_limit){.rounds = 4}),
                         SHOAL_OK);
        assert_int_equal(shoal_i_solution_new(&ctx, &solution, f.points), SHOAL_OK);
        assert_int_equal(
            shoal_i_solution_start_by_prices(&ctx, solution, f.cell_worth, prices, 0.85),
            SHOAL_OK);
        for (uint32_t g = 0; g < solution->group_most; g++) {
            size_t count = 0;

            for (uint32_t i = solution->groups[g].head; i != SHOAL_I_NO_POINT;
                 i = solution->next[i]) {
                assert_int_equal(solution->group_of[i], g);
                for (uint32_t j = f.distinct->first[i]; j < f.distinct->first[i + 1]; j++) {
                    records[count++] = f.distinct->records[j];
                }
                placed++;
            }
            assert_true(count == 0 || slow_holds(&ctx, &f.m, records, count));
        }
        shoal_i_solution_free(solution);
        shoal_i_prices_free(prices);
        tear_down_prices(&f);
    }
    assert_true(placed > 0);
    shoal_i_ctx_clear(&ctx);
}

/* --- Without memory. ---------------------------------------------------------------------- */

static shoal_status find_and_open(shoal_ctx *ctx, void *payload)
{
    shoal_status st = SHOAL_OK;
    price_case *f = payload;
    shoal_i_prices *prices = NULL;
    shoal_i_solution *solution = NULL;
    shoal_i_cell_index cell_index = {0};
    shoal_i_cell_greedy greedy = {0};

    shoal_i_price_source source = shoal_i_price_source_of(f->cell_worth);

    SHOAL_TRY(shoal_i_prices_find(ctx, &prices, &source, f->prices,
                                  5 * (int64_t)SHOAL_I_PENALTY_ONE,
                                  (shoal_i_prices_limit){.rounds = 2}));
    SHOAL_TRY(shoal_i_solution_new(ctx, &solution, f->points));
    SHOAL_TRY(shoal_i_solution_start_by_prices(ctx, solution, f->cell_worth, prices, 0.85));
    SHOAL_TRY(shoal_i_cell_index_build(ctx, &cell_index, f->points, prices));
    SHOAL_TRY(shoal_i_cell_greedy_init(ctx, &greedy, &cell_index));
done:
    shoal_i_cell_greedy_clear(&greedy);
    shoal_i_cell_index_clear(&cell_index);
    shoal_i_solution_free(solution);
    shoal_i_prices_free(prices);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_ctx ctx;
    price_case f = {0};

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    set_up_prices(&ctx, &f, 7, 24, &shoal_i_k_anonymity, false);
    assert_survives_failing_allocations(&ctx, find_and_open, &f);
    tear_down_prices(&f);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worth_of_cells),
        cmocka_unit_test(test_losses),
        cmocka_unit_test(test_prices_prove_a_bound),
        cmocka_unit_test(test_auctions_open_groups_that_hold),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
