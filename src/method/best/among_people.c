#include "among_people.h"

#include "../../base/clock.h"
#include "../../base/pool.h"
#include "../../base/relay.h"
#include "../finish/gather.h"
#include "../problem/effort.h"
#include "refine.h"

/* Whose classes are gathered: the first so many at any effort. */
static const char *const texts[] = {"topdown", "mondrian", "hilbert",   "best:effort=fast",
                                    "cluster", "bottomup", "specialize"};
#define TEXTS (sizeof texts / sizeof *texts)
#define TEXTS_FAST 4

/* Of the time that is given, the part for gathering. The first method has as long as it takes:
 * there must be a release. */
#define GATHER_PART 0.4

/* Units of the meter for gathering, in those for the search. */
#define GATHER_UNITS 0.5

typedef struct contest {
    const shoal_i_problem *problem;
    double deadline; /* 0: none */
    size_t count;
    shoal_i_release *releases[TEXTS];
    shoal_i_meter meter;
    uint64_t units; /* for each */
} contest;

static shoal_status gather_one(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    contest *c = payload;
    const shoal_i_method *method = NULL;
    shoal_i_method_settings settings = {0};
    shoal_i_relay relay;

    shoal_i_relay_begin(&relay, ctx, "anonymize");
    relay.share = 0; /* several run at a time: the bar moves when one is done */
    shoal_i_relay_limit(&relay, index > 0 ? c->deadline : 0);
    SHOAL_TRY(shoal_i_method_parse(ctx, &method, &settings, texts[index]));
    st = shoal_i_gather_run(&relay.own, &c->releases[index], method, c->problem, &settings);
    SHOAL_TRY(shoal_i_relay_join(&relay, ctx, st));
    SHOAL_TRY(shoal_i_meter_add(ctx, &c->meter, c->units));
done:
    return st;
}

/* The cheapest of all releases. */
static shoal_i_release *take_cheapest(contest *c)
{
    size_t best = 0;

    for (size_t i = 1; i < TEXTS; i++) {
        if (c->releases[i] &&
            shoal_i_release_ncp(c->releases[i]) < shoal_i_release_ncp(c->releases[best])) {
            best = i;
        }
    }
    shoal_i_release *cheapest = c->releases[best];

    c->releases[best] = NULL;
    return cheapest;
}

/* Search on from a release, which is replaced by what loses less. */
static shoal_status search(shoal_ctx *ctx, shoal_i_release **release,
                           const shoal_i_problem *problem, shoal_i_search_limit limit,
                           shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *found = NULL;

    if (limit.work == 0 || !shoal_i_problem_is_monotone(problem) ||
        shoal_i_clock_is_over(limit.deadline)) {
        return SHOAL_OK;
    }
    SHOAL_TRY(shoal_i_refine_within(ctx, &found, problem, (*release)->box_of, limit, meter));
    /* A point of the search stands for equal rows; rows are rounded. */
    SHOAL_TRY(shoal_i_gather(ctx, &found, problem));
    if (shoal_i_release_ncp(found) < shoal_i_release_ncp(*release)) {
        shoal_i_release_free(*release);
        *release = found;
        found = NULL;
    }
done:
    shoal_i_release_free(found);
    return st;
}

shoal_status shoal_i_best_among_people(shoal_ctx *ctx, shoal_i_release **out,
                                       const shoal_i_problem *problem, double effort)
{
    shoal_status st = SHOAL_OK;
    double start = shoal_i_clock_seconds();
    double seconds = problem->seconds;
    shoal_i_problem untimed = *problem;
    shoal_i_search_limit limit = {
        .work = shoal_i_effort_work(effort, problem) * problem->row_count,
        .deadline = seconds > 0 ? start + seconds : 0,
        .units = SHOAL_I_SEARCH_UNITS * problem->row_count,
    };
    contest c = {.problem = &untimed,
                 .deadline = seconds > 0 ? start + GATHER_PART * seconds : 0,
                 .count = limit.work > 0 ? TEXTS : TEXTS_FAST,
                 .meter = {.stage = "anonymize"}};
    shoal_i_relay all; /* so that the bar does not go back */

    *out = NULL;
    untimed.seconds = 0;
    c.units = (uint64_t)(GATHER_UNITS * (double)limit.units) / c.count;
    c.meter.total = c.count * c.units + (limit.work > 0 ? limit.units : 0) + 1;
    shoal_i_relay_begin(&all, ctx, "anonymize");
    SHOAL_TRY(shoal_i_ctx_join(ctx, &all.own,
                               shoal_i_parallel_for(&all.own, c.count, gather_one, &c)));
    *out = take_cheapest(&c);
    SHOAL_TRY(search(ctx, out, problem, limit, &c.meter));
done:
    for (size_t i = 0; i < TEXTS; i++) {
        shoal_i_release_free(c.releases[i]);
    }
    if (st != SHOAL_OK) {
        shoal_i_release_free(*out);
        *out = NULL;
    }
    return st;
}
