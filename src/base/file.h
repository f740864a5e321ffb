/* file.h -- reading a file in blocks, and publishing a file whole or not at all.
 *
 * Files may be packed: what is read is unpacked where its first bytes tell so, what is written
 * is packed where the ending of its name (.gz, .zst) asks for it.
 *
 * An output is written beside its target under a temporary name that only the owner
 * may read, and takes the target's name when it is complete:
 *
 *     shoal_i_output_open(ctx, &out, "release.csv");
 *     shoal_i_output_write(ctx, out, bytes, size);    any number of times
 *     shoal_i_output_publish(ctx, out);               permissions, fsync, rename
 *     shoal_i_output_free(out);                       unpublished: nothing is left
 *
 * A process that is killed leaves the temporary file; the next run that writes into the same
 * folder removes it (leftovers.h).
 *
 * What cannot be renamed onto ("-", the standard output; a pipe; a device) is collected in a
 * temporary file without a name, so that it too can be checked before anything is published,
 * and copied at publish. A target that is a symbolic link stays one: its file is replaced.
 */
#ifndef SHOAL_I_FILE_H
#define SHOAL_I_FILE_H

#include "fail.h"

typedef struct shoal_i_input shoal_i_input;

/* Open for reading; "-" is the standard input. What is packed by gzip or zstd, as its first
 * bytes tell, is unpacked as it is read (compress/unpack.h). SHOAL_ENOTFOUND, SHOAL_EIO (a
 * folder, no permission). */
shoal_status shoal_i_input_open(shoal_ctx *ctx, shoal_i_input **out, const char *path);

/* The same without unpacking. */
shoal_status shoal_i_input_open_raw(shoal_ctx *ctx, shoal_i_input **out, const char *path);

/* The same of bytes in memory, which stay the caller's and must stay there; the name is for
 * messages. */
shoal_status shoal_i_input_open_bytes(shoal_ctx *ctx, shoal_i_input **out, const char *bytes,
                                      size_t size, const char *name);
void shoal_i_input_free(shoal_i_input *input);

/* Read up to capacity bytes; *got is less than that only at the end of the input. SHOAL_EIO;
 * of what is packed SHOAL_EFORMAT (broken, cut off), SHOAL_ELIMIT (compress/unpack.h). */
shoal_status shoal_i_input_read(shoal_ctx *ctx, size_t *got, shoal_i_input *input, char *bytes,
                                size_t capacity);

/* Its name for messages: the path, or "standard input". Borrowed. */
const char *shoal_i_input_name(const shoal_i_input *input);

/* Size of the file, 0 when it is not known (a pipe); how much of it has been read. Of what is
 * packed: as it lies there. */
uint64_t shoal_i_input_size(const shoal_i_input *input);
uint64_t shoal_i_input_taken(const shoal_i_input *input);

/* The whole of a file of at most max bytes, with a NUL behind it; free() *bytes. */
shoal_status shoal_i_input_read_all(shoal_ctx *ctx, char **bytes, size_t *size,
                                    const char *path, size_t max);

/* Whether there is a file, or anything else, of that name. */
bool shoal_i_is_there(const char *path);

/* Whether both paths name the same existing file. */
bool shoal_i_is_same_file(const char *a, const char *b);

/* Whether the path names a file that can be read again, not a pipe, a device or a folder. */
bool shoal_i_is_regular_file(const char *path);

typedef struct shoal_i_output shoal_i_output;

/* SHOAL_ENOTFOUND: no such folder. SHOAL_EIO: no permission, a folder, a full disk. */
shoal_status shoal_i_output_open(shoal_ctx *ctx, shoal_i_output **out, const char *path);

/* The same; what goes to a pipe or a device is collected in a nameless file of this folder.
 * NULL: where the system keeps temporary files. */
shoal_status shoal_i_output_open_by(shoal_ctx *ctx, shoal_i_output **out, const char *path,
                                    const char *temporary);
shoal_status shoal_i_output_write(shoal_ctx *ctx, shoal_i_output *output, const void *bytes,
                                  size_t size);

/* Have the system give up what it keeps in memory of the file that will be replaced, so that
 * the new one takes its place there. The old file itself stays as it is. Before much is
 * written; what cannot be given up is kept. */
void shoal_i_output_make_room(const shoal_i_output *output);

/* Nothing more is to come: what packing holds back goes to the file. Publishing does it, too;
 * who reads back before calls it first. Again: nothing happens. */
shoal_status shoal_i_output_end(shoal_ctx *ctx, shoal_i_output *output);

/* Where the unpublished bytes can be read back: a path, valid until publish or free. All that
 * was written is readable there; what is packed, when it has ended. */
const char *shoal_i_output_temporary(const shoal_i_output *output);

/* Wait until what was written is on its device: what takes long about publishing. */
shoal_status shoal_i_output_sync(shoal_ctx *ctx, shoal_i_output *output);

/* Make it durable and give it its name, with the permissions of the file it replaces or, if
 * there was none, those a new file has under the umask. */
shoal_status shoal_i_output_publish(shoal_ctx *ctx, shoal_i_output *output);
void shoal_i_output_free(shoal_i_output *output);

/* The file that a symbolic link led to, which is replaced; NULL: the path is no link.
 * Borrowed. */
const char *shoal_i_output_linked(const shoal_i_output *output);

/* Whether it is a file that takes its name at publish, not a pipe or a device. */
bool shoal_i_output_is_renamed(const shoal_i_output *output);

/* Publish two outputs, both or neither: when the second step fails, what the companion had
 * replaced is put back. The companion must be one that is renamed. (A machine that stops
 * between two renames leaves the new companion beside the old output.) Those who publish pairs
 * into the same folder wait for each other. */
shoal_status shoal_i_output_publish_pair(shoal_ctx *ctx, shoal_i_output *output,
                                         shoal_i_output *companion);

/* Nobody but its owner may read or write the file, be it new or not. Before it is published. */
void shoal_i_output_make_private(shoal_i_output *output);

/* Open, write and publish in one call. */
shoal_status shoal_i_output_write_all(shoal_ctx *ctx, const char *path, const void *bytes,
                                      size_t size, bool is_private);

#endif /* SHOAL_I_FILE_H */
