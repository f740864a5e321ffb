#include "anneal.h"

#include "../../base/clock.h"
#include "../../base/pool.h"
#include "../../base/random.h"
#include "../../base/sort.h"
#include "../../box/scan.h"
#include "anneal_classes.h"
#include "point_neighbours.h"
#include "../cells/thresholds.h"

#include <math.h>
#include <string.h>

/* Tasks of a round, a power of two, where there are classes enough for so many each. */
#define TASKS 4
#define CLASSES_PER_TASK 16

/* Rounds of a whole run, so many at least, and trials of one at most. */
#define ROUNDS 64
#define ROUND_TRIALS_MAX 500000

/* What a trial stands for in rows compared, and each member that is looked at after a step. */
#define TRIAL_WORK 64
#define SURVEY_WORK 4

/* Trials that are drawn together. */
#define PAIRS 16

/* Members of a class that are compared as to who comes back. */
#define CANDIDATES 8

/* Classes below which there is less to gain by the same work. */
#define CLASSES_FEW 64

/* Near points that are listed for each. */
#define REACH 16

/* T at the beginning, in what a record loses on average times the root of the size of a class,
 * and how it falls. */
#define WARMTH 0.05
static const shoal_i_cooling cooling = {.steps = 64, .fall = 28, .cold_from = 60};

typedef struct task {
    shoal_i_random random;
    shoal_i_tally tally;
    shoal_i_span members; /* of the round's order */
    uint64_t work;
} task;

typedef struct anneal {
    shoal_i_anneal_classes *classes;
    const shoal_i_point_neighbours *points;
    uint64_t seed;
    uint64_t round;
    size_t task_count;
    task tasks[TASKS];
    uint32_t *number_of;      /* of each class: its task */
    uint32_t *order;          /* members, task after task */
    size_t trials;            /* of each task in a round */
    int64_t temper;           /* T */
    shoal_i_sort_item *items; /* classes */
    shoal_i_sort_item *scratch;
    int32_t *climb;
} anneal;

/* --- One trial. --------------------------------------------------------------------------- */

/* A number below a bound of at most 2^32, evenly enough. */
static uint32_t draw(task *t, size_t bound)
{
    return (uint32_t)((uint64_t)shoal_i_random_u32(&t->random) * bound >> 32);
}

/* Who may change places with whom. */
typedef struct pair {
    uint32_t member;
    uint32_t point; /* a near one */
    uint32_t near;  /* somebody there */
} pair;

/* The point of a member or one that is near it, the nearest most often. */
static uint32_t draw_point(const anneal *a, task *t, uint32_t member)
{
    uint32_t point = a->classes->members[member].point;
    uint64_t count = (uint64_t)a->points->near_counts[point] + 1;
    uint64_t bits = shoal_i_random_u32(&t->random);
    uint64_t at = (bits * bits >> 32) * count >> 32;

    return at > 0 ? shoal_i_point_near(a->points, point)[at - 1] : point;
}

/* Draw pairs, which do not depend on what steps are made. Step by step for all of them, so that
 * the processor waits for memory once, not once for each. */
static void draw_pairs(const anneal *a, task *t, pair *pairs)
{
    const shoal_i_anneal_classes *c = a->classes;

    for (size_t i = 0; i < PAIRS; i++) {
        pairs[i].member = a->order[t->members.first + draw(t, t->members.count)];
        __builtin_prefetch(&c->members[pairs[i].member]);
    }
    for (size_t i = 0; i < PAIRS; i++) {
        pairs[i].point = draw_point(a, t, pairs[i].member);
        __builtin_prefetch(&c->points[pairs[i].point]);
    }
    for (size_t i = 0; i < PAIRS; i++) {
        uint32_t first = c->points[pairs[i].point];

        pairs[i].near = first + draw(t, c->points[pairs[i].point + 1] - first);
        __builtin_prefetch(&c->members[pairs[i].near]);
    }
}

