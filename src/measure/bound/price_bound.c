#include "price_bound.h"

#include "../../base/fail.h"
#include "../../lattice/prices.h"

#include <math.h>

/* Nodes of the lattice at most, and looks at a point at a node in all: some ten seconds on one
 * processor. */
#define NODES_MOST 16384
#define LOOKS_MOST 1e9

#define ROUNDS_MOST 7
#define ROUNDS_LEAST 4

/* Prices sum up to this part of what a release loses at first. */
#define START_SHARE 0.9

static bool has_all_boxes(const shoal_i_scales *scales)
{
    for (size_t c = 0; c < scales->column_count; c++) {
        if (!scales->columns[c].is_complete) {
            return false;
        }
    }
    return true;
}

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

/* What prices prove: the cells of all nodes are looked at, told apart by what the points in
 * them have in common. */
static shoal_status prove(shoal_ctx *ctx, double *bound, shoal_i_cell_worth *cell_worth,
                          const shoal_i_distinct *points, int32_t *prices)
{
    shoal_status st = SHOAL_OK;
    uint32_t *all = NULL;
    shoal_i_best_cell *best_cells = NULL;
    int64_t surplus = 0;
    double sum = 0;

    SHOAL_ALLOC(ctx, all, points->count);
    SHOAL_ALLOC(ctx, best_cells, points->count);
    for (uint32_t i = 0; i < points->count; i++) {
        all[i] = i;
        prices[i] = prices[i] < SHOAL_I_PENALTY_ONE ? prices[i] : SHOAL_I_PENALTY_ONE;
        sum += (double)prices[i] * points->weights[i];
    }
    shoal_i_worth_question question = {
        .kind = SHOAL_I_WORTH_PROOF, .prices = prices, .points = all, .count = points->count};

    SHOAL_TRY(shoal_i_cell_worth_find(ctx, cell_worth, question, best_cells, &surplus));
    *bound = sum - (double)surplus;
done:
    free(all);
    free(best_cells);
    return st;
}

shoal_status shoal_i_price_bound(shoal_ctx *ctx, double *bound, const shoal_i_distinct *points,
                                 uint64_t k, const int32_t *start, double target)
{
    shoal_status st = SHOAL_OK;
    shoal_i_lattice *lattice = NULL;
    shoal_i_cell_worth *cell_worth = NULL;
    shoal_i_prices *prices = NULL;
    int32_t *scaled = NULL;

    *bound = 0;
    SHOAL_TRY(shoal_i_lattice_list(ctx, &lattice, points, NODES_MOST));
    double looks = (double)points->count * (double)lattice->count;
    double rounds = lattice->count > 0 ? LOOKS_MOST / looks : 0;

    if (rounds < ROUNDS_LEAST || !has_all_boxes(lattice->scales)) {
        goto done;
    }
    shoal_i_prices_limit limit = {.rounds =
                                      rounds < ROUNDS_MOST ? (unsigned)rounds : ROUNDS_MOST};

    SHOAL_TRY(shoal_i_cell_worth_new(ctx, &cell_worth, lattice, points, k));
    SHOAL_ALLOC(ctx, scaled, points->count);
    scale_start(points, scaled, start, target);
    SHOAL_TRY(shoal_i_prices_find(ctx, &prices, cell_worth, scaled, (int64_t)target, limit));
    SHOAL_TRY(prove(ctx, bound, cell_worth, points, prices->prices));
done:
    free(scaled);
    shoal_i_prices_free(prices);
    shoal_i_cell_worth_free(cell_worth);
    shoal_i_lattice_free(lattice);
    return st;
}
