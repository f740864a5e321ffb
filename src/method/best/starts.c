#include "starts.h"

#include "../../base/relay.h"
#include "../../base/clock.h"
#include "../../base/pool.h"
#include "../problem/effort.h"
#include "../exact/exact.h"
#include "../hilbert/hilbert.h"
#include "../incognito/incognito.h"
#include "../problem/canonical_order.h"
#include "../finish/gather.h"
#include "../grouping/keep_cheaper.h"
#include "refine.h"
#include "sampled_problem.h"

#include <math.h>
#include <string.h>

/* Cells of the quasi-identifier, records times columns, up to which a method has a try: dear
 * ones; quick ones, where time is short; all but the quickest at fast effort. */
#define CELLS_DEAR 200000
#define CELLS_QUICK 1600000
#define CELLS_FAST 20000

/* Records up to which the dear ones have: they are quadratic at worst, where all values of a
 * column differ that has no hierarchy. Except at fast effort records that agree count as one:
 * dear ones are quick there, and share out equal records, which cells cannot. */
#define ROWS_DEAR 40000
#define ROWS_DEAR_FAST 3000

/* Where it is not as bad as that, up to so many numbers that are compared, records times lanes:
 * a second for each million, or less. */
#define LANES_DEAR 2e6

/* Where quick rivals came near, cluster has a try in any number of them, as the search takes as
 * long, unless a time is given or effort is fast. */
#define LANES_CLUSTER 16e6
#define LANES_CLUSTER_FAST 6e6

/* At fast effort that is only in tables of so many columns, where cells are no good start. */
#define COLUMNS_WIDE 12

/* Means are followed only where they promise something (cluster.c) if there are so many
 * lanes. */
#define LANES_MANY 48

/* A column without a hierarchy of which one record in so many has a value of its own: dear
 * rivals are quadratic in it. */
#define DISTINCT_SHARE 8

/* Quick rivals came near if one costs at most so many times what there is. */
#define CAME_NEAR 1.25

/* Where requirements read values, hilbert counts from the smallest class on until runs hold,
 * from each record. Where that would be more records than so many in all, it has a try only if
 * a tenth of it says that it costs at most so many times what there is. */
#define COUNTED_FAST 4e7
#define COUNTED_NORMAL 1e8
#define RUNS_NEAR 1.25

/* In tables of more records than this a sample of so many tells whether others have a chance:
 * not if its own first groups cost less than so many times what theirs do. A sample that holds
 * fewer than so many of the smallest classes tells little; one of a large part of the table
 * would save little. */
#define SAMPLED_ABOVE 200000
#define SAMPLE 32768
#define SAMPLE_CLASSES 64
#define SAMPLE_PART 4
#define HOPELESS 0.85

/* Steps after which full-domain recoding gives up: a third of a second, or less. */
#define STEPS_LATTICE 4e7

/* Steps that the optimum may take (exact.h). */
#define STEPS_FAST 1e7
#define STEPS_NORMAL 1e9
#define STEPS_HIGH 1e10

/* Rows that may be compared in first looks at rivals, and how many are looked at. */
#define LOOKS_WORK 72000000
#define LOOKS_MOST 6

/* A rival is looked at if it costs at most so many times what there is. A look at a large table
 * takes as long as all that was done so far, so there the rival must be cheaper as it is. */
#define PROMISING 1.3
#define PROMISING_LARGE 1.0

/* A long search goes on from a rival that after the first look costs so many times what there
 * is. */
#define NEAR 1.01

/* --- Who has a try. ----------------------------------------------------------------------- */

typedef enum pace { QUICK, DEAR } pace;

typedef struct rival {
    const char *text;
    pace pace;
    bool is_constant;  /* in tables of any size, at any effort, under any requirement */
    bool is_for_sizes; /* where requirements look at sizes alone */
    /* where they do not, in tables of any size: keeps to them as it splits */
    bool is_for_sensitive;
} rival;

static const rival rivals[] = {
    {"topdown", QUICK, true, true, true},
    {"hilbert", QUICK, true, true, true},
    {"mondrian", QUICK, true, true, true},
    {"specialize", QUICK, false, true, true},
    {"mondrian:finish=carve", QUICK, false, false, true},
    {"mondrian:mode=relaxed", QUICK, false, true, false},
    {"mondrian:cuts=children", QUICK, false, true, false},
    {"specialize:numeric=halves", QUICK, false, true, false},
    {"cluster", DEAR, false, true, false},
    {"bottomup", DEAR, false, true, false},
};
#define RIVALS (sizeof rivals / sizeof *rivals)

