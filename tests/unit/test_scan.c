#include "context.h"
#include "failing.h"
#include "random_table.h"

#include "box/points.h"
#include "box/scan.h"
#include "box/scan_avx2.h"

#include <math.h>
#include <string.h>

#define ROWS 257
#define SEEDS 24

/* Lanes, rows and a probe for one record of a random table. */
typedef struct bed {
    random_table t;
    shoal_i_lanes *lanes;
    int32_t *rows;
    shoal_i_probe probe;
} bed;

static bed make_bed(shoal_ctx *ctx, uint64_t seed, bool with_missing)
{
    bed b = {.t = random_table_make(ctx, seed, ROWS, 1 + seed % RANDOM_COLUMNS_MAX, 12,
                                    with_missing)};

    assert_int_equal(shoal_i_lanes_build(ctx, &b.lanes, b.t.quasi), SHOAL_OK);
    assert_int_equal(shoal_i_lanes_rows(ctx, &b.rows, b.lanes), SHOAL_OK);
    b.probe.climb = calloc(b.lanes->count, sizeof *b.probe.climb);
    return b;
}

static void free_bed(bed *b)
{
    free(b->probe.climb);
    free(b->rows);
    shoal_i_lanes_free(b->lanes);
    random_table_free(&b->t);
}

static void aim(bed *b, size_t row)
{
    const int32_t *at = b->rows + row * b->lanes->count;

    shoal_i_probe_set(&b->probe, b->lanes, at, at, at);
}

/* A penalty of lanes as a share of the total weight. */
static double unscaled(int32_t penalty)
{
    return (double)penalty / SHOAL_I_PENALTY_ONE;
}

/* All rows at once are what each is by itself. */
static void test_rows_together_and_alone(void **state)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bed b = make_bed(*state, seed, seed % 2);
        int32_t *row = calloc(b.lanes->count, sizeof *row);

        for (size_t i = 0; i < ROWS; i++) {
            uint32_t scratch = 0;

            memset(row, 0xFF, b.lanes->count * sizeof *row);
            shoal_i_lanes_fill(b.lanes, row, i, 1, &scratch);
            assert_memory_equal(row, b.rows + i * b.lanes->count, b.lanes->count * sizeof *row);
        }
        free(row);
        free_bed(&b);
    }
}

static void test_pair_penalty_is_ncp(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bed b = make_bed(ctx, seed, false);
        int32_t penalties[ROWS];

        for (uint32_t u = 0; u < ROWS; u += 40) {
            aim(&b, u);
            shoal_i_kernels_plain.penalties(penalties, b.lanes, &b.probe, b.rows, ROWS);
            for (uint32_t v = 0; v < ROWS; v++) {
                double ncp = slow_ncp(b.t.quasi, (uint32_t[]){u, v}, 2) / b.t.quasi->weight_sum;

                assert_true(fabs(unscaled(penalties[v]) - ncp) < 1e-7);
            }
        }
        free_bed(&b);
    }
}

/* The union of two random groups, by lanes and by the definition. */
static void test_union_penalty_is_ncp(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bed b = make_bed(ctx, seed, false);
        size_t lanes = b.lanes->count;
        shoal_i_random random = shoal_i_random_start(seed + 1000);
        int32_t *boxes = calloc(4 * lanes, sizeof *boxes);
        uint32_t members[6];

        for (size_t i = 0; i < 6; i++) {
            members[i] = (uint32_t)shoal_i_random_below(&random, ROWS);
            int32_t *lo = boxes + (i < 3 ? 0 : 2 * lanes);
            const int32_t *row = b.rows + members[i] * lanes;

            if (i % 3 == 0) {
                memcpy(lo, row, lanes * sizeof *lo);
                memcpy(lo + lanes, row, lanes * sizeof *lo);
            }
            shoal_i_box_join(b.lanes, lo, lo + lanes, row, row);
        }
        shoal_i_probe_set(&b.probe, b.lanes, boxes, boxes + lanes, b.rows + members[1] * lanes);
        int32_t penalty = 0;

        shoal_i_kernels_plain.unions(&penalty, b.lanes, &b.probe, boxes, (uint32_t[]){1}, 1);
        assert_true(fabs(unscaled(penalty) -
                         slow_ncp(b.t.quasi, members, 6) / b.t.quasi->weight_sum) < 1e-7);
        assert_true(fabs(unscaled(shoal_i_penalty(b.lanes, &b.probe)) -
                         slow_ncp(b.t.quasi, members, 3) / b.t.quasi->weight_sum) < 1e-7);
        free(boxes);
        free_bed(&b);
    }
}

