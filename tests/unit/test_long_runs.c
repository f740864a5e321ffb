/* Long runs against a plain look at all of them, ties included; what they are found with
 * against plain loops. */
#include "context.h"
#include "deep.h"
#include "method_case.h"

#include "method/hilbert/hilbert_order.h"
#include "method/hilbert/long_runs.h"
#include "method/hilbert/rests.h"
#include "method/hilbert/run_check.h"
#include "method/hilbert/runs.h"

#include <string.h>

typedef struct long_case {
    random_table table;
    shoal_i_lanes *lanes;
    int32_t *rows;
    uint32_t *order;
    size_t count;
    size_t shortest;
    size_t longest;
} long_case;

/* Leave only the second column, which is categorical. */
static void keep_tree(shoal_ctx *ctx, random_table *table)
{
    const shoal_i_quasi_request request = {
        .column = 1, .weight = 1, .hierarchy = table->hierarchies[1]};

    shoal_i_quasi_free(table->quasi);
    assert_int_equal(shoal_i_quasi_build(ctx, &table->quasi, table->table, &request, 1),
                     SHOAL_OK);
}

/* Few values make many boxes that grow no more, and many ties. In the order of the table near
 * records have nothing in common, along the curve they have. */
static void make_case(shoal_ctx *ctx, long_case *c, uint64_t seed, size_t count)
{
    bool is_tree = seed % 7 == 3; /* one categorical column, in the order of its hierarchy */
    shoal_i_random random = shoal_i_random_start(seed ^ 77);
    uint64_t values = 1 + shoal_i_random_below(&random, seed % 3 == 0 ? 3 : 90);
    size_t columns = 1 + (size_t)shoal_i_random_below(&random, RANDOM_COLUMNS_MAX);

    c->count = count;
    columns = is_tree ? 2 : columns;
    c->table = random_table_make(ctx, seed, count, columns, values, seed % 5 == 0);
    if (is_tree) {
        keep_tree(ctx, &c->table);
    }
    c->shortest =
        1 + (size_t)shoal_i_random_below(&random, seed % 2 == 0 ? count : 1 + count / 3);
    c->longest = 2 * c->shortest - 1 < count ? 2 * c->shortest - 1 : count;
    c->order = calloc(count, sizeof *c->order);
    assert_int_equal(shoal_i_hilbert_order(ctx, c->order, c->table.quasi), SHOAL_OK);
    for (uint32_t i = 0; seed % 4 == 1 && i < count; i++) {
        c->order[i] = i;
    }
    assert_int_equal(shoal_i_lanes_build(ctx, &c->lanes, c->table.quasi), SHOAL_OK);
    assert_int_equal(shoal_i_lanes_rows(ctx, &c->rows, c->lanes), SHOAL_OK);
}

static void free_case(long_case *c)
{
    free(c->rows);
    free(c->order);
    shoal_i_lanes_free(c->lanes);
    random_table_free(&c->table);
}

static shoal_status find_runs(shoal_ctx *ctx, uint32_t *length, const long_case *c)
{
    shoal_i_meter meter = {.stage = "test", .total = c->count};
    const shoal_i_problem problem = {.quasi = c->table.quasi, .row_count = c->count};
    const shoal_i_run_lengths lengths = {.shortest = c->shortest, .longest = c->longest};

    return shoal_i_long_runs_find(ctx, length, &problem, c->lanes, c->rows, c->order, &lengths,
                                  &meter);
}

