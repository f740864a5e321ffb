#include "context.h"
#include "failing.h"
#include "random_table.h"
#include "same_release.h"

#include "method/problem/method.h"

#include <string.h>

/* Every method with settings worth testing; new methods are added here and pass or fail at
 * once. */
static const char *const variants[] = {
    "topdown",
    "topdown:rounds=1",
    "topdown:rounds=6",
    "bottomup",
    "mondrian",
    "mondrian:mode=relaxed",
    "mondrian:finish=carve",
    "mondrian:cuts=children",
    "mondrian:mode=relaxed,cuts=children",
    "mondrian:box=region",
    "mondrian:mode=relaxed,box=region",
    "mondrian:cuts=children,box=region",
    "best:effort=fast",
    "best",
    "hilbert",
    "cluster",
    "cluster:tries=1",
    "cluster:adjust=split",
    "specialize",
    "specialize:numeric=halves",
    "incognito",
    "incognito:objective=gcp",
};
#define VARIANTS (sizeof variants / sizeof *variants)

static shoal_status run_variant(shoal_ctx *ctx, shoal_i_release **out, const char *variant,
                                const shoal_i_quasi *quasi, const shoal_i_requirement_set *set,
                                const uint32_t *record_k)
{
    const shoal_i_method *method = NULL;
    shoal_i_method_settings settings;
    shoal_i_tally_source source = {0};
    shoal_i_problem problem = {
        .quasi = quasi,
        .row_count = shoal_table_row_count(quasi->table),
        .requirements = set,
        .source = &source,
        .seed = 7,
    };

    *out = NULL;
    shoal_status st = shoal_i_method_parse(ctx, &method, &settings, variant);

    if (st == SHOAL_OK) {
        st = shoal_i_tally_source_init(ctx, &source, set, NULL, 0, record_k, problem.row_count);
    }
    if (st == SHOAL_OK) {
        st = shoal_i_method_run(ctx, out, method, &problem, &settings);
    }
    shoal_i_tally_source_clear(&source);
    return st;
}

static shoal_i_requirement_set want_k(shoal_ctx *ctx, uint64_t k)
{
    shoal_i_requirement_set set = {0};

    assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, (double)k),
                     SHOAL_OK);
    return set;
}

/* Whether the box of column c is as it must be around the codes lo..hi of its records: the
 * smallest releasable one, or with levels for all records, or regions, a releasable one. */
static void check_interval(const shoal_i_quasi_column *column, shoal_i_interval box,
                           uint32_t lo, uint32_t hi, bool is_wider)
{
    shoal_i_interval closed = is_wider ? shoal_i_quasi_close(column, box.lo, box.hi)
                                       : shoal_i_quasi_close(column, lo, hi);

    assert_int_equal(box.lo, closed.lo);
    assert_int_equal(box.hi, closed.hi);
    assert_true(box.lo <= lo && hi <= box.hi);
}

/* What any release by classes must be: classes as large as asked for, each record in its box,
 * no two boxes equal. */
static void check_release(const shoal_i_release *release, uint64_t k, const uint32_t *record_k,
                          bool is_wider)
{
    const shoal_i_quasi *quasi = release->quasi;
    size_t rows = shoal_table_row_count(quasi->table);

    assert_int_equal(release->shape, SHOAL_I_SHAPE_CLASSES);
    assert_int_equal(release->row_count, rows);
    for (size_t b = 0; b < release->box_count; b++) {
        const shoal_i_interval *box = release->boxes + b * quasi->count;
        uint64_t size = 0;
        uint64_t need = k;

        for (size_t row = 0; row < rows; row++) {
            if (release->box_of[row] == b) {
                size++;
                need = record_k && record_k[row] > need ? record_k[row] : need;
            }
        }
        assert_true(size >= need);
        assert_int_equal(size, release->box_sizes[b]);
        for (size_t c = 0; c < quasi->count; c++) {
            uint32_t lo = UINT32_MAX;
            uint32_t hi = 0;

            for (size_t row = 0; row < rows; row++) {
                uint32_t code = shoal_i_quasi_code(quasi, c, row);

                if (release->box_of[row] == b) {
                    lo = code < lo ? code : lo;
                    hi = code > hi ? code : hi;
                }
            }
            check_interval(&quasi->columns[c], box[c], lo, hi, is_wider);
        }
        for (size_t other = 0; other < b; other++) {
            assert_memory_not_equal(box, release->boxes + other * quasi->count,
                                    quasi->count * sizeof *box);
        }
    }
}

