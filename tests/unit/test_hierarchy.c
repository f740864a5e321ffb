/* The tree itself: build_tree, look-ups, weights. Compared with walks from parent to parent. */
#include <shoal/hierarchy.h>

#include "base/fail.h"
#include "base/random.h"
#include "failing.h"

#include <stdio.h>
#include <string.h>

#define TREE_NODES_MAX 400

/* A tree in the form build_tree takes. */
typedef struct tree {
    const char *labels[TREE_NODES_MAX];
    char texts[TREE_NODES_MAX][24];
    uint32_t parents[TREE_NODES_MAX];
    size_t node_count;
    uint32_t node_of_code[TREE_NODES_MAX];
    size_t code_count;
} tree;

static shoal_ctx *new_ctx(void)
{
    static shoal_ctx ctx;

    shoal_i_ctx_init(&ctx);
    return &ctx;
}

static uint32_t find_node(const shoal_hierarchy *h, const char *label)
{
    int64_t node = shoal_hierarchy_find(h, label, strlen(label));

    assert_true(node >= 0);
    return (uint32_t)node;
}

static shoal_status build(shoal_ctx *ctx, shoal_hierarchy **out, const tree *t)
{
    return shoal_hierarchy_build_tree(ctx, out, t->labels, t->parents, t->node_count,
                                      t->node_of_code, t->code_count);
}

static uint32_t add(tree *t, uint32_t parent, const char *label)
{
    uint32_t node = (uint32_t)t->node_count++;

    snprintf(t->texts[node], sizeof t->texts[node], "%s", label);
    t->labels[node] = t->texts[node];
    t->parents[node] = parent;
    return node;
}

static void add_leaf(tree *t, uint32_t parent, const char *label)
{
    t->node_of_code[t->code_count++] = add(t, parent, label);
}

/* The drawing at the head of hierarchy.h. */
static void draw_postcodes(tree *t)
{
    uint32_t root = add(t, 0, "*");
    uint32_t twelve = add(t, root, "12**");
    uint32_t thirteen = add(t, root, "13**");

    add_leaf(t, twelve, "1210");
    add_leaf(t, twelve, "1215");
    add_leaf(t, thirteen, "1305");
    add_leaf(t, thirteen, "1307");
}

static void test_one_leaf(void **state)
{
    shoal_ctx *ctx = new_ctx();
    shoal_hierarchy *h = NULL;
    tree t = {0};

    (void)state;
    add_leaf(&t, 0, "only");
    assert_int_equal(build(ctx, &h, &t), SHOAL_OK);
    assert_int_equal(shoal_hierarchy_node_count(h), 1);
    assert_int_equal(shoal_hierarchy_leaf_count(h), 1);
    assert_int_equal(shoal_hierarchy_height(h), 0);
    assert_int_equal(shoal_hierarchy_ancestor(h, 0, 0), 0);
    assert_int_equal(shoal_hierarchy_ancestor_at(h, 0, 0), 0);
    assert_int_equal(shoal_hierarchy_ancestor_at(h, 0, 5), 0);
    assert_int_equal(shoal_hierarchy_child_count(h, 0), 0);
    assert_true(shoal_hierarchy_loss(h, 0) == 0.0);
    shoal_hierarchy_free(h);
}

static void test_postcodes(void **state)
{
    shoal_ctx *ctx = new_ctx();
    shoal_hierarchy *h = NULL;
    tree t = {0};

    (void)state;
    draw_postcodes(&t);
    assert_int_equal(build(ctx, &h, &t), SHOAL_OK);
    assert_int_equal(shoal_hierarchy_node_count(h), 7);
    assert_int_equal(shoal_hierarchy_leaf_count(h), 4);
    assert_int_equal(shoal_hierarchy_height(h), 2);

    uint32_t twelve = find_node(h, "12**");
    uint32_t thirteen = find_node(h, "13**");

    assert_int_equal(shoal_hierarchy_first(h, twelve), 0);
    assert_int_equal(shoal_hierarchy_last(h, twelve), 1);
    assert_int_equal(shoal_hierarchy_first(h, thirteen), 2);
    assert_int_equal(shoal_hierarchy_last(h, thirteen), 3);
    assert_int_equal(shoal_hierarchy_ancestor(h, 0, 1), twelve);
    assert_int_equal(shoal_hierarchy_ancestor(h, 2, 3), thirteen);
    assert_int_equal(shoal_hierarchy_ancestor(h, 1, 2), 0);
    assert_int_equal(shoal_hierarchy_ancestor_at(h, 3, 1), thirteen);
    assert_int_equal(shoal_hierarchy_child_count(h, 0), 2);
    assert_int_equal(shoal_hierarchy_child(h, 0, 1), thirteen);
    assert_true(shoal_hierarchy_loss(h, twelve) == 0.5);
    assert_true(shoal_hierarchy_loss(h, 0) == 1.0);
    assert_true(shoal_hierarchy_loss(h, find_node(h, "1305")) == 0.0);
    assert_int_equal(shoal_hierarchy_find(h, "12", 2), -1);
    shoal_hierarchy_free(h);
}

