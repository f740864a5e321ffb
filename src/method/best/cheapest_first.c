/* Cheapest groups first: the first solution, from which improvement starts. */

#include "candidate_pool.h"
#include "lazy_queue.h"
#include "solution.h"

#include "../../base/fail.h"
#include "../../base/pool.h"
#include "../../box/scan.h"

#include <string.h>

/* Points whose first growth one task computes. */
#define CHUNK 256

/* The cost of a point from which no group can be grown. */
#define NO_GROUP INT64_MAX

typedef struct building {
    shoal_i_solution *solution;
    const shoal_i_point_neighbours *points;
    shoal_i_lazy_queue queue; /* of points, by the penalty of the group that grows from each */
    uint32_t *candidates;
    int32_t *unions;
    int32_t *climb;
} building;

/* Grow a group from a point among those near it that are in no group yet. */
static shoal_i_growth grow_from(const building *b, shoal_i_candidate_pool *pool, uint32_t point)
{
    const shoal_i_point_neighbours *points = b->points;
    const uint32_t *near = shoal_i_point_near(points, point);

    shoal_i_candidate_pool_empty(pool);
    shoal_i_candidate_pool_add(pool, point);
    for (size_t i = 0; i < points->near_counts[point]; i++) {
        if (b->solution->group_of[near[i]] == SHOAL_I_NO_POINT) {
            shoal_i_candidate_pool_add(pool, near[i]);
        }
    }
    return shoal_i_candidate_pool_grow(pool, 0);
}

