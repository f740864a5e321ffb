#include "failing.h"
#include "files.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each test runs in an empty folder of its own, and must leave in it what it says. */
typedef struct room {
    shoal_ctx ctx;
    char folder[64];
} room;

static int enter(void **state)
{
    room *r = calloc(1, sizeof *r);

    assert_non_null(r);
    shoal_i_ctx_init(&r->ctx);
    make_folder(r->folder);
    *state = r;
    umask(022);
    return chdir(r->folder);
}

static int leave(void **state)
{
    room *r = *state;
    int failed = chdir("/") != 0 || remove_folder(r->folder) != 0;

    free(r);
    return failed;
}

static void assert_content(const char *path, const char *expected)
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

static unsigned mode_of(const char *path)
{
    struct stat info;

    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 07777;
}

/* --- What is asked of the system, in order. ----------------------------------------------- */

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
        assert_int_equal(shoal_i_output_write_all(&r->ctx, "out.csv", block, sizeof block),
                         SHOAL_OK);
        assert_int_equal(journal_count, 3);
        assert_published_safely("out.csv", sizeof block);
    }
    /* What the device does not take gets no name. */
    write_file("old.csv", "old");
    is_fsync_refused = true;
    shoal_status st = shoal_i_output_write_all(&r->ctx, "old.csv", "new", 3);

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

/* --- Input -------------------------------------------------------------------------------- */

static void test_input_that_cannot_be_read(void **state)
{
    room *r = *state;
    shoal_i_input *input;

    assert_int_equal(shoal_i_input_open(&r->ctx, &input, "nowhere.csv"), SHOAL_ENOTFOUND);
    assert_null(input);
    assert_string_equal(r->ctx.error.source, "nowhere.csv");
    assert_int_equal(shoal_i_input_open(&r->ctx, &input, "."), SHOAL_EIO);
    assert_non_null(strstr(r->ctx.error.message, "folder"));
    assert_int_equal(shoal_i_input_open(&r->ctx, &input, "nowhere/x.csv"), SHOAL_ENOTFOUND);
    write_file("file", "x");
    assert_int_equal(shoal_i_input_open(&r->ctx, &input, "file/x.csv"), SHOAL_EIO);
    shoal_i_input_free(NULL);
}

static void test_input_in_blocks(void **state)
{
    room *r = *state;
    shoal_i_input *input;
    char bytes[4];
    size_t got;

    write_file("a", "0123456789");
    assert_int_equal(shoal_i_input_open(&r->ctx, &input, "a"), SHOAL_OK);
    assert_int_equal(shoal_i_input_size(input), 10);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(shoal_i_input_read(&r->ctx, &got, input, bytes, 4), SHOAL_OK);
        assert_int_equal(got, i < 2 ? 4 : 2);
        assert_memory_equal(bytes, &"0123456789"[4 * i], got);
    }
    assert_int_equal(shoal_i_input_read(&r->ctx, &got, input, bytes, 4), SHOAL_OK);
    assert_int_equal(got, 0);
    shoal_i_input_free(input);
}

