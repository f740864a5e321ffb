/* file_kind.h -- files that are no delimited text, told by their first bytes.
 *
 * People have spreadsheets and data bases, and give them to whatever takes a table. They are
 * told what the file is and how to get a table out of it, not that byte 15 is wrong.
 */
#ifndef SHOAL_I_FILE_KIND_H
#define SHOAL_I_FILE_KIND_H

#include <stdbool.h>
#include <stddef.h>

typedef struct shoal_i_file_kind {
    const char *name;   /* "an Excel workbook (.xlsx)" */
    const char *advice; /* a part of a sentence that says what to do */
} shoal_i_file_kind;

/* How many first bytes tell most. */
#define SHOAL_I_FILE_KIND_BYTES 512

/* What a file with these first bytes is; false: it may be text. */
bool shoal_i_file_kind_find(shoal_i_file_kind *out, const char *bytes, size_t size);

#endif /* SHOAL_I_FILE_KIND_H */
