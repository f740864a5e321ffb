/* Effort: more of it never loses more, whatever the number of threads. */

#include "failing.h"
#include "fake_clock.h"
#include "method_case.h"

#include "method/best/starts.h"
#include "method/problem/effort.h"

/* The units of a long search are many; tables are small so that it is short. */
#define ROWS 30

/* A table on which a long exchange from elsewhere ends higher than a short one. */
#define SHORT_WINS 115

/* One on which an exchange ends higher than what less effort has without any. */
#define NONE_WINS 1679

/* Run a variant on a case and check what comes. */
static shoal_i_release *run_checked(shoal_ctx *ctx, const method_case *m, const char *variant)
{
    shoal_i_release *release = NULL;

    assert_int_equal(method_case_run(ctx, &release, m, variant), SHOAL_OK);
    check_case_release(ctx, m, release);
    return release;
}

static void test_more_effort_never_loses_more(void **state)
{
    static const char *const efforts[] = {"best:effort=fast", "best", "best:effort=high"};
    shoal_ctx ctx;
    int better = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 0; seed < rounds(1, 4); seed++) {
        double least = 1e300;
        method_case m;

        method_case_make(&ctx, &m, seed, ROWS, 3, 9, &shoal_i_k_anonymity);
        for (size_t e = 0; e < sizeof efforts / sizeof *efforts; e++) {
            shoal_i_release *release = run_checked(&ctx, &m, efforts[e]);
            double loss = slow_release_ncp(release);

            assert_true(loss <= least + 1e-6);
            better += e > 0 && loss < least - 1e-6;
            least = loss;
            shoal_i_release_free(release);
        }
        method_case_free(&m);
    }
    assert_true(better > 0); /* else nothing was compared */
    shoal_i_ctx_clear(&ctx);
}

/* What an effort loses is no more than what less does; false: neither is possible. */
static bool loses_no_more(shoal_ctx *ctx, uint64_t seed, const char *less, const char *more)
{
    method_case m;
    shoal_i_release *release = NULL;

    method_case_make(ctx, &m, seed, 40 + seed % 37, 2 + seed % 4, 4 + seed % 9,
                     case_kinds[seed % CASE_KINDS]);
    bool is_possible = method_case_run(ctx, &release, &m, less) == SHOAL_OK;

    if (is_possible) {
        shoal_i_release *other = run_checked(ctx, &m, more);

        assert_true(slow_release_ncp(other) <= slow_release_ncp(release) + 1e-6);
        shoal_i_release_free(other);
    }
    shoal_i_release_free(release);
    method_case_free(&m);
    return is_possible;
}

/* Where values matter, too: a long exchange may end higher than a short one, and that higher
 * than where less effort stands without any. */
static void test_more_effort_where_values_matter(void **state)
{
    const uint64_t first = is_deep() ? 0 : SHORT_WINS;
    shoal_ctx ctx;
    size_t compared = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = first; seed < first + rounds(1, 40); seed++) {
        compared += loses_no_more(&ctx, seed, "best", "best:effort=high");
    }
    for (uint64_t seed = NONE_WINS; seed < NONE_WINS + rounds(1, 200); seed++) {
        compared += loses_no_more(&ctx, seed, "best:effort=fast", "best");
    }
    assert_true(compared > 1);
    shoal_i_ctx_clear(&ctx);
}

/* How much a search may do for each record: all of a small table, less of a larger one, down to
 * a least; none at fast effort, and as long as it likes where time is given. */
static void test_work_of_a_record(void **state)
{
    static const struct {
        size_t rows;
        uint64_t work;
        uint64_t high;
    } figures[] = {{0, 1000000, 38000000}, {1, 500000, 19000000}, {99, 10000, 380000},
                   {165, 6024, 228912},    {166, 6000, 228000},   {19998, 6000, 228000},
                   {39999, 3000, 114000},  {599999, 260, 15000},  {999999, 260, 9000},
                   {1999999, 130, 4500},   {9999999, 40, 900},    {99999999, 40, 80}};

    (void)state;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        shoal_i_problem problem = {.row_count = figures[i].rows};

        assert_int_equal(shoal_i_effort_first_look(&problem), figures[i].work);
        assert_int_equal(shoal_i_effort_work(SHOAL_I_EFFORT_NORMAL, &problem), figures[i].work);
        assert_int_equal(shoal_i_effort_work(SHOAL_I_EFFORT_HIGH, &problem), figures[i].high);
        assert_int_equal(shoal_i_effort_work(SHOAL_I_EFFORT_FAST, &problem), 0);
        problem.seconds = 1;
        assert_int_equal(shoal_i_effort_work(SHOAL_I_EFFORT_FAST, &problem), UINT64_C(1) << 31);
    }
}

static void test_long_search_on_any_number_of_threads(void **state)
{
    shoal_ctx ctx;
    method_case m;

    (void)state;
    shoal_i_ctx_init(&ctx);
    method_case_make(&ctx, &m, 9, ROWS, 3, 9, &shoal_i_k_anonymity);
    ctx.threads = 1;
    shoal_i_release *one = run_checked(&ctx, &m, "best:effort=high");

    shoal_i_ctx_clear(&ctx);
    shoal_i_ctx_init(&ctx);
    ctx.threads = 3;
    shoal_i_release *three = run_checked(&ctx, &m, "best:effort=high");

    assert_same_release(one, three);
    shoal_i_release_free(one);
    shoal_i_release_free(three);
    method_case_free(&m);
    shoal_i_ctx_clear(&ctx);
}

