#include "run.h"

void shoal_i_run_begin(shoal_i_run *run, shoal_ctx *ctx, const shoal_spec *spec)
{
    *run = (shoal_i_run){.ctx = ctx, .spec = spec, .threads = ctx->threads, .seed = ctx->seed};
    if (spec->has_threads) {
        ctx->threads = spec->threads;
    }
    if (spec->has_seed) {
        ctx->seed = spec->seed;
    }
    shoal_i_stages_begin(&run->stages);
}

void shoal_i_run_end(shoal_i_run *run)
{
    shoal_i_run_show_as(run, NULL);
    run->ctx->threads = run->threads;
    run->ctx->seed = run->seed;
}

shoal_status shoal_i_run_stage(shoal_i_run *run, const char *name)
{
    shoal_i_stages_end_one(&run->stages, name);
    return shoal_i_check_cancelled(run->ctx);
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
