/* Numbering equal keys, on any number of threads. */

#include "release/number.h"

#include "failing.h"
#include "table_tools.h"

#include <stdio.h>

static void test_keys_are_numbered_by_first_appearance(void **state)
{
    const uint64_t given[] = {9, 9, 0, UINT64_MAX, 0, 9, 5};
    const uint32_t wanted[] = {0, 0, 1, 2, 1, 0, 3};
    uint32_t ids[7];
    size_t count = 99;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_i_number_keys(&ctx, ids, &count, given, 7), SHOAL_OK);
    assert_memory_equal(ids, wanted, sizeof wanted);
    assert_int_equal(count, 4);
    assert_int_equal(shoal_i_number_keys(&ctx, ids, &count, given, 0), SHOAL_OK);
    assert_int_equal(count, 0);
}

/* More keys than the table starts with, so that it grows. */
static void test_many_keys(void **state)
{
    enum { COUNT = 20000 };
    static uint64_t given[COUNT];
    static uint32_t ids[COUNT];
    size_t count = 0;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < COUNT; i++) {
        given[i] = (uint64_t)(i % 5000) << 40;
    }
    assert_int_equal(shoal_i_number_keys(&ctx, ids, &count, given, COUNT), SHOAL_OK);
    assert_int_equal(count, 5000);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(ids[i], i % 5000);
    }
}

/* A table whose columns together do not fit into one key, and with enough rows for several
 * parts. Column A<c> of row r holds (r * (c + 1)) mod values. */
#define TABLE_COLUMNS 12
static shoal_table *build_table(shoal_ctx *ctx, size_t rows, size_t values)
{
    static int32_t cells[TABLE_COLUMNS][200000];
    static char names[TABLE_COLUMNS][8];
    shoal_array arrays[TABLE_COLUMNS] = {{0}};
    shoal_table *table = NULL;

    for (size_t c = 0; c < TABLE_COLUMNS; c++) {
        snprintf(names[c], sizeof names[c], "A%zu", c);
        for (size_t row = 0; row < rows; row++) {
            cells[c][row] = (int32_t)(row * (c + 1) % values);
        }
        arrays[c] = (shoal_array){
            .name = names[c], .kind = SHOAL_ARRAY_INT32, .length = rows, .data = cells[c]};
    }
    assert_int_equal(shoal_table_from_arrays(ctx, &table, arrays, TABLE_COLUMNS), SHOAL_OK);
    return table;
}

