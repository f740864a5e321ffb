/* Columns made ready: their values, what that costs, what is refused, and that it is verified.
 */
#include "table_tools.h"

#include "job/input/ready.h"

#include <shoal/division.h>
#include <shoal/job.h>
#include <shoal/release.h>

static const char text[] = "age,code,fee,icd\n"
                           "23,aa1,1.25,C50.9\n"
                           "91,ab1,250,C50.1\n"
                           "?,ab2,-3,\xC3\x84"
                           "10.2\n"
                           "96,b11,0.02,E1\n";

static shoal_spec *make_spec(shoal_ctx *ctx, const char *const (*facts)[3])
{
    shoal_spec *spec = NULL;

    assert_int_equal(shoal_spec_new(ctx, &spec), SHOAL_OK);
    for (size_t i = 0; facts[i][0]; i++) {
        assert_int_equal(
            shoal_spec_set_column(ctx, spec, facts[i][0], facts[i][1], facts[i][2]), SHOAL_OK);
    }
    return spec;
}

static const char *const usual[][3] = {{"age", "role", "quasi"},
                                       {"age", "top", "90"},
                                       {"age", "round", "5"},
                                       {"code", "role", "quasi"},
                                       {"code", "hierarchy", "prefix:3"},
                                       {"code", "generalize", "1"},
                                       {"fee", "role", "insensitive"},
                                       {"fee", "bottom", "0"},
                                       {"fee", "top", "99.5"},
                                       {"fee", "round", "0.1"},
                                       {"icd", "role", "sensitive"},
                                       {"icd", "truncate", "2"},
                                       {NULL, NULL, NULL}};

static void test_values(void **state)
{
    static const char *const expected[4][4] = {{"25", "aa*", "1.3", "C5"},
                                               {"90", "ab*", "99.5", "C5"},
                                               {"?", "ab*", "0",
                                                "\xC3\x84"
                                                "1"},
                                               {"90", "b1*", "0", "E1"}};
    shoal_ctx ctx;
    shoal_i_readied readied = {0};

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_text(&ctx, text, NULL);
    shoal_spec *spec = make_spec(&ctx, usual);

    assert_int_equal(shoal_i_make_ready(&ctx, &readied, table, spec), SHOAL_OK);
    for (size_t row = 0; row < 4; row++) {
        for (size_t column = 0; column < 4; column++) {
            assert_string_equal(cell(readied.table, row, column), expected[row][column]);
        }
        assert_int_equal(shoal_table_line(readied.table, row), row + 2);
    }
    assert_int_equal(shoal_table_type(readied.table, 0), SHOAL_TYPE_INTEGER);
    assert_int_equal(shoal_table_type(readied.table, 1), SHOAL_TYPE_STRING);
    assert_int_equal(shoal_table_type(readied.table, 2), SHOAL_TYPE_REAL);
    assert_int_equal(shoal_table_missing_count(readied.table, 0), 1);
    assert_int_equal(shoal_table_value_count(readied.table, 0), 2);

    assert_int_equal(readied.count, 4);
    assert_string_equal(readied.columns[0].steps, "round 5, top 90");
    assert_int_equal(readied.columns[0].changed, 3);
    /* age: 23 to 25, and 90 to 96 twice, of 73 years, and one that is missing. */
    assert_true(readied.columns[0].loss > (2 + 6 + 6) / 73.0 / 4 - 1e-12);
    assert_true(readied.columns[0].loss < (2 + 6 + 6) / 73.0 / 4 + 1e-12);
    /* code: one value of four became two. */
    assert_true(readied.columns[1].loss > 2 * (1 / 3.0) / 4 - 1e-12);
    assert_true(readied.columns[1].loss < 2 * (1 / 3.0) / 4 + 1e-12);

    /* The least level is where the hierarchy begins. */
    const shoal_hierarchy *h = readied.hierarchies[1];

    assert_null(readied.hierarchies[0]);
    assert_non_null(h);
    assert_int_equal(shoal_hierarchy_leaf_count(h), 3);
    assert_int_equal(shoal_hierarchy_height(h), 2);
    assert_true(shoal_hierarchy_find(h, "aa*", 3) >= 0);
    assert_true(shoal_hierarchy_find(h, "a**", 3) >= 0);
    assert_true(shoal_hierarchy_find(h, "aa1", 3) < 0);

    shoal_i_readied_clear(&readied);
    shoal_spec_free(spec);
    shoal_table_free(table);
}

