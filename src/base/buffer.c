#include "buffer.h"

#include "text.h"

#include <stdarg.h>
#include <stdio.h>

#define FIRST_CAPACITY 256

void shoal_i_buffer_init(shoal_i_buffer *buffer, shoal_ctx *ctx, size_t max)
{
    *buffer = (shoal_i_buffer){.ctx = ctx, .max = max};
}

void shoal_i_buffer_clear(shoal_i_buffer *buffer)
{
    free(buffer->data);
    shoal_i_buffer_init(buffer, buffer->ctx, buffer->max);
}

/* Leave no room, so that every later put comes to reserve and is refused there. */
static bool stop_buffer(shoal_i_buffer *buffer, shoal_status status)
{
    buffer->status = status;
    buffer->capacity = buffer->size;
    return false;
}

bool shoal_i_buffer_reserve(shoal_i_buffer *buffer, size_t extra)
{
    if (buffer->status != SHOAL_OK) {
        return false;
    }
    if (extra <= buffer->capacity - buffer->size) {
        return true;
    }
    if (extra > buffer->max - buffer->size) {
        return stop_buffer(
            buffer, shoal_i_fail(buffer->ctx, SHOAL_ELIMIT,
                                 "A text of %zu bytes would pass its limit of %zu bytes.",
                                 buffer->size + extra, buffer->max));
    }
    size_t needed = buffer->size + extra;
    size_t capacity = buffer->capacity > buffer->max / 2 ? buffer->max : buffer->capacity * 2;

    if (capacity < FIRST_CAPACITY && FIRST_CAPACITY <= buffer->max) {
        capacity = FIRST_CAPACITY;
    }
    if (capacity < needed) {
        capacity = needed;
    }
    char *data = shoal_i_realloc(buffer->ctx, buffer->data, capacity, 1);

    if (!data) {
        return stop_buffer(buffer, SHOAL_ENOMEM);
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void shoal_i_buffer_text(shoal_i_buffer *buffer, const char *text)
{
    shoal_i_buffer_put(buffer, text, strlen(text));
}

void shoal_i_buffer_printf(shoal_i_buffer *buffer, const char *format, ...)
{
    char text[SHOAL_MESSAGE_MAX];
    va_list arguments;
    va_list again;

    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(text, sizeof text, format, arguments);

    if (length > 0 && (size_t)length < sizeof text) {
        shoal_i_buffer_put(buffer, text, (size_t)length);
    } else if (length > 0 && shoal_i_buffer_reserve(buffer, (size_t)length + 1)) {
        vsnprintf(buffer->data + buffer->size, (size_t)length + 1, format, again);
        buffer->size += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void shoal_i_buffer_number(shoal_i_buffer *buffer, double number)
{
    char text[SHOAL_I_NUMBER_MAX];

    shoal_i_buffer_put(buffer, text, shoal_i_text_from_double(text, number));
}

void shoal_i_buffer_printable(shoal_i_buffer *buffer, const char *text)
{
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;

        shoal_i_buffer_char(buffer, byte < 0x20 || byte == 0x7F ? '?' : *text);
    }
}

void shoal_i_buffer_base64(shoal_i_buffer *buffer, const void *bytes, size_t count)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *from = bytes;

    for (size_t i = 0; i < count; i += 3) {
        size_t rest = count - i;
        uint32_t three = (uint32_t)from[i] << 16 | (rest > 1 ? (uint32_t)from[i + 1] << 8 : 0) |
                         (rest > 2 ? from[i + 2] : 0u);
        char four[] = {digits[three >> 18], digits[three >> 12 & 63],
                       rest > 1 ? digits[three >> 6 & 63] : '=',
                       rest > 2 ? digits[three & 63] : '='};

        shoal_i_buffer_put(buffer, four, sizeof four);
    }
}

shoal_status shoal_i_buffer_status(const shoal_i_buffer *buffer)
{
    return buffer->status;
}

shoal_status shoal_i_buffer_take(char **out, shoal_i_buffer *buffer)
{
    *out = NULL;
    shoal_i_buffer_char(buffer, '\0');
    shoal_status st = buffer->status;

    if (st == SHOAL_OK) {
        *out = buffer->data;
        buffer->data = NULL;
    }
    shoal_i_buffer_clear(buffer);
    return st;
}
