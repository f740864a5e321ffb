/* The warnings of a report: the same in the report, in its JSON and in the log. */
#include "report_case.h"

/* The warnings of the report are these, in this order; the JSON and the log say the same. */
static void assert_warned(room *r, size_t count, const char *const expected[][2])
{
    shoal_warning_facts facts = SHOAL_WARNING_FACTS_INIT;
    const char *at = NULL;
    const char *end = find_key(shoal_report_json(r->report), "warnings");
    char told[SHOAL_MESSAGE_MAX + 64];

    assert_non_null(end);
    assert_int_equal(shoal_report_warning_count(r->report), count);
    assert_int_equal(r->heard.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(shoal_report_warning(r->report, i, &facts));
        assert_string_equal(facts.code, expected[i][0]);
        assert_string_equal(facts.column, expected[i][1]);
        snprintf(told, sizeof told, "%s [%s]", facts.message, facts.code);
        assert_string_equal(told, r->heard.messages[i]);
        assert_true(next_object(&at, &end));
        assert_true(has_text(at, end, "code", facts.code));
        assert_true(has_text(at, end, "column", facts.column));
        assert_true(has_text(at, end, "message", facts.message));
    }
    if (count == 0) {
        assert_int_equal(strncmp(end, "[]", 2), 0);
    } else {
        assert_false(next_object(&at, &end));
    }
    assert_false(shoal_report_warning(r->report, count, &facts));
    assert_false(shoal_report_warning(r->report, SIZE_MAX, &facts));
}

static void test_no_warning(void **state)
{
    room *r = *state;

    write_people(r);
    give_role(r, "email", SHOAL_ROLE_IDENTIFIER);
    set(r, "privacy.k", "4");
    set(r, "privacy.l", "distinct:2");
    set(r, "method", "topdown");
    expect(r, shoal_anonymize(&r->ctx, &r->report, r->spec, r->input, r->release));
    assert_warned(r, 0, NULL);
}

/* A quasi column with one stray value, one with a name of its own in every record, one that is
 * named like an identifier; nothing of a cell in any sentence. */
static void test_warnings_of_columns(void **state)
{
    static const char *const expected[][2] = {
        {"stray-values", "age"},
        {"near-unique-column", "code"},
        {"identifier-name", "phone"},
    };
    room *r = *state;
    FILE *file = fopen(r->input, "w");
    shoal_warning_facts facts = SHOAL_WARNING_FACTS_INIT;

    fputs("age,code,phone\n", file);
    for (int i = 0; i < 60; i++) {
        fprintf(file, i == 9 ? "xyzzy,plugh%d,frobozz%d\n" : "%d,plugh%d,frobozz%d\n",
                i == 9 ? i : 20 + i % 31, i == 9 ? 3 : i, i == 9 ? 0 : i % 40);
    }
    assert_int_equal(fclose(file), 0);
    give_role(r, "age", SHOAL_ROLE_QUASI);
    set(r, "rest", "release");
    set(r, "privacy.k", "4");
    set(r, "method", "mondrian");
    expect(r, shoal_anonymize(&r->ctx, &r->report, r->spec, r->input, r->release));
    assert_warned(r, 3, expected);
    for (size_t i = 0; shoal_report_warning(r->report, i, &facts); i++) {
        assert_null(strstr(facts.message, "xyzzy"));
        assert_null(strstr(facts.message, "plugh"));
        assert_null(strstr(facts.message, "frobozz"));
    }

    /* Nobody need listen, and a file that is only looked at has strays as well. */
    shoal_report_free(r->report);
    r->ctx.log = NULL;
    expect(r, shoal_inspect(&r->ctx, &r->report, r->spec, r->input));
    r->heard.count = 1;
    assert_warned(r, 1, expected);
}

/* Rows of a release in classes of one, though they are generalized. */
static void test_warning_of_boxes(void **state)
{
    static const char *const expected[][2] = {{"box-per-record", ""}};
    room *r = *state;

    write_file(r->input, "age\n20\n30\n40\n50\n");
    write_file(r->release, "age\n[20..30]\n[20..40]\n[30..50]\n[40..50]\n");
    give_role(r, "age", SHOAL_ROLE_QUASI);
    expect(r, shoal_measure(&r->ctx, &r->report, r->spec, r->input, r->release));
    assert_warned(r, 1, expected);

    shoal_report_free(r->report);
    r->report = NULL;
    r->heard.count = 0;
    set(r, "measure.shape", "records");
    expect(r, shoal_measure(&r->ctx, &r->report, r->spec, r->input, r->release));
    assert_warned(r, 0, NULL);
}

/* Frontiers, queries and releases in memory say so when there is nothing to warn of. */
static void test_every_run_has_warnings(void **state)
{
    room *r = *state;
    shoal_table *table = NULL;
    shoal_release *release = NULL;

    write_people(r);
    give_role(r, "email", SHOAL_ROLE_IDENTIFIER);
    set(r, "privacy.k", "4");
    set(r, "privacy.l", "distinct:2");
    set(r, "method", "mondrian");
    expect(r, shoal_csv_read(&r->ctx, &table, r->input, NULL));
    expect(r, shoal_anonymize_table(&r->ctx, &release, &r->report, r->spec, table));
    assert_warned(r, 0, NULL);
    shoal_report_free(r->report);
    expect(r, shoal_query_release(&r->ctx, &r->report, r->spec, release, table,
                                  "COUNT WHERE age < 30", NULL));
    assert_warned(r, 0, NULL);
    shoal_report_free(r->report);
    expect(r, shoal_verify_release(&r->ctx, &r->report, r->spec, release));
    assert_warned(r, 0, NULL);
    shoal_report_free(r->report);
    expect(r, shoal_risk_release(&r->ctx, &r->report, r->spec, table, release));
    assert_warned(r, 0, NULL);
    shoal_report_free(r->report);
    set(r, "frontier.sweep", "k=3");
    set(r, "frontier.methods", "mondrian");
    expect(r, shoal_frontier_table(&r->ctx, &r->report, r->spec, table));
    assert_warned(r, 0, NULL);
    shoal_release_free(release);
    shoal_table_free(table);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(test_no_warning),
        RUN(test_warnings_of_columns),
        RUN(test_warning_of_boxes),
        RUN(test_every_run_has_warnings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
