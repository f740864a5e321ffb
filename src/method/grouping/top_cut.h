/* top_cut.h -- the cut that mondrian makes, from counts alone.
 *
 * Where to cut a set of records depends on how often each value occurs in each column, not on
 * which records have it. Counts can be taken from a file, and those of several files added up;
 * so a table that no memory holds can be cut as mondrian would cut it:
 *
 *     count the values of the file --> find the cut --> route the records into two files
 *
 * Cuts are listed as mondrian in its strict, binary form would try them: on the column with the
 * widest penalty first, between two values (of a hierarchy: between two children of the closest
 * common ancestor), nearest to the median first. The first whose sides both meet the
 * requirement is the one that mondrian makes; as both sides can then be released by themselves,
 * any method may go on from there. Where sizes are all that is asked for, that is the first of
 * the list.
 */
#ifndef SHOAL_I_TOP_CUT_H
#define SHOAL_I_TOP_CUT_H

#include "../../box/quasi.h"

/* Records with a smaller code than `code` in quasi column `column` go to the front: `front` of
 * them. */
typedef struct shoal_i_top_cut {
    size_t column;
    uint32_t code;
    uint64_t front;
} shoal_i_top_cut;

/* All cuts that leave `least` records on both sides, in that order; free *cuts.
 * counts[c][code]: records with that code of quasi column c; of each column they add up to
 * total. O(v log v) for v values in all columns together. */
shoal_status shoal_i_top_cut_list(shoal_ctx *ctx, shoal_i_top_cut **cuts, size_t *count,
                                  const shoal_i_quasi *quasi, uint64_t *const *counts,
                                  uint64_t total, uint64_t least);

/* How far from the median a cut is, twice the records. */
static inline uint64_t shoal_i_top_cut_distance(const shoal_i_top_cut *cut, uint64_t total)
{
    return 2 * cut->front > total ? 2 * cut->front - total : total - 2 * cut->front;
}

#endif /* SHOAL_I_TOP_CUT_H */
