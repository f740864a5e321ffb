/* coarsest.h -- releases in which quasi columns are never coarser than a level.
 *
 * Of a quasi column a spec may say which level of its hierarchy is the coarsest that may be
 * released. Records whose labels there differ can never be in one class, so they are solved
 * apart: each stratum, the records with the same labels at the coarsest levels, is a problem of
 * its own, under the requirements and the penalties of the whole.
 *
 *     zip at most 53***     53703 53711 | 10001 10025      two strata
 */
#ifndef SHOAL_I_COARSEST_H
#define SHOAL_I_COARSEST_H

#include "../input/prepare.h"

/* What can be said before a file is read. SHOAL_EUNSUPPORTED: a coarsest level with a method
 * that does not make classes by local recoding, with suppression, a population, or sets. */
shoal_status shoal_i_coarsest_check(shoal_ctx *ctx, const shoal_spec *spec);

/* Make the release of a table whose spec has a coarsest level.
 *   SHOAL_EINVAL          a level that the hierarchy lacks
 *   SHOAL_EUNSATISFIABLE  strata that do not meet the requirements even as one class */
shoal_status shoal_i_coarsest_release(shoal_ctx *ctx, shoal_i_release **out,
                                      const shoal_spec *spec, const shoal_i_prepared *prepared);

#endif /* SHOAL_I_COARSEST_H */
