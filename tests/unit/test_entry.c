/* How public functions begin: what is missing, and who else is in a call. */
#include <shoal/shoal.h>

#include "failing.h"

#include "base/context.h"
#include "base/entry.h"
#include "base/fail.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static shoal_status find_nothing(shoal_ctx *ctx, void **out, const char *first,
                                 const void *second_one)
{
    SHOAL_ENTER_FOR(ctx, out, first, second_one);

    assert_true(ctx->root || ctx->user != 0);
    return shoal_i_fail(ctx, SHOAL_ENOTFOUND, "Nothing was found.");
}

static void test_the_missing_argument_is_named(void **state)
{
    shoal_ctx *ctx = shoal_ctx_new();
    void *out = ctx;

    (void)state;
    assert_int_equal(find_nothing(ctx, NULL, "a", "b"), SHOAL_EINVAL);
    assert_string_equal(shoal_ctx_error(ctx)->message,
                        "find_nothing: `out` is NULL; something must be there.");
    assert_int_equal(find_nothing(ctx, &out, NULL, "b"), SHOAL_EINVAL);
    assert_null(out);
    assert_string_equal(shoal_ctx_error(ctx)->message,
                        "find_nothing: `first` is NULL; something must be there.");
    assert_int_equal(find_nothing(ctx, &out, "a", NULL), SHOAL_EINVAL);
    assert_string_equal(shoal_ctx_error(ctx)->message,
                        "find_nothing: `second_one` is NULL; something must be there.");
    assert_int_equal(find_nothing(NULL, &out, "a", "b"), SHOAL_EINVAL);
    assert_non_null(strstr(shoal_ctx_error(NULL)->message, "NULL"));

    /* Nobody is left inside, neither after a refusal nor after a failure. */
    assert_int_equal(ctx->user, 0);
    assert_int_equal(find_nothing(ctx, &out, "a", "b"), SHOAL_ENOTFOUND);
    assert_int_equal(ctx->user, 0);
    shoal_ctx_free(ctx);
}

/* --- Every public function, with each thing that it needs missing in turn. ---------------- */

/* Whether the call was refused for the argument of this name. */
static bool is_refused(shoal_ctx *ctx, shoal_status st, const char *name)
{
    char quoted[64];

    snprintf(quoted, sizeof quoted, "`%s` is NULL", name);
    return st == SHOAL_EINVAL && strstr(shoal_ctx_error(ctx)->message, quoted);
}

#define REFUSES(call, name) assert_true(is_refused(ctx, call, name))

