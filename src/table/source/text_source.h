/* text_source.h -- the text of a file as UTF-8, block by block.
 *
 *     file or memory --> unpacked (base/file.h) --> UTF-8 --> blocks of the size asked for
 *
 * UTF-8 goes through untouched and unchecked: its reader checks it anyway, with the place. Of
 * the encodings, only UTF-16 tells itself, by its byte order mark; all others must be named.
 */
#ifndef SHOAL_I_TEXT_SOURCE_H
#define SHOAL_I_TEXT_SOURCE_H

#include "../../base/file.h"

#include <shoal/csv.h>

typedef struct shoal_i_text_source shoal_i_text_source;

/* Where it comes from: a file ("-": standard input), or bytes in memory when path is NULL. */
typedef struct shoal_i_text_origin {
    const char *path;
    const char *bytes;
    size_t size;
    const char *name; /* of bytes in memory, for messages */
    shoal_encoding encoding;
} shoal_i_text_origin;

/* Fails as shoal_i_input_open does. */
shoal_status shoal_i_text_source_open(shoal_ctx *ctx, shoal_i_text_source **out,
                                      const shoal_i_text_origin *origin);
void shoal_i_text_source_free(shoal_i_text_source *source);

/* Read up to capacity bytes of UTF-8; *got is less than that only at the end. A byte order mark
 * of UTF-16 is left out, one of UTF-8 is not. Beside what shoal_i_input_read fails with:
 *   SHOAL_EFORMAT  bytes that the encoding lacks, with line and column (in bytes of UTF-8); a
 *                  byte order mark that contradicts it; UTF-16 without one whose order is not
 *                  said; UTF-32 */
shoal_status shoal_i_text_source_read(shoal_ctx *ctx, size_t *got, shoal_i_text_source *source,
                                      char *bytes, size_t capacity);

/* The size of the file or the bytes, 0 when not known, and how much of that has been read. */
uint64_t shoal_i_text_source_size(const shoal_i_text_source *source);
uint64_t shoal_i_text_source_taken(const shoal_i_text_source *source);

#endif /* SHOAL_I_TEXT_SOURCE_H */
