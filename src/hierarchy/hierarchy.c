#include "tree.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A leaf costs nothing, so it weighs nothing; a group weighs its share of the leaves. */
static double compute_share(const shoal_hierarchy *h, uint32_t node)
{
    const shoal_i_node *n = &h->nodes[node];

    return n->height == 0 ? 0.0 : (double)(n->last - n->first + 1) / (double)h->leaf_count;
}

static shoal_status init_weights(shoal_ctx *ctx, shoal_hierarchy *h)
{
    shoal_status st = SHOAL_OK;

    if (h->weights) {
        return SHOAL_OK;
    }
    SHOAL_ALLOC(ctx, h->weights, h->node_count);
    for (uint32_t i = 0; i < h->node_count; i++) {
        h->weights[i] = compute_share(h, i);
    }
done:
    return st;
}

static double find_heaviest_child(const shoal_hierarchy *h, uint32_t node)
{
    double heaviest = 0.0;

    for (size_t k = 0; k < shoal_hierarchy_child_count(h, node); k++) {
        heaviest = fmax(heaviest, h->weights[shoal_hierarchy_child(h, node, k)]);
    }
    return heaviest;
}

/* Losses must not fall towards the root: methods rely on a larger group costing no less. */
static shoal_status check_weight(shoal_ctx *ctx, const shoal_hierarchy *h, uint32_t node,
                                 double weight)
{
    double least = find_heaviest_child(h, node);
    double most = node == 0 ? INFINITY : h->weights[h->nodes[node].parent];

    if (!isfinite(weight) || weight < 0.0 || (node == 0 && weight == 0.0)) {
        return shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "A weight is a finite number, not negative, and above 0 for the root.");
    }
    if (shoal_i_node_is_leaf(h, node)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "A single value loses nothing and has no weight; give weights to "
                            "groups of values.");
    }
    if (weight > most || weight < least) {
        return shoal_i_fail(
            ctx, SHOAL_EINVAL,
            "The weight %g is not between that of the heaviest group below, %g, "
            "and that of the group above, %g.",
            weight, least, most);
    }
    return SHOAL_OK;
}

/* All are put in place before any is checked: so their order does not matter. */
shoal_status shoal_i_hierarchy_set_weights(shoal_ctx *ctx, shoal_hierarchy *h,
                                           const shoal_group_weight *weights, size_t count)
{
    shoal_status st = SHOAL_OK;
    uint32_t *nodes = NULL;

    SHOAL_ALLOC(ctx, nodes, count);
    SHOAL_TRY(init_weights(ctx, h));
    for (size_t i = 0; i < count; i++) {
        int64_t node = shoal_hierarchy_find(h, weights[i].label, strlen(weights[i].label));

        if (node < 0) {
            st = shoal_i_fail(
                ctx, SHOAL_ENOTFOUND,
                "The hierarchy has no group with the label that a weight is given for.");
            goto done;
        }
        nodes[i] = (uint32_t)node;
        h->weights[node] = weights[i].weight;
    }
    for (size_t i = 0; i < count; i++) {
        SHOAL_TRY(check_weight(ctx, h, nodes[i], weights[i].weight));
    }
done:
    free(nodes);
    return st;
}

/* Built anew from its own nodes, which are in order, so that they keep their numbers. */
static shoal_status copy(shoal_ctx *ctx, shoal_hierarchy **out, const shoal_hierarchy *from)
{
    shoal_status st = SHOAL_OK;
    const char **labels = NULL;
    uint32_t *parents = NULL;
    uint32_t *node_of_code = NULL;

    SHOAL_ALLOC(ctx, labels, from->node_count);
    SHOAL_ALLOC(ctx, parents, from->node_count);
    SHOAL_ALLOC(ctx, node_of_code, from->leaf_count);
    for (size_t i = 0; i < from->node_count; i++) {
        labels[i] = from->nodes[i].label;
        parents[i] = from->nodes[i].parent;
    }
    for (size_t code = 0; code < from->leaf_count; code++) {
        node_of_code[code] = from->leaf_nodes[from->leaf_of_code[code]];
    }
    SHOAL_TRY(shoal_hierarchy_build_tree(ctx, out, labels, parents, from->node_count,
                                         node_of_code, from->leaf_count));
    assert((*out)->node_count == from->node_count);
done:
    free((void *)labels);
    free(parents);
    free(node_of_code);
    return st;
}

