/* The method with the least loss.
 *
 * Identical records are one weighted point. Groups are cells of a lattice of levels, taken
 * cheapest first, and may be large where that is free; what is left over pays last
 * (fill_from_cells.c). Then a large-neighbourhood search takes neighbouring groups apart and
 * puts them together better (improve.c). Only the search of a very large table is done in
 * blocks (search_in_blocks.h). Where sensitive values matter, tables larger than a block are
 * first split into blocks, which are solved on their own.
 *
 * Why in these steps. The lattice finds at once what search finds late: large cells in which
 * many records agree, which no growing point by point would reach. Search then mends what the
 * lattice cannot see, ranges that end between its levels. Cutting a table before the lattice
 * has looked at it loses more than any search regains: a tenth of the loss with sixteen blocks
 * in a million records (docs/research.md). Other methods have a try at the end because each of
 * them is the best start somewhere (starts.h). Where sensitive values matter, classes are
 * carved and records exchanged beside all this, and the cheapest way stands (keep_cheaper.h).
 *
 * The view behind it is lower-bounded facility location: a box is a facility that opens when at
 * least k records use it, and a record pays the penalty of its box. Karger and Minkoff 2000,
 * doi:10.1109/SFCS.2000.892328; Shaw 1998 for the search, doi:10.1007/3-540-49481-2_30.
 */

#include "../../box/distinct.h"
#include "../problem/effort.h"
#include "../finish/gather.h"
#include "among_people.h"
#include "anneal.h"
#include "fill_from_cells.h"
#include "../grouping/exchange.h"
#include "long_search.h"
#include "search_in_blocks.h"
#include "../grouping/mend.h"
#include "../grouping/recursion.h"
#include "../grouping/keep_cheaper.h"
#include "solution.h"
#include "../grouping/split.h"
#include "starts.h"

#include "../../base/clock.h"
#include "../../base/pool.h"
#include "../../base/random.h"

#include <math.h>

enum { OPTION_EFFORT };

/* In tables larger than this, at fast effort, a lattice of more nodes than this is looked at
 * along one walk only. */
#define LATTICE_FAST 512
#define LARGE_TABLE 200000

/* Seconds for each record below which a time is short: looking at the whole lattice of a large
 * table takes about as long, and nothing would be left for the search. */
#define SHORT_TIME 1e-5

/* Records that are searched as one, about: as many as memory allows, since every border costs.
 * A million take some 300 MB. */
#define SEARCHED_BLOCK ((size_t)1 << 20)

typedef struct best {
    const shoal_i_problem *problem;
    shoal_i_grouping *grouping;
    uint64_t work; /* rows that may be compared per record */
    size_t lattice_most;
    size_t walks;
    double start;                       /* when it began */
    double deadline;                    /* when the time for its own start is over */
    shoal_i_alternatives *alternatives; /* NULL: sizes are all that requirements look at */
    shoal_i_meter meter;
} best;

/* When the time for its own start is over; 0: none was. */
static double limit_all(const best *b)
{
    return b->problem->seconds > 0 ? b->deadline : 0;
}

/* A block has its share of the work, or of the time that is left, during which others are
 * solved beside it. */
static shoal_i_search_limit limit_search(const shoal_ctx *ctx, const best *b, size_t count)
{
    shoal_i_search_limit limit = {.work = b->work * count,
                                  .units = SHOAL_I_SEARCH_UNITS * count};
    double blocks = (double)b->problem->row_count / (double)count;
    double threads = (double)shoal_ctx_thread_count(ctx);

    if (b->problem->seconds > 0) {
        /* Where records are exchanged afterwards, half of the time is for that. */
        double seconds = b->problem->seconds / (b->alternatives ? 2 : 1);
        double share = seconds / blocks * (blocks < threads ? blocks : threads);
        double now = shoal_i_clock_seconds();

        limit.deadline = now + share < b->deadline ? now + share : b->deadline;
    }
    return limit;
}

/* Put all points into groups, by cells as long as there is time (deadline; 0: until there are
 * no more). */
