/* Releases that withstand minimality, releases that go together, and the attacks on both, from
 * files to facts, against figures by hand; nothing leaks when memory ends. */
#include "report_case.h"

#include <math.h>
#include <string.h>

/* Both of zip 1 have HIV: joined with the others because of them. */
static const char six[] = "zip,ill\n1,HIV\n1,HIV\n2,flu\n2,flu\n2,flu\n2,flu\n";

static int enter_defence(void **state)
{
    int st = enter(state);
    room *r = *state;

    write_file(r->input, six);
    give_role(r, "zip", SHOAL_ROLE_QUASI);
    give_role(r, "ill", SHOAL_ROLE_SENSITIVE);
    set(r, "privacy.k", "2");
    set(r, "method", "mondrian");
    set(r, "threads", "1");
    return st;
}

static shoal_status anonymize(shoal_ctx *ctx, void *payload)
{
    room *r = payload;

    shoal_report_free(r->report);
    r->report = NULL;
    return shoal_anonymize(ctx, &r->report, r->spec, r->input, r->release);
}

static shoal_status attack_both(shoal_ctx *ctx, void *payload)
{
    room *r = payload;
    const char *releases[] = {r->release, r->release};

    shoal_report_free(r->report);
    r->report = NULL;
    return shoal_attack(ctx, &r->report, r->spec, r->input, releases, 2);
}

static shoal_attack_facts find(const room *r, const char *name)
{
    shoal_attack_facts facts = SHOAL_ATTACK_FACTS_INIT;

    for (size_t i = 0; shoal_report_attack(r->report, i, &facts); i++) {
        if (strcmp(facts.name, name) == 0) {
            return facts;
        }
    }
    fail_msg("no attack %s", name);
    return facts;
}

/* The worst chance of HIV, by every world. */
static double attack_six(room *r)
{
    assert_int_equal(anonymize(&r->ctx, r), SHOAL_OK);
    assert_int_equal(attack_both(&r->ctx, r), SHOAL_OK);
    shoal_attack_facts facts = find(r, "minimality");

    assert_string_equal(facts.reason, "");
    assert_non_null(strstr(facts.note, "every world was tried, 15;"));
    assert_true(fabs(facts.promise - 0.5) < 1e-12);
    return facts.worst;
}

static void test_six_records(void **state)
{
    room *r = *state;

    set(r, "privacy.alpha", "0.5:HIV");
    assert_true(fabs(attack_six(r) - 1) < 1e-12);
    assert_int_equal(find(r, "minimality").beyond, 2);
    assert_false(shoal_report_holds(r->report));
    set(r, "privacy.attacks", "minimality");
    assert_true(fabs(attack_six(r) - 1.0 / 3) < 1e-12);
    assert_int_equal(find(r, "minimality").beyond, 0);
}

static void test_nothing_is_promised(void **state)
{
    room *r = *state;

    assert_int_equal(anonymize(&r->ctx, r), SHOAL_OK);
    assert_int_equal(attack_both(&r->ctx, r), SHOAL_OK);
    assert_non_null(strstr(find(r, "minimality").reason, "no requirement limits"));
}

/* A method that did not make the release. */
static void test_another_release(void **state)
{
    room *r = *state;

    set(r, "privacy.alpha", "0.5:HIV");
    write_file(r->input, "zip,ill\n1,HIV\n1,flu\n2,flu\n2,flu\n2,flu\n2,HIV\n");
    write_file(r->release, "zip,ill\n[1..2],HIV\n[1..2],flu\n[1..2],flu\n[1..2],flu\n"
                           "[1..2],flu\n[1..2],HIV\n");
    assert_int_equal(attack_both(&r->ctx, r), SHOAL_OK);
    assert_non_null(strstr(find(r, "minimality").reason, "makes another release"));
}

/* Classes 1 2 | 3 4 and 1 | 2 3 | 4 by hand: alone with what both say. */
static void test_composition(void **state)
{
    room *r = *state;
    char other[128];
    const char *releases[] = {r->release, other};

    snprintf(other, sizeof other, "%s/other.csv", r->folder);
    write_file(r->input, "zip,ill\n1,a\n2,b\n3,a\n4,c\n");
    write_file(r->release, "zip,ill\n[1..2],a\n[1..2],b\n[3..4],a\n[3..4],c\n");
    write_file(other, "zip,ill\n1,a\n[2..3],a\n[2..3],b\n4,c\n");
    set(r, "privacy.l", "2");
    assert_int_equal(shoal_attack(&r->ctx, &r->report, r->spec, r->input, releases, 2),
                     SHOAL_OK);
    shoal_attack_facts people = find(r, "composition");
    shoal_attack_facts values = find(r, "intersection");

    assert_true(people.worst == 0 && people.reached == 0 && people.promise == 1);
    assert_int_equal(people.beyond, 4);
    /* Of 1: a; of 2: a or b; of 3: a; of 4: c. */
    assert_true(fabs(values.reached - (1 + 0.5 + 1 + 1) / 4) < 1e-12);
    assert_int_equal(values.certain, 3);
}

static void test_previous(void **state)
{
    room *r = *state;
    char old[128];

    snprintf(old, sizeof old, "%s/old.csv", r->folder);
    write_file(r->input, "zip,ill\n1,a\n2,b\n3,a\n4,b\n5,a\n6,b\n");
    write_file(old, "zip,ill\n[1..3],a\n[1..3],b\n[1..3],a\n[4..6],b\n[4..6],a\n[4..6],b\n");
    set(r, "privacy.l", "1.5");
    set(r, "privacy.previous", old);
    assert_int_equal(anonymize(&r->ctx, r), SHOAL_OK);
    assert_non_null(strstr(shoal_report_text(r->report), "6 records that may be in both"));
    /* Nothing of three fits into classes of two that cross the border of 3 and 4. */
    assert_non_null(strstr(shoal_report_text(r->report), "2 of 3 records"));
    write_file(r->input, "zip,ill\n1,a\n4,b\n5,a\n6,b\n");
    assert_int_equal(anonymize(&r->ctx, r), SHOAL_EUNSATISFIABLE);
    assert_non_null(strstr(shoal_ctx_error(&r->ctx)->message, "the first is record 1."));
}

static void test_allocation_failures(void **state)
{
    room *r = *state;

    set(r, "privacy.alpha", "0.5:HIV");
    set(r, "privacy.attacks", "minimality");
    assert_survives_failing_allocations(&r->ctx, anonymize, r);
    assert_survives_failing_allocations(&r->ctx, attack_both, r);
}

static void test_allocation_failures_of_previous(void **state)
{
    room *r = *state;
    char old[128];

    set(r, "privacy.alpha", "0.5:HIV");
    snprintf(old, sizeof old, "%s/old.csv", r->folder);
    write_file(old, "zip,ill\n[1..2],HIV\n[1..2],HIV\n[1..2],flu\n[1..2],flu\n[1..2],flu\n"
                    "[1..2],flu\n");
    set(r, "privacy.previous", old);
    assert_survives_failing_allocations(&r->ctx, anonymize, r);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_defence, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_six_records),
        TEST(test_nothing_is_promised),
        TEST(test_another_release),
        TEST(test_composition),
        TEST(test_previous),
        TEST(test_allocation_failures),
        TEST(test_allocation_failures_of_previous),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
