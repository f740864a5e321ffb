/* Hierarchies from tables: the tree of the file that says the same, its mistakes by record and
 * field, and specs that hold, copy and write such tables. */
#include "test_hierarchy_common.h"

#include <shoal/job.h>

static const char jobs[] = "id,job\n1,nurse\n2,baker\n3,clerk\n4,nurse\n";
static const char good[] = "nurse;care;*\nclerk;office;*\nbaker;craft;*\n";

/* The table of the lines of a hierarchy file without quotes, shorter lines filled up with empty
 * cells, which are missing. */
static shoal_table *levels_of(shoal_ctx *ctx, const char *file)
{
    const char *lines[100];
    size_t count = 0;
    size_t most = 1;
    shoal_i_buffer csv;
    shoal_table *table = NULL;
    char *text = NULL;

    for (const char *at = file; *at; at = strchr(at, '\n') + 1) {
        size_t labels = 1;

        for (const char *p = at; *p != '\n'; p++) {
            labels += *p == ';';
        }
        most = labels > most ? labels : most;
        lines[count++] = at;
    }
    shoal_i_buffer_init(&csv, ctx, SHOAL_I_BUFFER_MAX);
    for (size_t c = 0; c < most; c++) {
        shoal_i_buffer_printf(&csv, "%sc%zu", c > 0 ? "," : "", c);
    }
    for (size_t i = 0; i < count; i++) {
        size_t commas = 0;

        shoal_i_buffer_char(&csv, '\n');
        for (const char *p = lines[i]; *p != '\n'; p++) {
            shoal_i_buffer_char(&csv, *p == ';' ? ',' : *p);
            commas += *p == ';';
        }
        for (; commas + 1 < most; commas++) {
            shoal_i_buffer_char(&csv, ',');
        }
    }
    assert_int_equal(shoal_i_buffer_take(&text, &csv), SHOAL_OK);
    if (shoal_csv_read_memory(ctx, &table, text, strlen(text), "", NULL) != SHOAL_OK) {
        fail_msg("%s", ctx->error.message);
    }
    free(text);
    return table;
}

static size_t last_column(const shoal_table *table)
{
    return shoal_table_column_count(table) - 1;
}

/* The tree of the table is that of the file, and the expected one. */
static void assert_reads(const char *text, const char *file, const char *expected)
{
    shoal_ctx ctx;
    shoal_hierarchy *of_file = NULL;
    shoal_hierarchy *of_table = NULL;

    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, text);
    shoal_table *levels = levels_of(&ctx, file);
    size_t column = last_column(table);

    assert_int_equal(shoal_hierarchy_build_memory(&ctx, &of_file, table, column, file,
                                                  strlen(file), "job.csv"),
                     SHOAL_OK);
    if (shoal_hierarchy_build_table(&ctx, &of_table, table, column, levels) != SHOAL_OK) {
        fail_msg("%s", ctx.error.message);
    }
    assert_total_and_nested(of_table, table, column);
    shoal_table_free(table);
    shoal_table_free(levels); /* the hierarchy has what it needs */
    assert_tree(of_file, expected);
    assert_tree(of_table, expected);
    shoal_hierarchy_free(of_file);
    shoal_hierarchy_free(of_table);
    shoal_i_ctx_clear(&ctx);
}

static void test_records_mean_what_lines_mean(void **state)
{
    (void)state;
    assert_reads(jobs, good, "*(craft(baker) office(clerk) care(nurse))");
    assert_reads(jobs, "nurse;*\nclerk;*\nbaker;*\n", "*(baker clerk nurse)");
    /* Ragged, with and without empty cells in between; a repeated level. */
    assert_reads(jobs, "nurse;hospital;care;*\nclerk;*\nbaker;craft;*\n",
                 "*(craft(baker) clerk care(hospital(nurse)))");
    assert_reads(jobs, "nurse;hospital;care;*\nclerk;;;*\nbaker;craft;*;\n",
                 "*(craft(baker) clerk care(hospital(nurse)))");
    assert_reads(jobs, "nurse;nurse;care;*\nclerk;other;other;*\nbaker;other;other;*\n",
                 "*(other(baker clerk) care(nurse))");
    assert_reads(jobs, "nurse;nurse;*\nclerk;nurse;*\nbaker;*\n",
                 "*(baker nurse(clerk nurse))");
    /* Values that the column lacks; equal records. */
    assert_reads(jobs, "pilot;air;*\nnurse;care;*\nclerk;office;*\nbaker;craft;*\n",
                 "*(craft(baker) office(clerk) care(nurse))");
    assert_reads("job\nnurse\n", "nurse;care;*\npilot;air;*\nnurse;care;*\npilot;air;*\n",
                 "*(care(nurse))");
}

