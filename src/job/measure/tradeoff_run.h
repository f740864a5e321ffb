/* tradeoff_run.h -- privacy loss and utility loss of a release within a run.
 *
 * Brings together what the measures need: the sensitive columns as the original has them and as
 * the release shows them, both by the codes of the original.
 */
#ifndef SHOAL_I_TRADEOFF_RUN_H
#define SHOAL_I_TRADEOFF_RUN_H

#include "../../measure/tradeoff.h"
#include "../input/prepare.h"
#include "../input/released.h"

/* The sensitive columns of an original and of its release; starts as {0}. */
typedef struct shoal_i_shown {
    size_t count;
    shoal_i_sensitive *truth; /* by the records of the original */
    shoal_i_sensitive *shown; /* by the rows of the release; codes are those of truth */
    shoal_i_published published;
} shoal_i_shown;

/* Of a release and its original; released is the file that the release was parsed from, or NULL
 * when it was made here from the records of prepared->table. All are borrowed. No sensitive
 * column: count is 0. SHOAL_EFORMAT (record): a sensitive value that the original lacks. */
shoal_status shoal_i_shown_build(shoal_ctx *ctx, shoal_i_shown *out,
                                 const shoal_i_prepared *prepared,
                                 const shoal_i_release *release,
                                 const shoal_i_released *released);
void shoal_i_shown_clear(shoal_i_shown *shown);

/* One column of the original as the release shows it, by the codes of truth. Clear it after a
 * failure, too. */
shoal_status shoal_i_show_column(shoal_ctx *ctx, shoal_i_sensitive *out,
                                 const shoal_i_sensitive *truth, const shoal_i_release *release,
                                 const shoal_i_released *released);

/* The figures, of every sensitive column; starts as {0}. */
typedef struct shoal_i_tradeoff {
    size_t count;
    shoal_i_privacy_loss *privacy; /* NULL: not asked for */
    shoal_i_utility_loss *utility; /* NULL: not asked for */
    shoal_i_populations populations;
    double min_support;
} shoal_i_tradeoff;

/* Measure the figures asked for (bits of spec.h), with the spec's minimum support; nothing when
 * there is no sensitive column. */
shoal_status shoal_i_tradeoff_measure(shoal_ctx *ctx, shoal_i_tradeoff *out,
                                      const shoal_spec *spec, const shoal_i_shown *shown,
                                      unsigned figures);
void shoal_i_tradeoff_clear(shoal_i_tradeoff *tradeoff);

/* The highest of all columns: the figures privacy_loss and utility_loss. */
double shoal_i_tradeoff_privacy(const shoal_i_tradeoff *tradeoff);
double shoal_i_tradeoff_utility(const shoal_i_tradeoff *tradeoff);

#endif /* SHOAL_I_TRADEOFF_RUN_H */
