#include "context.h"

#include "table_tools.h"

#include "table/table_configure.h"
#include "table/table_origin.h"

/* A number, a date, a real and a text, each with a value, a missing one and another value. */
static shoal_table *build_table(shoal_ctx *ctx)
{
    static const int32_t numbers[] = {7, 0, 24};
    static const double reals[] = {1.5, 0, 2};
    static const int32_t offsets[] = {0, 1, 1, 2};
    static const uint8_t validity = 5;
    const shoal_array arrays[] = {
        {.name = "n", .kind = SHOAL_ARRAY_INT32, .data = numbers},
        {.name = "d", .kind = SHOAL_ARRAY_DATE32, .data = numbers},
        {.name = "r", .kind = SHOAL_ARRAY_DOUBLE, .data = reals},
        {.name = "t", .kind = SHOAL_ARRAY_UTF8, .data = "x?", .offsets32 = offsets},
    };
    shoal_array whole[4];
    shoal_table *table = NULL;

    for (size_t i = 0; i < 4; i++) {
        whole[i] = arrays[i];
        whole[i].length = 3;
        whole[i].validity = &validity;
    }
    assert_int_equal(shoal_table_from_arrays(ctx, &table, whole, 4), SHOAL_OK);
    assert_int_equal(shoal_i_column_set_origin(ctx, &table->columns[0], "i"), SHOAL_OK);
    assert_int_equal(shoal_i_column_set_origin(ctx, &table->columns[3], "vu"), SHOAL_OK);
    return table;
}

typedef struct wishes {
    bool detect_missing;
    shoal_type type; /* of the first column */
} wishes;

static shoal_status configure(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                              size_t count)
{
    const wishes *w = payload;

    (void)ctx;
    for (size_t c = 0; c < count; c++) {
        columns[c].detect_missing = w->detect_missing;
    }
    columns[0].type = w->type;
    return SHOAL_OK;
}

static shoal_table *configured(shoal_ctx *ctx, wishes w)
{
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
    shoal_table *table = build_table(ctx);
    shoal_table *out = NULL;

    options.configure = configure;
    options.configure_payload = &w;
    assert_int_equal(shoal_i_table_configure(ctx, &out, table, &options), SHOAL_OK);
    shoal_table_free(table); /* it is held */
    return out;
}

/* Numbers and dates keep their holes where missing values are not looked for; texts get the
 * empty text. All keep the Arrow type they came with. */
static void test_missing_not_detected(void **state)
{
    shoal_table *table = configured(*state, (wishes){0});

    for (size_t c = 0; c < 3; c++) {
        assert_int_equal(shoal_table_missing_count(table, c), 1);
        assert_int_equal(shoal_table_code(table, c, 1), 2);
    }
    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_INTEGER);
    assert_int_equal(shoal_table_type(table, 1), SHOAL_TYPE_DATE);
    assert_int_equal(shoal_table_type(table, 2), SHOAL_TYPE_REAL);
    assert_int_equal(shoal_table_missing_count(table, 3), 0);
    assert_int_equal(shoal_table_value_count(table, 3), 3);
    assert_string_equal(cell(table, 1, 3), "");
    assert_string_equal(cell(table, 2, 3), "?");
    assert_string_equal(shoal_i_table_origin(table, 0), "i");
    assert_string_equal(shoal_i_table_origin(table, 3), "vu");
    shoal_table_free(table);
}

static void test_missing_detected(void **state)
{
    shoal_table *table = configured(*state, (wishes){.detect_missing = true});

    assert_int_equal(shoal_table_missing_count(table, 0), 1);
    assert_int_equal(shoal_table_missing_count(table, 3), 2); /* null and the token */
    assert_string_equal(cell(table, 0, 3), "x");
    assert_string_equal(shoal_i_table_origin(table, 3), "vu");
    shoal_table_free(table);
}

/* Another type is asked for: the holes stay among numbers, and the old type is forgotten. */
static void test_other_type(void **state)
{
    shoal_table *table = configured(*state, (wishes){.type = SHOAL_TYPE_REAL});

    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_REAL);
    assert_int_equal(shoal_table_missing_count(table, 0), 1);
    assert_null(shoal_i_table_origin(table, 0));
    shoal_table_free(table);
    table = configured(*state, (wishes){.type = SHOAL_TYPE_STRING});
    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_STRING);
    assert_string_equal(cell(table, 0, 0), "7");
    assert_string_equal(cell(table, 1, 0), "");
    assert_int_equal(shoal_table_missing_count(table, 0), 0);
    assert_null(shoal_i_table_origin(table, 0));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_not_detected),
        cmocka_unit_test(test_missing_detected),
        cmocka_unit_test(test_other_type),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
