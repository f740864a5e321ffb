/* answer.h -- aggregate queries: what a release suggests, and what is true of the original.
 *
 * A query selects records by their quasi-identifier and by the columns that are released as
 * they are, and counts them or adds up a column. From a release it is answered under
 * uniformity: a box gives the share of its records that the predicates on the quasi columns
 * select (axis.h), and of its rows those whose other values are selected:
 *
 *     COUNT = sum over boxes of  share(box) * selected rows of the box
 *
 * Of a bucketized release a box is a point, and sensitive values are those of the bucket,
 * shared evenly among its rows.
 *
 * Neither side looks at all boxes or records: lists lead from the values of each column to what
 * has them, and the column that leaves fewest is followed (spread.h; of the original, the
 * records by code). Where that leaves many records, bits do: those of the chosen values of a
 * column joined, those of all columns intersected.
 */
#ifndef SHOAL_I_ANSWER_H
#define SHOAL_I_ANSWER_H

#include "spread.h"

typedef enum shoal_i_aggregate { SHOAL_I_COUNT, SHOAL_I_SUM, SHOAL_I_AVG } shoal_i_aggregate;

/* What a query selects in one column. Of a quasi column: segments of its axis, which ascend,
 * for the release, and chosen codes for the original. Of another: chosen codes for both. */
typedef struct shoal_i_selection {
    bool is_any; /* the column is not asked about */
    shoal_i_segment *segments;
    size_t segment_count;
    bool *chosen; /* by code */
} shoal_i_selection;

typedef struct shoal_i_question {
    shoal_i_aggregate aggregate;
    size_t target;                 /* the column to be added up; COUNT: not read */
    shoal_i_selection *selections; /* of the quasi columns, then of the others */
} shoal_i_question;

/* Sum is 0 of a COUNT. */
typedef struct shoal_i_answer {
    double count;
    double sum;
} shoal_i_answer;

/* The figure that the query asked for: count, sum or their quotient, which is NaN where the
 * count is 0. */
double shoal_i_answer_value(const shoal_i_answer *answer, shoal_i_aggregate aggregate);

/* --- From a release. -------------------------------------------------------------------- */

/* The columns of a published release beside its quasi-identifier are its `sensitive` ones,
 * whatever their role. */
typedef struct shoal_i_answerer {
    const shoal_i_spread *spread;
    const bool *is_sensitive; /* of the other columns; read for buckets only */
    double **numbers;     /* of the other columns: of each code, 0 for missing; NULL: texts */
    uint32_t *row_starts; /* of each box into rows; box_count + 1 entries */
    uint32_t *rows;
} shoal_i_answerer;

/* All but the spread's own are borrowed. */
shoal_status shoal_i_answerer_build(shoal_ctx *ctx, shoal_i_answerer **out,
                                    const shoal_i_spread *spread, const bool *is_sensitive);
void shoal_i_answerer_free(shoal_i_answerer *answerer);

/* What one thread needs to answer; starts as {0}. */
typedef struct shoal_i_answer_scratch {
    size_t column_count;
    shoal_i_touch **found; /* of each quasi column: intervals that are touched */
    size_t *found_count;
    double **shares;       /* of each quasi column: of all its intervals, 0 between queries */
    double *bucket_shares; /* negative: not known yet */
    double *bucket_sums;
} shoal_i_answer_scratch;
shoal_status shoal_i_answer_scratch_init(shoal_ctx *ctx, shoal_i_answer_scratch *scratch,
                                         const shoal_i_answerer *answerer);
void shoal_i_answer_scratch_clear(shoal_i_answer_scratch *scratch);

shoal_i_answer shoal_i_answer_estimate(const shoal_i_answerer *answerer,
                                       const shoal_i_question *question,
                                       shoal_i_answer_scratch *scratch);

/* --- From the original. ----------------------------------------------------------------- */

typedef struct shoal_i_truth_column {
    uint32_t *codes; /* by record */
    size_t value_count;
    double *numbers;  /* of each code, 0 for missing; NULL: texts */
    uint32_t *starts; /* of each code into records; value_count + 1 entries */
    uint32_t *records;
    uint64_t *bits; /* of each code the records that have it, word after word; NULL: too many */
} shoal_i_truth_column;

typedef struct shoal_i_truth {
    size_t record_count;
    size_t word_count;   /* of the bits of all records */
    size_t column_count; /* quasi columns, then the others */
    shoal_i_truth_column *columns;
} shoal_i_truth;

/* Of the records of the quasi's table and of other columns of it, by their codes. */
shoal_status shoal_i_truth_build(shoal_ctx *ctx, shoal_i_truth **out,
                                 const shoal_i_quasi *quasi, const shoal_i_sensitive *others,
                                 size_t other_count);
void shoal_i_truth_free(shoal_i_truth *exact);

/* scratch: 2 * word_count words. */
shoal_i_answer shoal_i_answer_exact(const shoal_i_truth *exact,
                                    const shoal_i_question *question, uint64_t *scratch);

/* The numbers of the codes of a table's column, 0 for missing; *out stays NULL for texts. */
shoal_status shoal_i_answer_numbers(shoal_ctx *ctx, double **out, const shoal_table *table,
                                    size_t column);

#endif /* SHOAL_I_ANSWER_H */
