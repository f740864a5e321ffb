/* bottomup against the plain scan that defines it, and the parting of large groups. */

#include "context.h"
#include "method_case.h"

#include "box/scan.h"
#include "method/bottomup/merging.h"
#include "method/bottomup/parting.h"
#include "method/grouping/split.h"

#define LANES_MAX 64

/* The rows of a problem as distinct points. */
typedef struct pointed {
    shoal_i_grouping *grouping;
    shoal_i_distinct *distinct;
} pointed;

static pointed make_points(shoal_ctx *ctx, const shoal_i_problem *problem)
{
    pointed p = {0};

    assert_int_equal(shoal_i_grouping_new(ctx, &p.grouping, problem), SHOAL_OK);
    assert_int_equal(shoal_i_grouping_distinct(ctx, &p.distinct, p.grouping,
                                               (shoal_i_span){.count = p.grouping->count}),
                     SHOAL_OK);
    return p;
}

static void free_points(pointed *p)
{
    shoal_i_distinct_free(p->distinct);
    shoal_i_grouping_free(p->grouping);
}

/* --- The plain scan: every group compared with every other, from its points. -------------- */

typedef struct plain {
    const shoal_i_distinct *distinct;
    const uint32_t *group_of; /* point -> group */
} plain;

/* Penalty of the points of the groups a and b, and how many records they have. */
static int64_t plain_penalty(const plain *s, uint32_t a, uint32_t b, int64_t *size)
{
    const shoal_i_distinct *d = s->distinct;
    int32_t lo[LANES_MAX];
    int32_t hi[LANES_MAX];
    int32_t climb[LANES_MAX];
    shoal_i_probe probe = {.climb = climb};
    const int32_t *member = NULL;

    *size = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const int32_t *row = shoal_i_distinct_row(d, i);

        if (s->group_of[i] != a && s->group_of[i] != b) {
            continue;
        }
        for (size_t lane = 0; lane < d->lanes->count; lane++) {
            lo[lane] = !member || row[lane] < lo[lane] ? row[lane] : lo[lane];
            hi[lane] = !member || row[lane] > hi[lane] ? row[lane] : hi[lane];
        }
        member = row;
        *size += d->weights[i];
    }
    shoal_i_probe_set(&probe, d->lanes, lo, hi, member);
    return shoal_i_penalty(d->lanes, &probe);
}

/* The records of a group. */
static size_t plain_records(const plain *s, uint32_t g, uint32_t *records)
{
    size_t count = 0;

    for (uint32_t i = 0; i < s->distinct->count; i++) {
        for (uint32_t j = s->distinct->first[i];
             s->group_of[i] == g && j < s->distinct->first[i + 1]; j++) {
            records[count++] = s->distinct->records[j];
        }
    }
    return count;
}

static uint32_t plain_partner(const plain *s, uint32_t g)
{
    int64_t best = INT64_MAX;
    int64_t size = 0;
    int64_t total = 0;
    int64_t penalty = plain_penalty(s, g, g, &size);
    uint32_t partner = UINT32_MAX;

    for (uint32_t h = 0; h < s->distinct->count; h++) {
        int64_t other_size = 0;

        if (s->group_of[h] != h || h == g) {
            continue; /* no first point of its group */
        }
        int64_t other = plain_penalty(s, h, h, &other_size);
        int64_t together = plain_penalty(s, g, h, &total);
        int64_t cost = together * total - penalty * size - other * other_size;

        if (cost < best) {
            best = cost;
            partner = h;
        }
    }
    return partner;
}

static void plain_merge(shoal_ctx *ctx, const method_case *m, const shoal_i_distinct *distinct,
                        uint32_t *group_of)
{
    plain s = {.distinct = distinct, .group_of = group_of};
    bool is_done = false;

    for (uint32_t i = 0; i < distinct->count; i++) {
        group_of[i] = i;
    }
    while (!is_done) {
        is_done = true;
        for (uint32_t g = 0; g < distinct->count; g++) {
            uint32_t records[CASE_ROWS_MAX];

            if (group_of[g] != g ||
                slow_holds(ctx, m, records, plain_records(&s, g, records))) {
                continue;
            }
            uint32_t h = plain_partner(&s, g);

            assert_int_not_equal(h, UINT32_MAX);
            for (uint32_t i = 0; i < distinct->count; i++) {
                if (group_of[i] == g || group_of[i] == h) {
                    group_of[i] = g < h ? g : h;
                }
            }
            is_done = false;
        }
    }
}

