/* The typed parts of reports: requirements with their worst class, figures; held against
 * classes counted by hand and against the JSON. Structs, life and memory. */
#include "report_case.h"

/* --- Requirements. ------------------------------------------------------------------------ */

/* Three classes: of 3 with one illness, of 2 with two, of 4 with two. */
static const char three_classes[] = "age,town,ill,own\n"
                                    "[20..30],a,flu,2\n"
                                    "[20..30],a,flu,2\n"
                                    "[30..40],b,flu,2\n"
                                    "[20..30],a,flu,1\n"
                                    "[30..40],b,gout,3\n"
                                    "[40..50],c,gout,2\n"
                                    "[40..50],c,gout,2\n"
                                    "[40..50],c,cold,2\n"
                                    "[40..50],c,cold,2\n";

static void ask_of_three_classes(room *r)
{
    write_file(r->release, three_classes);
    give_role(r, "age", SHOAL_ROLE_QUASI);
    give_role(r, "town", SHOAL_ROLE_QUASI);
    give_role(r, "ill", SHOAL_ROLE_SENSITIVE);
    set(r, "privacy.k", "3");
    set(r, "privacy.k.column", "own");
    set(r, "privacy.l", "distinct:2");
    set(r, "privacy.t", "equal:0.6");
    set(r, "privacy.alpha", "0.5:gout");
}

static const shoal_requirement_facts *find(const room *r, const char *key, const char *kind)
{
    static shoal_requirement_facts facts;

    facts = (shoal_requirement_facts)SHOAL_REQUIREMENT_FACTS_INIT;
    for (size_t i = 0; shoal_report_requirement(r->report, i, &facts); i++) {
        if (strcmp(facts.key, key) == 0 && strcmp(facts.kind, kind) == 0) {
            return &facts;
        }
    }
    fail_msg("no requirement %s %s", key, kind);
    return NULL;
}

static void test_requirements_by_hand(void **state)
{
    room *r = *state;
    const shoal_requirement_facts *facts = NULL;

    ask_of_three_classes(r);
    expect(r, shoal_verify(&r->ctx, &r->report, r->spec, r->release));
    assert_false(shoal_report_holds(r->report));
    assert_int_equal(shoal_report_requirement_count(r->report), 5);

    facts = find(r, "k", "");
    assert_string_equal(facts->title, "k-anonymity");
    assert_string_equal(facts->asked, "every class has at least 3 records");
    assert_string_equal(facts->column, "");
    assert_string_equal(facts->figure, "records of the class");
    assert_true(facts->larger_is_safer && !facts->holds);
    assert_true(facts->worst_figure == 2 && facts->bound == 3);
    assert_int_equal(facts->worst_class, 1);
    assert_int_equal(facts->worst_class_size, 2);
    assert_int_equal(facts->worst_row, 2);
    assert_int_equal(facts->failing_classes, 1);
    assert_int_equal(facts->failing_records, 2);

    facts = find(r, "l", "distinct");
    assert_string_equal(facts->column, "ill");
    assert_true(facts->larger_is_safer && !facts->holds);
    assert_true(facts->worst_figure == 1 && facts->bound == 2);
    assert_int_equal(facts->worst_class, 0);
    assert_int_equal(facts->worst_class_size, 3);
    assert_int_equal(facts->worst_row, 0);
    assert_int_equal(facts->failing_classes, 1);
    assert_int_equal(facts->failing_records, 3);

    /* Shares of the table: flu 4/9, gout 3/9, cold 2/9. Class 0 is 5/9 away, class 1 at 2/9,
     * class 2 at 4/9. */
    facts = find(r, "t", "equal");
    assert_true(facts->holds && !facts->larger_is_safer);
    assert_true(facts->worst_figure == 5.0 / 9 && facts->bound == 0.6);
    assert_int_equal(facts->worst_class, 0);
    assert_int_equal(facts->failing_classes, 0);
    assert_int_equal(facts->failing_records, 0);

    /* The first of two classes with the same share. */
    facts = find(r, "alpha", "values");
    assert_true(facts->holds && facts->worst_figure == 0.5);
    assert_int_equal(facts->worst_class, 1);
    assert_null(strstr(facts->asked, "gout"));
}

/* A class of 2 in which a record asks for 3. */
static void test_requirement_of_each_record(void **state)
{
    room *r = *state;
    const shoal_requirement_facts *facts = NULL;

    ask_of_three_classes(r);
    expect(r, shoal_verify(&r->ctx, &r->report, r->spec, r->release));
    facts = find(r, "record_k", "");
    assert_string_equal(facts->column, "own");
    assert_true(facts->worst_figure == 2.0 / 3 && facts->bound == 1 && !facts->holds);
    assert_int_equal(facts->worst_class, 1);
    assert_int_equal(facts->failing_records, 2);
}