/* Whether boxes need not be the smallest around their records. */
static bool is_wider(shoal_ctx *ctx, const char *variant)
{
    const shoal_i_method *method = NULL;
    shoal_i_method_settings settings;

    assert_int_equal(shoal_i_method_parse(ctx, &method, &settings, variant), SHOAL_OK);
    return method->is_full_domain || strstr(variant, "box=region");
}

static void test_every_method_on_random_tables(void **state)
{
    shoal_ctx *ctx = *state;
    const uint64_t ks[] = {1, 2, 3, 7, 20};

    for (uint64_t seed = 0; seed < rounds(6, 60); seed++) {
        size_t rows = 1 + seed * seed % 211;
        random_table t = random_table_make(ctx, seed, rows, 1 + seed % RANDOM_COLUMNS_MAX,
                                           2 + seed, seed % 3 == 0);

        for (size_t i = 0; i < VARIANTS * 5; i++) {
            shoal_i_requirement_set set = want_k(ctx, ks[i / VARIANTS]);
            shoal_i_release *release = NULL;
            shoal_status st =
                run_variant(ctx, &release, variants[i % VARIANTS], t.quasi, &set, NULL);

            if (ks[i / VARIANTS] > rows) {
                assert_int_equal(st, SHOAL_EUNSATISFIABLE);
                assert_null(release);
            } else {
                assert_int_equal(st, SHOAL_OK);
                check_release(release, ks[i / VARIANTS], NULL,
                              is_wider(ctx, variants[i % VARIANTS]));
            }
            shoal_i_release_free(release);
        }
        random_table_free(&t);
    }
}

static void test_personal_k(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < rounds(4, 12); seed++) {
        random_table t = random_table_make(ctx, seed, 150, 3, 30, false);
        shoal_i_random random = shoal_i_random_start(seed);
        shoal_i_requirement_set set = want_k(ctx, 2);
        uint32_t record_k[150];

        assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_personal_k, 0), SHOAL_OK);
        for (size_t i = 0; i < 150; i++) {
            uint64_t wide = shoal_i_random_below(&random, 40) == 0 ? 60 : 6;

            record_k[i] = (uint32_t)(1 + shoal_i_random_below(&random, wide));
        }
        for (size_t i = 0; i < VARIANTS; i++) {
            shoal_i_release *release = NULL;

            assert_int_equal(run_variant(ctx, &release, variants[i], t.quasi, &set, record_k),
                             SHOAL_OK);
            check_release(release, 2, record_k, is_wider(ctx, variants[i]));
            shoal_i_release_free(release);
        }
        record_k[3] = 151;
        for (size_t i = 0; i < VARIANTS; i++) {
            shoal_i_release *release = NULL;

            assert_int_equal(run_variant(ctx, &release, variants[i], t.quasi, &set, record_k),
                             SHOAL_EUNSATISFIABLE);
        }
        random_table_free(&t);
    }
}

static void test_equal_records_cost_nothing(void **state)
{
    shoal_ctx *ctx = *state;
    random_table t = random_table_make(ctx, 3, 50, 4, 1, false);
    shoal_i_requirement_set set = want_k(ctx, 5);

    for (size_t i = 0; i < VARIANTS; i++) {
        shoal_i_release *release = NULL;

        assert_int_equal(run_variant(ctx, &release, variants[i], t.quasi, &set, NULL),
                         SHOAL_OK);
        assert_int_equal(release->box_count, 1);
        shoal_i_release_free(release);
    }
    random_table_free(&t);
}

/* A few odd records among very many equal ones must not cost the many anything: sampling may
 * miss them. */