/* All lengths from every start, the shortest of equals. */
static void find_slowly(uint32_t *length, const long_case *c)
{
    size_t lanes = c->lanes->count;
    int32_t *rows = calloc(c->count * lanes, sizeof *rows);
    int32_t *climb = calloc(lanes, sizeof *climb);
    int32_t *penalties = calloc(c->count, sizeof *penalties);
    int64_t *best = calloc(c->count + 1, sizeof *best);
    shoal_i_probe probe = {.climb = climb};

    for (size_t i = 0; i < c->count; i++) {
        memcpy(rows + i * lanes, c->rows + c->order[i] * lanes, lanes * sizeof *rows);
    }
    for (size_t start = c->count; start-- > 0;) {
        const int32_t *row = rows + start * lanes;
        size_t last = c->count - start < c->longest ? c->count - start : c->longest;

        shoal_i_probe_set(&probe, c->lanes, row, row, row);
        shoal_i_kernels_plain.grow(penalties, c->lanes, climb, row, last);
        best[start] = INT64_MAX;
        length[start] = 0;
        for (size_t l = c->shortest; l <= last; l++) {
            int64_t rest = best[start + l];

            if (rest != INT64_MAX && rest + (int64_t)l * penalties[l - 1] < best[start]) {
                best[start] = rest + (int64_t)l * penalties[l - 1];
                length[start] = (uint32_t)l;
            }
        }
    }
    free(rows);
    free(climb);
    free(penalties);
    free(best);
}

static void check_case(shoal_ctx *ctx, uint64_t seed, size_t count)
{
    long_case c;
    uint32_t *fast = calloc(count, sizeof *fast);
    uint32_t *slow = calloc(count, sizeof *slow);

    make_case(ctx, &c, seed, count);
    find_slowly(slow, &c);
    assert_int_equal(find_runs(ctx, fast, &c), SHOAL_OK);
    assert_memory_equal(fast, slow, count * sizeof *fast);
    if (seed % 16 == 0) {
        ctx->threads = 3;
        memset(fast, 0, count * sizeof *fast);
        assert_int_equal(find_runs(ctx, fast, &c), SHOAL_OK);
        shoal_i_ctx_clear(ctx);
        ctx->threads = 1;
        assert_memory_equal(fast, slow, count * sizeof *fast);
    }
    free(fast);
    free(slow);
    free_case(&c);
}

static void test_runs_of_small_tables(void **state)
{
    for (uint64_t seed = 0; seed < rounds(2500, 40000); seed++) {
        check_case(*state, seed, 1 + (size_t)(seed * 31 % 150));
    }
}

/* With stretches of several levels. */
static void test_runs_of_larger_tables(void **state)
{
    for (uint64_t seed = 0; seed < rounds(18, 600); seed++) {
        check_case(*state, seed, 700 + (size_t)(seed * 401 % 2500));
    }
    for (uint64_t seed = 0; seed < rounds(2, 40); seed++) {
        check_case(*state, seed, 5000 + (size_t)(seed * 1009 % 4000));
    }
}

/* --- Requirements that look at more than sizes. ------------------------------------------- */

typedef struct counted_case {
    method_case m;
    shoal_i_lanes *lanes;
    int32_t *rows;
    uint32_t order[CASE_ROWS_MAX];
    uint32_t greedy[CASE_ROWS_MAX];
    bool holds[CASE_ROWS_MAX]; /* per length, of the runs from one start */
    size_t longest;
} counted_case;

/* Which lengths of runs from a start hold; none below the shortest is asked. */
static void judge(shoal_ctx *ctx, counted_case *c, size_t start)
{
    shoal_i_tally tally = {0};

    assert_int_equal(shoal_i_tally_init(ctx, &tally, &c->m.source), SHOAL_OK);
    for (size_t l = 1; start + l <= c->m.problem.row_count; l++) {
        shoal_i_tally_add(&tally, c->order[start + l - 1]);
        c->holds[l] = shoal_i_requirement_holds(&c->m.set, &tally.stats);
    }
    shoal_i_tally_clear(&tally);
}

/* End a run as soon as it holds; the rest joins the runs before it. */
static void find_greedy_slowly(shoal_ctx *ctx, counted_case *c)
{
    size_t rows = c->m.problem.row_count;
    size_t starts[CASE_ROWS_MAX + 1] = {0};
    size_t runs = 0;

    for (size_t end = 1; end <= rows; end++) {
        if (slow_holds(ctx, &c->m, c->order + starts[runs], end - starts[runs])) {
            c->greedy[starts[runs]] = (uint32_t)(end - starts[runs]);
            starts[++runs] = end;
        }
    }
    while (starts[runs] < rows &&
           !slow_holds(ctx, &c->m, c->order + starts[runs], rows - starts[runs])) {
        c->greedy[starts[runs--]] = 0;
    }
    if (starts[runs] < rows) {
        c->greedy[starts[runs]] = (uint32_t)(rows - starts[runs]);
    }
}

