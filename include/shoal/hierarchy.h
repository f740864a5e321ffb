/* hierarchy.h -- generalization hierarchies: how a value may be made coarser.
 *
 * A hierarchy belongs to one column of one table. It is a tree whose leaves are the values that
 * occur there and whose inner nodes, called groups, are coarser labels:
 *
 *                       *  [0,3]
 *              12** [0,1]      13** [2,3]
 *            1210    1215     1305    1307
 *     leaf     0       1        2       3
 *
 * Leaves are numbered in depth-first order, so every node covers one run [first, last] of
 * leaves, and the closest common ancestor of any set of values is that of its smallest and its
 * largest leaf: every generalization is an interval of leaf numbers. That is the one idea the
 * whole library rests on. Siblings are ordered by their smallest code in the column's
 * dictionary, so the leaves of a numeric column that groups neighbours stay in numeric order.
 *
 * Nodes are numbered in depth-first order too: node 0 is the root, a parent comes before its
 * children. A column with missing values has one more leaf for "missing"; its code is
 * value_count. Unless a builder says otherwise that leaf is a child of the root, the last one.
 *
 * Labels lead back to nodes: two groups never share a label, and a value shares one only with
 * a group it is in.
 *
 * Hierarchies never change after construction; any number of threads may read one. They copy
 * what they need from the table and may outlive it.
 *
 *     shoal_hierarchy_build_prefix(ctx, &zip, table, 3, 5);
 *     uint32_t a = shoal_hierarchy_leaf(zip, code_a);
 *     uint32_t b = shoal_hierarchy_leaf(zip, code_b);
 *     uint32_t node = shoal_hierarchy_ancestor(zip, a < b ? a : b, a < b ? b : a);
 *     puts(shoal_hierarchy_label(zip, node));
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

/* --- Builders. ---------------------------------------------------------------------------- */

/* All take a column of a table and set *out to NULL on failure. All of them:
 *   SHOAL_EINVAL   the table has no such column, it was skipped when the table was read, or
 *                  there are no records
 *   SHOAL_ELIMIT   more than SHOAL_LEVELS_MAX levels, or 2^28 nodes
 *   SHOAL_ENOMEM
 * Time and memory grow with the number of distinct values (times levels), not of records. */

/* One root "*" over all values. */
SHOAL_API shoal_status shoal_hierarchy_build_flat(shoal_ctx *ctx, shoal_hierarchy **out,
                                                  const shoal_table *table, size_t column);

/* From a file with one line per value, "value;level1;...;root", as ARX reads and writes it; "-"
 * is the standard input. ';' or ',' is detected; quotes as in CSV; no header; blank lines are
 * skipped. Lines may differ in length (ragged depth); an empty label above the value, and a
 * label repeated on the next level, mean that there is no level here. Values of a numeric
 * column match by number: a line for 7 covers 7.0. Values of the file that the column lacks are
 * left out. A line for the text that stands for missing values places them; without one they
 * are a child of the root.
 *
 * Or an outline: a label on each line, indented below its group, the root first; a label that
 * nothing stands below is a value. Lines that begin with '#' are comments; a label that does,
 * or begins with a quote or has spaces around it, stands in quotes. It is an outline when the
 * first line has no delimiter and the next one is indented.
 *
 * SHOAL_EFORMAT with source, line and column:
 *   - a label with two parents; lines that end in different roots; a value on two lines with
 *     different paths; a value that has the label of a group it is not in;
 *   - a line of one label; stray or unclosed quotes; a NUL byte; invalid UTF-8; no line at all
 *   - of an outline: a second root; indentation that is that of none above
 * SHOAL_EFORMAT with source, record and field:
 *   - values of the column that no line covers: all are counted and up to ten are listed, by
 *     the first records that have them, or by their text when the context shows values
 * SHOAL_ELIMIT: a line of more than SHOAL_LEVELS_MAX labels, a file of more than 1 GiB
 * SHOAL_ENOTFOUND, SHOAL_EIO: the file cannot be read */
