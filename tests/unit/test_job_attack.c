/* Attacks from files and tables to facts of a report, against figures by hand; nothing leaks
 * when memory ends. */
#include "report_case.h"

#include "attack/attack.h"
#include "attack/judge.h"

#include <string.h>

/* Two classes of three; by age alone 27 could be in both. */
static const char patients[] = "who,age,sex,ill\n"
                               "a,24,F,flu\n"
                               "b,24,F,flu\n"
                               "c,27,M,gout\n"
                               "d,27,F,gout\n"
                               "d,30,M,HIV\n"
                               "e,30,M,gout\n";

static const char classes[] = "age,sex,ill\n"
                              "[24..27],*,flu\n"
                              "[24..27],*,flu\n"
                              "[24..27],*,gout\n"
                              "[27..30],*,gout\n"
                              "[27..30],*,HIV\n"
                              "[27..30],*,gout\n";

static const char people[] = "age,sex\n24,F\n24,F\n24,F\n24,F\n27,M\n27,F\n30,M\n30,M\n30,F\n";

static const char buckets[] =
    "bucket,age,sex\n1,24,F\n1,24,F\n1,27,M\n2,27,F\n2,30,M\n2,30,M\n";
static const char sensitive[] = "bucket,column,value,count\n1,ill,flu,2\n1,ill,gout,1\n"
                                "2,ill,HIV,1\n2,ill,gout,2\n";

static int enter_attack(void **state)
{
    room *r = NULL;
    int st = enter(state);

    r = *state;
    write_file(r->input, patients);
    write_file(r->release, classes);
    give_role(r, "age", SHOAL_ROLE_QUASI);
    give_role(r, "sex", SHOAL_ROLE_QUASI);
    give_role(r, "ill", SHOAL_ROLE_SENSITIVE);
    return st;
}

static shoal_status attack(shoal_ctx *ctx, room *r)
{
    const char *releases[] = {r->release};

    shoal_report_free(r->report);
    r->report = NULL;
    return shoal_attack(ctx, &r->report, r->spec, r->input, releases, 1);
}

/* The facts of an attack of the report. */
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

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) < 1e-12)) {
        print_error("%.17g is not %.17g\n", a, b);
    }
    assert_true(fabs(a - b) < 1e-12);
}

/* --- The table of attacks. ---------------------------------------------------------------- */

static void test_kinds_and_words_agree(void **state)
{
    shoal_attack_kind_facts facts = SHOAL_ATTACK_KIND_FACTS_INIT;
    size_t count = 0;

    (void)state;
    for (; shoal_i_attack_kinds[count]; count++) {
        assert_string_equal(shoal_i_attack_kinds[count]->name, shoal_i_attack_words[count]);
        assert_true(shoal_attack_describe(&facts, count));
        assert_string_equal(facts.name, shoal_i_attack_words[count]);
        assert_true(facts.attacker[strlen(facts.attacker) - 1] == '.');
        assert_true(facts.title[0] && facts.figure[0] && facts.helps[0]);
        assert_non_null(strstr(facts.citation, "doi:"));
        assert_true(facts.least_releases >= 1);
    }
    assert_null(shoal_i_attack_words[count]);
    assert_false(shoal_attack_describe(&facts, count));
    facts.struct_size = 0;
    assert_false(shoal_attack_describe(&facts, 0));
}

/* --- By hand. ----------------------------------------------------------------------------- */

static void test_identity(void **state)
{
    room *r = *state;

    set(r, "privacy.k", "3");
    expect(r, attack(&r->ctx, r));
    shoal_attack_facts linkage = find(r, "linkage");

    /* Four fit one class, the two of 27 both. */
    assert_near(linkage.reached, (4 * (1 / 3.0) + 2 * (1 / 6.0)) / 6);
    assert_near(linkage.worst, 1 / 3.0);
    assert_near(linkage.promise, 1 / 3.0);
    assert_near(linkage.without, 1 / 6.0);
    assert_string_equal(linkage.promised_by, "k-anonymity");
    assert_true(linkage.people == 6 && linkage.beyond == 0 && linkage.certain == 0);
    assert_true(isnan(linkage.low) && isnan(linkage.high));
    assert_true(shoal_report_holds(r->report));
    /* 24 must have all rows but one of the first class, 30 of the second. */
    assert_near(find(r, "matching").reached, linkage.reached);
    assert_non_null(strstr(find(r, "matching").note, "chance of 0.333333"));
    set(r, "privacy.k", "4");
    expect(r, attack(&r->ctx, r));
    assert_true(find(r, "linkage").beyond == 4);
    assert_false(shoal_report_holds(r->report));
}

