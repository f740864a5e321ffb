#include "stages.h"

#include "../base/clock.h"

#include <assert.h>

void shoal_i_stages_begin(shoal_i_stages *stages)
{
    double now = shoal_i_clock_seconds();

    *stages = (shoal_i_stages){.started = now, .stage_started = now};
}

void shoal_i_stages_end_one(shoal_i_stages *stages, const char *name)
{
    double now = shoal_i_clock_seconds();

    assert(stages->count < SHOAL_I_STAGES_MAX);
    stages->items[stages->count++] = (shoal_i_stage){name, now - stages->stage_started};
    stages->stage_started = now;
}

double shoal_i_stages_total(const shoal_i_stages *stages)
{
    return shoal_i_clock_seconds() - stages->started;
}
