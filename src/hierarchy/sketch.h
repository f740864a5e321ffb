/* sketch.h -- a tree while a builder draws it: groups from the root down, then a leaf for every
 * code of the column.
 *
 *     shoal_i_sketch sketch = {0};
 *     SHOAL_TRY(shoal_i_sketch_start(ctx, &sketch, table, column));       node 0, "*"
 *     SHOAL_TRY(shoal_i_sketch_add(ctx, &node, &sketch, 0, "13**"));
 *     SHOAL_TRY(shoal_i_sketch_add_leaf(ctx, &sketch, code, node));
 *     SHOAL_TRY(shoal_i_sketch_build(ctx, out, &sketch));
 * done:
 *     shoal_i_sketch_clear(&sketch);
 *
 * Codes that were given no leaf become children of the root.
 */
#ifndef SHOAL_I_SKETCH_H
#define SHOAL_I_SKETCH_H

#include <shoal/hierarchy.h>

#include "../base/arena.h"
#include "label_index.h"

typedef struct shoal_i_sketch {
    const shoal_table *table;
    size_t column;
    const char **labels; /* of leaves: the table's texts; of groups: in the arena */
    uint32_t *parents;
    size_t count;
    size_t capacity;
    uint32_t *node_of_code; /* 0, the root, while a code has no leaf */
    size_t code_count;      /* the code of missing included when there are missing values */
    shoal_i_arena arena;
    shoal_i_label_index groups; /* those that were added by descending */
} shoal_i_sketch;

/* SHOAL_EINVAL: the column was skipped when reading, or has no values at all. */
shoal_status shoal_i_sketch_start(shoal_ctx *ctx, shoal_i_sketch *sketch,
                                  const shoal_table *table, size_t column);
void shoal_i_sketch_clear(shoal_i_sketch *sketch);

/* Add a group below parent; its label is copied. */
shoal_status shoal_i_sketch_add(shoal_ctx *ctx, uint32_t *node, shoal_i_sketch *sketch,
                                uint32_t parent, const char *label, size_t length);

/* Add the leaf of a code below parent, labelled with the code's text. */
shoal_status shoal_i_sketch_add_leaf(shoal_ctx *ctx, shoal_i_sketch *sketch, uint32_t code,
                                     uint32_t parent);

/* The group of a label below *node, found or added; *node becomes it. A label that *node itself
 * has is *node. SHOAL_EINVAL: the label is that of a group elsewhere. For builders that meet
 * the values of a group in any order; who adds groups in another way does not find them here.
 */
shoal_status shoal_i_sketch_descend(shoal_ctx *ctx, uint32_t *node, shoal_i_sketch *sketch,
                                    const char *label, size_t length);

/* Whether such a group has the label. */
bool shoal_i_sketch_has_group(const shoal_i_sketch *sketch, const char *label);

/* Make the hierarchy. The sketch stays the caller's to clear. */
shoal_status shoal_i_sketch_build(shoal_ctx *ctx, shoal_hierarchy **out,
                                  shoal_i_sketch *sketch);

/* Whether a text is a set of separators for shoal_hierarchy_build_parts. */
bool shoal_i_are_separators(const char *text);

/* SHOAL_EINVAL when the table has no column of this number. */
shoal_status shoal_i_need_column(shoal_ctx *ctx, const shoal_table *table, size_t column);

/* Behind SHOAL_ENTER_FOR at the top of a builder: what follows may ask the table for the
 * column. */
#define SHOAL_NEED_COLUMN(ctx, table, column)                                                  \
    do {                                                                                       \
        if (shoal_i_need_column(ctx, table, column) != SHOAL_OK) {                             \
            return SHOAL_EINVAL;                                                               \
        }                                                                                      \
    } while (0)

#endif /* SHOAL_I_SKETCH_H */
