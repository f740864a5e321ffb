/* Runs in fragments: mondrian's release is that of a run in memory, byte for byte; best loses
 * little; what cannot be done is refused; nothing is left behind. */
#include <shoal/generate.h>
#include <shoal/job.h>

#include "base/random.h"
#include "failing.h"
#include "files.h"
#include "job/memory_run.h"
#include "method/top_cut.h"
#include "random_table.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define ROWS_MAX 400

typedef struct fixture {
    shoal_ctx ctx;
    shoal_spec *spec;
    char folder[64];
    char input[96];
    char whole[96];
    char output[96];
    size_t fragments; /* of the last run, as it told */
} fixture;

static void note_fragments(void *payload, shoal_log_level level, const char *message,
                           const shoal_error *place)
{
    fixture *f = payload;
    const char *text = "The records were cut into ";

    (void)level;
    (void)place;
    if (strncmp(message, text, strlen(text)) == 0) {
        f->fragments = strtoul(message + strlen(text), NULL, 10);
    }
}

static int open_fixture(void **state)
{
    static fixture f;

    memset(&f, 0, sizeof f);
    shoal_ctx_init(&f.ctx);
    f.ctx.threads = 2;
    f.ctx.log = note_fragments;
    f.ctx.log_payload = &f;
    make_folder(f.folder);
    snprintf(f.input, sizeof f.input, "%s/in.csv", f.folder);
    snprintf(f.whole, sizeof f.whole, "%s/whole.csv", f.folder);
    snprintf(f.output, sizeof f.output, "%s/out.csv", f.folder);
    *state = &f;
    return shoal_spec_new(&f.ctx, &f.spec) == SHOAL_OK ? 0 : -1;
}

static int close_fixture(void **state)
{
    fixture *f = *state;

    shoal_spec_free(f->spec);
    shoal_ctx_clear(&f->ctx);
    unlink(f->input);
    unlink(f->whole);
    unlink(f->output);
    return rmdir(f->folder); /* whatever else was left would be in the way */
}

static void set(fixture *f, const char *key, const char *value)
{
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, key, value), SHOAL_OK);
}

static void set_role(fixture *f, const char *column, shoal_role role)
{
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, column, role), SHOAL_OK);
}

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);

    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void assert_same_bytes(const char *a, const char *b)
{
    size_t a_size = 0;
    size_t b_size = 0;
    char *a_bytes = read_file(a, &a_size);
    char *b_bytes = read_file(b, &b_size);

    assert_int_equal(a_size, b_size);
    assert_memory_equal(a_bytes, b_bytes, a_size);
    free(a_bytes);
    free(b_bytes);
}

/* --- Random tables. --------------------------------------------------------------------- */

/* Numbers, texts, masked codes; an identifier, and columns that are released as they are. */
static void write_random(fixture *f, shoal_i_random *random, size_t rows, bool with_missing)
{
    FILE *file = fopen(f->input, "wb");
    unsigned ages = 2 + (unsigned)shoal_i_random_below(random, 60);
    unsigned cities = 1 + (unsigned)shoal_i_random_below(random, 9);

    assert_non_null(file);
    fprintf(file, "name,age,city,note,zip,income\n");
    for (size_t i = 0; i < rows; i++) {
        unsigned age = (unsigned)shoal_i_random_below(random, ages);
        bool is_missing = with_missing && shoal_i_random_below(random, 12) == 0;
        char text[16];

        snprintf(text, sizeof text, "%u", age * age / 7);
        fprintf(file, "n%zu,%s,c%u,%u,%03u,%u\n", i, is_missing ? "" : text,
                (unsigned)shoal_i_random_below(random, cities),
                (unsigned)shoal_i_random_below(random, 4),
                (unsigned)shoal_i_random_below(random, 300),
                (unsigned)shoal_i_random_below(random, 1000));
    }
    fclose(file);
}

static void ask_random(fixture *f, shoal_i_random *random)
{
    static const char *const ks[] = {"1", "2", "3", "5", "10"};

    set_role(f, "name", SHOAL_ROLE_IDENTIFIER);
    set_role(f, "age", SHOAL_ROLE_QUASI);
    set_role(f, "city", SHOAL_ROLE_QUASI);
    set_role(f, "zip", SHOAL_ROLE_QUASI);
    set_role(f, "income", SHOAL_ROLE_SENSITIVE);
    assert_int_equal(shoal_spec_set_hierarchy(&f->ctx, f->spec, "zip", "prefix:3"), SHOAL_OK);
    set(f, "privacy.k", ks[shoal_i_random_below(random, 5)]);
    set(f, "missing.action", "keep");
    set(f, "output.numeric", shoal_i_random_below(random, 2) ? "range" : "minmax");
    set(f, "output.categorical", shoal_i_random_below(random, 2) ? "label" : "set");
    set(f, "output.delimiter", shoal_i_random_below(random, 2) ? "," : ";");
    set(f, "temporary", f->folder);
}

