#include "batch_search.h"

#include "../../base/clock.h"
#include "../../base/fail.h"
#include "../../base/pool.h"

#include <math.h>

static shoal_status run_task(shoal_ctx *ctx, void *payload, size_t task)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_batch_search *s = payload;
    uint64_t key = shoal_i_random_key(s->seed, s->batch * SHOAL_I_BATCH_TASKS + task);

    SHOAL_TRY(s->look(ctx, s->payload, task, shoal_i_random_start(key)));
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    return st;
}

/* How much of the limit is used up, from 0 to 1: by work or by time, whichever is more. */
static double find_progress(const shoal_i_batch_search *s, const shoal_i_search_limit *limit,
                            double start)
{
    uint64_t work = 0;

    for (size_t task = 0; task < SHOAL_I_BATCH_TASKS; task++) {
        work += s->work(s->payload, task);
    }
    double progress = (double)work / (double)limit->work;

    if (limit->deadline > 0) {
        double length = limit->deadline - start;
        double passed = shoal_i_clock_seconds() - start;

        progress = fmax(progress, length > 0 ? passed / length : 1);
    }
    return fmin(progress, 1);
}

shoal_status shoal_i_batch_search_run(shoal_ctx *ctx, shoal_i_batch_search *search,
                                      shoal_i_search_limit limit, shoal_i_meter *meter)
{
    shoal_status st = SHOAL_OK;
    double start = shoal_i_clock_seconds();
    uint64_t shown = 0;

    search->batch = 0;
    search->touched_at = NULL;
    SHOAL_ALLOC(ctx, search->touched_at, search->group_count);
    search->progress = 0;
    while (search->progress < 1) {
        search->batch++;
        SHOAL_TRY(shoal_i_parallel_for(ctx, SHOAL_I_BATCH_TASKS, run_task, search));
        for (size_t task = 0; task < SHOAL_I_BATCH_TASKS; task++) {
            search->accept(search->payload, search, task);
        }
        search->progress = find_progress(search, &limit, start);
        uint64_t now = (uint64_t)(search->progress * (double)limit.units);

        SHOAL_TRY(shoal_i_meter_add(ctx, meter, now - shown));
        shown = now;
    }
done:
    free(search->touched_at);
    search->touched_at = NULL;
    return st;
}
