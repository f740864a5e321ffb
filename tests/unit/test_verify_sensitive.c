/* The verifier on sensitive values: every kind of requirement on one small file, with figures
 * computed by hand.
 *
 * The whole file has five flu, three fever and two HIV. Class 0, "b", has three flu, two fever,
 * one HIV; class 1, "a", two flu, one fever, one HIV: the example of docs/requirements.md. */

#include <shoal/csv.h>

#include "failing.h"
#include "measure/measure.h"

#include <math.h>
#include <string.h>

#define FILE_TEXT                                                                              \
    "q,ill,degree\nb,flu,1\na,flu,1\na,flu,1\nb,flu,1\nb,fever,2\na,fever,2\nb,flu,1\n"        \
    "a,HIV,3\nb,fever,2\nb,HIV,3\n"
#define TREE "flu;infection;*\nfever;infection;*\nHIV;*\n"

enum { Q, ILL, DEGREE };

typedef struct fixture {
    shoal_ctx ctx;
    shoal_table *file;
    shoal_hierarchy *tree;
    shoal_i_sensitive columns[2]; /* ill, degree */
} fixture;

static shoal_status configure(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                              size_t count)
{
    (void)ctx;
    (void)payload;
    for (size_t i = 0; i < count; i++) {
        columns[i].type = i == DEGREE ? SHOAL_TYPE_INTEGER : SHOAL_TYPE_STRING;
    }
    return SHOAL_OK;
}

static void open_text(fixture *f, const char *text)
{
    shoal_csv_options options = {.struct_size = sizeof options, .configure = configure};

    memset(f, 0, sizeof *f);
    shoal_i_ctx_init(&f->ctx);
    f->ctx.threads = 1;
    assert_int_equal(
        shoal_csv_read_memory(&f->ctx, &f->file, text, strlen(text), "file.csv", &options),
        SHOAL_OK);
}

static int open_fixture(void **state)
{
    static fixture f;

    open_text(&f, FILE_TEXT);
    assert_int_equal(
        shoal_hierarchy_build_memory(&f.ctx, &f.tree, f.file, ILL, TREE, strlen(TREE), "tree"),
        SHOAL_OK);
    assert_int_equal(shoal_i_sensitive_init(&f.ctx, &f.columns[0], f.file, ILL, f.tree, NULL),
                     SHOAL_OK);
    assert_int_equal(shoal_i_sensitive_init(&f.ctx, &f.columns[1], f.file, DEGREE, NULL, NULL),
                     SHOAL_OK);
    *state = &f;
    return 0;
}

static int close_fixture(void **state)
{
    fixture *f = *state;

    shoal_i_sensitive_clear(&f->columns[0]);
    shoal_i_sensitive_clear(&f->columns[1]);
    shoal_hierarchy_free(f->tree);
    shoal_table_free(f->file);
    shoal_i_ctx_clear(&f->ctx);
    return 0;
}

static uint32_t code_of(const fixture *f, const char *text)
{
    int64_t code = shoal_table_find_code(f->file, ILL, text, strlen(text));

    assert_true(code >= 0);
    return (uint32_t)code;
}

static shoal_i_verdict_item verify_one(fixture *f, shoal_i_requirement item, size_t column)
{
    const size_t quasi[] = {Q};
    shoal_i_requirement_set set = {0};
    shoal_i_verdict verdict;

    item.column = &f->columns[column];
    item.column_index = column;
    assert_int_equal(shoal_i_requirement_add_item(&f->ctx, &set, &item), SHOAL_OK);
    assert_int_equal(shoal_i_verify(&f->ctx, &verdict, f->file, quasi, 1, &set, NULL),
                     SHOAL_OK);
    assert_int_equal(verdict.classes, 2);
    assert_int_equal(verdict.smallest_class, 4);
    assert_int_equal(verdict.count, 1);
    assert_true(verdict.holds == verdict.items[0].holds);
    shoal_i_requirement_set_clear(&set);
    return verdict.items[0];
}

