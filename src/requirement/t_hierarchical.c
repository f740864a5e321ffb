/* t-closeness by the earth mover's distance in a hierarchy; see t_closeness.h.
 *
 * Two values are as far apart as their closest common ancestor is high. Give the edge above a
 * node u the length (height(parent) - height(u)) / 2: the way between two leaves then has the
 * length of their distance, and on a tree the earth mover's distance is
 *
 *     D = sum over nodes u of length(u) * | P_u - Q_u |,   P, Q shares below u,
 *
 * divided by the height of the root. This equals the paper's sum of min(positive, negative)
 * extras per inner node. Nodes without a value of the class have P = 0; their sum is known
 * beforehand. So only the ancestors of the values present are visited, in one sweep over the
 * leaves that keeps the path from the root to the current leaf on a stack.
 */
#include "t_closeness.h"

typedef struct hierarchical {
    const uint32_t *totals; /* by node: records of the table below it */
    double empty;           /* D of a class without records: sum of length * Q */
} hierarchical;

typedef struct sweep {
    const shoal_i_requirement *requirement;
    const shoal_hierarchy *hierarchy;
    uint64_t size;
    double sum; /* of length * (|P - Q| - Q) */
    size_t depth;
    uint32_t nodes[SHOAL_LEVELS_MAX];  /* the path from the root */
    uint64_t counts[SHOAL_LEVELS_MAX]; /* records of the class below each, so far */
} sweep;

/* As a part of the root's height. */
static double find_length(const shoal_hierarchy *h, uint32_t node)
{
    int rise = shoal_hierarchy_node_height(h, shoal_hierarchy_parent(h, node)) -
               shoal_hierarchy_node_height(h, node);
    int height = shoal_hierarchy_height(h);

    return height > 0 ? (double)rise / (2.0 * height) : 0;
}

/* Leave the deepest node of the path: all of its records are known. */
static void leave_node(sweep *s)
{
    const hierarchical *prepared = s->requirement->prepared;
    uint64_t total = s->requirement->column->total;
    uint32_t node = s->nodes[s->depth - 1];
    uint64_t here = s->counts[s->depth - 1] * total;
    uint64_t expected = prepared->totals[node] * s->size;
    uint64_t difference = here > expected ? here - expected : expected - here;

    s->sum += find_length(s->hierarchy, node) * (shoal_i_ratio(difference, s->size * total) -
                                                 shoal_i_ratio(prepared->totals[node], total));
    s->depth--;
    if (s->depth > 0) {
        s->counts[s->depth - 1] += s->counts[s->depth];
    }
}

/* Leave the nodes that end before a leaf and enter those above it. */
static void visit_leaf(sweep *s, uint32_t leaf, uint32_t count)
{
    const shoal_hierarchy *h = s->hierarchy;
    uint32_t node = shoal_hierarchy_leaf_node(h, leaf);
    size_t depth = (size_t)shoal_hierarchy_depth(h, node);

    while (s->depth > 0 && leaf > shoal_hierarchy_last(h, s->nodes[s->depth - 1])) {
        leave_node(s);
    }
    while (s->depth <= depth) {
        s->nodes[s->depth] = shoal_hierarchy_ancestor_at(h, leaf, (int)s->depth);
        s->counts[s->depth] = 0;
        s->depth++;
    }
    s->counts[depth] += count;
}

static bool check_hierarchical(const shoal_i_requirement *requirement,
                               const shoal_i_class_stats *stats, double *figure)
{
    const hierarchical *prepared = requirement->prepared;
    const shoal_i_sensitive *column = requirement->column;
    const shoal_i_histogram *histogram = shoal_i_histogram_of(requirement, stats);
    sweep s = {
        .requirement = requirement, .hierarchy = column->hierarchy, .size = histogram->total};
    shoal_i_walk walk;
    uint32_t leaf = 0;
    uint32_t count = 0;

    if (histogram->total == 0) {
        *figure = 0;
        return true;
    }
    shoal_i_walk_start(&walk, histogram, column->hierarchy, column->value_count);
    while (shoal_i_walk_next(&walk, &leaf, &count)) {
        visit_leaf(&s, leaf, count);
    }
    while (s.depth > 0) {
        leave_node(&s);
    }
    *figure = shoal_i_snap(fmax(0, prepared->empty + s.sum), requirement->value);
    return *figure <= requirement->value;
}

/* Two values are at least one level apart. */
static bool is_enough(const shoal_i_requirement *requirement, double share)
{
    int height = shoal_hierarchy_height(requirement->column->hierarchy);

    return height == 0 || shoal_i_t_is_cover(requirement, share, 1.0 / height);
}

static shoal_status prepare_hierarchical(shoal_ctx *ctx, shoal_i_requirement *requirement,
                                         shoal_i_arena *arena)
{
    const shoal_i_sensitive *column = requirement->column;
    const shoal_hierarchy *h = column->hierarchy;

    if (!h) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "The hierarchical distance needs a hierarchy of column \"%.200s\"; "
                            "give it one or use the distance equal or js.",
                            column->name);
    }
    size_t nodes = shoal_hierarchy_node_count(h);
    hierarchical *prepared = shoal_i_arena_alloc(ctx, arena, 1, sizeof *prepared);
    uint32_t *totals = shoal_i_arena_alloc(ctx, arena, nodes, sizeof *totals);

    if (!prepared || !totals) {
        return SHOAL_ENOMEM;
    }
    for (uint32_t code = 0; code < column->value_count; code++) {
        totals[shoal_hierarchy_leaf_node(h, shoal_hierarchy_leaf(h, code))] +=
            column->totals[code];
    }
    /* Parents come before their children. */
    for (uint32_t node = (uint32_t)nodes - 1; node > 0; node--) {
        totals[shoal_hierarchy_parent(h, node)] += totals[node];
        prepared->empty += find_length(h, node) * shoal_i_ratio(totals[node], column->total);
    }
    prepared->totals = totals;
    requirement->prepared = prepared;
    return shoal_i_prepare_cover(ctx, requirement, is_enough);
}

const shoal_i_requirement_kind shoal_i_t_hierarchical = {
    .key = "t",
    .variant = "hierarchical",
    .title = "t-closeness by hierarchical distance",
    .figure = "earth mover's distance to the values of the table, along their hierarchy",
    .citation = SHOAL_I_T_CITATION,
    .missing = "A missing sensitive value is a value of its own, where the hierarchy puts it.",
    .is_monotone = true,
    .needs_sensitive = true,
    .check = check_hierarchical,
    .check_value = shoal_i_t_is_value,
    .value_range = SHOAL_I_T_RANGE,
    .prepare = prepare_hierarchical,
    .smallest_class = shoal_i_smallest_prepared,
    .describe = shoal_i_t_describe,
};
