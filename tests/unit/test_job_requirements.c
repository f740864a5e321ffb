/* Runs with requirements about sensitive values and populations: what is refused, what the
 * verifier rejects, and that nothing is left behind. */
#include <shoal/job.h>

#include "failing.h"
#include "files.h"
#include "spec/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char table[] = "age,ill,pay\n1,flu,10\n2,flu,20\n3,gout,20\n4,gout,30\n"
                            "5,flu,10\n6,gout,30\n7,flu,20\n8,gout,10\n";
static const char spec_text[] =
    "columns:\n"
    "  age: quasi\n"
    "  ill: {role: sensitive, hierarchy: flat}\n"
    "  pay: {role: sensitive, type: integer}\n"
    "privacy:\n"
    "  k: 2\n"
    "  alpha: [{value: 0.5, values: [flu], column: ill}, {limits: {30: 0.6}, column: pay}]\n"
    "  l: {value: 2, kind: {recursive: 2}, column: ill}\n"
    "  t: [{value: 0.5, distance: hierarchical, column: ill},\n"
    "      {value: 0.5, distance: ordered, column: pay}]\n"
    "  beta: 3\n";

typedef struct fixture {
    shoal_ctx ctx;
    shoal_spec *spec;
    char folder[64];
    char input[96];
    char output[96];
} fixture;

static void read_spec(fixture *f, const char *text)
{
    shoal_spec_free(f->spec);
    f->spec = NULL;
    assert_int_equal(shoal_spec_new(&f->ctx, &f->spec), SHOAL_OK);
    if (shoal_spec_read_memory(&f->ctx, f->spec, text, strlen(text), "s.yaml") != SHOAL_OK) {
        fail_msg("%s", f->ctx.error.message);
    }
}

static int open_fixture(void **state)
{
    static fixture f;

    memset(&f, 0, sizeof f);
    shoal_i_ctx_init(&f.ctx);
    f.ctx.threads = 1;
    make_folder(f.folder);
    snprintf(f.input, sizeof f.input, "%s/in.csv", f.folder);
    snprintf(f.output, sizeof f.output, "%s/out.csv", f.folder);
    write_file(f.input, table);
    read_spec(&f, spec_text);
    *state = &f;
    return 0;
}

static int close_fixture(void **state)
{
    fixture *f = *state;

    shoal_spec_free(f->spec);
    shoal_i_ctx_clear(&f->ctx);
    unlink(f->input);
    unlink(f->output);
    return rmdir(f->folder); /* fails when something was left behind */
}

static shoal_status anonymize(fixture *f)
{
    shoal_report *report = NULL;
    shoal_status st = shoal_anonymize(&f->ctx, &report, f->spec, f->input, f->output);

    shoal_report_free(report);
    return st;
}

static void assert_refused(fixture *f, const char *spec, shoal_status status, const char *part)
{
    read_spec(f, spec);
    assert_int_equal(anonymize(f), status);
    if (!strstr(f->ctx.error.message, part)) {
        fail_msg("expected \"%s\" in \"%s\"", part, f->ctx.error.message);
    }
    assert_int_not_equal(access(f->output, F_OK), 0);
}

static void test_all_at_once(void **state)
{
    fixture *f = *state;
    shoal_report *report = NULL;

    assert_int_equal(shoal_anonymize(&f->ctx, &report, f->spec, f->input, f->output), SHOAL_OK);
    assert_true(shoal_report_holds(report));
    assert_non_null(strstr(shoal_report_json(report), "\"kind\": \"hierarchical\""));
    assert_non_null(strstr(shoal_report_json(report), "\"c\": 2"));
    assert_null(strstr(shoal_report_text(report), "flu"));
    assert_null(strstr(shoal_report_json(report), "gout"));
    shoal_report_free(report);

    assert_int_equal(shoal_verify(&f->ctx, &report, f->spec, f->output), SHOAL_OK);
    assert_true(shoal_report_holds(report));
    shoal_report_free(report);
}