typedef struct expectation {
    const shoal_i_requirement_kind *kind;
    size_t column; /* 0 ill, 1 degree */
    double holds;  /* a parameter that holds */
    double fails;  /* one that does not */
    double c;
    double figure; /* the worst, with the parameter that fails */
    uint64_t worst_class;
    uint64_t failing_classes;
} expectation;

static const expectation expectations[] = {
    {&shoal_i_alpha_general, 0, 0.5, 0.49, 0, 0.5, 0, 2},
    {&shoal_i_l_frequency, 0, 2, 2.1, 0, 2, 0, 2},
    {&shoal_i_l_distinct, 0, 3, 4, 0, 3, 0, 2},
    {&shoal_i_l_entropy, 0, 2.74, 2.8, 0, 2.749459, 0, 1}, /* "a" has 2.828 */
    {&shoal_i_l_recursive, 0, 2, 3, 2.5, 3, 0, 1},         /* 3/1 and 2/1 */
    {&shoal_i_t_equal, 0, 0.05, 0.04, 0, 0.05, 1, 1},
    {&shoal_i_t_js, 0, 0.0026, 0.0025, 0, 0.002530, 1, 1},
    {&shoal_i_t_ordered, 1, 0.025, 0.02, 0, 0.025, 1, 1},
    {&shoal_i_t_hierarchical, 0, 0.05, 0.04, 0, 0.05, 1, 1},
    {&shoal_i_delta_disclosure, 0, 0.2232, 0.2, 0, 0.223144, 1, 1},
    {&shoal_i_beta_basic, 0, 0.25, 0.2, 0, 0.25, 1, 1},
    {&shoal_i_beta_enhanced, 0, 0.25, 0.2, 0, 0.25, 1, 1},
};

static void test_every_kind(void **state)
{
    fixture *f = *state;

    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        const expectation *e = &expectations[i];
        shoal_i_requirement item = {.kind = e->kind, .value = e->holds, .c = e->c};
        shoal_i_verdict_item good = verify_one(f, item, e->column);

        assert_true(good.holds);
        assert_int_equal(good.failing_classes, 0);
        assert_int_equal(good.failing_records, 0);

        item.value = e->fails;
        shoal_i_verdict_item bad = verify_one(f, item, e->column);

        assert_false(bad.holds);
        assert_int_equal(bad.failing_classes, e->failing_classes);
        assert_int_equal(bad.worst_class, e->worst_class);
        assert_int_equal(bad.worst_class_size, e->worst_class == 0 ? 6 : 4);
        assert_int_equal(bad.worst_row, e->worst_class == 0 ? 0 : 1);
        assert_true(fabs(bad.worst_figure - e->figure) < 1e-6);
        assert_int_equal(bad.failing_records,
                         e->failing_classes == 2 ? 10 : bad.worst_class_size);
    }
}

static void test_named_values(void **state)
{
    fixture *f = *state;
    uint32_t named[] = {code_of(f, "HIV"), code_of(f, "fever")};
    double limits[] = {0.2, 0.4};
    shoal_i_requirement item = {
        .kind = &shoal_i_alpha_values, .value = 0.25, .codes = named, .code_count = 1};
    shoal_i_verdict_item one = verify_one(f, item, 0);

    assert_true(one.holds);
    assert_true(one.worst_figure == 0.25);
    assert_int_equal(one.worst_class, 1);

    item.code_count = 2;
    item.value = 0.49;
    shoal_i_verdict_item both = verify_one(f, item, 0);

    assert_int_equal(both.failing_classes, 2);
    assert_true(both.worst_figure == 0.5);

    item.kind = &shoal_i_alpha_limits;
    item.limits = limits;
    shoal_i_verdict_item limited = verify_one(f, item, 0);

    assert_int_equal(limited.failing_classes, 1); /* HIV of "a": 0.25 > 0.2 */
    assert_int_equal(limited.worst_class, 1);
}

