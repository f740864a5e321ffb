/* The order of the input does not show in a release, whatever method and shape: a table and the
 * same table shuffled give the same bytes. And the order that methods see is the one that is
 * promised. */
#include "illness_case.h"

#include "method/problem/canonical_order.h"

#include <math.h>

/* --- Files. ----------------------------------------------------------------------------- */

/* Write the lines of the input behind its header in another order. */
static void shuffle_file(const char *from, const char *to, shoal_i_random *random)
{
    size_t size = 0;
    char *bytes = read_file(from, &size);
    char *lines[1000];
    size_t count = 0;
    FILE *file = fopen(to, "wb");

    bytes[size] = '\0';
    char *rest = NULL;

    for (char *line = strtok_r(bytes, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        assert_true(count < sizeof lines / sizeof *lines);
        lines[count++] = line;
    }
    for (size_t i = count - 1; i > 1; i--) {
        size_t j = 1 + (size_t)shoal_i_random_below(random, i);
        char *line = lines[i];

        lines[i] = lines[j];
        lines[j] = line;
    }
    for (size_t i = 0; i < count; i++) {
        fprintf(file, "%s\n", lines[i]);
    }
    fclose(file);
    free(bytes);
}

static void assert_shuffling_is_nothing(fixture *f, shoal_i_random *random, bool in_two)
{
    char shuffled[128];
    char tables[2][128];
    shoal_report *report = NULL;
    shoal_status st = shoal_anonymize(&f->ctx, &report, f->spec, f->input, f->whole);

    snprintf(shuffled, sizeof shuffled, "%s/shuffled.csv", f->folder);
    snprintf(tables[0], sizeof tables[0], "%s/whole.sensitive.csv", f->folder);
    snprintf(tables[1], sizeof tables[1], "%s/out.sensitive.csv", f->folder);
    shoal_report_free(report);
    for (int i = 0; i < 3; i++) {
        shuffle_file(f->input, shuffled, random);
        assert_int_equal(shoal_anonymize(&f->ctx, &report, f->spec, shuffled, f->output), st);
        shoal_report_free(report);
        if (st == SHOAL_OK) {
            assert_same_bytes(f->whole, f->output);
        }
        if (st == SHOAL_OK && in_two) {
            assert_same_bytes(tables[0], tables[1]);
        }
    }
    unlink(shuffled);
    unlink(tables[0]);
    unlink(tables[1]);
}

static void test_shuffled_input_gives_the_same_bytes(void **state)
{
    static const char *const methods[] = {
        "best:effort=fast",
        "topdown",
        "bottomup",
        "mondrian",
        "hilbert",
        "mondrian:mode=relaxed",
        "mondrian:finish=carve",
        "cluster",
        "specialize",
        "incognito",
        "bucketize",
        "anatomy:test_seed=1",
    };
    fixture *f = *state;

    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        bool in_two =
            strcmp(methods[m], "bucketize") == 0 || strncmp(methods[m], "anatomy", 7) == 0;

        for (uint64_t seed = 1; seed <= 6; seed++) {
            shoal_i_random random = shoal_i_random_start(20 * m + seed);

            write_ill(f, &random, 30 + (size_t)shoal_i_random_below(&random, 250));
            ask_ill(f, requirements[seed % 2], "3");
            set(f, "method", methods[m]);
            if (seed == 3 && !in_two) {
                set(f, "suppress", "0.1");
            }
            if (seed == 4) {
                set(f, "privacy.k.column", "own");
            }
            assert_shuffling_is_nothing(f, &random, in_two);
        }
    }
}

