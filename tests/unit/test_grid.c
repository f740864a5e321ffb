/* Steps and their multiples; what a quasi column makes of them. */
#include <shoal/csv.h>

#include "base/text.h"
#include "box/points.h"
#include "context.h"
#include "failing.h"
#include "table_tools.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static shoal_i_grid read_grid(const char *text)
{
    shoal_i_grid grid = {0};

    assert_true(shoal_i_grid_read(&grid, text));
    return grid;
}

static void assert_cell(const char *step, double value, double lower, double upper)
{
    shoal_i_grid grid = read_grid(step);
    double found[2] = {NAN, NAN};

    assert_true(shoal_i_grid_fits(&grid, false));
    assert_true(shoal_i_grid_cell(&grid, false, value, &found[0], &found[1]));
    assert_true(found[0] == lower);
    assert_true(found[1] == upper);
    assert_int_equal(shoal_i_grid_is_end(&grid, false, value), lower == upper);
    assert_true(shoal_i_grid_is_end(&grid, false, lower));
    assert_true(shoal_i_grid_is_end(&grid, false, upper));
    assert_false(signbit(found[0]) && found[0] == 0);
    assert_false(signbit(found[1]) && found[1] == 0);
}

static void test_numbers(void **state)
{
    (void)state;
    assert_cell("5", 19, 15, 20);
    assert_cell("5", 20, 20, 20);
    assert_cell("5", 0, 0, 0);
    assert_cell("5", -7, -10, -5);
    assert_cell("5", -0.5, -5, 0);
    assert_cell("5", -5, -5, -5);
    assert_cell("0.1", 0.3, 0.3, 0.3); /* 0.3 / 0.1 is below 3 in binary */
    assert_cell("0.1", 0.7, 0.7, 0.7);
    assert_cell("0.1", 0.30000000000000004, 0.3, 0.4);
    assert_cell("0.1", 0.29999999999999999, 0.3, 0.3);
    assert_cell("0.1", -0.25, -0.3, -0.2);
    assert_cell("0.05", 1.15, 1.15, 1.15);
    assert_cell("2.5", 4.9999, 2.5, 5);
    assert_cell("0.000000000000001", 1.5e-15, 1e-15, 2e-15);
    assert_cell("999999999999999", 1, 0, 999999999999999);
    assert_cell("1000", -1e-300, -1000, 0);
    assert_cell("1", 9007199254740991, 9007199254740991, 9007199254740991);
    assert_cell("2", 9007199254740991, 9007199254740990, 9007199254740992);
    assert_cell("2", -9007199254740991, -9007199254740992, -9007199254740990);
}

/* All multiples of many steps, and what lies between, by the decimal texts. */
static void test_decimal_multiples(void **state)
{
    (void)state;
    for (int64_t count = 1; count <= 40; count++) {
        for (int64_t steps = -60; steps <= 60; steps++) {
            char text[64];
            char step[64];
            double value = 0;
            double next = 0;

            snprintf(step, sizeof step, "0.%02d", (int)count);
            snprintf(text, sizeof text, "%de-2", (int)(steps * count));
            assert_true(shoal_i_text_to_double(&value, text, strlen(text)));
            snprintf(text, sizeof text, "%de-2", (int)((steps + 1) * count));
            assert_true(shoal_i_text_to_double(&next, text, strlen(text)));
            assert_cell(step, value, value, value);
            assert_cell(step, (value + next) / 2, value, next);
            assert_cell(step, nextafter(value, INFINITY), value, next);
            assert_cell(step, nextafter(next, -INFINITY), value, next);
        }
    }
}

static void test_too_fine(void **state)
{
    static const struct {
        const char *step;
        double value;
    } cases[] = {{"1", 9007199254740994}, {"10", 9007199254740991}, {"0.1", 1e16}, {"5", 1e300},
                 {"5", -1e300},           {"0.001", -9007199254741}};
    double lower = 0;
    double upper = 0;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_i_grid grid = read_grid(cases[i].step);

        assert_false(shoal_i_grid_cell(&grid, false, cases[i].value, &lower, &upper));
        assert_false(shoal_i_grid_is_end(&grid, false, cases[i].value));
    }
}

