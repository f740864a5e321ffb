#include "unassigned_points.h"

#include "../../base/fail.h"
#include "../../base/pool.h"
#include "../problem/span.h"

#include <string.h>

/* Points whose keys are computed together, near the processor. */
#define STRETCH 512

#define SLOTS_LEAST 1024

static void start(shoal_i_unassigned *unassigned, const shoal_i_point_neighbours *points,
                  const shoal_i_scales *scales, uint64_t smallest)
{
    *unassigned = (shoal_i_unassigned){
        .scales = scales,
        .stride = scales->point_count,
        .count = points->count,
        .slot_count = SLOTS_LEAST,
        .smallest = smallest,
        .full = smallest < SHOAL_I_SLOT_MOST ? (uint32_t)smallest : SHOAL_I_SLOT_MOST,
    };
}

static void size_slots(shoal_i_unassigned *unassigned)
{
    while (unassigned->slot_count < 2 * unassigned->count) {
        unassigned->slot_count *= 2;
    }
}

shoal_status shoal_i_unassigned_init(shoal_ctx *ctx, shoal_i_unassigned *unassigned,
                                     const shoal_i_point_neighbours *points,
                                     shoal_i_scales *scales)
{
    shoal_status st = SHOAL_OK;

    start(unassigned, points, scales,
          shoal_i_requirement_smallest_class(points->problem->requirements));
    size_slots(unassigned);
    SHOAL_ALLOC(ctx, unassigned->points, points->count);
    SHOAL_ALLOC(ctx, unassigned->weights, points->count);
    for (uint32_t i = 0; i < points->count; i++) {
        unassigned->points[i] = i;
        unassigned->weights[i] = points->weights[i];
        unassigned->load += points->weights[i];
    }
    unassigned->values = scales->values;
    scales->values = NULL;
done:
    return st;
}

/* How many of the records before a place of the distinct points are in a sample. */
static size_t count_sampled(size_t place, size_t step)
{
    return (place + step - 1) / step;
}

shoal_status shoal_i_unassigned_sample(shoal_ctx *ctx, shoal_i_unassigned *unassigned,
                                       const shoal_i_point_neighbours *points,
                                       const shoal_i_scales *scales, size_t step)
{
    shoal_status st = SHOAL_OK;
    const uint32_t *first = points->distinct->first;
    uint64_t smallest = shoal_i_requirement_smallest_class(points->problem->requirements);
    size_t cells = 0;

    start(unassigned, points, scales, (smallest + step - 1) / step);
    unassigned->count = 0;
    for (size_t i = 0; i < points->count; i++) {
        unassigned->count += count_sampled(first[i + 1], step) > count_sampled(first[i], step);
    }
    unassigned->stride = unassigned->count;
    size_slots(unassigned);
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, unassigned->count, scales->column_count));
    SHOAL_ALLOC(ctx, unassigned->points, unassigned->count);
    SHOAL_ALLOC(ctx, unassigned->weights, unassigned->count);
    SHOAL_ALLOC(ctx, unassigned->values, cells);
    for (uint32_t i = 0, at = 0; i < points->count; i++) {
        size_t weight = count_sampled(first[i + 1], step) - count_sampled(first[i], step);

        if (weight > 0) {
            unassigned->points[at] = i;
            unassigned->weights[at++] = (uint32_t)weight;
            unassigned->load += weight;
        }
    }
    for (size_t c = 0; c < scales->column_count; c++) {
        for (size_t i = 0; i < unassigned->count; i++) {
            unassigned->values[c * unassigned->stride + i] =
                scales->values[c * scales->point_count + unassigned->points[i]];
        }
    }
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

        shoal_i_scales_keys(scales, node, keys, unassigned->values + first, unassigned->stride,
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
                            unassigned->stride, count);
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
        sweep_numbers(u->values + list * u->stride, s->goes, u->count);
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
