#include "distinct.h"

#include "../base/fail.h"
#include "../base/sort.h"

#include <string.h>

/* What the sort reads keys from. */
typedef struct row_keys {
    const int32_t *rows;
    size_t lanes;
} row_keys;

/* Two lanes make a word of the key. Lane values are not negative, so they sort as they are. */
static void load_words(const void *payload, size_t word, shoal_i_sort_item *items, size_t count)
{
    const row_keys *keys = payload;

    for (size_t i = 0; i < count; i++) {
        const int32_t *row = keys->rows + (size_t)items[i].item * keys->lanes + 2 * word;

        items[i].key = (uint64_t)(uint32_t)row[0] << 32 | (uint32_t)row[1];
    }
}

static shoal_status sort_records(shoal_ctx *ctx, shoal_i_distinct *d, const int32_t *rows,
                                 size_t row_count)
{
    const row_keys keys = {.rows = rows, .lanes = d->lanes->count};
    const uint32_t starts[] = {0, (uint32_t)row_count};

    for (size_t i = 0; i < row_count; i++) {
        d->records[i] = (uint32_t)i;
    }
    return shoal_i_sort_runs(ctx, d->records, starts, 1, d->lanes->count / 2, load_words,
                             &keys);
}

/* Number the runs of equal rows. */
static void number_points(shoal_i_distinct *d, const int32_t *rows, size_t row_count)
{
    size_t bytes = d->lanes->count * sizeof *rows;
    const int32_t *last = NULL;

    for (size_t i = 0; i < row_count; i++) {
        const int32_t *row = rows + (size_t)d->records[i] * d->lanes->count;

        if (!last || memcmp(row, last, bytes) != 0) {
            d->first[d->count++] = (uint32_t)i;
            last = row;
        }
    }
    d->first[d->count] = (uint32_t)row_count;
}

shoal_status shoal_i_distinct_build(shoal_ctx *ctx, shoal_i_distinct **out,
                                    const shoal_i_lanes *lanes, const int32_t *rows,
                                    const uint32_t *ids, size_t count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_distinct *d = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, d, 1);
    d->lanes = lanes;
    SHOAL_ALLOC(ctx, d->records, count);
    SHOAL_ALLOC(ctx, d->first, count + 1);
    SHOAL_TRY(sort_records(ctx, d, rows, count));
    number_points(d, rows, count);
    d->rows = shoal_i_alloc_aligned(ctx, d->count, lanes->count * sizeof *d->rows);
    if (!d->rows) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    for (uint32_t point = 0; point < d->count; point++) {
        memcpy(d->rows + (size_t)point * lanes->count,
               rows + (size_t)d->records[d->first[point]] * lanes->count,
               lanes->count * sizeof *rows);
    }
    for (size_t i = 0; i < count; i++) {
        d->records[i] = ids[d->records[i]];
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
        free(distinct->first);
        free(distinct->records);
        free(distinct);
    }
}