static void test_outliers_do_not_cost_the_many(void **state)
{
    enum { ROWS = 60000, EVERY = 3000 };
    shoal_ctx *ctx = *state;
    int64_t *data = calloc(ROWS, sizeof *data);
    const shoal_array array = {
        .name = "x", .kind = SHOAL_ARRAY_INT64, .length = ROWS, .data = data};
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_release *release = NULL;
    shoal_i_requirement_set set = want_k(ctx, 5);

    for (int64_t i = 1; i < ROWS; i += EVERY) {
        data[i] = i;
    }
    assert_int_equal(shoal_table_from_arrays(ctx, &table, &array, 1), SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(ctx, &quasi, table,
                                         &(shoal_i_quasi_request){.column = 0, .weight = 1}, 1),
                     SHOAL_OK);
    assert_int_equal(run_variant(ctx, &release, "topdown", quasi, &set, NULL), SHOAL_OK);
    /* The odd ones may borrow a few of the many, not more. */
    assert_true(release->box_sizes[0] >= ROWS - 5 * (ROWS / EVERY));
    assert_int_equal(release->boxes[0].hi, 0);
    shoal_i_release_free(release);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
    free(data);
}

/* Suppression stays within its limit, lowers the loss or does nothing, and what is suppressed
 * is a class that holds. */
static void test_suppression(void **state)
{
    shoal_ctx *ctx = *state;
    size_t improved = 0;

    for (uint64_t seed = 0; seed < 12; seed++) {
        random_table t = random_table_make(ctx, seed, 200, 3, 60, seed % 2);
        shoal_i_requirement_set set = want_k(ctx, 3);
        shoal_i_tally_source source = {0};
        shoal_i_problem problem = {.quasi = t.quasi,
                                   .row_count = 200,
                                   .requirements = &set,
                                   .source = &source,
                                   .seed = 1};
        shoal_i_method_settings settings = {0};
        shoal_i_release *plain = NULL;
        shoal_i_release *fewer = NULL;

        assert_int_equal(shoal_i_tally_source_init(ctx, &source, &set, NULL, 0, NULL, 200),
                         SHOAL_OK);
        assert_int_equal(
            shoal_i_method_run(ctx, &plain, &shoal_i_mondrian, &problem, &settings), SHOAL_OK);
        problem.suppress = 0.05;
        assert_int_equal(
            shoal_i_method_run(ctx, &fewer, &shoal_i_mondrian, &problem, &settings), SHOAL_OK);
        assert_true(slow_release_ncp(fewer) <= slow_release_ncp(plain) + 1e-9);
        improved += slow_release_ncp(fewer) < slow_release_ncp(plain) - 1e-9;
        for (size_t b = 0; b < fewer->box_count; b++) {
            assert_true(fewer->box_sizes[b] >= 3);
        }
        for (size_t row = 0; row < 200; row++) {
            for (size_t c = 0; c < 3; c++) {
                uint32_t code = shoal_i_quasi_code(t.quasi, c, row);
                shoal_i_interval part = fewer->boxes[fewer->box_of[row] * 3 + c];

                assert_true(part.lo <= code && code <= part.hi);
            }
        }
        shoal_i_release_free(plain);
        shoal_i_release_free(fewer);
        shoal_i_tally_source_clear(&source);
        random_table_free(&t);
    }
    assert_true(improved > 0);
}

/* How many records are released as * altogether. */
static size_t count_suppressed(const shoal_i_release *release)
{
    const shoal_i_quasi *quasi = release->quasi;
    size_t count = 0;

    for (size_t b = 0; b < release->box_count; b++) {
        bool is_all = true;

        for (size_t c = 0; c < quasi->count; c++) {
            shoal_i_interval all = shoal_i_quasi_all(&quasi->columns[c]);
            shoal_i_interval part = release->boxes[b * quasi->count + c];

            is_all &= part.lo == all.lo && part.hi == all.hi;
        }
        count += is_all ? release->box_sizes[b] : 0;
    }
    return count;
}

/* Never is one record more suppressed than allowed, and where more would gain, exactly as
 * many. */
static void test_suppression_limit(void **state)
{
    shoal_ctx *ctx = *state;
    size_t exact = 0;

    for (size_t limit = 3; limit < 20; limit++) {
        random_table t = random_table_make(ctx, limit, 200, 3, 60, limit % 2);
        shoal_i_requirement_set set = want_k(ctx, 3);
        shoal_i_tally_source source = {0};
        shoal_i_problem problem = {.quasi = t.quasi,
                                   .row_count = 200,
                                   .requirements = &set,
                                   .source = &source,
                                   .suppress = ((double)limit + 0.5) / 200,
                                   .seed = 1};
        shoal_i_method_settings settings = {0};
        shoal_i_release *release = NULL;

        assert_int_equal(shoal_i_tally_source_init(ctx, &source, &set, NULL, 0, NULL, 200),
                         SHOAL_OK);
        assert_int_equal(
            shoal_i_method_run(ctx, &release, &shoal_i_mondrian, &problem, &settings),
            SHOAL_OK);
        assert_true(count_suppressed(release) <= limit);
        exact += count_suppressed(release) == limit;
        shoal_i_release_free(release);
        shoal_i_tally_source_clear(&source);
        random_table_free(&t);
    }
    assert_true(exact > 2);
}