/* A run of a length, if it is cheaper than what is known of the start. */
static void try_slowly(counted_case *c, int64_t *best, uint32_t *length, size_t start, size_t l)
{
    size_t lanes = c->lanes->count;
    const int32_t *first = c->rows + c->order[start] * lanes;
    int32_t *rows = calloc(l * lanes, sizeof *rows);
    int32_t *climb = calloc(lanes, sizeof *climb);
    int32_t *penalties = calloc(l, sizeof *penalties);
    shoal_i_probe probe = {.climb = climb};

    for (size_t i = 0; i < l; i++) {
        memcpy(rows + i * lanes, c->rows + c->order[start + i] * lanes, lanes * sizeof *rows);
    }
    shoal_i_probe_set(&probe, c->lanes, first, first, first);
    shoal_i_kernels_plain.grow(penalties, c->lanes, climb, rows, l);
    int64_t cost = (int64_t)l * penalties[l - 1];

    if (best[start + l] != INT64_MAX && best[start + l] + cost < best[start]) {
        best[start] = best[start + l] + cost;
        length[start] = (uint32_t)l;
    }
    free(rows);
    free(climb);
    free(penalties);
}

static void solve_counted_slowly(shoal_ctx *ctx, uint32_t *length, counted_case *c)
{
    size_t rows = c->m.problem.row_count;
    size_t shortest = (size_t)shoal_i_requirement_smallest_class(&c->m.set);
    int64_t best[CASE_ROWS_MAX + 1] = {0};

    for (size_t start = rows; start-- > 0;) {
        size_t last = rows - start < c->longest ? rows - start : c->longest;
        size_t greedy = c->greedy[start];

        judge(ctx, c, start);
        best[start] = INT64_MAX;
        for (size_t l = shortest; l <= last; l++) {
            if (c->holds[l]) {
                last = last < 2 * l - 1 ? last : 2 * l - 1;
                try_slowly(c, best, length, start, l);
            }
        }
        if (greedy > 0) {
            try_slowly(c, best, length, start, greedy);
        }
    }
}

/* The greedy runs, and what they say about counting. */
static void check_greedy(shoal_ctx *ctx, const counted_case *c)
{
    size_t rows = c->m.problem.row_count;
    size_t shortest = (size_t)shoal_i_requirement_smallest_class(&c->m.set);
    uint8_t is_start[CASE_ROWS_MAX] = {0};
    double counted = 0;
    double expected = 0;

    assert_int_equal(shoal_i_runs_greedy(ctx, is_start, &counted, &c->m.problem, c->order),
                     SHOAL_OK);
    for (size_t start = 0; start < rows; start++) {
        size_t length = c->greedy[start];

        assert_int_equal(is_start[start], length > 0);
        expected += length > 0 ? (double)(length * (length - shortest)) : 0;
    }
    assert_true(counted == expected);
}

/* Where only the first partition counts: what starts from no run is nobody's business. */
static void check_counted(shoal_ctx *ctx, counted_case *c)
{
    size_t rows = c->m.problem.row_count;
    uint32_t fast[CASE_ROWS_MAX] = {0};
    uint32_t slow[CASE_ROWS_MAX] = {0};
    shoal_i_meter meter = {.stage = "test", .total = rows};
    const shoal_i_run_lengths lengths = {
        .shortest = (size_t)shoal_i_requirement_smallest_class(&c->m.set),
        .longest = c->longest,
        .greedy = c->greedy};

    find_greedy_slowly(ctx, c);
    check_greedy(ctx, c);
    solve_counted_slowly(ctx, slow, c);
    for (ctx->threads = 1; ctx->threads <= 3; ctx->threads += 2) {
        assert_int_equal(shoal_i_long_runs_find(ctx, fast, &c->m.problem, c->lanes, c->rows,
                                                c->order, &lengths, &meter),
                         SHOAL_OK);
        for (size_t start = 0; start < rows; start += slow[start]) {
            assert_true(slow[start] > 0);
            assert_int_equal(fast[start], slow[start]);
        }
        shoal_i_ctx_clear(ctx);
    }
    ctx->threads = 1;
}

