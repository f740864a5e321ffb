#include "leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define RANDOM_LENGTH 6 /* of the end of a temporary name */

bool shoal_i_leftovers_claim(int fd)
{
    struct stat info;

    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        return errno != EWOULDBLOCK; /* where there are no locks, nobody removes anything */
    }
    return fstat(fd, &info) == 0 && info.st_nlink > 0;
}

/* Whether an open file is one that a run of this user made and left. */
static bool is_leftover(int fd)
{
    struct stat info;

    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
           flock(fd, LOCK_EX | LOCK_NB) == 0;
}

static void remove_if_left(int folder, const char *name)
{
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0) {
        return;
    }
    if (is_leftover(fd)) {
        unlinkat(folder, name, 0);
    }
    close(fd);
}

void shoal_i_leftovers_remove(const char *folder, const char *beginning)
{
    size_t length = strlen(beginning);
    DIR *dir = opendir(*folder ? folder : ".");

    if (!dir) {
        return;
    }
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        if (strncmp(entry->d_name, beginning, length) == 0 &&
            strlen(entry->d_name) == length + RANDOM_LENGTH) {
            remove_if_left(dirfd(dir), entry->d_name);
        }
    }
    closedir(dir);
}
