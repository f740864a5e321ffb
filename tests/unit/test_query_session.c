/* Sessions of queries: answers and refusals are those of single queries, which read the release
 * for each; of files and in memory, with and without the original. */
#include "failing.h"
#include "files.h"
#include "base/fail.h"
#include "base/random.h"

#include <shoal/shoal.h>

#define RECORDS 150
#define QUERIES 100

typedef struct room {
    shoal_ctx ctx;
    shoal_spec *spec;
    shoal_table *original;
    char folder[64];
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

static const char *const jobs[] = {"cook", "nurse", "clerk", "smith"};
static const char *const ills[] = {"flu", "gout", "asthma", "none"};

static void write_input(const char *path)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    fprintf(file, "name,age,job,note,ill,cost\n");
    for (unsigned i = 0; i < RECORDS; i++) {
        unsigned mixed = (i * 2654435761u) >> 7;

        fprintf(file, "P%03u,%u,%s,n%u,%s,%u.5\n", i, 20 + mixed % 50, jobs[mixed / 3 % 4],
                i % 3, ills[mixed / 5 % 4], mixed % 90);
    }
    assert_int_equal(fclose(file), 0);
}

static int enter(void **state)
{
    room *r = calloc(1, sizeof *r);

    assert_non_null(r);
    shoal_i_ctx_init(&r->ctx);
    r->ctx.threads = 1;
    make_folder(r->folder);
    assert_int_equal(chdir(r->folder), 0);
    write_input("in.csv");
    write_file("job.csv", "cook;food;*\nnurse;care;*\nclerk;*\nsmith;*\nsailor;sea;*\n");
    expect(r, shoal_spec_new(&r->ctx, &r->spec));
    expect(r, shoal_spec_set_role(&r->ctx, r->spec, "name", SHOAL_ROLE_IDENTIFIER));
    expect(r, shoal_spec_set_role(&r->ctx, r->spec, "age", SHOAL_ROLE_QUASI));
    expect(r, shoal_spec_set_role(&r->ctx, r->spec, "job", SHOAL_ROLE_QUASI));
    expect(r, shoal_spec_set_role(&r->ctx, r->spec, "cost", SHOAL_ROLE_SENSITIVE));
    expect(r, shoal_spec_set_role(&r->ctx, r->spec, "ill", SHOAL_ROLE_SENSITIVE));
    expect(r, shoal_spec_set_hierarchy(&r->ctx, r->spec, "job", "job.csv"));
    set(r, "privacy.k", "4");
    expect(r, shoal_csv_read(&r->ctx, &r->original, "in.csv", NULL));
    *state = r;
    return 0;
}

static int leave(void **state)
{
    room *r = *state;

    shoal_table_free(r->original);
    shoal_spec_free(r->spec);
    shoal_i_ctx_clear(&r->ctx);
    assert_true(chdir("/") == 0 && remove_folder(r->folder) == 0);
    free(r);
    return 0;
}

/* A release in memory, and the same in out.csv. */
static shoal_release *make_release(room *r, const char *method)
{
    shoal_release *release = NULL;
    bool is_in_two = false;

    set(r, "method", method);
    if (strcmp(method, "anatomy") == 0) {
        set(r, "privacy.l", "ill=distinct:2");
    }
    expect(r, shoal_anonymize_table(&r->ctx, &release, NULL, r->spec, r->original));
    is_in_two = shoal_release_shape(release) == SHOAL_SHAPE_BUCKETS;
    expect(r, shoal_release_write(&r->ctx, release, "out.csv",
                                  is_in_two ? "out.sensitive.csv" : NULL, ','));
    return release;
}

/* --- Queries. --------------------------------------------------------------------------- */