/* Compare on one table; returns 1 when its requirement can be met. */
static size_t compare_with_plain(shoal_ctx *ctx, uint64_t seed, size_t rows, size_t columns,
                                 uint64_t values, const shoal_i_requirement_kind *kind)
{
    method_case m;
    uint32_t all[CASE_ROWS_MAX];
    uint32_t expected[CASE_ROWS_MAX];
    uint32_t found[CASE_ROWS_MAX];
    shoal_i_meter meter = {.stage = "test", .total = rows};

    method_case_make(ctx, &m, seed, rows, columns, values, kind);
    for (uint32_t i = 0; i < rows; i++) {
        all[i] = i;
    }
    bool is_possible = slow_holds(ctx, &m, all, rows);

    if (is_possible) {
        pointed p = make_points(ctx, &m.problem);

        plain_merge(ctx, &m, p.distinct, expected);
        assert_int_equal(shoal_i_merge_points(ctx, found, &m.problem, p.distinct, &meter),
                         SHOAL_OK);
        assert_memory_equal(found, expected, p.distinct->count * sizeof *found);
        assert_int_equal(meter.done, p.distinct->count);
        free_points(&p);
    }
    method_case_free(&m);
    return is_possible;
}

static void test_equals_plain_scan(void **state)
{
    shoal_ctx *ctx = *state;
    size_t compared = 0;

    for (uint64_t seed = 0; seed < 160; seed++) {
        compared += compare_with_plain(ctx, seed, 2 + seed * 7 % 60, 1 + seed % 6,
                                       2 + seed * 5 % 37, case_kinds[seed % CASE_KINDS]);
    }
    assert_true(compared > 80);
}

/* Enough groups for an index of several levels, and for several batches. */
static void test_equals_plain_scan_when_large(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < 2; seed++) {
        ctx->threads = 1 + (int)seed;
        assert_int_equal(
            compare_with_plain(ctx, seed, CASE_ROWS_MAX, 3 + seed, 300, &shoal_i_k_anonymity),
            1);
    }
    shoal_i_ctx_clear(ctx);
    ctx->threads = 1;
}

/* Few values in many columns: nearly all costs are equal to others, so that the lowest number
 * decides again and again. */
static void test_equals_plain_scan_among_equals(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < 3; seed++) {
        assert_int_equal(
            compare_with_plain(ctx, seed, CASE_ROWS_MAX, 6, 2 + seed, &shoal_i_k_anonymity), 1);
    }
}

/* --- Parting. ----------------------------------------------------------------------------- */

/* Part all points of a problem as if they were one group; returns how many come of it. */
static size_t part_all(shoal_ctx *ctx, const method_case *m, uint32_t *records,
                       uint8_t *is_start)
{
    pointed p = make_points(ctx, &m->problem);
    shoal_i_parting *parting = NULL;
    uint32_t points[CASE_ROWS_MAX];
    bool seen[CASE_ROWS_MAX] = {false};
    size_t groups = 0;

    for (uint32_t i = 0; i < p.distinct->count; i++) {
        points[i] = i;
    }
    assert_int_equal(
        shoal_i_parting_new(ctx, &parting, &m->problem, p.distinct, p.distinct->count),
        SHOAL_OK);
    assert_int_equal(shoal_i_part(ctx, parting, points, p.distinct->count, records, is_start),
                     SHOAL_OK);
    assert_true(is_start[0]);
    for (size_t i = 0; i < m->problem.row_count; i++) {
        assert_false(seen[records[i]]);
        seen[records[i]] = true;
        groups += is_start[i] != 0;
    }
    shoal_i_parting_free(parting);
    free_points(&p);
    return groups;
}

/* The parts hold, whatever is required. */
static void test_parts_hold(void **state)
{
    shoal_ctx *ctx = *state;
    size_t parted = 0;

    for (uint64_t seed = 0; seed < 160; seed++) {
        method_case m;
        uint32_t all[CASE_ROWS_MAX];
        uint32_t records[CASE_ROWS_MAX];
        uint8_t is_start[CASE_ROWS_MAX];
        size_t rows = 10 + seed % 90;

        method_case_make(ctx, &m, seed, rows, 1 + seed % 4, 2 + seed % 30,
                         case_kinds[seed % CASE_KINDS]);
        for (uint32_t i = 0; i < rows; i++) {
            all[i] = i;
        }
        if (slow_holds(ctx, &m, all, rows)) {
            parted += part_all(ctx, &m, records, is_start) > 1;
            for (size_t first = 0, end = 0; first < rows; first = end) {
                for (end = first + 1; end < rows && !is_start[end]; end++) {
                }
                assert_true(slow_holds(ctx, &m, records + first, end - first));
            }
        }
        method_case_free(&m);
    }
    assert_true(parted > 60);
}