/* XU, examples 2 and 3: b and c share a parent, a and d meet only at the root. */
static void test_worked_answer_3(void **state)
{
    shoal_ctx *ctx = new_ctx();
    shoal_hierarchy *h = NULL;
    tree t = {0};

    (void)state;
    uint32_t root = add(&t, 0, "*");

    add_leaf(&t, root, "a");
    uint32_t pair = add(&t, root, "bc");

    add_leaf(&t, pair, "b");
    add_leaf(&t, pair, "c");
    add_leaf(&t, root, "d");
    assert_int_equal(build(ctx, &h, &t), SHOAL_OK);
    uint32_t a = shoal_hierarchy_leaf(h, 0);
    uint32_t d = shoal_hierarchy_leaf(h, 3);

    assert_true(shoal_hierarchy_loss(h, shoal_hierarchy_ancestor(h, a, d)) == 1.0);
    assert_true(shoal_hierarchy_loss(h, shoal_hierarchy_ancestor(h, 1, 2)) == 0.5);
    shoal_hierarchy_free(h);
}

/* Siblings stand in the order of their smallest codes, whatever the order of the input. */
static void test_siblings_follow_codes(void **state)
{
    shoal_ctx *ctx = new_ctx();
    shoal_hierarchy *h = NULL;
    tree t = {0};

    (void)state;
    uint32_t root = add(&t, 0, "*");
    uint32_t late = add(&t, root, "late");
    uint32_t early = add(&t, root, "early");
    uint32_t two = add(&t, late, "2");
    uint32_t three = add(&t, early, "3");
    uint32_t zero = add(&t, early, "0");
    uint32_t one = add(&t, late, "1");
    const uint32_t nodes[] = {zero, one, two, three};

    memcpy(t.node_of_code, nodes, sizeof nodes);
    t.code_count = 4;
    assert_int_equal(build(ctx, &h, &t), SHOAL_OK);
    const uint32_t expected[] = {0, 3, 1, 2}; /* codes of leaves 0..3 */

    for (uint32_t leaf = 0; leaf < 4; leaf++) {
        assert_int_equal(shoal_hierarchy_code(h, leaf), expected[leaf]);
        assert_int_equal(shoal_hierarchy_leaf(h, expected[leaf]), leaf);
    }
    assert_string_equal(shoal_hierarchy_label(h, shoal_hierarchy_child(h, 0, 0)), "early");
    shoal_hierarchy_free(h);
}

static void test_leaves_out_the_needless(void **state)
{
    shoal_ctx *ctx = new_ctx();
    shoal_hierarchy *h = NULL;
    tree t = {0};

    (void)state;
    uint32_t root = add(&t, 0, "*");
    uint32_t star = add(&t, root, "*"); /* only child of its name: the upper one goes */
    uint32_t other = add(&t, star, "Other");
    uint32_t empty = add(&t, star, "Empty");

    add(&t, empty, "below");
    add_leaf(&t, other, "Other");
    uint32_t many = add(&t, star, "Many");

    add_leaf(&t, many, "Many"); /* a leaf of its group's name, but not alone: both stay */
    add_leaf(&t, many, "more");
    assert_int_equal(build(ctx, &h, &t), SHOAL_OK);
    assert_int_equal(shoal_hierarchy_node_count(h), 5);
    assert_int_equal(shoal_hierarchy_find(h, "Empty", 5), -1);
    assert_int_equal(shoal_hierarchy_node_height(h, find_node(h, "Other")), 0);
    assert_int_equal(shoal_hierarchy_node_height(h, find_node(h, "Many")), 1);
    shoal_hierarchy_free(h);
}

