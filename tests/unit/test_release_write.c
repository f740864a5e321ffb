/* A release as text: every form, every awkward value, the order of the lines. */

#include "release_fixture.h"

#include "base/random.h"
#include "failing.h"

static void check_text(fixture *f, const uint32_t *groups, shoal_i_layout layout,
                       const char *wanted)
{
    shoal_i_release *release = fixture_release(f, groups);
    char *text = fixture_write(f, release, layout, NULL);

    assert_string_equal(text, wanted);
    free(text);
    shoal_i_release_free(release);
}

/* Open, write, compare, close. */
static void check_write(const char *csv, const fixture_column *columns, size_t column_count,
                        const uint32_t *groups, shoal_i_layout layout, const char *wanted)
{
    fixture f;

    fixture_open(&f, csv, columns, column_count);
    check_text(&f, groups, layout, wanted);
    fixture_close(&f);
}

#define COLUMNS(...)                                                                           \
    (fixture_column[]){__VA_ARGS__},                                                           \
        sizeof((fixture_column[]){__VA_ARGS__}) / sizeof(fixture_column)
#define GROUPS(...)                                                                            \
    (uint32_t[])                                                                               \
    {                                                                                          \
        __VA_ARGS__                                                                            \
    }

/* --- Numbers. */

#define FIGURE_1                                                                               \
    "age,zip,disease\n24,53712,flu\n25,53711,cold\n30,53711,flu\n30,53711,acne\n"              \
    "32,53712,flu\n32,53713,cold\n"

static void test_ranges(void **state)
{
    (void)state;
    check_write(FIGURE_1, COLUMNS({.name = "age"}, {.name = "zip"}), GROUPS(0, 0, 0, 1, 1, 1),
                (shoal_i_layout){0},
                "age,zip,disease\n"
                "[24..30],[53711..53712],cold\n"
                "[24..30],[53711..53712],flu\n"
                "[24..30],[53711..53712],flu\n"
                "[30..32],[53711..53713],acne\n"
                "[30..32],[53711..53713],cold\n"
                "[30..32],[53711..53713],flu\n");
}

/* More texts than one task writes, some of them in several places; classes of more lines than
 * one chunk has. */
static void test_many_texts(void **state)
{
    enum { ROWS = 20000, SINGLE = 9000 };
    char *csv = calloc(ROWS + 1, 32);
    char *wanted = calloc(ROWS + 1, 32);
    uint32_t *groups = calloc(ROWS, sizeof *groups);
    size_t size = (size_t)snprintf(csv, 32, "x,y\n");
    size_t end = (size_t)snprintf(wanted, 32, "x,y\n");
    fixture f;

    (void)state;
    for (uint32_t row = 0; row < ROWS; row++) {
        uint32_t first = row < SINGLE ? row / 2 * 2 : SINGLE;
        uint32_t last = row < SINGLE ? first + 1 : ROWS - 1;

        groups[row] = row < SINGLE ? row / 2 : SINGLE / 2;
        size += (size_t)snprintf(csv + size, 32, "%u,%u\n", 10000 + row, first % 500);
        end += (size_t)snprintf(wanted + end, 32, "[%u..%u],%u\n", 10000 + first, 10000 + last,
                                first % 500);
    }
    fixture_open(&f, csv, COLUMNS({.name = "x"}, {.name = "y"}));
    for (int threads = 1; threads <= 3; threads++) {
        f.ctx.threads = threads;
        check_text(&f, groups, (shoal_i_layout){0}, wanted);
    }
    fixture_close(&f);
    free(csv);
    free(wanted);
    free(groups);
}

static void test_kept_order(void **state)
{
    (void)state;
    check_write(FIGURE_1, COLUMNS({.name = "zip"}), GROUPS(0, 1, 1, 2, 0, 2),
                (shoal_i_layout){.keep_order = true},
                "age,zip,disease\n"
                "24,53712,flu\n"
                "25,53711,cold\n"
                "30,53711,flu\n"
                "30,[53711..53713],acne\n"
                "32,53712,flu\n"
                "32,[53711..53713],cold\n");
}

