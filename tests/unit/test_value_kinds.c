/* Numbers of people and accounts by their check digits, other values by their form. */
#include <shoal/csv.h>

#include "context.h"
#include "deep.h"
#include "job/inspect/check_digits.h"
#include "job/inspect/value_kinds.h"

#include <stdio.h>
#include <string.h>

typedef bool (*test_fn)(const char *text, size_t length);

typedef struct example {
    test_fn is_one;
    const char *text; /* as offices print it in their own examples */
    bool sees_all;    /* any other digit in one place is seen */
} example;

static const example numbers[] = {
    {shoal_i_is_iban, "GB82WEST12345698765432", true},
    {shoal_i_is_iban, "DE89370400440532013000", true},
    {shoal_i_is_payment_card, "4111111111111111", true},
    {shoal_i_is_at_svnr, "1237010180", false},
    {shoal_i_is_be_national, "85073003328", true},
    {shoal_i_is_ca_sin, "046454286", true},
    {shoal_i_is_ch_ahv, "7569217076985", true},
    {shoal_i_is_de_kvnr, "A123456780", true},
    {shoal_i_is_de_tax, "86095742719", true},
    {shoal_i_is_es_dni, "12345678Z", true},
    {shoal_i_is_es_dni, "X1234567L", true},
    {shoal_i_is_fr_nir, "255081416802538", true},
    {shoal_i_is_gb_nhs, "9434765919", true},
    {shoal_i_is_ie_pps, "1234567T", true},
    {shoal_i_is_ie_pps, "1234567FA", true},
    {shoal_i_is_it_fiscal, "RSSMRA85T10A562S", true},
    {shoal_i_is_nl_bsn, "111222333", true},
    {shoal_i_is_pl_pesel, "44051401359", true},
};

static void test_check_digits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const example *e = &numbers[i];
        size_t length = strlen(e->text);
        char text[40];

        if (!e->is_one(e->text, length)) {
            fail_msg("%s is none", e->text);
        }
        assert_false(e->is_one(e->text, length - 1));
        for (size_t at = 0; at < length; at++) {
            snprintf(text, sizeof text, "%s", e->text);
            for (char c = '0'; c <= '9' && e->text[at] <= '9'; c++) {
                text[at] = c;
                if (c != e->text[at] && e->sees_all && e->is_one(text, length)) {
                    fail_msg("%s passes as %s", text, e->text);
                }
            }
        }
    }
}

/* Those that have none, and what was never given. */
static void test_american_numbers(void **state)
{
    (void)state;
    assert_true(shoal_i_is_us_ssn("078051120", 9));
    assert_false(shoal_i_is_us_ssn("000051120", 9));
    assert_false(shoal_i_is_us_ssn("666051120", 9));
    assert_false(shoal_i_is_us_ssn("978051120", 9));
    assert_false(shoal_i_is_us_ssn("078001120", 9));
    assert_false(shoal_i_is_us_ssn("078050000", 9));
    assert_false(shoal_i_is_us_ssn("07805112A", 9));
    assert_false(shoal_i_is_nl_bsn("000000000", 9));
    assert_true(shoal_i_is_fr_nir("2550820141681", 13) == false);
    assert_true(shoal_i_is_de_tax("36574261809", 11)); /* one digit three times is allowed */
    assert_false(shoal_i_is_de_tax("12345678901", 11) && shoal_i_is_de_tax("12345678902", 11));
}

typedef struct form {
    test_fn is_one;
    const char *text;
    bool holds;
} form;

