#include "sort_keys.h"

#include <stdbool.h>

#define DIGITS 8 /* bytes of a key */
#define SMALL 48 /* up to here inserting beats counting */

static void sort_small(shoal_i_sort_item *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        shoal_i_sort_item item = items[i];
        size_t at = i;

        for (; at > 0 && items[at - 1].key > item.key; at--) {
            items[at] = items[at - 1];
        }
        items[at] = item;
    }
}

static size_t digit_of(uint64_t key, unsigned digit)
{
    return key >> (8 * digit) & 0xFF;
}

/* One pass of a radix sort, from items to out. */
static void distribute(shoal_i_sort_item *out, const shoal_i_sort_item *items, size_t count,
                       unsigned digit, const size_t counts[256])
{
    size_t starts[256];
    size_t sum = 0;

    for (size_t i = 0; i < 256; i++) {
        starts[i] = sum;
        sum += counts[i];
    }
    for (size_t i = 0; i < count; i++) {
        out[starts[digit_of(items[i].key, digit)]++] = items[i];
    }
}

void shoal_i_sort_by_key(shoal_i_sort_item *items, shoal_i_sort_item *scratch, size_t count)
{
    size_t counts[DIGITS][256] = {{0}};
    shoal_i_sort_item *from = items;
    shoal_i_sort_item *to = scratch;

    if (count <= SMALL) {
        sort_small(items, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        for (unsigned digit = 0; digit < DIGITS; digit++) {
            counts[digit][digit_of(items[i].key, digit)]++;
        }
    }
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        bool is_constant = counts[digit][digit_of(items[0].key, digit)] == count;

        if (!is_constant) {
            distribute(to, from, count, digit, counts[digit]);
            shoal_i_sort_item *swap = from;

            from = to;
            to = swap;
        }
    }
    if (from != items) {
        memcpy(items, from, count * sizeof *items);
    }
}

/* Merge the sorted runs [0, middle) and [middle, count) of from into to. */
static void merge(shoal_i_sort_item *to, const shoal_i_sort_item *from, size_t middle,
                  size_t count, shoal_i_sort_compare_fn compare, const void *payload)
{
    size_t left = 0;
    size_t right = middle;

    for (size_t i = 0; i < count; i++) {
        bool take_left = left < middle && (right == count || compare(payload, from[left].index,
                                                                     from[right].index) <= 0);

        to[i] = take_left ? from[left++] : from[right++];
    }
}

void shoal_i_sort_by_value(shoal_i_sort_item *items, shoal_i_sort_item *scratch, size_t count,
                           shoal_i_sort_compare_fn compare, const void *payload)
{
    shoal_i_sort_item *from = items;
    shoal_i_sort_item *to = scratch;

    for (size_t width = 1; width < count; width *= 2) {
        for (size_t first = 0; first < count; first += 2 * width) {
            size_t rest = count - first;
            size_t middle = width < rest ? width : rest;
            size_t length = 2 * width < rest ? 2 * width : rest;

            merge(to + first, from + first, middle, length, compare, payload);
        }
        shoal_i_sort_item *swap = from;

        from = to;
        to = swap;
    }
    if (from != items) {
        memcpy(items, from, count * sizeof *items);
    }
}
