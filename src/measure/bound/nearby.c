#include "nearby.h"

#include "../../base/fail.h"
#include "../../box/scan.h"

#include <string.h>

#define NO_POINT UINT32_MAX

/* --- Building. ---------------------------------------------------------------------------- */

/* Lanes of columns with few values first; padding last. */
static void order_lanes(size_t *order, const shoal_i_lanes *lanes, size_t *columns)
{
    const shoal_i_quasi *quasi = lanes->quasi;
    size_t used = 0;

    for (size_t c = 0; c < quasi->count; c++) {
        size_t at = c;

        for (; at > 0 &&
               quasi->columns[columns[at - 1]].value_count > quasi->columns[c].value_count;
             at--) {
            columns[at] = columns[at - 1];
        }
        columns[at] = c;
    }
    for (size_t i = 0; i < quasi->count; i++) {
        for (size_t lane = lanes->first[columns[i]]; lane < lanes->first[columns[i] + 1];
             lane++) {
            order[used++] = lane;
        }
    }
    for (size_t lane = lanes->first[quasi->count]; lane < lanes->count; lane++) {
        order[used++] = lane;
    }
}

static shoal_status build_points(shoal_ctx *ctx, shoal_i_nearby *n, const int32_t *rows,
                                 const uint32_t *parts, size_t row_count)
{
    shoal_status st = SHOAL_OK;
    size_t *order = NULL;
    size_t *columns = NULL;

    SHOAL_ALLOC(ctx, order, n->lanes->count);
    SHOAL_ALLOC(ctx, columns, n->lanes->quasi->count);
    order_lanes(order, n->lanes, columns);
    const shoal_i_distinct_rows from = {
        .rows = rows, .count = row_count, .parts = parts, .lane_order = order};

    SHOAL_TRY(shoal_i_distinct_build(ctx, &n->points, n->lanes, &from));
done:
    free(order);
    free(columns);
    return st;
}

/* What the boxes of a floor are around: points, or the boxes of the floor below. */
typedef struct floor_parts {
    const int32_t *rows;
    size_t count;
    size_t fan;    /* parts in a box */
    size_t stride; /* from the lo row of a part to that of the next */
    size_t apart;  /* from the lo row of a part to its hi row */
} floor_parts;

static void enclose(const shoal_i_nearby *n, size_t floor, floor_parts parts)
{
    size_t lanes = n->lanes->count;

    for (size_t b = 0; b < n->box_counts[floor]; b++) {
        int32_t *lo = n->boxes[floor] + 2 * b * lanes;
        size_t first = b * parts.fan;
        size_t end = first + parts.fan < parts.count ? first + parts.fan : parts.count;
        const int32_t *part = parts.rows + first * parts.stride;

        memcpy(lo, part, lanes * sizeof *lo);
        memcpy(lo + lanes, part + parts.apart, lanes * sizeof *lo);
        for (size_t i = first + 1; i < end; i++) {
            part = parts.rows + i * parts.stride;
            shoal_i_box_join(n->lanes, lo, lo + lanes, part, part + parts.apart);
        }
    }
}

static shoal_status build_floors(shoal_ctx *ctx, shoal_i_nearby *n)
{
    shoal_status st = SHOAL_OK;
    size_t lanes = n->lanes->count;
    size_t count = (n->points->count + SHOAL_I_NEARBY_LEAF - 1) / SHOAL_I_NEARBY_LEAF;

    for (;; count = (count + SHOAL_I_NEARBY_FAN - 1) / SHOAL_I_NEARBY_FAN) {
        size_t floor = n->floors;

        SHOAL_ALLOC(ctx, n->boxes[floor], 2 * count * lanes);
        n->box_counts[floor] = count;
        n->floors++;
        if (floor == 0) {
            enclose(n, floor,
                    (floor_parts){.rows = n->points->rows,
                                  .count = n->points->count,
                                  .fan = SHOAL_I_NEARBY_LEAF,
                                  .stride = lanes,
                                  .apart = 0});
        } else {
            enclose(n, floor,
                    (floor_parts){.rows = n->boxes[floor - 1],
                                  .count = n->box_counts[floor - 1],
                                  .fan = SHOAL_I_NEARBY_FAN,
                                  .stride = 2 * lanes,
                                  .apart = lanes});
        }
        if (count == 1) {
            break;
        }
    }
done:
    return st;
}

