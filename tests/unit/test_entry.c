/* How public functions begin: what is missing, and who else is in a call. */
#include <shoal/shoal.h>

#include "failing.h"

#include "base/context.h"
#include "base/entry.h"
#include "base/fail.h"

#include <pthread.h>
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
        cmocka_unit_test(test_calls_inside_calls),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_settings_stay_during_a_call),
        cmocka_unit_test(test_a_context_used_by_two_threads),
        cmocka_unit_test(test_threads_that_meet_by_chance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
