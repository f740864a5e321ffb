#include "context.h"
#include "method_case.h"

#include "box/points.h"
#include "method/cluster/centres.h"
#include "method/grouping/share_groups.h"

#include <string.h>

/* --- Centres. ----------------------------------------------------------------------------- */

/* The sum of what a value, given by its code, costs together with each record of a side. */
static double slow_value_cost(const shoal_i_quasi_column *column, const shoal_i_quasi *quasi,
                              size_t c, uint32_t code, const uint8_t *sides, uint8_t side,
                              size_t rows)
{
    double sum = 0;

    for (size_t row = 0; row < rows; row++) {
        uint32_t other = shoal_i_quasi_code(quasi, c, row);

        if (sides[row] == side) {
            sum += shoal_i_quasi_loss(column, code < other ? code : other,
                                      code < other ? other : code);
        }
    }
    return sum;
}

/* The code that the lanes of a tree column in a centre stand for: that of a record that has
 * them. */
static uint32_t code_of_centre(const shoal_i_lanes *lanes, const int32_t *rows, size_t c,
                               const int32_t *centre, size_t row_count)
{
    for (size_t row = 0; row < row_count; row++) {
        if (memcmp(rows + row * lanes->count + lanes->first[c], centre + lanes->first[c],
                   (lanes->first[c + 1] - lanes->first[c]) * sizeof *centre) == 0) {
            return shoal_i_quasi_code(lanes->quasi, c, row);
        }
    }
    fail_msg("a centre has a value that no record has");
    return 0;
}

static void check_centre(const shoal_i_lanes *lanes, const int32_t *rows, const int32_t *centre,
                         const uint8_t *sides, uint8_t side, size_t row_count)
{
    const shoal_i_quasi *quasi = lanes->quasi;

    for (size_t c = 0; c < quasi->count; c++) {
        const shoal_i_quasi_column *column = &quasi->columns[c];

        if (column->hierarchy && lanes->first[c] < lanes->first[c + 1]) {
            uint32_t code = code_of_centre(lanes, rows, c, centre, row_count);
            double found = slow_value_cost(column, quasi, c, code, sides, side, row_count);

            for (uint32_t other = 0; other < column->value_count; other++) {
                assert_true(found <=
                            slow_value_cost(column, quasi, c, other, sides, side, row_count) +
                                1e-6);
            }
        } else if (!column->hierarchy) {
            double sum = 0;
            double size = 0;

            for (size_t row = 0; row < row_count; row++) {
                if (sides[row] == side) {
                    sum += rows[row * lanes->count + lanes->first[c]];
                    size++;
                }
            }
            assert_true(fabs(centre[lanes->first[c]] - sum / size) <= 1);
        }
    }
}

/* Means, and values than which no other costs less; the scratch is clean for the next call. */
static void test_centres(void **state)
{
    enum { ROWS = 60 };
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < 20; seed++) {
        random_table t =
            random_table_make(ctx, seed, ROWS, 1 + seed % RANDOM_COLUMNS_MAX, 9, seed % 2);
        shoal_i_random random = shoal_i_random_start(seed);
        shoal_i_lanes *lanes = NULL;
        shoal_i_centres scratch = {0};
        int32_t *rows = NULL;

        assert_int_equal(shoal_i_lanes_build(ctx, &lanes, t.quasi), SHOAL_OK);
        assert_int_equal(shoal_i_lanes_rows(ctx, &rows, lanes), SHOAL_OK);
        assert_int_equal(shoal_i_centres_init(ctx, &scratch, lanes, ROWS, 0), SHOAL_OK);
        int32_t *centres[2] = {calloc(lanes->count, sizeof(int32_t)),
                               calloc(lanes->count, sizeof(int32_t))};

        for (size_t round = 0; round < 3; round++) {
            uint8_t sides[ROWS];

            for (size_t i = 0; i < ROWS; i++) {
                sides[i] = (uint8_t)shoal_i_random_below(&random, 2);
            }
            sides[0] = 0;
            sides[1] = 1;
            shoal_i_centres_find(&scratch, centres, sides, rows, ROWS);
            check_centre(lanes, rows, centres[0], sides, 0, ROWS);
            check_centre(lanes, rows, centres[1], sides, 1, ROWS);
        }
        free(centres[0]);
        free(centres[1]);
        shoal_i_centres_clear(&scratch);
        free(rows);
        shoal_i_lanes_free(lanes);
        random_table_free(&t);
    }
}

