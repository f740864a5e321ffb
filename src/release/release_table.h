/* release_table.h -- a release as tables in memory: what is handed out, column by column.
 *
 * The columns and the order of the rows are those of the file (fields.h), and so are the texts
 * of generalized values, each made once. Columns that are released as they are keep their
 * values and types, also those of the program that the table came from.
 */
#ifndef SHOAL_I_RELEASE_TABLE_H
#define SHOAL_I_RELEASE_TABLE_H

#include "release.h"

/* Starts as {0}. */
typedef struct shoal_i_release_tables {
    shoal_table *rows;
    shoal_table
        *sensitive;      /* of a release by buckets: bucket, column, value, count; else NULL */
    uint32_t *record_of; /* of each row: the row of the release's table that it stands for */
} shoal_i_release_tables;

/* The table that columns are released from as they are: that of the release itself, or one with
 * the same columns whose values are as another program handed them over; record_of[row] is then
 * its record of each row of the release's table, NULL: the same. */
typedef struct shoal_i_as_given {
    const shoal_table *table;
    const uint32_t *record_of;
} shoal_i_as_given;

/* Fails as shoal_i_fields_plan does. Buckets are numbered (shoal_i_buckets_number). The tables
 * keep what they need of the given one. Clear them after a failure, too. */
shoal_status shoal_i_release_tables_build(shoal_ctx *ctx, shoal_i_release_tables *out,
                                          const shoal_i_release *release,
                                          const shoal_i_layout *layout,
                                          const shoal_i_as_given *given);
void shoal_i_release_tables_clear(shoal_i_release_tables *tables);

#endif /* SHOAL_I_RELEASE_TABLE_H */
