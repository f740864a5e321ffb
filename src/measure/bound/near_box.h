/* near_box.h -- the cheapest box around a point that holds so many of those nearest to it.
 *
 * Whoever is not among the nearest that are looked at costs at least what the farthest of them
 * does, and so does any box that holds him; the least of this and of the best box among the
 * near ones is below the truth or is it.
 */
#ifndef SHOAL_I_NEAR_BOX_H
#define SHOAL_I_NEAR_BOX_H

#include "cheapest_box.h"
#include "nearby.h"
#include "reach.h"

/* What one thread needs to ask about one kind of points. */
typedef struct shoal_i_near_box {
    const shoal_i_reach *reach;    /* of the points asked about */
    const shoal_i_nearby *nearest; /* those that boxes are to hold: the same points, or rows of
                                      others in the same lanes */
    size_t leaves;                 /* opened per point at most */
    shoal_i_nearby_asking asking;
    shoal_i_reaches reaches; /* is_enough and its payload may be set */
} shoal_i_near_box;

/* asked: points that will be asked about, which share the time. Both are borrowed. */
shoal_status shoal_i_near_box_init(shoal_ctx *ctx, shoal_i_near_box *box,
                                   const shoal_i_reach *reach, const shoal_i_nearby *nearest,
                                   size_t asked);
void shoal_i_near_box_clear(shoal_i_near_box *box);

/* What the box of a point loses at least, its own loss included, if it holds records of the
 * others of at least this weight, 1 or more. */
int64_t shoal_i_near_box_find(shoal_i_near_box *box, uint32_t point, uint64_t need);

#endif /* SHOAL_I_NEAR_BOX_H */
