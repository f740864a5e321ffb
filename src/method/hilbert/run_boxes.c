#include "run_boxes.h"

#include "../../base/pool.h"

#include <string.h>

/* Leaves whose boxes one task makes. */
#define CHUNK 256

size_t shoal_i_level_count(size_t places)
{
    size_t count = 1;

    while (count < SHOAL_I_LEVELS_MOST && shoal_i_level_width(count) <= places) {
        count++;
    }
    return count;
}

static size_t count_nodes(const shoal_i_run_boxes *boxes, size_t level)
{
    size_t width = shoal_i_level_width(level);

    return (boxes->count + width - 1) / width;
}

static int32_t *box_of(const shoal_i_run_boxes *boxes, size_t level, size_t node)
{
    return boxes->levels[level] + 2 * node * boxes->lanes->count;
}

static void enclose_leaf(const shoal_i_run_boxes *boxes, size_t leaf)
{
    size_t lanes = boxes->lanes->count;
    size_t width = shoal_i_level_width(0);
    size_t first = leaf * width;
    size_t end = boxes->count - first < width ? boxes->count : first + width;
    int32_t *box = box_of(boxes, 0, leaf);

    memcpy(box, shoal_i_run_row(boxes, first), lanes * sizeof *box);
    memcpy(box + lanes, box, lanes * sizeof *box);
    for (size_t place = first + 1; place < end; place++) {
        const int32_t *row = shoal_i_run_row(boxes, place);

        shoal_i_box_join(boxes->lanes, box, box + lanes, row, row);
    }
}

static shoal_status enclose_chunk(shoal_ctx *ctx, void *payload, size_t index)
{
    const shoal_i_run_boxes *boxes = payload;
    size_t nodes = count_nodes(boxes, 0);
    size_t end = (index + 1) * CHUNK < nodes ? (index + 1) * CHUNK : nodes;
    shoal_status st = shoal_i_check_cancelled(ctx);

    for (size_t leaf = index * CHUNK; st == SHOAL_OK && leaf < end; leaf++) {
        enclose_leaf(boxes, leaf);
    }
    return st;
}

/* The boxes of a level, from those of the level below. */
static void enclose_level(const shoal_i_run_boxes *boxes, size_t level)
{
    size_t lanes = boxes->lanes->count;
    size_t below = count_nodes(boxes, level - 1);

    for (size_t child = 0; child < below; child++) {
        const int32_t *part = box_of(boxes, level - 1, child);
        int32_t *box = box_of(boxes, level, child >> SHOAL_I_LEVEL_BITS);

        if (child % (1U << SHOAL_I_LEVEL_BITS) == 0) {
            memcpy(box, part, 2 * lanes * sizeof *box);
        } else {
            shoal_i_box_join(boxes->lanes, box, box + lanes, part, part + lanes);
        }
    }
}

shoal_status shoal_i_run_boxes_init(shoal_ctx *ctx, shoal_i_run_boxes *boxes,
                                    const shoal_i_lanes *lanes, const int32_t *rows,
                                    const uint32_t *order, size_t count, size_t level_count)
{
    shoal_status st = SHOAL_OK;
    size_t cells = 0;

    *boxes = (shoal_i_run_boxes){.lanes = lanes,
                                 .rows = rows,
                                 .order = order,
                                 .count = count,
                                 .level_count = level_count};
    for (size_t level = 0; level < level_count; level++) {
        SHOAL_TRY(shoal_i_size_mul(ctx, &cells, 2 * count_nodes(boxes, level), lanes->count));
        SHOAL_ALLOC(ctx, boxes->levels[level], cells);
    }
    SHOAL_TRY(shoal_i_parallel_for(ctx, (count_nodes(boxes, 0) + CHUNK - 1) / CHUNK,
                                   enclose_chunk, boxes));
    for (size_t level = 1; level < level_count; level++) {
        enclose_level(boxes, level);
    }
done:
    return st;
}

void shoal_i_run_boxes_clear(shoal_i_run_boxes *boxes)
{
    for (size_t level = 0; level < boxes->level_count; level++) {
        free(boxes->levels[level]);
    }
    *boxes = (shoal_i_run_boxes){0};
}

void shoal_i_run_boxes_join(const shoal_i_run_boxes *boxes, int32_t *box, size_t first,
                            size_t end)
{
    size_t lanes = boxes->lanes->count;

    while (first < end) {
        size_t level = 0;

        while (level < boxes->level_count && first % shoal_i_level_width(level) == 0 &&
               end - first >= shoal_i_level_width(level)) {
            level++;
        }
        if (level == 0) {
            const int32_t *row = shoal_i_run_row(boxes, first);

            shoal_i_box_join(boxes->lanes, box, box + lanes, row, row);
            first++;
        } else {
            size_t width = shoal_i_level_width(level - 1);
            const int32_t *part = box_of(boxes, level - 1, first / width);

            shoal_i_box_join(boxes->lanes, box, box + lanes, part, part + lanes);
            first += width;
        }
    }
}
