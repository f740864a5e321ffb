/* parting.h -- parting a group that is larger than it need be into groups that still hold.
 *
 * As long as enough records are left for two groups, one is taken out: from a record as far
 * from the others as can be found quickly, growing by whoever raises its penalty least, until
 * it meets the requirement. When what is left does not meet it any more, the two stay together
 * and the work ends. If only sizes matter, a group of n records becomes floor(n / k) of at
 * least k.
 *
 * Groups whose records are all equal are left alone, since parting them gains nothing. A group
 * of very many points is first halved, around two far ones, as long as both halves hold.
 */
#ifndef SHOAL_I_PARTING_H
#define SHOAL_I_PARTING_H

#include "../../requirement/tally.h"
#include "../../box/distinct.h"
#include "../problem/method.h"

typedef struct shoal_i_parting shoal_i_parting;

/* For groups of at most `capacity` points. */
shoal_status shoal_i_parting_new(shoal_ctx *ctx, shoal_i_parting **out,
                                 const shoal_i_problem *problem,
                                 const shoal_i_distinct *distinct, size_t capacity);
void shoal_i_parting_free(shoal_i_parting *parting);

/* Part the group of these points, all their records. records receives them group after group,
 * is_start where a group starts (1, else 0). */
shoal_status shoal_i_part(shoal_ctx *ctx, shoal_i_parting *parting, const uint32_t *points,
                          size_t count, uint32_t *records, uint8_t *is_start);

#endif /* SHOAL_I_PARTING_H */
