/* ready.h -- columns made ready before a method sees them.
 *
 * Of any column that is released a spec may say that it is not to be released as fine as it is:
 *
 *     round         numbers become the nearest multiple          round: 5   23 -> 25
 *     top, bottom   numbers that are then above (below) become this one    top: 90   91 -> 90
 *     truncate      texts keep so many characters                truncate: 3   C50.9 -> C50
 *     generalize    values become their labels of a level of the column's hierarchy, counted
 *                   from its finest: 0 are the values themselves
 *
 *     rare          values that fewer records have become one below each group (ready_rare.h)
 *     coarsest      of a quasi column: the coarsest level that may be released (coarsest.h)
 *
 * This is a function from a table to a table. What comes out is the original to all that
 * follows: methods, the verifier, measures, with what was lost here shown apart. Of a quasi
 * column a level is the least that can be released; its hierarchy goes on from there.
 */
#ifndef SHOAL_I_READY_H
#define SHOAL_I_READY_H

#include "../../report/report.h"
#include "../../spec/spec.h"

/* Whether the spec says so of a column; of any. */
bool shoal_i_is_made_ready(const shoal_i_spec_column *column);
bool shoal_i_spec_makes_ready(const shoal_spec *spec);

/* Whether it says something that numbers are needed for. */
bool shoal_i_is_made_ready_as_number(const shoal_i_spec_column *column);

/* Whether rare values are merged anywhere, which takes all records at once. */
bool shoal_i_spec_merges_rare(const shoal_spec *spec);

/* What can be said before a file is read. SHOAL_EINVAL: steps that contradict each other, a
 * level without a hierarchy, a column without a role, or one that is never released. */
shoal_status shoal_i_ready_check(shoal_ctx *ctx, const shoal_i_spec_column *column);

/* SHOAL_EUNSUPPORTED when the spec has columns made ready by what all of their values decide: a
 * level of a hierarchy. Parts of a table (division.h) do not know them. */
shoal_status shoal_i_ready_refuse_whole(shoal_ctx *ctx, const shoal_spec *spec);

/* The depth that a released label of a quasi column has at least, by its coarsest level; h is
 * the hierarchy that it is released by. SHOAL_EINVAL: a level that the hierarchy lacks. */
struct shoal_i_readied;
shoal_status shoal_i_coarsest_depth(shoal_ctx *ctx, int *out, const shoal_i_spec_column *column,
                                    const struct shoal_i_readied *readied, size_t at,
                                    const shoal_hierarchy *h);

typedef struct shoal_i_readied {
    shoal_table *table;
    size_t column_count;
    uint32_t **maps;               /* of each column that was made ready: code -> code */
    shoal_hierarchy **levels;      /* of each that is generalized: of its values before */
    shoal_hierarchy **hierarchies; /* of each column; NULL but where a quasi column has a least
                                      level */
    shoal_i_made_ready *columns;   /* those that were made ready */
    size_t count;
} shoal_i_readied;

/* Starts as {0}. What is taken out of it is set to NULL before. */
void shoal_i_readied_clear(shoal_i_readied *readied);

/* Make the columns of a table ready. The result holds the table where it still needs it.
 * SHOAL_EINVAL: a step for numbers on a column of something else, or one for texts on numbers;
 * a level that the hierarchy lacks. */
shoal_status shoal_i_make_ready(shoal_ctx *ctx, shoal_i_readied *out, const shoal_table *table,
                                const shoal_spec *spec);

/* The same in two steps, where records are not at hand: their values, which give table and
 * maps; and, once records are counted, what that cost and the hierarchies.
 * counts[column][code]: records of the table before, missing ones included, of each column that
 * has a map. */
shoal_status shoal_i_ready_values(shoal_ctx *ctx, shoal_i_readied *out,
                                  const shoal_table *table, const shoal_spec *spec);
shoal_status shoal_i_ready_finish(shoal_ctx *ctx, shoal_i_readied *out,
                                  const shoal_table *table, uint64_t *const *counts,
                                  const shoal_spec *spec);

/* What labels are held against: the hierarchies of an original's columns, before they were
 * generalized and as they are released by. */
typedef struct shoal_i_ready_known {
    const shoal_i_readied *readied;
    const shoal_table *original;
    shoal_hierarchy *const *hierarchies;
} shoal_i_ready_known;

/* Check in the texts of a release that it was done: no number above or below, none that is no
 * multiple, no text that is longer, none that is finer than its least level or coarser than its
 * coarsest. Knows nothing of how it is done but the hierarchies; known is NULL: they are not at
 * hand. Columns of the release that were skipped are not looked at. SHOAL_EREJECTED. */
shoal_status shoal_i_ready_verify(shoal_ctx *ctx, const shoal_table *release,
                                  const shoal_spec *spec, const shoal_i_ready_known *known);

/* The same of a file, of which those columns are read and nothing else. */
shoal_status shoal_i_ready_verify_file(shoal_ctx *ctx, const char *path, const shoal_spec *spec,
                                       const shoal_i_ready_known *known);

#endif /* SHOAL_I_READY_H */
