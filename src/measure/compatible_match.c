/* A perfect matching of rows and records: first each row takes a free record, small boxes
 * first, of their points those that few boxes hold; then boxes with rows that found none look
 * for records by alternating paths, all at once. In a phase no point is tried twice; phases go
 * on until all rows are matched or none of them found anything. */
#include "compatible.h"

#include "../base/fail.h"
#include "../base/pool.h"
#include "../base/sort.h"

#include <math.h>
#include <string.h>

#define BOXES_PER_CHECK 256

/* One box in so many is counted to tell how many hold a point. */
#define COVER_SAMPLE 16

/* Free points of a box among which it chooses. */
#define CHOICE 128

/* Points whose boxes are counted by one task. */
#define POINTS_PER_TASK 1024

typedef struct matching {
    shoal_i_compatible *graph;
    shoal_i_box_tree *sample; /* of the boxes */
    uint32_t *covers;         /* point: boxes of the sample that hold it */
    uint32_t *free_of;        /* point: slots without a box */
    uint32_t *open_of;        /* box: rows without a record */
    size_t open;              /* of all boxes */
    uint32_t *queue;          /* boxes of a search */
    size_t queue_start;
    size_t queue_count;  /* it goes round: a box is in it once at a time */
    uint8_t *is_seen;    /* box: tried in this phase */
    uint32_t *came_by;   /* box: the slot that it would leave */
    uint32_t *came_from; /* box: the box that would take that slot; itself for the first */
    uint32_t *root_of;   /* box: the open one whose tree it is in */
    uint8_t *is_done;    /* box: a root whose tree has found a record */
    uint32_t *points;    /* found in a box */
    size_t point_count;
} matching;

static void clear_matching(matching *m)
{
    shoal_i_box_tree_free(m->sample);
    free(m->covers);
    free(m->free_of);
    free(m->open_of);
    free(m->queue);
    free(m->is_seen);
    free(m->came_by);
    free(m->came_from);
    free(m->root_of);
    free(m->is_done);
    free(m->points);
}

static shoal_status start_matching(shoal_ctx *ctx, matching *m, shoal_i_compatible *graph)
{
    shoal_status st = SHOAL_OK;

    m->graph = graph;
    m->open = graph->row_count;
    SHOAL_ALLOC(ctx, m->free_of, graph->point_count);
    SHOAL_ALLOC(ctx, m->open_of, graph->box_count);
    SHOAL_ALLOC(ctx, m->queue, graph->box_count);
    SHOAL_ALLOC(ctx, m->is_seen, graph->box_count);
    SHOAL_ALLOC(ctx, m->came_by, graph->box_count);
    SHOAL_ALLOC(ctx, m->came_from, graph->box_count);
    SHOAL_ALLOC(ctx, m->root_of, graph->box_count);
    SHOAL_ALLOC(ctx, m->is_done, graph->box_count);
    SHOAL_ALLOC(ctx, m->points, graph->point_count);
    for (size_t point = 0; point < graph->point_count; point++) {
        m->free_of[point] = graph->starts[point + 1] - graph->starts[point];
    }
    memcpy(m->open_of, graph->sizes, graph->box_count * sizeof *m->open_of);
done:
    return st;
}

/* A row of a box takes a free slot of a point; the free ones are the last. */
static void take_slot(matching *m, size_t point, size_t box)
{
    m->graph->box_in[m->graph->starts[point + 1] - m->free_of[point]--] = (uint32_t)box;
    m->open_of[box]--;
    m->open--;
}

static bool holds(const shoal_i_interval *box, const shoal_i_interval *point, size_t width)
{
    for (size_t c = 0; c < width; c++) {
        if (point[c].lo < box[c].lo || point[c].lo > box[c].hi) {
            return false;
        }
    }
    return true;
}

/* Take over what the caller knows, as far as it is true. */
static void take_known(matching *m, const uint32_t *row_order)
{
    shoal_i_compatible *graph = m->graph;

    for (size_t row = 0; row < graph->row_count; row++) {
        uint32_t box = graph->parsed->box_of[row];
        uint32_t point = row_order[row] < graph->record_count ? graph->point_of[row_order[row]]
                                                              : SHOAL_I_NO_ITEM;

        if (point != SHOAL_I_NO_ITEM && m->free_of[point] > 0 &&
            holds(shoal_i_box_tree_box(graph->boxes, box),
                  shoal_i_box_tree_box(graph->points, point), graph->points->width)) {
            take_slot(m, point, box);
        }
    }
}