/* A pipe hands out what it has, a few bytes at a time; the reader sees full blocks. */
static void test_input_from_a_pipe(void **state)
{
    room *r = *state;
    shoal_i_input *input;
    char bytes[10];
    size_t got;

    assert_int_equal(mkfifo("pipe", 0600), 0);
    pid_t child = fork();

    if (child == 0) {
        int fd = open("pipe", O_WRONLY);

        for (int i = 0; i < 13; i++) {
            if (write(fd, "x", 1) != 1) {
                _exit(1);
            }
            usleep(1000);
        }
        _exit(0);
    }
    assert_int_equal(shoal_i_input_open(&r->ctx, &input, "pipe"), SHOAL_OK);
    assert_int_equal(shoal_i_input_size(input), 0);
    assert_int_equal(shoal_i_input_read(&r->ctx, &got, input, bytes, 10), SHOAL_OK);
    assert_int_equal(got, 10);
    assert_int_equal(shoal_i_input_read(&r->ctx, &got, input, bytes, 10), SHOAL_OK);
    assert_int_equal(got, 3);
    shoal_i_input_free(input);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void test_read_all(void **state)
{
    room *r = *state;
    char *bytes;
    size_t size;

    write_file("empty", "");
    assert_int_equal(shoal_i_input_read_all(&r->ctx, &bytes, &size, "empty", 10), SHOAL_OK);
    assert_int_equal(size, 0);
    assert_string_equal(bytes, "");
    free(bytes);

    write_file("ten", "0123456789");
    assert_int_equal(shoal_i_input_read_all(&r->ctx, &bytes, &size, "ten", 10), SHOAL_OK);
    assert_string_equal(bytes, "0123456789");
    free(bytes);
    assert_int_equal(shoal_i_input_read_all(&r->ctx, &bytes, &size, "ten", 9), SHOAL_ELIMIT);
    assert_null(bytes);
    assert_string_equal(r->ctx.error.source, "ten");

    /* No size known, and no end. */
    assert_int_equal(shoal_i_input_read_all(&r->ctx, &bytes, &size, "/dev/zero", 1000000),
                     SHOAL_ELIMIT);
    assert_int_equal(shoal_i_input_read_all(&r->ctx, &bytes, &size, "/dev/null", 10), SHOAL_OK);
    assert_int_equal(size, 0);
    free(bytes);
}

static void test_same_file(void **state)
{
    (void)state;
    write_file("a", "");
    write_file("b", "");
    assert_int_equal(symlink("a", "link"), 0);
    assert_int_equal(link("a", "hard"), 0);
    assert_true(shoal_i_is_same_file("a", "./a"));
    assert_true(shoal_i_is_same_file("a", "link"));
    assert_true(shoal_i_is_same_file("hard", "a"));
    assert_false(shoal_i_is_same_file("a", "b"));
    assert_false(shoal_i_is_same_file("a", "nowhere"));
    assert_false(shoal_i_is_same_file("nowhere", "nowhere"));
    assert_false(shoal_i_is_same_file("-", "-"));
}

/* --- Output ------------------------------------------------------------------------------- */

static void test_output_appears_when_published(void **state)
{
    room *r = *state;
    shoal_i_output *output;

    assert_int_equal(shoal_i_output_open(&r->ctx, &output, "out.csv"), SHOAL_OK);
    assert_int_equal(shoal_i_output_write(&r->ctx, output, "one\n", 4), SHOAL_OK);
    assert_int_equal(shoal_i_output_write(&r->ctx, output, NULL, 0), SHOAL_OK);
    assert_int_equal(shoal_i_output_write(&r->ctx, output, "two\n", 4), SHOAL_OK);
    assert_int_not_equal(access("out.csv", F_OK), 0);
    assert_int_equal(mode_of(shoal_i_output_temporary(output)), 0600);
    assert_content(shoal_i_output_temporary(output), "one\ntwo\n");
    assert_int_equal(shoal_i_output_publish(&r->ctx, output), SHOAL_OK);
    assert_content("out.csv", "one\ntwo\n");
    assert_int_equal(mode_of("out.csv"), 0644);
    assert_int_equal(count_files("."), 1);
    shoal_i_output_free(output);
    assert_content("out.csv", "one\ntwo\n");
    assert_int_equal(count_files("."), 1);
}

static void test_unpublished_output_leaves_nothing(void **state)
{
    room *r = *state;
    shoal_i_output *output;
    shoal_i_output *other;

    write_file("old.csv", "old");
    assert_int_equal(chmod("old.csv", 0640), 0);
    assert_int_equal(shoal_i_output_open(&r->ctx, &output, "old.csv"), SHOAL_OK);
    assert_int_equal(shoal_i_output_open(&r->ctx, &other, "old.csv"), SHOAL_OK);
    assert_string_not_equal(shoal_i_output_temporary(output), shoal_i_output_temporary(other));
    assert_int_equal(shoal_i_output_write(&r->ctx, output, "new", 3), SHOAL_OK);
    assert_int_equal(count_files("."), 3);
    shoal_i_output_free(output);
    shoal_i_output_free(other);
    shoal_i_output_free(NULL);
    assert_int_equal(count_files("."), 1);
    assert_content("old.csv", "old");
    assert_int_equal(mode_of("old.csv"), 0640);
}

static void test_replaced_file_keeps_its_permissions(void **state)
{
    room *r = *state;

    write_file("old.csv", "old");
    assert_int_equal(chmod("old.csv", 0640), 0);
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "old.csv", "new", 3), SHOAL_OK);
    assert_content("old.csv", "new");
    assert_int_equal(mode_of("old.csv"), 0640);
    umask(077);
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "private.csv", "new", 3), SHOAL_OK);
    assert_int_equal(mode_of("private.csv"), 0600);
    assert_int_equal(umask(022), 077); /* the library did not touch it */
}

