#include "context.h"
#include "table_tools.h"

#include "base/random.h"
#include "table/table_codes.h"

#include <stdlib.h>

static const char people[] = "age,sex,born,height,note\n"
                             "30,F,1994-05-01,1.70,a\n"
                             "24,M,2000-02-29,1.7,?\n"
                             "30,M,1994-05-01,1.8,b\n\n"
                             "9,F,?,2,\"b\nc\"\n"
                             "24,?,1969-12-31,1.65,a\n";

static void test_names(void **state)
{
    static const struct {
        const char *name;
        shoal_type type;
    } types[] = {{"auto", SHOAL_TYPE_AUTO},
                 {"string", SHOAL_TYPE_STRING},
                 {"integer", SHOAL_TYPE_INTEGER},
                 {"real", SHOAL_TYPE_REAL},
                 {"date", SHOAL_TYPE_DATE}};
    static const struct {
        const char *name;
        shoal_role role;
    } roles[] = {{"insensitive", SHOAL_ROLE_INSENSITIVE},
                 {"identifier", SHOAL_ROLE_IDENTIFIER},
                 {"quasi", SHOAL_ROLE_QUASI},
                 {"sensitive", SHOAL_ROLE_SENSITIVE}};
    shoal_role role = SHOAL_ROLE_QUASI;
    shoal_type type = SHOAL_TYPE_AUTO;

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(shoal_type_name(types[i].type), types[i].name);
        assert_true(shoal_type_find(&type, types[i].name));
        assert_int_equal(type, types[i].type);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(shoal_role_name(roles[i].role), roles[i].name);
        assert_true(shoal_role_find(&role, roles[i].name));
        assert_int_equal(role, roles[i].role);
    }
    assert_false(shoal_type_find(&type, "int"));
    assert_int_equal(type, SHOAL_TYPE_DATE);
    assert_false(shoal_role_find(&role, "Quasi"));
    assert_int_equal(role, SHOAL_ROLE_SENSITIVE);
    shoal_table_free(NULL);
}

/* Names are found among many, in tables that are read, filtered and configured. */
static void test_many_names(void **state)
{
    enum { COLUMNS = 3000 };
    char *text = calloc(3 * COLUMNS, 16);
    char name[16];
    size_t size = 0;
    const bool keep[] = {true, false};
    shoal_table *tables[2] = {NULL};

    for (int line = 0; line < 3; line++) {
        for (int c = 0; c < COLUMNS; c++) {
            size += (size_t)snprintf(text + size, 16, line == 0 ? "c%d%s" : "%d%s", c,
                                     c + 1 < COLUMNS ? "," : "\n");
        }
    }
    tables[0] = read_text(*state, text, NULL);
    assert_int_equal(shoal_table_filter(*state, &tables[1], tables[0], keep), SHOAL_OK);
    for (size_t t = 0; t < 2; t++) {
        for (int c = 0; c < COLUMNS; c++) {
            snprintf(name, sizeof name, "c%d", c);
            assert_int_equal(shoal_table_find(tables[t], name), c);
            snprintf(name, sizeof name, "%d", c);
            assert_int_equal(shoal_table_find(tables[t], name), -1);
        }
        shoal_table_free(tables[t]);
    }
    free(text);
}

static void test_columns(void **state)
{
    shoal_table *table = read_text(*state, people, NULL);

    assert_int_equal(shoal_table_find(table, "born"), 2);
    assert_int_equal(shoal_table_find(table, "Born"), -1);
    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_INTEGER);
    assert_int_equal(shoal_table_type(table, 2), SHOAL_TYPE_DATE);
    assert_int_equal(shoal_table_type(table, 3), SHOAL_TYPE_REAL);
    assert_int_equal(shoal_table_value_count(table, 0), 3);
    assert_true(shoal_table_number(table, 0, 0) == 9);
    assert_true(shoal_table_number(table, 0, 2) == 30);
    assert_true(shoal_table_number(table, 2, 0) == -1);
    assert_int_equal(shoal_table_missing_count(table, 1), 1);
    assert_int_equal(shoal_table_code(table, 1, 4), 2);
    assert_string_equal(shoal_table_text(table, 1, 2, NULL), "?");
    size_t length = 0;

    /* 1.70 and 1.7 are one number, shown by the shorter text. */
    assert_string_equal(shoal_table_text(table, 3, 1, &length), "1.7");
    assert_int_equal(length, 3);
    assert_int_equal(shoal_table_code(table, 3, 0), shoal_table_code(table, 3, 1));
    shoal_table_free(table);
}

