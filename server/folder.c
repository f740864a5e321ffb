#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRIES_MAX 1000

/* --- What may be named. ------------------------------------------------------------------- */

static bool has_control(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7F) {
            return true;
        }
    }
    return false;
}

bool server_is_name(const char *name)
{
    size_t length = strlen(name);

    return length > 0 && length <= SERVER_NAME_MAX && name[0] != '.' && !strchr(name, '/') &&
           strcmp(name, "-") != 0 && !has_control(name);
}

const char *server_path_fault(const char *path)
{
    if (!path[0] || strlen(path) >= SERVER_PATH_MAX || has_control(path)) {
        return "it is no name of a file";
    }
    if (strcmp(path, "-") == 0) {
        return "it stands for a stream";
    }
    if (path[0] == '/') {
        return "it does not start from the folder that is served";
    }
    for (const char *at = path; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL) {
        if (at[0] == '.' && !(at[1] == '/' && at == path)) {
            return at[1] == '.' ? "it leads upwards" : "it is hidden";
        }
        if (at[0] == '/' || (at[0] == '\0' && at != path)) {
            return "it is no name of a file";
        }
    }
    return NULL;
}

/* Whether what a path leads to, symbolic links followed, is inside the folder. */
static bool is_inside(const server *s, const char *path)
{
    char *real = realpath(path, NULL);
    size_t length = strlen(s->folder);
    bool is_root = strcmp(s->folder, "/") == 0;
    bool is = real && strncmp(real, s->folder, length) == 0 &&
              (is_root || real[length] == '/' || real[length] == '\0');

    free(real);
    return is;
}

static bool refuse_path(server_reply *reply, const char *path, const char *fault)
{
    return server_refuse(reply, 403, "forbidden",
                         "\"%.200s\" cannot be used: %s. Files are named from the folder that "
                         "is served.",
                         path, fault);
}

bool server_check_input(const server *s, server_reply *reply, const char *path,
                        const char *what)
{
    const char *fault = server_path_fault(path);
    struct stat info;

    if (fault) {
        return refuse_path(reply, path, fault);
    }
    if (stat(path, &info) != 0) {
        return server_refuse(reply, 404, "not_found", "%s \"%.200s\" is not there: %s.", what,
                             path, strerror(errno));
    }
    if (!is_inside(s, path)) {
        return refuse_path(reply, path, "it leads out of the folder");
    }
    return S_ISREG(info.st_mode) ||
           server_refuse(reply, 422, "invalid", "\"%.200s\" is not a file.", path);
}

bool server_check_output(const server *s, server_reply *reply, const char *path,
                         bool may_replace)
{
    char folder[SERVER_PATH_MAX + 2];
    const char *fault = server_path_fault(path);
    const char *slash = strrchr(path, '/');
    struct stat info;

    if (fault) {
        return refuse_path(reply, path, fault);
    }
    snprintf(folder, sizeof folder, "./%.*s", slash ? (int)(slash - path) : 0, path);
    if (!is_inside(s, folder)) {
        return refuse_path(reply, path, "its folder is not there or leads out of this one");
    }
    if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return refuse_path(reply, path, "there is something else than a file");
    }
    if (lstat(path, &info) == 0 && !may_replace) {
        return server_refuse(reply, 409, "conflict", "\"%.200s\" is there already.", path);
    }
    return true;
}

/* --- What is there. ----------------------------------------------------------------------- */

static bool ends_with(const char *name, size_t length, const char *ending)
{
    size_t size = strlen(ending);

    return length > size && strncmp(name + length - size, ending, size) == 0;
}

static const char *name_kind(const char *name, bool is_folder)
{
    size_t length = strlen(name);
    bool is_packed = ends_with(name, length, ".gz") || ends_with(name, length, ".zst");
    size_t bare = is_packed ? (size_t)(strrchr(name, '.') - name) : length;

    if (is_folder) {
        return "folder";
    }
    if (ends_with(name, bare, ".csv") || ends_with(name, bare, ".tsv") ||
        ends_with(name, bare, ".txt")) {
        return "table";
    }
    return ends_with(name, length, ".yaml") || ends_with(name, length, ".yml") ? "spec"
                                                                               : "other";
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of a folder that are not hidden, sorted; how many, and how many more there are. */
static char **read_names(DIR *folder, size_t *count, size_t *more)
{
    char **names = calloc(ENTRIES_MAX, sizeof *names);
    const struct dirent *entry = NULL;

    *count = 0;
    *more = 0;
    while (names && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.' || has_control(entry->d_name)) {
            continue;
        }
        if (*count == ENTRIES_MAX) {
            ++*more;
        } else if ((names[*count] = strdup(entry->d_name)) != NULL) {
            ++*count;
        }
    }
    if (names) {
        qsort(names, *count, sizeof *names, compare_names);
    }
    return names;
}

