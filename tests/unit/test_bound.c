/* The bound against exhaustive search: the optimum of thousands of small tables is never below
 * it. */

#include "context.h"
#include "method_case.h"

#include "measure/bound/bound.h"
#include "measure/bound/cheapest_box.h"
#include "measure/bound/nearby.h"

#include "base/fail.h"
#include "requirement/necessary.h"

#define FEW 9

/* --- The whole against the optimum. ------------------------------------------------------- */

/* What records lose as a class, by the definition; infinite when they do not hold. */
static double slow_class_ncp(shoal_ctx *ctx, const method_case *m, unsigned set)
{
    uint32_t rows[FEW];
    size_t count = 0;
    double sum = 0;

    for (uint32_t row = 0; row < m->problem.row_count; row++) {
        if (set & 1u << row) {
            rows[count++] = row;
        }
    }
    if (!slow_holds(ctx, m, rows, count)) {
        return INFINITY;
    }
    for (size_t c = 0; c < m->quasi->count; c++) {
        uint32_t lo = UINT32_MAX;
        uint32_t hi = 0;

        for (size_t i = 0; i < count; i++) {
            uint32_t code = shoal_i_quasi_code(m->quasi, c, rows[i]);

            lo = code < lo ? code : lo;
            hi = code > hi ? code : hi;
        }
        shoal_i_interval box = shoal_i_quasi_close(&m->quasi->columns[c], lo, hi);

        sum += (double)count * m->quasi->columns[c].weight *
               shoal_i_quasi_loss(&m->quasi->columns[c], box.lo, box.hi);
    }
    return sum;
}

/* The optimum over all partitions: the class of the first record left, then the rest. */
static double slow_optimum(shoal_ctx *ctx, const method_case *m)
{
    unsigned all = (1u << m->problem.row_count) - 1;
    double costs[1 << FEW];
    double best[1 << FEW] = {0};

    for (unsigned set = 1; set <= all; set++) {
        costs[set] = slow_class_ncp(ctx, m, set);
    }
    for (unsigned set = 1; set <= all; set++) {
        unsigned first = set & -set;

        best[set] = INFINITY;
        for (unsigned part = set; part > 0; part = (part - 1) & set) {
            if (part & first) {
                best[set] = fmin(best[set], costs[part] + best[set & ~part]);
            }
        }
    }
    return best[all];
}

static const uint32_t *needed_k(const method_case *m)
{
    return shoal_i_requirement_needs_record_k(&m->set) ? m->record_k : NULL;
}

/* known: what some release loses. */
static double run_bound(shoal_ctx *ctx, const method_case *m, double known)
{
    double ncp = -1;

    assert_int_equal(shoal_i_bound(ctx, &ncp, m->quasi, &m->set,
                                   &(shoal_i_bound_known){.ncp = known,
                                                          .source = m->problem.source,
                                                          .record_k = needed_k(m)}),
                     SHOAL_OK);
    assert_true(ncp >= 0 && isfinite(ncp));
    return ncp;
}

static void test_never_above_the_optimum(void **state)
{
    shoal_ctx *ctx = *state;
    size_t reached = 0;
    size_t positive = 0;
    uint64_t cases = rounds(600, 3000);

    for (uint64_t seed = 0; seed < cases; seed++) {
        method_case m;

        method_case_make(ctx, &m, seed, 3 + seed % (FEW - 2), 1 + seed % 4, 2 + seed % 11,
                         case_kinds[seed % CASE_KINDS]);
        double optimum = slow_optimum(ctx, &m);
        double bound = run_bound(ctx, &m, isfinite(optimum) ? 1.2 * optimum : 100);

        assert_true(bound <= optimum);
        positive += bound > 0;
        reached += isfinite(optimum) && bound > 0 && bound > optimum - 1e-4;
        method_case_free(&m);
    }
    /* It is a bound worth having: often it is the optimum itself. */
    assert_true(positive > cases / 2);
    assert_true(reached > cases / 30);
}

/* --- Persons with several records. -------------------------------------------------------- */

