#include "scales.h"

#include "../base/fail.h"
#include "../base/random.h"
#include "../base/sort.h"

#include <string.h>

/* Values of a column whose range is narrower are numbered without sorting. */
#define NARROW 16384

/* Scratch for numbering values. */
typedef struct scratch {
    uint32_t *marks;
    shoal_i_sort_item *items;
    shoal_i_sort_item *spare;
} scratch;

/* The key of a value at a level of a column. */
static uint64_t mix_key(size_t c, size_t level, uint64_t value)
{
    return shoal_i_random_key(shoal_i_random_key(c, level), value);
}

/* Number the values of a column in the order of its last lane, by sorting. */
static void sort_values(shoal_i_scales *scales, const shoal_i_distinct *points, size_t c,
                        const scratch *d)
{
    shoal_i_scale_column *column = &scales->columns[c];
    size_t lane = points->lanes->first[c + 1] - 1;

    for (uint32_t i = 0; i < points->count; i++) {
        d->items[i] = (shoal_i_sort_item){
            .key = (uint64_t)shoal_i_distinct_row(points, i)[lane], .item = i};
    }
    shoal_i_sort_items(d->items, d->spare, points->count);
    for (size_t i = 0; i < points->count; i++) {
        column->value_count += i == 0 || d->items[i].key != d->items[i - 1].key;
        scales->values[c * points->count + d->items[i].item] =
            (uint32_t)column->value_count - 1;
    }
}

/* Number the values of a column in the order of its last lane: those of a narrow range by
 * marking which there are. */
