/* rests.h -- what the rests of an order cost at best, and where a run of a known penalty had
 * best end.
 *
 * A run that starts at j, ends before e and has penalty p costs (e - j) p, and what is left
 * costs best[e]. Where p is the same for a stretch of ends, the cheapest of them is the one
 * with the least best[e] + e p: the point (e, best[e]) of the stretch that a line of slope -p
 * touches first. So of aligned stretches (run_boxes.h) only the points are kept that some line
 * touches, their lower hull, and one of them is found by halving:
 *
 *     best |  .                   Where p is smaller at the first end of the stretch than at
 *          |   \    .             others, what is found by the first is a bound: none of the
 *          |    .__    .   .      ends costs less.
 *          |       ''---.
 *          +------------------ e
 *
 * Rests become known from the back, so points come from the right and a hull is a stack.
 */
#ifndef SHOAL_I_RESTS_H
#define SHOAL_I_RESTS_H

#include "run_boxes.h"

#define SHOAL_I_NO_COST INT64_MAX

typedef struct shoal_i_rests {
    size_t count; /* ends are 0..count */
    size_t level_count;
    int64_t *best;                        /* per end; SHOAL_I_NO_COST: no partition */
    uint32_t *hulls[SHOAL_I_LEVELS_MOST]; /* per level: the ends of the hull of each stretch,
                                             from the right, at the place of the stretch */
    uint32_t *sizes[SHOAL_I_LEVELS_MOST]; /* how many they are */
} shoal_i_rests;

/* No rest is known. To be cleared also after a failure. */
shoal_status shoal_i_rests_init(shoal_ctx *ctx, shoal_i_rests *rests, size_t count,
                                size_t level_count);
void shoal_i_rests_clear(shoal_i_rests *rests);

/* The cost of the rest from an end on, best[end], is known; those of all larger ends are.
 * O(levels) on average. */
void shoal_i_rests_add(shoal_i_rests *rests, size_t end);

/* The least best[e] + e * penalty of the ends known in a stretch; *end: the smallest of those
 * that have it. SHOAL_I_NO_COST where there is none. O(log width). */
int64_t shoal_i_rests_least(const shoal_i_rests *rests, size_t level, size_t stretch,
                            int32_t penalty, size_t *end);

#endif /* SHOAL_I_RESTS_H */
