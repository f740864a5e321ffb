/* How many of a population fall into each box of a release, against looking at every record. */
#include <shoal/csv.h>

#include "failing.h"
#include "measure/measure.h"
#include "random_table.h"

#define ROWS 60
#define BOXES 25

static uint64_t count_slowly(const shoal_i_release *release, size_t box)
{
    const shoal_i_quasi *quasi = release->quasi;
    uint64_t count = 0;

    for (size_t row = 0; row < shoal_table_row_count(quasi->table); row++) {
        bool is_inside = true;

        for (size_t c = 0; c < quasi->count; c++) {
            shoal_i_interval interval = release->boxes[box * quasi->count + c];
            uint32_t code = shoal_i_quasi_code(quasi, c, row);

            is_inside = is_inside && code >= interval.lo && code <= interval.hi;
        }
        count += is_inside;
    }
    return count;
}

static void test_counts_equal_the_slow_ones(void **state)
{
    shoal_ctx ctx;
    size_t inhabited = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 2;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        random_table t = random_table_make(&ctx, seed, 1 + (size_t)(seed * 7 % ROWS),
                                           1 + (size_t)(seed % 4), 9, seed % 3 == 0);
        shoal_i_release *release = random_release(&ctx, &random, t.quasi, BOXES);
        uint64_t *counts = NULL;

        assert_int_equal(shoal_i_count_population(&ctx, &counts, release, NULL), SHOAL_OK);
        for (size_t b = 0; b < release->box_count; b++) {
            assert_int_equal(counts[b], count_slowly(release, b));
            inhabited += counts[b] > 0;
        }
        free(counts);
        shoal_i_release_free(release);
        random_table_free(&t);
    }
    assert_true(inhabited > 100);
    shoal_i_ctx_clear(&ctx);
}

static shoal_status count_failing(shoal_ctx *ctx, void *payload)
{
    uint64_t *counts = NULL;
    shoal_status st = shoal_i_count_population(ctx, &counts, payload, NULL);

    assert_true((st == SHOAL_OK) == (counts != NULL));
    free(counts);
    return st;
}

static void test_allocation_failures(void **state)
{
    shoal_ctx ctx;
    shoal_i_random random = shoal_i_random_start(1);

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    random_table t = random_table_make(&ctx, 1, ROWS, 3, 9, false);
    shoal_i_release *release = random_release(&ctx, &random, t.quasi, BOXES);

    assert_survives_failing_allocations(&ctx, count_failing, release);
    shoal_i_release_free(release);
    random_table_free(&t);
    shoal_i_ctx_clear(&ctx);
}

/* Two classes of the file "x,y,y" in a population of 5 and 40. */
static void test_verdict(void **state)
{
    static const char text[] = "age\nx\ny\ny\n";
    const uint64_t population[] = {5, 40, 40};
    const size_t age[] = {0};
    shoal_i_row_facts facts = {.population = population};
    shoal_i_requirement_set set = {0};
    shoal_i_verdict verdict;
    shoal_table *file = NULL;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_csv_read_memory(&ctx, &file, text, sizeof text - 1, "f.csv", NULL),
                     SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(&ctx, &set, &shoal_i_k_map, 6), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(&ctx, &set, &shoal_i_presence_most, 0.1),
                     SHOAL_OK);
    assert_int_equal(shoal_i_verify(&ctx, &verdict, file, age, 1, &set, NULL), SHOAL_EINVAL);
    assert_int_equal(shoal_i_verify(&ctx, &verdict, file, age, 1, &set, &facts), SHOAL_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(verdict.items[i].failing_classes, 1);
        assert_int_equal(verdict.items[i].failing_records, 1);
        assert_int_equal(verdict.items[i].worst_class, 0);
        assert_true(verdict.items[i].worst_figure == (i == 0 ? 5 : 0.2));
    }
    shoal_i_requirement_set_clear(&set);
    shoal_table_free(file);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_equal_the_slow_ones),
        cmocka_unit_test(test_allocation_failures),
        cmocka_unit_test(test_verdict),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