/* Categories of every third row alone decide; numbers of all rows do. */
static void test_centres_of_a_sample(void **state)
{
    enum { ROWS = 60, COUNTED = 20 };
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < 20; seed++) {
        random_table t =
            random_table_make(ctx, seed, ROWS, 1 + seed % RANDOM_COLUMNS_MAX, 9, seed % 2);
        shoal_i_lanes *lanes = NULL;
        shoal_i_centres all = {0};
        shoal_i_centres some = {0};
        int32_t *rows = NULL;
        int32_t *third = NULL;
        uint8_t sides[ROWS];

        assert_int_equal(shoal_i_lanes_build(ctx, &lanes, t.quasi), SHOAL_OK);
        assert_int_equal(shoal_i_lanes_rows(ctx, &rows, lanes), SHOAL_OK);
        assert_int_equal(shoal_i_centres_init(ctx, &all, lanes, ROWS, 0), SHOAL_OK);
        assert_int_equal(shoal_i_centres_init(ctx, &some, lanes, ROWS, COUNTED), SHOAL_OK);
        size_t width = lanes->count;
        int32_t *centres[6];

        third = calloc(COUNTED * width, sizeof *third);
        for (size_t i = 0; i < 6; i++) {
            centres[i] = calloc(width, sizeof *centres[i]);
        }
        for (size_t i = 0; i < ROWS; i++) {
            sides[i] = i % 7 < 3;
        }
        shoal_i_centres_find(&all, centres, sides, rows, ROWS);
        shoal_i_centres_find(&some, centres + 2, sides, rows, ROWS);
        for (size_t i = 0; i < COUNTED; i++) {
            memcpy(third + i * width, rows + 3 * i * width, width * sizeof *third);
            sides[i] = sides[3 * i];
        }
        shoal_i_centres_find(&all, centres + 4, sides, third, COUNTED);
        for (size_t side = 0; side < 2; side++) {
            for (size_t c = 0; c < t.quasi->count; c++) {
                size_t source = t.quasi->columns[c].hierarchy ? 4 : 0;

                for (size_t lane = lanes->first[c]; lane < lanes->first[c + 1]; lane++) {
                    assert_int_equal(centres[2 + side][lane], centres[source + side][lane]);
                }
            }
        }
        for (size_t i = 0; i < 6; i++) {
            free(centres[i]);
        }
        free(third);
        free(rows);
        shoal_i_centres_clear(&all);
        shoal_i_centres_clear(&some);
        shoal_i_lanes_free(lanes);
        random_table_free(&t);
    }
}

/* --- Dealing. ----------------------------------------------------------------------------- */

/* Whether sharing out sorted values round-robin to g groups leaves each value a share of at
 * most 1/l in each hand, and each hand at least k records; told again from the definition. */
static bool slow_shares_hold(const int *sorted, int count, int g, double l, int k)
{
    for (int hand = 0; hand < g; hand++) {
        int counts[16] = {0};
        int size = 0;

        for (int i = hand; i < count; i += g) {
            counts[sorted[i]]++;
            size++;
        }
        for (int value = 0; value < 16; value++) {
            if (counts[value] * l > size + 1e-9) {
                return false;
            }
        }
        if (size < k) {
            return false;
        }
    }
    return true;
}

/* Call check for all ways to give `count` records sorted values below 4. */
static void for_all_sorted(int *values, int at, int count, int least,
                           void (*check)(const int *values, int count))
{
    if (at == count) {
        check(values, count);
        return;
    }
    for (int value = least; value < 4; value++) {
        values[at] = value;
        for_all_sorted(values, at + 1, count, value, check);
    }
}

