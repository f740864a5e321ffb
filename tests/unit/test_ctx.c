#include "failing.h"

#include "base/fail.h"

#include <string.h>

static void test_defaults(void **state)
{
    shoal_ctx ctx;

    (void)state;
    memset(&ctx, 0xAA, sizeof ctx);
    shoal_i_ctx_init(&ctx);
    assert_int_equal(ctx.error.status, SHOAL_OK);
    assert_int_equal(ctx.error.record, -1);
    assert_int_equal(ctx.error.field, -1);
    assert_int_equal(ctx.threads, 0);
    assert_int_equal(ctx.seed, 1);
    assert_int_equal(ctx.alloc_budget, -1);
    assert_false(ctx.show_values);
    assert_null(ctx.progress);
    assert_null(ctx.log);
    assert_null(ctx.cancel);
    shoal_i_ctx_clear(&ctx);
    shoal_i_ctx_clear(&ctx);
}

static void test_thread_count_is_bounded(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_true(shoal_ctx_thread_count(&ctx) >= 1);
    ctx.threads = 3;
    assert_int_equal(shoal_ctx_thread_count(&ctx), 3);
    ctx.threads = 1000000;
    assert_int_equal(shoal_ctx_thread_count(&ctx), 256);
    ctx.threads = -1;
    assert_true(shoal_ctx_thread_count(&ctx) >= 1);
}

static void test_every_status_has_a_name(void **state)
{
    (void)state;
    for (int status = SHOAL_OK; status <= SHOAL_EREJECTED; status++) {
        const char *name = shoal_status_name((shoal_status)status);

        assert_non_null(name);
        assert_string_not_equal(name, "unknown status");
        for (int other = SHOAL_OK; other < status; other++) {
            assert_string_not_equal(name, shoal_status_name((shoal_status)other));
        }
    }
    assert_string_equal(shoal_status_name((shoal_status)999), "unknown status");
    assert_string_equal(shoal_status_name((shoal_status)-1), "unknown status");
}

static void test_failure_keeps_position_and_sentence(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_i_fail_at(&ctx, SHOAL_EFORMAT, 7, 2, "Expected %d.", 3),
                     SHOAL_EFORMAT);
    assert_int_equal(shoal_i_fail_in(&ctx, "inner.csv", 9, 4), SHOAL_EFORMAT);
    assert_int_equal(shoal_i_fail_in(&ctx, "outer.yaml", 1, 1), SHOAL_EFORMAT);
    assert_string_equal(ctx.error.message, "Expected 3.");
    assert_string_equal(ctx.error.source, "inner.csv");
    assert_int_equal(ctx.error.record, 7);
    assert_int_equal(ctx.error.field, 2);
    assert_int_equal(ctx.error.line, 9);
    assert_int_equal(ctx.error.column, 4);

    /* A new failure starts without the position of the last. */
    assert_int_equal(shoal_i_fail(&ctx, SHOAL_EIO, "Other."), SHOAL_EIO);
    assert_string_equal(ctx.error.source, "");
    assert_int_equal(ctx.error.record, -1);
    assert_int_equal(ctx.error.field, -1);
    assert_int_equal(ctx.error.line, 0);
}

static void test_long_texts_are_cut(void **state)
{
    shoal_ctx ctx;
    char name[2 * SHOAL_MESSAGE_MAX];

    (void)state;
    shoal_i_ctx_init(&ctx);
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    shoal_i_fail(&ctx, SHOAL_EINVAL, "%s", name);
    shoal_i_fail_in(&ctx, name, 1, 1);
    assert_int_equal(strlen(ctx.error.message), SHOAL_MESSAGE_MAX - 1);
    assert_int_equal(strlen(ctx.error.source), SHOAL_SOURCE_MAX - 1);
}

static void test_sizes_are_checked(void **state)
{
    shoal_ctx ctx;
    size_t size = 5;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_i_size_mul(&ctx, &size, SIZE_MAX / 2, 3), SHOAL_ELIMIT);
    assert_int_equal(shoal_i_size_add(&ctx, &size, SIZE_MAX, 1), SHOAL_ELIMIT);
    assert_int_equal(size, 5);
    assert_int_equal(shoal_i_size_mul(&ctx, &size, SIZE_MAX, 0), SHOAL_OK);
    assert_int_equal(size, 0);
    assert_int_equal(shoal_i_size_mul(&ctx, &size, SIZE_MAX / 2, 2), SHOAL_OK);
    assert_true(size == SIZE_MAX - 1);
    assert_int_equal(shoal_i_size_add(&ctx, &size, SIZE_MAX, 0), SHOAL_OK);
    assert_true(size == SIZE_MAX);
}

