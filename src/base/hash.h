/* hash.h -- hashing of short keys, by xxHash (XXH3), inlined.
 *
 * Hashes only ever find candidates: equality is always decided on the keys. They are
 * never written to a file and never order a result.
 */
#ifndef SHOAL_I_HASH_H
#define SHOAL_I_HASH_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t shoal_i_hash_bytes(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size);
}

/* 128 bits, for what has to be told apart by its hash alone. */
static inline void shoal_i_hash_wide(uint64_t out[2], const void *bytes, size_t size)
{
    XXH128_hash_t hash = XXH3_128bits(bytes, size);

    out[0] = hash.low64;
    out[1] = hash.high64;
}

/* A bijective mix of 64 bits (the finalizer of MurmurHash3, with D. Stafford's constants,
 * variant 13). */
static inline uint64_t shoal_i_hash_u64(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

#endif /* SHOAL_I_HASH_H */
