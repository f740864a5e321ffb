#include "distinct.h"

#include "../base/fail.h"
#include "../base/sort.h"

#include <string.h>

/* What the sort reads keys from. */
typedef struct row_keys {
    const shoal_i_distinct_rows *from;
    size_t lanes;
} row_keys;

/* The part first, if there are parts; then two lanes make a word of the key. Lane values are
 * not negative, so they sort as they are. */
static void load_words(const void *payload, size_t word, shoal_i_sort_item *items, size_t count)
{
    const row_keys *keys = payload;
    const shoal_i_distinct_rows *from = keys->from;

    if (from->parts && word == 0) {
        for (size_t i = 0; i < count; i++) {
            items[i].key = from->parts[items[i].item];
        }
        return;
    }
    size_t lane = 2 * (from->parts ? word - 1 : word);
    size_t high = from->lane_order ? from->lane_order[lane] : lane;
    size_t low = from->lane_order ? from->lane_order[lane + 1] : lane + 1;

    for (size_t i = 0; i < count; i++) {
        const int32_t *row = from->rows + (size_t)items[i].item * keys->lanes;

        items[i].key = (uint64_t)(uint32_t)row[high] << 32 | (uint32_t)row[low];
    }
}

static shoal_status sort_rows(shoal_ctx *ctx, shoal_i_distinct *d,
                              const shoal_i_distinct_rows *from)
{
    const row_keys keys = {.from = from, .lanes = d->lanes->count};
    const uint32_t starts[] = {0, (uint32_t)from->count};
    size_t words = d->lanes->count / 2 + (from->parts ? 1 : 0);

    for (size_t i = 0; i < from->count; i++) {
        d->records[i] = (uint32_t)i;
    }
    return shoal_i_sort_runs(ctx, d->records, starts, 1, words, load_words, &keys);
}

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

/* Divide runs of equal rows that go across parts. */
static void divide_by_parts(shoal_i_distinct *d, const uint32_t *parts, size_t count,
                            uint8_t *starts)
{
    for (size_t i = 0; i < d->count; i++) {
        starts[d->first[i]] = 1;
    }
    d->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (starts[i] || parts[d->records[i]] != parts[d->records[i - 1]]) {
            d->first[d->count++] = (uint32_t)i;
        }
    }
    d->first[d->count] = (uint32_t)count;
}

/* Number the points, now that equal rows of a part stand side by side. */
static shoal_status number_points(shoal_ctx *ctx, shoal_i_distinct *d,
                                  const shoal_i_distinct_rows *from)
{
    shoal_status st = SHOAL_OK;
    uint8_t *starts = NULL;

    d->count = shoal_i_number_runs(d->first, d->records, from->count, from->rows,
                                   d->lanes->count * sizeof *from->rows);
    if (from->parts) {
        SHOAL_ALLOC(ctx, starts, from->count);
        divide_by_parts(d, from->parts, from->count, starts);
    }
done:
    free(starts);
    return st;
}

shoal_status shoal_i_distinct_build(shoal_ctx *ctx, shoal_i_distinct **out,
                                    const shoal_i_lanes *lanes,
                                    const shoal_i_distinct_rows *from)
{
    shoal_status st = SHOAL_OK;
    shoal_i_distinct *d = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, d, 1);
    d->lanes = lanes;
    SHOAL_ALLOC(ctx, d->records, from->count);
    SHOAL_ALLOC(ctx, d->first, from->count + 1);
    SHOAL_TRY(sort_rows(ctx, d, from));
    SHOAL_TRY(number_points(ctx, d, from));
    SHOAL_TRY(shoal_i_check_cancelled(ctx));
    SHOAL_ALLOC(ctx, d->weights, d->count);
    d->rows = shoal_i_alloc_aligned(ctx, d->count, lanes->count * sizeof *d->rows);
    if (!d->rows) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    for (size_t point = 0; point < d->count; point++) {
        d->weights[point] = d->first[point + 1] - d->first[point];
        memcpy(d->rows + point * lanes->count,
               from->rows + (size_t)d->records[d->first[point]] * lanes->count,
               lanes->count * sizeof *d->rows);
    }
    for (size_t i = 0; from->records && i < from->count; i++) {
        d->records[i] = from->records[d->records[i]];
    }
    *out = d;
    d = NULL;
done:
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