static void test_worst_people(void **state)
{
    room *r = *state;
    const uint64_t expected[] = {0, 1, 4, 5, 2, 3};
    uint64_t record = 99;
    double figure = 0;

    set(r, "attack.names", "linkage");
    expect(r, attack(&r->ctx, r));
    assert_int_equal(shoal_report_attack_count(r->report), 1);
    assert_true(find(r, "linkage").worst_count == 6);
    for (size_t i = 0; i < 6; i++) {
        assert_true(shoal_report_attack_worst(r->report, 0, i, &record, &figure));
        assert_true(record == expected[i]);
        assert_near(figure, i < 4 ? 1 / 3.0 : 1 / 6.0);
    }
    assert_false(shoal_report_attack_worst(r->report, 0, 6, &record, &figure));
    assert_false(shoal_report_attack_worst(r->report, 1, 0, &record, &figure));
}

static void test_values(void **state)
{
    room *r = *state;

    set(r, "privacy.l", "distinct:2");
    expect(r, attack(&r->ctx, r));
    shoal_attack_facts found = find(r, "homogeneity");

    assert_string_equal(found.column, "ill");
    assert_true(found.reached == 1 && found.worst == 1 && found.promise == 1);
    assert_true(found.without == 2 && found.beyond == 0);
    assert_true(isnan(find(r, "definetti").promise)); /* two values may be any shares */
    assert_near(find(r, "definetti").without, 2 / 3.0);
}

/* The promise to whoever guesses: by the tightest requirement that speaks of every value. */
static void test_promised_shares(void **state)
{
    static const struct {
        const char *key;
        const char *value;
        double promise;
    } cases[] = {
        {"privacy.alpha", "0.9", 0.9},     {"privacy.l", "1.25", 0.8},
        {"privacy.t", "equal:0.3", 0.8},   {"privacy.delta", "0", 0.5},
        {"privacy.beta", "0.5", 0.75},     {"privacy.alpha", "0.5:flu", NAN},
        {"privacy.l", "entropy:1.2", NAN}, {"privacy.beta", "enhanced:9", 0.5 * (1 + M_LN2)},
    };
    room *r = *state;

    set(r, "attack.names", "definetti");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_spec *spec = r->spec;

        expect(r, shoal_spec_copy(&r->ctx, &r->spec, spec));
        set(r, cases[i].key, cases[i].value);
        expect(r, attack(&r->ctx, r));
        double promise = find(r, "definetti").promise;

        if (isnan(cases[i].promise)) {
            assert_true(isnan(promise));
        } else {
            assert_near(promise, cases[i].promise);
        }
        shoal_spec_free(r->spec);
        r->spec = spec;
    }
}

/* Values that must be ruled out, by every requirement that bounds their number. */
static void test_promised_numbers(void **state)
{
    static const struct {
        const char *key;
        const char *value;
        double promise;
    } cases[] = {
        {"privacy.l", "3", 2},           {"privacy.l", "distinct:4", 3},
        {"privacy.l", "entropy:1.5", 1}, {"privacy.l", "recursive:2:3", 2},
        {"privacy.alpha", "0.4", 2},     {"privacy.alpha", "0.5", 1},
        {"privacy.delta", "1", 2},       {"privacy.t", "equal:0.1", NAN},
        {"privacy.l", "1", NAN},
    };
    room *r = *state;

    set(r, "attack.names", "homogeneity");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_spec *spec = r->spec;

        expect(r, shoal_spec_copy(&r->ctx, &r->spec, spec));
        set(r, cases[i].key, cases[i].value);
        expect(r, attack(&r->ctx, r));
        assert_same(find(r, "homogeneity").promise, cases[i].promise);
        assert_true(find(r, "homogeneity").beyond == (cases[i].promise > 1 ? 6 : 0));
        shoal_spec_free(r->spec);
        r->spec = spec;
    }
}

