/* Large-neighbourhood search over groups: take a few neighbouring groups apart, put their points
 * together in another way, keep that if it costs less.
 *
 * A trial opens some new groups, grown from random or remote points of those that were set free, and
 * lets the rest join whichever group suffers least, a new one or any group near them. Closing a group
 * (nobody opens, all join others), splitting, merging, moving and swapping are all special cases.
 *
 * Trials run in batches: all of a batch look at the same solution, in parallel, and those that found
 * something better are then made real one after the other, unless one before has touched the same
 * groups. Few trials succeed, so few are in vain, and the result does not depend on the number of
 * threads.
 */

#include "crowd.h"
#include "market.h"
#include "solution.h"

#include "../../base/clock.h"
#include "../../base/fail.h"
#include "../../base/pool.h"
#include "../../base/random.h"
#include "../../box/scan.h"

#include <assert.h>
#include <string.h>

/* A batch is SLOTS tasks of TRIALS_PER_SLOT trials. */
#define SLOTS 8
#define TRIALS_PER_SLOT 24

/* Groups taken apart at most in one trial, points they may have in all, and groups a trial may touch. */
#define OPENED_MAX 4
#define OPENED_MOST 8 /* where they share a lot */
#define POOL_MAX 2048
#define TRIALS_MAX 96
#define NEW_MAX 48

/* How many near points a point asks for their groups. */
#define ASKED 40

/* What else is to do for an offer and a trial, in rows that could be compared in the time. */
#define WORK_OF_OFFER 32
#define WORK_OF_TRIAL 200

/* Attempts to put the same points together. */
#define ATTEMPTS 2

/* A group on trial: a new one, or an old one (`origin`) that takes in more points. */
typedef struct trial {
    uint32_t origin; /* SHOAL_I_NO_POINT: new */
    uint64_t load;
    int32_t penalty;
} trial;

/* A better way for the points of some groups, found but not made real yet. */
typedef struct proposal {
    struct proposal *next; /* found later by the same slot */
    size_t opened_count;
    uint32_t opened[OPENED_MOST];
    size_t trial_count;
    trial *trials;
    int32_t *boxes; /* two rows per trial */
    size_t point_count;
    uint32_t *points;
    uint32_t *trial_of; /* of each of the points */
} proposal;

/* What a task needs to run trials, kept from batch to batch. */
typedef struct slot {
    const shoal_i_solution *solution;
    const shoal_i_site *site;
    shoal_i_random random;
    shoal_i_crowd crowd;
    shoal_i_bargain bargain; /* without a market: not used */
    size_t opened_count;
    uint32_t opened[OPENED_MOST];
    size_t opened_points;
    uint64_t opened_load;
    int64_t cost; /* of the opened groups */
    size_t trial_count;
    trial trials[TRIALS_MAX];
    int32_t *boxes;     /* two rows per trial */
    uint32_t *trial_of; /* per point: in the trial that runs */
    uint64_t *taken_at; /* per group: the last trial it was part of */
    uint64_t *asked_at; /* per group: the last question it was listed for */
    uint32_t asked[ASKED];
    int32_t unions[ASKED + TRIALS_MAX];
    int32_t *climb;
    uint64_t trial;    /* counts trials, from 1 */
    uint64_t question; /* counts questions, from 1 */
    uint64_t work;     /* rows compared beside those of the crowd */
    proposal *first;   /* proposals of the batch */
    proposal *last;
} slot;

typedef struct search {
    shoal_i_solution *solution;
    uint64_t key;         /* of the random streams */
    uint64_t batch;       /* counts batches, from 1 */
    uint64_t *touched_at; /* per group: the last batch that changed it */
    slot slots[SLOTS];
} search;

static uint32_t draw(slot *r, size_t bound)
{
    return (uint32_t)shoal_i_random_below(&r->random, bound);
}

static int32_t *trial_box(const slot *r, size_t t)
{
    return r->boxes + t * 2 * r->site->lanes->count;
}

/* --- Which groups to take apart.
 * ------------------------------------------------------------------- */