static const form forms[] = {
    {shoal_i_is_email, "a.b+c@example.org", true},
    {shoal_i_is_email, "a@b", false},
    {shoal_i_is_email, "@example.org", false},
    {shoal_i_is_email, "a b@example.org", false},
    {shoal_i_is_email, "a@example..org", false},
    {shoal_i_is_email, "a@example.o", false},
    {shoal_i_is_phone, "+49 30 901820", true},
    {shoal_i_is_phone, "0033123456789", true},
    {shoal_i_is_phone, "(608) 555-0123", true},
    {shoal_i_is_phone, "608-555-0123", true},
    {shoal_i_is_phone, "06 12 34 56 78", true},
    {shoal_i_is_phone, "01.02.2024", false},
    {shoal_i_is_phone, "6085550123", false},
    {shoal_i_is_phone, "53703", false},
    {shoal_i_is_phone, "+49 abc", false},
    {shoal_i_is_machine, "192.168.0.1", true},
    {shoal_i_is_machine, "192.168.0.256", false},
    {shoal_i_is_machine, "1.2.3", false},
    {shoal_i_is_machine, "2001:db8::8a2e:370:7334", true},
    {shoal_i_is_machine, "00:1B:44:11:3A:B7", true},
    {shoal_i_is_machine, "12:30:00", false},
    {shoal_i_is_web_page, "https://example.org/x", true},
    {shoal_i_is_web_page, "www.example.org", true},
    {shoal_i_is_web_page, "example", false},
    {shoal_i_is_uuid, "123e4567-e89b-12d3-a456-426614174000", true},
    {shoal_i_is_uuid, "123e4567-e89b-12d3-a456-42661417400", false},
    {shoal_i_is_uuid, "123e4567-e89b-12d3-a456_426614174000", false},
    {shoal_i_is_icd10, "I10", true},
    {shoal_i_is_icd10, "C50.9", true},
    {shoal_i_is_icd10, "S72.01XA", true},
    {shoal_i_is_icd10, "C5", false},
    {shoal_i_is_icd10, "50.9", false},
    {shoal_i_is_icd10, "C50.", false},
    {shoal_i_is_lettered_postcode, "SW1A 1AA", true},
    {shoal_i_is_lettered_postcode, "M1 1AE", true},
    {shoal_i_is_lettered_postcode, "3511 AB", true},
    {shoal_i_is_lettered_postcode, "K1A0B1", true},
    {shoal_i_is_lettered_postcode, "53703", false},
    {shoal_i_is_amount_band, "<=50K", true},
    {shoal_i_is_amount_band, "20k-30k", true},
    {shoal_i_is_amount_band, "$1000-$2000", true},
    {shoal_i_is_amount_band, "18-34", false},
    {shoal_i_is_amount_band, "<25", false},
};

static void test_forms(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (forms[i].is_one(forms[i].text, strlen(forms[i].text)) != forms[i].holds) {
            fail_msg("%s: %s", forms[i].text, forms[i].holds ? "not seen" : "taken for one");
        }
    }
}

/* The kind of a column of such values. */
static shoal_i_value_kind find(const char *csv)
{
    shoal_ctx ctx;
    shoal_table *table = NULL;
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;

    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_csv_read_memory(&ctx, &table, csv, strlen(csv), "t", &options),
                     SHOAL_OK);
    shoal_i_value_kind kind = shoal_i_value_kind_find(table, 0);

    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
    return kind;
}

static void test_columns(void **state)
{
    (void)state;
    assert_string_equal(find("x\na@b.org\nc@d.org\n").what, "e-mail addresses");
    /* Nine in ten, not eight. */
    assert_string_equal(find("x\na@b.org\nb@b.org\nc@b.org\nd@b.org\ne@b.org\nf@b.org\n"
                             "g@b.org\nh@b.org\ni@b.org\nnone\n")
                            .what,
                        "e-mail addresses");
    assert_null(find("x\na@b.org\nb@b.org\nc@b.org\nd@b.org\ne@b.org\nf@b.org\n"
                     "g@b.org\nh@b.org\nnone\nnothing\n")
                    .what);
    assert_string_equal(find("x\n078-05-1120\n219-09-9999\n").what,
                        "US social security numbers");
    assert_null(find("x\n078051120\n219099999\n").what);
    /* By chance one in eleven passes: four are too few to tell. */
    assert_null(find("x\n9434765919\n9458073022\n").what);
    assert_string_equal(
        find("x\n9434765919\n9458073022\n1573681938\n0364262125\n9972200337\n").what,
        "NHS numbers");
    assert_int_equal(find("x\nC50.9\nI10\nJ45.0\nE11.9\n").role, SHOAL_I_VALUES_DIAGNOSIS);
    /* Without a point they may be rooms. */
    assert_null(find("x\nA12\nB13\nC14\nD15\n").what);
    assert_int_equal(find("x\nthe man went home again late\nthe woman went home again soon\n"
                          "nobody went home again this week\nall of them went home on foot\n"
                          "some of them took the bus home\n")
                         .role,
                     SHOAL_I_VALUES_TEXT);
    /* The same few sentences again and again are answers of a list. */
    assert_null(find("x\na b c d e f\na b c d e f\na b c d e f\ng h i j k l\ng h i j k l\n"
                     "m n o p q r\nm n o p q r\ns t u v w x\ns t u v w x\ny z a b c d\n"
                     "y z a b c d\n")
                    .what);
    assert_null(find("x\n1.5\n2.5\n").what);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_digits),
        cmocka_unit_test(test_american_numbers),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_columns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
