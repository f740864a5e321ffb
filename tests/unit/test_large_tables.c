/* What is done in chunks, on several threads, held against the obvious way: points of many
 * rows, places parted by sides, values of wide columns, samples of records. */
#include "failing.h"

#include "base/random.h"
#include "box/distinct.h"
#include "lattice/scales.h"
#include "method/best/unassigned_points.h"
#include "method/grouping/split.h"
#include "requirement/requirement.h"

#include <string.h>

#define LANES 4

static shoal_ctx *make_ctx(int threads)
{
    shoal_ctx *ctx = shoal_ctx_new();

    assert_non_null(ctx);
    assert_int_equal(shoal_ctx_set_threads(ctx, threads), SHOAL_OK);
    return ctx;
}

/* --- Points. ------------------------------------------------------------------------------ */

typedef struct rows_case {
    size_t count;
    int32_t *rows;
    uint32_t *parts;
} rows_case;

static int compare(const rows_case *r, bool has_parts, size_t a, size_t b)
{
    if (has_parts && r->parts[a] != r->parts[b]) {
        return r->parts[a] < r->parts[b] ? -1 : 1;
    }
    for (size_t lane = 0; lane < LANES; lane++) {
        if (r->rows[a * LANES + lane] != r->rows[b * LANES + lane]) {
            return r->rows[a * LANES + lane] < r->rows[b * LANES + lane] ? -1 : 1;
        }
    }
    return 0;
}

/* Points in order, each different from the one before, its records those with its row. */
static void check_points(const shoal_i_distinct *d, const rows_case *r, bool has_parts)
{
    bool *is_seen = calloc(r->count + 1, sizeof *is_seen);

    assert_int_equal(d->first[0], 0);
    assert_int_equal(d->first[d->count], r->count);
    for (size_t point = 0; point < d->count; point++) {
        size_t record = d->records[d->first[point]];

        assert_int_equal(d->weights[point], d->first[point + 1] - d->first[point]);
        assert_memory_equal(d->rows + point * LANES, r->rows + record * LANES,
                            LANES * sizeof *d->rows);
        assert_true(point == 0 ||
                    compare(r, has_parts, d->records[d->first[point] - 1], record) < 0);
        for (size_t i = d->first[point]; i < d->first[point + 1]; i++) {
            assert_int_equal(compare(r, has_parts, d->records[i], record), 0);
            assert_true(i == d->first[point] || d->records[i - 1] < d->records[i]);
            assert_false(is_seen[d->records[i]]);
            is_seen[d->records[i]] = true;
        }
    }
    free(is_seen);
}

/* kind 0: in order already; 1: but for the last row; 2: in no order. Parts: none, ascending, in
 * no order. */
static void test_points_of_many_rows(void **state)
{
    static const size_t counts[] = {1, 2, 32768, 32769, 100000};
    const shoal_i_lanes lanes = {.count = LANES};

    (void)state;
    for (unsigned n = 0; n < 5 * 3 * 3; n++) {
        shoal_ctx *ctx = make_ctx(n % 2 ? 3 : 1);
        unsigned kind = n % 3;
        unsigned parts = n / 3 % 3;
        rows_case r = {.count = counts[n / 9]};
        shoal_i_random random = shoal_i_random_start(n);
        shoal_i_distinct *d = NULL;

        r.rows = calloc(r.count * LANES, sizeof *r.rows);
        r.parts = calloc(r.count, sizeof *r.parts);
        for (size_t i = 0; i < r.count; i++) {
            uint64_t value = kind == 2 ? shoal_i_random_below(&random, r.count / 2 + 1) : i / 2;

            for (size_t lane = LANES; lane-- > 0; value /= 30) {
                r.rows[i * LANES + lane] = (int32_t)(lane > 0 ? value % 30 : value);
            }
            r.parts[i] = (uint32_t)(parts == 1 ? i / 7 : shoal_i_random_below(&random, 3));
        }
        r.rows[(r.count - 1) * LANES] = kind == 1 ? 0 : r.rows[(r.count - 1) * LANES];
        const shoal_i_distinct_rows from = {
            .rows = r.rows, .count = r.count, .parts = parts ? r.parts : NULL};

        assert_int_equal(shoal_i_distinct_build(ctx, &d, &lanes, &from), SHOAL_OK);
        check_points(d, &r, parts > 0);
        shoal_i_distinct_free(d);
        free(r.rows);
        free(r.parts);
        shoal_ctx_free(ctx);
    }
}

