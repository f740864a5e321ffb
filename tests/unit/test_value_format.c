#include "table_tools.h"

#include "base/text.h"
#include "table/other_reading.h"
#include "table/value_format.h"

typedef struct written {
    const char *format;
    const char *text;
    const char *date; /* NULL: it is none */
} written;

static void test_dates(void **state)
{
    static const written cases[] = {
        {"DD.MM.YYYY", "03.05.2024", "2024-05-03"},
        {"DD.MM.YYYY", "3.5.2024", NULL},
        {"DD.MM.YYYY", "31.02.2024", NULL},
        {"DD.MM.YYYY", "29.02.2023", NULL},
        {"DD.MM.YYYY", "29.02.2024", "2024-02-29"},
        {"DD.MM.YYYY", "03.05.24", NULL},
        {"DD.MM.YYYY", "03.05.2024 ", NULL},
        {"DD.MM.YYYY", "03.05.20245", NULL},
        {"DD.MM.YYYY", "00.05.2024", NULL},
        {"DD.MM.YYYY", "03.13.2024", NULL},
        {"DD.MM.YYYY", "03.05.0000", NULL},
        {"DD.MM.YYYY", "03/05/2024", NULL},
        {"DD.MM.YYYY", "", NULL},
        {"D.M.YYYY", "3.5.2024", "2024-05-03"},
        {"D.M.YYYY", "03.12.2024", "2024-12-03"},
        {"D.M.YYYY", "003.12.2024", NULL},
        {"MM/DD/YYYY", "05/03/2024", "2024-05-03"},
        {"MM/DD/YYYY", "13/03/2024", NULL},
        {"DD/MM/YYYY", "13/03/2024", "2024-03-13"},
        {"YYYYMMDD", "20240503", "2024-05-03"},
        {"YYYYMMDD", "20241332", NULL},
        {"YYYYMMDD", "2024053", NULL},
        {"YYYY-MM-DDThh:mm:ss", "2024-05-03T23:59:60", "2024-05-03"},
        {"YYYY-MM-DDThh:mm:ss", "2024-05-03T24:00:00", NULL},
        {"YYYY-MM-DDThh:mm:ss", "2024-05-03T12:60:00", NULL},
        {"YYYY-MM-DDThh:mm:ss", "2024-05-03 12:00:00", NULL},
        {"DD.MM.YYYY h:mm", "03.05.2024 7:05", "2024-05-03"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[SHOAL_I_NUMBER_MAX] = "";
        bool is_date =
            shoal_i_date_by_format(out, cases[i].format, cases[i].text, strlen(cases[i].text));

        assert_null(shoal_i_date_format_mistake(cases[i].format));
        assert_int_equal(is_date, cases[i].date != NULL);
        if (is_date) {
            assert_string_equal(out, cases[i].date);
        }
    }
}

/* Every day of some years, written by each format, is read as that day. */
static void test_every_day(void **state)
{
    (void)state;
    for (int32_t days = -800; days < 20000; days += 7) {
        char iso[SHOAL_I_NUMBER_MAX];
        char text[64];
        char out[SHOAL_I_NUMBER_MAX];
        int year;
        int month;
        int day;

        shoal_i_text_from_date(iso, days);
        shoal_i_date_parts(days, &year, &month, &day);
        snprintf(text, sizeof text, "%02d.%02d.%04d", day, month, year);
        assert_true(shoal_i_date_by_format(out, "DD.MM.YYYY", text, strlen(text)));
        assert_string_equal(out, iso);
        snprintf(text, sizeof text, "%d/%d/%04d", month, day, year);
        assert_true(shoal_i_date_by_format(out, "M/D/YYYY", text, strlen(text)));
        assert_string_equal(out, iso);
        snprintf(text, sizeof text, "%04d%02d%02d", year, month, day);
        assert_true(shoal_i_date_by_format(out, "YYYYMMDD", text, strlen(text)));
        assert_string_equal(out, iso);
    }
}

static void test_formats_of_dates(void **state)
{
    static const char *const bad[] = {"",
                                      "DD.MM.YY",
                                      "DD.MM",
                                      "YYYY-MM",
                                      "DDDD.MM.YYYY",
                                      "MM.MM.YYYY DD",
                                      "date",
                                      "DD.MM.YYYY x",
                                      "DD.MM.YYYY m",
                                      "DD.MM.YYYY                                      "};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_non_null(shoal_i_date_format_mistake(bad[i]));
    }
    assert_non_null(strstr(shoal_i_date_format_mistake("DD.MM.YY"), "century"));
}

