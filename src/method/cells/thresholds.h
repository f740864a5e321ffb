/* thresholds.h -- by how much a step of an annealing may raise the cost, and how that falls. */
#ifndef SHOAL_I_THRESHOLDS_H
#define SHOAL_I_THRESHOLDS_H

#include <stdint.h>

/* -1024 ln((i + 0.5) / 64): a threshold in 1024 T, one of equally likely ones. Rounded, so that
 * every machine has the same. */
static const int32_t shoal_i_thresholds[64] = {
    4968, 3844, 3320, 2976, 2719, 2513, 2342, 2195, 2067, 1953, 1851, 1758, 1672,
    1594, 1520, 1452, 1388, 1328, 1271, 1217, 1166, 1117, 1070, 1026, 983,  942,
    903,  865,  828,  793,  759,  726,  694,  663,  633,  603,  575,  547,  520,
    494,  469,  444,  419,  395,  372,  349,  327,  305,  284,  263,  243,  223,
    203,  184,  165,  146,  128,  110,  92,   75,   58,   41,   24,   8,
};

/* How T falls in the course of an annealing: by a part of it so many times, and it is 0 from
 * some step on. */
typedef struct shoal_i_cooling {
    int steps;
    int fall; /* T / fall at each step */
    int cold_from;
} shoal_i_cooling;

/* T after so much of an annealing, from 0 to 1, from what it was at the beginning. */
static inline int64_t shoal_i_cooled(shoal_i_cooling cooling, int64_t warmest, double progress)
{
    int step = (int)(progress * cooling.steps);

    if (step >= cooling.cold_from) {
        return 0;
    }
    for (int i = 0; i < step; i++) {
        warmest -= warmest / cooling.fall;
    }
    return warmest;
}

/* A threshold at temperature T, by six random bits. */
static inline int64_t shoal_i_threshold(int64_t temper, uint64_t bits)
{
    return temper * shoal_i_thresholds[bits & 63] / 1024;
}

#endif /* SHOAL_I_THRESHOLDS_H */
