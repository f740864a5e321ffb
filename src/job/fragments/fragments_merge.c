/* Sorted fragments become one sorted file: a heap of the next row of each. */
#include "fragments.h"

#include <string.h>

/* Of all sources together. */
#define READ_BYTES ((size_t)8 << 20)

/* A fragment that still has rows, and its next one. */
typedef struct source {
    shoal_i_rows_reader reader;
    const unsigned char *row;
} source;

typedef struct merge {
    size_t size; /* of a row */
    source **heap;
    size_t count;
} merge;

static bool is_before(const merge *m, size_t a, size_t b)
{
    return memcmp(m->heap[a]->row, m->heap[b]->row, m->size) < 0;
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
                                 const shoal_i_fragments *f)
{
    shoal_status st = SHOAL_OK;

    size_t bytes = READ_BYTES / f->count;

    for (size_t i = 0; i < f->count; i++) {
        SHOAL_TRY(shoal_i_rows_reader_init_range(ctx, &sources[i].reader, &f->solved,
                                                 f->starts[i], f->starts[i + 1] - f->starts[i],
                                                 bytes));
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

shoal_status shoal_i_fragments_merge(shoal_ctx *ctx, shoal_i_fragments *fragments)
{
    shoal_status st = SHOAL_OK;
    merge m = {.size = fragments->released_format.size};
    source *sources = NULL;

    SHOAL_ALLOC(ctx, sources, fragments->count);
    SHOAL_ALLOC(ctx, m.heap, fragments->count);
    SHOAL_TRY(shoal_i_rows_open(ctx, &fragments->merged, &fragments->released_format,
                                fragments->folder));
    SHOAL_TRY(open_sources(ctx, &m, sources, fragments));
    while (m.count > 0) {
        SHOAL_TRY(take_row(ctx, &fragments->merged, &m));
    }
    shoal_i_rows_clear(&fragments->files[0]);
    shoal_i_rows_clear(&fragments->files[1]);
done:
    for (size_t i = 0; sources && i < fragments->count; i++) {
        shoal_i_rows_reader_clear(&sources[i].reader);
    }
    free(sources);
    free(m.heap);
    if (st == SHOAL_OK) {
        shoal_i_rows_clear(&fragments->solved);
    }
    return st;
}
