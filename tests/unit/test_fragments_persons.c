/* Runs in fragments where a person may have several records: mondrian's release is that of a
 * run in memory, byte for byte; classes are counted in persons, here by definition.
 *
 * The linker puts a function of this program before the one that tells methods whose records
 * are whose (--wrap, see job.cmake): it may keep that from them. */
#include "persons_case.h"

#include "job/fragments/fragments.h"
#include "job/fragments/rows_sort.h"

static bool is_lying;

shoal_status __real_shoal_i_tally_source_init_persons(
    shoal_ctx *ctx, shoal_i_tally_source *out, const shoal_i_requirement_set *set,
    const shoal_i_sensitive *sensitive, size_t sensitive_count, const uint32_t *record_k,
    const shoal_i_persons *persons, size_t row_count);
shoal_status __wrap_shoal_i_tally_source_init_persons(
    shoal_ctx *ctx, shoal_i_tally_source *out, const shoal_i_requirement_set *set,
    const shoal_i_sensitive *sensitive, size_t sensitive_count, const uint32_t *record_k,
    const shoal_i_persons *persons, size_t row_count);

shoal_status __wrap_shoal_i_tally_source_init_persons(
    shoal_ctx *ctx, shoal_i_tally_source *out, const shoal_i_requirement_set *set,
    const shoal_i_sensitive *sensitive, size_t sensitive_count, const uint32_t *record_k,
    const shoal_i_persons *persons, size_t row_count)
{
    return __real_shoal_i_tally_source_init_persons(ctx, out, set, sensitive, sensitive_count,
                                                    record_k, is_lying ? NULL : persons,
                                                    row_count);
}

/* --- Mondrian. -------------------------------------------------------------------------- */

static void assert_same_persons(const shoal_report *a, const shoal_report *b)
{
    assert_true(shoal_report_figure(a, "persons") > 0);
    assert_true(shoal_report_figure(a, "persons") == shoal_report_figure(b, "persons"));
    assert_true(shoal_report_figure(a, "fewest_persons") ==
                shoal_report_figure(b, "fewest_persons"));
}

/* Requirements that classes may lose by joining (all but k and distinct l, where persons are
 * counted) make a run join classes that look alike until they hold, and who joins whom may
 * differ where fragments part them: seldom. */
static void test_mondrian_is_the_same_under_each_demand(void **state)
{
    static const char *const joined[] = {"privacy.alpha", "0.8:d1,d2"};
    fixture *f = *state;

    for (size_t d = 0; d <= DEMANDS; d++) {
        const char *const *demand = d < DEMANDS ? requirements[d] : joined;
        bool monotone = strcmp(demand[1], "distinct:3") == 0 || strcmp(demand[1], "own") == 0;
        size_t cut = 0;
        size_t others = 0;

        for (uint64_t seed = 1; seed <= 16; seed++) {
            shoal_i_random random = shoal_i_random_start(100 * d + seed);
            size_t rows = 150 + (size_t)shoal_i_random_below(&random, 400);
            size_t most = rows / (2 + (size_t)shoal_i_random_below(&random, 3));
            shoal_report *whole = NULL;
            shoal_report *report = NULL;

            write_persons(f, &random, rows, 1 + (unsigned)shoal_i_random_below(&random, 6),
                          seed % 3 == 0);
            ask_persons(f, demand, seed % 2 ? "2" : "5");
            set(f, "method", "mondrian");
            shoal_status expected =
                shoal_anonymize(&f->ctx, &whole, f->spec, f->input, f->whole);
            shoal_status st =
                anonymize_in_fragments(&f->ctx, &report, f->spec, f->input, f->output, most);

            if (st != SHOAL_ELIMIT) {
                assert_int_equal(st, expected);
            }
            if (st == SHOAL_OK) {
                if (monotone || are_same_bytes(f->whole, f->output)) {
                    assert_same_bytes(f->whole, f->output);
                    assert_same_figures(whole, report);
                    assert_same_persons(whole, report);
                } else {
                    others++;
                }
                cut += f->fragments > 1;
                f->fragments = 0;
            }
            shoal_report_free(whole);
            shoal_report_free(report);
        }
        if (cut < 3) {
            fail_msg("%s %s was hardly cut: %zu", demand[0], demand[1], cut);
        }
        if (others > 1) {
            fail_msg("%s %s was another release %zu times", demand[0], demand[1], others);
        }
    }
}

