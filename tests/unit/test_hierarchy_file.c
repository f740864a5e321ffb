/* Hierarchy files: what they mean, what is wrong with them, and writing them. */
#include "test_hierarchy_common.h"

#include "base/file.h"

#include <unistd.h>

static const char jobs[] = "id,job\n1,nurse\n2,baker\n3,clerk\n4,nurse\n";
static const char good[] = "nurse;care;*\nclerk;office;*\nbaker;craft;*\n";

static shoal_status build(shoal_ctx *ctx, shoal_hierarchy **out, const shoal_table *table,
                          const char *file)
{
    size_t column = shoal_table_column_count(table) - 1;

    return shoal_hierarchy_build_memory(ctx, out, table, column, file, strlen(file), "job.csv");
}

static void assert_reads(const char *text, const char *file, const char *expected)
{
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;

    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, text);

    if (build(&ctx, &h, table, file) != SHOAL_OK) {
        fail_msg("%s", ctx.error.message);
    }
    assert_total_and_nested(h, table, shoal_table_column_count(table) - 1);
    shoal_table_free(table);
    assert_tree(h, expected);
    shoal_hierarchy_free(h);
    shoal_i_ctx_clear(&ctx);
}

/* --- What files mean. --------------------------------------------------------------------- */

static void test_plain(void **state)
{
    const char *const expected = "*(craft(baker) office(clerk) care(nurse))";

    (void)state;
    assert_reads(jobs, good, expected);
    assert_reads(jobs, "nurse,care,*\nclerk,office,*\nbaker,craft,*", expected);
    assert_reads(jobs, "\xEF\xBB\xBFnurse;care;*\r\nclerk;office;*\r\nbaker;craft;*\r\n",
                 expected);
    assert_reads(jobs, "\n\r\nnurse;care;*\n\nclerk;office;*\n\n\nbaker;craft;*\r", expected);
    assert_reads(jobs, "nurse;*\nclerk;*\nbaker;*\n", "*(baker clerk nurse)");
    assert_reads(jobs, "nurse;any job\nclerk;any job\nbaker;any job\n",
                 "any job(baker clerk nurse)");
}

static void test_quotes(void **state)
{
    (void)state;
    assert_reads("job\n\"a;b\"\n\"say \"\"x\"\"\"\n\"two\nlines\"\n",
                 "\"a;b\";\"g\";*\n\"say \"\"x\"\"\";\"g\";\"*\"\n\"two\nlines\";g;*\n",
                 "*(g(a;b say \"x\" two\nlines))");
    assert_reads("job\n\"a,b\"\n", "a,b;*\n", "*(a,b)");
    assert_reads("job\n\"a;b\"\n", "\"a;b\",*\n", "*(a;b)");
}

static void test_ragged(void **state)
{
    (void)state;
    assert_reads(jobs, "nurse;hospital;care;*\nclerk;*\nbaker;craft;*\n",
                 "*(craft(baker) clerk care(hospital(nurse)))");
    /* Filled up by a spreadsheet, in front of the root or behind. */
    assert_reads(jobs, "nurse;hospital;care;*\nclerk;;;*\nbaker;craft;*;\n",
                 "*(craft(baker) clerk care(hospital(nurse)))");
    /* A level that repeats the one below is no level. */
    assert_reads(jobs, "nurse;nurse;care;*\nclerk;other;other;*\nbaker;other;other;*\n",
                 "*(other(baker clerk) care(nurse))");
}

static void test_group_with_the_name_of_a_value(void **state)
{
    (void)state;
    assert_reads(jobs, "nurse;nurse;*\nclerk;nurse;*\nbaker;*\n",
                 "*(baker nurse(clerk nurse))");
    assert_reads("job\n*\na\n", "a;g;*\n*;g;*\n", "*(g(* a))");
}

