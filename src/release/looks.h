/* looks.h -- which classes look alike to a reader.
 *
 * Ranges, labels and sets tell boxes apart. A mean or a median need not:
 *
 *     box         records       mean
 *     [20..30]    20, 25, 30    25
 *     [24..26]    24, 26        25        the same to whoever reads the file
 *
 * What is counted of a release, and the order of its rows, go by what it looks like.
 */
#ifndef SHOAL_I_LOOKS_H
#define SHOAL_I_LOOKS_H

#include "release.h"

/* Number the boxes of a release of the shape classes by what they show in a form of numbers;
 * release->look_of stays NULL where all look different. */
shoal_status shoal_i_release_find_looks(shoal_ctx *ctx, shoal_i_release *release,
                                        const shoal_i_layout *layout);

/* What the rows of a box look like, and how many looks there are. */
static inline uint32_t shoal_i_release_look(const shoal_i_release *release, uint32_t box)
{
    return release->look_of ? release->look_of[box] : box;
}

static inline size_t shoal_i_release_look_count(const shoal_i_release *release)
{
    return release->look_of ? release->look_count : release->box_count;
}

#endif /* SHOAL_I_LOOKS_H */
