/* Peeling: every group holds, by a slow count; every record is in one group with its own row;
 * nothing that could still be taken off as a whole is left; on any number of threads. */
#include "fake_clock.h"
#include "method_case.h"

#include "method/grouping/keep_cheaper.h"
#include "method/grouping/peel.h"

static const shoal_i_requirement_kind *const kinds[] = {
    &shoal_i_delta_disclosure, &shoal_i_beta_basic, &shoal_i_beta_enhanced,
    &shoal_i_alpha_general,    &shoal_i_t_equal,    &shoal_i_t_js,
    &shoal_i_l_entropy,        &shoal_i_l_distinct, &shoal_i_l_recursive,
    &shoal_i_t_ordered,
};
#define KINDS (sizeof kinds / sizeof *kinds)

typedef struct setup {
    method_case m;
    shoal_i_grouping *grouping;
    shoal_i_alternatives alternatives;
    bool is_possible;
    double noise;
    uint64_t seed;
} setup;

static void set_up(shoal_ctx *ctx, setup *s, uint64_t seed)
{
    uint32_t rows[CASE_ROWS_MAX];

    memset(s, 0, sizeof *s);
    /* Now and then more values than there may be strata: records are counted one by one. */
    method_case_make(ctx, &s->m, seed, 40 + 31 * (seed % 16), 1 + seed % 4,
                     seed % 5 == 4 ? 150 : 5, kinds[seed % KINDS]);
    s->noise = seed % 3 == 0 ? 0 : 1;
    s->seed = seed;
    assert_int_equal(shoal_i_grouping_new(ctx, &s->grouping, &s->m.problem), SHOAL_OK);
    assert_int_equal(
        shoal_i_alternatives_init(ctx, &s->alternatives, &s->m.problem, s->grouping->lanes),
        SHOAL_OK);
    for (uint32_t i = 0; i < s->m.problem.row_count; i++) {
        rows[i] = i;
    }
    s->is_possible = slow_holds(ctx, &s->m, rows, s->m.problem.row_count);
}

static void tear_down(setup *s)
{
    shoal_i_alternatives_clear(&s->alternatives);
    shoal_i_grouping_free(s->grouping);
    method_case_free(&s->m);
}

static shoal_status peel_it(shoal_ctx *ctx, void *payload)
{
    shoal_status st = SHOAL_OK;
    setup *s = payload;
    shoal_i_peeler peeler = {0};
    shoal_i_span all = {.count = s->grouping->count};

    SHOAL_TRY(shoal_i_peeler_init(ctx, &peeler, &s->m.problem, s->grouping->lanes,
                                  s->alternatives.strata, all.count));
    SHOAL_TRY(shoal_i_peel(ctx, &peeler, s->grouping, all, s->seed, s->noise));
done:
    shoal_i_peeler_clear(&peeler);
    return st;
}

/* Every record once, with its own row; every group holds. How many groups there are. */
static size_t check_groups(shoal_ctx *ctx, const setup *s)
{
    const shoal_i_grouping *g = s->grouping;
    size_t lanes = g->lanes->count;
    bool seen[CASE_ROWS_MAX] = {false};
    size_t groups = 0;
    size_t start = 0;

    assert_true(g->is_start[0]);
    for (size_t i = 0; i < g->count; i++) {
        assert_false(seen[g->records[i]]);
        seen[g->records[i]] = true;
        assert_memory_equal(g->rows + i * lanes, s->alternatives.rows + g->records[i] * lanes,
                            lanes * sizeof *g->rows);
        if (i + 1 == g->count || g->is_start[i + 1]) {
            assert_true(slow_holds(ctx, &s->m, g->records + start, i + 1 - start));
            start = i + 1;
            groups++;
        }
    }
    return groups;
}

/* The records of a group with a value in a lane, and the others; whether both hold. */
static bool could_part(shoal_ctx *ctx, const setup *s, size_t start, size_t end, size_t lane,
                       int32_t value)
{
    const shoal_i_grouping *g = s->grouping;
    uint32_t sides[2][CASE_ROWS_MAX];
    size_t counts[2] = {0};

    for (size_t i = start; i < end; i++) {
        size_t side = g->rows[i * g->lanes->count + lane] == value;

        sides[side][counts[side]++] = g->records[i];
    }
    return counts[0] > 0 && counts[1] > 0 && slow_holds(ctx, &s->m, sides[0], counts[0]) &&
           slow_holds(ctx, &s->m, sides[1], counts[1]);
}

/* No group is left of which the whole of a child, with 1 / 64 of the records or more, could be
 * taken off: first lanes in which it has several values, of columns with a hierarchy. */
static void check_done(shoal_ctx *ctx, const setup *s)
{
    const shoal_i_grouping *g = s->grouping;
    const shoal_i_lanes *lanes = g->lanes;

    for (size_t start = 0, end = 0; start < g->count; start = end) {
        for (end = start + 1; end < g->count && !g->is_start[end]; end++) {
        }
        for (size_t c = 0; c < lanes->quasi->count; c++) {
            size_t lane = lanes->first[c];

            if (!lanes->is_tree[lane] || end - start >= 64) {
                continue;
            }
            for (size_t i = start; i < end; i++) {
                assert_false(
                    could_part(ctx, s, start, end, lane, g->rows[i * lanes->count + lane]));
            }
        }
    }
}

