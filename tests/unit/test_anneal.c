/* Annealing: what classes tell about themselves, against counting their members anew; and that
 * every class holds afterwards, on any number of threads. */
#include "method_case.h"

#include "box/scan.h"
#include "method/best/anneal.h"
#include "method/best/anneal_classes.h"
#include "method/grouping/keep_cheaper.h"

static const shoal_i_requirement_kind *const kinds[] = {
    &shoal_i_alpha_general, &shoal_i_t_equal,    &shoal_i_l_entropy,
    &shoal_i_t_js,          &shoal_i_beta_basic, &shoal_i_l_distinct,
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* Carved classes of a random problem. */
typedef struct setup {
    method_case m;
    shoal_i_grouping *grouping;
    shoal_i_alternatives alternatives;
    shoal_i_distinct *distinct;
    bool is_possible;
} setup;

static void set_up(shoal_ctx *ctx, setup *s, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    /* Now and then more values than there may be strata. */
    method_case_make(ctx, &s->m, seed, 30 + 13 * (seed % 17), 2 + seed % 3,
                     seed % 5 == 4 ? 150 : 6, kinds[seed % KINDS]);
    assert_int_equal(shoal_i_grouping_new(ctx, &s->grouping, &s->m.problem), SHOAL_OK);
    assert_int_equal(
        shoal_i_alternatives_init(ctx, &s->alternatives, &s->m.problem, s->grouping->lanes),
        SHOAL_OK);
    shoal_i_tally whole = {0};

    assert_int_equal(shoal_i_tally_init(ctx, &whole, &s->m.source), SHOAL_OK);
    shoal_i_tally_add_all(&whole);
    s->is_possible = shoal_i_requirement_holds(&s->m.set, &whole.stats);
    shoal_i_tally_clear(&whole);
    if (s->is_possible) {
        assert_int_equal(shoal_i_alternatives_carve_groups(ctx, &s->alternatives, s->grouping,
                                                           1 + (double)(seed % 3)),
                         SHOAL_OK);
    }
    const shoal_i_distinct_rows rows = {.rows = s->grouping->rows, .count = s->grouping->count};

    assert_int_equal(shoal_i_distinct_build(ctx, &s->distinct, s->grouping->lanes, &rows),
                     SHOAL_OK);
}

static void tear_down(setup *s)
{
    shoal_i_distinct_free(s->distinct);
    shoal_i_alternatives_clear(&s->alternatives);
    shoal_i_grouping_free(s->grouping);
    method_case_free(&s->m);
}

/* The members of a class without one and with another, in who; how many. */
static size_t list_members(const shoal_i_anneal_classes *c, uint32_t class, uint32_t leaves,
                           uint32_t joins, uint32_t *who)
{
    size_t count = 0;

    for (uint32_t i = 0; i < c->count; i++) {
        if ((c->members[i].class == class && i != leaves) || i == joins) {
            who[count++] = i;
        }
    }
    return count;
}

/* The penalty of the smallest box around some members, joined one by one. */
static int32_t slow_penalty(const shoal_i_anneal_classes *c, const uint32_t *who, size_t count)
{
    size_t lanes = c->lanes->count;
    int32_t *box = calloc(3 * lanes, sizeof *box);
    shoal_i_probe probe = {.climb = box + 2 * lanes};
    const int32_t *first = shoal_i_anneal_row(c, who[0]);

    memcpy(box, first, lanes * sizeof *box);
    memcpy(box + lanes, first, lanes * sizeof *box);
    for (size_t i = 1; i < count; i++) {
        const int32_t *row = shoal_i_anneal_row(c, who[i]);

        shoal_i_box_join(c->lanes, box, box + lanes, row, row);
    }
    shoal_i_probe_set(&probe, c->lanes, box, box + lanes, first);
    int32_t penalty = shoal_i_penalty(c->lanes, &probe);

    free(box);
    return penalty;
}

static bool members_hold(shoal_ctx *ctx, const setup *s, const shoal_i_anneal_classes *c,
                         const uint32_t *who, size_t count)
{
    shoal_i_tally tally = {0};

    assert_int_equal(shoal_i_tally_init(ctx, &tally, &s->m.source), SHOAL_OK);
    for (size_t i = 0; i < count; i++) {
        shoal_i_tally_add(&tally, c->records[who[i]]);
    }
    bool holds = shoal_i_requirement_holds(&s->m.set, &tally.stats);

    shoal_i_tally_clear(&tally);
    return holds;
}

/* What a class says about itself without one member and with another. */
static void check_class(shoal_ctx *ctx, const setup *s, const shoal_i_anneal_classes *c,
                        uint32_t class, uint32_t leaves, uint32_t joins)
{
    uint32_t who[CASE_ROWS_MAX];
    size_t count = list_members(c, class, leaves, joins, who);
    shoal_i_tally tally = {0};

    assert_int_equal(shoal_i_tally_init(ctx, &tally, &s->m.source), SHOAL_OK);
    assert_true(count > 0);
    assert_int_equal(shoal_i_anneal_penalty(c, class, leaves, joins),
                     slow_penalty(c, who, count));
    assert_int_equal(shoal_i_anneal_holds(c, class, leaves, joins, &tally),
                     members_hold(ctx, s, c, who, count));
    shoal_i_tally_clear(&tally);
}

/* Random members go to random classes, whether these hold or not; before each step the classes
 * are asked, after it they know themselves. */
static size_t walk(shoal_ctx *ctx, const setup *s, shoal_i_anneal_classes *c, uint64_t seed)
{
    shoal_i_random random = shoal_i_random_start(seed);
    size_t steps = 0;

    for (int i = 0; i < 60; i++) {
        uint32_t member = (uint32_t)shoal_i_random_below(&random, c->count);
        uint32_t other = (uint32_t)shoal_i_random_below(&random, c->count);
        uint32_t from = c->members[member].class;
        uint32_t class = c->members[other].class;
        uint32_t who[CASE_ROWS_MAX];

        if (from == class || c->classes[from].size < 2) {
            continue;
        }
        check_class(ctx, s, c, from, member, SHOAL_I_ANNEAL_NONE);
        check_class(ctx, s, c, class, SHOAL_I_ANNEAL_NONE, member);
        check_class(ctx, s, c, from, member, other);
        check_class(ctx, s, c, class, other, member);
        shoal_i_anneal_step step = {
            .member = member, .class = class, .back = i % 3 == 0 ? SHOAL_I_ANNEAL_NONE : other};
        int64_t cost = shoal_i_anneal_cost(c);
        int64_t rise = shoal_i_anneal_judge(c, &step);

        shoal_i_anneal_make(c, &step);
        assert_int_equal(shoal_i_anneal_cost(c), cost + rise);
        assert_int_equal(c->members[member].class, class);
        assert_int_equal(c->members[other].class, i % 3 == 0 ? class : from);
        for (int side = 0; side < 2; side++) {
            uint32_t it = side == 0 ? from : class;
            size_t count = list_members(c, it, SHOAL_I_ANNEAL_NONE, SHOAL_I_ANNEAL_NONE, who);

            assert_int_equal(c->classes[it].size, count);
            assert_int_equal(c->classes[it].penalty, slow_penalty(c, who, count));
        }
        uint32_t like = shoal_i_anneal_pick(c, class, c->members[member].stratum);

        assert_int_equal(c->members[like].class, class);
        assert_int_equal(c->members[like].stratum, c->members[member].stratum);
        steps++;
    }
    return steps;
}

static void test_classes_know_themselves(void **state)
{
    shoal_ctx ctx;
    size_t steps = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < rounds(40, 400); seed++) {
        setup s;
        shoal_i_anneal_classes *c = NULL;
        shoal_i_span all = {.first = 0};

        set_up(&ctx, &s, seed);
        all.count = s.grouping->count;
        assert_int_equal(shoal_i_anneal_classes_build(&ctx, &c, s.grouping, all, &s.m.problem,
                                                      s.alternatives.strata, s.distinct),
                         SHOAL_OK);
        int64_t cost = 0;

        for (uint32_t i = 0; i < c->count; i++) {
            uint32_t who[CASE_ROWS_MAX];
            size_t count = list_members(c, c->members[i].class, SHOAL_I_ANNEAL_NONE,
                                        SHOAL_I_ANNEAL_NONE, who);

            cost += slow_penalty(c, who, count);
        }
        assert_int_equal(shoal_i_anneal_cost(c), cost);
        steps += walk(&ctx, &s, c, seed);
        shoal_i_anneal_classes_free(c);
        tear_down(&s);
    }
    assert_true(steps > 300);
    shoal_i_ctx_clear(&ctx);
}

