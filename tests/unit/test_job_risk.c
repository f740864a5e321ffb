/* Runs about risk, and full reports, from files to what they say; nothing leaks when memory
 * ends. */
#include <shoal/job.h>

#include "failing.h"
#include "files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char patients[] = "name,age,sex,diagnosis\n"
                               "Ann,24,F,flu\n"
                               "Bob,24,F,flu\n"
                               "Cid,27,M,flu\n"
                               "Dee,30,F,gout\n"
                               "Eve,30,M,flu\n"
                               "Fay,30,M,gout\n";

static const char release[] = "age,sex,diagnosis\n"
                              "[24..27],*,flu\n"
                              "[24..27],*,flu\n"
                              "[24..27],*,flu\n"
                              "30,*,gout\n"
                              "30,*,flu\n"
                              "30,*,gout\n";

/* Two of each patient, and two women of 27. */
static const char people[] = "age,sex\n24,F\n24,F\n24,F\n24,F\n27,M\n27,M\n27,F\n27,F\n30,F\n"
                             "30,F\n30,M\n30,M\n30,M\n30,M\n";

typedef struct fixture {
    shoal_ctx ctx;
    shoal_spec *spec;
    char folder[64];
    char original[96];
    char release[96];
    char population[96];
    char output[96];
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);

    *state = f;
    shoal_i_ctx_init(&f->ctx);
    f->ctx.threads = 1;
    make_folder(f->folder);
    snprintf(f->original, sizeof f->original, "%s/original.csv", f->folder);
    snprintf(f->release, sizeof f->release, "%s/release.csv", f->folder);
    snprintf(f->population, sizeof f->population, "%s/people.csv", f->folder);
    snprintf(f->output, sizeof f->output, "%s/out.html", f->folder);
    write_file(f->original, patients);
    write_file(f->release, release);
    write_file(f->population, people);
    assert_int_equal(shoal_spec_new(&f->ctx, &f->spec), SHOAL_OK);
    shoal_spec_set_role(&f->ctx, f->spec, "name", SHOAL_ROLE_IDENTIFIER);
    shoal_spec_set_role(&f->ctx, f->spec, "age", SHOAL_ROLE_QUASI);
    shoal_spec_set_role(&f->ctx, f->spec, "sex", SHOAL_ROLE_QUASI);
    shoal_spec_set_role(&f->ctx, f->spec, "diagnosis", SHOAL_ROLE_SENSITIVE);
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    int left = 0;

    shoal_spec_free(f->spec);
    shoal_i_ctx_clear(&f->ctx);
    unlink(f->original);
    unlink(f->release);
    unlink(f->population);
    unlink(f->output);
    left = rmdir(f->folder); /* fails when something was left behind */
    free(f);
    return left;
}

static void set(fixture *f, const char *key, const char *value)
{
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, key, value), SHOAL_OK);
}

static shoal_report *measure_risk(fixture *f, const char *of_release)
{
    shoal_report *report = NULL;
    shoal_status st = shoal_risk(&f->ctx, &report, f->spec, f->original, of_release);

    if (st != SHOAL_OK) {
        print_error("%s\n", f->ctx.error.message);
    }
    assert_int_equal(st, SHOAL_OK);
    return report;
}

static void assert_says(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        print_error("%s\nlacks\n%s\n", text, part);
    }
    assert_non_null(strstr(text, part));
}

/* Classes of the original: 24 F twice, 27 M, 30 F, 30 M twice. */
static void test_original_alone(void **state)
{
    fixture *f = *state;
    shoal_report *report = measure_risk(f, NULL);

    assert_true(shoal_report_figure(report, "uniques") == 2);
    assert_true(shoal_report_figure(report, "prosecutor_highest") == 1);
    assert_true(fabs(shoal_report_figure(report, "prosecutor_mean") - 4 / 6.0) < 1e-12);
    assert_says(shoal_report_text(report), "2 of 6 records by the raw values");
    assert_null(strstr(shoal_report_json(report), "\"release\""));
    assert_null(strstr(shoal_report_json(report), "journalist"));
    assert_string_equal(shoal_report_html(report), "");
    assert_int_equal(shoal_report_write(&f->ctx, report, f->output), SHOAL_EINVAL);
    shoal_report_free(report);
}

static void test_release(void **state)
{
    fixture *f = *state;
    shoal_report *report = measure_risk(f, f->release);

    assert_true(shoal_report_figure(report, "uniques") == 0);
    assert_true(fabs(shoal_report_figure(report, "prosecutor_highest") - 1 / 3.0) < 1e-12);
    assert_true(fabs(shoal_report_figure(report, "marketer") - 1 / 3.0) < 1e-12);
    /* 24..27 has flu alone, and of 30 two of three have gout: five of six are guessed. */
    assert_says(shoal_report_text(report), "83.33 % after");
    assert_says(shoal_report_text(report), "certain for 3");
    shoal_report_free(report);
}