static void test_peeled_groups_hold(void **state)
{
    shoal_ctx ctx;
    size_t tried = 0;
    size_t parted = 0;
    size_t inexact = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < rounds(120, 1000); seed++) {
        setup s;

        set_up(&ctx, &s, seed);
        if (s.is_possible) {
            shoal_i_span all = {.count = s.grouping->count};
            double whole = shoal_i_alternatives_cost(&s.alternatives, s.grouping, all);

            assert_int_equal(peel_it(&ctx, &s), SHOAL_OK);
            size_t groups = check_groups(&ctx, &s);

            check_done(&ctx, &s);
            assert_true(shoal_i_alternatives_cost(&s.alternatives, s.grouping, all) <=
                        whole * (1 + 1e-9));
            tried++;
            parted += groups > 1;
            inexact += groups > 1 && !s.alternatives.strata->are_exact;
        }
        tear_down(&s);
    }
    assert_true(tried > 60 && parted > tried / 3 && inexact > 0);
    shoal_i_ctx_clear(&ctx);
}

/* Under delta each class has every value, so there are no more than records of the rarest. */
static void test_every_value_in_every_group(void **state)
{
    shoal_ctx ctx;
    size_t found = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 40; seed++) {
        setup s;

        set_up(&ctx, &s, seed * KINDS); /* delta */
        if (s.is_possible) {
            assert_int_equal(peel_it(&ctx, &s), SHOAL_OK);
            size_t groups = check_groups(&ctx, &s);
            uint32_t rarest = UINT32_MAX;

            for (size_t i = 0; i < s.m.sensitive[0].value_count; i++) {
                uint32_t total = s.m.sensitive[0].totals[i];

                rarest = total < rarest ? total : rarest;
            }
            assert_true(groups <= rarest); /* each has every value */
            found += groups > 1;
        }
        tear_down(&s);
    }
    assert_true(found > 3);
    shoal_i_ctx_clear(&ctx);
}

/* Variations: the best stands, the same on any number of threads; none is made if the first
 * is too dear. */
static void test_variations(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < rounds(30, 200); seed++) {
        double costs[3] = {0};
        setup s[3];

        for (size_t i = 0; i < 3; i++) {
            shoal_i_peel_variations variations = {.count = 6, .near = i < 2 ? INFINITY : -1};
            shoal_ctx ctx;

            shoal_i_ctx_init(&ctx);
            ctx.threads = i == 0 ? 1 : 3;
            set_up(&ctx, &s[i], seed);
            if (s[i].is_possible) {
                shoal_i_span all = {.count = s[i].grouping->count};

                assert_int_equal(shoal_i_alternatives_peel(&ctx, &s[i].alternatives,
                                                           s[i].grouping, all, 3, &variations),
                                 SHOAL_OK);
                size_t groups = check_groups(&ctx, &s[i]);

                /* Of groups that cost the same more are better. */
                costs[i] = shoal_i_alternatives_cost(&s[i].alternatives, s[i].grouping, all) /
                           sqrt(1 + (double)groups / 64);
            }
            shoal_i_ctx_clear(&ctx);
        }
        assert_memory_equal(s[0].grouping->records, s[1].grouping->records,
                            s[0].grouping->count * sizeof *s[0].grouping->records);
        assert_memory_equal(s[0].grouping->is_start, s[1].grouping->is_start,
                            s[0].grouping->count);
        assert_true(costs[0] <= costs[2]);
        for (size_t i = 0; i < 3; i++) {
            tear_down(&s[i]);
        }
    }
}

/* Without time for the first variation what stood there stays; otherwise it is groups that
 * hold. */
static void test_time_for_some_variations(void **state)
{
    shoal_ctx ctx;
    size_t kept = 0;
    size_t peeled = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    for (uint64_t seconds = 0; seconds < 60; seconds++) {
        shoal_i_peel_variations variations = {
            .count = 6, .near = INFINITY, .deadline = (double)(1000 + seconds)};
        setup s;

        set_up(&ctx, &s, 14);
        assert_true(s.is_possible);
        shoal_i_span all = {.count = s.grouping->count};

        s.grouping->is_start[0] = 1; /* one group of all */
        fake_clock_looks = 1000;
        assert_int_equal(
            shoal_i_alternatives_peel(&ctx, &s.alternatives, s.grouping, all, 3, &variations),
            SHOAL_OK);
        size_t groups = check_groups(&ctx, &s);

        kept += groups == 1;
        peeled += groups > 1;
        assert_true(seconds > 0 || (groups == 1 && fake_clock_looks == 1003));
        tear_down(&s);
    }
    assert_true(kept > 0 && peeled > 3);
    shoal_i_ctx_clear(&ctx);
}

static shoal_status peel_variations(shoal_ctx *ctx, void *payload)
{
    setup *s = payload;
    shoal_i_span all = {.count = s->grouping->count};
    shoal_i_peel_variations variations = {.count = 3, .near = INFINITY};

    return shoal_i_alternatives_peel(ctx, &s->alternatives, s->grouping, all, 3, &variations);
}

static void test_failing_allocations_and_cancelling(void **state)
{
    shoal_ctx ctx;
    setup s;

    (void)state;
    shoal_i_ctx_init(&ctx);
    set_up(&ctx, &s, 10);
    assert_true(s.is_possible);
    assert_survives_failing_allocations(&ctx, peel_it, &s);
    assert_survives_failing_allocations(&ctx, peel_variations, &s);
    check_groups(&ctx, &s);
    const int cancel = 1;

    assert_int_equal(shoal_ctx_set_cancel(&ctx, &cancel), SHOAL_OK);
    assert_int_equal(peel_it(&ctx, &s), SHOAL_ECANCELLED);
    assert_int_equal(peel_variations(&ctx, &s), SHOAL_ECANCELLED);
    tear_down(&s);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_peeled_groups_hold),
        cmocka_unit_test(test_every_value_in_every_group),
        cmocka_unit_test(test_variations),
        cmocka_unit_test(test_time_for_some_variations),
        cmocka_unit_test(test_failing_allocations_and_cancelling),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
