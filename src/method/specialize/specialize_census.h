/* specialize_census.h -- the records of a set counted by the nodes above them.
 *
 * Every column is a tree here (specialize_tree.h). A census at a depth tells how many records
 * lie below each of its nodes, how often which value occurs there, and whether they would meet
 * the requirement. Where the counts of the set by code are known it adds these up and leaves
 * the records alone.
 */
#ifndef SHOAL_I_SPECIALIZE_CENSUS_H
#define SHOAL_I_SPECIALIZE_CENSUS_H

#include "specialize_tree.h"

/* The records of a trial, the column they try, and what they are held against. */
typedef struct shoal_i_trial_set {
    const shoal_i_problem *problem;
    const shoal_i_branching *branching;
    size_t count;
    const uint32_t *records;
    const uint32_t *codes;  /* of the column: the code of a record is codes[record * stride] */
    const uint32_t *values; /* what requirements read: active column j of the tally's source is
                               values[record * stride + j] */
    size_t stride;
    uint32_t lo; /* the smallest and the largest of the codes, lo < hi */
    uint32_t hi;
    const uint32_t *code_sizes; /* how many of the records have each code, if it is known, and
                                   the counts of their values as those of a census */
    const uint32_t *code_cells;
    bool is_size_enough; /* to tell whether records meet the requirement */
    uint64_t smallest_class;
} shoal_i_trial_set;

/* Records counted by the node they lie below at a depth. */
typedef struct shoal_i_node_census {
    uint32_t *node_of; /* of each record, the node's number in order of appearance */
    size_t node_count;
    uint32_t *ids;    /* per node */
    uint32_t *starts; /* per node and one more: its records in `order` */
    uint32_t *order;
    bool *holds;
    uint32_t *cells; /* per node: how often which value occurs, active column after active
                        column; NULL when that would be too many */
} shoal_i_node_census;

/* What censuses are taken on, one at a time. */
typedef struct shoal_i_census_scratch {
    size_t cell_count;       /* of a node */
    uint32_t *node_of_id;    /* number + 1 while a census is taken; else 0 */
    shoal_i_histogram *view; /* of the node that is judged, and the values present in it */
    uint32_t *view_present;
    shoal_i_tally judged; /* the same, where there are no cells */
} shoal_i_census_scratch;

/* Records to be counted, by their place in the set: those of a list, or the first `count` when
 * it is NULL. */
typedef struct shoal_i_roll {
    const uint32_t *list;
    size_t count;
} shoal_i_roll;

/* For trees of at most `id_count` ids. What is zeroed may be cleared; clear it on failure
 * too. */
shoal_status shoal_i_census_scratch_init(shoal_ctx *ctx, shoal_i_census_scratch *scratch,
                                         const shoal_i_tally_source *source, size_t id_count);
void shoal_i_census_scratch_clear(shoal_i_census_scratch *scratch);

/* For sets of at most `count` records below at most `nodes` nodes. */
shoal_status shoal_i_census_init(shoal_ctx *ctx, shoal_i_node_census *census,
                                 const shoal_i_census_scratch *scratch, size_t count,
                                 size_t nodes);
void shoal_i_census_clear(shoal_i_node_census *census);

/* Count the records by the nodes above them at a depth. Whoever does not need to know which
 * record is where gets it cheaper, if counts by code are known. */
void shoal_i_census_take(shoal_i_census_scratch *scratch, shoal_i_node_census *census,
                         const shoal_i_trial_set *set, int depth, shoal_i_roll roll,
                         bool needs_records);

/* Whether sizes and cells are all that judging a node needs; else its records in order. */
static inline bool shoal_i_census_is_counted(const shoal_i_node_census *census,
                                             const shoal_i_trial_set *set)
{
    return set->is_size_enough || census->cells;
}

/* Bring the records into the order of their nodes, for a census that needs_records and has not
 * done so because it is counted. */
void shoal_i_census_order(shoal_i_node_census *census, shoal_i_roll roll);

/* Count the records of a node into a tally. */
void shoal_i_census_tally(const shoal_i_census_scratch *scratch, shoal_i_tally *tally,
                          const shoal_i_node_census *census, const shoal_i_trial_set *set,
                          size_t node);

/* Room for numbers that are written before they are read: pages that no set is large enough to
 * reach are never touched. */
shoal_status shoal_i_make_room(shoal_ctx *ctx, uint32_t **out, size_t count);

#endif /* SHOAL_I_SPECIALIZE_CENSUS_H */
