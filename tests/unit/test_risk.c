/* The chance of being found, and what it tells, against the definitions taken literally. */
#include <shoal/csv.h>

#include "failing.h"
#include "measure/risk/risk.h"
#include "random_table.h"
#include "table_tools.h"

#include <math.h>

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * (1 + fabs(b)))) {
        print_error("%.17g is not %.17g\n", a, b);
    }
    assert_true(fabs(a - b) <= 1e-9 * (1 + fabs(b)));
}

/* --- The expected 1/F. ------------------------------------------------------------------ */

/* Sum over F = f, f + 1, ... of P(F) / F, P(F) = (F - 1 over f - 1) p^f (1 - p)^(F - f). */
static double expect_slowly(size_t f, double p)
{
    double chance = pow(p, (double)f);
    double sum = 0;

    for (double people = (double)f; people < 20 * ((double)f + 10) / p; people++) {
        sum += chance / people;
        chance *= (1 - p) * people / (people - (double)f + 1);
    }
    return sum;
}

static void test_expected_inverse(void **state)
{
    static const double fractions[] = {0.02, 0.05, 0.3, 0.49, 0.5, 0.51, 0.9, 0.99, 1};
    enum { LARGEST = 60 };
    double out[LARGEST + 1];

    (void)state;
    for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++) {
        shoal_i_expected_inverse(out, LARGEST, fractions[i]);
        for (size_t f = 1; f <= LARGEST; f++) {
            if (pow(fractions[i], (double)f) > 1e-290) {
                assert_near(out[f], expect_slowly(f, fractions[i]));
            }
            assert_true(out[f] > 0 && out[f] <= 1 / (double)f * (1 + 1e-12));
        }
        shoal_i_expected_inverse(out, 1, fractions[i]);
        assert_near(out[1], expect_slowly(1, fractions[i]));
    }
}

/* --- Crowds. ---------------------------------------------------------------------------- */

typedef struct slow_identity {
    shoal_i_attack prosecutor;
    shoal_i_attack journalist;
    uint64_t uniques;
} slow_identity;

/* Record by record. */
static slow_identity look_slowly(const shoal_i_crowd *crowds, size_t count,
                                 const shoal_i_risk_settings *settings)
{
    slow_identity slow = {0};
    double records = 0;

    for (size_t i = 0; i < count; i++) {
        double f = 1 / (double)crowds[i].size;
        double big = crowds[i].population ? 1 / (double)crowds[i].population : 0;

        if (settings->sampling_fraction > 0) {
            big = expect_slowly(crowds[i].size, settings->sampling_fraction);
        }
        for (uint64_t r = 0; r < crowds[i].records; r++) {
            slow.prosecutor.highest = fmax(slow.prosecutor.highest, f);
            slow.journalist.highest = fmax(slow.journalist.highest, big);
            slow.prosecutor.mean += f;
            slow.journalist.mean += big;
            slow.uniques += crowds[i].size == 1;
            records++;
            for (size_t t = 0; t < settings->threshold_count; t++) {
                slow.prosecutor.above[t] += f > settings->thresholds[t];
                slow.journalist.above[t] += big > settings->thresholds[t];
            }
        }
    }
    slow.prosecutor.mean /= records;
    slow.journalist.mean /= records;
    return slow;
}

static void assert_attack(const shoal_i_attack *a, const shoal_i_attack *b)
{
    assert_near(a->highest, b->highest);
    assert_near(a->mean, b->mean);
    assert_memory_equal(a->above, b->above, sizeof a->above);
}

static void assert_bands(const shoal_i_identity_risk *risk, const shoal_i_crowd *crowds,
                         size_t count)
{
    uint64_t expected = 1;

    for (size_t b = 0; b < SHOAL_I_BANDS; b++) {
        uint64_t in_band = 0;
        uint64_t records = 0;
        uint64_t to = risk->bands[b].to ? risk->bands[b].to : UINT64_MAX;

        for (size_t i = 0; i < count; i++) {
            bool is_in = crowds[i].size >= risk->bands[b].from && crowds[i].size <= to;

            in_band += is_in;
            records += is_in ? crowds[i].records : 0;
        }
        assert_int_equal(risk->bands[b].from, expected);
        assert_int_equal(risk->bands[b].crowds, in_band);
        assert_int_equal(risk->bands[b].records, records);
        expected = to + 1;
    }
}

static void test_crowds(void **state)
{
    enum { COUNT = 40 };
    shoal_i_risk_settings settings = {.threshold_count = 3, .thresholds = {0.05, 0.2, 0.5}};
    shoal_i_crowd crowds[COUNT];
    shoal_i_identity_risk risk;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        bool has_population = seed % 3 == 0;

        settings.sampling_fraction = seed % 3 == 1 ? 0.1 : 0;
        for (size_t i = 0; i < COUNT; i++) {
            uint64_t size = 1 + shoal_i_random_below(&random, seed % 2 ? 12 : 200);

            crowds[i] = (shoal_i_crowd){
                .records = size,
                .size = size,
                .population = has_population ? size + shoal_i_random_below(&random, 30) : 0};
        }
        slow_identity slow = look_slowly(crowds, COUNT, &settings);

        assert_int_equal(shoal_i_identity_measure(&ctx, &risk, crowds, COUNT, &settings),
                         SHOAL_OK);
        assert_int_equal(risk.uniques, slow.uniques);
        assert_attack(&risk.prosecutor, &slow.prosecutor);
        assert_int_equal(risk.source, has_population  ? SHOAL_I_JOURNALIST_POPULATION
                                      : seed % 3 == 1 ? SHOAL_I_JOURNALIST_FRACTION
                                                      : SHOAL_I_JOURNALIST_NONE);
        if (risk.source != SHOAL_I_JOURNALIST_NONE) {
            assert_attack(&risk.journalist, &slow.journalist);
            assert_near(risk.marketer, slow.journalist.mean);
        } else {
            assert_near(risk.marketer, slow.prosecutor.mean);
        }
        assert_bands(&risk, crowds, COUNT);
    }
    shoal_i_ctx_clear(&ctx);
}

