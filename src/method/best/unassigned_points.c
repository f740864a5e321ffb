#include "unassigned_points.h"

#include "../../base/fail.h"
#include "../../base/pool.h"
#include "../problem/span.h"

#include <string.h>

/* Points whose keys are computed together, near the processor. */
#define STRETCH 512

#define SLOTS_LEAST 1024

shoal_status shoal_i_unassigned_init(shoal_ctx *ctx, shoal_i_unassigned *unassigned,
                                     const shoal_i_point_neighbours *points,
                                     const shoal_i_scales *scales)
{
    shoal_status st = SHOAL_OK;
    size_t cells = 0;

    *unassigned = (shoal_i_unassigned){
        .scales = scales,
        .count = points->count,
        .slot_count = SLOTS_LEAST,
        .smallest = shoal_i_requirement_smallest_class(points->problem->requirements),
    };
    unassigned->full = unassigned->smallest < SHOAL_I_SLOT_MOST ? (uint32_t)unassigned->smallest
                                                                : SHOAL_I_SLOT_MOST;
    while (unassigned->slot_count < 2 * points->count) {
        unassigned->slot_count *= 2;
    }
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, points->count, scales->column_count));
    SHOAL_ALLOC(ctx, unassigned->points, points->count);
    SHOAL_ALLOC(ctx, unassigned->weights, points->count);
    SHOAL_ALLOC(ctx, unassigned->values, cells);
    for (uint32_t i = 0; i < points->count; i++) {
        unassigned->points[i] = i;
        unassigned->weights[i] = points->weights[i];
        unassigned->load += points->weights[i];
    }
    memcpy(unassigned->values, scales->values, cells * sizeof *unassigned->values);
done:
    return st;
}

void shoal_i_unassigned_clear(shoal_i_unassigned *unassigned)
{
    free(unassigned->points);
    free(unassigned->weights);
    free(unassigned->values);
    *unassigned = (shoal_i_unassigned){0};
}

/* Count some of the points into slots by their keys; whether one is full enough. */
static bool add_points(const shoal_i_unassigned *unassigned, shoal_i_slot *slots,
                       const uint64_t *keys, shoal_i_span span)
{
    bool is_full = false;

    for (size_t i = 0; i < span.count; i++) {
        is_full |=
            shoal_i_slot_add(unassigned, slots, keys[i], unassigned->weights[span.first + i]);
    }
    return is_full;
}

bool shoal_i_unassigned_count(const shoal_i_unassigned *unassigned, shoal_i_slot *slots,
                              const uint8_t *node)
{
    const shoal_i_scales *scales = unassigned->scales;
    uint64_t keys[STRETCH];
    bool is_full = false;

    memset(slots, 0, unassigned->slot_count * sizeof *slots);
    for (size_t first = 0; first < unassigned->count; first += STRETCH) {
        size_t count =
            unassigned->count - first < STRETCH ? unassigned->count - first : STRETCH;

        shoal_i_scales_keys(scales, node, keys, unassigned->values + first, scales->point_count,
                            count);
        is_full |= add_points(unassigned, slots, keys, (shoal_i_span){first, count});
    }
    return is_full;
}

bool shoal_i_unassigned_keys(const shoal_i_unassigned *unassigned, uint64_t *keys,
                             shoal_i_slot *slots, const uint8_t *node)
{
    const shoal_i_scales *scales = unassigned->scales;
    bool is_full = false;

    memset(slots, 0, unassigned->slot_count * sizeof *slots);
    for (size_t first = 0; first < unassigned->count; first += STRETCH) {
        size_t count =
            unassigned->count - first < STRETCH ? unassigned->count - first : STRETCH;

        shoal_i_scales_keys(scales, node, keys + first, unassigned->values + first,
                            scales->point_count, count);
        is_full |= add_points(unassigned, slots, keys + first, (shoal_i_span){first, count});
    }
    return is_full;
}

/* What is swept, and the records that stay. */
typedef struct sweeping {
    shoal_i_unassigned *unassigned;
    const uint8_t *goes;
    uint64_t load;
} sweeping;

/* Who stays moves to the front, without a branch: who goes and who stays come in no order. */
static size_t sweep_numbers(uint32_t *numbers, const uint8_t *goes, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        numbers[kept] = numbers[i];
        kept += !goes[i];
    }
    return kept;
}

/* One of the lists: the values of a column, or behind the last the points, or their weights. */
static shoal_status sweep_list(shoal_ctx *ctx, void *payload, size_t list)
{
    sweeping *s = payload;
    shoal_i_unassigned *u = s->unassigned;
    size_t columns = u->scales->column_count;

    if (list < columns) {
        sweep_numbers(u->values + list * u->scales->point_count, s->goes, u->count);
    } else if (list == columns) {
        sweep_numbers(u->points, s->goes, u->count);
    } else {
        size_t kept = sweep_numbers(u->weights, s->goes, u->count);

        for (size_t i = 0; i < kept; i++) {
            s->load += u->weights[i];
        }
    }
    return shoal_i_check_cancelled(ctx);
}

shoal_status shoal_i_unassigned_sweep(shoal_ctx *ctx, shoal_i_unassigned *unassigned,
                                      const uint8_t *goes)
{
    shoal_status st = SHOAL_OK;
    sweeping s = {.unassigned = unassigned, .goes = goes};
    size_t kept = 0;

    SHOAL_TRY(shoal_i_parallel_for(ctx, unassigned->scales->column_count + 2, sweep_list, &s));
    for (size_t i = 0; i < unassigned->count; i++) {
        kept += !goes[i];
    }
    unassigned->load = s.load;
    unassigned->count = kept;
    while (unassigned->slot_count > SLOTS_LEAST && unassigned->slot_count > 4 * kept) {
        unassigned->slot_count /= 2;
    }
done:
    return st;
}
