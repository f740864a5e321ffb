/* Regions of open cells that are chosen anew: what comes of it, against counting everything
 * again and against all ways to put the points into cells. */

#include "failing.h"

#include "base/fail.h"
#include "base/random.h"
#include "box/points.h"
#include "method/cells/cell_chain.h"
#include "method/cells/cell_merge.h"
#include "method/cells/cell_regions.h"
#include "method/cells/region_part.h"

#include <stdlib.h>
#include <string.h>

#define POINTS_MOST 1500
#define CELLS_MOST 6000

/* Points on a line; a cell is a run of them, and loses by its length, more or less. */
typedef struct line_case {
    uint32_t weights[POINTS_MOST];
    uint32_t places[POINTS_MOST];
    shoal_i_priced_cell cells[CELLS_MOST];
    shoal_i_cell_pool pool;
    uint32_t first[POINTS_MOST + 1];   /* records of each point */
    uint32_t cell_of[2 * POINTS_MOST]; /* per record */
} line_case;

static void add_run(line_case *f, shoal_i_random *random, uint32_t first, uint32_t length)
{
    uint32_t jitter = 8 + (uint32_t)shoal_i_random_below(random, 8);

    f->cells[f->pool.cell_count++] = (shoal_i_priced_cell){
        .loss = (int32_t)(SHOAL_I_PENALTY_ONE / 65536 * (int32_t)(length * jitter)),
        .count = length,
        .points = f->places + first};
}

/* Everybody in one cell at first, the cell number 0. */
static line_case *make_line(shoal_ctx *ctx, uint64_t seed, uint32_t points, size_t cells,
                            uint32_t longest)
{
    shoal_i_random random = shoal_i_random_start(seed);
    line_case *f = calloc(1, sizeof *f);

    assert_non_null(f);
    f->pool = (shoal_i_cell_pool){.point_count = points,
                                  .weights = f->weights,
                                  .smallest = 2 + seed % 3,
                                  .cells = f->cells};
    for (uint32_t i = 0; i < points; i++) {
        f->places[i] = i;
        f->weights[i] = 1 + (uint32_t)shoal_i_random_below(&random, 2);
        f->first[i + 1] = f->first[i] + f->weights[i];
    }
    add_run(f, &random, 0, points);
    while (f->pool.cell_count < cells) {
        uint32_t length = 1 + (uint32_t)shoal_i_random_below(&random, longest);

        add_run(f, &random, (uint32_t)shoal_i_random_below(&random, points - length + 1),
                length);
    }
    f->pool.closable = f->pool.cell_count;
    assert_int_equal(shoal_i_cell_pool_index(ctx, &f->pool), SHOAL_OK);
    return f;
}

static void free_line(line_case *f)
{
    shoal_i_cell_pool_clear(&f->pool);
    free(f);
}

/* What a state costs; each record must be in its cell, and each cell have enough of them. */
static int64_t check_records(const line_case *f, const uint32_t *cell_of)
{
    uint64_t *loads = calloc(f->pool.cell_count, sizeof *loads);
    int64_t cost = 0;

    assert_non_null(loads);
    for (uint32_t i = 0; i < f->pool.point_count; i++) {
        for (uint32_t j = f->first[i]; j < f->first[i + 1]; j++) {
            uint32_t cell = cell_of[j];

            assert_true(cell < f->pool.cell_count);
            assert_true(i >= f->cells[cell].points[0] &&
                        i < f->cells[cell].points[0] + f->cells[cell].count);
            loads[cell]++;
            cost += f->cells[cell].loss;
        }
    }
    for (size_t i = 0; i < f->pool.cell_count; i++) {
        assert_true(loads[i] == 0 || loads[i] >= f->pool.smallest);
    }
    free(loads);
    return cost;
}

static int64_t check_state(const line_case *f)
{
    return check_records(f, f->cell_of);
}

