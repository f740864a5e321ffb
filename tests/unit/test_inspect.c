/* The first look at a raw file: facts, guesses, risk, and the spec it suggests. */
#include <shoal/job.h>

#include "failing.h"
#include "job/input/column_names.h"
#include "job/inspect/inspect.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct fixture {
    shoal_ctx ctx;
    shoal_spec *spec;
    char path[64];
} fixture;

static void write_input(const fixture *f, const char *text)
{
    FILE *file = fopen(f->path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static int open_fixture(void **state)
{
    static fixture f;

    memset(&f, 0, sizeof f);
    shoal_i_ctx_init(&f.ctx);
    f.ctx.threads = 1;
    snprintf(f.path, sizeof f.path, "/tmp/shoal-inspect-XXXXXX");
    int fd = mkstemp(f.path);

    assert_true(fd >= 0);
    close(fd);
    *state = &f;
    return shoal_spec_new(&f.ctx, &f.spec) == SHOAL_OK ? 0 : -1;
}

static int close_fixture(void **state)
{
    fixture *f = *state;

    shoal_spec_free(f->spec);
    shoal_i_ctx_clear(&f->ctx);
    unlink(f->path);
    return 0;
}

static shoal_report *inspect(fixture *f, const char *text)
{
    shoal_report *report = NULL;

    write_input(f, text);
    assert_int_equal(shoal_inspect(&f->ctx, &report, f->spec, f->path), SHOAL_OK);
    return report;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("expected \"%s\" in\n%s", part, text);
    }
}

/* --- Guesses. --------------------------------------------------------------------------- */

/* A short word counts only where no letter and no digit stands beside it. */
static void test_words_in_names(void **state)
{
    (void)state;
    assert_true(shoal_i_names_quasi("age"));
    for (const char *c = "azAZ09_- ."; *c; c++) {
        bool is_apart = strchr("_- .", *c) != NULL;
        char before[] = {*c, 'a', 'g', 'e', '\0'};
        char after[] = {'a', 'g', 'e', *c, '\0'};

        assert_int_equal(shoal_i_names_quasi(before), is_apart);
        assert_int_equal(shoal_i_names_quasi(after), is_apart);
    }
}

/* The role guessed for a string column of 100 records. */
static shoal_role guess(const char *name, size_t distinct, size_t once)
{
    shoal_i_column_facts facts = {
        .name = name, .type = SHOAL_TYPE_STRING, .distinct = distinct, .once = once};

    shoal_i_inspect_guess(&facts, 100);
    return facts.role;
}

static void test_roles_by_name(void **state)
{
    (void)state;
    assert_int_equal(guess("name", 95, 90), SHOAL_ROLE_IDENTIFIER);
    assert_int_equal(guess("Patient_ID", 100, 100), SHOAL_ROLE_IDENTIFIER);
    assert_int_equal(guess("e-mail", 100, 100), SHOAL_ROLE_IDENTIFIER);
    /* The same patients, again and again. */
    assert_int_equal(guess("Name", 12, 0), SHOAL_ROLE_IDENTIFIER);
    assert_int_equal(guess("name", 1, 0), SHOAL_ROLE_INSENSITIVE);
    assert_int_equal(guess("school_name", 5, 0), SHOAL_ROLE_QUASI);
    assert_int_equal(guess("Diagnosis", 12, 1), SHOAL_ROLE_SENSITIVE);
    assert_int_equal(guess("main-diagnosis", 12, 1), SHOAL_ROLE_SENSITIVE);
    assert_int_equal(guess("age", 60, 10), SHOAL_ROLE_QUASI);
    assert_int_equal(guess("birthdate", 100, 100), SHOAL_ROLE_QUASI);
    assert_int_equal(guess("average", 100, 100), SHOAL_ROLE_IDENTIFIER);
    assert_int_equal(guess("x", 10, 0), SHOAL_ROLE_QUASI);
    assert_int_equal(guess("age", 1, 0), SHOAL_ROLE_INSENSITIVE);
    assert_int_equal(guess("", 10, 0), SHOAL_ROLE_QUASI);
}

static void test_given_roles_stay(void **state)
{
    shoal_i_column_facts facts = {.name = "name",
                                  .type = SHOAL_TYPE_STRING,
                                  .distinct = 100,
                                  .once = 100,
                                  .is_given = true,
                                  .role = SHOAL_ROLE_SENSITIVE};

    (void)state;
    shoal_i_inspect_guess(&facts, 100);
    assert_int_equal(facts.role, SHOAL_ROLE_SENSITIVE);
    assert_string_equal(facts.note, "");
}

static void test_codes_are_masked(void **state)
{
    shoal_i_column_facts facts = {
        .name = "ZIP", .type = SHOAL_TYPE_INTEGER, .distinct = 50, .text_length = 5};

    (void)state;
    shoal_i_inspect_guess(&facts, 100);
    assert_int_equal(facts.mask_length, 5);
    facts.text_length = 0;
    facts.mask_length = 0;
    shoal_i_inspect_guess(&facts, 100);
    assert_int_equal(facts.mask_length, 0);
}

/* --- Reports. --------------------------------------------------------------------------- */

static void test_facts_and_risk(void **state)
{
    fixture *f = *state;
    shoal_report *report =
        inspect(f, "age,sex,job\n30,F,a\n30,F,b\n30,M,b\n41,M,\n41,M,a\n52,F,a\n");

    assert_true(shoal_report_figure(report, "records") == 6);
    assert_true(shoal_report_figure(report, "unique_records") == 6);
    shoal_report_free(report);

    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "age", SHOAL_ROLE_QUASI), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "sex", SHOAL_ROLE_QUASI), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, "job", SHOAL_ROLE_SENSITIVE),
                     SHOAL_OK);
    assert_int_equal(shoal_inspect(&f->ctx, &report, f->spec, f->path), SHOAL_OK);
    assert_true(shoal_report_figure(report, "classes") == 4);
    assert_true(shoal_report_figure(report, "unique_records") == 2);
    assert_true(shoal_report_figure(report, "smallest_class") == 1);
    assert_has(shoal_report_text(report), "2 of 6 records are unique (33.3%)");
    assert_has(shoal_report_text(report), "100.0% at most, 66.7% on average");
    assert_has(shoal_report_json(report), "\"role_guessed\": false");
    assert_has(shoal_report_json(report), "\"highest\": 1");
    shoal_report_free(report);
}

