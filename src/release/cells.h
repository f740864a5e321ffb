/* cells.h -- the texts of one released column, ready to be copied into lines.
 *
 * Each distinct text is made and quoted once, with the delimiter or line end that follows it:
 *
 *     starts   0          9     13              count + 1 entries
 *     bytes    [24..30],  31,   ...
 *
 * A released quasi column has such texts too, and for each box the number of its text.
 */
#ifndef SHOAL_I_CELLS_H
#define SHOAL_I_CELLS_H

#include "release.h"

typedef struct shoal_i_cells {
    char *bytes;
    size_t *starts;
    size_t count;
    size_t widest;    /* length of the longest text */
    uint32_t *of_box; /* quasi columns: text of each box; NULL: texts go by dictionary code */
} shoal_i_cells;

/* What a released column shows of a quasi column. */
typedef enum shoal_i_cells_part {
    SHOAL_I_CELLS_VALUE, /* the generalized value */
    SHOAL_I_CELLS_MIN,
    SHOAL_I_CELLS_MAX,
    SHOAL_I_CELLS_MEAN,
    SHOAL_I_CELLS_MEDIAN
} shoal_i_cells_part;

/* How the texts are written. */
typedef struct shoal_i_cells_format {
    shoal_i_categorical_form categorical;
    char delimiter; /* what makes quotes necessary */
    char end;       /* behind each text: the delimiter or a line end */
    bool is_only;  /* of a file of one column, in which a reader takes a comma for the delimiter
                    */
    bool is_plain; /* the texts alone: no quotes, no end */
    bool is_guarded; /* an apostrophe before what is a formula (formula.h) */
} shoal_i_cells_format;

/* The texts of a column as the table has them, by dictionary code, missing last. */
shoal_status shoal_i_cells_from_column(shoal_ctx *ctx, shoal_i_cells *out,
                                       const shoal_table *table, size_t column,
                                       const shoal_i_cells_format *format);

/* The numbers 1 to count, by number less one. */
shoal_status shoal_i_cells_from_numbers(shoal_ctx *ctx, shoal_i_cells *out, size_t count,
                                        const shoal_i_cells_format *format);

/* The rows of each box, as row_order.h has them; NULL where nobody needs them. */
typedef struct shoal_i_box_rows {
    const uint32_t *rows;
    const uint32_t *starts;
} shoal_i_box_rows;

/* The texts of quasi column c. Mean and median need the rows of each box. */
shoal_status shoal_i_cells_from_boxes(shoal_ctx *ctx, shoal_i_cells *out,
                                      const shoal_i_release *release, size_t c,
                                      shoal_i_cells_part part,
                                      const shoal_i_cells_format *format,
                                      shoal_i_box_rows rows);

void shoal_i_cells_clear(shoal_i_cells *cells);

#endif /* SHOAL_I_CELLS_H */