static shoal_status improve(shoal_ctx *ctx, line_case *f, uint64_t seed, uint64_t work)
{
    shoal_i_meter meter = {.stage = "anonymize", .total = 10};
    shoal_i_search_limit limit = {.work = work, .units = 10};
    int64_t warmest = shoal_i_cell_warmth(SHOAL_I_PENALTY_ONE / 65536.0 * 60, f->pool.smallest);
    shoal_status st = shoal_i_cell_regions_improve(ctx, &f->pool, f->first, f->cell_of, warmest,
                                                   seed, limit, &meter);

    assert_true(st != SHOAL_OK || meter.done == 10);
    return st;
}

/* --- Against all ways. -------------------------------------------------------------------- */

typedef struct brute {
    const line_case *f;
    uint64_t loads[16];
    int64_t least;
} brute;

/* Put the records from one on, of the points from one on, into cells in every way. */
static void try_all(brute *b, uint32_t point, uint32_t record, int64_t cost)
{
    const shoal_i_cell_pool *pool = &b->f->pool;
    bool holds = true;

    if (cost >= b->least) {
        return;
    }
    point += point < pool->point_count && record == b->f->first[point + 1];
    if (point == pool->point_count) {
        for (size_t i = 0; i < pool->cell_count; i++) {
            holds &= b->loads[i] == 0 || b->loads[i] >= pool->smallest;
        }
        b->least = holds ? cost : b->least;
        return;
    }
    for (uint32_t i = 0; i < pool->cell_count; i++) {
        uint32_t first = pool->cells[i].points[0];

        if (point >= first && point < first + pool->cells[i].count) {
            b->loads[i]++;
            try_all(b, point, record + 1, cost + pool->cells[i].loss);
            b->loads[i]--;
        }
    }
}

/* One region is all of a small table, and then there is nothing to be gained any more. */
static void test_finds_the_optimum(void **state)
{
    shoal_ctx ctx;
    size_t found = 0;
    size_t count = rounds(16, 400);

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < count; seed++) {
        line_case *f = make_line(&ctx, seed, 5, 10, 4);
        brute b = {.f = f, .least = INT64_MAX};

        try_all(&b, 0, 0, 0);
        assert_int_equal(improve(&ctx, f, seed, 30000000), SHOAL_OK);
        int64_t cost = check_state(f);

        assert_true(cost >= b.least);
        found += cost == b.least;
        free_line(f);
    }
    assert_true(20 * found >= 19 * count);
    shoal_i_ctx_clear(&ctx);
}

/* --- Many regions. ------------------------------------------------------------------------ */

/* Put the points into cells by a short chain, which leaves much to be gained. */
static void start_poorly(shoal_ctx *ctx, line_case *f)
{
    shoal_i_cell_chain chain = {0};

    assert_int_equal(shoal_i_cell_chain_init(ctx, &chain, &f->pool), SHOAL_OK);
    chain.random = shoal_i_random_start(1);
    shoal_i_open_cells_place(&chain.cells, f->cell_of);
    shoal_i_cell_chain_run(&chain, 0, 2000);
    for (size_t i = 0; i < f->pool.point_count; i++) {
        for (uint32_t j = f->first[i]; j < f->first[i + 1]; j++) {
            f->cell_of[j] = chain.best[i];
        }
    }
    shoal_i_cell_chain_clear(&chain);
}

static size_t count_open(const line_case *f)
{
    uint8_t is_open[CELLS_MOST] = {0};
    size_t count = 0;

    for (size_t i = 0; i < f->first[f->pool.point_count]; i++) {
        count += !is_open[f->cell_of[i]];
        is_open[f->cell_of[i]] = 1;
    }
    return count;
}

/* Several regions at a time: whatever they change fits together, and costs less; the same on
 * any number of threads. What is cheaper in the end no chain finds that is as long. */