/* Every fact is what the JSON says, which counts classes from 1. */
static void test_requirements_and_json(void **state)
{
    room *r = *state;
    shoal_requirement_facts facts = SHOAL_REQUIREMENT_FACTS_INIT;
    const char *at = NULL;
    const char *end = NULL;

    ask_of_three_classes(r);
    expect(r, shoal_verify(&r->ctx, &r->report, r->spec, r->release));
    end = find_key(shoal_report_json(r->report), "requirements");
    for (size_t i = 0; i < shoal_report_requirement_count(r->report); i++) {
        assert_true(next_object(&at, &end));
        assert_true(shoal_report_requirement(r->report, i, &facts));
        assert_true(has_text(at, end, "key", facts.key));
        assert_true(has_text(at, end, "kind", facts.kind));
        assert_true(has_text(at, end, "title", facts.title));
        assert_true(has_text(at, end, "asked", facts.asked));
        assert_true(has_text(at, end, "column", facts.column));
        assert_true(strncmp(find_key(at, "holds"), facts.holds ? "true" : "false", 4) == 0);
        assert_same(read_number(at, end, "worst_figure"), facts.worst_figure);
        assert_same(read_number(at, end, "worst_class"), (double)facts.worst_class + 1);
        assert_same(read_number(at, end, "worst_class_size"), (double)facts.worst_class_size);
        assert_same(read_number(at, end, "failing_classes"), (double)facts.failing_classes);
        assert_same(read_number(at, end, "failing_records"), (double)facts.failing_records);
    }
    assert_false(next_object(&at, &end));
}

static void test_runs_without_a_verdict(void **state)
{
    room *r = *state;
    shoal_requirement_facts facts = SHOAL_REQUIREMENT_FACTS_INIT;

    write_file(r->input, "age,ill\n30,flu\n40,gout\n");
    expect(r, shoal_inspect(&r->ctx, &r->report, r->spec, r->input));
    assert_int_equal(shoal_report_requirement_count(r->report), 0);
    assert_false(shoal_report_requirement(r->report, 0, &facts));
    assert_int_equal(shoal_report_point_count(r->report), 0);
    assert_null(shoal_report_point_spec(r->report, 0));
    assert_true(isnan(shoal_report_point_figure(r->report, 0, "gcp")));
}

/* A box per record: sizes are those of candidates. Any of the two first rows may be of any of
 * the two first records; the third of none but the third. */
static void test_requirement_of_boxes(void **state)
{
    room *r = *state;
    const shoal_requirement_facts *facts = NULL;

    write_file(r->input, "age\n20\n30\n90\n");
    write_file(r->release, "age\n[20..30]\n[20..30]\n90\n");
    give_role(r, "age", SHOAL_ROLE_QUASI);
    set(r, "privacy.k", "2");
    expect(r, shoal_verify_records(&r->ctx, &r->report, r->spec, r->input, r->release));
    facts = find(r, "k", "");
    assert_non_null(strstr(facts->figure, "rows that a record could be in"));
    assert_non_null(strstr(facts->asked, "at least 2 rows"));
    assert_true(facts->worst_figure == 1 && facts->bound == 2 && !facts->holds);
    assert_int_equal(facts->worst_class, 2);
    assert_int_equal(facts->failing_classes, 2);
}

/* --- Figures. ----------------------------------------------------------------------------- */

static void test_figures(void **state)
{
    room *r = *state;
    const char *json = NULL;

    write_people(r);
    set(r, "privacy.k", "4");
    set(r, "method", "topdown");
    set(r, "measure.figures", "privacy_loss,utility_loss,bound");
    expect(r, shoal_anonymize(&r->ctx, &r->report, r->spec, r->input, r->release));
    json = shoal_report_json(r->report);

    size_t count = shoal_report_figure_count(r->report);

    assert_in_range(count, 12, 32);
    for (size_t i = 0; i < count; i++) {
        const char *name = shoal_report_figure_name(r->report, i);

        assert_same(shoal_report_figure_at(r->report, i), shoal_report_figure(r->report, name));
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(name, shoal_report_figure_name(r->report, j));
        }
        if (strcmp(name, "bound") == 0) {
            assert_same(shoal_report_figure_at(r->report, i),
                        read_number(find_key(json, "bound"), json + strlen(json), "gcp"));
        } else if (strcmp(name, "seconds") != 0) {
            assert_same(shoal_report_figure_at(r->report, i),
                        read_number(json, json + strlen(json), name));
        }
    }
    assert_true(shoal_report_figure(r->report, "records") == 60);
    assert_null(shoal_report_figure_name(r->report, count));
    assert_null(shoal_report_figure_name(r->report, SIZE_MAX));
    assert_true(isnan(shoal_report_figure_at(r->report, count)));
    assert_true(isnan(shoal_report_figure_at(r->report, SIZE_MAX)));
    assert_true(isnan(shoal_report_figure(r->report, "beauty")));
}

/* --- Structs, life and memory. ------------------------------------------------------------ */

