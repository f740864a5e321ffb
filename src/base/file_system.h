/* file_system.h -- what reading and publishing files share: opening them, and wording what the
 * system refused. */
#ifndef SHOAL_I_FILE_SYSTEM_H
#define SHOAL_I_FILE_SYSTEM_H

#include "fail.h"

#include <string.h>

/* Word what the system refused: "Cannot read the file: permission was denied." */
shoal_status shoal_i_fail_system(shoal_ctx *ctx, const char *action, int error,
                                 const char *path);

/* Open a file. A pipe is waited for until it has another end, or until the caller says stop. */
shoal_status shoal_i_open_file(shoal_ctx *ctx, int *fd, const char *action, const char *path,
                               int flags);

/* Whether a path stands for standard input or output. */
static inline bool shoal_i_is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

#endif /* SHOAL_I_FILE_SYSTEM_H */
