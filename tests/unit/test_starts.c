/* Other methods as starts of `best`: it never loses more than any of them. */

#include "fake_clock.h"
#include "method_case.h"

#include "base/sort.h"
#include "method/problem/canonical_order.h"
#include "method/problem/effort.h"
#include "method/best/sampled_problem.h"
#include "method/best/starts.h"
#include "method/hilbert/hilbert.h"
#include "table/table_codes.h"

#include <math.h>

static const char *const others[] = {
    "topdown",          "bottomup",
    "mondrian",         "mondrian:mode=relaxed",
    "hilbert",          "mondrian:cuts=children",
    "cluster",          "specialize",
    "best:effort=fast", "specialize:numeric=halves",
    "incognito",        "incognito:objective=gcp",
};

static const char *const fast_others[] = {"topdown", "mondrian", "hilbert"};
#define FAST_OTHERS (sizeof fast_others / sizeof *fast_others)

#define OTHERS (sizeof others / sizeof *others)

/* Too many records for the optimum, and few enough for it. */
#define ROWS 24
#define ROWS_FEW 9

static double run_loss(shoal_ctx *ctx, const method_case *m, const char *variant)
{
    shoal_i_release *release = NULL;

    assert_int_equal(method_case_run(ctx, &release, m, variant), SHOAL_OK);
    check_case_release(ctx, m, release);
    double loss = slow_release_ncp(release);

    shoal_i_release_free(release);
    return loss;
}

static bool can_hold(shoal_ctx *ctx, const method_case *m)
{
    uint32_t rows[CASE_ROWS_MAX];

    for (uint32_t i = 0; i < m->problem.row_count; i++) {
        rows[i] = i;
    }
    return slow_holds(ctx, m, rows, m->problem.row_count);
}

/* Numbers and hierarchies, few values and many, weights, missing values, every kind of
 * requirement. */
static void test_never_worse_than_others(void **state)
{
    shoal_ctx ctx;
    size_t compared = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < rounds(2, 4) * CASE_KINDS; seed++) {
        method_case m;

        method_case_make(&ctx, &m, seed, ROWS + 7 * (seed % 12), 1 + seed % 4,
                         seed % 3 == 0 ? 2 : 2 + seed % 31,
                         seed % 2 ? case_kinds[seed / 2 % CASE_KINDS] : &shoal_i_k_anonymity);
        if (can_hold(&ctx, &m)) {
            double loss = run_loss(&ctx, &m, "best");

            for (size_t i = 0; i < OTHERS; i++) {
                assert_true(loss <= run_loss(&ctx, &m, others[i]) + 1e-6);
            }
            loss = run_loss(&ctx, &m, "best:effort=fast");
            for (size_t i = 0; i < FAST_OTHERS; i++) {
                assert_true(loss <= run_loss(&ctx, &m, fast_others[i]) + 1e-6);
            }
            compared++;
        }
        method_case_free(&m);
    }
    assert_true(compared > CASE_KINDS);
    shoal_i_ctx_clear(&ctx);
}

static void test_optimum_of_few_records(void **state)
{
    shoal_ctx ctx;
    size_t compared = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < rounds(2, 3) * CASE_KINDS; seed++) {
        method_case m;

        method_case_make(&ctx, &m, seed, ROWS_FEW, 1 + seed % 4, 2 + seed % 9,
                         case_kinds[seed % CASE_KINDS]);
        if (can_hold(&ctx, &m)) {
            double optimum = run_loss(&ctx, &m, "exact");

            assert_float_equal(run_loss(&ctx, &m, "best"), optimum, 1e-6);
            compared++;
        }
        method_case_free(&m);
    }
    assert_true(compared > CASE_KINDS);
    shoal_i_ctx_clear(&ctx);
}

/* --- What the list of starts promises. ---------------------------------------------------- */

