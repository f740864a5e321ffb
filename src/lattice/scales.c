#include "scales.h"

#include "../base/fail.h"
#include "../base/hash.h"
#include "../base/pool.h"
#include "../base/random.h"
#include "../base/sort.h"

#include <stdlib.h>
#include <string.h>

/* Values of a column whose range is narrower are numbered without looking for them. */
#define NARROW 16384

/* Others are looked for in so many slots, and sorted where more than half of the slots would be
 * taken. */
#define SLOTS ((size_t)1 << 15)
#define SLOT_EMPTY UINT32_MAX /* lane values are not negative */

/* What is known of one value of a column. */
typedef struct known_value {
    uint32_t point; /* one that has it */
    uint64_t load;  /* records that have it */
} known_value;

/* Numbering the values of one column, and filling its levels. */
typedef struct numbering {
    const shoal_i_distinct *points;
    size_t c;
    uint32_t *values;             /* of the points */
    shoal_i_scale_column *column; /* that is filled */
    known_value *known;           /* per value */
    shoal_i_hash_key hash;
} numbering;

typedef struct scale_build {
    shoal_i_scales *scales;
    const shoal_i_distinct *points;
    unsigned halvings;
} scale_build;

/* The key of a value at a level of a column. */
static uint64_t mix_key(size_t c, size_t level, uint64_t value)
{
    return shoal_i_random_key(shoal_i_random_key(c, level), value);
}

/* --- Values. ------------------------------------------------------------------------------ */

/* Number the values of a column by sorting. */
static shoal_status sort_values(shoal_ctx *ctx, numbering *n)
{
    shoal_status st = SHOAL_OK;
    size_t count = n->points->count;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *spare = NULL;

    SHOAL_ALLOC(ctx, items, count);
    SHOAL_ALLOC(ctx, spare, count);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = (shoal_i_sort_item){.key = n->values[i], .item = i};
    }
    shoal_i_sort_items(items, spare, count);
    for (size_t i = 0; i < count; i++) {
        n->column->value_count += i == 0 || items[i].key != items[i - 1].key;
        n->values[items[i].item] = (uint32_t)n->column->value_count - 1;
    }
done:
    free(items);
    free(spare);
    return st;
}

/* Number the values of a narrow range by marking which there are. */
static shoal_status mark_values(shoal_ctx *ctx, numbering *n, uint32_t least, uint32_t most)
{
    shoal_status st = SHOAL_OK;
    uint32_t *marks = NULL;

    SHOAL_ALLOC(ctx, marks, most - least + 1);
    for (size_t i = 0; i < n->points->count; i++) {
        marks[n->values[i] - least] = 1;
    }
    for (size_t value = 0; value <= most - least; value++) {
        uint32_t number = (uint32_t)n->column->value_count;

        n->column->value_count += marks[value];
        marks[value] = number;
    }
    for (size_t i = 0; i < n->points->count; i++) {
        n->values[i] = marks[n->values[i] - least];
    }
done:
    free(marks);
    return st;
}

/* The slot of a value, or the empty one where it belongs. */
static size_t find_slot(const uint32_t *slots, const shoal_i_hash_key *hash, uint32_t value)
{
    size_t slot = (size_t)shoal_i_hash_u64(hash, value) & (SLOTS - 1);

    while (slots[slot] != value && slots[slot] != SLOT_EMPTY) {
        slot = (slot + 1) & (SLOTS - 1);
    }
    return slot;
}

/* List the values of a column, each once; SIZE_MAX when there are too many. */
static size_t list_values(uint32_t *list, uint32_t *slots, const numbering *n)
{
    size_t count = 0;

    for (size_t i = 0; i < n->points->count; i++) {
        size_t slot = find_slot(slots, &n->hash, n->values[i]);

        if (slots[slot] == SLOT_EMPTY) {
            if (count == SLOTS / 2) {
                return SIZE_MAX;
            }
            slots[slot] = n->values[i];
            list[count++] = n->values[i];
        }
    }
    return count;
}

