#include "draw.h"

#include "../../base/sort.h"

#include <string.h>

#define CAPACITY_LEAST 64

void shoal_i_draw_clear(shoal_i_draw *sample)
{
    free(sample->draws);
    free(sample->times);
    free(sample->codes);
    *sample = (shoal_i_draw){0};
}

/* Word 0 is the draw, the others are two codes each. */
static void load_words(const void *payload, size_t word, shoal_i_sort_item *items, size_t count)
{
    const shoal_i_draw *s = payload;

    for (size_t i = 0; i < count; i++) {
        size_t record = items[i].item;
        const uint32_t *codes = s->codes + record * s->width;
        size_t first = word == 0 ? 0 : 2 * (word - 1);

        items[i].key = word == 0 ? s->draws[record]
                                 : (uint64_t)codes[first] << 32 |
                                       (first + 1 < s->width ? codes[first + 1] : 0);
    }
}

static bool is_equal(const shoal_i_draw *s, size_t a, size_t b)
{
    return s->draws[a] == s->draws[b] &&
           memcmp(s->codes + a * s->width, s->codes + b * s->width,
                  s->width * sizeof *s->codes) == 0;
}

/* Take the records of an order over, equal ones together, until there are enough. */
static void take_sorted(shoal_i_draw *to, const shoal_i_draw *from, const uint32_t *order)
{
    uint64_t records = 0;

    for (size_t i = 0; i < from->count; i++) {
        size_t record = order[i];

        if (i > 0 && is_equal(from, order[i - 1], record)) {
            to->times[to->count - 1] += from->times[record];
            records += from->times[record];
            continue;
        }
        if (records >= to->most) {
            to->threshold = to->draws[to->count - 1];
            return;
        }
        to->draws[to->count] = from->draws[record];
        to->times[to->count] = from->times[record];
        memcpy(to->codes + to->count * to->width, from->codes + record * from->width,
               to->width * sizeof *to->codes);
        to->count++;
        records += from->times[record];
    }
}

shoal_status shoal_i_draw_settle(shoal_ctx *ctx, shoal_i_draw *sample)
{
    shoal_status st = SHOAL_OK;
    shoal_i_draw settled = {.width = sample->width,
                            .most = sample->most,
                            .capacity = sample->capacity,
                            .threshold = sample->threshold};
    uint32_t *order = NULL;
    uint32_t starts[2] = {0, (uint32_t)sample->count};

    SHOAL_ALLOC(ctx, order, sample->count);
    SHOAL_ALLOC(ctx, settled.draws, sample->capacity);
    SHOAL_ALLOC(ctx, settled.times, sample->capacity);
    SHOAL_ALLOC(ctx, settled.codes, sample->capacity * sample->width);
    for (size_t i = 0; i < sample->count; i++) {
        order[i] = (uint32_t)i;
    }
    SHOAL_TRY(shoal_i_sort_runs(ctx, order, starts, 1, 1 + (sample->width + 1) / 2, load_words,
                                sample));
    take_sorted(&settled, sample, order);
    shoal_i_draw_clear(sample);
    *sample = settled;
    settled = (shoal_i_draw){0};
done:
    free(order);
    shoal_i_draw_clear(&settled);
    return st;
}

/* Room for more: settle, and grow when that did not make much of it. */
static shoal_status make_room(shoal_ctx *ctx, shoal_i_draw *s)
{
    shoal_status st = SHOAL_OK;
    size_t codes = 0;

    if (s->count > 0) {
        SHOAL_TRY(shoal_i_draw_settle(ctx, s));
    }
    if (s->count > s->capacity / 2 || s->capacity == 0) {
        size_t capacity = s->capacity ? 2 * s->capacity : CAPACITY_LEAST;
        uint64_t *draws = shoal_i_realloc(ctx, s->draws, capacity, sizeof *draws);

        s->draws = draws ? draws : s->draws;
        uint32_t *times =
            draws ? shoal_i_realloc(ctx, s->times, capacity, sizeof *times) : NULL;

        s->times = times ? times : s->times;
        if (!times) {
            return SHOAL_ENOMEM;
        }
        SHOAL_TRY(shoal_i_size_mul(ctx, &codes, capacity, s->width));
        uint32_t *grown = shoal_i_realloc(ctx, s->codes, codes, sizeof *grown);

        if (!grown) {
            return SHOAL_ENOMEM;
        }
        s->codes = grown;
        s->capacity = capacity;
    }
done:
    return st;
}

shoal_status shoal_i_draw_add(shoal_ctx *ctx, shoal_i_draw *sample, uint64_t draw,
                              uint32_t times, const uint32_t *codes)
{
    shoal_status st = SHOAL_OK;

    if (draw > sample->threshold) {
        return SHOAL_OK;
    }
    if (sample->count == sample->capacity) {
        SHOAL_TRY(make_room(ctx, sample));
    }
    sample->draws[sample->count] = draw;
    sample->times[sample->count] = times;
    memcpy(sample->codes + sample->count * sample->width, codes, sample->width * sizeof *codes);
    sample->count++;
done:
    return st;
}
