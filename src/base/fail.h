/* fail.h -- reporting failure, checked sizes, and the two macros every fallible
 * function is written with.
 *
 * A fallible function declares `shoal_status st = SHOAL_OK;`, sets to NULL what
 * its label `done` releases, and wraps each step:
 *
 *     SHOAL_TRY(step(ctx, ...));          st = step; on failure jump to done
 *     SHOAL_ALLOC(ctx, pointer, count);   zeroed array of count elements
 *
 * The level that detects a failure words it, in one sentence with a full stop
 * that says what was expected and what came. It never quotes a cell unless
 * ctx->show_values is set.
 */
#ifndef SHOAL_I_FAIL_H
#define SHOAL_I_FAIL_H

#include "entry.h"

#include <stdlib.h>

#define SHOAL_TRY(call)                                                                        \
    do {                                                                                       \
        st = (call);                                                                           \
        if (st != SHOAL_OK) {                                                                  \
            goto done;                                                                         \
        }                                                                                      \
    } while (0)

#define SHOAL_ALLOC(ctx, pointer, count)                                                       \
    do {                                                                                       \
        (pointer) = shoal_i_alloc((ctx), (count), sizeof *(pointer));                          \
        if ((pointer) == NULL) {                                                               \
            st = SHOAL_ENOMEM;                                                                 \
            goto done;                                                                         \
        }                                                                                      \
    } while (0)

#if defined(__GNUC__)
#define SHOAL_I_PRINTF(format_at, rest_at) __attribute__((format(printf, format_at, rest_at)))
#else
#define SHOAL_I_PRINTF(format_at, rest_at)
#endif

/* Record a failure without a position and return its status. */
shoal_status shoal_i_fail(shoal_ctx *ctx, shoal_status status, const char *format, ...)
    SHOAL_I_PRINTF(3, 4);

/* Record a failure about a record and field of a table (0-based, -1 unknown). */
shoal_status shoal_i_fail_at(shoal_ctx *ctx, shoal_status status, int64_t record, int64_t field,
                             const char *format, ...) SHOAL_I_PRINTF(5, 6);

/* Add the place in a file to the failure just recorded, as the innermost level that
 * knows it; a source already named is kept. Returns the status recorded. */
shoal_status shoal_i_fail_in(shoal_ctx *ctx, const char *source, int64_t line, int64_t column);

/* Copy the failure of a child context to its parent. */
void shoal_i_fail_copy(shoal_ctx *to, const shoal_ctx *from);

/* A context for a part of a call that has settings of its own (seed, threads, show_values,
 * progress, log), so that those of the caller never change. They start as the parent's and are
 * set as fields of the child, except threads. Cancellation, the pool of threads and the budget
 * of allocations are the parent's. It lives on the stack, needs no end, and must not outlive
 * its parent; its failure is handed over by join:
 *
 *     shoal_ctx own;
 *
 *     shoal_i_ctx_child(&own, ctx);
 *     own.log = NULL;
 *     return shoal_i_ctx_join(ctx, &own, work(&own));
 */
void shoal_i_ctx_child(shoal_ctx *child, shoal_ctx *parent);

/* Set the number of threads of a child. Inside parallel work nothing happens: there the pool
 * runs already, and the numbers of its workers count. */
void shoal_i_ctx_child_threads(shoal_ctx *child, int threads);

/* Hand the failure of a child, if status is one, to its parent; gives status back. */
shoal_status shoal_i_ctx_join(shoal_ctx *parent, const shoal_ctx *child, shoal_status status);

/* Send a message to the log callback, if there is one. Warnings have a way of their own:
 * warnings.h. */
void shoal_i_log(shoal_ctx *ctx, shoal_log_level level, const char *format, ...)
    SHOAL_I_PRINTF(3, 4);

/* Allocate count zeroed elements of size bytes; count 0 gives a valid pointer. NULL after
 * recording SHOAL_ENOMEM (or an overflow of count * size) in ctx. Release with free(). */
void *shoal_i_alloc(shoal_ctx *ctx, size_t count, size_t size);

/* As shoal_i_alloc, contents undefined: for large arrays that are filled at once. */
void *shoal_i_alloc_raw(shoal_ctx *ctx, size_t count, size_t size);

/* As shoal_i_alloc_raw, aligned to 64 bytes with at least 64 readable bytes behind the last
 * element, for vector code. Release with free(). */
void *shoal_i_alloc_aligned(shoal_ctx *ctx, size_t count, size_t size);

/* Resize to count elements. On failure NULL, with the old block untouched. */
void *shoal_i_realloc(shoal_ctx *ctx, void *old, size_t count, size_t size);

/* A copy of length bytes with a NUL added. Release with free(). */
char *shoal_i_strndup(shoal_ctx *ctx, const char *text, size_t length);
char *shoal_i_strdup(shoal_ctx *ctx, const char *text);

/* *out = a * b (or a + b); SHOAL_ELIMIT when that overflows. */
shoal_status shoal_i_size_mul(shoal_ctx *ctx, size_t *out, size_t a, size_t b);
shoal_status shoal_i_size_add(shoal_ctx *ctx, size_t *out, size_t a, size_t b);

/* Whether the caller asked to stop. Cheap enough for every few thousand records, callable from
 * any thread of the run. */
bool shoal_i_is_cancelled(const shoal_ctx *ctx);

/* SHOAL_ECANCELLED (recorded) when the caller asked to stop, else SHOAL_OK. */
shoal_status shoal_i_check_cancelled(shoal_ctx *ctx);

/* Report progress within a stage; SHOAL_ECANCELLED when the callback says stop. On a worker
 * thread it only checks for cancellation: the callback hears from the calling thread alone. */
shoal_status shoal_i_progress(shoal_ctx *ctx, const char *stage, double fraction);

/* Progress of work that many tasks share: each adds what it has done. */
typedef struct shoal_i_meter {
    const char *stage;
    uint64_t total;
    uint64_t done;  /* atomic */
    uint64_t shown; /* of done when the callback last heard; calling thread only */
} shoal_i_meter;

/* Add to what is done; passes it on to the progress callback about once per hundredth. */
shoal_status shoal_i_meter_add(shoal_ctx *ctx, shoal_i_meter *meter, uint64_t amount);

#endif /* SHOAL_I_FAIL_H */