static void test_runs_that_are_counted(void **state)
{
    size_t checked = 0;

    for (uint64_t seed = 0; seed < rounds(8, 200) * CASE_KINDS; seed++) {
        size_t rows = seed % 5 == 0 ? 300 + seed * 7 % 300 : 5 + seed * 13 % 120;
        counted_case c = {0};

        method_case_make(*state, &c.m, seed, rows, 1 + seed % 5, 3 + seed % 17,
                         case_kinds[seed % CASE_KINDS]);
        assert_int_equal(shoal_i_hilbert_order(*state, c.order, c.m.quasi), SHOAL_OK);
        if (slow_holds(*state, &c.m, c.order, rows)) {
            assert_int_equal(shoal_i_lanes_build(*state, &c.lanes, c.m.quasi), SHOAL_OK);
            assert_int_equal(shoal_i_lanes_rows(*state, &c.rows, c.lanes), SHOAL_OK);
            c.longest = seed % 3 == 0 && rows > 40 ? 40 : rows;
            check_counted(*state, &c);
            checked++;
        }
        free(c.rows);
        shoal_i_lanes_free(c.lanes);
        method_case_free(&c.m);
    }
    assert_true(checked > 100);
}

/* --- A block that several tasks solve. ---------------------------------------------------- */

enum {
    SPLIT_ROWS = 6101,   /* blocks from the back end just behind MIXED */
    SPLIT_CHAINED = 600, /* the greedy run from here has 4102 records, more than LONGEST */
    SPLIT_CHEAP = 1150,  /* what is before costs nothing, nor what is behind, up to MIXED */
    SPLIT_MIXED = 5101,
    SPLIT_LONGEST = 4000
};

/* The third value comes late, but for the end: 2, 3 ... 3, 0, 0, 1 ... 1, 2 ... 2, 3 0 1 2 3 */
static int32_t split_value(size_t row)
{
    return row == 0                  ? 2
           : row < SPLIT_CHAINED - 1 ? 3
           : row <= SPLIT_CHAINED    ? 0
           : row < SPLIT_MIXED - 400 ? 1
           : row < SPLIT_MIXED       ? 2
                                     : (int32_t)((row - SPLIT_MIXED + 3) % 4);
}

/* Greedy runs: end as soon as there are three values. */
static void fill_split_greedy(uint32_t *greedy, const int32_t *values)
{
    size_t before = 0;
    size_t start = 0;
    unsigned seen = 0;

    for (size_t end = 0; end < SPLIT_ROWS; end++) {
        seen |= 1U << values[end];
        if (__builtin_popcount(seen) == 3) {
            greedy[start] = (uint32_t)(end + 1 - start);
            before = start;
            start = end + 1;
            seen = 0;
        }
    }
    if (start < SPLIT_ROWS) {
        greedy[before] = (uint32_t)(SPLIT_ROWS - before);
    }
}