shoal_status shoal_hierarchy_build_weighted(shoal_ctx *ctx, shoal_hierarchy **out,
                                            const shoal_hierarchy *hierarchy,
                                            const shoal_group_weight *weights, size_t count)
{
    SHOAL_ENTER_FOR(ctx, out, hierarchy, weights);
    shoal_status st = SHOAL_OK;
    shoal_hierarchy *h = NULL;

    for (size_t i = 0; i < count; i++) {
        if (!weights[i].label) {
            return shoal_i_fail(ctx, SHOAL_EINVAL, "The label of weight %zu is NULL.", i + 1);
        }
    }
    SHOAL_TRY(copy(ctx, &h, hierarchy));
    SHOAL_TRY(init_weights(ctx, h));
    if (hierarchy->weights) {
        memcpy(h->weights, hierarchy->weights, h->node_count * sizeof *h->weights);
    }
    SHOAL_TRY(shoal_i_hierarchy_set_weights(ctx, h, weights, count));
    *out = h;
    h = NULL; /* now the caller's */
done:
    shoal_hierarchy_free(h);
    return st;
}

size_t shoal_hierarchy_leaf_count(const shoal_hierarchy *h)
{
    return h->leaf_count;
}

size_t shoal_hierarchy_node_count(const shoal_hierarchy *h)
{
    return h->node_count;
}

int shoal_hierarchy_height(const shoal_hierarchy *h)
{
    return h->nodes[0].height;
}

uint32_t shoal_hierarchy_leaf(const shoal_hierarchy *h, uint32_t code)
{
    assert(code < h->leaf_count);
    return h->leaf_of_code[code];
}

uint32_t shoal_hierarchy_code(const shoal_hierarchy *h, uint32_t leaf)
{
    assert(leaf < h->leaf_count);
    return h->code_of_leaf[leaf];
}

const char *shoal_hierarchy_label(const shoal_hierarchy *h, uint32_t node)
{
    assert(node < h->node_count);
    return h->nodes[node].label;
}

uint32_t shoal_hierarchy_parent(const shoal_hierarchy *h, uint32_t node)
{
    assert(node < h->node_count);
    return h->nodes[node].parent;
}

int shoal_hierarchy_depth(const shoal_hierarchy *h, uint32_t node)
{
    assert(node < h->node_count);
    return h->nodes[node].depth;
}

int shoal_hierarchy_node_height(const shoal_hierarchy *h, uint32_t node)
{
    assert(node < h->node_count);
    return h->nodes[node].height;
}

uint32_t shoal_hierarchy_first(const shoal_hierarchy *h, uint32_t node)
{
    assert(node < h->node_count);
    return h->nodes[node].first;
}

uint32_t shoal_hierarchy_last(const shoal_hierarchy *h, uint32_t node)
{
    assert(node < h->node_count);
    return h->nodes[node].last;
}

double shoal_hierarchy_loss(const shoal_hierarchy *h, uint32_t node)
{
    assert(node < h->node_count);
    return h->weights ? h->weights[node] / h->weights[0] : compute_share(h, node);
}

uint32_t shoal_hierarchy_leaf_node(const shoal_hierarchy *h, uint32_t leaf)
{
    assert(leaf < h->leaf_count);
    return h->leaf_nodes[leaf];
}

uint32_t shoal_hierarchy_ancestor(const shoal_hierarchy *h, uint32_t first, uint32_t last)
{
    assert(first <= last && last < h->leaf_count);
    return first == last ? h->leaf_nodes[first]
                         : shoal_i_closest_min(&h->closest, first, last - (size_t)1);
}

uint32_t shoal_hierarchy_ancestor_at(const shoal_hierarchy *h, uint32_t leaf, int depth)
{
    assert(leaf < h->leaf_count && depth >= 0);
    if (depth == 0) {
        return 0;
    }
    if (depth >= h->nodes[0].height) {
        return h->leaf_nodes[leaf];
    }
    return h->levels[((size_t)depth - 1) * h->leaf_count + leaf];
}

size_t shoal_hierarchy_child_count(const shoal_hierarchy *h, uint32_t node)
{
    assert(node < h->node_count);
    return h->nodes[node + (size_t)1].children - h->nodes[node].children;
}

uint32_t shoal_hierarchy_child(const shoal_hierarchy *h, uint32_t node, size_t k)
{
    assert(k < shoal_hierarchy_child_count(h, node));
    return h->children[h->nodes[node].children + k];
}
