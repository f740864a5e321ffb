#include "solution.h"

#include "../problem/people_box.h"

#include "../../base/fail.h"
#include "../../base/pool.h"
#include "../../box/scan.h"

#include <assert.h>
#include <string.h>

/* How many groups there can be at once. */
static size_t count_groups(const shoal_i_point_neighbours *points)
{
    uint64_t smallest = shoal_i_requirement_smallest_class(points->problem->requirements);
    uint64_t most = points->distinct->first[points->count] / smallest;

    most = most < points->count ? most : points->count;
    return most > 1 ? (size_t)most : 1;
}

shoal_status shoal_i_solution_new(shoal_ctx *ctx, shoal_i_solution **out,
                                  const shoal_i_point_neighbours *points)
{
    shoal_status st = SHOAL_OK;
    shoal_i_solution *s = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, s, 1);
    s->points = points;
    s->group_most = count_groups(points);
    SHOAL_ALLOC(ctx, s->groups, s->group_most);
    SHOAL_ALLOC(ctx, s->boxes, s->group_most * 2 * points->lanes->count);
    SHOAL_ALLOC(ctx, s->next, points->count);
    SHOAL_ALLOC(ctx, s->group_of, points->count);
    SHOAL_ALLOC(ctx, s->numbers, s->group_most);
    for (uint32_t i = 0; i < points->count; i++) {
        s->group_of[i] = SHOAL_I_NO_POINT;
    }
    for (uint32_t g = 0; g < s->group_most; g++) {
        s->groups[g].head = SHOAL_I_NO_POINT;
        s->numbers[s->group_most - 1 - g] = g;
    }
    s->number_count = s->group_most;
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
        free(solution->divided);
        free(solution);
    }
}

shoal_status shoal_i_solution_copy(shoal_ctx *ctx, shoal_i_solution **out,
                                   const shoal_i_solution *solution)
{
    shoal_status st = SHOAL_OK;
    size_t most = solution->group_most;
    size_t points = solution->points->count;
    shoal_i_solution *copy = NULL;

    *out = NULL;
    assert(!solution->divided);
    SHOAL_TRY(shoal_i_solution_new(ctx, &copy, solution->points));
    copy->cell_index = solution->cell_index;
    copy->number_count = solution->number_count;
    memcpy(copy->groups, solution->groups, most * sizeof *copy->groups);
    memcpy(copy->boxes, solution->boxes,
           most * 2 * solution->points->lanes->count * sizeof *copy->boxes);
    memcpy(copy->next, solution->next, points * sizeof *copy->next);
    memcpy(copy->group_of, solution->group_of, points * sizeof *copy->group_of);
    memcpy(copy->numbers, solution->numbers, most * sizeof *copy->numbers);
    *out = copy;
    copy = NULL;
done:
    shoal_i_solution_free(copy);
    return st;
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

/* Begin a group without members, in the box of a point. */
static void begin_group(shoal_i_solution *s, uint32_t group, uint32_t point)
{
    const shoal_i_lanes *lanes = s->points->lanes;
    const int32_t *row = shoal_i_point_row(s->points, point);
    int32_t *lo = shoal_i_solution_box(s, group);

    s->groups[group] = (shoal_i_group){.head = SHOAL_I_NO_POINT};
    memcpy(lo, row, lanes->count * sizeof *lo);
    memcpy(lo + lanes->count, row, lanes->count * sizeof *lo);
}

/* Let the box of a group hold a point. */
static void hold_point(shoal_i_solution *s, uint32_t group, uint32_t point)
{
    const shoal_i_lanes *lanes = s->points->lanes;
    const int32_t *row = shoal_i_point_row(s->points, point);
    int32_t *lo = shoal_i_solution_box(s, group);

    shoal_i_box_join(lanes, lo, lo + lanes->count, row, row);
}

/* Find the penalty of a group by its box, which holds a point. */
static void set_penalty(shoal_i_solution *s, uint32_t group, uint32_t point, int32_t *climb)
{
    const shoal_i_lanes *lanes = s->points->lanes;
    int32_t *lo = shoal_i_solution_box(s, group);
    shoal_i_probe probe = {.climb = climb};

    shoal_i_probe_set(&probe, lanes, lo, lo + lanes->count,
                      shoal_i_point_row(s->points, point));
    s->groups[group].penalty = shoal_i_penalty(lanes, &probe);
}

void shoal_i_solution_group_as(shoal_i_solution *s, uint32_t group, const uint32_t *points,
                               size_t count, int32_t *climb)
{
    begin_group(s, group, points[0]);
    for (size_t i = 0; i < count; i++) {
        hold_point(s, group, points[i]);
        shoal_i_solution_put(s, group, points[i]);
    }
    set_penalty(s, group, points[0], climb);
}

void shoal_i_solution_group(shoal_i_solution *s, const uint32_t *points, size_t count,
                            int32_t *climb)
{
    assert(s->number_count > 0);
    shoal_i_solution_group_as(s, s->numbers[--s->number_count], points, count, climb);
}

static shoal_status fail_group(shoal_ctx *ctx, size_t records)
{
    return shoal_i_fail(ctx, SHOAL_EINVAL,
                        "A class of %zu records does not meet the requirement; a release must "
                        "meet it to be refined.",
                        records);
}

/* How many people fall into a class of some records; 0 where nobody asks. */
static uint64_t count_people(shoal_i_people_box *people, const uint32_t *records, size_t count)
{
    if (!people->people) {
        return 0;
    }
    shoal_i_people_box_empty(people);
    for (size_t i = 0; i < count; i++) {
        shoal_i_people_box_add(people, records[i]);
    }
    return shoal_i_people_box_count(people);
}

shoal_status shoal_i_solution_load(shoal_ctx *ctx, shoal_i_solution *solution,
                                   const uint32_t *group_of)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_point_neighbours *points = solution->points;
    const shoal_i_distinct *d = points->distinct;
    shoal_i_tally tally = {0};
    shoal_i_people_box people = {0};
    int32_t *climb = NULL;
    uint32_t *numbers = NULL;
    uint32_t first = 0;

    SHOAL_TRY(shoal_i_tally_init(ctx, &tally, points->problem->source));
    SHOAL_TRY(shoal_i_people_box_init(ctx, &people, points->problem));
    SHOAL_ALLOC(ctx, climb, points->lanes->count);
    SHOAL_ALLOC(ctx, numbers, points->count);
    for (uint32_t i = 0; i < points->count; i++) {
        numbers[i] = i;
    }
    for (uint32_t i = 1; i <= points->count; i++) {
        if (i == points->count ||
            group_of[d->records[d->first[i]]] != group_of[d->records[d->first[first]]]) {
            size_t count = d->first[i] - d->first[first];

            shoal_i_tally_empty(&tally);
            shoal_i_tally_add_list(&tally, d->records + d->first[first], count);
            tally.stats.population_size =
                count_people(&people, d->records + d->first[first], count);
            if (!shoal_i_requirement_holds(points->problem->requirements, &tally.stats)) {
                SHOAL_TRY(fail_group(ctx, count));
            }
            shoal_i_solution_group(solution, numbers + first, i - first, climb);
            first = i;
        }
    }
done:
    shoal_i_tally_clear(&tally);
    shoal_i_people_box_clear(&people);
    free(numbers);
    free(climb);
    return st;
}