static void assert_dates(const char *step, const char *date, const char *lower,
                         const char *upper)
{
    shoal_i_grid grid = read_grid(step);
    int32_t days = 0;
    double found[2] = {0};
    char text[SHOAL_I_NUMBER_MAX];

    assert_true(shoal_i_grid_fits(&grid, true));
    assert_true(shoal_i_text_to_date(&days, date, strlen(date)));
    assert_true(shoal_i_grid_cell(&grid, true, days, &found[0], &found[1]));
    shoal_i_text_from_date(text, (int32_t)found[0]);
    assert_string_equal(text, lower);
    shoal_i_text_from_date(text, (int32_t)found[1]);
    assert_string_equal(text, upper);
    assert_true(shoal_i_grid_is_end(&grid, true, found[0]));
    assert_true(shoal_i_grid_is_end(&grid, true, found[1]));
    assert_int_equal(shoal_i_grid_is_end(&grid, true, days),
                     strcmp(date, lower) == 0 || strcmp(date, upper) == 0);
}

static void test_dates(void **state)
{
    (void)state;
    assert_dates("1 month", "1980-03-17", "1980-03-01", "1980-04-01");
    assert_dates("1 month", "1980-03-01", "1980-03-01", "1980-03-01");
    assert_dates("1 month", "1979-12-31", "1979-12-01", "1980-01-01");
    assert_dates("3 months", "1980-03-17", "1980-01-01", "1980-04-01");
    assert_dates("1 year", "1980-02-29", "1980-01-01", "1981-01-01");
    assert_dates("10 years", "1979-12-31", "1970-01-01", "1980-01-01");
    assert_dates("1 week", "1970-01-01", "1969-12-29", "1970-01-05");
    assert_dates("1 week", "1970-01-05", "1970-01-05", "1970-01-05");
    assert_dates("2 weeks", "1970-01-04", "1969-12-22", "1970-01-05");
    assert_dates("1 day", "1980-03-17", "1980-03-17", "1980-03-17");
    assert_dates("7", "1970-01-01", "1970-01-01", "1970-01-01");
    assert_dates("7 days", "1969-12-31", "1969-12-25", "1970-01-01");
    assert_dates("1 year", "0001-01-02", "0001-01-01", "0002-01-01");
    assert_dates("5 years", "0001-01-02", "0001-01-01", "0005-01-01");
    assert_dates("1 month", "9999-12-31", "9999-12-01", "9999-12-31");
    assert_dates("1 week", "0001-01-03", "0001-01-01", "0001-01-08");
    assert_dates("1000000 days", "9999-12-30", "7445-10-25", "9999-12-31");
    assert_dates("1000000 years", "2020-02-02", "0001-01-01", "9999-12-31");
}

static void test_texts(void **state)
{
    static const char *const texts[][2] = {
        {"5", "5"},
        {"0.10", "0.1"},
        {"12.50", "12.5"},
        {".5", "0.5"},
        {"5.", "5"},
        {"007", "7"},
        {"1 month", "1 month"},
        {"1 months", "1 month"},
        {"12weeks", "12 weeks"},
        {"0.001", "0.001"},
        {"none", "none"},
        {"100", "100"},
    };
    static const char *const bad[] = {
        "",
        "0",
        "0.00",
        "-1",
        "+1",
        "1e3",
        "nan",
        "month",
        "1 mon",
        "5 ",
        " 5",
        "1  week",
        "0.5 weeks",
        "1.2.3",
        ".",
        "5x",
        "None",
        "1 monthss",
        "1234567890123456",
        "0.0000000000000001",
        "1000001 days",
    };
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        shoal_i_grid grid = read_grid(texts[i][0]);
        shoal_i_buffer out;
        char *text = NULL;

        shoal_i_buffer_init(&out, &ctx, SHOAL_I_BUFFER_MAX);
        shoal_i_grid_put(&out, &grid);
        assert_int_equal(shoal_i_buffer_take(&text, &out), SHOAL_OK);
        assert_string_equal(text, texts[i][1]);
        shoal_i_grid back = read_grid(text);

        assert_true(shoal_i_grid_is_same(&grid, &back));
        free(text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        shoal_i_grid grid = {0};

        assert_false(shoal_i_grid_read(&grid, bad[i]));
    }
    shoal_i_ctx_clear(&ctx);
}