typedef struct refusal {
    const char *facts[5][3];
    const char *message;
} refusal;

static void test_contradictions(void **state)
{
    static const refusal cases[] = {
        {{{"age", "top", "90"}}, "has no role"},
        {{{"age", "role", "identifier"}, {"age", "top", "90"}}, "is an identifier"},
        {{{"age", "role", "quasi"}, {"age", "top", "9"}, {"age", "bottom", "10"}},
         "a bottom above its top"},
        {{{"age", "role", "quasi"}, {"age", "top", "9"}, {"age", "truncate", "1"}},
         "choose one of the two"},
        {{{"age", "role", "quasi"},
          {"age", "generalize", "1"},
          {"age", "hierarchy", "flat"},
          {"age", "truncate", "1"}},
         "choose one of the two"},
        {{{"age", "role", "quasi"}, {"age", "generalize", "1"}}, "has no hierarchy"},
        {{{"age", "role", "quasi"}, {"age", "round", "5"}, {"age", "hierarchy", "a.csv"}},
         "a hierarchy from a file"},
        {{{"age", "role", "sensitive"}, {"age", "coarsest", "1"}, {"age", "hierarchy", "flat"}},
         "is no quasi column"},
        {{{"age", "role", "quasi"}, {"age", "coarsest", "1"}}, "but no hierarchy"},
        {{{"age", "role", "quasi"}, {"age", "rare", "5"}, {"age", "truncate", "2"}},
         "has its rare values merged"},
        {{{"age", "role", "quasi"},
          {"age", "coarsest", "1"},
          {"age", "hierarchy", "prefix:3"},
          {"age", "generalize", "2"}},
         "below its least"},
    };
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_spec *spec = make_spec(&ctx, cases[i].facts);

        assert_int_equal(shoal_i_ready_check(&ctx, &spec->columns[0]), SHOAL_EINVAL);
        assert_non_null(strstr(ctx.error.message, cases[i].message));
        shoal_spec_free(spec);
    }
}

static void test_wrong_types_and_levels(void **state)
{
    static const refusal cases[] = {
        {{{"code", "role", "quasi"}, {"code", "top", "90"}}, "is read as text"},
        {{{"age", "role", "quasi"}, {"age", "truncate", "1"}}, "truncate is for texts"},
        {{{"code", "role", "quasi"},
          {"code", "hierarchy", "prefix:3"},
          {"code", "generalize", "4"}},
         "levels 0 to 3"},
    };
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_text(&ctx, text, NULL);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_spec *spec = make_spec(&ctx, cases[i].facts);
        shoal_i_readied readied = {0};

        assert_int_equal(shoal_i_make_ready(&ctx, &readied, table, spec), SHOAL_EINVAL);
        assert_non_null(strstr(ctx.error.message, cases[i].message));
        shoal_i_readied_clear(&readied);
        shoal_spec_free(spec);
    }
    shoal_table_free(table);
}