static void add_condition(char *out, size_t size, shoal_i_random *random)
{
    size_t used = strlen(out);
    unsigned from = 15 + (unsigned)shoal_i_random_below(random, 50);
    unsigned index = (unsigned)shoal_i_random_below(random, 4);
    static const char *const groups[] = {"food", "care", "clerk", "*"};

    switch (shoal_i_random_below(random, 7)) {
    case 0:
        snprintf(out + used, size - used, "age BETWEEN %u AND %u", from, from + 9);
        break;
    case 1:
        snprintf(out + used, size - used, "job = '%s'", groups[index]);
        break;
    case 2:
        snprintf(out + used, size - used, "job IN (%s, smith)", jobs[index]);
        break;
    case 3:
        snprintf(out + used, size - used, "ill = %s", ills[index]);
        break;
    case 4:
        snprintf(out + used, size - used, "cost < %u", from);
        break;
    case 5:
        snprintf(out + used, size - used, "note IN (n0, n%u)", 1 + index % 2);
        break;
    default: /* refused: no such value, or no such column */
        snprintf(out + used, size - used, index < 2 ? "ill = plague" : "hue = 3");
        break;
    }
}

static void make_query(char *out, size_t size, shoal_i_random *random)
{
    static const char *const heads[] = {"COUNT", "SUM(age)", "AVG(cost)", "SUM(cost)"};
    size_t conditions = 1 + (size_t)shoal_i_random_below(random, 3);

    snprintf(out, size, "%s WHERE ", heads[shoal_i_random_below(random, 4)]);
    for (size_t i = 0; i < conditions; i++) {
        if (i > 0) {
            snprintf(out + strlen(out), size - strlen(out), " AND ");
        }
        add_condition(out, size, random);
    }
}

static void assert_same_figure(const shoal_report *a, const shoal_report *b, const char *name)
{
    double x = shoal_report_figure(a, name);
    double y = shoal_report_figure(b, name);

    assert_true(x == y || (x != x && y != y));
}

/* What the session says to a query is what was said before. */
static void assert_answer(room *r, const shoal_query_session *session, const char *query,
                          shoal_status st, const shoal_error *error, const shoal_report *single)
{
    shoal_report *report = NULL;

    assert_int_equal(shoal_query_session_ask(&r->ctx, &report, session, query), st);
    assert_true((report != NULL) == (st == SHOAL_OK));
    if (st != SHOAL_OK) {
        assert_string_equal(r->ctx.error.message, error->message);
        assert_int_equal(r->ctx.error.column, error->column);
        return;
    }
    assert_same_figure(report, single, "estimate");
    assert_same_figure(report, single, "exact");
    assert_same_figure(report, single, "query_error");
    shoal_report_free(report);
}

static void assert_sessions_answer(room *r, const shoal_release *release, bool with_original,
                                   const char *estimator)
{
    const char *path = with_original ? "in.csv" : NULL;
    shoal_query_session *of_files = NULL;
    shoal_query_session *in_memory = NULL;
    shoal_i_random random = shoal_i_random_start(7);
    size_t answered = 0;

    expect(r,
           shoal_query_session_open(&r->ctx, &of_files, r->spec, "out.csv", path, estimator));
    expect(r, shoal_query_session_open_release(&r->ctx, &in_memory, r->spec, release,
                                               with_original ? r->original : NULL, estimator));
    for (int i = 0; i < QUERIES; i++) {
        char query[256];
        shoal_report *single = NULL;

        make_query(query, sizeof query, &random);
        shoal_status st =
            shoal_query(&r->ctx, &single, r->spec, "out.csv", path, query, estimator);
        shoal_error error = r->ctx.error;

        assert_answer(r, of_files, query, st, &error, single);
        assert_answer(r, in_memory, query, st, &error, single);
        answered += st == SHOAL_OK;
        shoal_report_free(single);
    }
    assert_true(answered > QUERIES / 3 && answered < QUERIES);
    shoal_query_session_free(of_files);
    shoal_query_session_free(in_memory);
}

