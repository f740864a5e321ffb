/* Classes from groups and from boxes. */

#include "release_fixture.h"

#include "base/random.h"
#include "failing.h"

#define FIGURE_1 "age,zip\n24,53712\n25,53711\n30,53711\n30,53711\n32,53712\n32,53713\n"

static const fixture_column age_zip[] = {{.name = "age"}, {.name = "zip"}};

static void assert_interval(const shoal_i_release *release, size_t b, size_t c, uint32_t lo,
                            uint32_t hi)
{
    shoal_i_interval interval = release->boxes[b * release->quasi->count + c];

    assert_int_equal(interval.lo, lo);
    assert_int_equal(interval.hi, hi);
}

/* XU figure 1: ages 24 25 30 32 are codes 0..3, postcodes 53711..53713 codes 0..2. */
static void test_figure_1(void **state)
{
    const uint32_t groups[] = {0, 0, 0, 1, 1, 1};
    fixture f;

    (void)state;
    fixture_open(&f, FIGURE_1, age_zip, 2);
    shoal_i_release *release = fixture_release(&f, groups);

    assert_int_equal(release->shape, SHOAL_I_SHAPE_CLASSES);
    assert_int_equal(release->row_count, 6);
    assert_int_equal(release->omitted, 0);
    assert_int_equal(release->box_count, 2);
    assert_interval(release, 0, 0, 0, 2);
    assert_interval(release, 0, 1, 0, 1);
    assert_interval(release, 1, 0, 2, 3);
    assert_interval(release, 1, 1, 0, 2);
    assert_int_equal(release->box_sizes[0], 3);
    for (size_t row = 0; row < 6; row++) {
        assert_int_equal(release->box_of[row], row / 3);
    }
    shoal_i_release_free(release);
    fixture_close(&f);
}

static void test_equal_boxes_become_one_class_in_order(void **state)
{
    /* Groups 0 and 2 have the same box, which sorts behind that of group 1. */
    const uint32_t groups[] = {0, 1, 0, 2, 1, 2};
    fixture f;

    (void)state;
    fixture_open(&f, "x\n5\n1\n6\n6\n2\n5\n", (fixture_column[]){{.name = "x"}}, 1);
    shoal_i_release *release = fixture_release(&f, groups);

    assert_int_equal(release->box_count, 2);
    assert_interval(release, 0, 0, 0, 1);
    assert_interval(release, 1, 0, 2, 3);
    assert_int_equal(release->box_sizes[0], 2);
    assert_int_equal(release->box_sizes[1], 4);
    assert_int_equal(release->box_of[0], 1);
    assert_int_equal(release->box_of[1], 0);
    assert_int_equal(release->box_of[3], 1);
    shoal_i_release_free(release);
    fixture_close(&f);
}

static void test_intervals_are_closed(void **state)
{
    /* a and c have only the root in common; a missing number spoils the range. */
    const uint32_t groups[] = {0, 0, 1, 1};
    const fixture_column columns[] = {
        {.name = "job", .hierarchy = "a;g;*\nb;g;*\nc;h;*\nd;h;*\n"}, {.name = "age"}};
    fixture f;

    (void)state;
    fixture_open(&f, "job,age\na,20\nb,?\nb,20\nc,30\n", columns, 2);
    shoal_i_release *release = fixture_release(&f, groups);

    assert_int_equal(release->box_count, 2);
    assert_interval(release, 0, 0, 0, 1); /* g */
    assert_interval(release, 0, 1, 0, 2); /* 20, 30, missing */
    assert_interval(release, 1, 0, 0, 2); /* only values that occur have leaves */
    assert_interval(release, 1, 1, 0, 1);
    shoal_i_release_free(release);
    fixture_close(&f);
}

static void test_one_record(void **state)
{
    const uint32_t groups[] = {0};
    fixture f;

    (void)state;
    fixture_open(&f, "age,zip\n24,53712\n", age_zip, 2);
    shoal_i_release *release = fixture_release(&f, groups);

    assert_int_equal(release->box_count, 1);
    assert_interval(release, 0, 1, 0, 0);
    shoal_i_release_free(release);
    fixture_close(&f);
}

