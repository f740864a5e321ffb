/* hunted_group.h -- what the points of a group can be worth at their prices.
 *
 * A group is what a hunt (cell_hunt.h) has on its way to a cell: points, those that pay most
 * first, and what each of their records loses at least. A class within the group is worth what
 * its records pay beyond that, all together.
 */
#ifndef SHOAL_I_HUNTED_GROUP_H
#define SHOAL_I_HUNTED_GROUP_H

#include "../base/sort.h"

/* A point as it is looked at. */
typedef struct shoal_i_payer {
    int32_t price;
    int32_t spare; /* price less its floor: no cell is worth more to it */
    uint32_t weight;
    uint32_t need; /* records of its class at least */
} shoal_i_payer;

/* All points, by rank: the highest price first. */
typedef struct shoal_i_payers {
    shoal_i_payer *all;
    uint64_t smallest; /* records of any class */
} shoal_i_payers;

/* The points that agree in the columns so far. */
typedef struct shoal_i_hunted_group {
    const uint32_t *points; /* their ranks, ascending */
    size_t count;
    uint64_t load;
    int64_t loss;
} shoal_i_hunted_group;

typedef struct shoal_i_appraisal {
    int64_t worth; /* no class within the group is worth more; 0: none is worth anything */
    int64_t most;  /* that a class is worth without one record that does not gain */
} shoal_i_appraisal;

shoal_i_appraisal shoal_i_hunted_group_appraise(const shoal_i_hunted_group *group,
                                                shoal_i_payers payers);

/* Leave out the points that no class of the group can have which is worth something: whoever
 * fills up takes the place of the last that does so in the best set, at best. What holds for
 * the group holds for all cells within it, which lose more and have fewer points. most: as the
 * group was appraised. */
void shoal_i_hunted_group_leave_out(shoal_i_hunted_group *group, shoal_i_payers payers,
                                    int64_t most);

/* Raise the excess of the points, by rank, to what they have in a group that is a cell: by how
 * much prices are to be lowered so that it is not worth anything. Scratch: as many items as
 * points, twice. */
void shoal_i_hunted_group_spread_excess(const shoal_i_hunted_group *group,
                                        shoal_i_payers payers, int32_t *excess,
                                        shoal_i_sort_item *gains, shoal_i_sort_item *spare);

#endif /* SHOAL_I_HUNTED_GROUP_H */
