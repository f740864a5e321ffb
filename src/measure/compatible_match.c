/* A perfect matching of rows and records: first each row takes a free record, small boxes
 * first; then rows that found none get theirs by alternating paths, many at a time.
 *
 * A phase is one of Hopcroft and Karp ("An n^5/2 algorithm for maximum matchings in bipartite
 * graphs", 1973, doi:10.1137/0202019), in a graph that is not stored:
 *
 *     open boxes --- points in them === boxes of their rows --- points in these ...
 *     level 0        level 0            level 1                 level 1    ... free ones: the
 * end
 *
 * Levels are found from all open boxes at once; paths from their ends backwards, a level at a
 * step. Every point of a level lies in a box of that level, and every box but the open ones has
 * a row at a point of the level before: so a path leads astray only where others went before,
 * and what leads nowhere is not tried again in the phase. After a phase all paths that are left
 * are longer, so that there are at most about 2 sqrt(rows) phases; each looks once from every
 * box, and from points and boxes of paths as often as they are left. */
#include "compatible.h"

#include "../base/fail.h"
#include "../base/sort.h"

#include <math.h>
#include <string.h>

#define BOXES_PER_CHECK 256

/* Levels whose boxes lie in a set of their own; those of all others lie in the last one. */
#define LEVEL_SETS 64

#define NOWHERE UINT32_MAX

typedef struct matching {
    shoal_i_compatible *graph;
    uint32_t *free_of; /* point: slots without a box; they are its last ones */
    uint32_t *open_of; /* box: rows without a record */
    size_t open;       /* of all boxes */
    size_t box_words;  /* of a set of boxes */

    uint32_t *point_at;    /* slot -> point */
    uint32_t *row_starts;  /* of the rows of each box */
    uint32_t *slot_of;     /* row -> slot; the open ones of a box are its last */
    uint32_t *points_left; /* set of points: in the greedy part free ones, then not reached */

    uint32_t *queue; /* boxes, by level */
    size_t queue_count;
    uint32_t *box_level;
    uint32_t *point_level;
    uint32_t level;      /* of the box that is looked from */
    uint32_t end;        /* the lowest level of points with free slots */
    uint32_t *level_set; /* LEVEL_SETS sets of boxes that may lead back */
    uint32_t *row_next;  /* box: its first row that may lead back */
    uint32_t *path_points;
    uint32_t *path_boxes; /* each holds the point before it and leaves the one behind it */
    uint32_t found;
} matching;

static void clear_matching(matching *m)
{
    free(m->free_of);
    free(m->open_of);
    free(m->point_at);
    free(m->row_starts);
    free(m->slot_of);
    free(m->points_left);
    free(m->queue);
    free(m->box_level);
    free(m->point_level);
    free(m->level_set);
    free(m->row_next);
    free(m->path_points);
    free(m->path_boxes);
}

static shoal_status start_matching(shoal_ctx *ctx, matching *m, shoal_i_compatible *graph)
{
    shoal_status st = SHOAL_OK;

    m->graph = graph;
    m->open = graph->row_count;
    SHOAL_ALLOC(ctx, m->free_of, graph->point_count);
    SHOAL_ALLOC(ctx, m->open_of, graph->box_count);
    SHOAL_ALLOC(ctx, m->queue, graph->box_count);
    SHOAL_ALLOC(ctx, m->points_left, graph->points->node_count);
    for (size_t point = 0; point < graph->point_count; point++) {
        m->free_of[point] = graph->starts[point + 1] - graph->starts[point];
    }
    memcpy(m->open_of, graph->sizes, graph->box_count * sizeof *m->open_of);
done:
    return st;
}

/* A row of a box takes a free slot of a point. */
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

/* --- Greedily. */

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

typedef struct filling {
    matching *m;
    uint32_t box;
} filling;

static bool fill_from(void *payload, size_t point)
{
    const filling *f = payload;
    matching *m = f->m;

    while (m->free_of[point] > 0 && m->open_of[f->box] > 0) {
        take_slot(m, point, f->box);
    }
    if (m->free_of[point] == 0) {
        shoal_i_box_tree_take(m->graph->points, m->points_left, point);
    }
    return m->open_of[f->box] == 0;
}

