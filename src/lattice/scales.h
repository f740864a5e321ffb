/* scales.h -- points at coarser and coarser levels of their columns.
 *
 * Level 0 of a column is the value itself; the next levels of a categorical column are the
 * ancestors, those of a numeric one are equal parts of its range, at least twice as wide at
 * each level; at the last level all values are one. A node is one level per column. Points that
 * agree at a node form a cell of it, and get the same key there:
 *
 *     key of a point at a node = sum over columns of the key of its value at the level
 *
 * Keys are 64 random-looking bits. Two cells with one key would be taken for one, which is a
 * dearer group but still a group, so nothing depends on its never happening.
 */
#ifndef SHOAL_I_SCALES_H
#define SHOAL_I_SCALES_H

#include "../box/distinct.h"

/* Levels of one column at most: a node is one byte per column. */
#define SHOAL_I_LEVELS_MAX 64

typedef struct shoal_i_scale_column {
    size_t level_count; /* at least 1; the last holds all values */
    size_t value_count; /* different values of the points */
    uint64_t *keys;     /* level_count * value_count */
    double *penalties;  /* per level: mean penalty of a record there, or a little more */
    /* level_count * value_count: the penalty of all values that are one with it there */
    int32_t *losses;
    bool is_complete; /* whether every interval that can be published is one part of a level */
    unsigned *halvings; /* numeric, per level but the first: how often the range is halved */
    uint64_t range;     /* numeric */
} shoal_i_scale_column;

typedef struct shoal_i_scales {
    size_t column_count;
    shoal_i_scale_column *columns;
    size_t point_count;
    uint32_t *values; /* column after column: the number of each point's value */
} shoal_i_scales;

/* The finest parts of a numeric column are its range halved numeric_halvings times. Columns are
 * built in parallel. */
shoal_status shoal_i_scales_build(shoal_ctx *ctx, shoal_i_scales **out,
                                  const shoal_i_distinct *points, unsigned numeric_halvings);

/* Leave out the levels of numeric columns that are finer than so many halvings. */
void shoal_i_scales_coarsen(shoal_i_scales *scales, unsigned numeric_halvings);

void shoal_i_scales_free(shoal_i_scales *scales);

/* The keys at a node (one level per column) of `count` points whose value numbers are given
 * column after column, `stride` apart. A column at its last level adds nothing. */
void shoal_i_scales_keys(const shoal_i_scales *scales, const uint8_t *node, uint64_t *keys,
                         const uint32_t *values, size_t stride, size_t count);

/* The mean penalty of a record at a node. */
double shoal_i_scales_penalty(const shoal_i_scales *scales, const uint8_t *node);

#endif /* SHOAL_I_SCALES_H */