static void test_tables_and_hierarchies_refuse_null(void **state)
{
    shoal_ctx *ctx = shoal_ctx_new();
    shoal_table *table = NULL;
    shoal_table *other = NULL;
    shoal_hierarchy *h = NULL;
    shoal_generate_options generate = SHOAL_GENERATE_OPTIONS_INIT;
    const bool keep[] = {true};
    const char *const labels[] = {"*"};
    const uint32_t zero[] = {0};
    const double one[] = {1};
    const size_t starts[] = {0, 1};

    (void)state;
    assert_int_equal(shoal_csv_read_memory(ctx, &table, "a\n1\n", 4, "x", NULL), SHOAL_OK);
    REFUSES(shoal_csv_read(ctx, NULL, "x", NULL), "out");
    REFUSES(shoal_csv_read(ctx, &other, NULL, NULL), "path");
    REFUSES(shoal_csv_read_memory(ctx, NULL, "a", 1, "x", NULL), "out");
    REFUSES(shoal_csv_read_memory(ctx, &other, NULL, 1, "x", NULL), "bytes");
    REFUSES(shoal_csv_read_memory(ctx, &other, "a", 1, NULL, NULL), "source");
    REFUSES(shoal_csv_write(ctx, NULL, "x", ','), "table");
    REFUSES(shoal_csv_write(ctx, table, NULL, ','), "path");
    REFUSES(shoal_csv_write_to(ctx, table, ',', NULL, NULL), "sink");
    REFUSES(shoal_generate(ctx, NULL, &generate), "path");
    REFUSES(shoal_generate(ctx, "x", NULL), "options");
    REFUSES(shoal_table_filter(ctx, &other, NULL, keep), "table");
    REFUSES(shoal_table_filter(ctx, &other, table, NULL), "keep");
    REFUSES(shoal_table_from_arrays(ctx, &other, NULL, 1), "arrays");
    assert_null(other);

    REFUSES(shoal_hierarchy_build_flat(ctx, NULL, table, 0), "out");
    REFUSES(shoal_hierarchy_build_flat(ctx, &h, NULL, 0), "table");
    REFUSES(shoal_hierarchy_build_file(ctx, &h, NULL, 0, "x"), "table");
    REFUSES(shoal_hierarchy_build_file(ctx, &h, table, 0, NULL), "path");
    REFUSES(shoal_hierarchy_build_memory(ctx, &h, table, 0, NULL, 3, "x"), "bytes");
    REFUSES(shoal_hierarchy_build_memory(ctx, &h, table, 0, "1;*", 3, NULL), "source");
    REFUSES(shoal_hierarchy_build_widths(ctx, &h, NULL, 0, 0, one, 1), "table");
    REFUSES(shoal_hierarchy_build_widths(ctx, &h, table, 0, 0, NULL, 1), "widths");
    REFUSES(shoal_hierarchy_build_breaks(ctx, &h, table, 0, NULL, starts, 1), "breaks");
    REFUSES(shoal_hierarchy_build_breaks(ctx, &h, table, 0, one, NULL, 1), "starts");
    REFUSES(shoal_hierarchy_build_prefix(ctx, &h, NULL, 0, 0), "table");
    REFUSES(shoal_hierarchy_build_dates(ctx, &h, NULL, 0), "table");
    REFUSES(shoal_hierarchy_build_parts(ctx, &h, NULL, 0, ".", 0), "table");
    REFUSES(shoal_hierarchy_build_parts(ctx, &h, table, 0, NULL, 0), "separators");
    REFUSES(shoal_hierarchy_write_outline(ctx, NULL, "x"), "h");
    REFUSES(shoal_hierarchy_convert(ctx, NULL, "x"), "from");
    REFUSES(shoal_hierarchy_convert(ctx, "x", NULL), "to");
    REFUSES(shoal_hierarchy_build_codes(ctx, &h, NULL, 0, "icd10", NULL), "table");
    REFUSES(shoal_hierarchy_build_codes(ctx, &h, table, 0, NULL, NULL), "system");
    REFUSES(shoal_hierarchy_build_tree(ctx, &h, NULL, zero, 1, zero, 1), "labels");
    REFUSES(shoal_hierarchy_build_tree(ctx, &h, labels, NULL, 1, zero, 1), "parents");
    REFUSES(shoal_hierarchy_build_tree(ctx, &h, labels, zero, 1, NULL, 1), "node_of_code");
    REFUSES(shoal_hierarchy_build_weighted(ctx, &h, NULL, &(shoal_group_weight){0}, 1),
            "hierarchy");
    REFUSES(shoal_hierarchy_write(ctx, NULL, "x"), "h");
    REFUSES(shoal_hierarchy_print(ctx, NULL, "x", 0), "h");
    assert_null(h);

    /* A column that the table does not have. */
    const shoal_status st[] = {
        shoal_hierarchy_build_flat(ctx, &h, table, 1),
        shoal_hierarchy_build_file(ctx, &h, table, 1, "x"),
        shoal_hierarchy_build_memory(ctx, &h, table, 1, "1;*", 3, "x"),
        shoal_hierarchy_build_widths(ctx, &h, table, SIZE_MAX, 0, one, 1),
        shoal_hierarchy_build_breaks(ctx, &h, table, 1, one, starts, 1),
        shoal_hierarchy_build_prefix(ctx, &h, table, 1, 0),
        shoal_hierarchy_build_dates(ctx, &h, table, 1),
        shoal_hierarchy_build_codes(ctx, &h, table, 1, "icd10", NULL),
    };

    for (size_t i = 0; i < sizeof st / sizeof *st; i++) {
        assert_int_equal(st[i], SHOAL_EINVAL);
    }
    assert_non_null(strstr(shoal_ctx_error(ctx)->message, "no column 1."));
    shoal_table_free(table);
    shoal_ctx_free(ctx);
}

