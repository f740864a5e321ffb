/* entry.h -- how public functions begin.
 *
 * A public function with a context names at its top the arguments that must not be NULL:
 *
 *     shoal_status shoal_table_filter(shoal_ctx *ctx, shoal_table **out, ...)
 *     {
 *         SHOAL_ENTER_FOR(ctx, out, table, keep);
 *
 * If one is, or if another thread is in a call with this context, the function returns there
 * with SHOAL_EINVAL or SHOAL_EBUSY. Otherwise the context is marked as used by this thread
 * until the function returns, by whatever way. Public functions may call each other: the
 * outermost call holds the mark. Children of a context are not marked, their root is.
 */
#ifndef SHOAL_I_ENTRY_H
#define SHOAL_I_ENTRY_H

#include "context.h"

typedef struct shoal_i_entry {
    shoal_ctx *marked; /* NULL: the mark is held further out */
    shoal_status status;
} shoal_i_entry;

/* names: the arguments as they stand in the call, parted by commas. */
shoal_i_entry shoal_i_enter(shoal_ctx *ctx, const char *function, const char *names,
                            const void *const *arguments, size_t count);
void shoal_i_leave(const shoal_i_entry *entry);

/* SHOAL_EINVAL when bytes are NULL although there are some. */
shoal_status shoal_i_check_bytes(shoal_ctx *ctx, const void *bytes, size_t size);

/* Declares a variable, so it stands among the declarations. */
#define SHOAL_ENTER(ctx, ...)                                                                  \
    __attribute__((cleanup(shoal_i_leave))) const shoal_i_entry entered =                      \
        shoal_i_enter((ctx), __func__, #__VA_ARGS__, (const void *const[]){__VA_ARGS__},       \
                      sizeof((const void *const[]){__VA_ARGS__}) / sizeof(const void *));      \
    do {                                                                                       \
        if (entered.status != SHOAL_OK) {                                                      \
            return entered.status;                                                             \
        }                                                                                      \
    } while (0)

/* The same for a function that makes an object: *out is NULL until it does. */
#define SHOAL_ENTER_FOR(ctx, out, ...)                                                         \
    do {                                                                                       \
        if (out) {                                                                             \
            *(out) = NULL;                                                                     \
        }                                                                                      \
    } while (0);                                                                               \
    SHOAL_ENTER(ctx, out, __VA_ARGS__)

#endif /* SHOAL_I_ENTRY_H */
