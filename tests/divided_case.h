/* divided_case.h -- a table in parts, divided and solved by the public verbs alone. */
#ifndef SHOAL_TESTS_DIVIDED_CASE_H
#define SHOAL_TESTS_DIVIDED_CASE_H

#include <shoal/csv.h>
#include <shoal/division.h>

#include "illness_case.h"
#include "job/input/columns.h"

#define PARTS_MAX 64

/* A run over parts. Objects go through bytes where through_bytes is set, as if every call were
 * in another process. */
typedef struct divided {
    shoal_ctx *ctx;
    const shoal_spec *spec;
    bool through_bytes;
    const char *person; /* the column whose values are dealt out whole; NULL: none */
    size_t part_count;
    shoal_table *whole;
    shoal_table *parts[PARTS_MAX];
    size_t *part_of;  /* of each record of the whole */
    size_t *place_of; /* in its part */
    shoal_division *division;
    uint32_t *fragment_of; /* of each record of the whole */
    size_t rounds;
    shoal_table **published; /* of each fragment */
    shoal_classes *classes;
    shoal_division_outcome outcome;
} divided;

#define CHECK(call)                                                                            \
    do {                                                                                       \
        shoal_status checked = (call);                                                         \
        if (checked != SHOAL_OK) {                                                             \
            return checked;                                                                    \
        }                                                                                      \
    } while (0)

/* Let each person be in one part; records of nobody are anywhere. */
static inline void gather_persons(divided *d, shoal_i_random *random)
{
    size_t column = (size_t)shoal_table_find(d->whole, d->person);
    size_t values = shoal_table_value_count(d->whole, column);
    size_t *part_of = calloc(values + 1, sizeof *part_of);

    for (size_t value = 0; value < values; value++) {
        part_of[value] = (size_t)shoal_i_random_below(random, d->part_count);
    }
    for (size_t row = 0; row < shoal_table_row_count(d->whole); row++) {
        uint32_t value = shoal_table_code(d->whole, column, row);

        d->part_of[row] = value < values ? part_of[value] : d->part_of[row];
    }
    free(part_of);
}

/* Deal the records of a table out to parts at random; every part gets one, unless persons are
 * kept together. */
static inline void deal_out(divided *d, shoal_i_random *random)
{
    size_t rows = shoal_table_row_count(d->whole);
    bool *keep = calloc(rows, sizeof *keep);
    size_t counts[PARTS_MAX] = {0};

    d->part_of = calloc(rows, sizeof *d->part_of);
    d->place_of = calloc(rows, sizeof *d->place_of);
    d->fragment_of = calloc(rows, sizeof *d->fragment_of);
    for (size_t row = 0; row < rows; row++) {
        d->part_of[row] =
            row < d->part_count ? row : (size_t)shoal_i_random_below(random, d->part_count);
    }
    if (d->person) {
        gather_persons(d, random);
    }
    for (size_t row = 0; row < rows; row++) {
        d->place_of[row] = counts[d->part_of[row]]++;
    }
    for (size_t p = 0; p < d->part_count; p++) {
        for (size_t row = 0; row < rows; row++) {
            keep[row] = d->part_of[row] == p;
        }
        assert_int_equal(shoal_table_filter(d->ctx, &d->parts[p], d->whole, keep), SHOAL_OK);
    }
    free(keep);
}

/* --- Through bytes. --------------------------------------------------------------------- */

static inline shoal_status send_values(divided *d, shoal_values **values)
{
    char *bytes = NULL;
    size_t size = 0;
    shoal_values *read = NULL;

    CHECK(shoal_values_write_memory(d->ctx, &bytes, &size, *values));
    shoal_status st = shoal_values_read_memory(d->ctx, &read, d->spec, bytes, size);

    shoal_bytes_free(bytes);
    shoal_values_free(st == SHOAL_OK ? *values : NULL);
    *values = st == SHOAL_OK ? read : *values;
    return st;
}

static inline shoal_status send_division(divided *d)
{
    char *bytes = NULL;
    size_t size = 0;
    shoal_division *read = NULL;

    CHECK(shoal_division_write_memory(d->ctx, &bytes, &size, d->division));
    shoal_status st = shoal_division_read_memory(d->ctx, &read, d->spec, bytes, size);

    shoal_bytes_free(bytes);
    shoal_division_free(st == SHOAL_OK ? d->division : NULL);
    d->division = st == SHOAL_OK ? read : d->division;
    return st;
}

static inline shoal_status send_counts(divided *d, shoal_counts **counts)
{
    char *bytes = NULL;
    size_t size = 0;
    shoal_counts *read = NULL;

    CHECK(shoal_counts_write_memory(d->ctx, &bytes, &size, *counts));
    shoal_status st = shoal_counts_read_memory(d->ctx, &read, d->division, bytes, size);

    shoal_bytes_free(bytes);
    shoal_counts_free(st == SHOAL_OK ? *counts : NULL);
    *counts = st == SHOAL_OK ? read : *counts;
    return st;
}

