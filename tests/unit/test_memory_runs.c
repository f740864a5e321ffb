/* Runs in memory: the same release as through files, whoever hands the table over; what a
 * release tells of its classes and records, counted anew from what it hands out. */
#include "failing.h"
#include "files.h"
#include "table_tools.h"

#include <shoal/shoal.h>

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#define RECORDS 120

typedef struct room {
    shoal_ctx ctx;
    shoal_spec *spec;
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

/* A hundred people or so: numbers, dates, codes, words; the name must go, a note stays. */
static void write_input(const char *path)
{
    static const char *const jobs[] = {"cook", "nurse", "baker, \"the\" old", "clerk", "smith"};
    static const char *const ills[] = {"flu", "gout", "asthma", "none"};
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    fprintf(file, "name,age,born,zip,job,ill,cost,note\n");
    for (unsigned i = 0; i < RECORDS; i++) {
        unsigned mixed = (i * 2654435761u) >> 7;
        const char *job = jobs[mixed % 5];

        fprintf(file, "P%03u,%u,19%02u-0%u-1%u,%05u,", i, 20 + mixed % 50, 40 + mixed % 47,
                1 + mixed % 9, mixed % 10, 1200 + mixed % 37);
        fprintf(file, strchr(job, '"') ? "\"baker, \"\"the\"\" old\"" : "%s", job);
        fprintf(file, ",%s,%u.%u,n%u\n", ills[(mixed / 3) % 4], mixed % 90, 1 + mixed % 9,
                i % 3);
    }
    assert_int_equal(fclose(file), 0);
}

static int enter(void **state)
{
    static const struct {
        const char *name;
        shoal_role role;
    } columns[] = {{"name", SHOAL_ROLE_IDENTIFIER}, {"age", SHOAL_ROLE_QUASI},
                   {"born", SHOAL_ROLE_QUASI},      {"zip", SHOAL_ROLE_QUASI},
                   {"job", SHOAL_ROLE_QUASI},       {"ill", SHOAL_ROLE_SENSITIVE}};
    room *r = calloc(1, sizeof *r);

    assert_non_null(r);
    shoal_i_ctx_init(&r->ctx);
    r->ctx.threads = 1;
    make_folder(r->folder);
    assert_int_equal(chdir(r->folder), 0);
    write_input("in.csv");
    expect(r, shoal_spec_new(&r->ctx, &r->spec));
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        expect(r, shoal_spec_set_role(&r->ctx, r->spec, columns[i].name, columns[i].role));
    }
    expect(r, shoal_spec_set_hierarchy(&r->ctx, r->spec, "zip", "prefix:5"));
    set(r, "privacy.k", "4");
    set(r, "rest", "release");
    *state = r;
    return 0;
}

static int leave(void **state)
{
    room *r = *state;

    shoal_spec_free(r->spec);
    shoal_i_ctx_clear(&r->ctx);
    assert_true(chdir("/") == 0 && remove_folder(r->folder) == 0);
    free(r);
    return 0;
}

static shoal_table *read_input(room *r)
{
    shoal_table *table = NULL;

    expect(r, shoal_csv_read(&r->ctx, &table, "in.csv", NULL));
    return table;
}

/* As another program would hand it over, in arrays of so many records. */
static shoal_table *hand_over(room *r, const shoal_table *table, size_t batch)
{
    struct ArrowArrayStream stream;
    shoal_table *taken = NULL;

    expect(r, shoal_table_export_batches(&r->ctx, &stream, table, batch));
    expect(r, shoal_table_import(&r->ctx, &taken, &stream));
    return taken;
}

static char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = calloc(1, 1 << 20);

    assert_non_null(file);
    assert_non_null(bytes);
    *size = fread(bytes, 1, (1 << 20) - 1, file);
    fclose(file);
    return bytes;
}

static void assert_same_bytes(const char *a, const char *b)
{
    size_t size_a = 0;
    size_t size_b = 0;
    char *bytes_a = read_bytes(a, &size_a);
    char *bytes_b = read_bytes(b, &size_b);

    assert_string_equal(bytes_a, bytes_b);
    assert_int_equal(size_a, size_b);
    free(bytes_a);
    free(bytes_b);
}

/* --- The same release. ------------------------------------------------------------------ */

