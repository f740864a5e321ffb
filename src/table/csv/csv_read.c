#include <shoal/csv.h>

#include "../../base/entry.h"
#include "../../base/pool.h"
#include "../../base/sized.h"
#include "../column_build.h"
#include "csv_reader.h"
#include "csv_text.h"
#include "../grow.h"

#include <assert.h>
#include <string.h>

/* Small enough that a block, its masks and its field ends stay in the second-level cache. */
#define BLOCK_SIZE ((size_t)64 * 1024)
#define BLOCKS_PER_THREAD 16
#define RECORD_MAX ((size_t)1 << 30)
#define ROWS_MAX ((size_t)UINT32_MAX - 1)

/* Of the progress, the part that is not reading: one eighth. */
#define FINISH_SHARE 8

/* One batch at work: the blocks of this one, and the next one being read. */
typedef struct reading {
    shoal_i_csv_reader *reader;
    shoal_i_csv_stream *stream;
    size_t batch_size;
    size_t record_max;
    size_t caller; /* worker number of the thread that reads */
    shoal_i_meter meter;

    shoal_i_csv_batch *batch;
    shoal_i_csv_batch *next;
    bool has_next; /* it has been read */
    shoal_i_csv_block *blocks;
    size_t block_capacity;
    size_t block_count;
    size_t first_run;   /* that of block 0 */
    shoal_ctx fill_ctx; /* what went wrong with reading ahead; blocks before it count first */
    shoal_status fill_status;
} reading;

/* --- Failures. --- */

/* A failure inside a text that starts behind `rows` records and `lines` lines. */
static shoal_status relocate(shoal_ctx *ctx, const shoal_i_csv_reader *reader, size_t rows,
                             int64_t lines)
{
    shoal_error *error = &ctx->error;

    if (error->line > 0 && error->source[0] == '\0') {
        error->record += error->record >= 0 ? (int64_t)rows : 0;
        return shoal_i_fail_in(ctx, reader->source, lines + error->line, error->column);
    }
    return error->status;
}

static shoal_status fail_early(shoal_ctx *ctx, const shoal_i_csv_reader *reader,
                               const char *message)
{
    shoal_i_fail(ctx, SHOAL_EFORMAT, "%s", message);
    return shoal_i_fail_in(ctx, reader->source, 1, 1);
}

/* --- The header. --- */

/* Skip a byte order mark; name the encodings that are not ours. */
static shoal_status skip_mark(shoal_ctx *ctx, const shoal_i_csv_reader *reader,
                              shoal_i_csv_batch *batch)
{
    const char *text = batch->data + batch->start;
    size_t size = batch->end - batch->start;

    if (size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0)) {
        return fail_early(ctx, reader, "The file is UTF-16; convert it to UTF-8 first.");
    }
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        batch->start += 3;
    }
    if (batch->start == batch->end) {
        return fail_early(ctx, reader, "The file is empty; a header line was expected.");
    }
    return SHOAL_OK;
}

/* The size of the header with its newline, 0 as long as its end has not been read. From *at on,
 * where the number of quotes is odd or not, the text has not been looked at. */
static size_t find_header_end(const shoal_i_csv_batch *batch, size_t *at, bool *is_inside)
{
    const char *text = batch->data + batch->start;
    size_t size = batch->end - batch->start;

    for (; *at < size; ++*at) {
        if (text[*at] == '"') {
            *is_inside = !*is_inside;
        } else if (text[*at] == '\n' && !*is_inside) {
            return *at + 1;
        }
    }
    return 0;
}

static shoal_status check_open_header(shoal_ctx *ctx, const shoal_i_csv_reader *reader,
                                      const shoal_i_csv_batch *batch)
{
    const char *text = batch->data + batch->start;
    size_t size = batch->end - batch->start;
    shoal_i_csv_fields fields = {.scanner = reader->scanner,
                                 .delimiter = shoal_i_csv_header_delimiter(reader, text, size)};
    shoal_status st = shoal_i_csv_fields_check_open(ctx, &fields, text, size, batch->is_last);

    shoal_i_csv_fields_clear(&fields);
    return st == SHOAL_OK ? SHOAL_OK : relocate(ctx, reader, 0, 0);
}

