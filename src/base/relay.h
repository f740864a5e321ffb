/* relay.h -- the progress of a part, passed on as progress of the whole.
 *
 *     shoal_i_relay relay;
 *
 *     shoal_i_relay_begin(&relay, ctx, "verify");     what the part calls its stages is not
 *                                                     told
 *     relay.from = 0.5;                               its 0 to 1 is half to whole
 *     relay.share = 0.5;
 *     return shoal_i_ctx_join(ctx, &relay.own, work(&relay.own));
 *
 * share 0: the bar stands still, but the caller is asked all the same whether to go on.
 *
 * A part may have a time of its own. When that is over it is cancelled, which is no failure of
 * the whole where it can do without:
 *
 *     shoal_i_relay_limit(&relay, deadline);
 *     return shoal_i_relay_join(&relay, ctx, work(&relay.own));
 */
#ifndef SHOAL_I_RELAY_H
#define SHOAL_I_RELAY_H

#include "fail.h"

typedef struct shoal_i_relay {
    shoal_ctx own; /* a child of the context: the part's */
    shoal_progress_fn progress;
    void *payload;
    const char *stage; /* NULL: as the part calls its stages */
    double from;
    double share;
    double
        told; /* a part with several stages begins anew with each; the bar does not go back */
    bool is_stopped; /* the caller was asked and said no; nobody asks again */
} shoal_i_relay;

/* From 0, share 1. The relay lives on the stack and is not moved. */
void shoal_i_relay_begin(shoal_i_relay *relay, shoal_ctx *ctx, const char *stage);

/* Cancel the part at a deadline of shoal_i_clock_seconds, too; 0: none. */
void shoal_i_relay_limit(shoal_i_relay *relay, double deadline);

/* Whether the part, which ended so, was cancelled only because its own time was over. */
bool shoal_i_relay_is_late(const shoal_i_relay *relay, const shoal_ctx *ctx, shoal_status st);

/* Hand the failure of the part to the context (fail.h); being late is none. */
shoal_status shoal_i_relay_join(const shoal_i_relay *relay, shoal_ctx *ctx, shoal_status st);

#endif /* SHOAL_I_RELAY_H */