/* The release is a function of table, requirement and seed: large enough for blocks and tasks.
 */
static void test_threads_do_not_matter(void **state)
{
    shoal_ctx *ctx = *state;
    const int threads[] = {1, 5, 2};
    size_t runs = rounds(2, 3);
    random_table t = random_table_make(ctx, 11, 70000, 4, 40, true);
    random_table small = random_table_make(ctx, 12, 1500, 4, 40, true);
    shoal_i_requirement_set set = want_k(ctx, 4);

    for (size_t i = 0; i < VARIANTS; i++) {
        shoal_i_release *releases[3] = {NULL};

        /* A few are enough to see blocks, samples and tasks; under a sanitizer the others would
         * take minutes. */
        bool is_plain =
            strcmp(variants[i], "topdown") == 0 || strcmp(variants[i], "mondrian") == 0 ||
            strcmp(variants[i], "hilbert") == 0 || strcmp(variants[i], "cluster:tries=1") == 0;
        const random_table *table = is_plain ? &t : &small;

        for (size_t j = 0; j < runs; j++) {
            ctx->threads = threads[j];
            assert_int_equal(
                run_variant(ctx, &releases[j], variants[i], table->quasi, &set, NULL),
                SHOAL_OK);
            shoal_i_ctx_clear(ctx);
        }
        for (size_t j = 1; j < runs; j++) {
            assert_same_release(releases[0], releases[j]);
            shoal_i_release_free(releases[j]);
        }
        shoal_i_release_free(releases[0]);
    }
    ctx->threads = 1;
    random_table_free(&small);
    random_table_free(&t);
}

/* --- Mondrian, strict, told again slowly. ------------------------------------------------- */

typedef struct slow_mondrian {
    const shoal_i_quasi *quasi;
    size_t k;
    uint32_t group_of[300];
    uint32_t groups;
} slow_mondrian;

/* Whether a cut below `code` separates whole children of the node over [lo, hi]. */
static bool slow_may_cut(const shoal_i_quasi_column *column, uint32_t lo, uint32_t hi,
                         uint32_t before, uint32_t code)
{
    if (!column->hierarchy) {
        return true;
    }
    /* The two codes around the cut meet no lower than all codes do. */
    return shoal_hierarchy_ancestor(column->hierarchy, before, code) ==
           shoal_hierarchy_ancestor(column->hierarchy, lo, hi);
}

static bool slow_cut(slow_mondrian *m, const uint32_t *rows, size_t count, size_t c,
                     uint32_t *below)
{
    size_t best = SIZE_MAX;
    uint32_t lo = UINT32_MAX;
    uint32_t hi = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t code = shoal_i_quasi_code(m->quasi, c, rows[i]);

        lo = code < lo ? code : lo;
        hi = code > hi ? code : hi;
    }
    for (uint32_t cut = lo + 1; cut <= hi; cut++) {
        size_t left = 0;
        uint32_t before = 0;
        bool occurs = false;

        for (size_t i = 0; i < count; i++) {
            uint32_t code = shoal_i_quasi_code(m->quasi, c, rows[i]);

            left += code < cut;
            occurs |= code == cut;
            before = code < cut && code > before ? code : before;
        }
        size_t off = 2 * left > count ? 2 * left - count : count - 2 * left;

        if (occurs && left >= m->k && count - left >= m->k && off < best &&
            slow_may_cut(&m->quasi->columns[c], lo, hi, before, cut)) {
            best = off;
            *below = cut;
        }
    }
    return best != SIZE_MAX;
}