static void test_cheapest_first(void **state)
{
    shoal_ctx ctx;
    method_case m;
    shoal_i_starts starts = {0};
    const shoal_i_meter meter = {.stage = "test", .total = 1};

    (void)state;
    shoal_i_ctx_init(&ctx);
    method_case_make(&ctx, &m, 5, 80, 3, 9, &shoal_i_k_anonymity);
    assert_int_equal(
        shoal_i_starts_run(&ctx, &starts, &m.problem, SHOAL_I_EFFORT_NORMAL, 1, 0, &meter),
        SHOAL_OK);
    assert_true(starts.count > 3);
    for (size_t i = 0; i < starts.count; i++) {
        check_case_release(&ctx, &m, starts.releases[i]);
        assert_float_equal(starts.costs[i], slow_release_ncp(starts.releases[i]), 1e-6);
        assert_true(i == 0 || starts.costs[i - 1] < starts.costs[i]);
    }
    shoal_i_starts_clear(&starts);
    /* What costs nothing needs no rivals. */
    assert_int_equal(
        shoal_i_starts_run(&ctx, &starts, &m.problem, SHOAL_I_EFFORT_NORMAL, 0, 0, &meter),
        SHOAL_OK);
    assert_int_equal(starts.count, 0);
    method_case_free(&m);
    shoal_i_ctx_clear(&ctx);
}

/* Whoever is not done when the time is over has no release, others have theirs; that is no
 * failure, and nothing of it is lost. */
static void test_late_rivals(void **state)
{
    const shoal_i_meter meter = {.stage = "test", .total = 1};
    shoal_ctx ctx;
    method_case m;
    size_t least = SIZE_MAX;
    size_t most = 0;
    size_t some = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    method_case_make(&ctx, &m, 5, 80, 3, 9, &shoal_i_k_anonymity);
    for (uint64_t seconds = 1; seconds < 400; seconds += 1 + seconds / 4) {
        shoal_i_starts starts = {0};

        fake_clock_looks = 1000;
        assert_int_equal(shoal_i_starts_run(&ctx, &starts, &m.problem, SHOAL_I_EFFORT_NORMAL, 1,
                                            (double)(1000 + seconds), &meter),
                         SHOAL_OK);
        for (size_t i = 0; i < starts.count; i++) {
            check_case_release(&ctx, &m, starts.releases[i]);
        }
        assert_true(starts.count >= most); /* with more time no fewer */
        least = starts.count < least ? starts.count : least;
        some += starts.count > least;
        most = starts.count;
        shoal_i_starts_clear(&starts);
    }
    assert_true(least == 0 && some > 2 && most > 3);
    method_case_free(&m);
    shoal_i_ctx_clear(&ctx);
}

/* A table of one numeric column is the optimum's at any effort, whatever its length. */
static void test_one_column(void **state)
{
    static const char *const efforts[] = {"best:effort=fast", "best"};
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 3; seed++) {
        method_case m;

        method_case_make(&ctx, &m, 4 * seed, 400, 1, 5 + 90 * seed, &shoal_i_k_anonymity);
        for (size_t e = 0; e < sizeof efforts / sizeof *efforts; e++) {
            assert_float_equal(run_loss(&ctx, &m, efforts[e]), run_loss(&ctx, &m, "exact"),
                               1e-6);
        }
        method_case_free(&m);
    }
    shoal_i_ctx_clear(&ctx);
}

/* --- Samples. ----------------------------------------------------------------------------- */

/* A sample has the codes of its records, all else is the whole's; methods run on it. */
static void test_sample(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 6; seed++) {
        const size_t count = 20 + 7 * seed;
        method_case m;
        shoal_i_sampled sampled = {0};
        shoal_i_release *release = NULL;

        method_case_make(&ctx, &m, seed, 101, 3, 9, &shoal_i_k_anonymity);
        assert_int_equal(shoal_i_sampled_init(&ctx, &sampled, &m.problem, count), SHOAL_OK);
        assert_int_equal(sampled.problem.row_count, count);
        assert_int_equal(sampled.problem.source->row_count, count);
        for (size_t c = 0; c < m.quasi->count; c++) {
            for (size_t i = 0; i < count; i++) {
                size_t column = m.quasi->columns[c].column;
                size_t record = 101 * i / count;

                assert_int_equal(shoal_table_code(sampled.table, column, i),
                                 shoal_table_code(m.quasi->table, column, record));
                assert_int_equal(shoal_i_codes_get(sampled.quasi.columns[c].entries, i),
                                 shoal_table_code(m.quasi->table, column, record));
            }
        }
        const shoal_i_method *method = NULL;
        shoal_i_method_settings settings = {0};

        assert_int_equal(shoal_i_method_parse(&ctx, &method, &settings, "topdown"), SHOAL_OK);
        assert_int_equal(method->run(&ctx, &release, &sampled.problem, &settings), SHOAL_OK);
        assert_int_equal(release->row_count, count);
        assert_float_equal(shoal_i_release_ncp(release), slow_release_ncp(release), 1e-6);
        shoal_i_release_free(release);
        shoal_i_sampled_clear(&sampled);
        method_case_free(&m);
    }
    shoal_i_ctx_clear(&ctx);
}

