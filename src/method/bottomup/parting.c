#include "parting.h"

#include "../../base/fail.h"
#include "../../box/scan.h"
#include "../problem/span.h"

#include <assert.h>
#include <string.h>

/* Groups of more points are halved before anything is taken out of them, which takes quadratic
 * time. */
#define HALVED_ABOVE 2048

/* Larger ones that cannot be halved stay as they are. */
#define LEFT_ABOVE 65536

/* How often the farthest point is sought. */
#define ROUNDS 3

/* The points of the group that is being parted stand in places. Those from `done` on have
 * records left. */
struct shoal_i_parting {
    const shoal_i_problem *problem;
    const shoal_i_distinct *distinct;
    bool is_size_enough;
    uint64_t smallest;
    uint32_t *points;   /* of each place */
    int32_t *rows;      /* of each place */
    uint32_t *taken;    /* of each place: how many of the point's records have been taken */
    int32_t *penalties; /* of the places behind the group that grows */
    uint8_t *sides;
    shoal_i_span *waiting; /* ranges of places that are still to be parted */
    int32_t *climb;
    int32_t *other_climb;
    int32_t *box;
    shoal_i_tally tally; /* of the group that grows */
    shoal_i_tally rest;  /* of what is left */
    uint32_t *records;   /* where the records go */
    uint8_t *is_start;
};

void shoal_i_parting_free(shoal_i_parting *parting)
{
    if (parting) {
        free(parting->points);
        free(parting->rows);
        free(parting->taken);
        free(parting->penalties);
        free(parting->sides);
        free(parting->waiting);
        free(parting->climb);
        free(parting->other_climb);
        free(parting->box);
        shoal_i_tally_clear(&parting->tally);
        shoal_i_tally_clear(&parting->rest);
        free(parting);
    }
}

shoal_status shoal_i_parting_new(shoal_ctx *ctx, shoal_i_parting **out,
                                 const shoal_i_problem *problem,
                                 const shoal_i_distinct *distinct, size_t capacity)
{
    shoal_status st = SHOAL_OK;
    size_t lanes = distinct->lanes->count;
    shoal_i_parting *p = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, p, 1);
    p->problem = problem;
    p->distinct = distinct;
    p->is_size_enough = problem->source->active_count == 0;
    p->smallest = shoal_i_requirement_smallest_class(problem->requirements);
    SHOAL_TRY(shoal_i_tally_init(ctx, &p->tally, problem->source));
    SHOAL_TRY(shoal_i_tally_init(ctx, &p->rest, problem->source));
    SHOAL_ALLOC(ctx, p->points, capacity);
    SHOAL_ALLOC(ctx, p->taken, capacity);
    SHOAL_ALLOC(ctx, p->penalties, capacity);
    SHOAL_ALLOC(ctx, p->sides, capacity);
    SHOAL_ALLOC(ctx, p->waiting, capacity + 1);
    SHOAL_ALLOC(ctx, p->climb, lanes);
    SHOAL_ALLOC(ctx, p->other_climb, lanes);
    SHOAL_ALLOC(ctx, p->box, 2 * lanes);
    p->rows = shoal_i_alloc_aligned(ctx, capacity, lanes * sizeof *p->rows);
    if (!p->rows) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    *out = p;
    p = NULL;
done:
    shoal_i_parting_free(p);
    return st;
}

static int32_t *row_at(const shoal_i_parting *p, size_t place)
{
    return p->rows + place * p->distinct->lanes->count;
}

static void swap_places(shoal_i_parting *p, size_t i, size_t j)
{
    uint32_t point = p->points[i];
    uint32_t taken = p->taken[i];
    int32_t *a = row_at(p, i);
    int32_t *b = row_at(p, j);

    p->points[i] = p->points[j];
    p->points[j] = point;
    p->taken[i] = p->taken[j];
    p->taken[j] = taken;
    for (size_t lane = 0; lane < p->distinct->lanes->count; lane++) {
        int32_t swap = a[lane];

        a[lane] = b[lane];
        b[lane] = swap;
    }
}

/* Records of the point at a place that have not been taken. */
static uint32_t count_left(const shoal_i_parting *p, size_t place)
{
    return p->distinct->weights[p->points[place]] - p->taken[place];
}