/* --- Random trees against walks from parent to parent. ------------------------------------ */

/* Inner nodes first, then leaves; some inner nodes may stay without leaves. Labels are all
 * different. */
static void draw_random(tree *t, shoal_i_random *random)
{
    char label[24];
    size_t inner = 1 + shoal_i_random_below(random, 60);
    size_t leaves = 1 + shoal_i_random_below(random, TREE_NODES_MAX - 61);
    uint64_t reach = 1 + shoal_i_random_below(random, 8); /* small: deep trees */

    *t = (tree){0};
    add(t, 0, "*");
    while (t->node_count < inner) {
        uint64_t back = 1 + shoal_i_random_below(random, reach);
        uint64_t parent = back > t->node_count ? 0 : t->node_count - back;

        snprintf(label, sizeof label, "g%zu", t->node_count);
        add(t, (uint32_t)parent, label);
    }
    for (size_t i = 0; i < leaves; i++) {
        snprintf(label, sizeof label, "v%zu", i);
        add_leaf(t, (uint32_t)shoal_i_random_below(random, inner), label);
    }
    for (size_t i = leaves - 1; i > 0; i--) {
        size_t j = shoal_i_random_below(random, i + 1);
        uint32_t swap = t->node_of_code[i];

        t->node_of_code[i] = t->node_of_code[j];
        t->node_of_code[j] = swap;
    }
}

static bool is_above(const shoal_hierarchy *h, uint32_t upper, uint32_t node)
{
    while (node != upper && node != 0) {
        node = shoal_hierarchy_parent(h, node);
    }
    return node == upper;
}

static void check_structure(const shoal_hierarchy *h)
{
    uint32_t next_leaf = 0;

    for (uint32_t node = 0; node < shoal_hierarchy_node_count(h); node++) {
        size_t children = shoal_hierarchy_child_count(h, node);
        uint32_t at = shoal_hierarchy_first(h, node);
        int height = 0;

        for (size_t k = 0; k < children; k++) {
            uint32_t child = shoal_hierarchy_child(h, node, k);

            assert_int_equal(shoal_hierarchy_parent(h, child), node);
            assert_int_equal(shoal_hierarchy_depth(h, child),
                             shoal_hierarchy_depth(h, node) + 1);
            assert_int_equal(shoal_hierarchy_first(h, child), at);
            at = shoal_hierarchy_last(h, child) + 1;
            height = height > shoal_hierarchy_node_height(h, child) + 1
                         ? height
                         : shoal_hierarchy_node_height(h, child) + 1;
        }
        assert_int_equal(shoal_hierarchy_node_height(h, node), height);
        if (children == 0) {
            assert_int_equal(shoal_hierarchy_first(h, node), next_leaf);
            assert_int_equal(shoal_hierarchy_last(h, node), next_leaf);
            assert_int_equal(shoal_hierarchy_leaf_node(h, next_leaf), node);
            next_leaf++;
        } else {
            assert_int_equal(at, shoal_hierarchy_last(h, node) + 1);
        }
        const char *label = shoal_hierarchy_label(h, node);

        assert_int_equal(shoal_hierarchy_find(h, label, strlen(label)), node);
    }
    assert_int_equal(next_leaf, shoal_hierarchy_leaf_count(h));
}

static void check_ancestors(const shoal_hierarchy *h)
{
    uint32_t leaves = (uint32_t)shoal_hierarchy_leaf_count(h);

    for (uint32_t first = 0; first < leaves; first++) {
        uint32_t expected = shoal_hierarchy_leaf_node(h, first);
        uint32_t node = expected;

        for (uint32_t last = first; last < leaves; last++) {
            while (!is_above(h, expected, shoal_hierarchy_leaf_node(h, last))) {
                expected = shoal_hierarchy_parent(h, expected);
            }
            assert_int_equal(shoal_hierarchy_ancestor(h, first, last), expected);
        }
        for (int depth = shoal_hierarchy_height(h) + 1; depth >= 0; depth--) {
            while (shoal_hierarchy_depth(h, node) > depth) {
                node = shoal_hierarchy_parent(h, node);
            }
            assert_int_equal(shoal_hierarchy_ancestor_at(h, first, depth), node);
        }
    }
}

