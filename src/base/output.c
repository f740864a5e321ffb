#ifdef __linux__
#define _GNU_SOURCE /* sync_file_range */
#endif

#include "file.h"

#include "buffer.h"
#include "compress/pack.h"
#include "file_system.h"
#include "leftovers.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes between two requests to start writing back; few enough that the device is busy early,
 * many enough that the requests cost nothing. */
#define WRITE_BACK_STEP ((uint64_t)8 << 20)
#define PROC_PATH_MAX 32
#define COPY_BLOCK ((size_t)256 * 1024)
#define RANDOM_END "XXXXXX"
#define TRIES_MAX 16
#define NAME_KEPT_MAX SHOAL_I_LEFTOVERS_NAME_MAX

struct shoal_i_output {
    int fd;
    char *path;   /* the target as the user named it, for messages */
    char *target; /* where the file goes, symbolic links followed; NULL: the bytes are copied */
    char *temporary;      /* a path that leads to the unpublished bytes */
    bool is_linked;       /* the temporary is a name that must be removed */
    bool is_through_link; /* the path is a symbolic link to the target */
    mode_t mode;          /* of a target that exists, 0 for a new one */
    uint64_t written;
    uint64_t started; /* bytes that are on their way to the device */
    char *collected;  /* the folder where bytes wait to be copied; NULL: they are renamed */
    shoal_i_packer *packer; /* NULL: the bytes are written as they come */
};

/* The offset of the last part of a path. */
static size_t find_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Make a file with a random end of its name, XXXXXX in the pattern, and claim it. Another run
 * may take it for a leftover before it is claimed, and remove it: then the next name is tried,
 * a few times at most. */
static int make_claimed(char *pattern)
{
    size_t end = strlen(pattern) - strlen(RANDOM_END);
    int fd = -1;

    for (int tries = 0; tries < TRIES_MAX; tries++) {
        memcpy(pattern + end, RANDOM_END, strlen(RANDOM_END));
        fd = mkostemp(pattern, O_CLOEXEC);
        if (fd < 0 || shoal_i_leftovers_claim(fd)) {
            return fd;
        }
        unlink(pattern);
        close(fd);
    }
    errno = EAGAIN;
    return -1;
}

/* Create a file that only the owner may read: "<folder>.<name>.shoal-XXXXXX", the end random.
 */
