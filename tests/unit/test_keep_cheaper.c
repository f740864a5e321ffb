/* Strata, carving, exchanging, and methods that compete where sensitive values matter. */
#include "fake_clock.h"
#include "method_case.h"

#include "box/scan.h"
#include "method/grouping/carve.h"
#include "method/grouping/exchange.h"
#include "method/grouping/keep_cheaper.h"

/* Kinds under which grouping by the quasi-identifier alone goes wrong most. */
static const shoal_i_requirement_kind *const strict_kinds[] = {
    &shoal_i_alpha_general,    &shoal_i_l_frequency,
    &shoal_i_l_entropy,        &shoal_i_t_js,
    &shoal_i_t_equal,          &shoal_i_t_ordered,
    &shoal_i_delta_disclosure, &shoal_i_beta_basic,
    &shoal_i_l_distinct,
};
#define STRICT_KINDS (sizeof strict_kinds / sizeof *strict_kinds)

static void set_up(shoal_ctx *ctx)
{
    shoal_i_ctx_init(ctx);
    ctx->threads = 2;
}

static bool whole_holds(shoal_ctx *ctx, const method_case *m)
{
    uint32_t rows[CASE_ROWS_MAX];

    for (uint32_t i = 0; i < m->problem.row_count; i++) {
        rows[i] = i;
    }
    return slow_holds(ctx, m, rows, m->problem.row_count);
}

static double run_loss(shoal_ctx *ctx, const method_case *m, const char *variant)
{
    shoal_i_release *release = NULL;

    assert_int_equal(method_case_run(ctx, &release, m, variant), SHOAL_OK);
    check_case_release(ctx, m, release);
    double loss = slow_release_ncp(release);

    shoal_i_release_free(release);
    return loss;
}

/* --- Strata. ------------------------------------------------------------------------------ */

static bool agree(const shoal_i_tally_source *source, size_t a, size_t b)
{
    for (size_t i = 0; i < source->active_count; i++) {
        if (source->active[i].codes[a] != source->active[i].codes[b]) {
            return false;
        }
    }
    return true;
}

static void test_strata(void **state)
{
    shoal_ctx ctx;
    method_case m;

    (void)state;
    set_up(&ctx);
    for (uint64_t seed = 0; seed < 12; seed++) {
        uint64_t values = seed % 3 == 2 ? 400 : 6;
        shoal_i_strata *strata = NULL;

        method_case_make(&ctx, &m, seed, 300, 2, values,
                         seed % 2 ? &shoal_i_personal_k : &shoal_i_t_equal);
        assert_int_equal(shoal_i_strata_build(&ctx, &strata, &m.source), SHOAL_OK);
        assert_true(strata->count >= 1 && strata->count <= SHOAL_I_STRATA_MAX);
        for (size_t a = 0; a < 300; a++) {
            assert_true(strata->of[a] < strata->count);
            for (size_t b = 0; b < a; b++) {
                if (agree(&m.source, a, b)) {
                    assert_int_equal(strata->of[a], strata->of[b]);
                } else if (strata->are_exact) {
                    assert_int_not_equal(strata->of[a], strata->of[b]);
                }
                /* Numbered in the order of the first column. */
                if (m.source.active[0].codes[a] < m.source.active[0].codes[b]) {
                    assert_true(strata->of[a] <= strata->of[b]);
                }
            }
        }
        assert_true(seed % 3 == 2 || strata->are_exact);
        shoal_i_strata_free(strata);
        method_case_free(&m);
    }
    shoal_i_ctx_clear(&ctx);
}

/* --- Carving and exchanging. -------------------------------------------------------------- */

typedef struct bench {
    shoal_i_grouping *grouping;
    shoal_i_alternatives alternatives;
} bench;

static void bench_make(shoal_ctx *ctx, bench *b, const method_case *m)
{
    assert_int_equal(shoal_i_grouping_new(ctx, &b->grouping, &m->problem), SHOAL_OK);
    assert_int_equal(
        shoal_i_alternatives_init(ctx, &b->alternatives, &m->problem, b->grouping->lanes),
        SHOAL_OK);
}

static void bench_free(bench *b)
{
    shoal_i_alternatives_clear(&b->alternatives);
    shoal_i_grouping_free(b->grouping);
}

