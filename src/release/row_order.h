/* row_order.h -- the rows of a release class after class, and in canonical order.
 *
 * Canonical order: by box, then by the codes of further columns. It depends on the released
 * values alone, so the order of the input cannot be read from a release. */
#ifndef SHOAL_I_ROW_ORDER_H
#define SHOAL_I_ROW_ORDER_H

#include "release.h"

/* The rows of box b, ascending, become rows[starts[b]] .. rows[starts[b + 1] - 1]. rows has
 * row_count entries, starts box_count + 1. */
void shoal_i_row_order_group(uint32_t *rows, uint32_t *starts, const shoal_i_release *release);

/* Sort the rows of each box by their codes in some columns of the table, the first column
 * deciding first. */
shoal_status shoal_i_row_order_sort(shoal_ctx *ctx, uint32_t *rows, const uint32_t *starts,
                                    const shoal_i_release *release, const size_t *columns,
                                    size_t column_count);

#endif /* SHOAL_I_ROW_ORDER_H */