static void test_regions_fit_together(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < rounds(1, 3); seed++) {
        uint32_t first[2 * POINTS_MOST];

        for (int threads = 1; threads <= 4; threads += 3) {
            shoal_ctx ctx;

            shoal_i_ctx_init(&ctx);
            ctx.threads = threads;
            line_case *f = make_line(&ctx, seed, POINTS_MOST, CELLS_MOST, 12);

            start_poorly(&ctx, f);
            int64_t before = check_state(f);

            assert_true(count_open(f) > 200);
            assert_int_equal(improve(&ctx, f, seed, 60000000), SHOAL_OK);
            assert_true(check_state(f) < before - before / 20);
            if (threads == 1) {
                memcpy(first, f->cell_of, sizeof first);
            }
            assert_memory_equal(first, f->cell_of, sizeof first);
            free_line(f);
            shoal_i_ctx_clear(&ctx);
        }
    }
}

/* Whether the records of a point of region 1 may be in a cell, but for closed ones that too few
 * may be in: by the definition, cheapest cells first. */
static void list_slowly(const shoal_i_cell_state *s, uint32_t point, uint8_t *may)
{
    uint32_t outside = SHOAL_I_NO_CELL;

    memset(may, 0, CELLS_MOST);
    for (uint32_t i = s->pool->first[point]; i < s->pool->first[point + 1]; i++) {
        uint32_t cell = s->pool->cells_of[i];
        bool is_out = s->loads[cell] > 0 && s->region_of[cell] == 0;

        assert_true(i == s->pool->first[point] ||
                    s->pool->cells[s->pool->cells_of[i - 1]].loss <= s->pool->cells[cell].loss);
        may[cell] = s->region_of[cell] == 1 ||
                    (outside == SHOAL_I_NO_CELL && (s->loads[cell] == 0 || is_out));
        outside = is_out && outside == SHOAL_I_NO_CELL ? cell : outside;
    }
}

static uint32_t point_of(const line_case *f, uint32_t record)
{
    uint32_t point = 0;

    while (f->first[point + 1] <= record) {
        point++;
    }
    return point;
}

/* How many records of region 1 may be in each cell. */
static void count_slowly(const line_case *f, const shoal_i_cell_state *s, uint64_t *records)
{
    uint8_t may[CELLS_MOST];

    for (uint32_t i = 0; i < f->first[f->pool.point_count]; i++) {
        if (s->region_of[f->cell_of[i]] == 1) {
            list_slowly(s, point_of(f, i), may);
            for (size_t cell = 0; cell < f->pool.cell_count; cell++) {
                records[cell] += may[cell];
            }
        }
    }
}

/* The pieces of a part are the records of its region, each once, and where it is; around each
 * are the cells that it may be in, and of those outside the cheapest alone, always open. */
static void check_part(const line_case *f, const shoal_i_cell_state *s,
                       const shoal_i_region_part *part)
{
    uint64_t *records = calloc(CELLS_MOST, sizeof *records);
    uint8_t seen[2 * POINTS_MOST] = {0};
    uint8_t may[CELLS_MOST];
    size_t record = 0;

    assert_non_null(records);
    count_slowly(f, s, records);
    for (uint32_t i = 0; i < part->pool.point_count; i++) {
        for (uint32_t j = 0; j < part->weights[i]; j++, record++) {
            uint32_t it = part->records[record];
            size_t around = 0;
            size_t expected = 0;

            assert_int_equal(seen[it]++, 0);
            assert_int_equal(part->whole[part->cell_of[i]], f->cell_of[it]);
            assert_int_equal(s->region_of[f->cell_of[it]], 1);
            list_slowly(s, point_of(f, it), may);
            for (size_t cell = 0; cell < f->pool.cell_count; cell++) {
                expected += may[cell] && (s->loads[cell] > 0 || records[cell] >= 4);
            }
            for (uint32_t c = part->pool.first[i]; c < part->pool.first[i + 1]; c++) {
                uint32_t cell = part->whole[part->pool.cells_of[c]];
                bool is_out = s->loads[cell] > 0 && s->region_of[cell] == 0;

                assert_true(may[cell]);
                assert_int_equal(part->pool.cells_of[c] >= part->pool.closable, is_out);
                around++;
            }
            assert_int_equal(around, expected);
        }
    }
    for (uint32_t i = 0; i < f->first[f->pool.point_count]; i++) {
        assert_int_equal(seen[i], s->region_of[f->cell_of[i]] == 1);
    }
    free(records);
}

