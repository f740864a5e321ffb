/* details_run.h -- what a full report adds to the figures of a run, found: risk, distributions,
 * errors of random queries, digests of files. */
#ifndef SHOAL_I_DETAILS_RUN_H
#define SHOAL_I_DETAILS_RUN_H

#include "../../report/details.h"
#include "risk_run.h"

/* The files of a run; NULL for those it does not have. */
typedef struct shoal_i_run_files {
    const char *input;
    const char *release;
    const char *table;
    const char *frontier; /* what a frontier drew */
} shoal_i_run_files;

/* Starts as {0}. The files are hashed, all at once, but for those that are pipes.
 * SHOAL_EFORMAT: the picture is none. */
shoal_status shoal_i_details_build(shoal_ctx *ctx, shoal_i_details *out,
                                   const shoal_i_risk_parts *parts,
                                   const shoal_i_run_files *files);

/* The digests alone. */
shoal_status shoal_i_details_hash(shoal_ctx *ctx, shoal_i_details *out,
                                  const shoal_i_run_files *files);

#endif /* SHOAL_I_DETAILS_RUN_H */
