#include "failing.h"

#include "base/fail.h"
#include "base/pool.h"
#include "base/random.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

static const int thread_counts[] = {1, 2, 5};
#define EACH_THREAD_COUNT(t)                                                                   \
    (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; t++)

static void start(shoal_ctx *ctx, int threads)
{
    shoal_i_ctx_init(ctx);
    ctx->threads = threads;
}

/* --- for ---------------------------------------------------------------------------------- */

#define COUNT 10000

typedef struct squares {
    uint64_t values[COUNT];
    int calls[COUNT];
    size_t fail_from; /* indices from here on fail */
    int started;      /* atomic */
} squares;

static shoal_status square(shoal_ctx *ctx, void *payload, size_t index)
{
    squares *s = payload;

    assert_true((int)ctx->worker < shoal_ctx_thread_count(ctx));
    __atomic_add_fetch(&s->started, 1, __ATOMIC_RELAXED);
    if (index >= s->fail_from) {
        return shoal_i_fail_at(ctx, SHOAL_EFORMAT, (int64_t)index, 3, "Index %zu failed.",
                               index);
    }
    s->values[index] = (uint64_t)index * index;
    s->calls[index]++;
    return SHOAL_OK;
}

static void test_for_runs_each_index_once(void **state)
{
    squares *s = *state;

    for
        EACH_THREAD_COUNT(t)
        {
            shoal_ctx ctx;

            start(&ctx, thread_counts[t]);
            memset(s, 0, sizeof *s);
            s->fail_from = SIZE_MAX;
            assert_int_equal(shoal_i_parallel_for(&ctx, COUNT, square, s), SHOAL_OK);
            for (size_t i = 0; i < COUNT; i++) {
                assert_int_equal(s->calls[i], 1);
                assert_int_equal(s->values[i], (uint64_t)i * i);
            }
            shoal_i_ctx_clear(&ctx);
        }
}

typedef struct visits {
    size_t count;
    size_t order[8];
} visits;

static shoal_status note_visit(shoal_ctx *ctx, void *payload, size_t index)
{
    visits *v = payload;

    (void)ctx;
    v->order[v->count++] = index;
    return SHOAL_OK;
}

static void test_by_weight(void **state)
{
    static const size_t weights[] = {3, 0, 9, 3, SIZE_MAX};
    static const size_t wanted[] = {4, 2, 0, 3, 1}; /* of equal ones the first */
    squares *s = *state;
    size_t *many = calloc(COUNT, sizeof *many);

    assert_non_null(many);
    for
        EACH_THREAD_COUNT(t)
        {
            shoal_ctx ctx;
            visits v = {0};

            start(&ctx, thread_counts[t]);
            memset(s, 0, sizeof *s);
            s->fail_from = SIZE_MAX;
            for (size_t i = 0; i < COUNT; i++) {
                many[i] = i * 7 % 11;
            }
            assert_int_equal(shoal_i_parallel_by_weight(&ctx, COUNT, many, square, s),
                             SHOAL_OK);
            for (size_t i = 0; i < COUNT; i++) {
                assert_int_equal(s->calls[i], 1);
            }
            if (thread_counts[t] == 1) {
                assert_int_equal(shoal_i_parallel_by_weight(&ctx, 5, weights, note_visit, &v),
                                 SHOAL_OK);
                assert_memory_equal(v.order, wanted, sizeof wanted);
            }
            assert_int_equal(shoal_i_parallel_by_weight(&ctx, 0, many, square, s), SHOAL_OK);
            shoal_i_ctx_clear(&ctx);
        }
    free(many);
}

static void test_for_of_none_and_one(void **state)
{
    squares *s = *state;
    shoal_ctx ctx;

    start(&ctx, 2);
    memset(s, 0, sizeof *s);
    s->fail_from = SIZE_MAX;
    assert_int_equal(shoal_i_parallel_for(&ctx, 0, square, s), SHOAL_OK);
    assert_int_equal(s->started, 0);
    assert_int_equal(shoal_i_parallel_for(&ctx, 1, square, s), SHOAL_OK);
    assert_int_equal(s->started, 1);
    assert_null(ctx.pool); /* nothing to share: no threads started */
    shoal_i_ctx_clear(&ctx);
}

