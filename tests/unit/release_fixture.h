/* release_fixture.h -- tables, hierarchies and releases from a few lines of text, and a
 * release's text in memory. */
#ifndef SHOAL_TESTS_RELEASE_FIXTURE_H
#define SHOAL_TESTS_RELEASE_FIXTURE_H

#include <shoal/csv.h>
#include <shoal/hierarchy.h>

#include "same_release.h"

#include "base/file.h"
#include "release/release.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define FIXTURE_COLUMNS_MAX 64

/* A quasi column: its hierarchy is NULL for numbers, "flat", "prefix", or lines
 * "leaf;...;root".
 */
typedef struct fixture_column {
    const char *name;
    const char *hierarchy;
    double weight; /* 0 stands for 1 */
} fixture_column;

typedef struct fixture {
    shoal_ctx ctx;
    shoal_table *table;
    shoal_hierarchy *hierarchies[FIXTURE_COLUMNS_MAX];
    shoal_i_quasi *quasi;
    shoal_role roles[FIXTURE_COLUMNS_MAX];
} fixture;

#define assert_ok(f, call)                                                                     \
    do {                                                                                       \
        shoal_status fixture_status = (call);                                                  \
        if (fixture_status != SHOAL_OK) {                                                      \
            fail_msg("%s: %s", #call, (f)->ctx.error.message);                                 \
        }                                                                                      \
    } while (0)

static inline void fixture_build_hierarchy(fixture *f, size_t i, size_t column,
                                           const char *hierarchy)
{
    if (strcmp(hierarchy, "flat") == 0) {
        assert_ok(f, shoal_hierarchy_build_flat(&f->ctx, &f->hierarchies[i], f->table, column));
    } else if (strcmp(hierarchy, "prefix") == 0) {
        assert_ok(
            f, shoal_hierarchy_build_prefix(&f->ctx, &f->hierarchies[i], f->table, column, 0));
    } else {
        assert_ok(f, shoal_hierarchy_build_memory(&f->ctx, &f->hierarchies[i], f->table, column,
                                                  hierarchy, strlen(hierarchy), "hierarchy"));
    }
}

/* Columns with a hierarchy of text are read as strings, so that "007" stays what it is. */
typedef struct fixture_reading {
    const fixture_column *columns;
    size_t count;
    bool all_strings;
} fixture_reading;

static inline shoal_status fixture_configure(shoal_ctx *ctx, void *payload,
                                             shoal_csv_column *columns, size_t count)
{
    const fixture_reading *reading = payload;

    (void)ctx;
    for (size_t i = 0; i < count; i++) {
        if (reading->all_strings) {
            columns[i].type = SHOAL_TYPE_STRING;
        }
        for (size_t c = 0; c < reading->count; c++) {
            if (reading->columns[c].hierarchy &&
                strcmp(reading->columns[c].name, columns[i].name) == 0) {
                columns[i].type = SHOAL_TYPE_STRING;
            }
        }
    }
    return SHOAL_OK;
}

static inline void fixture_open(fixture *f, const char *csv, const fixture_column *columns,
                                size_t count)
{
    fixture_reading reading = {.columns = columns, .count = count};
    shoal_csv_options options = {.struct_size = sizeof options,
                                 .configure = fixture_configure,
                                 .configure_payload = &reading};
    shoal_i_quasi_request requests[FIXTURE_COLUMNS_MAX] = {{0}};

    memset(f, 0, sizeof *f);
    shoal_i_ctx_init(&f->ctx);
    f->ctx.threads = 1;
    assert_ok(f, shoal_csv_read_memory(&f->ctx, &f->table, csv, strlen(csv), "original.csv",
                                       &options));
    for (size_t i = 0; i < count; i++) {
        ptrdiff_t column = shoal_table_find(f->table, columns[i].name);

        assert_true(column >= 0);
        if (columns[i].hierarchy) {
            fixture_build_hierarchy(f, i, (size_t)column, columns[i].hierarchy);
        }
        requests[i] = (shoal_i_quasi_request){
            .column = (size_t)column,
            .weight = columns[i].weight != 0 ? columns[i].weight : 1,
            .hierarchy = f->hierarchies[i],
        };
        f->roles[column] = SHOAL_ROLE_QUASI;
    }
    assert_ok(f, shoal_i_quasi_build(&f->ctx, &f->quasi, f->table, requests, count));
}

static inline void fixture_close(fixture *f)
{
    shoal_i_quasi_free(f->quasi);
    for (size_t i = 0; i < FIXTURE_COLUMNS_MAX; i++) {
        shoal_hierarchy_free(f->hierarchies[i]);
    }
    shoal_table_free(f->table);
    shoal_i_ctx_clear(&f->ctx);
}

/* The release in which row i belongs to group groups[i]; groups are 0, 1, ... without gaps. */
static inline shoal_i_release *fixture_release(fixture *f, const uint32_t *groups)
{
    size_t rows = shoal_table_row_count(f->table);
    uint32_t *order = test_calloc(rows + 1, sizeof *order);
    uint32_t *starts = test_calloc(rows + 2, sizeof *starts);
    size_t filled = 0;
    size_t group_count = 0;
    shoal_i_release *release = NULL;

    for (; filled < rows; group_count++) {
        for (size_t row = 0; row < rows; row++) {
            if (groups[row] == group_count) {
                order[filled++] = (uint32_t)row;
            }
        }
        starts[group_count + 1] = (uint32_t)filled;
    }
    assert_ok(f, shoal_i_release_from_groups(&f->ctx, &release, f->quasi, order, starts,
                                             group_count));
    test_free(order);
    test_free(starts);
    return release;
}

/* What the release is written as; release with free(). row_order, if asked for, too. */
static inline char *fixture_write(fixture *f, const shoal_i_release *release,
                                  shoal_i_layout layout, uint32_t **row_order)
{
    shoal_i_output *output = NULL;
    uint32_t *order = NULL;
    char *bytes = NULL;
    size_t size = 0;

    layout.roles = layout.roles ? layout.roles : f->roles;
    assert_ok(f, shoal_i_output_open(&f->ctx, &output, "test_release.csv"));
    assert_ok(f, shoal_i_release_write(&f->ctx, &order, release, &layout, output));
    assert_ok(f, shoal_i_input_read_all(&f->ctx, &bytes, &size,
                                        shoal_i_output_temporary(output), (size_t)1 << 30));
    assert_int_equal(strlen(bytes), size);
    shoal_i_output_free(output);
    if (row_order) {
        *row_order = order;
    } else {
        free(order);
    }
    return bytes;
}

/* A release file as a table of strings. */
static inline shoal_table *fixture_read(fixture *f, const char *csv)
{
    fixture_reading reading = {.all_strings = true};
    shoal_csv_options options = {.struct_size = sizeof options,
                                 .configure = fixture_configure,
                                 .configure_payload = &reading};
    shoal_table *file = NULL;

    assert_ok(f,
              shoal_csv_read_memory(&f->ctx, &file, csv, strlen(csv), "release.csv", &options));
    return file;
}

#endif /* SHOAL_TESTS_RELEASE_FIXTURE_H */
