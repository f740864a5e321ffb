/* Large-neighbourhood search over groups: take a few neighbouring groups apart, put their
 * points together in another way, keep that if it costs less.
 *
 * A trial opens some new groups, grown from random or remote points of those that were set
 * free, and lets the rest join whichever group suffers least, a new one or any group near them.
 * Closing a group (nobody opens, all join others), splitting, merging, moving and swapping are
 * all special cases.
 *
 * The groups are cut into regions along one of the neighbours' orders, another in each round. A
 * region looks only at its own groups, so regions run in parallel and the result does not
 * depend on how.
 */

#include "crowd.h"
#include "solution.h"

#include "../base/fail.h"
#include "../base/pool.h"
#include "../base/random.h"
#include "../box/scan.h"
#include "neighbours.h"

#include <assert.h>
#include <string.h>

#define ROUNDS 8
#define REGION_GROUPS 384

/* Groups taken apart at most in one trial, points they may have in all, and groups a trial may
 * touch. */
#define OPENED_MAX 4
#define POOL_MAX 2048
#define TRIALS_MAX 96
#define NEW_MAX 48

/* How many near points a point asks for their groups. */
#define ASKED 40

/* Trials of putting the same points together. */
#define ATTEMPTS 2

/* A group on trial: a new one, or an old one (`origin`) that takes in more points. */
typedef struct trial {
    uint32_t origin; /* SHOAL_I_NO_POINT: new */
    uint64_t load;
    int32_t penalty;
} trial;

typedef struct search {
    shoal_i_solution *solution;
    size_t region_count;
    uint32_t *live; /* groups that stand, in the order of the round */
    size_t live_count;
    uint32_t *region_of;  /* per point */
    uint32_t *trial_of;   /* per point: in the trial that runs */
    uint32_t *spare;      /* free group numbers, dealt to the regions */
    size_t *spare_starts; /* region_count + 1 */
    uint64_t key;         /* of the round's random streams */
    uint64_t work;        /* rows that each region may compare, per record it has */
    shoal_i_meter *meter;
} search;

typedef struct region {
    search *search;
    shoal_i_solution *solution;
    const shoal_i_site *site;
    uint32_t number;
    shoal_i_random random;
    shoal_i_crowd crowd;
    size_t point_count;
    uint32_t *points;
    size_t spare_count;
    uint32_t *spare; /* group numbers to use, from the back */
    size_t opened_count;
    uint32_t opened[OPENED_MAX];
    uint64_t opened_load;
    int64_t cost; /* of the opened groups */
    size_t trial_count;
    trial trials[TRIALS_MAX];
    int32_t *boxes; /* two rows per trial */
    uint32_t asked[ASKED];
    int32_t unions[ASKED + TRIALS_MAX];
    int32_t *climb;
    uint64_t work; /* rows compared beside those of the crowd */
} region;

static uint32_t draw(region *r, size_t bound)
{
    return (uint32_t)shoal_i_random_below(&r->random, bound);
}

static int32_t *trial_box(const region *r, size_t t)
{
    return r->boxes + t * 2 * r->site->lanes->count;
}

/* --- Which groups to take apart.
 * ------------------------------------------------------------------- */

static bool is_opened(const region *r, uint32_t group)
{
    for (size_t i = 0; i < r->opened_count; i++) {
        if (r->opened[i] == group) {
            return true;
        }
    }
    return false;
}

static uint32_t draw_member(region *r, uint32_t group)
{
    uint32_t point = r->solution->groups[group].head;

    for (uint32_t steps = draw(r, r->solution->groups[group].count); steps > 0; steps--) {
        point = r->solution->next[point];
    }
    return point;
}

/* A group near one that is opened already, or NO_POINT; nearer ones are likelier. */
static uint32_t draw_near_group(region *r)
{
    uint32_t point = draw_member(r, r->opened[draw(r, r->opened_count)]);
    uint32_t near_count = r->site->near_counts[point];

    if (near_count == 0) {
        return SHOAL_I_NO_POINT;
    }
    uint32_t rank = draw(r, 1 + (size_t)draw(r, near_count));
    uint32_t near = r->site->near[(size_t)point * r->site->reach + rank];

    return r->search->region_of[near] == r->number ? r->solution->group_of[near]
                                                   : SHOAL_I_NO_POINT;
}

