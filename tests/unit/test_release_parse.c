/* Releases back to boxes: our own text, and the notations of other tools. */

#include "release_fixture.h"

#include "failing.h"
#include "release/value.h"

#define COLUMNS(...)                                                                           \
    (fixture_column[]){__VA_ARGS__},                                                           \
        sizeof((fixture_column[]){__VA_ARGS__}) / sizeof(fixture_column)

static shoal_i_value_result read_value(fixture *f, shoal_i_interval *out, const char *text)
{
    shoal_i_value_result result = SHOAL_I_VALUE_UNKNOWN;

    assert_ok(f, shoal_i_value_read(&f->ctx, &result, out, f->quasi, 0, text, strlen(text)));
    return result;
}

typedef struct notation {
    const char *text;
    uint32_t lo;
    uint32_t hi;
} notation;

static void check_notations(fixture *f, const notation *notations, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        shoal_i_interval interval = {99, 99};

        if (read_value(f, &interval, notations[i].text) != SHOAL_I_VALUE_FOUND ||
            interval.lo != notations[i].lo || interval.hi != notations[i].hi) {
            fail_msg("'%s' read as [%u, %u]", notations[i].text, interval.lo, interval.hi);
        }
    }
}

static void check_results(fixture *f, const char *const *texts, size_t count,
                          shoal_i_value_result wanted)
{
    for (size_t i = 0; i < count; i++) {
        shoal_i_interval interval = {0};

        if (read_value(f, &interval, texts[i]) != wanted) {
            fail_msg("'%s' read as [%u, %u]", texts[i], interval.lo, interval.hi);
        }
    }
}

#define CHECK_NOTATIONS(f, ...)                                                                \
    check_notations(f, (notation[]){__VA_ARGS__},                                              \
                    sizeof((notation[]){__VA_ARGS__}) / sizeof(notation))
#define CHECK_RESULTS(f, wanted, ...)                                                          \
    check_results(f, (const char *[]){__VA_ARGS__},                                            \
                  sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *), wanted)

/* --- Single values. */

static void test_integers(void **state)
{
    fixture f;

    (void)state;
    /* Codes:            0   1   2   3   4 */
    fixture_open(&f, "x\n20\n25\n29\n30\n35\n", COLUMNS({.name = "x"}));
    CHECK_NOTATIONS(
        &f, {"20", 0, 0}, {" 20 ", 0, 0}, {"20.0", 0, 0}, {"*", 0, 4}, {" * ", 0, 4},
        {"[20..30]", 0, 3}, {"20..30", 0, 3}, {"20-30", 0, 3}, {"20 - 30", 0, 3},
        {"20\xE2\x80\x93"
         "30",
         0, 3},
        {"20 \xE2\x80\x94 30", 0, 3}, {"20~30", 0, 3}, {"[20-30]", 0, 3}, {"[20, 30]", 0, 3},
        {"[20,30]", 0, 3}, {"[20; 30]", 0, 3}, {"[ 20 .. 30 ]", 0, 3}, {"[20, 30[", 0, 2},
        {"[20, 30)", 0, 2}, {"(20, 30]", 1, 3}, {"]20, 30]", 1, 3}, {"]20, 30[", 1, 2},
        {"(20, 30)", 1, 2}, {">=25", 1, 4}, {">25", 2, 4}, {">= 25", 1, 4}, {"<=25", 0, 1},
        {"<25", 0, 0}, {"< 25", 0, 0}, {"\xE2\x89\xA5 25", 1, 4}, {"\xE2\x89\xA4 25", 0, 1},
        {"[25, inf)", 1, 4}, {"(-inf, 25]", 0, 1}, {"(-\xE2\x88\x9E, +\xE2\x88\x9E)", 0, 4},
        {"{20|25}", 0, 1}, {"{29|20}", 0, 2}, {"{20, 29}", 0, 2}, {"{30}", 3, 3},
        {"[19..24]", 0, 0}, {"[26..100]", 2, 4}, {"[20.5..29.5]", 1, 2}, {"[20..20]", 0, 0});
    fixture_close(&f);
}

