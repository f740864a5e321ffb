#include "spread.h"

#include "../../base/pool.h"
#include "../../base/sort.h"

#include <math.h>

static void clear_column(shoal_i_spread_column *column)
{
    shoal_i_axis_clear(&column->axis);
    free(column->intervals);
    free(column->places);
    free(column->block_ends);
    free(column->interval_of);
    free(column->starts);
    free(column->lists);
}

void shoal_i_spread_free(shoal_i_spread *spread)
{
    if (!spread) {
        return;
    }
    for (size_t c = 0; spread->columns && c < spread->column_count; c++) {
        clear_column(&spread->columns[c]);
    }
    for (size_t j = 0; spread->values && j < spread->published->sensitive_count; j++) {
        free(spread->values[j].starts);
        free(spread->values[j].codes);
        free(spread->values[j].counts);
    }
    free(spread->columns);
    free(spread->values);
    free(spread->group_sizes);
    free(spread->part_starts);
    free(spread->parts);
    free(spread);
}

/* --- Columns. --------------------------------------------------------------------------- */

/* Boxes by their interval in a column, and the intervals numbered in that order. */
static shoal_status sort_intervals(shoal_ctx *ctx, shoal_i_spread_column *column,
                                   const shoal_i_release *release, size_t c)
{
    shoal_status st = SHOAL_OK;
    size_t boxes = release->box_count;
    size_t width = release->quasi->count;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;

    SHOAL_ALLOC(ctx, items, boxes);
    SHOAL_ALLOC(ctx, scratch, boxes);
    for (size_t b = 0; b < boxes; b++) {
        shoal_i_interval interval = release->boxes[b * width + c];

        items[b] = (shoal_i_sort_item){(uint64_t)interval.lo << 32 | interval.hi, (uint32_t)b};
    }
    shoal_i_sort_items(items, scratch, boxes);
    for (size_t i = 0; i < boxes; i++) {
        column->interval_count += i == 0 || items[i].key != items[i - 1].key;
    }
    SHOAL_ALLOC(ctx, column->intervals, column->interval_count);
    SHOAL_ALLOC(ctx, column->starts, column->interval_count + 1);
    SHOAL_ALLOC(ctx, column->lists, boxes);
    SHOAL_ALLOC(ctx, column->interval_of, boxes);
    size_t number = 0;

    for (size_t i = 0; i < boxes; i++) {
        number += i > 0 && items[i].key != items[i - 1].key;
        column->intervals[number] =
            (shoal_i_interval){(uint32_t)(items[i].key >> 32), (uint32_t)items[i].key};
        column->interval_of[items[i].item] = (uint32_t)number;
        column->lists[i] = items[i].item;
        column->starts[number + 1] = (uint32_t)(i + 1);
    }
done:
    free(items);
    free(scratch);
    return st;
}

static shoal_status place_intervals(shoal_ctx *ctx, shoal_i_spread_column *column)
{
    shoal_status st = SHOAL_OK;
    size_t count = column->interval_count;

    SHOAL_ALLOC(ctx, column->places, count);
    SHOAL_ALLOC(ctx, column->block_ends, count / SHOAL_I_SPREAD_BLOCK + 1);
    for (size_t i = 0; i < count; i++) {
        double *block_end = &column->block_ends[i / SHOAL_I_SPREAD_BLOCK];

        column->places[i] = shoal_i_axis_place(&column->axis, column->intervals[i]);
        *block_end = i % SHOAL_I_SPREAD_BLOCK == 0 ? column->places[i].to
                                                   : fmax(*block_end, column->places[i].to);
    }
done:
    return st;
}

static shoal_status build_column(shoal_ctx *ctx, void *payload, size_t c)
{
    shoal_status st = SHOAL_OK;
    shoal_i_spread *spread = payload;
    const shoal_i_release *release = spread->published->release;

    SHOAL_TRY(shoal_i_axis_init(ctx, &spread->columns[c].axis, release->quasi, c));
    SHOAL_TRY(sort_intervals(ctx, &spread->columns[c], release, c));
    SHOAL_TRY(place_intervals(ctx, &spread->columns[c]));
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    return st;
}

