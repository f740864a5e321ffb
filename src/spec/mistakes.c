#include "mistakes.h"

#include "../base/text.h"

#include <stdio.h>
#include <string.h>

/* More candidates than this are not listed: nobody reads them. */
#define LISTED_MAX 24

#define MISTAKES_MAX 100

/* How much of a name is quoted; hostile files have long ones. */
#define QUOTED_MAX 80

static bool lies_in_input(shoal_status status)
{
    return status == SHOAL_EINVAL || status == SHOAL_EFORMAT || status == SHOAL_ENOTFOUND ||
           status == SHOAL_ELIMIT || status == SHOAL_EUNSUPPORTED;
}

shoal_status shoal_i_mistakes_take(shoal_i_mistakes *mistakes, shoal_status status)
{
    shoal_ctx *ctx = mistakes->ctx;

    if (!lies_in_input(status)) {
        return status;
    }
    if (mistakes->count == 0) {
        mistakes->first = ctx->error;
    }
    mistakes->count++;
    if (ctx->log) {
        ctx->log(ctx->log_payload, SHOAL_LOG_ERROR, ctx->error.message, &ctx->error);
    }
    return mistakes->count < MISTAKES_MAX ? SHOAL_OK : shoal_i_mistakes_status(mistakes);
}

shoal_status shoal_i_mistakes_status(shoal_i_mistakes *mistakes)
{
    if (mistakes->count == 0) {
        return SHOAL_OK;
    }
    shoal_error *error = &mistakes->ctx->error;

    *error = mistakes->first;
    if (mistakes->count > 1) {
        size_t length = strlen(error->message);

        snprintf(error->message + length, sizeof error->message - length,
                 " (The first of %zu mistakes.)", mistakes->count);
    }
    return error->status;
}

shoal_status shoal_i_fail_unknown(shoal_ctx *ctx, shoal_status status, const char *kind,
                                  const char *name, const char *const *candidates, size_t count)
{
    const char *near = shoal_i_text_nearest(name, candidates, count);
    char list[SHOAL_MESSAGE_MAX / 2];

    if (near) {
        return shoal_i_fail(ctx, status, "Unknown %s \"%.*s\"; did you mean \"%s\"?", kind,
                            QUOTED_MAX, name, near);
    }
    if (count > LISTED_MAX) {
        return shoal_i_fail(ctx, status, "Unknown %s \"%.*s\".", kind, QUOTED_MAX, name);
    }
    shoal_i_text_list(list, sizeof list, candidates, count);
    return shoal_i_fail(ctx, status, "Unknown %s \"%.*s\"; known: %s.", kind, QUOTED_MAX, name,
                        list);
}
