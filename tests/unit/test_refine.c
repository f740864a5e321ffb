/* Refining, and finding who stands behind the rows of a release, against slow and obvious
 * ways. */

#include "context.h"
#include "method_case.h"

#include "method/problem/effort.h"
#include "method/best/refine.h"
#include "release/release_match.h"

#define FEW 7
#define MANY 220

/* --- Matching. ---------------------------------------------------------------------------- */

static bool covers(const shoal_i_release *release, uint32_t box, size_t record)
{
    for (size_t c = 0; c < release->quasi->count; c++) {
        shoal_i_interval part = release->boxes[box * release->quasi->count + c];
        uint32_t code = shoal_i_quasi_code(release->quasi, c, record);

        if (code < part.lo || code > part.hi) {
            return false;
        }
    }
    return true;
}

/* Whether the records from `record` on can have the rows that are not taken, tried one after
 * the other. */
static bool slow_match(const shoal_i_release *release, const uint32_t *record_tags,
                       const uint32_t *row_tags, unsigned taken, size_t record)
{
    if (record == release->row_count) {
        return true;
    }
    for (size_t row = 0; row < release->row_count; row++) {
        if (!(taken & 1u << row) && record_tags[record] == row_tags[row] &&
            covers(release, release->box_of[row], record) &&
            slow_match(release, record_tags, row_tags, taken | 1u << row, record + 1)) {
            return true;
        }
    }
    return false;
}

static void check_match(const shoal_i_release *release, const uint32_t *box_of,
                        const uint32_t *record_tags, const uint32_t *row_tags)
{
    for (size_t i = 0; i < release->row_count; i++) {
        size_t records = 0;
        size_t rows = 0;

        assert_true(covers(release, box_of[i], i));
        for (size_t j = 0; j < release->row_count; j++) {
            records += box_of[j] == box_of[i] && record_tags[j] == record_tags[i];
            rows += release->box_of[j] == box_of[i] && row_tags[j] == record_tags[i];
        }
        assert_int_equal(records, rows);
    }
}

/* Rows in any order, some tampered with: a match is found exactly when there is one. */
static void test_match(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_i_random random = shoal_i_random_start(11);
    size_t found = 0;

    for (uint64_t seed = 0; seed < 1500; seed++) {
        method_case m;
        shoal_i_release *release = NULL;
        uint32_t *box_of = NULL;
        uint32_t record_tags[FEW];
        uint32_t row_tags[FEW];

        method_case_make(ctx, &m, seed, 3 + seed % (FEW - 2), 1 + seed % 3, 2 + seed % 5,
                         &shoal_i_k_anonymity);
        if (method_case_run(ctx, &release, &m, "mondrian") != SHOAL_OK) { /* k is too large */
            method_case_free(&m);
            continue;
        }
        for (size_t i = 0; i < release->row_count; i++) {
            record_tags[i] = (uint32_t)shoal_i_random_below(&random, 1 + seed % 3);
            row_tags[i] = record_tags[i];
        }
        for (size_t i = release->row_count; i-- > 1;) {
            size_t j = (size_t)shoal_i_random_below(&random, i + 1);
            uint32_t box = release->box_of[i];
            uint32_t tag = row_tags[i];

            release->box_of[i] = release->box_of[j];
            release->box_of[j] = box;
            row_tags[i] = row_tags[j];
            row_tags[j] = tag;
        }
        if (seed % 2) { /* tampered with: may still be possible, may not */
            release->box_of[0] = (uint32_t)shoal_i_random_below(&random, release->box_count);
        }
        bool expected = slow_match(release, record_tags, row_tags, 0, 0);
        shoal_status st =
            shoal_i_release_match(ctx, &box_of, NULL, release, record_tags, row_tags);

        assert_int_equal(st, expected ? SHOAL_OK : SHOAL_EFORMAT);
        if (expected) {
            check_match(release, box_of, record_tags, row_tags);
        }
        found += expected && seed % 2;
        assert_true(expected || seed % 2);
        free(box_of);
        shoal_i_release_free(release);
        method_case_free(&m);
    }
    assert_true(found > 100 && found < 700);
}

/* A row of a box of its own for a record, by trying all others' rows in turn (H. W. Kuhn
 * 1955). */
static bool slow_take_row(const shoal_i_release *release, size_t record, uint32_t *taken_by,
                          bool *is_tried)
{
    for (size_t row = 0; row < release->row_count; row++) {
        if (!is_tried[row] && covers(release, release->box_of[row], record)) {
            is_tried[row] = true;
            if (taken_by[row] == UINT32_MAX ||
                slow_take_row(release, taken_by[row], taken_by, is_tried)) {
                taken_by[row] = (uint32_t)record;
                return true;
            }
        }
    }
    return false;
}

static bool slow_can_match(const shoal_i_release *release)
{
    uint32_t taken_by[MANY];

    memset(taken_by, 0xff, sizeof taken_by);
    for (size_t record = 0; record < release->row_count; record++) {
        bool is_tried[MANY] = {false};

        if (!slow_take_row(release, record, taken_by, is_tried)) {
            return false;
        }
    }
    return true;
}

/* A box somewhere around each record, so that who takes the first that fits pushes others out
 * of theirs, over long ways. */