static void test_symbolic_link_stays(void **state)
{
    room *r = *state;
    struct stat info;

    write_file("file", "old");
    assert_int_equal(symlink("file", "link"), 0);
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "link", "new", 3), SHOAL_OK);
    assert_int_equal(lstat("link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_content("file", "new");
    assert_int_equal(symlink("nowhere", "broken"), 0);
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "broken", "new", 3), SHOAL_ENOTFOUND);
}

static void test_output_that_cannot_be_made(void **state)
{
    room *r = *state;
    shoal_i_output *output;
    char name[400];

    assert_int_equal(shoal_i_output_open(&r->ctx, &output, "missing/out.csv"), SHOAL_ENOTFOUND);
    assert_null(output);
    assert_string_equal(r->ctx.error.source, "missing/out.csv");
    assert_non_null(strstr(r->ctx.error.message, "create its folder"));
    assert_int_equal(shoal_i_output_open(&r->ctx, &output, "."), SHOAL_EIO);
    assert_int_equal(shoal_i_output_open(&r->ctx, &output, "missing/"), SHOAL_EIO);
    assert_int_equal(shoal_i_output_open(&r->ctx, &output, ""), SHOAL_ENOTFOUND);
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(shoal_i_output_write_all(&r->ctx, name, "x", 1), SHOAL_EIO);
    assert_int_equal(count_files("."), 0);
}

static void test_longest_name(void **state)
{
    room *r = *state;
    char name[256];

    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(shoal_i_output_write_all(&r->ctx, name, "x", 1), SHOAL_OK);
    assert_content(name, "x");
}

static void test_full_disk(void **state)
{
    room *r = *state;

    assert_int_equal(shoal_i_output_write_all(&r->ctx, "/dev/full", "x", 1), SHOAL_EIO);
    assert_non_null(strstr(r->ctx.error.message, "disk is full"));
    assert_string_equal(r->ctx.error.source, "/dev/full");
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "/dev/null", "x", 1), SHOAL_OK);
}

/* A file larger than the limit of the process stands for a disk that fills while writing. */
static void test_failed_write_keeps_the_old_file(void **state)
{
    room *r = *state;
    struct rlimit old;
    char block[5000] = {0};

    write_file("old.csv", "old");
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    struct rlimit small = {.rlim_cur = 4096, .rlim_max = old.rlim_max};

    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    shoal_status st = shoal_i_output_write_all(&r->ctx, "old.csv", block, sizeof block);

    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(st, SHOAL_EIO);
    assert_content("old.csv", "old");
    assert_int_equal(count_files("."), 1);
}