static void test_part_of_a_region(void **state)
{
    shoal_ctx ctx;
    size_t outside = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    for (uint64_t seed = 0; seed < 12; seed++) {
        line_case *f = make_line(&ctx, 3 * seed + 2, 120, 700, 12); /* classes of four */
        uint64_t *loads = calloc(CELLS_MOST + 1, sizeof *loads);
        uint8_t region_of[CELLS_MOST + 1] = {0};
        uint32_t cells[4];
        size_t count = 0;
        shoal_i_region_part part = {0};

        assert_non_null(loads);
        start_poorly(&ctx, f);
        for (size_t i = 0; i < f->first[f->pool.point_count]; i++) {
            loads[f->cell_of[i]]++;
        }
        for (uint32_t i = 0; i < f->pool.cell_count && count < 4 + seed % 3; i++) {
            if (loads[i] > 0) { /* four of one region, some of another */
                region_of[i] = count < 4 ? 1 : 2;
                cells[count < 4 ? count : 3] = count < 4 ? i : cells[3];
                count++;
            }
        }
        shoal_i_cell_state s = {.pool = &f->pool,
                                .first = f->first,
                                .cell_of = f->cell_of,
                                .loads = loads,
                                .region_of = region_of};

        assert_true(count >= 4);
        assert_int_equal(shoal_i_region_part_build(&ctx, &part, &s, cells, 4), SHOAL_OK);
        assert_int_equal(part.pool.smallest, 4);
        check_part(f, &s, &part);
        outside += part.pool.cell_count - part.pool.closable;
        shoal_i_region_part_clear(&part);
        free(loads);
        free_line(f);
    }
    assert_true(outside > 12);
    shoal_i_ctx_clear(&ctx);
}

/* Whoever limits a chain counts on what it says it has done: each trial, and points besides. */
static void test_work_is_counted(void **state)
{
    shoal_ctx ctx;
    shoal_i_cell_chain chain = {0};

    (void)state;
    shoal_i_ctx_init(&ctx);
    line_case *f = make_line(&ctx, 1, 200, 800, 12);

    assert_int_equal(shoal_i_cell_chain_init(&ctx, &chain, &f->pool), SHOAL_OK);
    chain.random = shoal_i_random_start(1);
    for (uint64_t trials = 0; trials < 5000; trials += 500) {
        uint64_t before = chain.cells.work;

        shoal_i_cell_chain_run(&chain, 1000, 500);
        assert_in_range(chain.cells.work - before, 500 * 17, 500 * 10000);
    }
    shoal_i_cell_chain_clear(&chain);
    free_line(f);
    shoal_i_ctx_clear(&ctx);
}

/* Rounds from states in which nearly every region changes, several side by side: none may count
 * on a cell that another region closes. */
static void test_regions_leave_each_other_alone(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    for (uint64_t seed = 0; seed < rounds(2, 40); seed++) {
        line_case *f = make_line(&ctx, 3 * seed, POINTS_MOST, CELLS_MOST, 12);

        start_poorly(&ctx, f);
        int64_t before = check_state(f);

        assert_true(count_open(f) > 300);
        assert_int_equal(improve(&ctx, f, seed, 1), SHOAL_OK);
        assert_true(check_state(f) <= before);
        free_line(f);
    }
    shoal_i_ctx_clear(&ctx);
}

/* A state that cannot be made cheaper stays as it is, and the search for it ends by itself. */
static void test_ends_in_vain(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    line_case *f = make_line(&ctx, 4, 8, 12, 5);
    uint32_t before[16];

    assert_int_equal(improve(&ctx, f, 1, UINT64_MAX), SHOAL_OK);
    memcpy(before, f->cell_of, sizeof before);
    assert_int_equal(improve(&ctx, f, 2, UINT64_MAX), SHOAL_OK);
    assert_memory_equal(before, f->cell_of, sizeof before);
    free_line(f);
    shoal_i_ctx_clear(&ctx);
}

