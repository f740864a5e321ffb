#include "release.h"

#include "../base/pool.h"
#include "../base/sort.h"

#include <assert.h>
#include <string.h>

const char *shoal_i_shape_name(shoal_i_shape shape)
{
    static const char *const names[] = {
        [SHOAL_I_SHAPE_CLASSES] = "classes",
        [SHOAL_I_SHAPE_RECORDS] = "records",
        [SHOAL_I_SHAPE_BUCKETS] = "buckets",
    };

    return names[shape];
}

#define GROUPS_PER_CHUNK 512
#define RUNS_PER_CHUNK 1024
#define ROWS_PER_CHUNK 65536
#define ROWS_PER_BLOCK 4096

static size_t count_chunks(size_t count, size_t per_chunk)
{
    return count / per_chunk + (count % per_chunk != 0);
}

/* --- Ordering boxes. */

/* Intervals packed, column after column, into as few words as their codes need. */
typedef struct box_keys {
    const shoal_i_interval *boxes;
    const shoal_i_quasi *quasi;
    size_t *word_ends; /* of each word: the column behind its last */
    size_t word_count;
} box_keys;

static unsigned count_interval_bits(const shoal_i_quasi_column *column)
{
    return 2 * shoal_i_sort_bits(column->value_count);
}

static shoal_status plan_box_keys(shoal_ctx *ctx, box_keys *keys)
{
    shoal_status st = SHOAL_OK;
    unsigned used = 0;

    SHOAL_ALLOC(ctx, keys->word_ends, keys->quasi->count);
    keys->word_count = 1;
    for (size_t c = 0; c < keys->quasi->count; c++) {
        unsigned bits = count_interval_bits(&keys->quasi->columns[c]);

        if (used + bits > 64) {
            keys->word_count++;
            used = 0;
        }
        used += bits;
        keys->word_ends[keys->word_count - 1] = c + 1;
    }
done:
    return st;
}

static void load_box_word(const void *payload, size_t word, shoal_i_sort_item *items,
                          size_t count)
{
    const box_keys *keys = payload;
    size_t width = keys->quasi->count;
    size_t first = word > 0 ? keys->word_ends[word - 1] : 0;

    for (size_t i = 0; i < count; i++) {
        items[i].key = 0;
    }
    for (size_t c = first; c < keys->word_ends[word]; c++) {
        unsigned bits = count_interval_bits(&keys->quasi->columns[c]) / 2;

        for (size_t i = 0; i < count; i++) {
            shoal_i_interval interval = keys->boxes[items[i].item * width + c];

            items[i].key = (items[i].key << bits | interval.lo) << bits | interval.hi;
        }
    }
}

/* Items whose keys are made by one task. */
#define ITEMS_PER_CHUNK 8192

typedef struct box_sort {
    box_keys keys;
    shoal_i_sort_item *items;
    shoal_i_sort_item *scratch;
    size_t count;
} box_sort;

static shoal_status load_first_words(shoal_ctx *ctx, void *payload, size_t chunk)
{
    box_sort *s = payload;
    size_t first = chunk * ITEMS_PER_CHUNK;
    size_t left = s->count - first;

    (void)ctx;
    load_box_word(&s->keys, 0, s->items + first,
                  left < ITEMS_PER_CHUNK ? left : ITEMS_PER_CHUNK);
    return SHOAL_OK;
}

/* Runs of boxes whose first words agree. */
typedef struct box_runs {
    const box_keys *keys;
    uint32_t *boxes;
    const uint32_t *starts; /* of each run, and the end */
    size_t count;
} box_runs;

static shoal_status sort_some_runs(shoal_ctx *ctx, void *payload, size_t chunk)
{
    const box_runs *r = payload;
    size_t first = chunk * RUNS_PER_CHUNK;
    size_t count = r->count - first < RUNS_PER_CHUNK ? r->count - first : RUNS_PER_CHUNK;

    return shoal_i_sort_runs(ctx, r->boxes, r->starts + first, count, r->keys->word_count,
                             load_box_word, r->keys);
}

