#include "context.h"

#include "arrow_refusal.h"
#include "table_tools.h"

#include "table/table_origin.h"

#include <math.h>

static shoal_table *import(shoal_ctx *ctx, arrow_script *script)
{
    struct ArrowArrayStream stream = arrow_open(script);
    shoal_table *table = NULL;
    shoal_status st = shoal_table_import(ctx, &table, &stream);

    if (st != SHOAL_OK) {
        print_error("%s\n", ctx->error.message);
    }
    assert_int_equal(st, SHOAL_OK);
    assert_null(stream.release);
    assert_int_equal(script->releases, 1);
    assert_int_equal(script->live, 0);
    return table;
}

/* --- What becomes of each type. --- */

#define ROWS 6

typedef struct type_case {
    const char *format;
    shoal_type type;
    arrow_value cells[ROWS];
    const char *texts[ROWS]; /* NULL: missing */
} type_case;

static const type_case type_cases[] = {
    {"c",
     SHOAL_TYPE_INTEGER,
     {NUMBER(-128), NUMBER(127), MISSING, NUMBER(0), NUMBER(0), NUMBER(-1)},
     {"-128", "127", NULL, "0", "0", "-1"}},
    {"C",
     SHOAL_TYPE_INTEGER,
     {NUMBER(255), NUMBER(127), MISSING, NUMBER(0), NUMBER(0), NUMBER(128)},
     {"255", "127", NULL, "0", "0", "128"}},
    {"s",
     SHOAL_TYPE_INTEGER,
     {NUMBER(-32768), NUMBER(32767), MISSING, NUMBER(9), NUMBER(10), NUMBER(-1)},
     {"-32768", "32767", NULL, "9", "10", "-1"}},
    {"S",
     SHOAL_TYPE_INTEGER,
     {NUMBER(65535), NUMBER(32767), MISSING, NUMBER(9), NUMBER(10), NUMBER(32768)},
     {"65535", "32767", NULL, "9", "10", "32768"}},
    {"i",
     SHOAL_TYPE_INTEGER,
     {NUMBER(INT32_MIN), NUMBER(INT32_MAX), MISSING, NUMBER(9), NUMBER(10), NUMBER(-1)},
     {"-2147483648", "2147483647", NULL, "9", "10", "-1"}},
    {"I",
     SHOAL_TYPE_INTEGER,
     {NUMBER(UINT32_MAX), NUMBER(1), MISSING, NUMBER(9), NUMBER(10), NUMBER(2147483648)},
     {"4294967295", "1", NULL, "9", "10", "2147483648"}},
    {"l",
     SHOAL_TYPE_INTEGER,
     {NUMBER(-9007199254740992), NUMBER(9007199254740992), MISSING, NUMBER(9), NUMBER(10),
      NUMBER(-1)},
     {"-9007199254740992", "9007199254740992", NULL, "9", "10", "-1"}},
    {"l", /* beyond 2^53: exact digits, sorted as texts */
     SHOAL_TYPE_STRING,
     {NUMBER(9007199254740993), NUMBER(INT64_MIN), MISSING, NUMBER(INT64_MAX), NUMBER(10),
      NUMBER(9)},
     {"9007199254740993", "-9223372036854775808", NULL, "9223372036854775807", "10", "9"}},
    {"L",
     SHOAL_TYPE_INTEGER,
     {NUMBER(9007199254740992), NUMBER(1), MISSING, NUMBER(9), NUMBER(10), NUMBER(0)},
     {"9007199254740992", "1", NULL, "9", "10", "0"}},
    {"L",
     SHOAL_TYPE_STRING,
     {NUMBER(-1), NUMBER(INT64_MIN), MISSING, NUMBER(9007199254740993), NUMBER(10), NUMBER(0)},
     {"18446744073709551615", "9223372036854775808", NULL, "9007199254740993", "10", "0"}},
    {"f",
     SHOAL_TYPE_REAL,
     {REAL(0.1f), REAL(-0.0), REAL(NAN), MISSING, REAL(16777216), REAL(1e-40f)},
     {"0.1", "0", NULL, NULL, "16777216", "1e-40"}},
    {"g",
     SHOAL_TYPE_REAL,
     {REAL(0.1), REAL(-0.0), REAL(NAN), MISSING, REAL(0), REAL(1e300)},
     {"0.1", "0", NULL, NULL, "0", "1e+300"}},
    {"b",
     SHOAL_TYPE_STRING,
     {NUMBER(1), NUMBER(0), MISSING, NUMBER(1), NUMBER(1), NUMBER(0)},
     {"true", "false", NULL, "true", "true", "false"}},
    {"d:9,2,32",
     SHOAL_TYPE_REAL,
     {NUMBER(150), NUMBER(-5), MISSING, NUMBER(0), NUMBER(123456789), NUMBER(-100)},
     {"1.50", "-0.05", NULL, "0.00", "1234567.89", "-1.00"}},
    {"d:18,1,64",
     SHOAL_TYPE_REAL,
     {NUMBER(15), NUMBER(-5), MISSING, NUMBER(0), NUMBER(999999999999999), NUMBER(-10)},
     {"1.5", "-0.5", NULL, "0.0", "99999999999999.9", "-1.0"}},
    {"d:38,20", /* zeros behind do not count as digits */
     SHOAL_TYPE_REAL,
     {{.is_wide = true, .words = {7766279631452241920, 5, 0, 0}}, /* 10^20 */
      NUMBER(0),
      MISSING,
      NUMBER(-1),
      NUMBER(123456789012345),
      NUMBER(10)},
     {"1.00000000000000000000", "0.00000000000000000000", NULL, "-0.00000000000000000001",
      "0.00000123456789012345", "0.00000000000000000010"}},
    {"d:38,3", /* 16 digits, of which a double may lose the last */
     SHOAL_TYPE_STRING,
     {NUMBER(1234567890123456), NUMBER(-5), MISSING, NUMBER(0), NUMBER(1), NUMBER(-1)},
     {"1234567890123.456", "-0.005", NULL, "0.000", "0.001", "-0.001"}},
    {"d:10,0",
     SHOAL_TYPE_INTEGER,
     {NUMBER(150), NUMBER(-5), MISSING, NUMBER(9007199254740992), NUMBER(1), NUMBER(-1)},
     {"150", "-5", NULL, "9007199254740992", "1", "-1"}},
    {"d:10,-2",
     SHOAL_TYPE_INTEGER,
     {NUMBER(150), NUMBER(-5), MISSING, NUMBER(0), NUMBER(1), NUMBER(-1)},
     {"15000", "-500", NULL, "0", "100", "-100"}},
    {"d:76,0,256",
     SHOAL_TYPE_STRING,
     {{.is_wide = true, .words = {0, 0, 0, 1}}, /* 2^192 */
      NUMBER(-5),
      MISSING,
      {.is_wide = true, .words = {0, 0, 0, UINT64_MAX}}, /* -2^192 */
      NUMBER(1),
      NUMBER(0)},
     {"6277101735386680763835789423207666416102355444464034512896", "-5", NULL,
      "-6277101735386680763835789423207666416102355444464034512896", "1", "0"}},
    {"u",
     SHOAL_TYPE_STRING,
     {TEXT("zebra"), TEXT(""), MISSING, TEXT("\xC3\xA9t\xC3\xA9"), TEXT("zebra"),
      TEXT("a text of more than thirty-two bytes, to be looked up as a whole")},
     {"zebra", "", NULL, "\xC3\xA9t\xC3\xA9", "zebra",
      "a text of more than thirty-two bytes, to be looked up as a whole"}},
    {"U",
     SHOAL_TYPE_STRING,
     {TEXT("zebra"), TEXT(""), MISSING, TEXT("sixteen bytes is"), TEXT("zebra"), TEXT("1")},
     {"zebra", "", NULL, "sixteen bytes is", "zebra", "1"}},
    {"vu",
     SHOAL_TYPE_STRING,
     {TEXT("twelve bytes"), TEXT(""), MISSING, TEXT("thirteen byte"), TEXT("thirteen byte"),
      TEXT("another text, that is longer than that")},
     {"twelve bytes", "", NULL, "thirteen byte", "thirteen byte",
      "another text, that is longer than that"}},
    {"tdD",
     SHOAL_TYPE_DATE,
     {NUMBER(0), NUMBER(-719162), MISSING, NUMBER(2932896), NUMBER(19782), NUMBER(-1)},
     {"1970-01-01", "0001-01-01", NULL, "9999-12-31", "2024-02-29", "1969-12-31"}},
    {"tdm",
     SHOAL_TYPE_DATE,
     {NUMBER(0), NUMBER(-86400000), MISSING, NUMBER(253402214400000), NUMBER(86400000),
      NUMBER(0)},
     {"1970-01-01", "1969-12-31", NULL, "9999-12-31", "1970-01-02", "1970-01-01"}},
    {"tss:",
     SHOAL_TYPE_DATE,
     {NUMBER(0), NUMBER(-86400), MISSING, NUMBER(1709164800), NUMBER(86400), NUMBER(0)},
     {"1970-01-01", "1969-12-31", NULL, "2024-02-29", "1970-01-02", "1970-01-01"}},
    {"tss:UTC",
     SHOAL_TYPE_STRING,
     {NUMBER(0), NUMBER(-1), MISSING, NUMBER(1709209845), NUMBER(86400), NUMBER(0)},
     {"1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", NULL, "2024-02-29T12:30:45Z",
      "1970-01-02T00:00:00Z", "1970-01-01T00:00:00Z"}},
    {"tsm:",
     SHOAL_TYPE_STRING,
     {NUMBER(0), NUMBER(-1), MISSING, NUMBER(1), NUMBER(86400000), NUMBER(0)},
     {"1970-01-01T00:00:00.000", "1969-12-31T23:59:59.999", NULL, "1970-01-01T00:00:00.001",
      "1970-01-02T00:00:00.000", "1970-01-01T00:00:00.000"}},
    {"tsu:Europe/Berlin", /* whole seconds need no digits */
     SHOAL_TYPE_STRING,
     {NUMBER(0), NUMBER(-1000000), MISSING, NUMBER(1000000), NUMBER(0), NUMBER(0)},
     {"1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", NULL, "1970-01-01T00:00:01Z",
      "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"}},
    {"tsn:",
     SHOAL_TYPE_STRING,
     {NUMBER(0), NUMBER(INT64_MIN), MISSING, NUMBER(INT64_MAX), NUMBER(1000), NUMBER(0)},
     {"1970-01-01T00:00:00.000000000", "1677-09-21T00:12:43.145224192", NULL,
      "2262-04-11T23:47:16.854775807", "1970-01-01T00:00:00.000001000",
      "1970-01-01T00:00:00.000000000"}},
    {"tsn:", /* microseconds are enough for all */
     SHOAL_TYPE_STRING,
     {NUMBER(0), NUMBER(-1000), MISSING, NUMBER(1000000), NUMBER(1000), NUMBER(0)},
     {"1970-01-01T00:00:00.000000", "1969-12-31T23:59:59.999999", NULL,
      "1970-01-01T00:00:00.001000", "1970-01-01T00:00:00.000001",
      "1970-01-01T00:00:00.000000"}},
    {"n", SHOAL_TYPE_STRING, {MISSING, MISSING, MISSING, MISSING, MISSING, MISSING}, {0}},
};

