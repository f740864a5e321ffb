/* Requirements about sensitive values, a k of each record's own and suppression in runs in
 * fragments: mondrian's release is that of a run in memory, byte for byte; every release is
 * checked again as a whole. */
#include "illness_case.h"

static shoal_status run_in(fixture *f, shoal_report **report, size_t most)
{
    return anonymize_in_fragments(&f->ctx, report, f->spec, f->input, f->output, most);
}

/* The release as anybody would check it. */
static void assert_verified(fixture *f)
{
    shoal_report *report = NULL;

    assert_int_equal(shoal_verify(&f->ctx, &report, f->spec, f->output), SHOAL_OK);
    assert_true(shoal_report_holds(report));
    shoal_report_free(report);
}

/* --- Mondrian. -------------------------------------------------------------------------- */

static void test_mondrian_is_the_same_under_each_demand(void **state)
{
    fixture *f = *state;

    for (size_t d = 0; d < DEMANDS; d++) {
        size_t cut = 0;

        for (uint64_t seed = 1; seed <= 12; seed++) {
            shoal_i_random random = shoal_i_random_start(100 * d + seed);
            size_t rows = 120 + (size_t)shoal_i_random_below(&random, 400);
            size_t most = rows / (2 + (size_t)shoal_i_random_below(&random, 3));
            shoal_report *whole = NULL;
            shoal_report *report = NULL;

            write_ill(f, &random, rows);
            ask_ill(f, requirements[d], seed % 2 ? "2" : "5");
            set(f, "method", "mondrian");
            shoal_status expected =
                shoal_anonymize(&f->ctx, &whole, f->spec, f->input, f->whole);
            shoal_status st = run_in(f, &report, most);

            if (st != SHOAL_ELIMIT) { /* no cut may leave both sides safe */
                assert_int_equal(st, expected);
            }
            if (st == SHOAL_OK) {
                assert_same_bytes(f->whole, f->output);
                assert_same_figures(whole, report);
                cut += f->fragments > 1;
                f->fragments = 0;
            }
            shoal_report_free(whole);
            shoal_report_free(report);
        }
        if (cut < 3) {
            fail_msg("%s %s was hardly cut: %zu", requirements[d][0], requirements[d][1], cut);
        }
    }
}

/* --- All methods. ----------------------------------------------------------------------- */

static void test_every_method_holds_in_fragments(void **state)
{
    static const char *const methods[] = {"best:effort=fast",
                                          "topdown",
                                          "bottomup",
                                          "mondrian:mode=relaxed",
                                          "mondrian:cuts=children",
                                          "mondrian:finish=carve",
                                          "specialize",
                                          "hilbert",
                                          "cluster"};
    fixture *f = *state;
    size_t cut = 0;

    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        for (size_t d = 0; d < DEMANDS; d++) {
            shoal_i_random random = shoal_i_random_start(1000 + d);
            shoal_report *report = NULL;

            write_ill(f, &random, 400);
            ask_ill(f, requirements[d], "3");
            set(f, "method", methods[m]);
            shoal_status st = run_in(f, &report, 150);

            if (st != SHOAL_ELIMIT) {
                assert_int_equal(st, SHOAL_OK);
                cut += f->fragments > 1;
                if (strcmp(requirements[d][0], "privacy.k.column") != 0) {
                    assert_verified(f);
                }
            }
            shoal_report_free(report);
        }
    }
    assert_true(cut > 80);
}

/* Two requirements about two columns and a k of each record's own, all at once. */
static void test_several_requirements(void **state)
{
    fixture *f = *state;
    shoal_i_random random = shoal_i_random_start(5);
    shoal_report *whole = NULL;
    shoal_report *report = NULL;

    write_ill(f, &random, 500);
    ask_ill(f, requirements[0], "2");
    set(f, "privacy.t", "equal:0.5");
    set(f, "privacy.k.column", "own");
    set(f, "method", "mondrian");
    assert_int_equal(shoal_anonymize(&f->ctx, &whole, f->spec, f->input, f->whole), SHOAL_OK);
    assert_int_equal(run_in(f, &report, 200), SHOAL_OK);
    assert_true(f->fragments > 2);
    assert_same_bytes(f->whole, f->output);
    assert_same_figures(whole, report);
    shoal_report_free(whole);
    shoal_report_free(report);
}

