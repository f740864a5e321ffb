#include "axis.h"

#include "../../base/fail.h"

#include <math.h>

void shoal_i_axis_clear(shoal_i_axis *axis)
{
    free(axis->starts);
    free(axis->ends);
    free(axis->lower);
    free(axis->upper);
    free(axis->sums);
    free(axis->knots);
    free(axis->masses);
    *axis = (shoal_i_axis){0};
}

/* How long the missing value of a numeric column is: as long as one of its values. */
static double find_missing_length(const shoal_i_quasi_column *column, size_t numbers,
                                  bool is_whole)
{
    if (is_whole || numbers < 2) {
        return 1;
    }
    return column->range / (double)(numbers - 1);
}

static void place_numbers(shoal_i_axis *axis, const shoal_i_quasi_column *column)
{
    size_t numbers = column->value_count - (column->has_missing ? 1 : 0);

    for (size_t i = 0; i < numbers; i++) {
        axis->starts[i] = column->values[i];
        axis->ends[i] = column->values[i] + (axis->is_whole ? 1 : 0);
    }
    if (column->has_missing) {
        double length = find_missing_length(column, numbers, axis->is_whole);
        double gap = axis->is_whole ? 0 : length; /* no number lies where missing does */

        axis->starts[numbers] = numbers > 0 ? axis->ends[numbers - 1] + gap : 0;
        axis->ends[numbers] = axis->starts[numbers] + length;
    }
}

/* Ranges that end on a grid are as long as they are published. One with the missing value keeps
 * its end, which lies behind all others. */
static shoal_status place_cells(shoal_ctx *ctx, shoal_i_axis *axis,
                                const shoal_i_quasi_column *column)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, axis->lower, axis->count);
    SHOAL_ALLOC(ctx, axis->upper, axis->count);
    for (size_t i = 0; i < axis->count; i++) {
        bool is_missing = axis->has_missing && i + 1 == axis->count;

        axis->lower[i] = is_missing ? axis->starts[i] : column->lower[i];
        axis->upper[i] =
            is_missing ? axis->ends[i] : column->upper[i] + (axis->is_whole ? 1 : 0);
    }
done:
    return st;
}

/* The sum of the numbers of all codes before each, for columns whose places are codes. */
static shoal_status add_numbers(shoal_ctx *ctx, shoal_i_axis *axis, const shoal_i_quasi *quasi,
                                const shoal_i_quasi_column *column)
{
    shoal_status st = SHOAL_OK;
    size_t values = shoal_table_value_count(quasi->table, column->column);

    SHOAL_ALLOC(ctx, axis->sums, axis->count + 1);
    for (size_t i = 0; i < axis->count; i++) {
        uint32_t entry = shoal_hierarchy_code(column->hierarchy, (uint32_t)i);
        double number =
            entry < values ? shoal_table_number(quasi->table, column->column, entry) : 0;

        axis->sums[i + 1] = axis->sums[i] + number;
    }
done:
    return st;
}

shoal_status shoal_i_axis_init(shoal_ctx *ctx, shoal_i_axis *out, const shoal_i_quasi *quasi,
                               size_t c)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi_column *column = &quasi->columns[c];
    shoal_type type = shoal_table_type(quasi->table, column->column);
    shoal_i_axis axis = {
        .count = column->value_count,
        .is_whole = column->hierarchy || type != SHOAL_TYPE_REAL,
        .is_numeric = type != SHOAL_TYPE_STRING,
        .has_missing = !column->hierarchy && column->has_missing,
    };

    SHOAL_ALLOC(ctx, axis.starts, axis.count);
    SHOAL_ALLOC(ctx, axis.ends, axis.count);
    if (column->hierarchy) {
        for (size_t i = 0; i < axis.count; i++) {
            axis.starts[i] = (double)i;
            axis.ends[i] = (double)i + 1;
        }
        if (axis.is_numeric) {
            SHOAL_TRY(add_numbers(ctx, &axis, quasi, column));
        }
    } else {
        place_numbers(&axis, column);
        if (column->cells) {
            SHOAL_TRY(place_cells(ctx, &axis, column));
        }
    }
    *out = axis;
    axis = (shoal_i_axis){0};
done:
    shoal_i_axis_clear(&axis);
    return st;
}

shoal_i_segment shoal_i_axis_cover(const shoal_i_axis *axis, uint32_t first, uint32_t last)
{
    double to = axis->ends[last];

    if (last + 1 < axis->count) {
        double next = axis->starts[last + 1];

        /* A real next value is not selected, not even as a point. */
        to = axis->is_whole ? next : nextafter(next, -INFINITY);
    }
    return (shoal_i_segment){axis->starts[first],
                             to > axis->starts[first] ? to : axis->starts[first]};
}