static void test_specs_and_runs_refuse_null(void **state)
{
    shoal_ctx *ctx = shoal_ctx_new();
    shoal_spec *spec = NULL;
    shoal_report *r = NULL;
    shoal_hierarchy *h = NULL;
    shoal_workload workload = SHOAL_WORKLOAD_INIT;

    (void)state;
    REFUSES(shoal_spec_new(ctx, NULL), "out");
    assert_int_equal(shoal_spec_new(ctx, &spec), SHOAL_OK);
    REFUSES(shoal_spec_read(ctx, NULL, "x"), "spec");
    REFUSES(shoal_spec_read(ctx, spec, NULL), "path");
    REFUSES(shoal_spec_read_memory(ctx, spec, NULL, 1, "x"), "bytes");
    REFUSES(shoal_spec_read_memory(ctx, spec, "", 0, NULL), "source");
    REFUSES(shoal_spec_set(ctx, NULL, "privacy.k", "2"), "spec");
    REFUSES(shoal_spec_set(ctx, spec, NULL, "2"), "key");
    REFUSES(shoal_spec_set(ctx, spec, "privacy.k", NULL), "value");
    REFUSES(shoal_spec_set_role(ctx, spec, NULL, SHOAL_ROLE_QUASI), "column");
    REFUSES(shoal_spec_set_type(ctx, spec, "a", NULL), "type");
    REFUSES(shoal_spec_set_weight(ctx, spec, "a", NULL), "weight");
    REFUSES(shoal_spec_set_hierarchy(ctx, spec, "a", NULL), "hierarchy");
    REFUSES(shoal_spec_set_populations(ctx, spec, "a", NULL), "hierarchy");
    REFUSES(shoal_spec_set_column(ctx, spec, NULL, "role", "quasi"), "column");
    REFUSES(shoal_spec_set_column(ctx, spec, "a", NULL, "quasi"), "key");
    REFUSES(shoal_spec_set_column(ctx, spec, "a", "role", NULL), "value");

    REFUSES(shoal_anonymize(ctx, NULL, spec, "x", "y"), "out");
    REFUSES(shoal_anonymize(ctx, &r, NULL, "x", "y"), "spec");
    REFUSES(shoal_anonymize(ctx, &r, spec, NULL, "y"), "input");
    REFUSES(shoal_anonymize(ctx, &r, spec, "x", NULL), "output");
    REFUSES(shoal_refine(ctx, &r, spec, NULL, "y", "z"), "original");
    REFUSES(shoal_refine(ctx, &r, spec, "x", NULL, "z"), "release");
    REFUSES(shoal_refine(ctx, &r, spec, "x", "y", NULL), "output");
    REFUSES(shoal_verify(ctx, &r, NULL, "x"), "spec");
    REFUSES(shoal_verify(ctx, &r, spec, NULL), "release");
    REFUSES(shoal_verify_records(ctx, &r, spec, NULL, "x"), "original");
    REFUSES(shoal_measure(ctx, &r, spec, "x", NULL), "release");
    REFUSES(shoal_risk(ctx, &r, spec, NULL, NULL), "original");
    REFUSES(shoal_frontier(ctx, &r, spec, NULL, NULL, false), "input");
    REFUSES(shoal_query(ctx, &r, spec, NULL, NULL, "COUNT", NULL), "release");
    REFUSES(shoal_query(ctx, &r, spec, "x", NULL, NULL, NULL), "query");
    REFUSES(shoal_query_workload(ctx, &r, NULL, "x", "y", &workload), "spec");
    REFUSES(shoal_query_workload(ctx, &r, spec, "x", "y", NULL), "workload");
    REFUSES(shoal_inspect(ctx, &r, spec, NULL), "input");
    REFUSES(shoal_hierarchy_build_spec(ctx, &h, spec, NULL, "a"), "input");
    REFUSES(shoal_hierarchy_build_spec(ctx, &h, spec, "x", NULL), "column");
    REFUSES(shoal_report_write(ctx, NULL, "x.json"), "report");
    REFUSES(shoal_report_write_external(ctx, NULL, "x.html"), "report");
    REFUSES(shoal_report_check(ctx, NULL), "path");
    REFUSES(shoal_report_check_external(ctx, NULL), "path");
    assert_null(r);
    assert_null(h);
    assert_int_equal(shoal_anonymize(NULL, &r, spec, "x", "y"), SHOAL_EINVAL);
    shoal_spec_free(spec);
    shoal_ctx_free(ctx);
}

/* --- One call inside another. ------------------------------------------------------------- */

static shoal_status call_twice(shoal_ctx *ctx, const char *name)
{
    SHOAL_ENTER(ctx, name);
    void *out = NULL;
    shoal_ctx child;

    assert_int_equal(find_nothing(ctx, &out, name, name), SHOAL_ENOTFOUND);
    assert_true(ctx->user != 0); /* the inner call has not taken the mark off */
    shoal_i_ctx_child(&child, ctx);
    assert_int_equal(find_nothing(&child, &out, name, name), SHOAL_ENOTFOUND);
    assert_int_equal(child.user, 0);
    assert_true(ctx->user != 0);
    return SHOAL_OK;
}

static void test_calls_inside_calls(void **state)
{
    shoal_ctx *ctx = shoal_ctx_new();

    (void)state;
    assert_int_equal(call_twice(ctx, "x"), SHOAL_OK);
    assert_int_equal(ctx->user, 0);
    shoal_ctx_free(ctx);
}

