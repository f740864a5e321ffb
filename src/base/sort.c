#include "sort.h"

#include <stdbool.h>
#include <string.h>

#define DIGITS 8
#define VALUES 256

/* Below this many entries a plain insertion sort is faster than counting digits. */
#define FEW 48

static void sort_few(shoal_i_keyed *entries, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        shoal_i_keyed entry = entries[i];
        size_t at = i;

        for (; at > 0 && entries[at - 1].key > entry.key; at--) {
            entries[at] = entries[at - 1];
        }
        entries[at] = entry;
    }
}

/* Turn the counts of a digit's values into where each value starts. False when all entries have
 * the same digit, so that it need not be sorted by. */
static bool place_values(size_t starts[VALUES], size_t count)
{
    size_t next = 0;

    for (size_t value = 0; value < VALUES; value++) {
        size_t here = starts[value];

        if (here == count) {
            return false;
        }
        starts[value] = next;
        next += here;
    }
    return true;
}

void shoal_i_sort_keyed(shoal_i_keyed *entries, size_t count, shoal_i_keyed *scratch)
{
    size_t starts[DIGITS][VALUES] = {{0}};
    shoal_i_keyed *from = entries;
    shoal_i_keyed *to = scratch;

    if (count < FEW) {
        sort_few(entries, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t digit = 0; digit < DIGITS; digit++) {
            starts[digit][entries[i].key >> (8 * digit) & (VALUES - 1)]++;
        }
    }
    for (size_t digit = 0; digit < DIGITS; digit++) {
        if (!place_values(starts[digit], count)) {
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            to[starts[digit][from[i].key >> (8 * digit) & (VALUES - 1)]++] = from[i];
        }
        shoal_i_keyed *swap = from;

        from = to;
        to = swap;
    }
    if (from != entries) {
        memcpy(entries, from, count * sizeof *entries);
    }
}
