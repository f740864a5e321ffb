/* Each kind on small classes with numbers worked out by hand, its bounds hit exactly, and its
 * facts. More numbers: test_requirement_oracle.c; what is refused:
 * test_requirement_refusals.c. */
#include "context.h"
#include "requirement_fixture.h"

#include "base/random.h"
#include "requirement/figure.h"

#include <math.h>
#include <string.h>

static double figure_with(shoal_ctx *ctx, const shoal_i_requirement_kind *kind, double value,
                          uint32_t flu, uint32_t fever, uint32_t hiv)
{
    fixture_column illness;
    double figure = 0;

    fixture_make_illness(&illness);
    fixture_check(ctx, &(shoal_i_requirement){kind, value, .column = &illness.column},
                  (const uint32_t[]){flu, fever, hiv}, &figure);
    return figure;
}

/* --- alpha ------------------------------------------------------------------------------- */

/* Tables 2 and 3 of Wong and others: classes of two, with two HIV records and with one. */
static void test_alpha_of_the_paper(void **state)
{
    fixture_column illness;
    const uint32_t hiv = 2;
    shoal_i_requirement item = {.kind = &shoal_i_alpha_values,
                                .value = 0.5,
                                .column = &illness.column,
                                .codes = &hiv,
                                .code_count = 1};
    double figure = 0;

    fixture_make_illness(&illness);
    assert_false(fixture_check(*state, &item, (const uint32_t[]){0, 0, 2}, &figure));
    assert_true(figure == 1);
    assert_true(fixture_check(*state, &item, (const uint32_t[]){1, 0, 1}, &figure));
    assert_true(figure == 0.5);
    assert_true(fixture_check(*state, &item, (const uint32_t[]){1, 1, 0}, &figure));
    assert_true(figure == 0);
}

static void test_alpha_general(void **state)
{
    assert_true(fixture_holds(*state, &shoal_i_alpha_general, 0.5, 1, 1, 0));
    assert_false(fixture_holds(*state, &shoal_i_alpha_general, 0.5, 3, 1, 1));
    assert_true(fixture_holds(*state, &shoal_i_alpha_general, 1, 4, 0, 0));
    assert_true(figure_with(*state, &shoal_i_alpha_general, 0.5, 3, 1, 0) == 0.75);
}

/* A share that equals a decimal alpha on paper must equal it here, for every such pair, and one
 * record more must not. */
static void test_alpha_boundaries(void **state)
{
    for (uint32_t part = 1; part < 1000; part += 7) {
        double alpha = (double)part / 1000; /* rounds as the text "0.ppp" does */

        for (uint32_t times = 1; times <= 3; times++) {
            fixture_column column;
            uint32_t counts[] = {part * times, (1000 - part) * times};
            uint32_t code = 0;
            shoal_i_requirement item = {.kind = &shoal_i_alpha_values,
                                        .value = alpha,
                                        .column = &column.column,
                                        .codes = &code,
                                        .code_count = 1};
            double figure = 0;

            fixture_make_column(&column, counts, 2);
            assert_true(fixture_check(*state, &item, counts, &figure));
            counts[0]++;
            counts[1]--;
            assert_false(fixture_check(*state, &item, counts, &figure));
        }
    }
}

static void test_alpha_of_a_set(void **state)
{
    fixture_column illness;
    const uint32_t codes[] = {2, 1};
    shoal_i_requirement item = {.kind = &shoal_i_alpha_values,
                                .value = 0.6,
                                .column = &illness.column,
                                .codes = codes,
                                .code_count = 2};
    double figure = 0;

    fixture_make_illness(&illness);
    /* Neither has more than 0.6, both together have. */
    assert_false(fixture_check(*state, &item, (const uint32_t[]){1, 2, 1}, &figure));
    assert_true(figure == 0.75);
    assert_true(fixture_check(*state, &item, (const uint32_t[]){2, 2, 1}, &figure));
}