static void test_for_reports_the_lowest_failure(void **state)
{
    squares *s = *state;

    for
        EACH_THREAD_COUNT(t)
        {
            for (size_t first = 0; first < COUNT; first = first * 3 + 1) {
                shoal_ctx ctx;

                start(&ctx, thread_counts[t]);
                memset(s, 0, sizeof *s);
                s->fail_from = first;
                assert_int_equal(shoal_i_parallel_for(&ctx, COUNT, square, s), SHOAL_EFORMAT);
                assert_int_equal(ctx.error.status, SHOAL_EFORMAT);
                assert_int_equal(ctx.error.record, first);
                assert_int_equal(ctx.error.field, 3);
                for (size_t i = 0; i < first; i++) {
                    assert_int_equal(s->calls[i], 1); /* all before it were done */
                }
                assert_in_range(s->started, first + 1, first + (size_t)thread_counts[t]);
                shoal_i_ctx_clear(&ctx);
            }
        }
}

/* Two indices that fail, the higher one first. The caller has index 0 and holds it back until
 * the one worker is free again, which it is when the failure of its index has been noted. */
typedef struct late_failure {
    int is_worker_failing; /* atomic */
    int met;               /* atomic; bodies of the inner for that have started */
    bool is_conclusive;
} late_failure;

static void wait_for(const int *number, int value)
{
    while (__atomic_load_n(number, __ATOMIC_ACQUIRE) < value) {
        sched_yield();
    }
}

/* Two that wait for each other: they need two threads. */
static shoal_status meet(shoal_ctx *ctx, void *payload, size_t index)
{
    late_failure *f = payload;

    (void)ctx;
    (void)index;
    __atomic_add_fetch(&f->met, 1, __ATOMIC_ACQ_REL);
    wait_for(&f->met, 2);
    return SHOAL_OK;
}

static shoal_status fail_late(shoal_ctx *ctx, void *payload, size_t index)
{
    late_failure *f = payload;

    if (index == 0) {
        wait_for(&f->is_worker_failing, 1);
        if (ctx->worker == 0) { /* else the caller may not have come to note its failure */
            shoal_i_parallel_for(ctx, 2, meet, f);
            f->is_conclusive = true;
        }
    } else {
        __atomic_store_n(&f->is_worker_failing, 1, __ATOMIC_RELEASE);
    }
    return shoal_i_fail_at(ctx, SHOAL_EFORMAT, (int64_t)index, 3, "Index %zu failed.", index);
}

static void test_for_reports_the_lowest_failure_not_the_first(void **state)
{
    shoal_ctx ctx;
    int conclusive = 0;

    (void)state;
    start(&ctx, 2);
    for (int attempt = 0; attempt < 10000 && conclusive < 3; attempt++) {
        late_failure f = {0};

        assert_int_equal(shoal_i_parallel_for(&ctx, 2, fail_late, &f), SHOAL_EFORMAT);
        assert_int_equal(ctx.error.record, 0);
        assert_string_equal(ctx.error.message, "Index 0 failed.");
        conclusive += f.is_conclusive;
    }
    assert_int_equal(conclusive, 3);
    shoal_i_ctx_clear(&ctx);
}

static void test_thread_count_may_change_between_calls(void **state)
{
    squares *s = *state;
    shoal_ctx ctx;

    start(&ctx, 1);
    for (int round = 0; round < 6; round++) {
        ctx.threads = 1 + round % 3;
        memset(s, 0, sizeof *s);
        s->fail_from = SIZE_MAX;
        assert_int_equal(shoal_i_parallel_for(&ctx, COUNT, square, s), SHOAL_OK);
        assert_int_equal(s->started, COUNT);
    }
    shoal_i_ctx_clear(&ctx);
    assert_null(ctx.pool);
    assert_int_equal(shoal_i_parallel_for(&ctx, COUNT, square, s), SHOAL_OK); /* starts again */
    shoal_i_ctx_clear(&ctx);
}

