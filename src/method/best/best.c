/* The method with the least loss.
 *
 * Identical records are one weighted point. Groups are cells of a lattice of levels, taken cheapest first,
 * and may be large where that is free; what is left over pays last (fill_from_cells.c). Then a large-neighbourhood search
 * takes neighbouring groups apart and puts them together better (improve.c). Tables larger than a block
 * are first split into blocks, which are solved on their own.
 *
 * The view behind it is lower-bounded facility location: a box is a facility that opens when at least k
 * records use it, and a record pays the penalty of its box. Karger and Minkoff 2000,
 * doi:10.1109/SFCS.2000.892328; Shaw 1998 for the search, doi:10.1007/3-540-49481-2_30.
 */

#include "../../box/distinct.h"
#include "../problem/effort.h"
#include "fill_from_cells.h"
#include "../grouping/exchange.h"
#include "long_search.h"
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

/* The lattice of levels is looked at as a whole up to so many nodes, else along some walks; in large tables
 * at fast effort, along one walk unless it is small. */
#define LATTICE_MOST 16384
#define LATTICE_FAST 512
#define WALKS 3
#define LARGE_TABLE 200000

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

/* A block has its share of the work, or of the time that is left, during which others are solved
 * beside it. */
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

/* Put all points of a points into groups. Near points are listed when something will ask for them. */
static shoal_status start_points(shoal_ctx *ctx, best *b, shoal_i_point_neighbours *points,
                                 shoal_i_solution *solution, size_t count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_lattice *lattice = NULL;

    SHOAL_TRY(shoal_i_lattice_build(ctx, &lattice, points, b->lattice_most, b->walks));
    SHOAL_TRY(shoal_i_solution_fill_from_cells(ctx, solution, lattice));
    if (b->work > 0) {
        SHOAL_TRY(shoal_i_point_neighbours_list(
            ctx, points, shoal_i_effort_reach(b->problem, points->count, count)));
    }
    SHOAL_TRY(shoal_i_solution_build(ctx, solution));
done:
    shoal_i_lattice_free(lattice);
    return st;
}

/* Write a solution as groups, all of which meet the requirement. */
static shoal_status settle(shoal_ctx *ctx, best *b, const shoal_i_solution *solution,
                           size_t first, size_t count)
{
    shoal_status st = SHOAL_OK;

    shoal_i_solution_lay_out(solution, b->grouping, first);
    /* Who joined a group last may have broken what it met before, other than its size. */
    if (b->problem->source->active_count > 0) {
        SHOAL_TRY(shoal_i_mend(ctx, b->grouping, first, count, b->problem));
    }
done:
    return st;
}

static shoal_status improve_and_settle(shoal_ctx *ctx, best *b, shoal_i_solution **solution,
                                       size_t first, size_t count)
{
    shoal_status st = SHOAL_OK;
    uint64_t key = shoal_i_random_key(b->problem->seed, first);

    if (b->work > shoal_i_effort_first_look(b->problem)) {
        SHOAL_TRY(
            shoal_i_search_long(ctx, solution, key, limit_search(ctx, b, count), &b->meter));
    } else if (b->work > 0) {
        SHOAL_TRY(shoal_i_solution_improve(ctx, *solution, key, limit_search(ctx, b, count),
                                           &b->meter));
    }
    SHOAL_TRY(settle(ctx, b, *solution, first, count));
done:
    return st;
}

/* Sizes of carved classes, in smallest ones, that are tried; the first alone at fast effort. */
static const double factors[] = {2, 1, 5};
#define FACTOR_COUNT (sizeof factors / sizeof *factors)

/* Where requirements are strict, improvement by search hardly gets below this part. */
#define CLEARLY 0.875

/* Where sensitive values matter, let carved classes compete with the solution, which is not even
 * improved if they are clearly cheaper: what can be gained then is little. */
