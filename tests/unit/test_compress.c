#include "failing.h"
#include "files.h"

#include "base/compress/pack.h"
#include "base/compress/unpack.h"
#include "base/file.h"
#include "base/random.h"

#include <string.h>
#include <unistd.h>

static const shoal_i_codec *const codecs[] = {&shoal_i_codec_gzip, &shoal_i_codec_zstd};
#define CODECS (sizeof codecs / sizeof *codecs)
static const shoal_i_unpack_limits no_limits = {.free_bytes = UINT64_MAX, .ratio = 1};

/* Bytes that grow as they are written, and are read again. */
typedef struct bytes {
    char *data;
    size_t size;
    size_t at;
    size_t capacity;
} bytes;

static shoal_status take(shoal_ctx *ctx, void *payload, const void *data, size_t size)
{
    bytes *b = payload;

    (void)ctx;
    while (b->size + size > b->capacity) {
        b->capacity = 2 * b->capacity + 100;
        b->data = realloc(b->data, b->capacity);
        assert_non_null(b->data);
    }
    if (size > 0) {
        memcpy(b->data + b->size, data, size);
    }
    b->size += size;
    return SHOAL_OK;
}

static shoal_status give(shoal_ctx *ctx, size_t *got, void *payload, char *data,
                         size_t capacity)
{
    bytes *b = payload;

    (void)ctx;
    *got = b->size - b->at < capacity ? b->size - b->at : capacity;
    if (*got > 0) {
        memcpy(data, b->data + b->at, *got);
    }
    b->at += *got;
    return SHOAL_OK;
}

static shoal_status pack_all(shoal_ctx *ctx, bytes *out, const shoal_i_codec *codec,
                             const char *text, size_t size, size_t step)
{
    shoal_status st = SHOAL_OK;
    shoal_i_packer *packer = NULL;

    SHOAL_TRY(shoal_i_packer_open(ctx, &packer, codec, take, out));
    for (size_t at = 0; at < size; at += step) {
        SHOAL_TRY(
            shoal_i_packer_write(ctx, packer, text + at, size - at < step ? size - at : step));
    }
    SHOAL_TRY(shoal_i_packer_end(ctx, packer));
    SHOAL_TRY(shoal_i_packer_end(ctx, packer));
done:
    shoal_i_packer_free(packer);
    return st;
}

/* Unpack in steps; *out is what came. */
static shoal_status unpack_all(shoal_ctx *ctx, bytes *out, const shoal_i_codec *codec,
                               const bytes *packed, shoal_i_unpack_limits limits, size_t step)
{
    shoal_status st = SHOAL_OK;
    shoal_i_unpacker *unpacker = NULL;
    bytes from = {.data = packed->data, .size = packed->size};
    size_t got = step;
    char *block = malloc(step);

    SHOAL_TRY(shoal_i_unpacker_open(ctx, &unpacker, codec, limits, give, &from));
    while (got == step) {
        SHOAL_TRY(shoal_i_unpacker_read(ctx, &got, unpacker, block, step));
        SHOAL_TRY(take(ctx, out, block, got));
    }
done:
    free(block);
    shoal_i_unpacker_free(unpacker);
    return st;
}

/* A text that packs, and one that does not. */
static char *make_text(size_t size, bool is_random)
{
    char *text = malloc(size + 1);
    uint64_t x = 1;

    assert_non_null(text);
    for (size_t i = 0; i < size; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        text[i] = is_random ? (char)(x >> 40) : "age,sex\n24,F\n"[i % 13];
    }
    return text;
}

static void test_round_trips(void **state)
{
    static const size_t sizes[] = {0, 1, 100, 65536, 300001};
    static const size_t steps[] = {1, 7, 4096, 1 << 20};
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < CODECS * 5 * 4 * 2; i++) {
        const shoal_i_codec *codec = codecs[i % CODECS];
        size_t size = sizes[i / CODECS % 5];
        size_t step = steps[i / CODECS / 5 % 4];
        char *text = make_text(size, i / CODECS / 20);
        bytes packed = {0};
        bytes back = {0};

        assert_int_equal(pack_all(&ctx, &packed, codec, text, size, step), SHOAL_OK);
        assert_ptr_equal(
            shoal_i_codec_of_bytes((const unsigned char *)packed.data, packed.size), codec);
        assert_int_equal(unpack_all(&ctx, &back, codec, &packed, no_limits, step), SHOAL_OK);
        assert_int_equal(back.size, size);
        assert_memory_equal(back.data, text, size);
        free(text);
        free(packed.data);
        free(back.data);
    }
}

