/* population_run.h -- the population that a release is a sample of: read as an original is, and
 * counted by the classes of the release. */
#ifndef SHOAL_I_POPULATION_RUN_H
#define SHOAL_I_POPULATION_RUN_H

#include "../../method/problem/people.h"
#include "prepare.h"
#include "released.h"

/* SHOAL_EINVAL, every one logged: a requirement about a population, whose file is not given. */
shoal_status shoal_i_population_check(shoal_ctx *ctx, const shoal_spec *spec);

/* Read the spec's population and code its quasi-identifier. SHOAL_ENOTFOUND: the file, or a
 * quasi column that it lacks; all are logged. */
shoal_status shoal_i_population_read(shoal_ctx *ctx, shoal_i_prepared *population,
                                     const shoal_spec *spec);

/* How many people of the population, which was read, fall into the class of each row of a
 * release; *out is the caller's to free. SHOAL_EFORMAT: a record of the release that the
 * population does not have: a value, or more records of a class than people. */
shoal_status shoal_i_population_count(shoal_ctx *ctx, uint64_t **out,
                                      const shoal_i_prepared *population,
                                      const shoal_i_released *released);

/* The people of the population as the boxes of an original count them. SHOAL_EFORMAT, naming
 * the record: one of the original that the population does not have as often. */
shoal_status shoal_i_population_people(shoal_ctx *ctx, shoal_i_people **out,
                                       const shoal_i_prepared *original,
                                       const shoal_i_prepared *population);

#endif /* SHOAL_I_POPULATION_RUN_H */
