/* SHA-256 against the examples of FIPS 180-4 and its validation suite, in pieces of any size,
 * by plain code and by the processor's instructions; and against sha256sum where there is
 * one. */
#include "base/sha256.h"

#include "base/random.h"
#include "failing.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *text;
    size_t times;
    const char *hex;
} known[] = {
    {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
     "lmnopqrsmnopqrstnopqrstu",
     1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};

static void test_known_digests(void **state)
{
    char hex[SHOAL_I_SHA256_HEX];

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        shoal_i_sha256 hash = shoal_i_sha256_start();

        for (size_t n = 0; n < known[i].times; n++) {
            shoal_i_sha256_add(&hash, known[i].text, strlen(known[i].text));
        }
        shoal_i_sha256_end(&hash, hex);
        assert_string_equal(hex, known[i].hex);
    }
}

static void test_pieces_of_any_size(void **state)
{
    enum { SIZE = 1000 };
    unsigned char bytes[SIZE];
    char whole[SHOAL_I_SHA256_HEX];
    char pieces[SHOAL_I_SHA256_HEX];
    shoal_i_random random = shoal_i_random_start(1);

    (void)state;
    for (size_t i = 0; i < SIZE; i++) {
        bytes[i] = (unsigned char)shoal_i_random_below(&random, 256);
    }
    for (size_t size = 0; size <= SIZE; size++) {
        shoal_i_sha256 hash = shoal_i_sha256_start();

        shoal_i_sha256_add(&hash, bytes, size);
        shoal_i_sha256_end(&hash, whole);
        hash = shoal_i_sha256_start();
        for (size_t at = 0; at < size;) {
            size_t piece = (size_t)shoal_i_random_below(&random, 150);

            piece = piece < size - at ? piece : size - at;
            shoal_i_sha256_add(&hash, bytes + at, piece);
            at += piece;
        }
        shoal_i_sha256_end(&hash, pieces);
        assert_string_equal(whole, pieces);
    }
}

static void test_instructions_equal_plain_code(void **state)
{
    enum { BLOCKS = 9 };
    unsigned char bytes[BLOCKS * SHOAL_I_SHA256_BLOCK];
    shoal_i_random random = shoal_i_random_start(2);
    shoal_i_sha256_fn fast = shoal_i_sha256_fast();

    (void)state;
    if (!fast) {
        print_message("skipped: this processor has no instructions for SHA-256\n");
        skip();
    }
    for (size_t round = 0; round < 100; round++) {
        shoal_i_sha256 a = shoal_i_sha256_start();
        shoal_i_sha256 b = a;

        for (size_t i = 0; i < sizeof bytes; i++) {
            bytes[i] = (unsigned char)shoal_i_random_below(&random, 256);
        }
        fast(a.state, bytes, 1 + round % BLOCKS);
        shoal_i_sha256_plain(b.state, bytes, 1 + round % BLOCKS);
        assert_memory_equal(a.state, b.state, sizeof a.state);
    }
}

static shoal_status hash_file(shoal_ctx *ctx, void *path)
{
    char hex[SHOAL_I_SHA256_HEX] = "";
    shoal_status st = shoal_i_sha256_file(ctx, hex, path);

    assert_true((st == SHOAL_OK) == (strlen(hex) == 64));
    return st;
}

static void test_files(void **state)
{
    char path[] = "test_sha256.tmp";
    char expected[SHOAL_I_SHA256_HEX] = "";
    char hex[SHOAL_I_SHA256_HEX];
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    for (int i = 0; i < 200000; i++) { /* more than one block of reading */
        fprintf(file, "line %d\n", i * 7919);
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(shoal_i_sha256_file(&ctx, hex, path), SHOAL_OK);

    FILE *tool = popen("sha256sum test_sha256.tmp 2> /dev/null", "r");

    if (tool && fgets(expected, sizeof expected, tool)) {
        assert_string_equal(hex, expected);
    }
    if (tool) {
        pclose(tool);
    }
    assert_survives_failing_allocations(&ctx, hash_file, path);
    remove(path);
    assert_int_equal(shoal_i_sha256_file(&ctx, hex, path), SHOAL_ENOTFOUND);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_digests),
        cmocka_unit_test(test_pieces_of_any_size),
        cmocka_unit_test(test_instructions_equal_plain_code),
        cmocka_unit_test(test_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
