/* Releases with a box per record: made by the method, and verified by somebody who knows
 * nothing of it. */
#include "context.h"
#include "method_case.h"

#include "measure/measure.h"

#define SMALL_MAX 24

/* --- The oracle: all edges of the graph, and for each whether the rest can be matched. */

typedef struct slow_graph {
    size_t count;
    bool has[SMALL_MAX][SMALL_MAX]; /* row, record */
} slow_graph;

static slow_graph slow_edges(const shoal_i_release *release)
{
    slow_graph g = {.count = release->row_count};
    size_t width = release->quasi->count;

    for (size_t row = 0; row < g.count; row++) {
        const shoal_i_interval *box = release->boxes + release->box_of[row] * width;

        for (size_t record = 0; record < g.count; record++) {
            g.has[row][record] = true;
            for (size_t c = 0; c < width; c++) {
                uint32_t code = shoal_i_quasi_code(release->quasi, c, record);

                g.has[row][record] &= box[c].lo <= code && code <= box[c].hi;
            }
        }
    }
    return g;
}

/* Give a row a record, moving others if need be (Kuhn). */
static bool seat(const slow_graph *g, size_t row, size_t *row_of, bool *is_tried)
{
    for (size_t record = 0; record < g->count; record++) {
        if (!g->has[row][record] || is_tried[record]) {
            continue;
        }
        is_tried[record] = true;
        if (row_of[record] == SIZE_MAX || seat(g, row_of[record], row_of, is_tried)) {
            row_of[record] = row;
            return true;
        }
    }
    return false;
}

/* Whether all rows but one can be matched without one record; SIZE_MAX: with all. */
static bool is_matchable(slow_graph g, size_t without_row, size_t without_record)
{
    size_t row_of[SMALL_MAX];

    for (size_t i = 0; i < g.count; i++) {
        row_of[i] = SIZE_MAX;
        if (without_record != SIZE_MAX) {
            g.has[i][without_record] = false;
        }
    }
    for (size_t row = 0; row < g.count; row++) {
        bool is_tried[SMALL_MAX] = {false};

        if (row != without_row && !seat(&g, row, row_of, is_tried)) {
            return false;
        }
    }
    return true;
}

typedef struct slow_verdict {
    bool is_matched;
    size_t rows[SMALL_MAX];    /* of each record */
    size_t records[SMALL_MAX]; /* of each row */
} slow_verdict;

static slow_verdict slow_verify(const shoal_i_release *release)
{
    slow_graph g = slow_edges(release);
    slow_verdict v = {.is_matched = is_matchable(g, SIZE_MAX, SIZE_MAX)};

    for (size_t row = 0; v.is_matched && row < g.count; row++) {
        for (size_t record = 0; record < g.count; record++) {
            if (g.has[row][record] && is_matchable(g, row, record)) {
                v.rows[record]++;
                v.records[row]++;
            }
        }
    }
    return v;
}

static size_t count_short(const method_case *m, const slow_verdict *v, size_t i)
{
    bool is_own = m->set.items[i].kind->needs_record_k;
    size_t failing = 0;

    for (size_t at = 0; at < m->problem.row_count; at++) {
        size_t k = is_own ? m->record_k[at] : (size_t)m->set.items[i].value;

        failing += v->rows[at] < k;
        failing += !is_own && v->records[at] < k;
    }
    return failing;
}

/* Hold the verifier against the oracle; whether the release is good. */
static bool check_verifier(shoal_ctx *ctx, const method_case *m, const shoal_i_release *release,
                           const uint32_t *row_order)
{
    shoal_i_verdict verdict;
    slow_verdict slow = slow_verify(release);
    bool holds = slow.is_matched;

    assert_int_equal(
        shoal_i_verify_records(ctx, &verdict, release, row_order, &m->set, m->record_k),
        SHOAL_OK);
    assert_int_equal(verdict.unmatched == 0, slow.is_matched);
    for (size_t i = 0; !slow.is_matched && i < m->set.count; i++) {
        assert_false(verdict.items[i].holds);
        assert_int_equal(verdict.items[i].failing_classes, verdict.unmatched);
        assert_int_equal(verdict.items[i].failing_records, m->problem.row_count);
    }
    for (size_t i = 0; slow.is_matched && i < m->set.count; i++) {
        size_t failing = count_short(m, &slow, i);

        assert_int_equal(verdict.items[i].failing_classes, failing);
        assert_int_equal(verdict.items[i].holds, failing == 0);
        holds = holds && failing == 0;
    }
    assert_int_equal(verdict.holds, holds);
    return holds;
}

/* --- What the method makes. */

static const char *const variants[] = {
    "nonhomogeneous", "nonhomogeneous:partition=mondrian", "nonhomogeneous:partition=topdown",
    "nonhomogeneous:partition=curve", "nonhomogeneous:partition=curve,size=3"};
#define VARIANTS (sizeof variants / sizeof *variants)

