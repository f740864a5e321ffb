/* sort_keys.h -- keys that sort as numbers and texts do.
 *
 * The order of a column's dictionary: numbers become keys that sort as they do, texts are
 * sorted by their first eight bytes and the few that share these by the rest.
 */
#ifndef SHOAL_I_SORT_KEYS_H
#define SHOAL_I_SORT_KEYS_H

#include "../base/sort.h"

#include <string.h>

/* Below 0, 0 or above, as memcmp, for the values of two indices. */
typedef int (*shoal_i_sort_compare_fn)(const void *payload, uint32_t a, uint32_t b);

/* Sort by a comparison of the items, keys not looked at. O(count log count), stable. */
void shoal_i_sort_by_value(shoal_i_sort_item *items, shoal_i_sort_item *scratch, size_t count,
                           shoal_i_sort_compare_fn compare, const void *payload);

/* A key that sorts as the number does. Not for NaN; -0 and 0 must have been made one. */
static inline uint64_t shoal_i_sort_key_of_number(double number)
{
    uint64_t bits;

    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* The first eight bytes of a text as a number, zeros behind a shorter one. */
static inline uint64_t shoal_i_sort_key_of_text(const char *text, size_t length)
{
    uint64_t key = 0;

    for (size_t i = 0; i < 8; i++) {
        key = key << 8 | (i < length ? (unsigned char)text[i] : 0);
    }
    return key;
}

#endif /* SHOAL_I_SORT_KEYS_H */
