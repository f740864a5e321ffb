/* The verifier: it accepts what holds, and finds every planted violation. */

#include "release_fixture.h"

#include "failing.h"
#include "measure/measure.h"

static shoal_i_requirement_set require_k(shoal_ctx *ctx, double k)
{
    shoal_i_requirement_set set = {0};

    assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, k), SHOAL_OK);
    return set;
}

static shoal_table *read_strings(shoal_ctx *ctx, const char *csv)
{
    fixture_reading reading = {.all_strings = true};
    shoal_csv_options options = {.struct_size = sizeof options,
                                 .configure = fixture_configure,
                                 .configure_payload = &reading};
    shoal_table *table = NULL;

    assert_int_equal(
        shoal_csv_read_memory(ctx, &table, csv, strlen(csv), "release.csv", &options),
        SHOAL_OK);
    return table;
}

static shoal_i_verdict verify(const char *csv, const size_t *columns, size_t count, double k)
{
    shoal_i_verdict verdict;
    shoal_ctx ctx;

    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    shoal_i_requirement_set set = require_k(&ctx, k);
    shoal_table *file = read_strings(&ctx, csv);

    assert_int_equal(shoal_i_verify(&ctx, &verdict, file, columns, count, &set, NULL),
                     SHOAL_OK);
    shoal_table_free(file);
    shoal_i_ctx_clear(&ctx);
    return verdict;
}

#define RELEASE                                                                                \
    "age,sex,s\n[1..2],F,x\n[1..2],F,y\n3,M,x\n[1..2],F,z\n3,M,y\n3,M,y\n3,F,w\n3,F,w\n"

static void test_classes_are_counted(void **state)
{
    const size_t both[] = {0, 1};
    shoal_i_verdict verdict = verify(RELEASE, both, 2, 2);

    (void)state;
    assert_true(verdict.holds);
    assert_int_equal(verdict.records, 8);
    assert_int_equal(verdict.classes, 3);
    assert_int_equal(verdict.smallest_class, 2);
    assert_int_equal(verdict.count, 1);
    assert_true(verdict.items[0].holds);
    assert_int_equal(verdict.items[0].failing_classes, 0);
    assert_true(verdict.items[0].worst_figure == 2);
    assert_int_equal(verdict.items[0].worst_class_size, 2);
    assert_int_equal(verdict.items[0].worst_row, 6);
}

static void test_small_class_is_found(void **state)
{
    const size_t both[] = {0, 1};
    shoal_i_verdict verdict = verify(RELEASE, both, 2, 3);

    (void)state;
    assert_false(verdict.holds);
    assert_false(verdict.items[0].holds);
    assert_int_equal(verdict.items[0].failing_classes, 1);
    assert_int_equal(verdict.items[0].failing_records, 2);
    assert_int_equal(verdict.items[0].worst_row, 6);
}

static void test_columns_are_those_asked_for(void **state)
{
    const size_t age[] = {0};
    const size_t all[] = {2, 1, 0};

    (void)state;
    assert_true(verify(RELEASE, age, 1, 3).holds);
    assert_int_equal(verify(RELEASE, all, 3, 1).classes, 6);
    assert_int_equal(verify(RELEASE, NULL, 0, 8).classes, 1);
}

/* What means the same but reads otherwise is otherwise to anyone who groups by value. */
static void test_texts_decide(void **state)
{
    const size_t age[] = {0};
    shoal_i_verdict verdict = verify("age,s\n7,a\n7.0,b\n 7,c\n", age, 1, 2);

    (void)state;
    assert_false(verdict.holds);
    assert_int_equal(verdict.classes, 3);
}

/* Missing is a value of its own: equal to missing, to nothing else, and never a wildcard. */
static void test_missing_is_no_wildcard(void **state)
{
    const size_t age[] = {0};
    shoal_i_verdict verdict = verify("age,s\n7,a\n7,b\n?,c\n?,d\n8,e\n", age, 1, 2);

    (void)state;
    assert_int_equal(verdict.classes, 3);
    assert_int_equal(verdict.items[0].failing_classes, 1);
    assert_int_equal(verdict.items[0].worst_row, 4);
}

static void test_personal_k(void **state)
{
    const size_t age[] = {0};
    const uint32_t record_k[] = {1, 2, 3, 0, 1};
    shoal_i_requirement_set set = {0};
    shoal_i_verdict verdict;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_i_requirement_add(&ctx, &set, &shoal_i_k_anonymity, 1), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(&ctx, &set, &shoal_i_personal_k, 0), SHOAL_OK);
    shoal_table *file = read_strings(&ctx, "age\n7\n7\n8\n8\n9\n");

    assert_int_equal(shoal_i_verify(&ctx, &verdict, file, age, 1, &set, NULL), SHOAL_EINVAL);
    assert_int_equal(
        shoal_i_verify(&ctx, &verdict, file, age, 1, &set, &(shoal_i_row_facts){.k = record_k}),
        SHOAL_OK);
    assert_false(verdict.holds);
    assert_true(verdict.items[0].holds);
    assert_false(verdict.items[1].holds);
    assert_int_equal(verdict.items[1].failing_classes, 1);
    assert_int_equal(verdict.items[1].worst_row, 2);
    shoal_table_free(file);
    shoal_i_ctx_clear(&ctx);
}

