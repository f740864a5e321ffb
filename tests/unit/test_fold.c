/* Forms of texts that people take for one: worked answers, bytes that are no text, long runs of
 * marks. Every character is compared with Python's in tests/property/fold_texts.py. */
#include "context.h"
#include "failing.h"
#include "table/same/fold.h"

#include <stdio.h>
#include <string.h>

#define BLANKS SHOAL_I_FOLD_BLANKS
#define CASE SHOAL_I_FOLD_CASE
#define UNICODE SHOAL_I_FOLD_UNICODE
#define ALL SHOAL_I_FOLD_ALL

static void assert_form(shoal_ctx *ctx, const char *text, unsigned ways, const char *expected)
{
    shoal_i_folder folder = {0};
    const char *form = NULL;
    size_t size = 0;

    assert_int_equal(shoal_i_fold(ctx, &folder, &form, &size, text, strlen(text), ways),
                     SHOAL_OK);
    if (size != strlen(expected) || memcmp(form, expected, size) != 0) {
        print_error("\"%s\" by %u: \"%.*s\" instead of \"%s\"\n", text, ways, (int)size, form,
                    expected);
        fail();
    }
    shoal_i_folder_clear(&folder);
}

static void test_nothing_is_folded_unasked(void **state)
{
    assert_form(*state, " HIV  x\xC3\xA9", 0, " HIV  x\xC3\xA9");
    assert_form(*state, "", ALL, "");
}

static void test_blanks(void **state)
{
    assert_form(*state, "HIV ", BLANKS, "HIV");
    assert_form(*state, "\t a \r\n b  ", BLANKS, "a b");
    assert_form(*state, "   ", BLANKS, "");
    assert_form(*state, "HIV", BLANKS, "HIV");
    /* No-break, ideographic, line separator, and one of no width within a word. */
    assert_form(*state,
                "\xC2\xA0"
                "A\xE3\x80\x80\xE2\x80\xA8"
                "B\xE2\x80\x8B"
                "C\xEF\xBB\xBF",
                BLANKS, "A BC");
    assert_form(*state,
                "\x1C"
                "A",
                BLANKS,
                "\x1C"
                "A");
    assert_form(*state, "A B", CASE | UNICODE, "a b");
    assert_form(*state, "A  \xC3\xA9", UNICODE, "A  e\xCC\x81");
}

static void test_case(void **state)
{
    assert_form(*state, "HIV-1 [Z@`]", CASE, "hiv-1 [z@`]");
    assert_form(*state,
                "Stra\xC3\x9F"
                "e",
                CASE, "strasse");
    assert_form(*state, "\xC3\x89", CASE, "\xC3\xA9");
    assert_form(*state, "\xCE\xA3\xCF\x82\xCF\x83", CASE, "\xCF\x83\xCF\x83\xCF\x83");
    assert_form(*state, "\xC4\xB0", CASE, "i\xCC\x87"); /* of Turkish: not i */
    assert_form(*state, "\xEF\xAC\x83", CASE, "ffi");
    assert_form(*state, "\xF0\x90\x90\x80", CASE, "\xF0\x90\x90\xA8"); /* Deseret */
}

static void test_unicode(void **state)
{
    assert_form(*state, "\xC3\xA9", UNICODE, "e\xCC\x81");
    assert_form(*state, "e\xCC\x81", UNICODE, "e\xCC\x81");
    assert_form(*state, "\xE2\x84\xAB", UNICODE, "A\xCC\x8A"); /* the sign of Angstrom */
    /* Marks of different classes come in one order, those of one class as they were. */
    assert_form(*state, "q\xCC\x87\xCC\xA3", UNICODE, "q\xCC\xA3\xCC\x87");
    assert_form(*state, "q\xCC\x81\xCC\x87", UNICODE, "q\xCC\x81\xCC\x87");
    assert_form(*state, "\xEA\xB0\x80\xEA\xB0\x81", UNICODE,
                "\xE1\x84\x80\xE1\x85\xA1\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8"); /* Hangul */
    assert_form(*state, "\xED\x9E\xA3\xED\x9E\xA4", UNICODE,
                "\xE1\x84\x92\xE1\x85\xB5\xE1\x87\x82\xED\x9E\xA4"); /* the last, and behind */
}

static void test_all_ways_at_once(void **state)
{
    assert_form(*state, "  CAF\xC3\x89 ", ALL, "cafe\xCC\x81");
    assert_form(*state, "cafe\xCC\x81", ALL, "cafe\xCC\x81");
    /* Folding makes a letter of a mark, which marks before it must not pass: D145. */
    assert_form(*state, "\xE1\xBE\xB3\xCC\x81", ALL, "\xCE\xB1\xCC\x81\xCE\xB9");
}

static void test_no_utf8_stays(void **state)
{
    static const char *const texts[] = {
        "\xFF",
        "\xC3",
        "a\x80",
        "\xC0\x80",
        "\xE0\x80\x80",
        "\xED\xA0\x80",
        "\xF4\x90\x80\x80",
        "\xF0\x9F",
        "\xF8\x88\x80\x80\x80",
        "\xC3(",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (unsigned ways = 1; ways <= ALL; ways++) {
            assert_form(*state, texts[i], ways, texts[i]);
        }
    }
    assert_form(*state,
                " \xFF"
                "A\xC3\x89",
                ALL,
                "\xFF"
                "ae\xCC\x81");
}

/* Many marks on one letter, from the last class to the first, in no time. */
static void test_many_marks(void **state)
{
    enum { MARKS = 200000 };
    char *text = malloc(1 + 4 * MARKS);
    shoal_i_folder folder = {0};
    const char *form = NULL;
    size_t size = 0;

    text[0] = 'a';
    for (size_t i = 0; i < MARKS; i++) {
        memcpy(text + 1 + 2 * i, "\xCC\x81", 2);           /* class 230 */
        memcpy(text + 1 + 2 * (MARKS + i), "\xCC\xA3", 2); /* class 220 */
    }
    assert_int_equal(shoal_i_fold(*state, &folder, &form, &size, text, 1 + 4 * MARKS, UNICODE),
                     SHOAL_OK);
    assert_int_equal(size, 1 + 4 * MARKS);
    assert_memory_equal(form + 1, "\xCC\xA3", 2);
    assert_memory_equal(form + 1 + 2 * MARKS - 2, "\xCC\xA3\xCC\x81", 4);
    shoal_i_folder_clear(&folder);
    free(text);
}

static shoal_status fold_some(shoal_ctx *ctx, void *payload)
{
    static const char *const texts[] = {"HIV ", "CAF\xC3\x89", "\xE1\xBE\xB3\xCC\x81 and more"};
    shoal_status st = SHOAL_OK;
    shoal_i_folder folder = {0};

    (void)payload;
    for (size_t i = 0; i < 3; i++) {
        const char *form = NULL;
        size_t size = 0;

        SHOAL_TRY(shoal_i_fold(ctx, &folder, &form, &size, texts[i], strlen(texts[i]), ALL));
    }
done:
    shoal_i_folder_clear(&folder);
    return st;
}

static void test_failing_allocations(void **state)
{
    assert_survives_failing_allocations(*state, fold_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_folded_unasked),
        cmocka_unit_test(test_blanks),
        cmocka_unit_test(test_case),
        cmocka_unit_test(test_unicode),
        cmocka_unit_test(test_all_ways_at_once),
        cmocka_unit_test(test_no_utf8_stays),
        cmocka_unit_test(test_many_marks),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
