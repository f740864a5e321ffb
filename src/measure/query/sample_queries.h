/* sample_queries.h -- how far the answers of a release are off, told by random queries: part of
 * a full report. */
#ifndef SHOAL_I_SAMPLE_QUERIES_H
#define SHOAL_I_SAMPLE_QUERIES_H

#include "workload.h"

#define SHOAL_I_SAMPLES_MAX 2

typedef struct shoal_i_sample {
    const char *workload; /* "xu-count", "lili" */
    shoal_i_errors errors;
} shoal_i_sample;

typedef struct shoal_i_samples {
    size_t count;
    shoal_i_sample items[SHOAL_I_SAMPLES_MAX];
} shoal_i_samples;

/* Counts over all quasi columns and, where there are sensitive columns, counts over up to four
 * quasi columns and a sensitive one. The seed is the context's. */
shoal_status shoal_i_samples_run(shoal_ctx *ctx, shoal_i_samples *out,
                                 const shoal_i_release *release, const shoal_i_shown *shown);

#endif /* SHOAL_I_SAMPLE_QUERIES_H */
