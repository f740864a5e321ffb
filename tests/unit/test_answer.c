/* Answers to queries against slow and obvious computations, in all three shapes. */
#include <shoal/csv.h>

#include "failing.h"
#include "measure/query/answer.h"
#include "measure/query/marginal.h"
#include "measure/query/workload.h"
#include "published_case.h"

#include <string.h>

#define ROWS_MAX 70
#define NUMBERS_MAX 64

/* Columns beside the quasi-identifier: one that buckets hide among their records, and one that
 * stands in every record as it is. */
enum { HIDDEN, PLAIN, OTHERS };
static const bool other_is_sensitive[OTHERS] = {true, false};

/* How likely each whole number of each column is, by index. */
typedef struct weights {
    double of[RANDOM_COLUMNS_MAX][NUMBERS_MAX];
} weights;

static shoal_i_interval box_of(const shoal_i_release *release, size_t row, size_t c)
{
    return release->boxes[release->box_of[row] * release->quasi->count + c];
}

/* Deal out all rows over the numbers inside their boxes, in proportion to the weights. */
static void deal_slowly(weights *w, const shoal_i_release *release)
{
    weights next = {0};

    for (size_t row = 0; row < release->row_count; row++) {
        for (size_t c = 0; c < release->quasi->count; c++) {
            const shoal_i_quasi_column *column = &release->quasi->columns[c];
            int64_t lo = slow_number(column, box_of(release, row, c).lo);
            int64_t hi = slow_number(column, box_of(release, row, c).hi);
            double sum = 0;

            for (int64_t x = lo; x <= hi; x++) {
                sum += w->of[c][x];
            }
            for (int64_t x = lo; x <= hi; x++) {
                next.of[c][x] += w->of[c][x] / sum;
            }
        }
    }
    *w = next;
}

static double slow_value(const shoal_i_quasi *quasi, size_t c, int64_t x)
{
    const shoal_i_quasi_column *column = &quasi->columns[c];

    if (column->hierarchy) {
        uint32_t entry = shoal_hierarchy_code(column->hierarchy, (uint32_t)x);

        return entry < shoal_table_value_count(quasi->table, column->column)
                   ? shoal_table_number(quasi->table, column->column, entry)
                   : 0;
    }
    return column->has_missing && x == slow_number(column, column->value_count - 1) ? 0
                                                                                    : (double)x;
}

/* The share of a row's box within the ranges; with the number of the target as a factor where
 * there is one. */
static double slow_part(const shoal_i_release *release, size_t row, const slow_ranges *ranges,
                        const weights *w, size_t target)
{
    double part = 1;

    for (size_t c = 0; c < release->quasi->count; c++) {
        const shoal_i_quasi_column *column = &release->quasi->columns[c];
        int64_t lo = slow_number(column, box_of(release, row, c).lo);
        int64_t hi = slow_number(column, box_of(release, row, c).hi);
        double inside = 0;
        double all = 0;

        for (int64_t x = lo; x <= hi; x++) {
            all += w->of[c][x];
            if (x >= ranges->from[c] && x <= ranges->to[c]) {
                inside += w->of[c][x] * (c == target ? slow_value(release->quasi, c, x) : 1);
            }
        }
        part *= inside / all;
    }
    return part;
}

static const bool *chosen_of(const shoal_i_question *question, size_t column)
{
    const shoal_i_selection *selection = &question->selections[column];

    return selection->is_any ? NULL : selection->chosen;
}

/* The share of a row's possible sensitive values that is chosen. */
static double slow_chosen(const published_case *p, size_t row, const bool *chosen)
{
    double size = 0;
    double count = 0;

    if (!chosen) {
        return 1;
    }
    if (p->release->shape != SHOAL_I_SHAPE_BUCKETS) {
        return chosen[p->shown.codes[row]];
    }
    for (size_t other = 0; other < p->release->row_count; other++) {
        if (p->release->bucket_of[other] == p->release->bucket_of[row]) {
            size++;
            count += chosen[p->shown.codes[other]];
        }
    }
    return count / size;
}

