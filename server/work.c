/* The private folder: made, locked, removed. */
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define BEGINNING "shoal-serve-"
#define LOCK "lock"
#define DEPTH_MAX 8

/* Where temporary files go, as of the rest of the program. */
static const char *find_place(void)
{
    static const char *const names[] = {"SHOAL_TMPDIR", "TMPDIR"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *place = getenv(names[i]);

        if (place && place[0] == '/') {
            return place;
        }
    }
    return "/tmp";
}

/* Remove what is in a folder, which is closed. Links are removed, never followed. */
static void remove_entries(int folder, int depth)
{
    DIR *stream = depth < DEPTH_MAX ? fdopendir(folder) : NULL;
    const struct dirent *entry = NULL;

    if (!stream) {
        close(folder);
        return;
    }
    while ((entry = readdir(stream)) != NULL) {
        const char *name = entry->d_name;

        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            unlinkat(folder, name, 0) == 0) {
            continue;
        }
        int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

        if (inner >= 0) {
            remove_entries(inner, depth + 1);
            (void)unlinkat(folder, name, AT_REMOVEDIR);
        }
    }
    closedir(stream);
}

void server_remove_folder(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (folder >= 0) {
        remove_entries(folder, 0);
        (void)rmdir(path);
    }
}

/* Whether a folder is this user's, and its server is gone; its lock is then held by *lock. */
static bool is_leftover(int place, const char *name, int *lock)
{
    struct stat info;

    if (strncmp(name, BEGINNING, strlen(BEGINNING)) != 0 ||
        strlen(name) != strlen(BEGINNING) + 6 ||
        fstatat(place, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(info.st_mode) ||
        info.st_uid != geteuid() || (info.st_mode & 07777) != 0700) {
        return false;
    }
    int folder = openat(place, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    *lock = folder < 0 ? -1 : openat(folder, LOCK, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0) {
        close(folder);
    }
    if (*lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) != 0) {
        close(*lock);
        *lock = -1;
    }
    return *lock >= 0;
}

static void remove_leftovers(const char *place)
{
    char path[SERVER_PATH_MAX];
    DIR *stream = opendir(place);
    const struct dirent *entry = NULL;

    while (stream && (entry = readdir(stream)) != NULL) {
        int lock = -1;

        if (is_leftover(dirfd(stream), entry->d_name, &lock)) {
            snprintf(path, sizeof path, "%s/%s", place, entry->d_name);
            server_remove_folder(path);
            close(lock);
        }
    }
    if (stream) {
        closedir(stream);
    }
}

/* A folder gets the name that others look for only when it is locked. */
static bool make_locked(const char *made, const char *work, int *lock)
{
    char path[SERVER_PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", made, LOCK);
    *lock = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (*lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) == 0 && rename(made, work) == 0) {
        snprintf(path, sizeof path, "%s/jobs", work);
        bool is_made = mkdir(path, 0700) == 0;

        snprintf(path, sizeof path, "%s/uploads", work);
        return mkdir(path, 0700) == 0 && is_made;
    }
    return false;
}

bool server_work_open(char **out, int *lock, char *message, size_t size)
{
    const char *place = find_place();
    char made[SERVER_PATH_MAX / 2];
    char work[SERVER_PATH_MAX / 2];

    *out = NULL;
    *lock = -1;
    if (strlen(place) > sizeof made - 64) {
        snprintf(message, size, "The name of the folder for temporary files is too long.");
        return false;
    }
    remove_leftovers(place);
    snprintf(made, sizeof made, "%s/.shoal-new-XXXXXX", place);
    if (!mkdtemp(made)) {
        snprintf(message, size, "No private folder can be made in %s: %s.", place,
                 strerror(errno));
        return false;
    }
    snprintf(work, sizeof work, "%s/%s%s", place, BEGINNING, made + strlen(made) - 6);
    if (make_locked(made, work, lock) && (*out = strdup(work)) != NULL) {
        return true;
    }
    snprintf(message, size, "No private folder can be made in %s: %s.", place, strerror(errno));
    server_remove_folder(made);
    server_work_close(strdup(work), *lock);
    *lock = -1;
    return false;
}

void server_work_close(char *work, int lock)
{
    if (work) {
        server_remove_folder(work);
    }
    if (lock >= 0) {
        close(lock);
    }
    free(work);
}
