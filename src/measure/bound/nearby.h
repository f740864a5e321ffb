/* nearby.h -- the points nearest to a point, exactly, without comparing it with all.
 *
 * Points stand in a lexicographic order, columns with few values first, in leaves of a few;
 * leaves are gathered into boxes, boxes into boxes. What a point pays at least for any point of
 * a box is known from the box, so boxes are opened in that order until none can hold a nearer
 * point.
 *
 * It is not box_tree.h: what is asked here is a distance in lanes, best first and within a
 * number of leaves. Which leaves these are decides about the bound that is published, so order
 * and fan are part of the result.
 */
#ifndef SHOAL_I_NEARBY_H
#define SHOAL_I_NEARBY_H

#include "../../box/distinct.h"

#define SHOAL_I_NEARBY_LEAF 32 /* points */
#define SHOAL_I_NEARBY_FAN 16  /* boxes in a box */
#define SHOAL_I_NEARBY_FLOORS 12

typedef struct shoal_i_nearby {
    const shoal_i_lanes *lanes;
    shoal_i_distinct *points;
    size_t floors; /* floor 0: the leaves; the last has one box */
    size_t box_counts[SHOAL_I_NEARBY_FLOORS];
    int32_t *boxes[SHOAL_I_NEARBY_FLOORS]; /* two rows each */
} shoal_i_nearby;

/* The points of all records; rows: of all records; parts: of each record, points of different
 * parts are different, NULL: all are in one. Both are read during the call only. */
shoal_status shoal_i_nearby_build(shoal_ctx *ctx, shoal_i_nearby **out,
                                  const shoal_i_lanes *lanes, const int32_t *rows,
                                  const uint32_t *parts, size_t row_count);
void shoal_i_nearby_free(shoal_i_nearby *nearest);

typedef struct shoal_i_nearby_point {
    int32_t penalty; /* of the point asked about and this one together */
    uint32_t point;
} shoal_i_nearby_point;

/* A box that may be opened. */
typedef struct shoal_i_nearby_door {
    int32_t penalty; /* at least, of any point inside */
    uint32_t box;
    uint32_t floor;
} shoal_i_nearby_door;

/* What one thread needs to ask. */
typedef struct shoal_i_nearby_asking {
    size_t capacity; /* points asked for at most */
    size_t count;
    shoal_i_nearby_point *near; /* a heap while asking: the farthest first */
    size_t door_count;
    shoal_i_nearby_door *doors; /* a heap: the nearest first */
    int32_t *climb;
    int32_t penalties[SHOAL_I_NEARBY_LEAF];
} shoal_i_nearby_asking;

shoal_status shoal_i_nearby_asking_init(shoal_ctx *ctx, shoal_i_nearby_asking *asking,
                                        const shoal_i_nearby *nearest, size_t capacity);
void shoal_i_nearby_asking_clear(shoal_i_nearby_asking *asking);

/* Find the `wanted` points nearest to a point, itself left out, opening at most `leaves`
 * leaves. Returns a penalty that no point left out is below: INT32_MAX when none is left
 * out. */
int32_t shoal_i_nearby_ask(shoal_i_nearby_asking *asking, const shoal_i_nearby *nearest,
                           uint32_t point, size_t wanted, size_t leaves);

/* The same of a row that is none of the points, though it may be equal to one, which is then
 * found. */
int32_t shoal_i_nearby_ask_row(shoal_i_nearby_asking *asking, const shoal_i_nearby *nearest,
                               const int32_t *row, size_t wanted, size_t leaves);

#endif /* SHOAL_I_NEARBY_H */
