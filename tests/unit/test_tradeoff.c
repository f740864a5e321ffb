/* Privacy loss and utility loss against slow and obvious computations, in all three shapes. */
#include "failing.h"
#include "measure/divergence.h"
#include "measure/query/predicates.h"
#include "measure/tradeoff.h"
#include "published_case.h"

#include <string.h>

#define ROWS_MAX 60
#define RUNS_MAX 256

/* --- Populations, by enumeration of all conjunctions. ----------------------------------- */

/* The runs of codes that are predicates of a column. */
typedef struct slow_runs {
    size_t count;
    shoal_i_interval runs[RUNS_MAX];
} slow_runs;

static size_t count_rows(const shoal_i_quasi *quasi, size_t c, shoal_i_interval run)
{
    size_t count = 0;

    for (size_t row = 0; row < shoal_table_row_count(quasi->table); row++) {
        uint32_t code = shoal_i_quasi_code(quasi, c, row);

        count += code >= run.lo && code <= run.hi;
    }
    return count;
}

static void add_run(slow_runs *runs, shoal_i_interval run, uint32_t value_count)
{
    if (run.hi - run.lo + 1 == value_count) {
        return;
    }
    for (size_t i = 0; i < runs->count; i++) {
        if (runs->runs[i].lo == run.lo && runs->runs[i].hi == run.hi) {
            return;
        }
    }
    assert_true(runs->count < RUNS_MAX);
    runs->runs[runs->count++] = run;
}

/* Halves: the cut that makes both sides most equal, the first of such cuts. */
static void add_halves(slow_runs *runs, const shoal_i_quasi *quasi, size_t c,
                       shoal_i_interval run)
{
    size_t best = SIZE_MAX;
    uint32_t cut = run.lo;

    add_run(runs, run, quasi->columns[c].value_count);
    if (run.lo == run.hi) {
        return;
    }
    for (uint32_t at = run.lo; at < run.hi; at++) {
        size_t left = count_rows(quasi, c, (shoal_i_interval){run.lo, at});
        size_t right = count_rows(quasi, c, (shoal_i_interval){at + 1, run.hi});
        size_t difference = left > right ? left - right : right - left;

        if (difference < best) {
            best = difference;
            cut = at;
        }
    }
    add_halves(runs, quasi, c, (shoal_i_interval){run.lo, cut});
    add_halves(runs, quasi, c, (shoal_i_interval){cut + 1, run.hi});
}

static void find_runs(slow_runs *runs, const shoal_i_quasi *quasi, size_t c)
{
    const shoal_i_quasi_column *column = &quasi->columns[c];

    runs->count = 0;
    if (!column->hierarchy) {
        add_halves(runs, quasi, c, (shoal_i_interval){0, column->value_count - 1});
        return;
    }
    for (uint32_t node = 0; node < shoal_hierarchy_node_count(column->hierarchy); node++) {
        add_run(runs,
                (shoal_i_interval){shoal_hierarchy_first(column->hierarchy, node),
                                   shoal_hierarchy_last(column->hierarchy, node)},
                column->value_count);
    }
}

typedef struct slow_utility {
    uint64_t count;
    double sum;
    double highest;
} slow_utility;

static void measure_slowly(slow_utility *out, const published_case *p,
                           const slow_ranges *ranges, size_t support)
{
    double actual[CASE_VALUES] = {0};
    double expected[CASE_VALUES] = {0};
    double total = 0;
    size_t matching = 0;

    for (size_t row = 0; row < p->truth.row_count; row++) {
        if (slow_matches(p->t.quasi, row, ranges)) {
            matching++;
            actual[p->truth.codes[row]]++;
        }
    }
    if (matching < support) {
        return;
    }
    slow_estimate(p, ranges, expected);
    for (size_t i = 0; i < CASE_VALUES; i++) {
        total += expected[i];
    }
    double loss = total > 0 ? slow_js(actual, expected) : log(2);

    out->count++;
    out->sum += loss;
    out->highest = fmax(out->highest, loss);
}

/* All conjunctions of at most one run per column but the empty one: choice 0 of a column is
 * none. */
