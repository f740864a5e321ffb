/* The public face of a context: its life, its settings, who may use it. */
#include "context.h"

#include "entry.h"
#include "fail.h"
#include "hash.h"
#include "pool.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define WRITTEN(number) #number
#define DOTTED(major, minor, patch) WRITTEN(major) "." WRITTEN(minor) "." WRITTEN(patch)

const char *shoal_version(void)
{
    return DOTTED(SHOAL_VERSION_MAJOR, SHOAL_VERSION_MINOR, SHOAL_VERSION_PATCH);
}

/* --- Who is in a call. -------------------------------------------------------------------- */

/* What a thread is told that must not touch the record of the one that is in a call. */
static const shoal_error busy = {
    .status = SHOAL_EBUSY,
    .record = -1,
    .field = -1,
    .message = "The context is used by another thread at this moment; give each thread a "
               "context of its own.",
};

static const shoal_error absent = {
    .status = SHOAL_EINVAL,
    .record = -1,
    .field = -1,
    .message = "The context is NULL; shoal_ctx_new makes one, unless there is no memory.",
};

/* Never 0: on all systems with POSIX threads that we know it is a number above 0 or an
 * address. */
static uintptr_t this_thread(void)
{
    return (uintptr_t)pthread_self();
}

/* Mark the context as used by this thread. True when it was not: the mark is to be taken off
 * again. *st is SHOAL_EBUSY when another thread has it. */
static bool mark(shoal_ctx *ctx, shoal_status *st)
{
    uintptr_t user = 0;
    bool is_marked = __atomic_compare_exchange_n(&ctx->user, &user, this_thread(), false,
                                                 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);

    *st = is_marked || user == this_thread() ? SHOAL_OK : SHOAL_EBUSY;
    return is_marked;
}

static shoal_status fail_null(shoal_ctx *ctx, const char *function, const char *names,
                              size_t index)
{
    for (; index > 0; index--) {
        names = strchr(names, ',') + 1;
    }
    names += strspn(names, " ");
    return shoal_i_fail(ctx, SHOAL_EINVAL, "%s: `%.*s` is NULL; something must be there.",
                        function, (int)strcspn(names, ","), names);
}

shoal_i_entry shoal_i_enter(shoal_ctx *ctx, const char *function, const char *names,
                            const void *const *arguments, size_t count)
{
    shoal_i_entry entry = {.status = SHOAL_EINVAL};

    if (!ctx) {
        return entry;
    }
    entry.status = SHOAL_OK;
    if (!ctx->root && mark(ctx, &entry.status)) {
        entry.marked = ctx;
    }
    for (size_t i = 0; i < count && entry.status == SHOAL_OK; i++) {
        if (!arguments[i]) {
            entry.status = fail_null(ctx, function, names, i);
            shoal_i_leave(&entry);
            entry.marked = NULL;
        }
    }
    return entry;
}

void shoal_i_leave(const shoal_i_entry *entry)
{
    if (entry->marked) {
        __atomic_store_n(&entry->marked->user, 0, __ATOMIC_RELEASE);
    }
}

shoal_status shoal_i_check_bytes(shoal_ctx *ctx, const void *bytes, size_t size)
{
    return bytes || size == 0
               ? SHOAL_OK
               : shoal_i_fail(ctx, SHOAL_EINVAL,
                              "`bytes` is NULL, of a size of %zu; something must "
                              "be there.",
                              size);
}

/* --- Life. -------------------------------------------------------------------------------- */

static void set_defaults(shoal_ctx *ctx)
{
    memset(ctx, 0, sizeof *ctx);
    ctx->error.record = -1;
    ctx->error.field = -1;
    ctx->seed = 1;
    ctx->alloc_budget = -1;
}

void shoal_i_ctx_init(shoal_ctx *ctx)
{
    set_defaults(ctx);
    if (getentropy(&ctx->hash_key, sizeof ctx->hash_key) != 0) {
        /* No result depends on it, and a place in memory is hard to guess as well. */
        for (size_t i = 0; i < sizeof ctx->hash_key.words / sizeof *ctx->hash_key.words; i++) {
            ctx->hash_key.words[i] = shoal_i_digest_u64((uintptr_t)ctx + i);
        }
    }
}

void shoal_i_ctx_clear(shoal_ctx *ctx)
{
    shoal_i_pool_stop(ctx);
}

shoal_ctx *shoal_ctx_new(void)
{
    shoal_ctx *ctx = malloc(sizeof *ctx);

    if (ctx) {
        shoal_i_ctx_init(ctx);
    }
    return ctx;
}

void shoal_ctx_free(shoal_ctx *ctx)
{
    if (ctx) {
        shoal_i_ctx_clear(ctx);
        free(ctx);
    }
}

const shoal_error *shoal_ctx_error(const shoal_ctx *ctx)
{
    if (!ctx) {
        return &absent;
    }
    uintptr_t user = __atomic_load_n(&ctx->user, __ATOMIC_ACQUIRE);

    return user == 0 || user == this_thread() ? &ctx->error : &busy;
}