static void test_minimum_and_maximum(void **state)
{
    (void)state;
    check_write("age,sex\n20,F\n30,F\n40,M\n?,M\n?,F\n",
                COLUMNS({.name = "age"}, {.name = "sex", .hierarchy = "flat"}),
                GROUPS(0, 0, 1, 1, 2), (shoal_i_layout){.numeric = SHOAL_I_NUMERIC_MINMAX},
                "age_min,age_max,sex\n"
                "20,30,F\n"
                "20,30,F\n"
                "*,*,M\n"
                "*,*,M\n"
                "?,?,F\n");
}

static void test_mean(void **state)
{
    (void)state;
    check_write("age\n20\n21\n22\n30\n30\n40\n?\n?\n", COLUMNS({.name = "age"}),
                GROUPS(0, 0, 1, 1, 2, 2, 3, 3),
                (shoal_i_layout){.numeric = SHOAL_I_NUMERIC_MEAN},
                "age\n20.5\n20.5\n26\n26\n35\n35\n?\n?\n");
    check_write("age\n0\n1\n1\n", COLUMNS({.name = "age"}), GROUPS(0, 0, 0),
                (shoal_i_layout){.numeric = SHOAL_I_NUMERIC_MEAN},
                "age\n0.666667\n0.666667\n0.666667\n");
}

static void test_mean_of_dates_is_a_day(void **state)
{
    (void)state;
    check_write("born\n2020-01-01\n2020-01-02\n2020-03-01\n", COLUMNS({.name = "born"}),
                GROUPS(0, 0, 0), (shoal_i_layout){.numeric = SHOAL_I_NUMERIC_MEAN},
                "born\n2020-01-21\n2020-01-21\n2020-01-21\n");
}

static void test_mean_with_kept_order(void **state)
{
    (void)state;
    check_write("age\n20\n40\n30\n50\n", COLUMNS({.name = "age"}), GROUPS(0, 1, 0, 1),
                (shoal_i_layout){.numeric = SHOAL_I_NUMERIC_MEAN, .keep_order = true},
                "age\n25\n45\n25\n45\n");
}

static void test_median(void **state)
{
    (void)state;
    /* The lower of the two middle values, so that it is one that occurs. */
    check_write("age\n20\n21\n90\n30\n31\n32\n99\n", COLUMNS({.name = "age"}),
                GROUPS(0, 0, 0, 1, 1, 1, 1),
                (shoal_i_layout){.numeric = SHOAL_I_NUMERIC_MEDIAN},
                "age\n21\n21\n21\n31\n31\n31\n31\n");
    check_write("age\n20\n30\n22\n31\n21\n", COLUMNS({.name = "age"}), GROUPS(0, 1, 0, 1, 0),
                (shoal_i_layout){.numeric = SHOAL_I_NUMERIC_MEDIAN, .keep_order = true},
                "age\n21\n30\n21\n30\n21\n");
}

static void test_negative_numbers_dates_and_reals(void **state)
{
    (void)state;
    check_write("t,born,h\n-5,2020-01-01,1.50\n-1,2020-02-03,1.75\n",
                COLUMNS({.name = "t"}, {.name = "born"}, {.name = "h"}), GROUPS(0, 0),
                (shoal_i_layout){0},
                "t,born,h\n"
                "[-5..-1],[2020-01-01..2020-02-03],[1.50..1.75]\n"
                "[-5..-1],[2020-01-01..2020-02-03],[1.50..1.75]\n");
}

static void test_points_that_would_be_misread(void **state)
{
    (void)state;
    /* [0....5] could mean several things. */
    check_write("x\n0.\n.5\n", COLUMNS({.name = "x"}), GROUPS(0, 0), (shoal_i_layout){0},
                "x\n[0..0.5]\n[0..0.5]\n");
}

static void test_missing_numbers(void **state)
{
    (void)state;
    check_write("x,y\n1,a\n?,b\n?,c\n3,d\n", COLUMNS({.name = "x"}), GROUPS(0, 0, 1, 2),
                (shoal_i_layout){0}, "x,y\n*,a\n*,b\n3,d\n?,c\n");
}

/* --- Categories. */

#define JOBS "job\nnurse\ndoctor\nclerk\nclerk\n"
#define JOB_TREE "nurse;health;*\ndoctor;health;*\nclerk;office;*\nboss;office;*\n"