/* Every record once, every group meets the requirement, rows are those of the records. */
static void check_grouping(shoal_ctx *ctx, const bench *b, const method_case *m)
{
    const shoal_i_grouping *g = b->grouping;
    size_t lanes = g->lanes->count;
    bool seen[CASE_ROWS_MAX] = {false};
    size_t start = 0;

    assert_true(g->is_start[0]);
    for (size_t i = 0; i < g->count; i++) {
        assert_false(seen[g->records[i]]);
        seen[g->records[i]] = true;
        assert_memory_equal(g->rows + i * lanes, b->alternatives.rows + g->records[i] * lanes,
                            lanes * sizeof *g->rows);
        if (i + 1 == g->count || g->is_start[i + 1]) {
            assert_true(slow_holds(ctx, m, g->records + start, i + 1 - start));
            start = i + 1;
        }
    }
}

/* The sum that exchanging lowers: in lanes. */
static int64_t find_cost(const bench *b)
{
    const shoal_i_grouping *g = b->grouping;
    const shoal_i_lanes *lanes = g->lanes;
    int32_t climb[64];
    int32_t box[128];
    int64_t cost = 0;

    assert_true(lanes->count <= 64);
    for (size_t start = 0; start < g->count;) {
        const int32_t *row = g->rows + start * lanes->count;
        shoal_i_probe probe = {.climb = climb};
        size_t end = start;

        memcpy(box, row, lanes->count * sizeof *box);
        memcpy(box + lanes->count, row, lanes->count * sizeof *box);
        do {
            const int32_t *other = g->rows + end++ * lanes->count;

            shoal_i_box_join(lanes, box, box + lanes->count, other, other);
        } while (end < g->count && !g->is_start[end]);
        shoal_i_probe_set(&probe, lanes, box, box + lanes->count, row);
        cost += (int64_t)shoal_i_penalty(lanes, &probe) * (int64_t)(end - start);
        start = end;
    }
    return cost;
}

/* The classes of another method, taken over: its groups, and with them the rows. */
static void test_load_of_a_release(void **state)
{
    shoal_ctx ctx;
    size_t loaded = 0;

    (void)state;
    set_up(&ctx);
    for (uint64_t seed = 0; seed < 2 * STRICT_KINDS; seed++) {
        method_case m;
        shoal_i_release *release = NULL;
        bench b = {0};

        method_case_make(&ctx, &m, seed, 80, 2, 9, strict_kinds[seed % STRICT_KINDS]);
        if (!shoal_i_alternatives_apply(&m.problem) || !whole_holds(&ctx, &m)) {
            method_case_free(&m);
            continue;
        }
        loaded++;
        bench_make(&ctx, &b, &m);
        assert_int_equal(method_case_run(&ctx, &release, &m, "mondrian"), SHOAL_OK);
        assert_int_equal(shoal_i_alternatives_load(&ctx, &b.alternatives, b.grouping, release),
                         SHOAL_OK);
        check_grouping(&ctx, &b, &m);
        size_t groups = 0;

        for (size_t i = 0; i < b.grouping->count; i++) {
            uint32_t box = release->box_of[b.grouping->records[i]];

            groups += b.grouping->is_start[i];
            assert_true(b.grouping->is_start[i] ||
                        release->box_of[b.grouping->records[i - 1]] == box);
        }
        assert_int_equal(groups, release->box_count);
        shoal_i_release_free(release);
        bench_free(&b);
        method_case_free(&m);
    }
    assert_true(loaded > STRICT_KINDS / 2);
    shoal_i_ctx_clear(&ctx);
}

/* Carve the whole table, exchange records, and see that all holds and nothing gets worse. */
static void check_steps(shoal_ctx *ctx, const method_case *m, uint64_t seed, size_t *gains)
{
    shoal_i_meter meter = {.stage = "test", .total = 1000};
    shoal_i_search_limit limit = {.work = 40000, .units = 100};
    const double factor = 1 + (double)(seed % 3);
    bench b = {0};

    bench_make(ctx, &b, m);
    int64_t whole = find_cost(&b);

    assert_int_equal(
        shoal_i_alternatives_carve_groups(ctx, &b.alternatives, b.grouping, factor), SHOAL_OK);
    check_grouping(ctx, &b, m);
    int64_t carved = find_cost(&b);

    assert_true(carved <= whole);
    shoal_i_span all = {.count = b.grouping->count};
    shoal_i_exchange_case exchange = {
        .problem = &m->problem, .strata = b.alternatives.strata, .seed = seed};

    assert_int_equal(shoal_i_exchange(ctx, b.grouping, all, &exchange, limit, &meter),
                     SHOAL_OK);
    check_grouping(ctx, &b, m);
    int64_t exchanged = find_cost(&b);

    assert_true(exchanged <= carved);
    gains[0] += carved < whole;
    gains[1] += exchanged < carved;
    bench_free(&b);
}

