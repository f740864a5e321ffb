/* specialize_trial.h -- trying to specialize a set of records on one column.
 *
 * Every column is a tree here: the hierarchy of a categorical one; for numbers without a
 * hierarchy halves of halves of their sorted values, or all values directly below the root. The
 * records of the set stand at their closest common ancestor. A trial sends each to the child it
 * lies below; children that do not meet the requirement return their records, and if the
 * returned ones do not meet it either, they get company from the children that do (WONG,
 * section 4).
 */
#ifndef SHOAL_I_SPECIALIZE_TRIAL_H
#define SHOAL_I_SPECIALIZE_TRIAL_H

#include "../base/sort.h"
#include "method.h"

/* A quasi column as a tree. Nodes have ids that are unique within a depth. */
typedef struct shoal_i_branching {
    const shoal_hierarchy *hierarchy; /* categorical; NULL: numeric */
    size_t value_count;
    int height;
    size_t id_count; /* ids are below */
    uint32_t
        *ids; /* of the node above a code at depth d >= 1: [(d - 1) * value_count + code] */
} shoal_i_branching;

shoal_status shoal_i_branching_init(shoal_ctx *ctx, shoal_i_branching *out,
                                    const shoal_i_quasi_column *column, bool in_halves);
void shoal_i_branching_clear(shoal_i_branching *branching);

/* The records of a trial, the column they try, and what they are held against. */
typedef struct shoal_i_trial_set {
    const shoal_i_problem *problem;
    const shoal_i_branching *branching;
    size_t count;
    const uint32_t *records;
    const uint32_t *codes;  /* of the column: the code of record i is codes[i * stride] */
    const uint32_t *values; /* what requirements read: active column j of the tally's source is
                               values[i * stride + j] */
    size_t stride;
    bool is_size_enough; /* to tell whether records meet the requirement */
    uint64_t smallest_class;
} shoal_i_trial_set;

/* Where a record went that stays at the node it came from. */
#define SHOAL_I_TRIAL_REST UINT32_MAX

/* Records counted by the node they lie below at a depth. */
typedef struct shoal_i_census {
    uint32_t *node_of; /* of each record, the node's number in order of appearance */
    size_t node_count;
    uint32_t *ids;    /* per node */
    uint32_t *starts; /* per node and one more: its records in `order` */
    uint32_t *order;
    bool *holds;
    uint32_t *cells; /* per node: how often which value occurs, active column after active
                        column; NULL when that would be too many */
} shoal_i_census;

/* Scratch, and the outcome of the last trial. */
typedef struct shoal_i_trial {
    uint32_t *branch_of; /* of each record: where it went; below branch_count or REST */
    size_t branch_count; /* numbers given; some of them may have returned all records */
    size_t specialized;  /* records that went to a child; 0: the column is no candidate */
    size_t branches;     /* children they went to */
    bool is_exact;       /* after a survey: whether `specialized` is that, not an upper bound */

    int depth;         /* of the children */
    size_t cell_count; /* of a node */
    shoal_i_census census;
    shoal_i_census deeper; /* for looking how far down records could go */
    uint32_t *list;        /* records that are looked at */
    uint8_t *further;      /* of each record: how many steps it could go below its child */
    shoal_i_sort_item *offers;
    shoal_i_sort_item *scratch;
    uint32_t *returned; /* of children that hold, in the order of their return */
    size_t returned_count;
    uint32_t *node_of_id; /* number + 1 while a census is taken; else 0 */
    shoal_i_tally side;
    shoal_i_tally rest;
} shoal_i_trial;

/* For sets of at most `count` records and trees of at most `id_count` ids. */
shoal_status shoal_i_trial_init(shoal_ctx *ctx, shoal_i_trial *trial,
                                const shoal_i_tally_source *source, size_t count,
                                size_t id_count);
void shoal_i_trial_clear(shoal_i_trial *trial);

/* Find out what comes of trying a column, whose codes reach from lo to hi, lo < hi: the branches,
 * and how many records can be specialized at most. Much cheaper than the trial itself. */
void shoal_i_trial_survey(shoal_i_trial *trial, const shoal_i_trial_set *set, uint32_t lo,
                          uint32_t hi);

/* Try a column. Branches that records went to hold, and so do the records that stay, if any. */
void shoal_i_trial_run(shoal_i_trial *trial, const shoal_i_trial_set *set, uint32_t lo,
                       uint32_t hi);

#endif /* SHOAL_I_SPECIALIZE_TRIAL_H */
