#include "failing.h"

#include "base/random.h"
#include "table/sort_keys.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 3000

/* Sorted by key and, among equal keys, as they came (indices ascend). */
static void assert_sorted(const shoal_i_sort_item *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        assert_true(items[i - 1].key < items[i].key ||
                    (items[i - 1].key == items[i].key && items[i - 1].item < items[i].item));
    }
}

static void test_by_key(void **state)
{
    static const uint64_t masks[] = {0, 1, 0xFF, 0xFF00FF0000000000u, UINT64_MAX};
    shoal_i_random random = shoal_i_random_start(1);
    shoal_i_sort_item *items = calloc(COUNT, sizeof *items);
    shoal_i_sort_item *scratch = calloc(COUNT, sizeof *items);

    (void)state;
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        for (size_t count = 0; count <= COUNT; count += count < 100 ? 1 : 725) {
            uint64_t sum = 0;

            for (size_t i = 0; i < count; i++) {
                items[i].key = shoal_i_random_u64(&random) & masks[m];
                items[i].item = (uint32_t)i;
                sum += items[i].key ^ items[i].item;
            }
            shoal_i_sort_items(items, scratch, count);
            assert_sorted(items, count);
            for (size_t i = 0; i < count; i++) {
                sum -= items[i].key ^ items[i].item;
            }
            assert_true(sum == 0);
        }
    }
    free(items);
    free(scratch);
}

/* The first of a sort, whatever the keys: few values, one stretch that holds most, far
 * apart. */
static void test_first_by_key(void **state)
{
    static const uint64_t masks[] = {0, 1, 0xFF, 0xFFFFFFFF, 0xFF00FF0000000000u, UINT64_MAX};
    shoal_i_random random = shoal_i_random_start(3);
    shoal_i_sort_item items[300];
    shoal_i_sort_item sorted[300];
    shoal_i_sort_item scratch[300];

    (void)state;
    for (size_t round = 0; round < 3000; round++) {
        size_t count = shoal_i_random_below(&random, 300);
        size_t kept = shoal_i_random_below(&random, count + 1);
        uint64_t mask = masks[round % (sizeof masks / sizeof *masks)];
        uint64_t sum = 0;

        for (size_t i = 0; i < count; i++) {
            uint64_t rare = shoal_i_random_below(&random, 40) == 0 ? UINT64_MAX : 0xF;

            items[i].key = shoal_i_random_u64(&random) & mask & (round % 2 ? rare : UINT64_MAX);
            items[i].item = (uint32_t)i;
            sum += items[i].key ^ items[i].item;
        }
        memcpy(sorted, items, sizeof items);
        shoal_i_sort_items(sorted, scratch, count);
        shoal_i_sort_first(items, scratch, count, kept);
        for (size_t i = 0; i < count; i++) {
            assert_true(i >= kept ||
                        (items[i].key == sorted[i].key && items[i].item == sorted[i].item));
            sum -= items[i].key ^ items[i].item;
        }
        assert_true(sum == 0);
    }
}

static int compare_values(const void *payload, uint32_t a, uint32_t b)
{
    const int *values = payload;

    return (values[a] > values[b]) - (values[a] < values[b]);
}

static void test_by_value(void **state)
{
    shoal_i_random random = shoal_i_random_start(2);
    int values[200];
    shoal_i_sort_item items[200];
    shoal_i_sort_item scratch[200];

    (void)state;
    for (size_t count = 0; count <= 200; count++) {
        for (size_t i = 0; i < count; i++) {
            values[i] = (int)shoal_i_random_below(&random, 50);
            items[i] = (shoal_i_sort_item){.item = (uint32_t)i};
        }
        shoal_i_sort_by_value(items, scratch, count, compare_values, values);
        for (size_t i = 0; i < count; i++) {
            items[i].key = (uint64_t)values[items[i].item];
        }
        assert_sorted(items, count);
    }
}

static void test_keys_of_numbers(void **state)
{
    static const double ascending[] = {-1e308, -2.5, -2, -1e-300, 0,
                                       5e-324, 0.1,  1,  9e15,    1e308};

    (void)state;
    for (size_t i = 1; i < sizeof ascending / sizeof *ascending; i++) {
        assert_true(shoal_i_sort_key_of_number(ascending[i - 1]) <
                    shoal_i_sort_key_of_number(ascending[i]));
    }
}

static void test_keys_of_texts(void **state)
{
    static const char *const ascending[] = {"",   "A", "a",        "aa",
                                            "ab", "b", "\xC3\xA9", "\xF0\x9F\x90\x9F"};

    (void)state;
    for (size_t i = 1; i < sizeof ascending / sizeof *ascending; i++) {
        assert_true(shoal_i_sort_key_of_text(ascending[i - 1], strlen(ascending[i - 1])) <
                    shoal_i_sort_key_of_text(ascending[i], strlen(ascending[i])));
    }
    assert_true(shoal_i_sort_key_of_text("12345678", 8) ==
                shoal_i_sort_key_of_text("123456789", 9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_key),        cmocka_unit_test(test_first_by_key),
        cmocka_unit_test(test_by_value),      cmocka_unit_test(test_keys_of_numbers),
        cmocka_unit_test(test_keys_of_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
