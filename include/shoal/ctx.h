/* ctx.h -- the context: errors, progress, cancellation, threads, seed.
 *
 * Every function that may fail, allocate or take long has a shoal_ctx as its
 * first argument; a function without one cannot fail. The context belongs to
 * the caller, is cheap, and serves one thread at a time: one per program run,
 * per server job, per call from another language.
 *
 *     shoal_ctx ctx;
 *     shoal_ctx_init(&ctx);
 *     if (shoal_csv_read(&ctx, &table, "patients.csv", NULL) != SHOAL_OK) {
 *         fprintf(stderr, "%s\n", ctx.error.message);
 *     }
 *     shoal_ctx_clear(&ctx);
 *
 * The library keeps no other state: no globals, no thread-locals, nothing
 * printed. What it wants to say goes through the callbacks below.
 */
#ifndef SHOAL_CTX_H
#define SHOAL_CTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each status asks the caller for a different reaction. */
typedef enum shoal_status {
    SHOAL_OK = 0,
    SHOAL_EINVAL,         /* an argument or setting makes no sense */
    SHOAL_EFORMAT,        /* the input is not what it should be; see the position */
    SHOAL_ENOTFOUND,      /* a file, column or value that was named does not exist */
    SHOAL_EUNSATISFIABLE, /* no release can meet the requirement */
    SHOAL_ELIMIT,         /* larger than a documented limit */
    SHOAL_ENOMEM,
    SHOAL_EIO,        /* the operating system refused to read or write */
    SHOAL_ECANCELLED, /* the progress callback or the cancel flag said stop */
    SHOAL_EUNSUPPORTED,
    SHOAL_EREJECTED /* the verifier did not accept what was about to be published */
} shoal_status;

/* The name of a status in words, such as "out of memory". Never NULL. */
const char *shoal_status_name(shoal_status status);

#define SHOAL_MESSAGE_MAX 1024
#define SHOAL_SOURCE_MAX 256

/* What went wrong and where. Meaningful only after a status other than
 * SHOAL_OK. Positions are kept apart from the sentence because each front end
 * counts and shows them in its own way. */
typedef struct shoal_error {
    shoal_status status;
    int64_t record;                  /* 0-based record of the table, -1 when not known */
    int64_t field;                   /* 0-based column of the table, -1 when not known */
    int64_t line;                    /* 1-based line of the source, 0 when not known */
    int64_t column;                  /* 1-based byte within that line, 0 when not known */
    char source[SHOAL_SOURCE_MAX];   /* the file at fault, "" when none is */
    char message[SHOAL_MESSAGE_MAX]; /* one sentence, ending in a full stop */
} shoal_error;

typedef enum shoal_log_level {
    SHOAL_LOG_ERROR,   /* one of several mistakes; the call as a whole fails too */
    SHOAL_LOG_WARNING, /* the result is usable, the user should know */
    SHOAL_LOG_INFO,    /* a decision that was taken */
    SHOAL_LOG_DEBUG
} shoal_log_level;

/* Called as work proceeds: stage is a short word ("read", "anonymize"),
 * fraction runs from 0 to 1 within a stage and never goes back. Called at most
 * about a hundred times per stage, from the thread that called the library.
 * Answer false to stop: the call returns SHOAL_ECANCELLED with nothing left
 * behind. */
typedef bool (*shoal_progress_fn)(void *payload, const char *stage, double fraction);

/* Called with a message and, where the message is about a place in a file, an
 * error record that holds the position; where is NULL otherwise. */
typedef void (*shoal_log_fn)(void *payload, shoal_log_level level, const char *message,
                             const shoal_error *where);

typedef struct shoal_ctx {
    shoal_error error;

    /* Settings: change them between calls, never during one. */
    int threads;      /* how many to use; 0 means one per processor */
    uint64_t seed;    /* of the search heuristics; the same seed gives the same bytes */
    bool show_values; /* let messages quote cell contents; off in a privacy tool */
    shoal_progress_fn progress;
    void *progress_payload;
    shoal_log_fn log;
    void *log_payload;

    /* When not NULL, a non-zero value there cancels the call that is running. It
     * may be set from a signal handler or another thread (atomically). */
    const int *cancel;

    /* For tests: how many more allocations may succeed; negative: all. */
    int64_t alloc_budget;

    /* Private: children of a context share what belongs to its root. */
    struct shoal_ctx *root; /* NULL: this is it */
    struct shoal_i_pool *pool;
    bool is_task; /* runs inside parallel work: may use the pool, not start or end it */
    size_t worker;
} shoal_ctx;

/* Set every field to its default: no callbacks, threads 0, seed 1. */
void shoal_ctx_init(shoal_ctx *ctx);

/* End the worker threads of this context, if it has any. The settings stay; the
 * context may be used again. */
void shoal_ctx_clear(shoal_ctx *ctx);

/* How many threads a call with this context uses: ctx->threads, or the number of
 * processors when that is 0. At least 1. */
int shoal_ctx_thread_count(const shoal_ctx *ctx);

/* The version as "major.minor.patch". */
const char *shoal_version(void);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_CTX_H */
