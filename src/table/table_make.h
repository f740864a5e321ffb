/* table_make.h -- a table made column by column from what is at hand.
 *
 *     shoal_i_table_new(ctx, &table, "", 2);            table_build.h
 *     shoal_i_table_set_rows(table, 1000000);
 *     shoal_i_table_put_texts(ctx, table, 0, ...);      few texts, and which of them each row
 *                                                       has
 *     shoal_i_table_put_column(ctx, table, 1, ...);     a column of another table, other rows
 *
 * Different columns may be put by different threads.
 */
#ifndef SHOAL_I_TABLE_MAKE_H
#define SHOAL_I_TABLE_MAKE_H

#include <shoal/table.h>

/* An empty table of so many rows, whose columns are put in afterwards, each once. Columns may
 * borrow from `lender`, which is held as long as the table is; NULL: from none. */
shoal_status shoal_i_table_start(shoal_ctx *ctx, shoal_table **out, size_t row_count,
                                 size_t column_count, const shoal_table *lender);

/* Texts back to back: text i ends before byte starts[i + 1]. They may repeat. */
typedef struct shoal_i_texts {
    const char *bytes;
    const size_t *starts;
    size_t count;
} shoal_i_texts;

/* A column of those texts that a row has, none of them missing; AUTO: numbers or dates where
 * all texts are such. text_of[row] is the text of a row. */
shoal_status shoal_i_table_put_texts(shoal_ctx *ctx, shoal_table *table, size_t column,
                                     const char *name, shoal_type type,
                                     const shoal_i_texts *texts, const uint32_t *text_of);

/* A column of the lender: row i has the value of its record rows[i]. Values that no row has are
 * left out of its dictionary. */
shoal_status shoal_i_table_put_column(shoal_ctx *ctx, shoal_table *table, size_t column,
                                      size_t from, const uint32_t *rows);

#endif /* SHOAL_I_TABLE_MAKE_H */