/* --- Progress, and failing. --------------------------------------------------------------- */

/* The releases of all who have a try, and of nobody else, cheapest first. */
static int64_t line_range(const int64_t *x, size_t count)
{
    int64_t least = x[0];
    int64_t most = x[0];

    for (size_t i = 0; i < count; i++) {
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
    }
    return most - least;
}

/* A long table of one or two columns, x and y, or x alone; s is sensitive, or only sizes matter
 * if it is NULL. */
typedef struct numbers_case {
    shoal_table *table;
    shoal_i_quasi *quasi;
    shoal_i_sensitive sensitive;
    shoal_i_requirement_set set;
    shoal_i_tally_source source;
    shoal_i_problem problem;
} numbers_case;

static void numbers_make(shoal_ctx *ctx, numbers_case *n, const int64_t *x, const int64_t *y,
                         const int64_t *s, size_t count, uint32_t k)
{
    const shoal_array arrays[] = {
        {.name = "x", .kind = SHOAL_ARRAY_INT64, .length = count, .data = x},
        {.name = "y", .kind = SHOAL_ARRAY_INT64, .length = count, .data = y},
        {.name = "s", .kind = SHOAL_ARRAY_INT64, .length = count, .data = s}};
    const shoal_i_quasi_request requests[] = {{.column = 0, .weight = 1},
                                              {.column = 1, .weight = 1}};
    size_t columns = y ? 2 : 1;

    memset(n, 0, sizeof *n);
    assert_int_equal(shoal_table_from_arrays(ctx, &n->table, arrays, columns + (s != NULL)),
                     SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(ctx, &n->quasi, n->table, requests, columns),
                     SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(ctx, &n->set, &shoal_i_k_anonymity, k), SHOAL_OK);
    if (s) {
        const shoal_i_requirement item = {
            .kind = &shoal_i_l_distinct, .value = 2, .column = &n->sensitive};

        assert_int_equal(
            shoal_i_sensitive_init(ctx, &n->sensitive, n->table, columns, NULL, NULL),
            SHOAL_OK);
        assert_int_equal(shoal_i_requirement_add_item(ctx, &n->set, &item), SHOAL_OK);
    }
    assert_int_equal(shoal_i_tally_source_init(ctx, &n->source, &n->set, &n->sensitive,
                                               s != NULL, NULL, count),
                     SHOAL_OK);
    n->problem = (shoal_i_problem){
        .quasi = n->quasi, .row_count = count, .requirements = &n->set, .source = &n->source};
}

static void numbers_free(numbers_case *n)
{
    shoal_i_tally_source_clear(&n->source);
    shoal_i_requirement_set_clear(&n->set);
    shoal_i_sensitive_clear(&n->sensitive);
    shoal_i_quasi_free(n->quasi);
    shoal_table_free(n->table);
}

/* What a method loses where only sizes matter. */
static double numbers_loss(shoal_ctx *ctx, const int64_t *x, const int64_t *y, size_t count,
                           uint32_t k, const shoal_i_method *method, double effort)
{
    numbers_case n;
    shoal_i_release *release = NULL;
    shoal_i_method_settings settings = shoal_i_method_defaults(method);

    numbers_make(ctx, &n, x, y, NULL, count, k);
    if (method == &shoal_i_best) {
        settings.values[0] = effort;
    }
    assert_int_equal(shoal_i_method_run(ctx, &release, method, &n.problem, &settings),
                     SHOAL_OK);
    for (size_t b = 0; b < release->box_count; b++) {
        assert_true(release->box_sizes[b] >= k);
    }
    double loss = shoal_i_release_ncp(release);

    shoal_i_release_free(release);
    numbers_free(&n);
    return loss;
}

