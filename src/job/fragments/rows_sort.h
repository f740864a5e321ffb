/* rows_sort.h -- rows on disk in the order of some of their bytes, with little memory.
 *
 *     as they came     | 7 2 9 1 | 4 4 0 8 | 3 5 |
 *     runs             | 1 2 7 9 | 0 4 4 8 | 3 5 |     sorted in memory, one at a time
 *     merged           | 0 1 2 3 4 4 5 7 8 9 |         a heap of the next row of each
 */
#ifndef SHOAL_I_ROWS_SORT_H
#define SHOAL_I_ROWS_SORT_H

#include "../../table/packed_rows.h"

/* The bytes of a row that tell its place. */
typedef struct shoal_i_row_key {
    size_t first;
    size_t size;
} shoal_i_row_key;

/* Merge `count` runs of rows, run i from starts[i] up to starts[i + 1], each of which is
 * sorted, into `to`, which is open. */
shoal_status shoal_i_rows_merge(shoal_ctx *ctx, shoal_i_rows *to, const shoal_i_rows *from,
                                const uint64_t *starts, size_t count, shoal_i_row_key key);

/* The same rows sorted, in a new file; not more than most_rows are in memory at once, 0: as
 * many as a few megabytes hold. The order does not depend on that. */
shoal_status shoal_i_rows_sort(shoal_ctx *ctx, shoal_i_rows *to, const shoal_i_rows *from,
                               shoal_i_row_key key, size_t most_rows, const char *folder);

#endif /* SHOAL_I_ROWS_SORT_H */
