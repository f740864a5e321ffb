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

typedef struct shoal_i_unassigned {
    const shoal_i_scales *scales;
    size_t count;
    uint32_t *points;
    uint32_t *weights;
    uint32_t *values;  /* as in scales, of the points that are left */
    size_t slot_count; /* a power of two, enough for the points that are left */
    uint64_t smallest; /* class that can meet the requirement */
} shoal_i_unassigned;

/* All points of the points. */
shoal_status shoal_i_unassigned_init(shoal_ctx *ctx, shoal_i_unassigned *unassigned,
                                     const shoal_i_point_neighbours *points,
                                     const shoal_i_scales *scales);
void shoal_i_unassigned_clear(shoal_i_unassigned *unassigned);

static inline size_t shoal_i_unassigned_slot(const shoal_i_unassigned *unassigned, uint64_t key)
{
    return (size_t)(key >> 32) & (unassigned->slot_count - 1);
}

/* Count the points into slots, slot_count of them, by their keys at a node; whether one is full
 * enough. */
bool shoal_i_unassigned_count(const shoal_i_unassigned *unassigned, uint32_t *slots,
                              const uint8_t *node);

/* The same, and keep the keys, one per point left. */
bool shoal_i_unassigned_keys(const shoal_i_unassigned *unassigned, uint64_t *keys,
                             uint32_t *slots, const uint8_t *node);

/* Keep the points for which is_gone, indexed by point, is 0. */
void shoal_i_unassigned_sweep(shoal_i_unassigned *unassigned, const uint8_t *is_gone);

#endif /* SHOAL_I_UNASSIGNED_POINTS_H */
