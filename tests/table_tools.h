/* table_tools.h -- for tests of tables: reading from a literal, and comparing two of them. */
#ifndef SHOAL_TESTS_TABLE_TOOLS_H
#define SHOAL_TESTS_TABLE_TOOLS_H

#include <shoal/csv.h>

#include "failing.h"

#include <stdio.h>
#include <string.h>

/* A table from a text that must be right. */
static inline shoal_table *read_text(shoal_ctx *ctx, const char *text,
                                     const shoal_csv_options *options)
{
    shoal_table *table = NULL;
    shoal_status st =
        shoal_csv_read_memory(ctx, &table, text, strlen(text), "test.csv", options);

    if (st != SHOAL_OK) {
        print_error("%s\n", ctx->error.message);
    }
    assert_int_equal(st, SHOAL_OK);
    assert_non_null(table);
    return table;
}

/* The text of a cell; that of the missing token for a missing one. */
static inline const char *cell(const shoal_table *table, size_t row, size_t column)
{
    return shoal_table_text(table, column, shoal_table_code(table, column, row), NULL);
}

static inline void assert_same_values(const shoal_table *a, const shoal_table *b, size_t column)
{
    size_t count = shoal_table_value_count(a, column);
    bool is_numeric = shoal_table_type(a, column) != SHOAL_TYPE_STRING;

    assert_int_equal(count, shoal_table_value_count(b, column));
    for (uint32_t code = 0; code <= count; code++) {
        assert_string_equal(shoal_table_text(a, column, code, NULL),
                            shoal_table_text(b, column, code, NULL));
        if (is_numeric && code < count) {
            assert_true(shoal_table_number(a, column, code) ==
                        shoal_table_number(b, column, code));
        }
    }
}

/* Equal in all that a table shows but its source and its lines. */
static inline void assert_same_table(const shoal_table *a, const shoal_table *b)
{
    assert_int_equal(shoal_table_row_count(a), shoal_table_row_count(b));
    assert_int_equal(shoal_table_column_count(a), shoal_table_column_count(b));
    for (size_t c = 0; c < shoal_table_column_count(a); c++) {
        assert_string_equal(shoal_table_name(a, c), shoal_table_name(b, c));
        assert_int_equal(shoal_table_type(a, c), shoal_table_type(b, c));
        assert_int_equal(shoal_table_is_skipped(a, c), shoal_table_is_skipped(b, c));
        assert_int_equal(shoal_table_missing_count(a, c), shoal_table_missing_count(b, c));
        if (shoal_table_is_skipped(a, c)) {
            continue;
        }
        assert_same_values(a, b, c);
        for (size_t row = 0; row < shoal_table_row_count(a); row++) {
            assert_int_equal(shoal_table_code(a, c, row), shoal_table_code(b, c, row));
        }
    }
}

#endif /* SHOAL_TESTS_TABLE_TOOLS_H */
