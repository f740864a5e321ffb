/* Files that are written: they get their names when they are complete. */
#include "file_case.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

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
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "old.csv", "new", 3, false), SHOAL_OK);
    assert_content("old.csv", "new");
    assert_int_equal(mode_of("old.csv"), 0640);
    umask(077);
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "private.csv", "new", 3, false),
                     SHOAL_OK);
    assert_int_equal(mode_of("private.csv"), 0600);
    assert_int_equal(umask(022), 077); /* the library did not touch it */
}

/* Only what the system keeps of it in memory goes. */
static void test_room_is_made_and_the_old_file_stays(void **state)
{
    room *r = *state;
    shoal_i_output *output;

    write_file("old.csv", "old");
    assert_int_equal(shoal_i_output_open(&r->ctx, &output, "old.csv"), SHOAL_OK);
    shoal_i_output_make_room(output);
    assert_content("old.csv", "old");
    assert_int_equal(shoal_i_output_write(&r->ctx, output, "new", 3), SHOAL_OK);
    shoal_i_output_make_room(output);
    assert_content("old.csv", "old");
    assert_int_equal(shoal_i_output_publish(&r->ctx, output), SHOAL_OK);
    shoal_i_output_free(output);
    assert_content("old.csv", "new");
    assert_int_equal(shoal_i_output_open(&r->ctx, &output, "none.csv"), SHOAL_OK);
    shoal_i_output_make_room(output); /* there is nothing to give up */
    shoal_i_output_free(output);
    assert_int_equal(count_files("."), 1);
}

static void test_symbolic_link_stays(void **state)
{
    room *r = *state;
    struct stat info;

    write_file("file", "old");
    assert_int_equal(symlink("file", "link"), 0);
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "link", "new", 3, false), SHOAL_OK);
    assert_int_equal(lstat("link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_content("file", "new");
    assert_int_equal(symlink("nowhere", "broken"), 0);
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "broken", "new", 3, false),
                     SHOAL_ENOTFOUND);
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
    assert_int_equal(shoal_i_output_write_all(&r->ctx, name, "x", 1, false), SHOAL_EIO);
    assert_int_equal(count_files("."), 0);
}

static void test_longest_name(void **state)
{
    room *r = *state;
    char name[256];

    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(shoal_i_output_write_all(&r->ctx, name, "x", 1, false), SHOAL_OK);
    assert_content(name, "x");
}

static void test_full_disk(void **state)
{
    room *r = *state;

    assert_int_equal(shoal_i_output_write_all(&r->ctx, "/dev/full", "x", 1, false), SHOAL_EIO);
    assert_non_null(strstr(r->ctx.error.message, "disk is full"));
    assert_string_equal(r->ctx.error.source, "/dev/full");
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "/dev/null", "x", 1, false), SHOAL_OK);
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
    shoal_status st = shoal_i_output_write_all(&r->ctx, "old.csv", block, sizeof block, false);

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
            big ? shoal_i_output_write_all(&ctx, "pipe", big, 300000, false) : SHOAL_ENOMEM;

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

/* Write more than a pipe holds while a thread says stop; no signal wakes whoever waits. */
static void assert_writing_stops(room *r)
{
    static const char bytes[300000];
    int flag = 0;
    pthread_t thread;

    assert_int_equal(shoal_ctx_set_cancel(&r->ctx, &flag), SHOAL_OK);
    assert_int_equal(pthread_create(&thread, NULL, say_stop, &flag), 0);
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "pipe", bytes, sizeof bytes, false),
                     SHOAL_ECANCELLED);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(shoal_ctx_set_cancel(&r->ctx, NULL), SHOAL_OK);
    assert_int_equal(count_files("."), 1);
}

static void test_waiting_for_a_reader_stops(void **state)
{
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_writing_stops(*state);
}

/* Nobody will ever read from a socket that way. */
static void test_socket_is_not_waited_for(void **state)
{
    room *r = *state;
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "socket", "x", 1, false), SHOAL_EIO);
    close(fd);
    assert_int_equal(unlink("socket"), 0);
}

/* There is a reader, but it reads nothing. */
static void test_waiting_for_room_stops(void **state)
{
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int fd = open("pipe", O_RDONLY | O_NONBLOCK);

    assert_true(fd >= 0);
    assert_writing_stops(*state);
    close(fd);
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
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "./out.csv", "new", 3, false), SHOAL_OK);
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
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "out.csv", "new", 3, false), SHOAL_OK);
    assert_int_equal(access(".out.csv.shoal-abcdef-kept", F_OK), 0);
    close(folder);
    assert_int_equal(shoal_i_output_write_all(&r->ctx, "out.csv", "newer", 5, false), SHOAL_OK);
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

#define RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(test_output_appears_when_published),
        RUN(test_unpublished_output_leaves_nothing),
        RUN(test_replaced_file_keeps_its_permissions),
        RUN(test_room_is_made_and_the_old_file_stays),
        RUN(test_symbolic_link_stays),
        RUN(test_output_that_cannot_be_made),
        RUN(test_longest_name),
        RUN(test_full_disk),
        RUN(test_failed_write_keeps_the_old_file),
        RUN(test_output_to_a_pipe),
        RUN(test_waiting_for_a_reader_stops),
        RUN(test_socket_is_not_waited_for),
        RUN(test_waiting_for_room_stops),
        RUN(test_standard_output),
        RUN(test_large_output),
        RUN(test_leftovers_are_removed),
        RUN(test_side_files_are_removed),
        RUN(test_bytes_are_collected_in_a_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
