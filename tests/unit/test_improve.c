#include "method_case.h"

#include "box/scan.h"
#include "method/best/heat.h"
#include "method/best/solution.h"
#include "method/grouping/split.h"

#include <string.h>

/* A solution of a random case, from near points. */
typedef struct fixture {
    method_case m;
    shoal_i_grouping *grouping;
    shoal_i_distinct *distinct;
    shoal_i_point_neighbours *points;
    shoal_i_solution *solution;
} fixture;

static void start_solution(shoal_ctx *ctx, fixture *f)
{
    assert_int_equal(shoal_i_grouping_new(ctx, &f->grouping, &f->m.problem), SHOAL_OK);
    assert_int_equal(shoal_i_grouping_distinct(ctx, &f->distinct, f->grouping,
                                               (shoal_i_span){.count = f->grouping->count}),
                     SHOAL_OK);
    assert_int_equal(
        shoal_i_point_neighbours_build(ctx, &f->points, &f->m.problem, f->distinct), SHOAL_OK);
    assert_int_equal(shoal_i_point_neighbours_list(ctx, f->points, 40), SHOAL_OK);
    assert_int_equal(shoal_i_solution_new(ctx, &f->solution, f->points), SHOAL_OK);
    assert_int_equal(shoal_i_solution_build(ctx, f->solution), SHOAL_OK);
}

static void set_up_solution(shoal_ctx *ctx, fixture *f, uint64_t seed)
{
    method_case_make(ctx, &f->m, seed, 100 + seed % 90, 1 + seed % 4, 2 + seed % 9,
                     case_kinds[seed % CASE_KINDS]);
    start_solution(ctx, f);
}

static void tear_down_solution(fixture *f)
{
    shoal_i_solution_free(f->solution);
    shoal_i_point_neighbours_free(f->points);
    shoal_i_distinct_free(f->distinct);
    shoal_i_grouping_free(f->grouping);
    method_case_free(&f->m);
}

/* The penalty of a group's members, computed anew. */
static int32_t true_penalty(const shoal_i_solution *s, uint32_t group)
{
    const shoal_i_lanes *lanes = s->points->lanes;
    const int32_t *member = shoal_i_point_row(s->points, s->groups[group].head);
    int32_t *rows = calloc(3 * lanes->count, sizeof *rows);
    shoal_i_probe probe = {.climb = rows + 2 * lanes->count};

    assert_non_null(rows);
    memcpy(rows, member, lanes->count * sizeof *rows);
    memcpy(rows + lanes->count, member, lanes->count * sizeof *rows);
    for (uint32_t i = s->groups[group].head; i != SHOAL_I_NO_POINT; i = s->next[i]) {
        const int32_t *row = shoal_i_point_row(s->points, i);

        shoal_i_box_join(lanes, rows, rows + lanes->count, row, row);
    }
    shoal_i_probe_set(&probe, lanes, rows, rows + lanes->count, member);
    int32_t penalty = shoal_i_penalty(lanes, &probe);

    free(rows);
    return penalty;
}

/* Every point is in one group, whose books are right. */
static void check_books(const fixture *f)
{
    const shoal_i_solution *s = f->solution;
    size_t points = 0;

    for (uint32_t group = 0; group < s->group_most; group++) {
        uint64_t load = 0;
        size_t count = 0;

        for (uint32_t i = s->groups[group].head; i != SHOAL_I_NO_POINT; i = s->next[i]) {
            assert_int_equal(s->group_of[i], group);
            load += s->points->weights[i];
            count++;
        }
        points += count;
        if (count > 0) {
            assert_int_equal(s->groups[group].count, count);
            assert_int_equal(s->groups[group].load, load);
            assert_int_equal(s->groups[group].penalty, true_penalty(s, group));
        }
    }
    assert_int_equal(points, s->points->count);
}