static void test_output_to_a_pipe(void **state)
{
    room *r = *state;
    char *bytes = NULL;
    size_t size = 0;

    assert_int_equal(mkfifo("pipe", 0600), 0);
    pid_t child = fork();

    if (child == 0) {
        shoal_ctx ctx;

        shoal_i_ctx_init(&ctx);
        char *big = calloc(300000, 1);
        shoal_status st =
            big ? shoal_i_output_write_all(&ctx, "pipe", big, 300000) : SHOAL_ENOMEM;

        free(big);
        _exit((int)st);
    }
    assert_int_equal(shoal_i_input_read_all(&r->ctx, &bytes, &size, "pipe", 1000000), SHOAL_OK);
    assert_int_equal(size, 300000);
    free(bytes);
    int status = -1;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(count_files("."), 1);
}

static void test_standard_output(void **state)
{
    room *r = *state;
    shoal_i_output *output;
    int saved = dup(STDOUT_FILENO);

    fflush(stdout);
    int file = open("caught", O_WRONLY | O_CREAT, 0600);

    assert_int_equal(dup2(file, STDOUT_FILENO), STDOUT_FILENO);
    shoal_status opened = shoal_i_output_open(&r->ctx, &output, "-");
    shoal_status written = shoal_i_output_write(&r->ctx, output, "to stdout", 9);
    char *bytes = NULL;
    size_t size = 0;
    shoal_status reread =
        shoal_i_input_read_all(&r->ctx, &bytes, &size, shoal_i_output_temporary(output), 100);
    struct stat info;
    int seen = stat("caught", &info);
    shoal_status published = shoal_i_output_publish(&r->ctx, output);

    shoal_i_output_free(output);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(file);
    assert_int_equal(opened, SHOAL_OK);
    assert_int_equal(written, SHOAL_OK);
    assert_int_equal(reread, SHOAL_OK);
    assert_string_equal(bytes, "to stdout");
    assert_int_equal(seen, 0);
    assert_int_equal(info.st_size, 0); /* nothing came out before publish */
    assert_int_equal(published, SHOAL_OK);
    assert_content("caught", "to stdout");
    free(bytes);
}

static void test_large_output(void **state)
{
    room *r = *state;
    shoal_i_output *output;
    const size_t size = 3000001;
    char *bytes = malloc(size);
    char *back = NULL;
    size_t back_size = 0;

    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (char)(i * 31 % 251);
    }
    assert_int_equal(shoal_i_output_open(&r->ctx, &output, "big"), SHOAL_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(shoal_i_output_write(&r->ctx, output, bytes, size), SHOAL_OK);
    }
    assert_int_equal(shoal_i_output_publish(&r->ctx, output), SHOAL_OK);
    shoal_i_output_free(output);
    assert_int_equal(shoal_i_input_read_all(&r->ctx, &back, &back_size, "big", 4 * size),
                     SHOAL_OK);
    assert_int_equal(back_size, 4 * size);
    for (size_t i = 0; i < 4; i++) {
        assert_memory_equal(back + i * size, bytes, size);
    }
    free(back);
    free(bytes);
}

/* --- Two together. */

static shoal_status open_pair(shoal_ctx *ctx, shoal_i_output *pair[2], const char *path,
                              const char *companion)
{
    shoal_status st = SHOAL_OK;

    pair[0] = NULL;
    pair[1] = NULL;
    SHOAL_TRY(shoal_i_output_open(ctx, &pair[0], path));
    SHOAL_TRY(shoal_i_output_open(ctx, &pair[1], companion));
    SHOAL_TRY(shoal_i_output_write(ctx, pair[0], "new a", 5));
    SHOAL_TRY(shoal_i_output_write(ctx, pair[1], "new b", 5));
done:
    return st;
}

static void close_pair(shoal_i_output *pair[2])
{
    shoal_i_output_free(pair[0]);
    shoal_i_output_free(pair[1]);
}

