#include "prices.h"

#include "../base/clock.h"
#include "../base/fail.h"
#include "../base/pool.h"

#include <string.h>

/* Steps among the known cells between two looks at all: few as long as many cells are still
 * unknown. */
#define STEPS 160
#define EARLY_STEPS 40
#define EARLY_ROUNDS 3

/* Steps without success after which they become shorter, and by what part. */
#define PATIENCE 10
#define SHORTER 0.7
#define LONGER 2 /* than the last ones, when all cells have been looked at */

/* Tasks over which the known cells are divided. */
#define SHARES 8

/* What one task adds up over its cells. */
typedef struct share {
    int64_t surplus;
    int64_t *taken;   /* per point: records that cells want */
    uint64_t missing; /* records besides those that gain, in the cell that is looked at */
    size_t filler_count;
    uint32_t *fillers; /* points for these, highest price first */
} share;

typedef struct ascent {
    const shoal_i_distinct *points;
    uint64_t k;
    int64_t target;
    shoal_i_prices *found;
    unsigned steps; /* until the next look at all cells */
    double length;  /* of a step, in parts of the way that a straight line would need */
    int32_t *trial; /* prices on trial */
    int32_t *best;  /* the best of them among the known cells */
    double *exact;  /* the prices on trial, with fractions */
    double *best_exact;
    int64_t *slope; /* per point: records less records that cells want */
    share shares[SHARES];
} ascent;

void shoal_i_prices_free(shoal_i_prices *prices)
{
    if (prices) {
        free(prices->prices);
        shoal_i_priced_cells_clear(&prices->cells);
        free(prices);
    }
}

static int64_t sum_prices(const ascent *a, const int32_t *prices)
{
    int64_t sum = 0;

    for (size_t i = 0; i < a->points->count; i++) {
        sum += (int64_t)prices[i] * a->points->weights[i];
    }
    return sum;
}

/* Keep, among those that gain nothing, the points with the highest prices, as many as could be
 * wanted, highest first. */
static void keep_filler(const ascent *a, share *mine, size_t room, uint32_t point)
{
    size_t at = mine->filler_count;

    if (at == room && a->trial[mine->fillers[at - 1]] >= a->trial[point]) {
        return;
    }
    at = at == room ? at - 1 : mine->filler_count++;
    for (; at > 0 && a->trial[mine->fillers[at - 1]] < a->trial[point]; at--) {
        mine->fillers[at] = mine->fillers[at - 1];
    }
    mine->fillers[at] = point;
}

/* Who gains in a cell, and those next in price if these are fewer than k; returns what it is
 * worth. */
static int64_t find_wanted(const ascent *a, share *mine, const shoal_i_priced_cell *cell)
{
    uint64_t load = 0;
    int64_t worth = 0;

    mine->filler_count = 0;
    for (uint32_t i = 0; i < cell->count; i++) {
        uint32_t point = cell->points[i];
        int64_t gain = (int64_t)a->trial[point] - cell->loss;

        if (gain > 0) {
            load += a->points->weights[point];
            worth += gain * a->points->weights[point];
        }
    }
    mine->missing = load < a->k ? a->k - load : 0;
    if (worth == 0 || mine->missing == 0) {
        return worth;
    }
    for (uint32_t i = 0; i < cell->count; i++) {
        if (a->trial[cell->points[i]] <= cell->loss) {
            keep_filler(a, mine, (size_t)mine->missing, cell->points[i]);
        }
    }
    uint64_t missing = mine->missing;

    for (size_t i = 0; i < mine->filler_count && missing > 0 && worth > 0; i++) {
        uint32_t point = mine->fillers[i];
        uint64_t taken =
            a->points->weights[point] < missing ? a->points->weights[point] : missing;

        missing -= taken;
        worth += (int64_t)taken * ((int64_t)a->trial[point] - cell->loss);
    }
    return missing == 0 ? worth : 0;
}

