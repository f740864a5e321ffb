#include "bound.h"

#include "../../base/fail.h"
#include "../../base/pool.h"
#include "cheapest_box.h"
#include "class_needs.h"
#include "nearby.h"
#include "price_bound.h"

#include <math.h>

/* Two bounds are computed, and the larger is told. The first looks at each record by itself:
 * whatever its class, its box reaches k - 1 others, so it loses at least what the cheapest box
 * around it and k - 1 of its nearest loses. That is quick and good where groups are small, but
 * it lets every record have the same near ones for itself. The second, by prices
 * (price_bound.h), counts that a record can be in one class only; it begins with what the first
 * has found, and is left out where it would take too long. */

/* Points one task bounds. */
#define CHUNK 128

/* Near points looked at: so many for each that is needed, and some more, within bounds. */
#define NEAR_PER_NEED 3
#define NEAR_MORE 32
#define NEAR_MOST 400

/* Steps of the search for one box. */
#define STEPS 2000

/* Leaves opened for all points together, and for each at least. */
#define LEAVES_TOTAL 40000000
#define LEAVES_LEAST 32

/* What the sum of many rounded numbers may be too large by, in parts of it. */
#define SUM_SLACK 1e-9

typedef struct bounding {
    const shoal_i_nearby *nearest;
    const shoal_i_lanes *lanes;
    const shoal_i_class_needs *needs;
    size_t leaves; /* per point */
    size_t directions;
    int64_t slack;          /* of one box, in units of the lanes */
    const uint32_t **codes; /* per quasi column with a grid: of each point; NULL of others */
    int32_t *least;         /* per point: what a record there loses at least */
    double *partial;        /* per task: the sum of its points, in units of the lanes */
} bounding;

typedef struct scratch {
    shoal_i_nearby_asking asking;
    shoal_i_reaches reaches;
    /* To tell whether what is in a box is enough: */
    const shoal_i_class_needs *needs;
    size_t worker;
    uint32_t point;
} scratch;

static size_t count_directions(const shoal_i_lanes *lanes)
{
    size_t count = 0;

    for (size_t c = 0; c < lanes->quasi->count; c++) {
        count += lanes->quasi->columns[c].hierarchy ? 1 : 2;
    }
    return count;
}

/* --- Grids.
 *
 * A range that ends on a grid loses at least the cell of each of its records, and beyond that
 * what it reaches from there: down to the lower end of another record's cell, up to the upper
 * one. Rows only know the middles of cells, whose distance is less. Numbers are rounded down,
 * and divided by the span, which no published range is longer than. */

static int32_t scale_length(const shoal_i_lanes *lanes, size_t c, double length)
{
    const shoal_i_quasi_column *column = &lanes->quasi->columns[c];
    double scale = column->weight / lanes->quasi->weight_sum * SHOAL_I_PENALTY_ONE;

    return column->range > 0 ? (int32_t)(length / column->span * scale) : 0;
}

/* What the cells of a point lose. */
static int64_t find_own_loss(const bounding *b, uint32_t point)
{
    int64_t sum = 0;

    for (size_t c = 0; c < b->lanes->quasi->count; c++) {
        const shoal_i_quasi_column *column = &b->lanes->quasi->columns[c];

        if (b->codes[c]) {
            uint32_t code = b->codes[c][point];

            sum += scale_length(b->lanes, c, column->upper[code] - column->lower[code]);
        }
    }
    return sum;
}

static void fill_cell_reach(const bounding *b, int32_t *reach, size_t c, uint32_t point,
                            uint32_t other)
{
    const shoal_i_quasi_column *column = &b->lanes->quasi->columns[c];
    uint32_t from = b->codes[c][point];
    uint32_t to = b->codes[c][other];

    reach[0] = scale_length(b->lanes, c, fmax(0, column->lower[from] - column->lower[to]));
    reach[1] = scale_length(b->lanes, c, fmax(0, column->upper[to] - column->upper[from]));
}

/* Whether records of one point are of one cell in a column: not where missing was moved among
 * the values, nor where places are too many for the lanes. */
