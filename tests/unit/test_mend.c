#include "context.h"
#include "method_case.h"

#include "box/scan.h"
#include "method/grouping/mend.h"
#include "method/grouping/split.h"

#include <string.h>

#define ROWS_MAX 200

/* The penalty of the box around some places of a grouping, computed anew. */
static int64_t slow_penalty(const shoal_i_grouping *g, const size_t *places, size_t count)
{
    const shoal_i_lanes *lanes = g->lanes;
    int32_t lo[256];
    int32_t hi[256];
    int32_t climb[256];
    shoal_i_probe probe = {.climb = climb};
    const int32_t *member = g->rows + places[0] * lanes->count;

    assert_true(lanes->count <= 256);
    memcpy(lo, member, lanes->count * sizeof *lo);
    memcpy(hi, member, lanes->count * sizeof *hi);
    for (size_t i = 1; i < count; i++) {
        const int32_t *row = g->rows + places[i] * lanes->count;

        shoal_i_box_join(lanes, lo, hi, row, row);
    }
    shoal_i_probe_set(&probe, lanes, lo, hi, member);
    return shoal_i_penalty(lanes, &probe);
}

static int64_t pair_penalty(const shoal_i_grouping *g, size_t a, size_t b)
{
    return slow_penalty(g, (const size_t[]){a, b}, 2);
}

/* --- Seeds: from a record to the farthest, and on; each record goes to the nearer seed. */

static size_t slow_farthest(const shoal_i_grouping *g, size_t from)
{
    size_t best = 0;

    for (size_t i = 1; i < g->count; i++) {
        best = pair_penalty(g, from, i) > pair_penalty(g, from, best) ? i : best;
    }
    return best;
}

/* Whether a split of the records is the one that starting from `start` makes. */
static bool is_split_from(const shoal_i_grouping *g, size_t start, int rounds,
                          const bool *is_behind)
{
    size_t a = start;
    size_t b = start;
    bool tie = false;

    for (int i = 0; i < rounds; i++) {
        a = b;
        b = slow_farthest(g, a);
    }
    for (size_t i = 0; i < g->count; i++) {
        int64_t to_a = pair_penalty(g, a, i);
        int64_t to_b = pair_penalty(g, b, i);

        if (is_behind[i] != (to_b < to_a || (to_b == to_a && tie))) {
            return false;
        }
        tie ^= to_b == to_a;
    }
    return true;
}

/* A split in two is one of those that the farthest of the farthest make, whatever record was
 * drawn first. */
static void test_seeds_are_the_farthest(void **state)
{
    shoal_ctx *ctx = *state;
    size_t splits = 0;

    for (uint64_t seed = 0; seed < 40; seed++) {
        size_t rows = 5 + seed;
        int rounds = 1 + (int)(seed % 4);
        method_case m;
        shoal_i_grouping *before = NULL;
        shoal_i_grouping *g = NULL;
        shoal_i_meter meter = {.stage = "anonymize", .total = 1000};
        bool is_behind[ROWS_MAX] = {false};
        size_t second = 0;
        bool is_found = false;

        method_case_make(ctx, &m, seed, rows, 1 + seed % 4, 3 + seed % 30,
                         &shoal_i_k_anonymity);
        assert_int_equal(shoal_i_grouping_new(ctx, &before, &m.problem), SHOAL_OK);
        assert_int_equal(shoal_i_grouping_new(ctx, &g, &m.problem), SHOAL_OK);
        assert_int_equal(shoal_i_split(ctx, g, seed, rows - 1, rounds, &meter), SHOAL_OK);
        for (size_t i = 1; i < rows; i++) {
            second = g->is_start[i] ? i : second;
        }
        for (size_t i = second; second > 0 && i < rows; i++) {
            is_behind[g->records[i]] = true;
        }
        for (size_t start = 0; second > 0 && start < rows; start++) {
            is_found |= is_split_from(before, start, rounds, is_behind);
        }
        assert_true(is_found || second == 0);
        splits += second > 0;
        shoal_i_grouping_free(before);
        shoal_i_grouping_free(g);
        method_case_free(&m);
    }
    assert_true(splits > 30);
}

/* --- Mending. */

