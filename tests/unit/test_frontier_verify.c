/* Points of a frontier are judged by the verifier: methods that lie make no point, whatever the
 * shape of their release. The linker puts a lie in the place of every method
 * (tests/job.cmake). */
#include "failing.h"
#include "files.h"

#include "method/problem/method.h"
#include "release/buckets.h"

#include <shoal/csv.h>
#include <shoal/job.h>

/* --- The lie: every record as it is, alone. ---------------------------------------------- */

shoal_status __real_shoal_i_method_run(shoal_ctx *ctx, shoal_i_release **out,
                                       const shoal_i_method *method,
                                       const shoal_i_problem *problem,
                                       const shoal_i_method_settings *settings);
shoal_status __wrap_shoal_i_method_run(shoal_ctx *ctx, shoal_i_release **out,
                                       const shoal_i_method *method,
                                       const shoal_i_problem *problem,
                                       const shoal_i_method_settings *settings);

static bool is_lying;

static shoal_status lie_in_boxes(shoal_ctx *ctx, shoal_i_release **out,
                                 const shoal_i_quasi *quasi, shoal_i_shape shape)
{
    size_t rows = shoal_table_row_count(quasi->table);
    shoal_i_interval *boxes = calloc(rows * quasi->count, sizeof *boxes);

    assert_non_null(boxes);
    for (size_t i = 0; i < rows * quasi->count; i++) {
        uint32_t code = shoal_i_quasi_code(quasi, i % quasi->count, i / quasi->count);

        boxes[i] = (shoal_i_interval){code, code};
    }
    shoal_status st = shoal_i_release_from_boxes(ctx, out, quasi, boxes, rows);

    free(boxes);
    if (st == SHOAL_OK) {
        (*out)->shape = shape;
    }
    return st;
}

static shoal_status lie_in_buckets(shoal_ctx *ctx, shoal_i_release **out,
                                   const shoal_i_quasi *quasi)
{
    size_t rows = shoal_table_row_count(quasi->table);
    uint32_t *bucket_of = calloc(rows, sizeof *bucket_of);

    assert_non_null(bucket_of);
    for (size_t i = 0; i < rows; i++) {
        bucket_of[i] = (uint32_t)i;
    }
    shoal_status st = shoal_i_release_from_buckets(ctx, out, quasi, bucket_of, rows);

    free(bucket_of);
    return st;
}

shoal_status __wrap_shoal_i_method_run(shoal_ctx *ctx, shoal_i_release **out,
                                       const shoal_i_method *method,
                                       const shoal_i_problem *problem,
                                       const shoal_i_method_settings *settings)
{
    if (!is_lying) {
        return __real_shoal_i_method_run(ctx, out, method, problem, settings);
    }
    return method->shape == SHOAL_I_SHAPE_BUCKETS
               ? lie_in_buckets(ctx, out, problem->quasi)
               : lie_in_boxes(ctx, out, problem->quasi, method->shape);
}

/* --- The frontier. ----------------------------------------------------------------------- */

static shoal_status try_one(shoal_ctx *ctx, shoal_report **report, const char *sweep,
                            const char *method)
{
    static const char text[] = "age,ill\n20,a\n21,b\n22,a\n23,b\n24,a\n25,b\n26,a\n27,b\n";
    shoal_spec *spec = NULL;
    shoal_table *table = NULL;

    assert_int_equal(shoal_csv_read_memory(ctx, &table, text, strlen(text), "", NULL),
                     SHOAL_OK);
    assert_int_equal(shoal_spec_new(ctx, &spec), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(ctx, spec, "age", SHOAL_ROLE_QUASI), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(ctx, spec, "ill", SHOAL_ROLE_SENSITIVE), SHOAL_OK);
    assert_int_equal(shoal_spec_set(ctx, spec, "frontier.sweep", sweep), SHOAL_OK);
    assert_int_equal(shoal_spec_set(ctx, spec, "frontier.methods", method), SHOAL_OK);
    shoal_status st = shoal_frontier_table(ctx, report, spec, table);

    shoal_spec_free(spec);
    shoal_table_free(table);
    return st;
}

static void test_lies_make_no_point(void **state)
{
    static const struct {
        const char *sweep;
        const char *method;
        const char *words;
    } cases[] = {
        {"k=2", "topdown", "classes"},
        {"k=2", "nonhomogeneous", "candidates"},
        {"l=distinct:2", "anatomy", "buckets"},
    };
    shoal_ctx ctx;
    shoal_report *report = NULL;

    (void)state;
    shoal_i_ctx_init(&ctx);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        is_lying = false;
        assert_int_equal(try_one(&ctx, &report, cases[i].sweep, cases[i].method), SHOAL_OK);
        assert_non_null(strstr(shoal_report_json(report), "\"done\""));
        shoal_report_free(report);
        is_lying = true;
        assert_int_equal(try_one(&ctx, &report, cases[i].sweep, cases[i].method),
                         SHOAL_EUNSATISFIABLE);
        assert_null(report);
        assert_non_null(strstr(ctx.error.message, "The verifier found"));
        assert_non_null(strstr(ctx.error.message, cases[i].words));
    }
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lies_make_no_point)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
