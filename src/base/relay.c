#include "relay.h"

static bool pass_on(void *payload, const char *stage, double fraction)
{
    shoal_i_relay *relay = payload;
    double here = relay->from + relay->share * fraction;

    if (!relay->stage) {
        return relay->progress(relay->payload, stage, here);
    }
    relay->told = here > relay->told ? here : relay->told;
    return relay->progress(relay->payload, relay->stage, relay->told);
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
