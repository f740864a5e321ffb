/* The check of a release with a box per record. */
#include "verify_release.h"

#include <inttypes.h>

static shoal_status reject(shoal_ctx *ctx, const shoal_i_verdict *verdict)
{
    if (verdict->unmatched > 0) {
        return shoal_i_fail(ctx, SHOAL_EREJECTED,
                            "The verifier found %" PRIu64
                            " rows without a record of their own; nothing was written. This is "
                            "a defect of the method, please report it.",
                            verdict->unmatched);
    }
    return shoal_i_fail(ctx, SHOAL_EREJECTED,
                        "The verifier found records or rows with only %" PRIu64
                        " candidates; nothing was written. This is a defect of the method, "
                        "please report it.",
                        verdict->smallest_class);
}

/* The record whose values a row carries must lie in its box, as the one whose box it is: both
 * are perfect matchings of rows and records. */
shoal_status shoal_i_verify_boxes(shoal_ctx *ctx, shoal_i_verification *out,
                                  const shoal_i_received *received,
                                  const shoal_i_expected *expected)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *parsed = NULL;

    if (expected->original->persons.of) {
        return shoal_i_fail(ctx, SHOAL_EREJECTED,
                            "In a release with a box per record a record hides among records, "
                            "not among persons, which are asked for; nothing was written.");
    }
    SHOAL_TRY(shoal_i_release_parse(ctx, &parsed, expected->original->quasi, received->table));
    SHOAL_TRY(shoal_i_verify_cover(ctx, parsed, expected->record_of));
    SHOAL_TRY(shoal_i_verify_cover(ctx, parsed, expected->values_of));
    out->checked_cover = true;
    SHOAL_TRY(shoal_i_verify_records(ctx, &out->verdict, parsed, expected->record_of,
                                     &expected->requirements->set,
                                     expected->original->record_k));
    if (!out->verdict.holds) {
        SHOAL_TRY(reject(ctx, &out->verdict));
    }
done:
    shoal_i_release_free(parsed);
    return st;
}