static shoal_status start_points(shoal_ctx *ctx, best *b, shoal_i_point_neighbours *points,
                                 shoal_i_solution *solution, bool lists_near, double deadline)
{
    shoal_status st = SHOAL_OK;
    shoal_i_lattice *lattice = NULL;
    size_t records = points->distinct->first[points->count];

    SHOAL_TRY(shoal_i_lattice_build(ctx, &lattice, points, b->lattice_most, b->walks));
    SHOAL_TRY(shoal_i_solution_fill_from_cells(ctx, solution, lattice, deadline));
    if (lists_near) {
        SHOAL_TRY(shoal_i_point_neighbours_list(
            ctx, points, shoal_i_effort_reach(b->problem, points->count, records)));
    }
    SHOAL_TRY(shoal_i_solution_build(ctx, solution));
done:
    shoal_i_lattice_free(lattice);
    return st;
}

/* A part of what is left of a limit, in work and in time; units are the caller's. */
static shoal_i_search_limit limit_part(shoal_i_search_limit limit, uint64_t parts)
{
    double now = shoal_i_clock_seconds();

    limit.work /= parts;
    if (limit.deadline > now) {
        limit.deadline = now + (limit.deadline - now) / (double)parts;
    }
    return limit;
}

/* What is done with one block. */
typedef struct block {
    best *best;
    shoal_i_span span;
    shoal_i_search_limit limit;
    shoal_i_solution *solution;
} block;

/* Write the solution of a block as groups, all of which meet the requirement. */
static shoal_status write_groups(shoal_ctx *ctx, block *k)
{
    shoal_status st = SHOAL_OK;
    best *b = k->best;

    SHOAL_TRY(shoal_i_solution_lay_out(ctx, k->solution, b->grouping, k->span.first));
    /* Who joined a group last may have broken what it met before, other than its size. */
    if (b->problem->source->active_count > 0) {
        SHOAL_TRY(shoal_i_mend(ctx, b->grouping, k->span, b->problem));
    }
done:
    return st;
}

/* Search from the solution of a block, and write what that finds as groups. */
static shoal_status improve_block(shoal_ctx *ctx, void *payload, shoal_i_span span)
{
    shoal_status st = SHOAL_OK;
    block *k = payload;
    best *b = k->best;
    uint64_t key = shoal_i_random_key(b->problem->seed, span.first);

    if (b->work > shoal_i_effort_first_look(b->problem)) {
        SHOAL_TRY(shoal_i_search_long(ctx, &k->solution, key, k->limit, &b->meter));
    } else if (b->work > 0) {
        SHOAL_TRY(shoal_i_solution_improve(ctx, k->solution, key, k->limit, &b->meter));
    }
    SHOAL_TRY(write_groups(ctx, k));
done:
    return st;
}

/* Sizes of carved classes, in smallest ones, that are tried; the first alone at fast effort. */
static const double factors[] = {2, 1, 5};
#define FACTOR_COUNT (sizeof factors / sizeof *factors)

/* Where requirements are strict, improvement by search hardly gets below this part. */
#define CLEARLY 0.875

/* Peeling of a span. */
typedef struct peeling {
    best *best;
    shoal_i_peel_variations variations;
    shoal_i_search_limit limit; /* of a search from there; the deadline is that of all */
} peeling;

static shoal_status run_peel(shoal_ctx *ctx, void *payload, shoal_i_span span)
{
    const peeling *p = payload;
    const best *b = p->best;

    return shoal_i_alternatives_peel(ctx, b->alternatives, b->grouping, span,
                                     shoal_i_random_key(b->problem->seed, span.first),
                                     &p->variations);
}

/* Where sensitive values matter, carved classes are tried beside the solution. The search looks
 * at sensitive values only to throw away what does not hold, so in a strict requirement nearly
 * all of its trials are in vain; carving starts from the values. If carved classes are clearly
 * cheaper than the first solution, it is not even improved: what can be gained then is
 * little. */