/* When only sizes matter and no two records are equal: as many parts as there can be. */
static void test_parts_are_as_many_as_can_be(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < 30; seed++) {
        method_case m;
        uint32_t records[CASE_ROWS_MAX];
        uint8_t is_start[CASE_ROWS_MAX];
        size_t rows = 5 + 3 * seed;

        method_case_make(ctx, &m, seed - seed % 4, rows, 5, 100000, &shoal_i_k_anonymity);
        uint64_t k = shoal_i_requirement_smallest_class(&m.set);

        if (k <= rows) {
            assert_int_equal(part_all(ctx, &m, records, is_start), rows / k);
        }
        method_case_free(&m);
    }
}

/* Points on a line, some near 0 and the others far from there, in turns: how many parts of at
 * least 3 come of them, and how many of these have points of both places. */
static size_t part_line(shoal_ctx *ctx, size_t near, size_t far, size_t *mixed)
{
    size_t count = near + far;
    int64_t *x = calloc(count, sizeof *x);
    uint32_t *points = calloc(count, sizeof *points);
    uint32_t *records = calloc(count, sizeof *records);
    uint8_t *is_start = calloc(count, sizeof *is_start);
    const shoal_array array = {
        .name = "x", .kind = SHOAL_ARRAY_INT64, .length = count, .data = x};
    const shoal_i_quasi_request request = {.column = 0, .weight = 1};
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_requirement_set set = {0};
    shoal_i_tally_source source = {0};
    shoal_i_parting *parting = NULL;
    size_t parts = 0;

    for (size_t i = 0; i < count; i++) {
        size_t turns = near < far ? near : far;
        bool is_far = i < 2 * turns ? i % 2 == 1 : far > near;

        x[i] = (int64_t)i + (is_far ? 1000000 : 0);
        points[i] = (uint32_t)(13 * i % count); /* distinct points are sorted */
    }
    assert_int_not_equal(count % 13, 0);
    assert_int_equal(shoal_table_from_arrays(ctx, &table, &array, 1), SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(ctx, &quasi, table, &request, 1), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, 3), SHOAL_OK);
    assert_int_equal(shoal_i_tally_source_init(ctx, &source, &set, NULL, 0, NULL, count),
                     SHOAL_OK);
    shoal_i_problem problem = {
        .quasi = quasi, .row_count = count, .requirements = &set, .source = &source};
    pointed p = make_points(ctx, &problem);

    assert_int_equal(p.distinct->count, count);
    assert_int_equal(shoal_i_parting_new(ctx, &parting, &problem, p.distinct, count), SHOAL_OK);
    assert_int_equal(shoal_i_part(ctx, parting, points, count, records, is_start), SHOAL_OK);
    *mixed = 0;
    for (size_t i = 0, first = 0; i < count; i++) {
        first = is_start[i] ? i : first;
        parts += is_start[i];
        *mixed += (x[records[i]] < 1000000) != (x[records[first]] < 1000000);
    }
    shoal_i_parting_free(parting);
    free_points(&p);
    shoal_i_tally_source_clear(&source);
    shoal_i_requirement_set_clear(&set);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
    free(is_start);
    free(records);
    free(points);
    free(x);
    return parts;
}

/* Very many points are halved first, so that what a half has too many stays in it; unless one
 * half does not hold. Fewer are not, and the rests of both places make one part more. */
static void test_very_many_points_are_halved(void **state)
{
    size_t mixed = 0;

    assert_int_equal(part_line(*state, 1301, 901, &mixed), 1301 / 3 + 901 / 3);
    assert_int_equal(mixed, 0);
    assert_int_equal(part_line(*state, 904, 1301, &mixed), 904 / 3 + 1301 / 3);
    assert_int_equal(mixed, 0);
    assert_int_equal(part_line(*state, 2101, 2, &mixed), 2103 / 3);
    assert_true(mixed > 0);
    assert_int_equal(part_line(*state, 131, 91, &mixed), 222 / 3);
    assert_true(mixed > 0);
}

/* --- The method. -------------------------------------------------------------------------- */