static void assert_same_figures(const shoal_report *a, const shoal_report *b)
{
    static const char *const names[] = {
        "records", "classes",        "smallest_class",     "ncp",
        "gcp",     "discernibility", "average_class_size", "distortion_ratio"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double x = shoal_report_figure(a, names[i]);

        assert_true(fabs(x - shoal_report_figure(b, names[i])) <= 1e-9 * (1 + fabs(x)));
    }
    assert_true(shoal_report_holds(b));
}

static void test_mondrian_is_the_same_in_fragments(void **state)
{
    size_t cut = 0;

    for (uint64_t seed = 1; seed <= 60; seed++) {
        fixture *f = *state;
        shoal_i_random random = shoal_i_random_start(seed);
        shoal_report *whole = NULL;
        shoal_report *report = NULL;
        size_t rows = 20 + (size_t)shoal_i_random_below(&random, ROWS_MAX - 20);
        size_t most = 12 + (size_t)shoal_i_random_below(&random, rows);

        write_random(f, &random, rows, seed % 3 == 0);
        shoal_spec_free(f->spec);
        assert_int_equal(shoal_spec_new(&f->ctx, &f->spec), SHOAL_OK);
        ask_random(f, &random);
        set(f, "method", "mondrian");
        assert_int_equal(shoal_anonymize(&f->ctx, &whole, f->spec, f->input, f->whole),
                         SHOAL_OK);
        shoal_status st =
            shoal_i_anonymize_fragmented(&f->ctx, &report, f->spec, f->input, f->output, most);

        if (st != SHOAL_ELIMIT) { /* equal values that no cut parts may be too many */
            assert_int_equal(st, SHOAL_OK);
            assert_true(f->fragments >= (rows + most - 1) / most);
            cut += f->fragments > 1;
            assert_same_bytes(f->whole, f->output);
            assert_same_figures(whole, report);
        }
        shoal_report_free(whole);
        shoal_report_free(report);
    }
    assert_true(cut >= 30);
}

/* The same at a size at which text and rows take many blocks, on any number of threads. */
static void test_mondrian_of_a_census(void **state)
{
    fixture *f = *state;
    shoal_generate_options options = {
        .kind = SHOAL_GENERATE_CENSUS, .records = 12000, .seed = 7};
    static const char *const quasi[] = {"age", "sex", "education", "marital", "race", "zip"};

    assert_int_equal(shoal_generate(&f->ctx, f->input, &options), SHOAL_OK);
    for (size_t i = 0; i < sizeof quasi / sizeof *quasi; i++) {
        set_role(f, quasi[i], SHOAL_ROLE_QUASI);
    }
    set(f, "privacy.k", "10");
    set(f, "method", "mondrian");
    for (int threads = 1; threads <= 4; threads += 3) {
        shoal_report *whole = NULL;
        shoal_report *report = NULL;

        f->ctx.threads = threads;
        assert_int_equal(shoal_anonymize(&f->ctx, &whole, f->spec, f->input, f->whole),
                         SHOAL_OK);
        assert_int_equal(
            shoal_i_anonymize_fragmented(&f->ctx, &report, f->spec, f->input, f->output, 500),
            SHOAL_OK);
        assert_true(f->fragments >= 24);
        assert_same_bytes(f->whole, f->output);
        assert_same_figures(whole, report);
        shoal_report_free(whole);
        shoal_report_free(report);
        shoal_ctx_clear(&f->ctx);
    }
}

