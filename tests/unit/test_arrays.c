#include "context.h"
#include "table_tools.h"

#include <math.h>
#include <stdlib.h>

static shoal_table *build(shoal_ctx *ctx, const shoal_array *arrays, size_t count)
{
    shoal_table *table = NULL;
    shoal_status st = shoal_table_from_arrays(ctx, &table, arrays, count);

    if (st != SHOAL_OK) {
        print_error("%s\n", ctx->error.message);
    }
    assert_int_equal(st, SHOAL_OK);
    return table;
}

static const int32_t ints[] = {3, -1, 3, 2147483647};
static const int64_t longs[] = {9007199254740992, -9007199254740992, 0, 0};
static const double doubles[] = {0.1, -0.0, 0.0, 1e300};
static const int32_t days[] = {0, -1, 19782, 0};
static const char bytes[] = "zebraa\xC3\xA9";
static const int32_t offsets32[] = {0, 5, 6, 6, 8};
static const int64_t offsets64[] = {0, 5, 6, 6, 8};

static const shoal_array all_kinds[] = {
    {.name = "int32", .kind = SHOAL_ARRAY_INT32, .length = 4, .data = ints},
    {.name = "int64", .kind = SHOAL_ARRAY_INT64, .length = 4, .data = longs},
    {.name = "double", .kind = SHOAL_ARRAY_DOUBLE, .length = 4, .data = doubles},
    {.name = "date", .kind = SHOAL_ARRAY_DATE32, .length = 4, .data = days},
    {.name = "utf8",
     .kind = SHOAL_ARRAY_UTF8,
     .length = 4,
     .data = bytes,
     .offsets32 = offsets32},
    {.name = "large",
     .kind = SHOAL_ARRAY_LARGE_UTF8,
     .length = 4,
     .data = bytes,
     .offsets64 = offsets64},
};

static void test_kinds(void **state)
{
    static const char *const expected[4][6] = {
        {"3", "9007199254740992", "0.1", "1970-01-01", "zebra", "zebra"},
        {"-1", "-9007199254740992", "0", "1969-12-31", "a", "a"},
        {"3", "0", "0", "2024-02-29", "", ""},
        {"2147483647", "0", "1e+300", "1970-01-01", "\xC3\xA9", "\xC3\xA9"},
    };
    static const shoal_type types[] = {SHOAL_TYPE_INTEGER, SHOAL_TYPE_INTEGER,
                                       SHOAL_TYPE_REAL,    SHOAL_TYPE_DATE,
                                       SHOAL_TYPE_STRING,  SHOAL_TYPE_STRING};
    shoal_table *table = build(*state, all_kinds, 6);

    assert_int_equal(shoal_table_row_count(table), 4);
    assert_string_equal(shoal_table_source(table), "");
    assert_int_equal(shoal_table_line(table, 2), 0);
    for (size_t c = 0; c < 6; c++) {
        assert_int_equal(shoal_table_type(table, c), types[c]);
        assert_int_equal(shoal_table_missing_count(table, c), 0);
        assert_int_equal(shoal_table_value_count(table, c), c < 4 ? 3 : 4);
        for (size_t row = 0; row < 4; row++) {
            assert_string_equal(cell(table, row, c), expected[row][c]);
        }
    }
    assert_true(shoal_table_number(table, 0, 0) == -1);
    assert_true(shoal_table_number(table, 2, 1) == 0.1);
    assert_true(shoal_table_number(table, 3, 2) == 19782);
    assert_int_equal(shoal_table_code(table, 4, 2), 0); /* "" is a value, the first by bytes */
    shoal_table_free(table);
}

