/* Hierarchies as outlines, prefixes by separators: against trees written by hand. */
#include "test_hierarchy_common.h"

#include "base/random.h"

#include <unistd.h>

static const char people[] = "x\nMarried\nPartnered\nDivorced\nSingle\n";

static void assert_outline(const char *column, const char *outline, const char *expected)
{
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;

    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, column);

    if (shoal_hierarchy_build_memory(&ctx, &h, table, 0, outline, strlen(outline), "o") !=
        SHOAL_OK) {
        fail_msg("%s", ctx.error.message);
    }
    assert_total_and_nested(h, table, 0);
    assert_tree(h, expected);
    shoal_hierarchy_free(h);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static void assert_wrong(const char *outline, shoal_status expected, int line, int column,
                         const char *message)
{
    shoal_ctx ctx;
    shoal_hierarchy *h = (shoal_hierarchy *)&ctx; /* must become NULL */

    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, people);

    assert_int_equal(
        shoal_hierarchy_build_memory(&ctx, &h, table, 0, outline, strlen(outline), "o"),
        expected);
    assert_null(h);
    assert_non_null(strstr(ctx.error.message, message));
    assert_int_equal(ctx.error.line, line);
    assert_int_equal(ctx.error.column, column);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static void test_outlines(void **state)
{
    static const char tree[] = "*(Divorced Together(Married Partnered) Single)";

    (void)state;
    assert_outline(people, "*\n  Together\n    Married\n    Partnered\n  Divorced\n  Single\n",
                   tree);
    /* Tabs, any width, comments, blank lines, spaces behind, CRLF, a mark, no last newline. */
    assert_outline(
        people,
        "\xEF\xBB\xBF# status\r\n\r\n*\r\n\tTogether  \r\n\t\t\tMarried\r\n  # so\r\n"
        "\t\t\t\"Partnered\"  \r\n\tDivorced\r\n\r\n\tSingle",
        tree);
    assert_outline(people,
                   "*\n Divorced\n Together\n         Married\n         Partnered\n Single\n",
                   tree);
    /* What the column lacks is left out; a group may bear the name of a value in it. */
    assert_outline("x\na\nb\n", "all\n a\n  a\n  b\n  c\n d\n", "all(a(a b))");
    assert_outline("x\n\"#a\"\n\" b\"\n\"c\nd\"\n\"e\"\"\"\n",
                   "*\n \"#a\"\n \" b\"\n \"c\nd\"\n e\"\n", "*( b #a c\nd e\")");
    assert_outline("x\n7.0\n8\n", "*\n  low\n    7\n  8\n", "*(low(7.0) 8)");
    assert_outline("x,y\na,1\n?,1\n", "*\n  known\n    a\n  ?\n", "*(known(a) ?)");
    /* A root with a delimiter is quoted. */
    assert_outline("x\na\nb\n", "\"a;b\"\n  a\n  b\n", "a;b(a b)");
}

static void test_wrong_outlines(void **state)
{
    (void)state;
    assert_wrong("*\n  a\n*\n  b\n", SHOAL_EFORMAT, 3, 1, "one root");
    assert_wrong("*\n    a\n  b\n", SHOAL_EFORMAT, 3, 3, "that of none above");
    assert_wrong("*\n  a\n\tb\n", SHOAL_EFORMAT, 3, 2, "that of none above");
    assert_wrong("*\n  a\n    Single\n  b\n    a\n      Married\n", SHOAL_EFORMAT, 5, 5,
                 "Two parents");
    assert_wrong("*\n  \"a\n", SHOAL_EFORMAT, 2, 3, "never closed");
    assert_wrong("*\n  \"a\" b\n", SHOAL_EFORMAT, 2, 3, "Text follows");
    assert_wrong("*\n  Single\n  Single\n  a\n    Single\n", SHOAL_EFORMAT, 5, 5, "line 2 too");
    /* One label, or a line that is not indented next, is no outline. */
    assert_wrong("*\n", SHOAL_EFORMAT, 1, 1, "at least one coarser label");
    assert_wrong("Single\nMarried\n", SHOAL_EFORMAT, 1, 1, "at least one coarser label");
}

static void test_depth_of_outlines(void **state)
{
    char text[16384];
    size_t used = 0;

    (void)state;
    for (int i = 0; i < 65; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%*sg%d\n", i, "", i);
    }
    assert_wrong(text, SHOAL_ELIMIT, 65, 65, "at most 64 levels");
}