/* List members of a class of one stratum; how many. */
static size_t list_alike(const shoal_i_anneal_classes *c, uint32_t class, uint32_t stratum,
                         uint32_t *out)
{
    uint32_t most = c->counts[(size_t) class * c->stratum_count + stratum];
    size_t count = 0;

    for (most = most < CANDIDATES ? most : CANDIDATES; count < most; count++) {
        out[count] = shoal_i_anneal_pick(c, class, stratum);
    }
    return count;
}

/* The same of different strata, from a random one on. */
static size_t list_different(const shoal_i_anneal_classes *c, task *t, uint32_t class,
                             uint32_t *out)
{
    uint32_t stratum = draw(t, c->stratum_count);
    size_t count = 0;

    for (size_t i = 0; i < c->stratum_count && count < CANDIDATES; i++) {
        uint32_t member = shoal_i_anneal_pick(c, class, stratum);

        if (member != SHOAL_I_ANNEAL_NONE) {
            out[count++] = member;
        }
        stratum = stratum + 1 < c->stratum_count ? stratum + 1 : 0;
    }
    return count;
}

/* Of some members the one that costs a class least in the place of another. */
static uint32_t find_cheapest(const shoal_i_anneal_classes *c, uint32_t class, uint32_t leaves,
                              const uint32_t *members, size_t count)
{
    uint32_t found = SHOAL_I_ANNEAL_NONE;
    int32_t least = INT32_MAX;

    if (count == 1) {
        return members[0];
    }
    for (size_t i = 0; i < count; i++) {
        int32_t penalty = shoal_i_anneal_penalty(c, class, leaves, members[i]);

        if (penalty < least) {
            least = penalty;
            found = members[i];
        }
    }
    return found;
}

/* Who comes back for a member that goes to a class: in half of all cases somebody of its own
 * stratum, if there is any, which no requirement notices; SHOAL_I_ANNEAL_NONE in a quarter. */
static uint32_t choose_back(const anneal *a, task *t, uint32_t member, uint32_t class,
                            uint32_t bits)
{
    const shoal_i_anneal_classes *c = a->classes;
    const shoal_i_anneal_member *it = &c->members[member];
    uint32_t candidates[CANDIDATES];
    size_t count = 0;

    if ((bits & 3) == 0) {
        return SHOAL_I_ANNEAL_NONE;
    }
    if ((bits & 3) < 3) {
        count = list_alike(c, class, it->stratum, candidates);
    }
    if (count == 0) {
        count = list_different(c, t, class, candidates);
    }
    return find_cheapest(c, it->class, member, candidates, count);
}

/* Whether both classes hold after a step. */
static bool both_hold(const anneal *a, task *t, const shoal_i_anneal_step *step)
{
    const shoal_i_anneal_classes *c = a->classes;
    const shoal_i_anneal_member *it = &c->members[step->member];
    uint32_t back = step->back;

    if (back != SHOAL_I_ANNEAL_NONE && c->is_exact && c->members[back].stratum == it->stratum) {
        return true;
    }
    if (!c->is_exact) {
        t->work += c->classes[it->class].size + c->classes[step->class].size;
    }
    return shoal_i_anneal_holds(c, it->class, step->member, back, &t->tally) &&
           shoal_i_anneal_holds(c, step->class, back, step->member, &t->tally);
}

/* Whether the classes of a pair are two of this task's; whose class it is may change meanwhile
 * otherwise. */
static bool may_change(const shoal_i_anneal_classes *c, const pair *it, size_t number)
{
    const shoal_i_anneal_member *near = &c->members[it->near];

    return near->task == number && near->class != c->members[it->member].class;
}

static void try_once(anneal *a, task *t, const pair *it)
{
    shoal_i_anneal_classes *c = a->classes;
    shoal_i_anneal_step step = {.member = it->member, .class = c->members[it->near].class};

    if (c->classes[c->members[it->member].class].size < 2) {
        return;
    }
    uint32_t bits = shoal_i_random_u32(&t->random);
    int64_t limit = shoal_i_threshold(a->temper, bits);

    step.back = choose_back(a, t, step.member, step.class, bits >> 6);
    if (shoal_i_anneal_judge(c, &step) <= limit && both_hold(a, t, &step)) {
        t->work += SURVEY_WORK * shoal_i_anneal_make(c, &step);
    }
}

