/* details.h -- what a full report adds to the figures of a run: risk before and after, values
 * before and after, columns released as they are, errors of random queries, the digests of the
 * files, and the picture of a frontier. */
#ifndef SHOAL_I_DETAILS_H
#define SHOAL_I_DETAILS_H

#include "../base/sha256.h"
#include "../measure/as_is.h"
#include "../measure/distribution.h"
#include "../measure/query/sample_queries.h"
#include "../measure/risk/risk.h"
#include "../release/sample_rows.h"

typedef struct shoal_i_details {
    shoal_i_risk risk;
    shoal_i_distribution *distributions; /* of each quasi column, then of each
                                            sensitive one; NULL without a release */
    size_t distribution_count;
    bool has_as_is; /* of a release that was made */
    shoal_i_as_is as_is;
    shoal_i_sample_rows sample; /* of a release that was made; without records otherwise */
    shoal_i_samples queries;    /* none without a release */
    char input_digest[SHOAL_I_SHA256_HEX];   /* "": not known, as of a standard input */
    char release_digest[SHOAL_I_SHA256_HEX]; /* "": there is none */
    char table_digest[SHOAL_I_SHA256_HEX];   /* of the second file of buckets */
    char *frontier;                          /* the picture of a frontier, SVG; NULL: none */
    size_t frontier_size;
} shoal_i_details;

/* {0} is allowed. */
void shoal_i_details_clear(shoal_i_details *details);

#endif /* SHOAL_I_DETAILS_H */