SHOAL_API shoal_status shoal_hierarchy_build_file(shoal_ctx *ctx, shoal_hierarchy **out,
                                                  const shoal_table *table, size_t column,
                                                  const char *path);

/* As shoal_hierarchy_build_file, from bytes in memory; source names them in messages. */
SHOAL_API shoal_status shoal_hierarchy_build_memory(shoal_ctx *ctx, shoal_hierarchy **out,
                                                    const shoal_table *table, size_t column,
                                                    const char *bytes, size_t size,
                                                    const char *source);

/* As shoal_hierarchy_build_file, from a table with a record for each value: its first column
 * has the values, the further ones the labels from fine to coarse, the last of all the root:
 *
 *     job       kind       all
 *     nurse     services   *
 *     baker     trades     *
 *     soldier              *        no value or an empty text: no level here
 *
 * Names and types of its columns do not matter. A record without a value in the first column
 * places the missing values of `column`. What shoal_hierarchy_build_file reports by line and
 * column comes here with the source "table of levels" and its record and field; values without
 * a record, with record and field of `table`. SHOAL_EINVAL: the first column was skipped when
 * the table was read. */
SHOAL_API shoal_status shoal_hierarchy_build_table(shoal_ctx *ctx, shoal_hierarchy **out,
                                                   const shoal_table *table, size_t column,
                                                   const shoal_table *levels);

/* Numeric intervals by width, for integers, reals and dates (in days, origin as a day number, 0
 * is 1970-01-01). Level i groups the values of [origin + j*width, origin + (j+1)*width) for
 * whole j; widths ascend, each a multiple of the one before. Labels are "[lo..hi]" with hi the
 * last value inside for integers and dates, "[lo..hi)" for reals. SHOAL_EINVAL: a string
 * column; no width, a width that is not finite, above 0 and a multiple; widths too small or too
 * large for the values. */
SHOAL_API shoal_status shoal_hierarchy_build_widths(shoal_ctx *ctx, shoal_hierarchy **out,
                                                    const shoal_table *table, size_t column,
                                                    double origin, const double *widths,
                                                    size_t width_count);

/* Numeric intervals by ascending break points, one list per level, levels from fine to coarse;
 * each coarser level's breaks are among the finer one's. The breaks of level i are
 * breaks[starts[i]..starts[i+1]), so starts has level_count + 1 entries. Values below the first
 * and from the last break on form intervals of their own: "<18", "[18..64]", ">=65".
 * SHOAL_EINVAL: a string column; no level, a level without breaks; breaks that are not finite,
 * ascending and nested. */
SHOAL_API shoal_status shoal_hierarchy_build_breaks(shoal_ctx *ctx, shoal_hierarchy **out,
                                                    const shoal_table *table, size_t column,
                                                    const double *breaks, const size_t *starts,
                                                    size_t level_count);

/* Prefix masks of a text: "53711" -> "5371*" -> "537**" -> "53***" -> "5****" -> "*". The first
 * `length` characters (not bytes) count, 0 means the length of the longest value; they are
 * masked one by one from the right, so every mask has `length` characters. Values are aligned
 * on the left: a shorter one joins the first mask that hides one of its characters, a longer
 * one is told apart by its first length - 1. SHOAL_ELIMIT: a length of more than
 * SHOAL_LEVELS_MAX - 1. */
SHOAL_API shoal_status shoal_hierarchy_build_prefix(shoal_ctx *ctx, shoal_hierarchy **out,
                                                    const shoal_table *table, size_t column,
                                                    size_t length);

/* Prefixes by separators: values are cut at the characters of `separators` from the right,
 * until the first part is left, which is masked as above. With "." and length 3, "C50.91.2" ->
 * "C50.91" -> "C50" -> "C5*" -> "C**" -> "*"; with length 1 nothing is masked. 0: the length of
 * the longest first part. SHOAL_EINVAL: separators that are not 1 to 16 characters of ASCII
 * without letters, digits and asterisks. SHOAL_ELIMIT: as above. */
SHOAL_API shoal_status shoal_hierarchy_build_parts(shoal_ctx *ctx, shoal_hierarchy **out,
                                                   const shoal_table *table, size_t column,
                                                   const char *separators, size_t length);

