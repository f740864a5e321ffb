#include "sort.h"

#include "bitset.h"

#include <string.h>

/* Below this many items, moving them one by one beats counting bytes. */
#define INSERTION_MAX 48

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

void shoal_i_sort_items(shoal_i_sort_item *items, shoal_i_sort_item *scratch, size_t count)
{
    if (count <= INSERTION_MAX) {
        sort_by_insertion(items, count);
        return;
    }
    shoal_i_sort_item *from = items;
    shoal_i_sort_item *to = scratch;
    uint64_t differing = 0;

    for (size_t i = 1; i < count; i++) {
        differing |= items[i].key ^ items[0].key;
    }
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

    while ((most - least) >> shift >= STRETCHES) {
        shift++;
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

    for (size_t i = 0; i < count; i++) {
        least = items[i].key < least ? items[i].key : least;
        most = items[i].key > most ? items[i].key : most;
    }
    if (count <= INSERTION_MAX) {
        sort_by_insertion(items, count);
        return;
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
