/* remnant.h -- the points of a site that are in no group yet, counted by their keys at nodes.
 *
 * Counting goes into slots, by a part of the key: a slot that holds fewer records than the
 * smallest class holds no cell that could be a group. What a full slot holds is to be looked at
 * closely.
 */
#ifndef SHOAL_I_REMNANT_H
#define SHOAL_I_REMNANT_H

#include "../../lattice/scales.h"
#include "site.h"

typedef struct shoal_i_remnant {
    const shoal_i_scales *scales;
    size_t count;
    uint32_t *points;
    uint32_t *weights;
    uint32_t *values;  /* as in scales, of the points that are left */
    size_t slot_count; /* a power of two, enough for the points that are left */
    uint64_t smallest; /* class that can meet the requirement */
} shoal_i_remnant;

/* All points of the site. */
shoal_status shoal_i_remnant_init(shoal_ctx *ctx, shoal_i_remnant *remnant,
                                  const shoal_i_site *site, const shoal_i_scales *scales);
void shoal_i_remnant_clear(shoal_i_remnant *remnant);

static inline size_t shoal_i_remnant_slot(const shoal_i_remnant *remnant, uint64_t key)
{
    return (size_t)(key >> 32) & (remnant->slot_count - 1);
}

/* Count the points into slots, slot_count of them, by their keys at a node; whether one is full
 * enough. */
bool shoal_i_remnant_count(const shoal_i_remnant *remnant, uint32_t *slots,
                           const uint8_t *node);

/* The same, and keep the keys, one per point left. */
bool shoal_i_remnant_keys(const shoal_i_remnant *remnant, uint64_t *keys, uint32_t *slots,
                          const uint8_t *node);

/* Keep the points for which is_gone, indexed by point, is 0. */
void shoal_i_remnant_sweep(shoal_i_remnant *remnant, const uint8_t *is_gone);

#endif /* SHOAL_I_REMNANT_H */
