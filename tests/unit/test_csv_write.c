#include "context.h"
#include "table_tools.h"

#include "base/file.h"
#include "base/random.h"
#include "table/csv/csv_text.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/shoal_write_XXXXXX";
static char path[64];

/* Takes bytes until it has enough. */
typedef struct taker {
    char *bytes;
    size_t size;
    size_t most;
} taker;

static bool take(void *payload, const char *bytes, size_t size)
{
    taker *t = payload;

    if (size > t->most - t->size) {
        return false;
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    return true;
}

/* The same bytes come through a function; one that refuses the last of them is told of. */
static void assert_same_through_a_function(shoal_ctx *ctx, const shoal_table *table,
                                           char delimiter, const char *bytes, size_t size)
{
    taker t = {.bytes = malloc(size + 1), .most = size};

    assert_int_equal(shoal_csv_write_to(ctx, table, delimiter, take, &t), SHOAL_OK);
    assert_int_equal(t.size, size);
    assert_memory_equal(t.bytes, bytes, size);
    t.size = 0;
    t.most = size - 1;
    assert_int_equal(shoal_csv_write_to(ctx, table, delimiter, take, &t), SHOAL_EIO);
    assert_int_equal(shoal_csv_write_to(ctx, table, delimiter, NULL, &t), SHOAL_EINVAL);
    free(t.bytes);
}

/* Write a table and return the bytes. */
static char *write_text(shoal_ctx *ctx, const shoal_table *table, char delimiter, size_t *size)
{
    char *bytes = NULL;
    shoal_status st = shoal_csv_write(ctx, table, path, delimiter);

    if (st != SHOAL_OK) {
        print_error("%s\n", ctx->error.message);
    }
    assert_int_equal(st, SHOAL_OK);
    assert_int_equal(shoal_i_input_read_all(ctx, &bytes, size, path, (size_t)1 << 30),
                     SHOAL_OK);
    assert_same_through_a_function(ctx, table, delimiter, bytes, *size);
    return bytes;
}

static void assert_written(shoal_ctx *ctx, const char *text, char delimiter,
                           const char *expected)
{
    shoal_table *table = read_text(ctx, text, NULL);
    size_t size;
    char *bytes = write_text(ctx, table, delimiter, &size);

    assert_string_equal(bytes, expected);
    assert_int_equal(size, strlen(expected));
    free(bytes);
    shoal_table_free(table);
}

static void test_quotes_where_needed(void **state)
{
    assert_written(*state, "a,b\n1,x\n", ',', "a,b\n1,x\n");
    assert_written(*state, "a,b\r\n\"1\",\"x\"\r\n", ',', "a,b\n1,x\n");
    assert_written(*state, "a;b\n1;x,y\n", ',', "a,b\n1,\"x,y\"\n");
    assert_written(*state, "a,b\n1,\"x,y\"\n", ';', "a;b\n1;x,y\n");
    assert_written(*state, "a,b\n1,\"say \"\"hi\"\"\"\n", ',', "a,b\n1,\"say \"\"hi\"\"\"\n");
    assert_written(*state, "a,b\n1,\"x\ny\"\n2,\"x\ry\"\n3, z \n", ',',
                   "a,b\n1,\"x\ny\"\n2,\"x\ry\"\n3, z \n");
    /* Missing values are written as the token they had. */
    assert_written(*state, "a,b\n?,x\n2,\n", ',', "a,b\n?,x\n2,\n");
}

static void test_names(void **state)
{
    shoal_csv_options options = {.struct_size = sizeof options, .delimiter = ','};
    const char *text = "\"a;b\",\"c|d\",\"e,f\",\"g\"\"h\"\n1,2,3,4\n";
    shoal_table *table = read_text(*state, text, &options);
    size_t size;
    char *bytes = write_text(*state, table, ';', &size);

    assert_string_equal(bytes, "\"a;b\";\"c|d\";\"e,f\";\"g\"\"h\"\n1;2;3;4\n");
    free(bytes);
    shoal_table_free(table);
    /* A name that looks like a byte order mark is not to become one. */
    assert_written(*state, "\"\xEF\xBB\xBFx\",y\n1,2\n", ',', "\"\xEF\xBB\xBFx\",y\n1,2\n");
}

static void test_one_column(void **state)
{
    assert_written(*state, "a\nx\n\ny\n", ',', "a\nx\n\"\"\ny\n");
}

static shoal_status skip_first(shoal_ctx *ctx, void *payload, shoal_csv_column *columns,
                               size_t count)
{
    (void)ctx;
    columns[0].skip = true;
    columns[count - 1].skip |= *(bool *)payload;
    return SHOAL_OK;
}

static void test_skipped_columns(void **state)
{
    shoal_ctx *ctx = *state;
    bool skip_all = false;
    shoal_csv_options options = {
        .struct_size = sizeof options, .configure = skip_first, .configure_payload = &skip_all};
    shoal_table *table = read_text(ctx, "a,b\n1,x\n2,y\n", &options);
    size_t size;
    char *bytes = write_text(ctx, table, ',', &size);

    assert_string_equal(bytes, "b\nx\ny\n");
    free(bytes);
    shoal_table_free(table);
    skip_all = true;
    table = read_text(ctx, "a,b\n1,x\n2,y\n", &options);
    assert_int_equal(shoal_csv_write(ctx, table, path, ','), SHOAL_EINVAL);
    shoal_table_free(table);
}

static void test_no_records(void **state)
{
    shoal_array array = {.name = "n", .kind = SHOAL_ARRAY_INT32};
    shoal_table *table = NULL;
    size_t size;

    assert_int_equal(shoal_table_from_arrays(*state, &table, &array, 1), SHOAL_OK);
    char *bytes = write_text(*state, table, ',', &size);

    assert_string_equal(bytes, "n\n");
    free(bytes);
    shoal_table_free(table);
}

/* More records than a chunk has, and more values than a dictionary of the usual size, on any
 * number of threads: read and written, the same text. */
static void test_many_records(void **state)
{
    enum { RECORDS = 150000 };
    shoal_ctx *ctx = *state;
    shoal_i_random random = shoal_i_random_start(6);
    char *text = malloc(RECORDS * 32);
    size_t length = (size_t)snprintf(text, 32, "id,group\n");
    char *first = NULL;

    for (size_t row = 0; row < RECORDS; row++) {
        length += (size_t)snprintf(text + length, 32, "%zu,g%d\n", row,
                                   (int)shoal_i_random_below(&random, 7));
    }
    for (int threads = 1; threads <= 5; threads += 2) {
        size_t size;

        ctx->threads = threads;
        shoal_table *table = read_text(ctx, text, NULL);
        char *bytes = write_text(ctx, table, ',', &size);

        assert_int_equal(size, length);
        assert_memory_equal(bytes, text, length);
        shoal_table_free(table);
        free(first);
        first = bytes;
    }
    ctx->threads = 1;
    free(first);
    free(text);
}

/* --- What cannot be written. --- */

static void test_bad_targets(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_table *table = read_text(ctx, "a,b\n1,x\n", NULL);

    assert_int_equal(shoal_csv_write(ctx, table, "/tmp/no such folder/x.csv", ','),
                     SHOAL_ENOTFOUND);
    assert_int_equal(shoal_csv_write(ctx, table, path, '"'), SHOAL_EINVAL);
    assert_int_equal(shoal_csv_write(ctx, table, path, '\0'), SHOAL_EINVAL);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(shoal_csv_write(ctx, table, "/dev/full", ','), SHOAL_EIO);
    }
    shoal_table_free(table);
}

