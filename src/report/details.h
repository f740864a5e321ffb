/* details.h -- what a full report adds to the figures of a run: risk before and after, values
 * before and after, errors of random queries, the digests of the files, and the picture of a
 * frontier. */
#ifndef SHOAL_I_DETAILS_H
#define SHOAL_I_DETAILS_H

#include "../base/sha256.h"
#include "../measure/distribution.h"
#include "../job/measure/risk_run.h"
#include "../job/measure/sample_queries.h"

typedef struct shoal_i_details {
    shoal_i_risk risk;
    shoal_i_distribution *distributions; /* of each quasi column; NULL without a release */
    size_t distribution_count;
    shoal_i_samples queries;                 /* none without a release */
    char input_digest[SHOAL_I_SHA256_HEX];   /* "": not known, as of a standard input */
    char release_digest[SHOAL_I_SHA256_HEX]; /* "": there is none */
    char table_digest[SHOAL_I_SHA256_HEX];   /* of the second file of buckets */
    char *frontier;                          /* the picture of a frontier, SVG; NULL: none */
    size_t frontier_size;
} shoal_i_details;

/* The files of a run; NULL for those it does not have. */
typedef struct shoal_i_run_files {
    const char *input;
    const char *release;
    const char *table;
    const char *frontier; /* what shoal frontier drew */
} shoal_i_run_files;

/* Starts as {0}. The files are hashed, all at once, but for those that are pipes.
 * SHOAL_EFORMAT: the picture is none. */
shoal_status shoal_i_details_build(shoal_ctx *ctx, shoal_i_details *out,
                                   const shoal_i_risk_parts *parts,
                                   const shoal_i_run_files *files);

/* The digests alone. */
shoal_status shoal_i_details_hash(shoal_ctx *ctx, shoal_i_details *out,
                                  const shoal_i_run_files *files);

void shoal_i_details_clear(shoal_i_details *details);

#endif /* SHOAL_I_DETAILS_H */
