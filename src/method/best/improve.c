/* Large-neighbourhood search over groups: take a few neighbouring groups apart, put their
 * points together in another way, keep that if it costs less.
 *
 * A trial opens some new groups, grown from random or remote points of those that were set
 * free, and lets the rest join whichever group suffers least, a new one or any group near them.
 * Closing a group (nobody opens, all join others), splitting, merging, moving and swapping are
 * all special cases.
 *
 * Trials run in batches: all of a batch look at the same solution, in parallel, and what those
 * found that did better (proposals.h) is then made real one after the other, unless one before
 * has touched the same groups. Few trials succeed, so few are in vain, and the result does not
 * depend on the number of threads.
 *
 * A search that goes on after nothing near by is better can be heated (heat.h): then what is a
 * little dearer is made real, too, less and less so.
 */

#include "candidate_pool.h"
#include "cell_index.h"
#include "../grouping/batch_search.h"
#include "heat.h"
#include "proposals.h"
#include "solution.h"
#include "../cells/thresholds.h"
#include "trial_kinds.h"

#include "../../base/fail.h"
#include "../../base/random.h"
#include "../../box/scan.h"

#include <assert.h>
#include <string.h>

/* Trials of a task in one batch at most: one for so many groups, since those that touch the
 * same ones are in vain. What was learnt is looked at after as many in any case. */
#define TRIALS_MOST 24
#define TRIALS_LEAST 2
#define GROUPS_PER_TRIAL 64

/* Points that the groups may have in all that are taken apart in one trial (where they share a
 * cell SHOAL_I_OPENED_MOST, else SHOAL_I_TRIAL_OPENED), and groups a trial may touch. */
#define POOL_MAX 2048
#define DRAFTS_MAX 96
#define NEW_MAX 48

/* How many near points a point asks for their groups. */
#define ASKED 40

/* Work is counted in rows compared, so that the same effort ends at the same point on any
 * machine. An offer and a trial cost more than their comparisons; these are that surplus,
 * measured as the number of rows that could have been compared in the same time. */
#define WORK_OF_OFFER 32
#define WORK_OF_TRIAL 200

/* Where people of a population count, one group in so many is of up to so many points drawn. */
#define DRAWN_ONE_IN 4
#define DRAWN_MOST 3

/* Attempts to put the same points together. */
#define ATTEMPTS 2

/* When a group was met last. */
typedef struct group_marks {
    uint64_t taken_at; /* the trial that it was part of */
    uint64_t asked_at; /* the question that it was listed for */
} group_marks;

/* What a task needs to run drafts, kept from batch to batch. */
typedef struct scratch {
    const struct search *search;
    const shoal_i_solution *solution;
    const shoal_i_point_neighbours *points;
    shoal_i_random random;
    shoal_i_candidate_pool pool;
    shoal_i_cell_greedy greedy; /* without a cell_index: not used */
    size_t opened_count;
    uint32_t opened[SHOAL_I_OPENED_MOST];
    size_t opened_points;
    uint64_t opened_load;
    int64_t cost;  /* of the opened groups */
    int64_t limit; /* what others in their place must cost less than */
    unsigned kind; /* of the trial that runs */
    shoal_i_trial_yield yields[SHOAL_I_TRIAL_KINDS]; /* in this batch */
    size_t draft_count;
    shoal_i_draft drafts[DRAFTS_MAX];
    int32_t *boxes;     /* two rows per draft */
    uint32_t *draft_of; /* per point: in the trial that runs */
    group_marks *marks; /* per group */
    uint32_t asked[ASKED];
    int32_t unions[ASKED + DRAFTS_MAX];
    int32_t *climb;
    uint64_t trial_number;       /* counts trials, from 1 */
    uint64_t question;           /* counts questions, from 1 */
    uint64_t work;               /* rows compared beside those of the pool */
    shoal_i_proposals proposals; /* of the batch */
} scratch;