/* Every record is there once with its own row, and every group holds. */
static void check_groups(shoal_ctx *ctx, const setup *s)
{
    const shoal_i_grouping *g = s->grouping;
    size_t lanes = g->lanes->count;
    uint8_t seen[CASE_ROWS_MAX] = {0};
    shoal_i_tally tally = {0};

    assert_int_equal(shoal_i_tally_init(ctx, &tally, &s->m.source), SHOAL_OK);
    assert_true(g->is_start[0]);
    for (size_t i = 0; i < g->count; i++) {
        assert_int_equal(seen[g->records[i]]++, 0);
        assert_memory_equal(g->rows + i * lanes, s->alternatives.rows + g->records[i] * lanes,
                            lanes * sizeof *g->rows);
        shoal_i_tally_add(&tally, g->records[i]);
        if (i + 1 == g->count || g->is_start[i + 1]) {
            assert_true(shoal_i_requirement_holds(&s->m.set, &tally.stats));
            shoal_i_tally_empty(&tally);
        }
    }
    shoal_i_tally_clear(&tally);
}

static shoal_status anneal_it(shoal_ctx *ctx, setup *s)
{
    shoal_i_meter meter = {.stage = "test", .total = 1000};
    shoal_i_search_limit limit = {.work = 200000, .units = 100};
    shoal_i_exchange_case exchange = {
        .problem = &s->m.problem, .strata = s->alternatives.strata, .seed = 3};
    shoal_i_span all = {.first = 0, .count = s->grouping->count};

    return shoal_i_anneal(ctx, s->grouping, all, &exchange, limit, &meter);
}