/* --- Settings. ---------------------------------------------------------------------------- */

static bool set_from_callback(void *payload, const char *stage, double fraction)
{
    shoal_ctx *ctx = payload;

    (void)stage;
    (void)fraction;
    assert_int_equal(shoal_ctx_set_seed(ctx, 99), SHOAL_EBUSY);
    assert_int_equal(shoal_ctx_set_threads(ctx, 9), SHOAL_EBUSY);
    assert_int_equal(shoal_ctx_set_show_values(ctx, true), SHOAL_EBUSY);
    assert_int_equal(shoal_ctx_set_progress(ctx, NULL, NULL), SHOAL_EBUSY);
    assert_int_equal(shoal_ctx_set_log(ctx, NULL, ctx), SHOAL_EBUSY);
    assert_int_equal(shoal_ctx_set_cancel(ctx, (const int *)payload), SHOAL_EBUSY);
    assert_int_equal(shoal_ctx_stop_threads(ctx), SHOAL_EBUSY);
    assert_non_null(strstr(shoal_ctx_error(ctx)->message, "between its calls"));
    return true;
}

static void test_settings_stay_during_a_call(void **state)
{
    shoal_ctx *ctx = shoal_ctx_new();
    shoal_table *table = NULL;

    (void)state;
    shoal_ctx_set_seed(ctx, 5);
    shoal_ctx_set_threads(ctx, 2);
    shoal_ctx_set_progress(ctx, set_from_callback, ctx);
    assert_int_equal(shoal_csv_read_memory(ctx, &table, "a\n1\n", 4, "text", NULL), SHOAL_OK);
    assert_int_equal(shoal_ctx_seed(ctx), 5);
    assert_int_equal(shoal_ctx_threads(ctx), 2);
    assert_false(shoal_ctx_shows_values(ctx));
    assert_null(ctx->cancel);
    assert_null(ctx->log_payload);
    shoal_table_free(table);
    shoal_ctx_free(ctx);
}

static void test_settings(void **state)
{
    shoal_ctx *ctx = shoal_ctx_new();
    int stop = 1;

    (void)state;
    assert_int_equal(shoal_ctx_seed(ctx), 1);
    assert_int_equal(shoal_ctx_threads(ctx), 0);
    assert_false(shoal_ctx_shows_values(ctx));
    assert_int_equal(shoal_ctx_error(ctx)->status, SHOAL_OK);
    assert_int_equal(shoal_ctx_set_seed(ctx, UINT64_MAX), SHOAL_OK);
    assert_true(shoal_ctx_seed(ctx) == UINT64_MAX);
    assert_int_equal(shoal_ctx_set_threads(ctx, 7), SHOAL_OK);
    assert_int_equal(shoal_ctx_set_threads(ctx, -1), SHOAL_EINVAL);
    assert_non_null(strstr(shoal_ctx_error(ctx)->message, "-1"));
    assert_int_equal(shoal_ctx_threads(ctx), 7);
    assert_int_equal(shoal_ctx_thread_count(ctx), 7);
    assert_int_equal(shoal_ctx_set_show_values(ctx, true), SHOAL_OK);
    assert_true(shoal_ctx_shows_values(ctx));
    assert_int_equal(shoal_ctx_set_cancel(ctx, &stop), SHOAL_OK);

    shoal_table *table = NULL;

    assert_int_equal(shoal_csv_read_memory(ctx, &table, "a\n1\n", 4, "text", NULL),
                     SHOAL_ECANCELLED);
    assert_null(table);
    assert_int_equal(shoal_ctx_set_cancel(ctx, NULL), SHOAL_OK);
    assert_int_equal(shoal_csv_read_memory(ctx, &table, "a\n1\n", 4, "text", NULL), SHOAL_OK);
    shoal_table_free(table);
    assert_int_equal(shoal_ctx_stop_threads(ctx), SHOAL_OK);
    assert_null(ctx->pool);

    assert_int_equal(shoal_ctx_set_seed(NULL, 1), SHOAL_EINVAL);
    assert_int_equal(shoal_ctx_stop_threads(NULL), SHOAL_EINVAL);
    shoal_ctx_free(ctx);
    shoal_ctx_free(NULL);
}

/* --- Two threads. ------------------------------------------------------------------------- */

typedef struct intruder {
    shoal_ctx *ctx;
    const shoal_table *table;
    const shoal_spec *spec;
    bool has_tried;
} intruder;