/* Whether a group is opened, or on trial already. */
static bool is_taken(const slot *r, uint32_t group)
{
    return r->taken_at[group] == r->trial;
}

static uint32_t draw_member(slot *r, uint32_t group)
{
    uint32_t point = r->solution->groups[group].head;

    uint32_t steps = draw(r, r->solution->groups[group].count);

    r->work += steps;
    for (; steps > 0; steps--) {
        point = r->solution->next[point];
    }
    return point;
}

/* A group near one that is opened already, or NO_POINT; nearer ones are likelier. */
static uint32_t draw_near_group(slot *r)
{
    uint32_t point = draw_member(r, r->opened[draw(r, r->opened_count)]);
    uint32_t near_count = r->site->near_counts[point];

    if (near_count == 0) {
        return SHOAL_I_NO_POINT;
    }
    uint32_t rank = draw(r, 1 + (size_t)draw(r, near_count));
    uint32_t near = shoal_i_site_near(r->site, point)[rank];

    return r->solution->group_of[near];
}

static void open_one(slot *r, uint32_t group)
{
    const shoal_i_group *g = &r->solution->groups[group];

    r->taken_at[group] = r->trial;
    r->opened[r->opened_count++] = group;
    r->opened_points += g->count;
    r->opened_load += g->load;
    r->cost += (int64_t)g->penalty * (int64_t)g->load;
}

/* Open a group unless it is, or there would be more points than a trial takes apart. */
static void open_if_possible(slot *r, uint32_t group)
{
    if (group != SHOAL_I_NO_POINT && !is_taken(r, group) &&
        r->opened_points + r->solution->groups[group].count <= POOL_MAX) {
        open_one(r, group);
    }
}

/* Open groups near those that are. */
static void open_near(slot *r)
{
    size_t wanted = 1 + (size_t)draw(r, OPENED_MAX);

    for (int tries = 0; tries < 8 * OPENED_MAX && r->opened_count < wanted; tries++) {
        open_if_possible(r, draw_near_group(r));
    }
}

/* Open groups that have points in one lot with one that is. */
static void open_by_lot(slot *r)
{
    const shoal_i_market *market = r->bargain.market;
    size_t wanted = 2 + (size_t)draw(r, OPENED_MOST - 1);
    uint32_t point = draw_member(r, r->opened[0]);
    uint32_t lots = market->first[point + 1] - market->first[point];

    if (lots == 0) {
        return;
    }
    uint32_t number = market->lots[market->first[point] + draw(r, lots)];
    const shoal_i_lot *lot = &market->prices->lots.lots[number];

    for (size_t tries = 0; tries < 4 * wanted && r->opened_count < wanted; tries++) {
        open_if_possible(r, r->solution->group_of[lot->points[draw(r, lot->count)]]);
    }
}

/* Choose groups: a dear one and some near it. False when there is nothing to win, or too much to take apart. */
static bool choose_groups(slot *r)
{
    const shoal_i_solution *s = r->solution;
    uint32_t first = s->group_of[draw(r, r->site->count)];
    uint32_t other = s->group_of[draw(r, r->site->count)];

    r->trial++;
    r->opened_count = 0;
    r->opened_points = 0;
    r->opened_load = 0;
    r->cost = 0;
    open_one(r, s->groups[other].penalty > s->groups[first].penalty ? other : first);
    if (r->cost == 0 || r->opened_points > POOL_MAX) {
        return false;
    }
    if (r->bargain.market && draw(r, 4)) {
        open_by_lot(r);
    } else {
        open_near(r);
    }
    return true;
}

/* Bring the points of the opened groups together. */
static void gather_points(slot *r)
{
    shoal_i_crowd_empty(&r->crowd);
    for (size_t i = 0; i < r->opened_count; i++) {
        for (uint32_t point = r->solution->groups[r->opened[i]].head; point != SHOAL_I_NO_POINT;
             point = r->solution->next[point]) {
            shoal_i_crowd_add(&r->crowd, point);
        }
    }
}

