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
 * population of the spec is read where it has one. Clear it after a failure, too. */
shoal_status shoal_i_stage_open(shoal_ctx *ctx, shoal_i_stage_set *out, const shoal_spec *spec,
                                const shoal_i_prepared *original, size_t release_count);

/* Add a release as anybody receives it. SHOAL_EFORMAT: it does not belong to the original. */
shoal_status shoal_i_stage_add(shoal_ctx *ctx, shoal_i_stage_set *stage, const shoal_spec *spec,
                               const shoal_i_prepared *original,
                               const shoal_i_given_release *given);

/* Add a release that was made here from the records of the original. */
shoal_status shoal_i_stage_add_made(shoal_ctx *ctx, shoal_i_stage_set *stage,
                                    const shoal_i_prepared *original,
                                    const shoal_i_release *release);

void shoal_i_stage_clear(shoal_i_stage_set *stage);

#endif /* SHOAL_I_ATTACKED_H */
