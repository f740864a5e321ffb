/* node_cells.h -- all cells of one node, found and opened by all threads.
 *
 * The points that are left are dealt out by the highest byte of their keys, so that the points
 * of a cell are together and a bucket fits into the nearest cache. Each bucket is then a task
 * of its own: points in slots that are not full enough are passed over, the others are sorted
 * by key, and runs of equal keys with enough records are cells.
 *
 *     keys  a3.. 17.. a3.. 52..   ->   17.. | 52.. | a3.. a3..   ->   cells: a3.. a3..
 *
 * Cells come in the order of their keys, and so do the numbers of their groups: the same as one
 * thread finds.
 */
#ifndef SHOAL_I_NODE_CELLS_H
#define SHOAL_I_NODE_CELLS_H

#include "../../base/sort.h"
#include "solution.h"
#include "unassigned_points.h"

#define SHOAL_I_KEY_BUCKETS 256

typedef struct shoal_i_node_cells {
    const shoal_i_unassigned *left;
    const uint8_t *is_taken; /* per point left: 1, it counts no more */
    const uint8_t *node;
    size_t chunk_count;
    uint64_t *keys;           /* of the points left; borrowed while cells are found */
    size_t capacity;          /* of items */
    shoal_i_sort_item *items; /* keys and points left, bucket after bucket */
    uint32_t *places;         /* per chunk and bucket: where its next point goes */
    uint32_t starts[SHOAL_I_KEY_BUCKETS + 1];
    size_t kept[SHOAL_I_KEY_BUCKETS];  /* of each bucket: items in cells, from its start on */
    size_t cells[SHOAL_I_KEY_BUCKETS]; /* of each bucket */
} shoal_i_node_cells;

/* Find the cells that have as many records as the smallest class. Starts as {0}, and goes on to
 * the next node with what it has; {0} may be cleared. keys: room for one per point left. */
shoal_status shoal_i_node_cells_find(shoal_ctx *ctx, shoal_i_node_cells *out,
                                     const shoal_i_unassigned *left, const uint8_t *is_taken,
                                     const uint8_t *node, uint64_t *keys);
void shoal_i_node_cells_clear(shoal_i_node_cells *cells);

/* Make each of them a group, where size is all that a class needs, and mark the points as
 * taken, which the cells were found without; *taken: how many there are. */
shoal_status shoal_i_node_cells_open(shoal_ctx *ctx, const shoal_i_node_cells *cells,
                                     shoal_i_solution *solution, uint8_t *is_taken,
                                     size_t *taken);

#endif /* SHOAL_I_NODE_CELLS_H */
