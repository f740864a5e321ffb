#include "failing.h"

#include "base/random.h"
#include "base/text.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Whole numbers ------------------------------------------------------------------------ */

static bool reads_int(int64_t *out, const char *text)
{
    return shoal_i_text_to_int64(out, text, strlen(text));
}

static void test_int64(void **state)
{
    static const struct {
        const char *text;
        int64_t number;
    } good[] = {
        {"0", 0},
        {"-0", 0},
        {"+7", 7},
        {"007", 7},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
        {"00000000000000000000000000000000012", 12},
    };
    static const char *const bad[] = {"",
                                      "-",
                                      "+",
                                      " 1",
                                      "1 ",
                                      "1.0",
                                      "1e3",
                                      "0x10",
                                      "--1",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "99999999999999999999999",
                                      "\xD9\xA1"};

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        int64_t number = 99;

        assert_true(reads_int(&number, good[i].text));
        assert_true(number == good[i].number);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int64_t number = 99;

        assert_false(reads_int(&number, bad[i]));
        assert_int_equal(number, 99);
    }
}

static void test_int64_round_trip(void **state)
{
    shoal_i_random random = shoal_i_random_start(1);
    char text[SHOAL_I_NUMBER_MAX];
    char expected[SHOAL_I_NUMBER_MAX];

    (void)state;
    for (int i = 0; i < 10000; i++) {
        int64_t number = (int64_t)(shoal_i_random_u64(&random) >> (i % 64));
        int64_t back = 0;

        number = i == 0 ? INT64_MIN : i == 1 ? 0 : number;
        snprintf(expected, sizeof expected, "%lld", (long long)number);
        assert_int_equal(shoal_i_text_from_int64(text, number), strlen(expected));
        assert_string_equal(text, expected);
        assert_true(reads_int(&back, text));
        assert_true(back == number);
    }
}

/* --- Reals -------------------------------------------------------------------------------- */

static bool reads_double(double *out, const char *text)
{
    return shoal_i_text_to_double(out, text, strlen(text));
}

