/* sort.h -- stable sorting of numbers (rows, boxes) by keys of any width, run by run.
 *
 * A key is a sequence of 64-bit words, loaded when they are needed and most significant first.
 * Items are sorted within runs: a run is first ordered by word 0, its parts with an equal word
 * 0 by word 1, and so on. Most runs fall apart after the first word, so most words are never
 * loaded.
 *
 * Stable and free of hashing: the result depends on items and keys alone.
 */
#ifndef SHOAL_I_SORT_H
#define SHOAL_I_SORT_H

#include "fail.h"

typedef struct shoal_i_sort_item {
    uint64_t key;
    uint32_t item;
} shoal_i_sort_item;

/* Sort by key, stable: insertion when short, by bytes (radix) when long, of which only those
 * are looked at in which keys differ, from the highest on if they are many. scratch has room
 * for count items. */
void shoal_i_sort_items(shoal_i_sort_item *items, shoal_i_sort_item *scratch, size_t count);

/* The same of many items, in parallel. */
shoal_status shoal_i_sort_items_parallel(shoal_ctx *ctx, shoal_i_sort_item *items,
                                         shoal_i_sort_item *scratch, size_t count);

/* The numbers below count by a number that each has: those with number n, ascending, become
 * items[starts[n]] .. items[starts[n + 1] - 1]. starts has number_count + 1 entries. */
void shoal_i_sort_by_number(uint32_t *items, uint32_t *starts, const uint32_t *number_of,
                            size_t count, size_t number_count);

/* Where items go that several tasks deal out into buckets, each its own chunk of them: places
 * has for each chunk how many of its items are in each bucket, and gets where the first of them
 * goes, so that buckets follow each other and within a bucket the chunks do. starts, of
 * bucket_count + 1 entries, may be NULL: where the buckets start, and the end. */
void shoal_i_sort_place(uint32_t *places, uint32_t *starts, size_t chunk_count,
                        size_t bucket_count);

/* Bring the `kept` items that sorting would put first to the front, sorted and stable; the
 * others follow in any order. For some hundred items at a time, quicker than sorting all. */
void shoal_i_sort_first(shoal_i_sort_item *items, shoal_i_sort_item *scratch, size_t count,
                        size_t kept);

/* Set the key of each item to word `word` of its key. */
typedef void (*shoal_i_sort_load_fn)(const void *payload, size_t word, shoal_i_sort_item *items,
                                     size_t count);

/* Sort each of run_count runs of items; run r is items[starts[r]] .. items[starts[r + 1] - 1].
 */
shoal_status shoal_i_sort_runs(shoal_ctx *ctx, uint32_t *items, const uint32_t *starts,
                               size_t run_count, size_t word_count, shoal_i_sort_load_fn load,
                               const void *payload);

/* For qsort: uint32_t ascending and descending, double ascending. */
int shoal_i_compare_u32(const void *a, const void *b);
int shoal_i_compare_u32_down(const void *a, const void *b);
int shoal_i_compare_double(const void *a, const void *b);

/* How many bits hold every number below count; 0 for a count of at most 1. */
static inline unsigned shoal_i_sort_bits(uint64_t count)
{
    unsigned bits = 0;

    while (bits < 64 && count > (uint64_t)1 << bits) {
        bits++;
    }
    return bits;
}

#endif /* SHOAL_I_SORT_H */