/* Sort the boxes whose first words agree by all words: they are put side by side, sorted run by
 * run, and put back to where they came from. */
static shoal_status sort_agreeing(shoal_ctx *ctx, box_sort *s, uint32_t *sorted)
{
    shoal_status st = SHOAL_OK;
    uint32_t *boxes = NULL;
    uint32_t *places = NULL;
    uint32_t *starts = NULL; /* of each run */
    size_t count = 0;
    size_t runs = 0;

    SHOAL_ALLOC(ctx, boxes, s->count);
    SHOAL_ALLOC(ctx, places, s->count);
    SHOAL_ALLOC(ctx, starts, s->count + 1);
    for (size_t i = 0; i < s->count; i++) {
        bool goes_on = i > 0 && s->items[i].key == s->items[i - 1].key;
        bool is_first = !goes_on && i + 1 < s->count && s->items[i].key == s->items[i + 1].key;

        if (is_first) {
            starts[runs++] = (uint32_t)count;
        }
        if (is_first || goes_on) {
            places[count] = (uint32_t)i;
            boxes[count++] = sorted[i];
        }
    }
    starts[runs] = (uint32_t)count;
    SHOAL_TRY(shoal_i_parallel_for(ctx, count_chunks(runs, RUNS_PER_CHUNK), sort_some_runs,
                                   &(box_runs){&s->keys, boxes, starts, runs}));
    for (size_t i = 0; i < count; i++) {
        sorted[places[i]] = boxes[i];
    }
done:
    free(boxes);
    free(places);
    free(starts);
    return st;
}

/* Put the boxes named in `sorted` in order: in parallel by the first words of their keys, which
 * tell most of them apart, and then by all of them where these agree. */
static shoal_status sort_boxes(shoal_ctx *ctx, uint32_t *sorted, const shoal_i_quasi *quasi,
                               const shoal_i_interval *boxes, size_t count)
{
    shoal_status st = SHOAL_OK;
    box_sort s = {.keys = {.boxes = boxes, .quasi = quasi}, .count = count};

    SHOAL_TRY(plan_box_keys(ctx, &s.keys));
    SHOAL_ALLOC(ctx, s.items, count);
    SHOAL_ALLOC(ctx, s.scratch, count);
    for (size_t i = 0; i < count; i++) {
        s.items[i].item = sorted[i];
    }
    SHOAL_TRY(
        shoal_i_parallel_for(ctx, count_chunks(count, ITEMS_PER_CHUNK), load_first_words, &s));
    SHOAL_TRY(shoal_i_sort_items_parallel(ctx, s.items, s.scratch, count));
    for (size_t i = 0; i < count; i++) {
        sorted[i] = s.items[i].item;
    }
    if (s.keys.word_count > 1) {
        SHOAL_TRY(sort_agreeing(ctx, &s, sorted));
    }
done:
    free(s.keys.word_ends);
    free(s.items);
    free(s.scratch);
    return st;
}

/* --- Classes from boxes. */

/* Sorted boxes, of which equal ones become one class. */
typedef struct classing {
    shoal_i_release *release;
    uint32_t *number; /* of each box: its class */
    const shoal_i_interval *boxes;
    const uint32_t *sizes;
    uint32_t *sorted;
    size_t count;
    size_t *firsts; /* of each chunk of sorted boxes: the first class that starts in it */
} classing;

static bool starts_class(const classing *k, size_t i)
{
    size_t width = k->release->quasi->count;

    return i == 0 || memcmp(k->boxes + k->sorted[i] * width,
                            k->boxes + k->sorted[i - 1] * width, width * sizeof *k->boxes) != 0;
}

static size_t find_items_end(const classing *k, size_t chunk)
{
    size_t end = (chunk + 1) * ITEMS_PER_CHUNK;

    return end < k->count ? end : k->count;
}

