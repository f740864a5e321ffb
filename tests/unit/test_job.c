/* Runs from input to report: what they promise, and that nothing is left behind when they fail.
 */
#include <shoal/job.h>

#include "failing.h"
#include "files.h"
#include "spec/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char patients[] = "name,age,zip,sex,diagnosis\n"
                               "Ann,24,53711,F,flu\n"
                               "Bob,25,53712,M,asthma\n"
                               "Cid,27,53711,M,flu\n"
                               "Dee,30,53713,F,measles\n"
                               "Eve,31,53712,F,flu\n"
                               "Fay,34,53711,F,asthma\n"
                               "Gus,38,53715,M,flu\n"
                               "Hal,41,53716,M,gout\n"
                               "Ida,45,53715,F,gout\n"
                               "Joe,47,53717,M,flu\n";

typedef struct fixture {
    shoal_ctx ctx;
    shoal_spec *spec;
    char folder[64];
    char input[96];
    char output[96];
    const char *stop_at; /* the stage in which the progress callback says stop */
    double last;         /* fraction of that stage */
} fixture;

static char *read_file(const char *path)
{
    static char text[65536];
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static int open_fixture(void **state)
{
    static fixture f;

    memset(&f, 0, sizeof f);
    shoal_i_ctx_init(&f.ctx);
    f.ctx.threads = 2;
    make_folder(f.folder);
    snprintf(f.input, sizeof f.input, "%s/in.csv", f.folder);
    snprintf(f.output, sizeof f.output, "%s/out.csv", f.folder);
    write_file(f.input, patients);
    *state = &f;
    return shoal_spec_new(&f.ctx, &f.spec) == SHOAL_OK ? 0 : -1;
}

static int close_fixture(void **state)
{
    fixture *f = *state;

    shoal_spec_free(f->spec);
    shoal_i_ctx_clear(&f->ctx);
    return remove_folder(f->folder);
}

static void set(fixture *f, const char *key, const char *value)
{
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, key, value), SHOAL_OK);
}

static void set_role(fixture *f, const char *column, shoal_role role)
{
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, column, role), SHOAL_OK);
}

/* age, zip and sex known to others, name never released, k as given. */
static void ask_for(fixture *f, const char *k)
{
    set_role(f, "name", SHOAL_ROLE_IDENTIFIER);
    set_role(f, "age", SHOAL_ROLE_QUASI);
    set_role(f, "zip", SHOAL_ROLE_QUASI);
    set_role(f, "sex", SHOAL_ROLE_QUASI);
    set_role(f, "diagnosis", SHOAL_ROLE_SENSITIVE);
    set(f, "privacy.k", k);
}

static shoal_status anonymize(fixture *f)
{
    shoal_report *report = NULL;
    shoal_status st = shoal_anonymize(&f->ctx, &report, f->spec, f->input, f->output);

    assert_true((st == SHOAL_OK) == (report != NULL));
    shoal_report_free(report);
    return st;
}

/* A run that fails leaves the folder with the input alone. */
static void assert_refused(fixture *f, shoal_status status, const char *part)
{
    assert_int_equal(anonymize(f), status);
    if (!strstr(f->ctx.error.message, part)) {
        fail_msg("expected \"%s\" in \"%s\"", part, f->ctx.error.message);
    }
    assert_int_equal(count_files(f->folder), 1);
}

/* --- anonymize. ------------------------------------------------------------------------- */

static void test_release_and_report(void **state)
{
    fixture *f = *state;
    shoal_report *report = NULL;

    ask_for(f, "3");
    assert_int_equal(shoal_anonymize(&f->ctx, &report, f->spec, f->input, f->output), SHOAL_OK);
    assert_true(shoal_report_holds(report));
    assert_true(shoal_report_figure(report, "records") == 10);
    assert_true(shoal_report_figure(report, "smallest_class") >= 3);
    assert_true(shoal_report_figure(report, "classes") >= 1);
    assert_true(shoal_report_figure(report, "gcp") > 0 &&
                shoal_report_figure(report, "gcp") < 1);
    assert_true(shoal_report_figure(report, "seconds") >= 0);
    assert_true(isnan(shoal_report_figure(report, "no such figure")));
    assert_non_null(strstr(shoal_report_text(report), "every class has at least 3 records"));
    assert_non_null(strstr(shoal_report_json(report), "\"cover_checked\": true"));
    assert_string_equal(shoal_report_spec(report), "");
    shoal_report_free(report);

    const char *text = read_file(f->output);

    assert_non_null(strstr(text, "age,zip,sex,diagnosis\n"));
    assert_null(strstr(text, "Ann"));
    assert_int_equal(count_files(f->folder), 2);
}

