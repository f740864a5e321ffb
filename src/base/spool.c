#ifdef __linux__
#define _GNU_SOURCE /* O_TMPFILE */
#endif

#include "spool.h"

#include "buffer.h"
#include "file_system.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAITING_MAX ((size_t)64 * 1024)

struct shoal_i_spool {
    int fd;
    const char *folder;
    uint64_t stored;  /* bytes in the file */
    size_t waiting;   /* bytes behind them that are still in memory */
    char *wait_bytes; /* WAITING_MAX */
};

/* Where files cannot be made without a name: make one, and take its name away. */
static shoal_status open_named(shoal_ctx *ctx, shoal_i_spool *spool)
{
    shoal_status st = SHOAL_OK;
    shoal_i_buffer path;
    char *name = NULL;

    shoal_i_buffer_init(&path, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_text(&path, spool->folder);
    shoal_i_buffer_text(&path, "/.shoal-XXXXXX");
    SHOAL_TRY(shoal_i_buffer_take(&name, &path));
    spool->fd = mkostemp(name, O_CLOEXEC);
    if (spool->fd < 0) {
        SHOAL_TRY(shoal_i_fail_system(ctx, "create a temporary file", errno, spool->folder));
    }
    unlink(name);
done:
    free(name);
    return st;
}

static shoal_status open_unnamed(shoal_ctx *ctx, shoal_i_spool *spool)
{
#ifdef O_TMPFILE
    spool->fd = open(spool->folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (spool->fd >= 0) {
        return SHOAL_OK;
    }
#endif
    return open_named(ctx, spool);
}

shoal_status shoal_i_spool_open(shoal_ctx *ctx, shoal_i_spool **out, const char *folder)
{
    shoal_status st = SHOAL_OK;
    shoal_i_spool *spool = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, spool, 1);
    spool->fd = -1;
    spool->folder = folder ? folder : P_tmpdir;
    SHOAL_ALLOC(ctx, spool->wait_bytes, WAITING_MAX);
    SHOAL_TRY(open_unnamed(ctx, spool));
    *out = spool;
    spool = NULL;
done:
    shoal_i_spool_free(spool);
    return st;
}

void shoal_i_spool_free(shoal_i_spool *spool)
{
    if (spool) {
        if (spool->fd >= 0) {
            close(spool->fd);
        }
        free(spool->wait_bytes);
        free(spool);
    }
}

static shoal_status store_at(shoal_ctx *ctx, shoal_i_spool *spool, uint64_t offset,
                             const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t done = pwrite(spool->fd, bytes, size, (off_t)offset);

        if (done < 0 && errno != EINTR) {
            return shoal_i_fail_system(ctx, "write a temporary file", errno, spool->folder);
        }
        if (shoal_i_check_cancelled(ctx) != SHOAL_OK) {
            return SHOAL_ECANCELLED;
        }
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
            offset += (uint64_t)done;
        }
    }
    return SHOAL_OK;
}

static shoal_status store(shoal_ctx *ctx, shoal_i_spool *spool, const char *bytes, size_t size)
{
    shoal_status st = store_at(ctx, spool, spool->stored, bytes, size);

    spool->stored += st == SHOAL_OK ? size : 0;
    return st;
}

static shoal_status store_waiting(shoal_ctx *ctx, shoal_i_spool *spool)
{
    size_t size = spool->waiting;

    spool->waiting = 0;
    return store(ctx, spool, spool->wait_bytes, size);
}

shoal_status shoal_i_spool_write(shoal_ctx *ctx, shoal_i_spool *spool, const void *bytes,
                                 size_t size)
{
    shoal_status st = SHOAL_OK;

    if (size > WAITING_MAX - spool->waiting) {
        SHOAL_TRY(store_waiting(ctx, spool));
    }
    if (size > WAITING_MAX) {
        SHOAL_TRY(store(ctx, spool, bytes, size));
    } else if (size > 0) {
        memcpy(spool->wait_bytes + spool->waiting, bytes, size);
        spool->waiting += size;
    }
done:
    return st;
}

shoal_status shoal_i_spool_place(shoal_ctx *ctx, shoal_i_spool *spool, uint64_t offset,
                                 const void *bytes, size_t size)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(store_waiting(ctx, spool));
    SHOAL_TRY(store_at(ctx, spool, offset, bytes, size));
    if (offset + size > spool->stored) {
        spool->stored = offset + size;
    }
done:
    return st;
}

shoal_status shoal_i_spool_read(shoal_ctx *ctx, shoal_i_spool *spool, uint64_t offset,
                                void *bytes, size_t size)
{
    shoal_status st = SHOAL_OK;
    char *to = bytes;

    assert(offset + size <= shoal_i_spool_size(spool));
    SHOAL_TRY(store_waiting(ctx, spool));
    while (size > 0) {
        ssize_t got = pread(spool->fd, to, size, (off_t)offset);

        if (got == 0 || (got < 0 && errno != EINTR)) {
            SHOAL_TRY(shoal_i_fail_system(ctx, "read a temporary file back",
                                          got < 0 ? errno : EIO, spool->folder));
        }
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
        if (got > 0) {
            to += got;
            offset += (uint64_t)got;
            size -= (size_t)got;
        }
    }
done:
    return st;
}

uint64_t shoal_i_spool_size(const shoal_i_spool *spool)
{
    return spool->stored + spool->waiting;
}
