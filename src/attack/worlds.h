/* worlds.h -- the table as it might be: the same people with each other's sensitive values, and
 * what the method makes of them. */
#ifndef SHOAL_I_WORLDS_H
#define SHOAL_I_WORLDS_H

#include "attack.h"

/* A world that can be changed; starts as {0}. Not to be moved. */
typedef struct shoal_i_world {
    const shoal_i_attack_scene *scene;
    shoal_table *table; /* of the problem, with the values of the world */
    shoal_i_quasi quasi;
    shoal_i_tally_source source;
    uint32_t **codes; /* of each active column of the source */
    shoal_i_problem problem;
} shoal_i_world;

/* The true world of a scene that tells the method. Clear it after a failure, too. */
shoal_status shoal_i_world_init(shoal_ctx *ctx, shoal_i_world *out,
                                const shoal_i_attack_scene *scene);
void shoal_i_world_clear(shoal_i_world *world);

/* Record i has the sensitive values of record value_of[i]. */
void shoal_i_world_set(shoal_i_world *world, const uint32_t *value_of);

/* What the method makes of it; *out stays NULL where it makes nothing (SHOAL_EUNSATISFIABLE),
 * the context keeps no error then. */
shoal_status shoal_i_world_release(shoal_ctx *ctx, shoal_i_release **out,
                                   const shoal_i_world *world);

#endif /* SHOAL_I_WORLDS_H */
