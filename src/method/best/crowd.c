#include "crowd.h"

#include "../../base/fail.h"
#include "../../box/scan.h"

#include <assert.h>
#include <string.h>

shoal_status shoal_i_crowd_init(shoal_ctx *ctx, shoal_i_crowd *crowd, const shoal_i_site *site,
                                size_t capacity)
{
    shoal_status st = SHOAL_OK;
    size_t lanes = site->lanes->count;

    *crowd = (shoal_i_crowd){
        .site = site,
        .capacity = capacity,
        .is_size_enough = site->problem->source->active_count == 0,
        .smallest = shoal_i_requirement_smallest_class(site->problem->requirements),
    };
    SHOAL_TRY(shoal_i_tally_init(ctx, &crowd->tally, site->problem->source));
    SHOAL_ALLOC(ctx, crowd->points, capacity);
    SHOAL_ALLOC(ctx, crowd->penalties, capacity);
    SHOAL_ALLOC(ctx, crowd->climb, lanes);
    SHOAL_ALLOC(ctx, crowd->box, 2 * lanes);
    crowd->rows = shoal_i_alloc_aligned(ctx, capacity, lanes * sizeof *crowd->rows);
    st = crowd->rows ? SHOAL_OK : SHOAL_ENOMEM;
done:
    if (st != SHOAL_OK) {
        shoal_i_crowd_clear(crowd);
    }
    return st;
}

void shoal_i_crowd_clear(shoal_i_crowd *crowd)
{
    shoal_i_tally_clear(&crowd->tally);
    free(crowd->points);
    free(crowd->rows);
    free(crowd->penalties);
    free(crowd->climb);
    free(crowd->box);
    *crowd = (shoal_i_crowd){0};
}

void shoal_i_crowd_empty(shoal_i_crowd *crowd)
{
    crowd->count = 0;
    crowd->free = 0;
}

static int32_t *row_at(const shoal_i_crowd *crowd, size_t place)
{
    return crowd->rows + place * crowd->site->lanes->count;
}

void shoal_i_crowd_add(shoal_i_crowd *crowd, uint32_t point)
{
    assert(crowd->count < crowd->capacity && crowd->free == crowd->count);
    memcpy(row_at(crowd, crowd->count), shoal_i_site_row(crowd->site, point),
           crowd->site->lanes->count * sizeof *crowd->rows);
    crowd->points[crowd->count++] = point;
    crowd->free = crowd->count;
}

/* Take the point at a free place: it changes places with the last free one. */
static uint32_t take(shoal_i_crowd *crowd, size_t place)
{
    size_t last = --crowd->free;
    uint32_t point = crowd->points[place];
    int32_t *a = row_at(crowd, place);
    int32_t *b = row_at(crowd, last);

    crowd->points[place] = crowd->points[last];
    crowd->points[last] = point;
    for (size_t lane = 0; lane < crowd->site->lanes->count; lane++) {
        int32_t swap = a[lane];

        a[lane] = b[lane];
        b[lane] = swap;
    }
    return point;
}

/* Take a point into the group that is growing. */
static void join(shoal_i_crowd *crowd, shoal_i_growth *growth, size_t place)
{
    const shoal_i_site *site = crowd->site;
    int32_t *lo = crowd->box;
    uint32_t point = take(crowd, place);
    const int32_t *row = row_at(crowd, crowd->free);

    shoal_i_box_join(site->lanes, lo, lo + site->lanes->count, row, row);
    growth->load += site->weights[point];
    if (!crowd->is_size_enough) {
        shoal_i_site_tally(site, point, &crowd->tally);
    }
}

static bool meets(const shoal_i_crowd *crowd, const shoal_i_growth *growth)
{
    if (growth->load < crowd->smallest) {
        return false;
    }
    return crowd->is_size_enough ||
           shoal_i_requirement_holds(crowd->site->problem->requirements, &crowd->tally.stats);
}

