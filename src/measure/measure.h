/* measure.h -- what a release lost, and whether it keeps its promise.
 *
 * `loss` works from a release alone (release.h), whoever made it. `verify` works from the text
 * that will be published, read back as a table, and shares nothing with the methods: it
 * recounts the classes by the released text of the quasi columns.
 */
#ifndef SHOAL_I_MEASURE_H
#define SHOAL_I_MEASURE_H

#include "../release/release.h"
#include "../requirement/requirement.h"

typedef struct shoal_i_column_loss {
    const char *name; /* borrowed from the quasi */
    double weight;
    double loss;         /* mean normalized certainty penalty of the column, in [0, 1]; omitted
                            records count 1 */
    uint64_t suppressed; /* cells that say nothing (released as the root or the whole range),
                            omitted records included */
} shoal_i_column_loss;

typedef struct shoal_i_size_bin {
    uint64_t size;    /* class size */
    uint64_t classes; /* how many classes have it */
} shoal_i_size_bin;

/* The figures of docs/measures.md. In a release by buckets the classes are the buckets: nothing
 * is generalized, so that ncp, gcp and distortion are 0. A column with a single value has
 * nothing to lose: its cells never count as suppressed, and it has no part in the distortion
 * ratio. */
typedef struct shoal_i_loss {
    uint64_t records; /* of the original: written and omitted */
    uint64_t omitted;
    uint64_t suppressed; /* records that say nothing on any column with more than one value,
                            omitted ones included */
    uint64_t classes;
    uint64_t smallest_class;
    uint64_t largest_class;
    double ncp;
    double gcp;
    double discernibility;     /* suppressed records count `records` each */
    double average_class_size; /* C_AVG = (written records / classes) / k; k = 1 when k is not
                                  known (0) */
    double distortion_ratio;   /* numeric columns without hierarchy count as of height 1 */
    size_t column_count;
    shoal_i_column_loss *columns;
    size_t bin_count;
    shoal_i_size_bin *bins; /* ascending by size */
} shoal_i_loss;

/* Sums are taken in a fixed order: the same figures on any number of threads. A release of no
 * records at all has figures 0. A release with a box per record has no classes: those counted
 * are rows with equal boxes, and discernibility and average_class_size are NaN. */
shoal_status shoal_i_loss_measure(shoal_ctx *ctx, shoal_i_loss *out,
                                  const shoal_i_release *release, uint64_t k);
/* Add the figures of a part of a release, which has whole classes and omits nothing, to those
 * of the parts before it; all starts as {0}. Both are by the same quasi-identifier. */
shoal_status shoal_i_loss_join(shoal_ctx *ctx, shoal_i_loss *all, const shoal_i_loss *part,
                               const shoal_i_quasi *quasi, uint64_t k);
/* The figures of a class from those of parts of it, each measured as a release of that class
 * alone; whole starts as {0}. */
shoal_status shoal_i_loss_join_class(shoal_ctx *ctx, shoal_i_loss *whole,
                                     const shoal_i_loss *part, const shoal_i_quasi *quasi);
void shoal_i_loss_clear(shoal_i_loss *loss);

/* The verdict on one requirement. */
typedef struct shoal_i_verdict_item {
    shoal_i_requirement requirement;
    bool holds;
    uint64_t failing_classes;
    uint64_t failing_records;
    double worst_figure;  /* the least safe figure of any class; 0 when there is no class */
    uint64_t worst_class; /* the first that has it; classes are numbered by their first row */
    uint64_t worst_class_size;
    uint64_t worst_class_persons;
    size_t worst_row; /* its first row of the file */
} shoal_i_verdict_item;

typedef struct shoal_i_verdict {
    bool holds; /* all of them */
    uint64_t records;
    uint64_t classes;
    uint64_t smallest_class; /* of the shape records: the fewest candidates found, counted no
                                further than what is asked for */
    /* of the shape records: rows that cannot stand for a record of their own */
    uint64_t unmatched;
    /* Where persons were counted, who may have several records; else 0. */
    uint64_t persons;        /* in all */
    uint64_t fewest_persons; /* of a class */
    size_t count;
    shoal_i_verdict_item items[SHOAL_I_REQUIREMENTS_MAX];
} shoal_i_verdict;