static void test_labels(void **state)
{
    (void)state;
    check_write(JOBS, COLUMNS({.name = "job", .hierarchy = JOB_TREE}), GROUPS(0, 0, 1, 1),
                (shoal_i_layout){0}, "job\nclerk\nclerk\nhealth\nhealth\n");
    check_write(JOBS, COLUMNS({.name = "job", .hierarchy = JOB_TREE}), GROUPS(0, 0, 0, 0),
                (shoal_i_layout){0}, "job\n*\n*\n*\n*\n");
}

static void test_sets(void **state)
{
    (void)state;
    check_write(JOBS, COLUMNS({.name = "job", .hierarchy = JOB_TREE}), GROUPS(0, 0, 1, 1),
                (shoal_i_layout){.categorical = SHOAL_I_CATEGORICAL_SET},
                "job\nclerk\nclerk\n{doctor|nurse}\n{doctor|nurse}\n");
}

static void test_values_that_look_like_notation(void **state)
{
    (void)state;
    /* The value * is not suppression, the value {a|b} is not a set. */
    check_write("x\n*\na\nb\n{a|b}\n\\|\n", COLUMNS({.name = "x", .hierarchy = "flat"}),
                GROUPS(0, 1, 2, 3, 4), (shoal_i_layout){.keep_order = true},
                "x\n{*}\na\nb\n{\\{a\\|b\\}}\n\\|\n");
}

static void test_labels_that_a_coarser_node_has(void **state)
{
    (void)state;
    /* "other" is a group and one of its values. */
    check_write(
        "x\nother\nodd\na\n",
        COLUMNS({.name = "x", .hierarchy = "other;other;all\nodd;other;all\na;g;all\n"}),
        GROUPS(0, 1, 2), (shoal_i_layout){.keep_order = true}, "x\n{other}\nodd\na\n");
    check_write(
        "x\nother\nodd\na\n",
        COLUMNS({.name = "x", .hierarchy = "other;other;all\nodd;other;all\na;g;all\n"}),
        GROUPS(0, 0, 1), (shoal_i_layout){.keep_order = true}, "x\nother\nother\na\n");
}

static void test_missing_categories(void **state)
{
    (void)state;
    check_write("x\na\n?\nb\n", COLUMNS({.name = "x", .hierarchy = "flat"}), GROUPS(0, 1, 2),
                (shoal_i_layout){.keep_order = true}, "x\na\n?\nb\n");
}

/* --- The file. */

static void test_columns_keep_their_order_and_identifiers_go(void **state)
{
    shoal_role roles[] = {SHOAL_ROLE_SENSITIVE, SHOAL_ROLE_QUASI, SHOAL_ROLE_IDENTIFIER,
                          SHOAL_ROLE_INSENSITIVE, SHOAL_ROLE_QUASI};

    (void)state;
    check_write("s,a,id,b,c\nx,1,77,y,5\nz,2,78,y,6\n", COLUMNS({.name = "c"}, {.name = "a"}),
                GROUPS(0, 0), (shoal_i_layout){.roles = roles},
                "s,a,b,c\nx,[1..2],y,[5..6]\nz,[1..2],y,[5..6]\n");
}

static void test_quotes_and_delimiters(void **state)
{
    (void)state;
    check_write("\"a;b\",\"c\"\"d\"\n\"x;y\",\"line\nbreak\"\n\"x;y\",\"say \"\"hi\"\"\"\n",
                COLUMNS({.name = "a;b", .hierarchy = "flat"}), GROUPS(0, 0),
                (shoal_i_layout){.delimiter = ';'},
                "\"a;b\";\"c\"\"d\"\n\"x;y\";\"line\nbreak\"\n\"x;y\";\"say \"\"hi\"\"\"\n");
}

static shoal_status write_with(fixture *f, const shoal_i_release *release,
                               const shoal_i_layout *layout)
{
    shoal_i_output *output = NULL;
    uint32_t *row_order = NULL;

    assert_ok(f, shoal_i_output_open(&f->ctx, &output, "test_release.csv"));
    shoal_status st = shoal_i_release_write(&f->ctx, &row_order, release, layout, output);

    assert_true((st == SHOAL_OK) == (row_order != NULL));
    free(row_order);
    shoal_i_output_free(output);
    return st;
}

