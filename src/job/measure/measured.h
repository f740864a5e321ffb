/* measured.h -- what was found about a release: loss, what it tells about people, how far it is
 * from the best, and what a full report adds. */
#ifndef SHOAL_I_MEASURED_H
#define SHOAL_I_MEASURED_H

#include "../../measure/bound/gap.h"
#include "../../measure/measure.h"
#include "../../report/report.h"
#include "details_run.h"

/* Starts as {0}; parts that were not asked for stay so. */
typedef struct shoal_i_measured {
    shoal_i_loss loss;
    shoal_i_shown shown;
    shoal_i_tradeoff tradeoff;
    shoal_i_gap gap;
    bool has_details;
    shoal_i_details details;
    shoal_i_attack_findings attacks; /* without items: none was asked for */
} shoal_i_measured;

/* Measure a release: the loss, and the figures asked for (bits of spec.h). `shown` is there
 * where they are about sensitive columns; set: the requirements that the bound is about;
 * population: as they are, or NULL. */
shoal_status shoal_i_measured_figures(shoal_ctx *ctx, shoal_i_measured *out,
                                      const shoal_spec *spec, unsigned figures,
                                      const shoal_i_prepared *original,
                                      const shoal_i_release *release,
                                      const shoal_i_requirement_set *set,
                                      const shoal_i_quasi *population);

/* Add what a full report has, from `shown` too. release: NULL where there is none.
 * row_persons: whose the rows of the release are; NULL: rows are counted. */
shoal_status shoal_i_measured_details(shoal_ctx *ctx, shoal_i_measured *out,
                                      const shoal_spec *spec, const shoal_i_prepared *original,
                                      const shoal_i_release *release,
                                      const shoal_i_run_files *files,
                                      const shoal_i_persons *row_persons);

/* What a report says of it; borrowed. */
void shoal_i_findings_measured(shoal_i_findings *findings, const shoal_i_measured *measured);

void shoal_i_measured_clear(shoal_i_measured *measured);

#endif /* SHOAL_I_MEASURED_H */
