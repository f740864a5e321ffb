/* entropy.h -- randomness that protects people: from the operating system.
 *
 * Whoever could guess these numbers could undo what they hide, so no seed gives them again. A
 * source takes a key of 256 bits from the operating system and draws from the ChaCha20 stream
 * of that key (Y. Nir, A. Langley, RFC 8439, doi:10.17487/RFC8439): whoever sees part of the
 * numbers learns nothing about the rest.
 *
 * Two exceptions. The key of a seeded source is made from a seed: for tests, and whoever uses
 * one has to say so to the user. The key of a source may also be a digest of what its readers
 * do not know, where the same input has to give the same result (canonical_order.h).
 *
 * A source belongs to one thread.
 */
#ifndef SHOAL_I_ENTROPY_H
#define SHOAL_I_ENTROPY_H

#include "fail.h"

#define SHOAL_I_ENTROPY_LANES 8 /* blocks made at once, side by side for vector code */
#define SHOAL_I_ENTROPY_WORDS (16 * SHOAL_I_ENTROPY_LANES)

typedef struct shoal_i_entropy {
    uint32_t key[8];
    uint32_t nonce[3];
    uint32_t counter; /* of the next block; the nonce goes on when it is through */
    size_t left;      /* unused halves of words */
    uint32_t words[SHOAL_I_ENTROPY_WORDS];
} shoal_i_entropy;

/* A source whose key the operating system gives. SHOAL_EIO when it gives none. */
shoal_status shoal_i_entropy_init(shoal_ctx *ctx, shoal_i_entropy *entropy);

/* A source for tests: stream `number` of a seed. */
void shoal_i_entropy_init_seeded(shoal_i_entropy *entropy, uint64_t seed, uint64_t number);

/* A source of a key. */
void shoal_i_entropy_init_key(shoal_i_entropy *entropy, const uint64_t key[4]);

/* Overwrite it. */
void shoal_i_entropy_clear(shoal_i_entropy *entropy);

/* Uniform in 0..bound-1, without bias. bound is at least 1. */
uint32_t shoal_i_entropy_below(shoal_i_entropy *entropy, uint32_t bound);

/* Fill words with the next blocks of the stream, block after block. */
void shoal_i_entropy_blocks(shoal_i_entropy *entropy);

#endif /* SHOAL_I_ENTROPY_H */
