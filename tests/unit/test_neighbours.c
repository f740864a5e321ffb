/* Orders of groups against sorting by whole keys, one comparison at a time. */
#include "context.h"
#include "failing.h"

#include "base/random.h"
#include "method/grouping/neighbours.h"

#include <shoal/table.h>

#include <stdio.h>
#include <stdlib.h>

#define COLUMNS_MAX 12
#define GROUPS_MAX 400

/* Groups of two rows each, over columns of numbers. */
typedef struct bed {
    shoal_table *table;
    shoal_i_quasi *quasi;
    shoal_i_lanes *lanes;
    size_t count;
    int32_t *boxes;
} bed;

static void open_bed(shoal_ctx *ctx, bed *b, uint64_t seed, size_t columns, size_t count)
{
    static char names[COLUMNS_MAX][24];
    static int32_t values[COLUMNS_MAX][GROUPS_MAX];
    shoal_i_random random = shoal_i_random_start(seed);
    shoal_array arrays[COLUMNS_MAX] = {{0}};
    shoal_i_quasi_request requests[COLUMNS_MAX] = {{0}};

    *b = (bed){.count = count};
    for (size_t c = 0; c < columns; c++) {
        uint64_t range = c % 3 == 0 ? 3 : c % 3 == 1 ? 100 : 1000000;

        snprintf(names[c], sizeof names[c], "A%zu", c);
        for (size_t i = 0; i < count; i++) {
            values[c][i] = (int32_t)shoal_i_random_below(&random, range);
        }
        arrays[c] = (shoal_array){
            .name = names[c], .kind = SHOAL_ARRAY_INT32, .length = count, .data = values[c]};
        requests[c] = (shoal_i_quasi_request){.column = c, .weight = 1};
    }
    assert_int_equal(shoal_table_from_arrays(ctx, &b->table, arrays, columns), SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(ctx, &b->quasi, b->table, requests, columns),
                     SHOAL_OK);
    assert_int_equal(shoal_i_lanes_build(ctx, &b->lanes, b->quasi), SHOAL_OK);
    assert_int_equal(shoal_i_lanes_rows(ctx, &b->boxes, b->lanes), SHOAL_OK);
}

static void close_bed(bed *b)
{
    free(b->boxes);
    shoal_i_lanes_free(b->lanes);
    shoal_i_quasi_free(b->quasi);
    shoal_table_free(b->table);
}

/* What a group is sorted by in a column: twice the middle, cut to one byte or two. */
static uint64_t digit_of(const bed *b, size_t columns, size_t g, size_t c)
{
    size_t lane = b->lanes->first[c + 1] - 1;
    uint64_t most = 0;
    unsigned shift = 0;

    if (b->lanes->first[c + 1] == b->lanes->first[c]) {
        return 0;
    }
    for (size_t i = 0; i < b->count; i++) {
        uint64_t twice = 2 * (uint64_t)b->boxes[i * b->lanes->count + lane];

        most = twice > most ? twice : most;
    }
    while (most >> shift >> (columns <= 4 ? 16 : 8)) {
        shift++;
    }
    return 2 * (uint64_t)b->boxes[g * b->lanes->count + lane] >> shift;
}

/* The place of each group in the order that starts with a column: how many come before it. */
static void slow_order(const bed *b, size_t columns, size_t first, uint32_t *groups)
{
    uint64_t(*keys)[COLUMNS_MAX] = calloc(b->count, sizeof *keys);
    size_t used = columns < 8 ? columns : 8;

    for (size_t g = 0; g < b->count; g++) {
        for (size_t i = 0; i < used; i++) {
            keys[g][i] = digit_of(b, columns, g, (first + i) % columns);
        }
    }
    for (size_t g = 0; g < b->count; g++) {
        size_t place = 0;

        for (size_t other = 0; other < b->count; other++) {
            size_t i = 0;

            while (i < used && keys[other][i] == keys[g][i]) {
                i++;
            }
            place += i < used ? keys[other][i] < keys[g][i] : other < g;
        }
        groups[place] = (uint32_t)g;
    }
    free(keys);
}

static size_t slow_window(uint32_t *out, const uint32_t *groups, size_t count, uint32_t g,
                          size_t reach)
{
    size_t at = 0;
    size_t listed = 0;

    while (groups[at] != g) {
        at++;
    }
    for (size_t i = at > reach ? at - reach : 0; i < count && i <= at + reach; i++) {
        if (i != at) {
            out[listed++] = groups[i];
        }
    }
    return listed;
}

static void check_lists(shoal_ctx *ctx, const bed *b, size_t columns, size_t reach)
{
    size_t orders = columns < 8 ? columns : 8;
    uint32_t(*groups)[GROUPS_MAX] = calloc(orders + 1, sizeof *groups);
    shoal_i_neighbours *neighbours = NULL;

    for (size_t order = 0; order < orders; order++) {
        slow_order(b, columns, order * columns / orders, groups[order + 1]);
    }
    for (uint32_t g = 0; g < b->count; g++) {
        groups[0][g] = g;
    }
    assert_int_equal(
        shoal_i_neighbours_build(ctx, &neighbours, b->lanes, b->boxes, 1, b->count), SHOAL_OK);
    for (uint32_t g = 0; g < b->count; g++) {
        uint32_t wanted[1024];
        uint32_t found[1024];
        size_t count = slow_window(wanted, groups[0], b->count, g, 2 * reach);

        for (size_t order = 1; order <= orders; order++) {
            count += slow_window(wanted + count, groups[order], b->count, g, reach);
        }
        assert_true(shoal_i_neighbours_most(neighbours, reach) <= 1024);
        assert_int_equal(shoal_i_neighbours_list(neighbours, found, g, reach), count);
        assert_memory_equal(found, wanted, count * sizeof *wanted);
    }
    shoal_i_neighbours_free(neighbours);
    free(groups);
}

static void test_lists_of_neighbours(void **state)
{
    shoal_ctx *ctx = *state;

    for (size_t columns = 1; columns <= COLUMNS_MAX; columns++) {
        size_t count = columns % 4 == 3 ? 1 : 60 * columns % (GROUPS_MAX - 2) + 2;
        bed b;

        open_bed(ctx, &b, columns, columns, count);
        check_lists(ctx, &b, columns, 1 + columns % 9);
        close_bed(&b);
    }
}

static shoal_status build_again(shoal_ctx *ctx, void *payload)
{
    const bed *b = payload;
    shoal_i_neighbours *neighbours = NULL;
    shoal_status st =
        shoal_i_neighbours_build(ctx, &neighbours, b->lanes, b->boxes, 1, b->count);

    assert_true((st == SHOAL_OK) == (neighbours != NULL));
    shoal_i_neighbours_free(neighbours);
    return st;
}

static void test_failing_allocations(void **state)
{
    bed b;

    open_bed(*state, &b, 5, 3, 40);
    assert_survives_failing_allocations(*state, build_again, &b);
    close_bed(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_of_neighbours),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
