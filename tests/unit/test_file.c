/* Files that are read. */
#include "file_case.h"

#include <fcntl.h>
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
        RUN(test_read_all),
        RUN(test_same_file),
        RUN(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
