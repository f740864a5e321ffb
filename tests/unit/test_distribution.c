/* Values before and after, against spreading every record of every box over the values that its
 * interval stands for. */
#include <shoal/csv.h>

#include "base/buffer.h"
#include "failing.h"
#include "measure/distribution.h"
#include "random_table.h"
#include "table_tools.h"

#include <math.h>

#define ROWS 80
#define BOXES 30

static const shoal_i_shown none = {0};

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9)) {
        print_error("%.17g is not %.17g\n", a, b);
    }
    assert_true(fabs(a - b) <= 1e-9);
}

static bool is_in_bin(const shoal_i_distribution *d, const shoal_i_share *share, double value)
{
    size_t bin = (size_t)(share - d->shares);

    return value >= d->bins.edges[bin] && value < d->bins.edges[bin + 1];
}

/* The same of a column of numbers with a hierarchy: leaf by leaf. */
static double spread_leaves_slowly(const shoal_i_distribution *d, const shoal_i_share *share,
                                   shoal_i_interval interval)
{
    size_t entries = shoal_table_value_count(d->table, d->column);
    double inside = 0;

    for (uint32_t entry = 0; entry < d->quasi->value_count; entry++) {
        uint32_t code = d->quasi->code_of_entry[entry];
        bool is_below = code >= interval.lo && code <= interval.hi;

        if (share->kind == SHOAL_I_SHARE_MISSING) {
            inside += is_below && entry == entries;
        } else {
            inside += is_below && entry < entries &&
                      is_in_bin(d, share, shoal_table_number(d->table, d->column, entry));
        }
    }
    return inside / (double)(interval.hi - interval.lo + 1);
}

/* The mass that a range or value of a share gets of one record in an interval. */
static double spread_slowly(const shoal_i_distribution *d, const shoal_i_share *share,
                            shoal_i_interval interval)
{
    const shoal_i_quasi_column *column = d->quasi;

    if (column->hierarchy) {
        return spread_leaves_slowly(d, share, interval);
    }
    uint32_t missing = column->has_missing ? column->value_count - 1 : UINT32_MAX;
    double left = 1;

    if (interval.hi == missing) {
        double part = interval.lo == missing ? 1 : 1 / (double)column->value_count;

        if (share->kind == SHOAL_I_SHARE_MISSING) {
            return part;
        }
        left -= part;
        if (interval.lo == missing) {
            return 0;
        }
        interval.hi--;
    } else if (share->kind == SHOAL_I_SHARE_MISSING) {
        return 0;
    }
    double inside = 0;
    double all = 0;

    for (double v = column->values[interval.lo]; v <= column->values[interval.hi]; v++) {
        inside += is_in_bin(d, share, v);
        all++;
    }
    return left * inside / all;
}

static void compare(const shoal_i_distribution *d, const shoal_i_release *release, size_t c)
{
    const shoal_i_quasi *quasi = release->quasi;
    size_t rows = shoal_table_row_count(quasi->table);
    double before_sum = 0;
    double after_sum = 0;
    double distance = 0;

    for (size_t i = 0; i < d->count; i++) {
        const shoal_i_share *share = &d->shares[i];
        double before = 0;
        double after = 0;

        assert_true(share->kind != SHOAL_I_SHARE_OTHERS); /* few values in these tables */
        for (size_t row = 0; row < rows; row++) {
            uint32_t code = shoal_i_quasi_code(quasi, c, row);

            before += spread_slowly(d, share, (shoal_i_interval){code, code});
        }
        for (size_t row = 0; row < release->row_count; row++) {
            after += spread_slowly(d, share,
                                   release->boxes[release->box_of[row] * quasi->count + c]);
        }
        assert_near(share->original, before / (double)rows);
        assert_near(share->release, after / (double)release->row_count);
        before_sum += share->original;
        after_sum += share->release;
        distance += fabs(share->original - share->release) / 2;
    }
    assert_near(before_sum, 1);
    assert_near(after_sum, 1);
    assert_near(d->distance, distance);
}

