#include "sibling_tree.h"

#include "../../base/fail.h"
#include "../../base/random.h"
#include "../../base/sort.h"
#include "../../box/scan.h"

#include <string.h>

/* Partners are looked for among so many nodes, which lie near each other in the order of the
 * boxes, so that looking at all pairs stays affordable. */
#define NODES_PER_RUN 4096

#define STREAM_MIX 78 /* below the seed of the problem */

typedef struct joining {
    shoal_i_sibling_tree *tree;
    const shoal_i_lanes *lanes;
    size_t mixed;
    uint64_t seed;
    int32_t *extents;   /* of each node: its lo row and its hi row */
    int32_t *members;   /* of each node: the row of one record */
    int32_t *penalties; /* of each node */
    uint32_t *open;     /* nodes without a parent */
    size_t open_count;
    uint32_t *alike; /* those of one size */
    int32_t *unions;
    int32_t *climb;
} joining;

void shoal_i_sibling_tree_clear(shoal_i_sibling_tree *tree)
{
    free(tree->nodes);
    free(tree->roots);
    free(tree->order);
    *tree = (shoal_i_sibling_tree){0};
}

static void joining_clear(joining *j)
{
    free(j->extents);
    free(j->members);
    free(j->penalties);
    free(j->open);
    free(j->alike);
    free(j->unions);
    free(j->climb);
}

static size_t size_of(const joining *j, uint32_t node)
{
    return j->tree->nodes[node].span.count;
}

/* --- Leaves. ------------------------------------------------------------------------------ */

/* How many pieces a class is cut into. */
static size_t count_pieces(size_t records, size_t size)
{
    return records < 2 * size ? 1 : records / size;
}

/* Cut the classes, whose records stand one after the other in `order`, into leaves. */
static shoal_status cut_leaves(shoal_ctx *ctx, shoal_i_sibling_tree *tree,
                               const uint32_t *starts, size_t class_count, size_t size)
{
    shoal_status st = SHOAL_OK;
    size_t leaves = 0;

    for (size_t c = 0; c < class_count; c++) {
        leaves += count_pieces(starts[c + 1] - starts[c], size);
    }
    /* Every join takes two open nodes or three and makes one; one more for the small roots. */
    SHOAL_ALLOC(ctx, tree->nodes, 2 * leaves);
    SHOAL_ALLOC(ctx, tree->roots, leaves);
    for (size_t c = 0; c < class_count; c++) {
        size_t records = starts[c + 1] - starts[c];
        size_t pieces = count_pieces(records, size);
        size_t first = starts[c];

        /* The first ones are larger by one where the class does not divide evenly. */
        for (size_t p = 0; p < pieces; p++) {
            size_t count = records / pieces + (p < records % pieces ? 1 : 0);

            tree->nodes[tree->node_count++].span =
                (shoal_i_span){.first = first, .count = count};
            first += count;
        }
    }
done:
    return st;
}

static int32_t *extent_of(const joining *j, size_t node)
{
    return j->extents + node * 2 * j->lanes->count;
}

static shoal_i_probe probe_node(const joining *j, size_t node)
{
    const int32_t *lo = extent_of(j, node);
    shoal_i_probe probe = {.climb = j->climb};

    shoal_i_probe_set(&probe, j->lanes, lo, lo + j->lanes->count,
                      j->members + node * j->lanes->count);
    return probe;
}

static shoal_status measure_leaves(shoal_ctx *ctx, joining *j)
{
    shoal_status st = SHOAL_OK;
    size_t width = j->lanes->count;
    int32_t *row = NULL;
    uint32_t code = 0;

    SHOAL_ALLOC(ctx, row, width);
    for (size_t leaf = 0; leaf < j->tree->node_count; leaf++) {
        shoal_i_span span = j->tree->nodes[leaf].span;
        int32_t *lo = extent_of(j, leaf);

        j->open[j->open_count++] = (uint32_t)leaf;
        for (size_t i = span.first; i < shoal_i_span_end(span); i++) {
            shoal_i_lanes_fill(j->lanes, row, j->tree->order[i], 1, &code);
            if (i == span.first) {
                memcpy(lo, row, width * sizeof *lo);
                memcpy(lo + width, row, width * sizeof *lo);
                memcpy(j->members + leaf * width, row, width * sizeof *row);
            } else {
                shoal_i_box_join(j->lanes, lo, lo + width, row, row);
            }
        }
        shoal_i_probe probe = probe_node(j, leaf);

        j->penalties[leaf] = shoal_i_penalty(j->lanes, &probe);
    }
done:
    free(row);
    return st;
}

