#include "file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *explain(int error)
{
    switch (error) {
    case ENOENT:
        return "there is no such file or folder";
    case ENOTDIR:
        return "a part of its path is not a folder";
    case EACCES:
    case EPERM:
        return "permission was denied";
    case EISDIR:
        return "it is a folder";
    case ENOSPC:
    case EDQUOT:
        return "the disk is full; free some space or choose another place";
    case EFBIG:
        return "the file would be larger than the system allows";
    case EROFS:
        return "it lies on a read-only file system; choose another place";
    case EMFILE:
    case ENFILE:
        return "too many files are open";
    case ENAMETOOLONG:
        return "the name is too long";
    case ELOOP:
        return "its symbolic links lead in a circle";
    case EPIPE:
        return "the reader at the other end has gone";
    case EIO:
        return "the device reported an error";
    case EBADF:
        return "it is closed";
    default:
        return NULL;
    }
}

shoal_status shoal_i_fail_system(shoal_ctx *ctx, const char *action, int error,
                                 const char *path)
{
    const char *reason = explain(error);
    shoal_status status = error == ENOENT ? SHOAL_ENOTFOUND : SHOAL_EIO;

    if (reason) {
        shoal_i_fail(ctx, status, "Cannot %s: %s.", action, reason);
    } else {
        shoal_i_fail(ctx, status, "Cannot %s: system error %d.", action, error);
    }
    return shoal_i_fail_in(ctx, path, 0, 0);
}

/* A flag may be set at any moment, by a thread that sends no signal or just before the system
 * is asked to wait; so nothing waits longer than this before the flag is looked at again. */
#define WAIT_MILLISECONDS 50

shoal_status shoal_i_wait_for(shoal_ctx *ctx, int fd, bool is_output)
{
    struct pollfd one = {.fd = fd, .events = is_output ? POLLOUT : POLLIN};
    int ready = 0;

    /* A system that refuses to wait would do so again: whoever reads or writes waits then. */
    do {
        if (shoal_i_check_cancelled(ctx) != SHOAL_OK) {
            return SHOAL_ECANCELLED;
        }
        ready = poll(&one, 1, WAIT_MILLISECONDS);
    } while (ready == 0 || (ready < 0 && errno == EINTR));
    return SHOAL_OK;
}

static bool is_pipe(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISFIFO(info.st_mode);
}

/* Whether a file that was opened without waiting may be had later: a pipe to write to when it
 * has a reader, a file that somebody holds by a lease when they give it up. */
static bool is_worth_waiting(const char *path, int error)
{
    return error == EWOULDBLOCK || (error == ENXIO && is_pipe(path));
}

/* A pipe that is opened without waiting can be read from at once, and be waited for; it cannot
 * be written to before it has a reader. */
static shoal_status open_unless_stopped(shoal_ctx *ctx, int *fd, const char *action,
                                        const char *path, int flags)
{
    while ((*fd = open(path, flags | O_NONBLOCK | O_CLOEXEC)) < 0) {
        int error = errno;

        if (error != EINTR && !is_worth_waiting(path, error)) {
            return shoal_i_fail_system(ctx, action, error, path);
        }
        if (shoal_i_check_cancelled(ctx) != SHOAL_OK) {
            return SHOAL_ECANCELLED;
        }
        if (error != EINTR) {
            (void)poll(NULL, 0, WAIT_MILLISECONDS);
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_i_open_file(shoal_ctx *ctx, int *fd, const char *action, const char *path,
                               int flags)
{
    shoal_status st = open_unless_stopped(ctx, fd, action, path, flags);

    if (st != SHOAL_OK) {
        return st;
    }
    int now = fcntl(*fd, F_GETFL);

    if (now < 0 || fcntl(*fd, F_SETFL, now & ~O_NONBLOCK) != 0) {
        st = shoal_i_fail_system(ctx, action, errno, path);
        close(*fd);
        *fd = -1;
    }
    return st;
}
