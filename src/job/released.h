/* released.h -- a release as anybody receives it: the text of its quasi-identifier, and its
 * sensitive columns where requirements are about them, read as a table.
 *
 * Nothing is interpreted: every quasi column, NAME or the pair NAME_min and NAME_max, is a
 * column of texts without missing values, so that records look alike here exactly when they
 * look alike in the file. Sensitive columns are read as those of an original are.
 */
#ifndef SHOAL_I_RELEASED_H
#define SHOAL_I_RELEASED_H

#include "columns.h"
#include "spec.h"

typedef struct shoal_i_released {
    shoal_table *table;
    size_t *columns; /* of the table: the quasi-identifier */
    size_t column_count;
} shoal_i_released;

/* Read it. delimiter 0: detect. SHOAL_ENOTFOUND, every one logged: quasi columns, and sensitive
 * ones when they are wanted, that the file lacks. */
shoal_status shoal_i_released_read(shoal_ctx *ctx, shoal_i_released *out,
                                   const shoal_spec *spec, const char *path, char delimiter,
                                   bool with_sensitive);

/* As shoal_i_released_read, by a reading of the release (columns.h). */
shoal_status shoal_i_released_read_by(shoal_ctx *ctx, shoal_i_released *out,
                                      shoal_i_reading *reading, char delimiter);

/* {0} is allowed. */
void shoal_i_released_clear(shoal_i_released *released);

#endif /* SHOAL_I_RELEASED_H */
