/* specialize_count.h -- how many records of a set have which code, in all columns at once.
 *
 * A group tries every column, and what a trial promises depends on counts alone: how many
 * records have each code, and with which of the values that requirements read. One pass over
 * the records gives that for all columns; the counts of nodes, at any depth of a column's tree,
 * are sums of those of codes. It pays when there are not many more codes and values than
 * records; smaller sets are counted column by column, by node (specialize_trial.h).
 */
#ifndef SHOAL_I_SPECIALIZE_COUNT_H
#define SHOAL_I_SPECIALIZE_COUNT_H

#include "../problem/method.h"

/* Records as rows of codes: row after row one code per quasi column, then one per column that
 * requirements read. */
typedef struct shoal_i_code_rows {
    const uint32_t *cells;
    size_t stride;
    size_t columns; /* of the quasi-identifier */
} shoal_i_code_rows;

typedef struct shoal_i_code_counts {
    const shoal_i_tally_source *source;
    size_t columns;
    size_t *firsts;  /* per column, and one more: the slot of its code 0 */
    size_t width;    /* cells of a slot: one per value, active column after active column */
    uint32_t *sizes; /* per slot: records */
    uint32_t *cells; /* per slot: how often which value occurs; NULL when none is read */
} shoal_i_code_counts;

/* For sets of at most `count` records. Memory is in proportion to count: when counting is not
 * worth it for so many, none. */
shoal_status shoal_i_code_counts_init(shoal_ctx *ctx, shoal_i_code_counts *counts,
                                      const shoal_i_quasi *quasi,
                                      const shoal_i_tally_source *source, size_t count);
void shoal_i_code_counts_clear(shoal_i_code_counts *counts);

/* Whether counting so many records, at most those of init, beats going through the columns. */
bool shoal_i_code_counts_pay(const shoal_i_code_counts *counts, size_t count);

/* Count the records, whose rows are those of their numbers. */
void shoal_i_code_counts_take(shoal_i_code_counts *counts, const shoal_i_code_rows *rows,
                              const uint32_t *records, size_t count);

/* The smallest and the largest code that occurs in a column. */
void shoal_i_code_counts_extent(const shoal_i_code_counts *counts, size_t column, uint32_t *lo,
                                uint32_t *hi);

#endif /* SHOAL_I_SPECIALIZE_COUNT_H */
