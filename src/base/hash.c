#include "hash.h"

typedef struct state {
    uint64_t v[4];
} state;

static uint64_t rotate(uint64_t word, unsigned by)
{
    return word << by | word >> (64 - by);
}

static void mix(state *s)
{
    uint64_t *v = s->v;

    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

static void absorb(state *s, uint64_t word)
{
    s->v[3] ^= word;
    mix(s);
    mix(s);
    s->v[0] ^= word;
}

uint64_t shoal_i_hash_bytes(const shoal_i_hash_key *key, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t k0 = key->words[0];
    uint64_t k1 = key->words[1];
    state s = {{k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du, k0 ^ 0x6c7967656e657261u,
                k1 ^ 0x7465646279746573u}};
    uint64_t last = (uint64_t)size << 56;

    for (size_t left = size; left >= 8; left -= 8, at += 8) {
        uint64_t word = 0;

        memcpy(&word, at, sizeof word); /* in whatever order of bytes: nobody sees it */
        absorb(&s, word);
    }
    for (size_t i = 0; i < size % 8; i++) {
        last |= (uint64_t)at[i] << 8 * i;
    }
    absorb(&s, last);
    s.v[2] ^= 0xFF;
    for (int round = 0; round < 4; round++) {
        mix(&s);
    }
    return s.v[0] ^ s.v[1] ^ s.v[2] ^ s.v[3];
}