static shoal_status grow_chunk(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    building *b = payload;
    size_t end = (index + 1) * CHUNK < b->queue.count ? (index + 1) * CHUNK : b->queue.count;
    shoal_i_candidate_pool pool = {0};

    SHOAL_TRY(shoal_i_candidate_pool_init(ctx, &pool, b->points, b->points->reach + 1));
    for (size_t i = index * CHUNK; i < end; i++) {
        shoal_i_growth growth = grow_from(b, &pool, b->queue.entries[i].item);

        b->queue.entries[i].cost = growth.holds ? growth.penalty : NO_GROUP;
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    shoal_i_candidate_pool_clear(&pool);
    return st;
}

static void open_group(building *b, const shoal_i_candidate_pool *pool,
                       const shoal_i_growth *growth)
{
    shoal_i_solution *s = b->solution;
    uint32_t group = s->numbers[--s->number_count];

    shoal_i_solution_open(s, group, pool->box, growth->penalty);
    for (size_t place = pool->free; place < growth->end; place++) {
        shoal_i_solution_put(s, group, pool->members[place]);
    }
}

/* Take groups off the queue. One that has grown dearer since it was entered goes back. */
static shoal_status open_groups(shoal_ctx *ctx, building *b, shoal_i_candidate_pool *pool)
{
    shoal_status st = SHOAL_OK;

    for (size_t rounds = 0; b->queue.count > 0; rounds++) {
        shoal_i_queued *least = &b->queue.entries[0];
        bool is_gone = b->solution->group_of[least->item] != SHOAL_I_NO_POINT;
        shoal_i_growth growth = {0};

        if (!is_gone && least->cost != NO_GROUP) {
            growth = grow_from(b, pool, least->item);
        }
        if (growth.holds && growth.penalty > least->cost) {
            least->cost = growth.penalty;
            shoal_i_lazy_queue_settle(&b->queue);
        } else {
            if (growth.holds) {
                open_group(b, pool, &growth);
            }
            shoal_i_lazy_queue_drop(&b->queue);
        }
        if (rounds % 1024 == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
done:
    return st;
}

/* --- Points that are left over. ----------------------------------------------------------- */

static size_t list_all_groups(building *b)
{
    size_t count = 0;

    for (uint32_t g = 0; g < b->solution->group_most; g++) {
        if (b->solution->groups[g].head != SHOAL_I_NO_POINT) {
            b->candidates[count++] = g;
        }
    }
    return count;
}

/* The groups of the points near a point; all groups when none of these is in a group, or none
 * is known. */
static size_t list_groups(building *b, uint32_t point)
{
    const shoal_i_point_neighbours *points = b->points;
    const uint32_t *near = shoal_i_point_near(points, point);
    size_t count = 0;

    for (size_t i = 0; i < points->near_counts[point]; i++) {
        uint32_t group = b->solution->group_of[near[i]];

        if (group != SHOAL_I_NO_POINT && (count == 0 || b->candidates[count - 1] != group)) {
            b->candidates[count++] = group;
        }
    }
    return count > 0 ? count : list_all_groups(b);
}

/* Let a point join the group where that costs least. */
static void join_cheapest(building *b, uint32_t point)
{
    const shoal_i_lanes *lanes = b->points->lanes;
    const int32_t *row = shoal_i_point_row(b->points, point);
    shoal_i_probe probe = {.climb = b->climb};
    size_t count = list_groups(b, point);
    int64_t least = INT64_MAX;
    size_t best = 0;

    shoal_i_probe_set(&probe, lanes, row, row, row);
    lanes->kernels->unions(b->unions, lanes, &probe, b->solution->boxes, b->candidates, count);
    for (size_t i = 0; i < count; i++) {
        const shoal_i_group *g = &b->solution->groups[b->candidates[i]];
        int64_t cost =
            shoal_i_join_cost(g->load, g->penalty, b->points->weights[point], b->unions[i]);

        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    int32_t *lo = shoal_i_solution_box(b->solution, b->candidates[best]);

    shoal_i_box_join(lanes, lo, lo + lanes->count, row, row);
    b->solution->groups[b->candidates[best]].penalty = b->unions[best];
    shoal_i_solution_put(b->solution, b->candidates[best], point);
}

/* When no group could be grown at all, everybody is one. */
static void open_everything(building *b)
{
    for (uint32_t i = 0; i < b->points->count; i++) {
        b->candidates[i] = i;
    }
    shoal_i_solution_group(b->solution, b->candidates, b->points->count, b->climb);
}

static void place_leftovers(building *b)
{
    if (b->solution->number_count == b->solution->group_most) {
        open_everything(b);
    }
    for (uint32_t i = 0; i < b->points->count; i++) {
        if (b->solution->group_of[i] == SHOAL_I_NO_POINT) {
            join_cheapest(b, i);
        }
    }
}

/* Enter the points that are in no group yet. */
static void enter_points(building *b)
{
    for (uint32_t i = 0; i < b->points->count; i++) {
        if (b->solution->group_of[i] == SHOAL_I_NO_POINT) {
            b->queue.entries[b->queue.count++].item = i;
        }
    }
}

static shoal_status grow_groups(shoal_ctx *ctx, building *b)
{
    shoal_status st = SHOAL_OK;
    shoal_i_candidate_pool pool = {0};

    enter_points(b);
    SHOAL_TRY(shoal_i_candidate_pool_init(ctx, &pool, b->points, b->points->reach + 1));
    SHOAL_TRY(shoal_i_parallel_for(ctx, (b->queue.count + CHUNK - 1) / CHUNK, grow_chunk, b));
    shoal_i_lazy_queue_order(&b->queue);
    SHOAL_TRY(open_groups(ctx, b, &pool));
done:
    shoal_i_candidate_pool_clear(&pool);
    return st;
}

shoal_status shoal_i_solution_build(shoal_ctx *ctx, shoal_i_solution *solution)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_point_neighbours *points = solution->points;
    building b = {.solution = solution, .points = points};

    SHOAL_ALLOC(ctx, b.queue.entries, points->count);
    SHOAL_ALLOC(ctx, b.candidates, points->count);
    SHOAL_ALLOC(ctx, b.unions, points->count);
    SHOAL_ALLOC(ctx, b.climb, points->lanes->count);
    if (points->reach > 0) {
        SHOAL_TRY(grow_groups(ctx, &b));
    }
    place_leftovers(&b);
done:
    free(b.queue.entries);
    free(b.candidates);
    free(b.unions);
    free(b.climb);
    return st;
}
