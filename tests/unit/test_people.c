/* People of a population in the boxes of a table, and classes merged until enough fall into
 * each. Tables that lack values of their population: tests/property/random_populations.py. */
#include "failing.h"
#include "method/finish/gather.h"
#include "random_table.h"

#define ROWS 80

static uint64_t count_slowly(const shoal_i_quasi *quasi, const shoal_i_interval *box)
{
    uint64_t count = 0;

    for (size_t row = 0; row < shoal_table_row_count(quasi->table); row++) {
        bool is_inside = true;

        for (size_t c = 0; c < quasi->count; c++) {
            uint32_t code = shoal_i_quasi_code(quasi, c, row);

            is_inside = is_inside && code >= box[c].lo && code <= box[c].hi;
        }
        count += is_inside;
    }
    return count;
}

static void draw_box(shoal_i_random *random, shoal_i_interval *box, const shoal_i_quasi *quasi)
{
    for (size_t c = 0; c < quasi->count; c++) {
        const shoal_i_quasi_column *column = &quasi->columns[c];
        uint32_t a = (uint32_t)shoal_i_random_below(random, column->value_count);
        uint32_t b = (uint32_t)shoal_i_random_below(random, column->value_count);

        box[c] = shoal_i_quasi_close(column, a < b ? a : b, a < b ? b : a);
    }
}

/* A table that is its own population. */
static void test_counts_equal_the_slow_ones(void **state)
{
    shoal_i_interval box[RANDOM_COLUMNS_MAX];
    shoal_i_interval scratch[RANDOM_COLUMNS_MAX];
    shoal_ctx ctx;
    size_t inhabited = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        random_table t = random_table_make(&ctx, seed, 1 + (size_t)(seed * 37 % 700),
                                           1 + (size_t)(seed % 5), 40, seed % 3 == 0);
        shoal_i_people *people = NULL;

        assert_int_equal(shoal_i_people_build(&ctx, &people, t.quasi, t.quasi, NULL), SHOAL_OK);
        for (size_t i = 0; i < 50; i++) {
            draw_box(&random, box, t.quasi);
            uint64_t count = shoal_i_people_count(people, box, scratch);

            assert_int_equal(count, count_slowly(t.quasi, box));
            inhabited += count > 0;
        }
        shoal_i_people_free(people);
        random_table_free(&t);
    }
    assert_true(inhabited > 500);
    shoal_i_ctx_clear(&ctx);
}

typedef struct gather_case {
    random_table table;
    shoal_i_tally_source source;
    shoal_i_people *people;
    shoal_i_requirement_set set;
    shoal_i_problem problem;
} gather_case;

/* k-map by the table itself is k-anonymity of boxes instead of classes. */
static void gather_case_make(shoal_ctx *ctx, gather_case *g, uint64_t seed, double k)
{
    g->table = random_table_make(ctx, seed, ROWS, 3, 9, false);
    assert_int_equal(
        shoal_i_people_build(ctx, &g->people, g->table.quasi, g->table.quasi, NULL), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(ctx, &g->set, &shoal_i_k_map, k), SHOAL_OK);
    assert_int_equal(shoal_i_tally_source_init(ctx, &g->source, &g->set, NULL, 0, NULL, ROWS),
                     SHOAL_OK);
    g->problem = (shoal_i_problem){.quasi = g->table.quasi,
                                   .row_count = ROWS,
                                   .requirements = &g->set,
                                   .source = &g->source,
                                   .people = g->people,
                                   .seed = seed};
}

static void gather_case_clear(gather_case *g)
{
    shoal_i_people_free(g->people);
    shoal_i_requirement_set_clear(&g->set);
    shoal_i_tally_source_clear(&g->source);
    random_table_free(&g->table);
}

static shoal_status run_gather(shoal_ctx *ctx, void *payload)
{
    const gather_case *g = payload;
    shoal_i_method_settings settings = {0};
    shoal_i_release *release = NULL;
    shoal_status st =
        shoal_i_method_run(ctx, &release, &shoal_i_mondrian, &g->problem, &settings);

    assert_true((st == SHOAL_OK) == (release != NULL));
    for (size_t b = 0; release && b < release->box_count; b++) {
        assert_true(
            (double)count_slowly(release->quasi, release->boxes + b * release->quasi->count) >=
            g->set.items[0].value);
    }
    shoal_i_release_free(release);
    return st;
}

static void test_every_box_has_its_people(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        gather_case g = {0};

        gather_case_make(&ctx, &g, seed, (double)(1 + seed % 12));
        assert_int_equal(run_gather(&ctx, &g), SHOAL_OK);
        gather_case_clear(&g);
    }
    shoal_i_ctx_clear(&ctx);
}

static void test_allocation_failures(void **state)
{
    shoal_ctx ctx;
    gather_case g = {0};

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    gather_case_make(&ctx, &g, 3, 7);
    assert_survives_failing_allocations(&ctx, run_gather, &g);
    gather_case_clear(&g);
    shoal_i_ctx_clear(&ctx);
}

/* Classes that do not hold take turns in merging: of points on a line, each a class, pairs come
 * first, then two pairs, and the third pair has only these to go to. Worked out by hand, for
 * classes of 3. */
static void test_classes_take_turns(void **state)
{
    const int64_t x[] = {0, 10, 19, 30, 41, 50};
    const shoal_array array = {.name = "x", .kind = SHOAL_ARRAY_INT64, .length = 6, .data = x};
    const shoal_i_quasi_request request = {.column = 0, .weight = 1};
    shoal_i_interval boxes[6];
    shoal_ctx ctx;
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_requirement_set set = {0};
    shoal_i_tally_source source = {0};
    shoal_i_release *release = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    for (uint32_t i = 0; i < 6; i++) {
        boxes[i] = (shoal_i_interval){i, i};
    }
    assert_int_equal(shoal_table_from_arrays(&ctx, &table, &array, 1), SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(&ctx, &quasi, table, &request, 1), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(&ctx, &set, &shoal_i_k_anonymity, 3), SHOAL_OK);
    assert_int_equal(shoal_i_tally_source_init(&ctx, &source, &set, NULL, 0, NULL, 6),
                     SHOAL_OK);
    const shoal_i_problem problem = {
        .quasi = quasi, .row_count = 6, .requirements = &set, .source = &source};

    assert_int_equal(shoal_i_release_from_boxes(&ctx, &release, quasi, boxes, 6), SHOAL_OK);
    assert_int_equal(release->box_count, 6);
    assert_int_equal(shoal_i_gather(&ctx, &release, &problem), SHOAL_OK);
    assert_int_equal(release->box_count, 1);
    assert_int_equal(release->boxes[0].lo, 0);
    assert_int_equal(release->boxes[0].hi, 5);
    shoal_i_release_free(release);
    shoal_i_tally_source_clear(&source);
    shoal_i_requirement_set_clear(&set);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes_take_turns),
        cmocka_unit_test(test_counts_equal_the_slow_ones),
        cmocka_unit_test(test_every_box_has_its_people),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