static void test_alpha_limits(void **state)
{
    fixture_column illness;
    const uint32_t codes[] = {1, 2};
    const double limits[] = {0.5, 0.2};
    shoal_i_requirement item = {.kind = &shoal_i_alpha_limits,
                                .column = &illness.column,
                                .codes = codes,
                                .limits = limits,
                                .code_count = 2};
    double figure = 0;

    fixture_make_illness(&illness);
    assert_true(fixture_check(*state, &item, (const uint32_t[]){2, 2, 1}, &figure));
    assert_true(figure == 1); /* one HIV of five is just the limit */
    assert_false(fixture_check(*state, &item, (const uint32_t[]){2, 1, 1}, &figure));
    assert_true(fabs(figure - 1.25) < 1e-15);
    assert_true(fixture_check(*state, &item, (const uint32_t[]){9, 0, 0}, &figure));
}

/* --- l ----------------------------------------------------------------------------------- */

static void test_l_frequency(void **state)
{
    const shoal_i_requirement_kind *kind = &shoal_i_l_frequency;

    assert_true(fixture_holds(*state, kind, 3, 1, 1, 1)); /* thirds, exactly */
    assert_true(fixture_holds(*state, kind, 3, 7, 7, 7));
    assert_false(fixture_holds(*state, kind, 3.01, 7, 7, 7));
    assert_true(fixture_holds(*state, kind, 2.5, 2, 2, 1));
    assert_false(fixture_holds(*state, kind, 2.5, 2, 1, 1));
    assert_true(fixture_holds(*state, kind, 3.3 / 2, 20, 13, 0)); /* 33/20 */
    assert_true(figure_with(*state, kind, 2, 4, 2, 2) == 2);
}

static void test_l_distinct(void **state)
{
    assert_true(fixture_holds(*state, &shoal_i_l_distinct, 3, 98, 1, 1));
    assert_false(fixture_holds(*state, &shoal_i_l_distinct, 3, 98, 0, 2));
    assert_true(figure_with(*state, &shoal_i_l_distinct, 3, 98, 0, 2) == 2);
}

static void test_l_entropy(void **state)
{
    const shoal_i_requirement_kind *kind = &shoal_i_l_entropy;

    for (uint32_t times = 1; times < 2000; times += 13) {
        assert_true(fixture_holds(*state, kind, 3, times, times, times));
        assert_true(fixture_holds(*state, kind, 2, times, 0, times));
        assert_false(fixture_holds(*state, kind, 3, times + 1, times, times));
    }
    /* 1/2, 1/4, 1/4: entropy 1.5 ln 2, so l = 2^1.5. */
    assert_true(fabs(figure_with(*state, kind, 2, 2, 1, 1) - pow(2, 1.5)) < 1e-14);
    assert_true(fixture_holds(*state, kind, 2.82, 2, 1, 1));
    assert_false(fixture_holds(*state, kind, 2.83, 2, 1, 1));
}

static void test_l_recursive(void **state)
{
    fixture_column illness;
    shoal_i_requirement item = {
        .kind = &shoal_i_l_recursive, .value = 2, .c = 2, .column = &illness.column};
    double figure = 0;

    fixture_make_illness(&illness);
    /* 4 against 1 + 1: 4 < 2 * 2 is false, by equality. */
    assert_false(fixture_check(*state, &item, (const uint32_t[]){1, 4, 1}, &figure));
    assert_true(figure == 2);
    assert_true(fixture_check(*state, &item, (const uint32_t[]){3, 1, 1}, &figure));
    item.value = 3; /* 3 against the rarest alone */
    assert_false(fixture_check(*state, &item, (const uint32_t[]){3, 1, 1}, &figure));
    assert_false(fixture_check(*state, &item, (const uint32_t[]){3, 3, 0}, &figure));
    assert_true(isinf(figure));
    item.value = 1; /* 2 against all 4 */
    assert_true(fixture_check(*state, &item, (const uint32_t[]){2, 1, 1}, &figure));
    assert_true(figure == 0.5);
}