static void test_numbers_match_by_value(void **state)
{
    (void)state;
    assert_reads("age\n7\n20\n100\n", "100;old;*\n20;young;*\n7;young;*\n",
                 "*(young(7 20) old(100))");
    assert_reads("x\n7.0\n2.5\n", "2.50;g;*\n7;h;*\n", "*(g(2.5) h(7.0))");
    /* Labels that are numbers are texts. */
    assert_reads("age\n7\n20\n", "7;0;99\n20;20;99\n", "99(0(7) 20)");
    assert_reads("day\n2024-05-01\n2024-06-01\n", "2024-05-01;May;*\n2024-06-01;June;*\n",
                 "*(May(2024-05-01) June(2024-06-01))");
}

static void test_missing_values(void **state)
{
    const char *const column = "x,job\n1,nurse\n2,?\n";

    (void)state;
    assert_reads(column, "nurse;care;*\n", "*(care(nurse) ?)");
    assert_reads(column, "nurse;care;*\n?;none;*\n", "*(care(nurse) none(?))");
    assert_reads("x,job\n1,?\n2,?\n", "nurse;care;*\n", "*(?)");
}

/* A record without a value is none of an empty text: the one places what is missing, the other
 * the text. */
static void test_no_value_is_no_empty_text(void **state)
{
    static const int32_t value_offsets[] = {0, 1, 1, 1};
    static const int32_t group_offsets[] = {0, 1, 2, 3};
    static const int32_t root_offsets[] = {0, 1, 2, 3};
    static const uint8_t some = 3;
    const shoal_array values = {.name = "job",
                                .kind = SHOAL_ARRAY_UTF8,
                                .length = 3,
                                .data = "a",
                                .offsets32 = value_offsets,
                                .validity = &some};
    const shoal_array levels[] = {values,
                                  {.name = "group",
                                   .kind = SHOAL_ARRAY_UTF8,
                                   .length = 3,
                                   .data = "xyz",
                                   .offsets32 = group_offsets},
                                  {.name = "all",
                                   .kind = SHOAL_ARRAY_UTF8,
                                   .length = 3,
                                   .data = "***",
                                   .offsets32 = root_offsets}};
    shoal_ctx ctx;
    shoal_table *table = NULL;
    shoal_table *of_levels = NULL;
    shoal_hierarchy *h = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_table_from_arrays(&ctx, &table, &values, 1), SHOAL_OK);
    assert_int_equal(shoal_table_from_arrays(&ctx, &of_levels, levels, 3), SHOAL_OK);
    assert_int_equal(shoal_hierarchy_build_table(&ctx, &h, table, 0, of_levels), SHOAL_OK);
    assert_tree(h, "*(y() x(a) z())");
    assert_string_equal(
        shoal_hierarchy_label(h, shoal_hierarchy_parent(h, shoal_hierarchy_leaf_node(
                                                               h, shoal_hierarchy_leaf(h, 2)))),
        "z");
    shoal_hierarchy_free(h);
    shoal_table_free(table);
    shoal_table_free(of_levels);
    shoal_i_ctx_clear(&ctx);
}

/* --- What is wrong with them. ----------------------------------------------------------- */

typedef struct mistake {
    const char *file;
    shoal_status status;
    int64_t record;
    int64_t field;
    const char *words;
} mistake;

