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
} shoal_i_relay;

/* From 0, share 1. The relay lives on the stack and is not moved. */
void shoal_i_relay_begin(shoal_i_relay *relay, shoal_ctx *ctx, const char *stage);

#endif /* SHOAL_I_RELAY_H */