static void test_members_are_one_text(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < CODECS; i++) {
        bytes packed = {0};
        bytes back = {0};

        assert_int_equal(pack_all(&ctx, &packed, codecs[i], "a,b\n", 4, 4), SHOAL_OK);
        assert_int_equal(pack_all(&ctx, &packed, codecs[i], "", 0, 1), SHOAL_OK);
        assert_int_equal(pack_all(&ctx, &packed, codecs[i], "1,2\n", 4, 1), SHOAL_OK);
        assert_int_equal(unpack_all(&ctx, &back, codecs[i], &packed, no_limits, 3), SHOAL_OK);
        assert_int_equal(back.size, 8);
        assert_memory_equal(back.data, "a,b\n1,2\n", 8);
        free(back.data);

        back = (bytes){0};
        assert_int_equal(take(&ctx, &packed, "rest", 4), SHOAL_OK);
        assert_int_equal(unpack_all(&ctx, &back, codecs[i], &packed, no_limits, 3),
                         SHOAL_EFORMAT);
        assert_non_null(strstr(ctx.error.message, "something else follows"));
        free(packed.data);
        free(back.data);
    }
}

/* Wherever it ends too early, nobody takes it for the whole. */
static void test_cut_at_every_byte(void **state)
{
    shoal_ctx ctx;
    char *text = make_text(3000, true);

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < CODECS; i++) {
        bytes packed = {0};

        assert_int_equal(pack_all(&ctx, &packed, codecs[i], text, 3000, 3000), SHOAL_OK);
        for (size_t size = packed.size - 1; size > 3; size--) {
            bytes cut = {.data = packed.data, .size = size};
            bytes back = {0};

            assert_int_equal(unpack_all(&ctx, &back, codecs[i], &cut, no_limits, 4096),
                             SHOAL_EFORMAT);
            assert_non_null(strstr(ctx.error.message, "its end is missing"));
            free(back.data);
        }
        free(packed.data);
    }
    free(text);
}

/* Whatever byte is wrong: a failure, or the same text (a time stamp is no part of it). */
static void test_broken_at_every_byte(void **state)
{
    shoal_ctx ctx;
    char *text = make_text(2000, false);

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < CODECS; i++) {
        bytes packed = {0};

        assert_int_equal(pack_all(&ctx, &packed, codecs[i], text, 2000, 2000), SHOAL_OK);
        for (size_t at = 4; at < packed.size; at++) {
            bytes back = {0};

            packed.data[at] ^= 0x41;
            shoal_status st = unpack_all(&ctx, &back, codecs[i], &packed, no_limits, 4096);

            packed.data[at] ^= 0x41;
            assert_true(st == SHOAL_EFORMAT || st == SHOAL_OK);
            if (st == SHOAL_OK) {
                assert_int_equal(back.size, 2000);
                assert_memory_equal(back.data, text, 2000);
            }
            free(back.data);
        }
        free(packed.data);
    }
    free(text);
}

static void test_too_much_text(void **state)
{
    shoal_ctx ctx;
    size_t size = 1 << 20;
    char *text = calloc(size, 1);

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < CODECS; i++) {
        bytes packed = {0};
        bytes back = {0};
        shoal_i_unpack_limits limits = {.free_bytes = 4096, .ratio = 200};

        assert_int_equal(pack_all(&ctx, &packed, codecs[i], text, size, size), SHOAL_OK);
        assert_int_equal(unpack_all(&ctx, &back, codecs[i], &packed, limits, 1000),
                         SHOAL_ELIMIT);
        assert_non_null(strstr(ctx.error.message, "more than 200 times as long"));
        assert_true(back.size < size); /* it does not go on to the end */
        free(back.data);

        /* As long as it is short nobody asks. */
        back = (bytes){0};
        limits.free_bytes = size;
        assert_int_equal(unpack_all(&ctx, &back, codecs[i], &packed, limits, 1000), SHOAL_OK);
        assert_int_equal(back.size, size);
        free(back.data);
        free(packed.data);
    }
    free(text);
}