/* Number the values of a wide range: mostly they are few all the same. */
static shoal_status look_up_values(shoal_ctx *ctx, numbering *n)
{
    shoal_status st = SHOAL_OK;
    uint32_t *slots = NULL;
    uint32_t *numbers = NULL; /* per slot */
    uint32_t *list = NULL;

    SHOAL_ALLOC(ctx, slots, SLOTS);
    SHOAL_ALLOC(ctx, numbers, SLOTS);
    SHOAL_ALLOC(ctx, list, SLOTS / 2);
    memset(slots, 0xFF, SLOTS * sizeof *slots);
    size_t count = list_values(list, slots, n);

    if (count == SIZE_MAX) {
        SHOAL_TRY(sort_values(ctx, n));
        goto done;
    }
    qsort(list, count, sizeof *list, shoal_i_compare_u32);
    for (size_t i = 0; i < count; i++) {
        numbers[find_slot(slots, &n->hash, list[i])] = (uint32_t)i;
    }
    for (size_t i = 0; i < n->points->count; i++) {
        n->values[i] = numbers[find_slot(slots, &n->hash, n->values[i])];
    }
    n->column->value_count = count;
done:
    free(slots);
    free(numbers);
    free(list);
    return st;
}

/* Number the values of a column in the order of its last lane. */
static shoal_status number_values(shoal_ctx *ctx, numbering *n)
{
    size_t lane = n->points->lanes->first[n->c + 1] - 1;
    uint32_t least = UINT32_MAX;
    uint32_t most = 0;

    for (size_t i = 0; i < n->points->count; i++) {
        uint32_t value = (uint32_t)shoal_i_distinct_row(n->points, i)[lane];

        n->values[i] = value;
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    if (most - least < NARROW) {
        return mark_values(ctx, n, least, most);
    }
    return look_up_values(ctx, n);
}

/* A point and the records of each value. */
static shoal_status know_values(shoal_ctx *ctx, numbering *n)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, n->known, n->column->value_count);
    for (uint32_t i = 0; i < n->points->count; i++) {
        known_value *value = &n->known[n->values[i]];

        value->point = i;
        value->load += n->points->weights[i];
    }
done:
    return st;
}

