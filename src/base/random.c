#include "random.h"

#include <math.h>

#define PHILOX_M0 0xD2511F53u
#define PHILOX_M1 0xCD9E8D57u
#define PHILOX_W0 0x9E3779B9u
#define PHILOX_W1 0xBB67AE85u

static void philox_round(uint32_t c[4], uint32_t key0, uint32_t key1)
{
    uint64_t p0 = (uint64_t)PHILOX_M0 * c[0];
    uint64_t p1 = (uint64_t)PHILOX_M1 * c[2];
    uint32_t next0 = (uint32_t)(p1 >> 32) ^ c[1] ^ key0;
    uint32_t next2 = (uint32_t)(p0 >> 32) ^ c[3] ^ key1;

    c[0] = next0;
    c[1] = (uint32_t)p1;
    c[2] = next2;
    c[3] = (uint32_t)p0;
}

static void philox(uint32_t out[4], uint64_t key, uint64_t counter, uint64_t high)
{
    uint32_t key0 = (uint32_t)key;
    uint32_t key1 = (uint32_t)(key >> 32);

    out[0] = (uint32_t)counter;
    out[1] = (uint32_t)(counter >> 32);
    out[2] = (uint32_t)high;
    out[3] = (uint32_t)(high >> 32);
    for (int round = 0; round < 10; round++) {
        philox_round(out, key0, key1);
        key0 += PHILOX_W0;
        key1 += PHILOX_W1;
    }
}

uint64_t shoal_i_random_key(uint64_t key, uint64_t number)
{
    uint32_t out[4];

    /* The high half of the counter keeps derived keys apart from the numbers of the stream. */
    philox(out, key, number, 1);
    return (uint64_t)out[0] << 32 | out[1];
}

shoal_i_random shoal_i_random_start(uint64_t key)
{
    return (shoal_i_random){.key = key};
}

uint32_t shoal_i_random_u32(shoal_i_random *random)
{
    if (random->left == 0) {
        philox(random->block, random->key, random->counter++, 0);
        random->left = 4;
    }
    return random->block[--random->left];
}

uint64_t shoal_i_random_u64(shoal_i_random *random)
{
    uint64_t high = shoal_i_random_u32(random);

    return high << 32 | shoal_i_random_u32(random);
}

uint64_t shoal_i_random_below(shoal_i_random *random, uint64_t bound)
{
    uint64_t reject_below = (0 - bound) % bound; /* 2^64 mod bound */

    for (;;) {
        uint64_t number = shoal_i_random_u64(random);

        if (number >= reject_below) {
            return number % bound;
        }
    }
}

double shoal_i_random_unit(shoal_i_random *random)
{
    return (double)(shoal_i_random_u64(random) >> 11) * 0x1p-53;
}

double shoal_i_random_normal(shoal_i_random *random)
{
    const double pi = 3.14159265358979323846;
    double radius = sqrt(-2.0 * log(1.0 - shoal_i_random_unit(random)));

    return radius * cos(2.0 * pi * shoal_i_random_unit(random));
}