static shoal_status contend(shoal_ctx *ctx, best *b, shoal_i_solution **solution, size_t first,
                            size_t count)
{
    shoal_status st = SHOAL_OK;
    uint64_t key = shoal_i_random_key(b->problem->seed, first);
    double start = 0;
    double cost = 0;
    shoal_i_grouping kept = {0};

    SHOAL_TRY(settle(ctx, b, *solution, first, count));
    if (!shoal_i_alternatives_is_tight(b->alternatives, b->grouping, first, count)) {
        return improve_and_settle(ctx, b, solution, first, count);
    }
    start = shoal_i_alternatives_cost(b->alternatives, b->grouping, first, count);
    cost = start;
    SHOAL_TRY(shoal_i_alternatives_carve(ctx, b->alternatives, b->grouping, first, count, key,
                                         factors, b->work > 0 ? FACTOR_COUNT : 1, &cost));
    if (cost > CLEARLY * start) {
        SHOAL_TRY(shoal_i_alternatives_keep(ctx, &kept, b->grouping, first, count));
        SHOAL_TRY(improve_and_settle(ctx, b, solution, first, count));
        shoal_i_alternatives_settle(b->alternatives, b->grouping, first, &kept, cost);
    }
done:
    shoal_i_alternatives_drop(&kept);
    return st;
}

/* Rows that may be compared while records are exchanged, in those that may be while groups are
 * improved. */
#define EXCHANGE_TIMES 2

/* In tables of up to so many records they are exchanged in the classes of so many rivals, if these
 * cost at most so many times what there is. */
#define EXCHANGE_SEVERAL 20000
#define EXCHANGE_RIVALS 2
#define EXCHANGE_NEAR 1.1

static shoal_status exchange_block(shoal_ctx *ctx, best *b, size_t first, size_t count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_search_limit limit = limit_search(ctx, b, count);
    double cost = shoal_i_alternatives_cost(b->alternatives, b->grouping, first, count);
    shoal_i_grouping kept = {0};

    limit.work *= EXCHANGE_TIMES;
    shoal_i_alternatives_align(b->alternatives, b->grouping, first, count);
    SHOAL_TRY(shoal_i_alternatives_keep(ctx, &kept, b->grouping, first, count));
    SHOAL_TRY(shoal_i_exchange(ctx, b->grouping, first, count, b->problem,
                               b->alternatives->strata,
                               shoal_i_random_key(b->problem->seed, first), limit, &b->meter));
    shoal_i_alternatives_settle(b->alternatives, b->grouping, first, &kept, cost);
done:
    shoal_i_alternatives_drop(&kept);
    return st;
}

static shoal_status solve_block(shoal_ctx *ctx, void *payload, size_t first, size_t count)
{
    shoal_status st = SHOAL_OK;
    best *b = payload;
    const shoal_i_lanes *lanes = b->grouping->lanes;
    shoal_i_distinct *distinct = NULL;
    shoal_i_point_neighbours *points = NULL;
    shoal_i_solution *solution = NULL;

    SHOAL_TRY(shoal_i_distinct_build(ctx, &distinct, lanes,
                                     b->grouping->rows + first * lanes->count,
                                     b->grouping->records + first, count));
    SHOAL_TRY(shoal_i_point_neighbours_build(ctx, &points, b->problem, distinct));
    SHOAL_TRY(shoal_i_solution_new(ctx, &solution, points));
    SHOAL_TRY(start_points(ctx, b, points, solution, count));
    if (b->alternatives) {
        SHOAL_TRY(contend(ctx, b, &solution, first, count));
        if (b->work > 0 && b->grouping->count > SHOAL_I_BLOCK) {
            SHOAL_TRY(exchange_block(ctx, b, first, count));
        }
    } else {
        SHOAL_TRY(improve_and_settle(ctx, b, &solution, first, count));
    }
done:
    shoal_i_solution_free(solution);
    shoal_i_point_neighbours_free(points);
    shoal_i_distinct_free(distinct);
    return st;
}

