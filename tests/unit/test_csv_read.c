#include "context.h"
#include "table_tools.h"

#include "table/csv/csv_reader.h"

#include <stdlib.h>
#include <unistd.h>

/* --- What is right. --- */

static void test_one_record(void **state)
{
    shoal_table *table = read_text(*state, "age,sex\n30,F\n", NULL);

    assert_int_equal(shoal_table_row_count(table), 1);
    assert_int_equal(shoal_table_column_count(table), 2);
    assert_string_equal(shoal_table_name(table, 1), "sex");
    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_INTEGER);
    assert_int_equal(shoal_table_type(table, 1), SHOAL_TYPE_STRING);
    assert_string_equal(shoal_table_source(table), "test.csv");
    assert_string_equal(cell(table, 0, 0), "30");
    assert_int_equal(shoal_table_line(table, 0), 2);
    shoal_table_free(table);
}

static void test_one_column(void **state)
{
    /* Blank lines are records here, with an empty value. */
    shoal_table *table = read_text(*state, "x\nb\n\na\n\"\"\n", NULL);

    assert_int_equal(shoal_table_row_count(table), 4);
    assert_int_equal(shoal_table_missing_count(table, 0), 2);
    assert_int_equal(shoal_table_line(table, 3), 5);
    shoal_table_free(table);
}

static void test_all_equal(void **state)
{
    shoal_table *table = read_text(*state, "x,y\n1,a\n1,a\n1,a\n", NULL);

    assert_int_equal(shoal_table_value_count(table, 0), 1);
    assert_int_equal(shoal_table_value_count(table, 1), 1);
    assert_int_equal(shoal_table_code(table, 1, 2), 0);
    shoal_table_free(table);
}

static void test_all_missing(void **state)
{
    shoal_table *table = read_text(*state, "x,y\n?,1\n,2\n", NULL);

    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_STRING);
    assert_int_equal(shoal_table_value_count(table, 0), 0);
    assert_int_equal(shoal_table_missing_count(table, 0), 2);
    assert_int_equal(shoal_table_code(table, 0, 0), 0);
    assert_string_equal(shoal_table_text(table, 0, 0, NULL), "");
    shoal_table_free(table);
}

static void test_delimiters(void **state)
{
    static const struct {
        const char *text;
        size_t columns;
    } cases[] = {
        {"a,b\n1,2\n", 2},         {"a;b\n1,5;2\n", 2},     {"a\tb\n1\t2\n", 2},
        {"a|b\n1|2\n", 2},         {"a,b;c,d\n1,2,3\n", 3}, {"a;b,c\n1;2,3\n", 2},
        {"\"a;b;c\",d\n1,2\n", 2}, {"abc\nx\n", 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_table *table = read_text(*state, cases[i].text, NULL);

        assert_int_equal(shoal_table_column_count(table), cases[i].columns);
        shoal_table_free(table);
    }
    shoal_csv_options options = {.struct_size = sizeof options, .delimiter = ':'};
    shoal_table *table = read_text(*state, "a:b,c\n1:2\n", &options);

    assert_string_equal(shoal_table_name(table, 1), "b,c");
    shoal_table_free(table);
}

/* A carriage return belongs to the line end only in front of a newline or the end. */
static void test_carriage_returns(void **state)
{
    shoal_table *table = read_text(*state, "a,b\r\nx\ry,1\r\n\r\nz,\"2\"\r", NULL);

    assert_string_equal(shoal_table_name(table, 1), "b");
    assert_string_equal(cell(table, 0, 0), "x\ry");
    assert_string_equal(cell(table, 0, 1), "1");
    assert_string_equal(cell(table, 1, 1), "2");
    assert_int_equal(shoal_table_line(table, 1), 4);
    shoal_table_free(table);
}

static void test_missing_tokens(void **state)
{
    const char *const tokens[] = {"NA", "-9"};
    shoal_csv_options options = {
        .struct_size = sizeof options, .missing_tokens = tokens, .missing_token_count = 2};
    shoal_table *table = read_text(*state, "x,y\nNA,?\n-9,b\n4,NA\n", &options);

    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_INTEGER);
    assert_int_equal(shoal_table_missing_count(table, 0), 2);
    assert_int_equal(shoal_table_missing_count(table, 1), 1);
    assert_string_equal(cell(table, 0, 1), "?");
    shoal_table_free(table);
    options.missing_token_count = 0;
    table = read_text(*state, "x,y\n,?\n-9,b\n", &options);
    assert_int_equal(shoal_table_missing_count(table, 0), 0);
    assert_int_equal(shoal_table_value_count(table, 0), 2);
    shoal_table_free(table);
}

