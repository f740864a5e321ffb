/* sample_rows.h -- a few records as they were and as they are released, for people to look at.
 *
 *                age         zip      diagnosis
 *     original   34          53711    flu
 *     release    [30..39]    537**    flu
 *
 * Which ones is a rule and no chance, so that a page about a run can be made again: of n
 * records those in the middle of each tenth, in the order in which they were read. Cells of
 * people are in here: for those who may see the data.
 */
#ifndef SHOAL_I_SAMPLE_ROWS_H
#define SHOAL_I_SAMPLE_ROWS_H

#include "../base/arena.h"
#include "release.h"

#define SHOAL_I_SAMPLE_ROWS 10
#define SHOAL_I_SAMPLE_COLUMNS 12

/* Starts as {0}. All texts live in its arena. */
typedef struct shoal_i_sample_rows {
    size_t count;                          /* records; fewer where there are fewer */
    uint32_t records[SHOAL_I_SAMPLE_ROWS]; /* of the table, ascending */
    /* Columns of the table that are released: quasi columns first, then sensitive ones, then
     * others; at most so many of them. */
    size_t column_count;
    size_t columns[SHOAL_I_SAMPLE_COLUMNS];
    size_t left_out; /* more columns are released */
    const char *before[SHOAL_I_SAMPLE_ROWS][SHOAL_I_SAMPLE_COLUMNS];
    const char *after[SHOAL_I_SAMPLE_ROWS][SHOAL_I_SAMPLE_COLUMNS]; /* "18 to 25" of a minimum
                                        and a maximum, "bucket 3" of what a bucket hides */
    shoal_i_arena arena;
} shoal_i_sample_rows;

/* Of a release made from the records of its table, as the layout writes it; buckets are
 * numbered. Clear it after a failure, too. O(records) at most. */
shoal_status shoal_i_sample_rows_take(shoal_ctx *ctx, shoal_i_sample_rows *out,
                                      const shoal_i_release *release,
                                      const shoal_i_layout *layout);
void shoal_i_sample_rows_clear(shoal_i_sample_rows *sample);

#endif /* SHOAL_I_SAMPLE_ROWS_H */
