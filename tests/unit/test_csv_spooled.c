/* Reading by way of a temporary file: the values and codes of a reading in memory. */
#include "table/csv/csv_reader.h"

#include "base/random.h"
#include "failing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 4096
#define COLUMNS 4

/* What was handed over. */
typedef struct taken {
    size_t calls;
    size_t rows;
    uint32_t codes[COLUMNS][ROWS_MAX];
} taken;

static shoal_status take(shoal_ctx *ctx, void *payload, const shoal_table *table,
                         uint32_t *const *codes, size_t count)
{
    taken *t = payload;

    (void)ctx;
    assert_true(t->calls++ > 0 || count == 0);
    for (size_t c = 0; c < shoal_table_column_count(table); c++) {
        assert_true((codes[c] == NULL) == shoal_table_is_skipped(table, c));
        for (size_t i = 0; codes[c] && i < count; i++) {
            assert_true(t->rows + i < ROWS_MAX);
            t->codes[c][t->rows + i] = codes[c][i];
        }
    }
    t->rows += count;
    return SHOAL_OK;
}

/* The second column is not wanted. */
static shoal_status configure(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                              size_t count)
{
    (void)ctx;
    (void)payload;
    assert_int_equal(count, COLUMNS);
    columns[1].skip = true;
    return SHOAL_OK;
}

static size_t write_text(char *text, size_t capacity, uint64_t seed, size_t rows)
{
    shoal_i_random random = shoal_i_random_start(seed);
    size_t size = (size_t)snprintf(text, capacity, "a,b,c,d\n");

    for (size_t i = 0; i < rows; i++) {
        unsigned x = (unsigned)shoal_i_random_below(&random, 400);

        size +=
            (size_t)snprintf(text + size, capacity - size, "%u,\"x\n%u\",%s,t%u\n", x % 90, x,
                             x % 7 == 0 ? "?"
                             : x % 2    ? "odd"
                                        : "even",
                             x * x);
    }
    return size;
}

static void compare(const shoal_table *spooled, const taken *t, const shoal_table *whole)
{
    assert_int_equal(t->rows, shoal_table_row_count(whole));
    assert_int_equal(shoal_table_row_count(spooled), shoal_table_row_count(whole));
    for (size_t c = 0; c < COLUMNS; c++) {
        assert_int_equal(shoal_table_is_skipped(spooled, c), shoal_table_is_skipped(whole, c));
        if (shoal_table_is_skipped(whole, c)) {
            continue;
        }
        assert_int_equal(shoal_table_type(spooled, c), shoal_table_type(whole, c));
        assert_int_equal(shoal_table_missing_count(spooled, c),
                         shoal_table_missing_count(whole, c));
        assert_int_equal(shoal_table_value_count(spooled, c),
                         shoal_table_value_count(whole, c));
        for (uint32_t v = 0; v < shoal_table_value_count(whole, c); v++) {
            assert_string_equal(shoal_table_text(spooled, c, v, NULL),
                                shoal_table_text(whole, c, v, NULL));
        }
        for (size_t row = 0; row < t->rows; row++) {
            assert_int_equal(t->codes[c][row], shoal_table_code(whole, c, row));
        }
    }
    assert_int_equal(shoal_table_line(spooled, t->rows - 1),
                     shoal_table_line(whole, t->rows - 1));
}

static void test_codes_are_those_of_a_reading_in_memory(void **state)
{
    static char text[400000];
    static taken t;
    const shoal_csv_options options = {.struct_size = sizeof options, .configure = configure};

    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        shoal_ctx ctx;
        shoal_table *whole = NULL;
        shoal_table *spooled = NULL;
        shoal_i_csv_spooling spooling = {.consume = take, .payload = &t};
        shoal_i_csv_tuning tuning = {.block_size = 64 + (size_t)seed * 97,
                                     .spooling = &spooling};
        size_t size = write_text(text, sizeof text, seed, 1 + (size_t)seed * 90);

        shoal_i_ctx_init(&ctx);
        ctx.threads = 1 + (int)(seed % 3);
        memset(&t, 0, sizeof t);
        assert_int_equal(shoal_csv_read_memory(&ctx, &whole, text, size, "t", &options),
                         SHOAL_OK);
        assert_int_equal(
            shoal_i_csv_read_tuned(&ctx, &spooled, text, size, "t", &options, &tuning),
            SHOAL_OK);
        compare(spooled, &t, whole);
        shoal_table_free(spooled);
        shoal_table_free(whole);
        shoal_i_ctx_clear(&ctx);
    }
}