/* --- Columns configured by the caller. --- */

typedef struct wishes {
    shoal_type type;
    int skip;         /* column, -1 none */
    int keep_missing; /* column that has no missing values, -1 none */
    shoal_status status;
} wishes;

static shoal_status configure(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                              size_t count)
{
    const wishes *w = payload;

    for (size_t c = 0; c < count; c++) {
        assert_int_equal(columns[c].type, SHOAL_TYPE_AUTO);
        assert_true(columns[c].detect_missing && !columns[c].skip);
        columns[c].type = w->type;
        columns[c].skip = (int)c == w->skip;
        columns[c].detect_missing = (int)c != w->keep_missing;
    }
    return w->status == SHOAL_OK ? SHOAL_OK : shoal_i_fail(ctx, w->status, "No.");
}

static void test_configure(void **state)
{
    wishes w = {.type = SHOAL_TYPE_STRING, .skip = 1, .keep_missing = 2};
    shoal_csv_options options = {
        .struct_size = sizeof options, .configure = configure, .configure_payload = &w};
    shoal_table *table = read_text(*state, "a,b,c\n1,2,?\n2,3,?\n", &options);

    assert_int_equal(shoal_table_type(table, 0), SHOAL_TYPE_STRING);
    assert_true(shoal_table_is_skipped(table, 1));
    assert_string_equal(shoal_table_name(table, 1), "b");
    assert_int_equal(shoal_table_find_code(table, 1, "2", 1), -1);
    assert_int_equal(shoal_table_missing_count(table, 2), 0);
    assert_int_equal(shoal_table_value_count(table, 2), 1);
    shoal_table_free(table);
}

static void test_skip_all(void **state)
{
    wishes w = {.skip = 0, .keep_missing = -1};
    shoal_csv_options options = {
        .struct_size = sizeof options, .configure = configure, .configure_payload = &w};
    shoal_table *table = read_text(*state, "a\n1\n2\n", &options);

    assert_int_equal(shoal_table_row_count(table), 2);
    assert_true(shoal_table_is_skipped(table, 0));
    shoal_table_free(table);
}

/* --- What is wrong. --- */

typedef struct mistake {
    const char *text;
    shoal_status status;
    int64_t line;
    int64_t column;
    int64_t record;
    int64_t field;
    const char *message; /* a part of it */
} mistake;

