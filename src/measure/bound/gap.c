#include "gap.h"

#include "../../base/fail.h"
#include <math.h>

shoal_status shoal_i_gap_measure(shoal_ctx *ctx, shoal_i_gap *gap,
                                 const shoal_i_release *release,
                                 const shoal_i_requirement_set *set,
                                 const shoal_i_bound_known *known)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = release->quasi;
    double records = (double)shoal_table_row_count(quasi->table);
    shoal_i_bound_known used = *known;

    *gap = (shoal_i_gap){0};
    if (release->shape != SHOAL_I_SHAPE_CLASSES) {
        return SHOAL_OK;
    }
    used.record_k = shoal_i_requirement_needs_record_k(set) ? known->record_k : NULL;
    SHOAL_TRY(shoal_i_bound(ctx, &gap->ncp, quasi, set, &used));
    gap->is_known = true;
    gap->gcp = gap->ncp / (records * quasi->weight_sum);
    gap->times = gap->ncp > 0 ? known->ncp / gap->ncp : known->ncp > 0 ? INFINITY : 1;
    if (gap->times < 1) {
        gap->times = NAN;
    }
done:
    return st;
}
