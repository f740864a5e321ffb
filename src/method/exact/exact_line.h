/* exact_line.h -- the optimal groups of numbers on a line, when only sizes matter.
 *
 * The numbers x[0] <= x[1] <= ... are parted into groups of at least k; a group costs its size
 * times the distance from its smallest to its largest number. Runs of the sorted order are not
 * always best: of 0, 50, 50, 50, 100 with k = 2 the groups {0, 100} and {50, 50, 50} cost 200,
 * the best runs 250. But little more than runs is needed. Among the optimal partitions take one
 * whose groups span the fewest places of the order in all. Then
 *
 *   - No group has 2k numbers or more: its lower and its upper half would do as well.
 *   - No two groups cross (a <= b <= a' <= b'): give the lower |A| of their numbers to A
 *     and the others to B; neither gets wider.
 *   - A group inside another is larger than it. Say A lies inside C, |A| <= |C|: the lower |A|
 *     and the upper |C| numbers of both, side by side, cost at most |C| times the width of C.
 *   - No group lies inside a group inside a group. Say B inside A inside C, with l numbers of C
 *     to the left of A and r to the right. Fill l up to k with the lowest numbers of A and B,
 *     and r with the highest (one that has k stays alone); the rest, y numbers, lies inside A.
 *     With widths dx + dy + dz <= dC this costs at most |C| dC + (y - |C|) dy, and y - |C| <=
 *     |A| + |B| - 2k < |A|.
 *   - No number of an outer group lies between two of an inner one: exchange it with the
 *     nearest end of the inner group.
 *
 * Each of these steps costs nothing and spans fewer places, so that partition needs none. Hence
 * it consists of runs of k..2k-1 numbers and of blocks: an outer group of p = k..2k-2 numbers
 * with runs of p+1..2k-1 numbers between them. Dynamic programming over the places, with the
 * size of the outer group and how many numbers it has so far as state, finds the best of these:
 * O(n k^3) time, O(n + k^3) memory.
 */
#ifndef SHOAL_I_EXACT_LINE_H
#define SHOAL_I_EXACT_LINE_H

#include <shoal/ctx.h>

/* Steps the search takes for so many numbers: what a caller may hold against a limit. */
double shoal_i_exact_line_work(size_t count, size_t k);

/* The largest k that is served; memory grows with its cube. */
#define SHOAL_I_EXACT_LINE_K_MAX 256

/* x ascends; 1 <= k <= count, and k at most SHOAL_I_EXACT_LINE_K_MAX unless 2k > count.
 * group_of[i] is set to the group of x[i], groups numbered from 0; *group_count to how many
 * there are. */
shoal_status shoal_i_exact_line(shoal_ctx *ctx, uint32_t *group_of, size_t *group_count,
                                const double *x, size_t count, size_t k);

#endif /* SHOAL_I_EXACT_LINE_H */
