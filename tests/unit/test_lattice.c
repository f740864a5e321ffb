#include "fake_clock.h"
#include "method_case.h"

#include "method/best/fill_from_cells.h"
#include "method/best/node_cells.h"
#include "method/grouping/split.h"

/* A points of a random case, with its lattice. */
typedef struct fixture {
    method_case m;
    shoal_i_grouping *grouping;
    shoal_i_distinct *distinct;
    shoal_i_point_neighbours *points;
    shoal_i_lattice *lattice;
} fixture;

static void setup(shoal_ctx *ctx, fixture *f, uint64_t seed, size_t most, size_t walks)
{
    method_case_make(ctx, &f->m, seed, 60 + seed % 40, 1 + seed % 4, 2 + seed % 9,
                     case_kinds[seed % CASE_KINDS]);
    assert_int_equal(shoal_i_grouping_new(ctx, &f->grouping, &f->m.problem), SHOAL_OK);
    assert_int_equal(shoal_i_grouping_distinct(ctx, &f->distinct, f->grouping,
                                               (shoal_i_span){.count = f->grouping->count}),
                     SHOAL_OK);
    assert_int_equal(
        shoal_i_point_neighbours_build(ctx, &f->points, &f->m.problem, f->distinct), SHOAL_OK);
    assert_int_equal(shoal_i_lattice_build(ctx, &f->lattice, f->points, most, walks), SHOAL_OK);
}

static void teardown(fixture *f)
{
    shoal_i_lattice_free(f->lattice);
    shoal_i_point_neighbours_free(f->points);
    shoal_i_distinct_free(f->distinct);
    shoal_i_grouping_free(f->grouping);
    method_case_free(&f->m);
}

static uint64_t key_of(const fixture *f, const uint8_t *node, uint32_t point)
{
    const shoal_i_scales *scales = f->lattice->scales;
    uint64_t key = 0;

    shoal_i_scales_keys(scales, node, &key, scales->values + point, scales->point_count, 1);
    return key;
}

/* The code of a point in a column. */
static uint32_t code_of(const fixture *f, uint32_t point, size_t c)
{
    return shoal_i_quasi_code(f->m.quasi, c, f->distinct->records[f->distinct->first[point]]);
}

/* Whether two points agree in a categorical column at a level, by the hierarchy. */
static bool agree_in_tree(const fixture *f, size_t c, unsigned level, uint32_t a, uint32_t b)
{
    const shoal_hierarchy *tree = f->m.quasi->columns[c].hierarchy;
    size_t depths = f->points->lanes->first[c + 1] - f->points->lanes->first[c];
    int depth = (int)depths - (int)level;

    return depth <= 0 || shoal_hierarchy_ancestor_at(tree, code_of(f, a, c), depth) ==
                             shoal_hierarchy_ancestor_at(tree, code_of(f, b, c), depth);
}

/* Points have the same key at a level of one column, all others at their last, exactly when
 * they should. */
static void check_column(const fixture *f, size_t c)
{
    const shoal_i_scales *scales = f->lattice->scales;
    uint8_t node[RANDOM_COLUMNS_MAX];

    for (size_t other = 0; other < scales->column_count; other++) {
        node[other] = (uint8_t)(scales->columns[other].level_count - 1);
    }
    for (uint32_t a = 0; a < f->points->count; a++) {
        for (uint32_t b = 0; b < a; b++) {
            bool agreed = false;

            for (unsigned level = 0; level < scales->columns[c].level_count; level++) {
                node[c] = (uint8_t)level;
                bool agree = key_of(f, node, a) == key_of(f, node, b);

                if (scales->columns[c].value_count > 1 && f->m.quasi->columns[c].hierarchy) {
                    assert_true(agree == agree_in_tree(f, c, level, a, b));
                } else if (level == 0) {
                    assert_true(agree == (code_of(f, a, c) == code_of(f, b, c)));
                }
                assert_true(agree || !agreed);
                agreed = agree;
            }
            assert_true(agreed);
        }
    }
}

static void test_keys(void **state)
{
    (void)state;
    shoal_ctx ctx;

    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 60; seed++) {
        fixture f = {0};

        setup(&ctx, &f, seed, 1 << 14, 1);
        for (size_t c = 0; c < f.m.quasi->count; c++) {
            check_column(&f, c);
        }
        teardown(&f);
    }
    shoal_i_ctx_clear(&ctx);
}

/* Two scales of one points have the same levels: same penalties, and values that agree in both
 * or in none. */
static void check_same_scales(const shoal_i_scales *a, const shoal_i_scales *b)
{
    for (size_t c = 0; c < a->column_count; c++) {
        const shoal_i_scale_column *x = &a->columns[c];
        const shoal_i_scale_column *y = &b->columns[c];

        assert_int_equal(x->level_count, y->level_count);
        assert_int_equal(x->value_count, y->value_count);
        for (size_t level = 0; level < x->level_count; level++) {
            const uint64_t *of_x = x->keys + level * x->value_count;
            const uint64_t *of_y = y->keys + level * y->value_count;

            assert_true(x->penalties[level] == y->penalties[level]);
            for (size_t i = 1; i < x->value_count; i++) {
                assert_true((of_x[i] == of_x[i - 1]) == (of_y[i] == of_y[i - 1]));
            }
        }
    }
}