/* --- Children. ---------------------------------------------------------------------------- */

void shoal_i_ctx_child(shoal_ctx *child, shoal_ctx *parent)
{
    set_defaults(child);
    child->hash_key = parent->hash_key;
    child->root = parent->root ? parent->root : parent;
    child->threads = parent->threads;
    child->seed = parent->seed;
    child->show_values = parent->show_values;
    child->progress = parent->progress;
    child->progress_payload = parent->progress_payload;
    child->log = parent->log;
    child->log_payload = parent->log_payload;
    child->warnings = parent->warnings;
    child->deadline = parent->deadline;
    child->is_task = parent->is_task;
    child->worker = parent->worker;
}

void shoal_i_ctx_child_threads(shoal_ctx *child, int threads)
{
    if (!child->is_task) {
        child->threads = threads;
    }
}

shoal_status shoal_i_ctx_join(shoal_ctx *parent, const shoal_ctx *child, shoal_status status)
{
    if (status != SHOAL_OK) {
        shoal_i_fail_copy(parent, child);
    }
    return status;
}

/* --- Settings. ---------------------------------------------------------------------------- */

/* Begin to set something: only the outermost mark will do, as no call may be running. */
static shoal_status begin(shoal_ctx *ctx)
{
    shoal_status st = SHOAL_OK;

    if (!ctx) {
        return SHOAL_EINVAL;
    }
    if (ctx->root || mark(ctx, &st)) {
        return SHOAL_OK;
    }
    return st != SHOAL_OK ? st
                          : shoal_i_fail(ctx, SHOAL_EBUSY,
                                         "Settings of a context change between its calls, not "
                                         "during one.");
}

static shoal_status end(shoal_ctx *ctx, shoal_status st)
{
    __atomic_store_n(&ctx->user, 0, __ATOMIC_RELEASE);
    return st;
}

shoal_status shoal_ctx_set_threads(shoal_ctx *ctx, int threads)
{
    shoal_status st = begin(ctx);

    if (st != SHOAL_OK) {
        return st;
    }
    if (threads < 0) {
        return end(ctx, shoal_i_fail(ctx, SHOAL_EINVAL,
                                     "Expected a number of threads of at least 0, got %d.",
                                     threads));
    }
    ctx->threads = threads;
    return end(ctx, SHOAL_OK);
}

shoal_status shoal_ctx_set_seed(shoal_ctx *ctx, uint64_t seed)
{
    shoal_status st = begin(ctx);

    if (st != SHOAL_OK) {
        return st;
    }
    ctx->seed = seed;
    return end(ctx, SHOAL_OK);
}

shoal_status shoal_ctx_set_show_values(shoal_ctx *ctx, bool show_values)
{
    shoal_status st = begin(ctx);

    if (st != SHOAL_OK) {
        return st;
    }
    ctx->show_values = show_values;
    return end(ctx, SHOAL_OK);
}

shoal_status shoal_ctx_set_progress(shoal_ctx *ctx, shoal_progress_fn progress, void *payload)
{
    shoal_status st = begin(ctx);

    if (st != SHOAL_OK) {
        return st;
    }
    ctx->progress = progress;
    ctx->progress_payload = payload;
    return end(ctx, SHOAL_OK);
}

shoal_status shoal_ctx_set_log(shoal_ctx *ctx, shoal_log_fn log, void *payload)
{
    shoal_status st = begin(ctx);

    if (st != SHOAL_OK) {
        return st;
    }
    ctx->log = log;
    ctx->log_payload = payload;
    return end(ctx, SHOAL_OK);
}

shoal_status shoal_ctx_set_cancel(shoal_ctx *ctx, const int *cancel)
{
    shoal_status st = begin(ctx);

    if (st != SHOAL_OK) {
        return st;
    }
    ctx->cancel = cancel;
    return end(ctx, SHOAL_OK);
}

shoal_status shoal_ctx_stop_threads(shoal_ctx *ctx)
{
    shoal_status st = begin(ctx);

    if (st != SHOAL_OK) {
        return st;
    }
    shoal_i_pool_stop(ctx);
    return end(ctx, SHOAL_OK);
}

int shoal_ctx_threads(const shoal_ctx *ctx)
{
    return ctx->threads;
}

uint64_t shoal_ctx_seed(const shoal_ctx *ctx)
{
    return ctx->seed;
}

bool shoal_ctx_shows_values(const shoal_ctx *ctx)
{
    return ctx->show_values;
}

int shoal_ctx_thread_count(const shoal_ctx *ctx)
{
    if (ctx->threads > 0) {
        return ctx->threads < SHOAL_I_THREADS_MAX ? ctx->threads : SHOAL_I_THREADS_MAX;
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);

    if (online < 1) {
        return 1;
    }
    return online < SHOAL_I_THREADS_MAX ? (int)online : SHOAL_I_THREADS_MAX;
}