static void assert_cells(const shoal_table *table, size_t column, const type_case *expected)
{
    size_t missing = 0;

    assert_int_equal(shoal_table_type(table, column), expected->type);
    for (size_t row = 0; row < ROWS; row++) {
        uint32_t code = shoal_table_code(table, column, row);
        size_t values = shoal_table_value_count(table, column);
        size_t length = 0;

        if (expected->texts[row]) {
            assert_true(code < values);
            assert_string_equal(shoal_table_text(table, column, code, &length),
                                expected->texts[row]);
            assert_int_equal(length, strlen(expected->texts[row]));
            assert_int_equal(shoal_table_find_code(table, column, expected->texts[row], length),
                             code);
        } else {
            assert_int_equal(code, values);
            missing++;
        }
    }
    assert_int_equal(shoal_table_missing_count(table, column), missing);
}

/* Dictionaries ascend, by value or by bytes, and have only what occurs. */
static void assert_sorted(const shoal_table *table, size_t column)
{
    bool is_text = shoal_table_type(table, column) == SHOAL_TYPE_STRING;

    for (uint32_t code = 1; code < shoal_table_value_count(table, column); code++) {
        if (is_text) {
            assert_true(strcmp(shoal_table_text(table, column, code - 1, NULL),
                               shoal_table_text(table, column, code, NULL)) < 0);
        } else {
            assert_true(shoal_table_number(table, column, code - 1) <
                        shoal_table_number(table, column, code));
        }
    }
}