static bool is_fast(const shoal_i_problem *problem, double effort)
{
    return problem->seconds == 0 && effort == SHOAL_I_EFFORT_FAST;
}

static bool is_long(const shoal_i_problem *problem, double effort)
{
    return problem->seconds > 0 || effort == SHOAL_I_EFFORT_HIGH;
}

/* Whether dear rivals would take too long. */
static bool is_quadratic(const shoal_i_starts *starts)
{
    return starts->has_distinct && starts->dear_rows > ROWS_DEAR;
}

static double count_cells(const shoal_i_starts *starts, size_t rows)
{
    return (double)rows * (double)starts->problem->quasi->count;
}

/* Less than a second is time for so much less. */
static double shorten(const shoal_i_problem *problem, double most)
{
    return problem->seconds > 0 && problem->seconds < 1 ? most * problem->seconds : most;
}

/* Whether a dear rival has a try whatever others find. */
static bool has_dear_try(const rival *it, const shoal_i_starts *starts)
{
    const shoal_i_problem *problem = starts->problem;
    size_t rows = starts->dear_rows;
    double cells = count_cells(starts, rows);

    if (is_fast(problem, starts->effort)) {
        return it->is_for_sizes && problem->source->active_count == 0 &&
               rows <= ROWS_DEAR_FAST && cells <= CELLS_FAST;
    }
    if (rows <= ROWS_DEAR && cells <= shorten(problem, CELLS_DEAR)) {
        return true;
    }
    return problem->seconds == 0 && !starts->has_distinct &&
           (double)rows * (double)starts->lane_count <= LANES_DEAR;
}

/* Whether a dear rival has a try because others came near. */
static bool has_late_try(const rival *it, const shoal_i_starts *starts)
{
    const shoal_i_problem *problem = starts->problem;
    double work = (double)starts->dear_rows * (double)starts->lane_count;
    bool fast = is_fast(problem, starts->effort);
    double most = strcmp(it->text, "cluster") != 0 ? LANES_DEAR
                  : fast                           ? LANES_CLUSTER_FAST
                  : problem->seconds > 0           ? LANES_CLUSTER
                                                   : INFINITY;

    if (fast && (problem->quasi->count < COLUMNS_WIDE || most == LANES_DEAR)) {
        return false;
    }
    return work <= most && !is_quadratic(starts);
}

static bool has_try(const rival *it, const shoal_i_starts *starts)
{
    const shoal_i_problem *problem = starts->problem;
    double cells = count_cells(starts, problem->row_count);
    double most = shorten(problem, CELLS_QUICK);

    if (it->pace == DEAR) {
        return has_dear_try(it, starts);
    }
    if (it->is_constant && (problem->seconds == 0 || cells <= most)) {
        return true;
    }
    if (problem->source->active_count > 0) {
        return !is_fast(problem, starts->effort) &&
               (it->is_for_sensitive || cells <= CELLS_DEAR);
    }
    if (is_fast(problem, starts->effort)) {
        most = CELLS_FAST;
    } else if (problem->seconds == 0) {
        most = INFINITY;
    }
    return it->is_for_sizes && cells <= most;
}

/* What a rival is called where it has a try. */
static const char *name_rival(const rival *it, const shoal_i_starts *starts)
{
    bool is_quick =
        starts->lane_count >= LANES_MANY && count_cells(starts, starts->dear_rows) > CELLS_DEAR;

    return is_quick && strcmp(it->text, "cluster") == 0 ? "cluster:means=near" : it->text;
}

/* Steps that full-domain recoding may take; 0: it has no try. */
static double limit_lattice(const shoal_i_problem *problem, double effort)
{
    bool is_short = problem->seconds > 0 && problem->seconds < 1;

    return is_fast(problem, effort) ? 0 : STEPS_LATTICE * (is_short ? problem->seconds : 1);
}

