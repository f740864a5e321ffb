/* Minimal sample uniques against looking at every record, every set of columns and every other
 * record. */
#include "failing.h"
#include "measure/risk/risk.h"
#include "random_table.h"
#include "release/number.h"

#include <string.h>

static shoal_status find_combinations(shoal_ctx *ctx, shoal_i_combinations *out,
                                      const shoal_i_quasi *quasi, size_t together,
                                      uint64_t effort)
{
    uint32_t *class_of = NULL;
    size_t class_count = 0;
    shoal_status st = shoal_i_number_records(ctx, &class_of, &class_count, quasi);

    *out = (shoal_i_combinations){0};
    if (st == SHOAL_OK) {
        st =
            shoal_i_combinations_find(ctx, out, quasi, class_of, class_count, together, effort);
    }
    free(class_of);
    return st;
}

#define SETS_MAX 256 /* bit masks of at most 8 columns */

/* Whether no other record equals this one in the columns of a mask. */
static bool is_alone(const shoal_i_quasi *quasi, size_t row, unsigned mask)
{
    for (size_t other = 0; other < shoal_table_row_count(quasi->table); other++) {
        bool is_equal = other != row;

        for (size_t c = 0; c < quasi->count; c++) {
            is_equal = is_equal && (!(mask >> c & 1) || shoal_i_quasi_code(quasi, c, other) ==
                                                            shoal_i_quasi_code(quasi, c, row));
        }
        if (is_equal) {
            return false;
        }
    }
    return true;
}

static size_t count_columns(unsigned mask)
{
    size_t count = 0;

    for (; mask; mask &= mask - 1) {
        count++;
    }
    return count;
}

typedef struct slow_answer {
    uint64_t uniques[SETS_MAX];
    uint64_t minimal[SETS_MAX];
    uint64_t first_out[SHOAL_I_TOGETHER_MAX + 1];
    uint64_t singled_out;
    uint64_t records[RANDOM_COLUMNS_MAX];
    uint64_t only[RANDOM_COLUMNS_MAX];
} slow_answer;

/* The minimal uniques of one record. */
static void look_at_record(slow_answer *slow, const shoal_i_quasi *quasi, size_t row,
                           size_t together)
{
    unsigned sets = 1u << quasi->count;
    bool alone[SETS_MAX] = {false};
    bool minimal[SETS_MAX] = {false};
    size_t smallest = 0;

    for (unsigned mask = 1; mask < sets; mask++) {
        size_t size = count_columns(mask);

        alone[mask] = size <= together && is_alone(quasi, row, mask);
        minimal[mask] = alone[mask];
        for (unsigned inner = (mask - 1) & mask; inner; inner = (inner - 1) & mask) {
            minimal[mask] = minimal[mask] && !alone[inner];
        }
        slow->uniques[mask] += alone[mask];
        slow->minimal[mask] += minimal[mask];
        if (minimal[mask] && (smallest == 0 || size < smallest)) {
            smallest = size;
        }
    }
    slow->singled_out += smallest > 0;
    slow->first_out[smallest] += smallest > 0;
    for (size_t c = 0; c < quasi->count; c++) {
        bool with = false;
        bool without = false;

        for (unsigned mask = 1; mask < sets; mask++) {
            with = with || (minimal[mask] && mask >> c & 1);
            without = without || (minimal[mask] && !(mask >> c & 1));
        }
        slow->records[c] += with;
        slow->only[c] += with && !without;
    }
}

static unsigned mask_of(const shoal_i_combination *item)
{
    unsigned mask = 0;

    for (size_t i = 0; i < item->count; i++) {
        assert_true(i == 0 || item->columns[i - 1] < item->columns[i]);
        mask |= 1u << item->columns[i];
    }
    return mask;
}

static void compare(const shoal_i_combinations *found, const slow_answer *slow,
                    const shoal_i_quasi *quasi)
{
    size_t listed = 0;
    uint64_t by_size[SHOAL_I_TOGETHER_MAX + 1] = {0};
    uint64_t by_column[RANDOM_COLUMNS_MAX] = {0};

    for (unsigned mask = 1; mask < 1u << quasi->count; mask++) {
        listed += slow->minimal[mask] > 0;
        by_size[slow->minimal[mask] ? count_columns(mask) : 0] += slow->minimal[mask];
        for (size_t c = 0; c < quasi->count; c++) {
            by_column[c] += mask >> c & 1 ? slow->minimal[mask] : 0;
        }
    }
    assert_int_equal(found->count, listed);
    for (size_t i = 0; i < found->count; i++) {
        const shoal_i_combination *item = &found->items[i];

        assert_int_equal(item->minimal, slow->minimal[mask_of(item)]);
        assert_int_equal(item->uniques, slow->uniques[mask_of(item)]);
        assert_true(i == 0 || found->items[i - 1].minimal >= item->minimal);
    }
    assert_memory_equal(found->minimal + 1, by_size + 1, sizeof by_size - sizeof *by_size);
    assert_memory_equal(found->first_out, slow->first_out, sizeof slow->first_out);
    assert_int_equal(found->singled_out, slow->singled_out);
    for (size_t c = 0; c < quasi->count; c++) {
        assert_string_equal(found->columns[c].name, quasi->columns[c].name);
        assert_int_equal(found->columns[c].minimal, by_column[c]);
        assert_int_equal(found->columns[c].records, slow->records[c]);
        assert_int_equal(found->columns[c].only, slow->only[c]);
    }
}