static void test_best_loses_little(void **state)
{
    fixture *f = *state;
    shoal_generate_options options = {
        .kind = SHOAL_GENERATE_CENSUS, .records = 8000, .seed = 3};
    static const char *const quasi[] = {"age", "sex", "education", "marital", "race"};
    shoal_report *whole = NULL;
    shoal_report *report = NULL;

    assert_int_equal(shoal_generate(&f->ctx, f->input, &options), SHOAL_OK);
    for (size_t i = 0; i < sizeof quasi / sizeof *quasi; i++) {
        set_role(f, quasi[i], SHOAL_ROLE_QUASI);
    }
    set(f, "privacy.k", "10");
    set(f, "effort", "fast");
    assert_int_equal(shoal_anonymize(&f->ctx, &whole, f->spec, f->input, f->whole), SHOAL_OK);
    assert_int_equal(
        shoal_i_anonymize_fragmented(&f->ctx, &report, f->spec, f->input, f->output, 2500),
        SHOAL_OK);
    assert_true(f->fragments >= 4);
    assert_true(shoal_report_figure(report, "gcp") <= 1.01 * shoal_report_figure(whole, "gcp"));
    assert_true(shoal_report_figure(report, "smallest_class") >= 10);
    shoal_report_free(whole);
    shoal_report_free(report);
}

/* --- The cut. --------------------------------------------------------------------------- */

/* All cuts that are allowed, by the definition; the one nearest to the median of the widest
 * column that has one. */
static bool find_slowly(shoal_i_top_cut *best, const shoal_i_quasi *quasi,
                        uint64_t *const *counts, uint64_t total, uint64_t least)
{
    bool is_tried[RANDOM_COLUMNS_MAX] = {false};

    for (size_t n = 0; n < quasi->count; n++) {
        size_t widest = quasi->count;
        double width = 0;
        uint64_t nearest = UINT64_MAX;

        for (size_t c = 0; c < quasi->count; c++) {
            const shoal_i_quasi_column *column = &quasi->columns[c];
            uint32_t lo = UINT32_MAX;
            uint32_t hi = 0;

            for (uint32_t code = 0; code < column->value_count; code++) {
                lo = counts[c][code] && lo == UINT32_MAX ? code : lo;
                hi = counts[c][code] ? code : hi;
            }
            double loss = column->weight * shoal_i_quasi_loss(column, lo, hi);

            if (!is_tried[c] && loss > width) {
                width = loss;
                widest = c;
            }
        }
        if (widest == quasi->count) {
            return false;
        }
        is_tried[widest] = true;
        for (uint32_t cut = 1; cut < quasi->columns[widest].value_count; cut++) {
            const shoal_i_quasi_column *column = &quasi->columns[widest];
            uint64_t front = 0;
            uint32_t before = 0;
            uint32_t first = UINT32_MAX;
            uint32_t last = 0;

            for (uint32_t code = 0; code < column->value_count; code++) {
                front += code < cut ? counts[widest][code] : 0;
                before = code < cut && counts[widest][code] ? code : before;
                first = counts[widest][code] && first == UINT32_MAX ? code : first;
                last = counts[widest][code] ? code : last;
            }
            uint64_t distance = 2 * front > total ? 2 * front - total : total - 2 * front;
            bool parts = !column->hierarchy;

            if (column->hierarchy && first < last) {
                /* Their closest common ancestor is that of all: they are below two children. */
                parts = shoal_hierarchy_ancestor(column->hierarchy, before, cut) ==
                        shoal_hierarchy_ancestor(column->hierarchy, first, last);
            }
            if (counts[widest][cut] && front >= least && total - front >= least && parts &&
                distance < nearest) {
                nearest = distance;
                *best = (shoal_i_top_cut){.column = widest, .code = cut, .front = front};
            }
        }
        if (nearest < UINT64_MAX) {
            return true;
        }
    }
    return false;
}

static void test_the_cut_is_the_defined_one(void **state)
{
    fixture *f = *state;
    size_t found_count = 0;

    for (uint64_t seed = 1; seed <= 300; seed++) {
        random_table t = random_table_make(&f->ctx, seed, 5 + seed % 40, 1 + seed % 5,
                                           2 + seed % 12, seed % 4 == 0);
        size_t rows = shoal_table_row_count(t.table);
        uint64_t *counts[RANDOM_COLUMNS_MAX] = {0};
        shoal_i_top_cut cut = {0};
        shoal_i_top_cut slow = {0};
        uint64_t least = 1 + seed % 9;

        for (size_t c = 0; c < t.quasi->count; c++) {
            counts[c] = calloc(t.quasi->columns[c].value_count, sizeof **counts);
            for (size_t row = 0; row < rows; row++) {
                counts[c][shoal_i_quasi_code(t.quasi, c, row)]++;
            }
        }
        bool found = shoal_i_top_cut_find(&cut, t.quasi, counts, rows, least);

        assert_int_equal(found, find_slowly(&slow, t.quasi, counts, rows, least));
        if (found) {
            found_count++;
            assert_int_equal(cut.column, slow.column);
            assert_int_equal(cut.code, slow.code);
            assert_int_equal(cut.front, slow.front);
        }
        for (size_t c = 0; c < t.quasi->count; c++) {
            free(counts[c]);
        }
        random_table_free(&t);
    }
    assert_true(found_count > 100);
}