typedef struct written_number {
    char decimal;
    char thousands;
    const char *text;
    const char *usual; /* NULL: no number */
} written_number;

static void test_numbers(void **state)
{
    static const written_number cases[] = {
        {',', 0, "1,5", "1.5"},
        {',', 0, "-0,25", "-0.25"},
        {',', 0, "12", "12"},
        {',', 0, "1.5", NULL},
        {',', 0, "1,5,0", NULL},
        {',', 0, "1.234,5", NULL},
        {',', 0, "1,5e3", "1.5e3"},
        {',', 0, ",5", NULL},
        {',', 0, "", NULL},
        {',', 0, "x", NULL},
        {',', '.', "1.234,5", "1234.5"},
        {',', '.', "1.234.567", "1234567"},
        {',', '.', "1234,5", "1234.5"},
        {',', '.', "1.5", NULL},
        {',', '.', "12.34", NULL},
        {',', '.', "1234.567", NULL},
        {',', '.', ".234", NULL},
        {',', '.', "1,234.567", NULL},
        {'.', ',', "1,234.5", "1234.5"},
        {'.', ',', "-1,234,567", "-1234567"},
        {'.', ',', "1,23", NULL},
        {',', ' ', "1 234,5", "1234.5"},
        {',', ' ',
         "1\xC2\xA0"
         "234,5",
         "1234.5"},
        {',', ' ',
         "1\xE2\x80\xAF"
         "234",
         "1234"},
        {',', ' ', "1  234", NULL},
        {'.', '\'', "1'234.50", "1234.50"},
        {'.', '\'',
         "1\xE2\x80\x99"
         "234",
         "1234"},
        {'.', 0, "1.5", "1.5"},
        {'.', 0, "1,5", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_i_value_format format = {cases[i].decimal, cases[i].thousands, NULL};
        char out[64];
        size_t size =
            shoal_i_number_by_format(out, &format, cases[i].text, strlen(cases[i].text));

        assert_int_equal(size, cases[i].usual ? strlen(cases[i].usual) : 0);
        if (size > 0) {
            assert_memory_equal(out, cases[i].usual, size);
        }
    }
}

/* --- Columns. ---------------------------------------------------------------------------- */

static shoal_status configure(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                              size_t count)
{
    const shoal_csv_column *how = payload;

    (void)ctx;
    for (size_t i = 0; i < count; i++) {
        columns[i].type = how->type;
        columns[i].decimal = how->decimal;
        columns[i].thousands = how->thousands;
        columns[i].date_format = how->date_format;
    }
    return SHOAL_OK;
}

static shoal_table *read_by(shoal_ctx *ctx, const char *text, shoal_csv_column how)
{
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
    shoal_table *table = NULL;

    options.delimiter = ';';
    options.configure = configure;
    options.configure_payload = &how;
    shoal_csv_read_memory(ctx, &table, text, strlen(text), "test.csv", &options);
    return table;
}

static void test_columns(void **state)
{
    shoal_ctx ctx;
    shoal_csv_column german = {.decimal = ',', .thousands = '.', .date_format = "DD.MM.YYYY"};

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_by(&ctx,
                                 "real;whole;date;iso;point;code;mixed\n"
                                 "1.000,50;1.000;03.05.2024;2024-05-03;1.5;007;1,5\n"
                                 "?;7;01.01.1999;1999-01-01;2.5;008;x\n"
                                 "1000,5;-2;?;2000-01-01;1;009;2,5\n",
                                 german);
    static const shoal_type types[] = {SHOAL_TYPE_REAL,  SHOAL_TYPE_INTEGER, SHOAL_TYPE_DATE,
                                       SHOAL_TYPE_DATE,  SHOAL_TYPE_STRING,  SHOAL_TYPE_STRING,
                                       SHOAL_TYPE_STRING};

    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(shoal_table_type(table, i), types[i]);
    }
    assert_int_equal(shoal_table_value_count(table, 0), 1); /* one number, written twice */
    assert_int_equal(shoal_table_missing_count(table, 0), 1);
    assert_string_equal(cell(table, 0, 0), "1000.5");
    assert_string_equal(cell(table, 0, 1), "1000");
    assert_string_equal(cell(table, 2, 1), "-2");
    assert_true(shoal_table_number(table, 1, 0) == -2);
    assert_string_equal(cell(table, 0, 2), "2024-05-03");
    assert_string_equal(cell(table, 1, 2), "1999-01-01");
    assert_string_equal(cell(table, 0, 4), "1.5"); /* as it is */
    assert_string_equal(cell(table, 0, 5), "007");
    assert_string_equal(cell(table, 0, 6), "1,5");
    shoal_table_free(table);

    /* With a type, what is written otherwise is a mistake with its place. */
    german.type = SHOAL_TYPE_REAL;
    assert_null(read_by(&ctx, "a\n1,5\n1.5\n", german));
    assert_int_equal(ctx.error.line, 3);
    assert_non_null(strstr(ctx.error.message, "a number with a decimal point"));
    german.type = SHOAL_TYPE_DATE;
    assert_null(read_by(&ctx, "a\n31.01.2024\n31.02.2024\n", german));
    assert_int_equal(ctx.error.line, 3);
    assert_non_null(strstr(ctx.error.message, "a date written DD.MM.YYYY"));
}