/* Boxes, small ones first: they have the least choice. */
static shoal_status list_by_size(shoal_ctx *ctx, uint32_t *out, const shoal_i_compatible *graph)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sort_item *items = NULL;

    SHOAL_ALLOC(ctx, items, 2 * graph->box_count);
    for (uint32_t b = 0; b < graph->box_count; b++) {
        const shoal_i_interval *box = shoal_i_box_tree_box(graph->boxes, b);
        double bits = 0;

        for (size_t c = 0; c < graph->boxes->width; c++) {
            bits += log2((double)(box[c].hi - box[c].lo) + 1);
        }
        items[b] = (shoal_i_sort_item){.key = (uint64_t)(bits * 1024), .item = b};
    }
    shoal_i_sort_items(items, items + graph->box_count, graph->box_count);
    for (size_t b = 0; b < graph->box_count; b++) {
        out[b] = items[b].item;
    }
done:
    free(items);
    return st;
}

static shoal_status plant_sample(shoal_ctx *ctx, matching *m)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_compatible *graph = m->graph;
    size_t width = graph->boxes->width;
    size_t count = 0;
    shoal_i_interval *boxes = NULL;

    SHOAL_ALLOC(ctx, boxes, (graph->box_count / COVER_SAMPLE + 1) * width);
    for (size_t box = 0; box < graph->box_count; box += COVER_SAMPLE) {
        memcpy(boxes + count++ * width, shoal_i_box_tree_box(graph->boxes, box),
               width * sizeof *boxes);
    }
    SHOAL_TRY(shoal_i_box_tree_build(ctx, &m->sample, graph->parsed->quasi, boxes, count));
done:
    free(boxes);
    return st;
}

static bool count_box(void *payload, size_t box)
{
    (void)box;
    ++*(uint32_t *)payload;
    return false;
}

static shoal_status count_covers(shoal_ctx *ctx, void *payload, size_t task)
{
    matching *m = payload;
    size_t point = task * POINTS_PER_TASK;
    size_t left = m->graph->point_count - point;

    for (size_t end = point + (left < POINTS_PER_TASK ? left : POINTS_PER_TASK); point < end;
         point++) {
        shoal_i_box_tree_find(
            m->sample,
            &(shoal_i_box_tree_search){.box = shoal_i_box_tree_box(m->graph->points, point),
                                       .with_all = true,
                                       .from = SHOAL_I_NO_ITEM,
                                       .found = count_box,
                                       .payload = &m->covers[point]});
    }
    return shoal_i_check_cancelled(ctx);
}

static bool offer(void *payload, size_t point)
{
    matching *m = payload;

    m->points[m->point_count++] = (uint32_t)point;
    return m->point_count == CHOICE;
}

/* Rows of a box take what is free at the points that were found, those first that few boxes
 * hold: others will find the rest. Full points are taken out. */
static void choose_points(matching *m, size_t box)
{
    while (m->open_of[box] > 0 && m->point_count > 0) {
        size_t least = 0;

        for (size_t i = 1; i < m->point_count; i++) {
            least = m->covers[m->points[i]] < m->covers[m->points[least]] ? i : least;
        }
        uint32_t point = m->points[least];

        take_slot(m, point, box);
        if (m->free_of[point] == 0) {
            shoal_i_box_tree_take(m->graph->points, point);
            m->points[least] = m->points[--m->point_count];
        }
    }
}

/* Let a box take free points, as long as it has open rows and there are any. */
static void fill_box(matching *m, size_t box)
{
    shoal_i_box_tree_search search = {.box = shoal_i_box_tree_box(m->graph->boxes, box),
                                      .from = SHOAL_I_NO_ITEM,
                                      .found = offer,
                                      .payload = m};

    do {
        m->point_count = 0;
        shoal_i_box_tree_find(m->graph->points, &search);
        size_t found = m->point_count;

        choose_points(m, box);
        if (found < CHOICE) {
            return;
        }
    } while (m->open_of[box] > 0);
}

