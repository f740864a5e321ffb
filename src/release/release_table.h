/* release_table.h -- a release as a table: what release_write.c writes, without a file.
 *
 * Columns and rows are those of the file, in the same order: generalized columns as texts that
 * each class shares, the others with the values that occur and the types they have.
 */
#ifndef SHOAL_I_RELEASE_TABLE_H
#define SHOAL_I_RELEASE_TABLE_H

#include "release.h"

/* *row_order (row_count entries, free) tells which row of the original each row came from; delimiter
 * and header of the layout do not count. The table owns what it shows and may outlive the release.
 * Of the shape classes, numbers as range or minmax: SHOAL_EUNSUPPORTED for others. SHOAL_EINVAL as
 * shoal_i_release_write. */
shoal_status shoal_i_release_table(shoal_ctx *ctx, shoal_table **out, uint32_t **row_order,
                                   const shoal_i_release *release,
                                   const shoal_i_layout *layout);

#endif /* SHOAL_I_RELEASE_TABLE_H */