/* --- What cannot be met. ---------------------------------------------------------------- */

static void test_what_is_impossible_is_told_as_in_memory(void **state)
{
    static const char *const impossible[][2] = {
        {"privacy.l", "distinct:7"}, {"privacy.alpha", "0.05"}, {"privacy.k.column", "own"}};
    fixture *f = *state;

    for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
        shoal_i_random random = shoal_i_random_start(3);
        shoal_report *report = NULL;
        char message[SHOAL_MESSAGE_MAX];

        write_ill(f, &random, 300);
        ask_ill(f, impossible[i], "2");
        if (i == 2) {
            FILE *file = fopen(f->input, "ab");

            fprintf(file, "1,t0,00,d0,5000\n");
            fclose(file);
        }
        assert_int_equal(shoal_anonymize(&f->ctx, &report, f->spec, f->input, f->output),
                         SHOAL_EUNSATISFIABLE);
        snprintf(message, sizeof message, "%s", f->ctx.error.message);
        assert_int_equal(run_in(f, &report, 60), SHOAL_EUNSATISFIABLE);
        assert_string_equal(f->ctx.error.message, message);
        assert_string_equal(f->ctx.error.source, f->input);
        assert_null(report);
        assert_int_equal(count_files(f->folder), 1);
    }
}

static void test_a_k_that_is_none(void **state)
{
    static const char *const bad[] = {"0", "-3", ""};
    fixture *f = *state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        shoal_i_random random = shoal_i_random_start(3);
        shoal_report *report = NULL;
        char message[SHOAL_MESSAGE_MAX];

        write_ill(f, &random, 300);
        FILE *file = fopen(f->input, "ab");

        fprintf(file, "1,t0,00,d0,%s\n1,t0,00,d0,2\n", bad[i]);
        fclose(file);
        ask_ill(f, requirements[DEMANDS - 1], "2");
        assert_int_equal(shoal_anonymize(&f->ctx, &report, f->spec, f->input, f->output),
                         SHOAL_EFORMAT);
        snprintf(message, sizeof message, "%s", f->ctx.error.message);
        int64_t line = f->ctx.error.line;

        assert_int_equal(run_in(f, &report, 60), SHOAL_EFORMAT);
        assert_string_equal(f->ctx.error.message, message);
        assert_int_equal(f->ctx.error.line, line);
    }
}

/* --- Suppression, and classes larger than a fragment. ------------------------------------ */

/* The number of a key behind another key in the JSON of a report. */
static double find_number(const shoal_report *report, const char *section, const char *key)
{
    const char *at = strstr(shoal_report_json(report), section);

    assert_non_null(at);
    at = strstr(at, key);
    assert_non_null(at);
    return strtod(strchr(at, ':') + 1, NULL);
}

static void assert_figures_as_measured(fixture *f, const shoal_report *report)
{
    static const char *const names[] = {
        "records", "classes",        "smallest_class",     "ncp",
        "gcp",     "discernibility", "average_class_size", "distortion_ratio"};
    shoal_report *measured = NULL;

    assert_int_equal(shoal_measure(&f->ctx, &measured, f->spec, f->input, f->output), SHOAL_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double x = shoal_report_figure(measured, names[i]);
        double y = shoal_report_figure(report, names[i]);

        if (!(fabs(x - y) <= 1e-9 * (1 + fabs(x)))) {
            fail_msg("%s: measured %.17g, reported %.17g", names[i], x, y);
        }
    }
    assert_true(find_number(measured, "", "\"largest_class\"") ==
                find_number(report, "", "\"largest_class\""));
    assert_true(find_number(measured, "\"suppression\"", "\"records\"") ==
                find_number(report, "\"suppression\"", "\"records\""));
    shoal_report_free(measured);
}

/* 80 places of twenty records each. In every twenty places three records lie far below all
 * others in z, and three far above: too few for mondrian to cut them off. */