static shoal_status carve_or_improve(shoal_ctx *ctx, block *k)
{
    shoal_status st = SHOAL_OK;
    best *b = k->best;
    shoal_i_carve_sizes sizes = {.count = b->work > 0 ? FACTOR_COUNT : 1,
                                 .factors = factors,
                                 .deadline = k->limit.deadline};
    uint64_t key = shoal_i_random_key(b->problem->seed, k->span.first);

    SHOAL_TRY(write_groups(ctx, k));
    if (!shoal_i_alternatives_are_tight(b->alternatives, b->grouping, k->span)) {
        return improve_block(ctx, k, k->span);
    }
    double start = shoal_i_alternatives_cost(b->alternatives, b->grouping, k->span);

    SHOAL_TRY(
        shoal_i_alternatives_carve(ctx, b->alternatives, b->grouping, k->span, key, sizes));
    if (b->work == 0) { /* else exchange_records looks what becomes of it */
        peeling p = {.best = b, .variations = {.count = 1}};

        SHOAL_TRY(
            shoal_i_keep_cheaper(ctx, b->alternatives, b->grouping, k->span, run_peel, &p));
    }
    if (shoal_i_alternatives_cost(b->alternatives, b->grouping, k->span) > CLEARLY * start) {
        SHOAL_TRY(
            shoal_i_keep_cheaper(ctx, b->alternatives, b->grouping, k->span, improve_block, k));
    }
done:
    return st;
}

/* Rows that may be compared while records are exchanged and while classes are annealed, in
 * those that may be while groups are improved. */
#define EXCHANGE_TIMES 2
#define ANNEAL_TIMES 9

/* The exchange goes on after a part of it that left at most so much of the loss. */
#define EXCHANGE_GAINS 0.998

/* In tables of up to so many records they are exchanged in the classes of so many other
 * methods, if these cost at most so many times what there is. */
#define EXCHANGE_SEVERAL 20000
#define EXCHANGE_STARTS 2
#define EXCHANGE_NEAR 1.1

/* A search among classes that hold: how long it may take, and of what. */
typedef struct class_search {
    best *best;
    shoal_i_search_limit limit;
    shoal_i_exchange_case exchange;
} class_search;

static shoal_status run_exchange(shoal_ctx *ctx, void *payload, shoal_i_span span)
{
    const class_search *s = payload;

    return shoal_i_exchange(ctx, s->best->grouping, span, &s->exchange, s->limit,
                            &s->best->meter);
}

static shoal_status run_anneal(shoal_ctx *ctx, void *payload, shoal_i_span span)
{
    const class_search *s = payload;

    return shoal_i_anneal(ctx, s->best->grouping, span, &s->exchange, s->limit,
                          &s->best->meter);
}

/* Exchange records for so much of the work and of the time that is left, and again as long as
 * that gains; *work is what was not needed. */
static shoal_status exchange_while_gaining(shoal_ctx *ctx, class_search *s, shoal_i_span span,
                                           shoal_i_search_limit limit, uint64_t *work)
{
    shoal_status st = SHOAL_OK;
    best *b = s->best;
    double cost = shoal_i_alternatives_cost(b->alternatives, b->grouping, span);
    double now = shoal_i_clock_seconds();
    const double part = 1.0 / (EXCHANGE_TIMES + ANNEAL_TIMES);
    bool gains = true;

    *work = limit.work * EXCHANGE_TIMES;
    s->limit.work = limit.work;
    s->limit.units = (uint64_t)(part * (double)limit.units);
    for (uint64_t i = 0; i < EXCHANGE_TIMES && gains; i++) {
        s->exchange.seed = shoal_i_random_key(b->problem->seed, span.first + i);
        s->limit.deadline = limit.deadline > now
                                ? now + (double)(i + 1) * part * (limit.deadline - now)
                                : limit.deadline;
        SHOAL_TRY(
            shoal_i_keep_cheaper(ctx, b->alternatives, b->grouping, span, run_exchange, s));
        double reached = shoal_i_alternatives_cost(b->alternatives, b->grouping, span);

        gains = reached < EXCHANGE_GAINS * cost;
        cost = reached;
        *work -= limit.work;
    }
done:
    return st;
}

/* Exchange records, then anneal, for so much work and time. What the exchange does not need is
 * for annealing. */
