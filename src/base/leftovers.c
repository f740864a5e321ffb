#include "leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define RANDOM_LENGTH 6 /* of the end of a temporary name */
#define NAME_BYTES_MAX 255
#define MARK ".shoal-"

bool shoal_i_leftovers_claim(int fd)
{
    struct stat info;

    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        return errno != EWOULDBLOCK; /* where there are no locks, nobody removes anything */
    }
    return fstat(fd, &info) == 0 && info.st_nlink > 0;
}

/* Whether an open file is one that a run of this user made and left. Of another target than
 * that of this run it must be as it was made, for its owner only: less is known of it. */
static bool is_leftover(int fd, bool is_other)
{
    struct stat info;

    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
           (!is_other || (info.st_mode & (S_IRWXG | S_IRWXO)) == 0) &&
           flock(fd, LOCK_EX | LOCK_NB) == 0;
}

static void remove_if_left(int folder, const char *name, bool is_other)
{
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0) {
        return;
    }
    if (is_leftover(fd, is_other)) {
        unlinkat(folder, name, 0);
    }
    close(fd);
}

/* Whether a run has locked a file of this name. */
static bool is_in_use(int folder, const char *name)
{
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool is_used = fd < 0 ? errno != ENOENT : flock(fd, LOCK_EX | LOCK_NB) != 0;

    if (fd >= 0) {
        close(fd);
    }
    return is_used;
}

/* A file of permissions, which is there no longer than its temporary file. */
static void remove_mode(int folder, const char *name)
{
    char temporary[NAME_BYTES_MAX + 1];
    size_t length = strlen(name) - strlen(SHOAL_I_LEFTOVERS_MODE);

    if (length <= NAME_BYTES_MAX) {
        memcpy(temporary, name, length);
        temporary[length] = '\0';
        if (!is_in_use(folder, temporary)) {
            remove_if_left(folder, name, false);
        }
    }
}

/* A file that was to be replaced. It is there only while the folder is locked. */
static void restore_kept(int folder, const char *name, const char *target)
{
    struct stat info;

    if (flock(folder, LOCK_EX | LOCK_NB) != 0) {
        return;
    }
    if (fstatat(folder, target, &info, AT_SYMLINK_NOFOLLOW) == 0) {
        remove_if_left(folder, name, false);
    } else if (errno == ENOENT && fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
               S_ISREG(info.st_mode) && info.st_uid == geteuid()) {
        renameat(folder, name, folder, target);
    }
    flock(folder, LOCK_UN);
}

/* Where the random end of a temporary name begins; NULL: it is none. */
static const char *find_random_end(const char *name)
{
    const char *mark = NULL;

    for (const char *at = strstr(name, MARK); at; at = strstr(at + 1, MARK)) {
        mark = at;
    }
    if (name[0] != '.' || !mark || mark == name) {
        return NULL;
    }
    const char *end = mark + strlen(MARK);

    for (size_t i = 0; i < RANDOM_LENGTH; i++) {
        bool is_letter = (end[i] >= 'a' && end[i] <= 'z') || (end[i] >= 'A' && end[i] <= 'Z');

        if (!is_letter && !(end[i] >= '0' && end[i] <= '9')) {
            return NULL;
        }
    }
    return end;
}

/* What a run with another target left in the folder. What it was to replace goes back under the
 * name that the temporary one tells, unless that may have been cut off. */
static void remove_other(int folder, const char *name)
{
    const char *random = find_random_end(name);
    char target[NAME_BYTES_MAX + 1];

    if (!random) {
        return;
    }
    const char *ending = random + RANDOM_LENGTH;
    size_t length = (size_t)(random - name) - strlen(MARK) - 1;

    if (*ending == '\0') {
        remove_if_left(folder, name, true);
    } else if (strcmp(ending, SHOAL_I_LEFTOVERS_KEPT) == 0 &&
               length < SHOAL_I_LEFTOVERS_NAME_MAX) {
        memcpy(target, name + 1, length);
        target[length] = '\0';
        restore_kept(folder, name, target);
    }
}

void shoal_i_leftovers_remove(const char *folder, const char *beginning, const char *target)
{
    size_t length = strlen(beginning);
    DIR *dir = opendir(*folder ? folder : ".");

    if (!dir) {
        return;
    }
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        const char *name = entry->d_name;

        if (strncmp(name, beginning, length) != 0 || strlen(name) < length + RANDOM_LENGTH) {
            remove_other(dirfd(dir), name);
            continue;
        }
        const char *ending = name + length + RANDOM_LENGTH;

        if (*ending == '\0') {
            remove_if_left(dirfd(dir), name, false);
        } else if (strcmp(ending, SHOAL_I_LEFTOVERS_MODE) == 0) {
            remove_mode(dirfd(dir), name);
        } else if (strcmp(ending, SHOAL_I_LEFTOVERS_KEPT) == 0) {
            restore_kept(dirfd(dir), name, target);
        }
    }
    closedir(dir);
}