static void test_validity(void **state)
{
    const uint8_t validity[] = {0x05}; /* elements 0 and 2 */
    shoal_array arrays[6];

    for (size_t i = 0; i < 6; i++) {
        arrays[i] = all_kinds[i];
        arrays[i].validity = validity;
    }
    shoal_table *table = build(*state, arrays, 6);

    for (size_t c = 0; c < 6; c++) {
        assert_int_equal(shoal_table_missing_count(table, c), 2);
        assert_int_equal(shoal_table_value_count(table, c), c == 0 ? 1 : 2);
        assert_int_equal(shoal_table_code(table, c, 1), shoal_table_value_count(table, c));
        assert_string_equal(cell(table, 3, c), "");
    }
    shoal_table_free(table);
}

static void test_nothing_valid(void **state)
{
    const uint8_t validity[] = {0};
    const double nans[] = {NAN, NAN};
    shoal_array array = {.name = "x",
                         .kind = SHOAL_ARRAY_DOUBLE,
                         .length = 2,
                         .data = nans,
                         .validity = validity};
    shoal_table *table = build(*state, &array, 1);

    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_REAL);
    assert_int_equal(shoal_table_value_count(table, 0), 0);
    assert_int_equal(shoal_table_missing_count(table, 0), 2);
    shoal_table_free(table);
}

static void test_no_rows(void **state)
{
    shoal_array arrays[6];

    for (size_t i = 0; i < 6; i++) {
        arrays[i] = (shoal_array){.name = all_kinds[i].name, .kind = all_kinds[i].kind};
    }
    shoal_table *table = build(*state, arrays, 6);

    assert_int_equal(shoal_table_row_count(table), 0);
    assert_int_equal(shoal_table_value_count(table, 5), 0);
    shoal_table_free(table);
}

/* --- Dictionaries. --- */

static void test_dictionary(void **state)
{
    /* Entry 1 never occurs, entries 0 and 2 are equal, entry 3 is missing. */
    const uint8_t entry_validity[] = {0x07};
    const uint8_t validity[] = {0x1F};
    const int32_t entries[] = {7, 8, 7, 0};
    const int32_t indices[] = {0, 2, 3, 0, 2, 99};
    shoal_array values = {
        .kind = SHOAL_ARRAY_INT32, .length = 4, .data = entries, .validity = entry_validity};
    shoal_array array = {.name = "d",
                         .kind = SHOAL_ARRAY_DICTIONARY,
                         .length = 6,
                         .data = indices,
                         .validity = validity,
                         .dictionary = &values};
    shoal_table *table = build(*state, &array, 1);

    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_INTEGER);
    assert_int_equal(shoal_table_value_count(table, 0), 1);
    assert_int_equal(shoal_table_missing_count(table, 0), 2);
    assert_string_equal(cell(table, 4, 0), "7");
    shoal_table_free(table);
}

static void test_dictionary_of_texts(void **state)
{
    const int32_t indices[] = {3, 0, 3};
    shoal_array array = {.name = "d",
                         .kind = SHOAL_ARRAY_DICTIONARY,
                         .length = 3,
                         .data = indices,
                         .dictionary = &all_kinds[4]};
    shoal_table *table = build(*state, &array, 1);

    assert_int_equal(shoal_table_value_count(table, 0), 2);
    assert_string_equal(cell(table, 0, 0), "\xC3\xA9");
    assert_string_equal(cell(table, 1, 0), "zebra");
    shoal_table_free(table);
}

/* --- What is wrong. --- */

static void assert_refused(shoal_ctx *ctx, const shoal_array *arrays, size_t count,
                           shoal_status status, int64_t record, int64_t field,
                           const char *message)
{
    shoal_table *table = NULL;

    assert_int_equal(shoal_table_from_arrays(ctx, &table, arrays, count), status);
    assert_null(table);
    assert_int_equal(ctx->error.record, record);
    assert_int_equal(ctx->error.field, field);
    if (!strstr(ctx->error.message, message)) {
        print_error("\"%s\" is not about \"%s\"\n", ctx->error.message, message);
    }
    assert_non_null(strstr(ctx->error.message, message));
}

/* Replace element 2 of column 1 of two good ones, and expect it to be named. */
static void assert_bad_array(shoal_ctx *ctx, shoal_array bad, shoal_status status,
                             int64_t record, const char *message)
{
    shoal_array arrays[] = {all_kinds[0], bad};

    arrays[1].name = "bad";
    arrays[1].length = 4;
    assert_refused(ctx, arrays, 2, status, record, 1, message);
}

