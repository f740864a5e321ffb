#include "context.h"
#include "failing.h"

#include "table/column_build.h"
#include "table/value_type.h"

#include <stdio.h>
#include <string.h>

#define TEXTS_MAX 8

static const char *const default_tokens[] = {"", "?"};
static const shoal_i_column_rules rules_auto = {.missing_tokens = default_tokens,
                                                .missing_token_count = 2};

typedef struct built {
    shoal_i_dictionary dictionary;
    shoal_i_column column;
    uint32_t *code_of;
    bool has_bad;
} built;

static shoal_status build(shoal_ctx *ctx, built *b, const char *const *texts,
                          const shoal_i_column_rules *rules)
{
    shoal_status st = SHOAL_OK;

    *b = (built){0};
    for (size_t i = 0; texts[i] && st == SHOAL_OK; i++) {
        uint32_t index;

        st = shoal_i_dictionary_add(ctx, &b->dictionary, &index, texts[i], strlen(texts[i]));
    }
    if (st == SHOAL_OK) {
        st = shoal_i_column_build(ctx, &b->column, &b->code_of, &b->has_bad, &b->dictionary,
                                  rules);
    }
    return st;
}

static void clear(built *b)
{
    shoal_i_dictionary_clear(&b->dictionary);
    free(b->column.texts);
    free(b->column.starts);
    free(b->column.numbers);
    free(b->code_of);
}

static const char *text_of(const built *b, uint32_t code)
{
    return b->column.texts + b->column.starts[code];
}