static shoal_status search_classes(shoal_ctx *ctx, best *b, shoal_i_span span,
                                   shoal_i_search_limit limit)
{
    shoal_status st = SHOAL_OK;
    class_search s = {.best = b,
                      .exchange = {.problem = b->problem, .strata = b->alternatives->strata}};
    uint64_t left = 0;

    if (shoal_i_clock_is_over(limit.deadline)) {
        return shoal_i_meter_add(ctx, &b->meter, limit.units);
    }
    SHOAL_TRY(exchange_while_gaining(ctx, &s, span, limit, &left));
    s.limit = (shoal_i_search_limit){
        .work = limit.work * ANNEAL_TIMES + left,
        .units = limit.units - EXCHANGE_TIMES * s.limit.units,
        .deadline = limit.deadline,
    };
    SHOAL_TRY(shoal_i_keep_cheaper(ctx, b->alternatives, b->grouping, span, run_anneal, &s));
done:
    return st;
}

/* A part of the work that tells whether peeled classes are the better start, how many
 * variations are peeled, and how many times what there is they may cost. */
#define LOOK_PART 8
#define PEEL_VARIATIONS 16
#define PEEL_NEAR 1.1

/* Peel a span and, if that came near, search a little from there. */
static shoal_status look_at_peeled(shoal_ctx *ctx, void *payload, shoal_i_span span)
{
    shoal_status st = SHOAL_OK;
    const peeling *p = payload;
    best *b = p->best;

    SHOAL_TRY(run_peel(ctx, payload, span));
    shoal_i_search_limit limit = p->limit;

    limit.deadline = limit_part(limit, LOOK_PART).deadline;
    if (shoal_i_alternatives_cost(b->alternatives, b->grouping, span) <= p->variations.near) {
        SHOAL_TRY(search_classes(ctx, b, span, limit));
    }
done:
    return st;
}

/* Where classes are large because of their values, peeled ones may be the better start; which
 * is better shows after a search, not before: dearer but more classes may leave more to gain.
 * What is left of the limit is for the search from the better one. */
static shoal_status compare_starts(shoal_ctx *ctx, best *b, shoal_i_span span,
                                   shoal_i_search_limit *limit)
{
    shoal_status st = SHOAL_OK;
    double cost = shoal_i_alternatives_cost(b->alternatives, b->grouping, span);
    peeling p = {.best = b, .variations = {.count = PEEL_VARIATIONS, .near = PEEL_NEAR * cost}};

    if (!shoal_i_alternatives_are_tight(b->alternatives, b->grouping, span)) {
        return SHOAL_OK;
    }
    p.limit = limit_part(*limit, LOOK_PART);
    p.limit.units /= LOOK_PART;
    limit->work /= 2;
    limit->units -= 2 * p.limit.units;
    SHOAL_TRY(search_classes(ctx, b, span, p.limit));
    p.limit.deadline = limit->deadline;
    p.variations.deadline = limit_part(*limit, 2).deadline;
    SHOAL_TRY(
        shoal_i_keep_cheaper(ctx, b->alternatives, b->grouping, span, look_at_peeled, &p));
done:
    return st;
}

/* Search from the better start, twice for half as long each: after annealing the exchange finds
 * classes that can be divided now. */
static shoal_status search_from_better(shoal_ctx *ctx, best *b, shoal_i_span span,
                                       shoal_i_search_limit limit)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(compare_starts(ctx, b, span, &limit));
    shoal_i_search_limit half = limit_part(limit, 2);

    half.units /= 2;
    SHOAL_TRY(search_classes(ctx, b, span, half));
    half.deadline = limit.deadline;
    SHOAL_TRY(search_classes(ctx, b, span, half));
done:
    return st;
}

/* Search for cheaper classes among the groups of a span. Lanes are what is compared, and where
 * missing values are kept they differ from what is lost; and annealing may end with more loss
 * than it began: so what costs less stands. A long search begins with what normal effort does,
 * so that it finds nothing worse from the same groups; from others it may (starts.h). */
static shoal_status exchange_records(shoal_ctx *ctx, best *b, shoal_i_span span)
{
    shoal_status st = SHOAL_OK;
    shoal_i_search_limit limit = limit_search(ctx, b, span.count);
    uint64_t first = shoal_i_effort_first_look(b->problem) * span.count;
    shoal_i_search_limit look = limit;

    if (limit.work <= first) {
        return search_from_better(ctx, b, span, limit);
    }
    look.work = first;
    look.units = limit.units / 2;
    limit.units -= look.units;
    SHOAL_TRY(search_from_better(ctx, b, span, look));
    SHOAL_TRY(search_classes(ctx, b, span, limit));
done:
    return st;
}