static void assert_mistake(const mistake *m, bool show_values)
{
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;

    shoal_i_ctx_init(&ctx);
    ctx.show_values = show_values;
    shoal_table *table = read_table(&ctx, jobs);
    shoal_table *levels = levels_of(&ctx, m->file);

    assert_int_equal(shoal_hierarchy_build_table(&ctx, &h, table, 1, levels), m->status);
    assert_null(h);
    if (ctx.error.record != m->record || ctx.error.field != m->field ||
        !strstr(ctx.error.message, m->words)) {
        fail_msg("record %d field %d: %s", (int)ctx.error.record, (int)ctx.error.field,
                 ctx.error.message);
    }
    assert_null(strstr(ctx.error.message, " line"));
    assert_int_equal(ctx.error.line, 0);
    assert_true(show_values || !strstr(ctx.error.message, "nurse"));
    assert_true(show_values || !strstr(ctx.error.message, "care"));
    shoal_table_free(table);
    shoal_table_free(levels);
    shoal_i_ctx_clear(&ctx);
}

static void test_mistakes(void **state)
{
    const mistake mistakes[] = {
        {"nurse;care;*\nbaker\nclerk;*\n", SHOAL_EFORMAT, 1, 0, "one label"},
        {"nurse;care;*\nbaker;care;any\n", SHOAL_EFORMAT, 1, 2, "No common root"},
        {"nurse;care;*\nbaker;care;work;*\n", SHOAL_EFORMAT, 1, 1, "in record 1"},
        {"nurse;care;*\nbaker;craft;care;*\nclerk;craft;*\n", SHOAL_EFORMAT, 2, 1,
         "Two parents"},
        {"nurse;care;*\nclerk;*\nnurse;craft;*\n", SHOAL_EFORMAT, 2, 0, "record 1"},
        {"?;care;*\n?;craft;*\n", SHOAL_EFORMAT, 1, 0, "another path"},
        {"nurse;care;*\nclerk;*\nbaker;nurse;*\n", SHOAL_EFORMAT, 0, 0, "label of a group"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        assert_mistake(&mistakes[i], false);
        assert_mistake(&mistakes[i], true);
    }
}

static void test_uncovered_values(void **state)
{
    const mistake hidden = {"nurse;*\n", SHOAL_EFORMAT, 1, 1,
                            "2 of the 3 values of column \"job\" have no record in the table "
                            "of levels (first met on lines 3, 4 of people.csv); add a record "
                            "for each"};
    const mistake shown = {"nurse;*\n", SHOAL_EFORMAT, 1, 1, "(\"baker\", \"clerk\")"};
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, jobs);
    shoal_table *levels = levels_of(&ctx, hidden.file);

    assert_int_equal(shoal_hierarchy_build_table(&ctx, &h, table, 1, levels), SHOAL_EFORMAT);
    assert_non_null(strstr(ctx.error.message, hidden.words));
    assert_int_equal(ctx.error.record, 1);
    assert_int_equal(ctx.error.field, 1);
    ctx.show_values = true;
    assert_int_equal(shoal_hierarchy_build_table(&ctx, &h, table, 1, levels), SHOAL_EFORMAT);
    assert_non_null(strstr(ctx.error.message, shown.words));
    shoal_table_free(table);
    shoal_table_free(levels);
    shoal_i_ctx_clear(&ctx);
}

static shoal_status skip_first(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                               size_t count)
{
    (void)ctx;
    (void)payload;
    (void)count;
    columns[0].skip = true;
    return SHOAL_OK;
}

