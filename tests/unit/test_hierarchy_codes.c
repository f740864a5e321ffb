/* Hierarchies of codes: what the tables of a system promise, asked value by value, and trees
 * written by hand. */
#include "test_hierarchy_common.h"

#include "hierarchy/codes.h"

/* --- Trees. ------------------------------------------------------------------------------- */

static void assert_codes(const char *text, const char *system, const char *other,
                         const char *expected)
{
    shoal_ctx ctx;
    shoal_hierarchy *h = NULL;

    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, text);

    if (shoal_hierarchy_build_codes(&ctx, &h, table, 0, system, other) != SHOAL_OK) {
        fail_msg("%s", ctx.error.message);
    }
    assert_total_and_nested(h, table, 0);
    shoal_table_free(table);
    assert_tree(h, expected);
    shoal_hierarchy_free(h);
    shoal_i_ctx_clear(&ctx);
}

/* The message of a refusal; release with free(). */
static char *refuse_codes(const char *text, const char *system, const char *other,
                          shoal_status expected, bool show_values)
{
    shoal_ctx ctx;
    shoal_hierarchy *h = (shoal_hierarchy *)&ctx; /* must become NULL */

    shoal_i_ctx_init(&ctx);
    ctx.show_values = show_values;
    shoal_table *table = read_table(&ctx, text);

    assert_int_equal(shoal_hierarchy_build_codes(&ctx, &h, table, 0, system, other), expected);
    assert_null(h);
    char *message = strdup(ctx.error.message);

    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
    return message;
}

static void test_diagnoses(void **state)
{
    (void)state;
    assert_codes("x\nA15.0\nA15.3\nA16\nB99\nC50.9\n", "icd10", NULL,
                 "*(A00-B99(A15-A19(A15(A15.0 A15.3) A16) B99-B99(B99))"
                 " C00-D48(C50-C50(C50(C50.9))))");
    /* As they come: without the point, in small letters, with marks, longer, with spaces. */
    assert_codes("x\nA150\na15.1\nA15.2+\nA15.-\n A15.3 \nA15.401A\nA15\n", "icd10", NULL,
                 "*(A00-B99(A15-A19(A15( A15.3  A15 A15.- A15.2+ A15.401A A150 a15.1))))");
    /* A category that no block has; one with a letter. */
    assert_codes("x\nZ17.0\nZ18\nM1A.9\n", "icd10", NULL,
                 "*(M00-M99(M05-M14(M1A(M1A.9))) Z00-Z99(Z17(Z17.0) Z18))");
    assert_codes("x,y\nA15.0,1\n?,1\n", "icd10", NULL, "*(A00-B99(A15-A19(A15(A15.0))) ?)");
}

static void test_countries(void **state)
{
    (void)state;
    assert_codes("x\nDE\nFRA\nspain\nUK\nNA\nUnited States of America\nAQ\n", "countries", NULL,
                 "*(Antarctica(AQ) Europe(Western Europe(DE FRA) Northern Europe(UK) Southern "
                 "Europe(spain)) Africa(Southern Africa(NA)) Americas(Northern America(United "
                 "States of America)))");
    /* A value with the label of a group that it is in. */
    assert_codes("x\nMicronesia\nPalau\n", "countries", NULL,
                 "*(Oceania(Micronesia(Micronesia Palau)))");
}

static void test_regions(void **state)
{
    (void)state;
    assert_codes("x\nDE212\nDE21\nDE2\nDE\nde300\nEL30\n", "nuts", NULL,
                 "*(Germany(DE DE2(DE2 DE21(DE21 DE212)) DE3(DE30(DE300(de300)))) "
                 "Greece(EL3(EL30)))");
}

static void test_occupations(void **state)
{
    (void)state;
    assert_codes("x\n2221\n2222\n222\n22\n2\n2200\n22211\n", "isco", NULL,
                 "*(2 Professionals(2 22(22 222(222 2221(2221 22211) 2222) 2200)))");
    assert_codes("x\nA\n0110\n0000\n", "isco", "none",
                 "*(0 Armed forces occupations(0000 01(011(0110))) none(A))");
}

/* --- What is not known. ------------------------------------------------------------------- */

static void test_unknown_codes(void **state)
{
    static const char table[] = "x\nA15.0\nfoo\nH99\nfoo\n";

    (void)state;
    char *message = refuse_codes(table, "icd10", NULL, SHOAL_EFORMAT, false);

    assert_non_null(
        strstr(message, "2 of the 3 values of column \"x\" are not among the codes of ICD-10 "
                        "(first met on lines 3, 4 of people.csv)"));
    assert_non_null(strstr(message, "`icd10:other`"));
    assert_null(strstr(message, "foo"));
    free(message);
    message = refuse_codes(table, "icd10", NULL, SHOAL_EFORMAT, true);
    assert_non_null(strstr(message, "(\"foo\", \"H99\")"));
    free(message);
    assert_codes(table, "icd10", "other", "*(A00-B99(A15-A19(A15(A15.0))) other(H99 foo))");
    /* A value that has the name of the group is in it. */
    assert_codes("x\nA15\nother\n", "icd10", "other", "*(A00-B99(A15-A19(A15)) other)");
    assert_codes("x\nA15\n", "icd10", "other", "*(A00-B99(A15-A19(A15)))");
}