/* --- t ----------------------------------------------------------------------------------- */

static void test_t_equal(void **state)
{
    /* p = (1, 0, 0) against (0.5, 0.3, 0.2). */
    assert_true(figure_with(*state, &shoal_i_t_equal, 0.5, 1, 0, 0) == 0.5);
    assert_true(fixture_holds(*state, &shoal_i_t_equal, 0.5, 1, 0, 0));
    assert_true(fixture_holds(*state, &shoal_i_t_equal, 0.7, 0, 1, 0));
    assert_false(fixture_holds(*state, &shoal_i_t_equal, 0.69, 0, 1, 0));
    assert_true(fixture_holds(*state, &shoal_i_t_equal, 0, 10, 6, 4));
    assert_false(fixture_holds(*state, &shoal_i_t_equal, 0, 10, 6, 5));
}

/* The example of the paper: salaries 3k to 11k; 3k 4k 5k is at 0.375, 6k 8k 11k at 1/6. */
static void test_t_ordered(void **state)
{
    const uint32_t all[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    fixture_column salary;
    shoal_i_requirement item = {
        .kind = &shoal_i_t_ordered, .value = 0.375, .column = &salary.column};
    double figure = 0;

    fixture_make_column(&salary, all, 9);
    assert_true(
        fixture_check(*state, &item, (const uint32_t[]){1, 1, 1, 0, 0, 0, 0, 0, 0}, &figure));
    assert_true(figure == 0.375);
    item.value = 0.374;
    assert_false(
        fixture_check(*state, &item, (const uint32_t[]){1, 1, 1, 0, 0, 0, 0, 0, 0}, &figure));
    assert_true(
        fixture_check(*state, &item, (const uint32_t[]){0, 0, 0, 1, 0, 1, 0, 0, 1}, &figure));
    assert_true(fabs(figure - 1.0 / 6) < 1e-15);
    item.value = 0;
    assert_true(fixture_check(*state, &item, all, &figure));
}

/* Two groups of two: within a group 1/2 apart, across 1. */
static void test_t_hierarchical(void **state)
{
    shoal_ctx *ctx = *state;
    const char *const labels[] = {"all", "lung", "gut", "flu", "asthma", "ulcer", "colitis"};
    const uint32_t parents[] = {0, 0, 0, 1, 1, 2, 2};
    const uint32_t node_of_code[] = {3, 5, 4, 6}; /* codes are not in the order of leaves */
    fixture_column illness;
    shoal_i_requirement item = {
        .kind = &shoal_i_t_hierarchical, .value = 0.5, .column = &illness.column};
    shoal_hierarchy *h = NULL;
    double figure = 0;

    fixture_make_column(&illness, (const uint32_t[]){1, 1, 1, 1}, 4);
    assert_int_equal(shoal_hierarchy_build_tree(ctx, &h, labels, parents, 7, node_of_code, 4),
                     SHOAL_OK);
    illness.column.hierarchy = h;
    /* Flu and asthma: half of the earth has to go to the other group. */
    assert_true(fixture_check(ctx, &item, (const uint32_t[]){1, 0, 1, 0}, &figure));
    assert_true(figure == 0.5);
    /* Flu and ulcer: half of it to the neighbour. */
    assert_true(fixture_check(ctx, &item, (const uint32_t[]){1, 1, 0, 0}, &figure));
    assert_true(fabs(figure - 0.25) < 1e-15);
    /* Flu alone: a quarter to the neighbour, half across. */
    assert_false(fixture_check(ctx, &item, (const uint32_t[]){1, 0, 0, 0}, &figure));
    assert_true(fabs(figure - 0.625) < 1e-15);
    item.value = 0;
    assert_true(fixture_check(ctx, &item, (const uint32_t[]){3, 3, 3, 3}, &figure));
    /* Nobody has a value: nothing has to go anywhere. */
    figure = 1;
    assert_true(fixture_check(ctx, &item, (const uint32_t[]){0, 0, 0, 0}, &figure));
    assert_true(figure == 0);
    shoal_hierarchy_free(h);
}

/* Li and Li 2009: revealing an occupation of Adult. */
static void test_t_js_of_the_paper(void **state)
{
    const uint32_t occupations[] = {314, 1331, 1063, 1196, 1323, 1329, 452,
                                    657, 1225, 327,  512,  52,   216,  3};
    fixture_column column;
    shoal_i_requirement item = {.kind = &shoal_i_t_js, .value = 0.5, .column = &column.column};
    uint32_t craft[COUNT(occupations)] = {0, 1};
    uint32_t forces[COUNT(occupations)] = {0};
    double figure = 0;

    forces[13] = 1;
    fixture_make_column(&column, occupations, COUNT(occupations));
    assert_int_equal(column.column.total, 10000);
    assert_true(fixture_check(*state, &item, craft, &figure));
    assert_true(fabs(figure - 0.488) < 0.0005);
    assert_false(fixture_check(*state, &item, forces, &figure));
    assert_true(fabs(figure - 0.692) < 0.0005);
    item.value = 0;
    assert_true(fixture_check(*state, &item, occupations, &figure));
    assert_true(figure == 0);
}

static void test_t_js_bounds(void **state)
{
    /* q = (1/2, 3/10, 1/5), p = (1, 0, 0): 1/2 (1/2 ln 2/3 + 1/2 ln 2 + ln 4/3). */
    double expected = (0.5 * log(2.0 / 3) + 0.5 * log(2) + log(4.0 / 3)) / 2;

    assert_true(fabs(figure_with(*state, &shoal_i_t_js, 0.9, 1, 0, 0) - expected) < 1e-15);
    assert_true(fixture_holds(*state, &shoal_i_t_js, 0, 50, 30, 20));
    assert_false(fixture_holds(*state, &shoal_i_t_js, 0, 50, 30, 21));
}

/* --- delta and beta ---------------------------------------------------------------------- */

static void test_delta(void **state)
{
    const shoal_i_requirement_kind *kind = &shoal_i_delta_disclosure;

    assert_true(fixture_holds(*state, kind, 0, 5, 3, 2));
    assert_true(fixture_holds(*state, kind, 0, 50, 30, 20));
    /* Shares 1/3 each: the largest change is 1/5 to 1/3. */
    assert_true(fabs(figure_with(*state, kind, 1, 1, 1, 1) - log(5.0 / 3)) < 1e-15);
    assert_true(fixture_holds(*state, kind, log(5.0 / 3), 1, 1, 1));
    assert_false(fixture_holds(*state, kind, 0.51, 1, 1, 1));
    /* 8 of 10 flu, 1 fever: the share of fever falls from 0.3 to 0.1. */
    assert_true(fabs(figure_with(*state, kind, 1, 8, 1, 1) - log(3)) < 1e-15);
    /* A value that is missing from the class violates every delta. */
    assert_false(fixture_holds(*state, kind, 1e300, 5, 3, 0));
    assert_true(isinf(figure_with(*state, kind, 1, 5, 3, 0)));
}

static void test_beta(void **state)
{
    /* Fever from 0.3 to 0.6 doubles; HIV from 0.2 to 0.4 as well. */
    assert_true(figure_with(*state, &shoal_i_beta_basic, 1, 0, 6, 4) == 1);
    assert_true(fixture_holds(*state, &shoal_i_beta_basic, 1, 0, 6, 4));
    assert_false(fixture_holds(*state, &shoal_i_beta_basic, 0.99, 0, 6, 4));
    assert_true(fixture_holds(*state, &shoal_i_beta_basic, 0, 5, 3, 2));
    /* Flu, share 1/2, may gain ln 2 at most, however large beta is. */
    assert_true(fixture_holds(*state, &shoal_i_beta_basic, 2, 1, 0, 0));
    assert_false(fixture_holds(*state, &shoal_i_beta_enhanced, 2, 1, 0, 0));
    assert_true(fixture_holds(*state, &shoal_i_beta_enhanced, 2, 84, 10, 6));
    assert_false(fixture_holds(*state, &shoal_i_beta_enhanced, 2, 86, 10, 4));
    assert_true(fabs(figure_with(*state, &shoal_i_beta_enhanced, 2, 1, 0, 0) - 2 / log(2)) <
                1e-14);
}

/* Products of class and table sizes beyond 2^53: equal shares stay equal, and one record off is
 * seen. */
static void test_huge_counts(void **state)
{
    const shoal_i_requirement_kind *const kinds[] = {&shoal_i_t_equal, &shoal_i_beta_basic,
                                                     &shoal_i_delta_disclosure};
    const uint32_t totals[] = {600000003, 1400000007};
    fixture_column column;
    double figure = 0;

    fixture_make_column(&column, totals, 2);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        shoal_i_requirement item = {kinds[i], .value = 0, .column = &column.column};

        assert_true(fixture_check(*state, &item, totals, &figure));
        assert_true(figure == 0);
        assert_true(fixture_check(*state, &item, (const uint32_t[]){3, 7}, &figure));
        assert_false(fixture_check(*state, &item, (const uint32_t[]){totals[0] - 1, totals[1]},
                                   &figure));
        assert_true(figure > 0);
    }
    /* Three tenths of two thousand million, in a class of which all is the first value. */
    shoal_i_requirement item = {&shoal_i_t_equal, .value = 0.7, .column = &column.column};

    fixture_make_column(&column, (const uint32_t[]){600000000, 1400000000}, 2);
    assert_true(fixture_check(*state, &item, (const uint32_t[]){500000000, 0}, &figure));
    assert_true(figure == 0.7);
    item.value = 0.6999999999;
    assert_false(fixture_check(*state, &item, (const uint32_t[]){500000000, 0}, &figure));
}

