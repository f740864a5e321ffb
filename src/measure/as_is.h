/* as_is.h -- what columns that are released as they are add to the quasi-identifier.
 *
 * They are not generalized, so whoever knows one of them can look a record up by it. How many
 * records are alone when all of them are known beside what is released of the
 * quasi-identifier:
 *
 *     released age   ward        by age alone nobody is unique, by age and ward two are
 *     [20..29]       north
 *     [20..29]       north
 *     [20..29]       south   *
 *     [30..39]       north   *
 *     [30..39]       south
 *     [30..39]       south
 */
#ifndef SHOAL_I_AS_IS_H
#define SHOAL_I_AS_IS_H

#include "../release/release.h"

typedef struct shoal_i_as_is_column {
    size_t column;     /* of the table */
    uint64_t distinct; /* values, a missing one included */
    uint64_t unique;   /* of them: that one record has */
} shoal_i_as_is_column;

/* Starts as {0}. */
typedef struct shoal_i_as_is {
    shoal_i_as_is_column *columns;
    size_t count;
    uint64_t unique_before;  /* records that are alone by the released quasi-identifier; */
    uint64_t unique_records; /* by it and these columns together */
} shoal_i_as_is;

/* Look at these columns of the table that a release was made from. Time and memory are linear
 * in records and values. */
shoal_status shoal_i_as_is_find(shoal_ctx *ctx, shoal_i_as_is *out,
                                const shoal_i_release *release, const size_t *columns,
                                size_t count);
void shoal_i_as_is_clear(shoal_i_as_is *as_is);

#endif /* SHOAL_I_AS_IS_H */