/* --- What is refused. ------------------------------------------------------------------- */

static shoal_status run_limited(fixture *f)
{
    shoal_report *report = NULL;
    shoal_status st = shoal_anonymize(&f->ctx, &report, f->spec, f->input, f->output);

    assert_true((st == SHOAL_OK) == (report != NULL));
    shoal_report_free(report);
    return st;
}

static void prepare_small(fixture *f)
{
    shoal_i_random random = shoal_i_random_start(1);

    write_random(f, &random, 100, false);
    ask_random(f, &random);
    set(f, "method", "mondrian");
    set(f, "memory", "200M");
}

static void test_a_limit_that_suffices(void **state)
{
    fixture *f = *state;

    prepare_small(f);
    assert_int_equal(run_limited(f), SHOAL_OK);
    assert_int_equal(f->fragments, 1);
}

static void test_too_little_memory(void **state)
{
    fixture *f = *state;

    prepare_small(f);
    set(f, "memory", "1k");
    assert_int_equal(run_limited(f), SHOAL_ELIMIT);
    assert_non_null(strstr(f->ctx.error.message, "at least 64M"));
    set(f, "memory", "64M");
    assert_int_equal(run_limited(f), SHOAL_OK);
}

static void test_bad_sizes(void **state)
{
    static const char *const bad[] = {"",    "k",    "0",           "-1", "2 G",
                                      "2GB", "1.5G", "9999999999T", "M2", "g"};
    fixture *f = *state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(shoal_spec_set(&f->ctx, f->spec, "memory", bad[i]), SHOAL_EINVAL);
    }
    set(f, "memory", "3G");
    assert_int_equal(f->spec->memory, (uint64_t)3 << 30);
    set(f, "memory", "70000000");
    assert_int_equal(f->spec->memory, 70000000);
}

static void test_what_is_not_supported_is_refused(void **state)
{
    static const char *const settings[][2] = {
        {"method", "cluster"},        {"privacy.l", "2"},         {"privacy.k.column", "note"},
        {"suppress", "0.1"},          {"output.numeric", "mean"}, {"output.order", "keep"},
        {"measure.figures", "bound"}, {"report.detail", "full"},
    };
    fixture *f = *state;

    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        shoal_spec_free(f->spec);
        assert_int_equal(shoal_spec_new(&f->ctx, &f->spec), SHOAL_OK);
        prepare_small(f);
        set(f, settings[i][0], settings[i][1]);
        assert_int_equal(run_limited(f), SHOAL_EUNSUPPORTED);
        assert_string_equal(f->ctx.error.source, "memory");
        assert_int_equal(count_files(f->folder), 1);
    }
}

static void test_missing_values(void **state)
{
    fixture *f = *state;
    shoal_i_random random = shoal_i_random_start(2);

    prepare_small(f);
    write_random(f, &random, 100, true);
    set(f, "missing.action", "drop");
    assert_int_equal(run_limited(f), SHOAL_EUNSUPPORTED);
    set(f, "missing.action", "error");
    assert_int_equal(run_limited(f), SHOAL_EFORMAT);
    int64_t line = f->ctx.error.line;
    char message[SHOAL_MESSAGE_MAX];

    snprintf(message, sizeof message, "%s", f->ctx.error.message);
    f->spec->memory = 0; /* a run in memory says the same */
    assert_int_equal(run_limited(f), SHOAL_EFORMAT);
    assert_int_equal(line, f->ctx.error.line);
    assert_string_equal(message, f->ctx.error.message);
}

static void test_equal_records_that_do_not_fit(void **state)
{
    fixture *f = *state;
    FILE *file = fopen(f->input, "wb");
    shoal_report *report = NULL;

    fprintf(file, "age\n");
    for (int i = 0; i < 100; i++) {
        fprintf(file, "%d\n", i < 90 ? 40 : i);
    }
    fclose(file);
    set_role(f, "age", SHOAL_ROLE_QUASI);
    set(f, "privacy.k", "2");
    assert_int_equal(
        shoal_i_anonymize_fragmented(&f->ctx, &report, f->spec, f->input, f->output, 50),
        SHOAL_ELIMIT);
    assert_null(report);
    assert_int_equal(count_files(f->folder), 1);
}