/* Three numbers within 3 and the next ones far from them: the optimum is known. */
static void test_long_column_has_its_optimum(void **state)
{
    const size_t count = 3 * 22000;
    shoal_ctx ctx;
    int64_t *x = calloc(count, sizeof *x);

    (void)state;
    assert_non_null(x);
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < count; i++) {
        size_t far = i / 3 * 7919 % (count / 3);

        x[i] = (int64_t)(1000 * far + (far * far % 500) + (i % 3) * (i % 3 + 1) / 2);
    }
    double least = (double)count * 3 / (double)(line_range(x, count));

    for (int effort = 0; effort < 3; effort++) {
        assert_true(fabs(numbers_loss(&ctx, x, NULL, count, 3, &shoal_i_best, effort) - least) <
                    1e-9);
    }
    free(x);
    shoal_i_ctx_clear(&ctx);
}

static int64_t *draw_bells(size_t count)
{
    enum { DRAWS = 12 };
    shoal_i_random random = shoal_i_random_start(1);
    int64_t *x = calloc(count, sizeof *x);

    assert_non_null(x);
    for (size_t i = 0; i < count; i++) {
        for (int draws = 0; draws < DRAWS; draws++) {
            x[i] += (int64_t)shoal_i_random_below(&random, 100);
        }
    }
    return x;
}

/* Bell-shaped numbers in classes of a part of the table, where runs along the curve lose
 * least: hilbert has its try however long runs are. */
static void test_long_runs_have_a_try(void **state)
{
    enum { COUNT = 16000, K = 1400 };
    shoal_ctx ctx;
    int64_t *x = draw_bells(2 * COUNT);

    (void)state;
    shoal_i_ctx_init(&ctx);
    double runs = numbers_loss(&ctx, x, x + COUNT, COUNT, K, &shoal_i_hilbert, 0);

    assert_true(runs < numbers_loss(&ctx, x, x + COUNT, COUNT, K, &shoal_i_topdown, 0));
    for (int effort = 0; effort < 2; effort++) {
        assert_true(numbers_loss(&ctx, x, x + COUNT, COUNT, K, &shoal_i_best, effort) <=
                    runs * (1 + 1e-9));
    }
    free(x);
    shoal_i_ctx_clear(&ctx);
}

/* In the order of the table half of it is one run, along the curve runs hold at once: hilbert
 * has its try, and is the best of all. */
static void test_runs_are_counted_along_the_curve(void **state)
{
    enum { COUNT = 12000, K = 300 };
    const shoal_i_meter meter = {.stage = "test", .total = 1};
    shoal_ctx ctx;
    int64_t *x = draw_bells(2 * COUNT);
    int64_t *s = calloc(COUNT, sizeof *s);
    numbers_case n;
    shoal_i_release *runs = NULL;
    shoal_i_starts starts;

    (void)state;
    assert_non_null(s);
    shoal_i_ctx_init(&ctx);
    for (size_t i = COUNT / 2; i < COUNT; i++) {
        s[i] = 1;
    }
    numbers_make(&ctx, &n, x, x + COUNT, s, COUNT, K);
    assert_int_equal(
        shoal_i_hilbert.run(&ctx, &runs, &n.problem, &(shoal_i_method_settings){0}), SHOAL_OK);
    assert_int_equal(
        shoal_i_starts_run(&ctx, &starts, &n.problem, SHOAL_I_EFFORT_FAST, 1, 0, &meter),
        SHOAL_OK);
    assert_true(starts.costs[0] == shoal_i_release_ncp(runs));
    shoal_i_starts_clear(&starts);
    shoal_i_release_free(runs);
    numbers_free(&n);
    free(x);
    free(s);
    shoal_i_ctx_clear(&ctx);
}