typedef struct search {
    shoal_i_solution *solution;
    shoal_i_trial_kinds kinds;
    unsigned trials;   /* of a task in one batch */
    double first_heat; /* at the beginning; 0: not heated */
    int64_t heat; /* by how much others may be dearer on average, in 1 / SHOAL_I_HEAT_UNIT of
                     what an opened group costs */
    scratch scratches[SHOAL_I_BATCH_TASKS];
} search;

static uint32_t draw(scratch *s, size_t bound)
{
    return (uint32_t)shoal_i_random_below(&s->random, bound);
}

static int32_t *draft_box(const scratch *s, size_t t)
{
    return s->boxes + t * 2 * s->points->lanes->count;
}

/* --- Which groups to take apart. ----------------------------------------------------------
 *
 * Only points that lie near each other can change groups at a gain, so a trial opens one group
 * and some near it. Of two random groups the dearer is opened: a group that loses nothing has
 * nothing to gain. Where prices are known, groups that share a cell are better company than
 * near ones: a cell that is worth much at the prices is what a good solution would open, and
 * its points have to come from somewhere. One trial in four opens near groups all the same,
 * since prices do not know every cell. */

/* Whether a group is opened, or on trial already. */
static bool is_taken(const scratch *s, uint32_t group)
{
    return s->marks[group].taken_at == s->trial_number;
}

static uint32_t draw_member(scratch *s, uint32_t group)
{
    uint32_t point = s->solution->groups[group].head;

    uint32_t steps = draw(s, s->solution->groups[group].count);

    s->work += steps;
    for (; steps > 0; steps--) {
        point = s->solution->next[point];
    }
    return point;
}

/* A group near one that is opened already, or NO_POINT; nearer ones are likelier. */
static uint32_t draw_near_group(scratch *s)
{
    uint32_t point = draw_member(s, s->opened[draw(s, s->opened_count)]);
    uint32_t near_count = s->points->near_counts[point];

    if (near_count == 0) {
        return SHOAL_I_NO_POINT;
    }
    uint32_t rank = draw(s, 1 + (size_t)draw(s, near_count));
    uint32_t near = shoal_i_point_near(s->points, point)[rank];

    return s->solution->group_of[near];
}

static void open_one(scratch *s, uint32_t group)
{
    const shoal_i_group *g = &s->solution->groups[group];

    s->marks[group].taken_at = s->trial_number;
    s->opened[s->opened_count++] = group;
    s->opened_points += g->count;
    s->opened_load += g->load;
    s->cost += (int64_t)g->penalty * (int64_t)g->load;
}

/* Open a group unless it is, or there would be more points than a trial takes apart. */
static void open_if_possible(scratch *s, uint32_t group)
{
    if (group != SHOAL_I_NO_POINT && !is_taken(s, group) &&
        s->opened_points + s->solution->groups[group].count <= POOL_MAX) {
        open_one(s, group);
    }
}

/* Open groups near those that are. */
static void open_near(scratch *s)
{
    size_t wanted = shoal_i_trial_opened(s->kind);

    for (int tries = 0; tries < 8 * SHOAL_I_TRIAL_OPENED && s->opened_count < wanted; tries++) {
        open_if_possible(s, draw_near_group(s));
    }
}

/* Open groups that have points in one cell with one that is. */
static void open_by_cell(scratch *s)
{
    const shoal_i_cell_index *cell_index = s->greedy.cell_index;
    size_t wanted = 2 + (size_t)draw(s, SHOAL_I_OPENED_MOST - 1);
    uint32_t point = draw_member(s, s->opened[0]);
    uint32_t cells = cell_index->first[point + 1] - cell_index->first[point];

    if (cells == 0) {
        return;
    }
    uint32_t number = cell_index->cells[cell_index->first[point] + draw(s, cells)];
    const shoal_i_priced_cell *cell = &cell_index->prices->cells.cells[number];

    for (size_t tries = 0; tries < 4 * wanted && s->opened_count < wanted; tries++) {
        open_if_possible(s, s->solution->group_of[cell->points[draw(s, cell->count)]]);
    }
}

