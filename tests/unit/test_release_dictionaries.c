/* A table is handed out with its dictionaries: those of a release must not have a value that no
 * row of it shows, such as that of a record that was left out. */
#include "failing.h"
#include "table_tools.h"

#include <shoal/shoal.h>

#define RECORDS 60

static void assert_every_value_occurs(const shoal_table *table)
{
    for (size_t c = 0; c < shoal_table_column_count(table); c++) {
        size_t values = shoal_table_value_count(table, c);
        bool *occurs = calloc(values + 1, sizeof *occurs);

        assert_non_null(occurs);
        for (size_t row = 0; row < shoal_table_row_count(table); row++) {
            occurs[shoal_table_code(table, c, row)] = true;
        }
        for (uint32_t code = 0; code < values; code++) {
            if (!occurs[code]) {
                fail_msg("no row has \"%s\" of column %s",
                         shoal_table_text(table, c, code, NULL), shoal_table_name(table, c));
            }
        }
        free(occurs);
    }
}

/* Two people whose age is missing have values of their own in every other column. */
static shoal_table *make_table(shoal_ctx *ctx)
{
    char text[4096] = "age,job,ill,note\n";

    for (unsigned i = 0; i < RECORDS; i++) {
        unsigned age = 20 + i % 3;
        char *at = text + strlen(text);

        if (i % 30 == 7) {
            snprintf(at, 64, "?,pope%u,rare%u,secret%u\n", i, i, i);
        } else {
            snprintf(at, 64, "%u,cook%u,ill%u,n%u\n", age, i % 2, i % 4, i % 5);
        }
    }
    return read_text(ctx, text, NULL);
}

static void assert_method(const char *method)
{
    static const char *const settings[][2] = {
        {"privacy.k", "4"}, {"missing.action", "drop"}, {"privacy.l", "ill=distinct:2"}};
    shoal_ctx ctx;
    shoal_spec *spec = NULL;
    shoal_release *release = NULL;

    shoal_i_ctx_init(&ctx);
    ctx.threads = 1;
    shoal_table *table = make_table(&ctx);

    assert_int_equal(shoal_spec_new(&ctx, &spec), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&ctx, spec, "age", SHOAL_ROLE_QUASI), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&ctx, spec, "job", SHOAL_ROLE_QUASI), SHOAL_OK);
    assert_int_equal(shoal_spec_set_role(&ctx, spec, "ill", SHOAL_ROLE_SENSITIVE), SHOAL_OK);
    assert_int_equal(shoal_spec_set(&ctx, spec, "method", method), SHOAL_OK);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        assert_int_equal(shoal_spec_set(&ctx, spec, settings[i][0], settings[i][1]), SHOAL_OK);
    }
    if (shoal_anonymize_table(&ctx, &release, NULL, spec, table) != SHOAL_OK) {
        fail_msg("%s: %s", method, ctx.error.message);
    }
    assert_int_equal(shoal_table_row_count(shoal_release_table(release)), RECORDS - 2);
    assert_every_value_occurs(shoal_release_table(release));
    if (shoal_release_sensitive(release)) {
        assert_every_value_occurs(shoal_release_sensitive(release));
    }
    shoal_release_free(release);
    shoal_spec_free(spec);
    shoal_table_free(table);
    shoal_i_ctx_clear(&ctx);
}

static void test_records_left_out(void **state)
{
    (void)state;
    assert_method("incognito");
    assert_method("topdown");
}

static void test_buckets(void **state)
{
    (void)state;
    assert_method("anatomy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_left_out),
        cmocka_unit_test(test_buckets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