static shoal_status fail_record_size(shoal_ctx *ctx, const reading *r)
{
    const shoal_i_csv_reader *reader = r->reader;
    int64_t record = reader->table ? (int64_t)reader->row_count : -1; /* else the header */

    shoal_i_fail_at(ctx, SHOAL_ELIMIT, record, -1, "A record is longer than %zu bytes.",
                    r->record_max);
    return shoal_i_fail_in(ctx, reader->source, reader->line_count + 1, 1);
}

/* Read until the header is complete; *size is its size. */
static shoal_status fill_header(shoal_ctx *ctx, reading *r, size_t *size)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_batch *batch = r->batch;
    size_t at = 0;
    bool is_inside = false;

    while ((*size = find_header_end(batch, &at, &is_inside)) == 0) {
        size_t length = batch->end - batch->start;

        if (batch->is_last && !is_inside) {
            batch->data[batch->end++] = '\n';
        } else if (batch->is_last || length > SHOAL_CSV_FIELD_MAX) {
            SHOAL_TRY(check_open_header(ctx, r->reader, batch));
        }
        if (length > r->record_max) {
            SHOAL_TRY(fail_record_size(ctx, r));
        }
        if (!batch->is_last) {
            SHOAL_TRY(shoal_i_csv_batch_fill(ctx, batch, r->stream,
                                             length > r->batch_size ? length : r->batch_size));
        }
    }
done:
    return st;
}

static shoal_status read_header(shoal_ctx *ctx, reading *r)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_batch *batch = r->batch;
    size_t size = 0;

    shoal_i_csv_batch_reset(batch);
    /* Enough for any mark, however small the blocks are. */
    SHOAL_TRY(
        shoal_i_csv_batch_fill(ctx, batch, r->stream, r->batch_size > 3 ? r->batch_size : 3));
    SHOAL_TRY(skip_mark(ctx, r->reader, batch));
    SHOAL_TRY(fill_header(ctx, r, &size));
    st = shoal_i_csv_header_read(ctx, r->reader, batch->data + batch->start, size);
    if (st != SHOAL_OK) {
        SHOAL_TRY(relocate(ctx, r->reader, 0, 0));
    }
    batch->start += size;
done:
    return st;
}

/* --- Batches. --- */

static shoal_status start_worker(shoal_ctx *ctx, shoal_i_csv_worker **out,
                                 shoal_i_csv_reader *reader, size_t index)
{
    shoal_i_csv_worker *worker = &reader->workers[index];
    shoal_status st = SHOAL_OK;

    assert(index < reader->worker_count);
    if (!worker->dictionaries) {
        SHOAL_ALLOC(ctx, worker->dictionaries, reader->column_count);
        worker->fields.scanner = reader->scanner;
        worker->fields.delimiter = reader->delimiter;
        worker->fields.column_count = reader->column_count;
    }
    *out = worker;
done:
    return st;
}

/* Read the next batch. A record that is longer than a batch makes the batches grow with it. */
static void read_ahead(shoal_ctx *ctx, reading *r)
{
    const shoal_i_csv_batch *batch = r->batch;
    size_t tail = batch->raw_start > batch->start ? batch->raw_start - batch->start : 0;

    r->has_next = true;
    if (!batch->is_last) {
        shoal_i_csv_batch_reset(r->next);
        r->fill_status = shoal_i_csv_batch_fill(ctx, r->next, r->stream,
                                                tail > r->batch_size ? tail : r->batch_size);
        shoal_i_fail_copy(&r->fill_ctx, ctx);
    }
}

/* Index 0 reads ahead; it never fails itself, since what is wrong in this batch comes first.
 * Only the calling thread reads: it is the one that a signal wakes from waiting for a pipe. */
