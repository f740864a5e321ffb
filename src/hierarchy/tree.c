/* tree.c -- from parents and labels to a finished hierarchy.
 *
 *   1. link   from each code's leaf up to the root, in order of codes: what is met first
 * becomes the earlier child, so siblings end up ordered by their smallest code without a sort,
 *             and what no code reaches is never linked
 *   2. emit   walk the links depth first and number nodes and leaves
 *   3. finish tables for the look-ups
 *
 * Each step is linear in nodes and codes (the table of levels in height * leaves).
 */
#include "tree.h"

#include "../base/entry.h"

#include <string.h>

#define NONE UINT32_MAX

/* The tree as given, and the links between what is used of it. Indexed by node of the input. */
typedef struct draft {
    const char *const *labels;
    const uint32_t *parents;
    size_t node_count;
    const uint32_t *node_of_code;
    size_t code_count;
    uint32_t *codes; /* code of a leaf; NONE for inner nodes */
    uint32_t *first_children;
    uint32_t *last_children;
    uint32_t *next_siblings;
    size_t linked_count;
    uint32_t *places; /* number in the new tree; of a node left out, its parent's */
} draft;

static void clear_draft(draft *d)
{
    free(d->codes);
    free(d->first_children);
    free(d->last_children);
    free(d->next_siblings);
    free(d->places);
}

static shoal_status alloc_links(shoal_ctx *ctx, uint32_t **out, size_t count)
{
    *out = shoal_i_alloc_raw(ctx, count, sizeof **out);
    if (!*out) {
        return SHOAL_ENOMEM;
    }
    memset(*out, 0xFF, count * sizeof **out); /* NONE throughout */
    return SHOAL_OK;
}

static shoal_status init_draft(shoal_ctx *ctx, draft *d)
{
    shoal_status st = SHOAL_OK;

    SHOAL_TRY(alloc_links(ctx, &d->codes, d->node_count));
    SHOAL_TRY(alloc_links(ctx, &d->first_children, d->node_count));
    SHOAL_TRY(alloc_links(ctx, &d->last_children, d->node_count));
    SHOAL_TRY(alloc_links(ctx, &d->next_siblings, d->node_count));
    SHOAL_TRY(alloc_links(ctx, &d->places, d->node_count));
done:
    return st;
}

static shoal_status check_input(shoal_ctx *ctx, const draft *d)
{
    if (d->node_count == 0 || d->code_count == 0) {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "A hierarchy needs at least one value.");
    }
    if (d->node_count > SHOAL_I_NODES_MAX || d->code_count > SHOAL_I_NODES_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT,
                            "A hierarchy has at most %zu nodes; this has %zu.",
                            SHOAL_I_NODES_MAX, d->node_count);
    }
    for (size_t i = 1; i < d->node_count; i++) {
        if (d->parents[i] >= i) {
            return shoal_i_fail(ctx, SHOAL_EINVAL,
                                "The parent of node %zu is %u; parents come before their "
                                "children.",
                                i, d->parents[i]);
        }
    }
    return SHOAL_OK;
}

static void append_child(draft *d, uint32_t parent, uint32_t child)
{
    if (d->first_children[parent] == NONE) {
        d->first_children[parent] = child;
    } else {
        d->next_siblings[d->last_children[parent]] = child;
    }
    d->last_children[parent] = child;
    d->linked_count++;
}

/* Link a leaf to the part of the tree that is linked already. */
static bool link_leaf(draft *d, uint32_t leaf, uint32_t code)
{
    if (leaf >= d->node_count || d->codes[leaf] != NONE || d->first_children[leaf] != NONE) {
        return false;
    }
    d->codes[leaf] = code;
    for (uint32_t node = leaf; node != 0;) {
        uint32_t parent = d->parents[node];
        bool is_linked = d->first_children[parent] != NONE;

        if (d->codes[parent] != NONE) {
            return false;
        }
        append_child(d, parent, node);
        if (is_linked) {
            break;
        }
        node = parent;
    }
    return true;
}

