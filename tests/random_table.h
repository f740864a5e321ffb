/* random_table.h -- small random tables with their quasi-identifiers, for tests that compare
 * with slow and obvious computations. */
#ifndef SHOAL_TESTS_RANDOM_TABLE_H
#define SHOAL_TESTS_RANDOM_TABLE_H

#include <shoal/hierarchy.h>

#include "base/random.h"
#include "box/quasi.h"
#include "release/release.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define RANDOM_COLUMNS_MAX 8

typedef struct random_table {
    shoal_table *table;
    shoal_hierarchy *hierarchies[RANDOM_COLUMNS_MAX];
    shoal_i_quasi *quasi;
} random_table;

/* A hierarchy of random shape over a column: values are hung below random earlier inner nodes.
 */
static inline shoal_hierarchy *random_hierarchy(shoal_ctx *ctx, shoal_i_random *random,
                                                const shoal_table *table, size_t column)
{
    enum { INNER = 5 };
    size_t codes =
        shoal_table_value_count(table, column) + (shoal_table_missing_count(table, column) > 0);
    size_t nodes = INNER + codes;
    uint32_t *parents = calloc(nodes, sizeof *parents);
    uint32_t *node_of_code = calloc(codes, sizeof *node_of_code);
    const char **labels = calloc(nodes, sizeof *labels);
    char(*names)[32] = calloc(nodes, sizeof *names);
    shoal_hierarchy *h = NULL;

    for (size_t i = 0; i < nodes; i++) {
        size_t choices = i < INNER ? i : INNER;

        snprintf(names[i], sizeof names[i], i < INNER ? "inner%zu" : "leaf%zu", i);
        labels[i] = names[i];
        parents[i] = choices ? (uint32_t)shoal_i_random_below(random, choices) : 0;
        if (i >= INNER) {
            node_of_code[i - INNER] = (uint32_t)i;
        }
    }
    assert_int_equal(
        shoal_hierarchy_build_tree(ctx, &h, labels, parents, nodes, node_of_code, codes),
        SHOAL_OK);
    free(parents);
    free(node_of_code);
    free(labels);
    free(names);
    return h;
}

static inline void random_table_free(random_table *t)
{
    shoal_i_quasi_free(t->quasi);
    for (size_t c = 0; c < RANDOM_COLUMNS_MAX; c++) {
        shoal_hierarchy_free(t->hierarchies[c]);
    }
    shoal_table_free(t->table);
}

/* Integer columns with up to `values` distinct values; even ones are numeric, odd ones
 * categorical below a random or a flat hierarchy. Weights are 1, 2, 1, 2, ... About one value
 * in ten is missing when with_missing. */
static inline random_table random_table_make(shoal_ctx *ctx, uint64_t seed, size_t rows,
                                             size_t columns, uint64_t values, bool with_missing)
{
    shoal_i_random random = shoal_i_random_start(seed);
    random_table t = {0};
    shoal_array arrays[RANDOM_COLUMNS_MAX] = {{0}};
    char names[RANDOM_COLUMNS_MAX][24];
    shoal_i_quasi_request requests[RANDOM_COLUMNS_MAX];

    for (size_t c = 0; c < columns; c++) {
        int64_t *data = calloc(rows, sizeof *data);
        uint8_t *validity = calloc(rows / 8 + 1, 1);

        for (size_t i = 0; i < rows; i++) {
            uint64_t x = shoal_i_random_below(&random, values);

            data[i] = (int64_t)(x * x / 2); /* unevenly spaced, some equal */
            if (!with_missing || shoal_i_random_below(&random, 10) > 0) {
                validity[i / 8] = (uint8_t)(validity[i / 8] | 1u << i % 8);
            }
        }
        snprintf(names[c], sizeof names[c], "c%zu", c);
        arrays[c] = (shoal_array){.name = names[c],
                                  .kind = SHOAL_ARRAY_INT64,
                                  .length = rows,
                                  .data = data,
                                  .validity = validity};
    }
    assert_int_equal(shoal_table_from_arrays(ctx, &t.table, arrays, columns), SHOAL_OK);
    for (size_t c = 0; c < columns; c++) {
        free((void *)(uintptr_t)arrays[c].data);
        free((void *)(uintptr_t)arrays[c].validity);
        if (c % 4 == 1) {
            t.hierarchies[c] = random_hierarchy(ctx, &random, t.table, c);
        } else if (c % 4 == 3) {
            assert_int_equal(shoal_hierarchy_build_flat(ctx, &t.hierarchies[c], t.table, c),
                             SHOAL_OK);
        }
        requests[c] = (shoal_i_quasi_request){
            .column = c, .weight = (double)(1 + c % 2), .hierarchy = t.hierarchies[c]};
    }
    assert_int_equal(shoal_i_quasi_build(ctx, &t.quasi, t.table, requests, columns), SHOAL_OK);
    return t;
}

/* Random boxes of all widths over the codes of a table, closed as released ones are. */
static inline shoal_i_release *random_release(shoal_ctx *ctx, shoal_i_random *random,
                                              const shoal_i_quasi *quasi, size_t box_count)
{
    shoal_i_interval *boxes = calloc(box_count * quasi->count, sizeof *boxes);
    shoal_i_release *release = NULL;

    for (size_t i = 0; i < box_count * quasi->count; i++) {
        const shoal_i_quasi_column *column = &quasi->columns[i % quasi->count];
        uint32_t a = (uint32_t)shoal_i_random_below(random, column->value_count);
        uint32_t b = (uint32_t)shoal_i_random_below(random, column->value_count);

        boxes[i] = shoal_i_quasi_close(column, a < b ? a : b, a < b ? b : a);
    }
    assert_int_equal(shoal_i_release_from_boxes(ctx, &release, quasi, boxes, box_count),
                     SHOAL_OK);
    free(boxes);
    return release;
}

/* NCP of a box of one record or group by the definition, from the codes of its members. */
static inline double slow_ncp(const shoal_i_quasi *quasi, const uint32_t *rows, size_t count)
{
    double sum = 0;

    for (size_t c = 0; c < quasi->count; c++) {
        uint32_t lo = UINT32_MAX;
        uint32_t hi = 0;

        for (size_t i = 0; i < count; i++) {
            uint32_t code = shoal_i_quasi_code(quasi, c, rows[i]);

            lo = code < lo ? code : lo;
            hi = code > hi ? code : hi;
        }
        sum += quasi->columns[c].weight * shoal_i_quasi_loss(&quasi->columns[c], lo, hi);
    }
    return sum;
}

/* A release's NCP by the definition. */
static inline double slow_release_ncp(const shoal_i_release *release)
{
    double sum = 0;

    for (size_t b = 0; b < release->box_count; b++) {
        for (size_t c = 0; c < release->quasi->count; c++) {
            shoal_i_interval part = release->boxes[b * release->quasi->count + c];

            sum += release->box_sizes[b] * release->quasi->columns[c].weight *
                   shoal_i_quasi_loss(&release->quasi->columns[c], part.lo, part.hi);
        }
    }
    return sum;
}

#endif /* SHOAL_TESTS_RANDOM_TABLE_H */
