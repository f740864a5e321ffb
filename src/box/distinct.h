/* distinct.h -- records that agree in every quasi-identifier as one weighted point.
 *
 * Equal records cost nothing together, so methods that look for cheap groups work on distinct
 * points, of which there are often far fewer:
 *
 *     point   row          records
 *       0     (24, F)      records[first[0]] .. records[first[1] - 1]
 *       1     (24, M)      ...
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
    uint32_t *first;   /* count + 1: where the records of a point start */
    uint32_t *records; /* all records, point after point */
} shoal_i_distinct;

/* rows[i] is the row of record ids[i]; both are read during the call only. */
shoal_status shoal_i_distinct_build(shoal_ctx *ctx, shoal_i_distinct **out,
                                    const shoal_i_lanes *lanes, const int32_t *rows,
                                    const uint32_t *ids, size_t count);
void shoal_i_distinct_free(shoal_i_distinct *distinct);

static inline const int32_t *shoal_i_distinct_row(const shoal_i_distinct *d, uint32_t point)
{
    return d->rows + (size_t)point * d->lanes->count;
}

/* How many records a point stands for. */
static inline uint32_t shoal_i_distinct_weight(const shoal_i_distinct *d, uint32_t point)
{
    return d->first[point + 1] - d->first[point];
}

#endif /* SHOAL_I_DISTINCT_H */
