#include "csv_reader.h"

static const char delimiters[] = {',', ';', '\t', '|'};

/* The most frequent candidate outside quotes, the first of them in a draw: a single column has
 * none. */
char shoal_i_csv_header_delimiter(const shoal_i_csv_reader *reader, const char *bytes,
                                  size_t size)
{
    size_t counts[sizeof delimiters] = {0};
    bool is_inside = false;
    size_t best = 0;

    if (reader->options.delimiter) {
        return reader->options.delimiter;
    }
    for (size_t i = 0; i < size; i++) {
        is_inside ^= bytes[i] == '"';
        for (size_t d = 0; d < sizeof delimiters && !is_inside; d++) {
            counts[d] += bytes[i] == delimiters[d];
        }
    }
    for (size_t d = 1; d < sizeof delimiters; d++) {
        if (counts[d] > counts[best]) {
            best = d;
        }
    }
    return delimiters[best];
}

static shoal_status make_table(shoal_ctx *ctx, shoal_i_csv_reader *reader,
                               const shoal_i_csv_fields *header)
{
    shoal_status st = SHOAL_OK;

    if (header->list_count > SHOAL_CSV_COLUMNS_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "The header has %zu columns; the limit is %d.",
                            header->list_count, SHOAL_CSV_COLUMNS_MAX);
    }
    SHOAL_TRY(shoal_i_table_new(ctx, &reader->table, reader->source, header->list_count));
    reader->column_count = header->list_count;
    for (size_t c = 0; c < reader->column_count; c++) {
        SHOAL_TRY(shoal_i_table_set_name(ctx, reader->table, c, header->list[c].text,
                                         header->list[c].length));
    }
    SHOAL_TRY(shoal_i_table_check_names(ctx, reader->table, SHOAL_EFORMAT));
    SHOAL_TRY(shoal_i_table_index_names(ctx, reader->table));
done:
    return st;
}

/* A mistake in the header lies on line 1 unless its place is known better. */
static shoal_status locate_name(shoal_ctx *ctx, const shoal_i_csv_fields *header,
                                shoal_status status)
{
    int64_t field = ctx->error.field;

    if (status != SHOAL_ENOMEM && ctx->error.line == 0) {
        ctx->error.line = 1;
        if (field >= 0 && header->line_count == 1) {
            ctx->error.column = (int64_t)(uint32_t)(header->ends[field] + 1) + 1;
        }
    }
    return status;
}

static shoal_status configure_columns(shoal_ctx *ctx, shoal_i_csv_reader *reader)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, reader->columns, reader->column_count);
    for (size_t c = 0; c < reader->column_count; c++) {
        reader->columns[c] = (shoal_csv_column){.name = reader->table->columns[c].name,
                                                .type = SHOAL_TYPE_AUTO,
                                                .detect_missing = true};
    }
    if (reader->options.configure) {
        SHOAL_TRY(reader->options.configure(ctx, reader->options.configure_payload,
                                            reader->columns, reader->column_count));
    }
    for (size_t c = 0; c < reader->column_count; c++) {
        reader->table->columns[c].skipped = reader->columns[c].skip;
        reader->table->columns[c].type = SHOAL_TYPE_STRING; /* of a column that is skipped */
    }
done:
    return st;
}

/* A file whose lines end in CR alone is one long line, and its header holds all that it has: it
 * must not be quoted as names. */
static shoal_status check_line_ends(shoal_ctx *ctx, const char *bytes, size_t size)
{
    bool is_inside = false;

    for (size_t i = 0; i + 1 < size; i++) {
        is_inside ^= bytes[i] == '"';
        if (bytes[i] == '\r' && bytes[i + 1] != '\n' && !is_inside) {
            shoal_i_fail(
                ctx, SHOAL_EFORMAT,
                "A carriage return stands in the header line without a line feed; lines "
                "end in LF or CRLF here. Convert the line ends first.");
            ctx->error.line = 1;
            ctx->error.column = (int64_t)i + 1;
            return SHOAL_EFORMAT;
        }
    }
    return SHOAL_OK;
}

/* A line "# exported 2024" is no header. It has no delimiter, so that all others would be taken
 * for records of one column. */
static shoal_status check_comment(shoal_ctx *ctx, const shoal_i_csv_reader *reader,
                                  const shoal_i_csv_fields *header)
{
    const shoal_csv_options *o = &reader->options;

    if (header->list_count != 1 || o->delimiter || (o->comment && o->comment[0]) ||
        header->list[0].length == 0 || header->list[0].text[0] != '#') {
        return SHOAL_OK;
    }
    shoal_i_fail(
        ctx, SHOAL_EFORMAT,
        "The line for the header begins with # and has no delimiter, as comments have; "
        "leave such lines out by `input.comment`, or say `input.delimiter` if it is "
        "the header.");
    ctx->error.line = reader->skipped_lines + 1;
    return SHOAL_EFORMAT;
}

shoal_status shoal_i_csv_header_read(shoal_ctx *ctx, shoal_i_csv_reader *reader,
                                     const char *bytes, size_t size)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_fields header = {.scanner = reader->scanner};

    SHOAL_TRY(check_line_ends(ctx, bytes, size));
    reader->delimiter = shoal_i_csv_header_delimiter(reader, bytes, size);
    header.delimiter = reader->delimiter;
    SHOAL_TRY(shoal_i_csv_fields_find(ctx, &header, bytes, size));
    SHOAL_TRY(check_comment(ctx, reader, &header));
    st = make_table(ctx, reader, &header);
    if (st != SHOAL_OK) {
        SHOAL_TRY(locate_name(ctx, &header, st));
    }
    reader->header_lines = reader->skipped_lines + (int64_t)header.line_count;
    reader->line_count = reader->header_lines;
    SHOAL_TRY(configure_columns(ctx, reader));
done:
    shoal_i_csv_fields_clear(&header);
    return st;
}