static void test_no_records(void **state)
{
    fixture f;
    shoal_i_release *release = NULL;

    (void)state;
    fixture_open(&f, FIGURE_1, age_zip, 2);
    assert_ok(&f, shoal_i_release_from_boxes(&f.ctx, &release, f.quasi, NULL, 0));
    assert_int_equal(release->box_count, 0);
    assert_int_equal(release->row_count, 0);
    shoal_i_release_free(release);
    fixture_close(&f);
}

/* --- Against the obvious computation. */

#define WIDE_COLUMNS 40
#define WIDE_ROWS 600

/* A table too wide for one key word, with few distinct values so that boxes meet. */
static char *draw_table(shoal_i_random *random, size_t columns, size_t rows, uint64_t values)
{
    size_t size = rows * columns * 4 + columns * 8;
    char *csv = test_malloc(size);
    size_t at = 0;

    for (size_t c = 0; c < columns; c++) {
        at += (size_t)snprintf(csv + at, size - at, "%sA%zu", c ? "," : "", c);
    }
    for (size_t row = 0; row < rows; row++) {
        for (size_t c = 0; c < columns; c++) {
            int value = (int)shoal_i_random_below(random, values);

            at += (size_t)snprintf(csv + at, size - at, "%c%d", c ? ',' : '\n', value);
        }
    }
    snprintf(csv + at, size - at, "\n");
    return csv;
}

static int compare_boxes(const shoal_i_interval *a, const shoal_i_interval *b, size_t width)
{
    for (size_t c = 0; c < width; c++) {
        if (a[c].lo != b[c].lo) {
            return a[c].lo < b[c].lo ? -1 : 1;
        }
        if (a[c].hi != b[c].hi) {
            return a[c].hi < b[c].hi ? -1 : 1;
        }
    }
    return 0;
}

static shoal_i_interval cover_group(const fixture *f, const uint32_t *groups, uint32_t group,
                                    size_t c)
{
    shoal_i_interval cover = {UINT32_MAX, 0};

    for (size_t row = 0; row < shoal_table_row_count(f->table); row++) {
        uint32_t code = shoal_i_quasi_code(f->quasi, c, row);

        if (groups[row] == group) {
            cover.lo = code < cover.lo ? code : cover.lo;
            cover.hi = code > cover.hi ? code : cover.hi;
        }
    }
    return cover;
}

static void check_release(const fixture *f, const shoal_i_release *release,
                          const uint32_t *groups)
{
    size_t width = f->quasi->count;
    uint64_t rows = 0;

    for (size_t b = 0; b < release->box_count; b++) {
        uint32_t size = 0;

        if (b > 0) {
            assert_true(compare_boxes(release->boxes + (b - 1) * width,
                                      release->boxes + b * width, width) < 0);
        }
        for (size_t row = 0; row < release->row_count; row++) {
            size += release->box_of[row] == b;
        }
        assert_int_equal(release->box_sizes[b], size);
        rows += size;
    }
    assert_int_equal(rows, release->row_count);
    for (size_t row = 0; row < release->row_count; row++) {
        for (size_t c = 0; c < width; c++) {
            shoal_i_interval cover = cover_group(f, groups, groups[row], c);

            assert_interval(release, release->box_of[row], c, cover.lo, cover.hi);
        }
    }
}

static void open_wide(fixture *f, shoal_i_random *random, size_t rows, uint64_t values)
{
    static char names[WIDE_COLUMNS][8];
    fixture_column columns[WIDE_COLUMNS] = {{0}};
    char *csv = draw_table(random, WIDE_COLUMNS, rows, values);

    for (size_t c = 0; c < WIDE_COLUMNS; c++) {
        snprintf(names[c], sizeof names[c], "A%zu", c);
        columns[c].name = names[c];
    }
    fixture_open(f, csv, columns, WIDE_COLUMNS);
    test_free(csv);
}