/* A quotient is that of the reduced numbers, rounded once, however large they come. */
static void test_ratio(void **state)
{
    shoal_i_random random = shoal_i_random_start(3);

    (void)state;
    for (int i = 0; i < 20000; i++) {
        uint64_t a = shoal_i_random_below(&random, 1000);
        uint64_t b = 1 + shoal_i_random_below(&random, 1000);
        uint64_t times = 1 + shoal_i_random_below(&random, UINT64_MAX / 1000 - 1);

        assert_true(shoal_i_ratio(a * times, b * times) == (double)a / (double)b);
    }
    assert_true(shoal_i_ratio(0, 0) == 0);
    assert_true(isinf(shoal_i_ratio(1, 0)));
}

/* --- population -------------------------------------------------------------------------- */

static bool holds_in(shoal_ctx *ctx, const shoal_i_requirement *item, uint64_t size,
                     uint64_t population)
{
    shoal_i_requirement_set set = {0};
    shoal_i_class_stats stats = {.size = size, .persons = size, .population_size = population};

    assert_int_equal(shoal_i_requirement_add_item(ctx, &set, item), SHOAL_OK);
    assert_true(shoal_i_requirement_needs_population(&set));
    bool holds = shoal_i_requirement_holds(&set, &stats);

    shoal_i_requirement_set_clear(&set);
    return holds;
}

