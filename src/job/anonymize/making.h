/* making.h -- a release in the making: what the steps of `anonymize` share.
 *
 * A release is written beside its target, read back from the bytes written, held against what
 * was asked for, and only then given its name. How it is written and read back depends on its
 * shape; anonymize.c has the table:
 *
 *     classes   one file; records that look alike are counted       verify_classes.c
 *     records   one file; candidates of records and rows are counted  verify_boxes.c
 *     buckets   two files, which are published together or not      verify_buckets.c
 */
#ifndef SHOAL_I_MAKING_H
#define SHOAL_I_MAKING_H

#include "../../base/file.h"
#include "../input/population_run.h"
#include "../input/released.h"
#include "../../report/report.h"

typedef struct shoal_i_making {
    shoal_i_run run;
    const shoal_spec *spec;
    const char *input;
    const char *target;
    size_t most_records; /* of a fragment in memory; 0: by the limit of the spec */
    const char *refined; /* the release to start from; NULL: none */
    shoal_i_output *output;
    char *table_target;           /* of the second file, the sensitive table; NULL: there is */
    shoal_i_output *table_output; /* none */
    shoal_i_prepared prepared;
    shoal_i_prepared population; /* {0} when no requirement is about one */
    shoal_i_people *people;      /* of it, or NULL */
    shoal_i_release *release;
    shoal_i_loss loss;
    shoal_i_shown shown;
    shoal_i_tradeoff tradeoff;
    shoal_i_gap gap;
    uint32_t *row_order; /* record of the table that each written line came from */
    shoal_i_verdict verdict;
    bool checked_cover;      /* what is published for a record was found to be true of it */
    shoal_i_details details; /* of a full report */
} shoal_i_making;

/* --- Targets (targets.c). --------------------------------------------------------------- */

/* Open the file that the release goes to, and for buckets the second. SHOAL_EINVAL: a file that
 * the run reads, or no name for the second. Fails as shoal_i_output_open does. */
shoal_status shoal_i_open_targets(shoal_ctx *ctx, shoal_i_making *making);

/* Give what was written its name; two files both or neither. */
shoal_status shoal_i_publish_targets(shoal_ctx *ctx, shoal_i_making *making);

/* Verification by shape. All of them read back what is about to be published, fill verdict and
 * checked_cover, and fail with SHOAL_EREJECTED when it is not what was asked for. */
shoal_status shoal_i_verify_classes(shoal_ctx *ctx, shoal_i_making *making);
shoal_status shoal_i_verify_boxes(shoal_ctx *ctx, shoal_i_making *making);
shoal_status shoal_i_verify_buckets(shoal_ctx *ctx, shoal_i_making *making);

/* --- What they share (verify_output.c). ------------------------------------------------- */

/* Read the output back; SHOAL_EREJECTED when its records are not as many as were written. */
shoal_status shoal_i_read_back(shoal_ctx *ctx, shoal_i_released *out,
                               const shoal_i_making *making);

/* Check the classes of the file that was read back, by its own sensitive values: records are
 * in one class when they agree in `columns` of it. Fills the verdict, which speaks of the
 * requirements as the original has them, for they outlive the file. */
shoal_status shoal_i_verify_requirements(shoal_ctx *ctx, shoal_i_making *making,
                                         const shoal_i_released *released,
                                         const size_t *columns, size_t column_count);

#endif /* SHOAL_I_MAKING_H */
