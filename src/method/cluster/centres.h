/* centres.h -- the centres of two sides of a set of rows.
 *
 * The centre of a side is a row: in a numeric lane the mean, in the lanes of a categorical
 * column those of the value whose penalties with all records of the side sum up to the least.
 * That value is never worse than a node above it, so "most frequent value" and "node with the
 * least penalty" are one: in a flat column it is the most frequent value.
 *
 * A column of amounts has thousands of values below some dozens of nodes (twigs) one step above
 * them:
 *
 *               *
 *         a           b        counted for all rows; few, so their counts stay in the cache
 *     a1     a2    b1    b2    twigs
 *     ...    ...   ...   ...   values: counted below a twig only if it may hold the centre
 */
#ifndef SHOAL_I_CENTRES_H
#define SHOAL_I_CENTRES_H

#include "../../base/fail.h"
#include "../../box/points.h"

/* Scratch for finding them; all counts are 0 between calls. */
typedef struct shoal_i_centres {
    const shoal_i_lanes *lanes;
    size_t counted_most; /* rows whose categories are counted, about; 0: all */
    size_t step;         /* from one of them to the next */
    size_t tree_count;   /* categorical columns */
    struct shoal_i_centres_tree {
        size_t first; /* lane, and one behind the last */
        size_t end;
        const int32_t *climbs;
        uint32_t *counts[2]; /* records of a side below each node above the values */
        uint32_t *seen[2];   /* the first row below each twig that occurs on a side */
        size_t seen_counts[2];
    } * trees;
    uint32_t *below;     /* records with each value below a twig, of any tree */
    uint32_t *values;    /* the first row with each value below a twig */
    int64_t *twig_sums;  /* least sum of penalties below each twig seen on a side */
    size_t number_count; /* numeric lanes */
    size_t *numbers;
    int64_t *sums[2];  /* of the numeric lanes */
    size_t sizes[2];   /* rows of each side */
    size_t counted[2]; /* of these, whose categories were counted */
} shoal_i_centres;

/* Scratch for at most `most` rows. Where centres need not be exact, categories are counted in
 * some counted_most evenly spaced rows only (0: in all). */
shoal_status shoal_i_centres_init(shoal_ctx *ctx, shoal_i_centres *centres,
                                  const shoal_i_lanes *lanes, size_t most, size_t counted_most);
void shoal_i_centres_clear(shoal_i_centres *centres);

/* Set the row centres[side] of each side that has rows, or rows that were counted. */
void shoal_i_centres_find(shoal_i_centres *scratch, int32_t *const centres[2],
                          const uint8_t *sides, const int32_t *rows, size_t count);

#endif /* SHOAL_I_CENTRES_H */