static void assert_other(const char *text, const char *what, const char *second)
{
    shoal_ctx ctx;
    shoal_i_other_reading other;

    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_by(&ctx, text, (shoal_csv_column){0});

    assert_non_null(table);
    bool is_found = shoal_i_other_reading_find(&other, table, 0);

    assert_int_equal(is_found, what != NULL);
    if (what) {
        assert_string_equal(other.what, what);
        assert_int_equal(other.second != NULL, second != NULL);
    }
    if (what && second) {
        assert_string_equal(other.second, second);
    }
    shoal_table_free(table);
}

static void test_other_readings(void **state)
{
    (void)state;
    assert_other("a\n03.05.2024\n31.12.1999\n", "dates written DD.MM.YYYY", NULL);
    assert_other("a\n3.5.2024\n31.12.1999\nNA\n", "dates written D.M.YYYY", NULL);
    assert_other("a\n03/05/2024\n", "dates written MM/DD/YYYY", "DD/MM/YYYY");
    assert_other("a\n03/05/2024\n31/05/2024\n", "dates written DD/MM/YYYY", NULL);
    assert_other("a\n20240503\n19991231\n", "dates written YYYYMMDD", NULL);
    assert_other("a\n20240503\n99999999\n", NULL, NULL);
    assert_other("a\n1,5\n2\n", "numbers with a decimal comma", NULL);
    assert_other("a\n1,5\n2.000,0\n",
                 "numbers with a decimal comma and points between thousands", NULL);
    assert_other("a\n1'500\n2\n", "numbers with apostrophes between thousands", NULL);
    assert_other("a\n31.02.2024\n03.05.2024\n", NULL, NULL);
    assert_other("a\nx\ny\n", NULL, NULL);
    assert_other("a\n1\n2\n", NULL, NULL);
    assert_other("a\n1.5\n2\n", NULL, NULL);
    assert_other("a\nNA\n-\n", NULL, NULL);
    assert_other("a\n2024-05-03\n", NULL, NULL);
}

/* Nearly all values: a single one does not fit, or one in ten. */
static void assert_near_reading(const char *text, const char *what, size_t strays, int64_t line)
{
    shoal_ctx ctx;
    shoal_i_other_reading near;

    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_by(&ctx, text, (shoal_csv_column){0});

    assert_non_null(table);
    assert_int_equal(shoal_i_near_reading_find(&near, table, 0), what != NULL);
    if (what) {
        assert_string_equal(near.what, what);
        assert_int_equal(near.stray_count, strays);
        assert_int_equal(near.stray_line, line);
    }
    shoal_table_free(table);
}

