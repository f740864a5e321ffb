#include "tree.h"

#include <string.h>

shoal_status shoal_i_tree_copy_labels(shoal_ctx *ctx, shoal_hierarchy *h)
{
    shoal_status st = SHOAL_OK;
    size_t total = 0;

    for (size_t i = 0; i < h->node_count; i++) {
        size_t length = strlen(h->nodes[i].label);

        if (length >= UINT32_MAX) {
            return shoal_i_fail(ctx, SHOAL_ELIMIT, "A label of %zu bytes is too long.", length);
        }
        h->nodes[i].label_length = (uint32_t)length;
        SHOAL_TRY(shoal_i_size_add(ctx, &total, total, length + 1));
    }
    h->labels = shoal_i_alloc_raw(ctx, total, 1);
    if (!h->labels) {
        return SHOAL_ENOMEM;
    }
    char *to = h->labels;

    for (size_t i = 0; i < h->node_count; i++) {
        memcpy(to, h->nodes[i].label, h->nodes[i].label_length + (size_t)1);
        h->nodes[i].label = to;
        to += h->nodes[i].label_length + (size_t)1;
    }
done:
    return st;
}

static const char *get_label(const void *owner, uint32_t number, size_t *length)
{
    const shoal_hierarchy *h = owner;

    *length = h->nodes[number].label_length;
    return h->nodes[number].label;
}

/* A text in a release must lead back to one group: a label may be shared only by a group and a
 * leaf of it (read back as the group), or by two leaves (an empty text beside missing values).
 */
static bool may_share_label(const shoal_hierarchy *h, uint32_t earlier, uint32_t later)
{
    const shoal_i_node *a = &h->nodes[earlier];
    const shoal_i_node *b = &h->nodes[later];

    return b->height == 0 && (a->height == 0 || (a->first <= b->first && b->last <= a->last));
}

static shoal_status index_label(shoal_ctx *ctx, shoal_hierarchy *h, uint32_t number,
                                uint32_t tag)
{
    const shoal_i_node *node = &h->nodes[number];

    if (node->height > 0 && node->label_length == 0) {
        return shoal_i_fail(ctx, SHOAL_EINVAL, "A group of values has an empty label.");
    }
    uint32_t other = shoal_i_label_index_put(&h->index, tag, node->label, node->label_length,
                                             number, get_label, h);

    if (other != SHOAL_I_LABEL_NONE && !may_share_label(h, other, number)) {
        return shoal_i_fail(ctx, SHOAL_EINVAL,
                            "Two nodes of the hierarchy have the same label%s%.60s; give each "
                            "group a label of its own.",
                            ctx->show_values ? " " : "", ctx->show_values ? node->label : "");
    }
    return SHOAL_OK;
}

/* Depth-first order puts the coarsest node of a label first, and the first one stays. In
 * batches: the places of a batch are fetched while its tags are computed, which halves the time
 * of a large tree. */
shoal_status shoal_i_tree_index_labels(shoal_ctx *ctx, shoal_hierarchy *h)
{
    enum { BATCH = 64 };
    shoal_status st = SHOAL_OK;
    uint32_t tags[BATCH];

    SHOAL_TRY(shoal_i_label_index_reserve(ctx, &h->index, h->node_count));
    for (size_t first = 0; first < h->node_count; first += BATCH) {
        size_t count = h->node_count - first < BATCH ? h->node_count - first : BATCH;

        for (size_t i = 0; i < count; i++) {
            const shoal_i_node *node = &h->nodes[first + i];

            tags[i] = shoal_i_label_tag(&h->index, node->label, node->label_length);
            shoal_i_label_index_prefetch(&h->index, tags[i]);
        }
        for (size_t i = 0; i < count; i++) {
            SHOAL_TRY(index_label(ctx, h, (uint32_t)(first + i), tags[i]));
        }
    }
done:
    return st;
}

int64_t shoal_hierarchy_find(const shoal_hierarchy *h, const char *label, size_t length)
{
    uint32_t node = shoal_i_label_index_find(&h->index, label, length, get_label, h);

    return node == SHOAL_I_LABEL_NONE ? -1 : (int64_t)node;
}