/* Whose records those of a case are, and what the table has of each sensitive value: persons
 * with a record of it. */
typedef struct person_case {
    shoal_i_persons persons;
    uint32_t names[FEW];
    uint32_t totals[CASE_ROWS_MAX];
} person_case;

static void count_totals(person_case *p, method_case *m)
{
    shoal_i_sensitive *column = &m->sensitive[0];

    assert_true(column->value_count <= CASE_ROWS_MAX);
    column->total = 0;
    for (uint32_t value = 0; value < column->value_count; value++) {
        unsigned who = 0;

        for (size_t row = 0; row < m->problem.row_count; row++) {
            who |= column->codes[row] == value ? 1u << p->names[row] : 0;
        }
        p->totals[value] = 0;
        for (; who > 0; who &= who - 1) {
            p->totals[value]++;
        }
        column->total += p->totals[value];
    }
    column->totals = p->totals;
}

/* Let the records of a case be of fewer persons, or each of its own, and its requirements count
 * these. */
static void give_persons(shoal_ctx *ctx, person_case *p, method_case *m, uint64_t seed,
                         const shoal_i_requirement_kind *kind, bool are_fewer)
{
    shoal_i_random random = shoal_i_random_start(seed + 77);
    size_t rows = m->problem.row_count;

    *p = (person_case){0};
    for (size_t row = 0; row < rows; row++) {
        uint32_t name = (uint32_t)shoal_i_random_below(&random, 1 + rows * 2 / 3);

        p->names[row] = are_fewer ? name : (uint32_t)row;
    }
    assert_int_equal(shoal_i_persons_init(ctx, &p->persons, p->names, rows, FEW), SHOAL_OK);
    count_totals(p, m);
    shoal_i_tally_source_clear(&m->source);
    shoal_i_requirement_set_clear(&m->set);
    m->set = (shoal_i_requirement_set){.counts_persons = true};
    add_random_requirement(ctx, m, &shoal_i_k_anonymity, 0, shoal_i_random_unit(&random) / 2);
    add_random_requirement(ctx, m, kind, 0, shoal_i_random_unit(&random));
    assert_int_equal(shoal_i_tally_source_init_persons(ctx, &m->source, &m->set, m->sensitive,
                                                       1, m->record_k, &p->persons, rows),
                     SHOAL_OK);
}

/* A release that meets what is asked of persons loses no less than the bound, which goes by
 * sizes of classes: a class has no fewer records than persons. */
static void test_persons(void **state)
{
    shoal_ctx *ctx = *state;
    size_t dearer = 0;
    size_t positive = 0;
    uint64_t cases = rounds(400, 3000);

    for (uint64_t seed = 0; seed < cases; seed++) {
        const shoal_i_requirement_kind *kind = case_kinds[seed % CASE_KINDS];
        method_case m;
        person_case p;

        method_case_make(ctx, &m, seed, 3 + seed % (FEW - 2), 1 + seed % 4, 2 + seed % 11,
                         kind);
        give_persons(ctx, &p, &m, seed, kind, false);
        double by_records = slow_optimum(ctx, &m);

        shoal_i_persons_clear(&p.persons);
        give_persons(ctx, &p, &m, seed, kind, true);
        double optimum = slow_optimum(ctx, &m);
        double bound = run_bound(ctx, &m, isfinite(optimum) ? 1.2 * optimum : 100);

        assert_true(bound <= optimum);
        positive += bound > 0 && isfinite(optimum);
        dearer += isfinite(optimum) && optimum > by_records;
        method_case_free(&m);
        shoal_i_persons_clear(&p.persons);
    }
    /* Persons ask for more, and the bound is one worth having. */
    assert_true(dearer > cases / 30);
    assert_true(positive > cases / 6);
}