static shoal_status build_points(shoal_ctx *ctx, void *payload)
{
    const shoal_i_lanes lanes = {.count = LANES};
    shoal_i_distinct *d = NULL;
    shoal_status st = shoal_i_distinct_build(ctx, &d, &lanes, payload);

    assert_true((st == SHOAL_OK) == (d != NULL));
    shoal_i_distinct_free(d);
    return st;
}

static void test_points_survive_failing_allocations(void **state)
{
    int32_t rows[3 * LANES] = {2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0};
    uint32_t parts[3] = {0, 0, 1};
    shoal_i_distinct_rows from = {.rows = rows, .count = 3, .parts = parts};
    shoal_ctx *ctx = make_ctx(1);

    (void)state;
    assert_survives_failing_allocations(ctx, build_points, &from);
    shoal_ctx_free(ctx);
}

/* --- Sides. ------------------------------------------------------------------------------- */

/* The two ends meet, and whoever stands on the wrong side changes places with the other end's
 * next. */
static size_t part_slowly(uint32_t *records, const uint8_t *sides, size_t count)
{
    size_t i = 0;
    size_t j = count;

    while (true) {
        while (i < j && sides[i] == 0) {
            i++;
        }
        while (i < j && sides[j - 1] != 0) {
            j--;
        }
        if (i >= j) {
            return i;
        }
        uint32_t record = records[i];

        records[i++] = records[--j];
        records[j] = record;
    }
}

static void test_sides_part_places(void **state)
{
    const shoal_i_lanes lanes = {.count = LANES};
    shoal_i_random random = shoal_i_random_start(3);

    (void)state;
    for (size_t count = 0; count < 400; count += 1 + count / 9) {
        for (unsigned share = 0; share <= 4; share++) { /* from none of side 1 to all */
            int32_t rows[400 * LANES];
            uint32_t records[400];
            uint32_t expected[400];
            uint8_t sides[400];
            shoal_i_grouping g = {
                .lanes = &lanes, .rows = rows, .records = records, .count = count};

            for (uint32_t i = 0; i < count; i++) {
                sides[i] = shoal_i_random_below(&random, 4) < share;
                records[i] = i;
                expected[i] = i;
                for (size_t lane = 0; lane < LANES; lane++) {
                    rows[i * LANES + lane] = (int32_t)(i * LANES + lane);
                }
            }
            assert_int_equal(shoal_i_grouping_part(&g, (shoal_i_span){.count = count}, sides),
                             part_slowly(expected, sides, count));
            for (size_t i = 0; i < count; i++) {
                assert_int_equal(records[i], expected[i]);
                assert_int_equal(rows[i * LANES + 3], (int32_t)(expected[i] * LANES + 3));
            }
        }
    }
}

/* --- Values and samples. ------------------------------------------------------------------ */

typedef struct number_case {
    shoal_table *table;
    shoal_i_quasi *quasi;
    shoal_i_lanes *lanes;
    int32_t *rows;
    shoal_i_distinct *distinct;
} number_case;

