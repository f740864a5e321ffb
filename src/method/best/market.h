/* market.h -- cells and prices at hand while some points are put together in another way.
 *
 * A market knows, for each point, the lots it is in. A bargain takes some points and
 * opens lots among them, those worth most first, with prices that differ from one bargain to the next.
 */
#ifndef SHOAL_I_MARKET_H
#define SHOAL_I_MARKET_H

#include "../../base/random.h"
#include "../../lattice/prices.h"
#include "site.h"

typedef struct shoal_i_market {
    const shoal_i_site *site;
    const shoal_i_prices *prices;
    uint64_t smallest; /* class that can meet the requirement */
    uint32_t *first;   /* per point, and one more: where its lots start */
    uint32_t *lots;
} shoal_i_market;

/* prices are borrowed. */
shoal_status shoal_i_market_build(shoal_ctx *ctx, shoal_i_market *market,
                                  const shoal_i_site *site, const shoal_i_prices *prices);
void shoal_i_market_clear(shoal_i_market *market);

/* Points that may be bargained for at once, lots that may compete, and members of these in all. */
#define SHOAL_I_BARGAIN_POINTS 512
#define SHOAL_I_BARGAIN_LOTS 128
#define SHOAL_I_BARGAIN_MEMBERS 8192

/* A lot that competes. */
typedef struct shoal_i_rival_lot {
    int64_t worth; /* when it was looked at last: never more since */
    int32_t loss;
    int32_t favour; /* in 64ths: what its worth is multiplied by */
    uint32_t first; /* its members, highest price first */
    uint32_t count;
} shoal_i_rival_lot;

typedef struct shoal_i_bargain {
    const shoal_i_market *market;
    shoal_i_random *random;
    int32_t share; /* in 64ths: what prices are multiplied by */
    int64_t least; /* worth of a lot that is opened */
    size_t point_count;
    uint32_t *points; /* highest price first */
    uint32_t *load;   /* per lot: records of the points; 0 between bargains */
    uint32_t *place;  /* per lot: its place among the rivals and 1 more; 0 between bargains */
    size_t touched_count;
    uint32_t *touched;
    size_t lot_count;
    shoal_i_rival_lot lots[SHOAL_I_BARGAIN_LOTS];
    uint32_t *members;
    uint8_t *is_taken; /* per point; 0 between bargains */
    size_t wanted_count;
    uint32_t *wanted;
} shoal_i_bargain;

shoal_status shoal_i_bargain_init(shoal_ctx *ctx, shoal_i_bargain *bargain,
                                  const shoal_i_market *market);
void shoal_i_bargain_clear(shoal_i_bargain *bargain);

/* Begin with so many points, at most SHOAL_I_BARGAIN_POINTS. */
void shoal_i_bargain_begin(shoal_i_bargain *bargain, shoal_i_random *random,
                           const uint32_t *points, size_t count);

/* Open the next lot: its points become `wanted`. False when there is none. */
bool shoal_i_bargain_next(shoal_i_bargain *bargain);

void shoal_i_bargain_end(shoal_i_bargain *bargain);

#endif /* SHOAL_I_MARKET_H */
