/* file_system.h -- what reading and publishing files share: opening them, and wording what the
 * system refused. */
#ifndef SHOAL_I_FILE_SYSTEM_H
#define SHOAL_I_FILE_SYSTEM_H

#include "fail.h"

#include <string.h>

/* Word what the system refused: "Cannot read the file: permission was denied." */
shoal_status shoal_i_fail_system(shoal_ctx *ctx, const char *action, int error,
                                 const char *path);

/* Wait until a file has something to be read, or room for PIPE_BUF bytes, or is at its end, or
 * until the caller says stop. What lies on a disk is always ready. */
shoal_status shoal_i_wait_for(shoal_ctx *ctx, int fd, bool is_output);

/* Open a file, to be read or to be written. A pipe to write to is waited for until somebody
 * reads it, or until the caller says stop; one to read from is waited for when it is read. */
shoal_status shoal_i_open_file(shoal_ctx *ctx, int *fd, const char *action, const char *path,
                               int flags);

/* Whether a path stands for standard input or output. */
static inline bool shoal_i_is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

#endif /* SHOAL_I_FILE_SYSTEM_H */