/* --- The better of two states. ------------------------------------------------------------ */

/* Whether no cell has records of points up to one and records of others, in either state. */
static bool is_end(const line_case *f, const uint32_t *one, const uint32_t *other, uint32_t end)
{
    uint8_t sides[CELLS_MOST] = {0};
    bool parts = true;

    for (uint32_t i = 0; i < f->first[f->pool.point_count]; i++) {
        uint8_t side = i < f->first[end] ? 1 : 2;

        sides[one[i]] |= side;
        sides[other[i]] |= side;
    }
    for (size_t i = 0; i < f->pool.cell_count; i++) {
        parts &= sides[i] != 3;
    }
    return parts;
}

/* Where two states can be parted, the cheaper of each part is taken: on a line that is between
 * any two points where neither has a cell around both. */
static int64_t merge_slowly(const line_case *f, const uint32_t *one, const uint32_t *other)
{
    int64_t total = 0;
    int64_t costs[2] = {0};

    for (uint32_t i = 0; i < f->pool.point_count; i++) {
        for (uint32_t j = f->first[i]; j < f->first[i + 1]; j++) {
            costs[0] += f->cells[one[j]].loss;
            costs[1] += f->cells[other[j]].loss;
        }
        if (is_end(f, one, other, i + 1)) {
            total += costs[0] < costs[1] ? costs[0] : costs[1];
            costs[0] = costs[1] = 0;
        }
    }
    return total;
}

enum { MERGED_POINTS = 60, MERGED_RECORDS = 2 * MERGED_POINTS };

/* A chain from the one cell of all, with random numbers of its own; all records of a point are
 * in one cell. */
static void run_chain(shoal_ctx *ctx, const line_case *f, uint32_t *cell_of, uint64_t seed)
{
    shoal_i_cell_chain chain = {0};

    assert_int_equal(shoal_i_cell_chain_init(ctx, &chain, &f->pool), SHOAL_OK);
    chain.random = shoal_i_random_start(seed);
    shoal_i_open_cells_place(&chain.cells, f->cell_of);
    shoal_i_cell_chain_run(&chain, 0, 3000);
    for (uint32_t i = 0; i < f->pool.point_count; i++) {
        for (uint32_t j = f->first[i]; j < f->first[i + 1]; j++) {
            cell_of[j] = chain.best[i];
        }
    }
    shoal_i_cell_chain_clear(&chain);
}

/* A state in which points are divided: a chain, then regions. */
static void run_regions(shoal_ctx *ctx, line_case *f, uint32_t *cell_of, uint64_t seed)
{
    uint32_t before[2 * POINTS_MOST];

    memcpy(before, f->cell_of, sizeof before);
    run_chain(ctx, f, f->cell_of, seed);
    assert_int_equal(improve(ctx, f, seed, 20000), SHOAL_OK);
    memcpy(cell_of, f->cell_of, MERGED_RECORDS * sizeof *cell_of);
    memcpy(f->cell_of, before, sizeof before);
}

static size_t count_divided(const line_case *f, const uint32_t *cell_of)
{
    size_t count = 0;

    for (uint32_t i = 0; i < f->pool.point_count; i++) {
        for (uint32_t j = f->first[i] + 1; j < f->first[i + 1]; j++) {
            count += cell_of[j] != cell_of[j - 1];
        }
    }
    return count;
}

/* The same state: which records of a point are in which cell is another. */
static void turn_points(const line_case *f, uint32_t *cell_of)
{
    for (uint32_t i = 0; i < f->pool.point_count; i++) {
        uint32_t *of = cell_of + f->first[i];
        uint32_t count = f->first[i + 1] - f->first[i];

        for (uint32_t j = 0; j < count / 2; j++) {
            uint32_t swapped = of[j];

            of[j] = of[count - 1 - j];
            of[count - 1 - j] = swapped;
        }
    }
}