static inline shoal_status send_classes(divided *d, shoal_classes **classes)
{
    char *bytes = NULL;
    size_t size = 0;
    shoal_classes *read = NULL;

    CHECK(shoal_classes_write_memory(d->ctx, &bytes, &size, *classes));
    shoal_status st = shoal_classes_read_memory(d->ctx, &read, d->spec, bytes, size);

    shoal_bytes_free(bytes);
    shoal_classes_free(st == SHOAL_OK ? *classes : NULL);
    *classes = st == SHOAL_OK ? read : *classes;
    return st;
}

/* --- The verbs. ------------------------------------------------------------------------- */

static inline shoal_status build(divided *d)
{
    shoal_values *all = NULL;
    shoal_values *more = NULL;
    shoal_status st = SHOAL_OK;

    for (size_t p = 0; p < d->part_count && st == SHOAL_OK; p++) {
        st = shoal_values_count(d->ctx, &more, d->spec, d->parts[p]);
        if (st == SHOAL_OK && d->through_bytes) {
            st = send_values(d, &more);
        }
        if (st == SHOAL_OK && all) {
            st = shoal_values_add(d->ctx, all, more);
            shoal_values_free(more);
        } else if (st == SHOAL_OK) {
            all = more;
        } else {
            shoal_values_free(more);
        }
        more = NULL;
    }
    if (st == SHOAL_OK) {
        st = shoal_division_build(d->ctx, &d->division, d->spec, all);
    }
    if (st == SHOAL_OK && d->through_bytes) {
        st = send_division(d);
    }
    shoal_values_free(all);
    return st;
}

static inline shoal_status count_round(divided *d, shoal_counts **all)
{
    shoal_status st = SHOAL_OK;

    for (size_t p = d->part_count; p-- > 0 && st == SHOAL_OK;) {
        shoal_counts *more = NULL;

        st = shoal_division_count(d->ctx, &more, d->division, d->parts[p]);
        if (st == SHOAL_OK && d->through_bytes) {
            st = send_counts(d, &more);
        }
        if (st == SHOAL_OK && *all) {
            st = shoal_counts_add(d->ctx, *all, more);
        } else if (st == SHOAL_OK) {
            *all = more;
            more = NULL;
        }
        shoal_counts_free(more);
    }
    return st;
}

static inline shoal_status cut(divided *d, uint64_t most)
{
    size_t open = 0;

    CHECK(shoal_division_cut(d->ctx, &open, d->division, NULL, most));
    while (open > 0) {
        shoal_counts *all = NULL;
        shoal_status st = d->through_bytes ? send_division(d) : SHOAL_OK;

        if (st == SHOAL_OK) {
            st = count_round(d, &all);
        }
        if (st == SHOAL_OK) {
            st = shoal_division_cut(d->ctx, &open, d->division, all, most);
        }
        shoal_counts_free(all);
        CHECK(st);
        d->rounds++;
        assert_true(d->rounds < 10000);
    }
    return SHOAL_OK;
}

static inline shoal_status route(divided *d)
{
    size_t rows = shoal_table_row_count(d->whole);

    for (size_t p = 0; p < d->part_count; p++) {
        uint32_t *fragments = calloc(shoal_table_row_count(d->parts[p]) + 1, sizeof *fragments);
        shoal_status st = shoal_division_route(d->ctx, fragments, d->division, d->parts[p]);

        for (size_t row = 0; st == SHOAL_OK && row < rows; row++) {
            if (d->part_of[row] == p) {
                d->fragment_of[row] = fragments[d->place_of[row]];
            }
        }
        free(fragments);
        CHECK(st);
    }
    return SHOAL_OK;
}

/* Every row is that of the record it is said to be of: columns that are released as they are
 * have its texts, and every record has one row. */
static inline void assert_rows(const shoal_table *published, const uint32_t *rows,
                               const shoal_table *records, const shoal_spec *spec)
{
    size_t count = shoal_table_row_count(published);
    bool *is_seen = calloc(shoal_table_row_count(records) + 1, sizeof *is_seen);

    for (size_t i = 0; i < count; i++) {
        assert_true(rows[i] < shoal_table_row_count(records) && !is_seen[rows[i]]);
        is_seen[rows[i]] = true;
    }
    for (size_t c = 0; c < shoal_table_column_count(published); c++) {
        const char *name = shoal_table_name(published, c);
        ptrdiff_t from = shoal_table_find(records, name);
        bool is_quasi = shoal_i_column_role(spec, name) == SHOAL_ROLE_QUASI;

        for (size_t i = 0; from >= 0 && !is_quasi && i < count; i++) {
            size_t lengths[2];
            const char *text =
                shoal_table_text(published, c, shoal_table_code(published, c, i), &lengths[0]);
            const char *given =
                shoal_table_text(records, (size_t)from,
                                 shoal_table_code(records, (size_t)from, rows[i]), &lengths[1]);

            assert_int_equal(lengths[0], lengths[1]);
            assert_memory_equal(text, given, lengths[0]);
        }
    }
    free(is_seen);
}

