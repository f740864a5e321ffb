/* csv_stream.h -- the text of a CSV file batch by batch, cut into blocks of whole records.
 *
 * A batch is read in raw blocks of a fixed size, and for each the parity of its quotes is noted
 * while it is in the cache. Where a raw block starts, the text is inside quotes exactly if the
 * number of quotes before is odd, so every cut can be moved to the next end of a record without
 * looking at the text in between:
 *
 *     raw      |...\n....|..\n.."..|..\n.."..\n|....    parity 0, 1, 1, 0
 *     blocks   |...\n......\n|.."....\n.."..\n|          the rest is the tail
 *
 * The tail, a record of which the end is not there yet, is put in front of the next batch. The
 * next batch is read while the blocks of this one are worked on, into a second buffer.
 */
#ifndef SHOAL_I_CSV_STREAM_H
#define SHOAL_I_CSV_STREAM_H

#include "../source/text_source.h"

/* Where the text comes from. */
typedef struct shoal_i_csv_stream {
    shoal_i_text_source *source;
    shoal_i_text_origin origin; /* to open it again */
    size_t block_size;          /* bytes of a raw block, at least 1 */
} shoal_i_csv_stream;

typedef struct shoal_i_csv_batch {
    char *data;
    size_t capacity; /* without the padding behind */
    size_t start;    /* the text is data[start .. end) */
    size_t end;
    size_t raw_start; /* of the first raw block; before it lies the tail of the last batch */
    bool *is_odd;     /* of each raw block: its number of quotes */
    size_t raw_count;
    size_t raw_capacity;
    bool starts_odd; /* the number of quotes before raw_start is odd */
    bool is_last;    /* the input has ended */
} shoal_i_csv_batch;

typedef struct shoal_i_csv_block {
    size_t start; /* in the batch's data */
    size_t end;
} shoal_i_csv_block;

void shoal_i_csv_batch_clear(shoal_i_csv_batch *batch);

/* Empty the batch and leave room for a tail of the usual size. */
void shoal_i_csv_batch_reset(shoal_i_csv_batch *batch);

/* Read `amount` more bytes, fewer only at the end of the input. */
shoal_status shoal_i_csv_batch_fill(shoal_ctx *ctx, shoal_i_csv_batch *batch,
                                    shoal_i_csv_stream *stream, size_t amount);

/* Put the tail of the batch before in front of the text. */
shoal_status shoal_i_csv_batch_prepend(shoal_ctx *ctx, shoal_i_csv_batch *batch,
                                       const char *tail, size_t size, bool is_odd);

/* Cut the batch into blocks of whole records. *count of them go to blocks, which has room for
 * raw_count + 1; the rest, from *tail on, is a record without an end. At the end of the input a
 * last record that only lacks its newline gets one. *is_open tells whether the tail ends inside
 * quotes. */
void shoal_i_csv_batch_cut(shoal_i_csv_batch *batch, const shoal_i_csv_stream *stream,
                           shoal_i_csv_block *blocks, size_t *count, size_t *tail,
                           bool *is_open);

#endif /* SHOAL_I_CSV_STREAM_H */