/* --- Groups. ---------------------------------------------------------------------------- */

static uint32_t find_group(const shoal_i_release *release, size_t row)
{
    return release->shape == SHOAL_I_SHAPE_BUCKETS ? release->bucket_of[row]
                                                   : release->box_of[row];
}

static shoal_status count_groups(shoal_ctx *ctx, shoal_i_spread *spread)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_release *release = spread->published->release;

    spread->has_parts = release->shape == SHOAL_I_SHAPE_BUCKETS;
    spread->group_count = spread->has_parts ? release->bucket_count : release->box_count;
    SHOAL_ALLOC(ctx, spread->group_sizes, spread->group_count);
    for (size_t row = 0; row < release->row_count; row++) {
        spread->group_sizes[find_group(release, row)]++;
    }
done:
    return st;
}

/* Rows in pairs of numbers (first, second), sorted, and equal pairs counted: of a box and its
 * bucket, of a group and its value. *starts has first_count + 1 entries. */
typedef struct pair_counts {
    uint32_t *starts;
    uint32_t *seconds;
    uint32_t *counts;
} pair_counts;

static shoal_status count_pairs(shoal_ctx *ctx, pair_counts *out, shoal_i_sort_item *pairs,
                                size_t count, size_t first_count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sort_item *scratch = NULL;
    pair_counts found = {0};
    size_t different = 0;

    SHOAL_ALLOC(ctx, scratch, count);
    shoal_i_sort_items(pairs, scratch, count);
    for (size_t i = 0; i < count; i++) {
        different += i == 0 || pairs[i].key != pairs[i - 1].key;
    }
    SHOAL_ALLOC(ctx, found.starts, first_count + 1);
    SHOAL_ALLOC(ctx, found.seconds, different);
    SHOAL_ALLOC(ctx, found.counts, different);
    different = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || pairs[i].key != pairs[i - 1].key) {
            found.seconds[different++] = (uint32_t)pairs[i].key;
            found.starts[(pairs[i].key >> 32) + 1]++;
        }
        found.counts[different - 1]++;
    }
    for (size_t i = 0; i < first_count; i++) {
        found.starts[i + 1] += found.starts[i];
    }
    *out = found;
    found = (pair_counts){0};
done:
    free(scratch);
    free(found.starts);
    free(found.seconds);
    free(found.counts);
    return st;
}

/* The buckets of each box. */
static shoal_status build_parts(shoal_ctx *ctx, shoal_i_spread *spread)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_release *release = spread->published->release;
    shoal_i_sort_item *pairs = NULL;
    pair_counts found = {0};

    SHOAL_ALLOC(ctx, pairs, release->row_count);
    for (size_t row = 0; row < release->row_count; row++) {
        pairs[row].key = (uint64_t)release->box_of[row] << 32 | release->bucket_of[row];
    }
    SHOAL_TRY(count_pairs(ctx, &found, pairs, release->row_count, release->box_count));
    spread->part_starts = found.starts;
    found.starts = NULL;
    size_t part_count = spread->part_starts[release->box_count];

    SHOAL_ALLOC(ctx, spread->parts, part_count);
    for (size_t i = 0; i < part_count; i++) {
        spread->parts[i] = (shoal_i_spread_part){found.seconds[i], found.counts[i]};
    }
done:
    free(pairs);
    free(found.starts);
    free(found.seconds);
    free(found.counts);
    return st;
}

