/* What requirements refuse, and what they say: bad parameters, and what no release can meet. */
#include "context.h"
#include "requirement_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Bad parameters. --------------------------------------------------------------------- */

static void assert_refused(shoal_ctx *ctx, const shoal_i_requirement *item, shoal_status status,
                           const char *words)
{
    shoal_i_requirement_set set = {0};

    assert_int_equal(shoal_i_requirement_add_item(ctx, &set, item), status);
    assert_int_equal(set.count, 0);
    if (!strstr(ctx->error.message, words)) {
        fail_msg("\"%s\" lacks \"%s\"", ctx->error.message, words);
    }
    shoal_i_requirement_set_clear(&set);
}

static void test_bad_values(void **state)
{
    fixture_column illness;
    static const struct {
        const shoal_i_requirement_kind *kind;
        double bad[4];
        const char *expected;
    } cases[] = {
        {&shoal_i_alpha_general, {0, -0.1, 1.01, NAN}, "a share above 0 and up to 1"},
        {&shoal_i_alpha_values, {0, -0.1, 1.01, NAN}, "a share above 0 and up to 1"},
        {&shoal_i_l_frequency, {0.99, -1, INFINITY, NAN}, "a number of at least 1"},
        {&shoal_i_l_distinct, {0, 2.5, INFINITY, NAN}, "a whole number of at least 1"},
        {&shoal_i_l_entropy, {0.99, -1, INFINITY, NAN}, "a number of at least 1"},
        {&shoal_i_l_recursive, {0, 2.5, INFINITY, NAN}, "a whole number of at least 1"},
        {&shoal_i_t_js, {-0.01, 1.01, INFINITY, NAN}, "a number from 0 to 1"},
        {&shoal_i_t_equal, {-0.01, 1.01, INFINITY, NAN}, "a number from 0 to 1"},
        {&shoal_i_t_ordered, {-0.01, 1.01, INFINITY, NAN}, "a number from 0 to 1"},
        {&shoal_i_t_hierarchical, {-0.01, 1.01, INFINITY, NAN}, "a number from 0 to 1"},
        {&shoal_i_delta_disclosure, {-0.01, -INFINITY, INFINITY, NAN}, "at least 0"},
        {&shoal_i_beta_basic, {-0.01, -INFINITY, INFINITY, NAN}, "at least 0"},
        {&shoal_i_beta_enhanced, {-0.01, -INFINITY, INFINITY, NAN}, "at least 0"},
        {&shoal_i_k_map, {0, 1.5, INFINITY, NAN}, "a whole number of at least 1"},
        {&shoal_i_presence_most, {0, -0.1, 1.01, NAN}, "a share above 0 and up to 1"},
        {&shoal_i_presence_between, {0, -0.1, 1.01, NAN}, "a share above 0 and up to 1"},
    };

    fixture_make_illness(&illness);
    for (size_t i = 0; i < COUNT(cases); i++) {
        for (size_t j = 0; j < COUNT(cases[i].bad); j++) {
            shoal_i_requirement item = {.kind = cases[i].kind,
                                        .value = cases[i].bad[j],
                                        .c = 1,
                                        .column = &illness.column};

            assert_refused(*state, &item, SHOAL_EINVAL, cases[i].expected);
        }
    }
}

static void test_bad_named_values(void **state)
{
    fixture_column illness;
    const uint32_t twice[] = {1, 1};
    const uint32_t unknown[] = {0, 3};
    const double limits[] = {0.5, 0};
    shoal_i_requirement item = {
        .kind = &shoal_i_alpha_values, .value = 0.5, .column = &illness.column};

    fixture_make_illness(&illness);
    assert_refused(*state, &item, SHOAL_EINVAL, "at least one value");
    item.codes = twice;
    item.code_count = 2;
    assert_refused(*state, &item, SHOAL_EINVAL, "twice");
    item.codes = unknown;
    assert_refused(*state, &item, SHOAL_ENOTFOUND, "does not occur in column \"illness\"");
    item.kind = &shoal_i_alpha_limits;
    item.limits = limits;
    assert_refused(*state, &item, SHOAL_EINVAL, "limit");
}