/* Put a record of a point into a group, whose last point is its head. */
static void put_record(shoal_i_solution *s, uint32_t group, uint32_t point, uint32_t record)
{
    shoal_i_group *g = &s->groups[group];

    if (g->head != point) {
        hold_point(s, group, point);
        g->head = point;
        g->count++;
    }
    g->load++;
    s->divided[record] = group;
}

/* The group that suffers least if a record of a point joins it. scratch: three rows. */
static uint32_t find_least_hurt(const shoal_i_solution *s, uint32_t point, int32_t *scratch)
{
    const shoal_i_lanes *lanes = s->points->lanes;
    const int32_t *row = shoal_i_point_row(s->points, point);
    int32_t *lo = scratch + lanes->count;
    int32_t *hi = lo + lanes->count;
    shoal_i_probe probe = {.climb = scratch};
    uint32_t found = SHOAL_I_NO_POINT;
    int64_t least = INT64_MAX;

    for (uint32_t i = 0; i < s->group_most; i++) {
        const shoal_i_group *g = &s->groups[i];

        if (g->head != SHOAL_I_NO_POINT) {
            memcpy(lo, shoal_i_solution_box(s, i), 2 * lanes->count * sizeof *lo);
            shoal_i_box_join(lanes, lo, hi, row, row);
            shoal_i_probe_set(&probe, lanes, lo, hi, row);
            int64_t cost =
                shoal_i_join_cost(g->load, g->penalty, 1, shoal_i_penalty(lanes, &probe));

            found = cost < least ? i : found;
            least = cost < least ? cost : least;
        }
    }
    return found;
}

/* Let records in no part join groups. scratch: three rows. */
static void join_left_over(shoal_i_solution *s, const uint32_t *part_of, size_t part_count,
                           int32_t *scratch)
{
    const uint32_t *first = s->points->distinct->first;

    for (uint32_t i = 0; i < s->points->count; i++) {
        for (uint32_t j = first[i]; j < first[i + 1]; j++) {
            if (part_of[j] == part_count) {
                uint32_t group = find_least_hurt(s, i, scratch);

                put_record(s, group, i, j);
                set_penalty(s, group, i, scratch);
            }
        }
    }
}