/* Choose groups: a dear one and some near it. False when there is nothing to win, or too much
 * to take apart. */
static bool choose_groups(scratch *s)
{
    const shoal_i_solution *solution = s->solution;
    uint32_t first = solution->group_of[draw(s, s->points->count)];
    uint32_t other = solution->group_of[draw(s, s->points->count)];

    s->trial_number++;
    s->opened_count = 0;
    s->opened_points = 0;
    s->opened_load = 0;
    s->cost = 0;
    open_one(s,
             solution->groups[other].penalty > solution->groups[first].penalty ? other : first);
    if (s->cost == 0 || s->opened_points > POOL_MAX) {
        return false;
    }
    if (s->greedy.cell_index && draw(s, 4)) {
        open_by_cell(s);
    } else {
        open_near(s);
    }
    return true;
}

/* Bring the points of the opened groups together. */
static void collect_points(scratch *s)
{
    shoal_i_candidate_pool_empty(&s->pool);
    for (size_t i = 0; i < s->opened_count; i++) {
        for (uint32_t point = s->solution->groups[s->opened[i]].head; point != SHOAL_I_NO_POINT;
             point = s->solution->next[point]) {
            shoal_i_candidate_pool_add(&s->pool, point);
        }
    }
}

/* --- Putting them together in another way. ------------------------------------------------
 *
 * Two ways lead to new groups. Growing starts at a point and takes in whoever raises the
 * penalty least; remote points first, in half of the trials, because who is left to the end
 * finds only dear company. Cells open what the prices favour (cell_index.h), which finds large
 * cheap groups that no point by point growth does. The number of new groups is drawn too: fewer
 * than there were merge, none at all closes a group. What is left joins whichever group rises
 * least, also groups near by that were not opened: these enter as drafts, so that nothing that
 * stands is changed while others look at it. As soon as the cost reaches the limit, that of
 * the groups taken apart unless the search is heated, the attempt ends: most do early, and that
 * is what makes trials cheap. */

/* Put the group that the pool has just made on trial; false when it does not hold or costs too
 * much. */
static bool try_group(scratch *s, const shoal_i_growth *growth, int64_t *cost)
{
    *cost += (int64_t)growth->penalty * (int64_t)growth->load;
    if (!growth->holds || *cost >= s->limit) {
        return false;
    }
    for (size_t i = s->pool.free; i < growth->end; i++) {
        s->draft_of[s->pool.members[i]] = (uint32_t)s->draft_count;
    }
    memcpy(draft_box(s, s->draft_count), s->pool.box,
           2 * s->points->lanes->count * sizeof *s->pool.box);
    s->drafts[s->draft_count++] = (shoal_i_draft){
        .origin = SHOAL_I_NO_POINT, .load = growth->load, .penalty = growth->penalty};
    return true;
}

/* Open cells; returns their cost, or INT64_MAX when it is too much. */
static int64_t open_cells(scratch *s)
{
    int64_t cost = 0;

    shoal_i_cell_greedy_begin(&s->greedy, &s->random, s->pool.members, s->pool.count);
    s->work += s->pool.count * 16;
    while (cost < s->limit && s->draft_count < NEW_MAX &&
           shoal_i_cell_greedy_next(&s->greedy)) {
        shoal_i_growth growth =
            shoal_i_candidate_pool_group(&s->pool, s->greedy.wanted, s->greedy.wanted_count);

        if (!try_group(s, &growth, &cost)) {
            cost = INT64_MAX;
        }
    }
    shoal_i_cell_greedy_end(&s->greedy);
    return cost;
}

/* Who is nearest brings records; a class that lacks people may want somebody far off, whose box
 * has them. So now and then some are put together as they come; false when they do not hold. */
