#include "price_bound.h"

#include "../../base/fail.h"
#include "../../lattice/prices.h"

#include <math.h>

/* Points that the first hunt may look at, which tells whether windows are too fine, and any
 * other: some seconds on one processor for all. */
#define FIRST_VISITS 4e7
#define VISITS 6e8
#define ROUNDS 14 /* it ends sooner where prices are found */

/* How fine windows of numbers are: the finest that a hunt can do with. */
static const shoal_i_fineness fineness[] = {{1.25, 8}, {1.5, 4}, {2, 2}, {4, 1}};

/* Prices sum up to this part of what a release loses at first. */
#define START_SHARE 0.9

typedef struct pricing {
    const shoal_i_distinct *points;
    const int32_t *floors;
    shoal_i_coverings *coverings;
    shoal_i_cell_hunt *hunt;
    int32_t *prices; /* on trial, within what can be lost */
} pricing;

/* Prices to begin with: in proportion to what each point loses at least, all together nearly
 * what a release loses. */
static void scale_start(const shoal_i_distinct *points, int32_t *scaled, const int32_t *start,
                        double target)
{
    double sum = 0;

    for (size_t i = 0; i < points->count; i++) {
        sum += (double)start[i] * points->weights[i];
    }
    double factor = sum > 0 && target > sum ? START_SHARE * target / sum : 1;

    factor = factor > 1 ? factor : 1;
    for (size_t i = 0; i < points->count; i++) {
        scaled[i] = (int32_t)fmin(factor * start[i], SHOAL_I_PENALTY_ONE);
    }
}

/* What the prices of a hunt prove, as they are or lowered, whichever is more; the prices that
 * do so. */
static int64_t find_proof(const pricing *p, int32_t *prices)
{
    const int32_t *excess = shoal_i_cell_hunt_excess(p->hunt);
    const uint32_t *order = shoal_i_cell_hunt_order(p->hunt);
    int64_t sum = -shoal_i_cell_hunt_surplus(p->hunt);
    int64_t lowered = 0;

    for (size_t rank = 0; rank < p->points->count; rank++) {
        int64_t weight = p->points->weights[order[rank]];
        int64_t price = p->prices[order[rank]];

        sum += weight * price;
        lowered += weight * (price - excess[rank]);
    }
    for (size_t rank = 0; rank < p->points->count; rank++) {
        prices[order[rank]] = p->prices[order[rank]] - (lowered > sum ? excess[rank] : 0);
    }
    return lowered > sum ? lowered : sum;
}

static shoal_status look(shoal_ctx *ctx, void *payload, int32_t *prices,
                         shoal_i_priced_cells *cells, int64_t *bound)
{
    shoal_status st = SHOAL_OK;
    pricing *p = payload;
    uint64_t *known = NULL;
    bool is_complete = false;

    SHOAL_ALLOC(ctx, known, cells->count);
    for (size_t i = 0; i < cells->count; i++) {
        known[i] = cells->cells[i].key;
    }
    for (size_t i = 0; i < p->points->count; i++) {
        int32_t price = prices[i] > p->floors[i] ? prices[i] : p->floors[i];

        p->prices[i] = price < SHOAL_I_PENALTY_ONE ? price : SHOAL_I_PENALTY_ONE;
    }
    shoal_i_hunt_prices asked = {
        .prices = p->prices, .floors = p->floors, .known = known, .known_count = cells->count};

    SHOAL_TRY(shoal_i_cell_hunt_run(ctx, p->hunt, asked, VISITS, &is_complete));
    SHOAL_TRY(shoal_i_priced_cells_add_hunted(ctx, cells, p->hunt));
    *bound = is_complete ? find_proof(p, prices) : INT64_MIN;
done:
    free(known);
    return st;
}

/* Find the finest coverings with which a hunt does not take too long; none: p->hunt is NULL. */
static shoal_status choose_coverings(shoal_ctx *ctx, pricing *p,
                                     const shoal_i_hunt_needs *needs, const int32_t *prices)
{
    shoal_status st = SHOAL_OK;
    shoal_i_hunt_prices asked = {.prices = prices, .floors = p->floors};
    bool is_complete = false;

    for (size_t i = 0; i < sizeof fineness / sizeof *fineness && !is_complete; i++) {
        shoal_i_cell_hunt_free(p->hunt);
        p->hunt = NULL;
        shoal_i_coverings_free(p->coverings);
        p->coverings = NULL;
        SHOAL_TRY(shoal_i_coverings_build(ctx, &p->coverings, p->points, fineness[i]));
        if (!p->coverings->are_complete) {
            goto done;
        }
        SHOAL_TRY(shoal_i_cell_hunt_new(ctx, &p->hunt, p->coverings, needs));
        SHOAL_TRY(shoal_i_cell_hunt_run(ctx, p->hunt, asked, FIRST_VISITS, &is_complete));
        if (!is_complete && !p->coverings->have_windows) {
            break;
        }
    }
    if (!is_complete) {
        shoal_i_cell_hunt_free(p->hunt);
        p->hunt = NULL;
    }
done:
    return st;
}

shoal_status shoal_i_price_bound(shoal_ctx *ctx, double *bound, const shoal_i_distinct *points,
                                 const shoal_i_hunt_needs *needs, const int32_t *floors,
                                 double target)
{
    shoal_status st = SHOAL_OK;
    shoal_i_prices *prices = NULL;
    int32_t *scaled = NULL;
    pricing p = {.points = points, .floors = floors};
    shoal_i_price_source source = {.points = points,
                                   .smallest = needs->smallest,
                                   .most = SHOAL_I_PENALTY_ONE,
                                   .floors = floors,
                                   .look = look,
                                   .payload = &p};

    *bound = 0;
    SHOAL_ALLOC(ctx, scaled, points->count);
    SHOAL_ALLOC(ctx, p.prices, points->count);
    scale_start(points, scaled, floors, target);
    SHOAL_TRY(choose_coverings(ctx, &p, needs, scaled));
    if (p.hunt) {
        SHOAL_TRY(shoal_i_prices_find(ctx, &prices, &source, scaled, (int64_t)target,
                                      (shoal_i_prices_limit){.rounds = ROUNDS}));
        *bound = prices->bound > 0 ? (double)prices->bound : 0;
    }
done:
    free(scaled);
    free(p.prices);
    shoal_i_prices_free(prices);
    shoal_i_cell_hunt_free(p.hunt);
    shoal_i_coverings_free(p.coverings);
    return st;
}
