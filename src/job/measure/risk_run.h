/* risk_run.h -- the risk of an original and of its release, from what a run has at hand. */
#ifndef SHOAL_I_RISK_RUN_H
#define SHOAL_I_RISK_RUN_H

#include "../../measure/risk/risk.h"
#include "tradeoff_run.h"

/* What it is taken from; all borrowed. */
typedef struct shoal_i_risk_parts {
    const shoal_spec *spec;
    const shoal_i_prepared *prepared;
    const shoal_i_release *release;     /* NULL: the original alone */
    const shoal_i_shown *shown;         /* its sensitive columns */
    const shoal_i_persons *row_persons; /* whose its rows are, where that is counted and known;
                                           else NULL: rows are counted */
} shoal_i_risk_parts;

/* Measure it; release with shoal_i_risk_clear. Thresholds are those of the spec or else 0.09,
 * 0.2 and 1/k. A population fails as in population_run.h. */
shoal_status shoal_i_risk_build(shoal_ctx *ctx, shoal_i_risk *out,
                                const shoal_i_risk_parts *parts);

#endif /* SHOAL_I_RISK_RUN_H */
