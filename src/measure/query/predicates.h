/* predicates.h -- the predicates by which large populations are told apart.
 *
 * Of each quasi column: every node of its hierarchy, values included, that enough records have
 * but not all. A numeric column without hierarchy gets halves: all values are parted into two
 * runs of as equal numbers of records as can be, these again, and so on down to single values;
 * every run is a node; unless it is given a tree of intervals of its own.
 *
 * A predicate is a run of codes, and the records that have one of them, as bits.
 */
#ifndef SHOAL_I_PREDICATES_H
#define SHOAL_I_PREDICATES_H

#include "axis.h"

typedef struct shoal_i_predicate {
    size_t column; /* quasi column */
    uint32_t first;
    uint32_t last;
    uint32_t support;     /* records */
    const uint64_t *bits; /* of the records, word after word */
} shoal_i_predicate;

typedef struct shoal_i_predicates {
    size_t count;
    shoal_i_predicate *items; /* by column, then by first code, wider ones first */
    size_t *starts;           /* of each quasi column into items; one more entry closes */
    size_t word_count;        /* of the bits of a predicate */
    uint64_t *bits;
} shoal_i_predicates;

/* Those with a support of at least `support`, records of the quasi's table. trees: NULL, or of
 * each quasi column without hierarchy the tree that its predicates are nodes of, NULL for
 * halves. SHOAL_EINVAL: a tree whose nodes are not runs of values. Parallel over the
 * predicates. */
shoal_status shoal_i_predicates_find(shoal_ctx *ctx, shoal_i_predicates *out,
                                     const shoal_i_quasi *quasi,
                                     const shoal_hierarchy *const *trees, uint32_t support);
void shoal_i_predicates_clear(shoal_i_predicates *predicates);

#endif /* SHOAL_I_PREDICATES_H */
