/* recursion.h -- splitting a set of records into parts, and the parts into parts, in parallel.
 *
 * The records stand in places 0..count-1; a set is a run of places, a range. A method gives the
 * step that arranges a range into consecutive parts; the recursion calls it on the parts in
 * turn until it leaves a range whole, and marks where the final ranges start. Large parts
 * become tasks of the pool. Each range has a random stream of its own, named by the way that
 * led to it, so the result does not depend on the number of threads.
 */
#ifndef SHOAL_I_RECURSION_H
#define SHOAL_I_RECURSION_H

#include "../../base/fail.h"
#include "../../release/release.h"
#include "../problem/span.h"

typedef struct shoal_i_subrange {
    size_t first;
    size_t count;
    unsigned depth; /* splits above it */
    uint64_t key;   /* of its random stream */
} shoal_i_subrange;

static inline shoal_i_span shoal_i_subrange_span(const shoal_i_subrange *range)
{
    return (shoal_i_span){.first = range->first, .count = range->count};
}

/* Most ranges are split in two: memory for so many sizes is not asked for. */
#define SHOAL_I_PARTS_FEW 4

/* The sizes of the parts of a range, in order; fewer than two leave it whole. */
typedef struct shoal_i_parts {
    size_t count;
    size_t capacity; /* of the list */
    size_t *sizes;   /* a list of them all; NULL: they are few */
    size_t few[SHOAL_I_PARTS_FEW];
} shoal_i_parts;

/* The size of a part. */
static inline size_t shoal_i_parts_size(const shoal_i_parts *parts, size_t i)
{
    return parts->sizes ? parts->sizes[i] : parts->few[i];
}

/* Add a part of a size. */
shoal_status shoal_i_parts_add(shoal_ctx *ctx, shoal_i_parts *parts, size_t size);

typedef struct shoal_i_recursion {
    /* Arrange the range into parts. scratch is memory that no other thread uses at the time.
     * Every part must be smaller than the range; how deep the recursion goes is the method's to
     * bound. */
    shoal_status (*split)(shoal_ctx *ctx, void *payload, void *scratch,
                          const shoal_i_subrange *range, shoal_i_parts *parts);
    /* Make scratch for ranges of at most count places, and release it (NULL is allowed). */
    shoal_status (*scratch_new)(shoal_ctx *ctx, void **scratch, void *payload, size_t count);
    void (*scratch_free)(void *scratch);
    void *payload;
    uint8_t *is_start; /* set to 1 where a final range starts, unless the method has set it */
    shoal_i_meter *meter;
} shoal_i_recursion;

/* Split the places 0..count-1, of which there is at least one. */
shoal_status shoal_i_recurse(shoal_ctx *ctx, const shoal_i_recursion *recursion, size_t count,
                             uint64_t seed);

/* The release of records that stand in groups: records[place] and where groups start (not 0).
 */
shoal_status shoal_i_groups_release(shoal_ctx *ctx, shoal_i_release **out,
                                    const shoal_i_quasi *quasi, const uint32_t *records,
                                    const uint8_t *is_start);

#endif /* SHOAL_I_RECURSION_H */