/* Every type as a column, by itself or in a dictionary of some index. */
static size_t make_fields(arrow_field *out, char names[][8], bool in_dictionaries)
{
    static const char *const indices[] = {"c", "C", "s", "S", "i", "I", "l", "L"};

    for (size_t i = 0; i < LENGTH(type_cases); i++) {
        snprintf(names[i], 8, "c%zu", i);
        out[i] = (arrow_field){
            .name = names[i], .format = type_cases[i].format, .cells = type_cases[i].cells};
        if (in_dictionaries) {
            out[i].values = out[i].format;
            out[i].format = indices[i % LENGTH(indices)];
        }
    }
    return LENGTH(type_cases);
}

static void test_types(void **state)
{
    arrow_field fields[LENGTH(type_cases)];
    char names[LENGTH(type_cases)][8];
    static const size_t chunks[] = {0, 1, 2, 4};

    for (size_t variant = 0; variant < 2 * LENGTH(chunks); variant++) {
        arrow_script script = {.fields = fields,
                               .field_count = make_fields(fields, names, variant % 2 == 1),
                               .row_count = ROWS,
                               .chunk = chunks[variant / 2],
                               .offset = variant % 3,
                               .child_offset = variant % 4 * 3,
                               .has_sentinels = variant % 4 > 1};
        shoal_table *table = import(*state, &script);

        assert_int_equal(shoal_table_row_count(table), ROWS);
        assert_string_equal(shoal_table_source(table), "");
        assert_int_equal(shoal_table_line(table, 1), 0);
        for (size_t c = 0; c < LENGTH(type_cases); c++) {
            assert_string_equal(shoal_table_name(table, c), names[c]);
            assert_cells(table, c, &type_cases[c]);
            assert_sorted(table, c);
        }
        shoal_table_free(table);
    }
}