/* What requirements ask for beside sizes raises the bound, of nearly every kind that does. */
static void test_needs_raise_the_bound(void **state)
{
    shoal_ctx *ctx = *state;
    size_t raised[CASE_KINDS] = {0};

    for (uint64_t seed = 0; seed < 40 * CASE_KINDS; seed++) {
        method_case m;
        double without = 0;

        method_case_make(ctx, &m, seed, FEW, 1 + seed % 3, 2 + seed % 7,
                         case_kinds[seed % CASE_KINDS]);
        const shoal_i_bound_known sizes = {.ncp = 10, .record_k = needed_k(&m)};

        assert_int_equal(shoal_i_bound(ctx, &without, m.quasi, &m.set, &sizes), SHOAL_OK);
        raised[seed % CASE_KINDS] += run_bound(ctx, &m, 10) > 1.01 * without;
        method_case_free(&m);
    }
    size_t kinds = 0;

    for (size_t i = 0; i < CASE_KINDS; i++) {
        assert_true(case_kinds[i]->needs_sensitive || raised[i] == 0);
        kinds += raised[i] > 0;
    }
    assert_true(kinds >= 12);
}

/* Whatever class holds, what it needs is found in any records that hold it, and it is as large
 * as its values need. */
static void test_necessary(void **state)
{
    shoal_ctx *ctx = *state;
    size_t denied = 0;

    for (uint64_t seed = 0; seed < rounds(160, 1600); seed++) {
        method_case m;
        shoal_i_tally some;
        bool holds[1 << FEW];

        method_case_make(ctx, &m, seed, 4 + seed % (FEW - 3), 1, 2 + seed % 7,
                         case_kinds[seed % CASE_KINDS]);
        unsigned all = (1u << m.problem.row_count) - 1;
        uint64_t total = shoal_i_necessary_total(&m.set);

        assert_int_equal(shoal_i_tally_init(ctx, &some, &m.source), SHOAL_OK);
        for (unsigned set = 1; set <= all; set++) {
            bool is_within = false;

            shoal_i_tally_empty(&some);
            for (uint32_t row = 0; row < m.problem.row_count; row++) {
                if (set & 1u << row) {
                    shoal_i_tally_add(&some, row);
                }
            }
            holds[set] = shoal_i_requirement_holds(&m.set, &some.stats);
            for (unsigned part = set; part > 0 && !is_within; part = (part - 1) & set) {
                is_within = holds[part];
            }
            bool may = shoal_i_necessary_within(&m.set, &some.stats, total);

            assert_true(may || !is_within);
            denied += !may;
            for (uint32_t row = 0; holds[set] && row < m.problem.row_count; row++) {
                const shoal_i_requirement *asked = &m.set.items[1];

                assert_true(!(set & 1u << row) || !asked->column ||
                            some.stats.size >=
                                shoal_i_necessary_size(asked, asked->column->codes[row]));
            }
        }
        shoal_i_tally_clear(&some);
        method_case_free(&m);
    }
    assert_true(denied > 1000);
}

/* Prices tell more than the cheapest boxes, which take no notice of each other, and never too
 * much. */
static void test_prices_raise_the_bound(void **state)
{
    shoal_ctx *ctx = *state;
    size_t raised = 0;

    for (uint64_t seed = 0; seed < 600; seed++) {
        method_case m;

        method_case_make(ctx, &m, seed, 3 + seed % (FEW - 2), 6, 2 + seed % 11,
                         case_kinds[seed % CASE_KINDS]);
        method_case_keep_trees(ctx, &m);
        double optimum = slow_optimum(ctx, &m);
        double boxes = run_bound(ctx, &m, 0);
        double prices = run_bound(ctx, &m, isfinite(optimum) ? 1.2 * optimum : 100);

        assert_true(prices <= optimum);
        assert_true(prices >= boxes - 1e-3);
        raised += prices > 1.05 * boxes && boxes > 0;
        method_case_free(&m);
    }
    assert_true(raised > 100);
}

/* Two numbers less than 1 apart, published with multiples of 0.1: both are in the range of all.
 */
