/* solution.h -- points in groups that can be taken apart and put together.
 *
 * A group is known by a number below group_most, how many groups there can be if each has the
 * smallest class that the requirement allows; numbers are reused. Members hang
 * together by `next`. Boxes may be larger than needed after a point has left; what is released
 * is computed anew.
 *
 * A solution may be divided in the end: records of a point are then in several groups, whose
 * members are not listed. Such a solution can be laid out and compared by its cost, no more.
 */
#ifndef SHOAL_I_SOLUTION_H
#define SHOAL_I_SOLUTION_H

#include "../problem/effort.h"
#include "point_neighbours.h"
#include "../grouping/split.h"

#define SHOAL_I_NO_POINT UINT32_MAX

typedef struct shoal_i_group {
    uint32_t head;  /* first member; SHOAL_I_NO_POINT: the number is free */
    uint32_t count; /* points */
    uint64_t load;  /* records */
    int32_t penalty;
} shoal_i_group;

typedef struct shoal_i_solution {
    const shoal_i_point_neighbours *points;
    const struct shoal_i_cell_index *cell_index; /* to improve with; may be NULL */
    size_t group_most;
    shoal_i_group *groups; /* by number */
    int32_t *boxes;        /* two rows per group */
    uint32_t *next;        /* point -> next member of its group */
    uint32_t *group_of;    /* point -> group; SHOAL_I_NO_POINT while in none */
    size_t number_count;   /* numbers in `numbers` */
    uint32_t *numbers;     /* free group numbers, used from the back */
    uint32_t *divided;     /* record of the points -> group; NULL: points are whole */
} shoal_i_solution;

shoal_status shoal_i_solution_new(shoal_ctx *ctx, shoal_i_solution **out,
                                  const shoal_i_point_neighbours *points);
void shoal_i_solution_free(shoal_i_solution *solution);

/* The same groups of the same points, which are borrowed as well. */
shoal_status shoal_i_solution_copy(shoal_ctx *ctx, shoal_i_solution **out,
                                   const shoal_i_solution *solution);

static inline int32_t *shoal_i_solution_box(const shoal_i_solution *s, uint32_t group)
{
    return s->boxes + (size_t)group * 2 * s->points->lanes->count;
}

/* Hang a point, which is in no group, into a group; box and penalty are the caller's. */
void shoal_i_solution_put(shoal_i_solution *solution, uint32_t group, uint32_t point);

/* Make a group with a box and a penalty, without members. */
void shoal_i_solution_open(shoal_i_solution *solution, uint32_t group, const int32_t *box,
                           int32_t penalty);

/* Make a group of points that are in none, in the box that they need. climb: scratch of one
 * row. */
void shoal_i_solution_group(shoal_i_solution *solution, const uint32_t *points, size_t count,
                            int32_t *climb);

/* The same with a number that is free and taken out of `numbers` by the caller. */
void shoal_i_solution_group_as(shoal_i_solution *solution, uint32_t group,
                               const uint32_t *points, size_t count, int32_t *climb);

/* Make the groups in which the records are: group_of[record], any numbers; points of one group
 * stand together, as they do where the groups were the parts of distinct.h. SHOAL_EINVAL: a
 * group that does not meet the requirement. */
shoal_status shoal_i_solution_load(shoal_ctx *ctx, shoal_i_solution *solution,
                                   const uint32_t *group_of);

/* Make the groups of a solution that has none yet, and divide its points among them: part_of,
 * per record of the points, is the number of its group among so many, or that number itself:
 * such records join the group that suffers least. At least one group has records, group_most
 * at most, and these must meet the requirement. */
shoal_status shoal_i_solution_divide(shoal_ctx *ctx, shoal_i_solution *solution,
                                     const uint32_t *part_of, size_t part_count);

/* Write the groups as runs of places of a grouping, from `first` on; rows only where the
 * grouping has any. Parallel. */
shoal_status shoal_i_solution_lay_out(shoal_ctx *ctx, const shoal_i_solution *solution,
                                      shoal_i_grouping *grouping, size_t first);

/* The sum of penalty times records over all groups. */
int64_t shoal_i_solution_cost(const shoal_i_solution *solution);

/* What the total rises by when a point joins a group of this load and penalty, its union with
 * it having the penalty `together`. */
static inline int64_t shoal_i_join_cost(uint64_t load, int32_t penalty, uint32_t weight,
                                        int32_t together)
{
    return (int64_t)together * ((int64_t)load + weight) - (int64_t)penalty * (int64_t)load;
}

/* Put every point that is in no group yet into one, cheapest groups first: grow a group from
 * each point among those near it, take the one whose penalty is least, grow anew those that
 * lost a member to it, and so on; points that are left over join the group that suffers least,
 * which is all there is to do where the points has no lists of near points. The points as a
 * whole must meet the requirement. */
shoal_status shoal_i_solution_build(shoal_ctx *ctx, shoal_i_solution *solution);

/* Improve a solution by taking a few neighbouring groups apart and putting their points
 * together in another way, wherever that lowers the cost, until the limit. Never makes it
 * worse; with the same seed, more work begins with what less work does. Parallel, the same on
 * any number of threads unless a deadline ends it. */
shoal_status shoal_i_solution_improve(shoal_ctx *ctx, shoal_i_solution *solution, uint64_t seed,
                                      shoal_i_search_limit limit, shoal_i_meter *meter);

/* The same, heated: what costs a little more is taken, too, less and less so, which gets out of
 * where no trial gains. For a search that is long enough; may end with more cost. With large
 * groups not heated, because there it does not pay. */
shoal_status shoal_i_solution_improve_heated(shoal_ctx *ctx, shoal_i_solution *solution,
                                             uint64_t seed, shoal_i_search_limit limit,
                                             shoal_i_meter *meter);

#endif /* SHOAL_I_SOLUTION_H */
