/* draw.h -- a sample of records that does not depend on how they are spread.
 *
 * Every record draws a number from its values alone, and those with the smallest draws are the
 * sample. So a record is in the sample of the whole if and only if its draw is small enough,
 * whichever part it lies in, and samples of parts add up to the sample of all: records that are
 * equal come together, with how many they are.
 *
 *     draw   times   codes of the sampled columns
 *       3      1     4 0 17
 *      11      5     2 1 17
 */
#ifndef SHOAL_I_DRAW_H
#define SHOAL_I_DRAW_H

#include "../../base/fail.h"

typedef struct shoal_i_draw {
    size_t width;  /* codes of a record; 0: none is taken */
    uint64_t most; /* records */
    size_t count;  /* different records */
    size_t capacity;
    uint64_t *draws;
    uint32_t *times;
    uint32_t *codes;    /* width of each */
    uint64_t threshold; /* larger draws are not in it */
} shoal_i_draw;

/* Starts as {.width, .most, .threshold = UINT64_MAX}. */
void shoal_i_draw_clear(shoal_i_draw *sample);

/* A record with this draw. */
shoal_status shoal_i_draw_add(shoal_ctx *ctx, shoal_i_draw *sample, uint64_t draw,
                              uint32_t times, const uint32_t *codes);

/* In order of draws, equal records together, and no more of them than are needed for `most`. */
shoal_status shoal_i_draw_settle(shoal_ctx *ctx, shoal_i_draw *sample);

#endif /* SHOAL_I_DRAW_H */