/* --- tasks -------------------------------------------------------------------------------- */

#define LEAVES 4096

/* Sorts of recursion as methods do it: a range splits at a place that its own random stream
 * names; leaves note the key they arrived with. */
typedef struct tree {
    uint64_t keys[LEAVES];
    int calls[LEAVES];
    size_t fail_at;
    int live; /* atomic; payloads not yet released */
    bool use_for;
} tree;

typedef struct range {
    tree *tree;
    size_t first;
    size_t count;
    uint64_t key;
} range;

static range *new_range(tree *t, size_t first, size_t count, uint64_t key)
{
    range *r = malloc(sizeof *r);

    assert_non_null(r);
    *r = (range){t, first, count, key};
    __atomic_add_fetch(&t->live, 1, __ATOMIC_RELAXED);
    return r;
}

static shoal_status note_leaf(shoal_ctx *ctx, void *payload, size_t index)
{
    range *r = payload;
    tree *t = r->tree;

    (void)ctx;
    t->keys[r->first + index] = shoal_i_random_key(r->key, index);
    t->calls[r->first + index]++;
    return SHOAL_OK;
}

static shoal_status finish_range(shoal_ctx *ctx, range *r)
{
    tree *t = r->tree;

    if (t->fail_at >= r->first && t->fail_at - r->first < r->count) {
        return shoal_i_fail_at(ctx, SHOAL_ELIMIT, (int64_t)t->fail_at, -1, "A leaf failed.");
    }
    if (t->use_for) {
        return shoal_i_parallel_for(ctx, r->count, note_leaf, r);
    }
    for (size_t i = 0; i < r->count; i++) {
        note_leaf(ctx, r, i);
    }
    return SHOAL_OK;
}

static shoal_status split(shoal_ctx *ctx, shoal_i_tasks *tasks, void *payload)
{
    shoal_status st = SHOAL_OK;
    range *r = payload;
    tree *t = r->tree;

    assert_true((int)ctx->worker < shoal_ctx_thread_count(ctx));
    if (shoal_i_tasks_failed(tasks)) {
        goto done;
    }
    if (r->count < 40) {
        SHOAL_TRY(finish_range(ctx, r));
        goto done;
    }
    shoal_i_random random = shoal_i_random_start(r->key);
    size_t left = 1 + (size_t)shoal_i_random_below(&random, r->count - 1);

    SHOAL_TRY(shoal_i_tasks_spawn(ctx, tasks, split,
                                  new_range(t, r->first, left, shoal_i_random_key(r->key, 0))));
    SHOAL_TRY(shoal_i_tasks_spawn(
        ctx, tasks, split,
        new_range(t, r->first + left, r->count - left, shoal_i_random_key(r->key, 1))));
done:
    __atomic_sub_fetch(&t->live, 1, __ATOMIC_RELAXED);
    free(r);
    return st;
}

static shoal_status grow(tree *t, int threads, size_t fail_at, bool use_for, shoal_error *error)
{
    shoal_ctx ctx;

    start(&ctx, threads);
    memset(t, 0, sizeof *t);
    t->fail_at = fail_at;
    t->use_for = use_for;
    shoal_status st = shoal_i_tasks_run(&ctx, split, new_range(t, 0, LEAVES, 42));

    assert_int_equal(t->live, 0);
    *error = ctx.error;
    shoal_i_ctx_clear(&ctx);
    return st;
}

static void test_tasks_give_the_same_on_any_thread_count(void **state)
{
    static tree expected;
    static tree actual;
    shoal_error error;

    (void)state;
    assert_int_equal(grow(&expected, 1, SIZE_MAX, false, &error), SHOAL_OK);
    for
        EACH_THREAD_COUNT(t)
        {
            for (int use_for = 0; use_for < 2; use_for++) {
                assert_int_equal(grow(&actual, thread_counts[t], SIZE_MAX, use_for, &error),
                                 SHOAL_OK);
                assert_memory_equal(actual.keys, expected.keys, sizeof expected.keys);
                for (size_t i = 0; i < LEAVES; i++) {
                    assert_int_equal(actual.calls[i], 1);
                }
            }
        }
}