static shoal_status link_leaves(shoal_ctx *ctx, draft *d)
{
    d->linked_count = 1; /* the root */
    for (size_t code = 0; code < d->code_count; code++) {
        if (!link_leaf(d, d->node_of_code[code], (uint32_t)code)) {
            return shoal_i_fail(ctx, SHOAL_EINVAL,
                                "The node of code %zu must be a leaf that no other code has.",
                                code);
        }
    }
    return SHOAL_OK;
}

static bool is_left_out(const draft *d, uint32_t node)
{
    uint32_t child = d->first_children[node];

    return child != NONE && d->next_siblings[child] == NONE &&
           strcmp(d->labels[child], d->labels[node]) == 0;
}

/* The next linked node in depth-first order, NONE behind the last. */
static uint32_t find_next(const draft *d, uint32_t node)
{
    if (d->first_children[node] != NONE) {
        return d->first_children[node];
    }
    while (node != 0 && d->next_siblings[node] == NONE) {
        node = d->parents[node];
    }
    return node == 0 ? NONE : d->next_siblings[node];
}

static void emit_leaf(shoal_hierarchy *h, uint32_t place, uint32_t code)
{
    uint32_t leaf = (uint32_t)h->leaf_count++;

    h->nodes[place].last = leaf;
    h->leaf_nodes[leaf] = place;
    h->code_of_leaf[leaf] = code;
    h->leaf_of_code[code] = leaf;
}

static shoal_status emit_node(shoal_ctx *ctx, shoal_hierarchy *h, draft *d, uint32_t node)
{
    uint32_t place = (uint32_t)h->node_count;
    uint32_t parent = node == 0 ? NONE : d->places[d->parents[node]];

    if (is_left_out(d, node)) {
        d->places[node] = parent;
        return SHOAL_OK;
    }
    d->places[node] = place;
    h->nodes[place] =
        (shoal_i_node){.label = d->labels[node], .first = (uint32_t)h->leaf_count};
    h->node_count++;
    if (parent != NONE) {
        h->nodes[place].parent = parent;
        h->nodes[place].depth = (uint8_t)(h->nodes[parent].depth + 1);
    }
    if (h->nodes[place].depth >= SHOAL_LEVELS_MAX) {
        return shoal_i_fail(ctx, SHOAL_ELIMIT,
                            "A hierarchy has at most %d levels, leaves included.",
                            SHOAL_LEVELS_MAX);
    }
    if (d->codes[node] != NONE) {
        emit_leaf(h, place, d->codes[node]);
    }
    return SHOAL_OK;
}

static shoal_status emit_nodes(shoal_ctx *ctx, shoal_hierarchy *h, draft *d)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, h->nodes, d->linked_count + 1);
    SHOAL_ALLOC(ctx, h->leaf_nodes, d->code_count);
    SHOAL_ALLOC(ctx, h->code_of_leaf, d->code_count);
    SHOAL_ALLOC(ctx, h->leaf_of_code, d->code_count);
    for (uint32_t node = 0; node != NONE; node = find_next(d, node)) {
        SHOAL_TRY(emit_node(ctx, h, d, node));
    }
done:
    return st;
}

/* Heights and extents rise from the leaves: children come after their parent, so one pass from
 * the back does it. */
static void raise_extents(shoal_hierarchy *h)
{
    for (size_t i = h->node_count - 1; i > 0; i--) {
        const shoal_i_node *node = &h->nodes[i];
        shoal_i_node *parent = &h->nodes[node->parent];

        if (parent->height <= node->height) {
            parent->height = (uint8_t)(node->height + 1);
        }
        if (parent->last < node->last) {
            parent->last = node->last;
        }
    }
}

static shoal_status list_children(shoal_ctx *ctx, shoal_hierarchy *h)
{
    shoal_status st = SHOAL_OK;
    uint32_t end = 0;

    SHOAL_ALLOC(ctx, h->children, h->node_count);
    for (size_t i = 1; i < h->node_count; i++) {
        h->nodes[h->nodes[i].parent].children++;
    }
    for (size_t i = 0; i <= h->node_count; i++) {
        end += h->nodes[i].children;
        h->nodes[i].children = end;
    }
    /* From the back, so that each node's end moves down to its start. */
    for (size_t i = h->node_count - 1; i > 0; i--) {
        h->children[--h->nodes[h->nodes[i].parent].children] = (uint32_t)i;
    }
done:
    return st;
}