static slow_utility enumerate(const published_case *p, size_t support)
{
    static slow_runs runs[RANDOM_COLUMNS_MAX];
    const shoal_i_quasi *quasi = p->t.quasi;
    size_t choice[RANDOM_COLUMNS_MAX] = {0};
    slow_utility out = {0};

    for (size_t c = 0; c < quasi->count; c++) {
        find_runs(&runs[c], quasi, c);
    }
    for (;;) {
        slow_ranges ranges;
        size_t c = 0;

        while (c < quasi->count && choice[c] == runs[c].count) {
            choice[c++] = 0;
        }
        if (c == quasi->count) {
            return out;
        }
        choice[c]++;
        for (c = 0; c < quasi->count; c++) {
            const shoal_i_quasi_column *column = &quasi->columns[c];

            ranges.from[c] = INT64_MIN;
            ranges.to[c] = INT64_MAX;
            if (choice[c] > 0) {
                shoal_i_interval run = runs[c].runs[choice[c] - 1];

                ranges.from[c] = slow_number(column, run.lo);
                ranges.to[c] = run.hi + 1 < column->value_count
                                   ? slow_number(column, run.hi + 1) - 1
                                   : slow_number(column, run.hi);
            }
        }
        measure_slowly(&out, p, &ranges, support);
    }
}

static const double supports[] = {0.05, 0.1, 0.3, 0.01, 1};

static void test_utility_equals_enumeration(void **state)
{
    shoal_ctx ctx;
    uint64_t populations_seen = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 2;
    for (uint64_t seed = 1; seed <= 45; seed++) {
        size_t rows = 5 + (size_t)(seed * 11 % ROWS_MAX);
        published_case p = published_case_make(&ctx, seed, (shoal_i_shape)(seed % 3), rows,
                                               1 + (size_t)(seed % 3));
        double min_support = supports[seed % 5];
        size_t support = (size_t)floor(min_support * (double)rows);
        slow_utility slow = enumerate(&p, support > 0 ? support : 1);
        shoal_i_spread *spread = NULL;
        shoal_i_utility_loss loss;
        shoal_i_populations populations;

        assert_int_equal(shoal_i_spread_build(&ctx, &spread, published_case_view(&p)),
                         SHOAL_OK);
        assert_int_equal(shoal_i_utility_loss_measure(
                             &ctx, &loss, &populations, spread, &p.truth,
                             &(shoal_i_population_options){.min_support = min_support}),
                         SHOAL_OK);
        assert_int_equal(populations.count, slow.count);
        assert_near(loss.mean, slow.count > 0 ? slow.sum / (double)slow.count : 0);
        assert_near(loss.highest, slow.highest);
        populations_seen += slow.count;
        shoal_i_spread_free(spread);
        published_case_free(&p);
    }
    assert_true(populations_seen > 2000);
    shoal_i_ctx_clear(&ctx);
}

/* --- Privacy loss. ---------------------------------------------------------------------- */

static bool covers(const shoal_i_release *release, size_t row, size_t record)
{
    for (size_t c = 0; c < release->quasi->count; c++) {
        shoal_i_interval interval =
            release->boxes[release->box_of[row] * release->quasi->count + c];
        uint32_t code = shoal_i_quasi_code(release->quasi, c, record);

        if (code < interval.lo || code > interval.hi) {
            return false;
        }
    }
    return true;
}

/* Whether a row may be that of a record, for all an attacker knows. */
static bool may_be(const shoal_i_release *release, size_t row, size_t record)
{
    switch (release->shape) {
    case SHOAL_I_SHAPE_CLASSES:
        return release->box_of[row] == release->box_of[record];
    case SHOAL_I_SHAPE_RECORDS:
        return covers(release, row, record);
    default:
        return release->bucket_of[row] == release->bucket_of[record];
    }
}

static void test_privacy_equals_the_slow_one(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 2;
    for (uint64_t seed = 1; seed <= 45; seed++) {
        size_t rows = 1 + (size_t)(seed * 13 % ROWS_MAX);
        published_case p = published_case_make(&ctx, seed, (shoal_i_shape)(seed % 3), rows,
                                               1 + (size_t)(seed % 3));
        double all[CASE_VALUES] = {0};
        double highest = 0;
        double sum = 0;
        uint64_t bins[SHOAL_I_PRIVACY_BINS] = {0};
        shoal_i_spread *spread = NULL;
        shoal_i_privacy_loss loss;

        for (size_t row = 0; row < rows; row++) {
            all[p.shown.codes[row]]++;
        }
        for (size_t record = 0; record < rows; record++) {
            double own[CASE_VALUES] = {0};

            for (size_t row = 0; row < rows; row++) {
                own[p.shown.codes[row]] += may_be(p.release, row, record);
            }
            double js = fmin(slow_js(all, own), log(2));

            highest = fmax(highest, js);
            sum += js;
            bins[(size_t)(js / 0.05)]++;
        }
        assert_int_equal(shoal_i_spread_build(&ctx, &spread, published_case_view(&p)),
                         SHOAL_OK);
        assert_int_equal(shoal_i_privacy_loss_measure(&ctx, &loss, spread), SHOAL_OK);
        assert_near(loss.highest, highest);
        assert_near(loss.mean, sum / (double)rows);
        assert_int_equal(loss.records, rows);
        assert_memory_equal(loss.bins, bins, sizeof bins);
        shoal_i_spread_free(spread);
        published_case_free(&p);
    }
    shoal_i_ctx_clear(&ctx);
}

