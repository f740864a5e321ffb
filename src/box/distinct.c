#include "distinct.h"

#include "../base/fail.h"
#include "../base/pool.h"
#include "../base/sort.h"

#include <string.h>

/* Rows that one task compares, sorts or copies. */
#define CHUNK ((size_t)1 << 15)

/* A row beside the one before it. */
enum { EQUAL, LATER, EARLIER };

typedef struct building {
    const shoal_i_distinct_rows *from;
    shoal_i_distinct *made;
    size_t lanes;
    uint8_t *marks;      /* per place: EQUAL, LATER or EARLIER */
    uint8_t *is_ordered; /* per chunk of places */
    size_t run_count;    /* rows of one part, where parts stand in order */
    uint32_t *runs;      /* where they start, and the end */
    bool are_parts_runs;
} building;

static size_t count_chunks(size_t count)
{
    return (count + CHUNK - 1) / CHUNK;
}

static size_t chunk_end(size_t chunk, size_t count)
{
    return (chunk + 1) * CHUNK < count ? (chunk + 1) * CHUNK : count;
}

/* --- The order. --------------------------------------------------------------------------- */

/* The part first, if there are parts; then two lanes make a word of the key. Lane values are
 * not negative, so they sort as they are. */
static void load_words(const void *payload, size_t word, shoal_i_sort_item *items, size_t count)
{
    const building *b = payload;
    const shoal_i_distinct_rows *from = b->from;
    bool has_part = from->parts && !b->are_parts_runs;

    if (has_part && word == 0) {
        for (size_t i = 0; i < count; i++) {
            items[i].key = from->parts[items[i].item];
        }
        return;
    }
    size_t lane = 2 * (has_part ? word - 1 : word);
    size_t high = from->lane_order ? from->lane_order[lane] : lane;
    size_t low = from->lane_order ? from->lane_order[lane + 1] : lane + 1;

    for (size_t i = 0; i < count; i++) {
        const int32_t *row = from->rows + (size_t)items[i].item * b->lanes;

        items[i].key = (uint64_t)(uint32_t)row[high] << 32 | (uint32_t)row[low];
    }
}

/* A row beside another that is to come before it, or to be the same point. */
static uint8_t compare_rows(const building *b, size_t before, size_t row)
{
    const shoal_i_distinct_rows *from = b->from;
    const int32_t *x = from->rows + before * b->lanes;
    const int32_t *y = from->rows + row * b->lanes;

    if (from->parts && from->parts[before] != from->parts[row]) {
        return from->parts[before] < from->parts[row] ? LATER : EARLIER;
    }
    for (size_t i = 0; i < b->lanes; i++) {
        size_t lane = from->lane_order ? from->lane_order[i] : i;

        if (x[lane] != y[lane]) {
            return x[lane] < y[lane] ? LATER : EARLIER;
        }
    }
    return EQUAL;
}

/* Mark the places of a chunk, up to one that is not in order. */
static shoal_status mark_chunk(shoal_ctx *ctx, void *payload, size_t chunk)
{
    building *b = payload;
    const uint32_t *order = b->made->records;
    size_t end = chunk_end(chunk, b->from->count);

    b->is_ordered[chunk] = 1;
    for (size_t i = chunk * CHUNK; i < end && b->is_ordered[chunk]; i++) {
        b->marks[i] = i == 0 ? LATER : compare_rows(b, order[i - 1], order[i]);
        b->is_ordered[chunk] = b->marks[i] != EARLIER;
    }
    return shoal_i_check_cancelled(ctx);
}

static shoal_status mark_places(shoal_ctx *ctx, building *b, bool *are_ordered)
{
    shoal_status st = SHOAL_OK;
    size_t chunks = count_chunks(b->from->count);

    *are_ordered = true;
    SHOAL_TRY(shoal_i_parallel_for(ctx, chunks, mark_chunk, b));
    for (size_t i = 0; i < chunks; i++) {
        *are_ordered = *are_ordered && b->is_ordered[i];
    }
done:
    return st;
}

/* Where parts stand in order, only the rows within each have to be sorted. */
static shoal_status find_runs(shoal_ctx *ctx, building *b)
{
    shoal_status st = SHOAL_OK;
    const uint32_t *parts = b->from->parts;
    size_t count = b->from->count;
    size_t runs = 1;

    b->are_parts_runs = parts != NULL;
    for (size_t i = 1; b->are_parts_runs && i < count; i++) {
        b->are_parts_runs = parts[i - 1] <= parts[i];
        runs += parts[i - 1] != parts[i];
    }
    b->run_count = b->are_parts_runs ? runs : 1;
    SHOAL_ALLOC(ctx, b->runs, b->run_count + 1);
    runs = 1;
    for (size_t i = 1; b->are_parts_runs && i < count; i++) {
        if (parts[i - 1] != parts[i]) {
            b->runs[runs++] = (uint32_t)i;
        }
    }
    b->runs[b->run_count] = (uint32_t)count;
done:
    return st;
}