static void test_origins(void **state)
{
    arrow_field fields[LENGTH(type_cases)];
    char names[LENGTH(type_cases)][8];
    arrow_script script = {.fields = fields, .row_count = ROWS};

    script.field_count = make_fields(fields, names, false);
    shoal_table *table = import(*state, &script);

    for (size_t c = 0; c < LENGTH(type_cases); c++) {
        assert_string_equal(shoal_i_table_origin(table, c), type_cases[c].format);
    }
    shoal_table_free(table);
    make_fields(fields, names, true);
    table = import(*state, &script);
    for (size_t c = 0; c < LENGTH(type_cases); c++) {
        const char *origin = shoal_i_table_origin(table, c);

        assert_true(origin[0] == fields[c].format[0] && origin[1] == '>');
        assert_string_equal(origin + 2, type_cases[c].format);
    }
    shoal_table_free(table);
}

/* The same table as from arrays and from text. */
static void test_like_arrays_and_csv(void **state)
{
    static const arrow_value numbers[] = {NUMBER(3), NUMBER(-1), NUMBER(3), NUMBER(200)};
    static const arrow_value reals[] = {REAL(2.5), REAL(-1), REAL(2.5), REAL(10)};
    static const arrow_value days[] = {NUMBER(0), NUMBER(-1), NUMBER(19782), NUMBER(0)};
    static const arrow_value texts[] = {TEXT("b"), TEXT("a"), TEXT("b b"), TEXT("zz")};
    static const arrow_field fields[] = {{.name = "n", .format = "s", .cells = numbers},
                                         {.name = "r", .format = "f", .cells = reals},
                                         {.name = "d", .format = "tdD", .cells = days},
                                         {.name = "t", .format = "vu", .cells = texts}};
    const shoal_array arrays[] = {
        {.name = "n",
         .kind = SHOAL_ARRAY_INT32,
         .length = 4,
         .data = (int32_t[]){3, -1, 3, 200}},
        {.name = "r",
         .kind = SHOAL_ARRAY_DOUBLE,
         .length = 4,
         .data = (double[]){2.5, -1, 2.5, 10}},
        {.name = "d",
         .kind = SHOAL_ARRAY_DATE32,
         .length = 4,
         .data = (int32_t[]){0, -1, 19782, 0}},
        {.name = "t",
         .kind = SHOAL_ARRAY_UTF8,
         .length = 4,
         .data = "bab bzz",
         .offsets32 = (int32_t[]){0, 1, 2, 5, 7}},
    };
    const char *const tokens[] = {""};
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
    arrow_script script = {.fields = fields, .field_count = 4, .row_count = 4, .chunk = 3};
    shoal_table *imported = import(*state, &script);
    shoal_table *built = NULL;

    options.missing_tokens = tokens;
    options.missing_token_count = 1;
    shoal_table *read = read_text(*state,
                                  "n,r,d,t\n3,2.5,1970-01-01,b\n-1,-1,1969-12-31,a\n"
                                  "3,2.5,2024-02-29,b b\n200,10,1970-01-01,zz\n",
                                  &options);

    assert_int_equal(shoal_table_from_arrays(*state, &built, arrays, 4), SHOAL_OK);
    assert_same_table(built, imported);
    assert_same_table(read, imported);
    shoal_table_free(built);
    shoal_table_free(read);
    shoal_table_free(imported);
}