static bool has_cells(const shoal_i_lanes *lanes, size_t c)
{
    const shoal_i_quasi_column *column = &lanes->quasi->columns[c];
    bool has = column->cells && !column->has_missing;

    for (uint32_t code = 1; has && code < column->value_count; code++) {
        has = shoal_i_quasi_alike(column, code) != code ||
              lanes->coordinates[c][code] > lanes->coordinates[c][code - 1];
    }
    return has;
}

static shoal_status find_codes(shoal_ctx *ctx, bounding *b)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_distinct *points = b->nearest->points;
    const shoal_i_quasi *quasi = b->lanes->quasi;

    SHOAL_ALLOC(ctx, b->codes, quasi->count);
    for (size_t c = 0; c < quasi->count; c++) {
        uint32_t *codes = NULL;

        if (!has_cells(b->lanes, c)) {
            continue;
        }
        SHOAL_ALLOC(ctx, codes, points->count);
        b->codes[c] = codes;
        for (size_t i = 0; i < points->count; i++) {
            codes[i] = shoal_i_quasi_code(quasi, c, points->records[points->first[i]]);
        }
    }
done:
    return st;
}

static void free_codes(bounding *b, const shoal_i_quasi *quasi)
{
    for (size_t c = 0; b->codes && c < quasi->count; c++) {
        free((void *)b->codes[c]);
    }
    free((void *)b->codes);
}

/* How far another point reaches from a point, direction by direction. */
static void fill_reach(const bounding *b, int32_t *reach, const int32_t *climb, uint32_t point,
                       uint32_t farther)
{
    const int32_t *row = shoal_i_distinct_row(b->nearest->points, point);
    const int32_t *other = shoal_i_distinct_row(b->nearest->points, farther);
    const shoal_i_lanes *lanes = b->lanes;

    for (size_t c = 0; c < lanes->quasi->count; c++) {
        size_t lane = lanes->first[c];

        if (lanes->quasi->columns[c].hierarchy) {
            int32_t sum = 0;

            for (; lane < lanes->first[c + 1]; lane++) {
                sum += other[lane] != row[lane] ? climb[lane] : 0;
            }
            *reach++ = sum;
        } else if (b->codes[c]) {
            fill_cell_reach(b, reach, c, point, farther);
            reach += 2;
        } else {
            int32_t ahead = other[lane] - row[lane];

            *reach++ = ahead < 0 ? -ahead : 0;
            *reach++ = ahead > 0 ? ahead : 0;
        }
    }
}

/* Whether a class may lie among a point and some of those near it. */
static bool has_enough(const void *payload, const uint32_t *numbers, size_t count)
{
    const scratch *d = payload;
    shoal_i_tally *tally = shoal_i_class_needs_tally(d->needs, d->worker);

    shoal_i_class_needs_add(d->needs, tally, d->point);
    for (size_t i = 0; i < count; i++) {
        shoal_i_class_needs_add(d->needs, tally, d->asking.near[numbers[i]].point);
    }
    return shoal_i_class_needs_met(d->needs, tally);
}

/* What a record at a point loses at least. */
static int64_t bound_point(const bounding *b, scratch *d, uint32_t point)
{
    const shoal_i_distinct *points = b->nearest->points;
    uint64_t k = b->needs->sizes[points->records[points->first[point]]];
    uint64_t own = points->weights[point];
    int64_t alone = find_own_loss(b, point);

    d->point = point;
    if (k <= own && (!d->reaches.is_enough || has_enough(d, NULL, 0))) {
        return alone;
    }
    uint64_t need = k > own ? k - own : 1;
    size_t wanted = need < NEAR_MOST ? (size_t)need * NEAR_PER_NEED + NEAR_MORE : NEAR_MOST;

    wanted = wanted < NEAR_MOST ? wanted : NEAR_MOST;
    int32_t beyond = shoal_i_nearby_ask(&d->asking, b->nearest, point, wanted, b->leaves);

    d->reaches.count = d->asking.count;
    for (size_t i = 0; i < d->asking.count; i++) {
        uint32_t other = d->asking.near[i].point;

        d->reaches.weights[i] = points->weights[other];
        fill_reach(b, d->reaches.reach + i * b->directions, d->asking.climb, point, other);
    }
    /* What others must lose is known of the whole box, what it loses here beyond its cells. */
    int64_t most = (beyond < SHOAL_I_PENALTY_ONE ? beyond : SHOAL_I_PENALTY_ONE) - alone;

    most = most > 0 ? most : 0;
    int64_t bound = shoal_i_cheapest_box(&d->reaches, need, most, STEPS) - b->slack;

    return alone + (bound > 0 ? bound : 0);
}