static void open_one(region *r, uint32_t group)
{
    const shoal_i_group *g = &r->solution->groups[group];

    r->opened[r->opened_count++] = group;
    r->opened_load += g->load;
    r->cost += (int64_t)g->penalty * (int64_t)g->load;
}

/* Choose groups: a dear one and some near it. False when there is nothing to win. */
static bool choose_groups(region *r)
{
    const shoal_i_solution *s = r->solution;
    uint32_t first = s->group_of[r->points[draw(r, r->point_count)]];
    uint32_t other = s->group_of[r->points[draw(r, r->point_count)]];
    size_t wanted = 1 + (size_t)draw(r, OPENED_MAX);

    r->opened_count = 0;
    r->opened_load = 0;
    r->cost = 0;
    open_one(r, s->groups[other].penalty > s->groups[first].penalty ? other : first);
    for (int tries = 0; tries < 8 * OPENED_MAX && r->opened_count < wanted; tries++) {
        uint32_t group = draw_near_group(r);

        if (group != SHOAL_I_NO_POINT && !is_opened(r, group)) {
            open_one(r, group);
        }
    }
    return r->cost > 0;
}

/* Bring the points of the opened groups together. False when they are too many. */
static bool gather_points(region *r)
{
    size_t count = 0;

    for (size_t i = 0; i < r->opened_count; i++) {
        count += r->solution->groups[r->opened[i]].count;
    }
    if (count > POOL_MAX) {
        return false;
    }
    shoal_i_crowd_empty(&r->crowd);
    for (size_t i = 0; i < r->opened_count; i++) {
        for (uint32_t point = r->solution->groups[r->opened[i]].head; point != SHOAL_I_NO_POINT;
             point = r->solution->next[point]) {
            shoal_i_crowd_add(&r->crowd, point);
        }
    }
    return true;
}

/* --- Putting them together in another way.
 * ---------------------------------------------------------- */

/* Grow new groups; returns their cost, or INT64_MAX when one does not hold or it is too much.
 */
static int64_t grow_groups(region *r)
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

        cost += (int64_t)growth.penalty * (int64_t)growth.load;
        if (!growth.holds || cost >= r->cost) {
            return INT64_MAX;
        }
        for (size_t i = r->crowd.free; i < growth.end; i++) {
            r->search->trial_of[r->crowd.points[i]] = (uint32_t)r->trial_count;
        }
        memcpy(trial_box(r, r->trial_count), r->crowd.box,
               2 * r->site->lanes->count * sizeof *r->crowd.box);
        r->trials[r->trial_count++] =
            (trial){.origin = SHOAL_I_NO_POINT, .load = growth.load, .penalty = growth.penalty};
        left -= growth.load;
    }
    return cost;
}

static bool is_on_trial(const region *r, uint32_t group)
{
    for (size_t t = 0; t < r->trial_count; t++) {
        if (r->trials[t].origin == group) {
            return true;
        }
    }
    return false;
}

/* The groups of the points near a point that are not opened and not on trial yet, each once. */
static size_t ask_near(region *r, uint32_t point)
{
    const uint32_t *near = r->site->near + (size_t)point * r->site->reach;
    size_t near_count =
        r->site->near_counts[point] < ASKED ? r->site->near_counts[point] : ASKED;
    size_t count = 0;

    for (size_t i = 0; i < near_count; i++) {
        uint32_t group = r->solution->group_of[near[i]];
        bool is_new = r->search->region_of[near[i]] == r->number && !is_opened(r, group) &&
                      !is_on_trial(r, group);

        for (size_t j = 0; j < count && is_new; j++) {
            is_new = r->asked[j] != group;
        }
        if (is_new) {
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

static offer find_offer(region *r, uint32_t point)
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
    r->work += 2 * (r->trial_count + asked);
    return best;
}

/* Put a group that stands on trial; returns its place. */
static size_t put_on_trial(region *r, uint32_t group)
{
    const shoal_i_group *g = &r->solution->groups[group];

    r->trials[r->trial_count] =
        (trial){.origin = group, .load = g->load, .penalty = g->penalty};
    memcpy(trial_box(r, r->trial_count), shoal_i_solution_box(r->solution, group),
           2 * r->site->lanes->count * sizeof *r->boxes);
    return r->trial_count++;
}

/* Let the points that no new group took join others; false when that cannot be or costs too
 * much. */
static bool place_rest(region *r, int64_t *cost)
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
        r->search->trial_of[point] = (uint32_t)t;
        *cost += best.cost;
    }
    return true;
}

