/* Incognito, against all nodes of the lattice judged one by one. */
#include "context.h"
#include "method_case.h"

#include "method/incognito/incognito.h"

#include <stdio.h>

#define LINES_MAX 512

typedef struct lattice {
    const method_case *m;
    bool is_gcp;
    size_t allowed; /* records that may be suppressed */
    size_t levels[RANDOM_COLUMNS_MAX];
    size_t node_count;
} lattice;

/* What a node makes of the table. */
typedef struct slow_node {
    bool is_accepted;
    double loss;
    uint32_t class_of[CASE_ROWS_MAX]; /* the first row with the same box */
    bool is_suppressed[CASE_ROWS_MAX];
} slow_node;

static void make_lattice(lattice *l, const method_case *m, bool is_gcp, double suppress)
{
    *l = (lattice){.m = m, .is_gcp = is_gcp, .node_count = 1};
    l->allowed = (size_t)floor(suppress * (double)m->problem.row_count + 1e-9);
    for (size_t c = 0; c < m->quasi->count; c++) {
        const shoal_i_quasi_column *column = &m->quasi->columns[c];

        l->levels[c] = column->hierarchy ? (size_t)shoal_hierarchy_height(column->hierarchy) + 1
                       : column->value_count > 1 ? 2
                                                 : 1;
        l->node_count *= l->levels[c];
    }
}

/* The level of a column at a node; nodes are numbered lexicographically. */
static size_t level_at(const lattice *l, size_t node, size_t c)
{
    for (size_t later = c + 1; later < l->m->quasi->count; later++) {
        node /= l->levels[later];
    }
    return node % l->levels[c];
}

static shoal_i_interval value_at(const lattice *l, size_t node, size_t c, size_t row)
{
    const shoal_i_quasi_column *column = &l->m->quasi->columns[c];
    const shoal_hierarchy *h = column->hierarchy;
    uint32_t code = shoal_i_quasi_code(l->m->quasi, c, row);
    size_t level = level_at(l, node, c);

    if (!h) {
        return level == 0 ? (shoal_i_interval){code, code}
                          : (shoal_i_interval){0, column->value_count - 1};
    }
    uint32_t up = shoal_hierarchy_leaf_node(h, code);

    while (shoal_hierarchy_height(h) - shoal_hierarchy_depth(h, up) < (int)level) {
        up = shoal_hierarchy_parent(h, up);
    }
    return (shoal_i_interval){shoal_hierarchy_first(h, up), shoal_hierarchy_last(h, up)};
}

static double loss_of(const lattice *l, size_t c, shoal_i_interval interval)
{
    const shoal_i_quasi_column *column = &l->m->quasi->columns[c];

    if (l->is_gcp) {
        return column->weight * shoal_i_quasi_loss(column, interval.lo, interval.hi);
    }
    if (interval.lo == interval.hi) {
        return 0;
    }
    return column->hierarchy
               ? shoal_hierarchy_node_height(
                     column->hierarchy,
                     shoal_hierarchy_ancestor(column->hierarchy, interval.lo, interval.hi))
               : 1;
}

static void find_classes(const lattice *l, size_t node, slow_node *out)
{
    static uint32_t values[CASE_ROWS_MAX][RANDOM_COLUMNS_MAX];
    uint32_t firsts[CASE_ROWS_MAX];
    size_t class_count = 0;

    memset(values, 0, sizeof values);
    for (uint32_t row = 0; row < l->m->problem.row_count; row++) {
        size_t i = 0;

        for (size_t c = 0; c < l->m->quasi->count; c++) {
            values[row][c] = value_at(l, node, c, row).lo;
        }
        while (i < class_count && memcmp(values[firsts[i]], values[row], sizeof *values) != 0) {
            i++;
        }
        if (i == class_count) {
            firsts[class_count++] = row;
        }
        out->class_of[row] = firsts[i];
    }
}

static void judge_slowly(shoal_ctx *ctx, const lattice *l, size_t node, slow_node *out)
{
    size_t rows = l->m->problem.row_count;
    uint32_t members[CASE_ROWS_MAX];
    size_t suppressed = 0;

    find_classes(l, node, out);
    for (uint32_t first = 0; first < rows; first++) {
        size_t count = 0;

        for (uint32_t row = first; row < rows; row++) {
            if (out->class_of[row] == first) {
                members[count++] = row;
            }
        }
        bool holds = count == 0 || slow_holds(ctx, l->m, members, count);

        if (!holds && l->allowed == 0) {
            out->is_accepted = false;
            return;
        }
        for (size_t i = 0; i < count; i++) {
            out->is_suppressed[members[i]] = !holds;
        }
    }
    out->loss = 0;
    for (uint32_t row = 0; row < rows; row++) {
        for (size_t c = 0; c < l->m->quasi->count; c++) {
            out->loss +=
                loss_of(l, c,
                        out->is_suppressed[row] ? shoal_i_quasi_all(&l->m->quasi->columns[c])
                                                : value_at(l, node, c, row));
        }
        if (out->is_suppressed[row]) {
            members[suppressed++] = row;
        }
    }
    out->is_accepted = suppressed == 0 ||
                       (suppressed <= l->allowed && slow_holds(ctx, l->m, members, suppressed));
}