static void test_rows_on_any_number_of_threads(void **state)
{
    enum { ROWS = 200000, VALUES = 997 };
    static uint32_t ids[ROWS];
    size_t columns[TABLE_COLUMNS];
    size_t count = 0;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = build_table(&ctx, ROWS, VALUES);

    for (size_t c = 0; c < TABLE_COLUMNS; c++) {
        columns[c] = c;
    }
    for (int threads = 1; threads <= 5; threads += 2) {
        ctx.threads = threads;
        assert_int_equal(shoal_i_number_rows(&ctx, ids, &count, table, columns, TABLE_COLUMNS),
                         SHOAL_OK);
        /* Every column follows from the first, which counts 0, 1, ..., VALUES - 1, 0, ... */
        assert_int_equal(count, VALUES);
        for (size_t row = 0; row < ROWS; row++) {
            assert_int_equal(ids[row], row % VALUES);
        }
    }
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

/* Keys that only some of the parts have, which are numbered on their own at first. */
static void test_keys_of_some_parts(void **state)
{
    enum { ROWS = 300000, RUN = 300, VALUES = 700 };
    static int32_t cells[ROWS];
    static uint32_t ids[ROWS];
    const shoal_array array = {
        .name = "a", .kind = SHOAL_ARRAY_INT32, .length = ROWS, .data = cells};
    size_t column = 0;
    size_t count = 0;
    shoal_table *table = NULL;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t row = 0; row < ROWS; row++) { /* downwards, and from the highest again */
        cells[row] = (int32_t)(VALUES - row / RUN % VALUES);
    }
    assert_int_equal(shoal_table_from_arrays(&ctx, &table, &array, 1), SHOAL_OK);
    for (ctx.threads = 1; ctx.threads <= 4; ctx.threads++) {
        assert_int_equal(shoal_i_number_rows(&ctx, ids, &count, table, &column, 1), SHOAL_OK);
        assert_int_equal(count, VALUES);
        for (size_t row = 0; row < ROWS; row++) {
            assert_int_equal(ids[row], row / RUN % VALUES);
        }
    }
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

/* Eight columns of 256 values, with the missing one 257, are more than 64 bits can tell apart.
 * Two rows whose keys would be equal if all eight were put into one number are not alike. */
static void test_rows_that_would_overflow_a_key(void **state)
{
    enum { COLUMNS = 8, VALUES = 256, CODES = 257, ROOM = 32 };
    static char text[(VALUES + 3) * 4 * COLUMNS + ROOM];
    static uint32_t ids[VALUES + 2];
    size_t columns[COLUMNS] = {0, 1, 2, 3, 4, 5, 6, 7};
    unsigned large[COLUMNS] = {250};
    unsigned small[COLUMNS];
    unsigned highest = CODES;
    char *end = text;
    size_t count = 0;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (unsigned tries = 0; highest >= VALUES; tries++) {
        uint64_t key = 0;

        assert_true(tries < VALUES);
        large[COLUMNS - 1] = tries;
        for (size_t c = 0; c < COLUMNS; c++) {
            key = key * CODES + large[c]; /* beyond 64 bits: what is left of it is small */
        }
        highest = 0;
        for (size_t c = COLUMNS; c-- > 0; key /= CODES) {
            small[c] = (unsigned)(key % CODES);
            highest = small[c] > highest ? small[c] : highest;
        }
    }
    end += snprintf(end, ROOM, "a,b,c,d,e,f,g,h\n");
    for (unsigned row = 0; row < VALUES + 2; row++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            unsigned value = row < VALUES ? row : row == VALUES ? large[c] : small[c];

            end += snprintf(end, ROOM, "%u%c", value, c + 1 < COLUMNS ? ',' : '\n');
        }
    }
    assert_true(small[0] < large[0]);
    shoal_table *table = read_text(&ctx, text, NULL);

    assert_int_equal(shoal_table_value_count(table, 0), VALUES);
    assert_int_equal(shoal_i_number_rows(&ctx, ids, &count, table, columns, COLUMNS), SHOAL_OK);
    assert_int_equal(count, VALUES + 2);
    assert_int_not_equal(ids[VALUES], ids[VALUES + 1]);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static void test_rows_without_columns_are_alike(void **state)
{
    uint32_t ids[5] = {9, 9, 9, 9, 9};
    size_t count = 0;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = build_table(&ctx, 5, 5);

    assert_int_equal(shoal_i_number_rows(&ctx, ids, &count, table, NULL, 0), SHOAL_OK);
    assert_int_equal(count, 1);
    assert_int_equal(ids[4], 0);
    shoal_table_free(table);
}

static shoal_status number_again(shoal_ctx *ctx, void *payload)
{
    static uint32_t ids[150000];
    size_t columns[TABLE_COLUMNS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    size_t count = 0;

    return shoal_i_number_rows(ctx, ids, &count, payload, columns, TABLE_COLUMNS);
}

static void test_failing_allocations(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 2;
    shoal_table *table = build_table(&ctx, 150000, 3000);

    assert_survives_failing_allocations(&ctx, number_again, table);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_are_numbered_by_first_appearance),
        cmocka_unit_test(test_many_keys),
        cmocka_unit_test(test_rows_that_would_overflow_a_key),
        cmocka_unit_test(test_rows_without_columns_are_alike),
        cmocka_unit_test(test_rows_on_any_number_of_threads),
        cmocka_unit_test(test_keys_of_some_parts),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