/* Call for what a trial will read. */
static void call_for(const shoal_i_anneal_classes *c, const pair *it)
{
    shoal_i_anneal_prefetch(c, c->members[it->member].class);
    shoal_i_anneal_prefetch(c, c->members[it->near].class);
}

static shoal_status run_task(shoal_ctx *ctx, void *payload, size_t number)
{
    shoal_status st = SHOAL_OK;
    anneal *a = payload;
    task *t = &a->tasks[number];

    t->random = shoal_i_random_start(shoal_i_random_key(a->seed, a->round * TASKS + number));
    for (size_t i = 0; i < a->trials && t->members.count > 0; i += PAIRS) {
        pair pairs[PAIRS];

        draw_pairs(a, t, pairs);
        for (size_t j = 0; j < PAIRS; j++) {
            if (may_change(a->classes, &pairs[j], number)) {
                call_for(a->classes, &pairs[j]);
            }
        }
        for (size_t j = 0; j < PAIRS; j++) {
            if (may_change(a->classes, &pairs[j], number)) {
                try_once(a, t, &pairs[j]);
            }
        }
    }
    t->work += a->trials * TRIAL_WORK;
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    return st;
}

/* --- Rounds. ------------------------------------------------------------------------------ */

/* Halve a run of classes: those nearer to one of two random records than to the other. */
static void halve(anneal *a, shoal_i_random *random, shoal_i_span span)
{
    const shoal_i_anneal_classes *c = a->classes;
    const shoal_i_lanes *lanes = c->lanes;
    shoal_i_probe probe = {.climb = a->climb};

    for (int side = 0; side < 2; side++) {
        uint32_t pivot = (uint32_t)shoal_i_random_below(random, c->count);
        const int32_t *row = shoal_i_anneal_row(c, pivot);

        shoal_i_probe_set(&probe, lanes, row, row, row);
        for (size_t i = span.first; i < shoal_i_span_end(span); i++) {
            int32_t distance = 0;

            lanes->kernels->penalties(&distance, lanes, &probe,
                                      shoal_i_anneal_lowest(c, a->items[i].item), 1);
            a->items[i].key = side == 0 ? ((uint64_t)1 << 32) + (uint64_t)distance
                                        : a->items[i].key - (uint64_t)distance;
        }
    }
    shoal_i_sort_items(a->items + span.first, a->scratch, span.count);
}

/* Part the classes into tasks, near ones together, and list the members of each. */
static void part_classes(anneal *a)
{
    const shoal_i_anneal_classes *c = a->classes;
    shoal_i_random random = shoal_i_random_start(shoal_i_random_key(~a->seed, a->round));
    size_t filled[TASKS] = {0};
    uint32_t *number_of = a->number_of;

    for (uint32_t class = 0; class < c->class_count; class ++) {
        a->items[class] = (shoal_i_sort_item){.item = class};
    }
    for (size_t parts = 1; parts < a->task_count; parts *= 2) {
        for (size_t i = 0; i < parts; i++) {
            halve(a, &random,
                  shoal_i_span_between(c->class_count * i / parts,
                                       c->class_count * (i + 1) / parts));
        }
    }
    for (size_t number = 0; number < a->task_count; number++) {
        a->tasks[number].members.count = 0;
        for (size_t i = c->class_count * number / a->task_count;
             i < c->class_count * (number + 1) / a->task_count; i++) {
            number_of[a->items[i].item] = (uint32_t)number;
            a->tasks[number].members.count += c->classes[a->items[i].item].size;
        }
    }
    for (size_t number = 1; number < a->task_count; number++) {
        a->tasks[number].members.first = shoal_i_span_end(a->tasks[number - 1].members);
    }
    for (uint32_t member = 0; member < c->count; member++) {
        uint32_t number = number_of[c->members[member].class];

        c->members[member].task = number;
        a->order[a->tasks[number].members.first + filled[number]++] = member;
    }
}

static uint64_t count_work(const anneal *a)
{
    uint64_t work = 0;

    for (size_t i = 0; i < a->task_count; i++) {
        work += a->tasks[i].work;
    }
    return work;
}

