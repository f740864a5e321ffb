/* compatible.h -- which records a published row could stand for, when rows have boxes of their own.
 *
 * A record and a row are compatible when the record lies in the box of the row. Whoever knows all
 * records knows this graph; he also knows that rows and records belong together one by
 * one, so an edge that is in no perfect matching tells him nothing new: it cannot be true.
 * The edges that count are those in some perfect matching.
 *
 * Given one perfect matching, let a pair be a row and the record matched to it, and let pair a
 * lead to pair b when the record of a lies in the box of b. Then the edge between the record
 * of a and the row of b is in some perfect matching exactly when a and b reach each other
 * (T. Tassa, "Finding all maximally-matchable edges in a bipartite graph", 2012,
 * doi:10.1016/j.tcs.2011.12.071).
 *
 * The graph may have far more edges than fit into memory. So it is never stored: records stand in
 * a tree of small boxes, in which neighbours are looked up, those seen already being left out.
 * Nothing here knows how a release was made.
 */
#ifndef SHOAL_I_COMPATIBLE_H
#define SHOAL_I_COMPATIBLE_H

#include "../release/release.h"

#define SHOAL_I_NO_ITEM UINT32_MAX

/* A node of the tree; of a leaf only the first items are its own. Bounds are in the arrays below,
 * `width` per node. */
typedef struct shoal_i_compatible_node {
    uint32_t first; /* place of its first item */
    uint32_t count;
    uint32_t left; /* items that are not removed */
} shoal_i_compatible_node;

/* Records in a tree, in whose order they are numbered: an item is a place there. */
typedef struct shoal_i_compatible {
    const shoal_i_release *parsed;
    size_t count;        /* records, and rows */
    size_t width;        /* quasi columns */
    uint32_t *record_of; /* item -> record */
    uint32_t *codes;     /* item after item */
    uint32_t *row_of;    /* item -> matched row; SHOAL_I_NO_ITEM: none */
    uint8_t *is_removed; /* item: seen already */
    size_t leaf_first;   /* number of the first leaf; nodes are numbered as in a heap */
    size_t node_count;
    shoal_i_compatible_node *nodes;
    shoal_i_interval *points; /* node: the box around its records */
    shoal_i_interval *unions; /* node: the box around the boxes of its rows; set by attach */
} shoal_i_compatible;

/* The records of parsed->quasi in a tree, unmatched. The release has as many rows. */
shoal_status shoal_i_compatible_build(shoal_ctx *ctx, shoal_i_compatible **out,
                                      const shoal_i_release *parsed);
void shoal_i_compatible_free(shoal_i_compatible *graph);

/* The box of a row. */
static inline const shoal_i_interval *shoal_i_compatible_box(const shoal_i_compatible *graph,
                                                             size_t row)
{
    return graph->parsed->boxes + graph->parsed->box_of[row] * graph->width;
}

/* Match every row to a record it is compatible with, one by one, as far as that goes; *left is how
 * many rows have found none. Those of row_order (row -> record; NULL: nothing is known) are tried
 * first. */
shoal_status shoal_i_compatible_match(shoal_ctx *ctx, shoal_i_compatible *graph, size_t *left,
                                      const uint32_t *row_order);

/* Once all are matched: the bounds of the rows, for looking up rows by record. */
void shoal_i_compatible_attach(shoal_i_compatible *graph);

/* --- Looking up. ------------------------------------------------------------------------ */

/* Put all items back; take one out. */
void shoal_i_compatible_reset(shoal_i_compatible *graph);
void shoal_i_compatible_remove(shoal_i_compatible *graph, size_t item);

/* Called for each item found; true ends the search. */
typedef bool (*shoal_i_compatible_fn)(void *payload, size_t item);

typedef struct shoal_i_compatible_search {
    const shoal_i_interval *box; /* items whose record lies in it */
    const uint32_t *point;       /* or items whose row's box holds it */
    bool with_removed;           /* those taken out are found too */
    shoal_i_compatible_fn found;
    void *payload;
} shoal_i_compatible_search;

/* Search from an item outwards (SHOAL_I_NO_ITEM: from the root down), so that what lies near is
 * found first. Whether the search was ended by `found`. */
bool shoal_i_compatible_find(const shoal_i_compatible *graph,
                             const shoal_i_compatible_search *search, size_t from);

#endif /* SHOAL_I_COMPATIBLE_H */
