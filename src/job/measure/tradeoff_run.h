/* tradeoff_run.h -- privacy loss and utility loss of a release within a run.
 *
 * Brings together what the measures need: the sensitive columns as the original has them and as
 * the release shows them, both by the codes of the original.
 */
#ifndef SHOAL_I_TRADEOFF_RUN_H
#define SHOAL_I_TRADEOFF_RUN_H

#include "../../measure/tradeoff.h"
#include "../input/prepare.h"
#include "../input/received.h"

/* Of a release and its original; released is the file that the release was parsed from, or NULL
 * when it was made here from the records of prepared->table. All are borrowed. spec: texts that
 * it calls the same are one value; NULL: texts are values. No sensitive column: count is 0.
 * SHOAL_EFORMAT (record): a sensitive value that the original lacks. */
shoal_status shoal_i_shown_build(shoal_ctx *ctx, shoal_i_shown *out, const shoal_spec *spec,
                                 const shoal_i_prepared *prepared,
                                 const shoal_i_release *release,
                                 const shoal_i_received *received);

/* One column of the original as the release shows it, by the codes of truth. Clear it after a
 * failure, too. */
shoal_status shoal_i_show_column(shoal_ctx *ctx, shoal_i_sensitive *out,
                                 const shoal_i_sensitive *truth, const shoal_i_release *release,
                                 const shoal_i_received *received);

/* Measure the figures asked for (bits of spec.h), with the spec's minimum support; nothing when
 * there is no sensitive column. */
shoal_status shoal_i_tradeoff_measure(shoal_ctx *ctx, shoal_i_tradeoff *out,
                                      const shoal_spec *spec, const shoal_i_shown *shown,
                                      unsigned figures);

#endif /* SHOAL_I_TRADEOFF_RUN_H */