/* A chance that equals a threshold is not above it. */
static void test_edges(void **state)
{
    const shoal_i_risk_settings settings = {.threshold_count = 2, .thresholds = {0.1, 0.2}};
    const shoal_i_crowd five = {.records = 5, .size = 5};
    shoal_i_identity_risk risk;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_i_identity_measure(&ctx, &risk, &five, 1, &settings), SHOAL_OK);
    assert_int_equal(risk.prosecutor.above[0], 5);
    assert_int_equal(risk.prosecutor.above[1], 0);
    assert_int_equal(shoal_i_identity_measure(&ctx, &risk, NULL, 0, &settings), SHOAL_OK);
    assert_int_equal(risk.records, 0);
    assert_true(risk.prosecutor.highest == 0 && risk.marketer == 0);
    shoal_i_ctx_clear(&ctx);
}

/* --- Attributes. ------------------------------------------------------------------------ */

static shoal_i_attribute_risk look_at_groups(const uint32_t *group_of, size_t groups,
                                             const shoal_i_sensitive *column)
{
    shoal_i_attribute_risk slow = {.fewest_values = UINT64_MAX, .fewest_effective = INFINITY};
    uint64_t guessed = 0;

    for (size_t g = 0; g < groups; g++) {
        double entropy = 0;
        uint64_t size = 0;
        uint64_t largest = 0;
        uint64_t values = 0;

        for (size_t row = 0; row < column->row_count; row++) {
            size += group_of[row] == g;
        }
        for (uint32_t code = 0; code < column->value_count; code++) {
            uint64_t count = 0;

            for (size_t row = 0; row < column->row_count; row++) {
                count += group_of[row] == g && column->codes[row] == code;
            }
            largest = count > largest ? count : largest;
            values += count > 0;
            entropy -=
                count ? (double)count / (double)size * log((double)count / (double)size) : 0;
        }
        if (size > 0) {
            guessed += largest;
            slow.highest_share = fmax(slow.highest_share, (double)largest / (double)size);
            slow.certain_groups += largest == size;
            slow.certain_records += largest == size ? size : 0;
            slow.fewest_values = values < slow.fewest_values ? values : slow.fewest_values;
            slow.fewest_effective = fmin(slow.fewest_effective, exp(entropy));
        }
    }
    slow.mean_share = (double)guessed / (double)column->row_count;
    for (uint32_t code = 0; code < column->value_count; code++) {
        slow.table_share =
            fmax(slow.table_share, (double)column->totals[code] / (double)column->row_count);
    }
    return slow;
}

static void test_attributes(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        enum { ROWS = 80 };
        size_t groups = 1 + (size_t)(seed % 30);
        uint32_t group_of[ROWS];
        shoal_i_random random = shoal_i_random_start(seed);
        random_table t = random_table_make(&ctx, seed, ROWS, 1, 2 + seed % 6, seed % 2 == 0);
        shoal_i_sensitive column;
        shoal_i_attribute_risk risk;

        for (size_t row = 0; row < ROWS; row++) { /* some groups may stay empty */
            group_of[row] = (uint32_t)shoal_i_random_below(&random, groups);
        }
        assert_int_equal(shoal_i_sensitive_init(&ctx, &column, t.table, 0, NULL, NULL),
                         SHOAL_OK);
        assert_int_equal(shoal_i_attribute_measure(&ctx, &risk, group_of, groups, &column),
                         SHOAL_OK);
        shoal_i_attribute_risk slow = look_at_groups(group_of, groups, &column);

        assert_near(risk.highest_share, slow.highest_share);
        assert_near(risk.mean_share, slow.mean_share);
        assert_near(risk.table_share, slow.table_share);
        assert_near(risk.fewest_effective, slow.fewest_effective);
        assert_int_equal(risk.certain_groups, slow.certain_groups);
        assert_int_equal(risk.certain_records, slow.certain_records);
        assert_int_equal(risk.fewest_values, slow.fewest_values);
        shoal_i_sensitive_clear(&column);
        random_table_free(&t);
    }
    shoal_i_ctx_clear(&ctx);
}

typedef struct measured {
    shoal_i_sensitive column;
    uint32_t group_of[4];
} measured;

static shoal_status measure_failing(shoal_ctx *ctx, void *payload)
{
    const measured *m = payload;
    const shoal_i_crowd crowd = {.records = 2, .size = 2};
    const shoal_i_risk_settings settings = {.sampling_fraction = 0.1};
    shoal_i_attribute_risk attribute;
    shoal_i_identity_risk identity;
    shoal_status st = shoal_i_attribute_measure(ctx, &attribute, m->group_of, 2, &m->column);

    return st == SHOAL_OK ? shoal_i_identity_measure(ctx, &identity, &crowd, 1, &settings) : st;
}

static void test_allocation_failures(void **state)
{
    measured m = {.group_of = {0, 1, 1, 0}};
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_text(&ctx, "ill\nflu\ngout\nflu\nflu\n", NULL);

    assert_int_equal(shoal_i_sensitive_init(&ctx, &m.column, table, 0, NULL, NULL), SHOAL_OK);
    assert_survives_failing_allocations(&ctx, measure_failing, &m);
    shoal_i_sensitive_clear(&m.column);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expected_inverse),
        cmocka_unit_test(test_crowds),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