/* Releases that were not made ready are rejected, those that were are not. */
static void test_verified(void **state)
{
    static const struct {
        const char *release;
        bool is_right;
    } cases[] = {
        {"age,code,fee,icd\n90,aa*,1.3,C5\n", true},
        {"age,code,fee,icd\n[25..90],aa*,99.5,*\n", true},
        {"age,code,fee,icd\n91,aa*,1.3,C5\n", false},
        {"age,code,fee,icd\n[25..91],aa*,1.3,C5\n", false},
        {"age,code,fee,icd\n[91..95],aa*,1.3,C5\n", false},
        {"age,code,fee,icd\n90,aa*,99.6,C5\n", false},
        {"age,code,fee,icd\n90,aa*,-0.1,C5\n", false},
        {"age,code,fee,icd\n90,aa*,1.3,C50\n", false},
        {"age,code,fee,icd\n90,aa*,1.3,\xC3\x84"
         "1\n",
         true},
        {"age_min,age_max,code\n25,90,aa*\n", true},
        {"age_min,age_max,code\n25,91,aa*\n", false},
        {"code\na**\n*\n{aa*|ab*}\n", true},
        {"code\naa1\n", false},
        {"code\n{aa*|ab1}\n", false},
        {"code\nzz*\n", false},
    };
    static const char *const rounded[][3] = {
        {"fee", "role", "insensitive"}, {"fee", "round", "0.5"}, {NULL, NULL, NULL}};
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_spec *spec = make_spec(&ctx, usual);
    shoal_table *table = read_text(&ctx, text, NULL);
    shoal_i_readied readied = {0};

    assert_int_equal(shoal_i_make_ready(&ctx, &readied, table, spec), SHOAL_OK);
    shoal_i_ready_known known = {&readied, table, readied.hierarchies};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_table *release = read_text(&ctx, cases[i].release, NULL);

        assert_int_equal(shoal_i_ready_verify(&ctx, release, spec, &known),
                         cases[i].is_right ? SHOAL_OK : SHOAL_EREJECTED);
        shoal_table_free(release);
    }
    shoal_i_readied_clear(&readied);
    shoal_table_free(table);
    shoal_spec_free(spec);
    spec = make_spec(&ctx, rounded);

    shoal_table *right = read_text(&ctx, "fee\n1.5\n-2\n", NULL);
    shoal_table *wrong = read_text(&ctx, "fee\n1.5\n1.4\n", NULL);

    assert_int_equal(shoal_i_ready_verify(&ctx, right, spec, NULL), SHOAL_OK);
    assert_int_equal(shoal_i_ready_verify(&ctx, wrong, spec, NULL), SHOAL_EREJECTED);
    shoal_table_free(right);
    shoal_table_free(wrong);
    shoal_spec_free(spec);
}

/* What is handed out in memory is what was made ready, not what was given. */
static void test_in_memory(void **state)
{
    static const char *const facts[][3] = {{"age", "role", "quasi"},
                                           {"age", "top", "90"},
                                           {"fee", "role", "insensitive"},
                                           {"fee", "top", "100"},
                                           {NULL, NULL, NULL}};
    shoal_ctx ctx;
    shoal_release *release = NULL;
    shoal_report *report = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_text(&ctx, "age,fee\n20,50\n20,1000\n95,60\n91,2000\n", NULL);
    shoal_spec *spec = make_spec(&ctx, facts);

    assert_int_equal(shoal_spec_set(&ctx, spec, "privacy.k", "2"), SHOAL_OK);
    assert_int_equal(shoal_anonymize_table(&ctx, &release, &report, spec, table), SHOAL_OK);
    const shoal_table *rows = shoal_release_table(release);

    assert_int_equal(shoal_table_row_count(rows), 4);
    for (size_t row = 0; row < 4; row++) {
        assert_null(strstr(cell(rows, row, 0), "95"));
        assert_null(strstr(cell(rows, row, 0), "91"));
        assert_true(strtod(cell(rows, row, 1), NULL) <= 100);
    }
    shoal_report_free(report);
    shoal_release_free(release);
    shoal_spec_free(spec);
    shoal_table_free(table);
}

/* --- In parts. -------------------------------------------------------------------------- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The rows of a table as texts, sorted; release all of them. */
static char **list_rows(const shoal_table *table)
{
    size_t rows = shoal_table_row_count(table);
    char **list = calloc(rows, sizeof *list);

    for (size_t row = 0; row < rows; row++) {
        char line[256] = "";

        for (size_t c = 0; c < shoal_table_column_count(table); c++) {
            size_t used = strlen(line);

            snprintf(line + used, sizeof line - used, "%s;", cell(table, row, c));
        }
        list[row] = strdup(line);
    }
    qsort(list, rows, sizeof *list, compare_texts);
    return list;
}

static void assert_same_rows(const shoal_table *a, const shoal_table *b)
{
    size_t rows = shoal_table_row_count(a);
    char **first = list_rows(a);
    char **second = list_rows(b);

    assert_int_equal(shoal_table_row_count(b), rows);
    for (size_t row = 0; row < rows; row++) {
        assert_string_equal(first[row], second[row]);
        free(first[row]);
        free(second[row]);
    }
    free(first);
    free(second);
}

/* Two parts of a table, whose values are made ready part by part, give what the whole gives.
 * Levels of a hierarchy depend on all values and are refused. */
