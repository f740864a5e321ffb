#include "compatible.h"

#include "../base/fail.h"
#include "../release/number.h"

void shoal_i_compatible_free(shoal_i_compatible *graph)
{
    if (graph) {
        free(graph->point_of);
        free(graph->starts);
        free(graph->box_in);
        free(graph->sizes);
        shoal_i_box_tree_free(graph->points);
        shoal_i_box_tree_free(graph->boxes);
        free(graph);
    }
}

/* --- Points and boxes. */

static shoal_status plant_points(shoal_ctx *ctx, shoal_i_compatible *graph)
{
    shoal_status st = SHOAL_OK;
    const shoal_i_quasi *quasi = graph->parsed->quasi;
    shoal_i_interval *points = NULL;
    size_t cells = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, graph->point_count, quasi->count));
    SHOAL_ALLOC(ctx, points, cells);
    SHOAL_ALLOC(ctx, graph->starts, graph->point_count + 1);
    for (size_t record = 0; record < graph->record_count; record++) {
        uint32_t point = graph->point_of[record];

        graph->starts[point + 1]++;
        for (size_t c = 0; c < quasi->count; c++) {
            uint32_t code = shoal_i_quasi_code(quasi, c, record);

            points[point * quasi->count + c] = (shoal_i_interval){code, code};
        }
    }
    for (size_t point = 0; point < graph->point_count; point++) {
        graph->starts[point + 1] += graph->starts[point];
    }
    SHOAL_TRY(
        shoal_i_box_tree_build(ctx, &graph->points, quasi->count, points, graph->point_count));
done:
    free(points);
    return st;
}

shoal_status shoal_i_compatible_build(shoal_ctx *ctx, shoal_i_compatible **out,
                                      const shoal_i_release *parsed)
{
    shoal_status st = SHOAL_OK;
    shoal_i_compatible *graph = NULL;

    *out = NULL;
    SHOAL_ALLOC(ctx, graph, 1);
    graph->parsed = parsed;
    graph->record_count = shoal_table_row_count(parsed->quasi->table);
    graph->row_count = parsed->row_count;
    graph->box_count = parsed->box_count;
    SHOAL_TRY(shoal_i_number_records(ctx, &graph->point_of, &graph->point_count,
                                     graph->parsed->quasi));
    SHOAL_TRY(plant_points(ctx, graph));
    SHOAL_TRY(shoal_i_box_tree_build(ctx, &graph->boxes, parsed->quasi->count, parsed->boxes,
                                     parsed->box_count));
    SHOAL_ALLOC(ctx, graph->box_in, graph->record_count);
    SHOAL_ALLOC(ctx, graph->sizes, graph->box_count);
    for (size_t slot = 0; slot < graph->record_count; slot++) {
        graph->box_in[slot] = SHOAL_I_NO_ITEM;
    }
    for (size_t row = 0; row < graph->row_count; row++) {
        graph->sizes[parsed->box_of[row]]++;
    }
    *out = graph;
    graph = NULL;
done:
    shoal_i_compatible_free(graph);
    return st;
}

/* --- Those that reach each other (Kosaraju and Sharir): a visit along the edges lists nodes
 * when all they lead to has been visited; a visit against the edges, from the last listed,
 * finds a part. */

typedef struct parting {
    shoal_i_compatible *graph;
    uint32_t *points_of_box; /* matched to each box, box after box */
    uint32_t *box_starts;    /* of the boxes there */
    uint32_t *next;          /* of each box: the first not looked at */
    uint8_t *is_seen;        /* per node */
    uint32_t *points_left;   /* sets of those not seen */
    uint32_t *boxes_left;
    uint32_t *order; /* nodes by the end of their visits */
    uint32_t *stack;
    size_t depth;
    size_t found;
} parting;

static void clear_parting(parting *p)
{
    free(p->points_of_box);
    free(p->box_starts);
    free(p->next);
    free(p->is_seen);
    free(p->points_left);
    free(p->boxes_left);
    free(p->order);
    free(p->stack);
}

static shoal_status start_parting(shoal_ctx *ctx, parting *p, shoal_i_compatible *graph)
{
    shoal_status st = SHOAL_OK;
    size_t nodes = graph->point_count + graph->box_count;

    p->graph = graph;
    SHOAL_ALLOC(ctx, p->points_of_box, graph->record_count);
    SHOAL_ALLOC(ctx, p->box_starts, graph->box_count + 1);
    SHOAL_ALLOC(ctx, p->next, graph->box_count);
    SHOAL_ALLOC(ctx, p->is_seen, nodes);
    SHOAL_ALLOC(ctx, p->points_left, graph->points->node_count);
    SHOAL_ALLOC(ctx, p->boxes_left, graph->boxes->node_count);
    SHOAL_ALLOC(ctx, p->order, nodes);
    SHOAL_ALLOC(ctx, p->stack, nodes);
    for (size_t b = 0; b < graph->box_count; b++) {
        p->next[b] = p->box_starts[b];
        p->box_starts[b + 1] = p->box_starts[b] + graph->sizes[b];
    }
    for (uint32_t point = 0; point < graph->point_count; point++) {
        for (size_t slot = graph->starts[point]; slot < graph->starts[point + 1]; slot++) {
            p->points_of_box[p->next[graph->box_in[slot]]++] = point;
        }
    }
    for (size_t b = 0; b < graph->box_count; b++) {
        p->next[b] = p->box_starts[b];
    }
done:
    return st;
}

