/* Buckets: Anatomy's own against a naive version of its rule, and what every method by buckets
 * promises, on random tables under random requirements. */
#include "method_case.h"

#include "release/buckets.h"

#define TABLES 40

/* What every release by buckets must be: points for boxes, each record in its own, every bucket
 * meeting the requirement. */
static void check_buckets(shoal_ctx *ctx, const method_case *m, const shoal_i_release *release)
{
    size_t width = m->quasi->count;
    uint32_t members[CASE_ROWS_MAX];

    assert_int_equal(release->shape, SHOAL_I_SHAPE_BUCKETS);
    assert_int_equal(release->row_count, m->problem.row_count);
    for (size_t row = 0; row < release->row_count; row++) {
        for (size_t c = 0; c < width; c++) {
            shoal_i_interval interval = release->boxes[release->box_of[row] * width + c];

            assert_int_equal(interval.lo, interval.hi);
            assert_int_equal(interval.lo, shoal_i_quasi_code(m->quasi, c, row));
        }
        assert_true(release->bucket_of[row] < release->bucket_count);
    }
    for (uint32_t b = 0; b < release->bucket_count; b++) {
        size_t size = 0;

        for (uint32_t row = 0; row < release->row_count; row++) {
            if (release->bucket_of[row] == b) {
                members[size++] = row;
            }
        }
        assert_true(size > 0);
        assert_true(slow_holds(ctx, m, members, size));
    }
}

/* Every kind of requirement, both methods. Those that the whole table fails are refused. */
static void test_random(void **state)
{
    static const char *const variants[] = {"anatomy", "bucketize", "bucketize:from=topdown",
                                           "bucketize:from=incognito"};
    size_t made = 0;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    for (uint64_t seed = 1; seed <= TABLES; seed++) {
        for (size_t kind = 0; kind < CASE_KINDS; kind++) {
            const char *variant = variants[(seed + kind) % 4];
            method_case m;
            shoal_i_release *release = NULL;

            method_case_make(&ctx, &m, seed * 100 + kind, 3 + seed * 7 % 90, 1 + seed % 3,
                             2 + seed % 6, case_kinds[kind]);
            shoal_status st = method_case_run(&ctx, &release, &m, variant);

            if (st == SHOAL_OK) {
                check_buckets(&ctx, &m, release);
                made++;
            } else if (!(case_kinds[kind]->needs_sensitive) && st == SHOAL_EINVAL) {
                assert_string_equal(variant, "anatomy"); /* nothing to be diverse by */
            } else {
                assert_int_equal(st, SHOAL_EUNSATISFIABLE);
            }
            shoal_i_release_free(release);
            method_case_free(&m);
        }
    }
    assert_true(made > TABLES * CASE_KINDS / 3);
    shoal_i_ctx_clear(&ctx);
}

/* --- The rule of the paper, done slowly: sort the piles anew for each bucket. */

static int compare_down(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x < y) - (x > y);
}

/* How many buckets the rule draws, and how many records it leaves over. */
static void draw_slowly(const uint32_t *totals, size_t values, size_t l, size_t *buckets,
                        size_t *left)
{
    uint32_t piles[64];

    assert_true(values <= 64);
    memcpy(piles, totals, values * sizeof *piles);
    *buckets = 0;
    *left = 0;
    for (;;) {
        qsort(piles, values, sizeof *piles, compare_down);
        if (values < l || piles[l - 1] == 0) {
            break;
        }
        for (size_t i = 0; i < l; i++) {
            piles[i]--;
        }
        (*buckets)++;
    }
    for (size_t i = 0; i < values; i++) {
        *left += piles[i];
    }
}

/* Where n / l is at least the largest pile and l is whole: as many buckets as the rule draws,
 * each value at most once in those of l records, those that took up a record larger. */
static void check_against_rule(const method_case *m, const shoal_i_release *release, size_t l)
{
    size_t buckets = 0;
    size_t left = 0;
    size_t extra = 0;

    draw_slowly(m->sensitive[0].totals, m->sensitive[0].value_count, l, &buckets, &left);
    assert_true(left < l); /* the paper's property 1 */
    assert_int_equal(release->bucket_count, buckets);
    for (uint32_t b = 0; b < release->bucket_count; b++) {
        uint32_t counts[64] = {0};
        uint32_t most = 0;
        size_t size = 0;

        for (size_t row = 0; row < release->row_count; row++) {
            if (release->bucket_of[row] == b) {
                uint32_t count = ++counts[m->sensitive[0].codes[row]];

                most = count > most ? count : most;
                size++;
            }
        }
        assert_int_equal(most, 1);
        assert_true(size >= l);
        extra += size - l;
    }
    assert_int_equal(extra, left);
}

