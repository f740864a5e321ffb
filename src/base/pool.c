#include "pool.h"

#include "fail.h"
#include "sort.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* One unit of queued work. Helpers of a for live on the stack of the thread that runs it, tasks
 * on the heap; the queue does not care. */
typedef struct work {
    struct work *next;
    void (*run)(struct work *work, shoal_ctx *ctx);
    void *owner;       /* the for or the set of tasks it belongs to */
    shoal_ctx *parent; /* of the context it runs with: the one that began the for or the set */
} work;

typedef struct shoal_i_pool {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* work was queued, work ended, or the pool stops */
    work *head;
    work *tail;
    bool stopping;
    size_t wanted;       /* threads asked for, the caller's included */
    size_t thread_count; /* threads started */
    pid_t process;       /* whose threads they are: a fork does not take them along */
    struct worker {
        pthread_t thread;
        struct shoal_i_pool *pool;
        size_t index;
    } workers[SHOAL_I_THREADS_MAX];
} pool;

static void init_task(shoal_ctx *task, shoal_ctx *parent, size_t worker)
{
    shoal_i_ctx_child(task, parent);
    task->is_task = true;
    task->worker = worker;
}

static void push(pool *p, work *item)
{
    item->next = NULL;
    if (p->tail) {
        p->tail->next = item;
    } else {
        p->head = item;
    }
    p->tail = item;
}

static work *pop(pool *p)
{
    work *item = p->head;

    if (item) {
        p->head = item->next;
        if (!p->head) {
            p->tail = NULL;
        }
    }
    return item;
}

/* Take the queued helpers of one owner out of the queue; how many there were. */
static size_t withdraw(pool *p, const void *owner)
{
    size_t count = 0;
    work **link = &p->head;
    work *last = NULL;

    while (*link) {
        if ((*link)->owner == owner) {
            *link = (*link)->next;
            count++;
        } else {
            last = *link;
            link = &last->next;
        }
    }
    p->tail = last;
    return count;
}

