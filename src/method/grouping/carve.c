#include "carve.h"

#include "../../base/fail.h"
#include "../../base/sort.h"
#include "../../box/scan.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Candidates of a stratum: so many, and so many times its share of the class. */
#define SPARE 4
#define SPARE_TIMES 2.5
#define CANDIDATES_MAX 8192

/* Up to so many of a stratum are found by insertion, more by sorting. */
#define INSERTED_MAX 32

/* A class is given up when it has grown to so many times the size that was wanted. */
#define GROWTH_TIMES 4
#define GROWTH_SPARE 32

/* Larger classes do not compare all candidates again after each that they take in: they take
 * them in the order of their distances from the first. */
#define LARGE 96

/* Such a class is judged whenever it has grown by this part. */
#define JUDGED_PART 16

/* Tries around other records before a larger size is wanted. */
#define TRIES 6

/* How far a stratum may get ahead of its share: so many times, and so many records more. Below
 * 0 the rare ones have to wait; at infinity the class grows as if there were no strata. */
typedef struct lead {
    double times;
    double more;
} lead;

static const lead leads[] = {{1, -0.4}, {1, 0}, {1, 0.5}, {1, 1}, {INFINITY, 0}};
static const lead large_leads[] = {{1, 0.5}, {1.5, 1}, {3, 1}, {INFINITY, 0}};
#define LEAD_COUNT(list) (sizeof(list) / sizeof *(list))

shoal_status shoal_i_carver_init(shoal_ctx *ctx, shoal_i_carver *c,
                                 const shoal_i_problem *problem, const shoal_i_lanes *lanes,
                                 const shoal_i_strata *strata, size_t count)
{
    shoal_status st = SHOAL_OK;
    size_t candidates = count < CANDIDATES_MAX ? count : CANDIDATES_MAX;

    *c = (shoal_i_carver){
        .problem = problem,
        .lanes = lanes,
        .strata = strata,
        .smallest_class = shoal_i_requirement_smallest_class(problem->requirements),
    };
    SHOAL_TRY(shoal_i_tally_init(ctx, &c->rest, problem->source));
    SHOAL_TRY(shoal_i_tally_init(ctx, &c->tally, problem->source));
    SHOAL_ALLOC(ctx, c->firsts, strata->count + 1);
    SHOAL_ALLOC(ctx, c->lefts, strata->count);
    SHOAL_ALLOC(ctx, c->records, count);
    SHOAL_ALLOC(ctx, c->rows, count * lanes->count);
    SHOAL_ALLOC(ctx, c->places, candidates);
    SHOAL_ALLOC(ctx, c->stratum_of, candidates);
    SHOAL_ALLOC(ctx, c->candidate_rows, candidates * lanes->count);
    SHOAL_ALLOC(ctx, c->penalties, candidates);
    SHOAL_ALLOC(ctx, c->is_taken, candidates);
    SHOAL_ALLOC(ctx, c->taken, candidates);
    SHOAL_ALLOC(ctx, c->drawn, strata->count);
    SHOAL_ALLOC(ctx, c->box, 2 * lanes->count);
    SHOAL_ALLOC(ctx, c->climb, lanes->count);
    SHOAL_ALLOC(ctx, c->best, candidates);
    SHOAL_ALLOC(ctx, c->distances, count);
    SHOAL_ALLOC(ctx, c->items, count);
    SHOAL_ALLOC(ctx, c->scratch, count);
done:
    return st;
}

void shoal_i_carver_clear(shoal_i_carver *c)
{
    shoal_i_tally_clear(&c->rest);
    shoal_i_tally_clear(&c->tally);
    free(c->firsts);
    free(c->lefts);
    free(c->records);
    free(c->rows);
    free(c->places);
    free(c->stratum_of);
    free(c->candidate_rows);
    free(c->penalties);
    free(c->is_taken);
    free(c->taken);
    free(c->drawn);
    free(c->box);
    free(c->climb);
    free(c->best);
    free(c->distances);
    free(c->items);
    free(c->scratch);
    *c = (shoal_i_carver){0};
}

static int32_t *row_at(const shoal_i_carver *c, size_t place)
{
    return c->rows + place * c->lanes->count;
}

