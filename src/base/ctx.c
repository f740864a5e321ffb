#include "fail.h"

#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define ALIGNMENT 64

/* Blocks of this size are worth large pages. */
#define LARGE_BLOCK ((size_t)1 << 19)
#define LARGE_PAGE ((uintptr_t)2 << 20)

const char *shoal_status_name(shoal_status status)
{
    static const char *const names[] = {
        [SHOAL_OK] = "ok",
        [SHOAL_EINVAL] = "invalid argument",
        [SHOAL_EFORMAT] = "bad format",
        [SHOAL_ENOTFOUND] = "not found",
        [SHOAL_EUNSATISFIABLE] = "requirement not satisfiable",
        [SHOAL_ELIMIT] = "limit exceeded",
        [SHOAL_ENOMEM] = "out of memory",
        [SHOAL_EIO] = "input or output failed",
        [SHOAL_ECANCELLED] = "cancelled",
        [SHOAL_EUNSUPPORTED] = "not supported",
        [SHOAL_EREJECTED] = "rejected by the verifier",
        [SHOAL_EBUSY] = "context in use",
        [SHOAL_EWARNED] = "warnings that nobody accepted",
    };
    size_t index = (size_t)status;

    return index < sizeof names / sizeof *names ? names[index] : "unknown status";
}

static void record_failure(shoal_ctx *ctx, shoal_status status, int64_t record, int64_t field,
                           const char *format, va_list arguments)
{
    shoal_error *error = &ctx->error;

    error->status = status;
    error->record = record;
    error->field = field;
    error->line = 0;
    error->column = 0;
    error->source[0] = '\0';
    vsnprintf(error->message, sizeof error->message, format, arguments);
}

shoal_status shoal_i_fail(shoal_ctx *ctx, shoal_status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    record_failure(ctx, status, -1, -1, format, arguments);
    va_end(arguments);
    return status;
}

shoal_status shoal_i_fail_at(shoal_ctx *ctx, shoal_status status, int64_t record, int64_t field,
                             const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    record_failure(ctx, status, record, field, format, arguments);
    va_end(arguments);
    return status;
}

shoal_status shoal_i_fail_in(shoal_ctx *ctx, const char *source, int64_t line, int64_t column)
{
    shoal_error *error = &ctx->error;

    if (error->source[0] == '\0' && source) {
        snprintf(error->source, sizeof error->source, "%s", source);
        error->line = line;
        error->column = column;
    }
    return error->status;
}

void shoal_i_fail_copy(shoal_ctx *to, const shoal_ctx *from)
{
    to->error = from->error;
}

