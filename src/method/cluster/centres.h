/* centres.h -- the centres of two sides of a set of rows.
 *
 * The centre of a side is a row: in a numeric lane the mean, in the lanes of a categorical
 * column those of the value whose penalties with all records of the side sum up to the least.
 * That value is never worse than a node above it, so "most frequent value" and "node with the
 * least penalty" are one: in a flat column it is the most frequent value.
 */
#ifndef SHOAL_I_CENTRES_H
#define SHOAL_I_CENTRES_H

#include "../../base/fail.h"
#include "../../box/points.h"

/* Scratch for finding them; all counts are 0 between calls. */
typedef struct shoal_i_centres {
    const shoal_i_lanes *lanes;
    size_t tree_count; /* categorical columns */
    struct shoal_i_centres_tree {
        size_t first; /* lane, and one behind the last */
        size_t end;
        const int32_t *climbs;
        uint32_t *counts[2]; /* records of a side below each node */
        uint32_t *seen[2];   /* a row for each value that occurs on a side */
        size_t seen_counts[2];
    } * trees;
    size_t number_count; /* numeric lanes */
    size_t *numbers;
    int64_t *sums[2]; /* of the numeric lanes */
    size_t sizes[2];  /* rows of each side */
} shoal_i_centres;

/* Scratch for at most `most` rows. */
shoal_status shoal_i_centres_init(shoal_ctx *ctx, shoal_i_centres *centres,
                                  const shoal_i_lanes *lanes, size_t most);
void shoal_i_centres_clear(shoal_i_centres *centres);

/* Set the row centres[side] of each side that has rows. */
void shoal_i_centres_find(shoal_i_centres *scratch, int32_t *const centres[2],
                          const uint8_t *sides, const int32_t *rows, size_t count);

#endif /* SHOAL_I_CENTRES_H */