static void test_wide_boxes(void **state)
{
    static const uint64_t value_counts[] = {2, 9};
    static uint32_t groups[WIDE_ROWS];
    shoal_i_random random = shoal_i_random_start(11);

    (void)state;
    for (size_t v = 0; v < 2; v++) {
        fixture f;

        open_wide(&f, &random, WIDE_ROWS, value_counts[v]);
        for (uint32_t row = 0; row < WIDE_ROWS; row++) {
            groups[row] = row % 200;
        }
        shoal_i_release *release = fixture_release(&f, groups);

        check_release(&f, release, groups);
        shoal_i_release_free(release);
        fixture_close(&f);
    }
}

static void test_boxes_give_the_same_release_as_groups(void **state)
{
    static uint32_t groups[WIDE_ROWS];
    static shoal_i_interval boxes[WIDE_ROWS * WIDE_COLUMNS];
    shoal_i_random random = shoal_i_random_start(12);
    fixture f;
    shoal_i_release *again = NULL;

    (void)state;
    open_wide(&f, &random, WIDE_ROWS, 3);
    for (uint32_t row = 0; row < WIDE_ROWS; row++) {
        groups[row] = row / 3;
    }
    shoal_i_release *release = fixture_release(&f, groups);

    for (size_t row = 0; row < WIDE_ROWS; row++) {
        memcpy(boxes + row * WIDE_COLUMNS,
               release->boxes + release->box_of[row] * (size_t)WIDE_COLUMNS,
               WIDE_COLUMNS * sizeof *boxes);
    }
    assert_ok(&f, shoal_i_release_from_boxes(&f.ctx, &again, f.quasi, boxes, WIDE_ROWS));
    assert_same_release(release, again);
    shoal_i_release_free(release);
    shoal_i_release_free(again);
    fixture_close(&f);
}

static void test_boxes_without_rows_are_left_out(void **state)
{
    const shoal_i_interval boxes[] = {{0, 1}, {2, 2}, {0, 0}, {0, 1}};
    const uint32_t box_of[] = {3, 0, 1};
    fixture f;
    shoal_i_release *release = NULL;

    (void)state;
    fixture_open(&f, "x\n1\n2\n3\n", (fixture_column[]){{.name = "x"}}, 1);
    assert_ok(&f,
              shoal_i_release_from_numbered(&f.ctx, &release, f.quasi, boxes, 4, box_of, 3));
    assert_int_equal(release->box_count, 2);
    assert_interval(release, 0, 0, 0, 1);
    assert_interval(release, 1, 0, 2, 2);
    assert_int_equal(release->box_of[0], 0);
    assert_int_equal(release->box_of[1], 0);
    assert_int_equal(release->box_of[2], 1);
    shoal_i_release_free(release);
    fixture_close(&f);
}

/* More rows than one task numbers. */
static void test_many_rows(void **state)
{
    enum { ROWS = 2 * 65536 + 5 };
    static const shoal_i_interval boxes[] = {{2, 2}, {0, 1}};
    uint32_t *box_of = calloc(ROWS, sizeof *box_of);
    fixture f;
    shoal_i_release *release = NULL;

    (void)state;
    assert_non_null(box_of);
    for (uint32_t row = 0; row < ROWS; row++) {
        box_of[row] = row % 7 == 0;
    }
    fixture_open(&f, "x\n1\n2\n3\n", (fixture_column[]){{.name = "x"}}, 1);
    assert_ok(&f,
              shoal_i_release_from_numbered(&f.ctx, &release, f.quasi, boxes, 2, box_of, ROWS));
    assert_int_equal(release->row_count, ROWS);
    assert_int_equal(release->box_sizes[0], ROWS / 7 + 1);
    for (uint32_t row = 0; row < ROWS; row++) {
        assert_true(release->box_of[row] == (row % 7 != 0)); /* {0, 1} is the first */
    }
    shoal_i_release_free(release);
    free(box_of);
    fixture_close(&f);
}

static int compare_pairs(const void *a, const void *b)
{
    return compare_boxes(a, b, 2);
}

/* Two columns of the numbers below count. */
static void open_numbers(fixture *f, size_t count)
{
    char *csv = calloc(count + 1, 16);
    size_t size = 0;

    assert_non_null(csv);
    size += (size_t)snprintf(csv, 16, "x,y\n");
    for (size_t i = 0; i < count; i++) {
        size += (size_t)snprintf(csv + size, 16, "%zu,%zu\n", i, i);
    }
    fixture_open(f, csv, (fixture_column[]){{.name = "x"}, {.name = "y"}}, 2);
    free(csv);
}

