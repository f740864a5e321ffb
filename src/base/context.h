/* context.h -- what a context holds, for the library's own eyes.
 *
 * The caller's context is a root. Parts of a call that have settings of their own, and tasks of
 * the pool, get children of it, which live on the stack: fail.h, pool.h.
 */
#ifndef SHOAL_I_CONTEXT_H
#define SHOAL_I_CONTEXT_H

#include <shoal/ctx.h>

/* The secret that hash tables are made by (hash.h). */
typedef struct shoal_i_hash_key {
    uint64_t words[6];
} shoal_i_hash_key;

struct shoal_ctx {
    shoal_error error;

    /* Settings; a call never changes those of its caller. */
    int threads; /* 0: one per processor */
    uint64_t seed;
    bool show_values;
    shoal_progress_fn progress;
    void *progress_payload;
    shoal_log_fn log;
    void *log_payload;
    double deadline; /* of shoal_i_clock_seconds: what runs then is cancelled; 0: none */
    struct shoal_i_warnings *warnings; /* where a run keeps them; NULL: it does not */

    /* What children share with their root: look there. */
    struct shoal_ctx *root; /* NULL: this is it */
    const int *cancel;      /* NULL: none */
    int64_t alloc_budget;  /* for tests: how many more allocations may succeed; negative: all */
    bool alloc_fails_once; /* for tests: those behind the one that fails succeed again */
    struct shoal_i_pool *pool;
    uintptr_t user; /* atomic: the thread that is in a call; 0: none is. See entry.h */

    shoal_i_hash_key hash_key; /* the same in children */

    bool is_task; /* runs inside parallel work: may use the pool, not start or end it */
    size_t worker;
};

/* The same as shoal_ctx_new and shoal_ctx_free, for a context that its user holds. After clear
 * the settings stay, and the context may be used again. */
void shoal_i_ctx_init(shoal_ctx *ctx);
void shoal_i_ctx_clear(shoal_ctx *ctx);

#endif /* SHOAL_I_CONTEXT_H */