void shoal_i_carver_load(shoal_i_carver *c, const uint32_t *records, const int32_t *rows,
                         size_t count)
{
    size_t lanes = c->lanes->count;

    memset(c->lefts, 0, c->strata->count * sizeof *c->lefts);
    shoal_i_tally_empty(&c->rest);
    for (size_t i = 0; i < count; i++) {
        c->lefts[c->strata->of[records[i]]]++;
        shoal_i_tally_add(&c->rest, records[i]);
    }
    c->firsts[0] = 0;
    for (size_t s = 0; s < c->strata->count; s++) {
        c->firsts[s + 1] = c->firsts[s] + c->lefts[s];
        c->lefts[s] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t s = c->strata->of[records[i]];
        size_t place = c->firsts[s] + c->lefts[s]++;

        c->records[place] = records[i];
        memcpy(row_at(c, place), rows + i * lanes, lanes * sizeof *rows);
    }
    c->count = count;
}

/* --- Who stands by. ----------------------------------------------------------------------- */

static void add_candidate(shoal_i_carver *c, uint32_t stratum, uint32_t place)
{
    c->places[c->candidate_count] = place;
    c->stratum_of[c->candidate_count] = stratum;
    memcpy(c->candidate_rows + c->candidate_count * c->lanes->count, row_at(c, place),
           c->lanes->count * sizeof *c->rows);
    c->candidate_count++;
}

/* The `most` places, at least one, of a stratum with the least distances, nearest first, in
 * items; how many there are. */
static size_t select_nearest(shoal_i_carver *c, size_t left, size_t most)
{
    size_t count = 0;

    if (most > INSERTED_MAX) {
        for (size_t i = 0; i < left; i++) {
            c->items[i] =
                (shoal_i_sort_item){.key = (uint64_t)c->distances[i], .item = (uint32_t)i};
        }
        shoal_i_sort_items(c->items, c->scratch, left);
        return left < most ? left : most;
    }
    for (size_t i = 0; i < left; i++) {
        uint64_t key = (uint64_t)c->distances[i];
        size_t at = count;

        if (count == most) {
            if (key >= c->items[count - 1].key) {
                continue;
            }
            at--;
        } else {
            count++;
        }
        for (; at > 0 && c->items[at - 1].key > key; at--) {
            c->items[at] = c->items[at - 1];
        }
        c->items[at] = (shoal_i_sort_item){.key = key, .item = (uint32_t)i};
    }
    return count;
}

/* How many candidates stratum s may have: those behind it must find places for a few of theirs,
 * or a class would lack their values. */
static size_t find_room(const shoal_i_carver *c, size_t s)
{
    size_t room = CANDIDATES_MAX - c->candidate_count;
    size_t kept = (c->strata->count - 1 - s) * SPARE;

    return room > kept ? room - kept : 0;
}

/* List the nearest of each stratum around a place for a class of about `size` records. */
static void list_candidates(shoal_i_carver *c, size_t seed, double size)
{
    const shoal_i_lanes *lanes = c->lanes;
    shoal_i_probe probe = {.climb = c->climb};
    const int32_t *row = row_at(c, seed);

    shoal_i_probe_set(&probe, lanes, row, row, row);
    c->candidate_count = 0;
    for (uint32_t s = 0; s < c->strata->count; s++) {
        size_t left = c->lefts[s];
        size_t most = SPARE + (size_t)(SPARE_TIMES * size * (double)left / (double)c->count);
        size_t room = find_room(c, s);

        most = most < room ? most : room;
        if (most == 0) {
            continue;
        }
        lanes->kernels->penalties(c->distances, lanes, &probe, row_at(c, c->firsts[s]), left);
        size_t count = select_nearest(c, left, most);

        for (size_t i = 0; i < count; i++) {
            add_candidate(c, s, c->firsts[s] + c->items[i].item);
        }
    }
}

/* --- Growing a class. --------------------------------------------------------------------- */

/* Give what the growing class has back to the set. */
static void give_back(shoal_i_carver *c)
{
    for (size_t i = 0; i < c->taken_count; i++) {
        shoal_i_tally_add(&c->rest, c->records[c->places[c->taken[i]]]);
    }
    c->taken_count = 0;
    shoal_i_tally_empty(&c->tally);
    memset(c->drawn, 0, c->strata->count * sizeof *c->drawn);
    memset(c->is_taken, 0, c->candidate_count);
}

static void take_in(shoal_i_carver *c, size_t candidate)
{
    const int32_t *row = c->candidate_rows + candidate * c->lanes->count;
    uint32_t record = c->records[c->places[candidate]];

    shoal_i_box_join(c->lanes, c->box, c->box + c->lanes->count, row, row);
    shoal_i_tally_add(&c->tally, record);
    shoal_i_tally_remove(&c->rest, record);
    c->is_taken[candidate] = 1;
    c->drawn[c->stratum_of[candidate]]++;
    c->taken[c->taken_count++] = (uint32_t)candidate;
}

