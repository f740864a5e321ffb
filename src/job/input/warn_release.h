/* warn_release.h -- warnings about what a release shows (measure/exposed.h), beside those about
 * its input (prepare.h). */
#ifndef SHOAL_I_WARN_RELEASE_H
#define SHOAL_I_WARN_RELEASE_H

#include "../../measure/exposed.h"
#include "prepare.h"

/* Fewer records than this say nothing about how unique a column is. */
#define SHOAL_I_WARN_RECORDS_MIN 20

/* Start to look at releases of what was prepared: at the sensitive columns that tell anything,
 * and at ranges, where the spec has numbers written so. */
shoal_status shoal_i_warn_release_begin(shoal_ctx *ctx, shoal_i_exposed *out,
                                        const shoal_spec *spec,
                                        const shoal_i_prepared *prepared);

/* Warn of what was seen: classes with one sensitive value, ends of ranges that are somebody's
 * value. Ends the look. */
shoal_status shoal_i_warn_release_end(shoal_ctx *ctx, shoal_i_exposed *exposed,
                                      const shoal_i_prepared *prepared, shoal_i_shape shape);

/* All of it, of a release as a whole. */
shoal_status shoal_i_warn_release(shoal_ctx *ctx, const shoal_spec *spec,
                                  const shoal_i_prepared *prepared,
                                  const shoal_i_release *release);

#endif /* SHOAL_I_WARN_RELEASE_H */