static void test_books(void **state)
{
    (void)state;
    shoal_ctx ctx;

    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 120; seed++) {
        fixture f = {0};
        shoal_i_meter meter = {.stage = "anonymize", .total = 1};
        shoal_i_search_limit limit = {.work = 400000, .units = 1};

        set_up_solution(&ctx, &f, seed);
        int64_t before = shoal_i_solution_cost(f.solution);

        check_books(&f);
        assert_int_equal(shoal_i_solution_improve(&ctx, f.solution, seed, limit, &meter),
                         SHOAL_OK);
        check_books(&f);
        assert_true(shoal_i_solution_cost(f.solution) <= before);
        tear_down_solution(&f);
    }
    shoal_i_ctx_clear(&ctx);
}

/* The groups of a solution, as the cost and the members tell. */
static bool are_same(const shoal_i_solution *a, const shoal_i_solution *b)
{
    return shoal_i_solution_cost(a) == shoal_i_solution_cost(b) &&
           memcmp(a->group_of, b->group_of, a->points->count * sizeof *a->group_of) == 0;
}

/* A copy goes its own way. */
static void test_copy(void **state)
{
    (void)state;
    shoal_ctx ctx;

    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 20; seed++) {
        fixture f = {0};
        shoal_i_solution *copy = NULL;
        shoal_i_solution *again = NULL;
        shoal_i_meter meter = {.stage = "anonymize", .total = 1};
        shoal_i_search_limit limit = {.work = 200000, .units = 1};

        set_up_solution(&ctx, &f, seed);
        assert_int_equal(shoal_i_solution_copy(&ctx, &copy, f.solution), SHOAL_OK);
        assert_int_equal(shoal_i_solution_copy(&ctx, &again, f.solution), SHOAL_OK);
        assert_true(are_same(copy, f.solution));
        assert_int_equal(shoal_i_solution_improve(&ctx, copy, seed, limit, &meter), SHOAL_OK);
        assert_true(are_same(again, f.solution));
        check_books(&f);
        assert_int_equal(shoal_i_solution_improve(&ctx, f.solution, seed, limit, &meter),
                         SHOAL_OK);
        assert_true(are_same(copy, f.solution));
        shoal_i_solution_free(copy);
        shoal_i_solution_free(again);
        tear_down_solution(&f);
    }
    shoal_i_ctx_clear(&ctx);
}

/* A heated search keeps its books as well, and often ends lower than one that takes only what
 * gains, which is why it is there. */
static void test_heated(void **state)
{
    (void)state;
    shoal_ctx ctx;
    int lower = 0;

    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 20; seed++) {
        fixture f = {0};
        shoal_i_solution *plain = NULL;
        shoal_i_meter meter = {.stage = "anonymize", .total = 1};
        shoal_i_search_limit limit = {.work = 4000000, .units = 1};

        method_case_make(&ctx, &f.m, seed, CASE_ROWS_MAX, 4, 40, &shoal_i_k_anonymity);
        start_solution(&ctx, &f);
        assert_int_equal(shoal_i_solution_copy(&ctx, &plain, f.solution), SHOAL_OK);
        assert_int_equal(shoal_i_solution_improve(&ctx, plain, seed, limit, &meter), SHOAL_OK);
        assert_int_equal(shoal_i_solution_improve_heated(&ctx, f.solution, seed, limit, &meter),
                         SHOAL_OK);
        check_books(&f);
        lower += shoal_i_solution_cost(f.solution) < shoal_i_solution_cost(plain);
        shoal_i_solution_free(plain);
        tear_down_solution(&f);
    }
    assert_in_range(lower, 6, 20);
    shoal_i_ctx_clear(&ctx);
}

/* Ten points to a group take all of the heat, from there on it falls by the square, and more
 * than 25 take none. */
static void test_heat_by_points(void **state)
{
    (void)state;
    assert_true(shoal_i_heat_first(20, 10) == SHOAL_I_HEAT);
    assert_true(shoal_i_heat_first(1000, 100) == SHOAL_I_HEAT);
    assert_true(fabs(shoal_i_heat_first(1001, 100) / SHOAL_I_HEAT - 0.998003) < 1e-6);
    assert_true(fabs(shoal_i_heat_first(2000, 100) / SHOAL_I_HEAT - 0.25) < 1e-12);
    assert_true(fabs(shoal_i_heat_first(2500, 100) / SHOAL_I_HEAT - 0.16) < 1e-12);
    assert_true(shoal_i_heat_first(2501, 100) == 0);
    assert_true(shoal_i_heat_first(7, 0) == SHOAL_I_HEAT);
}

