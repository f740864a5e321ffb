/* closest.h -- the closest common ancestor of a run of leaves, in constant time and linear
 * memory.
 *
 * Let joint[i] be the closest common ancestor of leaves i and i + 1. The ancestor of a run
 * first..last is an ancestor of all joints inside the run and equal to one of them; nodes are
 * in depth-first order, where an ancestor has a smaller number than what is below it; so it is
 * the *minimum* of joint[first..last-1].
 *
 * Minima over ranges: joints in blocks of 64. For each position a 64-bit word marks the
 * positions of its block that are minima of some range ending there; the minimum of a range
 * inside a block is the lowest mark from its start on. Ranges over whole blocks use a table of
 * the minima of 1, 2, 4, ... blocks. After J. Fischer and V. Heun, "Theoretical and practical
 * improvements on the RMQ-problem", CPM 2006, doi:10.1007/11780441_5. Small hierarchies, which
 * most are, fit in one block: a word, a shift, a count of zeros.
 */
#ifndef SHOAL_I_CLOSEST_H
#define SHOAL_I_CLOSEST_H

#include "../base/fail.h"

typedef struct shoal_i_closest {
    uint32_t *joints;
    uint64_t *marks;
    uint32_t *blocks; /* row r, block_count wide: minimum of the 2^r blocks from each on */
    size_t block_count;
} shoal_i_closest;

/* Prepare for `count` joints, which it takes over, also on failure. Ends with clear. */
shoal_status shoal_i_closest_init(shoal_ctx *ctx, shoal_i_closest *closest, uint32_t *joints,
                                  size_t count);
void shoal_i_closest_clear(shoal_i_closest *closest);

/* The smallest of joints[from..to], from <= to. */
uint32_t shoal_i_closest_min(const shoal_i_closest *closest, size_t from, size_t to);

#endif /* SHOAL_I_CLOSEST_H */
