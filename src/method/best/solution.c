#include "solution.h"

#include "../../base/fail.h"
#include "../../box/scan.h"

#include <assert.h>
#include <string.h>

shoal_status shoal_i_solution_new(shoal_ctx *ctx, shoal_i_solution **out,
                                  const shoal_i_point_neighbours *points)
{
    shoal_status st = SHOAL_OK;
    shoal_i_solution *s = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, s, 1);
    s->points = points;
    SHOAL_ALLOC(ctx, s->groups, points->count);
    SHOAL_ALLOC(ctx, s->boxes, points->count * 2 * points->lanes->count);
    SHOAL_ALLOC(ctx, s->next, points->count);
    SHOAL_ALLOC(ctx, s->group_of, points->count);
    SHOAL_ALLOC(ctx, s->numbers, points->count);
    for (uint32_t i = 0; i < points->count; i++) {
        s->groups[i].head = SHOAL_I_NO_POINT;
        s->group_of[i] = SHOAL_I_NO_POINT;
        s->numbers[points->count - 1 - i] = i;
    }
    s->number_count = points->count;
    *out = s;
    s = NULL;
done:
    shoal_i_solution_free(s);
    return st;
}

void shoal_i_solution_free(shoal_i_solution *solution)
{
    if (solution) {
        free(solution->groups);
        free(solution->boxes);
        free(solution->next);
        free(solution->group_of);
        free(solution->numbers);
        free(solution);
    }
}

void shoal_i_solution_put(shoal_i_solution *solution, uint32_t group, uint32_t point)
{
    shoal_i_group *g = &solution->groups[group];

    solution->next[point] = g->head;
    solution->group_of[point] = group;
    g->head = point;
    g->count++;
    g->load += solution->points->weights[point];
}

void shoal_i_solution_open(shoal_i_solution *solution, uint32_t group, const int32_t *box,
                           int32_t penalty)
{
    solution->groups[group] = (shoal_i_group){.head = SHOAL_I_NO_POINT, .penalty = penalty};
    memcpy(shoal_i_solution_box(solution, group), box,
           2 * solution->points->lanes->count * sizeof *box);
}

void shoal_i_solution_group(shoal_i_solution *s, const uint32_t *points, size_t count,
                            int32_t *climb)
{
    const shoal_i_lanes *lanes = s->points->lanes;
    uint32_t group = s->numbers[--s->number_count];
    int32_t *lo = shoal_i_solution_box(s, group);
    int32_t *hi = lo + lanes->count;
    const int32_t *member = shoal_i_point_row(s->points, points[0]);
    shoal_i_probe probe = {.climb = climb};

    s->groups[group] = (shoal_i_group){.head = SHOAL_I_NO_POINT};
    memcpy(lo, member, lanes->count * sizeof *lo);
    memcpy(hi, member, lanes->count * sizeof *hi);
    for (size_t i = 0; i < count; i++) {
        const int32_t *row = shoal_i_point_row(s->points, points[i]);

        shoal_i_box_join(lanes, lo, hi, row, row);
        shoal_i_solution_put(s, group, points[i]);
    }
    shoal_i_probe_set(&probe, lanes, lo, hi, member);
    s->groups[group].penalty = shoal_i_penalty(lanes, &probe);
}

void shoal_i_solution_lay_out(const shoal_i_solution *solution, shoal_i_grouping *grouping,
                              size_t first)
{
    const shoal_i_point_neighbours *points = solution->points;
    const shoal_i_distinct *d = points->distinct;
    size_t lanes = points->lanes->count;
    size_t place = first;

    for (size_t g = 0; g < points->count; g++) {
        uint32_t head = solution->groups[g].head;

        for (uint32_t i = head; i != SHOAL_I_NO_POINT; i = solution->next[i]) {
            for (uint32_t j = d->first[i]; j < d->first[i + 1]; j++) {
                grouping->records[place] = d->records[j];
                grouping->is_start[place] = i == head && j == d->first[i];
                memcpy(grouping->rows + place * lanes, shoal_i_point_row(points, i),
                       lanes * sizeof *grouping->rows);
                place++;
            }
        }
    }
}

int64_t shoal_i_solution_cost(const shoal_i_solution *solution)
{
    int64_t cost = 0;

    for (size_t g = 0; g < solution->points->count; g++) {
        const shoal_i_group *group = &solution->groups[g];

        if (group->head != SHOAL_I_NO_POINT) {
            cost += (int64_t)group->penalty * (int64_t)group->load;
        }
    }
    return cost;
}
