#include "distribution.h"

#include "../base/pool.h"
#include "../base/sort.h"

#include <math.h>

#define RANGES_MAX 20
#define VALUES_SHOWN 12

typedef struct spread_job {
    const shoal_i_release *release;
    shoal_i_distribution *out;
} spread_job;

/* Records of the original by code. */
static shoal_status count_codes(shoal_ctx *ctx, uint64_t **out, const shoal_i_quasi *quasi,
                                size_t c)
{
    shoal_status st = SHOAL_OK;
    size_t rows = shoal_table_row_count(quasi->table);
    uint64_t *counts = NULL;

    SHOAL_ALLOC(ctx, counts, quasi->columns[c].value_count);
    for (size_t row = 0; row < rows; row++) {
        counts[shoal_i_quasi_code(quasi, c, row)]++;
    }
    *out = counts;
done:
    return st;
}

static double divide(double part, size_t whole)
{
    return whole > 0 ? part / (double)whole : 0;
}

/* --- Numbers. --------------------------------------------------------------------------- */

/* How the range of a column is divided. Whole numbers and days take up a length of 1 each. */
typedef struct scale {
    double first;
    double width; /* of a range; 0: the column is constant */
    bool is_whole;
    size_t count;
} scale;

static scale make_scale(const shoal_i_quasi_column *column, shoal_type type)
{
    size_t numbers = column->value_count - column->has_missing;
    scale s = {.is_whole = type == SHOAL_TYPE_INTEGER || type == SHOAL_TYPE_DATE};

    if (numbers == 0) {
        return s;
    }
    s.first = column->values[0];
    s.count = RANGES_MAX;
    if (s.is_whole) {
        double length = column->range + 1;

        s.width = ceil(length / RANGES_MAX);
        s.count = (size_t)ceil(length / s.width);
    } else if (column->range > 0) {
        s.width = column->range / RANGES_MAX;
    } else {
        s.count = 1;
    }
    return s;
}

static size_t find_range(const scale *s, double value)
{
    double at = s->width > 0 ? floor((value - s->first) / s->width) : 0;

    return at < (double)(s->count - 1) ? (size_t)at : s->count - 1;
}

/* Spread records over the ranges that [from, to] reaches. */
static void spread_range(const scale *s, double *masses, double from, double to, double records)
{
    double end = s->is_whole ? to + 1 : to;
    size_t first = find_range(s, from);
    size_t last = find_range(s, to);

    if (first == last) {
        masses[first] += records;
        return;
    }
    for (size_t i = first; i <= last; i++) {
        double start = s->first + (double)i * s->width;
        double stop = i == s->count - 1 ? end : start + s->width;
        double low = start > from ? start : from;
        double high = stop < end ? stop : end;

        masses[i] += records * (high - low) / (end - from);
    }
}

/* Spread a box. A range that takes in the missing value gives it the share of one code. */
static void spread_numbers(const shoal_i_quasi_column *column, const scale *s, double *masses,
                           shoal_i_interval interval, double records)
{
    uint32_t missing = column->has_missing ? column->value_count - 1 : UINT32_MAX;

    if (interval.hi == missing) {
        double part = interval.lo == missing ? records : records / (double)column->value_count;

        masses[s->count] += part;
        records -= part;
        if (interval.lo == missing) {
            return;
        }
        interval.hi--;
    }
    /* Of a range that ends on a grid beyond the values, what lies within them. */
    double last = column->values[0] + column->range;

    spread_range(s, masses, fmax(column->lower[interval.lo], column->values[0]),
                 fmin(column->upper[interval.hi], last), records);
}

static void fill_ranges(shoal_i_distribution *d, const scale *s, const double *before,
                        const double *after, size_t original, size_t released)
{
    for (size_t i = 0; i < s->count + d->column->has_missing; i++) {
        shoal_i_share *share = &d->shares[d->count++];
        double start = s->first + (double)i * s->width;
        double stop = s->first + (double)(i + 1) * s->width;

        *share = (shoal_i_share){
            .kind = i < s->count ? SHOAL_I_SHARE_RANGE : SHOAL_I_SHARE_MISSING,
            .from = start,
            .to = s->is_whole ? stop - 1 : stop,
            .original = divide(before[i], original),
            .release = divide(after[i], released),
        };
        d->distance += fabs(share->original - share->release) / 2;
    }
    if (s->count > 0) { /* the last range ends with the values */
        double last = s->first + d->column->range;

        d->shares[s->count - 1].to = last;
    }
}