static void test_every_requirement_is_met(void **state)
{
    shoal_ctx *ctx = *state;
    size_t met = 0;

    for (uint64_t seed = 0; seed < 96; seed++) {
        method_case m;
        shoal_i_release *release = NULL;

        method_case_make(ctx, &m, seed, 5 + seed * 5 % 300, 1 + seed % 5, 2 + seed % 40,
                         case_kinds[seed % CASE_KINDS]);
        shoal_status st = method_case_run(ctx, &release, &m, "bottomup");

        assert_true(st == SHOAL_OK || st == SHOAL_EUNSATISFIABLE);
        if (st == SHOAL_OK) {
            check_case_release(ctx, &m, release);
            met++;
        }
        shoal_i_release_free(release);
        method_case_free(&m);
    }
    assert_true(met > 48);
}

/* The boxes of points in the plane, weights 1: the size of each class and its sum of interval
 * lengths. */
static shoal_i_release *release_plane(shoal_ctx *ctx, const int64_t *x, const int64_t *y,
                                      int64_t count, double k, shoal_table **table,
                                      shoal_i_quasi **quasi)
{
    const shoal_array arrays[] = {
        {.name = "x", .kind = SHOAL_ARRAY_INT64, .length = (size_t)count, .data = x},
        {.name = "y", .kind = SHOAL_ARRAY_INT64, .length = (size_t)count, .data = y},
    };
    const shoal_i_quasi_request requests[] = {{.column = 0, .weight = 1},
                                              {.column = 1, .weight = 1}};
    shoal_i_requirement_set set = {0};
    shoal_i_tally_source source = {0};
    shoal_i_release *release = NULL;

    assert_int_equal(shoal_table_from_arrays(ctx, table, arrays, 2), SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(ctx, quasi, *table, requests, 2), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, k), SHOAL_OK);
    assert_int_equal(
        shoal_i_tally_source_init(ctx, &source, &set, NULL, 0, NULL, (size_t)count), SHOAL_OK);
    shoal_i_problem problem = {
        .quasi = *quasi, .row_count = (size_t)count, .requirements = &set, .source = &source};

    assert_int_equal(shoal_i_method_run(ctx, &release, &shoal_i_bottomup, &problem,
                                        &(shoal_i_method_settings){0}),
                     SHOAL_OK);
    shoal_i_tally_source_clear(&source);
    shoal_i_requirement_set_clear(&set);
    return release;
}

static double interval_lengths(const shoal_i_release *release, bool is_normalized)
{
    double sum = 0;

    for (size_t b = 0; b < release->box_count; b++) {
        for (size_t c = 0; c < 2; c++) {
            const shoal_i_quasi_column *column = &release->quasi->columns[c];
            shoal_i_interval part = release->boxes[b * 2 + c];

            sum += release->box_sizes[b] * (column->values[part.hi] - column->values[part.lo]) /
                   (is_normalized ? column->range : 1);
        }
    }
    return sum;
}

/* XU, example 1: {a, b, c} and {d, e, f}, though k is 2. */
static void test_xu_example_1(void **state)
{
    const int64_t x[] = {10, 20, 20, 50, 50, 60};
    const int64_t y[] = {60, 70, 50, 20, 10, 15};
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_release *release = release_plane(*state, x, y, 6, 2, &table, &quasi);

    assert_int_equal(release->box_count, 2);
    assert_true(fabs(interval_lengths(release, false) - 150) < 1e-9);
    assert_true(release->box_of[0] == release->box_of[1] &&
                release->box_of[1] == release->box_of[2]);
    assert_true(release->box_of[3] == release->box_of[4] &&
                release->box_of[4] == release->box_of[5]);
    shoal_i_release_free(release);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
}

/* XU, figure 1, k = 3: no worse than {1, 2, 3}, {4, 5, 6}, which is
 * 3 (6/8 + 1/2) + 3 (2/8 + 2/2) = 7.5. */
static void test_xu_figure_1(void **state)
{
    const int64_t age[] = {24, 25, 30, 30, 32, 32};
    const int64_t zip[] = {53712, 53711, 53711, 53711, 53712, 53713};
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_release *release = release_plane(*state, age, zip, 6, 3, &table, &quasi);

    assert_true(interval_lengths(release, true) <= 7.5 + 1e-9);
    shoal_i_release_free(release);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_plain_scan),
        cmocka_unit_test(test_equals_plain_scan_when_large),
        cmocka_unit_test(test_equals_plain_scan_among_equals),
        cmocka_unit_test(test_parts_hold),
        cmocka_unit_test(test_parts_are_as_many_as_can_be),
        cmocka_unit_test(test_very_many_points_are_halved),
        cmocka_unit_test(test_every_requirement_is_met),
        cmocka_unit_test(test_xu_example_1),
        cmocka_unit_test(test_xu_figure_1),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
