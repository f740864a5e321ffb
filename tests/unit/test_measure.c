/* Loss figures, computed by hand. */

#include "release_fixture.h"

#include "failing.h"
#include "hierarchy/tree.h"
#include "measure/measure.h"

#include <math.h>

#define COLUMNS(...)                                                                           \
    (fixture_column[]){__VA_ARGS__},                                                           \
        sizeof((fixture_column[]){__VA_ARGS__}) / sizeof(fixture_column)
#define GROUPS(...)                                                                            \
    (uint32_t[])                                                                               \
    {                                                                                          \
        __VA_ARGS__                                                                            \
    }

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * (1 + fabs(b)))) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

static shoal_i_loss measure(fixture *f, const uint32_t *groups, size_t omitted, uint64_t k)
{
    shoal_i_release *release = fixture_release(f, groups);
    shoal_i_loss loss;

    release->omitted = omitted;
    assert_ok(f, shoal_i_loss_measure(&f->ctx, &loss, release, k));
    shoal_i_release_free(release);
    return loss;
}

/* XU example 1. Weights equal to the ranges (50 and 60) turn penalties into interval lengths.
 */
static void test_example_1(void **state)
{
    fixture f;

    (void)state;
    /*                a      b      c      d      e      f */
    fixture_open(&f, "x,y\n10,60\n20,70\n20,50\n50,20\n50,15\n60,10\n",
                 COLUMNS({.name = "x", .weight = 50}, {.name = "y", .weight = 60}));
    shoal_i_loss pairs = measure(&f, GROUPS(0, 0, 1, 1, 2, 2), 0, 2);
    shoal_i_loss threes = measure(&f, GROUPS(0, 0, 0, 1, 1, 1), 0, 2);

    assert_near(pairs.ncp, 190);
    assert_near(threes.ncp, 150);
    assert_near(threes.gcp, 150.0 / (6 * 110));
    assert_int_equal(threes.classes, 2);
    assert_near(pairs.average_class_size, 1);
    assert_near(threes.average_class_size, 1.5);
    shoal_i_loss_clear(&pairs);
    shoal_i_loss_clear(&threes);
    fixture_close(&f);
}

/* XU figure 1, local recoding: [24..30]x[53711..53712] and [30..32]x[53711..53713]. */
static void test_figure_1(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "age,zip\n24,53712\n25,53711\n30,53711\n30,53711\n32,53712\n32,53713\n",
                 COLUMNS({.name = "age"}, {.name = "zip"}));
    shoal_i_loss loss = measure(&f, GROUPS(0, 0, 0, 1, 1, 1), 0, 3);

    assert_near(loss.ncp, 3 * (6.0 / 8 + 1.0 / 2) + 3 * (2.0 / 8 + 2.0 / 2));
    assert_near(loss.gcp, 7.5 / 12);
    assert_near(loss.columns[0].loss, (3 * 0.75 + 3 * 0.25) / 6);
    assert_near(loss.columns[1].loss, (3 * 0.5 + 3 * 1.0) / 6);
    assert_int_equal(loss.columns[0].suppressed, 0);
    assert_int_equal(loss.columns[1].suppressed, 3);
    assert_int_equal(loss.suppressed, 0);
    assert_near(loss.discernibility, 18);
    assert_near(loss.distortion_ratio, 1);
    assert_string_equal(loss.columns[1].name, "zip");
    shoal_i_loss_clear(&loss);
    fixture_close(&f);
}

/* The original as its own release, and the release that says nothing; awkward weights must not
 * spoil the exact 0 and 1. */
static void test_nothing_lost_and_everything_lost(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "age,sex,zip\n1,F,13711\n2,M,53712\n4,F,53799\n",
                 COLUMNS({.name = "age", .weight = 0.1},
                         {.name = "sex", .hierarchy = "flat", .weight = 0.2},
                         {.name = "zip", .hierarchy = "prefix", .weight = 0.7}));
    shoal_i_loss none = measure(&f, GROUPS(0, 1, 2), 0, 1);
    shoal_i_loss all = measure(&f, GROUPS(0, 0, 0), 0, 3);

    assert_true(none.gcp == 0 && none.ncp == 0 && none.distortion_ratio == 0);
    assert_int_equal(none.suppressed, 0);
    assert_near(none.discernibility, 3);
    assert_true(all.gcp == 1 && all.distortion_ratio == 1);
    assert_near(all.ncp, 3);
    assert_int_equal(all.suppressed, 3);
    assert_near(all.discernibility, 9);
    shoal_i_loss_clear(&none);
    shoal_i_loss_clear(&all);
    fixture_close(&f);
}

#define JOB_TREE                                                                               \
    "nurse;health;*\ndoctor;health;*\nclerk;office;*\nboss;office;*\nmason;trade;*\n"

/* XU examples 2 and 3: a merge below a common parent costs the parent's share of the leaves,
 * one at the root costs 1. Only values that occur are leaves: nobody is a boss here. */
