#include "coverings.h"

#include "../base/fail.h"
#include "../base/sort.h"
#include "scales.h"

#include <math.h>

/* Coverings of one column at most. Numbers have some fifty classes of lengths, and no value is
 * in more windows of a class than there are bins. */
#define COVERINGS_MOST 65536

void shoal_i_coverings_free(shoal_i_coverings *coverings)
{
    if (coverings) {
        for (size_t c = 0; coverings->columns && c < coverings->column_count; c++) {
            shoal_i_covered_column *column = &coverings->columns[c];

            for (size_t i = 0; i < column->count; i++) {
                free(column->coverings[i].part_of);
                free(column->coverings[i].losses);
            }
            free(column->coverings);
            free(column->values);
            free(column->lows);
            free(column->highs);
        }
        free(coverings->columns);
        free(coverings);
    }
}

/* Add a covering without parts; it belongs to the column at once. */
static shoal_status add_covering(shoal_ctx *ctx, shoal_i_covered_column *column)
{
    shoal_status st = SHOAL_OK;

    if (column->count == column->capacity) {
        size_t capacity = 2 * column->capacity + 8;
        shoal_i_covering *grown =
            shoal_i_realloc(ctx, column->coverings, capacity, sizeof *grown);

        if (!grown) {
            return SHOAL_ENOMEM;
        }
        column->coverings = grown;
        column->capacity = capacity;
    }
    shoal_i_covering *added = &column->coverings[column->count++];

    *added = (shoal_i_covering){.least = SHOAL_I_NO_LOSS};
    SHOAL_ALLOC(ctx, added->part_of, column->value_count);
    SHOAL_ALLOC(ctx, added->losses, column->value_count);
    for (size_t value = 0; value < column->value_count; value++) {
        added->part_of[value] = SHOAL_I_NO_PART;
    }
done:
    return st;
}

static void find_least(shoal_i_covering *covering)
{
    for (uint32_t part = 0; part < covering->part_count; part++) {
        covering->least =
            covering->losses[part] < covering->least ? covering->losses[part] : covering->least;
    }
}

/* --- Trees. ------------------------------------------------------------------------------- */

/* Parts that hold the same values as one of the covering before stand for nothing new. */
static void drop_repeated(shoal_i_covering *covering, const shoal_i_covering *finer,
                          size_t value_count, uint32_t *inside)
{
    for (uint32_t part = 0; part < covering->part_count; part++) {
        inside[part] = SHOAL_I_NO_PART;
    }
    for (size_t value = 0; value < value_count; value++) {
        inside[covering->part_of[value]] = finer->part_of[value];
    }
    bool *differ = (bool *)(inside + value_count);

    for (uint32_t part = 0; part < covering->part_count; part++) {
        differ[part] = false;
    }
    for (size_t value = 0; value < value_count; value++) {
        uint32_t part = covering->part_of[value];

        differ[part] = differ[part] || inside[part] != finer->part_of[value];
    }
    for (uint32_t part = 0; part < covering->part_count; part++) {
        covering->losses[part] = differ[part] ? covering->losses[part] : SHOAL_I_NO_LOSS;
    }
}

/* Number the values of one level that have the same key; a part loses what the cheapest of
 * its values does, though all of a node lose the same. */
static void number_parts(shoal_i_covering *covering, const shoal_i_scale_column *scale,
                         size_t level, shoal_i_sort_item *items)
{
    const uint64_t *keys = scale->keys + level * scale->value_count;
    const int32_t *losses = scale->losses + level * scale->value_count;

    for (uint32_t value = 0; value < scale->value_count; value++) {
        items[value] = (shoal_i_sort_item){.key = keys[value], .item = value};
    }
    shoal_i_sort_items(items, items + scale->value_count, scale->value_count);
    for (size_t i = 0; i < scale->value_count; i++) {
        if (i == 0 || items[i].key != items[i - 1].key) {
            covering->losses[covering->part_count++] = SHOAL_I_NO_LOSS;
        }
        uint32_t part = covering->part_count - 1;
        int32_t loss = losses[items[i].item];

        covering->part_of[items[i].item] = part;
        covering->losses[part] = loss < covering->losses[part] ? loss : covering->losses[part];
    }
}

