#include "failing.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

/* Philox4x32-10 written straight from the paper, checked against the known answers that
 * Random123 publishes; the streams are then checked against it. */
static void reference_philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2])
{
    uint32_t c[4];
    uint32_t k[2] = {key[0], key[1]};

    memcpy(c, counter, sizeof c);
    for (int round = 0; round < 10; round++) {
        uint64_t a = UINT64_C(0xD2511F53) * c[0];
        uint64_t b = UINT64_C(0xCD9E8D57) * c[2];
        uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k[0], (uint32_t)b,
                            (uint32_t)(a >> 32) ^ c[3] ^ k[1], (uint32_t)a};

        memcpy(c, next, sizeof c);
        k[0] += 0x9E3779B9;
        k[1] += 0xBB67AE85;
    }
    memcpy(out, c, sizeof c);
}

static void test_reference_gives_the_known_answers(void **state)
{
    static const struct {
        uint32_t counter[4], key[2], expected[4];
    } cases[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t out[4];

        reference_philox(out, cases[i].counter, cases[i].key);
        assert_memory_equal(out, cases[i].expected, sizeof out);
    }
}

static void test_stream_of_key_zero(void **state)
{
    shoal_i_random random = shoal_i_random_start(0);

    (void)state;
    assert_int_equal(shoal_i_random_u32(&random), 0x9b00dbd8);
    assert_int_equal(shoal_i_random_u32(&random), 0xbc57ac4c);
    assert_int_equal(shoal_i_random_u32(&random), 0xe169c58d);
    assert_int_equal(shoal_i_random_u32(&random), 0x6627e8d5);
}

static void test_streams_are_philox_of_key_and_counter(void **state)
{
    static const uint64_t keys[] = {1, 42, UINT64_C(0x123456789ABCDEF0), UINT64_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const uint32_t key[2] = {(uint32_t)keys[i], (uint32_t)(keys[i] >> 32)};
        shoal_i_random random = shoal_i_random_start(keys[i]);

        for (uint32_t block = 0; block < 1000; block++) {
            const uint32_t counter[4] = {block, 0, 0, 0};
            uint32_t expected[4];

            reference_philox(expected, counter, key);
            for (int word = 3; word >= 0; word--) {
                assert_int_equal(shoal_i_random_u32(&random), expected[word]);
            }
        }
        for (uint32_t number = 0; number < 10; number++) {
            const uint32_t counter[4] = {number, 0, 1, 0};
            uint32_t expected[4];

            reference_philox(expected, counter, key);
            assert_int_equal(shoal_i_random_key(keys[i], number),
                             (uint64_t)expected[0] << 32 | expected[1]);
        }
    }
}

static void test_below_is_even_and_in_range(void **state)
{
    shoal_i_random random = shoal_i_random_start(5);
    unsigned counts[6] = {0};

    (void)state;
    for (int i = 0; i < 60000; i++) {
        uint64_t number = shoal_i_random_below(&random, 6);

        assert_in_range(number, 0, 5);
        counts[number]++;
    }
    for (int i = 0; i < 6; i++) {
        assert_in_range(counts[i], 9500, 10500); /* 10000 expected, standard deviation 91 */
    }
    assert_int_equal(shoal_i_random_below(&random, 1), 0);
    for (int i = 0; i < 100; i++) {
        assert_true(shoal_i_random_below(&random, UINT64_MAX) < UINT64_MAX);
    }
}

/* A quarter of all numbers is too many for three quarters of their range: without rejecting
 * them one third of the results would come twice as often as the others. */
static void test_below_is_even_where_much_is_rejected(void **state)
{
    const uint64_t third = (uint64_t)1 << 62;
    shoal_i_random random = shoal_i_random_start(5);
    shoal_i_random same = shoal_i_random_start(5);
    unsigned counts[3] = {0};

    (void)state;
    for (int i = 0; i < 30000; i++) {
        uint64_t number = shoal_i_random_below(&random, 3 * third);
        uint64_t expected = shoal_i_random_u64(&same);

        while (expected < third) {
            expected = shoal_i_random_u64(&same);
        }
        assert_int_equal(number, expected % (3 * third));
        counts[number / third]++;
    }
    for (int i = 0; i < 3; i++) {
        assert_in_range(counts[i], 9600, 10400); /* 10000 expected, standard deviation 82 */
    }
}

static void test_unit_and_normal_have_the_right_moments(void **state)
{
    shoal_i_random random = shoal_i_random_start(11);
    const int count = 200000;
    double sum = 0;
    double normal_sum = 0;
    double normal_squares = 0;

    (void)state;
    for (int i = 0; i < count; i++) {
        double unit = shoal_i_random_unit(&random);
        double normal = shoal_i_random_normal(&random);

        assert_true(unit >= 0 && unit < 1);
        assert_true(isfinite(normal));
        sum += unit;
        normal_sum += normal;
        normal_squares += normal * normal;
    }
    /* Bounds of about five standard errors. */
    assert_true(fabs(sum / count - 0.5) < 0.0033);
    assert_true(fabs(normal_sum / count) < 0.0112);
    assert_true(fabs(normal_squares / count - 1) < 0.0158);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_gives_the_known_answers),
        cmocka_unit_test(test_stream_of_key_zero),
        cmocka_unit_test(test_streams_are_philox_of_key_and_counter),
        cmocka_unit_test(test_below_is_even_and_in_range),
        cmocka_unit_test(test_below_is_even_where_much_is_rejected),
        cmocka_unit_test(test_unit_and_normal_have_the_right_moments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
