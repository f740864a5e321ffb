/* buffer.h -- a growing run of bytes with a maximum.
 *
 * A buffer that failed to grow stays failed and ignores further puts, so a writer
 * checks once, at the end:
 *
 *     shoal_i_buffer b;
 *     shoal_i_buffer_init(&b, ctx, SHOAL_I_BUFFER_MAX);
 *     shoal_i_buffer_text(&b, "k = ");
 *     shoal_i_buffer_printf(&b, "%d", k);
 *     st = shoal_i_buffer_status(&b);
 *     shoal_i_buffer_clear(&b);
 */
#ifndef SHOAL_I_BUFFER_H
#define SHOAL_I_BUFFER_H

#include "fail.h"

#include <string.h>

#define SHOAL_I_BUFFER_MAX ((size_t)1 << 40)

typedef struct shoal_i_buffer {
    shoal_ctx *ctx;
    char *data; /* size bytes; not NUL-terminated */
    size_t size;
    size_t capacity;
    size_t max;
    shoal_status status;
} shoal_i_buffer;

void shoal_i_buffer_init(shoal_i_buffer *buffer, shoal_ctx *ctx, size_t max);
void shoal_i_buffer_clear(shoal_i_buffer *buffer);

/* Make room for `extra` more bytes. False, with the status kept, when that fails. */
bool shoal_i_buffer_reserve(shoal_i_buffer *buffer, size_t extra);

/* Append. */
static inline void shoal_i_buffer_put(shoal_i_buffer *buffer, const void *bytes, size_t count)
{
    /* Nothing to add must stay nothing: an empty buffer has no data to point into. */
    if (count > 0 &&
        (buffer->capacity - buffer->size >= count || shoal_i_buffer_reserve(buffer, count))) {
        memcpy(buffer->data + buffer->size, bytes, count);
        buffer->size += count;
    }
}
static inline void shoal_i_buffer_char(shoal_i_buffer *buffer, char c)
{
    shoal_i_buffer_put(buffer, &c, 1);
}
void shoal_i_buffer_text(shoal_i_buffer *buffer, const char *text);
void shoal_i_buffer_printf(shoal_i_buffer *buffer, const char *format, ...)
    SHOAL_I_PRINTF(2, 3);

/* Append the shortest text that reads back as the number. */
void shoal_i_buffer_number(shoal_i_buffer *buffer, double number);

/* Append text from outside that is to stay on its line: control characters, which could also
 * move the cursor of a terminal, become question marks. */
void shoal_i_buffer_printable(shoal_i_buffer *buffer, const char *text);

/* Append bytes as base64. */
void shoal_i_buffer_base64(shoal_i_buffer *buffer, const void *bytes, size_t count);

/* SHOAL_OK, or the failure that stopped the buffer (recorded in ctx). */
shoal_status shoal_i_buffer_status(const shoal_i_buffer *buffer);

/* Hand over the bytes with a NUL behind them, to be released with free(). The buffer is empty
 * afterwards, and may be filled again. On failure, which is that of the buffer, *out is
 * NULL. */
shoal_status shoal_i_buffer_take(char **out, shoal_i_buffer *buffer);

#endif /* SHOAL_I_BUFFER_H */
