/* table_origin.h -- the Arrow type that a column came with.
 *
 * A column of a table from an Arrow stream remembers its type, so that it can leave with the
 * same one: as the format string of Arrow's C interface, or of a dictionary as those of its
 * indices and of its values:
 *
 *     "l"        64-bit integers           "tsu:UTC"   timestamps in microseconds
 *     "d:10,2"   decimals                  "c>U"       8-bit indices into large utf8
 *
 * It goes with the values: a filter, a part or a join of tables keeps it, and whoever puts
 * other values into a column leaves it out.
 */
#ifndef SHOAL_I_TABLE_ORIGIN_H
#define SHOAL_I_TABLE_ORIGIN_H

#include "table_build.h"

/* Borrowed; NULL when the column came from elsewhere. */
const char *shoal_i_table_origin(const shoal_table *table, size_t column);

/* Set that of a column that has none, to a copy; NULL leaves it so. */
shoal_status shoal_i_column_set_origin(shoal_ctx *ctx, shoal_i_column *column,
                                       const char *origin);

#endif /* SHOAL_I_TABLE_ORIGIN_H */
