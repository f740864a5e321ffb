/* sha256.h -- SHA-256 (FIPS 180-4), so that a report can name the very bytes it is about.
 *
 *     shoal_i_sha256 hash = shoal_i_sha256_start();
 *     shoal_i_sha256_add(&hash, bytes, size);          any number of times
 *     shoal_i_sha256_end(&hash, hex);
 *
 * Uses the instructions of the processor where it has them; the same digest either way.
 */
#ifndef SHOAL_I_SHA256_H
#define SHOAL_I_SHA256_H

#include "fail.h"

#define SHOAL_I_SHA256_BLOCK 64
#define SHOAL_I_SHA256_HEX 65 /* 64 digits and a NUL */

typedef struct shoal_i_sha256 {
    uint32_t state[8];
    uint64_t size; /* bytes added so far */
    unsigned char block[SHOAL_I_SHA256_BLOCK];
} shoal_i_sha256;

shoal_i_sha256 shoal_i_sha256_start(void);
void shoal_i_sha256_add(shoal_i_sha256 *hash, const void *bytes, size_t size);

/* The digest as lower-case digits. The hash is used up. */
void shoal_i_sha256_end(shoal_i_sha256 *hash, char hex[SHOAL_I_SHA256_HEX]);

/* The digest of a file as it lies there, packed or not. Fails as shoal_i_input_open does;
 * SHOAL_ECANCELLED. */
shoal_status shoal_i_sha256_file(shoal_ctx *ctx, char hex[SHOAL_I_SHA256_HEX],
                                 const char *path);

/* One step over whole blocks, in plain C; and by the instructions of the processor, NULL where
 * it lacks them. For tests; the functions above choose. */
typedef void (*shoal_i_sha256_fn)(uint32_t state[8], const unsigned char *blocks, size_t count);
void shoal_i_sha256_plain(uint32_t state[8], const unsigned char *blocks, size_t count);
shoal_i_sha256_fn shoal_i_sha256_fast(void);

#endif /* SHOAL_I_SHA256_H */