static shoal_status joining_init(shoal_ctx *ctx, joining *j)
{
    shoal_status st = SHOAL_OK;
    size_t nodes = 2 * j->tree->node_count;
    size_t width = j->lanes->count;

    SHOAL_ALLOC(ctx, j->extents, nodes * 2 * width);
    SHOAL_ALLOC(ctx, j->members, nodes * width);
    SHOAL_ALLOC(ctx, j->penalties, nodes);
    SHOAL_ALLOC(ctx, j->open, nodes);
    SHOAL_ALLOC(ctx, j->alike, nodes);
    SHOAL_ALLOC(ctx, j->unions, NODES_PER_RUN);
    SHOAL_ALLOC(ctx, j->climb, width);
    SHOAL_TRY(measure_leaves(ctx, j));
done:
    return st;
}

/* --- Joining. ----------------------------------------------------------------------------- */

/* A new node over `count` others; its records get their place at the end. */
static void join(joining *j, const uint32_t *children, size_t count)
{
    size_t width = j->lanes->count;
    uint32_t number = (uint32_t)j->tree->node_count++;
    shoal_i_sibling_node *node = &j->tree->nodes[number];
    int32_t *lo = extent_of(j, number);

    *node = (shoal_i_sibling_node){.child_count = count};
    memcpy(lo, extent_of(j, children[0]), 2 * width * sizeof *lo);
    memcpy(j->members + number * width, j->members + children[0] * width, width * sizeof *lo);
    for (size_t i = 0; i < count; i++) {
        const int32_t *other = extent_of(j, children[i]);

        node->children[i] = children[i];
        node->span.count += size_of(j, children[i]);
        shoal_i_box_join(j->lanes, lo, lo + width, other, other + width);
    }
    shoal_i_probe probe = probe_node(j, number);

    j->penalties[number] = shoal_i_penalty(j->lanes, &probe);
    j->open[j->open_count++] = number;
}

/* The place of the partner of `node` among the others: all have one size, so what a union costs
 * is its penalty less the partner's own. */
