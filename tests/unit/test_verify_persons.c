/* A release beside its original, by persons: verdicts against counting by hand, whatever the
 * order of the rows; and columns that look like persons, in files and in memory. */
#include "failing.h"
#include "files.h"

#include <shoal/csv.h>
#include <shoal/job.h>

#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS 40
#define CLASSES 4
#define ILLNESSES 3
#define TABLES 300

/* Classes are those of the ages' tens. */
typedef struct room {
    shoal_ctx ctx;
    shoal_spec *spec;
    char folder[64];
    size_t rows;
    unsigned person[ROWS];
    unsigned age[ROWS];
    unsigned ill[ROWS];
} room;

static void set(room *r, const char *key, const char *value)
{
    assert_int_equal(shoal_spec_set(&r->ctx, r->spec, key, value), SHOAL_OK);
}

static void give_role(room *r, const char *column, shoal_role role)
{
    assert_int_equal(shoal_spec_set_role(&r->ctx, r->spec, column, role), SHOAL_OK);
}

static int enter(void **state)
{
    room *r = calloc(1, sizeof *r);

    assert_non_null(r);
    shoal_i_ctx_init(&r->ctx);
    r->ctx.threads = 1;
    make_folder(r->folder);
    assert_int_equal(chdir(r->folder), 0);
    assert_int_equal(shoal_spec_new(&r->ctx, &r->spec), SHOAL_OK);
    give_role(r, "age", SHOAL_ROLE_QUASI);
    give_role(r, "ill", SHOAL_ROLE_SENSITIVE);
    *state = r;
    return 0;
}

static int leave(void **state)
{
    room *r = *state;

    shoal_spec_free(r->spec);
    shoal_i_ctx_clear(&r->ctx);
    assert_true(chdir("/") == 0 && remove_folder(r->folder) == 0);
    free(r);
    return 0;
}

static void put_range(char *text, const room *r, unsigned class)
{
    unsigned least = UINT32_MAX;
    unsigned most = 0;

    for (size_t i = 0; i < r->rows; i++) {
        if (r->age[i] / 10 == class) {
            least = r->age[i] < least ? r->age[i] : least;
            most = r->age[i] > most ? r->age[i] : most;
        }
    }
    if (least == most) {
        snprintf(text, 32, "%u", least);
    } else {
        snprintf(text, 32, "[%u..%u]", least, most);
    }
}

/* The table and its release, the rows of which stand in their order or in any. */
static void write_pair(room *r, uint64_t seed, size_t persons, bool is_shuffled)
{
    shoal_i_random random = shoal_i_random_start(seed);
    size_t order[ROWS];
    char original[4096] = "patient_id,age,ill\n";
    char release[4096] = "age,ill\n";

    r->rows = 4 + shoal_i_random_below(&random, ROWS - 3);
    for (size_t i = 0; i < r->rows; i++) {
        r->person[i] = (unsigned)shoal_i_random_below(&random, persons);
        r->age[i] = (unsigned)shoal_i_random_below(&random, 10 * CLASSES);
        r->ill[i] = (unsigned)shoal_i_random_below(&random, ILLNESSES);
        order[i] = i;
        snprintf(original + strlen(original), 64, "p%u,%u,i%u\n", r->person[i], r->age[i],
                 r->ill[i]);
    }
    for (size_t i = r->rows; is_shuffled && i > 1; i--) {
        size_t other = shoal_i_random_below(&random, i);
        size_t kept = order[i - 1];

        order[i - 1] = order[other];
        order[other] = kept;
    }
    for (size_t i = 0; i < r->rows; i++) {
        char range[32];

        put_range(range, r, r->age[order[i]] / 10);
        snprintf(release + strlen(release), 64, "%s,i%u\n", range, r->ill[order[i]]);
    }
    write_file("in.csv", original);
    write_file("out.csv", release);
}

/* Persons of a class with a value, or with any. */
static size_t count_persons(const room *r, unsigned class, unsigned ill)
{
    size_t count = 0;

    for (unsigned person = 0; person < ROWS; person++) {
        bool is_there = false;

        for (size_t i = 0; i < r->rows; i++) {
            is_there = is_there || (r->person[i] == person && r->age[i] / 10 == class &&
                                    (ill == ILLNESSES || r->ill[i] == ill));
        }
        count += is_there;
    }
    return count;
}