/* Dates: day -> month (2024-05) -> quarter (2024-Q2) -> year (2024) -> decade (2020s) -> "*".
 * SHOAL_EINVAL: a column of another type. */
SHOAL_API shoal_status shoal_hierarchy_build_dates(shoal_ctx *ctx, shoal_hierarchy **out,
                                                   const shoal_table *table, size_t column);

/* Codes whose groups are known, by the name of their system:
 *
 *     icd10       A15.0 -> A15 -> A15-A19 -> A00-B99      category, block, chapter (WHO 2019);
 *                 with or without the point, with the marks of national versions
 *     countries   DE, DEU, Germany -> Western Europe -> Europe      ISO 3166, regions of UN M49
 *     nuts        DE212 -> DE21 -> DE2 -> Germany                   regions of Europe
 *     isco        2221 -> 222 -> 22 -> 2 Professionals              occupations, ISCO-08
 *
 * The root is "*"; capitals do not matter. Codes are texts: a column of numbers has lost its
 * leading zeros. Values that are no codes of the system become one group below the root with
 * the label `other`; where that is NULL they are a mistake:
 *   SHOAL_EFORMAT  all of them are counted and up to ten are listed, by the first records that
 *                  have them, or by their text when the context shows values
 *   SHOAL_EINVAL   no such system; `other` is empty, "*", or the label of another group */
SHOAL_API shoal_status shoal_hierarchy_build_codes(shoal_ctx *ctx, shoal_hierarchy **out,
                                                   const shoal_table *table, size_t column,
                                                   const char *system, const char *other);

/* The name of system i, as above, and what it makes in one line; NULL behind the last. */
SHOAL_API const char *shoal_hierarchy_codes_name(size_t i);
SHOAL_API const char *shoal_hierarchy_codes_help(size_t i);

/* From nodes in memory: the building block of the builders above. parents[i] is the parent of
 * node i, which is smaller than i; node 0 is the root; node_of_code[c] is the leaf of code c,
 * for all codes of the column (missing included where there are any). Labels are copied. Nodes
 * without leaves below are left out, and so is a node whose only child has its label.
 * SHOAL_EINVAL: no node or code, a parent that is not smaller, a code whose node is not a leaf
 * of its own, a group without a label, labels that do not lead back to one node. */
SHOAL_API shoal_status shoal_hierarchy_build_tree(shoal_ctx *ctx, shoal_hierarchy **out,
                                                  const char *const *labels,
                                                  const uint32_t *parents, size_t node_count,
                                                  const uint32_t *node_of_code,
                                                  size_t code_count);

/* How much a group of values weighs beside others. */
typedef struct shoal_group_weight {
    const char *label;
    double weight;
} shoal_group_weight;

/* The same hierarchy with weights for some of its groups, in any order; `hierarchy` itself
 * stays as it is. Without one of its own, and unless `hierarchy` has one for it, a group weighs
 * its share of the leaves, the root 1; a leaf weighs nothing. The loss of a group is
 * weight(group) / weight(root).
 *   SHOAL_ENOTFOUND  no such label
 *   SHOAL_EINVAL     a weight that is negative, not finite, above the parent's or below a
 *                    child's; a root of weight 0; a leaf */
SHOAL_API shoal_status shoal_hierarchy_build_weighted(shoal_ctx *ctx, shoal_hierarchy **out,
                                                      const shoal_hierarchy *hierarchy,
                                                      const shoal_group_weight *weights,
                                                      size_t count);

/* NULL is allowed. */
SHOAL_API void shoal_hierarchy_free(shoal_hierarchy *hierarchy);

/* --- Reading it. -------------------------------------------------------------------------- */

/* At least 1 each. */
SHOAL_API size_t shoal_hierarchy_leaf_count(const shoal_hierarchy *h);
SHOAL_API size_t shoal_hierarchy_node_count(const shoal_hierarchy *h);

/* Edges on the longest way from the root to a leaf: 0 when the root is the only leaf. */
SHOAL_API int shoal_hierarchy_height(const shoal_hierarchy *h);