/* Every method that makes classes, and the two other shapes; several forms of output. */
static const struct {
    const char *method;
    const char *key; /* a further setting, or NULL */
    const char *value;
} runs[] = {
    {"best:effort=fast", NULL, NULL},
    {"topdown", "output.numeric", "minmax"},
    {"bottomup", "output.numeric", "mean"},
    {"mondrian", "output.numeric", "median"},
    {"specialize", "output.categorical", "set"},
    {"incognito", "suppress", "0.1"},
    {"hilbert", "output.order", "keep"},
    {"hilbert", NULL, NULL},
    {"best", "privacy.l", "2"},
    {"topdown", "suppress", "0.2"},
    {"cluster", "privacy.l", "distinct:2"},
    {"nonhomogeneous:test_seed=7", NULL, NULL},
    {"anatomy:test_seed=7", "privacy.l", "distinct:2"},
    {"bucketize", "privacy.l", "distinct:2"},
};

static void assert_release_is_file(room *r, const shoal_table *table)
{
    shoal_release *release = NULL;
    shoal_report *report = NULL;
    bool has_buckets = false;

    expect(r, shoal_anonymize_table(&r->ctx, &release, &report, r->spec, table));
    assert_true(shoal_report_holds(report));
    has_buckets = shoal_release_shape(release) == SHOAL_SHAPE_BUCKETS;
    assert_true(has_buckets == (shoal_release_sensitive(release) != NULL));
    expect(r, shoal_release_write(&r->ctx, release, "memory.csv",
                                  has_buckets ? "memory.sensitive.csv" : NULL, ','));
    assert_same_bytes("file.csv", "memory.csv");
    if (has_buckets) {
        assert_same_bytes("file.sensitive.csv", "memory.sensitive.csv");
        assert_int_equal(remove("memory.sensitive.csv"), 0);
    }
    assert_int_equal(remove("memory.csv"), 0);
    shoal_report_free(report);
    shoal_release_free(release);
}

/* The same records in another order: the k-th line is the one at k * step. */
static shoal_table *read_shuffled(room *r, size_t step)
{
    size_t size = 0;
    char *bytes = read_bytes("in.csv", &size);
    const char *lines[RECORDS + 1];
    size_t lengths[RECORDS + 1];
    char *shuffled = calloc(1, size + 1);
    char *at = bytes;
    char *to = shuffled;
    shoal_table *table = NULL;

    assert_non_null(shuffled);
    for (size_t i = 0; i <= RECORDS; i++) {
        char *end = strchr(at, '\n');

        lines[i] = at;
        lengths[i] = (size_t)(end - at) + 1;
        at = end + 1;
    }
    for (size_t i = 0; i <= RECORDS; i++) {
        size_t line = i == 0 ? 0 : 1 + i * step % RECORDS;

        memcpy(to, lines[line], lengths[line]);
        to += lengths[line];
    }
    expect(r, shoal_csv_read_memory(&r->ctx, &table, shuffled, size, "", NULL));
    free(bytes);
    free(shuffled);
    return table;
}

static void run_through_all_doors(room *r, const shoal_table *table)
{
    static const size_t batches[] = {1, 7, 10000};
    shoal_report *report = NULL;

    expect(r, shoal_anonymize(&r->ctx, &report, r->spec, "in.csv", "file.csv"));
    shoal_report_free(report);
    assert_release_is_file(r, table);
    for (size_t i = 0; i < 3; i++) {
        shoal_table *taken = hand_over(r, table, batches[i]);

        assert_release_is_file(r, taken);
        shoal_table_free(taken);
    }
}

/* Steps that have no part in common with the number of records reach all of them. */
static void run_shuffled(room *r)
{
    static const size_t steps[] = {7, 119};

    for (size_t i = 0; i < 2; i++) {
        shoal_table *shuffled = read_shuffled(r, steps[i]);

        assert_release_is_file(r, shuffled);
        shoal_table_free(shuffled);
    }
}

static void test_memory_file_and_any_order_give_the_same_release(void **state)
{
    room *r = *state;
    shoal_table *table = read_input(r);
    shoal_spec *plain = r->spec;

    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        expect(r, shoal_spec_copy(&r->ctx, &r->spec, plain));
        set(r, "method", runs[i].method);
        if (runs[i].key) {
            set(r, runs[i].key, runs[i].value);
        }
        run_through_all_doors(r, table);
        if (!runs[i].value || strcmp(runs[i].value, "keep") != 0) {
            run_shuffled(r);
        }
        shoal_spec_free(r->spec);
        r->spec = plain;
    }
    shoal_table_free(table);
}

