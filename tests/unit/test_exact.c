/* exact against exhaustive search: every partition of up to ten records, and the sorted
 * line. */

#include "context.h"
#include "method_case.h"

#include "method/exact/exact_line.h"

#define MANY_MAX 16

/* --- All partitions of a few records. ----------------------------------------------------- */

typedef struct enumeration {
    size_t count;
    double
        costs[1 << 10]; /* of each set of records as a class; infinite when it does not hold */
    double best;
    unsigned groups[10];
} enumeration;

/* Put record `row` into each of the groups in turn, or into one of its own. */
static void enumerate(enumeration *e, size_t row, size_t group_count)
{
    if (row == e->count) {
        double sum = 0;

        for (size_t g = 0; g < group_count; g++) {
            sum += e->costs[e->groups[g]];
        }
        e->best = sum < e->best ? sum : e->best;
        return;
    }
    for (size_t g = 0; g <= group_count; g++) {
        unsigned before = g < group_count ? e->groups[g] : 0;

        e->groups[g] = before | 1u << row;
        enumerate(e, row + 1, group_count + (g == group_count));
        e->groups[g] = before;
    }
}

static double find_optimum(shoal_ctx *ctx, const method_case *m)
{
    enumeration e = {.count = m->problem.row_count, .best = INFINITY};

    for (unsigned set = 1; set < 1u << e.count; set++) {
        uint32_t rows[10];
        size_t count = 0;

        for (uint32_t row = 0; row < e.count; row++) {
            if (set >> row & 1) {
                rows[count++] = row;
            }
        }
        e.costs[set] = slow_holds(ctx, m, rows, count)
                           ? (double)count * slow_ncp(m->quasi, rows, count)
                           : (double)INFINITY;
    }
    enumerate(&e, 0, 0);
    return e.best;
}

/* Every kind of requirement, one to five columns, few values (so that records are equal) and
 * many. */
static void test_equals_exhaustive_search(void **state)
{
    shoal_ctx *ctx = *state;
    size_t met = 0;

    for (uint64_t seed = 0; seed < 480; seed++) {
        method_case m;
        shoal_i_release *release = NULL;

        method_case_make(ctx, &m, seed, 4 + seed % (seed % 16 == 5 ? 7 : 6), 1 + seed % 5,
                         2 + seed * 7 % 23, case_kinds[seed % CASE_KINDS]);
        double optimum = find_optimum(ctx, &m);
        shoal_status st = method_case_run(ctx, &release, &m, "exact");

        assert_true(st == SHOAL_OK || st == SHOAL_EUNSATISFIABLE);
        assert_int_equal(st == SHOAL_OK, optimum < (double)INFINITY);
        if (st == SHOAL_OK) {
            check_case_release(ctx, &m, release);
            assert_true(fabs(slow_release_ncp(release) - optimum) < 1e-9);
            met++;
        }
        shoal_i_release_free(release);
        method_case_free(&m);
    }
    assert_true(met > 200);
}

/* Whatever the other methods make, it loses no less. */
static void test_nothing_is_better(void **state)
{
    shoal_ctx *ctx = *state;
    size_t compared = 0;

    for (uint64_t seed = 0; seed < rounds(20, 96); seed++) {
        method_case m;
        shoal_i_release *exact = NULL;

        method_case_make(ctx, &m, seed, 9 + seed % 4, 1 + seed % 4, 3 + seed * 7 % 23,
                         case_kinds[seed % CASE_KINDS]);
        if (method_case_run(ctx, &exact, &m, "exact") != SHOAL_OK) {
            assert_int_equal(ctx->error.status, SHOAL_EUNSATISFIABLE);
        }
        for (size_t i = 0; exact && shoal_i_methods[i]; i++) {
            shoal_i_release *other = NULL;

            if (shoal_i_methods[i]->shape == SHOAL_I_SHAPE_CLASSES &&
                method_case_run(ctx, &other, &m, shoal_i_methods[i]->name) == SHOAL_OK) {
                assert_true(slow_release_ncp(exact) <= slow_release_ncp(other) + 1e-9);
                compared++;
            }
            shoal_i_release_free(other);
        }
        shoal_i_release_free(exact);
        method_case_free(&m);
    }
    assert_true(compared > 60);
}

/* --- Numbers on a line. ------------------------------------------------------------------- */