static size_t find_partner(joining *j, uint32_t node, const uint32_t *others, size_t count)
{
    shoal_i_probe probe = probe_node(j, node);
    size_t best = 0;
    int64_t least = INT64_MAX;

    j->lanes->kernels->unions(j->unions, j->lanes, &probe, j->extents, others, count);
    for (size_t i = 0; i < count; i++) {
        int64_t cost = 2 * (int64_t)j->unions[i] - j->penalties[others[i]];

        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

/* Bring the partner of `first` among the nodes of one size behind it; the others keep their
 * order, so that those near each other stay so. */
static void bring_partner(joining *j, size_t first, size_t count)
{
    size_t next = first + 1;
    size_t reach = count - next < NODES_PER_RUN ? count - next : NODES_PER_RUN;
    size_t place = next + find_partner(j, j->alike[first], j->alike + next, reach);
    uint32_t partner = j->alike[place];

    memmove(j->alike + next + 1, j->alike + next, (place - next) * sizeof *j->alike);
    j->alike[next] = partner;
}

static void mix(joining *j, size_t count)
{
    uint64_t key = shoal_i_random_key(j->seed, STREAM_MIX);
    shoal_i_random random = shoal_i_random_start(shoal_i_random_key(key, count));

    for (size_t i = count; i > 1; i--) {
        size_t k = (size_t)shoal_i_random_below(&random, i);
        uint32_t node = j->alike[i - 1];

        j->alike[i - 1] = j->alike[k];
        j->alike[k] = node;
    }
}

/* Join the `count` nodes of one size; one that is alone is a root. */
static shoal_status join_alike(shoal_ctx *ctx, joining *j, size_t count)
{
    shoal_status st = SHOAL_OK;
    bool is_mixed = size_of(j, j->alike[0]) >= j->mixed;

    if (count == 1) {
        j->tree->roots[j->tree->root_count++] = j->alike[0];
        return SHOAL_OK;
    }
    if (is_mixed) {
        mix(j, count);
    }
    for (size_t first = 0; first < count;) {
        size_t taken = count - first == 3 ? 3 : 2;

        if (!is_mixed && taken == 2) {
            bring_partner(j, first, count);
        }
        join(j, j->alike + first, taken);
        first += taken;
        SHOAL_TRY(shoal_i_check_cancelled(ctx));
    }
done:
    return st;
}

/* Take the open nodes of the smallest size out; how many these are. */
static size_t take_smallest(joining *j)
{
    size_t smallest = SIZE_MAX;
    size_t taken = 0;
    size_t kept = 0;

    for (size_t i = 0; i < j->open_count; i++) {
        size_t size = size_of(j, j->open[i]);

        smallest = size < smallest ? size : smallest;
    }
    for (size_t i = 0; i < j->open_count; i++) {
        uint32_t node = j->open[i];

        if (size_of(j, node) == smallest) {
            j->alike[taken++] = node;
        } else {
            j->open[kept++] = node;
        }
    }
    j->open_count = kept;
    return taken;
}

/* How many of the roots, which ascend in size, are put together: those that are too small, and
 * one more where all of them are. */
static size_t count_small(const joining *j)
{
    size_t least = 2 * j->mixed;
    size_t records = 0;
    size_t small = 0;

    while (small < j->tree->root_count &&
           (size_of(j, j->tree->roots[small]) < least || (records > 0 && records < least))) {
        records += size_of(j, j->tree->roots[small++]);
    }
    return small;
}

/* --- Places. ------------------------------------------------------------------------------ */

/* The records of a node, from place `first` on; those of leaves are taken from where they are.
 * As deep as the tree, that is the logarithm of the records. */
static void place_node(const joining *j, uint32_t *order, uint32_t number, size_t first)
{
    shoal_i_sibling_node *node = &j->tree->nodes[number];

    if (node->child_count == 0) {
        memcpy(order + first, j->tree->order + node->span.first,
               node->span.count * sizeof *order);
    }
    node->span.first = first;
    for (size_t i = 0; i < node->child_count; i++) {
        place_node(j, order, node->children[i], first);
        first += size_of(j, node->children[i]);
    }
}

/* Give the nodes their places; the small roots become one leaf. */
static shoal_status place_all(shoal_ctx *ctx, joining *j, size_t rows)
{
    shoal_status st = SHOAL_OK;
    shoal_i_sibling_tree *tree = j->tree;
    uint32_t *order = NULL;
    size_t small = count_small(j);
    size_t first = 0;

    SHOAL_ALLOC(ctx, order, rows);
    for (size_t i = 0; i < tree->root_count; i++) {
        place_node(j, order, tree->roots[i], first);
        first += size_of(j, tree->roots[i]);
        if (i + 1 == small && small > 1) {
            uint32_t leaf = (uint32_t)tree->node_count++;

            tree->nodes[leaf] = (shoal_i_sibling_node){.span = {.first = 0, .count = first}};
            tree->roots[i] = leaf;
        }
    }
    if (small > 1) {
        tree->root_count -= small - 1;
        memmove(tree->roots, tree->roots + small - 1, tree->root_count * sizeof *tree->roots);
    }
    free(tree->order);
    tree->order = order;
done:
    return st;
}

shoal_status shoal_i_sibling_tree_build(shoal_ctx *ctx, shoal_i_sibling_tree *out,
                                        const shoal_i_release *classes, size_t size,
                                        size_t mixed, uint64_t seed)
{
    shoal_status st = SHOAL_OK;
    shoal_i_lanes *lanes = NULL;
    joining j = {.tree = out, .mixed = mixed, .seed = seed};
    uint32_t *starts = NULL;

    *out = (shoal_i_sibling_tree){0};
    SHOAL_TRY(shoal_i_lanes_build(ctx, &lanes, classes->quasi));
    j.lanes = lanes;
    SHOAL_ALLOC(ctx, starts, classes->box_count + 1);
    SHOAL_ALLOC(ctx, out->order, classes->row_count);
    shoal_i_sort_by_number(out->order, starts, classes->box_of, classes->row_count,
                           classes->box_count);
    SHOAL_TRY(cut_leaves(ctx, out, starts, classes->box_count, size));
    SHOAL_TRY(joining_init(ctx, &j));
    while (j.open_count > 0) {
        SHOAL_TRY(join_alike(ctx, &j, take_smallest(&j)));
    }
    SHOAL_TRY(place_all(ctx, &j, classes->row_count));
done:
    joining_clear(&j);
    shoal_i_lanes_free(lanes);
    free(starts);
    return st;
}