static void test_annealed_classes_hold(void **state)
{
    double before = 0;
    double after = 0;

    (void)state;
    for (uint64_t seed = 0; seed < rounds(60, 400); seed++) {
        setup s[2];

        for (size_t i = 0; i < 2; i++) {
            shoal_ctx ctx;

            shoal_i_ctx_init(&ctx);
            ctx.threads = i == 0 ? 1 : 3;
            set_up(&ctx, &s[i], seed);
            if (s[i].is_possible) {
                shoal_i_span all = {.first = 0, .count = s[i].grouping->count};

                before += shoal_i_alternatives_cost(&s[i].alternatives, s[i].grouping, all);
                assert_int_equal(anneal_it(&ctx, &s[i]), SHOAL_OK);
                check_groups(&ctx, &s[i]);
                after += shoal_i_alternatives_cost(&s[i].alternatives, s[i].grouping, all);
            }
            shoal_i_ctx_clear(&ctx);
        }
        assert_memory_equal(s[0].grouping->records, s[1].grouping->records,
                            s[0].grouping->count * sizeof *s[0].grouping->records);
        assert_memory_equal(s[0].grouping->is_start, s[1].grouping->is_start,
                            s[0].grouping->count);
        tear_down(&s[0]);
        tear_down(&s[1]);
    }
    print_message("loss %.2f before, %.2f after\n", before, after);
    assert_true(after < 0.95 * before);
}

static shoal_status call_anneal(shoal_ctx *ctx, void *payload)
{
    return anneal_it(ctx, payload);
}

static void test_anneal_survives_failing_allocations(void **state)
{
    shoal_ctx ctx;
    setup s;

    (void)state;
    shoal_i_ctx_init(&ctx);
    set_up(&ctx, &s, 6);
    assert_true(s.is_possible);
    assert_survives_failing_allocations(&ctx, call_anneal, &s);
    check_groups(&ctx, &s);
    tear_down(&s);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes_know_themselves),
        cmocka_unit_test(test_annealed_classes_hold),
        cmocka_unit_test(test_anneal_survives_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