static shoal_status cover_tree(shoal_ctx *ctx, shoal_i_covered_column *column,
                               const shoal_i_scale_column *scale)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sort_item *items = NULL;
    uint32_t *inside = NULL;

    SHOAL_ALLOC(ctx, items, 2 * column->value_count);
    SHOAL_ALLOC(ctx, inside, 2 * column->value_count);
    for (size_t level = 0; level < scale->level_count; level++) {
        SHOAL_TRY(add_covering(ctx, column));
        number_parts(&column->coverings[level], scale, level, items);
        if (level > 0) {
            drop_repeated(&column->coverings[level], &column->coverings[level - 1],
                          column->value_count, inside);
        }
        find_least(&column->coverings[level]);
    }
done:
    free(items);
    free(inside);
    return st;
}

/* --- Numbers. ----------------------------------------------------------------------------- */

/* Values that are nearer to each other than one part of the range in so many count as one. */
#define BINS 512

/* Lengths below one part of the range in so many are one class. */
#define FINEST 256

/* Values that count as one: from lows[i] to highs[i]. */
typedef struct bins {
    size_t count;
    int32_t *lows;
    int32_t *highs;
    int32_t range;
} bins;

/* Lengths of one class. */
typedef struct length_class {
    int32_t shortest; /* that two bins are apart */
    int32_t longest;
    int32_t step; /* how far apart starts that share a window may be */
} length_class;

/* Make bins of the values of a column, which become its values. */
static void find_bins(bins *b, shoal_i_covered_column *column, const shoal_i_distinct *points,
                      size_t c, uint32_t *bin_of)
{
    size_t lane = points->lanes->first[c];

    for (size_t i = 0; i < points->count; i++) {
        b->lows[column->values[i]] = shoal_i_distinct_row(points, i)[lane];
    }
    b->range = b->lows[column->value_count - 1] - b->lows[0];
    for (size_t value = 0; value < column->value_count; value++) {
        int32_t place = b->lows[value];

        if (b->count == 0 || place - b->lows[b->count - 1] > b->range / BINS) {
            b->lows[b->count++] = place;
        }
        b->highs[b->count - 1] = place;
        bin_of[value] = (uint32_t)b->count - 1;
    }
    for (size_t i = 0; i < points->count; i++) {
        column->values[i] = bin_of[column->values[i]];
    }
    column->value_count = b->count;
}

/* The least length of an interval between two bins that is above `length`; INT32_MAX: there is
 * none. */
static int32_t find_next_length(const bins *b, int32_t length)
{
    int32_t next = INT32_MAX;

    for (size_t first = 0, last = 0; first < b->count; first++) {
        while (last < b->count && b->lows[last] - b->highs[first] <= length) {
            last++;
        }
        if (last < b->count && b->lows[last] - b->highs[first] < next) {
            next = b->lows[last] - b->highs[first];
        }
    }
    return next;
}

/* Put a window into the first of the coverings from `first` on that has room for it; ends: by
 * covering, where its last window ends. */
static shoal_status add_window(shoal_ctx *ctx, shoal_i_covered_column *column, size_t first,
                               size_t *ends, shoal_i_interval window, int32_t loss)
{
    shoal_status st = SHOAL_OK;
    size_t at = first;

    while (at < column->count && ends[at] > window.lo) {
        at++;
    }
    if (at == column->count) {
        SHOAL_TRY(add_covering(ctx, column));
    }
    shoal_i_covering *covering = &column->coverings[at];

    for (size_t value = window.lo; value <= window.hi; value++) {
        covering->part_of[value] = covering->part_count;
    }
    covering->losses[covering->part_count++] = loss;
    covering->least = loss;
    ends[at] = (size_t)window.hi + 1;
done:
    return st;
}