static shoal_i_release *make_overlapping(shoal_ctx *ctx, const method_case *m,
                                         shoal_i_random *random, bool is_tampered)
{
    shoal_i_release *release = NULL;
    shoal_i_interval boxes[MANY * RANDOM_COLUMNS_MAX];
    size_t width = m->quasi->count;

    for (size_t row = 0; row < m->problem.row_count; row++) {
        for (size_t c = 0; c < width; c++) {
            const shoal_i_quasi_column *column = &m->quasi->columns[c];
            uint32_t code = shoal_i_quasi_code(m->quasi, c, row);
            uint32_t below = (uint32_t)shoal_i_random_below(random, 3);
            uint32_t above = (uint32_t)shoal_i_random_below(random, 3);

            if (is_tampered && shoal_i_random_below(random, 60) == 0) {
                code = (uint32_t)shoal_i_random_below(random, column->value_count);
            }
            boxes[row * width + c] = shoal_i_quasi_close(
                column, code > below ? code - below : 0,
                code + above < column->value_count ? code + above : column->value_count - 1);
        }
    }
    assert_int_equal(
        shoal_i_release_from_boxes(ctx, &release, m->quasi, boxes, m->problem.row_count),
        SHOAL_OK);
    return release;
}

static void test_long_ways(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_i_random random = shoal_i_random_start(12);
    static const uint32_t no_tags[MANY];
    size_t refused = 0;
    size_t found = 0;

    for (uint64_t seed = 0; seed < 300; seed++) {
        method_case m;
        uint32_t *box_of = NULL;

        method_case_make(ctx, &m, seed, 20 + seed % (MANY - 20), 1 + seed % 2, 2 + seed % 97,
                         &shoal_i_k_anonymity);
        shoal_i_release *release = make_overlapping(ctx, &m, &random, seed % 3 == 0);
        bool expected = slow_can_match(release);
        shoal_status st = shoal_i_release_match(ctx, &box_of, NULL, release, NULL, NULL);

        assert_int_equal(st, expected ? SHOAL_OK : SHOAL_EFORMAT);
        if (expected) {
            check_match(release, box_of, no_tags, no_tags);
        }
        found += expected;
        refused += !expected;
        free(box_of);
        shoal_i_release_free(release);
        method_case_free(&m);
    }
    assert_true(found > 200 && refused > 20);
}

/* --- Refining. ---------------------------------------------------------------------------- */

static void test_never_worse(void **state)
{
    shoal_ctx *ctx = *state;
    static const char *const starts[] = {"mondrian", "topdown", "best:effort=fast"};
    size_t better = 0;

    for (uint64_t seed = 0; seed < 3 * CASE_KINDS; seed++) {
        method_case m;
        shoal_i_release *start = NULL;
        shoal_i_release *refined = NULL;
        shoal_i_release *narrowed = NULL;

        method_case_make(ctx, &m, seed, 40 + seed, 1 + seed % 4, 4 + seed % 9,
                         case_kinds[seed % CASE_KINDS]);
        if (method_case_run(ctx, &start, &m, starts[seed % 3]) == SHOAL_OK) {
            assert_int_equal(
                shoal_i_refine(ctx, &refined, &m.problem, start->box_of, SHOAL_I_EFFORT_NORMAL),
                SHOAL_OK);
            assert_int_equal(
                shoal_i_refine(ctx, &narrowed, &m.problem, start->box_of, SHOAL_I_EFFORT_FAST),
                SHOAL_OK);
            check_case_release(ctx, &m, refined);
            check_case_release(ctx, &m, narrowed);
            assert_true(slow_release_ncp(refined) <= slow_release_ncp(start) + 1e-6);
            assert_true(slow_release_ncp(narrowed) <= slow_release_ncp(start) + 1e-6);
            better += slow_release_ncp(refined) < slow_release_ncp(start) - 1e-3;
        }
        shoal_i_release_free(start);
        shoal_i_release_free(refined);
        shoal_i_release_free(narrowed);
        method_case_free(&m);
    }
    assert_true(better > 15);
}

static void test_refuses_what_does_not_hold(void **state)
{
    shoal_ctx *ctx = *state;
    method_case m;
    shoal_i_release *release = NULL;
    uint32_t alone[60];

    method_case_make(ctx, &m, 1, 60, 2, 9, &shoal_i_k_anonymity);
    assert_true(shoal_i_requirement_smallest_class(&m.set) > 1);
    for (uint32_t i = 0; i < 60; i++) {
        alone[i] = i == 0;
    }
    assert_int_equal(shoal_i_refine(ctx, &release, &m.problem, alone, SHOAL_I_EFFORT_FAST),
                     SHOAL_EINVAL);
    assert_null(release);
    method_case_free(&m);
}

static shoal_status refine_again(shoal_ctx *ctx, void *payload)
{
    const method_case *m = payload;
    static const uint32_t together[40];
    shoal_i_release *release = NULL;
    uint32_t *box_of = NULL;
    shoal_status st = shoal_i_refine(ctx, &release, &m->problem, together, SHOAL_I_EFFORT_FAST);

    if (st == SHOAL_OK) {
        st = shoal_i_release_match(ctx, &box_of, NULL, release, NULL, NULL);
    }
    free(box_of);
    shoal_i_release_free(release);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_ctx *ctx = *state;
    method_case m;

    method_case_make(ctx, &m, 4, 40, 3, 9, &shoal_i_k_anonymity);
    assert_survives_failing_allocations(ctx, refine_again, &m);
    method_case_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_long_ways),
        cmocka_unit_test(test_never_worse),
        cmocka_unit_test(test_refuses_what_does_not_hold),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