/* Mass up to a place, between the knots that enclose it. */
static double find_mass(const shoal_i_axis *axis, double at)
{
    size_t lo = 0;
    size_t hi = axis->knot_count - 1;

    if (at <= axis->knots[lo]) {
        return 0;
    }
    if (at >= axis->knots[hi]) {
        return axis->masses[hi];
    }
    while (hi - lo > 1) {
        size_t middle = lo + (hi - lo) / 2;

        if (axis->knots[middle] <= at) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return axis->masses[lo] + (axis->masses[hi] - axis->masses[lo]) * (at - axis->knots[lo]) /
                                  (axis->knots[hi] - axis->knots[lo]);
}

/* Mass of a stretch. */
static double measure_mass(const shoal_i_axis *axis, shoal_i_segment segment)
{
    if (axis->knot_count == 0) {
        return segment.to - segment.from;
    }
    return find_mass(axis, segment.to) - find_mass(axis, segment.from);
}

/* The first of ascending segments that does not end before a place. */
static size_t find_first(const shoal_i_segment *segments, size_t count, double from)
{
    size_t lo = 0;

    while (lo < count) {
        size_t middle = lo + (count - lo) / 2;

        if (segments[middle].to < from) {
            lo = middle + 1;
        } else {
            count = middle;
        }
    }
    return lo;
}

double shoal_i_axis_share(const shoal_i_axis *axis, shoal_i_segment place,
                          const shoal_i_segment *segments, size_t count)
{
    bool is_point = place.to <= place.from;
    double whole = is_point ? 0 : measure_mass(axis, place);
    double selected = 0;

    /* Where masses say that nobody is, lengths decide. */
    bool is_empty = !is_point && whole <= 0;

    if (is_empty) {
        whole = place.to - place.from;
    }
    for (size_t i = find_first(segments, count, place.from);
         i < count && segments[i].from <= place.to; i++) {
        shoal_i_segment part = {fmax(place.from, segments[i].from),
                                fmin(place.to, segments[i].to)};

        if (is_point || (part.from == place.from && part.to == place.to)) {
            return 1;
        }
        selected += is_empty ? part.to - part.from : measure_mass(axis, part);
    }
    return whole > 0 ? fmin(1, selected / whole) : 0;
}

void shoal_i_axis_choose(const shoal_i_axis *axis, bool *chosen,
                         const shoal_i_segment *segments, size_t count)
{
    size_t next = 0;

    for (uint32_t code = 0; code < axis->count; code++) {
        double at = axis->starts[code];

        /* The end of a whole value belongs to the next one. */
        while (next < count &&
               (axis->is_whole ? segments[next].to <= at : segments[next].to < at)) {
            next++;
        }
        chosen[code] = next < count && segments[next].from <= at;
    }
}

/* Mass times number over a part of a released value whose mass grows evenly. */
static double find_even_moment(const shoal_i_axis *axis, shoal_i_segment part, double mass)
{
    if (!axis->sums) {
        return mass * (part.from + part.to - (axis->is_whole ? 1 : 0)) / 2;
    }
    size_t first = (size_t)part.from;
    size_t end = (size_t)part.to;

    return end > first ? mass * (axis->sums[end] - axis->sums[first]) / (double)(end - first)
                       : 0;
}

/* The same over any part: from knot to knot, and of categories from code to code. */
static double find_moment(const shoal_i_axis *axis, shoal_i_segment part)
{
    double sum = 0;

    if (axis->knot_count == 0) {
        return find_even_moment(axis, part, part.to - part.from);
    }
    for (size_t i = 0; i + 1 < axis->knot_count; i++) {
        shoal_i_segment piece = {fmax(part.from, axis->knots[i]),
                                 fmin(part.to, axis->knots[i + 1])};

        if (piece.from < piece.to) {
            sum += find_even_moment(axis, piece, measure_mass(axis, piece));
        }
    }
    return sum;
}

double shoal_i_axis_moment(const shoal_i_axis *axis, shoal_i_segment place,
                           const shoal_i_segment *segments, size_t count)
{
    bool is_point = place.to <= place.from;
    double whole = is_point ? 0 : measure_mass(axis, place);
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        shoal_i_segment part = {fmax(place.from, segments[i].from),
                                fmin(place.to, segments[i].to)};

        if (axis->has_missing) {
            part.to = fmin(part.to, axis->starts[axis->count - 1]);
        }
        if (part.from > part.to) {
            continue;
        }
        if (is_point) {
            return place.from;
        }
        sum += find_moment(axis, part);
    }
    if (whole > 0) {
        return sum / whole;
    }
    return 0;
}