static const mistake mistakes[] = {
    {"", SHOAL_EFORMAT, 1, 1, -1, -1, "The file is empty"},
    {"\xEF\xBB\xBF", SHOAL_EFORMAT, 1, 1, -1, -1, "The file is empty"},
    {"\xFF\xFE"
     "a",
     SHOAL_EFORMAT, 1, 1, -1, -1, "UTF-16"},
    {"a,b", SHOAL_EFORMAT, 1, 1, -1, -1, "a header but no records"},
    {"a,b\r\n\r\n\n", SHOAL_EFORMAT, 1, 1, -1, -1, "a header but no records"},
    {"a,,c\n1,2,3\n", SHOAL_EFORMAT, 1, 3, -1, 1, "Column 2 has an empty name"},
    {"\n1\n", SHOAL_EFORMAT, 1, 1, -1, 0, "Column 1 has an empty name"},
    {"a,b,a\n1,2,3\n", SHOAL_EFORMAT, 1, 5, -1, 2, "Columns 1 and 3 have the same name \"a\""},
    {"a,\"b\n", SHOAL_EFORMAT, 1, 3, -1, 1, "never closed"},
    {"a,b\"c\n1,2\n", SHOAL_EFORMAT, 1, 4, -1, 1, "does not start with one"},
    {"a,\"b\"c\n1,2\n", SHOAL_EFORMAT, 1, 6, -1, 1, "Text follows a closing quote"},
    {"a,\xE9\n1,2\n", SHOAL_EFORMAT, 1, 3, -1, -1, "UTF-8"},
    {"a,b\n1,2\n3\n4,5\n", SHOAL_EFORMAT, 3, 2, 1, -1,
     "Expected 2 fields, as in the header, but "
     "this record has 1"},
    {"a,b\n1,2\n3,4,5\n", SHOAL_EFORMAT, 3, 4, 1, -1, "this record has 3"},
    {"a,b\n\"x\ny\",2\n\n3,4,5\n", SHOAL_EFORMAT, 5, 4, 1, -1, "this record has 3"},
    {"a,b\n1,2\n3,\"4\n5,6\n", SHOAL_EFORMAT, 3, 3, 1, 1, "never closed"},
    {"a,b\n1,2\n\"x\"y,3\n", SHOAL_EFORMAT, 3, 4, 1, 0, "Text follows a closing quote"},
    {"a,b\n1,2\nx\"y,3\n", SHOAL_EFORMAT, 3, 2, 1, 0, "does not start with one"},
    {"a,b\n1,2\n5\" pipe,3\n\"q\",3\n", SHOAL_EFORMAT, 3, 2, 1, 0, "does not start with one"},
    {"a,b\n1,2\n3,\xC3\n", SHOAL_EFORMAT, 3, 3, 1, -1, "UTF-8"},
    {"a,b\n1,2\n3,\xC3\xA9\n4,\xC0\xAF\n", SHOAL_EFORMAT, 4, 3, 2, -1, "UTF-8"},
    {"a,b\n1,2\n\"\n3,\xC3\n", SHOAL_EFORMAT, 4, 3, 1, -1, "UTF-8"},
    /* Of two mistakes the first in the text. */
    {"a,b\n1\n\xC3\n", SHOAL_EFORMAT, 2, 2, 0, -1, "this record has 1"},
    {"a,b\n1,\"\"x\xC3\n", SHOAL_EFORMAT, 2, 5, 0, 1, "Text follows a closing quote"},
    {"a,b\n1,\xC3\"\n", SHOAL_EFORMAT, 2, 3, 0, -1, "UTF-8"},
    {"a,b\n\xC3\n1\n", SHOAL_EFORMAT, 2, 1, 0, -1, "UTF-8"},
};

static void assert_tuned_mistake(shoal_ctx *ctx, const mistake *m, const char *bytes,
                                 size_t size, const shoal_csv_options *options,
                                 const shoal_i_csv_tuning *tuning)
{
    shoal_table *table = NULL;
    shoal_status st =
        shoal_i_csv_read_tuned(ctx, &table, bytes, size, "bad.csv", options, tuning);

    assert_int_equal(st, m->status);
    assert_null(table);
    assert_int_equal(ctx->error.status, m->status);
    if (!strstr(ctx->error.message, m->message)) {
        print_error("\"%s\" is not about \"%s\"\n", ctx->error.message, m->message);
    }
    assert_non_null(strstr(ctx->error.message, m->message));
    assert_string_equal(ctx->error.source, "bad.csv");
    assert_int_equal(ctx->error.line, m->line);
    assert_int_equal(ctx->error.column, m->column);
    assert_int_equal(ctx->error.record, m->record);
    assert_int_equal(ctx->error.field, m->field);
}

static void assert_mistake(shoal_ctx *ctx, const mistake *m, const char *bytes, size_t size,
                           size_t block_size, const shoal_csv_options *options)
{
    shoal_i_csv_tuning tuning = {.block_size = block_size};

    assert_tuned_mistake(ctx, m, bytes, size, options, &tuning);
}

/* The same report, however the text is cut up and on any number of threads. */
static void test_mistakes(void **state)
{
    static const int threads[] = {1, 2, 5};
    shoal_ctx *ctx = *state;

    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const mistake *m = &mistakes[i];

        for (size_t block = 0; block < 8; block++) {
            ctx->threads = threads[block % 3];
            assert_mistake(ctx, m, m->text, strlen(m->text), block, NULL);
        }
    }
    ctx->threads = 1;
}

