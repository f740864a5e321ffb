#include "marginal.h"

#include "../../base/pool.h"
#include "../../base/sort.h"

#include <math.h>
#include <string.h>

/* More rounds fit the release better and the original worse: values are generalized because
 * they are rare, and the rounds make them rarer (docs/research.md). */
#define ROUNDS 2

/* The stretches between neighbouring ends of released values: within one nothing is known. */
typedef struct cells {
    size_t count;
    double *knots; /* count + 1 */
    double *masses;
    double *rates;   /* of the released values over each cell: records by mass */
    double *fixed;   /* records of single real numbers, whose cell is known */
    uint32_t *first; /* of each released value: its cells */
    uint32_t *end;
    double *records;
} cells;

static void clear_cells(cells *c)
{
    free(c->knots);
    free(c->masses);
    free(c->rates);
    free(c->fixed);
    free(c->first);
    free(c->end);
    free(c->records);
}

/* The last knot at or below a place. */
static size_t find_knot(const cells *c, double at)
{
    size_t lo = 0;
    size_t hi = c->count;

    while (lo < hi) {
        size_t middle = lo + (hi - lo + 1) / 2;

        if (c->knots[middle] <= at) {
            lo = middle;
        } else {
            hi = middle - 1;
        }
    }
    return lo;
}

static shoal_status find_cells(shoal_ctx *ctx, cells *c, const shoal_i_spread_column *column)
{
    shoal_status st = SHOAL_OK;
    size_t ends = 2 * column->interval_count;
    size_t different = 0;

    SHOAL_ALLOC(ctx, c->knots, ends + 1);
    for (size_t i = 0; i < column->interval_count; i++) {
        c->knots[2 * i] = column->places[i].from;
        c->knots[2 * i + 1] = column->places[i].to;
    }
    qsort(c->knots, ends, sizeof *c->knots, shoal_i_compare_double);
    for (size_t i = 0; i < ends; i++) {
        if (i == 0 || c->knots[i] != c->knots[different - 1]) {
            c->knots[different++] = c->knots[i];
        }
    }
    c->count = different > 0 ? different - 1 : 0;
    SHOAL_ALLOC(ctx, c->masses, c->count + 1);
    SHOAL_ALLOC(ctx, c->rates, c->count + 1);
    SHOAL_ALLOC(ctx, c->fixed, c->count + 1);
    SHOAL_ALLOC(ctx, c->first, column->interval_count);
    SHOAL_ALLOC(ctx, c->end, column->interval_count);
    SHOAL_ALLOC(ctx, c->records, column->interval_count);
done:
    return st;
}

/* Where the released values lie, how many records have them, and masses to start from. */
static void place_values(cells *c, const shoal_i_spread_column *column,
                         const uint32_t *box_sizes)
{
    double total = 0;

    for (size_t i = 0; i < column->interval_count; i++) {
        for (uint32_t at = column->starts[i]; at < column->starts[i + 1]; at++) {
            c->records[i] += box_sizes[column->lists[at]];
        }
        total += c->records[i];
        c->first[i] = (uint32_t)find_knot(c, column->places[i].from);
        c->end[i] = (uint32_t)find_knot(c, column->places[i].to);
        if (c->first[i] == c->end[i] && c->count > 0) {
            /* A point: the cell behind it, or the last one. */
            c->fixed[c->first[i] < c->count ? c->first[i] : c->count - 1] += c->records[i];
        }
    }
    double length = c->knots[c->count] - c->knots[0];

    for (size_t k = 0; k < c->count; k++) {
        c->masses[k] = total * (c->knots[k + 1] - c->knots[k]) / length;
    }
}

/* One round. */
static void deal_out(cells *c, size_t value_count, double *before)
{
    double rate = 0;

    memset(c->rates, 0, (c->count + 1) * sizeof *c->rates);
    before[0] = 0;
    for (size_t k = 0; k < c->count; k++) {
        before[k + 1] = before[k] + c->masses[k];
    }
    for (size_t i = 0; i < value_count; i++) {
        double mass = before[c->end[i]] - before[c->first[i]];

        if (mass > 0) {
            c->rates[c->first[i]] += c->records[i] / mass;
            c->rates[c->end[i]] -= c->records[i] / mass;
        }
    }
    for (size_t k = 0; k < c->count; k++) {
        rate += c->rates[k];

        c->masses[k] = c->masses[k] * fmax(0, rate) + c->fixed[k];
    }
}

/* Hand the masses over to the axis, added up from knot to knot. */
static void take_masses(shoal_i_axis *axis, cells *c, double *before)
{
    before[0] = 0;
    for (size_t k = 0; k < c->count; k++) {
        before[k + 1] = before[k] + c->masses[k];
    }
    free(axis->knots);
    free(axis->masses);
    axis->knot_count = c->count + 1;
    axis->knots = c->knots;
    axis->masses = before;
    c->knots = NULL;
}

static shoal_status fit_column(shoal_ctx *ctx, void *payload, size_t i)
{
    shoal_status st = SHOAL_OK;
    shoal_i_spread *spread = payload;
    shoal_i_spread_column *column = &spread->columns[i];
    cells c = {0};
    double *before = NULL;

    SHOAL_TRY(find_cells(ctx, &c, column));
    if (c.count == 0) {
        goto done; /* one point, or nothing at all */
    }
    SHOAL_ALLOC(ctx, before, c.count + 1);
    place_values(&c, column, spread->published->release->box_sizes);
    for (int round = 0; round < ROUNDS; round++) {
        deal_out(&c, column->interval_count, before);
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    take_masses(&column->axis, &c, before);
    before = NULL;
done:
    free(before);
    clear_cells(&c);
    return st;
}

shoal_status shoal_i_marginal_fit(shoal_ctx *ctx, shoal_i_spread *spread)
{
    return shoal_i_parallel_for(ctx, spread->column_count, fit_column, spread);
}