static void test_tables_that_are_none(void **state)
{
    static const int32_t no_offsets[] = {0};
    const shoal_array none = {
        .name = "job", .kind = SHOAL_ARRAY_UTF8, .data = "", .offsets32 = no_offsets};
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;
    shoal_table *empty = NULL;
    shoal_table *skipped = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, jobs);

    assert_int_equal(shoal_table_from_arrays(&ctx, &empty, &none, 1), SHOAL_OK);
    options.configure = skip_first;
    assert_int_equal(shoal_csv_read_memory(&ctx, &skipped, "v,g\nnurse,*\n", 12, "", &options),
                     SHOAL_OK);
    assert_int_equal(shoal_hierarchy_build_table(&ctx, &h, table, 1, empty), SHOAL_EFORMAT);
    assert_non_null(strstr(ctx.error.message, "no records"));
    assert_int_equal(shoal_hierarchy_build_table(&ctx, &h, table, 1, skipped), SHOAL_EINVAL);
    assert_int_equal(shoal_hierarchy_build_table(&ctx, &h, table, 1, NULL), SHOAL_EINVAL);
    assert_int_equal(shoal_hierarchy_build_table(&ctx, &h, NULL, 1, table), SHOAL_EINVAL);
    assert_int_equal(shoal_hierarchy_build_table(&ctx, &h, table, 2, table), SHOAL_EINVAL);
    assert_int_equal(shoal_hierarchy_build_table(&ctx, NULL, table, 1, table), SHOAL_EINVAL);
    assert_null(h);
    shoal_table_free(empty);
    shoal_table_free(skipped);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static void test_levels_limit(void **state)
{
    (void)state;
    for (size_t labels = SHOAL_LEVELS_MAX; labels <= SHOAL_LEVELS_MAX + 1; labels++) {
        char file[1024] = "nurse";
        shoal_ctx ctx;
        shoal_hierarchy *h = NULL;

        for (size_t i = 1; i + 1 < labels; i++) {
            snprintf(file + strlen(file), 16, ";g%zu", i);
        }
        snprintf(file + strlen(file), 16, ";*\n");
        shoal_i_ctx_init(&ctx);
        shoal_table *table = read_table(&ctx, "job\nnurse\n");
        shoal_table *levels = levels_of(&ctx, file);
        bool is_too_long = labels > SHOAL_LEVELS_MAX;

        assert_int_equal(shoal_hierarchy_build_table(&ctx, &h, table, 0, levels),
                         is_too_long ? SHOAL_ELIMIT : SHOAL_OK);
        if (is_too_long) {
            assert_int_equal(ctx.error.record, 0);
            assert_int_equal(ctx.error.field, SHOAL_LEVELS_MAX);
        }
        shoal_hierarchy_free(h);
        shoal_table_free(table);
        shoal_table_free(levels);
        shoal_i_ctx_clear(&ctx);
    }
}

/* --- Specs. ----------------------------------------------------------------------------- */

static void assert_spec_builds(shoal_ctx *ctx, const shoal_spec *spec, const shoal_table *table,
                               const char *expected)
{
    shoal_hierarchy *h = NULL;

    if (shoal_hierarchy_build_spec_table(ctx, &h, spec, table, "job") != SHOAL_OK) {
        fail_msg("%s", ctx->error.message);
    }
    assert_tree(h, expected);
    shoal_hierarchy_free(h);
}

static const char expected_good[] = "*(craft(baker) office(clerk) care(nurse))";

static shoal_spec *new_spec(shoal_ctx *ctx, const char *file)
{
    shoal_spec *spec = NULL;
    shoal_table *levels = levels_of(ctx, file);

    assert_int_equal(shoal_spec_new(ctx, &spec), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(ctx, spec, "job", SHOAL_ROLE_QUASI), SHOAL_OK);
    assert_int_equal(shoal_spec_set_hierarchy_table(ctx, spec, "job", levels), SHOAL_OK);
    shoal_table_free(levels); /* the spec holds it */
    return spec;
}