/* --- Random questions. ------------------------------------------------------------------ */

static void draw_question(shoal_i_question *question, slow_ranges *ranges,
                          const published_case *p, const shoal_i_spread *spread,
                          shoal_i_random *random)
{
    size_t width = p->t.quasi->count;

    for (size_t c = 0; c < width + OTHERS; c++) {
        question->selections[c].is_any = shoal_i_random_below(random, 3) == 0;
    }
    for (size_t c = 0; c < width; c++) {
        shoal_i_selection *selection = &question->selections[c];
        const shoal_i_axis *axis = &spread->columns[c].axis;
        int64_t most = (int64_t)axis->starts[axis->count - 1] + 2;
        int64_t a = (int64_t)shoal_i_random_below(random, (uint64_t)most) - 1;
        int64_t b = (int64_t)shoal_i_random_below(random, (uint64_t)most) - 1;

        ranges->from[c] = selection->is_any ? INT64_MIN : a < b ? a : b;
        ranges->to[c] = selection->is_any ? INT64_MAX : a < b ? b : a;
        selection->segment_count = 1;
        selection->segments[0] =
            (shoal_i_segment){(double)ranges->from[c], (double)ranges->to[c] + 1};
        shoal_i_axis_choose(axis, selection->chosen, selection->segments, 1);
    }
    for (size_t i = 0; i < (size_t)OTHERS * CASE_VALUES; i++) {
        question->selections[width + i % OTHERS].chosen[i / OTHERS] =
            shoal_i_random_below(random, 2) == 0;
    }
    question->aggregate = (shoal_i_aggregate)shoal_i_random_below(random, 3);
    question->target = (size_t)shoal_i_random_below(random, width);
}

static void check_estimate(const published_case *p, const uint32_t *plain,
                           const shoal_i_answer *answer, const shoal_i_question *question,
                           const slow_ranges *ranges, const weights *w)
{
    size_t width = p->t.quasi->count;
    const bool *chosen = chosen_of(question, width + HIDDEN);
    const bool *plain_chosen = chosen_of(question, width + PLAIN);
    double count = 0;
    double sum = 0;

    for (size_t row = 0; row < p->release->row_count; row++) {
        double share = slow_chosen(p, row, chosen);

        if (plain_chosen && !plain_chosen[plain[row]]) {
            continue;
        }
        count += share * slow_part(p->release, row, ranges, w, width);
        sum += share * slow_part(p->release, row, ranges, w, question->target);
    }
    assert_near(answer->count, count);
    assert_near(answer->sum, question->aggregate == SHOAL_I_COUNT ? 0 : sum);
}

static void check_exact(const published_case *p, const uint32_t *plain,
                        const shoal_i_answer *answer, const shoal_i_question *question,
                        const slow_ranges *ranges)
{
    size_t width = p->t.quasi->count;
    const bool *chosen = chosen_of(question, width + HIDDEN);
    const bool *plain_chosen = chosen_of(question, width + PLAIN);
    double count = 0;
    double sum = 0;

    for (size_t row = 0; row < p->truth.row_count; row++) {
        uint32_t code = shoal_i_quasi_code(p->t.quasi, question->target, row);

        if (slow_matches(p->t.quasi, row, ranges) && (!chosen || chosen[p->truth.codes[row]]) &&
            (!plain_chosen || plain_chosen[plain[row]])) {
            count++;
            sum += slow_value(p->t.quasi, question->target,
                              slow_number(&p->t.quasi->columns[question->target], code));
        }
    }
    assert_near(answer->count, count);
    assert_near(answer->sum, question->aggregate == SHOAL_I_COUNT ? 0 : sum);
}