/* --- Many records. --- */

#define MANY 25000

/* Values that the index of the record decides, in all the sizes that indices and keys have. */
static void fill_many(arrow_value cells[6][MANY], char texts[MANY][48])
{
    for (size_t i = 0; i < MANY; i++) {
        uint64_t hash = (i + 1) * 0x9E3779B97F4A7C15u >> 20;
        int length =
            snprintf(texts[i], 48, "%.*s%u", (int)(hash % 5) * 8,
                     "a longer and longer beginning of a text", (unsigned)(hash % 700));

        cells[0][i] =
            (arrow_value){.number = (int64_t)(hash % 90), .is_missing = hash % 11 == 0};
        cells[1][i] = (arrow_value){.number = (int64_t)(hash % 100000) - 50000};
        cells[2][i] = (arrow_value){.text = texts[i],
                                    .length = (size_t)length,
                                    .is_missing = i > 5000 && hash % 7 == 0};
        cells[3][i] = cells[2][i];
        cells[4][i] = (arrow_value){.real = (double)(hash % 1000) / 8};
        cells[5][i] = cells[2][i % 100];
    }
}

static void test_chunks_and_threads(void **state)
{
    static arrow_value cells[6][MANY];
    static char texts[MANY][48];
    shoal_ctx *ctx = *state;
    static const size_t chunks[] = {1, 7, 300, 10000};
    const arrow_field fields[] = {
        {.name = "a", .format = "c", .cells = cells[0]},
        {.name = "b", .format = "i", .cells = cells[1]},
        {.name = "t", .format = "u", .cells = cells[2]},
        {.name = "v", .format = "vu", .cells = cells[3]},
        {.name = "g", .format = "g", .cells = cells[4]},
        {.name = "d", .format = "s", .values = "U", .cells = cells[5]},
    };
    arrow_script script = {.fields = fields, .field_count = 6, .row_count = MANY};

    fill_many(cells, texts);
    shoal_table *whole = import(ctx, &script);

    assert_int_equal(shoal_table_row_count(whole), MANY);
    for (size_t row = 0; row < MANY; row += 97) {
        bool is_missing = cells[2][row].is_missing;

        assert_string_equal(cell(whole, row, 2), is_missing ? "" : texts[row]);
        assert_int_equal(shoal_table_code(whole, 2, row), shoal_table_code(whole, 3, row));
        assert_true(shoal_table_number(whole, 1, shoal_table_code(whole, 1, row)) ==
                    (double)cells[1][row].number);
    }
    for (size_t i = 0; i < LENGTH(chunks); i++) {
        script.chunk = chunks[i];
        script.offset = i;
        ctx->threads = i % 2 ? 4 : 1;
        shoal_table *table = import(ctx, &script);

        assert_same_table(whole, table);
        shoal_table_free(table);
    }
    ctx->threads = 1;
    shoal_table_free(whole);
}

/* Numbers in all distances from each other: near ones are found in another way than far
 * ones. */
static void test_numbers_near_and_far(void **state)
{
    static arrow_value cells[MANY];
    const arrow_field field = {.name = "n", .format = "l", .cells = cells};

    for (unsigned variant = 0; variant < 6; variant++) {
        arrow_script script = {
            .fields = &field, .field_count = 1, .row_count = 12000, .chunk = 3000};
        int64_t step = (int64_t[]){1, 3, 90, 5000, 1000000, 70}[variant];

        for (size_t i = 0; i < script.row_count; i++) {
            int64_t block = (int64_t)(i / 1000);
            int64_t number = (int64_t)(i * 37 % 1000) + (block % 2 ? -block : block) * step;

            cells[i] = (arrow_value){.number = number, .is_missing = i % 101 == 7};
        }
        if (variant == 5) {
            cells[2500].number = INT64_MAX;
            cells[2501].number = INT64_MIN;
            cells[9999].number = INT64_MAX - 1;
        }
        shoal_table *table = import(*state, &script);

        for (size_t i = 0; i < script.row_count; i++) {
            char expected[32];

            snprintf(expected, sizeof expected, "%lld", (long long)cells[i].number);
            assert_string_equal(cell(table, i, 0), cells[i].is_missing ? "" : expected);
        }
        assert_sorted(table, 0);
        shoal_table_free(table);
    }
}

