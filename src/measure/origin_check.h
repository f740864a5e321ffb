/* origin_check.h -- whether a release can be one of its original.
 *
 * Every row must be able to stand for a record of its own: there must be a matching of all rows
 * to records that lie in their boxes (compatible.h). That is decided as it stands for small
 * tables. For large ones, where it would take far longer than what is measured afterwards, it
 * is decided in each column by itself: rows are intervals there and records points, and taking
 * the intervals by their upper end, each with the lowest point that is left for it, finds a
 * matching if there is one. That is necessary, not sufficient; it tells a file that was
 * mistaken for another.
 */
#ifndef SHOAL_I_ORIGIN_H
#define SHOAL_I_ORIGIN_H

#include "../release/release.h"

/* Records up to which the whole is decided. */
#define SHOAL_I_ORIGIN_WHOLE ((size_t)10000)

#define SHOAL_I_ORIGIN_ALL SIZE_MAX

typedef struct shoal_i_origin_verdict {
    size_t lost;   /* rows that find no record; 0: it can belong to the original */
    size_t row;    /* the first of those whose box is in want of records */
    size_t column; /* of the quasi-identifier, in which they find none; SHOAL_I_ORIGIN_ALL: it
                      takes all columns to see it */
} shoal_i_origin_verdict;

/* Of a release with no more rows than its original has records, up to `whole` records as a
 * whole. Rows in the order of the records are seen without a search. */
shoal_status shoal_i_origin_check(shoal_ctx *ctx, shoal_i_origin_verdict *out,
                                  const shoal_i_release *parsed, size_t whole);

#endif /* SHOAL_I_ORIGIN_H */
