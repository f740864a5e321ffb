#include "run.h"

#include "../../base/fail.h"

#include <stdio.h>
#include <string.h>

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
    run->warnings.accepted = spec->accepted;
    run->ctx.warnings = &run->warnings;
    shoal_i_stages_begin(&run->stages);
    return &run->ctx;
}

shoal_status shoal_i_run_end(shoal_i_run *run, shoal_status status)
{
    shoal_i_warnings_clear(&run->warnings);
    return shoal_i_ctx_join(run->caller, &run->ctx, status);
}

/* The codes of warnings that nobody accepted, each once, as a list of at most so many bytes. */
static void list_open(char *out, size_t capacity, const shoal_i_warnings *warnings)
{
    size_t length = 0;

    out[0] = '\0';
    for (size_t i = 0; shoal_i_warning_codes[i]; i++) {
        const shoal_i_warning *w = warnings->first;

        while (w && (w->is_accepted || strcmp(w->code, shoal_i_warning_codes[i]) != 0)) {
            w = w->next;
        }
        if (w && length < capacity) {
            length += (size_t)snprintf(out + length, capacity - length, "%s%s",
                                       length > 0 ? "," : "", w->code);
        }
    }
}

bool shoal_i_run_is_held_back(const shoal_i_run *run)
{
    return run->spec->is_strict && run->warnings.open_count > 0;
}

shoal_status shoal_i_run_judge(shoal_i_run *run)
{
    size_t count = run->warnings.open_count;
    char codes[512];

    if (!shoal_i_run_is_held_back(run)) {
        return SHOAL_OK;
    }
    list_open(codes, sizeof codes, &run->warnings);
    return shoal_i_fail(&run->ctx, SHOAL_EWARNED,
                        "There %s that nobody accepted, so nothing is published. Decide what "
                        "the columns are, or accept what you can live with: `accept: %s`.",
                        count == 1 ? "is a warning" : "are warnings", codes);
}

shoal_status shoal_i_run_stage(shoal_i_run *run, const char *name)
{
    shoal_i_stages_end_one(&run->stages, name);
    return shoal_i_check_cancelled(&run->ctx);
}
