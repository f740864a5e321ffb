/* Temporary files without a name, and rows of codes in them. */
#include "base/spool.h"
#include "failing.h"
#include "files.h"
#include "table/packed_rows.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct fixture {
    shoal_ctx ctx;
    char folder[64];
} fixture;

static int open_fixture(void **state)
{
    static fixture f;

    memset(&f, 0, sizeof f);
    shoal_i_ctx_init(&f.ctx);
    make_folder(f.folder);
    *state = &f;
    return 0;
}

static int close_fixture(void **state)
{
    fixture *f = *state;

    shoal_i_ctx_clear(&f->ctx);
    return rmdir(f->folder); /* it is empty: whatever was in it had no name */
}

/* Pieces of all sizes around that of the buffer come back as they were, at any place. */
static void test_bytes_come_back(void **state)
{
    static const size_t pieces[] = {1, 7, 65535, 65536, 65537, 0, 200000, 3};
    fixture *f = *state;
    shoal_i_spool *spool = NULL;
    static unsigned char written[600000];
    static unsigned char read[600000];
    size_t size = 0;

    for (size_t i = 0; i < sizeof written; i++) {
        written[i] = (unsigned char)(i * 31 + i / 251);
    }
    assert_int_equal(shoal_i_spool_open(&f->ctx, &spool, f->folder), SHOAL_OK);
    assert_int_equal(count_files(f->folder), 0);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        assert_int_equal(shoal_i_spool_write(&f->ctx, spool, written + size, pieces[i]),
                         SHOAL_OK);
        size += pieces[i];
        assert_int_equal(shoal_i_spool_size(spool), size);
        assert_int_equal(shoal_i_spool_read(&f->ctx, spool, size / 2, read, size - size / 2),
                         SHOAL_OK);
        assert_memory_equal(read, written + size / 2, size - size / 2);
    }
    shoal_i_spool_free(spool);
    shoal_i_spool_free(NULL);
}

/* The descriptors that are open, as their files: one without a name, for the owner alone. */
static void test_only_the_owner_may_read(void **state)
{
    fixture *f = *state;
    shoal_i_spool *spool = NULL;
    struct stat folder;
    size_t found = 0;

    assert_int_equal(stat(f->folder, &folder), 0);
    assert_int_equal(shoal_i_spool_open(&f->ctx, &spool, f->folder), SHOAL_OK);
    for (int fd = 3; fd < 256; fd++) {
        struct stat info;

        if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink == 0 &&
            info.st_dev == folder.st_dev) {
            assert_int_equal(info.st_mode & 07777, 0600);
            found++;
        }
    }
    assert_int_equal(found, 1);
    shoal_i_spool_free(spool);
}

static void test_a_missing_folder_is_named(void **state)
{
    fixture *f = *state;
    shoal_i_spool *spool = NULL;

    assert_int_equal(shoal_i_spool_open(&f->ctx, &spool, "/tmp/no/such/folder"),
                     SHOAL_ENOTFOUND);
    assert_null(spool);
    assert_string_equal(f->ctx.error.source, "/tmp/no/such/folder");
}

static void test_a_full_disk_is_an_error(void **state)
{
    fixture *f = *state;
    shoal_i_spool *spool = NULL;
    struct rlimit before;
    char bytes[4096] = {0};
    shoal_status st = SHOAL_OK;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit small = {.rlim_cur = 100000, .rlim_max = before.rlim_max};

    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_int_equal(shoal_i_spool_open(&f->ctx, &spool, f->folder), SHOAL_OK);
    for (int i = 0; i < 100 && st == SHOAL_OK; i++) {
        st = shoal_i_spool_write(&f->ctx, spool, bytes, sizeof bytes);
    }
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(st, SHOAL_EIO);
    assert_string_equal(f->ctx.error.source, f->folder);
    assert_non_null(strstr(f->ctx.error.message, "temporary file"));
    shoal_i_spool_free(spool);
}

/* --- Rows. ------------------------------------------------------------------------------ */

static const uint32_t largest[] = {0, 255, 256, 65535, 65536, UINT32_MAX};
#define FIELDS (sizeof largest / sizeof *largest)

static void make_format(fixture *f, shoal_i_row_format *format)
{
    assert_int_equal(shoal_i_row_format_init(&f->ctx, format, FIELDS), SHOAL_OK);
    for (size_t i = 0; i < FIELDS; i++) {
        shoal_i_row_format_add(format, largest[i]);
    }
    assert_int_equal(format->size, 1 + 1 + 2 + 2 + 4 + 4);
}

