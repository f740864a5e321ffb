/* What names of columns mean, in six languages and as people abbreviate them. */
#include "context.h"
#include "deep.h"
#include "job/input/column_names.h"

#include <stdio.h>
#include <string.h>

typedef struct name_case {
    const char *name;
    shoal_i_meaning meaning;
} name_case;

static const name_case cases[] = {
    {"age", SHOAL_I_MEANS_AGE},
    {"patientAge", SHOAL_I_MEANS_AGE},
    {"AGE_AT_DIAGNOSIS", SHOAL_I_MEANS_AGE},
    {"Alter", SHOAL_I_MEANS_AGE},
    {"Âge (années)", SHOAL_I_MEANS_AGE},
    {"edad", SHOAL_I_MEANS_AGE},
    {"età", SHOAL_I_MEANS_AGE},
    {"leeftijd", SHOAL_I_MEANS_AGE},
    {"language", SHOAL_I_MEANS_LANGUAGE},
    {"average", SHOAL_I_MEANS_NOTHING},
    {"sex", SHOAL_I_MEANS_SEX},
    {"Sexe", SHOAL_I_MEANS_SEX},
    {"GESCHLECHT", SHOAL_I_MEANS_SEX},
    {"geslacht", SHOAL_I_MEANS_SEX},
    {"sesso", SHOAL_I_MEANS_SEX},
    {"género", SHOAL_I_MEANS_SEX},
    {"DateOfBirth", SHOAL_I_MEANS_BIRTH},
    {"Geb.datum", SHOAL_I_MEANS_BIRTH},
    {"GEBDAT", SHOAL_I_MEANS_BIRTH},
    {"date de naissance", SHOAL_I_MEANS_BIRTH},
    {"fecha_nacimiento", SHOAL_I_MEANS_BIRTH},
    {"data di nascita", SHOAL_I_MEANS_BIRTH},
    {"geboortedatum", SHOAL_I_MEANS_BIRTH},
    {"zip5", SHOAL_I_MEANS_POSTAL},
    {"Wohnort-PLZ", SHOAL_I_MEANS_POSTAL},
    {"Code postal", SHOAL_I_MEANS_POSTAL},
    {"código postal", SHOAL_I_MEANS_POSTAL},
    {"CAP", SHOAL_I_MEANS_POSTAL},
    {"capital", SHOAL_I_MEANS_MONEY},
    {"household_income", SHOAL_I_MEANS_MONEY},
    {"Bruttolohn", SHOAL_I_MEANS_MONEY},
    {"revenu fiscal", SHOAL_I_MEANS_MONEY},
    {"reddito", SHOAL_I_MEANS_MONEY},
    {"salaris", SHOAL_I_MEANS_MONEY},
    {"ingresos", SHOAL_I_MEANS_MONEY},
    {"Hauptdiagnose", SHOAL_I_MEANS_DIAGNOSIS},
    {"icd10", SHOAL_I_MEANS_DIAGNOSIS},
    {"dx_code", SHOAL_I_MEANS_DIAGNOSIS},
    {"Krankenkasse", SHOAL_I_MEANS_INSTITUTION},
    {"enfermedad", SHOAL_I_MEANS_HEALTH},
    {"malattia", SHOAL_I_MEANS_HEALTH},
    {"Staatsangehörigkeit", SHOAL_I_MEANS_COUNTRY},
    {"Straße", SHOAL_I_MEANS_ADDRESS},
    {"STRASSE", SHOAL_I_MEANS_ADDRESS},
    {"ip_address", SHOAL_I_MEANS_CONTACT},
    {"eMail", SHOAL_I_MEANS_CONTACT},
    {"E-Mail-Adresse", SHOAL_I_MEANS_CONTACT},
    {"téléphone", SHOAL_I_MEANS_CONTACT},
    {"N° sécurité sociale", SHOAL_I_MEANS_OFFICIAL},
    {"codice fiscale", SHOAL_I_MEANS_OFFICIAL},
    {"BSN", SHOAL_I_MEANS_OFFICIAL},
    {"Prénom", SHOAL_I_MEANS_NAME},
    {"first_name", SHOAL_I_MEANS_NAME},
    {"school_name", SHOAL_I_MEANS_EDUCATION},
    {"name", SHOAL_I_MEANS_CALLED},
    {"Patienten-Nr", SHOAL_I_MEANS_NUMBER},
    {"patient_id", SHOAL_I_MEANS_ID},
    {"covid", SHOAL_I_MEANS_HEALTH},
    {"fnlwgt", SHOAL_I_MEANS_SURVEY_WEIGHT},
    {"sœur", SHOAL_I_MEANS_NOTHING},
    {"état civil", SHOAL_I_MEANS_MARITAL},
    {"burgerlijke staat", SHOAL_I_MEANS_MARITAL},
    {"LAST", SHOAL_I_MEANS_NAME},
    {"last_visit", SHOAL_I_MEANS_DATE},
    {"JobSatisfaction", SHOAL_I_MEANS_RESULT},
    {"hospital_expire_flag", SHOAL_I_MEANS_DIAGNOSIS},
    {"", SHOAL_I_MEANS_NOTHING},
    {"___", SHOAL_I_MEANS_NOTHING},
    {"κόσμος", SHOAL_I_MEANS_NOTHING},
    {"x", SHOAL_I_MEANS_NOTHING},
};