static void test_heat_by_progress(void **state)
{
    (void)state;
    assert_int_equal(shoal_i_heat_after(0.5, 0), SHOAL_I_HEAT_UNIT / 2);
    assert_int_equal(shoal_i_heat_after(0.5, 0.475), SHOAL_I_HEAT_UNIT / 8);
    assert_true(shoal_i_heat_after(0.5, 0.93) > 0);
    assert_int_equal(shoal_i_heat_after(0.5, 0.95), 0);
    assert_int_equal(shoal_i_heat_after(0.5, 1), 0);
    assert_int_equal(shoal_i_heat_after(0, 0), 0);
}

/* So many groups of points as they come, of as many points as can be. */
static void start_with_groups(shoal_ctx *ctx, fixture *f, size_t groups)
{
    size_t count = f->points->count;
    uint32_t *points = calloc(count, sizeof *points);
    int32_t *climb = calloc(f->points->lanes->count, sizeof *climb);

    assert_non_null(points);
    assert_non_null(climb);
    for (uint32_t i = 0; i < count; i++) {
        points[i] = i;
    }
    shoal_i_solution_free(f->solution);
    assert_int_equal(shoal_i_solution_new(ctx, &f->solution, f->points), SHOAL_OK);
    for (size_t g = 0; g < groups; g++) {
        size_t first = g * count / groups;

        shoal_i_solution_group(f->solution, points + first, (g + 1) * count / groups - first,
                               climb);
    }
    free(points);
    free(climb);
}

/* Whether a heated search of these groups does as one that is not heated. */
static bool is_not_heated(shoal_ctx *ctx, fixture *f, uint64_t seed, size_t groups)
{
    shoal_i_solution *plain = NULL;
    shoal_i_meter meter = {.stage = "anonymize", .total = 1};
    shoal_i_search_limit limit = {.work = 400000, .units = 1};

    start_with_groups(ctx, f, groups);
    assert_int_equal(shoal_i_solution_copy(ctx, &plain, f->solution), SHOAL_OK);
    assert_int_equal(shoal_i_solution_improve(ctx, plain, seed, limit, &meter), SHOAL_OK);
    assert_int_equal(shoal_i_solution_improve_heated(ctx, f->solution, seed, limit, &meter),
                     SHOAL_OK);
    check_books(f);
    bool is_same = are_same(plain, f->solution);

    shoal_i_solution_free(plain);
    return is_same;
}

/* A heated search of large groups takes no heat: it is the one that is not heated, from the
 * first group on that makes them larger than the border. */
static void test_large_groups_take_no_heat(void **state)
{
    (void)state;
    shoal_ctx ctx;

    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 4; seed++) {
        fixture f = {0};

        method_case_make(&ctx, &f.m, seed, CASE_ROWS_MAX, 4, 40, &shoal_i_k_anonymity);
        start_solution(&ctx, &f);
        size_t border =
            (f.points->count + SHOAL_I_HEATED_POINTS_MOST - 1) / SHOAL_I_HEATED_POINTS_MOST;

        assert_true(border > 10);
        assert_false(is_not_heated(&ctx, &f, seed, 3 * border));
        assert_false(is_not_heated(&ctx, &f, seed, border));
        assert_true(is_not_heated(&ctx, &f, seed, border - 1));
        assert_true(is_not_heated(&ctx, &f, seed, border / 3));
        tear_down_solution(&f);
    }
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_books),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_heated),
        cmocka_unit_test(test_heat_by_points),
        cmocka_unit_test(test_heat_by_progress),
        cmocka_unit_test(test_large_groups_take_no_heat),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
