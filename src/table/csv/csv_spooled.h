/* csv_spooled.h -- reading a table that does not fit in memory.
 *
 * The text is coded block by block as always (csv_block.h), but the codes go to a temporary
 * file, and only the dictionaries stay in memory. When all has been read and the dictionaries
 * are final, the codes come back, block after block, and are handed to the caller as the final
 * ones:
 *
 *     text --> codes by order of arrival --> spool --> final codes --> consume(rows 0..n-1)
 *                    dictionaries ------------------------^
 *
 * So the input is read once, and may be a pipe. The table that is returned has everything but
 * the codes of its records: names, types, values, the number of records and of missing values.
 * table_part.h makes tables of some of its records.
 */
#ifndef SHOAL_I_CSV_SPOOLED_H
#define SHOAL_I_CSV_SPOOLED_H

#include <shoal/csv.h>

/* The next `count` records of the file: codes[column][i], NULL for columns that are skipped.
 * The first call, when the values of the table are known, is of 0 records. */
typedef shoal_status (*shoal_i_csv_consume_fn)(shoal_ctx *ctx, void *payload,
                                               const shoal_table *table, uint32_t *const *codes,
                                               size_t count);

typedef struct shoal_i_csv_spooling {
    const char *folder; /* of the temporary file; NULL: that of the system */
    size_t values_max;  /* bytes that the values of all columns may take; 0: no limit */
    shoal_i_csv_consume_fn consume;
    void *payload;
} shoal_i_csv_spooling;

/* As shoal_csv_read. SHOAL_ELIMIT: the values take more than values_max. */
shoal_status shoal_i_csv_read_spooled(shoal_ctx *ctx, shoal_table **out, const char *path,
                                      const shoal_csv_options *options,
                                      const shoal_i_csv_spooling *spooling);

#endif /* SHOAL_I_CSV_SPOOLED_H */