/* Hash tables are made by a secret of the context; no byte of a release depends on it. */
static void test_other_secrets_give_the_same_bytes(void **state)
{
    static const char *const methods[] = {"best:effort=fast", "topdown",
                                          "incognito",        "specialize",
                                          "mondrian",         "anatomy:test_seed=1"};
    fixture *f = *state;

    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        shoal_i_random random = shoal_i_random_start(m);
        shoal_report *report = NULL;

        write_ill(f, &random, 200);
        ask_ill(f, requirements[m % 2], "2");
        set(f, "method", methods[m]);
        assert_int_equal(shoal_anonymize(&f->ctx, &report, f->spec, f->input, f->whole),
                         SHOAL_OK);
        shoal_report_free(report);
        for (int i = 0; i < 3; i++) {
            for (size_t w = 0; w < 6; w++) {
                f->ctx.hash_key.words[w] = i == 0 ? 1 : shoal_i_random_u64(&random);
            }
            assert_int_equal(shoal_anonymize(&f->ctx, &report, f->spec, f->input, f->output),
                             SHOAL_OK);
            shoal_report_free(report);
            assert_same_bytes(f->whole, f->output);
        }
    }
    char path[128];

    snprintf(path, sizeof path, "%s/whole.sensitive.csv", f->folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/out.sensitive.csv", f->folder);
    unlink(path);
}

/* A box per record: who carries whose values is drawn anew in each run, so none has any. */
static void test_shuffled_boxes(void **state)
{
    fixture *f = *state;

    for (uint64_t seed = 1; seed <= 5; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);

        write_ill(f, &random, 150);
        shoal_spec_free(f->spec);
        assert_int_equal(shoal_spec_new(&f->ctx, &f->spec), SHOAL_OK);
        set_role(f, "age", SHOAL_ROLE_QUASI);
        set_role(f, "town", SHOAL_ROLE_QUASI);
        set_role(f, "zip", SHOAL_ROLE_QUASI);
        set_role(f, "ill", SHOAL_ROLE_IDENTIFIER);
        set_role(f, "own", SHOAL_ROLE_IDENTIFIER);
        set(f, "privacy.k", "4");
        set(f, "method", "nonhomogeneous");
        assert_shuffling_is_nothing(f, &random, false);
    }
}

/* --- The order. ------------------------------------------------------------------------- */

