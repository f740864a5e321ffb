/* files.h -- for tests that run on files: a folder of their own, and what is in it. */
#ifndef SHOAL_TESTS_FILES_H
#define SHOAL_TESTS_FILES_H

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Make a folder that nobody else uses; its path is put into `folder`. */
static inline void make_folder(char folder[64])
{
    snprintf(folder, 64, "/tmp/shoal-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static inline void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

/* Files with a name of any kind; runs that fail must leave none. */
static inline size_t count_files(const char *folder)
{
    DIR *dir = opendir(folder);
    size_t count = 0;

    assert_non_null(dir);
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(dir);
    return count;
}

/* Remove a folder with its files and empty folders. Not 0 when it could not be removed. */
static inline int remove_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    char path[512];

    assert_non_null(dir);
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        remove(path); /* not "." and "..": these are refused */
    }
    closedir(dir);
    return rmdir(folder);
}

#endif /* SHOAL_TESTS_FILES_H */