/* Labels and parents are those of the input. */
static void check_against_input(const shoal_hierarchy *h, const tree *t)
{
    assert_int_equal(shoal_hierarchy_leaf_count(h), t->code_count);
    for (uint32_t code = 0; code < t->code_count; code++) {
        uint32_t leaf = shoal_hierarchy_leaf(h, code);
        uint32_t node = shoal_hierarchy_leaf_node(h, leaf);

        assert_int_equal(shoal_hierarchy_code(h, leaf), code);
        for (uint32_t given = t->node_of_code[code]; given != 0; given = t->parents[given]) {
            assert_string_equal(shoal_hierarchy_label(h, node), t->labels[given]);
            node = shoal_hierarchy_parent(h, node);
        }
        assert_int_equal(node, 0);
    }
}

static uint32_t find_smallest_code(const shoal_hierarchy *h, uint32_t node)
{
    uint32_t smallest = UINT32_MAX;

    for (uint32_t leaf = shoal_hierarchy_first(h, node); leaf <= shoal_hierarchy_last(h, node);
         leaf++) {
        uint32_t code = shoal_hierarchy_code(h, leaf);

        smallest = code < smallest ? code : smallest;
    }
    return smallest;
}

static void check_sibling_order(const shoal_hierarchy *h)
{
    for (uint32_t node = 0; node < shoal_hierarchy_node_count(h); node++) {
        for (size_t k = 1; k < shoal_hierarchy_child_count(h, node); k++) {
            assert_true(find_smallest_code(h, shoal_hierarchy_child(h, node, k - 1)) <
                        find_smallest_code(h, shoal_hierarchy_child(h, node, k)));
        }
    }
}

static void test_random_trees(void **state)
{
    shoal_ctx *ctx = new_ctx();
    static tree t;

    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        shoal_hierarchy *h = NULL;

        draw_random(&t, &random);
        shoal_status st = build(ctx, &h, &t);

        if (st == SHOAL_ELIMIT) {
            continue; /* deeper than a hierarchy may be; test_depth_limit sees to that */
        }
        assert_int_equal(st, SHOAL_OK);
        check_structure(h);
        check_ancestors(h);
        check_against_input(h, &t);
        check_sibling_order(h);
        shoal_hierarchy_free(h);
    }
}

/* Many leaves, so that runs span many blocks of the range minima. */
static void test_long_runs(void **state)
{
    enum { LEAVES = 5000, GROUPS = 70 };
    static const char *labels[1 + GROUPS + LEAVES];
    static char texts[1 + GROUPS + LEAVES][8];
    static uint32_t parents[1 + GROUPS + LEAVES];
    static uint32_t node_of_code[LEAVES];
    shoal_ctx *ctx = new_ctx();
    shoal_hierarchy *h = NULL;
    shoal_i_random random = shoal_i_random_start(7);

    (void)state;
    for (uint32_t i = 0; i < 1 + GROUPS + LEAVES; i++) {
        snprintf(texts[i], sizeof texts[i], "n%u", i);
        labels[i] = texts[i];
        /* Groups nest in chains of seven; leaves go anywhere. */
        parents[i] = i == 0        ? 0
                     : i <= GROUPS ? (i % 7 == 1 ? 0 : i - 1)
                                   : (uint32_t)shoal_i_random_below(&random, GROUPS + 1);
        if (i > GROUPS) {
            node_of_code[i - GROUPS - 1] = i;
        }
    }
    assert_int_equal(shoal_hierarchy_build_tree(ctx, &h, labels, parents, 1 + GROUPS + LEAVES,
                                                node_of_code, LEAVES),
                     SHOAL_OK);
    for (int i = 0; i < 20000; i++) {
        uint32_t a = (uint32_t)shoal_i_random_below(&random, LEAVES);
        uint32_t b = (uint32_t)shoal_i_random_below(&random, LEAVES);
        uint32_t first = a < b ? a : b;
        uint32_t last = a < b ? b : a;
        uint32_t expected = shoal_hierarchy_leaf_node(h, first);

        while (shoal_hierarchy_last(h, expected) < last) {
            expected = shoal_hierarchy_parent(h, expected);
        }
        assert_int_equal(shoal_hierarchy_ancestor(h, first, last), expected);
    }
    shoal_hierarchy_free(h);
}

