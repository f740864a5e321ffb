/* Queries: the language, and how names and values are held against a release, its hierarchies
 * and its original. */
#include <shoal/job.h>

#include "failing.h"
#include "files.h"
#include "measure/query/query_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- The language. ---------------------------------------------------------------------- */

static void test_parts(void **state)
{
    shoal_ctx ctx;
    shoal_i_query query;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(
        shoal_i_query_parse(&ctx, &query,
                            "sum(\"a \"\"b\"\"\") WHERE x IN ('it''s', b,c)\n and y>=1 AND "
                            "\"and\" between 1 and 'AND' and z = [20..30]"),
        SHOAL_OK);
    assert_int_equal(query.aggregate, SHOAL_I_SUM);
    assert_string_equal(query.target.text, "a \"b\"");
    assert_int_equal(query.condition_count, 4);
    assert_int_equal(query.conditions[0].sign, SHOAL_I_IN);
    assert_int_equal(query.conditions[0].value_count, 3);
    assert_string_equal(query.conditions[0].values[0].text, "it's");
    assert_string_equal(query.conditions[0].values[2].text, "c");
    assert_int_equal(query.conditions[1].sign, SHOAL_I_GREATER_EQUAL);
    assert_string_equal(query.conditions[1].values[0].text, "1");
    assert_string_equal(query.conditions[2].column.text, "and");
    assert_int_equal(query.conditions[2].sign, SHOAL_I_BETWEEN);
    assert_string_equal(query.conditions[2].values[1].text, "AND");
    assert_string_equal(query.conditions[3].values[0].text, "[20..30]");
    shoal_i_query_clear(&query);
    shoal_i_ctx_clear(&ctx);
}

static void test_places_of_mistakes(void **state)
{
    static const struct {
        const char *query;
        int64_t column;
    } bad[] = {
        {"", 1},
        {"  ", 3},
        {"MAX(x)", 1},
        {"COUNT COUNT", 7},
        {"COUNT WHERE", 12},
        {"COUNT WHERE x", 14},
        {"COUNT WHERE x ==", 16},
        {"COUNT WHERE x = y z", 19},
        {"COUNT WHERE x = y OR z = 1", 19},
        {"COUNT WHERE x = y AND", 22},
        {"COUNT WHERE x IN ()", 19},
        {"COUNT WHERE x IN (a b)", 21},
        {"COUNT WHERE x IN a", 18},
        {"COUNT WHERE x BETWEEN 1 2", 25},
        {"COUNT WHERE x = \"y", 17},
        {"COUNT WHERE (x = y)", 13},
        {"SUM(", 5},
        {"SUM()", 5},
        {"SUM(x", 6},
        {"AVG(x) x", 8},
        {"COUNT(x)", 7},
        {"COUNT WHERE WHERE = 1", 13},
    };
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        shoal_i_query query;

        assert_int_equal(shoal_i_query_parse(&ctx, &query, bad[i].query), SHOAL_EINVAL);
        if (ctx.error.column != bad[i].column) {
            fail_msg("%s: at %d", bad[i].query, (int)ctx.error.column);
        }
        assert_string_equal(ctx.error.source, "query");
    }
    shoal_i_ctx_clear(&ctx);
}

static void test_limits(void **state)
{
    shoal_ctx ctx;
    shoal_i_query query;
    char *text = calloc(SHOAL_I_QUERY_MAX + 2, 1);

    (void)state;
    shoal_i_ctx_init(&ctx);
    memset(text, 'x', SHOAL_I_QUERY_MAX + 1);
    assert_int_equal(shoal_i_query_parse(&ctx, &query, text), SHOAL_ELIMIT);
    memcpy(text, "COUNT WHERE a=1", 16);
    for (size_t at = 15, i = 0; i < SHOAL_I_CONDITIONS_MAX; i++, at += 8) {
        memcpy(text + at, " AND a=1", 9);
    }
    assert_int_equal(shoal_i_query_parse(&ctx, &query, text), SHOAL_ELIMIT);
    free(text);
    shoal_i_ctx_clear(&ctx);
}

/* --- Runs. ------------------------------------------------------------------------------ */

static const char original[] = "age,pay,job,city\n20,1.5,nurse,A\n21,2.5,nurse,B\n"
                               "29,3.5,cook,A\n40,4.5,cook,A\n";
static const char release[] = "age,pay,job,city\n[20..29],[1.5..3.5],*,A\n"
                              "[20..29],[1.5..3.5],*,B\n[20..29],[1.5..3.5],*,A\n"
                              "40,4.5,cook,A\n";

typedef struct fixture {
    shoal_ctx ctx;
    shoal_spec *spec;
    char folder[64];
    char original[96];
    char release[96];
} fixture;

