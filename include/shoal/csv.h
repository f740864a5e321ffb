/* csv.h -- tables from and to delimited text.
 *
 * Reading follows RFC 4180: fields may be quoted; a quoted field may hold delimiters, line
 * breaks and doubled quotes; a quote inside a field that does not start with one is a mistake.
 * Text is UTF-8, a byte order mark is skipped; or UTF-16 with one, or whatever the options
 * name. What is packed by gzip or zstd is unpacked as it is read. Lines end in LF or CRLF; a CR
 * elsewhere is part of a value. The first line is the header. The delimiter is the one of , ;
 * tab | that occurs most often in the header, outside quotes. Blank lines are skipped, except
 * in a table of one column, where they are empty values.
 *
 * A file is read in blocks, never held as a whole, on as many threads as the context has; the
 * table, and the failure that is reported, do not depend on their number.
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

/* How to read one column. AUTO decides from its values, missing ones left out:
 *
 *   integer  all are whole numbers up to 2^53, written plainly: no leading zero, no plus sign
 *   real     all are finite decimal numbers; but not if one has a leading zero (007 is a
 *            code) or is a whole number beyond 2^53 (which would lose digits)
 *   date     all are dates YYYY-MM-DD
 *   string   anything else, or no value at all
 *
 * A column declared integer or real is less strict about how a number is written; a
 * value that is none is a failure. */
typedef struct shoal_csv_column {
    const char *name;    /* as in the header; borrowed during the configure call */
    shoal_type type;     /* AUTO is the default */
    bool skip;           /* do not store it; only its name is kept */
    bool detect_missing; /* the missing tokens mean a missing value here (default true) */
    /* How numbers and dates are written; they become 1234.5 and 2024-05-03, and what is written
     * otherwise is neither. Only where the column has a type or gets one by itself. */
    char decimal;            /* '.' or ','; 0: '.' */
    char thousands;          /* '.', ',', ' ' or '\''; 0: none */
    const char *date_format; /* of YYYY, MM, DD, hh, mm, ss, such as "DD.MM.YYYY"; M and D have
                                one digit or two; a time is left out. NULL: YYYY-MM-DD. Must
                                stay until the table is read */
} shoal_csv_column;

/* Called once when the header is known, to set how each column is read. A failure ends the
 * reading and is what the reading function returns. */
typedef shoal_status (*shoal_csv_configure_fn)(shoal_ctx *ctx, void *payload,
                                               shoal_csv_column *columns, size_t count);

/* What a text is encoded in. */
typedef enum shoal_encoding {
    SHOAL_ENCODING_AUTO, /* UTF-16 where its byte order mark tells so, else UTF-8 */
    SHOAL_ENCODING_UTF8,
    SHOAL_ENCODING_LATIN1,       /* ISO 8859-1 without its control characters */
    SHOAL_ENCODING_WINDOWS_1252, /* Latin-1 with typographic signs and the euro */
    SHOAL_ENCODING_UTF16,        /* in the order that its byte order mark tells */
    SHOAL_ENCODING_UTF16LE,      /* with or without mark */
    SHOAL_ENCODING_UTF16BE
} shoal_encoding;

typedef struct shoal_csv_options {
    size_t struct_size;                /* see ctx.h */
    char delimiter;                    /* 0: detect */
    const char *const *missing_tokens; /* NULL: "" and "?" */
    size_t missing_token_count;
    shoal_csv_configure_fn configure; /* may be NULL */
    void *configure_payload;
    shoal_encoding encoding; /* 0: detected as far as that is sure */
    size_t skip_lines;       /* lines before the header that are not looked at */
    /* Then lines up to the header that begin with this are left out; "" or NULL: none. Further
     * down such a line is a record like any other. */
    const char *comment;
} shoal_csv_options;

#define SHOAL_CSV_OPTIONS_INIT                                                                 \
    {                                                                                          \
        sizeof(shoal_csv_options), 0, NULL, 0, NULL, NULL, SHOAL_ENCODING_AUTO, 0, NULL        \
    }

/* Read a file, "-" for standard input. options may be NULL. *out is the table, to be released
 * with shoal_table_free, or NULL on failure. Progress is the stage "read".
 *
 *   SHOAL_ENOTFOUND, SHOAL_EIO
 *   SHOAL_EINVAL   a delimiter that is a quote, a line end or not ASCII
 *   SHOAL_EFORMAT  empty file, no records, empty or duplicate column name, ragged row,
 *                  unclosed quote, quote in a field that does not start with one, text after a
 *                  closing quote, NUL byte, invalid UTF-8, a value that is not of the column's
 *                  declared type (NaN, infinity and integers beyond 2^53 included); a file that
 *                  is no text (a spreadsheet, a data base: said by name), bytes that the
 *                  encoding lacks, a byte order mark in the middle, packed data that is broken
 *                  or cut off
 *   SHOAL_ELIMIT   too many columns, a field too long, a record of more than 2^30 bytes, more
 *                  than 2^32 - 2 records; more than 1 GiB of text that is packed into less
 *                  than a 200th of it
 *
 * Errors carry source, line and column, and record and field where they are about one. Of
 * several mistakes the first in the file is reported; wrong types are looked for when all of it
 * is read, and there the first record counts, and no column of the line is given. */
SHOAL_API shoal_status shoal_csv_read(shoal_ctx *ctx, shoal_table **out, const char *path,
                                      const shoal_csv_options *options);

/* As shoal_csv_read, from bytes in memory; source names them in messages. */
SHOAL_API shoal_status shoal_csv_read_memory(shoal_ctx *ctx, shoal_table **out,
                                             const char *bytes, size_t size, const char *source,
                                             const shoal_csv_options *options);

/* Write all columns that were not skipped, in order, with a header, lines ending in LF, and
 * quotes only where they are needed: around a field with the delimiter, a quote or a line end
 * in it, around a name with anything a reader may take for the delimiter, and around values of
 * a table of one column that are empty or have a comma. Missing values are written as the token
 * that stood for them.
 * "-" is standard output. A file whose name ends in .gz or .zst is packed. It is there whole or
 * not at all. Progress is the stage "write".
 * SHOAL_EINVAL (delimiter, no column), SHOAL_ENOTFOUND, SHOAL_EIO. */
SHOAL_API shoal_status shoal_csv_write(shoal_ctx *ctx, const shoal_table *table,
                                       const char *path, char delimiter);

/* Takes over the next bytes of a text. */
typedef bool (*shoal_csv_sink_fn)(void *payload, const char *bytes, size_t size);

/* As shoal_csv_write, the text handed to a function, piece by piece and in order, from the
 * thread that called. SHOAL_EIO: it answered false. */
SHOAL_API shoal_status shoal_csv_write_to(shoal_ctx *ctx, const shoal_table *table,
                                          char delimiter, shoal_csv_sink_fn sink,
                                          void *payload);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_CSV_H */
