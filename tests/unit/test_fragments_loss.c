/* What runs in fragments lose, on three kinds of tables: of numbers, of categories with
 * hierarchies, and of both. Fragments are as small as the least limit of memory makes them. */
#include <shoal/generate.h>

#include "fragments_case.h"

#define RECORDS 24000
#define MOST 10000

typedef struct kind {
    const char *name;
    shoal_generate_options options;
    const char *quasi[8];
    const char *sensitive;
    bool asks_l; /* beside k */
} kind;

static const kind kinds[] = {
    {"numeric",
     {.struct_size = sizeof(shoal_generate_options),
      .kind = SHOAL_GENERATE_GAUSSIAN,
      .records = RECORDS,
      .seed = 2,
      .dimensions = 6,
      .sigma = 3},
     {"A1", "A2", "A3", "A4", "A5"},
     "A6",
     false},
    {"hierarchical",
     {.struct_size = sizeof(shoal_generate_options),
      .kind = SHOAL_GENERATE_CENSUS,
      .records = RECORDS,
      .seed = 5},
     {"education", "marital", "race", "country", "zip", "workclass"},
     "occupation",
     true},
    {"mixed",
     {.struct_size = sizeof(shoal_generate_options),
      .kind = SHOAL_GENERATE_CENSUS,
      .records = RECORDS,
      .seed = 6},
     {"age", "sex", "education", "marital", "zip"},
     "occupation",
     false},
};

static void make(fixture *f, const kind *k)
{
    assert_int_equal(shoal_generate(&f->ctx, f->input, &k->options), SHOAL_OK);
    shoal_spec_free(f->spec);
    assert_int_equal(shoal_spec_new(&f->ctx, &f->spec), SHOAL_OK);
    for (size_t i = 0; k->quasi[i]; i++) {
        set_role(f, k->quasi[i], SHOAL_ROLE_QUASI);
        if (strcmp(k->quasi[i], "zip") == 0) {
            assert_int_equal(shoal_spec_set_hierarchy(&f->ctx, f->spec, "zip", "prefix:5"),
                             SHOAL_OK);
        }
    }
    set_role(f, k->sensitive, SHOAL_ROLE_SENSITIVE);
    set(f, "privacy.k", "10");
}

static void run_both(fixture *f, shoal_report **whole, shoal_report **report)
{
    assert_int_equal(shoal_anonymize(&f->ctx, whole, f->spec, f->input, f->whole), SHOAL_OK);
    assert_int_equal(
        anonymize_in_fragments(&f->ctx, report, f->spec, f->input, f->output, MOST), SHOAL_OK);
    assert_true(f->fragments >= 3);
}

static void assert_loses_little(fixture *f, const char *name)
{
    shoal_report *whole = NULL;
    shoal_report *report = NULL;

    run_both(f, &whole, &report);
    double before = shoal_report_figure(whole, "gcp");
    double after = shoal_report_figure(report, "gcp");

    if (after > 1.01 * before) {
        fail_msg("%s: %.4f %% instead of %.4f %%", name, 100 * after, 100 * before);
    }
    assert_true(shoal_report_holds(report));
    shoal_report_free(whole);
    shoal_report_free(report);
}

static void test_best_loses_little(void **state)
{
    fixture *f = *state;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        make(f, &kinds[i]);
        if (kinds[i].asks_l) {
            set(f, "privacy.l", "distinct:4");
        }
        assert_loses_little(f, kinds[i].name);
    }
}

static void test_mondrian_loses_nothing(void **state)
{
    static const char *const requirements[][2] = {
        {"privacy.t", "equal:0.3"}, {"privacy.l", "entropy:3"}, {"privacy.beta", "basic:3"}};
    fixture *f = *state;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        shoal_report *whole = NULL;
        shoal_report *report = NULL;

        make(f, &kinds[i]);
        set(f, "method", "mondrian");
        set(f, requirements[i][0], requirements[i][1]);
        run_both(f, &whole, &report);
        assert_same_bytes(f->whole, f->output);
        assert_same_figures(whole, report);
        shoal_report_free(whole);
        shoal_report_free(report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_best_loses_little),
        TEST(test_mondrian_loses_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
