/* hierarchy.h -- generalization hierarchies: how a value may be made coarser.
 *
 * A hierarchy belongs to one column of one table. It is a tree whose leaves are the values that
 * occur there and whose inner nodes are coarser labels:
 *
 *                       *  [0,3]
 *              12** [0,1]      13** [2,3]
 *            1210    1215     1305    1307
 *     leaf     0       1        2       3
 *
 * Leaves are numbered in depth-first order, so every node covers one run [first, last] of
 * leaves, and the closest common ancestor of any set of values is that of its smallest and its
 * largest leaf: every generalization is an interval of leaf numbers. That is the one idea the whole library
 * rests on. Siblings are ordered by their smallest code in the column's dictionary.
 *
 * Nodes are numbered in depth-first order too: node 0 is the root, a parent comes before its children. A column with missing
 * values has one more leaf for "missing"; its code is value_count.
 *
 * Hierarchies never change after construction; any number of threads may read one. They copy what they need from
 * the table and may outlive it.
 */
#ifndef SHOAL_HIERARCHY_H
#define SHOAL_HIERARCHY_H

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A limit against runaway input; it also lets a depth fit in one byte. */
#define SHOAL_LEVELS_MAX 64

typedef struct shoal_hierarchy shoal_hierarchy;

/* --- Builders. All take a column of a table; *out is NULL on failure. --------------------- */

/* One root "*" over all values. */
shoal_status shoal_hierarchy_build_flat(shoal_ctx *ctx, shoal_hierarchy **out,
                                        const shoal_table *table, size_t column);

/* From a file with one line per leaf, "leaf;level1;...;root" (';' or ',', detected; quotes as in CSV; no header), as ARX
 * writes it. Lines may differ in length (ragged depth). Values of the file that the column lacks are left out; a
 * missing value without a line of its own becomes a child of the root. A label may be followed by nothing else;
 * node weights come by shoal_hierarchy_set_weight.
 * SHOAL_EFORMAT with source and line: a value of the column that no line covers (up to ten are counted, and
 * listed when ctx->show_values), a label with two parents, no common root, a leaf given twice with different paths, an
 * empty file, more than SHOAL_LEVELS_MAX levels, a line of one label only where others have more. */
shoal_status shoal_hierarchy_build_file(shoal_ctx *ctx, shoal_hierarchy **out,
                                        const shoal_table *table, size_t column,
                                        const char *path);
shoal_status shoal_hierarchy_build_memory(shoal_ctx *ctx, shoal_hierarchy **out,
                                          const shoal_table *table, size_t column,
                                          const char *bytes, size_t size, const char *source);

/* Numeric intervals. Level i groups values into [origin + j*width, origin + (j+1)*width); each width is a multiple of
 * the one before. Labels are "[lo..hi]" with hi the last whole value for integers, "[lo..hi)" for reals. */
shoal_status shoal_hierarchy_build_widths(shoal_ctx *ctx, shoal_hierarchy **out,
                                          const shoal_table *table, size_t column, double origin,
                                          const double *widths, size_t width_count);

/* Numeric intervals by ascending break points, one list per level, levels from fine to coarse; each coarser
 * level's breaks are among the finer one's. breaks of level i are breaks[starts[i]..starts[i+1]). Values below the first and from the last
 * break on form intervals of their own. */
shoal_status shoal_hierarchy_build_breaks(shoal_ctx *ctx, shoal_hierarchy **out,
                                          const shoal_table *table, size_t column,
                                          const double *breaks, const size_t *starts,
                                          size_t level_count);

/* Prefix masks: "53711" -> "5371*" -> "537**" -> ... -> "*". `length` characters (not bytes) are masked one by one from
 * the right; 0 means the length of the longest value. Shorter values are taken as they are, padded on the left never. */
shoal_status shoal_hierarchy_build_prefix(shoal_ctx *ctx, shoal_hierarchy **out,
                                          const shoal_table *table, size_t column, size_t length);

/* Dates: day -> month (2024-05) -> quarter (2024-Q2) -> year (2024) -> decade (2020s) -> "*". Date columns only. */
shoal_status shoal_hierarchy_build_dates(shoal_ctx *ctx, shoal_hierarchy **out,
                                         const shoal_table *table, size_t column);