static bool draw_group(scratch *s, size_t place, shoal_i_growth *growth)
{
    uint32_t drawn[DRAWN_MOST] = {s->pool.members[place]};
    size_t count = 1;

    if (!s->pool.people.people || draw(s, DRAWN_ONE_IN) > 0 || s->pool.free < DRAWN_MOST) {
        return false;
    }
    for (size_t wanted = 2 + (size_t)draw(s, DRAWN_MOST - 1); count < wanted;) {
        uint32_t point = s->pool.members[draw(s, s->pool.free)];
        bool is_new = true;

        for (size_t i = 0; i < count; i++) {
            is_new = is_new && drawn[i] != point;
        }
        if (is_new) {
            drawn[count++] = point;
        }
    }
    *growth = shoal_i_candidate_pool_group(&s->pool, drawn, count);
    if (!growth->holds) {
        s->pool.free = growth->end;
    }
    return growth->holds;
}

/* Grow new groups; returns their cost, or INT64_MAX when one does not hold or it is too much.
 */
static int64_t grow_groups(scratch *s)
{
    bool needs_people = s->pool.people.people;
    size_t most =
        needs_people ? s->opened_count + 1 : (size_t)(s->opened_load / s->pool.smallest);
    size_t wanted = shoal_i_trial_makes_most(s->kind) ? most : draw(s, most + 1);
    int64_t cost = 0;

    wanted = wanted < NEW_MAX ? wanted : NEW_MAX;
    for (uint64_t left = s->opened_load;
         s->draft_count < wanted && left >= s->pool.smallest && s->pool.free > 0;) {
        size_t place = draw(s, s->pool.free);

        if (shoal_i_trial_is_remote(s->kind)) {
            place = shoal_i_candidate_pool_farthest(&s->pool, place);
        }
        shoal_i_growth growth;

        if (!draw_group(s, place, &growth)) {
            growth = shoal_i_candidate_pool_grow(&s->pool, place);
        }
        if (needs_people && !growth.holds) {
            s->pool.free = growth.end; /* too few people are left: who is joins others */
            break;
        }
        if (!try_group(s, &growth, &cost)) {
            return INT64_MAX;
        }
        left -= growth.load;
    }
    return cost;
}

/* The groups of the points near a point that are not opened and not on trial yet, each once. */
static size_t ask_near(scratch *s, uint32_t point)
{
    const uint32_t *near = shoal_i_point_near(s->points, point);
    size_t near_count =
        s->points->near_counts[point] < ASKED ? s->points->near_counts[point] : ASKED;
    uint32_t groups[ASKED]; /* looked up first: they lie anywhere in memory */
    size_t count = 0;

    s->question++;
    for (size_t i = 0; i < near_count; i++) {
        groups[i] = s->solution->group_of[near[i]];
    }
    for (size_t i = 0; i < near_count; i++) { /* without a branch: many are met again */
        group_marks *marks = &s->marks[groups[i]];

        s->asked[count] = groups[i];
        count += (marks->taken_at != s->trial_number) & (marks->asked_at != s->question);
        marks->asked_at = s->question;
    }
    return count;
}

/* Where a point would go, and at what cost. */
typedef struct offer {
    int64_t cost;
    size_t draft;   /* among those there are */
    uint32_t group; /* else: a group to be put on trial */
    int32_t together;
} offer;

static void weigh(offer *best, uint64_t load, int32_t penalty, uint32_t weight,
                  int32_t together, size_t t, uint32_t group)
{
    int64_t cost = shoal_i_join_cost(load, penalty, weight, together);

    if (cost < best->cost) {
        *best = (offer){.cost = cost, .draft = t, .group = group, .together = together};
    }
}