/* Let a verdict, found with the requirements of one table, speak of the same requirements of
 * another: those of a file go with the file. */
void shoal_i_verdict_speak_of(shoal_i_verdict *verdict, const shoal_i_requirement_set *set);

/* What is known of the rows of a file beside its columns; NULL where no requirement needs
 * it. */
typedef struct shoal_i_row_facts {
    const uint32_t *k;              /* the k that each row asks for */
    const uint64_t *population;     /* records of the population in the class of each row */
    const shoal_i_persons *persons; /* whose record each row is; NULL: of a person of its own */
    const shoal_i_row_classes *classes; /* by the columns that are asked for, where they have
                                           been found; NULL: they are found here */
} shoal_i_row_facts;

/* Group the rows of `file` by the text of the named columns (quasi_columns: indices into file)
 * and check every class. The columns are read as strings, so that equal texts have equal codes.
 * facts may be NULL when no requirement needs them. The sensitive columns of the requirements
 * are those of the file: their codes by row, the shares of the whole table from them. Exact:
 * texts are compared, not hashes. SHOAL_OK whether or not the requirements hold; SHOAL_EINVAL
 * when a fact is needed and missing. */
shoal_status shoal_i_verify(shoal_ctx *ctx, shoal_i_verdict *out, const shoal_table *file,
                            const size_t *quasi_columns, size_t quasi_count,
                            const shoal_i_requirement_set *set, const shoal_i_row_facts *facts);

/* Check a release with a box per record, parsed back with the quasi of its original: every
 * record must be compatible with at least k rows and every row with at least k records,
 * counting only what is in some perfect matching of rows and records (compatible.h). A k of a
 * record's own is about its rows. row_order (row -> record whose box it is) saves looking for a
 * matching; NULL: it is not known. In the verdict, failing classes are records and rows that
 * have too few.
 *   SHOAL_EUNSUPPORTED  a requirement other than k
 * O(n log n) where much overlaps or little, as in real releases; O(n^2) at worst. */
shoal_status shoal_i_verify_records(shoal_ctx *ctx, shoal_i_verdict *out,
                                    const shoal_i_release *parsed, const uint32_t *row_order,
                                    const shoal_i_requirement_set *set,
                                    const uint32_t *record_k);

/* How many records of a population, or persons where these are given, lie in each box of a
 * release: parsed was read with the quasi of the population's table. *out has box_count
 * entries; free. Parallel; a box costs as many steps as the population has records within its
 * narrowest column. */
shoal_status shoal_i_count_population(shoal_ctx *ctx, uint64_t **out,
                                      const shoal_i_release *parsed,
                                      const shoal_i_persons *persons);

/* The equivalence classes of a table by a set of columns: *class_of (row -> class, numbered by
 * first row), *class_count. Caller frees *class_of. Parallel; O(rows * columns). */
shoal_status shoal_i_group_rows(shoal_ctx *ctx, uint32_t **class_of, size_t *class_count,
                                const shoal_table *table, const size_t *columns, size_t count);

/* Whether every record lies in the box that was published for it: parsed is the release parsed
 * back from the file, row_order the origin of each line. SHOAL_EREJECTED naming the line
 * (error.record: the row of the file) when one does not, or when a record was published twice.
 */
shoal_status shoal_i_verify_cover(shoal_ctx *ctx, const shoal_i_release *parsed,
                                  const uint32_t *row_order);

/* The same in two steps, of which the first leaves other threads to others. */
typedef struct shoal_i_placed {
    const shoal_i_release *parsed;
    const uint32_t *row_order;
    size_t record_count;
    uint32_t *box_of; /* of each record of the original */
} shoal_i_placed;

/* Find the box of each record. *out borrows both; release it with clear, in any case. */
shoal_status shoal_i_placed_find(shoal_ctx *ctx, shoal_i_placed *out,
                                 const shoal_i_release *parsed, const uint32_t *row_order);

/* Whether each record lies in its box; parallel. */
shoal_status shoal_i_placed_check(shoal_ctx *ctx, const shoal_i_placed *cover);
void shoal_i_placed_clear(shoal_i_placed *cover);

#endif /* SHOAL_I_MEASURE_H */
