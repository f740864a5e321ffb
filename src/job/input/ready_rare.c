#include "ready_rare.h"

#include <stdio.h>
#include <string.h>

#define UNSET UINT32_MAX

static shoal_status fail_column(shoal_ctx *ctx, const shoal_i_spec_column *column,
                                const char *what)
{
    shoal_i_fail(ctx, SHOAL_EINVAL, "The column \"%.200s\" %s.", column->name, what);
    return shoal_i_fail_in(ctx, column->place.source, column->place.line, column->place.column);
}

/* The hierarchy that says what is rare together: the column's, or a flat one. */
static shoal_status build_hierarchy(shoal_ctx *ctx, shoal_hierarchy **out,
                                    const shoal_table *table, size_t column,
                                    const shoal_i_spec_column *asked)
{
    shoal_i_hierarchy_plan plan = asked->plan;

    if (plan.kind == SHOAL_I_PLAN_NONE &&
        shoal_table_type(table, column) != SHOAL_TYPE_STRING) {
        return fail_column(ctx, asked,
                           "holds numbers or dates; rare values are merged of texts, or below "
                           "the groups of a hierarchy");
    }
    plan.kind = plan.kind == SHOAL_I_PLAN_NONE ? SHOAL_I_PLAN_FLAT : plan.kind;
    shoal_status st = shoal_i_hierarchy_plan_build(ctx, out, &plan, table, column);

    if (st != SHOAL_OK && st != SHOAL_ENOMEM && st != SHOAL_ECANCELLED) {
        shoal_i_fail_in(ctx, asked->place.source, asked->place.line, asked->place.column);
    }
    return st;
}

/* What the rare values below a group become: "A15: other", below the root "other". */
static char *name_merged(shoal_ctx *ctx, const shoal_hierarchy *h, uint32_t group)
{
    static const char other[] = "other";
    const char *label = shoal_hierarchy_label(h, group);
    size_t size = strlen(label) + sizeof ": other";
    char *text = group == 0 ? shoal_i_strdup(ctx, other) : shoal_i_alloc(ctx, size, 1);

    if (text && group != 0) {
        snprintf(text, size, "%s: %s", label, other);
    }
    return text;
}

/* A text must lead back to one place: of those that have it already only a value of the same
 * group may. */
static bool is_free(const shoal_hierarchy *h, uint32_t group, const char *text)
{
    int64_t node = shoal_hierarchy_find(h, text, strlen(text));

    return node < 0 || (shoal_hierarchy_child_count(h, (uint32_t)node) == 0 &&
                        shoal_hierarchy_parent(h, (uint32_t)node) == group);
}

shoal_status shoal_i_rare_texts(shoal_ctx *ctx, char **texts, const shoal_table *table,
                                size_t column, const shoal_i_spec_column *asked, uint64_t least)
{
    shoal_status st = SHOAL_OK;
    size_t values = shoal_table_value_count(table, column);
    shoal_hierarchy *h = NULL;
    uint64_t *counts = NULL;

    SHOAL_TRY(build_hierarchy(ctx, &h, table, column, asked));
    SHOAL_ALLOC(ctx, counts, values + 1);
    for (size_t row = 0; row < shoal_table_row_count(table); row++) {
        counts[shoal_table_code(table, column, row)]++;
    }
    for (uint32_t code = 0; code < values; code++) {
        uint32_t leaf = shoal_hierarchy_leaf_node(h, shoal_hierarchy_leaf(h, code));
        uint32_t group = shoal_hierarchy_parent(h, leaf);

        texts[code] = counts[code] < least
                          ? name_merged(ctx, h, group)
                          : shoal_i_strdup(ctx, shoal_table_text(table, column, code, NULL));
        if (!texts[code]) {
            st = SHOAL_ENOMEM;
            goto done;
        }
        if (counts[code] < least && !is_free(h, group, texts[code])) {
            SHOAL_TRY(fail_column(ctx, asked,
                                  "has rare values, and one that is called as they would be "
                                  "when merged (\"other\") stands elsewhere; rename that one"));
        }
    }
done:
    shoal_hierarchy_free(h);
    free(counts);
    return st;
}

/* The nodes of the new tree: groups as they were, and below them a leaf for each new code. */
typedef struct merged {
    const char **labels;
    uint32_t *parents;
    uint32_t *place;        /* of each group of the tree before */
    uint32_t *node_of_code; /* of the new codes */
    size_t count;
} merged;

static void draw(merged *m, const shoal_hierarchy *h, const shoal_table *to, size_t column,
                 const uint32_t *became)
{
    for (uint32_t node = 0; node < shoal_hierarchy_node_count(h); node++) {
        bool is_leaf = shoal_hierarchy_child_count(h, node) == 0;
        uint32_t code =
            is_leaf ? became[shoal_hierarchy_code(h, shoal_hierarchy_first(h, node))] : 0;

        if (is_leaf && m->node_of_code[code] != UNSET) {
            continue;
        }
        m->labels[m->count] =
            is_leaf ? shoal_table_text(to, column, code, NULL) : shoal_hierarchy_label(h, node);
        m->parents[m->count] = m->place[shoal_hierarchy_parent(h, node)];
        if (is_leaf) {
            m->node_of_code[code] = (uint32_t)m->count;
        } else {
            m->place[node] = (uint32_t)m->count;
        }
        m->count++;
    }
}

shoal_status shoal_i_rare_hierarchy(shoal_ctx *ctx, shoal_hierarchy **out,
                                    const shoal_table *from, const shoal_table *to,
                                    size_t column, const shoal_i_spec_column *asked,
                                    const uint32_t *became)
{
    shoal_status st = SHOAL_OK;
    size_t codes =
        shoal_table_value_count(to, column) + (shoal_table_missing_count(to, column) > 0);
    shoal_hierarchy *h = NULL;
    merged m = {0};

    SHOAL_TRY(build_hierarchy(ctx, &h, from, column, asked));
    SHOAL_ALLOC(ctx, m.labels, shoal_hierarchy_node_count(h));
    SHOAL_ALLOC(ctx, m.parents, shoal_hierarchy_node_count(h));
    SHOAL_ALLOC(ctx, m.place, shoal_hierarchy_node_count(h));
    SHOAL_ALLOC(ctx, m.node_of_code, codes);
    memset(m.node_of_code, 0xFF, codes * sizeof *m.node_of_code);
    draw(&m, h, to, column, became);
    SHOAL_TRY(shoal_hierarchy_build_tree(ctx, out, m.labels, m.parents, m.count, m.node_of_code,
                                         codes));
done:
    shoal_hierarchy_free(h);
    free(m.labels);
    free(m.parents);
    free(m.place);
    free(m.node_of_code);
    return st;
}