static void add_entry(const server *s, server_body *b, json_t *entries, const char *folder,
                      const char *name)
{
    char path[SERVER_PATH_MAX + NAME_MAX + 2];
    struct stat info;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (stat(path, &info) != 0 || !is_inside(s, path) ||
        !(S_ISREG(info.st_mode) || S_ISDIR(info.st_mode))) {
        return;
    }
    json_t *entry = json_object();

    server_body_put(b, entry, "name", server_body_text(name));
    server_body_put(b, entry, "kind", server_body_text(name_kind(name, S_ISDIR(info.st_mode))));
    server_body_put(b, entry, "bytes", server_body_count((uint64_t)info.st_size));
    server_body_add(b, entries, entry);
}

void server_list_folder(server *s, server_request *request, server_reply *reply)
{
    const char *path = server_argument_of(request, "path");
    const char *folder = path && path[0] ? path : ".";
    const char *fault = folder == path ? server_path_fault(path) : NULL;
    size_t count = 0;
    size_t more = 0;

    if (fault) {
        refuse_path(reply, path, fault);
        return;
    }
    DIR *stream = is_inside(s, folder) ? opendir(folder) : NULL;

    if (!stream) {
        server_refuse(reply, 404, "not_found",
                      "There is no such folder in the one that is served.");
        return;
    }
    char **names = read_names(stream, &count, &more);
    server_body b = server_body_begin();
    json_t *entries = json_array();

    closedir(stream);
    b.has_failed |= !names;
    for (size_t i = 0; i < count; i++) {
        add_entry(s, &b, entries, folder, names[i]);
        free(names[i]);
    }
    free(names);
    server_body_put(&b, b.root, "path", server_body_text(path ? path : ""));
    server_body_put(&b, b.root, "entries", entries);
    server_body_put(&b, b.root, "more", server_body_count(more));
    server_body_send(&b, reply, 200);
}

/* --- Writing. ----------------------------------------------------------------------------- */

bool server_refuse_write(server_reply *reply, const char *path, int code)
{
    if (code == ENOSPC || code == EDQUOT || code == EFBIG) {
        return server_refuse(reply, 507, "full",
                             "The disk is full; \"%.200s\" was not written.", path);
    }
    return server_refuse(reply, 500, "io", "\"%.200s\" cannot be written: %s.", path,
                         strerror(code));
}

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);

        if (written < 0 && errno != EINTR) {
            return false;
        }
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
    return true;
}

/* A new file beside the target, in its folder. */
static int open_beside(char *beside, size_t size, const char *path, bool is_private)
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    char key[13];

    if (!server_draw(key, sizeof key)) {
        return -1;
    }
    snprintf(beside, size, "%.*s.shoal-%s", folder, path, key);
    return open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                is_private ? 0600 : 0666);
}

/* Give the file its name, or remove it; errno stays that of the failure. */
static bool finish_file(int fd, const char *beside, const char *path, bool is_good)
{
    is_good = is_good && fsync(fd) == 0;
    is_good = close(fd) == 0 && is_good && rename(beside, path) == 0;
    if (!is_good) {
        int code = errno;

        (void)unlink(beside);
        errno = code;
    }
    return is_good;
}

bool server_write_file(const char *path, const char *bytes, size_t size, bool is_private)
{
    char beside[SERVER_PATH_MAX + 32];
    int fd = open_beside(beside, sizeof beside, path, is_private);

    return fd >= 0 && finish_file(fd, beside, path, write_all(fd, bytes, size));
}

bool server_copy_file(const char *from, const char *to)
{
    char beside[SERVER_PATH_MAX + 32];
    char block[65536];
    ssize_t got = 0;
    bool is_good = true;
    int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    int fd = in >= 0 ? open_beside(beside, sizeof beside, to, false) : -1;

    while (fd >= 0 && is_good && (got = read(in, block, sizeof block)) != 0) {
        is_good = got > 0 ? write_all(fd, block, (size_t)got) : errno == EINTR;
    }
    is_good = fd >= 0 && finish_file(fd, beside, to, is_good);
    if (in >= 0) {
        close(in);
    }
    return is_good;
}