static void test_refused(void **state)
{
    (void)state;
    free(refuse_codes("x\nA15\n", "icd11", NULL, SHOAL_EINVAL, false));
    free(refuse_codes("x\nA15\n", "icd10", "", SHOAL_EINVAL, false));
    free(refuse_codes("x\nA15\n", "icd10", "*", SHOAL_EINVAL, false));
    free(refuse_codes("x\nDE\nfoo\n", "countries", "Europe", SHOAL_EINVAL, false));
}

static void test_names(void **state)
{
    (void)state;
    size_t count = 0;

    for (; shoal_hierarchy_codes_name(count); count++) {
        assert_non_null(shoal_hierarchy_codes_help(count));
        assert_ptr_equal(shoal_i_code_system_find(shoal_hierarchy_codes_name(count),
                                                  strlen(shoal_hierarchy_codes_name(count))),
                         &shoal_i_code_systems[count]);
    }
    assert_int_equal(count, 4);
    assert_null(shoal_hierarchy_codes_help(count));
    assert_null(shoal_hierarchy_codes_name(SIZE_MAX));
}

/* --- The facts of ICD-10. ----------------------------------------------------------------- */

/* A category as a number that ascends with it. */
static int number_of(const char *category)
{
    return (category[0] - 'A') * 100 + (category[1] - '0') * 10 + category[2] - '0';
}

typedef struct range {
    char label[8];
    int members;
} range;

/* Count a member of a range that it is within. */
static void count_member(range *ranges, size_t *count, const char *label, int number)
{
    size_t i = 0;

    assert_int_equal(strlen(label), 7);
    assert_true(number_of(label) <= number && number <= number_of(label + 4));
    while (i < *count && strcmp(ranges[i].label, label) != 0) {
        i++;
    }
    if (i == *count) {
        memcpy(ranges[(*count)++].label, label, 8);
    }
    ranges[i].members++;
}

/* Ranges do not overlap: each has all the categories that its label promises. Blocks are within
 * chapters. */
static void test_ranges_of_diagnoses(void **state)
{
    range chapters[64] = {0};
    range blocks[512] = {0};
    size_t chapter_count = 0;
    size_t block_count = 0;
    int without_chapter = 0;

    (void)state;
    for (int number = 0; number < 2600; number++) {
        char code[8];
        shoal_i_code_groups groups;

        snprintf(code, sizeof code, "%c%02d", 'A' + number / 100, number % 100);
        if (!shoal_i_code_find_icd10(&groups, code, 3)) {
            without_chapter++;
            continue;
        }
        assert_string_equal(groups.labels[groups.count - 1], code);
        count_member(chapters, &chapter_count, groups.labels[0], number);
        if (groups.count == 3) {
            count_member(blocks, &block_count, groups.labels[1], number);
            assert_true(number_of(groups.labels[0]) <= number_of(groups.labels[1]));
            assert_true(number_of(groups.labels[1] + 4) <= number_of(groups.labels[0] + 4));
        }
    }
    for (size_t i = 0; i < chapter_count; i++) {
        const char *label = chapters[i].label;

        assert_int_equal(chapters[i].members, number_of(label + 4) - number_of(label) + 1);
    }
    for (size_t i = 0; i < block_count; i++) {
        const char *label = blocks[i].label;

        assert_int_equal(blocks[i].members, number_of(label + 4) - number_of(label) + 1);
    }
    assert_int_equal(chapter_count, 22);
    assert_int_equal(block_count, 263);
    /* D49, D90-99, E91-99, H96-99, K94-99, P97-99, T99, V00, Y99 */
    assert_int_equal(without_chapter, 1 + 10 + 9 + 4 + 6 + 3 + 1 + 1 + 1);
}

static void test_forms_of_diagnoses(void **state)
{
    static const char *const good[] = {"A15",    "a15",   "A15.0",  "A150",    "A15.-",
                                       "A15.0+", "A15*",  "U99.9!", "S72001A", "S72.001A",
                                       "E11.9-", "I1A.0", "O9A"};
    static const char
        *const bad[] = {"",      "A",     "A1",         "15A",      "A15.",
                        "A1X",   "C7C",   "A15..0",     "A15.0+++", "A15.00000",
                        "AA5.0", "A15 0", "\303\20415", /* a letter of two bytes */
                        "A15,0"};
    shoal_i_code_groups groups;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(shoal_i_code_find_icd10(&groups, good[i], strlen(good[i])));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (shoal_i_code_find_icd10(&groups, bad[i], strlen(bad[i]))) {
            fail_msg("\"%s\" is taken for a code", bad[i]);
        }
    }
}

