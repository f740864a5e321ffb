/* specialize_trial.h -- trying to specialize a set of records on one column.
 *
 * The records of the set stand at their closest common ancestor in the tree of the column. A
 * trial sends each to the child it lies below, by a census of them; children that do not meet
 * the requirement return their records, and if the returned ones do not meet it either, they
 * get company from the children that do (WONG, section 4).
 */
#ifndef SHOAL_I_SPECIALIZE_TRIAL_H
#define SHOAL_I_SPECIALIZE_TRIAL_H

#include "specialize_census.h"

/* Where a record went that stays at the node it came from. */
#define SHOAL_I_TRIAL_REST UINT32_MAX

/* Scratch, and the outcome of the last trial. */
typedef struct shoal_i_specialize_trial {
    uint32_t *branch_of; /* of each record: where it went; below branch_count or REST */
    size_t branch_count; /* numbers given; some of them may have returned all records */
    size_t specialized;  /* records that went to a child; 0: the column is no candidate */
    size_t branches;     /* children they went to */
    bool is_exact;       /* after a survey: whether `specialized` is that, not an upper bound */

    int depth; /* of the children */
    shoal_i_census_scratch scratch;
    shoal_i_node_census census;
    shoal_i_node_census deeper; /* for looking how far down records could go */
    uint32_t *list;             /* records that are looked at */
    uint8_t *further;           /* of each record: how many steps it could go below its child */
    unsigned most_further;      /* the largest of them */
    uint32_t *returned;         /* of children that hold, in the order of their return */
    size_t returned_count;
    shoal_i_tally side; /* of a branch */
    shoal_i_tally rest;
} shoal_i_specialize_trial;

/* For sets of at most `count` records and trees of at most `id_count` ids. */
shoal_status shoal_i_trial_init(shoal_ctx *ctx, shoal_i_specialize_trial *trial,
                                const shoal_i_tally_source *source, size_t count,
                                size_t id_count);
void shoal_i_trial_clear(shoal_i_specialize_trial *trial);

/* Find out what comes of trying a column: the branches, and how many records can be specialized
 * at most. Much cheaper than the trial itself, and more so when the counts by code are
 * known. */
void shoal_i_trial_survey(shoal_i_specialize_trial *trial, const shoal_i_trial_set *set);

/* Try a column. Branches that records went to hold, and so do the records that stay, if any. */
void shoal_i_trial_run(shoal_i_specialize_trial *trial, const shoal_i_trial_set *set);

/* After a trial that specializes some: the records of each branch, and last those that stay. */
void shoal_i_trial_sizes(const shoal_i_specialize_trial *trial, size_t *sizes);

#endif /* SHOAL_I_SPECIALIZE_TRIAL_H */