/* Whether every level of a is at most that of b. */
static bool is_below(const lattice *l, size_t a, size_t b)
{
    for (size_t c = 0; c < l->m->quasi->count; c++) {
        if (level_at(l, a, c) > level_at(l, b, c)) {
            return false;
        }
    }
    return a != b;
}

typedef struct lines {
    size_t count;
    char texts[LINES_MAX][128];
} lines;

static void catch_minimal(void *payload, shoal_log_level level, const char *message,
                          const struct shoal_error *where)
{
    lines *caught = payload;

    (void)where;
    if (strncmp(message, "minimal: ", 9) == 0) {
        assert_int_equal(level, SHOAL_LOG_INFO);
        assert_true(caught->count < LINES_MAX);
        snprintf(caught->texts[caught->count++], sizeof caught->texts[0], "%s", message + 9);
    }
}

static void check_minimal(const lattice *l, const bool *accepted, const lines *caught)
{
    size_t found = 0;

    for (size_t node = 0; node < l->node_count; node++) {
        bool is_minimal = accepted[node];

        for (size_t other = 0; is_minimal && other < l->node_count; other++) {
            is_minimal = !(accepted[other] && is_below(l, other, node));
        }
        if (is_minimal) {
            char text[128];
            size_t length = 0;

            for (size_t c = 0; c < l->m->quasi->count; c++) {
                length += (size_t)snprintf(text + length, sizeof text - length, "%sc%zu %zu",
                                           c > 0 ? ", " : "", c, level_at(l, node, c));
            }
            assert_true(found < caught->count);
            assert_string_equal(caught->texts[found++], text);
        }
    }
    assert_int_equal(found, caught->count);
}

/* The release must be that of the best node, the first of equals. */
static void check_release(const lattice *l, const slow_node *best, size_t node,
                          const shoal_i_release *release)
{
    for (size_t row = 0; row < release->row_count; row++) {
        const shoal_i_interval *box =
            release->boxes + release->box_of[row] * l->m->quasi->count;

        for (size_t c = 0; c < l->m->quasi->count; c++) {
            shoal_i_interval expected = best->is_suppressed[row]
                                            ? shoal_i_quasi_all(&l->m->quasi->columns[c])
                                            : value_at(l, node, c, row);

            assert_int_equal(box[c].lo, expected.lo);
            assert_int_equal(box[c].hi, expected.hi);
        }
    }
}

static void compare_with_lattice(shoal_ctx *ctx, const lattice *l,
                                 const shoal_i_release *release, const lines *caught)
{
    bool *accepted = calloc(l->node_count, sizeof *accepted);
    slow_node *best = calloc(1, sizeof *best);
    slow_node *trial = calloc(1, sizeof *trial);
    size_t best_node = SIZE_MAX;

    for (size_t node = 0; node < l->node_count; node++) {
        judge_slowly(ctx, l, node, trial);
        accepted[node] = trial->is_accepted;
        if (trial->is_accepted && (best_node == SIZE_MAX || trial->loss < best->loss - 1e-6)) {
            *best = *trial;
            best_node = node;
        }
    }
    assert_true(best_node != SIZE_MAX);
    check_release(l, best, best_node, release);
    check_minimal(l, accepted, caught);
    free(accepted);
    free(best);
    free(trial);
}

/* Run a case and compare it; whether there was a release. */
static bool compare_case(shoal_ctx *ctx, const method_case *m, bool is_gcp, double suppress)
{
    lattice l;
    lines *caught = calloc(1, sizeof *caught);
    shoal_i_release *release = NULL;
    char variant[96];

    make_lattice(&l, m, is_gcp, suppress);
    snprintf(variant, sizeof variant, "incognito:objective=%s,suppress=%g,list=yes",
             is_gcp ? "gcp" : "distortion", suppress);
    ctx->log = catch_minimal;
    ctx->log_payload = caught;
    shoal_status st = method_case_run(ctx, &release, m, variant);

    ctx->log = NULL;
    if (st == SHOAL_OK) {
        check_case_release(ctx, m, release);
        compare_with_lattice(ctx, &l, release, caught);
    } else {
        assert_int_equal(st, SHOAL_EUNSATISFIABLE);
    }
    shoal_i_release_free(release);
    free(caught);
    return st == SHOAL_OK;
}

