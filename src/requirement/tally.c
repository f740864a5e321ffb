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

/* One more column to count. */
static void add_input(shoal_i_tally_source *source, struct shoal_i_tally_input input)
{
    assert(source->active_count < SHOAL_I_TALLY_INPUTS_MAX);
    source->active[source->active_count++] = input;
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
    add_input(source, (struct shoal_i_tally_input){.column = source->column_count,
                                                   .codes = codes,
                                                   .value_count = count});
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
            add_input(out,
                      (struct shoal_i_tally_input){.column = c,
                                                   .codes = sensitive[c].codes,
                                                   .value_count = sensitive[c].value_count});
        }
    }
}

/* Let the values of a column be counted by pairs. */
static shoal_status pair_input(shoal_ctx *ctx, shoal_i_tally_source *source,
                               struct shoal_i_tally_input *input)
{
    shoal_i_pairs pairs = {0};
    shoal_status st = shoal_i_pairs_build(ctx, &pairs, &source->arena, source->persons,
                                          input->codes, input->value_count);

    input->shown_count = input->value_count;
    input->codes = pairs.of;
    input->value_count = pairs.count;
    input->value_of = pairs.value_of;
    return st;
}

/* Who has any of the values that a requirement joins; column: that of the records, which may
 * be a part of those that the requirement was bound to. */
static shoal_status join_values(shoal_ctx *ctx, shoal_i_tally_source *source,
                                const shoal_i_requirement *item,
                                const shoal_i_sensitive *column)
{
    shoal_status st = SHOAL_OK;
    struct shoal_i_tally_input input = {.column = source->column_count + 1 + item->joined,
                                        .value_count = 2};
    uint32_t *is_named = NULL;
    uint32_t *codes = NULL;

    SHOAL_ALLOC(ctx, is_named, column->value_count);
    SHOAL_ALLOC(ctx, codes, source->row_count);
    for (size_t i = 0; i < item->code_count; i++) {
        is_named[item->codes[i]] = 1;
    }
    for (size_t row = 0; row < source->row_count; row++) {
        codes[row] = is_named[column->codes[row]];
    }
    input.codes = codes;
    SHOAL_TRY(pair_input(ctx, source, &input));
    add_input(source, input);
done:
    free(is_named);
    free(codes);
    return st;
}

/* Count persons and pairs. */
static shoal_status list_persons(shoal_ctx *ctx, shoal_i_tally_source *source,
                                 const shoal_i_requirement_set *set,
                                 const shoal_i_sensitive *sensitive,
                                 const shoal_i_persons *persons)
{
    shoal_status st = SHOAL_OK;

    source->persons = persons;
    for (size_t i = 0; i < source->active_count; i++) {
        SHOAL_TRY(pair_input(ctx, source, &source->active[i]));
    }
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].joined > 0) {
            SHOAL_TRY(join_values(ctx, source, &set->items[i],
                                  &sensitive[set->items[i].column_index]));
        }
    }
    source->person_input = source->active_count;
    source->person_step = 0;
    add_input(source, (struct shoal_i_tally_input){.column = source->column_count + 1,
                                                   .codes = persons->of,
                                                   .value_count = persons->count});
done:
    return st;
}

/* A source of records that are persons. */
static shoal_i_tally_source begin_source(const shoal_i_requirement_set *set, size_t columns,
                                         size_t rows)
{
    return (shoal_i_tally_source){.row_count = rows,
                                  .column_count = columns,
                                  .joined_count = set->joined_count,
                                  .person_input = SIZE_MAX,
                                  .person_step = 1};
}

/* Where every record is a person of its own, those joined are counted by records. */
static shoal_status list_joined(shoal_ctx *ctx, shoal_i_tally_source *source,
                                const shoal_i_requirement_set *set,
                                const shoal_i_sensitive *sensitive)
{
    shoal_status st = SHOAL_OK;

    for (size_t i = 0; i < set->count; i++) {
        const shoal_i_requirement *item = &set->items[i];

        if (item->joined == 0) {
            continue;
        }
        const uint32_t *values = sensitive[item->column_index].codes;
        uint32_t *codes =
            shoal_i_arena_alloc(ctx, &source->arena, source->row_count, sizeof *codes);

        if (!codes) {
            return SHOAL_ENOMEM;
        }
        for (size_t row = 0; row < source->row_count; row++) {
            for (size_t v = 0; v < item->code_count; v++) {
                codes[row] |= values[row] == item->codes[v];
            }
        }
        add_input(source, (struct shoal_i_tally_input){.column = source->column_count + 1 +
                                                                 item->joined,
                                                       .codes = codes,
                                                       .value_count = 2});
    }
    return st;
}