static void test_allocations(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    unsigned char *zeroed = shoal_i_alloc(&ctx, 100, 3);
    unsigned char *aligned = shoal_i_alloc_aligned(&ctx, 7, 3);
    void *none = shoal_i_alloc(&ctx, 0, 8);
    char *copy = shoal_i_strndup(&ctx, "abcdef", 3);

    for (size_t i = 0; i < 300; i++) {
        assert_int_equal(zeroed[i], 0);
    }
    assert_int_equal((uintptr_t)aligned % 64, 0);
    for (size_t i = 21; i < 21 + 64; i++) {
        assert_int_equal(aligned[i], 0); /* readable padding */
    }
    assert_non_null(none);
    assert_string_equal(copy, "abc");
    free(zeroed);
    free(aligned);
    free(none);
    free(copy);

    assert_null(shoal_i_alloc(&ctx, SIZE_MAX / 2, 3));
    assert_int_equal(ctx.error.status, SHOAL_ENOMEM);
    assert_null(shoal_i_alloc_raw(&ctx, SIZE_MAX, 1));
    assert_null(shoal_i_alloc_aligned(&ctx, SIZE_MAX / 2, 1));
}

static void test_alloc_budget(void **state)
{
    shoal_ctx ctx;
    void *block;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.alloc_budget = 1;
    block = shoal_i_alloc(&ctx, 1, 1);
    assert_non_null(block);
    for (int i = 0; i < 3; i++) {
        assert_null(shoal_i_alloc(&ctx, 1, 1));
        assert_null(shoal_i_realloc(&ctx, block, 2, 1));
    }
    free(block);
}

typedef struct heard {
    int calls;
    double last;
    bool answer;
    char message[64];
} heard;

static bool hear_progress(void *payload, const char *stage, double fraction)
{
    heard *h = payload;

    assert_string_equal(stage, "count");
    assert_true(fraction >= h->last);
    h->calls++;
    h->last = fraction;
    return h->answer;
}

static void hear_log(void *payload, shoal_log_level level, const char *message,
                     const shoal_error *where)
{
    heard *h = payload;

    assert_int_equal(level, SHOAL_LOG_INFO);
    assert_null(where);
    strncpy(h->message, message, sizeof h->message - 1);
}

static void test_progress_is_rationed_and_ends_at_one(void **state)
{
    shoal_ctx ctx;
    heard h = {.answer = true};
    shoal_i_meter meter = {.stage = "count", .total = 100000};

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.progress = hear_progress;
    ctx.progress_payload = &h;
    for (int i = 0; i < 100000; i++) {
        assert_int_equal(shoal_i_meter_add(&ctx, &meter, 1), SHOAL_OK);
    }
    assert_in_range(h.calls, 90, 110);
    assert_true(h.last == 1.0);
}

static void test_cancellation(void **state)
{
    shoal_ctx ctx;
    heard h = {.answer = false};
    int flag = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_i_progress(&ctx, "count", 0.5), SHOAL_OK);
    ctx.cancel = &flag;
    assert_int_equal(shoal_i_check_cancelled(&ctx), SHOAL_OK);
    flag = 1;
    assert_int_equal(shoal_i_check_cancelled(&ctx), SHOAL_ECANCELLED);
    assert_int_equal(shoal_i_progress(&ctx, "count", 0.5), SHOAL_ECANCELLED);
    flag = 0;
    ctx.progress = hear_progress;
    ctx.progress_payload = &h;
    assert_int_equal(shoal_i_progress(&ctx, "count", 0.6), SHOAL_ECANCELLED);
    assert_int_equal(h.calls, 1);
}

static void test_log(void **state)
{
    shoal_ctx ctx;
    heard h = {0};

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_i_log(&ctx, SHOAL_LOG_INFO, "nobody listens");
    ctx.log = hear_log;
    ctx.log_payload = &h;
    shoal_i_log(&ctx, SHOAL_LOG_INFO, "%d nodes", 14);
    assert_string_equal(h.message, "14 nodes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_thread_count_is_bounded),
        cmocka_unit_test(test_every_status_has_a_name),
        cmocka_unit_test(test_failure_keeps_position_and_sentence),
        cmocka_unit_test(test_long_texts_are_cut),
        cmocka_unit_test(test_sizes_are_checked),
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_alloc_budget),
        cmocka_unit_test(test_progress_is_rationed_and_ends_at_one),
        cmocka_unit_test(test_cancellation),
        cmocka_unit_test(test_log),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