/* --- What a release tells. -------------------------------------------------------------- */

static bool looks_alike(const shoal_table *rows, size_t a, size_t b, size_t columns)
{
    for (size_t c = 0; c < columns; c++) {
        if (shoal_table_code(rows, c, a) != shoal_table_code(rows, c, b)) {
            return false;
        }
    }
    return true;
}

static void test_classes_are_those_a_reader_counts(void **state)
{
    room *r = *state;
    shoal_table *table = read_input(r);
    shoal_release *release = NULL;

    set(r, "method", "topdown");
    expect(r, shoal_anonymize_table(&r->ctx, &release, NULL, r->spec, table));
    const shoal_table *rows = shoal_release_table(release);

    assert_int_equal(shoal_release_row_count(release), RECORDS);
    assert_int_equal(shoal_release_record_count(release), RECORDS);
    assert_int_equal(shoal_release_quasi_count(release), 4);
    for (size_t a = 0; a < RECORDS; a++) {
        size_t alike = 0;
        int64_t record = shoal_release_record(release, a);
        int64_t class = shoal_release_class_of(release, (size_t)record);

        for (size_t b = 0; b < RECORDS; b++) {
            int64_t other = shoal_release_record(release, b);
            bool is_alike = looks_alike(rows, a, b, 4); /* the quasi columns come first */

            alike += is_alike;
            assert_true(is_alike == (shoal_release_class_of(release, (size_t)other) == class));
        }
        assert_true(alike >= 4);
        assert_int_equal(shoal_release_class_size(release, (size_t) class), alike);
        assert_true(shoal_release_risk(release, (size_t)record) == 1.0 / (double)alike);
        for (size_t q = 0; q < 4; q++) {
            assert_string_equal(shoal_release_quasi_name(release, q),
                                shoal_table_name(rows, q));
            assert_string_equal(shoal_release_text(release, (size_t) class, q),
                                cell(rows, a, q));
        }
    }
    shoal_release_free(release);
    shoal_table_free(table);
}

static void test_rows_stand_for_records_inside_their_ranges(void **state)
{
    room *r = *state;
    shoal_table *table = read_input(r);
    shoal_release *release = NULL;
    size_t seen[RECORDS] = {0};

    set(r, "method", "mondrian");
    expect(r, shoal_anonymize_table(&r->ctx, &release, NULL, r->spec, table));
    const shoal_table *rows = shoal_release_table(release);

    for (size_t row = 0; row < RECORDS; row++) {
        size_t record = (size_t)shoal_release_record(release, row);
        size_t class = (size_t)shoal_release_class_of(release, record);

        seen[record]++;
        for (size_t q = 0; q < 2; q++) { /* age and born: columns 1 and 2 of the table */
            double least = 0;
            double greatest = 0;
            double value =
                shoal_table_number(table, q + 1, shoal_table_code(table, q + 1, record));

            assert_true(shoal_release_interval(release, class, q, &least, &greatest));
            assert_true(least <= value && value <= greatest);
        }
        /* what is released as it is belongs to the record: ill, cost, note */
        assert_string_equal(cell(rows, row, 4), cell(table, record, 5));
        assert_string_equal(cell(rows, row, 5), cell(table, record, 6));
        assert_string_equal(cell(rows, row, 6), cell(table, record, 7));
    }
    for (size_t i = 0; i < RECORDS; i++) {
        assert_int_equal(seen[i], 1);
    }
    double nothing = 0;

    assert_false(shoal_release_interval(release, 0, 2, &nothing, &nothing)); /* a hierarchy */
    assert_false(shoal_release_interval(release, 0, 9, &nothing, &nothing));
    assert_null(shoal_release_text(release, SIZE_MAX, 0));
    assert_int_equal(shoal_release_class_of(release, RECORDS), -1);
    assert_int_equal(shoal_release_class_size(release, SIZE_MAX), 0);
    shoal_release_free(release);
    shoal_table_free(table);
}

