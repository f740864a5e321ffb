#include "exchange.h"

#include "../../base/clock.h"
#include "../../base/fail.h"
#include "../../base/pool.h"
#include "../../base/random.h"
#include "exchange_scratch.h"

#include <math.h>

/* Tasks of a batch. */
#define TASKS 8

typedef struct search {
    shoal_i_classes *classes;
    uint64_t key;
    uint64_t batch;
    uint64_t *touched_at; /* per class: the last batch that changed it */
    shoal_i_exchange_scratch *scratches;
} search;

static shoal_status run_task(shoal_ctx *ctx, void *payload, size_t index)
{
    search *s = payload;
    uint64_t key = shoal_i_random_key(s->key, s->batch * TASKS + index);

    shoal_i_exchange_scratch_search(&s->scratches[index], shoal_i_random_start(key));
    return shoal_i_check_cancelled(ctx);
}

static bool is_touched(const search *s, const shoal_i_change *it)
{
    return s->touched_at[s->classes->class_of[it->member]] == s->batch ||
           (it->class != SHOAL_I_NEW_CLASS && s->touched_at[it->class] == s->batch);
}

/* Make a step, unless one before has touched the same classes. */
static void make_step(search *s, const shoal_i_change *changes, size_t count)
{
    shoal_i_classes *c = s->classes;
    uint32_t touched[2 * SHOAL_I_REPLACED_MAX + 2];
    size_t touched_count = 0;
    uint32_t fresh = SHOAL_I_NEW_CLASS;

    for (size_t i = 0; i < count; i++) {
        if (is_touched(s, &changes[i])) {
            return;
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t from = c->class_of[changes[i].member];
        uint32_t to = changes[i].class;

        if (to == SHOAL_I_NEW_CLASS) {
            if (fresh == SHOAL_I_NEW_CLASS) {
                fresh = (uint32_t)c->class_count++;
                c->classes[fresh] = (shoal_i_class){.head = SHOAL_I_NOBODY};
            }
            to = fresh;
        }
        for (int side = 0; side < 2; side++) {
            uint32_t class = side == 0 ? from : to;

            if (s->touched_at[class] != s->batch) {
                s->touched_at[class] = s->batch;
                touched[touched_count++] = class;
            }
        }
        shoal_i_classes_move(c, changes[i].member, to);
    }
    for (size_t i = 0; i < touched_count; i++) {
        shoal_i_classes_survey(c, touched[i]);
    }
}

static void make_steps(search *s)
{
    for (size_t i = 0; i < TASKS; i++) {
        const shoal_i_exchange_scratch *r = &s->scratches[i];

        for (size_t j = 0; j < r->step_count; j++) {
            make_step(s, r->changes + r->steps[j].first, r->steps[j].count);
        }
    }
}

static uint64_t count_work(const search *s)
{
    uint64_t work = 0;

    for (size_t i = 0; i < TASKS; i++) {
        work += s->scratches[i].work;
    }
    return work;
}

/* How much of the limit is used up, from 0 to 1. */
static double find_progress(const search *s, const shoal_i_search_limit *limit, double start)
{
    double progress = (double)count_work(s) / (double)limit->work;

    if (limit->deadline > 0) {
        double length = limit->deadline - start;
        double passed = shoal_i_clock_seconds() - start;

        progress = fmax(progress, length > 0 ? passed / length : 1);
    }
    return fmin(progress, 1);
}

shoal_status shoal_i_exchange(shoal_ctx *ctx, shoal_i_grouping *grouping, size_t first,
                              size_t count, const shoal_i_problem *problem,
                              const shoal_i_strata *strata, uint64_t seed,
                              shoal_i_search_limit limit, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    search s = {.key = seed};
    double start = shoal_i_clock_seconds();
    uint64_t shown = 0;

    SHOAL_TRY(shoal_i_classes_build(ctx, &s.classes, grouping, first, count, strata));
    SHOAL_ALLOC(ctx, s.touched_at, count);
    SHOAL_ALLOC(ctx, s.scratches, TASKS);
    for (size_t i = 0; i < TASKS; i++) {
        SHOAL_TRY(
            shoal_i_exchange_scratch_init(ctx, &s.scratches[i], s.classes, problem, strata));
    }
    for (double progress = 0; progress < 1;) {
        s.batch++;
        SHOAL_TRY(shoal_i_parallel_for(ctx, TASKS, run_task, &s));
        make_steps(&s);
        progress = find_progress(&s, &limit, start);
        uint64_t now = (uint64_t)(progress * (double)limit.units);

        SHOAL_TRY(shoal_i_meter_add(ctx, meter, now - shown));
        shown = now;
    }
    shoal_i_classes_lay_out(s.classes, grouping, first);
done:
    for (size_t i = 0; s.scratches && i < TASKS; i++) {
        shoal_i_exchange_scratch_clear(&s.scratches[i]);
    }
    free(s.scratches);
    free(s.touched_at);
    shoal_i_classes_free(s.classes);
    return st;
}