/* --- Putting them together in another way.
 * ---------------------------------------------------------- */

/* Put the group that the crowd has just made on trial; false when it does not hold or costs too much. */
static bool try_group(slot *r, const shoal_i_growth *growth, int64_t *cost)
{
    *cost += (int64_t)growth->penalty * (int64_t)growth->load;
    if (!growth->holds || *cost >= r->cost) {
        return false;
    }
    for (size_t i = r->crowd.free; i < growth->end; i++) {
        r->trial_of[r->crowd.points[i]] = (uint32_t)r->trial_count;
    }
    memcpy(trial_box(r, r->trial_count), r->crowd.box,
           2 * r->site->lanes->count * sizeof *r->crowd.box);
    r->trials[r->trial_count++] =
        (trial){.origin = SHOAL_I_NO_POINT, .load = growth->load, .penalty = growth->penalty};
    return true;
}

/* Open lots; returns their cost, or INT64_MAX when it is too much. */
static int64_t buy_groups(slot *r)
{
    int64_t cost = 0;

    shoal_i_bargain_begin(&r->bargain, &r->random, r->crowd.points, r->crowd.count);
    r->work += r->crowd.count * 16;
    while (cost < r->cost && r->trial_count < NEW_MAX && shoal_i_bargain_next(&r->bargain)) {
        shoal_i_growth growth =
            shoal_i_crowd_gather(&r->crowd, r->bargain.wanted, r->bargain.wanted_count);

        if (!try_group(r, &growth, &cost)) {
            cost = INT64_MAX;
        }
    }
    shoal_i_bargain_end(&r->bargain);
    return cost;
}

/* Grow new groups; returns their cost, or INT64_MAX when one does not hold or it is too much.
 */
static int64_t grow_groups(slot *r)
{
    size_t most = (size_t)(r->opened_load / r->crowd.smallest);
    size_t wanted = draw(r, 2) ? most : draw(r, most + 1);
    bool from_remote = draw(r, 2);
    int64_t cost = 0;

    wanted = wanted < NEW_MAX ? wanted : NEW_MAX;
    for (uint64_t left = r->opened_load;
         r->trial_count < wanted && left >= r->crowd.smallest && r->crowd.free > 0;) {
        size_t place = draw(r, r->crowd.free);

        if (from_remote) {
            place = shoal_i_crowd_farthest(&r->crowd, place);
        }
        shoal_i_growth growth = shoal_i_crowd_grow(&r->crowd, place);

        if (!try_group(r, &growth, &cost)) {
            return INT64_MAX;
        }
        left -= growth.load;
    }
    return cost;
}

/* The groups of the points near a point that are not opened and not on trial yet, each once. */
static size_t ask_near(slot *r, uint32_t point)
{
    const uint32_t *near = shoal_i_site_near(r->site, point);
    size_t near_count =
        r->site->near_counts[point] < ASKED ? r->site->near_counts[point] : ASKED;
    size_t count = 0;

    r->question++;
    for (size_t i = 0; i < near_count; i++) {
        uint32_t group = r->solution->group_of[near[i]];

        if (!is_taken(r, group) && r->asked_at[group] != r->question) {
            r->asked_at[group] = r->question;
            r->asked[count++] = group;
        }
    }
    return count;
}

/* Where a point would go, and at what cost. */
typedef struct offer {
    int64_t cost;
    size_t trial;   /* among those there are */
    uint32_t group; /* else: a group to be put on trial */
    int32_t together;
} offer;

static void weigh(offer *best, uint64_t load, int32_t penalty, uint32_t weight,
                  int32_t together, size_t t, uint32_t group)
{
    int64_t cost = shoal_i_join_cost(load, penalty, weight, together);

    if (cost < best->cost) {
        *best = (offer){.cost = cost, .trial = t, .group = group, .together = together};
    }
}