static void test_hierarchy(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "job\nnurse\ndoctor\nclerk\nmason\n",
                 COLUMNS({.name = "job", .hierarchy = JOB_TREE}));
    shoal_i_loss loss = measure(&f, GROUPS(0, 0, 1, 1), 0, 2);

    assert_near(loss.ncp, 2 * (2.0 / 4) + 2 * 1.0);
    assert_near(loss.gcp, 0.75);
    /* health has height 1, the root height 2. */
    assert_near(loss.distortion_ratio, (2 * 1 + 2 * 2) / (4 * 2.0));
    assert_int_equal(loss.columns[0].suppressed, 2);
    assert_int_equal(loss.suppressed, 2);
    /* Suppressed records cannot be told from any of the four. */
    assert_near(loss.discernibility, 2 * 2 + 2 * 4);
    shoal_i_loss_clear(&loss);
    fixture_close(&f);
}

/* The example of docs/measures.md. */
static void test_documented_example(void **state)
{
    fixture f;

    (void)state;
    fixture_open(
        &f, "age,job\n24,nurse\n30,teacher\n32,baker\n44,carpenter\n55,teacher\n64,baker\n",
        COLUMNS({.name = "age"}, {.name = "job",
                                  .hierarchy = "nurse;services;*\nteacher;services;*\n"
                                               "baker;trades;*\ncarpenter;trades;*\n"}));
    shoal_i_loss loss = measure(&f, GROUPS(0, 0, 1, 1, 2, 2), 0, 2);

    assert_near(loss.ncp, 5.35);
    assert_near(loss.gcp, 5.35 / 12);
    assert_near(loss.columns[0].loss, 0.225);
    assert_near(loss.columns[1].loss, 4.0 / 6);
    assert_near(loss.average_class_size, 1);
    assert_near(loss.discernibility, 12);
    assert_near(loss.distortion_ratio, 14.0 / 18);
    assert_int_equal(loss.columns[0].suppressed, 0);
    assert_int_equal(loss.columns[1].suppressed, 2);
    assert_int_equal(loss.suppressed, 0);
    shoal_i_loss_clear(&loss);
    fixture_close(&f);
}

static void test_node_weights(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "job\nnurse\ndoctor\nclerk\nmason\n",
                 COLUMNS({.name = "job", .hierarchy = JOB_TREE}));
    const shoal_group_weight weights[] = {{"health", 0.1}, {"*", 2}};

    assert_ok(&f, shoal_i_hierarchy_set_weights(&f.ctx, f.hierarchies[0], weights, 2));
    shoal_i_loss loss = measure(&f, GROUPS(0, 0, 1, 2), 0, 1);

    assert_near(loss.ncp, 2 * 0.1 / 2);
    shoal_i_loss_clear(&loss);
    fixture_close(&f);
}

static void test_omitted_records_lose_everything(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "age,sex\n1,F\n1,F\n2,M\n2,M\n",
                 COLUMNS({.name = "age", .weight = 3}, {.name = "sex", .hierarchy = "flat"}));
    shoal_i_loss loss = measure(&f, GROUPS(0, 0, 1, 1), 1, 2);

    assert_int_equal(loss.records, 5);
    assert_int_equal(loss.omitted, 1);
    assert_int_equal(loss.suppressed, 1);
    assert_near(loss.ncp, 4);
    assert_near(loss.gcp, 0.2);
    assert_near(loss.columns[0].loss, 0.2);
    assert_int_equal(loss.columns[1].suppressed, 1);
    assert_near(loss.discernibility, 4 + 4 + 5);
    assert_near(loss.average_class_size, 1);
    assert_near(loss.distortion_ratio, 0.2);
    shoal_i_loss_clear(&loss);
    fixture_close(&f);
}

/* A kept missing value is a value; joined with numbers it loses everything. */
static void test_missing_values(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "age,sex\n1,F\n?,F\n3,?\n5,F\n?,?\n?,?\n",
                 COLUMNS({.name = "age"}, {.name = "sex", .hierarchy = "flat"}));
    shoal_i_loss loss = measure(&f, GROUPS(0, 0, 1, 1, 2, 2), 0, 2);

    assert_near(loss.columns[0].loss, (2 * 1.0 + 2 * 0.5 + 0) / 6);
    assert_near(loss.columns[1].loss, (0 + 2 * 1.0 + 0) / 6);
    assert_int_equal(loss.columns[0].suppressed, 2);
    assert_int_equal(loss.columns[1].suppressed, 2);
    assert_int_equal(loss.suppressed, 0);
    shoal_i_loss_clear(&loss);
    fixture_close(&f);
}

