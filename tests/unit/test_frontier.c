/* Sweeps: which points there are, which are beaten, which one is recommended, and that an
 * interrupted sweep goes on to the same end. */
#include <shoal/job.h>

#include "failing.h"
#include "files.h"
#include "job/frontier/frontier.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define POINTS 12

/* --- Choosing. ---------------------------------------------------------------------------- */

/* Points with small whole figures, so that ties are common; some are not done. */
static void draw_points(shoal_i_random *random, shoal_i_frontier *f, shoal_i_point *points)
{
    *f = (shoal_i_frontier){.count = POINTS, .points = points};
    f->sweep.axes[0] = SHOAL_I_BY_PRIVACY_LOSS;
    f->sweep.axes[1] = SHOAL_I_BY_GCP;
    for (size_t i = 0; i < POINTS; i++) {
        points[i] = (shoal_i_point){.state = shoal_i_random_below(random, 5) > 0
                                                 ? SHOAL_I_POINT_DONE
                                                 : SHOAL_I_POINT_IMPOSSIBLE};
        for (size_t j = 0; j < SHOAL_I_BY_COUNT; j++) {
            points[i].figures[j] = (double)shoal_i_random_below(random, 6);
        }
        if (shoal_i_random_below(random, 6) == 0) {
            points[i].figures[SHOAL_I_BY_GCP] = NAN;
        }
    }
}

static bool is_candidate(const shoal_i_point *point)
{
    return point->state == SHOAL_I_POINT_DONE && !isnan(point->figures[SHOAL_I_BY_GCP]);
}

static bool is_beaten(const shoal_i_frontier *f, const shoal_i_point *point)
{
    for (size_t i = 0; i < f->count; i++) {
        const shoal_i_point *other = &f->points[i];
        double dx =
            other->figures[SHOAL_I_BY_PRIVACY_LOSS] - point->figures[SHOAL_I_BY_PRIVACY_LOSS];
        double dy = other->figures[SHOAL_I_BY_GCP] - point->figures[SHOAL_I_BY_GCP];

        if (is_candidate(other) && dx <= 0 && dy <= 0 && (dx < 0 || dy < 0)) {
            return true;
        }
    }
    return false;
}

static void test_dominated_points(void **state)
{
    shoal_i_point points[POINTS];
    shoal_i_frontier f;
    size_t beaten = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);

        draw_points(&random, &f, points);
        shoal_i_frontier_choose(&f);
        assert_int_equal(f.recommended, -1);
        for (size_t i = 0; i < POINTS; i++) {
            bool expected = !is_candidate(&points[i]) || is_beaten(&f, &points[i]);

            assert_int_equal(points[i].is_dominated, expected);
            beaten += expected;
        }
    }
    assert_true(beaten > 300 && beaten < 300 * POINTS);
}

/* Within a limit of what is revealed the least loss, and the other way round. */
static void check_recommended(const shoal_i_frontier *f, shoal_i_axis_figure limited,
                              shoal_i_axis_figure wanted)
{
    double least = INFINITY;

    for (size_t i = 0; i < f->count; i++) {
        if (is_candidate(&f->points[i]) &&
            f->points[i].figures[limited] <= f->sweep.limits[limited]) {
            least = fmin(least, f->points[i].figures[wanted]);
        }
    }
    if (isinf(least)) {
        assert_int_equal(f->recommended, -1);
        return;
    }
    const shoal_i_point *taken = &f->points[f->recommended];

    assert_true(is_candidate(taken) && taken->figures[limited] <= f->sweep.limits[limited]);
    assert_true(taken->figures[wanted] == least);
    assert_false(taken->is_dominated && limited == SHOAL_I_BY_PRIVACY_LOSS &&
                 is_beaten(f, taken) && taken->figures[wanted] > least);
}