/* One column of so many different numbers, each of one to three records. */
static number_case make_numbers(shoal_ctx *ctx, size_t values)
{
    number_case n = {0};
    size_t count = 0;
    int32_t *numbers = calloc(3 * values, sizeof *numbers);
    const shoal_i_quasi_request request = {.weight = 1};

    for (size_t i = 0; i < values; i++) {
        for (size_t j = 0; j <= i % 3; j++) {
            numbers[count++] = (int32_t)(i * 7919 % values * 1000 + i % 2);
        }
    }
    const shoal_array array = {
        .name = "x", .kind = SHOAL_ARRAY_INT32, .length = count, .data = numbers};

    assert_int_equal(shoal_table_from_arrays(ctx, &n.table, &array, 1), SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(ctx, &n.quasi, n.table, &request, 1), SHOAL_OK);
    assert_int_equal(shoal_i_lanes_build(ctx, &n.lanes, n.quasi), SHOAL_OK);
    assert_int_equal(shoal_i_lanes_rows(ctx, &n.rows, n.lanes), SHOAL_OK);
    const shoal_i_distinct_rows from = {.rows = n.rows, .count = count};

    assert_int_equal(shoal_i_distinct_build(ctx, &n.distinct, n.lanes, &from), SHOAL_OK);
    free(numbers);
    return n;
}

static void free_numbers(number_case *n)
{
    shoal_i_distinct_free(n->distinct);
    free(n->rows);
    shoal_i_lanes_free(n->lanes);
    shoal_i_quasi_free(n->quasi);
    shoal_table_free(n->table);
}

/* Few numbers are looked up, many are sorted; points stand in order, so that the number of a
 * value is that of its point. */
static void test_values_are_numbered_in_order(void **state)
{
    static const size_t counts[] = {2, 300, 16384, 16385, 40000};

    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        shoal_ctx *ctx = make_ctx(2);
        number_case n = make_numbers(ctx, counts[i]);
        shoal_i_scales *scales = NULL;

        assert_int_equal(shoal_i_scales_build(ctx, &scales, n.distinct, 8), SHOAL_OK);
        assert_int_equal(n.distinct->count, counts[i]);
        assert_int_equal(scales->columns[0].value_count, counts[i]);
        for (uint32_t point = 0; point < n.distinct->count; point++) {
            assert_int_equal(scales->values[point], point);
        }
        shoal_i_scales_free(scales);
        free_numbers(&n);
        shoal_ctx_free(ctx);
    }
}

/* Every step-th record is in the sample, whoever else stands at its point. */
static void test_samples_of_records(void **state)
{
    shoal_ctx *ctx = make_ctx(1);
    number_case n = make_numbers(ctx, 500);
    shoal_i_requirement_set set = {0};
    const shoal_i_problem problem = {.quasi = n.quasi, .requirements = &set};
    shoal_i_point_neighbours *points = NULL;
    shoal_i_scales *scales = NULL;
    size_t records = n.distinct->first[n.distinct->count];

    (void)state;
    assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, 10), SHOAL_OK);
    assert_int_equal(shoal_i_point_neighbours_build(ctx, &points, &problem, n.distinct),
                     SHOAL_OK);
    assert_int_equal(shoal_i_scales_build(ctx, &scales, n.distinct, 8), SHOAL_OK);
    for (size_t step = 1; step <= 5; step++) {
        shoal_i_unassigned u = {0};
        size_t at = 0;

        assert_int_equal(shoal_i_unassigned_sample(ctx, &u, points, scales, step), SHOAL_OK);
        assert_int_equal(u.smallest, (10 + step - 1) / step);
        assert_int_equal(u.load, (records + step - 1) / step);
        for (uint32_t point = 0; point < n.distinct->count; point++) {
            uint32_t sampled = 0;

            for (size_t i = n.distinct->first[point]; i < n.distinct->first[point + 1]; i++) {
                sampled += i % step == 0;
            }
            if (sampled > 0) {
                assert_int_equal(u.points[at], point);
                assert_int_equal(u.weights[at], sampled);
                assert_int_equal(u.values[at], scales->values[point]);
                at++;
            }
        }
        assert_int_equal(u.count, at);
        shoal_i_unassigned_clear(&u);
    }
    shoal_i_scales_free(scales);
    shoal_i_point_neighbours_free(points);
    shoal_i_requirement_set_clear(&set);
    free_numbers(&n);
    shoal_ctx_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_of_many_rows),
        cmocka_unit_test(test_points_survive_failing_allocations),
        cmocka_unit_test(test_sides_part_places),
        cmocka_unit_test(test_values_are_numbered_in_order),
        cmocka_unit_test(test_samples_of_records),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