shoal_status shoal_i_solution_divide(shoal_ctx *ctx, shoal_i_solution *s,
                                     const uint32_t *part_of, size_t part_count)
{
    shoal_status st = SHOAL_OK;
    const uint32_t *first = s->points->distinct->first;
    uint32_t *groups = NULL; /* of the parts, once they have any */
    int32_t *scratch = NULL;

    SHOAL_ALLOC(ctx, groups, part_count + 1);
    SHOAL_ALLOC(ctx, scratch, 3 * s->points->lanes->count);
    SHOAL_ALLOC(ctx, s->divided, first[s->points->count]);
    memset(groups, 0xff, part_count * sizeof *groups);
    for (uint32_t i = 0; i < s->points->count; i++) {
        for (uint32_t j = first[i]; j < first[i + 1]; j++) {
            uint32_t *group = &groups[part_of[j]];

            if (part_of[j] == part_count) {
                continue;
            }
            if (*group == SHOAL_I_NO_POINT) {
                *group = s->numbers[--s->number_count];
                begin_group(s, *group, i);
            }
            put_record(s, *group, i, j);
        }
    }
    for (uint32_t i = 0; i < s->group_most; i++) {
        if (s->groups[i].head != SHOAL_I_NO_POINT) {
            set_penalty(s, i, s->groups[i].head, scratch);
        }
    }
    join_left_over(s, part_of, part_count, scratch);
done:
    free(groups);
    free(scratch);
    return st;
}

/* Groups that one task lays out. */
#define LAID_OUT 1024

typedef struct layout {
    const shoal_i_solution *solution;
    shoal_i_grouping *grouping;
    size_t *places; /* where the groups of each task begin */
} layout;

static size_t end_of_task(const layout *l, size_t task)
{
    size_t end = (task + 1) * LAID_OUT;

    return end < l->solution->group_most ? end : l->solution->group_most;
}

/* Write some records of a point from a place on; returns the place behind them. */
static size_t lay_out_records(const layout *l, uint32_t point, uint32_t first, uint32_t end,
                              size_t place)
{
    const shoal_i_distinct *d = l->solution->points->distinct;
    size_t lanes = d->lanes->count;
    size_t count = end - first;

    memcpy(l->grouping->records + place, d->records + first, count * sizeof *d->records);
    for (size_t i = place; l->grouping->rows && i < place + count; i++) {
        memcpy(l->grouping->rows + i * lanes, shoal_i_point_row(l->solution->points, point),
               lanes * sizeof *l->grouping->rows);
    }
    return place + count;
}

static shoal_status lay_out_groups(shoal_ctx *ctx, void *payload, size_t task)
{
    const layout *l = payload;
    const shoal_i_solution *s = l->solution;
    const uint32_t *first = s->points->distinct->first;
    size_t place = l->places[task];

    for (size_t g = task * LAID_OUT; g < end_of_task(l, task); g++) {
        size_t start = place;

        for (uint32_t i = s->groups[g].head; i != SHOAL_I_NO_POINT; i = s->next[i]) {
            place = lay_out_records(l, i, first[i], first[i + 1], place);
        }
        memset(l->grouping->is_start + start, 0, place - start);
        if (place > start) {
            l->grouping->is_start[start] = 1;
        }
    }
    return shoal_i_check_cancelled(ctx);
}

/* Write the groups of a divided solution. */
static shoal_status lay_out_divided(shoal_ctx *ctx, layout *l, size_t place)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_solution *s = l->solution;
    const uint32_t *first = s->points->distinct->first;
    size_t total = first[s->points->count];

    SHOAL_ALLOC(ctx, l->places, s->group_most); /* where the next record of each group goes */
    memset(l->grouping->is_start + place, 0, total);
    for (size_t g = 0; g < s->group_most; g++) {
        if (s->groups[g].head != SHOAL_I_NO_POINT) {
            l->places[g] = place;
            l->grouping->is_start[place] = 1;
            place += s->groups[g].load;
        }
    }
    for (uint32_t i = 0; i < s->points->count; i++) {
        for (uint32_t j = first[i]; j < first[i + 1]; j++) {
            size_t *next = &l->places[s->divided[j]];

            *next = lay_out_records(l, i, j, j + 1, *next);
        }
    }
done:
    free(l->places);
    return st;
}

shoal_status shoal_i_solution_lay_out(shoal_ctx *ctx, const shoal_i_solution *solution,
                                      shoal_i_grouping *grouping, size_t first)
{
    shoal_status st = SHOAL_OK;
    layout l = {.solution = solution, .grouping = grouping};
    size_t tasks = (solution->group_most + LAID_OUT - 1) / LAID_OUT;

    if (solution->divided) {
        return lay_out_divided(ctx, &l, first);
    }
    SHOAL_ALLOC(ctx, l.places, tasks);
    for (size_t task = 0; task < tasks; task++) {
        l.places[task] = first;
        for (size_t g = task * LAID_OUT; g < end_of_task(&l, task); g++) {
            first +=
                solution->groups[g].head != SHOAL_I_NO_POINT ? solution->groups[g].load : 0;
        }
    }
    SHOAL_TRY(shoal_i_parallel_for(ctx, tasks, lay_out_groups, &l));
done:
    free(l.places);
    return st;
}

int64_t shoal_i_solution_cost(const shoal_i_solution *solution)
{
    int64_t cost = 0;

    for (size_t g = 0; g < solution->group_most; g++) {
        const shoal_i_group *group = &solution->groups[g];

        if (group->head != SHOAL_I_NO_POINT) {
            cost += (int64_t)group->penalty * (int64_t)group->load;
        }
    }
    return cost;
}