/* The best partition of sets of sorted numbers, each from the best of its subsets. */
static double find_line_optimum(const double *x, size_t count, size_t k)
{
    static double best[1 << MANY_MAX];

    for (unsigned set = 1; set < 1u << count; set++) {
        size_t size = 0;
        unsigned lowest = set & (0 - set);

        best[set] = INFINITY;
        for (unsigned group = set; group > 0; group = (group - 1) & set) {
            size_t first = count;
            size_t last = 0;

            size = 0;
            for (size_t i = 0; i < count && group & lowest; i++) {
                if (group >> i & 1) {
                    first = first < i ? first : i;
                    last = i;
                    size++;
                }
            }
            if (size < k || size > 2 * k) {
                continue; /* larger ones can be parted for nothing */
            }
            double cost = (double)size * (x[last] - x[first]) + best[set ^ group];

            best[set] = cost < best[set] ? cost : best[set];
        }
    }
    return best[(1u << count) - 1];
}

static double line_cost(const double *x, const uint32_t *group_of, size_t count, size_t groups,
                        size_t k)
{
    double sum = 0;

    for (uint32_t g = 0; g < groups; g++) {
        double lo = INFINITY;
        double hi = -INFINITY;
        size_t size = 0;

        for (size_t i = 0; i < count; i++) {
            if (group_of[i] == g) {
                lo = fmin(lo, x[i]);
                hi = fmax(hi, x[i]);
                size++;
            }
        }
        assert_true(size >= k);
        sum += (double)size * (hi - lo);
    }
    return sum;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Numbers in clumps, where groups around others pay. */
static void draw_line(shoal_i_random *random, double *x, size_t count)
{
    uint64_t spread = 1 + shoal_i_random_below(random, 12);

    for (size_t i = 0; i < count; i++) {
        x[i] = (double)(100 * shoal_i_random_below(random, 4) +
                        shoal_i_random_below(random, spread));
    }
    qsort(x, count, sizeof *x, compare_numbers);
}

static void test_line_equals_exhaustive_search(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_i_random random = shoal_i_random_start(3);

    for (size_t round = 0; round < 400; round++) {
        size_t count = 1 + shoal_i_random_below(&random, round % 40 == 0 ? 13 : 11);
        size_t k = 1 + shoal_i_random_below(&random, count < 5 ? count : 5);
        double x[MANY_MAX];
        uint32_t group_of[MANY_MAX];
        size_t groups = 0;

        draw_line(&random, x, count);
        assert_int_equal(shoal_i_exact_line(ctx, group_of, &groups, x, count, k), SHOAL_OK);
        double found = line_cost(x, group_of, count, groups, k);

        assert_true(fabs(found - find_line_optimum(x, count, k)) < 1e-9);
    }
}

/* The best runs cost 250. */
static void test_runs_are_not_enough(void **state)
{
    shoal_ctx *ctx = *state;
    const double x[] = {0, 50, 50, 50, 100};
    uint32_t group_of[5];
    size_t groups = 0;

    assert_int_equal(shoal_i_exact_line(ctx, group_of, &groups, x, 5, 2), SHOAL_OK);
    assert_true(fabs(line_cost(x, group_of, 5, groups, 2) - 200) < 1e-9);
    assert_int_equal(group_of[0], group_of[4]);
}

/* --- What it serves and what it does not. ------------------------------------------------- */

static shoal_status run_exact(shoal_ctx *ctx, shoal_i_release **release,
                              const shoal_i_quasi *quasi, double k)
{
    shoal_i_requirement_set set = {0};
    shoal_i_tally_source source = {0};
    size_t rows = shoal_table_row_count(quasi->table);
    shoal_i_problem problem = {
        .quasi = quasi, .row_count = rows, .requirements = &set, .source = &source};

    assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, k), SHOAL_OK);
    assert_int_equal(shoal_i_tally_source_init(ctx, &source, &set, NULL, 0, NULL, rows),
                     SHOAL_OK);
    shoal_status st = shoal_i_method_run(ctx, release, &shoal_i_exact, &problem,
                                         &(shoal_i_method_settings){0});

    shoal_i_tally_source_clear(&source);
    shoal_i_requirement_set_clear(&set);
    return st;
}

/* One numeric column at any length: never worse than the best runs, every group large
 * enough. */