/* --- What is known beforehand. ---------------------------------------------------------- */

/* A release that shows nothing has no privacy loss; the original as its own release no utility
 * loss, and both exactly. */
static void test_extremes(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        published_case p = published_case_make(&ctx, seed, SHOAL_I_SHAPE_CLASSES, 50, 3);
        shoal_i_interval *boxes = case_boxes(&(shoal_i_random){0}, p.t.quasi, true);

        for (int trivial = 0; trivial < 2; trivial++) {
            shoal_i_spread *spread = NULL;
            shoal_i_privacy_loss privacy;
            shoal_i_utility_loss utility;
            shoal_i_populations populations;

            for (size_t i = 0; trivial && i < 50 * p.t.quasi->count; i++) {
                boxes[i] = shoal_i_quasi_all(&p.t.quasi->columns[i % p.t.quasi->count]);
            }
            shoal_i_release_free(p.release);
            assert_int_equal(shoal_i_release_from_boxes(&ctx, &p.release, p.t.quasi, boxes, 50),
                             SHOAL_OK);
            assert_int_equal(shoal_i_spread_build(&ctx, &spread, published_case_view(&p)),
                             SHOAL_OK);
            assert_int_equal(shoal_i_privacy_loss_measure(&ctx, &privacy, spread), SHOAL_OK);
            assert_int_equal(shoal_i_utility_loss_measure(
                                 &ctx, &utility, &populations, spread, &p.truth,
                                 &(shoal_i_population_options){.min_support = 0.05}),
                             SHOAL_OK);
            assert_true(populations.count > 0);
            assert_true(trivial ? privacy.highest == 0 : privacy.highest > 0.1);
            assert_true(trivial ? utility.mean > 0 : utility.mean == 0);
            shoal_i_spread_free(spread);
        }
        free(boxes);
        published_case_free(&p);
    }
    shoal_i_ctx_clear(&ctx);
}

/* Real numbers are a continuum; what lies on a border is seen all the same. */
static void test_real_axis(void **state)
{
    shoal_ctx ctx;
    const double data[] = {0.5, 1.5, 2.5, 4.5};
    bool chosen[4];
    shoal_array array = {.name = "x", .kind = SHOAL_ARRAY_DOUBLE, .length = 4, .data = data};
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_axis axis;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_table_from_arrays(&ctx, &table, &array, 1), SHOAL_OK);
    assert_int_equal(
        shoal_i_quasi_build(&ctx, &quasi, table, &(shoal_i_quasi_request){.weight = 1}, 1),
        SHOAL_OK);
    assert_int_equal(shoal_i_axis_init(&ctx, &axis, quasi, 0), SHOAL_OK);
    shoal_i_segment place = shoal_i_axis_place(&axis, (shoal_i_interval){0, 2});
    shoal_i_segment point = shoal_i_axis_place(&axis, (shoal_i_interval){1, 1});
    shoal_i_segment lower = shoal_i_axis_cover(&axis, 0, 0);
    shoal_i_segment upper = shoal_i_axis_cover(&axis, 1, 3);

    assert_near(shoal_i_axis_share(&axis, place, &lower, 1), 0.5);
    assert_near(shoal_i_axis_share(&axis, place, &upper, 1), 0.5);
    assert_true(shoal_i_axis_share(&axis, point, &lower, 1) == 0);
    assert_true(shoal_i_axis_share(&axis, point, &upper, 1) == 1);
    shoal_i_axis_choose(&axis, chosen, &lower, 1);
    assert_true(chosen[0] && !chosen[1] && !chosen[2] && !chosen[3]);
    shoal_i_axis_choose(&axis, chosen, &upper, 1);
    assert_true(!chosen[0] && chosen[1] && chosen[2] && chosen[3]);
    shoal_i_axis_clear(&axis);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