static offer find_offer(slot *r, uint32_t point)
{
    const shoal_i_lanes *lanes = r->site->lanes;
    const int32_t *row = shoal_i_site_row(r->site, point);
    uint32_t weight = r->site->weights[point];
    shoal_i_probe probe = {.climb = r->climb};
    offer best = {.cost = INT64_MAX};
    uint32_t numbers[TRIALS_MAX];
    size_t asked = ask_near(r, point);

    shoal_i_probe_set(&probe, lanes, row, row, row);
    for (size_t t = 0; t < r->trial_count; t++) {
        numbers[t] = (uint32_t)t;
    }
    lanes->kernels->unions(r->unions, lanes, &probe, r->boxes, numbers, r->trial_count);
    for (size_t t = 0; t < r->trial_count; t++) {
        weigh(&best, r->trials[t].load, r->trials[t].penalty, weight, r->unions[t], t,
              SHOAL_I_NO_POINT);
    }
    lanes->kernels->unions(r->unions, lanes, &probe, r->solution->boxes, r->asked, asked);
    for (size_t i = 0; i < asked; i++) {
        const shoal_i_group *g = &r->solution->groups[r->asked[i]];

        weigh(&best, g->load, g->penalty, weight, r->unions[i], 0, r->asked[i]);
    }
    r->work += WORK_OF_OFFER + 2 * (r->trial_count + asked);
    return best;
}

/* Put a group that stands on trial; returns its place. */
static size_t put_on_trial(slot *r, uint32_t group)
{
    const shoal_i_group *g = &r->solution->groups[group];

    r->taken_at[group] = r->trial;
    r->trials[r->trial_count] =
        (trial){.origin = group, .load = g->load, .penalty = g->penalty};
    memcpy(trial_box(r, r->trial_count), shoal_i_solution_box(r->solution, group),
           2 * r->site->lanes->count * sizeof *r->boxes);
    return r->trial_count++;
}

/* Let the points that no new group took join others; false when that cannot be or costs too
 * much. */
static bool place_rest(slot *r, int64_t *cost)
{
    const shoal_i_lanes *lanes = r->site->lanes;

    for (size_t i = 0; i < r->crowd.free; i++) {
        uint32_t point = r->crowd.points[i];
        const int32_t *row = shoal_i_site_row(r->site, point);
        offer best = find_offer(r, point);

        if (best.cost == INT64_MAX || *cost + best.cost >= r->cost ||
            (best.group != SHOAL_I_NO_POINT && r->trial_count == TRIALS_MAX)) {
            return false;
        }
        size_t t = best.group == SHOAL_I_NO_POINT ? best.trial : put_on_trial(r, best.group);
        int32_t *lo = trial_box(r, t);

        shoal_i_box_join(lanes, lo, lo + lanes->count, row, row);
        r->trials[t].load += r->site->weights[point];
        r->trials[t].penalty = best.together;
        r->trial_of[point] = (uint32_t)t;
        *cost += best.cost;
    }
    return true;
}

/* Whether every group on trial meets the requirement; a question of sizes is settled already.
 */
static bool trials_hold(slot *r)
{
    shoal_i_tally *tally = &r->crowd.tally;

    for (size_t t = 0; t < r->trial_count && !r->crowd.is_size_enough; t++) {
        shoal_i_tally_empty(tally);
        if (r->trials[t].origin != SHOAL_I_NO_POINT) {
            for (uint32_t point = r->solution->groups[r->trials[t].origin].head;
                 point != SHOAL_I_NO_POINT; point = r->solution->next[point]) {
                shoal_i_site_tally(r->site, point, tally);
            }
        }
        for (size_t i = 0; i < r->crowd.count; i++) {
            if (r->trial_of[r->crowd.points[i]] == t) {
                shoal_i_site_tally(r->site, r->crowd.points[i], tally);
            }
        }
        if (!shoal_i_requirement_holds(r->site->problem->requirements, &tally->stats)) {
            return false;
        }
    }
    return true;
}

/* Forget the groups that stand and were put on trial. */
static void drop_trials(slot *r)
{
    for (size_t t = 0; t < r->trial_count; t++) {
        if (r->trials[t].origin != SHOAL_I_NO_POINT) {
            r->taken_at[r->trials[t].origin] = 0;
        }
    }
    r->trial_count = 0;
}