static uint32_t *draw_codes(shoal_i_random *random, size_t count)
{
    uint32_t *codes = calloc(count + 1, sizeof *codes);

    for (size_t i = 0; i < count; i++) {
        codes[i] = (uint32_t)shoal_i_random_below(random, CASE_VALUES);
    }
    return codes;
}

static void check_case(shoal_ctx *ctx, const published_case *p, uint64_t seed, bool is_marginal)
{
    shoal_i_random random = shoal_i_random_start(seed);
    uint32_t *codes = draw_codes(&random, p->release->row_count);
    shoal_i_sensitive plain = case_column("ward", codes, p->release->row_count);
    const shoal_i_sensitive shown[OTHERS] = {p->shown, plain};
    const shoal_i_sensitive original[OTHERS] = {p->truth, plain};
    const shoal_i_published published = {
        .release = p->release, .sensitive = shown, .sensitive_count = OTHERS};
    shoal_i_spread *spread = NULL;
    shoal_i_answerer *answerer = NULL;
    shoal_i_truth *truth = NULL;
    shoal_i_answer_scratch scratch = {0};
    shoal_i_question question = {0};
    weights w;

    for (size_t i = 0; i < RANDOM_COLUMNS_MAX * NUMBERS_MAX; i++) {
        w.of[i / NUMBERS_MAX][i % NUMBERS_MAX] = 1;
    }
    assert_int_equal(shoal_i_spread_build(ctx, &spread, &published), SHOAL_OK);
    if (is_marginal) {
        assert_int_equal(shoal_i_marginal_fit(ctx, spread), SHOAL_OK);
        deal_slowly(&w, p->release);
        deal_slowly(&w, p->release);
    }
    assert_int_equal(shoal_i_answerer_build(ctx, &answerer, spread, other_is_sensitive),
                     SHOAL_OK);
    assert_int_equal(shoal_i_truth_build(ctx, &truth, p->t.quasi, original, OTHERS), SHOAL_OK);
    assert_int_equal(shoal_i_answer_scratch_init(ctx, &scratch, answerer), SHOAL_OK);
    assert_int_equal(shoal_i_question_init(ctx, &question, spread), SHOAL_OK);
    uint64_t *bits = calloc(2 * truth->word_count + 1, sizeof *bits);

    for (int i = 0; i < 25; i++) {
        slow_ranges ranges;

        draw_question(&question, &ranges, p, spread, &random);
        shoal_i_answer estimate = shoal_i_answer_estimate(answerer, &question, &scratch);
        shoal_i_answer exact = shoal_i_answer_exact(truth, &question, bits);

        check_estimate(p, codes, &estimate, &question, &ranges, &w);
        check_exact(p, codes, &exact, &question, &ranges);
    }
    free(bits);
    free((void *)(uintptr_t)plain.totals);
    free(codes);
    shoal_i_question_clear(&question, spread);
    shoal_i_answer_scratch_clear(&scratch);
    shoal_i_truth_free(truth);
    shoal_i_answerer_free(answerer);
    shoal_i_spread_free(spread);
}

static void test_answers_equal_the_slow_ones(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 2;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        published_case p =
            published_case_make(&ctx, seed, (shoal_i_shape)(seed % 3),
                                1 + (size_t)(seed * 11 % ROWS_MAX), 1 + (size_t)(seed % 4));

        check_case(&ctx, &p, seed, false);
        check_case(&ctx, &p, seed, true);
        published_case_free(&p);
    }
    shoal_i_ctx_clear(&ctx);
}

/* --- Exact answers of a larger table: by bits, by records, and by both, since a column of many
 * values has no bits. */

enum { WIDE_RECORDS = 3000, WIDE_COLUMNS = 3 };

/* How many values each column has. */
static const size_t wide_values[WIDE_COLUMNS] = {5, 400, 12};

