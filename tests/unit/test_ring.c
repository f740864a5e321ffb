/* Rings and matchings: what whoever knows everything but the draws can tell. */
#include "context.h"
#include "failing.h"

#include "base/random.h"
#include "method/nonhomogeneous/matching.h"
#include "method/nonhomogeneous/ring.h"

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NODES_MAX 40

static bool has_edge(const uint32_t *right, size_t degree, size_t left, uint32_t node)
{
    for (size_t i = 0; i < degree; i++) {
        if (right[left * degree + i] == node) {
            return true;
        }
    }
    return false;
}

/* A random regular graph without double edges: a ring, in which pairs of edges then exchange
 * their ends on the right wherever that gives none. */
static void draw_graph(uint32_t *right, size_t count, size_t degree, shoal_i_random *random)
{
    size_t edges = count * degree;

    for (size_t i = 0; i < edges; i++) {
        right[i] = (uint32_t)((i / degree + i % degree) % count);
    }
    for (size_t i = 0; i < 20 * edges; i++) {
        size_t a = (size_t)shoal_i_random_below(random, edges);
        size_t b = (size_t)shoal_i_random_below(random, edges);
        uint32_t end = right[a];

        if (!has_edge(right, degree, a / degree, right[b]) &&
            !has_edge(right, degree, b / degree, right[a])) {
            right[a] = right[b];
            right[b] = end;
        }
    }
}

/* The matchings of all numbers, with the same draws: each is perfect, and together they have
 * every edge once. */
static void check_sum(shoal_ctx *ctx, const shoal_i_regular_graph *graph, uint64_t seed)
{
    uint8_t uses[NODES_MAX * NODES_MAX] = {0};

    for (size_t number = 0; number < graph->degree; number++) {
        shoal_i_entropy entropy;
        uint32_t matched[NODES_MAX];
        bool is_taken[NODES_MAX] = {false};

        shoal_i_entropy_init_seeded(&entropy, seed, 0);
        assert_int_equal(shoal_i_matching_find(ctx, matched, graph, number, &entropy),
                         SHOAL_OK);
        for (size_t i = 0; i < graph->count; i++) {
            assert_true(matched[i] < graph->count);
            assert_false(is_taken[matched[i]]);
            is_taken[matched[i]] = true;
            uses[i * NODES_MAX + matched[i]]++;
        }
    }
    for (size_t i = 0; i < graph->count * graph->degree; i++) {
        uint8_t *use = &uses[i / graph->degree * NODES_MAX + graph->right[i]];

        assert_int_equal(*use, 1);
        *use = 0;
    }
    for (size_t i = 0; i < sizeof uses; i++) {
        assert_int_equal(uses[i], 0);
    }
}

static void test_matchings_have_every_edge_once(void **state)
{
    shoal_i_random random = shoal_i_random_start(3);
    uint32_t right[NODES_MAX * NODES_MAX];

    for (uint64_t seed = 0; seed < 300; seed++) {
        size_t count = 1 + (size_t)shoal_i_random_below(&random, NODES_MAX);
        size_t most = count < 9 ? count : 9;
        size_t degree = 1 + (size_t)shoal_i_random_below(&random, most);
        shoal_i_regular_graph graph = {.count = count, .degree = degree, .right = right};

        draw_graph(right, count, degree, &random);
        check_sum(*state, &graph, seed);
    }
}

/* For the ring of the method, whatever the draws: each record is in each of its rows for
 * exactly one number of `width`. So an attacker who knows the ring and all draws but the
 * number, which is more than anybody does, gives each candidate a probability of exactly 1 /
 * width. */
static void test_rings_are_even_whatever_is_drawn(void **state)
{
    uint32_t right[NODES_MAX * NODES_MAX];

    for (size_t size = 1; size <= 24; size++) {
        for (size_t width = 1; width <= size; width++) {
            shoal_i_regular_graph graph = {.count = size, .degree = width, .right = right};

            for (size_t i = 0; i < size * width; i++) {
                right[i] = (uint32_t)((i / width + i % width) % size);
            }
            for (uint64_t seed = 0; seed < 3; seed++) {
                check_sum(*state, &graph, 1000 * size + 10 * width + seed);
            }
        }
    }
}

