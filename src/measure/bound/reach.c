#include "reach.h"

#include "../../base/fail.h"

#include <math.h>

void shoal_i_reach_clear(shoal_i_reach *reach)
{
    for (size_t c = 0; reach->codes && c < reach->lanes->quasi->count; c++) {
        free((void *)reach->codes[c]);
    }
    free((void *)reach->codes);
    *reach = (shoal_i_reach){0};
}

/* --- Rounding. ---------------------------------------------------------------------------- */

static double find_scale(const shoal_i_lanes *lanes, size_t c)
{
    return lanes->quasi->columns[c].weight / lanes->quasi->weight_sum * SHOAL_I_PENALTY_ONE;
}

/* How much farther apart than they are the lanes may put two values of a numeric column. */
static int64_t find_push(const shoal_i_lanes *lanes, size_t c)
{
    const shoal_i_quasi_column *column = &lanes->quasi->columns[c];
    uint32_t plain = column->value_count - (column->has_missing ? 1 : 0);
    double push = 0;

    for (uint32_t code = 0; code < plain && column->range > 0; code++) {
        double place = shoal_i_quasi_place(column, code) * find_scale(lanes, c);

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

int32_t shoal_i_reach_top(const shoal_i_lanes *lanes, size_t c)
{
    const shoal_i_quasi_column *column = &lanes->quasi->columns[c];
    uint32_t plain = column->value_count - (column->has_missing ? 1 : 0);

    return plain > 0 ? lanes->coordinates[c][plain - 1] : 0;
}

void shoal_i_reach_pull_missing(const shoal_i_lanes *lanes, int32_t *rows, size_t row_count)
{
    for (size_t c = 0; c < lanes->quasi->count; c++) {
        const shoal_i_quasi_column *column = &lanes->quasi->columns[c];

        if (!column->hierarchy && column->has_missing) {
            int32_t top = shoal_i_reach_top(lanes, c);

            for (size_t i = 0; i < row_count; i++) {
                int32_t *place = &rows[i * lanes->count + lanes->first[c]];

                *place = *place < top ? *place : top;
            }
        }
    }
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

    return column->range > 0 ? (int32_t)(length / column->span * find_scale(lanes, c)) : 0;
}

int64_t shoal_i_reach_own(const shoal_i_reach *reach, uint32_t point)
{
    int64_t sum = 0;

    for (size_t c = 0; c < reach->lanes->quasi->count; c++) {
        const shoal_i_quasi_column *column = &reach->lanes->quasi->columns[c];

        if (reach->codes[c]) {
            uint32_t code = reach->codes[c][point];

            sum += scale_length(reach->lanes, c, column->upper[code] - column->lower[code]);
        }
    }
    return sum;
}

/* From the cell of a point to all from lower to upper. */
static void fill_cell_reach(const shoal_i_reach *reach, int32_t *out, size_t c, uint32_t point,
                            double lower, double upper)
{
    const shoal_i_quasi_column *column = &reach->lanes->quasi->columns[c];
    uint32_t from = reach->codes[c][point];

    out[0] = scale_length(reach->lanes, c, fmax(0, column->lower[from] - lower));
    out[1] = scale_length(reach->lanes, c, fmax(0, upper - column->upper[from]));
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

static shoal_status find_codes(shoal_ctx *ctx, shoal_i_reach *reach)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_distinct *points = reach->points;
    const shoal_i_quasi *quasi = reach->lanes->quasi;

    SHOAL_ALLOC(ctx, reach->codes, quasi->count);
    for (size_t c = 0; c < quasi->count; c++) {
        uint32_t *codes = NULL;

        if (!has_cells(reach->lanes, c)) {
            continue;
        }
        SHOAL_ALLOC(ctx, codes, points->count);
        reach->codes[c] = codes;
        for (size_t i = 0; i < points->count; i++) {
            codes[i] = shoal_i_quasi_code(quasi, c, points->records[points->first[i]]);
        }
    }
done:
    return st;
}

static size_t count_directions(const shoal_i_lanes *lanes)
{
    size_t count = 0;

    for (size_t c = 0; c < lanes->quasi->count; c++) {
        count += lanes->quasi->columns[c].hierarchy ? 1 : 2;
    }
    return count;
}

shoal_status shoal_i_reach_init(shoal_ctx *ctx, shoal_i_reach *reach,
                                const shoal_i_lanes *lanes, const shoal_i_distinct *points)
{
    *reach = (shoal_i_reach){.lanes = lanes,
                             .points = points,
                             .directions = count_directions(lanes),
                             .slack = find_slack(lanes)};
    return find_codes(ctx, reach);
}

/* --- Reaching. ---------------------------------------------------------------------------- */

/* Where a row has a number, give or take what slack allows for: places begin in the middle of
 * the first cell. */
static double number_of(const shoal_i_lanes *lanes, size_t c, const int32_t *row)
{
    const shoal_i_quasi_column *column = &lanes->quasi->columns[c];
    double scale = find_scale(lanes, c);
    double place = scale > 0 ? fmin(row[lanes->first[c]] / scale, 1) : 0;

    return (column->lower[0] + column->upper[0]) / 2 + place * column->span;
}

static int32_t sum_climbs(const shoal_i_lanes *lanes, size_t c, const int32_t *climb,
                          const int32_t *row, const int32_t *other)
{
    int32_t sum = 0;

    for (size_t lane = lanes->first[c]; lane < lanes->first[c + 1]; lane++) {
        sum += other[lane] != row[lane] ? climb[lane] : 0;
    }
    return sum;
}

/* other_point: NULL: it is not known. */
static void fill_reach(const shoal_i_reach *reach, int32_t *out, const int32_t *climb,
                       uint32_t point, const int32_t *other, const uint32_t *other_point)
{
    const shoal_i_lanes *lanes = reach->lanes;
    const int32_t *row = shoal_i_distinct_row(reach->points, point);

    for (size_t c = 0; c < lanes->quasi->count; c++) {
        const shoal_i_quasi_column *column = &lanes->quasi->columns[c];

        if (column->hierarchy) {
            *out++ = sum_climbs(lanes, c, climb, row, other);
            continue;
        }
        if (reach->codes[c] && other_point) {
            uint32_t to = reach->codes[c][*other_point];

            fill_cell_reach(reach, out, c, point, column->lower[to], column->upper[to]);
        } else if (reach->codes[c]) {
            double number = number_of(lanes, c, other);

            fill_cell_reach(reach, out, c, point, number, number);
        } else {
            int32_t ahead = other[lanes->first[c]] - row[lanes->first[c]];

            out[0] = ahead < 0 ? -ahead : 0;
            out[1] = ahead > 0 ? ahead : 0;
        }
        out += 2;
    }
}

void shoal_i_reach_to(const shoal_i_reach *reach, int32_t *out, const int32_t *climb,
                      uint32_t point, uint32_t other)
{
    fill_reach(reach, out, climb, point, shoal_i_distinct_row(reach->points, other), &other);
}

void shoal_i_reach_to_row(const shoal_i_reach *reach, int32_t *out, const int32_t *climb,
                          uint32_t point, const int32_t *other)
{
    fill_reach(reach, out, climb, point, other, NULL);
}