/* Merge two states, and look at what comes of it; true: it is cheaper than either. */
static bool merge_and_check(shoal_ctx *ctx, const line_case *f, uint32_t *one, uint32_t *other)
{
    int64_t costs[2] = {check_records(f, one), check_records(f, other)};
    int64_t expected = merge_slowly(f, one, other);
    uint32_t again[MERGED_RECORDS];

    memcpy(again, one, sizeof again);
    assert_int_equal(shoal_i_cell_merge(ctx, &f->pool, f->first, one, other), SHOAL_OK);
    int64_t merged = check_records(f, one);

    assert_true(merged <= costs[0] && merged <= costs[1]);
    assert_true(merged <= expected);
    turn_points(f, other);
    assert_int_equal(shoal_i_cell_merge(ctx, &f->pool, f->first, again, other), SHOAL_OK);
    assert_int_equal(check_records(f, again), merged);
    return merged < costs[0] && merged < costs[1];
}

static void test_the_better_of_two(void **state)
{
    shoal_ctx ctx;
    int gained[2] = {0};
    size_t divided = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < rounds(30, 200); seed++) {
        line_case *f = make_line(&ctx, seed, MERGED_POINTS, 250, 9);
        uint32_t one[MERGED_RECORDS] = {0};
        uint32_t other[MERGED_RECORDS] = {0};

        run_chain(&ctx, f, one, 1);
        run_chain(&ctx, f, other, 2);
        gained[0] += merge_and_check(&ctx, f, one, other);
        assert_int_equal(count_divided(f, one), 0);
        run_regions(&ctx, f, one, 3);
        run_regions(&ctx, f, other, 4);
        divided += count_divided(f, one);
        gained[1] += merge_and_check(&ctx, f, one, other);
        free_line(f);
    }
    assert_true(gained[0] > 5);
    assert_true(gained[1] > 2);
    assert_true(divided > 0);
    shoal_i_ctx_clear(&ctx);
}

/* Nobody in a cell at all is dearer than any cell. */
static void test_merged_with_the_shelter(void **state)
{
    shoal_ctx ctx;
    uint32_t one[16];
    uint32_t other[16];

    (void)state;
    shoal_i_ctx_init(&ctx);
    line_case *f = make_line(&ctx, 4, 8, 12, 5);

    for (size_t i = 0; i < 16; i++) {
        one[i] = (uint32_t)f->pool.cell_count;
        other[i] = 0;
    }
    assert_int_equal(shoal_i_cell_merge(&ctx, &f->pool, f->first, one, other), SHOAL_OK);
    assert_memory_equal(one, other, f->first[8] * sizeof *one);
    one[0] = (uint32_t)f->pool.cell_count;
    assert_int_equal(shoal_i_cell_merge(&ctx, &f->pool, f->first, other, one), SHOAL_OK);
    assert_int_equal(other[0], 0);
    free_line(f);
    shoal_i_ctx_clear(&ctx);
}

/* --- Failures. ---------------------------------------------------------------------------- */

static shoal_status improve_once(shoal_ctx *ctx, void *payload)
{
    line_case *f = payload;
    uint32_t one[MERGED_RECORDS] = {0};
    uint32_t other[MERGED_RECORDS] = {0};
    shoal_status st = improve(ctx, f, 1, 1);

    check_state(f);
    return st != SHOAL_OK ? st : shoal_i_cell_merge(ctx, &f->pool, f->first, one, other);
}

static void test_failing_allocations(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    line_case *f = make_line(&ctx, 7, 60, 90, 12);

    assert_survives_failing_allocations(&ctx, improve_once, f);
    free_line(f);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_the_optimum),
        cmocka_unit_test(test_work_is_counted),
        cmocka_unit_test(test_part_of_a_region),
        cmocka_unit_test(test_regions_fit_together),
        cmocka_unit_test(test_regions_leave_each_other_alone),
        cmocka_unit_test(test_ends_in_vain),
        cmocka_unit_test(test_the_better_of_two),
        cmocka_unit_test(test_merged_with_the_shelter),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
