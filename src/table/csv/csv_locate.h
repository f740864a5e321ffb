/* csv_locate.h -- where on its line a field stands, found when something is wrong with it.
 *
 * Fields are coded as they are read, and what a code came from is not kept; the few whose value
 * is not of their column's type are looked for once more.
 */
#ifndef SHOAL_I_CSV_LOCATE_H
#define SHOAL_I_CSV_LOCATE_H

#include "csv_reader.h"

/* The column, counted from 1 in bytes, at which a field of the record that begins on a line
 * starts; 0 when it begins on a later line or the text cannot be read again. */
int64_t shoal_i_csv_locate(shoal_ctx *ctx, const shoal_i_csv_reader *reader, int64_t line,
                           size_t field);

#endif /* SHOAL_I_CSV_LOCATE_H */