static void check_links(const shoal_i_release *release)
{
    slow_graph g = slow_edges(release);
    bool is_taken[SMALL_MAX] = {false};

    assert_int_equal(release->shape, SHOAL_I_SHAPE_RECORDS);
    for (size_t row = 0; row < g.count; row++) {
        assert_true(g.has[row][row]);
        assert_true(g.has[row][release->linked[row]]);
        assert_false(is_taken[release->linked[row]]);
        is_taken[release->linked[row]] = true;
    }
}

/* Change a release: shrink a box to its record, give a row the box of another, swap two. */
static void damage(shoal_i_release *release, shoal_i_random *random)
{
    size_t width = release->quasi->count;
    size_t row = (size_t)shoal_i_random_below(random, release->row_count);
    size_t other = (size_t)shoal_i_random_below(random, release->row_count);
    shoal_i_interval *box = release->boxes + release->box_of[row] * width;
    uint32_t number = release->box_of[row];

    switch (shoal_i_random_below(random, 4)) {
    case 0:
        for (size_t c = 0; c < width; c++) {
            uint32_t code = shoal_i_quasi_code(release->quasi, c, row);

            box[c] = (shoal_i_interval){code, code};
        }
        break;
    case 1:
        release->box_of[row] = release->box_of[other];
        break;
    case 2:
        release->box_of[row] = release->box_of[other];
        release->box_of[other] = number;
        break;
    default:
        box[0].hi = box[0].lo;
        break;
    }
}

static const shoal_i_requirement_kind *find_kind(uint64_t seed)
{
    return seed % 2 == 0 ? &shoal_i_k_anonymity : &shoal_i_personal_k;
}

/* Every record has its k candidates in perfect matchings, by enumeration; the verifier says so,
 * knowing the rows' origin or not; and of damaged releases it says what the oracle says. */
static void test_small_releases_against_all_matchings(void **state)
{
    shoal_ctx *ctx = *state;
    size_t bad = 0;
    size_t good = 0;

    for (uint64_t seed = 0; seed < 120; seed++) {
        size_t rows = 2 + seed % (SMALL_MAX - 1);
        shoal_i_random random = shoal_i_random_start(seed);
        uint32_t identity[SMALL_MAX];
        shoal_i_release *release = NULL;
        method_case m;

        method_case_make(ctx, &m, seed, rows, 1 + seed % 5, 2 + seed % 13, find_kind(seed / 5));
        shoal_status st = method_case_run(ctx, &release, &m, variants[seed % VARIANTS]);

        for (uint32_t i = 0; i < rows; i++) {
            identity[i] = i;
        }
        if (st == SHOAL_OK) {
            check_links(release);
            assert_true(check_verifier(ctx, &m, release, identity));
            assert_true(check_verifier(ctx, &m, release, NULL));
            for (int times = 0; times < 4; times++) {
                damage(release, &random);
                if (check_verifier(ctx, &m, release, times % 2 ? identity : NULL)) {
                    good++;
                } else {
                    bad++;
                }
            }
        } else {
            assert_int_equal(st, SHOAL_EUNSATISFIABLE);
        }
        shoal_i_release_free(release);
        method_case_free(&m);
    }
    assert_true(bad > 50 && good > 20);
}

/* Larger tables, where trees have many leaves and rings many neighbours. */
static void test_larger_releases_are_verified(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < 25; seed++) {
        shoal_i_release *release = NULL;
        shoal_i_verdict verdict;
        method_case m;

        method_case_make(ctx, &m, seed, 300 + 10 * seed, 1 + seed % 6, 2 + 3 * seed,
                         find_kind(seed));
        assert_int_equal(method_case_run(ctx, &release, &m, variants[seed % VARIANTS]),
                         SHOAL_OK);
        assert_int_equal(
            shoal_i_verify_records(ctx, &verdict, release, NULL, &m.set, m.record_k), SHOAL_OK);
        assert_true(verdict.holds);

        /* A row that shows its record alone is found. */
        uint64_t k = shoal_i_requirement_smallest_class(&m.set);
        uint32_t box = release->box_of[17];

        for (size_t c = 0; c < m.quasi->count; c++) {
            uint32_t code = shoal_i_quasi_code(m.quasi, c, 17);

            release->boxes[box * m.quasi->count + c] = (shoal_i_interval){code, code};
        }
        size_t twins = 0;

        for (size_t row = 0; row < release->row_count; row++) {
            bool is_equal = true;

            for (size_t c = 0; c < m.quasi->count; c++) {
                is_equal &=
                    shoal_i_quasi_code(m.quasi, c, row) == shoal_i_quasi_code(m.quasi, c, 17);
            }
            twins += is_equal;
        }
        assert_int_equal(
            shoal_i_verify_records(ctx, &verdict, release, NULL, &m.set, m.record_k), SHOAL_OK);
        assert_true(twins >= k || !verdict.holds);
        shoal_i_release_free(release);
        method_case_free(&m);
    }
}