static void slow_split(slow_mondrian *m, const uint32_t *rows, size_t count)
{
    bool tried[RANDOM_COLUMNS_MAX] = {false};

    for (size_t round = 0; round < m->quasi->count; round++) {
        size_t widest = SIZE_MAX;
        double most = 0;

        for (size_t c = 0; c < m->quasi->count; c++) {
            uint32_t lo = UINT32_MAX;
            uint32_t hi = 0;

            for (size_t i = 0; i < count; i++) {
                uint32_t code = shoal_i_quasi_code(m->quasi, c, rows[i]);

                lo = code < lo ? code : lo;
                hi = code > hi ? code : hi;
            }
            double penalty =
                m->quasi->columns[c].weight * shoal_i_quasi_loss(&m->quasi->columns[c], lo, hi);

            if (!tried[c] && penalty > most) {
                most = penalty;
                widest = c;
            }
        }
        uint32_t below = 0;

        if (widest == SIZE_MAX) {
            break;
        }
        tried[widest] = true;
        if (slow_cut(m, rows, count, widest, &below)) {
            uint32_t sides[2][300];
            size_t sizes[2] = {0};

            for (size_t i = 0; i < count; i++) {
                int side = shoal_i_quasi_code(m->quasi, widest, rows[i]) >= below;

                sides[side][sizes[side]++] = rows[i];
            }
            slow_split(m, sides[0], sizes[0]);
            slow_split(m, sides[1], sizes[1]);
            return;
        }
    }
    for (size_t i = 0; i < count; i++) {
        m->group_of[rows[i]] = m->groups;
    }
    m->groups++;
}

static shoal_i_interval slow_interval(const slow_mondrian *m, size_t rows, uint32_t g, size_t c)
{
    uint32_t lo = UINT32_MAX;
    uint32_t hi = 0;

    for (size_t row = 0; row < rows; row++) {
        uint32_t code = shoal_i_quasi_code(m->quasi, c, row);

        if (m->group_of[row] == g) {
            lo = code < lo ? code : lo;
            hi = code > hi ? code : hi;
        }
    }
    return shoal_i_quasi_close(&m->quasi->columns[c], lo, hi);
}

/* Two records are in one class when their groups are released with equal boxes: a cut through a
 * flat column can leave "*" on both sides. */
static bool slow_same_class(const slow_mondrian *m, size_t rows, size_t i, size_t j)
{
    if (m->group_of[i] == m->group_of[j]) {
        return true;
    }
    for (size_t c = 0; c < m->quasi->count; c++) {
        shoal_i_interval a = slow_interval(m, rows, m->group_of[i], c);
        shoal_i_interval b = slow_interval(m, rows, m->group_of[j], c);

        if (a.lo != b.lo || a.hi != b.hi) {
            return false;
        }
    }
    return true;
}

static void test_mondrian_equals_slow(void **state)
{
    shoal_ctx *ctx = *state;

    for (uint64_t seed = 0; seed < 40; seed++) {
        size_t rows = 20 + seed * 3;
        random_table t = random_table_make(ctx, seed, rows, 1 + seed % 6, 3 + seed, false);
        slow_mondrian slow = {.quasi = t.quasi, .k = 2 + seed % 5};
        shoal_i_requirement_set set = want_k(ctx, slow.k);
        shoal_i_release *release = NULL;
        uint32_t all[300];

        for (uint32_t i = 0; i < rows; i++) {
            all[i] = i;
        }
        slow_split(&slow, all, rows);
        assert_int_equal(run_variant(ctx, &release, "mondrian", t.quasi, &set, NULL), SHOAL_OK);
        for (size_t i = 0; i < rows; i++) {
            for (size_t j = 0; j < i; j++) {
                assert_int_equal(slow_same_class(&slow, rows, i, j),
                                 release->box_of[i] == release->box_of[j]);
            }
        }
        shoal_i_release_free(release);
        random_table_free(&t);
    }
}

/* --- Regions. ----------------------------------------------------------------------------- */

static bool covers(shoal_i_interval outer, shoal_i_interval inner)
{
    return outer.lo <= inner.lo && inner.hi <= outer.hi;
}

/* How many boxes of a release have a point, given by its codes. */
static size_t count_boxes_around(const shoal_i_release *release, const uint32_t *point)
{
    size_t found = 0;

    for (size_t b = 0; b < release->box_count; b++) {
        bool is_inside = true;

        for (size_t c = 0; c < release->quasi->count; c++) {
            shoal_i_interval side = release->boxes[b * release->quasi->count + c];

            is_inside &= side.lo <= point[c] && point[c] <= side.hi;
        }
        found += is_inside;
    }
    return found;
}