/* What is left of hilbert within limits, beside hilbert itself. */
static void check_within(shoal_ctx *ctx, const shoal_i_problem *problem, double counted,
                         double cost, bool gives_up)
{
    shoal_i_release *alone = NULL;
    shoal_i_release *within = NULL;

    assert_int_equal(shoal_i_hilbert.run(ctx, &alone, problem, &(shoal_i_method_settings){0}),
                     SHOAL_OK);
    assert_int_equal(shoal_i_hilbert_within(ctx, &within, problem, counted, cost), SHOAL_OK);
    assert_int_equal(within == NULL, gives_up);
    if (within) {
        assert_true(shoal_i_release_ncp(within) == shoal_i_release_ncp(alone));
    }
    shoal_i_release_free(within);
    shoal_i_release_free(alone);
}

/* Only where it is dear and hopeless. */
static void test_hilbert_gives_up(void **state)
{
    enum { COUNT = 4000, K = 2 };
    shoal_ctx ctx;
    int64_t *x = draw_bells(3 * COUNT);
    numbers_case n;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 2 * COUNT; i < 3 * COUNT; i++) {
        x[i] %= 2;
    }
    numbers_make(&ctx, &n, x, x + COUNT, x + 2 * COUNT, COUNT, K);
    check_within(&ctx, &n.problem, 0, 0, true);
    check_within(&ctx, &n.problem, 0, INFINITY, false);
    check_within(&ctx, &n.problem, INFINITY, 0, false);
    numbers_free(&n);
    numbers_make(&ctx, &n, x, x + COUNT, NULL, COUNT, K);
    check_within(&ctx, &n.problem, 0, 0, false); /* only sizes matter */
    numbers_free(&n);
    for (uint64_t seed = 0; seed < 2 * CASE_KINDS; seed++) {
        method_case m;
        shoal_i_release *release = NULL;

        method_case_make(&ctx, &m, seed, 40 + 3 * seed, 3, 9, case_kinds[seed % CASE_KINDS]);
        if (can_hold(&ctx, &m)) {
            check_within(&ctx, &m.problem, INFINITY, 0, false);
            assert_int_equal(shoal_i_hilbert_within(&ctx, &release, &m.problem, 0, INFINITY),
                             SHOAL_OK); /* runs may be too long for an estimate */
            shoal_i_release_free(release);
        }
        method_case_free(&m);
    }
    free(x);
    shoal_i_ctx_clear(&ctx);
}

static double cost_alone(shoal_ctx *ctx, const shoal_i_problem *problem, const char *variant)
{
    const shoal_i_method *method = NULL;
    shoal_i_method_settings settings = {0};
    shoal_i_canonical shuffled = {.problem = *problem};
    shoal_i_release *release = NULL;

    assert_int_equal(shoal_i_method_parse(ctx, &method, &settings, variant), SHOAL_OK);
    if (method->wants_shuffled) {
        assert_int_equal(shoal_i_canonical_init(ctx, &shuffled, problem, true), SHOAL_OK);
    }
    assert_int_equal(method->run(ctx, &release, &shuffled.problem, &settings), SHOAL_OK);
    double cost = shoal_i_release_ncp(release);

    shoal_i_release_free(release);
    shoal_i_canonical_clear(&shuffled);
    return cost;
}

/* What less effort finds has a try where values matter, unless a time is given. */
static void check_easier(shoal_ctx *ctx, const shoal_i_starts *starts)
{
    const shoal_i_problem *problem = starts->problem;

    if (problem->source->active_count == 0 || problem->seconds > 0 ||
        starts->effort == SHOAL_I_EFFORT_FAST) {
        assert_null(starts->easier);
    } else {
        const char *easier =
            starts->effort == SHOAL_I_EFFORT_HIGH ? "best" : "best:effort=fast";

        assert_non_null(starts->easier);
        assert_true(shoal_i_release_ncp(starts->easier) == cost_alone(ctx, problem, easier));
    }
}

static void check_who_has_a_try(shoal_ctx *ctx, const shoal_i_problem *problem, double effort,
                                const char *const *variants, size_t count)
{
    const shoal_i_meter meter = {.stage = "test", .total = 1};
    double costs[SHOAL_I_STARTS_MAX] = {0};
    size_t different = 0;
    shoal_i_starts starts;

    for (size_t i = 0; i < count; i++) {
        costs[i] = cost_alone(ctx, problem, variants[i]);
    }
    qsort(costs, count, sizeof *costs, shoal_i_compare_double);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || costs[i] != costs[i - 1]) {
            costs[different++] = costs[i];
        }
    }
    assert_int_equal(shoal_i_starts_apply(problem, effort), count > 0);
    assert_int_equal(shoal_i_starts_run(ctx, &starts, problem, effort, 1, 0, &meter), SHOAL_OK);
    assert_false(starts.has_optimum);
    assert_int_equal(starts.count, different);
    for (size_t i = 0; i < different; i++) {
        assert_true(starts.costs[i] == costs[i]);
    }
    check_easier(ctx, &starts);
    shoal_i_starts_clear(&starts);
}