static void test_answers_are_those_of_single_queries(void **state)
{
    room *r = *state;
    shoal_release *release = make_release(r, "topdown");

    assert_sessions_answer(r, release, true, NULL);
    assert_sessions_answer(r, release, false, "uniform");
    assert_sessions_answer(r, release, true, "marginal");
    shoal_release_free(release);
}

static void test_answers_of_buckets(void **state)
{
    room *r = *state;
    shoal_release *release = make_release(r, "anatomy");

    assert_sessions_answer(r, release, true, NULL);
    assert_sessions_answer(r, release, false, NULL);
    shoal_release_free(release);
}

static void test_answers_of_a_box_per_record(void **state)
{
    room *r = *state;
    shoal_release *release = make_release(r, "nonhomogeneous:test_seed=3");

    assert_sessions_answer(r, release, true, NULL);
    shoal_release_free(release);
}

static void test_workloads_are_those_of_single_ones(void **state)
{
    static const char *const kinds[] = {"xu-count", "xu-sum", "lili"};
    static const char *const names[] = {"query_error", "query_error_median", "dropped"};
    room *r = *state;
    shoal_release *release = make_release(r, "topdown");
    shoal_query_session *session = NULL;

    expect(r, shoal_query_session_open(&r->ctx, &session, r->spec, "out.csv", "in.csv", NULL));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        shoal_workload workload = SHOAL_WORKLOAD_INIT;
        shoal_report *single = NULL;
        shoal_report *report = NULL;

        workload.kind = kinds[i];
        workload.queries = 200;
        expect(r,
               shoal_query_workload(&r->ctx, &single, r->spec, "out.csv", "in.csv", &workload));
        expect(r, shoal_query_session_workload(&r->ctx, &report, session, &workload));
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            assert_same_figure(single, report, names[n]);
        }
        assert_true(shoal_report_figure(report, "query_error") > 0);
        shoal_report_free(single);
        shoal_report_free(report);
    }
    shoal_query_session_free(session);
    shoal_release_free(release);
}

/* Nothing that the session was given is needed any more. */
static void test_session_stands_alone(void **state)
{
    room *r = *state;
    shoal_release *release = make_release(r, "topdown");
    shoal_query_session *session = NULL;
    shoal_report *before = NULL;
    shoal_report *after = NULL;
    const char *const query = "COUNT WHERE age < 40 AND job = food AND ill = flu";

    expect(r, shoal_query_session_open_release(&r->ctx, &session, r->spec, release, r->original,
                                               NULL));
    expect(r, shoal_query_session_ask(&r->ctx, &before, session, query));
    shoal_release_free(release);
    shoal_table_free(r->original);
    r->original = NULL;
    set(r, "missing.tokens", "flu");
    shoal_spec_free(r->spec);
    r->spec = NULL;
    unlink("job.csv");
    expect(r, shoal_query_session_ask(&r->ctx, &after, session, query));
    assert_same_figure(before, after, "estimate");
    assert_same_figure(before, after, "exact");
    shoal_report_free(before);
    shoal_report_free(after);
    shoal_query_session_free(session);
}

/* --- Refusals. -------------------------------------------------------------------------- */