static void test_integers_that_mean_nothing(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "x\n20\n25\n29\n30\n35\n", COLUMNS({.name = "x"}));
    CHECK_RESULTS(&f, SHOAL_I_VALUE_UNKNOWN, "", " ", "old", "[20..30", "20..30]", "[20..]",
                  "[..30]", "20,30", "20 30", "20--", "{", "{}", "{20|x}", "{20|21}", "[", "[]",
                  "()", ">", ">=", "<x", "**", "20-30-40", "[20..30]x", "nan", "[nan..30]",
                  "0x14", "\\N", "{\\N}", "?");
    CHECK_RESULTS(&f, SHOAL_I_VALUE_NONE, "21", "[21..24]", "[30..20]", "(20, 25)", ">35",
                  "<20", "-20", "[-30..-20]");
    fixture_close(&f);
}

static void test_negative_numbers(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "x\n-10\n-5\n-1\n0\n7\n", COLUMNS({.name = "x"}));
    CHECK_NOTATIONS(&f, {"-5", 1, 1}, {"[-5..-1]", 1, 2}, {"-5--1", 1, 2}, {"-5 - -1", 1, 2},
                    {"-5..7", 1, 4}, {"-5-7", 1, 4}, {"[-10, 0[", 0, 2}, {"<=-5", 0, 1},
                    {"{-5|-10}", 0, 1}, {"-0", 3, 3}, {"+7", 4, 4});
    fixture_close(&f);
}

static void test_reals(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "x\n0.5\n1\n1.5e3\n-2.5e-3\n", COLUMNS({.name = "x"}));
    CHECK_NOTATIONS(&f, {"0.50", 1, 1}, {".5", 1, 1}, {"[.5..1.]", 1, 2},
                    {"[-2.5e-3..1.5E+3]", 0, 3}, {"-2.5e-3-1.5e3", 0, 3}, {"1500", 3, 3});
    fixture_close(&f);
}

static void test_dates(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "x\n2020-01-01\n2020-02-03\n2021-12-31\n", COLUMNS({.name = "x"}));
    CHECK_NOTATIONS(&f, {"2020-02-03", 1, 1}, {"[2020-01-01..2020-02-03]", 0, 1},
                    {"2020-01-01 - 2020-02-03", 0, 1}, {"2020-01-01-2020-02-03", 0, 1},
                    {"[2020-01-01, 2021-12-31[", 0, 1}, {">=2020-02-01", 1, 2},
                    {"{2020-01-01|2021-12-31}", 0, 2});
    CHECK_RESULTS(&f, SHOAL_I_VALUE_UNKNOWN, "2020", "20..30", "2020-13-01", "[2020-01-01..5]");
    CHECK_RESULTS(&f, SHOAL_I_VALUE_NONE, "2020-01-02", "[2020-01-02..2020-01-05]");
    fixture_close(&f);
}

static void test_missing_numbers(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "x\n1\n2\n?\n", COLUMNS({.name = "x"}));
    CHECK_NOTATIONS(&f, {"?", 2, 2}, {"{\\N}", 2, 2}, {"{1|?}", 0, 2}, {"{2|\\N}", 0, 2},
                    {"*", 0, 2}, {"[1..9]", 0, 1}, {">1", 1, 1});
    fixture_close(&f);
}

