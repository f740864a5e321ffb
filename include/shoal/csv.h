/* csv.h -- tables from and to delimited text.
 *
 * Reading follows RFC 4180: fields may be quoted, a quoted field may hold delimiters, line
 * breaks and doubled quotes. The delimiter (, ; tab |) is detected from the first line, lines
 * end in LF or CRLF, a UTF-8 byte order mark is skipped, the header is required, text is UTF-8.
 * Blank lines are skipped when the table has more than one column.
 *
 * Reading is parallel in chunks, and the result is the same on any number of threads.
 */
#ifndef SHOAL_CSV_H
#define SHOAL_CSV_H

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Limits against runaway input: SHOAL_ELIMIT beyond them. */
#define SHOAL_CSV_COLUMNS_MAX 65536
#define SHOAL_CSV_FIELD_MAX (1u << 20)

/* How to read one column. Left to itself, a column is integer if every value is a whole number
 * written plainly (no leading zeros, no plus sign), else real, else date, else string. */
typedef struct shoal_csv_column {
    const char *name;    /* as in the header; borrowed during the configure call */
    shoal_type type;     /* SHOAL_TYPE_AUTO, the default: the first that fits all values */
    bool skip;           /* do not store it; only its name is kept */
    bool detect_missing; /* the missing tokens mean a missing value here (default true) */
} shoal_csv_column;

/* Called once when the header is known, to set how each column is read. A failure ends the
 * reading. */
typedef shoal_status (*shoal_csv_configure_fn)(shoal_ctx *ctx, void *payload,
                                               shoal_csv_column *columns, size_t count);

typedef struct shoal_csv_options {
    char delimiter;                    /* 0: detect */
    const char *const *missing_tokens; /* NULL: "" and "?" */
    size_t missing_token_count;
    shoal_csv_configure_fn configure; /* may be NULL */
    void *configure_payload;
} shoal_csv_options;

/* Read a file, "-" for standard input. options may be NULL. Errors carry source, line, column:
 *   SHOAL_ENOTFOUND, SHOAL_EIO
 *   SHOAL_EFORMAT  empty file, no records, ragged row, unclosed quote, text after a closing
 *                  quote, NUL byte, invalid UTF-8, empty or duplicate column name, a value
 *                  that is not of the column's type (NaN, infinity and integers beyond 2^53
 *                  included)
 *   SHOAL_ELIMIT   too many columns, a field too long */
shoal_status shoal_csv_read(shoal_ctx *ctx, shoal_table **out, const char *path,
                            const shoal_csv_options *options);

/* As shoal_csv_read, from bytes in memory; source names them in messages. */
shoal_status shoal_csv_read_memory(shoal_ctx *ctx, shoal_table **out, const char *bytes,
                                   size_t size, const char *source,
                                   const shoal_csv_options *options);

/* Write all columns that were not skipped, in order, with header, LF ends, quotes only where
 * needed. Whole or not at all. */
shoal_status shoal_csv_write(shoal_ctx *ctx, const shoal_table *table, const char *path,
                             char delimiter);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_CSV_H */