static void test_pair_is_published_together(void **state)
{
    room *r = *state;
    shoal_i_output *pair[2];
    struct stat info;

    for (int round = 0; round < 2; round++) { /* new files, then in the place of old ones */
        assert_int_equal(open_pair(&r->ctx, pair, "a", "b"), SHOAL_OK);
        assert_true(shoal_i_output_is_renamed(pair[0]));
        assert_int_equal(shoal_i_output_publish_pair(&r->ctx, pair[0], pair[1]), SHOAL_OK);
        close_pair(pair);
        assert_content("a", "new a");
        assert_content("b", "new b");
        assert_int_equal(stat("b", &info), 0);
        assert_int_equal(info.st_mode & 0777, round == 0 ? 0644 : 0640);
        assert_int_equal(count_files("."), 2);
        assert_int_equal(chmod("b", 0640), 0);
    }
}

/* A folder takes the name of the first while the two are being written: its rename fails. */
static void test_pair_is_undone(void **state)
{
    room *r = *state;
    shoal_i_output *pair[2];

    for (int round = 0; round < 2; round++) {
        assert_int_equal(open_pair(&r->ctx, pair, "a", "b"), SHOAL_OK);
        assert_int_equal(mkdir("a", 0700), 0);
        assert_int_equal(shoal_i_output_publish_pair(&r->ctx, pair[0], pair[1]), SHOAL_EIO);
        close_pair(pair);
        assert_int_equal(rmdir("a"), 0);
        if (round == 0) {
            assert_int_equal(count_files("."), 0);
            write_file("b", "old b");
        } else {
            assert_content("b", "old b");
            assert_int_equal(count_files("."), 1);
        }
    }
    /* The same for the companion. */
    write_file("a", "old a");
    assert_int_equal(remove("b"), 0);
    assert_int_equal(open_pair(&r->ctx, pair, "a", "b"), SHOAL_OK);
    assert_int_equal(mkdir("b", 0700), 0);
    assert_int_equal(shoal_i_output_publish_pair(&r->ctx, pair[0], pair[1]), SHOAL_EIO);
    close_pair(pair);
    assert_content("a", "old a");
    assert_int_equal(rmdir("b"), 0);
    assert_int_equal(count_files("."), 1);
}

static void test_pair_with_a_full_device(void **state)
{
    room *r = *state;
    shoal_i_output *pair[2];

    write_file("b", "old b");
    assert_int_equal(open_pair(&r->ctx, pair, "/dev/full", "b"), SHOAL_OK);
    assert_false(shoal_i_output_is_renamed(pair[0]));
    assert_int_equal(shoal_i_output_publish_pair(&r->ctx, pair[0], pair[1]), SHOAL_EIO);
    close_pair(pair);
    assert_content("b", "old b");
    assert_int_equal(count_files("."), 1);
}