static void test_population(void **state)
{
    shoal_i_requirement k_map = {.kind = &shoal_i_k_map, .value = 5};
    shoal_i_requirement most = {.kind = &shoal_i_presence_most, .value = 0.3};
    shoal_i_requirement between = {
        .kind = &shoal_i_presence_between, .value = 0.3, .least = 0.1};

    assert_true(holds_in(*state, &k_map, 1, 5));
    assert_false(holds_in(*state, &k_map, 4, 4));
    assert_true(holds_in(*state, &most, 3, 10));
    assert_false(holds_in(*state, &most, 4, 10));
    assert_true(holds_in(*state, &most, 1, 1000));
    assert_false(holds_in(*state, &most, 1, 0)); /* a population that lacks the record */
    assert_true(holds_in(*state, &between, 1, 10));
    assert_false(holds_in(*state, &between, 1, 11));
    assert_false(holds_in(*state, &between, 4, 10));
    assert_false(shoal_i_presence_most.is_monotone);
    assert_false(shoal_i_presence_between.is_monotone);
}

/* --- Facts. ------------------------------------------------------------------------------ */

static void test_facts(void **state)
{
    (void)state;
    for (size_t i = 0; shoal_i_requirement_kinds[i]; i++) {
        const shoal_i_requirement_kind *kind = shoal_i_requirement_kinds[i];

        assert_non_null(kind->title);
        assert_non_null(kind->figure);
        assert_non_null(kind->citation);
        assert_non_null(kind->smallest_class);
        assert_non_null(kind->describe);
        assert_true(kind->needs_sensitive == (kind->missing != NULL));
        assert_true((kind->check_value != NULL) == (kind->value_range != NULL));
        assert_ptr_equal(kind->variant
                             ? shoal_i_requirement_find_variant(kind->key, kind->variant)
                             : shoal_i_requirement_find(kind->key),
                         kind);
    }
    assert_ptr_equal(shoal_i_requirement_find("l"), &shoal_i_l_frequency);
    assert_ptr_equal(shoal_i_requirement_find("alpha"), &shoal_i_alpha_general);
    assert_ptr_equal(shoal_i_requirement_find("t"), &shoal_i_t_js);
    assert_ptr_equal(shoal_i_requirement_find("beta"), &shoal_i_beta_basic);
    assert_null(shoal_i_requirement_find_variant("l", "none"));
    assert_null(shoal_i_requirement_find_variant("k", "none"));
}