/* The same dictionary in memory for several arrays, and another one at the same place: the
 * first is released before the second is made, so that it may well get its memory. */
static void test_dictionaries_of_chunks(void **state)
{
    static arrow_value cells[MANY];
    static char texts[MANY][48];
    static arrow_value unused[6][MANY];
    const arrow_field field = {.name = "d", .format = "i", .values = "u", .cells = cells};
    static const size_t chunks[] = {1, 3, 64, 1000};

    fill_many(unused, texts);
    for (size_t i = 0; i < MANY; i++) {
        cells[i] = (arrow_value){.text = texts[i], .length = strlen(texts[i])};
    }
    for (size_t i = 0; i < LENGTH(chunks); i++) {
        arrow_script script = {
            .fields = &field, .field_count = 1, .row_count = 5000, .chunk = chunks[i]};
        shoal_table *table = import(*state, &script);

        for (size_t row = 0; row < script.row_count; row++) {
            assert_string_equal(cell(table, row, 0), texts[row]);
        }
        shoal_table_free(table);
    }
}

/* A record that is null as a whole has no value in any column, whatever stands there. */
static void test_null_records(void **state)
{
    static const arrow_value numbers[] = {NUMBER(1), NUMBER(2), NUMBER(3)};
    static const arrow_value texts[] = {TEXT("a"), TEXT("\xFF"), MISSING};
    static const arrow_value dates[] = {NUMBER(1), NUMBER(99999999), NUMBER(1)};
    static const arrow_field fields[] = {{.name = "n", .format = "l", .cells = numbers},
                                         {.name = "t", .format = "u", .cells = texts},
                                         {.name = "d", .format = "tdD", .cells = dates}};
    static const bool records[] = {true, false, true};

    for (size_t offset = 0; offset < 10; offset += 3) {
        arrow_script script = {.fields = fields,
                               .field_count = 3,
                               .row_count = 3,
                               .records = records,
                               .offset = offset,
                               .child_offset = 9 - offset};
        shoal_table *table = import(*state, &script);

        assert_int_equal(shoal_table_value_count(table, 0), 2);
        assert_int_equal(shoal_table_missing_count(table, 0), 1);
        assert_int_equal(shoal_table_missing_count(table, 1), 2);
        assert_int_equal(shoal_table_value_count(table, 2), 1);
        assert_string_equal(cell(table, 2, 0), "3");
        shoal_table_free(table);
    }
}

static void test_no_records(void **state)
{
    arrow_field fields[LENGTH(type_cases)];
    char names[LENGTH(type_cases)][8];
    arrow_script script = {.fields = fields};

    for (int in_dictionaries = 0; in_dictionaries < 2; in_dictionaries++) {
        script.field_count = make_fields(fields, names, in_dictionaries);
        shoal_table *table = import(*state, &script);

        assert_int_equal(shoal_table_row_count(table), 0);
        assert_int_equal(shoal_table_column_count(table), LENGTH(type_cases));
        assert_int_equal(shoal_table_value_count(table, 3), 0);
        shoal_table_free(table);
    }
}

/* --- What is refused. --- */

/* Two good values, then a bad one in the third record of the second column, and worse
 * behind. */