/* Whether every group on trial meets the requirement; a question of sizes is settled already.
 */
static bool trials_hold(region *r)
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
            if (r->search->trial_of[r->crowd.points[i]] == t) {
                shoal_i_site_tally(r->site, r->crowd.points[i], tally);
            }
        }
        if (!shoal_i_requirement_holds(r->site->problem->requirements, &tally->stats)) {
            return false;
        }
    }
    return true;
}

/* Make the trial real. */
static void accept(region *r)
{
    shoal_i_solution *s = r->solution;

    for (size_t i = 0; i < r->opened_count; i++) {
        s->groups[r->opened[i]] = (shoal_i_group){.head = SHOAL_I_NO_POINT};
        r->spare[r->spare_count++] = r->opened[i];
    }
    for (size_t t = 0; t < r->trial_count; t++) {
        trial *it = &r->trials[t];

        if (it->origin == SHOAL_I_NO_POINT) {
            it->origin = r->spare[--r->spare_count];
            shoal_i_solution_open(s, it->origin, trial_box(r, t), it->penalty);
        } else {
            s->groups[it->origin].penalty = it->penalty;
            memcpy(shoal_i_solution_box(s, it->origin), trial_box(r, t),
                   2 * r->site->lanes->count * sizeof *r->boxes);
        }
    }
    for (size_t i = 0; i < r->crowd.count; i++) {
        uint32_t point = r->crowd.points[i];

        shoal_i_solution_put(s, r->trials[r->search->trial_of[point]].origin, point);
    }
}

static void try_once(region *r)
{
    if (!choose_groups(r) || !gather_points(r)) {
        return;
    }
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        r->crowd.free = r->crowd.count;
        r->trial_count = 0;
        int64_t cost = grow_groups(r);

        if (cost < r->cost && place_rest(r, &cost) && cost < r->cost && trials_hold(r)) {
            accept(r);
            return;
        }
    }
}

/* --- Regions and rounds.
 * ------------------------------------------------------------------------------ */

static void region_clear(region *r)
{
    shoal_i_crowd_clear(&r->crowd);
    free(r->points);
    free(r->spare);
    free(r->boxes);
    free(r->climb);
}

static shoal_status region_init(shoal_ctx *ctx, region *r, search *s, size_t index)
{
    shoal_status st = SHOAL_OK;
    size_t first = index * s->live_count / s->region_count;
    size_t end = (index + 1) * s->live_count / s->region_count;
    const shoal_i_site *site = s->solution->site;
    size_t spare_count = s->spare_starts[index + 1] - s->spare_starts[index];

    *r = (region){
        .search = s,
        .solution = s->solution,
        .site = site,
        .number = (uint32_t)index,
        .random = shoal_i_random_start(shoal_i_random_key(s->key, index)),
    };
    for (size_t i = first; i < end; i++) {
        r->point_count += s->solution->groups[s->live[i]].count;
    }
    SHOAL_ALLOC(ctx, r->points, r->point_count);
    SHOAL_ALLOC(ctx, r->spare, r->point_count);
    SHOAL_ALLOC(ctx, r->boxes, TRIALS_MAX * 2 * site->lanes->count);
    SHOAL_ALLOC(ctx, r->climb, site->lanes->count);
    SHOAL_TRY(shoal_i_crowd_init(ctx, &r->crowd, site, POOL_MAX));
    memcpy(r->spare, s->spare + s->spare_starts[index], spare_count * sizeof *r->spare);
    r->spare_count = spare_count;
    r->point_count = 0;
    for (size_t i = first; i < end; i++) {
        for (uint32_t point = s->solution->groups[s->live[i]].head; point != SHOAL_I_NO_POINT;
             point = s->solution->next[point]) {
            r->points[r->point_count++] = point;
        }
    }
done:
    return st;
}

