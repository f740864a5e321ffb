/* unassigned_points.h -- the points of a points that are in no group yet, counted by their keys
 * at nodes.
 *
 * Counting goes into slots, by a part of the key: a slot that holds fewer records than the
 * smallest class holds no cell that could be a group. What a full slot holds is to be looked at
 * closely.
 */
#ifndef SHOAL_I_UNASSIGNED_POINTS_H
#define SHOAL_I_UNASSIGNED_POINTS_H

#include "../../lattice/scales.h"
#include "point_neighbours.h"

/* The records of a slot, up to what a group needs: more are not told apart. It is small because
 * slots are met in no order: what fits into the cache decides how long counting takes. */
typedef uint16_t shoal_i_slot;
#define SHOAL_I_SLOT_MOST UINT16_MAX

typedef struct shoal_i_unassigned {
    const shoal_i_scales *scales;
    size_t count;
    uint32_t *points;
    uint32_t *weights;
    uint32_t *values;  /* as in scales, of the points that are left */
    size_t stride;     /* from the values of a column to those of the next */
    size_t slot_count; /* a power of two, enough for the points that are left */
    uint64_t load;     /* records that are left */
    uint64_t smallest; /* class that can meet the requirement */
    uint32_t full;     /* what a slot counts to: the same, or all that a slot can hold */
} shoal_i_unassigned;

/* All points. The values of the scales become those of the unassigned, since two of them would
 * be too much for a large table: the scales have none from then on. */
shoal_status shoal_i_unassigned_init(shoal_ctx *ctx, shoal_i_unassigned *unassigned,
                                     const shoal_i_point_neighbours *points,
                                     shoal_i_scales *scales);

/* The points of every `step`-th record, of so many records as are in the sample, and a smallest
 * class that is so many times smaller; 1: all. */
shoal_status shoal_i_unassigned_sample(shoal_ctx *ctx, shoal_i_unassigned *unassigned,
                                       const shoal_i_point_neighbours *points,
                                       const shoal_i_scales *scales, size_t step);
void shoal_i_unassigned_clear(shoal_i_unassigned *unassigned);

static inline size_t shoal_i_unassigned_slot(const shoal_i_unassigned *unassigned, uint64_t key)
{
    return (size_t)(key >> 32) & (unassigned->slot_count - 1);
}

/* Count records into the slot of a key; whether it is full then. */
static inline bool shoal_i_slot_add(const shoal_i_unassigned *unassigned, shoal_i_slot *slots,
                                    uint64_t key, uint32_t records)
{
    shoal_i_slot *slot = &slots[shoal_i_unassigned_slot(unassigned, key)];
    uint64_t load = (uint64_t)*slot + records;
    bool is_full = load >= unassigned->full;

    *slot = (shoal_i_slot)(is_full ? unassigned->full : load);
    return is_full;
}

/* Count the points into slots, slot_count of them, by their keys at a node; whether one is full
 * enough. */
bool shoal_i_unassigned_count(const shoal_i_unassigned *unassigned, shoal_i_slot *slots,
                              const uint8_t *node);

/* The same, and keep the keys, one per point left. */
bool shoal_i_unassigned_keys(const shoal_i_unassigned *unassigned, uint64_t *keys,
                             shoal_i_slot *slots, const uint8_t *node);

/* Keep the points i of the unassigned for which goes[i] is 0; others hold 1. Parallel. */
shoal_status shoal_i_unassigned_sweep(shoal_ctx *ctx, shoal_i_unassigned *unassigned,
                                      const uint8_t *goes);

#endif /* SHOAL_I_UNASSIGNED_POINTS_H */
