#include "sketch.h"

#include "tree.h"

#include <string.h>

static shoal_status add_node(shoal_ctx *ctx, uint32_t *node, shoal_i_sketch *sketch,
                             uint32_t parent, const char *label)
{
    if (sketch->count == sketch->capacity) {
        if (sketch->count >= SHOAL_I_NODES_MAX) {
            return shoal_i_fail(
                ctx, SHOAL_ELIMIT,
                "The hierarchy of column \"%s\" would have more than %zu nodes.",
                shoal_table_name(sketch->table, sketch->column), SHOAL_I_NODES_MAX);
        }
        size_t capacity = sketch->capacity * 2;
        const char **labels =
            shoal_i_realloc(ctx, sketch->labels, capacity, sizeof *sketch->labels);

        if (!labels) {
            return SHOAL_ENOMEM;
        }
        sketch->labels = labels;
        uint32_t *parents =
            shoal_i_realloc(ctx, sketch->parents, capacity, sizeof *sketch->parents);

        if (!parents) {
            return SHOAL_ENOMEM;
        }
        sketch->parents = parents;
        sketch->capacity = capacity;
    }
    *node = (uint32_t)sketch->count;
    sketch->labels[sketch->count] = label;
    sketch->parents[sketch->count] = parent;
    sketch->count++;
    return SHOAL_OK;
}

shoal_status shoal_i_need_column(shoal_ctx *ctx, const shoal_table *table, size_t column)
{
    size_t count = shoal_table_column_count(table);

    return column < count ? SHOAL_OK
                          : shoal_i_fail(ctx, SHOAL_EINVAL,
                                         "The table has %zu columns, numbered from 0; there is "
                                         "no column %zu.",
                                         count, column);
}

shoal_status shoal_i_sketch_start(shoal_ctx *ctx, shoal_i_sketch *sketch,
                                  const shoal_table *table, size_t column)
{
    shoal_status st = SHOAL_OK;
    uint32_t root = 0;

    *sketch = (shoal_i_sketch){.table = table, .column = column};
    if (shoal_table_is_skipped(table, column) || shoal_table_row_count(table) == 0) {
        return shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, (int64_t)column,
                               "Column \"%s\" has no values to build a hierarchy over.",
                               shoal_table_name(table, column));
    }
    sketch->code_count =
        shoal_table_value_count(table, column) + (shoal_table_missing_count(table, column) > 0);
    sketch->capacity = sketch->code_count + sketch->code_count / 4 + 16;
    SHOAL_ALLOC(ctx, sketch->node_of_code, sketch->code_count);
    SHOAL_ALLOC(ctx, sketch->labels, sketch->capacity);
    SHOAL_ALLOC(ctx, sketch->parents, sketch->capacity);
    SHOAL_TRY(add_node(ctx, &root, sketch, 0, "*"));
done:
    return st;
}

void shoal_i_sketch_clear(shoal_i_sketch *sketch)
{
    free(sketch->labels);
    free(sketch->parents);
    free(sketch->node_of_code);
    shoal_i_label_index_clear(&sketch->groups);
    shoal_i_arena_clear(&sketch->arena);
    *sketch = (shoal_i_sketch){0};
}

shoal_status shoal_i_sketch_add(shoal_ctx *ctx, uint32_t *node, shoal_i_sketch *sketch,
                                uint32_t parent, const char *label, size_t length)
{
    const char *copy = shoal_i_arena_text(ctx, &sketch->arena, label, length);

    return copy ? add_node(ctx, node, sketch, parent, copy) : SHOAL_ENOMEM;
}

static const char *get_label(const void *owner, uint32_t node, size_t *length)
{
    const shoal_i_sketch *sketch = owner;

    *length = strlen(sketch->labels[node]);
    return sketch->labels[node];
}

bool shoal_i_sketch_has_group(const shoal_i_sketch *sketch, const char *label)
{
    return sketch->groups.capacity > 0 &&
           shoal_i_label_index_find(&sketch->groups, label, strlen(label), get_label, sketch) !=
               SHOAL_I_LABEL_NONE;
}

shoal_status shoal_i_sketch_descend(shoal_ctx *ctx, uint32_t *node, shoal_i_sketch *sketch,
                                    const char *label, size_t length)
{
    shoal_status st = SHOAL_OK;
    uint32_t parent = *node;

    if (strlen(sketch->labels[parent]) == length &&
        memcmp(sketch->labels[parent], label, length) == 0) {
        return SHOAL_OK;
    }
    SHOAL_TRY(shoal_i_label_index_reserve(ctx, &sketch->groups, sketch->groups.count + 1));
    uint32_t known =
        shoal_i_label_index_find(&sketch->groups, label, length, get_label, sketch);

    if (known != SHOAL_I_LABEL_NONE && sketch->parents[known] != parent) {
        return shoal_i_fail_at(ctx, SHOAL_EINVAL, -1, (int64_t)sketch->column,
                               "Two groups of column \"%s\" would have one label.",
                               shoal_table_name(sketch->table, sketch->column));
    }
    if (known == SHOAL_I_LABEL_NONE) {
        SHOAL_TRY(shoal_i_sketch_add(ctx, &known, sketch, parent, label, length));
        uint32_t tag = shoal_i_label_tag(&sketch->groups, label, length);

        shoal_i_label_index_put(&sketch->groups, tag, label, length, known, get_label, sketch);
    }
    *node = known;
done:
    return st;
}

shoal_status shoal_i_sketch_add_leaf(shoal_ctx *ctx, shoal_i_sketch *sketch, uint32_t code,
                                     uint32_t parent)
{
    const char *text = shoal_table_text(sketch->table, sketch->column, code, NULL);

    return add_node(ctx, &sketch->node_of_code[code], sketch, parent, text);
}

shoal_status shoal_i_sketch_build(shoal_ctx *ctx, shoal_hierarchy **out, shoal_i_sketch *sketch)
{
    shoal_status st = SHOAL_OK;

    for (uint32_t code = 0; code < sketch->code_count; code++) {
        if (sketch->node_of_code[code] == 0) {
            SHOAL_TRY(shoal_i_sketch_add_leaf(ctx, sketch, code, 0));
        }
    }
    SHOAL_TRY(shoal_hierarchy_build_tree(ctx, out, sketch->labels, sketch->parents,
                                         sketch->count, sketch->node_of_code,
                                         sketch->code_count));
done:
    return st;
}
