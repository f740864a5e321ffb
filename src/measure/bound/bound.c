#include "bound.h"

#include "../../base/fail.h"
#include "../../base/pool.h"
#include "class_needs.h"
#include "near_box.h"
#include "population_rows.h"
#include "price_bound.h"

#include <math.h>

/* Two bounds are computed, and the larger is told. The first looks at each record by itself:
 * whatever its class, its box reaches k - 1 others, so it loses at least what the cheapest box
 * around it and k - 1 of its nearest loses. That is quick and good where groups are small, but
 * it lets every record have the same near ones for itself. Where classes need people of a
 * population, the cheapest box that holds these is asked for as well. The second, by prices
 * (price_bound.h), counts that a record can be in one class only; it begins with what the first
 * has found, and is left out where it would take too long. */

/* Points one task bounds. */
#define CHUNK 128

/* What the sum of many rounded numbers may be too large by, in parts of it. */
#define SUM_SLACK 1e-9

typedef struct bounding {
    const shoal_i_nearby *nearest;
    const shoal_i_nearby *people; /* NULL: classes need none of a population */
    const shoal_i_reach *reach;
    const shoal_i_class_needs *needs;
    int32_t *least;  /* per point: what a record there loses at least */
    double *partial; /* per task: the sum of its points, in units of the lanes */
} bounding;

typedef struct scratch {
    shoal_i_near_box box;
    shoal_i_near_box people;
    /* To tell whether what is in a box is enough: */
    const shoal_i_class_needs *needs;
    size_t worker;
    uint32_t point;
} scratch;

/* --- By cheapest boxes. ------------------------------------------------------------------- */

/* Whether a class may lie among a point and some of those near it. */
static bool has_enough(const void *payload, const uint32_t *numbers, size_t count)
{
    const scratch *d = payload;
    shoal_i_tally *tally = shoal_i_class_needs_tally(d->needs, d->worker);

    shoal_i_class_needs_add(d->needs, tally, d->point);
    for (size_t i = 0; i < count; i++) {
        shoal_i_class_needs_add(d->needs, tally, d->box.asking.near[numbers[i]].point);
    }
    return shoal_i_class_needs_met(d->needs, tally);
}

/* What a record at a point loses at least, to be with so many others. */
static int64_t bound_by_others(const bounding *b, scratch *d, uint32_t point)
{
    const shoal_i_distinct *points = b->nearest->points;
    uint64_t k = b->needs->sizes[points->records[points->first[point]]];
    uint64_t own = points->weights[point];

    d->point = point;
    if (k <= own && (!d->box.reaches.is_enough || has_enough(d, NULL, 0))) {
        return shoal_i_reach_own(b->reach, point);
    }
    return shoal_i_near_box_find(&d->box, point, k > own ? k - own : 1);
}

/* The same, so that enough people of the population fall into its class. */
static int64_t bound_by_people(const bounding *b, scratch *d, uint32_t point)
{
    const shoal_i_distinct *points = b->nearest->points;
    uint64_t need = shoal_i_class_needs_people(b->needs, points->records[points->first[point]]);

    return shoal_i_near_box_find(&d->people, point, need);
}

static int64_t bound_point(const bounding *b, scratch *d, uint32_t point)
{
    int64_t others = bound_by_others(b, d, point);
    int64_t people = b->people ? bound_by_people(b, d, point) : 0;

    return others > people ? others : people;
}

static shoal_status bound_chunk(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    bounding *b = payload;
    size_t end = (index + 1) * CHUNK;
    scratch d = {.needs = b->needs, .worker = ctx->worker};

    size_t count = b->nearest->points->count;

    end = end < count ? end : count;
    SHOAL_TRY(shoal_i_near_box_init(ctx, &d.box, b->reach, b->nearest, count));
    if (b->people) {
        SHOAL_TRY(shoal_i_near_box_init(ctx, &d.people, b->reach, b->people, count));
    }
    if (shoal_i_class_needs_more(b->needs)) {
        d.box.reaches.is_enough = has_enough;
        d.box.reaches.payload = &d;
    }
    for (size_t i = index * CHUNK; i < end; i++) {
        b->least[i] = (int32_t)bound_point(b, &d, (uint32_t)i);
        b->partial[index] += (double)b->least[i] * b->nearest->points->weights[i];
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    shoal_i_near_box_clear(&d.box);
    shoal_i_near_box_clear(&d.people);
    return st;
}

static double sum_partial(const bounding *b, size_t tasks)
{
    double sum = 0;

    for (size_t i = 0; i < tasks; i++) {
        sum += b->partial[i];
    }
    return sum;
}

/* --- By prices. --------------------------------------------------------------------------- */

/* Records after which it is asked whether they are enough already, then four times as many, and
 * so on. */
#define FIRST_ASKED 16

/* Whether a class may lie within some points, for a hunt. */
static bool can_hold(const void *payload, size_t worker, const uint32_t *order,
                     const uint32_t *ranks, size_t count)
{
    const shoal_i_class_needs *needs = payload;
    shoal_i_tally *tally = shoal_i_class_needs_tally(needs, worker);
    uint64_t asked = FIRST_ASKED;

    for (size_t i = 0; i < count; i++) {
        shoal_i_class_needs_add(needs, tally, order[ranks[i]]);
        if (tally->stats.size >= asked) {
            if (shoal_i_class_needs_met(needs, tally)) {
                return true;
            }
            asked = 4 * tally->stats.size;
        }
    }
    return shoal_i_class_needs_met(needs, tally);
}

/* What prices of the points prove, in units of the lanes, counted down by what rounding may
 * have added. */
static shoal_status bound_by_prices(shoal_ctx *ctx, double *sum, const bounding *b,
                                    double target)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_distinct *points = b->nearest->points;
    double records = (double)points->first[points->count];
    uint64_t *sizes = NULL;
    shoal_i_hunt_needs needs = {.smallest = b->needs->smallest, .payload = b->needs};

    SHOAL_ALLOC(ctx, sizes, points->count);
    for (size_t i = 0; i < points->count; i++) {
        sizes[i] = b->needs->sizes[points->records[points->first[i]]];
    }
    needs.least = sizes;
    needs.can_hold = shoal_i_class_needs_more(b->needs) ? can_hold : NULL;
    SHOAL_TRY(shoal_i_price_bound(ctx, sum, points, &needs, b->least, target));
    *sum -= records * (double)b->reach->slack;
done:
    free(sizes);
    return st;
}

