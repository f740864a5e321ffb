/* fuzz_hierarchy.c -- any bytes as the hierarchy file of a small column of text and of one of
 * numbers: refused with a message, or a tree in which every node is a run of leaves and which
 * its own paths give back. */
#include "fuzz.h"

#include <string.h>

/* A missing value among them. */
static const char column_texts[] = "job,age\nnurse,7\nteacher,7.5\nclerk,20\nbaker,30\n"
                                   "carpenter,40\n\"?\",7\n7,-1e3\n";

#define TEXT_MAX ((size_t)1 << 20)

typedef struct text {
    char *bytes; /* TEXT_MAX of them */
    size_t size;
} text;

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

/* A label in quotes; false when it does not fit. */
static bool put_label(text *t, const char *label)
{
    size_t length = strlen(label);

    if (TEXT_MAX - t->size < 2 * length + 4) {
        return false;
    }
    t->bytes[t->size++] = '"';
    for (size_t i = 0; i < length; i++) {
        if (label[i] == '"') {
            t->bytes[t->size++] = '"';
        }
        t->bytes[t->size++] = label[i];
    }
    t->bytes[t->size++] = '"';
    return true;
}

static bool put_paths(text *t, const shoal_hierarchy *h)
{
    for (uint32_t leaf = 0; leaf < shoal_hierarchy_leaf_count(h); leaf++) {
        uint32_t node = shoal_hierarchy_leaf_node(h, leaf);

        if (!put_label(t, shoal_hierarchy_label(h, node))) {
            return false;
        }
        do {
            node = shoal_hierarchy_parent(h, node);
            t->bytes[t->size++] = ',';
            if (!put_label(t, shoal_hierarchy_label(h, node))) {
                return false;
            }
        } while (node != 0);
        t->bytes[t->size++] = '\n';
    }
    return true;
}

/* The same as an outline. */
static bool put_outline(text *t, const shoal_hierarchy *h)
{
    for (uint32_t node = 0; node < shoal_hierarchy_node_count(h); node++) {
        size_t depth = (size_t)shoal_hierarchy_depth(h, node);

        if (TEXT_MAX - t->size < depth + 1) {
            return false;
        }
        memset(t->bytes + t->size, '\t', depth);
        t->size += depth;
        if (!put_label(t, shoal_hierarchy_label(h, node))) {
            return false;
        }
        t->bytes[t->size++] = '\n';
    }
    return shoal_hierarchy_node_count(h) > 1;
}

static void check_same(const shoal_hierarchy *a, const shoal_hierarchy *b)
{
    MUST(shoal_hierarchy_node_count(a) == shoal_hierarchy_node_count(b));
    for (uint32_t node = 0; node < shoal_hierarchy_node_count(a); node++) {
        MUST(shoal_hierarchy_parent(a, node) == shoal_hierarchy_parent(b, node));
        MUST(strcmp(shoal_hierarchy_label(a, node), shoal_hierarchy_label(b, node)) == 0);
    }
    for (uint32_t leaf = 0; leaf < shoal_hierarchy_leaf_count(a); leaf++) {
        MUST(shoal_hierarchy_code(a, leaf) == shoal_hierarchy_code(b, leaf));
    }
}

static void check_round_trip(shoal_ctx *ctx, const shoal_hierarchy *h, const shoal_table *table,
                             size_t column)
{
    text t = {.bytes = malloc(TEXT_MAX)};
    shoal_hierarchy *again = NULL;

    MUST(t.bytes);
    if (put_paths(&t, h)) {
        MUST(shoal_hierarchy_build_memory(ctx, &again, table, column, t.bytes, t.size,
                                          "again") == SHOAL_OK);
        check_same(h, again);
    }
    shoal_hierarchy_free(again);
    again = NULL;
    t.size = 0;
    if (put_outline(&t, h)) {
        MUST(shoal_hierarchy_build_memory(ctx, &again, table, column, t.bytes, t.size,
                                          "outline") == SHOAL_OK);
        check_same(h, again);
    }
    shoal_hierarchy_free(again);
    free(t.bytes);
}

static void check_column(shoal_ctx *ctx, const shoal_table *table, size_t column,
                         const uint8_t *data, size_t size)
{
    shoal_hierarchy *h = NULL;
    shoal_status st =
        shoal_hierarchy_build_memory(ctx, &h, table, column, (const char *)data, size, "fuzz");

    MUST((h != NULL) == (st == SHOAL_OK));
    if (st != SHOAL_OK) {
        check_failure(ctx, st);
        return;
    }
    for (uint32_t node = 0; node < shoal_hierarchy_node_count(h); node++) {
        check_node(h, node);
    }
    check_ancestors(h);
    check_round_trip(ctx, h, table, column);
    shoal_hierarchy_free(h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_ctx *ctx = fuzz_ctx(1);
    shoal_table *table = NULL;

    MUST(shoal_csv_read_memory(ctx, &table, column_texts, strlen(column_texts), "columns",
                               NULL) == SHOAL_OK);
    check_column(ctx, table, 0, data, size);
    check_column(ctx, table, 1, data, size);
    shoal_table_free(table);
    return 0;
}
