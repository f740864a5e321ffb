/* What a run tells while it goes on, with every method: no fraction leaves 0 to 1 or goes back
 * within a stage. And whenever it tells something it can be stopped: then there is no output.
 */
#include "report_case.h"

enum { TOLD_MAX = 20000, STOPS = 12 };

typedef struct told {
    size_t count;
    size_t stop_at; /* SIZE_MAX: never */
    struct {
        char stage[32];
        double fraction;
    } calls[TOLD_MAX];
} told;

static bool hear_progress(void *payload, const char *stage, double fraction)
{
    told *t = payload;

    assert_true(t->count < TOLD_MAX);
    snprintf(t->calls[t->count].stage, sizeof t->calls[0].stage, "%s", stage);
    t->calls[t->count].fraction = fraction;
    return t->count++ != t->stop_at;
}

static void check_told(const told *t, const char *method)
{
    for (size_t i = 0; i < t->count; i++) {
        double before = i > 0 && strcmp(t->calls[i].stage, t->calls[i - 1].stage) == 0
                            ? t->calls[i - 1].fraction
                            : 0;

        if (t->calls[i].fraction < before || t->calls[i].fraction > 1) {
            print_error("%s: %s %g after %g\n", method, t->calls[i].stage, t->calls[i].fraction,
                        before);
            fail();
        }
    }
}

/* So many people of three columns and, unless they would be refused, an illness. */
static void write_crowd(room *r, size_t rows, bool has_values)
{
    FILE *file = fopen(r->input, "w");

    assert_non_null(file);
    fputs("age,town,job,ill\n", file);
    for (size_t i = 0; i < rows; i++) {
        fprintf(file, "%zu,t%zu,j%zu,%s\n", 20 + i * 7 % 61, i * i % 7, i * 13 % 11,
                i % 3   ? "flu"
                : i % 2 ? "gout"
                        : "cold");
    }
    assert_int_equal(fclose(file), 0);
    give_role(r, "age", SHOAL_ROLE_QUASI);
    give_role(r, "town", SHOAL_ROLE_QUASI);
    give_role(r, "job", SHOAL_ROLE_QUASI);
    give_role(r, "ill", has_values ? SHOAL_ROLE_SENSITIVE : SHOAL_ROLE_INSENSITIVE);
    set(r, "privacy.k", "4");
    if (has_values) {
        set(r, "privacy.l", "1.2");
    }
}

static shoal_status anonymize(room *r, told *t, size_t stop_at)
{
    t->count = 0;
    t->stop_at = stop_at;
    shoal_report_free(r->report);
    r->report = NULL;
    r->heard.count = 0;
    return shoal_anonymize(&r->ctx, &r->report, r->spec, r->input, r->release);
}

/* Stopped at some of the calls, the first and the last among them. */
static void check_stops(room *r, told *t)
{
    size_t count = t->count;

    for (size_t i = 0; i < STOPS; i++) {
        size_t at = i * (count - 1) / (STOPS - 1);

        assert_int_equal(remove(r->release), i == 0 ? 0 : -1);
        assert_int_equal(anonymize(r, t, at), SHOAL_ECANCELLED);
        assert_int_equal(t->count, at + 1); /* nobody is asked again */
        assert_null(r->report);
        assert_int_equal(count_files(r->folder), 1); /* the input */
    }
}

/* A run of a method and, unless it ends with two files, stops. of_people: the table is its own
 * population, so that classes are merged and best searches on. */
static void check_method(room *r, const shoal_method_facts *facts, bool of_people)
{
    told *t = calloc(1, sizeof *t);
    bool has_values = strcmp(facts->shape, "records") != 0 && !of_people;

    assert_non_null(t);
    r->ctx.progress = hear_progress;
    r->ctx.progress_payload = t;
    write_crowd(r, strcmp(facts->name, "exact") == 0 ? 12 : 400, has_values);
    set(r, "method", facts->name);
    if (of_people) {
        set(r, "privacy.k_map", "6");
        set(r, "privacy.population", r->input);
    }
    expect(r, anonymize(r, t, SIZE_MAX));
    check_told(t, facts->name);
    assert_string_equal(t->calls[0].stage, "read");
    assert_true(t->calls[t->count - 1].fraction == 1);
    if (strcmp(facts->shape, "buckets") != 0) { /* else there are two files */
        check_stops(r, t);
    }
    r->ctx.progress = NULL;
    free(t);
}

static void test_every_method_tells_and_stops(void **state)
{
    shoal_method_facts facts = SHOAL_METHOD_FACTS_INIT;

    for (size_t i = 0; shoal_method_describe(&facts, i); i++) {
        room *r = *state;

        check_method(r, &facts, false);
        assert_int_equal(leave(state), 0);
        assert_int_equal(enter(state), 0);
    }
}

static void test_with_a_population(void **state)
{
    shoal_method_facts facts = SHOAL_METHOD_FACTS_INIT;
    size_t checked = 0;

    for (size_t i = 0; shoal_method_describe(&facts, i); i++) {
        if (strcmp(facts.name, "best") == 0 || strcmp(facts.name, "mondrian") == 0) {
            check_method(*state, &facts, true);
            assert_int_equal(leave(state), 0);
            assert_int_equal(enter(state), 0);
            checked++;
        }
    }
    assert_int_equal(checked, 2);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(test_every_method_tells_and_stops),
        RUN(test_with_a_population),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
