/* top_cut.h -- the cut that mondrian makes, from counts alone.
 *
 * Where to cut a set of records depends on how often each value occurs in each column, not on
 * which records have it. Counts can be taken from a file, and those of several files added up; so
 * a table that no memory holds can be cut as mondrian would cut it:
 *
 *     count the values of the file --> find the cut --> route the records into two files --> ...
 *
 * The cut is the one of mondrian in its strict, binary form under k-anonymity: on the column with
 * the widest penalty that allows one, between two values (of a hierarchy: between two children of
 * the closest common ancestor), nearest to the median of those that leave `least` records on both
 * sides. As both sides can be released by themselves, any method may go on from there.
 */
#ifndef SHOAL_I_TOP_CUT_H
#define SHOAL_I_TOP_CUT_H

#include "../box/quasi.h"

/* Records with a smaller code than `code` in quasi column `column` go to the front: `front` of
 * them. */
typedef struct shoal_i_top_cut {
    size_t column;
    uint32_t code;
    uint64_t front;
} shoal_i_top_cut;

/* counts[c][code]: records with that code of quasi column c; of each column they add up to total.
 * False: no column allows a cut. O(columns * values). */
bool shoal_i_top_cut_find(shoal_i_top_cut *cut, const shoal_i_quasi *quasi,
                          uint64_t *const *counts, uint64_t total, uint64_t least);

#endif /* SHOAL_I_TOP_CUT_H */