static void make_wide(shoal_ctx *ctx, shoal_table **table, shoal_i_quasi **quasi,
                      shoal_i_random *random)
{
    const size_t size = WIDE_RECORDS * 16;
    const shoal_i_quasi_request requests[WIDE_COLUMNS] = {
        {.column = 0, .weight = 1}, {.column = 1, .weight = 1}, {.column = 2, .weight = 1}};
    char *text = calloc(size, 1);
    size_t length = (size_t)snprintf(text, size, "a,b,c\n");

    for (size_t i = 0; i < WIDE_RECORDS; i++) { /* all values first, so that codes are values */
        for (size_t c = 0; c < WIDE_COLUMNS; c++) {
            uint64_t value =
                i < wide_values[c] ? i : shoal_i_random_below(random, wide_values[c]);

            length += (size_t)snprintf(text + length, size - length, "%d%c", (int)value,
                                       c + 1 < WIDE_COLUMNS ? ',' : '\n');
        }
    }
    assert_int_equal(shoal_csv_read_memory(ctx, table, text, length, "wide.csv", NULL),
                     SHOAL_OK);
    assert_int_equal(shoal_i_quasi_build(ctx, quasi, *table, requests, WIDE_COLUMNS), SHOAL_OK);
    free(text);
}

static void check_wide(const shoal_i_truth *truth, const shoal_i_quasi *quasi,
                       const shoal_i_question *question, uint64_t *scratch)
{
    shoal_i_answer answer = shoal_i_answer_exact(truth, question, scratch);
    double count = 0;
    double sum = 0;

    for (size_t row = 0; row < WIDE_RECORDS; row++) {
        bool is_chosen = true;

        for (size_t c = 0; c < WIDE_COLUMNS; c++) {
            const shoal_i_selection *selection = &question->selections[c];

            is_chosen = is_chosen && (selection->is_any ||
                                      selection->chosen[shoal_i_quasi_code(quasi, c, row)]);
        }
        count += is_chosen;
        sum += is_chosen ? shoal_i_quasi_code(quasi, question->target, row) : 0;
    }
    assert_near(answer.count, count);
    assert_near(answer.sum, question->aggregate == SHOAL_I_COUNT ? 0 : sum);
}

