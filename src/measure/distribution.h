/* distribution.h -- the values of a column before and after: how often they were, and how often
 * a reader of the release must think they are. Of quasi columns and of sensitive ones.
 *
 * A released interval says no more than that its values are equally likely: each leaf below a
 * label, each whole number or day of a range, every stretch of a range of reals. Spread in this
 * way, the boxes of a release give the shares that are expected of it.
 *
 *     original  ▇▅▂▁      expected  ▅▅▂▂       distance: half the sum of the differences
 *
 * Numbers and dates are shown in their order, in ranges that begin at round numbers (bins.h),
 * whether they have a hierarchy or not. Sensitive values are released as they are; what changes
 * them is what was left out.
 */
#ifndef SHOAL_I_DISTRIBUTION_H
#define SHOAL_I_DISTRIBUTION_H

#include "../release/release.h"
#include "bins.h"
#include "query/published.h"

#define SHOAL_I_SHARES_MAX (SHOAL_I_BINS_MAX + 1)

typedef enum shoal_i_share_kind {
    SHOAL_I_SHARE_RANGE,  /* the bin of its place */
    SHOAL_I_SHARE_VALUE,  /* one value of a category */
    SHOAL_I_SHARE_OTHERS, /* all less frequent values */
    SHOAL_I_SHARE_MISSING /* of a number */
} shoal_i_share_kind;

typedef struct shoal_i_share {
    shoal_i_share_kind kind;
    uint32_t code;   /* of the column, as a quasi column or a sensitive one */
    uint32_t values; /* OTHERS: how many */
    double original; /* of the records of the original */
    double release;  /* expected, of the records of the release */
} shoal_i_share;

typedef struct shoal_i_distribution {
    const char *name;         /* borrowed, as the next */
    const shoal_table *table; /* of the original, and which of its columns it is */
    size_t column;
    const shoal_i_quasi_column *quasi; /* NULL: it is sensitive */
    bool is_ordered;                   /* a number or a date: shares are ranges */
    shoal_i_bins bins;                 /* of those that are ordered */
    size_t count;
    shoal_i_share shares[SHOAL_I_SHARES_MAX]; /* categories: the most frequent first */
    double distance; /* total variation: of ranges as they are shown, of all categories */
} shoal_i_distribution;

/* Of every quasi column, and behind them of the sensitive ones of shown; free(). Parallel over
 * columns; O(boxes + records) each. */
shoal_status shoal_i_distributions_find(shoal_ctx *ctx, shoal_i_distribution **out,
                                        const shoal_i_release *release,
                                        const shoal_i_shown *shown);

/* The code of the dictionary that stands behind a code of the column. */
uint32_t shoal_i_distribution_entry(const shoal_i_distribution *distribution, uint32_t code);

#endif /* SHOAL_I_DISTRIBUTION_H */
