/* Parts of a whole: their progress as progress of the whole, and parts with a time of their
 * own. */
#include "base/relay.h"

#include "context.h"
#include "failing.h"
#include "fake_clock.h"

typedef struct listener {
    const char *stage;
    double fraction;
    bool goes_on;
} listener;

static bool listen(void *payload, const char *stage, double fraction)
{
    listener *l = payload;

    l->stage = stage;
    l->fraction = fraction;
    return l->goes_on;
}

static void test_progress_of_a_part(void **state)
{
    shoal_ctx *ctx = *state;
    listener l = {.goes_on = true};
    shoal_i_relay relay;

    ctx->progress = listen;
    ctx->progress_payload = &l;
    shoal_i_relay_begin(&relay, ctx, NULL);
    assert_int_equal(shoal_i_progress(&relay.own, "read", 0.25), SHOAL_OK);
    assert_string_equal(l.stage, "read");
    assert_true(l.fraction == 0.25);
    assert_int_equal(shoal_i_progress(&relay.own, "write", 0.125), SHOAL_OK);
    assert_true(l.fraction == 0.125);

    shoal_i_relay_begin(&relay, ctx, "verify");
    relay.from = 0.5;
    relay.share = 0.5;
    assert_int_equal(shoal_i_progress(&relay.own, "read", 0.5), SHOAL_OK);
    assert_string_equal(l.stage, "verify");
    assert_true(l.fraction == 0.75);
    assert_int_equal(shoal_i_progress(&relay.own, "count", 0.25), SHOAL_OK);
    assert_true(l.fraction == 0.75); /* the bar does not go back */
    l.goes_on = false;
    assert_int_equal(shoal_i_progress(&relay.own, "count", 1), SHOAL_ECANCELLED);
    assert_true(l.fraction == 1);
    ctx->progress = NULL;
}

/* The earlier of two times; 0 is none. */
static void test_earlier_time(void **state)
{
    static const double times[][3] = {{0, 0, 0}, {0, 7, 7}, {5, 0, 5}, {5, 7, 5}, {7, 5, 5}};
    shoal_ctx *ctx = *state;

    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        shoal_i_relay relay;

        ctx->deadline = times[i][0];
        shoal_i_relay_begin(&relay, ctx, NULL);
        shoal_i_relay_limit(&relay, times[i][1]);
        assert_true(relay.own.deadline == times[i][2]);
    }
    ctx->deadline = 0;
}

static void test_late_or_cancelled(void **state)
{
    shoal_ctx *ctx = *state;
    listener l = {.goes_on = true};
    const int no = 0;
    const int yes = 1;
    shoal_i_relay relay;

    fake_clock_looks = 100;
    shoal_i_relay_begin(&relay, ctx, NULL);
    shoal_i_relay_limit(&relay, 1000);
    assert_int_equal(shoal_i_check_cancelled(&relay.own), SHOAL_OK);
    assert_false(shoal_i_relay_is_late(&relay, ctx, SHOAL_OK));
    assert_false(shoal_i_relay_is_late(&relay, ctx, SHOAL_ECANCELLED)); /* for another reason */
    fake_clock_looks = 1000;
    assert_int_equal(shoal_i_check_cancelled(&relay.own), SHOAL_ECANCELLED);
    assert_true(shoal_i_relay_is_late(&relay, ctx, SHOAL_ECANCELLED));
    assert_int_equal(shoal_i_relay_join(&relay, ctx, SHOAL_ECANCELLED), SHOAL_OK);
    assert_int_equal(shoal_i_relay_join(&relay, ctx, SHOAL_ENOMEM), SHOAL_ENOMEM);
    assert_false(shoal_i_relay_is_late(&relay, ctx, SHOAL_ENOMEM));
    assert_false(shoal_i_relay_is_late(&relay, ctx, SHOAL_OK));

    /* Whoever asked for the whole to stop means the part, too. */
    assert_int_equal(shoal_ctx_set_cancel(ctx, &yes), SHOAL_OK);
    assert_false(shoal_i_relay_is_late(&relay, ctx, SHOAL_ECANCELLED));
    assert_int_equal(shoal_ctx_set_cancel(ctx, &no), SHOAL_OK);
    ctx->deadline = 900;
    assert_false(shoal_i_relay_is_late(&relay, ctx, SHOAL_ECANCELLED));
    ctx->deadline = 0;
    assert_true(shoal_i_relay_is_late(&relay, ctx, SHOAL_ECANCELLED));

    /* So does whoever is asked and says no at the same moment, and is not asked again. */
    ctx->progress = listen;
    ctx->progress_payload = &l;
    shoal_i_relay_begin(&relay, ctx, NULL);
    shoal_i_relay_limit(&relay, 1000);
    assert_int_equal(shoal_i_progress(&relay.own, "part", 0.5), SHOAL_ECANCELLED);
    assert_true(shoal_i_relay_is_late(&relay, ctx, SHOAL_ECANCELLED));
    l.goes_on = false;
    assert_int_equal(shoal_i_progress(&relay.own, "part", 0.5), SHOAL_ECANCELLED);
    assert_false(shoal_i_relay_is_late(&relay, ctx, SHOAL_ECANCELLED));
    assert_int_equal(shoal_i_relay_join(&relay, ctx, SHOAL_ECANCELLED), SHOAL_ECANCELLED);
    l.goes_on = true;
    l.stage = NULL;
    assert_int_equal(shoal_i_progress(&relay.own, "part", 1), SHOAL_ECANCELLED);
    assert_null(l.stage);
    assert_false(shoal_i_relay_is_late(&relay, ctx, SHOAL_ECANCELLED));
    ctx->progress = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_progress_of_a_part),
        cmocka_unit_test(test_earlier_time),
        cmocka_unit_test(test_late_or_cancelled),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
