/* What searches find in fixed tables, to the last digits that matter. They draw from seeds and
 * look at records in one order, so that the same table has the same loss in every run, on any
 * number of threads. Other tests hold losses to bounds, which leaves much that can go wrong
 * unseen: a start that is no longer tried, a class that is left out, a search that goes on for
 * too long.
 *
 * Whoever means to change what a search finds records anew: SHOAL_TEST_RECORD=1 prints the
 * lines. Whoever does not has changed something else than was meant. */
#include "context.h"
#include "method_case.h"

#include <math.h>
#include <stdio.h>

typedef struct recorded {
    const char *variant;
    uint64_t seed;
    size_t rows;
    size_t columns;
    uint64_t values;
    size_t kind; /* of case_kinds, beside k */
    double loss;
} recorded;

#define K_ALONE SIZE_MAX

static const recorded records[] = {
    {"best", 1, 200, 3, 12, K_ALONE, 78.884848485},
    {"best", 2, 300, 2, 40, K_ALONE, 31.099797571},
    {"best", 16, 240, 4, 25, K_ALONE, 481.159722222},
    {"best", 4, 160, 3, 9, 2, 60.312500000},
    {"best", 5, 160, 2, 20, 4, 2.187134503},
    {"best", 6, 160, 3, 6, 6, 51.166666667},
    {"best", 7, 160, 2, 8, 8, 13.583333333},
    {"best", 8, 160, 2, 12, 10, 21.636363636},
    {"best:effort=fast", 9, 500, 3, 30, K_ALONE, 350.772742200},
    {"best:effort=fast", 10, 400, 3, 12, 4, 72.830303030},
    {"best:effort=high", 11, 60, 3, 9, K_ALONE, 94.951388889},
    {"best:effort=high", 20, 150, 4, 40, K_ALONE, 246.784210526},
    {"mondrian:finish=carve", 12, 300, 3, 9, 6, 119.125000000},
    {"mondrian:finish=carve", 13, 300, 2, 30, 2, 37.238587849},
    {"best", 14, 300, 2, 60, 1, 145.431755309},
    {"best", 15, 260, 5, 4, K_ALONE, 456.000000000},
    {"best", 40, 200, 4, 4, 7, 64.000000000},
};
#define RECORDS (sizeof records / sizeof *records)

static void test_losses_are_those_recorded(void **state)
{
    shoal_ctx *ctx = *state;
    bool is_recording = getenv("SHOAL_TEST_RECORD") != NULL;

    for (size_t i = 0; i < RECORDS; i++) {
        const recorded *r = &records[i];
        shoal_i_release *release = NULL;
        method_case m;

        method_case_make(ctx, &m, r->seed, r->rows, r->columns, r->values,
                         r->kind == K_ALONE ? &shoal_i_k_anonymity : case_kinds[r->kind]);
        assert_int_equal(method_case_run(ctx, &release, &m, r->variant), SHOAL_OK);
        check_case_release(ctx, &m, release);
        double loss = slow_release_ncp(release);

        if (is_recording) {
            printf("    {\"%s\", %d, %zu, %zu, %d, ", r->variant, (int)r->seed, r->rows,
                   r->columns, (int)r->values);
            printf(r->kind == K_ALONE ? "K_ALONE, " : "%zu, ", r->kind);
            printf("%.9f},\n", loss);
        } else if (fabs(loss - r->loss) > 1e-7 * (1 + r->loss)) {
            fail_msg("%s, seed %d: %.9f in place of %.9f", r->variant, (int)r->seed, loss,
                     r->loss);
        }
        shoal_i_release_free(release);
        method_case_free(&m);
    }
}

static int open_two_threads(void **state)
{
    int status = open_context(state);

    ((shoal_ctx *)*state)->threads = 2;
    return status;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_losses_are_those_recorded),
    };

    return cmocka_run_group_tests(tests, open_two_threads, close_context);
}