shoal_status shoal_i_nearby_build(shoal_ctx *ctx, shoal_i_nearby **out,
                                  const shoal_i_lanes *lanes, const int32_t *rows,
                                  const uint32_t *parts, size_t row_count)
{
    shoal_status st = SHOAL_OK;
    shoal_i_nearby *n = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, n, 1);
    n->lanes = lanes;
    SHOAL_TRY(build_points(ctx, n, rows, parts, row_count));
    SHOAL_TRY(build_floors(ctx, n));
    *out = n;
    n = NULL;
done:
    shoal_i_nearby_free(n);
    return st;
}

void shoal_i_nearby_free(shoal_i_nearby *nearest)
{
    if (nearest) {
        for (size_t floor = 0; floor < SHOAL_I_NEARBY_FLOORS; floor++) {
            free(nearest->boxes[floor]);
        }
        shoal_i_distinct_free(nearest->points);
        free(nearest);
    }
}

/* --- Asking. ------------------------------------------------------------------------------ */

shoal_status shoal_i_nearby_asking_init(shoal_ctx *ctx, shoal_i_nearby_asking *asking,
                                        const shoal_i_nearby *nearest, size_t capacity)
{
    shoal_status st = SHOAL_OK;
    size_t doors = 0;

    *asking = (shoal_i_nearby_asking){.capacity = capacity};
    for (size_t floor = 0; floor < nearest->floors; floor++) {
        doors += nearest->box_counts[floor];
    }
    SHOAL_ALLOC(ctx, asking->near, capacity + 1);
    SHOAL_ALLOC(ctx, asking->doors, doors);
    SHOAL_ALLOC(ctx, asking->climb, nearest->lanes->count);
done:
    return st;
}

void shoal_i_nearby_asking_clear(shoal_i_nearby_asking *asking)
{
    free(asking->near);
    free(asking->doors);
    free(asking->climb);
    *asking = (shoal_i_nearby_asking){0};
}

static bool is_door_before(shoal_i_nearby_door a, shoal_i_nearby_door b)
{
    return a.penalty != b.penalty ? a.penalty < b.penalty
           : a.floor != b.floor   ? a.floor < b.floor
                                  : a.box < b.box;
}

static void add_door(shoal_i_nearby_asking *a, shoal_i_nearby_door door)
{
    size_t at = a->door_count++;

    for (; at > 0 && is_door_before(door, a->doors[(at - 1) / 2]); at = (at - 1) / 2) {
        a->doors[at] = a->doors[(at - 1) / 2];
    }
    a->doors[at] = door;
}

static shoal_i_nearby_door take_door(shoal_i_nearby_asking *a)
{
    shoal_i_nearby_door first = a->doors[0];
    shoal_i_nearby_door moving = a->doors[--a->door_count];
    size_t at = 0;

    for (;;) {
        size_t child = 2 * at + 1;

        if (child + 1 < a->door_count && is_door_before(a->doors[child + 1], a->doors[child])) {
            child++;
        }
        if (child >= a->door_count || !is_door_before(a->doors[child], moving)) {
            break;
        }
        a->doors[at] = a->doors[child];
        at = child;
    }
    a->doors[at] = moving;
    return first;
}

static bool is_farther(shoal_i_nearby_point a, shoal_i_nearby_point b)
{
    return a.penalty != b.penalty ? a.penalty > b.penalty : a.point > b.point;
}

/* Add one to those found; the farthest goes when they are more than wanted. */
static void add_near(shoal_i_nearby_asking *a, shoal_i_nearby_point near, size_t wanted)
{
    size_t at = a->count;

    if (a->count < wanted) {
        a->count++;
        for (; at > 0 && is_farther(near, a->near[(at - 1) / 2]); at = (at - 1) / 2) {
            a->near[at] = a->near[(at - 1) / 2];
        }
    } else if (is_farther(a->near[0], near)) {
        for (at = 0;;) {
            size_t child = 2 * at + 1;

            if (child + 1 < a->count && is_farther(a->near[child + 1], a->near[child])) {
                child++;
            }
            if (child >= a->count || !is_farther(a->near[child], near)) {
                break;
            }
            a->near[at] = a->near[child];
            at = child;
        }
    } else {
        return;
    }
    a->near[at] = near;
}