static void test_nul_bytes(void **state)
{
    static const mistake in_header = {.status = SHOAL_EFORMAT,
                                      .line = 1,
                                      .column = 2,
                                      .record = -1,
                                      .field = -1,
                                      .message = "NUL byte"};
    static const mistake in_record = {.status = SHOAL_EFORMAT,
                                      .line = 3,
                                      .column = 4,
                                      .record = 1,
                                      .field = -1,
                                      .message = "NUL byte"};
    static const mistake in_open = {.status = SHOAL_EFORMAT,
                                    .line = 3,
                                    .column = 3,
                                    .record = 1,
                                    .field = -1,
                                    .message = "NUL byte"};

    assert_mistake(*state, &in_header, "a\0,b\n1,2\n", 9, 0, NULL);
    assert_mistake(*state, &in_record, "a,b\n1,2\n3,4\0\n", 13, 0, NULL);
    assert_mistake(*state, &in_open, "a,b\n1,2\n\"3\0", 11, 3, NULL);
}

/* Values that are not of the type declared: the first record, then the first column. */
static void test_wrong_types(void **state)
{
    static const struct {
        shoal_type type;
        const char *text;
        mistake m;
    } cases[] = {
        {SHOAL_TYPE_INTEGER,
         "a,b\n1,2\n\n3,x\ny,4\n",
         {NULL, SHOAL_EFORMAT, 4, 3, 1, 1, "Column \"b\" expects a whole number"}},
        {SHOAL_TYPE_INTEGER,
         "a,b\n1,2\ny,x\n",
         {NULL, SHOAL_EFORMAT, 3, 1, 1, 0, "Column \"a\" expects a whole number"}},
        {SHOAL_TYPE_INTEGER,
         "a,b\n1,2\n1,9007199254740993\n",
         {NULL, SHOAL_EFORMAT, 3, 3, 1, 1, "beyond 2^53"}},
        {SHOAL_TYPE_REAL, "a,b\n1,2\n1,NaN\n", {NULL, SHOAL_EFORMAT, 3, 3, 1, 1, "NaN"}},
        {SHOAL_TYPE_REAL, "a,b\n-inf,2\n", {NULL, SHOAL_EFORMAT, 2, 1, 0, 0, "infinite"}},
        {SHOAL_TYPE_DATE,
         "a,b\n2024-01-01,?\n\"2024-01-02\",\"01\n02\"\n2024-13-01,?\n",
         {NULL, SHOAL_EFORMAT, 3, 14, 1, 1, "expects a date"}},
    };
    shoal_ctx *ctx = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wishes w = {.type = cases[i].type, .skip = -1, .keep_missing = -1};
        shoal_csv_options options = {
            .struct_size = sizeof options, .configure = configure, .configure_payload = &w};

        for (size_t block = 0; block < 8; block++) {
            ctx->threads = block % 2 ? 1 : 5;
            assert_mistake(ctx, &cases[i].m, cases[i].text, strlen(cases[i].text), block,
                           &options);
        }
    }
    ctx->threads = 1;
}

/* The place on the line is known where the field begins on the line of its record. */
static void test_place_of_wrong_types(void **state)
{
    static const struct {
        const char *text;
        int64_t column;
    } cases[] = {
        {"a,b\n\"1,\"\"2\",x\n", 9},
        {"a,b\n\"q\nr\",x\n", 0},
        {"a;b\n1,2;x", 5},
    };
    shoal_ctx *ctx = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wishes w = {.type = SHOAL_TYPE_INTEGER, .skip = 0, .keep_missing = -1};
        shoal_csv_options options = {
            .struct_size = sizeof options, .configure = configure, .configure_payload = &w};
        mistake m = {NULL, SHOAL_EFORMAT, 2, cases[i].column, 0, 1, "expects a whole number"};

        assert_mistake(ctx, &m, cases[i].text, strlen(cases[i].text), 0, &options);
    }
}

