#include "prices.h"

#include "../base/clock.h"
#include "../base/fail.h"
#include "../base/pool.h"

#include <math.h>
#include <string.h>

/* Steps among the known cells between two looks at all: few as long as many cells are still
 * unknown. */
#define STEPS 120
#define EARLY_STEPS 40
#define EARLY_ROUNDS 3

/* Steps without success after which they become shorter, and by what part. */
#define PATIENCE 10
#define SHORTER 0.7
#define LONGER 4 /* than the last ones, when all cells have been looked at */
#define LENGTH_MOST 0.25
#define LENGTH_LEAST 0.02

/* What part of the way to the prices that known cells lead to is gone at first, how it changes
 * when prices prove more and when they do not, and the least. */
#define PART 0.4
#define PART_MORE 1.5
#define PART_LESS 0.5
#define PART_LEAST 0.25

/* The part of what the known cells allow that is worth no more looks. */
#define ENOUGH 0.9996

/* Steps after which the points of each cell are put into order again, and the part of its loss
 * that those pay at most who will not gain before that. */
#define REORDER 4
#define STALE 0.8

/* Tasks over which the known cells are divided. */
#define SHARES 8

/* What one task adds up over its cells. */
typedef struct share {
    int64_t surplus;
    int64_t *taken;   /* per point: records that cells want */
    uint64_t missing; /* records besides those that gain, in the cell that is looked at */
    size_t gainer_count;
    uint32_t *gainers; /* points that gain */
    size_t filler_count;
    uint32_t *fillers; /* points for those missing, highest price first */
} share;