static void assert_bad_value(shoal_ctx *ctx, const char *format, arrow_value good,
                             arrow_value bad, const char *message)
{
    const arrow_value ones[] = {NUMBER(1), NUMBER(2), NUMBER(3), NUMBER(4), NUMBER(5)};
    const arrow_value infinite[] = {REAL(1), REAL(1), REAL(1), REAL(INFINITY), REAL(1)};
    const arrow_value cells[] = {good, good, bad, good, bad};
    char quoted[40];

    snprintf(quoted, sizeof quoted, "Column \"bad\" %s", message);
    for (size_t variant = 0; variant < 12; variant++) {
        const arrow_field fields[] = {
            {.name = "one", .format = "i", .cells = ones},
            {.name = "bad",
             .format = variant % 2 ? "I" : format,
             .values = variant % 2 ? format : NULL,
             .cells = cells},
            {.name = "later", .format = "g", .cells = infinite},
        };
        arrow_script script = {.fields = fields,
                               .field_count = 3,
                               .row_count = 5,
                               .chunk = variant / 4,
                               .offset = variant % 3};

        ctx->threads = variant % 4 == 3 ? 3 : 1;
        assert_refused(ctx, &script, SHOAL_EFORMAT, 2, 1, quoted);
    }
    ctx->threads = 1;
}

static void test_bad_values(void **state)
{
    shoal_ctx *ctx = *state;

    assert_bad_value(ctx, "g", (arrow_value)REAL(1), (arrow_value)REAL(INFINITY),
                     "has a value");
    assert_bad_value(ctx, "f", (arrow_value)REAL(1), (arrow_value)REAL(-INFINITY),
                     "has a value");
    assert_bad_value(ctx, "tdD", (arrow_value)NUMBER(1), (arrow_value)NUMBER(2932897),
                     "has a date outside");
    assert_bad_value(ctx, "tdD", (arrow_value)NUMBER(1), (arrow_value)NUMBER(-719163),
                     "has a date outside");
    assert_bad_value(ctx, "tsu:", (arrow_value)NUMBER(1), (arrow_value)NUMBER(INT64_MAX),
                     "has a date outside");
    assert_bad_value(ctx, "tss:", (arrow_value)NUMBER(1), (arrow_value)NUMBER(INT64_MIN),
                     "has a date outside");
    static const char *const formats[] = {"u", "U", "vu"};

    for (size_t i = 0; i < LENGTH(formats); i++) {
        assert_bad_value(ctx, formats[i], (arrow_value)TEXT("a"), (arrow_value)TEXT("a\0"),
                         "has a text that is not");
        assert_bad_value(ctx, formats[i], (arrow_value)TEXT("a"), (arrow_value)TEXT("\0"),
                         "has a text that is not");
        assert_bad_value(ctx, formats[i], (arrow_value)TEXT("a"), (arrow_value)TEXT("\xE9t"),
                         "has a text that is not");
        assert_bad_value(ctx, formats[i], (arrow_value)TEXT("a"),
                         (arrow_value)TEXT("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"),
                         "has a text that is not");
        assert_bad_value(ctx, formats[i], (arrow_value)TEXT("a"),
                         (arrow_value)TEXT("a text of more than thirty-two bytes, that ends in "
                                           "half a character \xC3"),
                         "has a text that is not");
    }
}

/* Cells are not part of messages. */
static void test_message_keeps_values(void **state)
{
    static const arrow_value cells[] = {TEXT("Miller\xFF")};
    static const arrow_field field = {.name = "name", .format = "u", .cells = cells};
    arrow_script script = {.fields = &field, .field_count = 1, .row_count = 1};
    shoal_ctx *ctx = *state;

    assert_refused(ctx, &script, SHOAL_EFORMAT, 0, 0, "Column \"name\"");
    assert_null(strstr(ctx->error.message, "Miller"));
    script = (arrow_script){.fields = &field,
                            .field_count = 1,
                            .row_count = 1,
                            .fail_array = EIO,
                            .last_error = "cannot read Miller"};
    assert_refused(ctx, &script, SHOAL_EIO, -1, -1, "code 5");
    assert_null(strstr(ctx->error.message, "Miller"));
    ctx->show_values = true;
    assert_refused(ctx, &script, SHOAL_EIO, -1, -1, "cannot read Miller");
    ctx->show_values = false;
}

/* --- Producers that fail. --- */

static void test_failing_producer(void **state)
{
    for (size_t at = 0; at < 4; at++) {
        arrow_script script = few_script();

        script.fail_array = EINVAL;
        script.fail_at = at;
        assert_refused(*state, &script, SHOAL_EIO, -1, -1, "giving the next records");
        script.fail_array = ENOMEM;
        assert_refused(*state, &script, SHOAL_ENOMEM, -1, -1, "ran out of memory");
    }
    arrow_script script = few_script();

    script.fail_schema = EIO;
    assert_refused(*state, &script, SHOAL_EIO, -1, -1, "telling its columns");
}