bool shoal_i_starts_have_optimum(const shoal_i_problem *problem, double effort)
{
    double steps = is_fast(problem, effort)   ? STEPS_FAST
                   : is_long(problem, effort) ? STEPS_HIGH
                                              : STEPS_NORMAL;

    if (problem->seconds > 0 && problem->seconds < STEPS_HIGH / STEPS_NORMAL) {
        steps = problem->seconds * STEPS_NORMAL / 2;
    }
    return shoal_i_exact_work(problem) <= steps;
}

/* --- What they are judged by. ------------------------------------------------------------- */

/* Lanes of a row, about (points.h). */
static size_t count_lanes(const shoal_i_quasi *quasi)
{
    size_t count = 0;

    for (size_t c = 0; c < quasi->count; c++) {
        const shoal_hierarchy *hierarchy = quasi->columns[c].hierarchy;

        count += hierarchy ? (size_t)shoal_hierarchy_height(hierarchy) : 1;
    }
    return count;
}

static bool has_distinct_column(const shoal_i_problem *problem)
{
    for (size_t c = 0; c < problem->quasi->count; c++) {
        const shoal_i_quasi_column *column = &problem->quasi->columns[c];

        if (column->hierarchy && column->value_count > problem->row_count / DISTINCT_SHARE &&
            shoal_hierarchy_height(column->hierarchy) == 1) {
            return true;
        }
    }
    return false;
}

static bool agree(const shoal_i_quasi *quasi, size_t one, size_t other)
{
    for (size_t c = 0; c < quasi->count; c++) {
        if (shoal_i_quasi_code(quasi, c, one) != shoal_i_quasi_code(quasi, c, other)) {
            return false;
        }
    }
    return true;
}

/* The records that dear rivals work through. Those that agree come one after the other in a
 * problem, so that each that differs from the one before is another one. */
static size_t count_dear(const shoal_i_problem *problem, double effort)
{
    size_t count = problem->row_count > 0;

    if (is_fast(problem, effort)) {
        return problem->row_count;
    }
    for (size_t i = 1; i < problem->row_count; i++) {
        count += !agree(problem->quasi, i - 1, i);
    }
    return count;
}

static shoal_i_starts start(const shoal_i_problem *problem, double effort)
{
    return (shoal_i_starts){.problem = problem,
                            .effort = effort,
                            .dear_rows = count_dear(problem, effort),
                            .lane_count = count_lanes(problem->quasi),
                            .has_distinct = has_distinct_column(problem)};
}

bool shoal_i_starts_apply(const shoal_i_problem *problem, double effort)
{
    shoal_i_starts starts = start(problem, effort);

    for (size_t i = 0; i < RIVALS; i++) {
        if (has_try(&rivals[i], &starts)) {
            return true;
        }
    }
    return shoal_i_starts_have_optimum(problem, effort);
}

/* --- Their releases. ---------------------------------------------------------------------- */

typedef struct contest {
    const shoal_i_problem *problem;
    double deadline; /* 0: none */
    double lattice_steps;
    double counted; /* hilbert gives up above both (hilbert.h) */
    double cost_most;
    bool has_easier; /* the last one is less effort of the same */
    size_t count;
    const char *texts[SHOAL_I_STARTS_MAX]; /* NULL: full-domain recoding, while it is quick */
    shoal_i_release *releases[SHOAL_I_STARTS_MAX]; /* NULL: it gave up, or was late */
} contest;

static shoal_status run_method(shoal_ctx *ctx, shoal_i_release **out,
                               const shoal_i_problem *problem, const char *text)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_method *method = NULL;
    shoal_i_method_settings settings = {0};
    shoal_i_canonical shuffled = {.problem = *problem};

    SHOAL_TRY(shoal_i_method_parse(ctx, &method, &settings, text));
    if (method->wants_shuffled) { /* as it would be given the records alone */
        SHOAL_TRY(shoal_i_canonical_init(ctx, &shuffled, problem, true));
    }
    SHOAL_TRY(method->run(ctx, out, &shuffled.problem, &settings));
    SHOAL_TRY(shoal_i_canonical_return(ctx, &shuffled, *out));
done:
    shoal_i_canonical_clear(&shuffled);
    return st;
}

static bool is_hilbert(const char *text)
{
    return text && strcmp(text, "hilbert") == 0;
}

