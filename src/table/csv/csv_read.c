#include <shoal/csv.h>

#include "../../base/entry.h"
#include "../../base/pool.h"
#include "../../base/sized.h"
#include "../column_build.h"
#include "csv_reader.h"
#include "csv_text.h"
#include "../grow.h"
#include "../source/file_kind.h"

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
    uint64_t taken; /* of the input, as the meter knows it */

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

/* Say of a file that is no text in UTF-8 what it is. */
static shoal_status check_kind(shoal_ctx *ctx, const shoal_i_csv_reader *reader,
                               const char *text, size_t size)
{
    shoal_i_file_kind kind;

    if (shoal_i_file_kind_find(&kind, text, size)) {
        shoal_i_fail(ctx, SHOAL_EFORMAT, "The file is %s, not delimited text; %s.", kind.name,
                     kind.advice);
        return shoal_i_fail_in(ctx, reader->source, 0, 0);
    }
    /* Every other byte of what is nearly ASCII is 0 in UTF-16. */
    if (size >= 4 && (text[0] == '\0') != (text[1] == '\0') && text[0] != text[1] &&
        (text[0] == '\0') == (text[2] == '\0') && (text[1] == '\0') == (text[3] == '\0')) {
        shoal_i_fail(ctx, SHOAL_EFORMAT,
                     "The file looks like UTF-16 without a byte order mark; if it is, say "
                     "`input.encoding: %s`.",
                     text[0] == '\0' ? "utf-16be" : "utf-16le");
        return shoal_i_fail_in(ctx, reader->source, 1, 1);
    }
    return SHOAL_OK;
}

static shoal_status fail_empty(shoal_ctx *ctx, const shoal_i_csv_reader *reader)
{
    if (reader->skipped_lines == 0) {
        return fail_early(ctx, reader, "The file is empty; a header line was expected.");
    }
    shoal_i_fail(
        ctx, SHOAL_EFORMAT,
        "The file ends with the %lld lines before the header that were to be left out; "
        "a header line was expected.",
        (long long)reader->skipped_lines);
    return shoal_i_fail_in(ctx, reader->source, reader->skipped_lines + 1, 1);
}

/* Skip a byte order mark. */
static shoal_status skip_mark(shoal_ctx *ctx, const shoal_i_csv_reader *reader,
                              shoal_i_csv_batch *batch)
{
    const char *text = batch->data + batch->start;
    size_t size = batch->end - batch->start;
    shoal_status st = check_kind(ctx, reader, text, size);

    if (st == SHOAL_OK && size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        batch->start += 3;
    }
    return st;
}

/* --- Lines before the header. --- */

static shoal_status fail_record_size(shoal_ctx *ctx, const reading *r)
{
    const shoal_i_csv_reader *reader = r->reader;
    int64_t record = reader->table ? (int64_t)reader->row_count : -1; /* else the header */

    shoal_i_fail_at(ctx, SHOAL_ELIMIT, record, -1, "A record is longer than %zu bytes.",
                    r->record_max);
    return shoal_i_fail_in(ctx, reader->source, reader->line_count + 1, 1);
}

/* The size of the line at the start of the batch with its newline; the rest of the text where
 * it has no other. */
static shoal_status fill_line(shoal_ctx *ctx, reading *r, size_t *size)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_batch *batch = r->batch;
    const char *end = NULL;
    size_t at = 0;

    for (;;) {
        const char *text = batch->data + batch->start;
        size_t length = batch->end - batch->start;

        end = memchr(text + at, '\n', length - at);
        *size = end ? (size_t)(end - text) + 1 : length;
        if (end || batch->is_last) {
            break;
        }
        if (length > r->record_max) {
            SHOAL_TRY(fail_record_size(ctx, r));
        }
        at = length;
        SHOAL_TRY(shoal_i_csv_batch_fill(ctx, batch, r->stream,
                                         length > r->batch_size ? length : r->batch_size));
    }
done:
    return st;
}

/* Leave out a line. Quotes in it are no quotes, but were counted with their block. */
static void skip_line(shoal_i_csv_reader *reader, shoal_i_csv_batch *batch, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        batch->starts_odd ^= batch->data[batch->start + i] == '"';
    }
    batch->start += size;
    reader->skipped_lines++;
    reader->line_count++;
}