static void test_equals_the_slow_search(void **state)
{
    shoal_ctx ctx;
    uint64_t of_four = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 2;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        size_t rows = seed % 10 == 0 ? 1 : 1 + (size_t)(seed * 37 % 120);
        size_t columns = 1 + (size_t)(seed % 6);
        size_t together = 1 + (size_t)(seed % 4);
        random_table t =
            random_table_make(&ctx, seed, rows, columns, 2 + seed % 5, seed % 4 == 0);
        shoal_i_combinations found;
        slow_answer slow = {0};

        for (size_t row = 0; row < rows; row++) {
            look_at_record(&slow, t.quasi, row, together);
        }
        assert_int_equal(find_combinations(&ctx, &found, t.quasi, together, 0), SHOAL_OK);
        assert_int_equal(found.left_out, 0);
        assert_int_equal(found.records, rows);
        compare(&found, &slow, t.quasi);
        of_four += found.minimal[4];
        shoal_i_combinations_clear(&found);
        random_table_free(&t);
    }
    assert_true(of_four > 100);
    shoal_i_ctx_clear(&ctx);
}

/* 8 columns, 1 + 8 + 28 + 56 + 70 sets: what does not fit is left out and counted. */
static void test_effort_is_bounded(void **state)
{
    static const struct {
        uint64_t sets;
        size_t together;
        uint64_t left_out;
    } cases[] = {{161, 3, 70}, {162, 4, 0}, {91, 2, 126}, {35, 1, 154}, {0, 1, 154}};
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    random_table t = random_table_make(&ctx, 3, 50, 8, 30, false);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_i_combinations found;
        slow_answer slow = {0};
        uint64_t points = 50; /* all different with so many values */

        assert_int_equal(
            find_combinations(&ctx, &found, t.quasi, 4, points * cases[i].sets + 1), SHOAL_OK);
        assert_int_equal(found.asked, 4);
        assert_int_equal(found.together, cases[i].together);
        assert_int_equal(found.left_out, cases[i].left_out);
        assert_int_equal(found.sets + found.left_out, 162);
        for (size_t row = 0; row < 50; row++) {
            look_at_record(&slow, t.quasi, row, found.together);
        }
        compare(&found, &slow, t.quasi);
        shoal_i_combinations_clear(&found);
    }
    random_table_free(&t);
    shoal_i_ctx_clear(&ctx);
}

/* More than one block of words, and any number of threads. */
static void test_many_records(void **state)
{
    shoal_i_combinations found[2];
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    random_table t = random_table_make(&ctx, 7, 9000, 5, 40, true);

    for (int i = 0; i < 2; i++) {
        ctx.threads = 1 + 2 * i;
        assert_int_equal(find_combinations(&ctx, &found[i], t.quasi, 4, 0), SHOAL_OK);
        shoal_i_ctx_clear(&ctx);
    }
    assert_true(found[0].singled_out > 64 * 64);
    assert_int_equal(found[0].count, found[1].count);
    assert_memory_equal(found[0].items, found[1].items,
                        found[0].count * sizeof *found[0].items);
    assert_memory_equal(found[0].columns, found[1].columns, 5 * sizeof *found[0].columns);
    for (size_t i = 0; i < found[0].count; i += 5) {
        uint64_t uniques = 0;

        for (size_t row = 0; row < 9000; row += 90) {
            uniques += is_alone(t.quasi, row, mask_of(&found[0].items[i]));
        }
        /* A sample of the records, so no more than all of them. */
        assert_true(uniques <= found[0].items[i].uniques);
    }
    shoal_i_combinations_clear(&found[0]);
    shoal_i_combinations_clear(&found[1]);
    random_table_free(&t);
}

static shoal_status find_failing(shoal_ctx *ctx, void *quasi)
{
    shoal_i_combinations found;
    shoal_status st = find_combinations(ctx, &found, quasi, 4, 0);

    assert_true((st == SHOAL_OK) == (found.columns != NULL));
    shoal_i_combinations_clear(&found);
    return st;
}

static void test_allocation_failures(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    random_table t = random_table_make(&ctx, 5, 40, 3, 5, false);

    assert_survives_failing_allocations(&ctx, find_failing, t.quasi);
    random_table_free(&t);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_the_slow_search),
        cmocka_unit_test(test_effort_is_bounded),
        cmocka_unit_test(test_many_records),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