static void push(parting *p, size_t node)
{
    p->is_seen[node] = 1;
    p->stack[p->depth++] = (uint32_t)node;
}

static bool take_first(void *payload, size_t item)
{
    ((parting *)payload)->found = item;
    return true;
}

/* From a point to a box around it that was not seen yet. */
static bool step_from_point(parting *p, size_t point)
{
    shoal_i_compatible *graph = p->graph;
    shoal_i_box_tree_search search = {.box = shoal_i_box_tree_box(graph->points, point),
                                      .among = p->boxes_left,
                                      .from = graph->box_in[graph->starts[point]],
                                      .found = take_first,
                                      .payload = p};

    if (!shoal_i_box_tree_find(graph->boxes, &search)) {
        return false;
    }
    shoal_i_box_tree_take(graph->boxes, p->boxes_left, p->found);
    push(p, graph->point_count + p->found);
    return true;
}

/* From a box to a point matched to it. */
static bool step_from_box(parting *p, size_t box)
{
    while (p->next[box] < p->box_starts[box + 1]) {
        uint32_t point = p->points_of_box[p->next[box]++];

        if (!p->is_seen[point]) {
            push(p, point);
            return true;
        }
    }
    return false;
}

static shoal_status order_nodes(shoal_ctx *ctx, parting *p)
{
    shoal_i_compatible *graph = p->graph;
    size_t listed = 0;

    shoal_i_box_tree_fill(graph->boxes, p->boxes_left);
    for (size_t start = 0; start < graph->point_count + graph->box_count; start++) {
        if (p->is_seen[start]) {
            continue;
        }
        if (start >= graph->point_count) {
            shoal_i_box_tree_take(graph->boxes, p->boxes_left, start - graph->point_count);
        }
        push(p, start);
        while (p->depth > 0) {
            size_t at = p->stack[p->depth - 1];
            bool has_more = at < graph->point_count ? step_from_point(p, at)
                                                    : step_from_box(p, at - graph->point_count);

            if (!has_more) {
                p->order[listed++] = (uint32_t)at;
                p->depth--;
            }
        }
        if (shoal_i_is_cancelled(ctx)) {
            return shoal_i_check_cancelled(ctx);
        }
    }
    return SHOAL_OK;
}

static bool push_point(void *payload, size_t item)
{
    push(payload, item);
    return false;
}

/* Against the edges: from a box to all points in it, from a point to the boxes matched to
 * it. */
static void step_back(parting *p, size_t at)
{
    shoal_i_compatible *graph = p->graph;
    size_t first = p->depth;

    if (at >= graph->point_count) {
        size_t box = at - graph->point_count;
        size_t home = p->box_starts[box] < p->box_starts[box + 1]
                          ? p->points_of_box[p->box_starts[box]]
                          : SHOAL_I_NO_ITEM;
        shoal_i_box_tree_search search = {.box = shoal_i_box_tree_box(graph->boxes, box),
                                          .among = p->points_left,
                                          .from = home,
                                          .found = push_point,
                                          .payload = p};

        shoal_i_box_tree_find(graph->points, &search);
        for (size_t i = first; i < p->depth; i++) {
            shoal_i_box_tree_take(graph->points, p->points_left, p->stack[i]);
        }
        return;
    }
    for (size_t slot = graph->starts[at]; slot < graph->starts[at + 1]; slot++) {
        size_t node = graph->point_count + graph->box_in[slot];

        if (!p->is_seen[node]) {
            push(p, node);
        }
    }
}

static shoal_status part_nodes(shoal_ctx *ctx, uint32_t *parts, parting *p)
{
    shoal_i_compatible *graph = p->graph;
    size_t nodes = graph->point_count + graph->box_count;
    uint32_t part = 0;

    shoal_i_box_tree_fill(graph->points, p->points_left);
    for (size_t i = 0; i < nodes; i++) {
        p->is_seen[i] = 0;
    }
    for (size_t i = nodes; i-- > 0;) {
        if (p->is_seen[p->order[i]]) {
            continue;
        }
        if (p->order[i] < graph->point_count) {
            shoal_i_box_tree_take(graph->points, p->points_left, p->order[i]);
        }
        push(p, p->order[i]);
        while (p->depth > 0) {
            size_t at = p->stack[--p->depth];

            parts[at] = part;
            step_back(p, at);
        }
        part++;
        if (shoal_i_is_cancelled(ctx)) {
            return shoal_i_check_cancelled(ctx);
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_i_compatible_part(shoal_ctx *ctx, uint32_t *parts, shoal_i_compatible *graph)
{
    shoal_status st = SHOAL_OK;
    parting p = {0};

    SHOAL_TRY(start_parting(ctx, &p, graph));
    SHOAL_TRY(order_nodes(ctx, &p));
    SHOAL_TRY(part_nodes(ctx, parts, &p));
done:
    clear_parting(&p);
    return st;
}