static void test_names_that_exist_already(void **state)
{
    fixture f;
    shoal_i_layout layout = {.numeric = SHOAL_I_NUMERIC_MINMAX};

    (void)state;
    fixture_open(&f, "age,age_max\n1,2\n", (fixture_column[]){{.name = "age"}}, 1);
    layout.roles = f.roles;
    shoal_i_release *release = fixture_release(&f, (uint32_t[]){0});

    assert_int_equal(write_with(&f, release, &layout), SHOAL_EINVAL);
    assert_int_equal(f.ctx.error.field, 1);
    assert_non_null(strstr(f.ctx.error.message, "age_max"));
    shoal_i_release_free(release);
    fixture_close(&f);
}

static void test_what_cannot_be_written(void **state)
{
    shoal_role roles[] = {SHOAL_ROLE_QUASI, SHOAL_ROLE_QUASI};
    shoal_i_layout layout = {.roles = roles, .delimiter = ','};
    fixture f;

    (void)state;
    fixture_open(&f, "age,zip\n1,2\n", COLUMNS({.name = "age"}));
    shoal_i_release *release = fixture_release(&f, GROUPS(0));

    /* zip says it is a quasi-identifier, and nothing was done about it. */
    assert_int_equal(write_with(&f, release, &layout), SHOAL_EINVAL);
    assert_int_equal(f.ctx.error.field, 1);
    roles[1] = SHOAL_ROLE_SENSITIVE;
    assert_int_equal(write_with(&f, release, &layout), SHOAL_OK);
    layout.delimiter = '"';
    assert_int_equal(write_with(&f, release, &layout), SHOAL_EINVAL);
    layout.delimiter = ',';
    shoal_i_release_free(release);
    fixture_close(&f);
}

/* --- Large enough for several chunks. */

#define LARGE_ROWS 20000

static char *draw_csv(shoal_i_random *random, const uint32_t *shuffled)
{
    size_t size = LARGE_ROWS * 40 + 40;
    char *csv = test_malloc(size);
    size_t at = (size_t)snprintf(csv, size, "age,job,note,value\n");

    (void)random;
    for (size_t i = 0; i < LARGE_ROWS; i++) {
        uint64_t row = shoal_i_random_key(5, shuffled[i]);

        at += (size_t)snprintf(csv + at, size - at, "%u,j%u,\"n,%u\",%u\n",
                               (unsigned)(row % 80), (unsigned)(row / 80 % 7),
                               (unsigned)(row / 1000 % 50), (unsigned)(row / 100000 % 9000));
    }
    return csv;
}

/* Groups follow from the values alone, so that they move with the rows. */
static void group_by_age(const fixture *f, uint32_t *groups)
{
    for (size_t row = 0; row < LARGE_ROWS; row++) {
        groups[row] = shoal_table_code(f->table, 0, row) / 5;
    }
}

static char *write_large(const uint32_t *shuffled, int threads, shoal_i_layout layout)
{
    static uint32_t groups[LARGE_ROWS];
    shoal_i_random random = shoal_i_random_start(3);
    uint32_t *row_order = NULL;
    fixture f;
    char *csv = draw_csv(&random, shuffled);

    fixture_open(&f, csv, COLUMNS({.name = "age"}, {.name = "job", .hierarchy = "flat"}));
    f.ctx.threads = threads;
    group_by_age(&f, groups);
    shoal_i_release *release = fixture_release(&f, groups);
    char *text = fixture_write(&f, release, layout, &row_order);

    for (size_t line = 1; line < LARGE_ROWS; line++) {
        assert_true(layout.keep_order ? row_order[line] == line
                                      : release->box_of[row_order[line - 1]] <=
                                            release->box_of[row_order[line]]);
    }
    free(row_order);
    shoal_i_release_free(release);
    fixture_close(&f);
    test_free(csv);
    return text;
}

static void test_same_bytes_on_any_number_of_threads(void **state)
{
    static const shoal_i_layout layouts[] = {
        {0}, {.keep_order = true}, {.numeric = SHOAL_I_NUMERIC_MEAN}};
    static uint32_t plain[LARGE_ROWS];

    (void)state;
    for (uint32_t i = 0; i < LARGE_ROWS; i++) {
        plain[i] = i;
    }
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
        char *one = write_large(plain, 1, layouts[l]);
        char *two = write_large(plain, 2, layouts[l]);
        char *five = write_large(plain, 5, layouts[l]);

        assert_string_equal(one, two);
        assert_string_equal(one, five);
        free(one);
        free(two);
        free(five);
    }
}