/* Records with a k of their own: each is held against its own, the promise is the weakest. */
static void test_own_k(void **state)
{
    room *r = *state;

    write_file(r->input,
               "own,age,sex,ill\n"
               "3,24,F,flu\n4,24,F,flu\n4,27,M,gout\n7,27,F,gout\n2,30,M,HIV\n9,30,M,gout\n");
    set(r, "privacy.k.column", "own");
    set(r, "attack.names", "linkage,matching");
    expect(r, attack(&r->ctx, r));
    assert_near(find(r, "linkage").promise, 1 / 2.0);
    /* Three candidates are too few for 4 and 9, six for 7. */
    assert_true(find(r, "linkage").beyond == 3);
    assert_true(find(r, "matching").beyond == 3);
    set(r, "privacy.k", "4");
    expect(r, attack(&r->ctx, r));
    assert_near(find(r, "linkage").promise, 1 / 4.0);
    assert_true(find(r, "linkage").beyond == 5);
}

static void test_persons(void **state)
{
    room *r = *state;

    give_role(r, "who", SHOAL_ROLE_PERSON);
    set(r, "privacy.k", "2");
    expect(r, attack(&r->ctx, r));
    shoal_attack_facts linkage = find(r, "linkage");

    /* a, b: {a, b, c}; c: all five; d by the record of 30: {d, e}; e: {d, e}. */
    assert_true(linkage.people == 5);
    assert_near(linkage.reached, (1 / 3.0 + 1 / 3.0 + 1 / 5.0 + 1 / 2.0 + 1 / 2.0) / 5);
    assert_near(linkage.worst, 1 / 2.0);
    assert_true(linkage.beyond == 0);
    assert_true(find(r, "homogeneity").people == 5);
}

static void test_presence(void **state)
{
    room *r = *state;
    char path[128];

    snprintf(path, sizeof path, "%s/people.csv", r->folder);
    write_file(path, people);
    set(r, "privacy.population", path);
    set(r, "privacy.presence", "0.6");
    expect(r, attack(&r->ctx, r));
    shoal_attack_facts found = find(r, "presence");

    /* 3 of 6 and 3 of 5; whoever is 27 is in one or the other. */
    assert_near(found.reached, (2 * 0.5 + 2 * 1 + 2 * 0.6) / 6);
    assert_near(found.promise, 0.6);
    assert_near(found.without, 6 / 9.0);
    assert_true(found.beyond == 2 && found.certain == 2);
}

static void test_buckets(void **state)
{
    room *r = *state;
    char path[128];

    snprintf(path, sizeof path, "%s/out.sensitive.csv", r->folder);
    write_file(r->release, buckets);
    write_file(path, sensitive);
    set(r, "privacy.k", "3");
    set(r, "privacy.l", "1.5");
    expect(r, attack(&r->ctx, r));
    shoal_attack_facts linkage = find(r, "linkage");

    assert_near(linkage.reached, (4 * 0.5 + 2 * 1) / 6);
    assert_true(isnan(linkage.promise) && linkage.beyond == 0);
    assert_string_equal(linkage.promised_by, "");
    assert_true(linkage.note[0] != '\0');
    assert_true(find(r, "matching").reason[0] != '\0');
    assert_near(find(r, "definetti").without, 2 / 3.0);
    assert_near(find(r, "definetti").promise, 2 / 3.0);
    assert_true(find(r, "homogeneity").worst == 1);
}

/* Who could be in several buckets counts by the one that tells most. */
static void test_a_point_in_two_buckets(void **state)
{
    room *r = *state;
    char path[128];

    snprintf(path, sizeof path, "%s/out.sensitive.csv", r->folder);
    write_file(r->input, "age,sex,ill\n24,F,flu\n24,F,gout\n30,M,flu\n30,M,HIV\n");
    write_file(r->release, "bucket,age,sex\n1,24,F\n1,30,M\n2,24,F\n2,30,M\n");
    write_file(path, "bucket,column,value,count\n1,ill,flu,2\n2,ill,HIV,1\n2,ill,gout,1\n");
    expect(r, attack(&r->ctx, r));
    assert_true(find(r, "homogeneity").reached == 0 && find(r, "homogeneity").certain == 4);
    assert_near(find(r, "linkage").reached, 0.5);
    /* Flu is the likeliest of everybody: of one bucket for sure, of the other not at all. */
    assert_near(find(r, "definetti").without, 0.5);
}