/* Theorem 3 for whole l: if the group holds, floor(|G| / l) hands do. */
static void check_theorem(const int *values, int count)
{
    for (int l = 1; l <= 4 && l <= count; l++) {
        if (slow_shares_hold(values, count, 1, l, 1)) {
            assert_true(slow_shares_hold(values, count, count / l, l, 1));
        }
    }
}

static void test_theorem_3_for_whole_l(void **state)
{
    int values[16];

    (void)state;
    for (int count = 1; count <= 14; count++) {
        for_all_sorted(values, 0, count, 0, check_theorem);
    }
}

/* Where it fails: an l that is not whole, and a k above l. */
static void test_theorem_3_fails(void **state)
{
    const int fractional[] = {0, 0, 1, 1, 2};
    const int with_k[] = {0, 1, 1, 1, 1, 1, 2, 2, 3, 3, 3};

    (void)state;
    assert_true(slow_shares_hold(fractional, 5, 1, 2.5, 1));
    assert_false(slow_shares_hold(fractional, 5, 2, 2.5, 1)); /* floor(5 / 2.5) = 2 */
    assert_true(slow_shares_hold(with_k, 11, 1, 2, 5));
    assert_false(slow_shares_hold(with_k, 11, 2, 2, 5)); /* floor(11 / 5) = 2 */
}

static shoal_i_grouping *one_group(shoal_ctx *ctx, const method_case *m)
{
    shoal_i_grouping *grouping = NULL;

    assert_int_equal(shoal_i_grouping_new(ctx, &grouping, &m->problem), SHOAL_OK);
    return grouping;
}

