/* The typed parts of reports: figures, requirements with their worst class, warnings, points of
 * a frontier with their specs; held against classes counted by hand, against the JSON, and
 * against runs of their own. */
#include "failing.h"
#include "fake_clock.h"
#include "files.h"

#include <shoal/shoal.h>

#include <inttypes.h>
#include <math.h>

typedef struct heard {
    size_t count;
    char messages[8][SHOAL_MESSAGE_MAX];
} heard;

typedef struct room {
    shoal_ctx ctx;
    shoal_spec *spec;
    shoal_report *report;
    char folder[64];
    char input[96];
    char release[96];
    heard heard;
} room;

static void expect(room *r, shoal_status st)
{
    if (st != SHOAL_OK) {
        print_error("%s: %s\n", r->ctx.error.source, r->ctx.error.message);
    }
    assert_int_equal(st, SHOAL_OK);
}

static void set(room *r, const char *key, const char *value)
{
    expect(r, shoal_spec_set(&r->ctx, r->spec, key, value));
}

static void give_role(room *r, const char *column, shoal_role role)
{
    expect(r, shoal_spec_set_role(&r->ctx, r->spec, column, role));
}

static void hear(void *payload, shoal_log_level level, const char *message,
                 const shoal_error *where)
{
    heard *h = payload;

    (void)where;
    if (level == SHOAL_LOG_WARNING) {
        assert_true(h->count < 8);
        snprintf(h->messages[h->count++], SHOAL_MESSAGE_MAX, "%s", message);
    }
}

static int enter(void **state)
{
    room *r = calloc(1, sizeof *r);

    shoal_i_ctx_init(&r->ctx);
    r->ctx.threads = 1;
    r->ctx.log = hear;
    r->ctx.log_payload = &r->heard;
    make_folder(r->folder);
    snprintf(r->input, sizeof r->input, "%s/in.csv", r->folder);
    snprintf(r->release, sizeof r->release, "%s/out.csv", r->folder);
    assert_int_equal(shoal_spec_new(&r->ctx, &r->spec), SHOAL_OK);
    *state = r;
    return 0;
}

static int leave(void **state)
{
    room *r = *state;
    int left = remove_folder(r->folder);

    shoal_report_free(r->report);
    shoal_spec_free(r->spec);
    shoal_i_ctx_clear(&r->ctx);
    free(r);
    return left;
}

/* --- JSON, read with the simplest means. -------------------------------------------------- */

/* Behind `"key": ` of the first such key from `at` on; NULL when there is none. */
static const char *find_key(const char *at, const char *key)
{
    char quoted[64];

    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    at = strstr(at, quoted);
    return at ? at + strlen(quoted) : NULL;
}

/* The number of a key; NaN for null, and where there is no such key before `end`. */
static double read_number(const char *at, const char *end, const char *key)
{
    const char *value = find_key(at, key);

    return !value || value >= end || strncmp(value, "null", 4) == 0 ? NAN : strtod(value, NULL);
}

/* Whether a key has exactly this text; "" also when there is no such key before `end`. */
static bool has_text(const char *at, const char *end, const char *key, const char *text)
{
    const char *value = find_key(at, key);

    if (!value || value >= end) {
        return text[0] == '\0';
    }
    for (value++; *value != '"'; value++, text++) {
        char c = *value;

        if (c == '\\') {
            c = *++value == 'n' ? '\n' : *value;
        }
        if (c != *text) {
            return false;
        }
    }
    return *text == '\0';
}

/* The objects of an array on the top level: where one begins, and where it ends. */
static bool next_object(const char **at, const char **end)
{
    const char *begin = strstr(*end, "    {\n");
    const char *array_end = strstr(*end, "\n  ]");

    if (!begin || begin > array_end) {
        return false;
    }
    *at = begin;
    *end = strstr(begin, "\n    }");
    return true;
}

static void assert_same(double a, double b)
{
    if (!(a == b || (isnan(a) && isnan(b)))) {
        print_error("%.17g is not %.17g\n", a, b);
    }
    assert_true(a == b || (isnan(a) && isnan(b)));
}

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

