/* lots.h -- some cells of a lattice with the points in them. */
#ifndef SHOAL_I_LOTS_H
#define SHOAL_I_LOTS_H

#include "appraisal.h"

typedef struct shoal_i_lot {
    uint32_t node;
    uint64_t key;
    int32_t loss; /* of a record in it */
    uint32_t count;
    uint32_t *points;
} shoal_i_lot;

typedef struct shoal_i_lots {
    const shoal_i_lattice *lattice;
    size_t count;
    size_t capacity;
    shoal_i_lot *lots;
} shoal_i_lots;

void shoal_i_lots_clear(shoal_i_lots *lots);

/* Add the cells that the points bid for and that are not there yet. bids[i] is that of points[i]; only these points
 * become members. Parallel. */
shoal_status shoal_i_lots_add(shoal_ctx *ctx, shoal_i_lots *lots, const shoal_i_bid *bids,
                              const uint32_t *points, size_t count);

/* Put the points of each lot into the order of their prices, highest first. */
shoal_status shoal_i_lots_order(shoal_ctx *ctx, shoal_i_lots *lots, const int32_t *prices);

#endif /* SHOAL_I_LOTS_H */
