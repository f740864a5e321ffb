/* compatible.h -- which records a published row could stand for, when rows have boxes of their
 * own.
 *
 * A record and a row are compatible when the record lies in the box of the row. Whoever knows
 * all records knows this graph; he also knows that rows and records belong together one by one,
 * so an edge that is in no perfect matching tells him nothing new: it cannot be true. The edges
 * that count are those in some perfect matching.
 *
 * Given one perfect matching, let every edge lead from its record to its row, and every edge of
 * the matching also back. Then an edge is in some perfect matching exactly when its record and
 * its row reach each other (T. Tassa, "Finding all maximally-matchable edges in a bipartite
 * graph", 2012, doi:10.1016/j.tcs.2011.12.071).
 *
 * Records at one point have the same edges, and so have rows with equal boxes: the graph is one
 * of points and boxes, each with a number of records or rows. It may still have far more edges
 * than fit into memory; so they are not stored but looked up (box_tree.h). Nothing here knows
 * how a release was made.
 */
#ifndef SHOAL_I_COMPATIBLE_H
#define SHOAL_I_COMPATIBLE_H

#include "../release/release.h"
#include "../box/box_tree.h"

typedef struct shoal_i_compatible {
    const shoal_i_release *parsed;
    size_t record_count;
    size_t row_count;
    size_t point_count;
    uint32_t *point_of; /* record -> point */
    uint32_t *starts; /* of the slots of each point, one for each of its records; and the end */
    uint32_t *box_in; /* slot -> box matched to it; SHOAL_I_NO_ITEM: none */
    size_t box_count;
    uint32_t *sizes; /* rows of each box */
    shoal_i_box_tree *points;
    shoal_i_box_tree *boxes;
} shoal_i_compatible;

/* The records of parsed->quasi and the rows of the release, of which there are no more. */
shoal_status shoal_i_compatible_build(shoal_ctx *ctx, shoal_i_compatible **out,
                                      const shoal_i_release *parsed);
void shoal_i_compatible_free(shoal_i_compatible *graph);

/* Match every row to a record it is compatible with, one by one, as far as that goes; *left is
 * how many rows have found none. Those of row_order (row -> record; NULL: nothing is known) are
 * tried first. */
shoal_status shoal_i_compatible_match(shoal_ctx *ctx, shoal_i_compatible *graph, size_t *left,
                                      const uint32_t *row_order);

/* Once all records and rows are matched: parts[i] tells points (i below point_count) and boxes
 * (behind them) that reach each other by equal numbers. */
shoal_status shoal_i_compatible_part(shoal_ctx *ctx, uint32_t *parts,
                                     shoal_i_compatible *graph);

#endif /* SHOAL_I_COMPATIBLE_H */