/* Records that are left out are in no class; the others keep their numbers. */
static void test_records_left_out_are_in_no_class(void **state)
{
    room *r = *state;
    shoal_table *table =
        read_text(&r->ctx, "age,ill\n30,a\n,b\n31,c\n32,d\n?,e\n33,f\n34,g\n35,h\n", NULL);
    shoal_spec *spec = NULL;
    shoal_release *release = NULL;

    expect(r, shoal_spec_new(&r->ctx, &spec));
    expect(r, shoal_spec_set_role(&r->ctx, spec, "age", SHOAL_ROLE_QUASI));
    expect(r, shoal_spec_set_role(&r->ctx, spec, "ill", SHOAL_ROLE_INSENSITIVE));
    expect(r, shoal_spec_set(&r->ctx, spec, "privacy.k", "3"));
    expect(r, shoal_spec_set(&r->ctx, spec, "method", "mondrian"));
    assert_int_equal(shoal_anonymize_table(&r->ctx, &release, NULL, spec, table),
                     SHOAL_EFORMAT);
    assert_null(release);
    expect(r, shoal_spec_set(&r->ctx, spec, "missing.action", "drop"));
    expect(r, shoal_anonymize_table(&r->ctx, &release, NULL, spec, table));
    assert_int_equal(shoal_release_record_count(release), 8);
    assert_int_equal(shoal_release_row_count(release), 6);
    assert_int_equal(shoal_release_class_of(release, 1), -1);
    assert_int_equal(shoal_release_class_of(release, 4), -1);
    assert_true(shoal_release_risk(release, 4) == 0);
    for (size_t row = 0; row < 6; row++) {
        size_t record = (size_t)shoal_release_record(release, row);

        assert_true(record != 1 && record != 4);
        assert_string_equal(cell(shoal_release_table(release), row, 1), cell(table, record, 1));
    }
    assert_int_equal(shoal_release_class_of(release, 0), shoal_release_class_of(release, 2));
    assert_int_equal(shoal_release_class_of(release, 5), shoal_release_class_of(release, 7));
    assert_int_not_equal(shoal_release_class_of(release, 0),
                         shoal_release_class_of(release, 7));
    shoal_release_free(release);
    shoal_spec_free(spec);
    shoal_table_free(table);
}

/* Columns without a role are not handed out unless the spec says so; nor are they read. */
static void test_the_rest_is_left_out(void **state)
{
    room *r = *state;
    shoal_table *table = read_input(r);
    shoal_release *release = NULL;
    shoal_report *report = NULL;

    set(r, "rest", "drop");
    set(r, "method", "mondrian");
    expect(r, shoal_anonymize_table(&r->ctx, &release, &report, r->spec, table));
    const shoal_table *rows = shoal_release_table(release);

    assert_int_equal(shoal_table_column_count(rows), 5);
    assert_true(shoal_table_find(rows, "ill") >= 0);
    assert_int_equal(shoal_table_find(rows, "cost"), -1);
    assert_int_equal(shoal_table_find(rows, "note"), -1);
    assert_non_null(strstr(shoal_report_json(report), "\"released_as_is\": [],"));
    assert_non_null(strstr(shoal_report_json(report), "\"left_out\": [\n    \"cost\""));
    assert_non_null(strstr(shoal_report_text(report), "\nLeft out  cost, note (no role)\n"));
    shoal_report_free(report);
    shoal_release_free(release);
    shoal_table_free(table);
}

/* A box per record: as many could be meant as lie in the box. */
static void test_risk_of_boxes_counts_who_fits(void **state)
{
    room *r = *state;
    shoal_table *table = read_input(r);
    shoal_release *release = NULL;

    set(r, "method", "nonhomogeneous:test_seed=3");
    expect(r, shoal_anonymize_table(&r->ctx, &release, NULL, r->spec, table));
    assert_int_equal(shoal_release_shape(release), SHOAL_SHAPE_RECORDS);
    assert_string_equal(shoal_shape_name(shoal_release_shape(release)), "records");
    for (size_t record = 0; record < RECORDS; record++) {
        double risk = shoal_release_risk(release, record);

        assert_true(risk > 0 && risk <= 0.25);
    }
    shoal_release_free(release);
    shoal_table_free(table);
}

/* --- The other runs. -------------------------------------------------------------------- */

static double figure(room *r, shoal_status st, shoal_report **report, const char *name)
{
    expect(r, st);
    double value = shoal_report_figure(*report, name);

    shoal_report_free(*report);
    *report = NULL;
    return value;
}

