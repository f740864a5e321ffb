#include "proposals.h"

#include "../../base/fail.h"

#include <string.h>

static void free_proposal(shoal_i_proposal *p)
{
    if (p) {
        free(p->drafts);
        free(p->boxes);
        free(p->points);
        free(p->draft_of);
        free(p);
    }
}

static void append(shoal_i_proposals *proposals, shoal_i_proposal *p)
{
    if (proposals->last) {
        proposals->last->next = p;
    } else {
        proposals->first = p;
    }
    proposals->last = p;
}

shoal_status shoal_i_proposals_add(shoal_ctx *ctx, shoal_i_proposals *proposals,
                                   const shoal_i_proposal *trial, size_t lane_count)
{
    shoal_status st = SHOAL_OK;
    size_t box = 2 * lane_count;
    shoal_i_proposal *p = NULL;

    SHOAL_ALLOC(ctx, p, 1);
    p->opened_count = trial->opened_count;
    memcpy(p->opened, trial->opened, sizeof p->opened);
    p->draft_count = trial->draft_count;
    p->point_count = trial->point_count;
    SHOAL_ALLOC(ctx, p->drafts, p->draft_count);
    SHOAL_ALLOC(ctx, p->boxes, p->draft_count * box);
    SHOAL_ALLOC(ctx, p->points, p->point_count);
    SHOAL_ALLOC(ctx, p->draft_of, p->point_count);
    memcpy(p->drafts, trial->drafts, p->draft_count * sizeof *p->drafts);
    memcpy(p->boxes, trial->boxes, p->draft_count * box * sizeof *p->boxes);
    memcpy(p->points, trial->points, p->point_count * sizeof *p->points);
    for (size_t i = 0; i < p->point_count; i++) {
        p->draft_of[i] = trial->draft_of[p->points[i]];
    }
    append(proposals, p);
    p = NULL;
done:
    free_proposal(p);
    return st;
}

void shoal_i_proposals_clear(shoal_i_proposals *proposals)
{
    while (proposals->first) {
        shoal_i_proposal *next = proposals->first->next;

        free_proposal(proposals->first);
        proposals->first = next;
    }
    proposals->last = NULL;
}

static bool is_touched(const shoal_i_batch_search *batches, const shoal_i_proposal *p)
{
    for (size_t i = 0; i < p->opened_count; i++) {
        if (shoal_i_batch_is_touched(batches, p->opened[i])) {
            return true;
        }
    }
    for (size_t t = 0; t < p->draft_count; t++) {
        uint32_t origin = p->drafts[t].origin;

        if (origin != SHOAL_I_NO_POINT && shoal_i_batch_is_touched(batches, origin)) {
            return true;
        }
    }
    return false;
}

/* Make a proposal real. */
static void accept(shoal_i_solution *solution, shoal_i_batch_search *batches,
                   shoal_i_proposal *p)
{
    size_t box = 2 * solution->points->lanes->count;

    for (size_t i = 0; i < p->opened_count; i++) {
        solution->groups[p->opened[i]] = (shoal_i_group){.head = SHOAL_I_NO_POINT};
        solution->numbers[solution->number_count++] = p->opened[i];
        shoal_i_batch_touch(batches, p->opened[i]);
    }
    for (size_t t = 0; t < p->draft_count; t++) {
        shoal_i_draft *it = &p->drafts[t];

        if (it->origin == SHOAL_I_NO_POINT) {
            it->origin = solution->numbers[--solution->number_count];
            shoal_i_solution_open(solution, it->origin, p->boxes + t * box, it->penalty);
        } else {
            solution->groups[it->origin].penalty = it->penalty;
            memcpy(shoal_i_solution_box(solution, it->origin), p->boxes + t * box,
                   box * sizeof *p->boxes);
        }
        shoal_i_batch_touch(batches, it->origin);
    }
    for (size_t i = 0; i < p->point_count; i++) {
        shoal_i_solution_put(solution, p->drafts[p->draft_of[i]].origin, p->points[i]);
    }
}

void shoal_i_proposals_accept(shoal_i_proposals *proposals, shoal_i_solution *solution,
                              shoal_i_batch_search *batches)
{
    for (shoal_i_proposal *p = proposals->first; p; p = p->next) {
        if (!is_touched(batches, p)) {
            accept(solution, batches, p);
        }
    }
    shoal_i_proposals_clear(proposals);
}
