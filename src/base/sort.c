#include "sort.h"

#include "bitset.h"
#include "pool.h"

#include <string.h>

/* Below this many items, moving them one by one beats counting bytes. */
#define INSERTION_MAX 48

/* Keys that differ in no more bytes are sorted by all of them at once. */
#define FEW_BYTES 2

static void sort_by_insertion(shoal_i_sort_item *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        shoal_i_sort_item moving = items[i];
        size_t at = i;

        while (at > 0 && items[at - 1].key > moving.key) {
            items[at] = items[at - 1];
            at--;
        }
        items[at] = moving;
    }
}

/* Sort the first `kept` of what sorting all would give, and leave the others behind them:
 * whoever comes before the last that is kept takes its place. */
static void insert_first(shoal_i_sort_item *items, size_t count, size_t kept)
{
    sort_by_insertion(items, kept);
    for (size_t i = kept; kept > 0 && i < count; i++) {
        shoal_i_sort_item moving = items[i];
        size_t at = kept - 1;

        if (moving.key >= items[at].key) {
            continue;
        }
        items[i] = items[at];
        while (at > 0 && items[at - 1].key > moving.key) {
            items[at] = items[at - 1];
            at--;
        }
        items[at] = moving;
    }
}

/* One pass of a radix sort: distribute by the byte at `shift`. */
static void distribute(shoal_i_sort_item *to, const shoal_i_sort_item *from, size_t count,
                       unsigned shift)
{
    size_t ends[256] = {0};
    size_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        ends[from[i].key >> shift & 0xFF]++;
    }
    for (size_t byte = 0; byte < 256; byte++) {
        size_t size = ends[byte];

        ends[byte] = sum;
        sum += size;
    }
    for (size_t i = 0; i < count; i++) {
        to[ends[from[i].key >> shift & 0xFF]++] = from[i];
    }
}

/* Byte by byte from the lowest, of those in which keys differ. */
static void sort_by_bytes(shoal_i_sort_item *items, shoal_i_sort_item *scratch, size_t count,
                          uint64_t differing)
{
    shoal_i_sort_item *from = items;
    shoal_i_sort_item *to = scratch;

    for (unsigned shift = 0; shift < 64; shift += 8) {
        if ((differing >> shift & 0xFF) != 0) {
            distribute(to, from, count, shift);
            shoal_i_sort_item *swapped = from;

            from = to;
            to = swapped;
        }
    }
    if (from != items) {
        memcpy(items, from, count * sizeof *items);
    }
}

static uint64_t find_differing(const shoal_i_sort_item *items, size_t count)
{
    uint64_t differing = 0;

    for (size_t i = 1; i < count; i++) {
        differing |= items[i].key ^ items[0].key;
    }
    return differing;
}

/* Into parts by the highest byte or so in which keys differ, which are then sorted one by one:
 * parts are soon short. Each call leaves at least eight bits less to look at. */
static void sort_by_parts(shoal_i_sort_item *items, shoal_i_sort_item *scratch, size_t count,
                          uint64_t differing)
{
    unsigned shift = 0;

    while (differing >> shift > 0xFF) {
        shift++;
    }
    distribute(scratch, items, count, shift);
    for (size_t first = 0, end = 0; first < count; first = end) {
        while (end < count && scratch[end].key >> shift == scratch[first].key >> shift) {
            end++;
        }
        shoal_i_sort_items(scratch + first, items + first, end - first);
    }
    memcpy(items, scratch, count * sizeof *items);
}

void shoal_i_sort_items(shoal_i_sort_item *items, shoal_i_sort_item *scratch, size_t count)
{
    if (count <= INSERTION_MAX) {
        sort_by_insertion(items, count);
        return;
    }
    uint64_t differing = find_differing(items, count);
    unsigned bytes = 0;

    for (unsigned shift = 0; shift < 64; shift += 8) {
        bytes += (differing >> shift & 0xFF) != 0;
    }
    if (bytes <= FEW_BYTES) {
        sort_by_bytes(items, scratch, count, differing);
    } else {
        sort_by_parts(items, scratch, count, differing);
    }
}

/* --- Many items: into buckets by their upper bits, which are then sorted side by side. ---- */

#define BUCKET_BITS 11u
#define BUCKETS ((size_t)1 << BUCKET_BITS)
#define SORT_CHUNK ((size_t)1 << 16)

typedef struct bucketing {
    shoal_i_sort_item *items;
    shoal_i_sort_item *scratch;
    size_t count;
    unsigned shift; /* of the bits that tell the bucket */
    size_t chunk_count;
    uint32_t *places; /* per chunk and bucket: where the next one of the chunk goes */
    uint32_t starts[BUCKETS + 1];
} bucketing;

static size_t find_bucket(const bucketing *b, const shoal_i_sort_item *item)
{
    return (size_t)(item->key >> b->shift) & (BUCKETS - 1);
}

