/* What is asked of the system, in order: bytes before names. */
#include "file_case.h"

#include <errno.h>
#include <fcntl.h>

/* The library's calls of fsync and rename come here: a definition of the program goes before
 * that of the C library. */
typedef struct asked {
    char what; /* 's'ync of a file, 'f'older, 'r'ename */
    ino_t file;
    off_t size; /* when it was asked */
} asked;

#define ASKED_MAX 32
static asked journal[ASKED_MAX];
static size_t journal_count;
static bool is_fsync_refused;

static void note_asked(char what, const struct stat *info)
{
    if (journal_count < ASKED_MAX) {
        journal[journal_count++] = (asked){what, info->st_ino, info->st_size};
    }
}

int fsync(int fd)
{
    struct stat info;

    if (fstat(fd, &info) == 0) {
        note_asked(S_ISDIR(info.st_mode) ? 'f' : 's', &info);
    }
    if (is_fsync_refused) {
        errno = EIO;
        return -1;
    }
    return fdatasync(fd);
}

int rename(const char *from, const char *to)
{
    struct stat info;

    if (stat(from, &info) == 0) {
        note_asked('r', &info);
    }
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

/* The place in the journal of the first such entry about a file; the end where there is
 * none. */
static size_t find_asked(char what, ino_t file)
{
    size_t at = 0;

    while (at < journal_count &&
           (journal[at].what != what || (what != 'f' && journal[at].file != file))) {
        at++;
    }
    return at;
}

/* A file that got its name was complete on the device before, its folder after it. */
static void assert_published_safely(const char *path, off_t size)
{
    struct stat info;

    assert_int_equal(stat(path, &info), 0);
    size_t synced = find_asked('s', info.st_ino);
    size_t renamed = find_asked('r', info.st_ino);

    assert_true(synced < renamed && renamed < journal_count);
    assert_int_equal(journal[synced].size, size);
    assert_int_equal(journal[journal_count - 1].what, 'f');
}

static void test_bytes_are_on_the_device_before_the_name(void **state)
{
    room *r = *state;
    char block[5000] = {0};

    for (int round = 0; round < 2; round++) { /* a new file, then in the place of an old one */
        journal_count = 0;
        assert_int_equal(
            shoal_i_output_write_all(&r->ctx, "out.csv", block, sizeof block, false), SHOAL_OK);
        assert_int_equal(journal_count, 3);
        assert_published_safely("out.csv", sizeof block);
    }
    /* What the device does not take gets no name. */
    write_file("old.csv", "old");
    is_fsync_refused = true;
    shoal_status st = shoal_i_output_write_all(&r->ctx, "old.csv", "new", 3, false);

    is_fsync_refused = false;
    assert_int_equal(st, SHOAL_EIO);
    assert_content("old.csv", "old");
    assert_int_equal(count_files("."), 2);
}

static void test_pair_is_on_the_device_before_the_names(void **state)
{
    room *r = *state;
    shoal_i_output *pair[2] = {NULL, NULL};

    journal_count = 0;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(shoal_i_output_open(&r->ctx, &pair[i], i == 0 ? "a" : "b"), SHOAL_OK);
        assert_int_equal(shoal_i_output_write(&r->ctx, pair[i], "bytes", 5), SHOAL_OK);
    }
    assert_int_equal(shoal_i_output_publish_pair(&r->ctx, pair[0], pair[1]), SHOAL_OK);
    assert_published_safely("a", 5);
    assert_published_safely("b", 5);
    shoal_i_output_free(pair[0]);
    shoal_i_output_free(pair[1]);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(test_bytes_are_on_the_device_before_the_name),
        RUN(test_pair_is_on_the_device_before_the_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
