/* fold.h -- the form that a text shares with those a reader takes for the same.
 *
 *     blanks    " HIV" "HIV "  "HIV"      none at the ends, one between words
 *     case      "HIV"  "hiv"              full case folding: "Straße" is "STRASSE"
 *     unicode   "é" of one code point or of two: canonical equivalence, as by NFC
 *
 * Blanks are the characters that Unicode calls white space, the no-break ones among them; those
 * of no width (U+200B, U+2060, U+FEFF) are as if they were not there. Case folding is that of
 * no language: I and i are the same, İ of Turkish is not I. Several ways are taken one after
 * the other: blanks, unicode, case, and unicode again; the last three are Unicode's canonical
 * caseless matching (D145).
 *
 * Only the form is made here, as UTF-8 in canonical decomposition; nobody publishes it. Bytes
 * that are no UTF-8 stay as they are.
 */
#ifndef SHOAL_I_FOLD_H
#define SHOAL_I_FOLD_H

#include "../../base/fail.h"

/* What does not tell two texts apart, as bits. */
enum {
    SHOAL_I_FOLD_BLANKS = 1,
    SHOAL_I_FOLD_CASE = 2,
    SHOAL_I_FOLD_UNICODE = 4,
    SHOAL_I_FOLD_ALL = 7
};

/* Memory for one text after the other. Starts as {0}, belongs to one thread. */
typedef struct shoal_i_folder {
    char *text; /* the form */
    size_t text_capacity;
    uint32_t *points[2];
    size_t point_capacity[2];
} shoal_i_folder;

void shoal_i_folder_clear(shoal_i_folder *folder);

/* The form of a text: *out, borrowed until the next call, of *size bytes, not NUL-terminated.
 * ways: bits of above; 0: the text itself. O(length). */
shoal_status shoal_i_fold(shoal_ctx *ctx, shoal_i_folder *folder, const char **out,
                          size_t *size, const char *text, size_t length, unsigned ways);

#endif /* SHOAL_I_FOLD_H */
