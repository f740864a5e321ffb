#include "context.h"
#include "method_case.h"

#include "method/hilbert/hilbert_order.h"

#include <string.h>

/* --- The curve. --------------------------------------------------------------------------- */

/* The index of one point as a number; it has at most 64 bits here. */
static uint64_t index_of(const uint32_t *point, size_t dimensions, unsigned bits)
{
    uint32_t axes[64];
    uint64_t index = 0;

    memcpy(axes, point, dimensions * sizeof *axes);
    shoal_i_hilbert_transpose(axes, 1, dimensions, bits);
    assert_int_equal(shoal_i_hilbert_word_count(dimensions, bits), 1);
    shoal_i_hilbert_word(&index, axes, 1, dimensions, bits, 0);
    return index;
}

/* Every point of the grid has an index of its own, all indices occur, and the points of two
 * consecutive ones differ by one step in one dimension. */
static void check_grid(size_t dimensions, unsigned bits)
{
    size_t points = (size_t)1 << (dimensions * bits);
    uint32_t side_mask = (1u << bits) - 1;
    uint32_t *at = calloc(points * dimensions, sizeof *at);
    uint8_t *seen = calloc(points, 1);

    for (size_t number = 0; number < points; number++) {
        uint32_t point[8];

        for (size_t d = 0; d < dimensions; d++) {
            point[d] = (uint32_t)(number >> (d * bits)) & side_mask;
        }
        uint64_t index = index_of(point, dimensions, bits);

        assert_true(index < points);
        assert_false(seen[index]);
        seen[index] = 1;
        memcpy(at + index * dimensions, point, dimensions * sizeof *point);
    }
    for (size_t index = 1; index < points; index++) {
        uint64_t steps = 0;

        for (size_t d = 0; d < dimensions; d++) {
            int64_t from = at[(index - 1) * dimensions + d];
            int64_t to = at[index * dimensions + d];

            steps += (uint64_t)(from < to ? to - from : from - to);
        }
        assert_int_equal(steps, 1);
    }
    free(at);
    free(seen);
}

static void test_curve_visits_every_point_in_unit_steps(void **state)
{
    (void)state;
    for (unsigned bits = 1; bits <= 6; bits++) {
        check_grid(1, bits);
        check_grid(2, bits);
    }
    for (unsigned bits = 1; bits <= 4; bits++) {
        check_grid(3, bits);
        check_grid(4, bits < 4 ? bits : 3);
    }
    check_grid(5, 2);
    check_grid(8, 1);
}

/* The drawing of the header. */
static void test_curve_in_two_dimensions(void **state)
{
    const uint64_t rows_from_above[4][4] = {
        {5, 6, 9, 10}, {4, 7, 8, 11}, {3, 2, 13, 12}, {0, 1, 14, 15}};

    (void)state;
    for (uint32_t y = 0; y < 4; y++) {
        for (uint32_t x = 0; x < 4; x++) {
            assert_int_equal(index_of((uint32_t[]){x, y}, 2, 2), rows_from_above[3 - y][x]);
        }
    }
}

/* Indices far wider than a word: points computed together and alone agree, and the words hold
 * the bits in their order. */
static void test_indices_of_many_words(void **state)
{
    shoal_i_random random = shoal_i_random_start(3);
    enum { DIMENSIONS = 40, BITS = 32, POINTS = 50 };
    uint32_t axes[DIMENSIONS * POINTS];
    uint32_t alone[DIMENSIONS];
    uint64_t words[POINTS];

    (void)state;
    assert_int_equal(shoal_i_hilbert_word_count(DIMENSIONS, BITS), 20);
    for (size_t i = 0; i < DIMENSIONS * POINTS; i++) {
        axes[i] = shoal_i_random_u32(&random);
    }
    uint32_t before[DIMENSIONS * POINTS];

    memcpy(before, axes, sizeof axes);
    shoal_i_hilbert_transpose(axes, POINTS, DIMENSIONS, BITS);
    for (size_t word = 0; word < 20; word++) {
        shoal_i_hilbert_word(words, axes, POINTS, DIMENSIONS, BITS, word);
        for (size_t i = 0; i < POINTS; i++) {
            uint64_t slow = 0;

            for (size_t d = 0; d < DIMENSIONS; d++) {
                alone[d] = before[d * POINTS + i];
            }
            shoal_i_hilbert_transpose(alone, 1, DIMENSIONS, BITS);
            for (size_t bit = word * 64; bit < (word + 1) * 64; bit++) {
                slow = slow << 1 | (alone[bit % DIMENSIONS] >> (31 - bit / DIMENSIONS) & 1);
            }
            assert_true(words[i] == slow);
        }
    }
}

