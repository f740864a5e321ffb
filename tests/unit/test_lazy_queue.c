/* A queue whose costs rise as they are looked at, against looking for the least each time. */
#include "method/best/lazy_queue.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 40 };

/* The item that is first by (cost, item); `count` if all are taken. */
static size_t find_least(const int64_t *costs, const bool *is_taken, size_t count)
{
    size_t least = count;

    for (size_t i = 0; i < count; i++) {
        if (!is_taken[i] && (least == count || costs[i] < costs[least])) {
            least = i;
        }
    }
    return least;
}

/* Whoever is first is dropped, or becomes dearer and goes back. */
static void test_the_cheapest_is_first(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        shoal_i_queued entries[MOST];
        shoal_i_lazy_queue queue = {.entries = entries,
                                    .count = (size_t)shoal_i_random_below(&random, MOST + 1)};
        size_t count = queue.count;
        int64_t costs[MOST];
        bool is_taken[MOST] = {false};

        for (size_t i = 0; i < count;
             i++) { /* entered backwards: the lower item is first yet */
            size_t item = count - 1 - i;

            costs[item] = (int64_t)shoal_i_random_below(&random, 12) - 5;
            entries[i] = (shoal_i_queued){.cost = costs[item], .item = (uint32_t)item};
        }
        shoal_i_lazy_queue_order(&queue);
        for (size_t left = count; left > 0;) {
            size_t least = find_least(costs, is_taken, count);

            assert_int_equal(queue.count, left);
            assert_int_equal(entries[0].item, least);
            assert_int_equal(entries[0].cost, costs[least]);
            if (shoal_i_random_below(&random, 2) == 0) {
                costs[least] += 1 + (int64_t)shoal_i_random_below(&random, 4);
                entries[0].cost = costs[least];
                shoal_i_lazy_queue_settle(&queue);
            } else {
                is_taken[least] = true;
                left--;
                shoal_i_lazy_queue_drop(&queue);
            }
        }
        assert_int_equal(queue.count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_cheapest_is_first)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