static size_t find_chunk_end(const bucketing *b, size_t chunk)
{
    return (chunk + 1) * SORT_CHUNK < b->count ? (chunk + 1) * SORT_CHUNK : b->count;
}

static shoal_status count_chunk(shoal_ctx *ctx, void *payload, size_t chunk)
{
    bucketing *b = payload;

    for (size_t i = chunk * SORT_CHUNK; i < find_chunk_end(b, chunk); i++) {
        b->places[chunk * BUCKETS + find_bucket(b, &b->items[i])]++;
    }
    return shoal_i_check_cancelled(ctx);
}

static shoal_status deal_out_chunk(shoal_ctx *ctx, void *payload, size_t chunk)
{
    bucketing *b = payload;

    for (size_t i = chunk * SORT_CHUNK; i < find_chunk_end(b, chunk); i++) {
        b->scratch[b->places[chunk * BUCKETS + find_bucket(b, &b->items[i])]++] = b->items[i];
    }
    return shoal_i_check_cancelled(ctx);
}

/* Sort the buckets of a task, and bring them back. */
static shoal_status sort_buckets(shoal_ctx *ctx, void *payload, size_t task)
{
    bucketing *b = payload;
    size_t first = task * BUCKETS / b->chunk_count;
    size_t end = (task + 1) * BUCKETS / b->chunk_count;

    for (size_t bucket = first; bucket < end; bucket++) {
        size_t start = b->starts[bucket];

        shoal_i_sort_items(b->scratch + start, b->items + start, b->starts[bucket + 1] - start);
    }
    memcpy(b->items + b->starts[first], b->scratch + b->starts[first],
           (b->starts[end] - b->starts[first]) * sizeof *b->items);
    return shoal_i_check_cancelled(ctx);
}

void shoal_i_sort_place(uint32_t *places, uint32_t *starts, size_t chunk_count,
                        size_t bucket_count)
{
    uint32_t sum = 0;

    for (size_t bucket = 0; bucket < bucket_count; bucket++) {
        if (starts) {
            starts[bucket] = sum;
        }
        for (size_t chunk = 0; chunk < chunk_count; chunk++) {
            uint32_t *place = &places[chunk * bucket_count + bucket];
            uint32_t size = *place;

            *place = sum;
            sum += size;
        }
    }
    if (starts) {
        starts[bucket_count] = sum;
    }
}

shoal_status shoal_i_sort_items_parallel(shoal_ctx *ctx, shoal_i_sort_item *items,
                                         shoal_i_sort_item *scratch, size_t count)
{
    shoal_status st = SHOAL_OK;
    bucketing b = {.items = items, .scratch = scratch, .count = count};
    uint64_t differing = find_differing(items, count);

    if (count <= SORT_CHUNK || differing < BUCKETS) {
        shoal_i_sort_items(items, scratch, count);
        return SHOAL_OK;
    }
    while (differing >> b.shift >= BUCKETS) {
        b.shift++;
    }
    b.chunk_count = (count + SORT_CHUNK - 1) / SORT_CHUNK;
    SHOAL_ALLOC(ctx, b.places, b.chunk_count * BUCKETS);
    SHOAL_TRY(shoal_i_parallel_for(ctx, b.chunk_count, count_chunk, &b));
    shoal_i_sort_place(b.places, b.starts, b.chunk_count, BUCKETS);
    SHOAL_TRY(shoal_i_parallel_for(ctx, b.chunk_count, deal_out_chunk, &b));
    SHOAL_TRY(shoal_i_parallel_for(ctx, b.chunk_count, sort_buckets, &b));
done:
    free(b.places);
    return st;
}

void shoal_i_sort_by_number(uint32_t *items, uint32_t *starts, const uint32_t *number_of,
                            size_t count, size_t number_count)
{
    uint32_t sum = 0;

    memset(starts, 0, (number_count + 1) * sizeof *starts);
    for (size_t i = 0; i < count; i++) {
        starts[number_of[i] + 1]++;
    }
    /* starts[n + 1] now becomes where the next item of n goes, and ends as the end of n. */
    for (size_t n = 0; n < number_count; n++) {
        uint32_t size = starts[n + 1];

        starts[n + 1] = sum;
        sum += size;
    }
    for (size_t i = 0; i < count; i++) {
        items[starts[number_of[i] + 1]++] = (uint32_t)i;
    }
}

/* Stretches of keys into which items are distributed before the first of them are sorted. */
#define STRETCH_BITS 6
#define STRETCHES (1u << STRETCH_BITS)

/* Distribute items by stretches of their keys, which lie between least and most; returns how
 * many items are in those that hold the `kept` first ones, or SIZE_MAX when some stretch has
 * too many. */