static void test_refused_before_any_work(void **state)
{
    fixture *f = *state;

    assert_refused(f, SHOAL_EINVAL, "quasi-identifier");
    set_role(f, "age", SHOAL_ROLE_QUASI);
    assert_refused(f, SHOAL_EINVAL, "privacy requirement");
    set(f, "privacy.k", "3");
    assert_int_equal(shoal_spec_set_weight(&f->ctx, f->spec, "zip", "2"), SHOAL_OK);
    assert_refused(f, SHOAL_EINVAL, "\"zip\" has a weight but no role");
}

static void test_output_is_input(void **state)
{
    fixture *f = *state;
    shoal_report *report = NULL;

    ask_for(f, "3");
    assert_int_equal(shoal_anonymize(&f->ctx, &report, f->spec, f->input, f->input),
                     SHOAL_EINVAL);
    assert_null(report);
    assert_string_equal(read_file(f->input), patients);
}

static void test_too_few_records(void **state)
{
    fixture *f = *state;

    ask_for(f, "11");
    assert_refused(f, SHOAL_EUNSATISFIABLE, "10 records");
    assert_string_equal(f->ctx.error.source, f->input);
}

static void test_column_that_is_not_there(void **state)
{
    fixture *f = *state;

    ask_for(f, "3");
    set_role(f, "agee", SHOAL_ROLE_SENSITIVE);
    assert_refused(f, SHOAL_ENOTFOUND, "did you mean \"age\"?");
    assert_int_equal(f->ctx.error.line, 1);
}

static void test_settings_end_with_the_run(void **state)
{
    fixture *f = *state;

    ask_for(f, "3");
    set(f, "threads", "3");
    set(f, "seed", "99");
    f->ctx.seed = 5;
    assert_int_equal(anonymize(f), SHOAL_OK);
    assert_int_equal(f->ctx.threads, 2);
    assert_int_equal(f->ctx.seed, 5);
    unlink(f->output);
    set(f, "privacy.k", "11");
    assert_refused(f, SHOAL_EUNSATISFIABLE, "k = 11");
    assert_int_equal(f->ctx.threads, 2);
}

static void test_missing_values(void **state)
{
    fixture *f = *state;
    shoal_report *report = NULL;

    write_file(f->input, "age,note\n20,?\n?,b\n22,c\n23,d\n");
    set_role(f, "age", SHOAL_ROLE_QUASI);
    set_role(f, "note", SHOAL_ROLE_INSENSITIVE);
    set(f, "privacy.k", "3");
    assert_refused(f, SHOAL_EFORMAT, "Record 2 has no value in column \"age\"");
    assert_int_equal(f->ctx.error.record, 1);
    assert_int_equal(f->ctx.error.field, 0);
    assert_int_equal(f->ctx.error.line, 3);

    set(f, "missing.action", "drop");
    assert_int_equal(shoal_anonymize(&f->ctx, &report, f->spec, f->input, f->output), SHOAL_OK);
    assert_true(shoal_report_figure(report, "records") == 3);
    shoal_report_free(report);
    assert_string_equal(read_file(f->output), "age,note\n[20..23],?\n[20..23],c\n[20..23],d\n");

    set(f, "missing.action", "keep");
    set(f, "privacy.k", "4");
    assert_int_equal(anonymize(f), SHOAL_OK);
    assert_string_equal(read_file(f->output), "age,note\n*,?\n*,b\n*,c\n*,d\n");
}

static void test_all_values_missing(void **state)
{
    fixture *f = *state;

    write_file(f->input, "age\n?\n?\n");
    set_role(f, "age", SHOAL_ROLE_QUASI);
    set(f, "privacy.k", "2");
    set(f, "missing.action", "drop");
    assert_refused(f, SHOAL_EUNSATISFIABLE, "none is left");
    set(f, "missing.action", "keep");
    assert_int_equal(anonymize(f), SHOAL_OK);
}