static void test_near_readings(void **state)
{
    (void)state;
    assert_near_reading("a\n03.05.2024\n31.02.2024\n04.05.2024\n05.05.2024\n",
                        "dates written DD.MM.YYYY", 1, 3);
    assert_near_reading("a\n03.05.2024\n31.02.2024\n04.05.2024\n", NULL, 0, 0); /* of three */
    assert_near_reading("a\n03.05.2024\n31.02.2024\nx\n05.05.2024\n06.05.2024\n", NULL, 0, 0);
    /* All values fit: that is another reading, not nearly one. */
    assert_near_reading("a\n03.05.2024\n02.02.2024\n04.05.2024\n05.05.2024\n", NULL, 0, 0);
    /* Words for missing ones do not stray; two of twenty may. */
    assert_near_reading("a\nNA\n1,1\n1,2\n1,3\nabout 3\n1,4\n", "numbers with a decimal comma",
                        1, 6);
    assert_near_reading("a\n1,1\n1,2\n1,3\n1,4\n1,5\n1,6\n1,7\n1,8\n1,9\n2,1\n2,2\n2,3\n2,4\n"
                        "2,5\n2,6\n2,7\n2,8\n2,9\nx\ny\n",
                        "numbers with a decimal comma", 2, 20);
    /* A code among them makes all of them codes. */
    assert_near_reading("a\n1,1\n1,2\n1,3\n0123\n1,4\n", NULL, 0, 0);
    /* The format that the fewest stray from, and a second that as many do. */
    assert_near_reading("a\n31/05/2024\n03/05/2024\n04/05/2024\n05/05/2024\n30/02/2024\n",
                        "dates written DD/MM/YYYY", 1, 6);
    assert_near_reading("a\nx\ny\nz\nv\n", NULL, 0, 0);
}

static void assert_short_years(const char *text, bool has)
{
    shoal_ctx ctx;

    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_by(&ctx, text, (shoal_csv_column){0});

    assert_non_null(table);
    assert_int_equal(shoal_i_has_short_years(table, 0), has);
    shoal_table_free(table);
}

static void test_short_years(void **state)
{
    (void)state;
    assert_short_years("a\n03.05.24\n31.12.99\n1.1.20\n02.03.21\n", true);
    assert_short_years("a\n12/31/24\n1/2/99\n01/01/20\n02/03/21\n", true);
    assert_short_years("a\n12-31-24\n1-2-99\n01-01-20\n02-03-21\n", true);
    assert_short_years("a\n03.05.24\n31.12.99\n1.1.20\n", false);         /* of three */
    assert_short_years("a\n03.05.24\n31.12.99\n1.1.20\nx\n", false);      /* one in four */
    assert_short_years("a\n03.05.24\n31.13.99\n1.1.20\n2.2.20\n", false); /* no month */
    assert_short_years("a\n03.05.24\n32.12.99\n1.1.20\n2.2.20\n", false); /* no day */
    assert_short_years("a\n03.05.24\n31.12/99\n1.1.20\n2.2.20\n", false); /* two signs */
    assert_short_years("a\n03.05.24\n31.12.9\n1.1.20\n2.2.20\n", false);
    assert_short_years("a\n03.05.24\n31.12.999\n1.1.20\n2.2.20\n", false);
    assert_short_years("a\n03.05.24\n0.12.99\n1.1.20\n2.2.20\n", false);
    assert_short_years("a\n03.05.24\n31.12\n1.1.20\n2.2.20\n", false);
    assert_short_years("a\n03.05.24\n31.12.\n1.1.20\n2.2.20\n", false);
    assert_short_years("a\n03.05.2024\n31.12.1999\n01.01.2020\n02.02.2020\n", false);
}

static shoal_status read_formatted(shoal_ctx *ctx, void *payload)
{
    shoal_table *table = read_by(
        ctx, "a\n1,5\n2,25\n",
        (shoal_csv_column){.decimal = ',', .thousands = '.', .date_format = "DD.MM.YYYY"});
    bool is_read = table != NULL;

    (void)payload;
    shoal_table_free(table);
    return is_read ? SHOAL_OK : ctx->error.status;
}

static void test_allocation_failures(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_survives_failing_allocations(&ctx, read_formatted, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_every_day),
        cmocka_unit_test(test_formats_of_dates),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_other_readings),
        cmocka_unit_test(test_near_readings),
        cmocka_unit_test(test_short_years),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