static void test_exact_answers_of_many_values(void **state)
{
    bool chosen[WIDE_COLUMNS][400];
    shoal_i_selection selections[WIDE_COLUMNS] = {{0}};
    shoal_i_random random = shoal_i_random_start(1);
    shoal_ctx ctx;
    shoal_table *table = NULL;
    shoal_i_quasi *quasi = NULL;
    shoal_i_truth *truth = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    make_wide(&ctx, &table, &quasi, &random);
    assert_int_equal(shoal_i_truth_build(&ctx, &truth, quasi, NULL, 0), SHOAL_OK);
    assert_null(truth->columns[1].bits);
    uint64_t *scratch = calloc(2 * truth->word_count, sizeof *scratch);

    for (int i = 0; i < 400; i++) {
        shoal_i_question question = {.aggregate = (shoal_i_aggregate)(i % 2),
                                     .target = (size_t)i % WIDE_COLUMNS,
                                     .selections = selections};

        for (size_t c = 0; c < WIDE_COLUMNS; c++) {
            double share = shoal_i_random_unit(&random);

            for (size_t code = 0; code < wide_values[c]; code++) {
                chosen[c][code] = shoal_i_random_unit(&random) < share;
            }
            selections[c].chosen = chosen[c];
            selections[c].is_any = shoal_i_random_below(&random, 3) == 0;
        }
        check_wide(truth, quasi, &question, scratch);
    }
    free(scratch);
    shoal_i_truth_free(truth);
    shoal_i_quasi_free(quasi);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

/* --- Workloads. ------------------------------------------------------------------------- */

static shoal_status run_workload(shoal_ctx *ctx, shoal_i_errors *out, published_case *p,
                                 shoal_i_workload_kind kind)
{
    static const bool is_sensitive[] = {true};
    static const size_t columns[] = {0, 1, 2};
    static const size_t sensitive[] = {0};
    shoal_i_workload workload = {.kind = kind,
                                 .query_count = 200,
                                 .seed = 3,
                                 .columns = columns,
                                 .column_count = 3,
                                 .dimensions = 2,
                                 .selectivity = 0.1,
                                 .sensitive = sensitive,
                                 .sensitive_count = 1};
    shoal_status st = SHOAL_OK;
    shoal_i_spread *spread = NULL;
    shoal_i_answerer *answerer = NULL;
    shoal_i_truth *truth = NULL;

    SHOAL_TRY(shoal_i_spread_build(ctx, &spread, published_case_view(p)));
    SHOAL_TRY(shoal_i_marginal_fit(ctx, spread));
    SHOAL_TRY(shoal_i_answerer_build(ctx, &answerer, spread, is_sensitive));
    SHOAL_TRY(shoal_i_truth_build(ctx, &truth, p->t.quasi, &p->truth, 1));
    SHOAL_TRY(shoal_i_workload_run(ctx, out, &workload, answerer, truth));
done:
    shoal_i_truth_free(truth);
    shoal_i_answerer_free(answerer);
    shoal_i_spread_free(spread);
    return st;
}

static const shoal_i_workload_kind kinds[] = {SHOAL_I_WORKLOAD_XU_COUNT,
                                              SHOAL_I_WORKLOAD_XU_SUM, SHOAL_I_WORKLOAD_LILI};

/* The original as its own release answers everything right; others do not. */
static void test_workload_of_the_original(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < 3; i++) {
        shoal_i_errors errors;
        published_case p = published_case_make(&ctx, 4, SHOAL_I_SHAPE_CLASSES, 60, 3);
        shoal_i_interval *points = case_boxes(&(shoal_i_random){0}, p.t.quasi, true);

        assert_int_equal(run_workload(&ctx, &errors, &p, kinds[i]), SHOAL_OK);
        assert_true(errors.mean > 0.01 && errors.quantiles[4] >= errors.median);
        assert_true(errors.dropped < errors.query_count);
        shoal_i_release_free(p.release);
        assert_int_equal(shoal_i_release_from_boxes(&ctx, &p.release, p.t.quasi, points, 60),
                         SHOAL_OK);
        assert_int_equal(run_workload(&ctx, &errors, &p, kinds[i]), SHOAL_OK);
        assert_true(errors.mean == 0 && errors.quantiles[4] == 0);
        free(points);
        published_case_free(&p);
    }
    shoal_i_ctx_clear(&ctx);
}

static void test_threads_change_nothing(void **state)
{
    shoal_i_errors errors[2];

    (void)state;
    memset(errors, 0, sizeof errors);
    for (int shape = 0; shape < 3; shape++) {
        for (int i = 0; i < 2; i++) {
            shoal_ctx ctx;

            shoal_i_ctx_init(&ctx);
            ctx.threads = i == 0 ? 1 : 3;
            published_case p = published_case_make(&ctx, 7, (shoal_i_shape)shape, 60, 3);

            assert_int_equal(run_workload(&ctx, &errors[i], &p, SHOAL_I_WORKLOAD_LILI),
                             SHOAL_OK);
            published_case_free(&p);
            shoal_i_ctx_clear(&ctx);
        }
        assert_memory_equal(&errors[0], &errors[1], sizeof errors[0]);
    }
}

static shoal_status run_failing(shoal_ctx *ctx, void *payload)
{
    shoal_i_errors errors;

    return run_workload(ctx, &errors, payload, SHOAL_I_WORKLOAD_LILI);
}

static void test_failing_allocations(void **state)
{
    shoal_ctx ctx;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    published_case p = published_case_make(&ctx, 5, SHOAL_I_SHAPE_BUCKETS, 20, 3);

    assert_survives_failing_allocations(&ctx, run_failing, &p);
    published_case_free(&p);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_equal_the_slow_ones),
        cmocka_unit_test(test_exact_answers_of_many_values),
        cmocka_unit_test(test_workload_of_the_original),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
