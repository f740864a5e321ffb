/* grow.h -- arrays that grow as they are filled. */
#ifndef SHOAL_I_GROW_H
#define SHOAL_I_GROW_H

#include "../base/fail.h"

/* An array with room for `needed` elements (at least 1) and the contents of old, which it
 * replaces:
 *
 *     ends = shoal_i_grow(ctx, f->ends, &f->end_capacity, count + 1, sizeof *ends);
 *
 * NULL after recording SHOAL_ENOMEM, with the old array untouched. Growing by half keeps copies
 * few. */
static inline void *shoal_i_grow(shoal_ctx *ctx, void *old, size_t *capacity, size_t needed,
                                 size_t size)
{
    if (needed <= *capacity) {
        return old;
    }
    size_t wanted = needed < SIZE_MAX / 2 ? needed + needed / 2 : needed;
    void *larger = shoal_i_realloc(ctx, old, wanted, size);

    if (larger) {
        *capacity = wanted;
    }
    return larger;
}

#endif /* SHOAL_I_GROW_H */
