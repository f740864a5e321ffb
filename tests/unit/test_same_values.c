/* Values of a column that are one: numbers as decimals, texts by ways; how values are numbered,
 * what is missing, what is in doubt. */
#include "context.h"
#include "table_tools.h"

#include "requirement/sensitive.h"
#include "table/same/same_values.h"

#define NUMBERS                                                                                \
    (shoal_i_sameness)                                                                         \
    {                                                                                          \
        .has_numbers = true                                                                    \
    }

/* --- Decimals. ---------------------------------------------------------------------------- */

static void assert_equal_decimals(const char *a, const char *b, bool are_equal)
{
    char keys[2][80];
    size_t sizes[2] = {shoal_i_decimal_key(keys[0], a, strlen(a)),
                       shoal_i_decimal_key(keys[1], b, strlen(b))};

    assert_true(sizes[0] > 0 && sizes[1] > 0);
    if ((sizes[0] == sizes[1] && memcmp(keys[0], keys[1], sizes[0]) == 0) != are_equal) {
        print_error("%s and %s\n", a, b);
        fail();
    }
}

static void test_decimals_are_compared_exactly(void **state)
{
    static const char *const same[][2] = {
        {"7", "7.0"},   {"7", "07"},       {"7", "+7"},       {"7", "70e-1"}, {"7", "0.7E+1"},
        {"0", "-0.00"}, {"0", "0e99"},     {".5", "0.50"},    {"5.", "5"},    {"-1.50", "-1.5"},
        {"100", "1e2"}, {"1020", "102e1"}, {"0.001", "1e-3"},
    };
    static const char *const others[][2] = {
        {"7", "-7"},     {"7", "70"},
        {"1.01", "1.1"}, {"0.1", "0.01"},
        {"102", "1.2"},  {"12345678901234567890", "12345678901234567891"},
        {"1e2", "1e3"},  {"0.1000000000000000055511151231257827", "0.1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_equal_decimals(same[i][0], same[i][1], true);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_equal_decimals(others[i][0], others[i][1], false);
    }
}

static void test_what_is_no_decimal(void **state)
{
    static const char *const texts[] = {"",
                                        "+",
                                        ".",
                                        "-.",
                                        "e5",
                                        "1e",
                                        "1e+",
                                        "7 ",
                                        " 7",
                                        "1,5",
                                        "0x10",
                                        "nan",
                                        "inf",
                                        "--7",
                                        "1.2.3",
                                        "7e1.5",
                                        "1e99999999999999999999",
                                        "seven"};
    char key[80];

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(shoal_i_decimal_key(key, texts[i], strlen(texts[i])), 0);
    }
}

/* --- Values. ------------------------------------------------------------------------------ */

static shoal_status as_texts(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                             size_t count)
{
    (void)ctx;
    (void)payload;
    for (size_t i = 0; i < count; i++) {
        columns[i].type = SHOAL_TYPE_STRING;
    }
    return SHOAL_OK;
}

static shoal_table *read_column(shoal_ctx *ctx, const char *text)
{
    shoal_csv_options options = {
        .struct_size = sizeof options, .delimiter = ';', .configure = as_texts};

    return read_text(ctx, text, &options);
}

/* Whether two texts of column 0 are one value. */
static bool are_one(const shoal_table *table, const shoal_i_same_values *values, const char *a,
                    const char *b)
{
    int64_t codes[2] = {shoal_table_find_code(table, 0, a, strlen(a)),
                        shoal_table_find_code(table, 0, b, strlen(b))};

    assert_true(codes[0] >= 0 && codes[1] >= 0);
    return shoal_i_same_values_first(values, (uint32_t)codes[0]) ==
           shoal_i_same_values_first(values, (uint32_t)codes[1]);
}

static void test_values_are_numbered_by_their_first_code(void **state)
{
    shoal_table *table = read_column(*state, "x\n7\nHIV\n7.0\nhiv\n+7\nflu\n");
    shoal_i_sameness same = {.has_numbers = true, .ways = SHOAL_I_FOLD_CASE};
    shoal_i_same_values values = {0};
    shoal_i_arena arena = {0};
    /* By bytes: +7 7 7.0 HIV flu hiv. */
    const uint32_t value_of[] = {0, 0, 0, 1, 2, 1};
    const uint32_t code_of[] = {0, 3, 4};

    assert_int_equal(shoal_i_same_values_find(*state, &values, &arena, table, 0, &same),
                     SHOAL_OK);
    assert_int_equal(values.count, 3);
    assert_memory_equal(values.value_of, value_of, sizeof value_of);
    assert_memory_equal(values.code_of, code_of, sizeof code_of);
    shoal_i_arena_clear(&arena);
    shoal_table_free(table);
}

