/* tradeoff.h -- what a release tells about single people, and what it no longer tells about
 * many of them: privacy loss and utility loss.
 *
 *   Li, Li, "On the tradeoff between privacy and utility in data publishing", KDD 2009,
 *   doi:10.1145/1557019.1557079
 *
 * Both are Jensen-Shannon divergences of distributions of a sensitive column, natural
 * logarithm, in [0, ln 2]; several sensitive columns have figures of their own.
 */
#ifndef SHOAL_I_TRADEOFF_H
#define SHOAL_I_TRADEOFF_H

#include "query/spread.h"

/* --- Privacy loss. ---------------------------------------------------------------------- */

#define SHOAL_I_PRIVACY_BINS 14
#define SHOAL_I_PRIVACY_BIN_WIDTH 0.05 /* the last bin ends at ln 2 */

/* How far what an attacker believes about a record moves from what the whole release says:
 * JS(q, p), q the distribution in the release, p that of the record's class or bucket. Of
 * a release of boxes per record: p that of all rows whose box covers the record, each as likely
 * as the other. */
typedef struct shoal_i_privacy_loss {
    const char *name; /* of the sensitive column, borrowed */
    double highest;   /* the figure: the worst of all records */
    double mean;
    uint64_t records;
    uint64_t bins[SHOAL_I_PRIVACY_BINS]; /* records by their loss */
} shoal_i_privacy_loss;

/* Fills one entry per sensitive column. Sums are taken in a fixed order. */
shoal_status shoal_i_privacy_loss_measure(shoal_ctx *ctx, shoal_i_privacy_loss *out,
                                          const shoal_i_spread *spread);

/* --- Utility loss. ---------------------------------------------------------------------- */

#define SHOAL_I_MIN_SUPPORT 0.05

/* More populations than this are an error: a larger minimum support is needed. */
#define SHOAL_I_POPULATIONS_MAX 20000000

/* A large population is a conjunction of at most one predicate per quasi column that at least
 * floor(min_support * records), and at least one, record of the original meets. Predicates are
 * values and nodes of hierarchies (predicates.h); such with equal extents count once, and those
 * that all records meet do not count. Its loss is JS of the true distribution of the sensitive
 * column among its records and of the one that the release suggests (spread.h); ln 2 where the
 * release shows nobody. */
typedef struct shoal_i_utility_loss {
    const char *name; /* of the sensitive column, borrowed */
    double mean;      /* the figure: over all large populations; 0 when there is none */
    double highest;
} shoal_i_utility_loss;

typedef struct shoal_i_populations {
    uint64_t count;
    uint64_t support; /* records that make a population large */
} shoal_i_populations;

/* How populations are told apart. */
typedef struct shoal_i_population_options {
    double min_support;                  /* a share of the records, above 0 and at most 1 */
    const shoal_hierarchy *const *trees; /* of quasi columns of numbers, see predicates.h */
} shoal_i_population_options;

/* truth: the sensitive columns of the release as the original has them, by its records (those
 * of the quasi's table). Fills one entry of out per sensitive column. SHOAL_EINVAL: min_support
 * out of its range, a tree that is not of intervals. SHOAL_ELIMIT: too many populations.
 * Parallel over predicates. */
shoal_status shoal_i_utility_loss_measure(shoal_ctx *ctx, shoal_i_utility_loss *out,
                                          shoal_i_populations *populations,
                                          const shoal_i_spread *spread,
                                          const shoal_i_sensitive *truth,
                                          const shoal_i_population_options *options);

/* --- Both. ------------------------------------------------------------------------------ */

/* The figures, of every sensitive column; starts as {0}. */
typedef struct shoal_i_tradeoff {
    size_t count;
    shoal_i_privacy_loss *privacy; /* NULL: not asked for */
    shoal_i_utility_loss *utility; /* NULL: not asked for */
    shoal_i_populations populations;
    double min_support;
} shoal_i_tradeoff;

void shoal_i_tradeoff_clear(shoal_i_tradeoff *tradeoff);

/* The highest of all columns: the figures privacy_loss and utility_loss. */
double shoal_i_tradeoff_privacy(const shoal_i_tradeoff *tradeoff);
double shoal_i_tradeoff_utility(const shoal_i_tradeoff *tradeoff);

#endif /* SHOAL_I_TRADEOFF_H */
