#include "run.h"

#include "../../base/clock.h"

#include <assert.h>

void shoal_i_run_begin(shoal_i_run *run, shoal_ctx *ctx, const shoal_spec *spec)
{
    *run = (shoal_i_run){.ctx = ctx, .spec = spec, .threads = ctx->threads, .seed = ctx->seed};
    if (spec->has_threads) {
        ctx->threads = spec->threads;
    }
    if (spec->has_seed) {
        ctx->seed = spec->seed;
    }
    run->started = shoal_i_clock_seconds();
    run->stage_started = run->started;
}

void shoal_i_run_end(shoal_i_run *run)
{
    shoal_i_run_show_as(run, NULL);
    run->ctx->threads = run->threads;
    run->ctx->seed = run->seed;
}

shoal_status shoal_i_run_stage(shoal_i_run *run, const char *name)
{
    double now = shoal_i_clock_seconds();

    assert(run->stage_count < SHOAL_I_STAGES_MAX);
    run->stages[run->stage_count++] = (shoal_i_stage){name, now - run->stage_started};
    run->stage_started = now;
    return shoal_i_check_cancelled(run->ctx);
}

double shoal_i_run_seconds(const shoal_i_run *run)
{
    return shoal_i_clock_seconds() - run->started;
}

static bool pass_progress(void *payload, const char *stage, double fraction)
{
    const shoal_i_run *run = payload;

    (void)stage;
    return run->progress(run->progress_payload, run->shown_name, fraction);
}

void shoal_i_run_show_as(shoal_i_run *run, const char *name)
{
    shoal_ctx *ctx = run->ctx;

    if (run->shown_name) {
        ctx->progress = run->progress;
        ctx->progress_payload = run->progress_payload;
        run->shown_name = NULL;
    }
    if (name && ctx->progress) {
        run->progress = ctx->progress;
        run->progress_payload = ctx->progress_payload;
        run->shown_name = name;
        ctx->progress = pass_progress;
        ctx->progress_payload = run;
    }
}