static shoal_status run_rival(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    contest *c = payload;
    shoal_i_release **out = &c->releases[index];

    if (is_hilbert(c->texts[index])) {
        SHOAL_TRY(shoal_i_hilbert_within(ctx, out, c->problem, c->counted, c->cost_most));
    } else if (c->texts[index]) {
        SHOAL_TRY(run_method(ctx, out, c->problem, c->texts[index]));
    } else {
        SHOAL_TRY(shoal_i_incognito_within(ctx, out, c->problem, c->lattice_steps));
    }
    if (*out && !shoal_i_problem_is_monotone(c->problem)) {
        SHOAL_TRY(shoal_i_gather(ctx, out, c->problem));
    }
done:
    if (st != SHOAL_OK) {
        shoal_i_release_free(*out);
        *out = NULL;
    }
    return st;
}

/* Put a release, which is the list's from now on, where it belongs by its cost. One that costs
 * the same as another is taken for the same. */
static void rank(shoal_i_starts *starts, shoal_i_release *release)
{
    double cost = shoal_i_release_ncp(release);
    size_t place = 0;

    while (place < starts->count && starts->costs[place] < cost) {
        place++;
    }
    if (place < starts->count && starts->costs[place] == cost) {
        shoal_i_release_free(release);
        return;
    }
    for (size_t i = starts->count++; i > place; i--) {
        starts->releases[i] = starts->releases[i - 1];
        starts->costs[i] = starts->costs[i - 1];
    }
    starts->releases[place] = release;
    starts->costs[place] = cost;
}

/* The bar stands still meanwhile: how much of the search is done does not change. */
static shoal_status run_all(shoal_ctx *ctx, contest *c, const shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    shoal_i_relay relay;

    shoal_i_relay_begin(&relay, ctx, meter->stage);
    relay.from = (double)meter->done / (double)meter->total;
    relay.share = 0;
    shoal_i_relay_limit(&relay, c->deadline);
    st = shoal_i_parallel_for(&relay.own, c->count, run_rival, c);
    return shoal_i_relay_join(&relay, ctx, st);
}

/* Run the rivals that were invited, and list their releases. */
static shoal_status hold(shoal_ctx *ctx, shoal_i_starts *starts, contest *c,
                         const shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(run_all(ctx, c, meter));
    if (c->has_easier) {
        starts->easier = c->releases[c->count - 1];
        c->releases[c->count - 1] = NULL;
    }
    for (size_t i = 0; i < c->count; i++) {
        if (c->releases[i]) {
            rank(starts, c->releases[i]);
            c->releases[i] = NULL;
        }
    }
done:
    for (size_t i = 0; i < c->count; i++) {
        shoal_i_release_free(c->releases[i]);
    }
    return st;
}

static void invite(contest *c, const char *text)
{
    c->texts[c->count++] = text;
}

/* Less effort of the same, where values matter; NULL: it has no try. In a large table fast
 * effort takes a quarter more memory beside normal effort, and is not ahead. */
static const char *name_easier(const shoal_i_starts *starts)
{
    const shoal_i_problem *problem = starts->problem;

    if (problem->seconds > 0 || !shoal_i_alternatives_apply(problem)) {
        return NULL;
    }
    if (starts->effort == SHOAL_I_EFFORT_HIGH) {
        return "best";
    }
    return starts->effort == SHOAL_I_EFFORT_NORMAL && problem->row_count <= SAMPLED_ABOVE
               ? "best:effort=fast"
               : NULL;
}

/* Those who have a try at once. */
static contest invite_first(const shoal_i_starts *starts, double cost, double deadline)
{
    bool fast = is_fast(starts->problem, starts->effort);
    contest c = {.problem = starts->problem,
                 .deadline = deadline,
                 .lattice_steps = limit_lattice(starts->problem, starts->effort),
                 .counted = fast ? COUNTED_FAST : COUNTED_NORMAL,
                 .cost_most = RUNS_NEAR * cost};

    for (size_t i = 0; i < RIVALS; i++) {
        if (has_try(&rivals[i], starts)) {
            invite(&c, name_rival(&rivals[i], starts));
        }
    }
    if (c.lattice_steps > 0) {
        invite(&c, NULL);
    }
    const char *easier = name_easier(starts);

    if (easier) {
        invite(&c, easier);
        c.has_easier = true;
    }
    return c;
}

