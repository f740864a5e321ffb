/* fuzz_csv.c -- any bytes as a CSV file: refused with a message or read into a sound table, the
 * same one with one thread and with three, whole and in tiny blocks; written and read back, the
 * same table again. */
#include "fuzz.h"

#include "base/compress/codec.h"
#include "table/csv/csv_reader.h"
#include "table/source/file_kind.h"
#include "base/buffer.h"

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

static void check_same_failure(const shoal_error *a, const shoal_error *b)
{
    MUST(a->status == b->status && strcmp(a->message, b->message) == 0);
    MUST(a->line == b->line && a->column == b->column);
    MUST(a->record == b->record && a->field == b->field);
}

/* Types are those of the first reading: 7 and 7.0 are written as 7, which alone is an integer.
 */
static shoal_status copy_types(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                               size_t count)
{
    (void)ctx;
    for (size_t c = 0; c < count; c++) {
        columns[c].type = shoal_table_type(payload, c);
    }
    return SHOAL_OK;
}

static bool keep(void *payload, const char *bytes, size_t size)
{
    shoal_i_buffer_put(payload, bytes, size);
    return shoal_i_buffer_status(payload) == SHOAL_OK;
}

static void check_round_trip(shoal_ctx *ctx, shoal_table *table, char delimiter)
{
    shoal_csv_options options = {.struct_size = sizeof options,
                                 .delimiter = delimiter,
                                 .configure = copy_types,
                                 .configure_payload = table};
    shoal_table *back = NULL;
    shoal_i_buffer buffer;

    shoal_i_buffer_init(&buffer, ctx, SHOAL_I_BUFFER_MAX);
    MUST(shoal_csv_write_to(ctx, table, delimiter, keep, &buffer) == SHOAL_OK);
    MUST(shoal_csv_read_memory(ctx, &back, buffer.data, buffer.size, "back", &options) ==
         SHOAL_OK);
    MUST(shoal_table_row_count(table) == shoal_table_row_count(back));
    MUST(shoal_table_column_count(table) == shoal_table_column_count(back));
    for (size_t c = 0; c < shoal_table_column_count(table); c++) {
        MUST(strcmp(shoal_table_name(table, c), shoal_table_name(back, c)) == 0);
        for (size_t row = 0; row < shoal_table_row_count(table); row++) {
            uint32_t code = shoal_table_code(table, c, row);

            MUST(shoal_table_code(back, c, row) == code);
            MUST(strcmp(shoal_table_text(table, c, code, NULL),
                        shoal_table_text(back, c, code, NULL)) == 0);
        }
    }
    shoal_table_free(back);
    shoal_i_buffer_clear(&buffer);
}

/* The size of the input chooses delimiter and block size: the bytes stay a plain CSV text. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char delimiters[] = {0, 0, ',', ';', '\t', ' ', 'a'};
    shoal_csv_options options = {.struct_size = sizeof options,
                                 .delimiter = delimiters[size % sizeof delimiters]};
    shoal_i_csv_tuning whole = {0};
    shoal_i_csv_tuning cut = {.block_size = 1 + size % 97, .kind = SHOAL_I_CSV_PORTABLE};
    shoal_ctx *one = fuzz_ctx(1);
    shoal_ctx *three = fuzz_ctx(3);
    shoal_table *table = NULL;
    shoal_table *again = NULL;
    const char *text = (const char *)data;
    shoal_status st = shoal_i_csv_read_tuned(one, &table, text, size, "fuzz", &options, &whole);
    shoal_i_file_kind kind;

    /* What is no text is told by the first block, which is too small where blocks are tiny. */
    if (shoal_i_file_kind_find(&kind, text, size)) {
        MUST(st == SHOAL_EFORMAT && !table);
        return 0;
    }
    MUST(shoal_i_csv_read_tuned(three, &again, text, size, "fuzz", &options, &cut) == st);
    MUST((table != NULL) == (st == SHOAL_OK) && (again != NULL) == (st == SHOAL_OK));
    if (st != SHOAL_OK) {
        check_failure(one, st);
        /* Of a broken archive with a mistake in its text, either may be met first. */
        if (!shoal_i_codec_of_bytes(data, size)) {
            check_same_failure(&one->error, &three->error);
        }
        return 0;
    }
    MUST(shoal_table_row_count(table) > 0);
    for (size_t c = 0; c < shoal_table_column_count(table); c++) {
        check_codes(table, c);
        check_values(table, c);
    }
    check_equal(table, again);
    check_round_trip(one, table, options.delimiter ? options.delimiter : ';');
    shoal_table_free(table);
    shoal_table_free(again);
    return 0;
}