static void test_own_k(void **state)
{
    fixture *f = *state;

    write_file(f->input, "age,mine\n1,2\n2,2\n3,4\n4,2\n5,2\n6,2\n");
    set_role(f, "age", SHOAL_ROLE_QUASI);
    set(f, "privacy.k.column", "mine");
    assert_int_equal(anonymize(f), SHOAL_OK);
    assert_null(strstr(read_file(f->output), "mine"));

    write_file(f->input, "age,mine\n1,2\n2,0\n");
    unlink(f->output);
    assert_refused(f, SHOAL_EFORMAT, "Record 2");
    write_file(f->input, "age,mine\n1,2\n2,?\n");
    assert_refused(f, SHOAL_EFORMAT, "Record 2");
    write_file(f->input, "age,mine\n1,2\n2,3\n");
    assert_refused(f, SHOAL_EUNSATISFIABLE, "k = 3");
    write_file(f->input, "age,mine\n1,2\n2,9007199254740992\n");
    assert_refused(f, SHOAL_EUNSATISFIABLE, "k = ");
}

/* --- The verifier has the last word. ---------------------------------------------------- */

/* Every record a class of its own, whatever was asked for. */
static shoal_status run_careless(shoal_ctx *ctx, shoal_i_release **out,
                                 const shoal_i_problem *problem,
                                 const shoal_i_method_settings *settings)
{
    uint32_t order[16];
    uint32_t starts[17];

    (void)settings;
    for (uint32_t i = 0; i < problem->row_count; i++) {
        order[i] = i;
        starts[i] = i;
    }
    starts[problem->row_count] = (uint32_t)problem->row_count;
    return shoal_i_release_from_groups(ctx, out, problem->quasi, order, starts,
                                       problem->row_count);
}

/* One class for all, with the values of the first record: k holds, but it is a lie. */
static shoal_status run_lying(shoal_ctx *ctx, shoal_i_release **out,
                              const shoal_i_problem *problem,
                              const shoal_i_method_settings *settings)
{
    const shoal_i_quasi *quasi = problem->quasi;
    shoal_i_interval boxes[64];

    (void)settings;
    for (size_t row = 0; row < problem->row_count; row++) {
        for (size_t c = 0; c < quasi->count; c++) {
            uint32_t code = shoal_i_quasi_code(quasi, c, 0);

            boxes[row * quasi->count + c] = (shoal_i_interval){code, code};
        }
    }
    return shoal_i_release_from_boxes(ctx, out, quasi, boxes, problem->row_count);
}

static const shoal_i_method_option no_options[] = {{.name = NULL}};
static const shoal_i_method careless = {
    .name = "careless", .options = no_options, .run = run_careless};
static const shoal_i_method lying = {.name = "lying", .options = no_options, .run = run_lying};

static void test_small_classes_are_not_published(void **state)
{
    fixture *f = *state;

    ask_for(f, "3");
    f->spec->method = &careless;
    assert_refused(f, SHOAL_EREJECTED, "do not meet k-anonymity");
}

static void test_false_values_are_not_published(void **state)
{
    fixture *f = *state;

    ask_for(f, "3");
    f->spec->method = &lying;
    assert_refused(f, SHOAL_EREJECTED, "does not cover");
}

/* --- Stopping and failing anywhere. ----------------------------------------------------- */

static bool stop_there(void *payload, const char *stage, double fraction)
{
    fixture *f = payload;

    (void)fraction;
    return strcmp(stage, f->stop_at) != 0;
}

static void test_stopping_leaves_nothing(void **state)
{
    fixture *f = *state;
    static const char *const stages[] = {"read", "verify"};
    int cancel = 1;

    ask_for(f, "3");
    f->ctx.progress = stop_there;
    f->ctx.progress_payload = f;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        f->stop_at = stages[i];
        assert_refused(f, SHOAL_ECANCELLED, "Stopped");
    }
    f->ctx.progress = NULL;
    f->ctx.cancel = &cancel;
    assert_refused(f, SHOAL_ECANCELLED, "Stopped");
}

static shoal_status anonymize_again(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_anonymize(ctx, &report, f->spec, f->input, f->output);

    shoal_report_free(report);
    if (st != SHOAL_OK) {
        assert_int_equal(count_files(f->folder), 1);
    }
    return st;
}

static void test_allocation_failures(void **state)
{
    fixture *f = *state;

    ask_for(f, "3");
    f->ctx.threads = 1;
    assert_survives_failing_allocations(&f->ctx, anonymize_again, f);
    assert_int_equal(count_files(f->folder), 2);
}

static shoal_status verify_again(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_verify(ctx, &report, f->spec, f->output);

    shoal_report_free(report);
    return st;
}

static shoal_status measure_again(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_measure(ctx, &report, f->spec, f->input, f->output);

    shoal_report_free(report);
    return st;
}

