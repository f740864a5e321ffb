#include "gather.h"

#include "../../base/fail.h"
#include "../../base/pool.h"
#include "../../base/relay.h"
#include "../../box/scan.h"
#include "../problem/people.h"
#include "../problem/span.h"

#include <math.h>
#include <string.h>

/* Classes are merged within runs of this many, which lie near each other in the order of the
 * release, so that looking for the cheapest partner among all of a run stays affordable; what
 * does not hold then looks among all. */
#define CLASSES_PER_RUN 4096

#define NONE UINT32_MAX

typedef struct class {
    uint32_t head; /* its first record, the others by `next` */
    uint32_t tail;
    uint32_t size; /* 0: merged into another */
    int32_t penalty;
    bool is_everything; /* its box: of suppressed records */
} class;

typedef struct gathering {
    const shoal_i_problem *problem;
    const shoal_i_lanes *lanes;
    size_t count;
    class *classes;
    uint32_t *next;          /* record -> another of its class */
    shoal_i_interval *boxes; /* of each class, closed */
    int32_t *extents;        /* of each class: its lo row and its hi row */
    int32_t *members;        /* of each class: the row of one record */
} gathering;

/* What it takes to look at the classes of a run. */
typedef struct scratch {
    shoal_i_tally tally;
    shoal_i_interval *box;
    int32_t *climb;
    size_t alive_count;
    uint32_t *alive; /* classes that are there */
    size_t queue_first;
    size_t queue_count;
    size_t queue_capacity;
    uint32_t *queue; /* a ring of those that may not hold */
    int32_t *unions;
} scratch;

static void scratch_clear(scratch *s)
{
    shoal_i_tally_clear(&s->tally);
    free(s->box);
    free(s->climb);
    free(s->alive);
    free(s->queue);
    free(s->unions);
}

static shoal_status scratch_init(shoal_ctx *ctx, scratch *s, const gathering *g, size_t count)
{
    shoal_status st = SHOAL_OK;

    s->queue_capacity = count;
    SHOAL_TRY(shoal_i_tally_init(ctx, &s->tally, g->problem->source));
    SHOAL_ALLOC(ctx, s->box, g->problem->quasi->count);
    SHOAL_ALLOC(ctx, s->climb, g->lanes->count);
    SHOAL_ALLOC(ctx, s->alive, count);
    SHOAL_ALLOC(ctx, s->queue, count);
    SHOAL_ALLOC(ctx, s->unions, count);
done:
    return st;
}

/* --- Classes. ----------------------------------------------------------------------------- */

static shoal_i_interval *class_box(const gathering *g, size_t c)
{
    return g->boxes + c * g->problem->quasi->count;
}

static int32_t *class_extent(const gathering *g, size_t c)
{
    return g->extents + c * 2 * g->lanes->count;
}

static shoal_i_probe probe_class(const gathering *g, size_t c, int32_t *climb)
{
    const int32_t *lo = class_extent(g, c);
    shoal_i_probe probe = {.climb = climb};

    shoal_i_probe_set(&probe, g->lanes, lo, lo + g->lanes->count,
                      g->members + c * g->lanes->count);
    return probe;
}

static bool is_holding(const gathering *g, scratch *s, size_t c)
{
    shoal_i_tally_empty(&s->tally);
    for (uint32_t record = g->classes[c].head; record != NONE; record = g->next[record]) {
        shoal_i_tally_add(&s->tally, record);
    }
    if (g->problem->people) {
        s->tally.stats.population_size =
            shoal_i_people_count(g->problem->people, class_box(g, c), s->box);
    }
    return shoal_i_requirement_holds(g->problem->requirements, &s->tally.stats);
}

static void add_record(const gathering *g, size_t c, uint32_t record, const int32_t *row)
{
    class *to = &g->classes[c];
    size_t width = g->lanes->count;
    int32_t *lo = class_extent(g, c);

    g->next[record] = NONE;
    if (to->size++ > 0) {
        g->next[to->tail] = record;
        shoal_i_box_join(g->lanes, lo, lo + width, row, row);
    } else {
        to->head = record;
        memcpy(lo, row, width * sizeof *lo);
        memcpy(lo + width, row, width * sizeof *lo);
        memcpy(g->members + c * width, row, width * sizeof *lo);
    }
    to->tail = record;
}

