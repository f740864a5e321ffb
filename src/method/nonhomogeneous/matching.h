/* matching.h -- a regular bipartite graph as a sum of perfect matchings, and one of them at
 * random.
 *
 * A bipartite graph in which every node has the same degree d is the sum of d perfect matchings
 * without a common edge (Koenig 1916). They are found by halving:
 *
 *     d even   walk along the edges in closed tours, each edge once, taking a random edge that
 *              is left at every node. Edges walked from left to right are one half, those
 *              walked back the other: each node has d/2 of both (an Euler split).
 *     d odd    find one perfect matching by random alternating walks and take it out.
 *
 * Numbers: of d matchings, those of the first half are 0..d/2-1; one that is taken out is
 * number d-1. To get number r only the parts that contain it are looked at: O(nodes * d) steps
 * instead of O(nodes * d * log d) for all.
 *
 * What randomness gives. The split of the edges into matchings is fixed by the source's draws,
 * and the number is the caller's. When it is drawn evenly, independent of the rest, each edge
 * is in the matching with probability exactly 1/d, whatever the tours were: each is in exactly
 * one of the d. The random tours make the matchings irregular, so that one edge known does not
 * tell the others.
 *
 * A. Goel, M. Kapralov, S. Khanna, "Perfect matchings in O(n log n) time in regular bipartite
 * graphs", STOC 2010, for the walks; H. N. Gabow, "Using Euler
 * partitions to edge color bipartite multigraphs", 1976, for the halving.
 */
#ifndef SHOAL_I_MATCHING_H
#define SHOAL_I_MATCHING_H

#include "../../base/entropy.h"

/* Node i on the left has the edges right[i * degree] .. right[(i + 1) * degree - 1], given as
 * nodes on the right; every node on the right has `degree` edges too. count * degree is below
 * UINT32_MAX. */
typedef struct shoal_i_regular_graph {
    size_t count;  /* of nodes on either side */
    size_t degree; /* at least 1 */
    const uint32_t *right;
} shoal_i_regular_graph;

/* Perfect matching `number`, below the degree, of the sum that the draws decide on:
 * matched[i] becomes the node on the right of node i. Sources that give the same draws give for
 * the numbers 0..degree-1 all matchings of one sum. */
shoal_status shoal_i_matching_find(shoal_ctx *ctx, uint32_t *matched,
                                   const shoal_i_regular_graph *graph, size_t number,
                                   shoal_i_entropy *entropy);

#endif /* SHOAL_I_MATCHING_H */