static void test_order_of_the_input_cannot_be_seen(void **state)
{
    static uint32_t plain[LARGE_ROWS];
    static uint32_t shuffled[LARGE_ROWS];
    shoal_i_random random = shoal_i_random_start(9);

    (void)state;
    for (uint32_t i = 0; i < LARGE_ROWS; i++) {
        uint32_t at = (uint32_t)shoal_i_random_below(&random, i + 1);

        plain[i] = i;
        shuffled[i] = shuffled[at];
        shuffled[at] = i;
    }
    char *one = write_large(plain, 2, (shoal_i_layout){0});
    char *other = write_large(shuffled, 2, (shoal_i_layout){0});

    assert_string_equal(one, other);
    free(one);
    free(other);
}

/* --- Failures. */

typedef struct writing {
    fixture f;
    shoal_i_release *release;
    shoal_i_layout layout;
} writing;

static shoal_status write_again(shoal_ctx *ctx, void *payload)
{
    writing *w = payload;
    shoal_i_output *output = NULL;
    uint32_t *row_order = NULL;
    shoal_status st = shoal_i_output_open(ctx, &output, "test_release.csv");

    if (st == SHOAL_OK) {
        st = shoal_i_release_write(ctx, &row_order, w->release, &w->layout, output);
        assert_true((st == SHOAL_OK) == (row_order != NULL));
    }
    free(row_order);
    shoal_i_output_free(output);
    return st;
}

static void test_failing_allocations(void **state)
{
    static const shoal_i_numeric_form forms[] = {SHOAL_I_NUMERIC_RANGE, SHOAL_I_NUMERIC_MINMAX,
                                                 SHOAL_I_NUMERIC_MEAN, SHOAL_I_NUMERIC_MEDIAN};

    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        writing w = {.layout = {.numeric = forms[i],
                                .categorical = SHOAL_I_CATEGORICAL_SET,
                                .keep_order = i % 2 == 1}};

        fixture_open(&w.f, "age,job,s\n1,a|b,x\n2,{,y\n3,*,z\n?,d,z\n",
                     COLUMNS({.name = "age"},
                             {.name = "job", .hierarchy = "a|b;g;*\n{;g;*\n*;h;*\nd;h;*\n"}));
        w.layout.roles = w.f.roles;
        w.f.ctx.threads = 2;
        w.release = fixture_release(&w.f, GROUPS(0, 0, 1, 1));
        assert_survives_failing_allocations(&w.f.ctx, write_again, &w);
        shoal_i_release_free(w.release);
        fixture_close(&w.f);
    }
}

static bool stop_at_once(void *payload, const char *stage, double fraction)
{
    (void)payload;
    (void)fraction;
    return strcmp(stage, "write") != 0;
}

static void test_cancellation(void **state)
{
    writing w = {.layout = {0}};

    (void)state;
    fixture_open(&w.f, "x\n1\n", COLUMNS({.name = "x"}));
    w.layout.roles = w.f.roles;
    w.release = fixture_release(&w.f, GROUPS(0));
    w.f.ctx.progress = stop_at_once;
    assert_int_equal(write_again(&w.f.ctx, &w), SHOAL_ECANCELLED);
    shoal_i_release_free(w.release);
    fixture_close(&w.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_kept_order),
        cmocka_unit_test(test_minimum_and_maximum),
        cmocka_unit_test(test_mean),
        cmocka_unit_test(test_mean_of_dates_is_a_day),
        cmocka_unit_test(test_mean_with_kept_order),
        cmocka_unit_test(test_median),
        cmocka_unit_test(test_negative_numbers_dates_and_reals),
        cmocka_unit_test(test_points_that_would_be_misread),
        cmocka_unit_test(test_missing_numbers),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_values_that_look_like_notation),
        cmocka_unit_test(test_labels_that_a_coarser_node_has),
        cmocka_unit_test(test_missing_categories),
        cmocka_unit_test(test_columns_keep_their_order_and_identifiers_go),
        cmocka_unit_test(test_quotes_and_delimiters),
        cmocka_unit_test(test_names_that_exist_already),
        cmocka_unit_test(test_what_cannot_be_written),
        cmocka_unit_test(test_same_bytes_on_any_number_of_threads),
        cmocka_unit_test(test_order_of_the_input_cannot_be_seen),
        cmocka_unit_test(test_many_texts),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_cancellation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
