/* table_configure.h -- a table in memory taken as a file would be read.
 *
 * The options are those of the CSV reader, so that a table means the same to a run whether it
 * came from a file or from another program: columns are skipped, values get the type that was
 * asked for, missing tokens become missing or, where they are not to be detected, missing
 * becomes the empty text in a column of texts, and stays missing among numbers and dates, which
 * have no such text. What a column is by itself stays where nothing is asked (type AUTO): a
 * column of texts is not guessed to be one of numbers, unless it is said how these are written.
 */
#ifndef SHOAL_I_TABLE_CONFIGURE_H
#define SHOAL_I_TABLE_CONFIGURE_H

#include <shoal/csv.h>

/* Only missing tokens and the configure callback of the options count. The result borrows from
 * the table and holds it (table_hold.h). SHOAL_EFORMAT (record, field): a value that is not of
 * the type asked for; and whatever the callback fails with. Parallel over columns. */
shoal_status shoal_i_table_configure(shoal_ctx *ctx, shoal_table **out,
                                     const shoal_table *table,
                                     const shoal_csv_options *options);

#endif /* SHOAL_I_TABLE_CONFIGURE_H */
