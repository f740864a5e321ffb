#include "failing.h"

#include "base/bitset.h"
#include "base/hash.h"

#include <string.h>

static void test_bytes_known_answers(void **state)
{
    (void)state;
    assert_int_equal(shoal_i_hash_bytes("", 0),
                     UINT64_C(0x2D06800538D394C2)); /* XXH3, seed 0 */
    assert_int_not_equal(shoal_i_hash_bytes("a", 1), shoal_i_hash_bytes("b", 1));
    assert_int_not_equal(shoal_i_hash_bytes("a", 1), shoal_i_hash_bytes("a\0", 2));
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
        uint64_t y = undo_xor_shift(shoal_i_hash_u64(x), 31);

        y = undo_xor_shift(y * invert(UINT64_C(0x94D049BB133111EB)), 27);
        y = undo_xor_shift(y * invert(UINT64_C(0xBF58476D1CE4E5B9)), 30);
        assert_int_equal(y, x);
    }
    assert_int_equal(shoal_i_hash_u64(0), 0);
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
        cmocka_unit_test(test_mix_is_a_bijection),
        cmocka_unit_test(test_bitset),
        cmocka_unit_test(test_count_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
