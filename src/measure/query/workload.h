/* workload.h -- many random queries at once: how far the answers of a release are off.
 *
 *   xu_count  a predicate on each chosen quasi column: of numbers a random range, of categories
 *             a random value or a random node of the hierarchy, one as likely as the other
 *   xu_sum    the same, but for one column, which is added up
 *             (Xu, Wang, Pei, Wang, Shi, Fu, KDD 2006, doi:10.1145/1150402.1150504)
 *   lili      a random set of values of each of `dimensions` random quasi columns and of a
 *             sensitive one; of a column with m values, ceil(m * s^(1 / (dimensions + 1))) are
 *             drawn, so that about a share s of the records would be selected if columns were
 *             independent and even (Xiao, Tao, VLDB 2006; Li, Li, KDD 2009,
 *             doi:10.1145/1557019.1557079, who find errors to fall as dimensions grow, which
 *             only this reading of "selectivity" explains)
 *
 * The error of a query is |estimate - true| / |true|; queries whose true answer is 0 have none
 * and are dropped. Query i draws from a stream of its own: the same on any number of threads.
 */
#ifndef SHOAL_I_WORKLOAD_H
#define SHOAL_I_WORKLOAD_H

#include "answer.h"

typedef enum shoal_i_workload_kind {
    SHOAL_I_WORKLOAD_XU_COUNT,
    SHOAL_I_WORKLOAD_XU_SUM,
    SHOAL_I_WORKLOAD_LILI
} shoal_i_workload_kind;

typedef struct shoal_i_workload {
    shoal_i_workload_kind kind;
    size_t query_count;
    uint64_t seed;
    const size_t *columns; /* quasi columns that predicates may be on */
    size_t column_count;
    size_t target;           /* xu_sum: the quasi column to be added up */
    size_t dimensions;       /* lili; at most column_count */
    double selectivity;      /* lili; above 0, at most 1 */
    const size_t *sensitive; /* lili: others of the answerer, of which each query draws one */
    size_t sensitive_count;
} shoal_i_workload;

typedef struct shoal_i_errors {
    size_t query_count;
    size_t dropped; /* their true answer is 0 */
    double mean;    /* of the others, as all that follow; NaN when there are none */
    double median;
    double quantiles[5]; /* 0.05, 0.25, 0.75, 0.95, 1 */
} shoal_i_errors;

extern const double shoal_i_error_quantiles[5];

/* Run it. exact is over the table of the answerer's quasi and the same other columns. Parallel
 * over queries. */
shoal_status shoal_i_workload_run(shoal_ctx *ctx, shoal_i_errors *out,
                                  const shoal_i_workload *workload,
                                  const shoal_i_answerer *answerer, const shoal_i_truth *exact);

/* Room for the question of one query over all columns, every column of it "any". Clear it after
 * a failure, too. */
shoal_status shoal_i_question_init(shoal_ctx *ctx, shoal_i_question *out,
                                   const shoal_i_spread *spread);
void shoal_i_question_clear(shoal_i_question *question, const shoal_i_spread *spread);

#endif /* SHOAL_I_WORKLOAD_H */