static shoal_status work(shoal_ctx *ctx, void *payload, size_t index)
{
    reading *r = payload;
    shoal_i_csv_worker *worker = NULL;
    shoal_status st = SHOAL_OK;

    if (index == 0) {
        if (ctx->worker == r->caller) {
            read_ahead(ctx, r);
        }
        return SHOAL_OK;
    }
    const shoal_i_csv_block *block = &r->blocks[index - 1];
    shoal_i_csv_run *run = &r->reader->runs[r->first_run + index - 1];

    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    SHOAL_TRY(start_worker(ctx, &worker, r->reader, ctx->worker));
    run->worker = ctx->worker;
    run->status =
        shoal_i_csv_block_code(ctx, run, worker, r->reader->columns,
                               r->batch->data + block->start, block->end - block->start);
    st = run->status;
done:
    return st;
}

/* Move the place of the failure that ended a batch from its block to the whole text. */
static shoal_status relocate_block(shoal_ctx *ctx, const reading *r)
{
    const shoal_i_csv_reader *reader = r->reader;
    size_t rows = reader->row_count;
    int64_t lines = reader->line_count;

    for (size_t i = 0; i < r->block_count; i++) {
        const shoal_i_csv_run *run = &reader->runs[r->first_run + i];

        if (run->status != SHOAL_OK) {
            break;
        }
        rows += run->row_count;
        lines += (int64_t)run->line_count;
    }
    return relocate(ctx, reader, rows, lines);
}

static shoal_status reserve_runs(shoal_ctx *ctx, reading *r)
{
    shoal_i_csv_reader *reader = r->reader;
    shoal_i_csv_run *runs = shoal_i_grow(ctx, reader->runs, &reader->run_capacity,
                                         reader->run_count + r->block_count + 1, sizeof *runs);

    if (!runs) {
        return SHOAL_ENOMEM;
    }
    reader->runs = runs;
    r->first_run = reader->run_count;
    memset(runs + reader->run_count, 0, r->block_count * sizeof *runs);
    reader->run_count += r->block_count;
    return SHOAL_OK;
}

static shoal_status count_runs(shoal_ctx *ctx, const reading *r)
{
    shoal_i_csv_reader *reader = r->reader;

    for (size_t i = r->first_run; i < reader->run_count; i++) {
        shoal_i_csv_run *run = &reader->runs[i];

        run->first_row = reader->row_count;
        reader->row_count += run->row_count;
        reader->line_count += (int64_t)run->line_count;
    }
    if (reader->row_count > ROWS_MAX) {
        shoal_i_fail(ctx, SHOAL_ELIMIT, "The file has more than %zu records.", ROWS_MAX);
        return shoal_i_fail_in(ctx, reader->source, 0, 0);
    }
    return SHOAL_OK;
}

static shoal_status cut_batch(shoal_ctx *ctx, reading *r, size_t *tail, bool *is_open)
{
    shoal_i_csv_block *blocks = shoal_i_grow(ctx, r->blocks, &r->block_capacity,
                                             r->batch->raw_count + 1, sizeof *blocks);

    if (!blocks) {
        return SHOAL_ENOMEM;
    }
    r->blocks = blocks;
    shoal_i_csv_batch_cut(r->batch, r->stream, blocks, &r->block_count, tail, is_open);
    return SHOAL_OK;
}

/* What is left of a batch must at least be able to become a record. */
static shoal_status check_tail(shoal_ctx *ctx, const reading *r, size_t tail)
{
    shoal_i_csv_reader *reader = r->reader;
    size_t size = r->batch->end - tail;
    shoal_i_csv_worker *worker = NULL;
    shoal_status st = SHOAL_OK;

    if (size > r->record_max) {
        return fail_record_size(ctx, r);
    }
    if (size == 0 || (size <= SHOAL_CSV_FIELD_MAX && !r->batch->is_last)) {
        return SHOAL_OK;
    }
    SHOAL_TRY(start_worker(ctx, &worker, reader, 0));
    st = shoal_i_csv_fields_check_open(ctx, &worker->fields, r->batch->data + tail, size,
                                       r->batch->is_last);
    if (st != SHOAL_OK) {
        SHOAL_TRY(relocate(ctx, reader, reader->row_count, reader->line_count));
    }
done:
    return st;
}

