/* method_case.h -- random problems with a sensitive column and a requirement of any kind, for
 * tests that hold methods against slow and obvious computations. */
#ifndef SHOAL_TESTS_METHOD_CASE_H
#define SHOAL_TESTS_METHOD_CASE_H

#include "failing.h"
#include "random_table.h"
#include "same_release.h"

#include "method/problem/method.h"

#include <math.h>
#include <string.h>

#define CASE_ROWS_MAX 600

typedef struct method_case {
    random_table table;
    shoal_i_quasi *quasi; /* all columns of the table but those at its end: */
    shoal_i_sensitive sensitive[2];
    shoal_hierarchy *trees[2]; /* of the sensitive columns */
    size_t sensitive_count;
    uint32_t record_k[CASE_ROWS_MAX];
    shoal_i_requirement_set set;
    shoal_i_tally_source source;
    shoal_i_problem problem;
} method_case;

/* Kinds that need no population. */
static const shoal_i_requirement_kind *const case_kinds[] = {
    &shoal_i_k_anonymity,    &shoal_i_personal_k,       &shoal_i_alpha_general,
    &shoal_i_alpha_values,   &shoal_i_alpha_limits,     &shoal_i_l_frequency,
    &shoal_i_l_distinct,     &shoal_i_l_entropy,        &shoal_i_l_recursive,
    &shoal_i_t_js,           &shoal_i_t_equal,          &shoal_i_t_ordered,
    &shoal_i_t_hierarchical, &shoal_i_delta_disclosure, &shoal_i_beta_basic,
    &shoal_i_beta_enhanced,
};
#define CASE_KINDS (sizeof case_kinds / sizeof *case_kinds)

/* A parameter that random classes meet now and then. */
static inline double draw_parameter(const shoal_i_requirement_kind *kind, double unit)
{
    if (strcmp(kind->key, "k") == 0) {
        return 1 + floor(6 * unit);
    }
    if (strcmp(kind->key, "l") == 0) {
        return kind->check_value(1.5) ? 1 + 1.5 * unit : 1 + floor(3 * unit);
    }
    if (strcmp(kind->key, "delta") == 0 || strcmp(kind->key, "beta") == 0) {
        return 0.5 + 3 * unit;
    }
    return 0.35 + 0.6 * unit;
}

/* A requirement of the kind, about the sensitive column of this number if it is about one. */
static inline void add_random_requirement(shoal_ctx *ctx, method_case *m,
                                          const shoal_i_requirement_kind *kind, size_t number,
                                          double unit)
{
    const uint32_t code = 0;
    const double limit = 0.6;
    shoal_i_requirement item = {.kind = kind,
                                .value = draw_parameter(kind, unit),
                                .c = 1 + 2 * unit,
                                .codes = &code,
                                .limits = &limit,
                                .code_count = 1};

    if (kind->needs_sensitive) {
        item.column = &m->sensitive[number];
    }
    assert_int_equal(shoal_i_requirement_add_item(ctx, &m->set, &item), SHOAL_OK);
}

/* `rows` records of `columns` quasi columns and one or two sensitive ones, with up to `values`
 * values each; a small k, one requirement of `kind` about the first sensitive column, and one
 * of `second`, if that is not NULL, about the second. */
static inline void method_case_make_two(shoal_ctx *ctx, method_case *m, uint64_t seed,
                                        size_t rows, size_t columns, uint64_t values,
                                        const shoal_i_requirement_kind *kind,
                                        const shoal_i_requirement_kind *second)
{
    shoal_i_random random = shoal_i_random_start(seed + 1000);
    shoal_i_quasi_request requests[RANDOM_COLUMNS_MAX];

    memset(m, 0, sizeof *m);
    m->sensitive_count = second ? 2 : 1;
    assert_true(rows <= CASE_ROWS_MAX && columns + m->sensitive_count <= RANDOM_COLUMNS_MAX);
    m->table =
        random_table_make(ctx, seed, rows, columns + m->sensitive_count, values, seed % 4 == 3);
    for (size_t c = 0; c < columns; c++) {
        requests[c] = (shoal_i_quasi_request){
            .column = c, .weight = (double)(1 + c % 2), .hierarchy = m->table.hierarchies[c]};
    }
    assert_int_equal(shoal_i_quasi_build(ctx, &m->quasi, m->table.table, requests, columns),
                     SHOAL_OK);
    for (size_t i = 0; i < m->sensitive_count; i++) {
        assert_int_equal(
            shoal_hierarchy_build_flat(ctx, &m->trees[i], m->table.table, columns + i),
            SHOAL_OK);
        assert_int_equal(shoal_i_sensitive_init(ctx, &m->sensitive[i], m->table.table,
                                                columns + i, m->trees[i], NULL),
                         SHOAL_OK);
    }
    for (size_t i = 0; i < rows; i++) {
        m->record_k[i] = (uint32_t)(1 + shoal_i_random_below(&random, i % 9 == 0 ? 9 : 3));
    }
    add_random_requirement(ctx, m, &shoal_i_k_anonymity, 0, shoal_i_random_unit(&random) / 2);
    add_random_requirement(ctx, m, kind, 0, shoal_i_random_unit(&random));
    if (second) {
        add_random_requirement(ctx, m, second, 1, shoal_i_random_unit(&random));
    }
    assert_int_equal(shoal_i_tally_source_init(ctx, &m->source, &m->set, m->sensitive,
                                               m->sensitive_count, m->record_k, rows),
                     SHOAL_OK);
    m->problem = (shoal_i_problem){.quasi = m->quasi,
                                   .row_count = rows,
                                   .requirements = &m->set,
                                   .source = &m->source,
                                   .seed = 5};
}

