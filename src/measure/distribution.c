#include "distribution.h"

#include "../base/pool.h"
#include "../base/sort.h"
#include "../base/text.h"

#include <math.h>

#define VALUES_SHOWN 12
#define EXACT_MOST 9007199254740992.0 /* 2^53 */

typedef struct spread_job {
    const shoal_i_release *release;
    const shoal_i_shown *shown;
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

/* Spread a box. A range that takes in the missing value gives it the share of one code. */
static void spread_numbers(const shoal_i_quasi_column *column, const shoal_i_bins *bins,
                           double *masses, shoal_i_interval interval, double records)
{
    uint32_t missing = column->has_missing ? column->value_count - 1 : UINT32_MAX;

    if (interval.hi == missing) {
        double part = interval.lo == missing ? records : records / (double)column->value_count;

        masses[bins->count] += part;
        records -= part;
        if (interval.lo == missing) {
            return;
        }
        interval.hi--;
    }
    /* Of a range that ends on a grid beyond the values, what lies within them. */
    double last = column->values[0] + column->range;

    shoal_i_bins_spread(bins, masses, fmax(column->lower[interval.lo], column->values[0]),
                        fmin(column->upper[interval.hi], last), records);
}

/* Fill the shares from what fell into the bins and, behind them, onto missing values. */
static void fill_ranges(shoal_i_distribution *d, const double *before, const double *after,
                        size_t original, size_t released, bool has_missing)
{
    for (size_t i = 0; i < d->bins.count + has_missing; i++) {
        shoal_i_share *share = &d->shares[d->count++];

        *share = (shoal_i_share){
            .kind = i < d->bins.count ? SHOAL_I_SHARE_RANGE : SHOAL_I_SHARE_MISSING,
            .original = divide(before[i], original),
            .release = divide(after[i], released),
        };
        d->distance += fabs(share->original - share->release) / 2;
    }
}

static void show_numbers(shoal_i_distribution *d, const shoal_i_release *release, size_t c,
                         const uint64_t *counts)
{
    const shoal_i_quasi *quasi = release->quasi;
    const shoal_i_quasi_column *column = d->quasi;
    double before[SHOAL_I_SHARES_MAX] = {0};
    double after[SHOAL_I_SHARES_MAX] = {0};

    if (column->value_count > column->has_missing) {
        d->bins = shoal_i_bins_choose(shoal_table_type(quasi->table, d->column),
                                      column->values[0], column->values[0] + column->range);
    }
    for (uint32_t code = 0; code < column->value_count; code++) {
        shoal_i_interval one = {code, code};

        spread_numbers(column, &d->bins, before, one, (double)counts[code]);
    }
    for (size_t b = 0; b < release->box_count; b++) {
        spread_numbers(column, &d->bins, after, release->boxes[b * quasi->count + c],
                       release->box_sizes[b]);
    }
    fill_ranges(d, before, after, shoal_table_row_count(quasi->table), release->row_count,
                column->has_missing);
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

/* What is known of a column, by code. */
typedef struct by_code {
    size_t values;
    const uint64_t *counts; /* in the original */
    const double *masses;   /* expected of the release */
    size_t original;        /* records */
    size_t released;
} by_code;

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

static void fill_values(shoal_i_distribution *d, const by_code *known,
                        const shoal_i_sort_item *order)
{
    size_t shown = known->values <= VALUES_SHOWN + 1 ? known->values : VALUES_SHOWN;

    for (size_t i = 0; i < known->values; i++) {
        uint32_t code = order[i].item;
        double before = divide((double)known->counts[code], known->original);
        double after = fmax(0, divide(known->masses[code], known->released));

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

/* The number of an entry of the dictionary. Sensitive values are read as texts, but what is a
 * number or a date to everybody is shown as one. */
static bool read_entry(double *out, shoal_type *type, const shoal_table *table, size_t column,
                       uint32_t entry)
{
    size_t length = 0;
    const char *text = shoal_table_text(table, column, entry, &length);
    int32_t day = 0;
    double number = 0;

    if (shoal_i_text_to_date(&day, text, length)) {
        *type = SHOAL_TYPE_DATE;
        *out = day;
        return true;
    }
    if (!shoal_i_text_to_double(&number, text, length)) {
        return false;
    }
    *type = number == floor(number) && fabs(number) < EXACT_MOST ? SHOAL_TYPE_INTEGER
                                                                 : SHOAL_TYPE_REAL;
    *out = number;
    return true;
}

/* The number of every entry, and what they are; false where one is none. */
static bool read_entries(double *out, shoal_type *type, const shoal_table *table, size_t column)
{
    size_t count = shoal_table_value_count(table, column);
    shoal_type first = SHOAL_TYPE_AUTO;

    *type = shoal_table_type(table, column);
    if (*type != SHOAL_TYPE_STRING) {
        for (uint32_t i = 0; i < count; i++) {
            out[i] = shoal_table_number(table, column, i);
        }
        return count > 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        shoal_type one = SHOAL_TYPE_AUTO;

        if (!read_entry(&out[i], &one, table, column, i)) {
            return false;
        }
        if (i == 0) {
            first = one;
        } else if ((first == SHOAL_TYPE_DATE) != (one == SHOAL_TYPE_DATE)) {
            return false;
        }
        first = one == SHOAL_TYPE_REAL ? one : first;
    }
    *type = first;
    return count > 0;
}

/* Whether the entries are numbers or dates to be shown in their order. The texts of a quasi
 * column with a hierarchy are what they are called: codes, for instance. */
static bool is_ordered(const shoal_i_distribution *d, double *numbers, shoal_type *type)
{
    if (d->quasi && shoal_table_type(d->table, d->column) == SHOAL_TYPE_STRING) {
        return false;
    }
    return read_entries(numbers, type, d->table, d->column);
}

/* Values in their order: what codes have goes to the bins of their numbers. */
static void fill_ordered(shoal_i_distribution *d, const by_code *known, const double *numbers,
                         shoal_type type)
{
    size_t entries = shoal_table_value_count(d->table, d->column);
    double least = INFINITY;
    double most = -INFINITY;
    double before[SHOAL_I_SHARES_MAX] = {0};
    double after[SHOAL_I_SHARES_MAX] = {0};

    for (size_t i = 0; i < entries; i++) {
        least = fmin(least, numbers[i]);
        most = fmax(most, numbers[i]);
    }
    d->is_ordered = true;
    d->bins = shoal_i_bins_choose(type, least, most);
    shoal_i_bins_widen(&d->bins, numbers, entries);
    for (uint32_t entry = 0; entry < known->values; entry++) {
        uint32_t code = d->quasi ? d->quasi->code_of_entry[entry] : entry;
        size_t bin =
            entry < entries ? shoal_i_bins_find(&d->bins, numbers[entry]) : d->bins.count;

        before[bin] += (double)known->counts[code];
        after[bin] += fmax(0, known->masses[code]);
    }
    fill_ranges(d, before, after, known->original, known->released, known->values > entries);
}

static shoal_status show_codes(shoal_ctx *ctx, shoal_i_distribution *d, const by_code *known)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sort_item *order = NULL;
    double *numbers = NULL;
    shoal_type type = SHOAL_TYPE_AUTO;

    SHOAL_ALLOC(ctx, numbers, known->values);
    if (is_ordered(d, numbers, &type)) {
        fill_ordered(d, known, numbers, type);
    } else {
        SHOAL_TRY(order_codes(ctx, &order, known->counts, known->values));
        fill_values(d, known, order);
    }
done:
    free(numbers);
    free(order);
    return st;
}

/* --- Columns. --------------------------------------------------------------------------- */

static shoal_status show_categories(shoal_ctx *ctx, shoal_i_distribution *d,
                                    const shoal_i_release *release, size_t c,
                                    const uint64_t *counts)
{
    shoal_status st = SHOAL_OK;
    double *masses = NULL;

    SHOAL_ALLOC(ctx, masses, (size_t)d->quasi->value_count + 1);
    spread_leaves(release, c, masses);
    by_code known = {.values = d->quasi->value_count,
                     .counts = counts,
                     .masses = masses,
                     .original = shoal_table_row_count(release->quasi->table),
                     .released = release->row_count};

    SHOAL_TRY(show_codes(ctx, d, &known));
done:
    free(masses);
    return st;
}

static shoal_status show_quasi(shoal_ctx *ctx, shoal_i_distribution *d,
                               const shoal_i_release *release, size_t c)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = release->quasi;
    uint64_t *counts = NULL;

    d->quasi = &quasi->columns[c];
    d->name = d->quasi->name;
    d->table = quasi->table;
    d->column = d->quasi->column;
    SHOAL_TRY(count_codes(ctx, &counts, quasi, c));
    if (d->quasi->hierarchy) {
        SHOAL_TRY(show_categories(ctx, d, release, c, counts));
    } else {
        d->is_ordered = true;
        show_numbers(d, release, c, counts);
    }
done:
    free(counts);
    return st;
}

static shoal_status show_sensitive(shoal_ctx *ctx, shoal_i_distribution *d,
                                   const shoal_i_sensitive *truth,
                                   const shoal_i_sensitive *shown)
{
    shoal_status st = SHOAL_OK;
    uint64_t *counts = NULL;
    double *masses = NULL;

    d->name = truth->name;
    d->table = truth->table;
    d->column = truth->column;
    SHOAL_ALLOC(ctx, counts, truth->value_count);
    SHOAL_ALLOC(ctx, masses, truth->value_count);
    for (size_t row = 0; row < truth->row_count; row++) {
        counts[truth->codes[row]]++;
    }
    for (size_t row = 0; row < shown->row_count; row++) {
        masses[shown->codes[row]]++;
    }
    SHOAL_TRY(show_codes(ctx, d,
                         &(by_code){.values = truth->value_count,
                                    .counts = counts,
                                    .masses = masses,
                                    .original = truth->row_count,
                                    .released = shown->row_count}));
done:
    free(counts);
    free(masses);
    return st;
}

static shoal_status show_column(shoal_ctx *ctx, void *payload, size_t c)
{
    const spread_job *job = payload;
    size_t quasi_count = job->release->quasi->count;
    shoal_status st =
        c < quasi_count ? show_quasi(ctx, &job->out[c], job->release, c)
                        : show_sensitive(ctx, &job->out[c], &job->shown->truth[c - quasi_count],
                                         &job->shown->shown[c - quasi_count]);

    return st == SHOAL_OK ? shoal_i_check_cancelled(ctx) : st;
}

shoal_status shoal_i_distributions_find(shoal_ctx *ctx, shoal_i_distribution **out,
                                        const shoal_i_release *release,
                                        const shoal_i_shown *shown)
{
    shoal_status st = SHOAL_OK;
    spread_job job = {.release = release, .shown = shown};
    size_t count = release->quasi->count + shown->count;

    *out = NULL;
    SHOAL_ALLOC(ctx, job.out, count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, count, show_column, &job));
    *out = job.out;
    job.out = NULL;
done:
    free(job.out);
    return st;
}

uint32_t shoal_i_distribution_entry(const shoal_i_distribution *distribution, uint32_t code)
{
    uint32_t entry = 0;

    if (!distribution->quasi) {
        return code;
    }
    while (distribution->quasi->code_of_entry[entry] != code) {
        entry++;
    }
    return entry;
}