/* --- Both ways. --------------------------------------------------------------------------- */

static char *draw_label(char out[8], shoal_i_random *random)
{
    static const char signs[] = "ab \t\"#;,\n\r*";
    size_t length = 1 + shoal_i_random_below(random, 5);

    for (size_t i = 0; i < length; i++) {
        out[i] = signs[shoal_i_random_below(random, sizeof signs - 1)];
    }
    out[length] = '\0';
    return out;
}

/* A random tree over values of any signs, written and read back in both forms, and converted
 * there and back. */
static void check_both_ways(uint64_t seed)
{
    enum { NODES = 24, VALUES = 12 };
    shoal_ctx ctx;
    shoal_i_random random = shoal_i_random_start(seed);
    char folder[] = "/tmp/shoal-outline-XXXXXX";
    char outline[64];
    char paths[64];
    char again[64];
    char texts[NODES][24];
    const char *labels[NODES];
    uint32_t parents[NODES] = {0};
    uint32_t node_of_code[VALUES];
    int32_t offsets[VALUES + 1] = {0};
    char bytes[VALUES * 24];
    shoal_hierarchy *h = NULL;
    shoal_hierarchy *read = NULL;
    shoal_table *table = NULL;

    shoal_i_ctx_init(&ctx);
    assert_non_null(mkdtemp(folder));
    snprintf(outline, sizeof outline, "%s/o", folder);
    snprintf(paths, sizeof paths, "%s/p", folder);
    snprintf(again, sizeof again, "%s/a", folder);
    for (size_t i = 0; i < NODES; i++) {
        char label[8];
        size_t groups = NODES - VALUES;

        /* Letters in front keep values in the order of their numbers, and labels apart. */
        snprintf(texts[i], sizeof texts[i], "%s%c%s",
                 shoal_i_random_below(&random, 2) ? "" : "v", (char)('A' + i),
                 draw_label(label, &random));
        labels[i] = texts[i];
        if (i > 0) {
            parents[i] = (uint32_t)shoal_i_random_below(&random, i < groups ? i : groups);
        }
    }
    for (size_t i = 0; i < VALUES; i++) {
        size_t length = strlen(texts[NODES - VALUES + i]);

        memcpy(bytes + offsets[i], texts[NODES - VALUES + i], length);
        offsets[i + 1] = offsets[i] + (int32_t)length;
    }
    shoal_array array = {.name = "x",
                         .kind = SHOAL_ARRAY_UTF8,
                         .length = VALUES,
                         .data = bytes,
                         .offsets32 = offsets};

    assert_int_equal(shoal_table_from_arrays(&ctx, &table, &array, 1), SHOAL_OK);
    for (size_t i = 0; i < VALUES; i++) {
        node_of_code[shoal_table_code(table, 0, i)] = (uint32_t)(NODES - VALUES + i);
    }
    assert_int_equal(
        shoal_hierarchy_build_tree(&ctx, &h, labels, parents, NODES, node_of_code, VALUES),
        SHOAL_OK);
    char *expected = draw_tree(h);

    assert_int_equal(shoal_hierarchy_write_outline(&ctx, h, outline), SHOAL_OK);
    if (shoal_hierarchy_build_file(&ctx, &read, table, 0, outline) != SHOAL_OK) {
        fail_msg("seed %d: line %d: %s", (int)seed, (int)ctx.error.line, ctx.error.message);
    }
    assert_tree(read, expected);
    shoal_hierarchy_free(read);
    assert_int_equal(shoal_hierarchy_convert(&ctx, outline, paths), SHOAL_OK);
    assert_int_equal(shoal_hierarchy_build_file(&ctx, &read, table, 0, paths), SHOAL_OK);
    assert_tree(read, expected);
    shoal_hierarchy_free(read);
    assert_int_equal(shoal_hierarchy_convert(&ctx, paths, again), SHOAL_OK);
    assert_int_equal(shoal_hierarchy_build_file(&ctx, &read, table, 0, again), SHOAL_OK);
    assert_tree(read, expected);
    shoal_hierarchy_free(read);
    free(expected);
    shoal_hierarchy_free(h);
    shoal_table_free(table);
    unlink(outline);
    unlink(paths);
    unlink(again);
    rmdir(folder);
    shoal_i_ctx_clear(&ctx);
}

