/* A release made in fragments that does not say what was to be written, as by a faulty method
 * or a faulty writer: the verifier rejects it, and nothing is published.
 *
 * The linker puts a function of this program before the verifier (--wrap, see job.cmake): it
 * changes the file that was written and then lets the verifier see it. */
#include "fragments_case.h"

#include "job/fragments/fragments.h"

#define LINES_MAX 32
#define LINE_MAX 64

/* The lines of a file, the header first. */
typedef struct lines {
    char of[LINES_MAX][LINE_MAX];
    size_t count;
} lines;

typedef void (*spoil_fn)(lines *l);

static spoil_fn spoil;
static size_t seen; /* releases that came by */

static lines read_lines(const char *path)
{
    lines l = {.count = 0};
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    while (l.count < LINES_MAX && fgets(l.of[l.count], LINE_MAX, file)) {
        l.count++;
    }
    fclose(file);
    return l;
}

static void write_lines(const lines *l, const char *path)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    for (size_t i = 0; i < l->count; i++) {
        fputs(l->of[i], file);
    }
    fclose(file);
}

shoal_status __real_shoal_i_fragments_verify(shoal_ctx *ctx, shoal_i_verdict *verdict,
                                             const shoal_i_fragments *fragments,
                                             const char *path);
shoal_status __wrap_shoal_i_fragments_verify(shoal_ctx *ctx, shoal_i_verdict *verdict,
                                             const shoal_i_fragments *fragments,
                                             const char *path);

shoal_status __wrap_shoal_i_fragments_verify(shoal_ctx *ctx, shoal_i_verdict *verdict,
                                             const shoal_i_fragments *fragments,
                                             const char *path)
{
    seen++;
    if (spoil) {
        lines l = read_lines(path);

        spoil(&l);
        write_lines(&l, path);
    }
    return __real_shoal_i_fragments_verify(ctx, verdict, fragments, path);
}

/* Sixteen ages from 10 on. Every fourth from the third on asks for four, the others for two;
 * among the lines of its class, which are ordered by illness, it is the second. */
#define ROWS 16

static void prepare(fixture *f, const char *key, const char *value)
{
    FILE *file = fopen(f->input, "wb");

    assert_non_null(file);
    fprintf(file, "age,ill,own_k\n");
    for (unsigned i = 0; i < ROWS; i++) {
        fprintf(file, "%u,i%u,%u\n", 10 + i, i % 2, i % 4 == 2 ? 4 : 2);
    }
    fclose(file);
    set_role(f, "age", SHOAL_ROLE_QUASI);
    set_role(f, "ill", SHOAL_ROLE_SENSITIVE);
    set(f, "method", "mondrian");
    set(f, "temporary", f->folder);
    set(f, key, value);
}

/* complaint NULL: it is published. */
static void check(fixture *f, spoil_fn how, const char *complaint)
{
    shoal_report *report = NULL;

    spoil = how;
    seen = 0;
    shoal_status st = anonymize_in_fragments(&f->ctx, &report, f->spec, f->input, f->output, 5);

    spoil = NULL;
    assert_int_equal(seen, 1);
    if (complaint) {
        if (st != SHOAL_EREJECTED || !strstr(f->ctx.error.message, complaint)) {
            fail_msg("status %d, \"%s\"", (int)st, f->ctx.error.message);
        }
        assert_int_not_equal(access(f->output, F_OK), 0);
    } else {
        assert_int_equal(st, SHOAL_OK);
        assert_true(f->fragments > 2);
        shoal_report_free(report);
        unlink(f->output);
    }
}

/* --- Ways to spoil it. ------------------------------------------------------------------ */

static void drop_last(lines *l)
{
    l->count--;
}

/* The first record becomes a class of its own. */
static void narrow_first(lines *l)
{
    const char *rest = strchr(l->of[1], ',');
    char line[LINE_MAX];

    assert_non_null(rest);
    snprintf(line, sizeof line, "10%s", rest);
    memcpy(l->of[1], line, sizeof line);
}

static size_t class_length(const lines *l, size_t line)
{
    return strlen(l->of[line]) - strlen(strchr(l->of[line], ','));
}

static bool is_alike(const lines *l, size_t a, size_t b)
{
    return class_length(l, a) == class_length(l, b) &&
           strncmp(l->of[a], l->of[b], class_length(l, a)) == 0;
}

/* Put the class of line `from` into line `to`. */
static void copy_class(lines *l, size_t to, size_t from)
{
    char line[LINE_MAX];

    snprintf(line, sizeof line, "%.*s%s", (int)class_length(l, from), l->of[from],
             strchr(l->of[to], ','));
    memcpy(l->of[to], line, sizeof line);
}

/* The whole last class becomes part of the one before it: large enough, and untrue. */
static void join_last(lines *l)
{
    size_t last = l->count - 1;
    size_t before = last;

    while (is_alike(l, before, last)) {
        before--;
    }
    for (size_t i = before + 1; i <= last; i++) {
        copy_class(l, i, before);
    }
}

/* The last record of the first class goes over to the second. */
static void move_on(lines *l)
{
    size_t end = 1;

    while (is_alike(l, end, 1)) {
        end++;
    }
    copy_class(l, end - 1, end);
}

/* All of a class have the same value. */
static void level_values(lines *l)
{
    for (size_t i = 1; i < l->count && is_alike(l, i, 1); i++) {
        strchr(l->of[i], ',')[2] = '0';
    }
}

/* --- Tests. ----------------------------------------------------------------------------- */

static void test_what_was_written_is_read_back(void **state)
{
    fixture *f = *state;

    prepare(f, "privacy.k", "2");
    check(f, NULL, NULL);
    check(f, drop_last, "with 15 records instead of 16");
    check(f, narrow_first, "do not meet k-anonymity");
    check(f, join_last, "does not cover");
}

/* The class of four has its record with the largest k in second place. One member less, and
 * that one is not content, while the first and the last still are; the same class as text is
 * untrue for the one that left, but that is found only afterwards. */
static void test_largest_own_k_of_a_class(void **state)
{
    fixture *f = *state;

    prepare(f, "privacy.k.column", "own_k");
    check(f, NULL, NULL);
    check(f, move_on, "do not meet");
}

static void test_values_of_a_class(void **state)
{
    fixture *f = *state;

    prepare(f, "privacy.l", "distinct:2");
    check(f, NULL, NULL);
    check(f, level_values, "l-diversity");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_was_written_is_read_back),
        TEST(test_largest_own_k_of_a_class),
        TEST(test_values_of_a_class),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