static void test_refusals(void **state)
{
    room *r = *state;
    shoal_release *release = make_release(r, "topdown");
    shoal_query_session *session = NULL;
    shoal_report *report = NULL;
    shoal_workload workload = SHOAL_WORKLOAD_INIT;

    assert_int_equal(
        shoal_query_session_open(&r->ctx, &session, r->spec, "none.csv", NULL, NULL),
        SHOAL_ENOTFOUND);
    assert_int_equal(
        shoal_query_session_open(&r->ctx, &session, r->spec, "out.csv", NULL, "guess"),
        SHOAL_EINVAL);
    assert_int_equal(shoal_query_session_open(&r->ctx, &session, NULL, "out.csv", NULL, NULL),
                     SHOAL_EINVAL);
    assert_int_equal(shoal_query_session_open(&r->ctx, &session, r->spec, NULL, NULL, NULL),
                     SHOAL_EINVAL);
    assert_int_equal(
        shoal_query_session_open_release(&r->ctx, &session, r->spec, NULL, r->original, NULL),
        SHOAL_EINVAL);
    assert_null(session);
    shoal_query_session_free(NULL);
    expect(r,
           shoal_query_session_open_release(&r->ctx, &session, r->spec, release, NULL, NULL));
    workload.kind = "xu-count";
    assert_int_equal(shoal_query_session_workload(&r->ctx, &report, session, &workload),
                     SHOAL_EINVAL);
    assert_non_null(strstr(r->ctx.error.message, "original"));
    assert_int_equal(shoal_query_session_ask(&r->ctx, &report, session, NULL), SHOAL_EINVAL);
    assert_int_equal(shoal_query_session_ask(&r->ctx, &report, NULL, "COUNT"), SHOAL_EINVAL);
    assert_int_equal(shoal_query_session_workload(&r->ctx, &report, session, NULL),
                     SHOAL_EINVAL);
    shoal_query_session_free(session);
    expect(r, shoal_query_session_open_release(&r->ctx, &session, r->spec, release, r->original,
                                               "uniform"));
    workload.estimator = "marginal";
    assert_int_equal(shoal_query_session_workload(&r->ctx, &report, session, &workload),
                     SHOAL_EINVAL);
    assert_non_null(strstr(r->ctx.error.message, "uniform"));
    assert_null(report);
    /* A refusal changes nothing. */
    expect(r, shoal_query_session_ask(&r->ctx, &report, session, "COUNT"));
    assert_true(shoal_report_figure(report, "exact") == RECORDS);
    shoal_report_free(report);
    shoal_query_session_free(session);
    shoal_release_free(release);
}

/* A column that only the release has keeps nobody from asking about the others. */
static void test_column_that_the_original_lacks(void **state)
{
    room *r = *state;
    shoal_query_session *session = NULL;
    shoal_report *report = NULL;

    write_file("few.csv", "name,age,job,ill,cost\nA,20,cook,flu,1\nB,30,nurse,gout,2\n");
    write_file("out.csv", "age,job,note,ill,cost\n20-30,*,n1,flu,1\n20-30,*,n2,gout,2\n");
    expect(r, shoal_query_session_open(&r->ctx, &session, r->spec, "out.csv", "few.csv", NULL));
    expect(r, shoal_query_session_ask(&r->ctx, &report, session, "COUNT WHERE ill = flu"));
    assert_true(shoal_report_figure(report, "exact") == 1);
    shoal_report_free(report);
    assert_int_equal(
        shoal_query_session_ask(&r->ctx, &report, session, "COUNT WHERE note = n1"),
        SHOAL_ENOTFOUND);
    assert_non_null(strstr(r->ctx.error.message, "The original has no column \"note\""));
    shoal_query_session_free(session);
}

static shoal_status use_session(shoal_ctx *ctx, void *payload)
{
    room *r = payload;
    shoal_status st = SHOAL_OK;
    shoal_query_session *session = NULL;
    shoal_report *report = NULL;

    SHOAL_TRY(shoal_query_session_open(ctx, &session, r->spec, "out.csv", "in.csv", NULL));
    SHOAL_TRY(shoal_query_session_ask(ctx, &report, session, "COUNT WHERE ill = flu"));
done:
    assert_true((st == SHOAL_OK) == (report != NULL));
    shoal_report_free(report);
    shoal_query_session_free(session);
    return st;
}

static void test_no_memory(void **state)
{
    room *r = *state;

    shoal_release_free(make_release(r, "topdown"));
    assert_survives_failing_allocations(&r->ctx, use_session, r);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_answers_are_those_of_single_queries),
        CASE(test_answers_of_buckets),
        CASE(test_answers_of_a_box_per_record),
        CASE(test_workloads_are_those_of_single_ones),
        CASE(test_session_stands_alone),
        CASE(test_refusals),
        CASE(test_column_that_the_original_lacks),
        CASE(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
