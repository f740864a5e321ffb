/* Warnings: kept in order, once for a code and a column, and told. */
#include "failing.h"

#include "base/warnings.h"

#include <stdio.h>
#include <string.h>

#define ONE SHOAL_I_WARN_NEAR_UNIQUE
#define TWO SHOAL_I_WARN_STRAY

typedef struct heard {
    shoal_log_level level; /* that is expected */
    size_t count;
    char last[SHOAL_MESSAGE_MAX];
} heard;

static void hear(void *payload, shoal_log_level level, const char *message,
                 const shoal_error *where)
{
    heard *h = payload;

    assert_int_equal(level, h->level);
    assert_null(where);
    h->count++;
    snprintf(h->last, sizeof h->last, "%s", message);
}

static void test_kept_and_told(void **state)
{
    shoal_ctx ctx;
    shoal_i_warnings kept = {0};
    heard h = {.level = SHOAL_LOG_WARNING};
    char column[] = "age";

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.log = hear;
    ctx.log_payload = &h;
    ctx.warnings = &kept;
    assert_int_equal(shoal_i_warn(&ctx, ONE, column, "%d of %s.", 3, column), SHOAL_OK);
    assert_int_equal(h.count, 1);
    assert_string_equal(h.last, "3 of age. [near-unique-column]");
    column[0] = 'A'; /* it was copied */
    assert_int_equal(shoal_i_warn(&ctx, ONE, NULL, "None."), SHOAL_OK);
    assert_int_equal(shoal_i_warn(&ctx, TWO, "age", "Two."), SHOAL_OK);
    assert_int_equal(h.count, 3);

    assert_int_equal(kept.count, 3);
    const shoal_i_warning *w = kept.first;

    assert_string_equal(w->code, ONE);
    assert_string_equal(w->column, "age");
    assert_string_equal(w->message, "3 of age.");
    w = w->next;
    assert_string_equal(w->column, "");
    assert_string_equal(w->message, "None.");
    w = w->next;
    assert_string_equal(w->code, TWO);
    assert_null(w->next);
    shoal_i_warnings_clear(&kept);
    assert_int_equal(kept.count, 0);
    assert_null(kept.first);
}

static void test_said_once(void **state)
{
    shoal_ctx ctx;
    shoal_i_warnings kept = {0};
    heard h = {.level = SHOAL_LOG_WARNING};

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.log = hear;
    ctx.log_payload = &h;
    ctx.warnings = &kept;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(shoal_i_warn(&ctx, ONE, "age", "%d.", i), SHOAL_OK);
        assert_int_equal(shoal_i_warn(&ctx, ONE, NULL, "%d.", i), SHOAL_OK);
        assert_int_equal(shoal_i_warn(&ctx, ONE, "", "%d.", i), SHOAL_OK);
    }
    assert_int_equal(kept.count, 2);
    assert_int_equal(h.count, 2);
    assert_string_equal(kept.last->message, "0.");
    shoal_i_warnings_clear(&kept);
}

/* Parts of a run keep theirs with it; without a run, warnings are told and no more. */
static void test_children_and_no_run(void **state)
{
    shoal_ctx ctx;
    shoal_ctx child;
    shoal_i_warnings kept = {0};
    heard h = {.level = SHOAL_LOG_WARNING};

    (void)state;
    shoal_i_ctx_init(&ctx);
    assert_int_equal(shoal_i_warn(&ctx, ONE, NULL, "Nobody listens."), SHOAL_OK);
    ctx.log = hear;
    ctx.log_payload = &h;
    assert_int_equal(shoal_i_warn(&ctx, ONE, NULL, "Told."), SHOAL_OK);
    assert_int_equal(h.count, 1);
    ctx.warnings = &kept;
    shoal_i_ctx_child(&child, &ctx);
    child.log = NULL;
    assert_int_equal(shoal_i_warn(&child, ONE, NULL, "Kept."), SHOAL_OK);
    assert_int_equal(kept.count, 1);
    assert_int_equal(h.count, 1);
    shoal_i_warnings_clear(&kept);
}

/* Codes that somebody accepted are kept as such, do not count as open, and are no news. */
static void test_accepted(void **state)
{
    shoal_ctx ctx;
    shoal_i_warnings kept = {0};
    heard h = {.level = SHOAL_LOG_WARNING};

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.log = hear;
    ctx.log_payload = &h;
    ctx.warnings = &kept;
    for (size_t i = 0; shoal_i_warning_codes[i]; i++) {
        kept = (shoal_i_warnings){.accepted = 1U << i};
        for (size_t j = 0; shoal_i_warning_codes[j]; j++) {
            h.level = i == j ? SHOAL_LOG_DEBUG : SHOAL_LOG_WARNING;
            assert_int_equal(shoal_i_warn(&ctx, shoal_i_warning_codes[j], "age", "It is so."),
                             SHOAL_OK);
            assert_true(kept.last->is_accepted == (i == j));
        }
        assert_int_equal(kept.open_count, kept.count - 1);
        shoal_i_warnings_clear(&kept);
    }
    assert_non_null(strstr(h.last, "It is so. ["));
}

static shoal_status warn_twice(shoal_ctx *ctx, void *payload)
{
    shoal_i_warnings kept = {0};
    heard *h = payload;

    h->count = 0;
    ctx->warnings = &kept;
    shoal_status st = shoal_i_warn(ctx, ONE, "age", "One.");

    if (st == SHOAL_OK) {
        st = shoal_i_warn(ctx, TWO, NULL, "Two.");
    }
    /* What is not kept is not told either. */
    assert_int_equal(h->count, kept.count);
    assert_true((st == SHOAL_OK) == (kept.count == 2));
    shoal_i_warnings_clear(&kept);
    ctx->warnings = NULL;
    return st;
}

static void test_allocation_failures(void **state)
{
    shoal_ctx ctx;
    heard h = {.level = SHOAL_LOG_WARNING};

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.log = hear;
    ctx.log_payload = &h;
    assert_survives_failing_allocations(&ctx, warn_twice, &h);
}

/* A table may have as many columns as warnings can be about: each looks at a few others, not at
 * all of them. */
static void test_many(void **state)
{
    enum { MANY = 20000 };
    shoal_ctx ctx;
    shoal_i_warnings kept = {0};
    char column[32];
    size_t found = 0;
    size_t longest = 0;

    (void)state;
    shoal_i_ctx_init(&ctx);
    ctx.warnings = &kept;
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < MANY; i++) {
            snprintf(column, sizeof column, "c%d", i);
            assert_int_equal(shoal_i_warn(&ctx, i % 2 ? ONE : TWO, column, "%d.", i), SHOAL_OK);
        }
    }
    assert_int_equal(kept.count, MANY);
    for (size_t slot = 0; slot < SHOAL_I_WARNING_SLOTS; slot++) {
        size_t length = 0;

        for (const shoal_i_warning *w = kept.slots[slot]; w; w = w->next_of_slot) {
            length++;
        }
        found += length;
        longest = length > longest ? length : longest;
    }
    assert_int_equal(found, MANY);
    assert_true(longest < 10 * MANY / SHOAL_I_WARNING_SLOTS);
    shoal_i_warnings_clear(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept_and_told),
        cmocka_unit_test(test_said_once),
        cmocka_unit_test(test_children_and_no_run),
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