/* Leaf of a dictionary code, and the code of a leaf. */
SHOAL_API uint32_t shoal_hierarchy_leaf(const shoal_hierarchy *h, uint32_t code);
SHOAL_API uint32_t shoal_hierarchy_code(const shoal_hierarchy *h, uint32_t leaf);

/* Of a node. The label is borrowed. The parent of the root is the root. */
SHOAL_API const char *shoal_hierarchy_label(const shoal_hierarchy *h, uint32_t node);
SHOAL_API uint32_t shoal_hierarchy_parent(const shoal_hierarchy *h, uint32_t node);
SHOAL_API int shoal_hierarchy_depth(const shoal_hierarchy *h, uint32_t node);

/* Edges on the longest way from the node down to a leaf; 0 for leaves. */
SHOAL_API int shoal_hierarchy_node_height(const shoal_hierarchy *h, uint32_t node);

/* The run of leaves below a node; a leaf's is itself. */
SHOAL_API uint32_t shoal_hierarchy_first(const shoal_hierarchy *h, uint32_t node);
SHOAL_API uint32_t shoal_hierarchy_last(const shoal_hierarchy *h, uint32_t node);

/* The loss of a node: 0 for a leaf, 1 for the root, else its share of the leaves, or
 * weight(node) / weight(root) where there are weights. */
SHOAL_API double shoal_hierarchy_loss(const shoal_hierarchy *h, uint32_t node);

/* The node of a leaf number. */
SHOAL_API uint32_t shoal_hierarchy_leaf_node(const shoal_hierarchy *h, uint32_t leaf);

/* Closest common ancestor of all leaves from first to last, first <= last. O(1). */
SHOAL_API uint32_t shoal_hierarchy_ancestor(const shoal_hierarchy *h, uint32_t first,
                                            uint32_t last);

/* The ancestor of a leaf at a depth; the leaf's own node when it is not that deep. O(1). */
SHOAL_API uint32_t shoal_hierarchy_ancestor_at(const shoal_hierarchy *h, uint32_t leaf,
                                               int depth);

/* How many children a node has, and child k of them in order. */
SHOAL_API size_t shoal_hierarchy_child_count(const shoal_hierarchy *h, uint32_t node);
SHOAL_API uint32_t shoal_hierarchy_child(const shoal_hierarchy *h, uint32_t node, size_t k);

/* The node with a label, the coarsest if several have it (a group and a value in it); -1 if
 * none has. O(1). */
SHOAL_API int64_t shoal_hierarchy_find(const shoal_hierarchy *h, const char *label,
                                       size_t length);

/* --- Writing it. -------------------------------------------------------------------------- */

/* One line per leaf in order of leaves, "value;level1;...;root"; "-" is the standard output.
 * shoal_hierarchy_build_file reads it back as the same tree. Whole or not at all. */
SHOAL_API shoal_status shoal_hierarchy_write(shoal_ctx *ctx, const shoal_hierarchy *h,
                                             const char *path);

/* As an outline, a label on each line and indented below its group, which is made to be edited
 * by hand; shoal_hierarchy_build_file reads it back as the same tree. */
SHOAL_API shoal_status shoal_hierarchy_write_outline(shoal_ctx *ctx, const shoal_hierarchy *h,
                                                     const char *path);

/* Read a hierarchy file and write it in its other form: paths as an outline, an outline as
 * paths. All its values are kept, in the order of their bytes. Fails as
 * shoal_hierarchy_build_file does. */
SHOAL_API shoal_status shoal_hierarchy_convert(shoal_ctx *ctx, const char *from,
                                               const char *to);

/* As an indented tree for people, groups with the number of their values; "-" is the standard
 * output. At most max_lines lines (0: all); the last one then tells how many are left out.
 * Control characters of labels show as question marks. */
SHOAL_API shoal_status shoal_hierarchy_print(shoal_ctx *ctx, const shoal_hierarchy *h,
                                             const char *path, size_t max_lines);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_HIERARCHY_H */
