/* axis.h -- a quasi column as a line on which released values have a length.
 *
 * A reader of a release knows that a value lies in [24..30] and, for want of better knowledge,
 * takes every value in there as equally likely. What "every value" means depends on the column:
 *
 *     category            the values below the node, one unit each: code c covers [c, c + 1]
 *     integer, date       the whole numbers: 24 covers [24, 25], so [24..30] is 7 long
 *     real                a continuum: [1.5..2] is 0.5 long; a single number is a point
 *     missing             behind the numbers, as long as a number is on average
 *
 * A predicate is a set of segments of the line, and the share of a released value that it
 * selects is |segments within the value| / |value|. Nothing here depends on which of the
 * numbers occur in the original, so that a reader without the original finds the same shares.
 *
 * Masses other than lengths (marginal.h) replace |.| by what the column holds there.
 */
#ifndef SHOAL_I_AXIS_H
#define SHOAL_I_AXIS_H

#include "../../box/quasi.h"

/* A closed stretch of an axis; from = to: a point. */
typedef struct shoal_i_segment {
    double from;
    double to;
} shoal_i_segment;

typedef struct shoal_i_axis {
    size_t count;     /* codes of the column */
    bool is_numeric;  /* values can be added up */
    bool has_missing; /* the last code is no number */
    bool is_whole;    /* values have a length: all but reals */
    double *starts;   /* by code, ascending */
    double *ends;     /* by code, ascending; equal to the start: a point */
    double *lower; /* with a grid: by code, where a range that starts with it does; else NULL */
    double *upper; /* with a grid: where one that ends with it does */
    double *sums;  /* numbers with a hierarchy: of all codes before each; count + 1 entries */
    size_t knot_count; /* 0: mass is length */
    double *knots;     /* ascending; mass grows evenly from one to the next */
    double *masses;    /* up to each knot */
} shoal_i_axis;

shoal_status shoal_i_axis_init(shoal_ctx *ctx, shoal_i_axis *out, const shoal_i_quasi *quasi,
                               size_t c);
void shoal_i_axis_clear(shoal_i_axis *axis);

/* Where a released interval lies: by a grid, up to the ends that are published. */
static inline shoal_i_segment shoal_i_axis_place(const shoal_i_axis *axis,
                                                 shoal_i_interval interval)
{
    return axis->lower ? (shoal_i_segment){axis->lower[interval.lo], axis->upper[interval.hi]}
                       : (shoal_i_segment){axis->starts[interval.lo], axis->ends[interval.hi]};
}

/* The stretch that a run of codes stands for as a predicate: up to where the next code starts,
 * so that neighbouring runs leave nothing between them. */
shoal_i_segment shoal_i_axis_cover(const shoal_i_axis *axis, uint32_t first, uint32_t last);

/* The share of a released value, at place, that disjoint segments select, in [0, 1]. */
double shoal_i_axis_share(const shoal_i_axis *axis, shoal_i_segment place,
                          const shoal_i_segment *segments, size_t count);

/* chosen[code] for every code: whether a segment selects it. A value is where it starts.
 * Segments ascend. */
void shoal_i_axis_choose(const shoal_i_axis *axis, bool *chosen,
                         const shoal_i_segment *segments, size_t count);

/* What a record inside a released value, at place, adds to the sum of the values that disjoint
 * segments select, by expectation: its number where it is selected, else 0. is_numeric only;
 * missing adds nothing. */
double shoal_i_axis_moment(const shoal_i_axis *axis, shoal_i_segment place,
                           const shoal_i_segment *segments, size_t count);

#endif /* SHOAL_I_AXIS_H */