/* Whether the class holds and so does what is left, if anything is. */
static bool both_hold(const shoal_i_carver *c)
{
    const shoal_i_requirement_set *set = c->problem->requirements;
    uint64_t left = c->rest.stats.size;

    return c->tally.stats.size >= c->smallest_class &&
           (left == 0 || left >= c->smallest_class) &&
           shoal_i_requirement_holds(set, &c->tally.stats) &&
           (left == 0 || shoal_i_requirement_holds(set, &c->rest.stats));
}

/* Whether a stratum may have one more record in a class of the size. */
static bool may_draw(const shoal_i_carver *c, uint32_t stratum, double size, lead allowed)
{
    double share = size * (double)c->lefts[stratum] / (double)c->count;

    return c->drawn[stratum] < share * allowed.times + allowed.more;
}

/* The free candidate that costs least, of the strata that are not too far ahead;
 * candidate_count when there is none. Candidates lie stratum after stratum. */
static size_t find_least(const shoal_i_carver *c, double size, lead allowed)
{
    size_t best = c->candidate_count;
    uint32_t stratum = UINT32_MAX;
    bool is_open = false;

    for (size_t i = 0; i < c->candidate_count; i++) {
        if (c->stratum_of[i] != stratum) {
            stratum = c->stratum_of[i];
            is_open = may_draw(c, stratum, size, allowed);
        }
        if (is_open && !c->is_taken[i] &&
            (best == c->candidate_count || c->penalties[i] < c->penalties[best])) {
            best = i;
        }
    }
    return best;
}

/* Start a class with the box of a place and nobody in it. */
static void start_class(shoal_i_carver *c, shoal_i_probe *probe, size_t seed)
{
    size_t lanes = c->lanes->count;

    give_back(c);
    memcpy(c->box, row_at(c, seed), lanes * sizeof *c->box);
    memcpy(c->box + lanes, row_at(c, seed), lanes * sizeof *c->box);
    shoal_i_probe_set(probe, c->lanes, c->box, c->box + lanes, row_at(c, seed));
}

/* Grow a class from a place; it must cost less than `limit`. Count 0: it did not come to
 * hold. */
static shoal_i_carving grow(shoal_i_carver *c, size_t seed, double size, lead allowed,
                            int32_t limit)
{
    const shoal_i_lanes *lanes = c->lanes;
    shoal_i_probe probe = {.climb = c->climb};
    size_t most = (size_t)(GROWTH_TIMES * size) + GROWTH_SPARE;

    start_class(c, &probe, seed);
    while (c->taken_count < c->candidate_count && c->taken_count < most) {
        lanes->kernels->penalties(c->penalties, lanes, &probe, c->candidate_rows,
                                  c->candidate_count);
        size_t least = find_least(c, fmax((double)c->taken_count + 1, size), allowed);

        if (least == c->candidate_count || c->penalties[least] >= limit) {
            break;
        }
        take_in(c, least);
        if (both_hold(c)) {
            return (shoal_i_carving){.count = c->taken_count, .penalty = c->penalties[least]};
        }
    }
    return (shoal_i_carving){0};
}

/* The same for a large class, whose candidates stand in items, nearest first. */
static shoal_i_carving grow_large(shoal_i_carver *c, size_t seed, double size, lead allowed,
                                  int32_t limit)
{
    shoal_i_probe probe = {.climb = c->climb};
    size_t judged_from = (size_t)c->smallest_class;

    start_class(c, &probe, seed);
    for (size_t i = 0; i < c->candidate_count; i++) {
        uint32_t candidate = c->items[i].item;

        if (!may_draw(c, c->stratum_of[candidate], fmax((double)c->taken_count + 1, size),
                      allowed)) {
            continue;
        }
        take_in(c, candidate);
        if (c->taken_count >= judged_from) {
            judged_from += c->taken_count / JUDGED_PART + 1;
            if (shoal_i_penalty(c->lanes, &probe) >= limit || both_hold(c)) {
                break;
            }
        }
    }
    int32_t penalty = shoal_i_penalty(c->lanes, &probe);

    return penalty < limit && both_hold(c)
               ? (shoal_i_carving){.count = c->taken_count, .penalty = penalty}
               : (shoal_i_carving){0};
}