static void show_numbers(shoal_i_distribution *d, const shoal_i_release *release, size_t c,
                         const uint64_t *counts)
{
    const shoal_i_quasi *quasi = release->quasi;
    const shoal_i_quasi_column *column = d->column;
    scale s = make_scale(column, d->type);
    double before[RANGES_MAX + 1] = {0};
    double after[RANGES_MAX + 1] = {0};

    for (uint32_t code = 0; code < column->value_count; code++) {
        shoal_i_interval one = {code, code};

        spread_numbers(column, &s, before, one, (double)counts[code]);
    }
    for (size_t b = 0; b < release->box_count; b++) {
        spread_numbers(column, &s, after, release->boxes[b * quasi->count + c],
                       release->box_sizes[b]);
    }
    fill_ranges(d, &s, before, after, shoal_table_row_count(quasi->table), release->row_count);
}

/* --- Categories. ------------------------------------------------------------------------ */

/* Expected records by code: what boxes add at their first code they take back behind their last
 * one. */
static void spread_leaves(const shoal_i_release *release, size_t c, double *masses)
{
    size_t width = release->quasi->count;
    uint32_t values = release->quasi->columns[c].value_count;

    for (size_t b = 0; b < release->box_count; b++) {
        shoal_i_interval interval = release->boxes[b * width + c];
        double each = (double)release->box_sizes[b] / (double)(interval.hi - interval.lo + 1);

        masses[interval.lo] += each;
        masses[interval.hi + 1] -= each;
    }
    for (uint32_t code = 1; code < values; code++) {
        masses[code] += masses[code - 1];
    }
}

/* Codes by falling count, equal ones in their order. */
static shoal_status order_codes(shoal_ctx *ctx, shoal_i_sort_item **out, const uint64_t *counts,
                                size_t count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sort_item *items = NULL;
    shoal_i_sort_item *scratch = NULL;

    SHOAL_ALLOC(ctx, items, count);
    SHOAL_ALLOC(ctx, scratch, count);
    for (size_t i = 0; i < count; i++) {
        items[i] = (shoal_i_sort_item){UINT64_MAX - counts[i], (uint32_t)i};
    }
    shoal_i_sort_items(items, scratch, count);
    *out = items;
    items = NULL;
done:
    free(items);
    free(scratch);
    return st;
}

static void fill_values(shoal_i_distribution *d, const shoal_i_release *release,
                        const shoal_i_sort_item *order, const uint64_t *counts,
                        const double *masses)
{
    size_t original = shoal_table_row_count(release->quasi->table);
    size_t values = d->column->value_count;
    size_t shown = values <= VALUES_SHOWN + 1 ? values : VALUES_SHOWN;

    for (size_t i = 0; i < values; i++) {
        uint32_t code = order[i].item;
        double before = divide((double)counts[code], original);
        double after = fmax(0, divide(masses[code], release->row_count));

        d->distance += fabs(before - after) / 2;
        if (i <= shown) {
            d->shares[d->count++] = (shoal_i_share){
                .kind = i < shown ? SHOAL_I_SHARE_VALUE : SHOAL_I_SHARE_OTHERS, .code = code};
        }
        shoal_i_share *share = &d->shares[d->count - 1];

        share->values++;
        share->original += before;
        share->release += after;
    }
}

static shoal_status show_values(shoal_ctx *ctx, shoal_i_distribution *d,
                                const shoal_i_release *release, size_t c,
                                const uint64_t *counts)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sort_item *order = NULL;
    double *masses = NULL;

    SHOAL_ALLOC(ctx, masses, (size_t)d->column->value_count + 1);
    spread_leaves(release, c, masses);
    SHOAL_TRY(order_codes(ctx, &order, counts, d->column->value_count));
    fill_values(d, release, order, counts, masses);
done:
    free(order);
    free(masses);
    return st;
}

static shoal_status show_column(shoal_ctx *ctx, void *payload, size_t c)
{
    shoal_status st = SHOAL_OK;
    const spread_job *job = payload;
    const shoal_i_quasi *quasi = job->release->quasi;
    shoal_i_distribution *d = &job->out[c];
    uint64_t *counts = NULL;

    d->column = &quasi->columns[c];
    d->type = shoal_table_type(quasi->table, d->column->column);
    SHOAL_TRY(count_codes(ctx, &counts, quasi, c));
    if (d->column->hierarchy) {
        SHOAL_TRY(show_values(ctx, d, job->release, c, counts));
    } else {
        show_numbers(d, job->release, c, counts);
    }
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
done:
    free(counts);
    return st;
}

shoal_status shoal_i_distributions_find(shoal_ctx *ctx, shoal_i_distribution **out,
                                        const shoal_i_release *release)
{
    shoal_status st = SHOAL_OK;
    spread_job job = {.release = release};

    *out = NULL;
    SHOAL_ALLOC(ctx, job.out, release->quasi->count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, release->quasi->count, show_column, &job));
    *out = job.out;
    job.out = NULL;
done:
    free(job.out);
    return st;
}