static void test_allocation_failures_of_readers(void **state)
{
    fixture *f = *state;

    ask_for(f, "3");
    assert_int_equal(anonymize(f), SHOAL_OK);
    assert_survives_failing_allocations(&f->ctx, verify_again, f);
    assert_survives_failing_allocations(&f->ctx, measure_again, f);
}

/* --- verify and measure. ---------------------------------------------------------------- */

static void test_verify(void **state)
{
    fixture *f = *state;
    shoal_report *report = NULL;

    write_file(f->output, "age,sex\n[1..2],F\n[1..2],F\n3,M\n");
    set_role(f, "age", SHOAL_ROLE_QUASI);
    set_role(f, "sex", SHOAL_ROLE_QUASI);
    set(f, "privacy.k", "1");
    assert_int_equal(shoal_verify(&f->ctx, &report, f->spec, f->output), SHOAL_OK);
    assert_true(shoal_report_holds(report));
    shoal_report_free(report);

    set(f, "privacy.k", "2");
    assert_int_equal(shoal_verify(&f->ctx, &report, f->spec, f->output), SHOAL_OK);
    assert_false(shoal_report_holds(report));
    assert_true(shoal_report_figure(report, "classes") == 2);
    assert_true(shoal_report_figure(report, "smallest_class") == 1);
    assert_true(isnan(shoal_report_figure(report, "gcp")));
    shoal_report_free(report);

    /* k beyond the file does not hold; that is no failure of the check. */
    set(f, "privacy.k", "4");
    assert_int_equal(shoal_verify(&f->ctx, &report, f->spec, f->output), SHOAL_OK);
    assert_false(shoal_report_holds(report));
    shoal_report_free(report);
}

static void test_measure_agrees_with_anonymize(void **state)
{
    fixture *f = *state;
    static const char *const names[] = {
        "records", "classes",        "smallest_class",     "ncp",
        "gcp",     "discernibility", "average_class_size", "distortion_ratio"};
    static const char *const forms[] = {"range", "minmax"};

    ask_for(f, "3");
    for (size_t form = 0; form < 2; form++) {
        shoal_report *made = NULL;
        shoal_report *measured = NULL;

        set(f, "output.numeric", forms[form]);
        assert_int_equal(shoal_anonymize(&f->ctx, &made, f->spec, f->input, f->output),
                         SHOAL_OK);
        assert_int_equal(shoal_measure(&f->ctx, &measured, f->spec, f->input, f->output),
                         SHOAL_OK);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            assert_true(shoal_report_figure(made, names[i]) ==
                        shoal_report_figure(measured, names[i]));
        }
        shoal_report_free(made);
        shoal_report_free(measured);
    }
}

static void test_measure_counts_omitted_records(void **state)
{
    fixture *f = *state;
    shoal_report *report = NULL;

    write_file(f->input, "age\n1\n2\n3\n4\n");
    write_file(f->output, "age\n1\n2\n");
    set_role(f, "age", SHOAL_ROLE_QUASI);
    assert_int_equal(shoal_measure(&f->ctx, &report, f->spec, f->input, f->output), SHOAL_OK);
    assert_true(shoal_report_figure(report, "records") == 4);
    assert_true(shoal_report_figure(report, "gcp") == 0.5);
    assert_non_null(strstr(shoal_report_json(report), "\"omitted\": 2"));
    shoal_report_free(report);

    assert_int_equal(shoal_measure(&f->ctx, &report, f->spec, f->output, f->input),
                     SHOAL_EFORMAT);
}

/* --- Reports and hierarchies. ----------------------------------------------------------- */

static void test_report_files(void **state)
{
    fixture *f = *state;
    shoal_report *report = NULL;
    char path[128];

    ask_for(f, "3");
    assert_int_equal(shoal_anonymize(&f->ctx, &report, f->spec, f->input, f->output), SHOAL_OK);
    snprintf(path, sizeof path, "%s/report.json", f->folder);
    assert_int_equal(shoal_report_write(&f->ctx, report, path), SHOAL_OK);
    assert_string_equal(read_file(path), shoal_report_json(report));
    snprintf(path, sizeof path, "%s/report.html", f->folder);
    assert_int_equal(shoal_report_write(&f->ctx, report, path), SHOAL_EINVAL);
    snprintf(path, sizeof path, "%s/report.yaml", f->folder);
    assert_int_equal(shoal_report_write(&f->ctx, report, path), SHOAL_EINVAL);
    snprintf(path, sizeof path, "%s/report", f->folder);
    assert_int_equal(shoal_report_write(&f->ctx, report, path), SHOAL_EINVAL);
    assert_int_equal(shoal_report_check(&f->ctx, ".json"), SHOAL_EINVAL);
    shoal_report_free(report);
    assert_int_equal(count_files(f->folder), 3);
}

