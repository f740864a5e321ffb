/* run.h -- what all runs share: a context with the settings of the spec in force and a place
 * for warnings, from where reports take them, and the seconds of each stage.
 *
 *     shoal_ctx *ctx = shoal_i_run_begin(&run, caller, spec);
 *
 *     SHOAL_TRY(...(ctx, ...));
 *     SHOAL_TRY(shoal_i_run_stage(&run, "read"));
 * done:
 *     return shoal_i_run_end(&run, st);
 *
 * The caller's own context keeps its settings; it gets the failure, if there is one.
 */
#ifndef SHOAL_I_RUN_H
#define SHOAL_I_RUN_H

#include "../../base/warnings.h"
#include "../../report/stages.h"
#include "../../spec/spec.h"

typedef struct shoal_i_run {
    shoal_ctx ctx; /* the run's: seed and threads are those of the spec, where it has them */
    shoal_ctx *caller;
    const shoal_spec *spec;
    shoal_i_stages stages;
    shoal_i_warnings warnings;
} shoal_i_run;

/* The context to work with. The run lives on the stack and is not moved. */
shoal_ctx *shoal_i_run_begin(shoal_i_run *run, shoal_ctx *caller, const shoal_spec *spec);

/* Hand a failure, if status is one, to the caller, and end the run; gives status back. */
shoal_status shoal_i_run_end(shoal_i_run *run, shoal_status status);

/* A stage is over: note its seconds. SHOAL_ECANCELLED when the caller wants to stop. */
shoal_status shoal_i_run_stage(shoal_i_run *run, const char *name);

/* Whether the spec is strict, and there are warnings that nobody accepted. */
bool shoal_i_run_is_held_back(const shoal_i_run *run);

/* Whether what was found may be published. SHOAL_EWARNED: the spec is strict, and there are
 * warnings that nobody accepted. */
shoal_status shoal_i_run_judge(shoal_i_run *run);

#endif /* SHOAL_I_RUN_H */
