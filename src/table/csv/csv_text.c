#include "csv_text.h"

bool shoal_i_csv_needs_quotes(const char *text, size_t length, char delimiter)
{
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        return true; /* at the beginning of a line it would be taken for that of a text */
    }
    for (size_t i = 0; i < length; i++) {
        char c = text[i];

        if (c == delimiter || c == '"' || c == '\n' || c == '\r') {
            return true;
        }
    }
    return false;
}

void shoal_i_csv_put_quoted(shoal_i_buffer *buffer, const char *text, size_t length)
{
    shoal_i_buffer_char(buffer, '"');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"') {
            shoal_i_buffer_char(buffer, '"');
        }
        shoal_i_buffer_char(buffer, text[i]);
    }
    shoal_i_buffer_char(buffer, '"');
}

void shoal_i_csv_put_field(shoal_i_buffer *buffer, const char *text, size_t length,
                           char delimiter)
{
    if (shoal_i_csv_needs_quotes(text, length, delimiter)) {
        shoal_i_csv_put_quoted(buffer, text, length);
    } else if (length > 0) {
        shoal_i_buffer_put(buffer, text, length);
    }
}

void shoal_i_csv_put_name(shoal_i_buffer *buffer, const char *name, char delimiter)
{
    size_t length = strlen(name);

    if (strpbrk(name, ",;\t|") || strncmp(name, "\xEF\xBB\xBF", 3) == 0) {
        shoal_i_csv_put_quoted(buffer, name, length);
    } else {
        shoal_i_csv_put_field(buffer, name, length, delimiter);
    }
}

shoal_status shoal_i_csv_check_delimiter(shoal_ctx *ctx, char delimiter)
{
    if (shoal_i_csv_is_delimiter(delimiter)) {
        return SHOAL_OK;
    }
    return shoal_i_fail(ctx, SHOAL_EINVAL,
                        "A delimiter is one ASCII character, not a quote or a line end.");
}