/* --- Other methods are not asked when the time is over. ---------------------------------- */

static size_t times_asked;

shoal_status __real_shoal_i_starts_run(shoal_ctx *ctx, shoal_i_starts *starts,
                                       const shoal_i_problem *problem, double effort,
                                       double cost, double deadline,
                                       const shoal_i_meter *meter);
shoal_status __wrap_shoal_i_starts_run(shoal_ctx *ctx, shoal_i_starts *starts,
                                       const shoal_i_problem *problem, double effort,
                                       double cost, double deadline,
                                       const shoal_i_meter *meter);

shoal_status __wrap_shoal_i_starts_run(shoal_ctx *ctx, shoal_i_starts *starts,
                                       const shoal_i_problem *problem, double effort,
                                       double cost, double deadline, const shoal_i_meter *meter)
{
    times_asked++;
    return __real_shoal_i_starts_run(ctx, starts, problem, effort, cost, deadline, meter);
}

static void test_nobody_is_asked_too_late(void **state)
{
    static const double seconds[] = {1, 1000};
    shoal_ctx ctx;
    method_case m;

    (void)state;
    shoal_i_ctx_init(&ctx);
    method_case_make(&ctx, &m, 9, ROWS, 3, 9, &shoal_i_k_anonymity);
    for (size_t i = 0; i < 2; i++) {
        times_asked = 0;
        m.problem.seconds = seconds[i];
        shoal_i_release_free(run_checked(&ctx, &m, "best"));
        assert_int_equal(times_asked, i); /* a second is over after a look at the clock */
    }
    method_case_free(&m);
    shoal_i_ctx_clear(&ctx);
}

/* A limit of time ends a long search, with a release that holds. */
static void test_time(void **state)
{
    shoal_ctx ctx;
    method_case m;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (int i = 0; i < 2; i++) {
        uint64_t seconds = i == 0 ? 1 : 300; /* over before the rival's start; after it */
        uint64_t before = fake_clock_looks;

        method_case_make(&ctx, &m, 11, ROWS, 3, 9, &shoal_i_k_anonymity);
        m.problem.seconds = (double)seconds;
        shoal_i_release_free(run_checked(&ctx, &m, "best"));
        /* Not before the time is over, and soon after. */
        assert_in_range(fake_clock_looks - before, seconds, seconds + 100);
        method_case_free(&m);
    }
    shoal_i_ctx_clear(&ctx);
}

/* Where sensitive values matter, too: whatever is done when the time is over, soon after there
 * is a release that holds. */
static void test_time_where_values_matter(void **state)
{
    static const shoal_i_requirement_kind *const kinds[] = {
        &shoal_i_beta_basic, &shoal_i_t_equal, &shoal_i_l_entropy, &shoal_i_delta_disclosure};
    size_t possible = 0;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    for (size_t i = 0; i < 12; i++) {
        uint64_t seconds = 1 + 2 * i * i;
        shoal_i_release *release = NULL;
        method_case m;

        method_case_make(&ctx, &m, 20 + i, ROWS, 3, 9, kinds[i % 4]);
        m.problem.seconds = (double)seconds;
        uint64_t before = fake_clock_looks;
        shoal_status st = method_case_run(&ctx, &release, &m, "best");

        if (st == SHOAL_OK) {
            check_case_release(&ctx, &m, release);
            assert_in_range(fake_clock_looks - before, 1, seconds + 60);
            possible++;
        } else {
            assert_int_equal(st, SHOAL_EUNSATISFIABLE);
        }
        shoal_i_release_free(release);
        method_case_free(&m);
    }
    assert_true(possible > 6);
    shoal_i_ctx_clear(&ctx);
}

static shoal_status run_and_free(shoal_ctx *ctx, void *payload)
{
    shoal_i_release *release = NULL;
    shoal_status st = method_case_run(ctx, &release, payload, "best");

    assert_true((st == SHOAL_OK) == (release != NULL));
    shoal_i_release_free(release);
    return st;
}

/* A time makes the search a long one, with a rival, and yet a short one. */
static void test_failing_allocations(void **state)
{
    shoal_ctx ctx;
    method_case m;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    for (int i = 0; i < 2; i++) {
        method_case_make(&ctx, &m, 13, 12, 2, 9,
                         i == 0 ? &shoal_i_k_anonymity : &shoal_i_t_equal);
        m.problem.seconds = 100;
        assert_survives_failing_allocations(&ctx, run_and_free, &m);
        method_case_free(&m);
    }
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work_of_a_record),
        cmocka_unit_test(test_more_effort_never_loses_more),
        cmocka_unit_test(test_more_effort_where_values_matter),
        cmocka_unit_test(test_long_search_on_any_number_of_threads),
        cmocka_unit_test(test_nobody_is_asked_too_late),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_time_where_values_matter),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