/* --- Weights. ----------------------------------------------------------------------------- */

static void test_weights(void **state)
{
    shoal_ctx *ctx = new_ctx();
    shoal_hierarchy *h = NULL;
    tree t = {0};

    (void)state;
    draw_postcodes(&t);
    assert_int_equal(build(ctx, &h, &t), SHOAL_OK);
    /* From below, where each alone would be too heavy. */
    const shoal_group_weight given[] = {{"13**", 0.0}, {"12**", 3.0}, {"*", 4.0}};
    shoal_hierarchy *weighted = NULL;

    assert_int_equal(shoal_hierarchy_build_weighted(ctx, &weighted, h, given, 3), SHOAL_OK);
    assert_true(shoal_hierarchy_loss(weighted, 0) == 1.0);
    assert_true(shoal_hierarchy_loss(weighted, find_node(weighted, "12**")) == 0.75);
    assert_true(shoal_hierarchy_loss(weighted, find_node(weighted, "13**")) == 0.0);
    assert_true(shoal_hierarchy_loss(weighted, find_node(weighted, "1210")) == 0.0);

    /* The one it was made from is as it was, and all else is the same. */
    assert_true(shoal_hierarchy_loss(h, find_node(h, "12**")) == 0.5);
    assert_int_equal(shoal_hierarchy_node_count(weighted), shoal_hierarchy_node_count(h));
    for (uint32_t node = 0; node < shoal_hierarchy_node_count(h); node++) {
        assert_string_equal(shoal_hierarchy_label(weighted, node),
                            shoal_hierarchy_label(h, node));
        assert_int_equal(shoal_hierarchy_parent(weighted, node),
                         shoal_hierarchy_parent(h, node));
        assert_int_equal(shoal_hierarchy_first(weighted, node), shoal_hierarchy_first(h, node));
        assert_int_equal(shoal_hierarchy_last(weighted, node), shoal_hierarchy_last(h, node));
    }
    for (uint32_t code = 0; code < shoal_hierarchy_leaf_count(h); code++) {
        assert_int_equal(shoal_hierarchy_leaf(weighted, code), shoal_hierarchy_leaf(h, code));
    }

    /* Weights that it had stay. */
    const shoal_group_weight more[] = {{"13**", 2.0}};
    shoal_hierarchy *again = NULL;

    assert_int_equal(shoal_hierarchy_build_weighted(ctx, &again, weighted, more, 1), SHOAL_OK);
    assert_true(shoal_hierarchy_loss(again, find_node(again, "12**")) == 0.75);
    assert_true(shoal_hierarchy_loss(again, find_node(again, "13**")) == 0.5);
    shoal_hierarchy_free(again);
    shoal_hierarchy_free(weighted);
    shoal_hierarchy_free(h);
}

static void test_weights_refused(void **state)
{
    shoal_ctx *ctx = new_ctx();
    shoal_hierarchy *h = NULL;
    tree t = {0};

    (void)state;
    draw_postcodes(&t);
    assert_int_equal(build(ctx, &h, &t), SHOAL_OK);
    const struct {
        const char *label;
        double weight;
        shoal_status expected;
    } cases[] = {
        {"14**", 0.1, SHOAL_ENOTFOUND},    {"12**", -0.1, SHOAL_EINVAL},
        {"12**", 0.0 / 0.0, SHOAL_EINVAL}, {"12**", 1.0 / 0.0, SHOAL_EINVAL},
        {"12**", 1.5, SHOAL_EINVAL},       {"*", 0.25, SHOAL_EINVAL},
        {"*", 0.0, SHOAL_EINVAL},          {"1210", 0.1, SHOAL_EINVAL},
        {NULL, 0.1, SHOAL_EINVAL},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_hierarchy *weighted = h;

        assert_int_equal(
            shoal_hierarchy_build_weighted(
                ctx, &weighted, h, &(shoal_group_weight){cases[i].label, cases[i].weight}, 1),
            cases[i].expected);
        assert_null(weighted);
        assert_true(shoal_hierarchy_loss(h, find_node(h, "12**")) == 0.5);
    }
    shoal_hierarchy_free(h);
}

/* --- What is refused. --------------------------------------------------------------------- */