static void write_people(room *r)
{
    FILE *file = fopen(r->input, "w");

    assert_non_null(file);
    fputs("age,town,ill,email,note\n", file);
    for (int i = 0; i < 60; i++) {
        fprintf(file, "%d,t%d,%s,p%d@x,n%d\n", 20 + i * 7 % 31, i % 4, i % 3 ? "flu" : "gout",
                i, i % 2);
    }
    assert_int_equal(fclose(file), 0);
    give_role(r, "age", SHOAL_ROLE_QUASI);
    give_role(r, "town", SHOAL_ROLE_QUASI);
    give_role(r, "ill", SHOAL_ROLE_SENSITIVE);
    set(r, "rest", "release");
}

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

/* --- Warnings. ---------------------------------------------------------------------------- */

/* The warnings of the report are these, in this order; the JSON and the log say the same. */
static void assert_warned(room *r, size_t count, const char *const expected[][2])
{
    shoal_warning_facts facts = SHOAL_WARNING_FACTS_INIT;
    const char *at = NULL;
    const char *end = find_key(shoal_report_json(r->report), "warnings");

    assert_non_null(end);
    assert_int_equal(shoal_report_warning_count(r->report), count);
    assert_int_equal(r->heard.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(shoal_report_warning(r->report, i, &facts));
        assert_string_equal(facts.code, expected[i][0]);
        assert_string_equal(facts.column, expected[i][1]);
        assert_string_equal(facts.message, r->heard.messages[i]);
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

/* --- Points. ------------------------------------------------------------------------------ */

static void sweep(room *r)
{
    write_people(r);
    give_role(r, "email", SHOAL_ROLE_IDENTIFIER);
    r->ctx.seed = 7;
    set(r, "privacy.k", "3");
    set(r, "privacy.l", "1.2");
    set(r, "measure.figures", "privacy_loss,utility_loss");
    set(r, "measure.min_support", "0.2");
    set(r, "effort", "high");
    set(r, "frontier.sweep", "k=2,8,500");
    set(r, "frontier.sweep", "l=1.5,9");
    set(r, "frontier.sweep", "t=0.4,equal:0.3");
    set(r, "frontier.methods", "mondrian");
    set(r, "frontier.methods", "topdown:rounds=2");
    set(r, "frontier.methods", "best:effort=fast");
    set(r, "frontier.methods", "bucketize");
    set(r, "frontier.methods", "nonhomogeneous");
    set(r, "frontier.max.privacy_loss", "0.3");
    expect(r, shoal_frontier(&r->ctx, &r->report, r->spec, r->input, NULL, false));
}

static void test_points_and_json(void **state)
{
    static const char *const figures[] = {
        "value",
        "classes",
        "smallest_class",
        "seconds",
        "privacy_loss",
        "utility_loss",
        "gcp",
        "discernibility",
        "highest_risk",
        "query_error",
        "average_class_size",
        "distortion_ratio",
    };
    room *r = *state;
    shoal_point_facts facts = SHOAL_POINT_FACTS_INIT;
    const char *at = NULL;
    const char *end = NULL;
    size_t recommended = 0;

    sweep(r);
    assert_int_equal(shoal_report_point_count(r->report), 35);
    assert_true(shoal_report_figure(r->report, "points") == 35);
    end = find_key(shoal_report_json(r->report), "points");
    for (size_t i = 0; i < 35; i++) {
        assert_true(next_object(&at, &end));
        assert_true(shoal_report_point(r->report, i, &facts));
        bool is_done = strcmp(facts.state, "done") == 0;

        assert_true(has_text(at, end, "requirement", facts.requirement));
        assert_true(has_text(at, end, "method", facts.method));
        assert_true(has_text(at, end, "state", facts.state));
        assert_true(has_text(at, end, "reason", facts.reason));
        assert_true(has_text(at, end, "shape", facts.shape));
        assert_int_equal(is_done, facts.reason[0] == '\0');
        assert_int_equal(is_done, facts.shape[0] != '\0');
        for (size_t j = 0; j < sizeof figures / sizeof *figures; j++) {
            assert_same(shoal_report_point_figure(r->report, i, figures[j]),
                        read_number(at, end, figures[j]));
        }
        if (is_done) {
            assert_same((double)facts.classes, read_number(at, end, "classes"));
            assert_same((double)facts.smallest_class, read_number(at, end, "smallest_class"));
            assert_same(facts.seconds, read_number(at, end, "seconds"));
            assert_true(strncmp(find_key(at, "frontier"), facts.is_dominated ? "f" : "t", 1) ==
                        0);
            assert_true(
                strncmp(find_key(at, "recommended"), facts.is_recommended ? "t" : "f", 1) == 0);
        } else {
            assert_true(facts.classes == 0 && facts.smallest_class == 0);
            assert_true(facts.is_dominated && !facts.is_recommended);
        }
        recommended += facts.is_recommended;
        assert_true(
            has_text(at, end, "spec",
                     facts.is_recommended ? shoal_report_point_spec(r->report, i) : ""));
    }
    assert_false(next_object(&at, &end));
    assert_int_equal(recommended, 1);
    assert_true(isnan(shoal_report_point_figure(r->report, 0, "beauty")));
    assert_false(shoal_report_point(r->report, 35, &facts));
    assert_null(shoal_report_point_spec(r->report, 35));
    assert_null(shoal_report_point_spec(r->report, SIZE_MAX));
    assert_true(isnan(shoal_report_point_figure(r->report, 35, "gcp")));
}

/* Make the release of a point by its spec: the figures are those of the point. */
static void check_point(room *r, size_t i)
{
    static const char *const figures[] = {
        "gcp",     "discernibility", "average_class_size", "distortion_ratio",
        "classes", "smallest_class", "privacy_loss",       "utility_loss"};
    const char *text = shoal_report_point_spec(r->report, i);
    shoal_point_facts facts = SHOAL_POINT_FACTS_INIT;
    shoal_spec *spec = NULL;
    shoal_report *made = NULL;

    assert_true(shoal_report_point(r->report, i, &facts));
    assert_null(strstr(text, "frontier"));
    expect(r, shoal_spec_new(&r->ctx, &spec));
    expect(r, shoal_spec_read_memory(&r->ctx, spec, text, strlen(text), "point.yaml"));
    /* The seed is that of the spec, wherever it is used. */
    r->ctx.seed = 12345;
    shoal_status st = shoal_anonymize(&r->ctx, &made, spec, r->input, r->release);

    if (strcmp(facts.state, "done") == 0) {
        expect(r, st);
        for (size_t j = 0; j < sizeof figures / sizeof *figures; j++) {
            assert_same(shoal_report_figure(made, figures[j]),
                        shoal_report_point_figure(r->report, i, figures[j]));
        }
        assert_true(
            has_text(shoal_report_json(made), (const char *)UINTPTR_MAX, "shape", facts.shape));
    } else {
        assert_int_equal(st, strcmp(facts.state, "impossible") == 0 ? SHOAL_EUNSATISFIABLE
                                                                    : SHOAL_EUNSUPPORTED);
        assert_int_equal(strncmp(facts.reason, r->ctx.error.message, 40), 0);
    }
    shoal_report_free(made);
    shoal_spec_free(spec);
}

static void test_specs_make_their_points(void **state)
{
    static const char *const words[] = {"done", "impossible", "failed"};
    room *r = *state;
    size_t states[3] = {0};
    shoal_point_facts facts = SHOAL_POINT_FACTS_INIT;

    sweep(r);
    for (size_t i = 0; i < shoal_report_point_count(r->report); i++) {
        check_point(r, i);
        assert_true(shoal_report_point(r->report, i, &facts));
        for (size_t j = 0; j < 3; j++) {
            states[j] += strcmp(facts.state, words[j]) == 0;
        }
    }
    assert_true(states[0] >= 10 && states[1] >= 6 && states[2] >= 1);
    assert_int_equal(states[0] + states[1] + states[2], 35);
}

/* What was asked for besides the sweep stays, but for what the sweep takes the place of. */
static void test_the_spec_of_a_point(void **state)
{
    room *r = *state;
    const char *text = NULL;

    sweep(r);
    text = shoal_report_point_spec(r->report, 5); /* k 8 by mondrian */
    assert_non_null(strstr(text, "k: 8\n"));
    assert_non_null(strstr(text, "l: [1.2]"));
    assert_non_null(strstr(text, "seed: 7\n"));
    assert_non_null(strstr(text, "email: {type: auto, weight: 1, role: identifier}"));
    assert_null(strstr(text, "effort: high"));
    text = shoal_report_point_spec(r->report, 16); /* l 1.5 by topdown:rounds=2 */
    assert_non_null(strstr(text, "k: 3\n"));
    assert_non_null(strstr(text, "l: [1.5]"));
    assert_null(strstr(text, "1.2"));
    assert_non_null(strstr(text, "topdown:rounds=2"));
}

/* Time that is over at once leaves points that are still to be made. */
static void test_open_points(void **state)
{
    room *r = *state;
    shoal_point_facts facts = SHOAL_POINT_FACTS_INIT;

    write_people(r);
    set(r, "frontier.sweep", "k=3,5");
    set(r, "frontier.methods", "mondrian");
    set(r, "frontier.axes", "highest_risk,gcp");
    set(r, "frontier.time", "1s");
    expect(r, shoal_frontier(&r->ctx, &r->report, r->spec, r->input, NULL, false));
    assert_true(shoal_report_point(r->report, 1, &facts));
    assert_string_equal(facts.state, "not run");
    assert_string_equal(facts.reason, "the time was over");
    assert_true(facts.is_dominated && facts.seconds == 0);
    assert_true(isnan(shoal_report_point_figure(r->report, 1, "classes")));
    assert_non_null(strstr(shoal_report_point_spec(r->report, 1), "k: 5\n"));
}

/* Values that a spec names are for its owner: JSON has them only where values may be shown. */
static void test_specs_that_name_values(void **state)
{
    room *r = *state;

    write_people(r);
    set(r, "measure.figures", "privacy_loss,utility_loss");
    set(r, "frontier.sweep", "alpha=0.6:gout");
    set(r, "frontier.methods", "mondrian");
    set(r, "frontier.max.privacy_loss", "10");
    expect(r, shoal_frontier(&r->ctx, &r->report, r->spec, r->input, NULL, false));
    assert_non_null(strstr(shoal_report_json(r->report), "\"recommended\": true"));
    assert_null(strstr(shoal_report_json(r->report), "gout"));
    assert_null(strstr(shoal_report_json(r->report), "\"spec\": "));
    assert_non_null(strstr(shoal_report_point_spec(r->report, 0), "gout"));
    check_point(r, 0);

    shoal_report_free(r->report);
    r->ctx.show_values = true;
    expect(r, shoal_frontier(&r->ctx, &r->report, r->spec, r->input, NULL, false));
    assert_non_null(find_key(shoal_report_json(r->report), "spec"));
}

/* Named besides the sweep. */
static void test_specs_with_named_values_elsewhere(void **state)
{
    room *r = *state;

    write_people(r);
    set(r, "privacy.alpha", "0.9:gout");
    set(r, "frontier.sweep", "k=2");
    set(r, "frontier.methods", "mondrian");
    set(r, "frontier.max.privacy_loss", "10");
    expect(r, shoal_frontier(&r->ctx, &r->report, r->spec, r->input, NULL, false));
    assert_non_null(strstr(shoal_report_json(r->report), "\"recommended\": true"));
    assert_null(strstr(shoal_report_json(r->report), "gout"));
}

/* Those of hierarchies: weights of their labels, or all of one that is no file. */
static void test_specs_with_values_of_hierarchies(void **state)
{
    static const char *const specs[] = {
        "columns: {town: {hierarchy: {prefix: 1, weights: {\"*\": 2}}}}\n",
        "columns: {town: {hierarchy: {levels: [[t0, frobozz, \"*\"], [t1, frobozz, \"*\"],"
        " [t2, x, \"*\"], [t3, x, \"*\"]]}}}\n",
    };
    room *r = *state;

    write_people(r);
    set(r, "measure.figures", "privacy_loss,utility_loss");
    set(r, "frontier.sweep", "k=6");
    set(r, "frontier.methods", "mondrian");
    set(r, "frontier.max.privacy_loss", "10");
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        expect(r, shoal_spec_read_memory(&r->ctx, r->spec, specs[i], strlen(specs[i]), "spec"));
        expect(r, shoal_frontier(&r->ctx, &r->report, r->spec, r->input, NULL, false));
        assert_non_null(strstr(shoal_report_json(r->report), "\"recommended\": true"));
        assert_null(find_key(shoal_report_json(r->report), "spec"));
        assert_non_null(
            strstr(shoal_report_point_spec(r->report, 0), i == 0 ? "weights" : "frobozz"));
        check_point(r, 0);
        shoal_report_free(r->report);
        r->report = NULL;
    }
}

/* A population in memory is nothing that a file could name. */
static void test_points_of_a_population_in_memory(void **state)
{
    room *r = *state;
    shoal_table *table = NULL;
    shoal_point_facts facts = SHOAL_POINT_FACTS_INIT;

    write_people(r);
    expect(r, shoal_csv_read(&r->ctx, &table, r->input, NULL));
    expect(r, shoal_spec_set_population_table(&r->ctx, r->spec, table));
    set(r, "frontier.sweep", "k=6");
    set(r, "frontier.methods", "mondrian");
    set(r, "frontier.max.privacy_loss", "10");
    expect(r, shoal_frontier_table(&r->ctx, &r->report, r->spec, table));
    assert_true(shoal_report_point(r->report, 0, &facts));
    assert_string_equal(facts.state, "done");
    assert_true(facts.is_recommended);
    assert_string_equal(shoal_report_point_spec(r->report, 0), "");
    assert_null(find_key(shoal_report_json(r->report), "spec"));
    shoal_table_free(table);
}

/* Sixteen requirements and one more are no spec. */
static void test_a_point_that_no_spec_can_ask_for(void **state)
{
    room *r = *state;
    shoal_point_facts facts = SHOAL_POINT_FACTS_INIT;

    write_people(r);
    for (int i = 0; i < 16; i++) {
        set(r, "privacy.l", "1.1");
    }
    set(r, "frontier.sweep", "l=1.2");
    set(r, "frontier.sweep", "t=0.4");
    set(r, "frontier.methods", "mondrian");
    expect(r, shoal_frontier(&r->ctx, &r->report, r->spec, r->input, NULL, false));
    assert_true(shoal_report_point(r->report, 1, &facts));
    assert_string_equal(facts.state, "failed");
    assert_string_equal(shoal_report_point_spec(r->report, 1), "");
    assert_true(shoal_report_point(r->report, 0, &facts));
    assert_string_equal(facts.state, "done");
    assert_non_null(strstr(shoal_report_point_spec(r->report, 0), "l: [1.2]"));
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
        RUN(test_no_warning),
        RUN(test_warnings_of_columns),
        RUN(test_warning_of_boxes),
        RUN(test_every_run_has_warnings),
        RUN(test_points_and_json),
        RUN(test_specs_make_their_points),
        RUN(test_the_spec_of_a_point),
        RUN(test_open_points),
        RUN(test_specs_that_name_values),
        RUN(test_specs_with_named_values_elsewhere),
        RUN(test_specs_with_values_of_hierarchies),
        RUN(test_points_of_a_population_in_memory),
        RUN(test_a_point_that_no_spec_can_ask_for),
        RUN(test_struct_sizes),
        RUN(test_struct_sizes_of_points_and_warnings),
        RUN(test_reports_outlive_all_else),
        RUN(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