static shoal_status solve_block(shoal_ctx *ctx, void *payload, shoal_i_span span)
{
    shoal_status st = SHOAL_OK;
    best *b = payload;
    block k = {.best = b, .span = span, .limit = limit_search(ctx, b, span.count)};
    shoal_i_distinct *distinct = NULL;
    shoal_i_point_neighbours *points = NULL;

    SHOAL_TRY(shoal_i_grouping_distinct(ctx, &distinct, b->grouping, span));
    SHOAL_TRY(shoal_i_point_neighbours_build(ctx, &points, b->problem, distinct));
    SHOAL_TRY(shoal_i_solution_new(ctx, &k.solution, points));
    SHOAL_TRY(start_points(ctx, b, points, k.solution, b->work > 0,
                           b->alternatives ? limit_part(k.limit, 2).deadline : 0));
    if (b->alternatives) {
        SHOAL_TRY(carve_or_improve(ctx, &k));
        if (b->work > 0 && b->grouping->count > SHOAL_I_BLOCK) {
            SHOAL_TRY(exchange_records(ctx, b, span));
        }
    } else {
        SHOAL_TRY(improve_block(ctx, &k, span));
    }
done:
    shoal_i_solution_free(k.solution);
    shoal_i_point_neighbours_free(points);
    shoal_i_distinct_free(distinct);
    return st;
}

/* The first groups of a table of several blocks are found in the whole of it, and the search
 * is done in blocks. */
static shoal_status solve_large(shoal_ctx *ctx, best *b)
{
    shoal_status st = SHOAL_OK;
    block k = {.best = b, .span = {.first = 0, .count = b->grouping->count}};
    shoal_i_distinct *distinct = NULL;
    shoal_i_point_neighbours *points = NULL;
    const shoal_i_block_search search = {
        .problem = b->problem,
        .grouping = b->grouping,
        .block_records = SEARCHED_BLOCK,
        .work = b->work,
        .is_long = b->work > shoal_i_effort_first_look(b->problem),
        .deadline = limit_all(b),
        .meter = &b->meter,
    };

    SHOAL_TRY(shoal_i_grouping_distinct(ctx, &distinct, b->grouping, k.span));
    SHOAL_TRY(shoal_i_point_neighbours_build(ctx, &points, b->problem, distinct));
    SHOAL_TRY(shoal_i_solution_new(ctx, &k.solution, points));
    /* The points have the rows; laying the groups out writes them anew for whoever
     * goes on from there. */
    free(b->grouping->rows);
    b->grouping->rows = NULL;
    SHOAL_TRY(start_points(ctx, b, points, k.solution, false, 0));
    if (b->work > 0 || b->problem->source->active_count > 0) {
        SHOAL_ALLOC(ctx, b->grouping->rows, k.span.count * b->grouping->lanes->count);
    }
    SHOAL_TRY(write_groups(ctx, &k));
    shoal_i_solution_free(k.solution);
    k.solution = NULL;
    shoal_i_point_neighbours_free(points);
    points = NULL;
    shoal_i_distinct_free(distinct);
    distinct = NULL;
    if (b->work > 0 && !shoal_i_clock_is_over(search.deadline)) {
        SHOAL_TRY(shoal_i_search_in_blocks(ctx, &search));
    }
done:
    shoal_i_solution_free(k.solution);
    shoal_i_point_neighbours_free(points);
    shoal_i_distinct_free(distinct);
    return st;
}

/* Exchange records in the classes of a release of another method. */
typedef struct other_start {
    best *best;
    const shoal_i_release *release;
} other_start;

static shoal_status exchange_release(shoal_ctx *ctx, void *payload, shoal_i_span span)
{
    shoal_status st = SHOAL_OK;
    const other_start *o = payload;
    best *b = o->best;

    SHOAL_TRY(shoal_i_alternatives_load(ctx, b->alternatives, b->grouping, o->release));
    SHOAL_TRY(exchange_records(ctx, b, span));
done:
    return st;
}

/* If less effort found what costs less, search on from there. It is not where the search
 * begins: what has been searched already leaves less to gain than dearer classes do. */