static void test_spec_holds_and_copies(void **state)
{
    shoal_ctx ctx;
    shoal_spec *copy = NULL;
    char *text = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, jobs);
    shoal_spec *spec = new_spec(&ctx, good);

    assert_spec_builds(&ctx, spec, table, expected_good);
    assert_int_equal(shoal_spec_copy(&ctx, &copy, spec), SHOAL_OK);
    assert_int_equal(shoal_spec_get_column(&ctx, &text, spec, "job", "hierarchy"),
                     SHOAL_EUNSUPPORTED);
    assert_null(text);
    /* What is said later counts, and the copy does not hear of it. */
    assert_int_equal(shoal_spec_set_hierarchy(&ctx, spec, "job", "flat"), SHOAL_OK);
    assert_spec_builds(&ctx, spec, table, "*(baker clerk nurse)");
    shoal_spec_free(spec);
    assert_spec_builds(&ctx, copy, table, expected_good);
    assert_int_equal(shoal_spec_set_hierarchy_table(&ctx, copy, "job", NULL), SHOAL_EINVAL);
    assert_int_equal(shoal_spec_set_hierarchy_table(&ctx, copy, NULL, table), SHOAL_EINVAL);
    assert_int_equal(shoal_spec_set_hierarchy_table(&ctx, NULL, "job", table), SHOAL_EINVAL);
    assert_spec_builds(&ctx, copy, table, expected_good);
    shoal_spec_free(copy);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static shoal_spec *read_back(shoal_ctx *ctx, const shoal_spec *spec)
{
    char *yaml = NULL;
    char *again = NULL;
    shoal_spec *read = NULL;

    assert_int_equal(shoal_spec_write_yaml(ctx, &yaml, spec), SHOAL_OK);
    assert_int_equal(shoal_spec_new(ctx, &read), SHOAL_OK);
    if (shoal_spec_read_memory(ctx, read, yaml, strlen(yaml), "s.yaml") != SHOAL_OK) {
        fail_msg("%s in %s", ctx->error.message, yaml);
    }
    assert_int_equal(shoal_spec_write_yaml(ctx, &again, read), SHOAL_OK);
    assert_string_equal(yaml, again);
    free(yaml);
    free(again);
    return read;
}

static void test_yaml_reads_back(void **state)
{
    /* Labels that are words of YAML, or need quotes there; a record for missing values. */
    static const char odd[] = "nurse;null;*\nbaker;a: [b]#;*\nclerk;~;true;*\n?;none;*\n";
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, "job\nnurse\nbaker\nclerk\n?\n");
    shoal_spec *spec = new_spec(&ctx, odd);
    shoal_spec *read = read_back(&ctx, spec);
    const char *const expected = "*(a: [b]#(baker) true(~(clerk)) null(nurse) none(?))";

    assert_spec_builds(&ctx, spec, table, expected);
    assert_spec_builds(&ctx, read, table, expected);
    shoal_spec_free(read);
    shoal_spec_free(spec);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static void assert_yaml(const char *levels, shoal_status status, const char *words)
{
    char yaml[512];
    shoal_ctx ctx;
    shoal_spec *spec = NULL;

    shoal_i_ctx_init(&ctx);
    snprintf(yaml, sizeof yaml, "columns:\n  job: {role: quasi, hierarchy: {%s}}\n", levels);
    assert_int_equal(shoal_spec_new(&ctx, &spec), SHOAL_OK);
    assert_int_equal(shoal_spec_read_memory(&ctx, spec, yaml, strlen(yaml), "s.yaml"), status);
    if (status == SHOAL_OK) {
        shoal_table *table = read_table(&ctx, jobs);

        assert_spec_builds(&ctx, spec, table, words);
        shoal_table_free(table);
    } else if (!strstr(ctx.error.message, words)) {
        fail_msg("%s", ctx.error.message);
    }
    shoal_spec_free(spec);
    shoal_i_ctx_clear(&ctx);
}

static void test_yaml_of_people(void **state)
{
    (void)state;
    assert_yaml("levels: [[nurse, care, '*'], [clerk, '*'], [baker, null, craft, '*']]",
                SHOAL_OK, "*(craft(baker) clerk care(nurse))");
    assert_yaml("levels: [[nurse, '*'], [clerk, '*'], [baker, '*']], weights: {'*': 3}",
                SHOAL_OK, "*(baker clerk nurse)");
    assert_yaml("levels: []", SHOAL_EFORMAT, "list of lists");
    assert_yaml("levels: nurse", SHOAL_EFORMAT, "list of lists");
    assert_yaml("levels: [nurse, clerk]", SHOAL_EFORMAT, "1 to 63 coarser labels");
    assert_yaml("levels: [[nurse]]", SHOAL_EFORMAT, "1 to 63 coarser labels");
    assert_yaml("levels: [[nurse, [a]]]", SHOAL_EFORMAT, "a label");
    assert_yaml("levels: [[nurse, '*']], prefix: 2", SHOAL_EFORMAT, "one way");
    assert_yaml("prefix: 2, levels: [[nurse, '*']]", SHOAL_EFORMAT, "one way");
    assert_yaml("levels: [[nurse, '*']], levels: [[nurse, '*']]", SHOAL_EFORMAT, "");
}

