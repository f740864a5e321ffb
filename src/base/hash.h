/* hash.h -- hashing of keys, by a secret of the run.
 *
 * Hashes only ever find candidates: equality is always decided on the keys. They are never
 * written to a file and never order a result. So nothing depends on the secret but time:
 * whoever writes the input does not know it, and cannot make texts that all fall into one slot
 * (S. A. Crosby and D. S. Wallach, "Denial of service via algorithmic complexity attacks",
 * USENIX Security 2003). The operating system draws it when a context is made
 * (ctx->hash_key); what outlives the context, or is asked without one, keeps a copy.
 *
 * Digests are another matter: the same on every machine, for what has to be told again.
 */
#ifndef SHOAL_I_HASH_H
#define SHOAL_I_HASH_H

#include "context.h"

#include <stddef.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* --- Numbers and words: multiplied by the secret, the halves of the product joined. ------- */

/* Both halves of the product of two words, as one. */
static inline uint64_t shoal_i_hash_fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t shoal_i_hash_u64(const shoal_i_hash_key *key, uint64_t x)
{
    x = shoal_i_hash_fold(x ^ key->words[0], key->words[1]);
    return shoal_i_hash_fold(x ^ key->words[2], key->words[3]);
}

static inline uint64_t shoal_i_hash_words(const shoal_i_hash_key *key, const uint64_t *words,
                                          size_t count)
{
    uint64_t hash = key->words[0];

    for (size_t i = 0; i < count; i++) {
        hash = shoal_i_hash_fold(hash ^ words[i], key->words[1]);
    }
    return shoal_i_hash_fold(hash ^ key->words[2], key->words[3]);
}

/* --- Texts: SipHash-2-4. ------------------------------------------------------------------ */

/* J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012,
 * doi:10.1007/978-3-642-34931-7_28. The first two words are its key. */
uint64_t shoal_i_hash_bytes(const shoal_i_hash_key *key, const void *bytes, size_t size);

/* --- Digests, the same in every run. ------------------------------------------------------ */

static inline uint64_t shoal_i_digest_bytes(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size);
}

/* 128 bits, for what has to be told apart by its digest alone. */
static inline void shoal_i_digest_wide(uint64_t out[2], const void *bytes, size_t size)
{
    XXH128_hash_t hash = XXH3_128bits(bytes, size);

    out[0] = hash.low64;
    out[1] = hash.high64;
}

/* A bijective mix of 64 bits (the finalizer of MurmurHash3, with D. Stafford's constants,
 * variant 13). */
static inline uint64_t shoal_i_digest_u64(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

#endif /* SHOAL_I_HASH_H */