static void test_smallest_class(void **state)
{
    fixture_column illness;
    static const struct {
        const shoal_i_requirement_kind *kind;
        double value;
        uint64_t smallest;
    } cases[] = {
        {&shoal_i_alpha_general, 0.5, 2},
        {&shoal_i_alpha_general, 0.3, 4},
        {&shoal_i_alpha_general, 0.1, 10},
        {&shoal_i_alpha_general, 1.0 / 3, 3},
        {&shoal_i_alpha_general, 1, 1},
        {&shoal_i_l_frequency, 2.5, 3},
        {&shoal_i_l_distinct, 3, 3},
        {&shoal_i_l_entropy, 3, 3},
        {&shoal_i_l_entropy, 2.1, 3},
        {&shoal_i_l_recursive, 3, 3}, /* c = 2: one record of each of three */
        {&shoal_i_t_equal, 0.5, 1},   /* flu alone */
        {&shoal_i_t_equal, 0.49, 2},  /* must cover 0.51: flu and fever */
        {&shoal_i_t_equal, 0.1, 3},
        {&shoal_i_delta_disclosure, 5, 3},   /* every value */
        {&shoal_i_delta_disclosure, 0.1, 5}, /* one record may be at most 0.2 e^0.1 */
        {&shoal_i_beta_basic, 1, 1},         /* flu alone gains 1 */
        {&shoal_i_beta_basic, 0.9, 2},
    };

    fixture_make_illness(&illness);
    for (size_t i = 0; i < COUNT(cases); i++) {
        shoal_i_requirement_set set = {0};
        shoal_i_requirement item = {
            .kind = cases[i].kind, .value = cases[i].value, .c = 2, .column = &illness.column};

        assert_int_equal(shoal_i_requirement_add_item(*state, &set, &item), SHOAL_OK);
        assert_int_equal(shoal_i_requirement_smallest_class(&set), cases[i].smallest);
        shoal_i_requirement_set_clear(&set);
    }
}