static void test_bad_values(void **state)
{
    const double nan_there[] = {1, 2, NAN, INFINITY};
    const double infinite[] = {1, 2, -INFINITY, NAN};
    const int64_t large[] = {1, 2, 9007199254740993, 4};
    const int32_t far[] = {0, 0, 3000000, 0};
    const char *const invalid = "abc\xE9"
                                "def";
    const int32_t invalid_offsets[] = {0, 1, 3, 5, 7};
    const char nul_there[] = "abc\0d";
    const int32_t bad_index[] = {0, 0, 4, -1};

    assert_bad_array(*state, (shoal_array){.kind = SHOAL_ARRAY_DOUBLE, .data = nan_there},
                     SHOAL_EFORMAT, 2, "NaN");
    assert_bad_array(*state, (shoal_array){.kind = SHOAL_ARRAY_DOUBLE, .data = infinite},
                     SHOAL_EFORMAT, 2, "infinite");
    assert_bad_array(*state, (shoal_array){.kind = SHOAL_ARRAY_INT64, .data = large},
                     SHOAL_EFORMAT, 2, "2^53");
    assert_bad_array(*state, (shoal_array){.kind = SHOAL_ARRAY_DATE32, .data = far},
                     SHOAL_EFORMAT, 2, "years 1 to 9999");
    assert_bad_array(
        *state,
        (shoal_array){.kind = SHOAL_ARRAY_UTF8, .data = invalid, .offsets32 = invalid_offsets},
        SHOAL_EFORMAT, 2, "UTF-8");
    assert_bad_array(*state,
                     (shoal_array){.kind = SHOAL_ARRAY_UTF8,
                                   .data = nul_there,
                                   .offsets32 = (int32_t[]){0, 1, 2, 4, 5}},
                     SHOAL_EFORMAT, 2, "NUL");
    assert_bad_array(*state,
                     (shoal_array){.kind = SHOAL_ARRAY_DICTIONARY,
                                   .data = bad_index,
                                   .dictionary = &all_kinds[0]},
                     SHOAL_EINVAL, 2, "outside its dictionary");
}

static void test_bad_offsets(void **state)
{
    const char *text = "abcdef";

    assert_bad_array(*state,
                     (shoal_array){.kind = SHOAL_ARRAY_UTF8,
                                   .data = text,
                                   .offsets32 = (int32_t[]){0, 2, 4, 3, 5}},
                     SHOAL_EINVAL, 2, "do not ascend");
    assert_bad_array(*state,
                     (shoal_array){.kind = SHOAL_ARRAY_LARGE_UTF8,
                                   .data = text,
                                   .offsets64 = (int64_t[]){-1, 2, 4, 4, 5}},
                     SHOAL_EINVAL, 0, "do not ascend");
    assert_bad_array(
        *state,
        (shoal_array){.kind = SHOAL_ARRAY_UTF8, .offsets32 = (int32_t[]){0, 0, 1, 1, 1}},
        SHOAL_EINVAL, 1, "do not ascend");
}