static void test_double_grammar(void **state)
{
    static const char *const bad[] = {"",         "-",
                                      "+",        ".",
                                      "e5",       "1e",
                                      "1e+",      "1e-",
                                      "1..2",     "1.2.3",
                                      " 1",       "1 ",
                                      "1,5",      "1_0",
                                      "nan",      "NaN",
                                      "inf",      "-inf",
                                      "infinity", "0x1p3",
                                      "1e5x",     "--1",
                                      "+-1",      "1e309",
                                      "-1e309",   "1e99999999999999999999",
                                      "1d5",      "1.7976931348623159e308"};
    static const struct {
        const char *text;
        double number;
    } good[] = {
        {"0", 0},
        {"1.", 1},
        {".5", 0.5},
        {"-.5e1", -5},
        {"+1E+2", 100},
        {"0e999999999999999999999", 0},
        {"1e-99999999999999999999", 0},
        {"0000000000000000000000000000000000000000000000000001", 1},
        {"1.7976931348623157e308", DBL_MAX},
        {"1.7976931348623158e308", DBL_MAX},
        {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
        {"4.9406564584124654e-324", 0x1p-1074},
        {"2.4703282292062327e-324", 0}, /* half the smallest, to even */
        {"2.4703282292062328e-324", 0x1p-1074},
        {"9007199254740993", 9007199254740992.0}, /* half way, to even */
        {"9007199254740993.00000000000000000000000000000000001", 9007199254740994.0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double number = 99;

        assert_false(reads_double(&number, bad[i]));
        assert_true(number == 99);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double number = 99;

        assert_true(reads_double(&number, good[i].text));
        assert_true(number == good[i].number);
    }
}

static void test_minus_zero_is_zero(void **state)
{
    char text[SHOAL_I_NUMBER_MAX];
    double number = 1;

    (void)state;
    assert_true(reads_double(&number, "-0.0"));
    assert_false(signbit(number));
    assert_true(reads_double(&number, "-1e-400"));
    assert_false(signbit(number));
    shoal_i_text_from_double(text, -0.0);
    assert_string_equal(text, "0");
}

static void test_very_long_numbers(void **state)
{
    enum { LONG = 200000 };
    char *text = malloc(LONG + 32);
    double number = 0;

    (void)state;
    assert_non_null(text);
    memset(text, '0', LONG);
    memcpy(text, "1", 1);
    snprintf(text + LONG, 32, "e-%d", LONG - 1);
    assert_true(reads_double(&number, text));
    assert_true(number == 1);

    memset(text, '0', LONG);
    memcpy(text, "0.", 2);
    snprintf(text + LONG, 32, "5e%d", LONG - 2);
    assert_true(reads_double(&number, text));
    assert_true(number == 0.5);

    /* Half way between two doubles, and a digit far behind that decides. */
    memset(text, '0', LONG);
    memcpy(text, "9007199254740993.", 17);
    text[LONG] = '\0';
    assert_true(reads_double(&number, text));
    assert_true(number == 9007199254740992.0);
    text[LONG - 1] = '1';
    assert_true(reads_double(&number, text));
    assert_true(number == 9007199254740994.0);
    free(text);
}

/* Against strtod in the C locale, on texts of all shapes. */
static void test_double_is_correctly_rounded(void **state)
{
    shoal_i_random random = shoal_i_random_start(2);
    char text[1200];

    (void)state;
    for (int i = 0; i < 100000; i++) {
        size_t digits = 1 + (size_t)shoal_i_random_below(&random, i % 100 == 0 ? 900 : 25);
        size_t point = (size_t)shoal_i_random_below(&random, digits + 1);
        int exponent =
            (int)shoal_i_random_below(&random, i % 2 ? 40 : 660) - (i % 2 ? 20 : 330);
        size_t at = 0;
        double number = 0;

        for (size_t d = 0; d < digits; d++) {
            if (d == point) {
                text[at++] = '.';
            }
            text[at++] = (char)('0' + shoal_i_random_below(&random, 10));
        }
        snprintf(text + at, sizeof text - at, "e%d", exponent);
        double expected = strtod(text, NULL);
        bool is_read = reads_double(&number, text);

        assert_int_equal(is_read, isfinite(expected) != 0);
        if (is_read) {
            assert_memory_equal(&number, &expected, sizeof number);
        }
    }
}

static void test_double_round_trip(void **state)
{
    shoal_i_random random = shoal_i_random_start(4);

    (void)state;
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = shoal_i_random_u64(&random);
        char text[SHOAL_I_NUMBER_MAX];
        double number;
        double back = 0;

        memcpy(&number, &bits, sizeof number);
        if (i % 3 == 1) { /* a few decimals, as data has them */
            number = (double)(int64_t)(bits % 2000000) / 1000.0 - 1000.0;
        } else if (i % 3 == 2) { /* close to 0 */
            bits &= 0x800FFFFFFFFFFFFF;
            memcpy(&number, &bits, sizeof number);
        }
        if (!isfinite(number) || number == 0) {
            continue;
        }
        size_t length = shoal_i_text_from_double(text, number);

        assert_int_equal(length, strlen(text));
        assert_true(length < SHOAL_I_NUMBER_MAX);
        assert_true(shoal_i_text_to_double(&back, text, length));
        assert_memory_equal(&back, &number, sizeof back);
    }
}

/* Floats have texts of their own, the shortest of 6 to 9 digits that reads back the same. */
static void test_floats(void **state)
{
    static const struct {
        float number;
        const char *text;
    } cases[] = {{0.1f, "0.1"},
                 {-2.5f, "-2.5"},
                 {16777216, "16777216"},
                 {-0.0f, "0"},
                 {36.6f, "36.6"},
                 {0.3f, "0.3"},
                 {1e-45f, "1e-45"},
                 {1e10f, "10000000000"},
                 {3.4028235e38f, "3.4028235e+38"},
                 {0.33333334f, "0.33333334"}};
    uint32_t bits = 1;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[SHOAL_I_NUMBER_MAX];

        assert_int_equal(shoal_i_text_from_float(text, cases[i].number), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
    for (int i = 0; i < 20000; i++, bits = bits * 1664525u + 1013904223u) {
        char text[SHOAL_I_NUMBER_MAX];
        float number;
        double back = 0;

        memcpy(&number, &bits, sizeof number);
        if (isfinite(number)) {
            size_t length = shoal_i_text_from_float(text, number);

            assert_true(shoal_i_text_to_double(&back, text, length));
            assert_true((float)back == number);
        }
    }
}

static void test_double_text_is_short(void **state)
{
    static const struct {
        double number;
        const char *text;
    } cases[] = {
        {0.1, "0.1"},
        {-2.5, "-2.5"},
        {1e21, "1e+21"},
        {0x1p53, "9007199254740992"},
        {-0x1p53, "-9007199254740992"},
        {0.1 + 0.2, "0.30000000000000004"},
        {5e-324, "5e-324"},
        {1e-7, "1e-07"},
        {123456.789, "123456.789"},
        {DBL_MAX, "1.7976931348623157e+308"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[SHOAL_I_NUMBER_MAX];

        shoal_i_text_from_double(text, cases[i].number);
        assert_string_equal(text, cases[i].text);
    }
}

/* Skipped visibly where no locale with a decimal comma is installed. */
static void test_locale_does_not_matter(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8", "de_DE",
                                        "ru_RU.UTF-8"};
    char text[SHOAL_I_NUMBER_MAX];
    double number = 0;
    bool is_set = false;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names && !is_set; i++) {
        is_set = setlocale(LC_ALL, names[i]) != NULL;
    }
    if (!is_set) {
        skip();
    }
    bool is_read =
        reads_double(&number, "3.14159265358979323846") && number == 3.141592653589793;
    bool is_comma_read = reads_double(&number, "3,5");

    shoal_i_text_from_double(text, 0.5);
    setlocale(LC_ALL, "C");
    assert_true(is_read);
    assert_false(is_comma_read);
    assert_string_equal(text, "0.5");
}

/* --- Dates -------------------------------------------------------------------------------- */

static bool reads_date(int32_t *days, const char *text)
{
    return shoal_i_text_to_date(days, text, strlen(text));
}

static void test_dates(void **state)
{
    static const struct {
        const char *text;
        int32_t days;
    } good[] = {
        {"1970-01-01", 0},     {"1969-12-31", -1},      {"2000-02-29", 11016},
        {"2024-05-17", 19860}, {"0001-01-01", -719162}, {"9999-12-31", 2932896},
    };
    static const char *const bad[] = {"",           "2024-5-17",  "2024-13-01",  "2024-00-01",
                                      "2024-01-00", "2024-01-32", "2023-02-29",  "1900-02-29",
                                      "0000-01-01", "2024/01/01", "2024-01-01 ", "20240101",
                                      "-024-01-01", "2024-01-0a"};

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char text[SHOAL_I_NUMBER_MAX];
        int32_t days = 0;

        assert_true(reads_date(&days, good[i].text));
        assert_int_equal(days, good[i].days);
        assert_int_equal(shoal_i_text_from_date(text, days), 10);
        assert_string_equal(text, good[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int32_t days = 0;

        assert_false(reads_date(&days, bad[i]));
    }
}

/* Every day of all years follows the day before it in the calendar. */
static void test_every_day(void **state)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = 1;
    int month = 1;
    int day = 1;

    (void)state;
    for (int32_t days = -719162; days <= 2932896; days++) {
        int y;
        int m;
        int d;

        shoal_i_date_parts(days, &y, &m, &d);
        assert_true(y == year && m == month && d == day);
        bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

        if (++day > lengths[month - 1] + (month == 2 && is_leap)) {
            day = 1;
            month = month % 12 + 1;
            year += month == 1;
        }
    }
    assert_int_equal(year, 10000);
}

/* --- UTF-8 -------------------------------------------------------------------------------- */

/* Decode one character by the book; its length, 0 when it is malformed. */
static size_t decode(uint32_t *out, const unsigned char *text, size_t length)
{
    size_t size = text[0] < 0x80             ? 1
                  : (text[0] & 0xE0) == 0xC0 ? 2
                  : (text[0] & 0xF0) == 0xE0 ? 3
                  : (text[0] & 0xF8) == 0xF0 ? 4
                                             : 0;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};

    if (size == 0 || size > length) {
        return 0;
    }
    uint32_t c = size == 1 ? text[0] : text[0] & (0x7Fu >> size);

    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
        c = c << 6 | (text[i] & 0x3F);
    }
    *out = c;
    return c < least[size] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF) ? 0 : size;
}

