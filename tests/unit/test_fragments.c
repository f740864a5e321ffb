/* Runs in fragments: mondrian's release is that of a run in memory, byte for byte; what cannot
 * be done is refused; nothing is left behind. */
#include <shoal/generate.h>

#include "fragments_case.h"
#include "method/grouping/top_cut.h"
#include "random_table.h"

#include <signal.h>
#include <sys/resource.h>

#define ROWS_MAX 400

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
            anonymize_in_fragments(&f->ctx, &report, f->spec, f->input, f->output, most);

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
    shoal_generate_options options = {.struct_size = sizeof options,
                                      .kind = SHOAL_GENERATE_CENSUS,
                                      .records = 12000,
                                      .seed = 7};
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
            anonymize_in_fragments(&f->ctx, &report, f->spec, f->input, f->output, 500),
            SHOAL_OK);
        assert_true(f->fragments >= 24);
        assert_same_bytes(f->whole, f->output);
        assert_same_figures(whole, report);
        shoal_report_free(whole);
        shoal_report_free(report);
        shoal_i_ctx_clear(&f->ctx);
    }
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
        shoal_i_top_cut *cuts = NULL;
        size_t count = 0;
        shoal_i_top_cut slow = {0};
        uint64_t least = 1 + seed % 9;

        for (size_t c = 0; c < t.quasi->count; c++) {
            counts[c] = calloc(t.quasi->columns[c].value_count, sizeof **counts);
            for (size_t row = 0; row < rows; row++) {
                counts[c][shoal_i_quasi_code(t.quasi, c, row)]++;
            }
        }
        assert_int_equal(
            shoal_i_top_cut_list(&f->ctx, &cuts, &count, t.quasi, counts, rows, least),
            SHOAL_OK);
        assert_int_equal(count > 0, find_slowly(&slow, t.quasi, counts, rows, least));
        if (count > 0) {
            found_count++;
            assert_int_equal(cuts[0].column, slow.column);
            assert_int_equal(cuts[0].code, slow.code);
            assert_int_equal(cuts[0].front, slow.front);
        }
        free(cuts);
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
        {"method", "incognito"},      {"method", "exact"},        {"method", "nonhomogeneous"},
        {"privacy.k_map", "2"},       {"output.numeric", "mean"}, {"output.order", "keep"},
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
    assert_int_equal(anonymize_in_fragments(&f->ctx, &report, f->spec, f->input, f->output, 50),
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
    shoal_generate_options options = {.struct_size = sizeof options,
                                      .kind = SHOAL_GENERATE_CENSUS,
                                      .records = 30000,
                                      .seed = 7};

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
            anonymize_in_fragments(&f->ctx, &report, f->spec, f->input, f->output, 5000);

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

/* Every record a class of its own, in tables of any length: what is written at a time ends
 * everywhere, with one record left, too. */
static void test_what_is_written_last(void **state)
{
    fixture *f = *state;

    for (size_t rows = 7; rows < 20; rows++) {
        FILE *file = fopen(f->input, "wb");
        shoal_report *whole = NULL;
        shoal_report *report = NULL;

        assert_non_null(file);
        fprintf(file, "age\n");
        for (size_t i = 0; i < rows; i++) {
            fprintf(file, "%zu\n", 3 * i);
        }
        fclose(file);
        shoal_spec_free(f->spec);
        assert_int_equal(shoal_spec_new(&f->ctx, &f->spec), SHOAL_OK);
        set_role(f, "age", SHOAL_ROLE_QUASI);
        set(f, "privacy.k", "1");
        set(f, "method", "mondrian");
        set(f, "temporary", f->folder);
        assert_int_equal(shoal_anonymize(&f->ctx, &whole, f->spec, f->input, f->whole),
                         SHOAL_OK);
        assert_int_equal(
            anonymize_in_fragments(&f->ctx, &report, f->spec, f->input, f->output, 3),
            SHOAL_OK);
        assert_same_bytes(f->whole, f->output);
        assert_same_figures(whole, report);
        shoal_report_free(whole);
        shoal_report_free(report);
    }
}

static shoal_status run_fragmented(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_report *report = NULL;
    shoal_status st = anonymize_in_fragments(ctx, &report, f->spec, f->input, f->output, 12);

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
            anonymize_in_fragments(&f->ctx, &report, f->spec, f->input, f->output, 50),
            SHOAL_ECANCELLED);
        assert_null(report);
        assert_int_equal(count_files(f->folder), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_the_cut_is_the_defined_one),
        TEST(test_mondrian_is_the_same_in_fragments),
        TEST(test_mondrian_of_a_census),
        TEST(test_a_limit_that_suffices),
        TEST(test_too_little_memory),
        TEST(test_bad_sizes),
        TEST(test_what_is_not_supported_is_refused),
        TEST(test_missing_values),
        TEST(test_equal_records_that_do_not_fit),
        TEST(test_a_full_temporary_disk),
        TEST(test_no_folder_for_temporary_files),
        TEST(test_what_is_written_last),
        TEST(test_failing_allocations),
        TEST(test_failing_allocations_of_a_sample),
        TEST(test_stopping_leaves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