static int open_fixture(void **state)
{
    static fixture f;
    static const char *const quasi[] = {"age", "pay", "job"};

    memset(&f, 0, sizeof f);
    shoal_i_ctx_init(&f.ctx);
    f.ctx.threads = 1;
    make_folder(f.folder);
    assert_int_equal(shoal_spec_new(&f.ctx, &f.spec), SHOAL_OK);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(shoal_spec_set_role(&f.ctx, f.spec, quasi[i], SHOAL_ROLE_QUASI),
                         SHOAL_OK);
    }
    snprintf(f.original, sizeof f.original, "%s/original.csv", f.folder);
    snprintf(f.release, sizeof f.release, "%s/release.csv", f.folder);
    write_file(f.original, original);
    write_file(f.release, release);
    *state = &f;
    return 0;
}

static int close_fixture(void **state)
{
    fixture *f = *state;

    shoal_spec_free(f->spec);
    shoal_i_ctx_clear(&f->ctx);
    unlink(f->original);
    unlink(f->release);
    return rmdir(f->folder); /* fails when something was left behind */
}

static double ask(fixture *f, const char *query, const char *figure)
{
    shoal_report *report = NULL;

    if (shoal_query(&f->ctx, &report, f->spec, f->release, f->original, query, NULL) !=
        SHOAL_OK) {
        fail_msg("%s: %s", query, f->ctx.error.message);
    }
    double value = shoal_report_figure(report, figure);

    shoal_report_free(report);
    return value;
}

static void check(fixture *f, const char *query, double estimate, double exact)
{
    double found = ask(f, query, "estimate");

    if (!(fabs(found - estimate) < 1e-9)) {
        fail_msg("%s: %.17g", query, found);
    }
    assert_true(fabs(ask(f, query, "exact") - exact) < 1e-9);
}

static void test_numbers(void **state)
{
    fixture *f = *state;

    check(f, "COUNT WHERE age < 25", 3 * 0.5, 2);
    check(f, "COUNT WHERE age <= 24.5", 3 * 0.5, 2);
    check(f, "COUNT WHERE age > 24.5 AND age < 25", 0, 0);
    check(f, "COUNT WHERE age BETWEEN 25 AND 40", 3 * 0.5 + 1, 2);
    check(f, "COUNT WHERE age IN (20, 21, 40)", 3 * 0.2 + 1, 3);
    check(f, "COUNT WHERE age IN (40, 20, 20)", 3 * 0.1 + 1, 2);
    check(f, "COUNT WHERE age = 20-24 AND age >= 22", 3 * 0.3, 0);
    check(f, "COUNT WHERE age = *", 4, 4);
    check(f, "COUNT WHERE pay < 2.5", 3 * 0.5, 1);
    check(f, "COUNT WHERE pay >= 4.5", 1, 1);
    check(f, "COUNT WHERE pay > 4.5", 0, 0);
    check(f, "SUM(age) WHERE age < 25", 3 * 0.5 * 22, 41);
    check(f, "SUM(pay)", 3 * 2.5 + 4.5, 12);
    check(f, "AVG(pay) WHERE pay >= 2.5", (3 * 0.5 * 3 + 4.5) / 2.5, 10.5 / 3);
}

static void test_categories_and_other_columns(void **state)
{
    fixture *f = *state;

    check(f, "COUNT WHERE job = cook", 3 * 0.5 + 1, 2);
    check(f, "COUNT WHERE city = A", 3, 3);
    check(f, "COUNT WHERE city IN (A, B) AND job = nurse AND age < 25", 3 * 0.25, 2);
    check(f, "COUNT WHERE city = B AND city = A", 0, 0);
    check(f, "AVG(age) WHERE city = B", 24.5, 21);
}

static shoal_status ask_failing(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_query(
        ctx, &report, f->spec, f->release, f->original,
        "AVG(pay) WHERE age IN (20, 25-29) AND job = cook AND city = A", "marginal");

    shoal_report_free(report);
    return st;
}

static shoal_status ask_alone_failing(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_query(ctx, &report, f->spec, f->release, NULL,
                                  "COUNT WHERE age < 30 AND city = A", NULL);

    shoal_report_free(report);
    return st;
}

static void test_failing_allocations(void **state)
{
    fixture *f = *state;

    assert_survives_failing_allocations(&f->ctx, ask_failing, f);
    assert_survives_failing_allocations(&f->ctx, ask_alone_failing, f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_places_of_mistakes),
        cmocka_unit_test(test_limits),
        cmocka_unit_test_setup_teardown(test_numbers, open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(test_categories_and_other_columns, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(test_failing_allocations, open_fixture, close_fixture),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