static void write_with_outliers(fixture *f)
{
    FILE *file = fopen(f->input, "wb");

    assert_non_null(file);
    fprintf(file, "x,z\n");
    for (unsigned x = 0; x < 80; x++) {
        bool has_outlier = x % 20 >= 4 && x % 20 < 10;

        fprintf(file, "%u,%u\n", x, !has_outlier ? 500 : x % 2 ? 0 : 1000);
        for (int i = 0; i < 19; i++) {
            fprintf(file, "%u,500\n", x);
        }
    }
    fclose(file);
}

static void test_suppression(void **state)
{
    fixture *f = *state;
    shoal_report *whole = NULL;
    shoal_report *report = NULL;

    write_with_outliers(f);
    set_role(f, "x", SHOAL_ROLE_QUASI);
    set_role(f, "z", SHOAL_ROLE_QUASI);
    assert_int_equal(shoal_spec_set_weight(&f->ctx, f->spec, "x", "5"), SHOAL_OK);
    set(f, "privacy.k", "4");
    set(f, "suppress", "0.015");
    set(f, "method", "mondrian");
    assert_int_equal(shoal_anonymize(&f->ctx, &whole, f->spec, f->input, f->whole), SHOAL_OK);
    assert_int_equal(run_in(f, &report, 400), SHOAL_OK);
    assert_int_equal(f->fragments, 4);
    assert_true(find_number(report, "\"suppression\"", "\"records\"") == 24);
    assert_same_bytes(f->whole, f->output); /* each fragment has its share of the outliers */
    assert_verified(f);
    assert_figures_as_measured(f, report);
    shoal_report_free(whole);
    shoal_report_free(report);
}

static void test_classes_larger_than_a_fragment(void **state)
{
    fixture *f = *state;
    size_t larger = 0;

    for (uint64_t seed = 1; seed <= 20; seed++) {
        FILE *file = fopen(f->input, "wb");
        shoal_i_random random = shoal_i_random_start(seed);
        shoal_report *report = NULL;
        size_t most = 20 + (size_t)shoal_i_random_below(&random, 40);

        assert_non_null(file);
        fprintf(file, "a,b,note\n");
        for (int i = 0; i < 200; i++) {
            fprintf(file, "v%u,w%u,%u\n", (unsigned)shoal_i_random_below(&random, 40),
                    (unsigned)shoal_i_random_below(&random, 50),
                    (unsigned)shoal_i_random_below(&random, 9));
        }
        fclose(file);
        set_role(f, "a", SHOAL_ROLE_QUASI);
        set_role(f, "b", SHOAL_ROLE_QUASI);
        set(f, "privacy.k", "9");
        set(f, "method", "mondrian");
        assert_int_equal(run_in(f, &report, most), SHOAL_OK);
        larger += find_number(report, "", "\"largest_class\"") > (double)most;
        assert_verified(f);
        assert_figures_as_measured(f, report);
        shoal_report_free(report);
    }
    assert_true(larger >= 10);
}

/* --- Failures. -------------------------------------------------------------------------- */

static shoal_status run_fragmented(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_report *report = NULL;
    shoal_status st = anonymize_in_fragments(ctx, &report, f->spec, f->input, f->output, 16);

    assert_true((st == SHOAL_OK) == (report != NULL));
    shoal_report_free(report);
    return st;
}

static void test_failing_allocations(void **state)
{
    static const char *const methods[] = {"mondrian", "topdown"};
    fixture *f = *state;

    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        shoal_i_random random = shoal_i_random_start(12);

        write_ill(f, &random, 40);
        ask_ill(f, requirements[0], "2");
        set(f, "privacy.l", "distinct:2");
        set(f, "privacy.k.column", "own");
        set(f, "method", methods[m]);
        f->ctx.threads = 1;
        f->ctx.log = NULL;
        assert_survives_failing_allocations(&f->ctx, run_fragmented, f);
        assert_int_equal(count_files(f->folder), 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_mondrian_is_the_same_under_each_demand),
        TEST(test_every_method_holds_in_fragments),
        TEST(test_several_requirements),
        TEST(test_what_is_impossible_is_told_as_in_memory),
        TEST(test_a_k_that_is_none),
        TEST(test_suppression),
        TEST(test_classes_larger_than_a_fragment),
        TEST(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