/* Where a record may be a class by itself, some become one. */
/* Sizes that are not carved when the time is over are left out: of none the groups stay. */
static void test_time_for_some_sizes(void **state)
{
    static const double factors[] = {2, 1, 5};
    shoal_ctx ctx;
    method_case m;
    double whole = 0;
    double all = 0;
    double last = 0;

    (void)state;
    set_up(&ctx);
    method_case_make(&ctx, &m, 4, 300, 2, 6, &shoal_i_l_distinct);
    assert_true(whole_holds(&ctx, &m));
    for (uint64_t seconds = 0; seconds < 1000000; seconds = 3 * seconds + 1) {
        shoal_i_span span = {.count = m.problem.row_count};
        shoal_i_carve_sizes sizes = {.count = 3, .factors = factors};
        bench b;

        bench_make(&ctx, &b, &m);
        b.grouping->is_start[0] = 1;
        shoal_i_alternatives_align(&b.alternatives, b.grouping, span);
        double before = shoal_i_alternatives_cost(&b.alternatives, b.grouping, span);

        fake_clock_looks = 1000;
        sizes.deadline = seconds < 500000 ? (double)(1000 + seconds) : 0;
        assert_int_equal(
            shoal_i_alternatives_carve(&ctx, &b.alternatives, b.grouping, span, 7, sizes),
            SHOAL_OK);
        check_grouping(&ctx, &b, &m);
        last = all;
        all = shoal_i_alternatives_cost(&b.alternatives, b.grouping, span);
        if (seconds == 0) {
            assert_int_equal(fake_clock_looks, 1001);
            whole = before;
            assert_true(all == whole);
        }
        bench_free(&b);
    }
    assert_true(all == last && all < 0.9 * whole); /* with time, and with all of it */
    method_case_free(&m);
    shoal_i_ctx_clear(&ctx);
}

static void test_classes_of_one_record(void **state)
{
    shoal_ctx ctx;
    size_t alone = 0;
    size_t tried = 0;

    (void)state;
    set_up(&ctx);
    for (uint64_t seed = 0; seed < 12; seed++) {
        method_case m;
        bench b = {0};

        method_case_make(&ctx, &m, seed, 60, 2, 12, &shoal_i_alpha_values);
        if (shoal_i_requirement_smallest_class(&m.set) == 1 && whole_holds(&ctx, &m)) {
            bench_make(&ctx, &b, &m);
            assert_int_equal(
                shoal_i_alternatives_carve_groups(&ctx, &b.alternatives, b.grouping, 1),
                SHOAL_OK);
            check_grouping(&ctx, &b, &m);
            for (size_t i = 0; i < b.grouping->count; i++) {
                alone += b.grouping->is_start[i] &&
                         (i + 1 == b.grouping->count || b.grouping->is_start[i + 1]);
            }
            bench_free(&b);
            tried++;
        }
        method_case_free(&m);
    }
    assert_true(tried > 1 && alone > 10 * tried);
    shoal_i_ctx_clear(&ctx);
}

static void test_steps(void **state)
{
    shoal_ctx ctx;
    method_case m;
    size_t tried = 0;
    size_t gains[2] = {0};

    (void)state;
    set_up(&ctx);
    for (uint64_t seed = 0; seed < 6 * STRICT_KINDS; seed++) {
        /* Now and then more values than there may be strata: swaps have to be checked then. */
        method_case_make(&ctx, &m, seed, 60 + 17 * (seed % 10), 3, seed % 5 == 4 ? 150 : 7,
                         strict_kinds[seed % STRICT_KINDS]);
        if (shoal_i_alternatives_apply(&m.problem) && whole_holds(&ctx, &m)) {
            check_steps(&ctx, &m, seed, gains);
            tried++;
        }
        method_case_free(&m);
    }
    assert_true(tried > 20 && gains[0] > tried / 2 && gains[1] > tried / 2);
    shoal_i_ctx_clear(&ctx);
}