/* --- What attackers know. ----------------------------------------------------------------- */

static void test_a_sample_and_errors(void **state)
{
    room *r = *state;

    set(r, "attack.known", "1e-9"); /* nobody, by chance; then one is */
    expect(r, attack(&r->ctx, r));
    assert_true(find(r, "linkage").people == 1);
    assert_true(find(r, "linkage").low < find(r, "linkage").high);
    assert_true(find(r, "matching").reason[0] != '\0');
    set(r, "attack.known", "1");
    set(r, "attack.errors", "0.5");
    set(r, "seed", "5");
    expect(r, attack(&r->ctx, r));
    double once = find(r, "linkage").reached;

    set(r, "threads", "4");
    expect(r, attack(&r->ctx, r));
    assert_true(find(r, "linkage").reached == once);
    assert_true(find(r, "linkage").people == 6 && once < 0.5);
}

static void test_intervals(void **state)
{
    double low = 0;
    double high = 0;

    (void)state;
    shoal_i_wilson(&low, &high, 0.5, 100); /* by the formula, with z = 1.96 */
    assert_true(fabs(low - 0.4038) < 1e-4 && fabs(high - 0.5962) < 1e-4);
    shoal_i_wilson(&low, &high, 0, 10);
    assert_true(low == 0 && fabs(high - 0.2775) < 1e-4);
    shoal_i_wilson(&low, &high, 1, 10);
    assert_true(high == 1 && fabs(low - 0.7225) < 1e-4);
    shoal_i_wilson(&low, &high, 0.3, 0);
    assert_true(low == 0 && high == 1);
}

/* --- Refusals. ---------------------------------------------------------------------------- */

static void test_refusals(void **state)
{
    room *r = *state;
    const char *releases[] = {r->release};
    shoal_report *report = NULL;

    assert_int_equal(shoal_attack(&r->ctx, &report, r->spec, r->input, releases, 0),
                     SHOAL_EINVAL);
    assert_null(report);
    assert_int_equal(shoal_attack(&r->ctx, &report, r->spec, r->input, NULL, 1), SHOAL_EINVAL);
    set(r, "attack.names", "presence");
    assert_int_equal(attack(&r->ctx, r), SHOAL_EINVAL);
    set(r, "attack.names", "linkage");
    write_file(r->release, "age,sex,ill\n24,M,flu\n");
    assert_int_equal(attack(&r->ctx, r), SHOAL_EFORMAT);
}

/* --- Sections of other reports, tables in memory. ----------------------------------------- */

static void test_sections(void **state)
{
    room *r = *state;
    shoal_report *measured = NULL;
    char out[128];

    set(r, "attack.names", "linkage,homogeneity,definetti,matching");
    set(r, "privacy.k", "3");
    set(r, "report.detail", "full");
    expect(r, attack(&r->ctx, r));
    assert_non_null(strstr(shoal_report_html(r->report), "id=\"attacks\""));
    assert_non_null(strstr(shoal_report_html(r->report), "worst records"));
    assert_null(strstr(shoal_report_external(r->report), "worst records"));
    /* Told first, in sentences, where the release was made. */
    assert_non_null(
        strstr(shoal_report_html(r->report), "<li>Linkage stays within what is promised"));
    assert_non_null(
        strstr(shoal_report_html(r->report), ", of which nothing is promised: values to"));
    assert_null(strstr(shoal_report_external(r->report), "stays within what is promised"));
    set(r, "privacy.k", "99");
    expect(r, attack(&r->ctx, r));
    assert_non_null(strstr(shoal_report_html(r->report),
                           "<li class=\"no\">Linkage reaches more than is promised"));
    set(r, "privacy.k", "3");
    expect(r, attack(&r->ctx, r));
    expect(r, shoal_measure(&r->ctx, &measured, r->spec, r->input, r->release));
    for (size_t i = 0; i < 4; i++) {
        shoal_attack_facts a = SHOAL_ATTACK_FACTS_INIT;
        shoal_attack_facts b = SHOAL_ATTACK_FACTS_INIT;

        assert_true(shoal_report_attack(r->report, i, &a));
        assert_true(shoal_report_attack(measured, i, &b));
        assert_same(a.reached, b.reached);
        assert_same(a.promise, b.promise);
    }
    assert_non_null(strstr(shoal_report_html(measured), "id=\"attacks\""));
    shoal_report_free(measured);
    snprintf(out, sizeof out, "%s/new.csv", r->folder);
    expect(r, shoal_anonymize(&r->ctx, &measured, r->spec, r->input, out));
    assert_int_equal(shoal_report_attack_count(measured), 4);
    assert_true(shoal_report_holds(measured));
    shoal_report_free(measured);
    set(r, "attack.names", "presence");
    assert_int_equal(shoal_anonymize(&r->ctx, &measured, r->spec, r->input, out), SHOAL_EINVAL);
    assert_int_equal(shoal_measure(&r->ctx, &measured, r->spec, r->input, r->release),
                     SHOAL_EINVAL);
}