static shoal_status skip_lines(shoal_ctx *ctx, reading *r)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_reader *reader = r->reader;
    shoal_i_csv_batch *batch = r->batch;
    const char *comment = reader->options.comment ? reader->options.comment : "";
    size_t length = strlen(comment);
    size_t size = 1;

    while (size > 0 &&
           ((size_t)reader->skipped_lines < reader->options.skip_lines || length > 0)) {
        SHOAL_TRY(fill_line(ctx, r, &size));
        if ((size_t)reader->skipped_lines >= reader->options.skip_lines &&
            (size < length || memcmp(batch->data + batch->start, comment, length) != 0)) {
            break;
        }
        if (size > 0) {
            skip_line(reader, batch, size);
        }
    }
    if (batch->start == batch->end) {
        SHOAL_TRY(fail_empty(ctx, reader));
    }
done:
    return st;
}

/* --- The header itself. --- */

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
    return st == SHOAL_OK ? SHOAL_OK : relocate(ctx, reader, 0, reader->skipped_lines);
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
    SHOAL_TRY(skip_lines(ctx, r));
    SHOAL_TRY(fill_header(ctx, r, &size));
    st = shoal_i_csv_header_read(ctx, r->reader, batch->data + batch->start, size);
    if (st != SHOAL_OK) {
        SHOAL_TRY(relocate(ctx, r->reader, 0, r->reader->skipped_lines));
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
        uint64_t taken = shoal_i_text_source_taken(r->stream->source);

        SHOAL_TRY(shoal_i_meter_add(ctx, &r->meter, taken - r->taken));
        r->taken = taken;
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
    if ((unsigned)reader->options.encoding > SHOAL_ENCODING_UTF16BE) {
        SHOAL_TRY(shoal_i_fail(ctx, SHOAL_EINVAL, "There is no encoding of number %u.",
                               (unsigned)reader->options.encoding));
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

static shoal_status read_source(shoal_ctx *ctx, shoal_table **out, shoal_i_csv_stream *stream,
                                shoal_i_csv_reader *reader, const shoal_i_csv_tuning *tuning)
{
    shoal_status st = SHOAL_OK;
    uint64_t size = shoal_i_text_source_size(stream->source);
    shoal_i_csv_batch batches[2] = {{0}};
    reading r = {.reader = reader,
                 .stream = stream,
                 .record_max = tuning->record_max ? tuning->record_max : RECORD_MAX,
                 .caller = ctx->worker,
                 .meter = {.stage = "read", .total = size + size / FINISH_SHARE},
                 .batch = &batches[0],
                 .next = &batches[1]};

    r.batch_size = stream->block_size * BLOCKS_PER_THREAD * reader->worker_count;
    if (tuning->spooling) {
        SHOAL_TRY(shoal_i_spool_open(ctx, &reader->spool, tuning->spooling->folder));
    }
    SHOAL_TRY(read_text(ctx, &r));
    *out = reader->table;
    reader->table = NULL;
done:
    shoal_i_csv_batch_clear(&batches[0]);
    shoal_i_csv_batch_clear(&batches[1]);
    free(r.blocks);
    return st;
}

static shoal_status read_origin(shoal_ctx *ctx, shoal_table **out, shoal_i_text_origin origin,
                                const char *source, const shoal_csv_options *options,
                                const shoal_i_csv_tuning *tuning)
{
    shoal_status st = SHOAL_OK;
    shoal_i_csv_stream stream = {.origin = origin};
    shoal_i_csv_reader reader = {
        .source = source, .stream = &stream, .spooling = tuning->spooling};

    *out = NULL;
    stream.block_size = tuning->block_size ? tuning->block_size : BLOCK_SIZE;
    SHOAL_TRY(init_reader(ctx, &reader, options, tuning->kind));
    stream.origin.encoding = reader.options.encoding;
    SHOAL_TRY(shoal_i_text_source_open(ctx, &stream.source, &stream.origin));
    SHOAL_TRY(read_source(ctx, out, &stream, &reader, tuning));
done:
    clear_reader(&reader);
    shoal_i_text_source_free(stream.source);
    return st;
}

shoal_status shoal_i_csv_read_tuned(shoal_ctx *ctx, shoal_table **out, const char *bytes,
                                    size_t size, const char *source,
                                    const shoal_csv_options *options,
                                    const shoal_i_csv_tuning *tuning)
{
    shoal_i_text_origin origin = {.bytes = bytes, .size = size, .name = source};

    return read_origin(ctx, out, origin, source, options, tuning);
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
    shoal_i_csv_tuning tuning = {.spooling = spooling};
    const char *source = strcmp(path, "-") == 0 ? "standard input" : path;

    return read_origin(ctx, out, (shoal_i_text_origin){.path = path}, source, options, &tuning);
}

shoal_status shoal_csv_read(shoal_ctx *ctx, shoal_table **out, const char *path,
                            const shoal_csv_options *options)
{
    SHOAL_ENTER_FOR(ctx, out, path);

    return shoal_i_csv_read_spooled(ctx, out, path, options, NULL);
}