/* --- Quasi columns. ----------------------------------------------------------------------- */

static void build(shoal_ctx *ctx, shoal_table **table, shoal_i_quasi **quasi, const char *csv,
                  const char *step)
{
    shoal_i_quasi_request request = {.column = 0, .weight = 1, .grid = read_grid(step)};

    *table = read_text(ctx, csv, NULL);
    assert_int_equal(shoal_i_quasi_build(ctx, quasi, *table, &request, 1), SHOAL_OK);
}

static void assert_interval(shoal_i_interval found, uint32_t lo, uint32_t hi)
{
    assert_int_equal(found.lo, lo);
    assert_int_equal(found.hi, hi);
}

static void test_quasi_column(void **state)
{
    shoal_ctx ctx;
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_lanes *lanes = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    build(&ctx, &table, &quasi, "age\n19\n20\n21\n24\n25\n26\n39\n", "5");
    const shoal_i_quasi_column *column = &quasi->columns[0];

    assert_interval(shoal_i_quasi_close(column, 0, 0), 0, 1);
    assert_interval(shoal_i_quasi_close(column, 1, 1), 1, 1);
    assert_interval(shoal_i_quasi_close(column, 2, 2), 1, 4);
    assert_interval(shoal_i_quasi_close(column, 1, 4), 1, 4);
    assert_interval(shoal_i_quasi_close(column, 3, 5), 1, 5);
    for (uint32_t lo = 0; lo < 7; lo++) {
        for (uint32_t hi = lo; hi < 7; hi++) {
            shoal_i_interval once = shoal_i_quasi_close(column, lo, hi);

            assert_interval(shoal_i_quasi_close(column, once.lo, once.hi), once.lo, once.hi);
            assert_true(column->lower[once.lo] == column->lower[lo]);
            assert_true(column->upper[once.hi] == column->upper[hi]);
            double length =
                ceil(column->values[hi] / 5) * 5 - floor(column->values[lo] / 5) * 5;

            assert_true(shoal_i_quasi_loss(column, lo, hi) == fmin(1, length / 20));
        }
    }
    assert_true(shoal_i_quasi_is_exact(column, (shoal_i_interval){1, 1}));
    assert_false(shoal_i_quasi_is_exact(column, (shoal_i_interval){0, 0}));
    assert_int_equal(shoal_i_quasi_alike(column, 3), 2);
    assert_int_equal(shoal_i_quasi_alike(column, 4), 4);
    assert_true(shoal_i_quasi_spread(column, 2, 3) == 0);
    assert_true(shoal_i_quasi_spread(column, 1, 2) > 0);
    assert_int_equal(shoal_i_lanes_build(&ctx, &lanes, quasi), SHOAL_OK);
    assert_int_equal(lanes->coordinates[0][2], lanes->coordinates[0][3]);
    assert_true(lanes->coordinates[0][1] < lanes->coordinates[0][2]);
    shoal_i_lanes_free(lanes);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static void test_grid_too_fine_for_column(void **state)
{
    shoal_ctx ctx;
    shoal_i_quasi *quasi = NULL;
    shoal_i_quasi_request request = {.column = 0, .weight = 1, .grid = read_grid("10")};

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_text(&ctx, "n\n1\n9007199254740991\n", NULL);

    assert_int_equal(shoal_i_quasi_build(&ctx, &quasi, table, &request, 1), SHOAL_ELIMIT);
    assert_null(quasi);
    assert_int_equal(ctx.error.field, 0);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_decimal_multiples),
        cmocka_unit_test(test_too_fine),
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_quasi_column),
        cmocka_unit_test(test_grid_too_fine_for_column),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
