#include "csv_stream.h"

#include "csv_fields.h"
#include "../grow.h"

#include <string.h>

#define TAIL_ROOM ((size_t)4096)

/* One more byte for the newline that the last record may lack. */
#define PADDING (SHOAL_I_CSV_PADDING + 1)

void shoal_i_csv_batch_clear(shoal_i_csv_batch *batch)
{
    free(batch->data);
    free(batch->is_odd);
    memset(batch, 0, sizeof *batch);
}

void shoal_i_csv_batch_reset(shoal_i_csv_batch *batch)
{
    batch->start = TAIL_ROOM;
    batch->end = TAIL_ROOM;
    batch->raw_start = TAIL_ROOM;
    batch->raw_count = 0;
    batch->starts_odd = false;
    batch->is_last = false;
}

/* --- Reading. --- */

static shoal_status reserve(shoal_ctx *ctx, shoal_i_csv_batch *batch, size_t capacity,
                            size_t raw_count)
{
    bool *is_odd =
        shoal_i_grow(ctx, batch->is_odd, &batch->raw_capacity, raw_count, sizeof *is_odd);

    if (!is_odd) {
        return SHOAL_ENOMEM;
    }
    batch->is_odd = is_odd;
    if (capacity <= batch->capacity) {
        return SHOAL_OK;
    }
    char *data = shoal_i_realloc(ctx, batch->data, capacity + PADDING, 1);

    if (!data) {
        return SHOAL_ENOMEM;
    }
    memset(data + capacity, 0, PADDING);
    batch->data = data;
    batch->capacity = capacity;
    return SHOAL_OK;
}

shoal_status shoal_i_csv_batch_fill(shoal_ctx *ctx, shoal_i_csv_batch *batch,
                                    shoal_i_csv_stream *stream, size_t amount)
{
    shoal_status st = SHOAL_OK;
    size_t blocks = amount / stream->block_size + (amount % stream->block_size != 0);

    SHOAL_TRY(reserve(ctx, batch, batch->end + blocks * stream->block_size,
                      batch->raw_count + blocks));
    for (size_t i = 0; i < blocks && !batch->is_last; i++) {
        char *bytes = batch->data + batch->end;
        size_t got = 0;

        SHOAL_TRY(shoal_i_check_cancelled(ctx));
        SHOAL_TRY(
            shoal_i_text_source_read(ctx, &got, stream->source, bytes, stream->block_size));
        batch->is_odd[batch->raw_count++] = shoal_i_csv_has_odd_quotes(bytes, got);
        batch->end += got;
        batch->is_last = got < stream->block_size;
    }
done:
    return st;
}

shoal_status shoal_i_csv_batch_prepend(shoal_ctx *ctx, shoal_i_csv_batch *batch,
                                       const char *tail, size_t size, bool is_odd)
{
    shoal_status st = SHOAL_OK;

    if (size > batch->start) {
        size_t length = batch->end - batch->start;

        SHOAL_TRY(reserve(ctx, batch, size + length, batch->raw_count + 1));
        memmove(batch->data + size, batch->data + batch->start, length);
        batch->start = size;
        batch->end = size + length;
        batch->raw_start = size;
    }
    batch->start -= size;
    if (size > 0) {
        memcpy(batch->data + batch->start, tail, size);
    }
    batch->starts_odd = is_odd;
done:
    return st;
}

/* --- Cutting. --- */

/* The place behind the first newline outside quotes from `at` on; end when there is none. */
static size_t find_next_record(const char *data, size_t at, size_t end, bool is_inside)
{
    for (; at < end; at++) {
        if (data[at] == '"') {
            is_inside = !is_inside;
        } else if (data[at] == '\n' && !is_inside) {
            return at + 1;
        }
    }
    return end;
}

/* The place behind the last newline outside quotes; start when there is none. */
static size_t find_last_record(const char *data, size_t start, size_t end, bool is_inside)
{
    for (; end > start; end--) {
        if (data[end - 1] == '"') {
            is_inside = !is_inside;
        } else if (data[end - 1] == '\n' && !is_inside) {
            return end;
        }
    }
    return start;
}

void shoal_i_csv_batch_cut(shoal_i_csv_batch *batch, const shoal_i_csv_stream *stream,
                           shoal_i_csv_block *blocks, size_t *count, size_t *tail,
                           bool *is_open)
{
    bool is_inside = batch->starts_odd;
    size_t start = batch->start; /* of the block that is open */

    *is_open = batch->starts_odd;
    for (size_t i = 0; i < batch->raw_count; i++) {
        *is_open ^= batch->is_odd[i];
    }
    if (batch->is_last && !*is_open && batch->end > batch->start &&
        batch->data[batch->end - 1] != '\n') {
        batch->data[batch->end++] = '\n';
    }
    *tail = find_last_record(batch->data, batch->start, batch->end, *is_open);
    *count = 0;
    for (size_t i = 0; i < batch->raw_count; i++) {
        size_t raw = batch->raw_start + i * stream->block_size;

        if (raw > start && raw < *tail) {
            size_t cut = find_next_record(batch->data, raw, *tail, is_inside);

            blocks[(*count)++] = (shoal_i_csv_block){.start = start, .end = cut};
            start = cut;
        }
        is_inside ^= batch->is_odd[i];
    }
    if (start < *tail) {
        blocks[(*count)++] = (shoal_i_csv_block){.start = start, .end = *tail};
    }
}