static void test_meanings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_i_meaning found = shoal_i_first_meaning(shoal_i_name_meanings(cases[i].name));

        if (found != cases[i].meaning) {
            fail_msg("%s: %s instead of %s", cases[i].name, shoal_i_meaning_words(found),
                     shoal_i_meaning_words(cases[i].meaning));
        }
    }
}

/* A short word counts where a sign, a digit or a capital parts it from others. */
static void test_parts_of_names(void **state)
{
    (void)state;
    for (const char *c = "az_- .09"; *c; c++) {
        bool is_apart = *c < 'a' || *c > 'z' || *c == '_';
        char before[] = {*c, 'a', 'g', 'e', '\0'};
        char after[] = {'a', 'g', 'e', *c, '\0'};

        assert_int_equal(shoal_i_names_quasi(before), is_apart);
        assert_int_equal(shoal_i_names_quasi(after), is_apart);
    }
    assert_true(shoal_i_names_quasi("xAge"));
    assert_true(shoal_i_names_quasi("BPAge"));
    assert_false(shoal_i_names_quasi("BPage"));
    assert_true(shoal_i_means(shoal_i_name_meanings("Geburtsdatum"), SHOAL_I_MEANS_DATE));
}

/* Names longer than anybody's end somewhere, and cost nothing but the rest. */
static void test_long_names(void **state)
{
    char name[2000];

    (void)state;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(shoal_i_name_meanings(name), 0);
    for (size_t i = 0; i < sizeof name - 1; i++) {
        name[i] = i % 2 ? '_' : 'x';
    }
    assert_int_equal(shoal_i_name_meanings(name), 0);
    for (size_t i = 0; i + 1 < sizeof name - 1; i += 2) {
        memcpy(name + i, "ß", 2);
    }
    assert_int_equal(shoal_i_name_meanings(name), 0);
}

/* Every list is sorted out: words in small letters without accents, stars at ends only. */
static void test_lists(void **state)
{
    (void)state;
    for (size_t m = 1; m < SHOAL_I_MEANINGS; m++) {
        const char *list = shoal_i_name_words[m];

        assert_non_null(list);
        assert_true(list[strspn(list, "abcdefghijklmnopqrstuvwxyz0123456789+?*= ")] == '\0');
        assert_null(strstr(list, "  "));
        for (const char *at = strchr(list, '*'); at; at = strchr(at + 1, '*')) {
            bool is_first = at == list || strchr(" +", at[-1]);
            bool is_last = at[1] == '\0' || strchr(" +", at[1]);

            assert_true(is_first != is_last);
        }
    }
}

static void test_persons(void **state)
{
    (void)state;
    assert_true(shoal_i_names_person("patient_id"));
    assert_true(shoal_i_names_person("Kundennummer"));
    assert_true(shoal_i_names_person("N° patient"));
    assert_true(shoal_i_names_person("BSN"));
    assert_true(shoal_i_names_person("patient"));
    assert_false(shoal_i_names_person("patient_age"));
    assert_false(shoal_i_names_person("number_of_items"));
    assert_false(shoal_i_names_person("customer_city"));
    assert_true(shoal_i_seems_person("patient", 50, 0, 100));
    assert_false(shoal_i_seems_person("patient", 100, 0, 100));
    assert_false(shoal_i_seems_person("patient", 60, 40, 100));
    assert_false(shoal_i_seems_person("patient", 4, 0, 100));
    assert_true(shoal_i_seems_person("patient", 5, 0, 100));
    assert_false(shoal_i_seems_person("patient", 1, 0, 10));
}

static void test_identifiers(void **state)
{
    (void)state;
    assert_true(shoal_i_names_identifier("name", 2, 100));
    assert_true(shoal_i_names_identifier("id", 2, 100));
    assert_true(shoal_i_names_identifier("Vorname", 2, 100));
    assert_false(shoal_i_names_identifier("Vorname", 1, 100));
    assert_false(shoal_i_names_identifier("n", 2, 100));
    assert_true(shoal_i_names_identifier("n", 51, 100));
    assert_false(shoal_i_names_identifier("n", 50, 100));
    assert_false(shoal_i_names_identifier("school_name", 100, 100));
    assert_false(shoal_i_names_identifier("patient_type", 3, 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meanings),   cmocka_unit_test(test_parts_of_names),
        cmocka_unit_test(test_long_names), cmocka_unit_test(test_lists),
        cmocka_unit_test(test_persons),    cmocka_unit_test(test_identifiers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
