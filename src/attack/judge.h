/* judge.h -- what all attacks share: people drawn, figures of people summed up, intervals. */
#ifndef SHOAL_I_JUDGE_H
#define SHOAL_I_JUDGE_H

#include "../base/fail.h"
#include "attack.h"

/* The attack does not apply; says why, a clause without a full stop. */
void shoal_i_attack_not_done(shoal_i_attack_finding *finding, const char *format, ...)
    SHOAL_I_PRINTF(2, 3);

/* Which records the attacker knows (*out, free): those of a random share of the people, at
 * least of one where there are any; all where the share is 1. */
shoal_status shoal_i_attack_draw_known(shoal_ctx *ctx, bool **out,
                                       const shoal_i_attack_scene *scene);

/* What becomes of several records of one person. */
typedef enum shoal_i_attack_join {
    SHOAL_I_ATTACK_WORST_RECORD, /* the attacker takes what tells most */
    SHOAL_I_ATTACK_MEAN_RECORD   /* each counts its share */
} shoal_i_attack_join;

/* Sum the figures of records up into people, reached, worst, beyond, certain, worst_people and,
 * of numbers, bins. figures: of each record; NaN: not under attack. promises: of each record;
 * NULL: finding->promise is everybody's, if it is not NaN. Of chances one of at least 1 is
 * certain, of numbers 0. */
shoal_status shoal_i_attack_judge(shoal_ctx *ctx, shoal_i_attack_finding *finding,
                                  const shoal_i_attack_scene *scene, const double *figures,
                                  const double *promises, shoal_i_attack_join join);

/* What was reached is a mean of draws from [0, 1]: give it its interval (Wilson's, 95 %, which
 * is wider than need be where the draws are not all 0 or 1). */
void shoal_i_attack_sampled(shoal_i_attack_finding *finding, uint64_t draws);

/* Wilson's interval of a share of draws. */
void shoal_i_wilson(double *low, double *high, double share, uint64_t draws);

#endif /* SHOAL_I_JUDGE_H */
