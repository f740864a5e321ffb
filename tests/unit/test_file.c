/* Files that are read. */
#ifdef __linux__
#define _GNU_SOURCE /* F_SETLEASE */
#endif

#include "file_case.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

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

/* Read the pipe while a thread says stop. */
static void assert_reading_stops(room *r)
{
    char *bytes = NULL;
    size_t size = 0;
    int flag = 0;
    pthread_t thread;

    assert_int_equal(shoal_ctx_set_cancel(&r->ctx, &flag), SHOAL_OK);
    assert_int_equal(pthread_create(&thread, NULL, say_stop, &flag), 0);
    assert_int_equal(shoal_i_input_read_all(&r->ctx, &bytes, &size, "pipe", 1000),
                     SHOAL_ECANCELLED);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_null(bytes);
    assert_int_equal(shoal_ctx_set_cancel(&r->ctx, NULL), SHOAL_OK);
}

static void test_waiting_for_a_writer_stops(void **state)
{
    room *r = *state;

    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_reading_stops(r);
}

static void test_waiting_for_bytes_stops(void **state)
{
    room *r = *state;

    assert_int_equal(mkfifo("pipe", 0600), 0);
    int fd = open("pipe", O_RDWR);

    assert_int_equal(write(fd, "x", 1), 1);
    assert_reading_stops(r);
    close(fd);
}

/* Somebody comes and goes without a word. */
static void test_pipe_without_bytes(void **state)
{
    room *r = *state;
    char *bytes = NULL;
    size_t size = 1;

    assert_int_equal(mkfifo("pipe", 0600), 0);
    pid_t child = fork();

    if (child == 0) {
        _exit(close(open("pipe", O_WRONLY)) != 0);
    }
    assert_int_equal(shoal_i_input_read_all(&r->ctx, &bytes, &size, "pipe", 1000), SHOAL_OK);
    assert_int_equal(size, 0);
    free(bytes);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

/* Where the system refuses to wait, here since it allows no files, what is there is read. */
static void test_reading_where_the_system_does_not_wait(void **state)
{
    room *r = *state;
    shoal_i_input *input;
    struct rlimit usual;
    char bytes[4];
    size_t got = 0;

    write_file("a", "0123");
    assert_int_equal(shoal_i_input_open(&r->ctx, &input, "a"), SHOAL_OK);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    assert_int_equal(
        setrlimit(RLIMIT_NOFILE, &(struct rlimit){.rlim_cur = 0, .rlim_max = usual.rlim_max}),
        0);
    shoal_status st = shoal_i_input_read(&r->ctx, &got, input, bytes, 4);

    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    assert_int_equal(st, SHOAL_OK);
    assert_int_equal(got, 4);
    shoal_i_input_free(input);
}

#ifdef __linux__
/* Hold a file by a lease, tell that by a byte, and give it up once somebody wants the file. */
static void hold_by_lease(const char *path, int told)
{
    sigset_t wanted;
    int fd = open(path, O_RDWR);
    int signal_number = 0;

    sigemptyset(&wanted);
    sigaddset(&wanted, SIGIO);
    sigprocmask(SIG_BLOCK, &wanted, NULL);
    bool holds = fd >= 0 && fcntl(fd, F_SETLEASE, F_WRLCK) == 0;

    if (write(told, holds ? "y" : "n", 1) == 1 && holds) {
        sigwait(&wanted, &signal_number);
        fcntl(fd, F_SETLEASE, F_UNLCK);
    }
    _exit(0);
}

static void test_file_under_a_lease_is_waited_for(void **state)
{
    room *r = *state;
    char *bytes = NULL;
    size_t size = 0;
    int ends[2];
    char holds = 'n';

    write_file("a", "0123");
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();

    if (child == 0) {
        hold_by_lease("a", ends[1]);
    }
    assert_int_equal(read(ends[0], &holds, 1), 1);
    if (holds == 'y') { /* not every file system has leases */
        assert_int_equal(shoal_i_input_read_all(&r->ctx, &bytes, &size, "a", 1000), SHOAL_OK);
        assert_int_equal(size, 4);
        free(bytes);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(ends[0]);
    close(ends[1]);
}
#endif

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

static shoal_status copy_file(shoal_ctx *ctx, void *payload)
{
    shoal_status st = SHOAL_OK;
    char *bytes = NULL;
    size_t size = 0;

    SHOAL_TRY(shoal_i_input_read_all(ctx, &bytes, &size, "from", 100));
    SHOAL_TRY(shoal_i_output_write_all(ctx, payload, bytes, size, false));
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

#define RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(test_input_that_cannot_be_read),
        RUN(test_input_in_blocks),
        RUN(test_input_from_a_pipe),
        RUN(test_waiting_for_a_writer_stops),
        RUN(test_waiting_for_bytes_stops),
        RUN(test_pipe_without_bytes),
        RUN(test_reading_where_the_system_does_not_wait),
#ifdef __linux__
        RUN(test_file_under_a_lease_is_waited_for),
#endif
        RUN(test_read_all),
        RUN(test_same_file),
        RUN(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