static void test_recommended_point(void **state)
{
    shoal_i_point points[POINTS];
    shoal_i_frontier f;

    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        shoal_i_axis_figure limited = seed % 2 ? SHOAL_I_BY_PRIVACY_LOSS : SHOAL_I_BY_GCP;

        draw_points(&random, &f, points);
        f.has_limits = true;
        f.sweep.has_limit[limited] = true;
        f.sweep.limits[limited] = (double)shoal_i_random_below(&random, 4) - 0.5;
        shoal_i_frontier_choose(&f);
        check_recommended(&f, limited, seed % 2 ? SHOAL_I_BY_GCP : SHOAL_I_BY_PRIVACY_LOSS);
    }
}

/* --- Drawing. ----------------------------------------------------------------------------- */

/* The figures of a point on the two axes; the others were not measured. */
static void set_figures(shoal_i_point *point, double privacy_loss, double gcp)
{
    for (size_t i = 0; i < SHOAL_I_BY_COUNT; i++) {
        point->figures[i] = NAN;
    }
    point->figures[SHOAL_I_BY_PRIVACY_LOSS] = privacy_loss;
    point->figures[SHOAL_I_BY_GCP] = gcp;
}

/* Two points and one that is impossible, as rows and as marks at places worked out by hand. The
 * picture goes from 438 up to 48; to the left of it there is room for "1000", 4 letters of 7
 * pixels and 4 for the comma, as 13 are to 11, and 18 more: from 55.8 to 736. */
static void test_page(void **state)
{
    static const char *const expected[] = {
        "<tr class=\"take\"><th scope=\"row\">1</th><td class=\"text\">k 4 and l 2</td>"
        "<td class=\"text\">mondrian</td><td>0.2</td><td>400&nbsp;%</td><td>7</td>"
        "<td class=\"text\">recommended</td></tr>",
        "<tr><th scope=\"row\">2</th><td class=\"text\">k 2</td><td class=\"text\">topdown</td>"
        "<td>0.4</td><td>1,000&nbsp;%</td><td>9</td><td class=\"text\"></td></tr>",
        "<tr><th scope=\"row\">3</th><td class=\"text\">k &lt;500&gt;</td><td "
        "class=\"text\">topdown</td><td colspan=\"4\" class=\"text\">impossible: 60 &lt; "
        "500</td></tr>",
        "<circle class=\"ring\" cx=\"395.9\" cy=\"282.0\" r=\"11\"/>",
        "transform=\"translate(395.9 282.0)\"",
        "transform=\"translate(736.0 48.0)\"",
        "points=\"395.9,282.0 \"",
        "x=\"225.9\" y=\"456.0\" text-anchor=\"middle\">0.1</text>",
        "x=\"736.0\" y=\"456.0\" text-anchor=\"middle\">0.4</text>",
        "x=\"47.8\" y=\"364.0\" text-anchor=\"end\">200%</text>",
        "x=\"47.8\" y=\"52.0\" text-anchor=\"end\">1,000%</text>",
        ">1: k 4 and l 2</text>", /* what is on the frontier, all that it asks */
        ">2</text>",              /* what is beaten, its number */
        ">↑ Information lost (GCP), in %</text>",
        "&#39;a b&#39;\\&#39;&#39;.csv&#39; -o release.csv --spec recommended.yaml\n</pre>",
        "cat &gt; recommended.yaml &lt;&lt;&#39;END_OF_SPEC&#39;\nseed: 1\nk: &lt;2&gt;\n"
        "END_OF_SPEC\nshoal anonymize ",
    };
    shoal_i_requirement_request request = {.kind = &shoal_i_k_anonymity};
    shoal_i_frontier f = {.count = 3, .recommended = 0};
    shoal_i_point points[] = {
        {.requirement = "k 4",
         .asks = "k 4 and l 2",
         .method = &f.sweep.methods[0],
         .classes = 7,
         .spec = "seed: 1\nk: <2>"},
        {.requirement = "k 2",
         .asks = "k 2",
         .method = &f.sweep.methods[1],
         .classes = 9,
         .is_dominated = true},
        {.requirement = "k <500>",
         .asks = "k <500>",
         .method = &f.sweep.methods[1],
         .state = SHOAL_I_POINT_IMPOSSIBLE,
         .reason = "60 < 500",
         .is_dominated = true},
    };
    shoal_ctx ctx;
    shoal_i_buffer page;
    char *text = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_i_buffer_init(&page, &ctx, SHOAL_I_BUFFER_MAX);
    shoal_spec spec = {0};

    f.spec = &spec;
    f.points = points;
    f.sweep.axes[0] = SHOAL_I_BY_PRIVACY_LOSS;
    f.sweep.axes[1] = SHOAL_I_BY_GCP;
    f.sweep.requests = &request;
    f.sweep.request_count = 1;
    f.sweep.methods[0].text = "mondrian";
    f.sweep.methods[1].text = "topdown";
    f.sweep.method_count = 2;
    for (size_t i = 0; i < 2; i++) {
        points[i].request = &request;
        points[i].state = SHOAL_I_POINT_DONE;
        set_figures(&points[i], i == 0 ? 0.2 : 0.4, i == 0 ? 4 : 10);
    }
    points[2].request = &request;
    set_figures(&points[2], 1000, 1000);
    shoal_i_frontier_put_html(&page, &f, "a b'.csv");
    assert_int_equal(shoal_i_buffer_take(&text, &page), SHOAL_OK);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        if (!strstr(text, expected[i])) {
            fail_msg("lacks %s:\n%s", expected[i], text);
        }
    }
    free(text);
    shoal_i_buffer_clear(&page);
    shoal_i_ctx_clear(&ctx);
}