/* --- Cover. */

#define ORIGINAL "age,sex\n20,F\n25,M\n30,F\n40,M\n"
#define AGE_SEX (fixture_column[]){{.name = "age"}, {.name = "sex", .hierarchy = "flat"}}, 2

static shoal_status check_cover(fixture *f, const char *csv, const uint32_t *row_order)
{
    shoal_table *file = fixture_read(f, csv);
    shoal_i_release *parsed = NULL;

    assert_ok(f, shoal_i_release_parse(&f->ctx, &parsed, f->quasi, file));
    shoal_status st = shoal_i_verify_cover(&f->ctx, parsed, row_order);

    shoal_i_release_free(parsed);
    shoal_table_free(file);
    return st;
}

static void test_cover(void **state)
{
    const uint32_t order[] = {2, 0, 1, 3};
    const uint32_t twice[] = {2, 0, 0, 3};
    const uint32_t unknown[] = {2, 0, 4, 3};
    fixture f;

    (void)state;
    fixture_open(&f, ORIGINAL, AGE_SEX);
    assert_ok(&f, check_cover(&f, "age,sex\n20-30,F\n20-30,F\n25-40,*\n40,M\n", order));

    /* The record in line 4 is 25, outside of [30..40]. */
    assert_int_equal(check_cover(&f, "age,sex\n20-30,F\n20-30,F\n30-40,*\n40,M\n", order),
                     SHOAL_EREJECTED);
    assert_int_equal(f.ctx.error.record, 2);
    assert_int_equal(f.ctx.error.field, 0);
    assert_int_equal(check_cover(&f, "age,sex\n20-30,F\n20-30,M\n25-40,*\n40,M\n", order),
                     SHOAL_EREJECTED);
    assert_int_equal(f.ctx.error.record, 1);
    assert_int_equal(f.ctx.error.field, 1);

    /* A record that was left out is covered by nothing. */
    assert_ok(&f, check_cover(&f, "age,sex\n20-30,F\n20-30,F\n25-40,*\n", order));

    assert_int_equal(check_cover(&f, "age,sex\n*,*\n*,*\n*,*\n*,*\n", twice), SHOAL_EREJECTED);
    assert_int_equal(f.ctx.error.record, 2);
    assert_int_equal(check_cover(&f, "age,sex\n*,*\n*,*\n*,*\n*,*\n", unknown),
                     SHOAL_EREJECTED);
    fixture_close(&f);
}

/* --- Cover of many. */

#define COVER_ROWS 5000 /* more than are checked by one task, and not a multiple of that */
#define COVER_VALUES 100

/* A file of one column; the record `wrong`, if there is one, is published `off` beside its
 * value. */
static char *write_ages(size_t wrong, int off)
{
    size_t most = 8 + 8 * COVER_ROWS;
    char *text = malloc(most);
    size_t size = (size_t)snprintf(text, most, "age\n");

    for (size_t row = 0; row < COVER_ROWS; row++) {
        int value = (int)(row * 37 % COVER_VALUES);

        size += (size_t)snprintf(text + size, most - size, "%d\n",
                                 value + (row == wrong ? off : 0));
    }
    return text;
}

/* Whichever record it is, and however little it is outside. */
static void test_cover_of_many(void **state)
{
    static uint32_t order[COVER_ROWS];
    char *original = write_ages(COVER_ROWS, 0);
    fixture f;

    (void)state;
    for (uint32_t row = 0; row < COVER_ROWS; row++) {
        order[row] = row;
    }
    fixture_open(&f, original, (fixture_column[]){{.name = "age"}}, 1);
    assert_ok(&f, check_cover(&f, original, order));
    for (size_t row = 0; row < COVER_ROWS; row += row % 256 < 255 ? 255 - row % 256 : 1) {
        int value = (int)(row * 37 % COVER_VALUES);
        char *text = write_ages(row, value < COVER_VALUES / 2 ? 1 : -1);

        assert_int_equal(check_cover(&f, text, order), SHOAL_EREJECTED);
        assert_int_equal(f.ctx.error.record, row);
        free(text);
    }
    char *text = write_ages(COVER_ROWS - 1, 1);

    assert_int_equal(check_cover(&f, text, order), SHOAL_EREJECTED);
    assert_int_equal(f.ctx.error.record, COVER_ROWS - 1);
    free(text);
    free(original);
    fixture_close(&f);
}

