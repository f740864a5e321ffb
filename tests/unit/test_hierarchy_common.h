/* test_hierarchy_common.h -- tables from text, and hierarchies as one line of text. */
#ifndef TEST_HIERARCHY_COMMON_H
#define TEST_HIERARCHY_COMMON_H

#include <shoal/csv.h>
#include <shoal/hierarchy.h>

#include "base/buffer.h"
#include "failing.h"

#include <stdio.h>
#include <string.h>

static inline shoal_table *read_table(shoal_ctx *ctx, const char *text)
{
    shoal_table *table = NULL;

    if (shoal_csv_read_memory(ctx, &table, text, strlen(text), "people.csv", NULL) !=
        SHOAL_OK) {
        fail_msg("%s", ctx->error.message);
    }
    return table;
}

static inline void put_tree(shoal_i_buffer *out, const shoal_hierarchy *h, uint32_t node)
{
    size_t children = shoal_hierarchy_child_count(h, node);

    shoal_i_buffer_text(out, shoal_hierarchy_label(h, node));
    for (size_t k = 0; k < children; k++) {
        shoal_i_buffer_text(out, k == 0 ? "(" : " ");
        put_tree(out, h, shoal_hierarchy_child(h, node, k));
    }
    shoal_i_buffer_text(out, children > 0 ? ")" : "");
}

/* "*(12**(1210 1215) 13**(1305 1307))"; release with free(). */
static inline char *draw_tree(const shoal_hierarchy *h)
{
    shoal_ctx ctx;
    shoal_i_buffer out;

    shoal_i_ctx_init(&ctx);
    shoal_i_buffer_init(&out, &ctx, SHOAL_I_BUFFER_MAX);
    put_tree(&out, h, 0);
    char *text = NULL;

    assert_int_equal(shoal_i_buffer_take(&text, &out), SHOAL_OK);
    return text;
}

static inline void assert_tree(const shoal_hierarchy *h, const char *expected)
{
    char *drawn = draw_tree(h);

    assert_string_equal(drawn, expected);
    free(drawn);
}

/* Every code has a leaf and every leaf's ancestors nest: what all builders promise. */
static inline void assert_total_and_nested(const shoal_hierarchy *h, const shoal_table *table,
                                           size_t column)
{
    size_t codes =
        shoal_table_value_count(table, column) + (shoal_table_missing_count(table, column) > 0);

    assert_int_equal(shoal_hierarchy_leaf_count(h), codes);
    for (uint32_t code = 0; code < codes; code++) {
        uint32_t leaf = shoal_hierarchy_leaf(h, code);
        uint32_t node = shoal_hierarchy_leaf_node(h, leaf);

        assert_int_equal(shoal_hierarchy_code(h, leaf), code);
        assert_string_equal(shoal_hierarchy_label(h, node),
                            shoal_table_text(table, column, code, NULL));
        for (; node != 0; node = shoal_hierarchy_parent(h, node)) {
            uint32_t parent = shoal_hierarchy_parent(h, node);

            assert_true(shoal_hierarchy_first(h, node) <= leaf);
            assert_true(shoal_hierarchy_last(h, node) >= leaf);
            assert_true(shoal_hierarchy_first(h, parent) <= shoal_hierarchy_first(h, node));
            assert_true(shoal_hierarchy_last(h, parent) >= shoal_hierarchy_last(h, node));
        }
    }
}

#endif /* TEST_HIERARCHY_COMMON_H */