static void test_codes(void **state)
{
    shoal_table *table = read_text(*state, people, NULL);
    uint32_t codes[5];
    shoal_i_codes raw = shoal_i_table_codes(table, 0);

    assert_int_equal(raw.width, 1);
    shoal_table_codes(table, 0, 0, 5, codes);
    for (size_t row = 0; row < 5; row++) {
        assert_int_equal(codes[row], shoal_table_code(table, 0, row));
        assert_int_equal(codes[row], shoal_i_codes_get(raw, row));
    }
    shoal_table_codes(table, 0, 3, 2, codes);
    assert_int_equal(codes[0], 0);
    assert_int_equal(codes[1], 1);
    shoal_table_codes(table, 0, 5, 0, codes);
    shoal_table_free(table);
}

static void assert_code(const shoal_table *table, size_t column, const char *text, int64_t code)
{
    assert_int_equal(shoal_table_find_code(table, column, text, strlen(text)), code);
}

static void test_find_code(void **state)
{
    shoal_table *table = read_text(*state, people, NULL);

    assert_code(table, 0, "30", 2);
    assert_code(table, 0, "30.0", 2);
    assert_code(table, 0, "+24", 1);
    assert_code(table, 0, "25", -1);
    assert_code(table, 0, "x", -1);
    assert_code(table, 0, "?", -1); /* nothing is missing in this column */
    assert_code(table, 1, "F", 0);
    assert_code(table, 1, "M", 1);
    assert_code(table, 1, "?", 2);
    assert_code(table, 1, "", -1);
    assert_code(table, 1, "FF", -1);
    assert_code(table, 1, "E", -1);
    assert_code(table, 2, "2000-02-29", 2);
    assert_code(table, 2, "2000-02-28", -1);
    assert_code(table, 2, "?", 3);
    assert_code(table, 3, "1.700", 1);
    assert_code(table, 4, "b\nc", 2);
    shoal_table_free(table);
}

static void test_lines(void **state)
{
    static const int64_t expected[] = {2, 3, 4, 6, 8};
    shoal_table *table = read_text(*state, people, NULL);

    for (size_t row = 0; row < 5; row++) {
        assert_int_equal(shoal_table_line(table, row), expected[row]);
    }
    shoal_table_free(table);
}

/* --- Codes of one, two and four bytes. --- */

static void test_widths(void **state)
{
    static const struct {
        size_t values;
        unsigned width;
    } cases[] = {{1, 1}, {255, 1}, {256, 2}, {65535, 2}, {65536, 4}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count = cases[i].values;
        int64_t *numbers = calloc(count, sizeof *numbers);
        uint32_t *codes = calloc(count, sizeof *codes);
        shoal_table *table = NULL;

        for (size_t n = 0; n < count; n++) {
            numbers[n] = (int64_t)(count - n);
        }
        shoal_array array = {
            .name = "n", .kind = SHOAL_ARRAY_INT64, .length = count, .data = numbers};

        assert_int_equal(shoal_table_from_arrays(*state, &table, &array, 1), SHOAL_OK);
        assert_int_equal(shoal_i_table_codes(table, 0).width, cases[i].width);
        shoal_table_codes(table, 0, 0, count, codes);
        for (size_t n = 0; n < count; n++) {
            assert_int_equal(codes[n], count - 1 - n);
        }
        shoal_table_free(table);
        free(numbers);
        free(codes);
    }
}

/* --- Filtering. --- */

