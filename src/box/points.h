/* points.h -- records and groups as rows of integer lanes, so that the penalty of joining them
 * is a handful of vector instructions.
 *
 * Every quasi column becomes one or more lanes of 32-bit integers:
 *
 *   numeric      one lane: the value's place between the column's smallest and largest, in
 *                fixed point, the column's weight included
 *   categorical  one lane per depth below the root: the number of the value's ancestor there (a
 *                value that is not that deep repeats itself)
 *
 * A group is two rows, the lane-wise minimum `lo` and maximum `hi`; a record is a group with lo
 * = hi. For the union of two groups let t = max(hi, hi') - min(lo, lo') in each lane. Then
 *
 *     penalty of the union = sum over numeric lanes of t
 *                          + sum over categorical lanes of (t > 0 ? climb : 0)
 *
 * where climb is what the penalty grows by when the ancestor of that lane must be given up
 * for its parent. Along the way up from any one value of the group the climbs
 * add up to the penalty of the closest common ancestor, so they are taken from one member of
 * either group.
 *
 * All is integer arithmetic in units of which SHOAL_I_PENALTY_ONE make up the loss of a fully
 * suppressed record. So sums do not depend on their order, and vector and plain code, any
 * number of threads and any machine agree to the bit. Penalties here steer the search; what is
 * reported is computed from the definition (quasi.h).
 *
 * A kept missing value of a numeric column lies a full range above the largest value.
 *
 * With a grid a number lies in the middle of its cell: what a union costs is then its penalty
 * less that of a cell or so, which all unions have in common.
 */
#ifndef SHOAL_I_POINTS_H
#define SHOAL_I_POINTS_H

#include "quasi.h"

#include <string.h>

#define SHOAL_I_PENALTY_ONE (1 << 29)

/* Lanes per row at most: 64 KiB rows are far beyond any real quasi-identifier. */
#define SHOAL_I_LANES_MAX 16384

/* Rows are padded to a multiple of this many lanes; padding is 0 and costs nothing. */
#define SHOAL_I_LANES_STEP 4

struct shoal_i_kernels;

/* A lane of a hierarchy. */
typedef struct shoal_i_tree_lane {
    size_t lane;
    bool goes_on;          /* the lane before it is the depth above */
    const int32_t *climbs; /* of each node of the hierarchy; 0 of the root */
} shoal_i_tree_lane;

/* How the columns of a quasi-identifier are laid out in lanes. */
typedef struct shoal_i_lanes {
    const shoal_i_quasi *quasi;
    size_t count;     /* lanes of a row, a multiple of SHOAL_I_LANES_STEP */
    int32_t *is_tree; /* per lane: -1 categorical, 0 numeric or padding */
    int32_t *most;    /* per lane: the spread above which a box loses no more */
    size_t *first;    /* per quasi column: its first lane; one more entry closes the last */
    int32_t **coordinates; /* per quasi column: numeric: lane value of each code; else NULL */
    int32_t **climbs;      /* per quasi column: categorical: climb of each node; else NULL */
    shoal_i_tree_lane *trees; /* the categorical lanes, in their order */
    size_t tree_count;
    const struct shoal_i_kernels *kernels; /* vector code where the processor has it */
} shoal_i_lanes;

shoal_status shoal_i_lanes_build(shoal_ctx *ctx, shoal_i_lanes **out,
                                 const shoal_i_quasi *quasi);
void shoal_i_lanes_free(shoal_i_lanes *lanes);

/* Fill the rows of records first..first+count-1 of the table; out holds count rows. scratch:
 * count codes. */
void shoal_i_lanes_fill(const shoal_i_lanes *lanes, int32_t *out, size_t first, size_t count,
                        uint32_t *scratch);

/* All records as rows, in the table's order; parallel. Release *rows with free(). */
shoal_status shoal_i_lanes_rows(shoal_ctx *ctx, int32_t **rows, const shoal_i_lanes *lanes);

/* Copy a row. Rows are short: a call of memcpy would take longer than the bytes. */
static inline void shoal_i_row_copy(const shoal_i_lanes *lanes, int32_t *to,
                                    const int32_t *from)
{
    for (size_t lane = 0; lane < lanes->count; lane += SHOAL_I_LANES_STEP) {
        memcpy(to + lane, from + lane, SHOAL_I_LANES_STEP * sizeof *to);
    }
}

/* A group prepared for being compared with many: its two rows and the climbs of one member. The
 * rows are borrowed. */
typedef struct shoal_i_probe {
    const int32_t *lo;
    const int32_t *hi;
    int32_t *climb; /* lanes->count entries, the caller's */
} shoal_i_probe;

/* Set the climbs from a member, given as its row (or the lo row of a group that is a record).
 */
void shoal_i_probe_set(shoal_i_probe *probe, const shoal_i_lanes *lanes, const int32_t *lo,
                       const int32_t *hi, const int32_t *member);

#endif /* SHOAL_I_POINTS_H */
