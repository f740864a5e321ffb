/* spool.h -- bytes that do not fit in memory: a temporary file without a name.
 *
 *     shoal_i_spool_open(ctx, &spool, "/var/tmp");
 *     shoal_i_spool_write(ctx, spool, bytes, size);          any number of times
 *     shoal_i_spool_read(ctx, spool, offset, bytes, size);   what was written, at any place
 *     shoal_i_spool_free(spool);                             nothing is left
 *
 * The file has no name from the start on (or, where the file system cannot do that, from right
 * after it was made) and only the owner may read it: whatever ends the process, the system
 * takes the file back.
 *
 * A spool belongs to one thread at a time.
 */
#ifndef SHOAL_I_SPOOL_H
#define SHOAL_I_SPOOL_H

#include "fail.h"

typedef struct shoal_i_spool shoal_i_spool;

/* folder is borrowed; NULL: where the system keeps temporary files. SHOAL_ENOTFOUND: no such
 * folder. SHOAL_EIO: no permission, a full disk. */
shoal_status shoal_i_spool_open(shoal_ctx *ctx, shoal_i_spool **out, const char *folder);
void shoal_i_spool_free(shoal_i_spool *spool);

/* Append. SHOAL_EIO naming the folder when it is full. */
shoal_status shoal_i_spool_write(shoal_ctx *ctx, shoal_i_spool *spool, const void *bytes,
                                 size_t size);

/* Write at a place, within what was written or behind it; what lies between is unknown until it
 * is written too. Unbuffered: for blocks of some size. */
shoal_status shoal_i_spool_place(shoal_ctx *ctx, shoal_i_spool *spool, uint64_t offset,
                                 const void *bytes, size_t size);

/* Read what was written from offset on; all of it must have been. */
shoal_status shoal_i_spool_read(shoal_ctx *ctx, shoal_i_spool *spool, uint64_t offset,
                                void *bytes, size_t size);

/* Bytes written so far. */
uint64_t shoal_i_spool_size(const shoal_i_spool *spool);

#endif /* SHOAL_I_SPOOL_H */
