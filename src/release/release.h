/* release.h -- what a method makes and all that a measure sees.
 *
 * Three shapes:
 *   classes   records with the same box; every method that partitions
 *   records   a box per record (non-homogeneous generalization): a record is compatible with
 *             several boxes, and a row carries the other values of a record compatible with it
 *   buckets   quasi-identifier unchanged, sensitive values per bucket (Anatomy)
 *
 * A box is one interval per quasi column, stored box after box:
 *
 *     boxes[b * quasi->count + c]      interval of box b in quasi column c
 *     box_of[row]                      box of a record
 *     linked[row]                      records: whose values outside the quasi-identifier the
 *                                      row is published with, a permutation of the rows
 *     bucket_of[row]                   buckets: the bucket whose sensitive values, in no order,
 *                                      are those of its rows
 *
 * Boxes are distinct and sorted (by interval lo, then hi, column after column), so equal inputs
 * give equal numbers; in the shape `classes` a box is an equivalence class of the released
 * table, in the shape `buckets` every box is a single point. Every interval is releasable
 * (quasi.h: close).
 *
 * Rows are those of the table the release was made from or, for a parsed release, the rows of
 * the release file. `omitted` counts records of the original that the release leaves out.
 */
#ifndef SHOAL_I_RELEASE_H
#define SHOAL_I_RELEASE_H

#include "../base/file.h"
#include "../box/quasi.h"

typedef enum shoal_i_shape {
    SHOAL_I_SHAPE_CLASSES,
    SHOAL_I_SHAPE_RECORDS,
    SHOAL_I_SHAPE_BUCKETS
} shoal_i_shape;

/* The name of a shape: "classes". */
const char *shoal_i_shape_name(shoal_i_shape shape);

typedef struct shoal_i_release {
    shoal_i_shape shape;
    const shoal_i_quasi *quasi;
    size_t row_count;
    size_t omitted;
    size_t box_count;
    uint32_t *box_of;        /* row_count entries */
    uint32_t *box_sizes;     /* rows of each box */
    shoal_i_interval *boxes; /* box_count * quasi->count */
    size_t look_count;
    uint32_t *look_of;   /* of each box: those that readers see as one class have one number
                            (looks.h); NULL: all look different */
    uint32_t *linked;    /* row_count entries; NULL: every row carries its own values */
    bool is_test_seeded; /* what protects was drawn by a test's seed: not for publication */
    size_t bucket_count;
    uint32_t *bucket_of; /* row_count entries; NULL unless the shape is buckets */
} shoal_i_release;

/* From a partition: group g holds the rows order[starts[g]] .. order[starts[g + 1] - 1]; order
 * is a permutation of the rows, no group is empty. Boxes are the smallest releasable ones;
 * groups with equal boxes become one class. */
shoal_status shoal_i_release_from_groups(shoal_ctx *ctx, shoal_i_release **out,
                                         const shoal_i_quasi *quasi, const uint32_t *order,
                                         const uint32_t *starts, size_t group_count);

/* From a box per row (rows * quasi->count intervals, closed): rows with equal boxes become one
 * class. */
shoal_status shoal_i_release_from_boxes(shoal_ctx *ctx, shoal_i_release **out,
                                        const shoal_i_quasi *quasi,
                                        const shoal_i_interval *boxes, size_t row_count);

/* From boxes that many rows share: box_of[row] is the number of a row's box among the box_count
 * closed ones; NULL: row i has box i. Equal boxes become one class, boxes without rows none. */
shoal_status shoal_i_release_from_numbered(shoal_ctx *ctx, shoal_i_release **out,
                                           const shoal_i_quasi *quasi,
                                           const shoal_i_interval *boxes, size_t box_count,
                                           const uint32_t *box_of, size_t row_count);

void shoal_i_release_free(shoal_i_release *release);

/* What it loses: the weighted penalties of all rows by their definition, in the order of the
 * boxes. */
double shoal_i_release_ncp(const shoal_i_release *release);

/* The record whose values outside the quasi-identifier a row is published with. */
static inline uint32_t shoal_i_release_source(const shoal_i_release *release, uint32_t row)
{
    return release->linked ? release->linked[row] : row;
}

/* --- Text. ------------------------------------------------------------------------------ */

typedef enum shoal_i_numeric_form {
    SHOAL_I_NUMERIC_RANGE,  /* [24..30]; a single value plain */
    SHOAL_I_NUMERIC_MINMAX, /* two columns, age_min and age_max */
    SHOAL_I_NUMERIC_MEAN,   /* of the records of the class */
    SHOAL_I_NUMERIC_MEDIAN  /* of the records of the class, the lower one of two */
} shoal_i_numeric_form;

