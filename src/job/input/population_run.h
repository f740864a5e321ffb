/* population_run.h -- the population that a release is a sample of: read as an original is, and
 * counted by the classes of the release. */
#ifndef SHOAL_I_POPULATION_RUN_H
#define SHOAL_I_POPULATION_RUN_H

#include "../../method/problem/people.h"
#include "prepare.h"
#include "received.h"

/* SHOAL_EINVAL, every one logged: a requirement about a population, whose file is not given. */
shoal_status shoal_i_population_check(shoal_ctx *ctx, const shoal_spec *spec);

/* A population, and its people as the boxes of an original count them. Starts as {0}; people is
 * NULL where there is none. */
typedef struct shoal_i_population {
    shoal_i_prepared prepared;
    shoal_i_people *people;
} shoal_i_population;

/* Read the spec's population and code its quasi-identifier. SHOAL_ENOTFOUND: the file, or a
 * quasi column that it lacks; all are logged. */
shoal_status shoal_i_population_read(shoal_ctx *ctx, shoal_i_prepared *population,
                                     const shoal_spec *spec);

/* Read it, and count its people by the boxes of an original. SHOAL_EFORMAT, naming the record:
 * one of the original that the population does not have as often. */
shoal_status shoal_i_population_open(shoal_ctx *ctx, shoal_i_population *out,
                                     const shoal_spec *spec, const shoal_i_prepared *original);
void shoal_i_population_clear(shoal_i_population *population);

/* How many people of the population, which was read, fall into the class of each row of a
 * release; *out is the caller's to free. persons: whose rows they are, or NULL; has_persons:
 * several may be one person's, known or not. SHOAL_EFORMAT: a record of the release that the
 * population does not have: a value, or more records, or persons, of a class than people. */
shoal_status shoal_i_population_count(shoal_ctx *ctx, uint64_t **out,
                                      const shoal_i_prepared *population,
                                      const shoal_i_received *received, bool has_persons,
                                      const shoal_i_persons *persons);

#endif /* SHOAL_I_POPULATION_RUN_H */