static void test_types(void **state)
{
    static const struct {
        shoal_type type;
        const char *texts[TEXTS_MAX];
    } cases[] = {
        {SHOAL_TYPE_STRING, {NULL}},
        {SHOAL_TYPE_STRING, {"", "?"}},
        {SHOAL_TYPE_INTEGER, {"0"}},
        {SHOAL_TYPE_INTEGER, {"7", "-7", "10", "?"}},
        {SHOAL_TYPE_INTEGER, {"9007199254740992", "-9007199254740992"}},
        {SHOAL_TYPE_STRING, {"9007199254740993"}},
        {SHOAL_TYPE_STRING, {"123456789012345678901234567890", "1.5"}},
        {SHOAL_TYPE_STRING, {"007", "8"}},
        {SHOAL_TYPE_STRING, {"-01"}},
        {SHOAL_TYPE_STRING, {"00.5"}},
        {SHOAL_TYPE_REAL, {"+7", "8"}},
        {SHOAL_TYPE_REAL, {"-0"}},
        {SHOAL_TYPE_REAL, {"7", "7.0"}},
        {SHOAL_TYPE_REAL, {"0.5", "-0.5", "1e3", "2E-4"}},
        {SHOAL_TYPE_STRING, {"1e999"}},
        {SHOAL_TYPE_STRING, {"nan", "1"}},
        {SHOAL_TYPE_STRING, {"inf"}},
        {SHOAL_TYPE_STRING, {"0x10"}},
        {SHOAL_TYPE_STRING, {" 7"}},
        {SHOAL_TYPE_STRING, {"-"}},
        {SHOAL_TYPE_DATE, {"2024-02-29", "1969-12-31"}},
        {SHOAL_TYPE_STRING, {"2023-02-29"}},
        {SHOAL_TYPE_STRING, {"2024-02-29", "7"}},
        {SHOAL_TYPE_STRING, {"a", "7"}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        built b;

        assert_int_equal(build(*state, &b, cases[i].texts, &rules_auto), SHOAL_OK);
        assert_int_equal(b.column.type, cases[i].type);
        assert_false(b.has_bad);
        clear(&b);
    }
}

/* Numbers by value, equal ones merged under the shortest text; the order of arrival is of no
 * matter. */
static void test_numbers(void **state)
{
    const char *const orders[][TEXTS_MAX] = {
        {"10.0", "9", "?", "-3.5", "10", "1e1", "9.00"},
        {"9.00", "1e1", "10", "-3.5", "9", "10.0", "?"},
    };

    for (size_t i = 0; i < 2; i++) {
        built b;

        assert_int_equal(build(*state, &b, orders[i], &rules_auto), SHOAL_OK);
        assert_int_equal(b.column.type, SHOAL_TYPE_REAL);
        assert_int_equal(b.column.value_count, 3);
        assert_string_equal(text_of(&b, 0), "-3.5");
        assert_string_equal(text_of(&b, 1), "9");
        assert_string_equal(text_of(&b, 2), "10");
        assert_string_equal(text_of(&b, 3), "?");
        assert_true(b.column.numbers[0] == -3.5 && b.column.numbers[2] == 10);
        for (uint32_t index = 1; index <= 7; index++) {
            const char *text = orders[i][index - 1];
            uint32_t expected = text[0] == '?'   ? 3
                                : text[0] == '-' ? 0
                                : text[0] == '9' ? 1
                                                 : 2;

            assert_int_equal(b.code_of[index], expected);
        }
        clear(&b);
    }
}

/* Of texts of equal length the first by bytes. */
static void test_equal_numbers_of_equal_length(void **state)
{
    const char *const texts[] = {"1e1", "1E1", NULL};
    built b;

    assert_int_equal(build(*state, &b, texts, &rules_auto), SHOAL_OK);
    assert_int_equal(b.column.value_count, 1);
    assert_string_equal(text_of(&b, 0), "1E1");
    clear(&b);
}

/* Bytes decide; texts that share their first eight bytes are told apart by the rest. */
static void test_strings(void **state)
{
    const char *const texts[] = {
        "b",         "abcdefghij",        "abcdefgh", "a",
        "abcdefghi", "\xC3\xA9t\xC3\xA9", "B",        "abcdefgh but longer than 32 bytes, this",
        NULL};
    const char *const sorted[] = {
        "B",         "a",          "abcdefgh", "abcdefgh but longer than 32 bytes, this",
        "abcdefghi", "abcdefghij", "b",        "\xC3\xA9t\xC3\xA9"};
    built b;

    assert_int_equal(build(*state, &b, texts, &rules_auto), SHOAL_OK);
    assert_int_equal(b.column.value_count, 8);
    assert_null(b.column.numbers);
    for (uint32_t code = 0; code < 8; code++) {
        assert_string_equal(text_of(&b, code), sorted[code]);
    }
    for (size_t i = 0; i < 8; i++) {
        assert_string_equal(text_of(&b, b.code_of[i + 1]), texts[i]);
    }
    clear(&b);
}

/* Texts that share eight bytes, sixteen, and more, in any order of arrival: those of a release
 * begin with the same range. */
static void test_long_common_beginnings(void **state)
{
    enum { COUNT = 300 };
    static char bytes[COUNT][64];
    const char *texts[COUNT + 1] = {NULL};
    built b;

    for (size_t i = 0; i < COUNT; i++) {
        size_t n = i * 7 % COUNT;

        snprintf(bytes[i], sizeof bytes[i],
                 n % 3 == 0   ? "[10001..%zu]"
                 : n % 3 == 1 ? "[10001..10002..%zu"
                              : "[10001..10002..10003..10004..10005..%zu",
                 n);
        texts[i] = bytes[i];
    }
    assert_int_equal(build(*state, &b, texts, &rules_auto), SHOAL_OK);
    assert_int_equal(b.column.value_count, COUNT);
    for (uint32_t code = 1; code < COUNT; code++) {
        assert_true(strcmp(text_of(&b, code - 1), text_of(&b, code)) < 0);
    }
    for (size_t i = 0; i < COUNT; i++) {
        assert_string_equal(text_of(&b, b.code_of[i + 1]), texts[i]);
    }
    clear(&b);
}

/* Several tokens are one missing value, whose text is the first of them that occurs. */
static void test_missing(void **state)
{
    const char *const tokens[] = {"NA", "-", "."};
    const char *const texts[] = {".", "5", "-", "", NULL};
    shoal_i_column_rules rules = {.missing_tokens = tokens, .missing_token_count = 3};
    built b;

    assert_int_equal(build(*state, &b, texts, &rules), SHOAL_OK);
    assert_int_equal(b.column.type, SHOAL_TYPE_STRING); /* "" is a value here */
    assert_int_equal(b.column.value_count, 2);
    assert_int_equal(b.code_of[0], 2);
    assert_int_equal(b.code_of[1], 2);
    assert_int_equal(b.code_of[3], 2);
    assert_string_equal(text_of(&b, 2), "-");
    clear(&b);
}

static void test_declared(void **state)
{
    const char *const texts[] = {"007", "+7", "-0", "x", "?", "9007199254740993", NULL};
    shoal_i_column_rules rules = rules_auto;
    built b;

    rules.type = SHOAL_TYPE_INTEGER;
    assert_int_equal(build(*state, &b, texts, &rules), SHOAL_OK);
    assert_true(b.has_bad);
    assert_int_equal(b.code_of[4], SHOAL_I_CODE_BAD);
    assert_int_equal(b.code_of[6], SHOAL_I_CODE_BAD);
    assert_int_equal(b.code_of[1], b.code_of[2]);
    assert_int_equal(b.column.value_count, 2);
    clear(&b);
    rules.type = SHOAL_TYPE_STRING;
    assert_int_equal(build(*state, &b, texts, &rules), SHOAL_OK);
    assert_false(b.has_bad);
    assert_int_equal(b.column.value_count, 5);
    clear(&b);
}

static void test_messages(void **state)
{
    static const struct {
        shoal_type type;
        const char *text;
        const char *message;
    } cases[] = {
        {SHOAL_TYPE_INTEGER, "abc", "expects a whole number, but the value is something else."},
        {SHOAL_TYPE_INTEGER, "", "but the value is empty."},
        {SHOAL_TYPE_INTEGER, "1.5", "read the column as real"},
        {SHOAL_TYPE_INTEGER, "9007199254740993", "beyond 2^53"},
        {SHOAL_TYPE_INTEGER, "-99999999999999999999", "beyond 2^53"},
        {SHOAL_TYPE_INTEGER, "NaN", "NaN"},
        {SHOAL_TYPE_REAL, "-Infinity", "infinite"},
        {SHOAL_TYPE_REAL, "inf", "infinite"},
        {SHOAL_TYPE_REAL, "nan", "NaN"},
        {SHOAL_TYPE_REAL, "abc", "expects a decimal number"},
        {SHOAL_TYPE_DATE, "2023-02-29", "expects a date written YYYY-MM-DD"},
    };
    shoal_ctx *ctx = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;

        assert_int_equal(shoal_i_value_fail(ctx, cases[i].type, &(shoal_i_value_format){0},
                                            "age", 4, 2, text, strlen(text)),
                         SHOAL_EFORMAT);
        assert_int_equal(ctx->error.record, 4);
        assert_int_equal(ctx->error.field, 2);
        assert_non_null(strstr(ctx->error.message, cases[i].message));
        assert_non_null(strstr(ctx->error.message, "\"age\""));
    }
    char large[400];

    memset(large, '9', sizeof large);
    shoal_i_value_fail(ctx, SHOAL_TYPE_REAL, &(shoal_i_value_format){0}, "age", 0, 0, large,
                       sizeof large);
    assert_non_null(strstr(ctx->error.message, "beyond 2^53"));
    shoal_i_value_fail(ctx, SHOAL_TYPE_DATE, &(shoal_i_value_format){0}, "age", 0, 0, "secret",
                       6);
    assert_null(strstr(ctx->error.message, "secret"));
    ctx->show_values = true;
    shoal_i_value_fail(ctx, SHOAL_TYPE_DATE, &(shoal_i_value_format){0}, "age", 0, 0, "secret",
                       6);
    assert_non_null(strstr(ctx->error.message, "secret"));
    ctx->show_values = false;
}

static shoal_status build_and_clear(shoal_ctx *ctx, void *payload)
{
    const char *const texts[] = {"7", "8.5", "?", NULL};
    built b;
    shoal_status st = build(ctx, &b, texts, &rules_auto);

    (void)payload;
    clear(&b);
    return st;
}

static void test_failing_allocations(void **state)
{
    assert_survives_failing_allocations(*state, build_and_clear, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_equal_numbers_of_equal_length),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_long_common_beginnings),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_declared),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
