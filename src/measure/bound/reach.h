/* reach.h -- how far the box around a point must reach to hold others, direction by direction.
 *
 * A direction is up in a hierarchy, or down or up along a number; what a box reaches in all of
 * them is what it loses beyond its own point (cheapest_box.h). In units of points.h, whose
 * lanes are rounded: the penalty of a box in lanes may be larger than its penalty by the
 * definition. A bound must never be above the truth, so whatever comes of reaches is to be
 * counted down by `slack`, the most that rounding can add to one box: 2 in each column for
 * the two ends of an interval, and for numbers how far the lane's scale pushes a value beyond
 * its place.
 *
 * Missing numbers that are kept lie beyond the largest value, farther than the definition
 * charges; rows are to be pulled back to it first.
 */
#ifndef SHOAL_I_REACH_H
#define SHOAL_I_REACH_H

#include "../../box/distinct.h"

typedef struct shoal_i_reach {
    const shoal_i_lanes *lanes;
    const shoal_i_distinct *points;
    size_t directions;
    int64_t slack;          /* of one box */
    const uint32_t **codes; /* per quasi column with a grid: of each point; NULL of others */
} shoal_i_reach;

/* Both are borrowed. */
shoal_status shoal_i_reach_init(shoal_ctx *ctx, shoal_i_reach *reach,
                                const shoal_i_lanes *lanes, const shoal_i_distinct *points);
void shoal_i_reach_clear(shoal_i_reach *reach);

/* Where the largest value of a numeric column lies, and kept missing numbers are moved to. */
int32_t shoal_i_reach_top(const shoal_i_lanes *lanes, size_t c);
void shoal_i_reach_pull_missing(const shoal_i_lanes *lanes, int32_t *rows, size_t row_count);

/* What a point loses by itself: the cells of its numbers. */
int64_t shoal_i_reach_own(const shoal_i_reach *reach, uint32_t point);

/* How far the box around a point must reach to hold another point. climb: of the first
 * (nearby.h); out: as many as there are directions. */
void shoal_i_reach_to(const shoal_i_reach *reach, int32_t *out, const int32_t *climb,
                      uint32_t point, uint32_t other);

/* The same of somebody who may not be in the table, of whom only a row is known; at least. */
void shoal_i_reach_to_row(const shoal_i_reach *reach, int32_t *out, const int32_t *climb,
                          uint32_t point, const int32_t *other);

#endif /* SHOAL_I_REACH_H */