/* The worth of a cell; if positive, whom it wants for that is added to what is taken. */
static int64_t judge_lot(const ascent *a, share *mine, const shoal_i_priced_cell *cell)
{
    int64_t worth = find_wanted(a, mine, cell);

    if (worth <= 0) {
        return 0;
    }
    for (uint32_t i = 0; i < cell->count; i++) {
        uint32_t point = cell->points[i];

        if (a->trial[point] > cell->loss) {
            mine->taken[point] += a->points->weights[point];
        }
    }
    for (size_t i = 0; i < mine->filler_count && mine->missing > 0; i++) {
        uint32_t point = mine->fillers[i];
        uint64_t weight = a->points->weights[point];
        uint64_t taken = weight < mine->missing ? weight : mine->missing;

        mine->missing -= taken;
        mine->taken[point] += (int64_t)taken;
    }
    return worth;
}

static shoal_status judge_share(shoal_ctx *ctx, void *payload, size_t index)
{
    ascent *a = payload;
    shoal_i_priced_cells *cells = &a->found->cells;
    share *mine = &a->shares[index];

    mine->surplus = 0;
    memset(mine->taken, 0, a->points->count * sizeof *mine->taken);
    for (size_t i = index; i < cells->count; i += SHARES) {
        mine->surplus += judge_lot(a, mine, &cells->cells[i]);
    }
    return shoal_i_check_cancelled(ctx);
}

/* What the prices on trial prove as far as the known cells go, and the slope there. */
static shoal_status judge_trial(shoal_ctx *ctx, ascent *a, int64_t *value)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(shoal_i_parallel_for(ctx, SHARES, judge_share, a));
    *value = sum_prices(a, a->trial);
    for (size_t s = 0; s < SHARES; s++) {
        *value -= a->shares[s].surplus;
    }
    for (size_t i = 0; i < a->points->count; i++) {
        a->slope[i] = a->points->weights[i];
        for (size_t s = 0; s < SHARES; s++) {
            a->slope[i] -= a->shares[s].taken[i];
        }
    }
done:
    return st;
}

/* Go along the slope; false when it is level. Prices are per record, so a point of many changes
 * as one of few. */
static bool step(ascent *a, int64_t value, double length)
{
    double square = 0;

    for (size_t i = 0; i < a->points->count; i++) {
        square += (double)a->slope[i] * (double)a->slope[i] / a->points->weights[i];
    }
    if (square == 0) {
        return false;
    }
    double factor = length * (double)(a->target - value) / square;

    for (size_t i = 0; i < a->points->count; i++) {
        double price = a->exact[i] + factor * (double)a->slope[i] / a->points->weights[i];

        price = price < 0 ? 0 : price < SHOAL_I_PRICE_MOST ? price : SHOAL_I_PRICE_MOST;
        a->exact[i] = price;
        a->trial[i] = (int32_t)price;
    }
    return true;
}

static void copy_prices(const ascent *a, int32_t *to, double *to_exact, const int32_t *from,
                        const double *from_exact)
{
    memcpy(to, from, a->points->count * sizeof *to);
    memcpy(to_exact, from_exact, a->points->count * sizeof *to_exact);
}

/* Raise what the prices prove among the known cells, from those found so far on; leaves the
 * best on trial.
 *
 * Looking at all cells costs far more than looking at those that were ever worth something. So
 * most steps are taken among the known cells only. What these steps prove is not a bound, for a
 * cell that is not known may have become worth something; the next look at all finds it, and it
 * is known from then on. */
static shoal_status climb(shoal_ctx *ctx, ascent *a)
{
    shoal_status st = SHOAL_OK;
    int64_t most = INT64_MIN;
    double length = a->length;
    unsigned failures = 0;

    memcpy(a->trial, a->found->prices, a->points->count * sizeof *a->trial);
    for (size_t i = 0; i < a->points->count; i++) {
        a->exact[i] = a->trial[i];
    }
    for (unsigned i = 0; i < a->steps; i++) {
        int64_t value = 0;

        SHOAL_TRY(judge_trial(ctx, a, &value));
        if (value > most) {
            most = value;
            failures = 0;
            copy_prices(a, a->best, a->best_exact, a->trial, a->exact);
        } else if (++failures == PATIENCE) {
            failures = 0;
            length *= SHORTER;
            copy_prices(a, a->trial, a->exact, a->best, a->best_exact);
            continue;
        }
        if (!step(a, value, length)) {
            break;
        }
    }
    a->length = length * LONGER < 1 ? length * LONGER : 1;
    copy_prices(a, a->trial, a->exact, a->best, a->best_exact);
done:
    return st;
}