/* The first run that starts in a chunk or behind it. */
static size_t find_run(const building *b, size_t chunk)
{
    size_t low = 0;
    size_t high = b->run_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (b->runs[middle] < chunk * CHUNK) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Sort the runs that start in a chunk. */
static shoal_status sort_chunk(shoal_ctx *ctx, void *payload, size_t chunk)
{
    building *b = payload;
    size_t first = find_run(b, chunk);
    size_t end = find_run(b, chunk + 1);
    size_t words = b->lanes / 2 + (b->from->parts && !b->are_parts_runs ? 1 : 0);

    return shoal_i_sort_runs(ctx, b->made->records, b->runs + first, end - first, words,
                             load_words, b);
}

/* Equal rows of a part side by side, and which are. */
static shoal_status order_rows(shoal_ctx *ctx, building *b)
{
    shoal_status st = SHOAL_OK;
    bool are_ordered = false;

    for (size_t i = 0; i < b->from->count; i++) {
        b->made->records[i] = (uint32_t)i;
    }
    SHOAL_ALLOC(ctx, b->marks, b->from->count);
    SHOAL_ALLOC(ctx, b->is_ordered, count_chunks(b->from->count));
    SHOAL_TRY(mark_places(ctx, b, &are_ordered));
    if (!are_ordered) {
        SHOAL_TRY(find_runs(ctx, b));
        SHOAL_TRY(shoal_i_parallel_for(ctx, count_chunks(b->from->count), sort_chunk, b));
        SHOAL_TRY(mark_places(ctx, b, &are_ordered));
    }
done:
    return st;
}

/* --- The points. -------------------------------------------------------------------------- */

size_t shoal_i_number_runs(uint32_t *first, const uint32_t *order, size_t count,
                           const void *rows, size_t row_bytes)
{
    const char *bytes = rows;
    size_t runs = 0;

    for (size_t i = 0; i < count; i++) {
        if (i == 0 || memcmp(bytes + order[i] * row_bytes, bytes + order[i - 1] * row_bytes,
                             row_bytes) != 0) {
            first[runs++] = (uint32_t)i;
        }
    }
    first[runs] = (uint32_t)count;
    return runs;
}

static void number_points(building *b)
{
    shoal_i_distinct *d = b->made;

    for (size_t i = 0; i < b->from->count; i++) {
        d->first[d->count] = (uint32_t)i;
        d->count += b->marks[i] != EQUAL;
    }
    d->first[d->count] = (uint32_t)b->from->count;
}

/* Weights and rows of a chunk of points. */
static shoal_status fill_chunk(shoal_ctx *ctx, void *payload, size_t chunk)
{
    building *b = payload;
    shoal_i_distinct *d = b->made;

    for (size_t point = chunk * CHUNK; point < chunk_end(chunk, d->count); point++) {
        d->weights[point] = d->first[point + 1] - d->first[point];
        memcpy(d->rows + point * b->lanes,
               b->from->rows + (size_t)d->records[d->first[point]] * b->lanes,
               b->lanes * sizeof *d->rows);
    }
    return shoal_i_check_cancelled(ctx);
}

shoal_status shoal_i_distinct_build(shoal_ctx *ctx, shoal_i_distinct **out,
                                    const shoal_i_lanes *lanes,
                                    const shoal_i_distinct_rows *from)
{
    shoal_status st = SHOAL_OK;
    shoal_i_distinct *d = NULL;
    building b = {.from = from, .lanes = lanes->count};

    *out = NULL;
    SHOAL_ALLOC(ctx, d, 1);
    d->lanes = lanes;
    b.made = d;
    SHOAL_ALLOC(ctx, d->records, from->count);
    SHOAL_ALLOC(ctx, d->first, from->count + 1);
    SHOAL_TRY(order_rows(ctx, &b));
    number_points(&b);
    SHOAL_ALLOC(ctx, d->weights, d->count);
    d->rows = shoal_i_alloc_aligned(ctx, d->count, lanes->count * sizeof *d->rows);
    if (!d->rows) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    SHOAL_TRY(shoal_i_parallel_for(ctx, count_chunks(d->count), fill_chunk, &b));
    for (size_t i = 0; from->records && i < from->count; i++) {
        d->records[i] = from->records[d->records[i]];
    }
    *out = d;
    d = NULL;
done:
    free(b.marks);
    free(b.is_ordered);
    free(b.runs);
    shoal_i_distinct_free(d);
    return st;
}

void shoal_i_distinct_free(shoal_i_distinct *distinct)
{
    if (distinct) {
        free(distinct->rows);
        free(distinct->weights);
        free(distinct->first);
        free(distinct->records);
        free(distinct);
    }
}