/* A share of at most 1 in l, asked for as such or as alpha; different values do not ask for
 * that, but get it where it can be had. */
static void test_rule_of_the_paper(void **state)
{
    static const shoal_i_requirement_kind *const kinds[] = {
        &shoal_i_l_frequency, &shoal_i_alpha_general, &shoal_i_l_distinct};
    size_t eligible = 0;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        size_t l = 2 + seed % 7;
        method_case m;
        shoal_i_release *release = NULL;

        method_case_make(&ctx, &m, seed, 10 + (seed + seed / 7) % 150, 2, 12,
                         &shoal_i_l_frequency); /* of each l, odd and even numbers */
        shoal_i_requirement_set_clear(&m.set);
        shoal_i_requirement item = {
            .kind = kinds[seed % 3],
            .value = kinds[seed % 3] == &shoal_i_alpha_general ? 1 / (double)l : (double)l,
            .column = &m.sensitive[0]};

        assert_int_equal(shoal_i_requirement_add_item(&ctx, &m.set, &item), SHOAL_OK);
        uint32_t largest =
            m.sensitive[0].totals[shoal_i_sensitive_most_frequent(&m.sensitive[0])];
        bool is_eligible = largest * l <= m.problem.row_count;
        shoal_status st = method_case_run(&ctx, &release, &m, "anatomy");

        if (is_eligible || item.kind != &shoal_i_l_distinct) {
            assert_int_equal(st, is_eligible ? SHOAL_OK : SHOAL_EUNSATISFIABLE);
        }
        if (is_eligible) {
            check_buckets(&ctx, &m, release);
            check_against_rule(&m, release, l);
            eligible++;
        }
        shoal_i_release_free(release);
        method_case_free(&m);
    }
    assert_true(eligible > 40);
    shoal_i_ctx_clear(&ctx);
}

/* --- Numbers and orders. */

static void assert_same_buckets(const shoal_i_release *a, const shoal_i_release *b)
{
    assert_int_equal(a->bucket_count, b->bucket_count);
    assert_memory_equal(a->bucket_of, b->bucket_of, a->row_count * sizeof *a->bucket_of);
}

/* The seed of the run is known to readers: it decides nothing. A test's own decides all, and
 * the release says so. */
static void test_seeds(void **state)
{
    shoal_ctx ctx;
    method_case m;
    shoal_i_release *first = NULL;
    shoal_i_release *again = NULL;
    shoal_i_release *other = NULL;
    shoal_i_release *drawn[2] = {NULL};

    (void)state;
    shoal_i_ctx_init(&ctx);
    method_case_make(&ctx, &m, 4, 500, 3, 9, &shoal_i_l_distinct);
    ctx.threads = 1;
    assert_int_equal(method_case_run(&ctx, &first, &m, "anatomy:test_seed=5"), SHOAL_OK);
    assert_true(first->is_test_seeded);
    ctx.threads = 4;
    assert_int_equal(method_case_run(&ctx, &again, &m, "anatomy:test_seed=5"), SHOAL_OK);
    assert_same_buckets(first, again);
    assert_int_equal(method_case_run(&ctx, &other, &m, "anatomy:test_seed=6"), SHOAL_OK);
    assert_memory_not_equal(first->bucket_of, other->bucket_of,
                            first->row_count * sizeof *first->bucket_of);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(method_case_run(&ctx, &drawn[i], &m, "anatomy"), SHOAL_OK);
        assert_false(drawn[i]->is_test_seeded);
    }
    assert_memory_not_equal(drawn[0]->bucket_of, drawn[1]->bucket_of,
                            first->row_count * sizeof *first->bucket_of);
    shoal_i_release_free(drawn[0]);
    shoal_i_release_free(drawn[1]);
    shoal_i_release_free(first);
    shoal_i_release_free(again);
    shoal_i_release_free(other);
    method_case_free(&m);
    shoal_i_ctx_clear(&ctx);
}

