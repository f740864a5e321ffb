/* neighbours.h -- which groups may be near a group, without comparing it with all.
 *
 * The groups are put in several orders, and the neighbours of a group are those that stand near
 * it in one of them: the order in which they were given, which for a recursive partition keeps
 * near ones together, and up to eight lexicographic orders of their boxes, each starting
 * with another column. Two groups that differ in one column only stand together in the order
 * where that column comes last.
 *
 * Built in O(groups * orders), in parallel; asked in time proportional to the answer.
 */
#ifndef SHOAL_I_NEIGHBOURS_H
#define SHOAL_I_NEIGHBOURS_H

#include "../../box/points.h"

typedef struct shoal_i_neighbours shoal_i_neighbours;

/* boxes: the groups' rows, read during the call only. rows_per_group is 2, lo and hi, or 1 for
 * groups that are points. */
shoal_status shoal_i_neighbours_build(shoal_ctx *ctx, shoal_i_neighbours **out,
                                      const shoal_i_lanes *lanes, const int32_t *boxes,
                                      size_t rows_per_group, size_t group_count);
void shoal_i_neighbours_free(shoal_i_neighbours *neighbours);

/* How many groups list() may return at most for a reach. */
size_t shoal_i_neighbours_most(const shoal_i_neighbours *neighbours, size_t reach);

/* List the groups within `reach` places of group g in each sorted order and within twice that
 * in the given order, g itself left out; one may be listed several times. Returns how many. */
size_t shoal_i_neighbours_list(const shoal_i_neighbours *neighbours, uint32_t *out, uint32_t g,
                               size_t reach);

/* Call for what list() will read for a group, some groups ahead: it lies anywhere in memory. */
void shoal_i_neighbours_call(const shoal_i_neighbours *neighbours, uint32_t g);

#endif /* SHOAL_I_NEIGHBOURS_H */
