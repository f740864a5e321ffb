/* distinct.h -- records that agree in every quasi-identifier as one weighted point.
 *
 * Equal records cost nothing together, so whoever looks for cheap groups, near points or cells
 * works on distinct points, of which there are often far fewer:
 *
 *     point   row          weight   records
 *       0     (24, F)        3      records[first[0]] .. records[first[1] - 1]
 *       1     (24, M)        1      ...
 *
 * Points are numbered in lexicographic order of their rows.
 */
#ifndef SHOAL_I_DISTINCT_H
#define SHOAL_I_DISTINCT_H

#include "points.h"

typedef struct shoal_i_distinct {
    const shoal_i_lanes *lanes;
    size_t count;
    int32_t *rows;     /* of the points */
    uint32_t *weights; /* how many records each stands for */
    uint32_t *first;   /* count + 1: where the records of a point start */
    uint32_t *records; /* all records, point after point */
} shoal_i_distinct;

/* What points are made of; read during the call only. */
typedef struct shoal_i_distinct_rows {
    const int32_t *rows;
    size_t count;
    const uint32_t *records;  /* of the rows; NULL: 0, 1, 2, ... */
    const uint32_t *parts;    /* of the rows: points of different parts are different, lower
                                   parts first; NULL: all are in one */
    const size_t *lane_order; /* in which lanes decide about the order; NULL: as they stand */
} shoal_i_distinct_rows;

shoal_status shoal_i_distinct_build(shoal_ctx *ctx, shoal_i_distinct **out,
                                    const shoal_i_lanes *lanes,
                                    const shoal_i_distinct_rows *from);
void shoal_i_distinct_free(shoal_i_distinct *distinct);

/* Number the runs of equal rows, each of so many bytes, in an order in which equal ones stand
 * side by side: first[i] is where run i starts, with the end of the last one behind. Returns
 * how many. */
size_t shoal_i_number_runs(uint32_t *first, const uint32_t *order, size_t count,
                           const void *rows, size_t row_bytes);

static inline const int32_t *shoal_i_distinct_row(const shoal_i_distinct *d, size_t point)
{
    return d->rows + point * d->lanes->count;
}

#endif /* SHOAL_I_DISTINCT_H */
