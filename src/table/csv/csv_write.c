#include <shoal/csv.h>

#include "../../base/entry.h"
#include "../../base/file.h"
#include "../../base/pool.h"
#include "csv_text.h"
#include "../table_build.h"

#define ROWS_PER_CHUNK ((size_t)8192)
#define CHUNKS_PER_THREAD 4

/* The values of a column as they are written, each with the byte that follows it. */
typedef struct rendered {
    size_t column;
    shoal_i_codes codes;
    char *texts;
    size_t *starts; /* of each code, missing included, and the end */
} rendered;

typedef struct writing {
    const shoal_table *table;
    char delimiter;
    shoal_i_output *output; /* where the text goes; NULL: to the sink */
    shoal_csv_sink_fn sink;
    void *payload;
    rendered *columns; /* those that are written */
    size_t column_count;
    shoal_i_buffer *chunks;
    size_t chunk_count;
    size_t first_row; /* of chunk 0 */
} writing;

static shoal_status hand_over(shoal_ctx *ctx, const writing *w, const char *bytes, size_t size)
{
    if (w->output) {
        return shoal_i_output_write(ctx, w->output, bytes, size);
    }
    return w->sink(w->payload, bytes, size)
               ? SHOAL_OK
               : shoal_i_fail(ctx, SHOAL_EIO, "Whoever was to take the text refused it.");
}

/* A line with nothing on it could be taken for no record at all, and in a file of one column a
 * reader takes a comma for the delimiter, which the header does not tell. */
static void put_value(shoal_i_buffer *buffer, const writing *w, const char *text, size_t length)
{
    if (w->column_count == 1 && (length == 0 || memchr(text, ',', length))) {
        shoal_i_csv_put_quoted(buffer, text, length);
    } else {
        shoal_i_csv_put_field(buffer, text, length, w->delimiter);
    }
}

static shoal_status render_column(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    const writing *w = payload;
    rendered *out = &w->columns[index];
    size_t value_count = shoal_table_value_count(w->table, out->column);
    shoal_i_buffer buffer;

    shoal_i_buffer_init(&buffer, ctx, SHOAL_I_BUFFER_MAX);
    SHOAL_ALLOC(ctx, out->starts, value_count + 2);
    for (size_t code = 0; code <= value_count; code++) {
        size_t length;
        const char *text = shoal_table_text(w->table, out->column, (uint32_t)code, &length);

        put_value(&buffer, w, text, length);
        shoal_i_buffer_char(&buffer, index + 1 < w->column_count ? w->delimiter : '\n');
        out->starts[code + 1] = buffer.size;
    }
    SHOAL_TRY(shoal_i_buffer_take(&out->texts, &buffer));
done:
    shoal_i_buffer_clear(&buffer);
    return st;
}

static shoal_status fill_chunk(shoal_ctx *ctx, void *payload, size_t index)
{
    const writing *w = payload;
    shoal_i_buffer *buffer = &w->chunks[index];
    size_t first = w->first_row + index * ROWS_PER_CHUNK;
    size_t left = w->table->row_count - first;
    size_t end = first + (left < ROWS_PER_CHUNK ? left : ROWS_PER_CHUNK);

    shoal_i_buffer_init(buffer, ctx, SHOAL_I_BUFFER_MAX);
    for (size_t row = first; row < end; row++) {
        for (size_t c = 0; c < w->column_count; c++) {
            const rendered *column = &w->columns[c];
            const size_t *start = &column->starts[shoal_i_codes_get(column->codes, row)];

            shoal_i_buffer_put(buffer, column->texts + start[0], start[1] - start[0]);
        }
    }
    return shoal_i_buffer_status(buffer);
}

/* Fill as many chunks as there are rows for, all at once, and write them in order. */
static shoal_status write_chunks(shoal_ctx *ctx, writing *w)
{
    shoal_status st = SHOAL_OK;
    size_t left = w->table->row_count - w->first_row;
    size_t wanted = left / ROWS_PER_CHUNK + (left % ROWS_PER_CHUNK != 0);
    size_t count = wanted < w->chunk_count ? wanted : w->chunk_count;

    SHOAL_TRY(shoal_i_parallel_for(ctx, count, fill_chunk, w));
    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(hand_over(ctx, w, w->chunks[i].data, w->chunks[i].size));
    }
    w->first_row += left < count * ROWS_PER_CHUNK ? left : count * ROWS_PER_CHUNK;