static void test_short_grid(void **state)
{
    shoal_ctx *ctx = *state;
    const double x[] = {0.05, 0.95};
    const shoal_array array = {.name = "x", .kind = SHOAL_ARRAY_DOUBLE, .length = 2, .data = x};
    shoal_i_quasi_request request = {.column = 0, .weight = 1};
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_requirement_set set = {0};
    double ncp = 0;

    assert_true(shoal_i_grid_read(&request.grid, "0.1"));
    assert_int_equal(shoal_table_from_arrays(ctx, &table, &array, 1), SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(ctx, &quasi, table, &request, 1), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, 2), SHOAL_OK);
    assert_int_equal(shoal_i_bound(ctx, &ncp, quasi, &set, &(shoal_i_bound_known){0}),
                     SHOAL_OK);
    assert_true(fabs(ncp - 2) < 1e-6);
    shoal_i_requirement_set_clear(&set);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
}

/* --- The parts against slow ones. --------------------------------------------------------- */

static int64_t slow_cheapest(const shoal_i_reaches *r, uint64_t need)
{
    int64_t best = INT64_MAX;

    for (unsigned set = 1; set < 1u << r->count; set++) {
        uint64_t weight = 0;
        int64_t sum = 0;

        for (size_t d = 0; d < r->directions; d++) {
            int32_t most = 0;

            for (size_t i = 0; i < r->count; i++) {
                int32_t reach = r->reach[i * r->directions + d];

                most = set & 1u << i && reach > most ? reach : most;
            }
            sum += most;
        }
        for (size_t i = 0; i < r->count; i++) {
            weight += set & 1u << i ? r->weights[i] : 0;
        }
        best = weight >= need && sum < best ? sum : best;
    }
    return best;
}

static void test_cheapest_box(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_i_random random = shoal_i_random_start(3);

    for (int trial = 0; trial < 3000; trial++) {
        size_t directions = 1 + (size_t)shoal_i_random_below(&random, 5);
        uint64_t values = 2 + shoal_i_random_below(&random, 9);
        shoal_i_reaches r;

        assert_int_equal(shoal_i_reaches_init(ctx, &r, 10, directions), SHOAL_OK);
        r.count = 1 + (size_t)shoal_i_random_below(&random, 10);
        for (size_t i = 0; i < r.count; i++) {
            r.weights[i] = 1 + shoal_i_random_below(&random, 3);
            for (size_t d = 0; d < directions; d++) {
                r.reach[i * directions + d] = (int32_t)shoal_i_random_below(&random, values);
            }
        }
        uint64_t need = 1 + shoal_i_random_below(&random, 12);
        int64_t most = (int64_t)shoal_i_random_below(&random, 60);
        int64_t truth = slow_cheapest(&r, need);

        truth = truth < most ? truth : most;
        assert_true(shoal_i_cheapest_box(&r, need, most, SIZE_MAX) == truth);
        for (size_t steps = 0; steps < 8; steps++) {
            assert_true(shoal_i_cheapest_box(&r, need, most, steps) <= truth);
        }
        shoal_i_reaches_clear(&r);
    }
}

/* The penalty of two points together, lane by lane. */
static int32_t slow_together(const shoal_i_nearby *n, uint32_t a, uint32_t b)
{
    const shoal_i_lanes *lanes = n->lanes;
    const int32_t *x = shoal_i_distinct_row(n->points, a);
    const int32_t *y = shoal_i_distinct_row(n->points, b);
    int32_t sum = 0;

    for (size_t c = 0; c < lanes->quasi->count; c++) {
        int32_t above = 0;

        for (size_t lane = lanes->first[c]; lane < lanes->first[c + 1]; lane++) {
            if (!lanes->quasi->columns[c].hierarchy) {
                sum += abs(x[lane] - y[lane]);
            } else if (x[lane] != y[lane] && x[lane] != above) {
                sum += lanes->climbs[c][x[lane]];
            }
            above = x[lane];
        }
    }
    return sum;
}