/* What came before the failure is wrong: that is what is reported, in arrays of any size. */
static void test_first_failure_counts(void **state)
{
    static const arrow_value cells[] = {TEXT("a"), TEXT("b"), TEXT("\xFF"), TEXT("d"),
                                        TEXT("e")};
    static const arrow_field field = {.name = "t", .format = "u", .cells = cells};

    for (size_t chunk = 1; chunk <= 5; chunk++) {
        arrow_script script = {.fields = &field,
                               .field_count = 1,
                               .row_count = 5,
                               .chunk = chunk,
                               .fail_array = EIO,
                               .fail_at = (5 + chunk - 1) / chunk};

        assert_refused(*state, &script, SHOAL_EFORMAT, 2, 0, "not valid UTF-8");
    }
}

static void test_no_stream(void **state)
{
    shoal_ctx *ctx = *state;
    struct ArrowArrayStream stream = {0};
    shoal_table *table = (shoal_table *)&stream;

    assert_int_equal(shoal_table_import(ctx, &table, NULL), SHOAL_EINVAL);
    assert_null(table);
    assert_int_equal(shoal_table_import(ctx, &table, &stream), SHOAL_EINVAL);
    assert_non_null(strstr(ctx->error.message, "released before"));

    arrow_script script = few_script();

    stream = arrow_open(&script);
    stream.get_next = NULL;
    assert_int_equal(shoal_table_import(ctx, &table, &stream), SHOAL_EINVAL);
    assert_null(stream.release);
    assert_int_equal(script.live, 0);
}

/* A stream that was read is empty: reading it again says so. */
static void test_twice(void **state)
{
    arrow_script script = few_script();
    struct ArrowArrayStream stream = arrow_open(&script);
    shoal_table *table = NULL;
    shoal_table *again = NULL;

    assert_int_equal(shoal_table_import(*state, &table, &stream), SHOAL_OK);
    assert_int_equal(shoal_table_import(*state, &again, &stream), SHOAL_EINVAL);
    assert_null(again);
    shoal_table_free(table);
}

static void test_cancel(void **state)
{
    shoal_ctx *ctx = *state;
    arrow_script script = few_script();
    const int cancel = 1;

    ctx->cancel = &cancel;
    assert_refused(ctx, &script, SHOAL_ECANCELLED, -1, -1, "Stopped");
    ctx->cancel = NULL;
}

static shoal_status import_and_free(shoal_ctx *ctx, void *payload)
{
    arrow_script *script = payload;
    struct ArrowArrayStream stream = arrow_open(script);
    shoal_table *table = NULL;
    shoal_status st = shoal_table_import(ctx, &table, &stream);

    assert_true((st == SHOAL_OK) == (table != NULL));
    assert_int_equal(script->live, 0);
    shoal_table_free(table);
    return st;
}

static void test_failing_allocations(void **state)
{
    static arrow_value cells[6][MANY];
    static char texts[MANY][48];
    arrow_field fields[LENGTH(type_cases)];
    char names[LENGTH(type_cases)][8];
    arrow_script script = {.fields = fields, .row_count = ROWS, .chunk = 4};

    for (int in_dictionaries = 0; in_dictionaries < 2; in_dictionaries++) {
        script.field_count = make_fields(fields, names, in_dictionaries);
        assert_survives_failing_allocations(*state, import_and_free, &script);
    }
    /* Indices that become wider on the way. */
    const arrow_field wide[] = {{.name = "b", .format = "i", .cells = cells[1]},
                                {.name = "t", .format = "u", .cells = cells[2]}};
    arrow_script many = {.fields = wide, .field_count = 2, .row_count = 2000, .chunk = 100};

    fill_many(cells, texts);
    assert_survives_failing_allocations(*state, import_and_free, &many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_origins),
        cmocka_unit_test(test_like_arrays_and_csv),
        cmocka_unit_test(test_chunks_and_threads),
        cmocka_unit_test(test_numbers_near_and_far),
        cmocka_unit_test(test_dictionaries_of_chunks),
        cmocka_unit_test(test_null_records),
        cmocka_unit_test(test_no_records),
        cmocka_unit_test(test_bad_values),
        cmocka_unit_test(test_message_keeps_values),
        cmocka_unit_test(test_failing_producer),
        cmocka_unit_test(test_first_failure_counts),
        cmocka_unit_test(test_no_stream),
        cmocka_unit_test(test_twice),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