void shoal_i_log(shoal_ctx *ctx, shoal_log_level level, const char *format, ...)
{
    assert(level != SHOAL_LOG_WARNING);
    if (!ctx->log) {
        return;
    }
    char message[SHOAL_MESSAGE_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ctx->log(ctx->log_payload, level, message, NULL);
}

/* Take one allocation from the budget of the run; false when it is used up. Worker threads
 * share the budget of their root, hence the atomics. */
static bool take_allocation(shoal_ctx *ctx)
{
    shoal_ctx *root = ctx->root ? ctx->root : ctx;

    if (__atomic_load_n(&root->alloc_budget, __ATOMIC_RELAXED) < 0) {
        return true;
    }
    if (__atomic_fetch_sub(&root->alloc_budget, 1, __ATOMIC_RELAXED) > 0) {
        return true;
    }
    __atomic_store_n(&root->alloc_budget, root->alloc_fails_once ? -1 : 0, __ATOMIC_RELAXED);
    return false;
}

static void *fail_allocation(shoal_ctx *ctx, size_t count, size_t size)
{
    shoal_i_fail(ctx, SHOAL_ENOMEM, "Out of memory while asking for %zu items of %zu bytes.",
                 count, size);
    return NULL;
}

static bool fits(size_t count, size_t size)
{
    return size == 0 || count <= (SIZE_MAX / 2 - 2 * ALIGNMENT) / size;
}

/* Ask for large pages where a large block lies: the system clears and finds them in a fraction
 * of the time. Neighbours on the same pages come along; where there is nothing or such pages
 * are not to be had, nothing happens. */
static void *advise(void *block, size_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (block && bytes >= LARGE_BLOCK) {
        uintptr_t first = (uintptr_t)block / LARGE_PAGE * LARGE_PAGE;
        uintptr_t end = ((uintptr_t)block + bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
        int before = errno;

        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
        errno = before;
    }
#else
    (void)bytes;
#endif
    return block;
}

void *shoal_i_alloc(shoal_ctx *ctx, size_t count, size_t size)
{
    void *block = NULL;

    if (fits(count, size) && take_allocation(ctx)) {
        block = advise(calloc(count ? count : 1, size), count * size);
    }
    return block ? block : fail_allocation(ctx, count, size);
}

void *shoal_i_alloc_raw(shoal_ctx *ctx, size_t count, size_t size)
{
    void *block = NULL;

    if (fits(count, size) && take_allocation(ctx)) {
        block = advise(malloc(count && size ? count * size : 1), count * size);
    }
    return block ? block : fail_allocation(ctx, count, size);
}

void *shoal_i_alloc_aligned(shoal_ctx *ctx, size_t count, size_t size)
{
    void *block = NULL;

    if (fits(count, size) && take_allocation(ctx)) {
        size_t bytes = count * size + ALIGNMENT;

        bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        block = advise(aligned_alloc(ALIGNMENT, bytes), bytes);
        if (block) {
            /* Vector code may read the padding; give it a value. */
            memset((char *)block + count * size, 0, bytes - count * size);
        }
    }
    return block ? block : fail_allocation(ctx, count, size);
}

void *shoal_i_realloc(shoal_ctx *ctx, void *old, size_t count, size_t size)
{
    void *block = NULL;

    if (fits(count, size) && take_allocation(ctx)) {
        block = advise(realloc(old, count && size ? count * size : 1), count * size);
    }
    return block ? block : fail_allocation(ctx, count, size);
}

char *shoal_i_strndup(shoal_ctx *ctx, const char *text, size_t length)
{
    char *copy = shoal_i_alloc_raw(ctx, length + 1, 1);

    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *shoal_i_strdup(shoal_ctx *ctx, const char *text)
{
    return shoal_i_strndup(ctx, text, strlen(text));
}

shoal_status shoal_i_size_mul(shoal_ctx *ctx, size_t *out, size_t a, size_t b)
{
    if (b != 0 && a > SIZE_MAX / b) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "%zu times %zu is more than memory can hold.", a,
                            b);
    }
    *out = a * b;
    return SHOAL_OK;
}

shoal_status shoal_i_size_add(shoal_ctx *ctx, size_t *out, size_t a, size_t b)
{
    if (a > SIZE_MAX - b) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT, "%zu plus %zu is more than memory can hold.", a,
                            b);
    }
    *out = a + b;
    return SHOAL_OK;
}

bool shoal_i_is_cancelled(const shoal_ctx *ctx)
{
    const shoal_ctx *root = ctx->root ? ctx->root : ctx;

    return (root->cancel && __atomic_load_n(root->cancel, __ATOMIC_RELAXED) != 0) ||
           shoal_i_clock_is_over(ctx->deadline);
}

shoal_status shoal_i_check_cancelled(shoal_ctx *ctx)
{
    if (shoal_i_is_cancelled(ctx)) {
        return shoal_i_fail(ctx, SHOAL_ECANCELLED, "Stopped on request.");
    }
    return SHOAL_OK;
}

shoal_status shoal_i_progress(shoal_ctx *ctx, const char *stage, double fraction)
{
    if (ctx->worker == 0 && ctx->progress &&
        !ctx->progress(ctx->progress_payload, stage, fraction)) {
        return shoal_i_fail(ctx, SHOAL_ECANCELLED, "Stopped on request.");
    }
    return shoal_i_check_cancelled(ctx);
}

shoal_status shoal_i_meter_add(shoal_ctx *ctx, shoal_i_meter *meter, uint64_t amount)
{
    uint64_t done = __atomic_add_fetch(&meter->done, amount, __ATOMIC_RELAXED);

    if (ctx->worker != 0 || (done - meter->shown) * 100 < meter->total) {
        return shoal_i_check_cancelled(ctx);
    }
    meter->shown = done;
    return shoal_i_progress(ctx, meter->stage, (double)done / (double)meter->total);
}
