/* search_in_blocks.h -- the search in a table that is too large to be searched as one.
 *
 * The first groups are found in the whole table, since a cut that parts them costs more than
 * any search regains. The search itself only ever looks at groups that lie near each other, so
 * it can be done block by block, with lists of near points for one block at a time: a block is
 * a set of whole groups that lie together. Groups at the border of a block have neighbours that
 * are not in it; the next round cuts elsewhere, so that these come to lie inside:
 *
 *     first round     | g g g g | g g g g | g g g g |
 *     second round    | g g | g g g g | g g g g | g g |
 */
#ifndef SHOAL_I_SEARCH_IN_BLOCKS_H
#define SHOAL_I_SEARCH_IN_BLOCKS_H

#include "solution.h"

typedef struct shoal_i_block_search {
    const shoal_i_problem *problem;
    shoal_i_grouping *grouping; /* groups that meet the requirement, and what becomes of them */
    size_t block_records;       /* of a block, about */
    uint64_t work;              /* rows that may be compared per record */
    bool is_long;               /* from several starts in each block (long_search.h) */
    double deadline;            /* of shoal_i_clock_seconds; 0: none */
    shoal_i_meter *meter;       /* gets SHOAL_I_SEARCH_UNITS per record, less at a deadline */
} shoal_i_block_search;

/* Improve the groups of a large table. Never makes them worse, by the penalties of lanes (which
 * are not those of a release where missing values are kept); the same on any number of
 * threads unless a deadline ends it. A block whose turn comes too late to be searched stays as
 * it is. */
shoal_status shoal_i_search_in_blocks(shoal_ctx *ctx, const shoal_i_block_search *search);

#endif /* SHOAL_I_SEARCH_IN_BLOCKS_H */