static void make_case(shoal_ctx *ctx, method_case *m, uint64_t seed, size_t kind)
{
    method_case_make(ctx, m, seed, 5 + seed % 37, 1 + seed % 5, 2 + seed % 6,
                     case_kinds[kind % CASE_KINDS]);
}

static void test_equals_whole_lattice(void **state)
{
    size_t done = 0;

    for (uint64_t seed = 0; seed < 16 * CASE_KINDS; seed++) {
        method_case m;

        make_case(*state, &m, seed, seed / 2);
        done += compare_case(*state, &m, seed % 2 == 0, 0);
        method_case_free(&m);
    }
    assert_true(done > 12 * CASE_KINDS);
}

static void test_suppression_equals_whole_lattice(void **state)
{
    const double shares[] = {0.05, 0.1, 0.3, 1};
    size_t done = 0;

    for (uint64_t seed = 0; seed < 12 * CASE_KINDS; seed++) {
        method_case m;

        make_case(*state, &m, seed, seed / 3);
        done += compare_case(*state, &m, seed % 2 == 0, shares[seed % 4]);
        method_case_free(&m);
    }
    assert_true(done > 9 * CASE_KINDS);
}

/* A requirement that does not say it is monotone: all nodes are judged. */
static void test_without_monotony(void **state)
{
    shoal_i_requirement_kind changed = shoal_i_k_anonymity;

    changed.is_monotone = false;
    for (uint64_t seed = 0; seed < 40; seed++) {
        method_case m;

        make_case(*state, &m, seed, seed);
        m.set.items[0].kind = &changed;
        compare_case(*state, &m, seed % 2 == 0, 0);
        method_case_free(&m);
    }
}

/* Columns of so many values that a key does not fit into 64 bits. */
static void test_wide_keys(void **state)
{
    method_case m;

    method_case_make(*state, &m, 4, 600, 7, 3000, &shoal_i_k_anonymity);
    assert_true(m.quasi->columns[0].value_count > 512);
    assert_true(compare_case(*state, &m, false, 0));
    method_case_free(&m);
}

/* The limit of the problem is as good as that of the method, and levels stay uniform. */
static void test_limit_of_the_problem(void **state)
{
    shoal_ctx *ctx = *state;
    method_case m;
    shoal_i_release *by_option = NULL;
    shoal_i_release *by_problem = NULL;

    method_case_make(ctx, &m, 9, 200, 3, 9, &shoal_i_k_anonymity);
    assert_int_equal(method_case_run(ctx, &by_option, &m, "incognito:suppress=0.1"), SHOAL_OK);
    m.problem.suppress = 0.1;
    assert_int_equal(method_case_run(ctx, &by_problem, &m, "incognito"), SHOAL_OK);
    assert_same_release(by_option, by_problem);
    shoal_i_release_free(by_option);
    shoal_i_release_free(by_problem);
    method_case_free(&m);
}

static void test_threads_do_not_matter(void **state)
{
    shoal_ctx *ctx = *state;
    const char *variants[] = {"incognito", "incognito:objective=gcp,suppress=0.1"};
    const int threads[] = {1, 2, 5};
    method_case m;

    method_case_make(ctx, &m, 3, 400, 6, 7, &shoal_i_l_frequency);
    for (size_t v = 0; v < 2; v++) {
        shoal_i_release *releases[3] = {NULL};

        for (size_t i = 0; i < 3; i++) {
            ctx->threads = threads[i];
            assert_int_equal(method_case_run(ctx, &releases[i], &m, variants[v]), SHOAL_OK);
            shoal_i_ctx_clear(ctx);
            assert_same_release(releases[0], releases[i]);
        }
        for (size_t i = 0; i < 3; i++) {
            shoal_i_release_free(releases[i]);
        }
    }
    ctx->threads = 1;
    method_case_free(&m);
}

/* Whether the search ends within so many steps, with the release of the method if so. */
static bool ends_within(shoal_ctx *ctx, const method_case *m, double steps,
                        const shoal_i_release *whole)
{
    shoal_i_release *release = NULL;

    assert_int_equal(shoal_i_incognito_within(ctx, &release, &m->problem, steps), SHOAL_OK);
    if (!release) {
        return false;
    }
    assert_same_release(release, whole);
    shoal_i_release_free(release);
    return true;
}

/* Nodes over all sets of columns. */
static double count_nodes(const method_case *m)
{
    lattice l;
    double nodes = 1;

    make_lattice(&l, m, true, 0);
    for (size_t c = 0; c < m->quasi->count; c++) {
        nodes *= (double)l.levels[c] + 1;
    }
    return nodes;
}