static void test_failing_task_releases_all_payloads(void **state)
{
    static tree t;

    (void)state;
    for
        EACH_THREAD_COUNT(i)
        {
            for (size_t at = 0; at < LEAVES; at += 511) {
                shoal_error error;

                assert_int_equal(grow(&t, thread_counts[i], at, true, &error), SHOAL_ELIMIT);
                assert_int_equal(error.status, SHOAL_ELIMIT);
                assert_int_equal(error.record, at);
                assert_string_equal(error.message, "A leaf failed.");
            }
        }
}

/* A set of tasks started inside a body of a for. */
static shoal_status run_tree(shoal_ctx *ctx, void *payload, size_t index)
{
    tree *trees = payload;

    return shoal_i_tasks_run(ctx, split,
                             new_range(&trees[index], 0, LEAVES, 7 + (uint64_t)index));
}

static void test_tasks_inside_a_for(void **state)
{
    static tree trees[4];

    (void)state;
    for
        EACH_THREAD_COUNT(t)
        {
            shoal_ctx ctx;

            start(&ctx, thread_counts[t]);
            memset(trees, 0, sizeof trees);
            for (int i = 0; i < 4; i++) {
                trees[i].fail_at = SIZE_MAX;
                trees[i].use_for = true;
            }
            assert_int_equal(shoal_i_parallel_for(&ctx, 4, run_tree, trees), SHOAL_OK);
            for (int i = 0; i < 4; i++) {
                for (size_t leaf = 0; leaf < LEAVES; leaf++) {
                    assert_int_equal(trees[i].calls[leaf], 1);
                }
            }
            shoal_i_ctx_clear(&ctx);
        }
}

/* --- children with settings of their own ------------------------------------------------- */

typedef struct spoken {
    int parent; /* messages; atomic */
    int child;
} spoken;

static void hear_parent(void *payload, shoal_log_level level, const char *message,
                        const shoal_error *where)
{
    (void)level;
    (void)message;
    (void)where;
    __atomic_fetch_add(&((spoken *)payload)->parent, 1, __ATOMIC_RELAXED);
}

static void hear_child(void *payload, shoal_log_level level, const char *message,
                       const shoal_error *where)
{
    (void)level;
    (void)message;
    (void)where;
    __atomic_fetch_add(&((spoken *)payload)->child, 1, __ATOMIC_RELAXED);
}

static shoal_status speak_with_own_settings(shoal_ctx *ctx, void *payload, size_t index)
{
    (void)payload;
    assert_int_equal(ctx->seed, 42);
    assert_false(ctx->show_values);
    assert_int_equal(shoal_ctx_thread_count(ctx), 3);
    assert_true(ctx->worker < 3);
    shoal_i_log(ctx, SHOAL_LOG_INFO, "%zu", index);

    /* Inside parallel work the number of threads is that of the pool. */
    shoal_ctx inner;

    shoal_i_ctx_child(&inner, ctx);
    shoal_i_ctx_child_threads(&inner, 1);
    assert_int_equal(shoal_ctx_thread_count(&inner), 3);
    return index == 7 ? shoal_i_fail(ctx, SHOAL_EFORMAT, "Seven.") : SHOAL_OK;
}