static shoal_status improve_region(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    search *s = payload;
    region r = {0};
    uint64_t budget = 0;

    SHOAL_TRY(region_init(ctx, &r, s, index));
    for (size_t i = 0; i < r.point_count; i++) {
        budget += r.site->weights[r.points[i]] * s->work;
    }
    for (size_t tries = 0; r.crowd.work + r.work < budget; tries++) {
        try_once(&r);
        r.work += 16; /* so that trials that compare nothing end too */
        if (tries % 256 == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
    SHOAL_TRY(shoal_i_meter_add(ctx, s->meter, r.point_count));
done:
    region_clear(&r);
    return st;
}

/* List the groups that stand, in the order of a round. */
static shoal_status order_groups(shoal_ctx *ctx, search *s, size_t round)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_site *site = s->solution->site;
    size_t box = 2 * site->lanes->count;
    shoal_i_neighbours *neighbours = NULL;
    uint32_t *live = NULL;
    int32_t *boxes = NULL;

    s->live_count = 0;
    SHOAL_ALLOC(ctx, live, site->count);
    for (uint32_t g = 0; g < site->count; g++) {
        if (s->solution->groups[g].head != SHOAL_I_NO_POINT) {
            live[s->live_count++] = g;
        }
    }
    SHOAL_ALLOC(ctx, boxes, s->live_count * box);
    for (size_t i = 0; i < s->live_count; i++) {
        memcpy(boxes + i * box, shoal_i_solution_box(s->solution, live[i]),
               box * sizeof *boxes);
    }
    SHOAL_TRY(shoal_i_neighbours_build(ctx, &neighbours, site->lanes, boxes, 2, s->live_count));
    const uint32_t *order = shoal_i_neighbours_order(
        neighbours, round % shoal_i_neighbours_order_count(neighbours));

    for (size_t i = 0; i < s->live_count; i++) {
        s->live[i] = live[order[i]];
    }
done:
    shoal_i_neighbours_free(neighbours);
    free(live);
    free(boxes);
    return st;
}

/* Tell the points their regions, and deal the free group numbers: a region never needs more
 * groups than it has points. */
static void set_regions(search *s)
{
    shoal_i_solution *solution = s->solution;
    size_t dealt = 0;
    uint32_t number = 0;

    for (size_t region_index = 0; region_index < s->region_count; region_index++) {
        size_t first = region_index * s->live_count / s->region_count;
        size_t end = (region_index + 1) * s->live_count / s->region_count;

        s->spare_starts[region_index] = dealt;
        for (size_t i = first; i < end; i++) {
            const shoal_i_group *g = &solution->groups[s->live[i]];

            for (uint32_t point = g->head; point != SHOAL_I_NO_POINT;
                 point = solution->next[point]) {
                s->region_of[point] = (uint32_t)region_index;
            }
            for (uint32_t j = 1; j < g->count; j++) {
                while (solution->groups[number].head != SHOAL_I_NO_POINT) {
                    number++;
                }
                s->spare[dealt++] = number++;
            }
        }
    }
    s->spare_starts[s->region_count] = dealt;
}

static shoal_status search_init(shoal_ctx *ctx, search *s, size_t count)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, s->live, count);
    SHOAL_ALLOC(ctx, s->region_of, count);
    SHOAL_ALLOC(ctx, s->trial_of, count);
    SHOAL_ALLOC(ctx, s->spare, count);
    SHOAL_ALLOC(ctx, s->spare_starts, count / REGION_GROUPS + 2);
done:
    return st;
}

shoal_status shoal_i_solution_improve(shoal_ctx *ctx, shoal_i_solution *solution, uint64_t seed,
                                      uint64_t work, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    search s = {.solution = solution, .work = work / ROUNDS, .meter = meter};

    SHOAL_TRY(search_init(ctx, &s, solution->site->count));
    for (size_t round = 0; round < ROUNDS && s.work > 0; round++) {
        s.key = shoal_i_random_key(seed, round);
        SHOAL_TRY(order_groups(ctx, &s, round));
        s.region_count = s.live_count / REGION_GROUPS + 1;
        set_regions(&s);
        SHOAL_TRY(shoal_i_parallel_for(ctx, s.region_count, improve_region, &s));
    }
done:
    free(s.live);
    free(s.region_of);
    free(s.trial_of);
    free(s.spare);
    free(s.spare_starts);
    return st;
}