/* A caller of an older header has a shorter struct: what lies behind it stays. */
static void test_struct_sizes(void **state)
{
    room *r = *state;
    shoal_requirement_facts facts = SHOAL_REQUIREMENT_FACTS_INIT;

    ask_of_three_classes(r);
    expect(r, shoal_verify(&r->ctx, &r->report, r->spec, r->release));
    facts.struct_size = offsetof(shoal_requirement_facts, title);
    assert_true(shoal_report_requirement(r->report, 0, &facts));
    assert_non_null(facts.kind);
    assert_null(facts.title);
    assert_int_equal(facts.struct_size, offsetof(shoal_requirement_facts, title));
    facts = (shoal_requirement_facts){0};
    assert_false(shoal_report_requirement(r->report, 0, &facts));
    facts.struct_size = sizeof facts + sizeof(size_t);
    assert_false(shoal_report_requirement(r->report, 0, &facts));
    assert_null(facts.key);
}

static void test_struct_sizes_of_points_and_warnings(void **state)
{
    room *r = *state;
    shoal_warning_facts warning = SHOAL_WARNING_FACTS_INIT;
    shoal_point_facts point = SHOAL_POINT_FACTS_INIT;

    write_people(r);
    set(r, "frontier.sweep", "k=2");
    set(r, "frontier.methods", "mondrian");
    expect(r, shoal_frontier(&r->ctx, &r->report, r->spec, r->input, NULL, false));
    point.struct_size = offsetof(shoal_point_facts, state);
    assert_true(shoal_report_point(r->report, 0, &point));
    assert_string_equal(point.method, "mondrian");
    assert_null(point.state);
    point.struct_size = 0;
    assert_false(shoal_report_point(r->report, 0, &point));
    shoal_report_free(r->report);
    r->report = NULL;

    set(r, "privacy.k", "2");
    set(r, "method", "mondrian");
    expect(r, shoal_anonymize(&r->ctx, &r->report, r->spec, r->input, r->release));
    warning.struct_size = offsetof(shoal_warning_facts, message);
    assert_true(shoal_report_warning(r->report, 0, &warning));
    assert_string_equal(warning.column, "email");
    assert_null(warning.message);
    warning.struct_size = 0;
    assert_false(shoal_report_warning(r->report, 0, &warning));
}

/* A report needs nothing of its run: the sanitizer sees whoever looks. */
static void test_reports_outlive_all_else(void **state)
{
    room *r = *state;
    shoal_ctx *ctx = shoal_ctx_new();
    shoal_spec *copy = NULL;
    shoal_requirement_facts facts = SHOAL_REQUIREMENT_FACTS_INIT;
    shoal_warning_facts warning = SHOAL_WARNING_FACTS_INIT;
    shoal_point_facts point = SHOAL_POINT_FACTS_INIT;

    write_people(r);
    set(r, "privacy.k", "4");
    set(r, "privacy.l", "1.2");
    set(r, "method", "mondrian");
    set(r, "frontier.sweep", "k=2,500");
    set(r, "frontier.methods", "topdown:rounds=3");
    assert_int_equal(shoal_spec_copy(ctx, &copy, r->spec), SHOAL_OK);
    assert_int_equal(shoal_anonymize(ctx, &r->report, copy, r->input, r->release), SHOAL_OK);
    shoal_report *frontier = NULL;

    assert_int_equal(shoal_frontier(ctx, &frontier, copy, r->input, NULL, false), SHOAL_OK);
    shoal_spec_free(copy);
    shoal_ctx_free(ctx);

    assert_true(shoal_report_requirement(r->report, 1, &facts));
    assert_string_equal(facts.column, "ill");
    assert_non_null(strstr(facts.asked, "ill"));
    assert_true(shoal_report_warning(r->report, 0, &warning));
    assert_string_equal(warning.column, "email");
    assert_non_null(strstr(warning.message, "\"email\""));
    assert_true(shoal_report_point(frontier, 1, &point));
    assert_string_equal(point.requirement, "k 500");
    assert_string_equal(point.method, "topdown:rounds=3");
    assert_non_null(strstr(point.reason, "500"));
    assert_non_null(strstr(shoal_report_point_spec(frontier, 0), "k: 2\n"));
    shoal_report_free(frontier);
}

static shoal_status run_failing(shoal_ctx *ctx, void *payload)
{
    room *r = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_anonymize(ctx, &report, r->spec, r->input, r->release);

    r->heard.count = 0;
    assert_true((st == SHOAL_OK) == (report != NULL));
    if (report) {
        assert_int_equal(shoal_report_warning_count(report), 1);
        assert_int_equal(shoal_report_requirement_count(report), 2);
    }
    shoal_report_free(report);
    return st;
}

static void test_allocation_failures(void **state)
{
    room *r = *state;

    write_people(r);
    set(r, "privacy.k", "4");
    set(r, "privacy.l", "1.2");
    set(r, "method", "mondrian");
    assert_survives_failing_allocations(&r->ctx, run_failing, r);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(test_requirements_by_hand),
        RUN(test_requirement_of_each_record),
        RUN(test_requirements_and_json),
        RUN(test_runs_without_a_verdict),
        RUN(test_requirement_of_boxes),
        RUN(test_figures),
        RUN(test_struct_sizes),
        RUN(test_struct_sizes_of_points_and_warnings),
        RUN(test_reports_outlive_all_else),
        RUN(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