static shoal_status count_classes(shoal_ctx *ctx, void *payload, size_t chunk)
{
    classing *k = payload;

    for (size_t i = chunk * ITEMS_PER_CHUNK; i < find_items_end(k, chunk); i++) {
        k->firsts[chunk + 1] += starts_class(k, i);
    }
    return shoal_i_check_cancelled(ctx);
}

/* The classes that start in a chunk of sorted boxes; the last may go on behind it. */
static shoal_status fill_classes(shoal_ctx *ctx, void *payload, size_t chunk)
{
    classing *k = payload;
    size_t width = k->release->quasi->count;
    size_t end = find_items_end(k, chunk);
    size_t next = k->firsts[chunk];

    for (size_t i = chunk * ITEMS_PER_CHUNK; i < k->count; i++) {
        bool is_start = starts_class(k, i);

        if (is_start && i >= end) {
            break;
        }
        if (is_start) {
            memcpy(k->release->boxes + next * width, k->boxes + k->sorted[i] * width,
                   width * sizeof *k->boxes);
            next++;
        }
        if (next > k->firsts[chunk]) { /* else it belongs to a class that started before */
            k->release->box_sizes[next - 1] += k->sizes[k->sorted[i]];
            k->number[k->sorted[i]] = (uint32_t)(next - 1);
        } else if (i + 1 >= end) {
            break;
        }
    }
    return shoal_i_check_cancelled(ctx);
}

/* Give the release the distinct boxes among those given, in order, and number[b] the class of
 * box b. sizes[b] is how many rows box b has; those without rows are left out. */
static shoal_status add_classes(shoal_ctx *ctx, shoal_i_release *release, uint32_t *number,
                                const shoal_i_interval *boxes, const uint32_t *sizes,
                                size_t count)
{
    shoal_status st = SHOAL_OK;
    classing k = {.release = release, .number = number, .boxes = boxes, .sizes = sizes};
    size_t chunks = 0;

    SHOAL_ALLOC(ctx, k.sorted, count);
    for (size_t b = 0; b < count; b++) {
        k.sorted[k.count] = (uint32_t)b;
        k.count += sizes[b] > 0;
    }
    chunks = count_chunks(k.count, ITEMS_PER_CHUNK);
    SHOAL_TRY(sort_boxes(ctx, k.sorted, release->quasi, boxes, k.count));
    SHOAL_ALLOC(ctx, release->box_sizes, count);
    SHOAL_ALLOC(ctx, release->boxes, count * release->quasi->count);
    SHOAL_ALLOC(ctx, k.firsts, chunks + 1);
    SHOAL_TRY(shoal_i_parallel_for(ctx, chunks, count_classes, &k));
    for (size_t chunk = 0; chunk < chunks; chunk++) {
        k.firsts[chunk + 1] += k.firsts[chunk];
    }
    SHOAL_TRY(shoal_i_parallel_for(ctx, chunks, fill_classes, &k));
    release->box_count = k.firsts[chunks];
done:
    free(k.sorted);
    free(k.firsts);
    return st;
}

typedef struct renumbering {
    uint32_t *to;
    const uint32_t *from; /* NULL: every row has a box of its own */
    const uint32_t *number;
    size_t row_count;
} renumbering;

static shoal_status renumber_rows(shoal_ctx *ctx, void *payload, size_t chunk)
{
    const renumbering *r = payload;
    size_t row = chunk * ROWS_PER_CHUNK;
    size_t end = r->row_count - row < ROWS_PER_CHUNK ? r->row_count : row + ROWS_PER_CHUNK;

    for (; row < end; row++) {
        r->to[row] = r->number[r->from ? r->from[row] : row];
    }
    return shoal_i_check_cancelled(ctx);
}