/* A column of numbers and a sensitive one, and a requirement about it. */
static void make_counted(shoal_ctx *ctx, counted_case *c, int32_t *cells, int32_t *values,
                         size_t rows, const shoal_i_requirement *requirement)
{
    const shoal_array arrays[] = {
        {.name = "a", .kind = SHOAL_ARRAY_INT32, .length = rows, .data = cells},
        {.name = "s", .kind = SHOAL_ARRAY_INT32, .length = rows, .data = values}};
    const shoal_i_quasi_request request = {.column = 0, .weight = 1};
    shoal_i_requirement item = *requirement;
    method_case *m = &c->m;

    m->sensitive_count = 1;
    item.column = &m->sensitive[0];
    assert_int_equal(shoal_table_from_arrays(ctx, &m->table.table, arrays, 2), SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(ctx, &m->quasi, m->table.table, &request, 1),
                     SHOAL_OK);
    assert_int_equal(shoal_hierarchy_build_flat(ctx, &m->trees[0], m->table.table, 1),
                     SHOAL_OK);
    assert_int_equal(
        shoal_i_sensitive_init(ctx, &m->sensitive[0], m->table.table, 1, m->trees[0], NULL),
        SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add_item(ctx, &m->set, &item), SHOAL_OK);
    assert_int_equal(
        shoal_i_tally_source_init(ctx, &m->source, &m->set, m->sensitive, 1, NULL, rows),
        SHOAL_OK);
    m->problem = (shoal_i_problem){
        .quasi = m->quasi, .row_count = rows, .requirements = &m->set, .source = &m->source};
    assert_int_equal(shoal_i_lanes_build(ctx, &c->lanes, m->quasi), SHOAL_OK);
    assert_int_equal(shoal_i_lanes_rows(ctx, &c->rows, c->lanes), SHOAL_OK);
}

static void free_counted(counted_case *c)
{
    free(c->rows);
    shoal_i_lanes_free(c->lanes);
    method_case_free(&c->m);
}

/* A greedy run that is longer than those looked at, and ends in the block that it starts in:
 * what the rest costs must be known by then. */
static void test_greedy_runs_within_a_block(void **state)
{
    static int32_t cells[SPLIT_ROWS];
    static int32_t values[SPLIT_ROWS];
    static uint32_t order[SPLIT_ROWS];
    static uint32_t greedy[SPLIT_ROWS];
    static uint32_t length[SPLIT_ROWS];
    const shoal_i_run_lengths lengths = {
        .shortest = 3, .longest = SPLIT_LONGEST, .greedy = greedy};
    shoal_ctx *ctx = *state;
    counted_case c = {0};

    for (uint32_t row = 0; row < SPLIT_ROWS; row++) {
        order[row] = row;
        values[row] = split_value(row);
        cells[row] = row < SPLIT_CHEAP    ? 0
                     : row <= SPLIT_MIXED ? 5
                                          : (int32_t)(row * 389 % 1000);
    }
    fill_split_greedy(greedy, values);
    assert_int_equal(greedy[SPLIT_CHAINED], 4102);
    make_counted(ctx, &c, cells, values, SPLIT_ROWS,
                 &(shoal_i_requirement){.kind = &shoal_i_l_distinct, .value = 3});
    for (ctx->threads = 1; ctx->threads <= 3; ctx->threads += 2) {
        shoal_i_meter meter = {.stage = "test", .total = SPLIT_ROWS};

        assert_int_equal(shoal_i_long_runs_find(ctx, length, &c.m.problem, c.lanes, c.rows,
                                                order, &lengths, &meter),
                         SHOAL_OK);
        assert_int_equal(length[0], SPLIT_CHEAP);
        shoal_i_ctx_clear(ctx);
    }
    ctx->threads = 1;
    free_counted(&c);
}

/* --- Runs that hold, and longer ones that do not. ----------------------------------------- */

enum { SHARED_ROWS = 2600, SHARED_SHORTEST = 300 };
#define SHARED_MOST 0.52

/* A column of few values, so that boxes soon grow no more, and a sensitive one of two, of which
 * neither may be more than a part of a run: `ones` are counted up to each place. */
typedef struct shared_case {
    counted_case c;
    int32_t cells[SHARED_ROWS];
    int32_t values[SHARED_ROWS];
    uint32_t order[SHARED_ROWS];
    uint32_t greedy[SHARED_ROWS];
    size_t ones[SHARED_ROWS + 1];
    int32_t penalties[SHARED_ROWS];
    int64_t best[SHARED_ROWS + 1];
} shared_case;