static shoal_status fill_levels(shoal_ctx *ctx, shoal_hierarchy *h)
{
    shoal_status st = SHOAL_OK;
    size_t height = h->nodes[0].height;
    size_t rows = height > 1 ? height - 1 : 0;
    size_t cells = 0;

    SHOAL_TRY(shoal_i_size_mul(ctx, &cells, rows, h->leaf_count));
    h->levels = shoal_i_alloc_raw(ctx, cells, sizeof *h->levels);
    if (!h->levels) {
        return SHOAL_ENOMEM;
    }
    for (size_t row = 0; row < rows; row++) {
        memcpy(h->levels + row * h->leaf_count, h->leaf_nodes,
               h->leaf_count * sizeof *h->levels);
    }
    for (size_t i = 1; i < h->node_count; i++) {
        const shoal_i_node *node = &h->nodes[i];

        if (node->height > 0) {
            uint32_t *row = h->levels + (size_t)(node->depth - 1) * h->leaf_count;

            for (size_t leaf = node->first; leaf <= node->last; leaf++) {
                row[leaf] = (uint32_t)i;
            }
        }
    }
done:
    return st;
}

/* The joint of leaf and leaf + 1 is the lowest node above leaf + 1 that starts before it. */
static shoal_status join_leaves(shoal_ctx *ctx, shoal_hierarchy *h)
{
    size_t count = h->leaf_count - 1;
    uint32_t *joints = shoal_i_alloc_raw(ctx, count, sizeof *joints);

    if (!joints) {
        return SHOAL_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t node = h->leaf_nodes[i + 1];

        while (h->nodes[node].first > i) {
            node = h->nodes[node].parent;
        }
        joints[i] = node;
    }
    return shoal_i_closest_init(ctx, &h->closest, joints, count);
}

static shoal_status finish(shoal_ctx *ctx, shoal_hierarchy *h)
{
    shoal_status st = SHOAL_OK;

    raise_extents(h);
    SHOAL_TRY(shoal_i_tree_copy_labels(ctx, h));
    SHOAL_TRY(list_children(ctx, h));
    SHOAL_TRY(fill_levels(ctx, h));
    SHOAL_TRY(join_leaves(ctx, h));
    SHOAL_TRY(shoal_i_tree_index_labels(ctx, h));
done:
    return st;
}

shoal_status shoal_hierarchy_build_tree(shoal_ctx *ctx, shoal_hierarchy **out,
                                        const char *const *labels, const uint32_t *parents,
                                        size_t node_count, const uint32_t *node_of_code,
                                        size_t code_count)
{
    SHOAL_ENTER_FOR(ctx, out, labels, parents, node_of_code);
    shoal_status st = SHOAL_OK;
    shoal_hierarchy *h = NULL;
    draft d = {.labels = labels,
               .parents = parents,
               .node_count = node_count,
               .node_of_code = node_of_code,
               .code_count = code_count};

    SHOAL_TRY(check_input(ctx, &d));
    SHOAL_TRY(init_draft(ctx, &d));
    SHOAL_TRY(link_leaves(ctx, &d));
    SHOAL_ALLOC(ctx, h, 1);
    SHOAL_TRY(emit_nodes(ctx, h, &d));
    SHOAL_TRY(finish(ctx, h));
    *out = h;
    h = NULL; /* now the caller's */
done:
    clear_draft(&d);
    shoal_hierarchy_free(h);
    return st;
}

void shoal_hierarchy_free(shoal_hierarchy *hierarchy)
{
    if (!hierarchy) {
        return;
    }
    free(hierarchy->nodes);
    free(hierarchy->labels);
    free(hierarchy->children);
    free(hierarchy->leaf_nodes);
    free(hierarchy->leaf_of_code);
    free(hierarchy->code_of_leaf);
    free(hierarchy->levels);
    shoal_i_closest_clear(&hierarchy->closest);
    shoal_i_label_index_clear(&hierarchy->index);
    free(hierarchy->weights);
    free(hierarchy);
}