/* Make classes of boxes and set box_of from box numbers, which may be box_of itself. */
static shoal_status fill_release(shoal_ctx *ctx, shoal_i_release *release,
                                 const shoal_i_interval *boxes, const uint32_t *sizes,
                                 size_t box_count, const uint32_t *box_of)
{
    shoal_status st = SHOAL_OK;
    uint32_t *number = NULL;
    renumbering r = {.to = release->box_of, .from = box_of, .row_count = release->row_count};

    SHOAL_ALLOC(ctx, number, box_count);
    SHOAL_TRY(add_classes(ctx, release, number, boxes, sizes, box_count));
    r.number = number;
    SHOAL_TRY(shoal_i_parallel_for(ctx, count_chunks(r.row_count, ROWS_PER_CHUNK),
                                   renumber_rows, &r));
done:
    free(number);
    return st;
}

static shoal_status new_release(shoal_ctx *ctx, shoal_i_release **out,
                                const shoal_i_quasi *quasi, size_t row_count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *release = NULL;

    SHOAL_ALLOC(ctx, release, 1);
    release->quasi = quasi;
    release->row_count = row_count;
    release->box_of = shoal_i_alloc_raw(ctx, row_count, sizeof *release->box_of);
    if (!release->box_of) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    *out = release;
    release = NULL;
done:
    shoal_i_release_free(release);
    return st;
}

void shoal_i_release_free(shoal_i_release *release)
{
    if (release) {
        free(release->box_of);
        free(release->box_sizes);
        free(release->boxes);
        free(release->look_of);
        free(release->linked);
        free(release->bucket_of);
        free(release);
    }
}

double shoal_i_release_ncp(const shoal_i_release *release)
{
    const shoal_i_quasi *quasi = release->quasi;
    double sum = 0;

    for (size_t b = 0; b < release->box_count; b++) {
        for (size_t c = 0; c < quasi->count; c++) {
            shoal_i_interval interval = release->boxes[b * quasi->count + c];

            sum += release->box_sizes[b] * quasi->columns[c].weight *
                   shoal_i_quasi_loss(&quasi->columns[c], interval.lo, interval.hi);
        }
    }
    return sum;
}

/* --- From groups. */

/* The rows of a group are scattered over the table, so codes are not gathered group by group
 * but read as they lie, a column at a time, and each widens the interval of its group: the
 * intervals of one column mostly fit into the cache. */
typedef struct grouping {
    shoal_i_release *release; /* box_of: the group of each row until classes are known */
    const uint32_t *order;
    const uint32_t *starts;
    size_t group_count;
    shoal_i_interval *covers; /* column after column: of each group */
    shoal_i_interval *boxes;  /* group after group, closed */
    uint32_t *sizes;
} grouping;

static size_t find_chunk_end(const grouping *g, size_t chunk)
{
    size_t end = (chunk + 1) * GROUPS_PER_CHUNK;

    return end < g->group_count ? end : g->group_count;
}

static shoal_status number_groups(shoal_ctx *ctx, void *payload, size_t chunk)
{
    grouping *g = payload;
    size_t end = find_chunk_end(g, chunk);

    for (size_t group = chunk * GROUPS_PER_CHUNK; group < end; group++) {
        assert(g->starts[group] < g->starts[group + 1]);
        g->sizes[group] = g->starts[group + 1] - g->starts[group];
        for (size_t i = g->starts[group]; i < g->starts[group + 1]; i++) {
            g->release->box_of[g->order[i]] = (uint32_t)group;
        }
    }
    return shoal_i_check_cancelled(ctx);
}

static void cover_codes(shoal_i_interval *covers, const shoal_i_quasi_column *column,
                        const uint32_t *codes, const uint32_t *groups, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t code = column->code_of_entry[codes[i]];
        shoal_i_interval *cover = &covers[groups[i]];

        cover->lo = code < cover->lo ? code : cover->lo;
        cover->hi = code > cover->hi ? code : cover->hi;
    }
}

