/* packed_rows.h -- rows of codes on disk, each of the same few bytes.
 *
 *     format   widths 1 2 1          field after field, the most significant byte first
 *     row      2a | 01 f4 | 00       4 bytes: the codes 42, 500 and 0
 *
 * Because of that order of bytes, comparing rows as bytes (memcmp) compares their codes field
 * by field: sorted files can be merged without unpacking them.
 *
 * Rows are appended and read back in order, by any number of readers.
 */
#ifndef SHOAL_I_PACKED_ROWS_H
#define SHOAL_I_PACKED_ROWS_H

#include "../base/spool.h"

typedef struct shoal_i_row_format {
    size_t field_count;
    size_t size;     /* bytes of a row; at least 1 */
    uint8_t *widths; /* bytes of each field: 1, 2 or 4 */
    size_t *offsets; /* of each field; the last entry, field_count, is size */
    size_t capacity;
} shoal_i_row_format;

/* An empty format with room for this many fields; add the fields then. {0} may be cleared. */
shoal_status shoal_i_row_format_init(shoal_ctx *ctx, shoal_i_row_format *format,
                                     size_t capacity);
void shoal_i_row_format_clear(shoal_i_row_format *format);

/* One more field, whose codes are at most `largest`. */
void shoal_i_row_format_add(shoal_i_row_format *format, uint32_t largest);

static inline void shoal_i_row_put(const shoal_i_row_format *format, unsigned char *row,
                                   size_t field, uint32_t code)
{
    unsigned char *to = row + format->offsets[field];

    for (unsigned i = format->widths[field]; i-- > 0; code >>= 8) {
        to[i] = (unsigned char)code;
    }
}

static inline uint32_t shoal_i_row_get(const shoal_i_row_format *format,
                                       const unsigned char *row, size_t field)
{
    const unsigned char *from = row + format->offsets[field];
    uint32_t code = 0;

    for (unsigned i = 0; i < format->widths[field]; i++) {
        code = code << 8 | from[i];
    }
    return code;
}

/* A file of rows; the format is borrowed. */
typedef struct shoal_i_rows {
    const shoal_i_row_format *format;
    shoal_i_spool *spool;
    uint64_t count;
} shoal_i_rows;

/* {0} may be cleared; clear leaves {0}. The folder is as that of a spool. */
shoal_status shoal_i_rows_open(shoal_ctx *ctx, shoal_i_rows *rows,
                               const shoal_i_row_format *format, const char *folder);
void shoal_i_rows_clear(shoal_i_rows *rows);

shoal_status shoal_i_rows_add(shoal_ctx *ctx, shoal_i_rows *rows, const unsigned char *row);

/* Write `count` rows from row `first` on, over what is there or behind it; `count` of the rows
 * is the caller's to keep. */
shoal_status shoal_i_rows_place(shoal_ctx *ctx, shoal_i_rows *rows, uint64_t first,
                                size_t count, const unsigned char *bytes);

/* Read `count` rows from row `first` on; they must be there. */
shoal_status shoal_i_rows_read(shoal_ctx *ctx, const shoal_i_rows *rows, uint64_t first,
                               size_t count, unsigned char *out);

/* Row after row. */
typedef struct shoal_i_rows_reader {
    const shoal_i_rows *rows;
    uint64_t next;         /* first row behind the buffer */
    uint64_t end;          /* first row that is not to be read */
    unsigned char *buffer; /* of `capacity` rows */
    size_t capacity;
    size_t filled;
    size_t at;
} shoal_i_rows_reader;

shoal_status shoal_i_rows_reader_init(shoal_ctx *ctx, shoal_i_rows_reader *reader,
                                      const shoal_i_rows *rows);
/* The same for `count` rows from `first` on, with a buffer of about so many bytes. */
shoal_status shoal_i_rows_reader_init_range(shoal_ctx *ctx, shoal_i_rows_reader *reader,
                                            const shoal_i_rows *rows, uint64_t first,
                                            uint64_t count, size_t bytes);
void shoal_i_rows_reader_clear(shoal_i_rows_reader *reader);

/* *row: the next one, borrowed until the next call; NULL at the end. */
shoal_status shoal_i_rows_next(shoal_ctx *ctx, shoal_i_rows_reader *reader,
                               const unsigned char **row);

#endif /* SHOAL_I_PACKED_ROWS_H */