/* A list that stands once and is meant a million times is refused before it is made. */
static void test_yaml_repeated_by_aliases(void **state)
{
    enum { REPEATS = 30000 };
    shoal_ctx ctx;
    shoal_i_buffer yaml;
    shoal_spec *spec = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_i_buffer_init(&yaml, &ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_text(&yaml, "columns: {job: {role: quasi, hierarchy: {levels: [&a [nurse");
    for (int i = 0; i < 60; i++) {
        shoal_i_buffer_printf(&yaml, ", group%d", i);
    }
    shoal_i_buffer_char(&yaml, ']');
    for (int i = 0; i < REPEATS; i++) {
        shoal_i_buffer_text(&yaml, ", *a");
    }
    shoal_i_buffer_text(&yaml, "]}}}\n");
    assert_int_equal(shoal_spec_new(&ctx, &spec), SHOAL_OK);
    assert_int_equal(shoal_spec_read_memory(&ctx, spec, yaml.data, yaml.size, "s.yaml"),
                     SHOAL_EFORMAT);
    assert_non_null(strstr(ctx.error.message, "1 MiB"));
    shoal_spec_free(spec);
    shoal_i_buffer_clear(&yaml);
    shoal_i_ctx_clear(&ctx);
}

/* --- No memory. ------------------------------------------------------------------------- */

typedef struct supply {
    const shoal_table *table;
    const shoal_table *levels;
} supply;

static shoal_status use_all(shoal_ctx *ctx, void *payload)
{
    const supply *s = payload;
    shoal_status st = SHOAL_OK;
    shoal_spec *spec = NULL;
    shoal_spec *copy = NULL;
    shoal_spec *read = NULL;
    shoal_hierarchy *h = NULL;
    char *yaml = NULL;

    SHOAL_TRY(shoal_spec_new(ctx, &spec));
    SHOAL_TRY(shoal_spec_set_hierarchy_table(ctx, spec, "job", s->levels));
    SHOAL_TRY(shoal_spec_set_population_table(ctx, spec, s->table));
    SHOAL_TRY(shoal_spec_copy(ctx, &copy, spec));
    SHOAL_TRY(shoal_hierarchy_build_spec_table(ctx, &h, copy, s->table, "job"));
    SHOAL_TRY(shoal_spec_set(ctx, copy, "privacy.population", "people.csv"));
    SHOAL_TRY(shoal_spec_write_yaml(ctx, &yaml, copy));
    SHOAL_TRY(shoal_spec_new(ctx, &read));
    SHOAL_TRY(shoal_spec_read_memory(ctx, read, yaml, strlen(yaml), "s.yaml"));
done:
    free(yaml);
    shoal_hierarchy_free(h);
    shoal_spec_free(spec);
    shoal_spec_free(copy);
    shoal_spec_free(read);
    return st;
}

static void test_no_memory(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    shoal_table *table = read_table(&ctx, jobs);
    shoal_table *levels = levels_of(&ctx, good);
    supply s = {table, levels};

    assert_survives_failing_allocations(&ctx, use_all, &s);
    shoal_table_free(table);
    shoal_table_free(levels);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_mean_what_lines_mean),
        cmocka_unit_test(test_numbers_match_by_value),
        cmocka_unit_test(test_missing_values),
        cmocka_unit_test(test_no_value_is_no_empty_text),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_uncovered_values),
        cmocka_unit_test(test_tables_that_are_none),
        cmocka_unit_test(test_levels_limit),
        cmocka_unit_test(test_spec_holds_and_copies),
        cmocka_unit_test(test_yaml_reads_back),
        cmocka_unit_test(test_yaml_of_people),
        cmocka_unit_test(test_yaml_repeated_by_aliases),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
