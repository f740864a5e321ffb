/* Bins that begin at round numbers and at days of the calendar, against looking at every step
 * and every day. */
#include "context.h"
#include "failing.h"

#include "base/random.h"
#include "base/text.h"
#include "measure/bins.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static char *write_edge(shoal_ctx *ctx, const shoal_i_bins *bins, size_t edge)
{
    shoal_i_buffer out;
    char *text = NULL;

    shoal_i_buffer_init(&out, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_bins_put_edge(&out, bins, edge);
    assert_int_equal(shoal_i_buffer_take(&text, &out), SHOAL_OK);
    return text;
}

static void assert_edges(shoal_ctx *ctx, const shoal_i_bins *bins, size_t count,
                         const char *first, const char *second, const char *last)
{
    char *texts[] = {write_edge(ctx, bins, 0), write_edge(ctx, bins, 1),
                     write_edge(ctx, bins, bins->count)};

    assert_int_equal(bins->count, count);
    assert_string_equal(texts[0], first);
    assert_string_equal(texts[1], second);
    assert_string_equal(texts[2], last);
    for (size_t i = 0; i < 3; i++) {
        free(texts[i]);
    }
}

static double day(const char *text)
{
    int32_t days = 0;

    assert_true(shoal_i_text_to_date(&days, text, strlen(text)));
    return days;
}

/* --- Worked answers. -------------------------------------------------------------------- */

static void test_numbers_worked(void **state)
{
    shoal_i_bins bins = shoal_i_bins_choose(SHOAL_TYPE_INTEGER, 17, 90);

    assert_edges(*state, &bins, 16, "15", "20", "95");
    bins = shoal_i_bins_choose(SHOAL_TYPE_REAL, 0.3, 155.925);
    assert_edges(*state, &bins, 16, "0", "10", "160");
    bins = shoal_i_bins_choose(SHOAL_TYPE_REAL, 0.5, 4.5);
    assert_edges(*state, &bins, 8, "0.5", "1.0", "4.5");
    bins = shoal_i_bins_choose(SHOAL_TYPE_INTEGER, 0, 19);
    assert_edges(*state, &bins, 20, "0", "1", "20");
    bins = shoal_i_bins_choose(SHOAL_TYPE_INTEGER, 0, 20);
    assert_edges(*state, &bins, 11, "0", "2", "22");
    bins = shoal_i_bins_choose(SHOAL_TYPE_INTEGER, -3, 3);
    assert_edges(*state, &bins, 7, "−3", "−2", "4");
    bins = shoal_i_bins_choose(SHOAL_TYPE_INTEGER, 7, 7);
    assert_edges(*state, &bins, 1, "7", "8", "8");
    bins = shoal_i_bins_choose(SHOAL_TYPE_REAL, 7.25, 7.25);
    assert_edges(*state, &bins, 1, "7.25", "7.25", "7.25");
    bins = shoal_i_bins_choose(SHOAL_TYPE_INTEGER, 20000, 155925);
    assert_edges(*state, &bins, 14, "20,000", "30,000", "160,000");
}

/* Rounded values: a bin for each multiple of the longest step that they all are multiples of.
 */
static void test_widened(void **state)
{
    const double costs[] = {500, 0, 4000, 1500, 3500};
    const double tens[] = {-30, 0, 170, 20};
    const double few[] = {0, 100000};
    const double plain[] = {0, 3, 41};
    const double fractions[] = {0.5, 4.5, 2};
    shoal_i_bins bins = shoal_i_bins_choose(SHOAL_TYPE_REAL, 0, 4000);

    assert_edges(*state, &bins, 20, "0", "200", "4,000");
    shoal_i_bins_widen(&bins, costs, 5);
    assert_edges(*state, &bins, 9, "0", "500", "4,500");
    assert_false(bins.is_whole);
    assert_int_equal(shoal_i_bins_find(&bins, 3500), 7);
    assert_int_equal(shoal_i_bins_find(&bins, 4000), 8);
    bins = shoal_i_bins_choose(SHOAL_TYPE_INTEGER, -30, 170);
    shoal_i_bins_widen(&bins, tens, 4);
    assert_edges(*state, &bins, 11, "−40", "−20", "180"); /* 21 tens would be too many */
    bins = shoal_i_bins_choose(SHOAL_TYPE_INTEGER, 0, 100000);
    shoal_i_bins_widen(&bins, few, 2);
    assert_edges(*state, &bins, 2, "0", "100,000", "200,000");
    bins = shoal_i_bins_choose(SHOAL_TYPE_INTEGER, 0, 41);
    shoal_i_bins_widen(&bins, plain, 3);
    assert_edges(*state, &bins, 9, "0", "5", "45");
    bins = shoal_i_bins_choose(SHOAL_TYPE_REAL, 0.5, 4.5);
    shoal_i_bins_widen(&bins, fractions, 3);
    assert_edges(*state, &bins, 8, "0.5", "1.0", "4.5");
    bins = shoal_i_bins_choose(SHOAL_TYPE_REAL, 7, 7);
    shoal_i_bins_widen(&bins, (const double[]){7}, 1);
    assert_edges(*state, &bins, 1, "7", "7", "7");
}

static void test_dates_worked(void **state)
{
    static const struct {
        const char *least;
        const char *most;
        size_t count;
        const char *edges[3];
    } known[] = {
        {"2024-02-27", "2024-03-02", 5, {"2024-02-27", "2024-02-28", "2024-03-03"}},
        {"2024-01-03", "2024-04-30", 18, {"2024-01-01", "2024-01-08", "2024-05-06"}},
        {"2023-01-17", "2024-06-01", 18, {"2023-01", "2023-02", "2024-07"}},
        {"2022-01-01", "2024-12-28", 12, {"2022-01", "2022-04", "2025-01"}},
        {"2005-05-05", "2024-12-28", 20, {"2005", "2006", "2025"}},
        {"2004-05-05", "2024-12-28", 11, {"2004", "2006", "2026"}},
        {"1921-05-05", "2024-12-28", 11, {"1920", "1930", "2030"}},
        {"0001-01-01", "9999-12-31", 20, {"0001", "0500", "9999"}},
        {"9999-12-31", "9999-12-31", 1, {"9999-12-31", "9999-12-31", "9999-12-31"}},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        shoal_i_bins bins =
            shoal_i_bins_choose(SHOAL_TYPE_DATE, day(known[i].least), day(known[i].most));

        assert_edges(*state, &bins, known[i].count, known[i].edges[0], known[i].edges[1],
                     known[i].edges[2]);
    }
}

/* --- Random ones. ----------------------------------------------------------------------- */

/* How many bins of so many units would be needed, begun at a multiple. */
static double count_slowly(double unit, double least, double most, bool is_whole)
{
    double first = floor(least / unit + 1e-9);
    double last = floor(most / unit + 1e-9);

    if (!is_whole && fabs(last * unit - most) < 1e-9 * unit && last > first) {
        last--;
    }
    return last - first + 1;
}

/* Whether the step is the smallest of which 20 are enough. */
static void assert_smallest(const shoal_i_bins *bins, double least, double most)
{
    double step = shoal_i_step_times(bins->step, 1);

    for (int power = bins->step.power - 3; power <= bins->step.power; power++) {
        for (int digit = 1; digit <= 5; digit += digit == 1 ? 1 : 3) {
            double smaller = shoal_i_step_times((shoal_i_step){digit, power}, 1);

            if (smaller < step && !(bins->is_whole && smaller < 1)) {
                if (count_slowly(smaller, least, most, bins->is_whole) <= 20) {
                    fail_msg("%.17g to %.17g in steps of %g, not %g", least, most, step,
                             smaller);
                }
            }
        }
    }
}

/* Each bin begins where the last one ends, at a multiple of the step; values are found in the
 * bin whose edges they lie between. */
static void assert_sound(const shoal_i_bins *bins, double least, double most)
{
    assert_in_range(bins->count, 1, SHOAL_I_BINS_MAX);
    assert_true(bins->edges[0] <= least);
    assert_true(bins->is_whole ? bins->edges[bins->count] > most
                               : bins->edges[bins->count] >= most);
    for (size_t i = 0; i < bins->count; i++) {
        assert_true(bins->edges[i] < bins->edges[i + 1]);
        double middle = fmin(most, fmax(least, (bins->edges[i] + bins->edges[i + 1]) / 2));

        assert_int_equal(shoal_i_bins_find(bins, middle), i);
        assert_int_equal(shoal_i_bins_find(bins, fmax(least, bins->edges[i])), i);
    }
    assert_int_equal(shoal_i_bins_find(bins, most), bins->count - 1);
}

static void test_random_numbers(void **state)
{
    shoal_i_random random = shoal_i_random_start(11);

    (void)state;
    for (int round = 0; round < 3000; round++) {
        bool is_whole = round % 2 == 0;
        shoal_i_step unit = {1, is_whole ? 0 : round % 9 - 5};
        int64_t first = (int64_t)shoal_i_random_below(&random, 4000) - 2000;
        double least = shoal_i_step_times(unit, first);
        double most = shoal_i_step_times(
            unit,
            first + (int64_t)shoal_i_random_below(&random, UINT64_C(1) << (1 + round % 20)));

        if (most <= least) {
            continue;
        }
        shoal_i_bins bins =
            shoal_i_bins_choose(is_whole ? SHOAL_TYPE_INTEGER : SHOAL_TYPE_REAL, least, most);

        assert_sound(&bins, least, most);
        assert_smallest(&bins, least, most);
    }
}

/* The unit of the calendar that is the finest of which twenty are enough, by walking over all
 * days. */
static size_t count_units(double least, double most, int unit)
{
    size_t count = 0;

    for (double d = least; d <= most; d++) {
        int parts[3];

        shoal_i_date_parts((int32_t)d, &parts[0], &parts[1], &parts[2]);
        bool starts_week = ((int64_t)d - 4) % 7 == 0;
        bool starts_month = parts[2] == 1;
        bool starts_year = starts_month && parts[1] == 1;
        const bool starts[] = {true, starts_week, starts_month,
                               starts_month && parts[1] % 3 == 1, starts_year};

        count += d == least || starts[unit];
    }
    return count;
}

static void test_random_dates(void **state)
{
    static const shoal_i_grid units[] = {{SHOAL_I_GRID_DAYS, 0, 1},
                                         {SHOAL_I_GRID_WEEKS, 0, 1},
                                         {SHOAL_I_GRID_MONTHS, 0, 1},
                                         {SHOAL_I_GRID_MONTHS, 0, 3},
                                         {SHOAL_I_GRID_YEARS, 0, 1}};
    shoal_i_random random = shoal_i_random_start(12);

    (void)state;
    for (int round = 0; round < 300; round++) {
        double least = (double)shoal_i_random_below(&random, 30000) - 15000;
        double most = least + (double)shoal_i_random_below(
                                  &random, round % 2 == 0 ? 7000 : 1 + 30 * (uint64_t)round);
        shoal_i_bins bins = shoal_i_bins_choose(SHOAL_TYPE_DATE, least, most);
        int unit = 0;

        assert_sound(&bins, least, most);
        while (unit < 5 && count_units(least, most, unit) > SHOAL_I_BINS_MAX) {
            unit++;
        }
        if (unit < 5) {
            assert_true(shoal_i_grid_is_same(&bins.grid, &units[unit]));
            assert_int_equal(bins.count, count_units(least, most, unit));
        } else {
            assert_int_equal(bins.grid.unit, SHOAL_I_GRID_YEARS);
            assert_true(bins.grid.count > 1);
        }
    }
}

/* Whole numbers one by one; reals by their lengths. */
static void test_spread(void **state)
{
    shoal_i_random random = shoal_i_random_start(13);

    (void)state;
    for (int round = 0; round < 500; round++) {
        double least = (double)shoal_i_random_below(&random, 100);
        double most = least + (double)shoal_i_random_below(&random, 300);
        double from =
            least + (double)shoal_i_random_below(&random, (uint64_t)(most - least) + 1);
        double to = from + (double)shoal_i_random_below(&random, (uint64_t)(most - from) + 1);
        shoal_i_bins bins = shoal_i_bins_choose(SHOAL_TYPE_INTEGER, least, most);
        double masses[SHOAL_I_BINS_MAX] = {0};
        double wanted[SHOAL_I_BINS_MAX] = {0};

        shoal_i_bins_spread(&bins, masses, from, to, 7);
        for (double v = from; v <= to; v++) {
            for (size_t i = 0; i < bins.count; i++) {
                wanted[i] +=
                    v >= bins.edges[i] && v < bins.edges[i + 1] ? 7 / (to - from + 1) : 0;
            }
        }
        for (size_t i = 0; i < bins.count; i++) {
            assert_true(fabs(masses[i] - wanted[i]) < 1e-9);
        }
    }
    shoal_i_bins bins = shoal_i_bins_choose(SHOAL_TYPE_REAL, 0, 2); /* steps of 0.1 */
    double masses[SHOAL_I_BINS_MAX] = {0};

    assert_int_equal(bins.count, 20);
    shoal_i_bins_spread(&bins, masses, 0.15, 0.35, 4);
    assert_true(fabs(masses[1] - 1) < 1e-9);
    assert_true(fabs(masses[2] - 2) < 1e-9);
    assert_true(fabs(masses[3] - 1) < 1e-9);
    shoal_i_bins_spread(&bins, masses, 2, 2, 3);
    assert_true(fabs(masses[19] - 3) < 1e-9);
}

/* Where there are no round numbers between least and most, and where they are infinitely far
 * apart. */
static void test_extremes(void **state)
{
    static const struct {
        double least;
        double most;
    } hard[] = {{-DBL_MAX, DBL_MAX}, {1e300, 2e300},    {1, 1 + DBL_EPSILON},
                {1e17, 1e17 + 64},   {-1e-300, 1e-300}, {0, DBL_MIN}};

    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        shoal_i_bins bins = shoal_i_bins_choose(SHOAL_TYPE_REAL, hard[i].least, hard[i].most);
        double masses[SHOAL_I_BINS_MAX] = {0};
        double sum = 0;

        assert_in_range(bins.count, 1, SHOAL_I_BINS_MAX);
        shoal_i_bins_spread(&bins, masses, hard[i].least, hard[i].least, 1);
        shoal_i_bins_spread(&bins, masses, hard[i].most, hard[i].most, 1);
        for (size_t b = 0; b < bins.count; b++) {
            sum += masses[b];
        }
        assert_true(sum == 2);
        free(write_edge(*state, &bins, 0));
        free(write_edge(*state, &bins, bins.count));
    }
}