/* What the groups of a span cost: penalty times records. Rows are those of the table. */
static int64_t slow_cost(const shoal_i_grouping *table, const shoal_i_grouping *g,
                         shoal_i_span span)
{
    int64_t cost = 0;
    size_t places[ROWS_MAX];

    for (size_t start = span.first; start < shoal_i_span_end(span);) {
        size_t count = 0;

        do {
            places[count++] = g->records[start++];
        } while (start < shoal_i_span_end(span) && !g->is_start[start]);
        cost += slow_penalty(table, places, count) * (int64_t)count;
    }
    return cost;
}

static void assert_groups_hold(shoal_ctx *ctx, const method_case *m, const shoal_i_grouping *g,
                               shoal_i_span span)
{
    shoal_i_tally tally = {0};

    assert_int_equal(shoal_i_tally_init(ctx, &tally, m->problem.source), SHOAL_OK);
    for (size_t i = span.first; i < shoal_i_span_end(span); i++) {
        shoal_i_tally_add(&tally, g->records[i]);
        if (i + 1 == shoal_i_span_end(span) || g->is_start[i + 1]) {
            assert_true(shoal_i_requirement_holds(m->problem.requirements, &tally.stats));
            shoal_i_tally_empty(&tally);
        }
    }
    shoal_i_tally_clear(&tally);
}

/* Start groups at random places of a span, the first at its start. */
static void cut_at_random(shoal_i_grouping *g, shoal_i_span span, uint64_t seed)
{
    shoal_i_random random = shoal_i_random_start(seed);

    for (size_t i = span.first; i < shoal_i_span_end(span); i++) {
        g->is_start[i] = i == span.first || shoal_i_random_below(&random, 3) == 0;
    }
}

/* Every group of the span holds afterwards, has the records it had, and nothing else is
 * touched. */
static void test_every_group_holds(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < 60; seed++) {
        size_t rows = 60 + seed;
        shoal_i_span span = {.first = seed % 7, .count = rows - 7 - seed % 5};
        method_case m;
        shoal_i_grouping *g = NULL;
        size_t times[ROWS_MAX] = {0};
        shoal_i_tally whole = {0};

        method_case_make(ctx, &m, seed, rows, 1 + seed % 3, 2 + seed % 9,
                         case_kinds[seed % CASE_KINDS]);
        assert_int_equal(shoal_i_grouping_new(ctx, &g, &m.problem), SHOAL_OK);
        assert_int_equal(shoal_i_tally_init(ctx, &whole, m.problem.source), SHOAL_OK);
        shoal_i_tally_add_list(&whole, g->records + span.first, span.count);
        cut_at_random(g, span, seed);
        if (shoal_i_requirement_is_monotone(&m.set, false) &&
            shoal_i_requirement_holds(&m.set, &whole.stats)) {
            assert_int_equal(shoal_i_mend(ctx, g, span, &m.problem), SHOAL_OK);
            assert_groups_hold(ctx, &m, g, span);
        }
        for (size_t i = 0; i < rows; i++) {
            times[g->records[i]]++;
            assert_true(g->records[i] == i || (i >= span.first && i < shoal_i_span_end(span) &&
                                               g->records[i] >= span.first &&
                                               g->records[i] < shoal_i_span_end(span)));
        }
        for (size_t i = 0; i < rows; i++) {
            assert_int_equal(times[i], 1);
        }
        shoal_i_tally_clear(&whole);
        shoal_i_grouping_free(g);
        method_case_free(&m);
    }
}

/* The least that merging the first group with one of the others costs, tried one by one; groups
 * are of k records but the first. */
static int64_t cheapest_merge(const shoal_i_grouping *table, size_t rows, size_t lacking,
                              size_t k)
{
    int64_t least = INT64_MAX;

    for (size_t with = lacking; with < rows; with += k) {
        int64_t cost = 0;
        size_t places[ROWS_MAX];
        size_t count = 0;

        for (size_t i = 0; i < lacking; i++) {
            places[count++] = i;
        }
        for (size_t i = with; i < with + k; i++) {
            places[count++] = i;
        }
        cost = slow_penalty(table, places, count) * (int64_t)count;
        for (size_t other = lacking; other < rows; other += k) {
            for (size_t i = 0; i < k; i++) {
                places[i] = other + i;
            }
            cost += other == with ? 0 : slow_penalty(table, places, k) * (int64_t)k;
        }
        least = cost < least ? cost : least;
    }
    return least;
}