/* Those who have one because others came near. */
static contest invite_late(const shoal_i_starts *starts, double deadline)
{
    contest c = {.problem = starts->problem, .deadline = deadline};

    for (size_t i = 0; i < RIVALS; i++) {
        if (rivals[i].pace == DEAR && has_late_try(&rivals[i], starts) &&
            !has_try(&rivals[i], starts)) {
            invite(&c, name_rival(&rivals[i], starts));
        }
    }
    return c;
}

/* How many records a sample needs that tells who has a chance; 0: none is taken. */
static size_t count_sampled(const shoal_i_problem *problem)
{
    uint64_t smallest = shoal_i_requirement_smallest_class(problem->requirements);
    double wanted = fmax(SAMPLE, SAMPLE_CLASSES * (double)smallest);

    if (problem->row_count <= SAMPLED_ABOVE || problem->source->active_count > 0 ||
        wanted * SAMPLE_PART > (double)problem->row_count) {
        return 0;
    }
    return (size_t)wanted;
}

/* Whether a try is hopeless in a large table: in a sample its own start costs clearly less than
 * any of those who would have one at once, or there is not even time for the sample. */
static shoal_status find_hopeless(shoal_ctx *ctx, bool *out, const shoal_i_starts *starts,
                                  double deadline, const shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sampled sampled = {0};
    contest c = {.problem = &sampled.problem, .deadline = deadline};
    double least = INFINITY;
    bool is_late = false;
    size_t sample = count_sampled(starts->problem);

    *out = false;
    if (sample == 0) {
        return SHOAL_OK;
    }
    SHOAL_TRY(shoal_i_sampled_init(ctx, &sampled, starts->problem, sample));
    invite(&c, "best:effort=fast");
    for (size_t i = 0; i < RIVALS; i++) {
        if (has_try(&rivals[i], starts)) {
            invite(&c, rivals[i].text);
        }
    }
    SHOAL_TRY(run_all(ctx, &c, meter));
    for (size_t i = 0; i < c.count; i++) {
        is_late |= !c.releases[i];
    }
    for (size_t i = 1; i < c.count && !is_late; i++) {
        least = fmin(least, shoal_i_release_ncp(c.releases[i]));
    }
    *out = is_late || shoal_i_release_ncp(c.releases[0]) < HOPELESS * least;
done:
    for (size_t i = 0; i < c.count; i++) {
        shoal_i_release_free(c.releases[i]);
    }
    shoal_i_sampled_clear(&sampled);
    return st;
}

shoal_status shoal_i_starts_run(shoal_ctx *ctx, shoal_i_starts *starts,
                                const shoal_i_problem *problem, double effort, double cost,
                                double deadline, const shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    contest c = {.problem = problem, .deadline = deadline, .count = 1, .texts = {"exact"}};

    *starts = start(problem, effort);
    if (cost == 0) {
        return SHOAL_OK;
    }
    starts->has_optimum = shoal_i_starts_have_optimum(problem, effort);
    if (starts->has_optimum) {
        return hold(ctx, starts, &c, meter);
    }
    bool is_hopeless = false;

    SHOAL_TRY(find_hopeless(ctx, &is_hopeless, starts, deadline, meter));
    if (is_hopeless) {
        return SHOAL_OK;
    }
    c = invite_first(starts, cost, deadline);
    SHOAL_TRY(hold(ctx, starts, &c, meter));
    if (starts->count > 0 && starts->costs[0] <= CAME_NEAR * cost) {
        c = invite_late(starts, deadline);
        SHOAL_TRY(hold(ctx, starts, &c, meter));
    }
done:
    return st;
}

void shoal_i_starts_clear(shoal_i_starts *starts)
{
    for (size_t i = 0; i < starts->count; i++) {
        shoal_i_release_free(starts->releases[i]);
    }
    shoal_i_release_free(starts->easier);
    *starts = (shoal_i_starts){0};
}

/* --- Searching on. ------------------------------------------------------------------------ */

typedef struct onward {
    shoal_i_starts *starts;
    double deadline;
    uint64_t look; /* work of a first look */
    shoal_i_meter *meter;
} onward;

static bool is_over(const onward *o)
{
    return shoal_i_clock_is_over(o->deadline);
}

