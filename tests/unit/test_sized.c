/* Structs of callers older, and newer, than the library. */
#include <shoal/shoal.h>

#include "failing.h"

#include "base/fail.h"
#include "base/sized.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A struct as it was, and as it is now. */
typedef struct before {
    size_t struct_size;
    int width;
    const char *name;
} before;

typedef struct now {
    size_t struct_size;
    int width;
    const char *name;
    double height;
    const char *colour;
} now;

static const now defaults = {sizeof(now), 3, "none", 1.5, "blue"};

static void test_an_older_struct_leaves_the_rest_at_its_default(void **state)
{
    shoal_ctx ctx;
    struct {
        before given;
        char behind[64]; /* what must not be read */
    } old = {.given = {sizeof(before), 7, "old"}};
    now known = defaults;

    (void)state;
    memset(old.behind, 0x5A, sizeof old.behind);
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_i_sized_take(&ctx, &known, sizeof known, &old, "now"), SHOAL_OK);
    assert_int_equal(known.struct_size, sizeof(now));
    assert_int_equal(known.width, 7);
    assert_string_equal(known.name, "old");
    assert_true(known.height == 1.5);
    assert_string_equal(known.colour, "blue");

    now same = {sizeof(now), 1, "a", 2.5, "red"};

    assert_int_equal(shoal_i_sized_take(&ctx, &known, sizeof known, &same, "now"), SHOAL_OK);
    assert_true(known.height == 2.5);
    assert_string_equal(known.colour, "red");

    memcpy(&known, &defaults, sizeof known);
    assert_int_equal(shoal_i_sized_take(&ctx, &known, sizeof known, NULL, "now"), SHOAL_OK);
    assert_memory_equal(&known, &defaults, sizeof known);
}

static void test_sizes_of_no_known_struct_are_refused(void **state)
{
    const size_t bad[] = {0,
                          1,
                          sizeof(size_t) - 1,
                          sizeof(before) + 4,
                          sizeof(now) + 1,
                          sizeof(now) + sizeof(size_t),
                          SIZE_MAX,
                          SIZE_MAX - 7};
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        now known;
        now given = {bad[i], 9, "x", 9, "x"};
        now untouched;

        /* Padding included, as it is compared too. */
        memcpy(&known, &defaults, sizeof known);
        memcpy(&untouched, &given, sizeof given);
        assert_int_equal(shoal_i_sized_take(&ctx, &known, sizeof known, &given, "now"),
                         SHOAL_EINVAL);
        assert_memory_equal(&known, &defaults, sizeof known);
        assert_non_null(strstr(ctx.error.message, "A now has a struct_size"));
        assert_non_null(strstr(ctx.error.message, "_INIT"));
        assert_false(shoal_i_sized_fill(&given, &defaults, sizeof defaults));
        assert_memory_equal(&given, &untouched, sizeof given);
    }
}

static void test_facts_are_filled_as_far_as_they_go(void **state)
{
    struct {
        before given;
        char behind[16];
    } old = {.given = {.struct_size = sizeof(before)}};
    now all = {.struct_size = sizeof(now)};

    (void)state;
    memset(old.behind, 0x5A, sizeof old.behind);
    assert_true(shoal_i_sized_fill(&old, &defaults, sizeof defaults));
    assert_int_equal(old.given.struct_size, sizeof(before));
    assert_int_equal(old.given.width, 3);
    assert_string_equal(old.given.name, "none");
    for (size_t i = 0; i < sizeof old.behind; i++) {
        assert_int_equal(old.behind[i], 0x5A);
    }
    assert_true(shoal_i_sized_fill(&all, &defaults, sizeof defaults));
    assert_int_equal(all.width, 3);
    assert_string_equal(all.colour, "blue");
}

/* --- The public structs. ------------------------------------------------------------------ */

