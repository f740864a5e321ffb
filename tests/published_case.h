/* published_case.h -- small random releases of all three shapes with sensitive values, and
 * slow, obvious estimates from them. */
#ifndef SHOAL_TESTS_PUBLISHED_CASE_H
#define SHOAL_TESTS_PUBLISHED_CASE_H

#include "measure/query/spread.h"
#include "random_table.h"

#include <math.h>

#define CASE_VALUES 5

static inline void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * (1 + fabs(b)))) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

typedef struct published_case {
    random_table t;
    shoal_i_release *release;
    shoal_i_sensitive truth;
    shoal_i_sensitive shown;
    shoal_i_published published;
} published_case;

static inline shoal_i_sensitive case_column(const char *name, const uint32_t *codes,
                                            size_t rows)
{
    uint32_t *totals = calloc(CASE_VALUES, sizeof *totals);

    for (size_t row = 0; row < rows; row++) {
        totals[codes[row]]++;
    }
    return (shoal_i_sensitive){.name = name,
                               .row_count = rows,
                               .codes = codes,
                               .value_count = CASE_VALUES,
                               .totals = totals,
                               .total = rows};
}

/* Boxes around each row of the table: as wide as chance wants, points for buckets. */
static inline shoal_i_interval *case_boxes(shoal_i_random *random, const shoal_i_quasi *quasi,
                                           bool are_points)
{
    size_t rows = shoal_table_row_count(quasi->table);
    shoal_i_interval *boxes = calloc(rows * quasi->count + 1, sizeof *boxes);

    for (size_t row = 0; row < rows; row++) {
        for (size_t c = 0; c < quasi->count; c++) {
            const shoal_i_quasi_column *column = &quasi->columns[c];
            uint32_t code = shoal_i_quasi_code(quasi, c, row);
            uint32_t other = (uint32_t)shoal_i_random_below(random, column->value_count);
            bool is_point = are_points || shoal_i_random_below(random, 3) == 0;

            other = is_point ? code : other;
            boxes[row * quasi->count + c] = shoal_i_quasi_close(
                column, code < other ? code : other, code < other ? other : code);
        }
    }
    return boxes;
}

static inline published_case published_case_make(shoal_ctx *ctx, uint64_t seed,
                                                 shoal_i_shape shape, size_t rows,
                                                 size_t columns)
{
    shoal_i_random random = shoal_i_random_start(seed + 1000);
    published_case p = {.t = random_table_make(ctx, seed, rows, columns, 7, seed % 3 == 0)};
    uint32_t *truth = calloc(rows + 1, sizeof *truth);
    uint32_t *shown = calloc(rows + 1, sizeof *shown);
    shoal_i_interval *boxes = case_boxes(&random, p.t.quasi, shape == SHOAL_I_SHAPE_BUCKETS);

    assert_int_equal(shoal_i_release_from_boxes(ctx, &p.release, p.t.quasi, boxes, rows),
                     SHOAL_OK);
    free(boxes);
    p.release->shape = shape;
    for (size_t row = 0; row < rows; row++) {
        truth[row] = (uint32_t)shoal_i_random_below(&random, CASE_VALUES);
        shown[row] = truth[row];
    }
    if (shape == SHOAL_I_SHAPE_RECORDS) { /* a row shows the value of the next */
        for (size_t row = 0; row < rows; row++) {
            shown[row] = truth[(row + 1) % rows];
        }
    }
    if (shape == SHOAL_I_SHAPE_BUCKETS) {
        p.release->bucket_count = 1 + rows / 4;
        p.release->bucket_of = calloc(rows + 1, sizeof *p.release->bucket_of);
        for (size_t row = 0; row < rows; row++) {
            p.release->bucket_of[row] =
                row < p.release->bucket_count
                    ? (uint32_t)row
                    : (uint32_t)shoal_i_random_below(&random, p.release->bucket_count);
        }
    }
    p.truth = case_column("illness", truth, rows);
    p.shown = case_column("illness", shown, rows);
    return p;
}