/* From paths in memory: the building block of the builders above. parents[i] is the parent of node i,
 * which is smaller than i; node 0 is the root; node_of_code[c] is the leaf of code c, for all codes of
 * the column (missing included where there are any). Nodes without leaves below are left out, and so is a node with a single child that has its label. */
shoal_status shoal_hierarchy_build_tree(shoal_ctx *ctx, shoal_hierarchy **out,
                                        const char *const *labels, const uint32_t *parents,
                                        size_t node_count, const uint32_t *node_of_code,
                                        size_t code_count);

void shoal_hierarchy_free(shoal_hierarchy *hierarchy);

/* Give the node of a label its own weight instead of its share of leaves (SPEC: weight(u)/weight(root)). Before use by
 * others only. SHOAL_ENOTFOUND, SHOAL_EINVAL (negative, not finite, above the parent's, below a child's). */
shoal_status shoal_hierarchy_set_weight(shoal_ctx *ctx, shoal_hierarchy *hierarchy,
                                        const char *label, double weight);

/* --- Reading it. -------------------------------------------------------------------------- */

size_t shoal_hierarchy_leaf_count(const shoal_hierarchy *h);
size_t shoal_hierarchy_node_count(const shoal_hierarchy *h);

/* Edges on the longest way from the root to a leaf: 0 when the root is the only leaf. */
int shoal_hierarchy_height(const shoal_hierarchy *h);

/* Leaf of a dictionary code, and the code of a leaf. */
uint32_t shoal_hierarchy_leaf(const shoal_hierarchy *h, uint32_t code);
uint32_t shoal_hierarchy_code(const shoal_hierarchy *h, uint32_t leaf);

/* Of a node. Borrowed label. The parent of the root is the root. */
const char *shoal_hierarchy_label(const shoal_hierarchy *h, uint32_t node);
uint32_t shoal_hierarchy_parent(const shoal_hierarchy *h, uint32_t node);
int shoal_hierarchy_depth(const shoal_hierarchy *h, uint32_t node);
/* Edges on the longest way from the node down to a leaf; 0 for leaves. */
int shoal_hierarchy_node_height(const shoal_hierarchy *h, uint32_t node);
uint32_t shoal_hierarchy_first(const shoal_hierarchy *h, uint32_t node);
uint32_t shoal_hierarchy_last(const shoal_hierarchy *h, uint32_t node);

/* The loss of a node: 0 for a leaf, 1 for the root, else its share of the leaves, or weight(node)/weight(root) once weights are set. */
double shoal_hierarchy_loss(const shoal_hierarchy *h, uint32_t node);

/* The node of a leaf number. */
uint32_t shoal_hierarchy_leaf_node(const shoal_hierarchy *h, uint32_t leaf);

/* Closest common ancestor of all leaves from first to last. O(1). */
uint32_t shoal_hierarchy_ancestor(const shoal_hierarchy *h, uint32_t first, uint32_t last);

/* The ancestor of a leaf at a depth; the leaf's own node when it is not that deep. O(1). */
uint32_t shoal_hierarchy_ancestor_at(const shoal_hierarchy *h, uint32_t leaf, int depth);

/* Child k of the node's children in order, the number of which is child_count. */
size_t shoal_hierarchy_child_count(const shoal_hierarchy *h, uint32_t node);
uint32_t shoal_hierarchy_child(const shoal_hierarchy *h, uint32_t node, size_t k);

/* The node with a label, the coarsest if several have it; -1 if none. */
int64_t shoal_hierarchy_find(const shoal_hierarchy *h, const char *label, size_t length);

/* --- Writing it. -------------------------------------------------------------------------- */

/* One line per leaf, "leaf;level1;...;root"; "-" is standard output. Reading it back gives the same tree. */
shoal_status shoal_hierarchy_write(shoal_ctx *ctx, const shoal_hierarchy *h, const char *path);

/* As an indented tree with leaf counts, for people; at most max_lines lines (0: all). To path, "-" is standard output. */
shoal_status shoal_hierarchy_print(shoal_ctx *ctx, const shoal_hierarchy *h, const char *path,
                                   size_t max_lines);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_HIERARCHY_H */