/* --- Failures. -------------------------------------------------------------------------- */

static void test_a_full_temporary_disk(void **state)
{
    fixture *f = *state;
    struct rlimit before;
    shoal_report *report = NULL;
    shoal_generate_options options = {
        .kind = SHOAL_GENERATE_CENSUS, .records = 30000, .seed = 7};

    assert_int_equal(shoal_generate(&f->ctx, f->input, &options), SHOAL_OK);
    set_role(f, "age", SHOAL_ROLE_QUASI);
    set_role(f, "zip", SHOAL_ROLE_QUASI);
    set(f, "privacy.k", "10");
    set(f, "method", "mondrian");
    set(f, "temporary", f->folder);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t size = 70000; size <= 490000; size += 140000) {
        struct rlimit small = {.rlim_cur = size, .rlim_max = before.rlim_max};

        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        shoal_status st =
            shoal_i_anonymize_fragmented(&f->ctx, &report, f->spec, f->input, f->output, 5000);

        setrlimit(RLIMIT_FSIZE, &before);
        assert_int_equal(st, SHOAL_EIO);
        assert_null(report);
        assert_non_null(strstr(f->ctx.error.message, "Cannot write"));
        assert_int_equal(count_files(f->folder), 1);
    }
}

static void test_no_folder_for_temporary_files(void **state)
{
    fixture *f = *state;

    prepare_small(f);
    set(f, "temporary", "/tmp/no/such/folder");
    assert_int_equal(run_limited(f), SHOAL_ENOTFOUND);
    assert_string_equal(f->ctx.error.source, "/tmp/no/such/folder");
    assert_int_equal(count_files(f->folder), 1);
}

static shoal_status run_fragmented(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_report *report = NULL;
    shoal_status st =
        shoal_i_anonymize_fragmented(ctx, &report, f->spec, f->input, f->output, 12);

    assert_true((st == SHOAL_OK) == (report != NULL));
    shoal_report_free(report);
    return st;
}

static void run_with_failing_allocations(fixture *f, const char *method)
{
    shoal_i_random random = shoal_i_random_start(11);

    write_random(f, &random, 30, false);
    ask_random(f, &random);
    set(f, "method", method);
    set(f, "privacy.k", "2");
    f->ctx.threads = 1;
    f->ctx.log = NULL;
    assert_survives_failing_allocations(&f->ctx, run_fragmented, f);
    assert_int_equal(count_files(f->folder), 2);
}

static void test_failing_allocations(void **state)
{
    run_with_failing_allocations(*state, "mondrian");
}

static void test_failing_allocations_of_a_sample(void **state)
{
    run_with_failing_allocations(*state, "topdown");
}

static bool stop_late(void *payload, const char *stage, double fraction)
{
    const char *wanted = payload;

    return strcmp(stage, wanted) != 0 || fraction < 0.5;
}

static void test_stopping_leaves_nothing(void **state)
{
    static char stages[][16] = {"read", "anonymize", "write", "verify"};
    fixture *f = *state;

    prepare_small(f);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        shoal_report *report = NULL;

        f->ctx.progress = stop_late;
        f->ctx.progress_payload = stages[i];
        assert_int_equal(
            shoal_i_anonymize_fragmented(&f->ctx, &report, f->spec, f->input, f->output, 50),
            SHOAL_ECANCELLED);
        assert_null(report);
        assert_int_equal(count_files(f->folder), 1);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_the_cut_is_the_defined_one),
        TEST(test_mondrian_is_the_same_in_fragments),
        TEST(test_mondrian_of_a_census),
        TEST(test_best_loses_little),
        TEST(test_a_limit_that_suffices),
        TEST(test_too_little_memory),
        TEST(test_bad_sizes),
        TEST(test_what_is_not_supported_is_refused),
        TEST(test_missing_values),
        TEST(test_equal_records_that_do_not_fit),
        TEST(test_a_full_temporary_disk),
        TEST(test_no_folder_for_temporary_files),
        TEST(test_failing_allocations),
        TEST(test_failing_allocations_of_a_sample),
        TEST(test_stopping_leaves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