static void test_both_ways(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        check_both_ways(seed);
    }
}

/* --- Prefixes by separators. -------------------------------------------------------------- */

static void assert_parts(const char *text, const char *separators, size_t length,
                         const char *expected)
{
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;

    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, text);

    if (shoal_hierarchy_build_parts(&ctx, &h, table, 0, separators, length) != SHOAL_OK) {
        fail_msg("%s", ctx.error.message);
    }
    assert_total_and_nested(h, table, 0);
    assert_tree(h, expected);
    shoal_hierarchy_free(h);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static void test_parts(void **state)
{
    (void)state;
    assert_parts("x\nC50.9\n", ".", 3, "*(C**(C5*(C50(C50.9))))");
    assert_parts("x\nC50.91.2\nC50.9\nC50\nC5\nD\n", ".", 0,
                 "*(C**(C5 C5*(C50(C50 C50.9 C50.91(C50.91.2)))) D)");
    assert_parts("x\na/b c/d\na/b c\ne/f\n", "/", 1, "*(a(a/b c(a/b c a/b c/d)) e(e/f))");
    /* Values of one group that do not follow each other in the order of bytes. */
    assert_parts("x\nA+1\n\"A,1\"\nA.1\n", "+.", 1, "*(A(A+1 A.1) A,1)");
    /* A run of separators is one; one in front belongs to the first part. */
    assert_parts("x\na--b\n-a-b\na-b\n", "-", 1, "*(-a(-a-b) a(a--b a-b))");
    assert_parts("x\n53711-1234\n53711\n53712\n", "-", 5,
                 "*(5****(53***(537**(5371*(53711(53711 53711-1234) 53712)))))");
    assert_parts("x\n\xC3\x84\x62\x63.1\n\xC3\x84\x64\n", ".", 3,
                 "*(\xC3\x84**(\xC3\x84\x62*(\xC3\x84\x62\x63(\xC3\x84\x62\x63.1)) "
                 "\xC3\x84\x64))");
    assert_parts("x\n5**\n537\n5*7.1\n*\n", ".", 3, "*(* 5**(5** 5*7(5*7.1) 53*(537)))");
    assert_parts("x,y\na.b,1\n?,1\n", ".", 1, "*(a(a.b) ?)");
}

static void test_parts_refused(void **state)
{
    static const char *const wrong[] = {
        "", "a", "5", "*", ".x", "\xC3\x84", "................."};
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, "x\na.b\n");

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(shoal_hierarchy_build_parts(&ctx, &h, table, 0, wrong[i], 3),
                         SHOAL_EINVAL);
        assert_null(h);
    }
    assert_int_equal(shoal_hierarchy_build_parts(&ctx, &h, table, 0, ".", 64), SHOAL_ELIMIT);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

/* --- Memory. ------------------------------------------------------------------------------ */

static shoal_status try_parts(shoal_ctx *ctx, void *table)
{
    shoal_hierarchy *h = NULL;
    shoal_status st = shoal_hierarchy_build_parts(ctx, &h, table, 0, ".", 0);

    assert_int_equal(st == SHOAL_OK, h != NULL);
    shoal_hierarchy_free(h);
    return st;
}

static shoal_status try_convert(shoal_ctx *ctx, void *folder)
{
    char from[128];
    char to[128];

    snprintf(from, sizeof from, "%s/from", (char *)folder);
    snprintf(to, sizeof to, "%s/to", (char *)folder);
    return shoal_hierarchy_convert(ctx, from, to);
}

static void test_failing_allocations(void **state)
{
    shoal_ctx ctx;
    char folder[] = "/tmp/shoal-outline-XXXXXX";
    char path[128];

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, "x\nC50.9\nC50\nD1.2.3\n");

    assert_survives_failing_allocations(&ctx, try_parts, table);
    shoal_table_free(table);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/from", folder);
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs("*\n  a\n    b\n    c\n  d\n", file);
    fclose(file);
    assert_survives_failing_allocations(&ctx, try_convert, folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/to", folder);
    unlink(path);
    rmdir(folder);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outlines),
        cmocka_unit_test(test_wrong_outlines),
        cmocka_unit_test(test_depth_of_outlines),
        cmocka_unit_test(test_both_ways),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_parts_refused),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