static void test_names(void **state)
{
    (void)state;
    assert_ptr_equal(shoal_i_codec_of_name("a.csv.gz"), &shoal_i_codec_gzip);
    assert_ptr_equal(shoal_i_codec_of_name("a.zst"), &shoal_i_codec_zstd);
    assert_null(shoal_i_codec_of_name("a.csv"));
    assert_null(shoal_i_codec_of_name("agz"));
    assert_null(shoal_i_codec_of_name(".gz")); /* a name without an ending */
    assert_null(shoal_i_codec_of_name("-"));
    assert_null(shoal_i_codec_of_bytes((const unsigned char *)"\x1F", 1));
    assert_null(shoal_i_codec_of_bytes((const unsigned char *)"age", 3));
}

/* --- Files. ------------------------------------------------------------------------------ */

static void test_files(void **state)
{
    static const char *const names[] = {"t.csv.gz", "t.csv.zst", "t.csv"};
    shoal_ctx ctx;
    char folder[64];
    char *back = NULL;
    size_t size = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    make_folder(folder);
    assert_int_equal(chdir(folder), 0);
    for (size_t i = 0; i < 3; i++) {
        shoal_i_output *output = NULL;
        shoal_i_input *raw = NULL;
        char head[4] = "";

        assert_int_equal(shoal_i_output_open(&ctx, &output, names[i]), SHOAL_OK);
        assert_int_equal(shoal_i_output_write(&ctx, output, "age\n24\n", 7), SHOAL_OK);
        assert_int_equal(shoal_i_output_end(&ctx, output), SHOAL_OK);
        /* What is read back before it has its name is all of it. */
        assert_int_equal(
            shoal_i_input_read_all(&ctx, &back, &size, shoal_i_output_temporary(output), 1000),
            SHOAL_OK);
        assert_string_equal(back, "age\n24\n");
        free(back);
        assert_int_equal(shoal_i_output_publish(&ctx, output), SHOAL_OK);
        shoal_i_output_free(output);

        assert_int_equal(shoal_i_input_open_raw(&ctx, &raw, names[i]), SHOAL_OK);
        assert_int_equal(shoal_i_input_read(&ctx, &size, raw, head, sizeof head), SHOAL_OK);
        assert_ptr_equal(shoal_i_codec_of_bytes((const unsigned char *)head, size),
                         shoal_i_codec_of_name(names[i]));
        shoal_i_input_free(raw);
    }
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(remove_folder(folder), 0);
}

typedef struct codec_case {
    const shoal_i_codec *codec;
    const bytes *packed;
} codec_case;

static shoal_status pack_and_unpack(shoal_ctx *ctx, void *payload)
{
    const codec_case *c = payload;
    bytes packed = {0};
    bytes back = {0};
    shoal_status st = pack_all(ctx, &packed, c->codec, "age\n24\n", 7, 3);

    if (st == SHOAL_OK) {
        st = unpack_all(ctx, &back, c->codec, c->packed, no_limits, 5000);
    }
    free(packed.data);
    free(back.data);
    return st;
}

static void test_allocation_failures(void **state)
{
    shoal_ctx ctx;
    char *text = make_text(100000, true);

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < CODECS; i++) {
        bytes packed = {0};
        codec_case c = {codecs[i], &packed};

        assert_int_equal(pack_all(&ctx, &packed, codecs[i], text, 100000, 5000), SHOAL_OK);
        assert_survives_failing_allocations(&ctx, pack_and_unpack, &c);
        free(packed.data);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_members_are_one_text),
        cmocka_unit_test(test_cut_at_every_byte),
        cmocka_unit_test(test_broken_at_every_byte),
        cmocka_unit_test(test_too_much_text),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