static offer find_offer(scratch *s, uint32_t point)
{
    const shoal_i_lanes *lanes = s->points->lanes;
    const int32_t *row = shoal_i_point_row(s->points, point);
    uint32_t weight = s->points->weights[point];
    shoal_i_probe probe = {.climb = s->climb};
    offer best = {.cost = INT64_MAX};
    uint32_t numbers[DRAFTS_MAX];
    size_t asked = ask_near(s, point);

    shoal_i_probe_set(&probe, lanes, row, row, row);
    for (size_t t = 0; t < s->draft_count; t++) {
        numbers[t] = (uint32_t)t;
    }
    lanes->kernels->unions(s->unions, lanes, &probe, s->boxes, numbers, s->draft_count);
    for (size_t t = 0; t < s->draft_count; t++) {
        weigh(&best, s->drafts[t].load, s->drafts[t].penalty, weight, s->unions[t], t,
              SHOAL_I_NO_POINT);
    }
    lanes->kernels->unions(s->unions, lanes, &probe, s->solution->boxes, s->asked, asked);
    for (size_t i = 0; i < asked; i++) {
        const shoal_i_group *g = &s->solution->groups[s->asked[i]];

        weigh(&best, g->load, g->penalty, weight, s->unions[i], 0, s->asked[i]);
    }
    s->work += WORK_OF_OFFER + 2 * (s->draft_count + asked);
    return best;
}

/* Put a group that stands on trial; returns its place. */
static size_t draft_group(scratch *s, uint32_t group)
{
    const shoal_i_group *g = &s->solution->groups[group];

    s->marks[group].taken_at = s->trial_number;
    s->drafts[s->draft_count] =
        (shoal_i_draft){.origin = group, .load = g->load, .penalty = g->penalty};
    memcpy(draft_box(s, s->draft_count), shoal_i_solution_box(s->solution, group),
           2 * s->points->lanes->count * sizeof *s->boxes);
    return s->draft_count++;
}

/* Let the points that no new group took join others; false when that cannot be or costs too
 * much. */
static bool place_rest(scratch *s, int64_t *cost)
{
    const shoal_i_lanes *lanes = s->points->lanes;

    for (size_t i = 0; i < s->pool.free; i++) {
        uint32_t point = s->pool.members[i];
        const int32_t *row = shoal_i_point_row(s->points, point);
        offer best = find_offer(s, point);

        if (best.cost == INT64_MAX || *cost + best.cost >= s->limit ||
            (best.group != SHOAL_I_NO_POINT && s->draft_count == DRAFTS_MAX)) {
            return false;
        }
        size_t t = best.group == SHOAL_I_NO_POINT ? best.draft : draft_group(s, best.group);
        int32_t *lo = draft_box(s, t);

        shoal_i_box_join(lanes, lo, lo + lanes->count, row, row);
        s->drafts[t].load += s->points->weights[point];
        s->drafts[t].penalty = best.together;
        s->draft_of[point] = (uint32_t)t;
        *cost += best.cost;
    }
    return true;
}

/* Whether every group on trial meets the requirement; a question of sizes is settled already.
 */
static bool drafts_hold(scratch *s)
{
    for (size_t t = 0; t < s->draft_count && !s->pool.is_size_enough; t++) {
        shoal_i_candidate_pool_forget(&s->pool);
        if (s->drafts[t].origin != SHOAL_I_NO_POINT) {
            for (uint32_t point = s->solution->groups[s->drafts[t].origin].head;
                 point != SHOAL_I_NO_POINT; point = s->solution->next[point]) {
                shoal_i_candidate_pool_count(&s->pool, point);
            }
        }
        for (size_t i = 0; i < s->pool.count; i++) {
            if (s->draft_of[s->pool.members[i]] == t) {
                shoal_i_candidate_pool_count(&s->pool, s->pool.members[i]);
            }
        }
        if (!shoal_i_candidate_pool_holds(&s->pool)) {
            return false;
        }
    }
    return true;
}