/* A missing numeric value is at least as far from any value as the whole range. */
static void test_missing_is_far(void **state)
{
    shoal_ctx *ctx = *state;
    bed b = make_bed(ctx, 8, true); /* one numeric column */
    int32_t penalties[ROWS];

    assert_true(b.t.quasi->columns[0].has_missing);
    uint32_t missing = b.t.quasi->columns[0].value_count - 1;

    for (uint32_t u = 0; u < ROWS; u++) {
        if (shoal_i_quasi_code(b.t.quasi, 0, u) != missing) {
            continue;
        }
        aim(&b, u);
        b.lanes->kernels->penalties(penalties, b.lanes, &b.probe, b.rows, ROWS);
        for (uint32_t v = 0; v < ROWS; v++) {
            bool same = shoal_i_quasi_code(b.t.quasi, 0, v) == missing;

            assert_true(same ? penalties[v] == 0 : unscaled(penalties[v]) >= 0.999999);
        }
    }
    free_bed(&b);
}

/* Growing boxes cost what the definition says, missing values included. */
static void test_grow_is_ncp(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bed b = make_bed(ctx, seed, seed % 2);
        uint32_t members[ROWS];
        int32_t penalties[ROWS];

        for (uint32_t first = 0; first < ROWS; first += 50) {
            aim(&b, first);
            b.lanes->kernels->grow(penalties, b.lanes, b.probe.climb,
                                   b.rows + first * b.lanes->count, ROWS - first);
            for (uint32_t i = 0; i < ROWS - first && i < 40; i++) {
                members[i] = first + i;
                double ncp = slow_ncp(b.t.quasi, members, i + 1) / b.t.quasi->weight_sum;

                assert_true(fabs(unscaled(penalties[i]) - ncp) < 1e-7);
            }
        }
        free_bed(&b);
    }
}

/* --- Blocks. ------------------------------------------------------------------------------ */

#define GROUPS SHOAL_I_BLOCK_GROUPS

/* Random boxes around one to three rows each, a member of the first, and the block of all. */
typedef struct block_bed {
    int32_t *boxes; /* the probe's, then those of the block */
    const int32_t *member;
    int32_t *block;
    int32_t *nodes; /* the same groups as nodes of one group each */
    bool is_wide;   /* lanes of trees */
    int32_t *ends;
    uint32_t *trees;
    int32_t *values;
    int32_t *climbs;
    shoal_i_block_probe probe;
} block_bed;

static void draw_boxes(const bed *b, block_bed *k, shoal_i_random *random)
{
    size_t lanes = b->lanes->count;

    k->boxes = calloc((GROUPS + 1) * 2 * lanes, sizeof *k->boxes);
    for (size_t g = 0; g <= GROUPS; g++) {
        int32_t *lo = k->boxes + 2 * g * lanes;

        for (uint64_t left = 1 + shoal_i_random_below(random, 3), i = 0; i < left; i++) {
            const int32_t *row = b->rows + shoal_i_random_below(random, ROWS) * lanes;

            if (i == 0) {
                memcpy(lo, row, lanes * sizeof *lo);
                memcpy(lo + lanes, row, lanes * sizeof *lo);
                k->member = g == 0 ? row : k->member;
            }
            shoal_i_box_join(b->lanes, lo, lo + lanes, row, row);
        }
    }
}