static shoal_status bound_chunk(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    bounding *b = payload;
    size_t end = (index + 1) * CHUNK;
    scratch d = {.needs = b->needs, .worker = ctx->worker};

    end = end < b->nearest->points->count ? end : b->nearest->points->count;
    SHOAL_TRY(shoal_i_nearby_asking_init(ctx, &d.asking, b->nearest, NEAR_MOST));
    SHOAL_TRY(shoal_i_reaches_init(ctx, &d.reaches, NEAR_MOST, b->directions));
    if (shoal_i_class_needs_more(b->needs)) {
        d.reaches.is_enough = has_enough;
        d.reaches.payload = &d;
    }
    for (size_t i = index * CHUNK; i < end; i++) {
        b->least[i] = (int32_t)bound_point(b, &d, (uint32_t)i);
        b->partial[index] += (double)b->least[i] * b->nearest->points->weights[i];
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    shoal_i_nearby_asking_clear(&d.asking);
    shoal_i_reaches_clear(&d.reaches);
    return st;
}

/* --- Rounding of the lanes.
 * --------------------------------------------------------------------
 *
 * A bound must never be above the truth, and lanes are rounded: the penalty of a box in lanes
 * may be larger than its penalty by the definition. So every box is counted down by the most
 * that rounding can add, column by column: by 2 for the two ends of an interval, and for
 * numbers by how far the lane's scale pushes a value beyond its place. Missing numbers that are
 * kept lie beyond the largest value, farther than the definition charges; they are pulled back
 * to it. */

/* How much farther apart than they are the lanes may put two values of a numeric column. */
static int64_t find_push(const shoal_i_lanes *lanes, size_t c)
{
    const shoal_i_quasi_column *column = &lanes->quasi->columns[c];
    uint32_t plain = column->value_count - (column->has_missing ? 1 : 0);
    double scale = column->weight / lanes->quasi->weight_sum * SHOAL_I_PENALTY_ONE;
    double push = 0;

    for (uint32_t code = 0; code < plain && column->range > 0; code++) {
        double place = shoal_i_quasi_place(column, code) * scale;

        push = fmax(push, lanes->coordinates[c][code] - place);
    }
    return (int64_t)ceil(push);
}

static int64_t find_slack(const shoal_i_lanes *lanes)
{
    int64_t slack = 0;

    for (size_t c = 0; c < lanes->quasi->count; c++) {
        slack += 2 + (lanes->quasi->columns[c].hierarchy ? 0 : find_push(lanes, c));
    }
    return slack;
}

/* Move kept missing numbers to the largest value. */
static void pull_missing(const shoal_i_lanes *lanes, int32_t *rows, size_t row_count)
{
    for (size_t c = 0; c < lanes->quasi->count; c++) {
        const shoal_i_quasi_column *column = &lanes->quasi->columns[c];

        if (!column->hierarchy && column->has_missing) {
            int32_t top =
                column->value_count > 1 ? lanes->coordinates[c][column->value_count - 2] : 0;

            for (size_t i = 0; i < row_count; i++) {
                int32_t *place = &rows[i * lanes->count + lanes->first[c]];

                *place = *place < top ? *place : top;
            }
        }
    }
}

static double sum_partial(const bounding *b, size_t tasks)
{
    double sum = 0;

    for (size_t i = 0; i < tasks; i++) {
        sum += b->partial[i];
    }
    return sum;
}

/* --- By prices. --------------------------------------------------------------------------- */

/* Records after which it is asked whether they are enough already, then four times as many, and
 * so on. */
#define FIRST_ASKED 16

/* Whether a class may lie within some points, for a hunt. */
static bool can_hold(const void *payload, size_t worker, const uint32_t *order,
                     const uint32_t *ranks, size_t count)
{
    const shoal_i_class_needs *needs = payload;
    shoal_i_tally *tally = shoal_i_class_needs_tally(needs, worker);
    uint64_t asked = FIRST_ASKED;

    for (size_t i = 0; i < count; i++) {
        shoal_i_class_needs_add(needs, tally, order[ranks[i]]);
        if (tally->stats.size >= asked) {
            if (shoal_i_class_needs_met(needs, tally)) {
                return true;
            }
            asked = 4 * tally->stats.size;
        }
    }
    return shoal_i_class_needs_met(needs, tally);
}

/* What prices of the points prove, in units of the lanes, counted down by what rounding may
 * have added. */
static shoal_status bound_by_prices(shoal_ctx *ctx, double *sum, const bounding *b,
                                    double target)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_distinct *points = b->nearest->points;
    double records = (double)points->first[points->count];
    uint64_t *sizes = NULL;
    shoal_i_hunt_needs needs = {.smallest = b->needs->smallest, .payload = b->needs};

    SHOAL_ALLOC(ctx, sizes, points->count);
    for (size_t i = 0; i < points->count; i++) {
        sizes[i] = b->needs->sizes[points->records[points->first[i]]];
    }
    needs.least = sizes;
    needs.can_hold = shoal_i_class_needs_more(b->needs) ? can_hold : NULL;
    SHOAL_TRY(shoal_i_price_bound(ctx, sum, points, &needs, b->least, target));
    *sum -= records * (double)b->slack;
done:
    free(sizes);
    return st;
}