static void test_equals_the_slow_spread(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 2;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        random_table t = random_table_make(&ctx, seed, 1 + (size_t)(seed * 7 % ROWS), 4,
                                           3 + seed % 8, seed % 3 == 0);
        shoal_i_release *release = random_release(&ctx, &random, t.quasi, BOXES);
        shoal_i_distribution *found = NULL;

        assert_int_equal(shoal_i_distributions_find(&ctx, &found, release, &none), SHOAL_OK);
        for (size_t c = 0; c < t.quasi->count; c++) {
            compare(&found[c], release, c);
        }
        free(found);
        shoal_i_release_free(release);
        random_table_free(&t);
    }
    shoal_i_ctx_clear(&ctx);
}

/* Many categories: the most frequent are shown, the rest is one share; reals are a
 * continuum. */
static void test_others_and_reals(void **state)
{
    shoal_i_buffer text;
    shoal_hierarchy *flat = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_release *release = NULL;
    shoal_i_distribution *found = NULL;
    shoal_i_interval all[2];
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_i_buffer_init(&text, &ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_text(&text, "town,x\n");
    for (int i = 0; i < 100; i++) {
        shoal_i_buffer_printf(&text, "t%02d,%d.5\n", i < 60 ? 0 : i - 60, i % 5);
    }
    char *bytes = NULL;

    assert_int_equal(shoal_i_buffer_take(&bytes, &text), SHOAL_OK);
    shoal_table *table = read_text(&ctx, bytes, NULL);

    assert_int_equal(shoal_hierarchy_build_flat(&ctx, &flat, table, 0), SHOAL_OK);
    const shoal_i_quasi_request requests[] = {{.column = 0, .weight = 1, .hierarchy = flat},
                                              {.column = 1, .weight = 1}};

    assert_int_equal(shoal_i_quasi_build(&ctx, &quasi, table, requests, 2), SHOAL_OK);
    all[0] = shoal_i_quasi_all(&quasi->columns[0]);
    all[1] = shoal_i_quasi_all(&quasi->columns[1]);
    assert_int_equal(shoal_i_release_from_boxes(&ctx, &release, quasi, all, 1), SHOAL_OK);
    assert_int_equal(shoal_i_distributions_find(&ctx, &found, release, &none), SHOAL_OK);

    const shoal_i_share *last = &found[0].shares[found[0].count - 1];

    assert_int_equal(last->kind, SHOAL_I_SHARE_OTHERS);
    assert_int_equal(last->values + found[0].count - 1, 40);
    assert_near(found[0].shares[0].original, 0.61);
    assert_near(found[0].shares[0].release, 1 / 40.0);
    assert_near(found[0].distance, 0.61 - 1 / 40.0);
    assert_int_equal(found[1].count, 8);
    for (size_t i = 0; i < found[1].count; i++) { /* 0.5 to 4.5 in steps of 0.5 */
        assert_near(found[1].shares[i].release, 1 / 8.0);
        assert_near(found[1].bins.edges[i], 0.5 + 0.5 * (double)i);
    }
    assert_near(found[1].shares[0].original, 0.2);
    assert_near(found[1].shares[1].original, 0);
    assert_near(found[1].shares[7].original, 0.2);
    free(found);
    shoal_i_release_free(release);
    shoal_i_quasi_free(quasi);
    shoal_hierarchy_free(flat);
    shoal_table_free(table);
    free(bytes);
    shoal_i_ctx_clear(&ctx);
}

/* A sensitive column that a release shows without its last records. */
static void show_sensitive_column(shoal_ctx *ctx, const char *text, shoal_i_distribution *out)
{
    shoal_table *table = read_text(ctx, text, NULL);
    size_t rows = shoal_table_row_count(table);
    shoal_i_sensitive truth = {0};
    shoal_i_quasi *quasi = NULL;
    shoal_i_release *release = NULL;
    shoal_i_distribution *found = NULL;

    assert_int_equal(shoal_i_sensitive_init(ctx, &truth, table, 1, NULL, NULL), SHOAL_OK);
    shoal_i_sensitive shown = truth;
    const shoal_i_quasi_request request = {.column = 0, .weight = 1};

    shown.row_count = rows / 2;
    assert_int_equal(shoal_i_quasi_build(ctx, &quasi, table, &request, 1), SHOAL_OK);
    shoal_i_interval all = shoal_i_quasi_all(&quasi->columns[0]);

    assert_int_equal(shoal_i_release_from_boxes(ctx, &release, quasi, &all, 1), SHOAL_OK);
    assert_int_equal(shoal_i_distributions_find(
                         ctx, &found, release,
                         &(shoal_i_shown){.count = 1, .truth = &truth, .shown = &shown}),
                     SHOAL_OK);
    assert_string_equal(found[1].name, "s");
    assert_null(found[1].quasi);
    assert_int_equal(shoal_i_distribution_entry(&found[1], 1), 1);
    *out = found[1];
    free(found);
    shoal_i_release_free(release);
    shoal_i_quasi_free(quasi);
    shoal_i_sensitive_clear(&truth);
    shoal_table_free(table);
}

/* By frequency where values are words, in their order where all are numbers or all dates. */
static void test_sensitive(void **state)
{
    shoal_i_distribution d;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    show_sensitive_column(&ctx, "q,s\n1,flu\n1,flu\n1,gout\n1,HIV\n2,flu\n2,7\n", &d);
    assert_false(d.is_ordered);
    assert_int_equal(d.count, 4);
    assert_near(d.shares[0].original, 3 / 6.0); /* flu, which of the first three are two */
    assert_near(d.shares[0].release, 2 / 3.0);
    assert_near(d.distance, (1 / 6.0 + 1 / 6.0 + 1 / 6.0 + 1 / 6.0) / 2);

    show_sensitive_column(&ctx, "q,s\n1,10\n1,-5\n1,10\n1,7\n2,?\n2,?\n", &d);
    assert_true(d.is_ordered);
    assert_int_equal(d.bins.count, 16); /* -5 to 10, one by one */
    assert_int_equal(d.count, 17);
    assert_true(d.bins.is_whole);
    assert_near(d.shares[0].original, 1 / 6.0);
    assert_near(d.shares[15].original, 2 / 6.0);
    assert_near(d.shares[15].release, 2 / 3.0);
    assert_int_equal(d.shares[16].kind, SHOAL_I_SHARE_MISSING);
    assert_near(d.shares[16].original, 2 / 6.0);
    assert_near(d.shares[16].release, 0);

    show_sensitive_column(&ctx, "q,s\n1,1\n1,2.5\n1,3\n1,3\n", &d);
    assert_true(d.is_ordered);
    assert_false(d.bins.is_whole);

    show_sensitive_column(&ctx, "q,s\n1,2024-01-01\n1,2024-01-03\n", &d);
    assert_true(d.is_ordered);
    assert_int_equal(d.bins.grid.unit, SHOAL_I_GRID_DAYS);
    assert_int_equal(d.count, 3);

    show_sensitive_column(&ctx, "q,s\n1,2024-01-01\n1,20240103\n", &d);
    assert_false(d.is_ordered);
    show_sensitive_column(&ctx, "q,s\n1,?\n1,?\n", &d);
    assert_int_equal(d.count, 1);
    shoal_i_ctx_clear(&ctx);
}

static shoal_status find_failing(shoal_ctx *ctx, void *release)
{
    shoal_i_distribution *found = NULL;
    shoal_status st = shoal_i_distributions_find(ctx, &found, release, &none);

    assert_true((st == SHOAL_OK) == (found != NULL));
    free(found);
    return st;
}

static void test_allocation_failures(void **state)
{
    shoal_ctx ctx;
    shoal_i_random random = shoal_i_random_start(1);

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    random_table t = random_table_make(&ctx, 1, ROWS, 3, 9, false);
    shoal_i_release *release = random_release(&ctx, &random, t.quasi, BOXES);

    assert_survives_failing_allocations(&ctx, find_failing, release);
    shoal_i_release_free(release);
    random_table_free(&t);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_the_slow_spread),
        cmocka_unit_test(test_others_and_reals),
        cmocka_unit_test(test_sensitive),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