static void free_proposal(proposal *p)
{
    if (p) {
        free(p->trials);
        free(p->boxes);
        free(p->points);
        free(p->trial_of);
        free(p);
    }
}

/* Keep the trial that runs as a proposal. */
static shoal_status propose(shoal_ctx *ctx, slot *r)
{
    shoal_status st = SHOAL_OK;
    size_t box = 2 * r->site->lanes->count;
    proposal *p = NULL;

    SHOAL_ALLOC(ctx, p, 1);
    p->opened_count = r->opened_count;
    memcpy(p->opened, r->opened, sizeof p->opened);
    p->trial_count = r->trial_count;
    p->point_count = r->crowd.count;
    SHOAL_ALLOC(ctx, p->trials, r->trial_count);
    SHOAL_ALLOC(ctx, p->boxes, r->trial_count * box);
    SHOAL_ALLOC(ctx, p->points, r->crowd.count);
    SHOAL_ALLOC(ctx, p->trial_of, r->crowd.count);
    memcpy(p->trials, r->trials, r->trial_count * sizeof *p->trials);
    memcpy(p->boxes, r->boxes, r->trial_count * box * sizeof *p->boxes);
    memcpy(p->points, r->crowd.points, r->crowd.count * sizeof *p->points);
    for (size_t i = 0; i < r->crowd.count; i++) {
        p->trial_of[i] = r->trial_of[p->points[i]];
    }
    if (r->last) {
        r->last->next = p;
    } else {
        r->first = p;
    }
    r->last = p;
    p = NULL;
done:
    free_proposal(p);
    return st;
}

static shoal_status try_once(shoal_ctx *ctx, slot *r)
{
    r->trial_count = 0;
    if (!choose_groups(r)) {
        return SHOAL_OK;
    }
    gather_points(r);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        r->crowd.free = r->crowd.count;
        drop_trials(r);
        bool is_bought =
            r->bargain.market && r->crowd.count <= SHOAL_I_BARGAIN_POINTS && draw(r, 4);
        int64_t cost = is_bought ? buy_groups(r) : grow_groups(r);

        if (cost < r->cost && place_rest(r, &cost) && cost < r->cost && trials_hold(r)) {
            return propose(ctx, r);
        }
    }
    return SHOAL_OK;
}

/* --- Batches. --------------------------------------------------------------------------------------- */

static void drop_proposals(slot *r)
{
    while (r->first) {
        proposal *next = r->first->next;

        free_proposal(r->first);
        r->first = next;
    }
    r->last = NULL;
}

static void slot_clear(slot *r)
{
    drop_proposals(r);
    shoal_i_crowd_clear(&r->crowd);
    shoal_i_bargain_clear(&r->bargain);
    free(r->boxes);
    free(r->trial_of);
    free(r->taken_at);
    free(r->asked_at);
    free(r->climb);
}

static shoal_status slot_init(shoal_ctx *ctx, slot *r, const shoal_i_solution *solution)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_site *site = solution->site;

    r->solution = solution;
    r->site = site;
    SHOAL_ALLOC(ctx, r->boxes, TRIALS_MAX * 2 * site->lanes->count);
    SHOAL_ALLOC(ctx, r->trial_of, site->count);
    SHOAL_ALLOC(ctx, r->taken_at, site->count);
    SHOAL_ALLOC(ctx, r->asked_at, site->count);
    SHOAL_ALLOC(ctx, r->climb, site->lanes->count);
    SHOAL_TRY(shoal_i_crowd_init(ctx, &r->crowd, site, POOL_MAX));
    if (solution->market) {
        SHOAL_TRY(shoal_i_bargain_init(ctx, &r->bargain, solution->market));
    }
done:
    return st;
}