static void test_in_parts(void **state)
{
    static const char *const facts[][3] = {
        {"age", "role", "quasi"},       {"age", "top", "90"},   {"age", "round", "5"},
        {"fee", "role", "insensitive"}, {"fee", "bottom", "0"}, {"icd", "role", "sensitive"},
        {"icd", "truncate", "3"},       {NULL, NULL, NULL}};
    static const bool halves[2][6] = {{true, false, true, true, false, false},
                                      {false, true, false, false, true, true}};
    shoal_ctx ctx;
    shoal_values *values = NULL;
    shoal_division *division = NULL;
    shoal_table *published = NULL;
    shoal_release *release = NULL;
    shoal_report *report = NULL;
    char *bytes = NULL;
    size_t size = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_text(&ctx,
                                   "age,fee,icd\n23,1.5,C50.9\n22,-2,C50.1\n95,3,A10\n"
                                   "91,-7,A10.5\n41,0,B1\n44,9,B1\n",
                                   NULL);
    shoal_spec *spec = make_spec(&ctx, facts);

    assert_int_equal(shoal_spec_set(&ctx, spec, "privacy.k", "2"), SHOAL_OK);
    assert_int_equal(shoal_spec_set(&ctx, spec, "method", "mondrian"), SHOAL_OK);
    for (size_t i = 0; i < 2; i++) {
        shoal_table *part = NULL;
        shoal_values *more = NULL;

        assert_int_equal(shoal_table_filter(&ctx, &part, table, halves[i]), SHOAL_OK);
        assert_int_equal(shoal_values_count(&ctx, &more, spec, part), SHOAL_OK);
        if (values) {
            assert_int_equal(shoal_values_add(&ctx, values, more), SHOAL_OK);
            shoal_values_free(more);
        } else {
            values = more;
        }
        shoal_table_free(part);
    }
    assert_int_equal(shoal_values_write_memory(&ctx, &bytes, &size, values), SHOAL_OK);
    shoal_values_free(values);
    assert_int_equal(shoal_values_read_memory(&ctx, &values, spec, bytes, size), SHOAL_OK);
    shoal_bytes_free(bytes);
    assert_int_equal(shoal_division_build(&ctx, &division, spec, values), SHOAL_OK);
    assert_int_equal(shoal_division_solve(&ctx, &published, NULL, division, table, 0),
                     SHOAL_OK);
    assert_int_equal(shoal_anonymize_table(&ctx, &release, &report, spec, table), SHOAL_OK);
    assert_same_rows(published, shoal_release_table(release));

    /* Bytes of another spec are told apart by what is made ready, too. */
    shoal_values *other = NULL;

    assert_int_equal(shoal_values_write_memory(&ctx, &bytes, &size, values), SHOAL_OK);
    assert_int_equal(shoal_spec_set_column(&ctx, spec, "age", "top", "80"), SHOAL_OK);
    assert_int_equal(shoal_values_read_memory(&ctx, &other, spec, bytes, size), SHOAL_EINVAL);
    shoal_bytes_free(bytes);
    shoal_division_free(division);
    shoal_spec_free(spec);
    static const char *const levels[][3] = {{"icd", "role", "quasi"},
                                            {"icd", "hierarchy", "prefix:3"},
                                            {"icd", "generalize", "1"},
                                            {NULL, NULL, NULL}};

    spec = make_spec(&ctx, levels);
    assert_int_equal(shoal_spec_set(&ctx, spec, "privacy.k", "2"), SHOAL_OK);
    assert_int_equal(shoal_values_count(&ctx, &other, spec, table), SHOAL_EUNSUPPORTED);
    assert_non_null(strstr(ctx.error.message, "which all of its values decide"));
    shoal_table_free(published);
    shoal_release_free(release);
    shoal_report_free(report);
    shoal_values_free(values);
    shoal_spec_free(spec);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

typedef struct ready_case {
    const shoal_table *table;
    const shoal_spec *spec;
} ready_case;

/* --- A coarsest level. ------------------------------------------------------------------ */

static const char *const coarsest[][3] = {
    {"age", "role", "quasi"},  {"code", "role", "quasi"},    {"code", "hierarchy", "prefix:3"},
    {"code", "coarsest", "1"}, {"icd", "role", "sensitive"}, {NULL, NULL, NULL}};

static const char strata[] = "age,code,icd\n1,aa1,x\n9,aa2,y\n1,ab1,x\n9,ab2,z\n2,b11,x\n"
                             "8,b12,y\n";

static shoal_status make_strata(shoal_ctx *ctx, void *payload)
{
    const ready_case *c = payload;
    shoal_release *release = NULL;
    shoal_report *report = NULL;
    shoal_status st = shoal_anonymize_table(ctx, &release, &report, c->spec, c->table);

    for (size_t row = 0; st == SHOAL_OK && row < 6; row++) {
        const char *code = cell(shoal_release_table(release), row, 1);

        assert_true(strcmp(code, "*") != 0 && strcmp(code + 1, "**") != 0);
    }
    shoal_report_free(report);
    shoal_release_free(release);
    return st;
}

/* Alone, codes would be suppressed: ages pair 1 with 1. Below the coarsest level they pair. */
static void test_coarsest(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_spec *spec = make_spec(&ctx, coarsest);
    ready_case c = {read_text(&ctx, strata, NULL), spec};

    assert_int_equal(shoal_spec_set(&ctx, spec, "privacy.k", "2"), SHOAL_OK);
    assert_int_equal(shoal_spec_set(&ctx, spec, "method", "mondrian"), SHOAL_OK);
    assert_int_equal(make_strata(&ctx, &c), SHOAL_OK);
    /* Requirements about sensitive values count by the whole table. */
    assert_int_equal(shoal_spec_set(&ctx, spec, "privacy.l", "distinct:2"), SHOAL_OK);
    assert_int_equal(make_strata(&ctx, &c), SHOAL_OK);
    assert_survives_failing_allocations(&ctx, make_strata, &c);
    assert_int_equal(shoal_spec_set_column(&ctx, spec, "code", "coarsest", "0"), SHOAL_OK);
    assert_int_equal(make_strata(&ctx, &c), SHOAL_EUNSATISFIABLE);
    assert_non_null(strstr(ctx.error.message, "6 groups, and 6 of them, with 6 records"));
    assert_int_equal(shoal_spec_set_column(&ctx, spec, "code", "coarsest", "4"), SHOAL_OK);
    assert_int_equal(make_strata(&ctx, &c), SHOAL_EINVAL);
    assert_non_null(strstr(ctx.error.message, "levels 0 to 3"));
    assert_int_equal(shoal_spec_set_column(&ctx, spec, "code", "coarsest", "1"), SHOAL_OK);
    assert_int_equal(shoal_spec_set(&ctx, spec, "suppress", "0.1"), SHOAL_OK);
    assert_int_equal(make_strata(&ctx, &c), SHOAL_EUNSUPPORTED);
    shoal_spec_free(spec);
    shoal_table_free((shoal_table *)(uintptr_t)c.table);
    shoal_i_ctx_clear(&ctx);
}

/* A release with a label above the coarsest level is rejected, whoever made it. */
static void test_coarsest_verified(void **state)
{
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;
    shoal_i_readied readied = {0};

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_spec *spec = make_spec(&ctx, coarsest);
    shoal_table *table = read_text(&ctx, strata, NULL);
    shoal_table *right = read_text(&ctx, "code\naa*\nab1\n", NULL);
    shoal_table *wrong = read_text(&ctx, "code\naa*\na**\n", NULL);

    assert_int_equal(shoal_hierarchy_build_prefix(&ctx, &h, table, 1, 3), SHOAL_OK);
    shoal_hierarchy *hierarchies[] = {NULL, h, NULL};
    shoal_i_ready_known known = {&readied, table, hierarchies};

    assert_int_equal(shoal_i_ready_verify(&ctx, right, spec, &known), SHOAL_OK);
    assert_int_equal(shoal_i_ready_verify(&ctx, wrong, spec, &known), SHOAL_EREJECTED);
    shoal_hierarchy_free(h);
    shoal_table_free(right);
    shoal_table_free(wrong);
    shoal_table_free(table);
    shoal_spec_free(spec);
    shoal_i_ctx_clear(&ctx);
}

static shoal_status make(shoal_ctx *ctx, void *payload)
{
    const ready_case *c = payload;
    shoal_i_readied readied = {0};
    shoal_status st = shoal_i_make_ready(ctx, &readied, c->table, c->spec);

    shoal_i_readied_clear(&readied);
    return st;
}

/* --- Rare values. ----------------------------------------------------------------------- */

static const char rare_text[] = "dx,age\nA15.0,1\nA15.0,1\nA15.3,1\nA15.7,2\nB20,2\nB21,2\n"
                                "C50,3\nC50,3\nA15.0,3\n?,1\n";

static void test_rare(void **state)
{
    static const char *const facts[][3] = {{"dx", "role", "quasi"},
                                           {"dx", "hierarchy", "icd10"},
                                           {"dx", "rare", "2"},
                                           {NULL, NULL, NULL}};
    static const char *const flat[][3] = {
        {"dx", "role", "sensitive"}, {"dx", "rare", "3"}, {NULL, NULL, NULL}};
    static const char *const numbers[][3] = {
        {"age", "role", "quasi"}, {"age", "rare", "3"}, {NULL, NULL, NULL}};
    static const char *const expected[] = {
        "A15.0",          "A15.0", "A15: other", "A15: other", "B20-B24: other",
        "B20-B24: other", "C50",   "C50",        "A15.0",      "?"};
    shoal_ctx ctx;
    shoal_i_readied readied = {0};

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_text(&ctx, rare_text, NULL);
    shoal_spec *spec = make_spec(&ctx, facts);

    assert_int_equal(shoal_i_make_ready(&ctx, &readied, table, spec), SHOAL_OK);
    for (size_t row = 0; row < 10; row++) {
        assert_string_equal(cell(readied.table, row, 0), expected[row]);
    }
    assert_string_equal(readied.columns[0].steps, "rare 2");
    assert_int_equal(readied.columns[0].changed, 4);
    const shoal_hierarchy *h = readied.hierarchies[0];
    int64_t merged = shoal_hierarchy_find(h, "A15: other", 10);

    assert_int_equal(shoal_hierarchy_leaf_count(h), 5);
    assert_true(merged >= 0);
    assert_string_equal(shoal_hierarchy_label(h, shoal_hierarchy_parent(h, (uint32_t)merged)),
                        "A15");
    assert_true(shoal_hierarchy_find(h, "A15.3", 5) < 0);
    ready_case c = {table, spec};

    assert_survives_failing_allocations(&ctx, make, &c);
    shoal_i_readied_clear(&readied);
    shoal_spec_free(spec);

    spec = make_spec(&ctx, flat);
    assert_int_equal(shoal_i_make_ready(&ctx, &readied, table, spec), SHOAL_OK);
    assert_string_equal(cell(readied.table, 0, 0), "A15.0");
    assert_string_equal(cell(readied.table, 6, 0), "other");
    assert_int_equal(shoal_table_value_count(readied.table, 0), 2);
    shoal_i_readied_clear(&readied);
    shoal_spec_free(spec);

    spec = make_spec(&ctx, numbers);
    assert_int_equal(shoal_i_make_ready(&ctx, &readied, table, spec), SHOAL_EINVAL);
    assert_non_null(strstr(ctx.error.message, "holds numbers or dates"));
    shoal_i_readied_clear(&readied);
    shoal_spec_free(spec);
    shoal_table_free(table);

    /* A group that is called so already. */
    static const char *const codes[][3] = {{"dx", "role", "quasi"},
                                           {"dx", "hierarchy", "nuts:other"},
                                           {"dx", "rare", "2"},
                                           {NULL, NULL, NULL}};

    table = read_text(&ctx, "dx\nDE\nDE\nfoo\nbar\nother\nFR\n", NULL);
    spec = make_spec(&ctx, codes);
    assert_int_equal(shoal_i_make_ready(&ctx, &readied, table, spec), SHOAL_OK);
    assert_string_equal(cell(readied.table, 2, 0), "other: other");
    shoal_i_readied_clear(&readied);
    shoal_spec_free(spec);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

/* --- New names. ------------------------------------------------------------------------- */

static shoal_status make_renamed(shoal_ctx *ctx, void *payload)
{
    const ready_case *c = payload;
    shoal_release *release = NULL;
    shoal_report *report = NULL;
    shoal_status st = shoal_anonymize_table(ctx, &release, &report, c->spec, c->table);

    if (st == SHOAL_OK) {
        const shoal_table *rows = shoal_release_table(release);

        assert_string_equal(shoal_table_name(rows, 0), "years");
        assert_string_equal(shoal_table_name(rows, 1), "code");
        assert_string_equal(shoal_table_name(rows, 2), "status");
        assert_string_equal(shoal_table_name(c->table, 0), "age"); /* the caller's stays */
    }
    shoal_report_free(report);
    shoal_release_free(release);
    return st;
}

static void test_renamed(void **state)
{
    static const char *const facts[][3] = {
        {"age", "role", "quasi"},     {"age", "rename", "years"},  {"code", "role", "quasi"},
        {"icd", "role", "sensitive"}, {"icd", "rename", "status"}, {NULL, NULL, NULL}};
    shoal_ctx ctx;
    shoal_spec *copy = NULL;
    char *value = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_spec *spec = make_spec(&ctx, facts);

    /* Requirements name columns as the file does. */
    assert_int_equal(shoal_spec_set(&ctx, spec, "privacy.k", "2"), SHOAL_OK);
    assert_int_equal(shoal_spec_set(&ctx, spec, "privacy.l", "icd=distinct:1"), SHOAL_OK);
    assert_int_equal(shoal_spec_set(&ctx, spec, "method", "mondrian"), SHOAL_OK);
    ready_case c = {read_text(&ctx, strata, NULL), spec};

    assert_int_equal(make_renamed(&ctx, &c), SHOAL_OK);
    assert_survives_failing_allocations(&ctx, make_renamed, &c);
    /* A copy, and what a spec says of it. */
    assert_int_equal(shoal_spec_copy(&ctx, &copy, spec), SHOAL_OK);
    c.spec = copy;
    assert_int_equal(make_renamed(&ctx, &c), SHOAL_OK);
    assert_int_equal(shoal_spec_get_column(&ctx, &value, copy, "age", "rename"), SHOAL_OK);
    assert_string_equal(value, "years");
    free(value);
    assert_int_equal(shoal_spec_get_column(&ctx, &value, copy, "age", "role"), SHOAL_OK);
    assert_string_equal(value, "quasi");
    free(value);
    /* By its new name nothing is said of it, and no other column takes that. */
    assert_int_equal(shoal_spec_set_column(&ctx, copy, "years", "top", "90"), SHOAL_EINVAL);
    assert_non_null(strstr(ctx.error.message, "the new name of the column \"age\""));
    assert_int_equal(shoal_spec_set_column(&ctx, copy, "code", "rename", "years"),
                     SHOAL_EINVAL);
    assert_int_equal(shoal_spec_set_column(&ctx, copy, "code", "rename", "icd"), SHOAL_EINVAL);
    for (int i = 0; i < 200; i++) { /* as often as one likes */
        char name[16];

        snprintf(name, sizeof name, "n%d", i);
        assert_int_equal(shoal_spec_set_column(&ctx, copy, "age", "rename", name), SHOAL_OK);
    }
    assert_int_equal(shoal_spec_set_column(&ctx, copy, "age", "rename", "years"), SHOAL_OK);
    assert_int_equal(make_renamed(&ctx, &c), SHOAL_OK);
    shoal_spec_free(copy);
    shoal_spec_free(spec);
    shoal_table_free((shoal_table *)(uintptr_t)c.table);
    shoal_i_ctx_clear(&ctx);
}

static void test_allocation_failures(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ready_case c = {read_text(&ctx, text, NULL), make_spec(&ctx, usual)};

    assert_survives_failing_allocations(&ctx, make, &c);
    shoal_spec_free((shoal_spec *)(uintptr_t)c.spec);
    shoal_table_free((shoal_table *)(uintptr_t)c.table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_wrong_types_and_levels),
        cmocka_unit_test(test_verified),
        cmocka_unit_test(test_in_memory),
        cmocka_unit_test(test_in_parts),
        cmocka_unit_test(test_coarsest),
        cmocka_unit_test(test_coarsest_verified),
        cmocka_unit_test(test_renamed),
        cmocka_unit_test(test_rare),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