static shoal_status build_values(shoal_ctx *ctx, void *payload, size_t j)
{
    shoal_status st = SHOAL_OK;
    shoal_i_spread *spread = payload;
    const shoal_i_release *release = spread->published->release;
    const uint32_t *codes = spread->published->sensitive[j].codes;
    shoal_i_sort_item *pairs = NULL;
    pair_counts found = {0};

    SHOAL_ALLOC(ctx, pairs, release->row_count);
    for (size_t row = 0; row < release->row_count; row++) {
        pairs[row].key = (uint64_t)find_group(release, row) << 32 | codes[row];
    }
    SHOAL_TRY(count_pairs(ctx, &found, pairs, release->row_count, spread->group_count));
    spread->values[j] = (shoal_i_spread_values){found.starts, found.seconds, found.counts};
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    free(pairs);
    return st;
}

shoal_status shoal_i_spread_build(shoal_ctx *ctx, shoal_i_spread **out,
                                  const shoal_i_published *published)
{
    shoal_status st = SHOAL_OK;
    shoal_i_spread *spread = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, spread, 1);
    spread->published = published;
    spread->column_count = published->release->quasi->count;
    SHOAL_ALLOC(ctx, spread->columns, spread->column_count);
    SHOAL_ALLOC(ctx, spread->values, published->sensitive_count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, spread->column_count, build_column, spread));
    SHOAL_TRY(count_groups(ctx, spread));
    if (spread->has_parts) {
        SHOAL_TRY(build_parts(ctx, spread));
    }
    SHOAL_TRY(shoal_i_parallel_for(ctx, published->sensitive_count, build_values, spread));
    *out = spread;
    spread = NULL;
done:
    shoal_i_spread_free(spread);
    return st;
}

/* --- Questions. ------------------------------------------------------------------------- */

size_t shoal_i_spread_find(const shoal_i_spread_column *column, const shoal_i_segment *segments,
                           size_t count, shoal_i_touch *out)
{
    size_t found = 0;
    double from = count > 0 ? segments[0].from : 0;
    double to = count > 0 ? segments[count - 1].to : -1;

    for (size_t i = 0; count > 0 && i < column->interval_count; i++) {
        if (i % SHOAL_I_SPREAD_BLOCK == 0 &&
            column->block_ends[i / SHOAL_I_SPREAD_BLOCK] < from) {
            i += SHOAL_I_SPREAD_BLOCK - 1;
            continue;
        }
        if (column->places[i].from > to) {
            break;
        }
        double share = shoal_i_axis_share(&column->axis, column->places[i], segments, count);

        if (share > 0) {
            out[found++] = (shoal_i_touch){(uint32_t)i, share};
        }
    }
    return found;
}

/* Add the values of a group, as many records as weight says. */
static void add_group(const shoal_i_spread *spread, const shoal_i_spread_values *values,
                      size_t group, double weight, double *sums)
{
    double each = weight / (double)spread->group_sizes[group];

    for (uint32_t at = values->starts[group]; at < values->starts[group + 1]; at++) {
        sums[values->codes[at]] += each * values->counts[at];
    }
}

/* What the buckets have of the touched boxes is added up first: a bucket has many boxes. */
static double add_buckets(const shoal_i_spread *spread, size_t j, const shoal_i_touch *touched,
                          size_t count, double *weights, double *sums)
{
    double total = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t end = spread->part_starts[touched[i].box + 1];

        for (uint32_t at = spread->part_starts[touched[i].box]; at < end; at++) {
            weights[spread->parts[at].group] += touched[i].share * spread->parts[at].count;
        }
    }
    for (size_t group = 0; group < spread->group_count; group++) {
        if (weights[group] > 0) {
            add_group(spread, &spread->values[j], group, weights[group], sums);
            total += weights[group];
            weights[group] = 0;
        }
    }
    return total;
}

double shoal_i_spread_add(const shoal_i_spread *spread, size_t j, const shoal_i_touch *touched,
                          size_t count, double *weights, double *sums)
{
    double total = 0;

    if (spread->has_parts) {
        return add_buckets(spread, j, touched, count, weights, sums);
    }
    for (size_t i = 0; i < count; i++) {
        double weight = touched[i].share * spread->group_sizes[touched[i].box];

        add_group(spread, &spread->values[j], touched[i].box, weight, sums);
        total += weight;
    }
    return total;
}