static bool is_shared(const shared_case *s, size_t first, size_t end)
{
    size_t ones = s->ones[end] - s->ones[first];
    size_t others = end - first - ones;
    double most = (double)(ones > others ? ones : others) / (double)(end - first);

    return end - first >= SHARED_SHORTEST && most <= SHARED_MOST;
}

/* Draw the rows of a table. */
static void draw_shared(shared_case *s, shoal_i_random *random)
{
    for (uint32_t row = 0; row < SHARED_ROWS; row++) {
        uint64_t lean = row / 90 % 2 == 0 ? 9 : 4;

        s->order[row] = row;
        s->cells[row] = (int32_t)(row / 600 + shoal_i_random_below(random, 2));
        s->values[row] = shoal_i_random_below(random, 13) < lean;
        s->ones[row + 1] = s->ones[row] + (size_t)s->values[row];
    }
}

/* A table that holds as a whole, as requests that cannot be met never come that far, and its
 * greedy runs: the last takes in what is left, and those before it while it does not hold. */
static void fill_shared(shared_case *s, uint64_t seed)
{
    shoal_i_random random = shoal_i_random_start(seed ^ 3);
    size_t start = 0;

    do {
        draw_shared(s, &random);
    } while (!is_shared(s, 0, SHARED_ROWS));
    for (size_t end = 1; end <= SHARED_ROWS; end++) {
        if (is_shared(s, start, end)) {
            s->greedy[start] = (uint32_t)(end - start);
            start = end;
        }
    }
    while (start > 0 && start < SHARED_ROWS && !is_shared(s, start, SHARED_ROWS)) {
        s->greedy[start] = 0;
        for (start--; s->greedy[start] == 0;) {
            start--;
        }
    }
    if (start < SHARED_ROWS) {
        assert_true(is_shared(s, start, SHARED_ROWS));
        s->greedy[start] = (uint32_t)(SHARED_ROWS - start);
    }
}

static void try_shared(shared_case *s, uint32_t *length, size_t start, size_t l)
{
    int64_t rest = s->best[start + l];

    if (rest != INT64_MAX && rest + (int64_t)l * s->penalties[l - 1] < s->best[start]) {
        s->best[start] = rest + (int64_t)l * s->penalties[l - 1];
        length[start] = (uint32_t)l;
    }
}

static void solve_shared_slowly(uint32_t *length, shared_case *s)
{
    size_t lanes = s->c.lanes->count;
    int32_t *climb = calloc(lanes, sizeof *climb);
    shoal_i_probe probe = {.climb = climb};

    for (size_t start = SHARED_ROWS; start-- > 0;) {
        const int32_t *row = s->c.rows + start * lanes;
        size_t last = SHARED_ROWS - start;

        shoal_i_probe_set(&probe, s->c.lanes, row, row, row);
        shoal_i_kernels_plain.grow(s->penalties, s->c.lanes, climb, row, last);
        s->best[start] = INT64_MAX;
        for (size_t l = SHARED_SHORTEST; l <= last; l++) {
            if (is_shared(s, start, start + l)) {
                last = last < 2 * l - 1 ? last : 2 * l - 1;
                try_shared(s, length, start, l);
            }
        }
        if (s->greedy[start] > 0) {
            try_shared(s, length, start, s->greedy[start]);
        }
    }
    free(climb);
}

static void check_shared(shoal_ctx *ctx, shared_case *s)
{
    static uint32_t fast[SHARED_ROWS];
    static uint32_t slow[SHARED_ROWS];
    const shoal_i_run_lengths lengths = {
        .shortest = SHARED_SHORTEST, .longest = SHARED_ROWS, .greedy = s->greedy};
    shoal_i_meter meter = {.stage = "test", .total = SHARED_ROWS};

    memset(slow, 0, sizeof slow);
    solve_shared_slowly(slow, s);
    assert_int_equal(shoal_i_long_runs_find(ctx, fast, &s->c.m.problem, s->c.lanes, s->c.rows,
                                            s->order, &lengths, &meter),
                     SHOAL_OK);
    for (size_t start = 0; start < SHARED_ROWS; start += slow[start]) {
        assert_true(slow[start] > 0);
        assert_int_equal(fast[start], slow[start]);
    }
}