static void test_other_runs_find_the_same_in_memory(void **state)
{
    room *r = *state;
    shoal_ctx *ctx = &r->ctx;
    shoal_table *table = read_input(r);
    shoal_release *release = NULL;
    shoal_release *better = NULL;
    shoal_report *report = NULL;

    set(r, "method", "topdown");
    expect(r, shoal_anonymize(ctx, &report, r->spec, "in.csv", "file.csv"));
    shoal_report_free(report);
    expect(r, shoal_anonymize_table(ctx, &release, NULL, r->spec, table));

    double loss =
        figure(r, shoal_measure(ctx, &report, r->spec, "in.csv", "file.csv"), &report, "gcp");

    assert_true(loss > 0);
    assert_true(figure(r, shoal_measure_release(ctx, &report, r->spec, table, release), &report,
                       "gcp") == loss);
    assert_true(figure(r, shoal_risk(ctx, &report, r->spec, "in.csv", "file.csv"), &report,
                       "prosecutor_mean") ==
                figure(r, shoal_risk_release(ctx, &report, r->spec, table, release), &report,
                       "prosecutor_mean"));
    assert_true(figure(r, shoal_risk_release(ctx, &report, r->spec, table, NULL), &report,
                       "uniques") > 0);
    assert_true(figure(r,
                       shoal_query(ctx, &report, r->spec, "file.csv", "in.csv",
                                   "COUNT WHERE age < 40 AND ill = flu", NULL),
                       &report, "estimate") ==
                figure(r,
                       shoal_query_release(ctx, &report, r->spec, release, table,
                                           "COUNT WHERE age < 40 AND ill = flu", NULL),
                       &report, "estimate"));
    assert_true(
        figure(r, shoal_inspect(ctx, &report, r->spec, "in.csv"), &report, "unique_records") ==
        figure(r, shoal_inspect_table(ctx, &report, r->spec, table), &report,
               "unique_records"));
    expect(r, shoal_verify_release(ctx, &report, r->spec, release));
    assert_true(shoal_report_holds(report));
    shoal_report_free(report);
    set(r, "privacy.k", "100");
    expect(r, shoal_verify_release(ctx, &report, r->spec, release));
    assert_false(shoal_report_holds(report));
    shoal_report_free(report);
    set(r, "privacy.k", "4");
    expect(r, shoal_refine_release(ctx, &better, &report, r->spec, table, release));
    assert_true(shoal_report_figure(report, "gcp") <= loss);
    shoal_report_free(report);
    shoal_release_free(better);
    shoal_release_free(release);
    shoal_table_free(table);
}

static void test_frontier_of_a_table(void **state)
{
    room *r = *state;
    shoal_table *table = read_input(r);
    shoal_report *report = NULL;
    shoal_report *other = NULL;

    set(r, "frontier.sweep", "k=2,5,10");
    set(r, "frontier.methods", "topdown");
    set(r, "frontier.methods", "nonhomogeneous:test_seed=1");
    set(r, "frontier.axes", "gcp,privacy_loss");
    expect(r, shoal_frontier(&r->ctx, &report, r->spec, "in.csv", NULL, false));
    expect(r, shoal_frontier_table(&r->ctx, &other, r->spec, table));
    assert_true(shoal_report_figure(report, "points") == 6);
    assert_true(shoal_report_figure(other, "points") == 6);
    shoal_report_free(report);
    shoal_report_free(other);
    shoal_table_free(table);
}

/* What another program hands over as a release, by buckets too. */
static void test_releases_of_others(void **state)
{
    room *r = *state;
    shoal_table *table = read_input(r);
    shoal_release *made = NULL;
    shoal_release *others = NULL;
    shoal_report *report = NULL;

    set(r, "method", "anatomy");
    set(r, "privacy.l", "distinct:2");
    expect(r, shoal_anonymize_table(&r->ctx, &made, NULL, r->spec, table));
    shoal_table *rows = hand_over(r, shoal_release_table(made), 7);
    shoal_table *values = hand_over(r, shoal_release_sensitive(made), 7);

    shoal_release_free(made);
    expect(r, shoal_release_from_tables(&r->ctx, &others, rows, values));
    shoal_table_free(rows);
    shoal_table_free(values);
    assert_int_equal(shoal_release_shape(others), SHOAL_SHAPE_BUCKETS);
    assert_int_equal(shoal_release_class_count(others), 0);
    assert_int_equal(shoal_release_record(others, 0), -1);
    expect(r, shoal_verify_release(&r->ctx, &report, r->spec, others));
    assert_true(shoal_report_holds(report));
    shoal_report_free(report);
    expect(r, shoal_measure_release(&r->ctx, &report, r->spec, table, others));
    assert_true(shoal_report_figure(report, "gcp") == 0);
    shoal_report_free(report);
    shoal_release_free(others);
    shoal_table_free(table);
}