static bool is_utf8_by_the_book(size_t *at, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t c;
        size_t size = decode(&c, (const unsigned char *)text + i, length - i);

        if (size == 0) {
            *at = i;
            return false;
        }
        i += size;
    }
    return true;
}

static void assert_like_the_book(const char *text, size_t length)
{
    size_t at = SIZE_MAX;
    size_t expected_at = SIZE_MAX;
    bool expected = is_utf8_by_the_book(&expected_at, text, length);

    assert_int_equal(shoal_i_text_is_utf8(&at, text, length), expected);
    assert_int_equal(at, expected_at);
}

static void test_utf8_all_short_sequences(void **state)
{
    char text[4];

    (void)state;
    assert_like_the_book("", 0);
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) {
            text[0] = (char)a;
            text[1] = (char)b;
            for (unsigned c = 0x70; c < 256; c += 15) {
                text[2] = (char)c;
                text[3] = (char)(0xC0 - a / 8);
                for (size_t length = 1; length <= 4; length++) {
                    assert_like_the_book(text, length);
                }
            }
        }
    }
}

static void test_utf8_at_all_offsets(void **state)
{
    static const char *const pieces[] = {"\xC3\xBC",     "\xE2\x82\xAC", "\xF0\x9F\x90\x9F",
                                         "\xED\xA0\x80", "\xC0\x80",     "\xF4\x90\x80\x80",
                                         "\xFF",         "\x80"};
    char text[200];

    (void)state;
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        size_t size = strlen(pieces[p]);

        for (size_t offset = 0; offset + size <= 150; offset++) {
            memset(text, 'a', sizeof text);
            memcpy(text + offset, pieces[p], size);
            assert_like_the_book(text, sizeof text);
            assert_like_the_book(text, offset + size);
            assert_like_the_book(text, offset + size - 1); /* cut */
            assert_like_the_book(text + 1, sizeof text - 1);
        }
    }
}

