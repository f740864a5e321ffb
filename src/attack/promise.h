/* promise.h -- what requirements say to an attacker: how likely he may find somebody, how sure
 * he may be of a value, how many values must remain.
 *
 * Requirements are about classes. What follows from them for a single person is read off here,
 * kind by kind; where a kind says nothing of the sort there is no promise, and none is made up.
 */
#ifndef SHOAL_I_PROMISE_OF_H
#define SHOAL_I_PROMISE_OF_H

#include "attack.h"

/* A bound, and the title of the requirement that gives it; NaN and NULL: there is none. */
typedef struct shoal_i_bound_promise {
    double bound;
    const char *by;
} shoal_i_bound_promise;

/* The highest chance of being found: 1/k. Of buckets, which hide nobody, none. */
shoal_i_bound_promise shoal_i_promise_found(const shoal_i_attack_scene *scene);

/* The same of each record, where records have a k of their own: *out (free) or NULL. */
shoal_status shoal_i_promise_found_each(shoal_ctx *ctx, double **out,
                                        const shoal_i_attack_scene *scene);

/* The highest share that a value of a sensitive column may have among those somebody hides
 * with: by alpha, l, t, delta and beta. limits: of each code; 1: no limit. Gives the largest
 * limit, which is the promise to whoever asks for any value; none while one of the values is
 * without. Of boxes per record, none. */
shoal_i_bound_promise shoal_i_promise_share(double *limits, const shoal_i_attack_scene *scene,
                                            size_t column);

/* The fewest different values among those somebody hides with, less one: so many must be ruled
 * out. */
shoal_i_bound_promise shoal_i_promise_ruled_out(const shoal_i_attack_scene *scene,
                                                size_t column);

#endif /* SHOAL_I_PROMISE_OF_H */