/* --- All methods. ----------------------------------------------------------------------- */

static void test_every_method_counts_persons(void **state)
{
    static const char *const methods[] = {"best:effort=fast", "topdown", "bottomup", "mondrian",
                                          "specialize",       "hilbert", "cluster"};
    fixture *f = *state;
    size_t cut = 0;

    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        for (uint64_t seed = 1; seed <= 6; seed++) {
            shoal_i_random random = shoal_i_random_start(seed);
            shoal_report *report = NULL;

            write_persons(f, &random, 400, 6, seed % 2 == 0);
            ask_persons(f, requirements[0], "4");
            set(f, "method", methods[m]);
            set(f, "suppress", seed > 3 ? "0.05" : "0");
            shoal_status st =
                anonymize_in_fragments(&f->ctx, &report, f->spec, f->input, f->output, 150);

            assert_int_equal(st, SHOAL_OK);
            assert_classes(f, 400, 4, 3);
            cut += f->fragments > 1;
            f->fragments = 0;
            shoal_report_free(report);
        }
    }
    assert_true(cut > 36);
}

/* --- Sorting on disk. ------------------------------------------------------------------- */

/* Rows of two fields, by the second: equal ones stay as they came. */
static void test_rows_are_sorted(void **state)
{
    fixture *f = *state;
    shoal_i_random random = shoal_i_random_start(3);

    for (size_t count = 0; count < 70; count++) {
        shoal_i_row_format format = {0};
        shoal_i_rows rows = {0};
        shoal_i_rows sorted = {0};
        unsigned char row[6];
        uint32_t last[2] = {0, 0};
        uint64_t sum = 0;

        assert_int_equal(shoal_i_row_format_init(&f->ctx, &format, 2), SHOAL_OK);
        shoal_i_row_format_add(&format, 70000);
        shoal_i_row_format_add(&format, 1000);
        assert_int_equal(shoal_i_rows_open(&f->ctx, &rows, &format, f->folder), SHOAL_OK);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t code = (uint32_t)shoal_i_random_below(&random, 20) * 50;

            shoal_i_row_put(&format, row, 0, i);
            shoal_i_row_put(&format, row, 1, code);
            sum += code;
            assert_int_equal(shoal_i_rows_add(&f->ctx, &rows, row), SHOAL_OK);
        }
        assert_int_equal(shoal_i_rows_sort(&f->ctx, &sorted, &rows, (shoal_i_row_key){4, 2},
                                           count % 9, f->folder),
                         SHOAL_OK);
        assert_int_equal(sorted.count, count);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(shoal_i_rows_read(&f->ctx, &sorted, i, 1, row), SHOAL_OK);
            uint32_t number = shoal_i_row_get(&format, row, 0);
            uint32_t code = shoal_i_row_get(&format, row, 1);

            assert_true(i == 0 || code > last[1] || (code == last[1] && number > last[0]));
            last[0] = number;
            last[1] = code;
            sum -= code;
        }
        assert_int_equal(sum, 0);
        shoal_i_rows_clear(&sorted);
        shoal_i_rows_clear(&rows);
        shoal_i_row_format_clear(&format);
    }
}

/* --- What can go wrong. ----------------------------------------------------------------- */

/* Towns 0 and 1 are one fragment, 2 and 3 the other. In each, town and age of A, B and C are
 * released as *, 10: they are one class then, of three persons with six records. x is had by
 * one of three in either part of it, and by two of three in both together. */
