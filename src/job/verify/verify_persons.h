/* verify_persons.h -- a release by classes beside its original, where several records may be of
 * one person.
 *
 * The rows of a release do not tell whose they are. Beside the original they do: a class is of
 * the persons whose records stand behind its rows (matched.h). Who of a class has which row
 * does not matter, for rows of a class look alike but for their sensitive values, by which they
 * are matched, too. Where a record could stand behind rows of several classes, one way is taken
 * and a warning says so (another-matching), which under `strict` lets nothing pass.
 * In the order of the original there is no doubt.
 */
#ifndef SHOAL_I_VERIFY_PERSONS_H
#define SHOAL_I_VERIFY_PERSONS_H

#include "../input/population_run.h"
#include "../input/received.h"

/* Hold a release against the requirements by the persons of its original, whose quasi is built.
 * population: where requirements are about one, else NULL. with_values: the sensitive columns
 * of both were read. name: of the release, for messages. SHOAL_OK whether or not it holds;
 * SHOAL_EFORMAT: it does not belong to the original. */
shoal_status shoal_i_verify_persons(shoal_ctx *ctx, shoal_i_verdict *out,
                                    const shoal_spec *spec, const shoal_i_prepared *original,
                                    const shoal_i_received *received,
                                    const shoal_i_prepared *population, bool with_values,
                                    const char *name);

#endif /* SHOAL_I_VERIFY_PERSONS_H */
