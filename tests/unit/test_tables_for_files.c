/* Runs whose hierarchies and population are tables in memory: what they give is what the files
 * that say the same give. */
#include "failing.h"
#include "files.h"
#include "table_tools.h"

#include <shoal/shoal.h>

#define PEOPLE 300

typedef struct room {
    shoal_ctx ctx;
    shoal_spec *by_files;
    shoal_spec *by_tables;
    shoal_table *sample;
    char folder[64];
} room;

static void expect(room *r, shoal_status st)
{
    if (st != SHOAL_OK) {
        print_error("%s: %s\n", r->ctx.error.source, r->ctx.error.message);
    }
    assert_int_equal(st, SHOAL_OK);
}

static void set_both(room *r, const char *key, const char *value)
{
    expect(r, shoal_spec_set(&r->ctx, r->by_files, key, value));
    expect(r, shoal_spec_set(&r->ctx, r->by_tables, key, value));
}

static const char job_lines[] = "cook;food;*\nbaker;food;*\nnurse;care;health;*\n"
                                "doctor;care;health;*\nclerk;*\n?;none;*\n";
static const char job_cells[] = "v,a,b,c\ncook,food,*,\nbaker,food,*,\nnurse,care,health,*\n"
                                "doctor,care,health,*\nclerk,,,*\n?,none,,*\n";
static const char age_lines[] = "20;young;*\n21;young;*\n22;young;*\n23;old;*\n24;old;*\n"
                                "25;old;*\n26;old;*\n";
static const char age_cells[] = "v,a,b\n20,young,*\n21,young,*\n22,young,*\n23,old,*\n"
                                "24,old,*\n25.0,old,*\n26,old,*\n";

/* People, and every third of them as the sample. */
static void write_people(void)
{
    static const char *const jobs[] = {"cook", "nurse", "baker", "doctor", "clerk", "?"};
    static const char *const ills[] = {"flu", "gout", "none"};
    FILE *people = fopen("people.csv", "wb");
    FILE *sample = fopen("sample.csv", "wb");

    assert_true(people && sample);
    fprintf(people, "age,job,ill\n");
    fprintf(sample, "age,job,ill\n");
    for (unsigned i = 0; i < PEOPLE; i++) {
        unsigned mixed = (i * 2654435761u) >> 9;
        const char *job = jobs[mixed % 6];
        const char *ill = ills[mixed / 7 % 3];

        fprintf(people, "%u,%s,%s\n", 20 + mixed / 11 % 7, job, ill);
        if (i % 3 == 0) {
            fprintf(sample, "%u,%s,%s\n", 20 + mixed / 11 % 7, job, ill);
        }
    }
    assert_true(fclose(people) == 0 && fclose(sample) == 0);
}

static shoal_spec *make_spec(room *r)
{
    shoal_spec *spec = NULL;

    expect(r, shoal_spec_new(&r->ctx, &spec));
    expect(r, shoal_spec_set_role(&r->ctx, spec, "age", SHOAL_ROLE_QUASI));
    expect(r, shoal_spec_set_role(&r->ctx, spec, "job", SHOAL_ROLE_QUASI));
    expect(r, shoal_spec_set_role(&r->ctx, spec, "ill", SHOAL_ROLE_SENSITIVE));
    expect(r, shoal_spec_set(&r->ctx, spec, "missing.action", "keep"));
    return spec;
}

static void set_levels(room *r, const char *column, const char *cells)
{
    shoal_table *levels = NULL;

    expect(r, shoal_csv_read_memory(&r->ctx, &levels, cells, strlen(cells), "", NULL));
    expect(r, shoal_spec_set_hierarchy_table(&r->ctx, r->by_tables, column, levels));
    shoal_table_free(levels);
}

static int enter(void **state)
{
    room *r = calloc(1, sizeof *r);

    assert_non_null(r);
    shoal_i_ctx_init(&r->ctx);
    r->ctx.threads = 1;
    make_folder(r->folder);
    assert_int_equal(chdir(r->folder), 0);
    write_people();
    write_file("job.csv", job_lines);
    write_file("age.csv", age_lines);
    r->by_files = make_spec(r);
    r->by_tables = make_spec(r);
    expect(r, shoal_spec_set_hierarchy(&r->ctx, r->by_files, "job", "job.csv"));
    expect(r, shoal_spec_set_hierarchy(&r->ctx, r->by_files, "age", "age.csv"));
    set_levels(r, "job", job_cells);
    set_levels(r, "age", age_cells);
    expect(r, shoal_csv_read(&r->ctx, &r->sample, "sample.csv", NULL));
    *state = r;
    return 0;
}

static int leave(void **state)
{
    room *r = *state;

    shoal_spec_free(r->by_files);
    shoal_spec_free(r->by_tables);
    shoal_table_free(r->sample);
    shoal_i_ctx_clear(&r->ctx);
    assert_true(chdir("/") == 0 && remove_folder(r->folder) == 0);
    free(r);
    return 0;
}

