/* proposals.h -- better ways for the points of some groups, found but not made real yet.
 *
 * A trial (improve.c) takes groups apart and puts their points into drafts: new groups, or
 * groups that stand and take in more.
 *
 *     opened   groups 3, 8, 9           they are no more when this is real
 *     drafts   new, new, group 5        with the box and the penalty each would have
 *     points   of 3, 8 and 9            and which of the drafts each would be in
 *
 * Trials of a batch look at one solution, which none of them may change, so what they find is
 * kept as copies, in the order in which it was found. When its turn comes, the groups it was
 * made from may be gone; then it is dropped and not mended, because a new trial costs less than
 * finding out what of it still holds.
 */
#ifndef SHOAL_I_PROPOSALS_H
#define SHOAL_I_PROPOSALS_H

#include "../grouping/batch_search.h"
#include "solution.h"

/* Groups taken apart at most in one trial. */
#define SHOAL_I_OPENED_MOST 8

/* A group on trial: a new one, or an old one (`origin`) that takes in more points. */
typedef struct shoal_i_draft {
    uint32_t origin; /* SHOAL_I_NO_POINT: new */
    uint64_t load;
    int32_t penalty;
} shoal_i_draft;

/* What a trial ends with. Arrays are the trial's in what is handed over, and the proposal's in
 * what is kept. */
typedef struct shoal_i_proposal {
    struct shoal_i_proposal *next; /* found later */
    size_t opened_count;
    uint32_t opened[SHOAL_I_OPENED_MOST];
    size_t draft_count;
    shoal_i_draft *drafts;
    int32_t *boxes; /* two rows per draft */
    size_t point_count;
    uint32_t *points;
    uint32_t *draft_of; /* of each of the points */
} shoal_i_proposal;

/* Those of a task in a batch; starts as {0}. */
typedef struct shoal_i_proposals {
    shoal_i_proposal *first;
    shoal_i_proposal *last;
} shoal_i_proposals;

/* Keep a copy of what a trial found; draft_of is by point, of all points, here. lane_count: of
 * a row. */
shoal_status shoal_i_proposals_add(shoal_ctx *ctx, shoal_i_proposals *proposals,
                                   const shoal_i_proposal *trial, size_t lane_count);

/* Drop all of them. */
void shoal_i_proposals_clear(shoal_i_proposals *proposals);

/* Make real, one after the other, those that none before them in the batch has touched, and
 * drop all. */
void shoal_i_proposals_accept(shoal_i_proposals *proposals, shoal_i_solution *solution,
                              shoal_i_batch_search *batches);

#endif /* SHOAL_I_PROPOSALS_H */