/* --- Methods. ----------------------------------------------------------------------------- */

/* best is never worse than those it competes with. */
static void test_best_of_all(void **state)
{
    static const char *const rivals[] = {"topdown", "mondrian", "specialize",
                                         "mondrian:finish=carve"};
    shoal_ctx ctx;
    method_case m;
    size_t tried = 0;
    size_t better = 0;

    (void)state;
    set_up(&ctx);
    for (uint64_t seed = 100; seed < 100 + rounds(2, 3) * STRICT_KINDS; seed++) {
        double least = INFINITY;

        method_case_make(&ctx, &m, seed, 50 + 5 * (seed % 9), 3, 6,
                         strict_kinds[seed % STRICT_KINDS]);
        if (whole_holds(&ctx, &m)) {
            for (size_t i = 0; i < sizeof rivals / sizeof *rivals; i++) {
                least = fmin(least, run_loss(&ctx, &m, rivals[i]));
            }
            double best = run_loss(&ctx, &m, "best");

            assert_true(best <= least + 1e-6 * (1 + least));
            better += best < least - 1e-6;
            tried++;
        }
        method_case_free(&m);
    }
    assert_true(tried > 15 && better > tried / 2);
    shoal_i_ctx_clear(&ctx);
}

/* Against the optimum of small tables: never below it, mostly equal to it. */
static void test_near_optimum(void **state)
{
    shoal_ctx ctx;
    method_case m;
    size_t tried = 0;
    size_t equal = 0;
    double excess = 0;

    (void)state;
    set_up(&ctx);
    for (uint64_t seed = 200; seed < 200 + rounds(3, 6) * STRICT_KINDS; seed++) {
        method_case_make(&ctx, &m, seed, 11, 2, 4, strict_kinds[seed % STRICT_KINDS]);
        if (whole_holds(&ctx, &m)) {
            double optimum = run_loss(&ctx, &m, "exact");
            double best = run_loss(&ctx, &m, "best");

            assert_true(best >= optimum - 1e-6);
            equal += best <= optimum + 1e-6;
            excess += optimum > 0 ? best / optimum - 1 : 0;
            tried++;
        }
        method_case_free(&m);
    }
    assert_true(tried > 15);
    assert_true(10 * equal >= 8 * tried);
    assert_true(excess / (double)tried < 0.05);
    shoal_i_ctx_clear(&ctx);
}

/* The same release on any number of threads. */
static void test_threads(void **state)
{
    static const char *const variants[] = {"topdown", "mondrian", "best", "best:effort=fast"};
    shoal_ctx ctx;
    method_case m;

    (void)state;
    set_up(&ctx);
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        shoal_i_release *two = NULL;
        shoal_i_release *one = NULL;
        shoal_ctx alone;

        method_case_make(&ctx, &m, 300 + i, 240, 3, 5, &shoal_i_t_equal);
        shoal_i_ctx_init(&alone);
        alone.threads = 1;
        assert_int_equal(method_case_run(&ctx, &two, &m, variants[i]), SHOAL_OK);
        assert_int_equal(method_case_run(&alone, &one, &m, variants[i]), SHOAL_OK);
        assert_same_release(one, two);
        shoal_i_release_free(one);
        shoal_i_release_free(two);
        shoal_i_ctx_clear(&alone);
        method_case_free(&m);
    }
    shoal_i_ctx_clear(&ctx);
}

static void test_failing_allocations(void **state)
{
    static const char *const variants[] = {"topdown", "mondrian", "best"};
    shoal_ctx ctx;
    method_case m;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    method_case_make(&ctx, &m, 401, 24, 2, 4, &shoal_i_t_equal);
    m.problem.seconds = 0.05; /* or each of thousands of allocations fails after a search */
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        assert_case_survives_failing_allocations(&ctx, &m, variants[i]);
    }
    method_case_free(&m);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_of_a_release),
        cmocka_unit_test(test_time_for_some_sizes),
        cmocka_unit_test(test_classes_of_one_record),
        cmocka_unit_test(test_strata),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_best_of_all),
        cmocka_unit_test(test_near_optimum),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