static int compare_codes(const void *a, const void *b)
{
    const uint64_t *x = a;
    const uint64_t *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* The largest number of hands that hold, each tried. */
static size_t slow_hands(shoal_ctx *ctx, const method_case *m)
{
    size_t rows = m->problem.row_count;
    uint64_t keys[CASE_ROWS_MAX];
    uint32_t hand_rows[CASE_ROWS_MAX];

    for (size_t i = 0; i < rows; i++) {
        keys[i] = (uint64_t)m->source.active[0].codes[i] << 32 | i;
    }
    qsort(keys, rows, sizeof *keys, compare_codes);
    for (size_t g = rows; g > 1; g--) {
        bool holds = true;

        for (size_t hand = 0; hand < g && holds; hand++) {
            size_t size = 0;

            for (size_t i = hand; i < rows; i += g) {
                hand_rows[size++] = (uint32_t)keys[i];
            }
            holds = slow_holds(ctx, m, hand_rows, size);
        }
        if (holds) {
            return g;
        }
    }
    return 1;
}

static void test_sharing_out_finds_the_most_groups(void **state)
{
    shoal_ctx *ctx = *state;
    size_t shared = 0;

    for (uint64_t seed = 0; seed < 10 * CASE_KINDS; seed++) {
        const shoal_i_requirement_kind *kind = case_kinds[seed % CASE_KINDS];
        method_case m;
        shoal_i_meter meter = {.stage = "anonymize", .total = 1000};
        uint32_t all[CASE_ROWS_MAX];

        method_case_make(ctx, &m, seed, 4 + seed % 30, 2, 4, kind);
        for (uint32_t i = 0; i < m.problem.row_count; i++) {
            all[i] = i;
        }
        if (kind->needs_sensitive && slow_holds(ctx, &m, all, m.problem.row_count)) {
            shoal_i_grouping *grouping = one_group(ctx, &m);
            size_t groups = 0;

            assert_int_equal(shoal_i_share_groups(ctx, grouping, &m.problem, &meter), SHOAL_OK);
            for (size_t i = 0; i < grouping->count; i++) {
                groups += grouping->is_start[i];
            }
            assert_int_equal(groups, slow_hands(ctx, &m));
            shared += groups > 1;
            shoal_i_grouping_free(grouping);
        }
        method_case_free(&m);
    }
    assert_true(shared > 10);
}

/* --- The method. -------------------------------------------------------------------------- */

static void test_every_kind_of_requirement(void **state)
{
    shoal_ctx *ctx = *state;
    const char *const variants[] = {"cluster", "cluster:tries=2,adjust=split"};
    size_t served = 0;

    for (uint64_t seed = 0; seed < 6 * CASE_KINDS; seed++) {
        method_case m;

        method_case_make(ctx, &m, seed, 30 + seed % 90, 1 + seed % 6, 3 + seed % 12,
                         case_kinds[seed % CASE_KINDS]);
        for (size_t i = 0; i < 2; i++) {
            shoal_i_release *release = NULL;
            shoal_status st = method_case_run(ctx, &release, &m, variants[i]);

            assert_true(st == SHOAL_OK || st == SHOAL_EUNSATISFIABLE);
            if (st == SHOAL_OK) {
                check_case_release(ctx, &m, release);
                served++;
            }
            shoal_i_release_free(release);
        }
        method_case_free(&m);
    }
    assert_true(served > 6 * CASE_KINDS);
}

/* Two clouds far apart: no class reaches over the gap. */
static void test_clouds_are_kept_apart(void **state)
{
    enum { ROWS = 200 };
    shoal_ctx *ctx = *state;
    int64_t x[ROWS];
    int64_t y[ROWS];
    const shoal_array arrays[] = {
        {.name = "x", .kind = SHOAL_ARRAY_INT64, .length = ROWS, .data = x},
        {.name = "y", .kind = SHOAL_ARRAY_INT64, .length = ROWS, .data = y},
    };
    shoal_i_quasi_request requests[] = {{.column = 0, .weight = 1}, {.column = 1, .weight = 1}};
    shoal_i_random random = shoal_i_random_start(2);
    method_case m = {0};
    shoal_i_release *release = NULL;

    for (size_t i = 0; i < ROWS; i++) {
        int64_t base = i % 2 ? 1000 : 0;

        x[i] = base + (int64_t)shoal_i_random_below(&random, 50);
        y[i] = base + (int64_t)shoal_i_random_below(&random, 50);
    }
    assert_int_equal(shoal_table_from_arrays(ctx, &m.table.table, arrays, 2), SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(ctx, &m.quasi, m.table.table, requests, 2), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(ctx, &m.set, &shoal_i_k_anonymity, 5), SHOAL_OK);
    assert_int_equal(shoal_i_tally_source_init(ctx, &m.source, &m.set, NULL, 0, NULL, ROWS),
                     SHOAL_OK);
    m.problem = (shoal_i_problem){
        .quasi = m.quasi, .row_count = ROWS, .requirements = &m.set, .source = &m.source};
    assert_int_equal(method_case_run(ctx, &release, &m, "cluster"), SHOAL_OK);
    for (size_t b = 0; b < release->box_count; b++) {
        shoal_i_interval part = release->boxes[2 * b];
        const double *values = m.quasi->columns[0].values;

        assert_true(values[part.hi] - values[part.lo] < 50);
        assert_true(release->box_sizes[b] < 10);
    }
    shoal_i_release_free(release);
    shoal_i_tally_source_clear(&m.source);
    shoal_i_requirement_set_clear(&m.set);
    shoal_i_quasi_free(m.quasi);
    shoal_table_free(m.table.table);
}

static void test_sharing_out_survives_failing_allocations(void **state)
{
    shoal_ctx *ctx = *state;
    method_case m;

    method_case_make(ctx, &m, 2, 60, 3, 5, &shoal_i_l_distinct);
    assert_case_survives_failing_allocations(ctx, &m, "cluster:tries=3");
    method_case_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_centres),
        cmocka_unit_test(test_centres_of_a_sample),
        cmocka_unit_test(test_theorem_3_for_whole_l),
        cmocka_unit_test(test_theorem_3_fails),
        cmocka_unit_test(test_sharing_out_finds_the_most_groups),
        cmocka_unit_test(test_every_kind_of_requirement),
        cmocka_unit_test(test_clouds_are_kept_apart),
        cmocka_unit_test(test_sharing_out_survives_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