static void *serve(void *argument)
{
    struct worker *self = argument;
    pool *p = self->pool;
    shoal_ctx ctx;

    pthread_mutex_lock(&p->lock);
    for (;;) {
        work *item = pop(p);

        if (item) {
            pthread_mutex_unlock(&p->lock);
            init_task(&ctx, item->parent, self->index);
            item->run(item, &ctx);
            pthread_mutex_lock(&p->lock);
        } else if (p->stopping) {
            break;
        } else {
            pthread_cond_wait(&p->changed, &p->lock);
        }
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void shoal_i_pool_stop(shoal_ctx *ctx)
{
    pool *p = ctx->root ? NULL : ctx->pool;

    if (!p) {
        return;
    }
    ctx->pool = NULL;
    if (p->process != getpid()) {
        /* A copy of the parent's, without its threads. One of them may have held the lock at
         * that moment, so nothing of it is touched. */
        free(p);
        return;
    }
    pthread_mutex_lock(&p->lock);
    p->stopping = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; i < p->thread_count; i++) {
        pthread_join(p->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

/* The pool of a run, started on first use; NULL when the run has one thread or no memory for
 * a pool, and then all work is done by the caller. */
static pool *find_pool(shoal_ctx *ctx)
{
    shoal_ctx *root = ctx->root ? ctx->root : ctx;
    int wanted = shoal_ctx_thread_count(ctx);

    if (ctx->is_task) {
        /* A pool left over from a call with another number of threads is not of this work. */
        return root->pool && root->pool->wanted == (size_t)wanted ? root->pool : NULL;
    }
    if (root->pool &&
        (root->pool->wanted != (size_t)wanted || root->pool->process != getpid())) {
        shoal_i_pool_stop(root); /* between two calls the setting changed, or a fork was made */
    }
    if (root->pool || wanted < 2) {
        return root->pool;
    }
    pool *p = calloc(1, sizeof *p);

    if (!p) {
        return NULL;
    }
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    p->wanted = (size_t)wanted;
    p->process = getpid();
    for (int i = 1; i < wanted; i++) {
        struct worker *worker = &p->workers[p->thread_count];

        worker->pool = p;
        worker->index = p->thread_count + 1;
        if (pthread_create(&worker->thread, NULL, serve, worker) != 0) {
            break;
        }
        p->thread_count++;
    }
    root->pool = p;
    return p;
}

/* A parallel for in progress: threads draw the next index until none is left. */
typedef struct loop {
    pool *pool;
    shoal_i_body_fn body;
    void *payload;
    size_t count;
    size_t next;       /* atomic */
    size_t failed_at;  /* atomic; the lowest index that failed, count while none has */
    size_t helpers;    /* queued or running; under the pool's lock */
    shoal_ctx failure; /* of failed_at; under the lock */
    pthread_mutex_t lock;
} loop;

static void note_failure(loop *l, size_t index, const shoal_ctx *ctx)
{
    pthread_mutex_lock(&l->lock);
    if (index < __atomic_load_n(&l->failed_at, __ATOMIC_RELAXED)) {
        __atomic_store_n(&l->failed_at, index, __ATOMIC_RELAXED);
        shoal_i_fail_copy(&l->failure, ctx);
    }
    pthread_mutex_unlock(&l->lock);
}

/* Indices are drawn in ascending order, so every index below a failed one has been drawn
 * already and is finished by its thread: the failure that is reported is the lowest, on any
 * number of threads. */
static void run_loop(loop *l, shoal_ctx *ctx)
{
    for (;;) {
        size_t index = __atomic_fetch_add(&l->next, 1, __ATOMIC_RELAXED);

        if (index >= l->count || index > __atomic_load_n(&l->failed_at, __ATOMIC_RELAXED)) {
            return;
        }
        if (l->body(ctx, l->payload, index) != SHOAL_OK) {
            note_failure(l, index, ctx);
        }
    }
}

static void help_loop(work *item, shoal_ctx *ctx)
{
    loop *l = item->owner;

    run_loop(l, ctx);
    pthread_mutex_lock(&l->pool->lock);
    l->helpers--;
    pthread_cond_broadcast(&l->pool->changed);
    pthread_mutex_unlock(&l->pool->lock);
}

static void run_loop_with_help(loop *l, shoal_ctx *ctx, shoal_ctx *child)
{
    pool *p = l->pool;
    work tickets[SHOAL_I_THREADS_MAX];
    size_t wanted = l->count - 1 < p->thread_count ? l->count - 1 : p->thread_count;

    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < wanted; i++) {
        tickets[i].run = help_loop;
        tickets[i].owner = l;
        tickets[i].parent = ctx;
        push(p, &tickets[i]);
    }
    l->helpers = wanted;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);

    run_loop(l, child);

    pthread_mutex_lock(&p->lock);
    l->helpers -= withdraw(p, l);
    while (l->helpers > 0) {
        pthread_cond_wait(&p->changed, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
}

shoal_status shoal_i_parallel_for(shoal_ctx *ctx, size_t count, shoal_i_body_fn body,
                                  void *payload)
{
    pool *p = count > 1 ? find_pool(ctx) : NULL;
    loop l = {.pool = p, .body = body, .payload = payload, .count = count, .failed_at = count};
    shoal_ctx child;

    if (count == 0) {
        return SHOAL_OK;
    }
    init_task(&child, ctx, ctx->worker);
    pthread_mutex_init(&l.lock, NULL);
    if (p) {
        run_loop_with_help(&l, ctx, &child);
    } else {
        run_loop(&l, &child);
    }
    pthread_mutex_destroy(&l.lock);
    if (l.failed_at < count) {
        shoal_i_fail_copy(ctx, &l.failure);
        return ctx->error.status;
    }
    return SHOAL_OK;
}

/* A loop whose indices are taken in another order. */
typedef struct weighed {
    shoal_i_body_fn body;
    void *payload;
    shoal_i_sort_item *order;
} weighed;

static shoal_status run_weighed(shoal_ctx *ctx, void *payload, size_t index)
{
    const weighed *w = payload;

    return w->body(ctx, w->payload, w->order[index].item);
}

shoal_status shoal_i_parallel_by_weight(shoal_ctx *ctx, size_t count, const size_t *weights,
                                        shoal_i_body_fn body, void *payload)
{
    shoal_status st = SHOAL_OK;
    weighed w = {.body = body, .payload = payload};
    shoal_i_sort_item *scratch = NULL;

    SHOAL_ALLOC(ctx, w.order, count);
    SHOAL_ALLOC(ctx, scratch, count);
    for (size_t i = 0; i < count; i++) {
        w.order[i] = (shoal_i_sort_item){.key = UINT64_MAX - weights[i], .item = (uint32_t)i};
    }
    shoal_i_sort_items(w.order, scratch, count);
    SHOAL_TRY(shoal_i_parallel_for(ctx, count, run_weighed, &w));
done:
    free(w.order);
    free(scratch);
    return st;
}

struct shoal_i_tasks {
    pool *pool; /* NULL: every task runs where it is spawned */
    shoal_ctx *parent;
    size_t pending; /* queued or running; under the pool's lock */
    int failed;     /* atomic */
    shoal_ctx failure;
};

typedef struct task {
    work work; /* first, so that a work is a task */
    shoal_i_task_fn run;
    void *payload;
} task;

static void note_task_failure(shoal_i_tasks *tasks, const shoal_ctx *ctx)
{
    int none = 0;

    if (__atomic_compare_exchange_n(&tasks->failed, &none, 1, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
        shoal_i_fail_copy(&tasks->failure, ctx);
    }
}

static void run_task(work *item, shoal_ctx *ctx)
{
    task *t = (task *)item;
    shoal_i_tasks *tasks = item->owner;

    if (t->run(ctx, tasks, t->payload) != SHOAL_OK) {
        note_task_failure(tasks, ctx);
    }
    free(t);
    pthread_mutex_lock(&tasks->pool->lock);
    tasks->pending--;
    pthread_cond_broadcast(&tasks->pool->changed);
    pthread_mutex_unlock(&tasks->pool->lock);
}

shoal_status shoal_i_tasks_spawn(shoal_ctx *ctx, shoal_i_tasks *tasks, shoal_i_task_fn run,
                                 void *payload)
{
    task *t = tasks->pool ? malloc(sizeof *t) : NULL;

    if (!t) {
        return run(ctx, tasks, payload);
    }
    *t = (task){.work = {.run = run_task, .owner = tasks, .parent = tasks->parent},
                .run = run,
                .payload = payload};
    pthread_mutex_lock(&tasks->pool->lock);
    tasks->pending++;
    push(tasks->pool, &t->work);
    pthread_cond_broadcast(&tasks->pool->changed);
    pthread_mutex_unlock(&tasks->pool->lock);
    return SHOAL_OK;
}

bool shoal_i_tasks_failed(const shoal_i_tasks *tasks)
{
    return __atomic_load_n(&tasks->failed, __ATOMIC_ACQUIRE) != 0;
}

/* Run queued work, of this set or another, until the set is finished. */
static void finish_tasks(shoal_i_tasks *tasks, size_t worker)
{
    pool *p = tasks->pool;
    shoal_ctx child;

    pthread_mutex_lock(&p->lock);
    while (tasks->pending > 0) {
        work *item = pop(p);

        if (item) {
            pthread_mutex_unlock(&p->lock);
            init_task(&child, item->parent, worker);
            item->run(item, &child);
            pthread_mutex_lock(&p->lock);
        } else {
            pthread_cond_wait(&p->changed, &p->lock);
        }
    }
    pthread_mutex_unlock(&p->lock);
}

shoal_status shoal_i_tasks_run(shoal_ctx *ctx, shoal_i_task_fn first, void *payload)
{
    shoal_i_tasks tasks = {.pool = find_pool(ctx), .parent = ctx};
    shoal_ctx child;

    init_task(&child, ctx, ctx->worker);
    if (first(&child, &tasks, payload) != SHOAL_OK) {
        note_task_failure(&tasks, &child);
    }
    if (tasks.pool) {
        finish_tasks(&tasks, ctx->worker);
    }
    if (shoal_i_tasks_failed(&tasks)) {
        shoal_i_fail_copy(ctx, &tasks.failure);
        return ctx->error.status;
    }
    return SHOAL_OK;
}