/* Who publishes a pair waits while another does so in the same folder. */
static void test_pairs_wait_for_each_other(void **state)
{
    room *r = *state;
    int lock = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int ready[2];
    int status = -1;
    char byte = 0;

    assert_int_equal(flock(lock, LOCK_EX), 0);
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        shoal_i_output *pair[2];
        bool is_done = open_pair(&r->ctx, pair, "a", "b") == SHOAL_OK &&
                       write(ready[1], "", 1) == 1 &&
                       shoal_i_output_publish_pair(&r->ctx, pair[0], pair[1]) == SHOAL_OK;

        _exit(is_done ? 0 : 1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    usleep(20000); /* a child that does not wait is done by now */
    assert_int_not_equal(access("b", F_OK), 0);
    assert_int_equal(flock(lock, LOCK_UN), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_content("a", "new a");
    assert_content("b", "new b");
    close(lock);
    close(ready[0]);
    close(ready[1]);
}

static shoal_status publish_pair(shoal_ctx *ctx, void *payload)
{
    shoal_status st = SHOAL_OK;
    shoal_i_output *pair[2];

    (void)payload;
    SHOAL_TRY(open_pair(ctx, pair, "a", "b"));
    SHOAL_TRY(shoal_i_output_publish_pair(ctx, pair[0], pair[1]));
done:
    if (st != SHOAL_OK) {
        assert_content("b", "old b");
    }
    close_pair(pair);
    return st;
}

static void test_pair_and_failing_allocations(void **state)
{
    room *r = *state;

    write_file("b", "old b");
    assert_survives_failing_allocations(&r->ctx, publish_pair, NULL);
    assert_content("a", "new a");
    assert_content("b", "new b");
    assert_int_equal(count_files("."), 2);
}

static shoal_status copy_file(shoal_ctx *ctx, void *payload)
{
    shoal_status st = SHOAL_OK;
    char *bytes = NULL;
    size_t size = 0;

    SHOAL_TRY(shoal_i_input_read_all(ctx, &bytes, &size, "from", 100));
    SHOAL_TRY(shoal_i_output_write_all(ctx, payload, bytes, size));
done:
    free(bytes);
    return st;
}

static void test_failing_allocations(void **state)
{
    room *r = *state;

    write_file("from", "text");
    assert_survives_failing_allocations(&r->ctx, copy_file, "to");
    assert_content("to", "text");
    assert_survives_failing_allocations(&r->ctx, copy_file, "/dev/null");
    assert_int_equal(count_files("."), 2);
}

/* --- Leftovers. --------------------------------------------------------------------------- */

/* A run that is killed leaves its file; the next to the same target removes it, but not that of
 * a run that lives, nor what is not named so. */
static void test_leftovers_are_removed(void **state)
{
    room *r = *state;
    shoal_i_output *living = NULL;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        shoal_i_output *killed = NULL;

        if (shoal_i_output_open(&r->ctx, &killed, "out.csv") == SHOAL_OK) {
            raise(SIGKILL);
        }
        _exit(1);
    }
    int status = 0;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(count_files("."), 1);
    write_file(".out.csv.shoal-seventh", "x");
    write_file(".other.csv.shoal-abcdef", "x");
    assert_int_equal(symlink("elsewhere", ".out.csv.shoal-linked"), 0);
    assert_int_equal(shoal_i_output_open(&r->ctx, &living, "out.csv"), SHOAL_OK);
    assert_int_equal(count_files("."), 4);
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "./out.csv", "new", 3), SHOAL_OK);
    assert_int_equal(count_files("."), 5);
    assert_int_equal(shoal_i_output_publish(&r->ctx, living), SHOAL_OK);
    shoal_i_output_free(living);
    assert_content("out.csv", "");
    assert_int_equal(count_files("."), 4);
}

static void test_side_files_are_removed(void **state)
{
    room *r = *state;
    shoal_i_output *living = NULL;
    char mode[512];

    assert_int_equal(shoal_i_output_open(&r->ctx, &living, "out.csv"), SHOAL_OK);
    snprintf(mode, sizeof mode, "%s-mode", shoal_i_output_temporary(living));
    write_file(mode, ""); /* of a run that lives */
    write_file(".out.csv.shoal-abcdef-mode", "");
    write_file(".out.csv.shoal-abcdef-kept", "before");
    write_file(".out.csv.shoal-abcdef-other", "");
    write_file(".other.csv.shoal-abcdef-mode", "");

    /* The one that was to be replaced is all there is: it goes back. */
    shoal_i_output *next = NULL;

    assert_int_equal(shoal_i_output_open(&r->ctx, &next, "out.csv"), SHOAL_OK);
    assert_content("out.csv", "before");
    assert_int_equal(access(".out.csv.shoal-abcdef-mode", F_OK), -1);
    assert_int_equal(access(".out.csv.shoal-abcdef-kept", F_OK), -1);
    assert_int_equal(access(mode, F_OK), 0);
    assert_int_equal(access(".out.csv.shoal-abcdef-other", F_OK), 0);
    assert_int_equal(access(".other.csv.shoal-abcdef-mode", F_OK), 0);
    shoal_i_output_free(next);

    /* Its place is taken: it goes. Not while somebody has locked the folder. */
    write_file(".out.csv.shoal-abcdef-kept", "older");
    int folder = open(".", O_RDONLY | O_DIRECTORY);

    assert_int_equal(flock(folder, LOCK_EX), 0);
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "out.csv", "new", 3), SHOAL_OK);
    assert_int_equal(access(".out.csv.shoal-abcdef-kept", F_OK), 0);
    close(folder);
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "out.csv", "newer", 5), SHOAL_OK);
    assert_int_equal(access(".out.csv.shoal-abcdef-kept", F_OK), -1);
    assert_content("out.csv", "newer");
    unlink(mode);
    shoal_i_output_free(living);
}