static void test_runs_that_hold_and_longer_ones_do_not(void **state)
{
    for (uint64_t seed = 0; seed < rounds(12, 200); seed++) {
        shared_case *s = calloc(1, sizeof *s);

        fill_shared(s, seed);
        make_counted(
            *state, &s->c, s->cells, s->values, SHARED_ROWS,
            &(shoal_i_requirement){.kind = &shoal_i_alpha_general, .value = SHARED_MOST});
        assert_int_equal(
            shoal_i_requirement_add(*state, &s->c.m.set, &shoal_i_k_anonymity, SHARED_SHORTEST),
            SHOAL_OK);
        check_shared(*state, s);
        free_counted(&s->c);
        free(s);
    }
}

static shoal_status find_once(shoal_ctx *ctx, void *payload)
{
    const long_case *c = payload;
    uint32_t length[600];

    return find_runs(ctx, length, c);
}

static void test_runs_survive_failing_allocations(void **state)
{
    long_case c;

    make_case(*state, &c, 6, 600);
    assert_survives_failing_allocations(*state, find_once, &c);
    free_case(&c);
}

/* A box around any run. */
static void test_boxes_of_runs(void **state)
{
    shoal_i_random random = shoal_i_random_start(4);
    shoal_i_run_boxes boxes;
    long_case c;

    make_case(*state, &c, 2, 3000);
    assert_int_equal(
        shoal_i_run_boxes_init(*state, &boxes, c.lanes, c.rows, c.order, c.count, 3), SHOAL_OK);
    for (uint64_t round = 0; round < rounds(400, 4000); round++) {
        size_t first = (size_t)shoal_i_random_below(&random, c.count);
        size_t end = first + 1 + (size_t)shoal_i_random_below(&random, c.count - first);
        size_t lanes = c.lanes->count;
        int32_t box[256];
        int32_t slow[256];

        assert_true(2 * lanes <= 256);
        memcpy(box, shoal_i_run_row(&boxes, first), lanes * sizeof *box);
        memcpy(box + lanes, box, lanes * sizeof *box);
        memcpy(slow, box, 2 * lanes * sizeof *box);
        shoal_i_run_boxes_join(&boxes, box, first, end);
        for (size_t place = first; place < end; place++) {
            const int32_t *row = c.rows + c.order[place] * lanes;

            shoal_i_kernels_plain.join(c.lanes, slow, slow + lanes, row, row);
        }
        assert_memory_equal(box, slow, 2 * lanes * sizeof *box);
    }
    shoal_i_run_boxes_clear(&boxes);
    free_case(&c);
}

static void test_levels(void **state)
{
    (void)state;
    assert_int_equal(shoal_i_level_width(0), 32);
    assert_int_equal(shoal_i_level_width(2), 2048);
    assert_int_equal(shoal_i_level_count(1), 1);
    assert_int_equal(shoal_i_level_count(255), 1);
    assert_int_equal(shoal_i_level_count(256), 2);
    assert_int_equal(shoal_i_level_count(2047), 2);
    assert_int_equal(shoal_i_level_count(2048), 3);
    assert_int_equal(shoal_i_level_count(SIZE_MAX), SHOAL_I_LEVELS_MOST);
}

/* Costs that fall and rise, on lines and off them, some not known. */
static void fill_rests(shoal_i_rests *rests, shoal_i_random *random, uint64_t spread)
{
    int64_t slope = (int64_t)shoal_i_random_below(random, 50);

    for (size_t end = rests->count + 1; end-- > 0;) {
        rests->best[end] = (int64_t)(rests->count - end) * slope +
                           (int64_t)shoal_i_random_below(random, spread);
        if (shoal_i_random_below(random, 9) == 0) {
            rests->best[end] = SHOAL_I_NO_COST;
        }
        shoal_i_rests_add(rests, end);
    }
}

