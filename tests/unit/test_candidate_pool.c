#include "context.h"
#include "method_case.h"

#include "box/scan.h"
#include "method/best/candidate_pool.h"
#include "method/grouping/split.h"

#include <string.h>

#define POINTS_MAX 120

typedef struct fixture {
    method_case m;
    shoal_i_grouping *grouping;
    shoal_i_distinct *distinct;
    shoal_i_point_neighbours *points;
    shoal_i_candidate_pool pool;
} fixture;

static void set_up_pool(shoal_ctx *ctx, fixture *f, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    method_case_make(ctx, &f->m, seed, 20 + seed % 100, 1 + seed % 4, 2 + seed % 12,
                     case_kinds[seed % CASE_KINDS]);
    assert_int_equal(shoal_i_grouping_new(ctx, &f->grouping, &f->m.problem), SHOAL_OK);
    assert_int_equal(shoal_i_grouping_distinct(ctx, &f->distinct, f->grouping,
                                               (shoal_i_span){.count = f->grouping->count}),
                     SHOAL_OK);
    assert_int_equal(
        shoal_i_point_neighbours_build(ctx, &f->points, &f->m.problem, f->distinct), SHOAL_OK);
    assert_int_equal(shoal_i_candidate_pool_init(ctx, &f->pool, f->points, f->points->count),
                     SHOAL_OK);
    shoal_i_candidate_pool_empty(&f->pool);
    for (uint32_t i = 0; i < f->points->count; i++) {
        shoal_i_candidate_pool_add(&f->pool, i);
    }
}

static void tear_down_pool(fixture *f)
{
    shoal_i_candidate_pool_clear(&f->pool);
    shoal_i_point_neighbours_free(f->points);
    shoal_i_distinct_free(f->distinct);
    shoal_i_grouping_free(f->grouping);
    method_case_free(&f->m);
}

/* The penalty of the box around points, computed anew. */
static int32_t slow_penalty(const fixture *f, const uint32_t *points, size_t count)
{
    const shoal_i_lanes *lanes = f->points->lanes;
    int32_t lo[256];
    int32_t hi[256];
    int32_t climb[256];
    shoal_i_probe probe = {.climb = climb};
    const int32_t *member = shoal_i_point_row(f->points, points[0]);

    assert_true(lanes->count <= 256);
    memcpy(lo, member, lanes->count * sizeof *lo);
    memcpy(hi, member, lanes->count * sizeof *hi);
    for (size_t i = 1; i < count; i++) {
        const int32_t *row = shoal_i_point_row(f->points, points[i]);

        shoal_i_box_join(lanes, lo, hi, row, row);
    }
    shoal_i_probe_set(&probe, lanes, lo, hi, member);
    return shoal_i_penalty(lanes, &probe);
}

static bool points_hold(shoal_ctx *ctx, const fixture *f, const uint32_t *points, size_t count)
{
    shoal_i_tally tally = {0};

    assert_int_equal(shoal_i_tally_init(ctx, &tally, f->m.problem.source), SHOAL_OK);
    for (size_t i = 0; i < count; i++) {
        shoal_i_point_tally(f->points, points[i], &tally);
    }
    bool holds = shoal_i_requirement_holds(&f->m.set, &tally.stats);

    shoal_i_tally_clear(&tally);
    return holds;
}

/* A group says of itself what is true, and its members left the free ones. */
static void check_growth(shoal_ctx *ctx, const fixture *f, const shoal_i_growth *growth)
{
    const uint32_t *members = f->pool.members + f->pool.free;
    size_t count = growth->end - f->pool.free;
    uint64_t load = 0;
    size_t times[POINTS_MAX] = {0};

    for (size_t i = 0; i < count; i++) {
        load += f->distinct->weights[members[i]];
    }
    assert_int_equal(growth->load, load);
    assert_int_equal(growth->penalty, slow_penalty(f, members, count));
    assert_int_equal(growth->holds, points_hold(ctx, f, members, count));
    for (size_t i = 0; i < f->pool.count; i++) {
        times[f->pool.members[i]]++;
        assert_memory_equal(f->pool.rows + i * f->points->lanes->count,
                            shoal_i_point_row(f->points, f->pool.members[i]),
                            f->points->lanes->count * sizeof *f->pool.rows);
    }
    for (size_t i = 0; i < f->points->count; i++) {
        assert_int_equal(times[i], 1);
    }
}