static void test_categories(void **state)
{
    fixture f;

    (void)state;
    /* Leaves in order: doctor, nurse under health; boss, clerk under office, at the side of
     * "a, b". */
    fixture_open(&f, "x\ndoctor\nnurse\nboss\nclerk\n\"a, b\"\n",
                 COLUMNS({.name = "x",
                          .hierarchy = "doctor;health;any\nnurse;health;any\nboss;office;any\n"
                                       "clerk;office;any\na, b;rest;any\n"}));
    const shoal_hierarchy *h = f.hierarchies[0];
    uint32_t health = (uint32_t)shoal_hierarchy_find(h, "health", 6);
    uint32_t doctor = shoal_hierarchy_leaf(h, 3);
    uint32_t last = shoal_hierarchy_leaf(h, 0);

    CHECK_NOTATIONS(
        &f, {"any", 0, 4}, {"*", 0, 4},
        {"health", shoal_hierarchy_first(h, health), shoal_hierarchy_last(h, health)},
        {" health ", shoal_hierarchy_first(h, health), shoal_hierarchy_last(h, health)},
        {"doctor", doctor, doctor},
        {"{doctor|nurse}", shoal_hierarchy_first(h, health), shoal_hierarchy_last(h, health)},
        {"{nurse, doctor}", shoal_hierarchy_first(h, health), shoal_hierarchy_last(h, health)},
        {"{health|clerk}", 0, 4}, {"a, b", last, last}, {"{a, b}", last, last},
        {"{\\a, \\b}", last, last}, {"{doctor}", doctor, doctor});
    CHECK_RESULTS(&f, SHOAL_I_VALUE_UNKNOWN, "pilot", "{doctor|pilot}", "{}", "Doctor", "1..2",
                  "");
    fixture_close(&f);
}

static void test_numbers_under_a_hierarchy(void **state)
{
    fixture f;
    double widths[] = {10};
    shoal_i_quasi *quasi = NULL;

    (void)state;
    fixture_open(&f, "x\n1\n5\n11\n12\n25\n", COLUMNS({.name = "x"}));
    assert_ok(
        &f, shoal_hierarchy_build_widths(&f.ctx, &f.hierarchies[0], f.table, 0, 0, widths, 1));
    assert_ok(&f, shoal_i_quasi_build(
                      &f.ctx, &quasi, f.table,
                      &(shoal_i_quasi_request){.weight = 1, .hierarchy = f.hierarchies[0]}, 1));
    shoal_i_quasi_free(f.quasi);
    f.quasi = quasi;
    /* A range is widened to the node that covers it. */
    CHECK_NOTATIONS(&f, {"5", 1, 1}, {"5.0", 1, 1}, {"[0..9]", 0, 1}, {"2-11", 0, 4},
                    {"[10, 13[", 2, 3}, {">=25", 4, 4}, {"{11|12}", 2, 3});
    CHECK_RESULTS(&f, SHOAL_I_VALUE_NONE, "2", "13-24");
    fixture_close(&f);
}

/* --- Whole files. */

static shoal_i_release *parse(fixture *f, const char *csv)
{
    shoal_table *file = fixture_read(f, csv);
    shoal_i_release *release = NULL;

    assert_ok(f, shoal_i_release_parse(&f->ctx, &release, f->quasi, file));
    shoal_table_free(file);
    return release;
}

static void assert_box(const shoal_i_release *release, size_t row, size_t c, uint32_t lo,
                       uint32_t hi)
{
    shoal_i_interval interval =
        release->boxes[release->box_of[row] * release->quasi->count + c];

    assert_int_equal(interval.lo, lo);
    assert_int_equal(interval.hi, hi);
}

#define ORIGINAL "age,sex,s\n20,F,x\n25,M,y\n30,F,z\n40,M,x\n"
#define AGE_SEX COLUMNS({.name = "age"}, {.name = "sex", .hierarchy = "flat"})

static void test_notations_of_one_box_are_one_class(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, ORIGINAL, AGE_SEX);
    shoal_i_release *release =
        parse(&f, "s,sex,age\nx,*,20-30\ny,{F|M},[20..30]\nz,*,\"[20, 40[\"\n");

    assert_int_equal(release->row_count, 3);
    assert_int_equal(release->omitted, 1);
    assert_int_equal(release->box_count, 1);
    assert_int_equal(release->box_sizes[0], 3);
    assert_box(release, 2, 0, 0, 2);
    assert_box(release, 2, 1, 0, 1);
    shoal_i_release_free(release);
    fixture_close(&f);
}

/* With classes that are known already every row has the box that it has without; so it has when
 * they turn out to be by other columns. */