/* Two columns, and a requirement that reads none between them. */
static void test_conjunction(void **state)
{
    fixture *f = *state;
    const size_t quasi[] = {Q};
    shoal_i_requirement_set set = {0};
    shoal_i_verdict verdict;
    const shoal_i_requirement items[] = {
        {.kind = &shoal_i_t_ordered,
         .value = 0.02,
         .column = &f->columns[1],
         .column_index = 1},
        {.kind = &shoal_i_k_anonymity, .value = 5},
        {.kind = &shoal_i_l_distinct, .value = 3, .column = &f->columns[0], .column_index = 0},
    };

    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(shoal_i_requirement_add_item(&f->ctx, &set, &items[i]), SHOAL_OK);
    }
    assert_int_equal(shoal_i_verify(&f->ctx, &verdict, f->file, quasi, 1, &set, NULL),
                     SHOAL_OK);
    assert_false(verdict.holds);
    assert_false(verdict.items[0].holds);
    assert_false(verdict.items[1].holds);
    assert_int_equal(verdict.items[1].worst_class, 1);
    assert_true(verdict.items[2].holds);
    shoal_i_requirement_set_clear(&set);
}

/* "?" and nothing are one value; a class without some value of the file violates delta for
 * good. */
static void test_missing_and_absent_values(void **state)
{
    const size_t quasi[] = {Q};
    shoal_i_requirement_set set = {0};
    shoal_i_sensitive column = {0};
    shoal_i_verdict verdict;
    fixture f;

    (void)state;
    open_text(&f, "q,ill,degree\na,?,1\na,,1\nb,x,1\nb,?,1\n");
    assert_int_equal(shoal_i_sensitive_init(&f.ctx, &column, f.file, ILL, NULL, NULL),
                     SHOAL_OK);

    shoal_i_requirement distinct = {.kind = &shoal_i_l_distinct, .value = 2, .column = &column};
    shoal_i_requirement delta = {
        .kind = &shoal_i_delta_disclosure, .value = 9, .column = &column};

    assert_int_equal(shoal_i_requirement_add_item(&f.ctx, &set, &distinct), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add_item(&f.ctx, &set, &delta), SHOAL_OK);
    assert_int_equal(shoal_i_verify(&f.ctx, &verdict, f.file, quasi, 1, &set, NULL), SHOAL_OK);
    assert_int_equal(verdict.items[0].failing_classes, 1);
    assert_int_equal(verdict.items[0].worst_class, 0);
    assert_true(verdict.items[0].worst_figure == 1);
    assert_int_equal(verdict.items[1].failing_classes, 1);
    assert_true(isinf(verdict.items[1].worst_figure));
    shoal_i_requirement_set_clear(&set);
    shoal_i_sensitive_clear(&column);
    shoal_table_free(f.file);
    shoal_i_ctx_clear(&f.ctx);
}

static shoal_status verify_failing(shoal_ctx *ctx, void *payload)
{
    fixture *f = payload;
    const size_t quasi[] = {Q};
    shoal_i_requirement_set set = {0};
    shoal_i_verdict verdict;
    shoal_i_requirement item = {
        .kind = &shoal_i_l_distinct, .value = 3, .column = &f->columns[1], .column_index = 1};
    shoal_status st = shoal_i_requirement_add_item(ctx, &set, &item);

    if (st == SHOAL_OK) {
        st = shoal_i_verify(ctx, &verdict, f->file, quasi, 1, &set, NULL);
    }
    shoal_i_requirement_set_clear(&set);
    return st;
}

static void test_allocation_failures(void **state)
{
    fixture *f = *state;

    assert_survives_failing_allocations(&f->ctx, verify_failing, f);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_every_kind),          CASE(test_named_values),
        CASE(test_conjunction),         cmocka_unit_test(test_missing_and_absent_values),
        CASE(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
