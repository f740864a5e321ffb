#include "sha256.h"

#include "file.h"

#include <string.h>

#define FILE_BLOCK ((size_t)1 << 18)

/* The fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_words[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

static uint32_t rotate(uint32_t x, unsigned bits)
{
    return x >> bits | x << (32 - bits);
}

static uint32_t load_big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           bytes[3];
}

/* The 64 words of a block: its own 16, and those that follow from them. */
static void expand_block(uint32_t words[64], const unsigned char *block)
{
    for (size_t i = 0; i < 16; i++) {
        words[i] = load_big_endian(block + 4 * i);
    }
    for (size_t i = 16; i < 64; i++) {
        uint32_t x = words[i - 15];
        uint32_t y = words[i - 2];

        words[i] = words[i - 16] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) + words[i - 7] +
                   (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
    }
}

void shoal_i_sha256_plain(uint32_t state[8], const unsigned char *blocks, size_t count)
{
    uint32_t words[64];
    uint32_t s[8];

    for (; count > 0; count--, blocks += SHOAL_I_SHA256_BLOCK) {
        expand_block(words, blocks);
        memcpy(s, state, sizeof s);
        for (size_t i = 0; i < 64; i++) {
            uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
            uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
            uint32_t first = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
                             choice + round_words[i] + words[i];
            uint32_t second =
                (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + majority;

            memmove(s + 1, s, 7 * sizeof *s);
            s[4] += first;
            s[0] = first + second;
        }
        for (size_t i = 0; i < 8; i++) {
            state[i] += s[i];
        }
    }
}

/* --- By the instructions of the processor. ---------------------------------------------- */

#if defined(__x86_64__) && defined(__GNUC__)

#include <cpuid.h>
#include <immintrin.h>

/* Four rounds. The instruction wants the state as {f, e, b, a} and {h, g, d, c}. */
#define FOUR_ROUNDS(words, at)                                                                 \
    do {                                                                                       \
        __m128i sum = _mm_add_epi32(                                                           \
            (words), _mm_loadu_si128((const __m128i *)(const void *)(round_words + (at))));    \
                                                                                               \
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);                                         \
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));                \
    } while (0)

__attribute__((target("sha,sse4.1"))) static void
hash_by_instructions(uint32_t state[8], const unsigned char *blocks, size_t count)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)state);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(state + 4));
    __m128i badc = _mm_shuffle_epi32(low, 0xB1);
    __m128i efgh = _mm_shuffle_epi32(high, 0x1B);
    __m128i abef = _mm_alignr_epi8(badc, efgh, 8);
    __m128i cdgh = _mm_blend_epi16(efgh, badc, 0xF0);

    for (; count > 0; count--, blocks += SHOAL_I_SHA256_BLOCK) {
        __m128i old_abef = abef;
        __m128i old_cdgh = cdgh;
        __m128i words[4];

        for (size_t i = 0; i < 4; i++) {
            words[i] = _mm_shuffle_epi8(
                _mm_loadu_si128((const __m128i *)(const void *)(blocks + 16 * i)), swap);
            FOUR_ROUNDS(words[i], 4 * i);
        }
        for (size_t i = 4; i < 16; i++) {
            __m128i *oldest = &words[i % 4];
            __m128i newest = words[(i + 3) % 4];
            __m128i shifted = _mm_alignr_epi8(newest, words[(i + 2) % 4], 4);

            *oldest = _mm_sha256msg1_epu32(*oldest, words[(i + 1) % 4]);
            *oldest = _mm_sha256msg2_epu32(_mm_add_epi32(*oldest, shifted), newest);
            FOUR_ROUNDS(*oldest, 4 * i);
        }
        abef = _mm_add_epi32(abef, old_abef);
        cdgh = _mm_add_epi32(cdgh, old_cdgh);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
    __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);

    _mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i *)(void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

shoal_i_sha256_fn shoal_i_sha256_fast(void)
{
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    bool has_sha = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 29);

    return has_sha && __builtin_cpu_supports("sse4.1") ? hash_by_instructions : NULL;
}

#else

shoal_i_sha256_fn shoal_i_sha256_fast(void)
{
    return NULL;
}

#endif

/* --- Any number of bytes. --------------------------------------------------------------- */

shoal_i_sha256 shoal_i_sha256_start(void)
{
    return (shoal_i_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

static void hash_blocks(uint32_t state[8], const unsigned char *blocks, size_t count)
{
    shoal_i_sha256_fn fast = shoal_i_sha256_fast();

    (fast ? fast : shoal_i_sha256_plain)(state, blocks, count);
}

void shoal_i_sha256_add(shoal_i_sha256 *hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    size_t used = (size_t)(hash->size % SHOAL_I_SHA256_BLOCK);

    hash->size += size;
    if (used > 0) {
        size_t room = SHOAL_I_SHA256_BLOCK - used;
        size_t taken = size < room ? size : room;

        if (taken > 0) {
            memcpy(hash->block + used, at, taken);
        }
        if (taken < room) {
            return;
        }
        hash_blocks(hash->state, hash->block, 1);
        at += taken;
        size -= taken;
    }
    size_t whole = size / SHOAL_I_SHA256_BLOCK;

    if (whole > 0) {
        hash_blocks(hash->state, at, whole);
    }
    if (size > whole * SHOAL_I_SHA256_BLOCK) {
        memcpy(hash->block, at + whole * SHOAL_I_SHA256_BLOCK,
               size - whole * SHOAL_I_SHA256_BLOCK);
    }
}

void shoal_i_sha256_end(shoal_i_sha256 *hash, char hex[SHOAL_I_SHA256_HEX])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char padding[2 * SHOAL_I_SHA256_BLOCK] = {0x80};
    uint64_t bits = hash->size * 8;
    size_t used = (size_t)(hash->size % SHOAL_I_SHA256_BLOCK);
    size_t zeros = (used < 56 ? 56 : 120) - used;

    for (size_t i = 0; i < 8; i++) {
        padding[zeros + i] = (unsigned char)(bits >> (56 - 8 * i));
    }
    shoal_i_sha256_add(hash, padding, zeros + 8);
    for (size_t i = 0; i < 64; i++) {
        hex[i] = digits[hash->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    }
    hex[64] = '\0';
}

shoal_status shoal_i_sha256_file(shoal_ctx *ctx, char hex[SHOAL_I_SHA256_HEX], const char *path)
{
    shoal_status st = SHOAL_OK;
    shoal_i_input *input = NULL;
    shoal_i_sha256 hash = shoal_i_sha256_start();
    char *bytes = NULL;
    size_t got = FILE_BLOCK;

    SHOAL_TRY(shoal_i_input_open_raw(ctx, &input, path));
    bytes = shoal_i_alloc_raw(ctx, FILE_BLOCK, 1);
    if (!bytes) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    while (got == FILE_BLOCK) {
        SHOAL_TRY(shoal_i_input_read(ctx, &got, input, bytes, FILE_BLOCK));
        shoal_i_sha256_add(&hash, bytes, got);
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
    shoal_i_sha256_end(&hash, hex);
done:
    free(bytes);
    shoal_i_input_free(input);
    return st;
}