/* Marks at one place are drawn apart, each with a line to it, and all are within the picture;
 * thirty of them, at the corner. */
static void test_marks_apart(void **state)
{
    enum { COUNT = 30 };
    shoal_i_requirement_request request = {.kind = &shoal_i_k_anonymity};
    shoal_i_frontier f = {.count = COUNT, .recommended = -1};
    shoal_i_point points[COUNT];
    double places[COUNT][2];
    size_t leads = 0;
    size_t found = 0;
    shoal_ctx ctx;
    shoal_i_buffer picture;
    char *text = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_i_buffer_init(&picture, &ctx, SHOAL_I_BUFFER_MAX);
    f.points = points;
    f.sweep.axes[0] = SHOAL_I_BY_PRIVACY_LOSS;
    f.sweep.axes[1] = SHOAL_I_BY_GCP;
    f.sweep.methods[0].text = "mondrian";
    for (size_t i = 0; i < COUNT; i++) {
        points[i] = (shoal_i_point){.request = &request,
                                    .method = &f.sweep.methods[0],
                                    .asks = "k 2",
                                    .state = SHOAL_I_POINT_DONE};
        set_figures(&points[i], i < COUNT - 1 ? 0 : 0.5, i < COUNT - 1 ? 0.5 : 0);
    }
    shoal_i_frontier_put_svg(&picture, &f);
    assert_int_equal(shoal_i_buffer_take(&text, &picture), SHOAL_OK);
    for (const char *at = text; (at = strstr(at, "class=\"lead\"")); at++) {
        leads++;
    }
    for (const char *at = text; (at = strstr(at, "<path class=\"mark\"")) && found < COUNT;
         found++) {
        at = strstr(at, "translate(");
        assert_int_equal(sscanf(at, "translate(%lf %lf)", &places[found][0], &places[found][1]),
                         2);
        assert_true(places[found][0] >= 40 && places[found][0] <= 736);
        assert_true(places[found][1] >= 48 && places[found][1] <= 438);
        for (size_t j = 0; j < found; j++) {
            assert_true(
                hypot(places[found][0] - places[j][0], places[found][1] - places[j][1]) > 12);
        }
    }
    assert_int_equal(found, COUNT);
    assert_int_equal(leads, COUNT - 2);
    free(text);
    shoal_i_ctx_clear(&ctx);
}

/* --- Runs. -------------------------------------------------------------------------------- */

typedef struct fixture {
    shoal_ctx ctx;
    shoal_spec *spec;
    char folder[64];
    char input[96];
    char points[96];
    char part[104];
} fixture;