/* However a method numbered its buckets, they are published by the same numbers. */
static void test_numbers(void **state)
{
    shoal_role roles[RANDOM_COLUMNS_MAX] = {SHOAL_ROLE_QUASI, SHOAL_ROLE_QUASI,
                                            SHOAL_ROLE_SENSITIVE};
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        method_case m;
        shoal_i_release *a = NULL;
        shoal_i_release *b = NULL;
        uint32_t names[CASE_ROWS_MAX];
        uint32_t renamed[CASE_ROWS_MAX];

        method_case_make(&ctx, &m, seed, 60, 2, 3, &shoal_i_k_anonymity);
        for (size_t i = 0; i < 15; i++) {
            size_t j = (size_t)shoal_i_random_below(&random, i + 1);

            names[i] = names[j];
            names[j] = (uint32_t)i;
        }
        for (size_t row = 0; row < 60; row++) {
            renamed[row] = names[row % 15];
        }
        uint32_t plain[60];

        for (size_t row = 0; row < 60; row++) {
            plain[row] = (uint32_t)(row % 15);
        }
        assert_int_equal(shoal_i_release_from_buckets(&ctx, &a, m.quasi, plain, 15), SHOAL_OK);
        assert_int_equal(shoal_i_release_from_buckets(&ctx, &b, m.quasi, renamed, 15),
                         SHOAL_OK);
        assert_int_equal(shoal_i_buckets_number(&ctx, a, roles), SHOAL_OK);
        assert_int_equal(shoal_i_buckets_number(&ctx, b, roles), SHOAL_OK);
        /* Buckets that are equal in all that is published may change places. */
        for (size_t row = 0; row < 60; row++) {
            if (a->bucket_of[row] != b->bucket_of[row]) {
                for (size_t i = 0; i < 4; i++) {
                    size_t x = 0;
                    size_t y = 0;

                    for (size_t other = 0; other < 60; other++) {
                        uint32_t box = a->box_of[row % 15 + 15 * i];

                        x +=
                            a->bucket_of[other] == a->bucket_of[row] && a->box_of[other] == box;
                        y +=
                            a->bucket_of[other] == b->bucket_of[row] && a->box_of[other] == box;
                    }
                    assert_int_equal(x, y);
                }
            }
        }
        shoal_i_release_free(a);
        shoal_i_release_free(b);
        method_case_free(&m);
    }
    shoal_i_ctx_clear(&ctx);
}

/* --- Limits. */

/* Every option word names the method by classes that it stands for, and none is forgotten. */
static void test_inner_methods(void **state)
{
    const char *const *words = shoal_i_bucketize.options[0].words;
    size_t count = 0;
    size_t by_classes = 0;

    (void)state;
    for (; words[count]; count++) {
        shoal_i_method_settings settings = {.values = {(double)count}};

        assert_string_equal(words[count], shoal_i_bucketize.find_inner(&settings)->name);
        assert_int_equal(shoal_i_method_find(words[count])->shape, SHOAL_I_SHAPE_CLASSES);
    }
    for (size_t i = 0; shoal_i_methods[i]; i++) {
        by_classes += shoal_i_methods[i]->shape == SHOAL_I_SHAPE_CLASSES;
    }
    assert_int_equal(count, by_classes);
    assert_string_equal(words[0], "mondrian");
}

typedef struct failing_case {
    const method_case *m;
    const char *variant;
} failing_case;

static shoal_status run_again(shoal_ctx *ctx, void *payload)
{
    const failing_case *f = payload;
    shoal_role roles[RANDOM_COLUMNS_MAX] = {SHOAL_ROLE_QUASI, SHOAL_ROLE_INSENSITIVE,
                                            SHOAL_ROLE_SENSITIVE};
    shoal_i_release *release = NULL;
    shoal_status st = method_case_run(ctx, &release, f->m, f->variant);

    if (st == SHOAL_OK) {
        st = shoal_i_buckets_number(ctx, release, roles);
    }
    shoal_i_release_free(release);
    return st;
}

static void test_failing_allocations(void **state)
{
    static const shoal_i_requirement_kind *const kinds[] = {&shoal_i_l_distinct, &shoal_i_t_js};
    static const char *const variants[] = {"anatomy", "bucketize"};
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    for (size_t i = 0; i < 4; i++) {
        method_case m;

        method_case_make(&ctx, &m, 8, 40, 2, 4, kinds[i / 2]);
        assert_survives_failing_allocations(
            &ctx, run_again, &(failing_case){.m = &m, .variant = variants[i % 2]});
        method_case_free(&m);
    }
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),        cmocka_unit_test(test_rule_of_the_paper),
        cmocka_unit_test(test_seeds),         cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_inner_methods), cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