/* --- From method to verdict. */

typedef struct checked {
    fixture f;
    char *text;
    uint32_t *row_order;
} checked;

static void write_checked(checked *c, const uint32_t *groups)
{
    fixture_open(&c->f, "age,sex,s\n20,F,a\n25,M,b\n30,F,c\n40,M,d\n41,M,e\n", AGE_SEX);
    shoal_i_release *release = fixture_release(&c->f, groups);

    c->text = fixture_write(&c->f, release, (shoal_i_layout){0}, &c->row_order);
    shoal_i_release_free(release);
}

static void close_checked(checked *c)
{
    free(c->text);
    free(c->row_order);
    fixture_close(&c->f);
}

/* A method that leaves a class of k - 1 is caught from the bytes alone. */
static void test_planted_small_class(void **state)
{
    const size_t columns[] = {0, 1};
    checked c;

    (void)state;
    write_checked(&c, (uint32_t[]){0, 0, 0, 1, 1});
    assert_true(verify(c.text, columns, 2, 2).holds);
    assert_false(verify(c.text, columns, 2, 3).holds);
    assert_int_equal(verify(c.text, columns, 2, 3).items[0].failing_records, 2);
    close_checked(&c);
}

/* So is a line that was swapped with one of another class. */
static void test_planted_wrong_box(void **state)
{
    checked c;

    (void)state;
    write_checked(&c, (uint32_t[]){0, 0, 0, 1, 1});
    assert_ok(&c.f, check_cover(&c.f, c.text, c.row_order));
    uint32_t swapped = c.row_order[0];

    c.row_order[0] = c.row_order[4];
    c.row_order[4] = swapped;
    assert_int_equal(check_cover(&c.f, c.text, c.row_order), SHOAL_EREJECTED);
    close_checked(&c);
}

/* --- Threads and failures. */

#define LARGE_ROWS 150000

static shoal_table *build_large(shoal_ctx *ctx)
{
    static int32_t a[LARGE_ROWS];
    static int32_t b[LARGE_ROWS];
    shoal_array arrays[2] = {
        {.name = "a", .kind = SHOAL_ARRAY_INT32, .length = LARGE_ROWS, .data = a},
        {.name = "b", .kind = SHOAL_ARRAY_INT32, .length = LARGE_ROWS, .data = b}};
    shoal_table *table = NULL;

    for (int32_t row = 0; row < LARGE_ROWS; row++) {
        a[row] = row % 300;
        b[row] = row * 7 % 100;
    }
    assert_int_equal(shoal_table_from_arrays(ctx, &table, arrays, 2), SHOAL_OK);
    return table;
}

static void test_any_number_of_threads(void **state)
{
    const size_t columns[] = {0, 1};
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = build_large(&ctx);

    for (int threads = 1; threads <= 5; threads++) {
        uint32_t *class_of = NULL;
        size_t class_count = 0;

        ctx.threads = threads;
        assert_int_equal(shoal_i_group_rows(&ctx, &class_of, &class_count, table, columns, 2),
                         SHOAL_OK);
        assert_int_equal(class_count, 300);
        for (size_t row = 0; row < LARGE_ROWS; row++) {
            assert_int_equal(class_of[row], row % 300);
        }
        free(class_of);
    }
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static shoal_status verify_again(shoal_ctx *ctx, void *payload)
{
    const size_t columns[] = {0, 1};
    shoal_i_requirement_set set = require_k(ctx, 2);
    shoal_i_verdict verdict;

    return shoal_i_verify(ctx, &verdict, payload, columns, 2, &set, NULL);
}

static shoal_status cover_again(shoal_ctx *ctx, void *payload)
{
    const uint32_t order[] = {0};

    return shoal_i_verify_cover(ctx, payload, order);
}

static void test_failing_allocations(void **state)
{
    fixture f;

    (void)state;
    fixture_open(&f, "age\n20\n", (fixture_column[]){{.name = "age"}}, 1);
    shoal_table *table = build_large(&f.ctx);
    shoal_i_release *release = fixture_release(&f, (uint32_t[]){0});

    f.ctx.threads = 2;
    assert_survives_failing_allocations(&f.ctx, verify_again, table);
    assert_survives_failing_allocations(&f.ctx, cover_again, release);
    shoal_i_release_free(release);
    shoal_table_free(table);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes_are_counted),
        cmocka_unit_test(test_small_class_is_found),
        cmocka_unit_test(test_columns_are_those_asked_for),
        cmocka_unit_test(test_texts_decide),
        cmocka_unit_test(test_missing_is_no_wildcard),
        cmocka_unit_test(test_personal_k),
        cmocka_unit_test(test_cover),
        cmocka_unit_test(test_cover_of_many),
        cmocka_unit_test(test_planted_small_class),
        cmocka_unit_test(test_planted_wrong_box),
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
