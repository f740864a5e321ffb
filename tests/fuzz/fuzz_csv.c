/* fuzz_csv.c -- any bytes as a CSV file: refused with a message or read into a sound table, the
 * same one with one thread and with three. */
#include "fuzz.h"

#include <string.h>

static void check_codes(const shoal_table *table, size_t column)
{
    size_t rows = shoal_table_row_count(table);
    size_t values = shoal_table_value_count(table, column);
    size_t missing = 0;

    for (size_t row = 0; row < rows; row++) {
        uint32_t code = shoal_table_code(table, column, row);

        MUST(code <= values);
        missing += code == values;
    }
    MUST(missing == shoal_table_missing_count(table, column));
}

/* Ascending, and found again by their own text. */
static void check_values(const shoal_table *table, size_t column)
{
    size_t values = shoal_table_value_count(table, column);
    bool is_text = shoal_table_type(table, column) == SHOAL_TYPE_STRING;

    for (uint32_t code = 0; code < values; code++) {
        size_t length = 0;
        const char *text = shoal_table_text(table, column, code, &length);

        MUST(strlen(text) == length);
        MUST(shoal_table_find_code(table, column, text, length) == (int64_t)code);
        if (code > 0 && is_text) {
            MUST(strcmp(shoal_table_text(table, column, code - 1, NULL), text) < 0);
        } else if (code > 0) {
            MUST(shoal_table_number(table, column, code - 1) <
                 shoal_table_number(table, column, code));
        }
    }
}

static void check_equal(const shoal_table *a, const shoal_table *b)
{
    MUST(shoal_table_row_count(a) == shoal_table_row_count(b));
    MUST(shoal_table_column_count(a) == shoal_table_column_count(b));
    for (size_t c = 0; c < shoal_table_column_count(a); c++) {
        MUST(strcmp(shoal_table_name(a, c), shoal_table_name(b, c)) == 0);
        MUST(shoal_table_type(a, c) == shoal_table_type(b, c));
        MUST(shoal_table_value_count(a, c) == shoal_table_value_count(b, c));
        for (size_t row = 0; row < shoal_table_row_count(a); row++) {
            MUST(shoal_table_code(a, c, row) == shoal_table_code(b, c, row));
            MUST(shoal_table_line(a, row) == shoal_table_line(b, row));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_ctx *one = fuzz_ctx(1);
    shoal_ctx *three = fuzz_ctx(3);
    shoal_table *table = NULL;
    shoal_table *again = NULL;
    shoal_status st =
        shoal_csv_read_memory(one, &table, (const char *)data, size, "fuzz", NULL);

    MUST(shoal_csv_read_memory(three, &again, (const char *)data, size, "fuzz", NULL) == st);
    MUST((table != NULL) == (st == SHOAL_OK) && (again != NULL) == (st == SHOAL_OK));
    if (st != SHOAL_OK) {
        check_failure(one, st);
        MUST(strcmp(one->error.message, three->error.message) == 0);
        MUST(one->error.line == three->error.line && one->error.column == three->error.column);
        return 0;
    }
    MUST(shoal_table_row_count(table) > 0);
    for (size_t c = 0; c < shoal_table_column_count(table); c++) {
        check_codes(table, c);
        check_values(table, c);
    }
    check_equal(table, again);
    shoal_table_free(table);
    shoal_table_free(again);
    return 0;
}