/* Of the population the class 24..27 has 8 people, the class of 30 has 6. */
static void test_population(void **state)
{
    fixture *f = *state;

    set(f, "privacy.population", f->population);
    shoal_report *report = measure_risk(f, f->release);

    assert_true(fabs(shoal_report_figure(report, "marketer") - (3 / 8.0 + 3 / 6.0) / 6) <
                1e-12);
    assert_says(shoal_report_text(report), "by a journalist: at most 0.5 before, 0.1667 after");
    assert_says(shoal_report_json(report), "\"journalist_by\": \"population\"");
    shoal_report_free(report);

    write_file(f->population, "age,sex\n24,F\n24,F\n27,M\n30,F\n30,M\n");
    assert_int_equal(shoal_risk(&f->ctx, &report, f->spec, f->original, f->release),
                     SHOAL_EFORMAT);
    assert_null(report);
}

/* A threshold that k makes and that is there already is told of once; one of its own is told
 * of, too, in its order. */
static void test_thresholds_of_k(void **state)
{
    fixture *f = *state;

    for (int k = 5; k <= 6; k++) {
        char text[8];

        snprintf(text, sizeof text, "%d", k);
        set(f, "privacy.k", text);
        shoal_report *report = measure_risk(f, NULL);
        const char *found = shoal_report_text(report);
        const char *first = strstr(found, "above 0.09");
        const char *last = strstr(found, "above 0.2");
        const char *own = strstr(found, "above 0.1667");

        assert_non_null(first);
        assert_non_null(last);
        assert_null(strstr(last + 1, "above 0.2"));
        assert_true(k == 5 ? own == NULL : first < own && own < last);
        shoal_report_free(report);
    }
}

static void test_sampling_fraction(void **state)
{
    fixture *f = *state;

    set(f, "risk.sampling_fraction", "0.5");
    set(f, "risk.thresholds", "0.7,0.6");
    shoal_report *report = measure_risk(f, NULL);

    /* A unique record is one of a geometric number of people: ln 2 at a half. */
    assert_says(shoal_report_text(report), "by a journalist: at most 0.6931");
    assert_says(shoal_report_text(report), "above 0.6: 2 of 6 records");
    assert_says(shoal_report_text(report), "above 0.7: 0 of 6 records");
    shoal_report_free(report);
}

static void test_settings_are_checked(void **state)
{
    static const char *const bad[][2] = {
        {"risk.thresholds", ""},
        {"risk.thresholds", "0"},
        {"risk.thresholds", "1.1"},
        {"risk.thresholds", "0.1,"},
        {"risk.thresholds", "0.1,,0.2"},
        {"risk.thresholds", "x"},
        {"risk.sampling_fraction", "0"},
        {"risk.sampling_fraction", "2"},
        {"risk.sampling_fraction", "nan"},
        {"report.detail", "much"},
        {"risk.thresholds", ".1,.2,.3,.4,.5,.6,.7,.8,.9"},
    };
    fixture *f = *state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(shoal_spec_set(&f->ctx, f->spec, bad[i][0], bad[i][1]), SHOAL_EINVAL);
    }
    const char yaml[] = "risk: {thresholds: [0.1, 0.3], sampling_fraction: 0.1}\n"
                        "report: {detail: full}\n";

    assert_int_equal(
        shoal_spec_read_memory(&f->ctx, f->spec, yaml, sizeof yaml - 1, "spec.yaml"), SHOAL_OK);
    const char wrong[] = "risk: {thresholds: [[0.1]]}\n";

    assert_int_not_equal(
        shoal_spec_read_memory(&f->ctx, f->spec, wrong, sizeof wrong - 1, "spec.yaml"),
        SHOAL_OK);
}

static void test_pages(void **state)
{
    fixture *f = *state;

    set(f, "report.detail", "full");
    shoal_report *report = measure_risk(f, f->release);

    assert_says(shoal_report_html(report), "Risk report: release.csv");
    assert_null(strstr(shoal_report_external(report), "release.csv"));
    assert_int_equal(shoal_report_write(&f->ctx, report, f->output), SHOAL_OK);
    assert_int_equal(shoal_report_write_external(&f->ctx, report, f->output), SHOAL_OK);
    assert_int_equal(shoal_report_write_external(&f->ctx, report, "report.json"), SHOAL_EINVAL);
    shoal_report_free(report);
}

static shoal_status risk_again(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_risk(ctx, &report, f->spec, f->original, f->release);

    shoal_report_free(report);
    return st;
}

static shoal_status anonymize_again(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_anonymize(ctx, &report, f->spec, f->original, f->output);

    shoal_report_free(report);
    return st;
}

static void test_allocation_failures(void **state)
{
    fixture *f = *state;

    set(f, "report.detail", "full");
    set(f, "risk.sampling_fraction", "0.5");
    assert_survives_failing_allocations(&f->ctx, risk_again, f);
    set(f, "privacy.k", "2");
    set(f, "privacy.population", f->population);
    assert_survives_failing_allocations(&f->ctx, anonymize_again, f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_original_alone),
        TEST(test_release),
        TEST(test_population),
        TEST(test_thresholds_of_k),
        TEST(test_sampling_fraction),
        TEST(test_settings_are_checked),
        TEST(test_pages),
        TEST(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