static shoal_status configure_integer(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                                      size_t count)
{
    (void)ctx;
    (void)payload;
    (void)count;
    columns[0].type = SHOAL_TYPE_INTEGER;
    return SHOAL_OK;
}

/* A value that is not of its column's type is found in the block it lies in. */
static void test_bad_values_are_found(void **state)
{
    static char text[4000] = "n\n";
    static taken t;
    shoal_ctx ctx;
    shoal_table *table = NULL;
    const shoal_csv_options options = {.struct_size = sizeof options,
                                       .configure = configure_integer};
    shoal_i_csv_spooling spooling = {.consume = take, .payload = &t};
    shoal_i_csv_tuning tuning = {.block_size = 50, .spooling = &spooling};

    (void)state;
    for (size_t i = 0; i < 200; i++) {
        memcpy(text + 2 + 3 * i, i == 150 ? "no\n" : "12\n", 4);
    }
    shoal_i_ctx_init(&ctx);
    assert_int_equal(
        shoal_i_csv_read_tuned(&ctx, &table, text, strlen(text), "t", &options, &tuning),
        SHOAL_EFORMAT);
    assert_null(table);
    assert_int_equal(ctx.error.line, 152);
    shoal_i_ctx_clear(&ctx);
}

static void test_too_many_values_are_refused(void **state)
{
    static char text[400000];
    static taken t;
    shoal_ctx ctx;
    shoal_table *table = NULL;
    shoal_i_csv_spooling spooling = {.consume = take, .payload = &t, .values_max = 10000};
    shoal_i_csv_tuning tuning = {.block_size = 1000, .spooling = &spooling};
    size_t size = write_text(text, sizeof text, 5, 3000);

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_i_csv_read_tuned(&ctx, &table, text, size, "t", NULL, &tuning),
                     SHOAL_ELIMIT);
    assert_null(table);
    assert_non_null(strstr(ctx.error.message, "\"b\"") ? "b"
                                                       : strstr(ctx.error.message, "\"d\""));
    shoal_i_ctx_clear(&ctx);
}

/* Texts that are too long for keys count as well. */
static void test_long_values_are_refused(void **state)
{
    static char text[100000];
    static taken t;
    shoal_ctx ctx;
    shoal_table *table = NULL;
    shoal_i_csv_spooling spooling = {.consume = take, .payload = &t, .values_max = 100000};
    shoal_i_csv_tuning tuning = {.block_size = 1000, .spooling = &spooling};
    size_t size = (size_t)snprintf(text, sizeof text, "a,b,c,d\n");

    (void)state;
    for (int i = 0; i < 200; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "1,%0300d,2,3\n", i);
    }
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_i_csv_read_tuned(&ctx, &table, text, size, "t", NULL, &tuning),
                     SHOAL_ELIMIT);
    assert_null(table);
    assert_non_null(strstr(ctx.error.message, "\"b\""));
    spooling.values_max = 200000;
    memset(&t, 0, sizeof t);
    assert_int_equal(shoal_i_csv_read_tuned(&ctx, &table, text, size, "t", NULL, &tuning),
                     SHOAL_OK);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static shoal_status read_once(shoal_ctx *ctx, void *payload)
{
    static taken t;
    static char text[10000];
    shoal_table *table = NULL;
    shoal_i_csv_spooling spooling = {.consume = take, .payload = &t};
    shoal_i_csv_tuning tuning = {.block_size = 500, .spooling = &spooling};
    size_t size = write_text(text, sizeof text, 3, 60);

    (void)payload;
    memset(&t, 0, sizeof t);
    shoal_status st = shoal_i_csv_read_tuned(ctx, &table, text, size, "t", NULL, &tuning);

    assert_true((st == SHOAL_OK) == (table != NULL));
    shoal_table_free(table);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    assert_survives_failing_allocations(&ctx, read_once, NULL);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes_are_those_of_a_reading_in_memory),
        cmocka_unit_test(test_bad_values_are_found),
        cmocka_unit_test(test_too_many_values_are_refused),
        cmocka_unit_test(test_long_values_are_refused),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