static void test_values_the_column_lacks(void **state)
{
    (void)state;
    assert_reads(jobs,
                 "pilot;air;*\nnurse;care;*\nclerk;office;*\nbaker;craft;*\nmiller;craft;*\n",
                 "*(craft(baker) office(clerk) care(nurse))");
    /* Equal lines do no harm. */
    assert_reads("job\nnurse\n", "nurse;care;*\npilot;air;*\nnurse;care;*\npilot;air;*\n",
                 "*(care(nurse))");
}

static void test_numbers_match_by_value(void **state)
{
    (void)state;
    assert_reads("age\n7\n20\n100\n", "100;old;*\n20;young;*\n7;young;*\n",
                 "*(young(7 20) old(100))");
    assert_reads("x\n7.0\n2.5\n", "2.50;g;*\n7;h;*\n", "*(g(2.5) h(7.0))");
    assert_reads("x\n7\n8\n", "7;g;*\n7.0;g;*\n8.0;*\n", "*(g(7) 8)");
}

static void test_missing_values(void **state)
{
    const char *const column = "x,job\n1,nurse\n2,?\n";

    (void)state;
    assert_reads(column, "nurse;care;*\n", "*(care(nurse) ?)");
    assert_reads(column, "nurse;care;*\n?;none;*\n", "*(care(nurse) none(?))");
    assert_reads("x,job\n1,?\n2,?\n", "nurse;care;*\n", "*(?)");
    assert_reads("x,job\n1,nurse\n2,\n", "nurse;care;*\n;none;*\n", "*(care(nurse) none())");
}

/* --- What is wrong with them. ------------------------------------------------------------- */

typedef struct mistake {
    const char *file;
    shoal_status status;
    int64_t line;
    int64_t column;
    const char *words; /* in the message */
} mistake;

