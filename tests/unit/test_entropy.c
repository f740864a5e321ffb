#include "base/entropy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* RFC 8439, 2.3.2: key 00 01 02 ... 1f, block 1, nonce 00:00:00:09:00:00:00:4a:00:00:00:00. */
static void test_blocks_are_those_of_the_rfc(void **state)
{
    const uint32_t expected[16] = {0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3,
                                   0xc7f4d1c7, 0x0368c033, 0x9aaa2204, 0x4e6cd4c3,
                                   0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9,
                                   0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2};
    shoal_i_entropy entropy = {.counter = 1, .nonce = {0x09000000, 0x4a000000, 0}};

    (void)state;
    for (uint32_t i = 0; i < 8; i++) {
        entropy.key[i] = 0x03020100 + 0x04040404 * i;
    }
    shoal_i_entropy_blocks(&entropy);
    assert_memory_equal(entropy.words, expected, sizeof expected);

    /* The blocks behind it are those that start there. */
    shoal_i_entropy later = entropy;
    uint32_t second[16];

    memcpy(second, entropy.words + 16, sizeof second);
    later.counter = 2;
    shoal_i_entropy_blocks(&later);
    assert_memory_equal(later.words, second, sizeof second);
}

static void check_even(uint32_t bound, size_t draws)
{
    shoal_i_entropy entropy;
    size_t counts[64] = {0};
    double expected = (double)draws / (bound < 64 ? bound : 64);
    double squares = 0;
    size_t cells = bound < 64 ? bound : 64;

    shoal_i_entropy_init_seeded(&entropy, 7, bound);
    for (size_t i = 0; i < draws; i++) {
        uint32_t number = shoal_i_entropy_below(&entropy, bound);

        assert_true(number < bound);
        counts[(uint64_t)number * cells / bound]++;
    }
    for (size_t i = 0; i < cells; i++) {
        squares += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
    }
    assert_true(squares < 2.5 * (double)cells + 20);
}

static void test_numbers_are_even(void **state)
{
    (void)state;
    check_even(1, 100);
    check_even(2, 20000);
    check_even(3, 30000);
    check_even(50, 50000);
    check_even(4096, 64000);
    check_even(3u << 30, 64000);
}

static void test_the_system_gives_other_numbers_each_time(void **state)
{
    shoal_ctx ctx;
    shoal_i_entropy a;
    shoal_i_entropy b;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_i_entropy_init(&ctx, &a), SHOAL_OK);
    assert_int_equal(shoal_i_entropy_init(&ctx, &b), SHOAL_OK);
    assert_memory_not_equal(a.key, b.key, sizeof a.key);
    shoal_i_entropy_clear(&a);

    const shoal_i_entropy nothing = {0};

    assert_memory_equal(&a, &nothing, sizeof a);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_are_those_of_the_rfc),
        cmocka_unit_test(test_numbers_are_even),
        cmocka_unit_test(test_the_system_gives_other_numbers_each_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