/* Who joins, in the order of joining, raised the penalty least of all that were free; nobody
 * came after the group held but those that it cost nothing; and if it does not hold, all are
 * in. */
static void check_greed(shoal_ctx *ctx, const fixture *f, const shoal_i_growth *growth)
{
    uint32_t group[POINTS_MAX + 1];
    size_t count = 0;

    for (size_t place = growth->end; place-- > f->pool.free;) {
        group[count] = f->pool.members[place];
        if (count > 0) {
            int32_t before = slow_penalty(f, group, count);
            int32_t with = slow_penalty(f, group, count + 1);

            assert_true(with == before || !points_hold(ctx, f, group, count));
            for (size_t other = 0; other < place; other++) {
                group[count] = f->pool.members[other];
                assert_true(slow_penalty(f, group, count + 1) >= with);
            }
            group[count] = f->pool.members[place];
        }
        count++;
    }
    assert_true(growth->holds || f->pool.free == 0);
    for (size_t other = 0; growth->holds && f->pool.is_size_enough && other < f->pool.free;
         other++) {
        group[count] = f->pool.members[other];
        assert_true(slow_penalty(f, group, count + 1) > growth->penalty);
    }
}

static void test_groups_grow_by_the_cheapest(void **state)
{
    shoal_ctx *ctx = *state;
    size_t grown = 0;

    for (uint64_t seed = 0; seed < 96; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        fixture f;

        set_up_pool(ctx, &f, seed);
        while (f.pool.free > 0) {
            size_t place = (size_t)shoal_i_random_below(&random, f.pool.free);
            shoal_i_growth growth = shoal_i_candidate_pool_grow(&f.pool, place);

            check_growth(ctx, &f, &growth);
            check_greed(ctx, &f, &growth);
            grown++;
        }
        tear_down_pool(&f);
    }
    assert_true(grown > 200);
}

/* Points that are named become a group whatever it costs. */
static void test_groups_of_named_points(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < 48; seed++) {
        fixture f;
        uint32_t named[POINTS_MAX];
        size_t count = 0;

        set_up_pool(ctx, &f, seed);
        for (uint32_t i = 0; i < f.points->count; i += 3) {
            named[count++] = i;
        }
        shoal_i_growth growth = shoal_i_candidate_pool_group(&f.pool, named, count);

        assert_int_equal(growth.end - f.pool.free, count);
        for (size_t i = f.pool.free; i < growth.end; i++) {
            assert_int_equal(f.pool.members[i] % 3, 0);
        }
        check_growth(ctx, &f, &growth);
        tear_down_pool(&f);
    }
}

static void test_the_farthest_is_the_farthest(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < 48; seed++) {
        fixture f;

        set_up_pool(ctx, &f, seed);
        size_t from = seed % f.pool.free;
        size_t far = shoal_i_candidate_pool_farthest(&f.pool, from);
        uint32_t pair[] = {f.pool.members[from], f.pool.members[far]};
        int32_t most = slow_penalty(&f, pair, 2);

        for (size_t i = 0; i < f.pool.free; i++) {
            pair[1] = f.pool.members[i];
            assert_true(slow_penalty(&f, pair, 2) <= most);
        }
        tear_down_pool(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups_grow_by_the_cheapest),
        cmocka_unit_test(test_groups_of_named_points),
        cmocka_unit_test(test_the_farthest_is_the_farthest),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
