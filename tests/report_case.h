/* report_case.h -- a run and its report, and JSON read with the simplest means. */
#ifndef SHOAL_TESTS_REPORT_CASE_H
#define SHOAL_TESTS_REPORT_CASE_H

#include "failing.h"
#include "files.h"

#include <shoal/shoal.h>

#include <inttypes.h>
#include <math.h>

typedef struct heard {
    size_t count;
    char messages[8][SHOAL_MESSAGE_MAX];
} heard;

typedef struct room {
    shoal_ctx ctx;
    shoal_spec *spec;
    shoal_report *report;
    char folder[64];
    char input[96];
    char release[96];
    heard heard;
} room;

static inline void expect(room *r, shoal_status st)
{
    if (st != SHOAL_OK) {
        print_error("%s: %s\n", r->ctx.error.source, r->ctx.error.message);
    }
    assert_int_equal(st, SHOAL_OK);
}

static inline void set(room *r, const char *key, const char *value)
{
    expect(r, shoal_spec_set(&r->ctx, r->spec, key, value));
}

static inline void give_role(room *r, const char *column, shoal_role role)
{
    expect(r, shoal_spec_set_role(&r->ctx, r->spec, column, role));
}

static inline void hear(void *payload, shoal_log_level level, const char *message,
                        const shoal_error *where)
{
    heard *h = payload;

    (void)where;
    if (level == SHOAL_LOG_WARNING) {
        assert_true(h->count < 8);
        snprintf(h->messages[h->count++], SHOAL_MESSAGE_MAX, "%s", message);
    }
}

static inline int enter(void **state)
{
    room *r = calloc(1, sizeof *r);

    shoal_i_ctx_init(&r->ctx);
    r->ctx.threads = 1;
    r->ctx.log = hear;
    r->ctx.log_payload = &r->heard;
    make_folder(r->folder);
    snprintf(r->input, sizeof r->input, "%s/in.csv", r->folder);
    snprintf(r->release, sizeof r->release, "%s/out.csv", r->folder);
    assert_int_equal(shoal_spec_new(&r->ctx, &r->spec), SHOAL_OK);
    *state = r;
    return 0;
}

static inline int leave(void **state)
{
    room *r = *state;
    int left = remove_folder(r->folder);

    shoal_report_free(r->report);
    shoal_spec_free(r->spec);
    shoal_i_ctx_clear(&r->ctx);
    free(r);
    return left;
}

/* --- JSON, read with the simplest means. -------------------------------------------------- */

/* Behind `"key": ` of the first such key from `at` on; NULL when there is none. */
static inline const char *find_key(const char *at, const char *key)
{
    char quoted[64];

    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    at = strstr(at, quoted);
    return at ? at + strlen(quoted) : NULL;
}

/* The number of a key; NaN for null, and where there is no such key before `end`. */
static inline double read_number(const char *at, const char *end, const char *key)
{
    const char *value = find_key(at, key);

    return !value || value >= end || strncmp(value, "null", 4) == 0 ? NAN : strtod(value, NULL);
}

/* Whether a key has exactly this text; "" also when there is no such key before `end`. */
static inline bool has_text(const char *at, const char *end, const char *key, const char *text)
{
    const char *value = find_key(at, key);

    if (!value || value >= end) {
        return text[0] == '\0';
    }
    for (value++; *value != '"'; value++, text++) {
        char c = *value;

        if (c == '\\') {
            c = *++value == 'n' ? '\n' : *value;
        }
        if (c != *text) {
            return false;
        }
    }
    return *text == '\0';
}

/* The objects of an array on the top level: where one begins, and where it ends. */
static inline bool next_object(const char **at, const char **end)
{
    const char *begin = strstr(*end, "    {\n");
    const char *array_end = strstr(*end, "\n  ]");

    if (!begin || begin > array_end) {
        return false;
    }
    *at = begin;
    *end = strstr(begin, "\n    }");
    return true;
}

static inline void assert_same(double a, double b)
{
    if (!(a == b || (isnan(a) && isnan(b)))) {
        print_error("%.17g is not %.17g\n", a, b);
    }
    assert_true(a == b || (isnan(a) && isnan(b)));
}

/* Sixty people, and what their columns are. */
static inline void write_people(room *r)
{
    FILE *file = fopen(r->input, "w");

    assert_non_null(file);
    fputs("age,town,ill,email,note\n", file);
    for (int i = 0; i < 60; i++) {
        fprintf(file, "%d,t%d,%s,p%d@x,n%d\n", 20 + i * 7 % 31, i % 4, i % 3 ? "flu" : "gout",
                i, i % 2);
    }
    assert_int_equal(fclose(file), 0);
    give_role(r, "age", SHOAL_ROLE_QUASI);
    give_role(r, "town", SHOAL_ROLE_QUASI);
    give_role(r, "ill", SHOAL_ROLE_SENSITIVE);
    give_role(r, "note", SHOAL_ROLE_INSENSITIVE);
    set(r, "rest", "release");
}

#endif /* SHOAL_TESTS_REPORT_CASE_H */
