/* table_part.h -- a table of some records of another, by the same dictionaries.
 *
 * The part has the columns and the values of the whole: codes mean the same in both, values may
 * occur in no record of the part, and a column lacks values when it does so in the whole. So
 * what is built from the values of a part (a quasi-identifier, hierarchies, penalties) equals
 * what is built from the whole.
 */
#ifndef SHOAL_I_TABLE_PART_H
#define SHOAL_I_TABLE_PART_H

#include <shoal/table.h>

/* A part of row_count records whose codes are all 0; set them before it is used. It keeps the
 * whole alive. */
shoal_status shoal_i_table_part(shoal_ctx *ctx, shoal_table **out, const shoal_table *whole,
                                size_t row_count);

/* The code of one record; of a column that is not skipped. */
void shoal_i_table_part_set(shoal_table *part, size_t column, size_t row, uint32_t code);

/* All records of a table in another order, order[i] first: of the columns that are wanted; the
 * others count as skipped. Parallel over columns. */
shoal_status shoal_i_table_reorder(shoal_ctx *ctx, shoal_table **out, const shoal_table *whole,
                                   const uint32_t *order, const bool *is_wanted);

/* Give up the values of a column, which then counts as skipped: of a table that nobody else
 * holds. */
void shoal_i_table_forget(shoal_table *table, size_t column);

#endif /* SHOAL_I_TABLE_PART_H */