/* More boxes than one task sorts, most of them several times, some longer than a task. */
static void test_many_boxes(void **state)
{
    enum { BOXES = 40000 };
    shoal_i_interval(*boxes)[2] = calloc(BOXES, sizeof *boxes);
    shoal_i_interval(*sorted)[2] = calloc(BOXES, sizeof *sorted);
    fixture f;

    (void)state;
    assert_true(boxes && sorted);
    for (uint32_t few = 0; few < 3; few++) {
        shoal_i_random random = shoal_i_random_start(few);

        for (size_t b = 0; b < BOXES; b++) {
            for (size_t c = 0; c < 2; c++) {
                uint32_t lo = (uint32_t)shoal_i_random_below(&random, few == 0 ? 2 : 60 * few);

                boxes[b][c] = (shoal_i_interval){lo, lo + (uint32_t)(b % (1 + 40 * few))};
            }
        }
        memcpy(sorted, boxes, BOXES * sizeof *boxes);
        qsort(sorted, BOXES, sizeof *sorted, compare_pairs);
        open_numbers(&f, 400);
        for (int threads = 1; threads <= 5; threads += 2) {
            shoal_i_release *release = NULL;

            f.ctx.threads = threads;
            assert_ok(&f,
                      shoal_i_release_from_boxes(&f.ctx, &release, f.quasi, boxes[0], BOXES));
            size_t next = 0;

            for (size_t b = 0; b < release->box_count; b++) {
                assert_memory_equal(&release->boxes[2 * b], sorted[next], sizeof *sorted);
                next += release->box_sizes[b];
                assert_true(next == BOXES ||
                            compare_pairs(sorted[next - 1], sorted[next]) != 0);
            }
            assert_int_equal(next, BOXES);
            for (size_t b = 0; b < BOXES; b++) {
                assert_memory_equal(&release->boxes[2 * release->box_of[b]], boxes[b],
                                    sizeof *boxes);
            }
            shoal_i_release_free(release);
        }
        fixture_close(&f);
    }
    free(boxes);
    free(sorted);
}

static void test_any_number_of_threads(void **state)
{
    enum { ROWS = 3000 };
    static uint32_t groups[ROWS];
    shoal_i_random random = shoal_i_random_start(13);
    shoal_i_release *first = NULL;
    fixture f;

    (void)state;
    open_wide(&f, &random, ROWS, 4);
    for (uint32_t row = 0; row < ROWS; row++) {
        groups[row] = row % 1500;
    }
    for (int threads = 1; threads <= 5; threads += 2) {
        f.ctx.threads = threads;
        shoal_i_release *release = fixture_release(&f, groups);

        if (first) {
            assert_same_release(first, release);
            shoal_i_release_free(release);
        } else {
            first = release;
        }
    }
    shoal_i_release_free(first);
    fixture_close(&f);
}

static shoal_status release_again(shoal_ctx *ctx, void *payload)
{
    const uint32_t order[] = {0, 1, 2, 3, 4, 5};
    const uint32_t starts[] = {0, 3, 6};
    shoal_i_release *release = NULL;
    shoal_status st = shoal_i_release_from_groups(ctx, &release, ((fixture *)payload)->quasi,
                                                  order, starts, 2);

    assert_true((st == SHOAL_OK) == (release != NULL));
    shoal_i_release_free(release);
    return st;
}

static void test_failing_allocations(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, FIGURE_1, age_zip, 2);
    assert_survives_failing_allocations(&f.ctx, release_again, &f);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_records),
        cmocka_unit_test(test_many_boxes),
        cmocka_unit_test(test_one_record),
        cmocka_unit_test(test_figure_1),
        cmocka_unit_test(test_equal_boxes_become_one_class_in_order),
        cmocka_unit_test(test_intervals_are_closed),
        cmocka_unit_test(test_wide_boxes),
        cmocka_unit_test(test_boxes_give_the_same_release_as_groups),
        cmocka_unit_test(test_boxes_without_rows_are_left_out),
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
