/* targets.h -- the files that a release goes to: one or, by buckets, two.
 *
 * They are written beside their targets and get their names when the verifier has seen them:
 *
 *     open, write, (read back and verify), publish, clear
 */
#ifndef SHOAL_I_TARGETS_H
#define SHOAL_I_TARGETS_H

#include "../../base/file.h"
#include "../../spec/spec.h"

/* Starts as {0}. */
typedef struct shoal_i_targets {
    const char *path; /* borrowed */
    shoal_i_output *output;
    char *table_path; /* of the second file, the sensitive table; NULL: there is none */
    shoal_i_output *table_output;
} shoal_i_targets;

/* Open the file that the release goes to, and for buckets the second. input and refined, which
 * may be NULL, are files that the run reads. SHOAL_EINVAL: the target is a file that the run
 * reads, or there is no name for the second. Fails as shoal_i_output_open does. */
shoal_status shoal_i_targets_open(shoal_ctx *ctx, shoal_i_targets *out, const shoal_spec *spec,
                                  const char *target, const char *input, const char *refined);

/* All is written; it can be read back. */
shoal_status shoal_i_targets_end(shoal_ctx *ctx, const shoal_i_targets *targets);

/* Wait until what was written is on its device. */
shoal_status shoal_i_targets_sync(shoal_ctx *ctx, shoal_i_targets *targets);

/* Give what was written its name; two files both or neither. */
shoal_status shoal_i_targets_publish(shoal_ctx *ctx, shoal_i_targets *targets);

/* What was not published is removed. */
void shoal_i_targets_clear(shoal_i_targets *targets);

#endif /* SHOAL_I_TARGETS_H */
