/* bitset.h -- one bit per record, least significant first, as Arrow lays out validity. */
#ifndef SHOAL_I_BITSET_H
#define SHOAL_I_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t shoal_i_bitset_bytes(size_t bits)
{
    return bits / 8 + (bits % 8 != 0);
}

static inline bool shoal_i_bitset_has(const uint8_t *bits, size_t i)
{
    return bits[i / 8] >> (i % 8) & 1;
}

static inline void shoal_i_bitset_add(uint8_t *bits, size_t i)
{
    bits[i / 8] = (uint8_t)(bits[i / 8] | 1u << (i % 8));
}

#endif /* SHOAL_I_BITSET_H */
