/* number.h -- giving equal keys the same number: 0, 1, 2, ... in the order of their first
 * appearance.
 *
 * The way to equivalence classes without sorting. Exact: a hash table finds candidates,
 * equality is decided on the keys themselves.
 */
#ifndef SHOAL_I_NUMBER_H
#define SHOAL_I_NUMBER_H

#include "../base/fail.h"
#include "../box/quasi.h"

/* Number single keys: ids[i] is that of keys[i], *id_count how many there are. */
shoal_status shoal_i_number_keys(shoal_ctx *ctx, uint32_t *ids, size_t *id_count,
                                 const uint64_t *keys, size_t count);

/* Number the rows of a table by their codes in some columns; ids has row_count entries.
 * Parallel, the same result on any number of threads. As many columns as fit are joined to one
 * key of 64 bits, so that few passes over the rows are needed. */
shoal_status shoal_i_number_rows(shoal_ctx *ctx, uint32_t *ids, size_t *id_count,
                                 const shoal_table *table, const size_t *columns,
                                 size_t column_count);

/* Number the records of a quasi-identifier's table by their values in all of its columns. *ids,
 * row_count entries, is the caller's to free; NULL on failure. */
shoal_status shoal_i_number_records(shoal_ctx *ctx, uint32_t **ids, size_t *id_count,
                                    const shoal_i_quasi *quasi);

#endif /* SHOAL_I_NUMBER_H */