/* Work on one batch while the next is read, and make that the current one. */
static shoal_status read_batch(shoal_ctx *ctx, reading *r)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_batch *batch = r->batch;
    size_t tail = 0;
    bool is_open = false;

    SHOAL_TRY(cut_batch(ctx, r, &tail, &is_open));
    SHOAL_TRY(reserve_runs(ctx, r));
    r->has_next = false;
    st = shoal_i_parallel_for(ctx, r->block_count + 1, work, r);
    if (st != SHOAL_OK) {
        SHOAL_TRY(relocate_block(ctx, r));
    }
    if (!r->has_next) {
        read_ahead(ctx, r);
    }
    SHOAL_TRY(count_runs(ctx, r));
    if (r->reader->spooling) {
        SHOAL_TRY(shoal_i_csv_spool_runs(ctx, r->reader, r->first_run));
    }
    SHOAL_TRY(check_tail(ctx, r, tail));
    if (r->fill_status != SHOAL_OK) {
        shoal_i_fail_copy(ctx, &r->fill_ctx);
        SHOAL_TRY(r->fill_status);
    }
    if (r->meter.total > 0) {
        SHOAL_TRY(shoal_i_meter_add(ctx, &r->meter, batch->end - batch->raw_start));
    }
    if (!batch->is_last) {
        SHOAL_TRY(shoal_i_csv_batch_prepend(ctx, r->next, batch->data + tail, batch->end - tail,
                                            is_open));
        r->batch = r->next;
        r->next = batch;
    }
done:
    return st;
}

static shoal_status read_text(shoal_ctx *ctx, reading *r)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_worker *first = NULL;
    bool is_last = false;

    SHOAL_TRY(shoal_i_progress(ctx, "read", 0));
    SHOAL_TRY(read_header(ctx, r));
    while (!is_last) {
        is_last = r->batch->is_last;
        SHOAL_TRY(read_batch(ctx, r));
    }
    if (r->reader->row_count == 0) {
        SHOAL_TRY(fail_early(ctx, r->reader, "The file has a header but no records."));
    }
    /* The first worker's dictionaries are where all of them come together. */
    SHOAL_TRY(start_worker(ctx, &first, r->reader, 0));
    SHOAL_TRY(shoal_i_csv_finish(ctx, r->reader));
    SHOAL_TRY(shoal_i_progress(ctx, "read", 1));
done:
    return st;
}

/* --- From options to a table. --- */

static shoal_status init_reader(shoal_ctx *ctx, shoal_i_csv_reader *reader,
                                const shoal_csv_options *options, shoal_i_csv_kind kind)
{
    shoal_status st = SHOAL_OK;

    reader->options = (shoal_csv_options)SHOAL_CSV_OPTIONS_INIT;
    SHOAL_TRY(shoal_i_sized_take(ctx, &reader->options, sizeof reader->options, options,
                                 "shoal_csv_options"));
    if (!reader->options.missing_tokens) {
        reader->options.missing_tokens = shoal_i_usual_tokens;
        reader->options.missing_token_count =
            sizeof shoal_i_usual_tokens / sizeof *shoal_i_usual_tokens;
    }
    if (reader->options.delimiter) {
        SHOAL_TRY(shoal_i_csv_check_delimiter(ctx, reader->options.delimiter));
    }
    reader->scanner = shoal_i_csv_scanner_find(kind);
    assert(reader->scanner);
    reader->worker_count = (size_t)shoal_ctx_thread_count(ctx);
    SHOAL_ALLOC(ctx, reader->workers, reader->worker_count);
done:
    return st;
}