/* A column with one value has nothing to lose, in any measure. */
static void test_constant_columns(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "a,b,c\n7,x,1\n7,x,2\n",
                 COLUMNS({.name = "a"}, {.name = "b", .hierarchy = "flat"}, {.name = "c"}));
    shoal_i_loss loss = measure(&f, GROUPS(0, 0), 0, 2);

    assert_near(loss.ncp, 2);
    assert_near(loss.gcp, 1.0 / 3);
    assert_int_equal(loss.columns[0].suppressed, 0);
    assert_int_equal(loss.columns[1].suppressed, 0);
    assert_int_equal(loss.suppressed, 2);
    assert_near(loss.distortion_ratio, 1);
    shoal_i_loss_clear(&loss);
    fixture_close(&f);

    fixture_open(&f, "a\n7\n7\n", COLUMNS({.name = "a"}));
    loss = measure(&f, GROUPS(0, 0), 0, 2);
    assert_true(loss.gcp == 0 && loss.distortion_ratio == 0);
    assert_int_equal(loss.suppressed, 0);
    assert_near(loss.discernibility, 4);
    shoal_i_loss_clear(&loss);
    fixture_close(&f);
}

static void test_class_sizes(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "x\n1\n2\n2\n3\n3\n4\n4\n4\n", COLUMNS({.name = "x"}));
    shoal_i_loss loss = measure(&f, GROUPS(0, 1, 1, 2, 2, 3, 3, 3), 0, 0);

    assert_int_equal(loss.classes, 4);
    assert_int_equal(loss.smallest_class, 1);
    assert_int_equal(loss.largest_class, 3);
    assert_int_equal(loss.bin_count, 3);
    assert_int_equal(loss.bins[0].size, 1);
    assert_int_equal(loss.bins[0].classes, 1);
    assert_int_equal(loss.bins[1].size, 2);
    assert_int_equal(loss.bins[1].classes, 2);
    assert_int_equal(loss.bins[2].size, 3);
    assert_int_equal(loss.bins[2].classes, 1);
    /* k is not known: the plain average. */
    assert_near(loss.average_class_size, 2);
    shoal_i_loss_clear(&loss);
    fixture_close(&f);
}

static void test_no_records(void **state)
{
    fixture f;
    shoal_i_release *release = NULL;
    shoal_i_loss loss;

    (void)state;
    fixture_open(&f, "x\n1\n2\n", COLUMNS({.name = "x"}));
    assert_ok(&f, shoal_i_release_from_boxes(&f.ctx, &release, f.quasi, NULL, 0));
    assert_ok(&f, shoal_i_loss_measure(&f.ctx, &loss, release, 5));
    assert_true(loss.gcp == 0 && loss.ncp == 0 && loss.discernibility == 0 &&
                loss.average_class_size == 0 && loss.distortion_ratio == 0);
    assert_int_equal(loss.bin_count, 0);
    shoal_i_loss_clear(&loss);
    release->omitted = 2;
    assert_ok(&f, shoal_i_loss_measure(&f.ctx, &loss, release, 5));
    assert_true(loss.gcp == 1);
    shoal_i_loss_clear(&loss);
    shoal_i_release_free(release);
    fixture_close(&f);
}

/* Buckets count where classes do; points lose nothing. */
static void test_buckets(void **state)
{
    uint32_t buckets[] = {1, 0, 0, 1, 0};
    fixture f;
    shoal_i_loss loss;

    (void)state;
    fixture_open(&f, "x\n1\n2\n3\n3\n9\n", COLUMNS({.name = "x"}));
    shoal_i_release *release = fixture_release(&f, GROUPS(0, 1, 2, 2, 3));

    release->shape = SHOAL_I_SHAPE_BUCKETS;
    release->bucket_of = buckets;
    release->bucket_count = 2;
    assert_ok(&f, shoal_i_loss_measure(&f.ctx, &loss, release, 2));
    assert_true(loss.gcp == 0 && loss.ncp == 0 && loss.distortion_ratio == 0);
    assert_int_equal(loss.classes, 2);
    assert_int_equal(loss.smallest_class, 2);
    assert_int_equal(loss.largest_class, 3);
    assert_true(loss.discernibility == 2 * 2 + 3 * 3);
    assert_true(loss.average_class_size == 5.0 / 2 / 2);
    shoal_i_loss_clear(&loss);
    release->bucket_of = NULL;
    shoal_i_release_free(release);
    fixture_close(&f);
}

static shoal_status measure_again(shoal_ctx *ctx, void *payload)
{
    shoal_i_loss loss;
    shoal_status st = shoal_i_loss_measure(ctx, &loss, payload, 2);

    shoal_i_loss_clear(&loss);
    return st;
}

static void test_failing_allocations(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "x\n1\n2\n2\n", COLUMNS({.name = "x"}));
    shoal_i_release *release = fixture_release(&f, GROUPS(0, 1, 1));

    assert_survives_failing_allocations(&f.ctx, measure_again, release);
    shoal_i_release_free(release);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_records),
        cmocka_unit_test(test_example_1),
        cmocka_unit_test(test_figure_1),
        cmocka_unit_test(test_nothing_lost_and_everything_lost),
        cmocka_unit_test(test_hierarchy),
        cmocka_unit_test(test_documented_example),
        cmocka_unit_test(test_node_weights),
        cmocka_unit_test(test_omitted_records_lose_everything),
        cmocka_unit_test(test_missing_values),
        cmocka_unit_test(test_constant_columns),
        cmocka_unit_test(test_class_sizes),
        cmocka_unit_test(test_buckets),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