static void test_where_nothing_is_the_same_codes_are_values(void **state)
{
    shoal_table *table = read_column(*state, "x\n7\nHIV\n7.0\nhiv\n");
    shoal_i_same_values values = {0};
    shoal_i_arena arena = {0};
    const shoal_i_sameness none = {0};
    const shoal_i_sameness blanks = {.ways = SHOAL_I_FOLD_BLANKS};

    assert_int_equal(shoal_i_same_values_find(*state, &values, &arena, table, 0, &none),
                     SHOAL_OK);
    assert_true(values.count == 4 && !values.value_of);
    assert_int_equal(shoal_i_same_values_find(*state, &values, &arena, table, 0, &blanks),
                     SHOAL_OK);
    assert_true(values.count == 4 && !values.value_of);
    assert_int_equal(shoal_i_same_values_find(*state, &values, &arena, table, 0, NULL),
                     SHOAL_OK);
    assert_true(values.count == 4 && !values.value_of);
    shoal_i_arena_clear(&arena);
    shoal_table_free(table);
}

/* A blank is as good as nothing, where blanks do not count and nothing is a missing value. */
static void test_what_is_written_as_missing_is_missing(void **state)
{
    shoal_table *table = read_column(*state, "x;y\n ;1\nA;2\n;3\nA ;4\n? ;5\n");
    shoal_i_sameness same = {.ways = SHOAL_I_FOLD_BLANKS};
    shoal_i_same_values values = {0};
    shoal_i_arena arena = {0};

    assert_int_equal(shoal_i_same_values_find(*state, &values, &arena, table, 0, &same),
                     SHOAL_OK);
    assert_int_equal(values.count, 3); /* "? ", A, missing */
    assert_int_equal(values.value_of[shoal_table_find_code(table, 0, " ", 1)], 2);
    assert_int_equal(values.value_of[4], 2);
    assert_int_equal(values.code_of[2], 4);
    same.keeps_missing = true;
    assert_int_equal(shoal_i_same_values_find(*state, &values, &arena, table, 0, &same),
                     SHOAL_OK);
    assert_int_equal(values.count, 4); /* " ", "? ", A, missing */
    assert_int_equal(shoal_i_same_values_first(&values, 4), 4);
    assert_int_not_equal(values.value_of[shoal_table_find_code(table, 0, " ", 1)], 3);
    shoal_i_arena_clear(&arena);
    shoal_table_free(table);
}

static void test_numbers_are_read_by_the_format_of_the_column(void **state)
{
    shoal_table *table = read_column(*state, "x\n1.000\n1000,0\n1000\n1,0\n1\n1 000\n");
    shoal_i_sameness same = {.has_numbers = true, .decimal = ',', .thousands = '.'};
    shoal_i_same_values values = {0};
    shoal_i_arena arena = {0};

    assert_int_equal(shoal_i_same_values_find(*state, &values, &arena, table, 0, &same),
                     SHOAL_OK);
    assert_int_equal(values.count, 3);
    assert_true(are_one(table, &values, "1.000", "1000,0"));
    assert_true(are_one(table, &values, "1,0", "1"));
    assert_false(are_one(table, &values, "1 000", "1000"));
    shoal_i_arena_clear(&arena);
    shoal_table_free(table);
}

/* A number is not the text that its key looks like, and a folded text may be a number. */
static void test_numbers_behind_blanks(void **state)
{
    shoal_table *table = read_column(*state, "x\n7\n 7.0\n#7\n\"\"\"7\"\n");
    shoal_i_sameness same = NUMBERS;
    shoal_i_same_values values = {0};
    shoal_i_arena arena = {0};

    assert_int_equal(shoal_i_same_values_find(*state, &values, &arena, table, 0, &same),
                     SHOAL_OK);
    assert_int_equal(values.count, 4);
    same.ways = SHOAL_I_FOLD_BLANKS;
    assert_int_equal(shoal_i_same_values_find(*state, &values, &arena, table, 0, &same),
                     SHOAL_OK);
    assert_int_equal(values.count, 3);
    assert_true(are_one(table, &values, "7", " 7.0"));
    shoal_i_arena_clear(&arena);
    shoal_table_free(table);
}

static void test_typed_columns_have_their_values(void **state)
{
    shoal_csv_options options = {.struct_size = sizeof options};
    shoal_table *table = read_text(*state, "x,y\n7,a\n7.0,b\n8,c\n", &options);
    shoal_i_sameness same = {.has_numbers = true, .ways = SHOAL_I_FOLD_ALL};
    shoal_i_same_values values = {0};
    shoal_i_arena arena = {0};
    size_t found = 1;
    unsigned ways = 0;

    assert_int_equal(shoal_i_same_values_find(*state, &values, &arena, table, 0, &same),
                     SHOAL_OK);
    assert_true(values.count == 2 && !values.value_of);
    same.ways = 0;
    assert_int_equal(shoal_i_same_values_doubt(*state, &found, &ways, table, 0, &same),
                     SHOAL_OK);
    assert_int_equal(found, 0);
    shoal_i_arena_clear(&arena);
    shoal_table_free(table);
}