/* A lane of the groups, at the end of the blocks. */
static size_t put_lane(const bed *b, block_bed *k, size_t lane, size_t at)
{
    size_t lanes = b->lanes->count;

    for (size_t g = 0; g < GROUPS; g++) {
        int32_t lo = k->boxes[2 * (g + 1) * lanes + lane];
        int32_t hi = k->boxes[(2 * (g + 1) + 1) * lanes + lane];

        if (b->lanes->is_tree[lane]) {
            k->block[at + g] = lo == hi ? lo : SHOAL_I_MIXED;
            k->nodes[at + g] = k->is_wide ? lo : shoal_i_mark_bit(lo);
            k->nodes[at + GROUPS + g] = lo;
            if (lo != hi) {
                k->nodes[at + g] = k->is_wide ? INT32_MAX : 0;
                k->nodes[at + GROUPS + g] = SHOAL_I_MIXED;
            }
        } else {
            k->block[at + g] = k->nodes[at + g] = lo;
            k->block[at + GROUPS + g] = k->nodes[at + GROUPS + g] = hi;
        }
    }
    return at + 2 * (size_t)GROUPS;
}

static block_bed make_block(bed *b, shoal_i_random *random, bool is_wide)
{
    size_t lanes = b->lanes->count;
    size_t at = 0;
    block_bed k = {.is_wide = is_wide,
                   .block = calloc(2 * GROUPS * lanes, sizeof *k.block),
                   .nodes = calloc(2 * GROUPS * lanes, sizeof *k.nodes),
                   .ends = calloc(2 * lanes, sizeof *k.ends),
                   .trees = calloc(lanes, sizeof *k.trees),
                   .values = calloc(lanes, sizeof *k.values),
                   .climbs = calloc(lanes, sizeof *k.climbs)};

    draw_boxes(b, &k, random);
    shoal_i_probe_set(&b->probe, b->lanes, k.boxes, k.boxes + lanes, k.member);
    for (size_t lane = 0; lane < lanes; lane++) {
        if (!b->lanes->is_tree[lane]) {
            k.ends[2 * k.probe.numeric_count] = k.boxes[lane];
            k.ends[2 * k.probe.numeric_count++ + 1] = k.boxes[lanes + lane];
            at = put_lane(b, &k, lane, at);
        }
    }
    for (size_t lane = 0; lane < lanes; lane++) {
        if (b->lanes->is_tree[lane]) {
            k.trees[k.probe.tree_count] = (uint32_t)at;
            k.values[k.probe.tree_count] = k.boxes[lane];
            k.climbs[k.probe.tree_count] = b->probe.climb[lane];
            if (k.boxes[lane] == k.boxes[lanes + lane]) {
                k.probe.tree_count++;
            } else {
                k.probe.fixed += b->probe.climb[lane];
            }
            at = put_lane(b, &k, lane, at);
        }
    }
    k.probe.narrow_count = is_wide ? 0 : k.probe.tree_count;
    k.probe.ends = k.ends;
    k.probe.trees = k.trees;
    k.probe.values = k.values;
    k.probe.climbs = k.climbs;
    return k;
}

static void free_block(block_bed *k)
{
    free(k->boxes);
    free(k->block);
    free(k->nodes);
    free(k->ends);
    free(k->trees);
    free(k->values);
    free(k->climbs);
}

/* Blocks cost what their groups cost one by one, as groups and as nodes of one group each; all
 * lanes here have fewer than 32 values. */
