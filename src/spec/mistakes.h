/* mistakes.h -- several mistakes at once: each goes to the log, the first becomes the failure.
 *
 * For input that people write by hand: whoever made three mistakes wants to hear of three. A
 * check fails as any other function does; whoever called it takes the failure down and goes on:
 *
 *     SHOAL_TRY(shoal_i_mistakes_take(&mistakes, check(ctx, ...)));     continues after a
 * mistake
 *     ...
 *     SHOAL_TRY(shoal_i_mistakes_status(&mistakes));                    fails when there was
 * one
 */
#ifndef SHOAL_I_MISTAKES_H
#define SHOAL_I_MISTAKES_H

#include "../base/fail.h"

/* Starts as {.ctx = ctx}. */
typedef struct shoal_i_mistakes {
    shoal_ctx *ctx;
    size_t count;
    shoal_error first;
} shoal_i_mistakes;

/* When status is a failure that lies in the input, log what ctx says of it, remember it, and
 * return SHOAL_OK. Other failures, such as lack of memory, are returned: they end the checking.
 * So does the hundredth mistake: nobody reads on, and a hostile file may hold a million. */
shoal_status shoal_i_mistakes_take(shoal_i_mistakes *mistakes, shoal_status status);

/* SHOAL_OK when there was no mistake; else the first, recorded in ctx again, with how many
 * there were. */
shoal_status shoal_i_mistakes_status(shoal_i_mistakes *mistakes);

/* Record 'Unknown KIND "NAME"' with the nearest candidate, or all of them when few and none is
 * near. */
shoal_status shoal_i_fail_unknown(shoal_ctx *ctx, shoal_status status, const char *kind,
                                  const char *name, const char *const *candidates,
                                  size_t count);

#endif /* SHOAL_I_MISTAKES_H */