/* One group is too small and no other can spare a record: it is merged where that costs
 * least. */
static void test_merges_where_it_costs_least(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < 80; seed++) {
        size_t k = 3 + seed % 3;
        size_t lacking = 1 + seed % 2;
        size_t rows = lacking + k * (2 + seed % 5);
        shoal_i_span all = {.count = rows};
        method_case m;
        shoal_i_grouping *table = NULL;
        shoal_i_grouping *g = NULL;

        method_case_make(ctx, &m, seed, rows, 1 + seed % 3, 3 + seed % 30,
                         &shoal_i_k_anonymity);
        shoal_i_requirement_set_clear(&m.set);
        assert_int_equal(
            shoal_i_requirement_add_item(
                ctx, &m.set,
                &(shoal_i_requirement){.kind = &shoal_i_k_anonymity, .value = (double)k}),
            SHOAL_OK);
        assert_int_equal(shoal_i_grouping_new(ctx, &table, &m.problem), SHOAL_OK);
        assert_int_equal(shoal_i_grouping_new(ctx, &g, &m.problem), SHOAL_OK);
        for (size_t i = 0; i < rows; i++) {
            g->is_start[i] = i == 0 || (i >= lacking && (i - lacking) % k == 0);
        }
        assert_int_equal(shoal_i_mend(ctx, g, all, &m.problem), SHOAL_OK);
        assert_groups_hold(ctx, &m, g, all);
        assert_int_equal(slow_cost(table, g, all), cheapest_merge(table, rows, lacking, k));
        shoal_i_grouping_free(table);
        shoal_i_grouping_free(g);
        method_case_free(&m);
    }
}

/* What all groups cost when the first takes the records of `from` that `is_taken` says; sizes:
 * of the first, and of each of the others. */
static int64_t cost_after(const shoal_i_grouping *table, size_t rows, size_t first, size_t size,
                          const bool *is_taken)
{
    size_t places[ROWS_MAX] = {0};
    size_t count = 0;
    int64_t cost = 0;

    for (size_t i = 0; i < rows; i++) {
        if (i < first || is_taken[i]) {
            places[count++] = i;
        }
    }
    cost = slow_penalty(table, places, count) * (int64_t)count;
    for (size_t start = first; start < rows; start += size) {
        count = 0;
        for (size_t i = start; i < start + size; i++) {
            if (!is_taken[i]) {
                places[count++] = i;
            }
        }
        cost += count == 0 ? 0 : slow_penalty(table, places, count) * (int64_t)count;
    }
    return cost;
}

/* Take the records of a group that cost the first least, one by one as they are alone. */
static void take_nearest(const shoal_i_grouping *table, size_t first, size_t start, size_t size,
                         size_t lacking, bool *is_taken)
{
    size_t places[ROWS_MAX];

    for (size_t i = 0; i < first; i++) {
        places[i] = i;
    }
    for (size_t n = 0; n < lacking; n++) {
        int64_t least = INT64_MAX;
        size_t best = 0;

        for (size_t i = start; i < start + size; i++) {
            places[first] = i;
            int64_t penalty = slow_penalty(table, places, first + 1);

            if (!is_taken[i] && penalty < least) {
                least = penalty;
                best = i;
            }
        }
        is_taken[best] = true;
    }
}

/* The least that merging with, or borrowing from, one of the others costs. */
static int64_t cheapest_mending(const shoal_i_grouping *table, size_t rows, size_t first,
                                size_t size, size_t lacking, bool *is_borrowing)
{
    int64_t least = INT64_MAX;

    for (size_t start = first; start < rows; start += size) {
        bool all[ROWS_MAX] = {false};
        bool some[ROWS_MAX] = {false};

        memset(all + start, true, size * sizeof *all);
        take_nearest(table, first, start, size, lacking, some);
        int64_t merging = cost_after(table, rows, first, size, all);
        int64_t borrowing = cost_after(table, rows, first, size, some);

        *is_borrowing = merging < least ? false : *is_borrowing;
        least = merging < least ? merging : least;
        *is_borrowing = borrowing < least ? true : *is_borrowing;
        least = borrowing < least ? borrowing : least;
    }
    return least;
}

/* One group is too small, and up to three others can spare what it lacks: it is merged, or
 * borrows from one of them, where that costs least. */