static shoal_status match_greedily(shoal_ctx *ctx, matching *m)
{
    shoal_status st = SHOAL_OK;
    shoal_i_compatible *graph = m->graph;

    SHOAL_TRY(list_by_size(ctx, m->queue, graph));
    SHOAL_TRY(plant_sample(ctx, m));
    SHOAL_ALLOC(ctx, m->covers, graph->point_count);
    SHOAL_TRY(
        shoal_i_parallel_for(ctx, graph->point_count / POINTS_PER_TASK + 1, count_covers, m));
    shoal_i_box_tree_reset(graph->points);
    for (size_t point = 0; point < graph->point_count; point++) {
        if (m->free_of[point] == 0) {
            shoal_i_box_tree_take(graph->points, point);
        }
    }
    for (size_t i = 0; i < graph->box_count; i++) {
        if (m->open_of[m->queue[i]] > 0) {
            fill_box(m, m->queue[i]);
        }
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
done:
    return st;
}

static void visit(matching *m, size_t box, size_t from, size_t slot)
{
    m->is_seen[box] = 1;
    m->came_from[box] = (uint32_t)from;
    m->came_by[box] = (uint32_t)slot;
    m->root_of[box] = m->root_of[from];
    m->queue[(m->queue_start + m->queue_count++) % m->graph->box_count] = (uint32_t)box;
}

/* A point with a free slot was found from `box`: each box of the path takes the slot that the
 * next one leaves. */
static void follow_back(matching *m, size_t point, size_t box)
{
    m->graph->box_in[m->graph->starts[point + 1] - m->free_of[point]--] = (uint32_t)box;
    while (m->came_from[box] != box) {
        m->graph->box_in[m->came_by[box]] = m->came_from[box];
        box = m->came_from[box];
    }
    m->open_of[box]--;
    m->open--;
}

static bool collect(void *payload, size_t point)
{
    matching *m = payload;

    m->points[m->point_count++] = (uint32_t)point;
    return m->free_of[point] > 0;
}

/* Look at all points in a box that were not tried yet. Whether one had a free slot. */
static bool expand(matching *m, size_t box)
{
    shoal_i_compatible *graph = m->graph;
    shoal_i_box_tree_search search = {.box = shoal_i_box_tree_box(graph->boxes, box),
                                      .from = SHOAL_I_NO_ITEM,
                                      .found = collect,
                                      .payload = m};

    m->point_count = 0;
    if (shoal_i_box_tree_find(graph->points, &search)) {
        follow_back(m, m->points[m->point_count - 1], box);
        return true;
    }
    for (size_t i = 0; i < m->point_count; i++) {
        uint32_t point = m->points[i];

        shoal_i_box_tree_take(graph->points, point);
        for (size_t slot = graph->starts[point]; slot < graph->starts[point + 1]; slot++) {
            if (!m->is_seen[graph->box_in[slot]]) {
                visit(m, graph->box_in[slot], box, slot);
            }
        }
    }
    return false;
}

/* Search for records from all open boxes at once, each in a tree of its own, so that none takes
 * up the room in which another would have found. A tree that found a record is done. */
static shoal_status run_phase(shoal_ctx *ctx, matching *m)
{
    m->queue_start = 0;
    m->queue_count = 0;
    for (size_t box = 0; box < m->graph->box_count; box++) {
        if (m->open_of[box] > 0) {
            m->root_of[box] = (uint32_t)box;
            visit(m, box, box, 0);
        }
    }
    for (size_t step = 0; m->queue_count > 0; step++) {
        uint32_t box = m->queue[m->queue_start];
        uint32_t root = m->root_of[box];

        m->queue_start = (m->queue_start + 1) % m->graph->box_count;
        m->queue_count--;

        if (m->is_done[root]) {
            m->is_seen[box] = 0; /* it was not looked from, and may be reached again */
        } else if (expand(m, box)) {
            m->is_done[root] = 1;
        }
        if (step % BOXES_PER_CHECK == 0 && shoal_i_is_cancelled(ctx)) {
            return shoal_i_check_cancelled(ctx);
        }
    }
    return SHOAL_OK;
}

static shoal_status run_phases(shoal_ctx *ctx, matching *m)
{
    shoal_status st = SHOAL_OK;
    size_t before = m->open + 1;

    while (m->open > 0 && m->open < before) {
        before = m->open;
        shoal_i_box_tree_reset(m->graph->points);
        memset(m->is_seen, 0, m->graph->box_count);
        memset(m->is_done, 0, m->graph->box_count);
        SHOAL_TRY(run_phase(ctx, m));
    }
done:
    return st;
}

shoal_status shoal_i_compatible_match(shoal_ctx *ctx, shoal_i_compatible *graph, size_t *left,
                                      const uint32_t *row_order)
{
    shoal_status st = SHOAL_OK;
    matching m = {0};

    *left = graph->row_count;
    SHOAL_TRY(start_matching(ctx, &m, graph));
    if (row_order) {
        take_known(&m, row_order);
    }
    if (m.open > 0) {
        SHOAL_TRY(match_greedily(ctx, &m));
    }
    SHOAL_TRY(run_phases(ctx, &m));
    *left = m.open;
done:
    clear_matching(&m);
    return st;
}