static void test_verify_finds_what_fails(void **state)
{
    fixture *f = *state;
    shoal_report *report = NULL;

    write_file(f->output, "age,ill,pay\nx,flu,10\nx,flu,10\ny,gout,10\ny,flu,30\n");
    assert_int_equal(shoal_verify(&f->ctx, &report, f->spec, f->output), SHOAL_OK);
    assert_false(shoal_report_holds(report));
    assert_non_null(strstr(shoal_report_json(report), "\"failing_classes\": 1"));
    shoal_report_free(report);
}

static void test_refused(void **state)
{
    fixture *f = *state;

    assert_refused(f, "columns: {age: quasi}\nprivacy: {l: 2}", SHOAL_EINVAL, "there is none");
    assert_refused(f,
                   "columns: {age: quasi, ill: sensitive}\nprivacy: {l: {value: 2, column: x}}",
                   SHOAL_EINVAL, "is not one");
    assert_refused(f, "columns: {age: quasi, ill: sensitive}\nprivacy: {alpha: 1:HIV}",
                   SHOAL_EINVAL, "\"HIV\" does not occur");
    assert_int_equal(f->ctx.error.line, 2);
    assert_refused(f, "columns: {age: quasi, ill: sensitive}\nprivacy: {l: 2.1}",
                   SHOAL_EUNSATISFIABLE, "largest l that can hold is 2");
    assert_refused(f,
                   "columns: {age: quasi, ill: {role: sensitive, hierarchy: none.csv}}\n"
                   "privacy: {t: hierarchical:0.2}",
                   SHOAL_ENOTFOUND, "no such file");
    assert_refused(f, "columns: {age: quasi}\nprivacy: {k_map: 2}", SHOAL_EINVAL,
                   "there is none; give its file");
}

/* More columns times requirements than a set holds. */
static void test_too_many(void **state)
{
    fixture *f = *state;

    assert_refused(f,
                   "columns: {age: quasi, ill: sensitive, pay: sensitive}\n"
                   "privacy: {delta: [1, 1, 1, 1, 1, 1, 1, 1, 1]}",
                   SHOAL_ELIMIT, "At most 16");
}

/* Classes of one ill each: k holds, diversity does not, and the method says nothing. */
static shoal_status run_undiverse(shoal_ctx *ctx, shoal_i_release **out,
                                  const shoal_i_problem *problem,
                                  const shoal_i_method_settings *settings)
{
    static const uint32_t order[] = {0, 1, 4, 6, 2, 3, 5, 7};
    static const uint32_t starts[] = {0, 4, 8};

    (void)settings;
    return shoal_i_release_from_groups(ctx, out, problem->quasi, order, starts, 2);
}

static void test_undiverse_classes_are_not_published(void **state)
{
    fixture *f = *state;
    static const shoal_i_method_option none[] = {{.name = NULL}};
    static const shoal_i_method undiverse = {
        .name = "undiverse", .options = none, .run = run_undiverse};

    read_spec(f, "columns: {age: quasi, ill: sensitive}\nprivacy: {k: 2, l: 2}");
    f->spec->method = &undiverse;
    assert_int_equal(anonymize(f), SHOAL_EREJECTED);
    assert_non_null(strstr(f->ctx.error.message, "l-diversity"));
    assert_int_not_equal(access(f->output, F_OK), 0);
}

static shoal_status anonymize_failing(shoal_ctx *ctx, void *payload)
{
    (void)ctx;
    return anonymize(payload);
}

static shoal_status verify_failing(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_verify(ctx, &report, f->spec, f->output);

    assert_true((st == SHOAL_OK) == (report != NULL));
    shoal_report_free(report);
    return st;
}

static void test_allocation_failures(void **state)
{
    fixture *f = *state;

    /* The default method allocates ten times as often, and has a test of its own. */
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "method", "mondrian"), SHOAL_OK);
    assert_survives_failing_allocations(&f->ctx, anonymize_failing, f);
    assert_survives_failing_allocations(&f->ctx, verify_failing, f);
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "privacy.k_map", "2"), SHOAL_OK);
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "privacy.population", f->input),
                     SHOAL_OK);
    assert_survives_failing_allocations(&f->ctx, verify_failing, f);
    assert_survives_failing_allocations(&f->ctx, anonymize_failing, f);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_all_at_once),
        CASE(test_verify_finds_what_fails),
        CASE(test_refused),
        CASE(test_too_many),
        CASE(test_undiverse_classes_are_not_published),
        CASE(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
