/* gap.h -- how far a release is from the best that any release could be. */
#ifndef SHOAL_I_GAP_H
#define SHOAL_I_GAP_H

#include "../../release/release.h"
#include "bound.h"

typedef struct shoal_i_gap {
    bool is_known;
    double ncp; /* no release that meets the requirements loses less */
    double gcp;
    /* The loss of the release is so many times that; infinite when the bound is 0 and it is
     * not, not a number when it loses less, which no release does that meets the
     * requirements. */
    double times;
} shoal_i_gap;

/* Bound the loss of the table behind a release under the requirements, and hold the release's
 * own loss, known->ncp, against it. known->record_k may be there where nothing asks for it.
 * Nothing when the release is not one of classes, of which alone the bound speaks. */
shoal_status shoal_i_gap_measure(shoal_ctx *ctx, shoal_i_gap *gap,
                                 const shoal_i_release *release,
                                 const shoal_i_requirement_set *set,
                                 const shoal_i_bound_known *known);

#endif /* SHOAL_I_GAP_H */