static void number_values(shoal_i_scales *scales, const shoal_i_distinct *points, size_t c,
                          const scratch *d)
{
    size_t lane = points->lanes->first[c + 1] - 1;
    uint32_t *values = scales->values + c * points->count;
    int32_t least = INT32_MAX;
    int32_t most = 0;

    for (uint32_t i = 0; i < points->count; i++) {
        int32_t value = shoal_i_distinct_row(points, i)[lane];

        values[i] = (uint32_t)value;
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    if (most - least >= NARROW) {
        sort_values(scales, points, c, d);
        return;
    }
    memset(d->marks, 0, NARROW * sizeof *d->marks);
    for (uint32_t i = 0; i < points->count; i++) {
        values[i] -= (uint32_t)least;
        d->marks[values[i]] = 1;
    }
    for (size_t value = 0; value <= (size_t)(most - least); value++) {
        uint32_t number = (uint32_t)scales->columns[c].value_count;

        scales->columns[c].value_count += d->marks[value];
        d->marks[value] = number;
    }
    for (uint32_t i = 0; i < points->count; i++) {
        values[i] = d->marks[values[i]];
    }
}

/* Whether a lane only repeats a value that is not so deep. */
static bool is_repeated(const shoal_i_lanes *lanes, size_t c, const int32_t *row, size_t lane)
{
    return lane > lanes->first[c] && row[lane] == row[lane - 1];
}

/* The penalty of giving up the deepest lanes of a row, from lane `first` of the column on. */
static int32_t climb_to(const shoal_i_lanes *lanes, size_t c, const int32_t *row, size_t first)
{
    int32_t penalty = 0;

    for (size_t lane = first; lane < lanes->first[c + 1]; lane++) {
        penalty += is_repeated(lanes, c, row, lane) ? 0 : lanes->climbs[c][row[lane]];
    }
    return penalty;
}

/* Fill the levels of a categorical column: level l gives up the l deepest lanes. */
static shoal_status fill_tree(shoal_ctx *ctx, shoal_i_scales *scales,
                              const shoal_i_distinct *points, size_t c)
{
    shoal_status st = SHOAL_OK;
    shoal_i_scale_column *column = &scales->columns[c];
    const shoal_i_lanes *lanes = points->lanes;
    size_t depths = lanes->first[c + 1] - lanes->first[c];
    uint64_t load = 0;

    column->is_complete = depths < SHOAL_I_LEVELS_MAX;
    column->level_count = depths < SHOAL_I_LEVELS_MAX ? depths + 1 : SHOAL_I_LEVELS_MAX;
    SHOAL_ALLOC(ctx, column->keys, column->level_count * column->value_count);
    SHOAL_ALLOC(ctx, column->losses, column->level_count * column->value_count);
    SHOAL_ALLOC(ctx, column->penalties, column->level_count);
    for (uint32_t i = 0; i < points->count; i++) {
        const int32_t *row = shoal_i_distinct_row(points, i);
        uint32_t value = scales->values[c * points->count + i];

        for (size_t level = 0; level < column->level_count; level++) {
            size_t at = level * column->value_count + value;
            bool is_all = level + 1 == column->level_count;
            size_t given_up = is_all ? lanes->first[c] : lanes->first[c + 1] - level;

            if (column->keys[at] == 0) {
                column->keys[at] =
                    mix_key(c, level, is_all ? 0 : (uint64_t)row[given_up - 1] + 1);
                column->losses[at] = climb_to(lanes, c, row, given_up);
            }
            column->penalties[level] += (double)column->losses[at] * points->weights[i];
        }
        load += points->weights[i];
    }
    for (size_t level = 0; level < column->level_count; level++) {
        column->penalties[level] /= (double)load;
    }
done:
    return st;
}

/* Into which of 2^halvings equal parts of a range a place falls. */
static uint64_t part_of(uint64_t place, uint64_t range, unsigned halvings)
{
    return (place << halvings) / range;
}

/* A numeric column: the places of its values, from 0 to range - 1. */
typedef struct span {
    uint64_t *places; /* of each value */
    uint64_t range;
} span;

static void find_places(span *s, const shoal_i_scales *scales, const shoal_i_distinct *points,
                        size_t c)
{
    size_t lane = points->lanes->first[c];
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;

    for (uint32_t i = 0; i < points->count; i++) {
        uint64_t place = (uint64_t)shoal_i_distinct_row(points, i)[lane];

        s->places[scales->values[c * points->count + i]] = place;
        least = place < least ? place : least;
        most = place > most ? place : most;
    }
    s->range = most - least + 1;
    for (size_t value = 0; value < scales->columns[c].value_count; value++) {
        s->places[value] -= least;
    }
}

/* How many of the parts hold a value. */
static size_t count_parts(const span *s, size_t value_count, unsigned halvings)
{
    size_t count = 1;

    for (size_t value = 1; value < value_count; value++) {
        count += part_of(s->places[value], s->range, halvings) !=
                 part_of(s->places[value - 1], s->range, halvings);
    }
    return count;
}

/* Add a level that cuts the range into 2^halvings parts. */
static void add_level(shoal_i_scale_column *column, const span *s, size_t c, unsigned halvings)
{
    size_t level = column->level_count++;
    uint64_t *keys = column->keys + level * column->value_count;

    for (size_t value = 0; value < column->value_count; value++) {
        keys[value] = mix_key(c, level, part_of(s->places[value], s->range, halvings));
    }
    for (size_t first = 0, end = 0; first < column->value_count; first = end) {
        while (end < column->value_count && keys[end] == keys[first]) {
            end++;
        }
        for (size_t value = first; value < end; value++) {
            column->losses[level * column->value_count + value] =
                (int32_t)(s->places[end - 1] - s->places[first]);
        }
    }
    column->penalties[level] = (double)(s->range >> halvings);
    column->halvings[level] = halvings;
}

/* Fill the levels of a numeric column: the values, then fewer and fewer parts of the range, as
 * long as each brings some values together. */
static shoal_status fill_numeric(shoal_ctx *ctx, shoal_i_scales *scales,
                                 const shoal_i_distinct *points, size_t c, unsigned halvings)
{
    shoal_status st = SHOAL_OK;
    shoal_i_scale_column *column = &scales->columns[c];
    size_t parts = column->value_count;
    span s = {0};

    SHOAL_ALLOC(ctx, s.places, column->value_count);
    SHOAL_ALLOC(ctx, column->keys, (halvings + 2) * column->value_count);
    SHOAL_ALLOC(ctx, column->losses, (halvings + 2) * column->value_count);
    SHOAL_ALLOC(ctx, column->penalties, halvings + 2);
    SHOAL_ALLOC(ctx, column->halvings, halvings + 2);
    find_places(&s, scales, points, c);
    column->range = s.range;
    column->level_count = 1;
    for (size_t value = 0; value < column->value_count; value++) {
        column->keys[value] = mix_key(c, 0, value);
    }
    for (unsigned h = halvings + 1; h-- > 0;) {
        size_t fewer = count_parts(&s, column->value_count, h);

        if (fewer < parts) {
            add_level(column, &s, c, h);
            parts = fewer;
        }
    }
done:
    free(s.places);
    return st;
}

shoal_status shoal_i_scales_build(shoal_ctx *ctx, shoal_i_scales **out,
                                  const shoal_i_distinct *points, unsigned numeric_halvings)
{
    shoal_status st = SHOAL_OK;
    shoal_i_scales *scales = NULL;
    scratch d = {0};
    size_t columns = points->lanes->quasi->count;

    *out = NULL;
    SHOAL_ALLOC(ctx, scales, 1);
    scales->column_count = columns;
    scales->point_count = points->count;
    SHOAL_ALLOC(ctx, scales->columns, columns);
    SHOAL_ALLOC(ctx, scales->values, points->count * columns);
    SHOAL_ALLOC(ctx, d.marks, NARROW);
    SHOAL_ALLOC(ctx, d.items, points->count);
    SHOAL_ALLOC(ctx, d.spare, points->count);
    for (size_t c = 0; c < columns; c++) {
        scales->columns[c].value_count = 0;
        if (points->lanes->first[c + 1] > points->lanes->first[c]) {
            number_values(scales, points, c, &d);
        }
        if (scales->columns[c].value_count <= 1) { /* one level says all */
            scales->columns[c] =
                (shoal_i_scale_column){.level_count = 1, .value_count = 1, .is_complete = true};
            SHOAL_ALLOC(ctx, scales->columns[c].keys, 1);
            SHOAL_ALLOC(ctx, scales->columns[c].penalties, 1);
            SHOAL_ALLOC(ctx, scales->columns[c].losses, 1);
        } else if (points->lanes->quasi->columns[c].hierarchy) {
            SHOAL_TRY(fill_tree(ctx, scales, points, c));
        } else {
            SHOAL_TRY(fill_numeric(ctx, scales, points, c, numeric_halvings));
        }
    }
    *out = scales;
    scales = NULL;
done:
    shoal_i_scales_free(scales);
    free(d.marks);
    free(d.items);
    free(d.spare);
    return st;
}

/* Leave out levels of a numeric column. A level stands for all numbers of halvings down to that
 * of the next, because none of them brings values together. */
static void coarsen_column(shoal_i_scale_column *column, unsigned halvings)
{
    size_t dropped = 0;

    while (dropped + 2 < column->level_count && column->halvings[dropped + 2] >= halvings) {
        dropped++;
    }
    column->level_count -= dropped;
    for (size_t level = 1; level < column->level_count; level++) {
        unsigned finest = column->halvings[level + dropped];

        column->halvings[level] = finest < halvings ? finest : halvings;
        column->penalties[level] = (double)(column->range >> column->halvings[level]);
    }
    memmove(column->keys + column->value_count,
            column->keys + (1 + dropped) * column->value_count,
            (column->level_count - 1) * column->value_count * sizeof *column->keys);
    memmove(column->losses + column->value_count,
            column->losses + (1 + dropped) * column->value_count,
            (column->level_count - 1) * column->value_count * sizeof *column->losses);
}

void shoal_i_scales_coarsen(shoal_i_scales *scales, unsigned numeric_halvings)
{
    for (size_t c = 0; c < scales->column_count; c++) {
        if (scales->columns[c].halvings) {
            coarsen_column(&scales->columns[c], numeric_halvings);
        }
    }
}

void shoal_i_scales_free(shoal_i_scales *scales)
{
    if (scales) {
        for (size_t c = 0; scales->columns && c < scales->column_count; c++) {
            free(scales->columns[c].keys);
            free(scales->columns[c].penalties);
            free(scales->columns[c].losses);
            free(scales->columns[c].halvings);
        }
        free(scales->columns);
        free(scales->values);
        free(scales);
    }
}

void shoal_i_scales_keys(const shoal_i_scales *scales, const uint8_t *node, uint64_t *keys,
                         const uint32_t *values, size_t stride, size_t count)
{
    memset(keys, 0, count * sizeof *keys);
    for (size_t c = 0; c < scales->column_count; c++) {
        const shoal_i_scale_column *column = &scales->columns[c];
        const uint64_t *table = column->keys + node[c] * column->value_count;
        const uint32_t *numbers = values + c * stride;

        for (size_t i = 0; i < count && node[c] + 1u < column->level_count; i++) {
            keys[i] += table[numbers[i]];
        }
    }
}

double shoal_i_scales_penalty(const shoal_i_scales *scales, const uint8_t *node)
{
    double penalty = 0;

    for (size_t c = 0; c < scales->column_count; c++) {
        penalty += scales->columns[c].penalties[node[c]];
    }
    return penalty;
}