static bool holds(const shoal_i_parting *p, const shoal_i_tally *tally)
{
    return tally->stats.size >= p->smallest &&
           shoal_i_requirement_holds(p->problem->requirements, &tally->stats);
}

/* A place far from most others of a range: the farthest from the farthest from the first, and
 * so on. *distance is how far that is; 0 when all are equal. */
static size_t find_far(shoal_i_parting *p, shoal_i_span r, int32_t *distance)
{
    const shoal_i_lanes *lanes = p->distinct->lanes;
    shoal_i_probe probe = {.climb = p->climb};
    size_t far = r.first;

    for (int round = 0; round < ROUNDS; round++) {
        shoal_i_probe_set(&probe, lanes, row_at(p, far), row_at(p, far), row_at(p, far));
        far = r.first +
              lanes->kernels->farthest(distance, lanes, &probe, row_at(p, r.first), r.count);
    }
    return far;
}

/* --- Halving. ----------------------------------------------------------------------------- */

/* Bring the places of a range that are on side 0 to its front. */
static void part_sides(shoal_i_parting *p, shoal_i_span r)
{
    size_t i = r.first;
    size_t j = r.first + r.count;

    for (;;) {
        while (i < j && p->sides[i - r.first] == 0) {
            i++;
        }
        while (i < j && p->sides[j - 1 - r.first] != 0) {
            j--;
        }
        if (i >= j) {
            return;
        }
        p->sides[i - r.first] = 0;
        p->sides[j - 1 - r.first] = 1;
        swap_places(p, i++, --j);
    }
}

/* Count all records of the points of a range. */
static void count_range(const shoal_i_parting *p, shoal_i_tally *tally, shoal_i_span r)
{
    const shoal_i_distinct *d = p->distinct;

    shoal_i_tally_empty(tally);
    for (size_t i = r.first; i < r.first + r.count; i++) {
        shoal_i_tally_add_list(tally, d->records + d->first[p->points[i]],
                               d->weights[p->points[i]]);
    }
}

static bool range_holds(shoal_i_parting *p, shoal_i_span r)
{
    count_range(p, &p->tally, r);
    return holds(p, &p->tally);
}

/* Halve a range around two far places: how many come to its front; 0 when a half does not
 * hold. */
static size_t halve(shoal_i_parting *p, shoal_i_span r)
{
    const shoal_i_lanes *lanes = p->distinct->lanes;
    shoal_i_probe a = {.climb = p->climb};
    shoal_i_probe b = {.climb = p->other_climb};
    int32_t distance = 0;
    size_t far = find_far(p, r, &distance);

    if (distance == 0) {
        return 0;
    }
    shoal_i_probe_set(&b, lanes, row_at(p, far), row_at(p, far), row_at(p, far));
    size_t other =
        r.first + lanes->kernels->farthest(&distance, lanes, &b, row_at(p, r.first), r.count);

    shoal_i_probe_set(&a, lanes, row_at(p, other), row_at(p, other), row_at(p, other));
    size_t ones = lanes->kernels->sides(p->sides, lanes, &a, &b, row_at(p, r.first), r.count);

    part_sides(p, r);
    size_t zeros = r.count - ones;
    bool both_hold = range_holds(p, (shoal_i_span){.first = r.first, .count = zeros}) &&
                     range_holds(p, (shoal_i_span){.first = r.first + zeros, .count = ones});

    return both_hold ? zeros : 0;
}

/* --- Taking groups out. ------------------------------------------------------------------- */

/* Move a record of the point at a place to the group that grows. */
static void take_record(shoal_i_parting *p, size_t place)
{
    const shoal_i_distinct *d = p->distinct;
    uint32_t record = d->records[d->first[p->points[place]] + p->taken[place]++];

    *p->records++ = record;
    *p->is_start++ = 0;
    shoal_i_tally_add(&p->tally, record);
    shoal_i_tally_remove(&p->rest, record);
}

/* Take records of the point at a place until the group holds or no more are left. */
static bool take_point(shoal_i_parting *p, size_t place)
{
    bool is_enough = false;

    while (count_left(p, place) > 0 && !is_enough) {
        take_record(p, place);
        is_enough = holds(p, &p->tally);
    }
    return is_enough;
}

