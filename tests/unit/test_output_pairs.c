/* Two files that are published together, or neither. */
#include "file_case.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>

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

#define RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(test_pair_is_published_together),   RUN(test_pair_is_undone),
        RUN(test_pair_with_a_full_device),      RUN(test_pairs_wait_for_each_other),
        RUN(test_pair_and_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