static void check_answer(const shoal_i_nearby *n, const shoal_i_nearby_asking *a,
                         uint32_t point, size_t wanted, int32_t beyond, bool is_exact)
{
    int32_t farthest = 0;

    assert_true(a->count <= wanted);
    for (size_t i = 0; i < a->count; i++) {
        assert_true(a->near[i].point != point);
        assert_int_equal(a->near[i].penalty, slow_together(n, point, a->near[i].point));
        farthest = a->near[i].penalty > farthest ? a->near[i].penalty : farthest;
    }
    for (uint32_t other = 0; other < n->points->count; other++) {
        bool is_listed = other == point;

        for (size_t i = 0; i < a->count; i++) {
            is_listed = is_listed || a->near[i].point == other;
        }
        assert_true(is_listed || slow_together(n, point, other) >= beyond);
    }
    if (is_exact) {
        assert_int_equal(a->count,
                         wanted < n->points->count - 1 ? wanted : n->points->count - 1);
        assert_true(a->count < wanted ? beyond == INT32_MAX : beyond == farthest);
    }
}

static void test_nearest(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < 24; seed++) {
        method_case m;
        shoal_i_lanes *lanes = NULL;
        int32_t *rows = NULL;
        shoal_i_nearby *n = NULL;
        shoal_i_nearby_asking a;

        method_case_make(ctx, &m, seed, 30 + 24 * seed, 1 + seed % 4, 3 + seed,
                         &shoal_i_k_anonymity);
        assert_int_equal(shoal_i_lanes_build(ctx, &lanes, m.quasi), SHOAL_OK);
        assert_int_equal(shoal_i_lanes_rows(ctx, &rows, lanes), SHOAL_OK);
        assert_int_equal(shoal_i_nearby_build(ctx, &n, lanes, rows, NULL, m.problem.row_count),
                         SHOAL_OK);
        assert_int_equal(shoal_i_nearby_asking_init(ctx, &a, n, 64), SHOAL_OK);
        for (uint32_t point = 0; point < n->points->count; point += 3) {
            for (size_t wanted = 1; wanted <= 64; wanted *= 4) {
                int32_t beyond = shoal_i_nearby_ask(&a, n, point, wanted, SIZE_MAX);

                check_answer(n, &a, point, wanted, beyond, true);
                beyond = shoal_i_nearby_ask(&a, n, point, wanted, 2);
                check_answer(n, &a, point, wanted, beyond, false);
            }
        }
        shoal_i_nearby_asking_clear(&a);
        shoal_i_nearby_free(n);
        free(rows);
        shoal_i_lanes_free(lanes);
        method_case_free(&m);
    }
}

/* --- The rest. ---------------------------------------------------------------------------- */

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    shoal_ctx one;
    shoal_ctx four;
    method_case m;

    shoal_i_ctx_init(&one);
    shoal_i_ctx_init(&four);
    one.threads = 1;
    four.threads = 4;
    method_case_make(&one, &m, 2, 600, 4, 12, &shoal_i_personal_k);
    double bound = run_bound(&one, &m, 100);

    assert_true(bound > 0);
    assert_true(run_bound(&four, &m, 100) == bound);
    method_case_free(&m);
    shoal_i_ctx_clear(&one);
    shoal_i_ctx_clear(&four);
}

static shoal_status bound_again(shoal_ctx *ctx, void *payload)
{
    const method_case *m = payload;
    double ncp = 0;

    return shoal_i_bound(ctx, &ncp, m->quasi, &m->set,
                         &(shoal_i_bound_known){
                             .ncp = 50, .source = m->problem.source, .record_k = m->record_k});
}

static void test_failing_allocations(void **state)
{
    shoal_ctx *ctx = *state;
    method_case m;

    method_case_make(ctx, &m, 6, 40, 3, 9, &shoal_i_k_anonymity);
    assert_survives_failing_allocations(ctx, bound_again, &m);
    method_case_free(&m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_above_the_optimum),
        cmocka_unit_test(test_persons),
        cmocka_unit_test(test_needs_raise_the_bound),
        cmocka_unit_test(test_necessary),
        cmocka_unit_test(test_short_grid),
        cmocka_unit_test(test_cheapest_box),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_prices_raise_the_bound),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_failing_allocations),
    };

    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, open_context, close_context);
}