/* The regions of numbers tile all that there could be: no point is in none, or in two. */
static void check_tiles(const shoal_i_release *release)
{
    const shoal_i_quasi *quasi = release->quasi;
    uint32_t point[RANDOM_COLUMNS_MAX] = {0};
    size_t c = 0;

    while (c < quasi->count) {
        assert_int_equal(count_boxes_around(release, point), 1);
        for (c = 0; c < quasi->count && ++point[c] == quasi->columns[c].value_count; c++) {
            point[c] = 0;
        }
    }
}

/* Region by region the classes are those of the smallest boxes, each around its records. With
 * hierarchies a box is closed to a node, so two of them may be one. */
static void check_regions(shoal_ctx *ctx, const random_table *t, size_t k, const char *cuts)
{
    char variant[64];
    shoal_i_requirement_set set = want_k(ctx, k);
    shoal_i_release *smallest = NULL;
    shoal_i_release *region = NULL;
    bool is_numeric = true;

    assert_int_equal(run_variant(ctx, &smallest, cuts, t->quasi, &set, NULL), SHOAL_OK);
    (void)snprintf(variant, sizeof variant, "%s,box=region", cuts);
    assert_int_equal(run_variant(ctx, &region, variant, t->quasi, &set, NULL), SHOAL_OK);
    for (size_t c = 0; c < t->quasi->count; c++) {
        is_numeric &= !t->quasi->columns[c].hierarchy;
        for (size_t row = 0; row < region->row_count; row++) {
            assert_true(covers(region->boxes[region->box_of[row] * t->quasi->count + c],
                               smallest->boxes[smallest->box_of[row] * t->quasi->count + c]));
        }
    }
    if (is_numeric) {
        assert_int_equal(region->box_count, smallest->box_count);
        check_tiles(region);
    }
    shoal_i_release_free(region);
    shoal_i_release_free(smallest);
}

static void test_regions(void **state)
{
    shoal_ctx *ctx = *state;
    size_t numeric = 0;

    for (uint64_t seed = 0; seed < 60; seed++) {
        random_table t =
            random_table_make(ctx, seed, 20 + seed * 3, 1 + seed % 3, 3 + seed % 9, false);

        check_regions(ctx, &t, 2 + seed % 5, "mondrian:mode=strict");
        check_regions(ctx, &t, 2 + seed % 5, "mondrian:cuts=children");
        numeric += !t.quasi->columns[0].hierarchy;
        random_table_free(&t);
    }
    assert_true(numeric > 5); /* else nothing was tiled */
}

static void test_regions_are_not_carved(void **state)
{
    shoal_ctx *ctx = *state;
    random_table t = random_table_make(ctx, 1, 30, 2, 9, false);
    shoal_i_requirement_set set = want_k(ctx, 2);
    shoal_i_release *release = NULL;

    assert_int_equal(
        run_variant(ctx, &release, "mondrian:finish=carve,box=region", t.quasi, &set, NULL),
        SHOAL_EINVAL);
    assert_non_null(strstr(shoal_ctx_error(ctx)->message, "box=region"));
    random_table_free(&t);
}

/* XU, figure 1: (age, zip) of six records, k = 3. Local recoding may do as well as {1,2,3},
 * {4,5,6}. */
