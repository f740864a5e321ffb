/* hilbert_order.h -- records along a Hilbert curve through the space of the quasi-identifier.
 *
 * The curve visits every point of a grid with 2^bits places per side, each next to the one
 * before, so records that are near on it are near in every column. In two dimensions with two
 * bits it runs
 *
 *      5  6  9 10
 *      4  7  8 11
 *      3  2 13 12
 *      0  1 14 15
 *
 * The index of a point has bits * dimensions bits. It is kept as words, most significant first,
 * so neither the number of columns nor that of their values is bounded.
 */
#ifndef SHOAL_I_HILBERT_ORDER_H
#define SHOAL_I_HILBERT_ORDER_H

#include "../../base/fail.h"
#include "../../box/quasi.h"

/* Fill order with all records of the table, along the curve. Equal records stand together,
 * in the order of the table; columns of weight 0 or with one value are left out. Parallel. */
shoal_status shoal_i_hilbert_order(shoal_ctx *ctx, uint32_t *order, const shoal_i_quasi *quasi);

/* Turn points into indices on the curve, in place. axes[d * count + i] is the coordinate of
 * point i in dimension d, below 2^bits, with bits from 1 to 32. Afterwards the bits at one
 * place of its numbers, dimension 0 first, are `dimensions` bits of the index, the highest
 * place giving the most significant ones. */
void shoal_i_hilbert_transpose(uint32_t *axes, size_t count, size_t dimensions, unsigned bits);

/* Words of 64 bits that an index takes. */
size_t shoal_i_hilbert_word_count(size_t dimensions, unsigned bits);

/* Put together word `word` of the indices of transposed points. */
void shoal_i_hilbert_word(uint64_t *out, const uint32_t *transposed, size_t count,
                          size_t dimensions, unsigned bits, size_t word);

#endif /* SHOAL_I_HILBERT_ORDER_H */
