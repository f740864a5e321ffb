#include "tally.h"

#include "../base/sort.h"

#include <assert.h>
#include <string.h>

/* --- The source. ------------------------------------------------------------------------ */

/* Drop repetitions from a sorted array; its new length. */
static size_t keep_distinct(uint32_t *sorted, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (i == 0 || sorted[i] != sorted[kept - 1]) {
            sorted[kept++] = sorted[i];
        }
    }
    return kept;
}

/* The position of a k that is in the array. */
static uint32_t find_k(const uint32_t *ks, size_t count, uint32_t k)
{
    size_t low = 0;

    for (size_t high = count; low < high;) {
        size_t middle = low + (high - low) / 2;

        if (ks[middle] < k) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (uint32_t)low;
}

/* The k of the records as codes, so that the largest of a class can be told after one left. */
static shoal_status code_record_k(shoal_ctx *ctx, shoal_i_tally_source *source,
                                  const uint32_t *record_k)
{
    size_t rows = source->row_count;
    uint32_t *ks = shoal_i_arena_alloc(ctx, &source->arena, rows, sizeof *ks);
    uint32_t *codes = shoal_i_arena_alloc(ctx, &source->arena, rows, sizeof *codes);

    if (!ks || !codes) {
        return SHOAL_ENOMEM;
    }
    if (rows > 0) {
        memcpy(ks, record_k, rows * sizeof *ks);
        qsort(ks, rows, sizeof *ks, shoal_i_compare_u32);
    }
    size_t count = keep_distinct(ks, rows);

    for (size_t i = 0; i < rows; i++) {
        codes[i] = find_k(ks, count, record_k[i]);
    }
    source->ks = ks;
    source->active[source->active_count++] = (struct shoal_i_tally_input){
        .column = source->column_count, .codes = codes, .value_count = count};
    return SHOAL_OK;
}

static bool is_read(const shoal_i_requirement_set *set, size_t column)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].kind->needs_sensitive && set->items[i].column_index == column) {
            return true;
        }
    }
    return false;
}

/* The sensitive columns that some requirement reads. */
static void list_sensitive(shoal_i_tally_source *out, const shoal_i_requirement_set *set,
                           const shoal_i_sensitive *sensitive)
{
    for (size_t c = 0; c < out->column_count; c++) {
        if (is_read(set, c)) {
            assert(sensitive[c].codes || out->row_count == 0);
            out->active[out->active_count++] =
                (struct shoal_i_tally_input){.column = c,
                                             .codes = sensitive[c].codes,
                                             .value_count = sensitive[c].value_count};
        }
    }
}

shoal_status shoal_i_tally_source_init(shoal_ctx *ctx, shoal_i_tally_source *out,
                                       const shoal_i_requirement_set *set,
                                       const shoal_i_sensitive *sensitive,
                                       size_t sensitive_count, const uint32_t *record_k,
                                       size_t row_count)
{
    shoal_status st = SHOAL_OK;

    *out = (shoal_i_tally_source){.row_count = row_count, .column_count = sensitive_count};
    list_sensitive(out, set, sensitive);
    if (shoal_i_requirement_needs_record_k(set) && record_k) {
        SHOAL_TRY(code_record_k(ctx, out, record_k));
    }
done:
    if (st != SHOAL_OK) {
        shoal_i_tally_source_clear(out);
    }
    return st;
}

void shoal_i_tally_source_init_counted(shoal_i_tally_source *out,
                                       const shoal_i_requirement_set *set,
                                       const shoal_i_sensitive *sensitive,
                                       size_t sensitive_count, const uint32_t *ks,
                                       size_t k_count)
{
    *out = (shoal_i_tally_source){.column_count = sensitive_count};
    list_sensitive(out, set, sensitive);
    if (shoal_i_requirement_needs_record_k(set) && ks) {
        out->ks = ks;
        out->active[out->active_count++] =
            (struct shoal_i_tally_input){.column = sensitive_count, .value_count = k_count};
    }
}

void shoal_i_tally_source_clear(shoal_i_tally_source *source)
{
    shoal_i_arena_clear(&source->arena);
    *source = (shoal_i_tally_source){0};
}

/* --- A tally. ---------------------------------------------------------------------------- */

shoal_status shoal_i_tally_init(shoal_ctx *ctx, shoal_i_tally *tally,
                                const shoal_i_tally_source *source)
{
    shoal_status st = SHOAL_OK;

    *tally = (shoal_i_tally){.source = source};
    tally->histograms = shoal_i_arena_alloc(ctx, &tally->arena, source->column_count + 1,
                                            sizeof *tally->histograms);
    if (!tally->histograms) {
        return SHOAL_ENOMEM;
    }
    tally->stats.histograms = tally->histograms;
    for (size_t i = 0; i < source->active_count; i++) {
        size_t values = source->active[i].value_count;
        struct shoal_i_tally_lists *lists = &tally->lists[i];
        uint32_t *block = shoal_i_arena_alloc(ctx, &tally->arena, values, 3 * sizeof *block);

        if (!block) {
            st = SHOAL_ENOMEM;
            goto done;
        }
        lists->counts = block;
        lists->present = block + values;
        lists->places = block + 2 * values;
        tally->histograms[source->active[i].column] =
            (shoal_i_histogram){.counts = lists->counts, .present = lists->present};
    }
done:
    if (st != SHOAL_OK) {
        shoal_i_tally_clear(tally);
    }
    return st;
}