static bool is_everything(const gathering *g, size_t c)
{
    const shoal_i_quasi *quasi = g->problem->quasi;
    const shoal_i_interval *box = class_box(g, c);
    bool is = true;

    for (size_t i = 0; i < quasi->count; i++) {
        shoal_i_interval all = shoal_i_quasi_all(&quasi->columns[i]);

        is = is && box[i].lo == all.lo && box[i].hi == all.hi;
    }
    return is;
}

/* The classes of a release, with their records. */
static shoal_status load_classes(shoal_ctx *ctx, gathering *g, const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    size_t width = g->lanes->count;
    int32_t *row = NULL;
    int32_t *climb = NULL;
    uint32_t code = 0;

    g->count = release->box_count;
    SHOAL_ALLOC(ctx, g->classes, g->count);
    SHOAL_ALLOC(ctx, g->next, release->row_count);
    SHOAL_ALLOC(ctx, g->boxes, g->count * release->quasi->count);
    SHOAL_ALLOC(ctx, g->extents, g->count * 2 * width);
    SHOAL_ALLOC(ctx, g->members, g->count * width);
    SHOAL_ALLOC(ctx, row, width);
    SHOAL_ALLOC(ctx, climb, width);
    memcpy(g->boxes, release->boxes, g->count * release->quasi->count * sizeof *g->boxes);
    for (size_t record = 0; record < release->row_count; record++) {
        shoal_i_lanes_fill(g->lanes, row, record, 1, &code);
        add_record(g, release->box_of[record], (uint32_t)record, row);
    }
    for (size_t c = 0; c < g->count; c++) {
        shoal_i_probe probe = probe_class(g, c, climb);

        g->classes[c].penalty = shoal_i_penalty(g->lanes, &probe);
        g->classes[c].is_everything = is_everything(g, c);
    }
done:
    free(row);
    free(climb);
    return st;
}

static void gathering_clear(gathering *g)
{
    free(g->classes);
    free(g->next);
    free(g->boxes);
    free(g->extents);
    free(g->members);
}

/* --- Merging. ----------------------------------------------------------------------------- */

/* What the total penalty rises by when two classes become one. */
static int64_t merging_cost(const class *a, const class *b, int32_t together)
{
    return (int64_t)together * ((int64_t)a->size + b->size) - (int64_t)a->penalty * a->size -
           (int64_t)b->penalty * b->size;
}

/* The place among the living of the class that is cheapest to merge with class c. One of
 * suppressed records only when there is no other: whoever joined it would be suppressed. */