/* Search on from a release; *release and *cost are what that finds if it is cheaper. */
static shoal_status go_on(shoal_ctx *ctx, const onward *o, shoal_i_release **release,
                          double *cost, uint64_t work, uint64_t units)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *found = NULL;
    shoal_i_search_limit limit = {.work = work, .deadline = o->deadline, .units = units};

    SHOAL_TRY(shoal_i_refine_within(ctx, &found, o->starts->problem, (*release)->box_of, limit,
                                    o->meter));
    double reached = shoal_i_release_ncp(found);

    if (reached < *cost) {
        shoal_i_release_free(*release);
        *release = found;
        *cost = reached;
        found = NULL;
    }
done:
    shoal_i_release_free(found);
    return st;
}

/* How many rivals may be looked at: more in small tables, where a look takes a moment; none in
 * a table of several blocks, where it would take all of them at once. */
static size_t count_looks(const onward *o)
{
    uint64_t looks = LOOKS_WORK / o->look;

    if (o->starts->problem->row_count > SHOAL_I_BLOCK) {
        return 0;
    }
    looks = looks < 1 ? 1 : looks < LOOKS_MOST ? looks : LOOKS_MOST;
    return looks < o->starts->count ? (size_t)looks : o->starts->count;
}

/* Search on from the cheapest rivals for a while; *best is the place of what is cheapest
 * then. */
static shoal_status look_at_rivals(shoal_ctx *ctx, const onward *o, size_t *best, double cost,
                                   uint64_t units)
{
    shoal_status st = SHOAL_OK;
    shoal_i_starts *starts = o->starts;
    size_t looks = count_looks(o);
    double promising = o->look > LOOKS_WORK ? PROMISING_LARGE : PROMISING;

    *best = 0;
    for (size_t i = 0; i < looks && !is_over(o); i++) {
        if (!is_long(starts->problem, starts->effort) && starts->costs[i] > promising * cost) {
            break;
        }
        SHOAL_TRY(
            go_on(ctx, o, &starts->releases[i], &starts->costs[i], o->look, units / looks));
        *best = starts->costs[i] < starts->costs[*best] ? i : *best;
    }
done:
    return st;
}

/* Go on for long: from the best rival if it is near, else, if there is time left, from what
 * there is. */
static shoal_status go_on_long(shoal_ctx *ctx, const onward *o, shoal_i_release **release,
                               double *cost, size_t best, uint64_t units)
{
    shoal_status st = SHOAL_OK;
    shoal_i_starts *starts = o->starts;
    uint64_t work =
        shoal_i_effort_work(starts->effort, starts->problem) * starts->problem->row_count;

    if (starts->costs[best] < NEAR * *cost) {
        SHOAL_TRY(go_on(ctx, o, &starts->releases[best], &starts->costs[best], work, units));
    } else if (o->deadline > 0) {
        SHOAL_TRY(go_on(ctx, o, release, cost, work, units));
    }
done:
    return st;
}

shoal_status shoal_i_starts_search(shoal_ctx *ctx, shoal_i_release **release,
                                   shoal_i_starts *starts, double deadline, uint64_t units,
                                   shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_problem *problem = starts->problem;
    double cost = shoal_i_release_ncp(*release);
    size_t best = 0;
    const onward o = {.starts = starts,
                      .deadline = deadline,
                      .look = shoal_i_effort_first_look(problem) * problem->row_count,
                      .meter = meter};

    if (starts->count == 0) {
        return SHOAL_OK;
    }
    if (!starts->has_optimum && shoal_i_effort_work(starts->effort, problem) > 0) {
        SHOAL_TRY(look_at_rivals(ctx, &o, &best, cost, units / 2));
        if (is_long(problem, starts->effort) && !is_over(&o)) {
            SHOAL_TRY(go_on_long(ctx, &o, release, &cost, best, units / 2));
        } else if (problem->quasi->count >= COLUMNS_WIDE &&
                   problem->row_count <= SHOAL_I_BLOCK) {
            /* What its own start left undone there, another look makes up for. */
            bool is_rival = starts->costs[best] < cost;

            SHOAL_TRY(go_on(ctx, &o, is_rival ? &starts->releases[best] : release,
                            is_rival ? &starts->costs[best] : &cost, o.look, units / 2));
        }
    }
    if (starts->costs[best] < cost) {
        shoal_i_release_free(*release);
        *release = starts->releases[best];
        starts->releases[best] = NULL;
    }
done:
    return st;
}