/* Leaving out fine levels gives what building without them gives. */
static void test_coarsen(void **state)
{
    (void)state;
    shoal_ctx ctx;

    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 60; seed++) {
        for (unsigned halvings = 0; halvings <= 6; halvings++) {
            shoal_i_scales *fine = NULL;
            shoal_i_scales *coarse = NULL;
            fixture f = {0};

            setup(&ctx, &f, seed, 1, 1);
            assert_int_equal(shoal_i_scales_build(&ctx, &fine, f.distinct, 6), SHOAL_OK);
            assert_int_equal(shoal_i_scales_build(&ctx, &coarse, f.distinct, halvings),
                             SHOAL_OK);
            shoal_i_scales_coarsen(fine, halvings);
            check_same_scales(fine, coarse);
            shoal_i_scales_free(fine);
            shoal_i_scales_free(coarse);
            teardown(&f);
        }
    }
    shoal_i_ctx_clear(&ctx);
}

/* Nodes come in the order of their penalty; all of them when they are few; the last one holds
 * all. */
static void test_nodes(void **state)
{
    (void)state;
    shoal_ctx ctx;

    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 100; seed++) {
        size_t most = seed % 2 ? 1 : 1 << 14;
        fixture f = {0};
        size_t product = 1;

        setup(&ctx, &f, seed, most, 1 + seed % 3);
        const shoal_i_scales *scales = f.lattice->scales;

        for (size_t c = 0; c < scales->column_count; c++) {
            product *= scales->columns[c].level_count;
            assert_int_equal(shoal_i_lattice_node(f.lattice, f.lattice->count - 1)[c] + 1u,
                             scales->columns[c].level_count);
        }
        assert_true(most == 1 || f.lattice->count == product);
        for (size_t i = 0; i < f.lattice->count; i++) {
            const uint8_t *node = shoal_i_lattice_node(f.lattice, i);

            assert_true(i == 0 || shoal_i_scales_penalty(scales, node) + 1 >
                                      shoal_i_scales_penalty(
                                          scales, shoal_i_lattice_node(f.lattice, i - 1)));
            for (size_t j = 0; j < i && most > 1; j++) {
                assert_memory_not_equal(node, shoal_i_lattice_node(f.lattice, j),
                                        scales->column_count);
            }
        }
        teardown(&f);
    }
    shoal_i_ctx_clear(&ctx);
}

/* Take the cell of a point at a node if it makes a group of points that are in none. */
static void slow_open(shoal_ctx *ctx, const fixture *f, const uint8_t *node, uint32_t point,
                      uint32_t *group_of)
{
    uint32_t rows[CASE_ROWS_MAX];
    uint64_t key = key_of(f, node, point);
    size_t count = 0;

    for (uint32_t i = 0; i < f->points->count; i++) {
        for (uint32_t j = f->distinct->first[i];
             group_of[i] == SHOAL_I_NO_POINT && key_of(f, node, i) == key &&
             j < f->distinct->first[i + 1];
             j++) {
            rows[count++] = f->distinct->records[j];
        }
    }
    if (slow_holds(ctx, &f->m, rows, count)) {
        for (uint32_t i = 0; i < f->points->count; i++) {
            if (group_of[i] == SHOAL_I_NO_POINT && key_of(f, node, i) == key) {
                group_of[i] = point;
            }
        }
    }
}

/* The groups are those of the obvious way: node by node, cell by cell. */
static void test_weave(void **state)
{
    (void)state;
    shoal_ctx ctx;

    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 48; seed++) {
        fixture f = {0};
        shoal_i_solution *solution = NULL;
        uint32_t group_of[CASE_ROWS_MAX];

        setup(&ctx, &f, seed, seed % 3 ? 200 : 1, 2);
        assert_int_equal(shoal_i_solution_new(&ctx, &solution, f.points), SHOAL_OK);
        memset(group_of, 0xff, sizeof group_of);
        for (size_t n = 0; n < f.lattice->count; n++) {
            for (uint32_t i = 0; i < f.points->count; i++) {
                if (group_of[i] == SHOAL_I_NO_POINT) {
                    slow_open(&ctx, &f, shoal_i_lattice_node(f.lattice, n), i, group_of);
                }
            }
        }
        /* Last: it uses the lattice up. */
        assert_int_equal(shoal_i_solution_fill_from_cells(&ctx, solution, f.lattice, 0),
                         SHOAL_OK);
        for (uint32_t a = 0; a < f.points->count; a++) {
            assert_true((group_of[a] == SHOAL_I_NO_POINT) ==
                        (solution->group_of[a] == SHOAL_I_NO_POINT));
            for (uint32_t b = 0; b < a; b++) {
                assert_true((group_of[a] == group_of[b]) ==
                            (solution->group_of[a] == solution->group_of[b]));
            }
        }
        shoal_i_solution_free(solution);
        teardown(&f);
    }
    shoal_i_ctx_clear(&ctx);
}