/* --- Links as the method draws them. */

#define DRAWS 20000

typedef struct link_counts {
    uint32_t single[NODES_MAX][NODES_MAX]; /* row, record */
    uint32_t beside[NODES_MAX][NODES_MAX]; /* and row 0 carrying record 1 */
} link_counts;

static void count_links(shoal_ctx *ctx, link_counts *counts, size_t size, size_t width)
{
    uint32_t records[NODES_MAX];
    uint32_t linked[NODES_MAX];
    uint32_t right[NODES_MAX * NODES_MAX];
    uint32_t matched[NODES_MAX];
    shoal_i_ring ring = {.records = records, .size = size, .width = width};
    shoal_i_ring_scratch scratch = {.right = right, .matched = matched};

    memset(counts, 0, sizeof *counts);
    for (uint32_t i = 0; i < size; i++) {
        records[i] = i;
    }
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        shoal_i_entropy entropy;

        shoal_i_entropy_init_seeded(&entropy, 99, seed);
        assert_int_equal(shoal_i_ring_link(ctx, linked, &ring, &scratch, &entropy), SHOAL_OK);
        for (size_t row = 0; row < size; row++) {
            counts->single[row][linked[row]]++;
            counts->beside[row][linked[row]] += linked[0] == 1;
        }
    }
}

/* Within five deviations of what is expected, and never outside the ring. */
static void test_drawn_links_are_even(void **state)
{
    const size_t cases[][2] = {{5, 2}, {5, 3}, {7, 4}, {12, 5}, {8, 8}, {9, 6}};
    static link_counts counts;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = cases[i][0];
        size_t width = cases[i][1];
        double expected = (double)DRAWS / (double)width;

        count_links(*state, &counts, size, width);
        for (size_t row = 0; row < size; row++) {
            for (size_t record = 0; record < size; record++) {
                double count = counts.single[row][record];
                bool is_inside = (record + size - row) % size < width;

                if (is_inside) {
                    assert_true((count - expected) * (count - expected) < 25 * expected);
                } else {
                    assert_int_equal(count, 0);
                }
            }
        }
    }
}

/* Whoever learns one link does not learn the others, as he would if the whole ring were
 * shifted. With two candidates there are only two matchings, and he does. */
static void test_one_link_does_not_tell_the_others(void **state)
{
    static link_counts counts;

    count_links(*state, &counts, 12, 4);
    for (size_t row = 1; row < 12; row++) {
        for (size_t record = 0; record < 12; record++) {
            assert_true(counts.beside[row][record] < 0.8 * counts.single[0][1]);
        }
    }
    count_links(*state, &counts, 12, 2);
    assert_int_equal(counts.beside[5][6], counts.single[0][1]);
}

static shoal_status match_once(shoal_ctx *ctx, void *payload)
{
    uint32_t matched[NODES_MAX];
    shoal_i_entropy entropy;

    shoal_i_entropy_init_seeded(&entropy, 1, 1);
    return shoal_i_matching_find(ctx, matched, payload, 2, &entropy);
}

static void test_matching_survives_failing_allocations(void **state)
{
    uint32_t right[12 * 5];
    shoal_i_regular_graph graph = {.count = 12, .degree = 5, .right = right};

    for (size_t i = 0; i < 60; i++) {
        right[i] = (uint32_t)((i / 5 + i % 5) % 12);
    }
    assert_survives_failing_allocations(*state, match_once, &graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matchings_have_every_edge_once),
        cmocka_unit_test(test_rings_are_even_whatever_is_drawn),
        cmocka_unit_test(test_drawn_links_are_even),
        cmocka_unit_test(test_one_link_does_not_tell_the_others),
        cmocka_unit_test(test_matching_survives_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