/* --- The order. --------------------------------------------------------------------------- */

static bool same_codes(const shoal_i_quasi *quasi, uint32_t a, uint32_t b)
{
    for (size_t c = 0; c < quasi->count; c++) {
        if (quasi->columns[c].weight > 0 &&
            shoal_i_quasi_code(quasi, c, a) != shoal_i_quasi_code(quasi, c, b)) {
            return false;
        }
    }
    return true;
}

/* A permutation in which equal records stand together, in the order of the table. */
static void check_order(const shoal_i_quasi *quasi, const uint32_t *order, size_t rows)
{
    uint8_t *seen = calloc(rows, 1);

    for (size_t i = 0; i < rows; i++) {
        assert_true(order[i] < rows && !seen[order[i]]);
        seen[order[i]] = 1;
        if (i > 0 && same_codes(quasi, order[i - 1], order[i])) {
            assert_true(order[i - 1] < order[i]);
            continue;
        }
        for (size_t j = 0; j < i; j++) {
            assert_false(same_codes(quasi, order[j], order[i]));
        }
    }
    free(seen);
}

static void test_order_keeps_equal_records_together(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < 24; seed++) {
        size_t rows = 1 + seed * 13;
        random_table t = random_table_make(ctx, seed, rows, 1 + seed % RANDOM_COLUMNS_MAX,
                                           1 + seed / 2, seed % 3 == 0);
        uint32_t *order = calloc(rows, sizeof *order);
        uint32_t *again = calloc(rows, sizeof *again);

        assert_int_equal(shoal_i_hilbert_order(ctx, order, t.quasi), SHOAL_OK);
        check_order(t.quasi, order, rows);
        ctx->threads = 3;
        assert_int_equal(shoal_i_hilbert_order(ctx, again, t.quasi), SHOAL_OK);
        shoal_i_ctx_clear(ctx);
        ctx->threads = 1;
        assert_memory_equal(order, again, rows * sizeof *order);
        free(order);
        free(again);
        random_table_free(&t);
    }
}

/* One numeric column: the curve is the line. */
static void test_order_of_one_column_is_ascending(void **state)
{
    shoal_ctx *ctx = *state;
    random_table t = random_table_make(ctx, 5, 300, 1, 90, false);
    uint32_t order[300];

    assert_int_equal(shoal_i_hilbert_order(ctx, order, t.quasi), SHOAL_OK);
    for (size_t i = 1; i < 300; i++) {
        assert_true(shoal_i_quasi_code(t.quasi, 0, order[i - 1]) <=
                    shoal_i_quasi_code(t.quasi, 0, order[i]));
    }
    random_table_free(&t);
}

static shoal_status order_once(shoal_ctx *ctx, void *payload)
{
    const random_table *t = payload;
    uint32_t order[80];

    return shoal_i_hilbert_order(ctx, order, t->quasi);
}

static void test_order_survives_failing_allocations(void **state)
{
    shoal_ctx *ctx = *state;
    random_table t = random_table_make(ctx, 9, 80, 5, 12, true);

    assert_survives_failing_allocations(ctx, order_once, &t);
    random_table_free(&t);
}

/* --- The runs. ---------------------------------------------------------------------------- */

#define ORDER_MAX 60