done:
    for (size_t i = 0; i < count; i++) {
        shoal_i_buffer_clear(&w->chunks[i]);
    }
    return st;
}

static shoal_status write_header(shoal_ctx *ctx, const writing *w)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer buffer;

    shoal_i_buffer_init(&buffer, ctx, SHOAL_I_BUFFER_MAX);
    for (size_t c = 0; c < w->column_count; c++) {
        shoal_i_csv_put_name(&buffer, shoal_table_name(w->table, w->columns[c].column),
                             w->delimiter);
        shoal_i_buffer_char(&buffer, c + 1 < w->column_count ? w->delimiter : '\n');
    }
    SHOAL_TRY(shoal_i_buffer_status(&buffer));
    SHOAL_TRY(hand_over(ctx, w, buffer.data, buffer.size));
done:
    shoal_i_buffer_clear(&buffer);
    return st;
}

static shoal_status choose_columns(shoal_ctx *ctx, writing *w)
{
    shoal_status st = SHOAL_OK;
    size_t count = shoal_table_column_count(w->table);

    SHOAL_ALLOC(ctx, w->columns, count);
    for (size_t c = 0; c < count; c++) {
        if (!shoal_table_is_skipped(w->table, c)) {
            w->columns[w->column_count++] =
                (rendered){.column = c, .codes = shoal_i_table_codes(w->table, c)};
        }
    }
    if (w->column_count == 0) {
        st = shoal_i_fail(ctx, SHOAL_EINVAL,
                          "There is nothing to write: all columns were skipped.");
    }
done:
    return st;
}

static void clear_writing(writing *w)
{
    for (size_t c = 0; c < w->column_count; c++) {
        free(w->columns[c].texts);
        free(w->columns[c].starts);
    }
    free(w->columns);
    free(w->chunks);
}

static shoal_status write_rows(shoal_ctx *ctx, writing *w)
{
    shoal_status st = SHOAL_OK;
    shoal_i_meter meter = {.stage = "write", .total = w->table->row_count};

    SHOAL_TRY(shoal_i_progress(ctx, "write", 0));
    while (w->first_row < w->table->row_count) {
        SHOAL_TRY(write_chunks(ctx, w));
        SHOAL_TRY(shoal_i_meter_add(ctx, &meter, w->first_row - meter.done));
    }
done:
    return st;
}

static shoal_status write_table(shoal_ctx *ctx, writing *w)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_csv_check_delimiter(ctx, w->delimiter));
    SHOAL_TRY(choose_columns(ctx, w));
    SHOAL_TRY(shoal_i_parallel_for(ctx, w->column_count, render_column, w));
    w->chunk_count = (size_t)shoal_ctx_thread_count(ctx) * CHUNKS_PER_THREAD;
    SHOAL_ALLOC(ctx, w->chunks, w->chunk_count);
    SHOAL_TRY(write_header(ctx, w));
    SHOAL_TRY(write_rows(ctx, w));
done:
    clear_writing(w);
    return st;
}

shoal_status shoal_csv_write(shoal_ctx *ctx, const shoal_table *table, const char *path,
                             char delimiter)
{
    SHOAL_ENTER(ctx, table, path);
    shoal_status st = SHOAL_OK;
    writing w = {.table = table, .delimiter = delimiter};

    SHOAL_TRY(shoal_i_output_open(ctx, &w.output, path));
    SHOAL_TRY(write_table(ctx, &w));
    SHOAL_TRY(shoal_i_output_publish(ctx, w.output));
    SHOAL_TRY(shoal_i_progress(ctx, "write", 1));
done:
    shoal_i_output_free(w.output);
    return st;
}

shoal_status shoal_csv_write_to(shoal_ctx *ctx, const shoal_table *table, char delimiter,
                                shoal_csv_sink_fn sink, void *payload)
{
    SHOAL_ENTER(ctx, table);
    shoal_status st = SHOAL_OK;
    writing w = {.table = table, .delimiter = delimiter, .sink = sink, .payload = payload};

    if (!sink) {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "shoal_csv_write_to: `sink` is NULL.");
    }
    SHOAL_TRY(write_table(ctx, &w));
    SHOAL_TRY(shoal_i_progress(ctx, "write", 1));
done:
    return st;
}