/* --- Names -------------------------------------------------------------------------------- */

static void test_nearest_name(void **state)
{
    static const char *const names[] = {"method", "missing", "columns", "privacy", "seed", "k"};
    static const struct {
        const char *name;
        const char *nearest;
    } cases[] = {
        {"metod", "method"},
        {"mehtod", "method"},
        {"Method", "method"},
        {"column", "columns"},
        {"privcay", "privacy"},
        {"sede", "seed"},
        {"output", NULL},
        {"", NULL},
        {"x", NULL},
        {"threads", NULL},
    };
    char endless[200];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *nearest = shoal_i_text_nearest(cases[i].name, names, 6);

        if (cases[i].nearest) {
            assert_non_null(nearest);
            assert_string_equal(nearest, cases[i].nearest);
        } else {
            assert_null(nearest);
        }
    }
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_null(shoal_i_text_nearest(endless, names, 6));
    assert_null(shoal_i_text_nearest("method", NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_int64),
        cmocka_unit_test(test_int64_round_trip),
        cmocka_unit_test(test_double_grammar),
        cmocka_unit_test(test_minus_zero_is_zero),
        cmocka_unit_test(test_very_long_numbers),
        cmocka_unit_test(test_double_is_correctly_rounded),
        cmocka_unit_test(test_double_round_trip),
        cmocka_unit_test(test_double_text_is_short),
        cmocka_unit_test(test_locale_does_not_matter),
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_every_day),
        cmocka_unit_test(test_utf8_all_short_sequences),
        cmocka_unit_test(test_utf8_at_all_offsets),
        cmocka_unit_test(test_nearest_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