static void test_a_child_has_its_own_settings_and_the_rest_of_its_parent(void **state)
{
    shoal_ctx ctx;
    shoal_ctx child;
    spoken heard = {0};

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 2;
    ctx.seed = 5;
    ctx.show_values = true;
    ctx.log = hear_parent;
    ctx.log_payload = &heard;
    shoal_i_ctx_child(&child, &ctx);
    assert_int_equal(child.seed, 5);
    assert_true(child.show_values);
    child.seed = 42;
    child.show_values = false;
    child.log = hear_child;
    shoal_i_ctx_child_threads(&child, 3);

    shoal_status st = shoal_i_parallel_for(&child, 8, speak_with_own_settings, NULL);

    assert_int_equal(shoal_i_ctx_join(&ctx, &child, st), SHOAL_EFORMAT);
    assert_string_equal(ctx.error.message, "Seven.");
    assert_int_equal(heard.parent, 0);
    assert_int_equal(heard.child, 8);
    assert_int_equal(ctx.seed, 5);
    assert_int_equal(ctx.threads, 2);
    assert_non_null(ctx.pool);
    assert_null(child.pool);

    /* Budget and cancellation are the parent's. */
    int stop = 1;

    ctx.alloc_budget = 0;
    assert_null(shoal_i_alloc(&child, 1, 1));
    ctx.cancel = &stop;
    assert_int_equal(shoal_i_check_cancelled(&child), SHOAL_ECANCELLED);
    assert_int_equal(shoal_i_ctx_join(&ctx, &child, SHOAL_OK), SHOAL_OK);
    assert_int_equal(ctx.error.status, SHOAL_EFORMAT);
    shoal_i_ctx_clear(&ctx);
}

static shoal_status expect_one_worker(shoal_ctx *ctx, void *payload, size_t index)
{
    (void)payload;
    (void)index;
    assert_int_equal(ctx->worker, 0);
    return SHOAL_OK;
}

static shoal_status spread_nothing(shoal_ctx *ctx, void *payload, size_t index)
{
    (void)ctx;
    (void)payload;
    (void)index;
    return SHOAL_OK;
}

static shoal_status spread_out(shoal_ctx *ctx, void *payload, size_t index)
{
    (void)index;
    return shoal_i_parallel_for(ctx, 1000, expect_one_worker, payload);
}

/* A for of one index does not look for the pool, the for inside it does. */
static void test_a_larger_pool_of_an_earlier_call_is_not_used(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 4;
    assert_int_equal(shoal_i_parallel_for(&ctx, 100, spread_nothing, NULL), SHOAL_OK);
    assert_non_null(ctx.pool);
    ctx.threads = 1;
    assert_int_equal(shoal_i_parallel_for(&ctx, 1, spread_out, NULL), SHOAL_OK);
    shoal_i_ctx_clear(&ctx);
}

/* --- settings, cancellation, progress ----------------------------------------------------- */

static shoal_status check_settings(shoal_ctx *ctx, void *payload, size_t index)
{
    const shoal_ctx *caller = payload;

    (void)index;
    assert_int_equal(ctx->seed, caller->seed);
    assert_int_equal(ctx->show_values, caller->show_values);
    assert_ptr_equal(ctx->root, caller);
    return SHOAL_OK;
}

static shoal_status check_settings_of_task(shoal_ctx *ctx, shoal_i_tasks *tasks, void *payload)
{
    shoal_status st = check_settings(ctx, payload, 0);

    /* Once more in a task that a task spawned. */
    return ctx->worker == 0 && !shoal_i_tasks_failed(tasks) && st == SHOAL_OK
               ? shoal_i_parallel_for(ctx, 20, check_settings, payload)
               : st;
}

static shoal_status spawn_checks(shoal_ctx *ctx, shoal_i_tasks *tasks, void *payload)
{
    shoal_status st = check_settings(ctx, payload, 0);

    for (int i = 0; i < 20 && st == SHOAL_OK; i++) {
        st = shoal_i_tasks_spawn(ctx, tasks, check_settings_of_task, payload);
    }
    return st;
}

/* Whether messages may quote cells above all: what is not asked for stays off. */
static void test_children_have_the_settings_of_the_caller(void **state)
{
    (void)state;
    for
        EACH_THREAD_COUNT(t)
        {
            for (int show = 0; show < 2; show++) {
                shoal_ctx ctx;

                start(&ctx, thread_counts[t]);
                ctx.seed = 99;
                ctx.show_values = show != 0;
                assert_int_equal(shoal_i_parallel_for(&ctx, 100, check_settings, &ctx),
                                 SHOAL_OK);
                assert_int_equal(shoal_i_tasks_run(&ctx, spawn_checks, &ctx), SHOAL_OK);
                shoal_i_ctx_clear(&ctx);
            }
        }
}