/* Who has a try in a table of any kind, and where only sizes matter; the last has none at fast
 * effort. */
static const char *const constant[] = {"topdown", "hilbert", "mondrian"};
static const char *const sizes[] = {"topdown",
                                    "hilbert",
                                    "specialize",
                                    "mondrian",
                                    "mondrian:mode=relaxed",
                                    "mondrian:cuts=children",
                                    "specialize:numeric=halves",
                                    "cluster",
                                    "bottomup",
                                    "incognito:objective=gcp"};

static void test_who_has_a_try(void **state)
{
    static const char *const all[] = {"topdown",
                                      "hilbert",
                                      "specialize",
                                      "mondrian",
                                      "mondrian:finish=carve",
                                      "mondrian:mode=relaxed",
                                      "mondrian:cuts=children",
                                      "specialize:numeric=halves",
                                      "cluster",
                                      "bottomup",
                                      "incognito:objective=gcp"};
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < 8; seed++) {
        method_case m;

        method_case_make(&ctx, &m, seed, 90 + 10 * seed, 3, 9 + seed, &shoal_i_k_anonymity);
        check_who_has_a_try(&ctx, &m.problem, SHOAL_I_EFFORT_NORMAL, sizes, 10);
        check_who_has_a_try(&ctx, &m.problem, SHOAL_I_EFFORT_FAST, sizes, 9);
        m.problem.seconds = 1e-6; /* too little time for anybody */
        check_who_has_a_try(&ctx, &m.problem, SHOAL_I_EFFORT_NORMAL, sizes, 0);
        method_case_free(&m);
        method_case_make(&ctx, &m, seed, 90 + 10 * seed, 3, 5, &shoal_i_l_distinct);
        if (can_hold(&ctx, &m)) {
            check_who_has_a_try(&ctx, &m.problem, SHOAL_I_EFFORT_NORMAL, all, 11);
            check_who_has_a_try(&ctx, &m.problem, SHOAL_I_EFFORT_HIGH, all, 11);
            check_who_has_a_try(&ctx, &m.problem, SHOAL_I_EFFORT_FAST, constant, 3);
        }
        method_case_free(&m);
    }
    shoal_i_ctx_clear(&ctx);
}

static size_t count_dear(shoal_ctx *ctx, const shoal_i_problem *problem, double effort)
{
    const shoal_i_meter meter = {.stage = "test", .total = 1};
    shoal_i_starts starts;

    assert_int_equal(shoal_i_starts_run(ctx, &starts, problem, effort, 0, 0, &meter), SHOAL_OK);
    assert_int_equal(starts.count, 0); /* nothing can be better than no loss */
    return starts.dear_rows;
}

/* Records that agree count as one for those who take long, except at fast effort. */
static void test_equal_records_count_as_one(void **state)
{
    static const int64_t x[] = {1, 1, 1, 2, 2, 2, 2, 3, 3, 9};
    static const int64_t y[] = {5, 5, 6, 6, 6, 6, 7, 7, 7, 7};
    shoal_ctx ctx;
    numbers_case n;

    (void)state;
    shoal_i_ctx_init(&ctx);
    numbers_make(&ctx, &n, x, y, NULL, 10, 2);
    assert_int_equal(count_dear(&ctx, &n.problem, SHOAL_I_EFFORT_NORMAL), 6);
    assert_int_equal(count_dear(&ctx, &n.problem, SHOAL_I_EFFORT_HIGH), 6);
    assert_int_equal(count_dear(&ctx, &n.problem, SHOAL_I_EFFORT_FAST), 10);
    n.problem.seconds = 1;
    assert_int_equal(count_dear(&ctx, &n.problem, SHOAL_I_EFFORT_FAST), 6);
    numbers_free(&n);
    shoal_i_ctx_clear(&ctx);
}