/* Below 0, 0 or above: two records of a problem by their quasi columns. */
static int compare_known(const shoal_i_problem *p, size_t a, size_t b)
{
    for (size_t c = 0; c < p->quasi->count; c++) {
        uint32_t x = shoal_i_quasi_code(p->quasi, c, a);
        uint32_t y = shoal_i_quasi_code(p->quasi, c, b);

        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}

/* By what else they say. */
static int compare_rest(const shoal_i_problem *p, size_t a, size_t b)
{
    for (size_t i = 0; i < p->source->active_count; i++) {
        uint32_t x = p->source->active[i].codes[a];
        uint32_t y = p->source->active[i].codes[b];

        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    for (size_t c = 0; c < shoal_table_column_count(p->quasi->table); c++) {
        uint32_t x = shoal_table_code(p->quasi->table, c, a);
        uint32_t y = shoal_table_code(p->quasi->table, c, b);

        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}

/* How often neighbours that agree in what is known stand by what else they say, and how often
 * they stand the other way round. */
typedef struct leanings {
    size_t up;
    size_t down;
} leanings;

static void check_order(shoal_ctx *ctx, const shoal_i_problem *problem, leanings *leaning)
{
    shoal_i_canonical canonical = {0};
    size_t count = problem->row_count;
    bool *is_seen = calloc(count, sizeof *is_seen);

    assert_int_equal(shoal_i_canonical_init(ctx, &canonical, problem, false), SHOAL_OK);
    for (size_t i = 0; i < count; i++) {
        size_t record = canonical.order ? canonical.order[i] : i;

        assert_false(is_seen[record]);
        is_seen[record] = true;
        for (size_t c = 0; c < problem->quasi->count; c++) {
            assert_int_equal(shoal_i_quasi_code(canonical.problem.quasi, c, i),
                             shoal_i_quasi_code(problem->quasi, c, record));
        }
        for (size_t a = 0; a < problem->source->active_count; a++) {
            assert_int_equal(canonical.problem.source->active[a].codes[i],
                             problem->source->active[a].codes[record]);
        }
        if (i > 0) {
            size_t before = canonical.order ? canonical.order[i - 1] : i - 1;

            int known = compare_known(problem, before, record);

            assert_true(known <= 0);
            leaning->up += known == 0 && compare_rest(problem, before, record) < 0;
            leaning->down += known == 0 && compare_rest(problem, before, record) > 0;
        }
    }
    shoal_i_canonical_clear(&canonical);
    free(is_seen);
}

/* Many columns and values, so that a key takes several words; and few: most are equal. */
static void test_the_order_is_sorted(void **state)
{
    fixture *f = *state;
    leanings leaning = {0};

    for (uint64_t seed = 1; seed <= 40; seed++) {
        shoal_i_random random = shoal_i_random_start(seed);
        size_t columns = 1 + (size_t)shoal_i_random_below(&random, 6);
        uint64_t values = seed % 2 ? 3 : 100000;
        /* 8 and 9: several chunks, of which the last is not full. */
        size_t rows = seed == 7 ? 1
                      : seed == 8 || seed == 9
                          ? 140000
                          : 2 + (size_t)shoal_i_random_below(&random, 3000);
        int32_t *data = calloc(columns * rows, sizeof *data);
        shoal_array arrays[6] = {{0}};
        char names[6][2];
        shoal_table *table = NULL;
        shoal_i_quasi *quasi = NULL;
        shoal_i_quasi_request requests[6] = {{0}};
        size_t quasi_count = 1 + (size_t)shoal_i_random_below(&random, columns);
        shoal_i_requirement_set set = {0};
        shoal_i_tally_source source = {0};
        uint32_t *own = calloc(rows, sizeof *own);

        for (size_t c = 0; c < columns; c++) {
            for (size_t i = 0; i < rows; i++) {
                data[c * rows + i] = (int32_t)shoal_i_random_below(&random, values);
            }
            snprintf(names[c], sizeof names[c], "%c", (int)('a' + c));
            arrays[c] = (shoal_array){.name = names[c],
                                      .kind = SHOAL_ARRAY_INT32,
                                      .length = rows,
                                      .data = data + c * rows};
            requests[c] = (shoal_i_quasi_request){.column = columns - 1 - c, .weight = 1};
        }
        for (size_t i = 0; i < rows; i++) {
            own[i] = 1 + (uint32_t)shoal_i_random_below(&random, 3);
        }
        assert_int_equal(shoal_table_from_arrays(&f->ctx, &table, arrays, columns), SHOAL_OK);
        assert_int_equal(shoal_i_quasi_build(&f->ctx, &quasi, table, requests, quasi_count),
                         SHOAL_OK);
        assert_int_equal(shoal_i_requirement_add(&f->ctx, &set, &shoal_i_personal_k, 0),
                         SHOAL_OK);
        assert_int_equal(shoal_i_tally_source_init(&f->ctx, &source, &set, NULL, 0,
                                                   seed % 3 ? own : NULL, rows),
                         SHOAL_OK);
        shoal_i_problem problem = {.quasi = quasi,
                                   .row_count = rows,
                                   .requirements = &set,
                                   .source = &source,
                                   .seed = 1};

        check_order(&f->ctx, &problem, &leaning);
        shoal_i_tally_source_clear(&source);
        shoal_i_requirement_set_clear(&set);
        shoal_i_quasi_free(quasi);
        shoal_table_free(table);
        free(data);
        free(own);
    }
    /* Half and half: seven standard deviations, and the draws are the same in every run. */
    double pairs = (double)(leaning.up + leaning.down);

    assert_true(pairs > 10000);
    assert_true(fabs((double)leaning.up - pairs / 2) < 7 * sqrt(pairs) / 2);
}

/* Records that agree in all known columns but one, whichever it is, of so many with so many
 * values that a key takes several words. */
static void test_records_that_differ_in_one_column(void **state)
{
    enum { COLUMNS = 6, VALUES = 9000, ALIKE = 100, ROWS = VALUES + COLUMNS * ALIKE };
    fixture *f = *state;
    static int32_t data[COLUMNS][ROWS];
    static const char *const names[COLUMNS] = {"a", "b", "c", "d", "e", "f"};
    shoal_i_random random = shoal_i_random_start(9);
    shoal_array arrays[COLUMNS];
    shoal_i_quasi_request requests[COLUMNS];
    shoal_i_requirement_set set = {0};
    shoal_i_tally_source source = {0};
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    leanings leaning = {0};

    for (size_t c = 0; c < COLUMNS; c++) {
        for (size_t i = 0; i < ROWS; i++) {
            bool differs = i >= VALUES && (i - VALUES) / ALIKE == c;

            data[c][i] = i < VALUES ? (int32_t)i
                         : differs  ? (int32_t)shoal_i_random_below(&random, VALUES)
                                    : 0;
        }
        arrays[c] = (shoal_array){
            .name = names[c], .kind = SHOAL_ARRAY_INT32, .length = ROWS, .data = data[c]};
        requests[c] = (shoal_i_quasi_request){.column = c, .weight = 1};
    }
    assert_int_equal(shoal_table_from_arrays(&f->ctx, &table, arrays, COLUMNS), SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(&f->ctx, &quasi, table, requests, COLUMNS), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(&f->ctx, &set, &shoal_i_k_anonymity, 2), SHOAL_OK);
    assert_int_equal(shoal_i_tally_source_init(&f->ctx, &source, &set, NULL, 0, NULL, ROWS),
                     SHOAL_OK);
    const shoal_i_problem problem = {
        .quasi = quasi, .row_count = ROWS, .requirements = &set, .source = &source, .seed = 1};

    check_order(&f->ctx, &problem, &leaning);
    shoal_i_tally_source_clear(&source);
    shoal_i_requirement_set_clear(&set);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
}

/* Records that agree, more than one task marks: they are shuffled as one. */
static void test_all_that_agree_are_shuffled(void **state)
{
    enum { ROWS = 70000, LOWER = 10, MARKED = 65536 };
    fixture *f = *state;
    static int32_t known[ROWS];
    static int32_t other[ROWS];
    const shoal_array arrays[] = {
        {.name = "a", .kind = SHOAL_ARRAY_INT32, .length = ROWS, .data = known},
        {.name = "b", .kind = SHOAL_ARRAY_INT32, .length = ROWS, .data = other}};
    const shoal_i_quasi_request request = {.column = 0, .weight = 1};
    shoal_i_requirement_set set = {0};
    shoal_i_tally_source source = {0};
    shoal_i_canonical canonical = {0};
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    size_t moved = 0; /* from behind what one task marks */

    for (int32_t row = 0; row < ROWS; row++) {
        known[row] = row >= LOWER;
        other[row] = row;
    }
    assert_int_equal(shoal_table_from_arrays(&f->ctx, &table, arrays, 2), SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(&f->ctx, &quasi, table, &request, 1), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(&f->ctx, &set, &shoal_i_k_anonymity, 2), SHOAL_OK);
    assert_int_equal(shoal_i_tally_source_init(&f->ctx, &source, &set, NULL, 0, NULL, ROWS),
                     SHOAL_OK);
    const shoal_i_problem problem = {
        .quasi = quasi, .row_count = ROWS, .requirements = &set, .source = &source, .seed = 1};

    assert_int_equal(shoal_i_canonical_init(&f->ctx, &canonical, &problem, false), SHOAL_OK);
    assert_non_null(canonical.order);
    for (size_t i = 0; i < MARKED; i++) {
        assert_true(i >= LOWER || canonical.order[i] < LOWER);
        moved += canonical.order[i] >= MARKED;
    }
    /* 65526 of 69990 places have 4464 such records: 4179 on average. */
    assert_true(moved > 4000 && moved < 4350);
    shoal_i_canonical_clear(&canonical);
    shoal_i_tally_source_clear(&source);
    shoal_i_requirement_set_clear(&set);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_shuffled_input_gives_the_same_bytes),
        TEST(test_other_secrets_give_the_same_bytes),
        TEST(test_shuffled_boxes),
        TEST(test_the_order_is_sorted),
        TEST(test_records_that_differ_in_one_column),
        TEST(test_all_that_agree_are_shuffled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