static void test_in_memory(void **state)
{
    room *r = *state;
    shoal_table *table = NULL;
    shoal_table *rows = NULL;
    shoal_release *release = NULL;
    shoal_report *report = NULL;
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;

    expect(r, shoal_csv_read(&r->ctx, &table, r->input, &options));
    expect(r, shoal_csv_read(&r->ctx, &rows, r->release, &options));
    expect(r, shoal_release_from_tables(&r->ctx, &release, rows, NULL));
    expect(r, attack(&r->ctx, r));
    const shoal_release *releases[] = {release};

    expect(r, shoal_attack_release(&r->ctx, &report, r->spec, table, releases, 1));
    assert_int_equal(shoal_report_attack_count(report), shoal_report_attack_count(r->report));
    for (size_t i = 0; i < shoal_report_attack_count(report); i++) {
        shoal_attack_facts a = SHOAL_ATTACK_FACTS_INIT;
        shoal_attack_facts b = SHOAL_ATTACK_FACTS_INIT;

        assert_true(shoal_report_attack(report, i, &a));
        assert_true(shoal_report_attack(r->report, i, &b));
        assert_same(a.reached, b.reached);
    }
    shoal_report_free(report);
    shoal_release_free(release);
    shoal_table_free(rows);
    shoal_table_free(table);
}

/* --- Memory. ------------------------------------------------------------------------------ */

static shoal_status attack_again(shoal_ctx *ctx, void *payload)
{
    return attack(ctx, payload);
}

static void test_allocation_failures(void **state)
{
    room *r = *state;
    char path[128];

    snprintf(path, sizeof path, "%s/people.csv", r->folder);
    write_file(path, people);
    set(r, "privacy.population", path);
    set(r, "privacy.k", "3");
    set(r, "report.detail", "full");
    assert_survives_failing_allocations(&r->ctx, attack_again, r);
    set(r, "attack.errors", "0.2");
    assert_survives_failing_allocations(&r->ctx, attack_again, r);
    set(r, "attack.errors", "0");
    set(r, "report.detail", "short");
    set(r, "measure.shape", "records");
    assert_survives_failing_allocations(&r->ctx, attack_again, r);
}

static void test_allocation_failures_of_buckets_and_persons(void **state)
{
    room *r = *state;
    char path[128];

    give_role(r, "who", SHOAL_ROLE_PERSON);
    assert_survives_failing_allocations(&r->ctx, attack_again, r);
    snprintf(path, sizeof path, "%s/out.sensitive.csv", r->folder);
    write_file(r->release, buckets);
    write_file(path, sensitive);
    assert_survives_failing_allocations(&r->ctx, attack_again, r);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_attack, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_and_words_agree),
        TEST(test_identity),
        TEST(test_worst_people),
        TEST(test_values),
        TEST(test_promised_shares),
        TEST(test_promised_numbers),
        TEST(test_own_k),
        TEST(test_persons),
        TEST(test_presence),
        TEST(test_buckets),
        TEST(test_a_point_in_two_buckets),
        TEST(test_a_sample_and_errors),
        cmocka_unit_test(test_intervals),
        TEST(test_refusals),
        TEST(test_sections),
        TEST(test_in_memory),
        TEST(test_allocation_failures),
        TEST(test_allocation_failures_of_buckets_and_persons),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