/* Put the candidates into the order of their distances from a place. */
static void sort_candidates(shoal_i_carver *c, size_t seed)
{
    shoal_i_probe probe = {.climb = c->climb};

    start_class(c, &probe, seed);
    c->lanes->kernels->penalties(c->penalties, c->lanes, &probe, c->candidate_rows,
                                 c->candidate_count);
    for (size_t i = 0; i < c->candidate_count; i++) {
        c->items[i] =
            (shoal_i_sort_item){.key = (uint64_t)c->penalties[i], .item = (uint32_t)i};
    }
    shoal_i_sort_items(c->items, c->scratch, c->candidate_count);
}

/* The place of the i-th record that is left. */
static size_t find_place(const shoal_i_carver *c, size_t i)
{
    size_t s = 0;

    while (i >= c->lefts[s]) {
        i -= c->lefts[s++];
    }
    return c->firsts[s] + i;
}

shoal_i_carving shoal_i_carver_try(shoal_i_carver *c, shoal_i_random *random, double size)
{
    size_t seed = find_place(c, (size_t)shoal_i_random_below(random, c->count));
    bool is_large = size > LARGE;
    size_t lead_count = is_large ? LEAD_COUNT(large_leads) : LEAD_COUNT(leads);
    shoal_i_carving best = {.penalty = INT32_MAX};

    list_candidates(c, seed, size);
    if (is_large) {
        sort_candidates(c, seed);
    }
    for (size_t i = 0; i < lead_count; i++) {
        shoal_i_carving it = is_large ? grow_large(c, seed, size, large_leads[i], best.penalty)
                                      : grow(c, seed, size, leads[i], best.penalty);

        if (it.count > 0) {
            best = it;
            for (size_t j = 0; j < it.count; j++) {
                c->best[j] = c->places[c->taken[j]];
            }
        }
    }
    give_back(c);
    return best;
}

void shoal_i_carver_take(shoal_i_carver *c, uint32_t *records, int32_t *rows,
                         const shoal_i_carving *carving)
{
    size_t lanes = c->lanes->count;

    /* From the back, since the last place of a stratum moves into the one that becomes free. */
    qsort(c->best, carving->count, sizeof *c->best, shoal_i_compare_u32_down);
    for (size_t i = 0; i < carving->count; i++) {
        size_t place = c->best[i];
        uint32_t s = c->strata->of[c->records[place]];
        size_t last = c->firsts[s] + --c->lefts[s];

        records[i] = c->records[place];
        memcpy(rows + i * lanes, row_at(c, place), lanes * sizeof *rows);
        shoal_i_tally_remove(&c->rest, records[i]);
        c->records[place] = c->records[last];
        memcpy(row_at(c, place), row_at(c, last), lanes * sizeof *rows);
    }
    c->count -= carving->count;
}

/* --- A whole set. ------------------------------------------------------------------------- */

/* Write what is left as one group. */
static void leave_rest(shoal_i_carver *c, shoal_i_grouping *grouping, size_t place)
{
    size_t lanes = c->lanes->count;

    for (uint32_t s = 0; s < c->strata->count; s++) {
        for (uint32_t i = c->firsts[s]; i < c->firsts[s] + c->lefts[s]; i++) {
            grouping->records[place] = c->records[i];
            memcpy(grouping->rows + place * lanes, row_at(c, i), lanes * sizeof *c->rows);
            grouping->is_start[place++] = 0;
        }
    }
}

shoal_status shoal_i_carve(shoal_ctx *ctx, shoal_i_carver *carver, shoal_i_grouping *grouping,
                           shoal_i_span span, uint64_t seed, double factor)
{
    shoal_status st = SHOAL_OK;
    shoal_i_random random = shoal_i_random_start(seed);
    double size = factor * (double)carver->smallest_class;
    size_t place = span.first;
    int failures = 0;

    shoal_i_carver_load(carver, grouping->records + span.first,
                        grouping->rows + span.first * grouping->lanes->count, span.count);
    while (carver->count >= 2 * carver->smallest_class && size <= (double)carver->count &&
           size <= CANDIDATES_MAX) {
        shoal_i_carving carving = shoal_i_carver_try(carver, &random, size);

        failures = carving.count > 0 ? 0 : failures + 1;
        if (carving.count > 0) {
            shoal_i_carver_take(carver, grouping->records + place,
                                grouping->rows + place * grouping->lanes->count, &carving);
            memset(grouping->is_start + place, 0, carving.count);
            grouping->is_start[place] = 1;
            place += carving.count;
        } else if (failures == TRIES) {
            failures = 0;
            size *= 2;
        }
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
    leave_rest(carver, grouping, place);
    if (carver->count > 0) {
        grouping->is_start[place] = 1;
    }
done:
    return st;
}
