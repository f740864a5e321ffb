/* distribution.h -- the values of a column before and after: how often they were, and how often
 * a reader of the release must think they are.
 *
 * A released interval says no more than that its values are equally likely: each leaf below a
 * label, each whole number or day of a range, every stretch of a range of reals. Spread in this
 * way, the boxes of a release give the shares that are expected of it.
 *
 *     original  ▇▅▂▁      expected  ▅▅▂▂       distance: half the sum of the differences
 */
#ifndef SHOAL_I_DISTRIBUTION_H
#define SHOAL_I_DISTRIBUTION_H

#include "../release/release.h"

#define SHOAL_I_SHARES_MAX 22

typedef enum shoal_i_share_kind {
    SHOAL_I_SHARE_RANGE,  /* from .. to; whole numbers and days: both included */
    SHOAL_I_SHARE_VALUE,  /* one value of a category, by the column's code */
    SHOAL_I_SHARE_OTHERS, /* all less frequent values */
    SHOAL_I_SHARE_MISSING /* of a number */
} shoal_i_share_kind;

typedef struct shoal_i_share {
    shoal_i_share_kind kind;
    uint32_t code;
    uint32_t values; /* OTHERS: how many */
    double from;
    double to;
    double original; /* of the records of the original */
    double release;  /* expected, of the records of the release */
} shoal_i_share;

typedef struct shoal_i_distribution {
    const shoal_i_quasi_column *column; /* borrowed */
    shoal_type type;
    size_t count;
    shoal_i_share shares[SHOAL_I_SHARES_MAX]; /* categories: the most frequent first */
    double distance; /* total variation: of ranges as they are shown, of all categories */
} shoal_i_distribution;

/* Of every quasi column; free(). Parallel over columns; O(boxes + records) each. */
shoal_status shoal_i_distributions_find(shoal_ctx *ctx, shoal_i_distribution **out,
                                        const shoal_i_release *release);

#endif /* SHOAL_I_DISTRIBUTION_H */