static void test_filter(void **state)
{
    const bool keep[] = {false, true, false, true, true};
    shoal_table *table = read_text(*state, people, NULL);
    shoal_table *kept = NULL;

    assert_int_equal(shoal_table_filter(*state, &kept, table, keep), SHOAL_OK);
    assert_int_equal(shoal_table_row_count(kept), 3);
    assert_string_equal(shoal_table_name(kept, 4), "note");
    assert_string_equal(shoal_table_source(kept), "test.csv");
    assert_int_equal(shoal_table_type(kept, 2), SHOAL_TYPE_DATE);
    assert_int_equal(shoal_table_value_count(kept, 0), 2);
    assert_int_equal(shoal_table_value_count(kept, 2), 2);
    assert_int_equal(shoal_table_missing_count(kept, 2), 1);
    assert_string_equal(cell(kept, 0, 0), "24");
    assert_string_equal(cell(kept, 1, 4), "b\nc");
    assert_string_equal(cell(kept, 0, 4), "?");
    assert_true(shoal_table_number(kept, 0, 0) == 9);
    assert_int_equal(shoal_table_line(kept, 0), 3);
    assert_int_equal(shoal_table_line(kept, 1), 6);
    assert_int_equal(shoal_table_line(kept, 2), 8);
    shoal_table_free(kept);
    shoal_table_free(table);
}

static void test_filter_nothing_and_all(void **state)
{
    const bool none[5] = {false};
    const bool all[5] = {true, true, true, true, true};
    shoal_table *table = read_text(*state, people, NULL);
    shoal_table *kept = NULL;

    assert_int_equal(shoal_table_filter(*state, &kept, table, all), SHOAL_OK);
    assert_same_table(table, kept);
    for (size_t row = 0; row < 5; row++) {
        assert_int_equal(shoal_table_line(table, row), shoal_table_line(kept, row));
    }
    shoal_table_free(kept);
    assert_int_equal(shoal_table_filter(*state, &kept, table, none), SHOAL_OK);
    assert_int_equal(shoal_table_row_count(kept), 0);
    assert_int_equal(shoal_table_value_count(kept, 0), 0);
    assert_int_equal(shoal_table_type(kept, 0), SHOAL_TYPE_INTEGER);
    shoal_table_free(kept);
    shoal_table_free(table);
}

/* Filtering a table is the same as reading a text without those lines. */
static void test_filter_equals_reading(void **state)
{
    shoal_i_random random = shoal_i_random_start(8);

    for (size_t n = 0; n < 50; n++) {
        char all[2000] = "id,group\n";
        char some[2000] = "id,group\n";
        bool keep[60];
        shoal_csv_options options = {.struct_size = sizeof options, .delimiter = ','};

        for (size_t row = 0; row < 60; row++) {
            char line[32];

            snprintf(line, sizeof line, "n%d,g%d\n", (int)shoal_i_random_below(&random, 30),
                     (int)shoal_i_random_below(&random, 5));
            keep[row] = row == 0 || shoal_i_random_below(&random, 3) == 0;
            strncat(all, line, sizeof all - strlen(all) - 1);
            if (keep[row]) {
                strncat(some, line, sizeof some - strlen(some) - 1);
            }
        }
        shoal_table *table = read_text(*state, all, &options);
        shoal_table *expected = read_text(*state, some, &options);
        shoal_table *kept = NULL;

        assert_int_equal(shoal_table_filter(*state, &kept, table, keep), SHOAL_OK);
        assert_same_table(expected, kept);
        shoal_table_free(table);
        shoal_table_free(expected);
        shoal_table_free(kept);
    }
}

static shoal_status filter_and_free(shoal_ctx *ctx, void *payload)
{
    const bool keep[] = {false, true, false, true, true};
    shoal_table *kept = NULL;
    shoal_status st = shoal_table_filter(ctx, &kept, payload, keep);

    assert_int_equal(st == SHOAL_OK, kept != NULL);
    shoal_table_free(kept);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_table *table = read_text(*state, people, NULL);

    assert_survives_failing_allocations(*state, filter_and_free, table);
    shoal_table_free(table);
}

static int set_up(void **state)
{
    shoal_ctx *ctx;

    open_context(state);
    ctx = *state;
    ctx->threads = 2;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_many_names),
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_find_code),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_filter),
        cmocka_unit_test(test_filter_nothing_and_all),
        cmocka_unit_test(test_filter_equals_reading),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, set_up, close_context);
}
