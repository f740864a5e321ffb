/* The figures of the paper from the Adult table itself, with the hierarchies that go with it.
 * Skipped where the data is absent: it is looked for where SHOAL_DATA points, or beside the
 * tree. */
#include <shoal/shoal.h>

#include "base/context.h"
#include "measure/divergence.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SKIPPED = 77 };

static char folder[512];

static const char *const quasi[] = {"age",  "workclass", "education", "marital-status",
                                    "race", "sex"};

/* The complete records, and a release of them that keeps the occupation alone. */
static void write_files(void)
{
    char path[600];
    char line[1024];
    size_t records = 0;

    snprintf(path, sizeof path, "%s/adult/adult.csv", folder);
    FILE *in = fopen(path, "r");
    FILE *complete = fopen("tradeoff_adult.csv", "w");
    FILE *trivial = fopen("tradeoff_trivial.csv", "w");

    assert_true(in && complete && trivial);
    fputs("age,workclass,education,marital-status,race,sex,occupation\n", trivial);
    for (bool is_header = true; fgets(line, sizeof line, in); is_header = false) {
        char *at = line;

        if (strchr(line, '?')) {
            continue;
        }
        fputs(line, complete);
        for (int column = 0; column < 6; column++) {
            at = strchr(at, ',') + 1;
        }
        if (!is_header) {
            fprintf(trivial, "*,*,*,*,*,*,%.*s\n", (int)strcspn(at, ","), at);
            records++;
        }
    }
    assert_int_equal(records, 45222);
    fclose(in);
    fclose(complete);
    fclose(trivial);
}

static shoal_spec *make_spec(shoal_ctx *ctx)
{
    shoal_spec *spec = NULL;
    char path[700];

    assert_int_equal(shoal_spec_new(ctx, &spec), SHOAL_OK);
    for (size_t i = 0; i < sizeof quasi / sizeof *quasi; i++) {
        snprintf(path, sizeof path, "%s/adult/hierarchies/%s.csv", folder, quasi[i]);
        assert_int_equal(shoal_spec_set_role(ctx, spec, quasi[i], SHOAL_ROLE_QUASI), SHOAL_OK);
        assert_int_equal(shoal_spec_set_hierarchy(ctx, spec, quasi[i], path), SHOAL_OK);
    }
    assert_int_equal(shoal_spec_set_role(ctx, spec, "occupation", SHOAL_ROLE_SENSITIVE),
                     SHOAL_OK);
    return spec;
}

static double measure(shoal_ctx *ctx, const shoal_spec *spec, const char *release,
                      double *privacy)
{
    shoal_report *report = NULL;

    if (shoal_measure(ctx, &report, spec, "tradeoff_adult.csv", release) != SHOAL_OK) {
        fail_msg("%s", ctx->error.message);
    }
    assert_non_null(strstr(shoal_report_json(report), "\"count\": 1766"));
    assert_non_null(strstr(shoal_report_json(report), "\"support\": 2261"));
    double utility = shoal_report_figure(report, "utility_loss");

    *privacy = shoal_report_figure(report, "privacy_loss");
    shoal_report_free(report);
    return utility;
}

static void test_populations_and_extremes(void **state)
{
    shoal_ctx ctx;
    double privacy = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    shoal_spec *spec = make_spec(&ctx);
    double trivial = measure(&ctx, spec, "tradeoff_trivial.csv", &privacy);

    assert_true(fabs(trivial - 0.0440) < 0.00005);
    assert_true(privacy == 0);
    assert_true(measure(&ctx, spec, "tradeoff_adult.csv", &privacy) == 0);
    assert_true(privacy > 0.69);
    shoal_spec_free(spec);
    shoal_i_ctx_clear(&ctx);
}

/* What it costs a record when its occupation is revealed. */
static void test_revealed_values(void **state)
{
    shoal_ctx ctx;
    shoal_table *table = NULL;
    double shares[32] = {0};

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_csv_read(&ctx, &table, "tradeoff_adult.csv", NULL), SHOAL_OK);
    size_t column = (size_t)shoal_table_find(table, "occupation");
    size_t rows = shoal_table_row_count(table);
    size_t values = shoal_table_value_count(table, column);

    assert_int_equal(values, 14);
    for (size_t row = 0; row < rows; row++) {
        shares[shoal_table_code(table, column, row)]++;
    }
    const struct {
        const char *value;
        double loss;
    } known[] = {{"Armed-Forces", 0.692}, {"Craft-repair", 0.488}};

    for (size_t i = 0; i < 2; i++) {
        double revealed[32] = {0};

        revealed[shoal_table_find_code(table, column, known[i].value, strlen(known[i].value))] =
            1;
        double loss = shoal_i_divergence(shares, (double)rows, revealed, 1, values);

        assert_true(fabs(loss - known[i].loss) < 0.0005);
    }
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

int main(void)
{
    const char *data = getenv("SHOAL_DATA");
    char path[600];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_populations_and_extremes),
        cmocka_unit_test(test_revealed_values),
    };

    snprintf(folder, sizeof folder, "%s", data ? data : SHOAL_TREE "/../shared/data");
    snprintf(path, sizeof path, "%s/adult/adult.csv", folder);
    if (access(path, R_OK) != 0) {
        printf("skipped: no %s (set SHOAL_DATA)\n", path);
        return SKIPPED;
    }
    write_files();
    int failures = cmocka_run_group_tests(tests, NULL, NULL);

    remove("tradeoff_adult.csv");
    remove("tradeoff_trivial.csv");
    return failures;
}