/* --- The facts of countries, regions and occupations. ------------------------------------- */

static void test_all_countries(void **state)
{
    static const struct {
        const char *region;
        size_t countries;
    } expected[] = {{"Northern Africa", 7},
                    {"Eastern Africa", 22},
                    {"Middle Africa", 9},
                    {"Southern Africa", 5},
                    {"Western Africa", 17},
                    {"Caribbean", 28},
                    {"Central America", 8},
                    {"South America", 16},
                    {"Northern America", 5},
                    {"Central Asia", 5},
                    {"Eastern Asia", 8},
                    {"South-eastern Asia", 11},
                    {"Southern Asia", 9},
                    {"Western Asia", 18},
                    {"Eastern Europe", 10},
                    {"Northern Europe", 16 + 1}, /* UK */
                    {"Southern Europe", 16 + 1}, /* EL */
                    {"Western Europe", 9},
                    {"Australia and New Zealand", 6},
                    {"Melanesia", 5},
                    {"Micronesia", 8},
                    {"Polynesia", 10},
                    {"Antarctica", 1}};
    enum { REGIONS = sizeof expected / sizeof *expected };
    size_t found[REGIONS] = {0};
    size_t two = 0;
    size_t three = 0;
    shoal_i_code_groups groups;

    (void)state;
    for (int i = 0; i < 26 * 26 * 26; i++) {
        char code[4] = {(char)('A' + i / 676), (char)('A' + i / 26 % 26), (char)('A' + i % 26),
                        0};

        three += shoal_i_code_find_country(&groups, code, 3);
        if (i % 26 == 0 && shoal_i_code_find_country(&groups, code, 2)) {
            two++;
            for (size_t r = 0; r < REGIONS; r++) {
                found[r] += strcmp(groups.labels[groups.count - 1], expected[r].region) == 0;
            }
        }
    }
    assert_int_equal(two, 249 + 2);
    assert_int_equal(three, 249);
    for (size_t r = 0; r < REGIONS; r++) {
        assert_int_equal(found[r], expected[r].countries);
    }
}

static void test_all_occupations(void **state)
{
    size_t found[5] = {0};
    shoal_i_code_groups groups;

    (void)state;
    for (size_t digits = 1, most = 10; digits <= 4; digits++, most *= 10) {
        for (size_t i = 0; i < most; i++) {
            char code[24];

            snprintf(code, sizeof code, "%0*zu", (int)digits, i);
            found[digits] +=
                shoal_i_code_find_isco(&groups, code, digits) && groups.count == digits;
        }
    }
    assert_int_equal(found[1], 10);
    assert_int_equal(found[2], 43);
    assert_int_equal(found[3], 130);
    assert_int_equal(found[4], 436);
    assert_false(shoal_i_code_find_isco(&groups, "110", 3)); /* 0110 as a number */
    assert_false(shoal_i_code_find_isco(&groups, "1900", 4));
    assert_false(shoal_i_code_find_isco(&groups, "22.1", 4));
}

static void test_all_regions(void **state)
{
    size_t count = 0;
    shoal_i_code_groups groups;

    (void)state;
    for (int i = 0; i < 26 * 26; i++) {
        char code[3] = {(char)('A' + i / 26), (char)('A' + i % 26), 0};

        count += shoal_i_code_find_nuts(&groups, code, 2);
    }
    assert_int_equal(count, 27 + 4 + 7 + 1);
    assert_false(shoal_i_code_find_nuts(&groups, "DE2123", 6));
    assert_false(shoal_i_code_find_nuts(&groups, "GR30", 4));
    assert_false(shoal_i_code_find_nuts(&groups, "D", 1));
    assert_false(shoal_i_code_find_nuts(&groups, "DE 2", 4));
}

/* --- Memory. ------------------------------------------------------------------------------ */

static shoal_status try_build(shoal_ctx *ctx, void *table)
{
    shoal_hierarchy *h = NULL;
    shoal_status st = shoal_hierarchy_build_codes(ctx, &h, table, 0, "icd10", "other");

    assert_int_equal(st == SHOAL_OK, h != NULL);
    shoal_hierarchy_free(h);
    return st;
}

static void test_failing_allocations(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_table *table = read_table(&ctx, "x\nA15.0\nB20\nfoo\n?\n");

    assert_survives_failing_allocations(&ctx, try_build, table);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diagnoses),
        cmocka_unit_test(test_countries),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_occupations),
        cmocka_unit_test(test_unknown_codes),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_ranges_of_diagnoses),
        cmocka_unit_test(test_forms_of_diagnoses),
        cmocka_unit_test(test_all_countries),
        cmocka_unit_test(test_all_occupations),
        cmocka_unit_test(test_all_regions),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
