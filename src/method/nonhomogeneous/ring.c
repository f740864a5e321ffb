#include "ring.h"

#include "matching.h"

#include <string.h>

shoal_status shoal_i_ring_scratch_init(shoal_ctx *ctx, shoal_i_ring_scratch *scratch,
                                       const shoal_i_quasi *quasi, size_t size, size_t area)
{
    shoal_status st = SHOAL_OK;
    size_t cells = 0;

    *scratch = (shoal_i_ring_scratch){0};
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, size, quasi->count));
    SHOAL_ALLOC(ctx, scratch->covers, cells);
    SHOAL_ALLOC(ctx, scratch->before, cells);
    SHOAL_ALLOC(ctx, scratch->right, area);
    SHOAL_ALLOC(ctx, scratch->matched, size);
done:
    return st;
}

void shoal_i_ring_scratch_clear(shoal_i_ring_scratch *scratch)
{
    free(scratch->covers);
    free(scratch->before);
    free(scratch->right);
    free(scratch->matched);
    *scratch = (shoal_i_ring_scratch){0};
}

/* --- Boxes. */

static void join(shoal_i_interval *into, const shoal_i_interval *other, size_t columns)
{
    for (size_t c = 0; c < columns; c++) {
        into[c].lo = other[c].lo < into[c].lo ? other[c].lo : into[c].lo;
        into[c].hi = other[c].hi > into[c].hi ? other[c].hi : into[c].hi;
    }
}

/* From the boxes of single records to those of `width` records from each place on, with few
 * joins: 1, 2, 4... records, and at the end two runs that overlap. */
static void widen(shoal_i_ring_scratch *scratch, const shoal_i_ring *ring, size_t columns)
{
    size_t length = 1;

    while (length < ring->width) {
        size_t left = ring->width - length;
        size_t step = length < left ? length : left;

        memcpy(scratch->before, scratch->covers,
               ring->size * columns * sizeof *scratch->covers);
        for (size_t i = 0; i < ring->size; i++) {
            size_t ahead = i + step < ring->size ? i + step : i + step - ring->size;

            join(scratch->covers + i * columns, scratch->before + ahead * columns, columns);
        }
        length += step;
    }
}

void shoal_i_ring_cover(shoal_i_interval *boxes, const shoal_i_quasi *quasi,
                        const shoal_i_ring *ring, shoal_i_ring_scratch *scratch)
{
    for (size_t i = 0; i < ring->size; i++) {
        for (size_t c = 0; c < quasi->count; c++) {
            uint32_t code = shoal_i_quasi_code(quasi, c, ring->records[i]);

            scratch->covers[i * quasi->count + c] = (shoal_i_interval){code, code};
        }
    }
    widen(scratch, ring, quasi->count);
    for (size_t i = 0; i < ring->size; i++) {
        for (size_t c = 0; c < quasi->count; c++) {
            shoal_i_interval cover = scratch->covers[i * quasi->count + c];

            boxes[ring->records[i] * quasi->count + c] =
                shoal_i_quasi_close(&quasi->columns[c], cover.lo, cover.hi);
        }
    }
}

/* --- Links. */

/* Any permutation is as likely as any other. */
static void shuffle(uint32_t *matched, size_t size, shoal_i_entropy *entropy)
{
    for (size_t i = 0; i < size; i++) {
        size_t at = shoal_i_entropy_below(entropy, (uint32_t)(i + 1));

        matched[i] = matched[at];
        matched[at] = (uint32_t)i;
    }
}

static shoal_status match(shoal_ctx *ctx, const shoal_i_ring *ring,
                          shoal_i_ring_scratch *scratch, shoal_i_entropy *entropy)
{
    shoal_i_regular_graph graph = {
        .count = ring->size, .degree = ring->width, .right = scratch->right};
    size_t number = shoal_i_entropy_below(entropy, (uint32_t)ring->width);

    for (size_t i = 0; i < ring->size; i++) {
        for (size_t step = 0; step < ring->width; step++) {
            scratch->right[i * ring->width + step] = (uint32_t)((i + step) % ring->size);
        }
    }
    return shoal_i_matching_find(ctx, scratch->matched, &graph, number, entropy);
}

shoal_status shoal_i_ring_link(shoal_ctx *ctx, uint32_t *linked, const shoal_i_ring *ring,
                               shoal_i_ring_scratch *scratch, shoal_i_entropy *entropy)
{
    shoal_status st = SHOAL_OK;

    if (ring->width == ring->size) {
        shuffle(scratch->matched, ring->size, entropy);
    } else {
        SHOAL_TRY(match(ctx, ring, scratch, entropy));
    }
    for (size_t i = 0; i < ring->size; i++) {
        linked[ring->records[i]] = ring->records[scratch->matched[i]];
    }
done:
    return st;
}