/* Looks at all cells and steps among the known ones take turns. A look tells what the prices
 * really prove, and the best such prices are kept. Steps that begin after a look are longer
 * again, since new cells have changed the slope; they become shorter when they bring nothing,
 * as a subgradient has no other sign of being near the top. */
static shoal_status ascend(shoal_ctx *ctx, ascent *a, shoal_i_cell_worth *cell_worth,
                           const uint32_t *all, shoal_i_best_cell *best_cells,
                           shoal_i_prices_limit limit)
{
    shoal_status st = SHOAL_OK;
    shoal_i_prices *found = a->found;
    shoal_i_worth_question question = {.kind = SHOAL_I_WORTH_GAINS,
                                       .prices = a->trial,
                                       .points = all,
                                       .count = a->points->count};

    found->bound = INT64_MIN;
    for (unsigned round = 0; round < limit.rounds; round++) {
        int64_t surplus = 0;

        if (round > 0 && limit.deadline > 0 && shoal_i_clock_seconds() > limit.deadline) {
            break;
        }
        SHOAL_TRY(shoal_i_cell_worth_find(ctx, cell_worth, question, best_cells, &surplus));
        SHOAL_TRY(
            shoal_i_priced_cells_add(ctx, &found->cells, best_cells, all, a->points->count));
        int64_t bound = sum_prices(a, a->trial) - surplus;

        if (bound > found->bound) {
            found->bound = bound;
            memcpy(found->prices, a->trial, a->points->count * sizeof *found->prices);
        } else {
            a->length *= SHORTER;
        }
        a->steps = round < EARLY_ROUNDS ? EARLY_STEPS : STEPS;
        SHOAL_TRY(climb(ctx, a));
    }
done:
    return st;
}

static void ascent_clear(ascent *a)
{
    free(a->trial);
    free(a->best);
    free(a->exact);
    free(a->best_exact);
    free(a->slope);
    for (size_t s = 0; s < SHARES; s++) {
        free(a->shares[s].taken);
        free(a->shares[s].fillers);
    }
}

static shoal_status ascent_init(shoal_ctx *ctx, ascent *a, size_t count)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, a->trial, count);
    SHOAL_ALLOC(ctx, a->best, count);
    SHOAL_ALLOC(ctx, a->exact, count);
    SHOAL_ALLOC(ctx, a->best_exact, count);
    SHOAL_ALLOC(ctx, a->slope, count);
    for (size_t s = 0; s < SHARES; s++) {
        SHOAL_ALLOC(ctx, a->shares[s].taken, count);
        SHOAL_ALLOC(ctx, a->shares[s].fillers, count);
    }
done:
    return st;
}

shoal_status shoal_i_prices_find(shoal_ctx *ctx, shoal_i_prices **out,
                                 shoal_i_cell_worth *cell_worth, const int32_t *start,
                                 int64_t target, shoal_i_prices_limit limit)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_distinct *points = shoal_i_cell_worth_points(cell_worth);
    ascent a = {.points = points,
                .k = shoal_i_cell_worth_smallest(cell_worth),
                .target = target,
                .length = 1};
    uint32_t *all = NULL;
    shoal_i_best_cell *best_cells = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, a.found, 1);
    a.found->cells.lattice = shoal_i_cell_worth_lattice(cell_worth);
    SHOAL_ALLOC(ctx, a.found->prices, points->count);
    SHOAL_ALLOC(ctx, all, points->count);
    SHOAL_ALLOC(ctx, best_cells, points->count);
    SHOAL_TRY(ascent_init(ctx, &a, points->count));
    for (uint32_t i = 0; i < points->count; i++) {
        all[i] = i;
        a.trial[i] = start[i] < SHOAL_I_PRICE_MOST ? start[i] : SHOAL_I_PRICE_MOST;
        a.found->prices[i] = a.trial[i];
    }
    SHOAL_TRY(ascend(ctx, &a, cell_worth, all, best_cells, limit));
    *out = a.found;
    a.found = NULL;
done:
    shoal_i_prices_free(a.found);
    ascent_clear(&a);
    free(all);
    free(best_cells);
    return st;
}
