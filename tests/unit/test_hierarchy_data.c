/* Hierarchies as ARX ships them, over the Adult table they were made for. Skipped where the
 * data is absent: it is looked for where SHOAL_DATA points, or beside the tree. */
#include "test_hierarchy_common.h"

#include "base/file.h"

#include <unistd.h>

enum { SKIPPED = 77 };

static char folder[512];

typedef struct expectation {
    const char *column;
    const char *file;
    size_t nodes; /* 0: not told */
    int height;
} expectation;

static shoal_table *read_adult(shoal_ctx *ctx)
{
    char path[600];
    shoal_table *table = NULL;

    snprintf(path, sizeof path, "%s/adult/adult_train.csv", folder);
    if (shoal_csv_read(ctx, &table, path, NULL) != SHOAL_OK) {
        fail_msg("%s", ctx->error.message);
    }
    return table;
}

static void check_file(shoal_ctx *ctx, const shoal_table *table, const expectation *e)
{
    char path[600];
    ptrdiff_t column = shoal_table_find(table, e->column);
    shoal_hierarchy *h = NULL;

    assert_true(column >= 0);
    snprintf(path, sizeof path, "%s/adult/%s", folder, e->file);
    if (shoal_hierarchy_build_file(ctx, &h, table, (size_t)column, path) != SHOAL_OK) {
        fail_msg("%s: %s", e->file, ctx->error.message);
    }
    assert_total_and_nested(h, table, (size_t)column);
    assert_string_equal(shoal_hierarchy_label(h, 0), "*");
    assert_int_equal(shoal_hierarchy_height(h), e->height);
    if (e->nodes > 0) {
        assert_int_equal(shoal_hierarchy_node_count(h), e->nodes);
    }
    shoal_hierarchy_free(h);
}

static void test_arx_files(void **state)
{
    const expectation files[] = {
        {"age", "hierarchies/age.csv", 0, 4},
        {"education", "hierarchies/education.csv", 0, 3},
        {"marital-status", "hierarchies/marital-status.csv", 1 + 2 + 7, 2},
        {"native-country", "hierarchies/native-country.csv", 0, 2},
        {"occupation", "hierarchies/occupation.csv", 0, 2},
        {"race", "hierarchies/race.csv", 1 + 5, 1},
        {"sex", "hierarchies/sex.csv", 1 + 2, 1},
        {"workclass", "hierarchies/workclass.csv", 0, 2},
        {"marital-status", "hierarchies_xu/marital-status.csv", 0, 2},
        {"workclass", "hierarchies_xu/workclass.csv", 0, 2},
    };
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_adult(&ctx);

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        check_file(&ctx, table, &files[i]);
    }
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

/* The age file has intervals of 5, 10 and 20 years: ages stay in numeric order. */
static void test_ages_stay_in_order(void **state)
{
    char path[600];
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_adult(&ctx);
    ptrdiff_t column = shoal_table_find(table, "age");

    assert_true(column >= 0);
    snprintf(path, sizeof path, "%s/adult/hierarchies/age.csv", folder);
    assert_int_equal(shoal_hierarchy_build_file(&ctx, &h, table, (size_t)column, path),
                     SHOAL_OK);
    for (uint32_t code = 0; code < shoal_table_value_count(table, (size_t)column); code++) {
        assert_int_equal(shoal_hierarchy_leaf(h, code), code);
    }
    shoal_hierarchy_free(h);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arx_files),
        cmocka_unit_test(test_ages_stay_in_order),
    };
    const char *data = getenv("SHOAL_DATA");

    snprintf(folder, sizeof folder, "%s", data ? data : SHOAL_TREE "/../shared/data");
    if (access(folder, R_OK) != 0) {
        printf("skipped: no data at %s (set SHOAL_DATA)\n", folder);
        return SKIPPED;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