/* The published release refers to the case: it is set where the case has its place. */
static inline const shoal_i_published *published_case_view(published_case *p)
{
    p->published = (shoal_i_published){
        .release = p->release, .sensitive = &p->shown, .sensitive_count = 1};
    return &p->published;
}

static inline void published_case_free(published_case *p)
{
    free((void *)(uintptr_t)p->truth.codes);
    free((void *)(uintptr_t)p->truth.totals);
    free((void *)(uintptr_t)p->shown.codes);
    free((void *)(uintptr_t)p->shown.totals);
    shoal_i_release_free(p->release);
    random_table_free(&p->t);
}

/* --- Slow estimates: whole numbers are counted one by one. ------------------------------ */

/* The whole number that stands for a code: its own, or that of a value; missing lies behind the
 * largest. */
static inline int64_t slow_number(const shoal_i_quasi_column *column, uint32_t code)
{
    if (column->hierarchy) {
        return code;
    }
    if (column->has_missing && code == column->value_count - 1) {
        return code > 0 ? (int64_t)column->values[code - 1] + 1 : 0;
    }
    return (int64_t)column->values[code];
}

/* A conjunction of whole numbers from..to per column, both included. */
typedef struct slow_ranges {
    int64_t from[RANDOM_COLUMNS_MAX];
    int64_t to[RANDOM_COLUMNS_MAX];
} slow_ranges;

/* The share of a row's box that lies within the ranges. */
static inline double slow_share(const shoal_i_release *release, size_t row,
                                const slow_ranges *ranges)
{
    double share = 1;

    for (size_t c = 0; c < release->quasi->count; c++) {
        const shoal_i_quasi_column *column = &release->quasi->columns[c];
        shoal_i_interval interval =
            release->boxes[release->box_of[row] * release->quasi->count + c];
        int64_t inside = 0;
        int64_t all = 0;

        for (int64_t x = slow_number(column, interval.lo);
             x <= slow_number(column, interval.hi); x++) {
            all++;
            inside += x >= ranges->from[c] && x <= ranges->to[c];
        }
        share *= (double)inside / (double)all;
    }
    return share;
}

static inline bool slow_matches(const shoal_i_quasi *quasi, size_t row,
                                const slow_ranges *ranges)
{
    for (size_t c = 0; c < quasi->count; c++) {
        int64_t x = slow_number(&quasi->columns[c], shoal_i_quasi_code(quasi, c, row));

        if (x < ranges->from[c] || x > ranges->to[c]) {
            return false;
        }
    }
    return true;
}

/* The expected number of records of each value. */
static inline void slow_estimate(const published_case *p, const slow_ranges *ranges,
                                 double *sums)
{
    const shoal_i_release *release = p->release;

    for (size_t row = 0; row < release->row_count; row++) {
        double share = slow_share(release, row, ranges);
        double size = 0;

        if (release->shape != SHOAL_I_SHAPE_BUCKETS) {
            sums[p->shown.codes[row]] += share;
            continue;
        }
        for (size_t other = 0; other < release->row_count; other++) {
            size += release->bucket_of[other] == release->bucket_of[row];
        }
        for (size_t other = 0; other < release->row_count; other++) {
            if (release->bucket_of[other] == release->bucket_of[row]) {
                sums[p->shown.codes[other]] += share / size;
            }
        }
    }
}

/* JS by the definition, of counts. */
static inline double slow_js(const double *a, const double *b)
{
    double a_total = 0;
    double b_total = 0;
    double sum = 0;

    for (size_t i = 0; i < CASE_VALUES; i++) {
        a_total += a[i];
        b_total += b[i];
    }
    for (size_t i = 0; i < CASE_VALUES; i++) {
        double q = a[i] / a_total;
        double p = b[i] / b_total;
        double m = (q + p) / 2;

        sum += q > 0 ? 0.5 * q * log(q / m) : 0;
        sum += p > 0 ? 0.5 * p * log(p / m) : 0;
    }
    return sum;
}

#endif /* SHOAL_TESTS_PUBLISHED_CASE_H */