typedef struct ascent {
    const shoal_i_price_source *source;
    const shoal_i_distinct *points;
    uint64_t k;
    int64_t target;
    shoal_i_prices *found;
    unsigned steps; /* until the next look at all cells */
    unsigned step;  /* of these */
    double length;  /* of a step, in parts of the way that a straight line would need */
    double part;    /* of the way to what known cells allow */
    int64_t most;   /* that these allow */
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

/* What a point gains in a cell. */
static int64_t gain_of(const ascent *a, const shoal_i_priced_cell *cell, uint32_t point)
{
    const int32_t *floors = a->source->floors;
    int32_t loss = floors && floors[point] > cell->loss ? floors[point] : cell->loss;

    return (int64_t)a->trial[point] - loss;
}

/* Who gains in a cell, and those next in price if these are fewer than k; returns what it is
 * worth. Points are nearly in the order of their prices (order_cells), so that the first ones
 * are looked at until there are enough and none of the others will gain. */
static int64_t find_wanted(const ascent *a, share *mine, const shoal_i_priced_cell *cell)
{
    uint64_t load = 0;
    uint64_t filled = 0;
    int64_t worth = 0;

    mine->gainer_count = 0;
    mine->filler_count = 0;
    for (uint32_t i = 0; i < cell->count; i++) {
        uint32_t point = cell->points[i];
        int64_t gain = gain_of(a, cell, point);

        if (gain > 0) {
            load += a->points->weights[point];
            worth += gain * a->points->weights[point];
            mine->gainers[mine->gainer_count++] = point;
        } else if (load + filled < a->k) {
            filled += a->points->weights[point];
            mine->fillers[mine->filler_count++] = point;
        } else if (a->trial[point] < STALE * cell->loss) {
            break;
        }
    }
    mine->missing = load < a->k ? a->k - load : 0;
    uint64_t missing = mine->missing;

    for (size_t i = 0; i < mine->filler_count && missing > 0 && worth > 0; i++) {
        uint32_t point = mine->fillers[i];
        uint64_t taken =
            a->points->weights[point] < missing ? a->points->weights[point] : missing;

        missing -= taken;
        worth += (int64_t)taken * gain_of(a, cell, point);
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
    for (size_t i = 0; i < mine->gainer_count; i++) {
        mine->taken[mine->gainers[i]] += a->points->weights[mine->gainers[i]];
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

/* Put the points of a cell into the order of their prices, highest first; they nearly are. */
static void order_cell(const ascent *a, shoal_i_priced_cell *cell)
{
    for (uint32_t i = 1; i < cell->count; i++) {
        uint32_t point = cell->points[i];
        uint32_t at = i;

        for (; at > 0 && a->trial[cell->points[at - 1]] < a->trial[point]; at--) {
            cell->points[at] = cell->points[at - 1];
        }
        cell->points[at] = point;
    }
}

static shoal_status judge_share(shoal_ctx *ctx, void *payload, size_t index)
{
    ascent *a = payload;
    shoal_i_priced_cells *cells = &a->found->cells;
    share *mine = &a->shares[index];

    mine->surplus = 0;
    memset(mine->taken, 0, a->points->count * sizeof *mine->taken);
    for (size_t i = index; i < cells->count; i += SHARES) {
        if (a->step % REORDER == 0) {
            order_cell(a, &cells->cells[i]);
        }
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
static bool go_along(ascent *a, int64_t value, double length)
{
    double square = 0;

    for (size_t i = 0; i < a->points->count; i++) {
        square += (double)a->slope[i] * (double)a->slope[i] / a->points->weights[i];
    }
    if (square == 0) {
        return false;
    }
    double factor = length * (double)(a->target - value) / square;
    double most = a->source->most;
    const int32_t *floors = a->source->floors;

    for (size_t i = 0; i < a->points->count; i++) {
        double price = a->exact[i] + factor * (double)a->slope[i] / a->points->weights[i];

        double least = floors ? floors[i] : 0;

        price = price < least ? least : price < most ? price : most;
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

        a->step = i;
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
        if (!go_along(a, value, length)) {
            break;
        }
    }
    a->length = fmin(LENGTH_MOST, fmax(LENGTH_LEAST, length * LONGER));
    a->most = most;
    copy_prices(a, a->trial, a->exact, a->best, a->best_exact);
done:
    return st;
}

/* Go part of the way from the best prices to those that the known cells lead to. Far from any
 * look these are worth little: some cell that is not known stands against them. */
static void go_part(ascent *a)
{
    for (size_t i = 0; i < a->points->count; i++) {
        int32_t from = a->found->prices[i];

        a->trial[i] = from + (int32_t)(a->part * ((double)a->trial[i] - from));
    }
}

/* Looks at all cells and steps among the known ones take turns. A look tells what the prices
 * really prove, and the best such prices are kept; steps begin there, and end in prices between
 * these and the best that the known cells allow (Wentges 1997,
 * doi:10.1016/S0969-6016(97)00001-4). It is over when the known cells allow hardly more than is
 * proved. */
static shoal_status ascend(shoal_ctx *ctx, ascent *a, shoal_i_prices_limit limit)
{
    shoal_status st = SHOAL_OK;
    shoal_i_prices *found = a->found;

    found->bound = INT64_MIN;
    for (unsigned round = 0; round < limit.rounds; round++) {
        int64_t bound = 0;

        if (round > 0 && limit.deadline > 0 && shoal_i_clock_seconds() > limit.deadline) {
            break;
        }
        SHOAL_TRY(a->source->look(ctx, a->source->payload, a->trial, &found->cells, &bound));
        if (bound > found->bound) {
            found->bound = bound;
            memcpy(found->prices, a->trial, a->points->count * sizeof *found->prices);
            a->part = fmin(1, a->part * PART_MORE);
        } else {
            a->part = fmax(PART_LEAST, a->part * PART_LESS);
        }
        if (round > 0 && (double)found->bound >= ENOUGH * (double)a->most) {
            break;
        }
        a->steps = round < EARLY_ROUNDS ? EARLY_STEPS : STEPS;
        SHOAL_TRY(climb(ctx, a));
        go_part(a);
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
        free(a->shares[s].gainers);
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
        SHOAL_ALLOC(ctx, a->shares[s].gainers, count);
        SHOAL_ALLOC(ctx, a->shares[s].fillers, count);
    }
done:
    return st;
}

/* --- Cells of a lattice. ------------------------------------------------------------------ */

static shoal_status look_at_lattice(shoal_ctx *ctx, void *payload, int32_t *prices,
                                    shoal_i_priced_cells *cells, int64_t *bound)
{
    shoal_status st = SHOAL_OK;
    shoal_i_cell_worth *cell_worth = payload;
    const shoal_i_distinct *points = shoal_i_cell_worth_points(cell_worth);
    uint32_t *all = NULL;
    shoal_i_best_cell *best_cells = NULL;
    int64_t surplus = 0;

    *bound = 0;
    SHOAL_ALLOC(ctx, all, points->count);
    SHOAL_ALLOC(ctx, best_cells, points->count);
    for (uint32_t i = 0; i < points->count; i++) {
        all[i] = i;
        *bound += (int64_t)prices[i] * points->weights[i];
    }
    shoal_i_worth_question question = {
        .kind = SHOAL_I_WORTH_GAINS, .prices = prices, .points = all, .count = points->count};

    cells->lattice = shoal_i_cell_worth_lattice(cell_worth);
    SHOAL_TRY(shoal_i_cell_worth_find(ctx, cell_worth, question, best_cells, &surplus));
    SHOAL_TRY(shoal_i_priced_cells_add(ctx, cells, best_cells, all, points->count));
    *bound -= surplus;
done:
    free(all);
    free(best_cells);
    return st;
}

shoal_i_price_source shoal_i_price_source_of(shoal_i_cell_worth *cell_worth)
{
    return (shoal_i_price_source){.points = shoal_i_cell_worth_points(cell_worth),
                                  .smallest = shoal_i_cell_worth_smallest(cell_worth),
                                  .most = SHOAL_I_PRICE_MOST,
                                  .look = look_at_lattice,
                                  .payload = cell_worth};
}

shoal_status shoal_i_prices_find(shoal_ctx *ctx, shoal_i_prices **out,
                                 const shoal_i_price_source *source, const int32_t *start,
                                 int64_t target, shoal_i_prices_limit limit)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_distinct *points = source->points;
    ascent a = {.source = source,
                .points = points,
                .k = source->smallest,
                .target = target,
                .length = LENGTH_MOST,
                .part = PART};

    *out = NULL;
    SHOAL_ALLOC(ctx, a.found, 1);
    SHOAL_ALLOC(ctx, a.found->prices, points->count);
    SHOAL_TRY(ascent_init(ctx, &a, points->count));
    for (uint32_t i = 0; i < points->count; i++) {
        a.trial[i] = start[i] < source->most ? start[i] : source->most;
        a.found->prices[i] = a.trial[i];
    }
    SHOAL_TRY(ascend(ctx, &a, limit));
    *out = a.found;
    a.found = NULL;
done:
    shoal_i_prices_free(a.found);
    ascent_clear(&a);
    return st;
}