static size_t distribute_stretches(shoal_i_sort_item *to, const shoal_i_sort_item *from,
                                   size_t count, size_t kept, uint64_t least, uint64_t most)
{
    size_t ends[STRETCHES] = {0};
    unsigned shift = 0;
    size_t sum = 0;
    size_t needed = SIZE_MAX;

    if (most - least >= STRETCHES) {
        shift = 64 - STRETCH_BITS - (unsigned)__builtin_clzll(most - least);
    }
    for (size_t i = 0; i < count; i++) {
        ends[(from[i].key - least) >> shift]++;
    }
    for (size_t stretch = 0; stretch < STRETCHES; stretch++) {
        size_t size = ends[stretch];

        if (size > INSERTION_MAX && shift > 0) {
            return SIZE_MAX;
        }
        ends[stretch] = sum;
        sum += size;
        needed = sum >= kept && needed == SIZE_MAX ? sum : needed;
    }
    for (size_t i = 0; i < count; i++) {
        to[ends[(from[i].key - least) >> shift]++] = from[i];
    }
    return needed;
}

void shoal_i_sort_first(shoal_i_sort_item *items, shoal_i_sort_item *scratch, size_t count,
                        size_t kept)
{
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;

    if (count <= INSERTION_MAX) {
        insert_first(items, count, kept);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        least = items[i].key < least ? items[i].key : least;
        most = items[i].key > most ? items[i].key : most;
    }
    size_t needed = distribute_stretches(scratch, items, count, kept, least, most);

    if (needed == SIZE_MAX) {
        shoal_i_sort_items(items, scratch, count);
    } else {
        sort_by_insertion(scratch, needed); /* hardly anything is far from its place */
        memcpy(items, scratch, count * sizeof *items);
    }
}

/* The state of sorting runs word by word. Runs are refined in rounds, one per word, not by
 * recursion: keys may have thousands of words. */
typedef struct refiner {
    shoal_i_sort_item *items;
    shoal_i_sort_item *scratch;
    uint8_t *is_start; /* bit i: a run starts at item i; bit count is set too */
    size_t count;
    shoal_i_sort_load_fn load;
    const void *payload;
} refiner;

static size_t find_run_end(const refiner *r, size_t start)
{
    size_t end = start + 1;

    while (!shoal_i_bitset_has(r->is_start, end)) {
        end++;
    }
    return end;
}

/* Order one run by a word and mark where it falls apart; whether a part of two or more is left.
 * The first word has been loaded. */
static bool refine_run(refiner *r, size_t start, size_t end, size_t word)
{
    shoal_i_sort_item *run = r->items + start;
    bool is_left = false;

    if (word > 0) {
        r->load(r->payload, word, run, end - start);
    }
    shoal_i_sort_items(run, r->scratch, end - start);
    for (size_t i = 1; i < end - start; i++) {
        if (run[i].key != run[i - 1].key) {
            shoal_i_bitset_add(r->is_start, start + i);
        } else {
            is_left = true;
        }
    }
    return is_left;
}

static bool refine_all(refiner *r, size_t word)
{
    bool is_left = false;

    for (size_t start = 0; start < r->count;) {
        size_t end = find_run_end(r, start);

        if (end - start > 1 && refine_run(r, start, end, word)) {
            is_left = true;
        }
        start = end;
    }
    return is_left;
}

shoal_status shoal_i_sort_runs(shoal_ctx *ctx, uint32_t *items, const uint32_t *starts,
                               size_t run_count, size_t word_count, shoal_i_sort_load_fn load,
                               const void *payload)
{
    shoal_status st = SHOAL_OK;
    size_t first = run_count > 0 ? starts[0] : 0;
    size_t count = run_count > 0 ? starts[run_count] - first : 0;
    refiner r = {.count = count, .load = load, .payload = payload};
    size_t longest = 0;

    if (count == 0 || word_count == 0) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, r.is_start, shoal_i_bitset_bytes(count + 1));
    for (size_t run = 0; run <= run_count; run++) {
        shoal_i_bitset_add(r.is_start, starts[run] - first);
        if (run > 0 && starts[run] - starts[run - 1] > longest) {
            longest = starts[run] - starts[run - 1];
        }
    }
    SHOAL_ALLOC(ctx, r.items, count);
    SHOAL_ALLOC(ctx, r.scratch, longest);
    for (size_t i = 0; i < count; i++) {
        r.items[i].item = items[first + i];
    }
    load(payload, 0, r.items, count);
    for (size_t word = 0; word < word_count && refine_all(&r, word); word++) {
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
    for (size_t i = 0; i < count; i++) {
        items[first + i] = r.items[i].item;
    }
done:
    free(r.is_start);
    free(r.items);
    free(r.scratch);
    return st;
}

int shoal_i_compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

int shoal_i_compare_u32_down(const void *a, const void *b)
{
    return shoal_i_compare_u32(b, a);
}

int shoal_i_compare_double(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}