static void compare(shoal_i_crowd *crowd, const shoal_i_probe *probe)
{
    const shoal_i_lanes *lanes = crowd->site->lanes;

    lanes->kernels->penalties(crowd->penalties, lanes, probe, crowd->rows, crowd->free);
    crowd->work += crowd->free;
}

static size_t find_least(const int32_t *values, size_t count)
{
    size_t best = 0;

    for (size_t i = 1; i < count; i++) {
        if (values[i] < values[best]) {
            best = i;
        }
    }
    return best;
}

/* Take every free point that does not raise the penalty, from the back, since taking moves the
 * last free point. */
static void absorb(shoal_i_crowd *crowd, shoal_i_growth *growth)
{
    for (size_t place = crowd->free; place-- > 0;) {
        if (crowd->penalties[place] == growth->penalty) {
            join(crowd, growth, place);
        }
    }
}

shoal_i_growth shoal_i_crowd_grow(shoal_i_crowd *crowd, size_t place)
{
    const shoal_i_lanes *lanes = crowd->site->lanes;
    int32_t *lo = crowd->box;
    int32_t *hi = lo + lanes->count;
    shoal_i_probe probe = {.climb = crowd->climb};
    shoal_i_growth growth = {.end = crowd->free};

    shoal_i_tally_empty(&crowd->tally);
    memcpy(lo, row_at(crowd, place), lanes->count * sizeof *lo);
    memcpy(hi, lo, lanes->count * sizeof *hi);
    shoal_i_probe_set(&probe, lanes, lo, hi, lo);
    join(crowd, &growth, place);
    while (crowd->free > 0) {
        compare(crowd, &probe);
        size_t least = find_least(crowd->penalties, crowd->free);
        int32_t penalty = crowd->penalties[least];

        growth.holds = meets(crowd, &growth);
        if (penalty == growth.penalty && crowd->is_size_enough) {
            absorb(crowd, &growth);
        } else if (growth.holds) {
            break;
        } else {
            join(crowd, &growth, least);
            growth.penalty = penalty;
        }
    }
    growth.holds = meets(crowd, &growth);
    return growth;
}

/* The free place of a point. */
static size_t find_place(const shoal_i_crowd *crowd, uint32_t point)
{
    size_t place = 0;

    while (crowd->points[place] != point) {
        place++;
    }
    return place;
}

shoal_i_growth shoal_i_crowd_gather(shoal_i_crowd *crowd, const uint32_t *points, size_t count)
{
    const shoal_i_lanes *lanes = crowd->site->lanes;
    int32_t *lo = crowd->box;
    int32_t *hi = lo + lanes->count;
    const int32_t *member = shoal_i_site_row(crowd->site, points[0]);
    shoal_i_probe probe = {.climb = crowd->climb};
    shoal_i_growth growth = {.end = crowd->free};

    shoal_i_tally_empty(&crowd->tally);
    memcpy(lo, member, lanes->count * sizeof *lo);
    memcpy(hi, member, lanes->count * sizeof *hi);
    for (size_t i = 0; i < count; i++) {
        join(crowd, &growth, find_place(crowd, points[i]));
    }
    shoal_i_probe_set(&probe, lanes, lo, hi, member);
    growth.penalty = shoal_i_penalty(lanes, &probe);
    growth.holds = meets(crowd, &growth);
    crowd->work += count;
    return growth;
}

size_t shoal_i_crowd_farthest(shoal_i_crowd *crowd, size_t place)
{
    const shoal_i_lanes *lanes = crowd->site->lanes;
    const int32_t *row = row_at(crowd, place);
    shoal_i_probe probe = {.climb = crowd->climb};
    int32_t largest = 0;

    shoal_i_probe_set(&probe, lanes, row, row, row);
    crowd->work += crowd->free;
    return lanes->kernels->farthest(&largest, lanes, &probe, crowd->rows, crowd->free);
}