typedef enum shoal_i_categorical_form {
    SHOAL_I_CATEGORICAL_LABEL, /* the node's label */
    SHOAL_I_CATEGORICAL_SET    /* {a|b} of the values that occur below the node */
} shoal_i_categorical_form;

typedef struct shoal_i_layout {
    shoal_i_numeric_form numeric;
    shoal_i_categorical_form categorical;
    bool keep_order; /* rows as in the input; otherwise canonical: sorted by released values */
    char delimiter;
    bool is_guarded;     /* formulas of spreadsheets (formula.h) stand behind an apostrophe */
    bool without_header; /* for what is appended to a release */
    const shoal_role *roles; /* of each column of the table; identifiers are not written */
} shoal_i_layout;

/* Write the release of a table (release->quasi->table) as CSV into an open output. *row_order
 * (row_count entries, owned by the caller, free) tells which row of the table each written line
 * came from. Parallel; the same bytes on any number of threads. Canonical order: by box, then
 * by the codes of the other released columns in column order; rows that agree on all of them
 * are interchangeable.
 *
 * Whatever is written by the forms range, min-max, label and set reads back as the interval it
 * was. Where the plain text would not (a value that is itself "*", a value with the label of
 * its group), a set of values stands for it: "*" as a value is written {*}. In a set \ { } |
 * are escaped by a backslash, and \N is the missing value.
 *
 * SHOAL_EINVAL: NAME_min or NAME_max is the name of a column already; a column has the role of
 * a quasi-identifier but is not among those of the release; a delimiter that cannot be one;
 * mean, median or the order of the input for a release of the shape records.
 *
 * A release by buckets has a column of bucket numbers in front (buckets.h) and no sensitive
 * columns; its quasi columns are written by their values, whatever the numeric form. Canonical
 * order there: by bucket, then as above. */
shoal_status shoal_i_release_write(shoal_ctx *ctx, uint32_t **row_order,
                                   const shoal_i_release *release, const shoal_i_layout *layout,
                                   shoal_i_output *output);

/* --- Parsing a release back, ours or another tool's. ------------------------------------ */

/* `file` is the release as a table read with every quasi column as a string. quasi is that of
 * the original; columns are found by name (or as NAME_min and NAME_max). Texts understood: a
 * plain value; `*`; numeric `[20..30]`, `20..30`, `20-30`, `[20, 30]`, `[20, 30[`, `[20, 30)`,
 * `>=20`, `<30`, `{20|25}`; categorical: a node's label, `{a|b}` (value.h has them all).
 *
 * A range covers the original's values inside it; one that covers none is an error, as is a
 * text that means nothing. A cell that counts as missing in the file is the missing value if
 * the original has missing values in that column, else suppressed.
 *
 * SHOAL_EREJECTED: a range of a column with a grid that does not end on it.
 * SHOAL_ENOTFOUND: a quasi column is not in the file. SHOAL_EFORMAT: such a text, with source,
 * line, record and field; the text itself only when ctx->show_values. */
shoal_status shoal_i_release_parse(shoal_ctx *ctx, shoal_i_release **out,
                                   const shoal_i_quasi *quasi, const shoal_table *file);

/* The rows of a file that agree in some of its columns. */
typedef struct shoal_i_row_classes {
    const size_t *columns;
    size_t column_count;
    const uint32_t *of; /* of each row, numbered by first row */
    size_t count;
} shoal_i_row_classes;

/* The same for whoever asks about single rows: the classes have been found by the quasi columns
 * already, and each gets a box, in the order of the file. They are not sorted, and those whose
 * texts differ but mean the same stay apart. */
shoal_status shoal_i_release_parse_classes(shoal_ctx *ctx, shoal_i_release **out,
                                           const shoal_i_quasi *quasi, const shoal_table *file,
                                           const shoal_i_row_classes *classes);

/* The same of a release of other people, some of whom may be those of the original: rows with a
 * text that means no value of the original are one class that covers nobody, whose intervals
 * are SHOAL_I_COVERS_NONE. */
#define SHOAL_I_COVERS_NONE ((shoal_i_interval){.lo = 1, .hi = 0})
shoal_status shoal_i_release_parse_others(shoal_ctx *ctx, shoal_i_release **out,
                                          const shoal_i_quasi *quasi, const shoal_table *file);

#endif /* SHOAL_I_RELEASE_H */