static shoal_status match_greedily(shoal_ctx *ctx, matching *m)
{
    shoal_status st = SHOAL_OK;
    shoal_i_compatible *graph = m->graph;

    SHOAL_TRY(list_by_size(ctx, m->queue, graph));
    for (size_t point = 0; point < graph->point_count; point++) {
        if (m->free_of[point] > 0) {
            shoal_i_box_tree_put(graph->points, m->points_left, point);
        }
    }
    for (size_t i = 0; i < graph->box_count; i++) {
        filling f = {.m = m, .box = m->queue[i]};

        if (m->open_of[f.box] > 0) {
            shoal_i_box_tree_find(
                graph->points,
                &(shoal_i_box_tree_search){.box = shoal_i_box_tree_box(graph->boxes, f.box),
                                           .among = m->points_left,
                                           .from = SHOAL_I_NO_ITEM,
                                           .found = fill_from,
                                           .payload = &f});
        }
        if (i % BOXES_PER_CHECK == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
done:
    return st;
}

/* --- Levels. */

/* List the slots of each box, and make room for phases. */
static shoal_status start_phases(shoal_ctx *ctx, matching *m)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_compatible *graph = m->graph;

    m->box_words = graph->boxes->node_count;
    SHOAL_ALLOC(ctx, m->point_at, graph->record_count);
    SHOAL_ALLOC(ctx, m->row_starts, graph->box_count + 1);
    SHOAL_ALLOC(ctx, m->slot_of, graph->row_count);
    SHOAL_ALLOC(ctx, m->box_level, graph->box_count);
    SHOAL_ALLOC(ctx, m->point_level, graph->point_count);
    SHOAL_ALLOC(ctx, m->level_set, LEVEL_SETS * m->box_words);
    SHOAL_ALLOC(ctx, m->row_next, graph->box_count);
    SHOAL_ALLOC(ctx, m->path_points, graph->box_count);
    SHOAL_ALLOC(ctx, m->path_boxes, graph->box_count);
    for (size_t b = 0; b < graph->box_count; b++) {
        m->row_starts[b + 1] = m->row_starts[b] + graph->sizes[b];
    }
    memcpy(m->row_next, m->row_starts, graph->box_count * sizeof *m->row_next);
    for (uint32_t point = 0; point < graph->point_count; point++) {
        for (uint32_t slot = graph->starts[point]; slot < graph->starts[point + 1]; slot++) {
            m->point_at[slot] = point;
            if (graph->box_in[slot] != SHOAL_I_NO_ITEM) {
                m->slot_of[m->row_next[graph->box_in[slot]]++] = slot;
            }
        }
    }
done:
    return st;
}

static void add_box(matching *m, uint32_t box, uint32_t level)
{
    m->box_level[box] = level;
    m->queue[m->queue_count++] = box;
}

/* A point of the level at hand: boxes of its slots are of the next one. */
static bool reach_point(void *payload, size_t point)
{
    matching *m = payload;
    const shoal_i_compatible *graph = m->graph;

    shoal_i_box_tree_take(graph->points, m->points_left, point);
    m->point_level[point] = m->level;
    if (m->free_of[point] > 0) {
        m->end = m->level;
    }
    for (size_t slot = graph->starts[point];
         m->end == NOWHERE && slot < graph->starts[point + 1]; slot++) {
        if (m->box_level[graph->box_in[slot]] == NOWHERE) {
            add_box(m, graph->box_in[slot], m->level + 1);
        }
    }
    return false;
}

/* Go from all open boxes, level by level, to the first that has points with free slots. */
static shoal_status find_levels(shoal_ctx *ctx, matching *m)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_compatible *graph = m->graph;

    m->queue_count = 0;
    m->end = NOWHERE;
    memset(m->box_level, 0xff, graph->box_count * sizeof *m->box_level);
    memset(m->point_level, 0xff, graph->point_count * sizeof *m->point_level);
    shoal_i_box_tree_fill(graph->points, m->points_left);
    for (uint32_t box = 0; box < graph->box_count; box++) {
        if (m->open_of[box] > 0) {
            add_box(m, box, 0);
        }
    }
    for (size_t head = 0; head < m->queue_count; head++) {
        m->level = m->box_level[m->queue[head]];
        if (m->level > m->end) {
            break;
        }
        shoal_i_box_tree_find(graph->points,
                              &(shoal_i_box_tree_search){
                                  .box = shoal_i_box_tree_box(graph->boxes, m->queue[head]),
                                  .among = m->points_left,
                                  .from = SHOAL_I_NO_ITEM,
                                  .found = reach_point,
                                  .payload = m});
        if (head % BOXES_PER_CHECK == 0) {
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
    }
done:
    return st;
}

/* --- Paths. */

static uint32_t *find_set(const matching *m, uint32_t level)
{
    return m->level_set + (level < LEVEL_SETS ? level : LEVEL_SETS - 1) * m->box_words;
}

static void start_paths(matching *m)
{
    memset(m->level_set, 0,
           (m->end < LEVEL_SETS ? m->end + 1 : LEVEL_SETS) * m->box_words *
               sizeof *m->level_set);
    for (size_t i = 0; i < m->queue_count; i++) {
        uint32_t box = m->queue[i];

        if (m->box_level[box] <= m->end) {
            shoal_i_box_tree_put(m->graph->boxes, find_set(m, m->box_level[box]), box);
        }
    }
    memcpy(m->row_next, m->row_starts, m->graph->box_count * sizeof *m->row_next);
}

static bool take_box(void *payload, size_t box)
{
    matching *m = payload;

    m->found = (uint32_t)box;
    return m->box_level[box] == m->level;
}

/* A box of the point's level around it that may lead back, into m->found. */
static bool find_box(matching *m, uint32_t point)
{
    m->level = m->point_level[point];
    return shoal_i_box_tree_find(
        m->graph->boxes,
        &(shoal_i_box_tree_search){.box = shoal_i_box_tree_box(m->graph->points, point),
                                   .among = find_set(m, m->level),
                                   .from = SHOAL_I_NO_ITEM,
                                   .found = take_box,
                                   .payload = m});
}

/* Whether a row of the box is at a point of the level before that may lead back; it is
 * m->row_next then. */
static bool find_row(matching *m, uint32_t box)
{
    for (; m->row_next[box] < m->row_starts[box + 1]; m->row_next[box]++) {
        uint32_t point = m->point_at[m->slot_of[m->row_next[box]]];

        if (m->point_level[point] == m->box_level[box] - 1) {
            return true;
        }
    }
    return false;
}

/* Find a path from a point with a free slot back to an open box. *length: its boxes. */
static bool find_path(matching *m, uint32_t point, size_t *length)
{
    size_t depth = 0;

    m->path_points[0] = point;
    for (;;) {
        uint32_t at = m->path_points[depth];

        if (!find_box(m, at)) {
            m->point_level[at] = NOWHERE;
            if (depth == 0) {
                return false;
            }
            depth--; /* its box looks for another row */
        } else {
            m->path_boxes[depth] = m->found;
        }
        uint32_t box = m->path_boxes[depth];

        if (m->box_level[box] == 0) {
            *length = depth + 1;
            return true;
        }
        if (find_row(m, box)) {
            m->path_points[++depth] = m->point_at[m->slot_of[m->row_next[box]]];
        } else {
            shoal_i_box_tree_take(m->graph->boxes, find_set(m, m->box_level[box]), box);
        }
    }
}

/* The first box takes a free slot of the point, each further one what the one before it
 * leaves. */
static void follow_path(matching *m, uint32_t point, size_t length)
{
    const shoal_i_compatible *graph = m->graph;
    uint32_t slot = graph->starts[point + 1] - m->free_of[point]--;

    for (size_t i = 0; i + 1 < length; i++) {
        uint32_t *row = &m->slot_of[m->row_next[m->path_boxes[i]]++];
        uint32_t left = *row;

        graph->box_in[slot] = m->path_boxes[i];
        *row = slot;
        slot = left;
    }
    uint32_t root = m->path_boxes[length - 1];

    graph->box_in[slot] = root;
    m->slot_of[m->row_starts[root + 1] - m->open_of[root]--] = slot;
    m->open--;
    if (m->open_of[root] == 0) {
        shoal_i_box_tree_take(graph->boxes, find_set(m, 0), root);
    }
}

static shoal_status run_phase(shoal_ctx *ctx, matching *m)
{
    shoal_status st = SHOAL_OK;
    size_t length = 0;

    start_paths(m);
    for (uint32_t point = 0; point < m->graph->point_count && m->open > 0; point++) {
        if (m->point_level[point] != m->end) {
            continue;
        }
        while (m->free_of[point] > 0 && m->open > 0 && find_path(m, point, &length)) {
            follow_path(m, point, length);
            SHOAL_TRY(shoal_i_check_cancelled(ctx));
        }
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
    if (m.open > 0) {
        SHOAL_TRY(start_phases(ctx, &m));
        SHOAL_TRY(find_levels(ctx, &m));
    }
    while (m.open > 0 && m.end != NOWHERE) {
        SHOAL_TRY(run_phase(ctx, &m));
        SHOAL_TRY(find_levels(ctx, &m));
    }
    *left = m.open;
done:
    clear_matching(&m);
    return st;
}
