/* sort.h -- sorting many small keys by radix, stable, in time linear in their number. */
#ifndef SHOAL_I_SORT_H
#define SHOAL_I_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct shoal_i_keyed {
    uint64_t key;
    uint32_t item;
} shoal_i_keyed;

/* Sort count entries by key, equal keys in the order given. scratch holds count entries. */
void shoal_i_sort_keyed(shoal_i_keyed *entries, size_t count, shoal_i_keyed *scratch);

#endif /* SHOAL_I_SORT_H */