/* What goes to a pipe waits where it is told to, without a name. */
static void test_bytes_are_collected_in_a_folder(void **state)
{
    room *r = *state;
    shoal_i_output *output = NULL;

    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(mkdir("spare", 0700), 0);
    assert_int_equal(shoal_i_output_open_by(&r->ctx, &output, "pipe", "spare"), SHOAL_OK);
    assert_int_equal(shoal_i_output_write(&r->ctx, output, "x", 1), SHOAL_OK);
    char link[512] = "";

    assert_true(readlink(shoal_i_output_temporary(output), link, sizeof link - 1) > 0);
    assert_non_null(strstr(link, "/spare/"));
    assert_int_equal(count_files("spare"), 0);
    shoal_i_output_free(output);
    assert_int_equal(shoal_i_output_open_by(&r->ctx, &output, "pipe", "none"), SHOAL_ENOTFOUND);
    assert_string_equal(r->ctx.error.source, "none/");
    assert_int_equal(rmdir("spare"), 0);
    assert_int_equal(unlink("pipe"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_input_that_cannot_be_read, enter, leave),
        cmocka_unit_test_setup_teardown(test_input_in_blocks, enter, leave),
        cmocka_unit_test_setup_teardown(test_input_from_a_pipe, enter, leave),
        cmocka_unit_test_setup_teardown(test_read_all, enter, leave),
        cmocka_unit_test_setup_teardown(test_same_file, enter, leave),
        cmocka_unit_test_setup_teardown(test_output_appears_when_published, enter, leave),
        cmocka_unit_test_setup_teardown(test_bytes_are_on_the_device_before_the_name, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(test_pair_is_on_the_device_before_the_names, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(test_unpublished_output_leaves_nothing, enter, leave),
        cmocka_unit_test_setup_teardown(test_replaced_file_keeps_its_permissions, enter, leave),
        cmocka_unit_test_setup_teardown(test_symbolic_link_stays, enter, leave),
        cmocka_unit_test_setup_teardown(test_output_that_cannot_be_made, enter, leave),
        cmocka_unit_test_setup_teardown(test_longest_name, enter, leave),
        cmocka_unit_test_setup_teardown(test_full_disk, enter, leave),
        cmocka_unit_test_setup_teardown(test_failed_write_keeps_the_old_file, enter, leave),
        cmocka_unit_test_setup_teardown(test_output_to_a_pipe, enter, leave),
        cmocka_unit_test_setup_teardown(test_standard_output, enter, leave),
        cmocka_unit_test_setup_teardown(test_large_output, enter, leave),
        cmocka_unit_test_setup_teardown(test_pair_is_published_together, enter, leave),
        cmocka_unit_test_setup_teardown(test_pair_is_undone, enter, leave),
        cmocka_unit_test_setup_teardown(test_pair_with_a_full_device, enter, leave),
        cmocka_unit_test_setup_teardown(test_pairs_wait_for_each_other, enter, leave),
        cmocka_unit_test_setup_teardown(test_pair_and_failing_allocations, enter, leave),
        cmocka_unit_test_setup_teardown(test_failing_allocations, enter, leave),
        cmocka_unit_test_setup_teardown(test_leftovers_are_removed, enter, leave),
        cmocka_unit_test_setup_teardown(test_side_files_are_removed, enter, leave),
        cmocka_unit_test_setup_teardown(test_bytes_are_collected_in_a_folder, enter, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
