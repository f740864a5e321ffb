/* The points of a frontier and the specs that make them, held against the JSON and against runs
 * of their own. */
#include "fake_clock.h"
#include "report_case.h"

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
    assert_non_null(strstr(text, "email: {role: identifier}"));
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

/* A point that is being made when the time is over is given up, too. The clock goes on by a
 * second with each look: a few looks are before the first point begins, hundreds while it is
 * made. */
static void test_points_given_up(void **state)
{
    room *r = *state;
    shoal_point_facts facts = SHOAL_POINT_FACTS_INIT;

    write_people(r);
    set(r, "frontier.sweep", "k=3");
    set(r, "frontier.methods", "best:effort=high");
    set(r, "frontier.axes", "highest_risk,gcp");
    set(r, "frontier.time", "20s");
    r->ctx.threads = 1;
    expect(r, shoal_frontier(&r->ctx, &r->report, r->spec, r->input, NULL, false));
    assert_true(shoal_report_point(r->report, 0, &facts));
    assert_string_equal(facts.state, "not run");
    assert_string_equal(facts.reason, "the time was over");
    assert_true(facts.seconds == 0);
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

/* Without a sweep: k and, since there are sensitive values, l, t and delta. */
static void test_what_is_swept_by_itself(void **state)
{
    static const char *const keys[] = {"k ", "l ", "t ", "delta "};
    room *r = *state;
    size_t found[4] = {0};
    shoal_point_facts facts = SHOAL_POINT_FACTS_INIT;

    write_people(r);
    give_role(r, "email", SHOAL_ROLE_IDENTIFIER);
    set(r, "frontier.methods", "mondrian");
    expect(r, shoal_frontier(&r->ctx, &r->report, r->spec, r->input, NULL, false));
    for (size_t i = 0; shoal_report_point(r->report, i, &facts); i++) {
        for (size_t k = 0; k < 4; k++) {
            found[k] += strncmp(facts.requirement, keys[k], strlen(keys[k])) == 0;
        }
    }
    assert_int_equal(found[0], 2); /* 2 and 5: up to a tenth of 60 records */
    assert_int_equal(found[1], 5);
    assert_int_equal(found[2], 6);
    assert_int_equal(found[3], 4);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(test_points_and_json),
        RUN(test_what_is_swept_by_itself),
        RUN(test_specs_make_their_points),
        RUN(test_the_spec_of_a_point),
        RUN(test_open_points),
        RUN(test_points_given_up),
        RUN(test_specs_that_name_values),
        RUN(test_specs_with_named_values_elsewhere),
        RUN(test_specs_with_values_of_hierarchies),
        RUN(test_points_of_a_population_in_memory),
        RUN(test_a_point_that_no_spec_can_ask_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
