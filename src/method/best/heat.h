/* heat.h -- by how much a heated search may raise the cost.
 *
 * A search that goes on after nothing near by is better takes what is a little dearer, too,
 * less and less so:
 *
 *     heat |.                     of what an opened group costs, on average
 *          | '.
 *          |   ' .
 *          |        ' - . _ ___
 *          +------------------- progress
 *          0                 0.95
 *
 * Where groups are large it does not pay: the heat falls by the square of their points from ten
 * on, and above 25 there is none. Tried in docs/research.md, "which trials pay, and heat".
 */
#ifndef SHOAL_I_HEAT_H
#define SHOAL_I_HEAT_H

#include <stddef.h>
#include <stdint.h>

/* In parts of what a group costs, where groups have at most so many points. */
#define SHOAL_I_HEAT 0.15
#define SHOAL_I_HEATED_POINTS 10
#define SHOAL_I_HEATED_POINTS_MOST 25

/* Progress from which on there is none, so that a search ends where nothing near by is
 * better. */
#define SHOAL_I_COLD_FROM 0.95

/* The heat of a search that goes on is a whole number of so many parts. */
#define SHOAL_I_HEAT_UNIT 65536

/* The heat at the beginning of a search through so many points in so many groups. */
static inline double shoal_i_heat_first(size_t point_count, size_t group_count)
{
    double points = (double)point_count / (double)(group_count > 0 ? group_count : 1);
    double part = points > SHOAL_I_HEATED_POINTS_MOST ? 0
                  : points > SHOAL_I_HEATED_POINTS    ? SHOAL_I_HEATED_POINTS / points
                                                      : 1;

    return SHOAL_I_HEAT * part * part;
}

/* The heat after a part of the search, from 0 to 1, in 1 / SHOAL_I_HEAT_UNIT. */
static inline int64_t shoal_i_heat_after(double first, double progress)
{
    double left = progress < SHOAL_I_COLD_FROM ? 1 - progress / SHOAL_I_COLD_FROM : 0;

    return (int64_t)(first * left * left * SHOAL_I_HEAT_UNIT);
}

#endif /* SHOAL_I_HEAT_H */