static void test_build_hierarchy(void **state)
{
    fixture *f = *state;
    shoal_hierarchy *h = NULL;

    assert_int_equal(shoal_hierarchy_build_spec(&f->ctx, &h, f->spec, f->input, "zip"),
                     SHOAL_ENOTFOUND);
    assert_int_equal(shoal_spec_set_hierarchy(&f->ctx, f->spec, "zip", "prefix:5"), SHOAL_OK);
    assert_int_equal(shoal_hierarchy_build_spec(&f->ctx, &h, f->spec, f->input, "zip"),
                     SHOAL_OK);
    assert_int_equal(shoal_hierarchy_leaf_count(h), 6);
    assert_int_equal(shoal_hierarchy_height(h), 5);
    shoal_hierarchy_free(h);

    assert_int_equal(shoal_spec_set_type(&f->ctx, f->spec, "age", "auto"), SHOAL_OK);
    assert_int_equal(shoal_hierarchy_build_spec(&f->ctx, &h, f->spec, f->input, "age"),
                     SHOAL_EINVAL);
    assert_null(h);
    assert_int_equal(shoal_spec_set_type(&f->ctx, f->spec, "sex", "auto"), SHOAL_OK);
    assert_int_equal(shoal_hierarchy_build_spec(&f->ctx, &h, f->spec, f->input, "sex"),
                     SHOAL_OK);
    assert_int_equal(shoal_hierarchy_height(h), 1);
    shoal_hierarchy_free(h);
}

static void test_hierarchy_weights(void **state)
{
    fixture *f = *state;
    static const char text[] = "columns: {age: {role: quasi, hierarchy: {widths: [10, 20], "
                               "weights: {\"[20..29]\": 0.1, "
                               "\"*\": 5}}}}\n"
                               "privacy: {k: 5}\n";
    static const char wrong[] =
        "columns:\n  age: {role: quasi, hierarchy: {widths: [10], weights: {nobody: 1}}}\n";

    assert_int_equal(
        shoal_spec_read_memory(&f->ctx, f->spec, text, strlen(text), "weights.yaml"), SHOAL_OK);
    assert_int_equal(anonymize(f), SHOAL_OK);
    unlink(f->output);
    assert_int_equal(
        shoal_spec_read_memory(&f->ctx, f->spec, wrong, strlen(wrong), "wrong.yaml"), SHOAL_OK);
    assert_refused(f, SHOAL_ENOTFOUND, "");
    assert_string_equal(f->ctx.error.source, "wrong.yaml");
    assert_int_equal(f->ctx.error.line, 2);
}

static void test_choices(void **state)
{
    shoal_method_facts facts = SHOAL_METHOD_FACTS_INIT;
    shoal_option_facts option = SHOAL_OPTION_FACTS_INIT;
    size_t count = 0;
    size_t options = 0;

    (void)state;
    for (; shoal_method_describe(&facts, count); count++) {
        assert_string_equal(facts.name, shoal_method_name(count));
        assert_true(facts.summary && facts.shape && facts.cost && facts.citation);
        for (size_t i = 0; shoal_method_option_describe(&option, count, i); i++) {
            assert_true(option.name && option.help);
            assert_true(option.words ||
                        (option.least <= option.standard && option.standard <= option.most));
            options++;
        }
    }
    assert_true(count >= 2 && options >= 2);
    assert_string_equal(shoal_method_name(0), "best");
    assert_null(shoal_method_name(count));
    assert_false(shoal_method_option_describe(&option, count, 0));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_release_and_report),
        CASE(test_refused_before_any_work),
        CASE(test_output_is_input),
        CASE(test_too_few_records),
        CASE(test_column_that_is_not_there),
        CASE(test_settings_end_with_the_run),
        CASE(test_missing_values),
        CASE(test_all_values_missing),
        CASE(test_own_k),
        CASE(test_small_classes_are_not_published),
        CASE(test_false_values_are_not_published),
        CASE(test_stopping_leaves_nothing),
        CASE(test_allocation_failures),
        CASE(test_allocation_failures_of_readers),
        CASE(test_verify),
        CASE(test_measure_agrees_with_anonymize),
        CASE(test_measure_counts_omitted_records),
        CASE(test_report_files),
        CASE(test_build_hierarchy),
        CASE(test_hierarchy_weights),
        CASE(test_choices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
