/* attacked.h -- the scene of attacks on a release, set from what a run has at hand. */
#ifndef SHOAL_I_ATTACKED_H
#define SHOAL_I_ATTACKED_H

#include "../../attack/attack.h"
#include "../../measure/query/published.h"
#include "../input/population_run.h"
#include "../input/problem_build.h"
#include "../input/received.h"

/* One release of a scene and what it needs; starts as {0}. Not to be moved once it is built. */
typedef struct shoal_i_stage_release {
    shoal_i_received received;
    shoal_i_release *parsed; /* NULL: it was made here */
    shoal_i_shown shown;
    uint32_t *box_of;
    shoal_i_persons row_persons;
} shoal_i_stage_release;

/* The scene and what it points to; starts as {0}. Not to be moved. */
typedef struct shoal_i_stage_set {
    shoal_i_attack_scene scene;
    shoal_i_attacked *attacked; /* of each release */
    shoal_i_stage_release *releases;
    size_t release_count;
    shoal_i_population population;
    shoal_i_chosen chosen;
    shoal_i_posed posed;
} shoal_i_stage_set;

/* Set the scene: the original, whose quasi and requirements are built, by what the spec says of
 * attackers; with room for so many releases, to be added by one of the two below. The
 * population of the spec is read where it has one and the attacks asked for (0: all) are about
 * it. knows_method: the attacker knows how the
 * first was made. Clear it after a failure, too. */
shoal_status shoal_i_stage_open(shoal_ctx *ctx, shoal_i_stage_set *out, const shoal_spec *spec,
                                const shoal_i_prepared *original, size_t release_count,
                                unsigned asked, bool knows_method);

/* Add a release as anybody receives it. SHOAL_EFORMAT: it does not belong to the original. */
shoal_status shoal_i_stage_add(shoal_ctx *ctx, shoal_i_stage_set *stage, const shoal_spec *spec,
                               const shoal_i_prepared *original,
                               const shoal_i_given_release *given);

/* Add one that was read and parsed already; borrowed. */
shoal_status shoal_i_stage_add_parsed(shoal_ctx *ctx, shoal_i_stage_set *stage,
                                      const shoal_spec *spec, const shoal_i_prepared *original,
                                      const shoal_i_release *parsed,
                                      const shoal_i_received *received,
                                      const shoal_i_shown *shown, const char *name);

/* Add a release that was made here from the records of the original; borrowed, as is what it
 * shows. */
shoal_status shoal_i_stage_add_made(shoal_ctx *ctx, shoal_i_stage_set *stage,
                                    const shoal_i_prepared *original,
                                    const shoal_i_release *release, const shoal_i_shown *shown);

/* The attacks that a spec names, on a release that was made here, or on one that was read
 * (received is not NULL); shown: its sensitive columns. Nothing when none is named. */
shoal_status shoal_i_attacks_find(shoal_ctx *ctx, shoal_i_attack_findings *out,
                                  const shoal_spec *spec, unsigned asked,
                                  const shoal_i_prepared *original,
                                  const shoal_i_release *release,
                                  const shoal_i_received *received, const shoal_i_shown *shown,
                                  const char *name);

/* SHOAL_EINVAL: an attack that the spec names lacks something that a run on one release can
 * have. has_method: the attacker knows how it was made. */
shoal_status shoal_i_attacks_check(shoal_ctx *ctx, const shoal_spec *spec, size_t release_count,
                                   bool has_method);

void shoal_i_stage_clear(shoal_i_stage_set *stage);

#endif /* SHOAL_I_ATTACKED_H */
