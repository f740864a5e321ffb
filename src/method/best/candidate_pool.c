#include "candidate_pool.h"

#include "../../base/fail.h"
#include "../../box/scan.h"

#include <assert.h>
#include <string.h>

shoal_status shoal_i_candidate_pool_init(shoal_ctx *ctx, shoal_i_candidate_pool *pool,
                                         const shoal_i_point_neighbours *points,
                                         size_t capacity)
{
    shoal_status st = SHOAL_OK;
    size_t lanes = points->lanes->count;

    *pool = (shoal_i_candidate_pool){
        .points = points,
        .capacity = capacity,
        .is_size_enough =
            points->problem->source->active_count == 0 && !points->problem->people,
        .smallest = shoal_i_requirement_smallest_class(points->problem->requirements),
    };
    SHOAL_TRY(shoal_i_tally_init(ctx, &pool->tally, points->problem->source));
    SHOAL_TRY(shoal_i_people_box_init(ctx, &pool->people, points->problem));
    SHOAL_ALLOC(ctx, pool->members, capacity);
    SHOAL_ALLOC(ctx, pool->penalties, capacity);
    SHOAL_ALLOC(ctx, pool->climb, lanes);
    SHOAL_ALLOC(ctx, pool->box, 2 * lanes);
    pool->rows = shoal_i_alloc_aligned(ctx, capacity, lanes * sizeof *pool->rows);
    st = pool->rows ? SHOAL_OK : SHOAL_ENOMEM;
done:
    if (st != SHOAL_OK) {
        shoal_i_candidate_pool_clear(pool);
    }
    return st;
}

void shoal_i_candidate_pool_clear(shoal_i_candidate_pool *pool)
{
    shoal_i_tally_clear(&pool->tally);
    shoal_i_people_box_clear(&pool->people);
    free(pool->members);
    free(pool->rows);
    free(pool->penalties);
    free(pool->climb);
    free(pool->box);
    *pool = (shoal_i_candidate_pool){0};
}

void shoal_i_candidate_pool_empty(shoal_i_candidate_pool *pool)
{
    pool->count = 0;
    pool->free = 0;
}

static int32_t *row_at(const shoal_i_candidate_pool *pool, size_t place)
{
    return pool->rows + place * pool->points->lanes->count;
}

void shoal_i_candidate_pool_add(shoal_i_candidate_pool *pool, uint32_t point)
{
    assert(pool->count < pool->capacity && pool->free == pool->count);
    memcpy(row_at(pool, pool->count), shoal_i_point_row(pool->points, point),
           pool->points->lanes->count * sizeof *pool->rows);
    pool->members[pool->count++] = point;
    pool->free = pool->count;
}

/* Take the point at a free place: it changes places with the last free one. */
static uint32_t take(shoal_i_candidate_pool *pool, size_t place)
{
    size_t last = --pool->free;
    uint32_t point = pool->members[place];
    int32_t *a = row_at(pool, place);
    int32_t *b = row_at(pool, last);

    pool->members[place] = pool->members[last];
    pool->members[last] = point;
    for (size_t lane = 0; lane < pool->points->lanes->count; lane++) {
        int32_t swap = a[lane];

        a[lane] = b[lane];
        b[lane] = swap;
    }
    return point;
}

void shoal_i_candidate_pool_forget(shoal_i_candidate_pool *pool)
{
    shoal_i_tally_empty(&pool->tally);
    shoal_i_people_box_empty(&pool->people);
}

void shoal_i_candidate_pool_count(shoal_i_candidate_pool *pool, uint32_t point)
{
    const shoal_i_distinct *d = pool->points->distinct;

    shoal_i_point_tally(pool->points, point, &pool->tally);
    shoal_i_people_box_add(&pool->people, d->records[d->first[point]]);
}

bool shoal_i_candidate_pool_holds(shoal_i_candidate_pool *pool)
{
    if (pool->people.people) {
        pool->tally.stats.population_size = shoal_i_people_box_count(&pool->people);
        pool->work += SHOAL_I_WORK_OF_PEOPLE;
    }
    return shoal_i_requirement_holds(pool->points->problem->requirements, &pool->tally.stats);
}

/* Take a point into the group that is growing. */
static void join(shoal_i_candidate_pool *pool, shoal_i_growth *growth, size_t place)
{
    const shoal_i_point_neighbours *points = pool->points;
    int32_t *lo = pool->box;
    uint32_t point = take(pool, place);
    const int32_t *row = row_at(pool, pool->free);

    shoal_i_box_join(points->lanes, lo, lo + points->lanes->count, row, row);
    growth->load += points->weights[point];
    if (!pool->is_size_enough) {
        shoal_i_candidate_pool_count(pool, point);
    }
}