static const char spec_text[] = "columns: {age: quasi, town: quasi, ill: sensitive}\n"
                                "measure: {min_support: 0.2}\n"
                                "frontier:\n"
                                "  sweep: {k: [2, 4, 8, 500], l: [1.5, 9], t: 0.4}\n"
                                "  methods: [mondrian, \"topdown:rounds=2\"]\n"
                                "  max: {privacy_loss: 0.3, query_error: 10}\n";

static int open_fixture(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    FILE *file = NULL;

    shoal_i_ctx_init(&f->ctx);
    make_folder(f->folder);
    snprintf(f->input, sizeof f->input, "%s/in.csv", f->folder);
    snprintf(f->points, sizeof f->points, "%s/points.csv", f->folder);
    snprintf(f->part, sizeof f->part, "%s.part", f->points);
    file = fopen(f->input, "w");
    assert_non_null(file);
    fputs("age,town,ill\n", file);
    for (int i = 0; i < 60; i++) {
        fprintf(file, "%d,t%d,%s\n", 20 + i * 7 % 31, i % 4, i % 3 ? "flu" : "gout");
    }
    fclose(file);
    assert_int_equal(shoal_spec_new(&f->ctx, &f->spec), SHOAL_OK);
    assert_int_equal(
        shoal_spec_read_memory(&f->ctx, f->spec, spec_text, sizeof spec_text - 1, "spec.yaml"),
        SHOAL_OK);
    *state = f;
    return 0;
}

static int close_fixture(void **state)
{
    fixture *f = *state;
    int left = 0;

    shoal_spec_free(f->spec);
    shoal_i_ctx_clear(&f->ctx);
    unlink(f->input);
    left = rmdir(f->folder); /* fails when something was left behind */
    free(f);
    return left;
}

/* The points as JSON, without what a clock says. */
static char *run_points(fixture *f, const char *keep, bool resume)
{
    shoal_report *report = NULL;
    char *copy = NULL;

    assert_int_equal(shoal_frontier(&f->ctx, &report, f->spec, f->input, keep, resume),
                     SHOAL_OK);
    assert_true(shoal_report_holds(report));
    assert_memory_equal(shoal_report_svg(report), "<svg", 4);
    assert_memory_equal(shoal_report_csv(report), "requirement,", 12);
    copy = strdup(shoal_report_json(report));
    for (char *at = strstr(copy, "\"seconds\": "); at; at = strstr(at, "\"seconds\": ")) {
        at += strlen("\"seconds\": ");
        memset(at, '-', strspn(at, "0123456789.e-+"));
    }
    *strstr(copy, "\"seconds\": {") = '\0';
    shoal_report_free(report);
    return copy;
}

/* Without the numbers of digits that seconds happen to have. */
static void squeeze(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++) {
        if (!(*from == '-' && from[1] == '-')) {
            *to++ = *from;
        }
    }
    *to = '\0';
}

static void test_all_states(void **state)
{
    fixture *f = *state;
    char *json = run_points(f, NULL, false);

    assert_non_null(strstr(json, "\"requirement\": \"k 2\""));
    assert_non_null(strstr(json, "\"requirement\": \"t js 0.4\""));
    assert_non_null(strstr(json, "\"method\": \"topdown:rounds=2\""));
    assert_non_null(strstr(json, "\"state\": \"impossible\"")); /* k 500, l 9 */
    assert_non_null(strstr(json, "\"recommended\": true"));
    assert_non_null(strstr(json, "\"query_error\": 0."));
    free(json);
}

static void test_threads(void **state)
{
    fixture *f = *state;

    f->ctx.threads = 1;
    char *one = run_points(f, NULL, false);

    f->ctx.threads = 4;
    char *four = run_points(f, NULL, false);

    squeeze(one);
    squeeze(four);
    assert_string_equal(one, four);
    free(one);
    free(four);
}