static void test_bad_shapes(void **state)
{
    const int32_t none[] = {0, 0, 0, 0};
    shoal_array nested = {
        .kind = SHOAL_ARRAY_DICTIONARY, .length = 4, .data = none, .dictionary = &all_kinds[0]};
    shoal_array arrays[2] = {all_kinds[0], all_kinds[0]};

    assert_refused(*state, arrays, 0, SHOAL_EINVAL, -1, -1, "at least one array");
    assert_refused(*state, arrays, 2, SHOAL_EINVAL, -1, 1,
                   "Columns 1 and 2 have the same name");
    arrays[1].name = "";
    assert_refused(*state, arrays, 2, SHOAL_EINVAL, -1, 1, "empty name");
    arrays[1].name = NULL;
    assert_refused(*state, arrays, 2, SHOAL_EINVAL, -1, 1, "needs a name");
    arrays[1].name = "\xE9";
    assert_refused(*state, arrays, 2, SHOAL_EINVAL, -1, 1, "needs a name");
    arrays[1].name = "short";
    arrays[1].length = 3;
    assert_refused(*state, arrays, 2, SHOAL_EINVAL, -1, 1, "has 3 elements, but");
    assert_bad_array(*state, (shoal_array){.kind = SHOAL_ARRAY_INT32}, SHOAL_EINVAL, -1,
                     "no data");
    assert_bad_array(*state, (shoal_array){.kind = SHOAL_ARRAY_UTF8, .data = "x"}, SHOAL_EINVAL,
                     -1, "no 32-bit offsets");
    assert_bad_array(*state, (shoal_array){.kind = SHOAL_ARRAY_LARGE_UTF8, .data = "x"},
                     SHOAL_EINVAL, -1, "no 64-bit offsets");
    assert_bad_array(*state, (shoal_array){.kind = SHOAL_ARRAY_DICTIONARY, .data = none},
                     SHOAL_EINVAL, -1, "no dictionary");
    assert_bad_array(
        *state,
        (shoal_array){.kind = SHOAL_ARRAY_DICTIONARY, .data = none, .dictionary = &nested},
        SHOAL_EINVAL, -1, "inside its dictionary");
    assert_bad_array(*state, (shoal_array){.kind = (shoal_array_kind)99}, SHOAL_EINVAL, -1,
                     "unknown kind");
}

/* The same table from arrays and from text. */
static void test_like_csv(void **state)
{
    shoal_ctx *ctx = *state;
    const char *text = "n,t\n3,b\n-1,a\n3,\"\"\n";
    const char *const tokens[] = {"none"};
    shoal_csv_options options = {.struct_size = sizeof options, .missing_tokens = tokens};
    const shoal_array arrays[] = {
        {.name = "n", .kind = SHOAL_ARRAY_INT64, .length = 3, .data = (int64_t[]){3, -1, 3}},
        {.name = "t",
         .kind = SHOAL_ARRAY_UTF8,
         .length = 3,
         .data = "ba",
         .offsets32 = (int32_t[]){0, 1, 2, 2}},
    };
    shoal_table *read = read_text(ctx, text, &options);

    for (int threads = 1; threads <= 5; threads += 2) {
        ctx->threads = threads;
        shoal_table *built = build(ctx, arrays, 2);

        assert_same_table(read, built);
        shoal_table_free(built);
    }
    ctx->threads = 1;
    shoal_table_free(read);
}

static shoal_status build_and_free(shoal_ctx *ctx, void *payload)
{
    const int32_t indices[] = {0, 1, 2, 3};
    shoal_array arrays[7];
    shoal_table *table = NULL;

    (void)payload;
    memcpy(arrays, all_kinds, sizeof all_kinds);
    arrays[6] = (shoal_array){.name = "d",
                              .kind = SHOAL_ARRAY_DICTIONARY,
                              .length = 4,
                              .data = indices,
                              .dictionary = &all_kinds[4]};
    shoal_status st = shoal_table_from_arrays(ctx, &table, arrays, 7);

    assert_int_equal(st == SHOAL_OK, table != NULL);
    shoal_table_free(table);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_ctx *ctx = *state;

    for (int threads = 1; threads <= 2; threads++) {
        ctx->threads = threads;
        assert_survives_failing_allocations(ctx, build_and_free, NULL);
    }
    ctx->threads = 1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_validity),
        cmocka_unit_test(test_nothing_valid),
        cmocka_unit_test(test_no_rows),
        cmocka_unit_test(test_dictionary),
        cmocka_unit_test(test_dictionary_of_texts),
        cmocka_unit_test(test_bad_values),
        cmocka_unit_test(test_bad_offsets),
        cmocka_unit_test(test_bad_shapes),
        cmocka_unit_test(test_like_csv),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
