/* split.h -- splitting records around two that are far apart, and working on blocks of them.
 *
 * The records stand in places, with their rows; splitting rearranges them so that every part is
 * a run of consecutive places. It is the first half of `topdown`, which splits down to groups,
 * and how larger methods cut a table into blocks that fit them.
 */
#ifndef SHOAL_I_SPLIT_H
#define SHOAL_I_SPLIT_H

#include "../../base/fail.h"
#include "../../box/distinct.h"
#include "../problem/method.h"
#include "../problem/span.h"

/* Parts of a table that are solved on their own have about this many records at most. */
#define SHOAL_I_BLOCK 65536

/* Value of is_start where a range starts that came from one larger than a block. */
#define SHOAL_I_STARTS_BLOCK 2

/* Records in groups: a group is a run of consecutive places. */
typedef struct shoal_i_grouping {
    const shoal_i_lanes *lanes;
    int32_t *rows;     /* the row of each place */
    uint32_t *records; /* the record of each place */
    uint8_t *is_start; /* not 0 where a group starts */
    size_t count;
} shoal_i_grouping;

/* All records of a problem in the order of the table, as one group. */
shoal_status shoal_i_grouping_new(shoal_ctx *ctx, shoal_i_grouping **out,
                                  const shoal_i_problem *problem);
void shoal_i_grouping_free(shoal_i_grouping *grouping);

/* The release of its groups. Takes the rows away: nobody needs them any more, and giving back
 * so much memory takes a thread a while that the others have work in. */
shoal_status shoal_i_grouping_release(shoal_ctx *ctx, shoal_i_release **out,
                                      const shoal_i_quasi *quasi, shoal_i_grouping *grouping);

/* Where groups start, and behind the last the number of places: *count + 1 entries, the
 * caller's. */
shoal_status shoal_i_grouping_starts(shoal_ctx *ctx, size_t **starts, size_t *count,
                                     const shoal_i_grouping *grouping);

/* The different points of a span; the caller's. */
shoal_status shoal_i_grouping_distinct(shoal_ctx *ctx, shoal_i_distinct **out,
                                       const shoal_i_grouping *grouping, shoal_i_span span);

/* Bring the places of a span whose side is 0 to the front of it; sides has 0 or 1 for each.
 * Returns how many there are. */
size_t shoal_i_grouping_part(shoal_i_grouping *grouping, shoal_i_span span,
                             const uint8_t *sides);

/* Split until no part has more than `most` records, other than of equal ones. The seeds of a
 * split are sought in so many rounds. O(n log n): sets on a path longer than any that real data
 * make are halved by force. */
shoal_status shoal_i_split(shoal_ctx *ctx, shoal_i_grouping *grouping, uint64_t seed,
                           size_t most, int rounds, shoal_i_meter *meter);

/* Work on the places of a block, which together meet the requirement. */
typedef shoal_status (*shoal_i_block_fn)(shoal_ctx *ctx, void *payload, shoal_i_span block);

/* Call work for every block of a grouping that was split: at least the parts of SHOAL_I_BLOCK
 * records, joined until each meets the requirement by itself. In parallel. */
shoal_status shoal_i_split_blocks(shoal_ctx *ctx, const shoal_i_grouping *grouping,
                                  const shoal_i_problem *problem, shoal_i_block_fn work,
                                  void *payload);

#endif /* SHOAL_I_SPLIT_H */