/* --- What cannot be. -------------------------------------------------------------------- */

static void assert_fails(room *r, shoal_status expected, shoal_status st, const char *words)
{
    assert_int_equal(st, expected);
    if (!strstr(r->ctx.error.message, words)) {
        print_error("%s\n", r->ctx.error.message);
    }
    assert_non_null(strstr(r->ctx.error.message, words));
}

static void test_bad_tables(void **state)
{
    room *r = *state;
    shoal_ctx *ctx = &r->ctx;
    shoal_table *table = read_text(ctx, "age,job\n30,a\n31,b\n", NULL);
    shoal_table *all = read_input(r);
    shoal_release *release = NULL;
    shoal_report *report = NULL;
    bool none[RECORDS] = {false};
    shoal_table *empty = NULL;

    assert_fails(r, SHOAL_ENOTFOUND,
                 shoal_anonymize_table(ctx, &release, &report, r->spec, table), "no column");
    assert_null(release);
    assert_null(report);
    assert_int_equal(shoal_anonymize_table(ctx, &release, NULL, r->spec, NULL), SHOAL_EINVAL);
    assert_int_equal(shoal_anonymize_table(ctx, &release, NULL, NULL, table), SHOAL_EINVAL);
    expect(r, shoal_table_filter(ctx, &empty, all, none));
    assert_fails(r, SHOAL_EFORMAT, shoal_anonymize_table(ctx, &release, NULL, r->spec, empty),
                 "no records");
    expect(r, shoal_spec_set_type(ctx, r->spec, "job", "integer"));
    assert_fails(r, SHOAL_EFORMAT, shoal_anonymize_table(ctx, &release, NULL, r->spec, all),
                 "job");
    assert_true(ctx->error.record == 0 && ctx->error.field == 4);
    assert_null(strstr(ctx->error.message, "cook"));
    expect(r, shoal_spec_set_type(ctx, r->spec, "job", "string"));
    set(r, "memory", "1G");
    assert_fails(r, SHOAL_EUNSUPPORTED,
                 shoal_anonymize_table(ctx, &release, NULL, r->spec, all), "memory");
    shoal_table_free(empty);
    shoal_table_free(all);
    shoal_table_free(table);
}

/* A limit on the size of files stands for a disk that fills while it is written. */
static void check_disk_that_fills(room *r, const shoal_release *release)
{
    struct rlimit old;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    struct rlimit small = {.rlim_cur = 2, .rlim_max = old.rlim_max};

    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    shoal_status st = shoal_release_write(&r->ctx, release, "a.csv", NULL, ',');

    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_fails(r, SHOAL_EIO, st, "write the output");
    assert_string_equal(r->ctx.error.source, "a.csv");
}