/* At least k persons in every class, and at most 3/4 of them with the same illness. */
static bool slow_verdict(const room *r, size_t k, size_t *fewest)
{
    bool holds = true;

    *fewest = r->rows;
    for (unsigned class = 0; class < CLASSES; class ++) {
        size_t all = count_persons(r, class, ILLNESSES);

        if (all == 0) {
            continue;
        }
        *fewest = all < *fewest ? all : *fewest;
        holds = holds && all >= k;
        for (unsigned ill = 0; ill < ILLNESSES; ill++) {
            holds = holds && 4 * count_persons(r, class, ill) <= 3 * all;
        }
    }
    return holds;
}

static shoal_status verify(shoal_ctx *ctx, void *payload)
{
    room *r = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_verify_records(ctx, &report, r->spec, "in.csv", "out.csv");

    if (st == SHOAL_OK) {
        size_t fewest = 0;

        assert_true(shoal_report_holds(report) == slow_verdict(r, 3, &fewest));
        assert_true(shoal_report_figure(report, "fewest_persons") == (double)fewest);
    }
    shoal_report_free(report);
    return st;
}

static void ask_for_persons(room *r)
{
    give_role(r, "patient_id", SHOAL_ROLE_PERSON);
    set(r, "privacy.k", "3");
    set(r, "privacy.alpha", "0.75");
}

/* Boxes do not overlap, so there is one way to match; rows alone would often pass. */
static void test_verdicts(void **state)
{
    room *r = *state;
    size_t holding = 0;
    size_t failing = 0;

    ask_for_persons(r);
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        size_t fewest = 0;

        write_pair(r, seed, 4 + seed % 30, seed % 3 > 0);
        assert_int_equal(verify(&r->ctx, r), SHOAL_OK);
        bool holds = slow_verdict(r, 3, &fewest);

        holding += holds;
        failing += !holds;
    }
    assert_true(holding > 20);
    assert_true(failing > 20);
}

static shoal_status risk(shoal_ctx *ctx, void *payload)
{
    room *r = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_risk(ctx, &report, r->spec, "in.csv", "out.csv");

    shoal_report_free(report);
    return st;
}

/* Warns of the column of persons, which nobody called so. */
static shoal_status anonymize(shoal_ctx *ctx, void *payload)
{
    room *r = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_anonymize(ctx, &report, r->spec, "in.csv", "made.csv");

    assert_true(st != SHOAL_OK || strstr(shoal_report_json(report), "repeated-person"));
    shoal_report_free(report);
    return st;
}

static void test_failing_allocations(void **state)
{
    room *r = *state;

    write_pair(r, 5, 12, true);
    set(r, "privacy.k", "2");
    assert_survives_failing_allocations(&r->ctx, anonymize, r);
    ask_for_persons(r);
    assert_survives_failing_allocations(&r->ctx, verify, r);
    assert_survives_failing_allocations(&r->ctx, risk, r);
}

/* Of a table in memory, too: numbers stay what they are, and the table is as it was. */
static void test_memory(void **state)
{
    room *r = *state;
    shoal_table *table = NULL;
    shoal_release *release = NULL;
    shoal_report *report = NULL;

    write_file("in.csv", "patient_id,age,ill\n1,30,a\n1,30,b\n2,31,a\n3,31,b\n3,30,a\n");
    set(r, "privacy.k", "2");
    assert_int_equal(shoal_csv_read(&r->ctx, &table, "in.csv", NULL), SHOAL_OK);
    assert_int_equal(shoal_anonymize_table(&r->ctx, &release, &report, r->spec, table),
                     SHOAL_OK);
    assert_non_null(strstr(shoal_report_json(report), "repeated-person"));
    assert_false(shoal_table_is_skipped(table, 0));
    assert_int_equal(shoal_table_value_count(table, 0), 3);
    shoal_report_free(report);
    shoal_release_free(release);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_verdicts, enter, leave),
        cmocka_unit_test_setup_teardown(test_failing_allocations, enter, leave),
        cmocka_unit_test_setup_teardown(test_memory, enter, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