/* However 1/n was rounded: n records with n different values meet alpha = 1/n. */
static void test_smallest_class_of_fractions(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < 20000; n++) {
        shoal_i_requirement item = {&shoal_i_alpha_general, .value = 1 / (double)n};

        assert_int_equal(item.kind->smallest_class(&item), n);
    }
}

static void assert_words(shoal_ctx *ctx, shoal_i_requirement item, const char *expected)
{
    fixture_column illness;
    shoal_i_buffer text;

    fixture_make_illness(&illness);
    item.column = &illness.column;
    shoal_i_buffer_init(&text, ctx, 1000);
    item.kind->describe(&item, "class", &text);
    char *words = NULL;

    assert_int_equal(shoal_i_buffer_take(&words, &text), SHOAL_OK);
    assert_string_equal(words, expected);
    free(words);
}

static void test_describe(void **state)
{
    shoal_ctx *ctx = *state;
    const uint32_t codes[] = {0, 2};
    const double limits[] = {0.6, 0.2};

    assert_words(ctx, (shoal_i_requirement){&shoal_i_alpha_general, .value = 0.5},
                 "in every class each value of illness has a share of at most 0.5");
    assert_words(
        ctx, (shoal_i_requirement){&shoal_i_alpha_values, 0.5, .codes = codes, .code_count = 2},
        "in every class the value of rank 1 by frequency and the value of rank 3 by "
        "frequency of illness together have a share of at most 0.5");
    assert_words(
        ctx,
        (shoal_i_requirement){&shoal_i_alpha_limits, .codes = codes, .limits = limits,
                              .code_count = 2},
        "in every class, of illness, the value of rank 1 by frequency has a share of at "
        "most 0.6, the value of rank 3 by frequency has a share of at most 0.2");
    assert_words(ctx, (shoal_i_requirement){&shoal_i_l_frequency, .value = 2.5},
                 "in every class each value of illness has a share of at most 1/2.5");
    assert_words(ctx, (shoal_i_requirement){&shoal_i_l_distinct, .value = 1},
                 "every class has at least 1 value of illness");
    assert_words(ctx, (shoal_i_requirement){&shoal_i_l_distinct, .value = 2},
                 "every class has at least 2 different values of illness");
    assert_words(ctx, (shoal_i_requirement){&shoal_i_t_js, .value = 0.2},
                 "in every class the distribution of illness is at most 0.2 from that of the "
                 "table (distance: js)");
    assert_words(ctx, (shoal_i_requirement){&shoal_i_presence_between, 0.5, .least = 0.1},
                 "of the population that falls into a class, a share of at least 0.1 and at "
                 "most 0.5 is in the table");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alpha_of_the_paper),
        cmocka_unit_test(test_alpha_general),
        cmocka_unit_test(test_alpha_boundaries),
        cmocka_unit_test(test_alpha_of_a_set),
        cmocka_unit_test(test_alpha_limits),
        cmocka_unit_test(test_l_frequency),
        cmocka_unit_test(test_l_distinct),
        cmocka_unit_test(test_l_entropy),
        cmocka_unit_test(test_l_recursive),
        cmocka_unit_test(test_t_equal),
        cmocka_unit_test(test_t_ordered),
        cmocka_unit_test(test_t_hierarchical),
        cmocka_unit_test(test_t_js_of_the_paper),
        cmocka_unit_test(test_t_js_bounds),
        cmocka_unit_test(test_delta),
        cmocka_unit_test(test_beta),
        cmocka_unit_test(test_huge_counts),
        cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_population),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_smallest_class),
        cmocka_unit_test(test_smallest_class_of_fractions),
        cmocka_unit_test(test_describe),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
