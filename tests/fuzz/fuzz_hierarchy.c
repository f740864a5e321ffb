/* fuzz_hierarchy.c -- any bytes as the hierarchy file of a small column: refused with a message
 * or a tree in which every node is a run of leaves. */
#include "fuzz.h"

#include <string.h>

/* A missing value among them. */
static const char column_text[] = "job\nnurse\nteacher\nclerk\nbaker\ncarpenter\n\"?\"\n7\n";

static void check_node(const shoal_hierarchy *h, uint32_t node)
{
    uint32_t first = shoal_hierarchy_first(h, node);
    uint32_t last = shoal_hierarchy_last(h, node);
    size_t children = shoal_hierarchy_child_count(h, node);
    uint32_t next = first;

    MUST(first <= last && last < shoal_hierarchy_leaf_count(h));
    MUST(shoal_hierarchy_label(h, node) != NULL);
    MUST(shoal_hierarchy_loss(h, node) >= 0 && shoal_hierarchy_loss(h, node) <= 1);
    for (size_t k = 0; k < children; k++) {
        uint32_t child = shoal_hierarchy_child(h, node, k);

        MUST(shoal_hierarchy_parent(h, child) == node);
        MUST(shoal_hierarchy_first(h, child) == next);
        next = shoal_hierarchy_last(h, child) + 1;
    }
    MUST(children == 0 ? first == last : next == last + 1);
}

static void check_ancestors(const shoal_hierarchy *h)
{
    size_t leaves = shoal_hierarchy_leaf_count(h);

    for (uint32_t a = 0; a < leaves; a++) {
        MUST(shoal_hierarchy_leaf(h, shoal_hierarchy_code(h, a)) == a);
        for (uint32_t b = a; b < leaves; b++) {
            uint32_t node = shoal_hierarchy_ancestor(h, a, b);

            MUST(shoal_hierarchy_first(h, node) <= a && shoal_hierarchy_last(h, node) >= b);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_ctx *ctx = fuzz_ctx(1);
    shoal_table *table = NULL;
    shoal_hierarchy *h = NULL;

    MUST(shoal_csv_read_memory(ctx, &table, column_text, strlen(column_text), "column", NULL) ==
         SHOAL_OK);
    shoal_status st =
        shoal_hierarchy_build_memory(ctx, &h, table, 0, (const char *)data, size, "fuzz");

    MUST((h != NULL) == (st == SHOAL_OK));
    if (st != SHOAL_OK) {
        check_failure(ctx, st);
    } else {
        for (uint32_t node = 0; node < shoal_hierarchy_node_count(h); node++) {
            check_node(h, node);
        }
        check_ancestors(h);
    }
    shoal_hierarchy_free(h);
    shoal_table_free(table);
    return 0;
}