/* Every kind of public function, from a thread that must not call them now. */
static void *intrude(void *payload)
{
    intruder *in = payload;
    shoal_table *table = (shoal_table *)in->table;
    shoal_hierarchy *hierarchy = NULL;

    assert_int_equal(shoal_csv_read_memory(in->ctx, &table, "a\n1\n", 4, "text", NULL),
                     SHOAL_EBUSY);
    assert_null(table);
    assert_int_equal(shoal_ctx_error(in->ctx)->status, SHOAL_EBUSY);
    assert_non_null(strstr(shoal_ctx_error(in->ctx)->message, "used by another thread"));
    assert_int_equal(shoal_hierarchy_build_flat(in->ctx, &hierarchy, in->table, 0),
                     SHOAL_EBUSY);
    assert_int_equal(shoal_csv_write(in->ctx, in->table, "/nowhere/at/all", ','), SHOAL_EBUSY);
    /* Even with nothing there: the record of the running call is not touched. */
    assert_int_equal(shoal_csv_read(in->ctx, NULL, NULL, NULL), SHOAL_EBUSY);
    assert_int_equal(shoal_ctx_set_seed(in->ctx, 77), SHOAL_EBUSY);
    assert_int_equal(shoal_ctx_set_threads(in->ctx, -1), SHOAL_EBUSY);
    assert_int_equal(shoal_ctx_stop_threads(in->ctx), SHOAL_EBUSY);
    return NULL;
}

static bool let_intrude(void *payload, const char *stage, double fraction)
{
    intruder *in = payload;
    pthread_t thread;

    (void)stage;
    (void)fraction;
    if (!in->has_tried) {
        in->has_tried = true;
        assert_int_equal(pthread_create(&thread, NULL, intrude, in), 0);
        pthread_join(thread, NULL);
    }
    return true;
}

static void test_a_context_used_by_two_threads(void **state)
{
    intruder in = {.ctx = shoal_ctx_new()};
    shoal_table *table = NULL;
    shoal_table *other = NULL;

    (void)state;
    shoal_ctx_set_threads(in.ctx, 3);
    assert_int_equal(shoal_csv_read_memory(in.ctx, &table, "a\nx\n", 4, "text", NULL),
                     SHOAL_OK);
    in.table = table;
    shoal_ctx_set_progress(in.ctx, let_intrude, &in);
    assert_int_equal(shoal_csv_read_memory(in.ctx, &other, "a\n1\n2\n", 6, "text", NULL),
                     SHOAL_OK);
    assert_true(in.has_tried);
    assert_int_equal(shoal_table_row_count(other), 2);
    assert_int_equal(shoal_ctx_seed(in.ctx), 1);

    /* The failure that the running call tells is its own. */
    in.has_tried = false;
    shoal_table_free(other);
    assert_int_equal(shoal_csv_read_memory(in.ctx, &other, "a,b\n1\n", 6, "text", NULL),
                     SHOAL_EFORMAT);
    assert_true(in.has_tried);
    assert_int_equal(shoal_ctx_error(in.ctx)->status, SHOAL_EFORMAT);
    shoal_table_free(table);
    shoal_ctx_free(in.ctx);
}

/* Two threads that call whenever they like: each call works or is refused. */
#define ROUNDS 2000

static void *read_often(void *payload)
{
    shoal_ctx *ctx = payload;
    size_t done = 0;

    for (int i = 0; i < ROUNDS; i++) {
        shoal_table *table = NULL;
        shoal_status st = shoal_csv_read_memory(ctx, &table, "a\n1\n", 4, "text", NULL);

        assert_true(st == SHOAL_OK ? table != NULL : st == SHOAL_EBUSY && !table);
        done += st == SHOAL_OK;
        shoal_table_free(table);
    }
    assert_true(done <= ROUNDS);
    return NULL;
}

static void test_threads_that_meet_by_chance(void **state)
{
    shoal_ctx *ctx = shoal_ctx_new();
    pthread_t threads[3];
    shoal_table *table = NULL;

    (void)state;
    shoal_ctx_set_threads(ctx, 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, read_often, ctx), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_int_equal(shoal_csv_read_memory(ctx, &table, "a\n1\n", 4, "text", NULL), SHOAL_OK);
    shoal_table_free(table);
    shoal_ctx_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_missing_argument_is_named),
        cmocka_unit_test(test_tables_and_hierarchies_refuse_null),
        cmocka_unit_test(test_specs_and_runs_refuse_null),
        cmocka_unit_test(test_calls_inside_calls),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_settings_stay_during_a_call),
        cmocka_unit_test(test_a_context_used_by_two_threads),
        cmocka_unit_test(test_threads_that_meet_by_chance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
