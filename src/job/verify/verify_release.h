/* verify_release.h -- holding what is about to be handed out against what was asked for.
 *
 * The verifier sees three things: the spec, the release as its readers receive it (texts, read
 * back from the bytes of a file or from the columns that are handed out), and what is expected
 * of it, in terms of the original alone. It knows nothing of the method that made it, nor of
 * the boxes that the method had in mind.
 *
 *     classes   records that look alike are counted; every record lies in the box that was
 *               published for it                                            verify_classes.c
 *     records   every box covers the record it stands for and the one whose values it carries;
 *               candidates of records and of rows are counted               verify_boxes.c
 *     buckets   buckets are counted by the sensitive table; every record is published as it is,
 *               once; every bucket has the values of its records, no others verify_buckets.c
 */
#ifndef SHOAL_I_VERIFY_RELEASE_H
#define SHOAL_I_VERIFY_RELEASE_H

#include "../input/population_run.h"
#include "../input/prepare.h"
#include "../input/received.h"

/* What must be true of a release; all borrowed. */
typedef struct shoal_i_expected {
    const shoal_spec *spec;
    const shoal_i_prepared *original;
    const shoal_i_bound_requirements
        *requirements;                  /* the requirements, as the original has them */
    const shoal_i_prepared *population; /* NULL: no requirement is about one */
    shoal_i_shape shape;
    size_t row_count;
    const uint32_t *record_of; /* row of the release -> record that it is published for */
    const uint32_t *values_of; /* of the shape records: row -> record whose other values it
                                  carries; else NULL */
} shoal_i_expected;

typedef struct shoal_i_verification {
    shoal_i_verdict verdict;
    bool checked_cover; /* what is published for a record was found to be true of it; false for
                           means and medians, which cover nobody */
    uint64_t in_previous; /* records that may be in an earlier release (verify_previous.h) */
} shoal_i_verification;

/* SHOAL_EREJECTED, naming what is wrong, when the release is not what was expected. */
shoal_status shoal_i_verify_release(shoal_ctx *ctx, shoal_i_verification *out,
                                    const shoal_i_received *received,
                                    const shoal_i_expected *expected);

/* --- By shape. -------------------------------------------------------------------------- */

shoal_status shoal_i_verify_classes(shoal_ctx *ctx, shoal_i_verification *out,
                                    const shoal_i_received *received,
                                    const shoal_i_expected *expected);
shoal_status shoal_i_verify_boxes(shoal_ctx *ctx, shoal_i_verification *out,
                                  const shoal_i_received *received,
                                  const shoal_i_expected *expected);
shoal_status shoal_i_verify_buckets(shoal_ctx *ctx, shoal_i_verification *out,
                                    const shoal_i_received *received,
                                    const shoal_i_expected *expected);

/* Check the classes of what was received, by its own sensitive values; classes->of may be NULL:
 * they are found. */
shoal_status shoal_i_verify_requirements(shoal_ctx *ctx, shoal_i_verification *out,
                                         const shoal_i_received *received,
                                         const shoal_i_expected *expected,
                                         const shoal_i_row_classes *classes);

#endif /* SHOAL_I_VERIFY_RELEASE_H */