/* Exchange records in the classes of a release, too, and keep the cheaper of this and what stands. */
static shoal_status exchange_rival(shoal_ctx *ctx, best *b, const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    double cost =
        shoal_i_alternatives_cost(b->alternatives, b->grouping, 0, b->grouping->count);
    double any = INFINITY;
    shoal_i_grouping kept = {0};

    SHOAL_TRY(shoal_i_alternatives_keep(ctx, &kept, b->grouping, 0, b->grouping->count));
    SHOAL_TRY(shoal_i_alternatives_release(ctx, b->alternatives, b->grouping, release, &any));
    SHOAL_TRY(exchange_block(ctx, b, 0, b->grouping->count));
    shoal_i_alternatives_settle(b->alternatives, b->grouping, 0, &kept, cost);
done:
    shoal_i_alternatives_drop(&kept);
    return st;
}

/* Where sensitive values matter, records are exchanged in the cheapest classes of all; in a small table in those of
 * several methods, since classes that are cheaper may leave less to gain. */
static shoal_status compete(shoal_ctx *ctx, best *b, shoal_i_starts *starts, double effort)
{
    shoal_status st = SHOAL_OK;
    size_t count = b->grouping->count;
    double cost = shoal_i_alternatives_cost(b->alternatives, b->grouping, 0, count);
    double own = cost;

    SHOAL_TRY(shoal_i_starts_run(ctx, starts, b->problem, effort, cost, &b->meter));
    if (starts->count > 0 && (count > EXCHANGE_SEVERAL || starts->has_optimum)) {
        SHOAL_TRY(shoal_i_alternatives_release(ctx, b->alternatives, b->grouping,
                                               starts->releases[0], &cost));
    }
    if (count <= SHOAL_I_BLOCK) {
        SHOAL_TRY(exchange_block(ctx, b, 0, count));
    }
    for (size_t i = 0; i < starts->count && i < EXCHANGE_RIVALS && count <= EXCHANGE_SEVERAL &&
                       starts->costs[i] < EXCHANGE_NEAR * own;
         i++) {
        SHOAL_TRY(exchange_rival(ctx, b, starts->releases[i]));
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
        SHOAL_TRY(compete(ctx, b, &starts, effort));
    }
    SHOAL_TRY(shoal_i_groups_release(ctx, &release, problem->quasi, b->grouping->records,
                                     b->grouping->is_start));
    if (!b->alternatives) {
        SHOAL_TRY(shoal_i_starts_run(ctx, &starts, problem, effort,
                                     shoal_i_release_ncp(release), &b->meter));
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
        .lattice_most = LATTICE_MOST,
        .walks = WALKS,
        .start = shoal_i_clock_seconds(),
        .meter = {.stage = "anonymize"},
    };
    shoal_i_alternatives alternatives = {0};

    if (b.work == 0 && problem->row_count > LARGE_TABLE) {
        b.lattice_most = LATTICE_FAST;
        b.walks = 1;
    }
    b.meter.total = problem->row_count * (b.work > 0 ? 1 + 2 * SHOAL_I_SEARCH_UNITS : 1) + 1;

    *out = NULL;
    SHOAL_TRY(shoal_i_grouping_new(ctx, &b.grouping, problem));
    if (shoal_i_alternatives_apply(problem)) {
        SHOAL_TRY(shoal_i_alternatives_init(ctx, &alternatives, problem, b.grouping->lanes));
        b.alternatives = &alternatives;
        b.meter.total +=
            b.work > 0 ? EXCHANGE_RIVALS * SHOAL_I_SEARCH_UNITS * problem->row_count : 0;
    } else if (shoal_i_starts_apply(problem, effort)) {
        own.seconds *= OWN_SHARE;
    }
    b.deadline = b.start + own.seconds;
    SHOAL_TRY(shoal_i_split(ctx, b.grouping, problem->seed, SHOAL_I_BLOCK, 3, &b.meter));
    SHOAL_TRY(shoal_i_split_blocks(ctx, b.grouping, &own, solve_block, &b));
    SHOAL_TRY(finish(ctx, &b, out, problem, effort));
done:
    shoal_i_alternatives_clear(&alternatives);
    shoal_i_grouping_free(b.grouping);
    return st;
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
};