static void assert_mistake(const char *text, const mistake *m, bool show_values)
{
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;

    shoal_i_ctx_init(&ctx);
    ctx.show_values = show_values;
    shoal_table *table = read_table(&ctx, text);

    assert_int_equal(build(&ctx, &h, table, m->file), m->status);
    assert_null(h);
    assert_string_equal(ctx.error.source, "job.csv");
    if (ctx.error.line != m->line || ctx.error.column != m->column ||
        !strstr(ctx.error.message, m->words)) {
        fail_msg("line %d column %d: %s", (int)ctx.error.line, (int)ctx.error.column,
                 ctx.error.message);
    }
    assert_int_equal(ctx.error.message[strlen(ctx.error.message) - 1], '.');
    if (!show_values) {
        const char *const secrets[] = {"nurse", "baker", "clerk", "care", "craft"};

        for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
            assert_null(strstr(ctx.error.message, secrets[i]));
        }
    }
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static void test_mistakes(void **state)
{
    const mistake mistakes[] = {
        {"", SHOAL_EFORMAT, 1, 0, "empty"},
        {"\xEF\xBB\xBF\r\n\n", SHOAL_EFORMAT, 1, 0, "empty"},
        {"nurse;care;*\nbaker\nclerk;*\n", SHOAL_EFORMAT, 2, 1, "one label"},
        {"nurse\nbaker\nclerk\n", SHOAL_EFORMAT, 1, 1, "one label"},
        {"nurse;care;*\nbaker;;\n", SHOAL_EFORMAT, 2, 1, "one label"},
        {"nurse;care;*\nbaker;care;any\n", SHOAL_EFORMAT, 2, 12, "No common root"},
        {"nurse;care;*\nbaker;care;work;*\n", SHOAL_EFORMAT, 2, 7, "line 1"},
        {"nurse;care;*\nbaker;craft;care;*\nclerk;craft;*\n", SHOAL_EFORMAT, 3, 7,
         "Two parents"},
        {"nurse;a;b;a;*\n", SHOAL_EFORMAT, 1, 7, "Two parents"},
        {"nurse;*;b;*\n", SHOAL_EFORMAT, 1, 7, "Two parents"},
        {"nurse;care;*\nclerk;*\nnurse;craft;*\n", SHOAL_EFORMAT, 3, 1, "line 1"},
        {"pilot;care;*\npilot;craft;*\n", SHOAL_EFORMAT, 2, 1, "another path"},
        {"nurse;care;*\nclerk;*\nbaker;nurse;*\n", SHOAL_EFORMAT, 1, 1, "label of a group"},
        {"nurse;care;*\n\"baker;*\n", SHOAL_EFORMAT, 2, 1, "never closed"},
        {"nurse;care;*\n\"bak\"er;*\n", SHOAL_EFORMAT, 2, 1, "closing quote"},
        {"nurse;care;*\nba\"ker;*\n", SHOAL_EFORMAT, 2, 1, "not quoted"},
        {"nurse;\"care\n\nx\";*\nbaker;\"x\"y;*\n", SHOAL_EFORMAT, 4, 7, "closing quote"},
        {"nurse;care;*\nbaker;cr\xFF;*\n", SHOAL_EFORMAT, 2, 9, "UTF-8"},
        {"nurse;care;*\nbaker;\xC3\n", SHOAL_EFORMAT, 2, 7, "UTF-8"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        assert_mistake(jobs, &mistakes[i], false);
        assert_mistake(jobs, &mistakes[i], true);
    }
}

static void test_mistakes_show_labels_on_request(void **state)
{
    const mistake mistakes[] = {
        {"nurse;care;*\nbaker;care;work;*\n", SHOAL_EFORMAT, 2, 7, "\"care\""},
        {"nurse;care;*\nnurse;craft;*\n", SHOAL_EFORMAT, 2, 1, "\"nurse\""},
        {"nurse;care;*\nbaker;care;any\n", SHOAL_EFORMAT, 2, 12, "\"any\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        assert_mistake(jobs, &mistakes[i], true);
    }
    /* One number on two lines, written differently. */
    const mistake number = {"7;g;*\n8;h;*\n7.0;h;*\n", SHOAL_EFORMAT, 3, 1, "line 1"};

    assert_mistake("x\n7\n8\n", &number, false);
}

static void test_nul_byte(void **state)
{
    static const char file[] = "nurse;care;*\nba\0ker;*\n";
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, jobs);

    assert_int_equal(
        shoal_hierarchy_build_memory(&ctx, &h, table, 1, file, sizeof file - 1, "job.csv"),
        SHOAL_EFORMAT);
    assert_int_equal(ctx.error.line, 2);
    assert_int_equal(ctx.error.column, 3);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static void test_levels_limit(void **state)
{
    (void)state;
    for (size_t labels = SHOAL_LEVELS_MAX; labels <= SHOAL_LEVELS_MAX + 1; labels++) {
        char file[1024] = "nurse";

        for (size_t i = 1; i + 1 < labels; i++) {
            size_t used = strlen(file);

            snprintf(file + used, sizeof file - used, ";g%zu", i);
        }
        size_t used = strlen(file);

        snprintf(file + used, sizeof file - used, ";*\n");
        if (labels > SHOAL_LEVELS_MAX) {
            const mistake m = {file, SHOAL_ELIMIT, 1, (int64_t)used + 2, "64 labels"};

            assert_mistake("job\nnurse\n", &m, false);
        } else {
            shoal_ctx ctx;
            shoal_hierarchy *h = NULL;

            shoal_i_ctx_init(&ctx);
            shoal_table *table = read_table(&ctx, "job\nnurse\n");

            assert_int_equal(build(&ctx, &h, table, file), SHOAL_OK);
            assert_int_equal(shoal_hierarchy_height(h), SHOAL_LEVELS_MAX - 1);
            shoal_hierarchy_free(h);
            shoal_table_free(table);
            shoal_i_ctx_clear(&ctx);
        }
    }
}

static void test_uncovered_values(void **state)
{
    const mistake one = {"nurse;*\nclerk;*\n", SHOAL_EFORMAT, 0, 0,
                         "1 of the 3 values of column \"job\" has no line"};
    const mistake place = {"nurse;*\nclerk;*\n", SHOAL_EFORMAT, 0, 0,
                           "(first met on line 3 of people.csv)"};
    const mistake two = {"baker;*\n", SHOAL_EFORMAT, 0, 0, "lines 2, 4 of people.csv"};
    const mistake shown = {"baker;*\n", SHOAL_EFORMAT, 0, 0, "(\"nurse\", \"clerk\")"};

    (void)state;
    assert_mistake(jobs, &one, false);
    assert_mistake(jobs, &place, false);
    assert_mistake(jobs, &two, false);
    assert_mistake(jobs, &shown, true);

    /* Long values are cut between characters: 13 of three bytes fit into 40 bytes. */
    char text[128] = "job\n";
    char words[128] = "(\"";

    for (int i = 0; i < 20; i++) {
        memcpy(text + 4 + 3 * i, "\xE6\x9D\xB1", 4);
        if (i < 13) {
            memcpy(words + 2 + 3 * i, "\xE6\x9D\xB1\")", 6);
        }
    }
    text[64] = '\n';
    const mistake cut = {"baker;*\n", SHOAL_EFORMAT, 0, 0, words};

    assert_mistake(text, &cut, true);
}

static void test_many_uncovered_values(void **state)
{
    char text[1024] = "job\n";
    const mistake m = {
        "v0;*\n", SHOAL_EFORMAT, 0, 0,
        "29 of the 30 values of column \"job\" have no line in the hierarchy file "
        "(first met on lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 of people.csv, ...)"};
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;

    (void)state;
    for (int i = 0; i < 60; i++) {
        size_t used = strlen(text);

        snprintf(text + used, sizeof text - used, "v%d\n", i % 30);
    }
    assert_mistake(text, &m, false);

    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, text);

    assert_int_equal(build(&ctx, &h, table, m.file), SHOAL_EFORMAT);
    assert_int_equal(ctx.error.record, 1);
    assert_int_equal(ctx.error.field, 0);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static void test_file_not_found(void **state)
{
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, jobs);

    assert_int_equal(shoal_hierarchy_build_file(&ctx, &h, table, 1, "/nonexistent/job.csv"),
                     SHOAL_ENOTFOUND);
    assert_null(h);
    assert_int_equal(shoal_hierarchy_build_file(&ctx, &h, table, 1, "/tmp"), SHOAL_EIO);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static void note_message(void *payload, shoal_log_level level, const char *message,
                         const shoal_error *where)
{
    (void)where;
    if (level == SHOAL_LOG_DEBUG) {
        snprintf(payload, 256, "%s", message);
    }
}

static void test_log_of_unused_values(void **state)
{
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;
    char message[256] = "";

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.log = note_message;
    ctx.log_payload = message;
    shoal_table *table = read_table(&ctx, "job\nnurse\n");

    assert_int_equal(build(&ctx, &h, table, good), SHOAL_OK);
    assert_non_null(strstr(message, "2 of the 3 values of job.csv"));
    shoal_hierarchy_free(h);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

/* --- Writing. ----------------------------------------------------------------------------- */

static const char *get_path(void)
{
    static char path[64];

    snprintf(path, sizeof path, "/tmp/shoal_hierarchy_%ld.txt", (long)getpid());
    return path;
}

static char *read_back(shoal_ctx *ctx)
{
    char *bytes = NULL;
    size_t size = 0;

    assert_int_equal(shoal_i_input_read_all(ctx, &bytes, &size, get_path(), 1 << 20), SHOAL_OK);
    unlink(get_path());
    return bytes;
}

static void assert_writes(const char *text, const char *file, const char *expected)
{
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;
    shoal_hierarchy *again = NULL;

    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, text);

    assert_int_equal(build(&ctx, &h, table, file), SHOAL_OK);
    assert_int_equal(shoal_hierarchy_write(&ctx, h, get_path()), SHOAL_OK);
    char *written = read_back(&ctx);

    assert_string_equal(written, expected);
    assert_int_equal(build(&ctx, &again, table, written), SHOAL_OK);
    char *drawn = draw_tree(h);

    assert_tree(again, drawn);
    free(drawn);
    free(written);
    shoal_hierarchy_free(h);
    shoal_hierarchy_free(again);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static void test_writes_what_it_reads(void **state)
{
    (void)state;
    assert_writes(jobs, good, "baker;craft;*\nclerk;office;*\nnurse;care;*\n");
    assert_writes(jobs, "nurse,nurse,*\nclerk,nurse,*\nbaker,*\n",
                  "baker;*\nclerk;nurse;*\nnurse;nurse;*\n");
    assert_writes("x,job\n1,nurse\n2,?\n3,\n", "nurse;care;*\n?;none;*\n;none;*\n",
                  "nurse;care;*\n;none;*\n");
    assert_writes("job\n\"a;b\"\n\"say \"\"x\"\"\"\n\"two\nlines\"\n\"a,b\"\n",
                  "\"a;b\";g;*\n\"say \"\"x\"\"\";\"g\";*\n\"two\nlines\";g;*\n\"a,b\";*\n",
                  "a,b;*\n\"a;b\";g;*\n\"say \"\"x\"\"\";g;*\n\"two\nlines\";g;*\n");
    /* A root that is the only value. */
    assert_writes("job\na\n", "a;a\n", "a;a\n");
}

static void test_prints(void **state)
{
    const struct {
        size_t max_lines;
        const char *expected;
    } cases[] = {
        {0, "*  (3 values)\n  craft  (1 value)\n    baker\n  care  (2 values)\n"
            "    cl?erk\n    nurse\n"},
        {6, "*  (3 values)\n  craft  (1 value)\n    baker\n  care  (2 values)\n"
            "    cl?erk\n    nurse\n"},
        {3, "*  (3 values)\n  craft  (1 value)\n... and 4 more\n"},
        {1, "... and 6 more\n"},
    };
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, "job\nnurse\nbaker\ncl\033erk\n");

    assert_int_equal(build(&ctx, &h, table, "nurse;care;*\ncl\033erk;care;*\nbaker;craft;*\n"),
                     SHOAL_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(shoal_hierarchy_print(&ctx, h, get_path(), cases[i].max_lines),
                         SHOAL_OK);
        char *printed = read_back(&ctx);

        assert_string_equal(printed, cases[i].expected);
        free(printed);
    }
    assert_int_equal(shoal_hierarchy_write(&ctx, h, "/dev/full"), SHOAL_EIO);
    assert_int_not_equal(shoal_hierarchy_print(&ctx, h, "/nonexistent/x/y", 0), SHOAL_OK);
    shoal_hierarchy_free(h);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static shoal_status build_and_write(shoal_ctx *ctx, void *payload)
{
    shoal_hierarchy *h = NULL;
    shoal_status st = build(ctx, &h, payload, good);

    assert_int_equal(st == SHOAL_OK, h != NULL);
    if (st == SHOAL_OK) {
        st = shoal_hierarchy_write(ctx, h, get_path());
    }
    shoal_hierarchy_free(h);
    h = NULL;
    if (st == SHOAL_OK) {
        st = shoal_hierarchy_build_file(ctx, &h, payload, 1, get_path());
    }
    unlink(get_path());
    shoal_hierarchy_free(h);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, jobs);

    assert_survives_failing_allocations(&ctx, build_and_write, table);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_ragged),
        cmocka_unit_test(test_group_with_the_name_of_a_value),
        cmocka_unit_test(test_values_the_column_lacks),
        cmocka_unit_test(test_numbers_match_by_value),
        cmocka_unit_test(test_missing_values),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_mistakes_show_labels_on_request),
        cmocka_unit_test(test_nul_byte),
        cmocka_unit_test(test_levels_limit),
        cmocka_unit_test(test_uncovered_values),
        cmocka_unit_test(test_many_uncovered_values),
        cmocka_unit_test(test_file_not_found),
        cmocka_unit_test(test_log_of_unused_values),
        cmocka_unit_test(test_writes_what_it_reads),
        cmocka_unit_test(test_prints),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