shoal_status shoal_i_tally_source_init(shoal_ctx *ctx, shoal_i_tally_source *out,
                                       const shoal_i_requirement_set *set,
                                       const shoal_i_sensitive *sensitive,
                                       size_t sensitive_count, const uint32_t *record_k,
                                       size_t row_count)
{
    return shoal_i_tally_source_init_persons(ctx, out, set, sensitive, sensitive_count,
                                             record_k, NULL, row_count);
}

shoal_status shoal_i_tally_source_init_persons(shoal_ctx *ctx, shoal_i_tally_source *out,
                                               const shoal_i_requirement_set *set,
                                               const shoal_i_sensitive *sensitive,
                                               size_t sensitive_count, const uint32_t *record_k,
                                               const shoal_i_persons *persons, size_t row_count)
{
    shoal_status st = SHOAL_OK;

    *out = begin_source(set, sensitive_count, row_count);
    list_sensitive(out, set, sensitive);
    if (shoal_i_persons_repeat(persons)) {
        SHOAL_TRY(list_persons(ctx, out, set, sensitive, persons));
    } else {
        SHOAL_TRY(list_joined(ctx, out, set, sensitive));
    }
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
    *out = begin_source(set, sensitive_count, 0);
    list_sensitive(out, set, sensitive);
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].joined > 0) {
            add_input(out, (struct shoal_i_tally_input){.column = sensitive_count + 1 +
                                                                  set->items[i].joined,
                                                        .value_count = 2});
        }
    }
    if (shoal_i_requirement_needs_record_k(set) && ks) {
        out->ks = ks;
        add_input(out, (struct shoal_i_tally_input){.column = sensitive_count,
                                                    .value_count = k_count});
    }
}

void shoal_i_tally_source_clear(shoal_i_tally_source *source)
{
    shoal_i_arena_clear(&source->arena);
    *source = (shoal_i_tally_source){0};
}

/* --- A tally. ---------------------------------------------------------------------------- */

/* Lists of so many codes. */
static shoal_status make_lists(shoal_ctx *ctx, struct shoal_i_tally_lists *lists,
                               shoal_i_arena *arena, size_t codes)
{
    uint32_t *block = shoal_i_arena_alloc(ctx, arena, codes, 3 * sizeof *block);

    if (!block) {
        return SHOAL_ENOMEM;
    }
    lists->counts = block;
    lists->present = block + codes;
    lists->places = block + 2 * codes;
    return SHOAL_OK;
}