static void test_configure_fails(void **state)
{
    wishes w = {.skip = -1, .keep_missing = -1, .status = SHOAL_ENOTFOUND};
    shoal_csv_options options = {
        .struct_size = sizeof options, .configure = configure, .configure_payload = &w};
    shoal_table *table = NULL;

    assert_int_equal(shoal_csv_read_memory(*state, &table, "a\n1\n", 4, "x", &options),
                     SHOAL_ENOTFOUND);
    assert_null(table);
}

static void test_bad_delimiter(void **state)
{
    static const char bad[] = {'"', '\n', '\r', (char)0xC3};
    shoal_table *table = NULL;

    for (size_t i = 0; i < sizeof bad; i++) {
        shoal_csv_options options = {.struct_size = sizeof options, .delimiter = bad[i]};

        assert_int_equal(shoal_csv_read_memory(*state, &table, "a\n1\n", 4, "x", &options),
                         SHOAL_EINVAL);
    }
}

/* --- Limits. --- */

/* A text of "a,b\n1,2\n3,", then size times the byte c, then the end. */
static char *make_long(size_t size, const char *start, char c, const char *end, size_t *total)
{
    *total = strlen(start) + size + strlen(end);
    char *text = malloc(*total + 1);

    memcpy(text, start, strlen(start));
    memset(text + strlen(start), c, size);
    memcpy(text + strlen(start) + size, end, strlen(end) + 1);
    return text;
}

static void test_long_fields(void **state)
{
    static const mistake too_long = {.status = SHOAL_ELIMIT,
                                     .line = 3,
                                     .column = 3,
                                     .record = 1,
                                     .field = 1,
                                     .message = "longer than 1048576 bytes"};
    static const mistake never_closed = {.status = SHOAL_ELIMIT,
                                         .line = 3,
                                         .column = 3,
                                         .record = 1,
                                         .field = 1,
                                         .message = "may never have been closed"};
    static const mistake stray = {.status = SHOAL_EFORMAT,
                                  .line = 3,
                                  .column = 4,
                                  .record = 1,
                                  .field = 1,
                                  .message = "does not start with one"};
    static const mistake header = {.status = SHOAL_ELIMIT,
                                   .line = 1,
                                   .column = 3,
                                   .record = -1,
                                   .field = 1,
                                   .message = "longer than 1048576 bytes"};
    const size_t block_sizes[] = {0, 1000, SHOAL_CSV_FIELD_MAX * 3};
    size_t size;
    char *text;

    for (size_t i = 0; i < 3; i++) {
        size_t block = block_sizes[i];

        text = make_long(SHOAL_CSV_FIELD_MAX, "a,b\n1,2\n3,", 'x', "\n", &size);
        shoal_table *table = read_text(*state, text, NULL);

        assert_int_equal(strlen(cell(table, 1, 1)), SHOAL_CSV_FIELD_MAX);
        shoal_table_free(table);
        free(text);
        text = make_long(SHOAL_CSV_FIELD_MAX + 1, "a,b\n1,2\n3,", 'x', "\n4,5\n", &size);
        assert_mistake(*state, &too_long, text, size, block, NULL);
        free(text);
        text = make_long((size_t)10 << 20, "a,b\n1,2\n3,", 'x', "", &size);
        assert_mistake(*state, &too_long, text, size, block, NULL);
        free(text);
        text = make_long((size_t)4 << 20, "a,b\n1,2\n3,\"", '\n', "", &size);
        assert_mistake(*state, &never_closed, text, size, block, NULL);
        free(text);
        text = make_long((size_t)4 << 20, "a,b\n1,2\n3,x\"", '\n', "", &size);
        assert_mistake(*state, &stray, text, size, block, NULL);
        free(text);
        text = make_long((size_t)4 << 20, "a,", 'b', "\n1,2\n", &size);
        assert_mistake(*state, &header, text, size, block, NULL);
        free(text);
    }
}