/* Forget the groups that stand and were put on trial. */
static void drop_drafts(scratch *s)
{
    for (size_t t = 0; t < s->draft_count; t++) {
        if (s->drafts[t].origin != SHOAL_I_NO_POINT) {
            s->marks[s->drafts[t].origin].taken_at = 0;
        }
    }
    s->draft_count = 0;
}

/* Keep the trial that runs as a proposal. */
static shoal_status propose(shoal_ctx *ctx, scratch *s)
{
    shoal_i_proposal trial = {.opened_count = s->opened_count,
                              .draft_count = s->draft_count,
                              .drafts = s->drafts,
                              .boxes = s->boxes,
                              .point_count = s->pool.count,
                              .points = s->pool.members,
                              .draft_of = s->draft_of};

    memcpy(trial.opened, s->opened, sizeof trial.opened);
    return shoal_i_proposals_add(ctx, &s->proposals, &trial, s->points->lanes->count);
}

/* What others in the place of the opened groups must cost less than: what these cost, or a
 * random part of that more. In parts of their own cost, since a rise that is nothing to dear
 * groups would be the end of cheap ones. */
static int64_t find_limit(scratch *s)
{
    int64_t heat = s->search->heat;

    if (heat == 0) {
        return s->cost;
    }
    int64_t mean = s->cost / (int64_t)s->opened_count;

    return s->cost + shoal_i_threshold(mean / SHOAL_I_HEAT_UNIT * heat, draw(s, 64));
}

/* Put the points of the opened groups together in another way; whether that costs less than
 * the limit. */
static bool put_together(scratch *s, bool is_by_cells, int64_t *cost)
{
    s->pool.free = s->pool.count;
    drop_drafts(s);
    *cost = is_by_cells ? open_cells(s) : grow_groups(s);
    return *cost < s->limit && place_rest(s, cost) && *cost < s->limit && *cost != s->cost &&
           drafts_hold(s);
}

/* Note what a trial that grew groups from near ones compared and gained. */
static void note_yield(scratch *s, uint64_t before, int64_t gain)
{
    shoal_i_trial_yield *yield = &s->yields[s->kind];

    yield->work += s->work + s->pool.work - before + WORK_OF_TRIAL;
    yield->gain += gain > 0 ? (uint64_t)gain : 0;
}

static shoal_status try_once(shoal_ctx *ctx, scratch *s)
{
    shoal_status st = SHOAL_OK;
    uint64_t before = s->work + s->pool.work;
    bool has_cells = s->greedy.cell_index;
    bool is_found = false;
    int64_t cost = 0;

    s->draft_count = 0;
    s->kind = shoal_i_trial_kinds_choose(&s->search->kinds, draw(s, SHOAL_I_TRIAL_DRAWS));
    if (!choose_groups(s)) {
        return SHOAL_OK;
    }
    collect_points(s);
    s->limit = find_limit(s);
    for (int attempt = 0; attempt < ATTEMPTS && !is_found; attempt++) {
        bool is_by_cells = has_cells && s->pool.count <= SHOAL_I_GREEDY_POINTS && draw(s, 4);

        is_found = put_together(s, is_by_cells, &cost);
    }
    if (!has_cells) {
        note_yield(s, before, is_found ? s->cost - cost : 0);
    }
    if (is_found) {
        SHOAL_TRY(propose(ctx, s));
    }
done:
    return st;
}

/* --- Batches. ----------------------------------------------------------------------------- */

static void scratch_clear(scratch *s)
{
    shoal_i_proposals_clear(&s->proposals);
    shoal_i_candidate_pool_clear(&s->pool);
    shoal_i_cell_greedy_clear(&s->greedy);
    free(s->boxes);
    free(s->draft_of);
    free(s->marks);
    free(s->climb);
}