static void check_blocks(const shoal_i_kernels *kernels, const bed *b, const block_bed *k)
{
    int32_t expected[GROUPS];
    int32_t out[GROUPS];
    uint32_t groups[GROUPS];

    for (uint32_t g = 0; g < GROUPS; g++) {
        groups[g] = g + 1;
    }
    shoal_i_kernels_plain.unions(expected, b->lanes, &b->probe, k->boxes, groups, GROUPS);
    for (size_t i = 0; i < GROUPS; i++) {
        uint32_t bits = 0;

        for (size_t g = 0; g < GROUPS; g++) {
            bits |= (uint32_t)(expected[g] <= expected[i]) << g;
        }
        memset(out, 0, sizeof out);
        assert_int_equal(kernels->block_unions(out, &k->probe, k->block, expected[i]), bits);
        assert_memory_equal(out, expected, sizeof out);
        memset(out, 0, sizeof out);
        assert_int_equal(kernels->block_bounds(out, &k->probe, k->nodes, expected[i]), bits);
        assert_memory_equal(out, expected, sizeof out);
    }
}

static void test_blocks_are_unions(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bed b = make_bed(ctx, seed, seed % 2);
        shoal_i_random random = shoal_i_random_start(seed + 2000);

        for (size_t i = 0; i < 20; i++) {
            block_bed k = make_block(&b, &random, i % 2);

            check_blocks(&shoal_i_kernels_plain, &b, &k);
            check_blocks(b.lanes->kernels, &b, &k);
            free_block(&k);
        }
        free_bed(&b);
    }
}

#if SHOAL_I_HAS_AVX2
/* The boxes of two sides by both kernels and by joining row after row. */
static void compare_enclose(const bed *b, const uint8_t *sides, const int32_t *rows,
                            size_t count)
{
    size_t lanes = b->lanes->count;
    int32_t *boxes = calloc(12 * lanes, sizeof *boxes);

    shoal_i_kernels_plain.enclose(boxes, b->lanes, sides, rows, count);
    shoal_i_kernels_avx2.enclose(boxes + 4 * lanes, b->lanes, sides, rows, count);
    assert_memory_equal(boxes, boxes + 4 * lanes, 4 * lanes * sizeof *boxes);
    for (size_t lane = 0; lane < lanes; lane++) {
        boxes[8 * lanes + lane] = boxes[10 * lanes + lane] = INT32_MAX;
    }
    for (size_t i = 0; i < count; i++) {
        int32_t *lo = boxes + (8 + 2 * (size_t)sides[i]) * lanes;

        shoal_i_box_join(b->lanes, lo, lo + lanes, rows + i * lanes, rows + i * lanes);
    }
    assert_memory_equal(boxes, boxes + 8 * lanes, 4 * lanes * sizeof *boxes);
    free(boxes);
}

/* The lowest value of a lane among rows and the next one, or the highest and the next one, and
 * how many rows have them, by looking at all. */
static void find_ends(const int32_t *rows, size_t count, size_t lanes, size_t lane,
                      bool is_high, int32_t ends[2], uint32_t times[2])
{
    for (int i = 0; i < 2; i++) {
        ends[i] = is_high ? INT32_MIN : INT32_MAX;
        times[i] = 0;
        for (size_t r = 0; r < count; r++) {
            int32_t value = rows[r * lanes + lane];
            bool is_beyond = i == 1 && (is_high ? value >= ends[0] : value <= ends[0]);

            if (!is_beyond && (is_high ? value > ends[i] : value < ends[i])) {
                ends[i] = value;
                times[i] = 0;
            }
            times[i] += !is_beyond && value == ends[i];
        }
    }
}

/* A group in which the last of some rows takes the place of each other one in turn, by both
 * kernels and by joining the rows that are there then. */
