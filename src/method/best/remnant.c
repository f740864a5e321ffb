#include "remnant.h"

#include "../../base/fail.h"

#include <string.h>

/* Points whose keys are computed together, near the processor. */
#define STRETCH 512

#define SLOTS_LEAST 1024

shoal_status shoal_i_remnant_init(shoal_ctx *ctx, shoal_i_remnant *remnant,
                                  const shoal_i_site *site, const shoal_i_scales *scales)
{
    shoal_status st = SHOAL_OK;
    size_t cells = 0;

    *remnant = (shoal_i_remnant){
        .scales = scales,
        .count = site->count,
        .slot_count = SLOTS_LEAST,
        .smallest = shoal_i_requirement_smallest_class(site->problem->requirements),
    };
    while (remnant->slot_count < 2 * site->count) {
        remnant->slot_count *= 2;
    }
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, site->count, scales->column_count));
    SHOAL_ALLOC(ctx, remnant->points, site->count);
    SHOAL_ALLOC(ctx, remnant->weights, site->count);
    SHOAL_ALLOC(ctx, remnant->values, cells);
    for (uint32_t i = 0; i < site->count; i++) {
        remnant->points[i] = i;
        remnant->weights[i] = site->weights[i];
    }
    memcpy(remnant->values, scales->values, cells * sizeof *remnant->values);
done:
    return st;
}

void shoal_i_remnant_clear(shoal_i_remnant *remnant)
{
    free(remnant->points);
    free(remnant->weights);
    free(remnant->values);
    *remnant = (shoal_i_remnant){0};
}

/* Count points, from `first` on, into slots by their keys; whether one is full enough. */
static bool add_points(const shoal_i_remnant *remnant, uint32_t *slots, const uint64_t *keys,
                       size_t first, size_t count)
{
    bool is_full = false;

    for (size_t i = 0; i < count; i++) {
        uint32_t *slot = &slots[shoal_i_remnant_slot(remnant, keys[i])];

        *slot += remnant->weights[first + i];
        is_full |= *slot >= remnant->smallest;
    }
    return is_full;
}

bool shoal_i_remnant_count(const shoal_i_remnant *remnant, uint32_t *slots, const uint8_t *node)
{
    const shoal_i_scales *scales = remnant->scales;
    uint64_t keys[STRETCH];
    bool is_full = false;

    memset(slots, 0, remnant->slot_count * sizeof *slots);
    for (size_t first = 0; first < remnant->count; first += STRETCH) {
        size_t count = remnant->count - first < STRETCH ? remnant->count - first : STRETCH;

        shoal_i_scales_keys(scales, node, keys, remnant->values + first, scales->point_count,
                            count);
        is_full |= add_points(remnant, slots, keys, first, count);
    }
    return is_full;
}

bool shoal_i_remnant_keys(const shoal_i_remnant *remnant, uint64_t *keys, uint32_t *slots,
                          const uint8_t *node)
{
    const shoal_i_scales *scales = remnant->scales;
    bool is_full = false;

    memset(slots, 0, remnant->slot_count * sizeof *slots);
    for (size_t first = 0; first < remnant->count; first += STRETCH) {
        size_t count = remnant->count - first < STRETCH ? remnant->count - first : STRETCH;

        shoal_i_scales_keys(scales, node, keys + first, remnant->values + first,
                            scales->point_count, count);
        is_full |= add_points(remnant, slots, keys + first, first, count);
    }
    return is_full;
}

void shoal_i_remnant_sweep(shoal_i_remnant *remnant, const uint8_t *is_gone)
{
    const shoal_i_scales *scales = remnant->scales;
    size_t kept = 0;

    for (size_t i = 0; i < remnant->count; i++) {
        if (!is_gone[remnant->points[i]]) {
            remnant->points[kept] = remnant->points[i];
            remnant->weights[kept++] = remnant->weights[i];
        }
    }
    for (size_t c = 0; c < scales->column_count; c++) {
        const uint32_t *from = scales->values + c * scales->point_count;
        uint32_t *to = remnant->values + c * scales->point_count;

        for (size_t i = 0; i < kept; i++) {
            to[i] = from[remnant->points[i]];
        }
    }
    remnant->count = kept;
    while (remnant->slot_count > SLOTS_LEAST && remnant->slot_count > 4 * kept) {
        remnant->slot_count /= 2;
    }
}