/* A record far longer than the blocks, of fields that are not: read as any other. */
static void test_long_records(void **state)
{
    enum { COLUMNS = 3000, FIELD = 1000 };
    char *text = malloc(COLUMNS * (FIELD + 32));
    size_t size = 0;
    shoal_i_csv_tuning tuning = {.block_size = 997};
    shoal_table *table = NULL;

    for (size_t c = 0; c < COLUMNS; c++) {
        size += (size_t)snprintf(text + size, 32, "c%zu%s", c, c + 1 < COLUMNS ? "," : "\r\n");
    }
    size_t header = size;

    for (size_t c = 0; c < COLUMNS; c++) {
        /* Two bytes each, so that some are cut in two. */
        size += (size_t)snprintf(text + size, 32, c % 2 ? "\"%zu\n" : "%zu", c);
        for (size_t i = 0; i < FIELD / 2; i++) {
            memcpy(text + size, "\xC3\xA9", 2);
            size += 2;
        }
        size += (size_t)snprintf(text + size, 32, "%s%s", c % 2 ? "\"" : "",
                                 c + 1 < COLUMNS ? "," : "\r\n");
    }
    assert_int_equal(shoal_i_csv_read_tuned(*state, &table, text, size, "x", NULL, &tuning),
                     SHOAL_OK);
    assert_int_equal(shoal_table_row_count(table), 1);
    assert_int_equal(strlen(cell(table, 0, COLUMNS - 1)), FIELD + 5);
    shoal_table_free(table);

    mistake too_long = {.status = SHOAL_ELIMIT,
                        .line = 2,
                        .column = 1,
                        .record = 0,
                        .field = -1,
                        .message = "A record is longer than 2000000 bytes"};
    mistake header_too_long = {.status = SHOAL_ELIMIT,
                               .line = 1,
                               .column = 1,
                               .record = -1,
                               .field = -1,
                               .message = "A record is longer than 5000 bytes"};

    tuning.record_max = 2000000;
    assert_tuned_mistake(*state, &too_long, text, size, NULL, &tuning);
    tuning.record_max = 5000;
    assert_true(header > 5000);
    assert_tuned_mistake(*state, &header_too_long, text, size, NULL, &tuning);
    free(text);
}

static void test_many_columns(void **state)
{
    enum { COLUMNS = 5000, RECORDS = 3 };
    char *text = malloc((RECORDS + 1) * COLUMNS * 8);
    size_t size = 0;
    shoal_i_csv_tuning tuning = {.block_size = 4096};
    shoal_table *table = NULL;

    for (size_t r = 0; r <= RECORDS; r++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            const char *format = r == 0 ? "c%zu%c" : "%zu%c";
            size_t shown = r == 0 ? c : r * c % 1000;

            size +=
                (size_t)snprintf(text + size, 8, format, shown, c + 1 < COLUMNS ? ',' : '\n');
        }
    }
    assert_int_equal(
        shoal_i_csv_read_tuned(*state, &table, text, size, "wide.csv", NULL, &tuning),
        SHOAL_OK);
    assert_int_equal(shoal_table_column_count(table), COLUMNS);
    assert_int_equal(shoal_table_row_count(table), RECORDS);
    for (size_t c = 0; c < COLUMNS; c++) {
        assert_true(shoal_table_number(table, c, shoal_table_code(table, c, 1)) ==
                    (double)(2 * c % 1000));
    }
    shoal_table_free(table);
    free(text);
}

static void test_too_many_columns(void **state)
{
    size_t size;
    char *text = make_long(SHOAL_CSV_COLUMNS_MAX, "a", ',', "\n", &size);
    shoal_table *table = NULL;

    assert_int_equal(shoal_csv_read_memory(*state, &table, text, size, "wide.csv", NULL),
                     SHOAL_ELIMIT);
    assert_non_null(strstr(((shoal_ctx *)*state)->error.message, "65537 columns"));
    assert_int_equal(((shoal_ctx *)*state)->error.line, 1);
    free(text);
}

/* --- Files, progress, stopping. --- */

static void test_files(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_table *table = NULL;
    char path[] = "/tmp/shoal_test_XXXXXX";
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, "a,b\n1,x\n", 8), 8);
    close(fd);
    assert_int_equal(shoal_csv_read(ctx, &table, path, NULL), SHOAL_OK);
    assert_string_equal(shoal_table_source(table), path);
    assert_string_equal(cell(table, 0, 1), "x");
    shoal_table_free(table);
    unlink(path);
    assert_int_equal(shoal_csv_read(ctx, &table, path, NULL), SHOAL_ENOTFOUND);
    assert_null(table);
    assert_string_equal(ctx->error.source, path);
    assert_int_equal(shoal_csv_read(ctx, &table, "/tmp", NULL), SHOAL_EIO);
}