static shoal_status run_rounds(shoal_ctx *ctx, anneal *a, shoal_i_search_limit limit,
                               shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_anneal_classes *c = a->classes;
    double start = shoal_i_clock_seconds();
    double trials = (double)limit.work / (ROUNDS * TRIAL_WORK);
    int64_t first = (int64_t)(WARMTH * (double)shoal_i_anneal_cost(c) /
                              sqrt((double)c->count * (double)c->class_count));
    uint64_t shown = 0;

    if (c->class_count < CLASSES_FEW) {
        limit.work = limit.work / CLASSES_FEW * c->class_count + 1;
        trials = (double)limit.work / (ROUNDS * TRIAL_WORK);
    }
    a->trials = (size_t)fmin(trials, ROUND_TRIALS_MAX) / a->task_count + 1;
    for (double progress = 0; progress < 1;) {
        a->round++;
        a->temper = shoal_i_cooled(cooling, first, progress);
        part_classes(a);
        SHOAL_TRY(shoal_i_parallel_for(ctx, a->task_count, run_task, a));
        progress = shoal_i_search_progress(&limit, count_work(a), start);
        uint64_t now = (uint64_t)(progress * (double)limit.units);

        SHOAL_TRY(shoal_i_meter_add(ctx, meter, now - shown));
        shown = now;
    }
done:
    return st;
}

/* --- Life cycle. -------------------------------------------------------------------------- */

static shoal_status init_anneal(shoal_ctx *ctx, anneal *a, const shoal_i_problem *problem)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_anneal_classes *c = a->classes;

    a->task_count = c->class_count < TASKS * CLASSES_PER_TASK ? 1 : TASKS;
    SHOAL_ALLOC(ctx, a->number_of, c->class_count);
    SHOAL_ALLOC(ctx, a->order, c->count);
    SHOAL_ALLOC(ctx, a->items, c->class_count);
    SHOAL_ALLOC(ctx, a->scratch, c->class_count);
    SHOAL_ALLOC(ctx, a->climb, c->lanes->count);
    for (size_t i = 0; i < a->task_count; i++) {
        SHOAL_TRY(shoal_i_tally_init(ctx, &a->tasks[i].tally, problem->source));
    }
done:
    return st;
}

static void clear_anneal(anneal *a)
{
    free(a->number_of);
    free(a->order);
    free(a->items);
    free(a->scratch);
    free(a->climb);
    for (size_t i = 0; i < TASKS; i++) {
        shoal_i_tally_clear(&a->tasks[i].tally);
    }
    shoal_i_anneal_classes_free(a->classes);
}

shoal_status shoal_i_anneal(shoal_ctx *ctx, shoal_i_grouping *grouping, shoal_i_span span,
                            const shoal_i_exchange_case *exchange, shoal_i_search_limit limit,
                            shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_problem *problem = exchange->problem;
    shoal_i_distinct *distinct = NULL;
    shoal_i_point_neighbours *points = NULL;
    anneal a = {.seed = exchange->seed};
    const shoal_i_distinct_rows rows = {
        .rows = grouping->rows + span.first * grouping->lanes->count, .count = span.count};

    SHOAL_TRY(shoal_i_distinct_build(ctx, &distinct, grouping->lanes, &rows));
    SHOAL_TRY(shoal_i_point_neighbours_build(ctx, &points, problem, distinct));
    SHOAL_TRY(shoal_i_point_neighbours_list(ctx, points, REACH));
    SHOAL_TRY(shoal_i_anneal_classes_build(ctx, &a.classes, grouping, span, problem,
                                           exchange->strata, distinct));
    a.points = points;
    if (a.classes->class_count > 1) {
        SHOAL_TRY(init_anneal(ctx, &a, problem));
        SHOAL_TRY(run_rounds(ctx, &a, limit, meter));
        shoal_i_anneal_lay_out(a.classes, grouping, span.first);
    } else {
        SHOAL_TRY(shoal_i_meter_add(ctx, meter, limit.units));
    }
done:
    clear_anneal(&a);
    shoal_i_point_neighbours_free(points);
    shoal_i_distinct_free(distinct);
    return st;
}