static void test_bad_columns(void **state)
{
    fixture_column illness;
    shoal_i_requirement item = {.kind = &shoal_i_t_ordered, .value = 0.2};

    fixture_make_illness(&illness);
    assert_refused(*state, &item, SHOAL_EINVAL, "sensitive column");
    item.column = &illness.column;
    assert_refused(*state, &item, SHOAL_EINVAL, "needs numbers or dates");
    item.kind = &shoal_i_t_hierarchical;
    assert_refused(*state, &item, SHOAL_EINVAL, "needs a hierarchy");
    item.kind = &shoal_i_l_recursive;
    item.value = 2;
    item.c = NAN;
    assert_refused(*state, &item, SHOAL_EINVAL, "The c of");
    item.c = 0;
    assert_refused(*state, &item, SHOAL_EINVAL, "The c of");
    item = (shoal_i_requirement){.kind = &shoal_i_presence_between, .value = 0.2, .least = 0.3};
    assert_refused(*state, &item, SHOAL_EINVAL, "least share");
    item.least = NAN;
    assert_refused(*state, &item, SHOAL_EINVAL, "least share");
}

/* --- Refusals. --------------------------------------------------------------------------- */

/* 5 flu, 3 fever, 2 HIV of 10 records: what cannot be met, and what is said. */
static void assert_impossible(shoal_ctx *ctx, shoal_i_requirement item, const char *first,
                              const char *second)
{
    fixture_column illness;
    fixture_class whole;
    shoal_i_requirement_set set = {0};

    fixture_make_illness(&illness);
    fixture_make_class(&whole, illness.totals, 3);
    item.column = &illness.column;
    assert_int_equal(shoal_i_requirement_add_item(ctx, &set, &item), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_check_possible(ctx, &set, &whole.stats),
                     SHOAL_EUNSATISFIABLE);
    if (!strstr(ctx->error.message, first) || !strstr(ctx->error.message, second) ||
        !strstr(ctx->error.message, "\"illness\"")) {
        fail_msg("\"%s\" lacks \"%s\" or \"%s\"", ctx->error.message, first, second);
    }
    shoal_i_requirement_set_clear(&set);
}

static void test_impossible(void **state)
{
    shoal_ctx *ctx = *state;
    const uint32_t hiv[] = {2, 1};
    const double limits[] = {0.1, 0.3};
    const double tied[] = {0.1, 0.15};

    assert_impossible(ctx, (shoal_i_requirement){&shoal_i_alpha_general, .value = 0.4},
                      "the value of rank 1 by frequency has 5 of the 10 records",
                      "the smallest alpha that can hold is 0.5.");
    assert_impossible(
        ctx,
        (shoal_i_requirement){
            .kind = &shoal_i_alpha_values, .value = 0.1, .codes = hiv, .code_count = 1},
        "the value of rank 3 by frequency has 2 of the 10 records",
        "the smallest alpha that can hold is 0.2.");
    assert_impossible(
        ctx,
        (shoal_i_requirement){
            .kind = &shoal_i_alpha_values, .value = 0.4, .codes = hiv, .code_count = 2},
        "the named values together have 5 of the 10 records", "0.5.");
    assert_impossible(
        ctx,
        (shoal_i_requirement){
            .kind = &shoal_i_alpha_limits, .codes = hiv, .limits = limits, .code_count = 2},
        "The limit 0.1 cannot", "rank 3");
    assert_impossible(/* the first of those that are as far from being met */
                      ctx,
                      (shoal_i_requirement){.kind = &shoal_i_alpha_limits,
                                            .codes = hiv,
                                            .limits = tied,
                                            .code_count = 2},
                      "The limit 0.1 cannot", "rank 3");
    assert_impossible(ctx, (shoal_i_requirement){&shoal_i_l_frequency, .value = 2.5},
                      "rank 1 by frequency has 5 of the 10",
                      "the largest l that can hold is 2.");
    assert_impossible(ctx, (shoal_i_requirement){&shoal_i_l_distinct, .value = 4},
                      "3 different values", "the largest l that can hold is 3.");
    assert_impossible(ctx, (shoal_i_requirement){&shoal_i_l_entropy, .value = 3},
                      "5 of the 10 records", "the largest l that can hold is 2.800");
    assert_impossible(ctx, (shoal_i_requirement){&shoal_i_l_recursive, .value = 3, .c = 2},
                      "the values from rank 3 on have 2",
                      "the largest l that can hold with this c is 2.");
    assert_impossible(ctx, (shoal_i_requirement){&shoal_i_l_recursive, .value = 1, .c = 0.5},
                      "has 5", "no l can hold with this c");
}