static void test_no_cell_is_shown(void **state)
{
    fixture *f = *state;
    shoal_report *report = inspect(f, "town,secret\nZanzibar,Quetzal\nZanzibar,Quetzal\n");

    assert_null(strstr(shoal_report_text(report), "Zanzibar"));
    assert_null(strstr(shoal_report_json(report), "Quetzal"));
    assert_null(strstr(shoal_report_spec(report), "Zanzibar"));
    shoal_report_free(report);
}

static void test_no_quasi_column(void **state)
{
    fixture *f = *state;
    shoal_report *report = inspect(f, "a\nx\nx\n");

    assert_has(shoal_report_text(report), "No column looks like a quasi-identifier");
    assert_null(strstr(shoal_report_json(report), "prosecutor_risk"));
    shoal_report_free(report);
}

static void test_one_record(void **state)
{
    fixture *f = *state;
    shoal_report *report = inspect(f, "age\n30\n");

    assert_true(shoal_report_figure(report, "unique_records") == 1);
    shoal_report_free(report);
}

/* What inspect suggests, anonymize understands, whatever the columns are called. */
static void test_spec_can_be_read(void **state)
{
    fixture *f = *state;
    shoal_report *report = inspect(f, "age,\"a: b\",\"x\"\"\\\n\t#\",{,null\n"
                                      "1,p,1,2,3\n2,q,2,2,4\n3,p,1,3,4\n4,q,2,3,3\n");
    const char *text = shoal_report_spec(report);
    shoal_spec *spec = NULL;

    assert_int_equal(shoal_spec_new(&f->ctx, &spec), SHOAL_OK);
    assert_int_equal(shoal_spec_read_memory(&f->ctx, spec, text, strlen(text), "s"), SHOAL_OK);
    assert_non_null(shoal_i_spec_find_column(spec, "a: b"));
    assert_non_null(shoal_i_spec_find_column(spec, "x\"\\\n\t#"));
    assert_non_null(shoal_i_spec_find_column(spec, "{"));
    assert_non_null(shoal_i_spec_find_column(spec, "null"));
    assert_int_equal(spec->column_count, 5);
    shoal_spec_free(spec);
    shoal_report_free(report);
}

static void test_absent_file(void **state)
{
    fixture *f = *state;
    shoal_report *report = NULL;

    assert_int_equal(shoal_inspect(&f->ctx, &report, f->spec, "/no/such/file.csv"),
                     SHOAL_ENOTFOUND);
    assert_null(report);
}

static shoal_status inspect_again(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_inspect(ctx, &report, f->spec, f->path);

    shoal_report_free(report);
    return st;
}

static void test_allocation_failures(void **state)
{
    fixture *f = *state;

    write_input(f, "age,zip,name\n1,53711,a\n2,53712,b\n?,53711,c\n");
    assert_survives_failing_allocations(&f->ctx, inspect_again, f);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_in_names),
        cmocka_unit_test(test_roles_by_name),
        cmocka_unit_test(test_given_roles_stay),
        cmocka_unit_test(test_codes_are_masked),
        CASE(test_facts_and_risk),
        CASE(test_no_cell_is_shown),
        CASE(test_no_quasi_column),
        CASE(test_one_record),
        CASE(test_spec_can_be_read),
        CASE(test_absent_file),
        CASE(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
