#include "sort_keys.h"

#include <stdbool.h>

/* Merge the sorted runs [0, middle) and [middle, count) of from into to. */
static void merge(shoal_i_sort_item *to, const shoal_i_sort_item *from, size_t middle,
                  size_t count, shoal_i_sort_compare_fn compare, const void *payload)
{
    size_t left = 0;
    size_t right = middle;

    for (size_t i = 0; i < count; i++) {
        bool take_left = left < middle && (right == count || compare(payload, from[left].item,
                                                                     from[right].item) <= 0);

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
