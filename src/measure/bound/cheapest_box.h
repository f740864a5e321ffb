/* cheapest_box.h -- the cheapest box around a point that holds enough records.
 *
 * A box around a point reaches some way in each direction: up in a hierarchy, or left and right
 * along a number. A record is a vector of how far it reaches in each direction, the box must
 * reach as far as the farthest of its records in each, and its penalty is the sum over
 * directions:
 *
 *     cheapest = min over sets of at least `need` records, which are enough in other ways,
 *                of sum over d of max over the set of reach[d]
 *
 * Found by choosing how far to reach direction by direction, with a bound, in so many steps at
 * most; a search that is cut off returns a number that is not above the true one.
 */
#ifndef SHOAL_I_CHEAPEST_BOX_H
#define SHOAL_I_CHEAPEST_BOX_H

#include <shoal/ctx.h>

typedef struct shoal_i_reaches {
    size_t capacity; /* records at most */
    size_t directions;
    size_t count;
    int32_t *reach;    /* record after record */
    uint64_t *weights; /* how many records each stands for */
    /* Whether so many of the records, given by their numbers, have what else is needed; if so,
     * then any that hold these. NULL: their weight tells. */
    bool (*is_enough)(const void *payload, const uint32_t *numbers, size_t count);
    const void *payload;
    /* Scratch. */
    size_t *order;  /* of the directions */
    int64_t *rests; /* record after record: what it reaches from a direction in the order on;
                       one more entry, 0, closes each */
    uint32_t *active;
    int32_t *values;
} shoal_i_reaches;

shoal_status shoal_i_reaches_init(shoal_ctx *ctx, shoal_i_reaches *reaches, size_t capacity,
                                  size_t directions);
void shoal_i_reaches_clear(shoal_i_reaches *reaches);

/* The cheapest box that holds `need` of the records (weights counted), or `most` when none is
 * cheaper than that; or less than either, after `steps` steps. need is at least 1. */
int64_t shoal_i_cheapest_box(shoal_i_reaches *reaches, uint64_t need, int64_t most,
                             size_t steps);

#endif /* SHOAL_I_CHEAPEST_BOX_H */