static shoal_status scratch_init(shoal_ctx *ctx, scratch *s, const shoal_i_solution *solution)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_point_neighbours *points = solution->points;

    s->solution = solution;
    s->points = points;
    SHOAL_ALLOC(ctx, s->boxes, DRAFTS_MAX * 2 * points->lanes->count);
    SHOAL_ALLOC(ctx, s->draft_of, points->count);
    SHOAL_ALLOC(ctx, s->marks, solution->group_most);
    SHOAL_ALLOC(ctx, s->climb, points->lanes->count);
    SHOAL_TRY(shoal_i_candidate_pool_init(ctx, &s->pool, points, POOL_MAX));
    if (solution->cell_index) {
        SHOAL_TRY(shoal_i_cell_greedy_init(ctx, &s->greedy, solution->cell_index));
    }
done:
    return st;
}

static shoal_status look(shoal_ctx *ctx, void *payload, size_t task, shoal_i_random random)
{
    shoal_status st = SHOAL_OK;
    search *all = payload;
    scratch *s = &all->scratches[task];

    s->random = random;
    for (int i = 0; i < (int)all->trials; i++) {
        SHOAL_TRY(try_once(ctx, s));
        s->work += WORK_OF_TRIAL;
    }
done:
    return st;
}

static void accept_proposals(void *payload, shoal_i_batch_search *batches, size_t task)
{
    search *all = payload;

    shoal_i_proposals_accept(&all->scratches[task].proposals, all->solution, batches);
    shoal_i_trial_kinds_add(&all->kinds, all->scratches[task].yields);
    if (task == SHOAL_I_BATCH_TASKS - 1) {
        if (batches->batch % (TRIALS_MOST / all->trials) == 0) {
            shoal_i_trial_kinds_learn(&all->kinds);
        }
        all->heat = shoal_i_heat_after(all->first_heat, batches->progress);
    }
}

static uint64_t count_work(const void *payload, size_t task)
{
    const search *all = payload;

    return all->scratches[task].work + all->scratches[task].pool.work;
}

static unsigned count_trials(size_t groups)
{
    size_t trials = groups / GROUPS_PER_TRIAL;

    return trials < TRIALS_LEAST  ? TRIALS_LEAST
           : trials > TRIALS_MOST ? TRIALS_MOST
                                  : (unsigned)trials;
}

/* Search until the limit, heated or not. */
static shoal_status run_search(shoal_ctx *ctx, shoal_i_solution *solution, double heat,
                               uint64_t seed, shoal_i_search_limit limit, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    search all = {.solution = solution,
                  .trials = count_trials(solution->group_most),
                  .first_heat = heat,
                  .heat = shoal_i_heat_after(heat, 0)};
    shoal_i_batch_search batches = {
        .look = look,
        .accept = accept_proposals,
        .work = count_work,
        .payload = &all,
        .group_count = solution->group_most,
        .seed = seed,
    };

    shoal_i_trial_kinds_init(&all.kinds);
    for (size_t i = 0; i < SHOAL_I_BATCH_TASKS; i++) {
        all.scratches[i].search = &all;
        SHOAL_TRY(scratch_init(ctx, &all.scratches[i], solution));
    }
    SHOAL_TRY(shoal_i_batch_search_run(ctx, &batches, limit, meter));
done:
    for (size_t i = 0; i < SHOAL_I_BATCH_TASKS; i++) {
        scratch_clear(&all.scratches[i]);
    }
    return st;
}

shoal_status shoal_i_solution_improve(shoal_ctx *ctx, shoal_i_solution *solution, uint64_t seed,
                                      shoal_i_search_limit limit, shoal_i_meter *meter)
{
    return run_search(ctx, solution, 0, seed, limit, meter);
}

shoal_status shoal_i_solution_improve_heated(shoal_ctx *ctx, shoal_i_solution *solution,
                                             uint64_t seed, shoal_i_search_limit limit,
                                             shoal_i_meter *meter)
{
    size_t groups = solution->group_most - solution->number_count;
    double heat = shoal_i_heat_first(solution->points->count, groups);

    return run_search(ctx, solution, heat, seed, limit, meter);
}
