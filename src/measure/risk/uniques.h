/* uniques.h -- which sets of columns single which records out.
 *
 * Records that are equal in all columns are one point. The search walks the sets depth first,
 * each as a refinement of the one it extends:
 *
 *     {}  ──► {2} ──► {2,0}
 *                 ──► {2,1} ──► {2,1,0}        sets grow by smaller and smaller columns
 *
 * A point that is alone in its class is singled out, and leaves: it is alone in all further
 * refinements, and nobody's company there. So deeper sets have less to look at. What was found
 * is one bit per set and point that can be singled out at all, that is, stands for one record.
 */
#ifndef SHOAL_I_UNIQUES_H
#define SHOAL_I_UNIQUES_H

#include "column_sets.h"

typedef struct shoal_i_uniques {
    size_t column_count;
    size_t point_count;
    uint32_t **codes;    /* of each column, by point */
    size_t *value_count; /* of each column, the missing value included */
    uint32_t *unique_of; /* of each point: its place among those that are one record, or
                            UINT32_MAX */
    size_t unique_count;
    size_t word_count; /* of the bits of one set */
    shoal_i_column_sets sets;
    uint64_t *bits; /* set after set, a bit for each unique point: it was alone, and had not
                       left before */
} shoal_i_uniques;

/* The points of a quasi-identifier, given which one each record is. *out is zeroed before;
 * clear it on failure too. */
shoal_status shoal_i_uniques_load(shoal_ctx *ctx, shoal_i_uniques *out,
                                  const shoal_i_quasi *quasi, const uint32_t *point_of,
                                  size_t point_count);

/* Find the bits of all of uniques->sets, which the caller has set. Parallel; time grows with
 * points * sets. */
shoal_status shoal_i_uniques_find(shoal_ctx *ctx, shoal_i_uniques *uniques);

void shoal_i_uniques_clear(shoal_i_uniques *uniques);

#endif /* SHOAL_I_UNIQUES_H */