/* With one sensitive column. */
static inline void method_case_make(shoal_ctx *ctx, method_case *m, uint64_t seed, size_t rows,
                                    size_t columns, uint64_t values,
                                    const shoal_i_requirement_kind *kind)
{
    method_case_make_two(ctx, m, seed, rows, columns, values, kind, NULL);
}

/* Leave only the categorical columns of a case. */
static inline void method_case_keep_trees(shoal_ctx *ctx, method_case *m)
{
    shoal_i_quasi_request requests[RANDOM_COLUMNS_MAX];
    size_t count = 0;

    for (size_t c = 0; c < m->quasi->count; c++) {
        if (m->table.hierarchies[c]) {
            requests[count] = (shoal_i_quasi_request){
                .column = c, .weight = 1 + (double)count, .hierarchy = m->table.hierarchies[c]};
            count++;
        }
    }
    shoal_i_quasi_free(m->quasi);
    assert_int_equal(shoal_i_quasi_build(ctx, &m->quasi, m->table.table, requests, count),
                     SHOAL_OK);
    m->problem.quasi = m->quasi;
}

static inline void method_case_free(method_case *m)
{
    shoal_i_tally_source_clear(&m->source);
    shoal_i_requirement_set_clear(&m->set);
    for (size_t i = 0; i < m->sensitive_count; i++) {
        shoal_i_sensitive_clear(&m->sensitive[i]);
        shoal_hierarchy_free(m->trees[i]);
    }
    shoal_i_quasi_free(m->quasi);
    random_table_free(&m->table);
}

static inline shoal_status method_case_run(shoal_ctx *ctx, shoal_i_release **out,
                                           const method_case *m, const char *variant)
{
    const shoal_i_method *method = NULL;
    shoal_i_method_settings settings;

    *out = NULL;
    shoal_status st = shoal_i_method_parse(ctx, &method, &settings, variant);

    return st == SHOAL_OK ? shoal_i_method_run(ctx, out, method, &m->problem, &settings) : st;
}

/* The method alone: records in the order in which the case has them, for comparison with a slow
 * one that breaks ties by that order. */
static inline shoal_status method_case_run_as_given(shoal_ctx *ctx, shoal_i_release **out,
                                                    const method_case *m, const char *variant)
{
    const shoal_i_method *method = NULL;
    shoal_i_method_settings settings;

    shoal_status st = method_case_run(ctx, out, m, variant); /* whether it can be done at all */

    shoal_i_release_free(*out);
    *out = NULL;
    if (st == SHOAL_OK) {
        st = shoal_i_method_parse(ctx, &method, &settings, variant);
    }
    return st == SHOAL_OK ? method->run(ctx, out, &m->problem, &settings) : st;
}

typedef struct case_attempt {
    const method_case *m;
    const char *variant;
} case_attempt;

static inline shoal_status method_case_attempt(shoal_ctx *ctx, void *payload)
{
    const case_attempt *attempt = payload;
    shoal_i_release *release = NULL;
    shoal_status st = method_case_run(ctx, &release, attempt->m, attempt->variant);

    assert_true((st == SHOAL_OK) == (release != NULL));
    shoal_i_release_free(release);
    return st;
}

static inline void assert_case_survives_failing_allocations(shoal_ctx *ctx,
                                                            const method_case *m,
                                                            const char *variant)
{
    assert_survives_failing_allocations(ctx, method_case_attempt,
                                        &(case_attempt){.m = m, .variant = variant});
}

/* Whether records meet the requirement as a class, counted from the start. */
static inline bool slow_holds(shoal_ctx *ctx, const method_case *m, const uint32_t *rows,
                              size_t count)
{
    shoal_i_tally tally = {0};

    assert_int_equal(shoal_i_tally_init(ctx, &tally, &m->source), SHOAL_OK);
    shoal_i_tally_add_list(&tally, rows, count);
    bool holds = shoal_i_requirement_holds(&m->set, &tally.stats);

    shoal_i_tally_clear(&tally);
    return holds;
}

/* What every release by classes must be: each record in its box, each class meeting the
 * requirement, no two boxes equal. */
static inline void check_case_release(shoal_ctx *ctx, const method_case *m,
                                      const shoal_i_release *release)
{
    size_t width = m->quasi->count;
    uint32_t members[CASE_ROWS_MAX];

    assert_int_equal(release->shape, SHOAL_I_SHAPE_CLASSES);
    assert_int_equal(release->row_count, m->problem.row_count);
    for (uint32_t b = 0; b < release->box_count; b++) {
        const shoal_i_interval *box = release->boxes + b * width;
        size_t size = 0;

        for (uint32_t row = 0; row < release->row_count; row++) {
            if (release->box_of[row] != b) {
                continue;
            }
            members[size++] = row;
            for (size_t c = 0; c < width; c++) {
                uint32_t code = shoal_i_quasi_code(m->quasi, c, row);

                assert_true(box[c].lo <= code && code <= box[c].hi);
            }
        }
        assert_int_equal(size, release->box_sizes[b]);
        assert_true(slow_holds(ctx, m, members, size));
        for (size_t other = 0; other < b; other++) {
            assert_memory_not_equal(box, release->boxes + other * width, width * sizeof *box);
        }
    }
}

#endif /* SHOAL_TESTS_METHOD_CASE_H */
