/* Numbers for people and round steps, against whole-number arithmetic and against looking at
 * every step there is. */
#include "context.h"
#include "failing.h"

#include "base/figures/for_people.h"
#include "base/random.h"
#include "base/figures/round_step.h"
#include "base/text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef void (*put_function)(shoal_i_buffer *out, double number);

/* What a function writes, to be freed. */
static char *write_number(shoal_ctx *ctx, put_function put, double number)
{
    shoal_i_buffer out;
    char *text = NULL;

    shoal_i_buffer_init(&out, ctx, SHOAL_I_BUFFER_MAX);
    put(&out, number);
    assert_int_equal(shoal_i_buffer_take(&text, &out), SHOAL_OK);
    return text;
}

static void assert_written(shoal_ctx *ctx, put_function put, double number, const char *wanted)
{
    char *text = write_number(ctx, put, number);

    if (strcmp(text, wanted) != 0) {
        print_error("%.17g\n", number);
    }
    assert_string_equal(text, wanted);
    free(text);
}

static void put_whole_count(shoal_i_buffer *out, double number)
{
    shoal_i_put_count(out, (uint64_t)number);
}

static void test_counts(void **state)
{
    assert_written(*state, put_whole_count, 0, "0");
    assert_written(*state, put_whole_count, 999, "999");
    assert_written(*state, put_whole_count, 1000, "1,000");
    assert_written(*state, put_whole_count, 30162, "30,162");
    assert_written(*state, put_whole_count, 123456, "123,456");
    assert_written(*state, put_whole_count, 1234567, "1,234,567");
    assert_written(*state, put_whole_count, 9007199254740992, "9,007,199,254,740,992");
}

/* --- Per cent. -------------------------------------------------------------------------- */

static void test_percent_worked(void **state)
{
    static const struct {
        double share;
        const char *text;
    } known[] = {
        {0, "0"},
        {1, "100"},
        {0.2, "20"},
        {7.0 / 50, "14"},
        {0.07, "7"},
        {0.29, "29"},
        {0.1403, "14.0"},
        {0.0413, "4.13"},
        {0.00234, "0.23"},
        {0.000234, "0.023"},
        {0.0001, "0.010"},
        {0.00009999, "under 0.01"},
        {1e-300, "under 0.01"},
        {0.9999, "99.99"},
        {0.99991, "over 99.99"},
        {1 - 1e-8, "over 99.99"},
        {0.9996, "99.96"},
        {0.9994, "99.9"},
        {0.09996, "10.0"},
        {0.00996, "1.00"},
        {0.000996, "0.10"},
        {1.7112, "171"},
        {25.5, "2,550"},
        {-0.1403, "−14.0"},
        {INFINITY, "∞"},
        {NAN, "not known"},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_written(*state, shoal_i_put_percent, known[i].share, known[i].text);
    }
}

/* units of 10^-6 of a per cent, rounded to so many decimals, as text. */
static void round_slowly(char out[32], int64_t units, int decimals, int64_t nudge)
{
    int64_t unit = 1000000;
    int64_t power = 1;

    for (int i = 0; i < decimals; i++) {
        power *= 10;
    }
    int64_t scaled = (2 * units * power + unit + nudge) / (2 * unit);

    if (decimals == 0) {
        snprintf(out, 32, "%" PRId64, scaled);
    } else {
        snprintf(out, 32, "%" PRId64 ".%0*" PRId64, scaled / power, decimals, scaled % power);
    }
}

/* The text by the rules of the header, in whole numbers; nudge -1: ties go down. */
static void write_slowly(char out[32], int64_t units, int64_t nudge)
{
    static const int64_t edges[] = {99950000, 9995000, 99500, 0};

    if (units % 1000000 == 0) {
        snprintf(out, 32, "%" PRId64, units / 1000000);
    } else if (units < 10000) {
        snprintf(out, 32, "under 0.01");
    } else if (units > 99990000) {
        snprintf(out, 32, "over 99.99");
    } else {
        static const int decimals[] = {2, 1, 2, 3};
        size_t rule = 0;

        while (units + (nudge < 0 ? -1 : 0) < edges[rule]) {
            rule++;
        }
        round_slowly(out, units, decimals[rule], nudge);
    }
}

/* Every share of a hundred thousand, and of all small and large ones each. */
static void test_percent_is_rounded_right(void **state)
{
    for (int64_t units = 0; units <= 100000000;
         units += units < 200000 || units > 99900000 ? 50 : 4999) {
        char *text = write_number(*state, shoal_i_put_percent, (double)units / 1e8);
        char up[32];
        char down[32];

        write_slowly(up, units, 0);
        write_slowly(down, units, -1);
        if (strcmp(text, up) != 0 && strcmp(text, down) != 0) {
            fail_msg("%" PRId64 " millionths of a per cent: %s, not %s", units, text, up);
        }
        free(text);
    }
}

/* --- Other numbers. --------------------------------------------------------------------- */

static void test_numbers(void **state)
{
    static const struct {
        double number;
        const char *text;
    } known[] = {
        {0, "0"},
        {5, "5"},
        {-5, "−5"},
        {3.78912, "3.789"},
        {0.14034, "0.1403"},
        {1.130, "1.13"},
        {999.4, "999.4"},
        {4210.1, "4,210"},
        {4210.5, "4,211"},
        {29044, "29,044"},
        {1e15, "1e+15"},
        {0.0001, "0.0001"},
        {0.00009, "under 0.0001"},
        {-INFINITY, "∞"},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_written(*state, shoal_i_put_number, known[i].number, known[i].text);
    }
}