static void test_cancel(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_table *table = read_text(ctx, "a,b\n1,x\n", NULL);
    int cancel = 1;

    unlink(path);
    ctx->cancel = &cancel;
    assert_int_equal(shoal_csv_write(ctx, table, path, ','), SHOAL_ECANCELLED);
    assert_int_equal(access(path, F_OK), -1);
    ctx->cancel = NULL;
    shoal_table_free(table);
}

static shoal_status write_table(shoal_ctx *ctx, void *payload)
{
    return shoal_csv_write(ctx, payload, path, ',');
}

static void test_failing_allocations(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_table *table = read_text(ctx, "a,b\n1,\"x \"\"y\"\"\"\n2,z\n", NULL);

    for (int threads = 1; threads <= 2; threads++) {
        ctx->threads = threads;
        assert_survives_failing_allocations(ctx, write_table, table);
    }
    ctx->threads = 1;
    shoal_table_free(table);
}

/* --- Single fields. --- */

static void test_fields(void **state)
{
    static const struct {
        const char *text;
        const char *written;
    } cases[] = {{"", ""},         {"a", "a"},           {"a,b", "\"a,b\""}, {"\"", "\"\"\"\""},
                 {"\n", "\"\n\""}, {"a\rb", "\"a\rb\""}, {" a", " a"},       {"a;b", "a;b"}};
    shoal_i_buffer buffer;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length = strlen(cases[i].text);

        shoal_i_buffer_init(&buffer, *state, SHOAL_I_BUFFER_MAX);
        shoal_i_csv_put_field(&buffer, cases[i].text, length, ',');
        assert_int_equal(buffer.size, strlen(cases[i].written));
        assert_true(buffer.size == 0 ||
                    memcmp(buffer.data, cases[i].written, buffer.size) == 0);
        assert_int_equal(shoal_i_csv_needs_quotes(cases[i].text, length, ','),
                         buffer.size > 0 && cases[i].written[0] == '"');
        shoal_i_buffer_clear(&buffer);
    }
}

static int set_up(void **state)
{
    open_context(state);
    if (!mkdtemp(folder)) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/out.csv", folder);
    return 0;
}

static int tear_down(void **state)
{
    close_context(state);
    unlink(path);
    /* Not empty if a write that failed left something behind. */
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quotes_where_needed), cmocka_unit_test(test_names),
        cmocka_unit_test(test_one_column),          cmocka_unit_test(test_skipped_columns),
        cmocka_unit_test(test_no_records),          cmocka_unit_test(test_many_records),
        cmocka_unit_test(test_bad_targets),         cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_failing_allocations), cmocka_unit_test(test_fields),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
