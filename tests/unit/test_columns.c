/* How the columns of a file are read, by their header and the spec. */
#include "context.h"
#include "deep.h"

#include "job/input/columns.h"

#include <string.h>

/* The columns of a table of sensitive values, beside a release by buckets: whoever compares
 * values takes all tokens for a missing one as one; whoever shows them keeps the texts. */
static void test_columns_of_dealt_values(void **state)
{
    shoal_ctx *ctx = *state;

    for (size_t i = 0; i < 4; i++) {
        bool with_sensitive = i % 2 == 1;
        bool is_required = i >= 2;
        shoal_spec *spec = NULL;
        shoal_csv_column columns[2] = {{.name = "ill"}, {.name = "stage"}};

        assert_int_equal(shoal_spec_new(ctx, &spec), SHOAL_OK);
        assert_int_equal(shoal_spec_set_role(ctx, spec, "ill", SHOAL_ROLE_SENSITIVE), SHOAL_OK);
        assert_int_equal(shoal_spec_set_role(ctx, spec, "stage", SHOAL_ROLE_SENSITIVE),
                         SHOAL_OK);
        assert_int_equal(shoal_spec_set_type(ctx, spec, "stage", "integer"), SHOAL_OK);
        assert_int_equal(shoal_spec_set(ctx, spec, "privacy.k", "2"), SHOAL_OK);
        if (is_required) {
            assert_int_equal(shoal_spec_set(ctx, spec, "privacy.l", "distinct:2"), SHOAL_OK);
        }
        shoal_i_reading reading = {.spec = spec, .with_sensitive = with_sensitive};

        assert_int_equal(shoal_i_configure_dealt(ctx, &reading, columns, 2), SHOAL_OK);
        assert_int_equal(columns[0].detect_missing, with_sensitive || is_required);
        assert_int_equal(columns[0].type, SHOAL_TYPE_STRING);
        assert_true(columns[1].detect_missing);
        assert_int_equal(columns[1].type, SHOAL_TYPE_INTEGER);
        assert_false(columns[0].skip || columns[1].skip);
        shoal_spec_free(spec);
    }
}

/* The same of an original. */
static void test_sensitive_columns_of_an_original(void **state)
{
    shoal_ctx *ctx = *state;

    for (size_t i = 0; i < 4; i++) {
        bool with_sensitive = i % 2 == 1;
        bool is_required = i >= 2;
        shoal_spec *spec = NULL;
        shoal_csv_column columns[2] = {{.name = "age"}, {.name = "ill"}};

        assert_int_equal(shoal_spec_new(ctx, &spec), SHOAL_OK);
        assert_int_equal(shoal_spec_set_role(ctx, spec, "age", SHOAL_ROLE_QUASI), SHOAL_OK);
        assert_int_equal(shoal_spec_set_role(ctx, spec, "ill", SHOAL_ROLE_SENSITIVE), SHOAL_OK);
        assert_int_equal(shoal_spec_set(ctx, spec, "privacy.k", "2"), SHOAL_OK);
        if (is_required) {
            assert_int_equal(shoal_spec_set(ctx, spec, "privacy.l", "distinct:2"), SHOAL_OK);
        }
        shoal_i_reading reading = {.spec = spec, .with_sensitive = with_sensitive};

        assert_int_equal(shoal_i_configure_original(ctx, &reading, columns, 2), SHOAL_OK);
        assert_int_equal(columns[1].detect_missing, with_sensitive || is_required);
        assert_false(columns[0].skip || columns[1].skip);
        shoal_spec_free(spec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_of_dealt_values),
        cmocka_unit_test(test_sensitive_columns_of_an_original),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
