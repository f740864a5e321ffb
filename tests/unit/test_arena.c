#include "failing.h"

#include "base/arena.h"
#include "base/random.h"

#include <string.h>

static void test_empty_arena_can_be_cleared(void **state)
{
    shoal_i_arena arena = {0};

    (void)state;
    shoal_i_arena_clear(&arena);
    shoal_i_arena_clear(&arena);
    assert_null(arena.chunks);
}

/* Blocks of all sizes: zeroed, aligned, and none lies on another. */
static void test_blocks_keep_what_is_written(void **state)
{
    enum { BLOCKS = 2000 };
    static unsigned char *blocks[BLOCKS];
    static size_t sizes[BLOCKS];
    shoal_i_random random = shoal_i_random_start(3);
    shoal_i_arena arena = {0};
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < BLOCKS; i++) {
        sizes[i] = (size_t)shoal_i_random_below(&random, i % 50 == 0 ? 100000 : 200);
        blocks[i] = shoal_i_arena_alloc(&ctx, &arena, sizes[i], 1);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
        for (size_t b = 0; b < sizes[i]; b++) {
            assert_int_equal(blocks[i][b], 0);
        }
        memset(blocks[i], (int)(i % 251) + 1, sizes[i]);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        for (size_t b = 0; b < sizes[i]; b++) {
            assert_int_equal(blocks[i][b], i % 251 + 1);
        }
    }
    shoal_i_arena_clear(&arena);
}

static void test_text_is_terminated(void **state)
{
    shoal_i_arena arena = {0};
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_string_equal(shoal_i_arena_text(&ctx, &arena, "abcdef", 3), "abc");
    assert_string_equal(shoal_i_arena_text(&ctx, &arena, NULL, 0), "");
    shoal_i_arena_clear(&arena);
}

static void test_impossible_sizes(void **state)
{
    shoal_i_arena arena = {0};
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_null(shoal_i_arena_alloc(&ctx, &arena, SIZE_MAX / 2, 3));
    assert_int_equal(ctx.error.status, SHOAL_ENOMEM);
    assert_null(shoal_i_arena_alloc(&ctx, &arena, SIZE_MAX, 1));
    assert_int_equal(ctx.error.status, SHOAL_ENOMEM);
    assert_null(shoal_i_arena_alloc(&ctx, &arena, SIZE_MAX - 100, 1));
    assert_null(arena.chunks);
}

static shoal_status fill(shoal_ctx *ctx, void *payload)
{
    shoal_i_arena arena = {0};
    shoal_status st = SHOAL_OK;

    (void)payload;
    for (int i = 0; i < 100 && st == SHOAL_OK; i++) {
        st = shoal_i_arena_alloc(ctx, &arena, 1, i % 9 == 0 ? 50000 : 5000) ? SHOAL_OK
                                                                            : SHOAL_ENOMEM;
    }
    shoal_i_arena_clear(&arena);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_survives_failing_allocations(&ctx, fill, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_arena_can_be_cleared),
        cmocka_unit_test(test_blocks_keep_what_is_written),
        cmocka_unit_test(test_text_is_terminated),
        cmocka_unit_test(test_impossible_sizes),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
