/* number.h -- giving equal keys the same number: 0, 1, 2, ... in the order of their first
 * appearance.
 *
 * The way to equivalence classes without sorting. Exact: a hash table finds candidates,
 * equality is decided on the keys themselves.
 */
#ifndef SHOAL_I_NUMBER_H
#define SHOAL_I_NUMBER_H

#include "../base/fail.h"

#include <shoal/table.h>

/* Number single keys: ids[i] is that of keys[i], *id_count how many there are. */
shoal_status shoal_i_number_keys(shoal_ctx *ctx, uint32_t *ids, size_t *id_count,
                                 const uint64_t *keys, size_t count);

/* One part of a row's key: the code of the row in a column of a table or, if map is given,
 * map[code]. All such numbers are below `count`. */
typedef struct shoal_i_number_column {
    const shoal_table *table;
    size_t column;
    const uint32_t *map; /* may be NULL */
    uint64_t count;      /* at most 2^32 */
} shoal_i_number_column;

/* Number the rows by their keys in all columns; ids has row_count entries. Parallel, the same
 * result on any number of threads. As many columns as fit are joined to one key of 64 bits, so
 * that few passes over the rows are needed. */
shoal_status shoal_i_number_rows(shoal_ctx *ctx, uint32_t *ids, size_t *id_count,
                                 const shoal_i_number_column *columns, size_t column_count,
                                 size_t row_count);

#endif /* SHOAL_I_NUMBER_H */