void shoal_i_tally_clear(shoal_i_tally *tally)
{
    shoal_i_arena_clear(&tally->arena);
    *tally = (shoal_i_tally){0};
}

static shoal_i_histogram *find_histogram(shoal_i_tally *tally, size_t i)
{
    return &tally->histograms[tally->source->active[i].column];
}

static void count_in(shoal_i_tally *tally, size_t i, uint32_t code, uint32_t count)
{
    struct shoal_i_tally_lists *lists = &tally->lists[i];
    shoal_i_histogram *histogram = find_histogram(tally, i);

    if (lists->counts[code] == 0) {
        lists->places[code] = (uint32_t)histogram->present_count;
        lists->present[histogram->present_count++] = code;
    }
    lists->counts[code] += count;
}

static void count_out(shoal_i_tally *tally, size_t i, uint32_t code)
{
    struct shoal_i_tally_lists *lists = &tally->lists[i];
    shoal_i_histogram *histogram = find_histogram(tally, i);

    assert(lists->counts[code] > 0);
    if (--lists->counts[code] == 0) {
        /* The last of the list takes the place that became free. */
        uint32_t last = lists->present[--histogram->present_count];

        lists->present[lists->places[code]] = last;
        lists->places[last] = lists->places[code];
    }
}

/* Which k is the largest now. Codes above top_k are not present, codes below may be. */
static void raise_top_k(shoal_i_tally *tally, uint32_t code)
{
    tally->top_k = code > tally->top_k ? code : tally->top_k;
    tally->stats.largest_k = tally->source->ks[tally->top_k];
}

static void lower_top_k(shoal_i_tally *tally)
{
    size_t i = tally->source->active_count - 1;
    bool is_any = find_histogram(tally, i)->present_count > 0;

    while (tally->top_k > 0 && tally->lists[i].counts[tally->top_k] == 0) {
        tally->top_k--;
    }
    tally->stats.largest_k = is_any ? tally->source->ks[tally->top_k] : 0;
}

void shoal_i_tally_count_in(shoal_i_tally *tally, size_t record)
{
    const shoal_i_tally_source *source = tally->source;

    for (size_t i = 0; i < source->active_count; i++) {
        count_in(tally, i, source->active[i].codes[record], 1);
    }
    if (source->ks) {
        raise_top_k(tally, source->active[source->active_count - 1].codes[record]);
    }
}

void shoal_i_tally_count_out(shoal_i_tally *tally, size_t record)
{
    const shoal_i_tally_source *source = tally->source;

    for (size_t i = 0; i < source->active_count; i++) {
        count_out(tally, i, source->active[i].codes[record]);
    }
    if (source->ks) {
        lower_top_k(tally);
    }
}

void shoal_i_tally_add_values(shoal_i_tally *tally, size_t i, uint32_t code, uint32_t count)
{
    count_in(tally, i, code, count);
    if (tally->source->ks && i + 1 == tally->source->active_count) {
        raise_top_k(tally, code);
    }
}

void shoal_i_tally_add_list(shoal_i_tally *tally, const uint32_t *records, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        shoal_i_tally_add(tally, records[i]);
    }
}

void shoal_i_tally_add_all(shoal_i_tally *tally)
{
    for (size_t record = 0; record < tally->source->row_count; record++) {
        shoal_i_tally_add(tally, record);
    }
}

void shoal_i_tally_join(shoal_i_tally *tally, const shoal_i_tally *other)
{
    const shoal_i_tally_source *source = tally->source;

    assert(other->source == source && other != tally);
    for (size_t i = 0; i < source->active_count; i++) {
        const shoal_i_histogram *theirs = &other->histograms[source->active[i].column];

        for (size_t j = 0; j < theirs->present_count; j++) {
            count_in(tally, i, theirs->present[j], theirs->counts[theirs->present[j]]);
        }
    }
    tally->stats.size += other->stats.size;
    if (source->ks && other->stats.size > 0) {
        raise_top_k(tally, other->top_k);
    }
}

void shoal_i_tally_empty(shoal_i_tally *tally)
{
    for (size_t i = 0; i < tally->source->active_count; i++) {
        shoal_i_histogram *histogram = find_histogram(tally, i);

        for (size_t j = 0; j < histogram->present_count; j++) {
            tally->lists[i].counts[histogram->present[j]] = 0;
        }
        histogram->present_count = 0;
    }
    tally->stats.size = 0;
    tally->stats.largest_k = 0;
    tally->stats.population_size = 0;
    tally->top_k = 0;
}