static void compare_replaced(const bed *b, const int32_t *rows, size_t count)
{
    size_t lanes = b->lanes->count;
    int32_t *ends = calloc(4 * lanes, sizeof *ends);
    uint32_t *times = calloc(4 * lanes, sizeof *times);
    int32_t *box = calloc(2 * lanes, sizeof *box);
    shoal_i_probe probe = {.climb = calloc(lanes, sizeof *probe.climb)};
    const int32_t *joins = rows + (count - 1) * lanes;

    for (size_t lane = 0; lane < lanes; lane++) {
        for (size_t side = 0; side < 2; side++) {
            int32_t two[2];
            uint32_t both[2];

            find_ends(rows, count - 1, lanes, lane, side == 1, two, both);
            for (size_t i = 0; i < 2; i++) {
                ends[(2 * side + i) * lanes + lane] = two[i];
                times[(2 * side + i) * lanes + lane] = both[i];
            }
        }
    }
    for (size_t leaves = 0; leaves + 1 < count; leaves++) {
        const int32_t *row = rows + leaves * lanes;

        memcpy(box, joins, lanes * sizeof *box);
        memcpy(box + lanes, joins, lanes * sizeof *box);
        for (size_t r = 0; r + 1 < count; r++) {
            if (r != leaves) {
                shoal_i_box_join(b->lanes, box, box + lanes, rows + r * lanes,
                                 rows + r * lanes);
            }
        }
        shoal_i_probe_set(&probe, b->lanes, box, box + lanes, joins);
        int32_t expected = shoal_i_penalty(b->lanes, &probe);

        assert_int_equal(
            shoal_i_kernels_plain.replaced(b->lanes, ends, times, row, joins, probe.climb),
            expected);
        assert_int_equal(
            shoal_i_kernels_avx2.replaced(b->lanes, ends, times, row, joins, probe.climb),
            expected);
    }
    free(ends);
    free(times);
    free(box);
    free(probe.climb);
}

/* A box as the probe: two records are looked at another way. */
static void compare_box_probe(const bed *b, const int32_t *box, const int32_t *rows,
                              size_t count)
{
    const shoal_i_kernels *plain = &shoal_i_kernels_plain;
    const shoal_i_kernels *fast = &shoal_i_kernels_avx2;
    size_t lanes = b->lanes->count;
    uint8_t sides_a[ROWS], sides_c[ROWS];
    int32_t most_a = 0, most_c = 0;
    shoal_i_probe probe = {.climb = calloc(lanes, sizeof *probe.climb)};

    shoal_i_probe_set(&probe, b->lanes, box, box + lanes, rows);
    assert_int_equal(plain->farthest(&most_a, b->lanes, &probe, rows, count),
                     fast->farthest(&most_c, b->lanes, &probe, rows, count));
    assert_int_equal(most_a, most_c);
    assert_int_equal(plain->sides(sides_a, b->lanes, &probe, &b->probe, rows, count),
                     fast->sides(sides_c, b->lanes, &probe, &b->probe, rows, count));
    assert_memory_equal(sides_a, sides_c, count);
    free(probe.climb);
}

