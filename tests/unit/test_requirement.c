#include "context.h"
#include "failing.h"

#include "requirement/requirement.h"

#include <math.h>
#include <string.h>

static bool set_holds(const shoal_i_requirement_set *set, uint64_t size, uint64_t largest_k)
{
    return shoal_i_requirement_holds(
        set, &(shoal_i_class_stats){.size = size, .persons = size, .largest_k = largest_k});
}

static void test_k(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_i_requirement_set set = {0};

    assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, 3), SHOAL_OK);
    assert_false(set_holds(&set, 2, 0));
    assert_true(set_holds(&set, 3, 0));
    assert_int_equal(shoal_i_requirement_smallest_class(&set), 3);
    assert_true(shoal_i_requirement_is_monotone(&set, false));
    assert_false(shoal_i_requirement_needs_record_k(&set));
}

static void test_personal_k(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_i_requirement_set set = {0};

    assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_personal_k, 0), SHOAL_OK);
    assert_true(set_holds(&set, 1, 0));
    assert_true(set_holds(&set, 5, 5));
    assert_false(set_holds(&set, 4, 5));
    assert_true(shoal_i_requirement_needs_record_k(&set));
    assert_int_equal(shoal_i_requirement_smallest_class(&set), 1);
    assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, 6), SHOAL_OK);
    assert_false(set_holds(&set, 5, 5));
    assert_int_equal(shoal_i_requirement_smallest_class(&set), 6);
}

static void test_bad_values(void **state)
{
    shoal_ctx *ctx = *state;
    const double bad[] = {0, -1, 2.5, NAN, INFINITY, 1e300};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        shoal_i_requirement_set set = {0};

        assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, bad[i]),
                         SHOAL_EINVAL);
        assert_int_equal(set.count, 0);
    }
}

static void test_too_many(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_i_requirement_set set = {0};

    for (size_t i = 0; i < SHOAL_I_REQUIREMENTS_MAX; i++) {
        assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, 2), SHOAL_OK);
    }
    assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, 2), SHOAL_ELIMIT);
}

static void test_impossible(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_i_requirement_set set = {0};
    shoal_i_class_stats whole = {.size = 7, .persons = 7, .largest_k = 9};

    assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_k_anonymity, 7), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_check_possible(ctx, &set, &whole), SHOAL_OK);
    set.items[0].value = 8;
    assert_int_equal(shoal_i_requirement_check_possible(ctx, &set, &whole),
                     SHOAL_EUNSATISFIABLE);
    assert_non_null(strstr(ctx->error.message, "largest k that can is 7"));
    set.count = 0;
    assert_int_equal(shoal_i_requirement_add(ctx, &set, &shoal_i_personal_k, 0), SHOAL_OK);
    assert_int_equal(shoal_i_requirement_check_possible(ctx, &set, &whole),
                     SHOAL_EUNSATISFIABLE);
    assert_non_null(strstr(ctx->error.message, "k = 9"));
}

static void test_find_and_describe(void **state)
{
    shoal_ctx *ctx = *state;
    shoal_i_requirement item = {.kind = &shoal_i_k_anonymity, .value = 10};
    shoal_i_buffer text;

    assert_ptr_equal(shoal_i_requirement_find("k"), &shoal_i_k_anonymity);
    assert_ptr_equal(shoal_i_requirement_find("record_k"), &shoal_i_personal_k);
    assert_null(shoal_i_requirement_find("x"));
    shoal_i_buffer_init(&text, ctx, 1000);
    item.kind->describe(&item, "class", &text);
    char *words = NULL;

    assert_int_equal(shoal_i_buffer_take(&words, &text), SHOAL_OK);
    assert_string_equal(words, "every class has at least 10 records");
    free(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_k),          cmocka_unit_test(test_personal_k),
        cmocka_unit_test(test_bad_values), cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_impossible), cmocka_unit_test(test_find_and_describe),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