shoal_status shoal_i_tally_init(shoal_ctx *ctx, shoal_i_tally *tally,
                                const shoal_i_tally_source *source)
{
    shoal_status st = SHOAL_OK;
    size_t histograms = source->column_count + 2 + source->joined_count;

    *tally = (shoal_i_tally){.source = source};
    tally->histograms =
        shoal_i_arena_alloc(ctx, &tally->arena, histograms, sizeof *tally->histograms);
    if (!tally->histograms) {
        return SHOAL_ENOMEM;
    }
    tally->stats.histograms = tally->histograms;
    tally->stats.joined = tally->histograms + source->column_count + 2;
    for (size_t i = 0; i < source->active_count; i++) {
        const struct shoal_i_tally_input *input = &source->active[i];
        struct shoal_i_tally_lists *shown = &tally->lists[i];

        SHOAL_TRY(make_lists(ctx, &tally->lists[i], &tally->arena, input->value_count));
        if (input->value_of) {
            shown = &tally->shown[i];
            SHOAL_TRY(make_lists(ctx, shown, &tally->arena, input->shown_count));
        }
        tally->histograms[input->column] =
            (shoal_i_histogram){.counts = shown->counts, .present = shown->present};
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

/* Count a code in; whether it was not there before. */
static bool list_in(struct shoal_i_tally_lists *lists, uint32_t code, uint32_t count)
{
    bool is_new = lists->counts[code] == 0;

    if (is_new) {
        lists->places[code] = (uint32_t)lists->present_count;
        lists->present[lists->present_count++] = code;
    }
    lists->counts[code] += count;
    return is_new;
}

/* Count a code out; whether it is no longer there. */
static bool list_out(struct shoal_i_tally_lists *lists, uint32_t code)
{
    assert(lists->counts[code] > 0);
    if (--lists->counts[code] > 0) {
        return false;
    }
    /* The last of the list takes the place that became free. */
    uint32_t last = lists->present[--lists->present_count];

    lists->present[lists->places[code]] = last;
    lists->places[last] = lists->places[code];
    return true;
}

static void count_in(shoal_i_tally *tally, size_t i, uint32_t code, uint32_t count)
{
    const struct shoal_i_tally_input *input = &tally->source->active[i];
    struct shoal_i_tally_lists *lists = &tally->lists[i];
    shoal_i_histogram *histogram = find_histogram(tally, i);
    bool is_new = list_in(lists, code, count);

    if (input->value_of) {
        lists = &tally->shown[i];
        count = is_new;
        if (is_new) {
            list_in(lists, input->value_of[code], 1);
        }
    }
    histogram->present_count = lists->present_count;
    histogram->total += count;
    tally->stats.persons += is_new && i == tally->source->person_input;
}

static void count_out(shoal_i_tally *tally, size_t i, uint32_t code)
{
    const struct shoal_i_tally_input *input = &tally->source->active[i];
    struct shoal_i_tally_lists *lists = &tally->lists[i];
    shoal_i_histogram *histogram = find_histogram(tally, i);
    bool is_gone = list_out(lists, code);
    bool counts = true;

    if (input->value_of) {
        lists = &tally->shown[i];
        counts = is_gone;
        if (is_gone) {
            list_out(lists, input->value_of[code]);
        }
    }
    histogram->present_count = lists->present_count;
    histogram->total -= counts;
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
        uint32_t code = source->active[i].codes[record];

        if (i == source->person_input) { /* has no histogram that is read */
            tally->stats.persons += list_in(&tally->lists[i], code, 1);
        } else {
            count_in(tally, i, code, 1);
        }
    }
    if (source->ks) {
        raise_top_k(tally, source->active[source->active_count - 1].codes[record]);
    }
}

void shoal_i_tally_count_out(shoal_i_tally *tally, size_t record)
{
    const shoal_i_tally_source *source = tally->source;

    for (size_t i = 0; i < source->active_count; i++) {
        uint32_t code = source->active[i].codes[record];

        if (i == source->person_input) {
            tally->stats.persons -= list_out(&tally->lists[i], code);
        } else {
            count_out(tally, i, code);
        }
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
    if (tally->source->active_count == 0) {
        shoal_i_tally_add_size(tally, count);
        return;
    }
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
        const struct shoal_i_tally_lists *theirs = &other->lists[i];

        for (size_t j = 0; j < theirs->present_count; j++) {
            count_in(tally, i, theirs->present[j], theirs->counts[theirs->present[j]]);
        }
    }
    shoal_i_tally_add_size(tally, other->stats.size);
    if (source->ks && other->stats.size > 0) {
        raise_top_k(tally, other->top_k);
    }
}

static void empty_lists(struct shoal_i_tally_lists *lists)
{
    for (size_t i = 0; i < lists->present_count; i++) {
        lists->counts[lists->present[i]] = 0;
    }
    lists->present_count = 0;
}

void shoal_i_tally_empty(shoal_i_tally *tally)
{
    for (size_t i = 0; i < tally->source->active_count; i++) {
        shoal_i_histogram *histogram = find_histogram(tally, i);

        empty_lists(&tally->lists[i]);
        empty_lists(&tally->shown[i]);
        histogram->present_count = 0;
        histogram->total = 0;
    }
    tally->stats.size = 0;
    tally->stats.persons = 0;
    tally->stats.largest_k = 0;
    tally->stats.population_size = 0;
    tally->top_k = 0;
}