shoal_status shoal_i_bound(shoal_ctx *ctx, double *ncp, const shoal_i_quasi *quasi,
                           const shoal_i_requirement_set *set,
                           const shoal_i_tally_source *source, const uint32_t *record_k,
                           double known)
{
    shoal_status st = SHOAL_OK;
    bounding b = {0};
    shoal_i_class_needs needs = {0};
    shoal_i_lanes *lanes = NULL;
    shoal_i_nearby *nearest = NULL;
    int32_t *rows = NULL;
    size_t row_count = shoal_table_row_count(quasi->table);

    *ncp = 0;
    SHOAL_TRY(shoal_i_lanes_build(ctx, &lanes, quasi));
    SHOAL_TRY(shoal_i_lanes_rows(ctx, &rows, lanes));
    if (row_count == 0 || lanes->count == 0) {
        goto done;
    }
    pull_missing(lanes, rows, row_count);
    SHOAL_TRY(shoal_i_class_needs_init(ctx, &needs, set, source, record_k, row_count));
    SHOAL_TRY(shoal_i_nearby_build(ctx, &nearest, lanes, rows, needs.sizes, row_count));
    free(rows);
    rows = NULL;
    SHOAL_TRY(shoal_i_class_needs_for(ctx, &needs, nearest->points));
    size_t tasks = (nearest->points->count + CHUNK - 1) / CHUNK;

    b.nearest = nearest;
    b.needs = &needs;
    b.lanes = lanes;
    b.directions = count_directions(lanes);
    b.slack = find_slack(lanes);
    SHOAL_TRY(find_codes(ctx, &b));
    b.leaves = LEAVES_TOTAL / nearest->points->count;
    b.leaves = b.leaves > LEAVES_LEAST ? b.leaves : LEAVES_LEAST;
    double unit = quasi->weight_sum / SHOAL_I_PENALTY_ONE;
    double by_prices = 0;

    SHOAL_ALLOC(ctx, b.least, nearest->points->count);
    SHOAL_ALLOC(ctx, b.partial, tasks);
    SHOAL_TRY(shoal_i_parallel_for(ctx, tasks, bound_chunk, &b));
    SHOAL_TRY(bound_by_prices(ctx, &by_prices, &b, known / unit));
    *ncp = fmax(sum_partial(&b, tasks), by_prices) * unit * (1 - SUM_SLACK);
done:
    free_codes(&b, quasi);
    free(b.least);
    free(b.partial);
    free(rows);
    shoal_i_class_needs_clear(&needs);
    shoal_i_nearby_free(nearest);
    shoal_i_lanes_free(lanes);
    return st;
}