static uint32_t make_code(uint32_t row, size_t field)
{
    return (uint32_t)(row * 2654435761u % ((uint64_t)largest[field] + 1));
}

static void test_rows_come_back_in_order(void **state)
{
    enum { ROWS = 20000 };
    fixture *f = *state;
    shoal_i_row_format format;
    shoal_i_rows rows = {0};
    shoal_i_rows_reader reader = {0};
    const unsigned char *next = NULL;
    unsigned char row[16];

    make_format(f, &format);
    assert_int_equal(shoal_i_rows_open(&f->ctx, &rows, &format, f->folder), SHOAL_OK);
    for (uint32_t i = 0; i < ROWS; i++) {
        for (size_t c = 0; c < FIELDS; c++) {
            shoal_i_row_put(&format, row, c, make_code(i, c));
        }
        assert_int_equal(shoal_i_rows_add(&f->ctx, &rows, row), SHOAL_OK);
    }
    assert_int_equal(rows.count, ROWS);
    assert_int_equal(shoal_i_rows_reader_init(&f->ctx, &reader, &rows), SHOAL_OK);
    for (uint32_t i = 0; i < ROWS; i++) {
        assert_int_equal(shoal_i_rows_next(&f->ctx, &reader, &next), SHOAL_OK);
        assert_non_null(next);
        for (size_t c = 0; c < FIELDS; c++) {
            assert_int_equal(shoal_i_row_get(&format, next, c), make_code(i, c));
        }
    }
    assert_int_equal(shoal_i_rows_next(&f->ctx, &reader, &next), SHOAL_OK);
    assert_null(next);
    shoal_i_rows_reader_clear(&reader);
    shoal_i_rows_clear(&rows);
    shoal_i_row_format_clear(&format);
}

/* Bytes compare as codes do. */
static void test_rows_sort_as_bytes(void **state)
{
    fixture *f = *state;
    shoal_i_row_format format;
    static const uint32_t codes[] = {0, 1, 127, 128, 255, 256, 511, 32768, 65535};

    assert_int_equal(shoal_i_row_format_init(&f->ctx, &format, 2), SHOAL_OK);
    shoal_i_row_format_add(&format, 65535);
    shoal_i_row_format_add(&format, 1);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        for (size_t j = 0; j < sizeof codes / sizeof *codes; j++) {
            unsigned char a[3];
            unsigned char b[3];

            shoal_i_row_put(&format, a, 0, codes[i]);
            shoal_i_row_put(&format, a, 1, 1);
            shoal_i_row_put(&format, b, 0, codes[j]);
            shoal_i_row_put(&format, b, 1, 0);
            assert_true((memcmp(a, b, 3) < 0) == (codes[i] < codes[j]));
        }
    }
    shoal_i_row_format_clear(&format);
}

static shoal_status write_some(shoal_ctx *ctx, void *payload)
{
    shoal_status st = SHOAL_OK;
    const fixture *f = payload;
    shoal_i_row_format format = {0};
    shoal_i_rows rows = {0};
    shoal_i_rows_reader reader = {0};
    const unsigned char *row = NULL;

    SHOAL_TRY(shoal_i_row_format_init(ctx, &format, 1));
    shoal_i_row_format_add(&format, 1);
    SHOAL_TRY(shoal_i_rows_open(ctx, &rows, &format, f->folder));
    SHOAL_TRY(shoal_i_rows_add(ctx, &rows, (const unsigned char *)"x"));
    SHOAL_TRY(shoal_i_rows_reader_init(ctx, &reader, &rows));
    SHOAL_TRY(shoal_i_rows_next(ctx, &reader, &row));
done:
    shoal_i_rows_reader_clear(&reader);
    shoal_i_rows_clear(&rows);
    shoal_i_row_format_clear(&format);
    return st;
}

static void test_failing_allocations(void **state)
{
    fixture *f = *state;

    assert_survives_failing_allocations(&f->ctx, write_some, f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_bytes_come_back),           TEST(test_only_the_owner_may_read),
        TEST(test_a_missing_folder_is_named), TEST(test_a_full_disk_is_an_error),
        TEST(test_rows_come_back_in_order),   TEST(test_rows_sort_as_bytes),
        TEST(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