static void test_known_classes(void **state)
{
    static const uint32_t by_both[] = {0, 1, 2, 0, 3};
    static const uint32_t by_sex[] = {0, 1, 1, 0, 1};
    const char *csv = "sex,age\n*,20-30\nF,25\nF,[20..30]\n*,20-30\nF,20..30\n";
    const size_t columns[] = {1, 0};
    const shoal_i_row_classes cases[] = {
        {.columns = columns, .column_count = 2, .of = by_both, .count = 4},
        {.columns = columns + 1, .column_count = 1, .of = by_sex, .count = 2},
    };
    fixture f;

    (void)state;
    fixture_open(&f, ORIGINAL, AGE_SEX);
    shoal_table *file = fixture_read(&f, csv);
    shoal_i_release *release = parse(&f, csv);

    for (size_t i = 0; i < 2; i++) {
        shoal_i_release *known = NULL;

        assert_ok(&f, shoal_i_release_parse_classes(&f.ctx, &known, f.quasi, file, &cases[i]));
        assert_int_equal(known->box_count, 4);
        assert_int_equal(known->box_sizes[0], 2);
        assert_int_equal(known->row_count, 5);
        assert_int_equal(known->omitted, release->omitted);
        for (size_t row = 0; row < 5; row++) {
            for (size_t c = 0; c < 2; c++) {
                shoal_i_interval wanted = release->boxes[release->box_of[row] * 2 + c];

                assert_box(known, row, c, wanted.lo, wanted.hi);
            }
        }
        shoal_i_release_free(known);
    }
    shoal_i_release_free(release);
    shoal_table_free(file);
    fixture_close(&f);
}

static void test_minimum_and_maximum(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "age\n20\n25\n?\n", COLUMNS({.name = "age"}));
    shoal_i_release *release =
        parse(&f, "age_max,age_min\n25,20\n*,*\n?,?\n25,25\n{\\N},{\\N}\n");

    assert_box(release, 0, 0, 0, 1);
    assert_box(release, 1, 0, 0, 2);
    assert_box(release, 2, 0, 2, 2);
    assert_box(release, 3, 0, 1, 1);
    assert_box(release, 4, 0, 2, 2);
    assert_int_equal(release->box_count, 4);
    shoal_i_release_free(release);
    fixture_close(&f);
}

static void test_cells_without_value(void **state)
{
    fixture f;

    (void)state;
    /* sex has missing values in the original, age has none. */
    fixture_open(&f, "age,sex\n20,F\n25,?\n", AGE_SEX);
    shoal_i_release *release = parse(&f, "age,sex\n,?\n20,\n");

    assert_box(release, 0, 0, 0, 1);
    assert_box(release, 0, 1, 1, 1);
    assert_box(release, 1, 1, 1, 1);
    shoal_i_release_free(release);
    fixture_close(&f);
}

/* Whoever compares it with its original refuses it; a domain has fewer records than a release.
 */
static void test_more_records_than_the_original(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "age\n20\n", COLUMNS({.name = "age"}));
    shoal_i_release *release = parse(&f, "age\n20\n20\n");

    assert_int_equal(release->omitted, 0);
    shoal_i_release_free(release);
    fixture_close(&f);
}

/* --- Mistakes. */

static void check_failure(const char *csv, bool show_values, shoal_status wanted,
                          int64_t record, int64_t field, int64_t line, const char *part)
{
    fixture f;
    shoal_i_release *release = NULL;

    fixture_open(&f, ORIGINAL, AGE_SEX);
    shoal_table *file = fixture_read(&f, csv);

    f.ctx.show_values = show_values;
    assert_int_equal(shoal_i_release_parse(&f.ctx, &release, f.quasi, file), wanted);
    assert_null(release);
    assert_int_equal(f.ctx.error.record, record);
    assert_int_equal(f.ctx.error.field, field);
    assert_int_equal(f.ctx.error.line, line);
    assert_string_equal(f.ctx.error.source, "release.csv");
    if (!strstr(f.ctx.error.message, part)) {
        fail_msg("'%s' lacks '%s'", f.ctx.error.message, part);
    }
    if (!show_values) {
        assert_null(strstr(f.ctx.error.message, "secret"));
    }
    shoal_table_free(file);
    fixture_close(&f);
}