static void test_doubts_tell_the_fewest_ways(void **state)
{
    static const struct {
        const char *text;
        unsigned said;
        size_t found;
        unsigned ways;
    } cases[] = {
        {"x\nA\nB\n", 0, 0, 0},
        {"x\nA\na\n", 0, 1, SHOAL_I_FOLD_CASE},
        {"x\nA\nA \n a\n", 0, 2, SHOAL_I_FOLD_CASE | SHOAL_I_FOLD_BLANKS},
        {"x\nA\nA \n a\n", SHOAL_I_FOLD_CASE, 2, SHOAL_I_FOLD_CASE | SHOAL_I_FOLD_BLANKS},
        {"x\nA\nA \n a\n", SHOAL_I_FOLD_BLANKS, 1, SHOAL_I_FOLD_CASE | SHOAL_I_FOLD_BLANKS},
        {"x\n\xC3\xA9\ne\xCC\x81\nb\n", 0, 1, SHOAL_I_FOLD_UNICODE},
        {"x\n\xC3\x89\ne\xCC\x81\nb\n", 0, 1, SHOAL_I_FOLD_UNICODE | SHOAL_I_FOLD_CASE},
        {"x\n\xC3\x89\ne\xCC\x81\nb\n", SHOAL_I_FOLD_ALL, 0, SHOAL_I_FOLD_ALL},
        {"x\n7\n7.0\n", 0, 0, 0},
        {"x\n7\n7.0 \n", 0, 1, SHOAL_I_FOLD_BLANKS},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_table *table = read_column(*state, cases[i].text);
        shoal_i_sameness same = {.has_numbers = true, .ways = cases[i].said};
        size_t found = 99;
        unsigned ways = 99;

        assert_int_equal(shoal_i_same_values_doubt(*state, &found, &ways, table, 0, &same),
                         SHOAL_OK);
        assert_int_equal(found, cases[i].found);
        assert_int_equal(ways, cases[i].ways);
        shoal_table_free(table);
    }
}

static void test_texts_are_sought(void **state)
{
    shoal_table *table = read_column(*state, "x;y\nHIV;1\n7;2\n;3\n");
    shoal_i_sameness same = {.has_numbers = true, .ways = SHOAL_I_FOLD_ALL};
    static const struct {
        const char *text;
        int64_t code;
    } cases[] = {{" hiv", 1}, {"7.00", 0}, {" ", 2}, {"flu", -1}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t code = 9;

        assert_int_equal(shoal_i_same_values_seek(*state, &code, table, 0, &same, cases[i].text,
                                                  strlen(cases[i].text)),
                         SHOAL_OK);
        assert_int_equal(code, cases[i].code);
    }
    shoal_table_free(table);
}

/* --- Sensitive columns. ------------------------------------------------------------------- */

static void test_a_sensitive_column_counts_values(void **state)
{
    shoal_table *table = read_column(*state, "x;y\nflu;1\nHIV;2\nhiv;3\n;4\nflu;5\n");
    shoal_i_sameness same = {.ways = SHOAL_I_FOLD_CASE};
    shoal_i_sensitive s = {0};
    shoal_i_sensitive part = {0};
    shoal_i_sensitive counted = {0};
    const uint32_t codes[] = {1, 0, 0, 2, 1};
    const uint32_t by_code[] = {1, 2, 1, 1}; /* HIV flu hiv, missing */
    const uint32_t totals[] = {2, 2, 1};
    uint32_t code = 9;

    assert_int_equal(shoal_i_sensitive_init(*state, &s, table, 0, NULL, &same), SHOAL_OK);
    assert_int_equal(s.value_count, 3);
    assert_true(s.has_missing);
    assert_int_equal(s.total, 5);
    assert_memory_equal(s.codes, codes, sizeof codes);
    assert_memory_equal(s.totals, totals, sizeof totals);
    assert_int_equal(shoal_i_sensitive_find(*state, &code, &s, "hIV", 3), SHOAL_OK);
    assert_int_equal(code, 0);
    assert_int_equal(shoal_i_sensitive_find(*state, &code, &s, "", 0), SHOAL_OK);
    assert_int_equal(code, 2);
    assert_int_equal(shoal_i_sensitive_find(*state, &code, &s, "gout", 4), SHOAL_ENOTFOUND);
    assert_int_equal(shoal_i_sensitive_init_part(*state, &part, &s, table), SHOAL_OK);
    assert_memory_equal(part.codes, codes, sizeof codes);
    assert_int_equal(
        shoal_i_sensitive_init_counted(*state, &counted, table, 0, NULL, &same, by_code),
        SHOAL_OK);
    assert_int_equal(counted.value_count, 3);
    assert_int_equal(counted.total, 5);
    assert_memory_equal(counted.totals, totals, sizeof totals);
    shoal_i_sensitive_clear(&part);
    shoal_i_sensitive_clear(&counted);
    shoal_i_sensitive_clear(&s);
    shoal_table_free(table);
}