/* Boxes come from the seed, links do not, unless a test asks for it. */
static void test_links_come_from_the_system(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_i_release *made[4] = {NULL};
    method_case m;

    method_case_make(ctx, &m, 8, 400, 3, 30, &shoal_i_k_anonymity);
    m.set.items[0].value = 6;
    for (size_t i = 0; i < 4; i++) {
        ctx->threads = 1 + (int)i % 2;
        assert_int_equal(
            method_case_run(ctx, &made[i], &m,
                            i < 2 ? "nonhomogeneous" : "nonhomogeneous:test_seed=4"),
            SHOAL_OK);
        assert_int_equal(made[i]->is_test_seeded, i >= 2);
        assert_same_release(made[0], made[i]);
    }
    ctx->threads = 1;
    assert_memory_not_equal(made[0]->linked, made[1]->linked, 400 * sizeof(uint32_t));
    assert_memory_equal(made[2]->linked, made[3]->linked, 400 * sizeof(uint32_t));
    for (size_t i = 0; i < 4; i++) {
        shoal_i_release_free(made[i]);
    }
    method_case_free(&m);
}

/* The boxes lose no more than the classes they were made from. */
static void test_boxes_lose_no_more_than_classes(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < 12; seed++) {
        shoal_i_release *classes = NULL;
        shoal_i_release *boxes = NULL;
        shoal_i_loss of_classes;
        shoal_i_loss of_boxes;
        method_case m;

        method_case_make(ctx, &m, seed, 200, 3, 20, &shoal_i_k_anonymity);
        assert_int_equal(method_case_run(ctx, &classes, &m, "mondrian"), SHOAL_OK);
        assert_int_equal(method_case_run(ctx, &boxes, &m, variants[1]), SHOAL_OK);
        assert_int_equal(shoal_i_loss_measure(ctx, &of_classes, classes, 2), SHOAL_OK);
        assert_int_equal(shoal_i_loss_measure(ctx, &of_boxes, boxes, 2), SHOAL_OK);
        assert_true(of_boxes.gcp <= of_classes.gcp + 1e-12);
        assert_true(isnan(of_boxes.discernibility));
        shoal_i_loss_clear(&of_classes);
        shoal_i_loss_clear(&of_boxes);
        shoal_i_release_free(classes);
        shoal_i_release_free(boxes);
        method_case_free(&m);
    }
}

static void test_only_k_is_honoured(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASE_KINDS; i++) {
        bool is_k =
            case_kinds[i] == &shoal_i_k_anonymity || case_kinds[i] == &shoal_i_personal_k;

        assert_int_equal(shoal_i_nonhomogeneous.refuse(case_kinds[i], false) == NULL, is_k);
    }
}

static shoal_status run_and_verify(shoal_ctx *ctx, void *payload)
{
    const method_case *m = payload;
    shoal_i_release *release = NULL;
    shoal_i_verdict verdict;
    shoal_status st = method_case_run(ctx, &release, m, "nonhomogeneous:partition=curve");

    if (st == SHOAL_OK) {
        st = shoal_i_verify_records(ctx, &verdict, release, NULL, &m->set, m->record_k);
    }
    shoal_i_release_free(release);
    return st;
}

static void test_survives_failing_allocations(void **state)
{
    method_case m;

    method_case_make(*state, &m, 2, 40, 2, 9, &shoal_i_personal_k);
    assert_survives_failing_allocations(*state, run_and_verify, &m);
    method_case_free(&m);
}

/* As many requirements as there can be, each with a verdict of its own. */
static void test_as_many_requirements_as_there_can_be(void **state)
{
    shoal_ctx *ctx = *state;
    method_case m;
    shoal_i_release *release = NULL;
    shoal_i_requirement_set set = {0};
    shoal_i_verdict verdict = {0};

    method_case_make(ctx, &m, 3, 24, 2, 5, &shoal_i_k_anonymity);
    assert_int_equal(method_case_run(ctx, &release, &m, "mondrian"), SHOAL_OK);
    for (size_t i = 0; i < SHOAL_I_REQUIREMENTS_MAX; i++) {
        assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity,
                                                 i + 1 < SHOAL_I_REQUIREMENTS_MAX ? 1 : 25),
                         SHOAL_OK);
    }
    assert_int_equal(shoal_i_verify_records(ctx, &verdict, release, NULL, &set, NULL),
                     SHOAL_OK);
    assert_int_equal(verdict.count, SHOAL_I_REQUIREMENTS_MAX);
    for (size_t i = 0; i < verdict.count; i++) {
        assert_int_equal(verdict.items[i].holds, i + 1 < SHOAL_I_REQUIREMENTS_MAX);
    }
    assert_false(verdict.holds);
    shoal_i_requirement_set_clear(&set);
    shoal_i_release_free(release);
    method_case_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_releases_against_all_matchings),
        cmocka_unit_test(test_larger_releases_are_verified),
        cmocka_unit_test(test_links_come_from_the_system),
        cmocka_unit_test(test_boxes_lose_no_more_than_classes),
        cmocka_unit_test(test_only_k_is_honoured),
        cmocka_unit_test(test_as_many_requirements_as_there_can_be),
        cmocka_unit_test(test_survives_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