/* What a row pays at least together with any point of a box. */
static int32_t pay_at_least(const shoal_i_lanes *lanes, const int32_t *row,
                            const int32_t *climb, const int32_t *lo)
{
    const int32_t *hi = lo + lanes->count;
    int32_t sum = 0;

    for (size_t lane = 0; lane < lanes->count; lane++) {
        int32_t below = lo[lane] - row[lane];
        int32_t above = row[lane] - hi[lane];
        int32_t off = below > above ? below : above;

        off = off > 0 ? off : 0;
        sum += lanes->is_tree[lane] ? (off > 0 ? climb[lane] : 0) : off;
    }
    return sum;
}

/* self: the point that is not to be found, or NO_POINT. */
static void open_leaf(shoal_i_nearby_asking *a, const shoal_i_nearby *n,
                      const shoal_i_probe *probe, uint32_t leaf, uint32_t self, size_t wanted)
{
    size_t first = (size_t)leaf * SHOAL_I_NEARBY_LEAF;
    size_t count = n->points->count - first < SHOAL_I_NEARBY_LEAF ? n->points->count - first
                                                                  : SHOAL_I_NEARBY_LEAF;

    n->lanes->kernels->penalties(a->penalties, n->lanes, probe,
                                 shoal_i_distinct_row(n->points, first), count);
    for (size_t i = 0; i < count; i++) {
        if (first + i != self) {
            add_near(a,
                     (shoal_i_nearby_point){.penalty = a->penalties[i],
                                            .point = (uint32_t)(first + i)},
                     wanted);
        }
    }
}

static void open_box(shoal_i_nearby_asking *a, const shoal_i_nearby *n, const int32_t *row,
                     shoal_i_nearby_door door)
{
    uint32_t floor = door.floor - 1;
    size_t end = ((size_t)door.box + 1) * SHOAL_I_NEARBY_FAN;

    end = end < n->box_counts[floor] ? end : n->box_counts[floor];
    for (size_t box = (size_t)door.box * SHOAL_I_NEARBY_FAN; box < end; box++) {
        add_door(a, (shoal_i_nearby_door){
                        .penalty = pay_at_least(n->lanes, row, a->climb,
                                                n->boxes[floor] + 2 * box * n->lanes->count),
                        .box = (uint32_t)box,
                        .floor = floor,
                    });
    }
}

static int32_t ask(shoal_i_nearby_asking *a, const shoal_i_nearby *n, const int32_t *row,
                   uint32_t self, size_t wanted, size_t leaves)
{
    shoal_i_probe probe = {.climb = a->climb};

    shoal_i_probe_set(&probe, n->lanes, row, row, row);
    a->count = 0;
    a->door_count = 0;
    add_door(a, (shoal_i_nearby_door){.floor = (uint32_t)n->floors - 1});
    while (a->door_count > 0) {
        int32_t farthest = a->count < wanted ? INT32_MAX : a->near[0].penalty;

        if (a->doors[0].penalty >= farthest) {
            break;
        }
        if (leaves == 0) {
            return a->doors[0].penalty;
        }
        shoal_i_nearby_door door = take_door(a);

        if (door.floor == 0) {
            open_leaf(a, n, &probe, door.box, self, wanted);
            leaves--;
        } else {
            open_box(a, n, row, door);
        }
    }
    return a->count < wanted ? INT32_MAX : a->near[0].penalty;
}

int32_t shoal_i_nearby_ask(shoal_i_nearby_asking *a, const shoal_i_nearby *n, uint32_t point,
                           size_t wanted, size_t leaves)
{
    return ask(a, n, shoal_i_distinct_row(n->points, point), point, wanted, leaves);
}

int32_t shoal_i_nearby_ask_row(shoal_i_nearby_asking *a, const shoal_i_nearby *n,
                               const int32_t *row, size_t wanted, size_t leaves)
{
    return ask(a, n, row, NO_POINT, wanted, leaves);
}
