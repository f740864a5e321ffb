#include "failing.h"

#include "base/json.h"

#include <math.h>

typedef struct page {
    shoal_ctx ctx;
    shoal_i_buffer buffer;
    shoal_i_json json;
} page;

static void start_page(page *p)
{
    shoal_i_ctx_init(&p->ctx);
    shoal_i_buffer_init(&p->buffer, &p->ctx, SHOAL_I_BUFFER_MAX);
    p->json = shoal_i_json_start(&p->buffer);
}

static void assert_page(page *p, const char *expected)
{
    char *text = NULL;

    assert_int_equal(shoal_i_buffer_take(&text, &p->buffer), SHOAL_OK);
    assert_string_equal(text, expected);
    free(text);
}

static void test_empty_containers(void **state)
{
    page p;

    (void)state;
    start_page(&p);
    shoal_i_json_object(&p.json, NULL);
    shoal_i_json_end(&p.json);
    assert_page(&p, "{}\n");

    start_page(&p);
    shoal_i_json_array(&p.json, NULL);
    shoal_i_json_object(&p.json, NULL);
    shoal_i_json_end(&p.json);
    shoal_i_json_end(&p.json);
    assert_page(&p, "[\n  {}\n]\n");
}

static void test_nesting_and_commas(void **state)
{
    page p;

    (void)state;
    start_page(&p);
    shoal_i_json_object(&p.json, NULL);
    shoal_i_json_count(&p.json, "records", UINT64_MAX);
    shoal_i_json_array(&p.json, "columns");
    shoal_i_json_text(&p.json, NULL, "age");
    shoal_i_json_text_n(&p.json, NULL, "sexes", 3);
    shoal_i_json_end(&p.json);
    shoal_i_json_bool(&p.json, "holds", true);
    shoal_i_json_bool(&p.json, "fails", false);
    shoal_i_json_null(&p.json, "none");
    shoal_i_json_end(&p.json);
    assert_page(&p, "{\n"
                    "  \"records\": 18446744073709551615,\n"
                    "  \"columns\": [\n"
                    "    \"age\",\n"
                    "    \"sex\"\n"
                    "  ],\n"
                    "  \"holds\": true,\n"
                    "  \"fails\": false,\n"
                    "  \"none\": null\n"
                    "}\n");
}

static void test_escapes(void **state)
{
    page p;

    (void)state;
    start_page(&p);
    shoal_i_json_array(&p.json, NULL);
    shoal_i_json_text(&p.json, NULL, "\"\\/\b\f\n\r\t\x01\x1f\x7f");
    shoal_i_json_text_n(&p.json, NULL, "a\0b", 3);
    shoal_i_json_text(&p.json, NULL, "gr\xC3\xBC\xC3\x9F \xF0\x9F\x90\x9F");
    shoal_i_json_end(&p.json);
    assert_page(&p, "[\n"
                    "  \"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\",\n"
                    "  \"a\\u0000b\",\n"
                    "  \"gr\xC3\xBC\xC3\x9F \xF0\x9F\x90\x9F\"\n"
                    "]\n");
}

static void test_invalid_utf8_is_replaced(void **state)
{
    page p;

    (void)state;
    start_page(&p);
    shoal_i_json_text(&p.json, NULL, "a\xFF\xC3(\xE2\x82");
    assert_page(&p, "\"a\xEF\xBF\xBD\xEF\xBF\xBD(\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

static void test_numbers(void **state)
{
    page p;

    (void)state;
    start_page(&p);
    shoal_i_json_array(&p.json, NULL);
    shoal_i_json_number(&p.json, NULL, 0);
    shoal_i_json_number(&p.json, NULL, -0.0);
    shoal_i_json_number(&p.json, NULL, 0.1);
    shoal_i_json_number(&p.json, NULL, 1.0 / 3);
    shoal_i_json_number(&p.json, NULL, 1e300);
    shoal_i_json_number(&p.json, NULL, NAN);
    shoal_i_json_number(&p.json, NULL, -INFINITY);
    shoal_i_json_end(&p.json);
    assert_page(
        &p, "[\n  0,\n  0,\n  0.1,\n  0.3333333333333333,\n  1e+300,\n  null,\n  null\n]\n");
}

static void test_deepest_nesting(void **state)
{
    page p;

    (void)state;
    start_page(&p);
    for (int i = 0; i < SHOAL_I_JSON_DEPTH_MAX; i++) {
        shoal_i_json_array(&p.json, NULL);
    }
    shoal_i_json_count(&p.json, NULL, 1);
    for (int i = 0; i < SHOAL_I_JSON_DEPTH_MAX; i++) {
        shoal_i_json_end(&p.json);
    }
    assert_int_equal(p.json.depth, 0);
    assert_int_equal(shoal_i_buffer_status(&p.buffer), SHOAL_OK);
    shoal_i_buffer_clear(&p.buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_containers),
        cmocka_unit_test(test_nesting_and_commas),
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_invalid_utf8_is_replaced),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_deepest_nesting),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
