#include "run.h"

#include "../../base/fail.h"

shoal_ctx *shoal_i_run_begin(shoal_i_run *run, shoal_ctx *caller, const shoal_spec *spec)
{
    *run = (shoal_i_run){.caller = caller, .spec = spec};
    shoal_i_ctx_child(&run->ctx, caller);
    if (spec->has_threads) {
        shoal_i_ctx_child_threads(&run->ctx, spec->threads);
    }
    if (spec->has_seed) {
        run->ctx.seed = spec->seed;
    }
    run->ctx.warnings = &run->warnings;
    shoal_i_stages_begin(&run->stages);
    return &run->ctx;
}

shoal_status shoal_i_run_end(shoal_i_run *run, shoal_status status)
{
    shoal_i_warnings_clear(&run->warnings);
    return shoal_i_ctx_join(run->caller, &run->ctx, status);
}

shoal_status shoal_i_run_stage(shoal_i_run *run, const char *name)
{
    shoal_i_stages_end_one(&run->stages, name);
    return shoal_i_check_cancelled(&run->ctx);
}