static void test_borrows_where_that_costs_least(void **state)
{
    shoal_ctx *ctx = *state;
    size_t borrowed = 0;

    for (uint64_t seed = 0; seed < 160; seed++) {
        bool are_many = seed % 8 == 7; /* more than are chosen from by counting */
        size_t k = are_many ? 9 : 3 + seed % 3;
        size_t lacking = are_many ? 6 : 1 + seed % 2;
        size_t first = k - lacking;
        size_t size = k + lacking + seed % 4 + (are_many ? 55 : 0);
        size_t rows = first + size * (1 + seed % (are_many ? 2 : 3));
        shoal_i_span all = {.count = rows};
        bool is_borrowing = false;
        method_case m;
        shoal_i_grouping *table = NULL;
        shoal_i_grouping *g = NULL;

        method_case_make(ctx, &m, seed, rows, 1 + seed % 3, 3 + seed % 30,
                         &shoal_i_k_anonymity);
        shoal_i_requirement_set_clear(&m.set);
        assert_int_equal(
            shoal_i_requirement_add_item(
                ctx, &m.set,
                &(shoal_i_requirement){.kind = &shoal_i_k_anonymity, .value = (double)k}),
            SHOAL_OK);
        assert_int_equal(shoal_i_grouping_new(ctx, &table, &m.problem), SHOAL_OK);
        assert_int_equal(shoal_i_grouping_new(ctx, &g, &m.problem), SHOAL_OK);
        for (size_t i = 0; i < rows; i++) {
            g->is_start[i] = i == 0 || (i >= first && (i - first) % size == 0);
        }
        int64_t least = cheapest_mending(table, rows, first, size, lacking, &is_borrowing);

        assert_int_equal(shoal_i_mend(ctx, g, all, &m.problem), SHOAL_OK);
        assert_groups_hold(ctx, &m, g, all);
        assert_int_equal(slow_cost(table, g, all), least);
        borrowed += is_borrowing;
        shoal_i_grouping_free(table);
        shoal_i_grouping_free(g);
        method_case_free(&m);
    }
    assert_true(borrowed > 40 && borrowed < 160);
}

/* --- Blocks. ------------------------------------------------------------------------------ */

typedef struct seen {
    const method_case *m;
    const shoal_i_grouping *g;
    size_t records;
    size_t blocks;
} seen;

static shoal_status see_block(shoal_ctx *ctx, void *payload, shoal_i_span span)
{
    seen *s = payload;

    assert_true(slow_holds(ctx, s->m, s->g->records + span.first, span.count));
    s->records += span.count;
    s->blocks++;
    return SHOAL_OK;
}

/* Wherever blocks might start: also where the last does not hold with the one before it. */
static void test_every_block_holds(void **state)
{
    shoal_ctx *ctx = *state;
    size_t several = 0;

    ctx->threads = 1;
    for (uint64_t seed = 0; seed < 20 * CASE_KINDS; seed++) {
        const shoal_i_requirement_kind *kind = case_kinds[seed % CASE_KINDS];
        size_t distance = 4 + seed % 23;
        method_case m;
        shoal_i_grouping *g = NULL;

        method_case_make(ctx, &m, seed, 60 + seed % 50, 2, 2 + seed % 7, kind);
        seen s = {.m = &m};
        uint32_t rows[CASE_ROWS_MAX];

        for (uint32_t i = 0; i < m.problem.row_count; i++) {
            rows[i] = i;
        }
        if (slow_holds(ctx, &m, rows, m.problem.row_count)) {
            assert_int_equal(shoal_i_grouping_new(ctx, &g, &m.problem), SHOAL_OK);
            s.g = g;
            for (size_t i = distance; i < g->count; i += distance) {
                g->is_start[i] = SHOAL_I_STARTS_BLOCK;
            }
            assert_int_equal(shoal_i_split_blocks(ctx, g, &m.problem, see_block, &s), SHOAL_OK);
            assert_int_equal(s.records, g->count);
            several += s.blocks > 1;
        }
        shoal_i_grouping_free(g);
        method_case_free(&m);
    }
    assert_true(several > 4 * CASE_KINDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seeds_are_the_farthest),
        cmocka_unit_test(test_every_group_holds),
        cmocka_unit_test(test_merges_where_it_costs_least),
        cmocka_unit_test(test_borrows_where_that_costs_least),
        cmocka_unit_test(test_every_block_holds),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
