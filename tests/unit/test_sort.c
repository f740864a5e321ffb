/* Sorting runs by wide keys, and numbering equal keys, against the obvious ways. */

#include "release/number.h"
#include "base/sort.h"

#include "base/random.h"
#include "failing.h"

#include <shoal/csv.h>

#include <stdio.h>
#include <string.h>

#define WORDS 3
#define ITEMS_MAX 4000

typedef struct keys {
    uint64_t words[ITEMS_MAX][WORDS];
} keys;

static void load_word(const void *payload, size_t word, shoal_i_sort_item *items, size_t count)
{
    const keys *k = payload;

    for (size_t i = 0; i < count; i++) {
        items[i].key = k->words[items[i].item][word];
    }
}

static int compare_keys(const keys *k, uint32_t a, uint32_t b)
{
    for (size_t w = 0; w < WORDS; w++) {
        if (k->words[a][w] != k->words[b][w]) {
            return k->words[a][w] < k->words[b][w] ? -1 : 1;
        }
    }
    return 0;
}

/* Draw keys of few distinct words each, in the bytes that `mask` allows. */
static void draw_keys(keys *k, shoal_i_random *random, size_t count, uint64_t mask)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t w = 0; w < WORDS; w++) {
            k->words[i][w] = shoal_i_random_u64(random) & mask;
        }
    }
}

static void check_runs(const keys *k, const uint32_t *items, const uint32_t *starts,
                       size_t run_count)
{
    for (size_t run = 0; run < run_count; run++) {
        for (uint32_t i = starts[run]; i < starts[run + 1]; i++) {
            assert_in_range(items[i], starts[run], starts[run + 1] - 1);
            if (i > starts[run]) {
                int order = compare_keys(k, items[i - 1], items[i]);

                /* Stable: equal keys keep the order they came in. */
                assert_true(order < 0 || (order == 0 && items[i - 1] < items[i]));
            }
        }
    }
}

static void test_runs_of_any_length(void **state)
{
    static keys k;
    static uint32_t items[ITEMS_MAX];
    static const uint64_t masks[] = {0, 1, 0x0101, 0xFF00000000000001u, UINT64_MAX};
    static const uint32_t starts[] = {0, 0, 1, 3, 50, 99, 99, 4000};
    shoal_i_random random = shoal_i_random_start(7);
    shoal_ctx ctx;

    (void)state;
    shoal_ctx_init(&ctx);
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        draw_keys(&k, &random, ITEMS_MAX, masks[m]);
        for (uint32_t i = 0; i < ITEMS_MAX; i++) {
            items[i] = i;
        }
        assert_int_equal(shoal_i_sort_runs(&ctx, items, starts, 7, WORDS, load_word, &k),
                         SHOAL_OK);
        check_runs(&k, items, starts, 7);
    }
}

static void test_nothing_to_sort(void **state)
{
    uint32_t items[3] = {2, 1, 0};
    uint32_t starts[2] = {0, 3};
    shoal_ctx ctx;

    (void)state;
    shoal_ctx_init(&ctx);
    assert_int_equal(shoal_i_sort_runs(&ctx, items, starts, 0, 1, load_word, NULL), SHOAL_OK);
    assert_int_equal(shoal_i_sort_runs(&ctx, items, starts, 1, 0, load_word, NULL), SHOAL_OK);
    assert_int_equal(items[0], 2);
}

static void test_bits(void **state)
{
    (void)state;
    assert_int_equal(shoal_i_sort_bits(0), 0);
    assert_int_equal(shoal_i_sort_bits(1), 0);
    assert_int_equal(shoal_i_sort_bits(2), 1);
    assert_int_equal(shoal_i_sort_bits(3), 2);
    assert_int_equal(shoal_i_sort_bits(256), 8);
    assert_int_equal(shoal_i_sort_bits(257), 9);
    assert_int_equal(shoal_i_sort_bits(UINT64_MAX), 64);
}

static void test_keys_are_numbered_by_first_appearance(void **state)
{
    const uint64_t given[] = {9, 9, 0, UINT64_MAX, 0, 9, 5};
    const uint32_t wanted[] = {0, 0, 1, 2, 1, 0, 3};
    uint32_t ids[7];
    size_t count = 99;
    shoal_ctx ctx;

    (void)state;
    shoal_ctx_init(&ctx);
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
    shoal_ctx_init(&ctx);
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
    shoal_ctx_init(&ctx);
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
    shoal_ctx_clear(&ctx);
}

static void test_rows_without_columns_are_alike(void **state)
{
    uint32_t ids[5] = {9, 9, 9, 9, 9};
    size_t count = 0;
    shoal_ctx ctx;

    (void)state;
    shoal_ctx_init(&ctx);
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

static shoal_status sort_again(shoal_ctx *ctx, void *payload)
{
    uint32_t items[100];
    uint32_t starts[2] = {0, 100};

    for (uint32_t i = 0; i < 100; i++) {
        items[i] = i;
    }
    return shoal_i_sort_runs(ctx, items, starts, 1, WORDS, load_word, payload);
}

static void test_failing_allocations(void **state)
{
    static keys k;
    shoal_ctx ctx;

    (void)state;
    shoal_ctx_init(&ctx);
    ctx.threads = 2;
    shoal_table *table = build_table(&ctx, 150000, 3000);

    assert_survives_failing_allocations(&ctx, number_again, table);
    assert_survives_failing_allocations(&ctx, sort_again, &k);
    shoal_table_free(table);
    shoal_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_to_sort),
        cmocka_unit_test(test_runs_of_any_length),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_keys_are_numbered_by_first_appearance),
        cmocka_unit_test(test_many_keys),
        cmocka_unit_test(test_rows_without_columns_are_alike),
        cmocka_unit_test(test_rows_on_any_number_of_threads),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
