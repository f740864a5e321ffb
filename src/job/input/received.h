/* received.h -- a release as anybody receives it: the text of its quasi-identifier, and its
 * sensitive columns where requirements are about them, read as a table.
 *
 * Nothing is interpreted: every quasi column, NAME or the pair NAME_min and NAME_max, is a
 * column of texts without missing values, so that records look alike here exactly when they
 * look alike to a reader. Sensitive columns are read as those of an original are.
 *
 * A release by buckets comes in two files. Its table has the column of the buckets as well, and
 * the sensitive columns joined from the second file (sensitive_table.h).
 */
#ifndef SHOAL_I_RECEIVED_H
#define SHOAL_I_RECEIVED_H

#include "columns.h"
#include "../../spec/spec.h"

typedef struct shoal_i_received {
    shoal_table *table;
    size_t *columns; /* of the table: the quasi-identifier */
    size_t column_count;
    shoal_i_shape shape;  /* classes, unless it is known to be by buckets */
    size_t bucket_column; /* buckets: of the table */
    char *table_path;     /* buckets: of the second file; NULL: it is in memory */
} shoal_i_received;

/* Read it. delimiter 0: detect. SHOAL_ENOTFOUND, every one logged: quasi columns, and sensitive
 * ones when they are wanted, that it lacks.
 *
 * It is a release by buckets when its sensitive table is given, is where the spec says, or lies
 * beside its file, and the release has the column that it is linked by. Where the sensitive
 * table is given or the spec names it, a release that does not fit it is a failure as
 * sensitive_table.h tells. */
shoal_status shoal_i_received_read(shoal_ctx *ctx, shoal_i_received *out,
                                   const shoal_spec *spec, const shoal_i_given_release *release,
                                   char delimiter, bool with_sensitive);

/* As shoal_i_received_read, by a reading of the rows (columns.h); sensitive may be NULL. */
shoal_status shoal_i_received_read_by(shoal_ctx *ctx, shoal_i_received *out,
                                      shoal_i_reading *reading, const shoal_table *sensitive,
                                      char delimiter);

/* Of a release of which it is known whether it has a second file: table_path, or NULL. */
shoal_status shoal_i_received_read_known(shoal_ctx *ctx, shoal_i_received *out,
                                         const shoal_spec *spec, const char *path,
                                         const char *table_path, char delimiter,
                                         bool with_sensitive);

/* Fill columns from the table, which was read as shoal_i_configure_release has it. */
shoal_status shoal_i_received_list(shoal_ctx *ctx, shoal_i_received *received,
                                   const shoal_spec *spec);

/* As boxes of the original's codes, with buckets where it has them. */
shoal_status shoal_i_received_parse(shoal_ctx *ctx, shoal_i_release **out,
                                    const shoal_i_received *received,
                                    const shoal_i_quasi *quasi);

/* {0} is allowed. */
void shoal_i_received_clear(shoal_i_received *received);

#endif /* SHOAL_I_RECEIVED_H */