/* Without time there is no group; with some of it the groups are the first of those that there
 * would be. */
static void test_time_for_some_nodes(void **state)
{
    (void)state;
    shoal_ctx ctx;
    size_t some = 0;

    shoal_i_ctx_init(&ctx);
    for (uint64_t seconds = 1; seconds < 24; seconds++) {
        fixture f[2] = {0};
        shoal_i_solution *solutions[2] = {NULL};
        size_t grouped = 0;

        for (int i = 0; i < 2; i++) {
            setup(&ctx, &f[i], seconds, 200, 2);
            assert_int_equal(shoal_i_solution_new(&ctx, &solutions[i], f[i].points), SHOAL_OK);
            fake_clock_looks = 1000;
            assert_int_equal(
                shoal_i_solution_fill_from_cells(&ctx, solutions[i], f[i].lattice,
                                                 i == 0 ? 0 : (double)(1000 + seconds / 2)),
                SHOAL_OK);
        }
        for (uint32_t a = 0; a < f[0].points->count; a++) {
            uint32_t group = solutions[1]->group_of[a];

            grouped += group != SHOAL_I_NO_POINT;
            for (uint32_t b = 0; b < a && group != SHOAL_I_NO_POINT; b++) {
                assert_true((solutions[0]->group_of[a] == solutions[0]->group_of[b]) ==
                            (group == solutions[1]->group_of[b]));
            }
        }
        assert_true(seconds > 1 || grouped == 0);
        some += grouped > 0 && grouped < f[0].points->count;
        for (int i = 0; i < 2; i++) {
            shoal_i_solution_free(solutions[i]);
            teardown(&f[i]);
        }
    }
    assert_true(some > 3);
    shoal_i_ctx_clear(&ctx);
}

/* --- Cells of one node. */

/* Whether a point that is left is in a cell with enough records of such points. */
static bool slow_is_in_cell(const fixture *f, const uint8_t *node, const uint8_t *is_taken,
                            uint64_t smallest, uint32_t point)
{
    uint64_t load = 0;

    for (uint32_t i = 0; i < f->points->count; i++) {
        if (!is_taken[i] && key_of(f, node, i) == key_of(f, node, point)) {
            load += f->points->weights[i];
        }
    }
    return !is_taken[point] && load >= smallest;
}

static void check_cells(shoal_ctx *ctx, const fixture *f, uint64_t seed, size_t n)
{
    const uint8_t *node = shoal_i_lattice_node(f->lattice, n);
    shoal_i_random random = shoal_i_random_start(seed);
    uint8_t is_taken[CASE_ROWS_MAX] = {0};
    bool is_found[CASE_ROWS_MAX] = {false};
    uint64_t keys[CASE_ROWS_MAX];
    uint32_t points[CASE_ROWS_MAX];
    shoal_i_unassigned left = {
        .scales = f->lattice->scales,
        .count = f->points->count,
        .points = points,
        .weights = (uint32_t *)f->points->weights,
        .values = f->lattice->scales->values,
        .stride = f->lattice->scales->point_count,
        .smallest = 1 + seed % 5,
        .full = 1 + (uint32_t)(seed % 5),
    };
    shoal_i_node_cells cells = {0};

    for (uint32_t i = 0; i < left.count; i++) {
        points[i] = i;
        is_taken[i] = shoal_i_random_below(&random, 4) == 0;
    }
    for (int again = 0; again < 2; again++) { /* with the room of the first time */
        uint64_t last = 0;

        memset(is_found, 0, sizeof is_found);
        assert_int_equal(shoal_i_node_cells_find(ctx, &cells, &left, is_taken, node, keys),
                         SHOAL_OK);
        for (size_t b = 0; b < SHOAL_I_KEY_BUCKETS; b++) {
            size_t count = 0;

            for (size_t i = 0; i < cells.kept[b]; i++) {
                shoal_i_sort_item item = cells.items[cells.starts[b] + i];

                assert_true(item.key >= last && item.key == key_of(f, node, item.item));
                count += i == 0 || item.key != last;
                last = item.key;
                is_found[item.item] = true;
            }
            assert_int_equal(cells.cells[b], count);
        }
        for (uint32_t i = 0; i < left.count; i++) {
            assert_int_equal(is_found[i], slow_is_in_cell(f, node, is_taken, left.smallest, i));
        }
    }
    shoal_i_node_cells_clear(&cells);
}

static void test_cells_of_a_node(void **state)
{
    (void)state;
    shoal_ctx ctx;

    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 16; seed++) {
        fixture f = {0};

        ctx.threads = 1 + (int)(seed % 3);
        setup(&ctx, &f, seed, 200, 2);
        for (size_t n = 0; n < f.lattice->count; n += 1 + f.lattice->count / 8) {
            check_cells(&ctx, &f, seed, n);
        }
        teardown(&f);
    }
    shoal_i_ctx_clear(&ctx);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_coarsen),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_weave),
        cmocka_unit_test(test_time_for_some_nodes),
        cmocka_unit_test(test_cells_of_a_node),
    };

    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