/* --- Steps. ----------------------------------------------------------------------------- */

static char *write_step(shoal_ctx *ctx, shoal_i_step step, int64_t times)
{
    shoal_i_buffer out;
    char *text = NULL;

    shoal_i_buffer_init(&out, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_step_put(&out, step, times);
    assert_int_equal(shoal_i_buffer_take(&text, &out), SHOAL_OK);
    return text;
}

/* All steps there are, the smallest first. */
static shoal_i_step choose_slowly(double length, size_t most)
{
    for (int power = -30; power <= 40; power++) {
        for (int digit = 1; digit <= 5; digit += digit == 1 ? 1 : 3) {
            char text[32];
            double step = 0;

            snprintf(text, sizeof text, "%de%d", digit, power);
            assert_true(shoal_i_text_to_double(&step, text, strlen(text)));
            if (length <= (double)most * step * (1 + 1e-11)) {
                return (shoal_i_step){digit, power};
            }
        }
    }
    return (shoal_i_step){0, 0};
}

static void test_steps_are_the_smallest(void **state)
{
    shoal_i_random random = shoal_i_random_start(7);

    (void)state;
    for (int i = 0; i < 800; i++) {
        size_t most = 1 + shoal_i_random_below(&random, 25);
        int power = (int)shoal_i_random_below(&random, 40) - 20;
        double length = (double)(1 + shoal_i_random_below(&random, 100000)) * pow(10, power);

        if (i % 4 == 0) { /* exactly so many steps, as 155.925 never is */
            length = (double)most * (double)(1 + i % 5) * pow(10, power);
        }
        shoal_i_step step = shoal_i_step_choose(length, most);
        shoal_i_step wanted = choose_slowly(length, most);

        if (step.digit != wanted.digit || step.power != wanted.power) {
            fail_msg("%.17g in at most %zu: %d e %d, not %d e %d", length, most, step.digit,
                     step.power, wanted.digit, wanted.power);
        }
    }
}

/* Multiples are the numbers that are written so; what is below a value is counted right. */
static void test_multiples(void **state)
{
    for (int power = -9; power <= 9; power++) {
        for (int digit = 1; digit <= 5; digit += digit == 1 ? 1 : 3) {
            shoal_i_step step = {digit, power};

            for (int64_t times = -130; times <= 130; times++) {
                char written[64];
                double number = 0;
                int64_t below = 0;
                char *text = write_step(*state, step, times);

                snprintf(written, sizeof written, "%" PRId64 "e%d", times * digit, power);
                assert_true(shoal_i_text_to_double(&number, written, strlen(written)));
                assert_true(number == shoal_i_step_times(step, times));
                assert_true(shoal_i_step_below(&below, step, number));
                assert_int_equal(below, times);
                assert_true(shoal_i_step_below(&below, step, nextafter(number, -INFINITY)));
                assert_int_equal(below, times - 1);

                /* The text without commas and with a plain minus is that number again. */
                size_t length = 0;
                char plain[64];

                for (const char *c = text; *c; c++) {
                    if (strncmp(c, "−", strlen("−")) == 0) {
                        plain[length++] = '-';
                        c += strlen("−") - 1;
                    } else if (*c != ',') {
                        plain[length++] = *c;
                    }
                }
                assert_true(shoal_i_text_to_double(&number, plain, length));
                assert_true(number == shoal_i_step_times(step, times));
                free(text);
            }
        }
    }
}

static void test_step_texts(void **state)
{
    static const struct {
        shoal_i_step step;
        int64_t times;
        const char *text;
    } known[] = {
        {{5, 1}, 3, "150"},
        {{5, -2}, 3, "0.15"},
        {{2, -1}, 10, "2.0"},
        {{1, 3}, 12, "12,000"},
        {{5, -1}, -3, "−1.5"},
        {{1, 12}, 1, "1e+12"},
        {{1, 11}, 1, "100,000,000,000"},
        {{2, -10}, 1, "2e-10"},
        {{2, -10}, 0, "0"},
        {{2, -9}, 1, "0.000000002"},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char *text = write_step(*state, known[i].step, known[i].times);

        assert_string_equal(text, known[i].text);
        free(text);
    }
}

static void test_steps_too_small_to_count(void **state)
{
    int64_t below = 0;

    (void)state;
    assert_false(shoal_i_step_below(&below, (shoal_i_step){1, 0}, 0x1p51));
    assert_false(shoal_i_step_below(&below, (shoal_i_step){1, -300}, 1));
    assert_true(shoal_i_step_below(&below, (shoal_i_step){1, 0}, 0x1p49 + 0.5));
    assert_true(below == INT64_C(1) << 49);
    shoal_i_step largest = shoal_i_step_choose(DBL_MAX, 1);

    assert_true(largest.power >= 308);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_percent_worked),
        cmocka_unit_test(test_percent_is_rounded_right),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_steps_are_the_smallest),
        cmocka_unit_test(test_multiples),
        cmocka_unit_test(test_step_texts),
        cmocka_unit_test(test_steps_too_small_to_count),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