static void check_stretch(const shoal_i_rests *rests, size_t level, size_t stretch,
                          int32_t penalty)
{
    size_t width = shoal_i_level_width(level);
    int64_t least = SHOAL_I_NO_COST;
    size_t found = 0;
    size_t end = 0;

    for (size_t e = stretch * width; e <= rests->count && e < (stretch + 1) * width; e++) {
        if (rests->best[e] != SHOAL_I_NO_COST &&
            rests->best[e] + (int64_t)e * penalty < least) {
            least = rests->best[e] + (int64_t)e * penalty;
            end = e;
        }
    }
    assert_true(shoal_i_rests_least(rests, level, stretch, penalty, &found) == least);
    assert_int_equal(found, end);
}

static void test_the_best_end_of_a_stretch(void **state)
{
    shoal_i_random random = shoal_i_random_start(8);

    for (uint64_t round = 0; round < rounds(100, 3000); round++) {
        shoal_i_rests rests;
        size_t count = (size_t)shoal_i_random_below(&random, 600);

        assert_int_equal(shoal_i_rests_init(*state, &rests, count, 2), SHOAL_OK);
        fill_rests(&rests, &random, round % 2 == 0 ? 1 + round : 4);
        for (int32_t penalty = 0; penalty < 60; penalty += 1 + (int32_t)(round % 3)) {
            for (size_t level = 0; level < 2; level++) {
                for (size_t s = 0; s * shoal_i_level_width(level) <= count; s++) {
                    check_stretch(&rests, level, s, penalty);
                }
            }
        }
        shoal_i_rests_clear(&rests);
    }
}

/* Runs are counted from whichever was asked for last: nearer or farther, shorter or longer, on
 * either side. */
static void test_runs_that_hold(void **state)
{
    static const shoal_i_requirement_kind *const kinds[] = {&shoal_i_l_distinct,
                                                            &shoal_i_t_equal};
    shoal_ctx *ctx = *state;
    size_t held = 0;
    size_t asked = 0;

    for (uint64_t seed = 0; seed < 8; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        shoal_i_run_check check = {0};
        uint32_t order[90];
        size_t first = 40;
        size_t end = 50;
        method_case m;

        method_case_make(ctx, &m, seed, 90, 2, 9, kinds[seed % 2]);
        for (uint32_t i = 0; i < 90; i++) {
            order[i] = i * 31 % 90;
        }
        assert_int_equal(shoal_i_run_check_init(ctx, &check, &m.problem, order), SHOAL_OK);
        for (int step = 0; step < 300; step++) {
            size_t reach = step % 10 == 0 ? 90 : 5; /* mostly a run near the last one */

            first = first + shoal_i_random_below(&random, 2 * reach + 1);
            first = first < reach ? 0 : first - reach < 80 ? first - reach : 80;
            end = end + shoal_i_random_below(&random, 2 * reach + 1);
            end = end < reach ? 0 : end - reach < 90 ? end - reach : 90;
            end = end > first ? end : first + 1;
            bool holds = slow_holds(ctx, &m, order + first, end - first);

            assert_int_equal(shoal_i_run_holds(&check, first, end), holds);
            held += holds;
            asked++;
        }
        shoal_i_run_check_clear(&check);
        method_case_free(&m);
    }
    assert_true(held > asked / 20 && held < asked - asked / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_that_hold),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_boxes_of_runs),
        cmocka_unit_test(test_the_best_end_of_a_stretch),
        cmocka_unit_test(test_runs_of_small_tables),
        cmocka_unit_test(test_runs_of_larger_tables),
        cmocka_unit_test(test_runs_that_are_counted),
        cmocka_unit_test(test_greedy_runs_within_a_block),
        cmocka_unit_test(test_runs_that_hold_and_longer_ones_do_not),
        cmocka_unit_test(test_runs_survive_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