static shoal_status cancel_half_way(shoal_ctx *ctx, void *payload, size_t index)
{
    int *flag = payload;

    if (index == COUNT / 2) {
        __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
    }
    return shoal_i_check_cancelled(ctx);
}

static void test_cancellation_reaches_all_threads(void **state)
{
    (void)state;
    for
        EACH_THREAD_COUNT(t)
        {
            shoal_ctx ctx;
            int flag = 0;

            start(&ctx, thread_counts[t]);
            ctx.cancel = &flag;
            assert_int_equal(shoal_i_parallel_for(&ctx, COUNT, cancel_half_way, &flag),
                             SHOAL_ECANCELLED);
            shoal_i_ctx_clear(&ctx);
        }
}

typedef struct progress_heard {
    pthread_t caller;
    int calls;
    double last;
} progress_heard;

static bool hear_on_caller(void *payload, const char *stage, double fraction)
{
    progress_heard *h = payload;

    (void)stage;
    assert_true(pthread_equal(h->caller, pthread_self()));
    assert_true(fraction >= h->last && fraction <= 1.0);
    h->last = fraction;
    h->calls++;
    return true;
}

static shoal_status add_to_meter(shoal_ctx *ctx, void *payload, size_t index)
{
    (void)index;
    return shoal_i_meter_add(ctx, payload, 1);
}

static void test_progress_is_heard_on_the_calling_thread_only(void **state)
{
    (void)state;
    for
        EACH_THREAD_COUNT(t)
        {
            shoal_ctx ctx;
            progress_heard h = {.caller = pthread_self()};
            shoal_i_meter meter = {.stage = "work", .total = COUNT};

            start(&ctx, thread_counts[t]);
            ctx.progress = hear_on_caller;
            ctx.progress_payload = &h;
            assert_int_equal(shoal_i_parallel_for(&ctx, COUNT, add_to_meter, &meter), SHOAL_OK);
            assert_int_equal(meter.done, COUNT);
            assert_true(h.calls <= 110);
            shoal_i_ctx_clear(&ctx);
        }
}

static shoal_status allocate_a_little(shoal_ctx *ctx, void *payload, size_t index)
{
    shoal_status st = SHOAL_OK;
    char *block = NULL;

    (void)payload;
    SHOAL_ALLOC(ctx, block, index + 1);
done:
    free(block);
    return st;
}

static shoal_status run_allocations(shoal_ctx *ctx, void *payload)
{
    return shoal_i_parallel_for(ctx, 20, allocate_a_little, payload);
}

static void test_allocation_failures_on_workers(void **state)
{
    (void)state;
    for
        EACH_THREAD_COUNT(t)
        {
            shoal_ctx ctx;

            start(&ctx, thread_counts[t]);
            assert_survives_failing_allocations(&ctx, run_allocations, NULL);
            shoal_i_ctx_clear(&ctx);
        }
}

static int make_squares(void **state)
{
    *state = calloc(1, sizeof(squares));
    return *state ? 0 : -1;
}

static int free_squares(void **state)
{
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_for_runs_each_index_once),
        cmocka_unit_test(test_for_of_none_and_one),
        cmocka_unit_test(test_by_weight),
        cmocka_unit_test(test_for_reports_the_lowest_failure),
        cmocka_unit_test(test_for_reports_the_lowest_failure_not_the_first),
        cmocka_unit_test(test_thread_count_may_change_between_calls),
        cmocka_unit_test(test_tasks_give_the_same_on_any_thread_count),
        cmocka_unit_test(test_failing_task_releases_all_payloads),
        cmocka_unit_test(test_tasks_inside_a_for),
        cmocka_unit_test(test_a_child_has_its_own_settings_and_the_rest_of_its_parent),
        cmocka_unit_test(test_a_larger_pool_of_an_earlier_call_is_not_used),
        cmocka_unit_test(test_children_have_the_settings_of_the_caller),
        cmocka_unit_test(test_cancellation_reaches_all_threads),
        cmocka_unit_test(test_progress_is_heard_on_the_calling_thread_only),
        cmocka_unit_test(test_allocation_failures_on_workers),
    };

    return cmocka_run_group_tests(tests, make_squares, free_squares);
}
