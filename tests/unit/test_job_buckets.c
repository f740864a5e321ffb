/* Runs whose release is two files: both or neither, whatever fails. */
#include "failing.h"
#include "files.h"

#include <shoal/job.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct room {
    shoal_ctx ctx;
    shoal_spec *spec;
    char folder[64];
} room;

static const char table[] = "age,sex,ill,job\n30,F,flu,cook\n31,M,gout,cook\n32,F,,baker\n"
                            "33,M,flu,nurse\n34,F,gout,cook\n35,M,flu,nurse\n36,F,gout,baker\n";

static void set(room *r, const char *key, const char *value)
{
    assert_int_equal(shoal_spec_set(&r->ctx, r->spec, key, value), SHOAL_OK);
}

static int enter(void **state)
{
    room *r = calloc(1, sizeof *r);

    assert_non_null(r);
    shoal_i_ctx_init(&r->ctx);
    r->ctx.threads = 1;
    make_folder(r->folder);
    assert_int_equal(chdir(r->folder), 0);
    write_file("in.csv", table);
    assert_int_equal(shoal_spec_new(&r->ctx, &r->spec), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&r->ctx, r->spec, "age", SHOAL_ROLE_QUASI), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&r->ctx, r->spec, "ill", SHOAL_ROLE_SENSITIVE),
                     SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&r->ctx, r->spec, "job", SHOAL_ROLE_SENSITIVE),
                     SHOAL_OK);
    set(r, "privacy.l", "distinct:2");
    set(r, "method", "anatomy");
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

static shoal_status anonymize(shoal_ctx *ctx, void *payload)
{
    room *r = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_anonymize(ctx, &report, r->spec, "in.csv", "out.csv");

    shoal_report_free(report);
    if (st != SHOAL_OK) {
        assert_int_equal(count_files("."), 1);
    }
    return st;
}

static shoal_status verify(shoal_ctx *ctx, void *payload)
{
    room *r = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_verify(ctx, &report, r->spec, "out.csv");

    assert_true(st != SHOAL_OK || shoal_report_holds(report));
    shoal_report_free(report);
    return st;
}

static shoal_status measure(shoal_ctx *ctx, void *payload)
{
    room *r = payload;
    shoal_report *report = NULL;
    shoal_status st = shoal_measure(ctx, &report, r->spec, "in.csv", "out.csv");

    assert_true(st != SHOAL_OK || shoal_report_figure(report, "gcp") == 0);
    shoal_report_free(report);
    return st;
}

static void test_failing_allocations(void **state)
{
    room *r = *state;

    assert_survives_failing_allocations(&r->ctx, anonymize, r);
    assert_int_equal(count_files("."), 3);
    assert_survives_failing_allocations(&r->ctx, verify, r);
    assert_survives_failing_allocations(&r->ctx, measure, r);
}

static void test_cancelled(void **state)
{
    room *r = *state;
    int stop = 1;

    r->ctx.cancel = &stop;
    assert_int_equal(anonymize(&r->ctx, r), SHOAL_ECANCELLED);
    r->ctx.cancel = NULL;
    assert_int_equal(anonymize(&r->ctx, r), SHOAL_OK);
    assert_int_equal(count_files("."), 3);
}

/* A folder in the place of the table: nothing is written at all. */
static void test_folder_in_its_place(void **state)
{
    room *r = *state;

    set(r, "output.sensitive_table", "table.csv");
    assert_int_equal(anonymize(&r->ctx, r), SHOAL_OK);
    assert_int_equal(remove("out.csv"), 0);
    assert_int_equal(remove("table.csv"), 0);
    assert_int_equal(mkdir("table.csv", 0700), 0);
    shoal_report *report = NULL;

    assert_int_equal(shoal_anonymize(&r->ctx, &report, r->spec, "in.csv", "out.csv"),
                     SHOAL_EIO);
    assert_null(report);
    assert_int_equal(count_files("."), 2); /* the input and the folder */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_failing_allocations, enter, leave),
        cmocka_unit_test_setup_teardown(test_cancelled, enter, leave),
        cmocka_unit_test_setup_teardown(test_folder_in_its_place, enter, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
