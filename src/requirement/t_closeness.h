/* t_closeness.h -- what the variants of t-closeness share.
 *
 * In every class the distance between the distribution p of the sensitive values there and
 * their distribution q in the whole table is at most t. The variants differ in the distance:
 *
 *   js             Jensen-Shannon divergence with natural logarithms, as LILI measures privacy
 *   equal          earth mover's distance, all values equally far apart: half of sum |p - q|
 *   ordered        earth mover's distance, values i and j of m in order |i - j| / (m - 1) apart
 *   hierarchical   earth mover's distance, values as far apart as their closest common ancestor
 *                  is high in their hierarchy, divided by the hierarchy's height
 *
 * All are monotone: each distance is convex in p, the p of a union is a weighted mean of the
 * p of its parts, so its distance is at most the weighted mean of theirs; not so of persons,
 * whose counts do not add up. And all can be met: the whole table as one class has distance 0.
 */
#ifndef SHOAL_I_T_CLOSENESS_H
#define SHOAL_I_T_CLOSENESS_H

#include "kind.h"

#define SHOAL_I_T_CITATION "Li, Li and Venkatasubramanian 2007, doi:10.1109/ICDE.2007.367856"
#define SHOAL_I_T_RANGE "a number from 0 to 1"

bool shoal_i_t_is_value(double value);
void shoal_i_t_describe(const shoal_i_requirement *requirement, const char *group,
                        shoal_i_buffer *out);

/* Whether the values of a class may have that share of the table and no more, if moving any
 * amount costs at least `step` per unit: all that the class lacks has to be moved. */
bool shoal_i_t_is_cover(const shoal_i_requirement *requirement, double share, double step);

#endif /* SHOAL_I_T_CLOSENESS_H */
