#include "failing.h"

#include "base/bitset.h"
#include "base/fail.h"
#include "base/hash.h"

#include <string.h>

/* The answers of the paper's appendix and of its authors' vectors: key and message 00 01 02 ...
 */
static void test_bytes_known_answers(void **state)
{
    static const struct {
        size_t size;
        uint64_t hash;
    } known[] = {{0, UINT64_C(0x726FDB47DD0E0E31)},
                 {1, UINT64_C(0x74F839C593DC67FD)},
                 {8, UINT64_C(0x93F5F5799A932462)},
                 {15, UINT64_C(0xA129CA6149BE45E5)}};
    shoal_i_hash_key key;
    unsigned char bytes[sizeof key];

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)i;
    }
    memcpy(&key, bytes, sizeof key);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(shoal_i_hash_bytes(&key, bytes, known[i].size), known[i].hash);
    }
    assert_int_equal(shoal_i_digest_bytes("", 0),
                     UINT64_C(0x2D06800538D394C2)); /* XXH3, seed 0 */
}

/* Each context has a secret of its own, its children have the same. */
static void test_secrets(void **state)
{
    shoal_ctx ctxs[2];
    shoal_ctx child;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        shoal_i_ctx_init(&ctxs[i]);
        for (size_t w = 0; w < 6; w++) {
            assert_int_not_equal(ctxs[i].hash_key.words[w], 0);
        }
    }
    assert_memory_not_equal(&ctxs[0].hash_key, &ctxs[1].hash_key, sizeof ctxs[0].hash_key);
    shoal_i_ctx_child(&child, &ctxs[0]);
    assert_memory_equal(&ctxs[0].hash_key, &child.hash_key, sizeof child.hash_key);
    shoal_i_ctx_clear(&ctxs[0]);
    shoal_i_ctx_clear(&ctxs[1]);
}

/* Numbers that differ in any one bit, or by little, are spread over the slots of a table, by
 * their upper and by their lower bits. */
static void test_numbers_spread(void **state)
{
    enum { COUNT = 4096, SLOTS = 4096 };
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (int kind = 0; kind < 3; kind++) {
        uint32_t low[SLOTS] = {0};
        uint32_t high[SLOTS] = {0};
        uint32_t most = 0;

        for (uint64_t i = 0; i < COUNT; i++) {
            uint64_t number = kind == 0 ? i : kind == 1 ? i << 32 : i << 52;
            uint64_t words[2] = {i % 64, i / 64};
            uint64_t hash = shoal_i_hash_u64(&ctx.hash_key, number);

            assert_int_equal(hash, shoal_i_hash_words(&ctx.hash_key, &number, 1));
            hash = kind == 2 ? shoal_i_hash_words(&ctx.hash_key, words, 2) : hash;
            most = ++low[hash % SLOTS] > most ? low[hash % SLOTS] : most;
            most = ++high[hash >> 52] > most ? high[hash >> 52] : most;
        }
        assert_true(most < 16); /* as good as drawn: 7 or 8 at most, 16 in no one's life */
    }
    shoal_i_ctx_clear(&ctx);
}

/* A bijection: undoing the steps from last to first gives the number back. */
static uint64_t undo_xor_shift(uint64_t x, int by)
{
    uint64_t result = x;

    for (int shifted = by; shifted < 64; shifted += by) {
        result = x ^ (result >> by);
    }
    return result;
}

static uint64_t invert(uint64_t odd)
{
    uint64_t inverse = odd; /* Newton: each round doubles the bits that are right */

    for (int i = 0; i < 6; i++) {
        inverse *= 2 - odd * inverse;
    }
    return inverse;
}

static void test_mix_is_a_bijection(void **state)
{
    (void)state;
    for (uint64_t x = 1; x != 0 && x < UINT64_MAX / 3; x = x * 3 + 1) {
        uint64_t y = undo_xor_shift(shoal_i_digest_u64(x), 31);

        y = undo_xor_shift(y * invert(UINT64_C(0x94D049BB133111EB)), 27);
        y = undo_xor_shift(y * invert(UINT64_C(0xBF58476D1CE4E5B9)), 30);
        assert_int_equal(y, x);
    }
    assert_int_equal(shoal_i_digest_u64(0), 0);
}

static void test_bitset(void **state)
{
    uint8_t bits[3] = {0};

    (void)state;
    assert_int_equal(shoal_i_bitset_bytes(0), 0);
    assert_int_equal(shoal_i_bitset_bytes(1), 1);
    assert_int_equal(shoal_i_bitset_bytes(8), 1);
    assert_int_equal(shoal_i_bitset_bytes(9), 2);
    assert_int_equal(shoal_i_bitset_bytes(SIZE_MAX), SIZE_MAX / 8 + 1);
    for (size_t i = 0; i < 24; i += 5) {
        shoal_i_bitset_add(bits, i);
    }
    for (size_t i = 0; i < 24; i++) {
        assert_int_equal(shoal_i_bitset_has(bits, i), i % 5 == 0);
    }
    assert_int_equal(bits[0], 0x21); /* least significant first, as Arrow has it */
}

static void test_count_bits(void **state)
{
    (void)state;
    assert_int_equal(shoal_i_count_bits(0), 0);
    assert_int_equal(shoal_i_count_bits(UINT64_MAX), 64);
    for (unsigned i = 0; i < 64; i++) {
        uint64_t word = UINT64_C(0x9E3779B97F4A7C15) * (i + 1);
        unsigned count = 0;

        for (unsigned bit = 0; bit < 64; bit++) {
            count += (word >> bit & 1) != 0;
        }
        assert_int_equal(shoal_i_count_bits(word), count);
        assert_int_equal(shoal_i_count_bits((uint64_t)1 << i), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_known_answers),
        cmocka_unit_test(test_secrets),
        cmocka_unit_test(test_numbers_spread),
        cmocka_unit_test(test_mix_is_a_bijection),
        cmocka_unit_test(test_bitset),
        cmocka_unit_test(test_count_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