/* Windows for the intervals of a class, starts that are near each other sharing one. */
static shoal_status cover_class(shoal_ctx *ctx, shoal_i_covered_column *column, const bins *b,
                                length_class class, size_t *ends)
{
    shoal_status st = SHOAL_OK;
    size_t first = column->count;
    size_t covered = 0; /* where the window before ends */

    for (size_t start = 0, next = 0; start < b->count; start = next) {
        size_t end = start;

        while (next < b->count && b->lows[next] - b->lows[start] <= class.step) {
            next++;
        }
        while (end < b->count && b->lows[end] - b->highs[next - 1] <= class.longest) {
            end++;
        }
        /* Nothing of the class starts here, or it lies in the window before. */
        if (b->lows[end - 1] - b->highs[start] < class.shortest || end == covered) {
            continue;
        }
        covered = end;
        SHOAL_TRY(add_window(ctx, column, first, ends,
                             (shoal_i_interval){.lo = (uint32_t)start, .hi = (uint32_t)end - 1},
                             class.shortest));
    }
done:
    return st;
}

/* Bins by themselves lose nothing. */
static shoal_status cover_bins(shoal_ctx *ctx, shoal_i_covered_column *column)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(add_covering(ctx, column));
    for (uint32_t value = 0; value < column->value_count; value++) {
        column->coverings[0].part_of[value] = value;
    }
    column->coverings[0].part_count = (uint32_t)column->value_count;
    column->coverings[0].least = 0;
done:
    return st;
}

static shoal_status cover_numbers(shoal_ctx *ctx, shoal_i_covered_column *column,
                                  const shoal_i_distinct *points, size_t c,
                                  shoal_i_fineness fineness)
{
    shoal_status st = SHOAL_OK;
    bins b = {0};
    uint32_t *bin_of = NULL;
    size_t *ends = NULL;
    length_class class = {0};

    SHOAL_ALLOC(ctx, b.lows, column->value_count);
    SHOAL_ALLOC(ctx, b.highs, column->value_count);
    SHOAL_ALLOC(ctx, bin_of, column->value_count);
    SHOAL_ALLOC(ctx, ends, COVERINGS_MOST);
    find_bins(&b, column, points, c, bin_of);
    SHOAL_TRY(cover_bins(ctx, column));
    for (;;) {
        class.shortest = find_next_length(&b, class.longest);
        if (class.shortest == INT32_MAX) {
            break;
        }
        double longest = fmax(fineness.growth * class.shortest, b.range / FINEST);

        class.longest = longest < b.range ? (int32_t)longest : b.range;
        class.step = (int32_t)(class.longest / fineness.overlap);
        SHOAL_TRY(cover_class(ctx, column, &b, class, ends));
    }
done:
    column->lows = b.lows;
    column->highs = b.highs;
    free(bin_of);
    free(ends);
    return st;
}

shoal_status shoal_i_coverings_build(shoal_ctx *ctx, shoal_i_coverings **out,
                                     const shoal_i_distinct *points, shoal_i_fineness fineness)
{
    shoal_status st = SHOAL_OK;
    shoal_i_coverings *coverings = NULL;
    shoal_i_scales *scales = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, coverings, 1);
    coverings->points = points;
    coverings->are_complete = true;
    SHOAL_TRY(shoal_i_scales_build(ctx, &scales, points, 0));
    SHOAL_ALLOC(ctx, coverings->columns, scales->column_count);
    coverings->column_count = scales->column_count;
    for (size_t c = 0; c < scales->column_count; c++) {
        shoal_i_covered_column *column = &coverings->columns[c];
        const shoal_i_scale_column *scale = &scales->columns[c];
        bool is_tree = points->lanes->quasi->columns[c].hierarchy || scale->value_count == 1;

        column->value_count = scale->value_count;
        SHOAL_ALLOC(ctx, column->values, points->count);
        for (size_t i = 0; i < points->count; i++) {
            column->values[i] = scales->values[c * points->count + i];
        }
        if (is_tree) {
            SHOAL_TRY(cover_tree(ctx, column, scale));
            coverings->are_complete = coverings->are_complete && scale->is_complete;
        } else {
            coverings->have_windows = true;
            SHOAL_TRY(cover_numbers(ctx, column, points, c, fineness));
        }
    }
    *out = coverings;
    coverings = NULL;
done:
    shoal_i_scales_free(scales);
    shoal_i_coverings_free(coverings);
    return st;
}