static void test_a_hierarchy_has_a_leaf_for_each_value(void **state)
{
    static const char levels[] = "HIV;virus;*\nhiv;virus;*\nflu;virus;*\ngout;joint;*\n";
    static const char apart[] = "HIV;virus;*\nhiv;joint;*\nflu;virus;*\ngout;joint;*\n";
    shoal_table *table = read_column(*state, "x\nflu\nHIV\nhiv\ngout\n");
    shoal_i_sameness same = {.ways = SHOAL_I_FOLD_CASE};
    shoal_i_sensitive s = {0};
    shoal_hierarchy *h = NULL;

    assert_int_equal(
        shoal_hierarchy_build_memory(*state, &h, table, 0, levels, sizeof levels - 1, "levels"),
        SHOAL_OK);
    assert_int_equal(shoal_i_sensitive_init(*state, &s, table, 0, h, &same), SHOAL_OK);
    assert_int_equal(shoal_hierarchy_leaf_count(s.hierarchy), 3);
    assert_int_equal(shoal_hierarchy_height(s.hierarchy), 2);
    for (uint32_t value = 0; value < 3; value++) {
        uint32_t node =
            shoal_hierarchy_leaf_node(s.hierarchy, shoal_hierarchy_leaf(s.hierarchy, value));

        assert_string_equal(
            shoal_hierarchy_label(s.hierarchy, node),
            shoal_table_text(table, 0, shoal_i_sensitive_entry(&s, value), NULL));
    }
    shoal_i_sensitive_clear(&s);
    shoal_hierarchy_free(h);
    assert_int_equal(
        shoal_hierarchy_build_memory(*state, &h, table, 0, apart, sizeof apart - 1, "levels"),
        SHOAL_OK);
    assert_int_equal(shoal_i_sensitive_init(*state, &s, table, 0, h, &same), SHOAL_EINVAL);
    shoal_hierarchy_free(h);
    shoal_table_free(table);
}

/* --- Failing allocations. ----------------------------------------------------------------- */

static shoal_status do_all(shoal_ctx *ctx, void *payload)
{
    static const char levels[] = "HIV;a;*\nhiv;a;*\nHIV ;a;*\n7;b;*\n7.0;b;*\n";
    shoal_status st = SHOAL_OK;
    const shoal_table *table = payload;
    shoal_i_sameness same = {.has_numbers = true, .ways = SHOAL_I_FOLD_CASE};
    shoal_i_sensitive s = {0};
    shoal_hierarchy *h = NULL;
    size_t found = 0;
    unsigned ways = 0;
    uint32_t code = 0;

    SHOAL_TRY(shoal_hierarchy_build_memory(ctx, &h, table, 0, levels, sizeof levels - 1, "l"));
    SHOAL_TRY(shoal_i_sensitive_init(ctx, &s, table, 0, h, &same));
    SHOAL_TRY(shoal_i_sensitive_find(ctx, &code, &s, "hiV", 3));
    SHOAL_TRY(shoal_i_same_values_doubt(ctx, &found, &ways, table, 0, &same));
done:
    shoal_i_sensitive_clear(&s);
    shoal_hierarchy_free(h);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_table *table = read_column(*state, "x\nHIV\nhiv\nHIV \n7\n7.0\n");

    assert_survives_failing_allocations(*state, do_all, table);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decimals_are_compared_exactly),
        cmocka_unit_test(test_what_is_no_decimal),
        cmocka_unit_test(test_values_are_numbered_by_their_first_code),
        cmocka_unit_test(test_where_nothing_is_the_same_codes_are_values),
        cmocka_unit_test(test_what_is_written_as_missing_is_missing),
        cmocka_unit_test(test_numbers_are_read_by_the_format_of_the_column),
        cmocka_unit_test(test_numbers_behind_blanks),
        cmocka_unit_test(test_typed_columns_have_their_values),
        cmocka_unit_test(test_doubts_tell_the_fewest_ways),
        cmocka_unit_test(test_texts_are_sought),
        cmocka_unit_test(test_a_sensitive_column_counts_values),
        cmocka_unit_test(test_a_hierarchy_has_a_leaf_for_each_value),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
