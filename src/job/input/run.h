/* run.h -- what all runs share: the settings of a spec in force, and the seconds of each stage.
 */
#ifndef SHOAL_I_RUN_H
#define SHOAL_I_RUN_H

#include "../../report/stages.h"
#include "../../spec/spec.h"

typedef struct shoal_i_run {
    shoal_ctx *ctx;
    const shoal_spec *spec;
    int threads;   /* of the context, to be restored */
    uint64_t seed; /* likewise */
    shoal_i_stages stages;

    /* The caller's progress callback, while another name is shown for a stage. */
    shoal_progress_fn progress;
    void *progress_payload;
    const char *shown_name;
} shoal_i_run;

/* Put the seed and the threads of the spec, where it has them, into the context; end restores
 * those of the context. */
void shoal_i_run_begin(shoal_i_run *run, shoal_ctx *ctx, const shoal_spec *spec);
void shoal_i_run_end(shoal_i_run *run);

/* A stage is over: note its seconds. SHOAL_ECANCELLED when the caller wants to stop. */
shoal_status shoal_i_run_stage(shoal_i_run *run, const char *name);

/* Show the progress of all that follows under one name, until called with NULL. */
void shoal_i_run_show_as(shoal_i_run *run, const char *name);

#endif /* SHOAL_I_RUN_H */