static void clear_reader(shoal_i_csv_reader *reader)
{
    for (size_t w = 0; reader->workers && w < reader->worker_count; w++) {
        shoal_i_csv_worker_clear(&reader->workers[w], reader->column_count);
    }
    for (size_t i = 0; i < reader->run_count; i++) {
        shoal_i_csv_run_clear(&reader->runs[i]);
    }
    free(reader->workers);
    free(reader->runs);
    free(reader->columns);
    shoal_i_spool_free(reader->spool);
    shoal_table_free(reader->table);
}

static shoal_status read_stream(shoal_ctx *ctx, shoal_table **out, shoal_i_csv_stream *stream,
                                const char *source, uint64_t size,
                                const shoal_csv_options *options,
                                const shoal_i_csv_tuning *tuning)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_reader reader = {
        .source = source, .stream = stream, .spooling = tuning->spooling};
    shoal_i_csv_batch batches[2] = {{0}};
    reading r = {.reader = &reader,
                 .stream = stream,
                 .record_max = tuning->record_max ? tuning->record_max : RECORD_MAX,
                 .caller = ctx->worker,
                 .meter = {.stage = "read", .total = size + size / FINISH_SHARE},
                 .batch = &batches[0],
                 .next = &batches[1]};

    stream->block_size = tuning->block_size ? tuning->block_size : BLOCK_SIZE;
    SHOAL_TRY(init_reader(ctx, &reader, options, tuning->kind));
    r.batch_size = stream->block_size * BLOCKS_PER_THREAD * reader.worker_count;
    if (tuning->spooling) {
        SHOAL_TRY(shoal_i_spool_open(ctx, &reader.spool, tuning->spooling->folder));
    }
    SHOAL_TRY(read_text(ctx, &r));
    *out = reader.table;
    reader.table = NULL;
done:
    shoal_i_csv_batch_clear(&batches[0]);
    shoal_i_csv_batch_clear(&batches[1]);
    free(r.blocks);
    clear_reader(&reader);
    return st;
}

shoal_status shoal_i_csv_read_tuned(shoal_ctx *ctx, shoal_table **out, const char *bytes,
                                    size_t size, const char *source,
                                    const shoal_csv_options *options,
                                    const shoal_i_csv_tuning *tuning)
{
    shoal_i_csv_stream stream = {.bytes = bytes, .size = size};

    *out = NULL;
    return read_stream(ctx, out, &stream, source, size, options, tuning);
}

shoal_status shoal_csv_read_memory(shoal_ctx *ctx, shoal_table **out, const char *bytes,
                                   size_t size, const char *source,
                                   const shoal_csv_options *options)
{
    SHOAL_ENTER_FOR(ctx, out, source);
    shoal_status st = shoal_i_check_bytes(ctx, bytes, size);

    return st == SHOAL_OK ? shoal_i_csv_read_tuned(ctx, out, bytes, size, source, options,
                                                   &(shoal_i_csv_tuning){0})
                          : st;
}

shoal_status shoal_i_csv_read_spooled(shoal_ctx *ctx, shoal_table **out, const char *path,
                                      const shoal_csv_options *options,
                                      const shoal_i_csv_spooling *spooling)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_stream stream = {.path = path};
    shoal_i_csv_tuning tuning = {.spooling = spooling};
    const char *source = strcmp(path, "-") == 0 ? "standard input" : path;

    *out = NULL;
    SHOAL_TRY(shoal_i_input_open(ctx, &stream.input, path));
    SHOAL_TRY(read_stream(ctx, out, &stream, source, shoal_i_input_size(stream.input), options,
                          &tuning));
done:
    shoal_i_input_free(stream.input);
    return st;
}

shoal_status shoal_csv_read(shoal_ctx *ctx, shoal_table **out, const char *path,
                            const shoal_csv_options *options)
{
    SHOAL_ENTER_FOR(ctx, out, path);

    return shoal_i_csv_read_spooled(ctx, out, path, options, NULL);
}