/* What the message offers as possible must be possible. */
static void test_offered_bound_holds(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint32_t rest = 1; rest < 200; rest++) {
        const uint32_t totals[] = {37, rest};
        fixture_column column;
        double figure = 0;
        shoal_i_requirement item = {
            .kind = &shoal_i_alpha_general, .value = 0.01, .column = &column.column};

        fixture_make_column(&column, totals, 2);
        fixture_class whole;
        shoal_i_requirement_set set = {0};

        fixture_make_class(&whole, totals, 2);
        assert_int_equal(shoal_i_requirement_add_item(ctx, &set, &item), SHOAL_OK);
        assert_int_equal(shoal_i_requirement_check_possible(ctx, &set, &whole.stats),
                         SHOAL_EUNSATISFIABLE);
        shoal_i_requirement_set_clear(&set);
        item.value = strtod(strstr(ctx->error.message, "hold is ") + 8, NULL);
        assert_true(fixture_check(ctx, &item, totals, &figure));
        assert_true(item.value - figure < 1.1e-6);
    }
}

/* The whole table always meets these. */
static void test_never_impossible(void **state)
{
    const shoal_i_requirement_kind *const kinds[] = {
        &shoal_i_t_js, &shoal_i_t_equal, &shoal_i_delta_disclosure, &shoal_i_beta_basic,
        &shoal_i_beta_enhanced};

    for (size_t i = 0; i < COUNT(kinds); i++) {
        assert_true(fixture_holds(*state, kinds[i], 0, 5, 3, 2));
    }
}

static void test_best_possible(void **state)
{
    fixture_column illness;
    fixture_class whole;
    static const struct {
        const shoal_i_requirement_kind *kind;
        double value;
        double best;
    } cases[] = {
        {&shoal_i_k_anonymity, 1, 10},    {&shoal_i_alpha_general, 1, 0.5},
        {&shoal_i_l_frequency, 1, 2},     {&shoal_i_l_distinct, 1, 3},
        {&shoal_i_l_recursive, 1, 2},     {&shoal_i_t_js, 1, 0},
        {&shoal_i_t_equal, 1, 0},         {&shoal_i_delta_disclosure, 1, 0},
        {&shoal_i_beta_basic, 1, 0},      {&shoal_i_k_map, 1, 100},
        {&shoal_i_presence_most, 1, 0.1},
    };

    fixture_make_illness(&illness);
    fixture_make_class(&whole, illness.totals, 3);
    whole.stats.population_size = 100;
    for (size_t i = 0; i < COUNT(cases); i++) {
        shoal_i_requirement_set set = {0};
        shoal_i_requirement item = {
            .kind = cases[i].kind, .value = cases[i].value, .c = 2, .column = &illness.column};

        assert_int_equal(shoal_i_requirement_add_item(*state, &set, &item), SHOAL_OK);
        assert_true(shoal_i_requirement_best_possible(&set.items[0], &whole.stats) ==
                    cases[i].best);
        shoal_i_requirement_set_clear(&set);
    }
    assert_true(isnan(shoal_i_requirement_best_possible(
        &(shoal_i_requirement){.kind = &shoal_i_personal_k}, &whole.stats)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_values),          cmocka_unit_test(test_bad_named_values),
        cmocka_unit_test(test_bad_columns),         cmocka_unit_test(test_impossible),
        cmocka_unit_test(test_offered_bound_holds), cmocka_unit_test(test_never_impossible),
        cmocka_unit_test(test_best_possible),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
