/* random.h -- counter-based random streams: the same numbers on any number of threads.
 *
 * A stream is named by a 64-bit key; the i-th number of a stream is a pure function
 * of key and i (Philox4x32-10; Salmon, Moraes, Dror, Shaw, "Parallel random numbers:
 * as easy as 1, 2, 3", SC 2011, doi:10.1145/2063384.2063405). Work that splits gives
 * each part a stream of its own, derived from its parent's key and the part's number,
 * so thread count and scheduling cannot change what is drawn.
 *
 * For search heuristics and synthetic data only. Randomness that protects people
 * comes from the operating system.
 */
#ifndef SHOAL_I_RANDOM_H
#define SHOAL_I_RANDOM_H

#include <stdint.h>

typedef struct shoal_i_random {
    uint64_t key;
    uint64_t counter;
    uint32_t block[4];
    unsigned left; /* unused words of block */
} shoal_i_random;

/* The stream number `number` below `key`, for instance below a run's seed. */
uint64_t shoal_i_random_key(uint64_t key, uint64_t number);

/* Start the stream of a key. */
shoal_i_random shoal_i_random_start(uint64_t key);

uint32_t shoal_i_random_u32(shoal_i_random *random);
uint64_t shoal_i_random_u64(shoal_i_random *random);

/* Uniform in 0..bound-1, without bias. bound is at least 1. */
uint64_t shoal_i_random_below(shoal_i_random *random, uint64_t bound);

/* Uniform in [0, 1) with 53 random bits. */
double shoal_i_random_unit(shoal_i_random *random);

/* Standard normal. */
double shoal_i_random_normal(shoal_i_random *random);

#endif /* SHOAL_I_RANDOM_H */