static shoal_status cover_column(shoal_ctx *ctx, void *payload, size_t c)
{
    shoal_status st = SHOAL_OK;
    grouping *g = payload;
    const shoal_i_quasi *quasi = g->release->quasi;
    const shoal_i_quasi_column *column = &quasi->columns[c];
    shoal_i_interval *covers = g->covers + c * g->group_count;
    size_t rows = g->release->row_count;
    uint32_t *codes = NULL;

    SHOAL_ALLOC(ctx, codes, ROWS_PER_BLOCK);
    for (size_t group = 0; group < g->group_count; group++) {
        covers[group] = (shoal_i_interval){UINT32_MAX, 0};
    }
    for (size_t first = 0; first < rows; first += ROWS_PER_BLOCK) {
        size_t count = rows - first < ROWS_PER_BLOCK ? rows - first : ROWS_PER_BLOCK;

        shoal_table_codes(quasi->table, column->column, first, count, codes);
        cover_codes(covers, column, codes, g->release->box_of + first, count);
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
done:
    free(codes);
    return st;
}

static shoal_status close_groups(shoal_ctx *ctx, void *payload, size_t chunk)
{
    grouping *g = payload;
    const shoal_i_quasi *quasi = g->release->quasi;
    size_t end = find_chunk_end(g, chunk);

    (void)ctx;
    for (size_t group = chunk * GROUPS_PER_CHUNK; group < end; group++) {
        for (size_t c = 0; c < quasi->count; c++) {
            shoal_i_interval cover = g->covers[c * g->group_count + group];

            g->boxes[group * quasi->count + c] =
                shoal_i_quasi_close(&quasi->columns[c], cover.lo, cover.hi);
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_i_release_from_groups(shoal_ctx *ctx, shoal_i_release **out,
                                         const shoal_i_quasi *quasi, const uint32_t *order,
                                         const uint32_t *starts, size_t group_count)
{
    shoal_status st = SHOAL_OK;
    grouping g = {.order = order, .starts = starts, .group_count = group_count};
    size_t chunks = count_chunks(group_count, GROUPS_PER_CHUNK);
    size_t cells = 0;

    *out = NULL;
    SHOAL_TRY(new_release(ctx, &g.release, quasi, shoal_table_row_count(quasi->table)));
    assert(group_count > 0 ? starts[group_count] == g.release->row_count
                           : g.release->row_count == 0);
    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, group_count, quasi->count));
    SHOAL_ALLOC(ctx, g.covers, cells);
    SHOAL_ALLOC(ctx, g.boxes, cells);
    SHOAL_ALLOC(ctx, g.sizes, group_count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, chunks, number_groups, &g));
    SHOAL_TRY(shoal_i_parallel_for(ctx, quasi->count, cover_column, &g));
    SHOAL_TRY(shoal_i_parallel_for(ctx, chunks, close_groups, &g));
    SHOAL_TRY(fill_release(ctx, g.release, g.boxes, g.sizes, group_count, g.release->box_of));
    *out = g.release;
    g.release = NULL;
done:
    free(g.covers);
    free(g.boxes);
    free(g.sizes);
    shoal_i_release_free(g.release);
    return st;
}

/* --- From boxes. */

shoal_status shoal_i_release_from_numbered(shoal_ctx *ctx, shoal_i_release **out,
                                           const shoal_i_quasi *quasi,
                                           const shoal_i_interval *boxes, size_t box_count,
                                           const uint32_t *box_of, size_t row_count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_release *release = NULL;
    uint32_t *sizes = NULL;

    *out = NULL;
    SHOAL_TRY(new_release(ctx, &release, quasi, row_count));
    SHOAL_ALLOC(ctx, sizes, box_count);
    for (size_t row = 0; row < row_count; row++) {
        sizes[box_of ? box_of[row] : row]++;
    }
    SHOAL_TRY(fill_release(ctx, release, boxes, sizes, box_count, box_of));
    *out = release;
    release = NULL;
done:
    free(sizes);
    shoal_i_release_free(release);
    return st;
}

shoal_status shoal_i_release_from_boxes(shoal_ctx *ctx, shoal_i_release **out,
                                        const shoal_i_quasi *quasi,
                                        const shoal_i_interval *boxes, size_t row_count)
{
    return shoal_i_release_from_numbered(ctx, out, quasi, boxes, row_count, NULL, row_count);
}
