#include "failing.h"

#include "base/buffer.h"

#include <stdio.h>

static void test_empty_buffer(void **state)
{
    shoal_ctx ctx;
    shoal_i_buffer buffer;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_i_buffer_init(&buffer, &ctx, 100);
    shoal_i_buffer_put(&buffer, "", 0);
    shoal_i_buffer_text(&buffer, "");
    assert_null(buffer.data);
    assert_int_equal(shoal_i_buffer_status(&buffer), SHOAL_OK);
    char *text = NULL;

    assert_int_equal(shoal_i_buffer_take(&text, &buffer), SHOAL_OK);
    assert_string_equal(text, "");
    free(text);
    shoal_i_buffer_clear(&buffer);
}

static void test_pieces_join(void **state)
{
    shoal_ctx ctx;
    shoal_i_buffer buffer;
    char expected[20001];
    size_t length = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_i_buffer_init(&buffer, &ctx, SHOAL_I_BUFFER_MAX);
    while (length + 10 < sizeof expected) {
        char c = (char)('a' + length % 26);

        shoal_i_buffer_char(&buffer, c);
        shoal_i_buffer_text(&buffer, "xy");
        shoal_i_buffer_printf(&buffer, "%03d", (int)(length % 1000));
        shoal_i_buffer_put(&buffer, "z\0z", 3);
        length += (size_t)snprintf(expected + length, sizeof expected - length, "%cxy%03dz", c,
                                   (int)(length % 1000));
        expected[length++] = '\0';
        expected[length++] = 'z';
    }
    assert_int_equal(buffer.size, length);
    assert_memory_equal(buffer.data, expected, length);
    shoal_i_buffer_clear(&buffer);
    assert_int_equal(buffer.size, 0);
    assert_null(buffer.data);
}

static void test_long_printf(void **state)
{
    shoal_ctx ctx;
    shoal_i_buffer buffer;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_i_buffer_init(&buffer, &ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_printf(&buffer, "<%5000d>", 7);
    shoal_i_buffer_printf(&buffer, "<%*d>", SHOAL_MESSAGE_MAX - 3, 7); /* just fits the stack */
    shoal_i_buffer_printf(&buffer, "<%*d>", SHOAL_MESSAGE_MAX - 2, 7); /* just does not */
    assert_int_equal(buffer.size, 5002 + SHOAL_MESSAGE_MAX - 1 + SHOAL_MESSAGE_MAX);
    char *text = NULL;

    assert_int_equal(shoal_i_buffer_take(&text, &buffer), SHOAL_OK);
    assert_memory_equal(text + 4999, " 7><", 4);
    assert_string_equal(text + 5002 + 2 * SHOAL_MESSAGE_MAX - 1 - 3, " 7>");
    free(text);
}

static void test_limit_stops_the_buffer(void **state)
{
    shoal_ctx ctx;
    shoal_i_buffer buffer;
    char *text = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_i_buffer_init(&buffer, &ctx, 10);
    shoal_i_buffer_text(&buffer, "1234567890");
    assert_int_equal(shoal_i_buffer_status(&buffer), SHOAL_OK);
    shoal_i_buffer_char(&buffer, 'x');
    assert_int_equal(shoal_i_buffer_status(&buffer), SHOAL_ELIMIT);
    assert_int_equal(ctx.error.status, SHOAL_ELIMIT);
    shoal_i_buffer_printf(&buffer, "%d", 1);
    shoal_i_buffer_text(&buffer, "more");
    assert_int_equal(buffer.size, 10);
    assert_int_equal(shoal_i_buffer_take(&text, &buffer), SHOAL_ELIMIT);
    assert_null(text);

    /* Taking empties the buffer, a failed one too: it can be used again. */
    shoal_i_buffer_text(&buffer, "abc");
    assert_int_equal(shoal_i_buffer_status(&buffer), SHOAL_OK);
    shoal_i_buffer_clear(&buffer);
}

static void test_printable_stays_on_its_line(void **state)
{
    shoal_ctx ctx;
    shoal_i_buffer buffer;
    char *text = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_i_buffer_init(&buffer, &ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_printable(&buffer, "a\tb\nc\x1b[2J \x7f caf\xc3\xa9");
    assert_int_equal(shoal_i_buffer_take(&text, &buffer), SHOAL_OK);
    assert_string_equal(text, "a?b?c?[2J ? caf\xc3\xa9");
    free(text);
}

static void test_huge_request(void **state)
{
    shoal_ctx ctx;
    shoal_i_buffer buffer;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_i_buffer_init(&buffer, &ctx, SIZE_MAX);
    shoal_i_buffer_char(&buffer, 'a');
    assert_false(shoal_i_buffer_reserve(&buffer, SIZE_MAX - 1));
    assert_int_not_equal(shoal_i_buffer_status(&buffer), SHOAL_OK);
    shoal_i_buffer_clear(&buffer);
}

static shoal_status fill(shoal_ctx *ctx, void *payload)
{
    shoal_i_buffer buffer;
    char *text = NULL;
    shoal_status st;

    (void)payload;
    shoal_i_buffer_init(&buffer, ctx, SHOAL_I_BUFFER_MAX);
    for (int i = 0; i < 1000; i++) {
        shoal_i_buffer_printf(&buffer, "%d,", i);
    }
    st = shoal_i_buffer_take(&text, &buffer);
    assert_true((st == SHOAL_OK) == (text != NULL));
    free(text);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_survives_failing_allocations(&ctx, fill, NULL);
}

/* The vectors of RFC 4648. */
static void test_base64(void **state)
{
    static const char *const expected[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                           "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    shoal_ctx ctx;
    shoal_i_buffer buffer;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t length = 0; length <= 6; length++) {
        shoal_i_buffer_init(&buffer, &ctx, 100);
        shoal_i_buffer_base64(&buffer, "foobar", length);
        assert_int_equal(buffer.size, strlen(expected[length]));
        if (length > 0) {
            assert_memory_equal(buffer.data, expected[length], buffer.size);
        }
        shoal_i_buffer_clear(&buffer);
    }
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_buffer),
        cmocka_unit_test(test_base64),
        cmocka_unit_test(test_pieces_join),
        cmocka_unit_test(test_long_printf),
        cmocka_unit_test(test_limit_stops_the_buffer),
        cmocka_unit_test(test_printable_stays_on_its_line),
        cmocka_unit_test(test_huge_request),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