static shoal_status create_temporary(shoal_ctx *ctx, shoal_i_output *output, const char *folder,
                                     size_t folder_length, const char *name)
{
    shoal_status st = SHOAL_OK;
    size_t name_length = strlen(name);
    shoal_i_buffer path;

    shoal_i_buffer_init(&path, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_put(&path, folder, folder_length);
    shoal_i_buffer_char(&path, '.');
    shoal_i_buffer_put(&path, name, name_length < NAME_KEPT_MAX ? name_length : NAME_KEPT_MAX);
    shoal_i_buffer_text(&path, ".shoal-" RANDOM_END);
    SHOAL_TRY(shoal_i_buffer_take(&output->temporary, &path));
    output->fd = make_claimed(output->temporary);
    if (output->fd < 0) {
        const char *action = errno == ENOENT ? "write the output; create its folder first"
                                             : "create a file in the folder of the output";

        return output->collected ? shoal_i_fail_system(ctx, "create a temporary file", errno,
                                                       output->collected)
                                 : shoal_i_fail_system(ctx, action, errno, output->path);
    }
    output->is_linked = true;
done:
    return st;
}

/* For what cannot be renamed onto, a pipe or a device: collect the bytes in a file without a
 * name, which not even a crash leaves behind. Where such a file cannot be opened again, it
 * keeps its name until the output is freed. */
static shoal_status open_for_copy(shoal_ctx *ctx, shoal_i_output *output, const char *temporary)
{
    shoal_i_buffer folder;

    shoal_i_buffer_init(&folder, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_text(&folder, temporary ? temporary : P_tmpdir);
    shoal_i_buffer_char(&folder, '/');
    shoal_status st = shoal_i_buffer_take(&output->collected, &folder);

    if (st == SHOAL_OK) {
        st = create_temporary(ctx, output, output->collected, strlen(output->collected),
                              "output");
    }
    char *reopened = st == SHOAL_OK ? shoal_i_alloc(ctx, PROC_PATH_MAX, 1) : NULL;

    if (!reopened) {
        return st == SHOAL_OK ? SHOAL_ENOMEM : st;
    }
    snprintf(reopened, PROC_PATH_MAX, "/proc/self/fd/%d", output->fd);
    if (access(reopened, R_OK) != 0) {
        free(reopened);
        return SHOAL_OK;
    }
    unlink(output->temporary);
    output->is_linked = false;
    free(output->temporary);
    output->temporary = reopened;
    return SHOAL_OK;
}

/* Remove what runs that were killed left beside this target. */
static shoal_status remove_leftovers(shoal_ctx *ctx, const shoal_i_output *output)
{
    size_t folder_length = find_name(output->target);
    size_t length = strlen(output->target + folder_length);
    shoal_i_buffer beginning;
    char *name = NULL;
    char *folder = shoal_i_strndup(ctx, output->target, folder_length);

    shoal_i_buffer_init(&beginning, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_char(&beginning, '.');
    shoal_i_buffer_put(&beginning, output->target + folder_length,
                       length < NAME_KEPT_MAX ? length : NAME_KEPT_MAX);
    shoal_i_buffer_text(&beginning, ".shoal-");
    shoal_status st = shoal_i_buffer_take(&name, &beginning);

    if (folder && name) {
        shoal_i_leftovers_remove(folder, name, output->target + folder_length);
    } else {
        st = SHOAL_ENOMEM;
    }
    free(folder);
    free(name);
    return st;
}

/* The temporary file lies beside the target: a rename cannot cross file systems. */
static shoal_status open_for_rename(shoal_ctx *ctx, shoal_i_output *output, const char *target)
{
    size_t name = find_name(target);

    output->target = shoal_i_strdup(ctx, target);
    if (!output->target) {
        return SHOAL_ENOMEM;
    }
    if (target[name] == '\0') {
        return shoal_i_fail_system(ctx, "write the output", name ? EISDIR : ENOENT,
                                   output->path);
    }
    if (remove_leftovers(ctx, output) != SHOAL_OK) {
        return SHOAL_ENOMEM;
    }
    return create_temporary(ctx, output, target, name, target + name);
}

/* A symbolic link stays, and the file it leads to is replaced. */
static shoal_status open_linked(shoal_ctx *ctx, shoal_i_output *output)
{
    char *target = realpath(output->path, NULL);

    if (!target) {
        return shoal_i_fail_system(ctx, "follow the symbolic link of the output", errno,
                                   output->path);
    }
    shoal_status st = open_for_rename(ctx, output, target);

    output->is_through_link = true;
    free(target);
    return st;
}

static shoal_status open_target(shoal_ctx *ctx, shoal_i_output *output, const char *temporary)
{
    struct stat info;
    struct stat link;

    if (shoal_i_is_standard(output->path)) {
        return open_for_copy(ctx, output, temporary);
    }
    bool is_link = lstat(output->path, &link) == 0 && S_ISLNK(link.st_mode);

    if (stat(output->path, &info) == 0) {
        if (S_ISDIR(info.st_mode)) {
            return shoal_i_fail_system(ctx, "write the output", EISDIR, output->path);
        }
        if (!S_ISREG(info.st_mode)) {
            return open_for_copy(ctx, output, temporary);
        }
        output->mode = info.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
    }
    return is_link ? open_linked(ctx, output) : open_for_rename(ctx, output, output->path);
}

shoal_status shoal_i_output_open(shoal_ctx *ctx, shoal_i_output **out, const char *path)
{
    return shoal_i_output_open_by(ctx, out, path, NULL);
}

static shoal_status write_bytes(shoal_ctx *ctx, void *payload, const void *bytes, size_t size);

/* Pack what the name of the target says is packed. */
static shoal_status open_packer(shoal_ctx *ctx, shoal_i_output *output)
{
    const shoal_i_codec *codec = shoal_i_codec_of_name(output->path);

    return codec ? shoal_i_packer_open(ctx, &output->packer, codec, write_bytes, output)
                 : SHOAL_OK;
}

shoal_status shoal_i_output_open_by(shoal_ctx *ctx, shoal_i_output **out, const char *path,
                                    const char *temporary)
{
    shoal_status st = SHOAL_OK;
    shoal_i_output *output = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, output, 1);
    output->fd = -1;
    output->path = shoal_i_strdup(ctx, path);
    if (!output->path) {
        st = SHOAL_ENOMEM;
        goto done;
    }
    SHOAL_TRY(open_target(ctx, output, temporary));
    SHOAL_TRY(open_packer(ctx, output));
    *out = output;
    output = NULL;
done:
    shoal_i_output_free(output);
    return st;
}

/* Write at most `step` bytes at a time. */
static shoal_status write_fully(shoal_ctx *ctx, int fd, const char *bytes, size_t size,
                                size_t step, const char *path)
{
    while (size > 0) {
        if (shoal_i_wait_for(ctx, fd, true) != SHOAL_OK) {
            return SHOAL_ECANCELLED;
        }
        ssize_t count = write(fd, bytes, size < step ? size : step);

        if (count >= 0) {
            bytes += count;
            size -= (size_t)count;
        } else if (errno != EINTR) {
            return shoal_i_fail_system(ctx, "write the output", errno, path);
        }
    }
    return SHOAL_OK;
}

/* Let the device work while the rest is being made, so that little is left for the fsync. Only
 * for what will be renamed: a file that is copied need not survive. */
static void start_write_back(shoal_i_output *output)
{
#ifdef __linux__
    if (output->target && output->written - output->started >= WRITE_BACK_STEP) {
        sync_file_range(output->fd, (off_t)output->started,
                        (off_t)(output->written - output->started), SYNC_FILE_RANGE_WRITE);
        output->started = output->written;
    }
#else
    (void)output;
#endif
}

static shoal_status write_bytes(shoal_ctx *ctx, void *payload, const void *bytes, size_t size)
{
    shoal_i_output *output = payload;
    shoal_status st = write_fully(ctx, output->fd, bytes, size, size,
                                  output->collected ? output->collected : output->path);

    if (st == SHOAL_OK) {
        output->written += size;
        start_write_back(output);
    }
    return st;
}

shoal_status shoal_i_output_write(shoal_ctx *ctx, shoal_i_output *output, const void *bytes,
                                  size_t size)
{
    return output->packer ? shoal_i_packer_write(ctx, output->packer, bytes, size)
                          : write_bytes(ctx, output, bytes, size);
}

void shoal_i_output_make_room(const shoal_i_output *output)
{
    int fd = output->target ? open(output->target, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;

    if (fd >= 0) {
        (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        close(fd);
    }
}

shoal_status shoal_i_output_end(shoal_ctx *ctx, shoal_i_output *output)
{
    return output->packer ? shoal_i_packer_end(ctx, output->packer) : SHOAL_OK;
}

const char *shoal_i_output_temporary(const shoal_i_output *output)
{
    return output->temporary;
}

/* The permissions a new file gets here. umask() could only be read by changing it, which other
 * threads would notice; so a file is made to see. It is empty: nobody learns anything from it.
 */
static shoal_status find_new_mode(shoal_ctx *ctx, mode_t *mode, const shoal_i_output *output)
{
    shoal_status st = SHOAL_OK;
    struct stat info;
    shoal_i_buffer path;
    char *probe = NULL;
    int fd = -1;

    shoal_i_buffer_init(&path, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_text(&path, output->temporary);
    shoal_i_buffer_text(&path, SHOAL_I_LEFTOVERS_MODE);
    SHOAL_TRY(shoal_i_buffer_take(&probe, &path));
    fd = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 || fstat(fd, &info) != 0) {
        SHOAL_TRY(shoal_i_fail_system(ctx, "create a file in the folder of the output", errno,
                                      output->path));
    }
    *mode = info.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
done:
    if (fd >= 0) {
        close(fd);
        unlink(probe);
    }
    free(probe);
    return st;
}

/* Make the rename durable. A file system that cannot is not asked twice: the file is complete
 * and in its place. */
static void sync_folder(char *path)
{
    size_t name = find_name(path);

    path[name] = '\0';
    int fd = open(name ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

/* Make it durable under its temporary name, with its permissions: all that can fail before the
 * rename. */
static shoal_status settle(shoal_ctx *ctx, shoal_i_output *output)
{
    mode_t mode = output->mode;

    if (mode == 0) {
        shoal_status st = find_new_mode(ctx, &mode, output);

        if (st != SHOAL_OK) {
            return st;
        }
    }
    if (fchmod(output->fd, mode) != 0 || fsync(output->fd) != 0) {
        return shoal_i_fail_system(ctx, "write the output", errno, output->path);
    }
    return SHOAL_OK;
}

static shoal_status rename_to_target(shoal_ctx *ctx, shoal_i_output *output)
{
    if (rename(output->temporary, output->target) != 0) {
        return shoal_i_fail_system(ctx, "give the output its name", errno, output->path);
    }
    output->is_linked = false;
    return SHOAL_OK;
}

static shoal_status publish_by_rename(shoal_ctx *ctx, shoal_i_output *output)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(settle(ctx, output));
    SHOAL_TRY(rename_to_target(ctx, output));
    sync_folder(output->target); /* its last use: the name is cut off */
done:
    return st;
}

static shoal_status copy_to(shoal_ctx *ctx, shoal_i_output *output, int to)
{
    shoal_status st = SHOAL_OK;
    char *block = NULL;
    uint64_t copied = 0;
    struct stat info;
    /* A pipe that is ready has room for so much; more of it could wait with no way to stop. */
    size_t step = fstat(to, &info) == 0 && S_ISREG(info.st_mode) ? COPY_BLOCK : PIPE_BUF;

    block = shoal_i_alloc_raw(ctx, COPY_BLOCK, 1);
    if (!block) {
        return SHOAL_ENOMEM;
    }
    while (copied < output->written) {
        ssize_t count = pread(output->fd, block, COPY_BLOCK, (off_t)copied);

        if (count <= 0) {
            SHOAL_TRY(shoal_i_fail_system(ctx, "read the output back", count ? errno : EIO,
                                          output->path));
        }
        SHOAL_TRY(write_fully(ctx, to, block, (size_t)count, step, output->path));
        copied += (uint64_t)count;
    }
done:
    free(block);
    return st;
}

static shoal_status publish_by_copy(shoal_ctx *ctx, shoal_i_output *output)
{
    if (shoal_i_is_standard(output->path)) {
        return copy_to(ctx, output, STDOUT_FILENO);
    }
    int to = -1;
    shoal_status st = shoal_i_open_file(ctx, &to, "write the output", output->path, O_WRONLY);

    if (st != SHOAL_OK) {
        return st;
    }
    st = copy_to(ctx, output, to);

    if (close(to) != 0 && st == SHOAL_OK) {
        st = shoal_i_fail_system(ctx, "write the output", errno, output->path);
    }
    return st;
}

shoal_status shoal_i_output_sync(shoal_ctx *ctx, shoal_i_output *output)
{
    shoal_status st = shoal_i_output_end(ctx, output);

    if (st == SHOAL_OK && output->target && fsync(output->fd) != 0) {
        return shoal_i_fail_system(ctx, "write the output", errno, output->path);
    }
    return st;
}

shoal_status shoal_i_output_publish(shoal_ctx *ctx, shoal_i_output *output)
{
    shoal_status st = shoal_i_output_end(ctx, output);

    if (st != SHOAL_OK) {
        return st;
    }
    return output->target ? publish_by_rename(ctx, output) : publish_by_copy(ctx, output);
}

/* --- Two together. ------------------------------------------------------------------------ */

const char *shoal_i_output_linked(const shoal_i_output *output)
{
    return output->is_through_link ? output->target : NULL;
}

bool shoal_i_output_is_renamed(const shoal_i_output *output)
{
    return output->target != NULL;
}

/* Keep what an output will replace under another name: a second link to it, or, where the file
 * system has none, the file itself. */
static shoal_status keep_replaced(shoal_ctx *ctx, const shoal_i_output *output,
                                  const char *kept)
{
    if (link(output->target, kept) != 0 && rename(output->target, kept) != 0) {
        return shoal_i_fail_system(ctx, "keep the file that the output replaces", errno,
                                   output->path);
    }
    return SHOAL_OK;
}

/* Undo a rename. What the system refuses now cannot be helped. */
static void put_back(const shoal_i_output *output, const char *kept)
{
    if (kept) {
        rename(kept, output->target);
    } else {
        unlink(output->target);
    }
}

/* The name under which the file is kept that an output replaces; NULL when it replaces none. A
 * folder is not replaced: the rename fails. */
static shoal_status name_kept(shoal_ctx *ctx, char **kept, const shoal_i_output *output)
{
    shoal_i_buffer path;
    struct stat info;

    *kept = NULL;
    if (lstat(output->target, &info) != 0 || !S_ISREG(info.st_mode)) {
        return SHOAL_OK;
    }
    shoal_i_buffer_init(&path, ctx, SHOAL_I_BUFFER_MAX);
    shoal_i_buffer_text(&path, output->temporary);
    shoal_i_buffer_text(&path, SHOAL_I_LEFTOVERS_KEPT);
    return shoal_i_buffer_take(kept, &path);
}

/* Lock the folder of an output against others who publish a pair there: two at once could leave
 * the one's file beside the other's. Where there are no locks (-1, or flock fails) it goes on
 * without. */
static shoal_status lock_folder(shoal_ctx *ctx, int *fd, const shoal_i_output *output)
{
    size_t name = find_name(output->target);
    char *folder = name ? shoal_i_strndup(ctx, output->target, name) : shoal_i_strdup(ctx, ".");

    if (!folder) {
        return SHOAL_ENOMEM;
    }
    *fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    while (*fd >= 0 && flock(*fd, LOCK_EX) != 0 && errno == EINTR) {
        if (shoal_i_is_cancelled(ctx)) {
            return shoal_i_check_cancelled(ctx);
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_i_output_publish_pair(shoal_ctx *ctx, shoal_i_output *output,
                                         shoal_i_output *companion)
{
    shoal_status st = SHOAL_OK;
    char *kept = NULL;
    int lock = -1;

    assert(companion->target);
    SHOAL_TRY(shoal_i_output_end(ctx, output));
    SHOAL_TRY(shoal_i_output_end(ctx, companion));
    SHOAL_TRY(lock_folder(ctx, &lock, companion));
    SHOAL_TRY(name_kept(ctx, &kept, companion));
    SHOAL_TRY(settle(ctx, companion));
    if (kept) {
        SHOAL_TRY(keep_replaced(ctx, companion, kept));
    }
    st = rename_to_target(ctx, companion);
    if (st == SHOAL_OK) {
        st = shoal_i_output_publish(ctx, output);
        if (st != SHOAL_OK) {
            put_back(companion, kept);
        }
    } else if (kept && access(companion->target, F_OK) != 0) {
        put_back(companion, kept);
    }
    if (kept) {
        unlink(kept); /* gone already when it was put back */
    }
    SHOAL_TRY(st);
    sync_folder(companion->target);
done:
    if (lock >= 0) {
        close(lock);
    }
    free(kept);
    return st;
}

void shoal_i_output_free(shoal_i_output *output)
{
    if (!output) {
        return;
    }
    if (output->fd >= 0) {
        close(output->fd);
    }
    if (output->is_linked) {
        unlink(output->temporary);
    }
    shoal_i_packer_free(output->packer);
    free(output->collected);
    free(output->temporary);
    free(output->target);
    free(output->path);
    free(output);
}

void shoal_i_output_make_private(shoal_i_output *output)
{
    output->mode = S_IRUSR | S_IWUSR;
}

shoal_status shoal_i_output_write_all(shoal_ctx *ctx, const char *path, const void *bytes,
                                      size_t size, bool is_private)
{
    shoal_status st = SHOAL_OK;
    shoal_i_output *output = NULL;

    SHOAL_TRY(shoal_i_output_open(ctx, &output, path));
    if (is_private) {
        shoal_i_output_make_private(output);
    }
    SHOAL_TRY(shoal_i_output_write(ctx, output, bytes, size));
    SHOAL_TRY(shoal_i_output_publish(ctx, output));
done:
    shoal_i_output_free(output);
    return st;
}
