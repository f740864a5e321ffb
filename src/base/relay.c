#include "relay.h"

static bool pass_on(void *payload, const char *stage, double fraction)
{
    shoal_i_relay *relay = payload;
    double here = relay->from + relay->share * fraction;

    if (relay->stage) {
        here = relay->told = here > relay->told ? here : relay->told;
    }
    relay->is_stopped =
        relay->is_stopped ||
        !relay->progress(relay->payload, relay->stage ? relay->stage : stage, here);
    return !relay->is_stopped;
}

void shoal_i_relay_begin(shoal_i_relay *relay, shoal_ctx *ctx, const char *stage)
{
    *relay = (shoal_i_relay){
        .progress = ctx->progress,
        .payload = ctx->progress_payload,
        .stage = stage,
        .share = 1,
    };
    shoal_i_ctx_child(&relay->own, ctx);
    if (relay->progress) {
        relay->own.progress = pass_on;
        relay->own.progress_payload = relay;
    }
}

void shoal_i_relay_limit(shoal_i_relay *relay, double deadline)
{
    double given = relay->own.deadline;

    relay->own.deadline = given > 0 && (given < deadline || deadline == 0) ? given : deadline;
}

bool shoal_i_relay_is_late(const shoal_i_relay *relay, const shoal_ctx *ctx, shoal_status st)
{
    return st == SHOAL_ECANCELLED && !relay->is_stopped && shoal_i_is_cancelled(&relay->own) &&
           !shoal_i_is_cancelled(ctx);
}

shoal_status shoal_i_relay_join(const shoal_i_relay *relay, shoal_ctx *ctx, shoal_status st)
{
    return shoal_i_relay_is_late(relay, ctx, st) ? SHOAL_OK
                                                 : shoal_i_ctx_join(ctx, &relay->own, st);
}