static shoal_status exceed_easier(shoal_ctx *ctx, best *b, const shoal_i_release *easier)
{
    shoal_status st = SHOAL_OK;
    shoal_i_span all = {.first = 0, .count = b->grouping->count};
    double cost = shoal_i_alternatives_cost(b->alternatives, b->grouping, all);

    if (easier && shoal_i_release_ncp(easier) < cost) {
        SHOAL_TRY(shoal_i_alternatives_load(ctx, b->alternatives, b->grouping, easier));
        if (all.count <= SHOAL_I_BLOCK) {
            SHOAL_TRY(exchange_records(ctx, b, all));
        }
    }
done:
    return st;
}

/* Of the time that is left, the part in which others have a try before records are
 * exchanged. */
#define RIVALS_PART 3

/* Where sensitive values matter, records are exchanged in the cheapest classes of all; in a
 * small table in those of several methods, since classes that are cheaper may leave less to
 * gain. */
static shoal_status exchange_in_cheapest(shoal_ctx *ctx, best *b, shoal_i_starts *starts,
                                         double effort)
{
    shoal_status st = SHOAL_OK;
    shoal_i_span all = {.first = 0, .count = b->grouping->count};
    double cost = shoal_i_alternatives_cost(b->alternatives, b->grouping, all);
    shoal_i_search_limit left = {.deadline = limit_all(b)};

    SHOAL_TRY(shoal_i_starts_run(ctx, starts, b->problem, effort, cost,
                                 limit_part(left, RIVALS_PART).deadline, &b->meter));
    if (starts->count > 0 && (all.count > EXCHANGE_SEVERAL || starts->has_optimum)) {
        SHOAL_TRY(
            shoal_i_alternatives_take(ctx, b->alternatives, b->grouping, starts->releases[0]));
    }
    if (all.count <= SHOAL_I_BLOCK) {
        SHOAL_TRY(exchange_records(ctx, b, all));
    }
    for (size_t i = 0;
         i < starts->count && i < EXCHANGE_STARTS && all.count <= EXCHANGE_SEVERAL &&
         starts->costs[i] < EXCHANGE_NEAR * cost && !shoal_i_clock_is_over(left.deadline);
         i++) {
        other_start other = {.best = b, .release = starts->releases[i]};

        SHOAL_TRY(shoal_i_keep_cheaper(ctx, b->alternatives, b->grouping, all, exchange_release,
                                       &other));
    }
    SHOAL_TRY(exceed_easier(ctx, b, starts->easier));
done:
    return st;
}

/* Without a search the cheapest classes of all are taken as they are. */
static shoal_status take_cheapest(shoal_ctx *ctx, best *b, shoal_i_starts *starts,
                                  double effort)
{
    shoal_status st = SHOAL_OK;
    shoal_i_span all = {.first = 0, .count = b->grouping->count};
    double cost = shoal_i_alternatives_cost(b->alternatives, b->grouping, all);

    SHOAL_TRY(
        shoal_i_starts_run(ctx, starts, b->problem, effort, cost, limit_all(b), &b->meter));
    if (starts->count > 0) {
        SHOAL_TRY(
            shoal_i_alternatives_take(ctx, b->alternatives, b->grouping, starts->releases[0]));
    }
done:
    return st;
}

/* Let other methods have a try, search on from what they found, and keep what loses least. */
static shoal_status finish(shoal_ctx *ctx, best *b, shoal_i_release **out,
                           const shoal_i_problem *problem, double effort)
{
    shoal_status st = SHOAL_OK;
    double deadline = problem->seconds > 0 ? b->start + problem->seconds : 0;
    shoal_i_starts starts = {0};
    shoal_i_release *release = NULL;

    if (b->alternatives && b->work > 0) {
        SHOAL_TRY(exchange_in_cheapest(ctx, b, &starts, effort));
    } else if (b->alternatives) {
        SHOAL_TRY(take_cheapest(ctx, b, &starts, effort));
    }
    SHOAL_TRY(shoal_i_groups_release(ctx, &release, problem->quasi, b->grouping->records,
                                     b->grouping->is_start));
    if (!shoal_i_problem_is_monotone(problem)) {
        SHOAL_TRY(shoal_i_gather(ctx, &release, problem));
    }
    if (!b->alternatives && !shoal_i_clock_is_over(deadline)) {
        SHOAL_TRY(shoal_i_starts_run(ctx, &starts, problem, effort,
                                     shoal_i_release_ncp(release), deadline, &b->meter));
        SHOAL_TRY(shoal_i_starts_search(ctx, &release, &starts, deadline,
                                        SHOAL_I_SEARCH_UNITS * problem->row_count, &b->meter));
    }
    *out = release;
    release = NULL;
done:
    shoal_i_release_free(release);
    shoal_i_starts_clear(&starts);
    return st;
}