/* The place of a range whose point raises the penalty of the growing group least. */
static size_t find_cheapest(shoal_i_parting *p, const shoal_i_probe *probe, shoal_i_span range)
{
    const shoal_i_lanes *lanes = p->distinct->lanes;
    size_t best = 0;

    lanes->kernels->penalties(p->penalties, lanes, probe, row_at(p, range.first), range.count);
    for (size_t i = 1; i < range.count; i++) {
        if (p->penalties[i] < p->penalties[best]) {
            best = i;
        }
    }
    return range.first + best;
}

/* Take a group out of the places of a range: whole points go to its front, the last may stay
 * with what is left of its records. Returns the first place that has records left. */
static size_t take_group(shoal_i_parting *p, shoal_i_span r)
{
    const shoal_i_lanes *lanes = p->distinct->lanes;
    size_t row_bytes = lanes->count * sizeof *p->box;
    size_t done = r.first;
    shoal_i_probe probe = {.climb = p->climb};
    int32_t distance = 0;
    size_t place = find_far(p, r, &distance);

    shoal_i_tally_empty(&p->tally);
    memcpy(p->box, row_at(p, place), row_bytes);
    memcpy(p->box + lanes->count, row_at(p, place), row_bytes);
    shoal_i_probe_set(&probe, lanes, p->box, p->box + lanes->count, row_at(p, place));
    for (;;) {
        bool is_enough = take_point(p, place);

        shoal_i_box_join(lanes, p->box, p->box + lanes->count, row_at(p, place),
                         row_at(p, place));
        if (count_left(p, place) == 0) {
            swap_places(p, done++, place);
        }
        if (is_enough || done == r.first + r.count) {
            return done;
        }
        place = find_cheapest(p, &probe, shoal_i_span_between(done, shoal_i_span_end(r)));
    }
}

/* Everything that is left of a range goes to the last group. */
static void take_rest(shoal_i_parting *p, shoal_i_span r)
{
    for (size_t i = r.first; i < r.first + r.count; i++) {
        while (count_left(p, i) > 0) {
            take_record(p, i);
        }
    }
}

/* Whether enough is left for two groups that are worth telling apart. */
static bool is_worth_parting(shoal_i_parting *p, shoal_i_span r)
{
    int32_t distance = 0;

    if (p->rest.stats.size < 2 * p->smallest || r.count > LEFT_ABOVE) {
        return false;
    }
    find_far(p, r, &distance);
    return distance > 0;
}

/* Take groups out of a range until what is left is one. */
static shoal_status part_range(shoal_ctx *ctx, shoal_i_parting *p, shoal_i_span r)
{
    shoal_status st = SHOAL_OK;
    size_t end = r.first + r.count;
    uint8_t *start = p->is_start;
    bool is_whole = false;

    count_range(p, &p->rest, r);
    while (!is_whole && is_worth_parting(p, r)) {
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
        uint8_t *group = p->is_start;

        r.first = take_group(p, r);
        r.count = end - r.first;
        *group = 1;
        start = p->is_start;
        is_whole = !holds(p, &p->rest);
    }
    take_rest(p, r);
    if (!is_whole && start != p->is_start) {
        *start = 1;
    }
done:
    return st;
}

shoal_status shoal_i_part(shoal_ctx *ctx, shoal_i_parting *parting, const uint32_t *points,
                          size_t count, uint32_t *records, uint8_t *is_start)
{
    shoal_status st = SHOAL_OK;
    shoal_i_parting *p = parting;
    size_t depth = 1;

    p->records = records;
    p->is_start = is_start;
    for (size_t i = 0; i < count; i++) {
        p->points[i] = points[i];
        p->taken[i] = 0;
        memcpy(row_at(p, i), shoal_i_distinct_row(p->distinct, points[i]),
               p->distinct->lanes->count * sizeof *p->rows);
    }
    p->waiting[0] = (shoal_i_span){.first = 0, .count = count};
    while (depth > 0) {
        shoal_i_span r = p->waiting[--depth];
        size_t front = r.count > HALVED_ABOVE ? halve(p, r) : 0;

        if (front > 0) {
            p->waiting[depth++] =
                (shoal_i_span){.first = r.first + front, .count = r.count - front};
            p->waiting[depth++] = (shoal_i_span){.first = r.first, .count = front};
        } else {
            SHOAL_TRY(part_range(ctx, p, r));
        }
    }
done:
    return st;
}