/* A tree of intervals instead of halves; one that is not of intervals is refused. */
static void test_trees_of_numbers(void **state)
{
    shoal_ctx ctx;
    const int64_t data[] = {1, 2, 3, 4, 5, 6, 7, 8};
    shoal_array array = {.name = "x", .kind = SHOAL_ARRAY_INT64, .length = 8, .data = data};
    const char *good =
        "1;low;*\n2;low;*\n3;low;*\n4;low;*\n5;low;*\n6;high;*\n7;high;*\n8;high;*\n";
    const char *bad =
        "1;low;*\n2;high;*\n3;low;*\n4;low;*\n5;low;*\n6;high;*\n7;high;*\n8;high;*\n";
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_hierarchy *tree = NULL;
    shoal_i_predicates found;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_table_from_arrays(&ctx, &table, &array, 1), SHOAL_OK);
    assert_int_equal(
        shoal_i_quasi_build(&ctx, &quasi, table, &(shoal_i_quasi_request){.weight = 1}, 1),
        SHOAL_OK);
    assert_int_equal(
        shoal_hierarchy_build_memory(&ctx, &tree, table, 0, good, strlen(good), "good"),
        SHOAL_OK);
    assert_int_equal(
        shoal_i_predicates_find(&ctx, &found, quasi, (const shoal_hierarchy *const[]){tree}, 2),
        SHOAL_OK);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.items[0].support, 5);
    assert_int_equal(found.items[1].first, 5);
    shoal_i_predicates_clear(&found);
    shoal_hierarchy_free(tree);
    assert_int_equal(
        shoal_hierarchy_build_memory(&ctx, &tree, table, 0, bad, strlen(bad), "bad"), SHOAL_OK);
    assert_int_equal(
        shoal_i_predicates_find(&ctx, &found, quasi, (const shoal_hierarchy *const[]){tree}, 2),
        SHOAL_EINVAL);
    shoal_hierarchy_free(tree);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static void test_min_support_is_checked(void **state)
{
    const double bad[] = {0, -1, 1.5, NAN};
    shoal_ctx ctx;
    shoal_i_spread *spread = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    published_case p = published_case_make(&ctx, 1, SHOAL_I_SHAPE_CLASSES, 20, 2);

    assert_int_equal(shoal_i_spread_build(&ctx, &spread, published_case_view(&p)), SHOAL_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        shoal_i_utility_loss loss;
        shoal_i_populations populations;

        assert_int_equal(
            shoal_i_utility_loss_measure(&ctx, &loss, &populations, spread, &p.truth,
                                         &(shoal_i_population_options){.min_support = bad[i]}),
            SHOAL_EINVAL);
    }
    shoal_i_spread_free(spread);
    published_case_free(&p);
    shoal_i_ctx_clear(&ctx);
}

/* --- Failures and threads. -------------------------------------------------------------- */

static shoal_status measure_all(shoal_ctx *ctx, void *payload)
{
    published_case *p = payload;
    shoal_i_spread *spread = NULL;
    shoal_i_privacy_loss privacy;
    shoal_i_utility_loss utility;
    shoal_i_populations populations;
    shoal_status st = shoal_i_spread_build(ctx, &spread, published_case_view(p));

    if (st == SHOAL_OK) {
        st = shoal_i_privacy_loss_measure(ctx, &privacy, spread);
    }
    if (st == SHOAL_OK) {
        st = shoal_i_utility_loss_measure(ctx, &utility, &populations, spread, &p->truth,
                                          &(shoal_i_population_options){.min_support = 0.2});
    }
    shoal_i_spread_free(spread);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    for (int shape = 0; shape < 3; shape++) {
        published_case p = published_case_make(&ctx, 5, (shoal_i_shape)shape, 20, 3);

        assert_survives_failing_allocations(&ctx, measure_all, &p);
        published_case_free(&p);
    }
    shoal_i_ctx_clear(&ctx);
}

static void test_threads_change_nothing(void **state)
{
    double figures[2][3];

    (void)state;
    for (int i = 0; i < 2; i++) {
        shoal_ctx ctx;
        shoal_i_spread *spread = NULL;
        shoal_i_privacy_loss privacy;
        shoal_i_utility_loss utility;
        shoal_i_populations populations;

        shoal_i_ctx_init(&ctx);
        ctx.threads = i == 0 ? 1 : 3;
        published_case p = published_case_make(&ctx, 8, SHOAL_I_SHAPE_RECORDS, 400, 3);

        assert_int_equal(shoal_i_spread_build(&ctx, &spread, published_case_view(&p)),
                         SHOAL_OK);
        assert_int_equal(shoal_i_privacy_loss_measure(&ctx, &privacy, spread), SHOAL_OK);
        assert_int_equal(
            shoal_i_utility_loss_measure(&ctx, &utility, &populations, spread, &p.truth,
                                         &(shoal_i_population_options){.min_support = 0.02}),
            SHOAL_OK);
        figures[i][0] = privacy.mean;
        figures[i][1] = utility.mean;
        figures[i][2] = (double)populations.count;
        shoal_i_spread_free(spread);
        published_case_free(&p);
        shoal_i_ctx_clear(&ctx);
    }
    assert_memory_equal(figures[0], figures[1], sizeof figures[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utility_equals_enumeration),
        cmocka_unit_test(test_privacy_equals_the_slow_one),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_real_axis),
        cmocka_unit_test(test_trees_of_numbers),
        cmocka_unit_test(test_min_support_is_checked),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_threads_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