static void test_long_line(void **state)
{
    enum { ROWS = 3000, K = 4 };
    shoal_ctx *ctx = *state;
    random_table t = random_table_make(ctx, 5, ROWS, 1, 5000, false);
    shoal_i_release *release = NULL;
    static double runs[ROWS + 1];
    static double x[ROWS];

    for (size_t row = 0; row < ROWS; row++) {
        x[row] = t.quasi->columns[0].values[shoal_i_quasi_code(t.quasi, 0, row)] /
                 t.quasi->columns[0].range;
    }
    qsort(x, ROWS, sizeof *x, compare_numbers);
    for (size_t end = 1; end <= ROWS; end++) {
        runs[end] = INFINITY;
        for (size_t size = K; size <= end && size < 2 * K; size++) {
            runs[end] =
                fmin(runs[end], runs[end - size] + (double)size * (x[end - 1] - x[end - size]));
        }
    }
    assert_int_equal(run_exact(ctx, &release, t.quasi, K), SHOAL_OK);
    assert_true(slow_release_ncp(release) <= runs[ROWS] + 1e-9);
    for (size_t b = 0; b < release->box_count; b++) {
        assert_true(release->box_sizes[b] >= K);
    }
    shoal_i_release_free(release);
    random_table_free(&t);
}

static void test_refuses_what_it_cannot_do(void **state)
{
    shoal_ctx *ctx = *state;
    const struct {
        size_t rows;
        size_t columns;
        bool with_missing;
        double k;
        const char *words;
    } cases[] = {
        {100000, 3, false, 5, "more than one quasi column"},
        {40, 2, false, 2, "more than one quasi column"},
        {500, 1, true, 2, "missing values"},
        {20000, 1, false, 257, "cube of k"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        random_table t = random_table_make(ctx, 2, cases[i].rows, cases[i].columns, 3000,
                                           cases[i].with_missing);
        shoal_i_release *release = NULL;

        assert_int_equal(run_exact(ctx, &release, t.quasi, cases[i].k), SHOAL_EUNSUPPORTED);
        assert_null(release);
        assert_non_null(strstr(ctx->error.message, cases[i].words));
        assert_non_null(strstr(ctx->error.message, "'best'"));
        random_table_free(&t);
    }
}

/* Sixty records of few kinds are few sets. */
static void test_equal_records_are_interchangeable(void **state)
{
    shoal_ctx *ctx = *state;
    random_table t = random_table_make(ctx, 9, 60, 2, 3, false);
    shoal_i_release *release = NULL;
    shoal_i_release *threaded = NULL;

    assert_int_equal(run_exact(ctx, &release, t.quasi, 8), SHOAL_OK);
    for (size_t b = 0; b < release->box_count; b++) {
        assert_true(release->box_sizes[b] >= 8);
    }
    ctx->threads = 3;
    assert_int_equal(run_exact(ctx, &threaded, t.quasi, 8), SHOAL_OK);
    assert_same_release(release, threaded);
    shoal_i_ctx_clear(ctx);
    ctx->threads = 1;
    shoal_i_release_free(release);
    shoal_i_release_free(threaded);
    random_table_free(&t);
}

static void test_cancel(void **state)
{
    shoal_ctx *ctx = *state;
    random_table t = random_table_make(ctx, 1, 18, 3, 30, false);
    random_table line = random_table_make(ctx, 1, 5000, 1, 5000, false);
    shoal_i_release *release = NULL;
    int cancel = 1;

    ctx->cancel = &cancel;
    assert_int_equal(run_exact(ctx, &release, t.quasi, 3), SHOAL_ECANCELLED);
    assert_int_equal(run_exact(ctx, &release, line.quasi, 3), SHOAL_ECANCELLED);
    ctx->cancel = NULL;
    random_table_free(&t);
    random_table_free(&line);
}

static void test_failing_allocations(void **state)
{
    shoal_ctx *ctx = *state;
    method_case m;

    for (size_t columns = 1; columns < 4; columns += 2) {
        method_case_make(ctx, &m, 4, 8, columns, 9, &shoal_i_k_anonymity);
        assert_case_survives_failing_allocations(ctx, &m, "exact");
        method_case_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_exhaustive_search),
        cmocka_unit_test(test_nothing_is_better),
        cmocka_unit_test(test_line_equals_exhaustive_search),
        cmocka_unit_test(test_runs_are_not_enough),
        cmocka_unit_test(test_long_line),
        cmocka_unit_test(test_refuses_what_it_cannot_do),
        cmocka_unit_test(test_equal_records_are_interchangeable),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