static size_t find_partner(const gathering *g, scratch *s, uint32_t c)
{
    shoal_i_probe probe = probe_class(g, c, s->climb);
    size_t best = SIZE_MAX;
    size_t last_resort = SIZE_MAX;
    int64_t least = INT64_MAX;

    g->lanes->kernels->unions(s->unions, g->lanes, &probe, g->extents, s->alive,
                              s->alive_count);
    for (size_t i = 0; i < s->alive_count; i++) {
        const class *other = &g->classes[s->alive[i]];

        if (s->alive[i] == c) {
            continue;
        }
        if (other->is_everything) {
            last_resort = i;
            continue;
        }
        int64_t cost = merging_cost(&g->classes[c], other, s->unions[i]);

        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    return best != SIZE_MAX ? best : last_resort;
}

static void merge(const gathering *g, uint32_t into, uint32_t from, int32_t together)
{
    const shoal_i_quasi *quasi = g->problem->quasi;
    class *to = &g->classes[into];
    class *gone = &g->classes[from];
    int32_t *lo = class_extent(g, into);
    const int32_t *other = class_extent(g, from);
    shoal_i_interval *box = class_box(g, into);
    const shoal_i_interval *other_box = class_box(g, from);

    g->next[to->tail] = gone->head;
    to->tail = gone->tail;
    to->size += gone->size;
    to->penalty = together;
    to->is_everything = to->is_everything || gone->is_everything;
    gone->size = 0;
    shoal_i_box_join(g->lanes, lo, lo + g->lanes->count, other, other + g->lanes->count);
    for (size_t c = 0; c < quasi->count; c++) {
        box[c] = shoal_i_quasi_close(&quasi->columns[c],
                                     box[c].lo < other_box[c].lo ? box[c].lo : other_box[c].lo,
                                     box[c].hi > other_box[c].hi ? box[c].hi : other_box[c].hi);
    }
}

static void push(scratch *s, uint32_t c)
{
    s->queue[(s->queue_first + s->queue_count++) % s->queue_capacity] = c;
}

static uint32_t pop(scratch *s)
{
    uint32_t c = s->queue[s->queue_first];

    s->queue_first = (s->queue_first + 1) % s->queue_capacity;
    s->queue_count--;
    return c;
}

/* Merge the living classes until all hold or one is left. A class waits in the queue at most
 * once: it is put back only after it came out, and one that was merged away is dropped. */
static shoal_status merge_living(shoal_ctx *ctx, const gathering *g, scratch *s)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < s->alive_count; i++) {
        if (!is_holding(g, s, s->alive[i])) {
            push(s, s->alive[i]);
        }
    }
    while (s->queue_count > 0 && s->alive_count > 1) {
        uint32_t c = pop(s);

        if (g->classes[c].size == 0 || is_holding(g, s, c)) {
            continue;
        }
        size_t place = find_partner(g, s, c);
        uint32_t partner = s->alive[place];

        merge(g, c, partner, s->unions[place]);
        s->alive[place] = s->alive[--s->alive_count];
        push(s, c);
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
done:
    return st;
}

/* Merge among the living of a run of classes. */
static shoal_status merge_range(shoal_ctx *ctx, const gathering *g, shoal_i_span span)
{
    shoal_status st = SHOAL_OK;
    scratch s = {0};

    SHOAL_TRY(scratch_init(ctx, &s, g, span.count));
    for (size_t c = span.first; c < shoal_i_span_end(span); c++) {
        if (g->classes[c].size > 0) {
            s.alive[s.alive_count++] = (uint32_t)c;
        }
    }
    SHOAL_TRY(merge_living(ctx, g, &s));
done:
    scratch_clear(&s);
    return st;
}

static shoal_status merge_run(shoal_ctx *ctx, void *payload, size_t run)
{
    const gathering *g = payload;
    size_t first = run * CLASSES_PER_RUN;
    size_t rest = g->count - first;

    return merge_range(
        ctx, g,
        (shoal_i_span){.first = first,
                       .count = rest < CLASSES_PER_RUN ? rest : CLASSES_PER_RUN});
}

static shoal_status rebuild(shoal_ctx *ctx, shoal_i_release **out, const gathering *g)
{
    shoal_status st = SHOAL_OK;
    uint32_t *box_of = NULL;

    SHOAL_ALLOC(ctx, box_of, g->problem->row_count);
    for (size_t c = 0; c < g->count; c++) {
        uint32_t record = g->classes[c].size > 0 ? g->classes[c].head : NONE;

        for (; record != NONE; record = g->next[record]) {
            box_of[record] = (uint32_t)c;
        }
    }
    SHOAL_TRY(shoal_i_release_from_numbered(ctx, out, g->problem->quasi, g->boxes, g->count,
                                            box_of, g->problem->row_count));
done:
    free(box_of);
    return st;
}

/* One pass over all classes. */
static shoal_status gather_once(shoal_ctx *ctx, shoal_i_release **release,
                                const shoal_i_problem *problem, const shoal_i_lanes *lanes)
{
    shoal_status st = SHOAL_OK;
    gathering g = {.problem = problem, .lanes = lanes};
    shoal_i_release *gathered = NULL;

    SHOAL_TRY(load_classes(ctx, &g, *release));
    SHOAL_TRY(shoal_i_parallel_for(
        ctx, g.count / CLASSES_PER_RUN + (g.count % CLASSES_PER_RUN != 0), merge_run, &g));
    if (g.count > CLASSES_PER_RUN) {
        SHOAL_TRY(merge_range(ctx, &g, (shoal_i_span){.count = g.count}));
    }
    SHOAL_TRY(rebuild(ctx, &gathered, &g));
    shoal_i_release_free(*release);
    *release = gathered;
done:
    gathering_clear(&g);
    return st;
}