static inline shoal_status solve_one(divided *d, size_t fragment)
{
    size_t rows = shoal_table_row_count(d->whole);
    bool *keep = calloc(rows, sizeof *keep);
    shoal_table *records = NULL;
    shoal_classes *more = NULL;

    for (size_t row = 0; row < rows; row++) {
        keep[row] = d->fragment_of[row] == fragment;
    }
    shoal_status st = shoal_table_filter(d->ctx, &records, d->whole, keep);
    uint32_t *of = calloc(rows + 1, sizeof *of);

    if (st == SHOAL_OK) {
        st = shoal_division_solve_rows(d->ctx, &d->published[fragment], &more, of, d->division,
                                       records, fragment);
    }
    if (st == SHOAL_OK) {
        assert_rows(d->published[fragment], of, records, d->spec);
    }
    free(of);
    if (st == SHOAL_OK && d->through_bytes) {
        st = send_classes(d, &more);
    }
    if (st == SHOAL_OK && d->classes) {
        st = shoal_classes_add(d->ctx, d->classes, more);
    } else if (st == SHOAL_OK) {
        d->classes = more;
        more = NULL;
    }
    shoal_classes_free(more);
    shoal_table_free(records);
    free(keep);
    return st;
}

static inline shoal_status solve(divided *d)
{
    size_t count = shoal_division_fragment_count(d->division);

    d->published = calloc(count, sizeof *d->published);
    for (size_t i = 0; i < count; i++) {
        CHECK(solve_one(d, i));
    }
    d->outcome = (shoal_division_outcome)SHOAL_DIVISION_OUTCOME_INIT;
    return shoal_division_verify(d->ctx, &d->outcome, d->division, d->classes);
}

static inline void end(divided *d)
{
    for (size_t i = 0; d->published && i < shoal_division_fragment_count(d->division); i++) {
        shoal_table_free(d->published[i]);
    }
    free(d->published);
    shoal_classes_free(d->classes);
    shoal_division_free(d->division);
    d->published = NULL;
    d->classes = NULL;
    d->division = NULL;
}

static inline void forget(divided *d)
{
    end(d);
    for (size_t p = 0; p < d->part_count; p++) {
        shoal_table_free(d->parts[p]);
    }
    shoal_table_free(d->whole);
    free(d->part_of);
    free(d->place_of);
    free(d->fragment_of);
    *d = (divided){0};
}

/* All of it. */
static inline shoal_status run_divided(divided *d, uint64_t most)
{
    CHECK(build(d));
    CHECK(cut(d, most));
    CHECK(route(d));
    return solve(d);
}

/* --- What is published, as lines. ------------------------------------------------------- */

typedef struct line_list {
    char **list;
    size_t count;
    char *bytes;
} line_list;

static inline int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of a file behind its header, sorted; adds to what is there. */
static inline void add_lines(line_list *l, const char *path)
{
    size_t size = 0;
    char *bytes = read_file(path, &size);
    bool is_header = true;

    bytes[size] = '\0';
    for (char *line = strtok_r(bytes, "\n", &l->bytes); line;
         line = strtok_r(NULL, "\n", &l->bytes)) {
        if (!is_header) {
            l->list = realloc(l->list, (l->count + 1) * sizeof *l->list);
            l->list[l->count++] = strdup(line);
        }
        is_header = false;
    }
    free(bytes);
}

static inline void clear_lines(line_list *l)
{
    for (size_t i = 0; i < l->count; i++) {
        free(l->list[i]);
    }
    free(l->list);
    *l = (line_list){0};
}

/* The published fragments together are the lines of a file. */
static inline void assert_published(divided *d, const char *whole, const char *scratch,
                                    char delimiter)
{
    line_list expected = {0};
    line_list found = {0};

    add_lines(&expected, whole);
    for (size_t i = 0; i < shoal_division_fragment_count(d->division); i++) {
        assert_int_equal(shoal_csv_write(d->ctx, d->published[i], scratch, delimiter),
                         SHOAL_OK);
        add_lines(&found, scratch);
    }
    qsort(expected.list, expected.count, sizeof *expected.list, compare_lines);
    qsort(found.list, found.count, sizeof *found.list, compare_lines);
    assert_int_equal(expected.count, found.count);
    for (size_t i = 0; i < found.count; i++) {
        assert_string_equal(expected.list[i], found.list[i]);
    }
    clear_lines(&expected);
    clear_lines(&found);
}

#endif /* SHOAL_TESTS_DIVIDED_CASE_H */