static void test_bad_releases(void **state)
{
    room *r = *state;
    shoal_ctx *ctx = &r->ctx;
    shoal_table *all = read_input(r);
    shoal_table *rows =
        read_text(ctx, "age,born,zip,job,ill\n*,*,*,*,flu\n*,*,*,*,flu\n", NULL);
    shoal_table *other = read_text(ctx, "age\n*\n", NULL);
    shoal_release *release = NULL;
    shoal_report *report = NULL;
    struct ArrowArrayStream stream;

    expect(r, shoal_release_from_tables(ctx, &release, other, NULL));
    assert_fails(r, SHOAL_ENOTFOUND, shoal_verify_release(ctx, &report, r->spec, release),
                 "born");
    assert_fails(r, SHOAL_EINVAL, shoal_release_export_sensitive(ctx, &stream, release),
                 "buckets");
    assert_null(stream.release);
    assert_fails(r, SHOAL_EINVAL, shoal_release_write(ctx, release, "a.csv", "b.csv", ','),
                 "one table");
    assert_fails(r, SHOAL_EINVAL, shoal_release_write(ctx, release, "a.csv", NULL, '"'), "");
    check_disk_that_fills(r, release);
    assert_int_equal(count_files("."), 1);
    shoal_release_free(release);
    expect(r, shoal_release_from_tables(ctx, &release, rows, NULL));
    expect(r, shoal_measure_release(ctx, &report, r->spec, all, release));
    assert_true(shoal_report_figure(report, "gcp") == 1);
    shoal_report_free(report);
    bool keep[RECORDS] = {true};
    shoal_table *one = NULL;

    expect(r, shoal_table_filter(ctx, &one, all, keep));
    assert_fails(r, SHOAL_EFORMAT, shoal_measure_release(ctx, &report, r->spec, one, release),
                 "no more than its original");
    shoal_table_free(one);
    shoal_release_free(release);
    assert_int_equal(shoal_release_from_tables(ctx, &release, NULL, NULL), SHOAL_EINVAL);
    shoal_release_free(NULL);
    shoal_table_free(all);
    shoal_table_free(rows);
    shoal_table_free(other);
}

/* The caller's settings are the caller's, whatever the spec says. */
static bool check_settings(void *payload, const char *stage, double fraction)
{
    const shoal_ctx *ctx = payload;

    (void)stage;
    (void)fraction;
    assert_int_equal(ctx->threads, 1);
    assert_true(ctx->seed == 1234);
    return true;
}

static void test_context_is_the_callers(void **state)
{
    room *r = *state;
    shoal_table *table = read_input(r);
    shoal_release *release = NULL;

    r->ctx.seed = 1234;
    r->ctx.progress = check_settings;
    r->ctx.progress_payload = &r->ctx;
    set(r, "seed", "99");
    set(r, "threads", "3");
    expect(r, shoal_anonymize_table(&r->ctx, &release, NULL, r->spec, table));
    assert_int_equal(r->ctx.threads, 1);
    assert_true(r->ctx.seed == 1234 && r->ctx.progress == check_settings);
    shoal_release_free(release);
    shoal_table_free(table);
}

/* --- Every allocation. ------------------------------------------------------------------ */

typedef struct failing_run {
    room *r;
    shoal_table *table;
} failing_run;

static shoal_status make(shoal_ctx *ctx, void *payload)
{
    failing_run *f = payload;
    shoal_release *release = NULL;
    shoal_report *report = NULL;
    shoal_status st = shoal_anonymize_table(ctx, &release, &report, f->r->spec, f->table);

    assert_true((st == SHOAL_OK) == (release != NULL));
    assert_true((st == SHOAL_OK) == (report != NULL));
    if (st == SHOAL_OK) {
        st = shoal_release_write(ctx, release, "out.csv",
                                 shoal_release_sensitive(release) ? "out.s.csv" : NULL, ',');
    }
    if (st != SHOAL_OK) {
        assert_int_equal(count_files("."), 1);
    }
    shoal_release_free(release);
    shoal_report_free(report);
    return st;
}

static void test_no_memory(void **state)
{
    room *r = *state;
    failing_run f = {.r = r, .table = read_input(r)};

    set(r, "method", "mondrian");
    assert_survives_failing_allocations(&r->ctx, make, &f);
    shoal_table_free(f.table);
}

static void test_no_memory_for_buckets(void **state)
{
    room *r = *state;
    failing_run f = {.r = r, .table = read_input(r)};

    set(r, "method", "anatomy");
    set(r, "privacy.l", "distinct:2");
    assert_survives_failing_allocations(&r->ctx, make, &f);
    shoal_table_free(f.table);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_memory_file_and_any_order_give_the_same_release),
        CASE(test_classes_are_those_a_reader_counts),
        CASE(test_rows_stand_for_records_inside_their_ranges),
        CASE(test_records_left_out_are_in_no_class),
        CASE(test_the_rest_is_left_out),
        CASE(test_risk_of_boxes_counts_who_fits),
        CASE(test_other_runs_find_the_same_in_memory),
        CASE(test_frontier_of_a_table),
        CASE(test_releases_of_others),
        CASE(test_bad_tables),
        CASE(test_bad_releases),
        CASE(test_context_is_the_callers),
        CASE(test_no_memory),
        CASE(test_no_memory_for_buckets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
