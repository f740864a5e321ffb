/* Contexts after a fork: the child has the memory of its parent, but not its threads. */
#include <shoal/csv.h>

#include "failing.h"

#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that hangs is ended by its alarm, and that is seen. */
#define CHILD_SECONDS 60

#define THREADS 3

typedef int (*child_fn)(void *payload);

static void expect_child_succeeds(child_fn run, void *payload)
{
    int status = 0;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        alarm(CHILD_SECONDS);
        _exit(run(payload));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static shoal_status add_index(shoal_ctx *ctx, void *payload, size_t index)
{
    (void)ctx;
    __atomic_fetch_add((size_t *)payload, index, __ATOMIC_RELAXED);
    return SHOAL_OK;
}

static bool sums_up(shoal_ctx *ctx)
{
    size_t sum = 0;

    return shoal_i_parallel_for(ctx, 1000, add_index, &sum) == SHOAL_OK && sum == 499500;
}

/* Wait for the others. */
static shoal_status meet(shoal_ctx *ctx, void *payload, size_t index)
{
    (void)ctx;
    (void)index;
    __atomic_fetch_add((int *)payload, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n((int *)payload, __ATOMIC_SEQ_CST) < THREADS) {
        sched_yield();
    }
    return SHOAL_OK;
}

/* All threads have begun. One that is just beginning allocates memory, and a fork meanwhile
 * would leave the sanitizer's allocator locked in the child; that of the C library knows of
 * forks. */
static bool have_all_met(shoal_ctx *ctx)
{
    int met = 0;

    return shoal_i_parallel_for(ctx, THREADS, meet, &met) == SHOAL_OK && met == THREADS;
}

static shoal_ctx *open_with_threads(void)
{
    shoal_ctx *ctx = shoal_ctx_new();

    assert_int_equal(shoal_ctx_set_threads(ctx, THREADS), SHOAL_OK);
    assert_true(sums_up(ctx));
    assert_true(have_all_met(ctx));
    assert_non_null(ctx->pool);
    return ctx;
}

static int go_on(void *payload)
{
    shoal_ctx *ctx = payload;
    shoal_table *table = NULL;
    static const char text[] = "a,b\n1,x\n2,y\n";

    if (!sums_up(ctx) || !sums_up(ctx)) {
        return 1;
    }
    if (shoal_csv_read_memory(ctx, &table, text, sizeof text - 1, "text", NULL) != SHOAL_OK) {
        return 2;
    }
    shoal_table_free(table);
    if (shoal_ctx_set_threads(ctx, 2) != SHOAL_OK || !sums_up(ctx)) {
        return 3;
    }
    shoal_ctx_free(ctx);
    return 0;
}

static void test_the_child_goes_on(void **state)
{
    shoal_ctx *ctx = open_with_threads();

    (void)state;
    for (int i = 0; i < 20; i++) {
        expect_child_succeeds(go_on, ctx);
        assert_true(sums_up(ctx)); /* the parent does, too */
        assert_true(have_all_met(ctx));
    }
    shoal_ctx_free(ctx);
}

static int free_at_once(void *payload)
{
    shoal_ctx_free(payload);
    return 0;
}

static int stop_threads(void *payload)
{
    shoal_ctx *ctx = payload;

    if (shoal_ctx_stop_threads(ctx) != SHOAL_OK || ctx->pool || !sums_up(ctx)) {
        return 1;
    }
    shoal_ctx_free(ctx);
    return 0;
}

static int change_threads(void *payload)
{
    shoal_ctx *ctx = payload;

    if (shoal_ctx_set_threads(ctx, 1) != SHOAL_OK || !sums_up(ctx) || ctx->pool) {
        return 1;
    }
    shoal_ctx_free(ctx);
    return 0;
}

/* A child of a child has no threads of either. */
static int fork_again(void *payload)
{
    int status = 0;
    pid_t child = sums_up(payload) && have_all_met(payload) ? fork() : -1;

    if (child == 0) {
        alarm(CHILD_SECONDS);
        _exit(go_on(payload));
    }
    shoal_ctx_free(payload);
    return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}

static void test_the_child_ends_and_sets_what_is_not_its_own(void **state)
{
    static const child_fn runs[] = {free_at_once, stop_threads, change_threads, fork_again};
    shoal_ctx *ctx = open_with_threads();

    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        expect_child_succeeds(runs[i], ctx);
        assert_true(sums_up(ctx));
        assert_true(have_all_met(ctx));
    }
    shoal_ctx_free(ctx);
}

/* --- A fork while another thread is in a call. -------------------------------------------- */

typedef struct call {
    shoal_ctx *ctx;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_inside;
    bool may_end;
    shoal_status status;
} call;

static bool wait_inside(void *payload, const char *stage, double fraction)
{
    call *c = payload;

    (void)stage;
    (void)fraction;
    pthread_mutex_lock(&c->lock);
    c->is_inside = true;
    pthread_cond_broadcast(&c->changed);
    while (!c->may_end) {
        pthread_cond_wait(&c->changed, &c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    return true;
}

static void *read_table(void *payload)
{
    static const char text[] = "a,b\n1,x\n2,y\n";
    call *c = payload;
    shoal_table *table = NULL;

    c->status = shoal_csv_read_memory(c->ctx, &table, text, sizeof text - 1, "text", NULL);
    shoal_table_free(table);
    return NULL;
}

static int meet_a_busy_context(void *payload)
{
    shoal_ctx *ctx = payload;
    shoal_table *table = NULL;

    if (shoal_csv_read_memory(ctx, &table, "a\n1\n", 4, "text", NULL) != SHOAL_EBUSY || table) {
        return 1;
    }
    if (!strstr(shoal_ctx_error(ctx)->message, "used by another thread")) {
        return 2;
    }
    shoal_ctx_free(ctx);
    return 0;
}

static void test_a_fork_during_a_call_of_another_thread(void **state)
{
    call c = {.ctx = open_with_threads(),
              .lock = PTHREAD_MUTEX_INITIALIZER,
              .changed = PTHREAD_COND_INITIALIZER};
    pthread_t thread;

    (void)state;
    assert_int_equal(shoal_ctx_set_progress(c.ctx, wait_inside, &c), SHOAL_OK);
    assert_int_equal(pthread_create(&thread, NULL, read_table, &c), 0);
    pthread_mutex_lock(&c.lock);
    while (!c.is_inside) {
        pthread_cond_wait(&c.changed, &c.lock);
    }
    pthread_mutex_unlock(&c.lock);
    expect_child_succeeds(meet_a_busy_context, c.ctx);

    pthread_mutex_lock(&c.lock);
    c.may_end = true;
    pthread_cond_broadcast(&c.changed);
    pthread_mutex_unlock(&c.lock);
    pthread_join(thread, NULL);
    assert_int_equal(c.status, SHOAL_OK);
    shoal_ctx_free(c.ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_child_goes_on),
        cmocka_unit_test(test_the_child_ends_and_sets_what_is_not_its_own),
        cmocka_unit_test(test_a_fork_during_a_call_of_another_thread),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
