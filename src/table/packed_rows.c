#include "packed_rows.h"

#include "table_codes.h"

#include <assert.h>

#define BUFFER_BYTES ((size_t)64 * 1024)

shoal_status shoal_i_row_format_init(shoal_ctx *ctx, shoal_i_row_format *format,
                                     size_t capacity)
{
    shoal_status st = SHOAL_OK;

    *format = (shoal_i_row_format){.capacity = capacity};
    SHOAL_ALLOC(ctx, format->widths, capacity);
    SHOAL_ALLOC(ctx, format->offsets, capacity + 1);
done:
    return st;
}

void shoal_i_row_format_clear(shoal_i_row_format *format)
{
    free(format->widths);
    free(format->offsets);
    *format = (shoal_i_row_format){0};
}

void shoal_i_row_format_add(shoal_i_row_format *format, uint32_t largest)
{
    assert(format->field_count < format->capacity);
    format->widths[format->field_count] = (uint8_t)shoal_i_codes_width(largest);
    format->size += format->widths[format->field_count];
    format->offsets[++format->field_count] = format->size;
}

shoal_status shoal_i_rows_open(shoal_ctx *ctx, shoal_i_rows *rows,
                               const shoal_i_row_format *format, const char *folder)
{
    *rows = (shoal_i_rows){.format = format};
    return shoal_i_spool_open(ctx, &rows->spool, folder);
}

void shoal_i_rows_clear(shoal_i_rows *rows)
{
    shoal_i_spool_free(rows->spool);
    *rows = (shoal_i_rows){0};
}

shoal_status shoal_i_rows_add(shoal_ctx *ctx, shoal_i_rows *rows, const unsigned char *row)
{
    rows->count++;
    return shoal_i_spool_write(ctx, rows->spool, row, rows->format->size);
}

shoal_status shoal_i_rows_place(shoal_ctx *ctx, shoal_i_rows *rows, uint64_t first,
                                size_t count, const unsigned char *bytes)
{
    size_t size = rows->format->size;

    return shoal_i_spool_place(ctx, rows->spool, first * size, bytes, count * size);
}

shoal_status shoal_i_rows_read(shoal_ctx *ctx, const shoal_i_rows *rows, uint64_t first,
                               size_t count, unsigned char *out)
{
    size_t size = rows->format->size;

    return shoal_i_spool_read(ctx, rows->spool, first * size, out, count * size);
}

shoal_status shoal_i_rows_reader_init_range(shoal_ctx *ctx, shoal_i_rows_reader *reader,
                                            const shoal_i_rows *rows, uint64_t first,
                                            uint64_t count, size_t bytes)
{
    shoal_status st = SHOAL_OK;

    *reader =
        (shoal_i_rows_reader){.rows = rows, .next = first, .end = first + count, .capacity = 1};
    if (rows->format->size < bytes) {
        reader->capacity = bytes / rows->format->size;
    }
    SHOAL_ALLOC(ctx, reader->buffer, reader->capacity * rows->format->size);
done:
    return st;
}

shoal_status shoal_i_rows_reader_init(shoal_ctx *ctx, shoal_i_rows_reader *reader,
                                      const shoal_i_rows *rows)
{
    return shoal_i_rows_reader_init_range(ctx, reader, rows, 0, rows->count, BUFFER_BYTES);
}

void shoal_i_rows_reader_clear(shoal_i_rows_reader *reader)
{
    free(reader->buffer);
    *reader = (shoal_i_rows_reader){0};
}

shoal_status shoal_i_rows_next(shoal_ctx *ctx, shoal_i_rows_reader *reader,
                               const unsigned char **row)
{
    shoal_status st = SHOAL_OK;

    *row = NULL;
    if (reader->at == reader->filled) {
        uint64_t left = reader->end - reader->next;

        reader->at = 0;
        reader->filled = left < reader->capacity ? (size_t)left : reader->capacity;
        if (reader->filled == 0) {
            return SHOAL_OK;
        }
        SHOAL_TRY(
            shoal_i_rows_read(ctx, reader->rows, reader->next, reader->filled, reader->buffer));
        reader->next += reader->filled;
    }
    *row = reader->buffer + reader->at++ * reader->rows->format->size;
done:
    return st;
}
