#include "context.h"
#include "failing.h"

#include "table/dictionary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUES 20000
#define LONGEST 100

/* Texts of all lengths that share beginnings: 0, 1, ... as decimal numbers behind a run of x.
 */
static size_t make_value(char out[LONGEST + 1], uint32_t number)
{
    char digits[16];
    size_t length = number % LONGEST;
    size_t digit_count = (size_t)snprintf(digits, sizeof digits, "%u", number);

    length = length < digit_count ? digit_count : length;
    memset(out, 'x', length);
    memcpy(out + length - digit_count, digits, digit_count + 1);
    return length;
}

static uint32_t add(shoal_ctx *ctx, shoal_i_dictionary *d, const char *text, size_t length)
{
    uint32_t index = 0;
    /* Of exactly its size, so that the sanitizer sees a read beyond the end. */
    char *copy = malloc(length ? length : 1);

    memcpy(copy, text, length);
    assert_int_equal(shoal_i_dictionary_add(ctx, d, &index, copy, length), SHOAL_OK);
    free(copy);
    return index;
}

static void test_empty(void **state)
{
    shoal_i_dictionary d = {0};

    (void)state;
    assert_int_equal(shoal_i_dictionary_find(&d, "", 0), 0);
    assert_int_equal(shoal_i_dictionary_find(&d, "a", 1), 0);
    assert_int_equal(shoal_i_dictionary_find(&d, "a text of more than thirty-two bytes", 36),
                     0);
    shoal_i_dictionary_clear(&d);
}

static void test_empty_text_is_a_value(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_i_dictionary d = {0};
    size_t length = 9;

    assert_int_equal(add(ctx, &d, "a", 1), 1);
    assert_int_equal(shoal_i_dictionary_find(&d, "", 0), 0);
    assert_int_equal(add(ctx, &d, "", 0), 2);
    assert_int_equal(add(ctx, &d, "", 0), 2);
    shoal_i_dictionary_text(&d, 2, &length);
    assert_int_equal(length, 0);
    shoal_i_dictionary_clear(&d);
}

/* Indices in order of arrival, found again, with their texts; short first, then long: keys
 * widen. */
static void test_many(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_i_dictionary d = {0};
    char text[LONGEST + 1];

    for (uint32_t n = 0; n < VALUES; n++) {
        size_t length = make_value(text, n);

        assert_int_equal(shoal_i_dictionary_find(&d, text, length), 0);
        assert_int_equal(add(ctx, &d, text, length), n + 1);
        assert_int_equal(add(ctx, &d, text, length), n + 1);
    }
    assert_int_equal(d.count, VALUES);
    for (uint32_t n = 0; n < VALUES; n++) {
        size_t length = make_value(text, n);
        size_t found_length = 0;
        const char *found = shoal_i_dictionary_text(&d, n + 1, &found_length);

        assert_int_equal(shoal_i_dictionary_find(&d, text, length), n + 1);
        assert_int_equal(found_length, length);
        assert_memory_equal(found, text, length);
    }
    shoal_i_dictionary_clear(&d);
}

/* Every length around the sizes of keys, first the long ones, then the short ones. */
static void test_lengths(void **state)
{
    shoal_ctx *ctx = *state;
    char text[LONGEST];

    memset(text, 'y', sizeof text);
    for (int order = 0; order < 2; order++) {
        shoal_i_dictionary d = {0};

        for (size_t i = 0; i <= 70; i++) {
            assert_int_equal(add(ctx, &d, text, order ? 70 - i : i), i + 1);
        }
        for (size_t i = 0; i <= 70; i++) {
            size_t length = 0;

            shoal_i_dictionary_text(&d, (uint32_t)i + 1, &length);
            assert_int_equal(length, order ? 70 - i : i);
            assert_int_equal(shoal_i_dictionary_find(&d, text, length), i + 1);
        }
        shoal_i_dictionary_clear(&d);
    }
}

/* The fast way finds what the slow way added, for every width of keys. */
static void test_find_key(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_i_dictionary d = {0};
    const char texts[3][40] = {"seven", "thirteen long", "twenty-six characters, these"};

    for (unsigned i = 0; i < 3; i++) {
        uint64_t key[SHOAL_I_DICTIONARY_WORDS_MAX];

        add(ctx, &d, texts[i], strlen(texts[i]));
        assert_int_equal(d.words, 1u << i);
        for (unsigned k = 0; k <= i; k++) {
            shoal_i_dictionary_key(key, d.words, texts[k], strlen(texts[k]));
            assert_int_equal(shoal_i_dictionary_find_key(&d, d.words, key), k + 1);
            shoal_i_dictionary_key(key, d.words, texts[k], strlen(texts[k]) - 1);
            assert_int_equal(shoal_i_dictionary_find_key(&d, d.words, key), 0);
        }
    }
    shoal_i_dictionary_clear(&d);
}

/* Adding many at once gives the indices that adding one by one gives, however keys widen on the
 * way. */
