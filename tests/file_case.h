/* file_case.h -- a folder of its own for each test of files. */
#ifndef SHOAL_TESTS_FILE_CASE_H
#define SHOAL_TESTS_FILE_CASE_H

#include "failing.h"
#include "files.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each test runs in an empty folder of its own, and must leave in it what it says. */
typedef struct room {
    shoal_ctx ctx;
    char folder[64];
} room;

static inline int enter(void **state)
{
    room *r = calloc(1, sizeof *r);

    assert_non_null(r);
    shoal_i_ctx_init(&r->ctx);
    make_folder(r->folder);
    *state = r;
    umask(022);
    return chdir(r->folder);
}

static inline int leave(void **state)
{
    room *r = *state;
    int failed = chdir("/") != 0 || remove_folder(r->folder) != 0;

    free(r);
    return failed;
}

static inline void assert_content(const char *path, const char *expected)
{
    shoal_ctx ctx;
    char *bytes;
    size_t size;

    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_i_input_read_all(&ctx, &bytes, &size, path, 1000), SHOAL_OK);
    assert_int_equal(size, strlen(expected));
    assert_string_equal(bytes, expected);
    free(bytes);
}

static inline unsigned mode_of(const char *path)
{
    struct stat info;

    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 07777;
}

/* For a thread: say stop in a moment, by the flag that is looked at and no signal. */
static inline void *say_stop(void *flag)
{
    usleep(20000);
    __atomic_store_n((int *)flag, 1, __ATOMIC_RELAXED);
    return NULL;
}

#endif /* SHOAL_TESTS_FILE_CASE_H */