static bool stop_at_third(void *payload, const char *stage, double fraction)
{
    (void)payload;
    return strcmp(stage, "frontier") != 0 || fraction < 0.25;
}

static size_t count_lines(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t count = 0;

    assert_non_null(file);
    for (int c = fgetc(file); c != EOF; c = fgetc(file)) {
        count += c == '\n';
    }
    fclose(file);
    return count;
}

static void test_resume(void **state)
{
    fixture *f = *state;
    shoal_report *report = NULL;
    struct stat facts;

    f->ctx.threads = 1;
    char *whole = run_points(f, NULL, false);

    f->ctx.progress = stop_at_third;
    assert_int_equal(shoal_frontier(&f->ctx, &report, f->spec, f->input, f->points, false),
                     SHOAL_ECANCELLED);
    f->ctx.progress = NULL;
    assert_int_equal(stat(f->part, &facts), 0);
    assert_int_equal(facts.st_mode & 077, 0);
    assert_in_range(count_lines(f->part), 2, 13);

    /* A line that was cut short is no point. */
    FILE *file = fopen(f->part, "a");

    fputs("k 8\tmondrian\t0\t3", file);
    fclose(file);
    char *resumed = run_points(f, f->points, true);

    squeeze(whole);
    squeeze(resumed);
    assert_string_equal(whole, resumed);
    assert_int_not_equal(access(f->part, F_OK), 0);
    free(whole);
    free(resumed);
}

static void test_resume_of_something_else(void **state)
{
    fixture *f = *state;
    shoal_report *report = NULL;
    FILE *file = fopen(f->part, "w");

    fputs("shoal frontier 1 0123456789abcdef\n", file);
    fclose(file);
    assert_int_equal(shoal_frontier(&f->ctx, &report, f->spec, f->input, f->points, true),
                     SHOAL_EINVAL);
    assert_non_null(strstr(f->ctx.error.message, "another table"));
    assert_int_equal(unlink(f->part), 0);
}

static void test_bad_sweeps(void **state)
{
    static const char *const bad[][2] = {
        {"frontier.sweep", "k"},         {"frontier.sweep", "q=1"},
        {"frontier.sweep", "k=0"},       {"frontier.sweep", "t=loose:1"},
        {"frontier.sweep", "k=2,,3"},    {"frontier.methods", "magic"},
        {"frontier.axes", "gcp"},        {"frontier.axes", "gcp,gcp"},
        {"frontier.axes", "gcp,beauty"}, {"frontier.time", "0"},
        {"frontier.time", "-3s"},        {"frontier.time", "3d"},
        {"frontier.max.gcp", "much"},    {"frontier.max.gcp", "-1"},
    };
    fixture *f = *state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(shoal_spec_set(&f->ctx, f->spec, bad[i][0], bad[i][1]), SHOAL_EINVAL);
    }
}

static void test_nothing_possible(void **state)
{
    fixture *f = *state;
    shoal_report *report = NULL;

    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "frontier.sweep", "k=61,1000"), SHOAL_OK);
    assert_int_equal(shoal_frontier(&f->ctx, &report, f->spec, f->input, NULL, false),
                     SHOAL_EUNSATISFIABLE);
    assert_null(report);
}

static shoal_status run_failing(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_frontier(ctx, &report, f->spec, f->input, f->points, false);

    assert_true((st == SHOAL_OK) == (report != NULL));
    shoal_report_free(report);
    unlink(f->part);
    return st;
}

static void test_allocation_failures(void **state)
{
    fixture *f = *state;

    f->ctx.threads = 1;
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "frontier.sweep", "k=3"), SHOAL_OK);
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "frontier.methods", "mondrian"),
                     SHOAL_OK);
    assert_survives_failing_allocations(&f->ctx, run_failing, f);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dominated_points),
        cmocka_unit_test(test_recommended_point),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_marks_apart),
        RUN(test_all_states),
        RUN(test_threads),
        RUN(test_resume),
        RUN(test_resume_of_something_else),
        RUN(test_bad_sweeps),
        RUN(test_nothing_possible),
        RUN(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