static void test_add_all(void **state)
{
    enum { COUNT = 1000, STRIDE = 2 };
    shoal_ctx *ctx = *state;
    shoal_i_dictionary one_by_one = {0};
    shoal_i_dictionary at_once = {0};
    shoal_i_text texts[COUNT * STRIDE];
    uint32_t indices[COUNT];
    char *bytes = calloc(COUNT, LONGEST + SHOAL_I_DICTIONARY_SHORT_MAX);

    for (size_t i = 0; i < COUNT; i++) {
        char *text = bytes + i * (LONGEST + SHOAL_I_DICTIONARY_SHORT_MAX);

        texts[i * STRIDE].text = text;
        texts[i * STRIDE].length = make_value(text, (uint32_t)(i % 7 ? i : i / 2));
    }
    for (size_t count = 0; count < COUNT; count += count < 40 ? 1 : 333) {
        assert_int_equal(
            shoal_i_dictionary_add_all(ctx, &at_once, indices, texts, STRIDE, count), SHOAL_OK);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(indices[i], add(ctx, &one_by_one, texts[i * STRIDE].text,
                                             texts[i * STRIDE].length));
        }
    }
    assert_int_equal(at_once.count, one_by_one.count);
    shoal_i_dictionary_clear(&one_by_one);
    shoal_i_dictionary_clear(&at_once);
    free(bytes);
}

static void test_numbers(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_i_dictionary d = {0};
    uint32_t index;

    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t n = 0; n < VALUES; n++) {
            uint64_t number = n % 2 ? UINT64_MAX - n : (uint64_t)n << 40 | 0xFF;

            assert_int_equal(shoal_i_dictionary_add_number(ctx, &d, &index, number), SHOAL_OK);
            assert_int_equal(index, n + 1);
            assert_true(shoal_i_dictionary_number(&d, index) == number);
        }
    }
    assert_int_equal(shoal_i_dictionary_add_number(ctx, &d, &index, UINT64_MAX), SHOAL_OK);
    assert_int_equal(index, VALUES + 1);
    shoal_i_dictionary_clear(&d);
}

static shoal_status fill_dictionary(shoal_ctx *ctx, void *payload)
{
    shoal_status st = SHOAL_OK;
    shoal_i_dictionary d = {0};
    char text[LONGEST + 1];

    (void)payload;
    for (uint32_t n = 0; n < 300 && st == SHOAL_OK; n++) {
        size_t length = make_value(text, n);
        uint32_t index = 77;
        uint32_t count = d.count;

        st = shoal_i_dictionary_add(ctx, &d, &index, text, length);
        assert_int_equal(index, st == SHOAL_OK ? n + 1 : 0);
        assert_int_equal(d.count, st == SHOAL_OK ? count + 1 : count);
    }
    shoal_i_dictionary_clear(&d);
    return st;
}

static void test_failing_allocations(void **state)
{
    assert_survives_failing_allocations(*state, fill_dictionary, NULL);
}

/* --- Texts made to collide. --------------------------------------------------------------- */

/* Whether a word is eight bytes that a text may have. */
static bool is_plain(uint64_t word)
{
    for (int i = 0; i < 8; i++, word >>= 8) {
        if ((word & 0xFF) < ' ' || (word & 0xFF) > '~') {
            return false;
        }
    }
    return true;
}

/* The words that x ^ x >> 32, times this number, takes to words with 20 upper bits of zero: who
 * knows how a table hashes can write them down. Version 0.1 hashed so. */
static size_t make_colliding(uint64_t *out, size_t count)
{
    uint64_t inverse = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t factor = inverse;
    size_t made = 0;

    for (int i = 0; i < 6; i++) {
        inverse *= 2 - factor * inverse;
    }
    for (uint64_t hash = 1; made < count; hash += 7919) {
        uint64_t word = (hash & (UINT64_MAX >> 20)) * inverse;

        word ^= word >> 32;
        if (is_plain(word)) {
            out[made++] = word;
        }
    }
    return made;
}

/* How many slots are looked at, all in all, to find every value once. */
static size_t count_probes(const shoal_i_dictionary *d)
{
    uint64_t last = UINT64_MAX >> d->shift;
    size_t probes = 0;

    for (uint64_t slot = 0; slot <= last; slot++) {
        if (d->slots[slot] != 0) {
            const uint64_t *key = d->keys + (size_t)d->slots[slot] * d->words;
            uint64_t home = shoal_i_dictionary_hash(&d->hash_key, key, d->words) >> d->shift;

            probes += (size_t)((slot - home) & last) + 1;
        }
    }
    return probes;
}

static void test_texts_made_to_collide(void **state)
{
    enum { COUNT = 40000 };
    uint64_t *words = calloc(COUNT, sizeof *words);
    shoal_i_dictionary d = {0};
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = make_colliding(words, COUNT); i > 0; i--) {
        uint32_t index = 0;

        assert_int_equal(shoal_i_dictionary_add(&ctx, &d, &index, (char *)&words[i - 1], 8),
                         SHOAL_OK);
        assert_int_equal(index, COUNT - i + 1);
    }
    /* At most half of the slots are taken: one and a half on average, were they drawn. */
    assert_true(count_probes(&d) < 3 * COUNT);
    shoal_i_dictionary_clear(&d);
    free(words);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_empty_text_is_a_value),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_find_key),
        cmocka_unit_test(test_add_all),
        cmocka_unit_test(test_texts_made_to_collide),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
