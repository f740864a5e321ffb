#include "run_check.h"

shoal_status shoal_i_run_check_init(shoal_ctx *ctx, shoal_i_run_check *check,
                                    const shoal_i_problem *problem, const uint32_t *order)
{
    *check = (shoal_i_run_check){.problem = problem, .order = order};
    return shoal_i_tally_init(ctx, &check->tally, problem->source);
}

void shoal_i_run_check_clear(shoal_i_run_check *check)
{
    shoal_i_tally_clear(&check->tally);
}

static size_t distance(size_t a, size_t b)
{
    return a < b ? b - a : a - b;
}

/* Count in first: a run that shrinks before it grows might be empty in between, or turned
 * round. */
static void move_ends(shoal_i_run_check *check, size_t first, size_t end)
{
    while (check->first > first) {
        shoal_i_tally_add(&check->tally, check->order[--check->first]);
    }
    while (check->end < end) {
        shoal_i_tally_add(&check->tally, check->order[check->end++]);
    }
    while (check->first < first) {
        shoal_i_tally_remove(&check->tally, check->order[check->first++]);
    }
    while (check->end > end) {
        shoal_i_tally_remove(&check->tally, check->order[--check->end]);
    }
}

bool shoal_i_run_holds(shoal_i_run_check *check, size_t first, size_t end)
{
    if (distance(check->first, first) + distance(check->end, end) > end - first) {
        shoal_i_tally_empty(&check->tally);
        shoal_i_tally_add_list(&check->tally, check->order + first, end - first);
        check->first = first;
        check->end = end;
    }
    move_ends(check, first, end);
    return shoal_i_requirement_holds(check->problem->requirements, &check->tally.stats);
}