/* The population, where classes need people of it. */
static shoal_status place_people(shoal_ctx *ctx, shoal_i_nearby **out,
                                 const shoal_i_class_needs *needs, const shoal_i_lanes *lanes,
                                 const shoal_i_quasi *population)
{
    shoal_status st = SHOAL_OK;
    int32_t *rows = NULL;

    if (!population || shoal_table_row_count(population->table) == 0 ||
        !shoal_i_requirement_needs_population(needs->set)) {
        return SHOAL_OK;
    }
    SHOAL_TRY(shoal_i_population_rows(ctx, &rows, lanes, population));
    if (rows) {
        SHOAL_TRY(shoal_i_nearby_build(ctx, out, lanes, rows, NULL,
                                       shoal_table_row_count(population->table)));
    }
done:
    free(rows);
    return st;
}

static shoal_status place_records(shoal_ctx *ctx, shoal_i_nearby **out,
                                  const shoal_i_class_needs *needs, const shoal_i_lanes *lanes)
{
    shoal_status st = SHOAL_OK;
    size_t row_count = shoal_table_row_count(lanes->quasi->table);
    int32_t *rows = NULL;

    SHOAL_TRY(shoal_i_lanes_rows(ctx, &rows, lanes));
    shoal_i_reach_pull_missing(lanes, rows, row_count);
    SHOAL_TRY(shoal_i_nearby_build(ctx, out, lanes, rows, needs->sizes, row_count));
done:
    free(rows);
    return st;
}

shoal_status shoal_i_bound(shoal_ctx *ctx, double *ncp, const shoal_i_quasi *quasi,
                           const shoal_i_requirement_set *set, const shoal_i_bound_known *known)
{
    shoal_status st = SHOAL_OK;
    shoal_i_class_needs needs = {0};
    shoal_i_lanes *lanes = NULL;
    shoal_i_nearby *nearest = NULL;
    shoal_i_nearby *people = NULL;
    shoal_i_reach reach = {0};
    bounding b = {.reach = &reach, .needs = &needs};
    size_t row_count = shoal_table_row_count(quasi->table);

    *ncp = 0;
    SHOAL_TRY(shoal_i_lanes_build(ctx, &lanes, quasi));
    if (row_count == 0 || lanes->count == 0) {
        goto done;
    }
    SHOAL_TRY(
        shoal_i_class_needs_init(ctx, &needs, set, known->source, known->record_k, row_count));
    SHOAL_TRY(place_people(ctx, &people, &needs, lanes, known->population));
    SHOAL_TRY(place_records(ctx, &nearest, &needs, lanes));
    SHOAL_TRY(shoal_i_class_needs_for(ctx, &needs, nearest->points));
    SHOAL_TRY(shoal_i_reach_init(ctx, &reach, lanes, nearest->points));
    b.nearest = nearest;
    b.people = people;
    size_t tasks = (nearest->points->count + CHUNK - 1) / CHUNK;
    double unit = quasi->weight_sum / SHOAL_I_PENALTY_ONE;
    double by_prices = 0;

    SHOAL_ALLOC(ctx, b.least, nearest->points->count);
    SHOAL_ALLOC(ctx, b.partial, tasks);
    SHOAL_TRY(shoal_i_parallel_for(ctx, tasks, bound_chunk, &b));
    SHOAL_TRY(bound_by_prices(ctx, &by_prices, &b, known->ncp / unit));
    *ncp = fmax(sum_partial(&b, tasks), by_prices) * unit * (1 - SUM_SLACK);
done:
    free(b.least);
    free(b.partial);
    shoal_i_reach_clear(&reach);
    shoal_i_class_needs_clear(&needs);
    shoal_i_nearby_free(nearest);
    shoal_i_nearby_free(people);
    shoal_i_lanes_free(lanes);
    return st;
}