static void test_mistakes_name_their_place_but_not_the_text(void **state)
{
    (void)state;
    check_failure("age,sex\n20,F\n20,secret\nsecret,F\n", false, SHOAL_EFORMAT, 1, 1, 3,
                  "Column 'sex'");
    check_failure("sex,age\nF,secret\n", false, SHOAL_EFORMAT, 0, 1, 2, "[20..30]");
    check_failure("sex,age\nF,50-60\n", false, SHOAL_EFORMAT, 0, 1, 2, "holds a value");
    check_failure("sex,age_min,age_max\nF,20,secret\n", false, SHOAL_EFORMAT, 0, 1, 2,
                  "largest value");
    check_failure("sex,age_min,age_max\nF,20,*\n", false, SHOAL_EFORMAT, 0, 1, 2, "* for both");
    check_failure("sex,age\nF,secret\n", true, SHOAL_EFORMAT, 0, 1, 2, "'secret'");
}

/* "x" and then `count` times a character of two bytes. */
static void fill_wide(char *out, size_t size, const char *before, size_t count,
                      const char *after)
{
    size_t at = (size_t)snprintf(out, size, "%sx", before);

    for (size_t i = 0; i < count; i++) {
        at += (size_t)snprintf(out + at, size - at, "\xC3\xA9");
    }
    snprintf(out + at, size - at, "%s", after);
}

/* A long text is shown in part: the 80 bytes of the limit would end within a character. */
static void test_long_texts_are_cut(void **state)
{
    char csv[200];
    char wanted[200];

    (void)state;
    fill_wide(csv, sizeof csv, "sex,age\nF,", 60, "\n");
    fill_wide(wanted, sizeof wanted, "'", 39, "'");
    check_failure(csv, true, SHOAL_EFORMAT, 0, 1, 2, wanted);
}

static void test_absent_columns(void **state)
{
    (void)state;
    check_failure("age,s\n20,F\n", false, SHOAL_ENOTFOUND, -1, -1, 0, "'sex'");
    check_failure("age_min,sex\n20,F\n", false, SHOAL_ENOTFOUND, -1, -1, 0, "'age_max'");
}

static shoal_status parse_again(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    shoal_i_release *release = NULL;
    shoal_table *file = NULL;
    const char *csv = "age_min,age_max,sex\n20,25,{\\F|M}\n20,20,F\n";
    shoal_status st = shoal_csv_read_memory(ctx, &file, csv, strlen(csv), "release.csv", NULL);

    if (st == SHOAL_OK) {
        st = shoal_i_release_parse(ctx, &release, f->quasi, file);
        assert_true((st == SHOAL_OK) == (release != NULL));
    }
    shoal_i_release_free(release);
    shoal_table_free(file);
    return st;
}

static void test_failing_allocations(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, ORIGINAL, AGE_SEX);
    assert_survives_failing_allocations(&f.ctx, parse_again, &f);
    assert_notices_failing_allocations(&f.ctx, parse_again, &f);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_integers_that_mean_nothing),
        cmocka_unit_test(test_negative_numbers),
        cmocka_unit_test(test_reals),
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_missing_numbers),
        cmocka_unit_test(test_categories),
        cmocka_unit_test(test_numbers_under_a_hierarchy),
        cmocka_unit_test(test_notations_of_one_box_are_one_class),
        cmocka_unit_test(test_known_classes),
        cmocka_unit_test(test_minimum_and_maximum),
        cmocka_unit_test(test_cells_without_value),
        cmocka_unit_test(test_more_records_than_the_original),
        cmocka_unit_test(test_mistakes_name_their_place_but_not_the_text),
        cmocka_unit_test(test_long_texts_are_cut),
        cmocka_unit_test(test_absent_columns),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
