/* bitset.h -- one bit per record, least significant first, as Arrow lays out validity; and how
 * many bits of a word are set. */
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

static inline uint64_t shoal_i_count_bits(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return word * 0x0101010101010101u >> 56;
}

#endif /* SHOAL_I_BITSET_H */
