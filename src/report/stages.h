/* stages.h -- how long each part of a run took. */
#ifndef SHOAL_I_STAGES_H
#define SHOAL_I_STAGES_H

#include <stddef.h>

#define SHOAL_I_STAGES_MAX 12

typedef struct shoal_i_stage {
    const char *name;
    double seconds;
} shoal_i_stage;

typedef struct shoal_i_stages {
    size_t count;
    shoal_i_stage items[SHOAL_I_STAGES_MAX];
    double started; /* of shoal_i_clock_seconds: the run; the stage at hand */
    double stage_started;
} shoal_i_stages;

void shoal_i_stages_begin(shoal_i_stages *stages);

/* A stage is over: note its seconds. */
void shoal_i_stages_end_one(shoal_i_stages *stages, const char *name);

/* Seconds since begin. */
double shoal_i_stages_total(const shoal_i_stages *stages);

#endif /* SHOAL_I_STAGES_H */