static void compare_kernels(bed *b, size_t first, size_t count)
{
    const shoal_i_kernels *plain = &shoal_i_kernels_plain;
    const shoal_i_kernels *fast = &shoal_i_kernels_avx2;
    const int32_t *rows = b->rows + first * b->lanes->count;
    int32_t a[ROWS], c[ROWS], most_a = 0, most_c = 0;
    uint8_t sides_a[ROWS], sides_c[ROWS];
    uint32_t groups[ROWS / 2];
    shoal_i_probe other = {.climb = calloc(b->lanes->count, sizeof *other.climb)};

    plain->penalties(a, b->lanes, &b->probe, rows, count);
    fast->penalties(c, b->lanes, &b->probe, rows, count);
    assert_memory_equal(a, c, count * sizeof *a);
    assert_int_equal(plain->farthest(&most_a, b->lanes, &b->probe, rows, count),
                     fast->farthest(&most_c, b->lanes, &b->probe, rows, count));
    assert_int_equal(most_a, most_c);
    shoal_i_probe_set(&other, b->lanes, rows, rows, rows);
    assert_int_equal(plain->sides(sides_a, b->lanes, &b->probe, &other, rows, count),
                     fast->sides(sides_c, b->lanes, &b->probe, &other, rows, count));
    assert_memory_equal(sides_a, sides_c, count);
    compare_enclose(b, sides_a, rows, count);
    if (count > 1) {
        compare_replaced(b, rows, count);
    }
    plain->grow(a, b->lanes, other.climb, rows, count);
    fast->grow(c, b->lanes, other.climb, rows, count);
    assert_memory_equal(a, c, count * sizeof *a);
    /* Any two neighbouring rows make a box once they are ordered. */
    int32_t *boxes = calloc(2 * ROWS * b->lanes->count, sizeof *boxes);

    for (size_t g = 0; g < count / 2; g++) {
        int32_t *lo = boxes + 2 * g * b->lanes->count;
        const int32_t *row = rows + 2 * g * b->lanes->count;

        memcpy(lo, row, b->lanes->count * sizeof *lo);
        memcpy(lo + b->lanes->count, row, b->lanes->count * sizeof *lo);
        row += b->lanes->count;
        shoal_i_box_join(b->lanes, lo, lo + b->lanes->count, row, row);
        groups[g] = (uint32_t)(count / 2 - 1 - g);
    }
    for (size_t g = 0; g + 1 < count / 2; g++) { /* each box grows by the next */
        size_t lanes = b->lanes->count;
        const int32_t *next = boxes + 2 * (g + 1) * lanes;
        int32_t *grown = calloc(4 * lanes, sizeof *grown);

        memcpy(grown, boxes + 2 * g * lanes, 2 * lanes * sizeof *grown);
        memcpy(grown + 2 * lanes, grown, 2 * lanes * sizeof *grown);
        plain->join(b->lanes, grown, grown + lanes, next, next + lanes);
        fast->join(b->lanes, grown + 2 * lanes, grown + 3 * lanes, next, next + lanes);
        assert_memory_equal(grown, grown + 2 * lanes, 2 * lanes * sizeof *grown);
        free(grown);
    }
    if (count > 1) {
        compare_box_probe(b, boxes, rows, count);
    }
    plain->unions(a, b->lanes, &b->probe, boxes, groups, count / 2);
    fast->unions(c, b->lanes, &b->probe, boxes, groups, count / 2);
    assert_memory_equal(a, c, count / 2 * sizeof *a);
    free(boxes);
    free(other.climb);
}

static void test_vector_equals_plain(void **state)
{
    shoal_ctx *ctx = *state;

    if (!__builtin_cpu_supports("avx2")) {
        skip();
    }
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bed b = make_bed(ctx, seed, seed % 2);

        for (size_t u = 0; u < ROWS; u += 100) {
            aim(&b, u);
            for (size_t count = 1; count < 12; count++) {
                compare_kernels(&b, u % 7, count);
            }
            compare_kernels(&b, 0, ROWS);
        }
        free_bed(&b);
    }
}
#endif

static shoal_status build_all(shoal_ctx *ctx, void *payload)
{
    random_table *t = payload;
    shoal_i_lanes *lanes = NULL;
    int32_t *rows = NULL;
    shoal_status st = shoal_i_lanes_build(ctx, &lanes, t->quasi);

    if (st == SHOAL_OK) {
        st = shoal_i_lanes_rows(ctx, &rows, lanes);
    }
    free(rows);
    shoal_i_lanes_free(lanes);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_ctx *ctx = *state;
    random_table t = random_table_make(ctx, 5, 100, 6, 9, true);

    assert_survives_failing_allocations(ctx, build_all, &t);
    random_table_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_together_and_alone),
        cmocka_unit_test(test_pair_penalty_is_ncp),
        cmocka_unit_test(test_union_penalty_is_ncp),
        cmocka_unit_test(test_missing_is_far),
        cmocka_unit_test(test_grow_is_ncp),
        cmocka_unit_test(test_blocks_are_unions),
#if SHOAL_I_HAS_AVX2
        cmocka_unit_test(test_vector_equals_plain),
#endif
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
