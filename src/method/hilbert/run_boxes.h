/* run_boxes.h -- the smallest box around any run of an order, without a look at all its
 * records.
 *
 * Boxes of aligned runs are kept: of 32 places, of 8 times as many, and so on.
 *
 *     level 1   |                256                |  ...
 *     level 0   | 32 | 32 | 32 | 32 | 32 | 32 | 32 | 32 |  ...
 *                  ^^^ |    ^^^^^^^^^^   | ^^        a run: single records, kept boxes, records
 *
 * Any run is a few of these and the records at either end. Memory is a fourteenth of that of
 * the rows.
 */
#ifndef SHOAL_I_RUN_BOXES_H
#define SHOAL_I_RUN_BOXES_H

#include "../../base/fail.h"
#include "../../box/scan.h"

/* Places of a run whose box is kept: 1 << (SHOAL_I_LEAF_BITS + level * SHOAL_I_LEVEL_BITS). */
#define SHOAL_I_LEAF_BITS 5
#define SHOAL_I_LEVEL_BITS 3
#define SHOAL_I_LEVELS_MOST 8

static inline size_t shoal_i_level_width(size_t level)
{
    return (size_t)1 << (SHOAL_I_LEAF_BITS + level * SHOAL_I_LEVEL_BITS);
}

/* How many levels have runs of at most so many places; one at least. */
size_t shoal_i_level_count(size_t places);

typedef struct shoal_i_run_boxes {
    const shoal_i_lanes *lanes;
    const int32_t *rows;   /* of records */
    const uint32_t *order; /* records by place */
    size_t count;
    size_t level_count;
    int32_t *levels[SHOAL_I_LEVELS_MOST]; /* per level: lo and hi row of each run */
} shoal_i_run_boxes;

/* Everything that is given is borrowed. Parallel. To be cleared also after a failure. */
shoal_status shoal_i_run_boxes_init(shoal_ctx *ctx, shoal_i_run_boxes *boxes,
                                    const shoal_i_lanes *lanes, const int32_t *rows,
                                    const uint32_t *order, size_t count, size_t level_count);
void shoal_i_run_boxes_clear(shoal_i_run_boxes *boxes);

/* The row of the record at a place. */
static inline const int32_t *shoal_i_run_row(const shoal_i_run_boxes *boxes, size_t place)
{
    return boxes->rows + (size_t)boxes->order[place] * boxes->lanes->count;
}

/* Enlarge a box, its lo row and its hi row behind it, by the records from `first` to before
 * `end`. */
void shoal_i_run_boxes_join(const shoal_i_run_boxes *boxes, int32_t *box, size_t first,
                            size_t end);

#endif /* SHOAL_I_RUN_BOXES_H */