/* More records than those who take long had a try for, unless others came near: numbers that
 * all differ are not what makes them take long. */
static void test_dear_ones_in_longer_tables(void **state)
{
    enum { COUNT = 41000 };
    shoal_ctx ctx;
    numbers_case n;
    int64_t *x = calloc(2 * (size_t)COUNT, sizeof *x);
    int64_t *y = x + COUNT;

    (void)state;
    assert_non_null(x);
    shoal_i_ctx_init(&ctx);
    for (int64_t i = 0; i < COUNT; i++) {
        x[i] = i;
        y[i] = i * 101 % 997;
    }
    numbers_make(&ctx, &n, x, y, NULL, COUNT, 600);
    check_who_has_a_try(&ctx, &n.problem, SHOAL_I_EFFORT_NORMAL, sizes, 10);
    check_who_has_a_try(&ctx, &n.problem, SHOAL_I_EFFORT_FAST, constant, 3);
    numbers_free(&n);
    free(x);
    shoal_i_ctx_clear(&ctx);
}

typedef struct watch {
    double last;
    size_t calls;
    size_t most; /* the call that says stop */
} watch;

static bool look_at_progress(void *payload, const char *stage, double fraction)
{
    watch *w = payload;

    assert_non_null(stage);
    assert_true(fraction >= w->last && fraction <= 1);
    w->last = fraction;
    return ++w->calls < w->most;
}

static void check_progress(const shoal_i_requirement_kind *kind)
{
    shoal_ctx ctx;
    method_case m;
    shoal_i_release *release = NULL;
    watch all = {.most = SIZE_MAX};
    int cancelled = 0;

    shoal_i_ctx_init(&ctx);
    ctx.threads = 2;
    method_case_make(&ctx, &m, 6, 200, 3, 40, kind);
    ctx.progress = look_at_progress;
    ctx.progress_payload = &all;
    assert_int_equal(method_case_run(&ctx, &release, &m, "best"), SHOAL_OK);
    assert_ptr_equal(ctx.progress_payload, &all);
    shoal_i_release_free(release);
    assert_true(all.calls > 10);
    for (size_t most = 1; most <= all.calls / 2; most += 1 + all.calls / 20) {
        watch some = {.most = most};

        ctx.progress_payload = &some;
        shoal_status st = method_case_run(&ctx, &release, &m, "best");

        /* How often progress is told depends on the threads: a run may end before. */
        assert_int_equal(st, some.calls < most ? SHOAL_OK : SHOAL_ECANCELLED);
        assert_int_equal(st == SHOAL_OK, release != NULL);
        cancelled += st == SHOAL_ECANCELLED;
        shoal_i_release_free(release);
        release = NULL;
    }
    assert_true(cancelled > 3);
    method_case_free(&m);
    shoal_i_ctx_clear(&ctx);
}

static void test_progress(void **state)
{
    (void)state;
    check_progress(&shoal_i_k_anonymity);
    check_progress(&shoal_i_l_distinct);
}

/* A time makes the search long in kind, yet short: it looks at the clock but a few times. */
static void test_failing_allocations(void **state)
{
    shoal_ctx ctx;
    method_case m;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    method_case_make(&ctx, &m, 13, ROWS, 2, 9, &shoal_i_k_anonymity);
    m.problem.seconds = 100;
    assert_case_survives_failing_allocations(&ctx, &m, "best");
    method_case_free(&m);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_worse_than_others),
        cmocka_unit_test(test_optimum_of_few_records),
        cmocka_unit_test(test_cheapest_first),
        cmocka_unit_test(test_late_rivals),
        cmocka_unit_test(test_one_column),
        cmocka_unit_test(test_sample),
        cmocka_unit_test(test_long_column_has_its_optimum),
        cmocka_unit_test(test_long_runs_have_a_try),
        cmocka_unit_test(test_runs_are_counted_along_the_curve),
        cmocka_unit_test(test_hilbert_gives_up),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_who_has_a_try),
        cmocka_unit_test(test_equal_records_count_as_one),
        cmocka_unit_test(test_dear_ones_in_longer_tables),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