/* Months have their texts by the quarter and year, wherever they begin. */
static void test_spacings(void **state)
{
    shoal_i_bins months =
        shoal_i_bins_choose(SHOAL_TYPE_DATE, day("2023-02-17"), day("2024-06-01"));
    shoal_i_bins quarters =
        shoal_i_bins_choose(SHOAL_TYPE_DATE, day("2021-04-17"), day("2024-06-01"));
    shoal_i_bins ages = shoal_i_bins_choose(SHOAL_TYPE_INTEGER, 17, 90);

    (void)state;
    assert_int_equal(shoal_i_bins_spacings(&months)[3], 12);
    assert_int_equal((months.first + 11) % 12, 0); /* 2024-01 */
    assert_int_equal(shoal_i_bins_spacings(&quarters)[2], 4);
    assert_int_equal((quarters.first + 3) % 4, 0); /* 2022-01 */
    assert_int_equal(shoal_i_bins_spacings(&ages)[1], 2);
    assert_int_equal(ages.first, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_worked), cmocka_unit_test(test_widened),
        cmocka_unit_test(test_dates_worked),   cmocka_unit_test(test_random_numbers),
        cmocka_unit_test(test_random_dates),   cmocka_unit_test(test_spread),
        cmocka_unit_test(test_extremes),       cmocka_unit_test(test_spacings),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