static void test_classes_that_fragments_share(void **state)
{
    static const char text[] = "town,age,who,ill\n"
                               "t0,10,A,x\nt1,10,B,y\nt1,10,C,y\n"
                               "t1,50,D,y\nt1,50,E,y\nt1,50,F,y\n"
                               "t2,10,A,y\nt3,10,B,x\nt3,10,C,y\n"
                               "t3,50,G,y\nt3,50,H,y\nt3,50,I,y\n";
    fixture *f = *state;
    FILE *file = fopen(f->input, "wb");
    shoal_report *whole = NULL;
    shoal_report *report = NULL;

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    set_role(f, "town", SHOAL_ROLE_QUASI);
    set_role(f, "age", SHOAL_ROLE_QUASI);
    set_role(f, "ill", SHOAL_ROLE_SENSITIVE);
    set_role(f, "who", SHOAL_ROLE_PERSON);
    set(f, "method", "mondrian");
    set(f, "temporary", f->folder);
    set(f, "privacy.k", "3");
    assert_int_equal(shoal_anonymize(&f->ctx, &whole, f->spec, f->input, f->whole), SHOAL_OK);
    assert_int_equal(anonymize_in_fragments(&f->ctx, &report, f->spec, f->input, f->output, 6),
                     SHOAL_OK);
    assert_int_equal(f->fragments, 2);
    assert_same_bytes(f->whole, f->output);
    assert_same_figures(whole, report);
    assert_same_persons(whole, report);
    assert_true(shoal_report_figure(report, "classes") == 3);
    assert_true(shoal_report_figure(report, "fewest_persons") == 3);
    shoal_report_free(whole);
    shoal_report_free(report);
    unlink(f->output);
    report = NULL;
    set(f, "privacy.alpha", "0.4:x");
    assert_int_equal(anonymize_in_fragments(&f->ctx, &report, f->spec, f->input, f->output, 6),
                     SHOAL_ELIMIT);
    assert_non_null(strstr(f->ctx.error.message, "came to look alike (1)"));
    assert_int_not_equal(access(f->output, F_OK), 0);
}

/* A method that takes records for persons: cuts are right, classes are not. */
static void test_counting_records_is_found_out(void **state)
{
    static const char *const demands[][2] = {
        {"privacy.l", "frequency:1.5"}, {"privacy.alpha", "0.65"}, {"privacy.k.column", "own"}};
    fixture *f = *state;

    for (size_t d = 0; d < 4; d++) {
        shoal_i_random random = shoal_i_random_start(40 + d);
        shoal_report *report = NULL;

        write_persons(f, &random, 400, 6, false);
        ask_persons(f, d < 3 ? demands[d] : requirements[0], d < 3 ? "1" : "3");
        set(f, "method", "mondrian");
        is_lying = true;
        shoal_status st =
            anonymize_in_fragments(&f->ctx, &report, f->spec, f->input, f->output, 250);

        is_lying = false;
        if (st != SHOAL_EREJECTED || !strstr(f->ctx.error.message, "do not meet")) {
            fail_msg("%zu: status %d, \"%s\"", d, (int)st, f->ctx.error.message);
        }
        assert_true(f->fragments > 1);
        assert_int_not_equal(access(f->output, F_OK), 0);
        shoal_report_free(report);
        assert_int_equal(
            anonymize_in_fragments(&f->ctx, &report, f->spec, f->input, f->output, 250),
            SHOAL_OK);
        shoal_report_free(report);
        unlink(f->output);
        f->fragments = 0;
    }
}

static void test_records_of_nobody(void **state)
{
    fixture *f = *state;
    shoal_i_random random = shoal_i_random_start(8);
    shoal_report *report = NULL;

    write_persons(f, &random, 200, 3, true);
    ask_persons(f, requirements[0], "2");
    set(f, "missing.person", "error");
    assert_int_equal(anonymize_in_fragments(&f->ctx, &report, f->spec, f->input, f->output, 80),
                     SHOAL_EFORMAT);
    assert_non_null(strstr(f->ctx.error.message, "has no person in column \"who\""));
    assert_null(report);
}

/* Each allocation fails once; what is there afterwards is nothing, or the whole release. */
static shoal_status run_failing(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_report *report = NULL;
    shoal_status st = anonymize_in_fragments(ctx, &report, f->spec, f->input, f->output, 30);

    shoal_report_free(report);
    return st;
}

static void test_every_allocation_may_fail(void **state)
{
    fixture *f = *state;
    shoal_i_random random = shoal_i_random_start(2);

    write_persons(f, &random, 60, 3, true);
    ask_persons(f, requirements[0], "2");
    set(f, "method", "mondrian");
    assert_survives_failing_allocations(&f->ctx, run_failing, f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_mondrian_is_the_same_under_each_demand),
        TEST(test_every_method_counts_persons),
        TEST(test_rows_are_sorted),
        TEST(test_classes_that_fragments_share),
        TEST(test_counting_records_is_found_out),
        TEST(test_records_of_nobody),
        TEST(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
