#include "file_system.h"

#include <errno.h>
#include <fcntl.h>

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

shoal_status shoal_i_open_file(shoal_ctx *ctx, int *fd, const char *action, const char *path,
                               int flags)
{
    while ((*fd = open(path, flags | O_CLOEXEC)) < 0) {
        if (errno != EINTR) {
            return shoal_i_fail_system(ctx, action, errno, path);
        }
        if (shoal_i_check_cancelled(ctx) != SHOAL_OK) {
            return SHOAL_ECANCELLED;
        }
    }
    return SHOAL_OK;
}