static void set_population(room *r)
{
    shoal_table *people = NULL;

    expect(r, shoal_spec_set(&r->ctx, r->by_files, "privacy.population", "people.csv"));
    expect(r, shoal_csv_read(&r->ctx, &people, "people.csv", NULL));
    expect(r, shoal_spec_set_population_table(&r->ctx, r->by_tables, people));
    shoal_table_free(people); /* the spec holds it */
}

static void assert_same_figures(const shoal_report *a, const shoal_report *b)
{
    static const char *const names[] = {"gcp", "classes", "smallest_class", "prosecutor_mean",
                                        "marketer"};
    const char *journalists[2] = {strstr(shoal_report_json(a), "\"journalist\""),
                                  strstr(shoal_report_json(b), "\"journalist\"")};
    size_t known = 0;

    assert_int_equal(shoal_report_holds(a), shoal_report_holds(b));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double x = shoal_report_figure(a, names[i]);
        double y = shoal_report_figure(b, names[i]);

        assert_true(x == y || (x != x && y != y));
        known += x == x;
    }
    assert_true(known > 0);
    assert_int_equal(journalists[0] != NULL, journalists[1] != NULL);
    if (journalists[0]) {
        assert_memory_equal(journalists[0], journalists[1], strcspn(journalists[0], "}"));
    }
}

/* Anonymize by either spec; the bytes of both. What else is asked of the releases is the same,
 * too. */
static void assert_same_release(room *r)
{
    shoal_release *of_files = NULL;
    shoal_release *of_tables = NULL;
    shoal_report *a = NULL;
    shoal_report *b = NULL;

    expect(r, shoal_anonymize_table(&r->ctx, &of_files, &a, r->by_files, r->sample));
    expect(r, shoal_anonymize_table(&r->ctx, &of_tables, &b, r->by_tables, r->sample));
    assert_same_table(shoal_release_table(of_files), shoal_release_table(of_tables));
    assert_same_figures(a, b);
    shoal_report_free(a);
    shoal_report_free(b);
    expect(r, shoal_verify_release(&r->ctx, &a, r->by_files, of_files));
    expect(r, shoal_verify_release(&r->ctx, &b, r->by_tables, of_tables));
    assert_true(shoal_report_holds(b));
    assert_same_figures(a, b);
    shoal_report_free(a);
    shoal_report_free(b);
    expect(r, shoal_risk_release(&r->ctx, &a, r->by_files, r->sample, of_files));
    expect(r, shoal_risk_release(&r->ctx, &b, r->by_tables, r->sample, of_tables));
    assert_same_figures(a, b);
    shoal_report_free(a);
    shoal_report_free(b);
    shoal_release_free(of_files);
    shoal_release_free(of_tables);
}

static void test_hierarchies(void **state)
{
    static const char *const methods[] = {"topdown", "mondrian", "incognito", "specialize"};
    room *r = *state;

    set_both(r, "privacy.k", "3");
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        set_both(r, "method", methods[i]);
        assert_same_release(r);
    }
    /* A file as input does not mind where its hierarchies are. */
    shoal_report *report = NULL;

    expect(r, shoal_anonymize(&r->ctx, &report, r->by_files, "sample.csv", "a.csv"));
    shoal_report_free(report);
    expect(r, shoal_anonymize(&r->ctx, &report, r->by_tables, "sample.csv", "b.csv"));
    assert_non_null(strstr(shoal_report_json(report), "\"hierarchy\": \"from a table\""));
    shoal_report_free(report);

    shoal_table *a = NULL;
    shoal_table *b = NULL;

    expect(r, shoal_csv_read(&r->ctx, &a, "a.csv", NULL));
    expect(r, shoal_csv_read(&r->ctx, &b, "b.csv", NULL));
    assert_same_table(a, b);
    shoal_table_free(a);
    shoal_table_free(b);
}

static void test_population(void **state)
{
    room *r = *state;

    set_population(r);
    set_both(r, "method", "topdown");
    set_both(r, "privacy.k_map", "20");
    assert_same_release(r);
    set_both(r, "privacy.presence", "0.4");
    assert_same_release(r);
}

/* The journalist counts in the population, so the two must have found it. */
static void test_population_counts_for_risk(void **state)
{
    room *r = *state;
    shoal_report *a = NULL;
    shoal_report *b = NULL;
    shoal_report *without = NULL;

    expect(r, shoal_risk_release(&r->ctx, &without, r->by_tables, r->sample, NULL));
    set_population(r);
    expect(r, shoal_risk(&r->ctx, &a, r->by_files, "sample.csv", NULL));
    expect(r, shoal_risk_release(&r->ctx, &b, r->by_tables, r->sample, NULL));
    assert_null(strstr(shoal_report_json(without), "\"journalist_by\": \"population\""));
    assert_non_null(strstr(shoal_report_json(b), "\"journalist_by\": \"population\""));
    assert_same_figures(a, b);
    shoal_report_free(a);
    shoal_report_free(b);
    shoal_report_free(without);
}