static bool meets(shoal_i_candidate_pool *pool, const shoal_i_growth *growth)
{
    if (growth->load < pool->smallest) {
        return false;
    }
    return pool->is_size_enough || shoal_i_candidate_pool_holds(pool);
}

static void compare(shoal_i_candidate_pool *pool, const shoal_i_probe *probe)
{
    const shoal_i_lanes *lanes = pool->points->lanes;

    lanes->kernels->penalties(pool->penalties, lanes, probe, pool->rows, pool->free);
    pool->work += pool->free;
}

/* The first of the least. In two passes: the first has no branch and is done in vectors. */
static size_t find_least(const int32_t *values, size_t count)
{
    int32_t least = values[0];
    size_t at = 0;

    for (size_t i = 1; i < count; i++) {
        least = values[i] < least ? values[i] : least;
    }
    while (values[at] != least) {
        at++;
    }
    return at;
}

/* Take every free point that does not raise the penalty, from the back, since taking moves the
 * last free point. */
static void absorb(shoal_i_candidate_pool *pool, shoal_i_growth *growth)
{
    for (size_t place = pool->free; place-- > 0;) {
        if (pool->penalties[place] == growth->penalty) {
            join(pool, growth, place);
        }
    }
}

shoal_i_growth shoal_i_candidate_pool_grow(shoal_i_candidate_pool *pool, size_t place)
{
    const shoal_i_lanes *lanes = pool->points->lanes;
    int32_t *lo = pool->box;
    int32_t *hi = lo + lanes->count;
    shoal_i_probe probe = {.climb = pool->climb};
    shoal_i_growth growth = {.end = pool->free};

    shoal_i_candidate_pool_forget(pool);
    memcpy(lo, row_at(pool, place), lanes->count * sizeof *lo);
    memcpy(hi, lo, lanes->count * sizeof *hi);
    shoal_i_probe_set(&probe, lanes, lo, hi, lo);
    join(pool, &growth, place);
    while (pool->free > 0) {
        compare(pool, &probe);
        size_t least = find_least(pool->penalties, pool->free);
        int32_t penalty = pool->penalties[least];

        growth.holds = meets(pool, &growth);
        if (penalty == growth.penalty && pool->is_size_enough) {
            absorb(pool, &growth);
        } else if (growth.holds) {
            break;
        } else {
            join(pool, &growth, least);
            growth.penalty = penalty;
        }
    }
    growth.holds = meets(pool, &growth);
    return growth;
}

/* The free place of a point. */
static size_t find_place(const shoal_i_candidate_pool *pool, uint32_t point)
{
    size_t place = 0;

    while (pool->members[place] != point) {
        place++;
    }
    return place;
}

shoal_i_growth shoal_i_candidate_pool_group(shoal_i_candidate_pool *pool,
                                            const uint32_t *points, size_t count)
{
    const shoal_i_lanes *lanes = pool->points->lanes;
    int32_t *lo = pool->box;
    int32_t *hi = lo + lanes->count;
    const int32_t *member = shoal_i_point_row(pool->points, points[0]);
    shoal_i_probe probe = {.climb = pool->climb};
    shoal_i_growth growth = {.end = pool->free};

    shoal_i_candidate_pool_forget(pool);
    memcpy(lo, member, lanes->count * sizeof *lo);
    memcpy(hi, member, lanes->count * sizeof *hi);
    for (size_t i = 0; i < count; i++) {
        join(pool, &growth, find_place(pool, points[i]));
    }
    shoal_i_probe_set(&probe, lanes, lo, hi, member);
    growth.penalty = shoal_i_penalty(lanes, &probe);
    growth.holds = meets(pool, &growth);
    pool->work += count;
    return growth;
}

size_t shoal_i_candidate_pool_farthest(shoal_i_candidate_pool *pool, size_t place)
{
    const shoal_i_lanes *lanes = pool->points->lanes;
    const int32_t *row = row_at(pool, place);
    shoal_i_probe probe = {.climb = pool->climb};
    int32_t largest = 0;

    shoal_i_probe_set(&probe, lanes, row, row, row);
    pool->work += pool->free;
    return lanes->kernels->farthest(&largest, lanes, &probe, pool->rows, pool->free);
}
