/* A random case with its lattice, cells and some prices. */
#ifndef SHOAL_TEST_PRICE_CASE_H
#define SHOAL_TEST_PRICE_CASE_H

#include "method_case.h"

#include "lattice/prices.h"
#include "method/best/fill_from_cells.h"
#include "method/grouping/split.h"

#define NODES_MOST (1 << 14)

typedef struct price_case {
    method_case m;
    shoal_i_grouping *grouping;
    shoal_i_distinct *distinct;
    shoal_i_point_neighbours *points;
    shoal_i_lattice *lattice;
    shoal_i_cell_worth *cell_worth;
    uint64_t k;
    int32_t *prices;
    uint32_t *all;
} price_case;

static inline void set_up_prices(shoal_ctx *ctx, price_case *f, uint64_t seed, size_t rows,
                                 const shoal_i_requirement_kind *kind, bool are_trees)
{
    shoal_i_random random = shoal_i_random_start(seed);
    size_t columns = are_trees ? 6 : 1 + seed % 4;

    method_case_make(ctx, &f->m, seed, rows, columns, 2 + seed % 9, kind);
    if (are_trees) {
        method_case_keep_trees(ctx, &f->m);
    }
    f->k = shoal_i_requirement_smallest_class(&f->m.set);
    assert_int_equal(shoal_i_grouping_new(ctx, &f->grouping, &f->m.problem), SHOAL_OK);
    assert_int_equal(shoal_i_grouping_distinct(ctx, &f->distinct, f->grouping,
                                               (shoal_i_span){.count = f->grouping->count}),
                     SHOAL_OK);
    assert_int_equal(
        shoal_i_point_neighbours_build(ctx, &f->points, &f->m.problem, f->distinct), SHOAL_OK);
    assert_int_equal(shoal_i_lattice_build(ctx, &f->lattice, f->points, NODES_MOST, 2),
                     SHOAL_OK);
    assert_int_equal(shoal_i_cell_worth_new(ctx, &f->cell_worth, f->lattice, f->distinct, f->k),
                     SHOAL_OK);
    f->prices = calloc(f->points->count, sizeof *f->prices);
    f->all = calloc(f->points->count, sizeof *f->all);
    assert_true(f->prices && f->all);
    for (uint32_t i = 0; i < f->points->count; i++) {
        f->all[i] = i;
        f->prices[i] = (int32_t)shoal_i_random_below(&random, SHOAL_I_PENALTY_ONE);
    }
}

static inline void tear_down_prices(price_case *f)
{
    free(f->prices);
    free(f->all);
    shoal_i_cell_worth_free(f->cell_worth);
    shoal_i_lattice_free(f->lattice);
    shoal_i_point_neighbours_free(f->points);
    shoal_i_distinct_free(f->distinct);
    shoal_i_grouping_free(f->grouping);
    method_case_free(&f->m);
}

/* Whether two points are in one cell of a node. */
static inline bool are_together(const price_case *f, const uint8_t *node, uint32_t a,
                                uint32_t b)
{
    const shoal_i_scales *scales = f->lattice->scales;
    uint64_t keys[2] = {0};

    shoal_i_scales_keys(scales, node, &keys[0], scales->values + a, scales->point_count, 1);
    shoal_i_scales_keys(scales, node, &keys[1], scales->values + b, scales->point_count, 1);
    return keys[0] == keys[1];
}

#endif /* SHOAL_TEST_PRICE_CASE_H */
