/* risk.h -- how exposed people are: whether a record can be found, by what, and what finding it
 * tells.
 *
 * Three attackers (docs/risk.md has the words and the formulas):
 *
 *   prosecutor   knows that somebody is in the table; finds the record with chance 1/f, f the
 *                records that look like it
 *   journalist   does not know that; finds it with chance 1/F, F the people of the population
 *                who look like it: counted in a population file, or expected from the sampling
 *                fraction
 *   marketer     links all records and is content with many hits: the mean of 1/F, of 1/f when
 *                nothing is known of a population
 *
 * Figures depend on counts alone and sums are taken in a fixed order: the same on any number of
 * threads.
 */
#ifndef SHOAL_I_RISK_H
#define SHOAL_I_RISK_H

#include "../../release/release.h"
#include "../../requirement/sensitive.h"

/* --- Finding a record. ------------------------------------------------------------------ */

#define SHOAL_I_THRESHOLDS_MAX 8

/* Some records that share a chance of being found: those of a class, as a rule. */
typedef struct shoal_i_crowd {
    uint64_t records;
    uint64_t size;       /* f: records that look like each of them; at least 1 */
    uint64_t population; /* F: people who do; 0 when not known */
} shoal_i_crowd;

typedef struct shoal_i_risk_settings {
    size_t threshold_count;
    double thresholds[SHOAL_I_THRESHOLDS_MAX]; /* ascending, within (0, 1] */
    double sampling_fraction;                  /* within (0, 1]; 0: not known */
} shoal_i_risk_settings;

/* Where a journalist's figures come from. */
typedef enum shoal_i_journalist {
    SHOAL_I_JOURNALIST_NONE,
    SHOAL_I_JOURNALIST_POPULATION,
    SHOAL_I_JOURNALIST_FRACTION
} shoal_i_journalist;

typedef struct shoal_i_attack {
    double highest;
    double mean;                            /* over the records */
    uint64_t above[SHOAL_I_THRESHOLDS_MAX]; /* records with a chance above each threshold */
} shoal_i_attack;

/* Crowds by size: from .. to, the last without end (to is 0). */
#define SHOAL_I_BANDS 8
typedef struct shoal_i_band {
    uint64_t from;
    uint64_t to;
    uint64_t crowds;
    uint64_t records;
} shoal_i_band;

typedef struct shoal_i_identity_risk {
    uint64_t records;
    uint64_t crowds;
    uint64_t uniques; /* records in a crowd of one */
    uint64_t smallest;
    uint64_t largest;
    shoal_i_attack prosecutor;
    shoal_i_journalist source;
    shoal_i_attack journalist; /* where there is a source */
    double marketer;
    shoal_i_band bands[SHOAL_I_BANDS];
} shoal_i_identity_risk;

/* A crowd whose population is known counts by it; where crowds have none, by the sampling
 * fraction if that is known. */
shoal_status shoal_i_identity_measure(shoal_ctx *ctx, shoal_i_identity_risk *out,
                                      const shoal_i_crowd *crowds, size_t count,
                                      const shoal_i_risk_settings *settings);

/* The expected 1/F of f sampled records that look alike, for f = 1..largest (out[0] is unused):
 * F - f counts the people passed over until f were drawn, each with the chance `fraction`
 * (negative binomial; Benedetti and Franconi 1998). */
void shoal_i_expected_inverse(double *out, size_t largest, double fraction);

/* --- What singles records out. ---------------------------------------------------------- */

#define SHOAL_I_TOGETHER_MAX 4

/* Columns (numbers within the quasi-identifier, ascending) and what their values show. */
typedef struct shoal_i_combination {
    size_t count;
    uint32_t columns[SHOAL_I_TOGETHER_MAX];
    uint64_t uniques; /* records that no other equals in these columns */
    uint64_t minimal; /* those of them that fewer of these columns would not single out */
} shoal_i_combination;

typedef struct shoal_i_column_part {
    const char *name;
    uint64_t minimal; /* minimal sample uniques it is part of */
    uint64_t records; /* that it helps to single out */
    uint64_t only;    /* that nothing would single out without it */
} shoal_i_column_part;

typedef struct shoal_i_combinations {
    size_t together; /* how many columns at once were looked at; less than was asked when there
                        are too many columns for so many records */
    size_t asked;
    uint64_t sets;        /* of columns looked at */
    uint64_t left_out;    /* sets of up to `asked` columns not looked at */
    uint64_t records;     /* of the table */
    uint64_t singled_out; /* by some set that was looked at */
    uint64_t minimal[SHOAL_I_TOGETHER_MAX + 1]; /* minimal sample uniques by size of the set */
    uint64_t first_out[SHOAL_I_TOGETHER_MAX + 1]; /* records by their smallest such set */
    size_t count;
    shoal_i_combination *items; /* those with minimal uniques, the most of them first */
    size_t column_count;
    shoal_i_column_part *columns; /* in the order of the quasi-identifier */
} shoal_i_combinations;

/* Minimal sample uniques of the raw values: for every set of at most `together` (up to
 * SHOAL_I_TOGETHER_MAX) quasi columns the records that it singles out; class_of are the numbers
 * of the records by all columns (shoal_i_number_records). Parallel. Time grows
 * with points * sets, which is bounded by `effort` (0: the default): of more, sets of so many
 * columns are left out. */
shoal_status shoal_i_combinations_find(shoal_ctx *ctx, shoal_i_combinations *out,
                                       const shoal_i_quasi *quasi, const uint32_t *class_of,
                                       size_t class_count, size_t together, uint64_t effort);
void shoal_i_combinations_clear(shoal_i_combinations *combinations);

/* --- What finding a class tells. -------------------------------------------------------- */

/* A sensitive column within groups: classes, or buckets. */
typedef struct shoal_i_attribute_risk {
    double highest_share;    /* of one value in a group */
    double mean_share;       /* of records whose value is the most frequent of their group: what
                             guessing gets right */
    double table_share;      /* what guessing gets right by the whole table alone */
    uint64_t certain_groups; /* in which all records have one value */
    uint64_t certain_records;
    uint64_t fewest_values;  /* different ones in a group */
    double fewest_effective; /* the least exp(entropy): as so many equally frequent values */
} shoal_i_attribute_risk;

/* group_of: of each row of the column. O(rows). */
shoal_status shoal_i_attribute_measure(shoal_ctx *ctx, shoal_i_attribute_risk *out,
                                       const uint32_t *group_of, size_t group_count,
                                       const shoal_i_sensitive *column);

/* --- All of it, before and after. ------------------------------------------------------- */

typedef struct shoal_i_attribute_pair {
    const char *name;
    shoal_i_attribute_risk original;
    bool has_release; /* false where a release has no groups that could be counted */
    shoal_i_attribute_risk release;
} shoal_i_attribute_pair;

typedef struct shoal_i_risk {
    shoal_i_risk_settings settings;
    bool has_release;
    shoal_i_shape shape;
    shoal_i_identity_risk original; /* by the raw values of the quasi-identifier */
    shoal_i_identity_risk release;
    shoal_i_combinations combinations; /* of the original */
    size_t attribute_count;
    shoal_i_attribute_pair *attributes;
} shoal_i_risk;

void shoal_i_risk_clear(shoal_i_risk *risk);

#endif /* SHOAL_I_RISK_H */
