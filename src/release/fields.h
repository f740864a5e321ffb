/* fields.h -- what a release hands out: its columns, and the order of its rows.
 *
 *     table       name  age  zip  ill           released   age  zip  ill
 *     role         id    q    q    s            min-max    age_min  age_max  zip  ill
 *                                               buckets    bucket  age  zip
 *
 * The same for a file (release_write.c) and for columns in memory (release_table.h).
 */
#ifndef SHOAL_I_FIELDS_H
#define SHOAL_I_FIELDS_H

#include "cells.h"

#define SHOAL_I_FIELD_BUCKET SIZE_MAX    /* in place of a column: the number of the bucket */
#define SHOAL_I_FIELD_NOT_QUASI SIZE_MAX /* in place of a quasi column */

typedef struct shoal_i_field {
    size_t column; /* of the table, or SHOAL_I_FIELD_BUCKET */
    size_t c;      /* quasi column, or SHOAL_I_FIELD_NOT_QUASI */
    shoal_i_cells_part part;
    char *name; /* that it is released by */
} shoal_i_field;

/* Starts as {0}. */
typedef struct shoal_i_fields {
    shoal_i_field *items;
    size_t count;
    size_t *plain; /* columns of the table that are released as they are */
    size_t plain_count;
} shoal_i_fields;

/* SHOAL_EINVAL: NAME_min or NAME_max is the name of a column already; a column has the role of
 * a quasi-identifier but is not among those of the release; mean, median or the order of the
 * input for a release of the shape records. Clear it after a failure, too. */
shoal_status shoal_i_fields_plan(shoal_ctx *ctx, shoal_i_fields *out,
                                 const shoal_i_release *release, const shoal_i_layout *layout);
void shoal_i_fields_clear(shoal_i_fields *fields);

/* The rows of a release in the order in which they are handed out. Starts as {0}. */
typedef struct shoal_i_line_order {
    uint32_t *lines;  /* rows in that order */
    uint32_t *rows;   /* class after class, which may be `lines`; NULL: not needed */
    uint32_t *starts; /* of each class in rows */
} shoal_i_line_order;

/* Canonical order: by box, then by the codes of plain columns in column order; by buckets: by
 * bucket, then so. rows and starts are there where means or medians need them. */
shoal_status shoal_i_line_order_find(shoal_ctx *ctx, shoal_i_line_order *out,
                                     const shoal_i_release *release,
                                     const shoal_i_layout *layout,
                                     const shoal_i_fields *fields);
void shoal_i_line_order_clear(shoal_i_line_order *order);

#endif /* SHOAL_I_FIELDS_H */