shoal_status shoal_i_gather(shoal_ctx *ctx, shoal_i_release **release,
                            const shoal_i_problem *problem)
{
    shoal_status st = SHOAL_OK;
    shoal_i_lanes *lanes = NULL;
    size_t before = 0;

    SHOAL_TRY(shoal_i_lanes_build(ctx, &lanes, problem->quasi));
    /* Classes that ended with equal boxes are one class of the release, and have to be looked
     * at again. */
    do {
        before = (*release)->box_count;
        SHOAL_TRY(gather_once(ctx, release, problem, lanes));
    } while ((*release)->box_count < before);
done:
    shoal_i_lanes_free(lanes);
    return st;
}

/* --- The method before it. ---------------------------------------------------------------- */

/* The requirements that are not about a population, and classes of at least `size` records. */
static shoal_status collect_others(shoal_ctx *ctx, shoal_i_requirement_set *out,
                                   const shoal_i_requirement_set *set, uint64_t size)
{
    shoal_status st = SHOAL_OK;

    out->counts_persons = set->counts_persons;
    out->joined_count = set->joined_count;
    for (size_t i = 0; i < set->count; i++) {
        if (!set->items[i].kind->needs_population) {
            SHOAL_TRY(shoal_i_requirement_add_item(ctx, out, &set->items[i]));
        }
    }
    SHOAL_TRY(shoal_i_requirement_add(ctx, out, &shoal_i_k_anonymity, (double)size));
done:
    return st;
}

static shoal_status run_with_size(shoal_ctx *ctx, shoal_i_release **out,
                                  const shoal_i_method *method, const shoal_i_problem *problem,
                                  const shoal_i_method_settings *settings, uint64_t size)
{
    shoal_status st = SHOAL_OK;
    shoal_i_requirement_set others = {0};
    shoal_i_problem first = *problem;

    first.requirements = &others;
    first.people = NULL;
    SHOAL_TRY(collect_others(ctx, &others, problem->requirements, size));
    SHOAL_TRY(shoal_i_method_run(ctx, out, method, &first, settings));
    SHOAL_TRY(shoal_i_gather(ctx, out, problem));
done:
    shoal_i_requirement_set_clear(&others);
    return st;
}

/* Of other sizes one is tried after the other until the loss is so many times the least. */
#define CLEARLY 1.1

shoal_status shoal_i_gather_run(shoal_ctx *ctx, shoal_i_release **out,
                                const shoal_i_method *method, const shoal_i_problem *problem,
                                const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *trial = NULL;
    double least = INFINITY;
    double loss = 0;
    const shoal_i_persons *persons = problem->source->persons;
    uint64_t most = persons ? persons->count : problem->row_count;
    uint64_t size = shoal_i_requirement_smallest_class(problem->requirements);

    double left =
        1; /* of the progress that is shown: how many sizes there will be is not known */

    for (size = size < most ? size : most; size <= most && loss < CLEARLY * least; size *= 2) {
        shoal_i_relay relay;

        left /= 2;
        shoal_i_relay_begin(&relay, ctx, NULL);
        relay.from = 1 - 2 * left;
        relay.share = left;
        SHOAL_TRY(shoal_i_ctx_join(
            ctx, &relay.own,
            run_with_size(&relay.own, &trial, method, problem, settings, size)));
        loss = shoal_i_release_ncp(trial);
        if (loss < least) {
            least = loss;
            shoal_i_release_free(*out);
            *out = trial;
            trial = NULL;
        }
        shoal_i_release_free(trial);
        trial = NULL;
    }
done:
    shoal_i_release_free(trial);
    return st;
}

const char *shoal_i_refuse_population(const shoal_i_requirement_kind *kind, bool in_persons)
{
    (void)in_persons;
    return kind->needs_population
               ? "how many people fall into a class is met by merging classes, and then its "
                 "result would no longer be what it promises"
               : NULL;
}