/* From some number of steps on it ends, below that it gives up, on any number of threads. */
static void test_gives_up(void **state)
{
    shoal_ctx *ctx = *state;
    const shoal_i_requirement_kind *const kinds[] = {&shoal_i_k_anonymity,
                                                     &shoal_i_l_frequency};

    for (uint64_t seed = 0; seed < 12; seed++) {
        method_case m;
        shoal_i_release *whole = NULL;
        double gives_up = 1;
        double ends = 1e9;

        method_case_make(ctx, &m, seed, 60 + 5 * seed, 1 + seed % 6, 7, kinds[seed % 2]);
        m.problem.suppress = seed % 3 == 0 ? 0.1 : 0;
        assert_int_equal(method_case_run(ctx, &whole, &m, "incognito:objective=gcp"), SHOAL_OK);
        assert_true(ends_within(ctx, &m, ends, whole));
        assert_false(ends_within(ctx, &m, gives_up, whole));
        while (ends - gives_up > 1) {
            double middle = floor((gives_up + ends) / 2);

            *(ends_within(ctx, &m, middle, whole) ? &ends : &gives_up) = middle;
        }
        assert_true(ends > count_nodes(&m)); /* and what is judged counts, too */
        ctx->threads = 3;
        assert_true(ends_within(ctx, &m, ends, whole));
        assert_false(ends_within(ctx, &m, gives_up, whole));
        shoal_i_ctx_clear(ctx);
        ctx->threads = 1;
        shoal_i_release_free(whole);
        method_case_free(&m);
    }
}

static void test_too_large_a_lattice(void **state)
{
    enum { COLUMNS = 26 };
    shoal_ctx *ctx = *state;
    const int64_t data[] = {1, 2, 3, 4};
    shoal_array arrays[COLUMNS];
    shoal_i_quasi_request requests[COLUMNS];
    char names[COLUMNS][8];
    method_case m = {0};
    shoal_i_release *release = NULL;

    for (size_t c = 0; c < COLUMNS; c++) {
        snprintf(names[c], sizeof names[c], "c%zu", c);
        arrays[c] = (shoal_array){
            .name = names[c], .kind = SHOAL_ARRAY_INT64, .length = 4, .data = data};
        requests[c] = (shoal_i_quasi_request){.column = c, .weight = 1};
    }
    assert_int_equal(shoal_table_from_arrays(ctx, &m.table.table, arrays, COLUMNS), SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(ctx, &m.quasi, m.table.table, requests, COLUMNS),
                     SHOAL_OK);
    assert_int_equal(shoal_i_requirement_add(ctx, &m.set, &shoal_i_k_anonymity, 2), SHOAL_OK);
    assert_int_equal(shoal_i_tally_source_init(ctx, &m.source, &m.set, NULL, 0, NULL, 4),
                     SHOAL_OK);
    m.problem = (shoal_i_problem){
        .quasi = m.quasi, .row_count = 4, .requirements = &m.set, .source = &m.source};
    assert_int_equal(method_case_run(ctx, &release, &m, "incognito"), SHOAL_ELIMIT);
    assert_non_null(strstr(ctx->error.message, "specialize"));
    assert_null(release);
    method_case_free(&m);
}

/* A line that could not be made must not be logged. */
static void check_log(void *payload, shoal_log_level level, const char *message,
                      const struct shoal_error *where)
{
    (void)payload;
    (void)level;
    assert_null(strstr(message, "(null)"));
    (void)where;
}

static void test_failing_allocations(void **state)
{
    shoal_ctx *ctx = *state;
    method_case m;

    ctx->log = check_log;
    method_case_make(ctx, &m, 4, 40, 3, 5, &shoal_i_l_distinct);
    assert_case_survives_failing_allocations(ctx, &m, "incognito:list=yes");
    assert_case_survives_failing_allocations(ctx, &m, "incognito:suppress=0.2");
    method_case_free(&m);
    ctx->log = NULL;
}

static void test_cancel(void **state)
{
    shoal_ctx *ctx = *state;
    method_case m;
    shoal_i_release *release = NULL;
    int cancel = 1;

    method_case_make(ctx, &m, 4, 60, 4, 5, &shoal_i_k_anonymity);
    ctx->cancel = &cancel;
    assert_int_equal(method_case_run(ctx, &release, &m, "incognito"), SHOAL_ECANCELLED);
    assert_null(release);
    ctx->cancel = NULL;
    method_case_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_whole_lattice),
        cmocka_unit_test(test_suppression_equals_whole_lattice),
        cmocka_unit_test(test_without_monotony),
        cmocka_unit_test(test_wide_keys),
        cmocka_unit_test(test_limit_of_the_problem),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_gives_up),
        cmocka_unit_test(test_too_large_a_lattice),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_cancel),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