static void test_options_of_csv(void **state)
{
    static const char text[] = "a;b\n1;?\n";
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
    const char *const tokens[] = {"1"};
    shoal_ctx ctx;
    shoal_table *table = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    options.delimiter = ';';
    options.missing_tokens = tokens;
    options.missing_token_count = 1;
    assert_int_equal(
        shoal_csv_read_memory(&ctx, &table, text, sizeof text - 1, "memory", &options),
        SHOAL_OK);
    assert_int_equal(shoal_table_missing_count(table, 0), 1);
    shoal_table_free(table);

    /* A struct that ends before the tokens: they are at their default. */
    options.struct_size = offsetof(shoal_csv_options, missing_tokens);
    assert_int_equal(
        shoal_csv_read_memory(&ctx, &table, text, sizeof text - 1, "memory", &options),
        SHOAL_OK);
    assert_int_equal(shoal_table_missing_count(table, 0), 0);
    assert_int_equal(shoal_table_missing_count(table, 1), 1);
    shoal_table_free(table);

    for (int i = 0; i < 2; i++) {
        options.struct_size = i ? sizeof options + sizeof(size_t) : 0;
        assert_int_equal(
            shoal_csv_read_memory(&ctx, &table, text, sizeof text - 1, "memory", &options),
            SHOAL_EINVAL);
        assert_null(table);
        assert_non_null(strstr(ctx.error.message, "shoal_csv_options"));
    }
}

static void test_options_of_generate(void **state)
{
    shoal_generate_options options = SHOAL_GENERATE_OPTIONS_INIT;
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(options.seed, 1);
    options.records = 1;
    options.sigma = -1; /* refused, where it is read */
    assert_int_equal(shoal_generate(&ctx, "/nowhere/at/all", &options), SHOAL_EINVAL);
    options.struct_size = offsetof(shoal_generate_options, sigma);
    assert_int_equal(shoal_generate(&ctx, "/nowhere/at/all", &options), SHOAL_ENOTFOUND);
    options.struct_size = 0;
    assert_int_equal(shoal_generate(&ctx, "/nowhere/at/all", &options), SHOAL_EINVAL);
    assert_non_null(strstr(ctx.error.message, "shoal_generate_options"));
}

static void test_workload(void **state)
{
    shoal_workload workload = SHOAL_WORKLOAD_INIT;
    shoal_ctx ctx;
    shoal_spec *spec = NULL;
    shoal_report *report = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_spec_new(&ctx, &spec), SHOAL_OK);
    workload.kind = "lili";
    workload.estimator = "none such";
    assert_int_equal(shoal_query_workload(&ctx, &report, spec, "a", "b", &workload),
                     SHOAL_EINVAL);
    assert_null(strstr(ctx.error.message, "shoal_workload"));
    workload.struct_size += sizeof(size_t);
    assert_int_equal(shoal_query_workload(&ctx, &report, spec, "a", "b", &workload),
                     SHOAL_EINVAL);
    assert_non_null(strstr(ctx.error.message, "shoal_workload"));
    shoal_spec_free(spec);
}

static void test_facts(void **state)
{
    shoal_method_facts method = SHOAL_METHOD_FACTS_INIT;
    shoal_option_facts option = SHOAL_OPTION_FACTS_INIT;

    (void)state;
    assert_true(shoal_method_describe(&method, 0));
    assert_string_equal(method.name, shoal_method_name(0));
    method.struct_size = offsetof(shoal_method_facts, summary);
    method.summary = NULL;
    assert_true(shoal_method_describe(&method, 1));
    assert_string_equal(method.name, shoal_method_name(1));
    assert_null(method.summary);
    method.struct_size = 0;
    assert_false(shoal_method_describe(&method, 0));
    option.struct_size = 2 * sizeof option;
    for (size_t i = 0; shoal_method_name(i); i++) {
        assert_false(shoal_method_option_describe(&option, i, 0));
    }
    assert_null(option.name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_older_struct_leaves_the_rest_at_its_default),
        cmocka_unit_test(test_sizes_of_no_known_struct_are_refused),
        cmocka_unit_test(test_facts_are_filled_as_far_as_they_go),
        cmocka_unit_test(test_options_of_csv),
        cmocka_unit_test(test_options_of_generate),
        cmocka_unit_test(test_workload),
        cmocka_unit_test(test_facts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