static shoal_status run_slot(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    search *s = payload;
    slot *r = &s->slots[index];

    r->random = shoal_i_random_start(shoal_i_random_key(s->key, s->batch * SLOTS + index));
    for (int i = 0; i < TRIALS_PER_SLOT; i++) {
        SHOAL_TRY(try_once(ctx, r));
        r->work += WORK_OF_TRIAL;
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    return st;
}

static bool is_touched(const search *s, const proposal *p)
{
    for (size_t i = 0; i < p->opened_count; i++) {
        if (s->touched_at[p->opened[i]] == s->batch) {
            return true;
        }
    }
    for (size_t t = 0; t < p->trial_count; t++) {
        uint32_t origin = p->trials[t].origin;

        if (origin != SHOAL_I_NO_POINT && s->touched_at[origin] == s->batch) {
            return true;
        }
    }
    return false;
}

/* Make a proposal real. */
static void accept(search *s, proposal *p)
{
    shoal_i_solution *solution = s->solution;
    size_t box = 2 * solution->site->lanes->count;

    for (size_t i = 0; i < p->opened_count; i++) {
        solution->groups[p->opened[i]] = (shoal_i_group){.head = SHOAL_I_NO_POINT};
        solution->numbers[solution->number_count++] = p->opened[i];
        s->touched_at[p->opened[i]] = s->batch;
    }
    for (size_t t = 0; t < p->trial_count; t++) {
        trial *it = &p->trials[t];

        if (it->origin == SHOAL_I_NO_POINT) {
            it->origin = solution->numbers[--solution->number_count];
            shoal_i_solution_open(solution, it->origin, p->boxes + t * box, it->penalty);
        } else {
            solution->groups[it->origin].penalty = it->penalty;
            memcpy(shoal_i_solution_box(solution, it->origin), p->boxes + t * box,
                   box * sizeof *p->boxes);
        }
        s->touched_at[it->origin] = s->batch;
    }
    for (size_t i = 0; i < p->point_count; i++) {
        shoal_i_solution_put(solution, p->trials[p->trial_of[i]].origin, p->points[i]);
    }
}

static void accept_batch(search *s)
{
    for (size_t i = 0; i < SLOTS; i++) {
        for (proposal *p = s->slots[i].first; p; p = p->next) {
            if (!is_touched(s, p)) {
                accept(s, p);
            }
        }
        drop_proposals(&s->slots[i]);
    }
}

static uint64_t count_work(const search *s)
{
    uint64_t work = 0;

    for (size_t i = 0; i < SLOTS; i++) {
        work += s->slots[i].work + s->slots[i].crowd.work;
    }
    return work;
}

/* How much of the search is over, from 0 to 1. */
static double find_progress(const search *s, const shoal_i_search_limit *limit, double start)
{
    double by_work = (double)count_work(s) / (double)limit->work;
    double by_time = 0;

    if (limit->deadline > 0) {
        double length = limit->deadline - start;

        by_time = length > 0 ? (shoal_i_clock_seconds() - start) / length : 1;
    }
    by_work = by_work > by_time ? by_work : by_time;
    return by_work < 1 ? by_work : 1;
}

shoal_status shoal_i_solution_improve(shoal_ctx *ctx, shoal_i_solution *solution, uint64_t seed,
                                      shoal_i_search_limit limit, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    search s = {.solution = solution, .key = seed};
    double start = shoal_i_clock_seconds();
    uint64_t shown = 0;

    SHOAL_ALLOC(ctx, s.touched_at, solution->site->count);
    for (size_t i = 0; i < SLOTS; i++) {
        SHOAL_TRY(slot_init(ctx, &s.slots[i], solution));
    }
    for (double progress = 0; progress < 1;) {
        s.batch++;
        SHOAL_TRY(shoal_i_parallel_for(ctx, SLOTS, run_slot, &s));
        accept_batch(&s);
        progress = find_progress(&s, &limit, start);
        uint64_t now = (uint64_t)(progress * (double)limit.units);

        SHOAL_TRY(shoal_i_meter_add(ctx, meter, now - shown));
        shown = now;
    }
done:
    for (size_t i = 0; i < SLOTS; i++) {
        slot_clear(&s.slots[i]);
    }
    free(s.touched_at);
    return st;
}