static void assert_refused(const tree *t, shoal_status expected)
{
    shoal_ctx *ctx = new_ctx();
    shoal_hierarchy *h = NULL;

    assert_int_equal(build(ctx, &h, t), expected);
    assert_null(h);
    assert_int_equal(ctx->error.message[strlen(ctx->error.message) - 1], '.');
}

static void test_broken_trees(void **state)
{
    tree t = {0};

    (void)state;
    assert_refused(&t, SHOAL_EINVAL); /* nothing at all */

    add(&t, 0, "*");
    assert_refused(&t, SHOAL_EINVAL); /* no codes */

    draw_postcodes((t = (tree){0}, &t));
    t.parents[1] = 2;
    assert_refused(&t, SHOAL_EINVAL); /* a parent behind its child */

    draw_postcodes((t = (tree){0}, &t));
    t.node_of_code[2] = 99;
    assert_refused(&t, SHOAL_EINVAL); /* no such node */

    draw_postcodes((t = (tree){0}, &t));
    t.node_of_code[2] = t.node_of_code[1];
    assert_refused(&t, SHOAL_EINVAL); /* two codes, one leaf */

    draw_postcodes((t = (tree){0}, &t));
    t.node_of_code[3] = 1;
    assert_refused(&t, SHOAL_EINVAL); /* a group as leaf, met after its leaves */
    t.node_of_code[3] = t.node_of_code[0];
    t.node_of_code[0] = 1;
    assert_refused(&t, SHOAL_EINVAL); /* and before */
}

static void test_labels_must_be_unambiguous(void **state)
{
    tree t = {0};

    (void)state;
    draw_postcodes(&t);
    t.labels[2] = "12**";
    assert_refused(&t, SHOAL_EINVAL); /* two groups */

    draw_postcodes((t = (tree){0}, &t));
    t.labels[t.node_of_code[3]] = "12**";
    assert_refused(&t, SHOAL_EINVAL); /* a group and a value outside it */

    draw_postcodes((t = (tree){0}, &t));
    t.labels[1] = "";
    assert_refused(&t, SHOAL_EINVAL);
}

static void test_depth_limit(void **state)
{
    char label[24];

    (void)state;
    for (size_t levels = SHOAL_LEVELS_MAX - 1; levels <= SHOAL_LEVELS_MAX + 1; levels++) {
        shoal_ctx *ctx = new_ctx();
        shoal_hierarchy *h = NULL;
        tree t = {0};

        add(&t, 0, "*");
        for (size_t i = 1; i + 1 < levels; i++) {
            snprintf(label, sizeof label, "g%zu", i);
            add(&t, (uint32_t)i - 1, label);
        }
        add_leaf(&t, (uint32_t)t.node_count - 1, "leaf");
        if (levels <= SHOAL_LEVELS_MAX) {
            assert_int_equal(build(ctx, &h, &t), SHOAL_OK);
            assert_int_equal(shoal_hierarchy_height(h), levels - 1);
            check_ancestors(h);
            shoal_hierarchy_free(h);
        } else {
            assert_refused(&t, SHOAL_ELIMIT);
        }
    }
}

static shoal_status build_and_free(shoal_ctx *ctx, void *payload)
{
    shoal_hierarchy *h = NULL;
    shoal_status st = build(ctx, &h, payload);

    assert_int_equal(st == SHOAL_OK, h != NULL);
    shoal_hierarchy *weighted = NULL;

    if (st == SHOAL_OK) {
        st = shoal_hierarchy_build_weighted(ctx, &weighted, h, &(shoal_group_weight){"*", 2.0},
                                            1);
        assert_int_equal(st == SHOAL_OK, weighted != NULL);
    }
    shoal_hierarchy_free(weighted);
    shoal_hierarchy_free(h);
    return st;
}

static void test_failing_allocations(void **state)
{
    tree t = {0};

    (void)state;
    draw_postcodes(&t);
    assert_survives_failing_allocations(new_ctx(), build_and_free, &t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_leaf),
        cmocka_unit_test(test_postcodes),
        cmocka_unit_test(test_worked_answer_3),
        cmocka_unit_test(test_siblings_follow_codes),
        cmocka_unit_test(test_leaves_out_the_needless),
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_long_runs),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_weights_refused),
        cmocka_unit_test(test_broken_trees),
        cmocka_unit_test(test_labels_must_be_unambiguous),
        cmocka_unit_test(test_depth_limit),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
