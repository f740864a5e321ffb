/* fragments_case.h -- a folder, a spec and random tables for tests of runs in fragments. */
#ifndef SHOAL_TESTS_FRAGMENTS_CASE_H
#define SHOAL_TESTS_FRAGMENTS_CASE_H

#include <shoal/job.h>

#include "base/random.h"
#include "failing.h"
#include "files.h"
#include "job/fragments/memory_run.h"
#include "spec/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fixture {
    shoal_ctx ctx;
    shoal_spec *spec;
    char folder[64];
    char input[96];
    char whole[96];
    char output[96];
    size_t fragments; /* of the last run, as it told */
} fixture;

static inline void note_fragments(void *payload, shoal_log_level level, const char *message,
                                  const shoal_error *place)
{
    fixture *f = payload;
    const char *text = "The records were cut into ";

    (void)level;
    (void)place;
    if (strncmp(message, text, strlen(text)) == 0) {
        f->fragments = strtoul(message + strlen(text), NULL, 10);
    }
}

static inline int open_fixture(void **state)
{
    static fixture f;

    memset(&f, 0, sizeof f);
    shoal_i_ctx_init(&f.ctx);
    f.ctx.threads = 2;
    f.ctx.log = note_fragments;
    f.ctx.log_payload = &f;
    make_folder(f.folder);
    snprintf(f.input, sizeof f.input, "%s/in.csv", f.folder);
    snprintf(f.whole, sizeof f.whole, "%s/whole.csv", f.folder);
    snprintf(f.output, sizeof f.output, "%s/out.csv", f.folder);
    *state = &f;
    return shoal_spec_new(&f.ctx, &f.spec) == SHOAL_OK ? 0 : -1;
}

static inline int close_fixture(void **state)
{
    fixture *f = *state;

    shoal_spec_free(f->spec);
    shoal_i_ctx_clear(&f->ctx);
    unlink(f->input);
    unlink(f->whole);
    unlink(f->output);
    return rmdir(f->folder); /* whatever else was left would be in the way */
}

static inline void set(fixture *f, const char *key, const char *value)
{
    assert_int_equal(shoal_spec_set(&f->ctx, f->spec, key, value), SHOAL_OK);
}

static inline void set_role(fixture *f, const char *column, shoal_role role)
{
    assert_int_equal(shoal_spec_set_role(&f->ctx, f->spec, column, role), SHOAL_OK);
}

/* shoal_anonymize with fragments of at most this many records, whatever the limit of memory. */
static inline shoal_status anonymize_in_fragments(shoal_ctx *ctx, shoal_report **out,
                                                  shoal_spec *spec, const char *input,
                                                  const char *output, size_t most)
{
    spec->fragment_records = most;
    shoal_status st = shoal_anonymize(ctx, out, spec, input, output);

    spec->fragment_records = 0;
    return st;
}

static inline char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);

    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static inline bool are_same_bytes(const char *a, const char *b)
{
    size_t a_size = 0;
    size_t b_size = 0;
    char *a_bytes = read_file(a, &a_size);
    char *b_bytes = read_file(b, &b_size);
    bool are_same = a_size == b_size && memcmp(a_bytes, b_bytes, a_size) == 0;

    free(a_bytes);
    free(b_bytes);
    return are_same;
}

static inline void assert_same_bytes(const char *a, const char *b)
{
    size_t a_size = 0;
    size_t b_size = 0;
    char *a_bytes = read_file(a, &a_size);
    char *b_bytes = read_file(b, &b_size);

    assert_int_equal(a_size, b_size);
    assert_memory_equal(a_bytes, b_bytes, a_size);
    free(a_bytes);
    free(b_bytes);
}

/* --- Random tables. --------------------------------------------------------------------- */

/* Numbers, texts, masked codes; an identifier, and columns that are released as they are. */
static inline void write_random(fixture *f, shoal_i_random *random, size_t rows,
                                bool with_missing)
{
    FILE *file = fopen(f->input, "wb");
    unsigned ages = 2 + (unsigned)shoal_i_random_below(random, 60);
    unsigned cities = 1 + (unsigned)shoal_i_random_below(random, 9);

    assert_non_null(file);
    fprintf(file, "name,age,city,note,zip,income\n");
    for (size_t i = 0; i < rows; i++) {
        unsigned age = (unsigned)shoal_i_random_below(random, ages);
        bool is_missing = with_missing && shoal_i_random_below(random, 12) == 0;
        char text[16];

        snprintf(text, sizeof text, "%u", age * age / 7);
        fprintf(file, "n%zu,%s,c%u,%u,%03u,%u\n", i, is_missing ? "" : text,
                (unsigned)shoal_i_random_below(random, cities),
                (unsigned)shoal_i_random_below(random, 4),
                (unsigned)shoal_i_random_below(random, 300),
                (unsigned)shoal_i_random_below(random, 1000));
    }
    fclose(file);
}

static inline void ask_random(fixture *f, shoal_i_random *random)
{
    static const char *const ks[] = {"1", "2", "3", "5", "10"};

    set_role(f, "name", SHOAL_ROLE_IDENTIFIER);
    set_role(f, "age", SHOAL_ROLE_QUASI);
    set_role(f, "city", SHOAL_ROLE_QUASI);
    set_role(f, "zip", SHOAL_ROLE_QUASI);
    set_role(f, "income", SHOAL_ROLE_SENSITIVE);
    assert_int_equal(shoal_spec_set_hierarchy(&f->ctx, f->spec, "zip", "prefix:3"), SHOAL_OK);
    set(f, "privacy.k", ks[shoal_i_random_below(random, 5)]);
    set(f, "missing.action", "keep");
    set(f, "output.numeric", shoal_i_random_below(random, 2) ? "range" : "minmax");
    set(f, "output.categorical", shoal_i_random_below(random, 2) ? "label" : "set");
    set(f, "output.delimiter", shoal_i_random_below(random, 2) ? "," : ";");
    set(f, "temporary", f->folder);
}

static inline void assert_same_figures(const shoal_report *a, const shoal_report *b)
{
    static const char *const names[] = {
        "records", "classes",        "smallest_class",     "ncp",
        "gcp",     "discernibility", "average_class_size", "distortion_ratio"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double x = shoal_report_figure(a, names[i]);

        assert_true(fabs(x - shoal_report_figure(b, names[i])) <= 1e-9 * (1 + fabs(x)));
    }
    assert_true(shoal_report_holds(b));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

#endif /* SHOAL_TESTS_FRAGMENTS_CASE_H */
