/* csv_text.h -- fields as CSV text: quoted where that is needed and nowhere else. */
#ifndef SHOAL_I_CSV_TEXT_H
#define SHOAL_I_CSV_TEXT_H

#include "../../base/buffer.h"

/* Whether a field must be quoted: it contains the delimiter, a quote or a line end. */
bool shoal_i_csv_needs_quotes(const char *text, size_t length, char delimiter);

/* Append a field, in quotes if it needs them. No delimiter is added. */
void shoal_i_csv_put_field(shoal_i_buffer *buffer, const char *text, size_t length,
                           char delimiter);

/* Append a field in quotes, whether it needs them or not. */
void shoal_i_csv_put_quoted(shoal_i_buffer *buffer, const char *text, size_t length);

/* Append a column name. It is quoted also when it contains any delimiter that a reader might
 * take for the one of the file, or starts with a byte order mark. */
void shoal_i_csv_put_name(shoal_i_buffer *buffer, const char *name, char delimiter);

/* Whether a byte may separate fields: ASCII, no quote, no line end, no NUL. */
static inline bool shoal_i_csv_is_delimiter(char c)
{
    return c > 0 && c != '"' && c != '\r' && c != '\n';
}

/* SHOAL_EINVAL for a byte that may not. */
shoal_status shoal_i_csv_check_delimiter(shoal_ctx *ctx, char delimiter);

#endif /* SHOAL_I_CSV_TEXT_H */
