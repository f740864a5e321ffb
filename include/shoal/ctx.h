/* ctx.h -- the context: errors, progress, cancellation, threads, seed.
 *
 * Every function that may fail, allocate or take long has a shoal_ctx as its first argument; a
 * function without one cannot fail. The context belongs to the caller, is cheap, and serves one
 * thread at a time: one per program run, per server job, per call from another language.
 *
 *     shoal_ctx *ctx = shoal_ctx_new();
 *
 *     if (shoal_csv_read(ctx, &table, "patients.csv", NULL) != SHOAL_OK) {
 *         fprintf(stderr, "%s\n", shoal_ctx_error(ctx)->message);
 *     }
 *     shoal_ctx_free(ctx);
 *
 * The library keeps no other state: no globals, no thread-locals, nothing printed. What it
 * wants to say goes through the callbacks below.
 *
 * What holds for every function with a context:
 *
 *   NULL     where an object, a path or a place for a result is needed: SHOAL_EINVAL and a
 *            sentence that names the argument. Where NULL is allowed the function says so. A
 *            context that is NULL gives SHOAL_EINVAL. Functions without a context expect what
 *            they are about, except those that free, which take NULL.
 *   threads  a context that another thread uses at this moment: SHOAL_EBUSY, and the call that
 *            is running is not disturbed. Tables, hierarchies, specs and reports may be shared,
 *            with a context for each thread.
 *   fork     the child process may go on using, or free, the contexts of its parent: threads
 *            are started anew. It must not have been forked from within a call, that is, by a
 *            callback.
 *   structs  options and facts begin with their size, so that they can grow. Start them with
 *            their macro, then set fields:
 *
 *                shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
 *                options.delimiter = ';';
 *
 *            A smaller struct, of an older header, is taken, and what it lacks has its default;
 *            a size of 0, or one that the library does not know, is SHOAL_EINVAL (of facts,
 *            which have no context: false). shoal_error is made by the library alone and may
 *            grow. Structs that come as arrays (shoal_array, shoal_csv_column) never change.
 */
#ifndef SHOAL_CTX_H
#define SHOAL_CTX_H

#include "api.h"

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
    SHOAL_EREJECTED, /* the verifier did not accept what was about to be published */
    SHOAL_EBUSY,     /* another thread is using the context, or a call of it is running */
    SHOAL_EWARNED    /* nothing was published: there are warnings that nobody accepted */
} shoal_status;

/* The name of a status in words, such as "out of memory". Never NULL. */
SHOAL_API const char *shoal_status_name(shoal_status status);

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

typedef struct shoal_ctx shoal_ctx;

/* A context with every setting at its default: no callbacks, as many threads as processors,
 * seed 1. NULL when there is no memory. */
SHOAL_API shoal_ctx *shoal_ctx_new(void);

/* End the threads of the context and release it; never during one of its calls. NULL is
 * allowed. */
SHOAL_API void shoal_ctx_free(shoal_ctx *ctx);

/* The failure of the last call that failed; valid until the next call with this context. While
 * another thread uses the context, and for NULL, a record that says so. Never NULL. */
SHOAL_API const shoal_error *shoal_ctx_error(const shoal_ctx *ctx);

/* --- Settings. ---------------------------------------------------------------------------- */

/* They are set between calls and stay until they are set again. SHOAL_EBUSY, with the setting
 * as it was, while a call of the context is running, in another thread or around a callback. */

/* How many threads to use, the caller's included, up to 256; 0: one per processor. The result
 * is the same on any number. SHOAL_EINVAL: less than 0. */
SHOAL_API shoal_status shoal_ctx_set_threads(shoal_ctx *ctx, int threads);

/* Of the search heuristics: the same seed gives the same bytes. What protects people is never
 * drawn by it. */
SHOAL_API shoal_status shoal_ctx_set_seed(shoal_ctx *ctx, uint64_t seed);

/* Let messages quote cell contents; off in a privacy tool. */
SHOAL_API shoal_status shoal_ctx_set_show_values(shoal_ctx *ctx, bool show_values);

/* Who is told; NULL: nobody. The payload is handed to each call of the function. */
SHOAL_API shoal_status shoal_ctx_set_progress(shoal_ctx *ctx, shoal_progress_fn progress,
                                              void *payload);
SHOAL_API shoal_status shoal_ctx_set_log(shoal_ctx *ctx, shoal_log_fn log, void *payload);

/* A flag that cancels the call that is running as soon as it is not 0; it may be set from a
 * signal handler or another thread (atomically). Borrowed for as long as it is set here; NULL:
 * none. */
SHOAL_API shoal_status shoal_ctx_set_cancel(shoal_ctx *ctx, const int *cancel);

/* What is set. */
SHOAL_API int shoal_ctx_threads(const shoal_ctx *ctx);
SHOAL_API uint64_t shoal_ctx_seed(const shoal_ctx *ctx);
SHOAL_API bool shoal_ctx_shows_values(const shoal_ctx *ctx);

/* How many threads a call with this context uses: what is set, or the number of processors when
 * that is 0. At least 1. */
SHOAL_API int shoal_ctx_thread_count(const shoal_ctx *ctx);

/* End the threads that wait for the next call of the context, which will start new ones: for a
 * context that rests for long. SHOAL_EBUSY as above. */
SHOAL_API shoal_status shoal_ctx_stop_threads(shoal_ctx *ctx);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_CTX_H */