/* Of the time that is given, the part for its own start where others follow. */
#define OWN_SHARE 0.7

static shoal_status run_best(shoal_ctx *ctx, shoal_i_release **out,
                             const shoal_i_problem *problem,
                             const shoal_i_method_settings *settings)
{
    shoal_status st = SHOAL_OK;
    double effort = settings->values[OPTION_EFFORT];
    shoal_i_problem own = *problem;
    best b = {
        .problem = &own,
        .work = shoal_i_effort_work(effort, problem),
        .lattice_most = SHOAL_I_LATTICE_MOST,
        .walks = SHOAL_I_LATTICE_WALKS,
        .start = shoal_i_clock_seconds(),
        .meter = {.stage = "anonymize"},
    };
    shoal_i_alternatives alternatives = {0};

    bool is_hurried =
        problem->seconds > 0 && problem->seconds < SHORT_TIME * (double)problem->row_count;

    if ((b.work == 0 || is_hurried) && problem->row_count > LARGE_TABLE) {
        b.lattice_most = LATTICE_FAST;
        b.walks = 1;
    }
    b.meter.total = problem->row_count * (b.work > 0 ? 1 + 2 * SHOAL_I_SEARCH_UNITS : 1) + 1;

    *out = NULL;
    if (problem->row_count > SHOAL_I_BLOCK && shoal_i_starts_have_optimum(problem, effort)) {
        return shoal_i_exact.run(ctx, out, problem, settings); /* nothing can be cheaper */
    }
    SHOAL_TRY(shoal_i_grouping_new(ctx, &b.grouping, problem));
    if (shoal_i_alternatives_apply(problem)) {
        SHOAL_TRY(shoal_i_alternatives_init(ctx, &alternatives, problem, b.grouping->lanes));
        b.alternatives = &alternatives;
        b.meter.total +=
            b.work > 0 ? EXCHANGE_STARTS * SHOAL_I_SEARCH_UNITS * problem->row_count : 0;
    } else if (shoal_i_starts_apply(problem, effort)) {
        own.seconds *= OWN_SHARE;
    }
    b.deadline = b.start + own.seconds;
    if (b.alternatives || problem->row_count <= SHOAL_I_BLOCK) {
        SHOAL_TRY(shoal_i_split(ctx, b.grouping, problem->seed, SHOAL_I_BLOCK, 3, &b.meter));
        SHOAL_TRY(shoal_i_split_blocks(ctx, b.grouping, &own, solve_block, &b));
    } else {
        SHOAL_TRY(solve_large(ctx, &b));
    }
    SHOAL_TRY(finish(ctx, &b, out, problem, effort));
done:
    shoal_i_alternatives_clear(&alternatives);
    shoal_i_grouping_free(b.grouping);
    return st;
}

static shoal_status run_among_people(shoal_ctx *ctx, shoal_i_release **out,
                                     const shoal_i_problem *problem,
                                     const shoal_i_method_settings *settings)
{
    return shoal_i_best_among_people(ctx, out, problem, settings->values[OPTION_EFFORT]);
}

static const shoal_i_method_option options[] = {
    [OPTION_EFFORT] = {.name = "effort",
                       .help = "how long to search: fast (not at all), normal, high",
                       .standard = SHOAL_I_EFFORT_NORMAL,
                       .words = shoal_i_effort_words},
    {.name = NULL},
};

const shoal_i_method shoal_i_best = {
    .name = "best",
    .summary = "cheapest groups first, then improved by search; the least loss",
    .citation = "Shoal; after Karger and Minkoff 2000, Shaw 1998",
    .cost = "O(n log n) to begin, then as long as the effort allows",
    .options = options,
    .is_anytime = true,
    .run = run_best,
    .run_among_people = run_among_people,
};