typedef struct heard {
    double last;
    int calls;
    int stop_at;
} heard;

static bool listen(void *payload, const char *stage, double fraction)
{
    heard *h = payload;

    assert_string_equal(stage, "read");
    assert_true(fraction >= h->last && fraction <= 1);
    assert_true(h->calls > 0 || fraction == 0);
    h->last = fraction;
    return ++h->calls != h->stop_at;
}

static void test_progress(void **state)
{
    shoal_ctx *ctx = *state;
    heard h = {0};
    size_t size;
    char *text = make_long(100000, "x\n", '\n', "", &size);
    shoal_i_csv_tuning tuning = {.block_size = 16};
    shoal_table *table = NULL;

    ctx->progress = listen;
    ctx->progress_payload = &h;
    assert_int_equal(shoal_i_csv_read_tuned(ctx, &table, text, size, "x", NULL, &tuning),
                     SHOAL_OK);
    assert_true(h.last == 1);
    assert_in_range(h.calls, 50, 110);
    assert_int_equal(shoal_table_row_count(table), 100000);
    shoal_table_free(table);
    for (int stop_at = 1; stop_at < 5; stop_at++) {
        h = (heard){.stop_at = stop_at};
        assert_int_equal(shoal_i_csv_read_tuned(ctx, &table, text, size, "x", NULL, &tuning),
                         SHOAL_ECANCELLED);
        assert_null(table);
        assert_int_equal(h.calls, stop_at);
    }
    ctx->progress = NULL;
    free(text);
}

static void test_cancel(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_table *table = NULL;
    int cancel = 1;

    ctx->cancel = &cancel;
    assert_int_equal(shoal_csv_read_memory(ctx, &table, "a\n1\n", 4, "x", NULL),
                     SHOAL_ECANCELLED);
    assert_null(table);
    ctx->cancel = NULL;
}

/* --- Memory. --- */

static shoal_status read_and_free(shoal_ctx *ctx, void *payload)
{
    static const char text[] = "name,\"q\n\"\"x\"\"\",n\n"
                               "anna,\"line one\nline two\",1\n\n"
                               "b,\"a \"\"b\"\" c\",2.50\n\"c\",\"\",007\n"
                               "a value of more than thirty-two bytes,?,?\nplain,p,9\n";
    const shoal_i_csv_tuning *tuning = payload;
    shoal_table *table = NULL;
    shoal_status st =
        shoal_i_csv_read_tuned(ctx, &table, text, sizeof text - 1, "memory", NULL, tuning);

    assert_int_equal(st == SHOAL_OK, table != NULL);
    shoal_table_free(table);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_i_csv_tuning whole = {0};
    shoal_i_csv_tuning cut = {.block_size = 2};

    for (int threads = 1; threads <= 2; threads++) {
        ctx->threads = threads;
        assert_survives_failing_allocations(ctx, read_and_free, &whole);
        assert_survives_failing_allocations(ctx, read_and_free, &cut);
    }
    ctx->threads = 1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_record),
        cmocka_unit_test(test_one_column),
        cmocka_unit_test(test_all_equal),
        cmocka_unit_test(test_all_missing),
        cmocka_unit_test(test_delimiters),
        cmocka_unit_test(test_carriage_returns),
        cmocka_unit_test(test_missing_tokens),
        cmocka_unit_test(test_configure),
        cmocka_unit_test(test_skip_all),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_nul_bytes),
        cmocka_unit_test(test_wrong_types),
        cmocka_unit_test(test_place_of_wrong_types),
        cmocka_unit_test(test_configure_fails),
        cmocka_unit_test(test_bad_delimiter),
        cmocka_unit_test(test_long_fields),
        cmocka_unit_test(test_long_records),
        cmocka_unit_test(test_many_columns),
        cmocka_unit_test(test_too_many_columns),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
