#include "entropy.h"

#include <string.h>
#include <unistd.h>

#define LANES SHOAL_I_ENTROPY_LANES
#define ROUND_PAIRS 10

/* Below this bound half a word is drawn: fewer than one in sixteen is drawn again. */
#define SMALL_BOUND 4096

shoal_status shoal_i_entropy_init(shoal_ctx *ctx, shoal_i_entropy *entropy)
{
    memset(entropy, 0, sizeof *entropy);
    if (getentropy(entropy->key, sizeof entropy->key) != 0) {
        return shoal_i_fail(ctx, SHOAL_EIO,
                            "The operating system gave no random numbers, and without them "
                            "people cannot be protected this way.");
    }
    return SHOAL_OK;
}

void shoal_i_entropy_init_seeded(shoal_i_entropy *entropy, uint64_t seed, uint64_t number)
{
    memset(entropy, 0, sizeof *entropy);
    entropy->key[0] = (uint32_t)seed;
    entropy->key[1] = (uint32_t)(seed >> 32);
    entropy->key[2] = (uint32_t)number;
    entropy->key[3] = (uint32_t)(number >> 32);
}

void shoal_i_entropy_init_key(shoal_i_entropy *entropy, const uint64_t key[4])
{
    memset(entropy, 0, sizeof *entropy);
    for (size_t i = 0; i < 4; i++) {
        entropy->key[2 * i] = (uint32_t)key[i];
        entropy->key[2 * i + 1] = (uint32_t)(key[i] >> 32);
    }
}

void shoal_i_entropy_clear(shoal_i_entropy *entropy)
{
    volatile unsigned char *bytes = (volatile unsigned char *)entropy;

    for (size_t i = 0; i < sizeof *entropy; i++) {
        bytes[i] = 0;
    }
}

static uint32_t rotate(uint32_t word, unsigned by)
{
    return word << by | word >> (32 - by);
}

/* The quarter round of each lane. */
static void mix(uint32_t state[16][LANES], size_t a, size_t b, size_t c, size_t d)
{
    for (size_t i = 0; i < LANES; i++) {
        uint32_t va = state[a][i];
        uint32_t vb = state[b][i];
        uint32_t vc = state[c][i];
        uint32_t vd = state[d][i];

        va += vb;
        vd = rotate(vd ^ va, 16);
        vc += vd;
        vb = rotate(vb ^ vc, 12);
        va += vb;
        vd = rotate(vd ^ va, 8);
        vc += vd;
        vb = rotate(vb ^ vc, 7);
        state[a][i] = va;
        state[b][i] = vb;
        state[c][i] = vc;
        state[d][i] = vd;
    }
}

static void start_state(uint32_t state[16][LANES], const shoal_i_entropy *entropy)
{
    const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

    for (size_t i = 0; i < LANES; i++) {
        for (size_t w = 0; w < 4; w++) {
            state[w][i] = constants[w];
        }
        for (size_t w = 0; w < 8; w++) {
            state[4 + w][i] = entropy->key[w];
        }
        state[12][i] = entropy->counter + (uint32_t)i;
        for (size_t w = 0; w < 3; w++) {
            state[13 + w][i] = entropy->nonce[w];
        }
    }
}

void shoal_i_entropy_blocks(shoal_i_entropy *entropy)
{
    uint32_t start[16][LANES];
    uint32_t state[16][LANES];

    start_state(start, entropy);
    memcpy(state, start, sizeof state);
    for (int pair = 0; pair < ROUND_PAIRS; pair++) {
        for (size_t column = 0; column < 4; column++) {
            mix(state, column, 4 + column, 8 + column, 12 + column);
        }
        for (size_t column = 0; column < 4; column++) {
            mix(state, column, 4 + (column + 1) % 4, 8 + (column + 2) % 4,
                12 + (column + 3) % 4);
        }
    }
    for (size_t i = 0; i < LANES; i++) {
        for (size_t w = 0; w < 16; w++) {
            entropy->words[16 * i + w] = start[w][i] + state[w][i];
        }
    }
    entropy->counter += LANES;
    entropy->nonce[0] += entropy->counter == 0;
    entropy->left = 2 * SHOAL_I_ENTROPY_WORDS;
}

static uint32_t draw_half(shoal_i_entropy *entropy)
{
    if (entropy->left == 0) {
        shoal_i_entropy_blocks(entropy);
    }
    entropy->left--;
    return entropy->words[entropy->left / 2] >> 16 * (entropy->left % 2) & 0xFFFF;
}

/* The high part of a draw times bound is uniform once draws whose low part is below 2^bits mod
 * bound are drawn again (D. Lemire, "Fast random integer generation in an interval", 2019,
 * doi:10.1145/3230636). */
uint32_t shoal_i_entropy_below(shoal_i_entropy *entropy, uint32_t bound)
{
    if (bound <= SMALL_BOUND) {
        uint32_t product = draw_half(entropy) * bound;

        if ((product & 0xFFFF) < bound) {
            uint32_t rest = 0x10000 % bound;

            while ((product & 0xFFFF) < rest) {
                product = draw_half(entropy) * bound;
            }
        }
        return product >> 16;
    }
    uint32_t rest = (0u - bound) % bound;
    uint64_t product = 0;

    do {
        uint32_t word = draw_half(entropy) << 16;

        product = (uint64_t)(word | draw_half(entropy)) * bound;
    } while ((uint32_t)product < rest);
    return (uint32_t)(product >> 32);
}
