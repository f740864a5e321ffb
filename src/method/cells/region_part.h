/* region_part.h -- a region of open cells as a problem of its own.
 *
 *     in the region          its cells, closed ones around its records, and the records
 *     outside, as it is      open cells, where records may go; nobody comes from there
 *
 * Records that may be in the same cells are of one kind: which of them are in which cell does
 * not matter, only how many. What of a kind is in one cell is parted into pieces of 1, 2, 4,
 * ... records, and these are the points of the part. They are fewer than the points of the
 * region, and a cell can keep some of many equal records, and let the others go:
 *
 *     11 records of a kind in a cell, at most 4 in a piece:    1  2  4  4
 */
#ifndef SHOAL_I_REGION_PART_H
#define SHOAL_I_REGION_PART_H

#include "open_cells.h"

/* The whole: which record is in which cell, and which cells are a region. */
typedef struct shoal_i_cell_state {
    const shoal_i_cell_pool *pool;
    const uint32_t *first; /* per point, and one more: where its records start */
    uint32_t *cell_of;     /* per record */
    uint64_t *loads;       /* per cell, the shelter too: records */
    uint8_t *region_of;    /* per cell: the number of its region, from 1; or 0 */
} shoal_i_cell_state;

typedef struct shoal_i_region_part {
    shoal_i_cell_pool pool; /* of pieces */
    uint32_t *cell_of;      /* per piece: the cell of the part that it is in */
    uint32_t *whole;        /* per cell of the part: its number in the whole */
    uint32_t *records;      /* of all pieces, one after the other */
    uint32_t *weights;
    shoal_i_priced_cell *cells;
    uint32_t *members;
} shoal_i_region_part;

/* Make a problem of the region that some open cells are. */
shoal_status shoal_i_region_part_build(shoal_ctx *ctx, shoal_i_region_part *part,
                                       const shoal_i_cell_state *state, const uint32_t *cells,
                                       size_t cell_count);
void shoal_i_region_part_clear(shoal_i_region_part *part);

#endif /* SHOAL_I_REGION_PART_H */
