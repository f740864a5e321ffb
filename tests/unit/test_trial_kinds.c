#include "base/random.h"
#include "method/best/trial_kinds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Of all draws, how many choose each kind, by drawing every number. */
static void count_draws(const shoal_i_trial_kinds *kinds, double *parts)
{
    for (unsigned i = 0; i < SHOAL_I_TRIAL_KINDS; i++) {
        parts[i] = 0;
    }
    for (uint32_t number = 0; number < SHOAL_I_TRIAL_DRAWS; number++) {
        unsigned kind = shoal_i_trial_kinds_choose(kinds, number);

        assert_in_range(kind, 0, SHOAL_I_TRIAL_KINDS - 1);
        parts[kind] += 1.0 / SHOAL_I_TRIAL_DRAWS;
    }
}

static void test_alike_at_first(void **state)
{
    (void)state;
    shoal_i_trial_kinds kinds;
    double parts[SHOAL_I_TRIAL_KINDS];

    shoal_i_trial_kinds_init(&kinds);
    count_draws(&kinds, parts);
    for (unsigned i = 0; i < SHOAL_I_TRIAL_KINDS; i++) {
        assert_true(fabs(parts[i] - 1.0 / SHOAL_I_TRIAL_KINDS) < 1e-4);
    }
    /* Trials that gained nothing tell nothing. */
    shoal_i_trial_yield yields[SHOAL_I_TRIAL_KINDS] = {{.work = 1000}, {.work = 77}};

    shoal_i_trial_kinds_add(&kinds, yields);
    shoal_i_trial_kinds_learn(&kinds);
    count_draws(&kinds, parts);
    assert_true(fabs(parts[0] - 1.0 / SHOAL_I_TRIAL_KINDS) < 1e-4);
}

/* Every combination of what a kind says is there once. */
static void test_what_kinds_say(void **state)
{
    (void)state;
    unsigned seen[SHOAL_I_TRIAL_OPENED + 1][2][2] = {{{0}}};

    for (unsigned kind = 0; kind < SHOAL_I_TRIAL_KINDS; kind++) {
        unsigned opened = shoal_i_trial_opened(kind);

        assert_in_range(opened, 1, SHOAL_I_TRIAL_OPENED);
        seen[opened][shoal_i_trial_makes_most(kind)][shoal_i_trial_is_remote(kind)]++;
    }
    for (unsigned opened = 1; opened <= SHOAL_I_TRIAL_OPENED; opened++) {
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(seen[opened][i & 1][i >> 1], 1);
        }
    }
}

/* Against the same in floating point. */
static void test_by_square_of_gain_per_row(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        shoal_i_trial_kinds kinds;
        shoal_i_trial_yield yields[SHOAL_I_TRIAL_KINDS];
        double rates[SHOAL_I_TRIAL_KINDS];
        double parts[SHOAL_I_TRIAL_KINDS];
        double sum = 0;

        shoal_i_random random = shoal_i_random_start(seed);

        shoal_i_trial_kinds_init(&kinds);
        for (unsigned i = 0; i < SHOAL_I_TRIAL_KINDS; i++) {
            yields[i].work = 10000000 + shoal_i_random_below(&random, 10000000);
            yields[i].gain = shoal_i_random_below(&random, 1000) * 1000000000;
            rates[i] = (double)yields[i].gain / (double)yields[i].work;
            sum += rates[i] * rates[i];
        }
        shoal_i_trial_kinds_add(&kinds, yields);
        assert_int_equal(yields[3].gain + yields[3].work, 0);
        shoal_i_trial_kinds_learn(&kinds);
        count_draws(&kinds, parts);
        for (unsigned i = 0; i < SHOAL_I_TRIAL_KINDS; i++) {
            double expected = 0.875 * rates[i] * rates[i] / sum + 0.125 / SHOAL_I_TRIAL_KINDS;

            assert_true(fabs(parts[i] - expected) < 0.004);
        }
    }
}

/* What paid once and does not any more is drawn less than what pays now. */
static void test_older_counts_less(void **state)
{
    (void)state;
    shoal_i_trial_kinds kinds;
    double parts[SHOAL_I_TRIAL_KINDS];

    shoal_i_trial_kinds_init(&kinds);
    for (int batch = 0; batch < 200; batch++) {
        shoal_i_trial_yield yields[SHOAL_I_TRIAL_KINDS] = {{0}};

        for (unsigned i = 0; i < SHOAL_I_TRIAL_KINDS; i++) {
            yields[i].work = 100000;
        }
        yields[batch < 100 ? 2 : 9].gain = batch < 100 ? 100000000 : 10000000;
        shoal_i_trial_kinds_add(&kinds, yields);
        shoal_i_trial_kinds_learn(&kinds);
        count_draws(&kinds, parts);
        if (batch == 99) {
            assert_true(parts[2] > 0.85 && parts[9] < 0.01);
        }
    }
    assert_true(parts[9] > 0.6 && parts[2] < 0.3 && parts[5] > 0.007);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alike_at_first),
        cmocka_unit_test(test_what_kinds_say),
        cmocka_unit_test(test_by_square_of_gain_per_row),
        cmocka_unit_test(test_older_counts_less),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
