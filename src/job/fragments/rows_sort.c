#include "rows_sort.h"

#include "../../base/fail.h"

#include <string.h>

/* Of all sources of a merge together. */
#define READ_BYTES ((size_t)8 << 20)

/* Of the rows of a run, which are there twice. */
#define RUN_BYTES ((size_t)4 << 20)

/* --- Merging. --------------------------------------------------------------------------- */

/* A run that still has rows, and its next one. */
typedef struct source {
    shoal_i_rows_reader reader;
    const unsigned char *row;
} source;

typedef struct merge {
    shoal_i_row_key key;
    source **heap;
    size_t count;
} merge;

/* Of equal rows that of the earlier run comes first. */
static bool is_before(const merge *m, size_t a, size_t b)
{
    int order =
        memcmp(m->heap[a]->row + m->key.first, m->heap[b]->row + m->key.first, m->key.size);

    return order < 0 || (order == 0 && m->heap[a] < m->heap[b]);
}

/* Let the source at this place sink to where it belongs. */
static void sift(merge *m, size_t at)
{
    while (2 * at + 1 < m->count) {
        size_t child = 2 * at + 1;

        child += child + 1 < m->count && is_before(m, child + 1, child);
        if (!is_before(m, child, at)) {
            return;
        }
        source *swap = m->heap[at];

        m->heap[at] = m->heap[child];
        m->heap[child] = swap;
        at = child;
    }
}

static shoal_status open_sources(shoal_ctx *ctx, merge *m, source *sources,
                                 const shoal_i_rows *from, const uint64_t *starts, size_t count)
{
    shoal_status st = SHOAL_OK;
    size_t bytes = READ_BYTES / count;

    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(shoal_i_rows_reader_init_range(ctx, &sources[i].reader, from, starts[i],
                                                 starts[i + 1] - starts[i], bytes));
        SHOAL_TRY(shoal_i_rows_next(ctx, &sources[i].reader, &sources[i].row));
        if (sources[i].row) {
            m->heap[m->count++] = &sources[i];
        }
    }
    for (size_t i = m->count / 2; i-- > 0;) {
        sift(m, i);
    }
done:
    return st;
}

/* Move the smallest row to the merged ones. */
static shoal_status take_row(shoal_ctx *ctx, shoal_i_rows *merged, merge *m)
{
    shoal_status st = SHOAL_OK;
    source *first = m->heap[0];

    SHOAL_TRY(shoal_i_rows_add(ctx, merged, first->row));
    SHOAL_TRY(shoal_i_rows_next(ctx, &first->reader, &first->row));
    if (!first->row) {
        m->heap[0] = m->heap[--m->count];
    }
    sift(m, 0);
done:
    return st;
}

shoal_status shoal_i_rows_merge(shoal_ctx *ctx, shoal_i_rows *to, const shoal_i_rows *from,
                                const uint64_t *starts, size_t count, shoal_i_row_key key)
{
    shoal_status st = SHOAL_OK;
    merge m = {.key = key};
    source *sources = NULL;

    if (count == 0) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, sources, count);
    SHOAL_ALLOC(ctx, m.heap, count);
    SHOAL_TRY(open_sources(ctx, &m, sources, from, starts, count));
    while (m.count > 0) {
        SHOAL_TRY(take_row(ctx, to, &m));
    }
done:
    for (size_t i = 0; sources && i < count; i++) {
        shoal_i_rows_reader_clear(&sources[i].reader);
    }
    free(sources);
    free(m.heap);
    return st;
}

/* --- Sorting. --------------------------------------------------------------------------- */

/* Rows in memory, and room for as many. */
typedef struct run {
    unsigned char *rows;
    unsigned char *other;
    size_t size; /* of a row */
    size_t count;
} run;

/* By one byte; rows that have the same one keep their order. */
static void sort_by_byte(run *r, size_t byte)
{
    size_t next[257] = {0}; /* of each byte, one place further on: where its rows go */
    unsigned char *swap = r->rows;

    for (size_t i = 0; i < r->count; i++) {
        next[r->rows[i * r->size + byte] + 1]++;
    }
    for (size_t b = 1; b < 257; b++) {
        next[b] += next[b - 1];
    }
    for (size_t i = 0; i < r->count; i++) {
        const unsigned char *row = r->rows + i * r->size;

        memcpy(r->other + next[row[byte]]++ * r->size, row, r->size);
    }
    r->rows = r->other;
    r->other = swap;
}

/* From the last byte to the first. */
static void sort_run(run *r, shoal_i_row_key key)
{
    for (size_t i = key.size; i-- > 0;) {
        sort_by_byte(r, key.first + i);
    }
}

static shoal_status sort_runs(shoal_ctx *ctx, shoal_i_rows *runs, const shoal_i_rows *from,
                              shoal_i_row_key key, run *r, size_t most_rows)
{
    shoal_status st = SHOAL_OK;

    for (uint64_t first = 0; first < from->count; first += r->count) {
        uint64_t left = from->count - first;

        r->count = left < most_rows ? (size_t)left : most_rows;
        SHOAL_TRY(shoal_i_rows_read(ctx, from, first, r->count, r->rows));
        sort_run(r, key);
        for (size_t i = 0; i < r->count; i++) {
            SHOAL_TRY(shoal_i_rows_add(ctx, runs, r->rows + i * r->size));
        }
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
done:
    return st;
}

shoal_status shoal_i_rows_sort(shoal_ctx *ctx, shoal_i_rows *to, const shoal_i_rows *from,
                               shoal_i_row_key key, size_t most_rows, const char *folder)
{
    shoal_status st = SHOAL_OK;
    shoal_i_rows runs = {0};
    run r = {.size = from->format->size};
    uint64_t *starts = NULL;

    if (most_rows == 0) {
        most_rows = RUN_BYTES / r.size + 1;
    }
    if (most_rows > from->count) {
        most_rows = from->count > 0 ? (size_t)from->count : 1;
    }
    size_t count = (size_t)(from->count / most_rows + (from->count % most_rows != 0));

    SHOAL_ALLOC(ctx, r.rows, most_rows * r.size);
    SHOAL_ALLOC(ctx, r.other, most_rows * r.size);
    SHOAL_ALLOC(ctx, starts, count + 1);
    for (size_t i = 1; i <= count; i++) {
        starts[i] = i < count ? i * (uint64_t)most_rows : from->count;
    }
    SHOAL_TRY(shoal_i_rows_open(ctx, &runs, from->format, folder));
    SHOAL_TRY(sort_runs(ctx, &runs, from, key, &r, most_rows));
    SHOAL_TRY(shoal_i_rows_open(ctx, to, from->format, folder));
    SHOAL_TRY(shoal_i_rows_merge(ctx, to, &runs, starts, count, key));
done:
    shoal_i_rows_clear(&runs);
    free(r.rows);
    free(r.other);
    free(starts);
    return st;
}
