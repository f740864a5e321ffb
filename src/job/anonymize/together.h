/* together.h -- a release that goes together with earlier ones.
 *
 * New classes are made inside the old ones. Every record that may be in an earlier release gets
 * a home, a class there that covers it and has its values:
 *
 *     old classes     C1            C2            C3
 *     at home         a b c d e     f g h         i j k l m n o p      x y: covered by none
 *     new classes     a b c d e q   (f g h: see below)     i j k l | m n o p      x y z w v
 *
 * Who has the same home, in each of the earlier releases, is a group; the method divides each
 * group that is large enough. Then everybody in a class is covered together with everybody
 * else, and the cells (previous.h) are the classes. Groups that do not hold are dissolved:
 * their records move into groups where all cells still hold, if there are any. Nobody is left
 * out and nobody is invented: where somebody has nowhere to go it cannot be done.
 *
 * Homes are given out so that an old class takes each value as often as it has it, the smallest
 * boxes first; who finds no place moves in with a group of a class that covers him. So of a
 * table that has hardly changed the old classes come out again.
 */
#ifndef SHOAL_I_TOGETHER_H
#define SHOAL_I_TOGETHER_H

#include "../input/previous.h"

/* SHOAL_EUNSATISFIABLE, with how many records have nowhere to go and the first of them: it
 * cannot be done. */
shoal_status shoal_i_together(shoal_ctx *ctx, shoal_i_release **out,
                              const shoal_i_chosen *chosen, const shoal_i_problem *problem,
                              const shoal_i_previous *previous);

#endif /* SHOAL_I_TOGETHER_H */
