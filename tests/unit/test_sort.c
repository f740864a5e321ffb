/* Sorting runs by wide keys, checked pair by pair. */

#include "base/sort.h"

#include "base/random.h"
#include "failing.h"

#define WORDS 3
#define ITEMS_MAX 4000

typedef struct keys {
    uint64_t words[ITEMS_MAX][WORDS];
} keys;

static void load_word(const void *payload, size_t word, shoal_i_sort_item *items, size_t count)
{
    const keys *k = payload;

    for (size_t i = 0; i < count; i++) {
        items[i].key = k->words[items[i].item][word];
    }
}

static int compare_keys(const keys *k, uint32_t a, uint32_t b)
{
    for (size_t w = 0; w < WORDS; w++) {
        if (k->words[a][w] != k->words[b][w]) {
            return k->words[a][w] < k->words[b][w] ? -1 : 1;
        }
    }
    return 0;
}

/* Draw keys of few distinct words each, in the bytes that `mask` allows. */
static void draw_keys(keys *k, shoal_i_random *random, size_t count, uint64_t mask)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t w = 0; w < WORDS; w++) {
            k->words[i][w] = shoal_i_random_u64(random) & mask;
        }
    }
}

static void check_runs(const keys *k, const uint32_t *items, const uint32_t *starts,
                       size_t run_count)
{
    for (size_t run = 0; run < run_count; run++) {
        for (uint32_t i = starts[run]; i < starts[run + 1]; i++) {
            assert_in_range(items[i], starts[run], starts[run + 1] - 1);
            if (i > starts[run]) {
                int order = compare_keys(k, items[i - 1], items[i]);

                /* Stable: equal keys keep the order they came in. */
                assert_true(order < 0 || (order == 0 && items[i - 1] < items[i]));
            }
        }
    }
}

static void test_runs_of_any_length(void **state)
{
    static keys k;
    static uint32_t items[ITEMS_MAX];
    static const uint64_t masks[] = {0, 1, 0x0101, 0xFF00000000000001u, UINT64_MAX};
    static const uint32_t starts[] = {0, 0, 1, 3, 50, 99, 99, 4000};
    shoal_i_random random = shoal_i_random_start(7);
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        draw_keys(&k, &random, ITEMS_MAX, masks[m]);
        for (uint32_t i = 0; i < ITEMS_MAX; i++) {
            items[i] = i;
        }
        assert_int_equal(shoal_i_sort_runs(&ctx, items, starts, 7, WORDS, load_word, &k),
                         SHOAL_OK);
        check_runs(&k, items, starts, 7);
    }
}

static void test_nothing_to_sort(void **state)
{
    uint32_t items[3] = {2, 1, 0};
    uint32_t starts[2] = {0, 3};
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_i_sort_runs(&ctx, items, starts, 0, 1, load_word, NULL), SHOAL_OK);
    assert_int_equal(shoal_i_sort_runs(&ctx, items, starts, 1, 0, load_word, NULL), SHOAL_OK);
    assert_int_equal(items[0], 2);
}

/* Every number's items are there, ascending; numbers without items too. */
static void test_by_number(void **state)
{
    static uint32_t numbers[ITEMS_MAX];
    static uint32_t items[ITEMS_MAX];
    uint32_t starts[40];
    shoal_i_random random = shoal_i_random_start(8);

    (void)state;
    for (size_t count = 0; count < ITEMS_MAX; count = 3 * count + 1) {
        size_t number_count = 1 + count % 39;
        size_t at = 0;

        for (size_t i = 0; i < count; i++) {
            numbers[i] = (uint32_t)shoal_i_random_below(&random, number_count);
        }
        shoal_i_sort_by_number(items, starts, numbers, count, number_count);
        for (uint32_t n = 0; n < number_count; n++) {
            assert_int_equal(starts[n], at);
            for (uint32_t i = 0; i < count; i++) {
                if (numbers[i] == n) {
                    assert_int_equal(items[at++], i);
                }
            }
        }
        assert_int_equal(starts[number_count], count);
    }
}

/* Many items on several threads, and on one: as sorting them in pairs would, and stable. */
static void test_many_items(void **state)
{
    static const uint64_t masks[] = {0,         1, 0x7FF, 0x800, 0xFFFFFF, 0xFF000000000000FFu,
                                     UINT64_MAX};
    static const size_t counts[] = {0, 1, 49, 65536, 65537, 200000};
    shoal_i_random random = shoal_i_random_start(9);
    shoal_i_sort_item *items = calloc(200000, sizeof *items);
    shoal_i_sort_item *scratch = calloc(200000, sizeof *scratch);

    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        shoal_ctx *ctx = shoal_ctx_new();

        assert_non_null(ctx);
        assert_int_equal(shoal_ctx_set_threads(ctx, threads), SHOAL_OK);
        for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
            for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
                uint64_t sum = 0;

                for (size_t i = 0; i < counts[n]; i++) {
                    items[i] = (shoal_i_sort_item){
                        .key = shoal_i_random_u64(&random) & masks[m], .item = (uint32_t)i};
                    sum += items[i].key ^ (i << 20);
                }
                assert_int_equal(shoal_i_sort_items_parallel(ctx, items, scratch, counts[n]),
                                 SHOAL_OK);
                for (size_t i = 0; i < counts[n]; i++) {
                    sum -= items[i].key ^ ((uint64_t)items[i].item << 20);
                    assert_true(i == 0 || items[i - 1].key < items[i].key ||
                                (items[i - 1].key == items[i].key &&
                                 items[i - 1].item < items[i].item));
                }
                assert_int_equal(sum, 0);
            }
        }
        shoal_ctx_free(ctx);
    }
    free(items);
    free(scratch);
}

static void test_bits(void **state)
{
    (void)state;
    assert_int_equal(shoal_i_sort_bits(0), 0);
    assert_int_equal(shoal_i_sort_bits(1), 0);
    assert_int_equal(shoal_i_sort_bits(2), 1);
    assert_int_equal(shoal_i_sort_bits(3), 2);
    assert_int_equal(shoal_i_sort_bits(256), 8);
    assert_int_equal(shoal_i_sort_bits(257), 9);
    assert_int_equal(shoal_i_sort_bits(UINT64_MAX), 64);
}

static shoal_status sort_again(shoal_ctx *ctx, void *payload)
{
    uint32_t items[100];
    uint32_t starts[2] = {0, 100};

    for (uint32_t i = 0; i < 100; i++) {
        items[i] = i;
    }
    return shoal_i_sort_runs(ctx, items, starts, 1, WORDS, load_word, payload);
}

static void test_failing_allocations(void **state)
{
    static keys k;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_survives_failing_allocations(&ctx, sort_again, &k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_to_sort),     cmocka_unit_test(test_runs_of_any_length),
        cmocka_unit_test(test_by_number),           cmocka_unit_test(test_bits),
        cmocka_unit_test(test_failing_allocations), cmocka_unit_test(test_many_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