/* Of file and table the one set last counts; writing a spec with a table is refused. */
static void test_last_population_counts(void **state)
{
    room *r = *state;
    shoal_report *report = NULL;
    shoal_spec *copy = NULL;
    char *yaml = NULL;

    expect(r, shoal_spec_set(&r->ctx, r->by_tables, "privacy.population", "nowhere.csv"));
    set_population(r);
    expect(r, shoal_spec_copy(&r->ctx, &copy, r->by_tables));
    expect(r, shoal_risk_release(&r->ctx, &report, copy, r->sample, NULL));
    shoal_report_free(report);
    assert_int_equal(shoal_spec_write_yaml(&r->ctx, &yaml, copy), SHOAL_EUNSUPPORTED);
    assert_null(yaml);
    expect(r, shoal_spec_set(&r->ctx, copy, "privacy.population", "nowhere.csv"));
    assert_int_equal(shoal_risk_release(&r->ctx, &report, copy, r->sample, NULL),
                     SHOAL_ENOTFOUND);
    expect(r, shoal_spec_write_yaml(&r->ctx, &yaml, copy));
    assert_non_null(strstr(yaml, "nowhere.csv"));
    free(yaml);
    shoal_spec_free(copy);
    assert_int_equal(shoal_spec_set_population_table(&r->ctx, r->by_tables, NULL),
                     SHOAL_EINVAL);
    assert_int_equal(shoal_spec_set_population_table(&r->ctx, NULL, r->sample), SHOAL_EINVAL);
}

static void assert_population_refused(room *r, const char *text, shoal_status status,
                                      const char *words)
{
    shoal_table *people = NULL;
    shoal_release *release = NULL;

    expect(r, shoal_csv_read_memory(&r->ctx, &people, text, strlen(text), "", NULL));
    expect(r, shoal_spec_set_population_table(&r->ctx, r->by_tables, people));
    shoal_table_free(people);
    assert_int_equal(shoal_anonymize_table(&r->ctx, &release, NULL, r->by_tables, r->sample),
                     status);
    assert_null(release);
    if (!strstr(r->ctx.error.message, words)) {
        fail_msg("%s", r->ctx.error.message);
    }
}

static void test_bad_populations(void **state)
{
    static const int32_t no_offsets[] = {0};
    const shoal_array nobody = {
        .name = "age", .kind = SHOAL_ARRAY_UTF8, .data = "", .offsets32 = no_offsets};
    room *r = *state;
    shoal_release *release = NULL;
    shoal_table *empty = NULL;

    set_both(r, "privacy.k_map", "5");
    assert_int_equal(shoal_anonymize_table(&r->ctx, &release, NULL, r->by_tables, r->sample),
                     SHOAL_EINVAL);
    assert_population_refused(r, "age,job\n20,cook\n", SHOAL_EFORMAT, "population");
    assert_population_refused(r, "age,work\n20,cook\n", SHOAL_ENOTFOUND, "job");
    assert_population_refused(r, "age,job\n20,sailor\n", SHOAL_EFORMAT,
                              "no record in the table");
    assert_population_refused(r, "age,job\nmany,cook\n", SHOAL_EFORMAT, "");
    expect(r, shoal_table_from_arrays(&r->ctx, &empty, &nobody, 1));
    expect(r, shoal_spec_set_population_table(&r->ctx, r->by_tables, empty));
    shoal_table_free(empty);
    assert_int_equal(shoal_anonymize_table(&r->ctx, &release, NULL, r->by_tables, r->sample),
                     SHOAL_EFORMAT);
}

static void test_uncovered_value_names_the_record(void **state)
{
    room *r = *state;
    shoal_release *release = NULL;

    set_both(r, "privacy.k", "3");
    set_levels(r, "job", "v,a\ncook,*\nbaker,*\n");
    assert_int_equal(shoal_anonymize_table(&r->ctx, &release, NULL, r->by_tables, r->sample),
                     SHOAL_EFORMAT);
    assert_non_null(strstr(r->ctx.error.message, "3 of the 5 values of column \"job\" have no "
                                                 "record in the table of levels"));
    assert_true(r->ctx.error.record >= 0);
    assert_int_equal(r->ctx.error.field, 1);
}

static shoal_status run_all(shoal_ctx *ctx, void *payload)
{
    room *r = payload;
    shoal_release *release = NULL;
    shoal_status st = shoal_anonymize_table(ctx, &release, NULL, r->by_tables, r->sample);

    shoal_release_free(release);
    return st;
}

static void test_no_memory(void **state)
{
    room *r = *state;

    set_population(r);
    set_both(r, "method", "mondrian");
    set_both(r, "privacy.k_map", "20");
    assert_survives_failing_allocations(&r->ctx, run_all, r);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_hierarchies),
        CASE(test_population),
        CASE(test_population_counts_for_risk),
        CASE(test_last_population_counts),
        CASE(test_bad_populations),
        CASE(test_uncovered_value_names_the_record),
        CASE(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