static void test_xu_figure_1(void **state)
{
    shoal_ctx *ctx = *state;
    const int64_t age[] = {24, 25, 30, 30, 32, 32};
    const int64_t zip[] = {53712, 53711, 53711, 53711, 53712, 53713};
    const shoal_array arrays[] = {
        {.name = "age", .kind = SHOAL_ARRAY_INT64, .length = 6, .data = age},
        {.name = "zip", .kind = SHOAL_ARRAY_INT64, .length = 6, .data = zip},
    };
    shoal_i_quasi_request requests[] = {{.column = 0, .weight = 1}, {.column = 1, .weight = 1}};
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_release *release = NULL;
    shoal_i_requirement_set set = want_k(ctx, 3);

    assert_int_equal(shoal_table_from_arrays(ctx, &table, arrays, 2), SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(ctx, &quasi, table, requests, 2), SHOAL_OK);
    double local = 3 * slow_ncp(quasi, (uint32_t[]){0, 1, 2}, 3) +
                   3 * slow_ncp(quasi, (uint32_t[]){3, 4, 5}, 3);
    double global = 3 * slow_ncp(quasi, (uint32_t[]){0, 4, 5}, 3) +
                    3 * slow_ncp(quasi, (uint32_t[]){1, 2, 3}, 3);
    double found = 0;

    assert_int_equal(run_variant(ctx, &release, "topdown", quasi, &set, NULL), SHOAL_OK);
    for (uint32_t b = 0; b < release->box_count; b++) {
        uint32_t members[6];
        size_t count = 0;

        for (uint32_t row = 0; row < 6; row++) {
            if (release->box_of[row] == b) {
                members[count++] = row;
            }
        }
        found += (double)count * slow_ncp(quasi, members, count);
    }
    assert_true(global < local);
    assert_true(found <= local);
    shoal_i_release_free(release);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
}

static void test_parse(void **state)
{
    shoal_ctx *ctx = *state;
    const shoal_i_method *method = NULL;
    shoal_i_method_settings settings;
    const char *bad[][2] = {
        {"topdwn", "did you mean 'topdown'"},
        {"", "There is no method ''"},
        {"topdown:round=3", "did you mean 'rounds'"},
        {"topdown:rounds", "key=value"},
        {"topdown:rounds=0", "from 1 to 6"},
        {"topdown:rounds=x", "from 1 to 6"},
        {"mondrian:mode=strct", "did you mean 'strict'"},
    };

    assert_int_equal(shoal_i_method_parse(ctx, &method, &settings, "mondrian:mode=relaxed"),
                     SHOAL_OK);
    assert_ptr_equal(method, &shoal_i_mondrian);
    assert_true(settings.values[0] == 1 && settings.values[1] == 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(shoal_i_method_parse(ctx, &method, &settings, bad[i][0]),
                         SHOAL_EINVAL);
        assert_non_null(strstr(ctx->error.message, bad[i][1]));
    }
}

/* A cancelled run ends with nothing left behind. */
static void test_cancel(void **state)
{
    shoal_ctx *ctx = *state;
    random_table t = random_table_make(ctx, 1, 20000, 3, 30, false);
    shoal_i_requirement_set set = want_k(ctx, 3);
    int cancel = 1;

    ctx->cancel = &cancel;
    for (size_t i = 0; i < VARIANTS; i++) {
        shoal_i_release *release = NULL;

        assert_int_equal(run_variant(ctx, &release, variants[i], t.quasi, &set, NULL),
                         SHOAL_ECANCELLED);
        assert_null(release);
    }
    ctx->cancel = NULL;
    random_table_free(&t);
}

typedef struct failing_run {
    const char *variant;
    const shoal_i_quasi *quasi;
    shoal_i_requirement_set set;
} failing_run;

static shoal_status run_and_free(shoal_ctx *ctx, void *payload)
{
    failing_run *run = payload;
    shoal_i_release *release = NULL;
    shoal_status st = run_variant(ctx, &release, run->variant, run->quasi, &run->set, NULL);

    assert_true((st == SHOAL_OK) == (release != NULL));
    shoal_i_release_free(release);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_ctx *ctx = *state;
    random_table t = random_table_make(ctx, 4, 60, 5, 9, true);

    for (size_t i = 0; i < VARIANTS; i++) {
        failing_run run = {.variant = variants[i], .quasi = t.quasi, .set = want_k(ctx, 4)};

        if (strcmp(variants[i], "best") == 0) {
            /* thousands of allocations, each after a search: test_starts.c, with a time */
            continue;
        }
        assert_survives_failing_allocations(ctx, run_and_free, &run);
    }
    random_table_free(&t);
}

/* A pattern of names as argument runs those tests only. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method_on_random_tables),
        cmocka_unit_test(test_personal_k),
        cmocka_unit_test(test_equal_records_cost_nothing),
        cmocka_unit_test(test_outliers_do_not_cost_the_many),
        cmocka_unit_test(test_suppression),
        cmocka_unit_test(test_suppression_limit),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_mondrian_equals_slow),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_regions_are_not_carved),
        cmocka_unit_test(test_xu_figure_1),
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_failing_allocations),
    };

    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, open_context, close_context);
}