/* Cost of the cheapest partition of the places from `start` on into runs that hold, of any
 * length; infinite when there is none. Every partition is looked at through its first run. */
static double slow_best(shoal_ctx *ctx, const method_case *m, const uint32_t *order,
                        double *known, size_t start)
{
    size_t rows = m->problem.row_count;

    if (start == rows) {
        return 0;
    }
    if (!isnan(known[start])) {
        return known[start];
    }
    double best = INFINITY;

    for (size_t length = 1; start + length <= rows; length++) {
        if (slow_holds(ctx, m, order + start, length)) {
            double rest = slow_best(ctx, m, order, known, start + length);
            double cost = (double)length * slow_ncp(m->quasi, order + start, length) + rest;

            best = cost < best ? cost : best;
        }
    }
    return known[start] = best;
}

static double find_slow_best(shoal_ctx *ctx, const method_case *m, const uint32_t *order)
{
    double known[ORDER_MAX];

    for (size_t i = 0; i < ORDER_MAX; i++) {
        known[i] = NAN;
    }
    return slow_best(ctx, m, order, known, 0);
}

/* What the plain greedy costs: end a run as soon as it holds, join the rest backwards. */
static double find_slow_greedy(shoal_ctx *ctx, const method_case *m, const uint32_t *order)
{
    size_t rows = m->problem.row_count;
    size_t starts[ORDER_MAX + 1] = {0};
    size_t runs = 0;
    double cost = 0;

    for (size_t end = 1; end <= rows; end++) {
        if (slow_holds(ctx, m, order + starts[runs], end - starts[runs])) {
            starts[++runs] = end;
        }
    }
    while (starts[runs] < rows &&
           !slow_holds(ctx, m, order + starts[runs], rows - starts[runs])) {
        runs--;
    }
    runs += starts[runs] < rows;
    starts[runs] = rows;
    for (size_t r = 0; r < runs; r++) {
        size_t length = starts[r + 1] - starts[r];

        cost += (double)length * slow_ncp(m->quasi, order + starts[r], length);
    }
    return cost;
}

/* The best of all partitions into runs where sizes are enough; elsewhere between that and the
 * greedy one. */
static void test_runs_are_the_best(void **state)
{
    shoal_ctx *ctx = *state;
    size_t improved = 0;

    for (uint64_t seed = 0; seed < 20 * CASE_KINDS; seed++) {
        size_t rows = 5 + seed * 7 % 40;
        bool is_size_alone = seed % CASE_KINDS == 0;
        uint32_t order[ORDER_MAX];
        method_case m;
        shoal_i_release *release = NULL;

        method_case_make(ctx, &m, seed, rows, 1 + seed % 5, 3 + seed % 17,
                         case_kinds[seed % CASE_KINDS]);
        shoal_status st = method_case_run_as_given(ctx, &release, &m, "hilbert");

        assert_true(st == SHOAL_OK || st == SHOAL_EUNSATISFIABLE);
        if (st == SHOAL_OK) {
            double slack = 1e-6 * (double)rows * m.quasi->weight_sum;

            assert_int_equal(shoal_i_hilbert_order(ctx, order, m.quasi), SHOAL_OK);
            double least = find_slow_best(ctx, &m, order);
            double most = is_size_alone ? least : find_slow_greedy(ctx, &m, order);
            double found = slow_release_ncp(release);

            check_case_release(ctx, &m, release);
            assert_true(found >= least - slack);
            assert_true(found <= most + slack);
            improved += found < most - slack;
        }
        shoal_i_release_free(release);
        method_case_free(&m);
    }
    assert_true(improved > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curve_visits_every_point_in_unit_steps),
        cmocka_unit_test(test_curve_in_two_dimensions),
        cmocka_unit_test(test_indices_of_many_words),
        cmocka_unit_test(test_order_keeps_equal_records_together),
        cmocka_unit_test(test_order_of_one_column_is_ascending),
        cmocka_unit_test(test_runs_are_the_best),
        cmocka_unit_test(test_order_survives_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