/* --- Levels. ------------------------------------------------------------------------------ */

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
static shoal_status fill_tree(shoal_ctx *ctx, const numbering *n)
{
    shoal_status st = SHOAL_OK;
    shoal_i_scale_column *column = n->column;
    const shoal_i_lanes *lanes = n->points->lanes;
    size_t depths = lanes->first[n->c + 1] - lanes->first[n->c];
    uint64_t load = 0;

    column->is_complete = depths < SHOAL_I_LEVELS_MAX;
    column->level_count = depths < SHOAL_I_LEVELS_MAX ? depths + 1 : SHOAL_I_LEVELS_MAX;
    SHOAL_ALLOC(ctx, column->keys, column->level_count * column->value_count);
    SHOAL_ALLOC(ctx, column->losses, column->level_count * column->value_count);
    SHOAL_ALLOC(ctx, column->penalties, column->level_count);
    for (size_t value = 0; value < column->value_count; value++) {
        const int32_t *row = shoal_i_distinct_row(n->points, n->known[value].point);

        for (size_t level = 0; level < column->level_count; level++) {
            size_t at = level * column->value_count + value;
            bool is_all = level + 1 == column->level_count;
            size_t given_up = is_all ? lanes->first[n->c] : lanes->first[n->c + 1] - level;

            column->keys[at] =
                mix_key(n->c, level, is_all ? 0 : (uint64_t)row[given_up - 1] + 1);
            column->losses[at] = climb_to(lanes, n->c, row, given_up);
            column->penalties[level] +=
                (double)column->losses[at] * (double)n->known[value].load;
        }
        load += n->known[value].load;
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

static void find_places(span *s, const numbering *n)
{
    size_t lane = n->points->lanes->first[n->c];
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;

    for (size_t value = 0; value < n->column->value_count; value++) {
        uint64_t place = (uint64_t)shoal_i_distinct_row(n->points, n->known[value].point)[lane];

        s->places[value] = place;
        least = place < least ? place : least;
        most = place > most ? place : most;
    }
    s->range = most - least + 1;
    for (size_t value = 0; value < n->column->value_count; value++) {
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
static shoal_status fill_numeric(shoal_ctx *ctx, const numbering *n, unsigned halvings)
{
    shoal_status st = SHOAL_OK;
    shoal_i_scale_column *column = n->column;
    size_t c = n->c;
    size_t parts = column->value_count;
    span s = {0};

    SHOAL_ALLOC(ctx, s.places, column->value_count);
    SHOAL_ALLOC(ctx, column->keys, (halvings + 2) * column->value_count);
    SHOAL_ALLOC(ctx, column->losses, (halvings + 2) * column->value_count);
    SHOAL_ALLOC(ctx, column->penalties, halvings + 2);
    SHOAL_ALLOC(ctx, column->halvings, halvings + 2);
    find_places(&s, n);
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

/* One level says all. */
static shoal_status fill_constant(shoal_ctx *ctx, shoal_i_scale_column *column)
{
    shoal_status st = SHOAL_OK;

    *column = (shoal_i_scale_column){.level_count = 1, .value_count = 1, .is_complete = true};
    SHOAL_ALLOC(ctx, column->keys, 1);
    SHOAL_ALLOC(ctx, column->penalties, 1);
    SHOAL_ALLOC(ctx, column->losses, 1);
done:
    return st;
}

static shoal_status build_column(shoal_ctx *ctx, void *payload, size_t c)
{
    shoal_status st = SHOAL_OK;
    const scale_build *b = payload;
    const shoal_i_lanes *lanes = b->points->lanes;
    numbering n = {
        .points = b->points,
        .c = c,
        .values = b->scales->values + c * b->points->count,
        .column = &b->scales->columns[c],
        .hash = ctx->hash_key,
    };

    if (lanes->first[c + 1] > lanes->first[c]) {
        SHOAL_TRY(number_values(ctx, &n));
    }
    if (n.column->value_count <= 1) {
        SHOAL_TRY(fill_constant(ctx, n.column));
        goto done;
    }
    SHOAL_TRY(know_values(ctx, &n));
    if (lanes->quasi->columns[c].hierarchy) {
        SHOAL_TRY(fill_tree(ctx, &n));
    } else {
        SHOAL_TRY(fill_numeric(ctx, &n, b->halvings));
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    free(n.known);
    return st;
}

shoal_status shoal_i_scales_build(shoal_ctx *ctx, shoal_i_scales **out,
                                  const shoal_i_distinct *points, unsigned numeric_halvings)
{
    shoal_status st = SHOAL_OK;
    shoal_i_scales *scales = NULL;
    scale_build b = {.points = points, .halvings = numeric_halvings};
    size_t columns = points->lanes->quasi->count;

    *out = NULL;
    SHOAL_ALLOC(ctx, scales, 1);
    scales->column_count = columns;
    scales->point_count = points->count;
    SHOAL_ALLOC(ctx, scales->columns, columns);
    SHOAL_ALLOC(ctx, scales->values, points->count * columns);
    b.scales = scales;
    SHOAL_TRY(shoal_i_parallel_for(ctx, columns, build_column, &b));
    *out = scales;
    scales = NULL;
done:
    shoal_i_scales_free(scales);
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

/* Columns that are looked up together: sums then stay in registers. */
#define TOGETHER 4

/* What a column adds to keys at its level. */
typedef struct part {
    const uint64_t *keys;
    const uint32_t *values;
} part;

static void add_four(uint64_t *keys, const part *p, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        keys[i] += p[0].keys[p[0].values[i]] + p[1].keys[p[1].values[i]] +
                   p[2].keys[p[2].values[i]] + p[3].keys[p[3].values[i]];
    }
}

static void add_one(uint64_t *keys, const part *p, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        keys[i] += p->keys[p->values[i]];
    }
}

void shoal_i_scales_keys(const shoal_i_scales *scales, const uint8_t *node, uint64_t *keys,
                         const uint32_t *values, size_t stride, size_t count)
{
    part parts[TOGETHER];
    size_t used = 0;

    memset(keys, 0, count * sizeof *keys);
    for (size_t c = 0; c < scales->column_count; c++) {
        const shoal_i_scale_column *column = &scales->columns[c];

        if (node[c] + 1u < column->level_count) {
            parts[used++] = (part){.keys = column->keys + node[c] * column->value_count,
                                   .values = values + c * stride};
        }
        if (used == TOGETHER) {
            add_four(keys, parts, count);
            used = 0;
        }
    }
    for (size_t i = 0; i < used; i++) {
        add_one(keys, &parts[i], count);
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
